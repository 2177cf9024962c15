/* MatchingFilesDataset: patterns; the files that match the first one, by name, then those of the next. A pattern is
 * looked up when the walk comes to it. Called by iterators. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "data/file_names.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/state.h"
#include "os/file_system.h"

struct match_iterator {
    struct sl_iterator base;
    struct sl_arena arena; /* of `paths` */
    char **paths;          /* of the pattern before `at` */
    size_t n, given;
    int64_t at;
    bool has_match;
};

static sl_code match_init(struct sl_dataset *d, struct sl_error *err) {
    const struct sl_view v = sl_value_on_host(&d->values[0]);
    struct sl_file_names *patterns = d->state;
    const char **paths = SL_ARENA_ARRAY(&d->arena, const char *, (size_t)v.count + 1);
    if (v.dtype != SL_STRING) return sl_fail(err, SL_INVALID_ARGUMENT, "`patterns` must be strings");
    if (!paths) return sl_fail_memory(err, (size_t)v.count * sizeof *paths);
    for (int64_t i = 0; i < v.count; i++)
        SL_TRY(sl_file_name_copy(&paths[i], sl_string_get((const TF_TString *)v.data + i), &d->arena, err));
    *patterns = (struct sl_file_names){paths, v.count};
    return SL_OK;
}

static sl_code match_begin(struct sl_iterator *self, struct sl_error *err) {
    (void)err;
    sl_arena_init(&((struct match_iterator *)self)->arena);
    return SL_OK;
}
static void match_end(struct sl_iterator *self) { sl_arena_clear(&((struct match_iterator *)self)->arena); }

/* What comes before the first component with a wildcard, or before the last one, has to be a directory. */
static sl_code check_folder(const char *pattern, struct sl_arena *arena, struct sl_error *err) {
    size_t n = strcspn(pattern, "*?[\\");
    while (n > 0 && pattern[n - 1] != '/') n--;
    while (n > 1 && pattern[n - 1] == '/') n--;
    if (n == 0 || sl_path_scheme(pattern).n) return SL_OK;
    const struct sl_str folder = sl_arena_str(arena, (struct sl_str){pattern, n});
    return folder.p ? sl_file_exists(folder.p, err) : sl_fail_memory(err, n);
}

/* Looks the next pattern up. Stays at it after a failure. */
static sl_code next_pattern(struct match_iterator *it, struct sl_error *err) {
    const char *pattern = ((const struct sl_file_names *)it->base.dataset->state)->paths[it->at];
    char **found;
    size_t n = 0;
    it->n = it->given = 0;
    sl_arena_reset(&it->arena);
    if (!strchr(pattern, '/') && *pattern && !(pattern = sl_arena_format(&it->arena, "./%s", pattern)))
        return sl_fail_memory(err, 0);
    SL_TRY(check_folder(pattern, &it->arena, err));
    SL_TRY(sl_path_glob(&found, &n, pattern, &it->arena, err));
    for (size_t i = 0; i < n; i++) {
        struct sl_file_info info;
        if (sl_file_stat(&info, found[i], NULL) == SL_OK && !info.is_dir) found[it->n++] = found[i];
    }
    it->paths = found;
    it->has_match = it->has_match || it->n > 0;
    it->at++;
    return SL_OK;
}

static sl_code match_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct match_iterator *it = (struct match_iterator *)self;
    const struct sl_file_names *patterns = self->dataset->state;
    while (it->given == it->n) {
        if (it->at == patterns->n) {
            if (!it->has_match) return sl_fail(err, SL_NOT_FOUND, "Don't find any matched files");
            *is_end = true;
            return SL_OK;
        }
        SL_TRY(next_pattern(it, err));
    }
    SL_TRY(sl_value_new(&element[0], SL_STRING, SL_SHAPE_SCALAR, err));
    return sl_string_set(sl_value_view(&element[0]).data, sl_str_of(it->paths[it->given++]), err);
}

/* ---- states: the pattern, and the paths that are left of it */

static sl_code put_text(struct sl_state *state, const struct sl_iterator *self, const char *key, const char *text,
                        struct sl_error *err) {
    struct sl_value value = {0};
    SL_TRY(sl_value_new(&value, SL_STRING, SL_SHAPE_SCALAR, err));
    sl_code code = sl_string_set(sl_value_view(&value).data, sl_str_of(text), err);
    if (code == SL_OK) code = sl_state_put(state, self, key, &value, err);
    sl_value_clear(&value);
    return code;
}

static sl_code match_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct match_iterator *it = (const struct match_iterator *)self;
    const struct sl_file_names *patterns = self->dataset->state;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_put_int(state, self, ":current_pattern_index", it->at, err));
    SL_TRY(put_text(state, self, ":current_pattern", it->at ? patterns->paths[it->at - 1] : "", err));
    SL_TRY(sl_state_put_int(state, self, ":hasMatch", it->has_match, err));
    SL_TRY(sl_state_put_int(state, self, ":isWindows", 0, err));
    if (it->given == it->n) return SL_OK;
    SL_TRY(sl_state_put_int(state, self, ":queue_size", (int64_t)(it->n - it->given), err));
    for (size_t i = it->given; i < it->n; i++) {
        SL_TRY(put_text(state, self, sl_state_key(key, ":path_%zu", i - it->given), it->paths[i], err));
        SL_TRY(sl_state_put_int(state, self, sl_state_key(key, ":path_status_%zu", i - it->given), 0, err));
    }
    return SL_OK;
}

static sl_code get_path(char **out, struct match_iterator *it, const char *key, const struct sl_state *state,
                        struct sl_error *err) {
    struct sl_value value;
    SL_TRY(sl_state_get(&value, state, &it->base, key, err));
    const struct sl_view v = sl_value_view(&value);
    const char *path = NULL;
    sl_code code = v.dtype == SL_STRING && v.count == 1
                       ? sl_file_name_copy(&path, sl_string_get(v.data), &it->arena, err)
                       : sl_fail(err, SL_INVALID_ARGUMENT, "The saved state's '%s' is no string", key);
    sl_value_clear(&value);
    *out = (char *)(uintptr_t)path;
    return code;
}

static sl_code match_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct match_iterator *it = (struct match_iterator *)self;
    const struct sl_file_names *patterns = self->dataset->state;
    int64_t has_match, left = 0;
    char key[SL_STATE_KEY];
    SL_TRY(sl_state_get_int(&it->at, state, self, ":current_pattern_index", err));
    SL_TRY(sl_state_get_int(&has_match, state, self, ":hasMatch", err));
    it->has_match = has_match != 0;
    if (sl_state_has(state, self, ":queue_size")) SL_TRY(sl_state_get_int(&left, state, self, ":queue_size", err));
    if (it->at < 0 || it->at > patterns->n || left < 0 || left > INT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state is at pattern %" PRId64 " of %" PRId64, it->at,
                       patterns->n);
    for (int64_t i = 0; i < left; i++) /* what is not there takes no memory */
        if (!sl_state_has(state, self, sl_state_key(key, ":path_%" PRId64, i)))
            return sl_fail(err, SL_NOT_FOUND, "The saved state has no '%s'", key);
    it->paths = SL_ARENA_ARRAY(&it->arena, char *, (size_t)left + 1);
    if (!it->paths) return sl_fail_memory(err, (size_t)left * sizeof *it->paths);
    for (; it->n < (size_t)left; it->n++)
        SL_TRY(get_path(&it->paths[it->n], it, sl_state_key(key, ":path_%zu", it->n), state, err));
    return SL_OK;
}

const struct sl_dataset_kind sl_match_data = {.name = "MatchingFiles",
                                              .state_bytes = sizeof(struct sl_file_names),
                                              .iterator_bytes = sizeof(struct match_iterator),
                                              .init = match_init,
                                              .begin = match_begin,
                                              .next = match_next,
                                              .end = match_end,
                                              .save = match_save,
                                              .restore = match_restore};
