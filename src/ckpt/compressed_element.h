/* Elements of datasets packed into one string of bytes, as TensorFlow's CompressedElement (proto/dataset.proto): the
 * elements of all components, one after another, as one snappy block. Strings stand there one by one, variants as
 * TensorProto. Pure functions; thread-safe. */
#ifndef SL_CKPT_COMPRESSED_ELEMENT_H
#define SL_CKPT_COMPRESSED_ELEMENT_H

#include "base/error.h"
#include "base/str.h"
#include "tensor/value.h"

/* `*out` is the caller's, freed by sl_free. UNIMPLEMENTED for resources and variants that have no message. */
sl_code sl_element_compress(struct sl_str *out, const struct sl_value *components, int n, struct sl_error *err);
/* `*out` gets `*n` values, the caller's, in memory that sl_free frees. DATA_LOSS when `bytes` make no sense. */
sl_code sl_element_uncompress(struct sl_value **out, int *n, struct sl_str bytes, struct sl_error *err);

#endif
