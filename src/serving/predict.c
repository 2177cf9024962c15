/* Runs. A batch has no thread of its own: the call that opens it waits until it is full or its time is over, runs it,
 * and hands every member its rows. When a batch fails, its members are run alone, so that an error reaches the call
 * that it belongs to.
 *
 *   call A: opens, waits ─────────────► closes, runs, cuts ─► done
 *   call B:        joins, waits ───────────────────────────► done
 *   call C:              would not fit: closes A's batch, and opens one of its own */
#include "serving/predict.h"

#include "base/alloc.h"
#include "os/clock.h"

enum { FEW = 16 }; /* inputs and outputs for which no memory is asked for */

struct member {
    struct member *next;
    struct sl_tensor *const *inputs;
    struct sl_tensor **outputs;
    int64_t rows;
    bool is_done, is_alone; /* has its outputs; has to run alone */
};

/* Lives on the stack of the call that opened it; so do its members on theirs. */
struct sl_call_batch {
    struct member *first, **last;
    int64_t rows;
    bool is_closed; /* nobody may join */
    struct sl_condition closed;
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
    for (const struct member *m = batch->first; m; m = m->next) {
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
    for (struct member *m = batch->first; m; at += m->rows, m = m->next)
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

/* Nobody joins any more: gives members their outputs, or makes each run alone. */
static void run_batch(struct sl_call_batch *batch, struct sl_served_model *model, struct sl_served_signature *s) {
    size_t n = (size_t)s->n_inputs + (size_t)s->n_outputs;
    struct sl_tensor **room = batch->first->next ? sl_calloc(n, sizeof *room) : NULL; /* one member: alone */
    bool is_good = room && run_joined(batch, model, s, room, room + s->n_inputs, NULL) == SL_OK;
    if (room) drop(room, (int)n);
    sl_free(room);
    sl_mutex_lock(&s->mutex);
    for (struct member *m = batch->first, *next; m; m = next) {
        next = m->next; /* a member that sees that it is done goes */
        if (!is_good) drop(m->outputs, s->n_outputs);
        m->is_alone = !is_good;
        m->is_done = is_good;
    }
    sl_condition_broadcast(&s->ended);
    sl_mutex_unlock(&s->mutex);
}

static void close_batch(struct sl_served_signature *s) {
    s->open->is_closed = true;
    sl_condition_signal(&s->open->closed);
    s->open = NULL;
}

static void add(struct sl_call_batch *batch, struct member *m) {
    *batch->last = m;
    batch->last = &m->next;
    batch->rows += m->rows;
}

/* Waits in the batch that is open. The mutex is held before and after. */
static void join(struct sl_served_signature *s, struct member *m, const struct sl_batching *batching) {
    add(s->open, m);
    if (s->open->rows >= batching->most_rows) close_batch(s);
    while (!m->is_done && !m->is_alone) sl_condition_wait(&s->ended, &s->mutex);
}

/* Opens a batch, waits for others, runs it. The same. */
static void open_batch(struct sl_served_model *model, struct sl_served_signature *s, struct member *m,
                       const struct sl_batching *batching) {
    struct sl_call_batch batch = {.first = NULL};
    int64_t deadline = sl_clock_ns() + batching->timeout_ns;
    batch.last = &batch.first;
    add(&batch, m);
    sl_condition_init(&batch.closed);
    s->open = &batch;
    if (batch.rows >= batching->most_rows) close_batch(s);
    while (!batch.is_closed)
        if (!sl_condition_wait_until(&batch.closed, &s->mutex, deadline) && !batch.is_closed) close_batch(s);
    sl_mutex_unlock(&s->mutex);
    run_batch(&batch, model, s);
    sl_condition_clear(&batch.closed);
    sl_mutex_lock(&s->mutex);
}

/* False: it has to run alone. */
static bool run_together(struct sl_tensor **outputs, struct sl_served_model *model, struct sl_served_signature *s,
                         struct sl_tensor *const *inputs, const struct sl_batching *batching) {
    struct member m = {.inputs = inputs, .outputs = outputs, .rows = rows_of(inputs, s->n_inputs)};
    if (batching->most_rows < 2 || m.rows < 0 || m.rows > batching->most_rows || atomic_load(&s->is_unequal))
        return false;
    sl_mutex_lock(&s->mutex);
    if (s->open && (s->open->rows + m.rows > batching->most_rows || !fits(s->open->first->inputs, inputs, s->n_inputs)))
        close_batch(s);
    if (s->open) join(s, &m, batching);
    else open_batch(model, s, &m, batching);
    sl_mutex_unlock(&s->mutex);
    return m.is_done;
}

sl_code sl_served_run(struct sl_tensor **outputs, struct sl_served_model *model, struct sl_served_signature *s,
                      struct sl_tensor *const *inputs, const struct sl_batching *batching, struct sl_error *err) {
    struct sl_tensor *few[FEW], **all = s->n_inputs <= FEW ? few : sl_calloc((size_t)s->n_inputs, sizeof *all);
    for (int i = 0; i < s->n_outputs; i++) outputs[i] = NULL;
    if (!all) return sl_fail_memory(err, (size_t)s->n_inputs * sizeof *all);
    sl_code code = check(all, s, inputs, err);
    if (code == SL_OK && !run_together(outputs, model, s, all, batching)) code = run(outputs, model, s, all, err);
    if (all != few) sl_free(all);
    return code;
}
