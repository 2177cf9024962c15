/* Element-wise kernels: everything that a line of isa/<family>_loops.def needs besides its loops. A family's file
 * makes rows of the same lines:
 *
 *     const struct sl_kernel_def sl_cpu_math_rows[] = {
 *     #include "backends/cpu/math/elementwise_rows.inc"
 *     #include "backends/cpu/isa/math_loops.def"
 *         SL_ROWS_END
 *     };
 *
 * All functions here are for rows; `data` of the row is a struct sl_elementwise. */
#ifndef SL_BACKENDS_CPU_MATH_ELEMENTWISE_H
#define SL_BACKENDS_CPU_MATH_ELEMENTWISE_H

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/loops.h"

enum sl_elementwise_shapes {
    SL_SHAPES_BROADCAST,      /* NumPy's rule */
    SL_SHAPES_SAME_COUNT,     /* as many elements; the result has the first one's shape */
    SL_SHAPES_SAME,           /* the same shape */
    SL_SHAPES_SAME_OR_SCALAR, /* the first one's shape, or scalars after it */
    SL_SHAPES_ALL_OR_SCALAR   /* one shape, or scalars anywhere */
};

struct sl_elementwise {
    uint16_t op;        /* enum sl_loop_op */
    uint8_t inputs;     /* tensors, 1 to 3 */
    uint8_t shapes;     /* enum sl_elementwise_shapes */
    bool is_other_type; /* the result is of another type than the inputs */
    char refused;     /* in an integer second input. '0', 'o': zeros (two codes of error); '-': negatives; 0: nothing */
    const char *attr; /* a float attr that is the loop's last input; NULL: none */
};

sl_code sl_elementwise_create(void **state, struct sl_kernel_setup *setup);
void sl_elementwise_destroy(void *state);
sl_code sl_elementwise_run(struct sl_kernel_context *k);
sl_scalar_fn sl_elementwise_scalar(const struct sl_kernel_setup *setup);
/* The loop on this machine for inputs of type `dtype`; half and bfloat16 give float's. */
struct sl_element_loop sl_elementwise_loop(enum sl_loop_op op, int dtype);

/* INVALID_ARGUMENT for inputs `x` and `y` whose shapes do not fit the row; `name` is the node's. Their data is not
 * read. */
sl_code sl_elementwise_mismatch(struct sl_error *err, const struct sl_kernel_def *def, struct sl_str name,
                                struct sl_view x, struct sl_view y);

/* A row: rules for its types, the loops of `loops`, and members of struct sl_elementwise. */
#define ELEMENTWISE(op_, rules, ns, loops, ...)                                                                        \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = sl_elementwise_create,                                                                                  \
     .destroy = sl_elementwise_destroy,                                                                                \
     .run = sl_elementwise_run,                                                                                        \
     .scalar = sl_elementwise_scalar,                                                                                  \
     .cost_ns = (float)(ns) + 5,                                                                                       \
     .cost_element = (float)(ns),                                                                                      \
     .data = &(const struct sl_elementwise){.op = SL_LOOP_##loops, __VA_ARGS__}},

#endif
