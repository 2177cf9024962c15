/* Queues as data: one ring of tuples for all kinds. Those that take from the middle keep the ring's start at 0,
 * where it is a plain array: shuffling ones move the last tuple into the gap, priority queues keep a heap. Called by
 * queue_any.c and barrier_any.c. */
#include "backends/any/queue.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/alloc.h"

const char *sl_queue_kind_name(enum sl_queue_kind kind) {
    static const char *const names[] = {"FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue", "PriorityQueue"};
    return names[kind];
}

/* ---- making and ending */

static void queue_free(struct sl_object *object) {
    struct sl_queue *q = (struct sl_queue *)object;
    for (int64_t i = 0; i < q->n; i++)
        for (int c = 0; c < q->spec.n; c++) sl_value_clear(&q->items[(q->first + i) % q->room * q->spec.n + c]);
    sl_free(q->items);
    sl_arena_clear(&q->arena);
    sl_lines_clear(&q->lines);
    sl_session_object_clear(&q->base);
    sl_free(q);
}

const struct sl_object_type sl_queue_type = {.name = "tensorflow::QueueInterface", .free = queue_free};

static sl_code copy_spec(struct sl_queue *q, const struct sl_queue_spec *spec, struct sl_error *err) {
    uint8_t *types = sl_arena_alloc(&q->arena, (size_t)spec->n);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&q->arena, struct sl_shape, (size_t)spec->n_shapes + 1);
    if (!types || !shapes) return sl_fail_memory(err, (size_t)spec->n);
    memcpy(types, spec->types, (size_t)spec->n);
    for (int i = 0; i < spec->n_shapes; i++) {
        shapes[i] = sl_shape_copy(&q->arena, spec->shapes[i]);
        if (shapes[i].rank < -1) return sl_fail_memory(err, sizeof *shapes);
    }
    q->spec = *spec;
    q->spec.types = types;
    q->spec.shapes = shapes;
    return SL_OK;
}

static sl_code start_random(struct sl_queue *q, struct sl_error *err) {
    uint64_t seed[2] = {(uint64_t)q->spec.seed[0], (uint64_t)q->spec.seed[1]};
    if (!seed[0] && !seed[1] && getrandom(seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return sl_fail(err, SL_INTERNAL, "the system gives no random numbers");
    q->random = sl_philox_words_at(sl_philox_at(seed[0], 0, seed[1]));
    return SL_OK;
}

static int describe(char *text, size_t size, const struct sl_lines *lines) {
    const struct sl_queue *q =
        (const struct sl_queue *)(const void *)((const char *)lines - offsetof(struct sl_queue, lines));
    const char *closed = q->is_closed ? " and closed" : "";
    if (!q->n) return snprintf(text, size, "is empty%s", closed);
    if (q->n >= q->spec.capacity) return snprintf(text, size, "is full with %" PRId64 "%s", q->n, closed);
    if (q->n <= q->spec.min_after_dequeue)
        return snprintf(text, size, "holds %" PRId64 ", which it keeps%s", q->n, closed);
    return snprintf(text, size, "holds %" PRId64 "%s", q->n, closed);
}

sl_code sl_queue_new(struct sl_queue **out, const struct sl_queue_spec *spec, struct sl_error *err) {
    struct sl_queue *q = sl_calloc(1, sizeof *q);
    if (!q) return sl_fail_memory(err, sizeof *q);
    sl_object_init(&q->base.object, &sl_queue_type);
    sl_lines_init(&q->lines, false);
    q->lines.describe = describe;
    sl_arena_init(&q->arena);
    sl_code code = copy_spec(q, spec, err);
    if (code == SL_OK && spec->kind == SL_QUEUE_SHUFFLE) code = start_random(q, err);
    if (code == SL_OK) *out = q;
    else queue_free(&q->base.object);
    return code;
}

/* ---- what a second node of the same name says */

enum { LIST_TEXT = 512 };

static const char *types_text(char text[LIST_TEXT], const struct sl_queue_spec *s) {
    size_t n = 0;
    text[0] = 0;
    for (int i = 0; i < s->n && n < LIST_TEXT; i++)
        n += (size_t)snprintf(text + n, LIST_TEXT - n, "%s%s", i ? ", " : "", sl_dtype_name(s->types[i]));
    return text;
}

static const char *shapes_text(char text[LIST_TEXT], const struct sl_queue_spec *s) {
    char one[SL_SHAPE_TEXT];
    size_t n = (size_t)snprintf(text, LIST_TEXT, "[");
    for (int i = 0; i < s->n_shapes && n < LIST_TEXT; i++)
        n += (size_t)snprintf(text + n, LIST_TEXT - n, "%s%s", i ? ", " : "", sl_shape_text(one, s->shapes[i]));
    if (n < LIST_TEXT) snprintf(text + n, LIST_TEXT - n, "]");
    return text;
}

static bool same_shapes(const struct sl_queue_spec *a, const struct sl_queue_spec *b) {
    if (a->n_shapes != b->n_shapes) return false;
    for (int i = 0; i < a->n_shapes; i++)
        if (!sl_shape_equal(a->shapes[i], b->shapes[i])) return false;
    return true;
}

/* As it is told in a node: no limit is -1. */
static int64_t told(int64_t capacity) { return capacity == INT64_MAX ? -1 : capacity; }

sl_code sl_queue_check(const struct sl_queue *q, const struct sl_queue_spec *spec, const char *op,
                       struct sl_error *err) {
    const struct sl_queue_spec *have = &q->spec;
    char a[LIST_TEXT], b[LIST_TEXT];
    const char *name = q->base.name;
    if (have->kind != spec->kind)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expected %s, found %s", sl_queue_kind_name(have->kind), op);
    if (have->capacity != spec->capacity)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Shared queue '%s' has capacity %" PRId64 " but requested capacity was %" PRId64, name,
                       told(have->capacity), told(spec->capacity));
    if (have->n != spec->n || memcmp(have->types, spec->types, (size_t)have->n) != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Shared queue '%s' has component types %s but requested component types were %s", name,
                       types_text(a, have), types_text(b, spec));
    if (!same_shapes(have, spec))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Shared queue '%s' has component shapes %s but requested component shapes were %s", name,
                       shapes_text(a, have), shapes_text(b, spec));
    if (have->min_after_dequeue != spec->min_after_dequeue)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Shared queue '%s' has min_after_dequeue %" PRId64
                       " but requested min_after_dequeue was %" PRId64 ".",
                       name, have->min_after_dequeue, spec->min_after_dequeue);
    bool asks_for_seeds = spec->seed[0] || spec->seed[1]; /* without: any will do */
    if (asks_for_seeds && (have->seed[0] != spec->seed[0] || have->seed[1] != spec->seed[1]))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Shared queue '%s' has random seeds (%" PRId64 ", %" PRId64 ") but requested seeds are (%" PRId64
                       ", %" PRId64 ").",
                       name, have->seed[0], have->seed[1], spec->seed[0], spec->seed[1]);
    return SL_OK;
}

/* ---- tuples */

static struct sl_value *tuple_at(const struct sl_queue *q, int64_t i) {
    return q->items + (q->first + i) % q->room * q->spec.n;
}

static void copy_tuple(const struct sl_queue *q, struct sl_value *to, const struct sl_value *from) {
    memcpy(to, from, (size_t)q->spec.n * sizeof *to);
}

static sl_code reserve_one(struct sl_queue *q, struct sl_error *err) {
    if (q->n < q->room) return SL_OK;
    int64_t room = q->room ? q->room * 2 : 16;
    struct sl_value *items = sl_calloc((size_t)room, (size_t)q->spec.n * sizeof *items);
    if (!items) return sl_fail_memory(err, (size_t)room * sizeof *items);
    for (int64_t i = 0; i < q->n; i++) copy_tuple(q, items + i * q->spec.n, tuple_at(q, i));
    sl_free(q->items);
    q->items = items;
    q->first = 0;
    q->room = room;
    return SL_OK;
}

/* The heap goes by the first component. Equal priorities come out in the order that C++'s push_heap and pop_heap
 * give, as that is what can be seen of TensorFlow: a gap goes down to a leaf first, and the tuple that fills it goes
 * up from there. */
static int64_t priority(const struct sl_value *tuple) { return tuple[0].i64; }

static void move_up(struct sl_queue *q, int64_t gap, const struct sl_value *tuple) {
    while (gap > 0 && priority(tuple_at(q, (gap - 1) / 2)) > priority(tuple)) {
        copy_tuple(q, tuple_at(q, gap), tuple_at(q, (gap - 1) / 2));
        gap = (gap - 1) / 2;
    }
    copy_tuple(q, tuple_at(q, gap), tuple);
}

/* Fills the gap at the top with the last tuple of all, which is at `n`. */
static void close_heap(struct sl_queue *q) {
    int64_t gap = 0, child;
    while ((child = 2 * gap + 2) < q->n) {
        if (priority(tuple_at(q, child)) > priority(tuple_at(q, child - 1))) child--;
        copy_tuple(q, tuple_at(q, gap), tuple_at(q, child));
        gap = child;
    }
    if (child == q->n) {
        copy_tuple(q, tuple_at(q, gap), tuple_at(q, child - 1));
        gap = child - 1;
    }
    move_up(q, gap, tuple_at(q, q->n));
}

sl_code sl_queue_put(struct sl_queue *q, const struct sl_value *tuple, struct sl_error *err) {
    SL_TRY(reserve_one(q, err));
    if (q->spec.kind == SL_QUEUE_PRIORITY) move_up(q, q->n, tuple);
    else copy_tuple(q, tuple_at(q, q->n), tuple);
    q->n++;
    return SL_OK;
}

void sl_queue_take(struct sl_value *tuple, struct sl_queue *q) {
    int64_t i = q->spec.kind == SL_QUEUE_SHUFFLE ? sl_philox_word(&q->random) % q->n : 0;
    copy_tuple(q, tuple, tuple_at(q, i));
    q->n--;
    if (q->spec.kind == SL_QUEUE_SHUFFLE) {
        if (i < q->n) copy_tuple(q, tuple_at(q, i), tuple_at(q, q->n));
    } else if (q->spec.kind == SL_QUEUE_PRIORITY) {
        if (q->n) close_heap(q);
    } else {
        q->first = (q->first + 1) % q->room;
    }
}

sl_code sl_queue_put_back(struct sl_queue *q, const struct sl_value *tuple, struct sl_error *err) {
    if (q->spec.kind == SL_QUEUE_SHUFFLE || q->spec.kind == SL_QUEUE_PRIORITY) return sl_queue_put(q, tuple, err);
    SL_TRY(reserve_one(q, err));
    q->first = (q->first + q->room - 1) % q->room;
    q->n++;
    copy_tuple(q, tuple_at(q, 0), tuple);
    return SL_OK;
}
