/* Names in directories: what is there, making, removing, listing. Removing a tree goes down by descriptors, so that
 * a symbolic link put in place meanwhile cannot lead it elsewhere. Paths with a scheme go to their file system. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "os/file_system.h"
#include "os/syscalls.h"

enum { TREE_DEPTH_MAX = 200 }; /* one descriptor each while removing */

/* ---- paths with a scheme */

/* One of the functions that change a name. */
static sl_code change(const struct sl_file_system *system,
                      sl_code (*function)(const struct sl_file_system *, const char *, struct sl_error *),
                      const char *what, const char *path, struct sl_error *err) {
    return function ? function(system, path, err) : sl_file_system_cannot(system, what, path, err);
}

static sl_code stat_by_scheme(struct sl_file_info *info, const struct sl_file_system *system, const char *path,
                              struct sl_error *err) {
    if (!system->stat) return sl_file_system_cannot(system, "describe files", path, err);
    return system->stat(info, system, path, err);
}

static sl_code exists_by_scheme(const struct sl_file_system *system, const char *path, struct sl_error *err) {
    struct sl_file_info info;
    return system->exists ? system->exists(system, path, err) : stat_by_scheme(&info, system, path, err);
}

static sl_code rename_by_scheme(const struct sl_file_system *system, const char *from, const char *to,
                                struct sl_error *err) {
    if (system->rename) return system->rename(system, from, to, err);
    if (!system->remove) return sl_file_system_cannot(system, "rename files", from, err);
    SL_TRY(sl_file_copy(from, to, err));
    return system->remove(system, from, err);
}

static sl_code ensure_dir_by_scheme(const struct sl_file_system *system, const char *path, struct sl_error *err) {
    if (exists_by_scheme(system, path, NULL) == SL_OK) return SL_OK;
    sl_code code = change(system, system->create_dir, "make directories", path, err);
    return code == SL_ALREADY_EXISTS ? SL_OK : code; /* somebody else was faster */
}

/* The root, "scheme://host/", is never made. */
static sl_code create_all_by_scheme(const struct sl_file_system *system, const char *path, struct sl_error *err) {
    char part[PATH_MAX];
    size_t n = strlen(path), root = (size_t)(sl_path_within(path) - path);
    if (path[root] == 0 || path[root + 1] == 0) return SL_OK;
    if (system->create_dirs) return system->create_dirs(system, path, err);
    if (n >= sizeof part) return sl_fail_errno(err, path, ENAMETOOLONG);
    memcpy(part, path, n + 1);
    for (size_t i = root + 1; i < n; i++) {
        if (part[i] != '/' || part[i - 1] == '/') continue;
        part[i] = 0;
        SL_TRY(ensure_dir_by_scheme(system, part, err));
        part[i] = '/';
    }
    return ensure_dir_by_scheme(system, path, err);
}

static sl_code remove_all_by_scheme(const struct sl_file_system *system, const char *path, int depth,
                                    struct sl_error *err) {
    struct sl_file_info info;
    struct sl_arena arena;
    char **names;
    size_t n = 0;
    if (depth == 0 && system->remove_tree) return system->remove_tree(system, path, err);
    SL_TRY(stat_by_scheme(&info, system, path, err));
    if (!info.is_dir) return change(system, system->remove, "remove files", path, err);
    if (depth == TREE_DEPTH_MAX)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s; more than %d directories deep", path, TREE_DEPTH_MAX);
    sl_arena_init(&arena);
    sl_code code = sl_dir_list(&names, &n, path, &arena, err);
    for (size_t i = 0; code == SL_OK && i < n; i++) {
        char *below = sl_path_join(&arena, path, names[i]);
        code = below ? remove_all_by_scheme(system, below, depth + 1, err) : sl_fail_memory(err, strlen(path));
    }
    sl_arena_clear(&arena);
    return code == SL_OK ? change(system, system->remove_dir, "remove directories", path, err) : code;
}

/* ---- names */

sl_code sl_file_stat(struct sl_file_info *info, const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return stat_by_scheme(info, system, path, err);
    struct stat st;
    if (sys_stat(path, &st) != 0) return sl_fail_errno(err, path, errno);
#if defined(__APPLE__)
    struct timespec changed = st.st_mtimespec;
#else
    struct timespec changed = st.st_mtim;
#endif
    *info = (struct sl_file_info){.size = st.st_size,
                                  .mtime_ns = (int64_t)changed.tv_sec * 1000000000 + changed.tv_nsec,
                                  .is_dir = S_ISDIR(st.st_mode),
                                  .is_regular = S_ISREG(st.st_mode)};
    return SL_OK;
}

sl_code sl_file_exists(const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return exists_by_scheme(system, path, err);
    struct stat st;
    return sys_stat(path, &st) == 0 ? SL_OK : sl_fail_errno(err, path, errno);
}

sl_code sl_file_remove(const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return change(system, system->remove, "remove files", path, err);
    return sys_unlink(path) == 0 ? SL_OK : sl_fail_errno(err, path, errno);
}

sl_code sl_file_rename(const char *from, const char *to, struct sl_error *err) {
    const struct sl_file_system *system, *target;
    SL_TRY(sl_file_system_of(&system, from, err));
    SL_TRY(sl_file_system_of(&target, to, err));
    if (system != target) return sl_fail(err, SL_UNIMPLEMENTED, "Renaming %s to %s not implemented", from, to);
    if (system) return rename_by_scheme(system, from, to, err);
    return sys_rename(from, to) == 0 ? SL_OK : sl_fail_errno(err, from, errno);
}

sl_code sl_file_link(const char *from, const char *to, struct sl_error *err) {
    if (sl_path_scheme(from).n || sl_path_scheme(to).n)
        return sl_fail(err, SL_UNIMPLEMENTED, "Linking %s to %s not implemented", from, to);
    return sys_link(from, to) == 0 ? SL_OK : sl_fail_errno(err, to, errno);
}

sl_code sl_dir_create(const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return change(system, system->create_dir, "make directories", path, err);
    return sys_make_dir(path) == 0 ? SL_OK : sl_fail_errno(err, path, errno);
}

/* mkdir that is content with a directory already there. */
static sl_code ensure_dir(const char *path, struct sl_error *err) {
    if (sys_make_dir(path) == 0) return SL_OK;
    int why = errno;
    struct stat st;
    /* A directory that exists may answer EROFS or EACCES, too. */
    if (sys_stat(path, &st) != 0) return sl_fail_errno(err, path, why);
    return S_ISDIR(st.st_mode) ? SL_OK : sl_fail(err, SL_FAILED_PRECONDITION, "%s is not a directory", path);
}

sl_code sl_dir_create_all(const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return create_all_by_scheme(system, path, err);
    char part[PATH_MAX];
    size_t n = strlen(path);
    if (n >= sizeof part) return sl_fail_errno(err, path, ENAMETOOLONG);
    memcpy(part, path, n + 1);
    for (size_t i = (size_t)(sl_path_within(path) - path) + 1; i < n; i++) {
        if (part[i] != '/' || part[i - 1] == '/') continue;
        part[i] = 0;
        SL_TRY(ensure_dir(part, err));
        part[i] = '/';
    }
    return ensure_dir(path, err);
}

sl_code sl_dir_remove(const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return change(system, system->remove_dir, "remove directories", path, err);
    return sys_remove_dir(path) == 0 ? SL_OK : sl_fail_errno(err, path, errno);
}

static bool is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* ---- removing a tree ---- */

static sl_code empty_dir(int fd, const char *path, int depth, struct sl_error *err);

static sl_code remove_entry(int parent, const char *name, const char *path, int depth, struct sl_error *err) {
    if (sys_unlink_at(parent, name, 0) == 0 || errno == ENOENT) return SL_OK;
    if (errno != EISDIR && errno != EPERM) return sl_fail_errno(err, path, errno);
    if (depth == TREE_DEPTH_MAX)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s; more than %d directories deep", path, TREE_DEPTH_MAX);
    int fd = sys_open_at(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (fd < 0) return sl_fail_errno(err, path, errno == ENOTDIR ? EPERM : errno);
    SL_TRY(empty_dir(fd, path, depth + 1, err));
    if (sys_unlink_at(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return SL_OK;
    return sl_fail_errno(err, path, errno);
}

/* Takes `fd` over. `path` is the top of the tree, for messages. */
static sl_code empty_dir(int fd, const char *path, int depth, struct sl_error *err) {
    DIR *dir = fdopendir(fd);
    if (!dir) {
        int why = errno;
        close(fd);
        return sl_fail_errno(err, path, why);
    }
    sl_code code = SL_OK;
    while (code == SL_OK) {
        struct dirent *entry = sys_read_dir(dir);
        if (!entry) {
            if (errno) code = sl_fail_errno(err, path, errno);
            break;
        }
        if (!is_dot(entry->d_name)) code = remove_entry(fd, entry->d_name, path, depth, err);
    }
    closedir(dir);
    return code;
}

sl_code sl_dir_remove_all(const char *path, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return remove_all_by_scheme(system, path, 0, err);
    struct stat st;
    if (sys_stat_link(path, &st) != 0) return sl_fail_errno(err, path, errno);
    return remove_entry(AT_FDCWD, sys_name(path), path, 0, err);
}

/* ---- listing ---- */

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static sl_code list_by_scheme(char ***names, size_t *count, const struct sl_file_system *system, const char *path,
                              struct sl_arena *arena, struct sl_error *err) {
    if (!system->list) return sl_file_system_cannot(system, "list directories", path, err);
    SL_TRY(system->list(names, count, system, path, arena, err));
    if (*count) qsort(*names, *count, sizeof **names, by_bytes);
    return SL_OK;
}

sl_code sl_dir_list(char ***names, size_t *count, const char *path, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, path, err));
    if (system) return list_by_scheme(names, count, system, path, arena, err);
    DIR *dir = sys_open_dir(path);
    if (!dir) return sl_fail_errno(err, path, errno);
    SL_VEC(char *) found = {0};
    sl_code code = SL_OK;
    for (;;) {
        struct dirent *entry = sys_read_dir(dir);
        if (!entry) {
            if (errno) code = sl_fail_errno(err, path, errno);
            break;
        }
        if (is_dot(entry->d_name)) continue;
        struct sl_str name = sl_arena_str(arena, sl_str_of(entry->d_name));
        if (!name.p || sl_vec_push(&found, (char *)(uintptr_t)name.p) != 0) {
            code = sl_fail_memory(err, strlen(entry->d_name));
            break;
        }
    }
    closedir(dir);
    char **list = code == SL_OK ? SL_ARENA_ARRAY(arena, char *, found.n) : NULL;
    if (code == SL_OK && !list) code = sl_fail_memory(err, found.n * sizeof *list);
    if (code == SL_OK) {
        if (found.n) memcpy(list, found.items, found.n * sizeof *list);
        if (found.n) qsort(list, found.n, sizeof *list, by_bytes);
        *names = list;
        *count = found.n;
    }
    sl_vec_free(&found);
    return code;
}
