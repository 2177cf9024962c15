/* Conditional accumulators: gradients are added until somebody takes their mean or sum, which begins the next step.
 * A gradient of an earlier step is dropped without a word. Taking waits until there are enough. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "backends/any/session_object.h"
#include "backends/any/waiting_line.h"
#include "base/alloc.h"
#include "tensor/float16.h"

/* Gradients of a sparse accumulator, borrowed or owned by who has it: row i of `values` belongs to indices[i]. */
struct sparse_rows {
    int64_t n;
    int64_t *indices;
    float *counts;          /* how many gradients had this row */
    struct sl_value values; /* [n, ...] */
};

struct accumulator {
    struct sl_session_object base;
    struct sl_lines lines; /* line 0: those that take */
    struct sl_arena arena;
    uint8_t dtype; /* half, float, double */
    bool is_mean;
    struct sl_shape shape; /* as declared, partly known */
    int64_t global_step, count;
    int64_t n_late;          /* gradients of steps that were over: they do not count */
    struct sl_value sum;     /* dense ones */
    struct sparse_rows rows; /* sparse ones */
};

/* ---- arithmetic */

/* Elements of a floating type: to[i] += from[i], in that type. */
static void accumulate(int dtype, void *to, const void *from, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        if (dtype == SL_FLOAT) ((float *)to)[i] += ((const float *)from)[i];
        else if (dtype == SL_DOUBLE) ((double *)to)[i] += ((const double *)from)[i];
        else
            ((sl_half *)to)[i] =
                sl_half_of_float(sl_float_of_half(((sl_half *)to)[i]) + sl_float_of_half(((const sl_half *)from)[i]));
    }
}

static void divide(int dtype, void *to, double by, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        if (dtype == SL_FLOAT) ((float *)to)[i] /= (float)by;
        else if (dtype == SL_DOUBLE) ((double *)to)[i] /= by;
        else ((sl_half *)to)[i] = sl_half_of_float(sl_float_of_half(((sl_half *)to)[i]) / (float)by);
    }
}

/* ---- the object */

static void clear_rows(struct sparse_rows *r) {
    sl_free(r->indices);
    sl_free(r->counts);
    sl_value_clear(&r->values);
    *r = (struct sparse_rows){0};
}

static void accumulator_free(struct sl_object *object) {
    struct accumulator *a = (struct accumulator *)object;
    sl_value_clear(&a->sum);
    clear_rows(&a->rows);
    sl_arena_clear(&a->arena);
    sl_lines_clear(&a->lines);
    sl_session_object_clear(&a->base);
    sl_free(a);
}

static const struct sl_object_type dense_type = {.name = "tensorflow::ConditionalAccumulatorBase",
                                                 .free = accumulator_free},
                                   sparse_type = {.name = "tensorflow::SparseConditionalAccumulator",
                                                  .free = accumulator_free};

struct make_state {
    struct sl_session_maker maker;
    const struct sl_object_type *type;
    struct sl_arena arena;
    int dtype;
    bool is_mean;
    struct sl_shape shape;
};

static void make_destroy(void *state) {
    struct make_state *s = state;
    sl_session_maker_clear(&s->maker);
    sl_arena_clear(&s->arena);
    sl_free(s);
}

static sl_code make_create(void **state, struct sl_kernel_setup *setup) {
    struct make_state *s = sl_calloc(1, sizeof *s);
    struct sl_str reduction = {NULL, 0};
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    s->type = sl_str_starts(setup->op->name, SL_STR("Sparse")) ? &sparse_type : &dense_type;
    sl_code code = sl_attr_type(&s->dtype, setup->attrs, "dtype", setup->err);
    if (code == SL_OK) code = sl_attr_shape(&s->shape, &s->arena, setup->attrs, "shape", setup->err);
    if (code == SL_OK) code = sl_attr_string(&reduction, setup->attrs, "reduction_type", setup->err);
    if (code == SL_OK) code = sl_session_maker_init(&s->maker, setup, SL_NAMED_BY_NODE);
    s->is_mean = !sl_str_is(reduction, "SUM");
    if (code == SL_OK) {
        *state = s;
    } else {
        sl_arena_clear(&s->arena);
        sl_free(s);
    }
    return code;
}

static int describe(char *text, size_t size, const struct sl_lines *lines) {
    const struct accumulator *a =
        (const struct accumulator *)(const void *)((const char *)lines - offsetof(struct accumulator, lines));
    char late[64] = "";
    if (a->n_late) snprintf(late, sizeof late, ", and has dropped %" PRId64 " of earlier steps", a->n_late);
    return snprintf(text, size, "has %" PRId64 " gradient%s of step %" PRId64 "%s", a->count, a->count == 1 ? "" : "s",
                    a->global_step, late);
}

static sl_code make_accumulator(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    const struct make_state *s = arg;
    struct accumulator *a = sl_calloc(1, sizeof *a);
    if (!a) return sl_fail_memory(err, sizeof *a);
    sl_object_init(&a->base.object, s->type);
    sl_lines_init(&a->lines, false);
    a->lines.describe = describe;
    sl_arena_init(&a->arena);
    a->dtype = (uint8_t)s->dtype;
    a->is_mean = s->is_mean;
    a->shape = sl_shape_copy(&a->arena, s->shape);
    if (a->shape.rank < -1) {
        sl_object_unref(&a->base.object);
        return sl_fail_memory(err, sizeof *a);
    }
    *out = &a->base;
    return SL_OK;
}

static sl_code make_run(struct sl_kernel_context *k) {
    struct make_state *s = k->state;
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, &s->maker, s->type, make_accumulator, NULL, s));
    return sl_session_object_give(k, &s->maker);
}

/* ---- what operations do first */

/* The accumulator of either type: some ops serve both. */
static sl_code hold(struct sl_held *held, struct accumulator **a, struct sl_kernel_context *k) {
    sl_code code = sl_session_object_hold(held, k, &dense_type);
    if (code == SL_NOT_FOUND) {
        sl_error_clear(k->err);
        code = sl_session_object_hold(held, k, &sparse_type);
    }
    if (code == SL_OK) *a = (struct accumulator *)held->object;
    return code;
}

static sl_code scalar_in(int64_t *out, struct sl_kernel_context *k, int i, const char *name) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0)
        return sl_invalid(k, "Argument %s must be scalar, but had bad shape %s", name,
                          sl_shape_text(text, sl_view_shape(v)));
    return sl_in_int(out, k, i, name);
}

static sl_code check_dtype(struct sl_kernel_context *k, const struct accumulator *a, int dtype) {
    if (dtype == a->dtype) return SL_OK;
    return sl_invalid(k, "The accumulator is of type %s, not %s", sl_dtype_name(a->dtype), sl_dtype_name(dtype));
}

/* Runs `work` with the lock held; those that wait are tried afterwards. */
static sl_code with_lock(struct sl_kernel_context *k, const struct sl_object_type *type,
                         sl_code (*work)(struct sl_kernel_context *k, struct accumulator *a)) {
    struct sl_held held;
    struct accumulator *a;
    SL_TRY(hold(&held, &a, k));
    sl_code code = SL_OK;
    if (type && held.object->type != type)
        code = sl_invalid(k, "Trying to access an accumulator of type '%s' as one of type '%s'",
                          held.object->type->name, type->name);
    if (code == SL_OK) {
        sl_lines_lock(&a->lines);
        code = work(k, a);
        sl_lines_unlock(&a->lines);
    }
    sl_held_release(held);
    return code;
}

/* ---- dense gradients */

static sl_code wrong_shape(struct sl_kernel_context *k, struct sl_shape wanted, struct sl_shape got) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    return sl_invalid(k, "Shape mismatch: expected %s, got %s", sl_shape_text(a, wanted), sl_shape_text(b, got));
}

/* A value of its own with these elements. */
static sl_code copy_value(struct sl_value *out, struct sl_view from, struct sl_error *err) {
    struct sl_value made = {0};
    SL_TRY(sl_value_new(&made, from.dtype, sl_view_shape(from), err));
    sl_code code = sl_elements_copy(from.dtype, sl_value_view(&made).data, from.data, from.count, err);
    if (code == SL_OK) *out = made;
    else sl_value_clear(&made);
    return code;
}

static sl_code apply(struct sl_kernel_context *k, struct accumulator *a) {
    int64_t step;
    struct sl_view gradient = sl_in(k, 2);
    SL_TRY(scalar_in(&step, k, 1, "local_step"));
    SL_TRY(check_dtype(k, a, gradient.dtype));
    if (step < a->global_step) {
        a->n_late++;
        return SL_OK;
    }
    struct sl_shape got = sl_view_shape(gradient);
    if (!sl_shape_is_compatible(a->shape, got)) return wrong_shape(k, a->shape, got);
    if (a->count == 0) {
        sl_value_clear(&a->sum);
        SL_TRY(copy_value(&a->sum, gradient, k->err));
    } else {
        struct sl_view sum = sl_value_view(&a->sum);
        if (!sl_shape_equal(sl_view_shape(sum), got)) return wrong_shape(k, sl_view_shape(sum), got);
        accumulate(a->dtype, sum.data, gradient.data, sum.count);
    }
    a->count++;
    return SL_OK;
}

static sl_code apply_run(struct sl_kernel_context *k) { return with_lock(k, &dense_type, apply); }

/* ---- sparse gradients: both sides are merged as if their indices ascended */

struct sparse_gradient {
    struct sl_view indices, values, shape;
    bool has_shape;
    int64_t row; /* elements of one */
};

static int64_t element_of_shape(const struct sparse_gradient *g, int64_t d) {
    return ((const int64_t *)g->shape.data)[d];
}

/* All indices are below the first dim: the gradient's own, or else the accumulator's where that is known. */
static sl_code check_indices(struct sl_kernel_context *k, const struct accumulator *a,
                             const struct sparse_gradient *g) {
    int64_t most = INT64_MAX;
    if (g->has_shape && g->shape.count) most = element_of_shape(g, 0);
    else if (!g->has_shape && a->shape.rank > 0 && a->shape.dims[0] >= 0) most = a->shape.dims[0];
    for (int64_t i = 0; i < g->indices.count; i++) {
        int64_t index = ((const int64_t *)g->indices.data)[i];
        if (index >= most)
            return sl_invalid(k,
                              "Shape mismatch: index of slice %" PRId64 " exceeded limits of shape; index is %" PRId64
                              " exceeded %" PRId64,
                              i, index, most);
    }
    return SL_OK;
}

/* The gradient's own shape, against the accumulator's. Its values may have another one, as in TensorFlow, whose clients give [] for
 * a scalar's. */
static sl_code check_known_shape(struct sl_kernel_context *k, const struct accumulator *a,
                                 const struct sparse_gradient *g) {
    int64_t rank = g->shape.count;
    if (rank < a->shape.rank)
        return sl_invalid(k, "Shape mismatch: expected shape rank at least %d, got %" PRId64, a->shape.rank, rank);
    for (int d = 0; d < a->shape.rank; d++)
        if (a->shape.dims[d] >= 0 && a->shape.dims[d] != element_of_shape(g, d))
            return sl_invalid(k, "Shape mismatch: expected shape dim %d to be %" PRId64 ", got %" PRId64, d,
                              a->shape.dims[d], element_of_shape(g, d));
    return SL_OK;
}

static sl_code check_gradient(struct sl_kernel_context *k, const struct accumulator *a, struct sparse_gradient *g) {
    char text[SL_SHAPE_TEXT];
    if (g->indices.rank != 1)
        return sl_invalid(k, "Input indices should be vector but received shape: %s",
                          sl_shape_text(text, sl_view_shape(g->indices)));
    if (g->values.rank == 0) return sl_invalid(k, "Values cannot be 0-dimensional.");
    if (g->values.dims[0] != g->indices.count)
        return sl_invalid(k, "Expected %" PRId64 " non-empty input values, got %" PRId64, g->indices.count,
                          g->values.dims[0]);
    if (g->has_shape) SL_TRY(check_known_shape(k, a, g));
    else if (g->values.rank < a->shape.rank)
        return sl_invalid(k, "Shape mismatch: expected values rank at least %d, got %d", a->shape.rank, g->values.rank);
    SL_TRY(check_indices(k, a, g));
    for (int d = 1; d < g->values.rank; d++) {
        bool is_declared = d < a->shape.rank && a->shape.dims[d] >= 0;
        int64_t wanted = is_declared ? a->shape.dims[d] : g->values.dims[d];
        if (a->count) wanted = d < a->rows.values.tensor->rank ? a->rows.values.tensor->dims[d] : -1;
        if (wanted != g->values.dims[d])
            return sl_invalid(k, "Shape mismatch: expected values dim %d to be %" PRId64 ", got %" PRId64, d, wanted,
                              g->values.dims[d]);
    }
    if (a->count && a->rows.values.tensor->rank != g->values.rank)
        return sl_invalid(k, "Shape mismatch: expected values rank %d, got %d", a->rows.values.tensor->rank,
                          g->values.rank);
    g->row = 1;
    for (int d = 1; d < g->values.rank; d++) g->row *= g->values.dims[d];
    return SL_OK;
}

static sl_code new_rows(struct sparse_rows *out, int64_t n, struct sl_view like, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK];
    memcpy(dims, like.dims, (size_t)like.rank * sizeof *dims);
    dims[0] = n;
    *out = (struct sparse_rows){.n = 0};
    out->indices = sl_calloc((size_t)n + 1, sizeof *out->indices);
    out->counts = sl_calloc((size_t)n + 1, sizeof *out->counts);
    sl_code code = out->indices && out->counts ? SL_OK : sl_fail_memory(err, (size_t)n * sizeof *out->indices);
    if (code == SL_OK) code = sl_value_new(&out->values, like.dtype, (struct sl_shape){like.rank, dims}, err);
    if (code != SL_OK) clear_rows(out);
    return code;
}

/* How many rows both have together. */
static int64_t count_merged(const struct sparse_rows *a, const int64_t *b, int64_t n_b) {
    int64_t i = 0, j = 0, n = 0;
    for (; i < a->n && j < n_b; n++) {
        int64_t x = a->indices[i], y = b[j];
        i += x <= y;
        j += y <= x;
    }
    return n + (a->n - i) + (n_b - j);
}

static void merge_rows(struct sparse_rows *to, const struct sparse_rows *a, const struct sparse_gradient *g,
                       int dtype) {
    const int64_t *b = g->indices.data;
    size_t bytes = (size_t)g->row * sl_dtype_size(dtype);
    char *out = sl_value_view(&to->values).data;
    const char *from_a = a->n ? sl_value_view(&a->values).data : NULL, *from_b = g->values.data;
    for (int64_t i = 0, j = 0; i < a->n || j < g->indices.count; to->n++, out += bytes) {
        bool has_a = i < a->n && (j == g->indices.count || a->indices[i] <= b[j]);
        bool has_b = j < g->indices.count && (i == a->n || b[j] <= a->indices[i]);
        to->indices[to->n] = has_a ? a->indices[i] : b[j];
        to->counts[to->n] = (has_a ? a->counts[i] : 0) + (has_b ? 1 : 0);
        memcpy(out, has_a ? from_a + (size_t)i * bytes : from_b + (size_t)j * bytes, bytes);
        if (has_a && has_b) accumulate(dtype, out, from_b + (size_t)j * bytes, g->row);
        i += has_a;
        j += has_b;
    }
}

static sl_code apply_sparse(struct sl_kernel_context *k, struct accumulator *a) {
    int64_t step;
    struct sparse_gradient g = {sl_in(k, 2), sl_in(k, 3), sl_in(k, 4), *(const bool *)k->state, 0};
    SL_TRY(scalar_in(&step, k, 1, "local_step"));
    SL_TRY(check_dtype(k, a, g.values.dtype));
    if (step < a->global_step) {
        a->n_late++;
        return SL_OK;
    }
    SL_TRY(check_gradient(k, a, &g));
    if (a->count == 0) clear_rows(&a->rows);
    struct sparse_rows merged;
    SL_TRY(new_rows(&merged, count_merged(&a->rows, g.indices.data, g.indices.count), g.values, k->err));
    merge_rows(&merged, &a->rows, &g, a->dtype);
    clear_rows(&a->rows);
    a->rows = merged;
    a->count++;
    return SL_OK;
}

static sl_code apply_sparse_run(struct sl_kernel_context *k) { return with_lock(k, &sparse_type, apply_sparse); }

static sl_code apply_sparse_create(void **state, struct sl_kernel_setup *setup) {
    bool *has_shape = sl_malloc(sizeof *has_shape);
    if (!has_shape) return sl_fail_memory(setup->err, sizeof *has_shape);
    sl_code code = sl_attr_bool(has_shape, setup->attrs, "has_known_shape", setup->err);
    if (code == SL_OK) *state = has_shape;
    else sl_free(has_shape);
    return code;
}

/* ---- taking */

struct taking {
    struct sl_attempt attempt;
    struct accumulator *accumulator;
    int64_t wanted, count;
    struct sl_value sum;
    struct sparse_rows rows;
};

static void taking_clear(struct sl_attempt *attempt) {
    struct taking *t = (struct taking *)attempt;
    sl_value_clear(&t->sum);
    clear_rows(&t->rows);
}

static enum sl_attempt_result take_try(struct sl_attempt *attempt) {
    struct taking *t = (struct taking *)attempt;
    struct accumulator *a = t->accumulator;
    if (a->count < t->wanted) return SL_ATTEMPT_WAITS;
    t->count = a->count;
    t->sum = sl_value_move(&a->sum);
    t->rows = a->rows;
    a->rows = (struct sparse_rows){0};
    a->count = 0;
    a->global_step++;
    return SL_ATTEMPT_THROUGH;
}

static int describe_taking(char *text, size_t size, const struct sl_attempt *attempt) {
    const int64_t wanted = ((const struct taking *)attempt)->wanted;
    return snprintf(text, size, " wants %" PRId64 " gradient%s and", wanted, wanted == 1 ? "" : "s");
}

static sl_code take_finish(struct sl_attempt *attempt) {
    struct taking *t = (struct taking *)attempt;
    struct sl_view v = sl_value_view(&t->sum);
    if (t->accumulator->is_mean) divide(v.dtype, v.data, (double)t->count, v.count);
    *sl_out_value(attempt->k, 0) = sl_value_move(&t->sum);
    return SL_OK;
}

/* The shape of what was summed: as declared, and where that is unknown, as the rows have it; the number of rows of
 * the whole is known to nobody then. */
static sl_code give_shape(struct sl_kernel_context *k, const struct accumulator *a, struct sl_view rows) {
    int64_t rank = rows.rank;
    struct sl_view shape;
    SL_TRY(sl_out_new(&shape, k, 2, (struct sl_shape){1, &rank}));
    for (int d = 0; d < rows.rank; d++) {
        bool is_declared = d < a->shape.rank && a->shape.dims[d] >= 0;
        ((int64_t *)shape.data)[d] = is_declared ? a->shape.dims[d] : d ? rows.dims[d] : -1;
    }
    return SL_OK;
}

static sl_code take_sparse_finish(struct sl_attempt *attempt) {
    struct taking *t = (struct taking *)attempt;
    struct sl_kernel_context *k = attempt->k;
    struct sl_view rows = sl_value_view(&t->rows.values), indices;
    int64_t each = t->rows.n ? rows.count / t->rows.n : 0;
    size_t bytes = (size_t)each * sl_dtype_size(rows.dtype);
    for (int64_t i = 0; t->accumulator->is_mean && i < t->rows.n; i++)
        divide(rows.dtype, (char *)rows.data + (size_t)i * bytes, (double)t->rows.counts[i], each);
    SL_TRY(sl_out_new(&indices, k, 0, (struct sl_shape){1, &t->rows.n}));
    memcpy(indices.data, t->rows.indices, (size_t)t->rows.n * sizeof *t->rows.indices);
    SL_TRY(give_shape(k, t->accumulator, rows));
    *sl_out_value(k, 1) = sl_value_move(&t->rows.values);
    return SL_OK;
}

static void take(struct sl_kernel_context *k, const struct sl_object_type *type) {
    struct sl_held held;
    struct accumulator *a;
    bool is_sparse = type == &sparse_type;
    sl_code code = sl_session_object_hold(&held, k, type);
    if (code != SL_OK) {
        sl_kernel_done(k, code);
        return;
    }
    a = (struct accumulator *)held.object;
    int64_t wanted = 0;
    struct taking *t = NULL;
    code = scalar_in(&wanted, k, 1, "num_required");
    if (code == SL_OK && wanted <= 0)
        code = sl_invalid(k, "Argument num_required must be positive, but was %" PRId64, wanted);
    if (code == SL_OK) code = check_dtype(k, a, sl_out_type(k, is_sparse));
    if (code == SL_OK && !(t = sl_attempt_new(sizeof *t, k))) code = SL_RESOURCE_EXHAUSTED;
    if (t) {
        t->attempt.try = take_try;
        t->attempt.finish = is_sparse ? take_sparse_finish : take_finish;
        t->attempt.clear = taking_clear;
        t->attempt.describe = describe_taking;
        t->attempt.cancelled = "TakeGrad operation was cancelled";
        t->accumulator = a;
        t->wanted = wanted;
        sl_attempt_start(&t->attempt, held.object, &a->lines, 0);
    }
    sl_held_release(held);
    if (!t) sl_kernel_done(k, code);
}

static void take_start(struct sl_kernel_context *k) { take(k, &dense_type); }
static void take_sparse_start(struct sl_kernel_context *k) { take(k, &sparse_type); }

/* ---- counts and steps */

static sl_code count(struct sl_kernel_context *k, struct accumulator *a) { return sl_out_int(k, 0, a->count); }

static sl_code set_step(struct sl_kernel_context *k, struct accumulator *a) {
    int64_t step;
    SL_TRY(scalar_in(&step, k, 1, "new_global_step"));
    a->global_step = step;
    return SL_OK;
}

static sl_code count_run(struct sl_kernel_context *k) { return with_lock(k, NULL, count); }
static sl_code set_step_run(struct sl_kernel_context *k) { return with_lock(k, NULL, set_step); }

/* clang-format off */
#define FLOATS RULE("dtype", SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE))
#define MAKE(op) KERNEL(op, FLOATS, .run = make_run, .create = make_create, .destroy = make_destroy)
#define DENSE(prefix) \
    KERNEL(prefix "ApplyGradient", NO_RULE, .run = apply_run) \
    KERNEL(prefix "TakeGradient", NO_RULE, .start = take_start, .flags = SL_KERNEL_ASYNC) \
    KERNEL(prefix "NumAccumulated", NO_RULE, .run = count_run) \
    KERNEL(prefix "SetGlobalStep", NO_RULE, .run = set_step_run)
const struct sl_kernel_def sl_any_accumulator_rows[] = {
    MAKE("ConditionalAccumulator")
    MAKE("ResourceConditionalAccumulator")
    MAKE("SparseConditionalAccumulator")
    DENSE("Accumulator")
    DENSE("ResourceAccumulator")
    KERNEL("SparseAccumulatorApplyGradient", NO_RULE, .run = apply_sparse_run, .create = apply_sparse_create, .destroy = sl_free)
    KERNEL("SparseAccumulatorTakeGradient", NO_RULE, .start = take_sparse_start, .flags = SL_KERNEL_ASYNC)
    SL_ROWS_END
};
/* clang-format on */
