#include "unit/eager/tape_fixture.h"

#include <math.h>
#include <stdlib.h>

static int begin(void **state, bool is_async) {
    struct taping *t = calloc(1, sizeof *t);
    TFE_ContextOptions *options = TFE_NewContextOptions();
    t->status = TF_NewStatus();
    TFE_ContextOptionsSetAsync(options, is_async);
    t->context = TFE_NewContext(options, t->status);
    assert_status_ok(t->status);
    TFE_DeleteContextOptions(options);
    *state = t;
    return 0;
}

int taping_begin(void **state) { return begin(state, false); }
int taping_begin_async(void **state) { return begin(state, true); }

int taping_end(void **state) {
    struct taping *t = *state;
    for (int i = 0; i < t->n_values; i++) TFE_DeleteTensorHandle(t->values[i]);
    TFE_DeleteContext(t->context);
    TF_DeleteStatus(t->status);
    free(t);
    return 0;
}

TFE_TensorHandle *keep(struct taping *t, TFE_TensorHandle *value) {
    if (!value) return NULL;
    assert_true(t->n_values < MOST_VALUES);
    return t->values[t->n_values++] = value;
}

void drop(struct taping *t, TFE_TensorHandle *value) {
    int i = 0;
    while (t->values[i] != value) i++;
    t->values[i] = t->values[--t->n_values];
    TFE_DeleteTensorHandle(value);
}

static TFE_TensorHandle *handle(struct taping *t, TF_DataType type, const int64_t *dims, int rank, const void *values,
                                size_t bytes) {
    TF_Tensor *tensor = TF_AllocateTensor(type, dims, rank, bytes);
    memcpy(TF_TensorData(tensor), values, bytes);
    TFE_TensorHandle *h = TFE_NewTensorHandle(tensor, t->status);
    assert_status_ok(t->status);
    TF_DeleteTensor(tensor);
    return keep(t, h);
}

TFE_TensorHandle *floats(struct taping *t, int n, const float *values) {
    return handle(t, TF_FLOAT, (int64_t[]){n}, n > 0, values, (size_t)(n ? n : 1) * sizeof *values);
}

TFE_TensorHandle *matrix(struct taping *t, int rows, int columns, const float *values) {
    return handle(t, TF_FLOAT, (int64_t[]){rows, columns}, 2, values, (size_t)(rows * columns) * sizeof *values);
}

TFE_TensorHandle *integers(struct taping *t, int n, const int32_t *values) {
    return handle(t, TF_INT32, (int64_t[]){n}, n > 0, values, (size_t)(n ? n : 1) * sizeof *values);
}

TFE_TensorHandle *execute(struct taping *t, const char *name, TFE_TensorHandle *const *inputs, int n,
                          void (*attrs)(TFE_Op *op)) {
    TFE_TensorHandle *outputs[8] = {NULL};
    int n_outputs = 8;
    TFE_Op *op = TFE_NewOp(t->context, name, t->status);
    assert_status_ok(t->status);
    for (int i = 0; i < n; i++) TFE_OpAddInput(op, inputs[i], t->status);
    if (attrs) attrs(op);
    TFE_Execute(op, outputs, &n_outputs, t->status);
    TFE_DeleteOp(op);
    assert_status_ok(t->status);
    for (int i = 0; i < n_outputs; i++) keep(t, outputs[i]);
    return n_outputs ? outputs[0] : NULL;
}

static void variable_attrs(TFE_Op *op) {
    TF_Status *status = TF_NewStatus();
    TFE_OpSetAttrType(op, "dtype", TF_FLOAT);
    TFE_OpSetAttrShape(op, "shape", NULL, -1, status);
    assert_status_ok(status);
    TF_DeleteStatus(status);
}

static void read_attrs(TFE_Op *op) { TFE_OpSetAttrType(op, "dtype", TF_FLOAT); }

TFE_TensorHandle *variable(struct taping *t, TFE_TensorHandle *value) {
    TFE_TensorHandle *v = execute(t, "VarHandleOp", NULL, 0, variable_attrs);
    RUN("AssignVariableOp", v, value);
    return v;
}

TFE_TensorHandle *read_variable(struct taping *t, TFE_TensorHandle *variable) {
    return execute(t, "ReadVariableOp", &variable, 1, read_attrs);
}

struct sl_tape *tape_on(struct taping *t, bool persistent) {
    struct sl_tape *tape = sl_tape_start(t->context, persistent, t->status);
    assert_status_ok(t->status);
    return tape;
}

struct sl_tape *tape_of(struct taping *t, bool persistent, TFE_TensorHandle *x) {
    struct sl_tape *tape = tape_on(t, persistent);
    sl_tape_watch(tape, x, t->status);
    assert_status_ok(t->status);
    return tape;
}

TFE_TensorHandle *gradient(struct taping *t, struct sl_tape *tape, TFE_TensorHandle *y, TFE_TensorHandle *x) {
    TFE_TensorHandle *dx;
    sl_tape_gradient(&dx, tape, &y, 1, &x, 1, NULL, t->status);
    assert_status_ok(t->status);
    return keep(t, dx);
}

void assert_floats(struct taping *t, TFE_TensorHandle *h, int n, const float *wanted) {
    assert_non_null(h);
    TF_Tensor *tensor = TFE_TensorHandleResolve(h, t->status);
    assert_status_ok(t->status);
    assert_int_equal(TF_TensorType(tensor), TF_FLOAT);
    assert_int_equal(TF_TensorElementCount(tensor), n);
    const float *got = TF_TensorData(tensor);
    for (int i = 0; i < n; i++)
        if (!(fabsf(got[i] - wanted[i]) <= 1e-5f * (1 + fabsf(wanted[i]))))
            fail_msg("element %d: %g, not %g", i, (double)got[i], (double)wanted[i]);
    TF_DeleteTensor(tensor);
}
