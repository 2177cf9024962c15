/* Shape functions of activations, losses, top-k, CTC, recurrent cells. */
#include <inttypes.h>
#include <math.h>

#include "ops/shape_functions.h"

/* ---- at least a vector, and it stays */
sl_code sl_shape_softmax(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_with_rank_at_least(&s, c, sl_infer_in(c, 0), 1));
    return sl_infer_set(c, 0, s);
}

/* ---- bias */
static sl_code read_depth_at(int *at, struct sl_shape_ctx *c, bool has_format) {
    struct sl_str format = SL_STR("NHWC");
    if (has_format) SL_TRY(sl_infer_string(&format, c, "data_format"));
    *at = sl_str_is(format, "NCHW") ? 1 : -1;
    return SL_OK;
}

static sl_code bias_add(struct sl_shape_ctx *c, bool has_format) {
    struct sl_shape in, bias;
    int at;
    int64_t depth;
    SL_TRY(read_depth_at(&at, c, has_format));
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), at == 1 ? 3 : 2));
    SL_TRY(sl_infer_with_rank(&bias, c, sl_infer_in(c, 1), 1));
    if (in.rank < 0) return SL_OK;
    SL_TRY(sl_infer_merge_dim(&depth, c, sl_infer_dim(in, at), bias.dims[0]));
    SL_TRY(sl_infer_replace_dim(&in, c, in, at, depth));
    return sl_infer_set(c, 0, in);
}

sl_code sl_shape_bias_add(struct sl_shape_ctx *c) { return bias_add(c, true); }
sl_code sl_shape_bias_add_v1(struct sl_shape_ctx *c) { return bias_add(c, false); }

sl_code sl_shape_bias_add_grad(struct sl_shape_ctx *c) {
    struct sl_shape in;
    int at;
    SL_TRY(read_depth_at(&at, c, true));
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), at == 1 ? 3 : 2));
    return sl_infer_set_dims(c, 0, 1, (int64_t[]){sl_infer_dim(in, at)});
}

/* ---- losses */
sl_code sl_shape_softmax_cross_entropy(struct sl_shape_ctx *c) {
    struct sl_shape all;
    struct sl_shape features = sl_infer_in(c, 0), labels = sl_infer_in(c, 1);
    if ((features.rank < 0 || features.rank == 2) && (labels.rank < 0 || labels.rank == 2) &&
        sl_shape_is_compatible(features, labels)) {
        SL_TRY(sl_infer_merge(&all, c, features, labels));
        SL_TRY(sl_infer_with_rank(&all, c, all, 2));
    } else {
        SL_TRY(sl_infer_broadcast(&all, c, features, labels));
    }
    if (all.rank < 0) return sl_infer_fail(c, "Shape must be broadcasted with rank 2, but is rank is unknown.");
    if (all.rank != 2) return sl_infer_fail(c, "Shape must be broadcasted with rank 2, but is rank %d", all.rank);
    SL_TRY(sl_infer_set_dims(c, 0, 1, all.dims));
    return sl_infer_set(c, 1, all);
}

SL_SHAPE_RULE(sparse_softmax_cross_entropy, "[b,n] [b] -> [b] [b,n]")
SL_SHAPE_RULE(isotonic_regression, "x -> x x")
SL_SHAPE_RULE(in_top_k, "[b,n] [b] -> [b]")
SL_SHAPE_RULE(in_top_k_v2, "[b,n] [b] * -> [b]")
SL_SHAPE_RULE(ctc_loss, "[t,b,n] [v,?] [v] [b] -> [b] [t,b,n]")
SL_SHAPE_RULE(ctc_greedy_decoder, "[t,b,n] [b] -> [?,2] [?] [2] [b,1]")
SL_SHAPE_RULE(ctc_beam_search_decoder, "[t,b,n] [b] -> [?,2]+ [?]+ [2]+ [b,@top_paths]")

/* ---- largest elements */
static sl_code with_last(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape in, int64_t last) {
    SL_TRY(sl_infer_subshape(out, c, in, 0, -1));
    return sl_infer_concat(out, c, *out, (struct sl_shape){1, &last});
}

static sl_code top_k(struct sl_shape_ctx *c, int64_t k) {
    struct sl_shape in, out;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 1));
    int64_t last = sl_infer_dim(in, -1);
    if (last >= 0 && k >= 0 && last < k)
        return sl_infer_fail(c, "input must have last dimension >= k = %" PRId64 " but is %" PRId64, k, last);
    if (in.rank < 0) return SL_OK;
    SL_TRY(with_last(&out, c, in, k));
    SL_TRY(sl_infer_set(c, 0, out));
    return sl_infer_set(c, 1, out);
}

sl_code sl_shape_top_k(struct sl_shape_ctx *c) {
    int64_t k;
    SL_TRY(sl_infer_int(&k, c, "k"));
    if (k < 0) return sl_infer_fail(c, "Need k >= 0, got %" PRId64, k);
    return top_k(c, k);
}

sl_code sl_shape_top_k_v2(struct sl_shape_ctx *c) {
    int64_t k;
    SL_TRY(sl_infer_scalar_dim(&k, c, 1));
    return top_k(c, k);
}

/* What is left along an axis of `size` when results are folded until the recall is just good enough for an axis of
 * `whole`: tiles of 128 (1024 for vectors), folded together a power of two times. */
static int64_t approximate_size(int64_t size, int64_t whole, int rank, int64_t k, double recall) {
    int64_t tile = rank == 1 ? 1024 : 128, tiles = size / tile + (size % tile != 0);
    if (size <= tile || !(recall > 0 && recall < 1)) return size;
    if (k == 1) return tile;
    double least = (1.0 - (double)k) / log(recall);
    if (!(least > (double)tile)) least = (double)tile;
    if ((double)whole < 2 * least) return size;
    int64_t unit = (int64_t)1 << (int)log2((double)whole / least);
    return (tiles / unit + (tiles % unit != 0)) * tile;
}

sl_code sl_shape_approx_top_k(struct sl_shape_ctx *c) {
    struct sl_shape in = sl_infer_in(c, 0), out;
    int64_t k, axis, override, size;
    float recall;
    bool is_aggregated;
    SL_TRY(sl_infer_int(&k, c, "k"));
    SL_TRY(sl_infer_int(&axis, c, "reduction_dimension"));
    SL_TRY(sl_infer_int(&override, c, "reduction_input_size_override"));
    SL_TRY(sl_infer_float(&recall, c, "recall_target"));
    SL_TRY(sl_infer_bool(&is_aggregated, c, "aggregate_to_topk"));
    if (in.rank < 0 || axis < -in.rank || axis >= in.rank)
        return sl_infer_fail(c, "Invalid reduction dimension: %" PRId64 ". Must be within the range of [%d, %d]", axis,
                             -in.rank, in.rank - 1);
    size = sl_infer_dim(in, (int)axis);
    if (size < k) /* an unknown size is too small too */
        return sl_infer_fail(c, "input must have last dimension >= k = %" PRId64 " but was %" PRId64, k, size);
    if (recall <= 0 || recall > 1)
        return sl_infer_fail(c, "Invalid recall target: %g. Valid value range in : [0, 1.0].", (double)recall);
    if (is_aggregated) size = k;
    else if (size >= 0) size = approximate_size(size, override >= 0 ? override : size, in.rank, k, (double)recall);
    SL_TRY(sl_infer_replace_dim(&out, c, in, (int)axis, size));
    SL_TRY(sl_infer_set(c, 0, out));
    return sl_infer_set(c, 1, out);
}

sl_code sl_shape_nth_element(struct sl_shape_ctx *c) {
    struct sl_shape in, out;
    int64_t n;
    SL_TRY(sl_infer_with_rank_at_least(&in, c, sl_infer_in(c, 0), 1));
    SL_TRY(sl_infer_scalar_dim(&n, c, 1));
    int64_t last = sl_infer_dim(in, -1);
    if (last >= 0 && n >= 0 && last <= n)
        return sl_infer_fail(c, "Input must have last dimension > n = %" PRId64 " but is %" PRId64, n, last);
    SL_TRY(sl_infer_subshape(&out, c, in, 0, -1));
    return sl_infer_set(c, 0, out);
}

/* ---- recurrent cells: a batch of b, cells of n; whole sequences have time in front */
sl_code sl_shape_block_lstm(struct sl_shape_ctx *c) {
    struct sl_shape x, bias;
    int64_t cell;
    SL_TRY(sl_infer_with_rank(&x, c, sl_infer_in(c, 1), 3));
    SL_TRY(sl_infer_with_rank(&bias, c, sl_infer_in(c, c->n_in - 1), 1));
    SL_TRY(sl_infer_divide(&cell, c, bias.dims[0], 4, true));
    for (int o = 0; o < c->n_out; o++) SL_TRY(sl_infer_set_dims(c, o, 3, (int64_t[]){x.dims[0], x.dims[1], cell}));
    return SL_OK;
}

/* Gradients are like what they are of: x, the first states, weights, peepholes, bias. */
SL_SHAPE_RULE(block_lstm_grad, "* [t,b,i] [c,d] [e,f] [g,h] [j] [k] [l] [m] * * * * * * * * * -> "
                               "[t,b,i] [c,d] [e,f] [g,h] [j] [k] [l] [m]")
SL_SHAPE_RULE(lstm_block_cell, "[b,i] [c,n] * * * * * * -> [b,n] [b,n] [b,n] [b,n] [b,n] [b,n] [b,n]")
SL_SHAPE_RULE(gru_block_cell, "[b,i] [c,n] * * * * -> [b,n] [b,n] [b,n] [b,n]")
SL_SHAPE_RULE(gru_block_cell_grad, "[b,i] [c,n] [d,m] * * * * * * * -> [b,i] [b,n] [b,n] [b,m]")

sl_code sl_shape_lstm_block_cell_grad(struct sl_shape_ctx *c) {
    struct sl_shape x, state;
    int64_t gates;
    SL_TRY(sl_infer_with_rank(&x, c, sl_infer_in(c, 0), 2));
    SL_TRY(sl_infer_with_rank(&state, c, sl_infer_in(c, 1), 2));
    int64_t batch = x.dims[0], cell = state.dims[1];
    SL_TRY(sl_infer_multiply(&gates, c, cell, 4));
    SL_TRY(sl_infer_set_dims(c, 0, 2, (int64_t[]){batch, cell}));
    SL_TRY(sl_infer_set_dims(c, 1, 2, (int64_t[]){batch, gates}));
    for (int o = 2; o < 5; o++) SL_TRY(sl_infer_set_dims(c, o, 1, &cell));
    return SL_OK;
}
