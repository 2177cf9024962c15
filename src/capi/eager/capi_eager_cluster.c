/* What contexts do in a cluster. Contexts join none: all that can be said is what is wrong with a request, and that
 * there is no service. */
#include <string.h>

#include "backends/any/collective.h"
#include "capi/eager/eager_handles.h"
#include "eager/eager_context.h"
#include "proto/wire.h"
#include "runtime/runtime.h"
#include "tensorflow/c/c_api_experimental.h"

static void join(const char *name, const void *proto, size_t n, TF_Status *status) {
    struct sl_arena arena;
    struct sl_pb_ServerDef def;
    sl_arena_init(&arena);
    const bool is_one = sl_pb_decode(&def, SL_PB_TYPE(ServerDef), sl_bytes_of(proto, n), &arena, NULL) == SL_OK;
    sl_arena_clear(&arena);
    if (is_one) sl_status_fail(status, SL_UNIMPLEMENTED, "%s: there are no servers yet", name);
    else sl_status_set(status, SL_INVALID_ARGUMENT, "Invalid tensorflow.ServerDef protocol buffer");
}

void TFE_ContextSetServerDef(TFE_Context *context, int keep_alive_secs, const void *proto, size_t proto_len,
                             TF_Status *status) {
    (void)context, (void)keep_alive_secs;
    join("TFE_ContextSetServerDef", proto, proto_len, status);
}
void TFE_ContextUpdateServerDef(TFE_Context *context, int keep_alive_secs, const void *proto, size_t proto_len,
                                TF_Status *status) {
    (void)context, (void)keep_alive_secs;
    join("TFE_ContextUpdateServerDef", proto, proto_len, status);
}

/* The context's own task is alive; it knows no other. */
bool TFE_ContextCheckAlive(TFE_Context *context, const char *worker_name, TF_Status *status) {
    const char *own = sl_as_eager(context)->runtime->devices.items[0].name, *device = strstr(own, "/device:");
    const size_t n = device ? (size_t)(device - own) : strlen(own);
    const bool is_own = strlen(worker_name) == n && memcmp(worker_name, own, n) == 0;
    sl_status_fail(status, is_own ? SL_OK : SL_INVALID_ARGUMENT,
                   "There is no worker '%s': the context is in no cluster, its own task is %.*s", worker_name, (int)n,
                   own);
    return is_own;
}

/* ---- collectives: those of a context are its own */
void TFE_AbortCollectiveOps(TFE_Context *context, TF_Status *status) {
    struct sl_error err;
    if (TF_GetCode(status) == TF_OK) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "TFE_AbortCollectiveOps reads the status: it must say why");
        return;
    }
    if (sl_collective_abort(sl_as_eager(context)->runtime->resources, (sl_code)TF_GetCode(status), TF_Message(status),
                            &err) != SL_OK)
        sl_status_take(status, err.code, &err);
}
void TFE_CollectiveOpsCheckPeerHealth(TFE_Context *context, const char *task, int64_t timeout_in_ms,
                                      TF_Status *status) {
    (void)context, (void)timeout_in_ms;
    sl_status_fail(status, SL_INTERNAL, "There is no peer '%s': the collectives of this context are local", task);
}

/* ---- the coordination service, which only servers have */
static void no_service(TF_Status *status) {
    sl_status_set(status, SL_FAILED_PRECONDITION, "Coordination service is not enabled.");
}
void TFE_InsertConfigKeyValue(TFE_Context *context, const char *key, const char *value, TF_Status *status) {
    (void)context, (void)key, (void)value;
    sl_status_set(status, SL_FAILED_PRECONDITION, "Coordination service agent is not enabled.");
}
void TFE_GetConfigKeyValue(TFE_Context *context, const char *key, int64_t timeout_in_ms, TF_Buffer *value_buf,
                           TF_Status *status) {
    (void)context, (void)key, (void)timeout_in_ms, (void)value_buf;
    no_service(status);
}
void TFE_DeleteConfigKeyValue(TFE_Context *context, const char *key, TF_Status *status) {
    (void)context, (void)key;
    no_service(status);
}
void TFE_GetTaskStates(TFE_Context *context, const TF_Buffer *tasks, void *states, TF_Status *status) {
    (void)context, (void)tasks, (void)states;
    no_service(status);
}
void TFE_ReportErrorToCluster(TFE_Context *context, int error_code, const char *error_message, TF_Status *status) {
    (void)context, (void)error_code, (void)error_message;
    no_service(status);
}
void TFE_WaitAtBarrier(TFE_Context *context, const char *barrier_id, int64_t barrier_timeout_in_ms, TF_Status *status) {
    (void)context, (void)barrier_id, (void)barrier_timeout_in_ms;
    no_service(status);
}
