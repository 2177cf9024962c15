/* What contexts do in a cluster. There are no servers yet: all that can be said is what is wrong with a request, and that
 * there is no service. */
#include "capi/eager/eager_handles.h"
#include "proto/wire.h"

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
void TFE_ReportErrorToCluster(TFE_Context *context, int error_code, const char *error_message, TF_Status *status) {
    (void)context, (void)error_code, (void)error_message;
    no_service(status);
}
void TFE_WaitAtBarrier(TFE_Context *context, const char *barrier_id, int64_t barrier_timeout_in_ms, TF_Status *status) {
    (void)context, (void)barrier_id, (void)barrier_timeout_in_ms;
    no_service(status);
}
