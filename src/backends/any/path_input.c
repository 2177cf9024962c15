/* Names of files in string tensors. */
#include "backends/any/path_input.h"

#include <inttypes.h>

sl_code sl_path_of_string(char **out, const TF_TString *s, struct sl_arena *arena, struct sl_kernel_context *k) {
    struct sl_str text = sl_string_get(s);
    if (text.n && memchr(text.p, 0, text.n)) return sl_invalid(k, "a file name holds a NUL: %.*s", SL_STR_ARG(text));
    struct sl_str copy = sl_arena_str(arena, text);
    if (!copy.p) return sl_fail_memory(k->err, text.n);
    *out = (char *)(uintptr_t)copy.p;
    return SL_OK;
}

sl_code sl_in_path(char **out, struct sl_kernel_context *k, int i, const char *what, struct sl_arena *arena) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.count != 1 || v.dtype != SL_STRING)
        return sl_invalid(k, "Input %d (%s) must be a string scalar; got a tensor of %" PRId64 " elements of shape %s",
                          i, what, v.count, sl_shape_text(text, sl_view_shape(v)));
    return sl_path_of_string(out, v.data, arena, k);
}

sl_code sl_in_string_vector(struct sl_view *out, struct sl_kernel_context *k, int i, const char *what, int64_t count) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 1 || v.dtype != SL_STRING || (count >= 0 && v.count != count)) {
        if (count < 0)
            return sl_invalid(k, "Input %d (%s) must be a vector of strings; got shape %s", i, what,
                              sl_shape_text(text, sl_view_shape(v)));
        return sl_invalid(k, "Input %d (%s) must be a vector of %" PRId64 " strings; got shape %s", i, what, count,
                          sl_shape_text(text, sl_view_shape(v)));
    }
    *out = v;
    return SL_OK;
}

sl_code sl_out_string(struct sl_kernel_context *k, int o, struct sl_str text) {
    struct sl_view v;
    SL_TRY(sl_out_new(&v, k, o, SL_SHAPE_SCALAR));
    return sl_string_set(v.data, text, k->err);
}
