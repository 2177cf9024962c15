/* Sparse tensors added, multiplied, compared and reduced, with each other and with dense ones. */
#include <complex.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/sparse/coo.h"
#include "backends/cpu/sparse/sparse_product.h"
#include "backends/cpu/types.inc"
#include "backends/cpu/wide.h"

#define TYPES FOR_NUMBERS
#define BODY  "backends/cpu/sparse/sparse_math.inc"
#include "backends/cpu/for_types.inc"

static bool (*const below[SL_DTYPE_COUNT])(const void *, int64_t, const void *) = {NUMBERS(SL_TYPE_ENTRY, is_below)};

/* ---- two sparse tensors side by side: entries of both in the order of their coordinates. Those that stand at the
 * same place are one. Each tensor is walked as it stands, so what is out of order is not found to be equal. */

struct pair {
    struct sl_coo a, b;
    int64_t *scratch, *from_a, *from_b; /* entry of each, or -1 */
    int64_t n;                          /* places */
    int64_t *place_of_a, *place_of_b;   /* place of each entry */
};

static sl_code check_pair(struct pair *p, struct sl_kernel_context *k) {
    if (p->a.rank != p->b.rank)
        return sl_invalid(k, "Operands do not have the same ranks; got shapes with %d and %d dimensions", p->a.rank,
                          p->b.rank);
    for (int d = 0; d < p->a.rank; d++)
        if (p->a.dims[d] != p->b.dims[d])
            return sl_invalid(k, "Operands' shapes do not match: got %" PRId64 " and %" PRId64 " for dimension %d",
                              p->a.dims[d], p->b.dims[d], d);
    return SL_OK;
}

static sl_code pair_make(struct pair *p, struct sl_kernel_context *k) {
    int64_t na = p->a.n, nb = p->b.n, a = 0, b = 0, most = na + nb;
    p->scratch = sl_coo_scratch(3 * most);
    if (!p->scratch) return sl_fail_memory(k->err, sl_coo_bytes(3 * most));
    p->from_a = p->scratch;
    p->from_b = p->from_a + most;
    p->place_of_a = p->from_b + most;
    p->place_of_b = p->place_of_a + na;
    for (p->n = 0; a < na || b < nb; p->n++) {
        int c = a == na ? 1 : b == nb ? -1 : sl_coo_compare(sl_coo_at(&p->a, a), sl_coo_at(&p->b, b), NULL, p->a.rank);
        p->from_a[p->n] = p->from_b[p->n] = -1;
        if (c <= 0) p->place_of_a[a] = p->n, p->from_a[p->n] = a++;
        if (c >= 0) p->place_of_b[b] = p->n, p->from_b[p->n] = b++;
    }
    return SL_OK;
}
static void pair_free(struct pair *p) {
    if (p->scratch) sl_scratch_free(p->scratch, sl_coo_bytes(3 * (p->a.n + p->b.n)));
}

static const int64_t *pair_at(const struct pair *p, int64_t place) {
    return p->from_a[place] >= 0 ? sl_coo_at(&p->a, p->from_a[place]) : sl_coo_at(&p->b, p->from_b[place]);
}
static void pair_indices(int64_t *to, const struct pair *p) {
    for (int64_t i = 0; i < p->n; i++, to += p->a.rank) memcpy(to, pair_at(p, i), (size_t)p->a.rank * sizeof *to);
}

/* A sum is left out when its magnitude is below the threshold; what stands in one tensor alone is always kept. */
static sl_code add_run_pair(struct sl_kernel_context *k, struct pair *p, struct sl_tensor *sum) {
    int dtype = sum->dtype;
    struct sl_coo_out out;
    int64_t kept = 0;
    memset(sum->data, 0, sum->bytes);
    SL_TRY(sl_rows_put(dtype, sum->data, p->a.values.data, p->place_of_a, p->a.n, 1, 1, 1, k->err));
    sl_combine_find(SL_COMBINE_ADD, dtype)(sum->data, p->b.values.data, p->place_of_b, p->b.n, 1, 1, 1);
    int64_t *picked = p->place_of_a; /* not needed any more, and as long as both */
    for (int64_t i = 0; i < p->n; i++) {
        bool is_both = p->from_a[i] >= 0 && p->from_b[i] >= 0;
        if (!is_both || !below[dtype](sum->data, i, sl_in(k, 6).data)) picked[kept++] = i;
    }
    int rank = p->a.rank;
    SL_TRY(sl_coo_out(&out, k, 0, kept, rank, p->a.dims));
    for (int64_t i = 0; i < kept; i++)
        memcpy(out.indices + i * rank, pair_at(p, picked[i]), (size_t)rank * sizeof(int64_t));
    return sl_rows_gather(dtype, out.values.data, sum->data, picked, kept, 1, k->err);
}

static sl_code add_run(struct sl_kernel_context *k) {
    struct pair p = {0};
    struct sl_tensor *sum = NULL;
    SL_TRY(sl_coo_in(&p.a, k, 0, 1, 2));
    SL_TRY(sl_coo_in(&p.b, k, 3, 4, 5));
    if (sl_in(k, 6).rank)
        return sl_invalid(k, "The magnitude threshold must be a scalar: got shape %s", SHAPE_OF(sl_in(k, 6)));
    SL_TRY(check_pair(&p, k));
    sl_code code = pair_make(&p, k);
    if (code == SL_OK) code = sl_tensor_new(&sum, p.a.values.dtype, (struct sl_shape){1, &p.n}, k->err);
    if (code == SL_OK) code = add_run_pair(k, &p, sum);
    sl_tensor_unref(sum);
    pair_free(&p);
    return code;
}

/* Gradients of the entries of one operand: those of the sum's entries at the same places, walked side by side. */
static sl_code add_grad_side(struct sl_kernel_context *k, int o, struct sl_view grad, struct sl_view mine,
                             struct sl_view sum) {
    struct sl_view out;
    int64_t n = mine.dims[0], rank = mine.dims[1], next = 0, rows[SL_INDICES];
    const int64_t *at = mine.data, *to = sum.data;
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){1, &n}));
    for (int64_t e = 0; e < n; e += SL_INDICES) {
        int64_t stretch = n - e < SL_INDICES ? n - e : SL_INDICES;
        for (int64_t i = 0; i < stretch; i++) {
            int c = 1;
            while (next < sum.dims[0] &&
                   (c = sl_coo_compare(to + next * rank, at + (e + i) * rank, NULL, (int)rank)) < 0)
                next++;
            rows[i] = next < sum.dims[0] && c == 0 ? next : -1;
        }
        SL_TRY(sl_rows_gather(out.dtype, sl_element(out.data, out.dtype, e), grad.data, rows, stretch, 1, k->err));
    }
    return SL_OK;
}

static sl_code add_grad_run(struct sl_kernel_context *k) {
    struct sl_view grad = sl_in(k, 0), a = sl_in(k, 1), b = sl_in(k, 2), sum = sl_in(k, 3);
    if (a.rank != 2 || b.rank != 2 || sum.rank != 2)
        return sl_invalid(k,
                          "a_indices, b_indices and sum_indices should be matrices, but received shapes %s, %s and %s",
                          SHAPE_OF(a), SHAPE_OF(b), SHAPE_OF(sum));
    if (grad.rank != 1 || grad.count != sum.dims[0])
        return sl_invalid(
            k, "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): got %s and %s",
            SHAPE_OF(grad), SHAPE_OF(sum));
    if (a.dims[1] != b.dims[1] || a.dims[1] != sum.dims[1] || a.dims[1] > SL_MAX_RANK)
        return sl_invalid(k, "The densified operands should have the same ndims; got %s, %s and %s", SHAPE_OF(a),
                          SHAPE_OF(b), SHAPE_OF(sum));
    SL_TRY(add_grad_side(k, 0, grad, a, sum));
    return add_grad_side(k, 1, grad, b, sum);
}

/* What max and min ask of an operand, inputs `in` to `in` + 2. */
static sl_code check_operand(struct sl_kernel_context *k, int in) {
    static const char *const name[] = {"indices", "values", "shape"};
    struct sl_view indices = sl_in(k, in), values = sl_in(k, in + 1), shape = sl_in(k, in + 2);
    for (int i = 0; i < 3; i++)
        if (sl_in(k, in + i).rank != (i ? 1 : 2))
            return sl_invalid(k, "Sparse %s must be rank %d but is rank %d", name[i], i ? 1 : 2, sl_in(k, in + i).rank);
    if (indices.dims[0] != values.count)
        return sl_invalid(k, "Number of elements in indices (%" PRId64 ") and values (%" PRId64 ") do not match",
                          indices.dims[0], values.count);
    if (indices.dims[1] != shape.count)
        return sl_invalid(k, "Index rank (%" PRId64 ") and shape rank (%" PRId64 ") do not match", indices.dims[1],
                          shape.count);
    for (int64_t i = 0; i < indices.count; i++) {
        int64_t at = sl_index_at(indices, i), e = i / shape.count;
        if (at >= 0 && at < sl_index_at(shape, i % shape.count)) continue;
        char text[SL_SHAPE_TEXT];
        size_t n = 0;
        for (int64_t d = 0; d < shape.count && n < sizeof text - 24; d++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRId64, d ? ", " : "",
                                  sl_index_at(indices, e * shape.count + d));
        return sl_invalid(k, "Sparse index tuple indices[%" PRId64 ", :] = [%s] is out of bounds", e, text);
    }
    return SL_OK;
}

/* max or min of entries, where what is missing is 0. */
static sl_code extreme(struct sl_kernel_context *k, enum sl_combine_op op) {
    static const unsigned char zero[16];
    struct pair p = {0};
    struct sl_coo_out out;
    SL_TRY(check_operand(k, 0));
    SL_TRY(check_operand(k, 3));
    SL_TRY(sl_coo_in(&p.a, k, 0, 1, 2));
    SL_TRY(sl_coo_in(&p.b, k, 3, 4, 5));
    SL_TRY(check_pair(&p, k));
    sl_code code = pair_make(&p, k);
    if (code == SL_OK) code = sl_coo_out(&out, k, 0, p.n, p.a.rank, NULL);
    if (code == SL_OK) {
        struct sl_view y = out.values;
        sl_combine_fn combine = sl_combine_find(op, y.dtype);
        pair_indices(out.indices, &p);
        memset(y.data, 0, (size_t)p.n * sl_dtype_size(y.dtype));
        code = sl_rows_put(y.dtype, y.data, p.a.values.data, p.place_of_a, p.a.n, 1, 1, 1, k->err);
        for (int64_t e = 0; e < p.a.n; e++)
            if (p.from_b[p.place_of_a[e]] >= 0) p.place_of_a[e] = -1;
        combine(y.data, zero, p.place_of_a, p.a.n, 1, 1, 0);
        combine(y.data, p.b.values.data, p.place_of_b, p.b.n, 1, 1, 1);
    }
    pair_free(&p);
    return code;
}
static sl_code maximum_run(struct sl_kernel_context *k) { return extreme(k, SL_COMBINE_MAX); }
static sl_code minimum_run(struct sl_kernel_context *k) { return extreme(k, SL_COMBINE_MIN); }

/* ---- sparse and dense */

static sl_code dense_add_check(struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, 0), values = sl_in(k, 1), shape = sl_in(k, 2), b = sl_in(k, 3);
    if (indices.rank != 2)
        return sl_invalid(k, "Input a_indices should be a matrix but received shape: %s", SHAPE_OF(indices));
    if (values.rank != 1 || shape.rank != 1)
        return sl_invalid(k, "Inputs a_values and a_shape should be vectors but received shapes: %s and %s",
                          SHAPE_OF(values), SHAPE_OF(shape));
    if (values.count != indices.dims[0])
        return sl_invalid(k, "Dimensions %" PRId64 " and %" PRId64 " are not compatible", indices.dims[0],
                          values.count);
    if (shape.count != b.rank || indices.dims[1] != shape.count)
        return sl_invalid(k, "Two operands have different ranks; received: %" PRId64 " and %d", shape.count, b.rank);
    for (int d = 0; d < b.rank; d++)
        if (sl_index_at(shape, d) != b.dims[d])
            return sl_invalid(k,
                              "Dimension %d does not equal (no broadcasting is supported): sparse side %" PRId64
                              " vs dense side %" PRId64,
                              d, sl_index_at(shape, d), b.dims[d]);
    return SL_OK;
}

static sl_code dense_add_bounds(struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, 0), b = sl_in(k, 3);
    char text[SL_SHAPE_TEXT];
    for (int64_t i = 0; i < indices.count; i++) {
        int64_t e = i / b.rank, d = i % b.rank, at = sl_index_at(indices, i);
        if (at >= 0 && at < b.dims[d]) continue;
        sl_shape_text(text, sl_view_shape(b));
        for (char *c = text; *c; c++)
            if (*c == ',') *c = ' ';
        return sl_invalid(k,
                          "Sparse tensor has an invalid index on dimension %" PRId64 ": a_indices(%" PRId64 ",%" PRId64
                          ") = %" PRId64 ", dense tensor shape: %.*s",
                          d, e, d, at, (int)strlen(text) - 2, text + 1);
    }
    return SL_OK;
}

static sl_code dense_add_run(struct sl_kernel_context *k) {
    struct sl_view values = sl_in(k, 1), b = sl_in(k, 3), y;
    SL_TRY(dense_add_check(k));
    SL_TRY(dense_add_bounds(k));
    int64_t *places = sl_coo_scratch(values.count);
    if (!places) return sl_fail_memory(k->err, sl_coo_bytes(values.count));
    sl_code code = sl_coo_places(places, k, sl_in(k, 0), sl_view_shape(b));
    if (code == SL_OK) code = sl_out_reuse(&y, k, 0, sl_view_shape(b), 3, 1);
    if (code == SL_OK && y.data != b.data) code = sl_move_all(k, y.dtype, y.data, b.data, b.count);
    if (code == SL_OK) sl_combine_find(SL_COMBINE_ADD, y.dtype)(y.data, values.data, places, values.count, 1, 1, 1);
    sl_scratch_free(places, sl_coo_bytes(values.count));
    return code;
}

/* Strides of the dense operand as seen from the sparse one: 0 where it repeats. */
static sl_code repeat_strides(int64_t *strides, struct sl_kernel_context *k, const struct sl_coo *t,
                              struct sl_view dense) {
    int64_t own[SL_MAX_RANK];
    int lead = t->rank - dense.rank;
    bool fits = lead >= 0;
    for (int d = 0; fits && d < dense.rank; d++) fits = dense.dims[d] == 1 || dense.dims[d] == t->dims[lead + d];
    if (!fits) {
        char text[SL_SHAPE_TEXT];
        return sl_invalid(
            k, "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: %s vs. %s",
            sl_shape_text(text, (struct sl_shape){t->rank, t->dims}), SHAPE_OF(dense));
    }
    if (t->rank < 1 || t->rank > 5)
        return sl_invalid(k, "Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: %d",
                          t->rank);
    sl_strides_of(own, dense.rank, dense.dims);
    for (int d = 0; d < t->rank; d++) strides[d] = d < lead || dense.dims[d - lead] == 1 ? 0 : own[d - lead];
    return SL_OK;
}

static bool has_zero(struct sl_view v) {
    if (!sl_set_has(SL_SET_INTEGERS, v.dtype)) return false;
    for (int64_t i = 0; i < v.count; i++)
        if (sl_index_at(v, i) == 0) return true;
    return false;
}

static sl_code dense_cwise(struct sl_kernel_context *k, enum sl_combine_op op) {
    struct sl_coo t;
    struct sl_view dense = sl_in(k, 3), y;
    int64_t strides[SL_MAX_RANK], places[SL_INDICES], rows[SL_INDICES], other[SL_INDICES * 2];
    SL_TRY(sl_coo_in(&t, k, 0, 1, 2));
    SL_TRY(repeat_strides(strides, k, &t, dense));
    SL_TRY(sl_coo_check(&t, k));
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(t.values)));
    memcpy(y.data, t.values.data, (size_t)t.n * sl_dtype_size(y.dtype));
    for (int64_t e = 0; e < t.n; e += SL_INDICES) {
        int64_t n = t.n - e < SL_INDICES ? t.n - e : SL_INDICES;
        for (int64_t i = 0; i < n; i++) {
            places[i] = sl_coo_place(sl_coo_at(&t, e + i), strides, t.rank);
            rows[i] = i;
        }
        SL_TRY(sl_rows_gather(y.dtype, other, dense.data, places, n, 1, k->err));
        if (op == SL_COMBINE_DIV && has_zero((struct sl_view){other, &n, n, 1, y.dtype}))
            return sl_invalid(k, "Integer division by zero");
        sl_combine_find(op, y.dtype)(sl_element(y.data, y.dtype, e), other, rows, n, 1, 1, 1);
    }
    return SL_OK;
}
static sl_code cwise_add_run(struct sl_kernel_context *k) { return dense_cwise(k, SL_COMBINE_ADD); }
static sl_code cwise_mul_run(struct sl_kernel_context *k) { return dense_cwise(k, SL_COMBINE_MUL); }
static sl_code cwise_div_run(struct sl_kernel_context *k) { return dense_cwise(k, SL_COMBINE_DIV); }

/* ---- SparseTensorDenseMatMul: y (m x n) = a (m x k, sparse) b (k x n, dense), each perhaps as its adjoint */

static sl_code product_check(struct sl_kernel_context *k, const int64_t *dims, int64_t b_inner, bool adjoint_a) {
    struct sl_view indices = sl_in(k, 0);
    int64_t m = dims[adjoint_a], inner = dims[!adjoint_a];
    if (inner != b_inner)
        return sl_invalid(k,
                          "Cannot multiply A and B because inner dimension does not match: %" PRId64 " vs. %" PRId64
                          ".  Did you forget a transpose?  Dimensions of A: [%" PRId64 ", %" PRId64 ").",
                          inner, b_inner, dims[0], dims[1]);
    for (int64_t e = 0; e < indices.dims[0]; e++) {
        int64_t row = sl_index_at(indices, 2 * e + adjoint_a), at = sl_index_at(indices, 2 * e + !adjoint_a);
        if (at < 0 || at >= inner)
            return sl_invalid(k, "k (%" PRId64 ") from index[%" PRId64 ",%d] out of bounds (>=%" PRId64 ")", at, e,
                              !adjoint_a, inner);
        if (row < 0 || row >= m)
            return sl_invalid(k, "m (%" PRId64 ") from index[%" PRId64 ",%d] out of bounds (>=%" PRId64 ")", row, e,
                              adjoint_a, m);
    }
    return SL_OK;
}

enum { ADJOINT_A = 1, ADJOINT_B = 2 };
static sl_code product_create(void **state, struct sl_kernel_setup *setup) {
    bool a, b;
    SL_TRY(sl_attr_bool(&a, setup->attrs, "adjoint_a", setup->err));
    SL_TRY(sl_attr_bool(&b, setup->attrs, "adjoint_b", setup->err));
    *state = (void *)(intptr_t)((a ? ADJOINT_A : 0) | (b ? ADJOINT_B : 0));
    return SL_OK;
}

static sl_code product_form(struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, 0), values = sl_in(k, 1), shape = sl_in(k, 2), b = sl_in(k, 3);
    if (b.rank != 2) return sl_invalid(k, "Tensor 'b' is not a matrix");
    if (shape.rank != 1) return sl_invalid(k, "Tensor 'a_shape' is not a vector");
    if (shape.count != 2) return sl_invalid(k, "Tensor 'a_shape' must have 2 elements");
    if (values.rank != 1) return sl_invalid(k, "Tensor 'a_values' is not a vector");
    if (indices.rank != 2) return sl_invalid(k, "Tensor 'a_indices' is not a matrix");
    if (indices.dims[0] != values.count)
        return sl_invalid(k, "Number of rows of a_indices does not match number of entries in a_values");
    if (indices.dims[1] != 2)
        return sl_invalid(k, "Number of columns of a_indices does not match number of entries in a_shape");
    return SL_OK;
}

static sl_code product_run(struct sl_kernel_context *k) {
    SL_TRY(product_form(k));
    struct sl_view values = sl_in(k, 1), b = sl_in(k, 3), y;
    bool adjoint_a = sl_state_number(k) & ADJOINT_A, adjoint_b = sl_state_number(k) & ADJOINT_B;
    struct sl_sparse_product p = {.indices = sl_in(k, 0),
                                  .count = values.count,
                                  .is_transposed = adjoint_a,
                                  .conjugates_a = adjoint_a,
                                  .conjugates_b = adjoint_b};
    const int64_t *dims = sl_in(k, 2).data;
    p.n = b.dims[!adjoint_b];
    p.b_row = adjoint_b ? 1 : b.dims[1];
    p.b_column = adjoint_b ? b.dims[1] : 1;
    SL_TRY(product_check(k, dims, b.dims[adjoint_b], adjoint_a));
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){2, (const int64_t[]){dims[adjoint_a], p.n}}));
    struct sl_wide wide_a = {0}, wide_b = {0}, wide_y = {0};
    sl_code code = sl_wide_in(&wide_a, k, values);
    if (code == SL_OK) code = sl_wide_in(&wide_b, k, b);
    if (code == SL_OK) code = sl_wide_out(&wide_y, k, y);
    if (code == SL_OK) {
        p.a = wide_a.data, p.b = wide_b.data, p.y = wide_y.data;
        p.dtype = wide_y.dtype;
        memset(p.y, 0, (size_t)y.count * sl_dtype_size(p.dtype));
        sl_sparse_product_run(k, &p);
        sl_wide_store(&wide_y, k, y);
    }
    sl_wide_free(&wide_a);
    sl_wide_free(&wide_b);
    sl_wide_free(&wide_y);
    return code;
}

/* ---- reductions: entries are grouped by the dims that stay */

struct reduction {
    struct sl_coo t;
    bool keeps_dims, is_sparse;
    enum sl_combine_op op;
    int kept[SL_MAX_RANK], n_kept; /* the dims that stay */
    int64_t dims[SL_MAX_RANK],
        strides[SL_MAX_RANK]; /* of the result; strides by dim of the input, 0 for those that go */
    int rank;
};

static sl_code read_axes(struct reduction *r, struct sl_kernel_context *k) {
    struct sl_view axes = sl_in(k, 3);
    bool goes[SL_MAX_RANK] = {false};
    if (axes.rank > 1) return sl_invalid(k, "Expected reduction_axes to be a vector, got shape %s", SHAPE_OF(axes));
    for (int64_t i = 0; i < axes.count; i++) {
        int64_t axis = sl_index_at(axes, i);
        if (axis < -r->t.rank || axis >= r->t.rank)
            return sl_invalid(k, "Invalid reduction dimension %" PRId64 ", for input with %d dimensions.", axis,
                              r->t.rank);
        goes[axis < 0 ? axis + r->t.rank : axis] = true;
    }
    r->n_kept = r->rank = 0;
    for (int d = 0; d < r->t.rank; d++) {
        if (!goes[d]) r->kept[r->n_kept++] = d;
        if (!goes[d] || r->keeps_dims) r->dims[r->rank++] = goes[d] ? 1 : r->t.dims[d];
        r->strides[d] = 0;
    }
    int64_t step = 1;
    for (int i = r->n_kept - 1; i >= 0; i--) {
        r->strides[r->kept[i]] = step;
        step *= r->t.dims[r->kept[i]];
    }
    return SL_OK;
}

static sl_code check_kept(const struct reduction *r, struct sl_kernel_context *k) {
    for (int64_t e = 0; e < r->t.n; e++)
        for (int i = 0; i < r->n_kept; i++) {
            int64_t at = sl_coo_at(&r->t, e)[r->kept[i]], n = r->t.dims[r->kept[i]];
            if (at < 0 || at >= n)
                return sl_fail(k->err, SL_INTERNAL,
                               "Obtained a write index of %" PRId64 " which is outside of bounds of [0, %" PRId64 ")",
                               at, n);
        }
    return SL_OK;
}

/* Where each entry goes: first[e] for the first of its group, rest[e] for the others, -1 else. Gives the number of
 * groups; order[g] becomes the first entry of group g. */
static int64_t place_groups(const struct reduction *r, int64_t *order, int64_t *first, int64_t *rest) {
    int64_t groups = 0;
    for (int64_t i = 0, end; i < r->t.n; i = end, groups++) {
        end = sl_coo_group(&r->t, order, i, r->kept, r->n_kept);
        int64_t head = order[i],
                place = r->is_sparse ? groups : sl_coo_place(sl_coo_at(&r->t, head), r->strides, r->t.rank);
        for (int64_t j = i; j < end; j++) {
            first[order[j]] = j == i ? place : -1;
            rest[order[j]] = j == i ? -1 : place;
        }
        order[groups] = head;
    }
    return groups;
}

static sl_code reduce_out(struct sl_view *y, struct sl_kernel_context *k, const struct reduction *r,
                          const int64_t *heads, int64_t groups) {
    if (!r->is_sparse) {
        SL_TRY(sl_out_new(y, k, 0, (struct sl_shape){r->rank, r->dims}));
        sl_move_zero(k, *y);
        return SL_OK;
    }
    struct sl_coo_out out;
    SL_TRY(sl_coo_out(&out, k, 0, groups, r->rank, r->dims));
    int64_t *to = out.indices;
    for (int64_t g = 0; g < groups; g++)
        for (int i = 0, d = 0; d < r->t.rank; d++) {
            bool stays = i < r->n_kept && r->kept[i] == d;
            if (stays || r->keeps_dims) *to++ = stays ? sl_coo_at(&r->t, heads[g])[d] : 0;
            i += stays;
        }
    *y = out.values;
    return SL_OK;
}

static sl_code reduce_groups(struct sl_kernel_context *k, const struct reduction *r, int64_t *scratch) {
    int64_t n = r->t.n, *order = scratch, *first = scratch + n, *rest = first + n;
    struct sl_view y;
    SL_TRY(sl_coo_order(order, &r->t, r->kept, r->n_kept, k->err));
    int64_t groups = place_groups(r, order, first, rest);
    SL_TRY(reduce_out(&y, k, r, order, groups));
    SL_TRY(sl_rows_put(y.dtype, y.data, r->t.values.data, first, n, 1, 1, 1, k->err));
    sl_combine_find(r->op, y.dtype)(y.data, r->t.values.data, rest, n, 1, 1, 1);
    return SL_OK;
}

static sl_code reduce(struct sl_kernel_context *k, enum sl_combine_op op, bool is_sparse) {
    struct reduction r = {.keeps_dims = sl_state_number(k), .is_sparse = is_sparse, .op = op};
    SL_TRY(sl_coo_in(&r.t, k, 0, 1, 2));
    SL_TRY(read_axes(&r, k));
    if (!is_sparse) SL_TRY(check_kept(&r, k));
    int64_t *scratch = sl_coo_scratch(3 * r.t.n);
    if (!scratch) return sl_fail_memory(k->err, sl_coo_bytes(3 * r.t.n));
    sl_code code = reduce_groups(k, &r, scratch);
    sl_scratch_free(scratch, sl_coo_bytes(3 * r.t.n));
    return code;
}
static sl_code keep_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "keep_dims");
}
static sl_code reduce_sum_run(struct sl_kernel_context *k) { return reduce(k, SL_COMBINE_ADD, false); }
static sl_code reduce_max_run(struct sl_kernel_context *k) { return reduce(k, SL_COMBINE_MAX, false); }
static sl_code reduce_sum_sparse_run(struct sl_kernel_context *k) { return reduce(k, SL_COMBINE_ADD, true); }
static sl_code reduce_max_sparse_run(struct sl_kernel_context *k) { return reduce(k, SL_COMBINE_MAX, true); }

/* ---- SparseSoftmax: over the last dim; results stand in the order of the coordinates */

#define SOFTMAX(name, T, exp)                                                                                          \
    static void name(T *y, int64_t n) {                                                                                \
        T highest = -INFINITY, sum = 0;                                                                                \
        for (int64_t i = 0; i < n; i++) highest = y[i] > highest || isnan(y[i]) ? y[i] : highest;                      \
        for (int64_t i = 0; i < n; i++) sum += y[i] = exp(y[i] - highest);                                             \
        for (int64_t i = 0; i < n; i++) y[i] /= sum;                                                                   \
    }
SOFTMAX(softmax_float, float, expf)
SOFTMAX(softmax_double, double, exp)

static sl_code softmax_ordered(struct sl_kernel_context *k, const struct sl_coo *t, int64_t *order) {
    struct sl_view y;
    struct sl_wide wide;
    SL_TRY(sl_coo_order(order, t, NULL, t->rank, k->err));
    SL_TRY(sl_out_new(&y, k, 0, sl_view_shape(t->values)));
    SL_TRY(sl_rows_gather(y.dtype, y.data, t->values.data, order, t->n, 1, k->err));
    SL_TRY(sl_wide_in(&wide, k, y));
    for (int64_t i = 0, end; i < t->n; i = end) {
        end = sl_coo_group(t, order, i, NULL, t->rank - 1);
        if (wide.dtype == SL_FLOAT) softmax_float((float *)wide.data + i, end - i);
        else softmax_double((double *)wide.data + i, end - i);
    }
    sl_wide_store(&wide, k, y);
    sl_wide_free(&wide);
    return SL_OK;
}

static sl_code softmax_run(struct sl_kernel_context *k) {
    struct sl_coo t;
    SL_TRY(sl_coo_in(&t, k, 0, 1, 2));
    if (t.rank < 2) return sl_invalid(k, "Input should have rank >= 2, but received shape: %s", SHAPE_OF(sl_in(k, 2)));
    int64_t *order = sl_coo_scratch(t.n);
    if (!order) return sl_fail_memory(k->err, sl_coo_bytes(t.n));
    sl_code code = softmax_ordered(k, &t, order);
    sl_scratch_free(order, sl_coo_bytes(t.n));
    return code;
}

#define ADDED        (SL_SET_SIGNED | SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET_COMPLEX)
#define PRODUCTS     (SL_SET_FLOATS | SL_SET_COMPLEX | SL_SET(INT32))
#define INDEXED      RULE("Tindices", SL_SET(INT32) | SL_SET(INT64))
#define COST(op_run) .run = op_run, .cost_ns = 200, .cost_element = 4
/* clang-format off */
const struct sl_kernel_def sl_cpu_sparse_math_rows[] = {
    KERNEL("SparseAdd", RULE("T", ADDED), COST(add_run))
    KERNEL("SparseAddGrad", RULE("T", ADDED), COST(add_grad_run))
    KERNEL("SparseSparseMaximum", RULE("T", SL_SET_REAL), COST(maximum_run))
    KERNEL("SparseSparseMinimum", RULE("T", SL_SET_REAL), COST(minimum_run))
    KERNEL("SparseTensorDenseAdd", RULE("T", SL_SET_NUMBERS) INDEXED, COST(dense_add_run))
    KERNEL("SparseDenseCwiseAdd", RULE("T", SL_SET_REAL), COST(cwise_add_run))
    KERNEL("SparseDenseCwiseMul", RULE("T", SL_SET_REAL), COST(cwise_mul_run))
    KERNEL("SparseDenseCwiseDiv", RULE("T", SL_SET_REAL), COST(cwise_div_run))
    KERNEL("SparseTensorDenseMatMul", RULE("T", PRODUCTS) INDEXED, COST(product_run), .create = product_create)
    KERNEL("SparseReduceSum", RULE("T", SL_SET_NUMBERS), COST(reduce_sum_run), .create = keep_create)
    KERNEL("SparseReduceMax", RULE("T", SL_SET_REAL), COST(reduce_max_run), .create = keep_create)
    KERNEL("SparseReduceSumSparse", RULE("T", SL_SET_NUMBERS), COST(reduce_sum_sparse_run), .create = keep_create)
    KERNEL("SparseReduceMaxSparse", RULE("T", SL_SET_REAL), COST(reduce_max_sparse_run), .create = keep_create)
    KERNEL("SparseSoftmax", RULE("T", SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE)), COST(softmax_run))
    SL_ROWS_END
};
/* clang-format on */
