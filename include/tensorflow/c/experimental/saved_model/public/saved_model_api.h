/* SavedModels as objects whose functions run eagerly: what tf.saved_model.save of TensorFlow 2 has written.
 *
 *     model = TF_LoadSavedModel(folder, context, status)
 *     f     = TF_GetSavedModelConcreteFunction(model, "path.to.f", status)
 *     op    = TF_ConcreteFunctionMakeCallOp(f, inputs, n, status)         TFE_Execute, TFE_DeleteOp
 *
 * Everything that is asked of a model belongs to it and goes with it. The model uses the context, so the context is
 * deleted later. Threads: a loaded model may be used from any. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_SAVED_MODEL_API_H_
#define TENSORFLOW_C_EXPERIMENTAL_SAVED_MODEL_PUBLIC_SAVED_MODEL_API_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/experimental/saved_model/public/concrete_function.h"
#include "tensorflow/c/experimental/saved_model/public/signature_def_function.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_SavedModel TF_SavedModel;

/* New model: functions, variables with their values, tables and files. NOT_FOUND without a SavedModel,
 * FAILED_PRECONDITION for one without objects (of TensorFlow 1), or with several graphs. */
TF_CAPI_EXPORT TF_SavedModel *TF_LoadSavedModel(const char *dirname, TFE_Context *context, TF_Status *status);
/* Of several graphs the one with exactly these tags. */
TF_CAPI_EXPORT TF_SavedModel *TF_LoadSavedModelWithTags(const char *dirname, TFE_Context *context,
                                                        const char *const *tags, int tags_len, TF_Status *status);
/* Its functions leave the context. */
TF_CAPI_EXPORT void TF_DeleteSavedModel(TF_SavedModel *model);
/* A function by the names of the objects that lead to it, with dots between. NOT_FOUND when there is none,
 * FAILED_PRECONDITION when it was traced for several kinds of inputs: its children "trace_0", "trace_1" ... are one
 * each. */
TF_CAPI_EXPORT TF_ConcreteFunction *TF_GetSavedModelConcreteFunction(TF_SavedModel *model, const char *function_path,
                                                                     TF_Status *status);
/* A signature by its key, as "serving_default". */
TF_CAPI_EXPORT TF_SignatureDefFunction *TF_GetSavedModelSignatureDefFunction(TF_SavedModel *model,
                                                                             const char *signature_def_key,
                                                                             TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
