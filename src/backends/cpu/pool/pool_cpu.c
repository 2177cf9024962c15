/* MaxPool, AvgPool and their gradients, in two and three dimensions: attrs, shapes, formats, types. pool.c does the
 * rest. */
#include <inttypes.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/pool/pooling.h"
#include "backends/cpu/product/channels_last.h"
#include "base/alloc.h"

struct row {
    uint8_t n;           /* spatial dims */
    uint8_t sizes_at;    /* input that is ksize, strides behind it; 0: they are attrs */
    bool pools_channels; /* a window may go over channels instead of space */
    bool takes_none;     /* windows may be empty */
};

static sl_code check_window(const struct sl_window *w, const struct row *row, struct sl_error *err) {
    struct sl_window checked = *w;
    for (int d = 0; row->takes_none && d < SL_SPACE; d++) checked.size[d] += w->size[d] == 0;
    SL_TRY(sl_window_check(&checked, err));
    if (w->batch_size <= 0 || w->channel_size <= 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Sliding window ksize for each dimension must be positive");
    if (w->batch_size != 1 || w->batch_stride != 1)
        return sl_fail(err, SL_UNIMPLEMENTED, "Pooling is not yet supported on the batch dimension.");
    if ((!row->pools_channels && w->channel_size != 1) || (w->n == 3 && w->channel_stride != 1))
        return sl_fail(err, SL_UNIMPLEMENTED, "Non-spatial pooling is not yet supported.");
    if (w->channel_size > 1 && w->size[0] * w->size[1] * w->size[2] != 1)
        return sl_fail(err, SL_UNIMPLEMENTED,
                       "MaxPooling supports exactly one of pooling across depth or pooling across width/height.");
    if (w->channel_size > 1 && w->channel_size != w->channel_stride)
        return sl_fail(err, SL_UNIMPLEMENTED,
                       "Depthwise max pooling requires the depth window to equal the depth stride");
    static const char *const side[SL_SPACE] = {"Front", "Top", "Left"};
    for (int d = 0; w->padding == SL_PAD_EXPLICIT && d < SL_SPACE; d++)
        if (w->before[d] >= w->size[d] || w->after[d] >= w->size[d])
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "%s padding %" PRId64 " needs to be smaller than the window size %" PRId64, side[d],
                           w->before[d] >= w->size[d] ? w->before[d] : w->after[d], w->size[d]);
    return SL_OK;
}

static sl_code pool_create(void **state, struct sl_kernel_setup *setup) {
    const struct row *row = setup->def->data;
    struct sl_window w;
    SL_TRY(sl_window_read(&w, setup, row->n));
    if (!row->sizes_at) SL_TRY(check_window(&w, row, setup->err));
    struct sl_window *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = w;
    *state = made;
    return SL_OK;
}

static void pool_destroy(void *state) { sl_free(state); }

/* A list of sizes that is an input, whatever its shape. */
static sl_code read_sizes(int64_t space[SL_SPACE], int64_t *batch, int64_t *channel, const struct sl_window *w,
                          struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    int64_t values[SL_SPACE + 2];
    for (int64_t j = 0; j < v.count && j < SL_SPACE + 2; j++) values[j] = ((const int32_t *)v.data)[j];
    return sl_window_list(space, batch, channel, w, values, v.count < SL_SPACE + 3 ? (int)v.count : SL_SPACE + 3, what,
                          k->err);
}

/* The node's window, whether its sizes are attrs or inputs. */
static sl_code read_window(struct sl_window *w, struct sl_kernel_context *k) {
    const struct row *row = k->node->def->data;
    *w = *(const struct sl_window *)k->state;
    if (!row->sizes_at) return SL_OK;
    SL_TRY(read_sizes(w->size, &w->batch_size, &w->channel_size, w, k, row->sizes_at, "ksize"));
    SL_TRY(read_sizes(w->stride, &w->batch_stride, &w->channel_stride, w, k, row->sizes_at + 1, "stride"));
    return check_window(w, row, k->err);
}

/* The plan for inputs of this shape; `loops` are for the type it is computed in. */
static sl_code plan_pool(struct sl_pool_plan *p, struct sl_kernel_context *k, const struct sl_window *w,
                         struct sl_shape in, int dtype) {
    char text[SL_SHAPE_TEXT];
    if (in.rank != w->n + 2)
        return sl_invalid(k, "%s: the input must have %d spatial dimensions, got shape %s", k->node->def->op, w->n,
                          sl_shape_text(text, in));
    *p = (struct sl_pool_plan){.loops = sl_pool_loops(sl_wide_type(dtype)), .in = sl_image_of(w, in.dims)};
    if (!p->loops)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "%s is not there for %s", k->node->def->op, sl_dtype_name(dtype));
    memcpy(p->size, w->size, sizeof p->size);
    memcpy(p->stride, w->stride, sizeof p->stride);
    p->out.batch = p->in.batch;
    p->out.channels = p->in.channels;
    SL_TRY(sl_window_fit(p->out.space, p->before, w, p->in.space, p->size, k->err));
    if (sl_image_points(&p->in) > INT32_MAX)
        return sl_invalid(k, "%s: images of more than 2^31 points", k->node->def->op);
    return SL_OK;
}

static sl_code check_shape(struct sl_kernel_context *k, const char *what, struct sl_view v, struct sl_shape wanted) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (sl_shape_equal(sl_view_shape(v), wanted)) return SL_OK;
    return sl_invalid(k, "Expected %s shape to be %s, but got %s", what, sl_shape_text(a, wanted),
                      sl_shape_text(b, sl_view_shape(v)));
}

/* ---- forward */
/* Windows over channels: all elements are one row of pixels of one channel. */
static sl_code turn_to_channels(struct sl_pool_plan *p, struct sl_kernel_context *k, const struct sl_window *w) {
    int64_t size = w->channel_size, elements = p->in.batch * sl_image_points(&p->in) * p->in.channels;
    if (p->in.channels % size != 0)
        return sl_fail(k->err, SL_UNIMPLEMENTED,
                       "Depthwise max pooling requires the depth window to evenly divide the input depth");
    p->out.channels = p->in.channels / size;
    if (elements > INT32_MAX) return sl_invalid(k, "%s: more than 2^31 elements", k->node->def->op);
    return SL_OK;
}
static void flatten(struct sl_pool_plan *p, int64_t size) {
    int64_t elements = p->in.batch * sl_image_points(&p->in) * p->in.channels;
    p->in = (struct sl_image){.batch = 1, .space = {1, 1, elements}, .channels = 1};
    p->out = (struct sl_image){.batch = 1, .space = {1, 1, elements / size}, .channels = 1};
    p->size[SL_SPACE - 1] = p->stride[SL_SPACE - 1] = size;
}

/* In three dimensions windows that leave gaps (a stride larger than a window, SAME) stand in the middle, not at the
 * start. */
static void centre(struct sl_pool_plan *p, const struct sl_window *w) {
    for (int d = 0; w->n == 3 && w->padding == SL_PAD_SAME && d < SL_SPACE; d++)
        p->before[d] = ((p->out.space[d] - 1) * p->stride[d] + p->size[d] - p->in.space[d]) / 2;
}

/* A maximum of half and bfloat16 is one of them, and need not be float on the way; nor need all that a mean is made of
 * at once, where windows are small. */
static bool is_pooled_as_is(const struct sl_pool_plan *p, const struct sl_window *w, int dtype) {
    return sl_wide_type(dtype) != dtype && !w->channels_first && w->channel_size == 1 && p->in.channels % 2 == 0;
}

typedef void (*pool_fn)(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, void *out);

static sl_code forward(struct sl_kernel_context *k, pool_fn pool) {
    struct sl_view in = sl_in(k, 0), out;
    struct sl_window w;
    struct sl_pool_plan p;
    int64_t dims[SL_SPACE + 2];
    SL_TRY(read_window(&w, k));
    SL_TRY(plan_pool(&p, k, &w, sl_view_shape(in), in.dtype));
    centre(&p, &w);
    if (w.channel_size > 1) SL_TRY(turn_to_channels(&p, k, &w));
    SL_TRY(sl_out_new(&out, k, 0, sl_image_shape(dims, &w, &p.out)));
    if (out.count == 0) return SL_OK;
    if ((pool == sl_pool_max || sl_pool_has_few_points(&p)) && is_pooled_as_is(&p, &w, in.dtype)) {
        p.loops = SL_ISA_PICK(sl_pool_half_loops)(in.dtype == SL_BFLOAT16);
        pool(k, &p, in.data, out.data);
        return SL_OK;
    }
    if (w.channel_size > 1) flatten(&p, w.channel_size);
    struct sl_channels_last x, y = {0};
    SL_TRY(sl_channels_last_in(&x, k, &w, in));
    sl_code code = sl_channels_last_out(&y, k, &w, out);
    if (code == SL_OK) {
        pool(k, &p, x.data, y.data);
        sl_channels_last_store(&y, k, &w, out);
    }
    sl_channels_last_free(&x);
    sl_channels_last_free(&y);
    return code;
}
static sl_code max_run(struct sl_kernel_context *k) { return forward(k, sl_pool_max); }
static sl_code mean_run(struct sl_kernel_context *k) { return forward(k, sl_pool_mean); }

/* ---- where maxima are */
struct maxima {
    struct sl_channels_last in;
    void *top;
    int32_t *from;
    size_t top_bytes, from_bytes;
};
static void maxima_free(struct maxima *m) {
    sl_channels_last_free(&m->in);
    sl_scratch_free(m->top, m->top_bytes);
    sl_scratch_free(m->from, m->from_bytes);
}
/* `pooled`: where the input equals this, if it is not NULL. */
static sl_code maxima_find(struct maxima *m, struct sl_kernel_context *k, const struct sl_pool_plan *p,
                           const struct sl_window *w, struct sl_view in, const void *pooled) {
    int64_t count = p->out.batch * sl_image_points(&p->out) * p->out.channels;
    *m = (struct maxima){.top_bytes = (size_t)(count * p->loops->size) + 1,
                         .from_bytes = (size_t)count * sizeof *m->from + 1};
    SL_TRY(sl_channels_last_in(&m->in, k, w, in));
    m->top = sl_scratch_new(m->top_bytes);
    m->from = sl_scratch_new(m->from_bytes);
    if (!m->top || !m->from) {
        size_t bytes = m->top_bytes + m->from_bytes;
        maxima_free(m);
        *m = (struct maxima){0};
        return sl_fail_memory(k->err, bytes);
    }
    if (pooled) sl_pool_match(k, p, m->in.data, pooled, m->from);
    else sl_pool_max_from(k, p, m->in.data, m->top, m->from);
    return SL_OK;
}

/* ---- MaxPoolGrad and MaxPoolGradGrad: (input, output, gradient of the output) to the gradient of the input, and
 * back. In three dimensions, and for the second, the output that is given says what the maxima are. */
typedef void (*spread_fn)(struct sl_kernel_context *k, const struct sl_pool_plan *p, const void *in, const void *grad,
                          void *to);
static sl_code spread_grads(struct sl_kernel_context *k, const struct sl_pool_plan *p, const struct sl_window *w,
                            struct sl_view out, spread_fn spread) {
    struct sl_channels_last in = {0}, grad = {0}, to = {0};
    sl_code code = sl_channels_last_in(&in, k, w, sl_in(k, 0));
    if (code == SL_OK) code = sl_channels_last_in(&grad, k, w, sl_in(k, 2));
    if (code == SL_OK) code = sl_channels_last_out(&to, k, w, out);
    if (code == SL_OK) {
        spread(k, p, in.data, grad.data, to.data);
        sl_channels_last_store(&to, k, w, out);
    }
    sl_channels_last_free(&in);
    sl_channels_last_free(&grad);
    sl_channels_last_free(&to);
    return code;
}

static sl_code max_grads(struct sl_kernel_context *k, bool is_second) {
    struct sl_view in = sl_in(k, 0), grad = sl_in(k, 2), out;
    struct sl_window w;
    struct sl_pool_plan p;
    int64_t dims[SL_SPACE + 2];
    SL_TRY(read_window(&w, k));
    SL_TRY(plan_pool(&p, k, &w, sl_view_shape(in), in.dtype));
    struct sl_shape pooled = sl_image_shape(dims, &w, &p.out);
    SL_TRY(check_shape(k, "orig_output", sl_in(k, 1), pooled));
    SL_TRY(check_shape(k, "grad", grad, is_second ? sl_view_shape(in) : pooled));
    SL_TRY(sl_out_new(&out, k, 0, is_second ? pooled : sl_view_shape(in)));
    if (out.count == 0) return SL_OK;
    if (!is_second && w.n == 2 && sl_pool_is_tiled(&p)) return spread_grads(k, &p, &w, out, sl_pool_max_spread);
    if (!is_second && w.n == 2 && sl_pool_is_small(&p)) return spread_grads(k, &p, &w, out, sl_pool_max_grad_of);
    struct maxima m = {0};
    struct sl_channels_last x = {0}, y = {0}, top = {0};
    sl_code code = is_second || w.n == 3 ? sl_channels_last_in(&top, k, &w, sl_in(k, 1)) : SL_OK;
    if (code == SL_OK) code = maxima_find(&m, k, &p, &w, in, top.data);
    if (code == SL_OK) code = sl_channels_last_in(&x, k, &w, grad);
    if (code == SL_OK) code = sl_channels_last_out(&y, k, &w, out);
    if (code == SL_OK) {
        if (is_second) sl_pool_max_pick(k, &p, m.from, x.data, y.data);
        else sl_pool_max_grad(k, &p, m.from, x.data, y.data);
        sl_channels_last_store(&y, k, &w, out);
    }
    maxima_free(&m);
    sl_channels_last_free(&top);
    sl_channels_last_free(&x);
    sl_channels_last_free(&y);
    return code;
}
static sl_code max_grad_run(struct sl_kernel_context *k) { return max_grads(k, false); }
static sl_code max_grad_grad_run(struct sl_kernel_context *k) { return max_grads(k, true); }

/* ---- MaxPoolWithArgmax and its gradients; an index counts elements, of the image or of the whole batch */
struct argmax_state {
    struct sl_window w; /* first, so that read_window may take it for one */
    bool counts_batch;
};

static sl_code argmax_create(void **state, struct sl_kernel_setup *setup) {
    const struct row *row = setup->def->data;
    struct argmax_state s = {0};
    SL_TRY(sl_window_read(&s.w, setup, row->n));
    SL_TRY(check_window(&s.w, row, setup->err));
    SL_TRY(sl_attr_bool(&s.counts_batch, setup->attrs, "include_batch_in_index", setup->err));
    struct argmax_state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

static sl_code argmax_run(struct sl_kernel_context *k) {
    const struct argmax_state *s = k->state;
    struct sl_view in = sl_in(k, 0), out, index;
    struct sl_pool_plan p;
    struct maxima m;
    int64_t dims[SL_SPACE + 2];
    if (in.count == 0) return sl_invalid(k, "tensor_in must not be empty");
    SL_TRY(plan_pool(&p, k, &s->w, sl_view_shape(in), in.dtype));
    if (s->w.channel_size > 1) SL_TRY(turn_to_channels(&p, k, &s->w));
    p.out.channels = p.in.channels; /* a window over channels is checked, and left out */
    SL_TRY(sl_out_new(&out, k, 0, sl_image_shape(dims, &s->w, &p.out)));
    SL_TRY(sl_out_new(&index, k, 1, sl_view_shape(out)));
    if (out.count == 0) return SL_OK;
    SL_TRY(maxima_find(&m, k, &p, &s->w, in, NULL));
    struct sl_wide y = {.data = m.top, .dtype = sl_wide_type(out.dtype), .scratch = 1};
    if (y.dtype == out.dtype) memcpy(out.data, m.top, (size_t)out.count * sl_dtype_size(out.dtype));
    else sl_wide_store(&y, k, out);
    int64_t channels = p.out.channels, image = sl_image_points(&p.out) * channels;
    for (int64_t i = 0; i < index.count; i++) {
        int64_t at = (int64_t)m.from[i] * channels + i % channels;
        if (s->counts_batch) at += i / image * sl_image_points(&p.in) * channels;
        if (index.dtype == SL_INT64) ((int64_t *)index.data)[i] = at;
        else ((int32_t *)index.data)[i] = (int32_t)at;
    }
    maxima_free(&m);
    return SL_OK;
}

static int64_t index_at(struct sl_view v, int64_t i) {
    return v.dtype == SL_INT64 ? ((const int64_t *)v.data)[i] : ((const int32_t *)v.data)[i];
}

/* Element i of the output's gradient belongs to element `from(i)` of the input. */
struct links {
    struct sl_view index;
    int64_t image, of_image; /* elements of an input image, of an output image */
    bool counts_batch;
};
static int64_t link_of(const struct links *l, int64_t i) {
    return index_at(l->index, i) + (l->counts_batch ? 0 : i / l->of_image * l->image);
}
static sl_code read_links(struct links *l, struct sl_kernel_context *k, struct sl_view in, struct sl_view grad) {
    const struct argmax_state *s = k->state;
    *l = (struct links){.index = sl_in(k, 2), .counts_batch = s->counts_batch};
    if (in.dims[0] == 0) return SL_OK;
    l->image = in.count / in.dims[0];
    l->of_image = grad.count / in.dims[0];
    for (int64_t i = 0; i < l->index.count; i++) {
        int64_t at = index_at(l->index, i), first = l->counts_batch ? i / l->of_image * l->image : 0;
        if (at < first || at >= first + l->image)
            return sl_invalid(k, "Invalid output gradient index: %" PRId64 ", %" PRId64 ", %" PRId64, at, first,
                              first + l->image);
    }
    return SL_OK;
}

#define SCATTER(T)                                                                                                     \
    case sizeof(T):                                                                                                    \
        for (int64_t i = 0; i < grad.count; i++) {                                                                     \
            T *to = (T *)y.data + link_of(&l, i);                                                                      \
            *to = (T)(*to + ((const T *)x.data)[i]);                                                                   \
        }                                                                                                              \
        break

static sl_code argmax_grad_run(struct sl_kernel_context *k) {
    const struct argmax_state *s = k->state;
    struct sl_view in = sl_in(k, 0), grad = sl_in(k, 1), out;
    struct sl_pool_plan p;
    struct links l;
    int64_t dims[SL_SPACE + 2];
    SL_TRY(plan_pool(&p, k, &s->w, sl_view_shape(in), in.dtype));
    SL_TRY(check_shape(k, "grad", grad, sl_image_shape(dims, &s->w, &p.out)));
    SL_TRY(check_shape(k, "argmax", sl_in(k, 2), sl_image_shape(dims, &s->w, &p.out)));
    SL_TRY(read_links(&l, k, in, grad));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    struct sl_wide x, y = {0};
    SL_TRY(sl_wide_in(&x, k, grad));
    sl_code code = sl_wide_out(&y, k, out);
    if (code == SL_OK) {
        memset(y.data, 0, (size_t)out.count * sl_dtype_size(y.dtype));
        if (y.dtype == SL_FLOAT)
            for (int64_t i = 0; i < grad.count; i++) ((float *)y.data)[link_of(&l, i)] += ((const float *)x.data)[i];
        else if (y.dtype == SL_DOUBLE)
            for (int64_t i = 0; i < grad.count; i++) ((double *)y.data)[link_of(&l, i)] += ((const double *)x.data)[i];
        else switch (sl_dtype_size(y.dtype)) {
                SCATTER(uint8_t);
                SCATTER(uint16_t);
                SCATTER(uint32_t);
                SCATTER(uint64_t);
            default: break;
            }
        sl_wide_store(&y, k, out);
    }
    sl_wide_free(&x);
    sl_wide_free(&y);
    return code;
}

static sl_code argmax_grad_grad_run(struct sl_kernel_context *k) {
    const struct argmax_state *s = k->state;
    struct sl_view in = sl_in(k, 0), grad = sl_in(k, 1), out;
    struct sl_pool_plan p;
    struct links l;
    int64_t dims[SL_SPACE + 2];
    SL_TRY(plan_pool(&p, k, &s->w, sl_view_shape(in), in.dtype));
    SL_TRY(check_shape(k, "grad", grad, sl_view_shape(in)));
    SL_TRY(check_shape(k, "argmax", sl_in(k, 2), sl_image_shape(dims, &s->w, &p.out)));
    SL_TRY(sl_out_new(&out, k, 0, sl_image_shape(dims, &s->w, &p.out)));
    SL_TRY(read_links(&l, k, in, out));
    size_t size = sl_dtype_size(out.dtype);
    for (int64_t i = 0; i < out.count; i++)
        memcpy((char *)out.data + (size_t)i * size, (const char *)grad.data + (size_t)link_of(&l, i) * size, size);
    return SL_OK;
}

/* ---- AvgPoolGrad: (shape of the input, gradient of the output) to the gradient of the input */
static sl_code mean_grad_run(struct sl_kernel_context *k) {
    struct sl_view grad = sl_in(k, 1), out;
    struct sl_window w;
    struct sl_pool_plan p;
    struct sl_shape shape;
    int64_t in_dims[SL_MAX_RANK], dims[SL_SPACE + 2];
    SL_TRY(read_window(&w, k));
    SL_TRY(sl_in_shape(&shape, in_dims, k, 0, "orig_input_shape"));
    SL_TRY(plan_pool(&p, k, &w, shape, grad.dtype));
    if (grad.rank == w.n + 2) { /* its size is believed, as far as its windows begin in the image */
        struct sl_image given = sl_image_of(&w, grad.dims);
        for (int d = 0; d < SL_SPACE; d++)
            if ((given.space[d] - 1) * p.stride[d] - p.before[d] < p.in.space[d]) p.out.space[d] = given.space[d];
    }
    SL_TRY(check_shape(k, "out_backprop", grad, sl_image_shape(dims, &w, &p.out)));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (out.count == 0) return SL_OK;
    struct sl_channels_last x, y = {0};
    SL_TRY(sl_channels_last_in(&x, k, &w, grad));
    sl_code code = sl_channels_last_out(&y, k, &w, out);
    if (code == SL_OK) {
        sl_pool_mean_grad(k, &p, x.data, y.data);
        sl_channels_last_store(&y, k, &w, out);
    }
    sl_channels_last_free(&x);
    sl_channels_last_free(&y);
    return code;
}

/* In one step, as KERNEL is. */

#define POOL(op_, rules, create_, run_, ...)                                                                           \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = create_,                                                                                                \
     .destroy = pool_destroy,                                                                                          \
     .run = run_,                                                                                                      \
     .cost_ns = 200,                                                                                                   \
     .cost_element = 1,                                                                                                \
     .data = &(const struct row){__VA_ARGS__}},
#define MAX_TYPES   (SL_SET_REAL | SL_SET(QINT8))
#define INDEX_TYPES (SL_SET(INT32) | SL_SET(INT64))

/* clang-format off */
const struct sl_kernel_def sl_cpu_pool_rows[] = {
    POOL("MaxPool", RULE("T", MAX_TYPES), pool_create, max_run, .n = 2, .pools_channels = true)
    POOL("MaxPoolV2", RULE("T", MAX_TYPES), pool_create, max_run, .n = 2, .sizes_at = 1, .pools_channels = true)
    POOL("MaxPool3D", RULE("T", SL_SET_FLOATS), pool_create, max_run, .n = 3)
    POOL("MaxPoolGrad", RULE("T", SL_SET_REAL), pool_create, max_grad_run, .n = 2)
    POOL("MaxPoolGradV2", RULE("T", SL_SET_REAL), pool_create, max_grad_run, .n = 2, .sizes_at = 3)
    POOL("MaxPool3DGrad", RULE("T", SL_SET_FLOATS) RULE("TInput", SL_SET_FLOATS), pool_create, max_grad_run, .n = 3)
    POOL("MaxPoolGradGrad", RULE("T", SL_SET_REAL), pool_create, max_grad_grad_run, .n = 2)
    POOL("MaxPoolGradGradV2", RULE("T", SL_SET_REAL), pool_create, max_grad_grad_run, .n = 2, .sizes_at = 3)
    POOL("MaxPool3DGradGrad", RULE("T", SL_SET_REAL), pool_create, max_grad_grad_run, .n = 3)
    POOL("MaxPoolWithArgmax", RULE("T", SL_SET_REAL) RULE("Targmax", INDEX_TYPES), argmax_create, argmax_run, .n = 2, .pools_channels = true)
    POOL("MaxPoolGradWithArgmax", RULE("T", SL_SET_REAL) RULE("Targmax", INDEX_TYPES), argmax_create, argmax_grad_run, .n = 2)
    POOL("MaxPoolGradGradWithArgmax", RULE("T", SL_SET_REAL) RULE("Targmax", INDEX_TYPES), argmax_create, argmax_grad_grad_run, .n = 2)
    POOL("AvgPool", RULE("T", SL_SET_FLOATS), pool_create, mean_run, .n = 2)
    POOL("AvgPool3D", RULE("T", SL_SET_FLOATS), pool_create, mean_run, .n = 3)
    POOL("AvgPoolGrad", RULE("T", SL_SET_FLOATS), pool_create, mean_grad_run, .n = 2, .takes_none = true)
    POOL("AvgPool3DGrad", RULE("T", SL_SET_FLOATS), pool_create, mean_grad_run, .n = 3)
    SL_ROWS_END
};
/* clang-format on */
