/* Barriers: components of tuples come one by one under a string key; a tuple whose components are all there is ready
 * to be taken, those whose first component came earlier first. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "backends/any/batch.h"
#include "backends/any/chain_map.h"
#include "backends/any/kernel_signature.h"
#include "backends/any/queue.h"
#include "backends/any/value_tuple.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "kernel/slices.h"

enum { TAKES = 0, EXTRA = 2 }; /* its line; components of the ready queue before the barrier's own: number and key */

struct barrier {
    struct sl_session_object base;
    struct sl_lines lines;
    struct sl_queue *ready;         /* a priority queue, used under our own lock */
    struct sl_chain_map incomplete; /* of struct sl_tuple, by key */
    int64_t next_number;            /* of the next insertion with new keys */
    bool is_closed, is_cancelled;
};

static int component_count(const struct barrier *b) { return b->ready->spec.n - EXTRA; }

static void barrier_free(struct sl_object *object) {
    struct barrier *b = (struct barrier *)object;
    if (b->ready) sl_object_unref(&b->ready->base.object);
    sl_chain_map_free(&b->incomplete);
    sl_lines_clear(&b->lines);
    sl_session_object_clear(&b->base);
    sl_free(b);
}

static const struct sl_object_type barrier_type = {.name = "tensorflow::barrier::Barrier", .free = barrier_free};

/* ---- making */

struct make_state {
    struct sl_session_maker maker;
    struct sl_arena arena;
    struct sl_queue_spec spec; /* of the ready queue */
};

static void make_destroy(void *state) {
    struct make_state *s = state;
    sl_session_maker_clear(&s->maker);
    sl_arena_clear(&s->arena);
    sl_free(s);
}

static sl_code read_components(struct make_state *s, const struct sl_attrs *attrs, struct sl_error *err) {
    const int32_t *given;
    const struct sl_shape *given_shapes;
    int n, n_shapes;
    int64_t capacity;
    char text[SL_SHAPE_TEXT];
    SL_TRY(sl_attr_type_list(&given, &n, attrs, "component_types", err));
    SL_TRY(sl_attr_shape_list(&given_shapes, &n_shapes, &s->arena, attrs, "shapes", err));
    SL_TRY(sl_attr_int(&capacity, attrs, "capacity", err));
    if (n_shapes != n) return sl_fail(err, SL_INVALID_ARGUMENT, "All of the component shapes must be specified");
    if (capacity != -1)
        return sl_fail(
            err, SL_INVALID_ARGUMENT,
            "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to enforce a "
            "limited capacity.");
    uint8_t *types = sl_arena_alloc(&s->arena, (size_t)(n + EXTRA));
    struct sl_shape *shapes = SL_ARENA_ARRAY(&s->arena, struct sl_shape, (size_t)(n + EXTRA));
    if (!types || !shapes) return sl_fail_memory(err, (size_t)n);
    types[0] = SL_INT64;
    types[1] = SL_STRING;
    shapes[0] = shapes[1] = SL_SHAPE_SCALAR;
    for (int i = 0; i < n; i++) {
        types[i + EXTRA] = (uint8_t)given[i];
        shapes[i + EXTRA] = given_shapes[i].rank < 0 ? SL_SHAPE_SCALAR : given_shapes[i];
        if (!sl_shape_is_known(shapes[i + EXTRA]))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Shape %s is not fully defined",
                           sl_shape_text(text, given_shapes[i]));
    }
    s->spec = (struct sl_queue_spec){.kind = SL_QUEUE_PRIORITY,
                                     .n = n + EXTRA,
                                     .types = types,
                                     .shapes = shapes,
                                     .n_shapes = n + EXTRA,
                                     .capacity = INT64_MAX};
    return SL_OK;
}

static sl_code make_create(void **state, struct sl_kernel_setup *setup) {
    struct make_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    sl_code code = read_components(s, setup->attrs, setup->err);
    if (code == SL_OK) code = sl_session_maker_init(&s->maker, setup, SL_NAMED_PRIVATELY);
    if (code == SL_OK) {
        *state = s;
    } else {
        sl_arena_clear(&s->arena);
        sl_free(s);
    }
    return code;
}

static int describe(char *text, size_t size, const struct sl_lines *lines) {
    const struct barrier *b =
        (const struct barrier *)(const void *)((const char *)lines - offsetof(struct barrier, lines));
    char incomplete[64] = "";
    if (b->incomplete.n)
        snprintf(incomplete, sizeof incomplete, " and %zu that lack a component", (size_t)b->incomplete.n);
    return snprintf(text, size, "has %" PRId64 " complete element%s%s", b->ready->n, b->ready->n == 1 ? "" : "s",
                    incomplete);
}

static sl_code make_barrier(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    struct barrier *b = sl_calloc(1, sizeof *b);
    if (!b) return sl_fail_memory(err, sizeof *b);
    sl_object_init(&b->base.object, &barrier_type);
    sl_lines_init(&b->lines, false);
    b->lines.describe = describe;
    b->next_number = INT64_MIN;
    sl_code code = sl_queue_new(&b->ready, &((const struct make_state *)arg)->spec, err);
    if (code == SL_OK) *out = &b->base;
    else sl_object_unref(&b->base.object);
    return code;
}

static sl_code check_barrier(struct sl_session_object *o, const void *arg, struct sl_error *err) {
    const struct sl_queue_spec *have = &((const struct barrier *)o)->ready->spec,
                               *wanted = &((const struct make_state *)arg)->spec;
    bool same = have->n == wanted->n && memcmp(have->types, wanted->types, (size_t)have->n) == 0;
    if (!same)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Shared barrier '%s' has other component types than requested",
                       o->name);
    for (int i = 0; i < have->n; i++) same = same && sl_shape_equal(have->shapes[i], wanted->shapes[i]);
    if (!same)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Shared barrier '%s' has other component shapes than requested",
                       o->name);
    return SL_OK;
}

static sl_code make_run(struct sl_kernel_context *k) {
    struct make_state *s = k->state;
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, &s->maker, &barrier_type, make_barrier, check_barrier, s));
    return sl_session_object_give(k, &s->maker);
}

/* Runs `work` with the lock held; those that wait are tried afterwards. */
static sl_code with_lock(struct sl_kernel_context *k, sl_code (*work)(struct sl_kernel_context *k, struct barrier *b)) {
    struct sl_held held;
    SL_TRY(sl_session_object_hold(&held, k, &barrier_type));
    struct barrier *b = (struct barrier *)held.object;
    sl_lines_lock(&b->lines);
    sl_code code = work(k, b);
    sl_lines_unlock(&b->lines);
    sl_held_release(held);
    return code;
}

/* ---- inserting */

static struct sl_chain_key key_of(struct sl_str s) { return (struct sl_chain_key){0, {s.p ? s.p : "", s.n}}; }

static struct sl_tuple *find_tuple(const struct barrier *b, struct sl_str key) {
    const struct sl_value *v = sl_chain_map_get(&b->incomplete, key_of(key));
    return v ? (struct sl_tuple *)v->object : NULL;
}

/* Moves a tuple that is complete to the ready queue. */
static sl_code make_ready(struct sl_kernel_context *k, struct barrier *b, struct sl_str key, struct sl_tuple *t) {
    int n = b->ready->spec.n;
    struct sl_value *row = sl_calloc((size_t)n, sizeof *row);
    if (!row) return sl_fail_memory(k->err, (size_t)n * sizeof *row);
    row[0] = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = t->number};
    sl_code code = sl_value_new(&row[1], SL_STRING, SL_SHAPE_SCALAR, k->err);
    if (code == SL_OK) code = sl_string_set(row[1].tensor->data, key, k->err);
    for (int c = 0; c < t->n; c++) row[c + EXTRA] = sl_value_share(&t->values[c]);
    if (code == SL_OK) code = sl_queue_put(b->ready, row, k->err);
    if (code == SL_OK) sl_chain_map_remove(&b->incomplete, key_of(key));
    for (int c = 0; c < n && code != SL_OK; c++) sl_value_clear(&row[c]);
    sl_free(row);
    return code;
}

static sl_code new_tuple(struct sl_tuple **out, struct sl_kernel_context *k, struct barrier *b, struct sl_str key) {
    SL_TRY(sl_tuple_new(out, component_count(b), b->next_number, k->err));
    const struct sl_value v = {.kind = SL_VALUE_OBJECT, .dtype = SL_VARIANT, .object = &(*out)->object};
    return sl_chain_map_put(&b->incomplete, key_of(key), v, k->err);
}

/* Component `c` of key `i` of the inputs. */
static sl_code insert_one(bool *is_new, struct sl_kernel_context *k, struct barrier *b, int64_t i, int c) {
    struct sl_str key = sl_string_get((const TF_TString *)sl_in(k, 1).data + i);
    struct sl_shape shape = b->ready->spec.shapes[c + EXTRA];
    struct sl_tuple *t = find_tuple(b, key);
    if (!t && b->is_closed)
        return sl_fail(k->err, SL_CANCELLED,
                       "Barrier %s is closed, but attempted to insert a brand new key: %.*s.  Pending enqueues "
                       "cancelled: %d.  Insertion index: %" PRId64 ".  Number of incomplete keys: %zu.",
                       b->base.name, SL_STR_ARG(key), b->is_cancelled, i, b->incomplete.n);
    if (t && t->values[c].kind != SL_VALUE_NONE)
        return sl_invalid(k, "Key %.*s already has a value for component %d in barrier %s", SL_STR_ARG(key), c,
                          b->base.name);
    if (!t) {
        SL_TRY(new_tuple(&t, k, b, key));
        *is_new = true;
    }
    struct sl_tensor *values = sl_in_value(k, 2)->tensor;
    SL_TRY(sl_slice_take(&t->values[c], values, i * (values->count / values->dims[0]), shape, k->err));
    return sl_tuple_count(t) == t->n ? make_ready(k, b, key, t) : SL_OK;
}

static sl_code check_insert(struct sl_kernel_context *k, const struct barrier *b, int64_t c) {
    struct sl_view keys = sl_in(k, 1), values = sl_in(k, 2);
    char text[SL_SHAPE_TEXT];
    if (c < 0 || c >= component_count(b))
        return sl_invalid(k, "The component ID is out of range %" PRId64 " > num_components (= %d)", c,
                          component_count(b));
    const uint8_t types[] = {SL_STRING, b->ready->spec.types[c + EXTRA]};
    SL_TRY(sl_kernel_signature_check(k, types, 2, NULL, 0));
    int64_t each = 1;
    struct sl_shape shape = b->ready->spec.shapes[c + EXTRA];
    for (int d = 0; d < shape.rank; d++) each *= shape.dims[d];
    if (values.rank == 0 || values.dims[0] != keys.count || values.count != keys.count * each)
        return sl_invalid(k, "Shape mismatch in values: %" PRId64 " keys, but got %s", keys.count,
                          sl_shape_text(text, sl_view_shape(values)));
    if (b->is_closed && (b->is_cancelled || (keys.count && !b->incomplete.n)))
        return sl_fail(k->err, SL_CANCELLED,
                       "Barrier %s is closed.  Pending enqueues cancelled: %d.  Number of new insertions: %" PRId64
                       ".  Number of incomplete keys: %zu.",
                       b->base.name, b->is_cancelled, keys.count, b->incomplete.n);
    return SL_OK;
}

static sl_code insert(struct sl_kernel_context *k, struct barrier *b) {
    int64_t component = *(const int64_t *)k->state;
    bool is_new = false;
    sl_code code = check_insert(k, b, component);
    for (int64_t i = 0; code == SL_OK && i < sl_in(k, 1).count; i++)
        code = insert_one(&is_new, k, b, i, (int)component);
    b->next_number += is_new;
    return code;
}

static sl_code insert_run(struct sl_kernel_context *k) { return with_lock(k, insert); }

static sl_code insert_create(void **state, struct sl_kernel_setup *setup) {
    int64_t *component = sl_malloc(sizeof *component);
    if (!component) return sl_fail_memory(setup->err, sizeof *component);
    sl_code code = sl_attr_int(component, setup->attrs, "component_index", setup->err);
    if (code == SL_OK) *state = component;
    else sl_free(component);
    return code;
}

/* ---- taking */

struct take_state {
    bool may_be_small, waits_for_incomplete;
};

struct taking {
    struct sl_attempt attempt;
    struct barrier *barrier;
    int64_t wanted;
    SL_VEC(struct sl_value) taken;
};

static int describe_taking(char *text, size_t size, const struct sl_attempt *attempt) {
    const int64_t wanted = ((const struct taking *)attempt)->wanted;
    return snprintf(text, size, " wants %" PRId64 " element%s and", wanted, wanted == 1 ? "" : "s");
}

static void taking_clear(struct sl_attempt *attempt) {
    struct taking *t = (struct taking *)attempt;
    for (size_t i = 0; i < t->taken.n; i++) sl_value_clear(&t->taken.items[i]);
    sl_vec_free(&t->taken);
}

/* Nothing new will come: settles how many there will be, or fails. */
static bool settle(struct taking *t) {
    const struct take_state *s = t->attempt.k->state;
    const struct barrier *b = t->barrier;
    int64_t ready = b->ready->n, total = ready + (int64_t)b->incomplete.n, wanted = t->wanted;
    if (s->may_be_small) {
        if (!s->waits_for_incomplete) total = ready;
        if (wanted > total) wanted = total;
    }
    if (wanted > 0 && wanted <= total) {
        t->wanted = wanted;
        return true;
    }
    sl_attempt_fail(&t->attempt, SL_OUT_OF_RANGE,
                    "Barrier '%s' is closed and has insufficient elements (requested %" PRId64 ", total size %" PRId64
                    ")",
                    b->base.name, wanted, total);
    return false;
}

static enum sl_attempt_result take_try(struct sl_attempt *attempt) {
    struct taking *t = (struct taking *)attempt;
    struct barrier *b = t->barrier;
    size_t n = (size_t)b->ready->spec.n;
    if (b->is_closed && !settle(t)) return SL_ATTEMPT_THROUGH;
    if (b->ready->n < t->wanted) return SL_ATTEMPT_WAITS;
    if (t->wanted > INT32_MAX || sl_vec_reserve(&t->taken, (size_t)t->wanted * n)) {
        attempt->code = sl_fail_memory(attempt->k->err, n * sizeof *t->taken.items);
        return SL_ATTEMPT_THROUGH;
    }
    for (int64_t i = 0; i < t->wanted; i++, t->taken.n += n) sl_queue_take(t->taken.items + t->taken.n, b->ready);
    return SL_ATTEMPT_THROUGH;
}

static sl_code take_finish(struct sl_attempt *attempt) {
    struct taking *t = (struct taking *)attempt;
    const struct sl_queue_spec *spec = &t->barrier->ready->spec;
    for (int c = 0; c < spec->n; c++)
        SL_TRY(sl_batch_join(sl_out_value(attempt->k, c), spec->types[c], spec->shapes[c], t->taken.items + c, spec->n,
                             t->wanted, attempt->k->err));
    return SL_OK;
}

static void take_start(struct sl_kernel_context *k) {
    struct sl_held held;
    sl_code code = sl_session_object_hold(&held, k, &barrier_type);
    if (code != SL_OK) {
        sl_kernel_done(k, code);
        return;
    }
    struct barrier *b = (struct barrier *)held.object;
    struct taking *t = NULL;
    int64_t wanted = 0;
    code = sl_kernel_signature_check(k, (const uint8_t[]){SL_INT32}, 1, b->ready->spec.types, b->ready->spec.n);
    if (code == SL_OK) code = sl_in_int(&wanted, k, 1, "num_elements");
    if (code == SL_OK && wanted < 0) code = sl_invalid(k, "num_elements must not be negative, got %" PRId64, wanted);
    if (code == SL_OK && !(t = sl_attempt_new(sizeof *t, k))) code = SL_RESOURCE_EXHAUSTED;
    if (t) {
        t->attempt.try = take_try;
        t->attempt.finish = take_finish;
        t->attempt.clear = taking_clear;
        t->attempt.describe = describe_taking;
        t->attempt.cancelled = "Dequeue operation was cancelled";
        t->barrier = b;
        t->wanted = wanted;
        sl_attempt_start(&t->attempt, &b->base.object, &b->lines, TAKES);
    }
    sl_held_release(held);
    if (!t) sl_kernel_done(k, code);
}

static sl_code take_create(void **state, struct sl_kernel_setup *setup) {
    struct take_state *s = sl_calloc(1, sizeof *s);
    int64_t timeout = -1;
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = sl_attr_bool(&s->may_be_small, setup->attrs, "allow_small_batch", setup->err);
    if (code == SL_OK) code = sl_attr_bool(&s->waits_for_incomplete, setup->attrs, "wait_for_incomplete", setup->err);
    if (code == SL_OK) code = sl_attr_int(&timeout, setup->attrs, "timeout_ms", setup->err);
    if (code == SL_OK && timeout != -1) code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "Timeout not supported yet.");
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

/* ---- closing, asking */

static sl_code close_barrier(struct sl_kernel_context *k, struct barrier *b) {
    bool cancels = *(const bool *)k->state;
    if (b->is_closed && !(cancels && !b->is_cancelled))
        return sl_fail(k->err, SL_CANCELLED, "Barrier '%s' is already closed.", b->base.name);
    b->is_closed = true;
    b->is_cancelled |= cancels;
    if (cancels) sl_chain_map_clear(&b->incomplete);
    return SL_OK;
}

static sl_code close_create(void **state, struct sl_kernel_setup *setup) {
    bool *cancels = sl_malloc(sizeof *cancels);
    if (!cancels) return sl_fail_memory(setup->err, sizeof *cancels);
    sl_code code = sl_attr_bool(cancels, setup->attrs, "cancel_pending_enqueues", setup->err);
    if (code == SL_OK) *state = cancels;
    else sl_free(cancels);
    return code;
}

static sl_code ready_size(struct sl_kernel_context *k, struct barrier *b) { return sl_out_int(k, 0, b->ready->n); }
static sl_code incomplete_size(struct sl_kernel_context *k, struct barrier *b) {
    return sl_out_int(k, 0, (int64_t)b->incomplete.n);
}

static sl_code close_run(struct sl_kernel_context *k) { return with_lock(k, close_barrier); }
static sl_code ready_size_run(struct sl_kernel_context *k) { return with_lock(k, ready_size); }
static sl_code incomplete_size_run(struct sl_kernel_context *k) { return with_lock(k, incomplete_size); }

/* clang-format off */
const struct sl_kernel_def sl_any_barrier_rows[] = {
    KERNEL("Barrier", NO_RULE, .run = make_run, .create = make_create, .destroy = make_destroy)
    KERNEL("BarrierInsertMany", NO_RULE, .run = insert_run, .create = insert_create, .destroy = sl_free)
    KERNEL("BarrierTakeMany", NO_RULE, .start = take_start, .create = take_create, .destroy = sl_free, .flags = SL_KERNEL_ASYNC)
    KERNEL("BarrierClose", NO_RULE, .run = close_run, .create = close_create, .destroy = sl_free)
    KERNEL("BarrierReadySize", NO_RULE, .run = ready_size_run)
    KERNEL("BarrierIncompleteSize", NO_RULE, .run = incomplete_size_run)
    SL_ROWS_END
};
/* clang-format on */
