/* Linear probing at a load of at most 2/3; removal shifts the following run back, so there are no tombstones. */
#include "base/str_map.h"

#include "base/alloc.h"
#include "base/hash.h"

void sl_str_map_free(struct sl_str_map *map) {
    sl_free(map->entries);
    *map = (struct sl_str_map){0};
}

static struct sl_str_map_entry *find(const struct sl_str_map *map, struct sl_str key, uint64_t hash) {
    size_t mask = map->cap - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct sl_str_map_entry *e = &map->entries[i];
        if (!e->value || (e->hash == hash && sl_str_eq(e->key, key))) return e;
    }
}

void *sl_str_map_get(const struct sl_str_map *map, struct sl_str key) {
    return map->n ? find(map, key, sl_hash_bytes(key.p, key.n))->value : NULL;
}

static int resize(struct sl_str_map *map, size_t cap) {
    struct sl_str_map bigger = {.cap = cap, .n = map->n};
    bigger.entries = sl_calloc(bigger.cap, sizeof *bigger.entries);
    if (!bigger.entries) return -1;
    for (size_t i = 0; i < map->cap; i++)
        if (map->entries[i].value) *find(&bigger, map->entries[i].key, map->entries[i].hash) = map->entries[i];
    sl_free(map->entries);
    *map = bigger;
    return 0;
}

int sl_str_map_reserve(struct sl_str_map *map, size_t more) {
    size_t cap = map->cap ? map->cap : 16;
    if (more > SIZE_MAX / 4 - map->n) return -1;
    while ((map->n + more) * 3 > cap * 2) cap *= 2;
    return cap > map->cap ? resize(map, cap) : 0;
}

int sl_str_map_put(struct sl_str_map *map, struct sl_str key, void *value) {
    if ((map->n + 1) * 3 > map->cap * 2 && resize(map, map->cap ? map->cap * 2 : 16)) return -1;
    uint64_t hash = sl_hash_bytes(key.p, key.n);
    struct sl_str_map_entry *e = find(map, key, hash);
    if (!e->value) {
        e->key = key;
        e->hash = hash;
        map->n++;
    }
    e->value = value;
    return 0;
}

void *sl_str_map_remove(struct sl_str_map *map, struct sl_str key) {
    if (!map->n) return NULL;
    struct sl_str_map_entry *e = find(map, key, sl_hash_bytes(key.p, key.n));
    void *value = e->value;
    if (!value) return NULL;
    size_t mask = map->cap - 1, hole = (size_t)(e - map->entries);
    for (size_t i = (hole + 1) & mask; map->entries[i].value; i = (i + 1) & mask) {
        size_t home = (size_t)map->entries[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            map->entries[hole] = map->entries[i];
            hole = i;
        }
    }
    map->entries[hole] = (struct sl_str_map_entry){0};
    map->n--;
    return value;
}

static struct sl_str_map_entry *taken_from(const struct sl_str_map *map, struct sl_str_map_entry *e) {
    for (; e < map->entries + map->cap; e++)
        if (e->value) return e;
    return NULL;
}

struct sl_str_map_entry *sl_str_map_first(const struct sl_str_map *map) {
    return map->cap ? taken_from(map, map->entries) : NULL;
}

struct sl_str_map_entry *sl_str_map_next(const struct sl_str_map *map, struct sl_str_map_entry *e) {
    return taken_from(map, e + 1);
}
