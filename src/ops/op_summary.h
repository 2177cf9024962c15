/* Ops, nodes and values as short texts for messages, in the words TensorFlow's users know. Thread-safe. */
#ifndef SL_OPS_OP_SUMMARY_H
#define SL_OPS_OP_SUMMARY_H

#include "ops/attr.h"
#include "ops/op.h"

enum { SL_SUMMARY_MAX = 1536 };

/* All: write a NUL-terminated text, cut with "..." when longer, and return it. */

/* Op<name=Add; signature=x:T, y:T -> z:T; attr=T:type,allowed=[DT_FLOAT, ...]> */
const char *sl_op_summary(char text[SL_SUMMARY_MAX], const struct sl_op *op);
/* {{node n}} = Op[T=DT_FLOAT, a=1](x, y:1, ^c): attrs by name. `inputs` as in a NodeDef. */
const char *sl_node_summary(char text[SL_SUMMARY_MAX], struct sl_str name, struct sl_str op,
                            const struct sl_attrs *attrs, struct sl_str device, const struct sl_str *inputs,
                            int n_inputs);
/* 3, "text", DT_FLOAT, [2,?], [1, 2], Tensor<type: int32 shape: [2] values: 1 2>, f[a=3], $placeholder */
const char *sl_attr_summary(char text[SL_SUMMARY_MAX], const struct sl_pb_AttrValue *value);

#endif
