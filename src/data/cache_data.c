/* A cache in memory (one in files: file_cache_data.c): the first pass that comes to its end leaves its elements to those
 * that begin later. Who takes as many elements as there are need not ask for the end. */
#include "data/cache.h"

#include <stdio.h>

#include "base/alloc.h"
#include "data/element.h"
#include "data/file_names.h"
#include "data/iterator.h"
#include "data/kinds.h"
#include "data/last_look.h"
#include "data/state.h"
#include "os/mutex.h"

struct cache {
    struct sl_object object;
    struct sl_mutex mutex; /* guards what follows; `list` never changes once is_full is true */
    struct sl_element_list list;
    bool is_full;
    struct sl_element_list numbered; /* the first elements, for who asks by number */
};

static void cache_free(struct sl_object *object) {
    struct cache *c = (struct cache *)object;
    sl_element_list_clear(&c->list);
    sl_element_list_clear(&c->numbered);
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
    int64_t at, expected;        /* of what it reads; how many elements the input has, below 0: it does not say */
    struct sl_last_look look;
    bool reads; /* the cache was full when the pass began */
};

static struct cache *cache_of(const struct sl_dataset *d) { return *(struct cache **)d->state; }

static sl_code cache_init(struct sl_dataset *d, struct sl_error *err) {
    struct sl_str file;
    SL_TRY(sl_dataset_string(&file, d, 0, "filename", err));
    if (file.n) {
        d->kind = &sl_file_cache_data;
        return sl_file_name_copy(d->state, file, &d->arena, err);
    }
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

static sl_code cache_begin(struct sl_iterator *self, struct sl_error *err) {
    struct cache_iterator *it = (struct cache_iterator *)self;
    struct cache *c = cache_of(self->dataset);
    it->pass.width = self->dataset->n;
    it->expected = sl_dataset_cardinality(self->dataset);
    sl_mutex_lock(&c->mutex);
    it->reads = c->is_full;
    sl_mutex_unlock(&c->mutex);
    return it->reads ? SL_OK : sl_iterator_new(&self->input, self, SL_ONLY_INPUT, self->dataset->inputs[0], err);
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

static sl_code cache_next(struct sl_iterator *self, struct sl_value *element, bool *is_end, struct sl_error *err) {
    struct cache_iterator *it = (struct cache_iterator *)self;
    if (it->reads) return read_cached(it, element, is_end, err);
    if (!self->input) {
        *is_end = true;
        return SL_OK;
    }
    struct sl_value *room;
    SL_TRY(sl_iterator_gather(&room, self, &it->pass, err));
    SL_TRY(sl_last_look_pull(&it->look, self, element, is_end, err));
    if (!*is_end) {
        for (int i = 0; i < self->dataset->n; i++) room[i] = sl_value_share(&element[i]);
        it->pass.n++;
    }
    if (*is_end || (it->pass.n == it->expected && sl_last_look_is_end(&it->look, self))) publish(it);
    return SL_OK;
}

/* ---- positions. TensorFlow's names: the iterator is MemoryCacheImpl, beside a MemoryCache with the elements once all
 * are there. */

#define WHOLE "----" /* MemoryCacheImpl without Impl */

static void cache_path_name(const struct sl_iterator *self, char *text, size_t size) {
    (void)self;
    snprintf(text, size, "MemoryCacheImpl");
}

static sl_code put_elements(struct sl_state *state, const struct sl_iterator *self, const char *start,
                            const struct sl_element_list *list, struct sl_error *err) {
    char part[SL_STATE_KEY];
    SL_TRY(sl_state_put_part_int(state, self, start, "num_elements", list->n, err));
    for (int64_t i = 0; i < list->n; i++)
        SL_TRY(sl_state_put_element(state, self, sl_state_key(part, "%s::%lld", start, (long long)i),
                                    sl_element_at(list, i), list->width, err));
    return SL_OK;
}

static sl_code get_elements(struct sl_element_list *list, const struct sl_state *state, const struct sl_iterator *self,
                            const char *start, struct sl_error *err) {
    char part[SL_STATE_KEY];
    int64_t n;
    SL_TRY(sl_state_get_part_int(&n, state, self, start, "num_elements", err));
    for (int64_t i = 0; i < n; i++) {
        struct sl_value *room;
        bool is_there;
        SL_TRY(sl_element_list_room(&room, list, err));
        SL_TRY(sl_state_get_element(room, &is_there, list->width, state, self,
                                    sl_state_key(part, "%s::%lld", start, (long long)i), err));
        if (!is_there) return sl_fail(err, SL_INVALID_ARGUMENT, "A saved cache lacks an element");
        list->n++;
    }
    return SL_OK;
}

static sl_code cache_save(const struct sl_iterator *self, struct sl_state *state, struct sl_error *err) {
    const struct cache_iterator *it = (const struct cache_iterator *)self;
    struct cache *c = cache_of(self->dataset);
    sl_mutex_lock(&c->mutex);
    const bool is_full = c->is_full;
    sl_mutex_unlock(&c->mutex);
    if (is_full) {
        SL_TRY(sl_state_put_part_text(state, self, WHOLE, "cache_completed", NULL, err));
        SL_TRY(put_elements(state, self, WHOLE, &c->list, err));
    }
    SL_TRY(sl_state_put_part_int(state, self, WHOLE, "global_shuffle_iterator_next_index", 0, err));
    if (it->reads) return sl_state_put_int(state, self, "index", it->at, err);
    if (!is_full || it->pass.n) SL_TRY(put_elements(state, self, "", &it->pass, err));
    return sl_state_put_input(state, self, NULL, err);
}

/* Fills the cache with the elements of a state, unless it is full. */
static sl_code restore_cache(struct cache_iterator *it, const struct sl_state *state, struct sl_error *err) {
    it->pass = (struct sl_element_list){.width = it->base.dataset->n};
    sl_code code = get_elements(&it->pass, state, &it->base, WHOLE, err);
    if (code == SL_OK) publish(it);
    sl_element_list_clear(&it->pass);
    return code;
}

static sl_code cache_restore(struct sl_iterator *self, const struct sl_state *state, struct sl_error *err) {
    struct cache_iterator *it = (struct cache_iterator *)self;
    if (sl_state_has_part(state, self, WHOLE, "cache_completed")) SL_TRY(restore_cache(it, state, err));
    it->reads = sl_state_has(state, self, "index");
    sl_iterator_free(self->input);
    self->input = NULL;
    if (it->reads) {
        SL_TRY(sl_state_get_int(&it->at, state, self, "index", err));
        struct cache *c = cache_of(self->dataset);
        sl_mutex_lock(&c->mutex);
        const bool is_there = c->is_full && it->at >= 0 && it->at <= c->list.n;
        sl_mutex_unlock(&c->mutex);
        return is_there ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "A saved position lies outside of its cache");
    }
    if (sl_state_has(state, self, "num_elements")) SL_TRY(get_elements(&it->pass, state, self, "", err));
    return sl_state_get_input(state, self, SL_ONLY_INPUT, NULL, err);
}

/* ---- elements by number: the cache's, the input's where that has them, else those of a pass that goes far enough */

/* Element `index` of those that are kept. False: it is not there; `*n` are, and `*is_all` whether more may come. */
static bool take_kept(const struct sl_dataset *d, int64_t index, struct sl_value *element, int64_t *n, bool *is_all) {
    struct cache *c = cache_of(d);
    sl_mutex_lock(&c->mutex);
    *is_all = c->is_full && c->list.width == d->n;
    const struct sl_element_list *list = *is_all ? &c->list : &c->numbered;
    *n = list->width == d->n ? list->n : 0; /* other datasets may share the cache */
    const bool is_there = index < *n;
    for (int i = 0; i < d->n && is_there; i++) element[i] = sl_value_share(&sl_element_at(list, index)[i]);
    sl_mutex_unlock(&c->mutex);
    return is_there;
}

/* Makes the first elements anew, up to `index`, and twice the `n` that there were, so that going on by one costs little. */
static sl_code number_elements(struct sl_element_list *list, const struct sl_dataset *d, struct sl_data_walk *walk,
                               int64_t index, int64_t n, struct sl_error *err) {
    struct sl_iterator *it;
    struct sl_value *room;
    SL_TRY(sl_iterator_new_root(&it, walk, d->inputs[0], err));
    sl_code code = SL_OK;
    for (bool is_end = false; code == SL_OK && (list->n <= index || list->n < 2 * n) && !is_end;) {
        code = sl_element_list_room(&room, list, err);
        if (code == SL_OK) code = sl_iterator_next(it, room, &is_end, err);
        if (code == SL_OK && !is_end) list->n++;
    }
    sl_iterator_free(it);
    return code;
}

/* No lock is held while functions of the input run. */
static sl_code cache_element(const struct sl_dataset *d, struct sl_data_walk *walk, int64_t index,
                             struct sl_value *element, struct sl_error *err) {
    struct cache *c = cache_of(d);
    struct sl_element_list list = {.width = d->n};
    int64_t n;
    bool is_all;
    if (take_kept(d, index, element, &n, &is_all)) return SL_OK;
    if (!is_all && d->inputs[0]->kind->element && sl_dataset_cardinality(d) >= 0)
        return sl_data_walk_element(walk, d->inputs[0], index, element, err);
    sl_code code = is_all ? SL_OK : number_elements(&list, d, walk, index, n, err);
    if (code == SL_OK && !is_all) n = list.n;
    if (code == SL_OK && index >= n)
        code = sl_fail(err, SL_OUT_OF_RANGE, "Index out of range [0, %lld):%lld", (long long)n, (long long)index);
    for (int i = 0; i < d->n && code == SL_OK; i++) element[i] = sl_value_share(&sl_element_at(&list, index)[i]);
    sl_mutex_lock(&c->mutex);
    if (code == SL_OK) {
        const struct sl_element_list old = c->numbered;
        c->numbered = list;
        list = old;
    }
    sl_mutex_unlock(&c->mutex);
    sl_element_list_clear(&list);
    return code;
}

static void cache_end(struct sl_iterator *self) {
    struct cache_iterator *it = (struct cache_iterator *)self;
    sl_last_look_clear(&it->look, self);
    sl_element_list_clear(&it->pass);
}

const struct sl_dataset_kind sl_cache_data = {.name = "Cache",
                                              .path_name = cache_path_name,
                                              .element = cache_element,
                                              .finds_last = true,
                                              .save = cache_save,
                                              .restore = cache_restore,
                                              .keeps_types = true,
                                              .state_bytes = sizeof(struct cache *),
                                              .iterator_bytes = sizeof(struct cache_iterator),
                                              .init = cache_init,
                                              .clear = cache_clear,
                                              .cardinality = sl_dataset_input_cardinality,
                                              .begin = cache_begin,
                                              .next = cache_next,
                                              .end = cache_end};
