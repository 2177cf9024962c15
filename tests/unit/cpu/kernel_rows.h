/* Tests of kernels as rows of text: an op, attrs, inputs, and what comes out.
 *
 *     {"Add", "", {"float[2] 1 2", "float 10"}, "float[2] 11 12"},
 *     {"Div", "", {"int32[2] 1 2", "int32 0"}, "INVALID_ARGUMENT Integer division by zero"},
 *
 * A value: type, dims in brackets (none: a scalar), elements; the last one fills what is missing; a complex number
 * is "re,im", an empty string ''. An op may have one list among its inputs: it takes what the others leave. Attrs
 * are "alpha f: 0.5; DstT type: DT_FLOAT"; types and numbers that follow from the inputs need not be there. */
#ifndef SL_TESTS_CPU_KERNEL_ROWS_H
#define SL_TESTS_CPU_KERNEL_ROWS_H

#include "kernel/kernel.h"
#include "unit/unit.h"

enum { KERNEL_ROW_INPUTS = 5 };

struct kernel_row {
    const char *op, *attrs;
    const char *in[KERNEL_ROW_INPUTS]; /* up to the first NULL */
    const char *out;                   /* values, "; " between them, or the name of a code and a part of the message */
};

/* Group set-up: the ops and the kernels of the CPU. */
int kernels_setup(void **state);
int kernels_teardown(void **state);

/* Runs every row: as it is, with inputs that may be overwritten, and by the scalar entry where there is one. Floats
 * are compared with a tolerance that fits the type. */
void check_kernel_rows(const struct kernel_row *rows, size_t n);
#define CHECK_ROWS(rows) check_kernel_rows(rows, sizeof(rows) / sizeof *(rows))

/* A value of its text; the caller clears it. */
struct sl_value value_of(const char *text);
/* Runs one op on borrowed values; `out` is its output 0. With `may_take` they may be overwritten and gone
 * afterwards. `pool` may be NULL. */
sl_code run_kernel(struct sl_value *out, const char *op, const char *attrs, struct sl_value *in, int n_in,
                   bool may_take, struct sl_pool *pool, struct sl_error *err);
/* The same for the first `n_outs` outputs. */
sl_code run_kernel_for_all(struct sl_value *outs, int n_outs, const char *op, const char *attrs, struct sl_value *in,
                           int n_in, struct sl_error *err);

#endif
