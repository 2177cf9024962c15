/* The hash map of tables. Called by lookup_table.c and the staging areas. */
#include "backends/any/chain_map.h"

#include "base/alloc.h"
#include "base/hash.h"

/* The bucket counts that a map grows through when elements come one by one. */
static const size_t sizes[] = {13,      29,       59,       127,      257,       541,       1109,     2357,    5087,
                               10273,   20753,    42043,    85229,    172933,    351061,    712697,   1447153, 2938679,
                               5967347, 12117689, 24607243, 49969847, 101473717, 206062531, 418458431};

static uint64_t hash_of(struct sl_chain_key key) {
    return key.text.p ? sl_hash64(key.text.p, key.text.n, SL_HASH64_SEED) : (uint64_t)key.number;
}

static bool is_key(const struct sl_chain_node *n, struct sl_chain_key key, uint64_t hash) {
    if (n->hash != hash) return false;
    return key.text.p ? sl_str_eq(n->key.text, key.text) : n->key.number == key.number;
}

static size_t bucket_of(const struct sl_chain_map *m, const struct sl_chain_node *n) { return n->hash % m->n_buckets; }

/* The link that leads to the key's node, or NULL. */
static struct sl_chain_link *find_link(const struct sl_chain_map *m, struct sl_chain_key key, uint64_t hash) {
    if (!m->n_buckets) return NULL;
    size_t bucket = hash % m->n_buckets;
    struct sl_chain_link *link = m->buckets[bucket];
    for (; link && link->next && bucket_of(m, link->next) == bucket; link = &link->next->link)
        if (is_key(link->next, key, hash)) return link;
    return NULL;
}

void sl_chain_map_clear(struct sl_chain_map *m) {
    for (struct sl_chain_node *n = m->first.next, *next; n; n = next) {
        next = n->link.next;
        sl_value_clear(&n->value);
        sl_free(n);
    }
    m->first.next = NULL;
    m->n = 0;
    if (m->n_buckets) memset(m->buckets, 0, m->n_buckets * sizeof *m->buckets);
}

void sl_chain_map_free(struct sl_chain_map *m) {
    sl_chain_map_clear(m);
    sl_free(m->buckets);
    *m = (struct sl_chain_map){0};
}

const struct sl_value *sl_chain_map_get(const struct sl_chain_map *m, struct sl_chain_key key) {
    struct sl_chain_link *link = find_link(m, key, hash_of(key));
    return link ? &link->next->value : NULL;
}

/* Puts a node at the front of its bucket; a bucket that was empty goes to the front of the list. */
static void link_node(struct sl_chain_map *m, struct sl_chain_node *n) {
    size_t bucket = bucket_of(m, n);
    if (m->buckets[bucket]) {
        n->link.next = m->buckets[bucket]->next;
        m->buckets[bucket]->next = n;
        return;
    }
    n->link.next = m->first.next;
    m->first.next = n;
    if (n->link.next) m->buckets[bucket_of(m, n->link.next)] = &n->link;
    m->buckets[bucket] = &m->first;
}

static sl_code grow(struct sl_chain_map *m, struct sl_error *err) {
    size_t i = 0;
    while (i < sizeof sizes / sizeof *sizes && sizes[i] <= m->n_buckets) i++;
    if (i == sizeof sizes / sizeof *sizes) return sl_fail_memory(err, m->n);
    struct sl_chain_link **buckets = sl_calloc(sizes[i], sizeof *buckets);
    if (!buckets) return sl_fail_memory(err, sizes[i] * sizeof *buckets);
    struct sl_chain_node *n = m->first.next, *next;
    sl_free(m->buckets);
    m->buckets = buckets;
    m->n_buckets = sizes[i];
    m->first.next = NULL;
    for (; n; n = next) {
        next = n->link.next;
        link_node(m, n);
    }
    return SL_OK;
}

static sl_code insert(struct sl_chain_map *m, struct sl_chain_key key, uint64_t hash, struct sl_value value,
                      struct sl_error *err) {
    if (m->n >= m->n_buckets) SL_TRY(grow(m, err));
    struct sl_chain_node *n = sl_malloc(sizeof *n + key.text.n);
    if (!n) return sl_fail_memory(err, sizeof *n + key.text.n);
    n->hash = hash;
    n->value = value;
    n->key = key;
    if (key.text.p) {
        memcpy(n->text, key.text.p, key.text.n);
        n->key.text.p = n->text;
    }
    link_node(m, n);
    m->n++;
    return SL_OK;
}

sl_code sl_chain_map_put(struct sl_chain_map *m, struct sl_chain_key key, struct sl_value value, struct sl_error *err) {
    uint64_t hash = hash_of(key);
    struct sl_chain_link *link = find_link(m, key, hash);
    if (link) {
        sl_value_clear(&link->next->value);
        link->next->value = value;
        return SL_OK;
    }
    sl_code code = insert(m, key, hash, value, err);
    if (code != SL_OK) sl_value_clear(&value);
    return code;
}

void sl_chain_map_remove(struct sl_chain_map *m, struct sl_chain_key key) {
    struct sl_chain_link *link = find_link(m, key, hash_of(key));
    if (!link) return;
    struct sl_chain_node *n = link->next, *next = n->link.next;
    size_t bucket = bucket_of(m, n);
    bool is_first = m->buckets[bucket] == link, has_more = next && bucket_of(m, next) == bucket;
    if (is_first && !has_more) m->buckets[bucket] = NULL;
    if (next && !has_more) m->buckets[bucket_of(m, next)] = link;
    link->next = next;
    m->n--;
    sl_value_clear(&n->value);
    sl_free(n);
}
