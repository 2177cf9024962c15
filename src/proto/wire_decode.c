/* Binary decoding: one loop over the tags of a message, one recursion per level of messages.
 *
 * Nothing is believed that the bytes do not show: a length is compared with what is left before it is used, the room
 * for a repeated field is counted from the bytes that hold its elements, and what a message may cost in memory is
 * bounded by what it measures on the wire. */
#include <stdint.h>

#include "proto/memory_layout.h"
#include "proto/proto_limits.h"
#include "proto/wire.h"

struct decoder {
    const uint8_t *start; /* of the whole input: offsets in errors count from here */
    struct sl_arena *arena;
    struct sl_error *err;
    size_t memory; /* bytes that may still be taken from the arena */
};

/* The field being read: what an error says, and what the decoding of one field needs. */
struct place {
    const struct sl_pb_message *type;
    const struct sl_pb_field *field; /* NULL when unknown */
    const uint8_t *at;               /* its tag */
};

#define COLD __attribute__((cold, noinline))

static COLD sl_code malformed(const struct decoder *d, sl_code code, struct place place, const char *what) {
    const char *type = sl_pb_name(place.type->name), *dot = place.field ? "." : "";
    const char *field = place.field ? sl_pb_name(place.field->name) : "";
    return sl_fail(d->err, code, "%s%s%s: %s (byte %zu)", type, dot, field, what, (size_t)(place.at - d->start));
}

static void *take(struct decoder *d, size_t bytes) {
    if (bytes > d->memory) return NULL;
    d->memory -= bytes;
    return sl_arena_alloc(d->arena, bytes);
}

static COLD sl_code no_memory(const struct decoder *d, struct place place, size_t bytes) {
    if (bytes > d->memory)
        return malformed(d, SL_RESOURCE_EXHAUSTED, place, "the message needs too much memory for its size");
    return sl_fail_memory(d->err, bytes);
}

static COLD sl_code short_number(const struct decoder *d, struct place place) {
    return malformed(d, SL_DATA_LOSS, place, "the bytes end within a number");
}

/* ---- varints ---- */

/* Reads at most `limit` bytes. NULL when the bytes end first, or when the varint goes on past `limit`. */
static const uint8_t *long_varint(uint64_t *value, const uint8_t *p, const uint8_t *end, int limit) {
    uint64_t v = 0;
    for (int i = 0; i < limit && p < end; i++) {
        uint64_t byte = *p++;
        v |= (byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            *value = v;
            return i == SL_PB_MAX_VARINT_BYTES - 1 && byte > 1 ? NULL : p;
        }
    }
    return NULL;
}

static inline const uint8_t *varint(uint64_t *value, const uint8_t *p, const uint8_t *end) {
    if (p < end && *p < 0x80) {
        *value = *p;
        return p + 1;
    }
    return long_varint(value, p, end, SL_PB_MAX_VARINT_BYTES);
}

static COLD sl_code bad_varint(const struct decoder *d, struct place place, const uint8_t *p, const uint8_t *end) {
    bool ended = end - p < SL_PB_MAX_VARINT_BYTES;
    for (; ended && p < end; p++) ended = *p >= 0x80;
    return ended ? short_number(d, place) : malformed(d, SL_INVALID_ARGUMENT, place, "a number does not fit 64 bits");
}

/* Reads a tag: NULL when it is cut or does not fit 32 bits. */
static inline const uint8_t *read_tag(uint32_t *tag, const uint8_t *p, const uint8_t *end) {
    if (p < end && *p < 0x80) {
        *tag = *p;
        return p + 1;
    }
    uint64_t v = 0;
    p = long_varint(&v, p, end, SL_PB_MAX_TAG_BYTES);
    *tag = (uint32_t)v;
    return v > UINT32_MAX ? NULL : p;
}

static COLD sl_code bad_tag(const struct decoder *d, struct place place, const uint8_t *p, const uint8_t *end) {
    bool ended = end - p < SL_PB_MAX_TAG_BYTES;
    for (; ended && p < end; p++) ended = *p >= 0x80;
    return ended ? malformed(d, SL_DATA_LOSS, place, "the bytes end within a tag")
                 : malformed(d, SL_INVALID_ARGUMENT, place, "a tag does not fit 32 bits");
}

/* Reads a length and checks it against what is left. */
static inline const uint8_t *length(size_t *n, const uint8_t *p, const uint8_t *end) {
    uint64_t v;
    p = varint(&v, p, end);
    if (!p || v > (size_t)(end - p)) return NULL;
    *n = (size_t)v;
    return p;
}

static COLD sl_code bad_length(const struct decoder *d, struct place place, const uint8_t *p, const uint8_t *end) {
    uint64_t v;
    const uint8_t *after = varint(&v, p, end);
    if (!after) return bad_varint(d, place, p, end);
    return v > SL_PB_MAX_BYTES ? malformed(d, SL_INVALID_ARGUMENT, place, "the length is above 2 GiB")
                               : malformed(d, SL_DATA_LOSS, place, "the length goes past the end of the bytes");
}

/* ---- fields the tables do not know ---- */

/* Moves `*at`, which is behind a tag, over the field's value; over groups with all they hold. */
static sl_code skip(const struct decoder *d, struct place place, uint32_t tag, const uint8_t **at, const uint8_t *end) {
    uint32_t open[SL_PB_MAX_DEPTH]; /* field numbers of the groups we are in */
    int depth = 0;
    const uint8_t *p = *at;
    for (;;) {
        uint64_t v;
        size_t n;
        const uint8_t *from = p;
        switch (tag & 7) {
        case SL_PB_WIRE_VARINT:
            if (!(p = varint(&v, from, end))) return bad_varint(d, place, from, end);
            break;
        case SL_PB_WIRE_64:
        case SL_PB_WIRE_32:
            n = (tag & 7) == SL_PB_WIRE_64 ? 8 : 4;
            if ((size_t)(end - p) < n) return short_number(d, place);
            p += n;
            break;
        case SL_PB_WIRE_BYTES:
            if (!(p = length(&n, from, end))) return bad_length(d, place, from, end);
            p += n;
            break;
        case SL_PB_WIRE_GROUP:
            if (depth == SL_PB_MAX_DEPTH)
                return malformed(d, SL_INVALID_ARGUMENT, place, "groups are nested too deeply");
            open[depth++] = tag >> 3;
            break;
        case SL_PB_WIRE_END_GROUP:
            if (!depth || open[depth - 1] != tag >> 3)
                return malformed(d, SL_INVALID_ARGUMENT, place, "a group ends that did not begin");
            depth--;
            break;
        default: return malformed(d, SL_INVALID_ARGUMENT, place, "the wire type is not one of protobuf's");
        }
        if (!depth) break;
        from = p;
        if (!(p = read_tag(&tag, from, end))) return bad_tag(d, place, from, end);
        if (tag < 8) return malformed(d, SL_INVALID_ARGUMENT, place, "a field number is zero");
    }
    *at = p;
    return SL_OK;
}

/* Appends [place.at, p) to the message's unknown fields; neighbours are joined. `last` is the decoder's place in the
 * list, valid while this message is being read. */
static sl_code keep_unknown(struct decoder *d, struct place place, struct sl_pb_unknown **head,
                            struct sl_pb_unknown **last, const uint8_t *p) {
    struct sl_str bytes = {(const char *)place.at, (size_t)(p - place.at)};
    if (!*last)
        for (*last = *head; *last && (*last)->next;) *last = (*last)->next;
    if (*last && (*last)->bytes.p + (*last)->bytes.n == bytes.p) {
        (*last)->bytes.n += bytes.n;
        return SL_OK;
    }
    struct sl_pb_unknown *fresh = take(d, sizeof *fresh);
    if (!fresh) return no_memory(d, place, sizeof *fresh);
    *fresh = (struct sl_pb_unknown){.bytes = bytes};
    if (*last) (*last)->next = fresh;
    else *head = fresh;
    *last = fresh;
    return SL_OK;
}

static COLD sl_code decode_unknown(struct decoder *d, struct place place, char *message, struct sl_pb_unknown **last,
                                   uint32_t tag, const uint8_t **at, const uint8_t *end) {
    place.field = NULL;
    SL_TRY(skip(d, place, tag, at, end));
    return keep_unknown(d, place, sl_pb_unknowns(place.type, message), last, *at);
}

/* ---- repeated fields ---- */

/* How many length-delimited fields with the same tag bytes follow one another from `p` on (which is such a tag). */
static size_t run(const uint8_t *p, size_t tag_bytes, const uint8_t *end) {
    const uint8_t *tag = p;
    size_t count = 0, n;
    do {
        p = length(&n, p + tag_bytes, end);
        if (!p) break;
        p += n;
        count++;
    } while ((size_t)(end - p) > tag_bytes && *p == *tag && (tag_bytes == 1 || memcmp(p, tag, tag_bytes) == 0));
    return count;
}

/* Room for `more` elements at the end of the array. The first time exactly so many, later at least twice as many. */
static sl_code grow(struct decoder *d, struct place place, struct sl_pb_array *array, size_t more, size_t size) {
    size_t capacity = sl_pb_array_capacity(array);
    if (capacity - array->n >= more) return SL_OK;
    size_t need = array->n + more;
    if (need < 2 * capacity) need = 2 * capacity;
    size_t bytes = sizeof(struct sl_pb_array_head) + need * size; /* need is below 2^33, size below 2^16 */
    struct sl_pb_array_head *head = take(d, bytes);
    if (!head) return no_memory(d, place, bytes);
    head->capacity = need;
    char *items = (char *)(head + 1);
    if (array->n) memcpy(items, array->items, array->n * size);
    array->items = items;
    return SL_OK;
}

static size_t varints_in(const uint8_t *p, const uint8_t *end) {
    size_t n = 0;
    for (; p < end; p++) n += *p < 0x80;
    return n;
}

static inline void store_varint(char *slot, uint8_t kind, uint64_t v) {
    switch (kind) {
    case SL_PB_INT64:
    case SL_PB_UINT64: *(sl_pb_slot64 *)(void *)slot = v; break;
    case SL_PB_SINT64: *(sl_pb_slot64 *)(void *)slot = (v >> 1) ^ (~(v & 1) + 1); break;
    case SL_PB_BOOL: *(sl_pb_slot_bool *)(void *)slot = v != 0; break;
    default: *(sl_pb_slot32 *)(void *)slot = (uint32_t)v; break; /* int32, uint32, enum: the low 32 bits */
    }
}

static sl_code decode_packed(struct decoder *d, struct place place, struct sl_pb_array *array, const uint8_t **at,
                             const uint8_t *end) {
    uint8_t kind = place.field->kind;
    size_t size = place.field->size, bytes;
    const uint8_t *p = length(&bytes, *at, end);
    if (!p) return bad_length(d, place, *at, end);
    *at = end = p + bytes;
    if ((place.field->tag & 7) != SL_PB_WIRE_VARINT) {
        if (bytes % size) return malformed(d, SL_INVALID_ARGUMENT, place, "packed numbers are cut in their midst");
        if (!bytes) return SL_OK;
        SL_TRY(grow(d, place, array, bytes / size, size));
        memcpy(array->items + array->n * size, p, bytes); /* little-endian hosts only, see the assertion below */
        array->n += bytes / size;
        return SL_OK;
    }
    size_t count = varints_in(p, end);
    if (!count) return p == end ? SL_OK : bad_varint(d, place, p, end);
    SL_TRY(grow(d, place, array, count, size));
    char *slot = array->items + array->n * size;
    while (p < end) {
        uint64_t v;
        const uint8_t *from = p;
        if (!(p = varint(&v, from, end))) return bad_varint(d, place, from, end);
        store_varint(slot, kind, v);
        slot += size;
        array->n++;
    }
    return SL_OK;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fixed-width numbers are copied as they are");

/* ---- messages ---- */

static sl_code decode_fields(struct decoder *d, char *message, const struct sl_pb_message *type, const uint8_t *p,
                             const uint8_t *end, int depth);

static inline bool is_ascii(const uint8_t *p, size_t n) {
    uint64_t word, all = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, p + i, 8);
        all |= word;
    }
    if (i < n && n >= 8) {
        memcpy(&word, p + n - 8, 8);
        return !((all | word) & UINT64_C(0x8080808080808080));
    }
    for (; i < n; i++) all |= p[i];
    return !(all & UINT64_C(0x8080808080808080));
}

/* One value of the field at `p` into `slot`; moves `*at` behind it. */
static inline sl_code decode_value(struct decoder *d, struct place place, char *slot, const uint8_t **at,
                                   const uint8_t *end, int depth) {
    uint8_t kind = place.field->kind;
    const uint8_t *p = *at;
    uint64_t v;
    size_t n;
    switch (kind) {
    case SL_PB_DOUBLE:
    case SL_PB_FIXED64:
        if (end - p < 8) return short_number(d, place);
        memcpy(slot, p, 8);
        *at = p + 8;
        return SL_OK;
    case SL_PB_FLOAT:
    case SL_PB_FIXED32:
        if (end - p < 4) return short_number(d, place);
        memcpy(slot, p, 4);
        *at = p + 4;
        return SL_OK;
    case SL_PB_STRING:
    case SL_PB_BYTES:
        if (!(p = length(&n, p, end))) return bad_length(d, place, *at, end);
        struct sl_str s = {(const char *)p, n};
        if (kind == SL_PB_STRING && !is_ascii(p, n) && !sl_utf8_valid(s))
            return malformed(d, SL_INVALID_ARGUMENT, place, "the string is not valid UTF-8");
        memcpy(slot, &s, sizeof s);
        *at = p + n;
        return SL_OK;
    case SL_PB_MESSAGE:
        if (!(p = length(&n, p, end))) return bad_length(d, place, *at, end);
        if (depth == SL_PB_MAX_DEPTH) return malformed(d, SL_INVALID_ARGUMENT, place, "messages are nested too deeply");
        *at = p + n;
        return decode_fields(d, slot, &sl_pb_messages[place.field->sub], p, p + n, depth + 1);
    default:
        if (!(p = varint(&v, p, end))) return bad_varint(d, place, *at, end);
        store_varint(slot, kind, v);
        *at = p;
        return SL_OK;
    }
}

/* The next free element of a repeated field or map; `at` is behind the tag of the value to come. The caller counts it
 * once it is filled. */
static inline sl_code next_element(struct decoder *d, struct place place, struct sl_pb_array *array, char **slot,
                                   const uint8_t *at, const uint8_t *end) {
    size_t size = place.field->size;
    if (array->n == sl_pb_array_capacity(array)) {
        size_t more = (place.field->tag & 7) == SL_PB_WIRE_BYTES ? run(place.at, (size_t)(at - place.at), end) : 1;
        SL_TRY(grow(d, place, array, more ? more : 1, size));
    }
    *slot = array->items + array->n * size;
    if (place.field->kind == SL_PB_MESSAGE) memset(*slot, 0, size);
    return SL_OK;
}

/* A message held by pointer: the one that is there is merged into. */
static inline sl_code pointed_message(struct decoder *d, struct place place, char **slot) {
    sl_pb_slot_pointer *pointer = (sl_pb_slot_pointer *)(void *)*slot;
    if (!*pointer) {
        size_t size = place.field->size;
        void *fresh = take(d, size);
        if (!fresh) return no_memory(d, place, size);
        *pointer = memset(fresh, 0, size);
    }
    *slot = *pointer;
    return SL_OK;
}

static inline sl_code decode_field(struct decoder *d, struct place place, char *message, const uint8_t **at,
                                   const uint8_t *end, int depth) {
    const struct sl_pb_field *field = place.field;
    char *slot = message + field->offset;
    struct sl_pb_array *array = NULL;
    switch (field->label) {
    case SL_PB_REPEATED:
    case SL_PB_MAP:
        array = (struct sl_pb_array *)(void *)slot;
        SL_TRY(next_element(d, place, array, &slot, *at, end));
        break;
    case SL_PB_ONEOF: {
        sl_pb_slot_which *which = (sl_pb_slot_which *)(void *)(message + place.type->which);
        if (*which != field->number && field->kind == SL_PB_MESSAGE) *(sl_pb_slot_pointer *)(void *)slot = NULL;
        *which = field->number;
    }
        __attribute__((fallthrough));
    case SL_PB_SINGULAR:
        if (field->kind == SL_PB_MESSAGE) SL_TRY(pointed_message(d, place, &slot));
        break;
    default: break; /* inline: the slot is the message */
    }
    SL_TRY(decode_value(d, place, slot, at, end, depth));
    if (array) array->n++;
    return SL_OK;
}

/* Decodes [p, end) into `message`, adding to what is there. */
static sl_code decode_fields(struct decoder *d, char *message, const struct sl_pb_message *type, const uint8_t *p,
                             const uint8_t *end, int depth) {
    struct sl_pb_unknown *last_unknown = NULL;
    while (p < end) {
        struct place place = {type, NULL, p};
        uint32_t tag;
        if (!(p = read_tag(&tag, p, end))) return bad_tag(d, place, place.at, end);
        if (tag < 8) return malformed(d, SL_INVALID_ARGUMENT, place, "a field number is zero");
        place.field = sl_pb_field_by_number(type, tag >> 3);
        if (__builtin_expect(place.field && tag == place.field->tag, 1)) {
            SL_TRY(decode_field(d, place, message, &p, end, depth));
        } else if (place.field && (tag & 7) == SL_PB_WIRE_BYTES && place.field->label == SL_PB_REPEATED) {
            struct sl_pb_array *array = (struct sl_pb_array *)(void *)(message + place.field->offset);
            SL_TRY(decode_packed(d, place, array, &p, end));
        } else {
            SL_TRY(decode_unknown(d, place, message, &last_unknown, tag, &p, end));
        }
    }
    return SL_OK;
}

sl_code sl_pb_decode(void *message, const struct sl_pb_message *type, struct sl_str bytes, struct sl_arena *arena,
                     struct sl_error *err) {
    memset(message, 0, type->size);
    if (bytes.n > SL_PB_MAX_BYTES)
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s: %zu bytes are more than a message may have (2 GiB)",
                       sl_pb_name(type->name), bytes.n);
    if (!bytes.n) return SL_OK;
    const uint8_t *p = (const uint8_t *)bytes.p;
    struct decoder d = {p, arena, err, SL_PB_FREE_MEMORY + SL_PB_MEMORY_FACTOR * bytes.n};
    return decode_fields(&d, message, type, p, p + bytes.n, 0);
}

/* ---- UTF-8 ---- */

/* ---- one field ---- */

bool sl_pb_field_bytes(struct sl_str *out, const struct sl_pb_message *type, struct sl_str bytes, uint32_t number,
                       size_t which) {
    const uint8_t *p = (const uint8_t *)bytes.p, *end = bytes.n ? p + bytes.n : p;
    const struct decoder d = {.start = p};
    while (p != end) {
        struct place place = {type, NULL, p};
        uint32_t tag;
        size_t n;
        if (!(p = read_tag(&tag, p, end)) || tag < 8) return false;
        if (tag == (number << 3 | SL_PB_WIRE_BYTES) && !which--) {
            if (!(p = length(&n, p, end))) return false;
            *out = (struct sl_str){(const char *)p, n};
            return true;
        }
        if (skip(&d, place, tag, &p, end)) return false;
    }
    return false;
}

/* Unicode 15, table 3-7: the ranges of second bytes after a lead byte. */
static const uint8_t *utf8_sequence(const uint8_t *p, const uint8_t *end) {
    uint8_t lead = *p++;
    uint8_t low = 0x80, high = 0xbf;
    size_t more;
    if (lead >= 0xc2 && lead <= 0xdf) {
        more = 1;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        more = 2;
        if (lead == 0xe0) low = 0xa0;
        if (lead == 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        more = 3;
        if (lead == 0xf0) low = 0x90;
        if (lead == 0xf4) high = 0x8f;
    } else {
        return NULL;
    }
    if ((size_t)(end - p) < more || p[0] < low || p[0] > high) return NULL;
    for (size_t i = 1; i < more; i++)
        if (p[i] < 0x80 || p[i] > 0xbf) return NULL;
    return p + more;
}

bool sl_utf8_valid(struct sl_str s) {
    if (!s.n) return true;
    const uint8_t *p = (const uint8_t *)s.p, *end = p + s.n;
    while (end - p >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        if (word & 0x8080808080808080u) break;
        p += 8;
    }
    while (p < end) {
        if (*p < 0x80) p++;
        else if (!(p = utf8_sequence(p, end))) return false;
    }
    return true;
}

const struct sl_pb_message *sl_pb_type(int index) { return &sl_pb_messages[index]; }
