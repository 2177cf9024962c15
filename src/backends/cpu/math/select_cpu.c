/* Select and SelectV2. A scalar condition forwards the chosen input; else elements are chosen one by one, strings
 * and objects by pointers to them. */
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/math/broadcast_map.h"

/* out = in[0] ? in[1] : in[2] for elements of any type, `map` complete but for loop and result. */
static sl_code choose(struct sl_kernel_context *k, struct sl_broadcast_map *map, const struct sl_view in[3]) {
    struct sl_view out;
    bool is_plain = sl_dtype_is_plain(in[1].dtype);
    map->n = 3;
    map->ns = 0.4;
    if (is_plain) {
        SL_TRY(sl_out_reuse(&out, k, 0, map->shape, 1, 2));
        map->loop = SL_ISA_PICK(sl_select_loop)(sl_dtype_size(out.dtype));
        map->to = out.data;
        map->to_size = (int64_t)sl_dtype_size(out.dtype);
        map->shape = sl_view_shape(out);
        sl_broadcast_map_run(k, map);
        return SL_OK;
    }
    SL_TRY(sl_out_new(&out, k, 0, map->shape));
    const void **yes = sl_broadcast_map_pointers(in[1]), **no = sl_broadcast_map_pointers(in[2]),
               **chosen = sl_broadcast_map_pointers(out);
    sl_code code = yes && no && chosen ? SL_OK : sl_fail_memory(k->err, (size_t)out.count * sizeof *chosen);
    if (code == SL_OK) {
        map->loop = SL_ISA_PICK(sl_select_loop)(sizeof *chosen);
        map->in[1].data = yes;
        map->in[2].data = no;
        map->in[1].size = map->in[2].size = map->to_size = (int64_t)sizeof *chosen;
        map->to = chosen;
        sl_broadcast_map_run(k, map);
    }
    char *to = out.data;
    for (int64_t i = 0; i < out.count && code == SL_OK; i++, to += sl_dtype_size(out.dtype))
        code = sl_elements_copy(out.dtype, to, chosen[i], 1, k->err);
    sl_broadcast_map_pointers_free(yes, in[1].count);
    sl_broadcast_map_pointers_free(no, in[2].count);
    sl_broadcast_map_pointers_free(chosen, out.count);
    return code;
}

/* Both branches have one shape; the condition has it too, or is a scalar, or a vector with a bool for each row. */
static sl_code select_run(struct sl_kernel_context *k) {
    struct sl_view in[3] = {sl_in(k, 0), sl_in(k, 1), sl_in(k, 2)};
    struct sl_shape condition = sl_view_shape(in[0]), shape = sl_view_shape(in[1]);
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (!sl_shape_equal(shape, sl_view_shape(in[2])))
        return sl_invalid(k, "'then' and 'else' must have the same size.  but received: %s vs. %s",
                          sl_shape_text(a, shape), sl_shape_text(b, sl_view_shape(in[2])));
    if (condition.rank == 0) {
        sl_out_forward(k, 0, *(const bool *)in[0].data ? 1 : 2);
        return SL_OK;
    }
    bool is_by_row = condition.rank == 1 && shape.rank != 1;
    if (is_by_row && shape.rank == 0)
        return sl_invalid(k, "'then' must be at least a vector, but saw shape: %s", sl_shape_text(a, shape));
    if (is_by_row && condition.dims[0] != shape.dims[0])
        return sl_invalid(k, "Number of batches of 'then' must match size of 'cond', but saw: %lld vs. %lld",
                          (long long)shape.dims[0], (long long)condition.dims[0]);
    if (!is_by_row && !sl_shape_equal(condition, shape))
        return sl_invalid(
            k, "Inputs to operation %.*s of type Select must have the same size and shape.  Input 0: %s != input 1: %s",
            SL_STR_ARG(k->node->name), sl_shape_text(a, condition), sl_shape_text(b, shape));
    struct sl_broadcast_map map = {.in = {sl_broadcast_map_input(in[0]), sl_broadcast_map_input(in[1]),
                                          sl_broadcast_map_input(in[2])},
                                   .shape = shape};
    int64_t dims[SL_MAX_RANK];
    if (is_by_row) {
        for (int d = 0; d < shape.rank; d++) dims[d] = d == 0 ? shape.dims[0] : 1;
        map.in[0].shape = (struct sl_shape){shape.rank, dims};
    }
    return choose(k, &map, in);
}

/* All three broadcast. */
static sl_code select_v2_run(struct sl_kernel_context *k) {
    struct sl_view in[3] = {sl_in(k, 0), sl_in(k, 1), sl_in(k, 2)};
    struct sl_broadcast_map map = {
        .in = {sl_broadcast_map_input(in[0]), sl_broadcast_map_input(in[1]), sl_broadcast_map_input(in[2])}};
    int64_t dims[SL_MAX_RANK];
    if (!sl_broadcast_map_shape(&map.shape, dims, map.in, 3)) {
        char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT], c[SL_SHAPE_TEXT];
        return sl_invalid(k, "condition %s, then %s, and else %s must be broadcastable",
                          sl_shape_text(a, sl_view_shape(in[0])), sl_shape_text(b, sl_view_shape(in[1])),
                          sl_shape_text(c, sl_view_shape(in[2])));
    }
    if (in[0].rank == 0) {
        int chosen = *(const bool *)in[0].data ? 1 : 2;
        if (sl_shape_equal(map.shape, sl_view_shape(in[chosen]))) {
            sl_out_forward(k, 0, chosen);
            return SL_OK;
        }
    }
    return choose(k, &map, in);
}

#define SELECTED (SL_SET_ALL & ~SL_SET_QUANTIZED & ~SL_SET_FLOAT8 & ~SL_SET_SMALL_INTEGERS)

const struct sl_kernel_def sl_cpu_select_rows[] = {
    /* clang-format off */
    KERNEL("Select", RULE("T", SELECTED), .run = select_run, .cost_ns = 10, .cost_element = 0.4f)
    KERNEL("SelectV2", RULE("T", SELECTED), .run = select_v2_run, .cost_ns = 10, .cost_element = 0.4f)
    SL_ROWS_END
    /* clang-format on */
};
