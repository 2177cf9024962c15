/* Sparse matrices from tensors and back, and times dense ones. csr.h says what they are made of. */
#include <complex.h>
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/sparse/coo.h"
#include "backends/cpu/sparse/csr.h"
#include "backends/cpu/sparse/sparse_product.h"
#include "base/alloc.h"
#include "base/checked.h"

static void csr_free(struct sl_object *object) {
    struct sl_csr *m = (struct sl_csr *)object;
    sl_tensor_unref(m->batch_ends);
    sl_tensor_unref(m->row_ends);
    sl_tensor_unref(m->at);
    sl_tensor_unref(m->values);
    sl_free(m);
}
static const struct sl_object_type csr_type = {.name = "tensorflow::CSRSparseMatrix", .free = csr_free};

void sl_csr_free(struct sl_csr *m) {
    if (m) csr_free(&m->object);
}

/* ---- making */

sl_code sl_csr_new(struct sl_csr **out, int rank, const int64_t *dims, int64_t n, int dtype, struct sl_error *err) {
    struct sl_csr *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(err, sizeof *m);
    sl_object_init(&m->object, &csr_type);
    m->rank = rank;
    memcpy(m->dims, dims, (size_t)rank * sizeof *dims);
    m->batch = rank == 3 ? dims[0] : 1;
    *out = m;
    SL_TRY(sl_tensor_new(&m->batch_ends, SL_INT64, (struct sl_shape){1, (const int64_t[]){m->batch + 1}}, err));
    SL_TRY(sl_tensor_new(&m->row_ends, SL_INT32, (struct sl_shape){2, (const int64_t[]){m->batch, sl_csr_rows(m) + 1}},
                         err));
    SL_TRY(sl_tensor_new(&m->at, SL_INT64, (struct sl_shape){2, (const int64_t[]){n, 2}}, err));
    return sl_tensor_new(&m->values, dtype, (struct sl_shape){1, &n}, err);
}

/* Counts, then adds up: ends of matrices and rows. The coordinates are in order and in bounds. */
static void csr_index(struct sl_csr *m, const struct sl_coo *t, const int64_t *order) {
    int64_t *batch_ends = m->batch_ends->data, *at = m->at->data, rows = sl_csr_rows(m);
    int32_t *row_ends = m->row_ends->data;
    memset(batch_ends, 0, m->batch_ends->bytes);
    memset(row_ends, 0, m->row_ends->bytes);
    for (int64_t i = 0; i < t->n; i++) {
        const int64_t *from = sl_coo_at(t, order[i]);
        int64_t matrix = m->rank == 3 ? from[0] : 0, row = from[m->rank - 2];
        batch_ends[matrix + 1]++;
        row_ends[matrix * (rows + 1) + row + 1]++;
        *at++ = row;
        *at++ = from[m->rank - 1];
    }
    for (int64_t b = 0; b < m->batch; b++) {
        batch_ends[b + 1] += batch_ends[b];
        for (int64_t r = 0; r < rows; r++) row_ends[b * (rows + 1) + r + 1] += row_ends[b * (rows + 1) + r];
    }
}

static sl_code check_matrix(struct sl_kernel_context *k, int rank, const int64_t *dims, int64_t n) {
    if (rank != 2 && rank != 3)
        return sl_invalid(k, "SparseTensor must have rank 2 or 3; but indices has rank: %d", rank);
    for (int d = 0; d < rank; d++)
        if (dims[d] >= INT32_MAX)
            return sl_invalid(k, "dimension %" PRId64 " of a sparse matrix does not fit an int32", dims[d]);
    return n < INT32_MAX ? SL_OK : sl_invalid(k, "a sparse matrix has at most %d entries", INT32_MAX);
}

/* Gives the matrix of `t` away as output 0; the values are those at `places` of t->values, or in order. */
static sl_code give_csr(struct sl_kernel_context *k, const struct sl_coo *t, const int64_t *places) {
    struct sl_csr *m = NULL;
    SL_TRY(check_matrix(k, t->rank, t->dims, t->n));
    SL_TRY(sl_coo_check(t, k));
    int64_t *order = sl_coo_scratch(2 * t->n);
    if (!order) return sl_fail_memory(k->err, sl_coo_bytes(2 * t->n));
    sl_code code = sl_coo_order(order, t, NULL, t->rank, k->err);
    if (code == SL_OK) code = sl_csr_new(&m, t->rank, t->dims, t->n, t->values.dtype, k->err);
    if (code == SL_OK) {
        csr_index(m, t, order);
        for (int64_t i = 0; places && i < t->n; i++) order[t->n + i] = places[order[i]];
        code = sl_rows_gather(t->values.dtype, m->values->data, t->values.data, places ? order + t->n : order, t->n, 1,
                              k->err);
    }
    sl_scratch_free(order, sl_coo_bytes(2 * t->n));
    if (code == SL_OK) sl_out_object(k, 0, &m->object);
    else sl_csr_free(m);
    return code;
}

static sl_code from_sparse_run(struct sl_kernel_context *k) {
    struct sl_coo t;
    SL_TRY(sl_coo_in(&t, k, 0, 1, 2));
    return give_csr(k, &t, NULL);
}

static sl_code from_dense_run(struct sl_kernel_context *k) {
    struct sl_view dense = sl_in(k, 0), indices = sl_in(k, 1);
    if (dense.rank != 2 && dense.rank != 3)
        return sl_invalid(k, "dense_input must have rank 2 or 3; but has rank: %d", dense.rank);
    if (indices.rank != 2) return sl_invalid(k, "indices must be a matrix; but its rank is %d", indices.rank);
    if (indices.dims[1] != dense.rank)
        return sl_invalid(k, "indices.shape[1] must be equal to the rank of params, but saw: %" PRId64 " vs. %d",
                          indices.dims[1], dense.rank);
    struct sl_coo t = {
        .indices = indices.data, .dims = dense.dims, .values = dense, .n = indices.dims[0], .rank = dense.rank};
    int64_t *places = sl_coo_scratch(t.n);
    if (!places) return sl_fail_memory(k->err, sl_coo_bytes(t.n));
    sl_code code = sl_coo_places(places, k, indices, sl_view_shape(dense));
    if (code == SL_OK) code = give_csr(k, &t, places);
    sl_scratch_free(places, sl_coo_bytes(t.n));
    return code;
}

/* ---- reading */

sl_code sl_csr_in(const struct sl_csr **out, struct sl_kernel_context *k, int in) {
    struct sl_view v = sl_in(k, in);
    if (v.rank) return sl_invalid(k, "input %d must be a scalar variant, got shape %s", in, SHAPE_OF(v));
    struct sl_object *object = *(struct sl_object *const *)v.data;
    if (!object || object->type != &csr_type)
        return sl_invalid(k, "Unable to retrieve CSRSparseMatrix from input %d", in);
    *out = (const struct sl_csr *)object;
    return SL_OK;
}

/* The matrix of input `in`, of the type `dtype`. Borrowed. */
static sl_code read_csr(const struct sl_csr **out, struct sl_kernel_context *k, int in, int dtype) {
    SL_TRY(sl_csr_in(out, k, in));
    if ((*out)->values->dtype == dtype) return SL_OK;
    return sl_invalid(k, "dtype of input %d is not equal to 'type': %s vs. %s", in,
                      sl_dtype_name((*out)->values->dtype), sl_dtype_name(dtype));
}

/* Coordinates of all entries as a sparse tensor has them; `to` has room for rank of each. */
static void coordinates(int64_t *to, const struct sl_csr *m) {
    const int64_t *at = m->at->data;
    for (int64_t b = 0, e = 0; b < m->batch; b++)
        for (; e < sl_csr_begin(m, b + 1); e++) {
            if (m->rank == 3) *to++ = b;
            *to++ = at[2 * e];
            *to++ = at[2 * e + 1];
        }
}

static sl_code to_sparse_run(struct sl_kernel_context *k) {
    const struct sl_csr *m;
    struct sl_coo_out out;
    SL_TRY(read_csr(&m, k, 0, sl_out_type(k, 1)));
    SL_TRY(sl_coo_out(&out, k, 0, m->values->count, m->rank, m->dims));
    coordinates(out.indices, m);
    memcpy(out.values.data, m->values->data, m->values->bytes);
    return SL_OK;
}

static sl_code to_dense_run(struct sl_kernel_context *k) {
    const struct sl_csr *m;
    struct sl_view out;
    SL_TRY(read_csr(&m, k, 0, sl_out_type(k, 0)));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){m->rank, m->dims}));
    sl_move_zero(k, out);
    const int64_t *at = m->at->data, size = sl_csr_rows(m) * sl_csr_columns(m);
    for (int64_t b = 0, e = 0; b < m->batch; b++)
        for (; e < sl_csr_begin(m, b + 1); e++)
            memcpy(sl_element(out.data, out.dtype, b * size + at[2 * e] * sl_csr_columns(m) + at[2 * e + 1]),
                   sl_element(m->values->data, out.dtype, e), sl_dtype_size(out.dtype));
    return SL_OK;
}

static sl_code components_run(struct sl_kernel_context *k) {
    const struct sl_csr *m;
    struct sl_view index_in = sl_in(k, 1), rows, columns, values;
    SL_TRY(read_csr(&m, k, 0, sl_out_type(k, 2)));
    if (index_in.rank) return sl_invalid(k, "index should be a scalar, but saw shape: %s", SHAPE_OF(index_in));
    int64_t index = sl_index_at(index_in, 0), ends = sl_csr_rows(m) + 1;
    if (index < 0 || index >= m->batch)
        return sl_invalid(k, "index (%" PRId64 ") not in [0, %" PRId64 ")", index, m->batch);
    int64_t begin = sl_csr_begin(m, index), n = sl_csr_begin(m, index + 1) - begin;
    SL_TRY(sl_out_new(&rows, k, 0, (struct sl_shape){1, &ends}));
    SL_TRY(sl_out_new(&columns, k, 1, (struct sl_shape){1, &n}));
    SL_TRY(sl_out_new(&values, k, 2, (struct sl_shape){1, &n}));
    memcpy(rows.data, (const int32_t *)m->row_ends->data + index * ends, (size_t)ends * sizeof(int32_t));
    for (int64_t i = 0; i < n; i++)
        ((int32_t *)columns.data)[i] = (int32_t)((const int64_t *)m->at->data)[2 * (begin + i) + 1];
    if (n)
        memcpy(values.data, sl_element(m->values->data, values.dtype, begin), (size_t)n * sl_dtype_size(values.dtype));
    return SL_OK;
}

static void conjugate(struct sl_view y) {
    if (y.dtype == SL_COMPLEX64)
        for (int64_t i = 0; i < y.count; i++) ((float _Complex *)y.data)[i] = conjf(((float _Complex *)y.data)[i]);
    else if (y.dtype == SL_COMPLEX128)
        for (int64_t i = 0; i < y.count; i++) ((double _Complex *)y.data)[i] = conj(((double _Complex *)y.data)[i]);
}

/* Conj of variants: those of sparse matrices, with everything but the values shared. */
static sl_code conjugate_run(struct sl_kernel_context *k) {
    struct sl_object *object = *(struct sl_object *const *)sl_in(k, 0).data;
    if (sl_in(k, 0).rank || !object || object->type != &csr_type)
        return sl_invalid(k, "No unary variant unary_op function found for op CONJ of this Variant");
    const struct sl_csr *from = (const struct sl_csr *)object;
    struct sl_csr *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(k->err, sizeof *m);
    *m = *from;
    sl_object_init(&m->object, &csr_type);
    sl_tensor_ref(m->batch_ends);
    sl_tensor_ref(m->row_ends);
    sl_tensor_ref(m->at);
    m->values = NULL;
    sl_code code = sl_tensor_copy(&m->values, from->values, k->err);
    if (code == SL_OK) {
        conjugate((struct sl_view){m->values->data, m->values->dims, m->values->count, 1, m->values->dtype});
        sl_out_object(k, 0, &m->object);
    } else {
        csr_free(&m->object);
    }
    return code;
}

/* ---- SparseMatrixMatMul */

struct matmul {
    bool transpose_a, transpose_b, adjoint_a, adjoint_b, transpose_output, conjugate_output;
};

static sl_code read_matmul(struct matmul *s, struct sl_kernel_setup *setup) {
    const struct {
        const char *name;
        bool *to;
    } attrs[] = {{"transpose_a", &s->transpose_a},
                 {"transpose_b", &s->transpose_b},
                 {"adjoint_a", &s->adjoint_a},
                 {"adjoint_b", &s->adjoint_b},
                 {"transpose_output", &s->transpose_output},
                 {"conjugate_output", &s->conjugate_output}};
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++)
        SL_TRY(sl_attr_bool(attrs[i].to, setup->attrs, attrs[i].name, setup->err));
    if ((s->transpose_a && s->adjoint_a) || (s->transpose_b && s->adjoint_b))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Only one of adjoint and transpose may be true.");
    return SL_OK;
}
static sl_code matmul_create(void **state, struct sl_kernel_setup *setup) {
    struct matmul s;
    SL_TRY(read_matmul(&s, setup));
    struct matmul *kept = sl_malloc(sizeof *kept);
    if (!kept) return sl_fail_memory(setup->err, sizeof *kept);
    *kept = s;
    *state = kept;
    return SL_OK;
}

/* All products of the batch into `y`, [batch, rows, columns] of zeros. */
static void multiply(struct sl_kernel_context *k, const struct sl_csr *m, struct sl_view b, const struct matmul *s,
                     void *y, int64_t rows, int64_t columns) {
    bool turns_b = s->transpose_b || s->adjoint_b;
    int64_t b_rows = b.dims[b.rank - 2], b_columns = b.dims[b.rank - 1];
    for (int64_t i = 0; i < m->batch; i++) {
        int64_t begin = sl_csr_begin(m, i), n = sl_csr_begin(m, i + 1) - begin;
        struct sl_sparse_product p = {.dtype = b.dtype,
                                      .indices = {(int64_t *)m->at->data + 2 * begin, (const int64_t[]){n, 2}, 2 * n, 2,
                                                  SL_INT64},
                                      .a = sl_element(m->values->data, b.dtype, begin),
                                      .b = sl_element(b.data, b.dtype, i * b_rows * b_columns),
                                      .y = sl_element(y, b.dtype, i * rows * columns),
                                      .count = n,
                                      .n = columns,
                                      .b_row = turns_b ? 1 : b_columns,
                                      .b_column = turns_b ? b_columns : 1,
                                      .is_transposed = s->transpose_a || s->adjoint_a,
                                      .conjugates_a = s->adjoint_a,
                                      .conjugates_b = s->adjoint_b};
        sl_sparse_product_run(k, &p);
    }
}

static sl_code transpose_out(struct sl_kernel_context *k, struct sl_view y, const void *from, int64_t batch,
                             int64_t rows, int64_t columns) {
    struct sl_move move = sl_move_start();
    sl_move_dim(&move, batch, rows * columns, rows * columns);
    sl_move_dim(&move, columns, rows, 1);
    sl_move_dim(&move, rows, 1, columns);
    return sl_move_run(k, &move, y.dtype, y.data, from);
}

static sl_code matmul_run(struct sl_kernel_context *k) {
    const struct matmul *s = k->state;
    const struct sl_csr *m;
    struct sl_view b = sl_in(k, 1), y;
    SL_TRY(read_csr(&m, k, 0, b.dtype));
    if (b.rank != m->rank || (m->rank == 3 && b.dims[0] != m->batch))
        return sl_invalid(
            k, "Only tensors with ranks 2 or 3 and equal batch sizes are supported, got a of rank %d and b of shape %s",
            m->rank, SHAPE_OF(b));
    bool turns_a = s->transpose_a || s->adjoint_a, turns_b = s->transpose_b || s->adjoint_b;
    int64_t rows = turns_a ? sl_csr_columns(m) : sl_csr_rows(m), inner = turns_a ? sl_csr_rows(m) : sl_csr_columns(m);
    int64_t columns = b.dims[b.rank - 1 - turns_b], b_inner = b.dims[b.rank - 2 + turns_b];
    if (inner != b_inner)
        return sl_invalid(k, "Inner dimensions of A and B do not match: %" PRId64 " vs. %" PRId64, inner, b_inner);
    int64_t dims[3] = {m->batch, s->transpose_output ? columns : rows, s->transpose_output ? rows : columns};
    SL_TRY(sl_out_new(&y, k, 0, m->rank == 3 ? (struct sl_shape){3, dims} : (struct sl_shape){2, dims + 1}));
    sl_move_zero(k, y);
    size_t bytes = (size_t)y.count * sl_dtype_size(y.dtype);
    if (y.count == 0) return SL_OK;
    if (!s->transpose_output) {
        multiply(k, m, b, s, y.data, rows, columns);
    } else {
        void *scratch = sl_scratch_new(bytes);
        if (!scratch) return sl_fail_memory(k->err, bytes);
        memset(scratch, 0, bytes);
        multiply(k, m, b, s, scratch, rows, columns);
        sl_code code = transpose_out(k, y, scratch, m->batch, rows, columns);
        sl_scratch_free(scratch, bytes);
        SL_TRY(code);
    }
    if (s->conjugate_output) conjugate(y);
    return SL_OK;
}

#define VALUES       (SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET_COMPLEX)
#define COST(op_run) .run = op_run, .cost_ns = 500, .cost_element = 4
/* clang-format off */
const struct sl_kernel_def sl_cpu_csr_rows[] = {
    KERNEL("SparseTensorToCSRSparseMatrix", RULE("T", VALUES), COST(from_sparse_run))
    KERNEL("DenseToCSRSparseMatrix", RULE("T", VALUES), COST(from_dense_run))
    KERNEL("CSRSparseMatrixToSparseTensor", RULE("type", VALUES), COST(to_sparse_run))
    KERNEL("CSRSparseMatrixToDense", RULE("type", VALUES), COST(to_dense_run))
    KERNEL("CSRSparseMatrixComponents", RULE("type", VALUES), COST(components_run))
    KERNEL("SparseMatrixMatMul", RULE("T", VALUES), COST(matmul_run), .create = matmul_create, .destroy = sl_free)
    KERNEL("Conj", RULE("T", SL_SET(VARIANT)), COST(conjugate_run))
    SL_ROWS_END
};
/* clang-format on */
