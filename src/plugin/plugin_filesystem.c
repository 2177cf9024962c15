/* TF_RegisterFilesystemPlugin: a library whose tables (filesystem_interface.h) become file systems of os/file_system.h.
 *
 * Each scheme is one `struct plugin_file_system`, whose functions translate the path, call the plug-in's and take over
 * the status. Where the plug-in has no function, `system` has none, so that src/os uses its substitutes or says what is
 * missing. Nothing that a plug-in returns is trusted: counts are compared with what was asked for. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "capi/handles.h"
#include "os/file_system.h"
#include "os/library.h"
#include "root/root.h"
#include "tensorflow/c/experimental/filesystem/filesystem_interface.h"

/* One scheme. The tables are copies, with NULL for what the plug-in's, which may be older, does not reach. */
struct plugin_file_system {
    struct sl_file_system system; /* first: the functions below get its address */
    TF_Filesystem filesystem;
    TF_FilesystemOps ops;
    TF_RandomAccessFileOps input;
    TF_WritableFileOps output;
    TF_ReadOnlyMemoryRegionOps region;
    void (*free)(void *p);
    char scheme[];
};

static const struct plugin_file_system *plugin_of(const struct sl_file_system *system) {
    return (const struct plugin_file_system *)(const void *)system;
}

/* ---- calls */

/* Takes repeated slashes, "." and ".." out of `path`, which starts with a slash or is empty, into `to`, which has room
 * for it and one byte more. */
static void clean_path(char *to, const char *path) {
    size_t n = 0;
    while (*path) {
        size_t slashes = strspn(path, "/"), length = strcspn(path + slashes, "/");
        const char *part = path + slashes;
        path = part + length;
        if (length == 0 || (length == 1 && part[0] == '.')) continue;
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            while (n > 0 && to[--n] != '/') continue;
            continue;
        }
        to[n++] = '/';
        memcpy(to + n, part, length);
        n += length;
    }
    if (n == 0) to[n++] = '/';
    to[n] = 0;
}

/* The plug-in's name of a path: `*name` is freed with `name_free`. */
static sl_code name_of(char **name, const struct plugin_file_system *p, const char *path, struct sl_error *err) {
    if (p->ops.translate_name) {
        *name = p->ops.translate_name(&p->filesystem, path);
        return *name ? SL_OK
                     : sl_fail(err, SL_INTERNAL, "The file system of '%s' translates '%s' to nothing", p->system.scheme,
                               path);
    }
    const char *within = sl_path_within(path);
    *name = sl_malloc(strlen(within) + 2);
    if (!*name) return sl_fail_memory(err, strlen(within) + 2);
    clean_path(*name, within);
    return SL_OK;
}

static void name_free(const struct plugin_file_system *p, char *name) {
    if (p->ops.translate_name) p->free(name);
    else sl_free(name);
}

struct call {
    const struct plugin_file_system *plugin;
    const char *path; /* as the caller has it */
    char *name;       /* as the plug-in has it */
    TF_Status *status;
};

static sl_code call_begin(struct call *call, const struct sl_file_system *system, const char *path,
                          struct sl_error *err) {
    *call = (struct call){plugin_of(system), path, NULL, TF_NewStatus()};
    sl_code code = call->status ? SL_OK : sl_fail_memory(err, sizeof *call->status);
    if (code == SL_OK && path) code = name_of(&call->name, call->plugin, path, err);
    if (code != SL_OK) TF_DeleteStatus(call->status);
    return code;
}

static sl_code call_end(struct call *call, struct sl_error *err) {
    sl_code code = sl_status_give(call->status, err);
    if (code != SL_OK && !*TF_Message(call->status))
        sl_fail(err, code, "The file system of '%s' fails without a reason (file: '%s')", call->plugin->system.scheme,
                call->path ? call->path : "");
    if (call->path) name_free(call->plugin, call->name);
    TF_DeleteStatus(call->status);
    return code;
}

/* ---- inputs */

/* An open file: the plug-in's struct, and the path for messages. */
struct input {
    TF_RandomAccessFile file;
    char path[];
};

static sl_code open_input(void **out, const struct sl_file_system *system, const char *path, struct sl_error *err) {
    struct call call;
    size_t n = strlen(path) + 1;
    struct input *input = sl_calloc(1, sizeof *input + n);
    if (!input) return sl_fail_memory(err, sizeof *input + n);
    memcpy(input->path, path, n);
    sl_code code = call_begin(&call, system, path, err);
    if (code == SL_OK) {
        call.plugin->ops.new_random_access_file(&call.plugin->filesystem, call.name, &input->file, call.status);
        code = call_end(&call, err);
    }
    if (code == SL_OK) *out = input;
    else sl_free(input);
    return code;
}

static sl_code read_input(size_t *got, const struct sl_file_system *system, void *from, uint64_t offset, void *data,
                          size_t size, struct sl_error *err) {
    struct call call;
    struct input *input = from;
    SL_TRY(call_begin(&call, system, NULL, err));
    int64_t n = call.plugin->input.read(&input->file, offset, size, data, call.status);
    if (TF_GetCode(call.status) == TF_OUT_OF_RANGE && n >= 0) TF_SetStatus(call.status, TF_OK, "");
    SL_TRY(call_end(&call, err));
    if (n < 0 || (uint64_t)n > size)
        return sl_fail(err, SL_INTERNAL, "%s; the file system returned %" PRId64 " bytes for a read of %zu",
                       input->path, n, size);
    *got = (size_t)n;
    return SL_OK;
}

static void close_input(const struct sl_file_system *system, void *from) {
    struct input *input = from;
    plugin_of(system)->input.cleanup(&input->file);
    sl_free(input);
}

static sl_code map(void **out, const char **data, size_t *size, const struct sl_file_system *system, const char *path,
                   struct sl_error *err) {
    struct call call;
    TF_ReadOnlyMemoryRegion *region = sl_calloc(1, sizeof *region);
    if (!region) return sl_fail_memory(err, sizeof *region);
    sl_code code = call_begin(&call, system, path, err);
    if (code == SL_OK) {
        call.plugin->ops.new_read_only_memory_region_from_file(&call.plugin->filesystem, call.name, region,
                                                               call.status);
        code = call_end(&call, err);
    }
    if (code != SL_OK) {
        sl_free(region);
        return code;
    }
    const TF_ReadOnlyMemoryRegionOps *ops = &plugin_of(system)->region;
    uint64_t length = ops->length(region);
    *data = ops->data(region);
    if (length <= SIZE_MAX && (*data || length == 0)) {
        *size = (size_t)length;
        *out = region;
        return SL_OK;
    }
    ops->cleanup(region);
    sl_free(region);
    return sl_fail(err, SL_INTERNAL, "%s; the file system returned no memory for %" PRIu64 " bytes", path, length);
}

static void unmap(const struct sl_file_system *system, void *region) {
    plugin_of(system)->region.cleanup(region);
    sl_free(region);
}

/* ---- outputs */

static void free_output(const struct sl_file_system *system, void *output) {
    plugin_of(system)->output.cleanup(output);
    sl_free(output);
}

/* Where a file goes on that was opened at its end. */
static sl_code find_end(uint64_t *position, const struct sl_file_system *system, const char *path,
                        const TF_WritableFile *file, struct sl_error *err) {
    struct call call;
    struct sl_file_info info;
    if (plugin_of(system)->output.tell) {
        SL_TRY(call_begin(&call, system, NULL, err));
        info.size = call.plugin->output.tell(file, call.status);
        SL_TRY(call_end(&call, err));
    } else {
        if (!system->stat) return sl_file_system_cannot(system, "tell where files end", path, err);
        SL_TRY(system->stat(&info, system, path, err));
    }
    if (info.size < 0)
        return sl_fail(err, SL_INTERNAL, "%s; the file system returned %" PRId64 " as the file's end", path, info.size);
    *position = (uint64_t)info.size;
    return SL_OK;
}

static sl_code open_output(void **out, uint64_t *position, const struct sl_file_system *system, const char *path,
                           bool at_end, struct sl_error *err) {
    struct call call;
    const TF_FilesystemOps *ops = &plugin_of(system)->ops;
    if (at_end ? !ops->new_appendable_file : !ops->new_writable_file)
        return sl_file_system_cannot(system, at_end ? "append to files" : "write files", path, err);
    TF_WritableFile *file = sl_calloc(1, sizeof *file);
    if (!file) return sl_fail_memory(err, sizeof *file);
    sl_code code = call_begin(&call, system, path, err);
    if (code == SL_OK) {
        (at_end ? ops->new_appendable_file : ops->new_writable_file)(&call.plugin->filesystem, call.name, file,
                                                                     call.status);
        code = call_end(&call, err);
    }
    if (code != SL_OK) {
        sl_free(file);
        return code;
    }
    *position = 0;
    if (at_end) code = find_end(position, system, path, file, err);
    if (code == SL_OK) *out = file;
    else free_output(system, file);
    return code;
}

static sl_code append(const struct sl_file_system *system, void *output, const void *data, size_t size,
                      struct sl_error *err) {
    struct call call;
    SL_TRY(call_begin(&call, system, NULL, err));
    call.plugin->output.append(output, data, size, call.status);
    return call_end(&call, err);
}

/* Flush, sync or close. */
static sl_code settle(const struct sl_file_system *system, void *output,
                      void (*function)(const TF_WritableFile *file, TF_Status *status), struct sl_error *err) {
    struct call call;
    if (!function) return SL_OK;
    SL_TRY(call_begin(&call, system, NULL, err));
    function(output, call.status);
    return call_end(&call, err);
}

static sl_code flush(const struct sl_file_system *system, void *output, bool to_medium, struct sl_error *err) {
    const TF_WritableFileOps *ops = &plugin_of(system)->output;
    return settle(system, output, to_medium ? ops->sync : ops->flush, err);
}

static sl_code close_output(const struct sl_file_system *system, void *output, struct sl_error *err) {
    return settle(system, output, plugin_of(system)->output.close, err);
}

/* ---- names */

static sl_code stat_file(struct sl_file_info *info, const struct sl_file_system *system, const char *path,
                         struct sl_error *err) {
    struct call call;
    TF_FileStatistics statistics = {0};
    SL_TRY(call_begin(&call, system, path, err));
    call.plugin->ops.stat(&call.plugin->filesystem, call.name, &statistics, call.status);
    SL_TRY(call_end(&call, err));
    *info = (struct sl_file_info){.size = statistics.length,
                                  .mtime_ns = statistics.mtime_nsec,
                                  .is_dir = statistics.is_directory,
                                  .is_regular = !statistics.is_directory};
    return SL_OK;
}

/* The functions that take a path and a status. */
#define CALL_WITH_PATH(own, theirs)                                                                                    \
    static sl_code own(const struct sl_file_system *system, const char *path, struct sl_error *err) {                  \
        struct call call;                                                                                              \
        SL_TRY(call_begin(&call, system, path, err));                                                                  \
        call.plugin->ops.theirs(&call.plugin->filesystem, call.name, call.status);                                     \
        return call_end(&call, err);                                                                                   \
    }
CALL_WITH_PATH(exists, path_exists)
CALL_WITH_PATH(remove_file, delete_file)
CALL_WITH_PATH(create_dir, create_dir)
CALL_WITH_PATH(create_dirs, recursively_create_dir)
CALL_WITH_PATH(remove_dir, delete_dir)
#undef CALL_WITH_PATH

static sl_code remove_tree(const struct sl_file_system *system, const char *path, struct sl_error *err) {
    struct call call;
    uint64_t files = 0, dirs = 0;
    SL_TRY(call_begin(&call, system, path, err));
    call.plugin->ops.delete_recursively(&call.plugin->filesystem, call.name, &files, &dirs, call.status);
    return call_end(&call, err);
}

static sl_code call_with_two(const struct sl_file_system *system, const char *from, const char *to,
                             void (*function)(const TF_Filesystem *filesystem, const char *src, const char *dst,
                                              TF_Status *status),
                             struct sl_error *err) {
    struct call call;
    char *target;
    SL_TRY(name_of(&target, plugin_of(system), to, err));
    sl_code code = call_begin(&call, system, from, err);
    if (code == SL_OK) {
        function(&call.plugin->filesystem, call.name, target, call.status);
        code = call_end(&call, err);
    }
    name_free(plugin_of(system), target);
    return code;
}

static sl_code rename_file(const struct sl_file_system *system, const char *from, const char *to,
                           struct sl_error *err) {
    return call_with_two(system, from, to, plugin_of(system)->ops.rename_file, err);
}

static sl_code copy_file(const struct sl_file_system *system, const char *from, const char *to, struct sl_error *err) {
    return call_with_two(system, from, to, plugin_of(system)->ops.copy_file, err);
}

/* Copies `n` texts of the plug-in's to the arena and frees them, also on failure. */
static sl_code take_texts(char ***out, size_t *count, const struct plugin_file_system *p, char **texts, int n,
                          const char *path, struct sl_arena *arena, struct sl_error *err) {
    if (n < 0 || (n > 0 && !texts))
        return sl_fail(err, SL_INTERNAL, "The file system of '%s' returned a list of %d names (file: '%s')",
                       p->system.scheme, n, path);
    char **list = SL_ARENA_ARRAY(arena, char *, (size_t)n + 1);
    sl_code code = list ? SL_OK : sl_fail_memory(err, (size_t)n * sizeof *list);
    for (int i = 0; i < n; i++) {
        if (code == SL_OK && texts[i]) {
            list[i] = (char *)(uintptr_t)sl_arena_str(arena, sl_str_of(texts[i])).p;
            if (!list[i]) code = sl_fail_memory(err, strlen(texts[i]));
        } else if (code == SL_OK) {
            code = sl_fail(err, SL_INTERNAL, "The file system of '%s' returned a list without its name %d (file: '%s')",
                           p->system.scheme, i, path);
        }
        p->free(texts[i]);
    }
    p->free(texts);
    *out = list;
    *count = (size_t)n;
    return code;
}

static sl_code list_dir(char ***names, size_t *count, const struct sl_file_system *system, const char *path,
                        struct sl_arena *arena, struct sl_error *err) {
    struct call call;
    char **texts = NULL;
    SL_TRY(call_begin(&call, system, path, err));
    int n = call.plugin->ops.get_children(&call.plugin->filesystem, call.name, &texts, call.status);
    SL_TRY(call_end(&call, err));
    return take_texts(names, count, plugin_of(system), texts, n, path, arena, err);
}

/* The pattern is passed on as it is: only the plug-in knows what of it is a name. */
static sl_code glob_paths(char ***paths, size_t *count, const struct sl_file_system *system, const char *pattern,
                          struct sl_arena *arena, struct sl_error *err) {
    struct call call;
    char **texts = NULL;
    SL_TRY(call_begin(&call, system, NULL, err));
    int n = call.plugin->ops.get_matching_paths(&call.plugin->filesystem, pattern, &texts, call.status);
    SL_TRY(call_end(&call, err));
    return take_texts(paths, count, plugin_of(system), texts, n, pattern, arena, err);
}

/* ---- registering */

/* A table of the plug-in's: what there is of it is copied to `to`. */
struct table {
    const char *what;
    void *from, *to;
    size_t size, room;
    int abi, wanted_abi, api, wanted_api;
};
enum { FILE_SYSTEM, INPUT, OUTPUT, REGION, N_TABLES };

static void list_tables(struct table tables[N_TABLES], struct plugin_file_system *p, const TF_FilesystemPluginOps *o) {
    tables[FILE_SYSTEM] = (struct table){"filesystem",           o->filesystem_ops,     &p->ops,
                                         o->filesystem_ops_size, sizeof p->ops,         o->filesystem_ops_abi,
                                         TF_FILESYSTEM_OPS_ABI,  o->filesystem_ops_api, TF_FILESYSTEM_OPS_API};
    tables[INPUT] = (struct table){"random access file",
                                   o->random_access_file_ops,
                                   &p->input,
                                   o->random_access_file_ops_size,
                                   sizeof p->input,
                                   o->random_access_file_ops_abi,
                                   TF_RANDOM_ACCESS_FILE_OPS_ABI,
                                   o->random_access_file_ops_api,
                                   TF_RANDOM_ACCESS_FILE_OPS_API};
    tables[OUTPUT] = (struct table){"writable file",           o->writable_file_ops,     &p->output,
                                    o->writable_file_ops_size, sizeof p->output,         o->writable_file_ops_abi,
                                    TF_WRITABLE_FILE_OPS_ABI,  o->writable_file_ops_api, TF_WRITABLE_FILE_OPS_API};
    tables[REGION] = (struct table){"read only memory region",
                                    o->read_only_memory_region_ops,
                                    &p->region,
                                    o->read_only_memory_region_ops_size,
                                    sizeof p->region,
                                    o->read_only_memory_region_ops_abi,
                                    TF_READ_ONLY_MEMORY_REGION_OPS_ABI,
                                    o->read_only_memory_region_ops_api,
                                    TF_READ_ONLY_MEMORY_REGION_OPS_API};
}

static sl_code copy_table(const struct table *t, const char *scheme, struct sl_error *err) {
    if (!t->from) return SL_OK;
    if (t->abi != t->wanted_abi)
        return sl_fail(
            err, SL_FAILED_PRECONDITION,
            "Plugin ABI (%d) for %s operations doesn't match expected core ABI (%d). Plugin cannot be loaded.", t->abi,
            t->what, t->wanted_abi);
    if (t->api != t->wanted_api)
        sl_root_log(SL_LOG_WARNING,
                    "The file system of '%s' has version %d of %s operations, the library %d: some may "
                    "be missing",
                    scheme, t->api, t->what, t->wanted_api);
    size_t n = t->size < t->room ? t->size : t->room;
    memcpy(t->to, t->from, n - n % sizeof(void (*)(void))); /* whole functions */
    return SL_OK;
}

/* What a table that is needed has to have. */
static sl_code check_functions(const struct plugin_file_system *p, const struct table tables[N_TABLES],
                               struct sl_error *err) {
    const struct {
        const char *name, *of;
        bool is_there;
    } required[] = {
        {"init", "", p->ops.init},
        {"cleanup", "", p->ops.cleanup},
        {"cleanup", " on random access files", !tables[INPUT].from || p->input.cleanup},
        {"cleanup", " on writable files", !tables[OUTPUT].from || p->output.cleanup},
        {"cleanup", " on read only memory regions", !tables[REGION].from || p->region.cleanup},
        {"data", " on read only memory regions", !tables[REGION].from || p->region.data},
        {"length", " on read only memory regions", !tables[REGION].from || p->region.length},
    };
    const struct {
        const char *what;
        bool is_there;
    } opened[] = {{"random access files", !p->ops.new_random_access_file || tables[INPUT].from},
                  {"writable files", !(p->ops.new_writable_file || p->ops.new_appendable_file) || tables[OUTPUT].from},
                  {"readonly memory regions", !p->ops.new_read_only_memory_region_from_file || tables[REGION].from}};
    if (!tables[FILE_SYSTEM].from)
        return sl_fail(err, SL_FAILED_PRECONDITION, "Trying to register filesystem without operations");
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!required[i].is_there)
            return sl_fail(err, SL_FAILED_PRECONDITION, "Trying to register filesystem without `%s` operation%s",
                           required[i].name, required[i].of);
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++)
        if (!opened[i].is_there)
            return sl_fail(err, SL_FAILED_PRECONDITION,
                           "Filesystem allows creation of %s but no operations on them have been supplied.",
                           opened[i].what);
    return SL_OK;
}

/* The functions that the plug-in has. */
static void set_functions(struct plugin_file_system *p) {
    const TF_FilesystemOps *ops = &p->ops;
    p->system = (struct sl_file_system){
        .scheme = p->scheme,
        .open_input = ops->new_random_access_file ? open_input : NULL,
        .read = p->input.read ? read_input : NULL,
        .close_input = close_input,
        .map = ops->new_read_only_memory_region_from_file ? map : NULL,
        .unmap = unmap,
        .open_output = ops->new_writable_file || ops->new_appendable_file ? open_output : NULL,
        .append = p->output.append ? append : NULL,
        .flush = flush,
        .close_output = close_output,
        .free_output = free_output,
        .stat = ops->stat ? stat_file : NULL,
        .exists = ops->path_exists ? exists : NULL,
        .remove = ops->delete_file ? remove_file : NULL,
        .rename = ops->rename_file ? rename_file : NULL,
        .copy = ops->copy_file ? copy_file : NULL,
        .create_dir = ops->create_dir ? create_dir : NULL,
        .create_dirs = ops->recursively_create_dir ? create_dirs : NULL,
        .remove_dir = ops->delete_dir ? remove_dir : NULL,
        .remove_tree = ops->delete_recursively ? remove_tree : NULL,
        .list = ops->get_children ? list_dir : NULL,
        .glob = ops->get_matching_paths ? glob_paths : NULL,
    };
}

static sl_code start(struct plugin_file_system *p, struct sl_error *err) {
    struct call call;
    SL_TRY(call_begin(&call, &p->system, NULL, err));
    p->ops.init(&p->filesystem, call.status);
    SL_TRY(call_end(&call, err));
    sl_code code = sl_file_system_add(&p->system, err);
    if (code != SL_OK) p->ops.cleanup(&p->filesystem);
    return code;
}

static sl_code register_scheme(const TF_FilesystemPluginOps *told, const TF_FilesystemPluginInfo *info,
                               struct sl_error *err) {
    struct table tables[N_TABLES];
    if (!told->scheme)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Attempted to register filesystem with `nullptr` URI scheme");
    size_t n = strlen(told->scheme) + 1;
    struct plugin_file_system *p = sl_calloc(1, sizeof *p + n);
    if (!p) return sl_fail_memory(err, sizeof *p + n);
    memcpy(p->scheme, told->scheme, n);
    p->free = info->plugin_memory_free;
    list_tables(tables, p, told);
    sl_code code = SL_OK;
    for (int i = 0; code == SL_OK && i < N_TABLES; i++) code = copy_table(&tables[i], p->scheme, err);
    if (code == SL_OK) code = check_functions(p, tables, err);
    set_functions(p);
    if (code == SL_OK) code = start(p, err);
    if (code != SL_OK) sl_free(p);
    return code;
}

static void free_told(const TF_FilesystemPluginInfo *info) {
    for (size_t i = 0; i < info->num_schemes; i++) {
        info->plugin_memory_free(info->ops[i].scheme);
        info->plugin_memory_free(info->ops[i].filesystem_ops);
        info->plugin_memory_free(info->ops[i].random_access_file_ops);
        info->plugin_memory_free(info->ops[i].writable_file_ops);
        info->plugin_memory_free(info->ops[i].read_only_memory_region_ops);
    }
    info->plugin_memory_free(info->ops);
}

/* Schemes that can be served are, also when another one cannot; the first error is told. */
static sl_code register_all(const TF_FilesystemPluginInfo *info, const char *path, struct sl_error *err) {
    if (!info->plugin_memory_allocate || !info->plugin_memory_free)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The file system plug-in %s has no functions for memory", path);
    if (info->num_schemes == 0 || !info->ops)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The file system plug-in %s has no schemes", path);
    sl_code first = SL_OK;
    for (size_t i = 0; i < info->num_schemes; i++) {
        sl_code code = register_scheme(&info->ops[i], info, first == SL_OK ? err : NULL);
        if (first == SL_OK) first = code;
    }
    free_told(info);
    return first;
}

static sl_code load(const char *path, struct sl_error *err) {
    struct sl_library library;
    TF_FilesystemPluginInfo info = {0};
    void (*init)(TF_FilesystemPluginInfo * info);
    void *symbol;
    if (!path) return sl_fail(err, SL_INVALID_ARGUMENT, "A file system plug-in needs a file name");
    SL_TRY(sl_library_open(&library, path, err));
    sl_code code = sl_library_symbol(&symbol, &library, "TF_InitPlugin", err);
    *(void **)(&init) = symbol;
    if (code == SL_OK && init == TF_InitPlugin) /* this library's own, which the other one is linked to */
        code = sl_fail(err, SL_NOT_FOUND, "%s does not define TF_InitPlugin", path);
    if (code != SL_OK) {
        sl_library_close(&library);
        return code;
    }
    init(&info); /* from here on its functions may be used: it stays loaded */
    return register_all(&info, path, err);
}

void TF_RegisterFilesystemPlugin(const char *plugin_filename, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, load(plugin_filename, &err), &err);
}
