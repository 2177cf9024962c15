/* A value's shape is that of the first elements of its lists; then every element goes to its place, and must fit. */
#include "serving/json_tensors.h"

#include <math.h>

#include "base/vec.h"
#include "formats/number_text.h"
#include "proto/wire.h"
#include "tensor/float16.h"

/* ---- scalars */

/* An input while it is filled. */
struct filled {
    struct sl_str name;
    struct sl_tensor *t;
    char *at; /* of the next element */
    struct sl_arena *arena;
    struct sl_error *err;
};

static sl_code fail_value(struct filled *f, struct sl_str value) {
    char place[SL_SHAPE_TEXT];
    int64_t at = (f->at - (char *)f->t->data) / (int64_t)sl_dtype_size(f->t->dtype);
    return sl_fail(f->err, SL_INVALID_ARGUMENT, "Input \"%.*s\": %.*s%s%s%s is no %s", SL_STR_ARG(f->name),
                   value.n > 32 ? 32 : (int)value.n, value.p, value.n > 32 ? "..." : "", f->t->rank ? " at " : "",
                   sl_index_text(place, at, sl_tensor_shape(f->t)), sl_dtype_name(f->t->dtype));
}

static bool is_word(struct sl_str s) { return s.p[0] == 'N' || s.p[0] == 'I' || (s.n > 1 && s.p[1] == 'I'); }

/* Out of range is false, and so is what is no number. */
static bool read_double(double *out, struct sl_str s) {
    if (!is_word(s)) return sl_number_read(out, SL_DOUBLE, s) && isfinite(*out);
    *out = s.p[0] == 'N' ? (double)NAN : s.p[0] == '-' ? -(double)INFINITY : (double)INFINITY;
    return true;
}
static bool read_float(float *out, struct sl_str s) {
    double value;
    if (!is_word(s)) return sl_number_read(out, SL_FLOAT, s) && isfinite(*out);
    bool is_read = read_double(&value, s);
    *out = (float)value;
    return is_read;
}

static bool read_integer(void *to, int dtype, struct sl_str s) {
    int64_t i = 0;
    uint64_t u = 0;
    if (dtype == SL_UINT64) return sl_number_read(to, SL_UINT64, s);
    if (!sl_number_read(&i, SL_INT64, s)) return false;
    u = (uint64_t)i;
#define INTEGER(name, type)                                                                                            \
    case SL_##name: *(type *)to = (type)u; return (int64_t) * (type *)to == i;
    switch (dtype) {
        INTEGER(INT8, int8_t)
        INTEGER(INT16, int16_t)
        INTEGER(INT32, int32_t)
        INTEGER(INT64, int64_t)
        INTEGER(UINT8, uint8_t)
        INTEGER(UINT16, uint16_t)
        INTEGER(UINT32, uint32_t)
    default: return false;
    }
#undef INTEGER
}

static bool read_number(void *to, int dtype, struct sl_str s) {
    float value;
    switch (dtype) {
    case SL_FLOAT: return read_float(to, s);
    case SL_DOUBLE: return read_double(to, s);
    case SL_HALF:
        if (!read_float(&value, s)) return false;
        *(sl_half *)to = sl_half_of_float(value);
        return isfinite(sl_float_of_half(*(sl_half *)to)) || !isfinite(value);
    case SL_BFLOAT16:
        if (!read_float(&value, s)) return false;
        *(sl_bfloat16 *)to = sl_bfloat16_of_float(value);
        return isfinite(sl_float_of_bfloat16(*(sl_bfloat16 *)to)) || !isfinite(value);
    default: return read_integer(to, dtype, s);
    }
}

/* {"b64": "..."}: the one object that is a value. */
static sl_code read_base64(bool *is_one, struct sl_str *out, const struct sl_json *at, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_json j = *at;
    struct sl_str name, text;
    *is_one = false;
    if (sl_json_kind(&j) != SL_JSON_OBJECT || sl_json_count(&j) != 1) return SL_OK;
    sl_json_enter(&j);
    (void)sl_json_next(&j);
    SL_TRY(sl_json_name(&name, &j, arena, err));
    if (!sl_str_is(name, "b64") || sl_json_kind(&j) != SL_JSON_STRING) return SL_OK;
    *is_one = true;
    SL_TRY(sl_json_string(&text, &j, arena, err));
    return out ? sl_base64_read(out, text, arena, err) : SL_OK;
}

/* A string in either form; `*is_one` false: it is none. */
static sl_code read_bytes(bool *is_one, struct sl_str *out, struct sl_json *j, struct sl_arena *arena,
                          struct sl_error *err) {
    *is_one = sl_json_kind(j) == SL_JSON_STRING;
    if (*is_one) return sl_json_string(out, j, arena, err);
    SL_TRY(read_base64(is_one, out, j, arena, err));
    if (*is_one) sl_json_skip(j);
    return SL_OK;
}

static sl_code fill_scalar(struct filled *f, struct sl_json *j) {
    struct sl_json ahead = *j;
    struct sl_str value = sl_json_slice(&ahead);
    enum sl_json_kind kind = sl_json_kind(j);
    bool is_good = false;
    if (f->t->dtype == SL_STRING) {
        SL_TRY(read_bytes(&is_good, &value, j, f->arena, f->err));
        if (is_good) SL_TRY(sl_string_set((TF_TString *)(void *)f->at, value, f->err));
    } else if (f->t->dtype == SL_BOOL) {
        is_good = kind == SL_JSON_BOOL;
        if (is_good) *(bool *)f->at = value.p[0] == 't';
    } else is_good = kind == SL_JSON_NUMBER && read_number(f->at, f->t->dtype, value);
    if (!is_good) return fail_value(f, value);
    f->at += sl_dtype_size(f->t->dtype);
    *j = ahead;
    return SL_OK;
}

/* ---- lists. `dim` is the axis whose list stands here. */

static sl_code fill(struct filled *f, struct sl_json *j, int dim);

static sl_code fill_list(struct filled *f, struct sl_json *j, int dim) {
    int64_t n = 0, wanted = f->t->dims[dim];
    bool is_list = sl_json_kind(j) == SL_JSON_LIST, has_more = false;
    if (is_list)
        for (sl_json_enter(j); (has_more = sl_json_next(j)) && n < wanted; n++) SL_TRY(fill(f, j, dim + 1));
    if (is_list && !has_more && n == wanted) return SL_OK;
    return sl_fail(f->err, SL_INVALID_ARGUMENT,
                   "Input \"%.*s\": all lists of axis %d must have %lld elements, as the first one; there is %s",
                   SL_STR_ARG(f->name), dim, (long long)wanted,
                   is_list ? has_more ? "a longer one" : "a shorter one" : "a value that is no list");
}

static sl_code fill(struct filled *f, struct sl_json *j, int dim) {
    return dim < f->t->rank ? fill_list(f, j, dim) : fill_scalar(f, j);
}

/* The shape of the value that stands here, behind `rank` dims that are known already. */
static int find_shape(int64_t dims[SL_JSON_DEPTH + 1], int rank, const struct sl_json *at) {
    struct sl_json j = *at;
    while (sl_json_kind(&j) == SL_JSON_LIST && rank <= SL_JSON_DEPTH) {
        dims[rank] = (int64_t)sl_json_count(&j);
        if (dims[rank++] == 0) break;
        sl_json_enter(&j);
        (void)sl_json_next(&j);
    }
    return rank;
}

/* A new tensor for an input, to be filled. `rows` -1: of the value's own shape, else with an axis of so many before.
 * A shape of more elements than the text, of `most` bytes, can have is a lie of its first lists. */
static sl_code begin(struct filled *f, struct sl_tensor **inputs, const struct sl_served_signature *s, int input,
                     const struct sl_json *value, int64_t rows, size_t most, struct sl_arena *arena,
                     struct sl_error *err) {
    const sl_dtype_set readable = SL_SET_REAL | SL_SET(BOOL) | SL_SET(STRING);
    const struct sl_served_port *p = &s->inputs[input];
    int64_t dims[SL_JSON_DEPTH + 2] = {rows};
    int rank = find_shape(dims, rows >= 0, value);
    if (!sl_set_has(readable, p->dtype))
        return sl_fail(err, SL_UNIMPLEMENTED, "Input \"%.*s\" has type %s, which JSON has no form for",
                       SL_STR_ARG(p->name), sl_dtype_name(p->dtype));
    int64_t count;
    if (sl_shape_count(&count, (struct sl_shape){rank, dims}, NULL) != SL_OK || (uint64_t)count > most)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Input \"%.*s\": not all lists have as many elements as the first ones", SL_STR_ARG(p->name));
    SL_TRY(sl_tensor_new(&inputs[input], p->dtype, (struct sl_shape){rank, dims}, err));
    *f = (struct filled){p->name, inputs[input], inputs[input]->data, arena, err};
    return SL_OK;
}

/* ---- the two forms */

static sl_code fail_names(const struct sl_served_signature *s, const char *where, struct sl_error *err) {
    sl_code code = sl_fail(err, SL_INVALID_ARGUMENT, "%s must be objects with the names of the inputs:", where);
    for (int i = 0; err && i < s->n_inputs; i++) sl_error_append(err, " \"%.*s\"", SL_STR_ARG(s->inputs[i].name));
    return code;
}

/* Whether the value names inputs: an object that is no value. */
static sl_code names_inputs(bool *does, const struct sl_json *at, struct sl_arena *arena, struct sl_error *err) {
    struct sl_json j = *at;
    bool is_value;
    SL_TRY(read_base64(&is_value, NULL, at, arena, err));
    *does = !is_value && sl_json_kind(&j) == SL_JSON_OBJECT;
    return SL_OK;
}

/* A member of an object that names inputs: its number, and the cursor in front of its value. */
static sl_code read_name(int *input, const struct sl_served_signature *s, struct sl_json *j, struct sl_arena *arena,
                         struct sl_error *err) {
    struct sl_str name;
    SL_TRY(sl_json_name(&name, j, arena, err));
    *input = sl_served_port_find(s->inputs, s->n_inputs, name);
    if (*input >= 0) return SL_OK;
    sl_code code = sl_fail(err, SL_INVALID_ARGUMENT, "The signature has no input \"%.*s\". It has:", SL_STR_ARG(name));
    for (int i = 0; err && i < s->n_inputs; i++) sl_error_append(err, " \"%.*s\"", SL_STR_ARG(s->inputs[i].name));
    return code;
}

struct rows {
    const struct sl_served_signature *signature;
    struct sl_tensor **inputs;
    struct filled *filled; /* one for each input */
    int64_t n, at;         /* rows, and the present one */
    size_t most;           /* elements that there can be */
    struct sl_arena *arena;
    struct sl_error *err;
};

static sl_code read_cell(struct rows *r, struct sl_json *j, int input) {
    struct filled *f = &r->filled[input];
    if (!r->inputs[input]) {
        if (r->at > 0)
            return sl_fail(r->err, SL_INVALID_ARGUMENT, "Row %lld has an input \"%.*s\", row 0 has not",
                           (long long)r->at, SL_STR_ARG(r->signature->inputs[input].name));
        SL_TRY(begin(f, r->inputs, r->signature, input, j, r->n, r->most, r->arena, r->err));
    }
    int64_t row = f->t->count / r->n; /* elements */
    if (f->at != (char *)f->t->data + (size_t)(r->at * row) * sl_dtype_size(f->t->dtype))
        return sl_fail(r->err, SL_INVALID_ARGUMENT, "Row %lld does not have \"%.*s\" once, as row 0", (long long)r->at,
                       SL_STR_ARG(f->name));
    return fill(f, j, 1);
}

static sl_code read_row(struct rows *r, struct sl_json *j) {
    bool has_names;
    SL_TRY(names_inputs(&has_names, j, r->arena, r->err));
    if (!has_names) {
        if (r->signature->n_inputs != 1) return fail_names(r->signature, "\"instances\"", r->err);
        return read_cell(r, j, 0);
    }
    for (sl_json_enter(j); sl_json_next(j);) {
        int input;
        SL_TRY(read_name(&input, r->signature, j, r->arena, r->err));
        SL_TRY(read_cell(r, j, input));
    }
    return SL_OK;
}

static sl_code check_rows(const struct rows *r) {
    for (int i = 0; i < r->signature->n_inputs; i++) {
        const struct filled *f = &r->filled[i];
        if (f->t && f->at != (char *)f->t->data + f->t->bytes)
            return sl_fail(r->err, SL_INVALID_ARGUMENT, "Not all rows have an input \"%.*s\", as row 0 has",
                           SL_STR_ARG(f->name));
    }
    return SL_OK;
}

sl_code sl_json_rows_read(struct sl_tensor **inputs, const struct sl_served_signature *signature, struct sl_str text,
                          struct sl_arena *arena, struct sl_error *err) {
    struct sl_json j = sl_json_begin(text);
    if (sl_json_kind(&j) != SL_JSON_LIST)
        return sl_fail(err, SL_INVALID_ARGUMENT, "\"instances\" must be a list, not %s",
                       sl_json_kind_name(sl_json_kind(&j)));
    struct rows r = {signature, inputs, NULL, (int64_t)sl_json_count(&j), 0, text.n, arena, err};
    if (r.n == 0) return sl_fail(err, SL_INVALID_ARGUMENT, "\"instances\" has no values");
    r.filled = SL_ARENA_ARRAY(arena, struct filled, (size_t)signature->n_inputs + 1);
    if (!r.filled) return sl_fail_memory(err, (size_t)signature->n_inputs * sizeof *r.filled);
    for (sl_json_enter(&j); sl_json_next(&j); r.at++) SL_TRY(read_row(&r, &j));
    return check_rows(&r);
}

static sl_code read_column(struct sl_tensor **inputs, const struct sl_served_signature *s, int input, struct sl_json *j,
                           size_t most, struct sl_arena *arena, struct sl_error *err) {
    struct filled f;
    if (inputs[input])
        return sl_fail(err, SL_INVALID_ARGUMENT, "Input \"%.*s\" is there twice", SL_STR_ARG(s->inputs[input].name));
    SL_TRY(begin(&f, inputs, s, input, j, -1, most, arena, err));
    return fill(&f, j, 0);
}

sl_code sl_json_columns_read(struct sl_tensor **inputs, const struct sl_served_signature *signature, struct sl_str text,
                             struct sl_arena *arena, struct sl_error *err) {
    struct sl_json j = sl_json_begin(text);
    bool has_names;
    SL_TRY(names_inputs(&has_names, &j, arena, err));
    if (!has_names) {
        if (signature->n_inputs != 1) return fail_names(signature, "\"inputs\"", err);
        return read_column(inputs, signature, 0, &j, text.n, arena, err);
    }
    for (sl_json_enter(&j); sl_json_next(&j);) {
        int input;
        SL_TRY(read_name(&input, signature, &j, arena, err));
        SL_TRY(read_column(inputs, signature, input, &j, text.n, arena, err));
    }
    return SL_OK;
}

/* ---- examples */

struct feature {
    int which; /* of struct sl_pb_Feature; 0: there is no value yet */
    SL_VEC(struct sl_str) strings;
    SL_VEC(float) floats;
    SL_VEC(int64_t) integers;
};

static bool has_point(struct sl_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (strchr(".eENI", s.p[i])) return true;
    return false;
}

/* Whole numbers and others in one list are numbers with a point. */
static sl_code turn_to_floats(struct feature *f, struct sl_error *err) {
    for (size_t i = 0; i < f->integers.n; i++)
        if (sl_vec_push(&f->floats, (float)f->integers.items[i])) return sl_fail_memory(err, f->integers.n);
    f->integers.n = 0;
    f->which = SL_PB_Feature_float_list;
    return SL_OK;
}

static sl_code add_value(struct feature *f, struct sl_json *j, struct sl_arena *arena, struct sl_error *err) {
    struct sl_str s;
    bool is_string, is_full;
    float number;
    int64_t integer;
    SL_TRY(read_bytes(&is_string, &s, j, arena, err));
    int which = SL_PB_Feature_bytes_list;
    if (!is_string) {
        if (sl_json_kind(j) != SL_JSON_NUMBER)
            return sl_fail(err, SL_INVALID_ARGUMENT, "the value of a feature is %s",
                           sl_json_kind_name(sl_json_kind(j)));
        s = sl_json_number(j);
        which = has_point(s) ? SL_PB_Feature_float_list : SL_PB_Feature_int64_list;
    }
    if (f->which == SL_PB_Feature_int64_list && which == SL_PB_Feature_float_list) SL_TRY(turn_to_floats(f, err));
    if (f->which == SL_PB_Feature_float_list && which == SL_PB_Feature_int64_list) which = f->which;
    if (f->which && f->which != which) return sl_fail(err, SL_INVALID_ARGUMENT, "a feature has numbers and strings");
    f->which = which;
    if (which == SL_PB_Feature_bytes_list) is_full = sl_vec_push(&f->strings, s);
    else if (which == SL_PB_Feature_float_list && read_float(&number, s)) is_full = sl_vec_push(&f->floats, number);
    else if (which == SL_PB_Feature_int64_list && sl_number_read(&integer, SL_INT64, s))
        is_full = sl_vec_push(&f->integers, integer);
    else return sl_fail(err, SL_INVALID_ARGUMENT, "number out of range");
    return is_full ? sl_fail_memory(err, f->strings.n) : SL_OK;
}

/* Encodes the map's entry, within Features within Example: such messages one behind the other are one Example. */
static sl_code put_feature(struct sl_text *to, const struct feature *f, struct sl_str name, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_pb_BytesList strings = {.value = {f->strings.items, f->strings.n}};
    struct sl_pb_FloatList floats = {.value = {f->floats.items, f->floats.n}};
    struct sl_pb_Int64List integers = {.value = {f->integers.items, f->integers.n}};
    struct sl_pb_entry_string_Feature entry = {.key = name, .value = {.which = f->which}};
    struct sl_str bytes;
    if (f->which == SL_PB_Feature_bytes_list) entry.value.bytes_list = &strings;
    if (f->which == SL_PB_Feature_float_list) entry.value.float_list = &floats;
    if (f->which == SL_PB_Feature_int64_list) entry.value.int64_list = &integers;
    struct sl_pb_Features features = {.feature = {&entry, 1}};
    struct sl_pb_Example example = {.features = &features};
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE_OF(Example), &example, 0, arena, err));
    sl_text_add(to, bytes);
    return SL_OK;
}

static sl_code read_feature(struct sl_text *to, struct feature *f, struct sl_json *j, struct sl_arena *arena,
                            struct sl_error *err) {
    struct sl_str name;
    SL_TRY(sl_json_name(&name, j, arena, err));
    sl_code code = SL_OK;
    if (sl_json_kind(j) == SL_JSON_LIST)
        for (sl_json_enter(j); code == SL_OK && sl_json_next(j);) code = add_value(f, j, arena, err);
    else code = add_value(f, j, arena, err);
    if (code == SL_OK) code = put_feature(to, f, name, arena, err);
    else if (err) sl_error_append(err, ", in feature \"%.*s\"", SL_STR_ARG(name));
    return code;
}

sl_code sl_json_example_read(struct sl_str *out, struct sl_str text, struct sl_arena *arena, struct sl_error *err) {
    struct sl_json j = sl_json_begin(text);
    struct sl_text all = {.n = 0};
    sl_code code = SL_OK;
    if (sl_json_kind(&j) != SL_JSON_OBJECT)
        return sl_fail(err, SL_INVALID_ARGUMENT, "an example must be an object, not %s",
                       sl_json_kind_name(sl_json_kind(&j)));
    for (sl_json_enter(&j); code == SL_OK && sl_json_next(&j);) {
        struct feature f = {.which = 0};
        code = read_feature(&all, &f, &j, arena, err);
        sl_vec_free(&f.strings);
        sl_vec_free(&f.floats);
        sl_vec_free(&f.integers);
    }
    if (code == SL_OK) *out = sl_arena_str(arena, (struct sl_str){all.p ? all.p : "", all.n});
    if (code == SL_OK && (all.is_broken || !out->p)) code = sl_fail_memory(err, all.n);
    sl_text_free(&all);
    return code;
}

/* ---- writing */

static void put_scalar(struct sl_text *to, int dtype, const void *at, bool is_base64) {
    switch (dtype) {
    case SL_FLOAT: sl_json_put_float(to, *(const float *)at); break;
    case SL_DOUBLE: sl_json_put_double(to, *(const double *)at); break;
    case SL_HALF: sl_json_put_float(to, sl_float_of_half(*(const sl_half *)at)); break;
    case SL_BFLOAT16: sl_json_put_float(to, sl_float_of_bfloat16(*(const sl_bfloat16 *)at)); break;
    case SL_BOOL: sl_text_words(to, *(const bool *)at ? "true" : "false"); break;
    case SL_INT8: sl_text_format(to, "%d", *(const int8_t *)at); break;
    case SL_INT16: sl_text_format(to, "%d", *(const int16_t *)at); break;
    case SL_INT32: sl_text_format(to, "%d", *(const int32_t *)at); break;
    case SL_INT64: sl_text_format(to, "%lld", (long long)*(const int64_t *)at); break;
    case SL_UINT8: sl_text_format(to, "%u", *(const uint8_t *)at); break;
    case SL_UINT16: sl_text_format(to, "%u", *(const uint16_t *)at); break;
    case SL_UINT32: sl_text_format(to, "%u", *(const uint32_t *)at); break;
    case SL_UINT64: sl_text_format(to, "%llu", (unsigned long long)*(const uint64_t *)at); break;
    default:
        if (!is_base64) {
            sl_json_put_string(to, sl_string_get(at));
            break;
        }
        sl_text_words(to, "{\"b64\": \"");
        sl_base64_put(to, sl_string_get(at));
        sl_text_words(to, "\"}");
    }
}

/* The elements from axis `dim` on; `at` goes behind them. */
static void put_elements(struct sl_text *to, const struct sl_tensor *t, int dim, const char **at, bool is_base64) {
    if (dim == t->rank) {
        put_scalar(to, t->dtype, *at, is_base64);
        *at += sl_dtype_size(t->dtype);
        return;
    }
    sl_text_byte(to, '[');
    for (int64_t i = 0; i < t->dims[dim]; i++) {
        if (i) sl_text_words(to, ", ");
        put_elements(to, t, dim + 1, at, is_base64);
    }
    sl_text_byte(to, ']');
}

static bool wants_base64(const struct sl_served_port *p) {
    return p->name.n >= 6 && memcmp(p->name.p + p->name.n - 6, "_bytes", 6) == 0;
}

static sl_code check_outputs(const struct sl_served_signature *s, struct sl_tensor *const *outputs,
                             struct sl_error *err) {
    for (int i = 0; i < s->n_outputs; i++)
        if (!sl_set_has(SL_SET_REAL | SL_SET(BOOL) | SL_SET(STRING), outputs[i]->dtype) || outputs[i]->is_elsewhere)
            return sl_fail(err, SL_UNIMPLEMENTED, "Output \"%.*s\" has type %s, which JSON has no form for",
                           SL_STR_ARG(s->outputs[i].name), sl_dtype_name(outputs[i]->dtype));
    return SL_OK;
}

static sl_code check_lasted(const struct sl_text *to, struct sl_error *err) {
    return to->is_broken ? sl_fail_memory(err, to->n) : SL_OK;
}

sl_code sl_json_rows_put(struct sl_text *to, const struct sl_served_signature *s, struct sl_tensor *const *outputs,
                         struct sl_error *err) {
    int64_t n = 0;
    SL_TRY(check_outputs(s, outputs, err));
    for (int i = 0; i < s->n_outputs; i++) {
        if (!outputs[i]->rank || (i && outputs[i]->dims[0] != n))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Output \"%.*s\" has no row for each instance: ask in the form of columns (\"inputs\")",
                           SL_STR_ARG(s->outputs[i].name));
        n = outputs[i]->dims[0];
    }
    sl_text_byte(to, '[');
    for (int64_t row = 0; row < n; row++) {
        sl_text_words(to, row ? ",\n        " : "");
        if (s->n_outputs != 1) sl_text_byte(to, '{');
        for (int i = 0; i < s->n_outputs; i++) {
            const struct sl_tensor *t = outputs[i];
            const char *at = (const char *)t->data + (size_t)(t->count / n * row) * sl_dtype_size(t->dtype);
            sl_text_words(to, i ? ", " : "");
            if (s->n_outputs != 1) {
                sl_json_put_string(to, s->outputs[i].name);
                sl_text_words(to, ": ");
            }
            put_elements(to, t, 1, &at, wants_base64(&s->outputs[i]));
        }
        if (s->n_outputs != 1) sl_text_byte(to, '}');
    }
    sl_text_byte(to, ']');
    return check_lasted(to, err);
}

sl_code sl_json_columns_put(struct sl_text *to, const struct sl_served_signature *s, struct sl_tensor *const *outputs,
                            struct sl_error *err) {
    SL_TRY(check_outputs(s, outputs, err));
    if (s->n_outputs != 1) sl_text_byte(to, '{');
    for (int i = 0; i < s->n_outputs; i++) {
        const char *at = outputs[i]->data;
        if (s->n_outputs != 1) {
            sl_text_words(to, i ? ",\n        " : "\n        ");
            sl_json_put_string(to, s->outputs[i].name);
            sl_text_words(to, ": ");
        }
        put_elements(to, outputs[i], 0, &at, wants_base64(&s->outputs[i]));
    }
    if (s->n_outputs != 1) sl_text_words(to, "\n    }");
    return check_lasted(to, err);
}
