/* A hash map of numbers or strings to values, whose order of walking is that of C++'s std::unordered_map as GNU's
 * library has it: what tables of TensorFlow export in that order is seen by graphs. One owner. Zero-initialise to
 * start.
 *
 *   first ─► node ─► node ─► node ...        one list of all; the nodes of a bucket are neighbours
 *   buckets[hash % n_buckets] ─► the link that leads to the bucket's first node */
#ifndef SL_BACKENDS_ANY_CHAIN_MAP_H
#define SL_BACKENDS_ANY_CHAIN_MAP_H

#include "base/str.h"
#include "tensor/value.h"

/* A key: a number, or a string when `text.p` is not NULL. */
struct sl_chain_key {
    int64_t number;
    struct sl_str text;
};

struct sl_chain_link {
    struct sl_chain_node *next;
};
struct sl_chain_node {
    struct sl_chain_link link;
    uint64_t hash;
    struct sl_value value; /* owned */
    struct sl_chain_key key;
    char text[]; /* of the key */
};

struct sl_chain_map {
    struct sl_chain_link first;
    struct sl_chain_link **buckets;
    size_t n, n_buckets;
};

/* Frees all; the map is then as new. */
void sl_chain_map_free(struct sl_chain_map *m);
/* Drops all nodes; the buckets stay. */
void sl_chain_map_clear(struct sl_chain_map *m);
/* The value, borrowed, or NULL. */
const struct sl_value *sl_chain_map_get(const struct sl_chain_map *m, struct sl_chain_key key);
/* Stores; takes the value over, also on failure. */
sl_code sl_chain_map_put(struct sl_chain_map *m, struct sl_chain_key key, struct sl_value value, struct sl_error *err);
void sl_chain_map_remove(struct sl_chain_map *m, struct sl_chain_key key);

#endif
