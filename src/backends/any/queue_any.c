/* Queues: making them, putting tuples in, taking them out, closing. An operation that cannot go on waits in a line
 * of the queue (waiting_line.h); those of one line go one after the other.
 *
 * Closing stands in the line of enqueues, so that those before it still get through. A closed queue gives what it
 * has; whoever wants more than that fails with OUT_OF_RANGE. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/any/batch.h"
#include "backends/any/kernel_signature.h"
#include "backends/any/queue.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "kernel/variable.h"

/* ---- making */

struct make_state {
    struct sl_session_maker maker;
    struct sl_arena arena;
    struct sl_queue_spec spec;
};

static void make_destroy(void *state) {
    struct make_state *s = state;
    sl_session_maker_clear(&s->maker);
    sl_arena_clear(&s->arena);
    sl_free(s);
}

static enum sl_queue_kind kind_of(struct sl_str op) {
    if (sl_str_starts(op, SL_STR("Padding"))) return SL_QUEUE_PADDING;
    if (sl_str_starts(op, SL_STR("Random"))) return SL_QUEUE_SHUFFLE;
    return sl_str_starts(op, SL_STR("Priority")) ? SL_QUEUE_PRIORITY : SL_QUEUE_FIFO;
}

/* Types and shapes; a priority queue has its priorities before them. */
static sl_code read_components(struct make_state *s, const struct sl_attrs *attrs, struct sl_error *err) {
    struct sl_queue_spec *spec = &s->spec;
    int extra = spec->kind == SL_QUEUE_PRIORITY, n_types, n_shapes;
    const int32_t *given;
    const struct sl_shape *given_shapes;
    SL_TRY(sl_attr_type_list(&given, &n_types, attrs, "component_types", err));
    SL_TRY(sl_attr_shape_list(&given_shapes, &n_shapes, &s->arena, attrs, "shapes", err));
    uint8_t *types = sl_arena_alloc(&s->arena, (size_t)(n_types + extra));
    struct sl_shape *shapes = SL_ARENA_ARRAY(&s->arena, struct sl_shape, (size_t)(n_shapes + extra) + 1);
    if (!types || !shapes) return sl_fail_memory(err, (size_t)n_types);
    types[0] = SL_INT64;
    shapes[0] = SL_SHAPE_SCALAR;
    for (int i = 0; i < n_types; i++) types[i + extra] = (uint8_t)given[i];
    for (int i = 0; i < n_shapes; i++) shapes[i + extra] = given_shapes[i];
    spec->n = n_types + extra;
    spec->types = types;
    spec->n_shapes = n_shapes ? n_shapes + extra : 0;
    spec->shapes = shapes;
    if (spec->kind == SL_QUEUE_PADDING && n_shapes != n_types)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Shapes must be provided for all components, but received %d dtypes and %d shapes.", n_types,
                       n_shapes);
    if (spec->n_shapes ? spec->n_shapes != spec->n : extra)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Different number of component types.  Types: %d, Shapes: %d", spec->n,
                       spec->n_shapes);
    for (int i = 0; i < spec->n_shapes; i++) {
        char text[SL_SHAPE_TEXT];
        if (spec->kind == SL_QUEUE_PADDING) {
            if (shapes[i].rank < 0)
                return sl_fail(err, SL_INVALID_ARGUMENT, "shape %s must have known rank.",
                               sl_shape_text(text, shapes[i]));
        } else if (shapes[i].rank < 0) {
            shapes[i] = SL_SHAPE_SCALAR;
        } else if (!sl_shape_is_known(shapes[i])) {
            return sl_fail(err, SL_INVALID_ARGUMENT, "shape %s must be fully known.", sl_shape_text(text, shapes[i]));
        }
    }
    return SL_OK;
}

static sl_code read_limits(struct sl_queue_spec *spec, const struct sl_attrs *attrs, struct sl_error *err) {
    SL_TRY(sl_attr_int(&spec->capacity, attrs, "capacity", err));
    if (spec->capacity < 0) spec->capacity = INT64_MAX;
    if (spec->kind != SL_QUEUE_SHUFFLE) return SL_OK;
    SL_TRY(sl_attr_int(&spec->min_after_dequeue, attrs, "min_after_dequeue", err));
    SL_TRY(sl_attr_int(&spec->seed[0], attrs, "seed", err));
    SL_TRY(sl_attr_int(&spec->seed[1], attrs, "seed2", err));
    if (spec->min_after_dequeue < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "min_after_dequeue %" PRId64 " must be >= 0", spec->min_after_dequeue);
    if (spec->min_after_dequeue >= spec->capacity)
        return sl_fail(err, SL_INVALID_ARGUMENT, "min_after_dequeue %" PRId64 " must be < capacity %" PRId64,
                       spec->min_after_dequeue, spec->capacity);
    return SL_OK;
}

static sl_code make_create(void **state, struct sl_kernel_setup *setup) {
    struct make_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    s->spec.kind = kind_of(setup->op->name);
    sl_code code = read_components(s, setup->attrs, setup->err);
    if (code == SL_OK) code = read_limits(&s->spec, setup->attrs, setup->err);
    if (code == SL_OK) code = sl_session_maker_init(&s->maker, setup, SL_NAMED_PRIVATELY);
    if (code == SL_OK) {
        *state = s;
    } else {
        sl_arena_clear(&s->arena);
        sl_free(s);
    }
    return code;
}

/* What makes and checks a queue wants to know. */
struct request {
    const struct sl_queue_spec *spec;
    const char *op;
};

static sl_code make_queue(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    struct sl_queue *q;
    SL_TRY(sl_queue_new(&q, ((const struct request *)arg)->spec, err));
    *out = &q->base;
    return SL_OK;
}

static sl_code check_queue(struct sl_session_object *o, const void *arg, struct sl_error *err) {
    const struct request *r = arg;
    return sl_queue_check((const struct sl_queue *)o, r->spec, r->op, err);
}

static sl_code make_run(struct sl_kernel_context *k) {
    struct make_state *s = k->state;
    char op[64];
    snprintf(op, sizeof op, "%.*s", SL_STR_ARG(k->node->op->name));
    struct request request = {&s->spec, op};
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, &s->maker, &sl_queue_type, make_queue, check_queue, &request));
    return sl_session_object_give(k, &s->maker);
}

/* ---- what all operations do first */

static sl_code access_create(void **state, struct sl_kernel_setup *setup) {
    int64_t timeout;
    SL_TRY(sl_attr_int(&timeout, setup->attrs, "timeout_ms", setup->err));
    *state = NULL;
    return timeout == -1 ? SL_OK : sl_fail(setup->err, SL_INVALID_ARGUMENT, "Timeout not supported yet.");
}

/* The node's types of components against the queue's: inputs behind the handle, or outputs. */
static sl_code check_signature(struct sl_kernel_context *k, const struct sl_queue *q, bool is_enqueue) {
    const struct sl_kernel_node *node = k->node;
    if (is_enqueue) return sl_kernel_signature_check(k, q->spec.types, q->spec.n, NULL, 0);
    return sl_kernel_signature_check(k, node->in_types + 1, (int)node->n_in - 1, q->spec.types, q->spec.n);
}

static sl_code hold_queue(struct sl_held *held, struct sl_queue **q, struct sl_kernel_context *k) {
    SL_TRY(sl_session_object_hold(held, k, &sl_queue_type));
    *q = (struct sl_queue *)held->object;
    return SL_OK;
}

/* ---- enqueueing */

struct enqueue {
    struct sl_attempt attempt;
    struct sl_queue *queue;
    int64_t next, n; /* rows of the batch; n -1: a single tuple */
    struct sl_value tuple[];
};

static void enqueue_clear(struct sl_attempt *attempt) {
    struct enqueue *e = (struct enqueue *)attempt;
    for (int c = 0; c < e->queue->spec.n; c++) sl_value_clear(&e->tuple[c]);
}

/* The next tuple, in e->tuple. */
static sl_code next_tuple(struct enqueue *e) {
    struct sl_kernel_context *k = e->attempt.k;
    for (int c = 0; c < e->queue->spec.n; c++) {
        const struct sl_value *in = sl_in_value(k, c + 1);
        if (e->n < 0) e->tuple[c] = sl_value_share(in);
        else SL_TRY(sl_batch_row(&e->tuple[c], in->tensor, e->next, k->err));
    }
    return SL_OK;
}

static enum sl_attempt_result enqueue_try(struct sl_attempt *attempt) {
    struct enqueue *e = (struct enqueue *)attempt;
    struct sl_queue *q = e->queue;
    if (q->is_closed)
        return sl_attempt_fail(attempt, SL_CANCELLED, "%s '%s' is closed.", sl_queue_kind_name(q->spec.kind),
                               q->base.name);
    enum sl_attempt_result result = SL_ATTEMPT_WAITS;
    while (q->n < q->spec.capacity) {
        attempt->code = next_tuple(e);
        if (attempt->code == SL_OK) attempt->code = sl_queue_put(q, e->tuple, attempt->k->err);
        if (attempt->code != SL_OK) return SL_ATTEMPT_THROUGH;
        memset(e->tuple, 0, (size_t)q->spec.n * sizeof *e->tuple);
        if (e->n < 0 || ++e->next == e->n) return SL_ATTEMPT_THROUGH;
        result = SL_ATTEMPT_MOVED;
    }
    return result;
}

static sl_code wrong_shape(struct sl_kernel_context *k, int c, struct sl_shape wanted, struct sl_shape got) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    return sl_invalid(k, "Shape mismatch in tuple component %d. Expected %s, got %s", c, sl_shape_text(a, wanted),
                      sl_shape_text(b, got));
}

static sl_code check_tuple(struct sl_kernel_context *k, const struct sl_queue *q) {
    for (int c = 0; c < q->spec.n_shapes; c++) {
        struct sl_shape got = sl_view_shape(sl_in(k, c + 1));
        if (!sl_shape_is_compatible(q->spec.shapes[c], got)) return wrong_shape(k, c, q->spec.shapes[c], got);
    }
    return SL_OK;
}

/* The same for components that are batches; `*n` is their number of rows. */
static sl_code check_batch(int64_t *n, struct sl_kernel_context *k, const struct sl_queue *q) {
    struct sl_view first = sl_in(k, 1);
    *n = first.rank > 0 ? first.dims[0] : -1;
    for (int c = 0; c < q->spec.n; c++) {
        struct sl_view v = sl_in(k, c + 1);
        int64_t dims[SL_MAX_RANK + 1] = {*n};
        if (q->spec.n_shapes) {
            struct sl_shape row = q->spec.shapes[c];
            if (row.rank > 0) memcpy(dims + 1, row.dims, (size_t)row.rank * sizeof *dims);
            struct sl_shape wanted = {row.rank + 1, dims};
            if (v.rank == 0 || !sl_shape_is_compatible(wanted, sl_view_shape(v)))
                return wrong_shape(k, c, wanted, sl_view_shape(v));
        } else if (v.rank == 0) {
            return sl_invalid(k, "Component %d of a batch must have at least one dimension", c);
        } else if (v.dims[0] != *n) {
            return sl_invalid(k,
                              "All input tensors must have the same size in the 0th dimension. Component %d has "
                              "%" PRId64 ", and should have %" PRId64,
                              c, v.dims[0], *n);
        }
    }
    return SL_OK;
}

static void enqueue(struct sl_kernel_context *k, bool is_batch) {
    struct sl_held held;
    struct sl_queue *q;
    sl_code code = hold_queue(&held, &q, k);
    if (code != SL_OK) {
        sl_kernel_done(k, code);
        return;
    }
    int64_t n = -1;
    code = check_signature(k, q, true);
    if (code == SL_OK) code = is_batch ? check_batch(&n, k, q) : check_tuple(k, q);
    struct enqueue *e = NULL;
    if (code == SL_OK && n != 0) {
        e = sl_attempt_new(sizeof *e + (size_t)q->spec.n * sizeof *e->tuple, k);
        if (!e) code = SL_RESOURCE_EXHAUSTED;
    }
    if (e) {
        e->attempt.try = enqueue_try;
        e->attempt.clear = enqueue_clear;
        e->attempt.cancelled = "Enqueue operation was cancelled";
        e->queue = q;
        e->n = n;
        sl_attempt_start(&e->attempt, &q->base.object, &q->lines, SL_QUEUE_ENQUEUES);
    }
    sl_held_release(held);
    if (!e) sl_kernel_done(k, code);
}

static void enqueue_start(struct sl_kernel_context *k) { enqueue(k, false); }
static void enqueue_many_start(struct sl_kernel_context *k) { enqueue(k, true); }

/* ---- dequeueing */

struct dequeue {
    struct sl_attempt attempt;
    struct sl_queue *queue;
    bool is_batch;     /* else one tuple */
    bool may_be_small; /* what a closed queue still has is enough */
    int64_t wanted;
    SL_VEC(struct sl_value) taken; /* tuples one after the other */
};

static void dequeue_clear(struct sl_attempt *attempt) {
    struct dequeue *d = (struct dequeue *)attempt;
    for (size_t i = 0; i < d->taken.n; i++) sl_value_clear(&d->taken.items[i]);
    sl_vec_free(&d->taken);
}

static int64_t taken_count(const struct dequeue *d) { return (int64_t)d->taken.n / d->queue->spec.n; }

static sl_code put_all_back(struct dequeue *d) {
    size_t n = (size_t)d->queue->spec.n;
    for (; d->taken.n; d->taken.n -= n)
        SL_TRY(sl_queue_put_back(d->queue, d->taken.items + d->taken.n - n, d->attempt.k->err));
    return SL_OK;
}

/* The queue is closed and has less than what is still wanted. True: go on and take `wanted`. */
static bool settle_for_less(struct dequeue *d, enum sl_attempt_result *result) {
    struct sl_queue *q = d->queue;
    int64_t missing = d->wanted - taken_count(d), has = q->n;
    *result = SL_ATTEMPT_THROUGH;
    if ((d->attempt.code = put_all_back(d)) != SL_OK) return false;
    if (d->may_be_small && q->n) {
        d->wanted = q->n;
        return true;
    }
    if (d->may_be_small && !sl_lines_is_empty(&q->lines, SL_QUEUE_ENQUEUES)) {
        *result = SL_ATTEMPT_MOVED; /* the enqueues fail first */
        return false;
    }
    sl_attempt_fail(&d->attempt, SL_OUT_OF_RANGE,
                    "%s '%s' is closed and has insufficient elements (requested %" PRId64 ", current size %" PRId64 ")",
                    sl_queue_kind_name(q->spec.kind), q->base.name, missing, has);
    return false;
}

static enum sl_attempt_result dequeue_try(struct sl_attempt *attempt) {
    struct dequeue *d = (struct dequeue *)attempt;
    struct sl_queue *q = d->queue;
    enum sl_attempt_result result = SL_ATTEMPT_WAITS;
    size_t n = (size_t)q->spec.n;
    if (q->is_closed && q->n < d->wanted - taken_count(d) && !settle_for_less(d, &result)) return result;
    if (q->spec.kind == SL_QUEUE_PRIORITY && q->n < d->wanted) return result; /* at once, so that they are in order */
    for (;;) {
        if (taken_count(d) == d->wanted) return SL_ATTEMPT_THROUGH;
        if (q->n <= (q->is_closed ? 0 : q->spec.min_after_dequeue)) return result;
        if (sl_vec_reserve(&d->taken, n)) {
            attempt->code = sl_fail_memory(attempt->k->err, n * sizeof *d->taken.items);
            return SL_ATTEMPT_THROUGH;
        }
        sl_queue_take(d->taken.items + d->taken.n, q);
        d->taken.n += n;
        result = SL_ATTEMPT_MOVED;
    }
}

static int describe_dequeue(char *text, size_t size, const struct sl_attempt *attempt) {
    const struct dequeue *d = (const struct dequeue *)attempt;
    return d->is_batch ? snprintf(text, size, " has %" PRId64 " of %" PRId64 " and", taken_count(d), d->wanted) : 0;
}

static sl_code dequeue_finish(struct sl_attempt *attempt) {
    struct dequeue *d = (struct dequeue *)attempt;
    const struct sl_queue_spec *spec = &d->queue->spec;
    struct sl_kernel_context *k = attempt->k;
    for (int c = 0; c < spec->n; c++) {
        if (!d->is_batch) *sl_out_value(k, c) = sl_value_move(&d->taken.items[c]);
        else
            SL_TRY(sl_batch_join(sl_out_value(k, c), spec->types[c], spec->shapes[c], d->taken.items + c, spec->n,
                                 taken_count(d), k->err));
    }
    return SL_OK;
}

/* Reads `n` and whether the queue can give batches. */
static sl_code check_dequeue(int64_t *n, struct sl_kernel_context *k, const struct sl_queue *q, bool may_be_small) {
    SL_TRY(sl_in_int(n, k, 1, "n"));
    if (*n < 0)
        return sl_invalid(k, "%s requested %" PRId64 " < 0 elements", may_be_small ? "DequeueUpToOp" : "DequeueManyOp",
                          *n);
    if (!q->spec.n_shapes)
        return sl_fail(k->err, SL_INVALID_ARGUMENT,
                       "%s's DequeueMany and DequeueUpTo require the components to have specified shapes.",
                       sl_queue_kind_name(q->spec.kind));
    return SL_OK;
}

static void dequeue(struct sl_kernel_context *k, bool is_batch, bool may_be_small) {
    struct sl_held held;
    struct sl_queue *q;
    sl_code code = hold_queue(&held, &q, k);
    if (code != SL_OK) {
        sl_kernel_done(k, code);
        return;
    }
    int64_t n = 1;
    code = check_signature(k, q, false);
    if (code == SL_OK && is_batch) code = check_dequeue(&n, k, q, may_be_small);
    for (int c = 0; code == SL_OK && n == 0 && c < q->spec.n; c++)
        code = sl_batch_join(sl_out_value(k, c), q->spec.types[c], q->spec.shapes[c], NULL, 0, 0, k->err);
    struct dequeue *d = NULL;
    if (code == SL_OK && n > 0) {
        d = sl_attempt_new(sizeof *d, k);
        if (!d) code = SL_RESOURCE_EXHAUSTED;
    }
    if (d) {
        d->attempt.try = dequeue_try;
        d->attempt.finish = dequeue_finish;
        d->attempt.clear = dequeue_clear;
        d->attempt.describe = describe_dequeue;
        d->attempt.cancelled = "Dequeue operation was cancelled";
        d->queue = q;
        d->is_batch = is_batch;
        d->may_be_small = may_be_small;
        d->wanted = n;
        sl_attempt_start(&d->attempt, &q->base.object, &q->lines, SL_QUEUE_DEQUEUES);
    }
    sl_held_release(held);
    if (!d) sl_kernel_done(k, code);
}

static void dequeue_start(struct sl_kernel_context *k) { dequeue(k, false, false); }
static void dequeue_many_start(struct sl_kernel_context *k) { dequeue(k, true, false); }
static void dequeue_up_to_start(struct sl_kernel_context *k) { dequeue(k, true, true); }

/* ---- closing, asking */

struct closing {
    struct sl_attempt attempt;
    struct sl_queue *queue;
};

static enum sl_attempt_result close_try(struct sl_attempt *attempt) {
    struct sl_queue *q = ((struct closing *)attempt)->queue;
    if (q->is_closed)
        return sl_attempt_fail(attempt, SL_CANCELLED, "%s '%s' is already closed.", sl_queue_kind_name(q->spec.kind),
                               q->base.name);
    q->is_closed = true;
    return SL_ATTEMPT_THROUGH;
}

static void close_start(struct sl_kernel_context *k) {
    struct sl_held held;
    struct sl_queue *q;
    sl_code code = hold_queue(&held, &q, k);
    if (code != SL_OK) {
        sl_kernel_done(k, code);
        return;
    }
    struct closing *c = NULL;
    if (*(const bool *)k->state) {
        sl_lines_lock(&q->lines);
        sl_lines_cancel(&q->lines, SL_QUEUE_ENQUEUES);
        q->is_closed = true;
        sl_lines_unlock(&q->lines);
    } else if (!(c = sl_attempt_new(sizeof *c, k))) {
        code = SL_RESOURCE_EXHAUSTED;
    } else {
        c->attempt.try = close_try;
        c->attempt.cancelled = "Close operation was cancelled";
        c->queue = q;
        sl_attempt_start(&c->attempt, &q->base.object, &q->lines, SL_QUEUE_ENQUEUES);
    }
    sl_held_release(held);
    if (!c) sl_kernel_done(k, code);
}

static sl_code close_create(void **state, struct sl_kernel_setup *setup) {
    bool *cancels = sl_malloc(sizeof *cancels);
    if (!cancels) return sl_fail_memory(setup->err, sizeof *cancels);
    sl_code code = sl_attr_bool(cancels, setup->attrs, "cancel_pending_enqueues", setup->err);
    if (code == SL_OK) *state = cancels;
    else sl_free(cancels);
    return code;
}

static sl_code ask(int64_t *n, bool *is_closed, struct sl_kernel_context *k) {
    struct sl_held held;
    struct sl_queue *q;
    SL_TRY(hold_queue(&held, &q, k));
    sl_mutex_lock(&q->lines.mutex);
    *n = q->n;
    *is_closed = q->is_closed;
    sl_mutex_unlock(&q->lines.mutex);
    sl_held_release(held);
    return SL_OK;
}

static sl_code size_run(struct sl_kernel_context *k) {
    int64_t n;
    bool is_closed;
    SL_TRY(ask(&n, &is_closed, k));
    return sl_out_int(k, 0, n);
}

static sl_code is_closed_run(struct sl_kernel_context *k) {
    int64_t n;
    bool is_closed;
    SL_TRY(ask(&n, &is_closed, k));
    *sl_out_value(k, 0) = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = is_closed};
    return SL_OK;
}

/* A reference for the queue of a resource. */
static sl_code fake_run(struct sl_kernel_context *k) {
    struct sl_held held;
    struct sl_queue *q;
    struct sl_variable *v = NULL;
    SL_TRY(hold_queue(&held, &q, k));
    sl_code code = sl_session_reference_new(&v, &q->base, k->err);
    sl_held_release(held);
    if (code == SL_OK)
        *sl_out_value(k, 0) = (struct sl_value){.kind = SL_VALUE_REF, .dtype = SL_STRING, .object = &v->object};
    return code;
}

/* clang-format off */
#define MAKE(op) KERNEL(op, NO_RULE, .run = make_run, .create = make_create, .destroy = make_destroy)
#define WAITS(op, start_) KERNEL(op, NO_RULE, .start = start_, .create = access_create, .flags = SL_KERNEL_ASYNC)
#define CLOSE(op) KERNEL(op, NO_RULE, .start = close_start, .create = close_create, .destroy = sl_free, .flags = SL_KERNEL_ASYNC)
const struct sl_kernel_def sl_any_queue_rows[] = {
    MAKE("FIFOQueue")
    MAKE("FIFOQueueV2")
    MAKE("PaddingFIFOQueue")
    MAKE("PaddingFIFOQueueV2")
    MAKE("RandomShuffleQueue")
    MAKE("RandomShuffleQueueV2")
    MAKE("PriorityQueue")
    MAKE("PriorityQueueV2")
    WAITS("QueueEnqueue", enqueue_start)
    WAITS("QueueEnqueueV2", enqueue_start)
    WAITS("QueueEnqueueMany", enqueue_many_start)
    WAITS("QueueEnqueueManyV2", enqueue_many_start)
    WAITS("QueueDequeue", dequeue_start)
    WAITS("QueueDequeueV2", dequeue_start)
    WAITS("QueueDequeueMany", dequeue_many_start)
    WAITS("QueueDequeueManyV2", dequeue_many_start)
    WAITS("QueueDequeueUpTo", dequeue_up_to_start)
    WAITS("QueueDequeueUpToV2", dequeue_up_to_start)
    CLOSE("QueueClose")
    CLOSE("QueueCloseV2")
    KERNEL("QueueSize", NO_RULE, .run = size_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("QueueSizeV2", NO_RULE, .run = size_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("QueueIsClosed", NO_RULE, .run = is_closed_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("QueueIsClosedV2", NO_RULE, .run = is_closed_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("FakeQueue", NO_RULE, .run = fake_run)
    SL_ROWS_END
};
/* clang-format on */
