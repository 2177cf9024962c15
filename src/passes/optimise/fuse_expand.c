/* A 1 x 1 convolution that makes many channels of few, and the depthwise convolution that alone reads it, as one node:
 * mobile nets. Both were fused with what follows them before (fuse.c). What is between, the largest images of such
 * nets, then stays in the cache (backends/cpu/product/depthwise_expand.h). */
#include <string.h>

#include "passes/optimise/rewrite.h"

enum { MOST_INPUTS = 16, N_ATTRS = 6 };

static bool has_list_of_ones(const struct sl_node *n, const char *attr) {
    const int64_t *items;
    int count;
    if (sl_attr_int_list(&items, &count, &n->attrs, attr, NULL)) return false;
    for (int i = 0; i < count; i++)
        if (items[i] != 1) return false;
    return true;
}

/* Of float, channels last, with one filter of 8 bits or 32 alone. */
static bool is_plain(const struct sl_node *n) {
    struct sl_str format;
    return n->out_types[0] == SL_FLOAT && !sl_attr_string(&format, &n->attrs, "data_format", NULL) &&
           sl_str_is(format, "NHWC") && !sl_attr_find(&n->attrs, SL_STR("_image_min")) &&
           !sl_attr_find(&n->attrs, SL_STR("_expand_args"));
}

/* Whether something is added besides a vector for each channel. */
static bool adds(const struct sl_node *n) {
    const struct sl_str *ops;
    int count;
    if (sl_attr_string_list(&ops, &count, &n->attrs, "fused_ops", NULL)) return true;
    for (int i = 0; i < count; i++)
        if (sl_str_is(ops[i], "Add")) return true;
    return false;
}

/* The dims of a constant filter; NULL: it is none. */
static const int64_t *filter_of(struct sl_rewrite *r, const struct sl_node *n) {
    const struct sl_tensor *t = sl_rewrite_large_constant(r, n->inputs[1]);
    return t && t->rank == 4 ? sl_tensor_shape(t).dims : NULL;
}

/* The convolution before a depthwise one, when it may go with it. */
static struct sl_node *find_expansion(struct sl_rewrite *r, const struct sl_node *n) {
    struct sl_node *from = sl_rewrite_producer(n, 0, SL_ROW__FusedConv2D);
    if (!from || n->inputs[0].index != 0 || !is_plain(n) || !is_plain(from) || from->n_controls || adds(from) ||
        from->uses.n != 1 || !sl_rewrite_is_sole(r, from, n) || sl_rewrite_is_kept(r, from) ||
        !sl_str_eq(from->assigned, n->assigned) || sl_optimise_device(r->options, n) != &sl_host_device_type ||
        n->n_inputs + from->n_inputs - 1 > MOST_INPUTS)
        return NULL;
    const int64_t *filter = filter_of(r, from), *depthwise = filter_of(r, n);
    if (!filter || !depthwise || filter[0] != 1 || filter[1] != 1 || filter[3] != depthwise[2] || depthwise[3] != 1)
        return NULL;
    struct sl_str padding;
    if (!has_list_of_ones(from, "strides") || sl_attr_string(&padding, &from->attrs, "padding", NULL) ||
        sl_str_is(padding, "EXPLICIT") || !sl_rewrite_attr_is(from, "num_host_args", 0))
        return NULL;
    return from;
}

static bool fuse(struct sl_rewrite *r, struct sl_node *n, const struct sl_node *from) {
    struct sl_port in[MOST_INPUTS];
    const int own = n->n_inputs, args = from->n_inputs - 1, all = own + args;
    struct sl_attr attrs[N_ATTRS] = {
        sl_rewrite_attr_int(r, "num_args", all - 2),
        sl_rewrite_attr_int(r, "_expand_args", args),
        sl_rewrite_attr_of(from, "fused_ops", "_expand_fused_ops"),
        sl_rewrite_attr_of(from, "epsilon", "_expand_epsilon"),
        sl_rewrite_attr_of(from, "leakyrelu_alpha", "_expand_leakyrelu_alpha"),
    };
    int n_attrs = N_ATTRS - 1;
    if (sl_attr_find(&n->attrs, SL_STR("_side_is_first")))
        attrs[n_attrs++] = sl_rewrite_attr_of(n, "_side_is_first", "_side_is_first");
    memcpy(in, n->inputs, (size_t)own * sizeof *in);
    memcpy(in + own, from->inputs + 1, (size_t)args * sizeof *in);
    in[0] = from->inputs[0];
    return sl_rewrite_become(r, n, n->op->index, in, all, attrs, n_attrs);
}

static sl_code fuse_all(struct sl_rewrite *r, bool *any) {
    struct sl_node **order;
    size_t n = 0;
    SL_TRY(sl_graph_order(&order, &n, r->graph, &r->scratch, r->err));
    for (size_t i = 0; i < n; i++) sl_rewrite_note(r, order[i]);
    for (size_t i = n; i-- > 0 && r->code == SL_OK;) {
        if (order[i]->op->index != SL_ROW__FusedDepthwiseConv2dNative) continue;
        const struct sl_node *from = find_expansion(r, order[i]);
        if (from) *any |= fuse(r, order[i], from);
    }
    return r->code;
}

sl_code sl_pass_fuse_expand(struct sl_graph *graph, const struct sl_optimise_options *options, struct sl_error *err) {
    bool has_any = false, any = false;
    struct sl_rewrite r;
    if (!(options->toggles & SL_TOGGLE_REMAPPING)) return SL_OK;
    SL_GRAPH_EACH(n, graph) has_any = has_any || n->op->index == SL_ROW__FusedDepthwiseConv2dNative;
    if (!has_any) return SL_OK;
    sl_code code = sl_rewrite_init(&r, graph, options, err);
    if (code == SL_OK) code = fuse_all(&r, &any);
    sl_rewrite_clear(&r);
    return code == SL_OK && any ? sl_pass_sweep(graph, options, err) : code;
}
