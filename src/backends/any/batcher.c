/* Batches of calls: which rows go together, when they run, who is told. Called by batch_function_any.c.
 *
 * All lists are guarded by the batcher's mutex. A call ends once, by whoever takes the last of its pieces away: the
 * thread that ran it, or the cancellation of its step; that one sets is_through with the lock held and ends it after
 * the lock is free. */
#include "backends/any/batcher.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "os/clock.h"
#include "os/float_mode.h"
#include "os/thread.h"

enum { THREADS = 64 };

struct queue_name {
    struct queue_name *next;
    char text[];
};

struct sl_batcher {
    struct sl_session_object base;
    struct sl_batcher_spec spec;
    struct sl_mutex mutex;                  /* guards what follows */
    struct sl_condition changed, left;      /* for the threads; for those that wait for cancellations to go */
    struct sl_batcher_batch *first, **last; /* batches that wait, oldest first */
    struct queue_name *queues;
    int n_threads, n_idle;
    bool is_ending;
    struct sl_thread threads[THREADS];
};

/* ---- the object */

static void batcher_free(struct sl_object *o) {
    struct sl_batcher *b = (struct sl_batcher *)o;
    sl_mutex_lock(&b->mutex);
    b->is_ending = true;
    sl_condition_broadcast(&b->changed);
    sl_mutex_unlock(&b->mutex);
    for (int i = 0; i < b->n_threads; i++) sl_thread_join(&b->threads[i]);
    while (b->queues) {
        struct queue_name *next = b->queues->next;
        sl_free(b->queues);
        b->queues = next;
    }
    sl_condition_clear(&b->changed);
    sl_condition_clear(&b->left);
    sl_mutex_clear(&b->mutex);
    sl_session_object_clear(&b->base);
    sl_free(b);
}

const struct sl_object_type sl_batcher_type = {.name = "tensorflow::BatchResource", .free = batcher_free};

sl_code sl_batcher_new(struct sl_session_object **out, const struct sl_batcher_spec *spec, struct sl_error *err) {
    struct sl_batcher *b = sl_calloc(1, sizeof *b);
    if (!b) return sl_fail_memory(err, sizeof *b);
    sl_object_init(&b->base.object, &sl_batcher_type);
    b->spec = *spec;
    if (b->spec.threads > THREADS) b->spec.threads = THREADS;
    b->last = &b->first;
    sl_mutex_init(&b->mutex);
    sl_condition_init(&b->changed);
    sl_condition_init(&b->left);
    *out = &b->base;
    return SL_OK;
}

struct sl_value *sl_batch_piece_outputs(struct sl_batch_piece *piece) {
    struct sl_batch_call *call = piece->call;
    size_t index = (size_t)(piece - call->pieces);
    return call->parts ? call->parts + index * (size_t)sl_out_count(call->k) : sl_out_value(call->k, 0);
}

/* ---- the end of a call */

/* The rows of one output, of all pieces, in one value; the pieces' outputs agree in what follows dim 0 or this
 * fails. */
static sl_code join_output(struct sl_batch_call *call, int o, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK], row = 1, rows = 0;
    size_t n_out = (size_t)sl_out_count(call->k);
    struct sl_view first = sl_value_view(&call->parts[o]);
    for (int i = 0; i < call->n_pieces; i++) {
        struct sl_view v = sl_value_view(&call->parts[(size_t)i * n_out + (size_t)o]);
        rows += v.dims[0];
        if (v.rank != first.rank || memcmp(v.dims + 1, first.dims + 1, (size_t)(v.rank - 1) * sizeof *dims) != 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Batches of one call gave outputs of different shapes");
    }
    memcpy(dims, first.dims, (size_t)first.rank * sizeof *dims);
    dims[0] = rows;
    for (int d = 1; d < first.rank; d++) row *= dims[d];
    struct sl_view whole;
    SL_TRY(sl_out_new(&whole, call->k, o, (struct sl_shape){first.rank, dims}));
    for (int64_t i = 0, at = 0; i < call->n_pieces; i++) {
        struct sl_view v = sl_value_view(&call->parts[(size_t)i * n_out + (size_t)o]);
        char *to = (char *)whole.data + (size_t)(at * row) * sl_dtype_size(v.dtype);
        SL_TRY(sl_elements_copy(v.dtype, to, v.data, v.count, err));
        at += v.dims[0];
    }
    return SL_OK;
}

static void free_call(struct sl_batch_call *call) {
    size_t n = (size_t)call->n_pieces * (size_t)sl_out_count(call->k);
    for (size_t i = 0; call->parts && i < n; i++) sl_value_clear(&call->parts[i]);
    sl_free(call->parts);
    sl_free(call);
}

/* Without the lock; the call is through. */
static void end_call(struct sl_batch_call *call, bool by_cancellation) {
    struct sl_kernel_context *k = call->k;
    if (call->is_registered && !by_cancellation) sl_cancellation_unregister(k->env->cancellation, &call->callback);
    sl_code code = call->code;
    for (int o = 0; call->parts && o < sl_out_count(k) && code == SL_OK; o++) code = join_output(call, o, k->err);
    free_call(call);
    for (int o = 0; o < sl_out_count(k) && code != SL_OK; o++) sl_value_clear(sl_out_value(k, o));
    sl_kernel_done(k, code);
}

/* ---- batches, with the lock held */

static void free_batch(struct sl_batcher_batch *batch) {
    if (batch->cancellation) sl_cancellation_free(batch->cancellation);
    sl_free(batch);
}

static void unlink_batch(struct sl_batcher *b, struct sl_batcher_batch *batch) {
    struct sl_batcher_batch **at = &b->first;
    while (*at != batch) at = &(*at)->next;
    *at = batch->next;
    if (b->last == &batch->next) b->last = at;
}

/* The last batch of a queue, when it takes more; `*n` is the number that wait. */
static struct sl_batcher_batch *open_batch(int64_t *n, struct sl_batcher *b, const char *queue) {
    struct sl_batcher_batch *open = NULL;
    *n = 0;
    for (struct sl_batcher_batch *batch = b->first; batch; batch = batch->next)
        if (batch->queue == queue) {
            open = batch->is_full ? NULL : batch;
            ++*n;
        }
    return open;
}

static sl_code new_batch(struct sl_batcher_batch **out, struct sl_batcher *b, const char *queue, struct sl_error *err) {
    struct sl_batcher_batch *batch = sl_calloc(1, sizeof *batch);
    if (!batch) return sl_fail_memory(err, sizeof *batch);
    sl_code code = sl_cancellation_new(&batch->cancellation, NULL, err);
    if (code != SL_OK) {
        sl_free(batch);
        return code;
    }
    batch->queue = queue;
    batch->last = &batch->first;
    batch->due_ns = sl_clock_ns() + b->spec.timeout_ns;
    *b->last = batch;
    b->last = &batch->next;
    *out = batch;
    return SL_OK;
}

static void put_piece(struct sl_batcher_batch *batch, struct sl_batch_piece *piece, int64_t most_rows) {
    piece->batch = batch;
    *batch->last = piece;
    batch->last = &piece->next;
    batch->n_pieces++;
    batch->rows += piece->rows;
    batch->is_full = batch->rows >= most_rows;
}

static void drop_piece(struct sl_batcher *b, struct sl_batch_piece *piece) {
    struct sl_batcher_batch *batch = piece->batch;
    struct sl_batch_piece **at = &batch->first;
    while (*at != piece) at = &(*at)->next;
    *at = piece->next;
    if (batch->last == &piece->next) batch->last = at;
    batch->rows -= piece->rows;
    piece->batch = NULL;
    piece->call->n_left--;
    if (--batch->n_pieces == 0) {
        unlink_batch(b, batch);
        free_batch(batch);
    }
}

static sl_code find_queue(const char **out, struct sl_batcher *b, struct sl_str name, struct sl_error *err) {
    for (struct queue_name *q = b->queues; q; q = q->next)
        if (sl_str_eq(sl_str_of(q->text), name)) {
            *out = q->text;
            return SL_OK;
        }
    struct queue_name *q = sl_malloc(sizeof *q + name.n + 1);
    if (!q) return sl_fail_memory(err, sizeof *q + name.n + 1);
    if (name.n) memcpy(q->text, name.p, name.n);
    q->text[name.n] = 0;
    q->next = b->queues;
    b->queues = q;
    *out = q->text;
    return SL_OK;
}

/* ---- threads */

static void fail_call(struct sl_batch_call *call, sl_code code, const char *message) {
    if (call->code == SL_OK) call->code = sl_fail(call->k->err, code, "%s", message);
}

static bool is_ready(const struct sl_batcher_batch *batch, int64_t now) {
    return batch->is_full || batch->due_ns <= now;
}

/* The oldest batch that may run; else NULL, and when the next one may (INT64_MAX: never). */
static struct sl_batcher_batch *ready_batch(int64_t *due_ns, struct sl_batcher *b) {
    int64_t now = sl_clock_ns();
    *due_ns = INT64_MAX;
    for (struct sl_batcher_batch *batch = b->first; batch; batch = batch->next) {
        if (is_ready(batch, now)) return batch;
        if (batch->due_ns < *due_ns) *due_ns = batch->due_ns;
    }
    return NULL;
}

static void batcher_thread(void *arg);

/* Sees to it that somebody looks after the batches that wait, as far as there may be threads. */
static sl_code wake(struct sl_batcher *b, struct sl_error *err) {
    if (b->n_idle > 0) {
        sl_condition_signal(&b->changed);
        return SL_OK;
    }
    if (b->n_threads == b->spec.threads) return SL_OK;
    sl_code code =
        sl_thread_start(&b->threads[b->n_threads], "sluice-batch", 0, batcher_thread, b, b->n_threads ? NULL : err);
    if (code == SL_OK) b->n_threads++;
    return b->n_threads ? SL_OK : code;
}

/* Takes the pieces of a batch that has run away; gives those whose calls are through, linked by `next`. */
static struct sl_batch_piece *end_pieces(struct sl_batcher_batch *batch, sl_code code, const char *message) {
    struct sl_batch_piece *through = NULL, **last = &through, *next;
    for (struct sl_batch_piece *piece = batch->first; piece; piece = next) {
        struct sl_batch_call *call = piece->call;
        next = piece->next;
        piece->next = NULL;
        piece->batch = NULL;
        if (code != SL_OK) fail_call(call, code, message);
        if (--call->n_left > 0) continue;
        call->is_through = true;
        *last = piece;
        last = &piece->next;
    }
    return through;
}

/* With the lock held, but not while it runs. */
static void run_batch(struct sl_batcher *b, struct sl_batcher_batch *batch) {
    struct sl_error err;
    sl_error_clear(&err);
    batch->is_running = true;
    unlink_batch(b, batch);
    if (b->first) wake(b, NULL);
    sl_mutex_unlock(&b->mutex);
    sl_code code = b->spec.run(batch, &err);
    sl_mutex_lock(&b->mutex);
    while (batch->n_cancelling) sl_condition_wait(&b->left, &b->mutex);
    struct sl_batch_piece *through = end_pieces(batch, code, err.message);
    sl_mutex_unlock(&b->mutex);
    free_batch(batch);
    while (through) {
        struct sl_batch_piece *next = through->next;
        end_call(through->call, false);
        through = next;
    }
    sl_mutex_lock(&b->mutex);
}

static void batcher_thread(void *arg) {
    struct sl_batcher *b = arg;
    sl_float_mode_enter();
    sl_mutex_lock(&b->mutex);
    for (;;) {
        int64_t due_ns;
        struct sl_batcher_batch *batch = ready_batch(&due_ns, b);
        if (batch) {
            run_batch(b, batch);
            continue;
        }
        if (b->is_ending) break;
        b->n_idle++;
        if (due_ns == INT64_MAX) sl_condition_wait(&b->changed, &b->mutex);
        else sl_condition_wait_until(&b->changed, &b->mutex, due_ns);
        b->n_idle--;
    }
    sl_mutex_unlock(&b->mutex);
}

/* ---- cancellation of a call */

/* With the lock held, which is free while the batch's own step is told. */
static void cancel_running(struct sl_batcher *b, struct sl_batcher_batch *batch) {
    if (++batch->n_cancelled < batch->n_pieces) return;
    batch->n_cancelling++;
    sl_mutex_unlock(&b->mutex);
    sl_cancellation_start(batch->cancellation, SL_CANCELLED, "Batched call was cancelled");
    sl_mutex_lock(&b->mutex);
    batch->n_cancelling--;
    sl_condition_broadcast(&b->left);
}

static void cancel_call(void *arg) {
    struct sl_batch_call *call = arg;
    struct sl_batcher *b = call->batcher;
    sl_mutex_lock(&b->mutex);
    if (call->is_through) { /* somebody is about to end it, and waits for us */
        sl_mutex_unlock(&b->mutex);
        return;
    }
    for (int i = 0; i < call->n_pieces; i++) {
        struct sl_batch_piece *piece = &call->pieces[i];
        if (!piece->batch) continue;
        fail_call(call, SL_CANCELLED, "Batched call was cancelled");
        if (piece->batch->is_running) cancel_running(b, piece->batch);
        else drop_piece(b, piece);
    }
    bool is_last = call->n_left == 0 && !call->is_through;
    call->is_through |= is_last;
    sl_mutex_unlock(&b->mutex);
    if (is_last) end_call(call, true);
}

/* ---- a new call, with the lock held */

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static sl_code new_call(struct sl_batch_call **out, struct sl_batcher *b, struct sl_kernel_context *k, int64_t n) {
    size_t bytes, n_parts;
    if (!sl_mul_size(&bytes, (size_t)n, sizeof(struct sl_batch_piece)) ||
        !sl_mul_size(&n_parts, (size_t)n, (size_t)sl_out_count(k)) || n > INT32_MAX)
        return sl_fail_memory(k->err, SIZE_MAX);
    struct sl_batch_call *call = sl_calloc(1, sizeof *call + bytes);
    if (!call) return sl_fail_memory(k->err, sizeof *call + bytes);
    *call = (struct sl_batch_call){.k = k, .batcher = b, .n_pieces = (int)n, .n_left = (int)n};
    if (n > 1 && !(call->parts = sl_calloc(n_parts, sizeof *call->parts))) {
        sl_free(call);
        return sl_fail_memory(k->err, n_parts * sizeof *call->parts);
    }
    *out = call;
    return SL_OK;
}

/* Cuts a call into pieces and puts them into batches. On failure none is left in any. */
static sl_code put_call(struct sl_batch_call **out, struct sl_batcher *b, struct sl_kernel_context *k,
                        const char *queue, int64_t rows) {
    int64_t n_queued, most = b->spec.rows;
    struct sl_batcher_batch *batch = open_batch(&n_queued, b, queue);
    int64_t room = batch ? most - batch->rows : 0;
    if (room < rows && b->spec.call_rows <= most) room = 0; /* it is not split */
    int64_t rest = rows > room ? rows - room : 0, fresh = rest / most + (rest % most != 0);
    if (fresh && n_queued && (n_queued >= b->spec.queued || fresh > b->spec.queued - n_queued))
        return sl_fail(k->err, SL_UNAVAILABLE,
                       "The batch scheduling queue to which this task was submitted is full; currently %" PRId64
                       " batches enqueued and max_enqueued_batches is %" PRId64,
                       n_queued, b->spec.queued);
    struct sl_batch_call *call = NULL;
    SL_TRY(new_call(&call, b, k, fresh + (room > 0)));
    if (batch && !room) batch->is_full = true;
    sl_code code = SL_OK;
    int64_t first = 0;
    for (int i = 0; i < call->n_pieces && code == SL_OK; i++) {
        if (i > 0 || room == 0) code = new_batch(&batch, b, queue, k->err);
        if (code != SL_OK) break;
        struct sl_batch_piece *piece = &call->pieces[i];
        *piece =
            (struct sl_batch_piece){.call = call, .first = first, .rows = smaller(rows - first, most - batch->rows)};
        first += piece->rows;
        put_piece(batch, piece, most);
    }
    if (code == SL_OK) code = wake(b, k->err);
    for (int i = 0; i < call->n_pieces && code != SL_OK; i++)
        if (call->pieces[i].batch) drop_piece(b, &call->pieces[i]);
    if (code == SL_OK) *out = call;
    else free_call(call);
    return code;
}

/* Takes a call back that has just been put. */
static void take_back(struct sl_batcher *b, struct sl_batch_call *call) {
    for (int i = 0; i < call->n_pieces; i++) drop_piece(b, &call->pieces[i]);
    free_call(call);
}

static void tell_of_call(void *arg, struct sl_wait_listener *to) {
    const struct sl_batch_call *call = arg;
    struct sl_batcher *b = call->batcher;
    sl_mutex_lock(&b->mutex);
    const struct sl_batcher_batch *batch = call->pieces[0].batch;
    const int64_t rows = batch && !batch->is_running ? batch->rows : -1;
    sl_mutex_unlock(&b->mutex);
    const struct sl_kernel_node *node = call->k->node;
    if (rows < 0)
        sl_wait_say(to, "node '%.*s' (%.*s) waits for the results of its batch", SL_STR_ARG(node->name),
                    SL_STR_ARG(node->op->name));
    else
        sl_wait_say(to,
                    "node '%.*s' (%.*s) waits for its batch to be full or due: it has %" PRId64 " of %" PRId64 " rows",
                    SL_STR_ARG(node->name), SL_STR_ARG(node->op->name), rows, b->spec.rows);
}

static sl_code begin_call(struct sl_batcher *b, struct sl_kernel_context *k, struct sl_str queue, int64_t rows) {
    struct sl_cancellation *c = k->env->cancellation;
    struct sl_batch_call *call = NULL;
    const char *name = NULL;
    SL_TRY(find_queue(&name, b, queue, k->err));
    SL_TRY(put_call(&call, b, k, name, rows));
    if (!c) return SL_OK;
    call->callback = (struct sl_cancellation_callback){.fn = cancel_call, .arg = call, .tell = tell_of_call};
    call->is_registered = sl_cancellation_register(c, &call->callback);
    if (call->is_registered) return SL_OK;
    take_back(b, call);
    return sl_fail(k->err, SL_CANCELLED, "Batched call was cancelled");
}

void sl_batcher_call(struct sl_batcher *b, struct sl_kernel_context *k, struct sl_str queue, int64_t rows) {
    sl_code code = SL_OK;
    if (rows > b->spec.call_rows)
        code =
            sl_fail(k->err, SL_INVALID_ARGUMENT,
                    "Task size %" PRId64 " is larger than maximum input batch size %" PRId64, rows, b->spec.call_rows);
    struct sl_cancellation *c = k->env->cancellation;
    if (code == SL_OK && c) code = sl_cancellation_status(c, k->err); /* may run callbacks, so not with the lock held */
    if (code == SL_OK) {
        sl_mutex_lock(&b->mutex);
        code = begin_call(b, k, queue, rows);
        sl_mutex_unlock(&b->mutex);
    }
    if (code != SL_OK) sl_kernel_done(k, code);
}
