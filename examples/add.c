/* Two numbers in, their sum out: the graph is built by hand and run once. */
#include <stdio.h>
#include <tensorflow/c/c_api.h>

int main(void) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    TF_Output in[2];
    for (int i = 0; i < 2; i++) {
        TF_OperationDescription *op = TF_NewOperation(graph, "Placeholder", i ? "y" : "x");
        TF_SetAttrType(op, "dtype", TF_FLOAT);
        in[i] = (TF_Output){TF_FinishOperation(op, status), 0};
    }
    TF_OperationDescription *op = TF_NewOperation(graph, "AddV2", "sum");
    for (int i = 0; i < 2; i++) TF_AddInput(op, in[i]);
    TF_Output sum = {TF_FinishOperation(op, status), 0};

    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_Tensor *value[2] = {TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)),
                           TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float))};
    *(float *)TF_TensorData(value[0]) = 40;
    *(float *)TF_TensorData(value[1]) = 2;
    TF_Tensor *result = NULL;
    TF_SessionRun(session, NULL, in, value, 2, &sum, &result, 1, NULL, 0, NULL, status);
    float total = TF_GetCode(status) == TF_OK ? *(float *)TF_TensorData(result) : 0;
    if (TF_GetCode(status) == TF_OK) printf("TensorFlow %s: 40 + 2 = %g\n", TF_Version(), (double)total);
    else fprintf(stderr, "%s\n", TF_Message(status));

    TF_DeleteTensor(result);
    for (int i = 0; i < 2; i++) TF_DeleteTensor(value[i]);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return total == 42 ? 0 : 1;
}
