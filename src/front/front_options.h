/* Structs of options as sluice/sluice.h says they grow: each begins with `size`, and a program may know less of one, or
 * more, than the library does. Stateless. */
#ifndef SL_FRONT_FRONT_OPTIONS_H
#define SL_FRONT_FRONT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tensorflow/c/c_api.h"

/* Fills `to`, `size` bytes, with what a program gave: members that it does not know, and all when `from` is NULL, are
 * 0. `first` is the size that a `size` of 0 stands for. False, and INVALID_ARGUMENT, for a size that no struct has,
 * and when a member is set that the library does not know. A `status` stays as it is on success. */
bool sl_options_take(void *to, size_t size, size_t first, const void *from, const char *name, TF_Status *status);

/* `to` is a struct TYPE, whose last member in version 0.1 was `last`. */
#define SL_OPTIONS_TAKE(to, type, last, from, status)                                                                  \
    sl_options_take(to, sizeof(struct type), offsetof(struct type, last) + sizeof((to)->last), from, #type, status)

#endif
