/* Loads the library, has its threads work, and unloads it, again and again, as bindings do whose garbage collector
 * closes libraries: reload LIBRARY. Prints how often. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <tensorflow/c/c_api.h>

enum { ROUNDS = 10, SIDE = 400 };

#define GET(name) __typeof__(name) *f_##name = (__typeof__(name) *)dlsym(library, #name)

static int multiply(void *library) {
    GET(TF_NewStatus);
    GET(TF_DeleteStatus);
    GET(TF_GetCode);
    GET(TF_NewGraph);
    GET(TF_DeleteGraph);
    GET(TF_NewOperation);
    GET(TF_SetAttrType);
    GET(TF_AddInput);
    GET(TF_FinishOperation);
    GET(TF_NewSessionOptions);
    GET(TF_DeleteSessionOptions);
    GET(TF_NewSession);
    GET(TF_DeleteSession);
    GET(TF_AllocateTensor);
    GET(TF_TensorData);
    GET(TF_DeleteTensor);
    GET(TF_SessionRun);
    TF_Status *status = f_TF_NewStatus();
    TF_Graph *graph = f_TF_NewGraph();
    TF_OperationDescription *d = f_TF_NewOperation(graph, "Placeholder", "x");
    f_TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_Output x = {f_TF_FinishOperation(d, status), 0};
    d = f_TF_NewOperation(graph, "MatMul", "product");
    f_TF_AddInput(d, x);
    f_TF_AddInput(d, x);
    TF_Output product = {f_TF_FinishOperation(d, status), 0};
    size_t bytes = sizeof(float[SIDE][SIDE]);
    TF_Tensor *value = f_TF_AllocateTensor(TF_FLOAT, (const int64_t[]){SIDE, SIDE}, 2, bytes), *out = NULL;
    memset(f_TF_TensorData(value), 0, bytes);
    TF_SessionOptions *options = f_TF_NewSessionOptions();
    TF_Session *session = f_TF_NewSession(graph, options, status);
    f_TF_SessionRun(session, NULL, &x, &value, 1, &product, &out, 1, NULL, 0, NULL, status);
    int is_right = f_TF_GetCode(status) == TF_OK;
    f_TF_DeleteTensor(out);
    f_TF_DeleteTensor(value);
    f_TF_DeleteSession(session, status);
    f_TF_DeleteSessionOptions(options);
    f_TF_DeleteGraph(graph);
    f_TF_DeleteStatus(status);
    return is_right;
}

int main(int argc, char **argv) {
    int rounds = 0;
    for (int i = 0; i < ROUNDS && argc == 2; i++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) break;
        rounds += multiply(library);
        dlclose(library);
    }
    printf("%d rounds\n", rounds);
    return 0;
}
