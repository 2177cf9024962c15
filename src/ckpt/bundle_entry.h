/* Entries of an index to and from their messages: for the .c files of bundles. Pure functions; thread-safe. */
#ifndef SL_CKPT_BUNDLE_ENTRY_H
#define SL_CKPT_BUNDLE_ENTRY_H

#include "ckpt/bundle.h"
#include "ckpt/sorted_table.h"

enum { SL_BUNDLE_VERSION = 1 };

/* `key` and the message are copied to `arena`. DATA_LOSS when they make no sense. */
sl_code sl_bundle_entry_decode(struct sl_bundle_entry *out, const char *path, struct sl_str key, struct sl_str bytes,
                               struct sl_arena *arena, struct sl_error *err);
sl_code sl_bundle_entry_encode(struct sl_str *out, const struct sl_bundle_entry *e, struct sl_arena *arena,
                               struct sl_error *err);
/* Writes the index at `path`, through a temporary file. `entries` are sorted by key. */
sl_code sl_bundle_index_write(const char *path, const struct sl_bundle_entry *entries, size_t n, int32_t shards,
                              struct sl_error *err);
/* The number of shards of the bundle that `prefix` names now; 0 when there is none that can be read. */
int32_t sl_bundle_old_shards(const char *prefix);
/* How many bytes a tensor has at least that is restored by mapping it (SLUICE_MAP_CHECKPOINTS); SIZE_MAX: none is.
 * INVALID_ARGUMENT when the variable makes no sense. */
sl_code sl_bundle_least_mapped(size_t *bytes, struct sl_error *err);
/* Sorts by key. */
void sl_bundle_entries_sort(struct sl_bundle_entry *entries, size_t n);

#endif
