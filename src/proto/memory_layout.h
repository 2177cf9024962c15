/* How the room touches generated structs by offset. Private to src/proto. The types may alias any member, since the
 * structs themselves are declared with their own types elsewhere. */
#ifndef SL_PROTO_MEMORY_LAYOUT_H
#define SL_PROTO_MEMORY_LAYOUT_H

#include "base/arena.h"
#include "proto/message_table.h"

#define SL_PB_ALIAS __attribute__((may_alias))

typedef uint64_t SL_PB_ALIAS sl_pb_slot64;
typedef uint32_t SL_PB_ALIAS sl_pb_slot32;
typedef bool SL_PB_ALIAS sl_pb_slot_bool;
typedef int SL_PB_ALIAS sl_pb_slot_which;
typedef void *SL_PB_ALIAS sl_pb_slot_pointer;

/* Every repeated field and map. */
struct sl_pb_array {
    char *items;
    size_t n;
} SL_PB_ALIAS;

/* An array that decode or parse made has its capacity in front of `items`, so that growing one that comes in many
 * pieces costs amortised constant time. Arrays others made are never grown. */
struct sl_pb_array_head {
    size_t capacity, unused; /* 16 bytes: `items` stays aligned */
};

static inline size_t sl_pb_array_capacity(const struct sl_pb_array *array) {
    return array->items ? ((const struct sl_pb_array_head *)(const void *)array->items)[-1].capacity : 0;
}

/* The unknown fields' list head of a message. */
static inline struct sl_pb_unknown **sl_pb_unknowns(const struct sl_pb_message *type, char *message) {
    return (struct sl_pb_unknown **)(void *)(message + type->unknown);
}

static inline struct sl_str sl_pb_load_str(const char *slot) {
    struct sl_str s;
    memcpy(&s, slot, sizeof s);
    return s;
}

static inline const struct sl_pb_array *sl_pb_array_at(const char *slot) {
    return (const struct sl_pb_array *)(const void *)slot;
}

/* Whether a singular value differs from its default; by its bits, since negative zero is no default. */
static inline bool sl_pb_is_set(const struct sl_pb_field *field, const char *slot) {
    switch (field->kind) {
    case SL_PB_STRING:
    case SL_PB_BYTES: return sl_pb_load_str(slot).n;
    case SL_PB_MESSAGE: return field->label == SL_PB_INLINE || *(const sl_pb_slot_pointer *)(const void *)slot;
    case SL_PB_BOOL: return *(const sl_pb_slot_bool *)(const void *)slot;
    default:
        return field->size == 8 ? *(const sl_pb_slot64 *)(const void *)slot : *(const sl_pb_slot32 *)(const void *)slot;
    }
}

/* Whether a field that is not repeated has a value: a oneof's member when it is the one, others when not zero. */
static inline bool sl_pb_has(const struct sl_pb_message *type, const struct sl_pb_field *field, const char *message) {
    const char *slot = message + field->offset;
    if (field->label != SL_PB_ONEOF) return sl_pb_is_set(field, slot);
    if (*(const sl_pb_slot_which *)(const void *)(message + type->which) != field->number) return false;
    return field->kind != SL_PB_MESSAGE || sl_pb_is_set(field, slot);
}

/* Where the value of a field itself is: messages are pointed at, but for those in map entries. */
static inline const char *sl_pb_value_at(const struct sl_pb_field *field, const char *slot) {
    if (field->kind != SL_PB_MESSAGE || field->label == SL_PB_INLINE) return slot;
    return *(const sl_pb_slot_pointer *)(const void *)slot;
}

/* True for kinds whose repeated values are written in one packed field. */
static inline bool sl_pb_packable(uint8_t kind) { return kind < SL_PB_STRING; }

#endif
