/* The environment variables of Sluice, from the table env.def: a variable that is not in the table cannot be read.
 * Threads: thread-safe as long as nobody changes the environment. */
#ifndef SL_BASE_ENV_H
#define SL_BASE_ENV_H

enum sl_env {
#define SL_ENV(name, values, what) SL_ENV_##name,
#include "base/env.def"
#undef SL_ENV
};

/* The text of the variable; NULL when it is unset or empty. Borrowed from the environment. */
const char *sl_env_text(enum sl_env variable);
/* The variable as a decimal number; `otherwise` when it is unset, no number, or below 0. */
long long sl_env_number(enum sl_env variable, long long otherwise);

#endif
