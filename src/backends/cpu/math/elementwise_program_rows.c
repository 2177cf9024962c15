/* An _ElementwiseProgram that folds rows, run by rows: all steps of a few rows, whose results stay in the cache,
 * then those of the next ones. Results are the bits that the steps give one after the other: folds take a row in the
 * order of the reduction of a whole tensor, and what two loops in one do to an element is what they do one by one.
 *
 * Some steps are carried out together: a sum of squares (of differences) without the squares in memory, and the end
 * of a normalisation, ((x - mean) * factor) * scale + offset. */
#include <string.h>

#include "backends/cpu/array/move_tiles.h"
#include "backends/cpu/math/elementwise_steps.h"
#include "backends/cpu/norm/norm_loops.h"

enum {
    TILES_BYTES = 128 * 1024,
    BLOCK_ELEMENTS = 1024, /* of short rows together */
    MOST_ROWS = 64,
    LONGEST_ROW = 8192, /* few long rows would leave threads without work */
    LINE = 64           /* bytes */
};

enum action {
    SKIP, /* done with a later step, or before */
    FOLD,
    FOLD_SQUARES, /* operands: X, MEAN (what is taken from x; none: nothing) */
    SCALARS,      /* an element a row */
    LOOP,
    NORMALISE /* operands: X, MEAN or none, FACTOR, SCALE or none, OFFSET or none */
};
enum { X, MEAN, FACTOR, SCALE, OFFSET, MOST_OPERANDS };

/* What one thread has. */
struct work {
    _Alignas(64) char tiles[TILES_BYTES];
    uint64_t columns[SL_ELEMENTWISE_STEPS][MOST_ROWS]; /* an element each */
};

/* ---- kinds */

/* Whether `s` is the rows' shape, the last dim being `last`, but for leading dims of 1. */
static bool is_rows_shape(struct sl_shape s, struct sl_shape rows, int64_t last) {
    const int rank = s.rank > rows.rank ? s.rank : rows.rank;
    for (int e = 1; e <= rank; e++) {
        const int64_t own = e <= s.rank ? s.dims[s.rank - e] : 1, other = e <= rows.rank ? rows.dims[rows.rank - e] : 1;
        if (own != (e == 1 ? last : other)) return false;
    }
    return true;
}

static bool find_input_kind(struct sl_elementwise_program_run *r, int value, struct sl_shape rows) {
    const struct sl_broadcast_map_input *v = &r->values[value];
    if (is_rows_shape(v->shape, rows, r->row)) r->kinds[value] = SL_ROW_FULL;
    else if (v->count == 1) r->kinds[value] = SL_ROW_ONE;
    else if (is_rows_shape(v->shape, rows, 1)) r->kinds[value] = SL_ROW_COLUMN;
    else if (v->count == r->row && v->shape.dims[v->shape.rank - 1] == r->row) r->kinds[value] = SL_ROW_SAME;
    else return false;
    return true;
}

static bool find_step_kind(struct sl_elementwise_program_run *r, int step, struct sl_shape rows) {
    const struct sl_elementwise_program_step *s = &r->p->steps[step];
    const struct sl_broadcast_map_input *v = &r->values[r->p->n_inputs + step];
    bool has[SL_ROW_FULL + 1] = {false};
    for (int o = 0; o < s->n_operands; o++) has[r->kinds[s->operands[o]]] = true;
    if (!s->def && (!has[SL_ROW_FULL] || (s->axis != -1 && s->axis != r->values[s->operands[0]].shape.rank - 1)))
        return false;
    const bool is_full = has[SL_ROW_FULL] || (has[SL_ROW_COLUMN] && has[SL_ROW_SAME]);
    const enum sl_row_kind kind = !s->def              ? SL_ROW_COLUMN
                                  : is_full            ? SL_ROW_FULL
                                  : has[SL_ROW_COLUMN] ? SL_ROW_COLUMN
                                  : has[SL_ROW_SAME]   ? SL_ROW_SAME
                                                       : SL_ROW_ONE;
    r->kinds[r->p->n_inputs + step] = (uint8_t)kind;
    if (kind == SL_ROW_ONE) return v->count == 1;
    if (kind == SL_ROW_SAME) return v->count == r->row;
    return is_rows_shape(v->shape, rows, kind == SL_ROW_FULL ? r->row : 1);
}

static bool find_kinds(struct sl_elementwise_program_run *r) {
    const struct sl_elementwise_program *p = r->p;
    int first = 0;
    while (p->steps[first].def) first++;
    const struct sl_broadcast_map_input *x = &r->values[p->steps[first].operands[0]];
    r->row = x->shape.dims[x->shape.rank - 1];
    r->rows = r->values[p->n_inputs + first].count;
    if (r->row > LONGEST_ROW) return false;
    for (int i = 0; i < p->n_inputs; i++)
        if (!find_input_kind(r, i, x->shape)) return false;
    for (int i = 0; i < p->n_steps; i++)
        if (!find_step_kind(r, i, x->shape)) return false;
    return r->kinds[p->n_inputs + p->n_steps - 1] >= SL_ROW_COLUMN;
}

/* ---- what is done together */

static const struct sl_elementwise_program_step *step_of(const struct sl_elementwise_program_rows *w, int value) {
    return value < w->p->n_inputs ? NULL : &w->p->steps[value - w->p->n_inputs];
}

/* Whether `value` is a step of this loop, of n elements a row, and nobody but one other step reads it. */
static bool is_inner(const struct sl_elementwise_program_rows *w, int value, enum sl_loop_op op, enum sl_loop_op twin) {
    const struct sl_elementwise_program_step *s = step_of(w, value);
    if (!s || !s->def || w->r->kinds[value] != SL_ROW_FULL || w->uses[value] != 1) return false;
    const enum sl_loop_op loop = ((const struct sl_elementwise *)s->def->data)->op;
    return loop == op || loop == twin;
}

/* The operand of `value` that is of n elements a row, the other one being of `kind`: 0, 1; -1 when it is not so. */
static int full_beside(const struct sl_elementwise_program_rows *w, int value, enum sl_row_kind kind, bool commutes) {
    const struct sl_elementwise_program_step *s = step_of(w, value);
    const uint8_t *kinds = w->r->kinds;
    if (s->n_operands != 2) return -1;
    if (kinds[s->operands[0]] == SL_ROW_FULL && kinds[s->operands[1]] == kind) return 0;
    return commutes && kinds[s->operands[1]] == SL_ROW_FULL && kinds[s->operands[0]] == kind ? 1 : -1;
}

static void skip(struct sl_elementwise_program_rows *w, int value) { w->tasks[value - w->p->n_inputs].action = SKIP; }

static void join_squares(struct sl_elementwise_program_rows *w, int step) {
    struct sl_elementwise_program_task *t = &w->tasks[step];
    const int x = t->operands[X];
    if (!w->p->steps[step].fold.ordered || !is_inner(w, x, SL_LOOP_SquaredDifference, SL_LOOP_Square)) return;
    const struct sl_elementwise_program_step *s = step_of(w, x);
    const int full = s->n_operands == 1 ? 0 : full_beside(w, x, SL_ROW_COLUMN, true);
    if (full < 0) return;
    *t = (struct sl_elementwise_program_task){FOLD_SQUARES, {(int8_t)s->operands[full], -1, -1, -1, -1}};
    if (s->n_operands == 2) t->operands[MEAN] = (int8_t)s->operands[!full];
    skip(w, x);
}

/* Takes operand `which` of the task from the end of the chain, value `at`, when that is such a step; gives the step
 * before it. */
static int take(const struct sl_elementwise_program_rows *w, struct sl_elementwise_program_task *t, int which, int at,
                enum sl_loop_op op, enum sl_row_kind kind) {
    if (!is_inner(w, at, op, op)) return at;
    const int full = full_beside(w, at, kind, op != SL_LOOP_Sub);
    if (full < 0) return at;
    t->operands[which] = (int8_t)step_of(w, at)->operands[!full];
    return step_of(w, at)->operands[full];
}

static void join_normalisation(struct sl_elementwise_program_rows *w, int step) {
    const int end = w->p->n_inputs + step;
    struct sl_elementwise_program_task t = {NORMALISE, {-1, -1, -1, -1, -1}};
    int chain[MOST_OPERANDS + 1] = {end}, n = 0;
    static const struct {
        uint16_t op;
        uint8_t operand, kind;
    } links[] = {{SL_LOOP_Add, OFFSET, SL_ROW_SAME},
                 {SL_LOOP_Mul, SCALE, SL_ROW_SAME},
                 {SL_LOOP_Mul, FACTOR, SL_ROW_COLUMN},
                 {SL_LOOP_Sub, MEAN, SL_ROW_COLUMN}};
    if (w->uses[end] != 1 || w->r->kinds[end] != SL_ROW_FULL) return;
    for (size_t l = 0; l < sizeof links / sizeof *links; l++) {
        const int before = take(w, &t, links[l].operand, chain[n], links[l].op, links[l].kind);
        if (before != chain[n]) chain[++n] = before;
    }
    if (n < 2 || t.operands[FACTOR] < 0) return;
    t.operands[X] = (int8_t)chain[n];
    for (int i = 1; i < n; i++) skip(w, chain[i]);
    w->tasks[step] = t;
}

static void choose_tasks(struct sl_elementwise_program_rows *w) {
    const struct sl_elementwise_program *p = w->p;
    memset(w->uses, 0, sizeof w->uses);
    for (int i = 0; i < p->n_steps; i++) {
        const struct sl_elementwise_program_step *s = &p->steps[i];
        const enum sl_row_kind kind = w->r->kinds[p->n_inputs + i];
        struct sl_elementwise_program_task *t = &w->tasks[i];
        for (int o = 0; o < s->n_operands; o++) w->uses[s->operands[o]]++;
        *t = (struct sl_elementwise_program_task){SKIP, {(int8_t)s->operands[0], (int8_t)s->operands[1], -1, -1, -1}};
        if (kind >= SL_ROW_COLUMN) t->action = !s->def ? FOLD : kind == SL_ROW_FULL ? LOOP : SCALARS;
    }
    w->uses[p->n_inputs + p->n_steps - 1]++;
    for (int i = p->n_steps; i-- > 0;) {
        if (w->tasks[i].action == FOLD) join_squares(w, i);
        if (w->tasks[i].action == LOOP) join_normalisation(w, i);
    }
}

/* ---- tiles */

static int8_t new_tile(struct sl_elementwise_program_rows *w) { return (int8_t)w->n_tiles++; }

/* Copies of values that loops read as n elements a row. One row at a time, those that are the same for all stay
 * where they are. */
static void place_copies(struct sl_elementwise_program_rows *w) {
    for (int i = 0; i < w->p->n_steps; i++) {
        const struct sl_elementwise_program_task *t = &w->tasks[i];
        for (int o = 0; t->action == LOOP && o < 2; o++) {
            const int v = t->operands[o];
            if (v < 0 || w->tile[v] >= 0 || w->r->kinds[v] == SL_ROW_FULL) continue;
            if (w->r->kinds[v] != SL_ROW_SAME || w->block > 1) w->tile[v] = new_tile(w);
        }
        if (t->action == NORMALISE && t->operands[SCALE] < 0 && w->ones < 0) w->ones = new_tile(w);
        if (t->action == NORMALISE && t->operands[OFFSET] < 0 && w->zeros < 0) w->zeros = new_tile(w);
    }
}

/* Results: a tile is free again after the last task that reads it; a task may write where it reads. */
static void place_results(struct sl_elementwise_program_rows *w) {
    const struct sl_elementwise_program *p = w->p;
    int last[SL_ELEMENTWISE_VALUES] = {0};
    int8_t unused[SL_ELEMENTWISE_STEPS];
    int n_unused = 0;
    for (int i = 0; i < p->n_steps; i++)
        for (int o = 0; w->tasks[i].action != SKIP && o < MOST_OPERANDS; o++)
            if (w->tasks[i].operands[o] >= 0) last[w->tasks[i].operands[o]] = i;
    for (int i = 0; i < p->n_steps; i++) {
        const struct sl_elementwise_program_task *t = &w->tasks[i];
        if (t->action == SKIP) continue;
        for (int o = 0; o < MOST_OPERANDS; o++) {
            const int v = t->operands[o];
            if (v < p->n_inputs || w->r->kinds[v] != SL_ROW_FULL || last[v] != i) continue;
            last[v] = -1;
            unused[n_unused++] = w->tile[v];
        }
        if (w->r->kinds[p->n_inputs + i] == SL_ROW_FULL && i < p->n_steps - 1)
            w->tile[p->n_inputs + i] = n_unused ? unused[--n_unused] : new_tile(w);
    }
}

/* ---- running */

static char *tile_at(const struct sl_elementwise_program_rows *w, struct work *k, int tile) {
    return k->tiles + tile * w->tile_bytes;
}

/* Rows of n elements of a value, from row `row` on. */
static const void *full_at(const struct sl_elementwise_program_rows *w, struct work *k, int value, int64_t row) {
    const char *data = w->r->values[value].data;
    if (w->tile[value] >= 0) return tile_at(w, k, w->tile[value]);
    return w->r->kinds[value] == SL_ROW_FULL ? data + row * w->r->row * w->p->size : data;
}

/* The element of row `row`, the `at`-th of its block. */
static const void *element_at(const struct sl_elementwise_program_rows *w, struct work *k, int value, int64_t row,
                              int64_t at) {
    if (w->r->kinds[value] == SL_ROW_ONE) return w->r->values[value].data;
    if (value >= w->p->n_inputs) return &k->columns[value - w->p->n_inputs][at];
    return (const char *)w->r->values[value].data + row * w->p->size;
}

/* Fills the tiles of copies: of columns for each block, of others for the first one. */
static void copy_value(const struct sl_elementwise_program_rows *w, struct work *k, int value, int64_t row, int64_t n) {
    const int64_t bytes = w->r->row * w->p->size;
    char *to = tile_at(w, k, w->tile[value]);
    for (int64_t i = 0; i < n; i++, to += bytes)
        if (w->r->kinds[value] == SL_ROW_SAME) memcpy(to, w->r->values[value].data, (size_t)bytes);
        else sl_elements_fill(to, element_at(w, k, value, row + i, i), (int)w->p->size, w->r->row);
}

static void copy_values(const struct sl_elementwise_program_rows *w, struct work *k, int64_t row, int64_t n,
                        bool is_first) {
    for (int v = 0; v < w->p->n_inputs + w->p->n_steps; v++) {
        const enum sl_row_kind kind = w->r->kinds[v];
        if (w->tile[v] < 0 || kind == SL_ROW_FULL) continue;
        if (kind == SL_ROW_COLUMN ? v < w->p->n_inputs : is_first) copy_value(w, k, v, row, n);
    }
    if (!is_first) return;
    static const float ones = 1, zeros = -0.f;
    static const double wide_ones = 1, wide_zeros = -0.;
    const bool is_double = w->p->is_double;
    if (w->ones >= 0)
        sl_elements_fill(tile_at(w, k, w->ones), is_double ? (const void *)&wide_ones : &ones, (int)w->p->size,
                         w->r->row);
    if (w->zeros >= 0)
        sl_elements_fill(tile_at(w, k, w->zeros), is_double ? (const void *)&wide_zeros : &zeros, (int)w->p->size,
                         w->r->row);
}

static void run_fold(const struct sl_elementwise_program_rows *w, struct work *k, int step, void *to, int64_t row,
                     int64_t at) {
    const struct sl_row_fold *f = &w->p->steps[step].fold;
    const struct sl_elementwise_program_task *t = &w->tasks[step];
    const int64_t n = w->r->row;
    static const double none = 0; /* of float, too */
    const char *x = (const char *)full_at(w, k, t->operands[X], row) + at * n * f->size;
    if (t->action == FOLD) {
        sl_row_fold_run(to, f, x, (row + at) * n, n);
        return;
    }
    const void *less = t->operands[MEAN] < 0 ? &none : element_at(w, k, t->operands[MEAN], row + at, at);
    const double sum = f->ordered->row_of_squares(x, less, (row + at) * n, n);
    f->finish(to, &sum, 1, (double)n);
}

static void run_normalisation(const struct sl_elementwise_program_rows *w, struct work *k,
                              const struct sl_elementwise_program_task *t, char *to, int64_t row, int64_t at) {
    const int64_t n = w->r->row;
    const int8_t *v = t->operands;
    static const double none = 0; /* of float, too */
    SL_ISA_PICK(sl_norm_loops)
    (w->p->is_double)
        ->row(to + at * n * w->p->size, (const char *)full_at(w, k, v[X], row) + at * n * w->p->size,
              v[MEAN] < 0 ? &none : element_at(w, k, v[MEAN], row + at, at), element_at(w, k, v[FACTOR], row + at, at),
              v[SCALE] < 0 ? tile_at(w, k, w->ones) : w->r->values[v[SCALE]].data,
              v[OFFSET] < 0 ? tile_at(w, k, w->zeros) : w->r->values[v[OFFSET]].data, n);
}

static void run_step(const struct sl_elementwise_program_rows *w, struct work *k, int step, int64_t row, int64_t n) {
    const struct sl_elementwise_program_step *s = &w->p->steps[step];
    const struct sl_elementwise_program_task *t = &w->tasks[step];
    const int value = w->p->n_inputs + step;
    const bool is_last = step == w->p->n_steps - 1;
    if (t->action == LOOP || t->action == NORMALISE) {
        char *to = is_last ? w->r->to + row * w->r->row * w->p->size : tile_at(w, k, w->tile[value]);
        if (t->action == LOOP)
            s->loop(to, full_at(w, k, t->operands[0], row),
                    t->operands[1] < 0 ? NULL : full_at(w, k, t->operands[1], row), NULL, n * w->r->row);
        for (int64_t i = 0; t->action == NORMALISE && i < n; i++) run_normalisation(w, k, t, to, row, i);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        void *to = is_last ? w->r->to + (row + i) * w->p->size : (void *)&k->columns[step][i];
        if (t->action != SCALARS) run_fold(w, k, step, to, row, i);
        else
            s->scalar(to, element_at(w, k, t->operands[0], row + i, i),
                      t->operands[1] < 0 ? NULL : element_at(w, k, t->operands[1], row + i, i));
    }
    if (!is_last && w->tile[value] >= 0) copy_value(w, k, value, row, n);
}

/* Asks for part `part` of `parts` of what the next block reads: memory works while tasks do, but for the first one,
 * which still waits for its own lines. */
static SL_FETCHES void fetch_next(const struct sl_elementwise_program_rows *w, int64_t row, int64_t n, int part,
                                  int parts) {
    const int64_t bytes = w->r->row * w->p->size, lines = n * bytes / LINE;
    const int64_t from = lines * part / parts * LINE, to = lines * (part + 1) / parts * LINE;
    for (int v = 0; v < w->p->n_inputs; v++) {
        if (w->r->kinds[v] != SL_ROW_FULL) continue;
        const char *data = (const char *)w->r->values[v].data + row * bytes;
        for (int64_t at = from; at < to; at += LINE) __builtin_prefetch(data + at, 0, 2);
    }
}

static bool is_long(const struct sl_elementwise_program_task *t) { return t->action != SKIP && t->action != SCALARS; }

static void run_block(const struct sl_elementwise_program_rows *w, struct work *k, int64_t row, int64_t n,
                      int64_t next) {
    for (int i = 0, part = -1; i < w->p->n_steps; i++) {
        if (w->tasks[i].action == SKIP) continue;
        if (is_long(&w->tasks[i]) && part++ >= 0) fetch_next(w, row + n, next, part - 1, w->n_long - 1);
        run_step(w, k, i, row, n);
    }
}

static void run_blocks(void *arg, int64_t begin, int64_t end) {
    const struct sl_elementwise_program_rows *w = arg;
    struct work k;
    for (int64_t b = begin; b < end; b++) {
        const int64_t row = b * w->block, left = w->r->rows - row, n = left < w->block ? left : w->block;
        copy_values(w, &k, row, n, b == begin);
        run_block(w, &k, row, n, left - n < w->block ? left - n : w->block);
    }
}

bool sl_elementwise_program_rows_plan(struct sl_elementwise_program_rows *w, struct sl_elementwise_program_run *r) {
    if (!r->p->has_scalars || !find_kinds(r)) return false;
    w->r = r;
    w->p = r->p;
    w->block = r->row > BLOCK_ELEMENTS / 2 ? 1 : BLOCK_ELEMENTS / (r->row > 16 ? r->row : 16);
    w->tile_bytes = ((w->block * r->row * r->p->size + LINE - 1) & -LINE) + LINE;
    w->ones = w->zeros = -1;
    w->n_tiles = 0;
    memset(w->tile, -1, sizeof w->tile);
    choose_tasks(w);
    place_copies(w);
    place_results(w);
    w->n_long = 0;
    for (int i = 0; i < w->p->n_steps; i++) w->n_long += is_long(&w->tasks[i]);
    return !w->n_tiles || w->tile_bytes <= TILES_BYTES / w->n_tiles;
}

void sl_elementwise_program_rows_run(struct sl_elementwise_program_rows *w, struct sl_kernel_context *k) {
    const struct sl_elementwise_program_run *r = w->r;
    const int64_t blocks = (r->rows + w->block - 1) / w->block;
    sl_kernel_split(k, blocks, (r->p->ns + 0.2) * (double)(w->block * r->row) + 20, run_blocks, w);
}
