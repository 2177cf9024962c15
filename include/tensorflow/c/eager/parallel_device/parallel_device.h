/* A custom device that stands for several devices of a context, without a promise of stability.
 *
 *     AllocateParallelDevice(name, devices, n, &device, &info);
 *     TFE_RegisterCustomDevice(context, device, name, info, status);
 *
 * A tensor there has a component on each of the devices. TPUReplicatedInput with n plain inputs makes one,
 * TPUReplicatedOutput takes it apart; any other op that is placed there runs once on each device, on a thread for each,
 * with the components of its inputs. Nothing is copied onto the device or off it by itself, but off one of a single
 * device. In C++ the name is in namespace tensorflow::parallel_device. */
#ifndef TENSORFLOW_C_EAGER_PARALLEL_DEVICE_PARALLEL_DEVICE_H_
#define TENSORFLOW_C_EAGER_PARALLEL_DEVICE_PARALLEL_DEVICE_H_

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/eager/c_api_experimental.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in `device`; `*device_info` is NULL when memory is out. The context to which they are registered frees both;
 * names are copied. */
TF_CAPI_EXPORT void sl_parallel_device_allocate(const char *device_name, const char *const *underlying_devices,
                                                int num_underlying_devices, TFE_CustomDevice *device,
                                                void **device_info);

#ifdef __cplusplus
}
namespace tensorflow {
namespace parallel_device {
#endif

static inline void AllocateParallelDevice(const char *device_name, const char *const *underlying_devices,
                                          int num_underlying_devices, TFE_CustomDevice *device, void **device_info) {
    sl_parallel_device_allocate(device_name, underlying_devices, num_underlying_devices, device, device_info);
}

#ifdef __cplusplus
}
}
#endif

#endif
