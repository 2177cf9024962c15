/* What kernels of plug-ins keep between runs, and variables taken in hand one by one; without a promise of stability.
 *
 * Of the original header the functions of PJRT clients and of the coordination service are not declared: they answer
 * UNIMPLEMENTED. Called within a kernel's compute function, with its context. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_NEXT_PLUGGABLE_DEVICE_C_API_H_
#define TENSORFLOW_C_EXPERIMENTAL_NEXT_PLUGGABLE_DEVICE_C_API_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/kernels_experimental.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Device TF_Device;
typedef struct TF_VariableInfo TF_VariableInfo;

/* The device that the kernel runs on, to be compared with others; borrowed. */
TF_CAPI_EXPORT TF_Device *TF_GetDevice(TF_OpKernelContext *context);

/* ---- resources of the plug-in's own ---- */

/* Gives the session a thing under a name; it calls `delete_func` when the thing is to go. ALREADY_EXISTS. NULL or ""
 * for the container: the session's own. */
TF_CAPI_EXPORT void TF_CreatePluginResource(TF_OpKernelContext *context, const char *container_name,
                                            const char *plugin_resource_name, void *plugin_resource,
                                            void (*delete_func)(void *), TF_Status *status);
/* The thing of that name, made by `create_func` when there is none: one call, however many kernels ask. Borrowed. */
TF_CAPI_EXPORT void TF_LookupOrCreatePluginResource(TF_OpKernelContext *context, const char *container_name,
                                                    const char *plugin_resource_name, void **result_plugin_resource,
                                                    void *(*create_func)(void *), void *create_func_args,
                                                    void (*delete_func)(void *), TF_Status *status);

/* ---- variables ---- */

/* The variable that an input is a handle of. */
TF_CAPI_EXPORT TF_VariableInfo *TF_CreateVariableInfoFromContext(TF_OpKernelContext *context, int index,
                                                                 TF_Status *status);
/* Locks all of them, in an order that is the same for everybody; deleting unlocks. */
TF_CAPI_EXPORT void TF_LockVariableInfos(TF_VariableInfo **vars, int num_vars, TF_Status *status);
/* Gives the variable new elements of its type and shape, whose values are not set. */
TF_CAPI_EXPORT void TF_AllocateTempForVariableInfo(TF_OpKernelContext *context, TF_VariableInfo *var_info,
                                                   TF_Status *status);
/* New tensor on the variable's elements. */
TF_CAPI_EXPORT TF_Tensor *TF_GetTensorFromVariableInfo(TF_VariableInfo *var_info, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteVariableInfo(TF_VariableInfo *var_info);

#ifdef __cplusplus
}
#endif

#endif
