/* TensorLists between processes: a VariantTensorDataProto has the elements that are set as tensors; its metadata are the
 * number of those that are not set, the index of each, the element type, the most elements that there may be (all
 * varints), and the element shape as a TensorShapeProto. That of an optional has its values as tensors, and as metadata a
 * byte: whether it has any. TensorFlow's are the same. Thread-safe. */
#ifndef SL_BACKENDS_ANY_LIST_MESSAGE_H
#define SL_BACKENDS_ANY_LIST_MESSAGE_H

#include "tensor/object.h"
#include "tensor/value.h"

struct sl_pb_TensorProto;

/* A value as a message, in the arena or in the value's memory. */
sl_code sl_list_write_value(struct sl_pb_TensorProto *out, const struct sl_value *v, struct sl_arena *arena,
                            struct sl_error *err);
/* `write` of the list's object type. */
sl_code sl_list_write(struct sl_pb_VariantTensorDataProto *out, const struct sl_object *list, struct sl_arena *arena,
                      struct sl_error *err);
/* Messages of lists, and of optionals, in a value that has come, and in what they hold, become such. INVALID_ARGUMENT when one makes no
 * sense; then the value is the caller's, as before. */
sl_code sl_list_arrive(struct sl_value *value, struct sl_error *err);

#endif
