/* Packing and unpacking elements. Of sizes in a message none is believed: they have to add up to what the block
 * holds. */
#include "ckpt/compressed_element.h"

#include <limits.h>

#include "base/alloc.h"
#include "ckpt/snappy.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

/* ---- packing */

struct packing {
    struct sl_arena arena;
    char *bytes;
    size_t n, cap;
};

static sl_code append(struct packing *p, struct sl_pb_CompressedComponentMetadata *component, struct sl_str bytes,
                      struct sl_error *err) {
    if (sl_grow((void **)&p->bytes, &p->cap, p->n + bytes.n, 1)) return sl_fail_memory(err, bytes.n);
    if (bytes.n) memcpy(p->bytes + p->n, bytes.p, bytes.n);
    p->n += bytes.n;
    component->uncompressed_bytes.items[component->uncompressed_bytes.n++] = bytes.n;
    return SL_OK;
}

static sl_code append_message(struct packing *p, struct sl_pb_CompressedComponentMetadata *component,
                              const struct sl_value *value, struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    struct sl_tensor *t;
    struct sl_str bytes;
    SL_TRY(sl_value_to_tensor(&t, value, err));
    sl_code code = sl_tensor_to_proto(&proto, t, &p->arena, err);
    if (code == SL_OK) code = sl_tensor_proto_encode(&bytes, &proto, &p->arena, err);
    if (code == SL_OK) code = append(p, component, bytes, err);
    sl_tensor_unref(t);
    return code;
}

static sl_code pack_component(struct packing *p, struct sl_pb_CompressedComponentMetadata *component,
                              const struct sl_value *value, struct sl_error *err) {
    const struct sl_view v = sl_value_on_host(value);
    const int64_t pieces = v.dtype == SL_STRING ? v.count : 1;
    component->dtype = v.dtype;
    SL_TRY(sl_shape_to_proto(&component->tensor_shape, sl_view_shape(v), &p->arena, err));
    component->uncompressed_bytes.items = sl_arena_array(&p->arena, (size_t)pieces + 1, sizeof(uint64_t));
    if (!component->uncompressed_bytes.items) return sl_fail_memory(err, (size_t)pieces * sizeof(uint64_t));
    if (v.dtype == SL_STRING) {
        for (int64_t i = 0; i < v.count; i++)
            SL_TRY(append(p, component, sl_string_get((const TF_TString *)v.data + i), err));
        return SL_OK;
    }
    if (!sl_dtype_is_plain(v.dtype)) return append_message(p, component, value, err);
    return append(p, component, (struct sl_str){v.data, (size_t)v.count * sl_dtype_size(v.dtype)}, err);
}

static sl_code pack(struct sl_str *out, struct packing *p, const struct sl_value *components, int n,
                    struct sl_error *err) {
    struct sl_pb_CompressedElement element = {.version = 0};
    char *block;
    size_t size;
    element.component_metadata.items =
        sl_arena_array(&p->arena, (size_t)n + 1, sizeof *element.component_metadata.items);
    if (!element.component_metadata.items) return sl_fail_memory(err, (size_t)n);
    for (int i = 0; i < n; i++) SL_TRY(pack_component(p, &element.component_metadata.items[i], &components[i], err));
    element.component_metadata.n = (size_t)n;
    SL_TRY(sl_snappy_encode(&block, &size, (struct sl_str){p->bytes, p->n}, err));
    element.data = (struct sl_str){block, size};
    sl_code code = sl_pb_encode(out, SL_PB_TYPE(CompressedElement), &element, 0, NULL, err);
    sl_free(block);
    return code;
}

sl_code sl_element_compress(struct sl_str *out, const struct sl_value *components, int n, struct sl_error *err) {
    struct packing p = {.n = 0};
    sl_arena_init(&p.arena);
    sl_code code = pack(out, &p, components, n, err);
    sl_free(p.bytes);
    sl_arena_clear(&p.arena);
    return code;
}

/* ---- unpacking */

static sl_code broken(struct sl_error *err) { return sl_fail(err, SL_DATA_LOSS, "A compressed element is damaged"); }

/* The next `n` bytes of `rest`. */
static bool take_bytes(struct sl_str *out, struct sl_str *rest, uint64_t n) {
    if (n > rest->n) return false;
    *out = (struct sl_str){rest->p, (size_t)n};
    *rest = (struct sl_str){rest->p + n, rest->n - (size_t)n};
    return true;
}

static sl_code unpack_message(struct sl_tensor **out, struct sl_str bytes, struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = sl_tensor_proto_decode(&proto, bytes, &arena, err);
    if (code == SL_OK) code = sl_tensor_from_proto(out, &proto, err);
    sl_arena_clear(&arena);
    return code;
}

static sl_code unpack_component(struct sl_tensor **out, const struct sl_pb_CompressedComponentMetadata *c,
                                struct sl_str *rest, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK], count;
    const size_t rank = c->tensor_shape ? c->tensor_shape->dim.n : 0;
    struct sl_str bytes;
    if (!sl_dtype_is_valid(c->dtype) || rank > SL_MAX_RANK) return broken(err);
    for (size_t i = 0; i < rank; i++) dims[i] = c->tensor_shape->dim.items[i].size;
    const struct sl_shape shape = {(int)rank, dims};
    const bool is_text = c->dtype == SL_STRING;
    if (sl_shape_count(&count, shape, NULL) != SL_OK) return broken(err);
    const bool is_empty = count == 0 && c->uncompressed_bytes.n == 0; /* so TensorFlow writes it, without a length */
    if (!is_empty && c->uncompressed_bytes.n != (is_text ? (uint64_t)count : UINT64_C(1))) return broken(err);
    if (is_empty) bytes = (struct sl_str){NULL, 0};
    else if (!is_text && !take_bytes(&bytes, rest, c->uncompressed_bytes.items[0])) return broken(err);
    if (!is_text && !sl_dtype_is_plain(c->dtype)) return unpack_message(out, bytes, err);
    if (!is_text && (bytes.n % sl_dtype_size(c->dtype) != 0 || bytes.n / sl_dtype_size(c->dtype) != (uint64_t)count))
        return broken(err);
    struct sl_tensor *t;
    SL_TRY(sl_tensor_new(&t, c->dtype, shape, err));
    sl_code code = SL_OK;
    if (!is_text && bytes.n) memcpy(t->data, bytes.p, bytes.n);
    for (int64_t i = 0; code == SL_OK && is_text && i < count; i++)
        code = take_bytes(&bytes, rest, c->uncompressed_bytes.items[i])
                   ? sl_string_set((TF_TString *)t->data + i, bytes, err)
                   : broken(err);
    if (code == SL_OK && c->dtype == SL_BOOL) /* any byte may stand in a file, only 0 and 1 are bools */
        for (size_t i = 0; i < t->bytes; i++) ((uint8_t *)t->data)[i] = ((uint8_t *)t->data)[i] != 0;
    if (code == SL_OK) *out = t;
    else sl_tensor_unref(t);
    return code;
}

static sl_code unpack(struct sl_value *values, const struct sl_pb_CompressedElement *element, struct sl_str rest,
                      struct sl_error *err) {
    for (size_t i = 0; i < element->component_metadata.n; i++) {
        struct sl_tensor *t;
        SL_TRY(unpack_component(&t, &element->component_metadata.items[i], &rest, err));
        values[i] = sl_value_of_tensor(t);
    }
    return rest.n ? broken(err) : SL_OK;
}

static sl_code uncompress(struct sl_value **out, int *n, struct sl_str bytes, struct sl_arena *arena,
                          struct sl_error *err) {
    struct sl_pb_CompressedElement element;
    char *block = NULL;
    size_t size = 0;
    if (sl_pb_decode(&element, SL_PB_TYPE(CompressedElement), bytes, arena, NULL) != SL_OK) return broken(err);
    if (element.version != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unsupported compressed element version: %d", element.version);
    const size_t count = element.component_metadata.n;
    if (count > INT_MAX) return broken(err);
    if (element.data.n) SL_TRY(sl_snappy_decode(&block, &size, element.data, SIZE_MAX, err));
    struct sl_value *values = sl_calloc(count + 1, sizeof *values);
    sl_code code = values ? unpack(values, &element, (struct sl_str){block, size}, err)
                          : sl_fail_memory(err, count * sizeof *values);
    sl_free(block);
    if (code == SL_OK) {
        *out = values;
        *n = (int)count;
        return SL_OK;
    }
    for (size_t i = 0; values && i < count; i++) sl_value_clear(&values[i]);
    sl_free(values);
    return code;
}

sl_code sl_element_uncompress(struct sl_value **out, int *n, struct sl_str bytes, struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = uncompress(out, n, bytes, &arena, err);
    sl_arena_clear(&arena);
    return code;
}
