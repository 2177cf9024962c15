/* Elements and tensors as text; half and bfloat16 one by one. */
#include "unit/unit.h"

#include <math.h>

#include "base/alloc.h"
#include "tensor/float16.h"
#include "tensor/summary.h"

static void halves_survive_float(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        sl_half h = {(uint16_t)bits};
        sl_bfloat16 b = {(uint16_t)bits};
        float f = sl_float_of_half(h), g = sl_float_of_bfloat16(b);
        if (isnan(f)) assert_true((sl_half_of_float(f).bits & 0x7fff) > 0x7c00);
        else assert_int_equal(sl_half_of_float(f).bits, bits);
        if (isnan(g)) assert_true((sl_bfloat16_of_float(g).bits & 0x7fff) > 0x7f80);
        else assert_int_equal(sl_bfloat16_of_float(g).bits, bits);
    }
}

static void floats_round_half_to_even(void **state) {
    (void)state;
    const struct {
        float f;
        uint16_t half, bfloat16;
    } cases[] = {{1, 0x3c00, 0x3f80},
                 {1 + 0x1p-11f, 0x3c00, 0x3f80},
                 {1 + 0x3p-11f, 0x3c02, 0x3f80},
                 {1 + 0x1p-11f + 0x1p-20f, 0x3c01, 0x3f80},
                 {65504, 0x7bff, 0x4780},
                 {65519.996f, 0x7bff, 0x4780},
                 {65520, 0x7c00, 0x4780},
                 {0x1p-24f, 0x0001, 0x3380},
                 {0x1p-25f, 0x0000, 0x3300},
                 {0x3p-25f, 0x0002, 0x33c0},
                 {0x1.ffp-15f, 0x03fe, 0x3880},
                 {-0.0f, 0x8000, 0x8000},
                 {1 + 0x1p-8f, 0x3c04, 0x3f80},
                 {1 + 0x3p-8f, 0x3c0c, 0x3f82},
                 {INFINITY, 0x7c00, 0x7f80},
                 {3.4e38f, 0x7c00, 0x7f80}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(sl_half_of_float(cases[i].f).bits, cases[i].half);
        assert_int_equal(sl_bfloat16_of_float(cases[i].f).bits, cases[i].bfloat16);
    }
}

static void elements_read_back(void **state) {
    (void)state;
    char text[SL_ELEMENT_TEXT];
    const struct {
        float f;
        const char *text;
    } floats[] = {{1.5f, "1.5"}, {1.0f / 3, "0.333333343"}, {1e10f, "1e+10"}, {-0.0f, "-0"},
                  {-NAN, "nan"}, {INFINITY, "inf"}};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        assert_string_equal(sl_element_text(text, SL_FLOAT, &floats[i].f), floats[i].text);
    double d = 1.0 / 3;
    assert_string_equal(sl_element_text(text, SL_DOUBLE, &d), "0.33333333333333331");
    d = 123456789;
    assert_string_equal(sl_element_text(text, SL_DOUBLE, &d), "123456789");
    int8_t small = -7;
    assert_string_equal(sl_element_text(text, SL_INT8, &small), "-7");
    uint64_t large = UINT64_MAX;
    assert_string_equal(sl_element_text(text, SL_UINT64, &large), "18446744073709551615");
    sl_half h = {0x3c00};
    assert_string_equal(sl_element_text(text, SL_HALF, &h), "1");
    float complex[2] = {1, 2};
    assert_string_equal(sl_element_text(text, SL_COMPLEX64, complex), "?");
}

static void tensors_are_cut_at_the_limit(void **state) {
    (void)state;
    int32_t n[24];
    for (int i = 0; i < 24; i++) n[i] = i;
    const struct {
        int rank;
        int64_t dims[3], most;
        const char *text;
    } cases[] = {
        {3, {2, 3, 4}, 3, "[[0 1 2...]]..."},
        {3, {2, 3, 4}, 0, "..."},
        {3, {2, 3, 4}, 5, "[[0 1 2 3][4...]]..."},
        {3, {2, 1, 2}, -1, "[[0 1]][[2 3]]"},
        {1, {4}, 3, "0 1 2..."},
        {1, {4}, 4, "0 1 2 3"},
        {0, {0}, 3, "0"},
        {2, {2, 0}, 3, ""},
        {2, {2, 2}, 2, "[0 1]..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t count = 1;
        for (int d = 0; d < cases[i].rank; d++) count *= cases[i].dims[d];
        struct sl_view v = {.data = n, .dims = cases[i].dims, .count = count, .rank = cases[i].rank, .dtype = SL_INT32};
        struct sl_error err;
        char *text;
        assert_ok(err, sl_view_summary(&text, v, cases[i].most, &err));
        assert_string_equal(text, cases[i].text);
        sl_free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_survive_float),
        cmocka_unit_test(floats_round_half_to_even),
        cmocka_unit_test(elements_read_back),
        cmocka_unit_test(tensors_are_cut_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
