/* Text in Unicode: decoding, encoding, transcoding, scripts. */
#include <inttypes.h>

#include "backends/cpu/cpu_kernels.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "formats/encoding.h"

struct options {
    enum { REPLACE, IGNORE, STRICT } errors;
    int32_t replacement;
    bool replaces_control;
    struct sl_encoding input;
    enum sl_utf output;
};

static bool has_attr(const struct sl_kernel_setup *setup, const char *name) {
    return sl_attr_find(setup->attrs, sl_str_of(name)) != NULL;
}

static sl_code read_options(struct options *o, struct sl_kernel_setup *setup) {
    const struct sl_attrs *attrs = setup->attrs;
    struct sl_str errors, name;
    int64_t replacement;
    SL_TRY(sl_attr_string(&errors, attrs, "errors", setup->err));
    o->errors = sl_str_is(errors, "ignore") ? IGNORE : sl_str_is(errors, "strict") ? STRICT : REPLACE;
    SL_TRY(sl_attr_int(&replacement, attrs, "replacement_char", setup->err));
    if (replacement < 0 || replacement > SL_UNICODE_MAX)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "replacement_char out of unicode codepoint range");
    o->replacement = (int32_t)replacement;
    if (has_attr(setup, "replace_control_characters"))
        SL_TRY(sl_attr_bool(&o->replaces_control, attrs, "replace_control_characters", setup->err));
    if (has_attr(setup, "output_encoding")) {
        SL_TRY(sl_attr_string(&name, attrs, "output_encoding", setup->err));
        SL_TRY(sl_utf_find(&o->output, name, setup->err));
    }
    if (!has_attr(setup, "input_encoding")) return SL_OK;
    SL_TRY(sl_attr_string(&name, attrs, "input_encoding", setup->err));
    return sl_encoding_find(&o->input, name, setup->err);
}

static sl_code options_create(void **state, struct sl_kernel_setup *setup) {
    struct options *o = sl_calloc(1, sizeof *o);
    if (!o) return sl_fail_memory(setup->err, sizeof *o);
    sl_code code = read_options(o, setup);
    if (code == SL_OK) *state = o;
    else sl_free(o);
    return code;
}

/* The next character as the options want it: -1 when there is none (malformed and ignored), -2 when the text is
 * malformed and must not be. */
static int32_t next_character(struct sl_encoding_reader *reader, struct sl_str *s, const struct options *o) {
    int32_t c = sl_encoding_next(reader, s);
    if (c == -2) return -1;
    if (c == -1 && o->errors == STRICT) return -2;
    if (c == -1 || (o->replaces_control && c < 0x20)) return o->errors == IGNORE ? -1 : o->replacement;
    return c;
}

static sl_code fail_format(struct sl_kernel_context *k) { return sl_invalid(k, "Invalid formatting on input string"); }

/* ---- UnicodeDecode, UnicodeDecodeWithOffsets: a ragged matrix of characters */

struct characters {
    SL_VEC(int32_t) values;
    SL_VEC(int64_t) offsets; /* where each begins, in bytes */
    SL_VEC(int64_t) splits;  /* characters before each string */
};

static sl_code decode_one(struct characters *to, struct sl_kernel_context *k, struct sl_encoding_reader *reader,
                          struct sl_str s) {
    const struct options *o = k->state;
    const char *begin = s.p;
    sl_encoding_restart(reader);
    while (s.n) {
        int64_t offset = s.p - begin;
        int32_t c = next_character(reader, &s, o);
        if (c == -2) return fail_format(k);
        if (c == -1) continue;
        if (sl_vec_push(&to->values, c) || sl_vec_push(&to->offsets, offset))
            return sl_fail_memory(k->err, to->values.n);
    }
    return SL_OK;
}

static sl_code decode_all(struct characters *to, struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    struct sl_encoding_reader reader;
    SL_TRY(sl_encoding_begin(&reader, &((const struct options *)k->state)->input, k->err));
    sl_code code = SL_OK;
    for (int64_t i = 0; i < in.count && code == SL_OK; i++) {
        if (sl_vec_push(&to->splits, (int64_t)to->values.n)) code = sl_fail_memory(k->err, to->splits.n);
        else code = decode_one(to, k, &reader, sl_string_get((const TF_TString *)in.data + i));
    }
    sl_encoding_end(&reader);
    return code;
}

static sl_code put_characters(struct sl_kernel_context *k, const struct characters *c) {
    const int64_t n = (int64_t)c->values.n, n_splits = (int64_t)c->splits.n + 1;
    struct sl_view splits, values, offsets;
    SL_TRY(sl_out_new(&splits, k, 0, (struct sl_shape){1, &n_splits}));
    SL_TRY(sl_out_new(&values, k, 1, (struct sl_shape){1, &n}));
    for (int64_t i = 0; i < n_splits; i++) {
        int64_t at = i < n_splits - 1 ? c->splits.items[i] : n;
        if (splits.dtype == SL_INT64) ((int64_t *)splits.data)[i] = at;
        else ((int32_t *)splits.data)[i] = (int32_t)at;
    }
    if (n) memcpy(values.data, c->values.items, (size_t)n * sizeof(int32_t));
    if (sl_out_count(k) < 3) return SL_OK;
    SL_TRY(sl_out_new(&offsets, k, 2, (struct sl_shape){1, &n}));
    if (n) memcpy(offsets.data, c->offsets.items, (size_t)n * sizeof(int64_t));
    return SL_OK;
}

static sl_code decode_run(struct sl_kernel_context *k) {
    struct characters c = {.values = {NULL, 0, 0}};
    sl_code code = decode_all(&c, k);
    if (code == SL_OK) code = put_characters(k, &c);
    sl_vec_free(&c.values);
    sl_vec_free(&c.offsets);
    sl_vec_free(&c.splits);
    return code;
}

/* ---- UnicodeTranscode */

static sl_code transcode_one(TF_TString *to, struct sl_kernel_context *k, struct sl_encoding_reader *reader,
                             struct sl_str s, struct sl_text *text) {
    const struct options *o = k->state;
    sl_encoding_restart(reader);
    sl_text_clear(text);
    while (s.n) {
        int32_t c = next_character(reader, &s, o);
        if (c == -2) return fail_format(k);
        if (c >= 0) sl_utf_add(text, o->output, c);
    }
    return sl_text_store(to, text, k->err);
}

static sl_code transcode_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), out;
    struct sl_encoding_reader reader;
    struct sl_text text = {.n = 0};
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    SL_TRY(sl_encoding_begin(&reader, &((const struct options *)k->state)->input, k->err));
    sl_code code = SL_OK;
    for (int64_t i = 0; i < in.count && code == SL_OK; i++)
        code = transcode_one((TF_TString *)out.data + i, k, &reader, sl_string_get((const TF_TString *)in.data + i),
                             &text);
    sl_encoding_end(&reader);
    sl_text_free(&text);
    return code;
}

/* ---- UnicodeEncode: the rows of a ragged matrix as strings */

static int64_t split_at(struct sl_view v, int64_t i) {
    return v.dtype == SL_INT64 ? ((const int64_t *)v.data)[i] : ((const int32_t *)v.data)[i];
}

static sl_code check_splits(struct sl_kernel_context *k, struct sl_view splits, int64_t n) {
    if (splits.rank != 1 || splits.count == 0) return sl_invalid(k, "Splits must be a vector of at least one element");
    if (split_at(splits, 0) != 0)
        return sl_invalid(k, "First value in splits must be zero, got %" PRId64, split_at(splits, 0));
    for (int64_t i = 1; i < splits.count; i++)
        if (split_at(splits, i) < split_at(splits, i - 1))
            return sl_invalid(k, "Values in input_splits must be equal or in ascending order.");
    if (split_at(splits, splits.count - 1) != n)
        return sl_invalid(k,
                          "Last value in splits must be equal to the number of characters, %" PRId64 ", got %" PRId64,
                          n, split_at(splits, splits.count - 1));
    return SL_OK;
}

static sl_code encode_row(TF_TString *to, struct sl_kernel_context *k, const int32_t *c, int64_t n,
                          struct sl_text *text) {
    const struct options *o = k->state;
    sl_text_clear(text);
    for (int64_t i = 0; i < n; i++) {
        bool is_good = c[i] >= 0 && c[i] <= SL_UNICODE_MAX && !sl_is_surrogate(c[i]);
        if (!is_good && o->errors == STRICT)
            return sl_invalid(k, "Code point is out of range for Unicode, or a noncharacter.");
        if (is_good || o->errors == REPLACE) sl_utf_add(text, o->output, is_good ? c[i] : o->replacement);
    }
    return sl_text_store(to, text, k->err);
}

static sl_code encode_run(struct sl_kernel_context *k) {
    struct sl_view values = sl_in(k, 0), splits = sl_in(k, 1), out;
    struct sl_text text = {.n = 0};
    if (values.rank != 1) return sl_invalid(k, "input_values must be a vector, and has %d dimensions", values.rank);
    SL_TRY(check_splits(k, splits, values.count));
    const int64_t rows = splits.count - 1;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &rows}));
    sl_code code = SL_OK;
    for (int64_t i = 0; i < rows && code == SL_OK; i++) {
        int64_t begin = split_at(splits, i), end = split_at(splits, i + 1);
        code = encode_row((TF_TString *)out.data + i, k, (const int32_t *)values.data + begin, end - begin, &text);
    }
    sl_text_free(&text);
    return code;
}

static sl_code script_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), out;
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    for (int64_t i = 0; i < in.count; i++)
        ((int32_t *)out.data)[i] = sl_unicode_script_of(((const int32_t *)in.data)[i]);
    return SL_OK;
}

#define OPTIONS .create = options_create, .destroy = sl_free, .cost_element = 100

/* clang-format off */
const struct sl_kernel_def sl_cpu_unicode_rows[] = {
    KERNEL("UnicodeDecode", NO_RULE, OPTIONS, .run = decode_run)
    KERNEL("UnicodeDecodeWithOffsets", NO_RULE, OPTIONS, .run = decode_run)
    KERNEL("UnicodeEncode", NO_RULE, OPTIONS, .run = encode_run)
    KERNEL("UnicodeTranscode", NO_RULE, OPTIONS, .run = transcode_run)
    KERNEL("UnicodeScript", NO_RULE, .run = script_run, .cost_element = 15)
    SL_ROWS_END
};
/* clang-format on */
