/* Where SLUICE_FPMATH asks for int8: a convolution by a constant filter whose image FakeQuantWithMinMaxArgs rounds to 8
 * bits takes the image as it was before, and knows the range. Its kernel multiplies bytes when the filter is on a grid,
 * too (backends/cpu/product/fake_quant_conv.h). The rounding itself goes when nobody else reads it. */
#include <string.h>

#include "base/env.h"
#include "passes/optimise/rewrite.h"

enum { MOST_INPUTS = 8 };

static struct sl_node *rounding_of(const struct sl_node *n) {
    if (n->op->index != SL_ROW_Conv2D && n->op->index != SL_ROW__FusedConv2D) return NULL;
    if (n->n_inputs < 2 || n->n_inputs > MOST_INPUTS || n->in_types[0] != SL_FLOAT) return NULL;
    struct sl_node *from = n->inputs[0].node, *filter = n->inputs[1].node;
    if (!from || from->op->index != SL_ROW_FakeQuantWithMinMaxArgs || !filter || filter->op->index != SL_ROW_Const)
        return NULL;
    return sl_rewrite_attr_is(from, "num_bits", 8) && from->n_controls == 0 ? from : NULL;
}

static bool fold(struct sl_rewrite *r, struct sl_node *n, const struct sl_node *from) {
    struct sl_port in[MOST_INPUTS];
    struct sl_attr attrs[4] = {sl_rewrite_attr_of(from, "min", "_image_min"),
                               sl_rewrite_attr_of(from, "max", "_image_max"),
                               sl_rewrite_attr_of(from, "narrow_range", "_image_is_narrow")};
    int n_attrs = 3;
    if (sl_attr_find(&n->attrs, SL_STR("_side_is_first")))
        attrs[n_attrs++] = sl_rewrite_attr_of(n, "_side_is_first", "_side_is_first");
    memcpy(in, n->inputs, (size_t)n->n_inputs * sizeof *in);
    in[0] = from->inputs[0];
    return sl_rewrite_become(r, n, n->op->index, in, n->n_inputs, attrs, n_attrs);
}

static sl_code fold_all(struct sl_rewrite *r, bool *any) {
    struct sl_node **order;
    size_t n = 0;
    SL_TRY(sl_graph_order(&order, &n, r->graph, &r->scratch, r->err));
    for (size_t i = 0; i < n; i++) sl_rewrite_note(r, order[i]);
    for (size_t i = n; i-- > 0 && r->code == SL_OK;) {
        struct sl_node *from = rounding_of(order[i]);
        if (from) *any |= fold(r, order[i], from);
    }
    return r->code;
}

sl_code sl_pass_fold_fake_quant(struct sl_graph *graph, const struct sl_optimise_options *options,
                                struct sl_error *err) {
    const char *wish = sl_env_text(SL_ENV_FPMATH);
    bool has_any = false, any = false;
    struct sl_rewrite r;
    if (!wish || !strstr(wish, "int8") || !(options->toggles & SL_TOGGLE_REMAPPING)) return SL_OK;
    SL_GRAPH_EACH(n, graph) has_any = has_any || rounding_of(n);
    if (!has_any) return SL_OK;
    sl_code code = sl_rewrite_init(&r, graph, options, err);
    if (code == SL_OK) code = fold_all(&r, &any);
    sl_rewrite_clear(&r);
    return code == SL_OK && any ? sl_pass_sweep(graph, options, err) : code;
}
