/* What the files of the master share. */
#ifndef SL_DIST_MASTER_STATE_H
#define SL_DIST_MASTER_STATE_H

#include "dist/master.h"
#include "dist/service_call.h"
#include "dist/task_calls.h"

struct sl_master_run;
struct sl_master_executable;
struct sl_master_partial;
struct sl_master_callable;

struct sl_master_session {
    atomic_uint references;
    struct sl_master *master;
    struct sl_master_session *next; /* of the master; guarded by its mutex */
    char handle[17];
    struct sl_cluster *own_cluster;   /* that the client has brought; NULL: the master's */
    int *tasks, n_tasks;              /* of the cluster, that have a session of this handle; the own one is not in it */
    struct sl_worker_session *own;    /* of the own worker, a reference */
    struct sl_device *devices;        /* of all tasks, the own ones first; owned */
    struct sl_runtime *front;         /* with these devices: places and cuts, runs nothing */
    int64_t timeout_ms;               /* of steps that say nothing else */
    int64_t costs_every, costs_after; /* which runs of a signature tell of costs; 0: none */
    struct sl_mutex graph_mutex;      /* guards the next three, and what is made of them */
    struct sl_graph *graph;           /* the client's */
    int64_t version;
    uint64_t n_cuts; /* of the graph, for signatures */
    struct sl_library_seen seen;
    struct sl_mutex mutex; /* guards the rest; after graph_mutex */
    struct sl_master_executable *executables;
    struct sl_master_run *runs; /* under way */
    struct sl_master_partial *partials;
    struct sl_master_callable *callables;
    int64_t n_partials, n_callables; /* ever */
    bool is_closed;
    size_t n_running;
    void (*idle)(struct sl_master_session *session, void *arg); /* when the last one has ended after the close */
    void *arg_of_idle;
};

static inline struct sl_cluster *sl_master_session_cluster(const struct sl_master_session *s) {
    return s->own_cluster ? s->own_cluster : s->master->cluster;
}

/* ---- master_session.c */
/* A new reference; ABORTED "Session H is not found." */
sl_code sl_master_find(struct sl_master_session **out, struct sl_master *master, struct sl_str handle,
                       struct sl_error *err);
void sl_master_session_unref(struct sl_master_session *session);
/* Counts a run in; FAILED_PRECONDITION "Session is closed." */
sl_code sl_master_session_enter(struct sl_master_session *session, struct sl_error *err);
void sl_master_session_leave(struct sl_master_session *session);
/* Takes the session from the master's list and cancels its steps. `closed(arg)` comes once, when no step is left and
 * the workers have forgotten the session, maybe before this returns. Takes the reference over. False: somebody else
 * has closed it; then nothing of that. */
bool sl_master_session_close(struct sl_master_session *session, void (*closed)(void *arg), void *arg);
/* Adds the nodes of a GraphDef to the session's graph. */
sl_code sl_master_session_import(struct sl_master_session *session, const struct sl_pb_GraphDef *def,
                                 struct sl_error *err);

/* What a client feeds, and what it fetches: field 1 of its answer. Handles of resources are opened and made. */
sl_code sl_master_read_feed(struct sl_value *out, const struct sl_master_session *session,
                            const struct sl_pb_TensorProto *proto, struct sl_rpc_body *body, struct sl_error *err);
sl_code sl_master_add_fetch(struct sl_rpc_message *m, const struct sl_master_session *session, struct sl_str name,
                            struct sl_tensor *t, struct sl_error *err);

/* ---- master_create.c, master_executable.c, master_run.c */
void sl_master_create_session(void *master, struct sl_rpc_call *call);

/* What a run feeds, fetches and runs, by name. */
struct sl_master_signature {
    const struct sl_str *feeds, *fetches, *targets;
    size_t n_feeds, n_fetches, n_targets;
    bool is_partial;
    const struct sl_pb_TensorConnection *connections; /* of a callable */
    size_t n_connections;
};
struct sl_master_remote_part {
    int task;
    char *handle; /* of the graph, at its worker */
};
struct sl_master_executable {
    atomic_uint references;
    struct sl_master_executable *next; /* of the session; guarded */
    struct sl_master_session *session; /* borrowed: whoever uses this has it */
    char *key;
    size_t n_key;
    struct sl_worker_graph *own; /* NULL: no node is here */
    struct sl_master_remote_part *remotes;
    int n_remotes;
    bool is_made; /* guarded by the session's mutex, as is the next */
    struct sl_executable_waiter *waiters;
    struct sl_task_calls calls;    /* that register the parts */
    struct sl_lightness lightness; /* of what a step does at once */
    atomic_llong n_runs;           /* ever; only of sessions that tell of costs */
};
struct sl_executable_waiter {
    /* Once, on any thread; `executable` is a reference of the callee's, NULL after a failure. */
    void (*ready)(struct sl_executable_waiter *waiter, struct sl_master_executable *executable, sl_code code,
                  const struct sl_error *err);
    struct sl_executable_waiter *next;
};
/* On a thread that may compute: the executable, a reference for the caller; NULL when it has to be made first: then
 * `ready` comes, maybe before this returns. Without a waiter: only one that is made, and light. */
struct sl_master_executable *sl_master_executable_get(struct sl_master_session *session,
                                                      const struct sl_master_signature *signature,
                                                      struct sl_executable_waiter *waiter);
void sl_master_executable_unref(struct sl_master_executable *executable); /* NULL is fine */
/* A trace of the own part, for one step. False without an error: there is no own part. */
sl_code sl_master_executable_trace(bool *is_there, struct sl_worker_trace *trace,
                                   struct sl_master_executable *executable, const struct sl_master_signature *signature,
                                   struct sl_run_wishes wishes, struct sl_error *err);

/* Runs under way: RunStep and RunCallable. */
void sl_master_run_step(void *master, struct sl_rpc_call *call);
void sl_master_run_callable(void *master, struct sl_rpc_call *call);
/* The same on a thread of the net: what is not light goes on elsewhere. */
void sl_master_run_step_here(void *master, struct sl_rpc_call *call);
void sl_master_run_callable_here(void *master, struct sl_rpc_call *call);
void sl_master_run_cancel(struct sl_master_run *run, sl_code code, const char *text);
/* The runs of a session, each with a reference for the caller: `*out` is sl_malloc'ed. With the mutex held. */
size_t sl_master_runs_of(struct sl_master_run ***out, struct sl_master_session *session);
void sl_master_run_unref(struct sl_master_run *run);
/* Says what the session's steps wait for, which are lines, and who could end that (session/wait_chain.h). On a thread that
 * may wait, without locks. */
struct sl_wait_listener;
void sl_master_follow_waits(struct sl_master_session *session, const char *lines, struct sl_wait_listener *to);

/* ---- master_callable.c */
struct sl_master_callable {
    struct sl_master_callable *next;
    int64_t handle;
    atomic_uint references;
    struct sl_arena arena;
    struct sl_pb_CallableOptions *options; /* in the arena */
};
void sl_master_make_callable(void *master, struct sl_rpc_call *call);
void sl_master_release_callable(void *master, struct sl_rpc_call *call);
/* A new reference; INVALID_ARGUMENT "No such callable handle." */
sl_code sl_master_find_callable(struct sl_master_callable **out, struct sl_master_session *session, int64_t handle,
                                struct sl_error *err);
void sl_master_callable_unref(struct sl_master_callable *callable);

/* ---- master_partial.c */
void sl_master_partial_setup(void *master, struct sl_rpc_call *call);
/* A RunStep with a handle; answers the call. The session has been entered, and is left by this. */
void sl_master_partial_run(struct sl_master_session *session, const struct sl_pb_RunStepRequest *request,
                           struct sl_rpc_call *call);
/* Calls that wait for one end with this code. */
void sl_master_partials_cancel(struct sl_master_session *session, sl_code code, const char *text);
/* Frees all of a session that is closed. On a thread that may wait. */
void sl_master_partials_end(struct sl_master_session *session);

#endif
