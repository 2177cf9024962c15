/* Merging bundles: one index for the data files of many, which are renamed and not copied. */
#include "base/str_map.h"
#include "base/vec.h"
#include "ckpt/bundle_entry.h"
#include "os/file.h"

/* A shard of one of the bundles, and the number it gets. */
struct moved {
    const char *from;
    int32_t from_shard, shard;
    size_t bundle;
};

struct merge {
    struct sl_arena arena;
    const char *destination;
    SL_VEC(struct sl_bundle_entry) entries;
    SL_VEC(struct moved) files;
    struct sl_str_map by_name;
    int64_t shards; /* of all bundles together */
};

/* The new number of a shard: in the order in which entries name them. */
static sl_code number_shard(int32_t *out, struct merge *m, size_t bundle, const char *prefix, int32_t shard,
                            int32_t shards, struct sl_error *err) {
    for (size_t i = m->files.n; i-- > 0 && m->files.items[i].bundle == bundle;)
        if (m->files.items[i].from_shard == shard) {
            *out = m->files.items[i].shard;
            return SL_OK;
        }
    struct moved file = {sl_bundle_data_path(&m->arena, prefix, shard, shards), shard, (int32_t)m->files.n, bundle};
    if (!file.from || sl_vec_push(&m->files, file)) return sl_fail_memory(err, sizeof file);
    *out = file.shard;
    return SL_OK;
}

/* A tensor whose slices are in several bundles: one entry lists them all. */
static sl_code join_slices(struct merge *m, struct sl_bundle_entry *a, const struct sl_bundle_entry *b,
                           struct sl_error *err) {
    if (!a->n_slices || !b->n_slices)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Duplicate tensor keyed by %.*s encountered, when merging to prefix: %s", SL_STR_ARG(b->key),
                       m->destination);
    if (a->dtype != b->dtype || !sl_shape_equal(a->shape, b->shape))
        return sl_fail(err, SL_INVALID_ARGUMENT, "The slices of '%.*s' differ in type or shape of the whole",
                       SL_STR_ARG(b->key));
    size_t n = a->n_slices + b->n_slices;
    struct sl_tensor_slice *all = SL_ARENA_ARRAY(&m->arena, struct sl_tensor_slice, n);
    if (!all) return sl_fail_memory(err, n * sizeof *all);
    memcpy(all, a->slices, a->n_slices * sizeof *all);
    memcpy(all + a->n_slices, b->slices, b->n_slices * sizeof *all);
    a->slices = all;
    a->n_slices = n;
    return SL_OK;
}

static sl_code add_entry(struct merge *m, struct sl_bundle_entry *e, size_t bundle, const char *prefix, int32_t shards,
                         struct sl_error *err) {
    uintptr_t known = (uintptr_t)sl_str_map_get(&m->by_name, e->key); /* its place, from 1 */
    if (known) return join_slices(m, &m->entries.items[known - 1], e, err);
    if (!e->n_slices) SL_TRY(number_shard(&e->shard, m, bundle, prefix, e->shard, shards, err));
    if (sl_vec_push(&m->entries, *e) || sl_str_map_put(&m->by_name, e->key, (void *)(uintptr_t)m->entries.n))
        return sl_fail_memory(err, m->entries.n * sizeof *e);
    return SL_OK;
}

static sl_code add_bundle(struct merge *m, size_t i, const char *prefix, bool allow_missing, struct sl_error *err) {
    struct sl_bundle *b;
    struct sl_bundle_entry *entries;
    size_t n;
    sl_code code = sl_bundle_open(&b, prefix, NULL, err);
    if (code == SL_NOT_FOUND && allow_missing) return SL_OK;
    if (code != SL_OK) return code;
    code = sl_bundle_list(&entries, &n, b, &m->arena, err);
    m->shards += sl_bundle_shards(b);
    for (size_t k = 0; code == SL_OK && k < n; k++)
        code = add_entry(m, &entries[k], i, prefix, sl_bundle_shards(b), err);
    sl_bundle_close(b);
    return code;
}

/* Gives every file its name as one of `shards` and writes the index. `as_links`: beside the names they have. */
static sl_code give_names(struct merge *m, const char *index, int64_t shards, bool as_links, struct sl_error *err) {
    for (size_t i = 0; i < m->files.n; i++) {
        const char *from = m->files.items[i].from;
        char *to = sl_bundle_data_path(&m->arena, m->destination, (int32_t)i, (int32_t)shards);
        if (!to) return sl_fail_memory(err, strlen(m->destination));
        SL_TRY(as_links ? sl_file_link(from, to, err) : sl_file_rename(from, to, err));
    }
    SL_TRY(sl_file_sync_names(m->destination, err));
    return sl_bundle_index_write(index, m->entries.items, m->entries.n, (int32_t)shards, err);
}

static void remove_links(struct merge *m, int64_t shards) {
    for (size_t i = 0; i < m->files.n; i++) {
        char *path = sl_bundle_data_path(&m->arena, m->destination, (int32_t)i, (int32_t)shards);
        if (path) (void)sl_file_remove(path, NULL);
    }
}

/* Where the destination's old files have the very names that the new ones get, the old index must not see them: the
 * new ones are first linked under names of one shard more. Where there are no links, the old bundle is lost for a
 * moment. */
static sl_code move_files(struct merge *m, const char *index, struct sl_error *err) {
    bool in_place = sl_bundle_old_shards(m->destination) == m->shards && m->shards < INT32_MAX;
    if (in_place) {
        remove_links(m, m->shards + 1);
        if (give_names(m, index, m->shards + 1, true, NULL) != SL_OK) in_place = false;
    }
    SL_TRY(give_names(m, index, m->shards, false, err));
    if (in_place) remove_links(m, m->shards + 1);
    return SL_OK;
}

/* What the bundles leave behind. Nothing depends on it any more, so failures do not matter. */
static void remove_old(struct merge *m, const char *const *prefixes, size_t n, bool delete_dirs) {
    for (size_t i = 0; i < n; i++) {
        char *index = sl_bundle_index_path(&m->arena, prefixes[i]);
        if (index && strcmp(prefixes[i], m->destination) != 0) (void)sl_file_remove(index, NULL);
    }
    for (size_t i = 0; delete_dirs && i < n; i++) {
        char *dir = sl_path_dir(&m->arena, prefixes[i]);
        if (dir && *dir) (void)sl_dir_remove(dir, NULL); /* only when it is empty */
    }
}

static sl_code merge(struct merge *m, const char *const *prefixes, size_t n, bool delete_dirs, bool allow_missing,
                     struct sl_error *err) {
    char *dir = sl_path_dir(&m->arena, m->destination), *index = sl_bundle_index_path(&m->arena, m->destination);
    if (!dir || !index) return sl_fail_memory(err, strlen(m->destination));
    for (size_t i = 0; i < n; i++) SL_TRY(add_bundle(m, i, prefixes[i], allow_missing, err));
    if (m->shards < 1 || m->shards > INT32_MAX)
        return sl_fail(err, SL_INVALID_ARGUMENT, "There is no checkpoint to merge to prefix: %s", m->destination);
    if (*dir) SL_TRY(sl_dir_create_all(dir, err));
    sl_bundle_entries_sort(m->entries.items, m->entries.n);
    SL_TRY(move_files(m, index, err));
    remove_old(m, prefixes, n, delete_dirs);
    return SL_OK;
}

sl_code sl_bundle_merge(const char *const *prefixes, size_t n, const char *destination, bool delete_old_dirs,
                        bool allow_missing, struct sl_error *err) {
    struct merge m = {.destination = destination};
    sl_arena_init(&m.arena);
    sl_code code = merge(&m, prefixes, n, delete_old_dirs, allow_missing, err);
    sl_vec_free(&m.entries);
    sl_vec_free(&m.files);
    sl_str_map_free(&m.by_name);
    sl_arena_clear(&m.arena);
    return code;
}
