/* A checkpoint of either version behind one door: what restore operations, tools and loaders use.
 * Threads: any number may read. */
#ifndef SL_CKPT_CHECKPOINT_H
#define SL_CKPT_CHECKPOINT_H

#include "ckpt/bundle.h"

struct sl_checkpoint;

/* PREFIX.index when it is there, else the files of version 1 that match `prefix`. NOT_FOUND when there is neither. */
sl_code sl_checkpoint_open(struct sl_checkpoint **out, const char *prefix, struct sl_pool *pool, struct sl_error *err);
void sl_checkpoint_close(struct sl_checkpoint *c);
int sl_checkpoint_version(const struct sl_checkpoint *c); /* 1 or 2 */

/* What bundle.h says of the functions of the same names. Entries are borrowed from `arena` and `c`. */
sl_code sl_checkpoint_find(struct sl_bundle_entry *out, struct sl_checkpoint *c, struct sl_str name,
                           struct sl_arena *arena, struct sl_error *err);
sl_code sl_checkpoint_list(struct sl_bundle_entry **out, size_t *n, struct sl_checkpoint *c, struct sl_arena *arena,
                           struct sl_error *err); /* tensors, no slices */
sl_code sl_checkpoint_read(struct sl_tensor **out, struct sl_checkpoint *c, struct sl_str name,
                           const struct sl_tensor_slice *slice, struct sl_error *err);

#endif
