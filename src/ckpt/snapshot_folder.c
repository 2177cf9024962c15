/* The files of snapshots: see the header. Called by the datasets that write and read them. */
#include "ckpt/snapshot_folder.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "os/file.h"
#include "proto/wire.h"

enum { METADATA_BYTES_MAX = 1 << 20, NAME = 64 };
static const char FILE_NAME[] = "snapshot.metadata";

sl_code sl_snapshot_metadata_read(struct sl_pb_SnapshotMetadataRecord *out, const char *folder, struct sl_arena *arena,
                                  struct sl_error *err) {
    char *path = sl_path_join(arena, folder, FILE_NAME), *data;
    size_t size;
    if (!path) return sl_fail_memory(err, strlen(folder));
    SL_TRY(sl_file_read(&data, &size, path, METADATA_BYTES_MAX, err));
    const struct sl_str bytes = sl_arena_str(arena, (struct sl_str){data, size});
    sl_free(data);
    if (!bytes.p) return sl_fail_memory(err, size);
    if (sl_pb_decode(out, SL_PB_TYPE(SnapshotMetadataRecord), bytes, arena, NULL) == SL_OK && out->run_id.n &&
        !memchr(out->run_id.p, 0, out->run_id.n))
        return SL_OK;
    return sl_fail(err, SL_DATA_LOSS, "%s; is no description of a snapshot", path);
}

sl_code sl_snapshot_metadata_write(const char *folder, const struct sl_pb_SnapshotMetadataRecord *m,
                                   struct sl_error *err) {
    struct sl_arena arena;
    struct sl_str bytes;
    sl_arena_init(&arena);
    char *path = sl_path_join(&arena, folder, FILE_NAME);
    sl_code code = path ? sl_pb_encode(&bytes, SL_PB_TYPE(SnapshotMetadataRecord), m, 0, &arena, err)
                        : sl_fail_memory(err, strlen(folder));
    if (code == SL_OK) code = sl_file_write_atomic(path, bytes.p, bytes.n, err);
    sl_arena_clear(&arena);
    return code;
}

char *sl_snapshot_shard_path(struct sl_arena *arena, const char *run, int64_t shard) {
    char name[NAME];
    snprintf(name, sizeof name, "%08" PRIu64 ".shard", (uint64_t)shard);
    return sl_path_join(arena, run, name);
}

char *sl_snapshot_chunk_path(struct sl_arena *arena, const char *folder, int64_t chunk) {
    char name[NAME];
    snprintf(name, sizeof name, "%08" PRIu64 ".snapshot", (uint64_t)chunk);
    return sl_path_join(arena, folder, name);
}

sl_code sl_snapshot_shards(char ***paths, size_t *n, const char *run, struct sl_arena *arena, struct sl_error *err) {
    static const char ending[] = ".shard";
    char **names;
    size_t n_names;
    SL_TRY(sl_dir_list(&names, &n_names, run, arena, err));
    *paths = SL_ARENA_ARRAY(arena, char *, n_names + 1);
    if (!*paths) return sl_fail_memory(err, n_names);
    *n = 0;
    for (size_t i = 0; i < n_names; i++) {
        const size_t length = strlen(names[i]), tail = sizeof ending - 1;
        if (length <= tail || strcmp(names[i] + length - tail, ending) != 0) continue;
        char *path = sl_path_join(arena, run, names[i]);
        if (!path) return sl_fail_memory(err, length);
        (*paths)[(*n)++] = path;
    }
    return SL_OK;
}
