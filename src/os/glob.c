/* Patterns on paths, and the parts of a path. A pattern is worked off component by component: each stage turns the
 * paths found so far into those that match one component more. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "os/file_system.h"
#include "os/syscalls.h"

enum { PATHS_MAX = 1 << 20 }; /* links that lead upwards can make paths without end */

/* ---- one component ---- */

/* The character at `s` as a code point, and its length: UTF-8 where it is, else single bytes (kept apart from code
 * points). */
static size_t character(uint32_t *c, const char *s) {
    const unsigned char *u = (const unsigned char *)s;
    size_t more = u[0] >= 0xf0 && u[0] < 0xf8   ? 3
                  : u[0] >= 0xe0 && u[0] < 0xf0 ? 2
                  : u[0] >= 0xc2 && u[0] < 0xe0 ? 1
                                                : 0;
    *c = more ? u[0] & (0x3fu >> more) : u[0] < 0x80 ? u[0] : 0x80000000u | u[0];
    for (size_t i = 1; i <= more; i++) {
        if ((u[i] & 0xc0) != 0x80) {
            *c = 0x80000000u | u[0];
            return 1;
        }
        *c = *c << 6 | (u[i] & 0x3f);
    }
    return more + 1;
}

static const struct {
    const char *name; /* as it stands after "[:" */
    int (*test)(int c);
} classes[] = {{"alnum:]", isalnum}, {"alpha:]", isalpha}, {"blank:]", isblank}, {"cntrl:]", iscntrl},
               {"digit:]", isdigit}, {"graph:]", isgraph}, {"lower:]", islower}, {"print:]", isprint},
               {"punct:]", ispunct}, {"space:]", isspace}, {"upper:]", isupper}, {"xdigit:]", isxdigit}};

/* A class at `p`, which stands after "[:": its length and whether it holds `c`; 0 when there is none. */
static size_t match_class(bool *in, const char *p, uint32_t c) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t n = strlen(classes[i].name);
        if (strncmp(p, classes[i].name, n) != 0) continue;
        if (c < 0x80 && classes[i].test((int)c)) *in = true;
        return n;
    }
    return 0;
}

/* A bracket expression whose '[' stands before `p`: returns what follows its ']', NULL when it has none. */
static const char *match_bracket(bool *in, const char *p, uint32_t c) {
    bool negated = *p == '!' || *p == '^', found = false;
    if (negated) p++;
    for (bool first = true; *p != ']' || first; first = false) {
        if (!*p) return NULL;
        size_t n = p[0] == '[' && p[1] == ':' ? match_class(&found, p + 2, c) : 0;
        if (n) {
            p += n + 2;
            continue;
        }
        uint32_t low, high;
        if (*p == '\\' && p[1]) p++;
        p += character(&low, p);
        high = low;
        if (p[0] == '-' && p[1] && p[1] != ']') {
            p += p[1] == '\\' && p[2] ? 2 : 1;
            p += character(&high, p);
        }
        if (low <= c && c <= high) found = true;
    }
    *in = found != negated;
    return p + 1;
}

/* Matches one character of `name` against the element at `*p`; moves both on when it does. */
static bool match_one(const char **p, const char **name) {
    uint32_t c, wanted;
    size_t length = character(&c, *name);
    const char *after = NULL;
    bool in = false;
    if (**p == '?') {
        in = true;
        after = *p + 1;
    } else if (**p == '[') {
        after = match_bracket(&in, *p + 1, c);
    }
    if (!after) { /* a literal; an unclosed '[' is one, too */
        const char *literal = **p == '\\' ? *p + 1 : *p;
        if (!*literal) return false; /* a backslash at the end matches nothing */
        after = literal + character(&wanted, literal);
        in = c == wanted;
    }
    if (!in) return false;
    *p = after;
    *name += length;
    return true;
}

/* Only the last star is ever taken back: what an earlier one took is as good as any other choice. */
bool sl_path_match(const char *pattern, const char *name) {
    const char *star = NULL, *taken = NULL; /* after the last star; where its share of the name ends */
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            taken = name;
        } else if (!*pattern || !match_one(&pattern, &name)) {
            if (!star) return false;
            uint32_t c;
            taken += character(&c, taken);
            name = taken;
            pattern = star;
        }
    }
    while (*pattern == '*') pattern++;
    return !*pattern;
}

/* ---- whole paths ---- */

typedef SL_VEC(char *) path_list;

static sl_code add_path(path_list *list, struct sl_arena *arena, const char *prefix, const char *name, const char *tail,
                        struct sl_error *err) {
    if (list->n >= PATHS_MAX) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "more than %d paths match", PATHS_MAX);
    char *path = sl_arena_format(arena, "%s%s%s", prefix, name, tail);
    return path && sl_vec_push(list, path) == 0 ? SL_OK : sl_fail_memory(err, strlen(prefix) + strlen(name) + 2);
}

/* As `expand`, in a directory of a path with a scheme. */
static sl_code expand_by_scheme(path_list *list, const char *prefix, const char *component, const char *tail,
                                struct sl_arena *arena, struct sl_error *err) {
    char **names;
    size_t n;
    sl_code code = sl_dir_list(&names, &n, prefix, arena, err);
    if (code == SL_NOT_FOUND || code == SL_FAILED_PRECONDITION || code == SL_PERMISSION_DENIED) return SL_OK;
    for (size_t i = 0; code == SL_OK && i < n; i++)
        if (sl_path_match(component, names[i])) code = add_path(list, arena, prefix, names[i], tail, err);
    return code;
}

/* Adds `prefix` + name + `tail` for each name in the directory `prefix` that matches `component`. */
static sl_code expand(path_list *list, const char *prefix, const char *component, const char *tail,
                      struct sl_arena *arena, struct sl_error *err) {
    if (sl_path_scheme(prefix).n) return expand_by_scheme(list, prefix, component, tail, arena, err);
    DIR *dir = sys_open_dir(*prefix ? prefix : ".");
    if (!dir) {
        bool harmless =
            errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP || errno == ENAMETOOLONG;
        return harmless ? SL_OK : sl_fail_errno(err, prefix, errno);
    }
    sl_code code = SL_OK;
    while (code == SL_OK) {
        struct dirent *entry = sys_read_dir(dir);
        if (!entry) {
            if (errno) code = sl_fail_errno(err, prefix, errno);
            break;
        }
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || !sl_path_match(component, name)) continue;
        code = add_path(list, arena, prefix, name, tail, err);
    }
    closedir(dir);
    return code;
}

static bool is_there(const char *path) { return sl_file_exists(path, NULL) == SL_OK; }

/* One stage: `from` holds directories with their slash (or ""), `component` what comes next, `last` whether it ends
 * there. */
static sl_code advance(path_list *to, const path_list *from, const char *component, bool last, struct sl_arena *arena,
                       struct sl_error *err) {
    bool literal = !strpbrk(component, "*?[\\");
    for (size_t i = 0; i < from->n; i++) {
        if (!literal) {
            SL_TRY(expand(to, from->items[i], component, last ? "" : "/", arena, err));
            continue;
        }
        SL_TRY(add_path(to, arena, from->items[i], component, last ? "" : "/", err));
        if (last && !is_there(to->items[to->n - 1])) to->n--;
    }
    return SL_OK;
}

/* Works off `rest`, the pattern from the first component with a wildcard on; `found` starts with the directory
 * before it. */
static sl_code walk(path_list *found, char *rest, struct sl_arena *arena, struct sl_error *err) {
    path_list next = {0};
    sl_code code = SL_OK;
    while (code == SL_OK && *rest) {
        size_t n = strcspn(rest, "/"), slashes = strspn(rest + n, "/");
        bool last = rest[n + slashes] == 0;
        rest[n] = 0;
        next.n = 0;
        code = advance(&next, found, rest, last, arena, err);
        path_list done = *found;
        *found = next;
        next = done;
        rest += n + (last ? 0 : slashes);
        if (last) break;
    }
    sl_vec_free(&next);
    return code;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

sl_code sl_path_glob(char ***paths, size_t *count, const char *pattern, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_file_system *system;
    SL_TRY(sl_file_system_of(&system, pattern, err));
    if (system && system->glob) {
        SL_TRY(system->glob(paths, count, system, pattern, arena, err));
        if (*count) qsort(*paths, *count, sizeof **paths, by_bytes);
        return SL_OK;
    }
    size_t fixed = strcspn(pattern, "*?[\\");
    bool literal = pattern[fixed] == 0;
    while (!literal && fixed > 0 && pattern[fixed - 1] != '/') fixed--;
    const struct sl_str here = SL_STR("./");
    struct sl_str start = sl_arena_str(arena, fixed ? (struct sl_str){pattern, fixed} : here);
    struct sl_str rest = sl_arena_str(arena, sl_str_of(pattern + fixed));
    path_list found = {0};
    if (!start.p || !rest.p || sl_vec_push(&found, (char *)(uintptr_t)start.p) != 0)
        return sl_fail_memory(err, strlen(pattern));

    sl_code code = SL_OK;
    if (literal) found.n = is_there(pattern);
    else code = walk(&found, (char *)(uintptr_t)rest.p, arena, err);
    char **list = code == SL_OK ? SL_ARENA_ARRAY(arena, char *, found.n) : NULL;
    if (code == SL_OK && !list) code = sl_fail_memory(err, found.n * sizeof *list);
    if (code == SL_OK) {
        if (found.n) memcpy(list, found.items, found.n * sizeof *list);
        if (found.n) qsort(list, found.n, sizeof *list, by_bytes);
        *paths = list;
        *count = found.n;
    }
    sl_vec_free(&found);
    return code;
}

/* ---- parts of a path ---- */

char *sl_path_join(struct sl_arena *arena, const char *dir, const char *name) {
    if (!*dir || *name == '/' || sl_path_within(name) != name) return sl_arena_format(arena, "%s", name);
    return sl_arena_format(arena, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", name);
}

const char *sl_path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *sl_path_dir(struct sl_arena *arena, const char *path) {
    const char *within = sl_path_within(path), *slash = strrchr(within, '/');
    size_t n = (size_t)((!slash ? within : slash == within ? slash + 1 : slash) - path);
    return sl_arena_format(arena, "%.*s", (int)n, path);
}

const char *sl_path_temporary_dir(void) {
    static const char *const names[] = {"TMPDIR", "TMP", "TEMP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *dir = getenv(names[i]);
        if (dir && *dir) return dir;
    }
    return "/tmp";
}
