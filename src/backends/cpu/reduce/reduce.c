/* How reductions go over a tensor. Its dims are collapsed to alternating runs of kept and reduced ones:
 *
 *     [ outer: kept and reduced dims ... | rows: reduced | columns: kept, 1 when there are none ]
 *
 * One *unit* is all that goes to the results of one outer kept index: outer reduced index by outer reduced index,
 * rows of columns that lie one behind the other. Few columns are put side by side in groups, so that loops are long,
 * and folded at the end. Units are cut in tiles of columns and, when these are few and long, in chunks of rows whose
 * accumulators are folded last. Sums that have an order (ordered_sum.h) keep it in rows and, unless they are long,
 * in columns; a chunk is then a node of the tree of a row. All this depends on the shape alone. */
#include "backends/cpu/reduce/reduce.h"

#include <stdatomic.h>

enum {
    WIDE = 64,             /* least elements that a loop has side by side */
    SHORT_ROW = 24,        /* up to here rows are not worth a loop each */
    CHUNK = 1 << 16,       /* elements of a chunk, about */
    ENOUGH_ITEMS = 32,     /* tiles that make chunks needless */
    LARGEST_ACC = 16,      /* bytes */
    LONGEST_COLUMN = 4096, /* that is summed in order: longer ones lose too much */
    LONGEST_ALONE = 512,   /* the same of those that are not taken by four: they are slow */
    FEWEST_BY_FOUR = 16,
    TREE_DEPTH = 5 /* the chunks of a row are the nodes of its tree at this depth */
};
#define ELEMENT_NS 0.3

enum order { ANY_ORDER, ROWS_IN_ORDER, COLUMNS_IN_ORDER, BOTH_IN_ORDER };

struct plan {
    const struct sl_reduce *r;
    enum order order;
    int64_t columns, rows, units, outer_rows, count; /* count: elements of one result */
    int n_kept, n_reduced;                           /* outer dims */
    int64_t kept[SL_REDUCE_DIMS], kept_stride[SL_REDUCE_DIMS];
    int64_t reduced[SL_REDUCE_DIMS], reduced_stride[SL_REDUCE_DIMS];
    int64_t tile, tiles, chunk_rows, chunks;
    char *partial; /* [unit][tile][chunk][tile columns] accumulators when there are chunks */
};

/* Merges neighbours of a kind, drops dims of 1. */
static void collapse(struct sl_reduce *r) {
    int rank = 0;
    for (int d = 0; d < r->rank; d++) {
        if (r->dims[d] == 1) continue;
        if (rank > 0 && r->is_reduced[rank - 1] == r->is_reduced[d]) {
            r->dims[rank - 1] *= r->dims[d];
            continue;
        }
        r->is_reduced[rank] = r->is_reduced[d];
        r->dims[rank++] = r->dims[d];
    }
    r->rank = rank;
}

static enum order choose_order(const struct plan *p) {
    if (!p->r->ordered || p->n_kept > 1) return ANY_ORDER;
    if (p->n_reduced > 0) {
        const bool is_both = p->columns == 1 && p->n_reduced == 1 && p->chunks == 1 && p->count <= LONGEST_ALONE;
        return is_both ? BOTH_IN_ORDER : ANY_ORDER;
    }
    if (p->columns == 1) return ROWS_IN_ORDER;
    const int64_t longest = p->columns % p->r->ordered->lanes ? LONGEST_ALONE : LONGEST_COLUMN;
    return p->chunks == 1 && p->count <= longest ? COLUMNS_IN_ORDER : ANY_ORDER;
}

static void lay_out(struct plan *p) {
    const struct sl_reduce *r = p->r;
    int d = r->rank - 1;
    int64_t stride;
    p->columns = d >= 0 && !r->is_reduced[d] ? r->dims[d--] : 1;
    p->rows = d >= 0 ? r->dims[d--] : 1;
    p->units = p->outer_rows = 1;
    p->n_kept = p->n_reduced = 0;
    stride = p->rows * p->columns;
    for (; d >= 0; stride *= r->dims[d--]) {
        if (r->is_reduced[d]) {
            p->reduced[p->n_reduced] = r->dims[d];
            p->reduced_stride[p->n_reduced++] = stride;
            p->outer_rows *= r->dims[d];
        } else {
            p->kept[p->n_kept] = r->dims[d];
            p->kept_stride[p->n_kept++] = stride;
            p->units *= r->dims[d];
        }
    }
    p->count = p->rows * p->outer_rows;
    p->tile = p->columns < SL_REDUCE_TILE ? p->columns : SL_REDUCE_TILE;
    p->tiles = p->columns ? (p->columns + p->tile - 1) / p->tile : 0;
    p->chunks = 1;
    int64_t items = p->units * p->tiles;
    if (items && items < ENOUGH_ITEMS) p->chunks = p->count / (CHUNK / p->tile);
    if (p->chunks > ENOUGH_ITEMS) p->chunks = ENOUGH_ITEMS;
    if (p->chunks < 1) p->chunks = 1;
    p->order = choose_order(p);
    if (p->order == ROWS_IN_ORDER && p->chunks > 1) p->chunks = 1 << TREE_DEPTH;
    p->chunk_rows = (p->count + p->chunks - 1) / p->chunks;
}

/* Where index `at` of dims (innermost first) is. */
static int64_t offset_of(int64_t at, int n, const int64_t *dims, const int64_t *strides) {
    int64_t offset = 0;
    for (int d = 0; d + 1 < n; d++) {
        offset += at % dims[d] * strides[d];
        at /= dims[d];
    }
    return n ? offset + at * strides[n - 1] : 0;
}

/* Folds rows [begin, end) of a unit at x: n columns from x. */
static void fold_rows(const struct plan *p, void *acc, const char *x, int64_t begin, int64_t end, int64_t n) {
    const struct sl_reduce_loop *loop = p->r->loop;
    const int64_t size = p->r->x_size, groups = p->columns < WIDE / 2 ? WIDE / p->columns : 1, width = groups * n;
    loop->start(acc, width);
    while (begin < end) {
        int64_t inner = begin % p->rows, rows = p->rows - inner < end - begin ? p->rows - inner : end - begin;
        const char *from =
            x + (offset_of(begin / p->rows, p->n_reduced, p->reduced, p->reduced_stride) + inner * p->columns) * size;
        if (groups == 1) {
            loop->columns(acc, from, rows, p->columns, n);
        } else {
            int64_t whole = rows / groups, rest = rows - whole * groups;
            if (whole) loop->columns(acc, from, whole, width, width);
            if (rest) loop->columns(acc, from + whole * width * size, 1, 0, rest * n);
        }
        begin += rows;
    }
    if (groups > 1) loop->fold(acc, groups, n);
}

/* ---- sums in order */
/* The node of a row's tree to which the bits of `path` lead, from the root down: 0 goes left. False: the way ends
 * before. */
static bool find_node(int64_t *first, int64_t *n, int64_t lanes, int64_t path) {
    for (int level = TREE_DEPTH - 1; level >= 0; level--) {
        const int64_t cut = sl_ordered_cut(lanes, *first, *n);
        const bool is_right = path >> level & 1;
        if (!cut && is_right) return false;
        if (!cut) continue;
        if (is_right) *first += cut;
        *n = is_right ? *n - cut : cut;
    }
    return true;
}

static double add_nodes(const struct plan *p, const double *sums, int64_t first, int64_t n, int level) {
    const int64_t cut = level ? sl_ordered_cut(p->r->ordered->lanes, first, n) : 0;
    if (!cut) return sums[0];
    const double left = add_nodes(p, sums, first, cut, level - 1);
    return p->r->ordered->add(left, add_nodes(p, sums + (1 << (level - 1)), first + cut, n - cut, level - 1));
}

static void sum_row(const struct plan *p, double *sum, int64_t unit, int64_t chunk) {
    int64_t first = unit * p->rows, n = p->rows;
    if (p->chunks > 1 && !find_node(&first, &n, p->r->ordered->lanes, chunk)) return;
    *sum = p->r->ordered->row((const char *)p->r->x + first * p->r->x_size, first, n);
}

/* Columns [begin, end) of a unit at x. */
static void sum_columns(const struct plan *p, double *sums, const char *x, int64_t unit, int64_t begin, int64_t end) {
    const struct sl_ordered_sum *s = p->r->ordered;
    const int64_t at = unit * p->columns, size = p->r->x_size;
    int64_t from = (at + s->lanes - 1) / s->lanes * s->lanes - at, to = (at + p->columns) / s->lanes * s->lanes - at;
    if (to < from || p->rows < FEWEST_BY_FOUR) from = to = begin;
    from = from < begin ? begin : from < end ? from : end;
    to = to < from ? from : to < end ? to : end;
    const int64_t ends[4] = {begin, from, to, end};
    for (int i = 0; i < 3; i++)
        if (ends[i] < ends[i + 1])
            s->columns(sums + (ends[i] - begin), x + (ends[i] - begin) * size, p->rows, p->columns,
                       ends[i + 1] - ends[i], i == 1);
}

/* Item: chunk within tile within unit. */
static void run_items(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_reduce *r = p->r;
    _Alignas(64) char accs[SL_REDUCE_TILE * LARGEST_ACC];
    for (int64_t item = begin; item < end; item++) {
        int64_t chunk = item % p->chunks, tile = item / p->chunks % p->tiles, unit = item / p->chunks / p->tiles;
        int64_t first = tile * p->tile, n = p->columns - first < p->tile ? p->columns - first : p->tile;
        int64_t from_row = chunk * p->chunk_rows,
                to_row = from_row + p->chunk_rows < p->count ? from_row + p->chunk_rows : p->count;
        const char *x = (const char *)r->x + (offset_of(unit, p->n_kept, p->kept, p->kept_stride) + first) * r->x_size;
        if (p->order == ROWS_IN_ORDER) sum_row(p, (double *)(void *)accs, unit, chunk);
        else if (p->order == COLUMNS_IN_ORDER) sum_columns(p, (double *)(void *)accs, x, unit, first, first + n);
        else if (p->order == BOTH_IN_ORDER)
            *(double *)(void *)accs = r->ordered->both(x, p->outer_rows, p->reduced_stride[0], p->rows);
        else fold_rows(p, accs, x, from_row, to_row, n);
        if (p->chunks > 1)
            memcpy(p->partial + (((unit * p->tiles + tile) * p->chunks) * p->tile + chunk * n) * r->loop->acc_size,
                   accs, (size_t)(n * r->loop->acc_size));
        else r->finish((char *)r->to + (unit * p->columns + first) * r->to_size, accs, n, (double)p->count);
    }
}

static void fold_chunks(const struct plan *p) {
    const struct sl_reduce *r = p->r;
    for (int64_t item = 0; item < p->units * p->tiles; item++) {
        int64_t unit = item / p->tiles, first = item % p->tiles * p->tile;
        int64_t n = p->columns - first < p->tile ? p->columns - first : p->tile;
        char *accs = p->partial + item * p->chunks * p->tile * r->loop->acc_size;
        if (p->order == ROWS_IN_ORDER)
            *(double *)(void *)accs = add_nodes(p, (double *)(void *)accs, unit * p->rows, p->rows, TREE_DEPTH);
        else r->loop->fold(accs, p->chunks, n);
        r->finish((char *)r->to + (unit * p->columns + first) * r->to_size, accs, n, (double)p->count);
    }
}

/* Units that are rows, one behind the other, short ones or of a fold that has a loop for rows. */
static void run_short_rows(void *arg, int64_t begin, int64_t end) {
    const struct plan *p = arg;
    const struct sl_reduce *r = p->r;
    _Alignas(64) char accs[SL_REDUCE_TILE * LARGEST_ACC];
    for (int64_t unit = begin; unit < end; unit += SL_REDUCE_TILE) {
        int64_t n = end - unit < SL_REDUCE_TILE ? end - unit : SL_REDUCE_TILE;
        const char *x = (const char *)r->x + unit * p->rows * r->x_size;
        if (p->order == ROWS_IN_ORDER)
            for (int64_t i = 0; i < n; i++)
                ((double *)(void *)accs)[i] = r->ordered->row(x + i * p->rows * r->x_size, 0, p->rows);
        else if (p->rows > SHORT_ROW) r->loop->rows(accs, x, n, p->rows);
        else r->loop->short_rows(accs, x, n, p->rows);
        r->finish((char *)r->to + unit * r->to_size, accs, n, (double)p->count);
    }
}

sl_code sl_reduce_run(struct sl_kernel_context *k, struct sl_reduce *r) {
    struct plan p; /* the arrays of dims are far longer than what is used of them: no zeros */
    p.r = r;
    p.partial = NULL;
    collapse(r);
    lay_out(&p);
    const bool is_short = p.rows <= SHORT_ROW || (p.order == ANY_ORDER && r->loop->rows);
    if (p.columns == 1 && p.n_reduced == 0 && p.n_kept <= 1 && p.chunks == 1 && is_short) {
        sl_kernel_split(k, p.units, p.rows <= SHORT_ROW ? (double)p.rows + 2 : 10 + 0.1 * (double)p.rows,
                        run_short_rows, &p);
        return SL_OK;
    }
    size_t bytes = 0;
    if (p.chunks > 1) {
        bytes = (size_t)(p.units * p.tiles * p.chunks * p.tile * r->loop->acc_size);
        p.partial = sl_scratch_new(bytes);
        if (!p.partial) return sl_fail_memory(k->err, bytes);
    }
    int64_t items = p.units * p.tiles * p.chunks;
    sl_kernel_split(k, items, (double)(p.chunk_rows * p.tile) * ELEMENT_NS + 20, run_items, &p);
    if (!p.partial) return SL_OK;
    fold_chunks(&p);
    sl_scratch_free(p.partial, bytes);
    return SL_OK;
}

void sl_row_fold_run(void *to, const struct sl_row_fold *f, const void *x, int64_t first, int64_t n) {
    _Alignas(64) char accs[WIDE * LARGEST_ACC];
    const int64_t whole = n / WIDE, rest = n - whole * WIDE;
    if (n == 1) {
        memcpy(to, x, (size_t)f->size);
        return;
    }
    if (f->ordered) {
        *(double *)(void *)accs = f->ordered->row(x, first, n);
    } else if (n <= SHORT_ROW) {
        f->loop->short_rows(accs, x, 1, n);
    } else {
        f->loop->start(accs, WIDE);
        if (whole) f->loop->columns(accs, x, whole, WIDE, WIDE);
        if (rest) f->loop->columns(accs, (const char *)x + whole * WIDE * f->size, 1, 0, rest);
        f->loop->fold(accs, WIDE, 1);
    }
    f->finish(to, accs, 1, (double)n);
}
