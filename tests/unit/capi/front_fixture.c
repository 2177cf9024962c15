/* See front_fixture.h. */
#include "unit/capi/front_fixture.h"

#include "sluice/gradient.h"
#include "sluice/saved_model_file.h"
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

TF_Output front_waves(struct sl_scope *s, struct sl_dims shape, double step) {
    enum { MOST = 1024 };
    float values[MOST];
    int64_t n = 1;
    for (int i = 0; i < shape.n; i++) n *= shape.dims[i];
    assert_true(n <= MOST);
    for (int64_t i = 0; i < n; i++) values[i] = (float)sin((double)i * step + .5);
    return sl_constant_of(s, TF_FLOAT, shape, values);
}

TF_Operation *front_set_waves(struct front *f, int at, double step) {
    int64_t dims[4];
    int n, rank;
    const struct sl_var *all = sl_variables(f->s, &n);
    assert_true(at < n);
    const struct sl_var v = all[at];
    rank = sl_rank_of(f->s, v.value);
    assert_true(rank <= 4);
    for (int i = 0; i < rank; i++) dims[i] = sl_size_of(f->s, v.value, i);
    return sl_variable_assign(f->s, v, front_waves(f->s, (struct sl_dims){dims, rank}, step));
}

void front_make_waves(struct front *f, const double *steps, int n) {
    TF_Operation *set[16];
    assert_true(n <= 16);
    for (int i = 0; i < n; i++) set[i] = front_set_waves(f, i, steps[i]);
    front_open(f);
    for (int i = 0; i < n; i++) front_do(f, set[i]);
}

void front_check_gradient(struct front *f, TF_Output y, TF_Output x) {
    TF_Status *status = TF_NewStatus();
    TF_Buffer *def = TF_NewBuffer();
    TF_Graph *graph = TF_NewGraph();
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_Tensor *at = NULL;
    TF_SessionRun(f->session, NULL, NULL, NULL, 0, &x, &at, 1, NULL, 0, NULL, status);
    if (TF_GetCode(status) == TF_OK) sl_freeze_session(def, f->session, &x, 1, &y, 1, status);
    if (TF_GetCode(status) == TF_OK) TF_GraphImportGraphDef(graph, def, options, status);
    if (TF_GetCode(status) != TF_OK) fail_msg("%s", TF_Message(status));
    const TF_Output there[] = {{TF_GraphOperationByName(graph, TF_OperationName(y.oper)), y.index},
                               {TF_GraphOperationByName(graph, TF_OperationName(x.oper)), 0}};
    double far = sl_check_gradient(graph, there[0], there[1], at, status);
    if (!(far >= 0 && far < 5e-3))
        fail_msg("%s by %s: %g %s", TF_OperationName(y.oper), TF_OperationName(x.oper), far, TF_Message(status));
    TF_DeleteTensor(at);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteBuffer(def);
    TF_DeleteStatus(status);
}

void front_check_gradients(struct front *f, TF_Output y, TF_Output x) {
    int n;
    const struct sl_var *all = sl_variables_trainable(f->s, &n);
    front_check_gradient(f, y, x);
    for (int i = 0; i < n; i++) front_check_gradient(f, y, all[i].value);
}
