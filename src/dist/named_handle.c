/* A handle is an object of its own type, so that whoever takes it for a resource says that it is none. */
#include "dist/named_handle.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "kernel/resources.h"
#include "kernel/variable.h"
#include "tensor/tensor_proto.h"

struct handle {
    struct sl_object object;
    size_t n;
    char bytes[];
};

static void handle_free(struct sl_object *o) { sl_free(o); }

static const struct sl_object_type handle_type = {.name = "handle of a resource elsewhere", .free = handle_free};

static struct sl_object *handle_new(struct sl_str bytes, struct sl_error *err) {
    struct handle *h = sl_malloc(sizeof *h + bytes.n);
    if (!h) {
        sl_fail_memory(err, bytes.n);
        return NULL;
    }
    sl_object_init(&h->object, &handle_type);
    h->n = bytes.n;
    if (bytes.n) memcpy(h->bytes, bytes.p, bytes.n);
    return &h->object;
}

struct sl_str sl_handle_bytes(const struct sl_object *o) {
    const struct handle *h = (const struct handle *)o;
    if (!o || o->type != &handle_type) return (struct sl_str){NULL, 0};
    return (struct sl_str){h->bytes, h->n};
}

/* ---- from resources */

/* The type of a variable's elements; its shape may change. */
static sl_code add_type(struct sl_pb_ResourceHandleProto *to, struct sl_object *o, struct sl_arena *arena,
                        struct sl_error *err) {
    static struct sl_pb_TensorShapeProto any = {.unknown_rank = true};
    const struct sl_variable *v = sl_variable_of(o);
    if (!v) return SL_OK;
    to->dtypes_and_shapes.items = SL_ARENA_NEW(arena, struct sl_pb_ResourceHandleProto_DtypeAndShape);
    if (!to->dtypes_and_shapes.items) return sl_fail_memory(err, sizeof *to->dtypes_and_shapes.items);
    to->dtypes_and_shapes.items[0].dtype = v->dtype;
    to->dtypes_and_shapes.items[0].shape = &any;
    to->dtypes_and_shapes.n = 1;
    return SL_OK;
}

static sl_code write_handle(struct sl_object **out, struct sl_object *o, const struct sl_handle_home *home,
                            struct sl_arena *arena, struct sl_error *err) {
    char symbol[SL_RESOURCE_SYMBOL];
    struct sl_pb_ResourceHandleProto handle = {.device = sl_str_of(home->device)};
    struct sl_str bytes;
    SL_TRY(sl_resources_name_of(&handle.container, &handle.name, home->resources, o, arena, err));
    handle.maybe_type_name = sl_str_of(sl_resource_symbol(symbol, o->type));
    handle.hash_code = sl_hash64(handle.maybe_type_name.p, handle.maybe_type_name.n, SL_HASH64_SEED);
    SL_TRY(add_type(&handle, o, arena, err));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE_OF(ResourceHandleProto), &handle, 0, arena, err));
    *out = handle_new(bytes, err);
    return *out ? SL_OK : SL_RESOURCE_EXHAUSTED;
}

sl_code sl_handles_of(struct sl_tensor **out, const struct sl_tensor *resources, const struct sl_handle_home *home,
                      struct sl_error *err) {
    struct sl_object *const *from = resources->data;
    struct sl_arena arena;
    sl_code code = SL_OK;
    SL_TRY(sl_tensor_new(out, SL_RESOURCE, sl_tensor_shape(resources), err));
    struct sl_object **to = (*out)->data;
    sl_arena_init(&arena);
    for (int64_t i = 0; i < resources->count && code == SL_OK; i++) {
        if (!from[i]) continue;
        if (from[i]->type == &handle_type) to[i] = sl_object_ref(from[i]);
        else code = write_handle(&to[i], from[i], home, &arena, err);
    }
    sl_arena_clear(&arena);
    if (code != SL_OK) sl_tensor_unref(*out);
    return code;
}

/* ---- to resources */

static sl_code open_handle(struct sl_object **at, const struct sl_handle_home *home, struct sl_arena *arena,
                           struct sl_error *err) {
    struct sl_pb_ResourceHandleProto handle;
    const struct sl_str bytes = sl_handle_bytes(*at);
    if (!bytes.p) return SL_OK;
    SL_TRY(sl_pb_decode(&handle, SL_PB_TYPE_OF(ResourceHandleProto), bytes, arena, err));
    if (!sl_str_is(handle.device, home->device)) return SL_OK;
    struct sl_object *o =
        sl_resources_find_symbol(home->resources, handle.container, handle.maybe_type_name, handle.name);
    if (!o)
        return sl_fail(err, SL_NOT_FOUND, "Resource %.*s/%.*s/%.*s does not exist.", SL_STR_ARG(handle.container),
                       SL_STR_ARG(handle.name), SL_STR_ARG(handle.maybe_type_name));
    sl_object_unref(*at);
    *at = o;
    return SL_OK;
}

sl_code sl_handles_open(struct sl_value *value, const struct sl_handle_home *home, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_tensor *t;
    if (value->dtype != SL_RESOURCE || value->kind <= SL_VALUE_DEAD) return SL_OK;
    SL_TRY(sl_value_to_tensor(&t, value, err));
    struct sl_object **objects = t->data;
    sl_code code = SL_OK;
    sl_arena_init(&arena);
    for (int64_t i = 0; i < t->count && code == SL_OK; i++) code = open_handle(&objects[i], home, &arena, err);
    sl_arena_clear(&arena);
    if (code != SL_OK) {
        sl_tensor_unref(t);
        return code;
    }
    sl_value_clear(value);
    *value = sl_value_of_tensor(t);
    return SL_OK;
}

/* ---- from messages */

sl_code sl_handles_of_strings(struct sl_tensor **out, const struct sl_tensor *strings, struct sl_error *err) {
    SL_TRY(sl_tensor_new(out, SL_RESOURCE, sl_tensor_shape(strings), err));
    struct sl_object **to = (*out)->data;
    for (int64_t i = 0; i < strings->count; i++) {
        to[i] = handle_new(sl_string_get((const TF_TString *)strings->data + i), err);
        if (to[i]) continue;
        sl_tensor_unref(*out);
        return SL_RESOURCE_EXHAUSTED;
    }
    return SL_OK;
}

sl_code sl_handles_of_proto(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_shape shape,
                            struct sl_error *err) {
    const size_t n = proto->resource_handle_val.n;
    struct sl_arena arena;
    struct sl_str bytes;
    int64_t count;
    SL_TRY(sl_shape_count(&count, shape, err));
    if ((uint64_t)count != n)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a tensor came with %zu handles for %lld elements", n,
                       (long long)count);
    SL_TRY(sl_tensor_new(out, SL_RESOURCE, shape, err));
    struct sl_object **to = (*out)->data;
    sl_code code = SL_OK;
    sl_arena_init(&arena);
    for (size_t i = 0; i < n && code == SL_OK; i++) {
        code = sl_pb_encode(&bytes, SL_PB_TYPE_OF(ResourceHandleProto), &proto->resource_handle_val.items[i], 0, &arena,
                            err);
        if (code == SL_OK && !(to[i] = handle_new(bytes, err))) code = SL_RESOURCE_EXHAUSTED;
    }
    sl_arena_clear(&arena);
    if (code != SL_OK) sl_tensor_unref(*out);
    return code;
}
