/* Steps in the order in which they ended. */
#include "dist/step_log.h"

#include "base/alloc.h"
#include "dist/service_call.h"

enum { VALUES_MAX = 4096 };

struct sl_logged_step {
    struct sl_logged_step *next;
    uint64_t id;
    struct sl_worker_arrival *arrivals;
    size_t n;
};

void sl_step_log_init(struct sl_step_log *log) {
    *log = (struct sl_step_log){.n = 0};
    sl_mutex_init(&log->mutex);
    log->end = &log->first;
}

/* With the mutex held, or alone. */
static void drop_first(struct sl_step_log *log) {
    struct sl_logged_step *step = log->first;
    log->first = step->next;
    if (!step->next) log->end = &log->first;
    log->n -= step->n;
    sl_worker_arrivals_free(step->arrivals);
    sl_free(step);
}

void sl_step_log_clear(struct sl_step_log *log) {
    while (log->first) drop_first(log);
    sl_mutex_clear(&log->mutex);
}

bool sl_step_log_is_on(struct sl_step_log *log) {
    sl_mutex_lock(&log->mutex);
    bool is_on = log->n_wanted > 0;
    sl_mutex_unlock(&log->mutex);
    return is_on;
}

void sl_step_log_take(struct sl_step_log *log, struct sl_worker_step *step) {
    struct sl_logged_step *logged = step->arrivals ? sl_calloc(1, sizeof *logged) : NULL;
    if (!logged) return;
    sl_mutex_lock(&log->mutex);
    if (log->n_wanted) {
        *logged = (struct sl_logged_step){.id = step->step_id, .arrivals = step->arrivals};
        step->arrivals = NULL;
        for (const struct sl_worker_arrival *a = logged->arrivals; a; a = a->next) logged->n++;
        *log->end = logged;
        log->end = &logged->next;
        log->n += logged->n;
        logged = NULL;
        while (log->n > VALUES_MAX) drop_first(log);
    }
    sl_mutex_unlock(&log->mutex);
    sl_free(logged);
}

/* ---- the method: with the mutex held */

static sl_code find(struct sl_pb_LoggingResponse *answer, const struct sl_step_log *log, uint64_t id,
                    struct sl_arena *arena, struct sl_error *err) {
    for (const struct sl_logged_step *s = log->first; s; s = s->next) {
        if (s->id != id) continue;
        struct sl_pb_LabeledStepStats *out = &answer->step.items[answer->step.n++];
        *out = (struct sl_pb_LabeledStepStats){.step_id = (int64_t)id};
        out->step_stats = SL_ARENA_NEW(arena, struct sl_pb_StepStats);
        if (!out->step_stats) return sl_fail_memory(err, sizeof *out->step_stats);
        return sl_worker_arrivals_to_proto(out->step_stats, s->arrivals, arena, err);
    }
    return SL_OK;
}

/* A message that neither asks for steps nor for logging ends logging, as that of old masters. The answer borrows from
 * what is kept, so that it is written before that goes. */
static sl_code obey(struct sl_rpc_message *m, struct sl_step_log *log, const struct sl_pb_LoggingRequest *request,
                    struct sl_arena *arena, struct sl_error *err) {
    const struct sl_pb_array_i64 *ids = &request->fetch_step_id;
    struct sl_pb_LoggingResponse answer = {.unknown = NULL};
    if (request->enable_rpc_logging) log->n_wanted++;
    else if ((request->disable_rpc_logging || !ids->n) && log->n_wanted) log->n_wanted--;
    answer.step.items = SL_ARENA_ARRAY(arena, struct sl_pb_LabeledStepStats, ids->n + 1);
    if (!answer.step.items) return sl_fail_memory(err, ids->n * sizeof *answer.step.items);
    for (size_t i = 0; i < ids->n; i++) SL_TRY(find(&answer, log, (uint64_t)ids->items[i], arena, err));
    SL_TRY(sl_wire_add_message(m, SL_PB_TYPE_OF(LoggingResponse), &answer, err));
    while (request->clear && log->first) drop_first(log);
    return SL_OK;
}

void sl_step_log_serve(struct sl_step_log *log, struct sl_rpc_call *call) {
    struct sl_pb_LoggingRequest request;
    struct sl_rpc_message m = {.n = 0};
    struct sl_arena arena;
    struct sl_error err;
    sl_arena_init(&arena);
    if (sl_service_decode(&request, SL_PB_TYPE_OF(LoggingRequest), call, &arena)) {
        sl_mutex_lock(&log->mutex);
        sl_code code = obey(&m, log, &request, &arena, &err);
        sl_mutex_unlock(&log->mutex);
        sl_service_end(call, &m, code, &err); /* the last call that may touch the log ends here */
    }
    sl_arena_clear(&arena);
}
