/* See capi_fixture.h. */
#include "unit/capi/capi_fixture.h"

#include <stdlib.h>

int fixture_set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    f->graph = TF_NewGraph();
    f->status = TF_NewStatus();
    *state = f;
    return 0;
}

int fixture_tear_down(void **state) {
    struct fixture *f = *state;
    TF_DeleteGraph(f->graph);
    TF_DeleteStatus(f->status);
    free(f);
    return 0;
}

static TF_Output finish(TF_OperationDescription *d, TF_Status *s) {
    TF_Operation *operation = TF_FinishOperation(d, s);
    assert_status_ok(s);
    assert_non_null(operation);
    return (TF_Output){operation, 0};
}

TF_Output typed_placeholder(TF_Graph *graph, TF_Status *s, const char *name, TF_DataType type) {
    TF_OperationDescription *d = TF_NewOperation(graph, "Placeholder", name);
    TF_SetAttrType(d, "dtype", type);
    return finish(d, s);
}

TF_Output placeholder(TF_Graph *graph, TF_Status *s, const char *name) {
    return typed_placeholder(graph, s, name, TF_INT32);
}

TF_Output constant(TF_Graph *graph, TF_Status *s, const char *name, int32_t value) {
    TF_OperationDescription *d = TF_NewOperation(graph, "Const", name);
    TF_Tensor *tensor = int_tensor(value);
    TF_SetAttrType(d, "dtype", TF_INT32);
    TF_SetAttrTensor(d, "value", tensor, s);
    TF_DeleteTensor(tensor);
    assert_status_ok(s);
    return finish(d, s);
}

TF_Output unary(TF_Graph *graph, TF_Status *s, const char *op, const char *name, TF_Output x) {
    TF_OperationDescription *d = TF_NewOperation(graph, op, name);
    TF_AddInput(d, x);
    return finish(d, s);
}

TF_Output binary(TF_Graph *graph, TF_Status *s, const char *op, const char *name, TF_Output x, TF_Output y) {
    TF_OperationDescription *d = TF_NewOperation(graph, op, name);
    TF_AddInput(d, x);
    TF_AddInput(d, y);
    return finish(d, s);
}

TF_Tensor *int_tensor(int32_t value) {
    TF_Tensor *tensor = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof value);
    assert_non_null(tensor);
    *(int32_t *)TF_TensorData(tensor) = value;
    return tensor;
}

int32_t int_of(TF_Tensor *tensor) {
    assert_non_null(tensor);
    assert_int_equal(TF_TensorType(tensor), TF_INT32);
    int32_t value = *(int32_t *)TF_TensorData(tensor);
    TF_DeleteTensor(tensor);
    return value;
}

int32_t run_int(TF_Session *session, TF_Status *s, TF_Output feed, int32_t value, TF_Output fetch) {
    TF_Tensor *in = int_tensor(value), *out = NULL;
    TF_SessionRun(session, NULL, &feed, &in, feed.oper ? 1 : 0, &fetch, &out, 1, NULL, 0, NULL, s);
    TF_DeleteTensor(in);
    assert_status_ok(s);
    return int_of(out);
}

TF_Session *new_session(TF_Graph *graph, TF_Status *s) {
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, s);
    TF_DeleteSessionOptions(options);
    assert_status_ok(s);
    assert_non_null(session);
    return session;
}

bool buffer_contains(const TF_Buffer *buffer, const char *text) {
    return buffer->data && memmem(buffer->data, buffer->length, text, strlen(text));
}

int count_operations(TF_Graph *graph) {
    size_t pos = 0;
    int n = 0;
    while (TF_GraphNextOperation(graph, &pos)) n++;
    return n;
}
