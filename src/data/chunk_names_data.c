/* ListSnapshotChunksDataset: the chunks of a snapshot that several processes write, as they come; it ends when the snapshot
 * is done. */
#include <stdio.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "data/file_names.h"
#include "data/kinds.h"
#include "data/state.h"
#include "kernel/cancellation.h"
#include "os/clock.h"
#include "os/file.h"

struct chunk_names_iterator {
    struct sl_iterator base;
    struct sl_arena arena;      /* of the names */
    struct sl_arena scratch;    /* of one look at the folder */
    SL_VEC(const char *) given; /* names, without their folder */
};

static const char *folder_of(const struct sl_iterator *it) { return *(const char **)it->dataset->state; }

static sl_code chunk_names_init(struct sl_dataset *d, struct sl_error *err) {
    struct sl_str path;
    SL_TRY(sl_dataset_string(&path, d, 0, "snapshot_path", err));
    return sl_file_name_copy(d->state, path, &d->arena, err);
}

static sl_code chunk_names_begin(struct sl_iterator *self, struct sl_error *err) {
    struct chunk_names_iterator *it = (struct chunk_names_iterator *)self;
    (void)err;
    sl_arena_init(&it->arena);
    sl_arena_init(&it->scratch);
    return SL_OK;
}

static void chunk_names_end(struct sl_iterator *self) {
    struct chunk_names_iterator *it = (struct chunk_names_iterator *)self;
    sl_vec_free(&it->given);
    sl_arena_clear(&it->arena);
    sl_arena_clear(&it->scratch);
}

static bool is_given(const struct chunk_names_iterator *it, const char *name) {
    for (size_t i = 0; i < it->given.n; i++)
        if (strcmp(it->given.items[i], name) == 0) return true;
    return false;
}

/* chunk_STREAM_INDEX_ELEMENTS come by index, then by stream; other names behind them. */
static bool is_before(const char *a, const char *b) {
    long long x[2], y[2];
    const bool has_x = sscanf(a, "chunk_%lld_%lld_", &x[0], &x[1]) == 2;
    const bool has_y = sscanf(b, "chunk_%lld_%lld_", &y[0], &y[1]) == 2;
    if (!has_x || !has_y) return has_x || (!has_y && strcmp(a, b) < 0);
    return x[1] != y[1] ? x[1] < y[1] : x[0] < y[0];
}

/* The first of the names in `chunks` that was not given yet; NULL: there is none. */
static sl_code find_new(const char **out, struct chunk_names_iterator *it, const char *chunks, struct sl_error *err) {
    char **names;
    size_t n;
    struct sl_error why;
    *out = NULL;
    sl_error_clear(&why);
    sl_code code = sl_dir_list(&names, &n, chunks, &it->scratch, &why);
    if (code == SL_NOT_FOUND) return SL_OK;
    if (code != SL_OK) return sl_fail(err, code, "%s", why.message);
    for (size_t i = 0; i < n; i++)
        if (!strchr(names[i], '.') && !is_given(it, names[i]) && (!*out || is_before(names[i], *out))) *out = names[i];
    return SL_OK;
}

static sl_code mark_exists(bool *is, struct chunk_names_iterator *it, const char *name, struct sl_error *err) {
    struct sl_error why;
    sl_error_clear(&why);
    const char *path = sl_path_join(&it->scratch, folder_of(&it->base), name);
    if (!path) return sl_fail_memory(err, 0);
    sl_code code = sl_file_exists(path, &why);
    *is = code == SL_OK;
    return code == SL_OK || code == SL_NOT_FOUND ? SL_OK : sl_fail(err, code, "%s", why.message);
}

static sl_code give(struct chunk_names_iterator *it, struct sl_value *element, const char *chunks, const char *name,
                    struct sl_error *err) {
    const char *path = sl_path_join(&it->scratch, chunks, name), *kept = sl_arena_str(&it->arena, sl_str_of(name)).p;
    if (!path || !kept || sl_vec_push(&it->given, kept)) return sl_fail_memory(err, 0);
    SL_TRY(sl_value_new(element, SL_STRING, SL_SHAPE_SCALAR, err));
    return sl_string_set(sl_value_view(element).data, sl_str_of(path), err);
}

/* Whether the snapshot is done is asked before its chunks are listed: none comes after that. */
static sl_code chunk_names_next(struct sl_iterator *self, struct sl_value *element, bool *is_end,
                                struct sl_error *err) {
    enum { PAUSE_NS = 20 * 1000 * 1000 };
    struct chunk_names_iterator *it = (struct chunk_names_iterator *)self;
    struct sl_cancellation *cancellation = sl_data_walk_env(self->walk)->cancellation;
    for (bool is_done, has_failed;; sl_sleep_ns(PAUSE_NS)) {
        sl_arena_reset(&it->scratch);
        const char *chunks = sl_path_join(&it->scratch, folder_of(self), "chunks"), *name;
        if (!chunks) return sl_fail_memory(err, 0);
        SL_TRY(mark_exists(&has_failed, it, "ERROR", err));
        if (has_failed)
            return sl_fail(err, SL_FAILED_PRECONDITION, "%s; writing the snapshot has failed", folder_of(self));
        SL_TRY(mark_exists(&is_done, it, "DONE", err));
        SL_TRY(find_new(&name, it, chunks, err));
        if (name) return give(it, element, chunks, name, err);
        *is_end = is_done;
        if (is_done) return SL_OK;
        if (sl_cancellation_is_on(cancellation)) return sl_cancellation_status(cancellation, err);
    }
}

/* The names that were given, with commas between them. */
static sl_code chunk_names_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct chunk_names_iterator *it = (const struct chunk_names_iterator *)self;
    SL_VEC(char) text = {NULL, 0, 0};
    sl_code code = SL_OK;
    for (size_t i = 0; code == SL_OK && i < it->given.n; i++) {
        const size_t n = strlen(it->given.items[i]);
        if (sl_vec_reserve(&text, n + 2)) code = sl_fail_memory(err, n);
        if (code != SL_OK) break;
        if (i) text.items[text.n++] = ',';
        memcpy(text.items + text.n, it->given.items[i], n + 1);
        text.n += n;
    }
    if (code == SL_OK) code = sl_state_put_part_text(state, self, "", ":chunks_read", text.n ? text.items : "", err);
    sl_vec_free(&text);
    return code;
}

static sl_code chunk_names_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct chunk_names_iterator *it = (struct chunk_names_iterator *)self;
    char *text;
    SL_TRY(sl_state_get_part_text(&text, state, self, "", ":chunks_read", err));
    sl_code code = SL_OK;
    for (const char *at = text; code == SL_OK && *at;) {
        const size_t n = strcspn(at, ",");
        const char *name = sl_arena_str(&it->arena, (struct sl_str){at, n}).p;
        if (!name || sl_vec_push(&it->given, name)) code = sl_fail_memory(err, n);
        at += n + (at[n] == ',');
    }
    sl_free(text);
    return code;
}

const struct sl_dataset_kind sl_chunk_names_data = {.name = "ListSnapshotChunksDataset",
                                                    .state_bytes = sizeof(const char *),
                                                    .iterator_bytes = sizeof(struct chunk_names_iterator),
                                                    .init = chunk_names_init,
                                                    .begin = chunk_names_begin,
                                                    .next = chunk_names_next,
                                                    .end = chunk_names_end,
                                                    .save = chunk_names_save,
                                                    .restore = chunk_names_restore};
