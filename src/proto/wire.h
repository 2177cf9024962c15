/* Protobuf's binary format: decode into the generated structs, encode from them. Table-driven; thread-safe (no state).
 *
 *     struct sl_pb_GraphDef graph;
 *     SL_TRY(sl_pb_decode(&graph, SL_PB_TYPE(GraphDef), bytes, &arena, err));
 *     for (size_t i = 0; i < graph.node.n; i++) use(graph.node.items[i].name);
 *
 * Format: protobuf.dev/programming-guides/encoding. Limits: proto/proto_limits.h. */
#ifndef SL_PROTO_WIRE_H
#define SL_PROTO_WIRE_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/gen/messages.h"

/* Decodes `bytes` into `*message`, a struct of `type`, which is zeroed first. Strings and unknown fields point into
 * `bytes`, which must outlive the message; all else is in `arena`. Packed and unpacked repeated fields are both read; a
 * singular message that stands twice is merged; in a oneof the last counts; a known field of the wrong wire type is
 * kept as unknown.
 * Errors name message, field and byte offset: DATA_LOSS where the bytes end too early, INVALID_ARGUMENT for anything
 * else malformed (varints too long, lengths past the end, bad UTF-8 in a `string`, groups that do not match, depth),
 * RESOURCE_EXHAUSTED for memory. `*message` is then unspecified, yet safe to drop; the arena keeps what it gave. */
sl_code sl_pb_decode(void *message, const struct sl_pb_message *type, struct sl_str bytes, struct sl_arena *arena,
                     struct sl_error *err);

/* The bytes of the `which`-th field `number` of an encoded `type`, which is a message, a string or bytes; `*out` is
 * borrowed from `bytes`. False when there is none, or the bytes before it are malformed. */
bool sl_pb_field_bytes(struct sl_str *out, const struct sl_pb_message *type, struct sl_str bytes, uint32_t number,
                       size_t which);

enum {
    SL_PB_SORT_MAPS = 1 /* map entries by key, of equal keys only the last: equal messages give equal bytes */
};

/* Encodes `message`, a struct of `type`, into `*out`: fields by number, then unknown fields; map entries in array order
 * unless SL_PB_SORT_MAPS is in `flags`. What a canonical encoder wrote and `sl_pb_decode` read comes out byte for byte.
 * `out->p` is in `arena`, or, with a NULL arena, from sl_malloc: free it with sl_free((void *)out->p).
 * INVALID_ARGUMENT when the result would pass 2 GiB or the message is too deep; RESOURCE_EXHAUSTED. */
sl_code sl_pb_encode(struct sl_str *out, const struct sl_pb_message *type, const void *message, unsigned flags,
                     struct sl_arena *arena, struct sl_error *err);

/* True when `s` is well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF). */
bool sl_utf8_valid(struct sl_str s);

#endif
