/* Definitions of ops from short texts: of the built-in rows and of ops registered through the C API.
 *
 *   attr      name ":" kind [">=" minimum] ["=" default]
 *   kind      "string" | "int" | "float" | "bool" | "type" | "shape" | "tensor" | "func" | allowed | "list(" kind ")"
 *   allowed   "{" 'text', ... "}" | "{" type, ... "}" | set           a string, a type, one of the values
 *   set       "numbertype" | "realnumbertype" | "quantizedtype"       may stand among the types as well
 *   default   a value in protobuf's text format: 3, 1e-5, true, DT_FLOAT, 'text', { unknown_rank: true }, [1, 2]
 *   argument  name ":" ["Ref("] [number_attr "*"] (type | type_attr | type_list_attr) [")"]
 *
 * A list attr that gives an argument its types, and an int attr that gives it its number, have a minimum of 1 unless
 * they say another. In rows an output may go on with what its variant or resource stands for (FullTypeDef):
 *
 *   full      "as" term;  term = name ["[" term, ... "]"] | "$" attr | "each $" attr
 *
 * where a name is that of a FullTypeId ("dataset" is TFT_DATASET), "$T" its TFT_VAR, and "each $T" one tensor for each
 * type of a list. Pure functions; thread-safe. */
#ifndef SL_OPS_OP_SPEC_H
#define SL_OPS_OP_SPEC_H

#include "base/arena.h"
#include "base/error.h"
#include "proto/gen/messages.h"

struct sl_op_spec {
    struct sl_str name;
    const struct sl_str *inputs, *outputs, *attrs; /* one text each */
    size_t n_inputs, n_outputs, n_attrs;
    unsigned flags; /* enum sl_op_flag */
    int deprecated; /* producer version, 0: not deprecated */
    struct sl_str explanation;
    bool may_say_more; /* "as ..." is understood */
};

/* The definition that the texts describe, in `arena`; strings may point into the texts. It is not checked any further:
 * see sl_op_def_check. INVALID_ARGUMENT says all that is wrong, a line each. */
sl_code sl_op_spec_parse(struct sl_pb_OpDef *out, struct sl_arena *arena, const struct sl_op_spec *spec,
                         struct sl_error *err);

/* Cuts a row's text at `separator` where it stands outside of quotes and brackets; surrounding spaces go. `*out` in
 * `arena`. */
sl_code sl_op_spec_split(const struct sl_str **out, size_t *n, struct sl_arena *arena, const char *text, char separator,
                         struct sl_error *err);

#endif
