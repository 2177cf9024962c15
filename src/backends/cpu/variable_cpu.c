/* Kernels that change the elements of variables, by reference or by resource: adding, subtracting. */
#include "backends/cpu/broadcast_map.h"
#include "backends/cpu/elementwise.h"
#include "backends/cpu/indices.h"
#include "kernel/variable.h"

/* ---- AssignAdd, AssignSub */

/* to = to op value; both of one shape. */
static void combine(struct sl_kernel_context *k, struct sl_view to, struct sl_view value, enum sl_loop_op op) {
    struct sl_shape shape = sl_view_shape(to);
    int64_t size = (int64_t)sl_dtype_size(to.dtype);
    struct sl_map map = {.loop = sl_elementwise_loop(op, to.dtype).run,
                         .in = {{to.data, size, to.count, shape}, {value.data, size, value.count, shape}},
                         .n = 2,
                         .to = to.data,
                         .to_size = size,
                         .shape = shape,
                         .half = to.dtype == SL_HALF || to.dtype == SL_BFLOAT16 ? to.dtype : 0,
                         .ns = 0.25};
    sl_map_run(k, &map);
}

static sl_code change(struct sl_kernel_context *k, struct sl_variable *v, enum sl_loop_op op) {
    struct sl_view to, value = sl_in(k, 1);
    SL_TRY(sl_variable_edit(&to, v, k->err));
    if (to.dtype != value.dtype) return sl_invalid(k, "DType of variable handle and value does not match.");
    if (!sl_same_shape(to, value)) {
        if (v->object.type == &sl_ref_variable_type)
            return sl_invalid(k, "Parameters and update must be the same size");
        return sl_invalid(k, "Cannot update variable with shape %s using a Tensor with shape %s, shapes must be equal.",
                          SHAPE_OF(to), SHAPE_OF(value));
    }
    combine(k, to, value, op);
    return SL_OK;
}

static sl_code assign_by(struct sl_kernel_context *k, enum sl_loop_op op) {
    struct sl_variable *v;
    SL_TRY(sl_in_variable(&v, k, 0));
    sl_mutex_lock(&v->mutex);
    sl_code code = change(k, v, op);
    sl_mutex_unlock(&v->mutex);
    if (code == SL_OK && sl_out_count(k) > 0) sl_out_forward(k, 0, 0);
    return code;
}

static sl_code assign_add_run(struct sl_kernel_context *k) { return assign_by(k, SL_LOOP_Add); }
static sl_code assign_sub_run(struct sl_kernel_context *k) { return assign_by(k, SL_LOOP_Sub); }

/* clang-format off */
const struct sl_kernel_def sl_cpu_variable_rows[] = {
    KERNEL("AssignAdd", RULE("T", SL_SET_NUMBERS), .run = assign_add_run, .cost_element = 0.3f)
    KERNEL("AssignSub", RULE("T", SL_SET_NUMBERS), .run = assign_sub_run, .cost_element = 0.3f)
    KERNEL("AssignAddVariableOp", RULE("dtype", SL_SET_NUMBERS), .run = assign_add_run, .cost_element = 0.3f)
    KERNEL("AssignSubVariableOp", RULE("dtype", SL_SET_NUMBERS), .run = assign_sub_run, .cost_element = 0.3f)
    SL_ROWS_END
};
/* clang-format on */
