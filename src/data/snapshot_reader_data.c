/* Datasets of what snapshots hold: the chunks of a shard one after another, the shards of a run as datasets, one chunk, the
 * names of the chunks of a snapshot that several processes write. Called by iterators. */
#include <stdio.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/file_names.h"
#include "data/kinds.h"
#include "data/snapshot.h"
#include "data/state.h"
#include "kernel/cancellation.h"
#include "os/clock.h"
#include "os/file.h"

static sl_code read_path(const char **out, struct sl_dataset *d, const char *what, struct sl_error *err) {
    struct sl_str path;
    SL_TRY(sl_dataset_string(&path, d, 0, what, err));
    return sl_file_name_copy(out, path, &d->arena, err);
}

/* ---- SnapshotDatasetReader: shard_dir, start_index; SnapshotChunkDataset: chunk_file */

struct reader {
    const char *path; /* of a shard, or of its one chunk */
    int64_t start;
};
struct reader_iterator {
    struct sl_iterator base;
    struct sl_chunk_reader *chunk; /* NULL: at the end */
    int64_t n_chunks, at;          /* the open chunk's number, or how many there are; elements of it so far */
    struct sl_arena arena;         /* of paths */
};

static const struct sl_snapshot_settings *settings_of(const struct sl_iterator *it) {
    return it->dataset->spec->settings;
}
static const struct reader *reader_of(const struct sl_iterator *it) { return it->dataset->state; }
static bool is_one_chunk(const struct sl_iterator *it) { return it->dataset->kind == &sl_snapshot_chunk_data; }

static sl_code reader_init(struct sl_dataset *d, struct sl_error *err) {
    struct reader *r = d->state;
    const int version = ((const struct sl_snapshot_settings *)d->spec->settings)->version;
    if (version != 1 && version != 2)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Snapshot reader version: %d is not supported.", version);
    SL_TRY(read_path(&r->path, d, "shard_dir", err));
    return d->n_values > 1 ? sl_dataset_int(&r->start, d, 1, "start_index", err) : SL_OK;
}

static sl_code open_chunk(struct reader_iterator *it, struct sl_error *err) {
    const struct sl_dataset *d = it->base.dataset;
    const char *path = reader_of(&it->base)->path;
    sl_chunk_reader_close(it->chunk);
    it->chunk = NULL;
    it->at = 0;
    sl_arena_reset(&it->arena);
    if (!is_one_chunk(&it->base)) path = sl_snapshot_chunk_path(&it->arena, path, it->n_chunks);
    if (!path) return sl_fail_memory(err, 0);
    return sl_chunk_reader_open(&it->chunk, path, settings_of(&it->base)->version, settings_of(&it->base)->compression,
                                d->n, d->types, err);
}

/* Behind a chunk comes the next, if there is one. */
static sl_code next_chunk(struct reader_iterator *it, struct sl_error *err) {
    sl_chunk_reader_close(it->chunk);
    it->chunk = NULL;
    it->n_chunks++;
    it->at = 0;
    if (is_one_chunk(&it->base)) return SL_OK;
    sl_arena_reset(&it->arena);
    const char *path = sl_snapshot_chunk_path(&it->arena, reader_of(&it->base)->path, it->n_chunks);
    if (!path) return sl_fail_memory(err, 0);
    struct sl_error why;
    sl_error_clear(&why);
    sl_code code = sl_file_exists(path, &why);
    if (code == SL_NOT_FOUND) return SL_OK;
    return code == SL_OK ? open_chunk(it, err) : sl_fail(err, code, "%s", why.message);
}

static sl_code reader_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct reader_iterator *it = (struct reader_iterator *)self;
    *is_end = true;
    while (it->chunk && *is_end) {
        SL_TRY(sl_chunk_reader_next(element, is_end, it->chunk, err));
        if (*is_end) SL_TRY(next_chunk(it, err));
        else it->at++;
    }
    return SL_OK;
}

static sl_code pass_over(struct sl_iterator *self, int64_t count, struct sl_error *err) {
    struct sl_value *element;
    bool is_end = false;
    SL_TRY(sl_element_new(&element, self->dataset->n, err));
    sl_code code = SL_OK;
    for (; code == SL_OK && !is_end && count > 0; count--) {
        code = reader_next(self, element, &is_end, err);
        sl_element_clear(element, self->dataset->n);
    }
    sl_free(element);
    return code;
}

static sl_code reader_begin(struct sl_iterator *self, struct sl_error *err) {
    sl_arena_init(&((struct reader_iterator *)self)->arena);
    SL_TRY(open_chunk((struct reader_iterator *)self, err));
    return pass_over(self, reader_of(self)->start, err);
}

static void reader_end(struct sl_iterator *self) {
    struct reader_iterator *it = (struct reader_iterator *)self;
    sl_chunk_reader_close(it->chunk);
    sl_arena_clear(&it->arena);
}

static sl_code reader_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct reader_iterator *it = (const struct reader_iterator *)self;
    if (!is_one_chunk(self)) SL_TRY(sl_state_put_int(state, self, ":current_checkpoint_id", it->n_chunks, err));
    return sl_state_put_int(state, self, ":start_index", it->at, err);
}

static sl_code reader_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct reader_iterator *it = (struct reader_iterator *)self;
    int64_t at, chunk = 0;
    SL_TRY(sl_state_get_int(&at, state, self, ":start_index", err));
    if (!is_one_chunk(self)) SL_TRY(sl_state_get_int(&chunk, state, self, ":current_checkpoint_id", err));
    if (at < 0 || chunk < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state has the position %lld in chunk %lld", (long long)at,
                       (long long)chunk);
    it->n_chunks = chunk - 1;
    if (chunk) SL_TRY(next_chunk(it, err));
    else SL_TRY((it->n_chunks = 0, open_chunk(it, err)));
    return pass_over(self, at, err);
}

#define READER                                                                                                         \
    .state_bytes = sizeof(struct reader), .iterator_bytes = sizeof(struct reader_iterator), .init = reader_init,       \
    .begin = reader_begin, .next = reader_next, .end = reader_end, .save = reader_save, .restore = reader_restore
const struct sl_dataset_kind sl_snapshot_reader_data = {.name = "SnapshotDatasetReader", READER};
const struct sl_dataset_kind sl_snapshot_chunk_data = {.name = "SnapshotChunkDataset", READER};

/* ---- SnapshotNestedDatasetReader: datasets, as elements */

struct nested_iterator {
    struct sl_iterator base;
    int64_t at;
};

static sl_code nested_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct nested_iterator *it = (struct nested_iterator *)self;
    (void)err;
    *is_end = it->at >= self->dataset->n_inputs;
    if (!*is_end) element[0] = sl_dataset_value(sl_dataset_ref(self->dataset->inputs[it->at++]));
    return SL_OK;
}

static int64_t nested_cardinality(const struct sl_dataset *d) { return d->n_inputs; }

static sl_code nested_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    return sl_state_put_int(state, self, ":index", ((const struct nested_iterator *)self)->at, err);
}

static sl_code nested_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct nested_iterator *it = (struct nested_iterator *)self;
    SL_TRY(sl_state_get_int(&it->at, state, self, ":index", err));
    if (it->at >= 0 && it->at <= self->dataset->n_inputs) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "The saved state has the position %lld of %d", (long long)it->at,
                   self->dataset->n_inputs);
}

const struct sl_dataset_kind sl_snapshot_nested_data = {.name = "SnapshotNestedDatasetReader",
                                                        .iterator_bytes = sizeof(struct nested_iterator),
                                                        .cardinality = nested_cardinality,
                                                        .next = nested_next,
                                                        .save = nested_save,
                                                        .restore = nested_restore};

/* The dataset of shard `i`, whose folder is `path`. */
static sl_code shard_dataset(struct sl_dataset **out, const char *path, size_t i, const struct sl_dataset *d,
                             enum sl_compression compression, struct sl_error *err) {
    enum { NAME = 64 };
    char name[NAME];
    struct sl_dataset_spec *spec;
    struct sl_value values[2] = {[1] = {.kind = SL_VALUE_SCALAR, .dtype = SL_INT64, .i64 = 0}};
    snprintf(name, sizeof name, "SnapshotDatasetReader/_%zu", i);
    sl_code code = sl_dataset_spec_new(&spec, &sl_snapshot_reader_data, name, d->n, d->types, d->shapes, err);
    struct sl_snapshot_settings *settings =
        code == SL_OK ? SL_ARENA_NEW(&spec->arena, struct sl_snapshot_settings) : NULL;
    if (code == SL_OK && !settings) code = sl_fail_memory(err, sizeof *settings);
    if (code == SL_OK) {
        *settings = (struct sl_snapshot_settings){.compression = compression, .version = 2};
        spec->settings = settings;
        code = sl_value_new(&values[0], SL_STRING, SL_SHAPE_SCALAR, err);
    }
    if (code == SL_OK) code = sl_string_set(sl_value_view(&values[0]).data, sl_str_of(path), err);
    if (code == SL_OK) code = sl_dataset_new(out, spec, NULL, 0, values, 2, err);
    sl_value_clear(&values[0]);
    sl_dataset_spec_unref(spec);
    return code;
}

static sl_code nest(struct sl_dataset **out, struct sl_dataset **shards, size_t n, struct sl_error *err) {
    static const uint8_t one_variant[] = {SL_VARIANT};
    static const struct sl_shape one_scalar[] = {{0, NULL}};
    struct sl_dataset_spec *spec;
    sl_code code = sl_dataset_spec_new(&spec, &sl_snapshot_nested_data, NULL, 1, one_variant, one_scalar, err);
    if (code == SL_OK) code = sl_dataset_new(out, spec, shards, (int)n, NULL, 0, err);
    sl_dataset_spec_unref(spec);
    return code;
}

sl_code sl_snapshot_shards_dataset(struct sl_dataset **out, const char *path, const struct sl_dataset *d,
                                   enum sl_compression compression, struct sl_error *err) {
    struct sl_arena arena;
    char **paths;
    size_t n = 0, made = 0;
    struct sl_dataset **shards = NULL;
    sl_arena_init(&arena);
    sl_code code = sl_snapshot_shards(&paths, &n, path, &arena, err);
    if (code == SL_OK && !(shards = SL_ARENA_ARRAY(&arena, struct sl_dataset *, n + 1))) code = sl_fail_memory(err, n);
    for (; code == SL_OK && made < n; made += code == SL_OK)
        code = shard_dataset(&shards[made], paths[made], made, d, compression, err);
    if (code == SL_OK) code = nest(out, shards, n, err);
    while (made > 0) sl_dataset_unref(shards[--made]);
    sl_arena_clear(&arena);
    return code;
}
