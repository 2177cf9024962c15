/* Jacobians and forward mode, by gradients. */
#include "tape/derivatives.h"

#include "base/alloc.h"
#include "grad/sums.h"
#include "tape/execute_batch.h"

static sl_code emit(struct sl_term *out, struct sl_execute_emitter *e, const char *op, const struct sl_term *inputs,
                    int n, struct sl_error *err) {
    const struct sl_emission what = {.op = sl_str_of(op), .inputs = inputs, .n_inputs = n};
    return e->base.add(out, &e->base, &what, err);
}

static sl_code sizes(struct sl_term *out, struct sl_execute_emitter *e, const int64_t *dims, int n,
                     struct sl_error *err) {
    struct sl_tensor *t;
    SL_TRY(sl_tensor_new(&t, SL_INT64, (struct sl_shape){1, (const int64_t[]){n}}, err));
    if (n) memcpy(t->data, dims, (size_t)n * sizeof *dims);
    sl_code code = e->base.literal(out, &e->base, t, err);
    sl_tensor_unref(t);
    return code;
}

/* ---- forward mode */

/* v J for some v, under a tape of its own that watches v; and the gradient of that. */
static sl_code go_back_twice(struct sl_term *tys, struct sl_recording *tape, struct sl_recording *around,
                             struct sl_execute_emitter *e, const struct sl_jvp_spec *spec, struct sl_error *err) {
    const size_t n_ys = (size_t)spec->n_ys, n_xs = (size_t)spec->n_xs;
    struct sl_arena *arena = &e->room.scratch;
    struct sl_term *vs = SL_ARENA_ARRAY(arena, struct sl_term, n_ys + 1);
    struct sl_term *products = SL_ARENA_ARRAY(arena, struct sl_term, 2 * n_xs + 1), *weights = products + n_xs;
    struct sl_term_gradient *found = SL_ARENA_ARRAY(arena, struct sl_term_gradient, n_ys + n_xs + 1);
    struct sl_recording **tapes = SL_ARENA_ARRAY(arena, struct sl_recording *, (size_t)e->n_tapes + 1);
    struct sl_recording *const *outer = e->tapes;
    const int n_outer = e->n_tapes;
    int n = 0;
    if (!vs || !products || !found || !tapes) return sl_fail_memory(err, (n_ys + n_xs) * sizeof *found);
    if (n_outer) memcpy(tapes, outer, (size_t)n_outer * sizeof *tapes);
    tapes[n_outer] = around;
    for (int i = 0; i < spec->n_ys; i++) {
        SL_TRY(emit(&vs[i], e, "OnesLike", &spec->ys[i], 1, err));
        SL_TRY(sl_recording_watch(around, sl_term_value(vs[i]), err));
    }
    const struct sl_recording_spec first = {
        .ys = spec->ys, .dys = vs, .xs = spec->xs, .n_ys = spec->n_ys, .n_xs = spec->n_xs};
    e->tapes = tapes;
    e->n_tapes = n_outer + 1;
    sl_code code = sl_recording_gradient(found, tape, e, &first, err);
    e->tapes = outer;
    e->n_tapes = n_outer;
    SL_TRY(code);
    for (int i = 0; i < spec->n_xs; i++) {
        if (!sl_term_is(found[i].values) || !sl_term_is(spec->txs[i])) continue;
        products[n] = found[i].values;
        weights[n++] = spec->txs[i];
    }
    const struct sl_recording_spec second = {.ys = products, .dys = weights, .xs = vs, .n_ys = n, .n_xs = spec->n_ys};
    SL_TRY(sl_recording_gradient(found, around, e, &second, err));
    for (int i = 0; i < spec->n_ys; i++) tys[i] = found[i].values;
    return SL_OK;
}

sl_code sl_recording_jvp(struct sl_term *tys, struct sl_recording *tape, struct sl_execute_emitter *e,
                         const struct sl_jvp_spec *spec, struct sl_error *err) {
    struct sl_recording *around;
    SL_TRY(sl_recording_new(&around, e->env, false, err));
    sl_code code = go_back_twice(tys, tape, around, e, spec, err);
    sl_recording_free(around);
    return code;
}

/* ---- Jacobians */

struct jacobian {
    struct sl_recording *tape;
    struct sl_execute_emitter *e;
    const struct sl_jacobian_spec *spec;
    struct sl_shape y;
    int64_t examples, rows; /* of y; 1 without examples */
    int64_t each;           /* rows that are computed at once */
    struct sl_term *parts;  /* by x and time */
    int n_parts;
    struct sl_error *err;
};

enum { MOST_ROWS = 1024, MOST_ELEMENTS = 1 << 24 };

static sl_code fail_examples(struct jacobian *j, const char *what, int i, struct sl_shape shape) {
    char text[2][SL_SHAPE_TEXT];
    return sl_fail(j->err, SL_INVALID_ARGUMENT,
                   "A Jacobian by examples: %s %d has shape %s, and the target %s: their first dimensions must be the "
                   "same",
                   what, i, sl_shape_text(text[0], shape), sl_shape_text(text[1], j->y));
}

static sl_code measure(struct jacobian *j) {
    const struct sl_jacobian_spec *spec = j->spec;
    const struct sl_view y = sl_value_view(&sl_term_value(spec->y)->value);
    j->y = sl_view_shape(y);
    j->examples = 1;
    if (spec->by_example) {
        if (y.rank < 1) return fail_examples(j, "target", 0, j->y);
        j->examples = y.dims[0];
        for (int i = 0; i < spec->n_xs; i++) {
            const struct sl_shape x = j->e->base.shape(&j->e->base, spec->xs[i]);
            if (sl_value_view(&sl_term_value(spec->xs[i])->value).dtype == SL_RESOURCE)
                continue; /* the caller's to see */
            if (x.rank < 1 || x.dims[0] != y.dims[0]) return fail_examples(j, "source", i, x);
        }
    }
    j->rows = y.count && j->examples ? y.count / j->examples : 0;
    j->each = y.count && MOST_ELEMENTS / y.count < MOST_ROWS ? MOST_ELEMENTS / y.count : MOST_ROWS;
    if (j->each < 1) j->each = 1;
    if (j->each > j->rows) j->each = j->rows;
    j->n_parts = j->each ? (int)((j->rows + j->each - 1) / j->each) : 0;
    return SL_OK;
}

static void put_one(struct sl_tensor *t, int64_t at) {
    char *to = (char *)t->data + (size_t)at * sl_dtype_size(t->dtype);
    switch (t->dtype) {
    case SL_HALF: *(uint16_t *)to = 0x3c00; break;
    case SL_BFLOAT16: *(uint16_t *)to = 0x3f80; break;
    case SL_FLOAT:
    case SL_COMPLEX64: *(float *)to = 1; break;
    default: *(double *)to = 1;
    }
}

/* A stack of `n` gradients of y: of row `first` and those behind it, 1 where the row is (in each example), else 0. */
static sl_code unit_vectors(struct sl_term *out, struct jacobian *j, int64_t first, int64_t n) {
    struct sl_tensor *t;
    int64_t dims[SL_MAX_RANK];
    const int dtype = sl_term_value(j->spec->y)->value.dtype;
    if (j->y.rank + 1 > SL_MAX_RANK) return sl_fail(j->err, SL_INVALID_ARGUMENT, "The target has too many dimensions");
    dims[0] = n;
    for (int i = 0; i < j->y.rank; i++) dims[1 + i] = j->y.dims[i];
    SL_TRY(sl_tensor_new(&t, dtype, (struct sl_shape){j->y.rank + 1, dims}, j->err));
    memset(t->data, 0, (size_t)t->count * sl_dtype_size(dtype));
    for (int64_t k = 0; k < n; k++)
        for (int64_t b = 0; b < j->examples; b++) put_one(t, (k * j->examples + b) * j->rows + first + k);
    sl_code code = j->e->base.literal(out, &j->e->base, t, j->err);
    sl_tensor_unref(t);
    if (code == SL_OK) sl_term_as_batch(*out, true);
    return code;
}

/* Rows from `first` on, all at once. */
static sl_code take_rows(struct jacobian *j, int part, int64_t first, int64_t n) {
    struct sl_term dy;
    struct sl_term_gradient *found =
        SL_ARENA_ARRAY(&j->e->room.scratch, struct sl_term_gradient, (size_t)j->spec->n_xs);
    if (!found) return sl_fail_memory(j->err, sizeof *found);
    SL_TRY(unit_vectors(&dy, j, first, n));
    const struct sl_recording_spec spec = {
        .ys = &j->spec->y, .dys = &dy, .xs = j->spec->xs, .n_ys = 1, .n_xs = j->spec->n_xs};
    j->e->batch = n;
    sl_code code = sl_recording_gradient(found, j->tape, j->e, &spec, j->err);
    j->e->batch = 0;
    SL_TRY(code);
    for (int i = 0; i < j->spec->n_xs; i++) {
        struct sl_term dx = found[i].values;
        if (!sl_term_is(dx)) continue;
        if (!sl_term_is_batch(dx)) /* the same for all, as zeros are */
            return sl_fail(j->err, SL_UNIMPLEMENTED, "A gradient that does not depend on those of the target");
        j->parts[i * j->n_parts + part] = sl_term_as_batch(dx, false);
    }
    return SL_OK;
}

/* One row at a time, where values cannot be stacked. */
static sl_code take_rows_alone(struct jacobian *j, int part, int64_t first, int64_t n) {
    struct sl_arena *arena = &j->e->room.scratch;
    const size_t n_xs = (size_t)j->spec->n_xs;
    struct sl_term_gradient *found = SL_ARENA_ARRAY(arena, struct sl_term_gradient, n_xs);
    struct sl_term *rows = SL_ARENA_ARRAY(arena, struct sl_term, n_xs * (size_t)n), both[2];
    if (!found || !rows) return sl_fail_memory(j->err, n_xs * (size_t)n * sizeof *rows);
    for (int64_t k = 0; k < n; k++) {
        SL_TRY(unit_vectors(&both[0], j, first + k, 1));
        sl_term_as_batch(both[0], false);
        SL_TRY(sizes(&both[1], j->e, j->y.dims, j->y.rank, j->err));
        SL_TRY(emit(&both[0], j->e, "Reshape", both, 2, j->err));
        const struct sl_recording_spec spec = {
            .ys = &j->spec->y, .dys = both, .xs = j->spec->xs, .n_ys = 1, .n_xs = j->spec->n_xs};
        SL_TRY(sl_recording_gradient(found, j->tape, j->e, &spec, j->err));
        for (size_t i = 0; i < n_xs; i++) rows[i * (size_t)n + (size_t)k] = found[i].values;
    }
    for (size_t i = 0; i < n_xs; i++)
        if (sl_term_is(rows[i * (size_t)n]))
            SL_TRY(emit(&j->parts[i * (size_t)j->n_parts + (size_t)part], j->e, "Pack", &rows[i * (size_t)n], (int)n,
                        j->err));
    return SL_OK;
}

/* [rows, x...] as [y..., x...]; by example [rows, examples, x...] as [examples, rows of y..., x...]. */
static sl_code arrange(struct sl_term *out, struct jacobian *j, int i) {
    struct sl_term *parts = &j->parts[i * j->n_parts], both[2];
    int64_t dims[SL_MAX_RANK], order[SL_MAX_RANK], inner[SL_MAX_RANK];
    int n = 0;
    *out = SL_NO_TERM;
    if (!j->n_parts || !sl_term_is(parts[0])) return SL_OK;
    if (j->n_parts > 1) {
        struct sl_term *all = SL_ARENA_ARRAY(&j->e->room.scratch, struct sl_term, (size_t)j->n_parts + 1);
        struct sl_tensor *zero;
        if (!all) return sl_fail_memory(j->err, sizeof *all);
        memcpy(all, parts, (size_t)j->n_parts * sizeof *all);
        SL_TRY(sl_tensor_new(&zero, SL_INT32, SL_SHAPE_SCALAR, j->err));
        *(int32_t *)zero->data = 0;
        sl_code code = j->e->base.literal(&all[j->n_parts], &j->e->base, zero, j->err);
        sl_tensor_unref(zero);
        SL_TRY(code);
        SL_TRY(emit(&both[0], j->e, "ConcatV2", all, j->n_parts + 1, j->err));
    } else {
        both[0] = parts[0];
    }
    /* The shape of a source, also of a variable, whose handle has another, is that of its gradient. */
    const struct sl_shape stacked = j->e->base.shape(&j->e->base, both[0]);
    const struct sl_shape x = {.rank = stacked.rank - 1, .dims = inner};
    for (int k = 0; k < x.rank; k++) inner[k] = stacked.dims[k + 1];
    if (j->y.rank + x.rank > SL_MAX_RANK)
        return sl_fail(j->err, SL_INVALID_ARGUMENT, "A Jacobian of too many dimensions");
    if (j->spec->by_example) {
        const int rank = x.rank + 1;
        for (int k = 0; k < rank; k++) order[k] = k < 2 ? 1 - k : k;
        SL_TRY(sizes(&both[1], j->e, order, rank, j->err));
        SL_TRY(emit(&both[0], j->e, "Transpose", both, 2, j->err));
    }
    for (int k = 0; k < j->y.rank; k++) dims[n++] = j->y.dims[k];
    for (int k = j->spec->by_example ? 1 : 0; k < x.rank; k++) dims[n++] = x.dims[k];
    SL_TRY(sizes(&both[1], j->e, dims, n, j->err));
    return emit(out, j->e, "Reshape", both, 2, j->err);
}

static sl_code take_all(struct sl_term *dxs, struct jacobian *j) {
    bool is_alone = false;
    SL_TRY(measure(j));
    j->parts = SL_ARENA_ARRAY(&j->e->room.scratch, struct sl_term, (size_t)j->spec->n_xs * (size_t)j->n_parts + 1);
    if (!j->parts) return sl_fail_memory(j->err, sizeof *j->parts);
    for (int part = 0; part < j->n_parts; part++) {
        const int64_t first = part * j->each, n = first + j->each > j->rows ? j->rows - first : j->each;
        sl_code code = is_alone ? SL_UNIMPLEMENTED : take_rows(j, part, first, n);
        is_alone = code == SL_UNIMPLEMENTED;
        if (is_alone) code = take_rows_alone(j, part, first, n);
        SL_TRY(code);
    }
    for (int i = 0; i < j->spec->n_xs; i++) SL_TRY(arrange(&dxs[i], j, i));
    return SL_OK;
}

sl_code sl_recording_jacobian(struct sl_term *dxs, struct sl_recording *tape, struct sl_execute_emitter *e,
                              const struct sl_jacobian_spec *spec, struct sl_error *err) {
    struct jacobian j = {.tape = tape, .e = e, .spec = spec, .err = err};
    SL_TRY(sl_recording_begin_many(tape, err));
    sl_code code = take_all(dxs, &j);
    sl_recording_end_many(tape);
    return code;
}
