/* See front_fixture.h. */
#include "unit/capi/front_fixture.h"

#include "sluice/variables.h"

struct front front_new(void) {
    struct front f = {.graph = TF_NewGraph()};
    f.s = sl_scope_new(f.graph);
    assert_non_null(f.s);
    return f;
}

void front_delete(struct front *f) {
    TF_Status *status = TF_NewStatus();
    if (f->session) TF_DeleteSession(f->session, status);
    sl_scope_delete(f->s);
    TF_DeleteGraph(f->graph);
    TF_DeleteStatus(status);
}

static void check(TF_Status *status) {
    if (TF_GetCode(status) != TF_OK) fail_msg("%d: %s", (int)TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
}

void front_open(struct front *f) {
    int n;
    TF_Operation *init = sl_variables(f->s, &n) ? sl_variables_init(f->s) : NULL;
    if (!sl_scope_ok(f->s)) fail_msg("%d: %s", (int)sl_scope_code(f->s), sl_scope_message(f->s));
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Status *status = TF_NewStatus();
    f->session = TF_NewSession(f->graph, options, status);
    TF_DeleteSessionOptions(options);
    check(status);
    if (init) front_do(f, init);
}

void front_do(struct front *f, TF_Operation *operation) {
    TF_Status *status = TF_NewStatus();
    const TF_Operation *target = operation;
    assert_non_null(operation);
    TF_SessionRun(f->session, NULL, NULL, NULL, 0, NULL, NULL, 0, &target, 1, NULL, status);
    check(status);
}

void front_feed_floats(struct front *f, TF_Output feed, float value, TF_Output output, float *out, int n) {
    TF_Status *status = TF_NewStatus();
    TF_Tensor *fed = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof value), *got = NULL;
    memcpy(TF_TensorData(fed), &value, sizeof value);
    assert_non_null(output.oper);
    TF_SessionRun(f->session, NULL, &feed, &fed, feed.oper ? 1 : 0, &output, &got, 1, NULL, 0, NULL, status);
    TF_DeleteTensor(fed);
    check(status);
    assert_int_equal(TF_TensorType(got), TF_FLOAT);
    assert_int_equal(TF_TensorElementCount(got), n);
    memcpy(out, TF_TensorData(got), (size_t)n * sizeof *out);
    TF_DeleteTensor(got);
}

void front_floats(struct front *f, TF_Output output, float *out, int n) {
    front_feed_floats(f, (TF_Output){NULL, 0}, 0, output, out, n);
}

void front_expect(struct front *f, TF_Output output, const float *wanted, int n, const char *where, int line) {
    float got[64];
    assert_true(n <= 64);
    front_floats(f, output, got, n);
    for (int i = 0; i < n; i++)
        if (!(fabsf(got[i] - wanted[i]) <= 1e-5f * fmaxf(1, fabsf(wanted[i]))))
            fail_msg("%s:%d: element %d is %.9g, not %.9g", where, line, i, (double)got[i], (double)wanted[i]);
}
