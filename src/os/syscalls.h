/* The system calls of the file functions, each asking fault.h first and repeated while interrupted. For the .c files of
 * this room only. They return what the call returns and set errno. Thread-safe. */
#ifndef SL_OS_SYSCALLS_H
#define SL_OS_SYSCALLS_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/fault.h"
#include "os/file_system.h"

/* What the system calls a file: "file://host" in front is not part of it. */
static inline const char *sys_name(const char *path) {
    return __builtin_strncmp(path, "file://", 7) == 0 ? sl_path_within(path) : path;
}

/* Evaluates `call` until it is not interrupted; an injected fault counts as a failed call. */
#define SL_SYSCALL(type, call)                                                                                         \
    type rc;                                                                                                           \
    do rc = sl_fault() ? -1 : (call);                                                                                  \
    while (rc == -1 && errno == EINTR);                                                                                \
    return rc

static inline int sys_open(const char *path, int flags) {
    SL_SYSCALL(int, open(sys_name(path), flags | O_CLOEXEC, 0666));
}
static inline int sys_open_at(int dir, const char *name, int flags) {
    SL_SYSCALL(int, openat(dir, name, flags | O_CLOEXEC));
}
static inline ssize_t sys_read(int fd, void *data, size_t n) { SL_SYSCALL(ssize_t, read(fd, data, n)); }
static inline ssize_t sys_read_at(int fd, void *data, size_t n, off_t at) {
    SL_SYSCALL(ssize_t, pread(fd, data, n, at));
}
static inline ssize_t sys_write(int fd, const void *data, size_t n) { SL_SYSCALL(ssize_t, write(fd, data, n)); }
static inline int sys_sync(int fd) { SL_SYSCALL(int, fsync(fd)); }
static inline int sys_stat(const char *path, struct stat *st) { SL_SYSCALL(int, stat(sys_name(path), st)); }
static inline int sys_stat_link(const char *path, struct stat *st) { SL_SYSCALL(int, lstat(sys_name(path), st)); }
static inline int sys_stat_fd(int fd, struct stat *st) { SL_SYSCALL(int, fstat(fd, st)); }
static inline int sys_rename(const char *from, const char *to) {
    SL_SYSCALL(int, rename(sys_name(from), sys_name(to)));
}
static inline int sys_link(const char *from, const char *to) { SL_SYSCALL(int, link(sys_name(from), sys_name(to))); }
static inline int sys_unlink(const char *path) { SL_SYSCALL(int, unlink(sys_name(path))); }
static inline int sys_unlink_at(int dir, const char *name, int flags) { SL_SYSCALL(int, unlinkat(dir, name, flags)); }
static inline int sys_make_dir(const char *path) { SL_SYSCALL(int, mkdir(sys_name(path), 0777)); }
static inline int sys_remove_dir(const char *path) { SL_SYSCALL(int, rmdir(sys_name(path))); }

/* Never repeated: after an interrupted close the descriptor is gone. An injected fault closes it, too. */
static inline int sys_close(int fd) {
    bool fault = sl_fault();
    int why = errno, rc = close(fd);
    if (fault) errno = why;
    return fault || (rc != 0 && errno != EINTR) ? -1 : 0;
}
static inline void *sys_map(int fd, size_t n) {
    return sl_fault() ? MAP_FAILED : mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
}
static inline void *sys_map_for_writing(int fd, off_t offset, size_t n) {
    return sl_fault() ? MAP_FAILED : mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, offset);
}
static inline DIR *sys_open_dir(const char *path) { return sl_fault() ? NULL : opendir(sys_name(path)); }
/* NULL at the end with errno 0, or on failure. */
static inline struct dirent *sys_read_dir(DIR *dir) {
    if (sl_fault()) return NULL;
    errno = 0;
    return readdir(dir);
}

#undef SL_SYSCALL

#endif
