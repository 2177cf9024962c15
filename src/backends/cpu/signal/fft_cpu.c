/* FFT, RFFT and their inverses over the last one, two or three dims: one pass for each dim, in the type of
 * the op. The first pass reads the input, cut to the lengths asked for, the last writes the output, those between work
 * on a box of cells. Of real inputs and results the last dim has n / 2 + 1 cells; an even n of real numbers, if it is not
 * small, goes as n / 2 cells. */
#include "backends/cpu/signal/fft.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"
#include "base/checked.h"
#include "os/mutex.h"

enum { MOST_DIMS = 3, MOST_PLANS = 6, MOST_LANES = 16 };
enum kind { COMPLEX, COMPLEX_BACK, REAL_TO_COMPLEX, COMPLEX_TO_REAL };
struct row {
    uint8_t kind, n; /* enum kind; dims */
};

/* ---- plans: a node keeps those of the first lengths that it sees */
struct line_plan {
    int64_t n;               /* of the line */
    bool is_double;          /* all of a node's are, or none */
    struct sl_fft_plan *fft; /* of n cells, or, of reals that are taken as cells, n / 2 */
    char roots[];            /* of those: exp(-2 pi i k / n), k <= n / 4, two floats or doubles each */
};
/* A long line goes as a table of rows x columns cells: exp(-2 pi i r c / n) for each, real parts before the others. */
struct turn {
    int64_t rows, columns;
    char parts[];
};
struct plans {
    struct sl_mutex mutex;
    int count;
    struct line_plan *of[MOST_PLANS];
    struct turn *turn; /* of the first long line */
};

static void line_plan_free(struct line_plan *p) {
    if (p) sl_fft_free(p->fft);
    sl_free(p);
}
static sl_code line_plan_new(struct line_plan **out, int64_t n, bool is_halved, bool is_double, struct sl_error *err) {
    const size_t bytes = sizeof **out + (is_halved ? (size_t)(n / 4 + 1) : 0) * sizeof(struct sl_cell);
    struct line_plan *p = sl_calloc(1, bytes);
    if (!p) return sl_fail_memory(err, bytes);
    p->n = n;
    p->is_double = is_double;
    sl_code code = sl_fft_new(&p->fft, is_halved ? n / 2 : n, is_double, err);
    for (int64_t k = 0; code == SL_OK && is_halved && k <= n / 4; k++)
        sl_fft_put_cell(p->roots, k, is_double, sl_fft_root(k, n));
    if (code != SL_OK) line_plan_free(p);
    else *out = p;
    return code;
}
static struct line_plan *plans_find(const struct plans *plans, int64_t n, bool is_halved) {
    for (int i = 0; i < plans->count; i++)
        if (plans->of[i]->n == n && (sl_fft_length(plans->of[i]->fft) != n) == is_halved) return plans->of[i];
    return NULL;
}
/* `*is_kept`: the node owns it. */
static sl_code plans_get(struct line_plan **plan, bool *is_kept, struct plans *plans, int64_t n, bool is_halved,
                         bool is_double, struct sl_error *err) {
    sl_mutex_lock(&plans->mutex);
    *plan = plans_find(plans, n, is_halved);
    sl_mutex_unlock(&plans->mutex);
    *is_kept = *plan != NULL;
    if (*plan) return SL_OK;
    SL_TRY(line_plan_new(plan, n, is_halved, is_double, err));
    sl_mutex_lock(&plans->mutex);
    if (plans->count < MOST_PLANS) {
        plans->of[plans->count++] = *plan;
        *is_kept = true;
    }
    sl_mutex_unlock(&plans->mutex);
    return SL_OK;
}

/* ---- one pass */
/* A tensor [batch, dims[0], dims[1], dims[2]] of cells or real numbers. */
struct side {
    char *data;
    bool is_complex, is_double;
    int64_t dims[MOST_DIMS];
    int64_t step; /* elements between those of a line; 0: as the dims say */
};
static int64_t element_size(const struct side *s) { return (s->is_complex + 1) * (s->is_double ? 8 : 4); }

struct pass {
    struct side from, to;
    const struct line_plan *plan;
    const struct turn *turn;         /* what results are multiplied with; NULL: nothing */
    int64_t loops[MOST_DIMS], lines; /* how many lines there are; in direction `dim` 1 */
    int dim, lanes;
    bool is_inverse;
    atomic_bool is_out_of_memory;
};

/* Where line i begins. */
static char *line_of(const struct pass *p, const struct side *s, int64_t i) {
    int64_t at[MOST_DIMS];
    for (int d = MOST_DIMS - 1; d >= 0; d--) {
        at[d] = i % p->loops[d];
        i /= p->loops[d];
    }
    return s->data + (((i * s->dims[0] + at[0]) * s->dims[1] + at[1]) * s->dims[2] + at[2]) * element_size(s);
}
static int64_t step_of(const struct side *s, int dim) {
    int64_t step = element_size(s);
    if (s->step) return s->step * step;
    for (int d = dim + 1; d < MOST_DIMS; d++) step *= s->dims[d];
    return step;
}

static size_t part_size(const struct pass *p) { return p->plan->is_double ? sizeof(double) : sizeof(float); }
static void *part_at(const struct pass *p, void *parts, int64_t i) { return (char *)parts + i * (int64_t)part_size(p); }

/* Completes spectra of real lines of odd length: what they have beyond their middle is the mirror image of what is
 * before. */
static void complete(const struct pass *p, struct sl_planes x, int64_t n) {
    const int64_t lanes = p->lanes;
    const size_t bytes = (size_t)lanes * part_size(p);
    for (int64_t k = n / 2 + 1; k < n; k++) {
        memcpy(part_at(p, x.re, k * lanes), part_at(p, x.re, (n - k) * lanes), bytes);
        memcpy(part_at(p, x.im, k * lanes), part_at(p, x.im, (n - k) * lanes), bytes);
        for (int64_t l = k * lanes; l < (k + 1) * lanes; l++)
            if (p->plan->is_double) ((double *)x.im)[l] = -((double *)x.im)[l];
            else ((float *)x.im)[l] = -((float *)x.im)[l];
    }
}
/* Cell i of all lines. */
static void clear_imaginary(const struct pass *p, struct sl_planes x, int64_t i) {
    memset(part_at(p, x.im, i * p->lanes), 0, (size_t)p->lanes * part_size(p));
}
static void copy_cells(const struct pass *p, struct sl_planes to, int64_t at, struct sl_planes from, int64_t n) {
    const size_t bytes = (size_t)(n * p->lanes) * part_size(p);
    memcpy(part_at(p, to.re, at * p->lanes), from.re, bytes);
    memcpy(part_at(p, to.im, at * p->lanes), from.im, bytes);
}
static void transform_some(const struct pass *p, int64_t line, char **from, char **to, void *room) {
    const int64_t n = p->plan->n, cells = sl_fft_length(p->plan->fft), half = n / 2 + 1;
    const int lanes = p->lanes;
    const struct sl_fft_loops *loops = sl_fft_loops_of(p->plan->is_double, lanes);
    const bool reads_reals = !p->from.is_complex, writes_reals = !p->to.is_complex, is_halved = cells != n;
    const bool reads_cells = p->from.is_complex || is_halved, writes_cells = p->to.is_complex || is_halved;
    const int64_t from_step = step_of(&p->from, p->dim), to_step = step_of(&p->to, p->dim);
    void *behind = part_at(p, room, sl_fft_room(p->plan->fft) * lanes);
    const struct sl_planes in = {room, part_at(p, room, cells * lanes)};
    const struct sl_planes spectrum = {behind, part_at(p, behind, half * lanes)};
    const struct sl_planes x = p->is_inverse ? (struct sl_planes){in.im, in.re} : in;
    if (writes_reals && is_halved) {
        loops->read(spectrum, from, from_step, half, true);
        clear_imaginary(p, spectrum, 0);
        clear_imaginary(p, spectrum, half - 1);
        loops->mirror(spectrum, p->plan->roots, cells, true);
        copy_cells(p, x, 0, spectrum, cells);
    } else {
        loops->read(x, from, is_halved ? 2 * from_step : from_step, writes_reals ? half : cells, reads_cells);
        if (writes_reals) complete(p, x, n);
    }
    struct sl_planes out = sl_fft_run(p->plan->fft, room, lanes);
    if (p->turn) {
        const char *parts = p->turn->parts + line * (int64_t)part_size(p);
        const int64_t all = p->turn->rows * p->turn->columns * (int64_t)part_size(p);
        loops->twist(out, parts, parts + all, cells, p->turn->columns);
    }
    if (p->is_inverse) out = (struct sl_planes){out.im, out.re};
    if (reads_reals && is_halved) {
        copy_cells(p, spectrum, 0, out, cells);
        copy_cells(p, spectrum, cells, out, 1);
        loops->mirror(spectrum, p->plan->roots, cells, false);
        loops->write(to, to_step, spectrum, half, true, 0.5);
    } else {
        const double scale = p->is_inverse ? 1 / (double)n : 1;
        loops->write(to, writes_reals && is_halved ? 2 * to_step : to_step, out, reads_reals ? half : cells,
                     writes_cells, scale);
    }
}

/* Items are groups of `lanes` lines; the last may be short, and its last line goes several times. */
static void transform_groups(void *arg, int64_t begin, int64_t end) {
    struct pass *p = arg;
    const size_t bytes = (size_t)((sl_fft_room(p->plan->fft) + 2 * (p->plan->n / 2 + 1)) * p->lanes) * part_size(p);
    void *room = sl_scratch_new(bytes);
    if (!room) {
        atomic_store(&p->is_out_of_memory, true);
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        char *from[MOST_LANES], *to[MOST_LANES];
        for (int l = 0; l < p->lanes; l++) {
            const int64_t line = i * p->lanes + l < p->lines ? i * p->lanes + l : p->lines - 1;
            from[l] = line_of(p, &p->from, line);
            to[l] = line_of(p, &p->to, line);
        }
        transform_some(p, i * p->lanes, from, to, room);
    }
    sl_scratch_free(room, bytes);
}

enum {
    LONG = 1 << 13, /* several longer lines would not stay near */
    CUT = 1 << 10   /* so long a line alone goes as a table */
};
static sl_code run_pass(struct sl_kernel_context *k, struct pass *p, const int64_t dims[MOST_DIMS], int64_t batch) {
    const int64_t n = dims[p->dim];
    enum { SHORT = 32 };
    const bool is_halved = n % 2 == 0 && n >= SHORT && (!p->from.is_complex || !p->to.is_complex);
    struct line_plan *plan;
    bool is_kept;
    SL_TRY(plans_get(&plan, &is_kept, k->state, n, is_halved, p->from.is_double, k->err));
    p->plan = plan;
    p->lines = batch;
    for (int d = 0; d < MOST_DIMS; d++) p->lines *= p->loops[d] = d == p->dim ? 1 : dims[d];
    p->lanes = p->lines > 1 && n <= LONG ? sl_fft_lanes(plan->is_double) : 1;
    sl_kernel_split(k, (p->lines - 1) / p->lanes + 1, (double)(p->lanes * n) * 5, transform_groups, p);
    if (!is_kept) line_plan_free(plan);
    return atomic_load(&p->is_out_of_memory) ? sl_fail_memory(k->err, (size_t)n * sizeof(double)) : SL_OK;
}

/* ---- long lines, and one alone: columns of a table, then its rows. x[c + columns r] is at row r, and the transform
 *
 *     X[k + rows q] = sum over c of (exp(-2 pi i c k / n) sum over r of x[c + columns r] exp(-2 pi i r k / rows))
 *                                   exp(-2 pi i c q / columns)
 *
 * so that several lines go together, and on several threads. */
static bool has_small_factors(int64_t n) {
    static const int factors[] = {2, 3, 5, 7, 11, SL_FFT_RADIX_MAX};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        while (n % factors[i] == 0) n /= factors[i];
    return n == 1;
}
/* Rows of the table, 0 where a line is not cut: about as many as columns, which are to fill vectors of any set. */
static int64_t rows_of(int64_t n) {
    int64_t best = 0;
    for (int64_t rows = MOST_LANES; has_small_factors(n) && rows * rows <= n; rows++)
        if (n % rows == 0 && n / rows % MOST_LANES == 0) best = rows;
    return best;
}
static struct turn *turn_new(int64_t rows, int64_t columns, bool is_double) {
    const int64_t n = rows * columns;
    const size_t part = is_double ? sizeof(double) : sizeof(float);
    struct turn *t = sl_malloc(sizeof *t + 2 * (size_t)n * part);
    if (!t) return NULL;
    *t = (struct turn){.rows = rows, .columns = columns};
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++) {
            const struct sl_cell root = sl_fft_root(r * c, n); /* r * c < n */
            const int64_t at = r * columns + c;
            if (is_double) {
                ((double *)(void *)t->parts)[at] = root.re;
                ((double *)(void *)t->parts)[n + at] = root.im;
            } else {
                ((float *)(void *)t->parts)[at] = (float)root.re;
                ((float *)(void *)t->parts)[n + at] = (float)root.im;
            }
        }
    return t;
}
/* `*is_kept`: the node owns it. */
static struct turn *turn_get(bool *is_kept, struct plans *plans, int64_t rows, int64_t columns, bool is_double) {
    sl_mutex_lock(&plans->mutex);
    struct turn *t = plans->turn;
    sl_mutex_unlock(&plans->mutex);
    *is_kept = t && t->rows == rows && t->columns == columns;
    if (*is_kept) return t;
    if (!(t = turn_new(rows, columns, is_double))) return NULL;
    sl_mutex_lock(&plans->mutex);
    *is_kept = !plans->turn;
    if (*is_kept) plans->turn = t;
    sl_mutex_unlock(&plans->mutex);
    return t;
}
static sl_code run_line(struct sl_kernel_context *k, const struct turn *turn, const struct side *from,
                        const struct side *to, struct side *box, bool is_inverse) {
    const int64_t rows = turn->rows, columns = turn->columns;
    struct pass columns_pass = {.from = *from, .to = *box, .turn = turn, .dim = 1, .is_inverse = is_inverse};
    columns_pass.from.dims[1] = rows;
    columns_pass.from.dims[2] = columns;
    SL_TRY(run_pass(k, &columns_pass, (const int64_t[]){1, rows, columns}, 1));
    struct pass rows_pass = {.from = *box, .to = *to, .dim = 2, .is_inverse = is_inverse};
    rows_pass.to.dims[1] = rows;
    rows_pass.to.dims[2] = 1;
    rows_pass.to.step = rows;
    return run_pass(k, &rows_pass, (const int64_t[]){1, rows, columns}, 1);
}
static sl_code run_long_lines(struct sl_kernel_context *k, const struct side *from, const struct side *to,
                              int64_t batch, int64_t n, int64_t rows) {
    const struct row *row = k->node->def->data;
    const int64_t columns = n / rows, size = element_size(to);
    struct side box = {NULL, true, from->is_double, {1, rows, columns + 4}, 0};
    const size_t bytes = (size_t)(rows * box.dims[2] * size);
    bool is_kept;
    struct turn *turn = turn_get(&is_kept, k->state, rows, columns, from->is_double);
    box.data = turn ? sl_scratch_new(bytes) : NULL;
    sl_code code = box.data ? SL_OK : sl_fail_memory(k->err, bytes);
    for (int64_t i = 0; code == SL_OK && i < batch; i++) {
        struct side line_from = *from, line_to = *to;
        line_from.data += i * from->dims[2] * size;
        line_to.data += i * n * size;
        code = run_line(k, turn, &line_from, &line_to, &box, row->kind == COMPLEX_BACK);
    }
    if (box.data) sl_scratch_free(box.data, bytes);
    if (!is_kept) sl_free(turn);
    return code;
}

/* Passes over `batch` boxes from box number `at` on. `from` and `to` are the input and the output, `box` what is
 * between, if any. */
struct order {
    int n, dims[MOST_DIMS];
    int64_t width; /* cells of rows, but in passes along them */
};
static struct side part_of(const struct side *s, int64_t at) {
    struct side part = *s;
    part.data += at * s->dims[0] * s->dims[1] * s->dims[2] * element_size(s);
    return part;
}
static sl_code run_some(struct sl_kernel_context *k, const struct order *o, const struct side *from,
                        const struct side *to, const struct side *box, const int64_t lengths[MOST_DIMS], int64_t at,
                        int64_t batch) {
    const struct row *row = k->node->def->data;
    int64_t dims[MOST_DIMS] = {lengths[0], lengths[1], 0};
    for (int i = 0; i < o->n; i++) {
        struct pass p = {.from = i ? *box : part_of(from, at), .to = i < o->n - 1 ? *box : part_of(to, at)};
        p.dim = o->dims[i];
        p.is_inverse = row->kind == COMPLEX_BACK || row->kind == COMPLEX_TO_REAL;
        dims[2] = p.dim == 2 ? lengths[2] : o->width;
        SL_TRY(run_pass(k, &p, dims, batch));
    }
    return SL_OK;
}

static sl_code run_passes(struct sl_kernel_context *k, const struct side *from, const struct side *to, int64_t batch,
                          const int64_t lengths[MOST_DIMS]) {
    enum { NEAR_BYTES = 1 << 20 }; /* as many boxes at a time as stay in a cache */
    static const int forth[MOST_DIMS] = {2, 1, 0}, back_to_real[MOST_DIMS] = {1, 0, 2};
    const struct row *row = k->node->def->data;
    const int *dims = row->kind == COMPLEX_TO_REAL ? back_to_real : forth;
    struct order o = {.width = row->kind >= REAL_TO_COMPLEX ? lengths[2] / 2 + 1 : lengths[2]};
    for (int i = 0; i < MOST_DIMS; i++)
        if (dims[i] == MOST_DIMS - 1 || lengths[dims[i]] > 1) o.dims[o.n++] = dims[i];
    if (o.n == 1) {
        const bool is_for_table = row->kind <= COMPLEX_BACK && (lengths[2] > LONG || (batch == 1 && lengths[2] >= CUT));
        const int64_t rows = is_for_table ? rows_of(lengths[2]) : 0;
        if (rows) return run_long_lines(k, from, to, batch, lengths[2], rows);
        return run_some(k, &o, from, to, NULL, lengths, 0, batch);
    }
    /* rows are some cells longer: at a distance of a power of two their cells would share few places in the caches */
    struct side box = {NULL, true, from->is_double, {lengths[0], lengths[1], o.width + 4}, 0};
    int64_t bytes = element_size(&box);
    for (int d = 0; d < MOST_DIMS; d++)
        if (!sl_mul_i64(&bytes, bytes, box.dims[d])) return sl_invalid(k, "fft_length is too large");
    int64_t some = bytes < NEAR_BYTES ? NEAR_BYTES / bytes : 1;
    if (some > batch) some = batch;
    const size_t room = (size_t)(some * bytes);
    if (!(box.data = sl_scratch_new(room))) return sl_fail_memory(k->err, room);
    sl_code code = SL_OK;
    for (int64_t at = 0; at < batch && code == SL_OK; at += some)
        code = run_some(k, &o, from, to, &box, lengths, at, batch - at < some ? batch - at : some);
    sl_scratch_free(box.data, room);
    return code;
}

static struct side side_of(struct sl_view v, const int64_t dims[MOST_DIMS]) {
    return (struct side){.data = v.data,
                         .is_complex = v.dtype == SL_COMPLEX64 || v.dtype == SL_COMPLEX128,
                         .is_double = v.dtype == SL_DOUBLE || v.dtype == SL_COMPLEX128,
                         .dims = {dims[0], dims[1], dims[2]}};
}

/* Lengths of the transform, input 1, or those of the input. */
static sl_code read_lengths(int64_t lengths[MOST_DIMS], struct sl_kernel_context *k, struct sl_view in) {
    const struct row *row = k->node->def->data;
    const int first = MOST_DIMS - row->n;
    for (int d = 0; d < MOST_DIMS; d++) lengths[d] = d < first ? 1 : in.dims[in.rank - MOST_DIMS + d];
    if (sl_in_count(k) < 2) return SL_OK;
    struct sl_view v = sl_in(k, 1);
    if (v.rank != 1 || v.count != row->n)
        return sl_invalid(k, "fft_length must have shape [%d]: %s", row->n, SHAPE_OF(v));
    for (int d = first; d < MOST_DIMS; d++) {
        int64_t length = sl_index_at(v, d - first), have = in.dims[in.rank - MOST_DIMS + d];
        if (length < 0) return sl_invalid(k, "fft_length[%d] must be >= 0, but got: %" PRId64, d - first, length);
        int64_t need = d == MOST_DIMS - 1 && row->kind == COMPLEX_TO_REAL && length ? length / 2 + 1 : length;
        if (have != 0 && have < need)
            return sl_invalid(k, "Input dimension %d must have length of at least %" PRId64 " but got: %" PRId64,
                              in.rank - MOST_DIMS + d, need, have);
        lengths[d] = length;
    }
    return SL_OK;
}

static sl_code fft_run(struct sl_kernel_context *k) {
    const struct row *row = k->node->def->data;
    struct sl_view in = sl_in(k, 0), out;
    int64_t in_dims[MOST_DIMS], out_dims[MOST_DIMS], lengths[MOST_DIMS], dims[SL_MAX_RANK], batch = 1;
    if (in.rank < row->n) return sl_invalid(k, "Input must have rank of at least %d but got: %s", row->n, SHAPE_OF(in));
    SL_TRY(read_lengths(lengths, k, in));
    memcpy(dims, in.dims, (size_t)in.rank * sizeof *dims);
    for (int d = 0; d < in.rank - row->n; d++) batch *= in.dims[d];
    for (int d = 0; d < MOST_DIMS; d++) {
        in_dims[d] = d < MOST_DIMS - row->n ? 1 : in.dims[in.rank - MOST_DIMS + d];
        out_dims[d] = lengths[d];
    }
    if (row->kind == REAL_TO_COMPLEX && lengths[2]) out_dims[2] = lengths[2] / 2 + 1;
    for (int d = MOST_DIMS - row->n; d < MOST_DIMS; d++) dims[in.rank - MOST_DIMS + d] = out_dims[d];
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){in.rank, dims}));
    if (out.count == 0) return SL_OK;
    if (in.count == 0) {
        memset(out.data, 0, (size_t)out.count * sl_dtype_size(out.dtype));
        return SL_OK;
    }
    const struct side from = side_of(in, in_dims), to = side_of(out, out_dims);
    return run_passes(k, &from, &to, batch, lengths);
}

static sl_code create(void **state, struct sl_kernel_setup *setup) {
    struct plans *plans = sl_calloc(1, sizeof *plans);
    if (!plans) return sl_fail_memory(setup->err, sizeof *plans);
    sl_mutex_init(&plans->mutex);
    *state = plans;
    return SL_OK;
}
static void destroy(void *state) {
    struct plans *plans = state;
    for (int i = 0; i < plans->count; i++) line_plan_free(plans->of[i]);
    sl_free(plans->turn);
    sl_mutex_clear(&plans->mutex);
    sl_free(plans);
}

static sl_code real_create(void **state, struct sl_kernel_setup *setup) {
    int real, complex;
    SL_TRY(sl_attr_type(&real, setup->attrs, "Treal", setup->err));
    SL_TRY(sl_attr_type(&complex, setup->attrs, "Tcomplex", setup->err));
    if ((real == SL_DOUBLE) == (complex == SL_COMPLEX128)) return create(state, setup);
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Treal and Tcomplex must be of one precision, got %s and %s",
                   sl_dtype_name(real), sl_dtype_name(complex));
}

/* In one step, as KERNEL is. */
#define TRANSFORM(op_, kind_, n_, ...)                                                                                 \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {RULE("Tcomplex", SL_SET_COMPLEX)},                                                                      \
     .run = fft_run,                                                                                                   \
     .flags = SL_KERNEL_OWN,                                                                                           \
     .destroy = destroy,                                                                                               \
     .cost_ns = 500,                                                                                                   \
     .cost_element = 30,                                                                                               \
     .data = &(const struct row){.kind = kind_, .n = n_},                                                              \
     __VA_ARGS__},
/* clang-format off */
const struct sl_kernel_def sl_cpu_fft_rows[] = {
    TRANSFORM("FFT", COMPLEX, 1, .create = create)
    TRANSFORM("FFT2D", COMPLEX, 2, .create = create)
    TRANSFORM("FFT3D", COMPLEX, 3, .create = create)
    TRANSFORM("IFFT", COMPLEX_BACK, 1, .create = create)
    TRANSFORM("IFFT2D", COMPLEX_BACK, 2, .create = create)
    TRANSFORM("IFFT3D", COMPLEX_BACK, 3, .create = create)
    TRANSFORM("RFFT", REAL_TO_COMPLEX, 1, .create = real_create)
    TRANSFORM("RFFT2D", REAL_TO_COMPLEX, 2, .create = real_create)
    TRANSFORM("RFFT3D", REAL_TO_COMPLEX, 3, .create = real_create)
    TRANSFORM("IRFFT", COMPLEX_TO_REAL, 1, .create = real_create)
    TRANSFORM("IRFFT2D", COMPLEX_TO_REAL, 2, .create = real_create)
    TRANSFORM("IRFFT3D", COMPLEX_TO_REAL, 3, .create = real_create)
    SL_ROWS_END
};
/* clang-format on */
