/* Parameters of random laws: broadcasting, and conversion to and from double. Called by the random kernels. */
#include "backends/cpu/random/random_parameters.h"

#include <math.h>

#include "backends/cpu/isa/float16.inc"

double sl_number_get(struct sl_view v, int64_t i) {
    switch (v.dtype) {
    case SL_DOUBLE: return ((const double *)v.data)[i];
    case SL_FLOAT: return (double)((const float *)v.data)[i];
    case SL_HALF: return (double)float_of_half(((const uint16_t *)v.data)[i]);
    case SL_BFLOAT16: return (double)float_of_bfloat16(((const uint16_t *)v.data)[i]);
    case SL_INT32: return (double)((const int32_t *)v.data)[i];
    default: return (double)((const int64_t *)v.data)[i];
    }
}

void sl_number_set(struct sl_view v, int64_t i, double x) {
    switch (v.dtype) {
    case SL_DOUBLE: ((double *)v.data)[i] = x; break;
    case SL_FLOAT: ((float *)v.data)[i] = (float)x; break;
    case SL_HALF: ((uint16_t *)v.data)[i] = half_of_float((float)x); break;
    case SL_BFLOAT16: ((uint16_t *)v.data)[i] = bfloat16_of_float((float)x); break;
    case SL_INT32: ((int32_t *)v.data)[i] = fabs(x) < 0x1p31 ? (int32_t)x : 0; break;
    default: ((int64_t *)v.data)[i] = fabs(x) < 0x1p63 ? (int64_t)x : 0; break;
    }
}

/* `shape` (dims in `dims`) becomes what it and `other` broadcast to. */
static bool broadcast(struct sl_shape *shape, int64_t dims[SL_MAX_RANK], struct sl_shape other) {
    int rank = shape->rank > other.rank ? shape->rank : other.rank;
    for (int d = rank - 1; d >= 0; d--) {
        int a = d - (rank - shape->rank), b = d - (rank - other.rank);
        int64_t x = a >= 0 ? dims[a] : 1, y = b >= 0 ? other.dims[b] : 1;
        if (x != y && x != 1 && y != 1) return false;
        dims[d] = x == 1 ? y : x;
    }
    *shape = (struct sl_shape){rank, dims};
    return true;
}

sl_code sl_parameters_read(struct sl_parameters *out, struct sl_kernel_context *k, int first, int n) {
    out->n = n;
    out->shape = (struct sl_shape){0, out->dims};
    for (int i = 0; i < n; i++) {
        out->in[i] = sl_in(k, first + i);
        if (!broadcast(&out->shape, out->dims, sl_view_shape(out->in[i])))
            return sl_invalid(
                k, "Shapes of the parameters do not broadcast to each other: input %d does not fit those before it",
                first + i);
    }
    return sl_shape_count(&out->count, out->shape, k->err);
}

double sl_parameter(const struct sl_parameters *p, int which, int64_t at) {
    struct sl_view v = p->in[which];
    if (v.count == p->count) return sl_number_get(v, at);
    int64_t index = 0, stride = 1;
    for (int d = p->shape.rank - 1, e = v.rank - 1; e >= 0; d--, e--) {
        if (v.dims[e] != 1) index += at % p->dims[d] * stride;
        stride *= v.dims[e];
        at /= p->dims[d];
    }
    return sl_number_get(v, index);
}

sl_code sl_parameters_output(struct sl_view *out, struct sl_kernel_context *k, const struct sl_parameters *p,
                             int shape_at) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    SL_TRY(sl_in_shape(&shape, dims, k, shape_at, "shape"));
    bool fits = shape.rank >= p->shape.rank;
    for (int d = 0; d < p->shape.rank && fits; d++) fits = dims[shape.rank - p->shape.rank + d] == p->dims[d];
    if (!fits) return sl_invalid(k, "Shape passed in must end with broadcasted shape.");
    return sl_out_new(out, k, 0, shape);
}
