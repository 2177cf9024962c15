/* The first run of large graphs, per node: pruning, placing, optimising and compiling must stay linear, so a graph
 * of 100,000 nodes costs a node as much as one of 10,000. Long chains, wide fans, many constants, convolutions to be
 * fused, nodes that others only wait for. */
#include "measure.h"
#include "tensorflow/c/c_api.h"

struct large {
    TF_Graph *graph;
    TF_Output in, out;
    int rank; /* of what is fed: all dims 1 */
};

static void check(const TF_Status *status) {
    if (TF_GetCode(status) == TF_OK) return;
    fprintf(stderr, "%s\n", TF_Message(status));
    exit(1);
}

static TF_Tensor *ones(int rank) {
    const int64_t dims[4] = {1, 1, 1, 1};
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, dims, rank, sizeof(float));
    *(float *)TF_TensorData(t) = 1;
    return t;
}

/* A node of up to two inputs; its name is the op's with a number. */
static TF_Output node(TF_Graph *graph, const char *op, int number, const TF_Output *inputs, int n, TF_Tensor *value) {
    TF_Status *status = TF_NewStatus();
    char name[48];
    snprintf(name, sizeof name, "%s_%d", op, number);
    TF_OperationDescription *d = TF_NewOperation(graph, op, name);
    for (int i = 0; i < n; i++) TF_AddInput(d, inputs[i]);
    if (value) TF_SetAttrTensor(d, "value", value, status);
    if (value || n == 0) TF_SetAttrType(d, "dtype", TF_FLOAT);
    if (!strcmp(op, "Conv2D")) {
        TF_SetAttrIntList(d, "strides", (const int64_t[]){1, 1, 1, 1}, 4);
        TF_SetAttrString(d, "padding", "SAME", 4);
    }
    check(status);
    TF_Operation *made = TF_FinishOperation(d, status);
    check(status);
    TF_DeleteStatus(status);
    return (TF_Output){made, 0};
}

static TF_Output sum(TF_Graph *graph, const TF_Output *all, int n) {
    TF_Status *status = TF_NewStatus();
    TF_OperationDescription *d = TF_NewOperation(graph, "AddN", "sum");
    TF_AddInputList(d, all, n);
    TF_Output out = {TF_FinishOperation(d, status), 0};
    check(status);
    TF_DeleteStatus(status);
    return out;
}

static void chain(struct large *l, TF_Output *all, int nodes) {
    l->out = l->in;
    for (int i = 0; i < nodes; i++) all[i] = l->out = node(l->graph, "AddV2", i, (TF_Output[]){l->out, l->in}, 2, NULL);
}

static void fan(struct large *l, TF_Output *all, int nodes) {
    for (int i = 0; i < nodes; i++) all[i] = node(l->graph, "Neg", i, &l->in, 1, NULL);
    l->out = sum(l->graph, all, nodes);
}

static void constants(struct large *l, TF_Output *all, int nodes) {
    TF_Tensor *value = ones(0);
    for (int i = 0; i < nodes; i++) {
        *(float *)TF_TensorData(value) = (float)i;
        all[i] = node(l->graph, "Const", i, NULL, 0, value);
    }
    TF_DeleteTensor(value);
    l->out = node(l->graph, "AddV2", 0, (TF_Output[]){sum(l->graph, all, nodes), l->in}, 2, NULL);
}

static void convolutions(struct large *l, TF_Output *all, int nodes) {
    TF_Tensor *filter = ones(4);
    TF_Output w = node(l->graph, "Const", 0, NULL, 0, filter), x = l->in;
    for (int i = 0; i + 2 < nodes; i += 3) {
        all[i] = node(l->graph, "Conv2D", i, (TF_Output[]){x, w}, 2, NULL);
        all[i + 1] = node(l->graph, "AddV2", i, (TF_Output[]){all[i], x}, 2, NULL);
        x = node(l->graph, "Relu", i, &all[i + 1], 1, NULL);
    }
    l->out = x;
    TF_DeleteTensor(filter);
}

static void waits(struct large *l, TF_Output *all, int nodes) {
    TF_Status *status = TF_NewStatus();
    for (int i = 0; i < nodes; i++) all[i] = node(l->graph, "Neg", i, &l->in, 1, NULL);
    TF_OperationDescription *d = TF_NewOperation(l->graph, "Exp", "exp");
    TF_AddInput(d, all[0]);
    for (int i = 1; i < nodes; i++) TF_AddControlInput(d, all[i].oper);
    l->out = (TF_Output){TF_FinishOperation(d, status), 0};
    check(status);
    TF_DeleteStatus(status);
}

static void first_run(void *state) {
    const struct large *l = state;
    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *session = TF_NewSession(l->graph, options, status);
    check(status);
    TF_Tensor *in = ones(l->rank), *out = NULL;
    TF_SessionRun(session, NULL, &l->in, &in, 1, &l->out, &out, 1, NULL, 0, NULL, status);
    check(status);
    TF_DeleteTensor(in);
    TF_DeleteTensor(out);
    TF_DeleteSession(session, status);
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
}

int main(void) {
    static const struct {
        const char *name;
        int rank;
        void (*make)(struct large *l, TF_Output *all, int nodes);
    } kinds[] = {{"chain", 0, chain},
                 {"fan", 0, fan},
                 {"constants", 0, constants},
                 {"convolutions", 4, convolutions},
                 {"waits", 0, waits}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int nodes = 10000; nodes <= 100000; nodes *= 10) {
            struct large l = {TF_NewGraph(), {NULL, 0}, {NULL, 0}, kinds[i].rank};
            TF_Output *all = calloc((size_t)nodes, sizeof *all);
            char name[64];
            if (!all) return 1;
            l.in = node(l.graph, "Placeholder", 0, NULL, 0, NULL);
            kinds[i].make(&l, all, nodes);
            snprintf(name, sizeof name, "optimise/first_run_%s_%d", kinds[i].name, nodes);
            measure(name, nodes, first_run, &l);
            TF_DeleteGraph(l.graph);
            free(all);
        }
    return 0;
}
