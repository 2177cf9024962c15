/* How batch normalisation goes over rows of channels. Few channels are made many by putting rows side by side:
 * `groups` of them form a wide row, vectors are repeated as often. Wide rows are cut in tiles of columns and chunks
 * of rows, by sizes alone; chunks have sums of their own, added up in order. */
#include "backends/cpu/norm/norm.h"

#include <string.h>

#include "backends/cpu/norm/norm_loops.h"
#include "base/checked.h"

enum { WIDE = 128, CHUNK_ELEMENTS = 1 << 15, CHUNKS = 64, VECTORS = 4 };

struct plan {
    const struct sl_norm_loops *loops;
    const struct sl_norm *n;
    int64_t size, groups, width, wide_rows, rest; /* rest: rows after the wide ones */
    int64_t tiles, chunks, chunk_rows;
    char *vector[VECTORS]; /* of the type computed in, `width` elements each */
    double *sums[2];       /* [chunk][width] */
    const void *x, *g;
    bool has_factor; /* of the products: vector 1 */
    void *y;
    void *room;
    size_t bytes;
};

static sl_code plan_init(struct plan *p, struct sl_kernel_context *k, const struct sl_norm *n, int sums) {
    *p = (struct plan){.n = n, .size = n->is_double ? 8 : 4};
    p->loops = SL_ISA_PICK(sl_norm_loops)(n->is_double);
    p->groups = n->channels > 0 && n->channels < WIDE / 2 && !sl_norm_is_in_order(n) ? WIDE / n->channels : 1;
    p->width = p->groups * n->channels;
    p->wide_rows = n->rows / p->groups;
    p->rest = n->rows - p->wide_rows * p->groups;
    p->tiles = (p->width + SL_NORM_TILE - 1) / SL_NORM_TILE;
    p->chunks = p->wide_rows * (p->width < SL_NORM_TILE ? p->width : SL_NORM_TILE) / CHUNK_ELEMENTS + 1;
    if (p->chunks > CHUNKS) p->chunks = CHUNKS;
    p->chunk_rows = (p->wide_rows + p->chunks - 1) / p->chunks;
    int64_t vectors = VECTORS * p->width, doubles = (int64_t)sums * p->chunks * p->width, bytes;
    if (!sl_mul_i64(&bytes, vectors + doubles, (int64_t)sizeof(double))) return sl_fail_memory(k->err, SIZE_MAX);
    p->bytes = (size_t)bytes + 1;
    p->room = sl_scratch_new(p->bytes);
    if (!p->room) return sl_fail_memory(k->err, p->bytes);
    for (int i = 0; i < VECTORS; i++) p->vector[i] = (char *)p->room + i * p->width * p->size;
    for (int i = 0; i < sums; i++) p->sums[i] = (double *)p->room + vectors + i * p->chunks * p->width;
    memset((double *)p->room + vectors, 0, (size_t)doubles * sizeof(double));
    return SL_OK;
}

/* Sets vector i from one value for each channel. */
static void repeat(struct plan *p, int i, const double *from) {
    int64_t channels = p->n->channels;
    for (int64_t j = 0; j < p->width; j++) {
        if (p->size == 8) ((double *)(void *)p->vector[i])[j] = from[j % channels];
        else ((float *)(void *)p->vector[i])[j] = (float)from[j % channels];
    }
}

/* A tile of columns in a chunk of wide rows; the last chunk has the rows that are left over, too, as a short wide
 * row. */
struct part {
    int64_t column, columns, first, rows, chunk;
    bool has_rest;
};
static struct part part_of(const struct plan *p, int64_t item) {
    struct part a = {.chunk = item / p->tiles, .column = item % p->tiles * SL_NORM_TILE};
    a.columns = p->width - a.column < SL_NORM_TILE ? p->width - a.column : SL_NORM_TILE;
    a.first = a.chunk * p->chunk_rows;
    a.rows = p->wide_rows - a.first < p->chunk_rows ? p->wide_rows - a.first : p->chunk_rows;
    if (a.rows < 0) a.rows = 0;
    a.has_rest = a.chunk == p->chunks - 1 && p->rest > 0;
    return a;
}
static const char *at(const struct plan *p, const void *base, int64_t row, int64_t column) {
    return (const char *)base + (row * p->width + column) * p->size;
}
static const char *vector_at(const struct plan *p, int i, int64_t column) { return p->vector[i] + column * p->size; }

typedef void (*step_fn)(const struct plan *p, int64_t chunk, int64_t row, int64_t rows, int64_t column,
                        int64_t columns);

struct run {
    const struct plan *p;
    step_fn step;
};
static void run_items(void *arg, int64_t begin, int64_t end) {
    const struct run *r = arg;
    for (int64_t item = begin; item < end; item++) {
        struct part a = part_of(r->p, item);
        if (a.rows > 0) r->step(r->p, a.chunk, a.first, a.rows, a.column, a.columns);
        if (a.has_rest && a.column == 0) /* only few channels have a rest: one tile */
            r->step(r->p, a.chunk, r->p->wide_rows, 1, 0, r->p->rest * r->p->n->channels);
    }
}
static void run(struct sl_kernel_context *k, const struct plan *p, step_fn step) {
    struct run r = {p, step};
    int64_t columns = p->width < SL_NORM_TILE ? p->width : SL_NORM_TILE;
    sl_kernel_split(k, p->chunks * p->tiles, (double)(p->chunk_rows * columns) * 0.4 + 50, run_items, &r);
}

/* Adds up sums of chunks and groups. */
static void total(const struct plan *p, int i, double *to, double factor) {
    int64_t channels = p->n->channels;
    for (int64_t c = 0; c < channels; c++) to[c] = 0;
    for (int64_t chunk = 0; chunk < p->chunks; chunk++)
        for (int64_t group = 0; group < p->groups; group++)
            for (int64_t c = 0; c < channels; c++) to[c] += p->sums[i][chunk * p->width + group * channels + c];
    for (int64_t c = 0; c < channels; c++) to[c] = sl_norm_round(p->n, to[c] * factor);
}

static void sum_step(const struct plan *p, int64_t chunk, int64_t row, int64_t rows, int64_t column, int64_t columns) {
    p->loops->moments(p->sums[0] + chunk * p->width + column, NULL, at(p, p->x, row, column), NULL, rows, p->width,
                      columns);
}
static void squares_step(const struct plan *p, int64_t chunk, int64_t row, int64_t rows, int64_t column,
                         int64_t columns) {
    p->loops->moments(NULL, p->sums[1] + chunk * p->width + column, at(p, p->x, row, column), vector_at(p, 0, column),
                      rows, p->width, columns);
}

sl_code sl_norm_moments(struct sl_kernel_context *k, const struct sl_norm *n, const void *x, double *mean,
                        double *variance) {
    struct plan p;
    SL_TRY(plan_init(&p, k, n, 2));
    p.x = x;
    run(k, &p, sum_step);
    total(&p, 0, mean, sl_norm_share(n));
    repeat(&p, 0, mean);
    run(k, &p, squares_step);
    total(&p, 1, variance, sl_norm_share(n));
    sl_scratch_free(p.room, p.bytes);
    return SL_OK;
}

static void products_step(const struct plan *p, int64_t chunk, int64_t row, int64_t rows, int64_t column,
                          int64_t columns) {
    int64_t sums = chunk * p->width + column;
    p->loops->products(p->sums[0] + sums, p->sums[1] + sums, at(p, p->g, row, column), at(p, p->x, row, column),
                       vector_at(p, 0, column), p->has_factor ? vector_at(p, 1, column) : NULL, rows, p->width,
                       columns);
}

sl_code sl_norm_products(struct sl_kernel_context *k, const struct sl_norm *n, const void *g, const void *x,
                         const double *mean, const double *factor, double *sum, double *products) {
    struct plan p;
    SL_TRY(plan_init(&p, k, n, 2));
    p.x = x;
    p.g = g;
    repeat(&p, 0, mean);
    p.has_factor = factor != NULL;
    if (factor) repeat(&p, 1, factor);
    run(k, &p, products_step);
    total(&p, 0, sum, 1);
    total(&p, 1, products, 1);
    sl_scratch_free(p.room, p.bytes);
    return SL_OK;
}

static void apply_step(const struct plan *p, int64_t chunk, int64_t row, int64_t rows, int64_t column,
                       int64_t columns) {
    (void)chunk;
    p->loops->apply((char *)p->y + (row * p->width + column) * p->size, at(p, p->x, row, column),
                    vector_at(p, 0, column), vector_at(p, 1, column), vector_at(p, 2, column), rows, p->width, columns);
}

sl_code sl_norm_apply(struct sl_kernel_context *k, const struct sl_norm *n, void *y, const void *x, const double *mean,
                      const double *scale, const double *offset) {
    struct plan p;
    SL_TRY(plan_init(&p, k, n, 0));
    p.x = x;
    p.y = y;
    repeat(&p, 0, mean);
    repeat(&p, 1, scale);
    repeat(&p, 2, offset);
    run(k, &p, apply_step);
    sl_scratch_free(p.room, p.bytes);
    return SL_OK;
}

static void backward_step(const struct plan *p, int64_t chunk, int64_t row, int64_t rows, int64_t column,
                          int64_t columns) {
    (void)chunk;
    p->loops->backward((char *)p->y + (row * p->width + column) * p->size, at(p, p->g, row, column),
                       at(p, p->x, row, column), vector_at(p, 0, column), vector_at(p, 1, column),
                       vector_at(p, 2, column), vector_at(p, 3, column), rows, p->width, columns);
}

sl_code sl_norm_backward(struct sl_kernel_context *k, const struct sl_norm *n, void *y, const void *g, const void *x,
                         const double *mean, const double *scale, const double *part, const double *slope) {
    struct plan p;
    SL_TRY(plan_init(&p, k, n, 0));
    p.x = x;
    p.g = g;
    p.y = y;
    repeat(&p, 0, mean);
    repeat(&p, 1, scale);
    repeat(&p, 2, part);
    repeat(&p, 3, slope);
    run(k, &p, backward_step);
    sl_scratch_free(p.room, p.bytes);
    return SL_OK;
}
