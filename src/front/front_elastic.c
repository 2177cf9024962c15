/* Elastic trainings: one life after the other, each with a graph for the tasks that are there. A life ends with the training, with
 * a task of it, or when another task has come back. Which tasks are there is asked by sessions that need one task each. */
#include "base/alloc.h"
#include <string.h>

#include "front/front_eager.h"
#include "front/front_options.h"
#include "front/training_cluster.h"
#include "os/clock.h"

enum { ASK_MS = 1200, PAUSE_NS = 100000000 }; /* longer than a connection waits until it is tried again */

struct elastic {
    struct sl_elastic_options o;
    const char **there; /* the names of those that take part */
    int n;
    bool *is_there; /* by task */
    int asked;      /* the last one that was asked after a checkpoint */
    int64_t until;  /* when it is given up */
};

static int64_t seconds_from_now(double seconds) { return sl_clock_ns() + (int64_t)(seconds * 1e9); }
static bool is_ok(const TF_Status *status) { return TF_GetCode(status) == TF_OK; }

/* ---- who is there */

static bool answers(const struct elastic *e, const char *task) {
    const struct sl_training_options o = {.target = e->o.target, .timeout_ms = ASK_MS, .tasks = &task, .num_tasks = 1};
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Graph *graph = TF_NewGraph();
    sl_training_reach(options, &o, status);
    TF_Session *session = is_ok(status) ? TF_NewSession(graph, options, status) : NULL;
    TF_DeviceList *devices = session ? TF_SessionListDevices(session, status) : NULL;
    const bool answers = devices && is_ok(status) && TF_DeviceListCount(devices) > 0;
    if (devices) TF_DeleteDeviceList(devices);
    if (session) TF_DeleteSession(session, status);
    TF_DeleteGraph(graph);
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
    return answers;
}

static void ask_the_others(struct elastic *e, int64_t until) {
    for (int i = 0; i < e->o.num_tasks; i++)
        if (!e->is_there[i] && sl_clock_ns() < until) e->is_there[i] = answers(e, e->o.tasks[i]);
}

/* Whether one of those that are not there is: the next one in turn is asked, and if it is, all. */
static bool finds_another(struct elastic *e) {
    do e->asked = (e->asked + 1) % e->o.num_tasks;
    while (e->is_there[e->asked]);
    e->is_there[e->asked] = answers(e, e->o.tasks[e->asked]);
    if (e->is_there[e->asked]) ask_the_others(e, seconds_from_now(e->o.wait_seconds));
    return e->is_there[e->asked];
}

static void list_those_there(struct elastic *e) {
    e->n = 0;
    for (int i = 0; i < e->o.num_tasks; i++)
        if (e->is_there[i]) e->there[e->n++] = e->o.tasks[i];
}

/* Waits for those that are not, each of which is asked once at least. */
static void look(struct elastic *e) {
    const int64_t until = seconds_from_now(e->o.wait_seconds);
    for (int i = 0; i < e->o.num_tasks; i++) e->is_there[i] = false;
    for (bool is_first = true;; is_first = false) {
        ask_the_others(e, is_first ? INT64_MAX : until);
        list_those_there(e);
        if (e->n == e->o.num_tasks || sl_clock_ns() >= until) return;
        sl_sleep_ns(PAUSE_NS);
    }
}

/* ---- a life */

/* To the end, to an error, or (true) until there are others to go on with. */
static bool train(struct elastic *e, struct sl_training *t, int64_t save_every, TF_Status *status) {
    while (sl_training_goes_on(t, status)) {
        e->o.run(t, e->there, e->n, e->o.arg, status);
        if (!is_ok(status)) return false;
        e->until = seconds_from_now(e->o.patience_seconds);
        const bool is_saved = save_every > 0 && sl_training_step(t) % save_every == 0;
        if (is_saved && sl_training_goes_on(t, status) && e->n < e->o.num_tasks && finds_another(e)) return true;
    }
    if (is_ok(status) && e->o.ended) e->o.ended(t, e->o.arg, status);
    return false;
}

/* Those that are there, and what the graph always needs. */
static bool name_tasks(struct sl_training_options *o, const struct elastic *e) {
    const size_t n = (size_t)e->n, more = o->num_tasks > 0 ? (size_t)o->num_tasks : 0;
    const char **all = sl_calloc(n + more, sizeof *all);
    if (!all) return false;
    memcpy(all, e->there, n * sizeof *all);
    if (more) memcpy(all + n, o->tasks, more * sizeof *all);
    o->tasks = all;
    o->num_tasks = (int)(n + more);
    return true;
}

static bool live(struct elastic *e, TF_Status *status) {
    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *scope = sl_scope_new(graph);
    struct sl_training_options o = {.size = sizeof o};
    bool goes_on = false;
    if (scope) e->o.build(scope, e->there, e->n, &o, e->o.arg);
    const bool is_named = scope && name_tasks(&o, e);
    if (!is_named) sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    o.target = e->o.target;
    o.timeout_ms = (int64_t)(e->o.wait_seconds * 1000) + 1;
    struct sl_training *t = is_named ? sl_training_new(scope, &o, status) : NULL;
    if (t) goes_on = train(e, t, o.save_every, status);
    sl_training_delete(t);
    if (is_named) sl_free((void *)o.tasks);
    sl_scope_delete(scope);
    TF_DeleteGraph(graph);
    return goes_on;
}

static void live_on(struct elastic *e, TF_Status *status) {
    do {
        look(e);
        sl_status_set(status, SL_OK, "");
        if (e->n < e->o.least || !e->n) {
            sl_status_fail(status, SL_DEADLINE_EXCEEDED,
                           "%d of %d tasks are there for the training at %s, which needs %d", e->n, e->o.num_tasks,
                           e->o.target, e->o.least);
        } else {
            while (live(e, status)) list_those_there(e);
        }
    } while (sl_training_lost_a_task(status) && sl_clock_ns() < e->until);
}

SL_API void sl_training_elastic(const struct sl_elastic_options *options, TF_Status *status) {
    const double waits = 30, patience = 300;
    struct elastic e = {.n = 0};
    if (!SL_OPTIONS_TAKE(&e.o, sl_elastic_options, arg, options, status)) return;
    if (!e.o.target || !e.o.tasks || e.o.num_tasks < 1 || e.o.least > e.o.num_tasks || !e.o.build || !e.o.run) {
        sl_status_set(status, SL_INVALID_ARGUMENT,
                      "sl_training_elastic: target, tasks, build and run are needed, and `least` is at most num_tasks");
        return;
    }
    if (!(e.o.wait_seconds > 0)) e.o.wait_seconds = waits;
    if (!(e.o.patience_seconds > 0)) e.o.patience_seconds = patience;
    e.until = seconds_from_now(e.o.patience_seconds);
    e.there = sl_calloc((size_t)e.o.num_tasks, sizeof *e.there);
    e.is_there = sl_calloc((size_t)e.o.num_tasks, sizeof *e.is_there);
    if (e.there && e.is_there) live_on(&e, status);
    else sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    sl_free(e.there);
    sl_free(e.is_there);
}
