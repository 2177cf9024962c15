/* Reads the environment; nothing is kept, so callers on a hot path keep the answer themselves. */
#include "base/env.h"

#include <errno.h>
#include <stdlib.h>

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
