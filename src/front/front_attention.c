/* Attention with several heads (sluice/layers.h; Vaswani et al. 2017). */
#include <math.h>

#include "front/front.h"
#include "front/front_layers.h"
#include "front/front_options.h"
#include "sluice/layers.h"
#include "sluice/ops.h"

struct attention {
    struct sl_scope *s;
    struct sl_attention_options o;
    int64_t heads;
};

static TF_Output turned(struct sl_scope *s, TF_Output x) {
    return sl_transpose(s, x, sl_int_vector(s, SL_INTS(0, 2, 1, 3)));
}

/* From [batch, positions, features] to [batch, heads, positions, head_size]. */
static TF_Output split_heads(const struct attention *a, const char *name, TF_Output x) {
    TF_Output all = sl_layer_project(a->s, name, x, a->heads * a->o.head_size, !a->o.no_bias);
    TF_Output shape = sl_layer_shape(a->s, sl_layer_sizes(a->s, x, 0, 2), SL_INTS(a->heads, a->o.head_size));
    return turned(a->s, sl_reshape(a->s, all, shape));
}

static TF_Output positions(struct sl_scope *s, TF_Output x) {
    TF_Output n = sl_squeeze(s, sl_layer_sizes(s, x, 1, 1));
    return sl_range(s, sl_scalar(s, TF_INT32, 0), n, sl_scalar(s, TF_INT32, 1));
}

static TF_Output both(struct sl_scope *s, TF_Output a, TF_Output b) { return a.oper ? sl_logical_and(s, a, b) : b; }

/* Which scores count, in a shape that goes with [batch, heads, queries, values]; {NULL, 0}: all. */
static TF_Output mask_of(const struct attention *a, TF_Output query, TF_Output value) {
    struct sl_scope *s = a->s;
    TF_Output mask = a->o.mask, axis = sl_scalar(s, TF_INT32, 1);
    if (mask.oper && sl_rank_of(s, mask) == 3) mask = sl_expand_dims(s, mask, axis);
    if (a->o.lengths.oper) {
        TF_Output n = sl_squeeze(s, sl_layer_sizes(s, value, 1, 1));
        TF_Output within = sl_expand_dims(s, sl_layer_mask(s, a->o.lengths, n), axis);
        mask = both(s, mask, sl_expand_dims(s, within, axis));
    }
    if (a->o.causal) {
        TF_Output at = sl_expand_dims(s, positions(s, query), axis);
        mask = both(s, mask, sl_greater_equal(s, at, positions(s, value)));
    }
    return mask;
}

static TF_Output attend(const struct attention *a, TF_Output query, TF_Output value) {
    struct sl_scope *s = a->s;
    TF_Output q = split_heads(a, "query", query), k = split_heads(a, "key", a->o.key.oper ? a->o.key : value),
              v = split_heads(a, "value", value), mask = mask_of(a, query, value);
    q = sl_mul(s, q, sl_scalar_like(s, q, 1 / sqrt((double)a->o.head_size)));
    TF_Output scores = sl_batch_matmul_v2_with(s, q, k, (struct sl_batch_matmul_v2_attrs){.adj_y = true});
    /* So low that nothing is left of it; a row in which nothing counts is spread evenly. */
    double low = sl_type_of(s, q) == TF_HALF ? -3e4 : -1e9;
    if (mask.oper) scores = sl_select_v2(s, mask, scores, sl_scalar_like(s, scores, low));
    TF_Output shares = sl_softmax(s, scores);
    if (a->o.dropout > 0) shares = sl_layer_dropout(s, shares, a->o.dropout, a->o.is_training);
    TF_Output seen = turned(s, sl_batch_matmul_v2(s, shares, v));
    TF_Output shape = sl_layer_shape(s, sl_layer_sizes(s, query, 0, 2), SL_INTS(a->heads * a->o.head_size));
    return sl_layer_project(s, "output", sl_reshape(s, seen, shape), a->o.units, !a->o.no_bias);
}

SL_API TF_Output sl_layer_attention(struct sl_scope *scope, const char *name, TF_Output query, TF_Output value,
                                    int64_t heads, const struct sl_attention_options *options) {
    struct attention a = {.s = scope, .heads = heads};
    TF_Output y = sl_op_first(NULL);
    if (!sl_scope_ok(scope) || !SL_OPTIONS_TAKE(&a.o, sl_attention_options, is_training, options, scope->status))
        return y;
    int64_t features = sl_layer_last_size(scope, query, "sl_layer_attention");
    if (sl_rank_of(scope, query) != 3 || sl_rank_of(scope, value) != 3)
        sl_scope_fail(scope, TF_INVALID_ARGUMENT, "sl_layer_attention: query and value must have rank 3");
    if (heads < 1 || a.o.head_size < 0 || (!a.o.head_size && features % heads))
        sl_scope_fail(scope, TF_INVALID_ARGUMENT,
                      "sl_layer_attention: the heads must divide the features, or there must be a head_size");
    if (!sl_scope_ok(scope)) return y;
    if (!a.o.head_size) a.o.head_size = features / heads;
    if (!a.o.units) a.o.units = features;
    sl_push_name(scope, name);
    y = attend(&a, query, value);
    sl_pop(scope);
    return sl_scope_ok(scope) ? y : sl_op_first(NULL);
}
