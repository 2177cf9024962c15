/* Sum, Mean, Max and their kin, L2Loss: which dims are reduced, what shape remains. reduce.c does the rest. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/reduce/reduce.h"
#include "base/alloc.h"

struct row {
    uint8_t fold;   /* enum sl_fold_kind */
    uint8_t result; /* enum sl_reduce_result */
};

struct state {
    const struct sl_reduce_loop *loop;
    const struct sl_ordered_sum *ordered;
    sl_reduce_finish_fn finish;
    bool keeps_dims;
    int parts;       /* complex numbers taken as this many real ones, else 1 */
    bool adds_parts; /* reduced to one */
};

static int part_type(int dtype) {
    return dtype == SL_COMPLEX64 ? SL_FLOAT : dtype == SL_COMPLEX128 ? SL_DOUBLE : dtype;
}

static sl_code reduce_create(void **state, struct sl_kernel_setup *setup) {
    const struct row *row = setup->def->data;
    int dtype = setup->in_types[0], loop_type = row->fold == SL_FOLD_PROD ? dtype : part_type(dtype);
    struct state s = {.loop = sl_reduce_loop(row->fold, loop_type),
                      .finish =
                          sl_reduce_finish(row->fold, row->result, row->result == SL_RESULT_ITSELF ? loop_type : dtype),
                      .parts = loop_type == dtype ? 1 : 2,
                      .adds_parts = row->result == SL_RESULT_ROOT};
    if (s.parts == 1 && (row->fold == SL_FOLD_SUM || row->fold == SL_FOLD_WIDE_SUM))
        s.ordered = SL_ISA_PICK(sl_ordered_sum)(dtype);
    if (!s.loop || !s.finish)
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "%s is not there for %s", setup->def->op, sl_dtype_name(dtype));
    if (sl_attr_find(setup->attrs, SL_STR("keep_dims")))
        SL_TRY(sl_attr_bool(&s.keeps_dims, setup->attrs, "keep_dims", setup->err));
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

static void reduce_destroy(void *state) { sl_free(state); }

/* Marks the dims that input 1 names. */
static sl_code read_axes(struct sl_reduce *r, struct sl_kernel_context *k) {
    struct sl_view axes = sl_in(k, 1);
    for (int64_t i = 0; i < axes.count; i++) {
        int64_t axis = axes.dtype == SL_INT64 ? ((const int64_t *)axes.data)[i] : ((const int32_t *)axes.data)[i];
        if (axis < -r->rank || axis >= r->rank)
            return sl_invalid(k, "Invalid reduction dimension (%" PRId64 " for input with %d dimension(s)", axis,
                              r->rank);
        if (axis < 0) axis += r->rank;
        if (r->is_reduced[axis])
            return sl_invalid(k, "Invalid reduction arguments: Axes contains duplicate dimension: %" PRId64, axis);
        r->is_reduced[axis] = true;
    }
    return SL_OK;
}

static sl_code run(struct sl_kernel_context *k, struct sl_reduce *r, struct sl_view x) {
    const struct state *s = k->state;
    const struct row *row = k->node->def->data;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape = {0, dims};
    struct sl_view out;
    bool changes = row->result == SL_RESULT_ROOT || row->result == SL_RESULT_HALF;
    for (int d = 0; d < r->rank; d++) {
        if (r->is_reduced[d] && r->dims[d] != 1) changes = true;
        if (!r->is_reduced[d] || s->keeps_dims) dims[shape.rank++] = r->is_reduced[d] ? 1 : r->dims[d];
    }
    if (!changes) return sl_out_reshape(k, 0, 0, shape);
    SL_TRY(sl_out_new(&out, k, 0, shape));
    r->loop = s->loop;
    r->ordered = s->ordered;
    r->finish = s->finish;
    r->x = x.data;
    r->x_size = (int64_t)sl_dtype_size(x.dtype) / s->parts;
    r->to = out.data;
    r->to_size = (int64_t)sl_dtype_size(out.dtype);
    if (s->parts > 1) {
        if (!s->adds_parts) r->to_size /= s->parts;
        r->dims[r->rank] = s->parts;
        r->is_reduced[r->rank++] = s->adds_parts;
    }
    return sl_reduce_run(k, r);
}

static void set_shape(struct sl_reduce *r, struct sl_view x, bool is_reduced) {
    r->rank = x.rank;
    for (int d = 0; d < x.rank; d++) {
        r->dims[d] = x.dims[d];
        r->is_reduced[d] = is_reduced;
    }
}

static sl_code reduce_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0);
    struct sl_reduce r;
    set_shape(&r, x, false);
    SL_TRY(read_axes(&r, k));
    return run(k, &r, x);
}

static sl_code reduce_all_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0);
    struct sl_reduce r;
    set_shape(&r, x, true);
    return run(k, &r, x);
}

/* In one step, as KERNEL is: a rule's commas must not be read as those of a macro's arguments. */
#define REDUCE(op_, rules, fold_, result_)                                                                             \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = reduce_create,                                                                                          \
     .destroy = reduce_destroy,                                                                                        \
     .run = reduce_run,                                                                                                \
     .cost_ns = 60,                                                                                                    \
     .cost_element = 0.3f,                                                                                             \
     .data = &(const struct row){SL_FOLD_##fold_, SL_RESULT_##result_}},
#define INDEX_RULE RULE("Tidx", SL_SET(INT32) | SL_SET(INT64))

/* clang-format off */
const struct sl_kernel_def sl_cpu_reduce_rows[] = {
    REDUCE("Sum", RULE("T", SL_SET_NUMBERS) INDEX_RULE, SUM, ITSELF)
    REDUCE("Mean", RULE("T", SL_SET_NUMBERS) INDEX_RULE, WIDE_SUM, MEAN)
    REDUCE("Prod", RULE("T", SL_SET_NUMBERS) INDEX_RULE, PROD, ITSELF)
    REDUCE("Max", RULE("T", SL_SET_REAL) INDEX_RULE, MAX, ITSELF)
    REDUCE("Min", RULE("T", SL_SET_REAL) INDEX_RULE, MIN, ITSELF)
    REDUCE("All", INDEX_RULE, ALL, ITSELF)
    REDUCE("Any", INDEX_RULE, ANY, ITSELF)
    REDUCE("EuclideanNorm", RULE("T", SL_SET_NUMBERS) INDEX_RULE, SQUARES, ROOT)
    KERNEL("L2Loss", RULE("T", SL_SET_FLOATS), .create = reduce_create, .destroy = reduce_destroy, .run = reduce_all_run,
           .cost_ns = 60, .cost_element = 0.3f, .data = &(const struct row){SL_FOLD_SQUARES, SL_RESULT_HALF})
    SL_ROWS_END
};
/* clang-format on */

bool sl_row_fold_find(struct sl_row_fold *out, struct sl_str op, int dtype) {
    if (dtype != SL_FLOAT && dtype != SL_DOUBLE) return false;
    for (const struct sl_kernel_def *def = sl_cpu_reduce_rows; def->op; def++) {
        const struct row *row = def->data;
        const bool is_sum = row->fold == SL_FOLD_SUM || row->fold == SL_FOLD_WIDE_SUM;
        if (!sl_str_is(op, def->op) || !(is_sum || row->fold == SL_FOLD_MAX || row->fold == SL_FOLD_MIN)) continue;
        *out = (struct sl_row_fold){.loop = sl_reduce_loop(row->fold, dtype),
                                    .ordered = is_sum ? SL_ISA_PICK(sl_ordered_sum)(dtype) : NULL,
                                    .finish = sl_reduce_finish(row->fold, row->result, dtype),
                                    .size = (int64_t)sl_dtype_size(dtype)};
        return true;
    }
    return false;
}
