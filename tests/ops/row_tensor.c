/* Tensors in the grammar of rows: read, made, printed and compared. */
#include "ops/op_rows.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensor/float16.h"

void row_skip_blanks(struct row_text *text) {
    while (*text->at == ' ' || *text->at == '\t') text->at++;
}

struct sl_str row_word(struct row_text *text) {
    row_skip_blanks(text);
    struct sl_str word = {text->at, 0};
    while (isalnum((unsigned char)word.p[word.n]) || word.p[word.n] == '_') word.n++;
    text->at += word.n;
    return word;
}

int row_dtype(const struct op_row *row, struct sl_str word) {
    for (int s = 0; s < row->n_stars; s++)
        if (sl_str_eq(word, row->stars[s].attr)) return row->stars[s].dtype;
    return sl_dtype_from_name(word);
}

static sl_code wrong(struct row_text *text, const char *what) {
    return sl_fail(&text->row->err, SL_INVALID_ARGUMENT, "%s, not '%.40s'", what, text->at);
}

static int escaped(struct row_text *text) {
    char c = *text->at++;
    if (c == 'n') return '\n';
    if (c == 't') return '\t';
    if (c == 'r') return '\r';
    if (c != 'x') return c;
    char digits[3] = {text->at[0], text->at[0] ? text->at[1] : '\0', '\0'};
    text->at += strlen(digits);
    return (int)strtol(digits, NULL, 16);
}

sl_code row_string(struct sl_str *out, struct row_text *text) {
    row_skip_blanks(text);
    if (*text->at != '"') return wrong(text, "expected a string");
    text->at++;
    char *bytes = sl_arena_alloc(text->row->arena, strlen(text->at) + 1);
    size_t n = 0;
    if (!bytes) return sl_fail_memory(&text->row->err, strlen(text->at));
    while (*text->at && *text->at != '"') {
        char c = *text->at++;
        bytes[n++] = c == '\\' && *text->at ? (char)escaped(text) : c;
    }
    if (*text->at != '"') return wrong(text, "expected the end of a string");
    text->at++;
    bytes[n] = '\0';
    *out = (struct sl_str){bytes, n};
    return SL_OK;
}

sl_code row_shape(struct sl_shape *out, struct row_text *text) {
    row_skip_blanks(text);
    char close = *text->at == '<' ? '>' : ']';
    int64_t dims[SL_MAX_RANK];
    int rank = 0;
    if (*text->at != '<' && *text->at != '[') return wrong(text, "expected a shape");
    text->at++;
    if (text->at[0] == '?' && text->at[1] == close) {
        text->at += 2;
        *out = SL_SHAPE_UNKNOWN;
        return SL_OK;
    }
    for (row_skip_blanks(text); *text->at != close; row_skip_blanks(text)) {
        char *end;
        if (rank == SL_MAX_RANK) return wrong(text, "too many dimensions");
        dims[rank++] = *text->at == '?' ? -1 : strtoll(text->at, &end, 10);
        if (*text->at == '?') end = (char *)text->at + 1;
        if (end == text->at) return wrong(text, "expected a dimension");
        text->at = end;
        row_skip_blanks(text);
        if (*text->at == ',') text->at++;
    }
    text->at++;
    *out = sl_shape_copy(text->row->arena, (struct sl_shape){rank, dims});
    return out->rank == -2 ? sl_fail_memory(&text->row->err, sizeof dims) : SL_OK;
}

/* ---- elements */

/* A number as written: a whole number keeps all its bits. */
struct number {
    double real, imaginary;
    float single; /* `real` read as a float, rounded once */
    uint64_t whole;
    bool is_whole;
};

static struct number number_of(double real) {
    struct number n = {.real = real, .single = (float)real};
    if (isnan(real)) return n;
    n.whole = real >= 9.2233720368547758e18    ? real >= 1.8446744073709552e19 ? UINT64_MAX : (uint64_t)real
              : real <= -9.2233720368547758e18 ? (uint64_t)INT64_MIN
                                               : (uint64_t)(int64_t)real;
    return n;
}

static void set_element(struct sl_tensor *t, int64_t i, struct number n) {
    switch (t->dtype) {
    case SL_FLOAT: ((float *)t->data)[i] = n.single; break;
    case SL_DOUBLE: ((double *)t->data)[i] = n.real; break;
    case SL_HALF: ((sl_half *)t->data)[i] = sl_half_of_float(n.single); break;
    case SL_BFLOAT16: ((sl_bfloat16 *)t->data)[i] = sl_bfloat16_of_float(n.single); break;
    case SL_COMPLEX64:
        ((float *)t->data)[2 * i] = n.single;
        ((float *)t->data)[2 * i + 1] = (float)n.imaginary;
        break;
    case SL_COMPLEX128:
        ((double *)t->data)[2 * i] = n.real;
        ((double *)t->data)[2 * i + 1] = n.imaginary;
        break;
    case SL_BOOL: ((bool *)t->data)[i] = n.whole != 0; break;
    default:
        switch (sl_dtype_size(t->dtype)) {
        case 1: ((uint8_t *)t->data)[i] = (uint8_t)n.whole; break;
        case 2: ((uint16_t *)t->data)[i] = (uint16_t)n.whole; break;
        case 4: ((uint32_t *)t->data)[i] = (uint32_t)n.whole; break;
        default: ((uint64_t *)t->data)[i] = n.whole; break;
        }
    }
}

/* "-3", "1.5e3", "nan", "-inf", "true". */
static sl_code read_real(struct number *out, struct row_text *text) {
    char *end, *whole_end;
    row_skip_blanks(text);
    if (strncmp(text->at, "true", 4) == 0 || strncmp(text->at, "false", 5) == 0) {
        *out = number_of(*text->at == 't');
        text->at += *text->at == 't' ? 4 : 5;
        return SL_OK;
    }
    double real = strtod(text->at, &end);
    if (end == text->at) return wrong(text, "expected a number");
    *out = number_of(real);
    out->single = strtof(text->at, NULL);
    uint64_t whole =
        *text->at == '-' ? (uint64_t)strtoll(text->at, &whole_end, 10) : strtoull(text->at, &whole_end, 10);
    if (whole_end == end) out->whole = whole;
    text->at = end;
    return SL_OK;
}

/* A real number, or "1+2j", "2j". */
static sl_code read_number(struct number *out, struct row_text *text) {
    SL_TRY(read_real(out, text));
    if (*text->at == 'j') {
        text->at++;
        out->imaginary = out->real;
        out->real = out->single = 0;
    } else if (*text->at == '+' || *text->at == '-') {
        struct number imaginary;
        SL_TRY(read_real(&imaginary, text));
        if (*text->at++ != 'j') return wrong(text, "expected the j of a complex number");
        out->imaginary = imaginary.real;
    }
    return SL_OK;
}

/* ---- made elements; tests/ops/fill makes the same ones */

/* The n-th number of a seed, in [0, 1): splitmix64. */
static double uniform_at(uint64_t seed, uint64_t n) {
    uint64_t z = seed * UINT64_C(0x2545f4914f6cdd1d) + (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Close to normal: the sum of twelve, less six. Sums of doubles in order are the same everywhere. */
static double normal_at(uint64_t seed, uint64_t n) {
    double sum = 0;
    for (uint64_t i = 0; i < 12; i++) sum += uniform_at(seed, n * 12 + i);
    return sum - 6;
}

enum made { MADE_RAMP, MADE_NORMAL, MADE_UNIFORM };

static double made_at(enum made how, const double *a, int64_t i) {
    if (how == MADE_RAMP) return a[0] + (double)i * a[1];
    double v = how == MADE_NORMAL ? normal_at((uint64_t)a[0], (uint64_t)i)
                                  : a[1] + uniform_at((uint64_t)a[0], (uint64_t)i) * (a[2] - a[1]);
    return v;
}

static sl_code make_elements(struct sl_tensor *t, enum made how, struct row_text *text) {
    double a[3] = {0};
    for (int i = 0; *text->at != ')'; i++) {
        struct number n;
        if (i == 3) return wrong(text, "too many arguments");
        SL_TRY(read_real(&n, text));
        a[i] = n.real;
        row_skip_blanks(text);
        if (*text->at == ',') text->at++;
    }
    text->at++;
    bool is_complex = t->dtype == SL_COMPLEX64 || t->dtype == SL_COMPLEX128;
    bool is_whole = sl_set_has(SL_SET_INTEGERS | SL_SET_QUANTIZED | SL_SET(BOOL), t->dtype);
    for (int64_t i = 0; i < t->count; i++) {
        bool is_pair = is_complex && how != MADE_RAMP;
        double real = made_at(how, a, is_pair ? 2 * i : i);
        struct number n = number_of(is_whole ? floor(real) : real);
        if (is_pair) n.imaginary = made_at(how, a, 2 * i + 1);
        set_element(t, i, n);
    }
    return SL_OK;
}

static bool take_call(struct row_text *text, const char *name) {
    size_t n = strlen(name);
    row_skip_blanks(text);
    if (strncmp(text->at, name, n) != 0) return false;
    text->at += n;
    return true;
}

static bool is_at_end(struct row_text *text) {
    row_skip_blanks(text);
    return !*text->at || strchr(";,)]}", *text->at);
}

static sl_code read_values(int64_t *n, struct sl_tensor *t, struct row_text *text) {
    for (*n = 0; !is_at_end(text); ++*n) {
        struct number number;
        struct sl_str string;
        if (*n == t->count) return wrong(text, "more values than elements");
        if (t->dtype == SL_STRING) {
            SL_TRY(row_string(&string, text));
            SL_TRY(sl_string_set((TF_TString *)t->data + *n, string, &text->row->err));
        } else {
            SL_TRY(read_number(&number, text));
            set_element(t, *n, number);
        }
    }
    return SL_OK;
}

static sl_code read_elements(struct sl_tensor *t, struct row_text *text) {
    int64_t n;
    if (take_call(text, "ramp(")) return make_elements(t, MADE_RAMP, text);
    if (take_call(text, "normal(")) return make_elements(t, MADE_NORMAL, text);
    if (take_call(text, "uniform(")) return make_elements(t, MADE_UNIFORM, text);
    SL_TRY(read_values(&n, t, text));
    if (n != t->count && n != 1) return wrong(text, "fewer values than elements");
    size_t size = sl_dtype_size(t->dtype);
    for (; n < t->count; n++) {
        if (t->dtype != SL_STRING) memcpy((char *)t->data + (size_t)n * size, t->data, size);
        else SL_TRY(sl_string_set((TF_TString *)t->data + n, sl_string_get(t->data), &text->row->err));
    }
    return SL_OK;
}

enum { MOST_SAMPLES = 256 };

/* "sample(v v v)": read into a vector as long as there are values. */
static sl_code read_samples(struct row_want *out, struct row_text *text) {
    struct sl_tensor *all, *samples;
    int64_t n;
    struct sl_error *err = &text->row->err;
    out->is_sample = true;
    SL_TRY(sl_tensor_new(&all, out->dtype, (struct sl_shape){1, (const int64_t[]){MOST_SAMPLES}}, err));
    sl_code code = read_values(&n, all, text);
    if (code == SL_OK && *text->at++ != ')') code = wrong(text, "expected )");
    if (code == SL_OK) code = sl_tensor_new(&samples, out->dtype, (struct sl_shape){1, &n}, err);
    if (code == SL_OK) code = sl_elements_copy(out->dtype, samples->data, all->data, n, err);
    if (code == SL_OK) out->t = samples;
    sl_tensor_unref(all);
    return code;
}

sl_code row_tensor(struct row_want *out, struct row_text *text, bool is_result) {
    memset(out, 0, sizeof *out);
    struct sl_str word = row_word(text);
    out->dtype = row_dtype(text->row, word);
    if (!out->dtype) {
        text->at -= word.n;
        return wrong(text, "expected a tensor");
    }
    SL_TRY(row_shape(&out->shape, text));
    if (is_result && take_call(text, "_")) return SL_OK;
    if (is_result && take_call(text, "sample(")) return read_samples(out, text);
    SL_TRY(sl_tensor_new(&out->t, out->dtype, out->shape, &text->row->err));
    if (!sl_dtype_is_plain(out->dtype) && out->dtype != SL_STRING) {
        return wrong(text, "no elements of this type can be written");
    }
    return read_elements(out->t, text);
}

/* ---- printing */

static double real_at(const struct sl_tensor *t, int64_t i, int part) {
    switch (t->dtype) {
    case SL_FLOAT: return ((const float *)t->data)[i];
    case SL_DOUBLE: return ((const double *)t->data)[i];
    case SL_HALF: return sl_float_of_half(((const sl_half *)t->data)[i]);
    case SL_BFLOAT16: return sl_float_of_bfloat16(((const sl_bfloat16 *)t->data)[i]);
    case SL_COMPLEX64: return ((const float *)t->data)[2 * i + part];
    default: return ((const double *)t->data)[2 * i + part];
    }
}

static void print_string(char *text, size_t room, struct sl_str s) {
    size_t n = 0;
    text[n++] = '"';
    for (size_t i = 0; i < s.n && n + 8 < room; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\') text[n++] = '\\';
        if (c >= ' ' && c < 127) text[n++] = (char)c;
        else n += (size_t)sprintf(text + n, "\\x%02x", c);
    }
    strcpy(text + n, "\"");
}

static void print_element(char *text, size_t room, const struct sl_tensor *t, int64_t i) {
    static const char *const formats[] = {[SL_FLOAT] = "%.9g",   [SL_COMPLEX64] = "%.9g",   [SL_HALF] = "%.5g",
                                          [SL_DOUBLE] = "%.17g", [SL_COMPLEX128] = "%.17g", [SL_BFLOAT16] = "%.4g"};
    const void *at = (const char *)t->data + (size_t)i * sl_dtype_size(t->dtype);
    if (t->dtype == SL_STRING) print_string(text, room, sl_string_get(at));
    else if (sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, t->dtype)) {
        char format[16];
        size_t n = (size_t)snprintf(text, room, formats[t->dtype], real_at(t, i, 0));
        if (!sl_set_has(SL_SET_COMPLEX, t->dtype)) return;
        snprintf(format, sizeof format, "%%+%sj", formats[t->dtype] + 1);
        snprintf(text + n, room - n, format, real_at(t, i, 1));
    } else if (sl_set_has(SL_SET_UNSIGNED | SL_SET(QUINT8) | SL_SET(QUINT16) | SL_SET(BOOL) | SL_SET(UINT4),
                          t->dtype)) {
        uint64_t v = 0;
        memcpy(&v, at, sl_dtype_size(t->dtype));
        snprintf(text, room, "%" PRIu64, v);
    } else {
        int64_t v = 0;
        size_t size = sl_dtype_size(t->dtype);
        memcpy((char *)&v + 8 - size, at, size);
        snprintf(text, room, "%" PRId64, v >> (64 - 8 * size));
    }
}

const char *row_print(char text[ROW_MESSAGE], const struct sl_tensor *t) {
    if (!t) return strcpy(text, "nothing");
    char shape[SL_SHAPE_TEXT];
    size_t n =
        (size_t)snprintf(text, ROW_MESSAGE, "%s%s", sl_dtype_name(t->dtype), sl_shape_text(shape, sl_tensor_shape(t)));
    if (!sl_dtype_is_plain(t->dtype) && t->dtype != SL_STRING) return text;
    for (int64_t i = 0; i < t->count; i++) {
        char element[256];
        print_element(element, sizeof element, t, i);
        if (n + strlen(element) + 8 > ROW_MESSAGE / 3) {
            strcpy(text + n, " ...");
            break;
        }
        n += (size_t)sprintf(text + n, " %s", element);
    }
    return text;
}

/* ---- comparing */

static double tolerance(int dtype) {
    switch (dtype) {
    case SL_HALF: return 4e-3;
    case SL_BFLOAT16: return 2e-2;
    case SL_FLOAT:
    case SL_COMPLEX64: return 1e-4;
    default: return 1e-9;
    }
}

/* Finite numbers: within the tolerance of the number itself and a tenth of it of the largest; others exactly. */
static bool is_near(double a, double b, double largest, double tolerance) {
    if (a == b || (isnan(a) && isnan(b))) return true;
    return isfinite(a) && isfinite(b) && fabs(a - b) <= tolerance * fabs(a) + tolerance / 10 * largest + 1e-30;
}

static double largest_of(const struct sl_tensor *t, int parts) {
    double largest = 0;
    for (int64_t i = 0; i < t->count; i++)
        for (int p = 0; p < parts; p++) {
            double v = fabs(real_at(t, i, p));
            if (isfinite(v) && v > largest) largest = v;
        }
    return largest;
}

static bool element_agrees(const struct sl_tensor *want, int64_t i, const struct sl_tensor *got, int64_t at, int parts,
                           double largest) {
    size_t size = sl_dtype_size(want->dtype);
    if (want->dtype == SL_STRING)
        return sl_str_eq(sl_string_get((const TF_TString *)want->data + i),
                         sl_string_get((const TF_TString *)got->data + at));
    if (!parts)
        return !memcmp((const char *)want->data + (size_t)i * size, (const char *)got->data + (size_t)at * size, size);
    for (int p = 0; p < parts; p++)
        if (!is_near(real_at(want, i, p), real_at(got, at, p), largest, tolerance(want->dtype))) return false;
    return true;
}

const char *row_difference(char text[ROW_MESSAGE], const struct row_want *want, const struct sl_tensor *got) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT], one[256], other[256];
    if (!got) return strcpy(text, "no result");
    if (want->dtype != got->dtype || !sl_shape_equal(want->shape, sl_tensor_shape(got))) {
        snprintf(text, ROW_MESSAGE, "expected %s%s, got %s%s", sl_dtype_name(want->dtype),
                 sl_shape_text(a, want->shape), sl_dtype_name(got->dtype), sl_shape_text(b, sl_tensor_shape(got)));
        return text;
    }
    if (!want->t) return NULL;
    const struct sl_tensor *t = want->t;
    int parts = sl_set_has(SL_SET_FLOATS, t->dtype) ? 1 : sl_set_has(SL_SET_COMPLEX, t->dtype) ? 2 : 0;
    double largest = parts ? largest_of(t, parts) : 0;
    for (int64_t i = 0; i < t->count; i++) {
        int64_t at = !want->is_sample || t->count < 2 ? i : i * (got->count - 1) / (t->count - 1);
        if (at < got->count && element_agrees(t, i, got, at, parts, largest)) continue;
        print_element(one, sizeof one, t, i);
        print_element(other, sizeof other, got, at);
        snprintf(text, ROW_MESSAGE, "element %" PRId64 " of %s: expected %s, got %s", at, sl_dtype_name(got->dtype),
                 one, other);
        return text;
    }
    return NULL;
}

bool row_same_bits(const struct sl_tensor *a, const struct sl_tensor *b) {
    if (!a || !b) return a == b;
    if (a->dtype != b->dtype || !sl_shape_equal(sl_tensor_shape(a), sl_tensor_shape(b))) return false;
    if (sl_dtype_is_plain(a->dtype)) return memcmp(a->data, b->data, a->bytes) == 0;
    for (int64_t i = 0; i < a->count && a->dtype == SL_STRING; i++)
        if (!element_agrees(a, i, b, i, 0, 0)) return false;
    return true;
}
