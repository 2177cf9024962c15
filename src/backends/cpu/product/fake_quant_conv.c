/* A channel of the filter is on a grid when its largest element is at most 127 steps and all others are whole numbers
 * of them: which step that is, is tried out, as folding has left nothing but numbers. */
#include "backends/cpu/product/fake_quant_conv.h"

#include "backends/cpu/product/narrow_product.h"
#include "base/alloc.h"

enum { MOST_STEPS = 127 };
static const float nearly = 2e-3f; /* of a step */

sl_code sl_fake_quant_conv_init(struct sl_fake_quant_conv *f, struct sl_kernel_setup *setup) {
    float min, max;
    bool is_narrow;
    *f = (struct sl_fake_quant_conv){0};
    sl_mutex_init(&f->mutex);
    if (!sl_attr_find(setup->attrs, SL_STR("_image_min"))) return SL_OK;
    SL_TRY(sl_attr_float(&min, setup->attrs, "_image_min", setup->err));
    SL_TRY(sl_attr_float(&max, setup->attrs, "_image_max", setup->err));
    SL_TRY(sl_attr_bool(&is_narrow, setup->attrs, "_image_is_narrow", setup->err));
    if (!(min < max) || !setup->n_in || setup->in_types[0] != SL_FLOAT)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "an image of 8 bits has a range, and is of float");
    f->is_there = true;
    f->grid = sl_fake_quant_grid_of(min, max, is_narrow, 255);
    return SL_OK;
}

void sl_fake_quant_conv_clear(struct sl_fake_quant_conv *f) {
    sl_free(f->filter);
    sl_free(f->scales);
    sl_mutex_clear(&f->mutex);
}

/* Whether `rows` elements, `n` apart, are whole numbers of `step`: then writes them. */
static bool is_column_on(int8_t *to, const float *from, int64_t rows, int64_t n, float step) {
    for (int64_t i = 0; i < rows; i++) {
        const float steps = from[i * n] / step, whole = roundf(steps);
        if (!(fabsf(steps - whole) <= nearly) || !(fabsf(whole) <= MOST_STEPS)) return false;
        to[i * n] = (int8_t)whole;
    }
    return true;
}
static bool read_column(int8_t *to, float *step, const float *from, int64_t rows, int64_t n) {
    float most = 0;
    for (int64_t i = 0; i < rows; i++) most = fabsf(from[i * n]) > most ? fabsf(from[i * n]) : most;
    *step = 1;
    if (most == 0) return is_column_on(to, from, rows, n, 1);
    if (!(most > 1e-30f && most < 1e30f)) return false;
    for (int steps = MOST_STEPS; steps > 0; steps--) {
        *step = most / (float)steps;
        if (is_column_on(to, from, rows, n, *step)) return true;
    }
    return false;
}

/* What the filter is in steps, found once. */
static bool is_filter_on_grid(struct sl_fake_quant_conv *f, const struct sl_conv_spec *c, const float *filter) {
    const int64_t n = c->out.channels, rows = c->size[0] * c->size[1] * c->size[2] * c->in.channels;
    sl_mutex_lock(&f->mutex);
    if (!f->is_known) {
        f->is_known = true;
        f->filter = sl_malloc((size_t)(rows * n));
        f->scales = sl_malloc((size_t)n * sizeof *f->scales);
        f->is_on_grid = f->filter && f->scales;
        for (int64_t j = 0; j < n && f->is_on_grid; j++) {
            f->is_on_grid = read_column(f->filter + j, &f->scales[j], filter + j, rows, n);
            f->scales[j] *= f->grid.step;
        }
    }
    const bool is_on_grid = f->is_on_grid;
    sl_mutex_unlock(&f->mutex);
    return is_on_grid;
}

struct rounding {
    const struct sl_fake_quant_grid *grid;
    const float *from;
    uint8_t *bytes;
    float *floats; /* NULL: bytes */
};
static void round_part(void *arg, int64_t begin, int64_t end) {
    const struct rounding *r = arg;
    if (r->floats) SL_ISA_PICK(sl_fake_quant_line)(r->floats + begin, r->from + begin, end - begin, 1, r->grid);
    else SL_ISA_PICK(sl_fake_quant_bytes)(r->bytes + begin, r->from + begin, end - begin, r->grid);
}

sl_code sl_fake_quant_conv_forward(struct sl_fake_quant_conv *f, struct sl_kernel_context *k,
                                   const struct sl_conv_spec *c, const float *in, const float *filter, float *out) {
    const int64_t count = c->in.batch * sl_image_points(&c->in) * c->in.channels;
    const bool by_bytes = c->groups == 1 && c->packing && is_filter_on_grid(f, c, filter);
    const size_t bytes = (size_t)count * (by_bytes ? 1 : sizeof(float));
    void *room = sl_scratch_new(bytes);
    if (!room) return sl_fail_memory(k->err, bytes);
    struct rounding r = {.grid = &f->grid, .from = in, .bytes = room, .floats = by_bytes ? NULL : room};
    sl_kernel_split(k, count, 0.2, round_part, &r);
    bool is_done = false;
    sl_code code = SL_OK;
    if (by_bytes) {
        const struct sl_bytes image = {.data = room, .zero = (int64_t)f->grid.zero};
        const struct sl_bytes taps = {.data = f->filter, .is_signed = true};
        code = sl_byte_conv_run(&is_done, k, c, &image, &taps, f->scales, out);
        if (code == SL_OK && !is_done) { /* no instructions, or too small */
            sl_scratch_free(room, bytes);
            sl_mutex_lock(&f->mutex);
            f->is_on_grid = false;
            sl_mutex_unlock(&f->mutex);
            return sl_fake_quant_conv_forward(f, k, c, in, filter, out);
        }
    } else code = sl_conv_forward(k, c, room, filter, out);
    sl_scratch_free(room, bytes);
    return code;
}
