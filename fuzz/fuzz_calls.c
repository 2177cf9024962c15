/* Calls, conditionals, loops and gradients whose declared types, counts and inputs are not those of their functions.
 * Bytes choose a library of a few functions and a graph of nodes that name them: mostly as they should, now and then
 * not. The graph is imported, derived, and run in both forms under a deadline. Whatever comes back is right; only a
 * crash, a leak or a hang is not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/gen/messages.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "tensorflow/c/c_api.h"

enum { FUNCTIONS = 4, MOST_ARGS = 3, TYPES = 6, DEADLINE_MS = 300, TEXT = 1 << 16 };
static const char *const types[TYPES] = {"DT_FLOAT", "DT_INT32", "DT_BOOL", "DT_STRING", "DT_RESOURCE", "DT_VARIANT"};

struct choices {
    const uint8_t *at, *end;
};
static int choose(struct choices *c, int n) { return c->at < c->end ? *c->at++ % n : 0; }
/* Mostly float. */
static int choose_type(struct choices *c) {
    const int by = choose(c, 16);
    return by < TYPES ? by : 0;
}

struct list {
    int n, types[MOST_ARGS + 2];
};
static struct list choose_list(struct choices *c) {
    struct list l = {.n = choose(c, MOST_ARGS + 1)};
    for (int i = 0; i < l.n; i++) l.types[i] = choose_type(c);
    return l;
}
/* As it is, or spoilt. */
static struct list declared(struct list l, struct choices *c) {
    switch (choose(c, 12)) {
    case 0: l.n = choose(c, MOST_ARGS + 2); break;
    case 1: l.types[choose(c, MOST_ARGS)] = choose_type(c); break;
    case 2: l.types[l.n++] = choose_type(c); break;
    default: break;
    }
    return l;
}

struct text {
    char *p;
    size_t n;
};
static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->p + t->n, TEXT - t->n, format, args);
    va_end(args);
    t->n = n < 0 || (size_t)n >= TEXT - t->n ? TEXT - 1 : t->n + (size_t)n;
}

struct function {
    struct list args, rets;
};
struct world {
    struct choices c;
    struct text t;
    struct function functions[FUNCTIONS];
};

static void add_types(struct world *w, const char *key, struct list l) {
    add(&w->t, "attr { key: '%s' value { list { ", key);
    for (int i = 0; i < l.n; i++) add(&w->t, "type: %s ", types[l.types[i]]);
    add(&w->t, "} } } ");
}
static void add_type(struct world *w, const char *key, int type) {
    add(&w->t, "attr { key: '%s' value { type: %s } } ", key, types[type]);
}
static void add_function_attr(struct world *w, const char *key, int f) {
    add(&w->t, "attr { key: '%s' value { func { name: 'f%d' } } } ", key, f);
}

/* ---- calls: what each op declares */

enum call { CALL, STATEFUL_CALL, IF, STATELESS_IF, CASE, WHILE, STATELESS_WHILE, GRADIENT, FOR, BY_NAME, CALLS };
static const char *const call_ops[CALLS] = {"PartitionedCall",
                                            "StatefulPartitionedCall",
                                            "If",
                                            "StatelessIf",
                                            "Case",
                                            "While",
                                            "StatelessWhile",
                                            "SymbolicGradient",
                                            "For",
                                            ""};

/* A node named `name`; `input(arg, i, type)` prints its inputs. Gives its results. */
static struct list add_call(struct world *w, const char *node, const char *name,
                            void (*input)(struct world *w, int i, int type), bool lowers) {
    struct choices *c = &w->c;
    const enum call call = (enum call)choose(c, CALLS);
    const int f = choose(c, FUNCTIONS), g = choose(c, FUNCTIONS);
    struct list in = declared(w->functions[f].args, c), out = declared(w->functions[f].rets, c);
    if (call == WHILE || call == STATELESS_WHILE) out = in;
    if (call == GRADIENT) {
        for (int i = 0; i < w->functions[f].rets.n && in.n < MOST_ARGS + 1; i++)
            in.types[in.n++] = w->functions[f].rets.types[i];
        out = declared(w->functions[f].args, c);
    }
    if (call == BY_NAME) add(&w->t, "%s { name: '%s' op: 'f%d' ", node, name, f);
    else add(&w->t, "%s { name: '%s' op: '%s' ", node, name, call_ops[call]);
    int at = 0;
    if (call == IF || call == STATELESS_IF) input(w, at++, 2);
    if (call == CASE) input(w, at++, 1);
    for (int i = 0; call == FOR && i < 3; i++) input(w, at++, 1);
    for (int i = 0; i < in.n; i++) input(w, at++, in.types[i]);
    switch (call) {
    case IF:
    case STATELESS_IF:
        add_type(w, "Tcond", choose(c, 8) ? 2 : choose_type(c));
        add_function_attr(w, "then_branch", f);
        add_function_attr(w, "else_branch", choose(c, 2) ? f : g);
        break;
    case CASE:
        add(&w->t, "attr { key: 'branches' value { list { func { name: 'f%d' } func { name: 'f%d' } } } } ", f,
            choose(c, 2) ? f : g);
        break;
    case WHILE:
    case STATELESS_WHILE:
        add_function_attr(w, "cond", g);
        add_function_attr(w, "body", f);
        break;
    case FOR: add_function_attr(w, "body", f); break;
    case BY_NAME: break;
    default: add_function_attr(w, "f", f); break;
    }
    if (call == WHILE || call == STATELESS_WHILE || call == FOR) add_types(w, "T", in);
    else if (call != BY_NAME) add_types(w, "Tin", in);
    if (call != WHILE && call != STATELESS_WHILE && call != FOR && call != BY_NAME) add_types(w, "Tout", out);
    if (lowers && choose(c, 2)) add(&w->t, "attr { key: '_lower_using_switch_merge' value { b: true } } ");
    add(&w->t, "} ");
    return call == FOR ? in : call == BY_NAME ? w->functions[f].rets : out;
}

/* ---- functions */

static int body_of; /* the function whose body is written */

static void input_in_body(struct world *w, int i, int type) {
    const struct list args = w->functions[body_of].args;
    for (int a = 0; a < args.n; a++)
        if (args.types[a] == type && choose(&w->c, 4)) {
            add(&w->t, "input: 'a%d' ", a);
            return;
        }
    (void)i;
    if (type < 4) add(&w->t, "input: 'c%d:output:0' ", type);
    else add(&w->t, "input: 'a%d' ", choose(&w->c, MOST_ARGS));
}

static void add_constants(struct world *w, const char *node) {
    static const char *const values[4] = {"float_val: 2", "int_val: 1", "bool_val: true", "string_val: 'x'"};
    for (int type = 0; type < 4; type++)
        add(&w->t,
            "%s { name: 'c%d' op: 'Const' attr { key: 'dtype' value { type: %s } } attr { key: 'value' value { "
            "tensor { dtype: %s tensor_shape { %s } %s } } } } ",
            node, type, types[type], types[type], choose(&w->c, 8) ? "" : "dim { size: 2 }", values[type]);
}

static void add_function(struct world *w, int f) {
    struct function *function = &w->functions[f];
    body_of = f;
    add(&w->t, "function { signature { name: 'f%d' ", f);
    for (int i = 0; i < function->args.n; i++)
        add(&w->t, "input_arg { name: 'a%d' type: %s } ", i, types[function->args.types[i]]);
    for (int i = 0; i < function->rets.n; i++)
        add(&w->t, "output_arg { name: 'r%d' type: %s } ", i, types[function->rets.types[i]]);
    if (choose(&w->c, 4) == 0) add(&w->t, "is_stateful: true ");
    add(&w->t, "} ");
    add_constants(w, "node_def");
    const int float_arg = choose(&w->c, MOST_ARGS);
    add(&w->t, "node_def { name: 'square' op: 'Square' input: 'a%d' attr { key: 'T' value { type: DT_FLOAT } } } ",
        float_arg);
    struct list results = {0};
    const bool has_call = choose(&w->c, 3) == 0;
    if (has_call) results = add_call(w, "node_def", "call", input_in_body, true);
    for (int i = 0; i < function->rets.n; i++) {
        const int type = function->rets.types[i];
        add(&w->t, "ret { key: 'r%d' value: '", i);
        if (has_call && i < results.n && results.types[i] == type) add(&w->t, "call:output:%d' } ", i);
        else if (type == 0 && choose(&w->c, 2)) add(&w->t, "square:y:0' } ");
        else if (type < 4 && choose(&w->c, 8)) add(&w->t, "c%d:output:0' } ", type);
        else add(&w->t, "a%d' } ", choose(&w->c, MOST_ARGS));
    }
    add(&w->t, "} ");
}

/* ---- the graph */

static void input_in_graph(struct world *w, int i, int type) {
    (void)i;
    if (type < 4 && choose(&w->c, 16)) add(&w->t, "input: 'c%d' ", type);
    else if (type == 4 && choose(&w->c, 16)) add(&w->t, "input: 'v' ");
    else if (type == 5 && choose(&w->c, 16)) add(&w->t, "input: 'l' ");
    else add(&w->t, "input: 'call%d:%d' ", choose(&w->c, 3), choose(&w->c, 3));
}

static void write_graph(struct world *w) {
    for (int f = 0; f < FUNCTIONS; f++) w->functions[f] = (struct function){choose_list(&w->c), choose_list(&w->c)};
    add_constants(w, "node");
    add(&w->t,
        "node { name: 'v' op: 'VarHandleOp' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' "
        "value { shape { } } } } node { name: 'shape' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } "
        "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { } int_val: -1 } } } } "
        "node { name: 'l' op: 'EmptyTensorList' input: 'shape' input: 'c1' attr { key: 'element_dtype' value { "
        "type: DT_FLOAT } } attr { key: 'shape_type' value { type: DT_INT32 } } } ");
    for (int n = 1 + choose(&w->c, 3), i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "call%d", i);
        (void)add_call(w, "node", name, input_in_graph, true);
    }
    add(&w->t, "library { ");
    for (int f = 0; f < FUNCTIONS; f++) add_function(w, f);
    add(&w->t, "} versions { producer: 1395 }");
}

/* ---- what is done with it */

static void run(TF_Graph *graph, const char *engine, TF_Status *status) {
    enum { MOST = 32 };
    TF_Output fetches[MOST];
    const TF_Operation *targets[MOST];
    int n = 0, n_targets = 0;
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at)) && n < MOST - 4 && n_targets < MOST;) {
        if (!TF_OperationNumOutputs(op)) targets[n_targets++] = op;
        for (int o = 0; o < TF_OperationNumOutputs(op) && o < 3; o++) fetches[n++] = (TF_Output){op, o};
    }
    TF_SessionOptions *options = TF_NewSessionOptions();
    setenv("SLUICE_EXEC", engine, 1);
    TF_Session *session = TF_NewSession(graph, options, status);
    unsetenv("SLUICE_EXEC");
    TF_DeleteSessionOptions(options);
    const unsigned char deadline[] = {0x10, 0x80 | (DEADLINE_MS & 0x7f), DEADLINE_MS >> 7}; /* timeout_in_ms */
    TF_Buffer *run_options = TF_NewBufferFromString(deadline, sizeof deadline);
    for (int i = -1; session && i < n; i++) { /* all together, then one by one */
        TF_Tensor *got[MOST] = {NULL};
        const int first = i < 0 ? 0 : i, count = i < 0 ? n : 1;
        TF_SessionRun(session, run_options, NULL, NULL, 0, fetches + first, got, count, targets, i < 0 ? n_targets : 0,
                      NULL, status);
        for (int g = 0; g < count; g++)
            if (got[g]) TF_DeleteTensor(got[g]);
    }
    TF_DeleteBuffer(run_options);
    if (session) TF_DeleteSession(session, status);
}

static void derive(TF_Graph *graph, TF_Status *status) {
    TF_Operation *x = TF_GraphOperationByName(graph, "c0"), *v = TF_GraphOperationByName(graph, "v");
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "call%d", i);
        TF_Operation *op = TF_GraphOperationByName(graph, name);
        TF_Output y = {op, 0}, xs[2] = {{x, 0}, {v, 0}}, dx[2];
        if (!op || !x || !v || !TF_OperationNumOutputs(op)) continue;
        for (int n = 1; n <= 2; n++) {
            TF_SetStatus(status, TF_OK, "");
            TF_AddGradients(graph, &y, 1, xs, n, NULL, status, dx);
        }
    }
}

static void use(struct sl_str bytes) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBufferFromString(bytes.p, bytes.n);
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(graph, buffer, options, status);
    if (TF_GetCode(status) == TF_OK) {
        derive(graph, status);
        run(graph, "linear", status);
        run(graph, "frames", status);
    }
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(buffer);
    TF_DeleteStatus(status);
    TF_DeleteGraph(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char room[TEXT];
    struct world w = {.c = {data, data + size}, .t = {room, 0}};
    struct sl_arena arena;
    struct sl_pb_GraphDef def;
    struct sl_str bytes;
    write_graph(&w);
    room[w.t.n] = 0;
    if (getenv("SHOW_GRAPH")) puts(room); /* of an input that breaks something */
    sl_arena_init(&arena);
    if (sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), (struct sl_str){room, w.t.n}, &arena, NULL) == SL_OK &&
        sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), &def, 0, &arena, NULL) == SL_OK)
        use(bytes);
    sl_arena_clear(&arena);
    return 0;
}
