/* Three or four digits, in the unit that fits. */
#include "amounts.h"

#include <stdio.h>

static const char *amount(char text[AMOUNT_TEXT], double value, const char *const units[4], double step) {
    int u = 0;
    while (u < 3 && value >= step) {
        value /= step;
        u++;
    }
    snprintf(text, AMOUNT_TEXT, u && value < 100 ? "%.1f %s" : "%.0f %s", value, units[u]);
    return text;
}

const char *time_text(char text[AMOUNT_TEXT], double ns) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return amount(text, ns, units, 1000);
}

const char *bytes_text(char text[AMOUNT_TEXT], int64_t bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB"};
    if (bytes >= 0) return amount(text, (double)bytes, units, 1000);
    snprintf(text, AMOUNT_TEXT, "?");
    return text;
}
