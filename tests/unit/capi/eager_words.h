/* Short words for tests of the eager C API. */
#ifndef SL_TESTS_UNIT_CAPI_EAGER_WORDS_H
#define SL_TESTS_UNIT_CAPI_EAGER_WORDS_H

#include "tensorflow/c/eager/c_api_experimental.h"
#include "unit/capi/capi_fixture.h"

static inline TFE_Context *context_of(bool is_async, const char *config, size_t n) {
    TF_Status *s = TF_NewStatus();
    TFE_ContextOptions *options = TFE_NewContextOptions();
    TFE_ContextOptionsSetConfig(options, config, n, s);
    assert_status_ok(s);
    TFE_ContextOptionsSetAsync(options, is_async);
    TFE_Context *c = TFE_NewContext(options, s);
    assert_status_ok(s);
    TFE_DeleteContextOptions(options);
    TF_DeleteStatus(s);
    return c;
}

static inline TFE_Context *new_context(void) { return context_of(false, NULL, 0); }

static inline TFE_TensorHandle *floats(const float *values, const int64_t *dims, int rank, int n) {
    TF_Status *s = TF_NewStatus();
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, dims, rank, (size_t)n * sizeof *values);
    memcpy(TF_TensorData(t), values, (size_t)n * sizeof *values);
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    assert_status_ok(s);
    TF_DeleteTensor(t);
    TF_DeleteStatus(s);
    return h;
}

static inline TFE_TensorHandle *scalar(float value) { return floats(&value, NULL, 0, 1); }

/* The value of one, which is deleted. */
static inline float value_of(TFE_TensorHandle *h) {
    TF_Status *s = TF_NewStatus();
    TF_Tensor *t = TFE_TensorHandleResolve(h, s);
    assert_status_ok(s);
    const float value = *(float *)TF_TensorData(t);
    TF_DeleteTensor(t);
    TF_DeleteStatus(s);
    TFE_DeleteTensorHandle(h);
    return value;
}

/* One output; NULL when it fails. The inputs stay the caller's. */
static inline TFE_TensorHandle *call(TFE_Context *c, TF_Status *s, const char *name, TFE_TensorHandle *x,
                                     TFE_TensorHandle *y) {
    TFE_TensorHandle *out = NULL;
    int n = 1;
    TFE_Op *op = TFE_NewOp(c, name, s);
    if (!op) return NULL;
    if (x) TFE_OpAddInput(op, x, s);
    if (y && TF_GetCode(s) == TF_OK) TFE_OpAddInput(op, y, s);
    if (TF_GetCode(s) == TF_OK) TFE_Execute(op, &out, &n, s);
    TFE_DeleteOp(op);
    return TF_GetCode(s) == TF_OK && n ? out : NULL;
}

/* x + x, called "double". */
static inline TF_Function *doubling(struct fixture *f) {
    TF_Output x = typed_placeholder(f->graph, f->status, "x", TF_FLOAT),
              y = binary(f->graph, f->status, "AddV2", "y", x, x);
    TF_Function *function =
        TF_GraphToFunction(f->graph, "double", 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, NULL, f->status);
    assert_status_ok(f->status);
    return function;
}

#endif
