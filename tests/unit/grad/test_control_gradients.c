/* Gradients through loops, conditionals and functions, first and second order, against differences; rows, stops,
 * names; and what is refused. */
#include <math.h>
#include <stdio.h>

#include "capi/handles.h"
#include "sluice/gradient.h"
#include "unit/unit.h"

struct scene {
    TF_Graph *graph;
    TF_Status *status;
};

static int set_up(void **state) {
    static struct scene s;
    s.graph = TF_NewGraph();
    s.status = TF_NewStatus();
    *state = &s;
    return 0;
}

static int tear_down(void **state) {
    struct scene *s = *state;
    TF_DeleteGraph(s->graph);
    TF_DeleteStatus(s->status);
    return 0;
}

#define assert_fine(status)                                                                                            \
    do {                                                                                                               \
        if (TF_GetCode(status) != TF_OK) fail_msg("%d: %s", (int)TF_GetCode(status), TF_Message(status));              \
    } while (0)

/* ---- building */
static TF_Status *shared; /* of the test that runs */

static TF_Output node(TF_Graph *graph, const char *op, const char *name, const TF_Output *in, int n) {
    TF_OperationDescription *d = TF_NewOperation(graph, op, name);
    for (int i = 0; i < n; i++) TF_AddInput(d, in[i]);
    TF_Operation *made = TF_FinishOperation(d, shared);
    assert_fine(shared);
    return (TF_Output){made, 0};
}
#define one(g, op, name, a)    node(g, op, name, (TF_Output[]){a}, 1)
#define two(g, op, name, a, b) node(g, op, name, (TF_Output[]){a, b}, 2)

static TF_Output constant_of(TF_Graph *graph, const char *name, TF_DataType type, const void *value, size_t bytes,
                             const int64_t *dims, int rank) {
    TF_Tensor *t = TF_AllocateTensor(type, dims, rank, bytes);
    memcpy(TF_TensorData(t), value, bytes);
    TF_OperationDescription *d = TF_NewOperation(graph, "Const", name);
    TF_SetAttrType(d, "dtype", type);
    TF_SetAttrTensor(d, "value", t, shared);
    TF_Operation *made = TF_FinishOperation(d, shared);
    TF_DeleteTensor(t);
    assert_fine(shared);
    return (TF_Output){made, 0};
}
static TF_Output number(TF_Graph *graph, const char *name, double v) {
    return constant_of(graph, name, TF_DOUBLE, &v, sizeof v, NULL, 0);
}
static TF_Output integer(TF_Graph *graph, const char *name, int32_t v) {
    return constant_of(graph, name, TF_INT32, &v, sizeof v, NULL, 0);
}
static TF_Output vector(TF_Graph *graph, const char *name, double a, double b, double c) {
    const double v[] = {a, b, c};
    const int64_t dims[] = {3};
    return constant_of(graph, name, TF_DOUBLE, v, sizeof v, dims, 1);
}
static TF_Output argument(TF_Graph *graph, const char *name, TF_DataType type) {
    TF_OperationDescription *d = TF_NewOperation(graph, "Placeholder", name);
    TF_SetAttrType(d, "dtype", type);
    TF_Operation *made = TF_FinishOperation(d, shared);
    assert_fine(shared);
    return (TF_Output){made, 0};
}

static void check_order(TF_Graph *graph, TF_Output y, TF_Output x, int order, double tolerance) {
    for (int i = 1; i <= order; i++) {
        double off = sl_check_gradient(graph, y, x, NULL, shared);
        assert_fine(shared);
        if (!(off >= 0 && off < tolerance)) fail_msg("order %d: off by %g", i, off);
        if (i == order) return;
        struct sl_slices dx;
        sl_add_gradients(graph, &y, NULL, 1, &x, 1, NULL, &dx, shared);
        assert_fine(shared);
        assert_non_null(dx.values.oper);
        y = dx.values;
    }
}

/* ---- loops of Enter and Exit */
/* while (i < limit) { i++; v = f(v, w); }, by TF_NewWhile; gives v. */
static TF_Output loop_from(TF_Graph *graph, const char *name, TF_Output zero, TF_Output v, TF_Output w, int32_t limit,
                           TF_Output (*f)(TF_Graph *graph, TF_Output v, TF_Output w)) {
    TF_Output inputs[] = {zero, v, w}, outputs[3];
    TF_WhileParams params = TF_NewWhile(graph, inputs, 3, shared);
    assert_fine(shared);
    params.name = name;
    params.cond_output =
        two(params.cond_graph, "Less", "less", params.cond_inputs[0], integer(params.cond_graph, "limit", limit));
    params.body_outputs[0] =
        two(params.body_graph, "AddV2", "next", params.body_inputs[0], integer(params.body_graph, "one", 1));
    params.body_outputs[1] = f(params.body_graph, params.body_inputs[1], params.body_inputs[2]);
    params.body_outputs[2] = params.body_inputs[2];
    TF_FinishWhile(&params, shared, outputs);
    assert_fine(shared);
    return outputs[1];
}

static TF_Output loop(TF_Graph *graph, const char *name, TF_Output v, TF_Output w, int32_t limit,
                      TF_Output (*f)(TF_Graph *graph, TF_Output v, TF_Output w)) {
    char text[64];
    snprintf(text, sizeof text, "%s_zero", name);
    return loop_from(graph, name, integer(graph, text, 0), v, w, limit, f);
}

static TF_Output times_sine(TF_Graph *graph, TF_Output v, TF_Output w) {
    return two(graph, "Mul", "product", one(graph, "Sin", "sine", v), w);
}

static void loops(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), w = vector(s->graph, "w", 1.5, .7, 1.1);
    TF_Output y = loop(s->graph, "loop", x, w, 4, times_sine);
    check_order(s->graph, y, x, 3, 1e-5);
    check_order(s->graph, y, w, 2, 1e-6);
}

static void loops_without_iterations(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), w = vector(s->graph, "w", 1.5, .7, 1.1);
    TF_Output y = loop(s->graph, "loop", x, w, 0, times_sine);
    check_order(s->graph, y, x, 1, 1e-6);
    check_order(s->graph, y, w, 1, 1e-6);
}

static TF_Output inner_loop(TF_Graph *graph, TF_Output v, TF_Output w) {
    return loop(graph, "inner", two(graph, "Mul", "scaled", v, w), w, 3, times_sine);
}

static void loops_in_loops(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), w = vector(s->graph, "w", 1.5, .7, 1.1);
    TF_Output y = loop(s->graph, "outer", x, w, 2, inner_loop);
    check_order(s->graph, y, x, 2, 1e-5);
    check_order(s->graph, y, w, 2, 1e-5);
}

static TF_Output read_variable(TF_Graph *graph, const char *name, TF_Output handle) {
    TF_OperationDescription *d = TF_NewOperation(graph, "ReadVariableOp", name);
    TF_AddInput(d, handle);
    TF_SetAttrType(d, "dtype", TF_DOUBLE);
    TF_Operation *made = TF_FinishOperation(d, shared);
    assert_fine(shared);
    return (TF_Output){made, 0};
}
static TF_Output times_variable(TF_Graph *graph, TF_Output v, TF_Output handle) {
    return two(graph, "Mul", "product", v, read_variable(graph, "read", handle));
}

/* A variable, and what gives it the value 2. */
static TF_Operation *variable_of_two(TF_Graph *graph, TF_Output *handle) {
    TF_OperationDescription *d = TF_NewOperation(graph, "VarHandleOp", "variable");
    TF_SetAttrType(d, "dtype", TF_DOUBLE);
    TF_SetAttrShape(d, "shape", NULL, 0);
    *handle = (TF_Output){TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    d = TF_NewOperation(graph, "AssignVariableOp", "assign");
    TF_AddInput(d, *handle);
    TF_AddInput(d, number(graph, "initial", 2));
    TF_Operation *assign = TF_FinishOperation(d, shared);
    assert_fine(shared);
    return assign;
}

static double run_with_variable(struct scene *s, TF_Operation *assign, TF_Output y) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(s->graph, options, shared);
    TF_DeleteSessionOptions(options);
    TF_Tensor *value;
    TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, (const TF_Operation *const *)&assign, 1, NULL, shared);
    assert_fine(shared);
    TF_SessionRun(session, NULL, NULL, NULL, 0, &y, &value, 1, NULL, 0, NULL, shared);
    assert_fine(shared);
    double v = *(double *)TF_TensorData(value);
    TF_DeleteTensor(value);
    TF_DeleteSession(session, shared);
    return v;
}

/* v = x h^3 with a variable h = 2 that the loop reads: dv/dh = 3 x h^2 */
static void loops_that_read_variables(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output handle, x = number(s->graph, "x", 5), dh;
    TF_Operation *assign = variable_of_two(s->graph, &handle);
    TF_Output y = loop(s->graph, "loop", x, handle, 3, times_variable);
    TF_AddGradients(s->graph, &y, 1, &handle, 1, NULL, shared, &dh);
    assert_fine(shared);
    assert_non_null(dh.oper);
    assert_true(fabs(run_with_variable(s, assign, dh) - 60) < 1e-9);
}

/* sum(v) > 2 ? sin(v) w : exp(v), by Switch and Merge. */
static TF_Output choice(TF_Graph *graph, TF_Output v, TF_Output w) {
    TF_Output total = two(graph, "Sum", "total", v, integer(graph, "axis", 0));
    TF_Output is_large = two(graph, "Greater", "is_large", total, number(graph, "two", 2));
    TF_Output turn = two(graph, "Switch", "turn", v, is_large), turn_w = two(graph, "Switch", "turn_w", w, is_large);
    turn.index = turn_w.index = 1;
    TF_Output yes = two(graph, "Mul", "yes", one(graph, "Sin", "sine", turn), turn_w);
    turn.index = 0;
    TF_Output both[] = {one(graph, "Exp", "no", turn), yes};
    TF_OperationDescription *d = TF_NewOperation(graph, "Merge", "merge");
    TF_AddInputList(d, both, 2);
    TF_Operation *made = TF_FinishOperation(d, shared);
    assert_fine(shared);
    return (TF_Output){made, 0};
}

static void conditionals(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output w = vector(s->graph, "w", 1.5, .7, 1.1), x = vector(s->graph, "x", .3, .8, 1.2);
    TF_Output y = choice(s->graph, x, w);
    check_order(s->graph, y, x, 2, 1e-6);
    check_order(s->graph, y, w, 1, 1e-6);
}

static void conditionals_that_take_the_other_side(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output w = vector(s->graph, "w", 1.5, .7, 1.1), x = vector(s->graph, "x", .1, .2, .3);
    TF_Output y = choice(s->graph, x, w);
    check_order(s->graph, y, x, 2, 1e-6);
    check_order(s->graph, y, w, 1, 1e-6); /* zeros */
}

static void conditionals_in_loops(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .1, .2, .3), w = vector(s->graph, "w", 1.5, .7, 1.1);
    TF_Output y = loop(s->graph, "loop", x, w, 5, choice);
    check_order(s->graph, y, x, 2, 1e-5);
    check_order(s->graph, y, w, 2, 1e-5);
}

/* sum(v) > 2 ? a loop : exp(v), as TensorFlow's front end writes it: constants of a branch wait for its pivot, which
 * is of the predicate, and values are switched by a copy of the predicate. */
static TF_Output choice_of_loop(TF_Graph *graph, TF_Output v, TF_Output w) {
    TF_Output total = two(graph, "Sum", "total", v, integer(graph, "axis", 0));
    TF_Output is_large = two(graph, "Greater", "is_large", total, number(graph, "two", 2));
    TF_Output copy = one(graph, "Identity", "copy", is_large),
              pivot = two(graph, "Switch", "pivot", is_large, is_large);
    pivot.index = 1;
    TF_Output on = one(graph, "Identity", "on", pivot);
    TF_OperationDescription *d = TF_NewOperation(graph, "Const", "zero");
    TF_Tensor *zero = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof(int32_t));
    memset(TF_TensorData(zero), 0, sizeof(int32_t));
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_SetAttrTensor(d, "value", zero, shared);
    TF_AddControlInput(d, on.oper);
    TF_Output start = {TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    TF_DeleteTensor(zero);
    TF_Output turn = two(graph, "Switch", "turn", v, copy), turn_w = two(graph, "Switch", "turn_w", w, copy);
    turn.index = turn_w.index = 1;
    TF_Output yes = loop_from(graph, "inner", start, turn, turn_w, 2, times_sine);
    turn.index = 0;
    TF_Output both[] = {one(graph, "Exp", "no", turn), yes};
    d = TF_NewOperation(graph, "Merge", "merge");
    TF_AddInputList(d, both, 2);
    TF_Output merged = {TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    return merged;
}

static void loops_in_conditionals_in_loops(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .1, .2, .3), w = vector(s->graph, "w", 1.5, .7, 1.1);
    TF_Output y = loop(s->graph, "loop", x, w, 3, choice_of_loop);
    check_order(s->graph, y, x, 2, 1e-5);
    check_order(s->graph, y, w, 2, 1e-5);
}

/* ---- TensorArrays */
static TF_Output array_node(TF_Graph *graph, const char *op, const char *name, const TF_Output *in, int n, int flow) {
    TF_OperationDescription *d = TF_NewOperation(graph, op, name);
    for (int i = 0; i < n; i++) TF_AddInput(d, in[i]);
    if (flow == 0) TF_SetAttrType(d, "dtype", TF_DOUBLE);
    if (strcmp(op, "TensorArrayV3") == 0) TF_SetAttrBool(d, "clear_after_read", 0);
    TF_Output out = {TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    return out;
}

/* The elements of x into an array, one of them read twice and written to another one, all of which is the result. */
static TF_Output through_arrays(TF_Graph *graph, TF_Output x) {
    TF_Output a = array_node(graph, "TensorArrayV3", "a", (TF_Output[]){integer(graph, "three", 3)}, 1, 0);
    TF_Output b = array_node(graph, "TensorArrayV3", "b", (TF_Output[]){integer(graph, "two_of", 2)}, 1, 0);
    TF_Output flow = {a.oper, 1}, empty = {b.oper, 1};
    const int32_t order[] = {2, 0, 1};
    TF_Output at = constant_of(graph, "at", TF_INT32, order, sizeof order, (const int64_t[]){3}, 1);
    TF_Output both = constant_of(graph, "both", TF_INT32, order + 1, 2 * sizeof *order, (const int64_t[]){2}, 1);
    flow = array_node(graph, "TensorArrayScatterV3", "scatter", (TF_Output[]){a, at, x, flow}, 4, 1);
    TF_Output first =
        array_node(graph, "TensorArrayReadV3", "first", (TF_Output[]){a, integer(graph, "index_1", 0), flow}, 3, 0);
    TF_Output again =
        array_node(graph, "TensorArrayReadV3", "again", (TF_Output[]){a, integer(graph, "index_2", 0), flow}, 3, 0);
    TF_Output product = two(graph, "Mul", "product", one(graph, "Sin", "sine", first), again);
    TF_Output written = array_node(graph, "TensorArrayWriteV3", "w0",
                                   (TF_Output[]){b, integer(graph, "index_3", 0), product, empty}, 4, 1);
    written = array_node(graph, "TensorArrayWriteV3", "w1",
                         (TF_Output[]){b, integer(graph, "index_4", 1), first, written}, 4, 1);
    return array_node(graph, "TensorArrayGatherV3", "gather", (TF_Output[]){b, both, written}, 3, 0);
}

static void arrays(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2);
    check_order(s->graph, through_arrays(s->graph, x), x, 2, 1e-6);
}

/* ---- matrices in compressed rows */
static TF_Output csr_node(TF_Graph *graph, const char *op, const char *name, const TF_Output *in, int n,
                          const char *flag) {
    TF_OperationDescription *d = TF_NewOperation(graph, op, name);
    for (int i = 0; i < n; i++) TF_AddInput(d, in[i]);
    if (strncmp(op, "CSR", 3) == 0 || strcmp(op, "SparseMatrixTranspose") == 0) TF_SetAttrType(d, "type", TF_DOUBLE);
    if (flag) TF_SetAttrBool(d, flag, 1);
    TF_Output out = {TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    return out;
}

/* The sine of a matrix with the elements of x in three places, dense and sparse again, turned twice, by b. */
static TF_Output through_compressed_rows(TF_Graph *graph, TF_Output x, TF_Output b, const char *flag) {
    const int64_t places[] = {0, 1, 1, 0, 2, 1}, sizes[] = {3, 3};
    TF_Output indices = constant_of(graph, "places", TF_INT64, places, sizeof places, (const int64_t[]){3, 2}, 2);
    TF_Output shape = constant_of(graph, "sizes", TF_INT64, sizes, sizeof sizes, (const int64_t[]){2}, 1);
    TF_Output a = csr_node(graph, "SparseTensorToCSRSparseMatrix", "a", (TF_Output[]){indices, x, shape}, 3, NULL);
    TF_Output sine = one(graph, "Sin", "sine", csr_node(graph, "CSRSparseMatrixToDense", "dense", &a, 1, NULL));
    TF_Output again = csr_node(graph, "DenseToCSRSparseMatrix", "again", (TF_Output[]){sine, indices}, 2, NULL);
    TF_Output turned = csr_node(graph, "SparseMatrixTranspose", "turned", &again, 1, NULL);
    TF_Output back = csr_node(graph, "SparseMatrixTranspose", "back", &turned, 1, "conjugate");
    return csr_node(graph, "SparseMatrixMatMul", "product", (TF_Output[]){back, b}, 2, flag);
}

static void compressed_rows(void **state) {
    static const char *const flags[] = {NULL,          "transpose_a", "adjoint_a",
                                        "transpose_b", "adjoint_b",   "transpose_output"};
    const double element[] = {.2, .5, 1.1, -.4, .9, .3, -.7, 1.4, .6};
    struct scene *s = *state;
    shared = s->status;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        TF_Graph *graph = TF_NewGraph();
        TF_Output x = vector(graph, "x", .3, .8, 1.2);
        TF_Output b = constant_of(graph, "b", TF_DOUBLE, element, sizeof element, (const int64_t[]){3, 3}, 2);
        TF_Output y = one(graph, "Tanh", "y", through_compressed_rows(graph, x, b, flags[i]));
        check_order(graph, y, x, 2, 1e-5);
        check_order(graph, y, b, 2, 1e-5);
        TF_DeleteGraph(graph);
    }
}

/* ---- functions */
/* A function of `n` arguments of the given types; `build` gives its results. */
static void define(TF_Graph *graph, const char *name, const TF_DataType *types, int n, int n_results,
                   void (*build)(TF_Graph *graph, const TF_Output *in, TF_Output *out)) {
    static const char *const names[] = {"a", "b", "c", "d"};
    TF_Graph *body = TF_NewGraph();
    TF_Output in[4], out[4];
    for (int i = 0; i < n; i++) in[i] = argument(body, names[i], types[i]);
    build(body, in, out);
    TF_Function *f = TF_GraphToFunction(body, name, 0, -1, NULL, n, in, n_results, out, NULL, NULL, NULL, shared);
    assert_fine(shared);
    TF_GraphCopyFunction(graph, f, NULL, shared);
    assert_fine(shared);
    TF_DeleteFunction(f);
    TF_DeleteGraph(body);
}

static void random_factor(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    TF_OperationDescription *d = TF_NewOperation(graph, "RandomUniform", "random");
    TF_AddInput(d, one(graph, "Shape", "shape", in[0]));
    TF_SetAttrType(d, "dtype", TF_DOUBLE);
    TF_Output random = {TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    out[0] = two(graph, "Mul", "product", in[0], random);
}

static void fetch(struct scene *s, const TF_Output *outputs, TF_Tensor **values, int n) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(s->graph, options, s->status);
    TF_DeleteSessionOptions(options);
    assert_fine(s->status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, outputs, values, n, NULL, 0, NULL, s->status);
    assert_fine(s->status);
    TF_DeleteSession(session, s->status);
}

/* What a function computed is what its gradient uses: it does not run twice. */
static void calls_share_their_values(void **state) {
    struct scene *s = *state;
    shared = s->status;
    define(s->graph, "noisy", (TF_DataType[]){TF_DOUBLE}, 1, 1, random_factor);
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2);
    TF_OperationDescription *d = TF_NewOperation(s->graph, "StatefulPartitionedCall", "call");
    const TF_DataType types[] = {TF_DOUBLE};
    TF_AddInputList(d, &x, 1);
    TF_SetAttrTypeList(d, "Tout", types, 1);
    TF_SetAttrFuncName(d, "f", "noisy", 5);
    TF_Output y = {TF_FinishOperation(d, shared), 0}, dx;
    assert_fine(shared);
    TF_AddGradients(s->graph, &y, 1, &x, 1, NULL, shared, &dx);
    assert_fine(shared);
    TF_Tensor *values[2];
    fetch(s, (TF_Output[]){y, dx}, values, 2);
    const double *product = TF_TensorData(values[0]), *factor = TF_TensorData(values[1]);
    const double in[] = {.3, .8, 1.2};
    for (int i = 0; i < 3; i++) assert_true(fabs(product[i] - factor[i] * in[i]) < 1e-12);
    for (int i = 0; i < 2; i++) TF_DeleteTensor(values[i]);
}

static void chosen(TF_Graph *graph, const TF_Output *in, TF_Output *out) { out[0] = choice(graph, in[0], in[1]); }

/* What the gradient reads of the side that was not taken is not there, and is not missed. */
static void conditionals_within_functions(void **state) {
    struct scene *s = *state;
    shared = s->status;
    const TF_DataType types[] = {TF_DOUBLE, TF_DOUBLE};
    define(s->graph, "chosen", types, 2, 1, chosen);
    TF_Output w = vector(s->graph, "w", 1.5, .7, 1.1);
    for (int side = 0; side < 2; side++) {
        TF_Output x = vector(s->graph, side ? "large" : "small", .1, .2, side ? 2.4 : .3);
        TF_OperationDescription *d = TF_NewOperation(s->graph, "PartitionedCall", side ? "call_large" : "call_small");
        TF_AddInputList(d, (TF_Output[]){x, w}, 2);
        TF_SetAttrTypeList(d, "Tout", types, 1);
        TF_SetAttrFuncName(d, "f", "chosen", 6);
        TF_Output y = {TF_FinishOperation(d, shared), 0};
        assert_fine(shared);
        check_order(s->graph, y, x, 2, 1e-6);
        check_order(s->graph, y, w, 1, 1e-6);
    }
}

static void sine_times(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    out[0] = two(graph, "Mul", "product", one(graph, "Sin", "sine", in[0]), in[1]);
}
static void exponent(TF_Graph *graph, const TF_Output *in, TF_Output *out) { out[0] = one(graph, "Exp", "exp", in[0]); }

static TF_Output if_node(struct scene *s, TF_Output condition, TF_Output x, TF_Output w) {
    const TF_DataType types[] = {TF_DOUBLE, TF_DOUBLE};
    define(s->graph, "yes", types, 2, 1, sine_times);
    define(s->graph, "no", types, 2, 1, exponent);
    TF_OperationDescription *d = TF_NewOperation(s->graph, "If", "if");
    TF_AddInput(d, condition);
    TF_AddInputList(d, (TF_Output[]){x, w}, 2);
    TF_SetAttrTypeList(d, "Tout", types, 1);
    TF_SetAttrFuncName(d, "then_branch", "yes", 3);
    TF_SetAttrFuncName(d, "else_branch", "no", 2);
    TF_Output y = {TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    return y;
}

static void conditionals_of_functions(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), w = vector(s->graph, "w", 1.5, .7, 1.1);
    TF_Output y = if_node(s, integer(s->graph, "yes_it_is", 1), x, w);
    check_order(s->graph, y, x, 2, 1e-6);
    check_order(s->graph, y, w, 1, 1e-6);
}

static void by_variable(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    out[0] = two(graph, "Mul", "product", in[0], read_variable(graph, "read", in[1]));
}
static void not_by_variable(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    out[0] = one(graph, "Square", "square", in[0]);
}

/* c ? x h : x^2 with a variable h = 2; dy/dh is x, or 0. */
static void conditionals_that_read_variables(void **state) {
    struct scene *s = *state;
    shared = s->status;
    const TF_DataType types[] = {TF_DOUBLE, TF_RESOURCE};
    TF_Output handle, x = number(s->graph, "x", 5), dh;
    TF_Operation *assign = variable_of_two(s->graph, &handle);
    define(s->graph, "with", types, 2, 1, by_variable);
    define(s->graph, "without", types, 2, 1, not_by_variable);
    for (int taken = 0; taken < 2; taken++) {
        TF_OperationDescription *d = TF_NewOperation(s->graph, "If", taken ? "if_yes" : "if_no");
        TF_AddInput(d, integer(s->graph, taken ? "yes" : "no", taken));
        TF_AddInputList(d, (TF_Output[]){x, handle}, 2);
        TF_SetAttrTypeList(d, "Tout", types, 1);
        TF_SetAttrFuncName(d, "then_branch", "with", 4);
        TF_SetAttrFuncName(d, "else_branch", "without", 7);
        TF_Output y = {TF_FinishOperation(d, shared), 0};
        assert_fine(shared);
        TF_AddGradients(s->graph, &y, 1, &handle, 1, NULL, shared, &dh);
        assert_fine(shared);
        assert_non_null(dh.oper);
        assert_true(fabs(run_with_variable(s, assign, dh) - (taken ? 5 : 0)) < 1e-12);
    }
}

static void below_five(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    out[0] = two(graph, "Less", "less", in[0], integer(graph, "five", 5));
}
static void step(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    out[0] = two(graph, "AddV2", "next", in[0], integer(graph, "one", 1));
    out[1] = times_sine(graph, in[1], in[2]);
    out[2] = one(graph, "Identity", "same", in[2]);
}

static TF_Output while_node(struct scene *s, TF_Output x, TF_Output w) {
    const TF_DataType types[] = {TF_INT32, TF_DOUBLE, TF_DOUBLE};
    define(s->graph, "below_five", types, 3, 1, below_five);
    define(s->graph, "step", types, 3, 3, step);
    TF_OperationDescription *d = TF_NewOperation(s->graph, "While", "while");
    TF_AddInputList(d, (TF_Output[]){integer(s->graph, "zero", 0), x, w}, 3);
    TF_SetAttrFuncName(d, "cond", "below_five", 10);
    TF_SetAttrFuncName(d, "body", "step", 4);
    TF_Output y = {TF_FinishOperation(d, shared), 1};
    assert_fine(shared);
    return y;
}

static void loops_of_functions(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), w = vector(s->graph, "w", 1.5, .7, 1.1);
    TF_Output y = while_node(s, x, w);
    check_order(s->graph, y, x, 3, 1e-5);
    check_order(s->graph, y, w, 2, 1e-5);
}

static void below_three(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    out[0] = two(graph, "Less", "less", in[0], integer(graph, "three", 3));
}
static void step_by_variable(TF_Graph *graph, const TF_Output *in, TF_Output *out) {
    out[0] = two(graph, "AddV2", "next", in[0], integer(graph, "one", 1));
    out[1] = two(graph, "Mul", "product", in[1], read_variable(graph, "read", in[2]));
    out[2] = one(graph, "Identity", "same", in[2]);
}

/* As loops_that_read_variables, with While. */
static void loops_of_functions_that_read_variables(void **state) {
    struct scene *s = *state;
    shared = s->status;
    const TF_DataType types[] = {TF_INT32, TF_DOUBLE, TF_RESOURCE};
    TF_Output handle, x = number(s->graph, "x", 5), dh;
    TF_Operation *assign = variable_of_two(s->graph, &handle);
    define(s->graph, "below_three", types, 3, 1, below_three);
    define(s->graph, "step_by_variable", types, 3, 3, step_by_variable);
    TF_OperationDescription *d = TF_NewOperation(s->graph, "While", "while");
    TF_AddInputList(d, (TF_Output[]){integer(s->graph, "zero", 0), x, handle}, 3);
    TF_SetAttrFuncName(d, "cond", "below_three", 11);
    TF_SetAttrFuncName(d, "body", "step_by_variable", 16);
    TF_Output y = {TF_FinishOperation(d, shared), 1};
    assert_fine(shared);
    TF_AddGradients(s->graph, &y, 1, &handle, 1, NULL, shared, &dh);
    assert_fine(shared);
    assert_non_null(dh.oper);
    assert_true(fabs(run_with_variable(s, assign, dh) - 60) < 1e-9);
}

/* ---- what is refused leaves nothing behind */
static int count(TF_Graph *graph) {
    size_t at = 0;
    int n = 0;
    while (TF_GraphNextOperation(graph, &at)) n++;
    return n;
}

static void failures_leave_nothing_behind(void **state) {
    struct scene *s = *state;
    shared = s->status;
    const double square[] = {2, 1, 1, 3};
    const int64_t dims[] = {2, 2};
    TF_Output x = constant_of(s->graph, "x", TF_DOUBLE, square, sizeof square, dims, 2), w = number(s->graph, "w", .7);
    TF_Output lu = one(s->graph, "Lu", "factors", x), y = while_node(s, lu, w), dx;
    int nodes = count(s->graph), functions = TF_GraphNumFunctions(s->graph), outputs = TF_OperationNumOutputs(y.oper);
    TF_AddGradients(s->graph, &y, 1, &x, 1, NULL, s->status, &dx);
    assert_int_equal(TF_GetCode(s->status), TF_NOT_FOUND);
    assert_non_null(strstr(TF_Message(s->status), "No gradient defined for op: Lu."));
    assert_non_null(strstr(TF_Message(s->status), "'factors'"));
    assert_int_equal(count(s->graph), nodes);
    assert_int_equal(TF_GraphNumFunctions(s->graph), functions);
    assert_int_equal(TF_OperationNumOutputs(y.oper), outputs);
    struct sl_error err;
    assert_ok(err, sl_graph_check(s->graph->graph, &err));
}

/* What is asked for and cannot be: said with the name of the node, and nothing is left in the graph. */
static void check_refused(struct scene *s, TF_Output y, TF_Output x, const char *says) {
    struct sl_gradient_options options = {.no_gradient = SL_NO_GRADIENT_ERROR};
    struct sl_slices dx;
    int nodes = count(s->graph);
    sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status);
    if (!strstr(TF_Message(s->status), says)) fail_msg("'%s' does not say '%s'", TF_Message(s->status), says);
    assert_int_equal(TF_GetCode(s->status), TF_INVALID_ARGUMENT);
    assert_int_equal(count(s->graph), nodes);
}

static TF_Output cast_to(TF_Graph *graph, const char *name, TF_Output x, TF_DataType type) {
    TF_OperationDescription *d = TF_NewOperation(graph, "Cast", name);
    TF_AddInput(d, x);
    TF_SetAttrType(d, "DstT", type);
    TF_Output out = {TF_FinishOperation(d, shared), 0};
    assert_fine(shared);
    return out;
}

static void what_cannot_be_asked_for(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Graph *other = TF_NewGraph();
    TF_Output x = number(s->graph, "x", .3), foreign = number(other, "foreign", 1);
    TF_Output whole = cast_to(s->graph, "whole", x, TF_INT32), back = cast_to(s->graph, "back", whole, TF_DOUBLE);
    TF_Output text = one(s->graph, "AsString", "text", x), kept = one(s->graph, "Identity", "kept", text);
    TF_Output y = one(s->graph, "Sin", "y", x), apart = number(s->graph, "apart", 2);
    check_refused(s, whole, x, "There is no gradient of 'whole': it is of type int32");
    check_refused(s, kept, x, "There is no gradient of 'kept': it is of type string");
    check_refused(s, back, whole, "with respect to 'whole': it is of type int32");
    check_refused(s, back, x, "operation 'whole' (op type: Cast) gives only values of types that have no gradients");
    check_refused(s, y, apart, "with respect to 'apart': no y depends on it");
    check_refused(s, y, foreign, "x 0 ('foreign') is not of the graph");
    check_refused(s, foreign, x, "y 0 ('foreign') is not of the graph");
    check_refused(s, y, (TF_Output){NULL, 0}, "x 0 is no tensor");
    TF_Output exit =
        loop(s->graph, "loop", vector(s->graph, "v", .3, .8, 1.2), vector(s->graph, "w", 1, 2, 3), 2, times_sine);
    TF_Output within = {TF_GraphOperationByName(s->graph, "loop/Switch1"), 1};
    if (!within.oper) within = TF_OperationInput((TF_Input){exit.oper, 0});
    check_refused(s, exit, within, "is computed in loop 'loop'");
    int nodes = count(s->graph);
    TF_Output none;
    TF_AddGradients(s->graph, &whole, 1, &x, 1, NULL, s->status,
                    &none); /* no error as the C API has it; nothing is added */
    assert_fine(s->status);
    assert_null(none.oper);
    assert_int_equal(count(s->graph), nodes);
    TF_DeleteGraph(other);
}

static void what_has_no_gradient_by_design(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), y = one(s->graph, "Floor", "floor", x),
              other = number(s->graph, "z", 1);
    struct sl_gradient_options options = {.no_gradient = SL_NO_GRADIENT_ERROR};
    struct sl_slices dx;
    sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status);
    assert_int_equal(TF_GetCode(s->status), TF_INVALID_ARGUMENT);
    assert_non_null(strstr(TF_Message(s->status), "'floor' (op type: Floor) has no gradient by design"));
    sl_add_gradients(s->graph, &y, NULL, 1, &other, 1, &options, &dx, s->status);
    assert_non_null(strstr(TF_Message(s->status), "no y depends on it"));
    TF_Output none;
    TF_AddGradients(s->graph, &y, 1, &other, 1, NULL, s->status, &none);
    assert_non_null(
        strstr(TF_Message(s->status), "Cannot compute the partial derivative for node 'z' as it's unreachable"));
    TF_AddGradients(s->graph, &y, 1, &x, 1, NULL, s->status, &none);
    assert_fine(s->status);
    assert_null(none.oper);
    options.no_gradient = SL_NO_GRADIENT_ZEROS;
    sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status);
    assert_fine(s->status);
    assert_string_equal(TF_OperationOpType(dx.values.oper), "ZerosLike");
}

static void names_are_in_a_scope(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), y = one(s->graph, "Tanh", "t", x), dx;
    TF_AddGradients(s->graph, &y, 1, &x, 1, NULL, s->status, &dx);
    assert_fine(s->status);
    assert_string_equal(TF_OperationName(dx.oper), "gradients/TanhGrad");
    TF_AddGradients(s->graph, &y, 1, &x, 1, NULL, s->status, &dx);
    assert_string_equal(TF_OperationName(dx.oper), "gradients_1/TanhGrad");
    TF_AddGradientsWithPrefix(s->graph, "mine", &y, 1, &x, 1, NULL, s->status, &dx);
    assert_string_equal(TF_OperationName(dx.oper), "mine/TanhGrad");
    TF_AddGradientsWithPrefix(s->graph, "t", &y, 1, &x, 1, NULL, s->status, &dx);
    assert_int_equal(TF_GetCode(s->status), TF_INVALID_ARGUMENT);
    assert_string_equal(TF_Message(s->status), "prefix [t] conflicts with existing node in the graph named [t]");
}

static void names_follow_the_nodes(void **state) {
    static const char *const by[] = {[SL_NAMES_FLAT] = "g/TanhGrad",
                                     [SL_NAMES_BY_NODE] = "g/a/b/t_grad/TanhGrad",
                                     [SL_NAMES_BY_SCOPE] = "g/a/b/TanhGrad"};
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), y = one(s->graph, "Tanh", "a/b/t", x);
    struct sl_gradient_options options = {.size = sizeof options, .prefix = "g/"};
    struct sl_slices dx;
    for (int names = SL_NAMES_FLAT; names <= SL_NAMES_BY_SCOPE; names++) {
        options.names = (enum sl_gradient_names)names;
        sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status); /* "g/" is there from the second on */
        assert_fine(s->status);
        assert_string_equal(TF_OperationName(dx.values.oper), by[names]);
    }
    options.prefix = "g"; /* a prefix of its own may not be */
    sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status);
    assert_non_null(strstr(TF_Message(s->status), "prefix [g] conflicts with existing node"));
    options.names = (enum sl_gradient_names)3;
    sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status);
    assert_string_equal(TF_Message(s->status), "sl_gradient_options: names is 3");
}

static void gathers_give_rows(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2);
    const int32_t rows[] = {2, 0};
    const int64_t dims[] = {2};
    TF_Output indices = constant_of(s->graph, "rows", TF_INT32, rows, sizeof rows, dims, 1);
    TF_Output a = two(s->graph, "Gather", "a", x, indices), b = two(s->graph, "Gather", "b", x, indices);
    TF_Output y = two(s->graph, "Mul", "y", a, b);
    struct sl_gradient_options options = {.keep_slices = 1};
    struct sl_slices dx;
    sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status);
    assert_fine(s->status);
    TF_Tensor *values[3];
    fetch(s, (TF_Output[]){dx.values, dx.indices, dx.dense_shape}, values, 3);
    assert_int_equal(TF_Dim(values[0], 0), 4);
    assert_int_equal(((int32_t *)TF_TensorData(values[1]))[2], 2);
    assert_int_equal(((int32_t *)TF_TensorData(values[2]))[0], 3);
    for (int i = 0; i < 3; i++) TF_DeleteTensor(values[i]);
    check_order(s->graph, y, x, 2, 1e-6);
}

static void stops_are_constants(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), a = one(s->graph, "Square", "a", x);
    TF_Output y = two(s->graph, "Mul", "y", a, x);
    struct sl_gradient_options options = {.stop_gradients = &a, .num_stop_gradients = 1};
    struct sl_slices dx;
    sl_add_gradients(s->graph, &y, NULL, 1, &x, 1, &options, &dx, s->status);
    assert_fine(s->status);
    TF_Tensor *value;
    fetch(s, &dx.values, &value, 1);
    assert_true(fabs(((double *)TF_TensorData(value))[1] - .64) < 1e-12); /* a, not 3 a */
    TF_DeleteTensor(value);
}

/* Five readers of x: one AddN of five, or four AddNs of two, and the same sum. */
static void gradients_that_meet_are_added_as_asked(void **state) {
    struct scene *s = *state;
    shared = s->status;
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), y[5];
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++) y[i] = one(s->graph, "Square", names[i], x);
    for (int way = SL_ADD_ALL; way <= SL_ADD_PAIRS + 1; way++) {
        struct sl_gradient_options options = {.aggregation = (enum sl_aggregation)way};
        struct sl_slices dx;
        sl_add_gradients(s->graph, y, NULL, 5, &x, 1, &options, &dx, s->status);
        if (way > SL_ADD_PAIRS) {
            assert_int_equal(TF_GetCode(s->status), TF_INVALID_ARGUMENT);
            return;
        }
        assert_fine(s->status);
        assert_string_equal(TF_OperationOpType(dx.values.oper), "AddN");
        assert_int_equal(TF_OperationNumInputs(dx.values.oper), way == SL_ADD_ALL ? 5 : 2);
        TF_Tensor *value;
        fetch(s, &dx.values, &value, 1);
        assert_true(fabs(((double *)TF_TensorData(value))[1] - 8) < 1e-12);
        TF_DeleteTensor(value);
    }
}

/* d sin = 3 dy cos, a rule that nobody else would have. */
static void three_cosines(const struct sl_gradient_node *n, void *arg, TF_Status *status) {
    static int made;
    char names[2][32];
    snprintf(names[0], 32, "mine_%d", made++);
    snprintf(names[1], 32, "mine_%d", made++);
    shared = status;
    TF_Output cosine = one(n->graph, "Cos", names[0], n->xs[0]);
    TF_Output three = number(n->graph, "three", *(double *)arg);
    n->dxs[0] = two(n->graph, "Mul", names[1], two(n->graph, "Mul", "by_three", cosine, three), n->dys[0]);
}

static double first_of(struct scene *s, TF_Output y) {
    TF_Tensor *t;
    fetch(s, &y, &t, 1);
    double v = *(double *)TF_TensorData(t);
    TF_DeleteTensor(t);
    return v;
}

static void rules_of_ones_own(void **state) {
    struct scene *s = *state;
    shared = s->status;
    static double three = 3;
    sl_register_gradient("ThreeCosines", three_cosines, &three, s->status);
    assert_fine(s->status);
    sl_register_gradient("ThreeCosines", three_cosines, &three, s->status);
    assert_int_equal(TF_GetCode(s->status), TF_ALREADY_EXISTS);
    TF_Output x = vector(s->graph, "x", .3, .8, 1.2), dx;
    TF_OperationDescription *d = TF_NewOperation(s->graph, "Sin", "sin");
    TF_AddInput(d, x);
    TF_SetAttrString(d, "_gradient_op_type", "ThreeCosines", 12);
    TF_Output y = {TF_FinishOperation(d, s->status), 0};
    assert_fine(s->status);
    TF_AddGradients(s->graph, &y, 1, &x, 1, NULL, s->status, &dx);
    assert_fine(s->status);
    shared = s->status;
    assert_true(fabs(first_of(s, dx) - 3 * cos(.3)) < 1e-12);
    d = TF_NewOperation(s->graph, "Sin", "other"); /* a name that nobody registered */
    TF_AddInput(d, x);
    TF_SetAttrString(d, "_gradient_op_type", "FourCosines", 11);
    y.oper = TF_FinishOperation(d, s->status);
    TF_AddGradients(s->graph, &y, 1, &x, 1, NULL, s->status, &dx);
    assert_int_equal(TF_GetCode(s->status), TF_NOT_FOUND);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(loops),
        TEST(loops_without_iterations),
        TEST(loops_in_loops),
        TEST(loops_that_read_variables),
        TEST(conditionals),
        TEST(conditionals_that_take_the_other_side),
        TEST(conditionals_in_loops),
        TEST(loops_in_conditionals_in_loops),
        TEST(arrays),
        TEST(compressed_rows),
        TEST(calls_share_their_values),
        TEST(conditionals_within_functions),
        TEST(conditionals_of_functions),
        TEST(conditionals_that_read_variables),
        TEST(loops_of_functions),
        TEST(loops_of_functions_that_read_variables),
        TEST(failures_leave_nothing_behind),
        TEST(what_cannot_be_asked_for),
        TEST(what_has_no_gradient_by_design),
        TEST(names_are_in_a_scope),
        TEST(names_follow_the_nodes),
        TEST(gathers_give_rows),
        TEST(stops_are_constants),
        TEST(gradients_that_meet_are_added_as_asked),
        TEST(rules_of_ones_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
