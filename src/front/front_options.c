/* How much of a struct of options counts; see front_options.h. */
#include "front/front_options.h"

#include <string.h>

#include "capi/handles.h"

static bool is_zero(const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i]) return false;
    return true;
}

bool sl_options_take(void *to, size_t size, size_t first, const void *from, const char *name, TF_Status *status) {
    size_t given = first;
    memset(to, 0, size);
    if (!from) return true;
    memcpy(&given, from, sizeof given);
    if (given == 0) given = first;
    enum { MOST = 1 << 16 }; /* what is no size is a struct that nobody initialised */
    if (given < sizeof given || given > MOST) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "struct %s: its size is %zu, which no version has", name, given);
        return false;
    }
    if (given > size && !is_zero((const char *)from + size, given - size)) {
        sl_status_fail(status, SL_INVALID_ARGUMENT,
                       "struct %s: a member is set that this version of the library does not know", name);
        return false;
    }
    memcpy(to, from, given < size ? given : size);
    return true;
}
