/* Sparse tensors as coordinates: what all sparse ops stand on.
 *
 *   indices  n x rank, int64      row e: where entry e stands
 *   values   n                    its value
 *   dims     rank                 the dense shape
 *
 * Entries stand in any order and may repeat unless a kernel asks for more: `sl_coo_order` says how to walk them by
 * some of the dims, `sl_coo_same` where a group of equal coordinates ends. Threads: plain values over borrowed
 * inputs. */
#ifndef SL_BACKENDS_CPU_SPARSE_COO_H
#define SL_BACKENDS_CPU_SPARSE_COO_H

#include "kernel/kernel.h"

struct sl_coo {
    const int64_t *indices, *dims;
    struct sl_view values;
    int64_t n;
    int rank;
};

/* Reads three inputs (int64 indices and shape). Checked: indices a matrix, values a vector of as many elements as it
 * has rows, shape a vector of as many as it has columns, dims >= 0, their product an int64. INVALID_ARGUMENT.
 * `values` -1: the op has none. */
sl_code sl_coo_in(struct sl_coo *t, struct sl_kernel_context *k, int indices, int values, int shape);
/* The same of three views, the dims unchecked. `values` with rank -1: none. */
sl_code sl_coo_of(struct sl_coo *t, struct sl_kernel_context *k, struct sl_view indices, struct sl_view values,
                  struct sl_view shape);
/* The first entry that does not lie in the shape; -1: all do. */
int64_t sl_coo_outside(const struct sl_coo *t);
/* Every index lies in the shape. INVALID_ARGUMENT naming the first that does not. */
sl_code sl_coo_check(const struct sl_coo *t, struct sl_kernel_context *k);
/* The indices rise strictly in the order of all dims. INVALID_ARGUMENT "indices[3] = [0,1] is out of order" or "is
 * repeated". */
sl_code sl_coo_check_order(const struct sl_coo *t, struct sl_kernel_context *k);

static inline const int64_t *sl_coo_at(const struct sl_coo *t, int64_t entry) { return t->indices + entry * t->rank; }
/* Compares coordinates by the dims by[0 .. n_by), the first counts most; `by` NULL: by dims 0 .. n_by. */
static inline int sl_coo_compare(const int64_t *a, const int64_t *b, const int *by, int n_by) {
    for (int i = 0; i < n_by; i++) {
        int d = by ? by[i] : i;
        if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
    }
    return 0;
}
/* Whether no entry is before the one in front of it, by those dims. */
bool sl_coo_is_ordered(const struct sl_coo *t, const int *by, int n_by);
/* Fills order[0 .. n): the entries sorted by those dims, equal ones in the order they came. RESOURCE_EXHAUSTED. */
sl_code sl_coo_order(int64_t *order, const struct sl_coo *t, const int *by, int n_by, struct sl_error *err);
/* The end of the group that begins at order[begin]: entries that are equal in those dims. `order` NULL: as they
 * stand. */
int64_t sl_coo_group(const struct sl_coo *t, const int64_t *order, int64_t begin, const int *by, int n_by);
/* Row-major place of coordinates in the dense tensor. They must lie in the shape. */
static inline int64_t sl_coo_place(const int64_t *at, const int64_t *strides, int rank) {
    int64_t place = 0;
    for (int d = 0; d < rank; d++) place += at[d] * strides[d];
    return place;
}
/* The same of all rows of an index tensor of any integer type and of rank 0 (one place in a vector), 1 (places in a
 * vector) or 2, whose width is the rank of `shape`. INVALID_ARGUMENT naming the first that is out of bounds. */
sl_code sl_coo_places(int64_t *places, struct sl_kernel_context *k, struct sl_view indices, struct sl_shape shape);

/* Makes outputs o (indices, n x rank), o + 1 (values, n) and, when `dims` is not NULL, o + 2 (the shape, filled in).
 * The rest is for the caller to fill. */
struct sl_coo_out {
    int64_t *indices;
    struct sl_view values;
};
sl_code sl_coo_out(struct sl_coo_out *out, struct sl_kernel_context *k, int o, int64_t n, int rank,
                   const int64_t *dims);
/* Entries order[0 .. n) of `t` as outputs o and o + 1, with `dims` as above. */
sl_code sl_coo_out_order(struct sl_kernel_context *k, int o, const struct sl_coo *t, const int64_t *order, int64_t n,
                         const int64_t *dims);

/* Room for `n` int64, freed by sl_scratch_free(p, sl_coo_bytes(n)); NULL when memory is out. */
static inline size_t sl_coo_bytes(int64_t n) { return (size_t)(n ? n : 1) * sizeof(int64_t); }
static inline int64_t *sl_coo_scratch(int64_t n) { return sl_scratch_new(sl_coo_bytes(n)); }

#endif
