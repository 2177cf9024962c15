/* Ops: what a node may be. An op is read from a row of the tables, or from an OpDef (registered by the caller, or the
 * signature of a function), and never changes afterwards.
 *
 * The registry holds the built-in rows and what was registered while running. It is made once by the composition root;
 * making it reads nothing. Threads: all functions on a registry are thread-safe; an op is immutable and lives as long
 * as its registry (or the arena it was made in). */
#ifndef SL_OPS_OP_H
#define SL_OPS_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "proto/gen/messages.h"
#include "tensor/dtype.h"

struct sl_shape_ctx;
struct sl_op_registry;
typedef sl_code sl_shape_function(struct sl_shape_ctx *c);

enum sl_op_flag {
    SL_OP_STATEFUL = 1,             /* may not be folded, deduplicated or pruned as if it were a value */
    SL_OP_COMMUTATIVE = 2,          /* op(a, b) == op(b, a) */
    SL_OP_AGGREGATE = 4,            /* any number of inputs of one type, in any grouping */
    SL_OP_ALLOWS_UNINITIALIZED = 8, /* may be given a reference to a variable without value */
    SL_OP_DISTRIBUTED = 16          /* talks to other processes: must run even where its value is not used */
};

enum sl_attr_kind {
    SL_ATTR_STRING,
    SL_ATTR_INT,
    SL_ATTR_FLOAT,
    SL_ATTR_BOOL,
    SL_ATTR_TYPE,
    SL_ATTR_SHAPE,
    SL_ATTR_TENSOR,
    SL_ATTR_FUNC,
    SL_ATTR_KINDS
};

/* An input or output argument. It stands for one tensor, or for a list: `number_attr` tensors of the same type, or one
 * of each type in `type_list_attr`. Exactly one of `type`, `type_attr`, `type_list_attr` is set. */
struct sl_op_arg {
    struct sl_str name;
    uint8_t type; /* base type; 0 when an attr says it */
    bool is_ref;
    int16_t type_attr, number_attr, type_list_attr; /* positions in op->attrs; -1: none */
};

struct sl_op_attr {
    struct sl_str name;
    uint8_t kind; /* enum sl_attr_kind; of the elements when is_list */
    bool is_list, has_minimum;
    int64_t minimum;                             /* of the value, or of the length of a list */
    sl_dtype_set types;                          /* allowed types; 0: all */
    const struct sl_pb_AttrValue *allowed;       /* list of the allowed types or strings, in order; NULL: all */
    const struct sl_pb_AttrValue *default_value; /* NULL: must be given */
};

struct sl_op {
    struct sl_str name; /* NUL-terminated */
    const struct sl_op_arg *inputs, *outputs;
    const struct sl_op_attr *attrs;
    uint16_t n_inputs, n_outputs, n_attrs; /* arguments and attrs, not tensors */
    uint16_t reads, writes;                /* op_effects.h: bit i, what is behind the handles of input argument i */
    uint32_t facts;                        /* enum sl_op_flag, enum sl_op_fact of op_effects.h */
    bool has_lists;                        /* some argument is a list: the number of tensors depends on attrs */
    int deprecated;                        /* graphs of this producer version or later may not use it; 0: never */
    uint32_t index;                        /* enum sl_row of op_row.h; SL_OP_NO_ROW for all others */
    sl_shape_function *shape;              /* NULL: shapes of the outputs are unknown */
    void *shape_arg;                       /* for `shape` of a registered op: the caller's */
    const struct sl_pb_OpDef *def;         /* the whole definition; descriptions are kept for registered ops only */
};
enum { SL_OP_NO_ROW = UINT32_MAX >> 1, SL_OP_MASK_BITS = 16 };

static inline bool sl_op_is_stateful(const struct sl_op *op) { return op->facts & SL_OP_STATEFUL; }
static inline bool sl_op_arg_is_list(const struct sl_op_arg *arg) {
    return arg->number_attr >= 0 || arg->type_list_attr >= 0;
}
/* Position of an attr, or -1. */
int sl_op_attr_index(const struct sl_op *op, struct sl_str name);
/* "int", "list(type)"; static string. */
const char *sl_attr_kind_name(enum sl_attr_kind kind, bool is_list);

/* ---- registry */
sl_code sl_op_registry_new(struct sl_op_registry **out, struct sl_error *err);
void sl_op_registry_free(struct sl_op_registry *registry); /* NULL is fine */

/* The op of that name: NOT_FOUND "Op type not registered 'NAME' in binary running on HOST. ..." */
sl_code sl_op_find(const struct sl_op **out, struct sl_op_registry *registry, struct sl_str name, struct sl_error *err);
/* All ops, built-in ones first: those of i < sl_op_count. The count only grows. */
size_t sl_op_count(struct sl_op_registry *registry);
sl_code sl_op_at(const struct sl_op **out, struct sl_op_registry *registry, size_t i, struct sl_error *err);

/* Adds an op: checks `def` as sl_op_def_check does and copies it. `shape` may be NULL. The name of another op:
 * ALREADY_EXISTS "Op with name NAME". `out` may be NULL. */
sl_code sl_op_register(const struct sl_op **out, struct sl_op_registry *registry, const struct sl_pb_OpDef *def,
                       sl_shape_function *shape, void *shape_arg, struct sl_error *err);

/* ---- from and to definitions */
/* Makes an op of a definition: of a function's signature too, whose name follows other rules. Borrows `def` and its
 * strings, which must live as long as `arena`. INVALID_ARGUMENT when an argument or attr makes no sense. `*out` has
 * no shape function. */
sl_code sl_op_from_def(struct sl_op *out, struct sl_arena *arena, const struct sl_pb_OpDef *def, struct sl_error *err);
/* The rules for the definition of an op that is to be registered: those of sl_op_from_def, and its name. */
sl_code sl_op_def_check(const struct sl_pb_OpDef *def, struct sl_error *err);

#endif
