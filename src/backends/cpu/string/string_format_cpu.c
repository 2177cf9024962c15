/* Numbers and whole tensors as text: AsString, StringFormat. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/number.h"
#include "backends/cpu/string/tensor_text.h"
#include "tensor/float16.h"
#include "tensor/variant_int.h"

/* ---- AsString: every element through one printf format */

enum { WIDEST = 1 << 20 };

struct format {
    char text[48]; /* of a number, as in "%-8.3f" */
    int digits;    /* of a number that is written plainly: behind the point, 0 of integers; else -1 */
    int width;     /* strings: with spaces up to so many bytes, behind them when `is_left` */
    bool is_left;
};

static sl_code fail_type(struct sl_kernel_setup *setup, const char *what) {
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s not supported for datatype %s", what,
                   sl_dtype_name(setup->in_types[0]));
}

static const char *conversion_of(int dtype, bool is_scientific, bool is_shortest) {
    switch (dtype) {
    case SL_INT8:
    case SL_INT16:
    case SL_INT32: return "d";
    case SL_INT64: return PRId64;
    case SL_UINT8:
    case SL_UINT16:
    case SL_UINT32: return "u";
    case SL_UINT64: return PRIu64;
    default: return is_shortest ? "g" : is_scientific ? "e" : "f";
    }
}

static sl_code make_format(struct format *f, struct sl_kernel_setup *setup) {
    const struct sl_attrs *attrs = setup->attrs;
    int dtype = setup->in_types[0];
    int64_t precision, width;
    bool is_scientific, is_shortest;
    struct sl_str fill;
    SL_TRY(sl_attr_int(&precision, attrs, "precision", setup->err));
    SL_TRY(sl_attr_int(&width, attrs, "width", setup->err));
    SL_TRY(sl_attr_bool(&is_scientific, attrs, "scientific", setup->err));
    SL_TRY(sl_attr_bool(&is_shortest, attrs, "shortest", setup->err));
    SL_TRY(sl_attr_string(&fill, attrs, "fill", setup->err));
    bool is_float = sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, dtype);
    if (!is_float && dtype != SL_STRING && (is_scientific || is_shortest))
        return fail_type(setup, "scientific and shortest format");
    if (!is_float && dtype != SL_STRING && precision > -1) return fail_type(setup, "precision");
    if (is_scientific && is_shortest)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Cannot select both scientific and shortest notation");
    if (fill.n > 1) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fill string must be one or fewer characters");
    if (fill.n && !strchr(" +-0#", fill.p[0]))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Fill argument not supported: \"%.*s\"", SL_STR_ARG(fill));
    if (width > WIDEST || precision > WIDEST)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "width and precision must be at most %d", WIDEST);
    int n = snprintf(f->text, sizeof f->text, "%%%.*s", SL_STR_ARG(fill));
    if (width > -1) n += snprintf(f->text + n, sizeof f->text - (size_t)n, "%d", (int)width);
    if (precision > -1) n += snprintf(f->text + n, sizeof f->text - (size_t)n, ".%d", (int)precision);
    snprintf(f->text + n, sizeof f->text - (size_t)n, "%s", conversion_of(dtype, is_scientific, is_shortest));
    f->digits = -1;
    if (width < 0 && !fill.n && !is_scientific && !is_shortest)
        f->digits = !is_float ? 0 : precision < 0 ? 6 : (int)precision;
    f->width = width > -1 ? (int)width : 0;
    f->is_left = fill.n && fill.p[0] == '-';
    return SL_OK;
}

static sl_code format_create(void **state, struct sl_kernel_setup *setup) {
    struct format *f = sl_calloc(1, sizeof *f);
    if (!f) return sl_fail_memory(setup->err, sizeof *f);
    sl_code code = make_format(f, setup);
    if (code == SL_OK) *state = f;
    else sl_free(f);
    return code;
}

/* ---- numbers without a width: as printf writes them, which takes ten times as long */
static char *write_digits(char *end, uint64_t x) {
    do *--end = (char)('0' + x % 10);
    while (x /= 10);
    return end;
}
static void add_integer(struct sl_text *t, int64_t x) {
    char room[24], *end = room + sizeof room;
    char *begin = write_digits(end, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
    if (x < 0) *--begin = '-';
    sl_text_add(t, (struct sl_str){begin, (size_t)(end - begin)});
}
/* The nearest decimal of `digits` digits behind the point, of two the even one. The fraction is taken in steps of
 * 2^-64; of numbers that have smaller parts these may decide next to a half. False: that is not for this number. */
static bool add_decimal(struct sl_text *t, double x, int digits) {
    enum { MOST_DIGITS = 9 };
    const double size = fabs(x);
    if (!(size < 0x1p63) || digits > MOST_DIGITS) return false;
    uint64_t whole = (uint64_t)size, ten = 1;
    const double parts = (size - (double)whole) * 0x1p64;
    const uint64_t fraction = (uint64_t)parts;
    const bool is_inexact = (double)fraction != parts;
    for (int i = 0; i < digits; i++) ten *= 10;
    const unsigned __int128 product = (unsigned __int128)fraction * ten;
    uint64_t decimals = (uint64_t)(product >> 64);
    const uint64_t rest = (uint64_t)product, half = UINT64_C(1) << 63;
    const bool is_odd = (digits ? decimals : whole) & 1;
    if (is_inexact && half - rest <= ten) return false;
    if (rest > half || (rest == half && is_odd)) decimals++;
    if (digits == 0 || decimals == ten) {
        whole += digits ? 1 : decimals;
        decimals = 0;
    }
    char room[48], *end = room + sizeof room, *begin = end;
    if (digits) {
        char *first = write_digits(end, decimals);
        begin = end - digits;
        while (first > begin) *--first = '0';
        *--begin = '.';
    }
    begin = write_digits(begin, whole);
    if (signbit(x)) *--begin = '-';
    sl_text_add(t, (struct sl_str){begin, (size_t)(end - begin)});
    return true;
}
static bool add_plainly(struct sl_text *t, struct sl_view v, int64_t i, const struct format *f) {
    switch (v.dtype) {
    case SL_INT8:
    case SL_INT16:
    case SL_INT32:
    case SL_INT64:
    case SL_UINT8:
    case SL_UINT16:
    case SL_UINT32: add_integer(t, sl_index_at(v, i)); return true;
    case SL_FLOAT:
    case SL_DOUBLE:
    case SL_HALF:
    case SL_BFLOAT16: return add_decimal(t, sl_number_at(v, i), f->digits);
    default: return false;
    }
}

static void add_string(struct sl_text *t, struct sl_str s, const struct format *f) {
    size_t width = (size_t)f->width, spaces = s.n < width ? width - s.n : 0;
    if (f->is_left) sl_text_add(t, s);
    for (size_t i = 0; i < spaces; i++) sl_text_byte(t, ' ');
    if (!f->is_left) sl_text_add(t, s);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define NUMBER(name, T, as)                                                                                            \
    case SL_##name: sl_text_format(t, f->text, (as)((const T *)v.data)[i]); break;
/* "Variant<type: int value: 3>"; of other objects the last word of their type stands for the value. */
static void add_variant(struct sl_text *t, const struct sl_object *o) {
    const char *name = o ? o->type->name : "", *last = strrchr(name, ':');
    int32_t value;
    sl_text_words(t, "Variant<type: ");
    sl_text_words(t, name);
    sl_text_words(t, " value: ");
    if (sl_variant_int_is(&value, o)) sl_text_format(t, "%d", value);
    else sl_text_words(t, last ? last + 1 : name);
    sl_text_byte(t, '>');
}

static void add_element(struct sl_text *t, struct sl_view v, int64_t i, const struct format *f) {
    if (f->digits >= 0 && add_plainly(t, v, i, f)) return;
    switch (v.dtype) {
        NUMBER(INT8, int8_t, int)
        NUMBER(INT16, int16_t, int)
        NUMBER(INT32, int32_t, int)
        NUMBER(INT64, int64_t, int64_t)
        NUMBER(UINT8, uint8_t, unsigned)
        NUMBER(UINT16, uint16_t, unsigned)
        NUMBER(UINT32, uint32_t, unsigned)
        NUMBER(UINT64, uint64_t, uint64_t)
    case SL_FLOAT: sl_text_format(t, f->text, sl_normal_of_float(((const float *)v.data)[i])); break;
    case SL_DOUBLE: sl_text_format(t, f->text, sl_normal_of_double(((const double *)v.data)[i])); break;
    case SL_HALF: sl_text_format(t, f->text, (double)sl_float_of_half(((const sl_half *)v.data)[i])); break;
    case SL_BFLOAT16:
        sl_text_format(t, f->text, sl_normal_of_float(sl_float_of_bfloat16(((const sl_bfloat16 *)v.data)[i])));
        break;
    case SL_COMPLEX64:
    case SL_COMPLEX128:
        for (int part = 0; part < 2; part++) {
            int64_t p = 2 * i + part;
            sl_text_byte(t, part ? ',' : '(');
            sl_text_format(t, f->text,
                           v.dtype == SL_COMPLEX64 ? sl_normal_of_float(((const float *)v.data)[p])
                                                   : sl_normal_of_double(((const double *)v.data)[p]));
        }
        sl_text_byte(t, ')');
        break;
    case SL_BOOL: sl_text_words(t, ((const bool *)v.data)[i] ? "true" : "false"); break;
    case SL_STRING: add_string(t, sl_string_get((const TF_TString *)v.data + i), f); break;
    case SL_VARIANT: add_variant(t, ((struct sl_object *const *)v.data)[i]); break;
    default: break;
    }
}
#pragma GCC diagnostic pop

struct writing {
    struct sl_view in, out;
    const struct format *format;
    atomic_bool is_out_of_memory;
};
static void write_elements(void *arg, int64_t begin, int64_t end) {
    struct writing *w = arg;
    struct sl_text t = {.n = 0};
    for (int64_t i = begin; i < end; i++) {
        sl_text_clear(&t);
        add_element(&t, w->in, i, w->format);
        if (sl_text_store((TF_TString *)w->out.data + i, &t, NULL) == SL_OK) continue;
        atomic_store(&w->is_out_of_memory, true);
        break;
    }
    sl_text_free(&t);
}

static sl_code as_string_run(struct sl_kernel_context *k) {
    struct writing w = {.in = sl_in(k, 0), .format = k->state};
    SL_TRY(sl_out_new(&w.out, k, 0, sl_view_shape(w.in)));
    sl_kernel_split(k, w.in.count, 80, write_elements, &w);
    return atomic_load(&w.is_out_of_memory) ? sl_fail_memory(k->err, (size_t)w.in.count * sizeof(TF_TString)) : SL_OK;
}

/* ---- StringFormat: inputs in the place of the template's placeholders */

struct template {
    struct sl_text text;
    struct sl_text placeholder;
    int64_t edge; /* elements shown at either end of a dimension; below 0: all */
};

static void template_destroy(void *state) {
    struct template *t = state;
    sl_text_free(&t->text);
    sl_text_free(&t->placeholder);
    sl_free(t);
}

/* The text before the next placeholder; `*rest` goes behind it. False: there is none. An empty placeholder stands
 * between any two characters. */
static bool next_piece(struct sl_str *piece, struct sl_str *rest, struct sl_str placeholder) {
    *piece = *rest;
    if (placeholder.n == 0) {
        if (rest->n < 2) return false;
        piece->n = 1;
    } else {
        const char *at = rest->n ? memmem(rest->p, rest->n, placeholder.p, placeholder.n) : NULL;
        if (!at) return false;
        piece->n = (size_t)(at - rest->p);
    }
    size_t taken = piece->n + placeholder.n;
    *rest = (struct sl_str){rest->p + taken, rest->n - taken};
    return true;
}

static sl_code template_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str text, placeholder, piece;
    int64_t edge;
    SL_TRY(sl_attr_string(&text, setup->attrs, "template", setup->err));
    SL_TRY(sl_attr_string(&placeholder, setup->attrs, "placeholder", setup->err));
    SL_TRY(sl_attr_int(&edge, setup->attrs, "summarize", setup->err));
    int n = 0;
    for (struct sl_str rest = text; next_piece(&piece, &rest, placeholder);) n++;
    if (n != setup->n_in)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "num placeholders in template and num inputs must match: %d vs. %d", n, setup->n_in);
    struct template *t = sl_calloc(1, sizeof *t);
    if (!t) return sl_fail_memory(setup->err, sizeof *t);
    sl_text_add(&t->text, text);
    sl_text_add(&t->placeholder, placeholder);
    t->edge = edge;
    *state = t;
    if (!t->text.is_broken && !t->placeholder.is_broken) return SL_OK;
    template_destroy(t);
    return sl_fail_memory(setup->err, text.n);
}

static sl_code string_format_run(struct sl_kernel_context *k) {
    const struct template *t = k->state;
    struct sl_str rest = sl_text_str(&t->text), piece;
    struct sl_text text = {.n = 0};
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    for (int i = 0; next_piece(&piece, &rest, sl_text_str(&t->placeholder)) && i < sl_in_count(k); i++) {
        sl_text_add(&text, piece);
        sl_text_add_tensor(&text, sl_in(k, i), t->edge);
    }
    sl_text_add(&text, rest);
    sl_code code = sl_text_store(out.data, &text, k->err);
    sl_text_free(&text);
    return code;
}

#define AS_STRING SL_SET_REAL | SL_SET_COMPLEX | SL_SET(BOOL) | SL_SET(STRING) | SL_SET(VARIANT)

/* clang-format off */
const struct sl_kernel_def sl_cpu_string_format_rows[] = {
    KERNEL("AsString", RULE("T", AS_STRING), .create = format_create, .destroy = sl_free, .run = as_string_run, .cost_element = 200)
    KERNEL("StringFormat", NO_RULE, .create = template_create, .destroy = template_destroy, .run = string_format_run, .cost_ns = 500)
    SL_ROWS_END
};
/* clang-format on */
