/* Random programs. */
#include "unit/session/random_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

enum { MOST_VALUES = 64, MOST_DEPTH = 3 };

/* Where a value lives: the root, a side of a conditional, or a loop's body. */
struct context {
    struct context *outer;
    struct sl_port predicate; /* conditional: what it turns on, a value of `outer` */
    int side;                 /* conditional: output of Switch; -1: a loop */
    struct sl_port pivot;     /* something that lives when this context does; constants hang on it */
    char frame[32];           /* loop */
};

struct variable {
    struct sl_port port;
    struct context *at;
};

struct generator {
    struct random_program *program;
    struct sl_graph *graph; /* the program's */
    struct sl_error err;
    int names;
    struct variable values[MOST_VALUES];
    int n;
};
/* While a program is made, a constant Enter's mark is the pivot of its loop's body. */

int random_roll(struct random_program *p, int n) {
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((p->random >> 33) % (uint64_t)n);
}

static int roll(struct generator *g, int n) { return random_roll(g->program, n); }

struct sl_str random_device(struct random_program *p) {
    const char *name = sl_arena_format(&p->arena, "/cpu:%d", random_roll(p, RANDOM_DEVICES));
    return random_roll(p, 3) ? sl_str_of(name) : SL_STR("");
}

/* ---- nodes */

struct given {
    struct sl_attr items[6];
    struct sl_pb_AttrValue values[6];
    int n;
};

static struct sl_pb_AttrValue *attr(struct given *g, const char *name, int which) {
    g->items[g->n] = (struct sl_attr){sl_str_of(name), &g->values[g->n]};
    g->values[g->n] = (struct sl_pb_AttrValue){.which = which};
    return &g->values[g->n++];
}

static struct sl_node *add(struct generator *g, const char *op, struct given *given, const struct sl_port *inputs,
                           int n, struct sl_node *control) {
    struct sl_node_spec spec = {.inputs = inputs,
                                .n_inputs = n,
                                .controls = &control,
                                .n_controls = control != NULL,
                                .attrs = {given->items, given->n},
                                .allow_missing_back_edges = true};
    struct sl_node *node = NULL;
    bool only_invariants = n > 0 && !control;
    for (int i = 0; i < n; i++) only_invariants = only_invariants && inputs[i].node && inputs[i].node->mark;
    /* Invariants are alive in a loop's last iteration, too, where nothing may begin: so it waits for the body, as in
     * TensorFlow's loops. */
    if (only_invariants) {
        control = inputs[0].node->mark;
        spec.n_controls = 1;
    }
    spec.device = random_device(g->program);
    spec.name = sl_str_of(sl_arena_format(&g->program->arena, "%s_%d", op, g->names++));
    if (sl_graph_find_op(&spec.op, g->graph, sl_str_of(op), &g->err) != SL_OK ||
        sl_graph_add(&node, g->graph, &spec, &g->err) != SL_OK)
        fail_msg("%s: %s", op, g->err.message);
    return node;
}

static struct sl_node *typed(struct generator *g, const char *op, int dtype, const struct sl_port *inputs, int n) {
    struct given given = {.n = 0};
    attr(&given, "T", SL_PB_AttrValue_type)->type = dtype;
    return add(g, op, &given, inputs, n, NULL);
}

static struct sl_port constant(struct generator *g, struct context *at, int value) {
    struct given given = {.n = 0};
    struct sl_pb_TensorProto *t = SL_ARENA_NEW(&g->program->arena, struct sl_pb_TensorProto);
    int32_t *v = sl_arena_alloc(&g->program->arena, sizeof *v);
    float *f = sl_arena_alloc(&g->program->arena, sizeof *f);
    *v = value;
    *f = (float)value;
    t->dtype = g->program->dtype;
    t->tensor_shape = SL_ARENA_NEW(&g->program->arena, struct sl_pb_TensorShapeProto);
    if (t->dtype == SL_FLOAT) {
        t->float_val.items = f;
        t->float_val.n = 1;
    } else {
        t->int_val.items = v;
        t->int_val.n = 1;
    }
    attr(&given, "dtype", SL_PB_AttrValue_type)->type = t->dtype;
    attr(&given, "value", SL_PB_AttrValue_tensor)->tensor = t;
    return (struct sl_port){add(g, "Const", &given, NULL, 0, at->outer ? at->pivot.node : NULL), 0};
}

static struct sl_port binary(struct generator *g, const char *op, struct sl_port a, struct sl_port b) {
    struct sl_port in[2] = {a, b};
    return (struct sl_port){typed(g, op, g->program->dtype, in, 2), 0};
}

static struct sl_port enter(struct generator *g, struct sl_port from, const char *frame, bool is_constant) {
    struct given given = {.n = 0};
    attr(&given, "T", SL_PB_AttrValue_type)->type = g->program->dtype;
    attr(&given, "frame_name", SL_PB_AttrValue_s)->s = sl_str_of(sl_arena_format(&g->program->arena, "%s", frame));
    attr(&given, "is_constant", SL_PB_AttrValue_b)->b = is_constant;
    attr(&given, "parallel_iterations", SL_PB_AttrValue_i)->i = 1 + (int)strlen(frame) % 4;
    return (struct sl_port){add(g, "Enter", &given, &from, 1, NULL), 0};
}

/* A value as seen from a context inside its own: through a Switch for each conditional, a constant Enter for each
 * loop. */
static struct sl_port lift(struct generator *g, struct variable v, struct context *to) {
    if (v.at == to) return v.port;
    struct sl_port outer = lift(g, v, to->outer);
    if (to->side < 0) {
        struct sl_port invariant = enter(g, outer, to->frame, true);
        invariant.node->mark = to->pivot.node;
        return invariant;
    }
    struct sl_port in[2] = {outer, to->predicate};
    return (struct sl_port){typed(g, "Switch", g->program->dtype, in, 2), to->side};
}

static bool is_inside(const struct context *c, const struct context *of) {
    for (; c; c = c->outer)
        if (c == of) return true;
    return false;
}

static struct sl_port pick(struct generator *g, struct context *at) {
    for (int i = 0; i < 8 && g->n; i++) {
        struct variable v = g->values[roll(g, g->n)];
        if (is_inside(at, v.at)) return lift(g, v, at);
    }
    return constant(g, at, roll(g, 20) - 5);
}

static void keep(struct generator *g, struct context *at, struct sl_port port) {
    struct variable v = {port, at};
    if (g->n < MOST_VALUES) g->values[g->n++] = v;
    else g->values[roll(g, MOST_VALUES)] = v;
}

/* ---- statements */

static void block(struct generator *g, struct context *at, int depth, int statements);

static void arithmetic(struct generator *g, struct context *at) {
    static const char *const ops[] = {"AddV2", "Sub", "Mul", "Maximum", "Minimum"};
    static const char *const wild[] = {"RealDiv", "Mul", "Mul", "Sub", "Maximum"};
    struct sl_port a = pick(g, at), b = pick(g, at);
    struct sl_port r = binary(g, (g->program->is_wild ? wild : ops)[roll(g, 5)], a, b);
    if (g->program->is_wild) keep(g, at, r);
    else keep(g, at, binary(g, "FloorMod", r, constant(g, at, 1009))); /* stays small, so nothing overflows */
}

static void forget_inside(struct generator *g, const struct context *c) {
    int left = 0;
    for (int i = 0; i < g->n; i++)
        if (g->values[i].at != c) g->values[left++] = g->values[i];
    g->n = left;
}

static void conditional(struct generator *g, struct context *at, int depth) {
    struct sl_port predicate = binary(g, "Less", pick(g, at), pick(g, at));
    struct sl_port pivots[2] = {predicate, predicate}, results[2][3];
    struct sl_node *pivot = typed(g, "Switch", SL_BOOL, pivots, 2);
    int n_out = 1 + roll(g, 3);
    for (int side = 0; side < 2; side++) {
        struct sl_port of_side = {pivot, side};
        struct context inner = {.outer = at, .predicate = predicate, .side = side};
        inner.pivot = (struct sl_port){typed(g, "Identity", SL_BOOL, &of_side, 1), 0};
        block(g, &inner, depth + 1, 1 + roll(g, 3));
        for (int o = 0; o < n_out; o++) results[side][o] = pick(g, &inner);
        if (g->program->n_odd < RANDOM_FETCHES && !at->outer && roll(g, 6) == 0)
            g->program->odd[g->program->n_odd++] = results[side][0];
        forget_inside(g, &inner);
    }
    for (int o = 0; o < n_out; o++) {
        struct given given = {.n = 0};
        struct sl_port in[2] = {results[0][o], results[1][o]};
        attr(&given, "T", SL_PB_AttrValue_type)->type = g->program->dtype;
        attr(&given, "N", SL_PB_AttrValue_i)->i = 2;
        struct sl_node *merge = add(g, "Merge", &given, in, 2, NULL);
        keep(g, at, (struct sl_port){merge, 0});
        if (g->program->dtype == SL_INT32 && roll(g, 4) == 0) keep(g, at, (struct sl_port){merge, 1});
    }
}

static void loop(struct generator *g, struct context *at, int depth) {
    enum { MOST_VARIABLES = 4 };
    struct context inner = {.outer = at, .side = -1};
    struct sl_port starts[MOST_VARIABLES], body[MOST_VARIABLES], next[MOST_VARIABLES], pred_in[2];
    struct sl_node *merges[MOST_VARIABLES] = {NULL}, *switches[MOST_VARIABLES];
    int n = 1 + roll(g, MOST_VARIABLES);
    snprintf(inner.frame, sizeof inner.frame, "frame_%d", g->names++);
    struct sl_port limit = constant(g, at, roll(g, 5));
    starts[0] = constant(g, at, 0);
    for (int v = 1; v < n; v++) starts[v] = pick(g, at);
    for (int v = 0; v < n; v++) {
        struct given given = {.n = 0};
        struct sl_port in[2] = {enter(g, starts[v], inner.frame, false), {NULL, 0}};
        attr(&given, "T", SL_PB_AttrValue_type)->type = g->program->dtype;
        attr(&given, "N", SL_PB_AttrValue_i)->i = 2;
        merges[v] = add(g, "Merge", &given, in, 2, NULL);
    }
    pred_in[0] = (struct sl_port){merges[0], 0};
    pred_in[1] = enter(g, limit, inner.frame, true);
    struct sl_port less = {typed(g, "Less", g->program->dtype, pred_in, 2), 0};
    struct given none = {.n = 0};
    struct sl_port condition = {add(g, "LoopCond", &none, &less, 1, NULL), 0};
    for (int v = 0; v < n; v++) {
        struct sl_port in[2] = {{merges[v], 0}, condition};
        switches[v] = typed(g, "Switch", g->program->dtype, in, 2);
        struct sl_port live = {switches[v], 1};
        body[v] = (struct sl_port){typed(g, "Identity", g->program->dtype, &live, 1), 0};
        if (v == 0) inner.pivot = body[0];
        keep(g, &inner, body[v]);
    }
    block(g, &inner, depth + 1, roll(g, 4));
    next[0] = binary(g, "AddV2", body[0], constant(g, &inner, 1));
    for (int v = 1; v < n; v++) { /* the same again, another variable, something new, or an invariant */
        int what = roll(g, 4);
        next[v] = what == 0 ? body[v] : what == 1 ? body[roll(g, n)] : pick(g, &inner);
    }
    forget_inside(g, &inner);
    for (int v = 0; v < n; v++) {
        struct given given = {.n = 0};
        attr(&given, "T", SL_PB_AttrValue_type)->type = g->program->dtype;
        /* an invariant lives in the last iteration too, where nothing may go on */
        struct sl_port gated = {add(g, "Identity", &given, &next[v], 1, inner.pivot.node), 0};
        struct sl_node *back = typed(g, "NextIteration", g->program->dtype, &gated, 1);
        if (sl_graph_set_input(g->graph, merges[v], 1, (struct sl_port){back, 0}, &g->err) != SL_OK)
            fail_msg("%s", g->err.message);
        struct sl_port dead = {switches[v], 0};
        if (v == 0 || roll(g, 4)) keep(g, at, (struct sl_port){typed(g, "Exit", g->program->dtype, &dead, 1), 0});
    }
}

static void block(struct generator *g, struct context *at, int depth, int statements) {
    for (int s = 0; s < statements; s++) {
        int what = roll(g, 10);
        if (what < 3 && depth < MOST_DEPTH) conditional(g, at, depth);
        else if (what < 5 && depth < MOST_DEPTH) loop(g, at, depth);
        else arithmetic(g, at);
    }
}

static void make(struct random_program *p, struct sl_op_registry *ops, long seed, int dtype, bool is_wild) {
    struct generator *g = calloc(1, sizeof *g);
    struct context root = {.outer = NULL};
    *p =
        (struct random_program){.dtype = dtype, .is_wild = is_wild, .random = (uint64_t)seed * 0x9e3779b97f4a7c15u + 1};
    sl_arena_init(&p->arena);
    g->program = p;
    assert_int_equal(sl_graph_new(&p->graph, ops, &g->err), SL_OK);
    g->graph = p->graph;
    block(g, &root, 0, 2 + roll(g, 6));
    for (int i = 0; i < g->n && p->n < RANDOM_FETCHES; i++)
        if (g->values[i].at == &root) p->fetches[p->n++] = g->values[i].port;
    SL_GRAPH_EACH(n, g->graph) n->mark = NULL;
    free(g);
}

void random_program_make(struct random_program *p, struct sl_op_registry *ops, long seed, int dtype) {
    make(p, ops, seed, dtype, false);
}

void random_program_make_wild(struct random_program *p, struct sl_op_registry *ops, long seed) {
    make(p, ops, seed, SL_FLOAT, true);
}

void random_program_clear(struct random_program *p) {
    sl_graph_free(p->graph);
    sl_arena_clear(&p->arena);
}
