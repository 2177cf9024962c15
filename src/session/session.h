/* Sessions: running parts of a graph. The pipeline (pipeline.c) turns a signature (feeds, fetches, targets) into a program once; a run
 * looks the program up and takes a step.
 *
 * Threads: a session is thread-safe; any number of runs at once. The graph must not change while sl_session_extend reads it: the C API
 * holds the graph's mutex around it. */
#ifndef SL_SESSION_SESSION_H
#define SL_SESSION_SESSION_H

#include "graph/graph.h"
#include "kernel/table.h"
#include "tensor/tensor.h"

struct sl_session;
struct sl_partial_run;

/* What the composition root knows: ops and kernels. Lives as long as every session. */
struct sl_runtime {
    struct sl_op_registry *ops;
    struct sl_kernel_table *kernels;
    const struct sl_kernel_def *call_by_name; /* for nodes whose op is a function of the library; may be NULL */
    /* The body of the gradient of a function, for SymbolicGradient; may be NULL. As sl_function_gradient. */
    sl_code (*function_gradient)(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                                 const struct sl_graph *library, struct sl_error *err);
};

struct sl_session_options {
    const struct sl_pb_ConfigProto *config; /* may be NULL; borrowed while the session is made */
    struct sl_str target;                   /* "" or "local" */
    bool places_by_cost; /* nodes that ask for no device go where a simulation of the step finishes them first */
};

sl_code sl_session_new(struct sl_session **out, struct sl_runtime *runtime, const struct sl_session_options *options,
                       struct sl_error *err);
/* No further runs: they fail with CANCELLED "Session has been closed."; running ones are cancelled. */
sl_code sl_session_close(struct sl_session *s, struct sl_error *err);
void sl_session_free(struct sl_session *s); /* closes, waits for runs, frees */

/* Takes over the nodes and functions that `graph` has gained since the last call. The session keeps pointers to nodes: the graph must
 * outlive the session, and nodes that were seen must not change (FAILED_PRECONDITION is the C API's business). */
sl_code sl_session_extend(struct sl_session *s, struct sl_graph *graph, struct sl_error *err);

/* Runs one step. Feeds are borrowed (the step takes references of its own); every fetched tensor is a new reference of the caller's; all NULL
 * after a failure. `options` may be NULL; `metadata`, when not NULL, receives an encoded RunMetadata (sl_malloc'ed). */
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
sl_code sl_session_run(struct sl_session *s, const struct sl_run *run, struct sl_error *err);

/* Partial runs: one step whose feeds come bit by bit. `all` names every feed, fetch and target that there will be; it has no tensors. */
sl_code sl_session_prun_setup(struct sl_partial_run **out, struct sl_session *s, const struct sl_run *all,
                              struct sl_error *err);
sl_code sl_session_prun(struct sl_session *s, struct sl_partial_run *partial, const struct sl_run *run,
                        struct sl_error *err);
void sl_partial_run_free(struct sl_partial_run *partial); /* cancels what is not finished */

/* Devices, for TF_SessionListDevices: `i` from 0; false at the end. Strings are the session's. */
bool sl_session_device(const char **name, const char **type, int64_t *memory, uint64_t *incarnation,
                       const struct sl_session *s, int i);
/* Drops the resources of containers ("" : the default one); TF_ResetContainer-like. */
void sl_session_reset(struct sl_session *s, struct sl_str container);

#endif
