/* Watching numbers: the first node of a step that makes a NaN, or an infinity, out of inputs that have none. Executors
 * call this around each node of a step whose `env->watch` is not 0, and for no other step. Threads: as a kernel's
 * context. */
#ifndef SL_KERNEL_NUMERICS_H
#define SL_KERNEL_NUMERICS_H

#include <string.h>

#include "kernel/kernel.h"

enum sl_numerics { SL_WATCHES_NAN = 1, SL_WATCHES_INFINITY = 2 };

/* `data` of rows whose nodes stand for several: the steps, in their order, each of which puts out one value. */
struct sl_numerics_steps {
    int (*count)(const void *state);
    /* Of step i: the name of the node that it was, its op, and its operands: below n_in inputs, else n_in + an earlier step;
     * -1: none. */
    void (*describe)(struct sl_str *name, const char **op, int operands[2], const void *state, int i);
    /* As the row's `run`, but what step i gives is output 0. */
    sl_code (*run)(struct sl_kernel_context *k, int i);
};

/* `may_take` less the inputs whose values are looked at when the node has run. */
uint64_t sl_numerics_keep(const struct sl_kernel_context *k, uint64_t may_take);
/* After k->node ran, with its inputs and outputs in their slots: INVALID_ARGUMENT, with the text, when it is the one.
 * A node without inputs that could have brought it is the one when it brings a NaN in: a variable, a file. */
sl_code sl_numerics_check(struct sl_kernel_context *k);
/* The same for a node that ended with `code`: one that failed may have called the one. */
sl_code sl_numerics_settle(struct sl_kernel_context *k, sl_code code);

/* Whether a scalar is known at a glance to be neither NaN nor infinite; false for complex ones, which have to be looked at. */
static inline bool sl_numerics_scalar_is_finite(const struct sl_value *v) {
    uint16_t half;
    switch (v->dtype) {
    case SL_FLOAT: return (v->i32 & 0x7f800000) != 0x7f800000;
    case SL_DOUBLE: return (v->i64 & INT64_C(0x7ff0000000000000)) != INT64_C(0x7ff0000000000000);
    case SL_HALF: memcpy(&half, v->bits, sizeof half); return (half & 0x7c00) != 0x7c00;
    case SL_BFLOAT16: memcpy(&half, v->bits, sizeof half); return (half & 0x7f80) != 0x7f80;
    case SL_COMPLEX64:
    case SL_COMPLEX128: return false;
    default: return true;
    }
}

/* Whether it has no NaN and no infinity; true for types that cannot. Elements on the host. */
bool sl_tensor_is_finite(const struct sl_tensor *t);
/* Adds a loop in which the node was, from the inside out: to the message of an error that sl_numerics_check made, to the
 * place of any other (base/error_place.h), as "iteration 3 of loop 'inner', in iteration 0 of loop 'outer'". */
void sl_error_name_loop(struct sl_error *err, struct sl_str loop, uint64_t iteration);

#endif
