/* The gradient of a convolution by an input of few channels, which would fill only a corner of a tile: products are
 * made for a whole line of the filter, whose columns are (pixel, channel) pairs, and then added to the line of the
 * input where they belong:
 *
 *     columns [pixels, width * channels] =
 *         grad's line [pixels, out channels] x line of the filter [out channels, width * channels]
 *     in[(pixel * stride + tap * dilation - before), channel] += columns[pixel, (tap, channel)]
 *
 * An item of work is a line of the input: nobody else adds to it, and always in the same order. */
#include "backends/cpu/product/conv_methods.h"

#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/product/gemm.h"
#include "base/checked.h"

enum { Z, Y, X, BLOCK = 96 /* pixels of grad */ };

struct plan {
    const struct sl_conv_spec *c;
    const struct sl_gemm_loops *loops;
    int size;
    const char *grad;
    char *in;
    int64_t columns;         /* of a line of the filter */
    struct sl_panels panels; /* of all lines of the filter, side by side */
    int64_t panels_of_line;
    size_t room; /* bytes for a block of columns */
    atomic_bool is_out_of_memory;
};

static bool has_few_channels(const struct sl_conv_spec *c) {
    const int64_t lanes = sl_gemm_best_loops(c->is_double)->lanes;
    return c->groups == 1 && c->size[X] > 1 && c->out.channels >= 8 &&
           2 * ((c->size[X] * c->in.channels + lanes - 1) / lanes) <= c->size[X];
}

/* Adds a block of columns, `n` pixels of grad from `first` on, to a line of the input. */
#define ADD(T)                                                                                                         \
    static void add_##T(const struct plan *p, T *line, const T *columns, int64_t first, int64_t n) {                   \
        const struct sl_conv_spec *c = p->c;                                                                           \
        const int64_t channels = c->in.channels, row = p->panels_of_line * p->panels.width;                            \
        for (int64_t i = 0; i < n; i++, columns += row)                                                                \
            for (int64_t tap = 0; tap < c->size[X]; tap++) {                                                           \
                const int64_t x = (first + i) * c->stride[X] + tap * c->dilation[X] - c->before[X];                    \
                if (x < 0 || x >= c->in.space[X]) continue;                                                            \
                for (int64_t j = 0; j < channels; j++) line[x * channels + j] += columns[tap * channels + j];          \
            }                                                                                                          \
    }
ADD(float)
ADD(double)

/* What a line of grad gives to a line of the input through line `tap` of the filter. */
static void run_pair(const struct plan *p, char *line, const char *grad, int64_t tap, char *room) {
    const struct sl_conv_spec *c = p->c;
    const int64_t row = p->panels_of_line * p->panels.width;
    struct sl_gemm_tile t = {.loops = p->loops, .size = p->size, .c_row = row};
    const void *pointers[SL_TILE_ROWS];
    for (int64_t first = 0; first < c->out.space[X]; first += BLOCK) {
        const int64_t n = c->out.space[X] - first < BLOCK ? c->out.space[X] - first : BLOCK;
        for (int64_t j = 0; j < p->panels_of_line; j++) {
            const int64_t panel = tap * p->panels_of_line + j;
            t.b = sl_panel(&p->panels, panel);
            t.vectors = (int)(p->panels.width / p->loops->lanes);
            t.b_k = t.columns = p->panels.width;
            for (int64_t i = 0; i < n; i += t.rows) {
                t.rows = n - i < p->loops->rows_most ? (int)(n - i) : p->loops->rows_most;
                for (int r = 0; r < t.rows; r++) pointers[r] = grad + (first + i + r) * c->out.channels * p->size;
                t.c = room + (i * row + j * p->panels.width) * p->size;
                sl_gemm_tile_rows(&t, 1, c->out.channels, pointers, 0);
            }
        }
        if (c->is_double) add_double(p, (double *)(void *)line, (const double *)(const void *)room, first, n);
        else add_float(p, (float *)(void *)line, (const float *)(const void *)room, first, n);
    }
}

/* The line of grad that tap `tap` joins to line `at` of the input along dim d; -1: none. */
static int64_t partner(const struct sl_conv_spec *c, int d, int64_t at, int64_t tap) {
    const int64_t distance = at + c->before[d] - tap * c->dilation[d];
    if (distance < 0 || distance % c->stride[d] != 0 || distance / c->stride[d] >= c->out.space[d]) return -1;
    return distance / c->stride[d];
}

/* Items: lines of the input. */
static void run_lines(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    const struct sl_conv_spec *c = p->c;
    char *room = sl_scratch_new(p->room);
    if (!room) {
        atomic_store(&p->is_out_of_memory, true);
        return;
    }
    const int64_t line = c->in.space[X] * c->in.channels * p->size, *out = c->out.space;
    for (int64_t i = begin; i < end; i++) {
        const int64_t y = i % c->in.space[Y], plane = i / c->in.space[Y], z = plane % c->in.space[Z];
        memset(p->in + i * line, 0, (size_t)line);
        for (int64_t tap = 0; tap < c->size[Z] * c->size[Y]; tap++) {
            const int64_t out_z = partner(c, Z, z, tap / c->size[Y]), out_y = partner(c, Y, y, tap % c->size[Y]);
            if (out_z < 0 || out_y < 0) continue;
            const int64_t from = ((plane / c->in.space[Z] * out[Z] + out_z) * out[Y] + out_y) * out[X];
            run_pair(p, p->in + i * line, p->grad + from * c->out.channels * p->size, tap, room);
        }
    }
    sl_scratch_free(room, p->room);
}

/* Each line of the filter has panels of its own. */
static void pack(const struct plan *p, const char *filter) {
    const int64_t channels = p->c->out.channels, width = p->panels.width;
    for (int64_t i = 0; i < p->panels.count; i++) {
        const int64_t tap = i / p->panels_of_line, first = i % p->panels_of_line * width;
        const int64_t n = p->columns - first < width ? p->columns - first : width;
        p->loops->pack_lines(sl_panel(&p->panels, i), width, filter + (tap * p->columns + first) * channels * p->size,
                             1, channels, n, channels);
    }
}

static sl_code input_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                          const struct sl_conv_data *data) {
    (void)is_done;
    struct plan p = {.c = c,
                     .loops = sl_gemm_best_loops(c->is_double),
                     .size = c->is_double ? 8 : 4,
                     .grad = data->out,
                     .in = data->in,
                     .columns = c->size[X] * c->in.channels};
    const int64_t lines = c->in.batch * c->in.space[Z] * c->in.space[Y], taps = c->size[Z] * c->size[Y];
    const int vectors = p.columns > p.loops->lanes ? 2 : 1;
    int64_t columns;
    p.panels_of_line = (p.columns + vectors * p.loops->lanes - 1) / (vectors * p.loops->lanes);
    if (!sl_mul_i64(&columns, p.panels_of_line * vectors * p.loops->lanes, taps))
        return sl_fail_memory(k->err, SIZE_MAX);
    const size_t bytes = sl_panels_init(&p.panels, p.loops, p.size, columns, c->out.channels, vectors);
    p.room = (size_t)(BLOCK * p.panels_of_line * p.panels.width * p.size);
    p.panels.data = bytes ? sl_scratch_new(bytes) : NULL;
    if (!p.panels.data) return sl_fail_memory(k->err, bytes);
    pack(&p, data->filter);
    const double ns = sl_gemm_ns(c->out.space[X], columns, c->out.channels) / (double)(c->stride[Z] * c->stride[Y]);
    sl_kernel_split(k, lines, ns + 100, run_lines, &p);
    sl_scratch_free(p.panels.data, bytes);
    return atomic_load(&p.is_out_of_memory) ? sl_fail_memory(k->err, p.room) : SL_OK;
}
const struct sl_conv_method sl_conv_input_grad_by_lines = {"lines", has_few_channels, NULL, input_grad};
