/* Contents of files: whole, mapped, at offsets, in pieces. Opening chooses the file system by the path's scheme; what
 * is open knows its own. Every system call goes through syscalls.h, so that the n-th can be made to fail, but for those
 * that take back what a failure leaves behind (descriptors, temporary files). */
#include "os/file.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/clock.h"
#include "os/file_system.h"
#include "os/syscalls.h"

enum {
    WRITER_BUFFER = 64 * 1024,
    LARGE_BUFFER = 4 << 20,
    BLOCK = 4096,                  /* no disk has larger ones */
    READ_START = 16 * 1024 * 1024, /* room that a declared size is given at once; further room as bytes come */
    TEMPORARY_TRIES = 100
};

/* ---- errors ---- */

sl_code sl_code_from_errno(int error_number) {
    switch (error_number) {
#define ROW(number, code)                                                                                              \
    case number:                                                                                                       \
        return SL_##code;
#include "os/errno.def"
#undef ROW
    }
    return SL_UNKNOWN;
}

/* The words in English whatever the locale, where the C library can. */
static const char *words_of(int error_number, char *buffer, size_t room) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32)
    const char *words = strerrordesc_np(error_number);
    if (words) return words;
#elif !defined(__GLIBC__)
    if (strerror_r(error_number, buffer, room) == 0) return buffer;
#endif
    snprintf(buffer, room, "Unknown error %d", error_number);
    return buffer;
}

sl_code sl_fail_errno(struct sl_error *err, const char *subject, int error_number) {
    char buffer[64];
    return sl_fail(err, sl_code_from_errno(error_number), "%s; %s", subject,
                   words_of(error_number, buffer, sizeof buffer));
}

/* Closes `fd` and fails with the errno that came before. */
static sl_code fail_closing(int fd, const char *path, struct sl_error *err) {
    int why = errno;
    close(fd);
    return sl_fail_errno(err, path, why);
}

/* ---- names ---- */

static char *copy_text(const char *text) {
    size_t n = strlen(text) + 1;
    char *copy = sl_malloc(n);
    if (copy) memcpy(copy, text, n);
    return copy;
}

static uint64_t random_word(void) {
    uint64_t word = 0;
    if (getrandom(&word, sizeof word, 0) == (ssize_t)sizeof word) return word;
    struct {
        int64_t now, pid;
        const void *stack;
    } seed = {sl_clock_ns(), getpid(), &seed};
    return sl_hash_bytes(&seed, sizeof seed);
}

char *sl_path_temporary(struct sl_arena *arena, const char *prefix) {
    return sl_arena_format(arena, "%s.%016" PRIx64 ".tmp", prefix, random_word());
}

/* ---- whole files ---- */

/* Goes on behind the `*done` bytes that are written. 0 or an errno. */
static int write_rest(size_t *done, int fd, const char *data, size_t size) {
    while (*done < size) {
        ssize_t n = sys_write(fd, data + *done, size - *done);
        if (n < 0) return errno;
        if (n == 0) return EIO;
        *done += (size_t)n;
    }
    return 0;
}

/* Writes all of `data`; 0 or an errno. */
static int write_all(int fd, const char *data, size_t size) {
    size_t done = 0;
    return write_rest(&done, fd, data, size);
}

/* The next bytes of an open file, `used` after its start: 0 at the end. */
static sl_code read_next(size_t *got, const struct sl_input_file *file, size_t used, char *data, size_t size,
                         struct sl_error *err) {
    if (file->system) return sl_input_file_read(got, file, used, data, size, err);
    ssize_t n = sys_read(file->fd, data, size);
    if (n < 0) return sl_fail_errno(err, file->path, errno);
    *got = (size_t)n;
    return SL_OK;
}

/* Reads `file` to its end into `*data`, which is freed by the caller also on failure. */
static sl_code read_to_end(char **data, size_t *size, const struct sl_input_file *file, size_t expected,
                           size_t max_bytes, struct sl_error *err) {
    size_t room = expected < READ_START ? expected : READ_START, used = 0;
    if (room < 4096) room = 4096;
    for (;;) {
        if (!*data || used + 1 >= room) {
            if (*data && room > SIZE_MAX / 2) return sl_fail_memory(err, room);
            if (*data) room *= 2;
            char *grown = sl_realloc(*data, room + 1);
            if (!grown) return sl_fail_memory(err, room);
            *data = grown;
        }
        size_t n;
        SL_TRY(read_next(&n, file, used, *data + used, room - used, err));
        used += n;
        if (used > max_bytes)
            return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s; file is larger than the limit of %zu bytes", file->path,
                           max_bytes);
        if (n == 0) break;
    }
    (*data)[used] = 0;
    *size = used;
    return SL_OK;
}

/* Of a path with a scheme. */
static sl_code read_by_scheme(char **data, size_t *size, const char *path, size_t max_bytes, struct sl_error *err) {
    struct sl_input_file file;
    struct sl_file_info info;
    char *read_so_far = NULL;
    SL_TRY(sl_input_file_open(&file, path, err));
    bool is_known = sl_file_stat(&info, path, NULL) == SL_OK && info.size > 0;
    sl_code code = read_to_end(&read_so_far, size, &file, is_known ? (size_t)info.size + 2 : 0, max_bytes, err);
    sl_input_file_close(&file);
    if (code == SL_OK) *data = read_so_far;
    else sl_free(read_so_far);
    return code;
}

sl_code sl_file_read(char **data, size_t *size, const char *path, size_t max_bytes, struct sl_error *err) {
    if (sl_path_scheme(path).n) return read_by_scheme(data, size, path, max_bytes, err);
    int fd = sys_open(path, O_RDONLY);
    if (fd < 0) return sl_fail_errno(err, path, errno);
    struct stat st;
    if (sys_stat_fd(fd, &st) != 0) return fail_closing(fd, path, err);
    char *read_so_far = NULL;
    sl_code code = SL_OK;
    if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > max_bytes)
        code = sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s; file of %lld bytes is larger than the limit of %zu bytes", path,
                       (long long)st.st_size, max_bytes);
    else
        code = read_to_end(&read_so_far, size, &(struct sl_input_file){.fd = fd, .path = (char *)(uintptr_t)path},
                           (size_t)st.st_size + 2, max_bytes, err);
    close(fd);
    if (code == SL_OK) *data = read_so_far;
    else sl_free(read_so_far);
    return code;
}

static sl_code write_whole(const char *path, enum sl_writer_mode mode, const void *data, size_t size,
                           struct sl_error *err) {
    struct sl_writer writer;
    SL_TRY(sl_writer_open(&writer, path, mode, err));
    sl_code code = sl_writer_write(&writer, data, size, err);
    if (code == SL_OK) return sl_writer_close(&writer, err);
    sl_writer_abandon(&writer);
    return code;
}

sl_code sl_file_write(const char *path, const void *data, size_t size, struct sl_error *err) {
    return write_whole(path, SL_WRITER_TRUNCATE, data, size, err);
}

sl_code sl_file_write_atomic(const char *path, const void *data, size_t size, struct sl_error *err) {
    return write_whole(path, SL_WRITER_ATOMIC, data, size, err);
}

static sl_code map_by_scheme(struct sl_mapping *mapping, const struct sl_file_system *system, const char *path,
                             struct sl_error *err) {
    sl_code code = SL_UNIMPLEMENTED;
    if (system->map) code = system->map(&mapping->region, &mapping->data, &mapping->size, system, path, err);
    if (code == SL_UNIMPLEMENTED || code == SL_INVALID_ARGUMENT) {
        char *data;
        mapping->region = NULL;
        code = read_by_scheme(&data, &mapping->size, path, SIZE_MAX / 2, err);
        mapping->data = code == SL_OK ? data : NULL;
    }
    if (code == SL_OK) mapping->system = system;
    return code;
}

sl_code sl_mapping_open(struct sl_mapping *mapping, const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    *mapping = (struct sl_mapping){.data = NULL};
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return map_by_scheme(mapping, system, path, err);
    int fd = sys_open(path, O_RDONLY);
    if (fd < 0) return sl_fail_errno(err, path, errno);
    struct stat st;
    if (sys_stat_fd(fd, &st) != 0) return fail_closing(fd, path, err);
    void *data = (void *)(uintptr_t) ""; /* an empty file cannot be mapped */
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return fail_closing(fd, path, err);
    }
    if (st.st_size > 0 && (data = sys_map(fd, (size_t)st.st_size)) == MAP_FAILED) return fail_closing(fd, path, err);
    close(fd);
    *mapping = (struct sl_mapping){.data = data, .size = (size_t)st.st_size};
    return SL_OK;
}

void sl_mapping_close(struct sl_mapping *mapping) {
    if (mapping->system && mapping->region) mapping->system->unmap(mapping->system, mapping->region);
    else if (mapping->system) sl_free((void *)(uintptr_t)mapping->data);
    else if (mapping->size > 0) munmap((void *)(uintptr_t)mapping->data, mapping->size);
    *mapping = (struct sl_mapping){.data = NULL};
}

/* What lies before a part within its first page. */
static size_t page_rest(uint64_t at) { return (size_t)(at & ((uint64_t)sysconf(_SC_PAGESIZE) - 1)); }

sl_code sl_file_part_map(void **out, const char *path, uint64_t offset, size_t bytes, struct sl_error *err) {
    const struct sl_file_system *system;
    struct stat st;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return sl_fail(err, SL_UNIMPLEMENTED, "%s; files of its kind cannot be mapped for writing", path);
    int fd = sys_open(path, O_RDONLY);
    if (fd < 0) return sl_fail_errno(err, path, errno);
    if (sys_stat_fd(fd, &st) != 0) return fail_closing(fd, path, err);
    const uint64_t size = st.st_size > 0 ? (uint64_t)st.st_size : 0;
    if (offset > size || bytes > size - offset) {
        close(fd);
        return sl_fail(err, SL_OUT_OF_RANGE, "%s; the file ends before the part that is to be mapped", path);
    }
    const size_t before = page_rest(offset);
    char *pages = sys_map_for_writing(fd, (off_t)(offset - before), before + bytes);
    if (pages == MAP_FAILED) return fail_closing(fd, path, err);
    close(fd);
    *out = pages + before;
    return SL_OK;
}

void sl_file_part_unmap(void *part, size_t bytes) {
    const size_t before = page_rest((uintptr_t)part);
    munmap((char *)part - before, before + bytes);
}

sl_code sl_file_copy(const char *from, const char *to, struct sl_error *err) {
    const struct sl_file_system *system, *target;
    struct sl_input_file reader;
    struct sl_writer writer;
    SL_TRY(sl_file_system_of(&system, from, err));
    SL_TRY(sl_file_system_of(&target, to, err));
    if (system && system == target && system->copy) return system->copy(system, from, to, err);
    SL_TRY(sl_input_file_open(&reader, from, err));
    char *buffer = sl_malloc(WRITER_BUFFER);
    sl_code code = buffer ? sl_writer_open(&writer, to, SL_WRITER_TRUNCATE, err) : sl_fail_memory(err, WRITER_BUFFER);
    if (code == SL_OK) {
        size_t got = WRITER_BUFFER;
        for (uint64_t at = 0; code == SL_OK && got == WRITER_BUFFER; at += got) {
            code = sl_input_file_read(&got, &reader, at, buffer, WRITER_BUFFER, err);
            if (code == SL_OK) code = sl_writer_write(&writer, buffer, got, err);
        }
        if (code == SL_OK) code = sl_writer_close(&writer, err);
        else sl_writer_abandon(&writer);
    }
    sl_free(buffer);
    sl_input_file_close(&reader);
    return code;
}

/* ---- reading at offsets ---- */

sl_code sl_input_file_open(struct sl_input_file *reader, const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    void *input = NULL;
    *reader = (struct sl_input_file){.fd = -1};
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system && (!system->open_input || !system->read)) return sl_file_system_cannot(system, "read files", path, err);
    char *copy = copy_text(path);
    if (!copy) return sl_fail_memory(err, strlen(path) + 1);
    int fd = -1;
    sl_code code = SL_OK;
    if (system) code = system->open_input(&input, system, path, err);
    else if ((fd = sys_open(path, O_RDONLY)) < 0) code = sl_fail_errno(err, path, errno);
    if (code == SL_OK) *reader = (struct sl_input_file){fd, copy, system, input};
    else sl_free(copy);
    return code;
}

static sl_code read_input(size_t *got, const struct sl_input_file *reader, uint64_t offset, void *data, size_t size,
                          struct sl_error *err) {
    size_t used = 0, n = 1;
    while (used < size && n > 0) {
        SL_TRY(reader->system->read(&n, reader->system, reader->input, offset + used, (char *)data + used, size - used,
                                    err));
        used += n;
    }
    *got = used;
    return SL_OK;
}

sl_code sl_input_file_read(size_t *got, const struct sl_input_file *reader, uint64_t offset, void *data, size_t size,
                           struct sl_error *err) {
    if (reader->system) return read_input(got, reader, offset, data, size, err);
    size_t used = 0;
    while (used < size && offset + used <= INT64_MAX && offset <= INT64_MAX) {
        ssize_t n = sys_read_at(reader->fd, (char *)data + used, size - used, (off_t)(offset + used));
        if (n < 0) return sl_fail_errno(err, reader->path, errno);
        if (n == 0) break;
        used += (size_t)n;
    }
    *got = used;
    return SL_OK;
}

void sl_input_file_close(struct sl_input_file *reader) {
    if (!reader->path) return;
    if (reader->system) reader->system->close_input(reader->system, reader->input);
    else close(reader->fd);
    sl_free(reader->path);
    *reader = (struct sl_input_file){.fd = -1};
}

/* ---- writing in pieces ---- */

/* Frees everything; the descriptor is closed already. */
static void forget(struct sl_writer *writer) {
    sl_free(writer->path);
    sl_free(writer->temporary);
    sl_free(writer->buffer);
    sl_free(writer->large);
    *writer = (struct sl_writer){.fd = -1};
}

static sl_code fail_writer(struct sl_writer *writer, int why, struct sl_error *err) {
    writer->failed = sl_code_from_errno(why);
    return sl_fail_errno(err, writer->path, why);
}

/* Gives the writer a name beside its path that nobody has. */
static bool choose_temporary(struct sl_writer *writer) {
    size_t room = strlen(writer->path) + 32;
    if (!writer->temporary) writer->temporary = sl_malloc(room);
    if (writer->temporary) snprintf(writer->temporary, room, "%s.%016" PRIx64 ".tmp", writer->path, random_word());
    return writer->temporary != NULL;
}

/* Opens a new file beside `path`, whose name nobody else has. -1 with errno on failure. */
static int open_temporary(struct sl_writer *writer) {
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        errno = ENOMEM;
        if (!choose_temporary(writer)) return -1;
        int fd = sys_open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static int open_for(struct sl_writer *writer) {
    switch (writer->mode) {
    case SL_WRITER_TRUNCATE: return sys_open(writer->path, O_WRONLY | O_CREAT | O_TRUNC);
    case SL_WRITER_APPEND: return sys_open(writer->path, O_WRONLY | O_CREAT | O_APPEND);
    case SL_WRITER_ATOMIC: return open_temporary(writer);
    }
    errno = EINVAL;
    return -1;
}

static sl_code open_output(struct sl_writer *writer, struct sl_error *err) {
    const struct sl_file_system *system = writer->system;
    if (!system->open_output || !system->append) return sl_file_system_cannot(system, "write files", writer->path, err);
    if (writer->mode == SL_WRITER_ATOMIC && !choose_temporary(writer)) return sl_fail_memory(err, strlen(writer->path));
    return system->open_output(&writer->output, &writer->position, system,
                               writer->temporary ? writer->temporary : writer->path, writer->mode == SL_WRITER_APPEND,
                               err);
}

sl_code sl_writer_open(struct sl_writer *writer, const char *path, enum sl_writer_mode mode, struct sl_error *err) {
    const struct sl_file_system *system;
    *writer = (struct sl_writer){.fd = -1};
    SL_TRY(sl_file_system_of(&system, path, err));
    *writer = (struct sl_writer){
        .fd = -1, .mode = mode, .path = copy_text(path), .buffer = sl_malloc(WRITER_BUFFER), .system = system};
    if (!writer->path || !writer->buffer) {
        forget(writer);
        return sl_fail_memory(err, WRITER_BUFFER);
    }
    if (system) {
        sl_code code = open_output(writer, err);
        if (code == SL_OK) writer->open = true;
        else forget(writer);
        return code;
    }
    writer->fd = open_for(writer);
    struct stat st = {.st_size = 0};
    if (writer->fd < 0 || (mode == SL_WRITER_APPEND && sys_stat_fd(writer->fd, &st) != 0)) {
        int why = errno;
        if (writer->fd >= 0) close(writer->fd);
        forget(writer);
        return sl_fail_errno(err, path, why);
    }
    writer->position = (uint64_t)st.st_size;
    writer->open = true;
    return SL_OK;
}

/* Refuses a closed writer and one that has failed: bytes are missing from it, so no later ones may follow. */
static sl_code check_writer(const struct sl_writer *writer, struct sl_error *err) {
    if (!writer->open) return sl_fail(err, SL_FAILED_PRECONDITION, "the file is closed");
    if (writer->failed != SL_OK) return sl_fail(err, writer->failed, "%s; an earlier write has failed", writer->path);
    return SL_OK;
}

/* Hands bytes to the file's system, past the buffer. */
static sl_code put_bytes(struct sl_writer *writer, const char *data, size_t size, struct sl_error *err) {
    if (writer->system) {
        if (size > 0) writer->failed = writer->system->append(writer->system, writer->output, data, size, err);
        return writer->failed;
    }
    int why = write_all(writer->fd, data, size);
    return why ? fail_writer(writer, why, err) : SL_OK;
}

/* Empties the buffer. */
static sl_code put_buffer(struct sl_writer *writer, struct sl_error *err) {
    SL_TRY(check_writer(writer, err));
    size_t used = writer->used;
    writer->used = 0;
    return put_bytes(writer, writer->buffer, used, err);
}

static sl_code flush_output(struct sl_writer *writer, bool to_medium, struct sl_error *err) {
    if (writer->system->flush) writer->failed = writer->system->flush(writer->system, writer->output, to_medium, err);
    return writer->failed;
}

sl_code sl_writer_flush(struct sl_writer *writer, struct sl_error *err) {
    SL_TRY(put_buffer(writer, err));
    return writer->system ? flush_output(writer, false, err) : SL_OK;
}

sl_code sl_writer_write(struct sl_writer *writer, const void *data, size_t size, struct sl_error *err) {
    SL_TRY(check_writer(writer, err));
    if (size == 0) return SL_OK;
    if (size > WRITER_BUFFER - writer->used) SL_TRY(put_buffer(writer, err));
    writer->position += size;
    if (size >= WRITER_BUFFER) return put_bytes(writer, data, size, err);
    memcpy(writer->buffer + writer->used, data, size);
    writer->used += size;
    return SL_OK;
}

/* ---- past the cache: memory, offsets and lengths are whole blocks then */

/* Whether writes now go past the cache. */
static bool set_direct(int fd, bool direct) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 && direct;
}

/* Writes whole blocks of `large`; turns to the cache for good when the file system wants it. */
static int write_blocks(struct sl_writer *writer, size_t n, bool *direct) {
    size_t done = 0;
    int why = write_rest(&done, writer->fd, writer->large, n);
    if (why != EINVAL || !*direct) return why;
    *direct = set_direct(writer->fd, false);
    return write_rest(&done, writer->fd, writer->large, n);
}

static sl_code append_pieces(struct sl_writer *writer, const char *data, size_t size,
                             void (*copy)(void *context, void *to, const void *from, size_t n), void *context,
                             struct sl_error *err) {
    for (size_t at = 0, n; at < size; at += n) {
        n = size - at < LARGE_BUFFER ? size - at : LARGE_BUFFER;
        copy(context, writer->large, data + at, n);
        SL_TRY(put_bytes(writer, writer->large, n, err));
        writer->position += n;
    }
    return SL_OK;
}

sl_code sl_writer_write_large(struct sl_writer *writer, const void *data, size_t size,
                              void (*copy)(void *context, void *to, const void *from, size_t n), void *context,
                              struct sl_error *err) {
    SL_TRY(put_buffer(writer, err));
    if (!writer->large && !(writer->large = sl_alloc_aligned(BLOCK, LARGE_BUFFER)))
        return sl_fail_memory(err, LARGE_BUFFER);
    if (writer->system) return append_pieces(writer, data, size, copy, context, err);
    bool direct = false, may_be_direct = true;
    int why = 0;
    for (size_t at = 0, n; why == 0 && at < size; at += n) {
        size_t beyond = (size_t)(writer->position % BLOCK); /* of the file's last block; 0 after the first piece */
        n = beyond ? BLOCK - beyond : LARGE_BUFFER;
        if (n > size - at) n = size - at;
        if (n > BLOCK) n -= n % BLOCK; /* the last piece is less than a block */
        copy(context, writer->large, (const char *)data + at, n);
        if (may_be_direct && n % BLOCK == 0) direct = set_direct(writer->fd, true), may_be_direct = false;
        if (direct && n % BLOCK) direct = set_direct(writer->fd, false);
        why = write_blocks(writer, n, &direct);
        writer->position += n;
    }
    if (direct) set_direct(writer->fd, false);
    return why ? fail_writer(writer, why, err) : SL_OK;
}

sl_code sl_writer_sync(struct sl_writer *writer, struct sl_error *err) {
    SL_TRY(put_buffer(writer, err));
    if (writer->system) return flush_output(writer, true, err);
    return sys_sync(writer->fd) == 0 ? SL_OK : fail_writer(writer, errno, err);
}

/* Makes a rename last: the directory of `path` to the disk. Some file systems cannot, which they say with EINVAL. */
static int sync_parent(const char *path) {
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 1;
    if (n >= sizeof parent) return ENAMETOOLONG;
    memcpy(parent, slash ? path : ".", n);
    parent[n] = 0;
    int fd = sys_open(parent, O_RDONLY | O_DIRECTORY);
    if (fd < 0) return errno == EACCES ? 0 : errno; /* a directory may be writable but not readable */
    int why = sys_sync(fd) == 0 || errno == EINVAL ? 0 : errno;
    close(fd);
    return why;
}

sl_code sl_file_sync_names(const char *path, struct sl_error *err) {
    if (sl_path_scheme(path).n) return SL_OK; /* the file system's own business */
    int why = sync_parent(path);
    return why ? sl_fail_errno(err, path, why) : SL_OK;
}

/* As sl_writer_close and sl_writer_abandon, of a path with a scheme. */
static sl_code close_output(struct sl_writer *writer, bool give_up, struct sl_error *err) {
    const struct sl_file_system *system = writer->system;
    sl_code code = give_up ? SL_ABORTED : writer->temporary ? sl_writer_sync(writer, err) : put_buffer(writer, err);
    if (code == SL_OK && system->close_output) code = system->close_output(system, writer->output, err);
    system->free_output(system, writer->output);
    if (code == SL_OK && writer->temporary) code = sl_file_rename(writer->temporary, writer->path, err);
    if (code != SL_OK && writer->temporary) (void)sl_file_remove(writer->temporary, NULL);
    forget(writer);
    return code;
}

sl_code sl_writer_close(struct sl_writer *writer, struct sl_error *err) {
    if (!writer->open) return SL_OK;
    if (writer->system) return close_output(writer, false, err);
    bool atomic = writer->mode == SL_WRITER_ATOMIC;
    sl_code code = atomic ? sl_writer_sync(writer, err) : put_buffer(writer, err);
    if (sys_close(writer->fd) != 0 && code == SL_OK) code = fail_writer(writer, errno, err);
    if (atomic) {
        if (code == SL_OK && sys_rename(writer->temporary, writer->path) != 0) code = fail_writer(writer, errno, err);
        if (code != SL_OK) unlink(sys_name(writer->temporary));
        int why = code == SL_OK ? sync_parent(writer->path) : 0;
        if (why) code = fail_writer(writer, why, err);
    }
    forget(writer);
    return code;
}

void sl_writer_abandon(struct sl_writer *writer) {
    if (!writer->open) return;
    if (writer->system) {
        (void)close_output(writer, true, NULL);
        return;
    }
    close(writer->fd);
    if (writer->temporary) unlink(sys_name(writer->temporary));
    forget(writer);
}
