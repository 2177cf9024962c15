/* Rows made wrong on purpose, one input at a time: a dimension more, a scalar, nothing in it (between large
 * dimensions, too), extreme numbers, another dtype. Kernels are given these without a shape function in front, as in a graph of unknown shapes. What
 * comes back does not matter. */
#include "ops/op_rows.h"

#include "tensor/shape.h"

static void run_with(struct row_node *node, int i, struct sl_tensor *wrong) {
    struct sl_tensor *in[ROW_TENSORS], *out[ROW_TENSORS];
    const struct sl_kernel_def *def;
    memcpy(in, node->row->in, sizeof in);
    in[i] = wrong;
    for (int n = 0; (def = row_candidate(node, n)); n++)
        if (row_run(out, node, def, in, n % 2 ? ROW_TAKEN : ROW_PLAIN) == SL_OK) row_drop(out, ROW_TENSORS);
}

/* The input's elements under a shape with a dimension of 1 in front. */
static struct sl_tensor *with_dimension(const struct sl_tensor *t) {
    struct sl_tensor *more;
    int64_t dims[SL_MAX_RANK] = {1};
    if (t->rank + 1 >= SL_MAX_RANK) return NULL;
    memcpy(dims + 1, t->dims, t->rank * sizeof *dims);
    if (sl_tensor_new(&more, t->dtype, (struct sl_shape){t->rank + 1, dims}, NULL) != SL_OK) return NULL;
    if (sl_elements_copy(t->dtype, more->data, t->data, t->count, NULL) == SL_OK) return more;
    sl_tensor_unref(more);
    return NULL;
}

/* The first `count` elements, in a scalar (rank 0) or a vector. */
static struct sl_tensor *first_elements(const struct sl_tensor *t, int rank, int64_t count) {
    struct sl_tensor *few;
    if (t->count < count || sl_tensor_new(&few, t->dtype, (struct sl_shape){rank, &count}, NULL) != SL_OK) return NULL;
    if (sl_elements_copy(t->dtype, few->data, t->data, count, NULL) == SL_OK) return few;
    sl_tensor_unref(few);
    return NULL;
}

/* The same rank with its last dimension (or all of them) 0. */
static struct sl_tensor *emptied(const struct sl_tensor *t, bool is_all) {
    struct sl_tensor *none;
    int64_t dims[SL_MAX_RANK];
    if (!t->rank) return NULL;
    for (int d = 0; d < t->rank; d++) dims[d] = is_all || d == t->rank - 1 ? 0 : t->dims[d];
    return sl_tensor_new(&none, t->dtype, (struct sl_shape){t->rank, dims}, NULL) == SL_OK ? none : NULL;
}

/* Of `rank`, with the dimensions in `zeros` 0 and two others so large that nobody may count to them: there is nothing to
 * do. NULL where their product is no number. */
static struct sl_tensor *vast(const struct sl_tensor *t, int rank, unsigned zeros, int log2) {
    struct sl_tensor *empty;
    int64_t dims[SL_MAX_RANK];
    for (int d = 0, n_large = 0; d < rank; d++) {
        dims[d] = rank == t->rank ? t->dims[d] : 2;
        if (zeros >> d & 1) dims[d] = 0;
        else if (n_large++ < 2) dims[d] = INT64_C(1) << log2;
    }
    return sl_tensor_new(&empty, t->dtype, (struct sl_shape){rank, dims}, NULL) == SL_OK ? empty : NULL;
}

/* Input i, and with it all of its rank. */
static void run_vast(struct row_node *node, int i, int rank, unsigned zeros, int log2) {
    struct op_row *row = node->row;
    struct sl_tensor *own[ROW_TENSORS], *empty = vast(row->in[i], rank, zeros, log2), *other;
    if (!empty) return;
    run_with(node, i, empty);
    memcpy(own, row->in, sizeof own);
    for (int k = 0; k < row->n_in; k++)
        if (own[k]->rank == own[i]->rank && (other = vast(own[k], rank, zeros, log2)) != NULL) row->in[k] = other;
    run_with(node, i, empty);
    for (int k = 0; k < row->n_in; k++)
        if (row->in[k] != own[k]) sl_tensor_unref(row->in[k]);
    memcpy(row->in, own, sizeof own);
    sl_tensor_unref(empty);
}

/* One dimension 0, or the last two; as large as an index may be, or larger. */
static void run_all_vast(struct row_node *node, int i, int rank) {
    if (rank < 2 || rank > 8) return;
    for (int log2 = 31; log2 <= 38; log2 += 7) {
        for (int d = 0; d < rank; d++) run_vast(node, i, rank, 1U << d, log2);
        if (rank > 2) run_vast(node, i, rank, 3U << (rank - 2), log2);
    }
}

/* Every whole number replaced by `value`: as indices, axes, sizes. */
static struct sl_tensor *with_numbers(const struct sl_tensor *t, int64_t value) {
    struct sl_tensor *extreme;
    if ((t->dtype != SL_INT32 && t->dtype != SL_INT64) || sl_tensor_copy(&extreme, t, NULL) != SL_OK) return NULL;
    for (int64_t i = 0; i < t->count; i++) {
        if (t->dtype == SL_INT64) ((int64_t *)extreme->data)[i] = value;
        else
            ((int32_t *)extreme->data)[i] = (int32_t)(value > INT32_MAX   ? INT32_MAX
                                                      : value < INT32_MIN ? INT32_MIN
                                                                          : value);
    }
    return extreme;
}

static struct sl_tensor *of_dtype(const struct sl_tensor *t, int dtype) {
    struct sl_tensor *other;
    if (sl_tensor_new(&other, dtype, sl_tensor_shape(t), NULL) != SL_OK) return NULL;
    if (sl_dtype_is_plain(dtype)) memset(other->data, 0, other->bytes);
    return other;
}

/* Another dtype is caught when the node is made, unless it is right, too. */
static void run_with_dtypes(struct row_node *node, int i) {
    static const uint8_t dtypes[] = {SL_STRING, SL_INT64, SL_BOOL, SL_COMPLEX128};
    struct op_row *row = node->row;
    struct sl_tensor *own = row->in[i];
    struct row_node other;
    int first = 0, a = 0;
    while (first + row->arguments[a].n <= i) first += row->arguments[a++].n;
    uint8_t *type = (uint8_t *)(uintptr_t)&row->arguments[a].types[i - first], kept = *type;
    for (size_t d = 0; d < sizeof dtypes; d++) {
        struct sl_tensor *wrong = of_dtype(own, dtypes[d]);
        if (!wrong) continue;
        *type = dtypes[d];
        row->in[i] = wrong;
        if (row_node_make(&other, row, node->place) == SL_OK) run_with(&other, i, wrong);
        sl_tensor_unref(wrong);
    }
    *type = kept;
    row->in[i] = own;
}

void row_run_wrong(struct row_node *node) {
    static const int64_t extremes[] = {-1, 0, 1, 7, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    for (int i = 0; i < node->row->n_in; i++) {
        const struct sl_tensor *t = node->row->in[i];
        if (t->count > 4096) continue; /* small rows say as much */
        struct sl_tensor *wrong[] = {with_dimension(t),       first_elements(t, 0, 1), first_elements(t, 1, 1),
                                     first_elements(t, 1, 0), emptied(t, false),       emptied(t, true)};
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
            if (wrong[w]) run_with(node, i, wrong[w]);
            sl_tensor_unref(wrong[w]);
        }
        for (size_t e = 0; e < sizeof extremes / sizeof *extremes; e++) {
            struct sl_tensor *extreme = with_numbers(t, extremes[e]);
            if (extreme) run_with(node, i, extreme);
            sl_tensor_unref(extreme);
        }
        run_all_vast(node, i, t->rank);
        if (t->rank > 0 && t->rank != 3) run_all_vast(node, i, 3);
        run_with_dtypes(node, i);
    }
}
