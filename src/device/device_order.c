/* The order of devices by name. */
#include "device/device_order.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

int sl_device_order(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        if (is_digit(*a) && is_digit(*b)) {
            size_t n = strspn(a, "0123456789"), m = strspn(b, "0123456789");
            int order = n != m ? (n < m ? -1 : 1) : strncmp(a, b, n);
            if (order) return order;
            a += n - 1;
            b += m - 1;
        } else if (*a != *b) {
            break;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}
