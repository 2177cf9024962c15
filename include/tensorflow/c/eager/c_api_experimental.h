/* Eager API without a promise of stability: executors, cancellation, clusters, custom devices, monitoring.
 *
 * Ownership, errors and threads as in eager/c_api.h; monitoring objects, executors and cancellation managers are
 * thread-safe. */
#ifndef TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H_
#define TENSORFLOW_C_EAGER_C_API_EXPERIMENTAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- ops ---- */

typedef struct TFE_OpAttrs TFE_OpAttrs;

/* Makes `op` a new call, as TFE_NewOp would, without allocating. `raw_device_name` may be NULL. */
TF_CAPI_EXPORT void TFE_OpReset(TFE_Op *op, const char *op_or_function_name, const char *raw_device_name,
                                TF_Status *status);
/* The attributes of `op`, borrowed: valid while the op is unchanged. */
TF_CAPI_EXPORT const TFE_OpAttrs *TFE_OpGetAttrs(const TFE_Op *op);
/* Adds attributes; those that are set already stay. */
TF_CAPI_EXPORT void TFE_OpAddAttrs(TFE_Op *op, const TFE_OpAttrs *attrs);
/* Writes a NameAttrList: the op's name and attributes. */
TF_CAPI_EXPORT void TFE_OpAttrsSerialize(const TFE_OpAttrs *attrs, TF_Buffer *buffer, TF_Status *status);
/* Any kind, as a serialized AttrValue. */
TF_CAPI_EXPORT void TFE_OpSetAttrValueProto(const TFE_Op *op, const char *attr_name, const void *proto,
                                            size_t proto_len, TF_Status *status);

/* ---- tensor handles ---- */

/* New tensor in memory that suits the context's devices, uninitialised. */
TF_CAPI_EXPORT TF_Tensor *TFE_AllocateHostTensor(TFE_Context *context, TF_DataType dtype, const int64_t *dims,
                                                 int num_dims, TF_Status *status);
/* New handle that shares the tensor's buffer, without a copy. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_NewTensorHandleFromTensor(TFE_Context *context, TF_Tensor *tensor,
                                                               TF_Status *status);
/* New handle of one tensor a device, as arguments of functions that run on several. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_CreatePackedTensorHandle(TFE_Context *context, TFE_TensorHandle **handles,
                                                              int *num_handles, TF_Status *status);
/* New handle over `len` bytes at `data` in the device's memory; the deallocator is called in the end. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_NewTensorHandleFromDeviceMemory(
    TFE_Context *context, const char *device_name, TF_DataType dtype, const int64_t *dims, int num_dims, void *data,
    size_t len, void (*deallocator)(void *data, size_t len, void *arg), void *deallocator_arg, TF_Status *status);
/* Address of the elements in the device's memory; waits for the op that makes them. Borrowed. */
TF_CAPI_EXPORT void *TFE_TensorHandleDevicePointer(TFE_TensorHandle *handle, TF_Status *status);
TF_CAPI_EXPORT size_t TFE_TensorHandleDeviceMemorySize(TFE_TensorHandle *handle, TF_Status *status);
/* "CPU" and the number of the device among those of its type. */
TF_CAPI_EXPORT const char *TFE_TensorHandleDeviceType(TFE_TensorHandle *handle, TF_Status *status);
TF_CAPI_EXPORT int TFE_TensorHandleDeviceID(TFE_TensorHandle *handle, TF_Status *status);
/* The error of the op that makes the tensor, if it has failed already; does not wait. */
TF_CAPI_EXPORT void TFE_TensorHandleGetStatus(TFE_TensorHandle *handle, TF_Status *status);

/* ---- contexts ---- */

/* Whether RunMetadata collects the graphs that run; see TFE_ContextEnableRunMetadata. */
TF_CAPI_EXPORT void TFE_ContextEnableGraphCollection(TFE_Context *context);
TF_CAPI_EXPORT void TFE_ContextDisableGraphCollection(TFE_Context *context);
/* A choice of runtime in the original; without effect. */
TF_CAPI_EXPORT void TFE_ContextOptionsSetTfrt(TFE_ContextOptions *options, bool use_tfrt);
/* A number that no other context has. */
TF_CAPI_EXPORT uint64_t TFE_GetContextId(TFE_Context *context);
/* Waits until all pending ops of all executors are done; the first error of theirs. */
TF_CAPI_EXPORT void TFE_ContextAsyncWait(TFE_Context *context, TF_Status *status);
/* Writes the device-name prefix of this process: "/job:NAME/replica:0/task:0". */
TF_CAPI_EXPORT void TFE_HostAddressSpace(TFE_Context *context, TF_Buffer *buffer);
/* Writes the FunctionDef; NOT_FOUND for an unknown name. */
TF_CAPI_EXPORT void TFE_ContextGetFunctionDef(TFE_Context *context, const char *function_name, TF_Buffer *buffer,
                                              TF_Status *status);
/* Writes a GraphDebugInfo. */
TF_CAPI_EXPORT void TFE_ContextGetGraphDebugInfo(TFE_Context *context, const char *function_name, TF_Buffer *buffer,
                                                 TF_Status *status);
/* New handle of a function in the context. */
TF_CAPI_EXPORT TF_Function *TFE_ContextGetFunction(TFE_Context *context, const char *name, TF_Status *status);
/* Whether an op without a kernel for its device may run on another. */
TF_CAPI_EXPORT void TFE_ContextSetSoftDevicePlacement(TFE_Context *context, unsigned char enable, TF_Status *status);
/* Whether the device of each op is logged. */
TF_CAPI_EXPORT void TFE_ContextSetLogDevicePlacement(TFE_Context *context, unsigned char enable, TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextSetRunEagerOpAsFunction(TFE_Context *context, unsigned char enable, TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextSetJitCompileRewrite(TFE_Context *context, unsigned char enable, TF_Status *status);
/* Writes the names of the ops that have run, one a line. For tests. */
TF_CAPI_EXPORT void TFE_GetExecutedOpNames(TFE_Context *context, TF_Buffer *buffer, TF_Status *status);
/* Splits the CPU into `num_cpus` devices. Before the first op. */
TF_CAPI_EXPORT void TFE_SetLogicalCpuDevices(TFE_Context *context, int num_cpus, const char *prefix, TF_Status *status);
/* Leaves the cluster of a ServerDef: the context is local again. */
TF_CAPI_EXPORT void TFE_InitializeLocalOnlyContext(TFE_Context *context, int keep_alive_secs, const void *proto,
                                                   size_t proto_len, TF_Status *status);

/* ---- executors: queues that ops run through ---- */

typedef struct TFE_Executor TFE_Executor;

/* `in_flight_nodes_limit` 0: no limit. */
TF_CAPI_EXPORT TFE_Executor *TFE_NewExecutor(bool is_async, bool enable_streaming_enqueue, int in_flight_nodes_limit);
/* Waits for the pending ops. */
TF_CAPI_EXPORT void TFE_DeleteExecutor(TFE_Executor *executor);
TF_CAPI_EXPORT bool TFE_ExecutorIsAsync(TFE_Executor *executor);
/* The first error sticks: later ops fail with it until it is cleared. */
TF_CAPI_EXPORT void TFE_ExecutorWaitForAllPendingNodes(TFE_Executor *executor, TF_Status *status);
TF_CAPI_EXPORT void TFE_ExecutorClearError(TFE_Executor *executor);
/* The executor of the calling thread; it has to outlive that use. */
TF_CAPI_EXPORT void TFE_ContextSetExecutorForThread(TFE_Context *context, TFE_Executor *executor);
/* A handle to the executor that the calling thread uses: TFE_DeleteExecutor frees the handle. */
TF_CAPI_EXPORT TFE_Executor *TFE_ContextGetExecutorForThread(TFE_Context *context);

/* ---- cancellation ---- */

typedef struct TFE_CancellationManager TFE_CancellationManager;
typedef int64_t TFE_CancellationToken;

typedef struct TFE_CancelCallback {
    void (*callback)(void *context);
    void *context;
} TFE_CancelCallback;

TF_CAPI_EXPORT TFE_CancellationManager *TFE_NewCancellationManager(void);
TF_CAPI_EXPORT bool TFE_CancellationManagerIsCancelled(TFE_CancellationManager *manager);
/* True while the callbacks run. */
TF_CAPI_EXPORT bool TFE_CancellationManagerIsCancelling(TFE_CancellationManager *manager);
/* Runs the registered callbacks on this thread, once. */
TF_CAPI_EXPORT void TFE_CancellationManagerStartCancel(TFE_CancellationManager *manager);
/* A token, which names one callback. */
TF_CAPI_EXPORT TFE_CancellationToken TFE_CancellationManagerGetToken(TFE_CancellationManager *manager);
/* False when cancelling has begun: the callback is not kept then and never runs. The struct is copied. */
TF_CAPI_EXPORT bool TFE_CancellationManagerRegisterCallback(TFE_CancellationManager *manager,
                                                            TFE_CancellationToken token,
                                                            const TFE_CancelCallback *callback,
                                                            const char *callback_name);
/* False when the callback has run, or runs: then this waits for its end. */
TF_CAPI_EXPORT bool TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager *manager,
                                                              TFE_CancellationToken token);
/* Likewise, without waiting. */
TF_CAPI_EXPORT bool TFE_CancellationManagerTryDeregisterCallback(TFE_CancellationManager *manager,
                                                                 TFE_CancellationToken token);
TF_CAPI_EXPORT void TFE_DeleteCancellationManager(TFE_CancellationManager *manager);
/* Ops run with `op` stop when the manager cancels. It has to outlive the run. */
TF_CAPI_EXPORT void TFE_OpSetCancellationManager(TFE_Op *op, TFE_CancellationManager *cancellation_manager,
                                                 TF_Status *status);

/* ---- clusters ---- */

/* As TFE_ContextSetServerDef: for a context that is in a cluster already, with a time limit, with further attempts. */
TF_CAPI_EXPORT void TFE_ContextUpdateServerDef(TFE_Context *context, int keep_alive_secs, const void *proto,
                                               size_t proto_len, TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextUpdateServerDefWithTimeout(TFE_Context *context, int keep_alive_secs, const void *proto,
                                                          size_t proto_len, int64_t init_timeout_in_ms,
                                                          TF_Status *status);
TF_CAPI_EXPORT void TFE_ContextSetServerDefWithTimeout(TFE_Context *context, int keep_alive_secs, const void *proto,
                                                       size_t proto_len, int64_t init_timeout_in_ms, TF_Status *status,
                                                       bool clear_existing_contexts);
TF_CAPI_EXPORT void TFE_ContextSetServerDefWithTimeoutAndRetries(TFE_Context *context, int keep_alive_secs,
                                                                 const void *proto, size_t proto_len,
                                                                 int64_t init_timeout_in_ms, int retries,
                                                                 TF_Status *status, bool clear_existing_contexts);
/* True when the worker "/job:NAME/replica:0/task:N" answers. */
TF_CAPI_EXPORT bool TFE_ContextCheckAlive(TFE_Context *context, const char *worker_name, TF_Status *status);

/* Values that the cluster's tasks share through its coordination service. */
TF_CAPI_EXPORT void TFE_InsertConfigKeyValue(TFE_Context *context, const char *key, const char *value,
                                             TF_Status *status);
/* Waits for the key until the time is over. */
TF_CAPI_EXPORT void TFE_GetConfigKeyValue(TFE_Context *context, const char *key, int64_t timeout_in_ms,
                                          TF_Buffer *value_buf, TF_Status *status);
TF_CAPI_EXPORT void TFE_DeleteConfigKeyValue(TFE_Context *context, const char *key, TF_Status *status);
/* Makes all tasks fail with this error. */
TF_CAPI_EXPORT void TFE_ReportErrorToCluster(TFE_Context *context, int error_code, const char *error_message,
                                             TF_Status *status);
/* Stores the state of each of `tasks` in the array `states`. C++ takes `tasks` by reference; the call is the same. */
#ifdef __cplusplus
TF_CAPI_EXPORT void TFE_GetTaskStates(TFE_Context *context, const TF_Buffer &tasks, void *states, TF_Status *status);
#else
TF_CAPI_EXPORT void TFE_GetTaskStates(TFE_Context *context, const TF_Buffer *tasks, void *states, TF_Status *status);
#endif
/* Returns when every task waits at the barrier. */
TF_CAPI_EXPORT void TFE_WaitAtBarrier(TFE_Context *context, const char *barrier_id, int64_t barrier_timeout_in_ms,
                                      TF_Status *status);

/* ---- custom devices ---- */

#define TFE_CUSTOM_DEVICE_VERSION 4

/* In C++ these fields have the defaults given; in C the caller sets every field. */
#ifdef __cplusplus
#define TFE_FIELD_DEFAULT(value) = value
#else
#define TFE_FIELD_DEFAULT(value)
#endif

/* A device made of callbacks. Handles that are returned are new; `device_info` is what TFE_RegisterCustomDevice got. */
typedef struct TFE_CustomDevice {
    int version TFE_FIELD_DEFAULT(TFE_CUSTOM_DEVICE_VERSION);
    TFE_TensorHandle *(*copy_tensor_to_device)(TFE_Context *context, TFE_TensorHandle *tensor, TF_Status *status,
                                               void *device_info);
    TFE_TensorHandle *(*copy_tensor_from_device)(TFE_Context *context, TFE_TensorHandle *tensor,
                                                 const char *target_device_name, TF_Status *status, void *device_info);
    /* Runs an op: as TFE_Execute, `*num_outputs` is room, then count. */
    void (*execute)(const TFE_Op *op, int *num_outputs, TFE_TensorHandle **outputs, TF_Status *status,
                    void *device_info);
    void (*delete_device)(void *device_info);
    /* May be NULL: the device cannot pack. */
    TFE_TensorHandle *(*pack)(TFE_Context *context, TFE_TensorHandle **handles, int num_handles, TF_Status *status,
                              void *device_info)TFE_FIELD_DEFAULT(NULL);
    /* May be NULL. True: ops without a device of their own whose inputs are on this device run here. */
    bool (*shall_pin_to_this_device)(const TFE_Op *op, TF_Status *status) TFE_FIELD_DEFAULT(NULL);
} TFE_CustomDevice;

/* A tensor on a custom device; `data` is what TFE_NewCustomDeviceTensorHandle got. */
typedef struct TFE_CustomDeviceTensorHandleMethods {
    int version TFE_FIELD_DEFAULT(TFE_CUSTOM_DEVICE_VERSION);
    int (*num_dims)(void *data, TF_Status *status);
    int64_t (*dim)(void *data, int dim_index, TF_Status *status);
    void (*deallocator)(void *data);
    /* May be NULL. New buffer: text for people. */
    TF_Buffer *(*summarize)(void *data, TF_Status *status)TFE_FIELD_DEFAULT(NULL);
} TFE_CustomDeviceTensorHandle;

#undef TFE_FIELD_DEFAULT

/* Adds a device of the full name "/job:NAME/replica:0/task:0/device:TYPE:0". Its `delete_device` is called with the
 * context's end. */
TF_CAPI_EXPORT void TFE_RegisterCustomDevice(TFE_Context *context, TFE_CustomDevice device, const char *device_name,
                                             void *device_info, TF_Status *status);
TF_CAPI_EXPORT bool TFE_IsCustomDevice(TFE_Context *context, const char *device_name);
/* New handle that owns `data`. */
TF_CAPI_EXPORT TFE_TensorHandle *TFE_NewCustomDeviceTensorHandle(TFE_Context *context, const char *device_name,
                                                                 TF_DataType dtype, void *data,
                                                                 TFE_CustomDeviceTensorHandle methods,
                                                                 TF_Status *status);

/* ---- monitoring: named values of the process, one a combination of labels ----
 *
 * The digit is the number of labels. Two of one name are two; who reads by name (c_api_experimental_reader.h) finds the
 * elder. A cell belongs to its object and needs no free. */

/* Counters only grow. */

typedef struct TFE_MonitoringCounterCell TFE_MonitoringCounterCell;
typedef struct TFE_MonitoringCounter0 TFE_MonitoringCounter0;
typedef struct TFE_MonitoringCounter1 TFE_MonitoringCounter1;
typedef struct TFE_MonitoringCounter2 TFE_MonitoringCounter2;

TF_CAPI_EXPORT void TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringCounterCell *cell, int64_t value);
TF_CAPI_EXPORT int64_t TFE_MonitoringCounterCellValue(TFE_MonitoringCounterCell *cell);
TF_CAPI_EXPORT TFE_MonitoringCounter0 *TFE_MonitoringNewCounter0(const char *name, TF_Status *status,
                                                                 const char *description);
TF_CAPI_EXPORT void TFE_MonitoringDeleteCounter0(TFE_MonitoringCounter0 *counter);
TF_CAPI_EXPORT TFE_MonitoringCounterCell *TFE_MonitoringGetCellCounter0(TFE_MonitoringCounter0 *counter);
TF_CAPI_EXPORT TFE_MonitoringCounter1 *TFE_MonitoringNewCounter1(const char *name, TF_Status *status,
                                                                 const char *description, const char *label1);
TF_CAPI_EXPORT void TFE_MonitoringDeleteCounter1(TFE_MonitoringCounter1 *counter);
TF_CAPI_EXPORT TFE_MonitoringCounterCell *TFE_MonitoringGetCellCounter1(TFE_MonitoringCounter1 *counter,
                                                                        const char *label1);
TF_CAPI_EXPORT TFE_MonitoringCounter2 *TFE_MonitoringNewCounter2(const char *name, TF_Status *status,
                                                                 const char *description, const char *label1,
                                                                 const char *label2);
TF_CAPI_EXPORT void TFE_MonitoringDeleteCounter2(TFE_MonitoringCounter2 *counter);
TF_CAPI_EXPORT TFE_MonitoringCounterCell *TFE_MonitoringGetCellCounter2(TFE_MonitoringCounter2 *counter,
                                                                        const char *label1, const char *label2);

/* Gauges hold the last value set. */

typedef struct TFE_MonitoringIntGaugeCell TFE_MonitoringIntGaugeCell;
typedef struct TFE_MonitoringIntGauge0 TFE_MonitoringIntGauge0;
typedef struct TFE_MonitoringIntGauge1 TFE_MonitoringIntGauge1;
typedef struct TFE_MonitoringIntGauge2 TFE_MonitoringIntGauge2;

TF_CAPI_EXPORT void TFE_MonitoringIntGaugeCellSet(TFE_MonitoringIntGaugeCell *cell, int64_t value);
TF_CAPI_EXPORT int64_t TFE_MonitoringIntGaugeCellValue(TFE_MonitoringIntGaugeCell *cell);
TF_CAPI_EXPORT TFE_MonitoringIntGauge0 *TFE_MonitoringNewIntGauge0(const char *name, TF_Status *status,
                                                                   const char *description);
TF_CAPI_EXPORT void TFE_MonitoringDeleteIntGauge0(TFE_MonitoringIntGauge0 *gauge);
TF_CAPI_EXPORT TFE_MonitoringIntGaugeCell *TFE_MonitoringGetCellIntGauge0(TFE_MonitoringIntGauge0 *gauge);
TF_CAPI_EXPORT TFE_MonitoringIntGauge1 *TFE_MonitoringNewIntGauge1(const char *name, TF_Status *status,
                                                                   const char *description, const char *label1);
TF_CAPI_EXPORT void TFE_MonitoringDeleteIntGauge1(TFE_MonitoringIntGauge1 *gauge);
TF_CAPI_EXPORT TFE_MonitoringIntGaugeCell *TFE_MonitoringGetCellIntGauge1(TFE_MonitoringIntGauge1 *gauge,
                                                                          const char *label1);
TF_CAPI_EXPORT TFE_MonitoringIntGauge2 *TFE_MonitoringNewIntGauge2(const char *name, TF_Status *status,
                                                                   const char *description, const char *label1,
                                                                   const char *label2);
TF_CAPI_EXPORT void TFE_MonitoringDeleteIntGauge2(TFE_MonitoringIntGauge2 *gauge);
TF_CAPI_EXPORT TFE_MonitoringIntGaugeCell *TFE_MonitoringGetCellIntGauge2(TFE_MonitoringIntGauge2 *gauge,
                                                                          const char *label1, const char *label2);

/* String gauges. */

typedef struct TFE_MonitoringStringGaugeCell TFE_MonitoringStringGaugeCell;
typedef struct TFE_MonitoringStringGauge0 TFE_MonitoringStringGauge0;
typedef struct TFE_MonitoringStringGauge1 TFE_MonitoringStringGauge1;
typedef struct TFE_MonitoringStringGauge2 TFE_MonitoringStringGauge2;
typedef struct TFE_MonitoringStringGauge3 TFE_MonitoringStringGauge3;
typedef struct TFE_MonitoringStringGauge4 TFE_MonitoringStringGauge4;

TF_CAPI_EXPORT void TFE_MonitoringStringGaugeCellSet(TFE_MonitoringStringGaugeCell *cell, const char *value);
/* Writes the text, without a NUL. */
TF_CAPI_EXPORT void TFE_MonitoringStringGaugeCellValue(TFE_MonitoringStringGaugeCell *cell, TF_Buffer *buffer);
TF_CAPI_EXPORT TFE_MonitoringStringGauge0 *TFE_MonitoringNewStringGauge0(const char *name, TF_Status *status,
                                                                         const char *description);
TF_CAPI_EXPORT void TFE_MonitoringDeleteStringGauge0(TFE_MonitoringStringGauge0 *gauge);
TF_CAPI_EXPORT TFE_MonitoringStringGaugeCell *TFE_MonitoringGetCellStringGauge0(TFE_MonitoringStringGauge0 *gauge);
TF_CAPI_EXPORT TFE_MonitoringStringGauge1 *TFE_MonitoringNewStringGauge1(const char *name, TF_Status *status,
                                                                         const char *description, const char *label1);
TF_CAPI_EXPORT void TFE_MonitoringDeleteStringGauge1(TFE_MonitoringStringGauge1 *gauge);
TF_CAPI_EXPORT TFE_MonitoringStringGaugeCell *TFE_MonitoringGetCellStringGauge1(TFE_MonitoringStringGauge1 *gauge,
                                                                                const char *label1);
TF_CAPI_EXPORT TFE_MonitoringStringGauge2 *TFE_MonitoringNewStringGauge2(const char *name, TF_Status *status,
                                                                         const char *description, const char *label1,
                                                                         const char *label2);
TF_CAPI_EXPORT void TFE_MonitoringDeleteStringGauge2(TFE_MonitoringStringGauge2 *gauge);
TF_CAPI_EXPORT TFE_MonitoringStringGaugeCell *TFE_MonitoringGetCellStringGauge2(TFE_MonitoringStringGauge2 *gauge,
                                                                                const char *label1, const char *label2);
TF_CAPI_EXPORT TFE_MonitoringStringGauge3 *TFE_MonitoringNewStringGauge3(const char *name, TF_Status *status,
                                                                         const char *description, const char *label1,
                                                                         const char *label2, const char *label3);
TF_CAPI_EXPORT void TFE_MonitoringDeleteStringGauge3(TFE_MonitoringStringGauge3 *gauge);
TF_CAPI_EXPORT TFE_MonitoringStringGaugeCell *TFE_MonitoringGetCellStringGauge3(TFE_MonitoringStringGauge3 *gauge,
                                                                                const char *label1, const char *label2,
                                                                                const char *label3);
TF_CAPI_EXPORT TFE_MonitoringStringGauge4 *TFE_MonitoringNewStringGauge4(const char *name, TF_Status *status,
                                                                         const char *description, const char *label1,
                                                                         const char *label2, const char *label3,
                                                                         const char *label4);
TF_CAPI_EXPORT void TFE_MonitoringDeleteStringGauge4(TFE_MonitoringStringGauge4 *gauge);
TF_CAPI_EXPORT TFE_MonitoringStringGaugeCell *TFE_MonitoringGetCellStringGauge4(TFE_MonitoringStringGauge4 *gauge,
                                                                                const char *label1, const char *label2,
                                                                                const char *label3, const char *label4);

/* Bool gauges. */

typedef struct TFE_MonitoringBoolGaugeCell TFE_MonitoringBoolGaugeCell;
typedef struct TFE_MonitoringBoolGauge0 TFE_MonitoringBoolGauge0;
typedef struct TFE_MonitoringBoolGauge1 TFE_MonitoringBoolGauge1;
typedef struct TFE_MonitoringBoolGauge2 TFE_MonitoringBoolGauge2;

TF_CAPI_EXPORT void TFE_MonitoringBoolGaugeCellSet(TFE_MonitoringBoolGaugeCell *cell, bool value);
TF_CAPI_EXPORT bool TFE_MonitoringBoolGaugeCellValue(TFE_MonitoringBoolGaugeCell *cell);
TF_CAPI_EXPORT TFE_MonitoringBoolGauge0 *TFE_MonitoringNewBoolGauge0(const char *name, TF_Status *status,
                                                                     const char *description);
TF_CAPI_EXPORT void TFE_MonitoringDeleteBoolGauge0(TFE_MonitoringBoolGauge0 *gauge);
TF_CAPI_EXPORT TFE_MonitoringBoolGaugeCell *TFE_MonitoringGetCellBoolGauge0(TFE_MonitoringBoolGauge0 *gauge);
TF_CAPI_EXPORT TFE_MonitoringBoolGauge1 *TFE_MonitoringNewBoolGauge1(const char *name, TF_Status *status,
                                                                     const char *description, const char *label1);
TF_CAPI_EXPORT void TFE_MonitoringDeleteBoolGauge1(TFE_MonitoringBoolGauge1 *gauge);
TF_CAPI_EXPORT TFE_MonitoringBoolGaugeCell *TFE_MonitoringGetCellBoolGauge1(TFE_MonitoringBoolGauge1 *gauge,
                                                                            const char *label1);
TF_CAPI_EXPORT TFE_MonitoringBoolGauge2 *TFE_MonitoringNewBoolGauge2(const char *name, TF_Status *status,
                                                                     const char *description, const char *label1,
                                                                     const char *label2);
TF_CAPI_EXPORT void TFE_MonitoringDeleteBoolGauge2(TFE_MonitoringBoolGauge2 *gauge);
TF_CAPI_EXPORT TFE_MonitoringBoolGaugeCell *TFE_MonitoringGetCellBoolGauge2(TFE_MonitoringBoolGauge2 *gauge,
                                                                            const char *label1, const char *label2);

/* Samplers count values by bucket. A sampler copies its buckets. */

typedef struct TFE_MonitoringBuckets TFE_MonitoringBuckets;

/* Upper limits scale, scale * growth_factor, scale * growth_factor^2 ...; `bucket_count` of them. */
TF_CAPI_EXPORT TFE_MonitoringBuckets *TFE_MonitoringNewExponentialBuckets(double scale, double growth_factor,
                                                                          int bucket_count);
TF_CAPI_EXPORT void TFE_MonitoringDeleteBuckets(TFE_MonitoringBuckets *buckets);

typedef struct TFE_MonitoringSamplerCell TFE_MonitoringSamplerCell;
typedef struct TFE_MonitoringSampler0 TFE_MonitoringSampler0;
typedef struct TFE_MonitoringSampler1 TFE_MonitoringSampler1;
typedef struct TFE_MonitoringSampler2 TFE_MonitoringSampler2;

TF_CAPI_EXPORT void TFE_MonitoringSamplerCellAdd(TFE_MonitoringSamplerCell *cell, double value);
/* Writes a HistogramProto. */
TF_CAPI_EXPORT void TFE_MonitoringSamplerCellValue(TFE_MonitoringSamplerCell *cell, TF_Buffer *buffer);
TF_CAPI_EXPORT TFE_MonitoringSampler0 *TFE_MonitoringNewSampler0(const char *name, TFE_MonitoringBuckets *buckets,
                                                                 TF_Status *status, const char *description);
TF_CAPI_EXPORT void TFE_MonitoringDeleteSampler0(TFE_MonitoringSampler0 *sampler);
TF_CAPI_EXPORT TFE_MonitoringSamplerCell *TFE_MonitoringGetCellSampler0(TFE_MonitoringSampler0 *sampler);
TF_CAPI_EXPORT TFE_MonitoringSampler1 *TFE_MonitoringNewSampler1(const char *name, TFE_MonitoringBuckets *buckets,
                                                                 TF_Status *status, const char *description,
                                                                 const char *label1);
TF_CAPI_EXPORT void TFE_MonitoringDeleteSampler1(TFE_MonitoringSampler1 *sampler);
TF_CAPI_EXPORT TFE_MonitoringSamplerCell *TFE_MonitoringGetCellSampler1(TFE_MonitoringSampler1 *sampler,
                                                                        const char *label1);
TF_CAPI_EXPORT TFE_MonitoringSampler2 *TFE_MonitoringNewSampler2(const char *name, TFE_MonitoringBuckets *buckets,
                                                                 TF_Status *status, const char *description,
                                                                 const char *label1, const char *label2);
TF_CAPI_EXPORT void TFE_MonitoringDeleteSampler2(TFE_MonitoringSampler2 *sampler);
TF_CAPI_EXPORT TFE_MonitoringSamplerCell *TFE_MonitoringGetCellSampler2(TFE_MonitoringSampler2 *sampler,
                                                                        const char *label1, const char *label2);

#ifdef __cplusplus
}
#endif

#endif
