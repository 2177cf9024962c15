/* Staging areas by key: MapStage and its kind, and OrderedMapStage, whose smallest key comes out first. A tuple may
 * be put in piece by piece; it can be taken (whole, or again piece by piece) once all of it is there. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>

#include "backends/any/chain_map.h"
#include "backends/any/staging.h"
#include "base/alloc.h"

struct map_area {
    struct sl_staging staging;
    struct sl_chain_map complete, incomplete; /* of struct sl_tuple */
};

static void area_free(struct sl_object *object) {
    struct map_area *a = (struct map_area *)object;
    sl_chain_map_free(&a->complete);
    sl_chain_map_free(&a->incomplete);
    sl_staging_clear(&a->staging);
    sl_free(a);
}

static const struct sl_object_type area_type = {.name = "tensorflow::StagingMap<false>", .free = area_free},
                                   ordered_type = {.name = "tensorflow::StagingMap<true>", .free = area_free};

static const struct sl_object_type *type_of(const struct sl_staging_state *s) {
    return s->is_ordered ? &ordered_type : &area_type;
}

static sl_code make_area(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    struct map_area *a = sl_calloc(1, sizeof *a);
    if (!a) return sl_fail_memory(err, sizeof *a);
    sl_staging_init(&a->staging, type_of(arg), arg);
    *out = &a->staging.base;
    return SL_OK;
}

static sl_code find_area(struct map_area **a, struct sl_kernel_context *k) {
    struct sl_session_object *o;
    struct sl_staging_state *s = k->state;
    SL_TRY(sl_session_object_get(&o, k, &s->maker, type_of(s), make_area, NULL, s));
    *a = (struct map_area *)o;
    return SL_OK;
}

static struct sl_tuple *find_tuple(const struct sl_chain_map *m, int64_t key) {
    const struct sl_value *v = sl_chain_map_get(m, (struct sl_chain_key){key, {NULL, 0}});
    return v ? (struct sl_tuple *)v->object : NULL;
}

/* Stores a tuple under its number; takes the reference over. */
static sl_code store(struct sl_chain_map *m, struct sl_tuple *t, struct sl_error *err) {
    const struct sl_value v = {.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = &t->object};
    return sl_chain_map_put(m, (struct sl_chain_key){t->number, {NULL, 0}}, v, err);
}

static void drop(struct sl_chain_map *m, int64_t key) { sl_chain_map_remove(m, (struct sl_chain_key){key, {NULL, 0}}); }

/* ---- attempts */

struct map_attempt {
    struct sl_attempt attempt;
    struct map_area *area;
    int64_t key;
    bool has_key, removes;
    struct sl_view indices; /* of an input */
    int first_output;
    struct sl_tuple *taken; /* by output */
};

static void attempt_clear(struct sl_attempt *attempt) {
    struct map_attempt *m = (struct map_attempt *)attempt;
    if (m->taken) sl_object_unref(&m->taken->object);
}

static int32_t index_at(const struct map_attempt *m, int64_t i) { return ((const int32_t *)m->indices.data)[i]; }

static sl_code check_indices(struct sl_kernel_context *k, const struct map_attempt *m) {
    if (!m->indices.count) return sl_invalid(k, "Indices are empty");
    for (int64_t i = 1; i < m->indices.count; i++)
        if (index_at(m, i) <= index_at(m, i - 1)) return sl_invalid(k, "Indices are not strictly ordered");
    return SL_OK;
}

static sl_code out_of_bounds(struct sl_kernel_context *k, const struct map_attempt *m, int64_t index, int n) {
    return sl_invalid(k, "Index '%" PRIu64 "' for key '%" PRId64 "' was out of bounds '%d'.", (uint64_t)index, m->key,
                      n);
}

/* ---- putting */

enum { FIRST_VALUE = 2 }; /* input */

static int64_t input_bytes(struct sl_kernel_context *k) {
    int64_t bytes = 0;
    for (int i = FIRST_VALUE; i < sl_in_count(k); i++) bytes += sl_value_bytes(sl_in_value(k, i));
    return bytes;
}

/* A whole tuple. A key that is there already stays as it is. */
static sl_code put_complete(struct map_attempt *m, int n) {
    struct sl_kernel_context *k = m->attempt.k;
    struct sl_tuple *t;
    if (find_tuple(&m->area->complete, m->key)) return SL_OK;
    SL_TRY(sl_tuple_new(&t, n, m->key, k->err));
    for (int i = 0; i < n; i++) t->values[i] = sl_value_share(sl_in_value(k, FIRST_VALUE + i));
    m->area->staging.bytes += sl_tuple_bytes(t);
    return store(&m->area->complete, t, k->err);
}

static sl_code check_pieces(struct map_attempt *m, const struct sl_tuple *t) {
    struct sl_kernel_context *k = m->attempt.k;
    for (int64_t i = 0; i < m->indices.count; i++) {
        int32_t index = index_at(m, i);
        if (index < 0 || index >= t->n) return out_of_bounds(k, m, index, t->n);
        if (t->values[index].kind != SL_VALUE_NONE)
            return sl_invalid(k, "The tensor for index '%d' for key '%" PRId64 "' was already initialized '%d'.", index,
                              m->key, t->n);
    }
    return SL_OK;
}

static sl_code put_pieces(struct map_attempt *m, int n) {
    struct sl_kernel_context *k = m->attempt.k;
    struct map_area *a = m->area;
    struct sl_tuple *t = find_tuple(&a->incomplete, m->key);
    if (!t) {
        SL_TRY(sl_tuple_new(&t, n, m->key, k->err));
        sl_code code = check_pieces(m, t);
        if (code != SL_OK) {
            sl_object_unref(&t->object);
            return code;
        }
        SL_TRY(store(&a->incomplete, t, k->err));
    }
    SL_TRY(check_pieces(m, t));
    for (int64_t i = 0; i < m->indices.count; i++) {
        struct sl_value *v = sl_in_value(k, FIRST_VALUE + (int)i);
        t->values[index_at(m, i)] = sl_value_share(v);
        a->staging.bytes += sl_value_bytes(v);
    }
    if (sl_tuple_count(t) < t->n) return SL_OK;
    sl_object_ref(&t->object);
    drop(&a->incomplete, m->key);
    return store(&a->complete, t, k->err);
}

static enum sl_attempt_result put_try(struct sl_attempt *attempt) {
    struct map_attempt *m = (struct map_attempt *)attempt;
    const struct sl_staging_state *s = attempt->k->state;
    if (!sl_staging_has_room(&m->area->staging, (int64_t)m->area->complete.n, input_bytes(attempt->k)))
        return SL_ATTEMPT_WAITS;
    attempt->code = m->indices.count == s->n_types ? put_complete(m, s->n_types) : put_pieces(m, s->n_types);
    return SL_ATTEMPT_THROUGH;
}

/* ---- taking */

static struct sl_tuple *next_tuple(const struct map_area *a, bool is_ordered) {
    const struct sl_chain_node *best = a->complete.first.next;
    for (const struct sl_chain_node *n = best; n && is_ordered; n = n->link.next)
        if (n->key.number < best->key.number) best = n;
    return best ? (struct sl_tuple *)best->value.object : NULL;
}

/* Moves, or shares, the wanted values of a complete tuple to `taken`. */
static sl_code take_values(struct map_attempt *m, struct sl_tuple *t) {
    struct sl_kernel_context *k = m->attempt.k;
    SL_TRY(sl_tuple_new(&m->taken, (int)m->indices.count, t->number, k->err));
    for (int64_t i = 0; i < m->indices.count; i++) {
        int32_t index = index_at(m, i);
        if (index < 0 || index >= t->n) return out_of_bounds(k, m, index, t->n);
        struct sl_value *v = &t->values[index];
        if (v->kind == SL_VALUE_NONE)
            return sl_invalid(k, "Tensor at index '%d' for key '%" PRId64 "' has already been removed.", index, m->key);
        if (m->removes) m->area->staging.bytes -= sl_value_bytes(v);
        m->taken->values[i] = m->removes ? sl_value_move(v) : sl_value_share(v);
    }
    return SL_OK;
}

static enum sl_attempt_result take_try(struct sl_attempt *attempt) {
    struct map_attempt *m = (struct map_attempt *)attempt;
    const struct sl_staging_state *s = attempt->k->state;
    struct sl_tuple *t = m->has_key ? find_tuple(&m->area->complete, m->key) : next_tuple(m->area, s->is_ordered);
    if (!t) return SL_ATTEMPT_WAITS;
    m->key = t->number;
    attempt->code = take_values(m, t);
    if (sl_tuple_count(t) == 0) drop(&m->area->complete, m->key);
    return SL_ATTEMPT_THROUGH;
}

static sl_code take_finish(struct sl_attempt *attempt) {
    struct map_attempt *m = (struct map_attempt *)attempt;
    struct sl_kernel_context *k = attempt->k;
    if (m->first_output)
        *sl_out_value(k, 0) = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = m->key};
    for (int i = 0; i < m->taken->n; i++)
        SL_TRY(sl_staging_give(k, m->first_output + i, sl_value_move(&m->taken->values[i])));
    return SL_OK;
}

/* ---- kernels */

static sl_code begin(struct map_attempt **out, struct sl_kernel_context *k) {
    struct map_area *a;
    SL_TRY(find_area(&a, k));
    struct map_attempt *m = sl_attempt_new(sizeof *m, k);
    if (!m) return SL_RESOURCE_EXHAUSTED;
    m->area = a;
    m->attempt.clear = attempt_clear;
    *out = m;
    return SL_OK;
}

static void go(struct sl_kernel_context *k, struct map_attempt *m, int line, sl_code code) {
    if (code == SL_OK) {
        sl_attempt_start(&m->attempt, &m->area->staging.base.object, &m->area->staging.lines, line);
        return;
    }
    sl_free(m);
    sl_kernel_done(k, code);
}

static sl_code read_key(struct map_attempt *m, struct sl_kernel_context *k, bool is_put) {
    struct sl_view key = sl_in(k, 0);
    char text[SL_SHAPE_TEXT];
    if (key.count != 1 || (key.rank && !is_put))
        return sl_invalid(k,
                          is_put ? "key must be an int64 scalar, got tensor with shape: %s"
                                 : "key must be an int64 scalar: %s",
                          sl_shape_text(text, sl_view_shape(key)));
    m->key = *(const int64_t *)key.data;
    m->has_key = true;
    return SL_OK;
}

static void stage_start(struct sl_kernel_context *k) {
    struct map_attempt *m = NULL;
    sl_code code = begin(&m, k);
    if (code == SL_OK) code = read_key(m, k, true);
    if (code == SL_OK) {
        m->indices = sl_in(k, 1);
        m->attempt.try = put_try;
        m->attempt.cancelled = "MapStage operation was cancelled";
        code = sl_staging_check(k, &m->area->staging, input_bytes(k));
    }
    if (code == SL_OK) code = check_indices(k, m);
    if (code == SL_OK && m->indices.count != sl_in_count(k) - FIRST_VALUE)
        code = sl_invalid(k, "Number of indices %" PRId64 " and of values %d must match", m->indices.count,
                          sl_in_count(k) - FIRST_VALUE);
    go(k, m, SL_STAGING_PUTS, code);
}

static void take(struct sl_kernel_context *k, bool has_key, bool removes) {
    struct map_attempt *m = NULL;
    sl_code code = begin(&m, k);
    if (code == SL_OK && has_key) code = read_key(m, k, false);
    if (code == SL_OK) {
        m->removes = removes;
        m->first_output = has_key ? 0 : 1;
        m->indices = sl_in(k, has_key ? 1 : 0);
        m->attempt.try = take_try;
        m->attempt.finish = take_finish;
        m->attempt.cancelled = "MapUnstage operation was cancelled";
        code = check_indices(k, m);
    }
    if (code == SL_OK && m->indices.count != sl_out_count(k) - m->first_output)
        code = sl_invalid(k, "output/input size mismatch: %d vs. %" PRId64, sl_out_count(k) - m->first_output,
                          m->indices.count);
    go(k, m, SL_STAGING_TAKES, code);
}

static void unstage_start(struct sl_kernel_context *k) { take(k, true, true); }
static void peek_start(struct sl_kernel_context *k) { take(k, true, false); }
static void unstage_next_start(struct sl_kernel_context *k) { take(k, false, true); }

static sl_code count_run(struct sl_kernel_context *k, bool is_complete) {
    struct map_area *a;
    SL_TRY(find_area(&a, k));
    sl_mutex_lock(&a->staging.lines.mutex);
    int64_t n = (int64_t)(is_complete ? a->complete.n : a->incomplete.n);
    sl_mutex_unlock(&a->staging.lines.mutex);
    return sl_out_int(k, 0, n);
}

static sl_code size_run(struct sl_kernel_context *k) { return count_run(k, true); }
static sl_code incomplete_size_run(struct sl_kernel_context *k) { return count_run(k, false); }

static sl_code clear_run(struct sl_kernel_context *k) {
    struct map_area *a;
    SL_TRY(find_area(&a, k));
    sl_lines_lock(&a->staging.lines);
    sl_chain_map_clear(&a->complete);
    sl_chain_map_clear(&a->incomplete);
    a->staging.bytes = 0;
    sl_lines_unlock(&a->staging.lines);
    return SL_OK;
}

/* clang-format off */
#define AREA .create = sl_staging_create, .destroy = sl_staging_destroy
#define MOVES .flags = SL_KERNEL_ASYNC | SL_KERNEL_MOVES, .host = "key, indices"
#define WAITS(op, start_) KERNEL(op, NO_RULE, .start = start_, MOVES, AREA) KERNEL("Ordered" op, NO_RULE, .start = start_, MOVES, AREA)
#define RUNS(op, run_) KERNEL(op, NO_RULE, .run = run_, AREA) KERNEL("Ordered" op, NO_RULE, .run = run_, AREA)
const struct sl_kernel_def sl_any_map_stage_rows[] = {
    WAITS("MapStage", stage_start)
    WAITS("MapUnstage", unstage_start)
    WAITS("MapUnstageNoKey", unstage_next_start)
    WAITS("MapPeek", peek_start)
    RUNS("MapSize", size_run)
    RUNS("MapIncompleteSize", incomplete_size_run)
    RUNS("MapClear", clear_run)
    SL_ROWS_END
};
/* clang-format on */
