/* Numbers from text: decimals of all lengths and powers are rounded as the C library rounds them, bit for bit. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/number_text.h"
#include "tensor/dtype.h"
#include "unit/unit.h"

static void expect_as_strtod(const char *text) {
    double wide, wanted = strtod(text, NULL);
    float narrow, wanted_narrow = strtof(text, NULL);
    if (!sl_number_read(&wide, SL_DOUBLE, sl_str_of(text)) || memcmp(&wide, &wanted, sizeof wide))
        fail_msg("%s: %a, not %a", text, wide, wanted);
    if (!sl_number_read(&narrow, SL_FLOAT, sl_str_of(text)) || memcmp(&narrow, &wanted_narrow, sizeof narrow))
        fail_msg("%s: %a, not %a", text, (double)narrow, (double)wanted_narrow);
}

static void decimals_are_rounded_once(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "407572640541928505e-8",
                                        "446673754019253275e-7",
                                        "9007199254740993",
                                        "9007199254740993e3",
                                        "16777217",
                                        "8388608.5",
                                        "1e22",
                                        "1e23",
                                        "123456789012345678901234567890",
                                        "4.9406564584124654e-324",
                                        "1.00000017881393432617187499"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_as_strtod(texts[i]);
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t digits = random >> (random & 63);
        int power = (int)(random >> 40 & 63) - 32, behind = (int)(random >> 20 & 1023);
        int n = snprintf(text, sizeof text, "%s%" PRIu64, i & 1 ? "-" : "", digits);
        if (i & 2) snprintf(text + n, sizeof text - (size_t)n, ".%d", behind);
        n = (int)strlen(text);
        if (i & 4) snprintf(text + n, sizeof text - (size_t)n, "e%d", power);
        expect_as_strtod(text);
    }
}

static void what_is_no_number(void **state) {
    (void)state;
    static const char *const texts[] = {"", ".", "-", "e5", "1e", "1e+", "1x", "1.2.3", "--1", "0x", "1 2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double d;
        if (sl_number_read(&d, SL_DOUBLE, sl_str_of(texts[i]))) fail_msg("'%s' is %g", texts[i], d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(decimals_are_rounded_once),
                                       cmocka_unit_test(what_is_no_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
