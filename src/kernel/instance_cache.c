/* The cache: shards, each a hash table with a lock of its own. Instances without identity are also in a queue, oldest
 * first. When a shard is full, the oldest instance is dropped; one that was found again goes back to the tail once
 * ("second chance"). */
#include "kernel/instance_cache.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/mutex.h"

enum { SHARDS = 16, SMALL = 64 * SHARDS, FIRST_BUCKETS = 16 };

struct shard {
    struct sl_mutex mutex;
    struct sl_kernel_instance **buckets; /* `n_buckets` chains: a power of two, 0 before the first instance */
    size_t n_buckets, n;
    struct sl_kernel_instance *oldest, *newest; /* of those without identity */
    size_t n_in_order;
};

struct sl_kernel_cache {
    struct sl_kernel_table *kernels;
    struct sl_functions *functions;
    size_t most; /* of a shard */
    size_t n_shards;
    struct shard shards[];
};

sl_code sl_kernel_cache_new(struct sl_kernel_cache **out, struct sl_kernel_table *kernels,
                            struct sl_functions *functions, size_t most, struct sl_error *err) {
    const size_t n = most < SMALL ? 1 : SHARDS, bytes = sizeof(struct sl_kernel_cache) + n * sizeof(struct shard);
    struct sl_kernel_cache *cache = sl_calloc(1, bytes);
    if (!cache) return sl_fail_memory(err, bytes);
    cache->kernels = kernels;
    cache->functions = functions;
    cache->most = most / n;
    cache->n_shards = n;
    for (size_t s = 0; s < n; s++) sl_mutex_init(&cache->shards[s].mutex);
    *out = cache;
    return SL_OK;
}

void sl_kernel_cache_free(struct sl_kernel_cache *cache) {
    if (!cache) return;
    for (size_t s = 0; s < cache->n_shards; s++) {
        struct shard *shard = &cache->shards[s];
        for (size_t b = 0; b < shard->n_buckets; b++)
            for (struct sl_kernel_instance *i = shard->buckets[b], *next; i; i = next) {
                next = i->next_in_bucket;
                sl_kernel_instance_unref(i);
            }
        sl_free(shard->buckets);
        sl_mutex_clear(&shard->mutex);
    }
    sl_free(cache);
}

struct sl_kernel_table *sl_kernel_cache_table(const struct sl_kernel_cache *cache) {
    return cache->kernels;
}
struct sl_functions *sl_kernel_cache_functions(const struct sl_kernel_cache *cache) {
    return cache->functions;
}

size_t sl_kernel_cache_count(struct sl_kernel_cache *cache) {
    size_t n = 0;
    for (size_t s = 0; s < cache->n_shards; s++) {
        sl_mutex_lock(&cache->shards[s].mutex);
        n += cache->shards[s].n;
        sl_mutex_unlock(&cache->shards[s].mutex);
    }
    return n;
}

/* ---- equal requests */

/* How many there are and the first of them: the lists of programs that fusing makes are long, and seldom equal. */
static uint64_t mix_list(uint64_t hash, const struct sl_pb_AttrValue_ListValue *list) {
    enum { FIRST = 4 };
    hash = sl_hash_mix(hash, list->i.n << 32 | list->type.n);
    for (size_t i = 0; i < list->i.n && i < FIRST; i++) hash = sl_hash_mix(hash, (uint64_t)list->i.items[i]);
    for (size_t i = 0; i < list->type.n && i < FIRST; i++) hash = sl_hash_mix(hash, (uint64_t)list->type.items[i]);
    return hash;
}

/* Of values that are quick to hash; others (shapes, tensors, functions) are told apart by comparing. */
static uint64_t mix_value(uint64_t hash, const struct sl_pb_AttrValue *v) {
    switch (v->which) {
    case SL_PB_AttrValue_list: return v->list ? mix_list(hash, v->list) : hash;
    case SL_PB_AttrValue_type: return sl_hash_mix(hash, (uint64_t)v->type);
    case SL_PB_AttrValue_i: return sl_hash_mix(hash, (uint64_t)v->i);
    case SL_PB_AttrValue_b: return sl_hash_mix(hash, v->b);
    case SL_PB_AttrValue_s: return sl_hash_mix(hash, sl_hash_name(v->s.p, v->s.n));
    default: return hash;
    }
}

uint64_t sl_kernel_request_hash(const struct sl_kernel_request *r) {
    const struct sl_op *op = r->op;
    uint64_t hash = sl_hash_mix(0, op->index == SL_OP_NO_ROW ? (uint64_t)(uintptr_t)op : op->index);
    if (r->identity.n) return sl_hash_mix(hash, sl_hash_name(r->identity.p, r->identity.n));
    for (int a = 0; a < op->n_attrs; a++) hash = mix_value(hash, r->attrs->items[a].value);
    return hash;
}

static bool equal_values(const struct sl_attrs *a, const struct sl_attrs *b, int first, int end) {
    for (int i = first; i < end; i++)
        if (!sl_attr_equal(a->items[i].value, b->items[i].value)) return false;
    return true;
}

/* Bound attrs: those that the op declares stand first and in its order. */
static bool equal_declared(const struct sl_kernel_request *a, const struct sl_kernel_request *b) {
    return equal_values(a->attrs, b->attrs, 0, a->op->n_attrs);
}

/* Of other attrs the label that chooses the row counts, and for rows that may read them all do. */
static bool equal_others(const struct sl_kernel_instance *i, const struct sl_kernel_request *b) {
    const struct sl_attrs *x = i->request.attrs, *y = b->attrs;
    const int first = b->op->n_attrs;
    if (x->n == first && y->n == first) return true;
    if (!(i->node.def->flags & SL_KERNEL_OWN)) {
        const struct sl_pb_AttrValue *p = sl_attr_find(x, SL_STR("_kernel")), *q = sl_attr_find(y, SL_STR("_kernel"));
        return p == q || (p && q && sl_attr_equal(p, q));
    }
    for (int a = first; x->n == y->n && a < x->n; a++)
        if (!sl_str_eq(x->items[a].name, y->items[a].name)) return false;
    return x->n == y->n && equal_values(x, y, first, x->n);
}

static bool answers(const struct sl_kernel_instance *i, const struct sl_kernel_request *b) {
    const struct sl_kernel_request *a = &i->request;
    if ((i->node.def->flags & SL_KERNEL_OWN) && b->node.n && !b->identity.n) return false;
    return a->op == b->op && a->graph_version == b->graph_version && sl_str_eq(a->identity, b->identity) &&
           (a->device == b->device || strcmp(a->device, b->device) == 0) && equal_declared(a, b) && equal_others(i, b);
}

/* ---- looking up */

static struct shard *shard_of(struct sl_kernel_cache *cache, uint64_t hash) {
    return &cache->shards[cache->n_shards > 1 ? hash >> 60 : 0];
}

/* With the lock held. */
static struct sl_kernel_instance *find(const struct shard *s, const struct sl_kernel_request *request, uint64_t hash,
                                       unsigned table_version) {
    if (!s->n_buckets) return NULL;
    struct sl_kernel_instance *i = s->buckets[hash & (s->n_buckets - 1)];
    while (i && (i->hash != hash || i->table_version != table_version || !answers(i, request))) i = i->next_in_bucket;
    return i;
}

struct sl_kernel_instance *sl_kernel_cache_find(struct sl_kernel_cache *cache, const struct sl_kernel_request *request,
                                                uint64_t hash) {
    struct shard *s = shard_of(cache, hash);
    sl_mutex_lock(&s->mutex);
    struct sl_kernel_instance *i = find(s, request, hash, sl_kernel_table_version(cache->kernels));
    if (i) {
        i->was_found = true;
        sl_kernel_instance_ref(i);
    }
    sl_mutex_unlock(&s->mutex);
    return i;
}

/* ---- taking in and dropping, with the lock held */

static bool make_room_in_buckets(struct shard *s) {
    if (s->n < s->n_buckets) return true;
    const size_t n = s->n_buckets ? 2 * s->n_buckets : FIRST_BUCKETS;
    struct sl_kernel_instance **buckets = sl_calloc(n, sizeof(struct sl_kernel_instance *));
    if (!buckets) return s->n_buckets > 0;
    for (size_t b = 0; b < s->n_buckets; b++)
        for (struct sl_kernel_instance *i = s->buckets[b], *next; i; i = next) {
            next = i->next_in_bucket;
            i->next_in_bucket = buckets[i->hash & (n - 1)];
            buckets[i->hash & (n - 1)] = i;
        }
    sl_free(s->buckets);
    s->buckets = buckets;
    s->n_buckets = n;
    return true;
}

static void append(struct shard *s, struct sl_kernel_instance *i) {
    i->next_in_order = NULL;
    if (s->newest) s->newest->next_in_order = i;
    else s->oldest = i;
    s->newest = i;
    s->n_in_order++;
}

static struct sl_kernel_instance *take_oldest(struct shard *s) {
    struct sl_kernel_instance *i = s->oldest;
    s->oldest = i->next_in_order;
    if (!s->oldest) s->newest = NULL;
    s->n_in_order--;
    return i;
}

/* The instance that is no longer in the shard. */
static struct sl_kernel_instance *drop_one(struct shard *s) {
    struct sl_kernel_instance *i = take_oldest(s);
    for (; i->was_found; i = take_oldest(s)) {
        i->was_found = false;
        append(s, i);
    }
    struct sl_kernel_instance **at = &s->buckets[i->hash & (s->n_buckets - 1)];
    while (*at != i) at = &(*at)->next_in_bucket;
    *at = i->next_in_bucket;
    s->n--;
    return i;
}

struct sl_kernel_instance *sl_kernel_cache_add(struct sl_kernel_cache *cache, struct sl_kernel_instance *made) {
    struct shard *s = shard_of(cache, made->hash);
    const bool is_pinned = made->request.identity.n > 0;
    struct sl_kernel_instance *dropped = NULL;
    sl_mutex_lock(&s->mutex);
    struct sl_kernel_instance *i = find(s, &made->request, made->hash, made->table_version);
    if (!i) i = made;
    if (i == made && (is_pinned || cache->most) && make_room_in_buckets(s)) {
        if (!is_pinned && s->n_in_order == cache->most) dropped = drop_one(s);
        struct sl_kernel_instance **bucket = &s->buckets[made->hash & (s->n_buckets - 1)];
        made->next_in_bucket = *bucket;
        *bucket = sl_kernel_instance_ref(made);
        if (!is_pinned) append(s, made);
        s->n++;
    }
    sl_kernel_instance_ref(i);
    sl_mutex_unlock(&s->mutex);
    sl_kernel_instance_unref(dropped); /* its end may take long */
    return i;
}
