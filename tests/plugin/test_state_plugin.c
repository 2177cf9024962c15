/* Loads the plug-in whose kernels touch state, and runs its ops beside the library's. */
#include <dlfcn.h>
#include <stdlib.h>

#include "tensorflow/c/tf_tstring.h"
#include "unit/capi/capi_fixture.h"

static TF_Library *library;
static const int *counters; /* of the plug-in that live */

static int load(void **state) {
    (void)state;
    TF_Status *s = TF_NewStatus();
    library = TF_LoadLibrary(PLUGIN, s);
    assert_status_ok(s);
    counters = dlsym(dlopen(PLUGIN, RTLD_NOW), "state_plugin_counters");
    assert_non_null(counters);
    TF_DeleteStatus(s);
    return 0;
}

static int unload(void **state) {
    (void)state;
    TF_DeleteLibraryHandle(library);
    return 0;
}

/* ---- short words */

/* An op with up to four inputs, ended by a NULL one, and the attr `type_attr` (NULL: none). */
static TF_Operation *add_op(struct fixture *f, const char *op, const char *name, const TF_Output *inputs,
                            const char *type_attr) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, op, name);
    for (; inputs && inputs->oper; inputs++) TF_AddInput(d, *inputs);
    if (type_attr) TF_SetAttrType(d, type_attr, TF_FLOAT);
    if (type_attr && strcmp(type_attr, "dtype") == 0 && strncmp(op, "Var", 3) == 0)
        TF_SetAttrShape(d, "shape", NULL, -1);
    TF_Operation *made = TF_FinishOperation(d, f->status);
    assert_status_ok(f->status);
    return made;
}
#define INPUTS(...) ((const TF_Output[]){__VA_ARGS__, {NULL, 0}})

static TF_Output output(TF_Operation *op, int i) { return (TF_Output){op, i}; }

static TF_Tensor *floats(int64_t n, const float *values) {
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, &n, 1, (size_t)n * sizeof *values);
    memcpy(TF_TensorData(t), values, (size_t)n * sizeof *values);
    return t;
}

/* Feeds `n` floats (none when `feed.oper` is NULL), runs the target and fetches (either may be NULL). */
static TF_Tensor *run(struct fixture *f, TF_Session *session, TF_Output feed, int64_t n, const float *values,
                      const TF_Operation *target, TF_Output fetch) {
    TF_Tensor *in = feed.oper ? floats(n, values) : NULL, *out = NULL;
    TF_SessionRun(session, NULL, &feed, &in, feed.oper ? 1 : 0, &fetch, &out, fetch.oper ? 1 : 0, &target,
                  target ? 1 : 0, NULL, f->status);
    TF_DeleteTensor(in);
    return out;
}

static const TF_Output nothing = {NULL, 0};

static void assert_floats(struct fixture *f, TF_Tensor *t, int n, const float *wanted) {
    assert_status_ok(f->status);
    assert_int_equal(TF_TensorElementCount(t), n);
    for (int i = 0; i < n; i++) assert_float_equal(((float *)TF_TensorData(t))[i], wanted[i], 0);
    TF_DeleteTensor(t);
}

/* ---- variables of resources */
struct variable {
    TF_Output handle, read;
    TF_Operation *assign;
};

static struct variable add_variable(struct fixture *f, const char *name, TF_Output x) {
    char text[64];
    struct variable v;
    TF_OperationDescription *d = TF_NewOperation(f->graph, "VarHandleOp", name);
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_SetAttrShape(d, "shape", NULL, -1);
    TF_SetAttrString(d, "shared_name", name, strlen(name));
    v.handle = output(TF_FinishOperation(d, f->status), 0);
    assert_status_ok(f->status);
    strcat(strcpy(text, name), "/read");
    v.read = output(add_op(f, "ReadVariableOp", text, INPUTS(v.handle), "dtype"), 0);
    strcat(strcpy(text, name), "/assign");
    v.assign = add_op(f, "PluginAssign", text, INPUTS(v.handle, x), NULL);
    return v;
}

static void variables_are_assigned_and_updated(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    struct variable v = add_variable(f, "v", x);
    TF_Operation *add = add_op(f, "PluginAddTo", "add", INPUTS(v.handle, x), NULL);
    TF_Operation *take = add_op(f, "PluginTakeFrom", "take", INPUTS(v.handle, x), NULL);
    TF_Session *session = new_session(f->graph, f->status);

    run(f, session, x, 2, (float[]){1, 2}, add, nothing);
    assert_status(f->status, TF_NOT_FOUND, "does not exist");
    run(f, session, x, 2, (float[]){1, 2}, v.assign, nothing);
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, v.read), 2, (float[]){1, 2});
    run(f, session, x, 3, (float[]){1, 2, 3}, v.assign, nothing);
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "Trying to assign to variable with tensor with wrong shape. Expected [2] got [3]");

    /* What was read stays as it was. */
    TF_Tensor *before = run(f, session, nothing, 0, NULL, NULL, v.read);
    run(f, session, x, 2, (float[]){10, 20}, add, nothing);
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, v.read), 2, (float[]){11, 22});
    assert_floats(f, before, 2, (float[]){1, 2});
    run(f, session, x, 2, (float[]){1, 1}, take, nothing);
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, v.read), 2, (float[]){10, 21});
    run(f, session, x, 3, (float[]){1, 1, 1}, add, nothing);
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "Cannot update variable with shape [2] using a Tensor with shape [3], shapes must be equal.");
    TF_DeleteSession(session, f->status);
}

static void variables_are_locked_and_written_to(void **state) {
    struct fixture *f = *state;
    static const char *const ops[] = {"PluginMove", "PluginMoveSparse"};
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    struct variable a = add_variable(f, "a", x), b = add_variable(f, "b", x);
    TF_Session *session = new_session(f->graph, f->status);
    run(f, session, x, 1, (float[]){100}, a.assign, nothing);
    run(f, session, x, 1, (float[]){50}, b.assign, nothing);
    for (int i = 0; i < 2; i++) {
        TF_Operation *move = add_op(f, ops[i], ops[i], INPUTS(a.handle, b.handle, x), NULL);
        TF_Operation *stay = add_op(f, ops[i], i ? "s1" : "s0", INPUTS(a.handle, a.handle, x), NULL);
        TF_Tensor *before = run(f, session, nothing, 0, NULL, NULL, a.read);
        run(f, session, x, 1, (float[]){5}, move, nothing);
        assert_status_ok(f->status);
        run(f, session, x, 1, (float[]){0}, stay, nothing);
        assert_status_ok(f->status); /* one variable twice is locked once */
        assert_floats(f, run(f, session, nothing, 0, NULL, NULL, a.read), 1, (float[]){95 - 5 * (float)i});
        assert_floats(f, run(f, session, nothing, 0, NULL, NULL, b.read), 1, (float[]){55 + 5 * (float)i});
        assert_floats(f, before, 1, (float[]){100 - 5 * (float)i});
    }
    struct variable unset = add_variable(f, "unset", x);
    TF_Operation *fails = add_op(f, "PluginMove", "fails", INPUTS(a.handle, unset.handle, x), NULL);
    run(f, session, x, 1, (float[]){5}, fails, nothing);
    assert_status(f->status, TF_NOT_FOUND, "does not exist");
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, a.read), 1, (float[]){90}); /* and is not locked */
    TF_DeleteSession(session, f->status);
}

/* ---- references */
static void references_are_assigned_and_passed_on(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    TF_OperationDescription *d = TF_NewOperation(f->graph, "VariableV2", "v");
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_SetAttrShape(d, "shape", (int64_t[]){2}, 1);
    TF_Output v = output(TF_FinishOperation(d, f->status), 0);
    TF_Output assigned = output(add_op(f, "PluginAssignRef", "assign", INPUTS(v, x), NULL), 0);
    TF_Output same = output(add_op(f, "PluginSameRef", "same", INPUTS(assigned), NULL), 0);
    TF_Session *session = new_session(f->graph, f->status);
    assert_floats(f, run(f, session, x, 2, (float[]){3, 4}, NULL, same), 2, (float[]){3, 4});
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, v), 2, (float[]){3, 4});
    run(f, session, x, 3, (float[]){3, 4, 5}, NULL, same);
    assert_status(f->status, TF_INVALID_ARGUMENT,
                  "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [3]");
    TF_DeleteSession(session, f->status);
}

static void temporary_variables_live_in_one_step(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    TF_Output temporary = output(add_op(f, "PluginMakeTemporary", "t", NULL, NULL), 0);
    TF_Output assigned = output(add_op(f, "PluginAssignRef", "assign", INPUTS(temporary, x), NULL), 0);
    TF_Output dropped = output(add_op(f, "PluginDropTemporary", "drop", INPUTS(temporary), NULL), 0);
    TF_Output after = output(add_op(f, "PluginDropTemporary", "after", INPUTS(assigned), NULL), 0);
    TF_Session *session = new_session(f->graph, f->status);
    for (int i = 0; i < 2; i++) {
        assert_floats(f, run(f, session, nothing, 0, NULL, NULL, dropped), 3, (float[]){0, 1, 2});
        assert_floats(f, run(f, session, x, 3, (float[]){7, 8, 9}, NULL, after), 3, (float[]){7, 8, 9});
    }
    /* Dropped twice in a step: one of the two finds nothing. */
    const TF_Output both[2] = {dropped, after};
    TF_Tensor *in = floats(3, (float[]){7, 8, 9}), *out[2];
    TF_SessionRun(session, NULL, &x, &in, 1, both, out, 2, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_NOT_FOUND, "temporary");
    TF_DeleteTensor(in);
    TF_DeleteSession(session, f->status);
}

/* ---- variants */

/* A list of the rows of x. */
static TF_Output list_of(struct fixture *f, const char *name, TF_Output x, TF_Output shape) {
    TF_OperationDescription *d = TF_NewOperation(f->graph, "TensorListFromTensor", name);
    TF_AddInput(d, x);
    TF_AddInput(d, shape);
    TF_SetAttrType(d, "element_dtype", TF_FLOAT);
    TF_SetAttrType(d, "shape_type", TF_INT32);
    TF_Output list = output(TF_FinishOperation(d, f->status), 0);
    assert_status_ok(f->status);
    return list;
}

static TF_Output stack_of(struct fixture *f, const char *name, TF_Output list, TF_Output shape) {
    return output(add_op(f, "TensorListStack", name, INPUTS(list, shape), "element_dtype"), 0);
}

static void lists_are_summed_by_the_plugin(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    TF_Output shape = typed_placeholder(f->graph, f->status, "shape", TF_INT32);
    TF_Output list = list_of(f, "list", x, shape);
    TF_Output sum = output(add_op(f, "PluginAddTwo", "sum", INPUTS(list, list), NULL), 0);
    TF_Output zeros = output(add_op(f, "PluginZeros", "zeros", INPUTS(list), NULL), 0);
    const TF_Output feeds[2] = {x, shape};
    const TF_Output fetches[2] = {stack_of(f, "a", sum, shape), stack_of(f, "b", zeros, shape)};
    TF_Session *session = new_session(f->graph, f->status);
    const int64_t dims[2] = {2, 2}, one = 1;
    const int32_t two = 2, thirteen = 13;
    TF_Tensor *in[2] = {TF_AllocateTensor(TF_FLOAT, dims, 2, 16), TF_AllocateTensor(TF_INT32, &one, 1, 4)}, *out[2];
    memcpy(TF_TensorData(in[0]), ((float[]){1, 2, 3, 4}), 16);
    memcpy(TF_TensorData(in[1]), &two, 4);
    TF_SessionRun(session, NULL, feeds, in, 2, fetches, out, 2, NULL, 0, NULL, f->status);
    assert_floats(f, out[0], 4, (float[]){1002, 1004, 1006, 1008});
    assert_floats(f, out[1], 4, (float[]){-1000, -1000, -1000, -1000});
    TF_DeleteTensor(in[0]);
    const int64_t unlucky[2] = {2, 13};
    in[0] = TF_AllocateTensor(TF_FLOAT, unlucky, 2, 104);
    memset(TF_TensorData(in[0]), 0, 104);
    memcpy(TF_TensorData(in[1]), &thirteen, 4);
    TF_SessionRun(session, NULL, feeds, in, 2, fetches, out, 1, NULL, 0, NULL, f->status);
    assert_status(f->status, TF_INVALID_ARGUMENT, "thirteen is bad luck");
    for (int i = 0; i < 2; i++) TF_DeleteTensor(in[i]);
    TF_DeleteSession(session, f->status);
}

/* ---- resources of the plug-in's own */

static void a_plugin_keeps_things_in_the_session(void **state) {
    struct fixture *f = *state;
    TF_Output n = output(add_op(f, "PluginCount", "count", NULL, NULL), 0);
    TF_Operation *claim = add_op(f, "PluginClaim", "claim", NULL, NULL);
    for (int s = 0; s < 2; s++) { /* each session has its own */
        TF_Session *session = new_session(f->graph, f->status);
        for (int i = 0; i < 3; i++) {
            TF_Tensor *t = run(f, session, nothing, 0, NULL, NULL, n);
            assert_status_ok(f->status);
            assert_true(*(const float *)TF_TensorData(t) == 100 + (float)i);
            TF_DeleteTensor(t);
        }
        run(f, session, nothing, 0, NULL, claim, nothing);
        assert_status_ok(f->status);
        run(f, session, nothing, 0, NULL, claim, nothing);
        assert_int_equal(TF_GetCode(f->status), TF_ALREADY_EXISTS);
        assert_int_equal(*counters, 2);
        TF_DeleteSession(session, f->status);
        assert_int_equal(*counters, 0);
    }
}

static void variables_are_taken_in_hand(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    struct variable v = add_variable(f, "v", x), w = add_variable(f, "w", x);
    TF_Operation *both = add_op(f, "PluginDoubleBoth", "both", INPUTS(v.handle, w.handle), NULL);
    TF_Operation *twice = add_op(f, "PluginDoubleBoth", "twice", INPUTS(v.handle, v.handle), NULL);
    TF_Session *session = new_session(f->graph, f->status);
    run(f, session, x, 2, (float[]){1, 2}, v.assign, nothing);
    assert_status_ok(f->status);
    run(f, session, nothing, 0, NULL, both, nothing);
    assert_int_equal(TF_GetCode(f->status), TF_NOT_FOUND); /* there is no w yet */
    run(f, session, x, 2, (float[]){1, 2}, v.assign, nothing);
    run(f, session, x, 1, (float[]){5}, w.assign, nothing);
    TF_Tensor *before = run(f, session, nothing, 0, NULL, NULL, v.read);
    run(f, session, nothing, 0, NULL, both, nothing);
    assert_status_ok(f->status);
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, v.read), 2, (float[]){2, 4});
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, w.read), 1, (float[]){10});
    assert_floats(f, before, 2, (float[]){1, 2});
    run(f, session, nothing, 0, NULL, twice, nothing);
    assert_status_ok(f->status);
    assert_floats(f, run(f, session, nothing, 0, NULL, NULL, v.read), 2, (float[]){8, 16});
    TF_DeleteSession(session, f->status);
}

/* ---- the session around */
static bool contains(TF_Tensor *t, const char *text) {
    TF_TString *s = TF_TensorData(t);
    return memmem(TF_TString_GetDataPointer(s), TF_TString_GetSize(s), text, strlen(text)) != NULL;
}

static void kernels_ask_for_what_is_around_them(void **state) {
    struct fixture *f = *state;
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT);
    struct variable v = add_variable(f, "weights", x);
    TF_Operation *tell = add_op(f, "PluginTell", "tell", INPUTS(v.handle), NULL);
    TF_Graph *body = TF_NewGraph();
    TF_Output in = placeholder(body, f->status, "in"), neg = unary(body, f->status, "Neg", "neg", in);
    TF_Function *function =
        TF_GraphToFunction(body, "Negation", 0, -1, NULL, 1, &in, 1, &neg, NULL, NULL, NULL, f->status);
    assert_status_ok(f->status);
    TF_GraphCopyFunction(f->graph, function, NULL, f->status);
    TF_SessionOptions *options = TF_NewSessionOptions();
    static const char config[] = {0x28, 3}; /* inter_op_parallelism_threads: 3 */
    TF_SetConfig(options, config, sizeof config, f->status);
    TF_Session *session = TF_NewSession(f->graph, options, f->status);
    const TF_Output fetches[3] = {{tell, 0}, {tell, 1}, {tell, 2}};
    TF_Tensor *out[3];
    TF_SessionRun(session, NULL, NULL, NULL, 0, fetches, out, 3, NULL, 0, NULL, f->status);
    assert_status_ok(f->status);
    assert_true(contains(out[0], "Negation"));
    TF_TString *told = TF_TensorData(out[1]);
    assert_int_equal(TF_TString_GetSize(told), sizeof config);
    assert_memory_equal(TF_TString_GetDataPointer(told), config, sizeof config);
    assert_true(contains(out[2], "weights") && contains(out[2], "localhost") && contains(out[2], "tensorflow::Var"));
    assert_true(contains(out[2], "/device:CPU:0"));
    for (int i = 0; i < 3; i++) TF_DeleteTensor(out[i]);
    TF_DeleteSession(session, f->status);
    TF_DeleteSessionOptions(options);
    TF_DeleteFunction(function);
    TF_DeleteGraph(body);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(variables_are_assigned_and_updated),    TEST(variables_are_locked_and_written_to),
        TEST(references_are_assigned_and_passed_on), TEST(temporary_variables_live_in_one_step),
        TEST(lists_are_summed_by_the_plugin),        TEST(kernels_ask_for_what_is_around_them),
        TEST(a_plugin_keeps_things_in_the_session),  TEST(variables_are_taken_in_hand),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
