/* The coordination service, as kernels of plug-ins ask for it. No process here takes part in one, so there is no agent
 * to be had, and whoever asks without one hears why. */
#include "capi/handles.h"
#include "tensorflow/c/kernels_experimental.h"

/* They have no public header: as in exports.def. */
TF_CAPI_EXPORT TF_CoordinationServiceAgent *TF_GetCoordinationServiceAgent(TF_OpKernelContext *context);
TF_CAPI_EXPORT bool TF_CoordinationServiceIsInitialized(TF_CoordinationServiceAgent *agent);
TF_CAPI_EXPORT void TF_CoordinationServiceInsertKeyValue(const char *key, int64_t key_size, const char *value,
                                                         int64_t value_size, TF_CoordinationServiceAgent *agent,
                                                         TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *TF_CoordinationServiceGetKeyValue(const char *key, int64_t key_size,
                                                            TF_CoordinationServiceAgent *agent, TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *TF_CoordinationServiceGetKeyValueWithTimeout(const char *key, int64_t key_size,
                                                                       int64_t timeout_seconds,
                                                                       TF_CoordinationServiceAgent *agent,
                                                                       TF_Status *status);
TF_CAPI_EXPORT TF_Buffer *TF_CoordinationServiceTryGetKeyValue(const char *key, int64_t key_size,
                                                               TF_CoordinationServiceAgent *agent, TF_Status *status);
TF_CAPI_EXPORT void TF_CoordinationServiceDeleteKeyValue(const char *key, int64_t key_size,
                                                         TF_CoordinationServiceAgent *agent, TF_Status *status);

static void no_service(TF_Status *status) {
    sl_status_set(status, SL_FAILED_PRECONDITION, "Coordination service is not enabled.");
}

TF_CoordinationServiceAgent *TF_GetCoordinationServiceAgent(TF_OpKernelContext *context) {
    (void)context;
    return NULL;
}

bool TF_CoordinationServiceIsInitialized(TF_CoordinationServiceAgent *agent) {
    (void)agent;
    return false;
}

void TF_CoordinationServiceInsertKeyValue(const char *key, int64_t key_size, const char *value, int64_t value_size,
                                          TF_CoordinationServiceAgent *agent, TF_Status *status) {
    (void)key, (void)key_size, (void)value, (void)value_size, (void)agent;
    no_service(status);
}

TF_Buffer *TF_CoordinationServiceGetKeyValue(const char *key, int64_t key_size, TF_CoordinationServiceAgent *agent,
                                             TF_Status *status) {
    (void)key, (void)key_size, (void)agent;
    no_service(status);
    return NULL;
}

TF_Buffer *TF_CoordinationServiceGetKeyValueWithTimeout(const char *key, int64_t key_size, int64_t timeout_seconds,
                                                        TF_CoordinationServiceAgent *agent, TF_Status *status) {
    (void)timeout_seconds;
    return TF_CoordinationServiceGetKeyValue(key, key_size, agent, status);
}

TF_Buffer *TF_CoordinationServiceTryGetKeyValue(const char *key, int64_t key_size, TF_CoordinationServiceAgent *agent,
                                                TF_Status *status) {
    return TF_CoordinationServiceGetKeyValue(key, key_size, agent, status);
}

void TF_CoordinationServiceDeleteKeyValue(const char *key, int64_t key_size, TF_CoordinationServiceAgent *agent,
                                          TF_Status *status) {
    (void)key, (void)key_size, (void)agent;
    no_service(status);
}
