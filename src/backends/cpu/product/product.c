/* Products of matrices. Float and double are gemm.c's. A complex product is a real one of twice the rows and
 * columns, whose quarters are then added:
 *
 *     [ re A ]                  [ re A re B   re A im B ]
 *     [ im A ] [ re B  im B ] = [ im A re B   im A im B ]
 *
 * where columns of re B and im B take turns, as B is stored. Integers go by rows. */
#include "backends/cpu/product/product.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/array/move_tiles.h"
#include "backends/cpu/product/gemm.h"
#include "backends/cpu/product/narrow_product.h"
#include "base/checked.h"

/* One product. */
struct single {
    const struct sl_product *p;
    const char *a, *b;
    char *c;
    struct sl_kernel_context *k; /* NULL: this thread alone */
    struct sl_error *err;
};

static int part_size(int dtype) { return dtype == SL_DOUBLE || dtype == SL_COMPLEX128 || dtype == SL_INT64 ? 8 : 4; }
static bool is_complex(int dtype) { return dtype == SL_COMPLEX64 || dtype == SL_COMPLEX128; }

static sl_code scratch_new(char **to, size_t *bytes, int64_t rows, int64_t columns, int64_t size,
                           struct sl_error *err) {
    int64_t wanted;
    bool fits = sl_mul_i64(&wanted, rows, columns) && sl_mul_i64(&wanted, wanted, size);
    *bytes = !fits ? SIZE_MAX : wanted ? (size_t)wanted : 1;
    *to = fits ? sl_scratch_new(*bytes) : NULL;
    return *to ? SL_OK : sl_fail_memory(err, *bytes);
}

static sl_code real_product(const struct single *s) {
    const struct sl_product *p = s->p;
    struct sl_gemm g = {.is_double = part_size(p->dtype) == 8,
                        .rounds = p->rounds,
                        .m = p->m,
                        .n = p->n,
                        .k = p->k,
                        .a = s->a,
                        .b = s->b,
                        .c = s->c,
                        .c_row = p->n,
                        .epilogue = p->epilogue,
                        .packing = p->batch == 1 ? p->packing : NULL};
    g.a_row = p->a.is_transposed ? 1 : p->k;
    g.a_k = p->a.is_transposed ? p->m : 1;
    g.b_k = p->b.is_transposed ? 1 : p->n;
    g.b_column = p->b.is_transposed ? p->k : 1;
    bool is_done;
    SL_TRY(sl_rounded_product_run(&is_done, s->k, &g, s->err));
    return is_done ? SL_OK : sl_gemm_run(s->k, &g, s->err);
}

/* ---- complex numbers */
struct complex {
    const struct single *s;
    char *a, *quarters;
};
#define COMPLEX(T)                                                                                                     \
    /* Rows of A's parts: imaginary ones follow all real ones. */                                                      \
    static void part_##T(void *arg, int64_t begin, int64_t end) {                                                      \
        const struct complex *x = arg;                                                                                 \
        const struct sl_product *p = x->s->p;                                                                          \
        const int64_t row = p->a.is_transposed ? 1 : p->k, step = p->a.is_transposed ? p->m : 1;                       \
        for (int64_t i = begin; i < end; i++) {                                                                        \
            const T *restrict from = (const T *)x->s->a + 2 * i * row;                                                 \
            T *restrict to = (T *)x->a + i * p->k;                                                                     \
            for (int64_t j = 0; j < p->k; j++) {                                                                       \
                to[j] = from[2 * j * step];                                                                            \
                to[j + p->m * p->k] = from[2 * j * step + 1];                                                          \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    /* Rows of C. */                                                                                                   \
    static void join_##T(void *arg, int64_t begin, int64_t end) {                                                      \
        const struct complex *x = arg;                                                                                 \
        const struct sl_product *p = x->s->p;                                                                          \
        const T a_sign = p->a.conjugates ? -1 : 1, b_sign = p->b.conjugates ? -1 : 1;                                  \
        for (int64_t i = begin; i < end; i++) {                                                                        \
            T *restrict c = (T *)x->s->c + 2 * i * p->n;                                                               \
            const T *restrict re = (const T *)x->quarters + 2 * i * p->n, *restrict im = re + 2 * p->m * p->n;         \
            for (int64_t j = 0; j < 2 * p->n; j += 2) {                                                                \
                c[j] = re[j] - a_sign * b_sign * im[j + 1];                                                            \
                c[j + 1] = b_sign * re[j + 1] + a_sign * im[j];                                                        \
            }                                                                                                          \
        }                                                                                                              \
    }
COMPLEX(float)
COMPLEX(double)

static void split(struct sl_kernel_context *k, int64_t n, double ns,
                  void (*work)(void *arg, int64_t begin, int64_t end), void *arg) {
    if (k) sl_kernel_split(k, n, ns, work, arg);
    else work(arg, 0, n);
}

static sl_code complex_quarters(const struct single *s, struct complex *x, char *transposed) {
    const struct sl_product *p = s->p;
    const int size = part_size(p->dtype);
    split(s->k, p->m, (double)p->k, size == 8 ? part_double : part_float, x);
    if (transposed)
        sl_plane_transpose(
            2 * size)(transposed, s->b,
                      &(struct sl_plane){.n1 = p->k, .to1 = p->n, .from1 = 1, .n0 = p->n, .to0 = 1, .from0 = p->k});
    struct sl_gemm g = {.is_double = size == 8,
                        .m = 2 * p->m,
                        .n = 2 * p->n,
                        .k = p->k,
                        .a = x->a,
                        .a_row = p->k,
                        .a_k = 1,
                        .b = transposed ? transposed : s->b,
                        .b_k = 2 * p->n,
                        .b_column = 1,
                        .c = x->quarters,
                        .c_row = 2 * p->n};
    SL_TRY(sl_gemm_run(s->k, &g, s->err));
    split(s->k, p->m, (double)p->n, size == 8 ? join_double : join_float, x);
    return SL_OK;
}

static sl_code complex_product(const struct single *s) {
    const struct sl_product *p = s->p;
    const int size = part_size(p->dtype);
    struct complex x = {.s = s};
    char *b = NULL;
    size_t a_bytes = 0, b_bytes = 0, quarters_bytes = 0;
    sl_code code = scratch_new(&x.a, &a_bytes, 2 * p->m, p->k, size, s->err);
    if (code == SL_OK && p->b.is_transposed) code = scratch_new(&b, &b_bytes, p->k, 2 * p->n, size, s->err);
    if (code == SL_OK) code = scratch_new(&x.quarters, &quarters_bytes, 2 * p->m, 2 * p->n, size, s->err);
    if (code == SL_OK) code = complex_quarters(s, &x, b);
    sl_scratch_free(x.a, a_bytes);
    sl_scratch_free(b, b_bytes);
    sl_scratch_free(x.quarters, quarters_bytes);
    return code;
}

/* ---- integers: rows of C, in blocks of columns and of k for which B's part stays in a near cache */
enum { INTEGER_ROWS = 16, INTEGER_COLUMNS = 512, INTEGER_K = 64 };
#define INTEGER_NS 0.06 /* of a multiplication */

struct integers {
    const struct sl_product *p;
    sl_integer_row_fn row;
    const char *a, *b; /* b: rows are dense */
    char *c;
    int64_t size, items_of_row;
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void integer_items(void *arg, int64_t begin, int64_t end) {
    const struct integers *t = arg;
    const struct sl_product *p = t->p;
    const int64_t a_row = p->a.is_transposed ? 1 : p->k, a_k = p->a.is_transposed ? p->m : 1;
    for (int64_t item = begin; item < end; item++) {
        const int64_t row = item / t->items_of_row * INTEGER_ROWS, last = smaller(row + INTEGER_ROWS, p->m);
        const int64_t column = item % t->items_of_row * INTEGER_COLUMNS, n = smaller(INTEGER_COLUMNS, p->n - column);
        for (int64_t i = row; i < last; i++) memset(t->c + (i * p->n + column) * t->size, 0, (size_t)(n * t->size));
        for (int64_t q = 0; q < p->k; q += INTEGER_K)
            for (int64_t i = row; i < last; i++)
                t->row(t->c + (i * p->n + column) * t->size, t->a + (i * a_row + q * a_k) * t->size, a_k,
                       t->b + (q * p->n + column) * t->size, p->n, n, smaller(INTEGER_K, p->k - q));
    }
}

static sl_code integer_product(const struct single *s) {
    const struct sl_product *p = s->p;
    const int size = part_size(p->dtype);
    struct integers t = {
        .p = p, .row = SL_ISA_PICK(sl_integer_row)(size == 8), .a = s->a, .b = s->b, .c = s->c, .size = size};
    char *b = NULL;
    size_t bytes = 0;
    if (p->b.is_transposed) {
        SL_TRY(scratch_new(&b, &bytes, p->k, p->n, size, s->err));
        sl_plane_transpose(
            size)(b, s->b,
                  &(struct sl_plane){.n1 = p->k, .to1 = p->n, .from1 = 1, .n0 = p->n, .to0 = 1, .from0 = p->k});
        t.b = b;
    }
    t.items_of_row = (p->n + INTEGER_COLUMNS - 1) / INTEGER_COLUMNS;
    const int64_t items = (p->m + INTEGER_ROWS - 1) / INTEGER_ROWS * t.items_of_row;
    const double ns =
        INTEGER_NS * (double)smaller(INTEGER_ROWS, p->m) * (double)smaller(INTEGER_COLUMNS, p->n) * (double)p->k;
    split(s->k, items, ns, integer_items, &t);
    sl_scratch_free(b, bytes);
    return SL_OK;
}

/* ---- many products */
struct batch {
    const struct sl_product *p;
    struct sl_kernel_context *k;
    _Atomic sl_code code;
};

int64_t sl_product_matrix(int64_t i, const struct sl_product *p, const int64_t *strides) {
    int64_t matrix = 0;
    for (int d = p->rank - 1; d >= 0; d--) {
        matrix += i % p->dims[d] * strides[d];
        i /= p->dims[d];
    }
    return matrix;
}

static sl_code run_one(struct sl_kernel_context *k, const struct sl_product *p, int64_t i, struct sl_error *err) {
    int64_t size = (int64_t)sl_dtype_size(p->dtype);
    struct single s = {.p = p, .k = k, .err = err};
    s.a = (const char *)p->a.data + sl_product_matrix(i, p, p->a_strides) * p->m * p->k * size;
    s.b = (const char *)p->b.data + sl_product_matrix(i, p, p->b_strides) * p->k * p->n * size;
    s.c = (char *)p->c + i * p->m * p->n * size;
    if (p->dtype == SL_INT32 || p->dtype == SL_INT64) return integer_product(&s);
    return is_complex(p->dtype) ? complex_product(&s) : real_product(&s);
}

static void run_range(void *arg, int64_t begin, int64_t end) {
    struct batch *b = arg;
    for (int64_t i = begin; i < end; i++) {
        sl_code code = run_one(NULL, b->p, i, NULL);
        if (code != SL_OK) atomic_store(&b->code, code);
    }
}

enum { LARGE_NS = 100000 };

sl_code sl_product_run(struct sl_kernel_context *k, const struct sl_product *p) {
    if (p->m == 0 || p->n == 0 || p->batch == 0) return SL_OK;
    double ns = sl_gemm_ns(p->m, p->n, p->k) * (is_complex(p->dtype)                           ? 4
                                                : p->dtype == SL_INT32 || p->dtype == SL_INT64 ? 10
                                                                                               : 1);
    if (p->batch == 1 || ns > LARGE_NS) {
        for (int64_t i = 0; i < p->batch; i++) SL_TRY(run_one(k, p, i, k->err));
        return SL_OK;
    }
    struct batch b = {p, k, SL_OK};
    sl_kernel_split(k, p->batch, ns + 50, run_range, &b);
    sl_code code = atomic_load(&b.code);
    return code == SL_OK ? SL_OK : sl_fail(k->err, code, "out of memory for the products of %s", k->node->def->op);
}
