/* The list of kept checkpoints. The index goes first when one is removed, so that half a checkpoint is never taken
 * for one. */
#include "ckpt/checkpoint_state.h"

#include "base/alloc.h"
#include "os/file.h"
#include "proto/text_format.h"
#include "proto/wire.h"

static const char FILE_NAME[] = "checkpoint";
enum { STATE_BYTES_MAX = 1 << 26 };

sl_code sl_checkpoint_state_init(struct sl_checkpoint_state *s, const char *dir, struct sl_error *err) {
    *s = (struct sl_checkpoint_state){.dir = NULL};
    sl_arena_init(&s->arena);
    s->dir = sl_arena_str(&s->arena, sl_str_of(dir)).p;
    return s->dir ? SL_OK : sl_fail_memory(err, strlen(dir));
}

void sl_checkpoint_state_clear(struct sl_checkpoint_state *s) {
    sl_vec_free(&s->kept);
    sl_arena_clear(&s->arena);
}

/* ---- reading */

static sl_code keep(struct sl_checkpoint_state *s, struct sl_str path, double time, struct sl_error *err) {
    struct sl_str text = sl_arena_str(&s->arena, path);
    char *prefix = text.p ? sl_path_join(&s->arena, s->dir, text.p) : NULL;
    struct sl_kept_checkpoint kept = {prefix, time};
    return prefix && !sl_vec_push(&s->kept, kept) ? SL_OK : sl_fail_memory(err, path.n);
}

static sl_code take_message(struct sl_checkpoint_state *s, const struct sl_pb_CheckpointState *m, const char *path,
                            struct sl_error *err) {
    const struct sl_pb_array_str *all = &m->all_model_checkpoint_paths;
    if (!m->model_checkpoint_path.n) return sl_fail(err, SL_DATA_LOSS, "%s; names no checkpoint", path);
    for (size_t i = 0; i < all->n; i++) {
        double time = all->n == m->all_model_checkpoint_timestamps.n ? m->all_model_checkpoint_timestamps.items[i] : 0;
        if (!sl_str_eq(all->items[i], m->model_checkpoint_path)) SL_TRY(keep(s, all->items[i], time, err));
    }
    double last = 0;
    for (size_t i = 0; i < all->n && all->n == m->all_model_checkpoint_timestamps.n; i++)
        if (sl_str_eq(all->items[i], m->model_checkpoint_path)) last = m->all_model_checkpoint_timestamps.items[i];
    s->last_preserved = m->last_preserved_timestamp;
    return keep(s, m->model_checkpoint_path, last, err);
}

static sl_code read_file(struct sl_checkpoint_state *s, struct sl_error *err) {
    struct sl_pb_CheckpointState message;
    char *path = sl_path_join(&s->arena, s->dir, FILE_NAME), *bytes;
    size_t size;
    if (!path) return sl_fail_memory(err, strlen(s->dir));
    SL_TRY(sl_file_read(&bytes, &size, path, STATE_BYTES_MAX, err));
    struct sl_error why;
    sl_error_clear(&why);
    sl_code code =
        sl_pb_text_parse(&message, SL_PB_TYPE(CheckpointState), (struct sl_str){bytes, size}, &s->arena, &why);
    if (code == SL_OK) code = take_message(s, &message, path, err);
    else code = sl_fail(err, code, "%s; %s", path, why.message);
    sl_free(bytes);
    return code;
}

sl_code sl_checkpoint_state_read(struct sl_checkpoint_state *s, const char *dir, struct sl_error *err) {
    SL_TRY(sl_checkpoint_state_init(s, dir, err));
    sl_code code = read_file(s, err);
    if (code != SL_OK) sl_checkpoint_state_clear(s);
    return code;
}

/* ---- keeping */

static void forget(struct sl_checkpoint_state *s, size_t i) {
    memmove(&s->kept.items[i], &s->kept.items[i + 1], (s->kept.n - i - 1) * sizeof *s->kept.items);
    s->kept.n--;
}

sl_code sl_checkpoint_state_add(const char **gone, size_t *n_gone, struct sl_checkpoint_state *s, const char *prefix,
                                double time, const struct sl_retention *retention, struct sl_error *err) {
    *n_gone = 0;
    for (size_t i = s->kept.n; i-- > 0;)
        if (strcmp(s->kept.items[i].prefix, prefix) == 0) forget(s, i);
    struct sl_kept_checkpoint latest = {sl_arena_str(&s->arena, sl_str_of(prefix)).p, time};
    if (!latest.prefix || sl_vec_push(&s->kept, latest)) return sl_fail_memory(err, strlen(prefix));
    while (retention->max_to_keep > 0 && s->kept.n > (size_t)retention->max_to_keep) {
        struct sl_kept_checkpoint oldest = s->kept.items[0];
        forget(s, 0);
        bool is_due =
            retention->keep_every_seconds > 0 && oldest.time - retention->keep_every_seconds >= s->last_preserved;
        if (is_due) s->last_preserved = oldest.time; /* stays on the disk, and is no longer spoken of */
        else gone[(*n_gone)++] = oldest.prefix;
    }
    return SL_OK;
}

/* ---- writing */

/* The path as the file has it. */
static struct sl_str shown(const struct sl_checkpoint_state *s, const char *prefix, bool is_relative) {
    size_t n = strlen(s->dir);
    if ((is_relative || s->dir[0] != '/') && n > 0 && strncmp(prefix, s->dir, n) == 0) {
        if (s->dir[n - 1] == '/') return sl_str_of(prefix + n);
        if (prefix[n] == '/') return sl_str_of(prefix + n + 1);
    }
    return sl_str_of(prefix);
}

static sl_code print(struct sl_str *out, const struct sl_checkpoint_state *s, bool is_relative, struct sl_arena *arena,
                     struct sl_error *err) {
    size_t n = s->kept.n;
    struct sl_pb_CheckpointState m = {.last_preserved_timestamp = s->last_preserved};
    m.all_model_checkpoint_paths.items = SL_ARENA_ARRAY(arena, struct sl_str, n + 1);
    m.all_model_checkpoint_timestamps.items = SL_ARENA_ARRAY(arena, double, n + 1);
    if (!m.all_model_checkpoint_paths.items || !m.all_model_checkpoint_timestamps.items)
        return sl_fail_memory(err, n * sizeof(struct sl_str));
    bool has_times = false;
    for (size_t i = 0; i < n; i++) {
        m.all_model_checkpoint_paths.items[i] = shown(s, s->kept.items[i].prefix, is_relative);
        m.all_model_checkpoint_timestamps.items[i] = s->kept.items[i].time;
        has_times = has_times || s->kept.items[i].time != 0;
    }
    m.all_model_checkpoint_paths.n = n;
    m.all_model_checkpoint_timestamps.n = has_times ? n : 0;
    if (n) m.model_checkpoint_path = m.all_model_checkpoint_paths.items[n - 1];
    return sl_pb_text_print(out, SL_PB_TYPE(CheckpointState), &m, 0, arena, err);
}

sl_code sl_checkpoint_state_write(const struct sl_checkpoint_state *s, bool is_relative, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_str text;
    sl_arena_init(&arena);
    char *path = sl_path_join(&arena, s->dir, FILE_NAME);
    sl_code code = path ? print(&text, s, is_relative, &arena, err) : sl_fail_memory(err, strlen(s->dir));
    if (code == SL_OK && *s->dir) code = sl_dir_create_all(s->dir, err);
    if (code == SL_OK) code = sl_file_write_atomic(path, text.p, text.n, err);
    sl_arena_clear(&arena);
    return code;
}

/* ---- checkpoints on the disk */

/* Paths of a checkpoint of version 1 may be those of its shards. */
static sl_code list_v1(char ***paths, size_t *n, const char *prefix, struct sl_arena *arena, struct sl_error *err) {
    char *pattern = sl_arena_format(arena, "%s-*-of-*", prefix);
    return pattern ? sl_path_glob(paths, n, pattern, arena, err) : sl_fail_memory(err, strlen(prefix));
}

static sl_code find_files(const char *prefix, struct sl_arena *arena, struct sl_error *err) {
    char **paths, *index = sl_arena_format(arena, "%s.index", prefix);
    size_t n;
    if (!index) return sl_fail_memory(err, strlen(prefix));
    if (sl_file_exists(index, NULL) == SL_OK || sl_file_exists(prefix, NULL) == SL_OK) return SL_OK;
    SL_TRY(list_v1(&paths, &n, prefix, arena, err));
    return n ? SL_OK : sl_fail(err, SL_NOT_FOUND, "There is no checkpoint %s", prefix);
}

sl_code sl_checkpoint_exists(const char *prefix, struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = find_files(prefix, &arena, err);
    sl_arena_clear(&arena);
    return code;
}

sl_code sl_checkpoint_latest(const char **prefix, const char *dir, struct sl_arena *arena, struct sl_error *err) {
    struct sl_checkpoint_state s;
    SL_TRY(sl_checkpoint_state_read(&s, dir, err));
    const char *latest = s.kept.items[s.kept.n - 1].prefix;
    sl_code code = sl_checkpoint_exists(latest, err);
    if (code == SL_OK) {
        *prefix = sl_arena_str(arena, sl_str_of(latest)).p;
        if (!*prefix) code = sl_fail_memory(err, strlen(latest));
    }
    sl_checkpoint_state_clear(&s);
    return code;
}

/* Missing is as good as removed. */
static sl_code remove_file(const char *path, struct sl_error *err) {
    struct sl_error why;
    sl_code code = sl_file_remove(path, &why);
    return code == SL_OK || code == SL_NOT_FOUND ? SL_OK : sl_fail(err, code, "%s", why.message);
}

static sl_code remove_files(const char *prefix, struct sl_arena *arena, struct sl_error *err) {
    char **paths, *index = sl_arena_format(arena, "%s.index", prefix),
                  *meta = sl_arena_format(arena, "%s.meta", prefix);
    char *pattern = sl_arena_format(arena, "%s.data-*-of-*", prefix);
    size_t n;
    if (!index || !meta || !pattern) return sl_fail_memory(err, strlen(prefix));
    bool is_v1 = sl_file_exists(index, NULL) != SL_OK;
    SL_TRY(remove_file(index, err));
    SL_TRY(sl_path_glob(&paths, &n, pattern, arena, err));
    for (size_t i = 0; i < n; i++) SL_TRY(remove_file(paths[i], err));
    SL_TRY(list_v1(&paths, &n, prefix, arena, err));
    for (size_t i = 0; is_v1 && i < n; i++) SL_TRY(remove_file(paths[i], err));
    if (is_v1) SL_TRY(remove_file(prefix, err));
    return remove_file(meta, err);
}

sl_code sl_checkpoint_remove(const char *prefix, struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = remove_files(prefix, &arena, err);
    sl_arena_clear(&arena);
    return code;
}
