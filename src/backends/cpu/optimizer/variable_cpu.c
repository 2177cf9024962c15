/* Kernels that work on the elements of variables, by reference or by resource: adding, scattering, gathering. They
 * hold the variable's lock while they do. */
#include <inttypes.h>

#include "backends/cpu/indices.h"
#include "backends/cpu/math/broadcast_map.h"
#include "backends/cpu/math/elementwise.h"
#include "backends/cpu/scatter/scatter.h"
#include "kernel/variable.h"

/* ---- AssignAdd, AssignSub */

/* to = to op value; both of one shape. */
static void combine(struct sl_kernel_context *k, struct sl_view to, struct sl_view value, enum sl_loop_op op) {
    struct sl_shape shape = sl_view_shape(to);
    int64_t size = (int64_t)sl_dtype_size(to.dtype);
    struct sl_broadcast_map map = {.loop = sl_elementwise_loop(op, to.dtype).run,
                                   .in = {{to.data, size, to.count, shape}, {value.data, size, value.count, shape}},
                                   .n = 2,
                                   .to = to.data,
                                   .to_size = size,
                                   .shape = shape,
                                   .half = to.dtype == SL_HALF || to.dtype == SL_BFLOAT16 ? to.dtype : 0,
                                   .ns = 0.25};
    sl_broadcast_map_run(k, &map);
}

static sl_code change(struct sl_kernel_context *k, struct sl_variable *v, int op) {
    struct sl_view to, value = sl_in(k, 1);
    SL_TRY(sl_variable_edit(&to, v, k->err));
    if (to.dtype != value.dtype) return sl_invalid(k, "DType of variable handle and value does not match.");
    if (!sl_same_shape(to, value)) {
        if (v->object.type == &sl_ref_variable_type)
            return sl_invalid(k, "Parameters and update must be the same size");
        return sl_invalid(k, "Cannot update variable with shape %s using a Tensor with shape %s, shapes must be equal.",
                          SHAPE_OF(to), SHAPE_OF(value));
    }
    combine(k, to, value, (enum sl_loop_op)op);
    return SL_OK;
}

typedef sl_code (*variable_fn)(struct sl_kernel_context *k, struct sl_variable *v, int op);

/* Runs `work` on the variable of input 0 with its lock held; a reference goes on as output 0. */
static sl_code with_lock(struct sl_kernel_context *k, variable_fn work, int op) {
    struct sl_variable *v;
    SL_TRY(sl_in_variable(&v, k, 0));
    sl_mutex_lock(&v->mutex);
    sl_code code = work(k, v, op);
    sl_mutex_unlock(&v->mutex);
    if (code == SL_OK && sl_out_count(k) > 0) sl_out_forward(k, 0, 0);
    return code;
}

static sl_code assign_add_run(struct sl_kernel_context *k) { return with_lock(k, change, SL_LOOP_Add); }
static sl_code assign_sub_run(struct sl_kernel_context *k) { return with_lock(k, change, SL_LOOP_Sub); }

/* ---- scattering */

/* The elements to scatter to. Later readers of a resource get copies, so that the next scatter need not copy. */
static sl_code edit_sparsely(struct sl_view *to, struct sl_kernel_context *k, struct sl_variable *v) {
    SL_TRY(sl_variable_edit(to, v, k->err));
    if (to->dtype != sl_in(k, 2).dtype) return sl_invalid(k, "DType of scatter resource and updates does not match.");
    v->copy_on_read = v->object.type == &sl_variable_type;
    return SL_OK;
}

static sl_code scatter_rows(struct sl_kernel_context *k, struct sl_variable *v, int op) {
    struct sl_view indices = sl_in(k, 1), updates = sl_in(k, 2), to;
    SL_TRY(edit_sparsely(&to, k, v));
    if (to.rank < 1) return sl_invalid(k, "params must be at least 1-D, got shape %s", SHAPE_OF(to));
    bool fits = updates.rank == indices.rank + to.rank - 1 && sl_dims_equal(updates, indices, 0, indices.rank);
    if (!fits && updates.rank == indices.rank + to.rank - 1 && v->object.type == &sl_variable_type &&
        !sl_dims_equal(updates, indices, 0, indices.rank))
        return sl_invalid(k, "The shape of indices (%s) must be a prefix of the shape of updates (%s)",
                          SHAPE_OF(indices), SHAPE_OF(updates));
    for (int i = 1; fits && i < to.rank; i++) fits = updates.dims[indices.rank + i - 1] == to.dims[i];
    if (!fits && updates.rank > 0)
        return sl_invalid(k,
                          "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
                          "updates.shape %s, indices.shape %s, params.shape %s",
                          SHAPE_OF(updates), SHAPE_OF(indices), SHAPE_OF(to));
    return indices.count ? sl_scatter_rows(k, to, indices, updates, op) : SL_OK;
}

static sl_code scatter_nd(struct sl_kernel_context *k, struct sl_variable *v, int op) {
    struct sl_view indices = sl_in(k, 1), updates = sl_in(k, 2), to;
    SL_TRY(edit_sparsely(&to, k, v));
    SL_TRY(sl_scatter_nd_check(k, sl_view_shape(to), indices, updates));
    if (to.count == 0 && indices.count && updates.count)
        return sl_invalid(k, "Indices and updates specified for empty output.  indices shape: %s", SHAPE_OF(indices));
    return sl_scatter_nd_slices(k, to, indices, updates, op, sl_state_number(k));
}

#define SCATTER(name, op)                                                                                              \
    static sl_code scatter_##name##_run(struct sl_kernel_context *k) { return with_lock(k, scatter_rows, op); }        \
    static sl_code scatter_nd_##name##_run(struct sl_kernel_context *k) { return with_lock(k, scatter_nd, op); }
SCATTER(update, SL_SCATTER_ASSIGN)
SCATTER(add, SL_COMBINE_ADD)
SCATTER(sub, SL_COMBINE_SUB)
SCATTER(min, SL_COMBINE_MIN)
SCATTER(max, SL_COMBINE_MAX)
#undef SCATTER
static sl_code scatter_mul_run(struct sl_kernel_context *k) { return with_lock(k, scatter_rows, SL_COMBINE_MUL); }
static sl_code scatter_div_run(struct sl_kernel_context *k) { return with_lock(k, scatter_rows, SL_COMBINE_DIV); }

static sl_code policy_create(void **state, struct sl_kernel_setup *setup) {
    bool ignores;
    SL_TRY(sl_bad_indices_policy(&ignores, setup));
    *state = (void *)(intptr_t)ignores;
    return SL_OK;
}

/* ---- gathering: with the lock, as a reference to the value would make the next scatter copy it all */

static sl_code look(struct sl_view *from, struct sl_kernel_context *k, struct sl_variable *v) {
    SL_TRY(sl_variable_look(from, v, k->err));
    if (from->dtype != sl_out_type(k, 0))
        return sl_invalid(k, "Trying to gather from a variable with wrong dtype. Expected %s got %s",
                          sl_dtype_name(sl_out_type(k, 0)), sl_dtype_name(from->dtype));
    return SL_OK;
}

static sl_code gather(struct sl_kernel_context *k, bool is_nd) {
    struct sl_variable *v;
    struct sl_view from;
    SL_TRY(sl_in_variable(&v, k, 0));
    sl_mutex_lock(&v->mutex);
    sl_code code = look(&from, k, v);
    if (code == SL_OK)
        code = is_nd ? sl_gather_nd_output(k, from, sl_in(k, 1), false)
                     : sl_gather_output(k, from, sl_in(k, 1), sl_state_number(k), sl_state_number(k));
    sl_mutex_unlock(&v->mutex);
    return code;
}

static sl_code gather_run(struct sl_kernel_context *k) {
    const int64_t batch_dims = sl_state_number(k);
    if (batch_dims < 0) return sl_invalid(k, "batch_dims is negative (%" PRId64 ")", batch_dims);
    return gather(k, false);
}
static sl_code gather_nd_run(struct sl_kernel_context *k) { return gather(k, true); }
static sl_code batch_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "batch_dims");
}

#define ADDED(op, attr, run_) KERNEL(op, RULE(attr, SL_SET_NUMBERS), .run = run_, .cost_element = 0.3f)
#define SCATTERED(op, set, run_)                                                                                       \
    KERNEL("Scatter" op, RULE("T", set), .run = run_, .cost_element = 0.5f)                                            \
    KERNEL("ResourceScatter" op, RULE("dtype", set), .run = run_, .cost_element = 0.5f)
#define SCATTERED_ND(op, set, run_)                                                                                    \
    KERNEL("ScatterNd" op, RULE("T", set), .create = policy_create, .run = run_, .cost_element = 0.5f)                 \
    KERNEL("ResourceScatterNd" op, RULE("T", set), .create = policy_create, .run = run_, .cost_element = 0.5f)
/* clang-format off */
const struct sl_kernel_def sl_cpu_variable_rows[] = {
    ADDED("AssignAdd", "T", assign_add_run)
    ADDED("AssignSub", "T", assign_sub_run)
    ADDED("AssignAddVariableOp", "dtype", assign_add_run)
    ADDED("AssignSubVariableOp", "dtype", assign_sub_run)
    SCATTERED("Update", SL_SET_ALL, scatter_update_run)
    SCATTERED("Add", SL_SET_NUMBERS, scatter_add_run)
    SCATTERED("Sub", SL_SET_NUMBERS, scatter_sub_run)
    SCATTERED("Mul", SL_SET_NUMBERS, scatter_mul_run)
    SCATTERED("Div", SL_SET_NUMBERS, scatter_div_run)
    SCATTERED("Min", SL_SET_REAL, scatter_min_run)
    SCATTERED("Max", SL_SET_REAL, scatter_max_run)
    SCATTERED_ND("Update", SL_SET_ALL, scatter_nd_update_run)
    SCATTERED_ND("Add", SL_SET_NUMBERS | SL_SET(BOOL), scatter_nd_add_run)
    SCATTERED_ND("Sub", SL_SET_NUMBERS | SL_SET(BOOL), scatter_nd_sub_run)
    SCATTERED_ND("Min", SL_SET_REAL, scatter_nd_min_run)
    SCATTERED_ND("Max", SL_SET_REAL, scatter_nd_max_run)
    KERNEL("ResourceGather", NO_RULE, .create = batch_create, .run = gather_run, .cost_element = 0.5f)
    KERNEL("ResourceGatherNd", NO_RULE, .run = gather_nd_run, .cost_element = 0.5f)
    SL_ROWS_END
};
/* clang-format on */
