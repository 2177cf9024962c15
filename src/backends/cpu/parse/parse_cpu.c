/* Strings read as something else: raw numbers, compressed data, records of fields, tensors, examples in JSON. */
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/string/string_map.h"
#include "base/alloc.h"
#include "formats/inflate.h"
#include "formats/json_example.h"
#include "formats/number_text.h"
#include "formats/text.h"
#include "tensor/tensor_proto.h"

static struct sl_str string_at(struct sl_view v, int64_t i) { return sl_string_get((const TF_TString *)v.data + i); }

/* ---- raw numbers */

static sl_code raw_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "little_endian");
}

/* Bytes of numbers, as they stand or each number turned round; bools become 0 and 1. */
static void copy_raw(void *to, struct sl_str from, int dtype, bool is_little) {
    size_t size = sl_dtype_size(dtype);
    char *out = to;
    if (sl_set_has(SL_SET_COMPLEX, dtype)) size /= 2;
    if (from.n) memcpy(out, from.p, from.n);
    for (size_t i = 0; dtype == SL_BOOL && i < from.n; i++) out[i] = out[i] != 0;
    if (is_little || size == 1) return;
    for (size_t at = 0; at + size <= from.n; at += size)
        for (size_t i = 0; i < size / 2; i++) {
            char c = out[at + i];
            out[at + i] = out[at + size - 1 - i];
            out[at + size - 1 - i] = c;
        }
}

static sl_code new_raw(struct sl_view *out, struct sl_kernel_context *k, struct sl_view in, int64_t length) {
    int64_t dims[SL_MAX_RANK + 1];
    if (in.rank >= SL_MAX_RANK) return sl_invalid(k, "input has too many dimensions");
    if (in.rank) memcpy(dims, in.dims, (size_t)in.rank * sizeof *dims);
    dims[in.rank] = length;
    return sl_out_new(out, k, 0, (struct sl_shape){in.rank + 1, dims});
}

static sl_code decode_raw_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), out;
    int dtype = sl_out_type(k, 0);
    size_t size = sl_dtype_size(dtype), length = in.count ? string_at(in, 0).n : 0;
    for (int64_t i = 0; i < in.count; i++)
        if (string_at(in, i).n != length)
            return sl_invalid(k,
                              "DecodeRaw requires input strings to all be the same size, but element %" PRId64
                              " has size %zu != %zu",
                              i, length, string_at(in, i).n);
    if (length % size)
        return sl_invalid(k, "Input to DecodeRaw has length %zu that is not a multiple of %zu, the size of %s", length,
                          size, sl_dtype_name(dtype));
    SL_TRY(new_raw(&out, k, in, (int64_t)(length / size)));
    for (int64_t i = 0; i < in.count; i++)
        copy_raw((char *)out.data + (size_t)i * length, string_at(in, i), dtype, sl_state_number(k));
    return SL_OK;
}

static sl_code decode_padded_raw_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), length_in = sl_in(k, 1), out;
    int dtype = sl_out_type(k, 0);
    if (length_in.rank) return sl_invalid(k, "k must be scalar, got shape %s", SHAPE_OF(length_in));
    int64_t length = sl_index_at(length_in, 0), size = (int64_t)sl_dtype_size(dtype);
    if (length <= 0) return sl_invalid(k, "fixed_length (%" PRId64 ") must be greater than zero.", length);
    if (length % size)
        return sl_invalid(k, "fixed_length (%" PRId64 ") must be a multiple of the size of out_type (%" PRId64 ")",
                          length, size);
    SL_TRY(new_raw(&out, k, in, length / size));
    sl_move_zero(k, out);
    for (int64_t i = 0; i < in.count; i++) {
        struct sl_str s = string_at(in, i);
        if (s.n > (size_t)length) s.n = (size_t)length;
        copy_raw((char *)out.data + i * length, s, dtype, true);
        if (!sl_state_number(k)) /* what is padded turns round with the number */
            copy_raw((char *)out.data + i * length, (struct sl_str){(char *)out.data + i * length, (size_t)length},
                     dtype, false);
    }
    return SL_OK;
}

/* ---- compressed data */

static sl_code compressed_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str type;
    SL_TRY(sl_attr_string(&type, setup->attrs, "compression_type", setup->err));
    if (type.n == 0) *state = (void *)(intptr_t)SL_INFLATE_NONE;
    else if (sl_str_is(type, "ZLIB")) *state = (void *)(intptr_t)SL_INFLATE_ZLIB;
    else if (sl_str_is(type, "GZIP")) *state = (void *)(intptr_t)SL_INFLATE_GZIP;
    else if (sl_str_is(type, "ZSTD")) *state = (void *)(intptr_t)SL_INFLATE_ZSTD;
    else return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Only ZLIB, ZSTD, GZIP or NONE are supported compressions");
    return SL_OK;
}

static sl_code inflate_one(void *to, struct sl_str from, const void *arg, struct sl_error *err) {
    struct sl_text text = {0};
    sl_code code = sl_inflate(&text, from, *(const enum sl_inflate_kind *)arg, err);
    if (code == SL_OK) code = sl_text_store(to, &text, err);
    sl_text_free(&text);
    return code;
}
static sl_code decode_compressed_run(struct sl_kernel_context *k) {
    enum sl_inflate_kind kind = (enum sl_inflate_kind)sl_state_number(k);
    return sl_string_map(k, inflate_one, &kind, 5000);
}

/* ---- records of fields */

struct csv {
    char delimiter;
    bool has_quotes;
    struct sl_arena arena;
    struct sl_str missing;  /* a field of this text is as good as empty */
    const int64_t *columns; /* those wanted, rising; NULL: all */
    int n_columns;
};

static void csv_destroy(void *state) {
    struct csv *c = state;
    sl_arena_clear(&c->arena);
    sl_free(c);
}

static sl_code csv_read(struct csv *c, struct sl_kernel_setup *setup) {
    struct sl_str delimiter, missing;
    const int64_t *columns;
    SL_TRY(sl_attr_string(&delimiter, setup->attrs, "field_delim", setup->err));
    SL_TRY(sl_attr_bool(&c->has_quotes, setup->attrs, "use_quote_delim", setup->err));
    SL_TRY(sl_attr_string(&missing, setup->attrs, "na_value", setup->err));
    SL_TRY(sl_attr_int_list(&columns, &c->n_columns, setup->attrs, "select_cols", setup->err));
    if (delimiter.n != 1) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "field_delim should be only 1 char");
    if (strchr("\n\"\r", delimiter.p[0]))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "field_delim cannot be a quote or a line break");
    if (c->n_columns && c->n_columns != setup->n_out)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "select_cols should match output size");
    for (int i = 0; i < c->n_columns; i++)
        if (columns[i] < 0 || (i && columns[i] <= columns[i - 1]))
            return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                           columns[i] < 0 ? "select_cols should be non-negative indices"
                                          : "select_cols should be strictly increasing indices");
    int64_t *kept = SL_ARENA_ARRAY(&c->arena, int64_t, (size_t)c->n_columns + 1);
    c->missing = sl_arena_str(&c->arena, missing);
    if (!kept || !c->missing.p) return sl_fail_memory(setup->err, missing.n);
    if (c->n_columns) memcpy(kept, columns, (size_t)c->n_columns * sizeof *kept);
    c->columns = c->n_columns ? kept : NULL;
    c->delimiter = delimiter.p[0];
    return SL_OK;
}
static sl_code csv_create(void **state, struct sl_kernel_setup *setup) {
    struct csv *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(setup->err, sizeof *c);
    sl_arena_init(&c->arena);
    sl_code code = csv_read(c, setup);
    if (code == SL_OK) *state = c;
    else csv_destroy(c);
    return code;
}

/* A field in quotes; `*at` is behind the first one. Two quotes stand for one. */
static sl_code quoted_field(struct sl_text *field, struct sl_str record, size_t *at, char delimiter,
                            struct sl_error *err) {
    for (;; ++*at) {
        if (*at >= record.n)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Quoted field has to end with quote followed by delim or end");
        char c = record.p[*at];
        if (c == '"') {
            ++*at;
            if (*at >= record.n || record.p[*at] == delimiter) return SL_OK;
            if (record.p[*at] != '"')
                return sl_fail(err, SL_INVALID_ARGUMENT, "Quote inside a string has to be escaped by another quote");
        }
        sl_text_byte(field, c);
    }
}

/* Takes the next field off the record, at `*at`, into `field`; afterwards `*at` is behind the delimiter, or behind
 * the record. `*goes_on`: there is one more, maybe empty. */
static sl_code next_field(struct sl_text *field, const struct csv *csv, struct sl_str record, size_t *at, bool *goes_on,
                          struct sl_error *err) {
    sl_text_clear(field);
    if (csv->has_quotes && *at < record.n && record.p[*at] == '"') {
        ++*at;
        SL_TRY(quoted_field(field, record, at, csv->delimiter, err));
    } else {
        for (; *at < record.n && record.p[*at] != csv->delimiter; ++*at) {
            char c = record.p[*at];
            if ((c == '"' && csv->has_quotes) || c == '\n' || c == '\r')
                return sl_fail(err, SL_INVALID_ARGUMENT, "Unquoted fields cannot have quotes/CRLFs inside");
            sl_text_byte(field, c);
        }
    }
    *goes_on = *at < record.n; /* stopped at a delimiter */
    *at += *goes_on;
    return field->is_broken ? sl_fail_memory(err, field->cap) : SL_OK;
}

static sl_code put_field(struct sl_kernel_context *k, int column, int64_t row, struct sl_str field) {
    const struct csv *csv = k->state;
    struct sl_view out = sl_value_view(sl_out_value(k, column)), fallback = sl_in(k, 1 + column);
    void *to = sl_element(out.data, out.dtype, row);
    if (field.n == 0 || sl_str_eq(field, csv->missing)) {
        if (fallback.count) return sl_elements_copy(out.dtype, to, fallback.data, 1, k->err);
        return sl_invalid(k, "Field %d is required but missing in record %" PRId64 "!", column, row);
    }
    if (out.dtype == SL_STRING) return sl_string_set(to, field, k->err);
    if (sl_number_read(to, out.dtype, field)) return SL_OK;
    return sl_invalid(k, "Field %d in record %" PRId64 " is not a valid %s: %.*s", column, row,
                      sl_dtype_name(out.dtype), SL_STR_ARG(field));
}

static sl_code put_record(struct sl_kernel_context *k, struct sl_text *field, int64_t row) {
    const struct csv *csv = k->state;
    struct sl_str record = string_at(sl_in(k, 0), row);
    int wanted = sl_out_count(k), found = 0;
    size_t at = 0;
    bool goes_on = record.n > 0;
    for (int64_t number = 0; goes_on; number++) {
        SL_TRY(next_field(field, csv, record, &at, &goes_on, k->err));
        bool is_wanted = !csv->columns || (found < wanted && csv->columns[found] == number);
        if (!is_wanted) continue;
        if (found < wanted) SL_TRY(put_field(k, found, row, sl_text_str(field)));
        found++;
    }
    return found == wanted ? SL_OK
                           : sl_invalid(k, "Expect %d fields but have %d in record %" PRId64, wanted, found, row);
}

static sl_code decode_csv_run(struct sl_kernel_context *k) {
    struct sl_view records = sl_in(k, 0), out;
    for (int i = 0; i < sl_out_count(k); i++) {
        struct sl_view fallback = sl_in(k, 1 + i);
        if (fallback.rank > 1) return sl_invalid(k, "Each record default should be at most rank 1");
        if (fallback.count > 1)
            return sl_invalid(k, "There should only be 1 default per field but field %d has %" PRId64, i,
                              fallback.count);
        SL_TRY(sl_out_new(&out, k, i, sl_view_shape(records)));
        if (sl_dtype_is_plain(out.dtype)) sl_move_zero(k, out);
    }
    struct sl_text field = {0};
    sl_code code = SL_OK;
    for (int64_t row = 0; row < records.count && code == SL_OK; row++) code = put_record(k, &field, row);
    sl_text_free(&field);
    return code;
}

/* ---- tensors */

static sl_code parse_tensor_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    if (in.rank) return sl_invalid(k, "Expected `serialized` to be a scalar, got shape: %s", SHAPE_OF(in));
    struct sl_arena arena;
    struct sl_pb_TensorProto message;
    struct sl_tensor *t = NULL;
    sl_arena_init(&arena);
    sl_code code = sl_tensor_proto_decode(&message, string_at(in, 0), &arena, NULL);
    if (code != SL_OK && code != SL_RESOURCE_EXHAUSTED)
        code = sl_invalid(k, "Could not parse `serialized` as TensorProto, length %zu", string_at(in, 0).n);
    else if (code == SL_OK) code = sl_tensor_from_proto(&t, &message, k->err);
    if (code == SL_OK && t->dtype != sl_out_type(k, 0))
        code = sl_invalid(k, "Type mismatch between parsed tensor (%s) and dtype (%s)", sl_dtype_name(t->dtype),
                          sl_dtype_name(sl_out_type(k, 0)));
    if (code == SL_OK) sl_out_tensor(k, 0, t);
    else sl_tensor_unref(t);
    sl_arena_clear(&arena);
    return code;
}

static sl_code serialize_tensor_run(struct sl_kernel_context *k) {
    struct sl_arena arena;
    struct sl_pb_TensorProto message;
    struct sl_tensor *t;
    struct sl_str bytes;
    struct sl_view out;
    SL_TRY(sl_in_tensor(&t, k, 0));
    sl_arena_init(&arena);
    sl_code code = sl_tensor_to_proto(&message, t, &arena, k->err);
    if (code == SL_OK) code = sl_tensor_proto_encode(&bytes, &message, &arena, k->err);
    if (code == SL_OK) code = sl_out_new(&out, k, 0, SL_SHAPE_SCALAR);
    if (code == SL_OK) code = sl_string_set(out.data, bytes, k->err);
    sl_arena_clear(&arena);
    sl_tensor_unref(t);
    return code;
}

/* ---- examples in JSON */

static sl_code json_one(void *to, struct sl_str from, const void *arg, struct sl_error *err) {
    (void)arg;
    struct sl_text text = {0};
    sl_code code = sl_json_example(&text, from, err);
    if (code == SL_OK) code = sl_text_store(to, &text, err);
    sl_text_free(&text);
    return code;
}
static sl_code decode_json_run(struct sl_kernel_context *k) { return sl_string_map(k, json_one, NULL, 5000); }

#define RAW RULE("out_type", SL_SET_NUMBERS | SL_SET(BOOL))
/* clang-format off */
const struct sl_kernel_def sl_cpu_parse_rows[] = {
    KERNEL("DecodeRaw", RAW, .run = decode_raw_run, .create = raw_create, .cost_element = .5)
    KERNEL("DecodePaddedRaw", RAW, .run = decode_padded_raw_run, .create = raw_create, .cost_element = .5)
    KERNEL("DecodeCompressed", NO_RULE, .run = decode_compressed_run, .create = compressed_create, .cost_ns = 5000)
    KERNEL("DecodeCSV", NO_RULE, .run = decode_csv_run, .create = csv_create, .destroy = csv_destroy, .cost_element = 200)
    KERNEL("ParseTensor", NO_RULE, .run = parse_tensor_run, .cost_ns = 500, .cost_element = 1)
    KERNEL("SerializeTensor", NO_RULE, .run = serialize_tensor_run, .cost_ns = 500, .cost_element = 1)
    KERNEL("DecodeJSONExample", NO_RULE, .run = decode_json_run, .cost_element = 2000)
    SL_ROWS_END
};
/* clang-format on */
