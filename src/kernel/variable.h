/* Variables: what a reference edge points at and what a variable's resource handle holds.
 *
 * Readers share the value (`sl_variable_read`). A writer asks for the elements with the lock held
 * (`sl_variable_edit`), and gets a copy when others still hold the old value. So a value that was read never
 * changes. Threads: `mutex` guards `value`, `dtype` and `copy_on_read`; the rest never changes. */
#ifndef SL_KERNEL_VARIABLE_H
#define SL_KERNEL_VARIABLE_H

#include "base/error.h"
#include "base/str.h"
#include "os/mutex.h"
#include "tensor/value.h"

struct sl_variable {
    struct sl_object object;
    struct sl_mutex mutex;
    struct sl_value value; /* kind NONE: not initialised */
    uint8_t dtype;
    bool copy_on_read;             /* set by scatters: readers get a copy, so that updates in place stay possible */
    struct sl_shape shape;         /* as declared, what a reference variable has until its first value */
    struct sl_str container, name; /* for messages */
};

extern const struct sl_object_type sl_variable_type;     /* held by a resource handle */
extern const struct sl_object_type sl_ref_variable_type; /* behind reference edges */

struct sl_variable_spec {
    const struct sl_object_type *type; /* one of those above */
    int dtype;
    struct sl_shape shape; /* known; resource variables: {0} */
    struct sl_str container, name;
};
/* A variable without a value; copies the spec. */
sl_code sl_variable_new(struct sl_variable **out, const struct sl_variable_spec *spec, struct sl_error *err);
/* `o` as the variable that a resource handle holds; NULL when it is something else, or NULL. */
struct sl_variable *sl_variable_of(struct sl_object *o);
/* What it holds now, shared (or copied, see copy_on_read). When it holds nothing: as sl_variable_fail_unset. */
sl_code sl_variable_read(struct sl_value *out, struct sl_variable *v, struct sl_error *err);
/* References among `n` values whose declared type is no reference become what they hold now. */
sl_code sl_values_deref(struct sl_value *values, const uint8_t *types, uint32_t n, struct sl_error *err);
/* Replaces the value; takes it over. */
void sl_variable_write(struct sl_variable *v, struct sl_value value);
/* There is no value: FAILED_PRECONDITION "Attempting to use uninitialized value NAME" for references, NOT_FOUND
 * "Resource CONTAINER/NAME/... does not exist." for resources. */
sl_code sl_variable_fail_unset(const struct sl_variable *v, struct sl_error *err);

/* ---- with the lock held */

/* Locks several, in an order that is the same for everybody. The list may name a variable twice; at most
 * SL_VARIABLES_MAX. */
enum { SL_VARIABLES_MAX = 8 };
void sl_variables_lock(struct sl_variable *const *list, int n);
void sl_variables_unlock(struct sl_variable *const *list, int n);
/* The value, for reading on the host; it is copied to the host's memory first when it lies elsewhere. Fails when
 * there is none. */
sl_code sl_variable_look(struct sl_view *out, struct sl_variable *v, struct sl_error *err);
/* The same for changing its elements; copies it first when others hold it. */
sl_code sl_variable_edit(struct sl_view *out, struct sl_variable *v, struct sl_error *err);

/* Whether the value may be assigned: its type, and with `validates` its shape. */
sl_code sl_variable_check(const struct sl_variable *v, const struct sl_value *value, bool validates,
                          struct sl_error *err);

/* ---- in kernels */
struct sl_kernel_context;
/* The variable that input i refers to or is a handle of; borrowed as long as the input. INVALID_ARGUMENT when it is
 * a handle of something else. */
sl_code sl_in_variable(struct sl_variable **out, struct sl_kernel_context *k, int i);
/* Output o is a reference to the variable, whose reference count is taken over. */
void sl_out_variable(struct sl_kernel_context *k, int o, struct sl_variable *v);
/* The same for a variable that lives until the step ends or sl_temporary_forget drops its name, which is one
 * iteration's own. The reference is taken over, also on failure: ALREADY_EXISTS. */
sl_code sl_out_temporary(struct sl_kernel_context *k, int o, struct sl_variable *v, struct sl_str name);
sl_code sl_temporary_forget(struct sl_kernel_context *k, struct sl_str name); /* NOT_FOUND when there is none */

#endif
