/* What stands behind a struct sl_scope: where operations are being added, and how a loop or conditional under
 * construction gets at what lies outside of it. Used by front_*.c alone. One owner, as the scope. */
#ifndef SL_FRONT_FRONT_H
#define SL_FRONT_FRONT_H

#include "capi/handles.h"
#include "graph/graph_emitter.h"
#include "sluice/scope.h"
#include "sluice/variables.h"

/* A value of the flow around, and the same here. */
struct sl_flow_captured {
    TF_Output from, to;
};

/* Where operations are added: the graph itself, a function under construction, a loop of the lowered form (condition
 * and body are one), or one side of a conditional of that form. Lives as long as its scope. */
struct sl_flow {
    struct sl_flow *outer;            /* NULL: the graph itself */
    struct sl_flow *next;             /* of all of the scope */
    int depth;                        /* of that: 0 */
    struct sl_flow *base;             /* the flow whose graph this one is in: the graph itself, or a function */
    TF_Graph *graph;                  /* base: its graph; a function's is the flow's own */
    SL_VEC(struct sl_flow *) flow_of; /* base: by id of the operation; NULL: the base */
    bool is_loop;
    const char *frame;           /* loop: its name */
    int64_t parallel_iterations; /* loop */
    TF_Output predicate;         /* conditional: a value of `outer` */
    int side;                    /* conditional: the output of Switch that lives here */
    TF_Output lives;     /* an output that lives exactly when this does; what has no input waits for it, by `pivot` */
    TF_Operation *pivot; /* NULL until it is needed */
    SL_VEC(struct sl_flow_captured) captured;
};

struct sl_pushed {
    size_t prefix;      /* length of the name before */
    const char *device; /* before */
    size_t n_controls;  /* before */
    size_t hidden;      /* how many controls were out of sight before */
    bool is_functional; /* before */
};

/* An operation that belongs to each step that trains a variable. */
struct sl_run_with {
    struct sl_var variable;
    TF_Operation *operation;
};

struct sl_scope {
    struct sl_eager_front *eager; /* front_eager.h: ops run at once; NULL: they are added to a graph */
    struct sl_scope *around;      /* the eager scope that this one captures a function for; NULL */
    TF_Graph *graph;              /* where operations are being added: that of `flow` */
    TF_Status *status;            /* the first error */
    struct sl_arena arena;        /* of names, flows, what lists hold */
    SL_VEC(char) prefix;          /* "a/b/" */
    const char *next_name;        /* of the next operation; NULL */
    const char *device;           /* "" */
    SL_VEC(TF_Operation *) controls;
    size_t hidden; /* the first so many controls do not count */
    SL_VEC(struct sl_pushed) pushed;
    SL_VEC(struct sl_str) names; /* of name scopes so far */
    struct sl_flow *flow;        /* where operations are being added; `root` at first */
    struct sl_flow root;
    struct sl_flow *flows; /* all others, linked by `next` */
    bool is_functional;    /* loops and conditionals become functions */
    int n_functions;       /* made so far */
    int n_collectives;     /* the same */
    int64_t seed, seeds;   /* 0: none; how many were given */
    TF_Output seed_step;   /* what random numbers follow from besides; `oper` NULL: nothing */
    SL_VEC(struct sl_var) variables;
    SL_VEC(TF_Operation *) initialisers; /* of each variable */
    SL_VEC(struct sl_var) trainable;
    SL_VEC(struct sl_run_with) run_with;
};

/* Adds an operation in `flow` with inputs that are there, seen from it; no control inputs but those given. */
TF_Operation *sl_scope_add(struct sl_scope *scope, struct sl_flow *flow, const char *op,
                           const struct sl_op_input *inputs, int n_inputs, const struct sl_attr_given *attrs,
                           int n_attrs);
/* The value as it is seen in `flow`: itself, or through Enter and Switch operations. {NULL, 0} and an error when the
 * value belongs to a loop or conditional that `flow` does not lie in. */
TF_Output sl_scope_see(struct sl_scope *scope, struct sl_flow *flow, TF_Output value);
/* The same, or {NULL, 0} for what has not been seen there before. */
TF_Output sl_scope_seen(struct sl_scope *scope, const struct sl_flow *flow, TF_Output value);
/* A new flow within the present one, not entered yet. NULL when memory is out, which the scope tells. */
struct sl_flow *sl_scope_flow_new(struct sl_scope *scope);
/* The same for a function: with a graph of its own, which knows the functions of the one around. */
struct sl_flow *sl_scope_flow_new_function(struct sl_scope *scope);
/* Says which shape a value has, where inference cannot know; -1: a size that is not known. */
void sl_scope_set_shape(struct sl_scope *scope, TF_Output value, const int64_t *dims, int rank);
/* From here on operations are added in `flow`; the flow so far. */
struct sl_flow *sl_scope_enter(struct sl_scope *scope, struct sl_flow *flow);
/* The graph that an operation belongs to, of the scope's; the present one for one that is of none. */
TF_Graph *sl_scope_graph_of(struct sl_scope *scope, const TF_Operation *operation);
/* An argument of a function that stands for a value of a graph around: of its type, shape, and what a resource
 * holds. */
TF_Output sl_scope_argument(struct sl_scope *scope, struct sl_flow *function, TF_Output value, bool has_shape);
/* Says that the operations from position `first` of the graph on, which others added, belong to the present flow. */
void sl_scope_adopt(struct sl_scope *scope, size_t first);
/* The names around and this one, or NAME_1 ..., which no operation has yet. NULL when memory is out, which the scope
 * tells. */
const char *sl_scope_unused_name(struct sl_scope *scope, const char *name);
/* Random numbers from [0, 1), of a shape that is a value, and of a float type; as sl_seed and sl_seed_by_step say. */
TF_Output sl_scope_draw(struct sl_scope *scope, TF_Output shape, TF_DataType type);
/* Loops and conditionals by functions (front_function.c); the arguments are those of sl_while and sl_case. Nothing
 * is taken back on failure. `op` is Case or If, whose branches are in the order of the op's. */
struct sl_while_options;
void sl_scope_while(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, int n,
                    TF_Output (*cond)(struct sl_scope *scope, const TF_Output *variables, void *arg),
                    void (*body)(struct sl_scope *scope, TF_Output *next, const TF_Output *variables, void *arg),
                    void *arg, const struct sl_while_options *options);
void sl_scope_branch(struct sl_scope *scope, TF_Output *outputs, int n, const char *op, TF_Output index,
                     void (*const *branches)(struct sl_scope *scope, TF_Output *outputs, void *arg), int n_branches,
                     void *arg);
/* A function of `n` arguments of these types and shapes, with the results that `body` fills in: *ret_types and
 * *ret_shapes, `n_rets` of them, get what they are. It is known to the graph, or to the context of an eager scope. What
 * it took from outside are further arguments. False after a failure, which the scope tells. */
struct sl_scope_function {
    const char *name;
    const TF_Output *captured;
    int n_captured;
};
typedef void sl_scope_body(struct sl_scope *scope, TF_Output *outputs, const TF_Output *inputs, void *arg);
bool sl_scope_make_function(struct sl_scope_function *out, struct sl_scope *scope, const char *part,
                            const TF_DataType *types, const struct sl_dims *shapes, int n, sl_scope_body *body,
                            TF_DataType *ret_types, struct sl_dims *ret_shapes, int n_rets, void *arg);
/* What a value is, into the scope's arena. */
void sl_scope_describe(struct sl_scope *scope, TF_DataType *type, struct sl_dims *shape, TF_Output value);
/* Fails unless every shape that variable i's next value may have is one that the variable may have. */
void sl_scope_check_shape(struct sl_scope *scope, TF_Output next, TF_Output variable, int i);
/* After a failure: nothing was added. */
void sl_scope_take_back(struct sl_scope *scope, struct sl_graph_mark mark, TF_Output *outputs, int n);
/* Makes constants of values for gradients. */
void sl_scope_stop_gradients(struct sl_scope *scope, TF_Output *values, int n);
/* From here on sl_apply_gradients, when it trains the variable, runs the operation too. */
void sl_scope_run_with(struct sl_scope *scope, struct sl_var variable, TF_Operation *operation);
/* A copy of n values, in the scope's arena, for a function whose results may lie where its inputs do. NULL when the
 * scope has failed, or when n < 1. */
TF_Output *sl_scope_copy(struct sl_scope *scope, const TF_Output *values, int n);
void sl_scope_fail_memory(struct sl_scope *scope);

#endif
