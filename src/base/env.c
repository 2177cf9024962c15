/* Reads the environment; nothing is kept, so callers on a hot path keep the answer themselves. */
#include "base/env.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define SL_ENV(name, values, what) "SLUICE_" #name,
#include "base/env.def"
#undef SL_ENV
};

const char *sl_env_text(enum sl_env variable) {
    const char *text = getenv(names[variable]);
    return text && *text ? text : NULL;
}

long long sl_env_number(enum sl_env variable, long long otherwise) {
    const char *text = sl_env_text(variable);
    if (!text) return otherwise;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    return errno || *end || number < 0 ? otherwise : number;
}

bool sl_size_parse(size_t *out, const char *text) {
    static const char units[] = "KMG";
    char *end;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno || !number || (*end && (!unit || end[1])) || number > SIZE_MAX >> shift) return false;
    *out = (size_t)number << shift;
    return true;
}
