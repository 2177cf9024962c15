/* Named resources: a map from "container / type / name" to the object, under one lock. */
#include "kernel/resources.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "os/mutex.h"

struct sl_resources {
    struct sl_mutex mutex;
    struct sl_map objects; /* key: container NUL type-name NUL name, owned */
};

sl_code sl_resources_new(struct sl_resources **out, struct sl_error *err) {
    struct sl_resources *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_mutex_init(&r->mutex);
    *out = r;
    return SL_OK;
}

void sl_resources_free(struct sl_resources *r) {
    if (!r) return;
    sl_resources_clear(r, (struct sl_str){NULL, 0});
    sl_map_free(&r->objects);
    sl_mutex_clear(&r->mutex);
    sl_free(r);
}

static struct sl_str effective(struct sl_str container) { return container.n ? container : SL_STR("localhost"); }

/* The key, on the heap; `.p` NULL when memory is out. */
static struct sl_str make_key(struct sl_str container, const char *type, struct sl_str name) {
    size_t t = strlen(type);
    container = effective(container);
    char *p = sl_malloc(container.n + t + name.n + 2);
    if (!p) return (struct sl_str){NULL, 0};
    memcpy(p, container.p, container.n);
    p[container.n] = 0;
    memcpy(p + container.n + 1, type, t);
    p[container.n + 1 + t] = 0;
    if (name.n) memcpy(p + container.n + t + 2, name.p, name.n);
    return (struct sl_str){p, container.n + t + name.n + 2};
}

static sl_code not_found(struct sl_str container, const struct sl_object_type *type, struct sl_str name,
                         struct sl_error *err) {
    container = effective(container);
    return sl_fail(err, SL_NOT_FOUND, "Resource %.*s/%.*s/%s does not exist.", SL_STR_ARG(container), SL_STR_ARG(name),
                   type->name);
}

sl_code sl_resources_find(struct sl_object **out, struct sl_resources *r, struct sl_str container,
                          const struct sl_object_type *type, struct sl_str name, struct sl_error *err) {
    struct sl_str key = make_key(container, type->name, name);
    if (!key.p) return sl_fail_memory(err, name.n);
    sl_mutex_lock(&r->mutex);
    struct sl_object *o = sl_object_ref(sl_map_get(&r->objects, key));
    sl_mutex_unlock(&r->mutex);
    sl_free((void *)key.p);
    if (!o) return not_found(container, type, name, err);
    *out = o;
    return SL_OK;
}

sl_code sl_resources_add(struct sl_resources *r, struct sl_str container, struct sl_str name, struct sl_object *object,
                         struct sl_error *err) {
    struct sl_str key = make_key(container, object->type->name, name);
    sl_code code = SL_OK;
    if (!key.p) code = sl_fail_memory(err, name.n);
    if (code == SL_OK) {
        sl_mutex_lock(&r->mutex);
        if (sl_map_get(&r->objects, key)) {
            container = effective(container);
            code = sl_fail(err, SL_ALREADY_EXISTS, "Resource %.*s/%.*s/%s", SL_STR_ARG(container), SL_STR_ARG(name),
                           object->type->name);
        } else if (sl_map_put(&r->objects, key, object)) {
            code = sl_fail_memory(err, key.n);
        }
        sl_mutex_unlock(&r->mutex);
    }
    if (code != SL_OK) {
        sl_free((void *)key.p);
        sl_object_unref(object);
    }
    return code;
}

sl_code sl_resources_find_or_make(struct sl_object **out, struct sl_resources *r, struct sl_str container,
                                  const struct sl_object_type *type, struct sl_str name,
                                  sl_code (*make)(struct sl_object **out, void *arg, struct sl_error *err), void *arg,
                                  struct sl_error *err) {
    struct sl_str key = make_key(container, type->name, name);
    if (!key.p) return sl_fail_memory(err, name.n);
    sl_code code = SL_OK;
    sl_mutex_lock(&r->mutex);
    struct sl_object *o = sl_map_get(&r->objects, key);
    if (o) {
        sl_free((void *)key.p);
    } else {
        code = make(&o, arg, err);
        if (code == SL_OK && sl_map_put(&r->objects, key, o)) {
            sl_object_unref(o);
            code = sl_fail_memory(err, key.n);
        }
        if (code != SL_OK) sl_free((void *)key.p);
    }
    if (code == SL_OK) *out = sl_object_ref(o);
    sl_mutex_unlock(&r->mutex);
    return code;
}

sl_code sl_resources_remove(struct sl_resources *r, struct sl_str container, const struct sl_object_type *type,
                            struct sl_str name, struct sl_error *err) {
    struct sl_str key = make_key(container, type->name, name);
    if (!key.p) return sl_fail_memory(err, name.n);
    struct sl_object *o = NULL;
    sl_mutex_lock(&r->mutex);
    for (struct sl_map_entry *e = sl_map_first(&r->objects); e; e = sl_map_next(&r->objects, e))
        if (sl_str_eq(e->key, key)) {
            void *owned = (void *)e->key.p;
            o = sl_map_remove(&r->objects, key);
            sl_free(owned);
            break;
        }
    sl_mutex_unlock(&r->mutex);
    sl_free((void *)key.p);
    if (!o) return not_found(container, type, name, err);
    sl_object_unref(o);
    return SL_OK;
}

void sl_resources_clear(struct sl_resources *r, struct sl_str container) {
    struct sl_str wanted = effective(container);
    for (;;) {
        struct sl_object *o = NULL;
        void *owned = NULL;
        sl_mutex_lock(&r->mutex);
        for (struct sl_map_entry *e = sl_map_first(&r->objects); e; e = sl_map_next(&r->objects, e)) {
            if (container.p && !sl_str_is(wanted, e->key.p)) continue; /* a key starts with the container and a NUL */
            owned = (void *)e->key.p;
            o = sl_map_remove(&r->objects, e->key);
            break;
        }
        sl_mutex_unlock(&r->mutex);
        if (!o) return;
        sl_free(owned);
        sl_object_unref(o); /* without the lock: an object's end may look at the map */
    }
}
