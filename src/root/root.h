/* The composition root: the list of ops, kernels, backends and targets of sessions, and the state of the process that
 * belongs to no session. Made when first needed; never freed, because sessions may outlive every handle that led to it.
 * Threads: thread-safe. */
#ifndef SL_ROOT_ROOT_H
#define SL_ROOT_ROOT_H

#include "base/error.h"
#include "session/session.h"

/* Adds a backend after those that the library is built with: the rows and the device of a plug-in or of a test.
 * `backend` is borrowed for ever. FAILED_PRECONDITION once the registries are made. */
sl_code sl_root_add_backend(const struct sl_backend *backend, struct sl_error *err);

/* Adds a device type at any time; runtimes that are made afterwards have its devices. `type` is borrowed for ever.
 * ALREADY_EXISTS for a name that is there. */
sl_code sl_root_add_device_type(const struct sl_device_type *type, struct sl_error *err);

/* Ops, kernels and device types: the same for the whole process. */
sl_code sl_root_registries(const struct sl_registries **out, struct sl_error *err);
/* Evaluates constants for the graphs of the process. Only after sl_root_registries. */
const struct sl_evaluator *sl_root_evaluator(void);
/* The targets of sessions, up to the one without a factory. */
const struct sl_target *sl_root_targets(void);

/* ---- log: lines go to stderr and to every listener */
enum sl_log_level { SL_LOG_INFO, SL_LOG_WARNING, SL_LOG_ERROR, SL_LOG_FATAL };
sl_code sl_root_add_listener(void (*listener)(const char *line), struct sl_error *err);
/* Levels below TF_CPP_MIN_LOG_LEVEL are not written to stderr; listeners get them all. */
void sl_root_log(enum sl_log_level level, const char *format, ...) SL_PRINTF(2, 3);
void sl_root_log_v(enum sl_log_level level, const char *format, va_list args) SL_PRINTF(2, 0);

/* A NUL-terminated copy that lives for ever, one for all equal texts; NULL when memory is out. For the few results
 * of the C API that are static strings. */
const char *sl_root_keep(struct sl_str text);

/* ---- libraries of ops (plugin/plugin_library.c): each loaded file once, kept for ever */
struct sl_plugin_library {
    struct sl_plugin_library *next;
    void *handle;          /* the loader's; equal for equal files */
    struct sl_str op_list; /* encoded OpList of what it registered */
};
/* Runs `load` with the list locked, so that one library at a time registers; `load` reads and extends `*list`. */
sl_code sl_root_load(sl_code (*load)(struct sl_plugin_library **list, void *arg, struct sl_error *err), void *arg,
                     struct sl_error *err);

/* ---- switches of TF_SetXla...: kept for those who read them back, without further effect */
struct sl_switches {
    _Atomic unsigned char lazy_compilation, cpu_global_jit, auto_jit, constant_folding_disabled;
    _Atomic int min_cluster_size;
};
struct sl_switches *sl_root_switches(void);

#endif
