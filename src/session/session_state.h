/* What the files of this room share. Internal. */
#ifndef SL_SESSION_SESSION_STATE_H
#define SL_SESSION_SESSION_STATE_H

#include <stdatomic.h>

#include "base/vec.h"
#include "device/device.h"
#include "exec/step.h"
#include "kernel/cancellation.h"
#include "kernel/functions.h"
#include "kernel/resources.h"
#include "os/mutex.h"
#include "os/pool.h"
#include "program/compile.h"
#include "session/session.h"

/* A signature (what is fed, fetched, run) and its program. */
struct sl_executable {
    struct sl_executable *next; /* in its bucket */
    uint64_t hash;
    int n_feeds, n_fetches, n_targets;
    struct sl_port *ports; /* feeds, then fetches */
    struct sl_node **targets;
    struct sl_program *program;
};

/* States of stateful kernels, by node name: one for all programs of the session. */
struct sl_state_store {
    struct sl_kernel_states base;
    struct sl_mutex mutex;
    struct sl_str_map by_name; /* of struct kept_state (kernel_states.c) */
};
void sl_state_store_init(struct sl_state_store *store);
void sl_state_store_clear(struct sl_state_store *store);

/* Function instances: functions with their attrs bound. */
struct sl_function_store {
    struct sl_functions base;
    struct sl_session *session;
    struct sl_mutex mutex;     /* guards `by_key` */
    struct sl_mutex ask_mutex; /* held while somebody finds out which functions may wait; before `mutex` */
    struct sl_str_map by_key;
};
void sl_function_store_init(struct sl_function_store *store, struct sl_session *session);
void sl_function_store_clear(struct sl_function_store *store);

enum { SL_EXECUTABLE_BUCKETS = 64, SL_SESSION_CLOSED = 1, SL_SESSION_RUN = 2 };

struct sl_session {
    struct sl_runtime *runtime;
    /* Runs take no lock: they count themselves in, and look programs up in lists that only grow at their heads. */
    atomic_uint
        runs; /* SL_SESSION_CLOSED, and SL_SESSION_RUN for each run: one word, so that no run slips past a close */
    _Atomic(struct sl_executable *) executables[SL_EXECUTABLE_BUCKETS];
    struct sl_mutex mutex; /* guards what follows up to `partial_runs`, and additions to `executables` */
    struct sl_condition idle;
    struct sl_graph *library; /* functions only; shared with the client's graph */
    size_t n_functions_seen, n_gradients_seen;
    struct sl_partial_run *partial_runs; /* whose handles the client still has */
    atomic_size_t n_nodes_seen;
    struct sl_graph *client; /* only its nodes are read, those that were there at the last extend */
    struct sl_cancellation *cancellation;
    struct sl_resources *resources;
    struct sl_state_store states;
    struct sl_function_store functions;
    struct sl_pool *pool; /* own reference; NULL: no help */
    enum sl_engine engine;
    int64_t timeout_ms;
    atomic_ullong next_step;
    struct sl_device_set devices; /* the first is where feeds and fetches live */
    bool is_soft_placement, logs_placement, places_by_cost;
    bool keep_functional;      /* If, Case and While are not lowered */
    unsigned optimise_toggles; /* enum sl_toggle */
    struct sl_trace *trace;    /* SLUICE_TRACE; NULL: off */
};

/* ---- session.c: what a step needs beside its program. Freed by sl_session_end_env, also after a failure. */
sl_code sl_session_begin_env(struct sl_step_env *env, struct sl_session *s, const struct sl_pb_RunOptions *options,
                             struct sl_error *err);
void sl_session_end_env(struct sl_step_env *env);
/* Counts a run; CANCELLED when the session is closed. Each success needs its sl_session_leave. */
sl_code sl_session_enter(struct sl_session *s, struct sl_error *err);
void sl_session_leave(struct sl_session *s);

/* ---- partial_run.c: ends a partial run whose session goes; its handle stays and answers with errors. */
void sl_partial_run_detach(struct sl_partial_run *partial);

/* ---- pipeline.c: the arrows of the architecture, one call each */
/* A program for the feeds, fetches and targets of `run`. A partial run has the token form and stays in one piece, whatever its devices. */
sl_code sl_pipeline_run(struct sl_program **out, struct sl_session *s, const struct sl_run *run, bool is_partial,
                        struct sl_error *err);
/* The same without a program (run_plan.h): prune, lower, place and, with `is_cut`, optimise, partition. `plan` is there for clearing after a failure
 * as well. */
struct sl_run_plan;
sl_code sl_pipeline_plan(struct sl_run_plan *plan, struct sl_session *s, const struct sl_run *run, bool is_cut,
                         struct sl_error *err);
/* `device`: where the body's nodes go that ask for none; in the session's set. */
sl_code sl_pipeline_function(struct sl_program **out, struct sl_session *s, struct sl_body *body, int device,
                             struct sl_error *err);

#endif
