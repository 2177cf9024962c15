/* The training loop of sluice/training.h: what is fetched in each step, when hooks are called and checkpoints
 * written. Nothing is saved before the step's loss was looked at. */
#include "sluice/training.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "front/front_eager.h"
#include "front/front_options.h"
#include "front/training_cluster.h"
#include "os/clock.h"
#include "sluice/event_file.h"
#include "sluice/saver.h"

struct sl_training {
    struct sl_arena arena; /* of the options' arrays and texts */
    struct sl_training_options o;
    TF_Session *session;
    struct sl_saver *saver;         /* NULL: no folder */
    struct sl_event_writer *events; /* NULL: no curves, or no folder */
    const char *prefix;             /* of checkpoints */
    int64_t first, done, saved;     /* steps; saved -1: none */
    bool is_stopped;
    TF_Output *fetches; /* of a step: room for all that may be wanted */
    int most;           /* of ours; the caller's come on top */
};

static bool is_ok(const TF_Status *status) { return TF_GetCode(status) == TF_OK; }
static bool is_due(int64_t step, int64_t every) { return every <= 1 || step % every == 0; }

/* ---- making one */
static sl_code copy_options(struct sl_training *t, const struct sl_training_options *given, struct sl_error *err) {
    struct sl_training_options *o = &t->o;
    size_t n_hooks = given->num_hooks > 0 ? (size_t)given->num_hooks : 0;
    size_t n_curves = given->num_curves > 0 ? (size_t)given->num_curves : 0;
    struct sl_hook *hooks = SL_ARENA_ARRAY(&t->arena, struct sl_hook, n_hooks);
    struct sl_curve *curves = SL_ARENA_ARRAY(&t->arena, struct sl_curve, n_curves);
    *o = *given;
    t->most = 2 + (int)n_curves; /* loss, summary */
    if (!hooks || !curves) return sl_fail_memory(err, n_hooks * sizeof *hooks);
    for (size_t i = 0; i < n_hooks; i++) {
        hooks[i] = given->hooks[i];
        size_t n = hooks[i].num_fetches > 0 ? (size_t)hooks[i].num_fetches : 0;
        TF_Output *fetches = SL_ARENA_ARRAY(&t->arena, TF_Output, n);
        if (!fetches) return sl_fail_memory(err, n * sizeof *fetches);
        if (n) memcpy(fetches, hooks[i].fetches, n * sizeof *fetches);
        hooks[i].fetches = fetches;
        hooks[i].num_fetches = (int)n;
        t->most += (int)n;
    }
    for (size_t i = 0; i < n_curves; i++) {
        curves[i] = given->curves[i];
        curves[i].tag = sl_arena_format(&t->arena, "%s", curves[i].tag ? curves[i].tag : "");
        if (!curves[i].tag) return sl_fail_memory(err, n_curves);
    }
    o->hooks = hooks;
    o->curves = curves;
    o->num_hooks = (int)n_hooks;
    o->num_curves = (int)n_curves;
    if (!o->folder) return SL_OK;
    o->folder = sl_arena_format(&t->arena, "%s", given->folder);
    t->prefix = sl_arena_format(&t->arena, "%s/model.ckpt", given->folder);
    return o->folder && t->prefix ? SL_OK : sl_fail_memory(err, sizeof *o);
}

static sl_code check_options(const struct sl_training_options *o, struct sl_error *err) {
    if (!o->step.value.oper || TF_OperationOutputType(o->step.value) != TF_INT64)
        return sl_fail(err, SL_INVALID_ARGUMENT, "sl_training: there must be a counter of steps, of type int64");
    if (!o->train) return sl_fail(err, SL_INVALID_ARGUMENT, "sl_training: there is nothing to run in a step");
    for (int i = -1; i < o->num_curves; i++) {
        TF_Output number = i < 0 ? o->loss : o->curves[i].value;
        if (!number.oper && i < 0) continue;
        if (!number.oper || TF_OperationOutputType(number) != TF_FLOAT)
            return sl_fail(err, SL_INVALID_ARGUMENT, "sl_training: the loss and what is drawn must be floats");
    }
    if (o->summary.oper && TF_OperationOutputType(o->summary) != TF_STRING)
        return sl_fail(err, SL_INVALID_ARGUMENT, "sl_training: a summary must be a string");
    return SL_OK;
}

static size_t put_number(unsigned char *to, uint64_t number) {
    size_t n = 0;
    do to[n++] = (unsigned char)((number & 0x7f) | (number >> 7 ? 0x80 : 0));
    while (number >>= 7);
    return n;
}

/* With a ConfigProto of operation_timeout_in_ms, field 11, and device_filters, field 4. */
void sl_training_reach(TF_SessionOptions *options, const struct sl_training_options *o, TF_Status *status) {
    size_t room = 11, n = 1;
    for (int i = 0; i < o->num_tasks; i++) room += strlen(o->tasks[i]) + 11;
    unsigned char *config = sl_malloc(room);
    if (!config) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    TF_SetTarget(options, o->target);
    config[0] = 11 << 3;
    n += put_number(config + n, (uint64_t)o->timeout_ms);
    for (int i = 0; i < o->num_tasks; i++) {
        const size_t length = strlen(o->tasks[i]);
        config[n++] = 4 << 3 | 2;
        n += put_number(config + n, length);
        memcpy(config + n, o->tasks[i], length);
        n += length;
    }
    TF_SetConfig(options, config, n, status);
    sl_free(config);
}

static void start_session(struct sl_training *t, struct sl_scope *scope, TF_Status *status) {
    const TF_Operation *init = sl_variables_init(scope);
    if (!sl_scope_ok(scope)) {
        TF_SetStatus(status, sl_scope_code(scope), sl_scope_message(scope));
        return;
    }
    TF_SessionOptions *options = TF_NewSessionOptions();
    if (!options) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    if (t->o.target) sl_training_reach(options, &t->o, status);
    if (is_ok(status)) t->session = TF_NewSession(scope->graph, options, status);
    TF_DeleteSessionOptions(options);
    if (is_ok(status)) TF_SessionRun(t->session, NULL, NULL, NULL, 0, NULL, NULL, 0, &init, 1, NULL, status);
}

static void read_step(struct sl_training *t, TF_Status *status) {
    TF_Tensor *step = NULL;
    TF_SessionRun(t->session, NULL, NULL, NULL, 0, &t->o.step.value, &step, 1, NULL, 0, NULL, status);
    if (!is_ok(status)) return;
    if (TF_TensorElementCount(step) == 1) t->first = t->done = *(const int64_t *)TF_TensorData(step);
    else sl_status_set(status, SL_INVALID_ARGUMENT, "sl_training: the counter of steps is not one number");
    TF_DeleteTensor(step);
}

/* Takes up the latest checkpoint, and says in the event files what goes on where. */
static void resume(struct sl_training *t, TF_Graph *graph, TF_Status *status) {
    enum { PATH_BYTES = 4096 };
    char latest[PATH_BYTES];
    const struct sl_saver_options options = {.max_to_keep = t->o.max_to_keep ? t->o.max_to_keep : 5};
    if (t->o.folder) t->saver = sl_saver_new(graph, &options, status);
    bool is_there = is_ok(status) && t->saver && sl_saver_latest(latest, sizeof latest, NULL, t->o.folder, status);
    if (is_ok(status) && is_there) sl_saver_restore(t->saver, t->session, latest, status);
    if (is_ok(status)) read_step(t, status);
    if (is_ok(status) && is_there) t->saved = t->done;
    if (!is_ok(status) || !t->o.folder || (!t->o.num_curves && !t->o.summary.oper)) return;
    t->events = sl_event_writer_new(t->o.folder, status);
    if (is_ok(status) && t->done) sl_event_writer_start(t->events, t->done + 1, status);
}

SL_API struct sl_training *sl_training_new(struct sl_scope *scope, const struct sl_training_options *options,
                                           TF_Status *status) {
    struct sl_error err;
    struct sl_training_options given;
    if (!SL_OPTIONS_TAKE(&given, sl_training_options, num_hooks, options, status)) return NULL;
    sl_scope_needs_graph(scope, "sl_training_new");
    if (!sl_scope_ok(scope)) { /* what the options lack then is no mistake of its own */
        TF_SetStatus(status, sl_scope_code(scope), sl_scope_message(scope));
        return NULL;
    }
    struct sl_training *t = sl_calloc(1, sizeof *t);
    sl_status_set(status, t ? SL_OK : SL_RESOURCE_EXHAUSTED, t ? "" : "out of memory");
    if (!t) return NULL;
    sl_arena_init(&t->arena);
    t->saved = -1;
    sl_code code = copy_options(t, &given, &err);
    if (code == SL_OK) code = check_options(&t->o, &err);
    t->fetches = SL_ARENA_ARRAY(&t->arena, TF_Output, (size_t)t->most);
    if (code == SL_OK && !t->fetches) code = sl_fail_memory(&err, (size_t)t->most);
    if (sl_status_take(status, code, &err)) start_session(t, scope, status);
    if (is_ok(status)) resume(t, scope->graph, status);
    if (is_ok(status)) return t;
    sl_training_delete(t);
    return NULL;
}

SL_API bool sl_training_recover(struct sl_training **training, struct sl_scope *scope,
                                const struct sl_training_options *options, double patience_seconds, TF_Status *status) {
    const int64_t pause_ns = 100000000, until = sl_clock_ns() + (int64_t)(patience_seconds * 1e9);
    do {
        if (!sl_training_lost_a_task(status)) return false;
        sl_training_delete(*training);
        *training = sl_training_new(scope, options, status);
        if (*training) return true;
        sl_sleep_ns(pause_ns);
    } while (sl_clock_ns() < until);
    return false;
}

SL_API void sl_training_delete(struct sl_training *training) {
    if (!training) return;
    TF_Status *status = TF_NewStatus();
    sl_event_writer_delete(training->events, status);
    sl_saver_delete(training->saver);
    if (training->session) TF_DeleteSession(training->session, status);
    TF_DeleteStatus(status);
    sl_arena_clear(&training->arena);
    sl_free(training);
}

/* ---- asking */
SL_API bool sl_training_goes_on(const struct sl_training *training, const TF_Status *status) {
    if (!training || training->is_stopped || !is_ok(status)) return false;
    return !training->o.last_step || training->done < training->o.last_step;
}
SL_API int64_t sl_training_step(const struct sl_training *training) { return training->done; }
SL_API int64_t sl_training_first(const struct sl_training *training) { return training->first; }
SL_API void sl_training_stop(struct sl_training *training) { training->is_stopped = true; }
SL_API TF_Session *sl_training_session(struct sl_training *training) { return training->session; }

SL_API void sl_training_save(struct sl_training *training, TF_Status *status) {
    sl_status_set(status, SL_OK, "");
    if (!training->saver || training->saved == training->done) return;
    if (training->events) sl_event_writer_flush(training->events, status);
    if (is_ok(status)) sl_saver_save(training->saver, training->session, training->prefix, training->done, status);
    if (is_ok(status)) training->saved = training->done;
}

/* ---- one step */
/* What the next step is to compute, in this order: the loss, curves and summary when due, what hooks that are due
 * want. */
static int list_fetches(struct sl_training *t, bool has_curves) {
    int n = 0;
    if (t->o.loss.oper) t->fetches[n++] = t->o.loss;
    for (int i = 0; i < t->o.num_curves && has_curves; i++) t->fetches[n++] = t->o.curves[i].value;
    if (t->o.summary.oper && has_curves) t->fetches[n++] = t->o.summary;
    for (int i = 0; i < t->o.num_hooks; i++) {
        if (!is_due(t->done + 1, t->o.hooks[i].every)) continue;
        for (int k = 0; k < t->o.hooks[i].num_fetches; k++) t->fetches[n++] = t->o.hooks[i].fetches[k];
    }
    return n;
}

static bool read_number(float *out, const TF_Tensor *value, const char *what, TF_Status *status) {
    if (TF_TensorElementCount(value) == 1) *out = *(const float *)TF_TensorData(value);
    else sl_status_fail(status, SL_INVALID_ARGUMENT, "sl_training: %s is not one number", what);
    return is_ok(status);
}

static void check_loss(const struct sl_training *t, const TF_Tensor *value, TF_Status *status) {
    float loss = 0;
    if (read_number(&loss, value, "the loss", status) && isnan(loss))
        sl_status_fail(status, SL_INVALID_ARGUMENT, "NaN loss during training: after step %" PRId64, t->done);
}

static void draw(const struct sl_training *t, TF_Tensor *const *values, TF_Status *status) {
    float number = 0;
    for (int i = 0; i < t->o.num_curves && is_ok(status); i++)
        if (read_number(&number, values[i], t->o.curves[i].tag, status) && t->events)
            sl_event_writer_scalar(t->events, t->o.curves[i].tag, t->done, number, status);
    if (t->o.summary.oper && is_ok(status) && t->events)
        sl_event_writer_summary(t->events, values[t->o.num_curves], t->done, status);
}

/* Everybody gets what a step computed; the first failure ends that. */
static void hand_out(struct sl_training *t, TF_Tensor *const *values, bool has_curves, TF_Status *status) {
    if (t->o.loss.oper) check_loss(t, *values++, status);
    if (has_curves && is_ok(status)) draw(t, values, status);
    if (has_curves) values += t->o.num_curves + (t->o.summary.oper ? 1 : 0);
    for (int i = 0; i < t->o.num_hooks && is_ok(status); i++) {
        const struct sl_hook *hook = &t->o.hooks[i];
        if (!is_due(t->done, hook->every)) continue;
        if (hook->after) hook->after(t, t->done, values, hook->arg, status);
        values += hook->num_fetches;
    }
}

/* Whether the values of both are put one behind the other: ours, then the caller's. */
static bool join_fetches(TF_Output **all, TF_Tensor ***values, const struct sl_training *t, int n_ours,
                         const TF_Output *fetches, int n, TF_Status *status) {
    size_t n_all = (size_t)n_ours + (size_t)(n > 0 ? n : 0);
    *all = sl_calloc(n_all + 1, sizeof **all);
    *values = sl_calloc(n_all + 1, sizeof **values);
    if (!*all || !*values) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return false;
    }
    memcpy(*all, t->fetches, (size_t)n_ours * sizeof **all);
    if (n > 0) memcpy(*all + n_ours, fetches, (size_t)n * sizeof **all);
    return true;
}

SL_API void sl_training_run(struct sl_training *training, const TF_Output *feeds, TF_Tensor *const *feed_values,
                            int num_feeds, const TF_Output *fetches, TF_Tensor **values, int num_fetches,
                            TF_Status *status) {
    struct sl_training *t = training;
    TF_Output *all;
    TF_Tensor **got;
    bool has_curves = t->events && is_due(t->done + 1, t->o.curves_every);
    int n = list_fetches(t, has_curves);
    const TF_Operation *train = t->o.train;
    sl_status_set(status, SL_OK, "");
    if (join_fetches(&all, &got, t, n, fetches, num_fetches, status)) {
        TF_SessionRun(t->session, NULL, feeds, feed_values, num_feeds, all, got, n + num_fetches, &train, 1, NULL,
                      status);
        bool has_run = is_ok(status);
        t->done += has_run;
        if (has_run) hand_out(t, got, has_curves, status);
        for (int i = 0; i < n && has_run; i++) TF_DeleteTensor(got[i]);
        for (int i = 0; i < num_fetches; i++) values[i] = has_run ? got[n + i] : NULL;
    }
    sl_free(all);
    sl_free(got);
    if (!is_ok(status)) return;
    bool is_last = t->is_stopped || (t->o.last_step && t->done >= t->o.last_step);
    if (is_last || (t->o.save_every > 0 && is_due(t->done, t->o.save_every))) sl_training_save(t, status);
}
