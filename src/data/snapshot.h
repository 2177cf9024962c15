/* Snapshots: passes through a dataset that leave its elements in files (ckpt/snapshot_folder.h), and datasets of what is
 * there. What several kinds of them share. */
#ifndef SL_DATA_SNAPSHOT_H
#define SL_DATA_SNAPSHOT_H

#include "base/vec.h"
#include "ckpt/snapshot_chunk.h"
#include "ckpt/snapshot_folder.h"
#include "data/iterator.h"

/* When the older op writes, and when it reads. */
enum sl_snapshot_mode { SL_SNAPSHOT_AUTO, SL_SNAPSHOT_READS, SL_SNAPSHOT_WRITES, SL_SNAPSHOT_PASSES };

/* The settings of a spec: attrs of the node, as far as its op has them. */
struct sl_snapshot_settings {
    enum sl_compression compression;
    const char *reader_prefix, *writer_prefix; /* in front of the paths of elements */
    bool has_hash;
    uint64_t hash; /* the name of the folder, for has_hash */
    int version;   /* of chunks, for the readers */
    enum sl_snapshot_mode mode;
    const char *name; /* of the older op's snapshot; "": its folder is named by a hash */
    int64_t chunk_bytes, expiry_seconds;
    bool shuffles;
    int64_t seeds[2];
};

/* ---- writing: a run has chunks that are open, at most one for each shard */

struct sl_snapshot_shard {
    int64_t index, n_chunks; /* n_chunks: with the open one */
    struct sl_chunk_writer *writer;
};
/* Zero before use; one owner. */
struct sl_snapshot_run {
    struct sl_arena arena;
    const char *folder, *path; /* of the snapshot; of the run within. NULL: not begun */
    uint64_t id;
    int64_t n_cuts;
    enum sl_compression compression;
    struct sl_pb_SnapshotMetadataRecord metadata;
    SL_VEC(struct sl_snapshot_shard) shards;
    sl_code failed; /* elements are missing: it does not come to its end */
};
/* Begins a run in `folder`, of elements as `d` has them; `graph_hash` is borrowed text. What a finished run has left stays
 * until this one has come to its end. */
sl_code sl_snapshot_run_begin(struct sl_snapshot_run *run, const char *folder, const char *graph_hash,
                              const struct sl_dataset *d, enum sl_compression compression, struct sl_error *err);
/* Its position in a state, for iterator `it`: what was added until now is on the disk. Going on from there is a run of its
 * own, begun as above, with links to those chunks: whoever wrote them may go on, too. `part`: as in data/state.h. */
sl_code sl_snapshot_run_save(struct sl_snapshot_run *run, struct sl_state *state, const struct sl_iterator *it,
                             const char *part, struct sl_error *err);
sl_code sl_snapshot_run_restore(struct sl_snapshot_run *run, const struct sl_state *state, const struct sl_iterator *it,
                                const char *part, struct sl_error *err);
sl_code sl_snapshot_run_add(struct sl_snapshot_run *run, int64_t shard, const struct sl_value *element, int n,
                            struct sl_error *err);
/* All elements are there; `n_elements` -1: does not say how many. */
sl_code sl_snapshot_run_finish(struct sl_snapshot_run *run, int64_t n_elements, struct sl_error *err);
/* Frees; a run that was not finished is never taken for a whole one. */
void sl_snapshot_run_clear(struct sl_snapshot_run *run);

/* ---- reading */

/* A dataset of datasets, one for each shard of the run `path`, whose elements are as those of `d`. */
sl_code sl_snapshot_shards_dataset(struct sl_dataset **out, const char *path, const struct sl_dataset *d,
                                   enum sl_compression compression, struct sl_error *err);

#endif
