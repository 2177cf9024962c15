/* Files and directories. Messages are "path; No such file or directory" with the code of `sl_code_from_errno`.
 *
 * Paths are NUL-terminated bytes, used as they are. Those with a scheme ("foo://host/path") belong to the file system
 * of that scheme (file_system.h), with its codes and messages. Interrupted calls are repeated; short reads and writes
 * are continued. Functions on paths are thread-safe; a reader may be shared by threads, a writer has one owner. */
#ifndef SL_OS_FILE_H
#define SL_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* The canonical code of an errno value: ENOENT is NOT_FOUND, and so on; UNKNOWN for those without one, EIO among
 * them. */
sl_code sl_code_from_errno(int error_number);
/* Fails with "subject; <words of the error>" and the errno's code. */
sl_code sl_fail_errno(struct sl_error *err, const char *subject, int error_number);

struct sl_file_system;

/* ---- whole files ---- */

/* Reads all of `path`. `*data` is owned by the caller (`sl_free`) and has a NUL after its `*size` bytes. A file of
 * more than `max_bytes` is RESOURCE_EXHAUSTED; the declared size is not trusted. */
sl_code sl_file_read(char **data, size_t *size, const char *path, size_t max_bytes, struct sl_error *err);
/* Writes `path` anew, without any promise about a crash. */
sl_code sl_file_write(const char *path, const void *data, size_t size, struct sl_error *err);
/* As above, but `path` holds either its old or its new bytes at any time, power loss included: temporary file beside
 * it, fsync, rename, fsync of the directory. On failure the temporary file is removed. With a scheme as far as its file
 * system's rename goes. */
sl_code sl_file_write_atomic(const char *path, const void *data, size_t size, struct sl_error *err);

/* A read-only view of a whole file. An empty file has size 0 and some valid pointer. If another process cuts the
 * file while it is mapped, touching the lost pages kills this one: map only files that nobody truncates (checkpoints
 * are replaced by rename), read others with a reader. */
struct sl_mapping {
    const char *data;
    size_t size;
    const struct sl_file_system *system; /* NULL: the machine's */
    void *region;                        /* of `system`; NULL: `data` was read into memory */
};
sl_code sl_mapping_open(struct sl_mapping *mapping, const char *path, struct sl_error *err);
void sl_mapping_close(struct sl_mapping *mapping); /* harmless twice, or on a zeroed struct */

/* `bytes` (> 0) bytes of a file of the system's own, from `offset` on, as memory that the caller may write, which does not change the
 * file. Pages are read when they are touched, and take memory of the program's own when they are written; who cuts the
 * file off meanwhile ends the program. OUT_OF_RANGE when the file is shorter, UNIMPLEMENTED for other file systems. */
sl_code sl_file_part_map(void **out, const char *path, uint64_t offset, size_t bytes, struct sl_error *err);
void sl_file_part_unmap(void *part, size_t bytes);

/* ---- reading at offsets ---- */

struct sl_input_file {
    int fd;
    char *path;                          /* for messages */
    const struct sl_file_system *system; /* NULL: the machine's */
    void *input;                         /* of `system` */
};
sl_code sl_input_file_open(struct sl_input_file *reader, const char *path, struct sl_error *err);
/* Reads up to `size` bytes at `offset`; `*got` is less than `size` only at the end of the file. Thread-safe. */
sl_code sl_input_file_read(size_t *got, const struct sl_input_file *reader, uint64_t offset, void *data, size_t size,
                           struct sl_error *err);
void sl_input_file_close(struct sl_input_file *reader); /* harmless twice */

/* ---- writing in pieces ---- */

enum sl_writer_mode {
    SL_WRITER_TRUNCATE, /* a new file, or an old one emptied */
    SL_WRITER_APPEND,   /* at the end of what is there */
    SL_WRITER_ATOMIC    /* into a temporary file that takes the name at `sl_writer_close`, as `sl_file_write_atomic` */
};
/* Zeroed memory is a closed writer. After a failed write, flush or sync every further one fails alike. */
struct sl_writer {
    int fd;
    enum sl_writer_mode mode;
    bool open;
    sl_code failed;
    char *path, *temporary; /* temporary: NULL but for SL_WRITER_ATOMIC */
    char *buffer;
    size_t used;
    char *large;                         /* of sl_writer_write_large; NULL until then */
    uint64_t position;                   /* bytes of the file so far, buffered ones included */
    const struct sl_file_system *system; /* NULL: the machine's */
    void *output;                        /* of `system` */
};
sl_code sl_writer_open(struct sl_writer *writer, const char *path, enum sl_writer_mode mode, struct sl_error *err);
sl_code sl_writer_write(struct sl_writer *writer, const void *data, size_t size, struct sl_error *err);
/* Writes many bytes (megabytes) past the system's cache, where it can: the disk begins at once, and nothing is
 * copied but by `copy(context, to, from, n)`, which gets the bytes in order, in pieces, and may look at them on the
 * way. Elsewhere as sl_writer_write. */
sl_code sl_writer_write_large(struct sl_writer *writer, const void *data, size_t size,
                              void (*copy)(void *context, void *to, const void *from, size_t n), void *context,
                              struct sl_error *err);
/* Hands buffered bytes to the system: other processes see them. */
sl_code sl_writer_flush(struct sl_writer *writer, struct sl_error *err);
/* Flush, and wait until the disk has them. */
sl_code sl_writer_sync(struct sl_writer *writer, struct sl_error *err);
/* Flush (with SL_WRITER_ATOMIC: sync and rename) and close. Closed afterwards also when it fails. Closing twice is
 * fine. */
sl_code sl_writer_close(struct sl_writer *writer, struct sl_error *err);
/* Closes without a flush; an atomic writer's temporary file is removed and `path` stays as it was. */
void sl_writer_abandon(struct sl_writer *writer);

/* ---- names in directories ---- */

struct sl_file_info {
    int64_t size;     /* bytes */
    int64_t mtime_ns; /* since 1970 UTC */
    bool is_dir;
    bool is_regular;
};
/* Follows symbolic links. */
sl_code sl_file_stat(struct sl_file_info *info, const char *path, struct sl_error *err);
/* OK or NOT_FOUND (or another code when that cannot be told). */
sl_code sl_file_exists(const char *path, struct sl_error *err);
sl_code sl_file_remove(const char *path, struct sl_error *err);
sl_code sl_file_rename(const char *from, const char *to, struct sl_error *err); /* replaces `to` */
/* A second name of the same file; `to` must not exist. UNIMPLEMENTED or another code where the file system has none. */
sl_code sl_file_link(const char *from, const char *to, struct sl_error *err);
/* Makes new names and renames beside `path` last: waits until the disk has its directory. */
sl_code sl_file_sync_names(const char *path, struct sl_error *err);
sl_code sl_file_copy(const char *from, const char *to, struct sl_error *err);

sl_code sl_dir_create(const char *path, struct sl_error *err);
/* With all that is missing above it; fine when it is there already. */
sl_code sl_dir_create_all(const char *path, struct sl_error *err);
sl_code sl_dir_remove(const char *path, struct sl_error *err); /* must be empty */
/* With everything below; symbolic links are removed, not followed. Stops at the first failure. */
sl_code sl_dir_remove_all(const char *path, struct sl_error *err);
/* Names (not paths) in `path` without "." and "..", sorted bytewise. Arena memory. */
sl_code sl_dir_list(char ***names, size_t *count, const char *path, struct sl_arena *arena, struct sl_error *err);

/* All paths that match `pattern`, sorted bytewise, in arena memory. `*`, `?`, `[a-z]`, `[!a-z]` and `\` as in
 * fnmatch(3), each within one component of the path; a leading dot is nothing special. No match is OK with `*count`
 * 0. Paths of a pattern that begins with a wildcard begin with "./". Directories that may not be read are skipped. RESOURCE_EXHAUSTED beyond a million paths. */
sl_code sl_path_glob(char ***paths, size_t *count, const char *pattern, struct sl_arena *arena, struct sl_error *err);

/* Whether one component of a path matches one of a pattern. Takes time by the product of their lengths at most. */
bool sl_path_match(const char *pattern, const char *name);

/* A name beside `prefix` that no other call, thread or process gives: "prefix.<16 hexadecimal digits>.tmp". Nothing
 * is created. Arena memory, NULL when memory is out. */
char *sl_path_temporary(struct sl_arena *arena, const char *prefix);
/* "dir" + "/" + "name" with exactly one slash between; `name` alone when `dir` is empty or `name` is absolute or has a
 * scheme. Arena memory, NULL when memory is out. */
char *sl_path_join(struct sl_arena *arena, const char *dir, const char *name);
/* The part after the last slash (a pointer into `path`). */
const char *sl_path_base(const char *path);
/* What stands before the last slash: "" when there is none, "/" for "/x", "foo://host/" for "foo://host/x", all of
 * "foo://host". Arena memory, NULL when memory is out. */
char *sl_path_dir(struct sl_arena *arena, const char *path);
/* The directory for temporary files: TMPDIR, TMP or TEMP, else "/tmp". */
const char *sl_path_temporary_dir(void);

#endif
