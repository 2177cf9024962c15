/* The tables behind every message, and the few types all generated structs share. Constant data; thread-safe.
 *
 * How a field of a .proto file stands in its struct (src/proto/gen/messages.h):
 *
 *   scalar, enum         the C type itself; zero and absent are the same (proto3)
 *   string, bytes        struct sl_str; {NULL, 0} when absent. Not NUL-terminated
 *   message              pointer, NULL when absent
 *   repeated             { T *items; size_t n; }, messages inline: graph->node.items[i].name
 *   map                  as repeated, of entry structs { key, value, unknown }; messages inline
 *   oneof                int which (the field number, 0 = none) and an anonymous union
 *   unknown fields       struct sl_pb_unknown *unknown, NULL when none
 *
 * A zeroed struct is a valid empty message. Structs own nothing: arrays and strings live in an arena, in the decoded
 * bytes, or wherever the caller who fills a struct keeps them. */
#ifndef SL_PROTO_MESSAGE_TABLE_H
#define SL_PROTO_MESSAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Fields whose numbers the tables do not hold, kept as they came (tag included) and written back after the others. */
struct sl_pb_unknown {
    struct sl_str bytes;
    struct sl_pb_unknown *next;
};

/* Repeated fields of scalars. */
struct sl_pb_array_f64 {
    double *items;
    size_t n;
};
struct sl_pb_array_f32 {
    float *items;
    size_t n;
};
struct sl_pb_array_i64 {
    int64_t *items;
    size_t n;
};
struct sl_pb_array_u64 {
    uint64_t *items;
    size_t n;
};
struct sl_pb_array_i32 {
    int32_t *items;
    size_t n;
};
struct sl_pb_array_u32 {
    uint32_t *items;
    size_t n;
};
struct sl_pb_array_bool {
    bool *items;
    size_t n;
};
struct sl_pb_array_str {
    struct sl_str *items;
    size_t n;
};

enum sl_pb_kind {
    SL_PB_DOUBLE,
    SL_PB_FLOAT,
    SL_PB_INT64,
    SL_PB_UINT64,
    SL_PB_INT32,
    SL_PB_UINT32,
    SL_PB_SINT64,
    SL_PB_FIXED64,
    SL_PB_FIXED32,
    SL_PB_BOOL,
    SL_PB_ENUM,
    SL_PB_STRING,
    SL_PB_BYTES,
    SL_PB_MESSAGE
};

enum sl_pb_label {
    SL_PB_SINGULAR,
    SL_PB_ONEOF,    /* member of the message's oneof */
    SL_PB_REPEATED, /* scalars other than strings are written packed */
    SL_PB_MAP,      /* repeated entry messages */
    SL_PB_INLINE    /* a message held in place: the value of a map entry */
};

/* Wire types. 3 and 4 are the ends of groups, which no message of ours has. */
enum {
    SL_PB_WIRE_VARINT = 0,
    SL_PB_WIRE_64 = 1,
    SL_PB_WIRE_BYTES = 2,
    SL_PB_WIRE_GROUP = 3,
    SL_PB_WIRE_END_GROUP = 4,
    SL_PB_WIRE_32 = 5
};

struct sl_pb_field {
    uint32_t name; /* offset in sl_pb_names */
    uint16_t number;
    uint16_t tag;        /* number << 3 | wire type of one value */
    uint16_t offset;     /* of the member in its struct */
    uint16_t size;       /* of one value: a message's struct, even where the member is a pointer to it */
    uint16_t sub;        /* row of sl_pb_messages or sl_pb_enums, by kind */
    uint8_t kind, label; /* enum sl_pb_kind, enum sl_pb_label */
};

enum { SL_PB_NO_ONEOF = UINT16_MAX };

struct sl_pb_message {
    uint32_t name;        /* offset in sl_pb_names: "tensorflow.NodeDef", or "map<string, tensorflow.AttrValue>" */
    uint16_t size;        /* sizeof the struct */
    uint16_t unknown;     /* offset of `unknown` */
    uint16_t which;       /* offset of `which`, or SL_PB_NO_ONEOF */
    uint16_t first_field; /* the fields, by number: sl_pb_fields[first_field .. first_field + field_count) */
    uint16_t field_count;
    uint16_t dense; /* sl_pb_dense[dense + number] for number < dense_count: 1 + field index, 0 = no such field */
    uint8_t dense_count;
    uint8_t is_entry; /* a map entry: key and value are written even when zero */
};

struct sl_pb_enum_value {
    uint32_t name;
    int32_t number;
};

struct sl_pb_enum {
    uint32_t name;
    uint16_t first_value; /* the values, by number: sl_pb_enum_values[first_value .. first_value + value_count) */
    uint16_t value_count;
};

extern const struct sl_pb_message sl_pb_messages[];
extern const size_t sl_pb_message_count;
extern const struct sl_pb_field sl_pb_fields[];
extern const uint8_t sl_pb_dense[];
extern const struct sl_pb_enum sl_pb_enums[];
extern const struct sl_pb_enum_value sl_pb_enum_values[];
extern const char sl_pb_names[];

/* The row of a message: SL_PB_TYPE(NodeDef). Needs gen/messages.h. */
#define SL_PB_TYPE(message) (&sl_pb_messages[SL_PB_INDEX_##message])
/* The same row, for companions, which can call functions of the library and not read its variables. */
const struct sl_pb_message *sl_pb_type(int index);
#define SL_PB_TYPE_OF(message) sl_pb_type(SL_PB_INDEX_##message)

static inline const char *sl_pb_name(uint32_t name) { return sl_pb_names + name; }

/* The field of that number, or NULL. */
static inline const struct sl_pb_field *sl_pb_field_by_number(const struct sl_pb_message *type, uint32_t number) {
    const struct sl_pb_field *fields = &sl_pb_fields[type->first_field];
    if (number < type->dense_count) {
        uint8_t at = sl_pb_dense[type->dense + number];
        return at ? fields + at - 1 : NULL;
    }
    for (size_t i = type->field_count; i-- > 0 && fields[i].number >= number;)
        if (fields[i].number == number) return fields + i;
    return NULL;
}

/* By name, linear; NULL when there is none. */
const struct sl_pb_field *sl_pb_field_by_name(const struct sl_pb_message *type, struct sl_str name);
/* By full name as in an Any's type_url: "tensorflow.NodeDef". */
const struct sl_pb_message *sl_pb_message_by_name(struct sl_str name);
/* Text name of an enum field's number, or NULL; and back: false when there is no such name. */
const char *sl_pb_enum_name(const struct sl_pb_enum *type, int32_t number);
bool sl_pb_enum_number(int32_t *number, const struct sl_pb_enum *type, struct sl_str name);

#endif
