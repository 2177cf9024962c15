/* The op's shape function against the shapes of the results: with everything known, with less and less known. */
#include "ops/op_rows.h"

#include <stdio.h>

#include "graph/graph.h"
#include "ops/shape_ctx.h"

enum knowledge { KNOWS_VALUES, KNOWS_SHAPES, KNOWS_RANKS, KNOWS_NOTHING, KNOWLEDGE_COUNT };
static const char *const knowledge_names[] = {"shapes and values", "shapes", "ranks", "nothing"};

static const struct sl_tensor *constant_of(struct sl_shape_ctx *c, int i) {
    const struct row_node *node = c->graph;
    return node->row->in[i];
}

static struct sl_shape known_shape(struct row_node *node, int i, enum knowledge knows) {
    struct sl_shape shape = sl_tensor_shape(node->row->in[i]);
    if (knows < KNOWS_RANKS) return shape;
    if (knows == KNOWS_NOTHING) return SL_SHAPE_UNKNOWN;
    int64_t *dims = SL_ARENA_ARRAY(node->row->arena, int64_t, (size_t)shape.rank + 1);
    for (int d = 0; dims && d < shape.rank; d++) dims[d] = -1;
    return dims ? (struct sl_shape){shape.rank, dims} : SL_SHAPE_UNKNOWN;
}

static sl_code infer(struct sl_shape out[ROW_TENSORS], struct row_node *node, enum knowledge knows) {
    const struct sl_op *op = node->row->op;
    struct sl_shape in[ROW_TENSORS];
    struct sl_handle_data in_handles[ROW_TENSORS] = {{0}}, out_handles[ROW_TENSORS] = {{0}};
    for (int i = 0; i < node->signature.n_inputs; i++) in[i] = known_shape(node, i, knows);
    for (int o = 0; o < ROW_TENSORS; o++) out[o] = SL_SHAPE_UNKNOWN;
    struct sl_shape_ctx c = {.op = op,
                             .attrs = &node->attrs,
                             .n_in = node->signature.n_inputs,
                             .n_out = node->signature.n_outputs,
                             .in_types = node->in_types,
                             .out_types = node->out_types,
                             .in = in,
                             .in_handles = in_handles,
                             .out = out,
                             .out_handles = out_handles,
                             .arena = node->row->arena,
                             .err = &node->err,
                             .constant = knows == KNOWS_VALUES ? constant_of : NULL,
                             .graph = node,
                             .graph_version = SL_GRAPH_DEF_VERSION};
    sl_error_clear(&node->err);
    return op->shape ? op->shape(&c) : SL_OK;
}

sl_code row_infer(struct row_node *node) {
    struct sl_shape out[ROW_TENSORS];
    return infer(out, node, KNOWS_VALUES);
}

bool row_shapes_agree(char message[ROW_MESSAGE], struct row_node *node, struct sl_tensor *const *out) {
    struct sl_shape inferred[ROW_TENSORS];
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    for (int knows = 0; knows < KNOWLEDGE_COUNT; knows++) {
        if (infer(inferred, node, knows) != SL_OK) {
            snprintf(message, ROW_MESSAGE, "the shape function, knowing %s, fails: %s", knowledge_names[knows],
                     node->err.message);
            return false;
        }
        for (int o = 0; o < node->signature.n_outputs; o++) {
            if (!out[o] || sl_shape_is_compatible(inferred[o], sl_tensor_shape(out[o]))) continue;
            snprintf(message, ROW_MESSAGE, "the shape function, knowing %s, says %s of output %d, which is %s",
                     knowledge_names[knows], sl_shape_text(a, inferred[o]), o,
                     sl_shape_text(b, sl_tensor_shape(out[o])));
            return false;
        }
    }
    return true;
}
