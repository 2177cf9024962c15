/* Kernels over batches of matrices; see matrices.h. */
#include "backends/cpu/linalg/matrices.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/array/move_tiles.h"
#include "backends/cpu/indices.h"
#include "base/checked.h"

/* How many there are, though they have no elements; 0 when nobody could count to it. */
static int64_t count_matrices(struct sl_view a) {
    int64_t n = 1;
    for (int d = 0; d < a.rank - 2; d++)
        if (!sl_mul_i64(&n, n, a.dims[d])) return 0;
    return n;
}

/* From one matrix to the next. */
static int64_t step_of(struct sl_view v) { return v.count > 0 ? v.dims[v.rank - 2] * v.dims[v.rank - 1] : 0; }

sl_code sl_matrices_start(struct sl_matrices *m, struct sl_kernel_context *k, bool is_square) {
    *m = (struct sl_matrices){.k = k, .n_in = 1, .n_out = sl_out_count(k)};
    struct sl_view a = m->in[0] = sl_in(k, 0);
    if (a.rank < 2) return sl_invalid(k, "Input tensor 0 must have rank >= 2, got %d", a.rank);
    m->m = a.dims[a.rank - 2];
    m->n = a.dims[a.rank - 1];
    if (is_square && m->m != m->n) return sl_invalid(k, "Input matrix must be square.");
    m->count = a.count > 0 ? a.count / (m->m * m->n) : count_matrices(a);
    m->in_step[0] = step_of(a);
    m->dtype = sl_wide_type(a.dtype);
    return SL_OK;
}

sl_code sl_matrices_out(struct sl_matrices *m, int o, int rank, int64_t rows, int64_t columns) {
    struct sl_view a = m->in[0];
    int64_t dims[SL_MAX_RANK];
    memcpy(dims, a.dims, (size_t)a.rank * sizeof *dims);
    dims[a.rank - 2] = rows;
    dims[a.rank - 1] = columns;
    SL_TRY(sl_out_new(&m->out[o], m->k, o, (struct sl_shape){a.rank - 2 + rank, dims}));
    m->out_step[o] = m->out[o].count > 0 ? (rank > 0 ? rows : 1) * (rank > 1 ? columns : 1) : 0;
    return SL_OK;
}

sl_code sl_matrices_nothing(struct sl_matrices *m, int o) {
    const int64_t none = 0;
    return sl_out_new(&m->out[o], m->k, o, (struct sl_shape){1, &none});
}

sl_code sl_matrices_in(struct sl_matrices *m, int i) {
    struct sl_view a = m->in[0], b = m->in[i] = sl_in(m->k, i);
    if (b.rank != a.rank)
        return sl_invalid(m->k, "All input tensors must have the same rank, got %d and %d", a.rank, b.rank);
    if (!sl_dims_equal(a, b, 0, a.rank - 2))
        return sl_invalid(m->k, "All input tensors must have the same outer dimensions, got shapes %s and %s",
                          SHAPE_OF(a), SHAPE_OF(b));
    m->in_step[i] = step_of(b);
    if (m->n_in <= i) m->n_in = i + 1;
    return SL_OK;
}

const void *sl_matrix_in(const struct sl_matrices *m, int in, int64_t i) {
    if (m->rank) {
        int64_t at = 0;
        for (int d = m->rank - 1; d >= 0; d--) {
            at += i % m->dims[d] * m->strides[in][d];
            i /= m->dims[d];
        }
        i = at;
    }
    return (const char *)m->wide_in[in].data + (size_t)(i * m->in_step[in]) * m->size;
}

void *sl_matrix_out(const struct sl_matrices *m, int out, int64_t i) {
    size_t size = m->is_raw[out] ? sl_dtype_size(m->out[out].dtype) : m->size;
    return (char *)m->wide_out[out].data + (size_t)(i * m->out_step[out]) * size;
}

void sl_matrix_transpose(const struct sl_matrices *m, void *to, const void *from, int64_t rows, int64_t n) {
    enum { FEW = 256 };
    if (rows * n < FEW) {
        m->dense->transpose(to, from, rows, n);
        return;
    }
    const struct sl_plane plane = {.n1 = rows, .to1 = n, .from1 = 1, .n0 = n, .to0 = 1, .from0 = rows};
    sl_plane_transpose((int)m->size)(to, from, &plane);
}

static void run_part(void *arg, int64_t begin, int64_t end) {
    struct sl_matrices *m = arg;
    void *room = sl_scratch_new(m->room);
    const char *problem = room ? NULL : "";
    struct sl_pace pace = sl_pace_of(m->k);
    sl_dense_set_pace(&pace);
    for (; !problem && begin < end && !sl_pace_ends(&pace, 0); begin++) problem = m->one(m, begin, room);
    sl_dense_set_pace(NULL);
    if (problem) atomic_store(&m->problem, problem);
    if (room) sl_scratch_free(room, m->room);
}

/* Of matrices without elements there may be more than anybody should go through. */
static bool has_results(const struct sl_matrices *m) {
    for (int o = 0; o < m->n_out; o++)
        if (m->out[o].count > 0) return true;
    return false;
}

sl_code sl_matrices_run(struct sl_matrices *m) {
    m->dense = sl_dense_of(m->dtype, m->m > m->n ? m->m : m->n);
    m->size = sl_dtype_size(m->dtype);
    if (m->room < 64) m->room = 64;
    sl_code code = SL_OK;
    for (int i = 0; code == SL_OK && i < m->n_in; i++) code = sl_wide_as(&m->wide_in[i], m->k, m->in[i], m->dtype);
    for (int o = 0; code == SL_OK && o < m->n_out; o++)
        code = sl_wide_out_as(&m->wide_out[o], m->k, m->out[o], m->is_raw[o] ? m->out[o].dtype : m->dtype);
    if (code == SL_OK && m->count > 0 && has_results(m)) {
        sl_kernel_split(m->k, m->count, m->ns_each, run_part, m);
        const char *problem = atomic_load(&m->problem);
        if (problem) code = *problem ? sl_invalid(m->k, "%s", problem) : sl_fail_memory(m->k->err, m->room);
    }
    for (int o = 0; code == SL_OK && o < m->n_out; o++) sl_wide_store(&m->wide_out[o], m->k, m->out[o]);
    for (int o = 0; o < m->n_out; o++) sl_wide_free(&m->wide_out[o]);
    for (int i = 0; i < m->n_in; i++) sl_wide_free(&m->wide_in[i]);
    return code;
}
