/* The session that this process runs: targets "" and "local". Over a runtime of its own it keeps what was compiled
 * for runs, and partial runs.
 *
 * Threads: as in session.h. Runs take no lock: they count themselves in, and look programs up in lists that only
 * grow at their heads. */
#ifndef SL_SESSION_LOCAL_SESSION_H
#define SL_SESSION_LOCAL_SESSION_H

#include <stdatomic.h>

#include "runtime/pipeline.h"
#include "session/session.h"
#include "session/wait_chain.h"

/* A row of the composition root's targets. */
bool sl_local_session_accepts(struct sl_str target);
sl_code sl_local_session_new(struct sl_session **out, const struct sl_registries *registries,
                             const struct sl_session_options *options, struct sl_error *err);

/* ---- what the files of this room share */

/* A signature (what is fed, fetched, run) and its program. */
struct sl_executable {
    struct sl_executable *next; /* in its bucket */
    uint64_t hash;
    int n_feeds, n_fetches, n_targets;
    struct sl_port *ports; /* feeds, then fetches */
    struct sl_node **targets;
    struct sl_program *program;
    atomic_llong n_runs; /* ever; only of sessions that tell of costs */
};

enum { SL_EXECUTABLE_BUCKETS = 64, SL_SESSION_CLOSED = 1, SL_SESSION_RUN = 2 };

struct sl_local_session {
    struct sl_session base;
    struct sl_runtime *runtime; /* owned */
    struct sl_cancellation *cancellation;
    struct sl_wait_follower follower; /* of its steps, whose subject is a struct sl_run */
    int64_t timeout_ms;               /* of runs that say nothing else */
    /* Every so manieth run of a signature, after so many, tells what it has cost; 0: none. */
    int64_t costs_every, costs_after;
    bool places_pruned; /* a device that is not there is an error for what runs alone */
    /* SL_SESSION_CLOSED, and SL_SESSION_RUN for each run: one word, so that no run slips past a close */
    atomic_uint runs;
    _Atomic(struct sl_executable *) executables[SL_EXECUTABLE_BUCKETS];
    struct sl_mutex mutex; /* guards the members below, and additions to `executables` */
    struct sl_condition idle;
    struct sl_library_seen seen;
    struct sl_wait_partners partners;      /* of the nodes seen */
    struct sl_local_partial *partial_runs; /* whose handles the client still has */
    atomic_size_t n_nodes_seen;            /* of the client's graph; read without the mutex */
};

static inline struct sl_local_session *sl_local_session_of(struct sl_session *s) {
    return (struct sl_local_session *)s;
}

/* ---- local_session.c */
/* Counts a run; CANCELLED when the session is closed. Each success needs its sl_local_session_leave. */
sl_code sl_local_session_enter(struct sl_local_session *s, struct sl_error *err);
void sl_local_session_leave(struct sl_local_session *s);
/* The pipeline's front for the feeds, fetches and targets of `run`: one part, since this process is one task. */
sl_code sl_local_session_front(struct sl_front *out, struct sl_local_session *s, const struct sl_run *run,
                               bool is_partial, bool wants_records, struct sl_error *err);
/* Both halves. */
sl_code sl_local_session_compile(struct sl_program **out, struct sl_local_session *s, const struct sl_run *run,
                                 bool is_partial, struct sl_error *err);

/* ---- partial_run.c */
sl_code sl_local_session_prun_setup(struct sl_partial_run **out, struct sl_session *s, const struct sl_run *all,
                                    struct sl_error *err);
sl_code sl_local_session_prun(struct sl_session *s, struct sl_partial_run *partial, const struct sl_run *run,
                              struct sl_error *err);
/* Ends a partial run whose session goes; its handle stays and answers with errors. */
void sl_local_partial_detach(struct sl_local_partial *partial);

/* ---- run_plan.c */
sl_code sl_local_session_plan(struct sl_run_plan *out, struct sl_session *s, const struct sl_run *run, bool is_cut,
                              struct sl_error *err);

#endif
