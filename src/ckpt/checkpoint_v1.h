/* Checkpoints of version 1: sorted tables with the tensors in them, one file or one for each shard.
 *
 *   ""              -> SavedTensorSlices.meta: name, shape, type and slices of all tensors of the file
 *   key of a slice  -> SavedTensorSlices.data: name, slice, a TensorProto with the elements in the field of their type
 *
 * Threads: a reader may be used by any number of threads; a writer has one owner. */
#ifndef SL_CKPT_CHECKPOINT_V1_H
#define SL_CKPT_CHECKPOINT_V1_H

#include "ckpt/bundle.h"

struct sl_v1_reader;

/* All files that match `pattern` (os/file.h), together. NOT_FOUND when there are none. */
sl_code sl_v1_open(struct sl_v1_reader **out, const char *pattern, struct sl_error *err);
void sl_v1_close(struct sl_v1_reader *r);
/* As for bundles; entries have no place in a file, and always slices. */
sl_code sl_v1_find(struct sl_bundle_entry *out, struct sl_v1_reader *r, struct sl_str name, struct sl_error *err);
sl_code sl_v1_list(struct sl_bundle_entry **out, size_t *n, struct sl_v1_reader *r, struct sl_arena *arena,
                   struct sl_error *err);
sl_code sl_v1_read(struct sl_tensor **out, struct sl_v1_reader *r, struct sl_str name,
                   const struct sl_tensor_slice *slice, struct sl_error *err);

struct sl_v1_writer;

sl_code sl_v1_writer_open(struct sl_v1_writer **out, const char *path, struct sl_error *err);
/* A part of a tensor of shape `full` (`slice` NULL: all of it). `t` gains a reference until the end. */
sl_code sl_v1_writer_add(struct sl_v1_writer *w, struct sl_str name, struct sl_shape full,
                         const struct sl_tensor_slice *slice, struct sl_tensor *t, struct sl_error *err);
/* Writes the file, which takes its name when it is whole, and frees the writer, also on failure. */
sl_code sl_v1_writer_finish(struct sl_v1_writer *w, struct sl_error *err);
void sl_v1_writer_abandon(struct sl_v1_writer *w);

#endif
