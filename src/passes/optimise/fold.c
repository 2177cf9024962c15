/* Folding by running the node's own kernel, on the values of constants; what it gives is bit for bit what a run
 * would have computed. */
#include "passes/optimise/fold.h"

#include "kernel/numerics.h"

enum { MOST_INPUTS = 64, MOST_OUTPUTS = 64 };
static const size_t most_input_bytes = 16 << 20, most_small_output = 100 << 10, most_unsized_input = 16 << 10;

static bool has_constant_inputs(const struct sl_node *n) {
    for (int i = 0; i < n->n_inputs; i++)
        if (!n->inputs[i].node || n->inputs[i].node->op->index != SL_ROW_Const || n->in_types[i] == SL_STRING)
            return false;
    return n->n_inputs > 0;
}

static bool may_fold(const struct sl_node *n) {
    if (!has_constant_inputs(n) || !sl_rewrite_is_pure(n) || n->n_inputs > MOST_INPUTS) return false;
    if (n->n_outputs == 0 || n->n_outputs > MOST_OUTPUTS) return false;
    for (int o = 0; o < n->n_outputs; o++)
        if (!sl_dtype_is_plain(n->out_types[o])) return false;
    return true;
}

/* Sizes are looked at before anything is computed: a Fill may ask for any amount. */
static bool outputs_are_small(struct sl_rewrite *r, struct sl_node *n, size_t input_bytes) {
    size_t most = input_bytes > most_small_output ? input_bytes : most_small_output;
    for (int o = 0; o < n->n_outputs; o++) {
        struct sl_shape shape = sl_rewrite_shape(r, (struct sl_port){n, o});
        int64_t count;
        if (!sl_shape_is_known(shape)) {
            if (input_bytes > most_unsized_input) return false;
            continue;
        }
        if (sl_shape_count(&count, shape, NULL) || (uint64_t)count > most / sl_dtype_size(n->out_types[o]))
            return false;
    }
    return true;
}

static bool replace_outputs(struct sl_rewrite *r, struct sl_node *n, struct sl_tensor *const *outs) {
    bool replaced = false;
    for (int o = 0; o < n->n_outputs; o++) {
        bool is_used = o == 0 && n->n_outputs == 1;
        for (uint32_t u = 0; u < n->uses.n && !is_used; u++) is_used = n->uses.items[u].index == o;
        if (!is_used || !outs[o] || outs[o]->dtype != n->out_types[o]) continue;
        struct sl_port value = sl_rewrite_emit_constant(r, n, outs[o]);
        if (value.node)
            replaced |= n->n_outputs == 1 ? sl_rewrite_replace(r, n, value) : sl_rewrite_replace_output(r, n, o, value);
    }
    return replaced;
}

/* A step whose numbers are watched has to see who makes what is not. */
static bool are_finite(struct sl_tensor *const *outs, int n) {
    for (int o = 0; o < n; o++)
        if (outs[o] && !sl_tensor_is_finite(outs[o])) return false;
    return true;
}

bool sl_fold_node(struct sl_rewrite *r, struct sl_node *n) {
    const struct sl_tensor *in[MOST_INPUTS];
    struct sl_tensor *outs[MOST_OUTPUTS] = {NULL};
    const struct sl_evaluator *evaluator = &r->options->evaluator;
    size_t bytes = 0;
    if (!evaluator->evaluate || !n->uses.n || !may_fold(n)) return false;
    for (int i = 0; i < n->n_inputs; i++) {
        in[i] = sl_rewrite_large_constant(r, n->inputs[i]);
        if (!in[i] || (bytes += in[i]->bytes) > most_input_bytes) return false;
    }
    if (!outputs_are_small(r, n, bytes)) return false;
    if (evaluator->evaluate(outs, evaluator->arg, n, in, NULL) != SL_OK) return false;
    bool replaced =
        ((r->options->toggles & SL_TOGGLE_INFINITE) || are_finite(outs, n->n_outputs)) && replace_outputs(r, n, outs);
    for (int o = 0; o < n->n_outputs; o++) sl_tensor_unref(outs[o]);
    return replaced;
}
