/* _FusedAttention: softmax(steps(q k')) v for each matrix of a batch, as attention has it. Rows of scores are made,
 * changed and used up some at a time, in the cache; nothing of their size is ever in memory.
 * passes/optimise/fuse_attention.c makes such nodes. Attrs:
 *
 *   layouts  of q, k, v and the result: "bhmd" is [batch..., rows, columns], "bmhd" [batch, rows, heads, columns]. Of k
 *            and v these are "bhnd" and "bnhd"; "bhdn" is a k whose columns stand where rows do
 *   steps    what is done to the scores before softmax: Mul, RealDiv, AddV2, Sub with an input of `args` that
 *            broadcasts, SelectV2 with two
 *   sides    of each step: which of its inputs the scores are
 *   names    of the nodes that the scores, each step and the product with v were, for messages; `adj_y`,
 *            `is_einsum` and `key_first` say how they were written
 *
 * Each row goes through the same sums however rows are put together, so results are the same bits for every number of
 * threads. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/math/broadcast_map.h"
#include "backends/cpu/math/elementwise.h"
#include "backends/cpu/nn/softmax_loops.h"
#include "backends/cpu/product/fpmath.h"
#include "backends/cpu/product/narrow_product.h"
#include "base/alloc.h"
#include "base/checked.h"

enum {
    MOST_STEPS = 4,
    MOST_ARGS = 2 * MOST_STEPS,
    SIDES = 3, /* q, k, v */
    BLOCK_BYTES = 96 << 10,
    BLOCK_ROWS = 48,
    ROUNDED_BLOCK_ROWS = 256, /* tile registers want more, and pack their right side for each block */
    LEAST_ITEMS = 8
};
#define ELEMENT_NS   0.5 /* steps and softmax of a score */
#define MOST_ITEM_NS 2e6

enum layout { PLAIN, BY_ROWS, TURNED };

struct step {
    sl_loop_fn loop; /* NULL: SelectV2 */
    int side, first_arg;
};
struct state {
    enum layout layouts[SIDES + 1];
    struct step steps[MOST_STEPS];
    int n_steps, n_args;
    bool adj_y, is_einsum, key_first;
    struct sl_str names[MOST_STEPS + 2]; /* in `text` */
    char text[];
};

/* ---- making */

static sl_code read_layouts(struct state *s, struct sl_kernel_setup *setup) {
    static const char *const words[SIDES + 1][3] = {{"bhmd", "bmhd", ""},
                                                    {"bhnd", "bnhd", "bhdn"},
                                                    {"bhnd", "bnhd", ""},
                                                    {"bhmd", "bmhd", ""}};
    const struct sl_str *given;
    int n;
    SL_TRY(sl_attr_string_list(&given, &n, setup->attrs, "layouts", setup->err));
    if (n != SIDES + 1) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_FusedAttention has 4 layouts, not %d", n);
    for (int i = 0; i < n; i++) {
        int layout = PLAIN;
        while (layout <= TURNED && !sl_str_is(given[i], words[i][layout])) layout++;
        if (layout > TURNED || !given[i].n)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_FusedAttention: no layout %d can be '%.*s'", i,
                           SL_STR_ARG(given[i]));
        s->layouts[i] = (enum layout)layout;
    }
    return SL_OK;
}

static const struct {
    const char *op;
    enum sl_loop_op loop;
} binary[] = {{"Mul", SL_LOOP_Mul}, {"RealDiv", SL_LOOP_Div}, {"AddV2", SL_LOOP_Add}, {"Sub", SL_LOOP_Sub}};
enum { N_BINARY = sizeof binary / sizeof *binary };

static sl_code read_steps(struct state *s, struct sl_kernel_setup *setup) {
    const struct sl_str *ops;
    const int64_t *sides;
    int n_sides;
    SL_TRY(sl_attr_string_list(&ops, &s->n_steps, setup->attrs, "steps", setup->err));
    SL_TRY(sl_attr_int_list(&sides, &n_sides, setup->attrs, "sides", setup->err));
    if (s->n_steps > MOST_STEPS || n_sides != s->n_steps)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_FusedAttention of %d steps and %d sides: %d are possible",
                       s->n_steps, n_sides, MOST_STEPS);
    for (int i = 0; i < s->n_steps; i++) {
        struct step *step = &s->steps[i];
        const bool selects = sl_str_is(ops[i], "SelectV2");
        int at = 0;
        while (at < N_BINARY && !sl_str_is(ops[i], binary[at].op)) at++;
        if ((at == N_BINARY && !selects) || sides[i] < selects || sides[i] > 1 + selects)
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_FusedAttention: no step can be %.*s of input %" PRId64,
                           SL_STR_ARG(ops[i]), sides[i]);
        *step = (struct step){.side = (int)sides[i], .first_arg = s->n_args};
        if (!selects) step->loop = sl_elementwise_loop(binary[at].loop, SL_FLOAT).run;
        s->n_args += 1 + selects;
    }
    for (int i = 0, arg = 0; i < s->n_steps; i++)
        for (int j = 0; j < (s->steps[i].loop ? 1 : 2); j++, arg++)
            if (SIDES + arg < setup->n_in &&
                setup->in_types[SIDES + arg] != (s->steps[i].loop || j ? SL_FLOAT : SL_BOOL))
                return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_FusedAttention: input %d cannot be of type %s",
                               SIDES + arg, sl_dtype_name(setup->in_types[SIDES + arg]));
    if (setup->n_in != SIDES + s->n_args)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_FusedAttention with these steps has %d inputs, not %d",
                       SIDES + s->n_args, setup->n_in);
    return SL_OK;
}

static sl_code attention_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_str *names;
    int n;
    size_t bytes = 0;
    struct state read = {.n_args = 0};
    SL_TRY(read_layouts(&read, setup));
    SL_TRY(read_steps(&read, setup));
    SL_TRY(sl_attr_bool(&read.adj_y, setup->attrs, "adj_y", setup->err));
    SL_TRY(sl_attr_bool(&read.is_einsum, setup->attrs, "is_einsum", setup->err));
    SL_TRY(sl_attr_bool(&read.key_first, setup->attrs, "key_first", setup->err));
    SL_TRY(sl_attr_string_list(&names, &n, setup->attrs, "names", setup->err));
    if (n != read.n_steps + 2)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "_FusedAttention of %d steps has %d names, not %d",
                       read.n_steps, read.n_steps + 2, n);
    for (int i = 0; i < n; i++) bytes += names[i].n;
    struct state *s = sl_malloc(sizeof *s + bytes);
    if (!s) return sl_fail_memory(setup->err, sizeof *s + bytes);
    *s = read;
    char *to = s->text;
    for (int i = 0; i < n; i++) {
        if (names[i].n) memcpy(to, names[i].p, names[i].n);
        s->names[i] = (struct sl_str){to, names[i].n};
        to += names[i].n;
    }
    *state = s;
    return SL_OK;
}

static void attention_destroy(void *state) { sl_free(state); }

/* ---- shapes */

/* An input as [batch..., rows, columns], whatever its layout; of `args`, fewer dims may be there. */
struct side {
    const char *data;
    int rank;
    int64_t dims[SL_MAX_RANK], strides[SL_MAX_RANK]; /* in elements; 0: one for all */
};
static struct sl_shape shape_of(const struct side *s) { return (struct sl_shape){s->rank, s->dims}; }

struct plan {
    struct sl_kernel_context *k;
    const struct state *s;
    const struct sl_gemm_loops *loops;
    const struct sl_softmax_loops *softmax;
    bool rounds;
    int64_t m, n, d, columns; /* q is m x d, k n x d, v n x columns */
    int batch_rank;
    int64_t batch, batch_dims[SL_MAX_RANK];
    int64_t rows_of_item, items_of_matrix, block_rows;
    struct side in[SIDES], out, args[MOST_ARGS];
    _Atomic bool is_out_of_memory;
};

static void swap(int64_t *x, int64_t *y) {
    int64_t t = *x;
    *x = *y;
    *y = t;
}

static void set_side(struct side *s, const void *data, struct sl_shape shape, enum layout layout) {
    int64_t below = 1;
    s->data = data;
    s->rank = shape.rank;
    for (int d = shape.rank - 1; d >= 0; d--) {
        s->dims[d] = shape.dims[d];
        s->strides[d] = shape.dims[d] == 1 ? 0 : below;
        below *= shape.dims[d];
    }
    if (layout == PLAIN) return;
    const int at = layout == BY_ROWS ? 1 : s->rank - 2;
    swap(&s->dims[at], &s->dims[at + 1]);
    swap(&s->strides[at], &s->strides[at + 1]);
}

static int64_t rows_of(const struct side *s) { return s->dims[s->rank - 2]; }
static int64_t columns_of(const struct side *s) { return s->dims[s->rank - 1]; }
static int64_t row_step(const struct side *s) { return s->rank >= 2 ? s->strides[s->rank - 2] : 0; }
static int64_t column_step(const struct side *s) { return s->rank >= 1 ? s->strides[s->rank - 1] : 0; }

/* In the words of the node that `name` was. */
static sl_code named(struct plan *p, int name, sl_code code) {
    sl_error_name_node(p->k->err, p->s->names[name]);
    return code;
}

static sl_code read_sides(struct plan *p) {
    for (int i = 0; i < SIDES; i++) {
        const struct sl_view v = sl_in(p->k, i);
        const int name = i == 2 ? p->s->n_steps + 1 : 0, least = p->s->is_einsum || p->s->layouts[i] == BY_ROWS ? 4 : 2;
        if (v.rank < least || (least == 4 && v.rank > 4))
            return named(p, name, sl_invalid(p->k, "In[%d] ndims must be >= %d: %d", i != 0, least, v.rank));
        set_side(&p->in[i], v.data, sl_view_shape(v), p->s->layouts[i]);
    }
    for (int i = 0; i < p->s->n_args; i++) {
        const struct sl_view v = sl_in(p->k, SIDES + i);
        set_side(&p->args[i], v.data, sl_view_shape(v), PLAIN);
    }
    return SL_OK;
}

/* The second factor as the node had it that made the scores. */
static struct sl_shape second_shape(int64_t dims[SL_MAX_RANK], const struct plan *p, const struct side *second) {
    memcpy(dims, second->dims, (size_t)second->rank * sizeof *dims);
    if (!p->s->adj_y) swap(&dims[second->rank - 2], &dims[second->rank - 1]);
    return (struct sl_shape){second->rank, dims};
}

static sl_code product_mismatch(struct plan *p, int name, struct sl_shape x, struct sl_shape y, int64_t a, int64_t b) {
    char s[SL_SHAPE_TEXT], t[SL_SHAPE_TEXT];
    return named(p, name,
                 sl_invalid(p->k,
                            "Matrix size-incompatible: In[0] mismatch In[1] shape: %" PRId64 " vs. %" PRId64
                            ": %s %s %d %d",
                            a, b, sl_shape_text(s, x), sl_shape_text(t, y), 0, name == 0 && p->s->adj_y));
}

static sl_code einsum_mismatch(struct plan *p, int name, int64_t wanted, int64_t given) {
    return named(p, name,
                 sl_invalid(p->k, "Expected dimension %" PRId64 " at axis of Einsum, got %" PRId64, wanted, given));
}

/* `to`, of `*rank` dims, becomes the shape of both, but for the last two of each. */
static sl_code join_batches(struct plan *p, int name, int64_t to[SL_MAX_RANK], int *rank, struct sl_shape x,
                            struct sl_shape y) {
    const struct sl_broadcast_map_input both[] = {{.shape = {x.rank - 2, x.dims}}, {.shape = {y.rank - 2, y.dims}}};
    struct sl_shape joined;
    char s[SL_SHAPE_TEXT], t[SL_SHAPE_TEXT];
    if (!sl_broadcast_map_shape(&joined, to, both, 2))
        return named(p, name,
                     sl_invalid(p->k, "In[0] and In[1] must have compatible batch dimensions: %s vs. %s",
                                sl_shape_text(s, x), sl_shape_text(t, y)));
    if (joined.rank > 0 && joined.dims != to) memmove(to, joined.dims, (size_t)joined.rank * sizeof *to);
    *rank = joined.rank;
    return SL_OK;
}

/* The shape of the scores that q and k give. */
static sl_code score(struct plan *p, int64_t dims[SL_MAX_RANK], int *rank) {
    const struct side *q = &p->in[0], *k = &p->in[1];
    const struct side *first = p->s->key_first ? k : q, *second = p->s->key_first ? q : k;
    int64_t other[SL_MAX_RANK];
    p->d = columns_of(q);
    if (p->s->is_einsum) {
        static const int order[] = {0, 1, 3};
        for (int i = 0; i < 3; i++)
            if (first->dims[order[i]] != second->dims[order[i]])
                return einsum_mismatch(p, 0, first->dims[order[i]], second->dims[order[i]]);
    }
    const struct sl_shape y = second_shape(other, p, second);
    if (columns_of(first) != columns_of(second))
        return product_mismatch(p, 0, shape_of(first), y, columns_of(first), columns_of(second));
    SL_TRY(join_batches(p, 0, dims, rank, shape_of(first), y));
    if (*rank > SL_MAX_RANK - 2) return sl_invalid(p->k, "_FusedAttention: too many dimensions");
    dims[(*rank)++] = rows_of(q);
    dims[(*rank)++] = rows_of(k);
    return SL_OK;
}

static sl_code widen(struct plan *p, int i, int64_t dims[SL_MAX_RANK], int *rank) {
    const struct step *step = &p->s->steps[i];
    const int n = step->loop ? 2 : 3;
    int64_t wide[SL_MAX_RANK];
    struct sl_shape all;
    struct sl_broadcast_map_input in[SL_BROADCAST_MAP_INPUTS];
    char text[SL_BROADCAST_MAP_INPUTS][SL_SHAPE_TEXT];
    for (int j = 0, arg = step->first_arg; j < n; j++)
        in[j].shape = j == step->side ? (struct sl_shape){*rank, dims} : shape_of(&p->args[arg++]);
    if (!sl_broadcast_map_shape(&all, wide, in, n)) {
        for (int j = 0; j < n; j++) sl_shape_text(text[j], in[j].shape);
        return named(p, 1 + i,
                     step->loop ? sl_invalid(p->k, "Incompatible shapes: %s vs. %s", text[0], text[1])
                                : sl_invalid(p->k, "condition %s, then %s, and else %s must be broadcastable", text[0],
                                             text[1], text[2]));
    }
    *rank = all.rank;
    memcpy(dims, all.dims, (size_t)all.rank * sizeof *dims);
    return SL_OK;
}

/* The batch of all, and m, n and columns. */
static sl_code join_value(struct plan *p, struct sl_shape scores) {
    const struct side *v = &p->in[2];
    const int name = p->s->n_steps + 1;
    p->m = scores.dims[scores.rank - 2];
    p->n = scores.dims[scores.rank - 1];
    p->columns = columns_of(v);
    if (p->s->is_einsum && scores.rank != 4)
        return named(p, name, sl_invalid(p->k, "Expected input 0 of Einsum to have rank 4, got %d", scores.rank));
    if (p->s->is_einsum) {
        /* In the order in which v has them. */
        const int64_t x[] = {scores.dims[0], scores.dims[1], p->n}, y[] = {v->dims[0], v->dims[1], v->dims[2]};
        const int order[] = {0, p->s->layouts[2] == BY_ROWS ? 2 : 1, p->s->layouts[2] == BY_ROWS ? 1 : 2};
        for (int i = 0; i < 3; i++)
            if (x[order[i]] != y[order[i]]) return einsum_mismatch(p, name, x[order[i]], y[order[i]]);
    }
    if (p->n != rows_of(v)) return product_mismatch(p, name, scores, shape_of(v), p->n, rows_of(v));
    return join_batches(p, name, p->batch_dims, &p->batch_rank, scores, shape_of(v));
}

/* ---- rows */

/* What a thread works in: k and v as tiles read them, a block of scores, inputs of steps as rows. */
struct room {
    char *data;
    size_t bytes;
    struct sl_panels k, v;
    const char *packed_k, *packed_v; /* what is there packed */
    float *scores;
    char *rows[MOST_ARGS];
    const char *filled[MOST_ARGS]; /* the element that fills it */
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* The memory of everything, from room->data on; 0: too much. */
static size_t lay_out(struct room *r, const struct plan *p) {
    size_t at = 0;
    int64_t row, block;
    if (!sl_mul_i64(&row, p->n, sizeof(float)) || !sl_mul_i64(&block, row, p->block_rows)) return 0;
    const size_t k = p->d ? sl_panels_init(&r->k, p->loops, sizeof(float), p->n, p->d, 2) : 1;
    const size_t v = sl_panels_init(&r->v, p->loops, sizeof(float), p->columns, p->n, 2);
    const size_t most = SIZE_MAX / 32;
    if (!k || !v || k > most || v > most || (size_t)block > most) return 0;
    if (p->m > SL_FEW_ROWS) {
        r->k.data = r->data;
        at = rounded(k);
        r->v.data = r->data ? r->data + at : NULL;
        at += rounded(v);
    }
    r->scores = r->data ? (float *)(void *)(r->data + at) : NULL;
    at += rounded((size_t)block);
    for (int i = 0; i < p->s->n_args; i++) {
        r->rows[i] = r->data ? r->data + at : NULL;
        at += rounded((size_t)row);
    }
    return at;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Where matrix i of the batch begins. */
static int64_t offset_of(const struct plan *p, const struct side *s, int64_t i) {
    int64_t offset = 0;
    for (int d = p->batch_rank - 1, at = s->rank - 3; d >= 0; d--, at--) {
        if (at >= 0) offset += i % p->batch_dims[d] * s->strides[at];
        i /= p->batch_dims[d];
    }
    return offset;
}

/* `rows` rows of A by panels. */
static void multiply(const struct plan *p, const struct sl_panels *panels, const float *a, int64_t a_row, float *c,
                     int64_t c_row, int64_t rows) {
    const void *pointers[SL_TILE_ROWS];
    struct sl_gemm_tile t = {.loops = p->loops, .size = sizeof(float), .c_row = c_row};
    for (int64_t j = 0; j < panels->count; j++) {
        t.b = sl_panel(panels, j);
        t.vectors = sl_panel_vectors(panels, j);
        t.b_k = (int64_t)t.vectors * p->loops->lanes;
        t.columns = sl_panel_columns(panels, j);
        for (int64_t r = 0; r < rows; r += t.rows) {
            t.rows = (int)smaller(rows - r, p->loops->rows_most);
            t.c = c + r * c_row + j * panels->width;
            for (int i = 0; i < t.rows; i++) pointers[i] = a + (r + i) * a_row;
            sl_gemm_tile_rows(&t, 1, panels->k, pointers, 0);
        }
    }
}

/* Of few rows, with B as it stands. */
static void update(const struct plan *p, int64_t rows, float *c, int64_t c_row, const float *a, int64_t a_row,
                   const void *b, int64_t b_k, int64_t n, int64_t k) {
    for (int64_t i = 0; i < rows; i++) memset(c + i * c_row, 0, (size_t)n * sizeof *c);
    p->loops->update((int)rows, c, c_row, a, a_row, 1, b, b_k, n, k);
}

/* With factors rounded to bfloat16, where that is asked for and pays; false: not done. */
static bool multiply_rounded(const struct plan *p, struct sl_gemm g) {
    bool is_done = false;
    g.rounds = p->rounds;
    g.a_k = 1;
    return p->rounds && sl_rounded_product_run(&is_done, NULL, &g, NULL) == SL_OK && is_done;
}

static void score_rows(const struct plan *p, struct room *r, const float *q, const char *k, int64_t rows) {
    const struct side *side = &p->in[1];
    const int64_t q_row = row_step(&p->in[0]), step = column_step(side), line = row_step(side);
    if (p->d == 0) {
        memset(r->scores, 0, (size_t)(rows * p->n) * sizeof(float));
        return;
    }
    if (multiply_rounded(p, (struct sl_gemm){.m = rows,
                                             .n = p->n,
                                             .k = p->d,
                                             .a = q,
                                             .a_row = q_row,
                                             .b = k,
                                             .b_k = step,
                                             .b_column = line,
                                             .c = r->scores,
                                             .c_row = p->n}))
        return;
    if (p->m <= SL_FEW_ROWS) {
        if (line == 1 && step != 1) update(p, rows, r->scores, p->n, q, q_row, k, step, p->n, p->d);
        else p->loops->dots[rows - 1](r->scores, p->n, 1, q, q_row, k, line, p->n, p->d, false);
        return;
    }
    for (int64_t i = 0; i < r->k.count && r->packed_k != k; i++) sl_panel_pack(&r->k, i, p->loops, k, step, line, 0);
    r->packed_k = k;
    multiply(p, &r->k, q, q_row, r->scores, p->n, rows);
}

static void weigh_rows(const struct plan *p, struct room *r, const char *v, float *out, int64_t rows) {
    const int64_t v_row = row_step(&p->in[2]), out_row = row_step(&p->out);
    if (multiply_rounded(p, (struct sl_gemm){.m = rows,
                                             .n = p->columns,
                                             .k = p->n,
                                             .a = r->scores,
                                             .a_row = p->n,
                                             .b = v,
                                             .b_k = v_row,
                                             .b_column = 1,
                                             .c = out,
                                             .c_row = out_row}))
        return;
    if (p->m <= SL_FEW_ROWS) {
        update(p, rows, out, out_row, r->scores, p->n, v, v_row, p->columns, p->n);
        return;
    }
    for (int64_t i = 0; i < r->v.count && r->packed_v != v; i++) sl_panel_pack(&r->v, i, p->loops, v, v_row, 1, 0);
    r->packed_v = v;
    multiply(p, &r->v, r->scores, p->n, out, out_row, rows);
}

/* Input `arg` of a step for a row of scores: n elements. */
static const void *row_of(const struct plan *p, struct room *r, int arg, int64_t offset, int64_t row, bool is_bool) {
    const struct side *s = &p->args[arg];
    const int64_t at = offset + row * row_step(s);
    const char *from = s->data + at * (is_bool ? 1 : (int64_t)sizeof(float));
    if (column_step(s) == 1 || p->n == 1) return from;
    if (r->filled[arg] == from) return r->rows[arg];
    r->filled[arg] = from;
    if (is_bool) memset(r->rows[arg], *from, (size_t)p->n);
    else
        for (int64_t j = 0; j < p->n; j++) memcpy(r->rows[arg] + j * (int64_t)sizeof(float), from, sizeof(float));
    return r->rows[arg];
}

static void run_steps(const struct plan *p, struct room *r, const int64_t offsets[MOST_ARGS], int64_t row,
                      int64_t rows) {
    const sl_loop_fn select = SL_ISA_PICK(sl_select_loop)(sizeof(float));
    for (int i = 0; i < p->s->n_steps; i++) {
        const struct step *step = &p->s->steps[i];
        const int arg = step->first_arg;
        float *x = r->scores;
        for (int64_t j = row; j < row + rows; j++, x += p->n) {
            const void *y = row_of(p, r, arg, offsets[arg], j, !step->loop);
            if (step->loop) {
                step->loop(x, step->side ? y : x, step->side ? x : y, NULL, p->n);
                continue;
            }
            const void *other = row_of(p, r, arg + 1, offsets[arg + 1], j, false);
            select(x, y, step->side == 1 ? x : other, step->side == 1 ? other : x, p->n);
        }
    }
}

static void run_item(const struct plan *p, struct room *r, int64_t matrix, int64_t first) {
    const int64_t size = sizeof(float), last = smaller(first + p->rows_of_item, p->m);
    const char *q = p->in[0].data + offset_of(p, &p->in[0], matrix) * size;
    const char *k = p->in[1].data + offset_of(p, &p->in[1], matrix) * size;
    const char *v = p->in[2].data + offset_of(p, &p->in[2], matrix) * size;
    char *out = (char *)(uintptr_t)p->out.data + offset_of(p, &p->out, matrix) * size;
    int64_t offsets[MOST_ARGS] = {0};
    for (int i = 0; i < p->s->n_args; i++) offsets[i] = offset_of(p, &p->args[i], matrix);
    for (int64_t row = first; row < last; row += p->block_rows) {
        const int64_t rows = smaller(p->block_rows, last - row);
        score_rows(p, r, (const float *)(const void *)(q + row * row_step(&p->in[0]) * size), k, rows);
        run_steps(p, r, offsets, row, rows);
        p->softmax->softmax(r->scores, NULL, NULL, r->scores, rows, p->n);
        weigh_rows(p, r, v, (float *)(void *)(out + row * row_step(&p->out) * size), rows);
    }
}

static void run_items(void *arg, int64_t begin, int64_t end) {
    struct plan *p = arg;
    struct room r = {.data = NULL};
    r.bytes = lay_out(&r, p);
    r.data = r.bytes ? sl_scratch_new(r.bytes) : NULL;
    if (!r.data) {
        atomic_store(&p->is_out_of_memory, true);
        return;
    }
    lay_out(&r, p);
    for (int64_t item = begin; item < end; item++)
        run_item(p, &r, item / p->items_of_matrix, item % p->items_of_matrix * p->rows_of_item);
    sl_scratch_free(r.data, r.bytes);
}

static double rows_ns(const struct plan *p, int64_t rows) {
    return sl_gemm_ns(rows, p->n, p->d + p->columns) + ELEMENT_NS * (double)rows * (double)p->n;
}

/* By sizes alone. */
static void cut_items(struct plan *p) {
    const int64_t step = p->loops->rows_most, most = p->rounds ? ROUNDED_BLOCK_ROWS : BLOCK_ROWS;
    int64_t block = (p->rounds ? 4 : 1) * (BLOCK_BYTES / (int64_t)sizeof(float)) / p->n / step * step;
    block = block < step ? step : smaller(block, most / step * step);
    p->block_rows = smaller(block, p->m);
    p->rows_of_item = p->m;
    while (p->rows_of_item > 2 * block &&
           (p->batch * divide_up(p->m, p->rows_of_item) < LEAST_ITEMS || rows_ns(p, p->rows_of_item) > MOST_ITEM_NS))
        p->rows_of_item = divide_up(divide_up(p->rows_of_item, 2), block) * block;
    p->items_of_matrix = divide_up(p->m, p->rows_of_item);
}

static sl_code run(struct plan *p) {
    int64_t dims[SL_MAX_RANK], out_dims[SL_MAX_RANK];
    int rank;
    struct sl_view out;
    SL_TRY(read_sides(p));
    SL_TRY(score(p, dims, &rank));
    for (int i = 0; i < p->s->n_steps; i++) SL_TRY(widen(p, i, dims, &rank));
    SL_TRY(join_value(p, (struct sl_shape){rank, dims}));
    if (p->batch_rank > SL_MAX_RANK - 2) return sl_invalid(p->k, "_FusedAttention: too many dimensions");
    rank = p->batch_rank + 2;
    if (p->s->layouts[SIDES] == BY_ROWS && rank != 4)
        return sl_invalid(p->k, "transpose expects a vector of size %d. But input(1) is a vector of size 4", rank);
    memcpy(out_dims, p->batch_dims, (size_t)p->batch_rank * sizeof *out_dims);
    out_dims[rank - 2] = p->m;
    out_dims[rank - 1] = p->columns;
    if (p->s->layouts[SIDES] == BY_ROWS) swap(&out_dims[1], &out_dims[2]);
    SL_TRY(sl_out_new(&out, p->k, 0, (struct sl_shape){rank, out_dims}));
    if (out.count == 0) return SL_OK;
    if (p->n == 0) {
        memset(out.data, 0, (size_t)out.count * sizeof(float));
        return SL_OK;
    }
    set_side(&p->out, out.data, (struct sl_shape){rank, out_dims}, p->s->layouts[SIDES]);
    p->batch = out.count / p->m / p->columns;
    cut_items(p);
    sl_kernel_split(p->k, p->batch * p->items_of_matrix, rows_ns(p, smaller(p->rows_of_item, p->m)) + 200, run_items,
                    p);
    return atomic_load(&p->is_out_of_memory) ? sl_fail(p->k->err, SL_RESOURCE_EXHAUSTED, "out of memory for attention")
                                             : SL_OK;
}

static sl_code attention_run(struct sl_kernel_context *k) {
    struct plan *p = sl_malloc(sizeof *p); /* what is not used of its dims is not touched */
    if (!p) return sl_fail_memory(k->err, sizeof *p);
    p->k = k;
    p->s = k->state;
    p->loops = sl_gemm_best_loops(false);
    p->softmax = SL_ISA_PICK(sl_softmax_loops)(false);
    p->rounds = sl_fpmath_rounds(SL_FLOAT);
    atomic_init(&p->is_out_of_memory, false);
    const sl_code code = run(p);
    sl_free(p);
    return code;
}

const struct sl_kernel_def sl_cpu_attention_rows[] = {
    KERNEL("_FusedAttention", RULE("T", SL_SET(FLOAT)), .create = attention_create, .destroy = attention_destroy,
           .run = attention_run, .cost_ns = 200, .cost_element = 8) SL_ROWS_END};
