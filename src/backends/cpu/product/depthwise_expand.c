/* Work is cut into bands of lines of the result. A thread keeps the lines between that its band sees in a window:
 *
 *     lines of the result     ... y-1 | y   y+1 ... | ...                   the next ones that the window is enough for
 *     window                        low ............ low + held | ...       made by the first convolution
 *
 * When the window is used up, the lines that are still seen move to its begin and those behind them are made. Bands
 * of one image make the lines twice that both see, so an image is cut for several threads alone. */
#include "backends/cpu/product/depthwise_expand.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/indices.h"
#include "backends/cpu/product/depthwise.h"
#include "base/checked.h"
#include "os/pool.h"

enum {
    WHOLE_BYTES = 1 << 20,  /* what is between, of all images: no more is made as a whole */
    WINDOW_BYTES = 1 << 18, /* about */
    LEAST_LINES = 4,        /* of the result, that a window is enough for */
    LEAST_BAND = 16,        /* lines of the result */
    Y = 1
};

sl_code sl_expand_init(struct sl_expand *e, struct sl_kernel_setup *setup) {
    static const char *const names[][2] = {{"fused_ops", "_expand_fused_ops"},
                                           {"epsilon", "_expand_epsilon"},
                                           {"leakyrelu_alpha", "_expand_leakyrelu_alpha"}};
    enum { N = sizeof names / sizeof *names };
    struct sl_attr items[N];
    const struct sl_attrs attrs = {items, N};
    int64_t args;
    *e = (struct sl_expand){.args = 0};
    sl_packing_init(&e->packing);
    sl_packing_init(&e->kept.packing);
    if (!(setup->def->flags & SL_KERNEL_OWN) || !sl_attr_find(setup->attrs, SL_STR("_expand_args"))) return SL_OK;
    SL_TRY(sl_attr_int(&args, setup->attrs, "_expand_args", setup->err));
    if (args < 1 || args > setup->n_in - 2)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_expand_args must be some of the inputs, got %" PRId64, args);
    for (int i = 0; i < N; i++) {
        items[i] = (struct sl_attr){.name = sl_str_of(names[i][0]),
                                    .value = sl_attr_find(setup->attrs, sl_str_of(names[i][1]))};
        if (!items[i].value) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "There is no attr %s", names[i][1]);
    }
    struct sl_kernel_setup inner = *setup;
    inner.attrs = &attrs;
    SL_TRY(sl_fused_ops_read(&e->fused, &inner, "Conv2D", (int)args - 1));
    if (e->fused.adds_side || setup->in_types[0] != SL_FLOAT)
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "What is expanded is float, and nothing is added to it");
    e->args = (int)args;
    const int filter = setup->n_in - e->args;
    e->has_constant_filter = filter < 64 && setup->constant_in >> filter & 1;
    sl_fused_kept_init(&e->kept, &e->fused, setup, filter + 1);
    return SL_OK;
}

void sl_expand_clear(struct sl_expand *e) {
    sl_packing_clear(&e->packing);
    sl_fused_kept_clear(&e->kept);
}

sl_code sl_expand_plan(struct sl_conv_spec *c, struct sl_kernel_context *k, struct sl_shape in, int first) {
    struct sl_view filter = sl_in(k, first);
    char text[SL_SHAPE_TEXT];
    if (in.rank != 4) return sl_invalid(k, "Conv2D: input must be 4-dimensional: %s", sl_shape_text(text, in));
    if (filter.rank != 4 || filter.count == 0 || filter.dims[0] != 1 || filter.dims[1] != 1)
        return sl_invalid(k, "Conv2D: filter must be of one pixel: %s", SHAPE_OF(filter));
    const int64_t depth = filter.dims[2], channels = in.dims[3], out_channels = filter.dims[3];
    if (channels == 0 || channels % depth != 0)
        return sl_invalid(k, "input depth must be evenly divisible by filter depth: %" PRId64 " vs %" PRId64, channels,
                          depth);
    *c = (struct sl_conv_spec){.groups = channels / depth,
                               .in = {in.dims[0], {1, in.dims[1], in.dims[2]}, channels},
                               .size = {1, 1, 1},
                               .stride = {1, 1, 1},
                               .dilation = {1, 1, 1}};
    if (out_channels % c->groups != 0)
        return sl_invalid(k, "output depth must be evenly divisible by number of groups: %" PRId64 " vs %" PRId64,
                          out_channels, c->groups);
    c->out = c->in;
    c->out.channels = out_channels;
    return SL_OK;
}

/* ---- running */
struct plan {
    const struct sl_conv_spec *first, *second;
    struct sl_expand_data data;
    int64_t in_line, line, out_line; /* bytes of a line of each image */
    int64_t bytes;                   /* of all that is between */
    int64_t window, band, bands;     /* lines of the window and of a band; bands of an image */
    atomic_bool is_out_of_memory;
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Lines [*begin, *end) of what is between that a line of the result sees. */
static void find_seen(int64_t *begin, int64_t *end, const struct sl_conv_spec *c, int64_t y) {
    const int64_t at = y * c->stride[Y] - c->before[Y];
    *begin = smaller(larger(at, 0), c->in.space[Y]);
    *end = larger(smaller(at + (c->size[Y] - 1) * c->dilation[Y] + 1, c->in.space[Y]), *begin);
}

/* Lines [y, last) of the result of an image, on this thread alone. */
static sl_code run_band(const struct plan *p, struct sl_kernel_context *k, char *window, int64_t image, int64_t y,
                        int64_t last) {
    struct sl_conv_spec first = *p->first, second = *p->second;
    const int64_t height = second.in.space[Y];
    const char *in = (const char *)p->data.in + image * height * p->in_line;
    char *out = (char *)p->data.out + image * second.out.space[Y] * p->out_line;
    int64_t low = 0, high = 0, begin, end; /* lines in the window; those that are seen */
    first.in.batch = first.out.batch = second.in.batch = second.out.batch = 1;
    while (y < last) {
        find_seen(&begin, &end, &second, y);
        if (begin < high && begin > low)
            memmove(window, window + (begin - low) * p->line, (size_t)((high - begin) * p->line));
        low = begin;
        if (high < low) high = low;
        find_seen(&begin, &end, &second, last - 1);
        end = larger(smaller(smaller(low + p->window, end), height), high);
        if (end > high) {
            first.in.space[Y] = first.out.space[Y] = end - high;
            SL_TRY(sl_conv_forward(k, &first, in + high * p->in_line, p->data.filter, window + (high - low) * p->line));
            high = end;
        }
        const int64_t from = y;
        for (; y < last; y++) {
            find_seen(&begin, &end, &second, y);
            if (end > high) break;
        }
        const uintptr_t line_0 = (uintptr_t)window - (uintptr_t)(low * p->line); /* where that would be */
        SL_TRY(sl_depthwise_lines(k, &second, (const void *)line_0, p->data.depthwise_filter, out, from, y));
    }
    return SL_OK;
}

static void run_bands(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    struct sl_error err = {0};
    struct sl_step_env alone = {.pool = NULL};
    struct sl_kernel_context k = {.env = &alone, .err = &err};
    const size_t bytes = (size_t)(p->window * p->line);
    char *window = sl_scratch_new(bytes);
    bool is_done = window != NULL;
    for (int64_t i = begin; i < end && is_done; i++) {
        const int64_t y = i % p->bands * p->band;
        is_done = run_band(p, &k, window, i / p->bands, y, smaller(y + p->band, p->second->out.space[Y])) == SL_OK;
    }
    sl_scratch_free(window, bytes);
    if (!is_done) atomic_store(&p->is_out_of_memory, true);
}

/* How an image is cut into bands; false: what is between is better made as a whole. */
static bool cut_bands(struct plan *p, const struct sl_kernel_context *k) {
    const struct sl_conv_spec *second = p->second;
    const int64_t threads = k->env->pool ? sl_pool_threads(k->env->pool) : 1, lines = second->out.space[Y];
    const int64_t seen = (second->size[Y] - 1) * second->dilation[Y] + 1, images = second->in.batch;
    if (p->first->rounds || seen > second->in.space[Y] || p->bytes <= WHOLE_BYTES) return false;
    p->band = larger(LEAST_BAND, (lines * images + 2 * threads - 1) / (2 * threads));
    if (threads == 1 || p->band > lines) p->band = lines;
    p->bands = (lines + p->band - 1) / p->band;
    p->window = larger(WINDOW_BYTES / p->line, seen + (LEAST_LINES - 1) * second->stride[Y]);
    p->window = smaller(p->window, second->in.space[Y]);
    return p->bands * images >= threads;
}

static sl_code run_whole(struct sl_kernel_context *k, const struct plan *p) {
    const size_t bytes = (size_t)p->bytes + 1;
    char *between = sl_scratch_new(bytes);
    if (!between) return sl_fail_memory(k->err, bytes);
    sl_code code = sl_conv_forward(k, p->first, p->data.in, p->data.filter, between);
    if (code == SL_OK) code = sl_depthwise_forward(k, p->second, between, p->data.depthwise_filter, p->data.out);
    sl_scratch_free(between, bytes);
    return code;
}

sl_code sl_expand_run(struct sl_kernel_context *k, const struct sl_conv_spec *first, const struct sl_conv_spec *second,
                      const struct sl_expand_data *data) {
    struct plan p = {.first = first, .second = second, .data = *data};
    if (!sl_mul_i64(&p.line, second->in.space[2], second->in.channels * (int64_t)sizeof(float)) ||
        !sl_mul_i64(&p.bytes, p.line, second->in.space[Y]) || !sl_mul_i64(&p.bytes, p.bytes, second->in.batch))
        return sl_fail_memory(k->err, SIZE_MAX);
    p.in_line = first->in.space[2] * first->in.channels * (int64_t)sizeof(float);
    p.out_line = second->out.space[2] * second->out.channels * (int64_t)sizeof(float);
    if (!cut_bands(&p, k)) return run_whole(k, &p);
    const double ns =
        (double)(p.band * second->stride[Y] * p.line / (int64_t)sizeof(float)) * ((double)first->in.channels / 40 + 1);
    sl_kernel_split(k, p.bands * second->in.batch, ns, run_bands, &p);
    return atomic_load(&p.is_out_of_memory) ? sl_fail_memory(k->err, (size_t)(p.window * p.line)) : SL_OK;
}
