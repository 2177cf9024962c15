/* A cache in memory: the first pass that comes to its end leaves its elements to those that begin later. */
#include "data/cache.h"

#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "os/mutex.h"

struct cache {
    struct sl_object object;
    struct sl_mutex mutex; /* guards is_full; `list` never changes once that is true */
    struct sl_element_list list;
    bool is_full;
};

static void cache_free(struct sl_object *object) {
    struct cache *c = (struct cache *)object;
    sl_element_list_clear(&c->list);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

const struct sl_object_type sl_memory_cache_type = {.name = "tensorflow::data::MemoryCacheManager", .free = cache_free};

sl_code sl_memory_cache_new(struct sl_object **out, struct sl_error *err) {
    struct cache *c = sl_calloc(1, sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    sl_object_init(&c->object, &sl_memory_cache_type);
    sl_mutex_init(&c->mutex);
    *out = &c->object;
    return SL_OK;
}

/* ---- CacheDataset: filename, and maybe a cache; one that is none stands for a cache of the dataset's own */

struct cache_iterator {
    struct sl_iterator base;
    struct sl_element_list pass; /* what this pass has given, while it may fill the cache */
    int64_t at;
    bool reads; /* the cache was full when the pass began */
};

static struct cache *cache_of(const struct sl_dataset *d) { return *(struct cache **)d->state; }

static sl_code cache_init(struct sl_dataset *d, struct sl_error *err) {
    struct sl_str file;
    SL_TRY(sl_dataset_string(&file, d, 0, "filename", err));
    if (file.n) return sl_fail(err, SL_UNIMPLEMENTED, "Caches in files are not supported");
    struct sl_object *given = NULL;
    if (d->n_values > 1) {
        const struct sl_view v = sl_value_view(&d->values[1]);
        if (v.dtype == SL_RESOURCE && v.count == 1) given = *(struct sl_object **)v.data;
    }
    if (given && given->type == &sl_memory_cache_type) {
        *(struct sl_object **)d->state = sl_object_ref(given);
        return SL_OK;
    }
    return sl_memory_cache_new(d->state, err);
}

static void cache_clear(struct sl_dataset *d) { sl_object_unref(*(struct sl_object **)d->state); }

static sl_code cache_begin(struct sl_iterator *self, struct sl_step_env *env, struct sl_error *err) {
    struct cache_iterator *it = (struct cache_iterator *)self;
    struct cache *c = cache_of(self->dataset);
    it->pass.width = self->dataset->n;
    sl_mutex_lock(&c->mutex);
    it->reads = c->is_full;
    sl_mutex_unlock(&c->mutex);
    return it->reads ? SL_OK : sl_iterator_new(&self->input, self->dataset->inputs[0], env, err);
}

/* The pass is complete: its elements become the cache's, unless another pass was first. */
static void publish(struct cache_iterator *it) {
    struct cache *c = cache_of(it->base.dataset);
    sl_mutex_lock(&c->mutex);
    if (!c->is_full) {
        c->list = it->pass;
        c->is_full = true;
        it->pass = (struct sl_element_list){.width = it->base.dataset->n};
    }
    sl_mutex_unlock(&c->mutex);
}

static sl_code read_cached(struct cache_iterator *it, struct sl_value *element, bool *is_end, struct sl_error *err) {
    const struct cache *c = cache_of(it->base.dataset);
    const int n = it->base.dataset->n;
    *is_end = it->at == c->list.n;
    if (*is_end) return SL_OK;
    if (c->list.width != n) /* a cache that another dataset has filled */
        return sl_fail(err, SL_INVALID_ARGUMENT, "The cache holds elements of %d components, not %d", c->list.width, n);
    const struct sl_value *kept = sl_element_at(&c->list, it->at++);
    for (int i = 0; i < n; i++) element[i] = sl_value_share(&kept[i]);
    return SL_OK;
}

static sl_code cache_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_step_env *env,
                          struct sl_error *err) {
    struct cache_iterator *it = (struct cache_iterator *)self;
    if (it->reads) return read_cached(it, element, is_end, err);
    if (!self->input) {
        *is_end = true;
        return SL_OK;
    }
    struct sl_value *room;
    SL_TRY(sl_element_list_room(&room, &it->pass, err));
    SL_TRY(sl_iterator_pull(self, element, is_end, env, err));
    if (*is_end) {
        publish(it);
        return SL_OK;
    }
    for (int i = 0; i < self->dataset->n; i++) room[i] = sl_value_share(&element[i]);
    it->pass.n++;
    return SL_OK;
}

static void cache_end(struct sl_iterator *self) { sl_element_list_clear(&((struct cache_iterator *)self)->pass); }

const struct sl_dataset_kind sl_cache_data = {.name = "Cache",
                                              .keeps_types = true,
                                              .state_bytes = sizeof(struct cache *),
                                              .iterator_bytes = sizeof(struct cache_iterator),
                                              .init = cache_init,
                                              .clear = cache_clear,
                                              .cardinality = sl_dataset_input_cardinality,
                                              .begin = cache_begin,
                                              .next = cache_next,
                                              .end = cache_end};
