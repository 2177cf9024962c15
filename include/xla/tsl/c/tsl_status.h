/* Status codes and the status object under its other name; tensorflow/c/tf_status.h gives the usual one. TSL_ and TF_
 * functions are the same functions twice. Threads: a status has one owner. */
#ifndef XLA_TSL_C_TSL_STATUS_H_
#define XLA_TSL_C_TSL_STATUS_H_

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TSL_Status TSL_Status;

/* The canonical codes, as in error_codes.proto and gRPC. */
typedef enum TSL_Code {
    TSL_OK = 0,
    TSL_CANCELLED = 1,
    TSL_UNKNOWN = 2,
    TSL_INVALID_ARGUMENT = 3,
    TSL_DEADLINE_EXCEEDED = 4,
    TSL_NOT_FOUND = 5,
    TSL_ALREADY_EXISTS = 6,
    TSL_PERMISSION_DENIED = 7,
    TSL_UNAUTHENTICATED = 16,
    TSL_RESOURCE_EXHAUSTED = 8,
    TSL_FAILED_PRECONDITION = 9,
    TSL_ABORTED = 10,
    TSL_OUT_OF_RANGE = 11,
    TSL_UNIMPLEMENTED = 12,
    TSL_INTERNAL = 13,
    TSL_UNAVAILABLE = 14,
    TSL_DATA_LOSS = 15,
} TSL_Code;

/* Receives one payload; the strings are borrowed for the call. `capture` is what the caller passed along. */
typedef void (*TSL_PayloadVisitor)(const char *key, const char *value, void *capture);

/* Each does what the TF_ function of the same name does. */
TF_CAPI_EXPORT TSL_Status *TSL_NewStatus(void);
TF_CAPI_EXPORT void TSL_DeleteStatus(TSL_Status *status);
TF_CAPI_EXPORT void TSL_SetStatus(TSL_Status *status, TSL_Code code, const char *message);
TF_CAPI_EXPORT void TSL_SetPayload(TSL_Status *status, const char *key, const char *value);
TF_CAPI_EXPORT void TSL_ForEachPayload(const TSL_Status *status, TSL_PayloadVisitor visitor, void *capture);
TF_CAPI_EXPORT void TSL_SetStatusFromIOError(TSL_Status *status, int error_code, const char *context);
TF_CAPI_EXPORT TSL_Code TSL_GetCode(const TSL_Status *status);
TF_CAPI_EXPORT const char *TSL_Message(const TSL_Status *status);

#ifdef __cplusplus
}
#endif

#endif
