/* Tensors from and to TensorProto messages (tensor.proto). Pure functions; thread-safe. */
#ifndef SL_TENSOR_TENSOR_PROTO_H
#define SL_TENSOR_TENSOR_PROTO_H

#include "proto/gen/messages.h"
#include "tensor/object.h"
#include "tensor/tensor.h"

/* A tensor with the message's elements: tensor_content when it is there (its size must be exact), else the field of
 * the type, whose last value stands for all that are missing. INVALID_ARGUMENT when type, shape or content make no
 * sense, RESOURCE_EXHAUSTED for a repeated value that would fill more than a GiB, UNIMPLEMENTED for resources that
 * hold something and variants of another type than int and those of variant_data.h. */
sl_code sl_tensor_from_proto(struct sl_tensor **out, const struct sl_pb_TensorProto *proto, struct sl_error *err);

/* The message of a tensor: tensor_content for plain types, string_val for strings. Its bytes are borrowed from `t`;
 * the rest is in `arena`. UNIMPLEMENTED for resources, and variants of another type than those of variant_data.h. */
sl_code sl_tensor_to_proto(struct sl_pb_TensorProto *out, const struct sl_tensor *t, struct sl_arena *arena,
                           struct sl_error *err);

/* The same for one variant; an empty one is NULL and a message without a type. */
sl_code sl_variant_from_proto(struct sl_object **out, const struct sl_pb_VariantTensorDataProto *proto,
                              struct sl_error *err);
bool sl_variant_is_writable(const struct sl_object *o); /* whether there is a message of such variants */
sl_code sl_variant_to_proto(struct sl_pb_VariantTensorDataProto *out, const struct sl_object *o, struct sl_arena *arena,
                            struct sl_error *err);

/* Messages from and to their bytes; what is made is in `arena`, and what is read borrows from `bytes`. */
sl_code sl_tensor_proto_decode(struct sl_pb_TensorProto *out, struct sl_str bytes, struct sl_arena *arena,
                               struct sl_error *err);
sl_code sl_tensor_proto_encode(struct sl_str *bytes, const struct sl_pb_TensorProto *proto, struct sl_arena *arena,
                               struct sl_error *err);

/* A shape as a message, in `arena`. */
sl_code sl_shape_to_proto(struct sl_pb_TensorShapeProto **out, struct sl_shape shape, struct sl_arena *arena,
                          struct sl_error *err);

#endif
