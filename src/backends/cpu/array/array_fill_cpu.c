/* Tensors made of little: constants, ranges, one-hot rows; and checks of all elements. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/number.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/types.inc"
#include "base/alloc.h"
#include "kernel/variant.h"

/* ---- Fill, Empty, ZerosLike, OnesLike */

/* A vector of dims, or a scalar for a vector of one. */
static sl_code read_dims(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k, int i) {
    struct sl_view v = sl_in(k, i);
    int64_t count;
    if (v.rank > 1) return sl_invalid(k, "dims must represent a vector, got shape %s", SHAPE_OF(v));
    if (v.count > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %" PRId64, v.count);
    sl_indices_load(dims, v, 0, v.count);
    *out = (struct sl_shape){(int)v.count, dims};
    for (int d = 0; d < out->rank; d++)
        if (dims[d] < 0) return sl_invalid(k, "Dimension %" PRId64 " must be >= 0", dims[d]);
    return sl_shape_count(&count, *out, k->err);
}

static bool is_zero(struct sl_view scalar) {
    static const char zeros[16];
    return sl_dtype_is_plain(scalar.dtype) && !memcmp(scalar.data, zeros, sl_dtype_size(scalar.dtype));
}

static sl_code fill_run(struct sl_kernel_context *k) {
    struct sl_view value = sl_in(k, 1), y;
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_dims(&shape, dims, k, 0));
    if (value.count != 1) return sl_invalid(k, "value must represent a scalar, got shape %s", SHAPE_OF(value));
    SL_TRY(sl_out_new(&y, k, 0, shape));
    if (is_zero(value)) {
        sl_move_zero(k, y);
        return SL_OK;
    }
    return sl_move_fill(k, y.dtype, y.data, value.data, y.count);
}

/* Zeroed whether asked or not: what a step gives must not depend on what memory held. */
static sl_code empty_run(struct sl_kernel_context *k) {
    struct sl_view y;
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_dims(&shape, dims, k, 0));
    SL_TRY(sl_out_new(&y, k, 0, shape));
    sl_move_zero(k, y);
    return SL_OK;
}

static sl_code zeros_like_run(struct sl_kernel_context *k) {
    struct sl_view y;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(sl_in(k, 0)), 0, 1));
    sl_move_zero(k, y);
    return SL_OK;
}

static sl_code zeros_like_variant_run(struct sl_kernel_context *k) {
    return sl_value_zeros(sl_out_value(k, 0), sl_in_value(k, 0), NULL, k->err);
}

static sl_code ones_like_run(struct sl_kernel_context *k) {
    struct sl_view y;
    SL_TRY(sl_out_reuse(&y, k, 0, sl_view_shape(sl_in(k, 0)), 0, 1));
    return sl_move_fill(k, y.dtype, y.data, sl_one(y.dtype), y.count);
}

#define LIKE_SCALARS(size)                                                                                             \
    static void zero_scalar_##size(void *out, const void *a, const void *b) {                                          \
        (void)a, (void)b;                                                                                              \
        memset(out, 0, size);                                                                                          \
    }
LIKE_SCALARS(1)
LIKE_SCALARS(2)
LIKE_SCALARS(4)
LIKE_SCALARS(8)
LIKE_SCALARS(16)
static sl_scalar_fn zeros_like_scalar(const struct sl_kernel_setup *setup) {
    if (!sl_dtype_is_plain(setup->in_types[0])) return NULL;
    switch (sl_dtype_size(setup->in_types[0])) {
    case 1: return zero_scalar_1;
    case 2: return zero_scalar_2;
    case 4: return zero_scalar_4;
    case 8: return zero_scalar_8;
    default: return zero_scalar_16;
    }
}

static sl_code deep_copy_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), y;
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(x)));
    return sl_move_all(k, x.dtype, y.data, x.data, x.count);
}

/* ---- Range, LinSpace: element i is start + i * step, each operation rounded to the type */

static void text_of_float(char text[32], double x) { snprintf(text, 32, "%g", x); }
static void text_of_int(char text[32], int64_t x) { snprintf(text, 32, "%" PRId64, x); }
#define NUMBER_TEXT(text, x)                                                                                           \
    _Generic(x, float : text_of_float, double : text_of_float, int32_t : text_of_int, int64_t : text_of_int)(text, x)
#define TYPES FOR_FLOATS | FOR_INT32 | FOR_INT64
#define BODY  "backends/cpu/array/range.inc"
#include "backends/cpu/for_types.inc"

#define RANGE_TYPES(M, ...) FLOATS(M, __VA_ARGS__) M(INT32, __VA_ARGS__) M(INT64, __VA_ARGS__)
typedef int64_t (*range_count_fn)(struct sl_kernel_context *k, const void *start, const void *limit, const void *delta);
typedef void (*range_fill_fn)(void *to, const void *start, const void *delta, int64_t begin, int64_t end);
static const range_count_fn range_counts[SL_DTYPE_COUNT] = {RANGE_TYPES(SL_TYPE_ENTRY, range_count)};
static const range_fill_fn range_fills[SL_DTYPE_COUNT] = {RANGE_TYPES(SL_TYPE_ENTRY, range_fill)};
enum { RANGE_SET = SL_SET_FLOATS | SL_SET(INT32) | SL_SET(INT64) };

struct fill_range {
    range_fill_fn fill;
    void *to;
    const void *start, *delta;
};
static void fill_part(void *arg, int64_t begin, int64_t end) {
    const struct fill_range *f = arg;
    f->fill(f->to, f->start, f->delta, begin, end);
}

static sl_code range_run(struct sl_kernel_context *k) {
    static const char *const names[] = {"start", "limit", "delta"};
    struct sl_view in[3], y;
    for (int i = 0; i < 3; i++) {
        in[i] = sl_in(k, i);
        if (in[i].count != 1) return sl_invalid(k, "%s must be a scalar, not shape %s", names[i], SHAPE_OF(in[i]));
    }
    int64_t n = range_counts[in[0].dtype](k, in[0].data, in[1].data, in[2].data);
    if (n < 0) return SL_INVALID_ARGUMENT;
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){1, &n}));
    struct fill_range f = {range_fills[y.dtype], y.data, in[0].data, in[2].data};
    sl_kernel_split(k, n, 0.5, fill_part, &f);
    return SL_OK;
}

static sl_code lin_space_run(struct sl_kernel_context *k) {
    struct sl_view start = sl_in(k, 0), stop = sl_in(k, 1), num = sl_in(k, 2), y;
    if (start.rank) return sl_invalid(k, "start must be a scalar, not shape %s", SHAPE_OF(start));
    if (stop.rank) return sl_invalid(k, "stop must be a scalar, not shape %s", SHAPE_OF(stop));
    if (num.rank) return sl_invalid(k, "num must be a scalar, not shape %s", SHAPE_OF(num));
    int64_t n = sl_index_at(num, 0);
    if (n <= 0) return sl_invalid(k, "Requires num > 0: %" PRId64, n);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){1, &n}));
    union {
        float f;
        double d;
    } step;
    if (y.dtype == SL_FLOAT) step.f = (*(const float *)stop.data - *(const float *)start.data) / (float)(n - 1);
    else step.d = (*(const double *)stop.data - *(const double *)start.data) / (double)(n - 1);
    if (n == 1) memset(&step, 0, sizeof step);
    struct fill_range f = {range_fills[y.dtype], y.data, start.data, &step};
    sl_kernel_split(k, n, 0.5, fill_part, &f);
    memcpy(y.data, start.data, sl_dtype_size(y.dtype)); /* also where the step is infinite */
    if (n > 1) memcpy(sl_element(y.data, y.dtype, n - 1), stop.data, sl_dtype_size(y.dtype));
    return SL_OK;
}

/* ---- OneHot: [before, after] indices to [before, depth, after] values */

struct one_hot {
    struct sl_view indices, on, y;
    int64_t depth, after;
    struct sl_error *err;
    sl_code code;
};

static void set_hot(void *arg, int64_t begin, int64_t end) {
    struct one_hot *o = arg;
    int64_t at[SL_INDICES];
    int64_t outer = begin / o->after, inner = begin % o->after;
    for (int64_t i = begin; i < end;) {
        int64_t n = end - i < SL_INDICES ? end - i : SL_INDICES;
        sl_indices_load(at, o->indices, i, n);
        for (int64_t j = 0; j < n; j++) {
            at[j] = at[j] < 0 || at[j] >= o->depth ? -1 : (outer * o->depth + at[j]) * o->after + inner;
            if (++inner == o->after) inner = 0, outer++;
        }
        sl_code code = sl_rows_put(o->y.dtype, o->y.data, o->on.data, at, n, 1, 1, 0, o->err);
        if (code != SL_OK) o->code = code;
        i += n;
    }
}

static sl_code one_hot_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), depth = sl_in(k, 1), on = sl_in(k, 2), off = sl_in(k, 3), y;
    int64_t axis = sl_state_number(k), dims[SL_MAX_RANK];
    if (axis != -1 && (axis < 0 || axis > x.rank))
        return sl_invalid(k, "Expected axis to be -1 or between [0, %d).  But received: %" PRId64, x.rank + 1, axis);
    if (depth.rank) return sl_invalid(k, "depth must be a scalar, but got: %s", SHAPE_OF(depth));
    if (on.rank) return sl_invalid(k, "on_value must be a scalar, but got: %s", SHAPE_OF(on));
    if (off.rank) return sl_invalid(k, "off_value must be a scalar, but got: %s", SHAPE_OF(off));
    if (axis < 0) axis = x.rank;
    int64_t n = sl_index_at(depth, 0), total;
    if (n < 0) return sl_invalid(k, "depth must be non-negative, got: %" PRId64, n);
    if (__builtin_mul_overflow(n, x.count, &total))
        return sl_invalid(k, "OneHot result would have shape %s + [%" PRId64 "], which exceeds 2**63 - 1 elements",
                          SHAPE_OF(x), n);
    if (x.rank == SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %d", x.rank + 1);
    for (int i = 0; i <= x.rank; i++) dims[i] = i < axis ? x.dims[i] : i == axis ? n : x.dims[i - 1];
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){x.rank + 1, dims}));
    SL_TRY(sl_move_fill(k, y.dtype, y.data, off.data, y.count));
    if (y.count == 0) return SL_OK;
    struct one_hot o = {x, on, y, n, sl_dims_product(dims, (int)axis + 1, x.rank + 1), k->err, SL_OK};
    if (sl_dtype_is_plain(y.dtype)) sl_kernel_split(k, x.count, 2, set_hot, &o);
    else set_hot(&o, 0, x.count);
    return o.code;
}

static sl_code one_hot_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "axis");
}

/* ---- CheckNumerics */

enum { HAS_NAN = 1, HAS_PLUS = 2, HAS_MINUS = 4 };
struct check {
    struct sl_view x;
    atomic_int found;
};

#define LOOK(type, exponent, sign)                                                                                     \
    do {                                                                                                               \
        const type *bits = (const type *)c->x.data;                                                                    \
        int bad = 0;                                                                                                   \
        for (int64_t i = begin; i < end; i++) bad |= (bits[i] & exponent) == exponent;                                 \
        for (int64_t i = begin; bad && i < end; i++)                                                                   \
            if ((bits[i] & exponent) == exponent)                                                                      \
                found |= bits[i] & ~(exponent | sign) & (type)-1 ? HAS_NAN : bits[i] & sign ? HAS_MINUS : HAS_PLUS;    \
    } while (0)

static void look_for_bad(void *arg, int64_t begin, int64_t end) {
    struct check *c = arg;
    int found = 0;
    switch (c->x.dtype) {
    case SL_HALF: LOOK(uint16_t, 0x7c00u, 0x8000u); break;
    case SL_BFLOAT16: LOOK(uint16_t, 0x7f80u, 0x8000u); break;
    case SL_FLOAT: LOOK(uint32_t, 0x7f800000u, 0x80000000u); break;
    default: LOOK(uint64_t, UINT64_C(0x7ff0000000000000), UINT64_C(0x8000000000000000)); break;
    }
    if (found) atomic_fetch_or(&c->found, found);
}

static sl_code check_numerics(struct sl_kernel_context *k, const char *const words[8]) {
    const char *message = k->state;
    struct check c = {.x = sl_in(k, 0)};
    atomic_init(&c.found, 0);
    sl_kernel_split(k, c.x.count, 0.2, look_for_bad, &c);
    int found = atomic_load(&c.found);
    if (found) return sl_invalid(k, "%s : Tensor had %s values", message, words[found]);
    sl_out_forward(k, 0, 0);
    return SL_OK;
}

static sl_code check_numerics_run(struct sl_kernel_context *k) {
    static const char *const words[8] = {"", "NaN", "Inf", "Inf and NaN", "Inf", "Inf and NaN", "Inf", "Inf and NaN"};
    return check_numerics(k, words);
}
static sl_code check_numerics_v2_run(struct sl_kernel_context *k) {
    static const char *const words[8] = {"",     "NaN",          "+Inf",          "+Inf and NaN",
                                         "-Inf", "-Inf and NaN", "-Inf and +Inf", "-Inf, +Inf, and NaN"};
    return check_numerics(k, words);
}

static sl_code check_numerics_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str message;
    SL_TRY(sl_attr_string(&message, setup->attrs, "message", setup->err));
    char *copy = sl_malloc(message.n + 1);
    if (!copy) return sl_fail_memory(setup->err, message.n + 1);
    if (message.n) memcpy(copy, message.p, message.n);
    copy[message.n] = 0;
    *state = copy;
    return SL_OK;
}

#define CHECK(op_run) .run = op_run, .create = check_numerics_create, .destroy = sl_free, .cost_element = 0.2f
/* clang-format off */
const struct sl_kernel_def sl_cpu_array_fill_rows[] = {
    KERNEL("Fill", NO_RULE, .run = fill_run, .cost_element = 0.2f)
    KERNEL("Empty", NO_RULE, .run = empty_run, .cost_element = 0.1f)
    KERNEL("ZerosLike", RULE("T", SL_SET_ALL & ~(SL_SET(RESOURCE) | SL_SET(VARIANT))), .run = zeros_like_run, .scalar = zeros_like_scalar, .cost_element = 0.1f)
    KERNEL("ZerosLike", RULE("T", SL_SET(VARIANT)), .run = zeros_like_variant_run)
    KERNEL("OnesLike", RULE("T", SL_SET_NUMBERS | SL_SET(BOOL)), .run = ones_like_run, .cost_element = 0.2f)
    KERNEL("DeepCopy", NO_RULE, .run = deep_copy_run, .cost_element = 0.2f)
    KERNEL("Range", RULE("Tidx", RANGE_SET), .run = range_run, .cost_element = 0.5f)
    KERNEL("LinSpace", RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE)), .run = lin_space_run, .cost_element = 0.5f)
    KERNEL("OneHot", NO_RULE, .run = one_hot_run, .create = one_hot_create, .cost_element = 0.2f)
    KERNEL("CheckNumerics", RULE("T", SL_SET_FLOATS), CHECK(check_numerics_run))
    KERNEL("CheckNumericsV2", RULE("T", SL_SET_FLOATS), CHECK(check_numerics_v2_run))
    SL_ROWS_END
};
/* clang-format on */
