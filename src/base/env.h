/* The environment variables of Sluice, from the table env.def: a variable that is not in the table cannot be read.
 * Threads: thread-safe as long as nobody changes the environment. */
#ifndef SL_BASE_ENV_H
#define SL_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>

enum sl_env {
#define SL_ENV(name, values, what) SL_ENV_##name,
#include "base/env.def"
#undef SL_ENV
};

/* The text of the variable; NULL when it is unset or empty. Borrowed from the environment. */
const char *sl_env_text(enum sl_env variable);
/* The variable as a decimal number; `otherwise` when it is unset, no number, or below 0. */
long long sl_env_number(enum sl_env variable, long long otherwise);
/* A size as people write it, "64M": a decimal number above 0, which K, M or G may follow for 2^10, 2^20, 2^30 bytes.
 * False for anything else. */
bool sl_size_parse(size_t *out, const char *text);

#endif
