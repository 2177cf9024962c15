/* What a ConfigProto and the environment variables ask of a runtime. `config` may be NULL: nothing. */
#ifndef SL_RUNTIME_RUNTIME_CONFIG_H
#define SL_RUNTIME_RUNTIME_CONFIG_H

#include "runtime/runtime.h"

/* SLUICE_EXEC, SLUICE_PLACE, SLUICE_STEP_MEMORY and SLUICE_TRACE are read as well. */
void sl_runtime_read_options(struct sl_runtime_options *out, const struct sl_pb_ConfigProto *config);
/* The devices of a process that is in no cluster: "/job:localhost/replica:0/task:0", with as many of each type as
 * device_count says, or as the type has. The caller's. INVALID_ARGUMENT for a number that is not possible. */
sl_code sl_runtime_local_devices(struct sl_device_set *out, const struct sl_registries *registries,
                                 const struct sl_pb_ConfigProto *config, struct sl_error *err);

#endif
