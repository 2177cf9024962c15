/* A program with an image and a matrix: each needs a companion of the library. Prints what comes of it, one line
 * each. */
#include <stdio.h>
#include <string.h>
#include <tensorflow/c/c_api.h>

static TF_Output add(TF_Graph *graph, TF_Status *status, const char *op, TF_Output input) {
    TF_OperationDescription *d = TF_NewOperation(graph, op, op);
    TF_AddInput(d, input);
    return (TF_Output){TF_FinishOperation(d, status), 0};
}

static TF_Output constant(TF_Graph *graph, TF_Status *status, TF_Tensor *value) {
    TF_OperationDescription *d = TF_NewOperation(graph, "Const", "value");
    TF_SetAttrTensor(d, "value", value, status);
    TF_SetAttrType(d, "dtype", TF_TensorType(value));
    TF_DeleteTensor(value);
    return (TF_Output){TF_FinishOperation(d, status), 0};
}

/* Runs `op` on a constant matrix; prints the result's first element, or the error. */
static void run(const char *op, int64_t columns, const float *row) {
    TF_Status *status = TF_NewStatus();
    TF_Graph *graph = TF_NewGraph();
    size_t size = (size_t)columns * sizeof *row;
    TF_Tensor *value = TF_AllocateTensor(TF_FLOAT, (const int64_t[]){1, columns}, 2, size), *out = NULL;
    memcpy(TF_TensorData(value), row, size);
    TF_Output result = add(graph, status, op, constant(graph, status, value));
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_SessionRun(session, NULL, NULL, NULL, 0, &result, &out, 1, NULL, 0, NULL, status);
    if (out) printf("%s: %g\n", op, (double)*(float *)TF_TensorData(out));
    else printf("%s: error %d: %s\n", op, (int)TF_GetCode(status), TF_Message(status));
    if (out) TF_DeleteTensor(out);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
}

int main(void) {
    run("Cholesky", 1, (const float[]){9});
    run("HSVToRGB", 3, (const float[]){0, 0, 7});
    return 0;
}
