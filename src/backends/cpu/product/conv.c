/* Convolutions by taps, and those that are one matrix product. A tap is one point of the filter, a matrix of
 * channels by channels. The gradient by the input is a convolution of the output's gradient, too; with strides it
 * falls apart into one for each phase, the input points that are alike modulo the stride, each with the taps that
 * can reach them. Nothing is multiplied by zeros that padding did not make. */
#include "backends/cpu/product/conv.h"

#include <string.h>

#include "backends/cpu/product/conv_methods.h"
#include "backends/cpu/product/conv_taps.h"
#include "base/checked.h"

enum { MERGED = 96 }; /* most elements of a tap of several pixels */

/* What one group needs besides the plan of its taps. */
struct work {
    const struct sl_conv_spec *c;
    struct sl_kernel_context *k;
    struct sl_taps t;
    int64_t (*offset)[SL_SPACE];
    int64_t *filter_point; /* of each tap */
    size_t offset_bytes, panel_bytes;
    const char *filter;
    int64_t group;
    bool is_transposed;         /* taps map channels of out to channels of in */
    struct sl_packing *packing; /* of the only group; NULL: none */
    bool is_kept;               /* the panels are the packing's */
};

static int64_t volume(const int64_t size[SL_SPACE]) { return size[0] * size[1] * size[2]; }

static sl_code work_init(struct work *w, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                         const void *filter) {
    int64_t taps = volume(c->size), bytes;
    *w = (struct work){.c = c, .k = k, .filter = filter};
    w->t.loops = sl_gemm_best_loops(c->is_double);
    w->t.size = c->is_double ? 8 : 4;
    if (!sl_mul_i64(&bytes, taps, (SL_SPACE + 1) * (int64_t)sizeof(int64_t))) return sl_fail_memory(k->err, SIZE_MAX);
    w->offset_bytes = (size_t)bytes;
    w->offset = sl_scratch_new(w->offset_bytes);
    if (!w->offset) return sl_fail_memory(k->err, w->offset_bytes);
    w->filter_point = (int64_t *)(void *)(w->offset + taps);
    w->t.offset = (const int64_t(*)[SL_SPACE])w->offset;
    return SL_OK;
}
static void work_free(struct work *w) {
    sl_scratch_free(w->offset, w->offset_bytes);
    if (!w->is_kept) sl_packing_put(w->packing, w->k, SL_PACKING_TAPS, w->t.panels.data, w->panel_bytes);
}

/* Items: panels. */
static void pack_panels(void *arg, int64_t begin, int64_t end) {
    const struct work *w = arg;
    const struct sl_conv_spec *c = w->c;
    const struct sl_panels *p = &w->t.panels;
    int64_t in_channels = c->in.channels / c->groups, out_channels = c->out.channels / c->groups;
    for (int64_t i = begin; i < end; i++) {
        int64_t columns = sl_panel_columns(p, i), width = (int64_t)sl_panel_vectors(p, i) * p->lanes;
        for (int64_t q = 0; q < w->t.count; q++) {
            char *to = sl_panel(p, i) + q * w->t.run * width * p->size;
            const char *from =
                w->filter + (w->filter_point[q] * in_channels * c->out.channels + w->group * out_channels) * p->size;
            if (w->is_transposed)
                w->t.loops->pack_lines(to, width, from + i * p->width * c->out.channels * p->size, 1, c->out.channels,
                                       columns, w->t.run);
            else w->t.loops->pack_columns(to, width, from + i * p->width * p->size, c->out.channels, columns, w->t.run);
        }
    }
}

/* Packs the matrices of the taps for the group. */
static sl_code pack(struct work *w, int64_t columns) {
    sl_scratch_free(w->t.panels.data, w->panel_bytes);
    int vectors = columns > 2 * w->t.loops->lanes || columns > w->t.loops->lanes ? 2 : 1;
    size_t bytes = sl_panels_init(&w->t.panels, w->t.loops, w->t.size, columns, w->t.count * w->t.run, vectors);
    w->panel_bytes = bytes ? bytes : 1;
    w->t.panels.data = sl_packing_get(w->packing, SL_PACKING_TAPS, w->panel_bytes);
    w->is_kept = w->t.panels.data != NULL;
    if (w->is_kept) return SL_OK;
    w->t.panels.data = sl_scratch_new(w->panel_bytes);
    if (!w->t.panels.data) return sl_fail_memory(w->k->err, bytes);
    sl_kernel_split(w->k, w->t.panels.count, (double)(w->t.count * w->t.run * w->t.panels.width) * 0.5, pack_panels, w);
    return SL_OK;
}

/* ---- forward */
bool sl_conv_has_one_tap(const struct sl_conv_spec *c) {
    for (int d = 0; d < SL_SPACE; d++)
        if (c->size[d] != 1 || c->before[d] != 0) return false;
    return c->groups == 1;
}
static bool is_product(const struct sl_conv_spec *c) {
    for (int d = 0; d < SL_SPACE; d++)
        if (c->stride[d] != 1 || c->in.space[d] != c->out.space[d]) return false;
    return sl_conv_has_one_tap(c);
}

/* Taps one behind the other on a line are one of several pixels where there are few channels: its elements follow
 * each other. */
static void take_all_taps(struct work *w) {
    const struct sl_conv_spec *c = w->c;
    const bool merges = c->groups == 1 && c->dilation[2] == 1 && c->in.channels * c->size[2] <= MERGED;
    int64_t q = 0;
    w->t.width = merges ? c->size[2] : 1;
    w->t.run *= w->t.width;
    for (int64_t z = 0; z < c->size[0]; z++)
        for (int64_t y = 0; y < c->size[1]; y++)
            for (int64_t x = 0; x < c->size[2]; x += w->t.width, q++) {
                int64_t at[SL_SPACE] = {z, y, x};
                for (int d = 0; d < SL_SPACE; d++) w->offset[q][d] = at[d] * c->dilation[d] - c->before[d];
                w->filter_point[q] = q * w->t.width;
            }
    w->t.count = q;
}

bool sl_conv_is_depthwise(const struct sl_conv_spec *c) {
    const bool is_flat = c->in.space[0] == 1 && c->size[0] == 1 && c->out.space[0] == 1;
    return is_flat && c->groups > 1 && c->groups == c->in.channels;
}

/* A constant filter is packed by taps, and kept. */
static bool is_packed_anew(const struct sl_conv_spec *c) { return !c->packing; }

static sl_code forward_by_product(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                  const struct sl_conv_data *data) {
    (void)is_done;
    struct sl_gemm g = {.is_double = c->is_double,
                        .m = c->out.batch * sl_image_points(&c->out),
                        .n = c->out.channels,
                        .k = c->in.channels,
                        .a = data->in,
                        .a_row = c->in.channels,
                        .a_k = 1,
                        .b = data->filter,
                        .b_k = c->out.channels,
                        .b_column = 1,
                        .c = data->out,
                        .c_row = c->out.channels,
                        .epilogue = c->epilogue};
    return sl_gemm_run(k, &g, k->err);
}
const struct sl_conv_method sl_conv_forward_by_product = {"product", is_product, is_packed_anew, forward_by_product};

static sl_code forward_by_taps(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                               const struct sl_conv_data *data) {
    (void)is_done;
    int64_t in_channels = c->in.channels / c->groups, out_channels = c->out.channels / c->groups;
    struct work w;
    SL_TRY(work_init(&w, k, c, data->filter));
    w.t.in = data->in;
    w.t.in_image = c->in;
    w.t.run = in_channels;
    w.t.out = data->out;
    w.t.out_image = c->out;
    w.t.epilogue = c->epilogue;
    w.packing = c->groups == 1 ? c->packing : NULL;
    for (int d = 0; d < SL_SPACE; d++) {
        w.t.grid[d] = c->out.space[d];
        w.t.step[d] = c->stride[d];
        w.t.out_step[d] = 1;
    }
    if (is_product(c)) { /* all pixels are one line */
        const int64_t points = c->out.batch * sl_image_points(&c->out);
        w.t.in_image = (struct sl_image){.batch = 1, .space = {1, 1, points}, .channels = c->in.channels};
        w.t.out_image = (struct sl_image){.batch = 1, .space = {1, 1, points}, .channels = c->out.channels};
        memcpy(w.t.grid, w.t.out_image.space, sizeof w.t.grid);
    }
    take_all_taps(&w);
    sl_code code = SL_OK;
    for (w.group = 0; w.group < c->groups && code == SL_OK; w.group++) {
        w.t.in_channel = w.group * in_channels;
        w.t.out_channel = w.group * out_channels;
        code = pack(&w, out_channels);
        if (code == SL_OK) code = sl_taps_run(k, &w.t);
    }
    work_free(&w);
    return code;
}
const struct sl_conv_method sl_conv_forward_by_taps = {.name = "taps", .run = forward_by_taps};

/* ---- gradient by the input */
static sl_code input_grad_by_product(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                     const struct sl_conv_data *data) {
    (void)is_done;
    struct sl_gemm g = {.is_double = c->is_double,
                        .m = c->out.batch * sl_image_points(&c->out),
                        .n = c->in.channels,
                        .k = c->out.channels,
                        .a = data->out,
                        .a_row = c->out.channels,
                        .a_k = 1,
                        .b = data->filter,
                        .b_k = 1,
                        .b_column = c->out.channels,
                        .c = data->in,
                        .c_row = c->in.channels};
    return sl_gemm_run(k, &g, k->err);
}
const struct sl_conv_method sl_conv_input_grad_by_product = {"product", is_product, NULL, input_grad_by_product};

/* The taps that reach input points equal to `phase` modulo the stride. */
static void take_taps_of_phase(struct work *w, const int64_t phase[SL_SPACE]) {
    const struct sl_conv_spec *c = w->c;
    int64_t point = 0;
    w->t.count = 0;
    for (int64_t z = 0; z < c->size[0]; z++)
        for (int64_t y = 0; y < c->size[1]; y++)
            for (int64_t x = 0; x < c->size[2]; x++, point++) {
                int64_t at[SL_SPACE] = {z, y, x}, *offset = w->offset[w->t.count];
                bool reaches = true;
                for (int d = 0; d < SL_SPACE; d++) {
                    int64_t distance = phase[d] + c->before[d] - at[d] * c->dilation[d];
                    reaches = reaches && distance % c->stride[d] == 0;
                    offset[d] = distance / c->stride[d];
                }
                if (!reaches) continue;
                w->filter_point[w->t.count++] = point;
            }
}

static sl_code run_phase(struct work *w, const int64_t phase[SL_SPACE]) {
    const struct sl_conv_spec *c = w->c;
    int64_t in_channels = c->in.channels / c->groups, out_channels = c->out.channels / c->groups;
    take_taps_of_phase(w, phase);
    for (int d = 0; d < SL_SPACE; d++) {
        w->t.out_first[d] = phase[d];
        w->t.grid[d] = (c->in.space[d] - phase[d] + c->stride[d] - 1) / c->stride[d];
    }
    for (w->group = 0; w->group < c->groups; w->group++) {
        w->t.in_channel = w->group * out_channels;
        w->t.out_channel = w->group * in_channels;
        SL_TRY(pack(w, in_channels));
        SL_TRY(sl_taps_run(w->k, &w->t));
    }
    return SL_OK;
}

static sl_code input_grad_by_taps(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                                  const struct sl_conv_data *data) {
    (void)is_done;
    struct work w;
    SL_TRY(work_init(&w, k, c, data->filter));
    w.is_transposed = true;
    w.t.in = data->out;
    w.t.in_image = c->out;
    w.t.width = 1;
    w.t.run = c->out.channels / c->groups;
    w.t.out = data->in;
    w.t.out_image = c->in;
    for (int d = 0; d < SL_SPACE; d++) {
        w.t.step[d] = 1;
        w.t.out_step[d] = c->stride[d];
    }
    sl_code code = SL_OK;
    int64_t phase[SL_SPACE], end[SL_SPACE];
    for (int d = 0; d < SL_SPACE; d++) end[d] = c->stride[d] < c->in.space[d] ? c->stride[d] : c->in.space[d];
    for (phase[0] = 0; phase[0] < end[0]; phase[0]++)
        for (phase[1] = 0; phase[1] < end[1]; phase[1]++)
            for (phase[2] = 0; phase[2] < end[2] && code == SL_OK; phase[2]++) code = run_phase(&w, phase);
    work_free(&w);
    return code;
}
const struct sl_conv_method sl_conv_input_grad_by_taps = {.name = "taps", .run = input_grad_by_taps};
