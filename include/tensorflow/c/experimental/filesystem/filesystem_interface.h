/* File systems of plug-ins: a shared library that serves paths like "foo://host/path", for TF_RegisterFilesystemPlugin.
 *
 * The library exports TF_InitPlugin, which fills a TF_FilesystemPluginInfo: for each scheme four tables of functions,
 * each with the version of this header (TF_SetFilesystemVersionMetadata) and its size. Functions at the end of a table
 * that the plug-in does not know, and those that are NULL, are not there; which ones have to be is said below.
 *
 * Every function that gets a status sets it on every return; it is TF_OK on entry. Paths are NUL-terminated and belong
 * to the caller. They come as `translate_name` returns them; without that function they are the part of the URI behind
 * "scheme://host" with repeated slashes, "." and ".." taken out ("/" when there is nothing).
 *
 * Threads: the functions of a file system, reads of a file and a memory region are called from any thread at once; a
 * file being written has one owner. */
#ifndef TENSORFLOW_C_EXPERIMENTAL_FILESYSTEM_FILESYSTEM_INTERFACE_H_
#define TENSORFLOW_C_EXPERIMENTAL_FILESYSTEM_FILESYSTEM_INTERFACE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_file_statistics.h"
#include "tensorflow/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- objects: the library makes them, the plug-in keeps its own data behind the one pointer ---- */

typedef struct TF_RandomAccessFile {
    void *plugin_file;
} TF_RandomAccessFile;

typedef struct TF_WritableFile {
    void *plugin_file;
} TF_WritableFile;

typedef struct TF_ReadOnlyMemoryRegion {
    void *plugin_memory_region;
} TF_ReadOnlyMemoryRegion;

typedef struct TF_Filesystem {
    void *plugin_filesystem;
} TF_Filesystem;

/* Transactions and options: part of the table's layout. The library does not call their functions. */
typedef struct TF_TransactionToken {
    void *token;
    TF_Filesystem *owner;
} TF_TransactionToken;

typedef union TF_Filesystem_Option_Value_Union {
    int64_t int_val;
    double real_val;
    struct {
        char *buf;
        int buf_length;
    } buffer_val;
} TF_Filesystem_Option_Value_Union;

typedef enum TF_Filesystem_Option_Type {
    TF_Filesystem_Option_Type_Int = 0,
    TF_Filesystem_Option_Type_Real,
    TF_Filesystem_Option_Type_Buffer,
    TF_Filesystem_Num_Option_Types
} TF_Filesystem_Option_Type;

typedef struct TF_Filesystem_Option_Value {
    int type_tag; /* a TF_Filesystem_Option_Type */
    int num_values;
    TF_Filesystem_Option_Value_Union *values;
} TF_Filesystem_Option_Value;

typedef struct TF_Filesystem_Option {
    char *name;
    char *description;
    int per_file; /* 0 or 1 */
    TF_Filesystem_Option_Value *value;
} TF_Filesystem_Option;

/* ---- tables ---- */

typedef struct TF_RandomAccessFileOps {
    /* Frees what `file` holds. Required. */
    void (*cleanup)(TF_RandomAccessFile *file);
    /* Reads up to `n` bytes at `offset` into `buffer`; returns how many, or -1 with an error. OUT_OF_RANGE says that
     * the file ends before `n` bytes; those that it returns are valid. */
    int64_t (*read)(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer, TF_Status *status);
} TF_RandomAccessFileOps;

typedef struct TF_WritableFileOps {
    /* Frees what `file` holds; after `close` when all went well, without it when the file is given up. Required. */
    void (*cleanup)(TF_WritableFile *file);
    /* Writes all `n` bytes at the end. RESOURCE_EXHAUSTED when there is no room. */
    void (*append)(const TF_WritableFile *file, const char *buffer, size_t n, TF_Status *status);
    /* Bytes before the place where the next ones go; -1 with an error. */
    int64_t (*tell)(const TF_WritableFile *file, TF_Status *status);
    /* Lets others see what was written. Without it: nothing to do. */
    void (*flush)(const TF_WritableFile *file, TF_Status *status);
    /* Returns when the medium has what was written. Without it: nothing to do. */
    void (*sync)(const TF_WritableFile *file, TF_Status *status);
    /* Ends writing; called once at most, and followed by `cleanup`. */
    void (*close)(const TF_WritableFile *file, TF_Status *status);
} TF_WritableFileOps;

typedef struct TF_ReadOnlyMemoryRegionOps {
    /* All required where there are regions. `data` is valid until `cleanup`. */
    void (*cleanup)(TF_ReadOnlyMemoryRegion *region);
    const void *(*data)(const TF_ReadOnlyMemoryRegion *region);
    uint64_t (*length)(const TF_ReadOnlyMemoryRegion *region);
} TF_ReadOnlyMemoryRegionOps;

typedef struct TF_FilesystemOps {
    /* Both required. `init` is called once, when the scheme is registered; file systems stay until the process ends, so
     * `cleanup` is called only when registering fails after `init`. */
    void (*init)(TF_Filesystem *filesystem, TF_Status *status);
    void (*cleanup)(TF_Filesystem *filesystem);

    /* Opens a file for reading: needs TF_RandomAccessFileOps. NOT_FOUND, FAILED_PRECONDITION for a directory. */
    void (*new_random_access_file)(const TF_Filesystem *filesystem, const char *path, TF_RandomAccessFile *file,
                                   TF_Status *status);
    /* Opens a file for writing, emptied or at its end: need TF_WritableFileOps. */
    void (*new_writable_file)(const TF_Filesystem *filesystem, const char *path, TF_WritableFile *file,
                              TF_Status *status);
    void (*new_appendable_file)(const TF_Filesystem *filesystem, const char *path, TF_WritableFile *file,
                                TF_Status *status);
    /* The contents of a file as memory: needs TF_ReadOnlyMemoryRegionOps. INVALID_ARGUMENT for an empty file. Without
     * it, or where it is UNIMPLEMENTED, the file is read. */
    void (*new_read_only_memory_region_from_file)(const TF_Filesystem *filesystem, const char *path,
                                                  TF_ReadOnlyMemoryRegion *region, TF_Status *status);

    /* ALREADY_EXISTS when the name is taken, NOT_FOUND when the directory above is missing. */
    void (*create_dir)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
    /* With all that is missing above; fine when it is there. Without it: `create_dir` for each part. */
    void (*recursively_create_dir)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
    void (*delete_file)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
    /* FAILED_PRECONDITION unless empty. */
    void (*delete_dir)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
    /* With all below; what resisted is counted. Without it: entry by entry. */
    void (*delete_recursively)(const TF_Filesystem *filesystem, const char *path, uint64_t *undeleted_files,
                               uint64_t *undeleted_dirs, TF_Status *status);
    /* Replaces `dst`. Without it: a copy, and `delete_file`. */
    void (*rename_file)(const TF_Filesystem *filesystem, const char *src, const char *dst, TF_Status *status);
    /* Without it: read and written. */
    void (*copy_file)(const TF_Filesystem *filesystem, const char *src, const char *dst, TF_Status *status);

    /* OK or NOT_FOUND. Without it: `stat`. */
    void (*path_exists)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
    bool (*paths_exist)(const TF_Filesystem *filesystem, char **paths, int num_files, TF_Status **statuses);
    void (*stat)(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats, TF_Status *status);
    bool (*is_directory)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
    int64_t (*get_file_size)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

    /* The path in the file system that a URI stands for: memory of `plugin_memory_allocate`, never NULL. */
    char *(*translate_name)(const TF_Filesystem *filesystem, const char *uri);
    /* Names in a directory; returns how many, or -1 with an error. The array and each name are memory of
     * `plugin_memory_allocate`, which the caller frees. */
    int (*get_children)(const TF_Filesystem *filesystem, const char *path, char ***entries, TF_Status *status);
    /* All URIs that match a pattern, which is a URI, too; memory as above. Without it: by `get_children`. */
    int (*get_matching_paths)(const TF_Filesystem *filesystem, const char *glob, char ***entries, TF_Status *status);
    void (*flush_caches)(const TF_Filesystem *filesystem);

    int (*start_transaction)(const TF_Filesystem *filesystem, TF_TransactionToken **token, TF_Status *status);
    int (*end_transaction)(const TF_Filesystem *filesystem, TF_TransactionToken *token, TF_Status *status);
    int (*add_to_transaction)(const TF_Filesystem *filesystem, const char *path, TF_TransactionToken *token,
                              TF_Status *status);
    int (*get_transaction_for_path)(const TF_Filesystem *filesystem, const char *path, TF_TransactionToken **token,
                                    TF_Status *status);
    int (*get_or_start_transaction_for_path)(const TF_Filesystem *filesystem, const char *path,
                                             TF_TransactionToken **token, TF_Status *status);
    char *(*decode_transaction_token)(const TF_Filesystem *filesystem, const TF_TransactionToken *token);

    void (*get_filesystem_configuration)(const TF_Filesystem *filesystem, TF_Filesystem_Option **options,
                                         int *num_options, TF_Status *status);
    void (*set_filesystem_configuration)(const TF_Filesystem *filesystem, const TF_Filesystem_Option *options,
                                         int num_options, TF_Status *status);
    void (*get_filesystem_configuration_option)(const TF_Filesystem *filesystem, const char *key,
                                                TF_Filesystem_Option **option, TF_Status *status);
    void (*set_filesystem_configuration_option)(const TF_Filesystem *filesystem, const TF_Filesystem_Option *option,
                                                TF_Status *status);
    void (*get_filesystem_configuration_keys)(const TF_Filesystem *filesystem, char **keys, int *num_keys,
                                              TF_Status *status);
} TF_FilesystemOps;

/* ---- versions: an ABI other than the library's is refused, an API other than its is not ---- */

#define TF_RANDOM_ACCESS_FILE_OPS_API       0
#define TF_RANDOM_ACCESS_FILE_OPS_ABI       0
#define TF_RANDOM_ACCESS_FILE_OPS_SIZE      (sizeof(TF_RandomAccessFileOps))
#define TF_WRITABLE_FILE_OPS_API            0
#define TF_WRITABLE_FILE_OPS_ABI            0
#define TF_WRITABLE_FILE_OPS_SIZE           (sizeof(TF_WritableFileOps))
#define TF_READ_ONLY_MEMORY_REGION_OPS_API  0
#define TF_READ_ONLY_MEMORY_REGION_OPS_ABI  0
#define TF_READ_ONLY_MEMORY_REGION_OPS_SIZE (sizeof(TF_ReadOnlyMemoryRegionOps))
#define TF_FILESYSTEM_OPS_API               0
#define TF_FILESYSTEM_OPS_ABI               0
#define TF_FILESYSTEM_OPS_SIZE              (sizeof(TF_FilesystemOps))

/* ---- what a plug-in tells ---- */

/* One scheme. The scheme and the tables are memory of `plugin_memory_allocate`; the library copies and frees them. */
typedef struct TF_FilesystemPluginOps {
    char *scheme; /* "foo" for "foo://" */
    int filesystem_ops_abi;
    int filesystem_ops_api;
    size_t filesystem_ops_size;
    TF_FilesystemOps *filesystem_ops; /* required, the others where a function needs them */
    int random_access_file_ops_abi;
    int random_access_file_ops_api;
    size_t random_access_file_ops_size;
    TF_RandomAccessFileOps *random_access_file_ops;
    int writable_file_ops_abi;
    int writable_file_ops_api;
    size_t writable_file_ops_size;
    TF_WritableFileOps *writable_file_ops;
    int read_only_memory_region_ops_abi;
    int read_only_memory_region_ops_api;
    size_t read_only_memory_region_ops_size;
    TF_ReadOnlyMemoryRegionOps *read_only_memory_region_ops;
} TF_FilesystemPluginOps;

/* All schemes of a plug-in: `ops` is an array of `num_schemes` in the plug-in's memory. Zeroed on entry. */
typedef struct TF_FilesystemPluginInfo {
    size_t num_schemes;
    TF_FilesystemPluginOps *ops;
    void *(*plugin_memory_allocate)(size_t size); /* both required */
    void (*plugin_memory_free)(void *ptr);
} TF_FilesystemPluginInfo;

/* Says which version of this header the plug-in was built with. Every plug-in calls it for each scheme. */
static inline void TF_SetFilesystemVersionMetadata(TF_FilesystemPluginOps *ops) {
    ops->filesystem_ops_abi = TF_FILESYSTEM_OPS_ABI;
    ops->filesystem_ops_api = TF_FILESYSTEM_OPS_API;
    ops->filesystem_ops_size = TF_FILESYSTEM_OPS_SIZE;
    ops->random_access_file_ops_abi = TF_RANDOM_ACCESS_FILE_OPS_ABI;
    ops->random_access_file_ops_api = TF_RANDOM_ACCESS_FILE_OPS_API;
    ops->random_access_file_ops_size = TF_RANDOM_ACCESS_FILE_OPS_SIZE;
    ops->writable_file_ops_abi = TF_WRITABLE_FILE_OPS_ABI;
    ops->writable_file_ops_api = TF_WRITABLE_FILE_OPS_API;
    ops->writable_file_ops_size = TF_WRITABLE_FILE_OPS_SIZE;
    ops->read_only_memory_region_ops_abi = TF_READ_ONLY_MEMORY_REGION_OPS_ABI;
    ops->read_only_memory_region_ops_api = TF_READ_ONLY_MEMORY_REGION_OPS_API;
    ops->read_only_memory_region_ops_size = TF_READ_ONLY_MEMORY_REGION_OPS_SIZE;
}

/* The plug-in defines it. */
TF_CAPI_EXPORT void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info);

#ifdef __cplusplus
}
#endif

#endif
