/* Paths as arguments: copied once, with a NUL behind each, into the arena of their dataset. */
#include "data/file_names.h"

#include <string.h>

sl_code sl_file_name_copy(const char **out, struct sl_str name, struct sl_arena *arena, struct sl_error *err) {
    if (name.n && memchr(name.p, 0, name.n))
        return sl_fail(err, SL_INVALID_ARGUMENT, "The file name %.*s... holds a NUL", (int)strlen(name.p), name.p);
    char *path = sl_arena_alloc(arena, name.n + 1);
    if (!path) return sl_fail_memory(err, name.n + 1);
    if (name.n) memcpy(path, name.p, name.n);
    path[name.n] = 0;
    *out = path;
    return SL_OK;
}

sl_code sl_file_names_read(struct sl_file_names *out, struct sl_dataset *d, int i, const char *what,
                           struct sl_error *err) {
    const struct sl_view v = i < d->n_values ? sl_value_on_host(&d->values[i]) : (struct sl_view){.rank = -1};
    if (v.rank < 0 || v.rank > 1 || v.dtype != SL_STRING)
        return sl_fail(err, SL_INVALID_ARGUMENT, "`%s` must be a scalar or a vector.", what);
    const char **paths = SL_ARENA_ARRAY(&d->arena, const char *, (size_t)v.count + 1);
    if (!paths) return sl_fail_memory(err, (size_t)v.count * sizeof *paths);
    for (int64_t k = 0; k < v.count; k++)
        SL_TRY(sl_file_name_copy(&paths[k], sl_string_get((const TF_TString *)v.data + k), &d->arena, err));
    *out = (struct sl_file_names){paths, v.count};
    return SL_OK;
}
