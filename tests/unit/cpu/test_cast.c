/* Cast and Select: rows, and conversions of 16-bit floats over all their values. */
#include <math.h>

#include "backends/cpu/loops.h"
#include "tensor/float16.h"
#include "unit/cpu/kernel_rows.h"

/* clang-format off */
static const struct kernel_row casts[] = {
    {"Cast", "DstT type: DT_INT32", {"float[5] 300.5 -1.9 1e10 nan -inf"}, "int32[5] 300 -1 -2147483648 -2147483648 -2147483648"},
    {"Cast", "DstT type: DT_UINT8", {"float[5] 300.5 -1 1e10 nan -inf"}, "uint8[5] 44 255 0 0 0"},
    {"Cast", "DstT type: DT_UINT32", {"float[3] 3e9 -1 1e10"}, "uint32[3] 3000000000 4294967295 1410065408"},
    {"Cast", "DstT type: DT_UINT64", {"double[4] 1e19 -1 4e9 nan"}, "uint64[4] 10000000000000000000 18446744073709551615 4000000000 9223372036854775808"},
    {"Cast", "DstT type: DT_INT64", {"half[3] 300 -1 inf"}, "int64[3] 300 -1 -9223372036854775808"},
    {"Cast", "DstT type: DT_INT8", {"int64[3] 300 -1 128"}, "int8[3] 44 -1 -128"},
    {"Cast", "DstT type: DT_UINT64", {"int8[2] -1 5"}, "uint64[2] 18446744073709551615 5"},
    {"Cast", "DstT type: DT_FLOAT", {"uint64[2] 18446744073709551615 5"}, "float[2] 18446744073709551616 5"},
    {"Cast", "DstT type: DT_DOUBLE", {"bool[2] 1 0"}, "double[2] 1 0"},
    {"Cast", "DstT type: DT_BOOL", {"double[4] 0 0.5 nan -inf"}, "bool[4] 0 1 1 1"},
    {"Cast", "DstT type: DT_BOOL", {"complex64[3] 0,0 0,2 -1,0"}, "bool[3] 0 0 1"},
    {"Cast", "DstT type: DT_COMPLEX128", {"half[2] 1.5 -2"}, "complex128[2] 1.5,0 -2,0"},
    {"Cast", "DstT type: DT_COMPLEX64", {"complex128[2] 1,2 3,4"}, "complex64[2] 1,2 3,4"},
    {"Cast", "DstT type: DT_BFLOAT16", {"int32[2] 257 -3"}, "bfloat16[2] 256 -3"},
    {"Cast", "DstT type: DT_HALF", {"bfloat16[2] 1.5 1e6"}, "half[2] 1.5 inf"},
    {"Cast", "DstT type: DT_QINT8", {"float[2] 1 2.5"}, "qint8[2] 1 2"},
    {"Cast", "DstT type: DT_INT4", {"int32[5] 1 2 9 13 -9"}, "int4[5] 1 2 -7 -3 7"},
    {"Cast", "DstT type: DT_FLOAT", {"float[2] 1 2"}, "float[2] 1 2"},
    {"Cast", "DstT type: DT_INT64", {"int32 -7"}, "int64 -7"},
    {"Cast", "Truncate b: true; DstT type: DT_FLOAT", {"double[3] 3.9999999999 1 1e300"}, "float[3] 3.999999761581421 1 inf"},
    {"Cast", "Truncate b: true; DstT type: DT_HALF", {"float[3] 1.00146484375 65520 65536"}, "half[3] 1.0009765625 65504 inf"},
    {"Cast", "Truncate b: true; DstT type: DT_BFLOAT16", {"float 3.4028234e38"}, "bfloat16 3.3895314e38"},
    {"Cast", "DstT type: DT_STRING", {"float 1"}, "UNIMPLEMENTED Cast float to string is not supported"},
    {"Cast", "DstT type: DT_FLOAT", {"float[0,3]"}, "float[0,3]"},
};
static const struct kernel_row selects[] = {
    {"Select", "", {"bool[2] 1 0", "float[2,2] 1 2 3 4", "float[2,2] 5 6 7 8"}, "float[2,2] 1 2 7 8"},
    {"Select", "", {"bool 0", "float[2] 1 2", "float[2] 5 6"}, "float[2] 5 6"},
    {"Select", "", {"bool[2] 1 0", "string[2] a b", "string[2] c d"}, "string[2] a d"},
    {"Select", "", {"bool[1] 1", "float[2,1] 1", "float[2,1] 1"}, "INVALID_ARGUMENT Number of batches of 'then' must match size of 'cond', but saw: 2 vs. 1"},
    {"Select", "", {"bool[2] 1", "float[2,2] 1", "float[1,2] 1"}, "INVALID_ARGUMENT 'then' and 'else' must have the same size.  but received: [2,2] vs. [1,2]"},
    {"Select", "", {"bool[1] 1", "float 1", "float 1"}, "INVALID_ARGUMENT 'then' must be at least a vector, but saw shape: []"},
    {"SelectV2", "", {"bool[2,1] 1 0", "int64[2] 1 2", "int64 9"}, "int64[2,2] 1 2 9 9"},
    {"SelectV2", "", {"bool[2] 1 0", "string[2,1] a b", "string z"}, "string[2,2] a z b z"},
    {"SelectV2", "", {"bool 1", "complex128 1,2", "complex128[2] 3,4"}, "complex128[2] 1,2 1,2"},
    {"SelectV2", "", {"bool[2] 1", "float[2,2] 1", "float[1,3] 1"}, "INVALID_ARGUMENT condition [2], then [2,2], and else [1,3] must be broadcastable"},
};
/* clang-format on */

static void cast_rows(void **state) {
    (void)state;
    CHECK_ROWS(casts);
}
static void select_rows(void **state) {
    (void)state;
    CHECK_ROWS(selects);
}

static void check_16_bits(sl_loop_fn (*find)(int from, int to), int dtype) {
    enum { N = 65536 };
    static uint16_t codes[N], back[N];
    static float floats[N];
    for (int i = 0; i < N; i++) codes[i] = (uint16_t)i;
    find(dtype, SL_FLOAT)(floats, codes, NULL, NULL, N);
    find(SL_FLOAT, dtype)(back, floats, NULL, NULL, N);
    for (int i = 0; i < N; i++) {
        float wanted =
            dtype == SL_HALF ? sl_float_of_half((sl_half){codes[i]}) : sl_float_of_bfloat16((sl_bfloat16){codes[i]});
        if (wanted != wanted ? floats[i] == floats[i] : floats[i] != wanted)
            fail_msg("%04x is %a, not %a", i, floats[i], wanted);
        if (wanted == wanted && back[i] != codes[i])
            fail_msg("%a goes back as %04x, not %04x", floats[i], back[i], codes[i]);
    }
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += (uint64_t)N * 97) {
        for (uint64_t i = 0; i < N; i++) {
            uint32_t u = (uint32_t)(bits + 97 * i);
            memcpy(&floats[i], &u, sizeof u);
        }
        find(SL_FLOAT, dtype)(back, floats, NULL, NULL, N);
        for (int i = 0; i < N; i++) {
            uint16_t wanted =
                dtype == SL_HALF ? sl_half_of_float(floats[i]).bits : sl_bfloat16_of_float(floats[i]).bits;
            if (floats[i] == floats[i] && back[i] != wanted)
                fail_msg("%a becomes %04x, not %04x", floats[i], back[i], wanted);
            if (floats[i] != floats[i] && (back[i] & 0x7fff) <= (dtype == SL_HALF ? 0x7c00 : 0x7f80))
                fail_msg("a NaN is lost");
        }
    }
}
static void floats_of_16_bits_round_to_the_nearest(void **state) {
    (void)state;
    for (int dtype = SL_BFLOAT16; dtype <= SL_HALF; dtype += SL_HALF - SL_BFLOAT16) {
        check_16_bits(sl_cast_loop_base, dtype);
        check_16_bits(SL_ISA_PICK(sl_cast_loop), dtype);
    }
}

static void floats_of_8_bits_come_back(void **state) {
    static const char *const types[] = {"DstT type: DT_FLOAT8_E5M2", "DstT type: DT_FLOAT8_E4M3FN"};
    static const char *const wanted[] = {"float[9] 1 2.5 inf 12 -inf nan 448 0.0009765625 57344",
                                         "float[9] 1 2.5 nan 13 nan nan 448 0.001953125 nan"};
    struct sl_error err;
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct sl_value x = value_of("float[9] 1 2.5 1e6 13 -1e6 nan 464 0.001 57344"), w = value_of(wanted[i]), narrow,
                        back;
        assert_ok(err, run_kernel(&narrow, "Cast", types[i], &x, 1, false, NULL, &err));
        assert_ok(err, run_kernel(&back, "Cast", "DstT type: DT_FLOAT", &narrow, 1, false, NULL, &err));
        for (int j = 0; j < 9; j++) {
            float a = ((float *)w.tensor->data)[j], b = ((float *)back.tensor->data)[j];
            if (a != b && (a == a || b == b)) fail_msg("type %d, element %d: %a, not %a", i, j, b, a);
        }
        sl_value_clear(&x);
        sl_value_clear(&w);
        sl_value_clear(&narrow);
        sl_value_clear(&back);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cast_rows),
        cmocka_unit_test(select_rows),
        cmocka_unit_test(floats_of_16_bits_round_to_the_nearest),
        cmocka_unit_test(floats_of_8_bits_come_back),
    };
    return cmocka_run_group_tests(tests, kernels_setup, kernels_teardown);
}
