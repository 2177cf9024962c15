/* Variables: what a reference edge points at and what a variable's resource handle holds.
 * Threads: `mutex` guards `value`; take it to read or write. */
#ifndef SL_KERNEL_VARIABLE_H
#define SL_KERNEL_VARIABLE_H

#include "base/error.h"
#include "os/mutex.h"
#include "tensor/value.h"

struct sl_variable {
    struct sl_object object;
    struct sl_mutex mutex;
    struct sl_value value; /* kind NONE: not initialised */
    uint8_t dtype;
    bool copy_on_read; /* set by scatters: readers get a copy, so that updates in place stay possible */
    char name[];       /* for messages; NUL-terminated */
};

extern const struct sl_object_type sl_variable_type;

sl_code sl_variable_new(struct sl_variable **out, int dtype, struct sl_str name, struct sl_error *err);
/* What it holds now, shared; FAILED_PRECONDITION "Attempting to use uninitialized value NAME". */
sl_code sl_variable_read(struct sl_value *out, struct sl_variable *v, struct sl_error *err);
/* Replaces the value; takes it over. */
void sl_variable_write(struct sl_variable *v, struct sl_value value);

#endif
