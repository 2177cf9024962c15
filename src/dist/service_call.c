/* Reading and answering calls. */
#include "dist/service_call.h"

#include "base/alloc.h"

bool sl_service_decode(void *message, const struct sl_pb_message *type, struct sl_rpc_call *call,
                       struct sl_arena *arena) {
    struct sl_error err;
    struct sl_str bytes = call->body ? call->body->bytes : SL_STR("");
    sl_code code = sl_pb_decode(message, type, bytes, arena, &err);
    if (code == SL_OK) return true;
    sl_rpc_call_fail(call, SL_INVALID_ARGUMENT, err.message);
    return false;
}

void sl_service_end(struct sl_rpc_call *call, struct sl_rpc_message *m, sl_code code, const struct sl_error *err) {
    if (code == SL_OK) {
        sl_rpc_call_answer(call, m);
        return;
    }
    sl_rpc_message_clear(m);
    sl_rpc_call_fail(call, code, err->message);
}

void sl_service_close(struct sl_rpc_call *call, sl_code code, const struct sl_error *err) {
    struct sl_rpc_message m = {.n = 0};
    sl_service_end(call, &m, code, err);
}

void sl_service_answer(struct sl_rpc_call *call, const struct sl_pb_message *type, const void *message) {
    struct sl_rpc_message m = {.n = 0};
    struct sl_error err;
    sl_code code = sl_wire_add_message(&m, type, message, &err);
    sl_service_end(call, &m, code, &err);
}

struct spawned {
    struct sl_net_task task;
    void (*handle)(void *service, struct sl_rpc_call *call);
    void *service;
    struct sl_rpc_call *call;
};

static void run_spawned(void *arg) {
    struct spawned one = *(struct spawned *)arg;
    sl_free(arg);
    one.handle(one.service, one.call);
}

static struct spawned *spawned_new(void (*handle)(void *service, struct sl_rpc_call *call), void *service,
                                   struct sl_rpc_call *call) {
    struct spawned *one = sl_malloc(sizeof *one);
    if (one) *one = (struct spawned){.handle = handle, .service = service, .call = call};
    else sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
    return one;
}

void sl_service_spawn(struct sl_worker *worker, void (*handle)(void *service, struct sl_rpc_call *call), void *service,
                      struct sl_rpc_call *call) {
    struct spawned *one = spawned_new(handle, service, call);
    if (one) sl_worker_spawn(worker, run_spawned, one);
}

void sl_service_spawn_step(struct sl_worker *worker, void (*handle)(void *service, struct sl_rpc_call *call),
                           void *service, struct sl_rpc_call *call) {
    struct spawned *one = spawned_new(handle, service, call);
    if (one) sl_worker_spawn_step(worker, run_spawned, one);
}

static void run_task(struct sl_net_task *task) { run_spawned((char *)task - offsetof(struct spawned, task)); }

bool sl_service_run_here(struct sl_worker *worker, void (*handle)(void *service, struct sl_rpc_call *call),
                         void *service, struct sl_rpc_call *call) {
    const size_t most = 16384; /* to read more takes a while */
    struct spawned *one = call->body->bytes.n <= most ? sl_malloc(sizeof *one) : NULL;
    if (!one) return false;
    *one = (struct spawned){.task = {.run = run_task}, .handle = handle, .service = service, .call = call};
    if (sl_net_run_here(worker->options.cluster->net, &one->task)) return true;
    sl_free(one);
    return false;
}

/* ---- what is worth it */

enum { LEAST_SCORE = -64, MOST_SCORE = 8 };

void sl_lightness_note(struct sl_lightness *l, int64_t ns) {
    const int64_t light_ns = 100000, heavy_ns = 2000000;
    int score = atomic_load_explicit(&l->score, memory_order_relaxed);
    if (ns > heavy_ns) score = LEAST_SCORE;
    else score += ns > light_ns ? -4 : 1;
    score = score < LEAST_SCORE ? LEAST_SCORE : score > MOST_SCORE ? MOST_SCORE : score;
    atomic_store_explicit(&l->score, score, memory_order_relaxed);
}
