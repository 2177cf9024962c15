/* String map: byte string -> pointer. Keys are borrowed: they must outlive the map. One owner; look-ups of a map that
 * nobody changes may run on many threads. */
#ifndef SL_BASE_STR_MAP_H
#define SL_BASE_STR_MAP_H

#include <stdint.h>

#include "base/str.h"

struct sl_str_map_entry {
    struct sl_str key;
    uint64_t hash;
    void *value; /* NULL marks a free entry, so NULL cannot be stored */
};

struct sl_str_map {
    struct sl_str_map_entry *entries; /* open addressing; `cap` is a power of two or 0 */
    size_t n, cap;
};

/* Zero-initialise to start. */
void sl_str_map_free(struct sl_str_map *map);
/* Makes room for `more` further keys at once. 0, or -1 when memory is out. */
int sl_str_map_reserve(struct sl_str_map *map, size_t more);
/* The value, or NULL. */
void *sl_str_map_get(const struct sl_str_map *map, struct sl_str key);
/* Stores, replacing an older value of the same key (the older key pointer stays). 0, or -1 when memory is out. */
int sl_str_map_put(struct sl_str_map *map, struct sl_str key, void *value);
/* Removes; returns the value that was there, or NULL. */
void *sl_str_map_remove(struct sl_str_map *map, struct sl_str key);

/* for (struct sl_str_map_entry *e = sl_str_map_first(&m); e; e = sl_str_map_next(&m, e)): in no particular order. */
struct sl_str_map_entry *sl_str_map_first(const struct sl_str_map *map);
struct sl_str_map_entry *sl_str_map_next(const struct sl_str_map *map, struct sl_str_map_entry *e);

#endif
