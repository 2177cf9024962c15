/* Who made a NaN: what the error says, in both forms of programs, in fused chains, functions, loops and gradients, for
 * every type, for eager ops; what is let pass. */
#include <stdio.h>
#include <stdlib.h>

#include "sluice/explain.h"
#include "sluice/flow.h"
#include "sluice/layers.h"
#include "sluice/ops.h"
#include "tensorflow/c/eager/c_api.h"
#include "unit/capi/front_fixture.h"

static const char *const engines[] = {"linear", "frames"};
enum { BOTH = SL_WATCH_NANS | SL_WATCH_INFINITIES };

struct run {
    struct front f;
    TF_Output x; /* a fed float scalar, so that nothing is computed ahead */
    TF_Status *status;
};

static struct run run_new(void) {
    struct run r = {.f = front_new(), .status = TF_NewStatus()};
    r.x = sl_placeholder(r.f.s, "x", TF_FLOAT, SL_SCALAR);
    return r;
}

static void run_delete(struct run *r) {
    TF_DeleteStatus(r->status);
    front_delete(&r->f);
}

static void open_watching(struct run *r, unsigned what, const char *engine) {
    if (!sl_scope_ok(r->f.s)) fail_msg("%s", sl_scope_message(r->f.s));
    TF_SessionOptions *options = TF_NewSessionOptions();
    sl_watch_numerics(options, what);
    setenv("SLUICE_EXEC", engine, 1);
    r->f.session = TF_NewSession(r->f.graph, options, r->status);
    unsetenv("SLUICE_EXEC");
    TF_DeleteSessionOptions(options);
}

static void fetch(struct run *r, TF_Output y, float x) {
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof x), *result = NULL;
    *(float *)TF_TensorData(fed) = x;
    TF_SessionRun(r->f.session, NULL, &r->x, &fed, 1, &y, &result, 1, NULL, 0, NULL, r->status);
    TF_DeleteTensor(fed);
    if (result) TF_DeleteTensor(result);
}

/* Under both engines, twice each: fails for x with all texts, NULL ends them. Without any it runs. */
static void watched(struct run *r, unsigned what, TF_Output y, float x, const char *const *texts) {
    for (int e = 0; e < 2; e++) {
        open_watching(r, what, engines[e]);
        for (int again = 0; again < 2; again++) {
            fetch(r, y, x);
            if (TF_GetCode(r->status) != (*texts ? TF_INVALID_ARGUMENT : TF_OK))
                fail_msg("%s: %d: %s", engines[e], TF_GetCode(r->status), TF_Message(r->status));
            for (const char *const *t = texts; *t; t++)
                if (!strstr(TF_Message(r->status), *t))
                    fail_msg("%s: got: %s\nwanted: %s", engines[e], TF_Message(r->status), *t);
        }
        TF_DeleteSession(r->f.session, r->status);
        r->f.session = NULL;
    }
}
#define WATCHED(r, what, y, x, ...) watched(r, what, y, x, (const char *const[]){__VA_ARGS__, NULL})

static void the_first_node_is_named_with_its_inputs(void **state) {
    (void)state;
    struct run r = run_new();
    struct sl_scope *s = r.f.s;
    TF_Output v = sl_mul(s, r.x, sl_float_vector(s, FLOATS(1, -2, 3)));
    TF_Output y = sl_tanh(s, sl_sqrt(s, sl_log(s, v)));
    WATCHED(&r, BOTH, y, 1,
            "node 'Log' (Log) makes a NaN: of the 3 values of output 0 (float [3]) 1 is NaN, the first at 1",
            "input 0: float [3], -2 to 3");
    run_delete(&r);
}

static void infinities_are_told_when_they_are_watched(void **state) {
    (void)state;
    struct run r = run_new();
    TF_Output y = sl_neg(r.f.s, sl_reciprocal(r.f.s, sl_tanh(r.f.s, r.x)));
    WATCHED(&r, BOTH, y, 0, "node 'Reciprocal' (Reciprocal) makes an infinity: of the 1 values");
    WATCHED(&r, SL_WATCH_NANS, y, 0, NULL);
    WATCHED(&r, BOTH, y, 2, NULL);
    TF_Output nan = sl_mul(r.f.s, y, sl_tanh(r.f.s, r.x)); /* -infinity by 0 */
    WATCHED(&r, SL_WATCH_NANS, nan, 0, "node 'Mul' (Mul) makes a NaN", "input 0: float [], 1 infinite");
    run_delete(&r);
}

static void what_is_fed_or_constant_is_not_made(void **state) {
    (void)state;
    struct run r = run_new();
    struct sl_scope *s = r.f.s;
    WATCHED(&r, BOTH, sl_sin(s, r.x), NAN, NULL);
    WATCHED(&r, BOTH, sl_maximum(s, r.x, sl_scalar(s, TF_FLOAT, -INFINITY)), 1, NULL);
    TF_Output folded = sl_add_v2(s, r.x, sl_log(s, sl_float_vector(s, FLOATS(-1))));
    WATCHED(&r, BOTH, folded, 1, "(Log) makes a NaN", "float [1], -1");
    run_delete(&r);
}

static void a_variable_brings_it_in(void **state) {
    (void)state;
    struct run r = run_new();
    struct sl_scope *s = r.f.s;
    TF_Output w = sl_var_handle_op(s, (struct sl_var_handle_op_attrs){.dtype = TF_FLOAT,
                                                                      .shape = SL_SHAPE(2),
                                                                      .shared_name = "weights"});
    TF_Output value = sl_mul(s, r.x, sl_float_vector(s, FLOATS(1, NAN)));
    TF_Operation *set = sl_assign_variable_op(s, w, value);
    sl_push_control(s, &set, 1);
    TF_Output read = sl_read_variable_op(s, w, (struct sl_read_variable_op_attrs){.dtype = TF_FLOAT});
    sl_pop(s);
    WATCHED(&r, BOTH, read, 1, "node 'ReadVariableOp' (ReadVariableOp) brings in a NaN", "input 0: 'weights'");
    run_delete(&r);
}

/* ---- loops and functions */
static TF_Output is_below(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], sl_scalar(s, TF_INT32, 5));
}
static void root_of_less(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = sl_sqrt(s, sl_sub(s, v[1], sl_scalar(s, TF_FLOAT, 1))); /* of 5: 2, 1, 0, then of -1 */
}
static void twice(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    TF_Output inner[2] = {sl_scalar(s, TF_INT32, 0), v[1]};
    (void)arg;
    sl_while(s, inner, inner, 2, is_below, root_of_less, NULL, NULL);
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = inner[1];
}

static void iterations_are_told(void **state) {
    (void)state;
    for (int functional = 0; functional < 2; functional++) {
        struct run r = run_new();
        struct sl_scope *s = r.f.s;
        sl_push_functional(s, functional);
        TF_Output one[2] = {sl_scalar(s, TF_INT32, 0), r.x}, two[2] = {one[0], r.x};
        sl_while(s, one, one, 2, is_below, root_of_less, NULL, NULL);
        sl_while(s, two, two, 2, is_below, twice, NULL, NULL);
        WATCHED(&r, BOTH, one[1], 5, "(Sqrt) makes a NaN", "input 0: float [], -1", "\n  in iteration 3 of loop '");
        WATCHED(&r, BOTH, two[1], 5, "(Sqrt) makes a NaN", "\n  in iteration 3 of loop '",
                "\n  in iteration 0 of loop '");
        WATCHED(&r, BOTH, one[1], 0x1p60f, NULL);
        sl_pop(s);
        run_delete(&r);
    }
}

static void gradients_name_the_node_that_is_differentiated(void **state) {
    (void)state;
    struct run r = run_new();
    struct sl_scope *s = r.f.s;
    TF_Output root = sl_sqrt(s, sl_mul(s, r.x, sl_float_vector(s, FLOATS(0, 4)))), loss = sl_sum_all(s, root);
    TF_Output by = {NULL, 0};
    TF_AddGradients(r.f.graph, &loss, 1, &r.x, 1, NULL, r.status, &by);
    assert_int_equal(TF_GetCode(r.status), TF_OK);
    WATCHED(&r, BOTH, by, 1, "node 'gradients/SqrtGrad' (SqrtGrad) makes an infinity", "input 0: float [2], 0 to 2");
    WATCHED(&r, SL_WATCH_NANS, by, 1, "node 'gradients/Mul' (Mul) makes a NaN", "1 infinite");
    run_delete(&r);
    static const struct {
        const char *name, *text;
    } named[] = {{"gradients/dense/Log_grad/mul", "\n  in the gradient of node 'dense/Log'\n"},
                 {"train/gradients_1/dense/Log_grad/mul", "\n  in the gradient of node 'dense/Log'\n"},
                 {"gradient_tape/model/dense/Log", "\n  in the gradient of node 'model/dense/Log'\n"}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        r = run_new();
        sl_push_name(r.f.s, named[i].name);
        TF_Output y = sl_tanh(r.f.s, sl_log(r.f.s, r.x));
        sl_pop(r.f.s);
        WATCHED(&r, BOTH, y, -1, named[i].text);
        run_delete(&r);
    }
}

static void every_type_is_watched(void **state) {
    (void)state;
    static const TF_DataType types[] = {TF_HALF, TF_BFLOAT16, TF_FLOAT, TF_DOUBLE, TF_COMPLEX64, TF_COMPLEX128};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int n = 1; n < 70; n += 17) { /* the last one: behind whole vectors, and within */
            struct run r = run_new();
            struct sl_scope *s = r.f.s;
            TF_Output all = sl_fill(s, sl_int_vector(s, SL_INTS(n)), sl_scalar(s, TF_FLOAT, 1));
            TF_Output v = sl_concat_v2(s, (TF_Output[]){all, sl_expand_dims(s, r.x, sl_scalar(s, TF_INT32, 0))}, 2,
                                       sl_scalar(s, TF_INT32, 0));
            TF_Output y = sl_reciprocal(s, sl_cast(s, v, (struct sl_cast_attrs){.DstT = types[t]}));
            char at[64];
            snprintf(at, sizeof at, "of the %d values of output 0", n + 1);
            open_watching(&r, BOTH, "linear");
            fetch(&r, y, 0);
            if (TF_GetCode(r.status) != TF_INVALID_ARGUMENT || !strstr(TF_Message(r.status), at))
                fail_msg("type %d, %d: %s", types[t], n, TF_Message(r.status));
            fetch(&r, y, 2);
            assert_int_equal(TF_GetCode(r.status), TF_OK);
            TF_DeleteSession(r.f.session, r.status);
            r.f.session = NULL;
            run_delete(&r);
        }
}

static void eager_ops_are_watched_when_the_environment_says_so(void **state) {
    (void)state;
    TF_Status *status = TF_NewStatus();
    TFE_ContextOptions *options = TFE_NewContextOptions();
    setenv("SLUICE_WATCH_NAN", "nan", 1);
    TFE_Context *context = TFE_NewContext(options, status);
    unsetenv("SLUICE_WATCH_NAN");
    assert_int_equal(TF_GetCode(status), TF_OK);
    for (int i = 0; i < 2; i++) {
        TF_Tensor *value = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float));
        *(float *)TF_TensorData(value) = i ? -1 : 1;
        TFE_TensorHandle *in = TFE_NewTensorHandle(value, status), *out = NULL;
        TFE_Op *op = TFE_NewOp(context, "Log", status);
        TFE_OpAddInput(op, in, status);
        int n = 1;
        TFE_Execute(op, &out, &n, status);
        if (i == 0) assert_int_equal(TF_GetCode(status), TF_OK);
        else if (TF_GetCode(status) != TF_INVALID_ARGUMENT || !strstr(TF_Message(status), "'Log' (Log) makes a NaN"))
            fail_msg("%s", TF_Message(status));
        if (i == 0) TFE_DeleteTensorHandle(out);
        TFE_DeleteOp(op);
        TFE_DeleteTensorHandle(in);
        TF_DeleteTensor(value);
    }
    TFE_DeleteContextOptions(options);
    TFE_DeleteContext(context);
    TF_DeleteStatus(status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_node_is_named_with_its_inputs),
        cmocka_unit_test(infinities_are_told_when_they_are_watched),
        cmocka_unit_test(what_is_fed_or_constant_is_not_made),
        cmocka_unit_test(a_variable_brings_it_in),
        cmocka_unit_test(iterations_are_told),
        cmocka_unit_test(gradients_name_the_node_that_is_differentiated),
        cmocka_unit_test(every_type_is_watched),
        cmocka_unit_test(eager_ops_are_watched_when_the_environment_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
