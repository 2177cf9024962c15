/* A cache in files: the first pass that comes to its end leaves a tensor bundle under the cache's name, which those that
 * begin later read.
 *
 *   NAME_0.lockfile         while a pass writes; another one that begins to write is refused
 *   NAME_0.index, .data     what it wrote until its position was saved; it goes on in NAME_1
 *   NAME.index, .data       all, merged: the index comes last
 *
 * Keys are "ELEMENT_COMPONENT", numbers right-aligned in blanks: ELEMENT in 7 places, COMPONENT in as many as the number
 * of components has digits. A pass that ends too early removes its files. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "ckpt/bundle.h"
#include "data/file_names.h"
#include "data/kinds.h"
#include "data/last_look.h"
#include "data/state.h"
#include "os/clock.h"
#include "os/file.h"

enum { KEY = 48, MOST_ELEMENTS = 10000000 };
enum mode { READS, WRITES, UNKNOWN }; /* as in states */

struct file_cache_iterator {
    struct sl_iterator base;
    enum mode mode;
    struct sl_arena arena;
    struct sl_bundle *bundle; /* that is read */
    int64_t n;                /* elements in it */
    struct sl_bundle_writer *writer;
    bool is_locked; /* the lock of `shard` is this pass's */
    int64_t shard;  /* which is written; those before it are complete */
    int64_t at;     /* elements so far */
    struct sl_last_look look;
    bool is_over, has_failed;
};

static const char *name_of(const struct sl_iterator *it) { return *(const char **)it->dataset->state; }

static struct sl_str key_of(char key[KEY], const struct sl_dataset *d, int64_t element, int component) {
    int digits = 1;
    for (int n = d->n; n >= 10; n /= 10) digits++;
    return (struct sl_str){key, (size_t)snprintf(key, KEY, "%7" PRId64 "_%*d", element, digits, component)};
}

/* "NAME_SHARD" and an ending; NULL when memory is out. */
static const char *shard_path(struct file_cache_iterator *it, int64_t shard, const char *ending) {
    const char *name = name_of(&it->base);
    const size_t size = strlen(name) + strlen(ending) + KEY;
    char *path = sl_arena_alloc(&it->arena, size);
    if (path) snprintf(path, size, "%s_%" PRId64 "%s", name, shard, ending);
    return path;
}

static sl_code file_cache_begin(struct sl_iterator *self, struct sl_error *err) {
    struct file_cache_iterator *it = (struct file_cache_iterator *)self;
    struct sl_error why;
    sl_arena_init(&it->arena);
    sl_error_clear(&why);
    it->mode = UNKNOWN;
    const char *index = sl_bundle_index_path(&it->arena, name_of(self));
    if (!index) return sl_fail_memory(err, strlen(name_of(self)));
    sl_code code = sl_file_exists(index, &why);
    if (code != SL_OK && code != SL_NOT_FOUND) return sl_fail(err, code, "%s", why.message);
    it->mode = code == SL_OK ? READS : WRITES;
    return it->mode == WRITES ? sl_iterator_open_input(self, SL_ONLY_INPUT, 0, err) : SL_OK;
}

/* ---- writing */

/* The lock is made under another name and linked, so that of two that want it one gets it. */
static sl_code link_lock(const char *lock, const char *temporary, struct sl_error *err) {
    char text[KEY];
    struct sl_error why;
    sl_error_clear(&why);
    snprintf(text, sizeof text, "Created at: %" PRId64, sl_wall_us() / 1000000);
    SL_TRY(sl_file_write(temporary, text, strlen(text), err));
    sl_code code = sl_file_link(temporary, lock, &why);
    if (code == SL_OK || code == SL_ALREADY_EXISTS) (void)sl_file_remove(temporary, NULL);
    else code = sl_file_rename(temporary, lock, &why); /* a file system without links */
    return code == SL_OK || code == SL_ALREADY_EXISTS ? code : sl_fail(err, code, "%s", why.message);
}

static sl_code take_lock(struct file_cache_iterator *it, struct sl_error *err) {
    const char *lock = shard_path(it, it->shard, ".lockfile");
    const char *temporary = lock ? sl_path_temporary(&it->arena, lock) : NULL;
    if (!temporary) return sl_fail_memory(err, strlen(name_of(&it->base)));
    sl_code code = sl_file_exists(lock, NULL) == SL_OK ? SL_ALREADY_EXISTS : link_lock(lock, temporary, err);
    it->is_locked = code == SL_OK;
    if (code != SL_ALREADY_EXISTS) return code;
    return sl_fail(
        err, code,
        "There appears to be a concurrent caching iterator running - cache lockfile already exists ('%s'). If "
        "you are sure no other running TF computations are using this cache prefix, delete the lockfile and "
        "re-initialize the iterator.",
        lock);
}

static sl_code begin_shard(struct file_cache_iterator *it, struct sl_error *err) {
    const char *prefix = shard_path(it, it->shard, "");
    if (!prefix) return sl_fail_memory(err, strlen(name_of(&it->base)));
    if (!it->is_locked) SL_TRY(take_lock(it, err));
    return sl_bundle_writer_open(&it->writer, prefix, NULL, err);
}

/* The shard is complete, and on the disk. */
static sl_code end_shard(struct file_cache_iterator *it, struct sl_error *err) {
    struct sl_bundle_writer *w = it->writer;
    it->writer = NULL;
    it->is_locked = false; /* the file stays until all are merged */
    it->shard++;
    return sl_bundle_writer_finish(w, err);
}

static sl_code write_element(struct file_cache_iterator *it, const struct sl_value *element, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    char key[KEY];
    if (it->at >= MOST_ELEMENTS)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Upstream iterator is producing more than %d items, which is more than a cache in files holds",
                       MOST_ELEMENTS);
    for (int i = 0; i < d->n; i++) {
        struct sl_tensor *t;
        SL_TRY(sl_value_to_tensor(&t, &element[i], err));
        sl_code code = sl_bundle_writer_add(it->writer, key_of(key, d, it->at, i), t, err);
        sl_tensor_unref(t);
        SL_TRY(code);
    }
    return SL_OK;
}

/* Removes what there is of a shard. */
static void remove_shard(struct file_cache_iterator *it, int64_t shard) {
    static const char *const endings[] = {".index", ".data-00000-of-00001", ".lockfile"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const char *path = shard_path(it, shard, endings[i]);
        if (path && sl_file_exists(path, NULL) == SL_OK) (void)sl_file_remove(path, NULL);
    }
}

/* All shards become the cache. An input without elements leaves one, too. */
static sl_code finish_cache(struct file_cache_iterator *it, struct sl_error *err) {
    if (!it->writer && !it->shard) SL_TRY(begin_shard(it, err));
    if (it->writer) SL_TRY(end_shard(it, err));
    const char **prefixes = SL_ARENA_ARRAY(&it->arena, const char *, (size_t)it->shard);
    if (!prefixes) return sl_fail_memory(err, (size_t)it->shard);
    for (int64_t i = 0; i < it->shard; i++)
        if (!(prefixes[i] = shard_path(it, i, ""))) return sl_fail_memory(err, 0);
    SL_TRY(sl_bundle_merge(prefixes, (size_t)it->shard, name_of(&it->base), false, false, err));
    for (int64_t i = 0; i < it->shard; i++) remove_shard(it, i);
    return SL_OK;
}

/* Takes away what a pass has left that did not come to its end: the shard that it was writing, whose lock is its own. Those
 * before it belong to a position that was saved; after a failure they are of no use either. */
static void remove_shards(struct file_cache_iterator *it) {
    sl_bundle_writer_abandon(it->writer);
    it->writer = NULL;
    for (int64_t i = it->has_failed ? 0 : it->shard; i < it->shard + it->is_locked; i++) remove_shard(it, i);
}

static sl_code pass_and_write(struct file_cache_iterator *it, struct sl_value *element, bool *is_end,
                              struct sl_error *err) {
    if (!it->writer && !it->is_over) SL_TRY(begin_shard(it, err));
    SL_TRY(sl_last_look_pull(&it->look, &it->base, element, is_end, err));
    sl_code code = *is_end ? SL_OK : write_element(it, element, err);
    it->at += code == SL_OK && !*is_end;
    it->is_over = *is_end;
    if (code == SL_OK && !*is_end && it->at == sl_dataset_cardinality(it->base.dataset))
        it->is_over = sl_last_look_is_end(&it->look, &it->base);
    if (it->is_over) code = finish_cache(it, err);
    it->has_failed = code != SL_OK;
    return code;
}

/* ---- reading */

/* How many elements there are: the last key says so, and all others have to be there. */
static sl_code count_elements(struct file_cache_iterator *it, struct sl_arena *arena, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    struct sl_bundle_entry *entries;
    size_t n;
    char key[KEY];
    SL_TRY(sl_bundle_list(&entries, &n, it->bundle, arena, err));
    it->n = (int64_t)n / d->n;
    if (n == 0 || (n % (size_t)d->n == 0 && sl_str_eq(entries[n - 1].key, key_of(key, d, it->n - 1, d->n - 1))))
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The cache '%s' does not hold elements of %d components",
                   name_of(&it->base), d->n);
}

static sl_code open_cache(struct file_cache_iterator *it, struct sl_error *err) {
    struct sl_arena arena;
    SL_TRY(sl_bundle_open(&it->bundle, name_of(&it->base), NULL, err));
    sl_arena_init(&arena);
    sl_code code = count_elements(it, &arena, err);
    sl_arena_clear(&arena);
    if (code == SL_OK) return SL_OK;
    sl_bundle_close(it->bundle);
    it->bundle = NULL;
    return code;
}

/* An element that cannot be read is passed over. */
static sl_code read_element(struct file_cache_iterator *it, struct sl_value *element, bool *is_end,
                            struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    char key[KEY];
    if (!it->bundle) SL_TRY(open_cache(it, err));
    *is_end = it->at >= it->n;
    if (*is_end) return SL_OK;
    const int64_t at = it->at++;
    for (int i = 0; i < d->n; i++) {
        struct sl_tensor *t;
        SL_TRY(sl_bundle_read(&t, it->bundle, key_of(key, d, at, i), NULL, err));
        element[i] = sl_value_of_tensor(t);
    }
    return SL_OK;
}

/* A pass that could not write an element says so at once, and gives nothing more: there is no telling what the files
 * hold. */
static sl_code file_cache_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct file_cache_iterator *it = (struct file_cache_iterator *)self;
    *is_end = it->is_over;
    if (it->is_over) return SL_OK;
    if (it->mode == READS) return read_element(it, element, is_end, err);
    if (it->has_failed)
        return sl_fail(err, SL_FAILED_PRECONDITION, "The cache '%s' could not be written", name_of(self));
    return pass_and_write(it, element, is_end, err);
}

static void file_cache_end(struct sl_iterator *self) {
    struct file_cache_iterator *it = (struct file_cache_iterator *)self;
    if (it->mode == WRITES && (!it->is_over || it->has_failed)) remove_shards(it);
    sl_last_look_clear(&it->look, self);
    sl_bundle_close(it->bundle);
    sl_arena_clear(&it->arena);
}

/* ---- positions. TensorFlow's names: FileCacheImpl beside a FileCache with the mode. */

#define WHOLE "----" /* FileCacheImpl without Impl */

static void file_cache_path_name(const struct sl_iterator *self, char *text, size_t size) {
    (void)self;
    snprintf(text, size, "FileCacheImpl");
}

/* What was written until now is kept: another pass may go on behind it. */
static sl_code file_cache_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    struct file_cache_iterator *it = (struct file_cache_iterator *)(uintptr_t)self;
    SL_TRY(sl_state_put_part_int(state, self, WHOLE, "Mode", it->mode, err));
    SL_TRY(sl_state_put_int(state, self, "cur_index", it->at, err));
    if (it->mode == READS) return SL_OK;
    if (it->is_over) return sl_state_put_mark(state, self, "iteration_completed", err);
    if (it->writer) SL_TRY(end_shard(it, err));
    SL_TRY(sl_state_put_int(state, self, "shard_id", it->shard, err));
    return sl_state_put_input(state, self, NULL, err);
}

static sl_code restore_writer(struct file_cache_iterator *it, const struct sl_state *state, struct sl_error *err) {
    struct sl_iterator *self = &it->base;
    if (sl_state_has(state, self, "iteration_completed")) {
        it->is_over = true;
        return SL_OK;
    }
    if (it->mode == READS) return SL_OK; /* somebody else has completed it */
    SL_TRY(sl_state_get_int(&it->shard, state, self, "shard_id", err));
    return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
}

static sl_code file_cache_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct file_cache_iterator *it = (struct file_cache_iterator *)self;
    int64_t mode;
    SL_TRY(sl_state_get_part_int(&mode, state, self, WHOLE, "Mode", err));
    SL_TRY(sl_state_get_int(&it->at, state, self, "cur_index", err));
    if (it->at < 0 || (mode != READS && mode != WRITES))
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state of a cache has mode %lld and position %lld",
                       (long long)mode, (long long)it->at);
    if (mode == WRITES) return restore_writer(it, state, err);
    it->mode = READS;
    sl_iterator_free(self->input);
    self->input = NULL;
    return SL_OK;
}

const struct sl_dataset_kind sl_file_cache_data = {.name = "Cache",
                                                   .path_name = file_cache_path_name,
                                                   .keeps_types = true,
                                                   .iterator_bytes = sizeof(struct file_cache_iterator),
                                                   .cardinality = sl_dataset_input_cardinality,
                                                   .begin = file_cache_begin,
                                                   .next = file_cache_next,
                                                   .end = file_cache_end,
                                                   .save = file_cache_save,
                                                   .restore = file_cache_restore};
