/* A worker: runs the parts of steps that are on the devices of its task, for masters that register them, and hands
 * values to the workers of other tasks. It knows no messages of masters but values; worker_service.h has those.
 *
 *   sl_worker_create_session ── a runtime: the worker's devices and, unless it is isolated, the worker's resources
 *     sl_worker_register     ── a program in it, by a handle
 *       sl_worker_step       ── one run of the program; what it lacks is asked from other tasks as it waits for it
 *   sl_worker_recv           ── what another task's step waits for
 *
 * Sessions that are not isolated share all resources: variables are found by container and name.
 * Threads: thread-safe. Steps never hold a thread while they wait for another task. */
#ifndef SL_DIST_WORKER_H
#define SL_DIST_WORKER_H

#include "dist/call_ids.h"
#include "dist/cluster.h"
#include "kernel/step_rendezvous.h"
#include "os/bounded_threads.h"
#include "os/shared_block.h"
#include "runtime/part_message.h"
#include "session/run_metadata.h"

struct sl_worker_options {
    const struct sl_registries *registries;
    struct sl_cluster *cluster;             /* outlives the worker, as does its net */
    const struct sl_pb_ConfigProto *config; /* of sessions that bring none, and of the devices; borrowed; may be NULL */
    uint64_t seed;                          /* of incarnation and ids; 0: one of the system's */
    uint64_t incarnation;                   /* 0: by the seed */
    const struct sl_rendezvous_limits *limits; /* NULL: the default */
    unsigned step_threads;                     /* that compute steps at a time */
};

struct sl_collective_peers;
struct sl_worker_session;
struct sl_worker_graph;

struct sl_worker {
    struct sl_worker_options options;
    struct sl_bounded_threads *threads;
    struct sl_runtime *base; /* has the devices and the shared resources; runs nothing */
    struct sl_rendezvous_table *table;
    struct sl_id_source ids;
    struct sl_collective_peers *peers; /* for sessions with resources of their own; borrowed, NULL: there are none */
    struct sl_shared_blocks *blocks;   /* large values that come from tasks of this machine */
    struct sl_shared_maps *maps;       /* those that go to them; let go of by the timer */
    struct sl_net_timer trim;
    struct sl_mutex mutex; /* guards the rest, and that the timer is set */
    bool is_ending;
    struct sl_condition idle;
    struct sl_worker_session *sessions; /* the one of masters that create none has the handle "" */
    size_t n_held;                      /* sessions and steps that somebody still has */
};

sl_code sl_worker_new(struct sl_worker **out, const struct sl_worker_options *options, struct sl_error *err);
/* Ends its sessions, cancels steps, and waits until they have ended. NULL is fine. */
void sl_worker_free(struct sl_worker *worker);
/* Before there are sessions of masters: collectives of all of them reach other tasks by these, which outlive the worker.
 * Borrowed. */
sl_code sl_worker_set_peers(struct sl_worker *worker, struct sl_collective_peers *peers, struct sl_error *err);
/* Sessions of masters, their graphs, and steps that run. */
void sl_worker_count(int64_t *sessions, int64_t *graphs, int64_t *steps, struct sl_worker *worker);
/* Somebody has written to a block: some seconds later it is let go of. */
void sl_worker_trim_later(struct sl_worker *worker);
/* What computes or may wait, and must not hold a thread of the net: what others ask this task to run, which queues, and the
 * rest, which mostly ends something and goes before what is given later. */
static inline void sl_worker_spawn_step(struct sl_worker *worker, void (*fn)(void *arg), void *arg) {
    sl_bounded_threads_run(worker->threads, fn, arg);
}
static inline void sl_worker_spawn(struct sl_worker *worker, void (*fn)(void *arg), void *arg) {
    sl_bounded_threads_run_first(worker->threads, fn, arg);
}
static inline const struct sl_device_set *sl_worker_devices(const struct sl_worker *worker) {
    return &worker->base->devices;
}

/* ---- sessions */
struct sl_worker_session_spec {
    struct sl_str handle;
    bool is_isolated;
    const struct sl_pb_ServerDef *server; /* of a cluster that the master brings; NULL or without jobs: the worker's */
    struct sl_str master;                 /* its task, "" of masters that do not say */
    int64_t master_incarnation;           /* of one task: another one ends the sessions of those before it */
    const struct sl_pb_ConfigProto *config; /* NULL: the worker's */
    struct sl_runtime *runtime;             /* of somebody who outlives the session; NULL: its own */
};
/* The devices that a task has which others call by the name that `server` gives it; to be taken over by a runtime. Without a server:
 * by its own name. */
sl_code sl_worker_open_devices(struct sl_device_set *out, struct sl_worker *worker,
                               const struct sl_pb_ServerDef *server, struct sl_error *err);
/* One that nobody finds by its handle; a reference of the caller's. Its steps end by sl_worker_session_cancel. */
sl_code sl_worker_open_session(struct sl_worker_session **out, struct sl_worker *worker,
                               const struct sl_worker_session_spec *spec, struct sl_error *err);
void sl_worker_session_cancel(struct sl_worker_session *session); /* no further steps; those under way: CANCELLED */
sl_code sl_worker_create_session(struct sl_worker *worker, const struct sl_worker_session_spec *spec,
                                 struct sl_error *err);
/* A new reference; ABORTED "Session handle is not found: ...". "" is the session of masters that create none. */
sl_code sl_worker_find_session(struct sl_worker_session **out, struct sl_worker *worker, struct sl_str handle,
                               struct sl_error *err);
void sl_worker_session_unref(struct sl_worker_session *session); /* NULL is fine */
/* Cancels its steps; what is held stays until it is given back. The error of find. */
sl_code sl_worker_delete_session(struct sl_worker *worker, struct sl_str handle, struct sl_error *err);
/* Drops the resources in these containers; none: in the default one. The job's name is the default one, too. */
void sl_worker_cleanup_all(struct sl_worker *worker, const struct sl_str *containers, size_t n);

/* ---- graphs */
/* Compiles a part, an encoded GraphDef; a new reference. `body` has the bytes, and is kept with the graph. */
sl_code sl_worker_register(struct sl_worker_graph **out, struct sl_worker_session *session, struct sl_str def,
                           struct sl_rpc_body *body, struct sl_error *err);
/* The same for a part that was made in this process by a runtime whose devices have other structs and the same names;
 * `device` is that of its arguments, and `library` what it was made with. Nobody changes the library meanwhile. */
sl_code sl_worker_register_part(struct sl_worker_graph **out, struct sl_worker_session *session, struct sl_part *part,
                                const char *device, const struct sl_graph *library, bool is_partial,
                                struct sl_error *err);
const char *sl_worker_graph_handle(const struct sl_worker_graph *graph); /* 16 hexadecimal digits */
const struct sl_program *sl_worker_graph_program(const struct sl_worker_graph *graph);
/* A new reference; ABORTED "Graph handle is not found: ...". */
sl_code sl_worker_find_graph(struct sl_worker_graph **out, struct sl_worker_session *session, struct sl_str handle,
                             struct sl_error *err);
void sl_worker_graph_unref(struct sl_worker_graph *graph); /* NULL is fine */
/* A program of the session's runtime, taken over also on failure; nobody finds it by its handle. */
sl_code sl_worker_graph_new(struct sl_worker_graph **out, struct sl_worker_session *session, struct sl_program *program,
                            struct sl_error *err);
/* It is found no more. */
sl_code sl_worker_deregister(struct sl_worker_session *session, struct sl_str handle, struct sl_error *err);

/* What ran, for a RunMetadata. Its record is the trace of one step. */
struct sl_worker_trace {
    struct sl_run_plan plan;
    struct sl_step_record record;
    struct sl_run_wishes wishes;
};
/* For a graph that was registered as a message. After success, end it. */
sl_code sl_worker_trace_begin(struct sl_worker_trace *trace, struct sl_worker_graph *graph, struct sl_run_wishes wishes,
                              struct sl_error *err);
/* For a part of this process, as sl_worker_register_part; `own` of the front's parts. The front is taken, also on
 * failure. */
sl_code sl_worker_trace_begin_part(struct sl_worker_trace *trace, struct sl_worker_session *session,
                                   struct sl_front *front, int own, const char *device, struct sl_run_wishes wishes,
                                   struct sl_error *err);
/* An encoded RunMetadata, sl_malloc'ed, while the step is not cleared. What came from other tasks stands in it as
 * "RecvTensor", of the receiving device. */
struct sl_worker_step;
sl_code sl_worker_trace_encode(struct sl_str *out, const struct sl_worker_trace *trace,
                               const struct sl_worker_step *step, struct sl_error *err);
void sl_worker_trace_end(struct sl_worker_trace *trace);

/* ---- steps */
struct sl_worker_send {
    struct sl_str key;
    struct sl_value value;
};
struct sl_worker_receive {
    struct sl_str key;
    struct sl_value value;   /* when the step has ended well: the caller's */
    struct sl_waiter waiter; /* of the worker */
    struct sl_worker_step *step;
};
/* A value that has come. */
struct sl_worker_arrival {
    struct sl_worker_arrival *next;
    int64_t begun_us, ended_us; /* of the wall clock */
    size_t bytes, n;
    char key[];
};
void sl_worker_arrivals_free(struct sl_worker_arrival *arrivals);
/* A row "RecvTensor" of the receiving device for each. */
sl_code sl_worker_arrivals_to_proto(struct sl_pb_StepStats *out, const struct sl_worker_arrival *arrivals,
                                    struct sl_arena *arena, struct sl_error *err);
/* One run of a graph. Zeroed, then these set; what is pointed to is the caller's and stays until `done`. */
struct sl_worker_step {
    struct sl_worker_graph *graph; /* a reference of the caller's */
    uint64_t step_id;
    struct sl_value *args, *rets; /* of a part with arguments and results; args are taken over */
    struct sl_worker_send *sends; /* by key as text; values are taken over */
    size_t n_sends;
    struct sl_worker_receive *receives;
    size_t n_receives;
    struct sl_trace *trace; /* NULL: the runtime's */
    bool notes_arrivals;    /* what comes from other tasks, also without a trace */
    /* Once, on any thread, with the step as it was before init, but for the values that it gives. */
    void (*done)(struct sl_worker_step *step, sl_code code, const struct sl_error *err);
    void *arg;
    /* of the worker: */
    struct sl_step_env env;
    struct sl_step_rendezvous *rendezvous;
    struct sl_worker_step *next, **at; /* of the session; guarded by its mutex */
    struct sl_mutex mutex;             /* guards the next three, and `err` until the end */
    struct sl_worker_fetch *fetches;   /* from other tasks, under way */
    size_t left;                       /* that must end before the step has */
    bool is_failed;
    struct sl_worker_arrival *arrivals; /* what has come from other tasks, of a step that notes them; guarded */
    sl_code nodes_code;                 /* of the nodes themselves */
    struct sl_error err, nodes_err;
};
/* Prepares it: from now on it may be cancelled, until it is cleared. On failure nothing is kept, `done` is not called,
 * and there is nothing to clear. */
sl_code sl_worker_step_init(struct sl_worker_step *step, struct sl_error *err);
/* Runs what is ready on this thread. */
void sl_worker_step_start(struct sl_worker_step *step);
/* Instead of a start, and of clear. */
void sl_worker_step_abandon(struct sl_worker_step *step);
/* After `done`, or within it. */
void sl_worker_step_clear(struct sl_worker_step *step);
/* The step ends with this code unless it has failed or ended already. `done` may come before this returns. */
void sl_worker_step_cancel(struct sl_worker_step *step, sl_code code, const char *text);
/* For a driver that runs the program itself (partial runs): between the two, nodes of the step may run with
 * step->env. `finish` waits for nothing, and `done` comes later, or now. */
sl_code sl_worker_step_open(struct sl_worker_step *step, struct sl_error *err);
void sl_worker_step_finish(struct sl_worker_step *step, sl_code code, const struct sl_error *err);
/* What steps of the session wait for at this moment, `step_id` 0: of all. On a thread that may wait: 0.2 s for each step of
 * which nothing waits. */
void sl_worker_session_tell(struct sl_worker_session *session, uint64_t step_id, struct sl_wait_listener *to);
/* Drops what the step has left here. */
void sl_worker_cleanup(struct sl_worker *worker, uint64_t step_id);

/* ---- values for other tasks */
/* `waiter->done` is called in any case, maybe before this returns. `*rendezvous`, written before that, is a reference of
 * the caller's, to withdraw the waiter; NULL when there is nothing to withdraw. ABORTED for a key of a device that was another's before. */
void sl_worker_recv(struct sl_step_rendezvous **rendezvous, struct sl_worker *worker, uint64_t step_id,
                    struct sl_str key, struct sl_waiter *waiter);

#endif
