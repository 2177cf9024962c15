/* Numbers of steps, sessions and requests, and the requests that have come already. Thread-safe. */
#ifndef SL_DIST_CALL_IDS_H
#define SL_DIST_CALL_IDS_H

#include <stdbool.h>

#include "base/error.h"
#include "os/mutex.h"

/* Random numbers that are not 0. From one seed, always the same. */
struct sl_id_source {
    struct sl_mutex mutex;
    uint64_t state;
};
/* `seed` 0: one of the system's. */
void sl_id_source_init(struct sl_id_source *ids, uint64_t seed);
void sl_id_source_clear(struct sl_id_source *ids);
uint64_t sl_id_source_next(struct sl_id_source *ids);

/* The last `most` ids that were added. Takes memory as they come. */
struct sl_seen_ids {
    struct sl_mutex mutex;
    uint64_t *ring, *table; /* in the order in which they came; open addressing, 0: free */
    size_t n, most, next, room;
};
void sl_seen_ids_init(struct sl_seen_ids *seen, size_t most);
void sl_seen_ids_clear(struct sl_seen_ids *seen);
/* ABORTED "The same WHAT request was received twice." when it is among them; 0 is never. */
sl_code sl_seen_ids_add(struct sl_seen_ids *seen, uint64_t id, const char *what, struct sl_error *err);

#endif
