/* A file system in memory, "memory://": a list of names, files and directories. It has the functions that have no
 * substitute, and a switch (`memory_plugin_mode`, found by name) that makes what it registers and does wrong. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/c/experimental/filesystem/filesystem_interface.h"

enum { FILES_MAX = 256, NAME_BYTES = 256 };

struct entry {
    char name[NAME_BYTES];
    char *bytes;
    size_t size;
    bool is_dir;
    bool is_gone; /* open files keep the entry */
};

static struct entry *entries[FILES_MAX];
static int n_entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What goes wrong, set by the test: see TF_InitPlugin and `fails`. */
#define EXPORT __attribute__((visibility("default")))
extern EXPORT char memory_plugin_mode[64];
char memory_plugin_mode[64];

static bool mode_is(const char *mode) { return strcmp(memory_plugin_mode, mode) == 0; }

static bool fails(const char *what, TF_Status *status) {
    if (!mode_is(what)) return false;
    char words[96];
    snprintf(words, sizeof words, "the memory cannot %s", what);
    TF_SetStatus(status, TF_UNAVAILABLE, words);
    return true;
}

static struct entry *find(const char *name) {
    for (int i = 0; i < n_entries; i++)
        if (!entries[i]->is_gone && strcmp(entries[i]->name, name) == 0) return entries[i];
    return NULL;
}

/* NOT_FOUND with the name. The lock is held. */
static struct entry *find_or_fail(const char *name, TF_Status *status) {
    struct entry *e = find(name);
    if (!e) TF_SetStatus(status, TF_NOT_FOUND, name);
    return e;
}

static bool has_parent(const char *name) {
    const char *slash = strrchr(name, '/');
    char parent[NAME_BYTES];
    if (!slash || slash == name) return true;
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - name), name);
    struct entry *e = find(parent);
    return e && e->is_dir;
}

static struct entry *add(const char *name, bool is_dir, TF_Status *status) {
    struct entry *e = find(name);
    if (e) return e;
    if (!has_parent(name)) {
        TF_SetStatus(status, TF_NOT_FOUND, name);
        return NULL;
    }
    if (n_entries == FILES_MAX || strlen(name) >= NAME_BYTES) {
        TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "the memory is full");
        return NULL;
    }
    e = calloc(1, sizeof *e);
    strcpy(e->name, name);
    e->is_dir = is_dir;
    return entries[n_entries++] = e;
}

/* ---- files */

static void forget_nothing(TF_RandomAccessFile *file) { file->plugin_file = NULL; }

static int64_t read_at(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
    const struct entry *e = file->plugin_file;
    if (fails("read", status)) return -1;
    if (mode_is("silent")) {
        TF_SetStatus(status, TF_DATA_LOSS, "");
        return -1;
    }
    if (mode_is("read too much")) return (int64_t)n + 1;
    pthread_mutex_lock(&lock);
    size_t left = offset < e->size ? e->size - (size_t)offset : 0, got = n < left ? n : left;
    if (got) memcpy(buffer, e->bytes + offset, got);
    pthread_mutex_unlock(&lock);
    if (got < n) TF_SetStatus(status, TF_OUT_OF_RANGE, "end of file");
    else TF_SetStatus(status, TF_OK, "");
    return (int64_t)got;
}

static void close_nothing(TF_WritableFile *file) { file->plugin_file = NULL; }

static void append(const TF_WritableFile *file, const char *buffer, size_t n, TF_Status *status) {
    struct entry *e = file->plugin_file;
    if (fails("append", status)) return;
    pthread_mutex_lock(&lock);
    char *grown = realloc(e->bytes, e->size + n + 1);
    if (grown) {
        memcpy(grown + e->size, buffer, n);
        e->bytes = grown;
        e->size += n;
    }
    pthread_mutex_unlock(&lock);
    TF_SetStatus(status, grown ? TF_OK : TF_RESOURCE_EXHAUSTED, grown ? "" : "the memory is full");
}

static int64_t tell(const TF_WritableFile *file, TF_Status *status) {
    const struct entry *e = file->plugin_file;
    TF_SetStatus(status, TF_OK, "");
    return (int64_t)e->size;
}

static void end(const TF_WritableFile *file, TF_Status *status) {
    (void)file;
    if (!fails("close", status)) TF_SetStatus(status, TF_OK, "");
}

static const void *region_data(const TF_ReadOnlyMemoryRegion *region) {
    const struct entry *e = region->plugin_memory_region;
    return e->bytes;
}

static uint64_t region_length(const TF_ReadOnlyMemoryRegion *region) {
    const struct entry *e = region->plugin_memory_region;
    return e->size;
}

static void region_forget(TF_ReadOnlyMemoryRegion *region) { region->plugin_memory_region = NULL; }

/* ---- the file system */

static void init(TF_Filesystem *filesystem, TF_Status *status) {
    filesystem->plugin_filesystem = entries;
    if (!fails("start", status)) TF_SetStatus(status, TF_OK, "");
}

static void cleanup(TF_Filesystem *filesystem) { filesystem->plugin_filesystem = NULL; }

static void *open_existing(const char *path, TF_Status *status) {
    pthread_mutex_lock(&lock);
    struct entry *e = find_or_fail(path, status);
    if (e && e->is_dir) {
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "a directory is no file");
        e = NULL;
    } else if (e) {
        TF_SetStatus(status, TF_OK, "");
    }
    pthread_mutex_unlock(&lock);
    return e;
}

static void open_to_read(const TF_Filesystem *fs, const char *path, TF_RandomAccessFile *file, TF_Status *status) {
    (void)fs;
    if (!fails("open", status)) file->plugin_file = open_existing(path, status);
}

static void *open_to_write(const char *path, bool anew, TF_Status *status) {
    TF_SetStatus(status, TF_OK, "");
    pthread_mutex_lock(&lock);
    struct entry *old = find(path);
    if (old && anew && !old->is_dir) old->is_gone = true;
    struct entry *e = add(path, false, status);
    if (e && e->is_dir) {
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "a directory is no file");
        e = NULL;
    }
    pthread_mutex_unlock(&lock);
    return e;
}

static void open_anew(const TF_Filesystem *fs, const char *path, TF_WritableFile *file, TF_Status *status) {
    (void)fs;
    file->plugin_file = open_to_write(path, true, status);
}

static void open_to_append(const TF_Filesystem *fs, const char *path, TF_WritableFile *file, TF_Status *status) {
    (void)fs;
    file->plugin_file = open_to_write(path, false, status);
}

static void map(const TF_Filesystem *fs, const char *path, TF_ReadOnlyMemoryRegion *region, TF_Status *status) {
    (void)fs;
    struct entry *e = open_existing(path, status);
    if (e && e->size == 0) TF_SetStatus(status, TF_INVALID_ARGUMENT, "an empty file has no memory");
    region->plugin_memory_region = e;
}

static void create_dir(const TF_Filesystem *fs, const char *path, TF_Status *status) {
    (void)fs;
    TF_SetStatus(status, TF_OK, "");
    pthread_mutex_lock(&lock);
    if (find(path)) TF_SetStatus(status, TF_ALREADY_EXISTS, path);
    else add(path, true, status);
    pthread_mutex_unlock(&lock);
}

static bool is_below(const char *name, const char *dir) {
    size_t n = strlen(dir);
    if (n && dir[n - 1] == '/') n--;
    return strncmp(name, dir, n) == 0 && name[n] == '/' && name[n + 1];
}

static void delete_any(const char *path, bool is_dir, TF_Status *status) {
    TF_SetStatus(status, TF_OK, "");
    pthread_mutex_lock(&lock);
    struct entry *e = find_or_fail(path, status);
    if (e && e->is_dir != is_dir) TF_SetStatus(status, TF_FAILED_PRECONDITION, path);
    for (int i = 0; e && i < n_entries; i++)
        if (is_dir && !entries[i]->is_gone && is_below(entries[i]->name, path))
            TF_SetStatus(status, TF_FAILED_PRECONDITION, "the directory is not empty");
    if (TF_GetCode(status) == TF_OK) e->is_gone = true;
    pthread_mutex_unlock(&lock);
}

static void delete_file(const TF_Filesystem *fs, const char *path, TF_Status *status) {
    (void)fs;
    delete_any(path, false, status);
}

static void delete_dir(const TF_Filesystem *fs, const char *path, TF_Status *status) {
    (void)fs;
    delete_any(path, true, status);
}

static void rename_file(const TF_Filesystem *fs, const char *from, const char *to, TF_Status *status) {
    (void)fs;
    TF_SetStatus(status, TF_OK, "");
    pthread_mutex_lock(&lock);
    struct entry *e = find_or_fail(from, status), *old = find(to);
    if (e && !has_parent(to)) TF_SetStatus(status, TF_NOT_FOUND, to);
    if (TF_GetCode(status) == TF_OK) {
        if (old) old->is_gone = true;
        snprintf(e->name, sizeof e->name, "%s", to);
    }
    pthread_mutex_unlock(&lock);
}

static void path_exists(const TF_Filesystem *fs, const char *path, TF_Status *status) {
    (void)fs;
    TF_SetStatus(status, TF_OK, "");
    pthread_mutex_lock(&lock);
    if (strcmp(path, "/") != 0) find_or_fail(path, status);
    pthread_mutex_unlock(&lock);
}

static void stat_any(const TF_Filesystem *fs, const char *path, TF_FileStatistics *stats, TF_Status *status) {
    (void)fs;
    TF_SetStatus(status, TF_OK, "");
    pthread_mutex_lock(&lock);
    struct entry *e = strcmp(path, "/") == 0 ? NULL : find_or_fail(path, status);
    *stats = (TF_FileStatistics){e ? (int64_t)e->size : 0, 1000, !e || e->is_dir};
    pthread_mutex_unlock(&lock);
}

static int get_children(const TF_Filesystem *fs, const char *path, char ***out, TF_Status *status) {
    (void)fs;
    if (fails("list", status)) return -1;
    TF_SetStatus(status, TF_OK, "");
    if (mode_is("list badly")) return -1;
    pthread_mutex_lock(&lock);
    int n = -1;
    if (strcmp(path, "/") == 0 || find_or_fail(path, status)) {
        *out = calloc(FILES_MAX, sizeof **out);
        n = 0;
        for (int i = 0; i < n_entries; i++) {
            const char *name = strrchr(entries[i]->name, '/');
            if (!entries[i]->is_gone && is_below(entries[i]->name, path) &&
                !strchr(entries[i]->name + (strcmp(path, "/") == 0 ? 1 : strlen(path) + 1), '/'))
                (*out)[n++] = strdup(name + 1);
        }
    }
    pthread_mutex_unlock(&lock);
    return n;
}

/* Names that are not paths of URIs: "plain://x" is "/plain-x". */
static char *translate(const TF_Filesystem *fs, const char *uri) {
    (void)fs;
    const char *rest = strstr(uri, "://") + 3;
    char *name = malloc(strlen(rest) + 8);
    return strcat(strcpy(name, "/plain-"), rest);
}

/* ---- functions that have a substitute, with what shows that they were called */

static int find_one(const TF_Filesystem *fs, const char *glob, char ***out, TF_Status *status) {
    (void)fs;
    TF_SetStatus(status, TF_OK, "");
    *out = calloc(2, sizeof **out);
    (*out)[0] = strdup(glob);
    (*out)[1] = strdup("found");
    return 2;
}

static void create_dirs(const TF_Filesystem *fs, const char *path, TF_Status *status) {
    (void)fs;
    TF_SetStatus(status, TF_OK, "");
    pthread_mutex_lock(&lock);
    add(path, true, status);
    pthread_mutex_unlock(&lock);
}

static void keep_all(const TF_Filesystem *fs, const char *path, uint64_t *files, uint64_t *dirs, TF_Status *status) {
    (void)fs;
    (void)path;
    *files = 1;
    *dirs = 1;
    TF_SetStatus(status, TF_PERMISSION_DENIED, "the memory keeps all");
}

extern EXPORT void memory_plugin_forget(void);
void memory_plugin_forget(void) {
    for (int i = 0; i < n_entries; i++) {
        free(entries[i]->bytes);
        free(entries[i]);
    }
    n_entries = 0;
}

/* ---- registering */

static void *allocate(size_t size) { return calloc(1, size); }

static void fill(TF_FilesystemPluginOps *ops, const char *scheme) {
    TF_SetFilesystemVersionMetadata(ops);
    ops->scheme = strdup(scheme);
    ops->filesystem_ops = allocate(TF_FILESYSTEM_OPS_SIZE);
    ops->random_access_file_ops = allocate(TF_RANDOM_ACCESS_FILE_OPS_SIZE);
    ops->writable_file_ops = allocate(TF_WRITABLE_FILE_OPS_SIZE);
    ops->read_only_memory_region_ops = allocate(TF_READ_ONLY_MEMORY_REGION_OPS_SIZE);
    *ops->random_access_file_ops = (TF_RandomAccessFileOps){forget_nothing, read_at};
    *ops->writable_file_ops = (TF_WritableFileOps){
        .cleanup = close_nothing, .append = append, .tell = tell, .flush = end, .sync = end, .close = end};
    *ops->read_only_memory_region_ops = (TF_ReadOnlyMemoryRegionOps){region_forget, region_data, region_length};
    *ops->filesystem_ops = (TF_FilesystemOps){.init = init,
                                              .cleanup = cleanup,
                                              .new_random_access_file = open_to_read,
                                              .new_writable_file = open_anew,
                                              .new_appendable_file = open_to_append,
                                              .new_read_only_memory_region_from_file = map,
                                              .create_dir = create_dir,
                                              .delete_file = delete_file,
                                              .delete_dir = delete_dir,
                                              .rename_file = rename_file,
                                              .path_exists = path_exists,
                                              .stat = stat_any,
                                              .get_children = get_children};
}

EXPORT void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
    info->plugin_memory_allocate = allocate;
    info->plugin_memory_free = mode_is("no free") ? NULL : free;
    if (mode_is("no schemes") || mode_is("no free")) return;
    info->num_schemes = 1;
    info->ops = allocate(sizeof *info->ops);
    if (mode_is("no scheme")) {
        fill(info->ops, "");
        free(info->ops->scheme);
        info->ops->scheme = NULL;
        return;
    }
    const char *scheme = "memory";
    static const char *const bad[] = {"abi",
                                      "reader abi",
                                      "no table",
                                      "no init",
                                      "no cleanup",
                                      "no reader",
                                      "no reader cleanup",
                                      "no writer",
                                      "no writer cleanup",
                                      "no regions",
                                      "no region data",
                                      "start",
                                      "slow"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (mode_is(bad[i])) scheme = "broken";
    if (mode_is("odd scheme")) scheme = "a b";
    if (mode_is("few functions")) scheme = "few";
    if (mode_is("plain functions")) scheme = "plain";
    if (mode_is("more functions")) scheme = "more";
    fill(info->ops, scheme);
    TF_FilesystemPluginOps *ops = info->ops;
    if (mode_is("abi")) ops->filesystem_ops_abi++;
    if (mode_is("reader abi")) ops->random_access_file_ops_abi++;
    if (mode_is("no table")) free(ops->filesystem_ops), ops->filesystem_ops = NULL;
    if (mode_is("no init")) ops->filesystem_ops->init = NULL;
    if (mode_is("no cleanup")) ops->filesystem_ops->cleanup = NULL;
    if (mode_is("no reader")) free(ops->random_access_file_ops), ops->random_access_file_ops = NULL;
    if (mode_is("no reader cleanup")) ops->random_access_file_ops->cleanup = NULL;
    if (mode_is("no writer")) free(ops->writable_file_ops), ops->writable_file_ops = NULL;
    if (mode_is("no writer cleanup")) ops->writable_file_ops->cleanup = NULL;
    if (mode_is("no regions")) free(ops->read_only_memory_region_ops), ops->read_only_memory_region_ops = NULL;
    if (mode_is("no region data")) ops->read_only_memory_region_ops->data = NULL;
    if (mode_is("plain functions")) {
        ops->filesystem_ops->new_read_only_memory_region_from_file = NULL;
        ops->filesystem_ops->rename_file = NULL;
        ops->filesystem_ops->path_exists = NULL;
        ops->filesystem_ops->translate_name = translate;
        ops->writable_file_ops->flush = ops->writable_file_ops->sync = NULL;
    }
    if (mode_is("more functions")) {
        ops->filesystem_ops->get_matching_paths = find_one;
        ops->filesystem_ops->recursively_create_dir = create_dirs;
        ops->filesystem_ops->delete_recursively = keep_all;
    }
    if (mode_is("few functions")) { /* an older table ends before what files need */
        ops->filesystem_ops_size = offsetof(TF_FilesystemOps, new_writable_file);
        ops->random_access_file_ops->read = NULL;
    }
}
