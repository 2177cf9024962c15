/* Scattering and gathering: indices become row numbers, rows are moved or combined. Called by the kernels of
 * scatter_cpu.c and of variables. */
#include "backends/cpu/scatter/scatter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/indices.h"

/* ---- messages */

/* The position of entry `at` in a tensor with these dims, "1,0". */
static const char *text_of_position(char text[SL_SHAPE_TEXT], int64_t at, const int64_t *dims, int rank) {
    int64_t place[SL_MAX_RANK];
    if (rank == 0) return strcpy(text, "");
    for (int i = rank - 1; i >= 0; i--) {
        place[i] = at % dims[i];
        at /= dims[i];
    }
    sl_shape_text(text, (struct sl_shape){rank, place});
    text[strlen(text) - 1] = 0;
    return text + 1;
}

static sl_code bad_index(struct sl_kernel_context *k, struct sl_view indices, int64_t at, int64_t limit) {
    char text[SL_SHAPE_TEXT];
    const char *position = text_of_position(text, at, indices.dims, indices.rank);
    return sl_invalid(k, "indices%s%s%s = %" PRId64 " is not in [0, %" PRId64 ")", indices.rank ? "[" : "", position,
                      indices.rank ? "]" : "", sl_index_at(indices, at), limit);
}

static sl_code bad_nd_index(struct sl_kernel_context *k, struct sl_view indices, int64_t at, int64_t depth,
                            struct sl_view target, bool is_gather) {
    char text[SL_SHAPE_TEXT], entry[128];
    int n = 0;
    for (int64_t d = 0; d < depth && n < (int)sizeof entry - 24; d++)
        n += snprintf(entry + n, sizeof entry - (size_t)n, "%s%" PRId64, d ? ", " : "",
                      sl_index_at(indices, at * depth + d));
    if (depth == 0) entry[0] = 0;
    const char *position = text_of_position(text, at, indices.dims, indices.rank - 1);
    if (!is_gather)
        return sl_invalid(k, "indices[%s] = [%s] does not index into shape %s", position, entry, SHAPE_OF(target));
    return sl_invalid(k, "indices[%s] = [%s] does not index into param shape %s, node name: %.*s", position, entry,
                      SHAPE_OF(target), SL_STR_ARG(k->node->name));
}

/* The first bad index that any thread has met. */
static void note_bad(atomic_llong *first, int64_t at) {
    long long old = atomic_load_explicit(first, memory_order_relaxed);
    while (at < old && !atomic_compare_exchange_weak(first, &old, at)) {}
}

/* ---- row numbers of N-D indices */
struct nd {
    struct sl_view indices, target;
    int64_t depth, count, slice; /* depth: entries of one index; count: indices; slice: elements of a slice */
    int64_t strides[SL_MAX_RANK];
};

static void nd_init(struct nd *n, struct sl_view indices, struct sl_view target) {
    n->indices = indices;
    n->target = target;
    n->depth = indices.dims[indices.rank - 1];
    n->count = sl_dims_product(indices.dims, 0, indices.rank - 1);
    n->slice = sl_dims_product(target.dims, (int)n->depth, target.rank);
    sl_strides_of(n->strides, (int)n->depth, target.dims);
}

/* Rows of indices [begin, begin + count), at most SL_INDICES; -1 for bad ones. Returns the first bad one, or -1. */
static int64_t nd_rows(int64_t rows[SL_INDICES], const struct nd *n, int64_t begin, int64_t count) {
    int64_t entries[SL_INDICES], bad = -1;
    int64_t each = n->depth ? SL_INDICES / n->depth : count;
    for (int64_t i = 0; i < count; i += each) {
        int64_t stretch = count - i < each ? count - i : each;
        sl_indices_load(entries, n->indices, (begin + i) * n->depth, stretch * n->depth);
        for (int64_t j = 0; j < stretch; j++) {
            int64_t row = 0;
            bool is_bad = false;
            for (int64_t d = 0; d < n->depth; d++) {
                int64_t at = entries[j * n->depth + d];
                is_bad |= (uint64_t)at >= (uint64_t)n->target.dims[d];
                row += (int64_t)((uint64_t)at * (uint64_t)n->strides[d]);
            }
            rows[i + j] = is_bad ? -1 : row;
            if (is_bad && bad < 0) bad = begin + i + j;
        }
    }
    return bad;
}

/* ---- applying updates */
struct update {
    int op, dtype;
    char *to;
    const char *from;
    const int64_t *rows;
    int64_t count, n, from_step;
    struct sl_error *err;
    sl_code code;
};

/* Columns [begin, end) of every row. */
static void update_columns(void *arg, int64_t begin, int64_t end) {
    struct update *u = arg;
    int64_t size = (int64_t)sl_dtype_size(u->dtype);
    void *to = u->to + begin * size;
    const void *from = u->from + begin * size;
    if (u->op == SL_SCATTER_ASSIGN)
        u->code = sl_rows_put(u->dtype, to, from, u->rows, u->count, end - begin, u->n, u->from_step, u->err);
    else
        sl_combine_find((enum sl_combine_op)u->op, u->dtype)(to, from, u->rows, u->count, end - begin, u->n,
                                                             u->from_step);
}

/* Strings are added by joining them. */
static sl_code join_strings(const struct update *u) {
    for (int64_t i = 0; i < u->count; i++) {
        if (u->rows[i] < 0) continue;
        for (int64_t j = 0; j < u->n; j++) {
            TF_TString *to = (TF_TString *)u->to + u->rows[i] * u->n + j;
            struct sl_str more = sl_string_get((const TF_TString *)u->from + i * u->from_step + j);
            size_t old = sl_string_get(to).n;
            char *room = TF_TString_Resize(to, old + more.n, 0);
            if (!room) return sl_fail_memory(u->err, old + more.n);
            if (more.n) memcpy(room + old, more.p, more.n);
        }
    }
    return SL_OK;
}

static sl_code run_update(struct sl_kernel_context *k, struct update *u) {
    if (u->count == 0 || u->n == 0) return SL_OK;
    if (u->dtype == SL_STRING && u->op == SL_COMBINE_ADD) return join_strings(u);
    if (!sl_scatter_has(u->op, u->dtype))
        return sl_fail(k->err, SL_UNIMPLEMENTED, "no such scatter of %s", sl_dtype_name(u->dtype));
    if (!sl_dtype_is_plain(u->dtype)) {
        update_columns(u, 0, u->n);
        return u->code;
    }
    /* columns are what threads share; a few of them are not worth the walk through all rows */
    if (u->n < 64) update_columns(u, 0, u->n);
    else sl_kernel_split_columns(k, u->n, (double)u->count * 0.5, update_columns, u);
    return SL_OK;
}

bool sl_scatter_has(int op, int dtype) {
    if (op == SL_SCATTER_ASSIGN) return true;
    return sl_combine_find((enum sl_combine_op)op, dtype) != NULL || (dtype == SL_STRING && op == SL_COMBINE_ADD);
}

/* ---- scatter along dim 0 */

static bool has_zero(struct sl_view v) {
    size_t size = sl_dtype_size(v.dtype);
    static const char none[16];
    for (int64_t i = 0; i < v.count; i++)
        if (memcmp((const char *)v.data + (size_t)i * size, none, size) == 0) return true;
    return false;
}

sl_code sl_scatter_rows(struct sl_kernel_context *k, struct sl_view to, struct sl_view indices, struct sl_view updates,
                        int op) {
    int64_t limit = to.dims[0], n = sl_dims_product(to.dims, 1, to.rank);
    int64_t size = (int64_t)sl_dtype_size(to.dtype), count = indices.count;
    bool is_scalar = updates.rank == 0 && indices.rank + to.rank > 1;
    if (op == SL_COMBINE_DIV && sl_set_has(SL_SET_INTEGERS, to.dtype) && has_zero(updates))
        return sl_invalid(k, "Integer division by zero");
    size_t bytes = (size_t)count * sizeof(int64_t), row_bytes = (size_t)(is_scalar ? n * size : 0);
    int64_t *rows = sl_scratch_new(bytes + row_bytes);
    if (!rows) return sl_fail_memory(k->err, bytes + row_bytes);
    sl_indices_load(rows, indices, 0, count);
    sl_code code = SL_OK;
    for (int64_t i = 0; i < count && code == SL_OK; i++)
        if (rows[i] < 0 || rows[i] >= limit) {
            code = bad_index(k, indices, i, limit);
            count = i;
        }
    struct update u = {op, to.dtype, to.data, updates.data, rows, count, n, n, k->err, SL_OK};
    if (is_scalar) {
        /* one row of the scalar stands for all; strings and objects are not copied: they are written one by one */
        u.from = (char *)rows + bytes;
        u.from_step = 0;
        if (sl_dtype_is_plain(to.dtype)) (void)sl_move_fill(k, to.dtype, (char *)rows + bytes, updates.data, n);
        else
            for (int64_t i = 0; i < n; i++) memcpy((char *)rows + bytes + i * size, updates.data, (size_t)size);
    }
    sl_code done = run_update(k, &u);
    sl_scratch_free(rows, bytes + row_bytes);
    return code == SL_OK ? done : code;
}

/* ---- scatter of slices */

sl_code sl_scatter_nd_check(struct sl_kernel_context *k, struct sl_shape to, struct sl_view indices,
                            struct sl_view updates) {
    char text[SL_SHAPE_TEXT];
    sl_shape_text(text, to);
    if (indices.rank < 1)
        return sl_invalid(k, "Indices shape must have rank at least one. Found:%s", SHAPE_OF(indices));
    if (updates.rank < 1)
        return sl_invalid(k, "Updates shape must have rank at least one. Found:%s", SHAPE_OF(updates));
    int64_t depth = indices.dims[indices.rank - 1];
    int batch = indices.rank - 1;
    if (depth > to.rank)
        return sl_invalid(k,
                          "Dimensions [%" PRId64 ",%d) of input[shape=%s] must match dimensions [%d,%d) of "
                          "updates[shape=%s]",
                          depth, to.rank, text, batch, updates.rank, SHAPE_OF(updates));
    bool fits = updates.rank >= batch;
    for (int i = 0; fits && (i == 0 || i < batch); i++) fits = indices.dims[i] == updates.dims[i];
    if (!fits)
        return sl_invalid(k, "Dimensions [0,%d) of indices[shape=%s] must match dimensions [0,%d) of updates[shape=%s]",
                          batch, SHAPE_OF(indices), batch, SHAPE_OF(updates));
    fits = updates.rank - batch == to.rank - (int)depth;
    for (int i = 0; fits && i < to.rank - (int)depth; i++) fits = to.dims[depth + i] == updates.dims[batch + i];
    if (!fits)
        return sl_invalid(k,
                          "Dimensions [%" PRId64 ",%d) of input[shape=%s] must match dimensions [%d,%d) of "
                          "updates[shape=%s]",
                          depth, to.rank, text, batch, updates.rank, SHAPE_OF(updates));
    return SL_OK;
}

sl_code sl_scatter_nd_slices(struct sl_kernel_context *k, struct sl_view to, struct sl_view indices,
                             struct sl_view updates, int op, bool ignores_bad) {
    struct nd n;
    if (updates.count == 0) return SL_OK;
    nd_init(&n, indices, to);
    size_t bytes = (size_t)n.count * sizeof(int64_t);
    int64_t *rows = sl_scratch_new(bytes), chunk[SL_INDICES];
    if (!rows) return sl_fail_memory(k->err, bytes);
    sl_code code = SL_OK;
    for (int64_t i = 0; i < n.count; i += SL_INDICES) {
        int64_t stretch = n.count - i < SL_INDICES ? n.count - i : SL_INDICES;
        int64_t bad = nd_rows(chunk, &n, i, stretch);
        memcpy(rows + i, chunk, (size_t)stretch * sizeof *chunk);
        if (bad >= 0 && !ignores_bad && code == SL_OK) code = bad_nd_index(k, indices, bad, n.depth, to, false);
    }
    struct update u = {op, to.dtype, to.data, updates.data, rows, n.count, n.slice, n.slice, k->err, SL_OK};
    sl_code done = run_update(k, &u);
    sl_scratch_free(rows, bytes);
    return code == SL_OK ? done : code;
}

/* ---- gather */
struct gather {
    struct nd nd;
    struct sl_view to, from, indices;
    int64_t inner, limit, per_batch,
        outer; /* sl_gather_slices: elements of a row, rows, indices of a batch, dims between */
    atomic_llong bad;
    struct sl_error *err;
    sl_code code;
};

static void gather_nd_part(void *arg, int64_t begin, int64_t end) {
    struct gather *g = arg;
    int64_t rows[SL_INDICES];
    for (int64_t i = begin; i < end; i += SL_INDICES) {
        int64_t n = end - i < SL_INDICES ? end - i : SL_INDICES;
        int64_t bad = nd_rows(rows, &g->nd, i, n);
        if (bad >= 0) note_bad(&g->bad, bad);
        sl_code code = sl_rows_gather(g->to.dtype, sl_element(g->to.data, g->to.dtype, i * g->nd.slice), g->from.data,
                                      rows, n, g->nd.slice, g->err);
        if (code != SL_OK) g->code = code;
    }
}

/* On one thread when elements must be counted or allocated, for their errors. */
static void share(struct sl_kernel_context *k, int dtype, int64_t n, int64_t row,
                  void (*work)(void *arg, int64_t begin, int64_t end), struct gather *g) {
    if (sl_dtype_is_plain(dtype)) sl_kernel_split(k, n, 2 + 0.1 * (double)row * (double)sl_dtype_size(dtype), work, g);
    else if (n > 0) work(g, 0, n);
}

sl_code sl_gather_nd_slices(struct sl_kernel_context *k, struct sl_view to, struct sl_view from, struct sl_view indices,
                            bool ignores_bad) {
    struct gather g = {.to = to, .from = from, .err = k->err};
    if (to.count == 0) return SL_OK;
    nd_init(&g.nd, indices, from);
    atomic_init(&g.bad, INT64_MAX);
    share(k, to.dtype, g.nd.count, g.nd.slice, gather_nd_part, &g);
    int64_t bad = atomic_load(&g.bad);
    if (bad != INT64_MAX && !ignores_bad) return bad_nd_index(k, indices, bad, g.nd.depth, from, true);
    return g.code;
}

/* Items: every index of every (batch, outer). */
static void gather_part(void *arg, int64_t begin, int64_t end) {
    struct gather *g = arg;
    int64_t rows[SL_INDICES];
    while (begin < end) {
        int64_t group = begin / g->per_batch, at = begin % g->per_batch, n = g->per_batch - at;
        if (n > end - begin) n = end - begin;
        if (n > SL_INDICES) n = SL_INDICES;
        int64_t first = group / g->outer * g->per_batch + at;
        sl_indices_load(rows, g->indices, first, n);
        for (int64_t i = 0; i < n; i++)
            if ((uint64_t)rows[i] >= (uint64_t)g->limit) {
                note_bad(&g->bad, first + i);
                rows[i] = -1;
            }
        int dtype = g->to.dtype;
        sl_code code =
            sl_rows_gather(dtype, sl_element(g->to.data, dtype, begin * g->inner),
                           sl_element(g->from.data, dtype, group * g->limit * g->inner), rows, n, g->inner, g->err);
        if (code != SL_OK) g->code = code;
        begin += n;
    }
}

sl_code sl_gather_slices(struct sl_kernel_context *k, struct sl_view to, struct sl_view from, struct sl_view indices,
                         int axis, int batch_dims) {
    struct gather g = {.to = to, .from = from, .indices = indices, .err = k->err};
    int64_t batches = sl_dims_product(from.dims, 0, batch_dims);
    g.outer = sl_dims_product(from.dims, batch_dims, axis);
    g.limit = from.dims[axis];
    g.inner = sl_dims_product(from.dims, axis + 1, from.rank);
    g.per_batch = sl_dims_product(indices.dims, batch_dims, indices.rank);
    if (indices.count == 0) return SL_OK;
    /* without elements to move the indices must be in range all the same */
    if (g.inner == 0 || g.outer == 0) g.inner = 0, g.outer = 1;
    atomic_init(&g.bad, INT64_MAX);
    share(k, to.dtype, batches * g.outer * g.per_batch, g.inner, gather_part, &g);
    int64_t bad = atomic_load(&g.bad);
    return bad != INT64_MAX ? bad_index(k, indices, bad, g.limit) : g.code;
}

sl_code sl_bad_indices_policy(bool *ignores, struct sl_kernel_setup *setup) {
    struct sl_str word;
    SL_TRY(sl_attr_string(&word, setup->attrs, "bad_indices_policy", setup->err));
    *ignores = sl_str_is(word, "IGNORE");
    if (*ignores || word.n == 0 || sl_str_is(word, "DEFAULT") || sl_str_is(word, "ERROR")) return SL_OK;
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Unknown bad indices handling attribute: %.*s", SL_STR_ARG(word));
}
