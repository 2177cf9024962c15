/* Runs. The call that opens a batch waits until it is full or its time is over, runs it, and hands every member its rows. A
 * call that is told (gRPC's) waits on no thread: a timer ends the wait of the batch that it has opened, one of the threads runs
 * it. A batch may have members of both kinds. When it fails, they are run alone, so that an error reaches the call that it
 * belongs to.
 *
 *   call A: opens, waits ─────────────► closes, runs, cuts ─► done
 *   call B:        joins, waits ───────────────────────────► done
 *   call C:              would not fit: closes A's batch, and opens one of its own */
#include "serving/predict.h"

#include "base/alloc.h"
#include "os/clock.h"

enum { FEW = 16 }; /* inputs and outputs for which no memory is asked for */

/* On the stack of the call that opened it and waits; else by itself, until it has run. */
struct sl_call_batch {
    struct sl_served_call *first, **last;
    int64_t rows;
    bool is_closed; /* nobody may join */
    struct sl_condition closed;
    /* of one that nobody waits for: */
    struct sl_served_model *model; /* a reference; NULL: somebody does */
    struct sl_served_signature *signature;
    const struct sl_served_places *places;
    struct sl_net_timer timer;
    bool is_due;                /* the timer has closed it */
    struct sl_call_batch *next; /* of those that are to be run */
};

/* ---- what is given */

static sl_code check_input(const struct sl_served_port *p, const struct sl_tensor *t, struct sl_error *err) {
    char wanted[SL_SHAPE_TEXT], got[SL_SHAPE_TEXT];
    if (!p->port.node) return sl_fail(err, SL_UNIMPLEMENTED, "Input \"%.*s\" is no dense tensor", SL_STR_ARG(p->name));
    if (!t) return sl_fail(err, SL_INVALID_ARGUMENT, "Input \"%.*s\" is missing", SL_STR_ARG(p->name));
    if (t->dtype != p->dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Input \"%.*s\" has type %s, the signature wants %s",
                       SL_STR_ARG(p->name), sl_dtype_name(t->dtype), sl_dtype_name(p->dtype));
    if (sl_shape_is_compatible(sl_tensor_shape(t), p->shape)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Input \"%.*s\" has shape %s, the signature wants %s", SL_STR_ARG(p->name),
                   sl_shape_text(got, sl_tensor_shape(t)), sl_shape_text(wanted, p->shape));
}

static sl_code check(struct sl_tensor **out, const struct sl_served_signature *s, struct sl_tensor *const *inputs,
                     struct sl_error *err) {
    for (int i = 0; i < s->n_inputs; i++) {
        out[i] = inputs[i] ? inputs[i] : s->inputs[i].fallback;
        SL_TRY(check_input(&s->inputs[i], out[i], err));
    }
    for (int i = 0; i < s->n_outputs; i++)
        if (!s->outputs[i].port.node)
            return sl_fail(err, SL_UNIMPLEMENTED, "Output \"%.*s\" is no dense tensor", SL_STR_ARG(s->outputs[i].name));
    return SL_OK;
}

static sl_code run(struct sl_tensor **outputs, struct sl_served_model *m, const struct sl_served_signature *s,
                   struct sl_tensor *const *inputs, struct sl_error *err) {
    struct sl_port few[FEW], *feeds = s->n_inputs <= FEW ? few : sl_calloc((size_t)s->n_inputs, sizeof *feeds);
    if (!feeds) return sl_fail_memory(err, (size_t)s->n_inputs * sizeof *feeds);
    for (int i = 0; i < s->n_inputs; i++) feeds[i] = s->inputs[i].port;
    const struct sl_run how = {.feeds = feeds,
                               .feed_tensors = inputs,
                               .n_feeds = s->n_inputs,
                               .fetches = s->fetches,
                               .fetch_tensors = outputs,
                               .n_fetches = s->n_outputs};
    sl_code code = sl_session_run(m->session, &how, err);
    if (feeds != few) sl_free(feeds);
    return code;
}

static void drop(struct sl_tensor **tensors, int n) {
    for (int i = 0; i < n; i++) {
        sl_tensor_unref(tensors[i]);
        tensors[i] = NULL;
    }
}

/* ---- rows */

/* How many rows all inputs have; -1 when they have none, or not the same number. */
static int64_t rows_of(struct sl_tensor *const *tensors, int n) {
    for (int i = 0; i < n; i++)
        if (!tensors[i]->rank || tensors[i]->is_elsewhere || tensors[i]->dims[0] != tensors[0]->dims[0]) return -1;
    return n && tensors[0]->dims[0] > 0 ? tensors[0]->dims[0] : -1;
}

/* Whether they differ in the number of rows alone. */
static bool fits(struct sl_tensor *const *a, struct sl_tensor *const *b, int n) {
    for (int i = 0; i < n; i++) {
        if (a[i]->rank != b[i]->rank) return false;
        for (int d = 1; d < a[i]->rank; d++)
            if (a[i]->dims[d] != b[i]->dims[d]) return false;
    }
    return true;
}

static sl_code join_rows(struct sl_tensor **out, const struct sl_call_batch *batch, int input, struct sl_error *err) {
    const struct sl_tensor *like = batch->first->inputs[input];
    int64_t dims[SL_MAX_RANK];
    for (int d = 0; d < like->rank; d++) dims[d] = d ? like->dims[d] : batch->rows;
    SL_TRY(sl_tensor_new(out, like->dtype, (struct sl_shape){like->rank, dims}, err));
    char *to = (*out)->data;
    for (const struct sl_served_call *m = batch->first; m; m = m->next) {
        const struct sl_tensor *from = m->inputs[input];
        SL_TRY(sl_elements_copy(from->dtype, to, from->data, from->count, err));
        to += (size_t)from->count * sl_dtype_size(from->dtype);
    }
    return SL_OK;
}

static sl_code cut_rows(struct sl_tensor **out, struct sl_tensor *all, int64_t at, int64_t rows, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK], row = all->dims[0] ? all->count / all->dims[0] : 0;
    for (int d = 0; d < all->rank; d++) dims[d] = d ? all->dims[d] : rows;
    return sl_tensor_view(out, all, all->dtype, (struct sl_shape){all->rank, dims}, at * row, err);
}

static sl_code cut(struct sl_call_batch *batch, struct sl_tensor **outputs, int n, struct sl_error *err) {
    int64_t at = 0;
    for (struct sl_served_call *m = batch->first; m; at += m->rows, m = m->next)
        for (int i = 0; i < n; i++) SL_TRY(cut_rows(&m->outputs[i], outputs[i], at, m->rows, err));
    return SL_OK;
}

/* ---- batches */

static sl_code run_joined(struct sl_call_batch *batch, struct sl_served_model *model, struct sl_served_signature *s,
                          struct sl_tensor **inputs, struct sl_tensor **outputs, struct sl_error *err) {
    for (int i = 0; i < s->n_inputs; i++) SL_TRY(join_rows(&inputs[i], batch, i, err));
    SL_TRY(run(outputs, model, s, inputs, err));
    if (rows_of(outputs, s->n_outputs) != batch->rows) {
        atomic_store(&s->is_unequal, true);
        return sl_fail(err, SL_FAILED_PRECONDITION, "outputs without a row for each row of the inputs");
    }
    return cut(batch, outputs, s->n_outputs, err);
}

/* ---- alone */

static void run_alone(struct sl_served_call *c) {
    const int64_t begun_ns = sl_clock_ns();
    c->code = run(c->outputs, c->model, c->signature, c->inputs, c->err);
    sl_lightness_note(&c->signature->lightness, sl_clock_ns() - begun_ns);
}

static void run_alone_and_tell(void *arg) {
    struct sl_served_call *c = arg;
    run_alone(c);
    c->done(c);
}

/* ---- together */

/* A call that is told. */
static void end_member(struct sl_served_call *m) {
    if (m->is_done) m->done(m);
    else sl_bounded_threads_run(m->places->threads, run_alone_and_tell, m);
}

/* Nobody joins any more: gives members their outputs, or makes each run alone. */
static void run_batch(struct sl_call_batch *batch, struct sl_served_model *model, struct sl_served_signature *s) {
    size_t n = (size_t)s->n_inputs + (size_t)s->n_outputs;
    struct sl_tensor **room = batch->first->next ? sl_calloc(n, sizeof *room) : NULL; /* one member: alone */
    bool is_good = room && run_joined(batch, model, s, room, room + s->n_inputs, NULL) == SL_OK;
    struct sl_served_call *told = NULL;
    if (room) drop(room, (int)n);
    sl_free(room);
    sl_mutex_lock(&s->mutex);
    for (struct sl_served_call *m = batch->first, *next; m; m = next) {
        next = m->next; /* a member that waits, and sees that it is done, goes */
        if (!is_good) drop(m->outputs, s->n_outputs);
        m->code = SL_OK;
        m->is_alone = !is_good;
        m->is_done = is_good;
        if (!m->done) continue;
        m->next = told;
        told = m;
    }
    sl_condition_broadcast(&s->ended);
    sl_mutex_unlock(&s->mutex);
    for (struct sl_served_call *m = told, *next; m; m = next) {
        next = m->next;
        end_member(m);
    }
}

/* With the mutex held: nobody may join any more. One that nobody waits for is to be run: it goes to `ready`. */
static void close_batch(struct sl_call_batch **ready, struct sl_served_signature *s) {
    struct sl_call_batch *batch = s->open;
    batch->is_closed = true;
    s->open = NULL;
    if (!batch->model) {
        sl_condition_signal(&batch->closed);
        return;
    }
    batch->next = *ready;
    *ready = batch;
}

static void run_ready(void *arg) {
    struct sl_call_batch *batch = arg;
    struct sl_served_model *model = batch->model;
    if (!batch->is_due) sl_net_cancel_timer(batch->places->net, &batch->timer);
    run_batch(batch, model, batch->signature);
    sl_free(batch);
    sl_served_model_unref(model);
}

static void start_ready(struct sl_call_batch *ready) {
    for (struct sl_call_batch *next; ready; ready = next) {
        next = ready->next;
        sl_bounded_threads_run(ready->places->threads, run_ready, ready);
    }
}

static void batch_due(struct sl_net_timer *timer) {
    struct sl_call_batch *batch = timer->arg, *ready = NULL;
    struct sl_served_signature *s = batch->signature;
    sl_mutex_lock(&s->mutex);
    if (!batch->is_closed) {
        batch->is_due = true;
        close_batch(&ready, s);
    }
    sl_mutex_unlock(&s->mutex); /* what another one has closed is not run before this returns */
    start_ready(ready);
}

/* The rest with the mutex held. */

static void add(struct sl_call_batch *batch, struct sl_served_call *m) {
    m->next = NULL;
    *batch->last = m;
    batch->last = &m->next;
    batch->rows += m->rows;
}

static void begin_batch(struct sl_call_batch *batch, struct sl_served_call *m) {
    batch->last = &batch->first;
    add(batch, m);
    m->signature->open = batch;
}

static void unlock_and_start(struct sl_served_signature *s, struct sl_call_batch **ready) {
    sl_mutex_unlock(&s->mutex);
    start_ready(*ready);
    *ready = NULL;
}

/* Waits in the batch that is open. */
static void join(struct sl_call_batch **ready, struct sl_served_call *m) {
    struct sl_served_signature *s = m->signature;
    add(s->open, m);
    if (s->open->rows >= m->batching->most_rows) close_batch(ready, s);
    unlock_and_start(s, ready);
    sl_mutex_lock(&s->mutex);
    while (!m->is_done && !m->is_alone) sl_condition_wait(&s->ended, &s->mutex);
}

/* Opens a batch, waits for others, runs it. */
static void open_batch(struct sl_call_batch **ready, struct sl_served_call *m) {
    struct sl_served_signature *s = m->signature;
    struct sl_call_batch batch = {.first = NULL};
    int64_t deadline = sl_clock_ns() + m->batching->timeout_ns;
    sl_condition_init(&batch.closed);
    begin_batch(&batch, m);
    if (batch.rows >= m->batching->most_rows) close_batch(ready, s);
    unlock_and_start(s, ready);
    sl_mutex_lock(&s->mutex);
    while (!batch.is_closed)
        if (!sl_condition_wait_until(&batch.closed, &s->mutex, deadline) && !batch.is_closed) close_batch(ready, s);
    sl_mutex_unlock(&s->mutex);
    run_batch(&batch, m->model, s);
    sl_condition_clear(&batch.closed);
    sl_mutex_lock(&s->mutex);
}

/* The same without a wait. False: no memory. */
static bool open_told(struct sl_served_call *m) {
    struct sl_call_batch *batch = sl_calloc(1, sizeof *batch);
    if (!batch) return false;
    batch->model = sl_served_model_ref(m->model);
    batch->signature = m->signature;
    batch->places = m->places;
    batch->timer = (struct sl_net_timer){.due = batch_due, .arg = batch};
    begin_batch(batch, m);
    sl_net_set_timer(m->places->net, &batch->timer, sl_net_now(m->places->net) + m->batching->timeout_ns);
    return true;
}

static bool join_told(struct sl_call_batch **ready, struct sl_served_call *m) {
    struct sl_served_signature *s = m->signature;
    if (s->open) add(s->open, m);
    else if (!open_told(m)) return false;
    if (s->open->rows >= m->batching->most_rows) close_batch(ready, s);
    return true;
}

/* False: it has to run alone. True: it is done, or will be told. */
static bool run_together(struct sl_served_call *m) {
    struct sl_served_signature *s = m->signature;
    struct sl_call_batch *ready = NULL;
    const int64_t most = m->batching->most_rows;
    bool is_together = true;
    m->rows = rows_of(m->inputs, s->n_inputs);
    if (most < 2 || m->rows < 0 || m->rows > most || atomic_load(&s->is_unequal)) return false;
    sl_mutex_lock(&s->mutex);
    if (s->open && (s->open->rows + m->rows > most || !fits(s->open->first->inputs, m->inputs, s->n_inputs)))
        close_batch(&ready, s);
    if (m->done) is_together = join_told(&ready, m);
    else if (s->open) join(&ready, m);
    else open_batch(&ready, m);
    if (!m->done) is_together = m->is_done;
    unlock_and_start(s, &ready);
    return is_together;
}

/* ---- calls */

bool sl_served_begin(struct sl_served_call *c) {
    const struct sl_served_signature *s = c->signature;
    c->code = check(c->inputs, s, c->inputs, c->err);
    for (int i = 0; i < s->n_inputs; i++) /* the signature's own has two owners now */
        if (c->inputs[i] && c->inputs[i] == s->inputs[i].fallback) c->inputs[i] = sl_tensor_ref(c->inputs[i]);
    if (c->code != SL_OK) return true;
    if (run_together(c)) return false;
    if (c->is_here && !sl_is_light(&s->lightness)) {
        sl_bounded_threads_run(c->places->threads, run_alone_and_tell, c);
        return false;
    }
    run_alone(c);
    return true;
}

sl_code sl_served_run(struct sl_tensor **outputs, struct sl_served_model *model, struct sl_served_signature *s,
                      struct sl_tensor *const *inputs, const struct sl_batching *batching, struct sl_error *err) {
    struct sl_tensor *few[FEW], **all = s->n_inputs <= FEW ? few : sl_calloc((size_t)s->n_inputs, sizeof *all);
    for (int i = 0; i < s->n_outputs; i++) outputs[i] = NULL;
    if (!all) return sl_fail_memory(err, (size_t)s->n_inputs * sizeof *all);
    struct sl_served_call c = {.model = model,
                               .signature = s,
                               .inputs = all,
                               .outputs = outputs,
                               .batching = batching,
                               .code = check(all, s, inputs, err),
                               .err = err};
    if (c.code == SL_OK && !run_together(&c)) run_alone(&c);
    if (all != few) sl_free(all);
    return c.code;
}
