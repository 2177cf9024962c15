/* Tensor bundles, the checkpoints of version 2: PREFIX.index, a sorted table, and PREFIX.data-SSSSS-of-NNNNN with
 * the elements.
 *
 *   index   ""   -> BundleHeaderProto (number of shards, byte order, version)
 *           name -> BundleEntryProto  (type, shape, shard, offset, size, masked crc32c; or the slices it is stored in)
 *           key of a slice (tensor_slice.h) -> BundleEntryProto of that slice
 *   data    plain elements as in memory; strings: a varint length each | masked crc32c of the lengths | the bytes;
 *           variants: each a varint length | VariantTensorDataProto | masked crc32c of all so far, lengths as u64
 *
 * Threads: a bundle may be read by any number of threads; a writer has one owner. */
#ifndef SL_CKPT_BUNDLE_H
#define SL_CKPT_BUNDLE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "ckpt/tensor_slice.h"
#include "os/pool.h"
#include "tensor/tensor.h"

struct sl_bundle;

/* What the index says of one name. */
struct sl_bundle_entry {
    struct sl_str key;
    int dtype;
    struct sl_shape shape; /* the whole tensor's */
    int32_t shard;
    uint64_t offset, size; /* bytes in the shard's file */
    uint32_t crc;          /* masked, as stored */
    size_t n_slices;       /* 0: the elements are at `offset` */
    struct sl_tensor_slice *slices;
    bool is_slice; /* `key` is that of a slice */
};

/* Reads the index. `pool` (may be NULL; borrowed as long as the bundle) helps with checksums. NOT_FOUND when there
 * is no PREFIX.index, DATA_LOSS when it is damaged. The data files are opened when they are needed. */
sl_code sl_bundle_open(struct sl_bundle **out, const char *prefix, struct sl_pool *pool, struct sl_error *err);
void sl_bundle_close(struct sl_bundle *b);

/* NOT_FOUND "Key NAME not found in checkpoint". `out` is in `arena`. */
sl_code sl_bundle_find(struct sl_bundle_entry *out, struct sl_bundle *b, struct sl_str name, struct sl_arena *arena,
                       struct sl_error *err);
/* All entries but the header, by key, in `arena`; slices too. */
sl_code sl_bundle_list(struct sl_bundle_entry **out, size_t *n, struct sl_bundle *b, struct sl_arena *arena,
                       struct sl_error *err);
/* The tensor, or a part of it (`slice`, not NULL), put together from the stored slices. Checksums are verified.
 * DATA_LOSS, NOT_FOUND, UNIMPLEMENTED (resources, variants that are not of
 * tensor/variant_data.h) name file, tensor and reason. */
sl_code sl_bundle_read(struct sl_tensor **out, struct sl_bundle *b, struct sl_str name,
                       const struct sl_tensor_slice *slice, struct sl_error *err);
/* The number of shards, and the name of a shard's file, in `arena` (NULL: memory is out). */
int32_t sl_bundle_shards(const struct sl_bundle *b);
char *sl_bundle_data_path(struct sl_arena *arena, const char *prefix, int32_t shard, int32_t shards);
char *sl_bundle_index_path(struct sl_arena *arena, const char *prefix);

/* ---- writing
 *
 * Elements go to a temporary file as they are added; `finish` syncs it, renames it, writes the index and renames
 * that, so that PREFIX names either the old bundle or the new one, whatever happens between two system calls. */
struct sl_bundle_writer;

struct sl_bundle_writer_options {
    size_t alignment;     /* of each tensor in the file; 0 is 1 */
    struct sl_pool *pool; /* for checksums; may be NULL; borrowed */
};
/* Makes the directory when it is not there. `options` may be NULL. */
sl_code sl_bundle_writer_open(struct sl_bundle_writer **out, const char *prefix,
                              const struct sl_bundle_writer_options *options, struct sl_error *err);
/* INVALID_ARGUMENT for a name that is there already; UNIMPLEMENTED for resources and variants that are not
 * of tensor/variant_data.h. */
sl_code sl_bundle_writer_add(struct sl_bundle_writer *w, struct sl_str name, const struct sl_tensor *t,
                             struct sl_error *err);
/* A part of a tensor of shape `full`; the parts of one tensor must not overlap. */
sl_code sl_bundle_writer_add_slice(struct sl_bundle_writer *w, struct sl_str name, struct sl_shape full,
                                   const struct sl_tensor_slice *slice, const struct sl_tensor *t,
                                   struct sl_error *err);
/* Gives the bundle its name. The writer is freed, also on failure. */
sl_code sl_bundle_writer_finish(struct sl_bundle_writer *w, struct sl_error *err);
/* Removes what was written and frees; NULL is fine. */
void sl_bundle_writer_abandon(struct sl_bundle_writer *w);

/* Makes one bundle of several, whose data files are renamed; the old indices are removed, and so are the directories
 * they leave empty when `delete_old_dirs`. With `allow_missing` prefixes without an index are passed over. */
sl_code sl_bundle_merge(const char *const *prefixes, size_t n, const char *destination, bool delete_old_dirs,
                        bool allow_missing, struct sl_error *err);

#endif
