/* Graphs that run bit by bit. Each is in the service's list until its last message has been answered. */
#include "dist/partial_graph.h"

#include "base/alloc.h"
#include "dist/worker_state.h"

struct sl_partial_graph {
    struct sl_partial_graph *next; /* of the service; guarded by its mutex */
    struct sl_worker_step step;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition changed;
    bool has_ended;
    sl_code code;
    struct sl_error err;
};

static void ended(struct sl_worker_step *step, sl_code code, const struct sl_error *err) {
    struct sl_partial_graph *p = step->arg;
    sl_mutex_lock(&p->mutex);
    p->has_ended = true;
    p->code = code;
    if (code != SL_OK) p->err = *err;
    sl_condition_broadcast(&p->changed);
    sl_mutex_unlock(&p->mutex);
}

static sl_code wait_for_end(struct sl_partial_graph *p, struct sl_error *err) {
    sl_mutex_lock(&p->mutex);
    while (!p->has_ended) sl_condition_wait(&p->changed, &p->mutex);
    sl_code code = p->code;
    if (code != SL_OK) *err = p->err;
    sl_mutex_unlock(&p->mutex);
    return code;
}

static void partial_free(struct sl_partial_graph *p) {
    sl_worker_step_clear(&p->step);
    sl_worker_graph_unref(p->step.graph);
    sl_condition_clear(&p->changed);
    sl_mutex_clear(&p->mutex);
    sl_free(p);
}

static sl_code begin(struct sl_partial_graph **out, const struct sl_partial_message *m, struct sl_error *err) {
    struct sl_partial_graph *p = sl_calloc(1, sizeof *p);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->step = (struct sl_worker_step){.graph = m->graph, .step_id = m->step_id, .done = ended, .arg = p};
    sl_code code = sl_worker_step_init(&p->step, err);
    if (code != SL_OK) {
        sl_free(p);
        return code;
    }
    sl_mutex_init(&p->mutex);
    sl_condition_init(&p->changed);
    atomic_fetch_add(&m->graph->references, 1);
    *out = p;
    return SL_OK;
}

/* The run that the message is about. The first message begins it, the last one takes it out of the list. */
static sl_code find(struct sl_partial_graph **out, struct sl_worker_service *service,
                    const struct sl_partial_message *m, struct sl_error *err) {
    struct sl_partial_graph **at = &service->partial;
    bool is_new = false;
    sl_code code = SL_OK;
    sl_mutex_lock(&service->mutex);
    while (*at && ((*at)->step.step_id != m->step_id || (*at)->step.graph != m->graph)) at = &(*at)->next;
    if (!*at) {
        code = begin(at, m, err);
        is_new = code == SL_OK;
    }
    *out = *at;
    if (code == SL_OK && m->is_last) *at = (*at)->next;
    sl_mutex_unlock(&service->mutex);
    if (is_new) sl_worker_step_start(&(*out)->step);
    return code;
}

/* ---- values */

struct awaited {
    struct sl_waiter waiter;
    struct sl_mutex mutex;
    struct sl_condition come;
    bool is_come;
    sl_code code;
    struct sl_error err;
};

static void come(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct awaited *a = (struct awaited *)waiter;
    sl_mutex_lock(&a->mutex);
    a->is_come = true;
    a->code = code;
    if (code != SL_OK) a->err = *err;
    sl_condition_signal(&a->come);
    sl_mutex_unlock(&a->mutex);
}

static sl_code receive(struct sl_step_rendezvous *r, struct sl_worker_receive *wanted, struct sl_error *err) {
    struct awaited a = {.waiter = {.done = come}, .mutex = SL_MUTEX_INIT, .come = SL_CONDITION_INIT};
    sl_step_rendezvous_take(r, wanted->key, &a.waiter);
    sl_mutex_lock(&a.mutex);
    while (!a.is_come) sl_condition_wait(&a.come, &a.mutex);
    sl_mutex_unlock(&a.mutex);
    sl_condition_clear(&a.come);
    sl_mutex_clear(&a.mutex);
    if (a.code == SL_OK) wanted->value = sl_value_move(&a.waiter.value);
    else *err = a.err;
    return a.code;
}

static sl_code pass_values(struct sl_worker *w, const struct sl_partial_message *m, struct sl_error *err) {
    struct sl_step_rendezvous *r;
    SL_TRY(sl_rendezvous_table_find(&r, w->table, m->step_id, false, err));
    sl_code code = SL_OK;
    for (size_t i = 0; i < m->n_sends && code == SL_OK; i++)
        code = sl_step_rendezvous_put(r, m->sends[i].key, &m->sends[i].value, err);
    for (size_t i = 0; i < m->n_receives && code == SL_OK; i++) code = receive(r, &m->receives[i], err);
    sl_step_rendezvous_unref(r);
    return code;
}

sl_code sl_partial_graph_run(struct sl_worker_service *service, const struct sl_partial_message *m,
                             struct sl_error *err) {
    struct sl_partial_graph *p;
    struct sl_error late;
    SL_TRY(find(&p, service, m, err));
    sl_code code = pass_values(service->worker, m, err);
    if (!m->is_last) return code;
    if (code != SL_OK) sl_worker_step_cancel(&p->step, code, err->message);
    sl_code at_the_end = wait_for_end(p, &late);
    partial_free(p);
    if (code == SL_OK && at_the_end != SL_OK) {
        *err = late;
        code = at_the_end;
    }
    return code;
}

/* With the mutex. */
static struct sl_partial_graph **of_step(struct sl_worker_service *service, const uint64_t *step_id) {
    struct sl_partial_graph **at = &service->partial;
    while (*at && step_id && (*at)->step.step_id != *step_id) at = &(*at)->next;
    return at;
}

void sl_partial_graphs_end(struct sl_worker_service *service, const uint64_t *step_id) {
    struct sl_error ignored;
    for (;;) {
        sl_mutex_lock(&service->mutex);
        struct sl_partial_graph **at = of_step(service, step_id), *p = *at;
        if (p) *at = p->next;
        sl_mutex_unlock(&service->mutex);
        if (!p) return;
        sl_worker_step_cancel(&p->step, SL_CANCELLED, "the step was dropped");
        (void)wait_for_end(p, &ignored);
        partial_free(p);
    }
}
