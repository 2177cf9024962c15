/* FFT, RFFT and their inverses over the last one, two or three dims. The input is brought to a box of double cells, cut to the lengths
 * asked for, and transformed along one dim after the other; of real results and inputs the last dim is n / 2 + 1 cells. */
#include "backends/cpu/fft.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/checked.h"

enum { MOST_DIMS = 3 };
enum kind { COMPLEX, COMPLEX_BACK, REAL_TO_COMPLEX, COMPLEX_TO_REAL };
struct row {
    uint8_t kind, n; /* enum kind; dims */
};

struct transform {
    struct sl_cell *cells; /* [batch, dims[0], dims[1], dims[2]], missing dims are 1 */
    int64_t batch, dims[MOST_DIMS];
    /* of one pass: lines of `length`, whose cells are `stride` apart */
    const struct sl_fft *plan;
    int64_t length, stride;
    bool is_inverse;
    atomic_bool is_out_of_memory;
};

/* Item i is line i % stride of part i / stride. */
static void transform_lines(void *arg, int64_t begin, int64_t end) {
    struct transform *t = arg;
    const size_t bytes = (size_t)(t->length + sl_fft_room(t->plan)) * sizeof(struct sl_cell);
    struct sl_cell *line = sl_scratch_new(bytes);
    if (!line) {
        atomic_store(&t->is_out_of_memory, true);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        struct sl_cell *at = t->cells + i / t->stride * t->stride * t->length + i % t->stride;
        for (int64_t j = 0; j < t->length; j++) line[j] = at[j * t->stride];
        sl_fft_run(t->plan, line, line + t->length, t->is_inverse);
        for (int64_t j = 0; j < t->length; j++) at[j * t->stride] = line[j];
    }
    sl_scratch_free(line, bytes);
}

static sl_code transform_dim(struct transform *t, struct sl_kernel_context *k, int d) {
    struct sl_fft *plan;
    int64_t lines = t->batch;
    t->length = t->dims[d];
    t->stride = 1;
    for (int e = d + 1; e < MOST_DIMS; e++) t->stride *= t->dims[e];
    for (int e = 0; e < MOST_DIMS; e++)
        if (e != d) lines *= t->dims[e];
    if (t->length == 1) return SL_OK;
    SL_TRY(sl_fft_new(&plan, t->length, k->err));
    t->plan = plan;
    sl_kernel_split(k, lines, (double)t->length * 20, transform_lines, t);
    sl_fft_free(plan);
    return atomic_load(&t->is_out_of_memory) ? sl_fail_memory(k->err, (size_t)t->length * sizeof *t->cells) : SL_OK;
}

static struct sl_cell cell_at(struct sl_view v, int64_t i) {
    switch (v.dtype) {
    case SL_FLOAT: return (struct sl_cell){(double)((const float *)v.data)[i], 0};
    case SL_DOUBLE: return (struct sl_cell){((const double *)v.data)[i], 0};
    case SL_COMPLEX64: {
        const float *p = (const float *)v.data + 2 * i;
        return (struct sl_cell){(double)p[0], (double)p[1]};
    }
    default: return ((const struct sl_cell *)v.data)[i];
    }
}
static void store_cell(struct sl_view v, int64_t i, struct sl_cell c) {
    switch (v.dtype) {
    case SL_FLOAT: ((float *)v.data)[i] = (float)c.re; break;
    case SL_DOUBLE: ((double *)v.data)[i] = c.re; break;
    case SL_COMPLEX64:
        ((float *)v.data)[2 * i] = (float)c.re;
        ((float *)v.data)[2 * i + 1] = (float)c.im;
        break;
    default: ((struct sl_cell *)v.data)[i] = c; break;
    }
}

/* Walks rows of cells along the last dim: row `i` of a box [batch, a, b] inside a tensor whose dims are `dims`. */
static int64_t row_start(int64_t i, const int64_t box[MOST_DIMS], const int64_t dims[MOST_DIMS]) {
    int64_t b = i % box[1], a = i / box[1] % box[0], batch = i / box[1] / box[0];
    return ((batch * dims[0] + a) * dims[1] + b) * dims[2];
}

/* The cells of the input, as many as `t` has dims for; half of a spectrum is completed later. */
static void load(struct transform *t, struct sl_view in, const int64_t dims[MOST_DIMS], int64_t take) {
    for (int64_t i = 0; i < t->batch * t->dims[0] * t->dims[1]; i++) {
        const int64_t from = row_start(i, t->dims, dims);
        struct sl_cell *to = t->cells + i * t->dims[2];
        for (int64_t j = 0; j < take; j++) to[j] = cell_at(in, from + j);
    }
}
/* What a real line's spectrum has beyond its middle is the mirror image of what is before. */
static void complete(struct transform *t) {
    const int64_t n = t->dims[2];
    for (int64_t i = 0; i < t->batch * t->dims[0] * t->dims[1]; i++) {
        struct sl_cell *line = t->cells + i * n;
        for (int64_t j = n / 2 + 1; j < n; j++) line[j] = (struct sl_cell){line[n - j].re, -line[n - j].im};
    }
}

static sl_code run_box(struct sl_kernel_context *k, struct transform *t, struct sl_view in, struct sl_view out,
                       const int64_t in_dims[MOST_DIMS]) {
    const struct row *row = k->node->def->data;
    const int64_t n = t->dims[2], half = n / 2 + 1;
    const bool is_back = row->kind == COMPLEX_BACK || row->kind == COMPLEX_TO_REAL;
    t->is_inverse = is_back;
    load(t, in, in_dims, row->kind == COMPLEX_TO_REAL ? half : n);
    if (row->kind != COMPLEX_TO_REAL) SL_TRY(transform_dim(t, k, 2));
    /* a half spectrum is transformed along its other dims first; cells that are yet to be completed do no harm */
    for (int d = 1; d >= 0; d--) SL_TRY(transform_dim(t, k, d));
    if (row->kind == COMPLEX_TO_REAL) {
        complete(t);
        SL_TRY(transform_dim(t, k, 2));
    }
    const int64_t keep = row->kind == REAL_TO_COMPLEX ? half : n;
    for (int64_t i = 0; i < t->batch * t->dims[0] * t->dims[1]; i++)
        for (int64_t j = 0; j < keep; j++) store_cell(out, i * keep + j, t->cells[i * n + j]);
    return SL_OK;
}

/* Lengths of the transform, input 1, or those of the input. */
static sl_code read_lengths(int64_t lengths[MOST_DIMS], struct sl_kernel_context *k, struct sl_view in) {
    const struct row *row = k->node->def->data;
    const int first = MOST_DIMS - row->n;
    for (int d = 0; d < MOST_DIMS; d++) lengths[d] = d < first ? 1 : in.dims[in.rank - MOST_DIMS + d];
    if (sl_in_count(k) < 2) return SL_OK;
    struct sl_view v = sl_in(k, 1);
    if (v.rank != 1 || v.count != row->n)
        return sl_invalid(k, "fft_length must have shape [%d]: %s", row->n, SHAPE_OF(v));
    for (int d = first; d < MOST_DIMS; d++) {
        int64_t length = sl_index_at(v, d - first), have = in.dims[in.rank - MOST_DIMS + d];
        if (length < 0) return sl_invalid(k, "fft_length[%d] must be >= 0, but got: %" PRId64, d - first, length);
        int64_t need = d == MOST_DIMS - 1 && row->kind == COMPLEX_TO_REAL && length ? length / 2 + 1 : length;
        if (have != 0 && have < need)
            return sl_invalid(k, "Input dimension %d must have length of at least %" PRId64 " but got: %" PRId64,
                              in.rank - MOST_DIMS + d, need, have);
        lengths[d] = length;
    }
    return SL_OK;
}

static sl_code fft_run(struct sl_kernel_context *k) {
    const struct row *row = k->node->def->data;
    struct sl_view in = sl_in(k, 0), out;
    struct transform t = {.batch = 1};
    int64_t in_dims[MOST_DIMS], dims[SL_MAX_RANK], cells = 1;
    if (in.rank < row->n) return sl_invalid(k, "Input must have rank of at least %d but got: %s", row->n, SHAPE_OF(in));
    SL_TRY(read_lengths(t.dims, k, in));
    memcpy(dims, in.dims, (size_t)in.rank * sizeof *dims);
    for (int d = 0; d < in.rank - row->n; d++) t.batch *= in.dims[d];
    for (int d = 0; d < MOST_DIMS; d++) {
        in_dims[d] = d < MOST_DIMS - row->n ? 1 : in.dims[in.rank - MOST_DIMS + d];
        if (d >= MOST_DIMS - row->n) dims[in.rank - MOST_DIMS + d] = t.dims[d];
    }
    if (row->kind == REAL_TO_COMPLEX && dims[in.rank - 1]) dims[in.rank - 1] = dims[in.rank - 1] / 2 + 1;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){in.rank, dims}));
    if (out.count == 0) return SL_OK;
    if (in.count == 0) {
        memset(out.data, 0, (size_t)out.count * sl_dtype_size(out.dtype));
        return SL_OK;
    }
    for (int d = 0; d < MOST_DIMS; d++)
        if (!sl_mul_i64(&cells, cells, t.dims[d])) return sl_invalid(k, "fft_length is too large");
    if (!sl_mul_i64(&cells, cells, t.batch) || cells > INT64_MAX / 32) return sl_invalid(k, "fft_length is too large");
    const size_t bytes = (size_t)cells * sizeof *t.cells;
    t.cells = sl_scratch_new(bytes);
    if (!t.cells) return sl_fail_memory(k->err, bytes);
    memset(t.cells, 0, bytes);
    sl_code code = run_box(k, &t, in, out, in_dims);
    sl_scratch_free(t.cells, bytes);
    return code;
}

static sl_code real_create(void **state, struct sl_kernel_setup *setup) {
    int real, complex;
    SL_TRY(sl_attr_type(&real, setup->attrs, "Treal", setup->err));
    SL_TRY(sl_attr_type(&complex, setup->attrs, "Tcomplex", setup->err));
    *state = NULL;
    if ((real == SL_DOUBLE) == (complex == SL_COMPLEX128)) return SL_OK;
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Treal and Tcomplex must be of one precision, got %s and %s",
                   sl_dtype_name(real), sl_dtype_name(complex));
}

/* In one step, as KERNEL is. */
#define TRANSFORM(op_, kind_, n_, ...)                                                                                 \
    {.op = op_,                                                                                                        \
     .device = "CPU",                                                                                                  \
     .types = {RULE("Tcomplex", SL_SET_COMPLEX)},                                                                      \
     .run = fft_run,                                                                                                   \
     .cost_ns = 500,                                                                                                   \
     .cost_element = 30,                                                                                               \
     .data = &(const struct row){.kind = kind_, .n = n_},                                                              \
     __VA_ARGS__},
/* clang-format off */
const struct sl_kernel_def sl_cpu_fft_rows[] = {
    TRANSFORM("FFT", COMPLEX, 1)
    TRANSFORM("FFT2D", COMPLEX, 2)
    TRANSFORM("FFT3D", COMPLEX, 3)
    TRANSFORM("IFFT", COMPLEX_BACK, 1)
    TRANSFORM("IFFT2D", COMPLEX_BACK, 2)
    TRANSFORM("IFFT3D", COMPLEX_BACK, 3)
    TRANSFORM("RFFT", REAL_TO_COMPLEX, 1, .create = real_create)
    TRANSFORM("RFFT2D", REAL_TO_COMPLEX, 2, .create = real_create)
    TRANSFORM("RFFT3D", REAL_TO_COMPLEX, 3, .create = real_create)
    TRANSFORM("IRFFT", COMPLEX_TO_REAL, 1, .create = real_create)
    TRANSFORM("IRFFT2D", COMPLEX_TO_REAL, 2, .create = real_create)
    TRANSFORM("IRFFT3D", COMPLEX_TO_REAL, 3, .create = real_create)
    SL_ROWS_END
};
/* clang-format on */
