/* The table of callbacks through which a plug-in's kernel sends and receives tensors; TF_GetRendezvous in
 * tensorflow/c/kernels.h gives one. Pointers in the structs are borrowed for the call. Threads: callbacks may come from
 * any thread. */
#ifndef TENSORFLOW_CORE_COMMON_RUNTIME_NEXT_PLUGGABLE_DEVICE_C_TF_RENDEZVOUS_C_API_H_
#define TENSORFLOW_CORE_COMMON_RUNTIME_NEXT_PLUGGABLE_DEVICE_C_TF_RENDEZVOUS_C_API_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_DeviceContext TF_DeviceContext;

typedef struct TFDevice_AllocatorAttributes {
    uint32_t value;
    int32_t scope_id;
} TFDevice_AllocatorAttributes;

typedef struct TF_RendezvousArgsStruct {
    TF_DeviceContext *device_context;
    TFDevice_AllocatorAttributes alloc_attrs;
    struct TFE_CancellationManager *cancellation_manager; /* of eager/c_api_experimental.h */
} TF_RendezvousArgsStruct;

/* "source device;incarnation;destination device;tensor name;frame:iteration" */
typedef struct TF_RendezvousParsedKey {
    char *full_key;
    uint32_t full_key_size;
} TF_RendezvousParsedKey;

typedef struct TF_RendezvousSend_Params {
    const TF_RendezvousParsedKey *key;
    const TF_RendezvousArgsStruct *args;
    TF_Tensor *tensor;
    bool is_dead;
    TF_Status *status; /* out */
} TF_RendezvousSend_Params;

typedef void (*TF_RendezvousSend_Function)(void *rendezvous, TF_RendezvousSend_Params *params);

typedef struct TF_RendezvousDoneCallback_Params {
    void *context;
    const TF_Status *status;
    const TF_Tensor *tensor;
    bool is_dead;
} TF_RendezvousDoneCallback_Params;

typedef void (*TF_RendezvousDoneCallback_Function)(void *context, TF_RendezvousDoneCallback_Params *params);

typedef struct TF_RendezvousDoneCallbackImpl {
    void *context;
    TF_RendezvousDoneCallback_Function callback;
} TF_RendezvousDoneCallbackImpl;

typedef struct TF_RendezvousAsyncRecv_Params {
    void *context;
    const TF_RendezvousParsedKey *key;
    const TF_RendezvousArgsStruct *args;
    TF_RendezvousDoneCallbackImpl on_done; /* called once, with the tensor or an error */
} TF_RendezvousAsyncRecv_Params;

typedef void (*TF_RendezvousAsyncRecv_Function)(void *rendezvous, TF_RendezvousAsyncRecv_Params *params);
/* Fails all pending and future receives with the status. */
typedef void (*TF_RendezvousStartAbort_Function)(void *rendezvous, const TF_Status *status);

typedef struct TF_RendezvousThunk {
    void *rendezvous; /* first argument of the functions */
    TF_RendezvousSend_Function send_func;
    TF_RendezvousAsyncRecv_Function async_recv_func;
    TF_RendezvousStartAbort_Function start_abort_func;
} TF_RendezvousThunk;

#ifdef __cplusplus
}
#endif

#endif
