/* The built-in rows as numbers and as text: what op_registry.c reads, and how code elsewhere can tell an op by its
 * number: `op->index == SL_ROW_Switch`. Constant data; thread-safe. */
#ifndef SL_OPS_OP_ROW_H
#define SL_OPS_OP_ROW_H

#include "ops/op.h"

enum sl_row {
#define OP(name, inputs, outputs, attrs, shape, facts) SL_ROW_##name,
#include "ops/all.def"
    SL_ROW_COUNT
};

struct sl_row_text {
    struct sl_str name;
    const char *inputs, *outputs, *attrs; /* as in the row; grammar: op_spec.h, with ", " and "; " between the parts */
    uint32_t facts;                       /* enum sl_op_flag, enum sl_op_fact */
    uint16_t reads, writes;               /* as in struct sl_op */
    int deprecated;                       /* producer version; 0: not deprecated */
    const char *explanation;              /* "" when not deprecated */
    sl_shape_function *shape;
};

/* The name alone, and the whole row. `row` < SL_ROW_COUNT. */
struct sl_str sl_row_name(uint32_t row);
struct sl_row_text sl_row_text(uint32_t row);

#endif
