/* Options and devices from a ConfigProto. */
#include "runtime/runtime_config.h"

#include <string.h>

#include "base/env.h"
#include "kernel/numerics.h"
#include "passes/optimise/optimise.h"

void sl_runtime_read_options(struct sl_runtime_options *out, const struct sl_pb_ConfigProto *config) {
    const char *engine = sl_env_text(SL_ENV_EXEC), *place = sl_env_text(SL_ENV_PLACE);
    const char *watch = sl_env_text(SL_ENV_WATCH_NAN);
    *out =
        (struct sl_runtime_options){.engine = engine && !strcmp(engine, "frames") ? SL_ENGINE_TOKENS : SL_ENGINE_AUTO,
                                    .optimise_toggles = sl_optimise_toggles(config),
                                    .trace = sl_env_text(SL_ENV_TRACE),
                                    .watch = !watch                  ? 0
                                             : !strcmp(watch, "nan") ? SL_WATCHES_NAN
                                                                     : SL_WATCHES_NAN | SL_WATCHES_INFINITY,
                                    .step_memory_text = sl_env_text(SL_ENV_STEP_MEMORY),
                                    .trace_every = sl_env_number(SL_ENV_TRACE_EVERY, 0),
                                    .places_by_cost = place && !strcmp(place, "cost")};
    if (!config) return;
    out->n_threads = config->intra_op_parallelism_threads > 0 ? config->intra_op_parallelism_threads : 0;
    out->is_soft_placement = config->allow_soft_placement;
    out->logs_placement = config->log_device_placement;
    out->keep_functional = config->experimental && config->experimental->disable_functional_ops_lowering;
}

static int wanted_devices(const struct sl_device_type *type, const struct sl_pb_ConfigProto *config) {
    int n = type->count(type);
    for (size_t i = 0; config && i < config->device_count.n; i++)
        if (sl_str_is(config->device_count.items[i].key, type->name)) n = config->device_count.items[i].value;
    return n;
}

sl_code sl_runtime_local_devices(struct sl_device_set *out, const struct sl_registries *registries,
                                 const struct sl_pb_ConfigProto *config, struct sl_error *err) {
    struct sl_device_request requests[SL_DEVICE_TYPES_MAX];
    int n = atomic_load(&registries->n_device_types);
    for (int t = 0; t < n; t++) {
        const struct sl_device_type *type = registries->device_types[t];
        requests[t] = (struct sl_device_request){type, wanted_devices(type, config)};
    }
    return sl_device_set_open(out, SL_STR("/job:localhost/replica:0/task:0"), requests, n, 1, err);
}
