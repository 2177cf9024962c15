/* A convolution is a product of patches and the filter: rows of A are written, as items ask for them, to where tiles
 * read them. The gradient by the input is a convolution of the output's gradient with the filter turned round. */
#include "backends/cpu/product/conv_tiles.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "backends/cpu/array/move_tiles.h"
#include "backends/cpu/product/tile_product.h"
#include "base/checked.h"

struct patches {
    const struct sl_conv_spec *c;
    const uint16_t *in;
};

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* `n` zeros. */
static uint16_t *put_zeros(uint16_t *to, int64_t n) {
    memset(to, 0, (size_t)n * sizeof *to);
    return to + n;
}
static uint16_t *put_pixels(uint16_t *to, const uint16_t *from, int64_t n) {
    memcpy(to, from, (size_t)n * sizeof *to);
    return to + n;
}
/* The taps of a line of the filter, of which the first stands at pixel x of `line`, which may be outside. */
static uint16_t *put_line(uint16_t *to, const struct sl_conv_spec *c, const uint16_t *line, int64_t x) {
    const int64_t channels = c->in.channels, width = c->in.space[2], taps = c->size[2];
    if (c->dilation[2] == 1) {
        const int64_t end = x + taps, first = x < 0 ? 0 : x, last = end > width ? width : end;
        if (first >= last) return put_zeros(to, taps * channels);
        if (first > x) to = put_zeros(to, (first - x) * channels);
        to = put_pixels(to, line + first * channels, (last - first) * channels);
        return end > last ? put_zeros(to, (end - last) * channels) : to;
    }
    for (int64_t i = 0; i < taps; i++, x += c->dilation[2])
        to = x >= 0 && x < width ? put_pixels(to, line + x * channels, channels) : put_zeros(to, channels);
    return to;
}
static void write_patches(const void *arg, int64_t row, int64_t rows, uint16_t *to, int64_t step) {
    const struct patches *p = arg;
    const struct sl_conv_spec *c = p->c;
    const int64_t line = c->in.space[2] * c->in.channels;
    for (int64_t r = row; r < row + rows; r++, to += step) {
        int64_t at[SL_SPACE], rest = r;
        for (int d = SL_SPACE - 1; d >= 0; d--) {
            at[d] = rest % c->out.space[d] * c->stride[d] - c->before[d];
            rest /= c->out.space[d];
        }
        uint16_t *next = to;
        for (int64_t i = 0; i < c->size[0]; i++)
            for (int64_t j = 0; j < c->size[1]; j++) {
                const int64_t z = at[0] + i * c->dilation[0], y = at[1] + j * c->dilation[1];
                const bool is_inside = z >= 0 && z < c->in.space[0] && y >= 0 && y < c->in.space[1];
                const uint16_t *from = p->in + ((rest * c->in.space[0] + z) * c->in.space[1] + y) * line;
                next = is_inside ? put_line(next, c, from, at[2]) : put_zeros(next, c->size[2] * c->in.channels);
            }
    }
}

#if defined(__x86_64__) && !defined(__SANITIZE_MEMORY__)
/* Where a line of the filter is one vector at most, a mask leaves out what is beside the image. Whole vectors are
 * written: there is room for one behind a row, and what is not the next line's is made zero afterwards. */
enum { SHORT_LINE = 32 };
static bool has_short_lines(const struct sl_conv_spec *c) {
    return c->dilation[2] == 1 && c->size[2] * c->in.channels <= SHORT_LINE;
}
static __mmask32 first_elements(int64_t n) { return n <= 0 ? 0 : (__mmask32)(UINT32_MAX >> (SHORT_LINE - n)); }
static __attribute__((target("avx512f,avx512bw,avx512vl"))) void write_short_patches(const void *arg, int64_t row,
                                                                                     int64_t rows, uint16_t *to,
                                                                                     int64_t step) {
    const struct patches *p = arg;
    const struct sl_conv_spec c = *p->c; /* its own: stores of vectors may be anywhere */
    const int64_t channels = c.in.channels, width = c.in.space[2], n = c.size[2] * channels, line = width * channels;
    int64_t at[SL_SPACE], image = row;
    for (int d = SL_SPACE - 1; d >= 0; d--) {
        at[d] = image % c.out.space[d];
        image /= c.out.space[d];
    }
    for (int64_t r = 0; r < rows; r++, to += step) {
        const int64_t x = at[2] * c.stride[2] - c.before[2], last = x + c.size[2] < width ? c.size[2] : width - x;
        const __mmask32 inside =
            first_elements(last * channels) & ~first_elements(x < 0 ? smaller(-x * channels, n) : 0);
        uint16_t *next = to;
        int64_t z = at[0] * c.stride[0] - c.before[0];
        for (int64_t i = 0; i < c.size[0]; i++, z += c.dilation[0]) {
            const bool has_plane = z >= 0 && z < c.in.space[0];
            int64_t y = at[1] * c.stride[1] - c.before[1];
            int64_t from = (((image * c.in.space[0] + z) * c.in.space[1] + y) * width + x) * channels;
            for (int64_t j = 0; j < c.size[1]; j++, next += n, y += c.dilation[1], from += line * c.dilation[1]) {
                const void *pixel = (const void *)((uintptr_t)p->in + (uintptr_t)from * sizeof *to);
                const __mmask32 mask = has_plane && y >= 0 && y < c.in.space[1] ? inside : 0;
                _mm512_storeu_si512(next, _mm512_maskz_loadu_epi16(mask, pixel));
            }
        }
        int d = SL_SPACE - 1;
        while (d >= 0 && ++at[d] == c.out.space[d]) at[d--] = 0;
        image += d < 0;
    }
}
#else
static bool has_short_lines(const struct sl_conv_spec *c) {
    (void)c;
    return false;
}
#define write_short_patches write_patches
#endif

static int64_t taps_of(const struct sl_conv_spec *c) { return c->size[0] * c->size[1] * c->size[2]; }

bool sl_conv_tiles_pay(const struct sl_conv_spec *c) {
    const int64_t points = c->out.batch * sl_image_points(&c->out);
    return c->groups == 1 && !c->epilogue && sl_tile_product_pays(points, c->out.channels, taps_of(c) * c->in.channels);
}

static bool is_small_step(const struct sl_conv_spec *c) {
    return c->stride[0] == 1 && c->stride[1] == 1 && c->stride[2] == 1;
}
/* The convolution that gives the gradient by the input, where strides are 1. */
static struct sl_conv_spec turned(const struct sl_conv_spec *c) {
    struct sl_conv_spec back = *c;
    back.in = c->out;
    back.out = c->in;
    for (int d = 0; d < SL_SPACE; d++) back.before[d] = (c->size[d] - 1) * c->dilation[d] - c->before[d];
    return back;
}
bool sl_conv_tiles_pay_for_input_grad(const struct sl_conv_spec *c) {
    if (!is_small_step(c)) return false;
    const struct sl_conv_spec back = turned(c);
    return sl_conv_tiles_pay(&back);
}

/* ---- channels that fill tiles, strides of 1: images with their padding around, of which tiles read pixels that follow
 * each other; those at the ends of lines make results that nobody wants */
struct padded {
    const struct sl_conv_spec *c;
    const uint16_t *in;
    uint16_t *data;
    int64_t *places;       /* of each pixel, in the output; -1: none */
    int64_t height, width; /* of an image */
};
static struct padded padded_of(const struct sl_conv_spec *c, const uint16_t *in) {
    return (struct padded){.c = c,
                           .in = in,
                           .height = c->out.space[1] + (c->size[1] - 1) * c->dilation[1],
                           .width = c->out.space[2] + (c->size[2] - 1) * c->dilation[2]};
}
static bool may_be_padded(const struct sl_conv_spec *c) {
    enum { DEPTH = 32 };
    const bool is_flat = c->size[0] == 1 && c->before[0] == 0 && c->in.space[0] == c->out.space[0];
    const struct padded p = padded_of(c, NULL);
    return is_flat && is_small_step(c) && c->in.channels % DEPTH == 0 &&
           2 * p.height * p.width <= 3 * c->out.space[1] * c->out.space[2];
}
/* Of a line's pixels; image and line of it are given. */
static void put_places(int64_t *to, const struct padded *p, int64_t image, int64_t y) {
    const int64_t width = p->c->out.space[2], first = (image * p->c->out.space[1] + y) * width;
    for (int64_t x = 0; x < p->width; x++) to[x] = x < width && y < p->c->out.space[1] ? first + x : -1;
}
static void pad_lines(void *arg, int64_t begin, int64_t end) {
    const struct padded *p = arg;
    const struct sl_conv_spec *c = p->c;
    const int64_t channels = c->in.channels, width = c->in.space[2];
    for (int64_t i = begin; i < end; i++) {
        const int64_t y = i % p->height - c->before[1], image = i / p->height;
        uint16_t *to = p->data + i * p->width * channels;
        put_places(p->places + i * p->width, p, image, i % p->height);
        if (y < 0 || y >= c->in.space[1]) {
            put_zeros(to, p->width * channels);
            continue;
        }
        const uint16_t *line = p->in + (image * c->in.space[1] + y) * width * channels;
        const int64_t x = -c->before[2], stop = x + p->width, first = x < 0 ? 0 : x, last = stop > width ? width : stop;
        if (first >= last) {
            put_zeros(to, p->width * channels);
            continue;
        }
        to = put_zeros(to, (first - x) * channels);
        to = put_pixels(to, line + first * channels, (last - first) * channels);
        put_zeros(to, (stop - last) * channels);
    }
}
static sl_code run_padded(struct sl_kernel_context *k, const struct sl_conv_spec *c, const uint16_t *in,
                          struct sl_tile_product *product) {
    enum { DEPTH = 32, MORE_ROWS = 32 };
    struct padded p = padded_of(c, in);
    const int64_t channels = c->in.channels, lines = c->in.batch * c->in.space[0] * p.height;
    const int64_t behind = (c->size[1] - 1) * c->dilation[1] * p.width + (c->size[2] - 1) * c->dilation[2] + MORE_ROWS;
    const int64_t n_steps = taps_of(c) * (channels / DEPTH);
    const int64_t pixels = (lines * p.width + behind) * channels * (int64_t)sizeof *in;
    const size_t bytes = (size_t)(pixels + (n_steps + lines * p.width) * (int64_t)sizeof(int64_t));
    char *room = sl_scratch_new(bytes);
    if (!room) return sl_fail_memory(k->err, bytes);
    p.data = (uint16_t *)(void *)room;
    int64_t *steps = (int64_t *)(void *)(room + pixels), n = 0;
    p.places = steps + n_steps;
    for (int64_t i = 0; i < c->size[1]; i++)
        for (int64_t j = 0; j < c->size[2]; j++)
            for (int64_t q = 0; q < channels; q += DEPTH)
                steps[n++] = ((i * c->dilation[1] * p.width + j * c->dilation[2]) * channels + q) * 2;
    put_zeros(p.data + lines * p.width * channels, behind * channels);
    sl_kernel_split(k, lines, (double)(p.width * channels) * 0.05, pad_lines, &p);
    product->m = (lines - (p.height - c->out.space[1])) * p.width;
    product->write_rows = NULL;
    product->a = p.data;
    product->a_row = channels;
    product->steps = steps;
    product->places = p.places;
    sl_code code = sl_tile_product_run(k, product, k->err);
    sl_scratch_free(room, bytes);
    return code;
}

sl_code sl_conv_forward_by_tiles(struct sl_kernel_context *k, const struct sl_conv_spec *c, const uint16_t *in,
                                 const uint16_t *filter, uint16_t *out) {
    const struct patches patches = {c, in};
    struct sl_tile_product p = {.m = c->out.batch * sl_image_points(&c->out),
                                .n = c->out.channels,
                                .k = taps_of(c) * c->in.channels,
                                .write_rows = has_short_lines(c) ? write_short_patches : write_patches,
                                .arg = &patches,
                                .b = filter,
                                .c = out,
                                .result = SL_TILE_ROUNDED,
                                .packing = c->packing};
    if (sl_conv_has_one_tap(c) && is_small_step(c) && memcmp(c->in.space, c->out.space, sizeof c->in.space) == 0) {
        p.write_rows = NULL;
        p.a = in;
        p.a_row = c->in.channels;
    } else if (may_be_padded(c)) {
        return run_padded(k, c, in, &p);
    }
    return sl_tile_product_run(k, &p, k->err);
}

sl_code sl_conv_input_grad_by_tiles(struct sl_kernel_context *k, const struct sl_conv_spec *c, const uint16_t *filter,
                                    const uint16_t *grad, uint16_t *in) {
    struct sl_conv_spec back = turned(c);
    const int64_t taps = taps_of(c), matrix = c->in.channels * c->out.channels;
    int64_t bytes;
    if (!sl_mul_i64(&bytes, taps * matrix, sizeof(uint16_t))) return sl_fail_memory(k->err, SIZE_MAX);
    uint16_t *filter_back = sl_scratch_new((size_t)bytes);
    if (!filter_back) return sl_fail_memory(k->err, (size_t)bytes);
    const struct sl_plane plane = {.n1 = c->out.channels,
                                   .to1 = c->in.channels,
                                   .from1 = 1,
                                   .n0 = c->in.channels,
                                   .to0 = 1,
                                   .from0 = c->out.channels};
    for (int64_t i = 0; i < taps; i++)
        sl_plane_transpose(2)(filter_back + (taps - 1 - i) * matrix, filter + i * matrix, &plane);
    back.packing = NULL;
    sl_code code = sl_conv_forward_by_tiles(k, &back, grad, filter_back, in);
    sl_scratch_free(filter_back, (size_t)bytes);
    return code;
}
