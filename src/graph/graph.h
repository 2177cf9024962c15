/* The graph: nodes, edges, functions; built, imported, rewritten, exported.
 *
 * Memory: nodes, names, attrs and shapes live in the graph's arena until the graph is freed; a removed node's memory
 * stays. Node pointers are stable. Threads: one owner at a time; the C API guards each graph with a mutex. */
#ifndef SL_GRAPH_GRAPH_H
#define SL_GRAPH_GRAPH_H

#include <stdio.h>

#include "base/arena.h"
#include "base/str_map.h"
#include "base/vec.h"
#include "ops/attr.h"
#include "ops/op.h"
#include "ops/op_signature.h"
#include "ops/op_summary.h"
#include "ops/shape_ctx.h"
#include "proto/gen/messages.h"

struct sl_graph;
struct sl_node;

/* The version of GraphDefs that new graphs are, and what is imported at most and at least. */
enum { SL_GRAPH_DEF_VERSION = 2474, SL_GRAPH_DEF_MIN_CONSUMER = 0, SL_GRAPH_DEF_MIN_PRODUCER = 0 };

/* Output `index` of a node; index -1 is the control output. */
struct sl_port {
    struct sl_node *node;
    int index;
};

/* A consumer: input `slot` of `node`; slot -1 is a control input. */
struct sl_use {
    struct sl_node *node;
    int slot;
    int index; /* output of the producer; -1: control */
};

struct sl_node_notes {
    struct sl_pb_NodeDef_ExperimentalDebugInfo *debug_info; /* NULL: none */
    struct sl_pb_FullTypeDef *full_type;                    /* NULL: none */
};

struct sl_node {
    struct sl_graph *graph;
    uint32_t id;        /* position in graph->nodes, in order of creation */
    uint32_t name_hash; /* of `name`: graph/node_names.h */
    int n_inputs, n_outputs, n_controls, cap_controls;
    bool is_removed;
    struct sl_str name;
    struct sl_str device;   /* as requested; "" when nothing was */
    struct sl_str assigned; /* by placement; "" before */
    const struct sl_op *op;
    struct sl_attrs attrs;               /* bound: validated, defaults filled in */
    struct sl_port *inputs;              /* node NULL: not given yet, see allow_missing_back_edges */
    struct sl_node **controls;           /* control inputs */
    const uint8_t *in_types, *out_types; /* as the op declares them; references + 100; may be shared with nodes alike */
    struct sl_shape *shapes;             /* of each output */
    struct sl_handle_data *handles;      /* of each output; NULL until one is set */
    struct {
        struct sl_use *items;
        uint32_t n, cap;
    } uses; /* who reads this node, data and control */
    /* What no check or pass looks at, but an export gives back; in the graph's arena; NULL: nothing. */
    const struct sl_node_notes *notes;
    void *mark; /* scratch of the pass that owns the graph */
};

/* A function of the library. Shared by graphs: reference-counted, immutable once made. */
struct sl_function_def {
    atomic_uint refs;
    struct sl_arena arena;
    struct sl_pb_FunctionDef *def; /* in `arena` */
    struct sl_op op;               /* the signature as an op, so that a node may call it by name */
    struct sl_str name;
};

/* The function `gradient` is the gradient of `function`; names. */
struct sl_gradient_of {
    struct sl_str function, gradient;
};

/* Runs nodes on known values, for constants of the graph. Set by who owns kernels; must outlive the graph. */
struct sl_evaluator {
    /* One stateless node: fills `outs` (one reference each; NULL where the node gives no value). Any error means
     * that the value is not known. `inputs` are borrowed. */
    sl_code (*evaluate)(struct sl_tensor **outs, void *arg, const struct sl_node *node,
                        const struct sl_tensor *const *inputs, struct sl_error *err);
    void *arg;
};

/* Nodes by name; graph/node_names.h. */
struct sl_node_names {
    uint32_t *slots; /* id + 1 of a node; 0: free. `cap` of them: a power of two, or none */
    size_t n, cap;
};

struct sl_graph {
    struct sl_arena arena;
    struct sl_op_registry *registry;
    SL_VEC(struct sl_node *) nodes; /* removed ones included, see is_removed */
    struct sl_node_names names;     /* of those not removed */
    SL_VEC(struct sl_function_def *) functions;
    struct sl_str_map functions_by_name;
    size_t function_nodes;                    /* of all functions in the library, as they were written */
    SL_VEC(struct sl_function_def *) retired; /* no more in the library, yet nodes may call them */
    SL_VEC(struct sl_gradient_of) gradients;  /* of functions */
    SL_VEC(struct sl_graph *) adopted;        /* whose names and attrs nodes of this one borrow */
    int producer, min_consumer;
    int *bad_consumers;
    int n_bad_consumers;
    size_t live;                       /* nodes not removed */
    size_t n_outputs;                  /* of all nodes ever added */
    struct sl_str_map unique_prefixes; /* wanted name -> int: numbers tried so far */
    struct sl_str_map scopes;          /* "a/b" and "a" for a node "a/b/c": of the nodes before n_scoped */
    size_t n_scoped;
    struct {
        const struct sl_pb_AttrValue *types[SL_DTYPE_COUNT], *booleans[2], *numbers[8];
    } common;                             /* values of attrs that many nodes share; NULL until one is needed */
    const struct sl_evaluator *evaluator; /* NULL: only a few ops are evaluated, see sl_graph_constant */
    struct sl_constant_cache *constants;  /* what inference evaluated so far; graph/constants.c */
    const struct sl_graph *outer;         /* of a function's body: where functions are looked up, too */
    struct sl_shape_ctx *caller;          /* of an inferred body: the call, whose inputs are the values of `_Arg`s */
    int depth;                            /* the same: calls around this body */
    struct sl_str mark;                   /* in names of functions that gradients make here; in `arena` */
    long inferred_in_bodies;              /* nodes inferred within calls so far: bounded, see infer.c */
    /* Whoever changes edges now gives every input the value it had, so what is known of constants stays. */
    bool keeps_values;
};

sl_code sl_graph_new(struct sl_graph **out, struct sl_op_registry *registry, struct sl_error *err);
void sl_graph_free(struct sl_graph *graph); /* NULL is fine */
/* `other` lives as long as `graph` from now on, and is freed with it (at once on failure). */
sl_code sl_graph_adopt(struct sl_graph *graph, struct sl_graph *other, struct sl_error *err);

/* ---- building (graph/build.c) */
struct sl_node_spec {
    struct sl_str name, device;
    const struct sl_op *op;
    struct sl_attrs attrs; /* borrowed; copied into the graph */
    const struct sl_port *inputs;
    int n_inputs;
    struct sl_node *const *controls;
    int n_controls;
    bool allow_missing_back_edges; /* a Merge may be given fewer inputs now, see sl_graph_set_input */
};
/* Checks the spec against its op (attrs, types, counts), infers shapes, adds the node. On failure the graph is as
 * before. */
sl_code sl_graph_add(struct sl_node **out, struct sl_graph *graph, const struct sl_node_spec *spec,
                     struct sl_error *err);
/* The same for rewriting: no inference, shapes start unknown and are the caller's to set (dims in the graph's
 * arena). Values of attrs are borrowed and must outlive the graph. */
sl_code sl_graph_add_trusted(struct sl_node **out, struct sl_graph *graph, const struct sl_node_spec *spec,
                             struct sl_error *err);
/* Makes room for so many further names and nodes at once. */
sl_code sl_graph_reserve(struct sl_graph *graph, size_t names, size_t nodes, struct sl_error *err);
struct sl_node *sl_graph_find(const struct sl_graph *graph, struct sl_str name); /* NULL when there is none */
/* Copies (graph/copy_node.c), of nodes of this graph or another one: first all nodes, which have no edges then, then
 * the edges of each, so that loops are nothing special. Values of attrs and shapes are shared: the other graph must
 * outlive this one. `name` must be free; `*out` is placed where `n` is. */
sl_code sl_graph_copy_node(struct sl_node **out, struct sl_graph *graph, const struct sl_node *n, struct sl_str name,
                           struct sl_str device, struct sl_error *err);
/* Gives the copy the edges of `n`. `map` is given what input `slot` of `n` reads (a control input: slot and index
 * -1) and says what `copy` reads; NULL: the same. */
sl_code sl_graph_copy_edges(struct sl_node *copy, const struct sl_node *n,
                            sl_code (*map)(struct sl_port *port, void *arg, const struct sl_node *n, int slot),
                            void *arg, struct sl_error *err);
/* Points an input elsewhere; types must agree. Values known of constants are forgotten: what sl_graph_constant gave
 * is gone. */
sl_code sl_graph_set_input(struct sl_graph *graph, struct sl_node *node, int slot, struct sl_port from,
                           struct sl_error *err);
sl_code sl_graph_add_control(struct sl_graph *graph, struct sl_node *from, struct sl_node *to, struct sl_error *err);
void sl_graph_remove_control(struct sl_graph *graph, struct sl_node *from, struct sl_node *to);
/* All that waits for `from` waits for `to` instead, which must not be among them; NULL: for none. */
sl_code sl_graph_move_followers(struct sl_graph *graph, struct sl_node *from, struct sl_node *to, struct sl_error *err);
/* Moves every use of `from` (data output) to `to`. */
sl_code sl_graph_replace_uses(struct sl_graph *graph, struct sl_port from, struct sl_port to, struct sl_error *err);
/* Gives a node other attrs, by which it has `n_more` further inputs and maybe further outputs; those it had stay as
 * they are (graph/extend_node.c). sl_graph_restore_node takes that back: `before` is a copy of the node, and nobody
 * may read the further outputs. */
sl_code sl_graph_extend_node(struct sl_graph *graph, struct sl_node *node, const struct sl_attrs *attrs,
                             const struct sl_port *more, int n_more, struct sl_error *err);
void sl_graph_restore_node(struct sl_graph *graph, struct sl_node *node, const struct sl_node *before);
/* Unlinks and removes; nobody may use its outputs any more (an input that still does becomes NULL). */
void sl_graph_remove(struct sl_graph *graph, struct sl_node *node);
/* Removes every node whose `keep[id]` is false, all at once in linear time. */
void sl_graph_keep(struct sl_graph *graph, const bool *keep);
/* NULL `.p` when memory is out. `wanted`, or `wanted_1`, `wanted_2` ...: a name no node has yet. In the graph's
 * arena. */
struct sl_str sl_graph_unique_name(struct sl_graph *graph, struct sl_str wanted);
/* Each node gets the other's name. */
void sl_graph_swap_names(struct sl_graph *graph, struct sl_node *a, struct sl_node *b);
/* Whether a node or scope name is well formed. */
bool sl_node_name_is_valid(struct sl_str name);
#define SL_GRAPH_EACH(node, graph)                                                                                     \
    for (size_t sl_i_ = 0; sl_i_ < (graph)->nodes.n; sl_i_++)                                                          \
        for (struct sl_node *node = (graph)->nodes.items[sl_i_]; node && !node->is_removed; node = NULL)

/* ---- inference (graph/infer.c, graph/constants.c) */
/* Sets the shapes of a node's outputs anew from those of its inputs. On failure they are unknown; the message ends with
 * " for '{{node n}} = Op[...](x)' with input shapes: [2], [3]." */
sl_code sl_graph_infer(struct sl_graph *graph, struct sl_node *node, struct sl_error *err);
/* Merges what the caller knows of an output into what is inferred: "Dimension 0 in both shapes must be equal, but
 * are 2 and 3 ...". Nodes already added do not learn of it. */
sl_code sl_graph_set_shape(struct sl_graph *graph, struct sl_port port, struct sl_shape shape, struct sl_error *err);
/* All nodes, producers first. */
sl_code sl_graph_infer_all(struct sl_graph *graph, struct sl_error *err);
/* The value of an output that depends on no feed, computed when that is cheap; NULL when it does not. Without an
 * evaluator: Const, Identity, Switch, Shape, ShapeN, Size, Rank, Pack, Concat, StridedSlice of vectors, Cast between
 * integers; with one, every stateless op on such values. Borrowed from the graph until an input is pointed elsewhere
 * or nodes are removed. */
const struct sl_tensor *sl_graph_constant(struct sl_graph *graph, struct sl_port port);

/* A line for each node, producers first: "name = Op(input, other:1, ^control) [shape]", for people. */
sl_code sl_graph_print(const struct sl_graph *graph, FILE *file, struct sl_error *err);

/* ---- import and export (graph/import.c, graph/export.c) */
struct sl_import_options {
    struct sl_str prefix; /* "" or a scope, without the slash */
    struct sl_str default_device;
    bool uniquify_names, uniquify_prefix;
    const struct sl_import_mapping {
        struct sl_str name;
        int index; /* -1: control dependency */
        struct sl_port to;
    } * mappings;
    int n_mappings;
    struct sl_node *const *control_dependencies;
    int n_control_dependencies;
    const struct sl_import_return {
        struct sl_str name;
        int index; /* -1: the operation */
    } * returns;
    int n_returns;
    bool keep_shape_attr;          /* _output_shapes is left alone; else it completes inference and goes away */
    bool no_inference;             /* shapes are left unknown */
    bool allow_unknown_colocation; /* _class may name nodes that are not imported */
    bool allow_internal_names;     /* node names may begin with '_', as those of the system do */
};
struct sl_import_results {
    struct sl_port *returns; /* one for each asked; in the graph's arena */
    bool *mapping_missing;   /* one for each mapping: nothing was mapped, and the GraphDef has no such output either */
};
/* Adds all nodes and functions of a GraphDef, or nothing. `def` and its bytes may go away afterwards. `results` may
 * be NULL. */
sl_code sl_graph_import(struct sl_import_results *results, struct sl_graph *graph, const struct sl_pb_GraphDef *def,
                        const struct sl_import_options *options, struct sl_error *err);
/* The same for a GraphDef as bytes, which are read as they stand: this is the quick way in for large graphs.
 * Malformed ones: INVALID_ARGUMENT "Invalid GraphDef: ...". */
sl_code sl_graph_import_bytes(struct sl_import_results *results, struct sl_graph *graph, struct sl_str bytes,
                              const struct sl_import_options *options, struct sl_error *err);
/* Borrowed from `arena` and from the graph; attrs sorted by name. */
sl_code sl_graph_export(struct sl_pb_GraphDef **out, const struct sl_graph *graph, struct sl_arena *arena,
                        struct sl_error *err);
/* The same, where each node that was placed names the device on which it is. */
sl_code sl_graph_export_placed(struct sl_pb_GraphDef **out, const struct sl_graph *graph, struct sl_arena *arena,
                               struct sl_error *err);
/* "{{node n}} = Op[T=DT_FLOAT](x, y:1)", cut with "..." when longer. Returns `text`. */
const char *sl_node_text(char text[SL_SUMMARY_MAX], const struct sl_node *node);
sl_code sl_node_export(struct sl_pb_NodeDef *out, const struct sl_node *node, struct sl_arena *arena,
                       struct sl_error *err);

/* ---- functions (graph/function.c) */
sl_code sl_function_new(struct sl_function_def **out, const struct sl_pb_FunctionDef *def,
                        struct sl_error *err); /* deep copy */
void sl_function_unref(struct sl_function_def *f);
/* Adds to the library (shares `f`); nothing happens when it is there; the same name with another body, or the name
 * of an op: INVALID_ARGUMENT. */
sl_code sl_graph_add_function(struct sl_graph *graph, struct sl_function_def *f, struct sl_error *err);
/* NOT_FOUND when there is none. Nodes that call it go on to do so. */
sl_code sl_graph_remove_function(struct sl_graph *graph, struct sl_str name, struct sl_error *err);
struct sl_function_def *sl_graph_function(const struct sl_graph *graph,
                                          struct sl_str name); /* NULL when there is none */
/* Same signature, attrs, nodes (in any order) and results. */
bool sl_function_equal(const struct sl_function_def *a, const struct sl_function_def *b);
/* "Cannot assign gradient function ..." when it has another one. */
sl_code sl_graph_set_gradient(struct sl_graph *graph, struct sl_str function, struct sl_str gradient,
                              struct sl_error *err);
struct sl_str sl_graph_gradient(const struct sl_graph *graph, struct sl_str function); /* "" when it has none */
/* The op called `name`: of the registry, or a function of the library. */
sl_code sl_graph_find_op(const struct sl_op **out, const struct sl_graph *graph, struct sl_str name,
                         struct sl_error *err);
/* The body as a graph, type attrs bound to `attrs`: `_Arg` nodes (attr index), `_Retval` nodes; nodes named in
 * control_ret get the attr-free mark of `controls` below. Functions are looked up in `library`, too, which must outlive
 * the body and not change while it is used. */
struct sl_body {
    struct sl_graph *graph;
    struct sl_node **args, **rets, **controls;
    int n_args, n_rets, n_controls;
};
sl_code sl_function_instantiate(struct sl_body *out, const struct sl_function_def *f, const struct sl_attrs *attrs,
                                const struct sl_graph *library, struct sl_error *err);
/* The same for a GraphDef with `_Arg` and `_Retval` nodes (graph/graph_body.c); its functions are the body's. */
sl_code sl_graph_body(struct sl_body *out, const struct sl_pb_GraphDef *def, const struct sl_graph *library,
                      struct sl_error *err);
/* How many nodes there are in a graph and in all functions that it knows: what may be spent on it is a multiple. */
size_t sl_graph_written_nodes(const struct sl_graph *graph);
/* Gives an empty library all functions and gradients of another one. */
sl_code sl_graph_share_library(struct sl_graph *to, const struct sl_graph *from, struct sl_error *err);
/* Whether the body takes and gives values of these types: what a node declares of its function is only a promise. */
bool sl_body_fits(const struct sl_body *body, const uint8_t *args, int n_args, const uint8_t *rets, int n_rets);
/* An encoded FunctionDefLibrary with the functions of these names and all that they reach, in `arena` (graph/
 * write_library.c). NOT_FOUND when one of the names is none of a function. */
sl_code sl_graph_write_library(struct sl_str *bytes, const struct sl_graph *library, const struct sl_str *names, int n,
                               struct sl_arena *arena, struct sl_error *err);
/* Cuts a function out of a graph: TF_GraphToFunction's rules. */
struct sl_to_function {
    struct sl_str name;
    bool append_hash;
    struct sl_node *const *body; /* NULL: all nodes */
    int n_body;
    const struct sl_port *inputs, *outputs;
    int n_inputs, n_outputs;
    const struct sl_str *output_names; /* NULL: made up */
    struct sl_node *const *control_outputs;
    const struct sl_str *control_output_names;
    int n_control_outputs;
    struct sl_str description;
};
sl_code sl_graph_to_function(struct sl_function_def **out, struct sl_graph *graph, const struct sl_to_function *spec,
                             struct sl_error *err);

/* ---- control-flow structure (graph/frames.c) */
struct sl_frame_info {
    struct sl_str name;
    int parent; /* -1: the root, which is frame 0 */
    int depth;
    int parallel_iterations;
    struct sl_node *loop_cond; /* NULL when it has none */
};
struct sl_frames {
    struct sl_frame_info *frames; /* frame 0 is the root */
    int n;
    /* By node id: the frame that the node runs in (an Enter in the parent, an Exit in the child); -1: it is removed, or
     * cannot be reached. */
    int *of_node;
};
/* In `arena`. INVALID_ARGUMENT with TensorFlow's texts for graphs whose frames make no sense. */
sl_code sl_graph_frames(struct sl_frames *out, struct sl_graph *graph, struct sl_arena *arena, struct sl_error *err);
/* Invariants of the data structure and of the graph (edges both ways, types, no cycle but through NextIteration). */
sl_code sl_graph_check(const struct sl_graph *graph, struct sl_error *err);
/* Nodes such that producers come first (back edges from NextIteration aside). In `arena`. INVALID_ARGUMENT on a
 * cycle, naming a node of it. */
sl_code sl_graph_order(struct sl_node ***out, size_t *n, const struct sl_graph *graph, struct sl_arena *arena,
                       struct sl_error *err);

static inline bool sl_node_is(const struct sl_node *n, const char *op) { return sl_str_is(n->op->name, op); }
/* Kinds of node that control flow turns on, found once per op by name. */
enum sl_flow_kind {
    SL_FLOW_NONE,
    SL_FLOW_SWITCH,
    SL_FLOW_MERGE,
    SL_FLOW_ENTER,
    SL_FLOW_EXIT,
    SL_FLOW_NEXT,
    SL_FLOW_COND,
    SL_FLOW_TRIGGER,
    SL_FLOW_SWITCH_N
};
enum sl_flow_kind sl_flow_kind_of(const struct sl_op *op);
/* An argument or a result of the graph: _Arg, _Retval. */
bool sl_node_is_arg_or_ret(const struct sl_node *node);

#endif
