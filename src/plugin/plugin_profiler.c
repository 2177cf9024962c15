/* TF_InitProfiler. With SLUICE_TRACE=file.json a profiler starts at once, and what it has collected is written when the
 * process ends, as "file.json.TYPE.xspace.pb". */
#include "plugin/plugin_profiler.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/env.h"
#include "capi/handles.h"
#include "os/file.h"
#include "plugin/plugin_device.h"
#include "root/root.h"
#include "tensorflow/c/experimental/pluggable_profiler/pluggable_profiler.h"

struct plugin_profiler {
    struct plugin_profiler *next;
    void *init;
    TP_Profiler profiler;
    TP_ProfilerFns fns;
    bool is_running;
};
static struct plugin_profiler *first_profiler;

/* ---- the end of the process */

static sl_code collect(const struct plugin_profiler *p, const char *path, struct sl_error *err) {
    TF_Status status = {.code = SL_OK};
    size_t n = 0;
    p->fns.stop(&p->profiler, &status);
    SL_TRY(sl_plugin_said(&status, err));
    p->fns.collect_data_xspace(&p->profiler, NULL, &n, &status);
    SL_TRY(sl_plugin_said(&status, err));
    uint8_t *bytes = sl_malloc(n + 1);
    if (!bytes) return sl_fail_memory(err, n);
    p->fns.collect_data_xspace(&p->profiler, bytes, &n, &status);
    sl_code code = sl_plugin_said(&status, err);
    if (code == SL_OK) code = sl_file_write(path, bytes, n, err);
    sl_free(bytes);
    return code;
}

static void write_all(void) {
    char path[4096];
    struct sl_error err;
    for (const struct plugin_profiler *p = first_profiler; p; p = p->next) {
        if (!p->is_running) continue;
        snprintf(path, sizeof path, "%s.%s.xspace.pb", sl_env_text(SL_ENV_TRACE), p->profiler.device_type);
        if (collect(p, path, &err) != SL_OK)
            sl_root_log(SL_LOG_WARNING, "There is no profile of %s: %s", p->profiler.device_type, err.message);
    }
}

/* ---- registering */

static sl_code check(const TF_ProfilerRegistrationParams *params, const struct plugin_profiler *p,
                     struct sl_error *err) {
    const char *missing = NULL, *of = "TP_ProfilerFns";
    if (!p->profiler.struct_size || !p->fns.struct_size)
        return sl_fail(err, SL_FAILED_PRECONDITION, "TF_InitProfiler: a struct_size field is not set");
    if (!p->fns.start) missing = "start";
    else if (!p->fns.stop) missing = "stop";
    else if (!p->fns.collect_data_xspace) missing = "collect_data_xspace";
    if (!p->profiler.device_type) missing = "device_type", of = "TP_Profiler";
    if (!params->destroy_profiler) missing = "destroy_profiler", of = "TF_ProfilerRegistrationParams";
    else if (!params->destroy_profiler_fns) missing = "destroy_profiler_fns", of = "TF_ProfilerRegistrationParams";
    if (!missing) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "'%s' field in %s must be set.", missing, of);
}

static sl_code start(struct plugin_profiler *p, struct sl_error *err) {
    static bool writes_at_end;
    TF_Status status = {.code = SL_OK};
    if (!sl_env_text(SL_ENV_TRACE)) return SL_OK;
    p->fns.start(&p->profiler, &status);
    SL_TRY(sl_plugin_said(&status, err));
    p->is_running = true;
    if (!writes_at_end) writes_at_end = atexit(write_all) == 0;
    return SL_OK;
}

static sl_code describe(struct plugin_profiler *p, struct sl_error *err) {
    TF_ProfilerRegistrationParams params = {.struct_size = TF_PROFILER_REGISTRATION_PARAMS_STRUCT_SIZE,
                                            .major_version = TP_MAJOR,
                                            .minor_version = TP_MINOR,
                                            .patch_version = TP_PATCH,
                                            .profiler = &p->profiler,
                                            .profiler_fns = &p->fns};
    void (*init)(TF_ProfilerRegistrationParams * params, TF_Status * status);
    TF_Status status = {.code = SL_OK};
    p->profiler.struct_size = TP_PROFILER_STRUCT_SIZE;
    p->fns.struct_size = TP_PROFILER_FNS_STRUCT_SIZE;
    *(void **)(&init) = p->init;
    init(&params, &status);
    SL_TRY(sl_plugin_said(&status, err));
    sl_code code = check(&params, p, err);
    if (code == SL_OK) code = start(p, err);
    if (code == SL_OK) return SL_OK;
    if (params.destroy_profiler) params.destroy_profiler(&p->profiler);
    if (params.destroy_profiler_fns) params.destroy_profiler_fns(&p->fns);
    return code;
}

sl_code sl_plugin_init_profiler(void *function, struct sl_error *err) {
    struct plugin_profiler *p = first_profiler;
    while (p && p->init != function) p = p->next;
    if (p) return SL_OK;
    p = sl_calloc(1, sizeof *p);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->init = function;
    sl_code code = describe(p, err);
    if (code == SL_OK) {
        p->next = first_profiler;
        first_profiler = p;
    } else {
        sl_free(p);
    }
    return code;
}
