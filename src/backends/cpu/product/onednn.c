/* A plan cuts a convolution in pieces: whole images, or bands of rows of one. Bands at the upper and lower edge have
 * padding that the others have not, so a plan has a primitive for each kind of piece (at most KINDS), all with one
 * order of the filter. The gradient by the filter gives every piece a filter of its own, added up in order.
 *
 *     rows of out    [ first ][ middle ][ middle ][ last ]        the rows of `in` that they read overlap */
#include "backends/cpu/product/onednn.h"

#include <string.h>

#include "backends/cpu/product/conv_methods.h"

#if SL_HAVE_ONEDNN
#include "backends/cpu/product/onednn_library.h"
#include "base/alloc.h"

enum {
    KINDS = 4,
    PIECES = 16,
    POINTS_OF_PIECE = 32,        /* at least, as each piece reads the whole filter, ... */
    POINTS_OF_FILTER_GRAD = 256, /* ... or writes and adds one */
    MOST_PADDING = 1 << 16,
    PRODUCT_STEP = 256 /* rows or columns of a piece of a product, at least */
};
static const double PIECE_FLOPS = 2e7, LEAST_FLOPS = 1e6, FLOPS_PER_NS = 150;

/* What a plan is made for; no padding between members, as keys are compared as bytes. */
struct key {
    int64_t work, is_constant, batch, in_channels, out_channels;
    int64_t in[2], out[2], size[2], stride[2], dilation[2], before[2]; /* rows, columns */
};
struct piece {
    int64_t images, in_rows, out_rows, before, after; /* what its kind depends on: padding above and below */
    int64_t image, in_row, out_row;
};
struct kind {
    struct piece piece;
    dnnl_primitive_t primitive;
    dnnl_memory_desc_t in, out;
};
struct sl_onednn_plan {
    struct key key;
    int users;                           /* under the mutex of the plans, which are one of them */
    int64_t pieces, bands, images, rows; /* bands of an image; images and rows of a piece */
    int n_kinds;
    struct kind kinds[KINDS];
    dnnl_memory_desc_t filter, plain_filter; /* in oneDNN's order, in ours */
    size_t filter_bytes, scratch_bytes;
    dnnl_primitive_t reorder; /* of the filter to oneDNN's order, of its gradient from it; NULL: it is ours */
    void *constant;           /* filter, reordered */
    bool is_of_use;           /* false: oneDNN has nothing (good) for this; kept, so as not to try again */
};

static const uint16_t choices[SL_ONEDNN_PRODUCT + 1][2][2][3] = {
#include "backends/cpu/product/onednn_choice.inc"
};

static int class_of(int64_t n, const int64_t *limits, int count) {
    int i = 0;
    while (i < count && n > limits[i]) i++;
    return i;
}
/* Classes as in bench/choose_onednn.c, which measures them. */
static bool is_chosen(const struct sl_onednn_library *l, enum sl_onednn_work work, bool is_constant, bool has_taps,
                      int64_t points, int64_t in, int64_t out, double flops) {
    static const int64_t points_limits[] = {256, 2048}, channel_limits[] = {16, 64, 256};
    if (!l || points <= 0 || in <= 0 || out <= 0) return false;
    if (l->takes_all || flops < LEAST_FLOPS) return l->takes_all;
    const uint16_t row = choices[work][is_constant][has_taps][class_of(points, points_limits, 2)];
    return row >> (4 * class_of(in, channel_limits, 3) + class_of(out, channel_limits, 3)) & 1;
}

/* ---- pieces */
static int64_t extent(const struct key *g, int d) { return (g->size[d] - 1) * g->dilation[d] + 1; }
static double flops_of(const struct key *g) {
    return 2.0 * (double)(g->batch * g->out[0] * g->out[1]) * (double)(g->size[0] * g->size[1]) *
           (double)(g->in_channels * g->out_channels);
}
static int64_t split_rows(const struct key *g) { return g->work == SL_ONEDNN_INPUT_GRAD ? g->in[0] : g->out[0]; }
static int64_t ceil_div(int64_t n, int64_t by) { return (n + by - 1) / by; }
static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static void cut(struct sl_onednn_plan *p) {
    const struct key *g = &p->key;
    const double wanted = flops_of(g) / PIECE_FLOPS;
    const int64_t least = g->work == SL_ONEDNN_FILTER_GRAD ? POINTS_OF_FILTER_GRAD : POINTS_OF_PIECE;
    int64_t pieces = wanted < PIECES ? (int64_t)wanted : PIECES;
    pieces = least_of(pieces, g->batch * g->out[0] * g->out[1] / least);
    if (pieces < 1) pieces = 1;
    p->rows = split_rows(g);
    p->bands = p->images = 1;
    if (pieces <= g->batch) p->images = ceil_div(g->batch, pieces);
    else {
        p->rows = ceil_div(p->rows, least_of(ceil_div(pieces, g->batch), p->rows));
        p->bands = ceil_div(split_rows(g), p->rows);
    }
    p->pieces = ceil_div(g->batch, p->images) * p->bands;
}

static struct piece piece_at(const struct sl_onednn_plan *p, int64_t i) {
    const struct key *g = &p->key;
    const int64_t first = i % p->bands * p->rows, end = least_of(first + p->rows, split_rows(g));
    struct piece piece = {.image = i / p->bands * p->images};
    piece.images = least_of(p->images, g->batch - piece.image);
    /* `above` is the row of `in`, or of the padding, that the first row of out begins at. */
    int64_t in_end = g->in[0], out_end = g->out[0], above = -g->before[0];
    if (p->bands == 1) { /* images lie one behind the other: with rows that nothing reads */
        piece.before = g->before[0];
    } else if (g->work == SL_ONEDNN_INPUT_GRAD) { /* of stride 1 */
        piece.in_row = first;
        in_end = end;
        piece.out_row = first + g->before[0] - extent(g, 0) + 1;
        if (piece.out_row < 0) piece.out_row = 0;
        out_end = least_of(end + g->before[0], g->out[0]);
        above = piece.out_row - g->before[0];
        piece.before = first - above;
    } else {
        piece.out_row = first;
        out_end = end;
        above = first * g->stride[0] - g->before[0];
        piece.in_row = above < 0 ? 0 : above;
        piece.before = piece.in_row - above;
        in_end = least_of(above + (end - first - 1) * g->stride[0] + extent(g, 0), g->in[0]);
    }
    piece.after = above + (out_end - piece.out_row - 1) * g->stride[0] + extent(g, 0) - in_end;
    piece.in_rows = in_end - piece.in_row;
    piece.out_rows = out_end - piece.out_row;
    return piece;
}

static const struct kind *kind_of(const struct sl_onednn_plan *p, const struct piece *piece) {
    for (const struct kind *kind = p->kinds; kind < p->kinds + p->n_kinds; kind++)
        if (memcmp(&kind->piece, piece, offsetof(struct piece, image)) == 0) return kind;
    return NULL;
}

/* ---- primitives */
#define GOOD(call) (l->call == dnnl_success)

static bool describe(struct sl_onednn_plan *p, const struct sl_onednn_library *l, struct kind *kind) {
    const struct key *g = &p->key;
    const dnnl_dims_t in = {kind->piece.images, g->in_channels, kind->piece.in_rows, g->in[1]},
                      out = {kind->piece.images, g->out_channels, kind->piece.out_rows, g->out[1]},
                      filter = {g->out_channels, g->in_channels, g->size[0], g->size[1]},
                      plain = {1, g->out_channels, g->size[1] * g->in_channels * g->out_channels,
                               g->in_channels * g->out_channels};
    if (p->n_kinds == 0) /* the first chooses an order */
        if (!GOOD(memory_desc_init_by_tag(&p->filter, 4, filter, dnnl_f32, dnnl_format_tag_any)) ||
            !GOOD(memory_desc_init_by_strides(&p->plain_filter, 4, filter, dnnl_f32, plain)))
            return false;
    return GOOD(memory_desc_init_by_tag(&kind->in, 4, in, dnnl_f32, dnnl_nhwc)) &&
           GOOD(memory_desc_init_by_tag(&kind->out, 4, out, dnnl_f32, dnnl_nhwc));
}

static bool make_kind(struct sl_onednn_plan *p, const struct sl_onednn_library *l, const struct piece *piece) {
    const struct key *g = &p->key;
    const bool is_forward = g->work == SL_ONEDNN_FORWARD, is_filter = g->work == SL_ONEDNN_FILTER_GRAD;
    struct kind *kind = &p->kinds[p->n_kinds];
    kind->piece = *piece;
    if (piece->in_rows <= 0 || piece->out_rows <= 0) return false; /* in nothing but padding */
    if (!describe(p, l, kind)) return false;
    const dnnl_dims_t stride = {g->stride[0], g->stride[1]}, dilation = {g->dilation[0] - 1, g->dilation[1] - 1};
    const dnnl_dims_t before = {piece->before, g->before[1]};
    const int64_t right = (g->out[1] - 1) * g->stride[1] - g->before[1] + extent(g, 1) - g->in[1];
    const dnnl_dims_t after = {piece->after < 0 ? 0 : piece->after,
                               right < 0 ? 0 : right}; /* strides need not come out even */
    dnnl_convolution_desc_t forward, backward;
    dnnl_primitive_desc_t hint = NULL, made = NULL;
    dnnl_primitive_attr_t attr = NULL;
    bool is_good = GOOD(
        dilated_convolution_forward_desc_init(&forward, is_forward ? dnnl_forward_inference : dnnl_forward_training,
                                              dnnl_convolution_direct, &kind->in, &p->filter, NULL, &kind->out, stride,
                                              dilation, before, after));
    if (!is_forward) is_good = is_good && GOOD(primitive_desc_create(&hint, &forward, NULL, l->engine, NULL));
    if (is_good && is_filter)
        is_good = GOOD(dilated_convolution_backward_weights_desc_init(&backward, dnnl_convolution_direct, &kind->in,
                                                                      &p->filter, NULL, &kind->out, stride, dilation,
                                                                      before, after));
    else if (is_good && !is_forward)
        is_good =
            GOOD(dilated_convolution_backward_data_desc_init(&backward, dnnl_convolution_direct, &kind->in, &p->filter,
                                                             &kind->out, stride, dilation, before, after));
    const char *name = NULL;
    is_good = is_good && GOOD(primitive_attr_create(&attr)) &&
              GOOD(primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user)) &&
              GOOD(primitive_desc_create(&made, is_forward ? &forward : &backward, attr, l->engine, hint)) &&
              GOOD(primitive_desc_query(made, dnnl_query_impl_info_str, 0, &name)) && strncmp(name, "ref", 3) != 0 &&
              GOOD(primitive_create(&kind->primitive, made));
    if (is_good) {
        p->n_kinds++;
        p->filter =
            *l->primitive_desc_query_md(made, is_filter ? dnnl_query_diff_weights_md : dnnl_query_weights_md, 0);
        const size_t scratch = l->memory_desc_get_size(l->primitive_desc_query_md(made, dnnl_query_scratchpad_md, 0));
        if (scratch > p->scratch_bytes) p->scratch_bytes = scratch;
    }
    if (made) l->primitive_desc_destroy(made);
    if (hint) l->primitive_desc_destroy(hint);
    if (attr) l->primitive_attr_destroy(attr);
    return is_good;
}

/* Memory objects of one call; `is_good` turns false when one cannot be made. */
struct args {
    const struct sl_onednn_library *l;
    int n;
    bool is_good;
    dnnl_exec_arg_t items[4];
};
static void add_arg(struct args *a, int which, const dnnl_memory_desc_t *desc, void *data) {
    dnnl_memory_t memory = NULL;
    a->is_good = a->is_good && a->l->memory_create(&memory, desc, a->l->engine, data) == dnnl_success;
    if (memory) a->items[a->n++] = (dnnl_exec_arg_t){which, memory};
}
/* Runs the primitive on this thread alone and gives the objects back. */
static bool execute(struct args *a, dnnl_primitive_t primitive) {
    const struct sl_onednn_library *l = a->l;
    dnnl_stream_t stream = NULL;
    const bool is_good = a->is_good && GOOD(stream_create(&stream, l->engine, dnnl_stream_default_flags)) &&
                         GOOD(primitive_execute(primitive, stream, a->n, a->items));
    if (stream) l->stream_destroy(stream);
    for (int i = 0; i < a->n; i++) l->memory_destroy(a->items[i].memory);
    return is_good;
}
static bool reorder(const struct sl_onednn_plan *p, const struct sl_onednn_library *l, void *plain, void *theirs) {
    const bool is_back = p->key.work == SL_ONEDNN_FILTER_GRAD;
    struct args a = {.l = l, .is_good = true};
    add_arg(&a, is_back ? DNNL_ARG_TO : DNNL_ARG_FROM, &p->plain_filter, plain);
    add_arg(&a, is_back ? DNNL_ARG_FROM : DNNL_ARG_TO, &p->filter, theirs);
    return execute(&a, p->reorder);
}

/* ---- plans */
static void plan_free(struct sl_onednn_plan *p) {
    const struct sl_onednn_library *l = sl_onednn_library();
    for (int i = 0; i < p->n_kinds; i++) l->primitive_destroy(p->kinds[i].primitive);
    if (p->reorder) l->primitive_destroy(p->reorder);
    if (p->constant) sl_scratch_free(p->constant, p->filter_bytes);
    sl_free(p);
}

static bool make_reorder(struct sl_onednn_plan *p, const struct sl_onednn_library *l) {
    const bool is_back = p->key.work == SL_ONEDNN_FILTER_GRAD;
    dnnl_primitive_desc_t made;
    p->filter_bytes = l->memory_desc_get_size(&p->filter);
    if (l->memory_desc_equal(&p->filter, &p->plain_filter)) return true;
    if (!GOOD(reorder_primitive_desc_create(&made, is_back ? &p->filter : &p->plain_filter, l->engine,
                                            is_back ? &p->plain_filter : &p->filter, l->engine, NULL)))
        return false;
    const bool is_good = GOOD(primitive_create(&p->reorder, made));
    l->primitive_desc_destroy(made);
    return is_good;
}

/* The order of the filter that suits one kind may be one that another has only slow loops for: who comes first
 * chooses. */
static bool make_kinds(struct sl_onednn_plan *p, const struct sl_onednn_library *l, bool last_first) {
    while (p->n_kinds > 0) l->primitive_destroy(p->kinds[--p->n_kinds].primitive);
    for (int64_t i = 0; i < p->pieces; i++) {
        const struct piece piece = piece_at(p, last_first ? p->pieces - 1 - i : i);
        if (!kind_of(p, &piece) && (p->n_kinds == KINDS || !make_kind(p, l, &piece))) return false;
    }
    return true;
}

/* NULL: memory is out. */
static struct sl_onednn_plan *plan_new(const struct key *key, const struct sl_onednn_library *l, void *filter) {
    struct sl_onednn_plan *p = sl_calloc(1, sizeof *p);
    if (!p) return NULL;
    p->key = *key;
    p->users = 1;
    cut(p);
    p->is_of_use = (make_kinds(p, l, true) || make_kinds(p, l, false)) && make_reorder(p, l);
    if (p->is_of_use && key->is_constant && p->reorder) {
        p->constant = sl_scratch_new(p->filter_bytes);
        p->is_of_use = p->constant && reorder(p, l, filter, p->constant);
    }
    return p;
}

static void plan_release(struct sl_onednn_plan *p, struct sl_onednn_plans *plans) {
    sl_mutex_lock(&plans->mutex);
    const bool is_last = --p->users == 0;
    sl_mutex_unlock(&plans->mutex);
    if (is_last) plan_free(p);
}

/* The plan, made if need be, with one user more. Whoever comes meanwhile waits, and finds it. */
static struct sl_onednn_plan *plan_get(struct sl_onednn_plans *plans, const struct key *key,
                                       const struct sl_onednn_library *l, void *filter) {
    struct sl_onednn_plan *found = NULL, *oldest = NULL;
    sl_mutex_lock(&plans->mutex);
    int i = 0;
    while (i < SL_ONEDNN_PLANS - 1 && plans->plans[i] && memcmp(&plans->plans[i]->key, key, sizeof *key) != 0) i++;
    if (plans->plans[i] && memcmp(&plans->plans[i]->key, key, sizeof *key) == 0) found = plans->plans[i];
    else if ((found = plan_new(key, l, filter))) oldest = plans->plans[i];
    if (found) {
        memmove(plans->plans + 1, plans->plans, (size_t)i * sizeof *plans->plans);
        plans->plans[0] = found;
        found->users++;
    }
    sl_mutex_unlock(&plans->mutex);
    if (oldest) plan_release(oldest, plans);
    return found;
}

/* ---- products */
struct product {
    const struct sl_onednn_library *l;
    const struct sl_gemm *g;
    int64_t rows, columns, across; /* of a piece; pieces side by side */
    atomic_bool has_failed;
};

static void multiply(void *arg, int64_t begin, int64_t end) {
    struct product *p = arg;
    const struct sl_gemm *g = p->g;
    const int threads = p->l->omp_get_max_threads();
    p->l->omp_set_num_threads(1);
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = i / p->across * p->rows, column = i % p->across * p->columns;
        const int64_t m = least_of(p->rows, g->m - row), n = least_of(p->columns, g->n - column);
        const bool is_a_plain = g->a_k == 1, is_b_plain = g->b_column == 1;
        float *c = (float *)g->c + row * g->c_row + column;
        if (p->l->sgemm(is_a_plain ? 'N' : 'T', is_b_plain ? 'N' : 'T', m, n, g->k, 1,
                        (const float *)g->a + row * g->a_row, is_a_plain ? g->a_row : g->a_k,
                        (const float *)g->b + column * g->b_column, is_b_plain ? g->b_k : g->b_column, 0, c,
                        g->c_row) != dnnl_success)
            atomic_store(&p->has_failed, true);
        else if (g->epilogue) sl_epilogue_run(g->epilogue, c, g->c_row, m, column, n);
    }
    p->l->omp_set_num_threads(threads);
}

bool sl_onednn_product(struct sl_kernel_context *k, const struct sl_gemm *g) {
    const struct sl_onednn_library *l = sl_onednn_library();
    if (!l || !k || g->is_double || g->adds || (g->a_k != 1 && g->a_row != 1) || (g->b_column != 1 && g->b_k != 1))
        return false;
    const double flops = 2.0 * (double)g->m * (double)g->n * (double)g->k;
    if (!is_chosen(l, SL_ONEDNN_PRODUCT, g->packing, false, g->m, g->k, g->n, flops)) return false;
    struct product p = {.l = l, .g = g, .rows = g->m, .columns = g->n};
    int64_t pieces = 1;
    while (pieces < PIECES && (double)pieces * PIECE_FLOPS < flops) {
        if (p.rows < 2 * PRODUCT_STEP && p.columns < 2 * PRODUCT_STEP) break;
        if (p.rows >= p.columns) p.rows = ceil_div(p.rows, 32) * 16; /* a half, in whole vectors */
        else p.columns = ceil_div(p.columns, 32) * 16;
        pieces *= 2;
    }
    p.across = ceil_div(g->n, p.columns);
    pieces = p.across * ceil_div(g->m, p.rows);
    sl_kernel_split(k, pieces, flops / FLOPS_PER_NS / (double)pieces, multiply, &p);
    return !atomic_load(&p.has_failed);
}

/* ---- running */
struct run {
    const struct sl_onednn_library *l;
    const struct sl_onednn_plan *p;
    char *in, *out, *filter;
    size_t filter_step; /* bytes from one piece's filter to the next one's */
    const struct sl_epilogue *epilogue;
    atomic_bool has_failed;
};

static bool run_piece(const struct run *r, int64_t i, void *scratch, const dnnl_memory_desc_t *scratch_desc) {
    const struct key *g = &r->p->key;
    const struct piece piece = piece_at(r->p, i);
    const struct kind *kind = kind_of(r->p, &piece);
    const int64_t line = g->out[1] * g->out_channels;
    char *in = r->in + (piece.image * g->in[0] + piece.in_row) * g->in[1] * g->in_channels * (int64_t)sizeof(float);
    char *out = r->out + (piece.image * g->out[0] + piece.out_row) * line * (int64_t)sizeof(float);
    struct args a = {.l = r->l, .is_good = true};
    add_arg(&a, g->work == SL_ONEDNN_INPUT_GRAD ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, &kind->in, in);
    add_arg(&a, g->work == SL_ONEDNN_FORWARD ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, &kind->out, out);
    add_arg(&a, g->work == SL_ONEDNN_FILTER_GRAD ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, &r->p->filter,
            r->filter + (size_t)i * r->filter_step);
    if (scratch) add_arg(&a, DNNL_ARG_SCRATCHPAD, scratch_desc, scratch);
    if (!execute(&a, kind->primitive)) return false;
    if (r->epilogue)
        sl_epilogue_run(r->epilogue, out, g->out_channels, piece.images * piece.out_rows * g->out[1], 0,
                        g->out_channels);
    return true;
}

static void run_pieces(void *arg, int64_t begin, int64_t end) {
    struct run *r = arg;
    const size_t bytes = r->p->scratch_bytes;
    const dnnl_dims_t size = {(dnnl_dim_t)bytes};
    const int threads = r->l->omp_get_max_threads(); /* the caller's */
    dnnl_memory_desc_t desc;
    void *scratch = bytes ? sl_scratch_new(bytes) : NULL;
    bool is_good =
        (!bytes || scratch) && r->l->memory_desc_init_by_tag(&desc, 1, size, dnnl_u8, dnnl_a) == dnnl_success;
    r->l->omp_set_num_threads(1);
    for (int64_t i = begin; i < end && is_good; i++) is_good = run_piece(r, i, scratch, &desc);
    r->l->omp_set_num_threads(threads);
    if (scratch) sl_scratch_free(scratch, bytes);
    if (!is_good) atomic_store(&r->has_failed, true);
}

static void add_filters(void *arg, int64_t begin, int64_t end) {
    const struct run *r = arg;
    for (int64_t i = 1; i < r->p->pieces; i++) {
        float *restrict to = (float *)(void *)r->filter;
        const float *restrict from = (const float *)(const void *)(r->filter + (size_t)i * r->filter_step);
        for (int64_t j = begin; j < end; j++) to[j] += from[j];
    }
}

/* Filters lie in `room` where they are not in the caller's order, or several. */
static bool run_plan(const struct sl_onednn_plan *p, struct sl_kernel_context *k, struct run *r, char *filter) {
    const bool is_filter = p->key.work == SL_ONEDNN_FILTER_GRAD;
    const size_t step = (p->filter_bytes + 63) & ~(size_t)63, room_bytes = is_filter ? step * (size_t)p->pieces : step;
    const bool needs_room = !p->constant && (p->reorder || (is_filter && p->pieces > 1));
    char *room = needs_room ? sl_scratch_new(room_bytes) : NULL;
    if (needs_room && !room) return false;
    r->filter = room ? room : p->constant ? p->constant : filter;
    if (is_filter) r->filter_step = step;
    const int threads = r->l->omp_get_max_threads();
    r->l->omp_set_num_threads(1);
    bool is_good = is_filter || p->constant || !p->reorder || reorder(p, r->l, filter, room);
    if (is_good) {
        sl_kernel_split(k, p->pieces, flops_of(&p->key) / FLOPS_PER_NS / (double)p->pieces, run_pieces, r);
        is_good = !atomic_load(&r->has_failed);
    }
    if (is_good && is_filter && room) {
        sl_kernel_split(k, (int64_t)(p->filter_bytes / sizeof(float)), 0.3 * (double)p->pieces, add_filters, r);
        if (p->reorder) is_good = reorder(p, r->l, filter, room);
        else memcpy(filter, room, p->filter_bytes);
    }
    r->l->omp_set_num_threads(threads);
    if (room) sl_scratch_free(room, room_bytes);
    return is_good;
}

bool sl_onednn_is_there(void) { return sl_onednn_library() != NULL; }

bool sl_onednn_conv(struct sl_onednn_plans *plans, struct sl_kernel_context *k, enum sl_onednn_work work,
                    const struct sl_conv_spec *c, void *in, void *filter, void *out) {
    const struct sl_onednn_library *l = sl_onednn_library();
    const int64_t points = c->out.batch * sl_image_points(&c->out);
    const int64_t read = c->in.batch * sl_image_points(&c->in) * c->in.channels;
    if (read > INT32_MAX || points * c->out.channels > INT32_MAX) return false; /* it counts some things in 32 bits */
    if (!l || c->is_double || c->groups != 1 || c->size[0] != 1 || c->in.space[0] != 1 || c->out.space[0] != 1)
        return false;
    const bool is_constant = work == SL_ONEDNN_FORWARD && c->packing;
    struct key key = {.work = work,
                      .is_constant = is_constant,
                      .batch = c->in.batch,
                      .in_channels = c->in.channels,
                      .out_channels = c->out.channels};
    bool is_plain = true; /* a pixel makes a pixel: images are rows of one image */
    for (int d = 0; d < 2; d++) {
        key.in[d] = c->in.space[d + 1];
        key.out[d] = c->out.space[d + 1];
        key.size[d] = c->size[d + 1];
        key.stride[d] = c->stride[d + 1];
        key.dilation[d] = c->dilation[d + 1];
        key.before[d] = c->before[d + 1];
        is_plain = is_plain && key.size[d] == 1 && key.stride[d] == 1 && key.in[d] == key.out[d] && !key.before[d];
        if (work == SL_ONEDNN_INPUT_GRAD && key.stride[d] != 1) return false;
        if (extent(&key, d) > MOST_PADDING || key.before[d] > MOST_PADDING) return false;
    }
    if (is_plain && work != SL_ONEDNN_FILTER_GRAD) return false; /* the product that it is asks for itself */
    if (is_plain) {
        key.in[0] = key.out[0] = key.in[0] * key.batch;
        key.batch = 1;
    }
    if (!is_chosen(l, work, is_constant, key.size[0] * key.size[1] > 1, points, key.in_channels, key.out_channels,
                   flops_of(&key)))
        return false;
    const int threads = l->omp_get_max_threads();
    l->omp_set_num_threads(1); /* primitives are made for as many */
    struct sl_onednn_plan *p = plan_get(plans, &key, l, filter);
    l->omp_set_num_threads(threads);
    struct run r = {.l = l, .p = p, .in = in, .out = out, .epilogue = c->epilogue};
    const bool is_good = p && p->is_of_use && run_plan(p, k, &r, filter);
    if (p) plan_release(p, plans);
    return is_good;
}

void sl_onednn_plans_clear(struct sl_onednn_plans *plans) {
    for (int i = 0; i < SL_ONEDNN_PLANS; i++)
        if (plans->plans[i]) plan_free(plans->plans[i]);
    sl_mutex_clear(&plans->mutex);
}

#else
bool sl_onednn_is_there(void) { return false; }
bool sl_onednn_conv(struct sl_onednn_plans *plans, struct sl_kernel_context *k, enum sl_onednn_work work,
                    const struct sl_conv_spec *c, void *in, void *filter, void *out) {
    (void)plans, (void)k, (void)work, (void)c, (void)in, (void)filter, (void)out;
    return false;
}
bool sl_onednn_product(struct sl_kernel_context *k, const struct sl_gemm *g) {
    (void)k, (void)g;
    return false;
}
void sl_onednn_plans_clear(struct sl_onednn_plans *plans) { sl_mutex_clear(&plans->mutex); }
#endif

void sl_onednn_plans_init(struct sl_onednn_plans *plans) {
    memset(plans, 0, sizeof *plans);
    sl_mutex_init(&plans->mutex);
}

/* ---- as rows */
static bool fits(const struct sl_conv_spec *c) { return c->onednn && sl_onednn_is_there(); }
static sl_code forward(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                       const struct sl_conv_data *data) {
    *is_done = sl_onednn_conv(c->onednn, k, SL_ONEDNN_FORWARD, c, data->in, data->filter, data->out);
    return SL_OK;
}
static sl_code input_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                          const struct sl_conv_data *data) {
    *is_done = sl_onednn_conv(c->onednn, k, SL_ONEDNN_INPUT_GRAD, c, data->in, data->filter, data->out);
    return SL_OK;
}
static sl_code filter_grad(bool *is_done, struct sl_kernel_context *k, const struct sl_conv_spec *c,
                           const struct sl_conv_data *data) {
    *is_done = sl_onednn_conv(c->onednn, k, SL_ONEDNN_FILTER_GRAD, c, data->in, data->filter, data->out);
    return SL_OK;
}
const struct sl_conv_method sl_conv_forward_by_onednn = {"oneDNN", fits, NULL, forward},
                            sl_conv_input_grad_by_onednn = {"oneDNN", fits, NULL, input_grad},
                            sl_conv_filter_grad_by_onednn = {"oneDNN", fits, NULL, filter_grad};
