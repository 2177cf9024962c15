/* Definitions and nodes as messages bring them: a FunctionDef whose signature is read as an op, and whose nodes are
 * checked against that op and against the built-in op of their name. Bound attrs must give a signature or an error. */
#include <stdlib.h>

#include "ops/op_signature.h"
#include "ops/op_summary.h"
#include "proto/wire.h"

static struct sl_op_registry *registry;

static void read_node(const struct sl_op *op, const struct sl_pb_NodeDef *node, struct sl_arena *arena) {
    struct sl_attrs given, bound, copy;
    struct sl_signature signature;
    char text[SL_SUMMARY_MAX];
    if (sl_attrs_of_map(&given, arena, &node->attr, NULL)) return;
    sl_node_summary(text, node->name, node->op, &given, node->device, node->input.items, (int)node->input.n);
    if (sl_attrs_bind(&bound, arena, op, &given, node->name, NULL)) return;
    if (bound.n < op->n_attrs || sl_attrs_copy(&copy, arena, &bound, NULL)) abort();
    for (int i = 0; i < bound.n; i++)
        if (!sl_attr_equal(bound.items[i].value, copy.items[i].value)) abort();
    if (sl_op_signature(&signature, arena, op, &bound, NULL)) return;
    struct sl_error err;
    sl_signature_check(&signature, op, (int)node->input.n, node->name, &err);
    for (int i = 0, next = 0; i < op->n_inputs; i++) {
        int first, n;
        sl_op_input_range(&first, &n, op, i, &bound);
        if (first != next || (next = first + n) > signature.n_inputs) abort();
    }
    uint8_t types[8] = {SL_FLOAT, SL_INT32, SL_FLOAT + SL_REF_OFFSET, SL_STRING, SL_BOOL, SL_HALF, SL_INT8, SL_INT64};
    struct sl_given_input inputs[4];
    for (int i = 0; i < 4; i++) {
        unsigned bits = (unsigned)(signature.n_outputs + i * 5 + (int)node->name.n);
        inputs[i] =
            (struct sl_given_input){.is_list = bits & 1, .n = bits & 1 ? (int)(bits % 5) : 1, .types = types + i};
    }
    sl_attrs_infer(&given, arena, op, inputs, (int)(node->input.n % 5), &given, node->name, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!registry && sl_op_registry_new(&registry, NULL)) abort();
    struct sl_arena arena;
    struct sl_pb_FunctionDef def;
    struct sl_op op;
    const struct sl_op *built_in;
    sl_arena_init(&arena);
    if (sl_pb_decode(&def, SL_PB_TYPE(FunctionDef), (struct sl_str){(const char *)data, size}, &arena, NULL) == SL_OK) {
        bool is_op = def.signature && sl_op_from_def(&op, &arena, def.signature, NULL) == SL_OK;
        if (def.signature) sl_op_def_check(def.signature, NULL);
        for (size_t i = 0; i < def.node_def.n && i < 16; i++) {
            const struct sl_pb_NodeDef *node = &def.node_def.items[i];
            if (is_op) read_node(&op, node, &arena);
            if (sl_op_find(&built_in, registry, node->op, NULL) == SL_OK) read_node(built_in, node, &arena);
        }
    }
    sl_arena_clear(&arena);
    return 0;
}
