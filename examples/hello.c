#include <stdio.h>
#include <tensorflow/c/c_api.h>

int main(void) {
    TF_Graph *graph = TF_NewGraph();
    TF_Status *status = TF_NewStatus();
    TF_OperationDescription *op = TF_NewOperation(graph, "Placeholder", "x");
    TF_SetAttrType(op, "dtype", TF_FLOAT);
    TF_Output x = {TF_FinishOperation(op, status), 0};
    op = TF_NewOperation(graph, "Square", "y");
    TF_AddInput(op, x);
    TF_Output y = {TF_FinishOperation(op, status), 0};
    TF_Session *session = TF_NewSession(graph, TF_NewSessionOptions(), status);
    TF_Tensor *in = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float)), *out = NULL;
    *(float *)TF_TensorData(in) = 12;
    TF_SessionRun(session, NULL, &x, &in, 1, &y, &out, 1, NULL, 0, NULL, status);
    float squared = out ? *(float *)TF_TensorData(out) : -1;
    printf("12 squared is %g\n", squared);
    return squared == 144 ? 0 : 1;
}
