/* The second half of freezing: handles of variables become tensors, and what takes them is written anew. For
 * freeze_graph.c. One owner. */
#ifndef SL_SESSION_FREEZE_REWRITE_H
#define SL_SESSION_FREEZE_REWRITE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "proto/gen/messages.h"

struct sl_freezer {
    struct sl_arena *arena;
    struct sl_str_map functions; /* of the library: struct sl_pb_FunctionDef */
    struct sl_str_map done;      /* name and mask -> struct sl_pb_FunctionDef of `made` */
    SL_VEC(struct sl_pb_FunctionDef *) made;
    int depth;
};

/* Nodes of the graph or of a function, and which of their tensors are variables that have become values. */
struct sl_freeze_scope {
    struct sl_freezer *freezer;
    bool is_function;
    struct sl_pb_NodeDef *nodes;
    size_t n;
    SL_VEC(struct sl_pb_NodeDef) more; /* nodes that came about */
    struct sl_str_map frozen;          /* name of a tensor -> its element type */
    struct sl_str_map renamed;         /* in functions, where names tell outputs: old name of a tensor -> new one */
};

/* Says that output `i` of a node of the graph is a value now. */
sl_code sl_freeze_mark(struct sl_freeze_scope *scope, struct sl_str node, int i, const char *output, int dtype,
                       struct sl_error *err);
/* Rewrites all nodes that take such tensors. UNIMPLEMENTED names one for which there is no way. */
sl_code sl_freeze_rewrite(struct sl_freeze_scope *scope, struct sl_error *err);

/* Attrs of nodes; values are in the arena. */
sl_code sl_freeze_set_attr(struct sl_pb_NodeDef *node, const char *name, const struct sl_pb_AttrValue *value,
                           struct sl_arena *arena, struct sl_error *err);
void sl_freeze_drop_attr(struct sl_pb_NodeDef *node, const char *name);
sl_code sl_freeze_set_type(struct sl_pb_NodeDef *node, const char *name, int dtype, struct sl_arena *arena,
                           struct sl_error *err);

#endif
