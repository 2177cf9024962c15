/* Conversions to and from the type that a kernel computes in, by the loops of Cast. */
#include "backends/cpu/wide.h"

#include <string.h>

#include "backends/cpu/loops.h"

struct conversion {
    sl_loop_fn loop;
    char *to;
    const char *from;
    int64_t to_size, from_size;
};

static void convert_range(void *arg, int64_t begin, int64_t end) {
    const struct conversion *c = arg;
    c->loop(c->to + begin * c->to_size, c->from + begin * c->from_size, NULL, NULL, end - begin);
}

/* Results of integers are alike signed or not, and the loops are named by the signed type. */
static sl_loop_fn conversion_loop(int from, int to) {
    static const uint8_t signed_type[SL_DTYPE_COUNT] = {
        [SL_UINT8] = SL_INT8, [SL_UINT16] = SL_INT16, [SL_UINT32] = SL_INT32, [SL_UINT64] = SL_INT64};
    bool is_integer = sl_set_has(SL_SET_INTEGERS, from);
    return SL_ISA_PICK(sl_cast_loop)(from, is_integer && signed_type[to] ? signed_type[to] : to);
}

static void convert(struct sl_kernel_context *k, void *to, int to_type, const void *from, int from_type, int64_t n) {
    struct conversion c = {conversion_loop(from_type, to_type), to, from, (int64_t)sl_dtype_size(to_type),
                           (int64_t)sl_dtype_size(from_type)};
    sl_kernel_split(k, n, 0.3, convert_range, &c);
}

static sl_code make_room(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v, int dtype, int from,
                         int to) {
    *w = (struct sl_wide){.data = v.data, .dtype = dtype};
    if (dtype == v.dtype || (dtype == SL_INT64 && v.dtype == SL_UINT64)) return SL_OK; /* the same bits */
    if (!conversion_loop(from, to))
        return sl_fail(k->err, SL_UNIMPLEMENTED, "%s cannot compute %s as %s", k->node->def->op, sl_dtype_name(v.dtype),
                       sl_dtype_name(dtype));
    size_t bytes = (size_t)v.count * sl_dtype_size(dtype);
    if (bytes == 0) return SL_OK;
    w->data = sl_scratch_new(bytes);
    if (!w->data) return sl_fail_memory(k->err, bytes);
    w->scratch = bytes;
    return SL_OK;
}

sl_code sl_wide_as(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v, int dtype) {
    SL_TRY(make_room(w, k, v, dtype, v.dtype, dtype));
    if (w->scratch) convert(k, w->data, dtype, v.data, v.dtype, v.count);
    return SL_OK;
}

sl_code sl_wide_out_as(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v, int dtype) {
    return make_room(w, k, v, dtype, dtype, v.dtype);
}

sl_code sl_wide_in(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v) {
    return sl_wide_as(w, k, v, sl_wide_type(v.dtype));
}

sl_code sl_wide_out(struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v) {
    return sl_wide_out_as(w, k, v, sl_wide_type(v.dtype));
}

void sl_wide_store(const struct sl_wide *w, struct sl_kernel_context *k, struct sl_view v) {
    if (w->scratch) convert(k, v.data, v.dtype, w->data, w->dtype, v.count);
}

void sl_wide_free(struct sl_wide *w) {
    if (w->scratch) sl_scratch_free(w->data, w->scratch);
    w->scratch = 0;
}
