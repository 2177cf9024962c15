/* Messages whose types come as data: what a FileDescriptorSet says of a message's fields, and the fields of encoded
 * messages. Format: protobuf.dev/programming-guides/encoding, descriptor.proto. Pure; thread-safe. */
#ifndef SL_FORMATS_MESSAGE_TYPE_H
#define SL_FORMATS_MESSAGE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum sl_wire_kind { SL_WIRE_VARINT, SL_WIRE_FIXED64, SL_WIRE_BYTES, SL_WIRE_GROUP, SL_WIRE_GROUP_END, SL_WIRE_FIXED32 };

/* One field as it stands in a message. */
struct sl_wire_field {
    uint32_t number;
    enum sl_wire_kind kind;
    uint64_t bits;       /* of numbers */
    struct sl_str bytes; /* of SL_WIRE_BYTES; borrowed from the message */
};
/* Takes the next field off `rest`, a group with all that is in it. False when it is malformed or cut off. */
bool sl_wire_next(struct sl_wire_field *f, struct sl_str *rest);
bool sl_wire_varint(uint64_t *out, struct sl_str *rest);

/* Numbered as in FieldDescriptorProto. */
enum sl_field_type {
    SL_FIELD_DOUBLE = 1,
    SL_FIELD_FLOAT,
    SL_FIELD_INT64,
    SL_FIELD_UINT64,
    SL_FIELD_INT32,
    SL_FIELD_FIXED64,
    SL_FIELD_FIXED32,
    SL_FIELD_BOOL,
    SL_FIELD_STRING,
    SL_FIELD_GROUP,
    SL_FIELD_MESSAGE,
    SL_FIELD_BYTES,
    SL_FIELD_UINT32,
    SL_FIELD_ENUM,
    SL_FIELD_SFIXED32,
    SL_FIELD_SFIXED64,
    SL_FIELD_SINT32,
    SL_FIELD_SINT64,
};

struct sl_message_field {
    uint32_t number;
    enum sl_field_type type;
    bool is_repeated, is_packed;
    struct sl_str text; /* default of strings; in the arena */
    uint64_t bits;      /* default of the others, as fields of that type are encoded */
};
/* The name of the type, "int32"; static. */
const char *sl_field_type_name(enum sl_field_type type);
/* How one value of the type is encoded. */
enum sl_wire_kind sl_field_wire_kind(enum sl_field_type type);

/* The field `name` of the message `type` ("package.Outer.Inner") in the encoded FileDescriptorSet `set`.
 * INVALID_ARGUMENT "No descriptor found for message type ...", "Unknown field: ..."; UNIMPLEMENTED for groups. */
sl_code sl_message_field_find(struct sl_message_field *out, struct sl_str set, struct sl_str type, struct sl_str name,
                              struct sl_arena *arena, struct sl_error *err);

#endif
