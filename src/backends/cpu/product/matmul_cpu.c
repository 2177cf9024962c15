/* MatMul, BatchMatMul and SparseMatMul: shapes, types, broadcasting of batches. product.c does the rest. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/array/move_tiles.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/loops.h"
#include "backends/cpu/product/fpmath.h"
#include "backends/cpu/product/fused_ops.h"
#include "backends/cpu/product/gemm.h"
#include "backends/cpu/product/product.h"
#include "backends/cpu/product/tile_product.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"

struct row {
    const char *transposes_a, *transposes_b; /* attrs */
    bool is_adjoint;                         /* conjugates what it transposes */
    bool is_batch, broadcasts, is_fused;     /* is_fused: has the attr `fused_ops` */
};

struct state {
    bool transposes_a, transposes_b;
    int dtype; /* computed in */
    struct sl_fused_ops fused;
    bool has_constant_b;
    struct sl_packing packing; /* of the constant b */
};

static int computed_type(int dtype) {
    switch (dtype) {
    case SL_INT8:
    case SL_UINT8:
    case SL_INT16:
    case SL_UINT16:
    case SL_INT32:
    case SL_UINT32: return SL_INT32;
    case SL_INT64:
    case SL_UINT64: return SL_INT64;
    default: return sl_wide_type(dtype);
    }
}

/* Of mixed types there are products of small integers in int32, and of such with bfloat16 in bfloat16. */
static bool is_product_type(int a, int b, int out) {
    const sl_dtype_set small = SL_SET(INT8) | SL_SET(UINT8);
    bool a_small = sl_set_has(small, a), b_small = sl_set_has(small, b);
    if (a_small && b_small && out == SL_INT32) return true;
    if (a_small != b_small && (a == SL_BFLOAT16 || b == SL_BFLOAT16) && out == SL_BFLOAT16) return true;
    return a == b && b == out;
}

static sl_code matmul_create(void **state, struct sl_kernel_setup *setup) {
    const struct row *row = setup->def->data;
    int a = setup->in_types[0], b = setup->in_types[1], out = setup->out_types[0];
    if (row->is_batch && !is_product_type(a, b, out))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "No OpKernel was registered to support Op '%s' of %s and %s in %s", setup->def->op,
                       sl_dtype_name(a), sl_dtype_name(b), sl_dtype_name(out));
    struct state s = {.dtype = computed_type(setup->out_types[0])};
    SL_TRY(sl_attr_bool(&s.transposes_a, setup->attrs, row->transposes_a, setup->err));
    SL_TRY(sl_attr_bool(&s.transposes_b, setup->attrs, row->transposes_b, setup->err));
    if (row->is_fused) SL_TRY(sl_fused_ops_read(&s.fused, setup, "MatMul", setup->n_in - 2));
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    made->has_constant_b = setup->constant_in & 2;
    sl_packing_init(&made->packing);
    *state = made;
    return SL_OK;
}

static void matmul_destroy(void *state) {
    struct state *s = state;
    sl_packing_clear(&s->packing);
    sl_free(s);
}

/* ---- shapes */
static sl_code mismatch(struct sl_kernel_context *k, struct sl_view a, struct sl_view b, int64_t a_size,
                        int64_t b_size) {
    const struct row *row = k->node->def->data;
    const struct state *s = k->state;
    char x[SL_SHAPE_TEXT], y[SL_SHAPE_TEXT];
    sl_shape_text(x, sl_view_shape(a));
    sl_shape_text(y, sl_view_shape(b));
    if (!row->is_batch) return sl_invalid(k, "Matrix size-incompatible: In[0]: %s, In[1]: %s", x, y);
    return sl_invalid(k,
                      "Matrix size-incompatible: In[0] mismatch In[1] shape: %" PRId64 " vs. %" PRId64 ": %s %s %d %d",
                      a_size, b_size, x, y, s->transposes_a, s->transposes_b);
}

static sl_code check_ranks(struct sl_kernel_context *k, struct sl_view a, struct sl_view b) {
    const struct row *row = k->node->def->data;
    char text[SL_SHAPE_TEXT];
    struct sl_view in[2] = {a, b};
    if (!row->broadcasts && a.rank != b.rank)
        return sl_invalid(k, "In[0] and In[1] has different ndims: %s vs. %s", sl_shape_text(text, sl_view_shape(a)),
                          sl_shape_text((char[SL_SHAPE_TEXT]){0}, sl_view_shape(b)));
    for (int i = 0; i < 2; i++) {
        if (row->is_batch && in[i].rank < 2) return sl_invalid(k, "In[%d] ndims must be >= 2: %d", i, in[i].rank);
        if (!row->is_batch && in[i].rank != 2)
            return sl_invalid(k, "In[0] and In[1] ndims must be == 2: %d", in[i].rank);
    }
    return SL_OK;
}

struct layout {
    int64_t dims[SL_MAX_RANK], a_strides[SL_MAX_RANK], b_strides[SL_MAX_RANK];
};

/* The dims of the batch, and where its matrices are. */
static sl_code lay_out_batch(struct layout *l, struct sl_product *p, struct sl_kernel_context *k, struct sl_view a,
                             struct sl_view b) {
    const struct row *row = k->node->def->data;
    int rank = (a.rank > b.rank ? a.rank : b.rank) - 2;
    int64_t below_a = 1, below_b = 1;
    p->batch = 1;
    for (int d = rank - 1; d >= 0; d--) {
        int at_a = d - (rank + 2 - a.rank), at_b = d - (rank + 2 - b.rank);
        int64_t x = at_a < 0 ? 1 : a.dims[at_a], y = at_b < 0 ? 1 : b.dims[at_b];
        if (x != y && (!row->broadcasts || (x != 1 && y != 1))) {
            char s[SL_SHAPE_TEXT], t[SL_SHAPE_TEXT];
            return sl_invalid(k, "In[0] and In[1] must have compatible batch dimensions: %s vs. %s",
                              sl_shape_text(s, sl_view_shape(a)), sl_shape_text(t, sl_view_shape(b)));
        }
        l->dims[d] = x == 1 ? y : x;
        l->a_strides[d] = x == 1 ? 0 : below_a;
        l->b_strides[d] = y == 1 ? 0 : below_b;
        below_a *= x;
        below_b *= y;
        p->batch *= l->dims[d];
    }
    p->rank = rank;
    p->dims = l->dims;
    p->a_strides = l->a_strides;
    p->b_strides = l->b_strides;
    return SL_OK;
}

/* One matrix for all: its products are one, with all rows of A. */
static void merge_batch(struct sl_product *p, struct sl_view a, struct sl_view b) {
    int64_t matrix = p->k * p->n;
    if (p->a.is_transposed || p->batch <= 1 || b.count != matrix || a.count != p->batch * p->m * p->k) return;
    p->m *= p->batch;
    p->batch = 1;
    p->rank = 0;
}

/* TensorFlow cuts products to bfloat16: the low half of each float goes, and rounding finds nothing left to do. */
static void cut_range(void *arg, int64_t begin, int64_t end) {
    uint32_t *words = arg;
    for (int64_t i = begin; i < end; i++) words[i] &= 0xffff0000;
}

/* ---- few rows by a matrix of half or bfloat16: it is read once, so it is made float some rows at a time */
enum { NARROW_COLUMNS = 512, NARROW_ROWS = 16 };
struct narrow {
    const struct sl_product *p;
    const struct sl_gemm_loops *loops;
    sl_loop_fn widen;
    const char *b; /* k rows of n elements of two bytes */
};
static void narrow_columns(void *arg, int64_t begin, int64_t end) {
    const struct narrow *t = arg;
    const struct sl_product *p = t->p;
    const int64_t a_row = p->a.is_transposed ? 1 : p->k, a_k = p->a.is_transposed ? p->m : 1;
    _Alignas(64) float rows[NARROW_ROWS * NARROW_COLUMNS];
    for (int64_t item = begin; item < end; item++) {
        const int64_t column = item * NARROW_COLUMNS;
        const int64_t n = p->n - column < NARROW_COLUMNS ? p->n - column : NARROW_COLUMNS;
        float *c = (float *)p->c + column;
        for (int64_t i = 0; i < p->m; i++) memset(c + i * p->n, 0, (size_t)n * sizeof *c);
        for (int64_t q = 0; q < p->k; q += NARROW_ROWS) {
            const int64_t some = p->k - q < NARROW_ROWS ? p->k - q : NARROW_ROWS;
            for (int64_t r = 0; r < some; r++)
                t->widen(rows + r * n, t->b + ((q + r) * p->n + column) * 2, NULL, NULL, n);
            t->loops->update((int)p->m, c, p->n, (const float *)p->a.data + q * a_k, a_row, a_k, rows, n, n, some);
        }
    }
}
static bool is_narrow(const struct sl_product *p, struct sl_view b) {
    return (b.dtype == SL_HALF || b.dtype == SL_BFLOAT16) && p->dtype == SL_FLOAT && p->batch == 1 && p->m > 0 &&
           p->m <= SL_FEW_ROWS && !p->b.is_transposed;
}
static void multiply_narrow(struct sl_kernel_context *k, const struct sl_product *p, struct sl_view b) {
    struct narrow t = {p, sl_gemm_best_loops(false), SL_ISA_PICK(sl_cast_loop)(b.dtype, SL_FLOAT), b.data};
    sl_kernel_split(k, (p->n + NARROW_COLUMNS - 1) / NARROW_COLUMNS, 0.1 * NARROW_COLUMNS * (double)p->k,
                    narrow_columns, &t);
}

/* ---- bfloat16 by tile registers */
struct tiles {
    struct sl_tile_product product; /* of the first matrices */
    const struct sl_product *p;
    struct sl_kernel_context *k; /* NULL: this thread alone */
    const uint16_t *a, *b;
    char *c;
    int64_t c_size;
    _Atomic sl_code code;
};
static void run_tiles(void *arg, int64_t begin, int64_t end) {
    struct tiles *t = arg;
    const struct sl_product *p = t->p;
    for (int64_t i = begin; i < end; i++) {
        struct sl_tile_product one = t->product;
        one.a = t->a + sl_product_matrix(i, p, p->a_strides) * p->m * p->k;
        one.b = t->b + sl_product_matrix(i, p, p->b_strides) * p->k * p->n;
        one.c = t->c + i * p->m * p->n * t->c_size;
        sl_code code = sl_tile_product_run(t->k, &one, NULL);
        if (code != SL_OK) atomic_store(&t->code, code);
    }
}
/* All of A's matrices, rows dense. */
static sl_code transpose_all(uint16_t **to, size_t *bytes, struct sl_kernel_context *k, const struct sl_product *p,
                             struct sl_view a) {
    *bytes = (size_t)a.count * sizeof **to;
    if (!(*to = sl_scratch_new(*bytes))) return sl_fail_memory(k->err, *bytes);
    const int64_t matrix = p->m * p->k;
    const struct sl_plane plane = {.n1 = p->m, .to1 = p->k, .from1 = 1, .n0 = p->k, .to0 = 1, .from0 = p->m};
    for (int64_t i = 0; i < a.count; i += matrix) sl_plane_transpose(2)(*to + i, (const uint16_t *)a.data + i, &plane);
    return SL_OK;
}
/* The epilogue of rows. */
struct finish {
    const struct sl_epilogue *epilogue;
    float *c;
    int64_t n;
};
static void finish_rows(void *arg, int64_t begin, int64_t end) {
    const struct finish *f = arg;
    sl_epilogue_run(f->epilogue, f->c + begin * f->n, f->n, end - begin, 0, f->n);
}
/* C as `result` says. */
static sl_code multiply_by_tiles(struct sl_kernel_context *k, const struct sl_product *p, struct sl_view a,
                                 struct sl_view b, void *c, enum sl_tile_result result) {
    enum { LARGE = 1 << 22 }; /* products of which one matrix is done by all threads */
    struct state *s = k->state;
    struct tiles t = {.p = p, .a = a.data, .b = b.data, .c = c, .c_size = result == SL_TILE_FLOAT ? 4 : 2};
    uint16_t *transposed = NULL;
    size_t bytes = 0;
    if (p->a.is_transposed) {
        SL_TRY(transpose_all(&transposed, &bytes, k, p, a));
        t.a = transposed;
    }
    t.product = (struct sl_tile_product){.m = p->m,
                                         .n = p->n,
                                         .k = p->k,
                                         .a_row = p->k,
                                         .b_is_transposed = p->b.is_transposed,
                                         .result = result,
                                         .packing = p->batch == 1 && s->has_constant_b ? &s->packing : NULL};
    const double products = (double)p->m * (double)p->n * (double)p->k;
    if (p->batch == 1 || products > LARGE) {
        t.k = k;
        run_tiles(&t, 0, p->batch);
    } else {
        sl_kernel_split(k, p->batch, products / 500 + 200, run_tiles, &t);
    }
    sl_scratch_free(transposed, bytes);
    sl_code code = atomic_load(&t.code);
    return code == SL_OK ? SL_OK : sl_fail(k->err, code, "out of memory for the products of %s", k->node->def->op);
}
static sl_code multiply_bfloat16(struct sl_kernel_context *k, struct sl_product *p, struct sl_view a, struct sl_view b,
                                 struct sl_view out) {
    struct state *s = k->state;
    if (!sl_fused_ops_are_any(&s->fused)) return multiply_by_tiles(k, p, a, b, out.data, SL_TILE_CUT);
    struct sl_wide z = {0};
    struct sl_fused_args args = {0};
    sl_code code = sl_wide_out_as(&z, k, out, SL_FLOAT);
    if (code == SL_OK) code = sl_fused_args_read(&args, k, &s->fused, 2, p->n, out, NULL, NULL);
    args.epilogue.results = z.data;
    if (code == SL_OK) code = multiply_by_tiles(k, p, a, b, z.data, SL_TILE_FLOAT);
    if (code == SL_OK) {
        struct finish f = {&args.epilogue, z.data, p->n};
        sl_kernel_split(k, p->batch * p->m, (double)p->n, finish_rows, &f);
        sl_wide_store(&z, k, out);
    }
    sl_fused_args_free(&args);
    sl_wide_free(&z);
    return code;
}
static bool is_for_tiles(const struct sl_product *p, struct sl_view a, struct sl_view b, struct sl_view out) {
    return a.dtype == SL_BFLOAT16 && b.dtype == SL_BFLOAT16 && out.dtype == SL_BFLOAT16 &&
           sl_tile_product_pays(p->m, p->n, p->k);
}

static sl_code multiply(struct sl_kernel_context *k, struct sl_product *p, struct sl_view a, struct sl_view b,
                        struct sl_view out) {
    struct state *s = k->state;
    if (is_for_tiles(p, a, b, out)) return multiply_bfloat16(k, p, a, b, out);
    struct sl_wide x = {0}, y = {0}, z = {0};
    struct sl_fused_args args = {0};
    sl_code code = sl_wide_as(&x, k, a, p->dtype);
    const bool narrow = is_narrow(p, b) && !sl_fused_ops_are_any(&s->fused);
    if (code == SL_OK && !narrow) code = sl_wide_as(&y, k, b, p->dtype);
    if (code == SL_OK) code = sl_wide_out_as(&z, k, out, p->dtype);
    if (code == SL_OK && sl_fused_ops_are_any(&s->fused)) {
        code = sl_fused_args_read(&args, k, &s->fused, 2, p->n, out, NULL, NULL);
        args.epilogue.results = z.data;
        p->epilogue = &args.epilogue;
    }
    if (code == SL_OK) {
        p->a.data = x.data;
        p->b.data = y.data;
        p->c = z.data;
        p->rounds = a.dtype == b.dtype && sl_fpmath_rounds(a.dtype);
        p->packing = s->has_constant_b ? &s->packing : NULL;
        if (narrow) multiply_narrow(k, p, b);
        else code = sl_product_run(k, p);
    }
    if (code == SL_OK && out.dtype == SL_BFLOAT16 && !p->epilogue)
        sl_kernel_split(k, out.count, 0.1, cut_range, z.data);
    if (code == SL_OK) sl_wide_store(&z, k, out);
    sl_fused_args_free(&args);
    sl_wide_free(&x);
    sl_wide_free(&y);
    sl_wide_free(&z);
    return code;
}

static sl_code matmul_run(struct sl_kernel_context *k) {
    const struct row *row = k->node->def->data;
    const struct state *s = k->state;
    struct sl_view a = sl_in(k, 0), b = sl_in(k, 1);
    SL_TRY(check_ranks(k, a, b));
    const int64_t *last_a = a.dims + a.rank - 2, *last_b = b.dims + b.rank - 2;
    int64_t a_k = last_a[!s->transposes_a], b_k = last_b[s->transposes_b];
    if (a_k != b_k) return mismatch(k, a, b, a_k, b_k);
    struct layout l;
    struct sl_product p = {.dtype = s->dtype, .m = last_a[s->transposes_a], .n = last_b[!s->transposes_b], .k = a_k};
    p.a = (struct sl_product_side){.is_transposed = s->transposes_a, .conjugates = s->transposes_a && row->is_adjoint};
    p.b = (struct sl_product_side){.is_transposed = s->transposes_b, .conjugates = s->transposes_b && row->is_adjoint};
    SL_TRY(lay_out_batch(&l, &p, k, a, b));
    int rank = p.rank;
    l.dims[rank] = p.m;
    l.dims[rank + 1] = p.n;
    struct sl_fused_out o;
    SL_TRY(sl_fused_out_new(&o, k, &s->fused, 2, (struct sl_shape){rank + 2, l.dims}, NULL));
    merge_batch(&p, a, b);
    return sl_fused_out_end(&o, k, &s->fused, o.plain.count ? multiply(k, &p, a, b, o.plain) : SL_OK);
}

/* In one step, as KERNEL is. */
#define MATMUL(op_, rules, ...)                                                                                        \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = matmul_create,                                                                                          \
     .destroy = matmul_destroy,                                                                                        \
     .run = matmul_run,                                                                                                \
     .flags = SL_KERNEL_OWN,                                                                                           \
     .cost_ns = 100,                                                                                                   \
     .cost_element = 4,                                                                                                \
     .data = &(const struct row){__VA_ARGS__}},
#define PLAIN        .transposes_a = "transpose_a", .transposes_b = "transpose_b"
#define BATCH        .transposes_a = "adj_x", .transposes_b = "adj_y", .is_adjoint = true, .is_batch = true
#define TYPES        (SL_SET_NUMBERS)
#define SPARSE_TYPES (SL_SET(FLOAT) | SL_SET(BFLOAT16))

/* clang-format off */
const struct sl_kernel_def sl_cpu_matmul_rows[] = {
    MATMUL("MatMul", RULE("T", TYPES), PLAIN)
    MATMUL("_FusedMatMul", RULE("T", SL_SET(HALF) | SL_SET(BFLOAT16) | SL_SET(FLOAT)), PLAIN, .is_fused = true)
    MATMUL("SparseMatMul", RULE("Ta", SPARSE_TYPES) RULE("Tb", SPARSE_TYPES), PLAIN)
    MATMUL("BatchMatMul", RULE("T", TYPES), BATCH)
    MATMUL("BatchMatMulV2", RULE("T", TYPES), BATCH, .broadcasts = true)
    MATMUL("_FusedBatchMatMulV2", RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE)), BATCH, .broadcasts = true, .is_fused = true)
    MATMUL("BatchMatMulV3", RULE("Ta", TYPES) RULE("Tb", TYPES) RULE("Tout", TYPES), BATCH, .broadcasts = true)
    SL_ROWS_END
};
/* clang-format on */
