/* Files, clocks, threads and shared libraries, for plug-ins that want the library's own.
 *
 * Paths are the file system's. Thread-safe, but a file handle and a string stream have one owner each. */
#ifndef TENSORFLOW_C_ENV_H_
#define TENSORFLOW_C_ENV_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_file_statistics.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_WritableFileHandle TF_WritableFileHandle;
typedef struct TF_StringStream TF_StringStream;
typedef struct TF_Thread TF_Thread;

typedef struct TF_ThreadOptions {
    size_t stack_size; /* bytes; 0: the system's default */
    size_t guard_size; /* bytes; 0: the system's default */
    int numa_node;     /* -1: any */
} TF_ThreadOptions;

/* ---- directories and files ---- */

/* ALREADY_EXISTS when something of that name is there. */
TF_CAPI_EXPORT void TF_CreateDir(const char *dirname, TF_Status *status);
/* The directory has to be empty. */
TF_CAPI_EXPORT void TF_DeleteDir(const char *dirname, TF_Status *status);
/* Deletes a directory and all below it. What resisted is counted in the two out-parameters. */
TF_CAPI_EXPORT void TF_DeleteRecursively(const char *dirname, int64_t *undeleted_file_count,
                                         int64_t *undeleted_dir_count, TF_Status *status);
/* NOT_FOUND when there is no such file. */
TF_CAPI_EXPORT void TF_FileStat(const char *filename, TF_FileStatistics *stats, TF_Status *status);
TF_CAPI_EXPORT void TF_DeleteFile(const char *filename, TF_Status *status);

/* Creates or empties a file. `*handle` is the caller's until TF_CloseWritableFile, and NULL on failure. */
TF_CAPI_EXPORT void TF_NewWritableFile(const char *filename, TF_WritableFileHandle **handle, TF_Status *status);
/* Flushes, closes and frees the handle, also when the status is an error. */
TF_CAPI_EXPORT void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status);
/* Returns when the data is on the medium. */
TF_CAPI_EXPORT void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status);
/* Hands buffered bytes to the system. */
TF_CAPI_EXPORT void TF_FlushWritableFile(TF_WritableFileHandle *handle, TF_Status *status);
TF_CAPI_EXPORT void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data, size_t length,
                                          TF_Status *status);

/* ---- lists of names ---- */

/* Names of a directory's entries, without "." and ".."; NULL on failure. Free with TF_StringStreamDone. */
TF_CAPI_EXPORT TF_StringStream *TF_GetChildren(const char *filename, TF_Status *status);
/* Directories for temporary files, the preferred first. */
TF_CAPI_EXPORT TF_StringStream *TF_GetLocalTempDirectories(void);
/* Moves on: true with `*result` set, or false with NULL at the end. The string lives until the next call. */
TF_CAPI_EXPORT bool TF_StringStreamNext(TF_StringStream *list, const char **result);
TF_CAPI_EXPORT void TF_StringStreamDone(TF_StringStream *list);
/* Name of a file that does not exist, ending in `extension`; free() it. */
TF_CAPI_EXPORT char *TF_GetTempFileName(const char *extension);

/* ---- time since 1970 ---- */

TF_CAPI_EXPORT uint64_t TF_NowNanos(void);
TF_CAPI_EXPORT uint64_t TF_NowMicros(void);
TF_CAPI_EXPORT uint64_t TF_NowSeconds(void);

/* ---- threads ---- */

TF_CAPI_EXPORT void TF_DefaultThreadOptions(TF_ThreadOptions *options);
/* Runs `work_func(param)` on a new thread. Every thread has to be joined. */
TF_CAPI_EXPORT TF_Thread *TF_StartThread(const TF_ThreadOptions *options, const char *thread_name,
                                         void (*work_func)(void *), void *param);
/* Waits for the thread to end and frees it. */
TF_CAPI_EXPORT void TF_JoinThread(TF_Thread *thread);

/* ---- shared libraries ---- */

/* dlopen: a handle for TF_GetSymbolFromLibrary, or NULL. The library stays loaded. */
TF_CAPI_EXPORT void *TF_LoadSharedLibrary(const char *library_filename, TF_Status *status);
/* dlsym: an address, or NULL with NOT_FOUND. */
TF_CAPI_EXPORT void *TF_GetSymbolFromLibrary(void *handle, const char *symbol_name, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
