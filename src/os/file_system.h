/* File systems other than the machine's: who serves the paths "scheme://...". The functions of file.h ask here, so that
 * every path that the library opens may have a scheme. A path without one is the machine's, at the cost of looking at
 * its first letters, and so is "file://host/path", which syscalls.h takes the path of.
 *
 * Scheme: a letter and one or more letters, digits or dots before "://". Threads: all is thread-safe; a file system,
 * once added, stays until the process ends. */
#ifndef SL_OS_FILE_SYSTEM_H
#define SL_OS_FILE_SYSTEM_H

#include "base/str.h"
#include "os/file.h"

/* What a file system does. Paths are whole, with their scheme, and borrowed. Functions that are NULL are UNIMPLEMENTED
 * unless a substitute is named. They are called from any thread, but each output from one at a time. */
struct sl_file_system {
    const char *scheme;

    /* Inputs: NOT_FOUND when there is no such file. `*got` is 0 at the end of the file only. */
    sl_code (*open_input)(void **input, const struct sl_file_system *system, const char *path, struct sl_error *err);
    sl_code (*read)(size_t *got, const struct sl_file_system *system, void *input, uint64_t offset, void *data,
                    size_t size, struct sl_error *err);
    void (*close_input)(const struct sl_file_system *system, void *input);
    /* A file as memory. Without it, or where it says UNIMPLEMENTED or INVALID_ARGUMENT (an empty file), the file is
     * read. */
    sl_code (*map)(void **region, const char **data, size_t *size, const struct sl_file_system *system,
                   const char *path, struct sl_error *err);
    void (*unmap)(const struct sl_file_system *system, void *region);

    /* Outputs: emptied, or (`at_end`) continued behind `*position` bytes. `close_output` ends writing, `free_output`
     * comes after it, or alone when the output is given up. */
    sl_code (*open_output)(void **output, uint64_t *position, const struct sl_file_system *system, const char *path,
                           bool at_end, struct sl_error *err);
    sl_code (*append)(const struct sl_file_system *system, void *output, const void *data, size_t size,
                      struct sl_error *err);
    sl_code (*flush)(const struct sl_file_system *system, void *output, bool to_medium, struct sl_error *err);
    sl_code (*close_output)(const struct sl_file_system *system, void *output, struct sl_error *err);
    void (*free_output)(const struct sl_file_system *system, void *output);

    /* Names, as in file.h. */
    sl_code (*stat)(struct sl_file_info *info, const struct sl_file_system *system, const char *path,
                    struct sl_error *err);
    sl_code (*exists)(const struct sl_file_system *system, const char *path, struct sl_error *err); /* stat */
    sl_code (*remove)(const struct sl_file_system *system, const char *path, struct sl_error *err);
    sl_code (*rename)(const struct sl_file_system *system, const char *from, const char *to,
                      struct sl_error *err); /* copy and remove */
    sl_code (*copy)(const struct sl_file_system *system, const char *from, const char *to,
                    struct sl_error *err); /* read and append */
    sl_code (*create_dir)(const struct sl_file_system *system, const char *path, struct sl_error *err);
    sl_code (*create_dirs)(const struct sl_file_system *system, const char *path,
                           struct sl_error *err); /* create_dir, part by part */
    sl_code (*remove_dir)(const struct sl_file_system *system, const char *path, struct sl_error *err);
    sl_code (*remove_tree)(const struct sl_file_system *system, const char *path,
                           struct sl_error *err); /* list, stat, remove and remove_dir */
    /* In any order, in arena memory. */
    sl_code (*list)(char ***names, size_t *count, const struct sl_file_system *system, const char *path,
                    struct sl_arena *arena, struct sl_error *err);
    sl_code (*glob)(char ***paths, size_t *count, const struct sl_file_system *system, const char *pattern,
                    struct sl_arena *arena, struct sl_error *err); /* list and exists */
};

/* Serves the paths of `system->scheme` from now on; `system` is borrowed for ever. ALREADY_EXISTS when somebody does,
 * INVALID_ARGUMENT when the scheme is not one. */
sl_code sl_file_system_add(const struct sl_file_system *system, struct sl_error *err);

/* `*out` is NULL for a path of the machine's. UNIMPLEMENTED when nobody serves its scheme. */
sl_code sl_file_system_of(const struct sl_file_system **out, const char *path, struct sl_error *err);

/* The letters of `path` before "://": empty when it is one of the machine's. */
struct sl_str sl_path_scheme(const char *path);
/* What follows "scheme://host" ("" or "/..."); the whole path where there is no scheme. */
const char *sl_path_within(const char *path);
/* UNIMPLEMENTED: `system` does not `what` ("write files"). */
sl_code sl_file_system_cannot(const struct sl_file_system *system, const char *what, const char *path,
                              struct sl_error *err);

#endif
