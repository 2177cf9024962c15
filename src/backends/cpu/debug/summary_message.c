/* Summary messages: begun, encoded as the output of a kernel. */
#include "backends/cpu/debug/summary_message.h"

#include "backends/cpu/wide.h"
#include "proto/wire.h"

sl_code sl_summary_start(struct sl_summary *s, struct sl_kernel_context *k, size_t values) {
    *s = (struct sl_summary){.k = k};
    sl_arena_init(&s->arena);
    s->message.value.items = SL_ARENA_ARRAY(&s->arena, struct sl_pb_Summary_Value, values);
    s->message.value.n = values;
    if (s->message.value.items) return SL_OK;
    sl_arena_clear(&s->arena);
    return sl_fail_memory(k->err, values * sizeof *s->message.value.items);
}

sl_code sl_summary_finish(struct sl_summary *s, sl_code code) {
    struct sl_kernel_context *k = s->k;
    struct sl_str bytes;
    struct sl_view out;
    if (code == SL_OK) code = sl_pb_encode(&bytes, SL_PB_TYPE(Summary), &s->message, 0, &s->arena, k->err);
    if (code == SL_OK) code = sl_out_new(&out, k, 0, SL_SHAPE_SCALAR);
    if (code == SL_OK) code = sl_string_set(out.data, bytes, k->err);
    sl_arena_clear(&s->arena);
    return code;
}

sl_code sl_summary_doubles(double **out, struct sl_summary *s, struct sl_view v) {
    struct sl_wide wide;
    bool is_half = v.dtype == SL_HALF || v.dtype == SL_BFLOAT16;
    *out = SL_ARENA_ARRAY(&s->arena, double, (size_t)v.count + 1);
    if (!*out) return sl_fail_memory(s->k->err, (size_t)v.count * sizeof **out);
    SL_TRY(sl_wide_as(&wide, s->k, v, is_half ? SL_FLOAT : SL_DOUBLE));
    for (int64_t i = 0; i < v.count; i++)
        (*out)[i] = is_half ? (double)((const float *)wide.data)[i] : ((const double *)wide.data)[i];
    sl_wide_free(&wide);
    return SL_OK;
}
