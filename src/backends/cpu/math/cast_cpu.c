/* Cast between any two types of plain numbers. Loops exist for pairs of real numbers, half and bfloat16 with float,
 * and complex numbers with their parts (isa/cast_loops.inc); other ways are chains of loops, block by block:
 *
 *     half -> float -> double -> complex128
 *
 * A chain is: out of the type (to its hub), from hub to hub, into the other type. */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/loops.h"
#include "base/alloc.h"

enum { CAST_STEPS = 5, CAST_BLOCK = 512, CAST_LARGEST = 16 };

struct chain {
    int n;
    sl_loop_fn steps[CAST_STEPS];
    int64_t size[CAST_STEPS + 1]; /* of an element before each step, and after the last */
    double ns;
};

/* ---- what has no vector loop */

/* Attr Truncate: bits that the shorter type does not have are cleared, so nothing is left to round. */
static void cut_double(void *to, const void *x, const void *y, const void *z, int64_t n) {
    (void)y, (void)z;
    for (int64_t i = 0; i < n; i++) ((uint64_t *)to)[i] = ((const uint64_t *)x)[i] & ~((UINT64_C(1) << 29) - 1);
}
static void cut_complex128(void *to, const void *x, const void *y, const void *z, int64_t n) {
    cut_double(to, x, y, z, 2 * n);
}
static void cut_float_to_half(void *to, const void *x, const void *y, const void *z, int64_t n) {
    (void)y, (void)z;
    for (int64_t i = 0; i < n; i++) ((uint32_t *)to)[i] = ((const uint32_t *)x)[i] & ~((UINT32_C(1) << 13) - 1);
}
static void cut_float_to_bfloat16(void *to, const void *x, const void *y, const void *z, int64_t n) {
    (void)y, (void)z;
    for (int64_t i = 0; i < n; i++) ((uint32_t *)to)[i] = ((const uint32_t *)x)[i] & 0xffff0000;
}

/* 8-bit floats: sign, exponent, `m` bits of fraction. e4m3fn has no infinity; its NaN is the code above the largest
 * number. (P. Micikevicius and others, FP8 formats for deep learning, 2022) */
static float float_of_8_bits(uint8_t code, int m, int bias, bool has_infinity) {
    int magnitude = code & 0x7f, exponent = magnitude >> m, fraction = magnitude & ((1 << m) - 1);
    float x;
    if (has_infinity && exponent == 0x7f >> m) x = fraction ? NAN : INFINITY;
    else if (magnitude == 0x7f) x = NAN;
    else if (exponent == 0) x = ldexpf((float)fraction, 1 - bias - m);
    else x = ldexpf((float)(fraction + (1 << m)), exponent - bias - m);
    return code & 0x80 ? -x : x;
}
static uint8_t float_to_8_bits(float x, int m, int bias, bool has_infinity) {
    int sign = signbit(x) ? 0x80 : 0, infinity = has_infinity ? 0x7f >> m << m : 0x7f, code = 0;
    if (x != x) return (uint8_t)(sign | (has_infinity ? infinity | 1 << (m - 1) : 0x7f));
    if (isinf(x)) return (uint8_t)(sign | infinity);
    if (x != 0) {
        int exponent = ilogbf(x) < 1 - bias ? 1 - bias : ilogbf(x);
        if (exponent > bias + 1) return (uint8_t)(sign | infinity);
        code = ((exponent + bias - 1) << m) + (int)lrintf(ldexpf(fabsf(x), m - exponent));
    }
    return (uint8_t)(sign | (code < infinity ? code : infinity));
}
#define FLOAT8(name, m, bias, has_infinity)                                                                            \
    static void from_##name(void *to, const void *x, const void *y, const void *z, int64_t n) {                        \
        (void)y, (void)z;                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                                                \
            ((float *)to)[i] = float_of_8_bits(((const uint8_t *)x)[i], m, bias, has_infinity);                        \
    }                                                                                                                  \
    static void to_##name(void *to, const void *x, const void *y, const void *z, int64_t n) {                          \
        (void)y, (void)z;                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                                                \
            ((uint8_t *)to)[i] = float_to_8_bits(((const float *)x)[i], m, bias, has_infinity);                        \
    }
FLOAT8(e5m2, 2, 15, true)
FLOAT8(e4m3fn, 3, 7, false)

static void to_int4(void *to, const void *x, const void *y, const void *z, int64_t n) {
    (void)y, (void)z;
    for (int64_t i = 0; i < n; i++) ((int8_t *)to)[i] = (int8_t)(((((const uint8_t *)x)[i] & 15) ^ 8) - 8);
}
static void to_uint4(void *to, const void *x, const void *y, const void *z, int64_t n) {
    (void)y, (void)z;
    for (int64_t i = 0; i < n; i++) ((uint8_t *)to)[i] = ((const uint8_t *)x)[i] & 15;
}

/* By its bits: kernels run with denormals taken for zero, but no number is lost in a truth value. */
static void bfloat16_to_bool(void *to, const void *x, const void *y, const void *z, int64_t n) {
    (void)y, (void)z;
    for (int64_t i = 0; i < n; i++) ((bool *)to)[i] = (((const uint16_t *)x)[i] & 0x7fff) != 0;
}

/* ---- chains */

/* The type that stands for another in loops; the loops out of the type and into it, NULL where the elements are the
 * hub's. */
struct way {
    uint8_t hub;
    sl_loop_fn out, in;
};
static struct way way_of(int dtype) {
    switch (dtype) {
    case SL_HALF:
    case SL_BFLOAT16:
        return (struct way){SL_FLOAT, SL_ISA_PICK(sl_cast_loop)(dtype, SL_FLOAT),
                            SL_ISA_PICK(sl_cast_loop)(SL_FLOAT, dtype)};
    case SL_COMPLEX64:
    case SL_COMPLEX128: {
        int part = dtype == SL_COMPLEX64 ? SL_FLOAT : SL_DOUBLE;
        return (struct way){(uint8_t)part, SL_ISA_PICK(sl_cast_loop)(dtype, part),
                            SL_ISA_PICK(sl_cast_loop)(part, dtype)};
    }
    case SL_FLOAT8_E5M2: return (struct way){SL_FLOAT, from_e5m2, to_e5m2};
    case SL_FLOAT8_E4M3FN: return (struct way){SL_FLOAT, from_e4m3fn, to_e4m3fn};
    case SL_INT4: return (struct way){SL_INT8, NULL, to_int4};
    case SL_UINT4: return (struct way){SL_UINT8, NULL, to_uint4};
    case SL_QINT8: return (struct way){SL_INT8, NULL, NULL};
    case SL_QUINT8: return (struct way){SL_UINT8, NULL, NULL};
    case SL_QINT16: return (struct way){SL_INT16, NULL, NULL};
    case SL_QUINT16: return (struct way){SL_UINT16, NULL, NULL};
    case SL_QINT32: return (struct way){SL_INT32, NULL, NULL};
    default: return (struct way){sl_set_has(SL_SET_REAL | SL_SET(BOOL), dtype) ? (uint8_t)dtype : 0, NULL, NULL};
    }
}

/* The loop between two hubs. Integers of one size are alike as results, and 64-bit ones as sources of integers. */
static sl_loop_fn loop_between(int from, int to) {
    static const uint8_t is_signed[SL_DTYPE_COUNT] = {
        [SL_UINT8] = SL_INT8, [SL_UINT16] = SL_INT16, [SL_UINT32] = SL_INT32, [SL_UINT64] = SL_INT64};
    sl_loop_fn loop = SL_ISA_PICK(sl_cast_loop)(from, to);
    if (!loop && is_signed[to]) loop = loop_between(from, is_signed[to]);
    if (!loop && from == SL_UINT64) loop = loop_between(SL_INT64, to);
    return loop;
}

static void add_step(struct chain *c, sl_loop_fn loop, int dtype_after) {
    if (!loop) return;
    c->steps[c->n++] = loop;
    c->size[c->n] = (int64_t)sl_dtype_size(dtype_after);
}

static bool make_chain(struct chain *c, int from, int to, bool truncates) {
    bool has_pair = sl_set_has(SL_SET_COMPLEX, from) && sl_set_has(SL_SET_COMPLEX, to);
    struct way out = way_of(from), in = way_of(to);
    *c = (struct chain){.size = {(int64_t)sl_dtype_size(from)}};
    if (!out.hub || !in.hub) return false;
    if (!sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, from) || in.hub != SL_FLOAT ||
        (to == SL_BFLOAT16 && from != SL_FLOAT))
        truncates = false;
    if (has_pair) {
        if (truncates) add_step(c, cut_complex128, from);
        add_step(c, SL_ISA_PICK(sl_cast_loop)(from, to), to);
    } else if (from == SL_BFLOAT16 && to == SL_BOOL) {
        add_step(c, bfloat16_to_bool, to);
    } else {
        add_step(c, out.out, out.hub);
        if (truncates && out.hub == SL_DOUBLE) add_step(c, cut_double, SL_DOUBLE);
        if (out.hub != in.hub || (!out.out && !in.in)) add_step(c, loop_between(out.hub, in.hub), in.hub);
        if (truncates && to == SL_HALF) add_step(c, cut_float_to_half, SL_FLOAT);
        if (truncates && to == SL_BFLOAT16) add_step(c, cut_float_to_bfloat16, SL_FLOAT);
        add_step(c, in.in, to);
    }
    c->ns = 0.3 * c->n;
    return c->n > 0 && c->size[c->n] == (int64_t)sl_dtype_size(to);
}

static sl_code cast_create(void **state, struct sl_kernel_setup *setup) {
    int from = setup->in_types[0], to = setup->out_types[0];
    bool truncates;
    struct chain chain, *made;
    SL_TRY(sl_attr_bool(&truncates, setup->attrs, "Truncate", setup->err));
    if (from == to) return SL_OK;
    if (!make_chain(&chain, from, to, truncates))
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "Cast %s to %s is not supported", sl_dtype_name(from),
                       sl_dtype_name(to));
    if (!(made = sl_malloc(sizeof *made))) return sl_fail_memory(setup->err, sizeof *made);
    *made = chain;
    *state = made;
    return SL_OK;
}

static void cast_destroy(void *state) { sl_free(state); }

struct job {
    const struct chain *chain;
    const char *from;
    char *to;
};

static void cast_range(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    const struct chain *c = job->chain;
    _Alignas(64) char tiles[2][CAST_BLOCK * CAST_LARGEST];
    int64_t block = c->n == 1 ? end - begin : CAST_BLOCK;
    for (int64_t b = begin; b < end; b += block) {
        int64_t n = end - b < block ? end - b : block;
        const void *from = job->from + b * c->size[0];
        for (int i = 0; i < c->n; i++) {
            void *to = i == c->n - 1 ? job->to + b * c->size[c->n] : tiles[i & 1];
            c->steps[i](to, from, NULL, NULL, n);
            from = to;
        }
    }
}

static sl_code cast_run(struct sl_kernel_context *k) {
    const struct chain *c = k->state;
    struct sl_view x = sl_in(k, 0), out;
    if (!c) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    if (c->size[0] == c->size[c->n]) SL_TRY(sl_out_reuse(&out, k, 0, sl_view_shape(x), 0, 1));
    else SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(x)));
    struct job job = {c, x.data, out.data};
    sl_kernel_split(k, out.count, c->ns, cast_range, &job);
    return SL_OK;
}

/* ---- scalars: the casts that counters and learning rates need */
#define SCALAR_CASTS(M)                                                                                                \
    M(INT32, int32_t, INT64, int64_t)                                                                                  \
    M(INT32, int32_t, FLOAT, float)                                                                                    \
    M(INT32, int32_t, DOUBLE, double)                                                                                  \
    M(INT64, int64_t, INT32, int32_t)                                                                                  \
    M(INT64, int64_t, FLOAT, float)                                                                                    \
    M(INT64, int64_t, DOUBLE, double)                                                                                  \
    M(FLOAT, float, DOUBLE, double)                                                                                    \
    M(DOUBLE, double, FLOAT, float)                                                                                    \
    M(BOOL, bool, INT32, int32_t)                                                                                      \
    M(BOOL, bool, INT64, int64_t)                                                                                      \
    M(BOOL, bool, FLOAT, float)
#define SCALAR_CAST(from, from_type, to, to_type)                                                                      \
    static void from##_##to(void *out, const void *a, const void *b) {                                                 \
        (void)b;                                                                                                       \
        *(to_type *)out = (to_type) * (const from_type *)a;                                                            \
    }
SCALAR_CASTS(SCALAR_CAST)

static sl_scalar_fn cast_scalar(const struct sl_kernel_setup *setup) {
    int from = setup->in_types[0], to = setup->out_types[0];
    bool truncates;
    if (sl_attr_bool(&truncates, setup->attrs, "Truncate", NULL) != SL_OK || truncates) return NULL;
#define SCALAR_CASE(f, from_type, t, to_type)                                                                          \
    if (from == SL_##f && to == SL_##t) return f##_##t;
    SCALAR_CASTS(SCALAR_CASE)
    return NULL;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_cast_rows[] = {
    KERNEL("Cast", NO_RULE, .create = cast_create, .destroy = cast_destroy, .run = cast_run, .scalar = cast_scalar, .cost_ns = 10, .cost_element = 0.4f)
    KERNEL("_HostCast", NO_RULE, .create = cast_create, .destroy = cast_destroy, .run = cast_run, .scalar = cast_scalar, .cost_ns = 10, .cost_element = 0.4f)
    SL_ROWS_END
};
