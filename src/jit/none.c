/* Processors without an emitter. */
#include "jit/code_emission.h"

#if !defined __x86_64__ && !defined __aarch64__
const struct sl_jit_emitter sl_jit_none = {.enter = NULL};
#endif
