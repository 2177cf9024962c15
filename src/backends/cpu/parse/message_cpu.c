/* DecodeProtoV2 and EncodeProto: columns of values out of encoded messages, and back. The messages' type comes with
 * the op. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"
#include "formats/message_type.h"
#include "formats/text.h"
#include "os/file.h"

enum { MOST_BYTES = 1 << 28 }; /* of a descriptor file */

struct state {
    struct sl_arena arena;
    struct sl_message_field *fields; /* as the op lists them */
    int *order;                      /* of the fields, by number */
    int n;
};

static void destroy(void *state) {
    struct state *s = state;
    sl_arena_clear(&s->arena);
    sl_free(s);
}

/* ---- types */

static int dtype_of(enum sl_field_type type) {
    switch (type) {
    case SL_FIELD_DOUBLE: return SL_DOUBLE;
    case SL_FIELD_FLOAT: return SL_FLOAT;
    case SL_FIELD_BOOL: return SL_BOOL;
    case SL_FIELD_INT64:
    case SL_FIELD_SINT64:
    case SL_FIELD_SFIXED64: return SL_INT64;
    case SL_FIELD_UINT64:
    case SL_FIELD_FIXED64: return SL_UINT64;
    case SL_FIELD_UINT32:
    case SL_FIELD_FIXED32: return SL_UINT32;
    case SL_FIELD_INT32:
    case SL_FIELD_SINT32:
    case SL_FIELD_SFIXED32:
    case SL_FIELD_ENUM: return SL_INT32;
    default: return SL_STRING;
    }
}
/* A column's type is the field's, or the same twice as wide. */
static bool is_column_type(enum sl_field_type type, int dtype) {
    const int own = dtype_of(type);
    return dtype == own || (own == SL_FLOAT && dtype == SL_DOUBLE) || (own == SL_INT32 && dtype == SL_INT64) ||
           (own == SL_UINT32 && dtype == SL_UINT64);
}

/* ---- making */

/* The descriptors: they follow "bytes://", or fill a file. In `arena`. */
static sl_code read_source(struct sl_str *set, struct sl_arena *arena, struct sl_str source, struct sl_error *err) {
    const struct sl_str inlined = SL_STR("bytes://");
    if (source.n == 0 || sl_str_is(source, "local://"))
        return sl_fail(err, SL_UNIMPLEMENTED, "descriptor_source 'local://' is not supported: give bytes:// or a file");
    if (sl_str_starts(source, inlined)) {
        *set = (struct sl_str){source.p + inlined.n, source.n - inlined.n};
        return SL_OK;
    }
    char *data, *path = sl_arena_format(arena, "%.*s", SL_STR_ARG(source));
    size_t size;
    if (!path) return sl_fail_memory(err, source.n);
    if (sl_file_read(&data, &size, path, MOST_BYTES, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Source does not represent serialized file descriptor set proto: the file %s cannot be read",
                       path);
    *set = sl_arena_str(arena, (struct sl_str){data, size});
    sl_free(data);
    return set->p ? SL_OK : sl_fail_memory(err, size);
}

static sl_code read_fields(struct state *s, struct sl_kernel_setup *setup) {
    struct sl_str source, set, type;
    const struct sl_str *names;
    SL_TRY(sl_attr_string(&source, setup->attrs, "descriptor_source", setup->err));
    SL_TRY(sl_attr_string(&type, setup->attrs, "message_type", setup->err));
    SL_TRY(sl_attr_string_list(&names, &s->n, setup->attrs, "field_names", setup->err));
    SL_TRY(read_source(&set, &s->arena, source, setup->err));
    s->fields = SL_ARENA_ARRAY(&s->arena, struct sl_message_field, (size_t)s->n + 1);
    s->order = SL_ARENA_ARRAY(&s->arena, int, (size_t)s->n + 1);
    if (!s->fields || !s->order) return sl_fail_memory(setup->err, (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        SL_TRY(sl_message_field_find(&s->fields[i], set, type, names[i], &s->arena, setup->err));
        int at = i; /* behind those of the same number */
        for (; at > 0 && s->fields[s->order[at - 1]].number > s->fields[i].number; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
    return SL_OK;
}

static sl_code check_decode(const struct state *s, struct sl_kernel_setup *setup) {
    struct sl_str format, type;
    const struct sl_str *names;
    bool sanitizes;
    int n;
    SL_TRY(sl_attr_string(&format, setup->attrs, "message_format", setup->err));
    SL_TRY(sl_attr_string(&type, setup->attrs, "message_type", setup->err));
    SL_TRY(sl_attr_string_list(&names, &n, setup->attrs, "field_names", setup->err));
    SL_TRY(sl_attr_bool(&sanitizes, setup->attrs, "sanitize", setup->err));
    if (sl_str_is(format, "text"))
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "DecodeProtoV2 of message_format 'text' is not supported");
    if (!sl_str_is(format, "binary"))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "format must be one of binary or text");
    if (sanitizes) return sl_fail(setup->err, SL_UNIMPLEMENTED, "DecodeProtoV2 with sanitize is not supported");
    if (setup->n_out - 1 != s->n)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "field_names and output_types attributes must have the same length");
    for (int i = 0; i < s->n; i++)
        if (!is_column_type(s->fields[i].type, setup->out_types[1 + i]))
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Unexpected output type for %.*s.%.*s: %s to %s",
                           SL_STR_ARG(type), SL_STR_ARG(names[i]), sl_field_type_name(s->fields[i].type),
                           sl_dtype_name(setup->out_types[1 + i]));
    return SL_OK;
}
static sl_code check_encode(const struct state *s, struct sl_kernel_setup *setup) {
    const struct sl_str *names;
    int n;
    SL_TRY(sl_attr_string_list(&names, &n, setup->attrs, "field_names", setup->err));
    if (setup->n_in - 1 != s->n)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "field_names and Tinput_types attributes must have the same length");
    for (int i = 0; i < s->n; i++)
        if (!is_column_type(s->fields[i].type, setup->in_types[1 + i]))
            return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                           "Incompatible type for field %.*s.  Saw dtype: %s but field type is: %s",
                           SL_STR_ARG(names[i]), sl_dtype_name(setup->in_types[1 + i]),
                           sl_field_type_name(s->fields[i].type));
    return SL_OK;
}

static sl_code create(void **state, struct sl_kernel_setup *setup) {
    const bool decodes = setup->n_in == 1;
    struct state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    sl_code code = read_fields(s, setup);
    if (code == SL_OK) code = decodes ? check_decode(s, setup) : check_encode(s, setup);
    if (code == SL_OK) *state = s;
    else destroy(s);
    return code;
}

/* ---- decoding */

static void put_integer(struct sl_view v, int64_t at, uint64_t value) {
    switch (v.dtype) {
    case SL_BOOL: ((bool *)v.data)[at] = value != 0; break;
    case SL_INT32:
    case SL_UINT32: ((uint32_t *)v.data)[at] = (uint32_t)value; break;
    default: ((uint64_t *)v.data)[at] = value; break;
    }
}
static void put_real(struct sl_view v, int64_t at, double value) {
    if (v.dtype == SL_DOUBLE) ((double *)v.data)[at] = value;
    else ((float *)v.data)[at] = (float)value;
}

/* A number, as encoded, into a column. */
static void put_number(struct sl_view v, int64_t at, enum sl_field_type type, uint64_t bits) {
    switch (type) {
    case SL_FIELD_DOUBLE: {
        double value;
        memcpy(&value, &bits, sizeof value);
        put_real(v, at, value);
        break;
    }
    case SL_FIELD_FLOAT: {
        const uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof value);
        put_real(v, at, (double)value);
        break;
    }
    case SL_FIELD_INT32:
    case SL_FIELD_ENUM:
    case SL_FIELD_SFIXED32: put_integer(v, at, (uint64_t)(int64_t)(int32_t)(uint32_t)bits); break;
    case SL_FIELD_UINT32:
    case SL_FIELD_FIXED32: put_integer(v, at, (uint32_t)bits); break;
    case SL_FIELD_SINT32:
        bits = (uint32_t)bits;
        put_integer(v, at, bits >> 1 ^ (0 - (bits & 1)));
        break;
    case SL_FIELD_SINT64: put_integer(v, at, bits >> 1 ^ (0 - (bits & 1))); break;
    default: put_integer(v, at, bits); break;
    }
}

static sl_code put_text(struct sl_view v, int64_t at, struct sl_str text, struct sl_error *err) {
    return sl_string_set((TF_TString *)v.data + at, text, err);
}

/* Takes the next number of a packed field off `rest`. */
static bool unpack(uint64_t *bits, struct sl_str *rest, enum sl_wire_kind kind) {
    if (kind == SL_WIRE_VARINT) return sl_wire_varint(bits, rest);
    const size_t n = kind == SL_WIRE_FIXED64 ? 8 : 4;
    if (rest->n < n) return false;
    *bits = 0;
    for (size_t i = 0; i < n; i++) *bits |= (uint64_t)(unsigned char)rest->p[i] << 8 * i;
    *rest = (struct sl_str){rest->p + n, rest->n - n};
    return true;
}

static sl_code fail_malformed(struct sl_kernel_context *k) {
    return sl_fail(k->err, SL_DATA_LOSS, "ReadValue: Failed skipping field when counting");
}

/* What one occurrence of a field adds to its column, whose row begins at `row`; `*size` values are there. Without
 * elements (`column` NULL) they are only counted. */
static sl_code add_values(struct sl_kernel_context *k, const struct sl_message_field *f, struct sl_wire_field w,
                          struct sl_view *column, int64_t row, int32_t *size) {
    const enum sl_wire_kind kind = sl_field_wire_kind(f->type);
    const bool is_packed = f->is_repeated && kind != SL_WIRE_BYTES && w.kind == SL_WIRE_BYTES;
    if (!is_packed && w.kind != kind) return SL_OK; /* as if it were unknown */
    do {
        if (is_packed && w.bytes.n == 0) return SL_OK;
        if (is_packed && !unpack(&w.bits, &w.bytes, kind))
            return sl_fail(k->err, SL_DATA_LOSS, "Corrupt packed %s",
                           kind == SL_WIRE_VARINT ? "varint" : "field of fixed size");
        if (!f->is_repeated) *size = 0; /* the last one counts */
        if (*size == INT32_MAX) return fail_malformed(k);
        const int64_t at = row + (*size)++;
        if (!column) continue;
        if (kind != SL_WIRE_BYTES) put_number(*column, at, f->type, w.bits);
        else SL_TRY(put_text(*column, at, w.bytes, k->err));
    } while (is_packed);
    return SL_OK;
}

/* One message: counts the values of each field, or with `columns` stores them. `widths` are the columns' rows. */
static sl_code decode_one(struct sl_kernel_context *k, struct sl_str message, int64_t i, struct sl_view *columns,
                          const int64_t *widths, int32_t *sizes) {
    const struct state *s = k->state;
    struct sl_wire_field w;
    memset(sizes, 0, (size_t)s->n * sizeof *sizes);
    while (message.n) {
        if (!sl_wire_next(&w, &message)) return fail_malformed(k);
        for (int f = 0; f < s->n; f++)
            if (s->fields[f].number == w.number)
                SL_TRY(add_values(k, &s->fields[f], w, columns ? &columns[f] : NULL, columns ? i * widths[f] : 0,
                                  &sizes[f]));
    }
    return SL_OK;
}

/* All of a column is the field's default. */
static sl_code fill_default(struct sl_view column, const struct sl_message_field *f, struct sl_error *err) {
    for (int64_t i = 0; i < column.count; i++) {
        if (column.dtype != SL_STRING) put_number(column, i, f->type, f->is_repeated ? 0 : f->bits);
        else if (f->text.n && !f->is_repeated) SL_TRY(put_text(column, i, f->text, err));
    }
    return SL_OK;
}

static sl_code decode(struct sl_kernel_context *k, struct sl_view in, struct sl_arena *arena) {
    const struct state *s = k->state;
    struct sl_view sizes, *columns = SL_ARENA_ARRAY(arena, struct sl_view, (size_t)s->n + 1);
    int64_t *widths = SL_ARENA_ARRAY(arena, int64_t, (size_t)s->n + 1), dims[SL_MAX_RANK];
    int32_t *found = SL_ARENA_ARRAY(arena, int32_t, (size_t)s->n + 1);
    if (!columns || !widths || !found) return sl_fail_memory(k->err, (size_t)s->n);
    if (in.rank) memcpy(dims, in.dims, (size_t)in.rank * sizeof *dims);
    dims[in.rank] = s->n;
    SL_TRY(sl_out_new(&sizes, k, 0, (struct sl_shape){in.rank + 1, dims}));
    for (int f = 0; f < s->n; f++) widths[f] = 1;
    const TF_TString *messages = in.data;
    for (int64_t i = 0; i < in.count; i++) {
        int32_t *row = (int32_t *)sizes.data + i * s->n;
        SL_TRY(decode_one(k, sl_string_get(messages + i), i, NULL, NULL, row));
        for (int f = 0; f < s->n; f++)
            if (row[f] > widths[f]) widths[f] = row[f];
    }
    for (int f = 0; f < s->n; f++) {
        dims[in.rank] = widths[f];
        SL_TRY(sl_out_new(&columns[f], k, 1 + f, (struct sl_shape){in.rank + 1, dims}));
        SL_TRY(fill_default(columns[f], &s->fields[f], k->err));
    }
    for (int64_t i = 0; i < in.count; i++)
        SL_TRY(decode_one(k, sl_string_get(messages + i), i, columns, widths, found));
    return SL_OK;
}

static sl_code decode_proto_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    struct sl_arena arena;
    if (in.count == 0) return sl_invalid(k, "Bufs argument must contain at least one value");
    if (in.rank >= SL_MAX_RANK) return sl_invalid(k, "bytes has too many dimensions");
    sl_arena_init(&arena);
    sl_code code = decode(k, in, &arena);
    sl_arena_clear(&arena);
    return code;
}

/* ---- encoding */

static void write_varint(struct sl_text *to, uint64_t value) {
    for (; value > 127; value >>= 7) sl_text_byte(to, (char)((value & 127) | 128));
    sl_text_byte(to, (char)value);
}

static uint64_t integer_at(struct sl_view v, int64_t at) {
    switch (v.dtype) {
    case SL_BOOL: return ((const bool *)v.data)[at];
    case SL_INT32: return (uint64_t)(int64_t)((const int32_t *)v.data)[at];
    case SL_UINT32: return ((const uint32_t *)v.data)[at];
    default: return ((const uint64_t *)v.data)[at];
    }
}
/* Element `at` of a column as its field encodes it. */
static uint64_t bits_at(struct sl_view v, int64_t at, enum sl_field_type type) {
    uint64_t bits = 0;
    if (v.dtype == SL_DOUBLE || v.dtype == SL_FLOAT) {
        const double real = v.dtype == SL_DOUBLE ? ((const double *)v.data)[at] : (double)((const float *)v.data)[at];
        const float single = (float)real;
        if (type == SL_FIELD_DOUBLE) memcpy(&bits, &real, sizeof real);
        else memcpy(&bits, &single, sizeof single);
        return bits;
    }
    bits = integer_at(v, at);
    switch (type) {
    case SL_FIELD_INT32:
    case SL_FIELD_ENUM: return (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
    case SL_FIELD_UINT32: return (uint32_t)bits;
    case SL_FIELD_SINT32: return (uint32_t)((uint32_t)bits << 1 ^ (uint32_t)((int32_t)(uint32_t)bits >> 31));
    case SL_FIELD_SINT64: return bits << 1 ^ (uint64_t)((int64_t)bits >> 63);
    default: return bits;
    }
}
static void write_number(struct sl_text *to, uint64_t bits, enum sl_wire_kind kind) {
    if (kind == SL_WIRE_VARINT) {
        write_varint(to, bits);
        return;
    }
    for (int i = 0; i < (kind == SL_WIRE_FIXED64 ? 8 : 4); i++) sl_text_byte(to, (char)(bits >> 8 * i & 0xff));
}

/* Elements [begin, end) of a column as one field; `packed` is room to build in. */
static void write_field(struct sl_text *to, struct sl_text *packed, const struct sl_message_field *f, struct sl_view v,
                        int64_t begin, int64_t end) {
    const enum sl_wire_kind kind = sl_field_wire_kind(f->type);
    if (f->is_packed && begin < end) {
        sl_text_clear(packed);
        for (int64_t i = begin; i < end; i++) write_number(packed, bits_at(v, i, f->type), kind);
        if (packed->is_broken) to->is_broken = true;
        write_varint(to, (uint64_t)f->number << 3 | SL_WIRE_BYTES);
        write_varint(to, packed->n);
        sl_text_add(to, sl_text_str(packed));
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        write_varint(to, (uint64_t)f->number << 3 | kind);
        if (kind == SL_WIRE_BYTES) {
            const struct sl_str text = sl_string_get((const TF_TString *)v.data + i);
            write_varint(to, text.n);
            sl_text_add(to, text);
        } else {
            write_number(to, bits_at(v, i, f->type), kind);
        }
    }
}

static sl_code encode_one(struct sl_text *to, struct sl_text *packed, struct sl_kernel_context *k, int64_t i) {
    const struct state *s = k->state;
    const int32_t *sizes = (const int32_t *)sl_in(k, 0).data + i * s->n;
    for (int at = 0; at < s->n; at++) {
        const int f = s->order[at];
        struct sl_view v = sl_in(k, 1 + f);
        const int64_t width = v.dims[v.rank - 1];
        if (sizes[f] > width)
            return sl_invalid(k,
                              "Size to write must not be larger than value tensor; but saw: %" PRId32 " > %" PRId64
                              " at message %" PRId64 " field %d",
                              sizes[f], width, i, f);
        write_field(to, packed, &s->fields[f], v, i * width, i * width + sizes[f]);
    }
    return SL_OK;
}

/* All columns and the sizes are of one batch, whose dims are those of the first column but the last. */
static sl_code check_batch(struct sl_kernel_context *k, const struct sl_message_field *fields, int n) {
    struct sl_view sizes = sl_in(k, 0), first = sl_in(k, 1);
    for (int f = 0; f < n; f++) {
        struct sl_view v = sl_in(k, 1 + f);
        if (v.rank < 2)
            return sl_invalid(k,
                              "Invalid shape for field %" PRIu32 ".  Saw shape %s but it should be at least a matrix.",
                              fields[f].number, SHAPE_OF(v));
        if (v.rank != first.rank || !sl_dims_equal(v, first, 0, v.rank - 1))
            return sl_invalid(k, "Values must match up to the last dimension: %s, %s", SHAPE_OF(first), SHAPE_OF(v));
    }
    if (sizes.rank != first.rank || !sl_dims_equal(sizes, first, 0, first.rank - 1) || sizes.dims[first.rank - 1] != n)
        return sl_invalid(
            k,
            "sizes should be batch_size + [len(field_names)].  Saw: %s but the values are of %s, and there "
            "are %d fields",
            SHAPE_OF(sizes), SHAPE_OF(first), n);
    return SL_OK;
}

static sl_code encode_proto_run(struct sl_kernel_context *k) {
    const struct state *s = k->state;
    struct sl_view out, first = sl_in(k, 1);
    struct sl_text text = {0}, packed = {0};
    SL_TRY(check_batch(k, s->fields, s->n));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){first.rank - 1, first.dims}));
    sl_code code = SL_OK;
    for (int64_t i = 0; i < out.count && code == SL_OK; i++) {
        sl_text_clear(&text);
        code = encode_one(&text, &packed, k, i);
        if (code == SL_OK) code = sl_text_store((TF_TString *)out.data + i, &text, k->err);
    }
    sl_text_free(&text);
    sl_text_free(&packed);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_message_rows[] = {
    KERNEL("DecodeProtoV2", NO_RULE, .run = decode_proto_run, .create = create, .destroy = destroy, .cost_ns = 2000, .cost_element = 500)
    KERNEL("EncodeProto", NO_RULE, .run = encode_proto_run, .create = create, .destroy = destroy, .cost_ns = 2000, .cost_element = 200)
    SL_ROWS_END
};
/* clang-format on */
