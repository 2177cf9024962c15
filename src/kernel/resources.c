/* Named resources: a map from "container / type / name" to the object, under one lock. */
#include "kernel/resources.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/str_map.h"
#include "kernel/kernel.h"
#include "kernel/variable.h"
#include "os/mutex.h"

struct sl_resources {
    struct sl_mutex mutex;
    atomic_ullong numbers;
    struct sl_str_map objects; /* key: container NUL type-name NUL name, owned */
    struct sl_resources *meeting;
};

sl_code sl_resources_new(struct sl_resources **out, struct sl_error *err) {
    struct sl_resources *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_mutex_init(&r->mutex);
    *out = r;
    return SL_OK;
}

void sl_resources_set_meeting(struct sl_resources *r, struct sl_resources *meeting) { r->meeting = meeting; }
struct sl_resources *sl_resources_meeting(const struct sl_resources *r) {
    return r->meeting;
}

void sl_resources_free(struct sl_resources *r) {
    if (!r) return;
    sl_resources_clear(r, (struct sl_str){NULL, 0});
    sl_str_map_free(&r->objects);
    sl_mutex_clear(&r->mutex);
    sl_free(r);
}

static struct sl_str effective(struct sl_str container) { return container.n ? container : SL_STR("localhost"); }

/* Keys for looking up are short as a rule, and then need no heap. */
struct key_room {
    char bytes[192];
};

/* The key, in `room` when that is given and large enough, else on the heap; `.p` NULL when memory is out. */
static struct sl_str make_key_in(struct key_room *room, struct sl_str container, const char *type, struct sl_str name) {
    size_t t = strlen(type);
    container = effective(container);
    size_t n = container.n + t + name.n + 2;
    char *p = room && n <= sizeof room->bytes ? room->bytes : sl_malloc(n);
    if (!p) return (struct sl_str){NULL, 0};
    memcpy(p, container.p, container.n);
    p[container.n] = 0;
    memcpy(p + container.n + 1, type, t);
    p[container.n + 1 + t] = 0;
    if (name.n) memcpy(p + container.n + t + 2, name.p, name.n);
    return (struct sl_str){p, container.n + t + name.n + 2};
}

static struct sl_str make_key(struct sl_str container, const char *type, struct sl_str name) {
    return make_key_in(NULL, container, type, name);
}

/* "a::Bc" as the Itanium C++ ABI mangles it, "N1a2BcE"; names without a scope as they are. */
const char *sl_resource_symbol(char text[SL_RESOURCE_SYMBOL], const struct sl_object_type *type) {
    enum { ROOM = SL_RESOURCE_SYMBOL };
    const char *name = type->name;
    size_t n = 0;
    if (!strstr(name, "::")) {
        (void)snprintf(text, ROOM, "%s", name);
        return text;
    }
    n += (size_t)snprintf(text, ROOM, "N");
    for (const char *end; n < 100; name = end + 2) {
        end = strstr(name, "::");
        size_t length = end ? (size_t)(end - name) : strlen(name);
        n += (size_t)snprintf(text + n, ROOM - n, "%zu%.*s", length, (int)(length < 100 - n ? length : 100 - n), name);
        if (!end) break;
    }
    (void)snprintf(text + n, ROOM - n, "E");
    return text;
}

sl_code sl_resources_fail_missing(struct sl_str container, struct sl_str name, const struct sl_object_type *type,
                                  struct sl_error *err) {
    char symbol[SL_RESOURCE_SYMBOL];
    container = effective(container);
    return sl_fail(err, SL_NOT_FOUND, "Resource %.*s/%.*s/%s does not exist.", SL_STR_ARG(container), SL_STR_ARG(name),
                   sl_resource_symbol(symbol, type));
}

/* A new reference, or NULL; sets `*is_out_of_memory` when that is why. */
static struct sl_object *look_up(bool *is_out_of_memory, struct sl_resources *r, struct sl_str container,
                                 const struct sl_object_type *type, struct sl_str name) {
    struct key_room room;
    struct sl_str key = make_key_in(&room, container, type->name, name);
    *is_out_of_memory = !key.p;
    if (!key.p) return NULL;
    sl_mutex_lock(&r->mutex);
    struct sl_object *o = sl_object_ref(sl_str_map_get(&r->objects, key));
    sl_mutex_unlock(&r->mutex);
    if (key.p != room.bytes) sl_free((void *)key.p);
    return o;
}

sl_code sl_resources_find(struct sl_object **out, struct sl_resources *r, struct sl_str container,
                          const struct sl_object_type *type, struct sl_str name, struct sl_error *err) {
    bool is_out_of_memory;
    struct sl_object *o = look_up(&is_out_of_memory, r, container, type, name);
    if (is_out_of_memory) return sl_fail_memory(err, name.n);
    if (!o) return sl_resources_fail_missing(container, name, type, err);
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
        if (sl_str_map_get(&r->objects, key)) {
            container = effective(container);
            code = sl_fail(err, SL_ALREADY_EXISTS, "Resource %.*s/%.*s/%s", SL_STR_ARG(container), SL_STR_ARG(name),
                           object->type->name);
        } else if (sl_str_map_put(&r->objects, key, object)) {
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
    bool is_out_of_memory;
    struct sl_object *found = look_up(&is_out_of_memory, r, container, type, name);
    if (is_out_of_memory) return sl_fail_memory(err, name.n);
    if (found) {
        *out = found;
        return SL_OK;
    }
    struct sl_str key = make_key(container, type->name, name);
    if (!key.p) return sl_fail_memory(err, name.n);
    sl_code code = SL_OK;
    sl_mutex_lock(&r->mutex);
    struct sl_object *o = sl_str_map_get(&r->objects, key);
    if (o) {
        sl_free((void *)key.p);
    } else {
        code = make(&o, arg, err);
        if (code == SL_OK && sl_str_map_put(&r->objects, key, o)) {
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
    for (struct sl_str_map_entry *e = sl_str_map_first(&r->objects); e; e = sl_str_map_next(&r->objects, e))
        if (sl_str_eq(e->key, key)) {
            void *owned = (void *)e->key.p;
            o = sl_str_map_remove(&r->objects, key);
            sl_free(owned);
            break;
        }
    sl_mutex_unlock(&r->mutex);
    sl_free((void *)key.p);
    if (!o) return sl_resources_fail_missing(container, name, type, err);
    sl_object_unref(o);
    return SL_OK;
}

sl_code sl_resources_name_of(struct sl_str *container, struct sl_str *name, struct sl_resources *r,
                             const struct sl_object *object, struct sl_arena *arena, struct sl_error *err) {
    struct sl_str key = {"", 0};
    sl_mutex_lock(&r->mutex);
    for (struct sl_str_map_entry *e = sl_str_map_first(&r->objects); e; e = sl_str_map_next(&r->objects, e))
        if (e->value == object) {
            key = sl_arena_str(arena, e->key);
            break;
        }
    sl_mutex_unlock(&r->mutex);
    *container = *name = (struct sl_str){"", 0};
    if (!key.p) return sl_fail_memory(err, sizeof key);
    if (!key.n) return SL_OK;
    *container = sl_str_of(key.p);
    size_t before = container->n + strlen(object->type->name) + 2;
    *name = (struct sl_str){key.p + before, key.n - before};
    return SL_OK;
}

struct sl_object *sl_resources_find_symbol(struct sl_resources *r, struct sl_str container, struct sl_str symbol,
                                           struct sl_str name) {
    char text[SL_RESOURCE_SYMBOL];
    struct sl_object *found = NULL;
    container = effective(container);
    sl_mutex_lock(&r->mutex);
    for (struct sl_str_map_entry *e = sl_str_map_first(&r->objects); e && !found; e = sl_str_map_next(&r->objects, e)) {
        struct sl_object *o = e->value;
        const size_t before = container.n + strlen(o->type->name) + 2;
        if (e->key.n != before + name.n || !sl_str_is(container, e->key.p)) continue;
        if (name.n && memcmp(e->key.p + before, name.p, name.n) != 0) continue;
        if (sl_str_is(symbol, sl_resource_symbol(text, o->type))) found = sl_object_ref(o);
    }
    sl_mutex_unlock(&r->mutex);
    return found;
}

sl_code sl_resources_remove_object(struct sl_resources *r, const struct sl_object *object, struct sl_error *err) {
    struct sl_object *o = NULL;
    sl_mutex_lock(&r->mutex);
    for (struct sl_str_map_entry *e = sl_str_map_first(&r->objects); e; e = sl_str_map_next(&r->objects, e))
        if (e->value == object) {
            void *owned = (void *)e->key.p;
            o = sl_str_map_remove(&r->objects, e->key);
            sl_free(owned);
            break;
        }
    sl_mutex_unlock(&r->mutex);
    if (!o) return sl_fail(err, SL_NOT_FOUND, "Resource of type %s does not exist.", object->type->name);
    sl_object_unref(o);
    return SL_OK;
}

uint64_t sl_resources_number(struct sl_resources *r) {
    return atomic_fetch_add_explicit(&r->numbers, 1, memory_order_relaxed);
}

/* A variable may hold its own handle, or two each other's: emptied, they go. */
static void drop(struct sl_object *o) {
    if (o->type == &sl_variable_type || o->type == &sl_ref_variable_type)
        sl_variable_write((struct sl_variable *)o, (struct sl_value){0});
    sl_object_unref(o);
}

void sl_resources_clear(struct sl_resources *r, struct sl_str container) {
    struct sl_str wanted = effective(container);
    for (;;) {
        struct sl_object *o = NULL;
        void *owned = NULL;
        sl_mutex_lock(&r->mutex);
        for (struct sl_str_map_entry *e = sl_str_map_first(&r->objects); e; e = sl_str_map_next(&r->objects, e)) {
            if (container.p && !sl_str_is(wanted, e->key.p)) continue; /* a key starts with the container and a NUL */
            owned = (void *)e->key.p;
            o = sl_str_map_remove(&r->objects, e->key);
            break;
        }
        sl_mutex_unlock(&r->mutex);
        if (!o) return;
        sl_free(owned);
        drop(o); /* without the lock: an object's end may look at the map */
    }
}

bool sl_resources_is_empty(const struct sl_resources *r) { return r->objects.n == 0; }

/* ---- names */

static bool is_container_name(struct sl_str s) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
        if (!is_alphanumeric && (i == 0 || !strchr("_-/", c) || c == 0)) return false;
    }
    return true;
}

sl_code sl_resource_name_read(struct sl_resource_name *out, const struct sl_kernel_setup *setup) {
    SL_TRY(sl_attr_string(&out->container, setup->attrs, "container", setup->err));
    SL_TRY(sl_attr_string(&out->name, setup->attrs, "shared_name", setup->err));
    if (!is_container_name(out->container))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "container contains invalid characters: %.*s",
                       SL_STR_ARG(out->container));
    if (out->name.n && out->name.p[0] == '_')
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "shared_name cannot start with '_':%.*s",
                       SL_STR_ARG(out->name));
    if (!out->name.n) out->name = setup->resource_name;
    return SL_OK;
}
