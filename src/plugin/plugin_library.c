/* TF_LoadLibrary: a shared library that registers ops and kernels through ops.h and kernels.h, in constructors or in
 * TF_InitKernel. TF_LoadPluggableDeviceLibrary: the same, a graph optimiser in TF_InitGraph, a kind of device in
 * SE_InitPlugin, and a profiler in TF_InitProfiler. A library stays loaded;
 * loading it again gives another handle to the same. */
#include "base/alloc.h"
#include "capi/handles.h"
#include "os/library.h"
#include "plugin/plugin_device.h"
#include "plugin/plugin_optimiser.h"
#include "plugin/plugin_profiler.h"
#include "proto/wire.h"
#include "root/root.h"
#include "tensorflow/c/c_api_experimental.h"

struct TF_Library {
    struct sl_plugin_library *loaded;
};

/* The ops that are registered from `first` on. */
static sl_code encode_new_ops(struct sl_str *out, const struct sl_registries *registries, size_t first,
                              struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_OpList list = {0};
    size_t n = sl_op_count(registries->ops);
    sl_arena_init(&arena);
    list.op.items = SL_ARENA_ARRAY(&arena, struct sl_pb_OpDef, n - first);
    sl_code code = list.op.items ? SL_OK : sl_fail_memory(err, (n - first) * sizeof *list.op.items);
    for (size_t i = first; i < n && code == SL_OK; i++) {
        const struct sl_op *op;
        code = sl_op_at(&op, registries->ops, i, err);
        if (code == SL_OK) list.op.items[list.op.n++] = *op->def;
    }
    if (code == SL_OK) code = sl_pb_encode(out, SL_PB_TYPE(OpList), &list, 0, NULL, err);
    sl_arena_clear(&arena);
    return code;
}

static struct sl_plugin_library *find_loaded(struct sl_plugin_library *list, const void *handle) {
    while (list && list->handle != handle) list = list->next;
    return list;
}

struct request {
    const char *path;
    bool is_device_plugin; /* what it has beside ops and kernels counts, too */
    TF_Library *handle;
};

static bool has_function(void **function, const struct sl_library *library, const char *name) {
    return sl_library_symbol(function, library, name, NULL) == SL_OK;
}

/* What a device plug-in may have beside kernels. */
static sl_code initialise_device(const struct sl_library *library, const char *path, struct sl_error *err) {
    void *symbol;
    if (has_function(&symbol, library, "TFNPD_InitPlugin"))
        return sl_fail(err, SL_UNIMPLEMENTED, "%s has TFNPD_InitPlugin: devices that are clients of XLA are not there",
                       path);
    if (has_function(&symbol, library, "TF_InitGraph")) SL_TRY(sl_plugin_init_graph(symbol, err));
    if (has_function(&symbol, library, "TF_InitProfiler")) SL_TRY(sl_plugin_init_profiler(symbol, err));
    if (has_function(&symbol, library, "SE_InitPlugin")) SL_TRY(sl_plugin_init_device(symbol, err));
    return SL_OK;
}

static sl_code initialise(const struct sl_library *library, const struct request *request, struct sl_error *err) {
    void *symbol;
    if (request->is_device_plugin) SL_TRY(initialise_device(library, request->path, err));
    if (has_function(&symbol, library, "TF_InitKernel")) {
        void (*init)(void);
        *(void **)(&init) = symbol;
        init();
    }
    return SL_OK;
}

/* The list is locked: what is registered meanwhile is this library's, or of a program that registers ops at once. */
static sl_code load(struct sl_plugin_library **list, void *arg, struct sl_error *err) {
    struct request *request = arg;
    const struct sl_registries *registries;
    struct sl_library library;
    SL_TRY(sl_root_registries(&registries, err));
    size_t first = sl_op_count(registries->ops);
    SL_TRY(sl_library_open(&library, request->path, err));
    request->handle->loaded = find_loaded(*list, library.handle);
    if (request->handle->loaded) return SL_OK;
    struct sl_plugin_library *fresh = sl_calloc(1, sizeof *fresh);
    if (!fresh) return sl_fail_memory(err, sizeof *fresh);
    fresh->handle = library.handle;
    sl_code code = initialise(&library, request, err);
    if (code == SL_OK) code = encode_new_ops(&fresh->op_list, registries, first, err);
    if (code != SL_OK) { /* ops and kernels that it has registered refer to its code: it stays loaded */
        sl_free(fresh);
        return code;
    }
    fresh->next = *list;
    *list = request->handle->loaded = fresh;
    return SL_OK;
}

static TF_Library *load_library(const char *path, bool is_device_plugin, TF_Status *status) {
    struct sl_error err;
    struct request request = {path, is_device_plugin, sl_calloc(1, sizeof(TF_Library))};
    if (!request.handle) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    if (sl_status_take(status, sl_root_load(load, &request, &err), &err)) return request.handle;
    sl_free(request.handle);
    return NULL;
}

TF_Library *TF_LoadLibrary(const char *library_filename, TF_Status *status) {
    return load_library(library_filename, false, status);
}

TF_Library *TF_LoadPluggableDeviceLibrary(const char *library_filename, TF_Status *status) {
    return load_library(library_filename, true, status);
}

TF_Buffer TF_GetOpList(TF_Library *library) {
    struct sl_str list = library->loaded->op_list;
    return (TF_Buffer){list.p, list.n, NULL};
}

void TF_DeleteLibraryHandle(TF_Library *library) { sl_free(library); }

void TF_DeletePluggableDeviceLibraryHandle(TF_Library *library) { sl_free(library); }
