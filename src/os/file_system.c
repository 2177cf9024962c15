/* Which file system serves a path: a list to which schemes are only ever added, so that looking up takes no lock. */
#include "os/file_system.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "os/mutex.h"

struct served {
    const struct sl_file_system *system;
    struct served *next;
};

static struct served *_Atomic served;
static struct sl_mutex adding = SL_MUTEX_INIT;

/* Of ASCII, whatever the locale. */
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_scheme_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.'; }

/* Letters, digits and dots at the start of `path`, 0 when the first is no letter. */
static size_t scheme_length(const char *path) {
    size_t n = 0;
    if (!is_letter(*path)) return 0;
    while (is_scheme_character(path[n])) n++;
    return n > 1 ? n : 0;
}

/* Before "://", of whatever file system. */
static struct sl_str any_scheme(const char *path) {
    size_t n = scheme_length(path);
    return (struct sl_str){path, n && strncmp(path + n, "://", 3) == 0 ? n : 0};
}

static bool is_machine(struct sl_str scheme) { return sl_str_is(scheme, "file"); }

struct sl_str sl_path_scheme(const char *path) {
    struct sl_str scheme = any_scheme(path);
    return is_machine(scheme) ? (struct sl_str){path, 0} : scheme;
}

const char *sl_path_within(const char *path) {
    struct sl_str scheme = any_scheme(path);
    if (!scheme.n) return path;
    const char *host = path + scheme.n + 3;
    return host + strcspn(host, "/");
}

static const struct sl_file_system *find(struct sl_str scheme) {
    for (const struct served *s = atomic_load_explicit(&served, memory_order_acquire); s; s = s->next)
        if (sl_str_is(scheme, s->system->scheme)) return s->system;
    return NULL;
}

sl_code sl_file_system_of(const struct sl_file_system **out, const char *path, struct sl_error *err) {
    struct sl_str scheme = sl_path_scheme(path);
    *out = scheme.n ? find(scheme) : NULL;
    if (*out || !scheme.n) return SL_OK;
    return sl_fail(err, SL_UNIMPLEMENTED, "File system scheme '%.*s' not implemented (file: '%s')", SL_STR_ARG(scheme),
                   path);
}

sl_code sl_file_system_add(const struct sl_file_system *system, struct sl_error *err) {
    struct sl_str scheme = sl_str_of(system->scheme);
    if (!scheme.n || scheme_length(scheme.p) != scheme.n)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "'%s' is no scheme of a file system: a letter and one or more letters, digits or dots",
                       system->scheme);
    struct served *row = sl_malloc(sizeof *row);
    if (!row) return sl_fail_memory(err, sizeof *row);
    sl_mutex_lock(&adding);
    bool is_new = !find(scheme) && !is_machine(scheme);
    if (is_new) {
        *row = (struct served){system, atomic_load_explicit(&served, memory_order_relaxed)};
        atomic_store_explicit(&served, row, memory_order_release);
    }
    sl_mutex_unlock(&adding);
    if (is_new) return SL_OK;
    sl_free(row);
    return sl_fail(err, SL_ALREADY_EXISTS, "File system for %s already registered", system->scheme);
}

sl_code sl_file_system_cannot(const struct sl_file_system *system, const char *what, const char *path,
                              struct sl_error *err) {
    return sl_fail(err, SL_UNIMPLEMENTED, "The file system of '%s' does not %s (file: '%s')", system->scheme, what,
                   path);
}
