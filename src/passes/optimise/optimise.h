/* The passes that make a placed graph cheaper to run and change no value, as passes.def lists them. Called by the
 * pipeline.
 *
 * The graph must be the run's own: `_Arg` for what is fed, `_Retval` for what is fetched. `_Arg` and `_Retval`
 * nodes, stateful nodes that may run, the nodes of `keep` and those that nothing reads at the start stay; every
 * other node may go. */
#ifndef SL_PASSES_OPTIMISE_H
#define SL_PASSES_OPTIMISE_H

#include "device/device.h"
#include "graph/graph.h"
#include "kernel/table.h"

/* What may be switched off, each by the toggle of RewriterConfig that has its name. */
enum sl_toggle {
    SL_TOGGLE_CONSTANT_FOLDING = 1,
    SL_TOGGLE_ARITHMETIC = 2,
    SL_TOGGLE_SHAPE = 4,
    SL_TOGGLE_DEPENDENCY = 8,
    SL_TOGGLE_LOOP = 16,
    SL_TOGGLE_COMMON = 32,
    SL_TOGGLE_REMAPPING = 64,
    SL_TOGGLE_INFINITE = 128, /* folding to what is not finite; none of RewriterConfig, as the next */
    SL_TOGGLE_UNSEEN = 256,   /* one node for several, which have no tensors in between and cannot be run one by one */
    SL_TOGGLE_ALL = 511
};

struct sl_optimise_options {
    struct sl_evaluator evaluator; /* runs single nodes, for folding */
    struct sl_kernel_table *kernels;
    const struct sl_device_set *devices; /* where nodes may be; NULL: the host's alone */
    /* Borrowed: nodes that must run though nothing reads them (targets); NULL and removed ones are skipped. */
    struct sl_node *const *keep;
    int n_keep;
    unsigned toggles;  /* enum sl_toggle: what is on */
    const char *dumps; /* names of passes whose graph is printed on stderr; NULL: none */
};

/* What a session's configuration switches on; `config` may be NULL. */
unsigned sl_optimise_toggles(const struct sl_pb_ConfigProto *config);
/* Runs all passes. Fails only when memory is out: a rewrite that cannot be done is left out. */
sl_code sl_pass_optimise(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err);

/* The type of the device that a node is on: only nodes that its kernels serve may stand there. */
const struct sl_device_type *sl_optimise_device(const struct sl_optimise_options *options, const struct sl_node *n);

/* Checks the graph that a pass leaves: sl_graph_check in debug builds and with SLUICE_CHECK, else nothing. */
sl_code sl_pass_check(const struct sl_graph *graph, struct sl_error *err);

#define PASS(name, function, what)                                                                                     \
    sl_code function(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err);
#include "passes/passes.def"
#undef PASS

#endif
