/* TF_SessionOptions: target and ConfigProto. Also the switches for XLA, which there is none of here: they are kept and
 * read back, and change no result. */
#include <string.h>

#include "backends/cpu/product/fpmath.h"
#include "base/alloc.h"
#include "base/memory_limit.h"
#include "capi/handles.h"
#include "proto/wire.h"
#include "root/root.h"
#include "sluice/devices.h"
#include "sluice/limits.h"
#include "sluice/precision.h"
#include "tensorflow/c/c_api_experimental.h"

TF_SessionOptions *TF_NewSessionOptions(void) {
    TF_SessionOptions *options = sl_calloc(1, sizeof *options);
    if (options) sl_arena_init(&options->arena);
    return options;
}

void TF_DeleteSessionOptions(TF_SessionOptions *options) {
    if (!options) return;
    sl_arena_clear(&options->arena);
    sl_free(options->bytes);
    sl_free(options->target);
    sl_free(options);
}

static char *copy_bytes(const void *p, size_t n) {
    char *copy = sl_malloc(n + 1);
    if (!copy) return NULL;
    if (n) memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

void TF_SetTarget(TF_SessionOptions *options, const char *target) {
    char *copy = target ? copy_bytes(target, strlen(target)) : NULL;
    if (target && !copy) return;
    sl_free(options->target);
    options->target = copy;
}

static void drop_config(TF_SessionOptions *options) {
    sl_arena_clear(&options->arena);
    sl_free(options->bytes);
    options->bytes = NULL;
    options->config = NULL;
}

static sl_code set_config(TF_SessionOptions *options, const void *proto, size_t proto_len, struct sl_error *err) {
    drop_config(options);
    options->bytes = copy_bytes(proto, proto ? proto_len : 0);
    struct sl_pb_ConfigProto *config = SL_ARENA_NEW(&options->arena, struct sl_pb_ConfigProto);
    if (!options->bytes || !config) return sl_fail_memory(err, proto_len);
    struct sl_str bytes = {options->bytes, proto ? proto_len : 0};
    if (sl_pb_decode(config, SL_PB_TYPE(ConfigProto), bytes, &options->arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable ConfigProto");
    options->config = config;
    return SL_OK;
}

void TF_SetConfig(TF_SessionOptions *options, const void *proto, size_t proto_len, TF_Status *status) {
    struct sl_error err;
    sl_code code = set_config(options, proto, proto_len, &err);
    if (code != SL_OK) drop_config(options);
    sl_status_take(status, code, &err);
}

/* The jit level within options->config, every message on the way there; NULL when memory is out. */
static struct sl_pb_OptimizerOptions *optimizer_options(TF_SessionOptions *options) {
    struct sl_arena *arena = &options->arena;
    if (!options->config) options->config = SL_ARENA_NEW(arena, struct sl_pb_ConfigProto);
    struct sl_pb_ConfigProto *config = options->config;
    if (config && !config->graph_options) config->graph_options = SL_ARENA_NEW(arena, struct sl_pb_GraphOptions);
    struct sl_pb_GraphOptions *graph = config ? config->graph_options : NULL;
    if (graph && !graph->optimizer_options)
        graph->optimizer_options = SL_ARENA_NEW(arena, struct sl_pb_OptimizerOptions);
    return graph ? graph->optimizer_options : NULL;
}

void TF_EnableXLACompilation(TF_SessionOptions *options, unsigned char enable) {
    struct sl_pb_OptimizerOptions *optimizer = optimizer_options(options);
    if (optimizer)
        optimizer->global_jit_level =
            enable ? SL_PB_OptimizerOptions_GlobalJitLevel_ON_1 : SL_PB_OptimizerOptions_GlobalJitLevel_OFF;
}

unsigned char TF_SetXlaEnableLazyCompilation(unsigned char enable) {
    return atomic_exchange(&sl_root_switches()->lazy_compilation, enable);
}
unsigned char TF_SetTfXlaCpuGlobalJit(unsigned char enable) {
    return atomic_exchange(&sl_root_switches()->cpu_global_jit, enable);
}
void TF_SetXlaAutoJitMode(const char *mode) {
    bool off = !mode || !*mode || strcmp(mode, "0") == 0 || strcmp(mode, "-1") == 0;
    atomic_store(&sl_root_switches()->auto_jit, !off);
}
unsigned char TF_GetXlaAutoJitEnabled(void) { return atomic_load(&sl_root_switches()->auto_jit); }
void TF_SetXlaMinClusterSize(int size) { atomic_store(&sl_root_switches()->min_cluster_size, size); }
unsigned char TF_GetXlaConstantFoldingDisabled(void) {
    return atomic_load(&sl_root_switches()->constant_folding_disabled);
}
void TF_SetXlaConstantFoldingDisabled(unsigned char should_enable) {
    atomic_store(&sl_root_switches()->constant_folding_disabled, should_enable);
}

/* An entry of the map device_count, behind what the configuration says already: the last one of a key counts. */
static sl_code append_cpus(TF_SessionOptions *options, int n, struct sl_error *err) {
    if (n < 1 || n > 1024) return sl_fail(err, SL_INVALID_ARGUMENT, "a session has 1 to 1024 CPU devices, not %d", n);
    if (!options->config) options->config = SL_ARENA_NEW(&options->arena, struct sl_pb_ConfigProto);
    struct sl_pb_ConfigProto *config = options->config;
    if (!config) return sl_fail_memory(err, sizeof *config);
    size_t before = config->device_count.n;
    __typeof__(config->device_count.items) items =
        sl_arena_array(&options->arena, (size_t)before + 1, sizeof *config->device_count.items);
    if (!items) return sl_fail_memory(err, (before + 1) * sizeof *items);
    if (before) memcpy(items, config->device_count.items, before * sizeof *items);
    items[before].key = SL_STR(SL_HOST_DEVICE);
    items[before].value = n;
    config->device_count.items = items;
    config->device_count.n++;
    return SL_OK;
}

SL_API void sl_options_set_cpus(TF_SessionOptions *options, int n, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, append_cpus(options, n, &err), &err);
}

SL_API void sl_options_set_step_memory(TF_SessionOptions *options, size_t bytes) { options->step_memory = bytes; }

SL_API void sl_set_memory_limit(size_t bytes) { sl_memory_set_limit(bytes); }
SL_API size_t sl_memory_in_use(void) { return sl_memory_held(); }

SL_API void sl_set_bf16_products(bool allowed) { sl_fpmath_choose_bf16(allowed); }
SL_API bool sl_bf16_products_allowed(void) { return sl_fpmath_is_bf16(); }

SL_API void sl_options_place_by_cost(TF_SessionOptions *options, bool by_cost) { options->places_by_cost = by_cost; }
