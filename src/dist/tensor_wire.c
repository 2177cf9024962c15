/* Writing and reading tensors. Sizes are known before anything is written, since each message says its length first. */
#include "dist/tensor_wire.h"

#include "base/alloc.h"
#include "dist/named_handle.h"
#include "tensor/tensor_proto.h"

enum {
    VARINT_MAX = 10,
    FEW = 1024,      /* bytes of elements that are copied rather than sent from where they are */
    LARGE = 1 << 14, /* bytes of elements that are used where they came */
    ALIGNED = 16     /* such elements lie at a multiple of this */
};
enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* ---- bytes */

struct writer {
    unsigned char *at;
};

static size_t varint_size(uint64_t v) {
    size_t n = 1;
    for (; v >= 0x80; v >>= 7) n++;
    return n;
}

static void put_varint(struct writer *w, uint64_t v) {
    for (; v >= 0x80; v >>= 7) *w->at++ = (unsigned char)(v | 0x80);
    *w->at++ = (unsigned char)v;
}

static void put_tag(struct writer *w, uint32_t field, unsigned kind) { put_varint(w, (uint64_t)field << 3 | kind); }

static void put_bytes(struct writer *w, struct sl_str bytes) {
    if (bytes.n) memcpy(w->at, bytes.p, bytes.n);
    w->at += bytes.n;
}

static size_t tag_size(uint32_t field) { return varint_size((uint64_t)field << 3); }
/* Of a field that says its length. */
static size_t field_size(uint32_t field, size_t n) { return tag_size(field) + varint_size(n) + n; }

/* ---- the message of a tensor: its head, and then its content */

struct content {
    struct sl_str bytes;
    char *owned;            /* NULL, or the bytes */
    struct sl_tensor *kept; /* NULL, or whose bytes they are */
};

static size_t shape_size(const struct sl_tensor *t) {
    size_t n = 0;
    for (int d = 0; d < t->rank; d++) n += field_size(2, t->dims[d] ? 1 + varint_size((uint64_t)t->dims[d]) : 0);
    return n;
}

static size_t head_size(const struct sl_tensor *t, size_t content) {
    size_t n = 1 + varint_size(t->dtype);
    if (t->rank) n += field_size(2, shape_size(t));
    if (content) n += 1 + varint_size(content);
    return n;
}

static void put_head(struct writer *w, const struct sl_tensor *t, size_t content) {
    put_tag(w, 1, WIRE_VARINT);
    put_varint(w, t->dtype);
    if (t->rank) {
        put_tag(w, 2, WIRE_BYTES);
        put_varint(w, shape_size(t));
    }
    for (int d = 0; d < t->rank; d++) {
        put_tag(w, 2, WIRE_BYTES);
        put_varint(w, t->dims[d] ? 1 + varint_size((uint64_t)t->dims[d]) : 0);
        if (!t->dims[d]) continue;
        put_tag(w, 1, WIRE_VARINT);
        put_varint(w, (uint64_t)t->dims[d]);
    }
    if (!content) return;
    put_tag(w, 4, WIRE_BYTES);
    put_varint(w, content);
}

static struct sl_str string_of(const struct sl_tensor *t, int64_t i) {
    return t->dtype == SL_STRING ? sl_string_get((const TF_TString *)t->data + i)
                                 : sl_handle_bytes(((struct sl_object *const *)t->data)[i]);
}

/* Of strings, and of handles. */
static sl_code write_strings(struct content *out, const struct sl_tensor *t, struct sl_error *err) {
    size_t n = 0;
    for (int64_t i = 0; i < t->count; i++) {
        size_t bytes = string_of(t, i).n;
        n += varint_size(bytes) + bytes;
    }
    out->owned = sl_malloc(n ? n : 1);
    if (!out->owned) return sl_fail_memory(err, n);
    struct writer w = {(unsigned char *)out->owned};
    for (int64_t i = 0; i < t->count; i++) put_varint(&w, string_of(t, i).n);
    for (int64_t i = 0; i < t->count; i++) put_bytes(&w, string_of(t, i));
    out->bytes = (struct sl_str){out->owned, n};
    return SL_OK;
}

static void release_tensor(void *tensor) { sl_tensor_unref(tensor); }
static void release_bytes(void *bytes) { sl_free(bytes); }

/* Takes the content over. */
static sl_code add_content(struct sl_rpc_message *m, struct content *c, struct sl_error *err) {
    struct sl_rpc_piece piece = {.data = c->bytes.p, .size = c->bytes.n};
    if (c->owned) piece.release = release_bytes, piece.owner = c->owned;
    else if (c->kept) piece.release = release_tensor, piece.owner = sl_tensor_ref(c->kept);
    c->owned = NULL;
    return sl_rpc_message_add(m, piece, err);
}

/* `before` has `used` bytes of what stands before the tensor's field in the message. */
static sl_code add_framed(struct sl_rpc_message *m, struct sl_str before, uint32_t field, struct sl_str name,
                          struct sl_tensor *t, struct content *c, struct sl_error *err) {
    size_t inner = head_size(t, c->bytes.n) + c->bytes.n, outer = inner;
    if (name.p) outer = (name.n ? field_size(1, name.n) : 0) + field_size(2, inner);
    bool is_copied = c->bytes.n <= FEW;
    size_t n = before.n + field_size(field, outer) - (is_copied ? 0 : c->bytes.n);
    char *head = sl_malloc(n);
    if (!head) return sl_fail_memory(err, n);
    struct writer w = {(unsigned char *)head};
    put_bytes(&w, before);
    put_tag(&w, field, WIRE_BYTES);
    put_varint(&w, outer);
    if (name.p) {
        if (name.n) {
            put_tag(&w, 1, WIRE_BYTES);
            put_varint(&w, name.n);
            put_bytes(&w, name);
        }
        put_tag(&w, 2, WIRE_BYTES);
        put_varint(&w, inner);
    }
    put_head(&w, t, c->bytes.n);
    if (is_copied) put_bytes(&w, c->bytes);
    struct sl_rpc_piece piece = {head, n, release_bytes, head};
    SL_TRY(sl_rpc_message_add(m, piece, err));
    return is_copied ? SL_OK : add_content(m, c, err);
}

/* Variants: the whole message by its table. */
static sl_code add_other(struct sl_rpc_message *m, struct sl_str before, uint32_t field, struct sl_str name,
                         struct sl_tensor *t, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_pb_TensorProto proto;
    struct sl_str bytes;
    sl_arena_init(&arena);
    sl_code code = sl_tensor_to_proto(&proto, t, &arena, err);
    if (code == SL_OK) {
        struct sl_pb_NamedTensorProto named = {.name = name, .tensor = &proto};
        code = name.p ? sl_pb_encode(&bytes, SL_PB_TYPE_OF(NamedTensorProto), &named, 0, &arena, err)
                      : sl_pb_encode(&bytes, SL_PB_TYPE_OF(TensorProto), &proto, 0, &arena, err);
    }
    if (code == SL_OK) code = sl_rpc_message_add_bytes(m, before, err);
    if (code == SL_OK) code = sl_wire_add_text(m, field, bytes, err);
    sl_arena_clear(&arena);
    return code;
}

static bool has_handles(const struct sl_tensor *t) {
    struct sl_object *const *objects = t->data;
    if (t->dtype != SL_RESOURCE) return false;
    for (int64_t i = 0; i < t->count; i++)
        if (!sl_handle_bytes(objects[i]).p) return false;
    return true;
}

static sl_code add_tensor(struct sl_rpc_message *m, struct sl_str before, uint32_t field, struct sl_str name,
                          struct sl_tensor *t, struct sl_error *err) {
    struct content c = {.kept = t};
    if (t->dtype == SL_STRING || has_handles(t)) SL_TRY(write_strings(&c, t, err));
    else if (sl_dtype_is_plain(t->dtype)) c.bytes = (struct sl_str){t->data, t->bytes};
    else return add_other(m, before, field, name, t, err);
    sl_code code = add_framed(m, before, field, name, t, &c, err);
    sl_free(c.owned);
    return code;
}

sl_code sl_wire_add_tensor(struct sl_rpc_message *m, uint32_t field, struct sl_str name, struct sl_tensor *t,
                           struct sl_error *err) {
    return add_tensor(m, (struct sl_str){NULL, 0}, field, name, t, err);
}

sl_code sl_wire_add_received(struct sl_rpc_message *m, const struct sl_value *value, int64_t send_start_micros,
                             struct sl_error *err) {
    unsigned char before[2 + 1 + VARINT_MAX];
    struct writer w = {before};
    struct sl_tensor *t;
    bool is_dead = value->kind <= SL_VALUE_DEAD;
    if (is_dead) {
        put_tag(&w, 2, WIRE_VARINT);
        put_varint(&w, 1);
    }
    put_tag(&w, 3, WIRE_VARINT);
    put_varint(&w, (uint64_t)send_start_micros);
    if (is_dead) SL_TRY(sl_tensor_new(&t, SL_FLOAT, (struct sl_shape){1, (const int64_t[]){0}}, err));
    else SL_TRY(sl_value_to_tensor(&t, value, err));
    sl_code code =
        add_tensor(m, (struct sl_str){(char *)before, (size_t)(w.at - before)}, 1, (struct sl_str){NULL, 0}, t, err);
    sl_tensor_unref(t);
    return code;
}

/* ---- what else messages have */

sl_code sl_wire_add_message(struct sl_rpc_message *m, const struct sl_pb_message *type, const void *message,
                            struct sl_error *err) {
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, type, message, 0, NULL, err));
    struct sl_rpc_piece piece = {bytes.p, bytes.n, release_bytes, (void *)bytes.p};
    return sl_rpc_message_add(m, piece, err);
}

sl_code sl_wire_add_text(struct sl_rpc_message *m, uint32_t field, struct sl_str text, struct sl_error *err) {
    if (!text.n) return SL_OK;
    size_t n = field_size(field, text.n);
    char *bytes = sl_malloc(n);
    if (!bytes) return sl_fail_memory(err, n);
    struct writer w = {(unsigned char *)bytes};
    put_tag(&w, field, WIRE_BYTES);
    put_varint(&w, text.n);
    put_bytes(&w, text);
    struct sl_rpc_piece piece = {bytes, n, release_bytes, bytes};
    return sl_rpc_message_add(m, piece, err);
}

sl_code sl_wire_add_number(struct sl_rpc_message *m, uint32_t field, uint64_t number, struct sl_error *err) {
    unsigned char bytes[2 * VARINT_MAX];
    struct writer w = {bytes};
    if (!number) return SL_OK;
    put_tag(&w, field, WIRE_VARINT);
    put_varint(&w, number);
    return sl_rpc_message_add_bytes(m, (struct sl_str){(char *)bytes, (size_t)(w.at - bytes)}, err);
}

/* ---- reading */

static sl_code read_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], const struct sl_pb_TensorShapeProto *proto,
                          struct sl_error *err) {
    *out = SL_SHAPE_SCALAR;
    if (!proto) return SL_OK;
    if (proto->unknown_rank || proto->dim.n > SL_MAX_RANK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "a tensor came with a shape that no tensor has");
    for (size_t d = 0; d < proto->dim.n; d++) dims[d] = proto->dim.items[d].size;
    *out = (struct sl_shape){(int)proto->dim.n, dims};
    return SL_OK;
}

static sl_code fail_size(const struct sl_pb_TensorProto *proto, int64_t count, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "a tensor came with %zu bytes for %lld elements of type %s",
                   proto->tensor_content.n, (long long)count, sl_dtype_name(proto->dtype));
}

static bool take_varint(uint64_t *out, const unsigned char **at, const unsigned char *end) {
    *out = 0;
    for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
        unsigned char byte = *(*at)++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

/* The lengths are read twice: to see that all is there before memory is taken for it. */
static sl_code read_strings(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_shape shape,
                            int64_t count, struct sl_error *err) {
    const unsigned char *start = (const unsigned char *)proto->tensor_content.p, *end = start + proto->tensor_content.n;
    const unsigned char *at = start;
    uint64_t length, total = 0;
    if ((uint64_t)count > proto->tensor_content.n) return fail_size(proto, count, err);
    for (int64_t i = 0; i < count; i++) {
        if (!take_varint(&length, &at, end) || length > proto->tensor_content.n) return fail_size(proto, count, err);
        total += length;
    }
    if (total != (uint64_t)(end - at)) return fail_size(proto, count, err);
    SL_TRY(sl_tensor_new(out, SL_STRING, shape, err));
    TF_TString *strings = (*out)->data;
    for (int64_t i = 0; i < count; i++) {
        (void)take_varint(&length, &start, end);
        sl_code code = sl_string_set(&strings[i], (struct sl_str){(const char *)at, (size_t)length}, err);
        at += length;
        if (code == SL_OK) continue;
        sl_tensor_unref(*out);
        return code;
    }
    return SL_OK;
}

static sl_code read_handles(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_shape shape,
                            int64_t count, struct sl_error *err) {
    struct sl_tensor *strings;
    SL_TRY(read_strings(&strings, proto, shape, count, err));
    sl_code code = sl_handles_of_strings(out, strings, err);
    sl_tensor_unref(strings);
    return code;
}

static void release_body(void *data, size_t bytes, void *body) {
    (void)data;
    (void)bytes;
    sl_rpc_body_unref(body);
}

static sl_code read_plain(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_shape shape,
                          int64_t count, struct sl_rpc_body *body, struct sl_error *err) {
    const struct sl_str content = proto->tensor_content;
    if ((uint64_t)count != content.n / sl_dtype_size(proto->dtype) || content.n % sl_dtype_size(proto->dtype))
        return fail_size(proto, count, err);
    /* The rest of the body stays as long as the tensor. */
    if (body && content.n >= LARGE && content.n >= body->bytes.n / 2 && !((uintptr_t)content.p % ALIGNED)) {
        SL_TRY(sl_tensor_wrap(out, proto->dtype, shape, (void *)content.p, content.n, release_body, body, err));
        sl_rpc_body_ref(body);
        return SL_OK;
    }
    SL_TRY(sl_tensor_new(out, proto->dtype, shape, err));
    memcpy((*out)->data, content.p, content.n);
    return SL_OK;
}

sl_code sl_wire_read_tensor(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_rpc_body *body,
                            struct sl_error *err) {
    int64_t dims[SL_MAX_RANK], count;
    struct sl_shape shape;
    *out = NULL;
    if (!proto) return sl_fail(err, SL_INVALID_ARGUMENT, "a tensor is missing in a message");
    const bool is_resource = proto->dtype == SL_RESOURCE, has_texts = proto->dtype == SL_STRING || is_resource;
    const bool has_handles = is_resource && proto->resource_handle_val.n;
    if ((!proto->tensor_content.n && !has_handles) || !sl_dtype_is_valid(proto->dtype) ||
        (!has_texts && !sl_dtype_is_plain(proto->dtype)))
        return sl_tensor_from_proto(out, proto, err);
    SL_TRY(read_shape(&shape, dims, proto->tensor_shape, err));
    SL_TRY(sl_shape_count(&count, shape, err));
    sl_code code = has_handles                 ? sl_handles_of_proto(out, proto, shape, err)
                   : is_resource               ? read_handles(out, proto, shape, count, err)
                   : proto->dtype == SL_STRING ? read_strings(out, proto, shape, count, err)
                                               : read_plain(out, proto, shape, count, body, err);
    if (code != SL_OK) *out = NULL;
    return code;
}

sl_code sl_wire_read_value(struct sl_value *out, const struct sl_pb_TensorProto *proto, struct sl_rpc_body *body,
                           struct sl_error *err) {
    struct sl_tensor *t;
    SL_TRY(sl_wire_read_tensor(&t, proto, body, err));
    *out = sl_value_of_tensor(t);
    return SL_OK;
}
