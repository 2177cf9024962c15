/* Runs that write a snapshot. Chunks are synced before the file that says that they are all there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/seeds.h"
#include "data/snapshot.h"
#include "data/state.h"
#include "os/clock.h"
#include "os/file.h"

enum { VERSION = 2, NUMBER = 24 };

static sl_code describe(struct sl_snapshot_run *run, const char *graph_hash, const struct sl_dataset *d,
                        struct sl_error *err) {
    char number[NUMBER];
    snprintf(number, sizeof number, "%" PRIu64, run->id);
    run->metadata =
        (struct sl_pb_SnapshotMetadataRecord){.graph_hash = sl_arena_str(&run->arena, sl_str_of(graph_hash)),
                                              .run_id = sl_arena_str(&run->arena, sl_str_of(number)),
                                              .creation_timestamp = sl_wall_us(),
                                              .version = VERSION};
    run->metadata.dtype.items = SL_ARENA_ARRAY(&run->arena, int32_t, (size_t)d->n);
    run->path = run->metadata.run_id.p ? sl_path_join(&run->arena, run->folder, run->metadata.run_id.p) : NULL;
    if (!run->metadata.dtype.items || !run->path) return sl_fail_memory(err, (size_t)d->n);
    for (int i = 0; i < d->n; i++) run->metadata.dtype.items[run->metadata.dtype.n++] = d->types[i];
    return SL_OK;
}

/* Says that a run is under way, unless a finished one is there, which stays good until this one is. */
static sl_code announce(struct sl_snapshot_run *run, struct sl_error *err) {
    struct sl_pb_SnapshotMetadataRecord old;
    SL_TRY(sl_dir_create_all(run->path, err));
    if (sl_snapshot_metadata_read(&old, run->folder, &run->arena, NULL) == SL_OK && old.finalized) return SL_OK;
    return sl_snapshot_metadata_write(run->folder, &run->metadata, err);
}

sl_code sl_snapshot_run_begin(struct sl_snapshot_run *run, const char *folder, const char *graph_hash,
                              const struct sl_dataset *d, enum sl_compression compression, struct sl_error *err) {
    sl_snapshot_run_clear(run);
    sl_arena_init(&run->arena);
    run->compression = compression;
    int64_t random[2] = {0};
    sl_seeds_resolve(random);
    run->id = (uint64_t)random[0];
    run->folder = sl_arena_str(&run->arena, sl_str_of(folder)).p;
    sl_code code = run->folder ? describe(run, graph_hash, d, err) : sl_fail_memory(err, strlen(folder));
    if (code == SL_OK) code = announce(run, err);
    if (code != SL_OK) sl_snapshot_run_clear(run);
    return code;
}

static sl_code find_shard(struct sl_snapshot_shard **out, struct sl_snapshot_run *run, int64_t index,
                          struct sl_error *err) {
    for (size_t i = 0; i < run->shards.n; i++)
        if (run->shards.items[i].index == index) {
            *out = &run->shards.items[i];
            return SL_OK;
        }
    const char *folder = sl_snapshot_shard_path(&run->arena, run->path, index);
    if (!folder || sl_vec_push(&run->shards, ((struct sl_snapshot_shard){.index = index})))
        return sl_fail_memory(err, strlen(run->path));
    *out = &run->shards.items[run->shards.n - 1];
    return sl_dir_create_all(folder, err);
}

static const char *chunk_path(struct sl_snapshot_run *run, const char *path, int64_t shard, int64_t chunk) {
    const char *folder = sl_snapshot_shard_path(&run->arena, path, shard);
    return folder ? sl_snapshot_chunk_path(&run->arena, folder, chunk) : NULL;
}

static sl_code add_element(struct sl_snapshot_run *run, int64_t index, const struct sl_value *element, int n,
                           struct sl_error *err) {
    struct sl_snapshot_shard *shard = NULL;
    SL_TRY(find_shard(&shard, run, index, err));
    if (!shard->writer) {
        const char *path = chunk_path(run, run->path, index, shard->n_chunks);
        if (!path) return sl_fail_memory(err, strlen(run->path));
        SL_TRY(sl_chunk_writer_open(&shard->writer, path, VERSION, run->compression, err));
        shard->n_chunks++;
    }
    return sl_chunk_writer_add(shard->writer, element, n, err);
}

sl_code sl_snapshot_run_add(struct sl_snapshot_run *run, int64_t shard, const struct sl_value *element, int n,
                            struct sl_error *err) {
    if (run->failed != SL_OK) return SL_OK; /* said so already */
    return run->failed = add_element(run, shard, element, n, err);
}

/* What was added is on the disk; further elements go to new chunks. */
static sl_code close_chunks(struct sl_snapshot_run *run, struct sl_error *err) {
    for (size_t i = 0; i < run->shards.n; i++) {
        struct sl_chunk_writer *w = run->shards.items[i].writer;
        run->shards.items[i].writer = NULL;
        if (!w) continue;
        if (run->failed == SL_OK) run->failed = sl_chunk_writer_close(w, err);
        else sl_chunk_writer_abandon(w);
    }
    return run->failed;
}

/* ---- positions: how many chunks there are of each shard */

sl_code sl_snapshot_run_save(struct sl_snapshot_run *run, struct sl_state *state, const struct sl_iterator *it,
                             const char *part, struct sl_error *err) {
    char key[SL_STATE_KEY];
    SL_TRY(close_chunks(run, err));
    SL_TRY(sl_state_put_part_int(state, it, part, ":run_id", (int64_t)run->id, err));
    SL_TRY(sl_state_put_part_int(state, it, part, ":current_checkpoint_id", run->n_cuts++, err));
    SL_TRY(sl_state_put_part_int(state, it, part, ":num_shards", (int64_t)run->shards.n, err));
    for (size_t i = 0; i < run->shards.n; i++) {
        const struct sl_snapshot_shard *shard = &run->shards.items[i];
        SL_TRY(sl_state_put_part_int(state, it, part, sl_state_key(key, ":shard[%zu]", i), shard->index, err));
        SL_TRY(sl_state_put_part_int(state, it, part, sl_state_key(key, ":num_chunks[%zu]", i), shard->n_chunks, err));
    }
    return SL_OK;
}

/* Chunk `chunk` of the run `from` as one of this run. */
static sl_code take_chunk(struct sl_snapshot_run *run, struct sl_snapshot_shard *shard, const char *from, int64_t chunk,
                          struct sl_error *err) {
    const char *old = chunk_path(run, from, shard->index, chunk);
    const char *new = chunk_path(run, run->path, shard->index, shard->n_chunks);
    if (!old || !new) return sl_fail_memory(err, strlen(from));
    if (sl_file_link(old, new, NULL) != SL_OK) SL_TRY(sl_file_copy(old, new, err));
    shard->n_chunks++;
    return SL_OK;
}

static sl_code take_listed(struct sl_snapshot_run *run, const char *from, int64_t n_shards,
                           const struct sl_state *state, const struct sl_iterator *it, const char *part,
                           struct sl_error *err) {
    char key[SL_STATE_KEY];
    for (int64_t i = 0; i < n_shards; i++) {
        struct sl_snapshot_shard *shard = NULL;
        int64_t index, n_chunks;
        SL_TRY(sl_state_get_part_int(&index, state, it, part, sl_state_key(key, ":shard[%lld]", (long long)i), err));
        SL_TRY(sl_state_get_part_int(&n_chunks, state, it, part, sl_state_key(key, ":num_chunks[%lld]", (long long)i),
                                     err));
        SL_TRY(find_shard(&shard, run, index, err));
        for (int64_t k = 0; k < n_chunks; k++) SL_TRY(take_chunk(run, shard, from, k, err));
    }
    return SL_OK;
}

/* A state of TensorFlow's: all chunks up to a number, of whatever shards there are. */
static sl_code take_all(struct sl_snapshot_run *run, const char *from, int64_t last, struct sl_error *err) {
    char **paths;
    size_t n;
    SL_TRY(sl_snapshot_shards(&paths, &n, from, &run->arena, err));
    for (size_t i = 0; i < n; i++) {
        struct sl_snapshot_shard *shard = NULL;
        const int64_t index = (int64_t)strtoull(sl_path_base(paths[i]), NULL, 10);
        SL_TRY(find_shard(&shard, run, index, err));
        for (int64_t k = 0; k <= last; k++) {
            const char *path = sl_snapshot_chunk_path(&run->arena, paths[i], k);
            if (!path) return sl_fail_memory(err, strlen(from));
            if (sl_file_exists(path, NULL) == SL_OK) SL_TRY(take_chunk(run, shard, from, k, err));
        }
    }
    return SL_OK;
}

sl_code sl_snapshot_run_restore(struct sl_snapshot_run *run, const struct sl_state *state, const struct sl_iterator *it,
                                const char *part, struct sl_error *err) {
    char number[NUMBER];
    int64_t id, last, n_shards;
    SL_TRY(sl_state_get_part_int(&id, state, it, part, ":run_id", err));
    SL_TRY(sl_state_get_part_int(&last, state, it, part, ":current_checkpoint_id", err));
    snprintf(number, sizeof number, "%" PRIu64, (uint64_t)id);
    const char *from = sl_path_join(&run->arena, run->folder, number);
    if (!from) return sl_fail_memory(err, strlen(run->folder));
    if (!sl_state_has_part(state, it, part, ":num_shards")) return take_all(run, from, last, err);
    SL_TRY(sl_state_get_part_int(&n_shards, state, it, part, ":num_shards", err));
    return take_listed(run, from, n_shards, state, it, part, err);
}

sl_code sl_snapshot_run_finish(struct sl_snapshot_run *run, int64_t n_elements, struct sl_error *err) {
    if (run->failed != SL_OK) return SL_OK; /* said so already */
    SL_TRY(close_chunks(run, err));
    SL_TRY(sl_file_sync_names(run->path, err));
    run->metadata.creation_timestamp = sl_wall_us();
    run->metadata.num_elements = n_elements < 0 ? 0 : n_elements;
    run->metadata.finalized = true;
    return sl_snapshot_metadata_write(run->folder, &run->metadata, err);
}

void sl_snapshot_run_clear(struct sl_snapshot_run *run) {
    for (size_t i = 0; i < run->shards.n; i++) sl_chunk_writer_abandon(run->shards.items[i].writer);
    sl_vec_free(&run->shards);
    sl_arena_clear(&run->arena);
    *run = (struct sl_snapshot_run){.path = NULL};
}
