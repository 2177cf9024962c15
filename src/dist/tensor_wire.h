/* Tensors in messages between processes: written around the memory that they are in, read where they have come.
 *
 *     NamedTensorProto { name, TensorProto { dtype, tensor_shape, tensor_content } }
 *     └──────────── one small piece ──────────────────────────┘ └ a piece: the tensor's own memory
 *
 * The elements of plain types and of strings are in tensor_content, strings as all lengths (varints) and then all
 * bytes, and handles of resources (dist/named_handle.h) likewise. What is read may come in any form that TensorFlow
 * writes; resources are handles then. Pure functions; thread-safe. */
#ifndef SL_DIST_TENSOR_WIRE_H
#define SL_DIST_TENSOR_WIRE_H

#include "net/rpc.h"
#include "proto/wire.h"
#include "tensor/value.h"

/* Adds field `field` of a message: a TensorProto, or with a name (`name.p` not NULL) a NamedTensorProto. Takes a
 * reference of its own to large elements. */
sl_code sl_wire_add_tensor(struct sl_rpc_message *m, uint32_t field, struct sl_str name, struct sl_tensor *t,
                           struct sl_error *err);
/* Adds a whole RecvTensorResponse: a value as it is, or a dead one. The value stays the caller's. */
sl_code sl_wire_add_received(struct sl_rpc_message *m, const struct sl_value *value, int64_t send_start_micros,
                             struct sl_error *err);
/* Adds the bytes of a message. */
sl_code sl_wire_add_message(struct sl_rpc_message *m, const struct sl_pb_message *type, const void *message,
                            struct sl_error *err);
/* Adds field `field`, a string or bytes; nothing when they are empty. */
sl_code sl_wire_add_text(struct sl_rpc_message *m, uint32_t field, struct sl_str text, struct sl_error *err);
/* Adds field `field`, a number; nothing when it is 0. */
sl_code sl_wire_add_number(struct sl_rpc_message *m, uint32_t field, uint64_t number, struct sl_error *err);

/* A tensor with the message's elements; `proto` was decoded from `body`, of which a large tensor keeps a reference
 * where its elements lie well enough to be used as they are. `body` NULL: it copies them. INVALID_ARGUMENT for a size
 * that is not the shape's, and else as sl_tensor_from_proto. */
sl_code sl_wire_read_tensor(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_rpc_body *body,
                            struct sl_error *err);
/* The same for a value. */
sl_code sl_wire_read_value(struct sl_value *out, const struct sl_pb_TensorProto *proto, struct sl_rpc_body *body,
                           struct sl_error *err);

#endif
