/* Element-wise kernels: what ops give on few values, broadcasting, errors; and what holds for every op: the same
 * bits wherever an element stands, from the scalar entry too, for any number of threads. */
#include <math.h>
#include <stdlib.h>

#include "backends/cpu/math/elementwise.h"
#include "os/pool.h"
#include "unit/cpu/kernel_rows.h"

/* clang-format off */
static const struct kernel_row arithmetic[] = {
    {"Add", "", {"float[3] 1 2 3", "float[3] 10 20 30"}, "float[3] 11 22 33"},
    {"AddV2", "", {"int32 2", "int32 3"}, "int32 5"},
    {"AddV2", "", {"uint8[2] 250 1", "uint8 10"}, "uint8[2] 4 11"},
    {"Add", "", {"string[2] a bc", "string x"}, "string[2] ax bcx"},
    {"Sub", "", {"complex64 1,2", "complex64 3,-1"}, "complex64 -2,3"},
    {"Mul", "", {"half[2] 1.5 -2", "half[2] 2 2"}, "half[2] 3 -4"},
    {"Mul", "", {"complex128 1,2", "complex128 3,-1"}, "complex128 5,5"},
    {"Div", "", {"int32[4] 7 -7 7 -2147483648", "int32[4] 2 2 -2 -1"}, "int32[4] 3 -3 -3 -2147483648"},
    {"Mul", "", {"complex64[16] 0.1,0.7", "complex64[16] 0.1,-0.7"}, "complex64[16] 0.5,0"},
    {"RealDiv", "", {"complex64 5,5", "complex64 3,-1"}, "complex64 1,2"},
    {"FloorDiv", "", {"int32[4] 7 -7 7 -7", "int32[4] 2 2 -2 -2"}, "int32[4] 3 -4 -4 3"},
    {"FloorDiv", "", {"float[3] 7 -7 0", "float[3] 2 2 0"}, "float[3] 3 -4 nan"},
    {"FloorMod", "", {"int32[4] 7 -7 7 -7", "int32[4] 2 2 -2 -2"}, "int32[4] 1 1 -1 -1"},
    {"FloorMod", "", {"float[4] 7 -7 7 -1", "float[4] 2 2 -2 inf"}, "float[4] 1 1 -1 inf"},
    {"Mod", "", {"int64[2] 7 -7", "int64 3"}, "int64[2] 1 -1"},
    {"Maximum", "", {"float[3] 1 nan 3", "float[3] nan 2 2"}, "float[3] nan nan 3"},
    {"Minimum", "", {"bfloat16[2] 1 5", "bfloat16 3"}, "bfloat16[2] 1 3"},
    {"SquaredDifference", "", {"complex64 1,2", "complex64 3,-1"}, "complex64 13,0"},
    {"DivNoNan", "", {"float[2] 1 4", "float[2] 0 2"}, "float[2] 0 2"},
    {"MulNoNan", "", {"float[2] inf 4", "float[2] 0 2"}, "float[2] 0 8"},
    {"Neg", "", {"int8[2] -128 5"}, "int8[2] -128 -5"},
    {"Abs", "", {"int16[2] -3 4"}, "int16[2] 3 4"},
    {"Sign", "", {"float[4] -2 0 3 nan"}, "float[4] -1 0 1 nan"},
    {"Sign", "", {"complex128 3,4"}, "complex128 0.6,0.8"},
    {"Round", "", {"float[4] 0.5 1.5 2.5 -0.5"}, "float[4] 0 2 2 0"},
    {"Rint", "", {"double[2] 0.5 -2.5"}, "double[2] 0 -2"},
    {"Floor", "", {"float[2] 1.5 -1.5"}, "float[2] 1 -2"},
    {"Reciprocal", "", {"complex64 1e30,-1e30"}, "complex64 5e-31,5e-31"},
    {"Rsqrt", "", {"float[3] 4 0 -1"}, "float[3] 0.5 inf nan"},
    {"Pow", "", {"int64[3] 3 2 -2", "int64[3] 4 0 3"}, "int64[3] 81 1 -8"},
    {"Pow", "", {"float[8] -8 2 0 -0.0 -2 1 -inf nan", "float[8] 0.333 -1 0 -3 3 nan 3 0"}, "float[8] nan 0.5 1 -inf -8 1 -inf 1"},
    {"Xlogy", "", {"float[2] 0 2", "float[2] 0 1"}, "float[2] 0 0"},
    {"ClipByValue", "", {"float[4] -1 0.5 9 nan", "float 0", "float 2"}, "float[4] 0 0.5 2 nan"},
    {"AddN", "", {"half[2] 1 2", "half[2] 3 4", "half[2] 5 6"}, "half[2] 9 12"},
    {"AddN", "", {"int32 4"}, "int32 4"},
    {"Bucketize", "boundaries list { f: 5 f: 10 }", {"float[5] 1 5 nan 10 100"}, "int32[5] 0 1 2 2 2"},
};

static const struct kernel_row comparison[] = {
    {"Equal", "", {"float[3] 1 nan 0", "float[3] 1 nan -0.0"}, "bool[3] 1 0 1"},
    {"NotEqual", "", {"complex64[2] 1,2 1,2", "complex64[2] 1,2 1,3"}, "bool[2] 0 1"},
    {"Equal", "", {"string[2] a b", "string b"}, "bool[2] 0 1"},
    {"Equal", "", {"qint8[2] -1 5", "qint8 5"}, "bool[2] 0 1"},
    {"Equal", "incompatible_shape_error b: false", {"int32[3] 1", "int32[2] 1"}, "bool 0"},
    {"NotEqual", "incompatible_shape_error b: false", {"string[3] a", "string[2] a"}, "bool 1"},
    {"Less", "", {"uint32[2] 4000000000 1", "uint32 5"}, "bool[2] 0 1"},
    {"GreaterEqual", "", {"int64[2] -1 7", "int64 7"}, "bool[2] 0 1"},
    {"ApproximateEqual", "tolerance f: 0.1", {"float[2] 1 1", "float[2] 1.05 1.2"}, "bool[2] 1 0"},
    {"IsInf", "", {"half[3] inf -inf nan"}, "bool[3] 1 1 0"},
    {"IsFinite", "", {"double[3] inf 1 nan"}, "bool[3] 0 1 0"},
    {"LogicalAnd", "", {"bool[2,1] 0 1", "bool[2] 0 1"}, "bool[2,2] 0 0 0 1"},
    {"LogicalNot", "", {"bool[2] 0 1"}, "bool[2] 1 0"},
    {"LeftShift", "", {"int32[4] 1 2 3 -1", "int32[4] -1 1 32 50"}, "int32[4] 1 4 -2147483648 -2147483648"},
    {"RightShift", "", {"int8[3] -8 8 1", "int8[3] 1 1 100"}, "int8[3] -4 4 0"},
    {"Invert", "", {"uint16 1"}, "uint16 65534"},
    {"PopulationCount", "", {"int8[2] -1 6"}, "uint8[2] 8 2"},
};

static const struct kernel_row shapes[] = {
    {"Add", "", {"float[0,3]", "float[3] 1"}, "float[0,3]"},
    {"Add", "", {"float[2,1] 1 2", "float[1,3] 10 20 30"}, "float[2,3] 11 21 31 12 22 32"},
    {"Add", "", {"float[2,1,2] 1 2 3 4", "float[3,1] 10 20 30"}, "float[2,3,2] 11 12 21 22 31 32 13 14 23 24 33 34"},
    {"Add", "", {"float[1,1] 1", "float 2"}, "float[1,1] 3"},
    {"Div", "", {"int32[0]", "int32 0"}, "int32[0]"},
    {"TanhGrad", "", {"float[2,1] 0 1", "float[2] 5 7"}, "float[2,1] 5 0"},
    {"Betainc", "", {"float[2] 1 2", "float 2", "float[2] 0.5 0.5"}, "float[2] 0.75 0.5"},
    {"Betainc", "", {"double 1", "double 2", "double[2] 0.5 0"}, "double[2] 0.75 0"},
};

static const struct kernel_row errors[] = {
    {"Add", "", {"float[2] 1", "float[3] 1"}, "INVALID_ARGUMENT Incompatible shapes: [2] vs. [3]"},
    {"Add", "", {"string[2] a", "string[3] a"}, "INVALID_ARGUMENT Incompatible shapes: [2] vs. [3]"},
    {"Div", "", {"int32[2] 1 2", "int32[2] 3 0"}, "INVALID_ARGUMENT Integer division by zero"},
    {"FloorMod", "", {"uint8[2] 1 2", "uint8 0"}, "INVALID_ARGUMENT Integer division by zero"},
    {"TruncateDiv", "", {"int16 1", "int16 0"}, "INTERNAL Unexpected error in binary operator"},
    {"Pow", "", {"int32[2] 1 2", "int32[2] 1 -1"}, "INVALID_ARGUMENT Integers to negative integer powers are not allowed"},
    {"TanhGrad", "", {"float[2] 1", "float 1"}, "INVALID_ARGUMENT The two arguments to a cwise op must have same number of elements, got 2 and 1"},
    {"ReluGrad", "", {"float[2] 1", "float[2,1] 1"}, "INVALID_ARGUMENT must have the same size and shape.  Input 0: [2] != input 1: [2,1]"},
    {"ClipByValue", "", {"float[3] 1", "float[1] 1", "float 2"}, "INVALID_ARGUMENT"},
    {"AddN", "", {"float[2] 1", "float[1,2] 1"}, "INVALID_ARGUMENT Input 0: [2] != input 1: [1,2]"},
    {"Bucketize", "boundaries list { f: 10 f: 5 }", {"float 1"}, "INVALID_ARGUMENT Expected sorted boundaries"},
};

static const struct kernel_row functions[] = {
    {"Exp", "", {"float[6] 0 1 -inf inf nan 88"}, "float[6] 1 2.718281828 0 inf nan 1.6516362549940019e38"},
    {"Log", "", {"float[6] 0 1 -1 inf nan 10"}, "float[6] -inf 0 nan inf nan 2.302585093"},
    {"Log1p", "", {"float[4] 0 -1 1e-10 inf"}, "float[4] 0 -inf 1e-10 inf"},
    {"Expm1", "", {"double[4] 0 1e-10 -inf 1"}, "double[4] 0 1.00000000005e-10 -1 1.718281828459045"},
    {"Sigmoid", "", {"float[5] 0 -80 100 -inf nan"}, "float[5] 0.5 1.8048513878e-35 1 0 nan"},
    {"Tanh", "", {"float[5] 0 0.1 -3 inf nan"}, "float[5] 0 0.09966799 -0.9950547536867305 1 nan"},
    {"Tanh", "", {"complex64 1,2"}, "complex64 1.1667362572409199,-0.24345820118572523"},
    {"Sin", "", {"float[4] 0.5 1000000 3e30 inf"}, "float[4] 0.479425539 -0.349993502 -0.9625680445 nan"},
    {"Cos", "", {"half[2] 0 1"}, "half[2] 1 0.5403"},
    {"Erf", "", {"float[4] 0.5 -1.5 9 nan"}, "float[4] 0.5204998778 -0.9661051465 1 nan"},
    {"Atan2", "", {"float[2] 1 -1", "float[2] -1 -1"}, "float[2] 2.356194490192345 -2.356194490192345"},
    {"Complex", "", {"float[2] 1 2", "float 3"}, "complex64[2] 1,3 2,3"},
    {"Imag", "Tout type: DT_DOUBLE", {"complex128[2] 1,2 3,4"}, "double[2] 2 4"},
    {"ComplexAbs", "", {"complex64 3,4"}, "float 5"},
    {"Angle", "", {"complex64 0,1"}, "float 1.57079633"},
    {"Conj", "", {"complex64 0,1"}, "complex64 0,-1"},
    {"SqrtGrad", "", {"complex64 1,2", "complex64 0.5,-1"}, "complex64 0.25,0"},
    {"SigmoidGrad", "", {"float[2] 0.25 1", "float[2] 2 5"}, "float[2] 0.375 0"},
    {"Relu", "", {"float[3] -1 nan 2"}, "float[3] 0 nan 2"},
    {"Relu6", "", {"uint8[2] 9 3"}, "uint8[2] 6 3"},
    {"ReluGrad", "", {"float[3] 5 6 nan", "float[3] -1 1 -1"}, "float[3] 0 6 nan"},
    {"LeakyRelu", "alpha f: 0.5", {"half[2] -1 2"}, "half[2] -0.5 2"},
    {"LeakyReluGrad", "alpha f: 0.5", {"double[2] 3 3", "double[2] -1 1"}, "double[2] 1.5 3"},
    {"Elu", "", {"float[2] -1 2"}, "float[2] -0.6321205588 2"},
    {"Selu", "", {"float[2] -1 2"}, "float[2] -1.1113307378 2.1014019747"},
    {"Softplus", "", {"float[3] -20 0 20"}, "float[3] 2.0611536e-9 0.6931471806 20.0000000021"},
    {"Digamma", "", {"double[3] 1 0.5 0"}, "double[3] -0.5772156649015329 -1.9635100260214235 nan"},
    {"Zeta", "", {"double[3] 2 2 2", "double[3] 1 -0.5 0"}, "double[3] 1.6449340668482264 8.934802200544679 inf"},
    {"Polygamma", "", {"double[2] 1 2", "double[2] 2 3"}, "double[2] 0.6449340668482264 -0.15411380631918857"},
    {"Igamma", "", {"double[3] 1 2 50", "double[3] 1 0.5 60"}, "double[3] 0.6321205588285577 0.09020401043104986 0.9155933189063082"},
    {"Igammac", "", {"double 1", "double 1"}, "double 0.36787944117144233"},
    {"Erfinv", "", {"double[4] 0.5 -0.999 1 2"}, "double[4] 0.4769362762044699 -2.3267537655135245 inf nan"},
    {"Ndtri", "", {"double[3] 0.5 0.975 1e-10"}, "double[3] 0 1.959963984540054 -6.361340902404056"},
    {"BesselI0e", "", {"double[2] 1 100"}, "double[2] 0.46575960759364043 0.03994437929909668"},
    {"BesselK0", "", {"double[2] 0.5 2"}, "double[2] 0.9244190712276659 0.11389387274953343"},
    {"BesselK1e", "", {"double[2] 0.5 20"}, "double[2] 2.7310097082117855 0.28542549694072644"},
    {"Dawsn", "", {"double[3] 0.1 1 20"}, "double[3] 0.09933599239785285 0.5380795069127684 0.02503136792640368"},
    {"Expint", "", {"double[2] 0.5 50"}, "double[2] 0.45421990486317355 1.0585636897131691e20"},
    {"FresnelSin", "", {"double[3] 1 -3 20"}, "double[3] 0.4382591473903548 -0.4963129989673750 0.4840845359259539"},
    {"Spence", "", {"double[3] 0 0.5 20"}, "double[3] 1.6449340668482264 0.5822405264650125 -5.927839724376521"},
    {"Lgamma", "", {"double[3] 0.5 100 -1"}, "double[3] 0.5723649429247001 359.1342053695754 inf"},
};
/* clang-format on */

static void arithmetic_rows(void **state) {
    (void)state;
    CHECK_ROWS(arithmetic);
}
static void comparison_rows(void **state) {
    (void)state;
    CHECK_ROWS(comparison);
}
static void shape_rows(void **state) {
    (void)state;
    CHECK_ROWS(shapes);
}
static void error_rows(void **state) {
    (void)state;
    CHECK_ROWS(errors);
}
static void function_rows(void **state) {
    (void)state;
    CHECK_ROWS(functions);
}

/* ---- what holds for every op */

enum { COUNT = 203 };

static void every_element_wise_row(void (*check)(const struct sl_kernel_def *row, int dtype)) {
    const struct sl_kernel_def *tables[] = {sl_cpu_math_rows, sl_cpu_activation_rows};
    for (int t = 0; t < 2; t++)
        for (const struct sl_kernel_def *row = tables[t]; row->op; row++)
            for (int dtype = 1; dtype < SL_DTYPE_COUNT && row->create == sl_elementwise_create; dtype++)
                if (row->types[0].attr ? sl_set_has(row->types[0].allowed, dtype) : dtype == SL_BOOL) check(row, dtype);
}

static void check_loop_exists(const struct sl_kernel_def *row, int dtype) {
    const struct sl_elementwise *e = row->data;
    if (!sl_elementwise_loop(e->op, dtype).run)
        fail_msg("%s says it serves %s but has no loop", row->op, sl_dtype_name(dtype));
}
static void every_type_of_a_row_has_a_loop(void **state) {
    (void)state;
    every_element_wise_row(check_loop_exists);
}

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

/* Bits of any kind, but for divisors: then none of the integers is zero. */
static void fill_random(struct sl_view v, uint32_t seed) {
    unsigned char *bytes = v.data;
    size_t size = sl_dtype_size(v.dtype);
    for (size_t i = 0; i < (size_t)v.count * size; i++) bytes[i] = (unsigned char)(next_random(&seed) >> 24);
    for (int64_t i = 0; i < v.count; i++) {
        double x = (double)(int32_t)next_random(&seed) * (i % 3 ? 1e-9 : 1e-8);
        switch (v.dtype) {
        case SL_FLOAT: ((float *)v.data)[i] = (float)x; break;
        case SL_DOUBLE: ((double *)v.data)[i] = x; break;
        case SL_COMPLEX64:
            ((float *)v.data)[2 * i] = (float)x, ((float *)v.data)[2 * i + 1] = (float)(i % 7) - 3;
            break;
        case SL_COMPLEX128: ((double *)v.data)[2 * i] = x, ((double *)v.data)[2 * i + 1] = (double)(i % 7) - 3; break;
        case SL_BOOL: bytes[i] &= 1; break;
        default: bytes[(size_t)i * size] |= 1;
        }
    }
}

/* Equal bits, or NaN in both; `part` is the size of the floats in there, 0: there are none. */
static bool same_bits(const char *a, const char *b, size_t size, size_t part) {
    if (memcmp(a, b, size) == 0) return true;
    for (size_t i = 0; i < size && part; i += part) {
        float x4, y4;
        double x8 = 0, y8 = 0;
        memcpy(&x4, a + i, sizeof x4);
        memcpy(&y4, b + i, sizeof y4);
        if (part == 8) memcpy(&x8, a + i, sizeof x8), memcpy(&y8, b + i, sizeof y8);
        bool is_nan = part == 8 ? x8 != x8 && y8 != y8 : x4 != x4 && y4 != y4;
        if (memcmp(a + i, b + i, part) != 0 && !is_nan) return false;
    }
    return part != 0;
}

/* Bytes of an element of the result: those that the loop writes, whatever was there. */
static size_t result_size(struct sl_element_loop loop, const void *x, const void *y, const void *z) {
    char a[16], b[16];
    size_t n = 0;
    memset(a, 0x55, sizeof a);
    memset(b, 0xaa, sizeof b);
    loop.run(a, x, y, z, 1);
    loop.run(b, x, y, z, 1);
    while (n < sizeof a && a[n] == b[n]) n++;
    return n;
}

static void check_position(const struct sl_kernel_def *row, int dtype) {
    const struct sl_elementwise *e = row->data;
    struct sl_element_loop loop = sl_elementwise_loop(e->op, dtype);
    _Alignas(64) static char x[COUNT * 16], y[COUNT * 16], z[COUNT * 16], together[COUNT * 16], alone[16];
    if (dtype == SL_HALF || dtype == SL_BFLOAT16) return; /* no loops of their own */
    fill_random((struct sl_view){x, NULL, COUNT, 1, dtype}, 1);
    fill_random((struct sl_view){y, NULL, COUNT, 1, dtype}, 2);
    fill_random((struct sl_view){z, NULL, COUNT, 1, dtype}, 3);
    size_t in = sl_dtype_size(dtype), out = result_size(loop, x, y, z),
           part = dtype == SL_DOUBLE || dtype == SL_COMPLEX128 ? 8 : 4;
    bool is_float = sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, dtype) && out > 1;
    loop.run(together, x, y, z, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        loop.run(alone, x + i * in, y + i * in, z + i * in, 1);
        if (!same_bits(alone, together + i * out, out, is_float ? part : 0))
            fail_msg("%s of %s: element %zu alone is not what it is among others", row->op, sl_dtype_name(dtype), i);
        if (!loop.scalar) continue;
        loop.scalar(alone, x + i * in, y + i * in);
        if (!same_bits(alone, together + i * out, out, is_float ? part : 0))
            fail_msg("%s of %s: the scalar entry of element %zu has other bits", row->op, sl_dtype_name(dtype), i);
    }
}
static void values_do_not_depend_on_the_position(void **state) {
    (void)state;
    every_element_wise_row(check_position);
}

static struct sl_value random_value(int dtype, int rank, const int64_t *dims, uint32_t seed) {
    struct sl_value v;
    assert_int_equal(sl_value_new(&v, dtype, (struct sl_shape){rank, dims}, NULL), SL_OK);
    fill_random(sl_value_view(&v), seed);
    return v;
}

static void values_do_not_depend_on_threads(void **state) {
    static const struct {
        const char *op;
        int dtype;
    } ops[] = {{"Sub", SL_FLOAT}, {"Pow", SL_FLOAT}, {"FloorMod", SL_INT32}, {"Maximum", SL_HALF}, {"Less", SL_DOUBLE}};
    struct sl_error err;
    struct sl_pool *pool;
    (void)state;
    assert_ok(err, sl_pool_create(&pool, 4, &err));
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct sl_value in[2] = {random_value(ops[i].dtype, 3, (int64_t[]){40, 50, 301}, 5),
                                 random_value(ops[i].dtype, 2, (int64_t[]){50, 1}, 6)};
        struct sl_value one, many;
        assert_ok(err, run_kernel(&one, ops[i].op, "", in, 2, false, NULL, &err));
        assert_ok(err, run_kernel(&many, ops[i].op, "", in, 2, false, pool, &err));
        assert_memory_equal(one.tensor->data, many.tensor->data, one.tensor->bytes);
        sl_value_clear(&one);
        sl_value_clear(&many);
        sl_value_clear(&in[0]);
        sl_value_clear(&in[1]);
    }
    sl_pool_unref(pool);
}

/* ---- broadcasting against plain loops over indices */
static void broadcast_is(int rank, const int64_t *a_dims, const int64_t *b_dims) {
    struct sl_error err;
    struct sl_value in[2] = {random_value(SL_INT32, rank, a_dims, 7), random_value(SL_INT32, rank, b_dims, 8)}, out;
    assert_ok(err, run_kernel(&out, "Sub", "", in, 2, false, NULL, &err));
    struct sl_view a = sl_value_view(&in[0]), b = sl_value_view(&in[1]), o = sl_value_view(&out);
    for (int64_t i = 0; i < o.count; i++) {
        int64_t rest = i, at_a = 0, at_b = 0, step_a = 1, step_b = 1;
        for (int d = rank - 1; d >= 0; d--) {
            int64_t index = rest % o.dims[d];
            rest /= o.dims[d];
            at_a += (a_dims[d] == 1 ? 0 : index) * step_a;
            at_b += (b_dims[d] == 1 ? 0 : index) * step_b;
            step_a *= a_dims[d];
            step_b *= b_dims[d];
        }
        int32_t x = ((int32_t *)a.data)[at_a], y = ((int32_t *)b.data)[at_b];
        if (((int32_t *)o.data)[i] != (int32_t)((uint32_t)x - (uint32_t)y))
            fail_msg("element %lld differs", (long long)i);
    }
    sl_value_clear(&out);
    sl_value_clear(&in[0]);
    sl_value_clear(&in[1]);
}
static void broadcasting_is_by_index(void **state) {
    (void)state;
    broadcast_is(2, (int64_t[]){1000, 3}, (int64_t[]){1, 3});
    broadcast_is(2, (int64_t[]){1000, 3}, (int64_t[]){1000, 1});
    broadcast_is(2, (int64_t[]){3, 5000}, (int64_t[]){3, 1});
    broadcast_is(2, (int64_t[]){3, 5000}, (int64_t[]){1, 5000});
    broadcast_is(2, (int64_t[]){70, 1}, (int64_t[]){1, 90});
    broadcast_is(4, (int64_t[]){3, 1, 5, 7}, (int64_t[]){1, 4, 5, 1});
    broadcast_is(5, (int64_t[]){2, 1, 3, 1, 17}, (int64_t[]){1, 6, 1, 5, 1});
    broadcast_is(6, (int64_t[]){1, 2, 2, 1, 9, 9}, (int64_t[]){3, 2, 2, 4, 1, 9});
    int64_t many[SL_MAX_RANK], one[SL_MAX_RANK];
    for (int d = 0; d < SL_MAX_RANK; d++) many[d] = d % 32 == 0 ? 2 : 1, one[d] = d % 64 == 0 ? 2 : 1;
    broadcast_is(SL_MAX_RANK, many, one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_rows),
        cmocka_unit_test(comparison_rows),
        cmocka_unit_test(shape_rows),
        cmocka_unit_test(error_rows),
        cmocka_unit_test(function_rows),
        cmocka_unit_test(every_type_of_a_row_has_a_loop),
        cmocka_unit_test(values_do_not_depend_on_the_position),
        cmocka_unit_test(values_do_not_depend_on_threads),
        cmocka_unit_test(broadcasting_is_by_index),
    };
    return cmocka_run_group_tests(tests, kernels_setup, kernels_teardown);
}
