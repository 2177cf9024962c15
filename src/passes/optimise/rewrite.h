/* What a rule may ask and do. A rule looks at one node and replaces it by something cheaper with the same value, or
 * does nothing:
 *
 *     static bool double_negation(struct sl_rewrite *r, struct sl_node *n) {
 *         const struct sl_node *inner = sl_rewrite_producer(n, 0, n->op->index);
 *         return inner && sl_rewrite_replace(r, n, inner->inputs[0]);
 *     }
 *
 * Liveness is kept here, not in the rules: when a node loses an input that may be dead, may never come, or has effects,
 * the node that replaces it gets a control edge from that input. When memory is out, `code` says so and rules return
 * false. One owner. */
#ifndef SL_PASSES_REWRITE_H
#define SL_PASSES_REWRITE_H

#include "ops/op_row.h"
#include "passes/optimise/optimise.h"
#include "tensor/tensor.h"

struct sl_rewrite_record; /* what is known of a node; rewrite.c */

struct sl_rewrite {
    struct sl_graph *graph;
    const struct sl_optimise_options *options;
    SL_VEC(struct sl_rewrite_record) records; /* by node id */
    SL_VEC(struct sl_node *) pending;         /* nodes to look at again */
    struct sl_arena scratch;
    uint32_t first_fresh; /* nodes from this id on were made by the rule that is running */
    bool has_loops;
    size_t n_doomed;   /* nodes that go when all rules have run, whatever they are */
    size_t n_walked;   /* nodes that rules looked at beyond their own: they stop at `most_nodes` */
    size_t most_nodes; /* of the graph: when it has grown that much no further rule runs */
    struct sl_error *err;
    sl_code code;
};

/* ---- asking */
/* The node behind input `slot` when it is of that op, else NULL. */
struct sl_node *sl_rewrite_producer(const struct sl_node *n, int slot, uint32_t row);
/* Whether `n` alone reads `from`, and nobody waits for it: it goes when `n` no longer reads it. */
bool sl_rewrite_is_sole(const struct sl_rewrite *r, const struct sl_node *from, const struct sl_node *n);
/* The value of a Const of at most 64 KiB, else NULL; sl_rewrite_large_constant: of any size. Borrowed. */
const struct sl_tensor *sl_rewrite_constant(struct sl_rewrite *r, struct sl_port port);
const struct sl_tensor *sl_rewrite_large_constant(struct sl_rewrite *r, struct sl_port port);
/* The same for constants of int32 or int64: else NULL. */
const struct sl_tensor *sl_rewrite_integers(struct sl_rewrite *r, struct sl_port port);
/* Whether all elements of a constant are that real number (a zero is +0 or -0). False for other types and for no
 * elements. */
bool sl_rewrite_is_filled(struct sl_rewrite *r, struct sl_port port, double value);
/* The only element of a constant of integers, or of real numbers. */
bool sl_rewrite_int(int64_t *out, struct sl_rewrite *r, struct sl_port port);
bool sl_rewrite_real(double *out, struct sl_rewrite *r, struct sl_port port);
/* Element `i` of an int32 or int64 tensor. */
int64_t sl_rewrite_element(const struct sl_tensor *t, int64_t i);
/* What is known of the shape in every run; of a fed value nothing. */
struct sl_shape sl_rewrite_shape(struct sl_rewrite *r, struct sl_port port);
/* Whether both surely have the same shape. */
bool sl_rewrite_same_shape(struct sl_rewrite *r, struct sl_port a, struct sl_port b);
bool sl_rewrite_attr_is(const struct sl_node *n, const char *attr, int64_t value); /* int, bool or type */
/* Whether the node only computes its outputs: not stateful, no control flow, no references. */
bool sl_rewrite_is_pure(const struct sl_node *n);

/* Whether the caller of the passes wants it to run. */
bool sl_rewrite_is_kept(const struct sl_rewrite *r, const struct sl_node *n);

/* ---- branches: nodes that can never run are doomed. No live node may read one; those that wait for one no longer
 * do. */
bool sl_rewrite_is_doomed(const struct sl_rewrite *r, const struct sl_node *n);
void sl_rewrite_set_doomed(struct sl_rewrite *r, const struct sl_node *n, bool is_doomed);
/* Input `slot` alone may come: an Identity of it stands for the Merge, a constant for its index. The caller dooms
 * the Merge. */
bool sl_rewrite_resolve_merge(struct sl_rewrite *r, struct sl_node *merge, int slot);
/* Takes the doomed out of the graph. */
void sl_rewrite_remove_doomed(struct sl_rewrite *r);

/* ---- doing; false: not done, the graph is as before (nodes that were made and are not used go away) */
/* Every reader of output 0 (or `output`) of `n` reads `by` instead; those who wait for `n` wait for `by`'s node. */
bool sl_rewrite_replace(struct sl_rewrite *r, struct sl_node *n, struct sl_port by);
bool sl_rewrite_replace_output(struct sl_rewrite *r, struct sl_node *n, int output, struct sl_port by);
/* Nothing reads `n`: nodes that wait for it now wait for its inputs and control inputs. `n` may be doomed by that. */
bool sl_rewrite_token(struct sl_rewrite *r, struct sl_node *n);
/* A new node on the device of `origin`. Attrs: those of `more` (n_more may be 0), else those of `origin` by name,
 * else defaults. NULL when it cannot be made. */
struct sl_node *sl_rewrite_emit(struct sl_rewrite *r, const struct sl_node *origin, uint32_t row,
                                const struct sl_port *inputs, int n_inputs, const struct sl_attr *more, int n_more);
/* sl_rewrite_emit, then the new node replaces `n` for all its readers and gets its name. It must have each output
 * of `n` that is read, with the same number. */
bool sl_rewrite_become(struct sl_rewrite *r, struct sl_node *n, uint32_t row, const struct sl_port *inputs,
                       int n_inputs, const struct sl_attr *more, int n_more);
/* A Const; node NULL when it cannot be made. `value` is borrowed while this runs. */
struct sl_port sl_rewrite_emit_constant(struct sl_rewrite *r, const struct sl_node *origin,
                                        const struct sl_tensor *value);
/* A vector (rank 1) or scalar (rank 0, n = 1) of integers. */
struct sl_port sl_rewrite_emit_ints(struct sl_rewrite *r, const struct sl_node *origin, int dtype, int rank,
                                    const int64_t *values, int n);
/* A scalar of a floating-point type. */
struct sl_port sl_rewrite_emit_real(struct sl_rewrite *r, const struct sl_node *origin, int dtype, double value);
/* Attrs for `more`: values live as long as the graph. Value NULL when memory is out, which sl_rewrite_emit minds. */
struct sl_attr sl_rewrite_attr_type(struct sl_rewrite *r, const char *name, int dtype);
struct sl_attr sl_rewrite_attr_int(struct sl_rewrite *r, const char *name, int64_t value);
struct sl_attr sl_rewrite_attr_bool(struct sl_rewrite *r, const char *name, bool value);
struct sl_attr sl_rewrite_attr_of(const struct sl_node *n, const char *attr,
                                  const char *name); /* another node's, as `name` */

/* ---- for simplify.c */
sl_code sl_rewrite_init(struct sl_rewrite *r, struct sl_graph *graph, const struct sl_optimise_options *options,
                        struct sl_error *err);
void sl_rewrite_clear(struct sl_rewrite *r);
/* Finds out, from the node's inputs, which were noted before, whether its token may be dead or may never come. */
void sl_rewrite_note(struct sl_rewrite *r, const struct sl_node *n);
/* Whether it has to stay although nothing reads it. */
bool sl_rewrite_is_root(const struct sl_rewrite *r, const struct sl_node *n);
/* Counts a visit; false when the node was visited too often already. */
bool sl_rewrite_visit(struct sl_rewrite *r, const struct sl_node *n);
/* Takes the latest of the nodes to look at again, when its id is `first` or more; else NULL. */
struct sl_node *sl_rewrite_next(struct sl_rewrite *r, uint32_t first);

#endif
