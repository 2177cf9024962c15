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

/* True for kinds whose repeated values are written in one packed field. */
static inline bool sl_pb_packable(uint8_t kind) { return kind < SL_PB_STRING; }

#endif
