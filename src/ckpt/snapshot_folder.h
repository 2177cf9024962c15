/* Folders of snapshots of datasets: where their files are, and the file that says what they hold.
 *
 *   FOLDER/snapshot.metadata                     SnapshotMetadataRecord: which run counts, and whether it came to its end
 *   FOLDER/RUN/00000000.shard/00000000.snapshot  a chunk (snapshot_chunk.h); version 1 has no folders for shards
 *
 * A run writes a folder of its own; the file that names it says `finalized` only once all its chunks are on the disk.
 * Thread-safe: nothing is shared. */
#ifndef SL_CKPT_SNAPSHOT_FOLDER_H
#define SL_CKPT_SNAPSHOT_FOLDER_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/gen/messages.h"

/* The file of `folder`, its strings in `arena`. NOT_FOUND when there is none, DATA_LOSS when it is damaged. */
sl_code sl_snapshot_metadata_read(struct sl_pb_SnapshotMetadataRecord *out, const char *folder, struct sl_arena *arena,
                                  struct sl_error *err);
/* Replaces it, whatever happens on the way. */
sl_code sl_snapshot_metadata_write(const char *folder, const struct sl_pb_SnapshotMetadataRecord *m,
                                   struct sl_error *err);

/* Paths in `arena`, NULL when memory is out. `folder` is a run, or a shard. */
char *sl_snapshot_shard_path(struct sl_arena *arena, const char *run, int64_t shard);
char *sl_snapshot_chunk_path(struct sl_arena *arena, const char *folder, int64_t chunk);
/* The shards of a run, sorted by name. NOT_FOUND when it is gone. */
sl_code sl_snapshot_shards(char ***paths, size_t *n, const char *run, struct sl_arena *arena, struct sl_error *err);

#endif
