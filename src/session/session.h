/* Sessions: running parts of a graph. What runs them is a target: this process, and whatever else the composition
 * root lists. Here is what every session can do; local_session.h is the one of this process.
 *
 * Threads: a session is thread-safe; any number of runs at once. The graph must not change while sl_session_extend
 * reads it: the C API holds the graph's mutex around it. */
#ifndef SL_SESSION_SESSION_H
#define SL_SESSION_SESSION_H

#include "graph/graph.h"
#include "runtime/registries.h"
#include "tensor/tensor.h"

struct sl_session;
struct sl_run_plan;
struct sl_wait_listener; /* kernel/cancellation.h */

struct sl_session_options {
    const struct sl_pb_ConfigProto *config; /* may be NULL; borrowed while the session is made */
    struct sl_str target;                   /* who runs it; see struct sl_target */
    size_t step_memory;  /* what the tensors that a step makes may hold; 0: as the environment says */
    unsigned watch;      /* enum sl_numerics; 0: as the environment says */
    bool places_by_cost; /* nodes that ask for no device go where a simulation of the step finishes them first */
};

/* ---- targets */

/* Who runs sessions. The composition root has an array of these, up to the one without a factory. */
struct sl_target {
    const char *factory; /* its name in messages, as TensorFlow calls it: "DIRECT_SESSION" */
    bool (*accepts)(struct sl_str target);
    sl_code (*open)(struct sl_session **out, const struct sl_registries *registries,
                    const struct sl_session_options *options, struct sl_error *err);
};

/* A session of the first target that accepts `options->target`; NOT_FOUND "No session factory registered for the
 * given session options ..." when none does. The registries outlive it. `options` may be NULL. */
sl_code sl_session_new(struct sl_session **out, const struct sl_target *targets, const struct sl_registries *registries,
                       const struct sl_session_options *options, struct sl_error *err);

/* ---- runs */

/* One step. Feeds are borrowed (the step takes references of its own); every fetched tensor is a new reference of
 * the caller's; all NULL after a failure. `options` may be NULL; `metadata`, when not NULL, receives an encoded
 * RunMetadata (sl_malloc'ed), of no bytes when the options ask for nothing. */
struct sl_run {
    const struct sl_port *feeds;
    struct sl_tensor *const *feed_tensors;
    int n_feeds;
    const struct sl_port *fetches;
    struct sl_tensor **fetch_tensors;
    int n_fetches;
    struct sl_node *const *targets;
    int n_targets;
    const struct sl_pb_RunOptions *options;
    struct sl_str *metadata;
};

/* One step whose feeds come bit by bit. What a session makes begins with this. */
struct sl_partial_run {
    void (*free)(struct sl_partial_run *partial); /* cancels what is not finished; also after its session is gone */
};

/* ---- what a session can do. The functions below call these. */
struct sl_session_methods {
    void (*free)(struct sl_session *s);
    sl_code (*close)(struct sl_session *s, struct sl_error *err);
    sl_code (*extend)(struct sl_session *s, struct sl_graph *graph, struct sl_error *err);
    sl_code (*run)(struct sl_session *s, const struct sl_run *run, struct sl_error *err);
    sl_code (*prun_setup)(struct sl_partial_run **out, struct sl_session *s, const struct sl_run *all,
                          struct sl_error *err);
    sl_code (*prun)(struct sl_session *s, struct sl_partial_run *partial, const struct sl_run *run,
                    struct sl_error *err);
    sl_code (*plan)(struct sl_run_plan *out, struct sl_session *s, const struct sl_run *run, bool is_cut,
                    struct sl_error *err);
    bool (*device)(const char **name, const char **type, int64_t *memory, uint64_t *incarnation,
                   const struct sl_session *s, int i);
    void (*reset)(struct sl_session *s, struct sl_str container);
    /* Says what its steps wait for, now. */
    void (*tell)(struct sl_session *s, struct sl_wait_listener *to);
};
/* What a target makes begins with this. */
struct sl_session {
    const struct sl_session_methods *methods;
};

/* No further runs: they fail with CANCELLED "Session has been closed."; running ones are cancelled. */
static inline sl_code sl_session_close(struct sl_session *s, struct sl_error *err) { return s->methods->close(s, err); }
/* Closes, waits for runs, frees. NULL is fine. */
static inline void sl_session_free(struct sl_session *s) {
    if (s) s->methods->free(s);
}

/* Takes over the nodes and functions that `graph` has gained since the last call. The session keeps pointers to
 * nodes: the graph must outlive the session, and nodes that were seen must not change (FAILED_PRECONDITION is the C
 * API's business). */
static inline sl_code sl_session_extend(struct sl_session *s, struct sl_graph *graph, struct sl_error *err) {
    return s->methods->extend(s, graph, err);
}

static inline sl_code sl_session_run(struct sl_session *s, const struct sl_run *run, struct sl_error *err) {
    return s->methods->run(s, run, err);
}

/* Partial runs. `all` names every feed, fetch and target that there will be; it has no tensors. */
static inline sl_code sl_session_prun_setup(struct sl_partial_run **out, struct sl_session *s, const struct sl_run *all,
                                            struct sl_error *err) {
    return s->methods->prun_setup(out, s, all, err);
}
static inline sl_code sl_session_prun(struct sl_session *s, struct sl_partial_run *partial, const struct sl_run *run,
                                      struct sl_error *err) {
    return s->methods->prun(s, partial, run, err);
}
static inline void sl_partial_run_free(struct sl_partial_run *partial) {
    if (partial) partial->free(partial);
}

/* What `run` would do and where, without running it: see run_plan.h. The graph as it is placed or, with `is_cut`,
 * what runs on each device. `run` needs no values. Errors as of a run, but kernels may be missing. */
static inline sl_code sl_session_plan(struct sl_run_plan *out, struct sl_session *s, const struct sl_run *run,
                                      bool is_cut, struct sl_error *err) {
    return s->methods->plan(out, s, run, is_cut, err);
}

/* Devices, for TF_SessionListDevices: `i` from 0; false at the end. Strings are the session's. */
static inline bool sl_session_device(const char **name, const char **type, int64_t *memory, uint64_t *incarnation,
                                     const struct sl_session *s, int i) {
    return s->methods->device(name, type, memory, incarnation, s, i);
}
/* Drops the resources of containers ("" : the default one, p NULL: all of them); TF_ResetContainer-like. */
static inline void sl_session_reset(struct sl_session *s, struct sl_str container) { s->methods->reset(s, container); }

#endif
