/* What the stages of one compilation share. Internal to the room; one owner, gone when the compilation ends. */
#ifndef SL_PROGRAM_COMPILATION_H
#define SL_PROGRAM_COMPILATION_H

#include "ops/op_row.h"
#include "program/compile.h"

struct sl_compilation {
    struct sl_graph *graph;
    const struct sl_compile_options *options;
    struct sl_program *program;
    struct sl_arena scratch; /* of the compilation */
    struct sl_frames frames;
    enum sl_flow_kind *flow; /* by node id */
    /* By node id; NULL for nodes that the engines run without a kernel. Slots are filled in later. */
    struct sl_kernel_node **kernels;
    bool uses_tokens_only; /* there is an asynchronous kernel, so no linear form */
    struct sl_error *err;
};

/* Arguments and results of the program. */
static inline bool sl_node_is_arg(const struct sl_node *n) { return n->op->index == SL_ROW__Arg; }
static inline bool sl_node_is_ret(const struct sl_node *n) { return n->op->index == SL_ROW__Retval; }
static inline bool sl_node_is_constant(const struct sl_node *n) { return n->op->index == SL_ROW_Const; }

/* The linear form, unless the graph's control flow has no block structure: then `*fits` is false and nothing is
 * kept. */
sl_code sl_lower_linear(bool *fits, struct sl_compilation *c);
/* The token form: always possible. */
sl_code sl_lower_tokens(struct sl_compilation *c);

/* The value of a Const node, in the memory where the copy pass wants it. */
sl_code sl_constant_value(struct sl_value *out, const struct sl_compilation *c, const struct sl_node *node);

#endif
