/* env.h: files, clocks, threads and libraries of src/os under the names that plug-ins know. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/library.h"
#include "os/thread.h"
#include "tensorflow/c/env.h"

/* ---- directories and files */
void TF_CreateDir(const char *dirname, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_dir_create(dirname, &err), &err);
}

void TF_DeleteDir(const char *dirname, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_dir_remove(dirname, &err), &err);
}

void TF_DeleteFile(const char *filename, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_file_remove(filename, &err), &err);
}

/* Counts what is left below a directory, itself included; `depth` bounds the recursion. */
static void count_left(const char *path, int64_t *files, int64_t *dirs, int depth) {
    struct sl_file_info info;
    struct sl_arena arena;
    char **names;
    size_t n;
    if (sl_file_stat(&info, path, NULL) != SL_OK) return;
    *(info.is_dir ? dirs : files) += 1;
    if (!info.is_dir || depth == 0) return;
    sl_arena_init(&arena);
    if (sl_dir_list(&names, &n, path, &arena, NULL) == SL_OK)
        for (size_t i = 0; i < n; i++) {
            char *below = sl_path_join(&arena, path, names[i]);
            if (below) count_left(below, files, dirs, depth - 1);
        }
    sl_arena_clear(&arena);
}

void TF_DeleteRecursively(const char *dirname, int64_t *undeleted_file_count, int64_t *undeleted_dir_count,
                          TF_Status *status) {
    struct sl_error err;
    *undeleted_file_count = *undeleted_dir_count = 0;
    if (!sl_status_take(status, sl_dir_remove_all(dirname, &err), &err))
        count_left(dirname, undeleted_file_count, undeleted_dir_count, 64);
}

void TF_FileStat(const char *filename, TF_FileStatistics *stats, TF_Status *status) {
    struct sl_error err;
    struct sl_file_info info;
    if (sl_status_take(status, sl_file_stat(&info, filename, &err), &err))
        *stats = (TF_FileStatistics){info.size, info.mtime_ns, info.is_dir};
}

struct TF_WritableFileHandle {
    struct sl_writer writer;
};

void TF_NewWritableFile(const char *filename, TF_WritableFileHandle **handle, TF_Status *status) {
    struct sl_error err;
    *handle = sl_calloc(1, sizeof **handle);
    if (!*handle) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    if (sl_status_take(status, sl_writer_open(&(*handle)->writer, filename, SL_WRITER_TRUNCATE, &err), &err)) return;
    sl_free(*handle);
    *handle = NULL;
}

void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_writer_close(&handle->writer, &err), &err);
    sl_free(handle);
}

void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_writer_sync(&handle->writer, &err), &err);
}

void TF_FlushWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_writer_flush(&handle->writer, &err), &err);
}

void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data, size_t length, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_writer_write(&handle->writer, data, length, &err), &err);
}

/* ---- lists of names */
struct TF_StringStream {
    struct sl_arena arena;
    char **names;
    size_t n, at;
};

static TF_StringStream *stream_new(void) {
    TF_StringStream *stream = sl_calloc(1, sizeof *stream);
    if (stream) sl_arena_init(&stream->arena);
    return stream;
}

void TF_StringStreamDone(TF_StringStream *list) {
    if (!list) return;
    sl_arena_clear(&list->arena);
    sl_free(list);
}

bool TF_StringStreamNext(TF_StringStream *list, const char **result) {
    bool is_there = list && list->at < list->n;
    *result = is_there ? list->names[list->at++] : NULL;
    return is_there;
}

TF_StringStream *TF_GetChildren(const char *filename, TF_Status *status) {
    struct sl_error err;
    TF_StringStream *stream = stream_new();
    if (!stream) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    if (sl_status_take(status, sl_dir_list(&stream->names, &stream->n, filename, &stream->arena, &err), &err))
        return stream;
    TF_StringStreamDone(stream);
    return NULL;
}

TF_StringStream *TF_GetLocalTempDirectories(void) {
    TF_StringStream *stream = stream_new();
    if (!stream) return NULL;
    stream->names = SL_ARENA_ARRAY(&stream->arena, char *, 1);
    if (stream->names) stream->names[0] = (char *)sl_path_temporary_dir();
    stream->n = stream->names != NULL;
    return stream;
}

char *TF_GetTempFileName(const char *extension) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    char *base = sl_path_join(&arena, sl_path_temporary_dir(), "sluice");
    char *unique = base ? sl_path_temporary(&arena, base) : NULL;
    char *name = unique ? sl_arena_format(&arena, "%s%s", unique, extension ? extension : "") : NULL;
    char *copy = name ? strdup(name) : NULL; /* the caller's free() */
    sl_arena_clear(&arena);
    return copy;
}

/* ---- time since 1970 */
uint64_t TF_NowNanos(void) { return (uint64_t)sl_wall_us() * 1000; }
uint64_t TF_NowMicros(void) { return (uint64_t)sl_wall_us(); }
uint64_t TF_NowSeconds(void) { return (uint64_t)sl_wall_us() / 1000000; }

/* ---- threads */
struct TF_Thread {
    struct sl_thread thread;
};

void TF_DefaultThreadOptions(TF_ThreadOptions *options) { *options = (TF_ThreadOptions){0, 0, -1}; }

TF_Thread *TF_StartThread(const TF_ThreadOptions *options, const char *thread_name, void (*work_func)(void *),
                          void *param) {
    TF_Thread *thread = sl_malloc(sizeof *thread);
    size_t stack = options ? options->stack_size : 0;
    if (thread &&
        sl_thread_start(&thread->thread, thread_name ? thread_name : "", stack, work_func, param, NULL) == SL_OK)
        return thread;
    sl_free(thread);
    return NULL;
}

void TF_JoinThread(TF_Thread *thread) {
    if (!thread) return;
    sl_thread_join(&thread->thread);
    sl_free(thread);
}

/* ---- shared libraries */
void *TF_LoadSharedLibrary(const char *library_filename, TF_Status *status) {
    struct sl_error err;
    struct sl_library library = {NULL};
    sl_status_take(status, sl_library_open(&library, library_filename, &err), &err);
    return library.handle;
}

void *TF_GetSymbolFromLibrary(void *handle, const char *symbol_name, TF_Status *status) {
    struct sl_error err;
    struct sl_library library = {handle};
    void *symbol = NULL;
    return sl_status_take(status, sl_library_symbol(&symbol, &library, symbol_name, &err), &err) ? symbol : NULL;
}
