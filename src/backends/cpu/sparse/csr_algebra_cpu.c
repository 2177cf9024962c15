/* Sparse matrices of sparse matrices: transposes, products, orderings that keep factors sparse, Cholesky factors.
 * Entries are computed as complex doubles whatever the type, and rounded once. */
#include <complex.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/sparse/csr.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/vec.h"

typedef double _Complex number;

static number number_at(const struct sl_csr *m, int64_t i) {
    switch (m->values->dtype) {
    case SL_FLOAT: return (double)((const float *)m->values->data)[i];
    case SL_DOUBLE: return ((const double *)m->values->data)[i];
    case SL_COMPLEX64: return (number)((const float _Complex *)m->values->data)[i];
    default: return ((const number *)m->values->data)[i];
    }
}
static void put_number(struct sl_csr *m, int64_t i, number x) {
    switch (m->values->dtype) {
    case SL_FLOAT: ((float *)m->values->data)[i] = (float)creal(x); break;
    case SL_DOUBLE: ((double *)m->values->data)[i] = creal(x); break;
    case SL_COMPLEX64: ((float _Complex *)m->values->data)[i] = (float _Complex)x; break;
    default: ((number *)m->values->data)[i] = x;
    }
}

/* ---- results, entry by entry in order */

struct entry {
    int64_t matrix, row, column;
    number value;
};
struct entries {
    struct sl_kernel_context *k;
    struct sl_pace pace;
    SL_VEC(struct entry) all;
};
static sl_code add(struct entries *e, int64_t matrix, int64_t row, int64_t column, number value) {
    struct entry one = {matrix, row, column, value};
    if (e->all.n >= INT32_MAX) return sl_invalid(e->k, "a sparse matrix has at most %d entries", INT32_MAX);
    return sl_vec_push(&e->all, one) ? sl_fail_memory(e->k->err, e->all.n * sizeof one) : SL_OK;
}

/* Gives them away as output 0. */
static sl_code give(struct entries *e, int rank, const int64_t *dims, int dtype) {
    struct sl_csr *m = NULL;
    sl_code code = sl_csr_new(&m, rank, dims, (int64_t)e->all.n, dtype, e->k->err);
    if (code != SL_OK) {
        sl_csr_free(m);
        return code;
    }
    int64_t *batch_ends = m->batch_ends->data, rows = sl_csr_rows(m);
    int32_t *row_ends = m->row_ends->data;
    memset(batch_ends, 0, m->batch_ends->bytes);
    memset(row_ends, 0, m->row_ends->bytes);
    for (size_t i = 0; i < e->all.n; i++) {
        const struct entry *one = &e->all.items[i];
        ((int64_t *)m->at->data)[2 * i] = one->row;
        ((int64_t *)m->at->data)[2 * i + 1] = one->column;
        put_number(m, (int64_t)i, one->value);
        batch_ends[one->matrix + 1]++;
        row_ends[one->matrix * (rows + 1) + one->row + 1]++;
    }
    for (int64_t b = 0; b < m->batch; b++) {
        batch_ends[b + 1] += batch_ends[b];
        for (int64_t r = 0; r < rows; r++) row_ends[b * (rows + 1) + r + 1] += row_ends[b * (rows + 1) + r];
    }
    sl_out_object(e->k, 0, &m->object);
    return SL_OK;
}

/* ---- SparseMatrixNNZ */

static sl_code nnz_run(struct sl_kernel_context *k) {
    const struct sl_csr *m;
    struct sl_view out;
    SL_TRY(sl_csr_in(&m, k, 0));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){m->rank - 2, m->dims}));
    for (int64_t b = 0; b < m->batch; b++)
        ((int32_t *)out.data)[b] = (int32_t)(sl_csr_begin(m, b + 1) - sl_csr_begin(m, b));
    return SL_OK;
}

/* ---- one matrix of a batch, turned or not, with its entries by row */

struct side {
    int64_t rows, columns;
    int64_t *ends;  /* where each row begins, and the last ends */
    int64_t *where; /* column of each entry */
    number *values;
};
static sl_code read_side(struct side *s, struct sl_arena *arena, const struct sl_csr *m, int64_t matrix, bool turns,
                         bool conjugates, struct sl_error *err) {
    const int64_t begin = sl_csr_begin(m, matrix), n = sl_csr_begin(m, matrix + 1) - begin;
    s->rows = turns ? sl_csr_columns(m) : sl_csr_rows(m);
    s->columns = turns ? sl_csr_rows(m) : sl_csr_columns(m);
    s->ends = SL_ARENA_ARRAY(arena, int64_t, (size_t)s->rows + 2);
    s->where = SL_ARENA_ARRAY(arena, int64_t, (size_t)n + 1);
    s->values = SL_ARENA_ARRAY(arena, number, (size_t)n + 1);
    if (!s->ends || !s->where || !s->values) return sl_fail_memory(err, (size_t)n * sizeof(number));
    const int64_t *at = (const int64_t *)m->at->data + 2 * begin;
    for (int64_t i = 0; i < n; i++) s->ends[at[2 * i + turns] + 2]++;
    for (int64_t r = 0; r < s->rows; r++) s->ends[r + 2] += s->ends[r + 1];
    for (int64_t i = 0; i < n; i++) { /* now ends[r + 1] goes from the begin of row r to its end */
        int64_t to = s->ends[at[2 * i + turns] + 1]++;
        number x = number_at(m, begin + i);
        s->where[to] = at[2 * i + !turns];
        s->values[to] = conjugates ? conj(x) : x;
    }
    return SL_OK;
}

/* ---- SparseMatrixTranspose */

enum turn { TRANSPOSES_A = 1, TRANSPOSES_B = 2, ADJOINS_A = 4, ADJOINS_B = 8, CONJUGATES = 16 };

static sl_code check_type(struct sl_kernel_context *k, const struct sl_csr *m, int in, int64_t dtype) {
    if (m->values->dtype == dtype) return SL_OK;
    return sl_invalid(k, "dtype of input %d is not equal to 'type': %s vs. %s", in, sl_dtype_name(m->values->dtype),
                      sl_dtype_name((int)dtype));
}
/* The attrs in one number: the type above the flags. */
static sl_code read_attrs(void **state, struct sl_kernel_setup *setup, const char *const names[], const int flags[],
                          int n) {
    int dtype;
    int64_t sum = 0;
    SL_TRY(sl_attr_type(&dtype, setup->attrs, "type", setup->err));
    for (int i = 0; i < n; i++) {
        bool is_set;
        SL_TRY(sl_attr_bool(&is_set, setup->attrs, names[i], setup->err));
        sum |= is_set ? flags[i] : 0;
    }
    if ((sum & TRANSPOSES_A && sum & ADJOINS_A) || (sum & TRANSPOSES_B && sum & ADJOINS_B))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Only one of adjoint and transpose may be true.");
    *state = (void *)(intptr_t)(sum | (int64_t)dtype << 8);
    return SL_OK;
}
static sl_code transpose_create(void **state, struct sl_kernel_setup *setup) {
    return read_attrs(state, setup, (const char *const[]){"conjugate"}, (const int[]){CONJUGATES}, 1);
}
static sl_code matmul_create(void **state, struct sl_kernel_setup *setup) {
    return read_attrs(state, setup, (const char *const[]){"transpose_a", "transpose_b", "adjoint_a", "adjoint_b"},
                      (const int[]){TRANSPOSES_A, TRANSPOSES_B, ADJOINS_A, ADJOINS_B}, 4);
}
static sl_code cholesky_create(void **state, struct sl_kernel_setup *setup) {
    return read_attrs(state, setup, NULL, NULL, 0);
}

static sl_code transpose_one(struct entries *e, const struct sl_csr *m, int64_t matrix, bool conjugates) {
    struct sl_arena arena;
    struct side s;
    sl_arena_init(&arena);
    sl_code code = read_side(&s, &arena, m, matrix, true, conjugates, e->k->err);
    for (int64_t r = 0, i = 0; code == SL_OK && r < s.rows; r++)
        for (; i < s.ends[r + 1] && code == SL_OK; i++) code = add(e, matrix, r, s.where[i], s.values[i]);
    sl_arena_clear(&arena);
    return code;
}
static sl_code transpose_run(struct sl_kernel_context *k) {
    const int64_t attrs = sl_state_number(k);
    struct entries e = {.k = k, .pace = sl_pace_of(k)};
    const struct sl_csr *m;
    SL_TRY(sl_csr_in(&m, k, 0));
    SL_TRY(check_type(k, m, 0, attrs >> 8));
    int64_t dims[3] = {m->dims[0], sl_csr_columns(m), sl_csr_rows(m)};
    sl_code code = SL_OK;
    for (int64_t b = 0; b < m->batch && code == SL_OK; b++) code = transpose_one(&e, m, b, attrs & CONJUGATES);
    if (code == SL_OK) code = give(&e, m->rank, dims + (3 - m->rank), m->values->dtype);
    sl_vec_free(&e.all);
    return code;
}

/* ---- SparseMatrixSparseMatMul: each row of the product is a sum of rows of b (Gustavson 1978). Entries that come to
 * nothing stay. */

static int by_number(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

enum { PRODUCT_NS = 5 };

/* `sums` and `last`: of each column, what it has come to, and one more than the last row that had it. */
static sl_code multiply_row(struct entries *e, int64_t matrix, int64_t row, const struct side *a, const struct side *b,
                            number *sums, int64_t *last, int64_t *columns) {
    int64_t n = 0;
    for (int64_t i = a->ends[row]; i < a->ends[row + 1]; i++) {
        const int64_t inner = a->where[i];
        if (sl_pace_ends(&e->pace, PRODUCT_NS * (1 + b->ends[inner + 1] - b->ends[inner]))) return SL_CANCELLED;
        for (int64_t j = b->ends[inner]; j < b->ends[inner + 1]; j++) {
            const int64_t column = b->where[j];
            if (last[column] != row + 1) {
                last[column] = row + 1;
                sums[column] = 0;
                columns[n++] = column;
            }
            sums[column] += a->values[i] * b->values[j];
        }
    }
    if (n) qsort(columns, (size_t)n, sizeof *columns, by_number);
    for (int64_t i = 0; i < n; i++) SL_TRY(add(e, matrix, row, columns[i], sums[columns[i]]));
    return SL_OK;
}
static sl_code multiply_in(struct entries *e, struct sl_arena *arena, const struct sl_csr *a, const struct sl_csr *b,
                           int64_t matrix, int64_t attrs) {
    struct side x, y;
    SL_TRY(read_side(&x, arena, a, matrix, attrs & (TRANSPOSES_A | ADJOINS_A), attrs & ADJOINS_A, e->k->err));
    SL_TRY(read_side(&y, arena, b, matrix, attrs & (TRANSPOSES_B | ADJOINS_B), attrs & ADJOINS_B, e->k->err));
    number *sums = SL_ARENA_ARRAY(arena, number, (size_t)y.columns + 1);
    int64_t *last = SL_ARENA_ARRAY(arena, int64_t, (size_t)y.columns + 1);
    int64_t *columns = SL_ARENA_ARRAY(arena, int64_t, (size_t)y.columns + 1);
    if (!sums || !last || !columns) return sl_fail_memory(e->k->err, (size_t)y.columns * sizeof *sums);
    for (int64_t r = 0; r < x.rows; r++) SL_TRY(multiply_row(e, matrix, r, &x, &y, sums, last, columns));
    return SL_OK;
}
static sl_code matmul_run(struct sl_kernel_context *k) {
    const int64_t attrs = sl_state_number(k);
    const bool turns_a = attrs & (TRANSPOSES_A | ADJOINS_A), turns_b = attrs & (TRANSPOSES_B | ADJOINS_B);
    struct entries e = {.k = k, .pace = sl_pace_of(k)};
    const struct sl_csr *a, *b;
    SL_TRY(sl_csr_in(&a, k, 0));
    SL_TRY(sl_csr_in(&b, k, 1));
    SL_TRY(check_type(k, a, 0, attrs >> 8));
    SL_TRY(check_type(k, b, 1, attrs >> 8));
    if (a->rank != b->rank || a->batch != b->batch)
        return sl_invalid(k, "Ranks and batch sizes of A and B do not agree: %d and %" PRId64 " vs. %d and %" PRId64,
                          a->rank, a->batch, b->rank, b->batch);
    const int64_t inner = turns_a ? sl_csr_rows(a) : sl_csr_columns(a);
    const int64_t b_inner = turns_b ? sl_csr_columns(b) : sl_csr_rows(b);
    if (inner != b_inner)
        return sl_invalid(k, "Inner product dimensions of A and B do not agree: %" PRId64 " vs. %" PRId64, inner,
                          b_inner);
    int64_t dims[3] = {a->batch, turns_a ? sl_csr_columns(a) : sl_csr_rows(a),
                       turns_b ? sl_csr_rows(b) : sl_csr_columns(b)};
    sl_code code = SL_OK;
    for (int64_t i = 0; i < a->batch && code == SL_OK; i++) {
        struct sl_arena arena;
        sl_arena_init(&arena);
        code = multiply_in(&e, &arena, a, b, i, attrs);
        sl_arena_clear(&arena);
    }
    if (code == SL_OK) code = give(&e, a->rank, dims + (3 - a->rank), a->values->dtype);
    sl_vec_free(&e.all);
    return code;
}

/* ---- SparseMatrixSparseCholesky: of the matrix with its rows and columns in the order of the permutation. Only what
 * is below the diagonal of the matrix is read. Row by row, with the columns of the factor so far as lists; which columns
 * a row has is read off the elimination tree (Liu 1990). */

struct link {
    int64_t row, next; /* next: of the column; -1: none */
    number value;
};
struct factor {
    struct entries *e;
    struct side a;  /* the lower half, permuted */
    int64_t *first; /* of each column */
    SL_VEC(struct link) links;
    int64_t *parent; /* of each column in the tree: the first row below the diagonal that has it; 0: none yet */
    int64_t *last;   /* one more than the last row that has the column */
    int64_t *columns;
    double *diagonal;
    number *sums; /* of one row */
};

/* The columns of a row before the diagonal, in order. */
static int64_t find_columns(struct factor *f, int64_t row) {
    int64_t n = 0;
    for (int64_t i = f->a.ends[row]; i < f->a.ends[row + 1]; i++)
        for (int64_t c = f->a.where[i]; c != row && f->last[c] != row + 1; c = f->parent[c]) {
            f->last[c] = row + 1;
            f->columns[n++] = c;
            if (f->parent[c] == 0) f->parent[c] = row;
        }
    if (n) qsort(f->columns, (size_t)n, sizeof *f->columns, by_number);
    return n;
}

static sl_code factor_row(struct factor *f, int64_t matrix, int64_t row) {
    const int64_t n = find_columns(f, row);
    for (int64_t i = f->a.ends[row]; i < f->a.ends[row + 1]; i++) f->sums[f->a.where[i]] += f->a.values[i];
    double rest = creal(f->sums[row]);
    f->sums[row] = 0;
    for (int64_t c = 0; c < n; c++) {
        const int64_t column = f->columns[c];
        const number x = f->sums[column] / f->diagonal[column];
        f->sums[column] = 0;
        rest -= creal(x) * creal(x) + cimag(x) * cimag(x);
        for (int64_t i = f->first[column]; i >= 0 && !sl_pace_ends(&f->e->pace, PRODUCT_NS); i = f->links.items[i].next)
            f->sums[f->links.items[i].row] -= x * conj(f->links.items[i].value);
        struct link one = {row, f->first[column], x};
        if (sl_vec_push(&f->links, one)) return sl_fail_memory(f->e->k->err, f->links.n * sizeof one);
        f->first[column] = (int64_t)f->links.n - 1;
        SL_TRY(add(f->e, matrix, row, column, x));
    }
    if (!(rest > 0) || isinf(rest))
        return sl_invalid(f->e->k,
                          "Sparse Cholesky factorization failed for batch index %" PRId64
                          ". The input might not be valid.",
                          matrix);
    f->diagonal[row] = sqrt(rest);
    return add(f->e, matrix, row, row, f->diagonal[row]);
}

/* Which row of the permuted lower half an entry falls into. */
static int64_t later(const int64_t *place, const int64_t at[2]) {
    return (place[at[0]] > place[at[1]] ? place[at[0]] : place[at[1]]) - 1;
}

/* The lower half of the matrix, each entry where the permutation (new to old) puts it. */
static sl_code permute(struct side *s, struct sl_arena *arena, const struct sl_csr *m, int64_t matrix,
                       const int32_t *permutation, struct sl_kernel_context *k) {
    const int64_t size = sl_csr_rows(m), begin = sl_csr_begin(m, matrix), n = sl_csr_begin(m, matrix + 1) - begin;
    int64_t *place = SL_ARENA_ARRAY(arena, int64_t, (size_t)size + 1); /* old to new, from 1 */
    *s = (struct side){.rows = size, .columns = size};
    s->ends = SL_ARENA_ARRAY(arena, int64_t, (size_t)size + 2);
    s->where = SL_ARENA_ARRAY(arena, int64_t, (size_t)n + 1);
    s->values = SL_ARENA_ARRAY(arena, number, (size_t)n + 1);
    if (!place || !s->ends || !s->where || !s->values) return sl_fail_memory(k->err, (size_t)n * sizeof(number));
    for (int64_t i = 0; i < size; i++) {
        if (permutation[i] < 0 || permutation[i] >= size || place[permutation[i]])
            return sl_invalid(k, "permutation is not one: %d at %" PRId64, (int)permutation[i], i);
        place[permutation[i]] = i + 1;
    }
    const int64_t *at = (const int64_t *)m->at->data + 2 * begin;
    for (int64_t i = 0; i < n; i++)
        if (at[2 * i + 1] <= at[2 * i]) s->ends[later(place, at + 2 * i) + 2]++;
    for (int64_t r = 0; r < size; r++) s->ends[r + 2] += s->ends[r + 1];
    for (int64_t i = 0; i < n; i++) {
        if (at[2 * i + 1] > at[2 * i]) continue;
        const int64_t row = later(place, at + 2 * i), a = place[at[2 * i]], b = place[at[2 * i + 1]];
        const int64_t to = s->ends[row + 1]++;
        s->where[to] = (a > b ? b : a) - 1;
        s->values[to] = a >= b ? number_at(m, begin + i) : conj(number_at(m, begin + i));
    }
    return SL_OK;
}

static sl_code factor_in(struct entries *e, struct sl_arena *arena, const struct sl_csr *m, int64_t matrix,
                         const int32_t *permutation) {
    const size_t size = (size_t)sl_csr_rows(m);
    struct factor f = {.e = e};
    SL_TRY(permute(&f.a, arena, m, matrix, permutation, e->k));
    f.first = SL_ARENA_ARRAY(arena, int64_t, size + 1);
    f.diagonal = SL_ARENA_ARRAY(arena, double, size + 1);
    f.sums = SL_ARENA_ARRAY(arena, number, size + 1);
    f.parent = SL_ARENA_ARRAY(arena, int64_t, size + 1);
    f.last = SL_ARENA_ARRAY(arena, int64_t, size + 1);
    f.columns = SL_ARENA_ARRAY(arena, int64_t, size + 1);
    if (!f.first || !f.diagonal || !f.sums || !f.parent || !f.last || !f.columns)
        return sl_fail_memory(e->k->err, size * sizeof(number));
    memset(f.first, -1, size * sizeof *f.first);
    sl_code code = SL_OK;
    for (size_t r = 0; r < size && code == SL_OK; r++) code = factor_row(&f, matrix, (int64_t)r);
    sl_vec_free(&f.links);
    return code;
}
static sl_code check_square(struct sl_kernel_context *k, const struct sl_csr *m) {
    if (sl_csr_rows(m) == sl_csr_columns(m)) return SL_OK;
    return sl_invalid(k, "sparse matrix must be square; got: %" PRId64 " != %" PRId64, sl_csr_rows(m),
                      sl_csr_columns(m));
}
static sl_code cholesky_run(struct sl_kernel_context *k) {
    struct sl_view permutation = sl_in(k, 1);
    struct entries e = {.k = k, .pace = sl_pace_of(k)};
    const struct sl_csr *m;
    SL_TRY(sl_csr_in(&m, k, 0));
    SL_TRY(check_type(k, m, 0, sl_state_number(k) >> 8));
    SL_TRY(check_square(k, m));
    if (permutation.rank != m->rank - 1 ||
        memcmp(permutation.dims, m->dims, (size_t)permutation.rank * sizeof(int64_t)))
        return sl_invalid(k, "permutation must have a row for each matrix of the batch, got shape %s",
                          SHAPE_OF(permutation));
    sl_code code = SL_OK;
    for (int64_t b = 0; b < m->batch && code == SL_OK; b++) {
        struct sl_arena arena;
        sl_arena_init(&arena);
        code = factor_in(&e, &arena, m, b, (const int32_t *)permutation.data + b * sl_csr_rows(m));
        sl_arena_clear(&arena);
    }
    if (code == SL_OK) code = give(&e, m->rank, m->dims, m->values->dtype);
    sl_vec_free(&e.all);
    return code;
}

/* ---- SparseMatrixOrderingAMD: minimum degree. What has the fewest neighbours comes next, and they become neighbours of
 * each other. TensorFlow's library approximates the degrees and breaks ties in another way: another order, as good. */

struct node {
    SL_VEC(int32_t) neighbours; /* in order, none that is done */
    bool is_done;
};

static int by_int32(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}
static void drop_doubles(struct node *n) {
    size_t kept = 0;
    if (n->neighbours.n) qsort(n->neighbours.items, n->neighbours.n, sizeof(int32_t), by_int32);
    for (size_t i = 0; i < n->neighbours.n; i++)
        if (i == 0 || n->neighbours.items[i] != n->neighbours.items[i - 1])
            n->neighbours.items[kept++] = n->neighbours.items[i];
    n->neighbours.n = kept;
}

/* Nodes by degree and number, the least first; those whose degree has changed since are in it again. */
struct queue {
    SL_VEC(uint64_t) heap; /* degree above number */
    struct sl_pace *pace;
};
static sl_code push(struct queue *q, const struct node *nodes, int32_t i, struct sl_error *err) {
    uint64_t key = (uint64_t)nodes[i].neighbours.n << 32 | (uint32_t)i;
    if (sl_vec_push(&q->heap, key)) return sl_fail_memory(err, q->heap.n * sizeof key);
    size_t at = q->heap.n - 1;
    for (; at && q->heap.items[(at - 1) / 2] > key; at = (at - 1) / 2) q->heap.items[at] = q->heap.items[(at - 1) / 2];
    q->heap.items[at] = key;
    return SL_OK;
}
static uint64_t pop(struct queue *q) {
    const uint64_t least = q->heap.items[0], key = q->heap.items[--q->heap.n];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < q->heap.n && q->heap.items[child + 1] < q->heap.items[child]) child++;
        if (child >= q->heap.n || q->heap.items[child] >= key) break;
        q->heap.items[at] = q->heap.items[child];
        at = child;
    }
    q->heap.items[at] = key;
    return least;
}

/* The neighbours of a node that is done, without itself, join those of each of them. */
enum { SORT_NS = 50 }; /* for each number */

static sl_code eliminate(struct node *nodes, int32_t done, struct queue *q, struct sl_error *err) {
    struct node *d = &nodes[done];
    d->is_done = true;
    for (size_t i = 0; i < d->neighbours.n; i++) {
        struct node *n = &nodes[d->neighbours.items[i]];
        if (sl_pace_ends(q->pace, SORT_NS * (int64_t)(n->neighbours.n + d->neighbours.n))) return SL_CANCELLED;
        for (size_t j = 0; j < d->neighbours.n; j++)
            if (j != i && sl_vec_push(&n->neighbours, d->neighbours.items[j]))
                return sl_fail_memory(err, n->neighbours.n * sizeof(int32_t));
        size_t kept = 0;
        drop_doubles(n);
        for (size_t j = 0; j < n->neighbours.n; j++)
            if (n->neighbours.items[j] != done) n->neighbours.items[kept++] = n->neighbours.items[j];
        n->neighbours.n = kept;
        SL_TRY(push(q, nodes, d->neighbours.items[i], err));
    }
    return SL_OK;
}
static sl_code order_nodes(int32_t *order, struct node *nodes, int32_t n, struct queue *q, struct sl_error *err) {
    for (int32_t i = 0; i < n; i++) SL_TRY(push(q, nodes, i, err));
    for (int32_t at = 0; at < n;) {
        const uint64_t key = pop(q);
        const int32_t i = (int32_t)(uint32_t)key;
        if (nodes[i].is_done || nodes[i].neighbours.n != key >> 32) continue;
        order[at++] = i;
        SL_TRY(eliminate(nodes, i, q, err));
    }
    return SL_OK;
}
static sl_code order_matrix(int32_t *order, const struct sl_csr *m, int64_t matrix, struct sl_pace *pace,
                            struct sl_error *err) {
    const int32_t n = (int32_t)sl_csr_rows(m);
    const int64_t *at = m->at->data;
    struct node *nodes = sl_calloc((size_t)n + 1, sizeof *nodes);
    sl_code code = nodes ? SL_OK : sl_fail_memory(err, (size_t)n * sizeof *nodes);
    for (int64_t i = sl_csr_begin(m, matrix); code == SL_OK && i < sl_csr_begin(m, matrix + 1); i++) {
        const int32_t a = (int32_t)at[2 * i], b = (int32_t)at[2 * i + 1];
        if (a != b && (sl_vec_push(&nodes[a].neighbours, b) || sl_vec_push(&nodes[b].neighbours, a)))
            code = sl_fail_memory(err, nodes[a].neighbours.n * sizeof b);
    }
    for (int32_t i = 0; code == SL_OK && i < n; i++) drop_doubles(&nodes[i]);
    struct queue queue = {.heap = {NULL, 0, 0}, .pace = pace};
    if (code == SL_OK) code = order_nodes(order, nodes, n, &queue, err);
    sl_vec_free(&queue.heap);
    for (int32_t i = 0; nodes && i < n; i++) sl_vec_free(&nodes[i].neighbours);
    sl_free(nodes);
    return code;
}
static sl_code ordering_run(struct sl_kernel_context *k) {
    const struct sl_csr *m;
    struct sl_view out;
    SL_TRY(sl_csr_in(&m, k, 0));
    SL_TRY(check_square(k, m));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){m->rank - 1, m->dims}));
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t b = 0; b < m->batch; b++)
        SL_TRY(order_matrix((int32_t *)out.data + b * sl_csr_rows(m), m, b, &pace, k->err));
    return SL_OK;
}

#define VALUES       (SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET_COMPLEX)
#define COST(op_run) .run = op_run, .cost_ns = 500, .cost_element = 50
/* clang-format off */
const struct sl_kernel_def sl_cpu_csr_algebra_rows[] = {
    KERNEL("SparseMatrixNNZ", NO_RULE, COST(nnz_run))
    KERNEL("SparseMatrixTranspose", RULE("type", VALUES), COST(transpose_run), .create = transpose_create)
    KERNEL("SparseMatrixSparseMatMul", RULE("type", VALUES), COST(matmul_run), .create = matmul_create)
    KERNEL("SparseMatrixOrderingAMD", NO_RULE, COST(ordering_run))
    KERNEL("SparseMatrixSparseCholesky", RULE("type", VALUES), COST(cholesky_run), .create = cholesky_create)
    SL_ROWS_END
};
/* clang-format on */
