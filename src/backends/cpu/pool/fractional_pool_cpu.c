/* FractionalMaxPool, FractionalAvgPool and their gradients (Graham, "Fractional max-pooling", 2014): windows of k or
 * k + 1 rows and columns, in an order that is drawn at random, so that the image shrinks by a ratio that is no whole
 * number. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/random/random_source.h"
#include "backends/cpu/types.inc"
#include "base/alloc.h"

struct pooling {
    const void *from, *grad, *pooled;
    atomic_bool *is_wrong; /* set when `pooled` does not hold the maxima */
    void *to;
    double *sums;
    int64_t batch, height, width, depth, rows, columns; /* rows, columns: of the result */
    const int64_t *row_starts, *column_starts;          /* of windows, and one more: where the last ends */
    bool is_max, overlaps; /* a window that overlaps takes the first row of the next one too */
    void (*run)(const struct pooling *p, int64_t begin, int64_t end);
};
struct range {
    int64_t first, last;
};
static struct range range_of(const struct pooling *p, const int64_t *starts, int64_t i, int64_t length) {
    int64_t last = p->overlaps ? starts[i + 1] : starts[i + 1] - 1;
    return (struct range){starts[i], last < length ? last : length - 1};
}

#define TYPES (FOR_FLOAT | FOR_DOUBLE | FOR_INT32 | FOR_INT64)
#define BODY  "backends/cpu/pool/fractional_pool.inc"
#include "backends/cpu/for_types.inc"

typedef void (*pool_fn)(const struct pooling *p, int64_t begin, int64_t end);
#define POOLED(M, ...) M(FLOAT, __VA_ARGS__) M(DOUBLE, __VA_ARGS__) M(INT32, __VA_ARGS__) M(INT64, __VA_ARGS__)
static const pool_fn pools[SL_DTYPE_COUNT] = {POOLED(SL_TYPE_ENTRY, pool)};
static const pool_fn max_grads[SL_DTYPE_COUNT] = {POOLED(SL_TYPE_ENTRY, pool_max_grad)};
static const pool_fn mean_grads[SL_DTYPE_COUNT] = {POOLED(SL_TYPE_ENTRY, pool_mean_grad)};

static void pool_range(void *arg, int64_t begin, int64_t end) {
    const struct pooling *p = arg;
    p->run(p, begin, end);
}

/* ---- forward */
struct state {
    float ratio[4];
    bool is_pseudo, overlaps;
    uint64_t seed[2];
    struct sl_random_state *random; /* NULL: the same windows in every run, from the seeds */
};

static sl_code pool_create(void **state, struct sl_kernel_setup *setup) {
    struct state s = {0};
    const float *ratio;
    int n;
    int64_t seed[2];
    bool is_deterministic;
    SL_TRY(sl_attr_float_list(&ratio, &n, setup->attrs, "pooling_ratio", setup->err));
    if (n != 4) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "pooling_ratio field must specify 4 dimensions");
    for (int d = 0; d < 4; d++)
        if (!(ratio[d] >= 1))
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "pooling_ratio cannot be smaller than 1, got: %g",
                           (double)ratio[d]);
    if (ratio[0] != 1 || ratio[3] != 1)
        return sl_fail(setup->err, SL_UNIMPLEMENTED,
                       "Fractional pooling is not yet supported on the batch nor channel dimension.");
    memcpy(s.ratio, ratio, sizeof s.ratio);
    SL_TRY(sl_attr_bool(&s.is_pseudo, setup->attrs, "pseudo_random", setup->err));
    SL_TRY(sl_attr_bool(&s.overlaps, setup->attrs, "overlapping", setup->err));
    SL_TRY(sl_attr_bool(&is_deterministic, setup->attrs, "deterministic", setup->err));
    SL_TRY(sl_attr_int(&seed[0], setup->attrs, "seed", setup->err));
    SL_TRY(sl_attr_int(&seed[1], setup->attrs, "seed2", setup->err));
    if (!is_deterministic && (seed[0] || seed[1]))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Both seed and seed2 should be 0 if deterministic is false.");
    s.seed[0] = (uint64_t)seed[0];
    s.seed[1] = (uint64_t)seed[1];
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    sl_code code = !seed[0] && !seed[1] ? sl_random_new(&made->random, setup) : SL_OK;
    if (code != SL_OK) {
        sl_free(made);
        return code;
    }
    if (made->random && is_deterministic) { /* drawn once */
        struct sl_philox_words words = sl_philox_words_at(sl_random_reserve(made->random, 1));
        made->seed[0] = sl_philox_word64(&words);
        made->seed[1] = sl_philox_word64(&words);
        sl_random_destroy(made->random);
        made->random = NULL;
    }
    *state = made;
    return SL_OK;
}
static void pool_destroy(void *state) {
    struct state *s = state;
    sl_random_destroy(s->random);
    sl_free(s);
}

/* starts[0 ... out]: `out` windows over `in` elements. */
static void draw_starts(int64_t *starts, const struct state *s, int64_t in, int64_t out, struct sl_philox *source) {
    const int64_t k = in / out, more = in % out;
    struct sl_philox_words random = sl_philox_words_at(*source);
    sl_philox_skip(source, s->is_pseudo ? 1 : (uint64_t)(out + 3) / 4); /* whether they are drawn from or not */
    starts[0] = 0;
    if (more == 0) {
        for (int64_t i = 1; i <= out; i++) starts[i] = i * k;
        return;
    }
    if (s->is_pseudo) {
        const double ratio = (double)in / (double)out;
        const double a = (double)(k + 2) / ratio - 1, b = (double)(in + 1 - k) / ratio - (double)(out - 1);
        const double shift = sl_philox_double(&random) * fmin(a, b);
        for (int64_t i = 1; i < out; i++) starts[i] = (int64_t)ceil(ratio * ((double)i + shift)) - 1;
        starts[out] = in;
        return;
    }
    for (int64_t i = 0; i < out; i++) starts[i + 1] = i < more ? k + 1 : k;
    for (int64_t i = 0; i < out - 1; i++) { /* shuffled, then summed */
        int64_t j = i + (int64_t)sl_philox_below(&random, (uint32_t)(out - i)), length = starts[i + 1];
        starts[i + 1] = starts[j + 1];
        starts[j + 1] = length;
    }
    for (int64_t i = 0; i < out; i++) starts[i + 1] += starts[i];
}

static sl_code pool_run(struct sl_kernel_context *k) {
    const struct state *s = k->state;
    struct sl_view in = sl_in(k, 0), out, starts[2];
    int64_t dims[4];
    if (in.rank != 4) return sl_invalid(k, "tensor_in must be 4-dimensional");
    for (int d = 0; d < 4; d++) {
        if ((float)in.dims[d] < s->ratio[d])
            return sl_invalid(k,
                              "Pooling ratio is higher than input dimension size for dimension %d. Input dim size: "
                              "%" PRId64 " pooling ratio: %g",
                              d, in.dims[d], (double)s->ratio[d]);
        if (in.dims[d] > INT32_MAX) return sl_invalid(k, "input dimension %d must fit in 32 bits", d);
        dims[d] = (int64_t)floorf((float)in.dims[d] / s->ratio[d]);
    }
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){4, dims}));
    struct sl_philox source = s->random
                                  ? sl_random_reserve(s->random, (uint64_t)(dims[1] + dims[2]) * SL_RANDOM_BLOCKS_EACH)
                                  : sl_philox_at(s->seed[0], 0, s->seed[1]);
    for (int d = 0; d < 2; d++) {
        SL_TRY(sl_out_new(&starts[d], k, 1 + d, (struct sl_shape){1, (int64_t[]){dims[1 + d] + 1}}));
        draw_starts(starts[d].data, s, in.dims[1 + d], dims[1 + d], &source);
    }
    struct pooling p = {.from = in.data,
                        .to = out.data,
                        .batch = dims[0],
                        .height = in.dims[1],
                        .width = in.dims[2],
                        .depth = dims[3],
                        .rows = dims[1],
                        .columns = dims[2],
                        .row_starts = starts[0].data,
                        .column_starts = starts[1].data,
                        .overlaps = s->overlaps};
    p.is_max = strcmp(k->node->def->op, "FractionalMaxPool") == 0;
    p.run = pools[in.dtype];
    double each = (double)(in.dims[2] * in.dims[3]) * (double)s->ratio[1] * 1.5;
    sl_kernel_split(k, dims[0] * dims[1], each + 20, pool_range, &p);
    return SL_OK;
}

/* ---- gradients */

/* "Row sequence tensor values must not be negative, got -1  2  3": the columns as wide as the widest. */
static sl_code check_signs(struct sl_kernel_context *k, int i, const char *which) {
    struct sl_view v = sl_in(k, i);
    const int64_t *start = v.data;
    bool is_negative = false;
    int width = 0;
    char text[SL_SHAPE_TEXT];
    for (int64_t j = 0; j < v.count; j++) {
        int digits = snprintf(text, sizeof text, "%" PRId64, start[j]);
        if (digits > width) width = digits;
        is_negative |= start[j] < 0;
    }
    if (!is_negative) return SL_OK;
    size_t n = 0;
    for (int64_t j = 0; j < v.count && n < sizeof text - 32; j++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%*" PRId64, j ? " " : "", width, start[j]);
    return sl_invalid(k, "%s sequence tensor values must not be negative, got %s", which, text);
}

static sl_code read_starts(const int64_t **starts, struct sl_kernel_context *k, int i, int64_t windows, int64_t length,
                           bool must_rise, const char *what) {
    struct sl_view v = sl_in(k, i);
    if (v.rank != 1) return sl_invalid(k, "%s must be a vector%s", what, SHAPE_OF(v));
    if (v.count <= windows)
        return sl_invalid(k,
                          "Given out_backprop shape %s, %.3s_seq_tensor must have at least %" PRId64
                          " elements, but got %" PRId64,
                          SHAPE_OF(sl_in(k, must_rise ? 2 : 1)), what, windows + 1, v.count);
    *starts = v.data;
    for (int64_t j = 0; j <= windows; j++) {
        const int64_t start = (*starts)[j];
        if (start < 0 || (j < windows && start >= length) || (must_rise && j && start <= (*starts)[j - 1]))
            return sl_invalid(k, "%s must rise from 0 to the input's size: element %" PRId64 " is %" PRId64, what, j,
                              start);
    }
    return SL_OK;
}

enum { CHANNEL_BLOCK = 16 };
static void grad_blocks(void *arg, int64_t begin, int64_t end) {
    const struct pooling *p = arg;
    int64_t last = end * CHANNEL_BLOCK;
    p->run(p, begin * CHANNEL_BLOCK, last < p->depth ? last : p->depth);
}

/* `pooled` has the shape of the forward op's result; its sequences are inputs `at` and `at` + 1. */
static sl_code read_grad(struct pooling *p, struct sl_kernel_context *k, struct sl_view pooled, int at) {
    p->rows = pooled.dims[1];
    p->columns = pooled.dims[2];
    p->overlaps = sl_state_number(k) != 0;
    if (!p->pooled) SL_TRY(check_signs(k, at, "Row"));
    if (!p->pooled) SL_TRY(check_signs(k, at + 1, "Column"));
    if (pooled.dims[0] != p->batch || pooled.dims[3] != p->depth)
        return sl_invalid(k, "out_backprop must have the batch and channels of the input%s", SHAPE_OF(pooled));
    SL_TRY(read_starts(&p->row_starts, k, at, p->rows, p->height, p->pooled, "row_pooling_sequence"));
    return read_starts(&p->column_starts, k, at + 1, p->columns, p->width, p->pooled, "col_pooling_sequence");
}

static sl_code max_grad_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0), pooled = sl_in(k, 1), grad = sl_in(k, 2), out;
    if (in.rank != 4 || pooled.rank != 4) return sl_invalid(k, "orig_input and orig_output must be 4-dimensional");
    if (pooled.count != grad.count) /* its shape does not count */
        return sl_invalid(k, "out_backprop must have as many elements as orig_output%s", SHAPE_OF(grad));
    atomic_bool is_wrong = false;
    struct pooling p = {
        .from = in.data, .batch = in.dims[0], .height = in.dims[1], .width = in.dims[2], .depth = in.dims[3]};
    p.grad = grad.data;
    p.pooled = pooled.data;
    p.is_wrong = &is_wrong;
    SL_TRY(read_grad(&p, k, pooled, 3));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    memset(out.data, 0, (size_t)out.count * sl_dtype_size(out.dtype));
    if (out.count == 0 || grad.count == 0) return SL_OK;
    p.to = out.data;
    p.run = max_grads[out.dtype];
    sl_kernel_split(k, (p.depth - 1) / CHANNEL_BLOCK + 1, (double)(in.count / p.depth) * CHANNEL_BLOCK * 2, grad_blocks,
                    &p);
    if (atomic_load(&is_wrong)) return sl_invalid(k, "orig_output is not what pooling orig_input gives");
    return SL_OK;
}

static sl_code mean_grad_run(struct sl_kernel_context *k) {
    struct sl_view grad = sl_in(k, 1), out;
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    if (sl_in(k, 0).rank != 1 || sl_in(k, 0).count != 4)
        return sl_invalid(k, "original input tensor shape must be 1-dimensional and 4 elements");
    SL_TRY(sl_in_shape(&shape, dims, k, 0, "orig_input_tensor_shape"));
    if (grad.rank != 4) return sl_invalid(k, "out_backprop must be 4-dimensional");
    struct pooling p = {.batch = dims[0], .height = dims[1], .width = dims[2], .depth = dims[3]};
    p.grad = grad.data;
    SL_TRY(read_grad(&p, k, grad, 2));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (out.count == 0) return SL_OK;
    size_t bytes = (size_t)out.count * sizeof *p.sums;
    p.sums = sl_scratch_new(bytes);
    if (!p.sums) return sl_fail_memory(k->err, bytes);
    memset(p.sums, 0, bytes);
    p.to = out.data;
    p.run = mean_grads[out.dtype];
    sl_kernel_split(k, (p.depth - 1) / CHANNEL_BLOCK + 1, (double)(out.count / p.depth) * CHANNEL_BLOCK * 2,
                    grad_blocks, &p);
    sl_scratch_free(p.sums, bytes);
    return SL_OK;
}

static sl_code overlap_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "overlapping");
}

#define POOL_TYPES (SL_SET(FLOAT) | SL_SET(DOUBLE) | SL_SET(INT32) | SL_SET(INT64))
#define POOL       .run = pool_run, .create = pool_create, .destroy = pool_destroy, .cost_element = 3
/* clang-format off */
const struct sl_kernel_def sl_cpu_fractional_pool_rows[] = {
    KERNEL("FractionalAvgPool", RULE("T", POOL_TYPES), POOL)
    KERNEL("FractionalAvgPoolGrad", RULE("T", POOL_TYPES), .run = mean_grad_run, .create = overlap_create, .cost_element = 3)
    KERNEL("FractionalMaxPool", RULE("T", POOL_TYPES), POOL)
    KERNEL("FractionalMaxPoolGrad", RULE("T", POOL_TYPES), .run = max_grad_run, .create = overlap_create, .cost_element = 3)
    SL_ROWS_END
};
/* clang-format on */
