/* Ids: SplitMix64 (Steele, Lea, Flood 2014), and a ring with a table beside it. */
#include "dist/call_ids.h"

#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/clock.h"

void sl_id_source_init(struct sl_id_source *ids, uint64_t seed) {
    sl_mutex_init(&ids->mutex);
    if (!seed && getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) seed = (uint64_t)sl_clock_ns();
    ids->state = seed;
}

void sl_id_source_clear(struct sl_id_source *ids) { sl_mutex_clear(&ids->mutex); }

uint64_t sl_id_source_next(struct sl_id_source *ids) {
    uint64_t z;
    sl_mutex_lock(&ids->mutex);
    do {
        z = ids->state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        z ^= z >> 31;
    } while (!z);
    sl_mutex_unlock(&ids->mutex);
    return z;
}

void sl_seen_ids_init(struct sl_seen_ids *seen, size_t most) {
    *seen = (struct sl_seen_ids){.most = most};
    sl_mutex_init(&seen->mutex);
}

void sl_seen_ids_clear(struct sl_seen_ids *seen) {
    sl_free(seen->ring);
    sl_free(seen->table);
    sl_mutex_clear(&seen->mutex);
}

/* Where the id is, or the free place where it would be. */
static size_t place_of(const struct sl_seen_ids *seen, uint64_t id) {
    size_t mask = seen->room - 1, at = sl_hash_mix(id, 1) & mask;
    while (seen->table[at] && seen->table[at] != id) at = (at + 1) & mask;
    return at;
}

/* Those behind it move up, so that none is cut off from its place. */
static void forget(struct sl_seen_ids *seen, uint64_t id) {
    size_t mask = seen->room - 1, hole = place_of(seen, id);
    seen->table[hole] = 0;
    for (size_t at = (hole + 1) & mask; seen->table[at]; at = (at + 1) & mask) {
        uint64_t moved = seen->table[at];
        seen->table[at] = 0;
        seen->table[place_of(seen, moved)] = moved;
    }
}

/* Room for one more; the table is at most half full. */
static sl_code grow(struct sl_seen_ids *seen, struct sl_error *err) {
    if (seen->room && 2 * (seen->n + 1) <= seen->room) return SL_OK;
    size_t room = seen->room ? 2 * seen->room : 64;
    uint64_t *table = sl_calloc(room, sizeof *table), *ring = sl_realloc(seen->ring, room / 2 * sizeof *ring);
    if (ring) seen->ring = ring;
    if (!table || !ring) {
        sl_free(table);
        return sl_fail_memory(err, room * sizeof *table);
    }
    sl_free(seen->table);
    seen->table = table;
    seen->room = room;
    for (size_t i = 0; i < seen->n; i++) seen->table[place_of(seen, seen->ring[i])] = seen->ring[i];
    return SL_OK;
}

static sl_code add(struct sl_seen_ids *seen, uint64_t id, const char *what, struct sl_error *err) {
    if (seen->n < seen->most) SL_TRY(grow(seen, err));
    if (seen->table[place_of(seen, id)])
        return sl_fail(err, SL_ABORTED, "The same %s request was received twice.", what);
    if (seen->n == seen->most) forget(seen, seen->ring[seen->next]);
    else seen->n++;
    seen->ring[seen->next] = id;
    seen->next = (seen->next + 1) % seen->most;
    seen->table[place_of(seen, id)] = id;
    return SL_OK;
}

sl_code sl_seen_ids_add(struct sl_seen_ids *seen, uint64_t id, const char *what, struct sl_error *err) {
    if (!id) return SL_OK;
    sl_mutex_lock(&seen->mutex);
    sl_code code = add(seen, id, what, err);
    sl_mutex_unlock(&seen->mutex);
    return code;
}
