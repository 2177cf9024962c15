/* _ElementwiseProgram: several element-wise ops as one kernel, in one pass over memory. passes/fuse_elementwise.c
 * makes such nodes.
 *
 * Attrs: `ops`, one name a step; `operands`, two numbers a step: an input, or N + an earlier step; -1 as the second
 * of a step with one operand; `names`, of the nodes the steps were, for messages. The last step is the result. Each
 * step gives the very bits its op gives, since it runs the same loop.
 *
 * Steps whose result is as large as the whole program's run block by block, intermediate results in tiles of the
 * first-level cache. Smaller ones (a vector that is broadcast at the end) are computed before, each as a whole.
 *
 * Steps may fold a dim, too, which stays as 1: "Sum", "Mean", "Max" and "Min" of one operand; the second one is the
 * axis. When that is the last dim, such programs (normalisations, softmax) run row by row
 * (elementwise_program_rows.c), else what is folded is computed before, as a whole. */
#include "backends/cpu/math/elementwise_code.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/numerics.h"

enum {
    FEW_DIMS = 8,
    LINE = 64 /* bytes */,
    FIRST_LINES = 4,
    CACHED = 512 * 1024 /* results no larger are not waited for */
};
#define FOLD_NS 0.3

/* ---- making */

static const struct sl_kernel_def *find_row(struct sl_str op, int dtype) {
    const struct sl_kernel_def *const tables[] = {sl_cpu_math_rows, sl_cpu_activation_rows};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct sl_kernel_def *row = tables[t]; row->op; row++) {
            const struct sl_elementwise *e = row->data;
            if (!sl_str_is(op, row->op) || row->run != sl_elementwise_run) continue;
            bool fits = !e->attr && !e->is_other_type && e->inputs <= 2 && sl_set_has(row->types[0].allowed, dtype);
            return fits ? row : NULL;
        }
    return NULL;
}

static sl_code make_step(struct sl_elementwise_program *p, int i, const struct sl_str *ops, const int64_t *operands,
                         int dtype, struct sl_error *err) {
    struct sl_elementwise_program_step *s = &p->steps[i];
    const bool is_fold = sl_row_fold_find(&s->fold, ops[i], dtype);
    s->def = is_fold ? NULL : find_row(ops[i], dtype);
    if (!s->def && !is_fold)
        return sl_fail(err, SL_INVALID_ARGUMENT, "_ElementwiseProgram: no step can be %.*s", SL_STR_ARG(ops[i]));
    s->n_operands = is_fold ? 1 : ((const struct sl_elementwise *)s->def->data)->inputs;
    if (s->n_operands > 1 && ((const struct sl_elementwise *)s->def->data)->shapes != SL_SHAPES_BROADCAST)
        p->is_strict = true;
    for (int o = 0; o < 2; o++) {
        int64_t from = operands[2 * i + o];
        if (o < s->n_operands ? from < 0 || from >= p->n_inputs + i : from != -1 && !is_fold)
            return sl_fail(err, SL_INVALID_ARGUMENT, "_ElementwiseProgram: operand %d of step %d is out of place", o,
                           i);
        s->operands[o] = o < s->n_operands ? (int)from : -1;
    }
    if (is_fold) {
        s->axis = operands[2 * i + 1];
        p->n_folds++;
        p->ns += FOLD_NS;
        return SL_OK;
    }
    struct sl_element_loop loop = sl_elementwise_loop(((const struct sl_elementwise *)s->def->data)->op, dtype);
    s->loop = loop.run;
    s->scalar = loop.scalar;
    p->has_scalars = p->has_scalars && s->scalar;
    p->ns += (double)s->def->cost_element;
    if (!s->loop) return sl_fail(err, SL_UNIMPLEMENTED, "%s is not there for %s", s->def->op, sl_dtype_name(dtype));
    return SL_OK;
}

/* A tile is free again after the last step that reads it; a step may write where it reads. */
static void share_tiles(struct sl_elementwise_program *p) {
    int last[SL_ELEMENTWISE_VALUES] = {0};
    bool is_used[SL_ELEMENTWISE_STEPS] = {false};
    for (int i = 0; i < p->n_steps; i++)
        for (int o = 0; o < p->steps[i].n_operands; o++) last[p->steps[i].operands[o]] = i;
    for (int i = 0; i < p->n_steps; i++) {
        struct sl_elementwise_program_step *s = &p->steps[i];
        for (int o = 0; o < s->n_operands; o++) {
            int from = s->operands[o] - p->n_inputs;
            if (from >= 0 && last[s->operands[o]] == i) is_used[p->steps[from].tile] = false;
        }
        s->tile = 0;
        while (is_used[s->tile]) s->tile++;
        is_used[s->tile] = true;
        if (s->tile >= p->n_tiles) p->n_tiles = s->tile + 1;
    }
}

static sl_code read_attrs(const struct sl_str **ops, const int64_t **operands, const struct sl_str **names,
                          struct sl_elementwise_program *p, const struct sl_kernel_setup *setup) {
    int n_operands, n_names;
    SL_TRY(sl_attr_string_list(ops, &p->n_steps, setup->attrs, "ops", setup->err));
    SL_TRY(sl_attr_int_list(operands, &n_operands, setup->attrs, "operands", setup->err));
    SL_TRY(sl_attr_string_list(names, &n_names, setup->attrs, "names", setup->err));
    p->n_inputs = setup->n_in;
    if (p->n_inputs > SL_ELEMENTWISE_INPUTS || p->n_steps < 1 || p->n_steps > SL_ELEMENTWISE_STEPS ||
        n_operands != 2 * p->n_steps || n_names != p->n_steps)
        return sl_fail(
            setup->err, SL_INVALID_ARGUMENT,
            "_ElementwiseProgram of %d inputs, %d steps, %d operands, %d names: up to %d inputs and %d steps, two "
            "operands and a name each, are possible",
            p->n_inputs, p->n_steps, n_operands, n_names, SL_ELEMENTWISE_INPUTS, SL_ELEMENTWISE_STEPS);
    return SL_OK;
}

static sl_code program_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_str *ops, *names;
    const int64_t *operands;
    struct sl_elementwise_program read = {.has_scalars = true,
                                          .is_double = setup->out_types[0] == SL_DOUBLE,
                                          .size = (int64_t)sl_dtype_size(setup->out_types[0])};
    size_t bytes = 0;
    SL_TRY(read_attrs(&ops, &operands, &names, &read, setup));
    for (int i = 0; i < read.n_steps; i++) bytes += names[i].n;
    struct sl_elementwise_program *p = sl_malloc(sizeof *p + bytes);
    if (!p) return sl_fail_memory(setup->err, sizeof *p + bytes);
    *p = read;
    char *to = p->names;
    for (int i = 0; i < p->n_steps; i++) {
        sl_code code = make_step(p, i, ops, operands, setup->out_types[0], setup->err);
        if (code != SL_OK) {
            sl_free(p);
            return code;
        }
        p->steps[i].name = (struct sl_str){to, names[i].n};
        if (names[i].n) memcpy(to, names[i].p, names[i].n);
        to += names[i].n;
    }
    share_tiles(p);
    p->codes = sl_elementwise_codes_new(p);
    *state = p;
    return SL_OK;
}

static void program_destroy(void *state) {
    if (state) sl_elementwise_codes_free(((struct sl_elementwise_program *)state)->codes);
    sl_free(state);
}

/* ---- scalars */

static bool all_scalars(struct sl_kernel_context *k, const struct sl_elementwise_program *p) {
    for (int i = 0; i < p->n_inputs; i++)
        if (sl_in_value(k, i)->kind != SL_VALUE_SCALAR) return false;
    return p->has_scalars && !p->n_folds;
}

static bool program_scalar_step(struct sl_scalar_step *out, const void *state, int at) {
    const struct sl_elementwise_program *p = state;
    if (!p->has_scalars || p->n_folds || at >= p->n_steps) return false;
    const struct sl_elementwise_program_step *s = &p->steps[at];
    *out = (struct sl_scalar_step){.op = s->def->op,
                                   .scalar = s->scalar,
                                   .operands = {s->operands[0], s->operands[1]},
                                   .n_operands = s->n_operands};
    return true;
}

static sl_code run_scalars(struct sl_kernel_context *k, const struct sl_elementwise_program *p) {
    uint64_t values[SL_ELEMENTWISE_VALUES];
    for (int i = 0; i < p->n_inputs; i++) memcpy(&values[i], sl_in_value(k, i)->bits, sizeof *values);
    for (int i = 0; i < p->n_steps; i++) {
        const struct sl_elementwise_program_step *s = &p->steps[i];
        const void *y = s->n_operands > 1 ? &values[s->operands[1]] : NULL;
        s->scalar(&values[p->n_inputs + i], &values[s->operands[0]], y);
    }
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    memcpy(out.data, &values[p->n_inputs + p->n_steps - 1], (size_t)p->size);
    return SL_OK;
}

/* ---- shapes */

static sl_code find_folded_shape(struct sl_elementwise_program_run *r, struct sl_kernel_context *k, int i) {
    const struct sl_shape x = r->values[r->p->steps[i].operands[0]].shape;
    const int64_t axis = r->p->steps[i].axis;
    struct sl_broadcast_map_input *out = &r->values[r->p->n_inputs + i];
    int64_t *dims = r->dims + (int64_t)i * r->rank_limit;
    if (axis < -x.rank || axis >= x.rank)
        return sl_invalid(k, "Invalid reduction dimension (%" PRId64 " for input with %d dimension(s)", axis, x.rank);
    memcpy(dims, x.dims, (size_t)x.rank * sizeof *dims);
    dims[axis < 0 ? axis + x.rank : axis] = 1;
    *out = (struct sl_broadcast_map_input){NULL, r->p->size, 1, {x.rank, dims}};
    return sl_shape_count(&out->count, out->shape, k->err);
}

static sl_code find_shape(struct sl_elementwise_program_run *r, struct sl_kernel_context *k, int i) {
    const struct sl_elementwise_program_step *s = &r->p->steps[i];
    if (!s->def) {
        if (find_folded_shape(r, k, i) == SL_OK) return SL_OK;
        sl_error_name_node(k->err, s->name);
        return SL_INVALID_ARGUMENT;
    }
    const struct sl_elementwise *row = s->def->data;
    const struct sl_broadcast_map_input *x = &r->values[s->operands[0]];
    const struct sl_broadcast_map_input *y = s->n_operands > 1 ? &r->values[s->operands[1]] : x;
    struct sl_broadcast_map_input *out = &r->values[r->p->n_inputs + i];
    *out = (struct sl_broadcast_map_input){NULL, r->p->size, x->count, x->shape};
    if (x == y || sl_shape_equal(x->shape, y->shape)) return SL_OK;
    if (row->shapes == SL_SHAPES_SAME_COUNT && x->count == y->count) return SL_OK;
    int64_t *dims = r->dims + (int64_t)i * r->rank_limit;
    const struct sl_broadcast_map_input both[] = {*x, *y};
    if (row->shapes != SL_SHAPES_BROADCAST || !sl_broadcast_map_shape(&out->shape, dims, both, 2)) {
        struct sl_view a = {NULL, x->shape.dims, x->count, x->shape.rank, 0};
        struct sl_view b = {NULL, y->shape.dims, y->count, y->shape.rank, 0};
        sl_code code = sl_elementwise_mismatch(k->err, s->def, s->name, a, b);
        sl_error_name_node(k->err, s->name);
        return code;
    }
    if (sl_shape_count(&out->count, out->shape, k->err) == SL_OK) return SL_OK;
    sl_error_name_node(k->err, s->name);
    return SL_INVALID_ARGUMENT;
}

/* ---- the steps that run before */

/* Of a program in blocks: what is smaller than the result, folds, and what they read. */
static void find_early(struct sl_elementwise_program_run *r, const struct sl_elementwise_program *p) {
    for (int i = 0; i < p->n_steps; i++)
        r->is_early[i] = r->by_rows ? r->kinds[p->n_inputs + i] < SL_ROW_COLUMN
                                    : !p->steps[i].def || r->values[p->n_inputs + i].count != r->count;
    for (int i = p->n_steps; i-- > 0 && !r->by_rows;)
        for (int o = 0; o < p->steps[i].n_operands && r->is_early[i]; o++)
            if (p->steps[i].operands[o] >= p->n_inputs) r->is_early[p->steps[i].operands[o] - p->n_inputs] = true;
    r->has_early = false;
    for (int i = 0; i < p->n_steps; i++) r->has_early |= r->is_early[i];
    for (int i = 0; i < p->n_steps - 1 && r->count; i++)
        if (r->is_early[i]) r->small_bytes += (r->values[p->n_inputs + i].count * p->size + 63) & ~INT64_C(63);
}

static sl_code fold_whole(struct sl_kernel_context *k, const struct sl_elementwise_program_step *s,
                          const struct sl_broadcast_map_input *x, const struct sl_broadcast_map_input *out, void *to) {
    struct sl_reduce reduce; /* not cleared as a whole */
    if (out->count == x->count) {
        if (x->count) memcpy(to, x->data, (size_t)(x->count * s->fold.size));
        return SL_OK;
    }
    reduce.loop = s->fold.loop;
    reduce.ordered = s->fold.ordered;
    reduce.finish = s->fold.finish;
    reduce.x = x->data;
    reduce.to = to;
    reduce.x_size = reduce.to_size = s->fold.size;
    reduce.rank = x->shape.rank;
    for (int d = 0; d < reduce.rank; d++) {
        reduce.dims[d] = x->shape.dims[d];
        reduce.is_reduced[d] = d == s->axis || d == s->axis + reduce.rank;
    }
    return sl_reduce_run(k, &reduce);
}

static sl_code run_small(struct sl_elementwise_program_run *r, struct sl_kernel_context *k) {
    const struct sl_elementwise_program *p = r->p;
    char *at = r->small;
    for (int i = 0; i < p->n_steps; i++) {
        struct sl_broadcast_map_input *out = &r->values[p->n_inputs + i];
        const struct sl_elementwise_program_step *s = &p->steps[i];
        if (!r->is_early[i]) continue;
        char *to = i == p->n_steps - 1 ? r->to : at;
        struct sl_broadcast_map map = {
            .loop = s->loop, .n = s->n_operands, .to = to, .to_size = p->size, .shape = out->shape};
        for (int o = 0; o < s->n_operands; o++) {
            map.in[o] = r->values[s->operands[o]];
            if (map.in[o].count == out->count) map.in[o].shape = out->shape;
        }
        if (s->def) map.ns = (double)s->def->cost_element, sl_broadcast_map_run(k, &map);
        else SL_TRY(fold_whole(k, s, &r->values[s->operands[0]], out, to));
        out->data = to;
        if (to == at) at += (out->count * p->size + 63) & ~INT64_C(63);
    }
    return SL_OK;
}

/* ---- the steps that run in blocks */

static bool is_late(const struct sl_elementwise_program_run *r, int value) {
    return value >= r->p->n_inputs && !r->is_early[value - r->p->n_inputs];
}

struct tiles {
    _Alignas(64) unsigned char inputs[SL_ELEMENTWISE_VALUES][SL_TILE];
    _Alignas(64) unsigned char steps[SL_ELEMENTWISE_STEPS][SL_TILE];
};

/* Asks for lines [from, to) of the block from `begin` on, which is written after this one, and for the first lines of
 * what is read then, from where processors go on by themselves: memory works while steps do. */
static SL_FETCHES void fetch_next(const struct sl_elementwise_program_run *r, int64_t begin, int64_t from, int64_t to) {
    const int64_t size = r->p->size, first = to < FIRST_LINES ? to : FIRST_LINES;
    for (int e = 0; e < r->n_external; e++) {
        const char *data = r->values[r->external[e]].data;
        for (int64_t l = from; r->modes[e] == SL_PLAN_DENSE && l < first; l++)
            __builtin_prefetch(data + begin * size + l * LINE, 0, 3);
    }
    for (int64_t l = from; l < to; l++) __builtin_prefetch(r->to + begin * size + l * LINE, 1, 2);
}

static void run_block(const struct sl_elementwise_program_run *r, struct tiles *t, const void **in, int64_t begin,
                      int64_t n, int64_t next) {
    const struct sl_elementwise_program *p = r->p;
    const int64_t lines = next * p->size / LINE, each = lines / p->n_steps + 1;
    for (int64_t i = 0, fetched = 0; i < p->n_steps; i++, fetched += each) {
        const struct sl_elementwise_program_step *s = &p->steps[i];
        const void *operands[2] = {NULL, NULL};
        if (r->is_early[i]) continue;
        fetch_next(r, begin + n, fetched, fetched + each < lines ? fetched + each : lines);
        for (int o = 0; o < s->n_operands; o++) {
            int from = s->operands[o], step = from - p->n_inputs;
            operands[o] = is_late(r, from) ? t->steps[p->steps[step].tile] : in[r->input_of[from]];
        }
        void *to = i == p->n_steps - 1 ? (void *)(r->to + begin * p->size) : t->steps[s->tile];
        s->loop(to, operands[0], operands[1], NULL, n);
    }
}

static void run_blocks(void *arg, int64_t begin, int64_t end) {
    const struct sl_elementwise_program_run *r = arg;
    const void *in[SL_ELEMENTWISE_VALUES];
    struct tiles t;
    for (int64_t b = begin; b < end; b += r->plan.step) {
        int64_t n = end - b < r->plan.step ? end - b : r->plan.step;
        for (int i = 0; i < r->n_external; i++) in[i] = sl_plan_block(&r->plan, i, t.inputs[i], b, n, b == begin);
        const int64_t next = end - b - n < r->plan.step ? end - b - n : r->plan.step;
        run_block(r, &t, in, b, n, r->fetches ? next : 0);
    }
}

/* What the blocks are read from: inputs and small results that a large step reads. */
static void find_external(struct sl_elementwise_program_run *r) {
    const struct sl_elementwise_program *p = r->p;
    memset(r->input_of, -1, sizeof r->input_of);
    for (int i = 0; i < p->n_steps; i++)
        for (int o = 0; o < p->steps[i].n_operands && !r->is_early[i]; o++) {
            int from = p->steps[i].operands[o];
            if (is_late(r, from) || r->input_of[from] >= 0) continue;
            r->input_of[from] = r->n_external;
            r->external[r->n_external++] = from;
        }
}

/* Shapes, what runs before, plan: all is known. */
static void run_planned(struct sl_elementwise_program_run *r, struct sl_kernel_context *k) {
    r->fetches = r->count * r->p->size > CACHED;
    r->code = sl_elementwise_code_of(r);
    sl_kernel_split(k, r->count, r->p->ns + 0.2, r->code ? sl_elementwise_code_run : run_blocks, r);
}

static void run_large(struct sl_elementwise_program_run *r, struct sl_kernel_context *k, struct sl_shape shape) {
    const struct sl_elementwise_program *p = r->p;
    struct sl_broadcast_map_input in[SL_ELEMENTWISE_VALUES];
    find_external(r);
    for (int i = 0; i < r->n_external; i++) in[i] = r->values[r->external[i]];
    r->plan = (struct sl_plan){.in = in,
                               .n = r->n_external,
                               .mode = r->modes,
                               .dims = r->dims + (int64_t)p->n_steps * r->rank_limit,
                               .strides = r->dims + (int64_t)(p->n_steps + 1) * r->rank_limit,
                               .rank_limit = r->rank_limit};
    for (int i = 0; i < r->n_external; i++) /* as many elements, though maybe in another shape */
        if (in[i].count == r->count) in[i].shape = shape;
    sl_plan_make(&r->plan, shape, r->count, SL_TILE / p->size);
    run_planned(r, k);
}

/* ---- inputs of one shape, and scalars: most programs. Nothing has to be searched for. */

/* Whether it is so, and each step gives that shape; sets `values`, `modes`, `external`, `input_of` of the inputs. */
static bool find_uniform(struct sl_shape *shape, struct sl_elementwise_program_run *r, struct sl_kernel_context *k) {
    const struct sl_elementwise_program *p = r->p;
    const uint32_t all = (UINT32_C(1) << p->n_inputs) - 1;
    uint32_t full = 0; /* values of that shape */
    for (int i = 0; i < p->n_inputs; i++) {
        const struct sl_view v = sl_in(k, i);
        const bool is_scalar = v.rank == 0;
        r->values[i] = (struct sl_broadcast_map_input){v.data, p->size, v.count, sl_view_shape(v)};
        r->modes[i] = is_scalar ? SL_PLAN_SCALAR : SL_PLAN_DENSE;
        r->external[i] = r->input_of[i] = i;
        if (is_scalar) continue;
        if (full && !sl_shape_equal(*shape, r->values[i].shape)) return false;
        *shape = r->values[i].shape;
        r->count = v.count;
        full |= UINT32_C(1) << i;
    }
    if (!full || !r->count || (full != all && p->is_strict)) return false;
    for (int i = 0; full != all && i < p->n_steps; i++) {
        const struct sl_elementwise_program_step *s = &p->steps[i];
        const uint32_t either = full >> s->operands[0] | (s->n_operands > 1 ? full >> s->operands[1] : 0);
        if (!(either & 1)) return false;
        full |= UINT32_C(1) << (p->n_inputs + i);
    }
    return true;
}

static sl_code run_uniform(struct sl_elementwise_program_run *r, struct sl_kernel_context *k, struct sl_shape shape) {
    struct sl_view out;
    r->by_rows = r->has_early = false;
    memset(r->is_early, 0, sizeof r->is_early);
    r->n_external = r->p->n_inputs;
    r->plan.in = r->values;
    r->plan.mode = r->modes;
    r->plan.step = SL_TILE / r->p->size;
    SL_TRY(sl_out_reuse(&out, k, 0, shape, 0, r->p->n_inputs));
    r->to = out.data;
    run_planned(r, k);
    return SL_OK;
}

/* ---- all of it */

static sl_code run_tensors(struct sl_elementwise_program_run *r, struct sl_kernel_context *k) {
    const struct sl_elementwise_program *p = r->p;
    const struct sl_broadcast_map_input *last = &r->values[p->n_inputs + p->n_steps - 1];
    struct sl_view out;
    struct sl_elementwise_program_rows rows;
    for (int i = 0; i < p->n_steps; i++) SL_TRY(find_shape(r, k, i));
    r->count = last->count;
    r->by_rows = p->n_folds && sl_elementwise_program_rows_plan(&rows, r);
    find_early(r, p);
    if (r->small_bytes) {
        r->small = sl_scratch_new((size_t)r->small_bytes);
        if (!r->small) return sl_fail_memory(k->err, (size_t)r->small_bytes);
    }
    if (r->is_early[p->n_steps - 1]) { /* all are. An input that is taken over changes its shape, which is still read */
        SL_TRY(sl_out_new(&out, k, 0, last->shape));
        r->to = out.data;
        return r->count ? run_small(r, k) : SL_OK;
    }
    if (r->small) SL_TRY(run_small(r, k));
    SL_TRY(sl_out_reuse(&out, k, 0, last->shape, 0, p->n_inputs));
    r->to = out.data;
    if (!r->count) return SL_OK;
    if (r->by_rows) sl_elementwise_program_rows_run(&rows, k);
    else run_large(r, k, sl_view_shape(out));
    return SL_OK;
}

static sl_code program_run(struct sl_kernel_context *k) {
    const struct sl_elementwise_program *p = k->state;
    int64_t few[(SL_ELEMENTWISE_STEPS + 1 + SL_ELEMENTWISE_VALUES) * FEW_DIMS];
    struct sl_elementwise_program_run r; /* not cleared as a whole: small tensors would notice */
    if (all_scalars(k, p)) return run_scalars(k, p);
    struct sl_shape shape;
    r.p = p;
    if (!p->n_folds && find_uniform(&shape, &r, k)) return run_uniform(&r, k, shape);
    r.rank_limit = FEW_DIMS;
    r.dims = few;
    r.n_external = 0;
    r.small = NULL;
    r.small_bytes = 0;
    for (int i = 0; i < p->n_inputs; i++) {
        r.values[i] = sl_broadcast_map_input(sl_in(k, i));
        if (r.values[i].shape.rank > r.rank_limit) r.rank_limit = r.values[i].shape.rank;
    }
    size_t bytes = (size_t)(p->n_steps + 1 + SL_ELEMENTWISE_VALUES) * (size_t)r.rank_limit * sizeof *few;
    if (r.rank_limit > FEW_DIMS) r.dims = sl_scratch_new(bytes);
    if (!r.dims) return sl_fail_memory(k->err, bytes);
    sl_code code = run_tensors(&r, k);
    if (r.dims != few) sl_scratch_free(r.dims, bytes);
    if (r.small) sl_scratch_free(r.small, (size_t)r.small_bytes);
    return code;
}

/* ---- step by step, for who watches numbers (kernel/numerics.h) */

static int count_steps(const void *state) { return ((const struct sl_elementwise_program *)state)->n_steps; }

static void describe_step(struct sl_str *name, const char **op, int operands[2], const void *state, int i) {
    const struct sl_elementwise_program_step *s = &((const struct sl_elementwise_program *)state)->steps[i];
    *name = s->name;
    *op = s->def ? s->def->op : "a fold";
    for (int o = 0; o < 2; o++) operands[o] = o < s->n_operands ? s->operands[o] : -1;
}

static sl_code run_up_to(struct sl_kernel_context *k, int i) {
    struct sl_elementwise_program shorter = *(const struct sl_elementwise_program *)k->state;
    struct sl_kernel_context again = {
        .node = k->node, .state = &shorter, .slots = k->slots, .env = k->env, .err = k->err};
    shorter.n_steps = i + 1;
    shorter.codes = NULL;
    shorter.n_folds = 0;
    for (int s = 0; s <= i; s++) shorter.n_folds += !shorter.steps[s].def;
    return program_run(&again);
}

static const struct sl_numerics_steps steps = {count_steps, describe_step, run_up_to};

const struct sl_kernel_def sl_cpu_elementwise_program_rows[] = {
    KERNEL("_ElementwiseProgram", RULE("T", SL_SET(FLOAT) | SL_SET(DOUBLE)), .create = program_create,
           .destroy = program_destroy, .run = program_run, .scalar_step = program_scalar_step,
           .flags = SL_KERNEL_OWN /* no two have equal attrs */, .data = &steps, .cost_ns = 40, .cost_element = 2)
        SL_ROWS_END};
