/* Binary encoding in two walks over the message in the same order: the first computes every length and notes those the
 * second needs again (of messages and of packed varints, and the order of sorted maps); the second writes. The result
 * has exactly its size, and a message above 2 GiB is refused before a byte of it is written. */
#include "base/alloc.h"
#include "proto/map_order.h"
#include "proto/proto_limits.h"
#include "proto/wire.h"

struct encoder {
    unsigned flags;
    struct sl_error *err;
    uint32_t *notes; /* written by the first walk, read in the same order by the second */
    size_t note_count, note_capacity, next_note;
    uint8_t *p; /* the second walk's place */
};

static sl_code room_for_notes(struct encoder *e, size_t more) {
    if (sl_grow((void **)&e->notes, &e->note_capacity, e->note_count + more, sizeof *e->notes))
        return sl_fail_memory(e->err, (e->note_count + more) * sizeof *e->notes);
    return SL_OK;
}

/* One more note, at index e->note_count - 1 afterwards. */
static inline sl_code add_note(struct encoder *e) {
    if (e->note_count == e->note_capacity) SL_TRY(room_for_notes(e, 1));
    e->note_count++;
    return SL_OK;
}

static inline size_t varint_size(uint64_t v) {
    return (size_t)((63 - __builtin_clzll(v | 1)) * 9 + 73) / 64; /* 1 + floor(bits / 7) without a division by 7 */
}

/* The varint of a value in memory. */
static inline uint64_t load_varint(const char *slot, uint8_t kind) {
    uint64_t v;
    switch (kind) {
    case SL_PB_INT64:
    case SL_PB_UINT64: return *(const sl_pb_slot64 *)(const void *)slot;
    case SL_PB_SINT64: v = *(const sl_pb_slot64 *)(const void *)slot; return v << 1 ^ (~(v >> 63) + 1);
    case SL_PB_UINT32: return *(const sl_pb_slot32 *)(const void *)slot;
    case SL_PB_BOOL: return *(const sl_pb_slot_bool *)(const void *)slot;
    default: return (uint64_t)(int64_t)(int32_t) * (const sl_pb_slot32 *)(const void *)slot;
    }
}

/* Notes how many entries of a map are written, then their indices in order. */
static sl_code sort_map(struct encoder *e, const struct sl_pb_field *field, const struct sl_pb_array *map) {
    size_t at = e->note_count;
    SL_TRY(room_for_notes(e, 1 + map->n));
    size_t kept = sl_pb_map_order(e->notes + at + 1, field, map);
    e->notes[at] = (uint32_t)kept;
    e->note_count = at + 1 + kept;
    return SL_OK;
}

/* ---- first walk: sizes ---- */

static sl_code size_message(struct encoder *e, size_t *size, const struct sl_pb_message *type, const char *message,
                            int depth);

static inline size_t tag_size(const struct sl_pb_field *field) {
    return field->tag < 0x80 ? 1 : field->tag < 0x4000 ? 2 : 3;
}

static inline size_t scalar_size(const struct sl_pb_field *field, const char *slot) {
    switch (field->tag & 7) {
    case SL_PB_WIRE_64: return 8;
    case SL_PB_WIRE_32: return 4;
    case SL_PB_WIRE_BYTES: return varint_size(sl_pb_load_str(slot).n) + sl_pb_load_str(slot).n;
    default: return varint_size(load_varint(slot, field->kind));
    }
}

/* A message field with its length, without its tag. */
static sl_code size_nested(struct encoder *e, size_t *size, const struct sl_pb_field *field, const char *message,
                           int depth) {
    size_t at = e->note_count, inner = 0;
    SL_TRY(add_note(e));
    SL_TRY(size_message(e, &inner, &sl_pb_messages[field->sub], message, depth + 1));
    e->notes[at] = (uint32_t)inner;
    *size += varint_size(inner) + inner;
    return SL_OK;
}

static sl_code size_packed(struct encoder *e, size_t *size, const struct sl_pb_field *field,
                           const struct sl_pb_array *array) {
    size_t width = field->size, bytes = 0;
    if ((field->tag & 7) != SL_PB_WIRE_VARINT) {
        bytes = array->n * width;
    } else {
        for (size_t i = 0; i < array->n; i++) bytes += varint_size(load_varint(array->items + i * width, field->kind));
        SL_TRY(add_note(e));
        e->notes[e->note_count - 1] = (uint32_t)bytes; /* cut only above the bound, where size_message fails */
    }
    *size += varint_size(bytes) + bytes;
    return SL_OK;
}

static sl_code size_repeated(struct encoder *e, size_t *size, const struct sl_pb_field *field,
                             const struct sl_pb_array *array, int depth) {
    size_t tag = tag_size(field), width = field->size, count = array->n;
    if (array->n > SL_PB_MAX_BYTES) {
        *size = SIZE_MAX / 2; /* no element takes less than a byte */
        return SL_OK;
    }
    if (sl_pb_packable(field->kind)) {
        *size += tag;
        return size_packed(e, size, field, array);
    }
    size_t first = SIZE_MAX; /* note of the first index of a sorted map */
    if (field->label == SL_PB_MAP && e->flags & SL_PB_SORT_MAPS) {
        first = e->note_count + 1;
        SL_TRY(sort_map(e, field, array));
        count = e->notes[first - 1];
    }
    for (size_t i = 0; i < count; i++) {
        const char *item = array->items + width * (first == SIZE_MAX ? i : e->notes[first + i]);
        *size += tag;
        if (field->kind == SL_PB_MESSAGE) SL_TRY(size_nested(e, size, field, item, depth));
        else *size += scalar_size(field, item);
        if (*size > SL_PB_MAX_BYTES) return SL_OK;
    }
    return SL_OK;
}

static sl_code size_message(struct encoder *e, size_t *size, const struct sl_pb_message *type, const char *message,
                            int depth) {
    if (depth > SL_PB_MAX_DEPTH)
        return sl_fail(e->err, SL_INVALID_ARGUMENT, "%s: messages are nested too deeply", sl_pb_name(type->name));
    size_t total = 0;
    const struct sl_pb_field *field = &sl_pb_fields[type->first_field], *end = field + type->field_count;
    for (; field < end && total <= SL_PB_MAX_BYTES; field++) {
        const char *slot = message + field->offset;
        if (field->label == SL_PB_REPEATED || field->label == SL_PB_MAP) {
            if (sl_pb_array_at(slot)->n) SL_TRY(size_repeated(e, &total, field, sl_pb_array_at(slot), depth));
        } else if (type->is_entry || sl_pb_has(type, field, message)) {
            total += tag_size(field);
            if (field->kind == SL_PB_MESSAGE) SL_TRY(size_nested(e, &total, field, sl_pb_value_at(field, slot), depth));
            else total += scalar_size(field, slot);
        }
    }
    const struct sl_pb_unknown *u = *(struct sl_pb_unknown *const SL_PB_ALIAS *)(const void *)(message + type->unknown);
    for (; u && total <= SL_PB_MAX_BYTES; u = u->next) total += u->bytes.n;
    if (total > SL_PB_MAX_BYTES)
        return sl_fail(e->err, SL_INVALID_ARGUMENT, "%s: the message is above 2 GiB when encoded",
                       sl_pb_name(type->name));
    *size = total;
    return SL_OK;
}

/* ---- second walk: bytes ---- */

static void write_message(struct encoder *e, const struct sl_pb_message *type, const char *message);

static inline void write_varint(struct encoder *e, uint64_t v) {
    while (v >= 0x80) {
        *e->p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *e->p++ = (uint8_t)v;
}

static inline void write_bytes(struct encoder *e, const void *bytes, size_t n) {
    if (n) memcpy(e->p, bytes, n);
    e->p += n;
}

static inline void write_value(struct encoder *e, const struct sl_pb_field *field, const char *slot) {
    write_varint(e, field->tag);
    struct sl_str s;
    switch (field->kind) {
    case SL_PB_DOUBLE:
    case SL_PB_FIXED64: write_bytes(e, slot, 8); break;
    case SL_PB_FLOAT:
    case SL_PB_FIXED32: write_bytes(e, slot, 4); break;
    case SL_PB_STRING:
    case SL_PB_BYTES:
        s = sl_pb_load_str(slot);
        write_varint(e, s.n);
        write_bytes(e, s.p, s.n);
        break;
    case SL_PB_MESSAGE:
        write_varint(e, e->notes[e->next_note++]);
        write_message(e, &sl_pb_messages[field->sub], slot);
        break;
    default: write_varint(e, load_varint(slot, field->kind)); break;
    }
}

static void write_packed(struct encoder *e, const struct sl_pb_field *field, const struct sl_pb_array *array) {
    size_t width = field->size;
    write_varint(e, (uint32_t)field->number << 3 | SL_PB_WIRE_BYTES);
    if ((field->tag & 7) != SL_PB_WIRE_VARINT) {
        write_varint(e, array->n * width);
        write_bytes(e, array->items, array->n * width);
        return;
    }
    write_varint(e, e->notes[e->next_note++]);
    for (size_t i = 0; i < array->n; i++) write_varint(e, load_varint(array->items + i * width, field->kind));
}

static void write_repeated(struct encoder *e, const struct sl_pb_field *field, const struct sl_pb_array *array) {
    if (sl_pb_packable(field->kind)) {
        write_packed(e, field, array);
        return;
    }
    size_t width = field->size, count = array->n;
    const uint32_t *order = NULL;
    if (field->label == SL_PB_MAP && e->flags & SL_PB_SORT_MAPS) {
        count = e->notes[e->next_note];
        order = e->notes + e->next_note + 1;
        e->next_note += 1 + count;
    }
    for (size_t i = 0; i < count; i++) write_value(e, field, array->items + width * (order ? order[i] : i));
}

static void write_message(struct encoder *e, const struct sl_pb_message *type, const char *message) {
    const struct sl_pb_field *field = &sl_pb_fields[type->first_field], *end = field + type->field_count;
    for (; field < end; field++) {
        const char *slot = message + field->offset;
        if (field->label == SL_PB_REPEATED || field->label == SL_PB_MAP) {
            if (sl_pb_array_at(slot)->n) write_repeated(e, field, sl_pb_array_at(slot));
        } else if (type->is_entry || sl_pb_has(type, field, message)) {
            write_value(e, field, sl_pb_value_at(field, slot));
        }
    }
    const struct sl_pb_unknown *u = *(struct sl_pb_unknown *const SL_PB_ALIAS *)(const void *)(message + type->unknown);
    for (; u; u = u->next) write_bytes(e, u->bytes.p, u->bytes.n);
}

sl_code sl_pb_encode(struct sl_str *out, const struct sl_pb_message *type, const void *message, unsigned flags,
                     struct sl_arena *arena, struct sl_error *err) {
    struct encoder e = {.flags = flags, .err = err};
    size_t size = 0;
    sl_code code = size_message(&e, &size, type, message, 0);
    if (code == SL_OK) {
        char *bytes = arena ? sl_arena_alloc(arena, size) : sl_malloc(size ? size : 1);
        if (bytes) {
            e.p = (uint8_t *)bytes;
            write_message(&e, type, message);
            *out = (struct sl_str){bytes, size};
        } else {
            code = sl_fail_memory(err, size);
        }
    }
    sl_free(e.notes);
    return code;
}
