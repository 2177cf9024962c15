/* An op of one's own, from C: its definition with a shape function, a kernel, a gradient. Softsign with a slope, y =
 * x / (1 + |a x|), is then checked against differences, and used in a network that learns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/gradient.h"
#include "sluice/layers.h"
#include "sluice/train.h"
#include "sluice/training.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

static void stop_on(TF_Code code, const char *message) {
    if (code == TF_OK) return;
    fprintf(stderr, "custom_op: %s\n", message);
    exit(1);
}

/* ---- the op: "SlopedSoftsign" and, for its gradient, "SlopedSoftsignGrad" */
static void same_shape(TF_ShapeInferenceContext *context, TF_Status *status) {
    TF_ShapeHandle *shape = TF_NewShapeHandle();
    TF_ShapeInferenceContextGetInput(context, 0, shape, status);
    if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextSetOutput(context, 0, shape, status);
    TF_DeleteShapeHandle(shape);
}

static void define(const char *name, bool is_gradient, TF_Status *status) {
    TF_OpDefinitionBuilder *op = TF_NewOpDefinitionBuilder(name);
    TF_OpDefinitionBuilderAddInput(op, "x: float");
    if (is_gradient) TF_OpDefinitionBuilderAddInput(op, "dy: float");
    TF_OpDefinitionBuilderAddOutput(op, is_gradient ? "dx: float" : "y: float");
    TF_OpDefinitionBuilderAddAttr(op, "slope: float = 1.0");
    TF_OpDefinitionBuilderSetShapeInferenceFunction(op, same_shape);
    TF_RegisterOpDefinition(op, status);
}

/* ---- the kernels: one for both */
struct kernel {
    float slope;
};

static void *create(TF_OpKernelConstruction *context) {
    TF_Status *status = TF_NewStatus();
    struct kernel *kernel = malloc(sizeof *kernel);
    TF_OpKernelConstruction_GetAttrFloat(context, "slope", &kernel->slope, status);
    if (TF_GetCode(status) != TF_OK) TF_OpKernelConstruction_Failure(context, status);
    TF_DeleteStatus(status);
    return kernel;
}

static void compute(void *kernel, TF_OpKernelContext *context) {
    float slope = ((struct kernel *)kernel)->slope;
    bool is_gradient = TF_NumInputs(context) == 2;
    TF_Status *status = TF_NewStatus();
    TF_Tensor *x = NULL, *dy = NULL, *out = NULL;
    int64_t dims[8];
    TF_GetInput(context, 0, &x, status);
    if (TF_GetCode(status) == TF_OK && is_gradient) TF_GetInput(context, 1, &dy, status);
    if (TF_GetCode(status) == TF_OK &&
        (TF_NumDims(x) > 8 || (dy && TF_TensorElementCount(dy) != TF_TensorElementCount(x))))
        TF_SetStatus(status, TF_INVALID_ARGUMENT, "x and dy must be of one shape, of at most 8 dimensions");
    if (TF_GetCode(status) == TF_OK) {
        for (int i = 0; i < TF_NumDims(x); i++) dims[i] = TF_Dim(x, i);
        out = TF_AllocateOutput(context, 0, TF_FLOAT, dims, TF_NumDims(x), TF_TensorByteSize(x), status);
    }
    for (int64_t i = 0; out && i < TF_TensorElementCount(x); i++) {
        float of = ((const float *)TF_TensorData(x))[i], below = 1 + fabsf(slope * of);
        ((float *)TF_TensorData(out))[i] = dy ? ((const float *)TF_TensorData(dy))[i] / (below * below) : of / below;
    }
    if (TF_GetCode(status) != TF_OK) TF_OpKernelContext_Failure(context, status);
    TF_DeleteTensor(x);
    TF_DeleteTensor(dy);
    TF_DeleteTensor(out);
    TF_DeleteStatus(status);
}

static void add_kernel(const char *name, TF_Status *status) {
    TF_KernelBuilder *kernel = TF_NewKernelBuilder(name, "CPU", create, compute, free);
    TF_RegisterKernelBuilder(name, kernel, status);
}

/* ---- the gradient: another op on the same input */
static void differentiate(const struct sl_gradient_node *node, void *arg, TF_Status *status) {
    (void)arg;
    float slope;
    TF_OperationGetAttrFloat(node->operation, "slope", &slope, status);
    if (TF_GetCode(status) != TF_OK) return;
    static int made; /* names have to differ */
    char name[64];
    snprintf(name, sizeof name, "gradients/sloped_softsign_%d", made++);
    TF_OperationDescription *d = TF_NewOperation(node->graph, "SlopedSoftsignGrad", name);
    TF_AddInput(d, node->xs[0]);
    TF_AddInput(d, node->dys[0]);
    TF_SetAttrFloat(d, "slope", slope);
    node->dxs[0] = (TF_Output){TF_FinishOperation(d, status), 0};
}

static TF_Output sloped_softsign(struct sl_scope *s, TF_Output x, float slope) {
    const struct sl_op_input input = {&x, -1};
    const struct sl_attr_given attrs[] = {{"slope", SL_GIVEN_FLOAT, &slope}};
    return sl_op_first(sl_op(s, "SlopedSoftsign", &input, 1, attrs, 1));
}

int main(void) {
    TF_Status *status = TF_NewStatus();
    define("SlopedSoftsign", false, status);
    if (TF_GetCode(status) == TF_OK) define("SlopedSoftsignGrad", true, status);
    if (TF_GetCode(status) == TF_OK) add_kernel("SlopedSoftsign", status);
    if (TF_GetCode(status) == TF_OK) add_kernel("SlopedSoftsignGrad", status);
    if (TF_GetCode(status) == TF_OK) sl_register_gradient("SlopedSoftsign", differentiate, NULL, status);
    stop_on(TF_GetCode(status), TF_Message(status));

    TF_Graph *graph = TF_NewGraph();
    struct sl_scope *s = sl_scope_new(graph);
    sl_seed(s, 2);
    /* Exclusive or. */
    TF_Output x = sl_constant_of(s, TF_FLOAT, SL_SHAPE(4, 2), (const float[]){-1, -1, -1, 1, 1, -1, 1, 1});
    TF_Output wanted = sl_constant_of(s, TF_FLOAT, SL_SHAPE(4, 1), (const float[]){0, 1, 1, 0});
    TF_Output hidden = sloped_softsign(s, sl_layer_dense(s, "hidden", x, 8, SL_LINEAR), 2);
    TF_Output logits = sl_layer_dense(s, "logits", hidden, 1, SL_LINEAR), loss = sl_loss_sigmoid(s, logits, wanted);
    TF_Output y = sl_sum_all(s, sloped_softsign(s, x, 2));
    struct sl_var step = sl_step_counter(s);
    const struct sl_optimizer adam = SL_OPTIONS(sl_optimizer, .kind = SL_ADAM, .rate = .05);
    const struct sl_training_options options =
        SL_OPTIONS(sl_training_options, .step = step, .train = sl_minimize(s, &adam, loss, &step), .loss = loss,
                   .last_step = 300);
    stop_on(sl_scope_code(s), sl_scope_message(s));
    double error = sl_check_gradient(graph, y, x, NULL, status);
    stop_on(TF_GetCode(status), TF_Message(status));
    printf("the gradient is off differences by %.1e\n", error);

    struct sl_training *training = sl_training_new(s, &options, status);
    TF_Tensor *last = NULL;
    while (sl_training_goes_on(training, status)) {
        TF_DeleteTensor(last);
        sl_training_run(training, NULL, NULL, 0, &loss, &last, 1, status);
    }
    stop_on(TF_GetCode(status), TF_Message(status));
    float end = *(float *)TF_TensorData(last);
    printf("exclusive or, learnt with an activation of our own: loss %.5f\n", (double)end);
    TF_DeleteTensor(last);
    sl_training_delete(training);
    sl_scope_delete(s);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return error < 1e-3 && end < .01f ? 0 : 1;
}
