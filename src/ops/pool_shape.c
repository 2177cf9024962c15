/* Shape functions of pooling. Maxima may also be taken over channels, averages not. */
#include <inttypes.h>

#include "ops/attr.h"
#include "ops/shape_functions.h"
#include "ops/shape_window.h"

static sl_code pool_dims(struct sl_shape_ctx *c, const struct sl_layout *l, const struct sl_shape_window *w,
                         bool over_depth) {
    struct sl_shape in;
    int64_t depth, space[SL_SPACE_MAX];
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), l->rank));
    if (l->is_packed && in.dims[4] != 4 && in.dims[4] != 32)
        return sl_infer_fail(c, "VECT_C dimension must be 4 or 32, but is %" PRId64, in.dims[4]);
    SL_TRY(sl_infer_depth(&depth, c, l, in));
    for (int i = 0; i < l->n; i++) SL_TRY(sl_infer_windows(&space[i], c, w, i, in.dims[l->space + i], w->size[i]));
    if (over_depth) {
        struct sl_shape_window along = {.padding = w->padding, .stride = {w->depth_stride}, .dilation = {1}};
        SL_TRY(sl_infer_windows(&depth, c, &along, 0, depth, w->depth_size));
    }
    return sl_infer_set_layout(c, 0, l, in.dims[0], space, depth);
}

static sl_code pool(struct sl_shape_ctx *c, int n, bool over_depth) {
    struct sl_layout l;
    struct sl_shape_window w;
    SL_TRY(sl_infer_layout(&l, c, n));
    SL_TRY(sl_infer_padding(&w, c, &l));
    SL_TRY(sl_infer_window_list(w.stride, &w.depth_stride, c, &l, "strides"));
    SL_TRY(sl_infer_window_list(w.size, &w.depth_size, c, &l, "ksize"));
    return pool_dims(c, &l, &w, over_depth);
}

sl_code sl_shape_avg_pool(struct sl_shape_ctx *c) { return pool(c, 2, false); }
sl_code sl_shape_max_pool(struct sl_shape_ctx *c) { return pool(c, 2, true); }
sl_code sl_shape_pool3d(struct sl_shape_ctx *c) { return pool(c, 3, false); }

/* Window and strides are the last two inputs. */
sl_code sl_shape_max_pool_v2(struct sl_shape_ctx *c) {
    struct sl_layout l;
    struct sl_shape_window w;
    const int64_t *values[2];
    SL_TRY(sl_infer_layout(&l, c, 2));
    SL_TRY(sl_infer_padding(&w, c, &l));
    bool is_known = true;
    struct sl_shape s;
    SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, 0), l.rank));
    for (int k = 0; k < 2; k++) {
        int64_t n;
        SL_TRY(sl_infer_with_rank(&s, c, sl_infer_in(c, c->n_in - 2 + k), 1));
        SL_TRY(sl_infer_with_value(&n, c, s.dims[0], 4));
        if (!sl_infer_constant_ints(&values[k], &n, c, c->n_in - 2 + k) || n != 4) is_known = false;
    }
    if (!is_known) return SL_OK;
    for (int i = 0; i < 2; i++) {
        w.size[i] = values[0][l.space + i];
        w.stride[i] = values[1][l.space + i];
    }
    w.depth_size = values[0][l.depth];
    w.depth_stride = values[1][l.depth];
    return pool_dims(c, &l, &w, true);
}

/* ---- with positions, second gradients */
sl_code sl_shape_max_pool_with_argmax(struct sl_shape_ctx *c) {
    const int64_t *sizes;
    int n;
    SL_TRY(sl_infer_int_list(&sizes, &n, c, "ksize"));
    for (int i = 0; i < n; i++)
        if (sizes[i] <= 0) return sl_infer_fail(c, "ksize must be a positive int32 value, got:%" PRId64, sizes[i]);
    SL_TRY(pool(c, 2, true));
    return sl_infer_set(c, 1, c->out[0]);
}

static sl_code check_alike(struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b) {
    struct sl_shape merged;
    return sl_infer_merge(&merged, c, a, b);
}

/* Inputs: the pool's input, its output, the gradient of the first; the output is like the pool's. */
static sl_code grad_grad(struct sl_shape_ctx *c, sl_code (*pool_shape)(struct sl_shape_ctx *c)) {
    SL_TRY(pool_shape(c));
    SL_TRY(check_alike(c, sl_infer_in(c, 0), sl_infer_in(c, 2)));
    return check_alike(c, sl_infer_in(c, 1), c->out[0]);
}

sl_code sl_shape_max_pool_grad_grad(struct sl_shape_ctx *c) { return grad_grad(c, sl_shape_max_pool); }
sl_code sl_shape_max_pool_grad_grad_v2(struct sl_shape_ctx *c) { return grad_grad(c, sl_shape_max_pool_v2); }
sl_code sl_shape_pool3d_grad_grad(struct sl_shape_ctx *c) { return grad_grad(c, sl_shape_pool3d); }

sl_code sl_shape_max_pool_grad_grad_with_argmax(struct sl_shape_ctx *c) {
    SL_TRY(sl_shape_max_pool(c));
    SL_TRY(check_alike(c, sl_infer_in(c, 0), sl_infer_in(c, 1)));
    return check_alike(c, sl_infer_in(c, 2), c->out[0]);
}

/* ---- fractional pools */
sl_code sl_shape_fractional_pool(struct sl_shape_ctx *c) {
    struct sl_shape in;
    const float *ratios;
    int n;
    int64_t dims[4];
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 4));
    SL_TRY(sl_attr_float_list(&ratios, &n, c->attrs, "pooling_ratio", c->err));
    if (n != 4) return sl_infer_fail(c, "pooling_ratio field must specify 4 dimensions");
    for (int i = 0; i < 4; i++) {
        dims[i] = -1;
        if (in.dims[i] < 0) continue;
        double size = (double)((float)in.dims[i] / ratios[i]);
        if (!(size > -1 && size < 9e18)) return sl_infer_fail(c, "Size computed for dim %d is negative: %g", i, size);
        dims[i] = (int64_t)size;
    }
    SL_TRY(sl_infer_set_dims(c, 0, 4, dims));
    SL_TRY(sl_infer_set_dims(c, 1, 1, (int64_t[]){dims[1]}));
    return sl_infer_set_dims(c, 2, 1, (int64_t[]){dims[2]});
}

sl_code sl_shape_fractional_avg_pool_grad(struct sl_shape_ctx *c) {
    struct sl_shape out = sl_infer_unknown_of_rank(c, 4);
    if (sl_infer_constant(c, 0)) SL_TRY(sl_infer_shape_of_vector(&out, c, 0));
    return sl_infer_set(c, 0, out);
}
