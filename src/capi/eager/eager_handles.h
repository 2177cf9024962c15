/* What stands behind the opaque types of the eager C API. TFE_Context, TFE_Op and TFE_TensorHandle are structs
 * of src/eager under their public names. */
#ifndef SL_CAPI_EAGER_EAGER_HANDLES_H
#define SL_CAPI_EAGER_EAGER_HANDLES_H

#include "capi/handles.h"
#include "eager/eager_executor.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"

static inline struct sl_eager_context *sl_as_eager(TFE_Context *context) { return (struct sl_eager_context *)context; }
static inline struct sl_eager_op *sl_as_eager_op(const TFE_Op *op) { return (struct sl_eager_op *)op; }
static inline struct sl_eager_handle *sl_as_eager_handle(TFE_TensorHandle *handle) {
    return (struct sl_eager_handle *)handle;
}

/* An executor that was made by the caller, or one of a thread's, which others made. */
struct TFE_Executor {
    struct sl_eager_executor *executor; /* a reference */
    bool is_made_here;
};

/* A thing to cancel ops with, and callbacks of the caller's. */
struct TFE_CancellationManager {
    struct sl_cancellation *cancellation;
    struct sl_mutex mutex; /* guards the members below */
    struct sl_condition idle;
    int64_t last_token;
    bool is_cancelling, is_cancelled;
    struct sl_cancel_entry *entries;
};

#endif
