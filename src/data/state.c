/* States of walks: a list of values, found by a hash of path and key. */
#include "data/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/str_map.h"
#include "base/vec.h"

enum { PATH = 4096 };

struct entry {
    struct sl_str both; /* path, "@@", key */
    size_t path;        /* its length */
    struct sl_value value;
};
struct sl_state {
    struct sl_arena arena;
    SL_VEC(struct entry *) entries;
    struct sl_str_map by_both;
};

sl_code sl_state_new(struct sl_state **out, struct sl_error *err) {
    struct sl_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    sl_arena_init(&s->arena);
    *out = s;
    return SL_OK;
}

void sl_state_free(struct sl_state *s) {
    if (!s) return;
    for (size_t i = 0; i < s->entries.n; i++) sl_value_clear(&s->entries.items[i]->value);
    sl_vec_free(&s->entries);
    sl_str_map_free(&s->by_both);
    sl_arena_clear(&s->arena);
    sl_free(s);
}

const char *sl_state_key(char key[SL_STATE_KEY], const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(key, SL_STATE_KEY, format, args);
    va_end(args);
    return key;
}

/* ---- values */

static sl_code join(struct sl_str *out, struct sl_state *s, struct sl_str path, struct sl_str key,
                    struct sl_error *err) {
    char *both = sl_arena_alloc(&s->arena, path.n + key.n + 2);
    if (!both) return sl_fail_memory(err, path.n + key.n + 2);
    memcpy(both, path.p, path.n);
    memcpy(both + path.n, "@@", 2);
    memcpy(both + path.n + 2, key.p, key.n);
    *out = (struct sl_str){both, path.n + key.n + 2};
    return SL_OK;
}

sl_code sl_state_put_at(struct sl_state *s, struct sl_str path, struct sl_str key, const struct sl_value *value,
                        struct sl_error *err) {
    struct sl_str both;
    SL_TRY(join(&both, s, path, key, err));
    struct entry *e = sl_str_map_get(&s->by_both, both);
    if (e) {
        sl_value_clear(&e->value);
        e->value = sl_value_share(value);
        return SL_OK;
    }
    e = SL_ARENA_NEW(&s->arena, struct entry);
    if (!e || sl_vec_reserve(&s->entries, 1) || sl_str_map_put(&s->by_both, both, e))
        return sl_fail_memory(err, sizeof *e);
    *e = (struct entry){.both = both, .path = path.n, .value = sl_value_share(value)};
    s->entries.items[s->entries.n++] = e;
    return SL_OK;
}

/* The path of an iterator's part. */
static sl_code path_of(char path[PATH], const struct sl_iterator *it, const char *part, struct sl_error *err) {
    size_t n = 0;
    if (part[0] == '|') {
        n = (size_t)snprintf(path, PATH, "%s|", SL_STATE_FULL_NAME);
        part++;
    }
    sl_iterator_path(path + n, PATH - n, it);
    n = strlen(path);
    for (; *part == '-' && n > 0; part++) n--;
    const size_t more = strlen(part);
    if (n + more >= PATH - 1) return sl_fail(err, SL_UNIMPLEMENTED, "A pipeline is too deep for its position's names");
    memcpy(path + n, part, more + 1);
    return SL_OK;
}

sl_code sl_state_put_part(struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key,
                          const struct sl_value *value, struct sl_error *err) {
    char path[PATH];
    SL_TRY(path_of(path, it, part, err));
    return sl_state_put_at(s, sl_str_of(path), sl_str_of(key), value, err);
}

sl_code sl_state_put_part_int(struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key,
                              int64_t x, struct sl_error *err) {
    const struct sl_value value = {.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = x};
    return sl_state_put_part(s, it, part, key, &value, err);
}

static const struct entry *find_key(const struct sl_state *s, char both[PATH + SL_STATE_KEY + 2], size_t n,
                                    const char *key) {
    const int more = snprintf(both + n, SL_STATE_KEY + 2, "@@%s", key);
    return more < 0 ? NULL : sl_str_map_get(&s->by_both, (struct sl_str){both, n + (size_t)more});
}

static const struct entry *find(const struct sl_state *s, const struct sl_iterator *it, const char *part,
                                const char *key) {
    char both[PATH + SL_STATE_KEY + 2], other[SL_STATE_KEY];
    if (path_of(both, it, part, NULL) != SL_OK) return NULL;
    const size_t n = strlen(both);
    const struct entry *e = find_key(s, both, n, key);
    if (e) return e;
    snprintf(other, sizeof other, key[0] == ':' ? "%s" : ":%s", key[0] == ':' ? key + 1 : key);
    return find_key(s, both, n, other);
}

bool sl_state_has_part(const struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key) {
    return find(s, it, part, key) != NULL;
}

sl_code sl_state_get_part(struct sl_value *out, const struct sl_state *s, const struct sl_iterator *it,
                          const char *part, const char *key, struct sl_error *err) {
    const struct entry *e = find(s, it, part, key);
    if (e) {
        *out = sl_value_share(&e->value);
        return SL_OK;
    }
    char path[PATH];
    SL_TRY(path_of(path, it, part, err));
    return sl_fail(err, SL_NOT_FOUND,
                   "Failed to restore dataset iterator from checkpoint: %s, of which there is no '%s'. Make sure the "
                   "dataset definition has not changed between the process that saved the checkpoint and the process "
                   "that is restoring it.",
                   path, key);
}

sl_code sl_state_get_part_int(int64_t *out, const struct sl_state *s, const struct sl_iterator *it, const char *part,
                              const char *key, struct sl_error *err) {
    struct sl_value value;
    SL_TRY(sl_state_get_part(&value, s, it, part, key, err));
    const struct sl_view v = sl_value_view(&value);
    const bool is_int = v.dtype == SL_INT64 && v.count == 1;
    if (is_int) *out = *(const int64_t *)v.data;
    sl_value_clear(&value);
    return is_int ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "The saved state's '%s' is no integer", key);
}

sl_code sl_state_put_part_text(struct sl_state *s, const struct sl_iterator *it, const char *part, const char *key,
                               const char *text, struct sl_error *err) {
    struct sl_value value;
    SL_TRY(sl_value_new(&value, SL_STRING, SL_SHAPE_SCALAR, err));
    sl_code code = sl_string_set(sl_value_view(&value).data, sl_str_of(text), err);
    if (code == SL_OK) code = sl_state_put_part(s, it, part, key, &value, err);
    sl_value_clear(&value);
    return code;
}

sl_code sl_state_get_part_text(char **out, const struct sl_state *s, const struct sl_iterator *it, const char *part,
                               const char *key, struct sl_error *err) {
    struct sl_value value;
    SL_TRY(sl_state_get_part(&value, s, it, part, key, err));
    const struct sl_view v = sl_value_view(&value);
    sl_code code = v.dtype == SL_STRING && v.count == 1
                       ? SL_OK
                       : sl_fail(err, SL_INVALID_ARGUMENT, "The saved state's '%s' is no text", key);
    if (code == SL_OK) {
        const struct sl_str text = sl_string_get(v.data);
        *out = sl_malloc(text.n + 1);
        if (*out) memcpy(*out, text.p, text.n), (*out)[text.n] = 0;
        else code = sl_fail_memory(err, text.n);
    }
    sl_value_clear(&value);
    return code;
}

/* ---- of the iterator itself */

sl_code sl_state_put(struct sl_state *s, const struct sl_iterator *it, const char *key, const struct sl_value *value,
                     struct sl_error *err) {
    return sl_state_put_part(s, it, "", key, value, err);
}

sl_code sl_state_put_int(struct sl_state *s, const struct sl_iterator *it, const char *key, int64_t x,
                         struct sl_error *err) {
    return sl_state_put_part_int(s, it, "", key, x, err);
}

sl_code sl_state_put_mark(struct sl_state *s, const struct sl_iterator *it, const char *key, struct sl_error *err) {
    return sl_state_put_part_text(s, it, "", key, NULL, err);
}

sl_code sl_state_get(struct sl_value *out, const struct sl_state *s, const struct sl_iterator *it, const char *key,
                     struct sl_error *err) {
    return sl_state_get_part(out, s, it, "", key, err);
}

sl_code sl_state_get_int(int64_t *out, const struct sl_state *s, const struct sl_iterator *it, const char *key,
                         struct sl_error *err) {
    return sl_state_get_part_int(out, s, it, "", key, err);
}

bool sl_state_has(const struct sl_state *s, const struct sl_iterator *it, const char *key) {
    return sl_state_has_part(s, it, "", key);
}

/* ---- elements and lists */

sl_code sl_state_put_element(struct sl_state *s, const struct sl_iterator *it, const char *part,
                             const struct sl_value *element, int n, struct sl_error *err) {
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_part_int(s, it, part, "num_components", n, err));
    for (int i = 0; i < n; i++)
        SL_TRY(sl_state_put_part(s, it, part, sl_state_key(key, "component[%d]", i), &element[i], err));
    return SL_OK;
}

sl_code sl_state_get_element(struct sl_value *element, bool *is_there, int n, const struct sl_state *s,
                             const struct sl_iterator *it, const char *part, struct sl_error *err) {
    char key[SL_STATE_KEY];
    int64_t count;
    SL_TRY(sl_state_get_part_int(&count, s, it, part, "num_components", err));
    *is_there = count != 0;
    if (count != 0 && count != n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A saved element has %lld components, not %d", (long long)count, n);
    for (int i = 0; i < count; i++)
        SL_TRY(sl_state_get_part(&element[i], s, it, part, sl_state_key(key, "component[%d]", i), err));
    return SL_OK;
}

/* `format` with one number in it. */
static const char *numbered(char key[SL_STATE_KEY], const char *format, int i) {
    const char *hash = strchr(format, '#');
    snprintf(key, SL_STATE_KEY, "%.*s%d%s", (int)(hash - format), format, i, hash + 1);
    return key;
}

sl_code sl_state_put_list(struct sl_state *s, const struct sl_iterator *it, const char *count_key, const char *format,
                          const struct sl_value *values, int n, struct sl_error *err) {
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_int(s, it, count_key, n, err));
    for (int i = 0; i < n; i++) SL_TRY(sl_state_put(s, it, numbered(key, format, i), &values[i], err));
    return SL_OK;
}

sl_code sl_state_get_list(struct sl_value *values, int *count, int n, const struct sl_state *s,
                          const struct sl_iterator *it, const char *count_key, const char *format,
                          struct sl_error *err) {
    char key[SL_STATE_KEY];
    int64_t saved;
    SL_TRY(sl_state_get_int(&saved, s, it, count_key, err));
    if (saved < 0 || saved > n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A saved state has %lld values of '%s', at most %d are possible",
                       (long long)saved, format, n);
    for (int i = 0; i < saved; i++) SL_TRY(sl_state_get(&values[i], s, it, numbered(key, format, i), err));
    *count = (int)saved;
    return SL_OK;
}

bool sl_state_entry_at(struct sl_state_entry *out, const struct sl_state *s, size_t i) {
    if (i >= s->entries.n) return false;
    const struct entry *e = s->entries.items[i];
    *out = (struct sl_state_entry){{e->both.p, e->path}, {e->both.p + e->path + 2, e->both.n - e->path - 2}, &e->value};
    return true;
}
