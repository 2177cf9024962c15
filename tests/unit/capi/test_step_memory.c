/* A limit for the memory of a step: by the option and by the environment, in both forms of programs, in functions and
 * loops, for strings and for eager ops; what the error says. */
#include <stdlib.h>

#include "sluice/flow.h"
#include "sluice/limits.h"
#include "sluice/ops.h"
#include "tensorflow/c/eager/c_api.h"
#include "unit/capi/front_fixture.h"

static const char *const engines[] = {"linear", "frames"};
enum { MIB = 1 << 20, FLOATS_OF_MIB = MIB / 4 };

struct run {
    struct front f;
    TF_Output n; /* a fed int32 scalar, so that nothing is computed ahead */
    TF_Status *status;
};

static struct run run_new(void) {
    struct run r = {.f = front_new(), .status = TF_NewStatus()};
    r.n = sl_placeholder(r.f.s, "n", TF_INT32, SL_SCALAR);
    return r;
}

static void run_delete(struct run *r) {
    TF_DeleteStatus(r->status);
    front_delete(&r->f);
}

/* Opens a session with this limit, 0: none, and this engine. */
static void open_limited(struct run *r, size_t limit, const char *engine) {
    if (!sl_scope_ok(r->f.s)) fail_msg("%s", sl_scope_message(r->f.s));
    TF_SessionOptions *options = TF_NewSessionOptions();
    sl_options_set_step_memory(options, limit);
    setenv("SLUICE_EXEC", engine, 1);
    r->f.session = TF_NewSession(r->f.graph, options, r->status);
    unsetenv("SLUICE_EXEC");
    TF_DeleteSessionOptions(options);
}

/* Fetches one value with n fed; the caller's. */
static TF_Tensor *fetch(struct run *r, TF_Output y, int32_t n) {
    TF_Tensor *fed = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof n), *result = NULL;
    *(int32_t *)TF_TensorData(fed) = n;
    TF_SessionRun(r->f.session, NULL, &r->n, &fed, 1, &y, &result, 1, NULL, 0, NULL, r->status);
    TF_DeleteTensor(fed);
    return result;
}

static void expect_code(struct run *r, TF_Code code, const char *text) {
    if (TF_GetCode(r->status) != code || !strstr(TF_Message(r->status), text))
        fail_msg("got %d: %s\nwanted %d: ...%s...", TF_GetCode(r->status), TF_Message(r->status), code, text);
}

/* Under both engines: fails with `text` for this limit, and runs with `enough`. */
static void limited(struct run *r, TF_Output y, int32_t n, size_t limit, size_t enough, const char *text) {
    for (int e = 0; e < 2; e++) {
        open_limited(r, limit, engines[e]);
        for (int again = 0; again < 2; again++) { /* a step that failed leaves nothing behind */
            assert_null(fetch(r, y, n));
            expect_code(r, TF_RESOURCE_EXHAUSTED, text);
        }
        TF_DeleteSession(r->f.session, r->status);
        open_limited(r, enough, engines[e]);
        TF_Tensor *result = fetch(r, y, n);
        expect_code(r, TF_OK, "");
        TF_DeleteTensor(result);
        TF_DeleteSession(r->f.session, r->status);
        r->f.session = NULL;
    }
}

/* n MiB of floats. */
static TF_Output mebibytes(struct sl_scope *s, const char *name, TF_Output n, int32_t times) {
    TF_Output dims =
        sl_mul(s, sl_expand_dims(s, n, sl_scalar(s, TF_INT32, 0)), sl_int_vector(s, SL_INTS(FLOATS_OF_MIB * times)));
    sl_push_name(s, name);
    TF_Output y = sl_fill(s, sl_cast(s, dims, (struct sl_cast_attrs){.DstT = TF_INT32}), sl_scalar(s, TF_FLOAT, 1));
    sl_pop(s);
    return y;
}

static void the_error_names_who_asked_and_who_holds(void **state) {
    (void)state;
    struct run r = run_new();
    struct sl_scope *s = r.f.s;
    TF_Output kept = mebibytes(s, "kept", r.n, 1), large = sl_tile(s, kept, sl_int_vector(s, SL_INTS(8)));
    TF_Output sum = sl_concat_v2(s, (TF_Output[]){kept, large}, 2, sl_scalar(s, TF_INT32, 0));
    limited(&r, sum, 2, 10 * MIB, 64 * MIB,
            "node 'Tile' (Tile) asked for 16.00 MiB. It holds: 'kept/Fill' (Fill) 2.00 MiB in 1 block");
    run_delete(&r);
}

static void the_environment_says_it_too(void **state) {
    (void)state;
    struct run r = run_new();
    TF_Output y = mebibytes(r.f.s, "y", r.n, 1);
    setenv("SLUICE_STEP_MEMORY", "3M", 1);
    open_limited(&r, 0, "linear");
    assert_null(fetch(&r, y, 4));
    expect_code(&r, TF_RESOURCE_EXHAUSTED, "may hold 3.00 MiB");
    TF_Tensor *result = fetch(&r, y, 2);
    expect_code(&r, TF_OK, "");
    TF_DeleteTensor(result);
    TF_DeleteSession(r.f.session, r.status);
    open_limited(&r, 5 * MIB, "linear"); /* the option goes first */
    result = fetch(&r, y, 4);
    expect_code(&r, TF_OK, "");
    TF_DeleteTensor(result);
    TF_DeleteSession(r.f.session, r.status);
    static const char *const wrong[] = {"3X", "much", "-1", "3MB", "0", "99999999999999999999", "17179869184G"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("SLUICE_STEP_MEMORY", wrong[i], 1);
        open_limited(&r, 0, "linear");
        assert_null(r.f.session);
        expect_code(&r, TF_INVALID_ARGUMENT, "SLUICE_STEP_MEMORY is '");
    }
    unsetenv("SLUICE_STEP_MEMORY");
    run_delete(&r);
}

/* ---- loops, also as functions: what grows from turn to turn */
static TF_Output is_below(struct sl_scope *s, const TF_Output *v, void *arg) {
    (void)arg;
    return sl_less(s, v[0], v[1]);
}
static void double_it(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = v[1];
    next[2] = sl_concat_v2(s, (TF_Output[]){v[2], v[2]}, 2, sl_scalar(s, TF_INT32, 0));
}
/* Each turn keeps some 40 KB more, in blocks that are small. */
static void push_it(struct sl_scope *s, TF_Output *next, const TF_Output *v, void *arg) {
    (void)arg;
    next[0] = sl_add_v2(s, v[0], sl_scalar(s, TF_INT32, 1));
    next[1] = v[1];
    TF_Output row =
        sl_fill(s, sl_int_vector(s, SL_INTS(10000)), sl_cast(s, v[0], (struct sl_cast_attrs){.DstT = TF_FLOAT}));
    next[2] = sl_tensor_list_push_back(s, v[2], row);
}

static void loops_and_functions_are_counted(void **state) {
    (void)state;
    for (int functional = 0; functional < 2; functional++) {
        struct run r = run_new();
        struct sl_scope *s = r.f.s;
        struct sl_while_options vary = SL_OPTIONS(sl_while_options, .shapes_vary = true);
        sl_push_functional(s, functional);
        TF_Output doubled[3] = {sl_scalar(s, TF_INT32, 0), r.n, sl_float_vector(s, FLOATS(1, 2))};
        sl_while(s, doubled, doubled, 3, is_below, double_it, NULL, &vary);
        TF_Output list[3] = {sl_scalar(s, TF_INT32, 0), r.n};
        list[2] = sl_empty_tensor_list(s, sl_int_vector(s, SL_INTS(10000)), sl_scalar(s, TF_INT32, -1),
                                       (struct sl_empty_tensor_list_attrs){.element_dtype = TF_FLOAT});
        sl_while(s, list, list, 3, is_below, push_it, NULL, NULL);
        TF_Output length = sl_tensor_list_length(s, list[2]);
        limited(&r, doubled[2], 20, 4 * MIB, 64 * MIB, "(ConcatV2) asked for ");
        limited(&r, length, 200, 2 * MIB, 16 * MIB, "(Fill) asked for 39.");
        sl_pop(s);
        run_delete(&r);
    }
}

/* While they are made, before their tensor is a value. */
static void strings_are_counted(void **state) {
    (void)state;
    struct run r = run_new();
    struct sl_scope *s = r.f.s;
    static char text[4097];
    memset(text, 'x', sizeof text - 1);
    TF_Output many = sl_fill(s, sl_expand_dims(s, r.n, sl_scalar(s, TF_INT32, 0)), sl_string_scalar(s, text));
    limited(&r, many, 1000, 2 * MIB, 16 * MIB, "node 'Fill' (Fill) asked for 4.00 KiB");
    TF_Output lengths = sl_string_length(s, sl_string_join(s, (TF_Output[]){many, many}, 2));
    limited(&r, lengths, 400, 4 * MIB, 16 * MIB, "'Fill' (Fill) 1.57 MiB in 1 block");
    run_delete(&r);
}

static void eager_ops_are_counted_one_by_one(void **state) {
    (void)state;
    TF_Status *status = TF_NewStatus();
    TFE_ContextOptions *options = TFE_NewContextOptions();
    setenv("SLUICE_STEP_MEMORY", "2M", 1);
    TFE_Context *context = TFE_NewContext(options, status);
    unsetenv("SLUICE_STEP_MEMORY");
    assert_int_equal(TF_GetCode(status), TF_OK);
    static const int32_t sizes[] = {300000, 600000};
    for (int i = 0; i < 2; i++) {
        const int64_t one = 1;
        TF_Tensor *dims = TF_AllocateTensor(TF_INT32, &one, 1, sizeof *sizes),
                  *value = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float));
        *(int32_t *)TF_TensorData(dims) = sizes[i];
        *(float *)TF_TensorData(value) = 1;
        TFE_TensorHandle *in[2] = {TFE_NewTensorHandle(dims, status), TFE_NewTensorHandle(value, status)}, *out = NULL;
        TFE_Op *op = TFE_NewOp(context, "Fill", status);
        for (int j = 0; j < 2; j++) TFE_OpAddInput(op, in[j], status);
        int n = 1;
        TFE_Execute(op, &out, &n, status);
        if (i == 0) assert_int_equal(TF_GetCode(status), TF_OK);
        else if (TF_GetCode(status) != TF_RESOURCE_EXHAUSTED ||
                 !strstr(TF_Message(status), "node 'Fill' (Fill) asked for 2.29 MiB"))
            fail_msg("%s", TF_Message(status));
        if (i == 0) TFE_DeleteTensorHandle(out);
        TFE_DeleteOp(op);
        for (int j = 0; j < 2; j++) TFE_DeleteTensorHandle(in[j]);
        TF_DeleteTensor(dims);
        TF_DeleteTensor(value);
    }
    TFE_DeleteContextOptions(options);
    TFE_DeleteContext(context);
    TF_DeleteStatus(status);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_names_who_asked_and_who_holds), cmocka_unit_test(the_environment_says_it_too),
        cmocka_unit_test(loops_and_functions_are_counted),         cmocka_unit_test(strings_are_counted),
        cmocka_unit_test(eager_ops_are_counted_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
