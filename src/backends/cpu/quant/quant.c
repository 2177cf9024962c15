/* The arithmetic of quantised numbers; see quant.h. */
#include "backends/cpu/quant/quant.h"

#include <math.h>

#include "backends/cpu/indices.h"

int64_t sl_quant_lowest(int dtype) {
    switch (dtype) {
    case SL_QINT8: return INT8_MIN;
    case SL_QINT16: return INT16_MIN;
    case SL_QINT32: return INT32_MIN;
    default: return 0;
    }
}

int64_t sl_quant_highest(int dtype) {
    switch (dtype) {
    case SL_QINT8: return INT8_MAX;
    case SL_QUINT8: return UINT8_MAX;
    case SL_QINT16: return INT16_MAX;
    case SL_QUINT16: return UINT16_MAX;
    default: return INT32_MAX;
    }
}

int64_t sl_quant_get(struct sl_view v, int64_t i) {
    switch (v.dtype) {
    case SL_QINT8: return ((const int8_t *)v.data)[i];
    case SL_QUINT8: return ((const uint8_t *)v.data)[i];
    case SL_QINT16: return ((const int16_t *)v.data)[i];
    case SL_QUINT16: return ((const uint16_t *)v.data)[i];
    default: return ((const int32_t *)v.data)[i];
    }
}

void sl_quant_put(struct sl_view v, int64_t i, int64_t q) {
    switch (v.dtype) {
    case SL_QINT8: ((int8_t *)v.data)[i] = (int8_t)q; break;
    case SL_QUINT8: ((uint8_t *)v.data)[i] = (uint8_t)q; break;
    case SL_QINT16: ((int16_t *)v.data)[i] = (int16_t)q; break;
    case SL_QUINT16: ((uint16_t *)v.data)[i] = (uint16_t)q; break;
    default: ((int32_t *)v.data)[i] = (int32_t)q; break;
    }
}

static double steps(int dtype) { return (double)(sl_quant_highest(dtype) - sl_quant_lowest(dtype)); }

/* As whole as it goes, and zero when it is no number. */
static int64_t whole(double x) {
    if (x >= 0x1p62) return INT64_C(1) << 62;
    if (x <= -0x1p62) return -(INT64_C(1) << 62);
    return x == x ? (int64_t)x : 0;
}

float sl_quant_value(int64_t q, struct sl_quant_range r, int dtype) {
    if (r.min == r.max) return r.min;
    double step = ((double)r.max - r.min) / steps(dtype), narrow = (double)(float)step;
    double start = round(r.min / narrow) * narrow;
    return (float)(start + (double)(q - sl_quant_lowest(dtype)) * step);
}

int64_t sl_quant_outside(float x, struct sl_quant_range r, int dtype) {
    if (r.min == r.max) return 0;
    double scale = steps(dtype) / ((double)r.max - r.min);
    return whole(round(x * scale) - round(r.min * scale)) + sl_quant_lowest(dtype);
}

int64_t sl_quant_inside(float x, struct sl_quant_range r, int dtype) {
    int64_t q = sl_quant_outside(x, r, dtype), lowest = sl_quant_lowest(dtype), highest = sl_quant_highest(dtype);
    return q < lowest ? lowest : q > highest ? highest : q;
}

float sl_quant_step(struct sl_quant_range r, int dtype) { return (r.max - r.min) / (float)steps(dtype); }

struct sl_quant_range sl_quant_product(struct sl_quant_range a, int a_type, struct sl_quant_range b, int b_type) {
    float step = sl_quant_step(a, a_type) * sl_quant_step(b, b_type);
    return (struct sl_quant_range){step * (float)INT32_MIN, step * (float)INT32_MAX};
}

struct sl_quant_range sl_quant_sum(struct sl_quant_range a, struct sl_quant_range b) {
    float most = fmaxf(fmaxf(a.max, -a.min), fmaxf(b.max, -b.min)) * (float)(1 << 17);
    return (struct sl_quant_range){-most, most};
}

struct shrinking {
    struct sl_view to, from;
    struct sl_quant_range to_range, from_range;
    int64_t scale, shift, lowest; /* in fixed point, 16 bits after the point */
};

/* To quint8. Products of what is far outside of the range wrap, as TensorFlow's do. */
static void shrink_fixed(void *arg, int64_t begin, int64_t end) {
    const struct shrinking *s = arg;
    const int64_t half = 1 << 15;
    for (int64_t i = begin; i < end; i++) {
        int64_t scaled = (int64_t)((uint64_t)(int64_t)((const int32_t *)s->from.data)[i] * (uint64_t)s->scale) >> 32;
        int64_t q = (int64_t)((uint64_t)scaled + (uint64_t)s->shift - (uint64_t)s->lowest + (uint64_t)half) >> 16;
        sl_quant_put(s->to, i, q < 0 ? 0 : q > 255 ? 255 : q);
    }
}
/* To qint8: by what the number stands for, in float throughout. */
static void shrink_value(void *arg, int64_t begin, int64_t end) {
    const struct shrinking *s = arg;
    const struct sl_quant_range from = s->from_range, to = s->to_range;
    const float step = (float)((double)(from.max - from.min) / steps(SL_QINT32));
    const float start = from.min == from.max ? from.min : roundf(from.min / step) * step - (float)INT32_MIN * step;
    const float scale = to.min == to.max ? 0 : (float)(steps(SL_QINT8) / (double)(to.max - to.min));
    const float zero = roundf(to.min * scale) - (float)INT8_MIN;
    for (int64_t i = begin; i < end; i++) {
        float q = roundf((start + (float)((const int32_t *)s->from.data)[i] * step) * scale) - zero;
        sl_quant_put(s->to, i, q <= INT8_MIN ? INT8_MIN : q >= INT8_MAX ? INT8_MAX : whole((double)q));
    }
}

void sl_quant_shrink(struct sl_kernel_context *k, struct sl_view to, struct sl_quant_range to_range,
                     struct sl_view from, struct sl_quant_range from_range) {
    struct shrinking s = {.to = to, .from = from, .to_range = to_range, .from_range = from_range};
    float width = to_range.max - to_range.min, center = (from_range.min + from_range.max) / 2;
    if (width != 0) {
        s.scale = whole(255.0 * 65536 * (double)(from_range.max - from_range.min) / width);
        s.shift = whole((double)(center * (float)(255.0 / (double)width) * 65536));
        s.lowest = whole(65536 * ((double)to_range.min * 255.0) / width);
    }
    sl_kernel_split(k, from.count, 2, to.dtype == SL_QINT8 ? shrink_value : shrink_fixed, &s);
}

struct sl_quant_range sl_quant_actual(struct sl_view v, struct sl_quant_range range) {
    int32_t lowest = INT32_MAX, highest = INT32_MIN;
    for (int64_t i = 0; i < v.count; i++) {
        int32_t q = ((const int32_t *)v.data)[i];
        lowest = q < lowest ? q : lowest;
        highest = q > highest ? q : highest;
    }
    return (struct sl_quant_range){fminf(0, sl_quant_value(lowest, range, SL_QINT32)),
                                   sl_quant_value(highest, range, SL_QINT32)};
}

int32_t *sl_quant_centred(struct sl_view v, struct sl_quant_range range) {
    int32_t *to = sl_scratch_new((size_t)(v.count + 1) * sizeof *to);
    int64_t offset = sl_quant_outside(0, range, v.dtype);
    if (to)
        for (int64_t i = 0; i < v.count; i++) to[i] = (int32_t)(sl_quant_get(v, i) - offset);
    return to;
}

void sl_quant_centred_free(int32_t *p, struct sl_view v) {
    if (p) sl_scratch_free(p, (size_t)(v.count + 1) * sizeof *p);
}

sl_code sl_quant_in(struct sl_quant_range *range, struct sl_kernel_context *k, int first, const char *min,
                    const char *max) {
    struct sl_view low = sl_in(k, first), high = sl_in(k, first + 1);
    if (low.rank) return sl_invalid(k, "`%s` must be rank 0 but is rank %d", min, low.rank);
    if (high.rank) return sl_invalid(k, "`%s` must be rank 0 but is rank %d", max, high.rank);
    *range = (struct sl_quant_range){*(const float *)low.data, *(const float *)high.data};
    return SL_OK;
}

sl_code sl_quant_out(struct sl_kernel_context *k, int first, struct sl_quant_range range) {
    struct sl_view v;
    SL_TRY(sl_out_new(&v, k, first, SL_SHAPE_SCALAR));
    *(float *)v.data = range.min;
    SL_TRY(sl_out_new(&v, k, first + 1, SL_SHAPE_SCALAR));
    *(float *)v.data = range.max;
    return SL_OK;
}
