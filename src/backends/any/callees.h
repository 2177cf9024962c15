/* The functions that a node calls: found when its kernel is made, checked against the node's types. Shared by the
 * kernels of the family "function". Immutable once made; thread-safe. */
#ifndef SL_BACKENDS_ANY_CALLEES_H
#define SL_BACKENDS_ANY_CALLEES_H

#include "kernel/functions.h"
#include "kernel/kernel.h"

/* The state of such a kernel. A node whose function is missing or has other types may stand in a graph and not be
 * run, so that is an error of the run. */
struct sl_callees {
    int n;
    void (*release)(struct sl_function *f);
    sl_code code; /* not OK: what every run answers, with `message` */
    char *message;
    struct sl_function *functions[];
};

/* What one callee must take and give. */
struct sl_callee_types {
    const uint8_t *args, *rets;
    int n_args, n_rets;
};

/* Room for `n` callees of these (NULL: there are none), all NULL; NULL when memory is out. */
struct sl_callees *sl_callees_new(int n, struct sl_functions *functions, struct sl_error *err);
void sl_callees_free(void *callees); /* fits a row's `destroy` */

/* Keeps the error of `setup` for the runs, and gives OK; running out of memory alone stays an error. */
sl_code sl_callees_keep_error(struct sl_callees *callees, struct sl_kernel_setup *setup, sl_code code);
/* Finds callee `i`, the function that `named` names. */
sl_code sl_callee_find(struct sl_callees *callees, int i, struct sl_kernel_setup *setup,
                       const struct sl_pb_NameAttrList *named);
/* Finds callee `i` and checks its types, under the function attr `attr`. */
sl_code sl_callee_bind(struct sl_callees *callees, int i, struct sl_kernel_setup *setup, const char *attr,
                       struct sl_callee_types types);
/* TensorFlow's words and codes for a function that does not fit. */
sl_code sl_callee_check(const struct sl_function *f, const struct sl_functions *functions, struct sl_callee_types types,
                        struct sl_error *err);

static inline sl_code sl_callees_status(const struct sl_callees *callees, struct sl_error *err) {
    return __builtin_expect(callees->code == SL_OK, 1) ? SL_OK : sl_fail(err, callees->code, "%s", callees->message);
}

/* A value as a condition: a scalar number that is not 0, a string that is not empty, any other tensor that has
 * elements. */
sl_code sl_value_is_true(bool *out, const struct sl_value *v, struct sl_error *err);

/* While and For (loop_any.c). */
sl_code sl_while_create(void **state, struct sl_kernel_setup *setup);
sl_code sl_for_create(void **state, struct sl_kernel_setup *setup);
sl_code sl_while_run(struct sl_kernel_context *k);
sl_code sl_for_run(struct sl_kernel_context *k);
void sl_while_start(struct sl_kernel_context *k);
void sl_for_start(struct sl_kernel_context *k);

#endif
