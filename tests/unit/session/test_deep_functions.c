/* Functions that a few lines make deep or many: chains of calls, functions that call the next one twice, gradients
 * that need themselves, gradients of gradients. What can be run is run; what cannot is refused, and the error names the
 * function. Nothing grows beyond a multiple of what was written. */
#include <stdio.h>
#include <stdlib.h>

#include "proto/gen/messages.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "tensorflow/c/c_api.h"
#include "unit/unit.h"

/* ---- graphs as text that grows */
struct text {
    char *p;
    size_t n, cap;
};

static void add(struct text *t, const char *format, ...) {
    va_list args;
    if (t->cap - t->n < 4096) {
        t->cap = t->cap ? 2 * t->cap : 1 << 16;
        t->p = realloc(t->p, t->cap);
        assert_non_null(t->p);
    }
    va_start(args, format);
    int n = vsnprintf(t->p + t->n, t->cap - t->n, format, args);
    va_end(args);
    assert_in_range(n, 0, 4095);
    t->n += (size_t)n;
}

#define FLOATS(key, n) "attr { key: '" key "' value { list { " n " } } } "
#define F1             "type: DT_FLOAT "
#define F2             F1 F1

/* node { } or node_def { } that gives f(in), or the gradient of f at in, of 1. */
static void add_call(struct text *t, const char *kind, const char *name, const char *f, const char *in) {
    add(t,
        "%s { name: '%s' op: 'PartitionedCall' input: '%s' attr { key: 'f' value { func { name: '%s' } } } " FLOATS(
            "Tin", F1) FLOATS("Tout", F1) "} ",
        kind, name, in, f);
}

static void add_gradient(struct text *t, const char *kind, const char *name, const char *f, const char *in) {
    add(t,
        "%s { name: '%s' op: 'SymbolicGradient' input: '%s' input: '%s' attr { key: 'f' value { func { name: '%s' } } "
        "} " FLOATS("Tin", F2) FLOATS("Tout", F1) "} ",
        kind, name, in, in, f);
}

static void begin_function(struct text *t, const char *name) {
    add(t,
        "function { signature { name: '%s' input_arg { name: 'a' type: DT_FLOAT } "
        "output_arg { name: 'r' type: DT_FLOAT } } ",
        name);
}

static void end_function(struct text *t, const char *result) { add(t, "ret { key: 'r' value: '%s' } } ", result); }

static void add_unary(struct text *t, const char *op, const char *in) {
    add(t, "node_def { name: 'u' op: '%s' input: '%s' attr { key: 'T' value { type: DT_FLOAT } } } ", op, in);
}

static struct text begin(void) {
    struct text t = {0};
    add(&t, "node { name: 'x' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { "
            "tensor { dtype: DT_FLOAT tensor_shape { } float_val: 2 } } } } library { ");
    return t;
}

/* f0 calls f1, which calls f2 ..., each of them `times`; the last negates. */
static struct text chain(int length, int times) {
    struct text t = begin();
    char name[16], next[16];
    for (int i = 0; i < length; i++) {
        snprintf(name, sizeof name, "f%d", i);
        snprintf(next, sizeof next, "f%d", i + 1);
        begin_function(&t, name);
        add_call(&t, "node_def", "p", next, "a");
        if (times > 1) add_call(&t, "node_def", "q", next, "p:output:0");
        end_function(&t, times > 1 ? "q:output:0" : "p:output:0");
    }
    snprintf(name, sizeof name, "f%d", length);
    begin_function(&t, name);
    add_unary(&t, "Neg", "a");
    end_function(&t, "u:y:0");
    add(&t, "} ");
    return t;
}

/* ---- running */

/* Fetches node "end", for at most `milliseconds` (0: any time; less than 16384); its value, when it is OK. Frees the
 * text. */
static float run_for(struct text *t, int milliseconds, TF_Status *status) {
    struct sl_arena arena;
    struct sl_error err = {0};
    struct sl_pb_GraphDef def;
    struct sl_str bytes;
    sl_arena_init(&arena);
    assert_ok(err, sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), sl_str_of(t->p), &arena, &err));
    assert_ok(err, sl_pb_encode(&bytes, SL_PB_TYPE(GraphDef), &def, 0, &arena, &err));
    free(t->p);
    TF_Graph *graph = TF_NewGraph();
    TF_Buffer *buffer = TF_NewBufferFromString(bytes.p, bytes.n);
    TF_ImportGraphDefOptions *import = TF_NewImportGraphDefOptions();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_GraphImportGraphDef(graph, buffer, import, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_Output end = {TF_GraphOperationByName(graph, "end"), 0};
    TF_Tensor *result = NULL;
    const unsigned char timeout[] = {0x10, (unsigned char)(0x80 | (milliseconds & 0x7f)),
                                     (unsigned char)(milliseconds >> 7)}; /* timeout_in_ms */
    TF_Buffer *how = milliseconds ? TF_NewBufferFromString(timeout, sizeof timeout) : NULL;
    TF_SessionRun(session, how, NULL, NULL, 0, &end, &result, 1, NULL, 0, NULL, status);
    if (how) TF_DeleteBuffer(how);
    float value = result ? *(float *)TF_TensorData(result) : 0;
    TF_Code code = TF_GetCode(status);
    char message[512];
    snprintf(message, sizeof message, "%s", TF_Message(status));
    if (result) TF_DeleteTensor(result);
    TF_DeleteSession(session, status);
    TF_SetStatus(status, code, message);
    TF_DeleteSessionOptions(options);
    TF_DeleteImportGraphDefOptions(import);
    TF_DeleteBuffer(buffer);
    TF_DeleteGraph(graph);
    sl_arena_clear(&arena);
    return value;
}

static float run(struct text *t, TF_Status *status) { return run_for(t, 0, status); }

static void gives(struct text t, float wanted) {
    TF_Status *status = TF_NewStatus();
    float got = run(&t, status);
    if (TF_GetCode(status) != TF_OK || got != wanted) fail_msg("%g: %s", (double)got, TF_Message(status));
    TF_DeleteStatus(status);
}

static void refused(struct text t, TF_Code code, const char *says) {
    TF_Status *status = TF_NewStatus();
    run(&t, status);
    if (TF_GetCode(status) != code || !strstr(TF_Message(status), says))
        fail_msg("got %d: %s\nwanted %d: ...%s...", (int)TF_GetCode(status), TF_Message(status), (int)code, says);
    TF_DeleteStatus(status);
}

/* ---- calls */

/* Each function is looked at once, without recursion, and no body has a copy of the library. */
static void ten_thousand_calls_deep(void **state) {
    (void)state;
    struct text t = chain(10000, 1);
    add_call(&t, "node", "end", "f0", "x");
    gives(t, -2);
}

/* 2^17 calls, of which some are inlined. */
static void calls_that_double(void **state) {
    (void)state;
    struct text t = chain(17, 2);
    add_call(&t, "node", "end", "f0", "x");
    gives(t, 2);
}

/* 2^40 calls would take months: each asks whether it is still wanted. */
static void calls_end_at_the_deadline(void **state) {
    (void)state;
    TF_Status *status = TF_NewStatus();
    struct text t = chain(40, 2);
    add_call(&t, "node", "end", "f0", "x");
    run_for(&t, 300, status);
    assert_int_equal(TF_GetCode(status), TF_DEADLINE_EXCEEDED);
    TF_DeleteStatus(status);
}

/* Of 2^40 calls the gradient is not even begun to be derived. */
static void gradients_of_calls_that_double(void **state) {
    (void)state;
    struct text t = chain(5, 2);
    add_gradient(&t, "node", "end", "f0", "x");
    gives(t, 2);
    t = chain(40, 2);
    add_gradient(&t, "node", "end", "f0", "x");
    refused(t, TF_RESOURCE_EXHAUSTED,
            "The gradient of function 'f40': more than 4096 functions would have to be derived");
    t = chain(100, 1);
    add_gradient(&t, "node", "end", "f0", "x");
    refused(t, TF_RESOURCE_EXHAUSTED,
            "The gradient of function 'f49': too many calls within calls: ... -> f33 -> f34 -> ");
}

/* ---- gradients */

static void gradients_that_need_themselves(void **state) {
    (void)state;
    struct text t = begin();
    begin_function(&t, "f");
    add_gradient(&t, "node_def", "p", "f", "a");
    add_unary(&t, "Square", "p:output:0");
    end_function(&t, "u:y:0");
    add(&t, "} ");
    add_gradient(&t, "node", "end", "f", "x");
    refused(t, TF_INVALID_ARGUMENT, "The gradient of function 'f' needs itself: f -> f");
    for (int calls = 0; calls < 2; calls++) {
        t = begin();
        begin_function(&t, "f");
        (calls ? add_call : add_gradient)(&t, "node_def", "p", "g", "a");
        end_function(&t, "p:output:0");
        begin_function(&t, "g");
        add_gradient(&t, "node_def", "p", "f", "a");
        end_function(&t, "p:output:0");
        add(&t, "} ");
        (calls ? add_call : add_gradient)(&t, "node", "end", "f", "x");
        refused(t, TF_INVALID_ARGUMENT, "The gradient of function 'f' needs itself: f -> g -> f");
    }
}

/* f1 is the gradient of f0 = a^2, f2 that of f1 ...: what is made for each is several times what was made before. */
static struct text nest(int depth) {
    struct text t = begin();
    char name[16], inner[16];
    begin_function(&t, "f0");
    add_unary(&t, "Tanh", "a");
    end_function(&t, "u:y:0");
    for (int i = 1; i <= depth; i++) {
        snprintf(name, sizeof name, "f%d", i);
        snprintf(inner, sizeof inner, "f%d", i - 1);
        begin_function(&t, name);
        add_gradient(&t, "node_def", "p", inner, "a");
        end_function(&t, "p:output:0");
    }
    add(&t, "} ");
    snprintf(name, sizeof name, "f%d", depth);
    add_call(&t, "node", "end", name, "x");
    return t;
}

static void gradients_of_gradients(void **state) {
    (void)state;
    TF_Status *status = TF_NewStatus();
    struct text t = nest(3);
    run(&t, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    TF_DeleteStatus(status);
    refused(nest(20), TF_RESOURCE_EXHAUSTED, ": with it gradients would have made more than");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_calls_deep),        cmocka_unit_test(calls_that_double),
        cmocka_unit_test(calls_end_at_the_deadline),      cmocka_unit_test(gradients_of_calls_that_double),
        cmocka_unit_test(gradients_that_need_themselves), cmocka_unit_test(gradients_of_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
