/* TFE_Executor. */
#include "base/alloc.h"
#include "capi/eager/eager_handles.h"

/* Takes the reference over, also on failure. */
static TFE_Executor *wrap(struct sl_eager_executor *e, bool is_made_here) {
    TFE_Executor *executor = e ? sl_malloc(sizeof *executor) : NULL;
    if (executor) *executor = (TFE_Executor){e, is_made_here};
    else sl_eager_executor_unref(e);
    return executor;
}

/* Streaming is what executors of other processes do. */
TFE_Executor *TFE_NewExecutor(bool is_async, bool enable_streaming_enqueue, int in_flight_nodes_limit) {
    struct sl_eager_executor *e = NULL;
    (void)enable_streaming_enqueue;
    sl_eager_executor_new(&e, is_async, in_flight_nodes_limit > 0 ? in_flight_nodes_limit : 0, NULL);
    return wrap(e, true);
}

/* Threads that have it go back to their context's. */
void TFE_DeleteExecutor(TFE_Executor *executor) {
    if (!executor) return;
    if (executor->is_made_here) sl_eager_executor_end(executor->executor);
    sl_eager_executor_unref(executor->executor);
    sl_free(executor);
}

bool TFE_ExecutorIsAsync(TFE_Executor *executor) {
    if (!executor) return false;
    return sl_eager_executor_is_async(executor->executor);
}

void TFE_ExecutorWaitForAllPendingNodes(TFE_Executor *executor, TF_Status *status) {
    if (SL_LACKS(status, executor)) return;
    struct sl_error err;
    sl_status_take(status, sl_eager_executor_wait(executor->executor, &err), &err);
}

void TFE_ExecutorClearError(TFE_Executor *executor) {
    if (executor) sl_eager_executor_clear_error(executor->executor);
}

void TFE_ContextSetExecutorForThread(TFE_Context *context, TFE_Executor *executor) {
    if (context) sl_eager_set_executor_of_thread(sl_as_eager(context), executor ? executor->executor : NULL, NULL);
}

TFE_Executor *TFE_ContextGetExecutorForThread(TFE_Context *context) {
    if (!context) return NULL;
    return wrap(sl_eager_executor_of_thread(sl_as_eager(context)), false);
}
