/* Shape inference of nodes of a graph: gathers what is known of the inputs, runs the op's shape function, keeps what
 * it says. A call of a function is inferred through the function's body.
 *
 * A node is inferred when it is added, so producers come first. The input that closes a loop is not there yet: it
 * counts as unknown, and so a Merge of a loop has an unknown shape, as in TensorFlow. */
#include "graph/infer.h"

#include "base/alloc.h"
#include "graph/constants.h"
#include "ops/op_row.h"
#include "ops/op_summary.h"
#include "ops/shape_functions.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    FEW = 8,        /* inputs and outputs held on the stack */
    MAX_DEPTH = 32, /* calls within calls that inference follows */
    /* Nodes in bodies that it looks at for one graph, and more for each that was written: what lies behind is unknown. */
    MAX_BODIES = 1 << 18,
    MAX_BODIES_EACH = 16
};

/* What a shape function asked for, for the message when it fails. */
struct asked {
    const struct sl_tensor *value;
    struct sl_shape shape;
    bool has_shape;
};

struct inference {
    struct sl_graph *graph;
    struct sl_node *node;
    struct asked *asked; /* of each input */
    bool is_told;        /* an input makes no sense as a shape: the message says all */
};

/* ---- answers for the shape function */
static const struct sl_tensor *constant_input(struct sl_shape_ctx *c, int i) {
    struct inference *inference = c->graph;
    struct sl_port port = inference->node->inputs[i];
    const struct sl_tensor *value = port.node ? sl_graph_constant(inference->graph, port) : NULL;
    inference->asked[i].value = value;
    return value;
}

static sl_code shape_input(struct sl_shape *out, struct sl_shape_ctx *c, int i) {
    struct inference *inference = c->graph;
    struct sl_port port = inference->node->inputs[i];
    *out = SL_SHAPE_UNKNOWN;
    inference->is_told = true;
    if (port.node) SL_TRY(sl_constants_shape(out, inference->graph, port, c->err));
    inference->is_told = false;
    inference->asked[i].shape = *out;
    inference->asked[i].has_shape = true;
    return SL_OK;
}

/* ---- messages */
/* Text that grows in the message buffer's size and is cut at its end. */
struct text {
    char p[SL_ERROR_MESSAGE_MAX];
    size_t n;
};

static void SL_PRINTF(2, 3) print(struct text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->p + text->n, sizeof text->p - text->n, format, args);
    va_end(args);
    if (n > 0) text->n += (size_t)n;
    if (text->n >= sizeof text->p) text->n = sizeof text->p - 1;
}

static void print_values(struct text *text, const struct sl_tensor *t) {
    enum { MOST = 256 };
    for (int64_t i = 0; i < t->count && i < MOST; i++) {
        const char *space = i ? " " : "";
        switch (t->dtype) {
        case SL_INT32: print(text, "%s%d", space, ((const int32_t *)t->data)[i]); break;
        case SL_INT64: print(text, "%s%lld", space, (long long)((const int64_t *)t->data)[i]); break;
        case SL_FLOAT: print(text, "%s%g", space, (double)((const float *)t->data)[i]); break;
        case SL_DOUBLE: print(text, "%s%g", space, ((const double *)t->data)[i]); break;
        case SL_BOOL: print(text, "%s%d", space, ((const bool *)t->data)[i]); break;
        default: print(text, "%s?", space);
        }
    }
    if (t->count > MOST) print(text, "...");
}

static sl_code explain(const struct sl_shape_ctx *c, struct inference *inference, sl_code code) {
    struct text *text = c->err ? sl_calloc(1, sizeof *text) : NULL;
    char shape[SL_SHAPE_TEXT], summary[SL_SUMMARY_MAX];
    if (!text) return code;
    print(text, " for '%s' with input shapes: ", sl_node_text(summary, inference->node));
    for (int i = 0; i < c->n_in; i++) print(text, "%s%s", i ? ", " : "", sl_shape_text(shape, c->in[i]));
    int n = 0;
    for (int i = 0; i < c->n_in; i++) {
        const struct asked *asked = &inference->asked[i];
        if (!asked->value || (asked->has_shape && asked->shape.rank >= 0)) continue;
        print(text, "%sinput[%d] = <", n++ ? ", " : " and with computed input tensors: ", i);
        print_values(text, asked->value);
        print(text, ">");
    }
    n = 0;
    for (int i = 0; i < c->n_in; i++) {
        const struct asked *asked = &inference->asked[i];
        if (!asked->has_shape || asked->shape.rank < 0) continue;
        print(text, "%sinput[%d] = %s", n++ ? "," : " and with input tensors computed as partial shapes: ", i,
              sl_shape_text(shape, asked->shape));
    }
    print(text, ".");
    sl_error_append(c->err, "%s", text->p);
    sl_free(text);
    return code;
}

/* ---- calls */

/* The function a node calls, or NULL: an op of the library, or a call by attr `f`. */
static struct sl_function_def *callee(const struct sl_graph *graph, const struct sl_node *node, struct sl_attrs *attrs,
                                      struct sl_arena *arena) {
    bool is_by_attr = node->op->index == SL_ROW_PartitionedCall || node->op->index == SL_ROW_StatefulPartitionedCall;
    if (!is_by_attr && node->op->index != SL_OP_NO_ROW) return NULL;
    const struct sl_pb_AttrValue *off = sl_attr_find(&node->attrs, SL_STR("_disable_call_shape_inference"));
    if (off && off->which == SL_PB_AttrValue_b && off->b) return NULL;
    if (is_by_attr) {
        const struct sl_pb_NameAttrList *f;
        if (sl_attr_func(&f, &node->attrs, "f", NULL) || sl_attrs_of_map(attrs, arena, &f->attr, NULL)) return NULL;
        return sl_graph_function(graph, f->name);
    }
    *attrs = node->attrs;
    return sl_graph_function(graph, node->op->name);
}

/* Out of a body's arena into the caller's. */
static sl_code copy_handle(struct sl_handle_data *out, struct sl_arena *arena, struct sl_handle_data data,
                           struct sl_error *err) {
    struct sl_handle_item *items = SL_ARENA_ARRAY(arena, struct sl_handle_item, (size_t)data.n);
    if (!items) return sl_fail_memory(err, (size_t)data.n * sizeof *items);
    for (int i = 0; i < data.n; i++) {
        items[i] = (struct sl_handle_item){data.items[i].dtype, sl_shape_copy(arena, data.items[i].shape)};
        if (items[i].shape.rank == -2) return sl_fail_memory(err, sizeof(int64_t));
    }
    *out = (struct sl_handle_data){data.n, items};
    return SL_OK;
}

/* A body's node: `_Arg`s have the shapes of the call's inputs, `_Retval`s give it its outputs. */
static sl_code infer_in_body(struct sl_graph *body, struct sl_node *node, struct sl_shape_ctx *call) {
    SL_TRY(sl_graph_infer(body, node, call->err));
    int index;
    if (node->op->index == SL_ROW__Arg) {
        SL_TRY(sl_attr_int32(&index, &node->attrs, "index", call->err));
        if (index < 0 || index >= call->n_in)
            return sl_fail(call->err, SL_INTERNAL,
                           "Function instantiation included invalid input index: %d not in [0, %d).", index,
                           call->n_in);
        node->shapes[0] = call->in[index];
        if (call->in_handles[index].n) {
            if (!node->handles) node->handles = SL_ARENA_NEW(&body->arena, struct sl_handle_data);
            if (!node->handles) return sl_fail_memory(call->err, sizeof *node->handles);
            node->handles[0] = call->in_handles[index];
        }
    } else if (node->op->index == SL_ROW__Retval) {
        SL_TRY(sl_attr_int32(&index, &node->attrs, "index", call->err));
        if (index < 0 || index >= call->n_out)
            return sl_fail(call->err, SL_INTERNAL,
                           "Function instantiation included invalid output index: %d not in [0, %d).", index,
                           call->n_out);
        struct sl_port from = node->inputs[0];
        SL_TRY(sl_infer_set(call, index, from.node->shapes[from.index]));
        if (from.node->handles)
            SL_TRY(copy_handle(&call->out_handles[index], call->arena, from.node->handles[from.index], call->err));
    }
    return SL_OK;
}

static struct sl_graph *top_of(struct sl_graph *graph) {
    while (graph->caller) graph = (struct sl_graph *)graph->outer;
    return graph;
}

static sl_code infer_call(struct sl_shape_ctx *call, struct sl_graph *graph, struct sl_function_def *f,
                          const struct sl_attrs *attrs) {
    struct sl_graph *top = top_of(graph);
    if (graph->depth >= MAX_DEPTH) return SL_OK;
    if (top->inferred_in_bodies > MAX_BODIES && /* the second is seldom needed */
        top->inferred_in_bodies > (long)(MAX_BODIES + MAX_BODIES_EACH * sl_graph_written_nodes(graph)))
        return SL_OK;
    struct sl_body body;
    SL_TRY(sl_function_instantiate(&body, f, attrs, graph, call->err));
    body.graph->caller = call;
    body.graph->depth = graph->depth + 1;
    struct sl_arena order_arena;
    sl_arena_init(&order_arena);
    struct sl_node **order;
    size_t n = 0;
    sl_code code = sl_graph_order(&order, &n, body.graph, &order_arena, call->err);
    top->inferred_in_bodies += (long)n + 1;
    for (size_t i = 0; i < n && code == SL_OK; i++) code = infer_in_body(body.graph, order[i], call);
    sl_arena_clear(&order_arena);
    sl_graph_free(body.graph);
    return code;
}

/* ---- one node */
struct gathered {
    struct sl_shape in[FEW];
    struct sl_handle_data in_handles[FEW], out_handles[FEW];
    struct asked asked[FEW];
    uint8_t in_types[FEW], out_types[FEW];
};

static void gather(struct sl_shape_ctx *c, struct inference *inference, struct sl_shape *in,
                   struct sl_handle_data *in_handles, uint8_t *in_types, uint8_t *out_types) {
    struct sl_node *node = inference->node;
    for (int i = 0; i < node->n_inputs; i++) {
        struct sl_port from = node->inputs[i];
        in[i] = from.node ? from.node->shapes[from.index] : SL_SHAPE_UNKNOWN;
        in_handles[i] = from.node && from.node->handles ? from.node->handles[from.index] : (struct sl_handle_data){0};
        in_types[i] = (uint8_t)sl_dtype_base(node->in_types[i]);
        inference->asked[i] = (struct asked){0};
    }
    for (int o = 0; o < node->n_outputs; o++) {
        out_types[o] = (uint8_t)sl_dtype_base(node->out_types[o]);
        c->out[o] = SL_SHAPE_UNKNOWN;
        c->out_handles[o] = (struct sl_handle_data){0};
    }
    c->in = in;
    c->in_handles = in_handles;
    c->in_types = in_types;
    c->out_types = out_types;
}

static sl_code run(struct sl_shape_ctx *c, struct inference *inference) {
    struct sl_node *node = inference->node;
    struct sl_attrs attrs;
    struct sl_function_def *f = callee(inference->graph, node, &attrs, c->arena);
    if (f) return infer_call(c, inference->graph, f, &attrs);
    if (!node->op->shape) return SL_OK;
    sl_code code = node->op->shape(c);
    return code == SL_OK || inference->is_told ? code : explain(c, inference, code);
}

static sl_code keep_handles(struct sl_graph *graph, struct sl_node *node, const struct sl_handle_data *handles,
                            struct sl_error *err) {
    bool has_some = false;
    for (int o = 0; o < node->n_outputs; o++) has_some |= handles[o].n > 0;
    if (!has_some && !node->handles) return SL_OK;
    if (!node->handles) {
        node->handles = SL_ARENA_ARRAY(&graph->arena, struct sl_handle_data, (size_t)node->n_outputs);
        if (!node->handles) return sl_fail_memory(err, (size_t)node->n_outputs * sizeof *node->handles);
    }
    memcpy(node->handles, handles, (size_t)node->n_outputs * sizeof *handles);
    return SL_OK;
}

/* Most nodes of large graphs have one output of the shape of their inputs: for these nothing has to be gathered.
 * False: look closer. */
static bool infer_alike(struct sl_node *node) {
    sl_shape_function *rule = node->op->shape;
    int n_in = rule == sl_shape_unchanged_shape ? 1 : rule == sl_shape_broadcast_binary_shape ? 2 : 0;
    if (!n_in || node->n_inputs != n_in || node->n_outputs != 1 || node->handles) return false;
    const struct sl_node *first = node->inputs[0].node, *last = node->inputs[n_in - 1].node;
    if (!first || !last || first->handles) return false;
    struct sl_shape shape = first->shapes[node->inputs[0].index];
    if (n_in == 2 && !sl_shape_equal(shape, last->shapes[node->inputs[1].index])) return false;
    node->shapes[0] = shape; /* the dims are in the same graph's arena, or outlive it */
    return true;
}

sl_code sl_graph_infer(struct sl_graph *graph, struct sl_node *node, struct sl_error *err) {
    if (infer_alike(node)) return SL_OK;
    size_t n_in = (size_t)node->n_inputs, n_out = (size_t)node->n_outputs, n = n_in > n_out ? n_in : n_out;
    struct gathered few;
    struct inference inference = {.graph = graph, .node = node, .asked = few.asked};
    struct sl_shape_ctx c = {.op = node->op,
                             .attrs = &node->attrs,
                             .n_in = node->n_inputs,
                             .n_out = node->n_outputs,
                             .out = node->shapes,
                             .out_handles = few.out_handles,
                             .arena = &graph->arena,
                             .err = err,
                             .constant = constant_input,
                             .tensor_as_shape = shape_input,
                             .graph = &inference,
                             .graph_version = graph->producer};
    if (n <= FEW) {
        gather(&c, &inference, few.in, few.in_handles, few.in_types, few.out_types);
        SL_TRY(run(&c, &inference));
        return keep_handles(graph, node, c.out_handles, err);
    }
    size_t each = sizeof(struct sl_shape) + 2 * sizeof(struct sl_handle_data) + sizeof(struct asked) + 2;
    char *many = sl_calloc(n, each);
    if (!many) return sl_fail_memory(err, n * each);
    struct sl_shape *in = (void *)many;
    struct sl_handle_data *in_handles = (void *)(in + n);
    c.out_handles = in_handles + n;
    inference.asked = (void *)(c.out_handles + n);
    uint8_t *types = (void *)(inference.asked + n);
    gather(&c, &inference, in, in_handles, types, types + n);
    sl_code code = run(&c, &inference);
    if (code == SL_OK) code = keep_handles(graph, node, c.out_handles, err);
    sl_free(many);
    return code;
}

sl_code sl_graph_set_shape(struct sl_graph *graph, struct sl_port port, struct sl_shape shape, struct sl_error *err) {
    struct sl_shape_ctx c = {.arena = &graph->arena, .err = err};
    struct sl_shape merged, *old = &port.node->shapes[port.index];
    if (shape.rank > SL_MAX_RANK) return sl_infer_fail(&c, "Shape has %d dimensions", shape.rank);
    SL_TRY(sl_infer_merge(&merged, &c, *old, shape));
    if (sl_shape_equal(merged, *old)) return SL_OK;
    merged = sl_shape_copy(&graph->arena, merged);
    if (merged.rank == -2) return sl_fail_memory(err, sizeof(int64_t));
    *old = merged;
    if (port.node->uses.n) sl_constants_free(graph); /* what could not be known before may be known now */
    return SL_OK;
}

/* Ops whose shapes old graphs may tell otherwise: theirs is then passed over. */
static bool may_disagree(struct sl_str op) {
    static const char *const names[] = {"RandomShuffleQueue",
                                        "PaddingFIFOQueue",
                                        "FIFOQueue",
                                        "PriorityQueue",
                                        "QueueSize",
                                        "Stack",
                                        "Barrier",
                                        "BarrierReadySize",
                                        "BarrierIncompleteSize",
                                        "HashTable",
                                        "MutableHashTable",
                                        "MutableHashTableOfTensors",
                                        "Mutex",
                                        "CuckooTable",
                                        "IndexTable",
                                        "WholeFileReader",
                                        "TextLineReader",
                                        "FixedLengthRecordReader",
                                        "TFRecordReader",
                                        "IdentityReader",
                                        "LMDBReader",
                                        "RefSwitch",
                                        "RefEnter",
                                        "RefNextIteration",
                                        "RefMerge",
                                        "RefIdentity",
                                        "ConditionalAccumulator",
                                        "SparseConditionalAccumulator",
                                        "Table"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_str_is(op, names[i])) return true;
    return false;
}

sl_code sl_node_merge_shapes(struct sl_graph *graph, struct sl_node *node, const struct sl_pb_AttrValue_ListValue *list,
                             struct sl_error *err) {
    if (list->shape.n < (size_t)node->n_outputs)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Node '%.*s' has %d outputs but the _output_shapes attribute specifies shapes for %zu outputs",
                       SL_STR_ARG(node->name), node->n_outputs, list->shape.n);
    struct sl_error why;
    sl_error_clear(&why);
    for (int o = 0; o < node->n_outputs; o++) {
        struct sl_shape shape;
        if (sl_shape_from_proto(&shape, &list->shape.items[o], &graph->arena, &why))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Node '%.*s' has an invalid _output_shapes attribute (shape #%d error:'%s')",
                           SL_STR_ARG(node->name), o, why.message);
        if (sl_graph_set_shape(graph, (struct sl_port){node, o}, shape, &why) && !may_disagree(node->op->name))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Node '%.*s' has an _output_shapes attribute inconsistent with the GraphDef for output "
                           "#%d: %s",
                           SL_STR_ARG(node->name), o, why.message);
    }
    return SL_OK;
}

sl_code sl_graph_infer_all(struct sl_graph *graph, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_node **order;
    size_t n = 0;
    sl_arena_init(&arena);
    sl_code code = sl_graph_order(&order, &n, graph, &arena, err);
    for (size_t i = 0; i < n && code == SL_OK; i++) code = sl_graph_infer(graph, order[i], err);
    sl_arena_clear(&arena);
    return code;
}
