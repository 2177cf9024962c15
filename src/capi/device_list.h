/* TF_DeviceList for whoever has a session, or devices. */
#ifndef SL_CAPI_DEVICE_LIST_H
#define SL_CAPI_DEVICE_LIST_H

#include "device/device.h"
#include "session/session.h"
#include "tensorflow/c/c_api.h"

/* A new list, the caller's: TF_DeleteDeviceList. */
sl_code sl_device_list_new(TF_DeviceList **out, const struct sl_session *session, struct sl_error *err);
sl_code sl_device_list_of_set(TF_DeviceList **out, const struct sl_device_set *set, struct sl_error *err);

#endif
