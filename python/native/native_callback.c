/* Kernels of PyFunc, PyFuncStateless and EagerPyFunc: they call the Python function that the node's token stands for
 * (natives.callback). An exception becomes a status, and stays with Python, which raises it from the error. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "tensorflow/c/kernels.h"

struct callback {
    char *token;
    bool as_numpy; /* the function takes and gives numpy arrays; else eager tensors */
};

static void *callback_create(TF_OpKernelConstruction *construction, bool as_numpy) {
    TF_Status *s = TF_NewStatus();
    int32_t count = 0, length = 0;
    struct callback *made = calloc(1, sizeof *made);
    TF_OpKernelConstruction_GetAttrSize(construction, "token", &count, &length, s);
    char *token = made && TF_GetCode(s) == TF_OK ? calloc((size_t)length + 1, 1) : NULL;
    if (token) TF_OpKernelConstruction_GetAttrString(construction, "token", token, (size_t)length, s);
    else if (TF_GetCode(s) == TF_OK) TF_SetStatus(s, TF_RESOURCE_EXHAUSTED, "no memory for a Python function's kernel");
    if (TF_GetCode(s) != TF_OK) {
        TF_OpKernelConstruction_Failure(construction, s);
        free(token);
        free(made);
        made = NULL;
    } else *made = (struct callback){token, as_numpy};
    TF_DeleteStatus(s);
    return made;
}
static void *create_numpy(TF_OpKernelConstruction *c) { return callback_create(c, true); }
static void *create_eager(TF_OpKernelConstruction *c) { return callback_create(c, false); }

static void callback_delete(void *kernel) {
    struct callback *callback = kernel;
    if (!callback) return;
    free(callback->token);
    free(callback);
}

static PyObject *inputs_of(TF_OpKernelContext *context) {
    const int n = TF_NumInputs(context);
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        TF_Tensor *t = NULL;
        TFE_TensorHandle *h = NULL;
        TF_Status *s = status_here();
        TF_GetInput(context, i, &t, s);
        if (TF_GetCode(s) == TF_OK) h = TFE_NewTensorHandle(t, s);
        if (t) TF_DeleteTensor(t);
        put_item(&list, i, raise_status(s, NULL) ? NULL : tensor_of_handle(h));
    }
    return list;
}

static int set_outputs(TF_OpKernelContext *context, PyObject *outputs) {
    const int n = TF_NumOutputs(context);
    for (int i = 0; i < n; i++) {
        TF_Tensor *t = tensor_elements((Tensor *)PyList_GetItem(outputs, i));
        if (!t) return -1;
        TF_Status *s = status_here();
        TF_SetOutput(context, i, t, s);
        if (raise_status(s, NULL)) return -1;
    }
    return 0;
}

/* What asks for the end of the program, or of what runs, as KeyboardInterrupt does, goes through as it is. */
static void pass_on(TF_OpKernelContext *context) {
    TF_Status *s = TF_NewStatus();
    keep_exception(s);
    TF_OpKernelContext_Failure(context, s);
    TF_DeleteStatus(s);
}

/* The pending exception as a status: Python says which (natives.callback raises OpErrors alone, of exceptions). */
static void fail(TF_OpKernelContext *context) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        pass_on(context);
        return;
    }
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    PyObject *code = error ? PyObject_GetAttrString(error, "error_code") : NULL;
    PyErr_Clear();
    PyObject *text = error ? PyObject_Str(error) : NULL;
    const char *message = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    TF_Status *s = TF_NewStatus();
    TF_SetStatus(s, code ? (TF_Code)PyLong_AsLong(code) : TF_UNKNOWN, message ? message : "a Python function failed");
    PyErr_Clear();
    TF_OpKernelContext_Failure(context, s);
    TF_DeleteStatus(s);
    Py_XDECREF(text);
    Py_XDECREF(code);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
}

/* The token as Python's text; NULL and a failure when it is none. */
static PyObject *token_of(const struct callback *callback, TF_OpKernelContext *context) {
    PyObject *token = PyUnicode_FromString(callback->token);
    if (token) return token;
    PyErr_Clear();
    TF_Status *s = TF_NewStatus();
    TF_SetStatus(s, TF_INTERNAL, "The token of a Python function is not UTF-8");
    TF_OpKernelContext_Failure(context, s);
    TF_DeleteStatus(s);
    return NULL;
}

static void callback_call(const struct callback *callback, PyObject *token, TF_OpKernelContext *context) {
    PyObject *inputs = inputs_of(context);
    PyObject *outputs =
        inputs ? PyObject_CallFunction(natives.callback, "OOi", token, inputs, (int)callback->as_numpy) : NULL;
    if (outputs && PyList_Size(outputs) != TF_NumOutputs(context)) {
        PyErr_Format(PyExc_ValueError, "the Python function gave %zd values, not %d", PyList_Size(outputs),
                     TF_NumOutputs(context));
        fail(context);
    } else if (!outputs || set_outputs(context, outputs)) fail(context);
    Py_XDECREF(inputs);
    Py_XDECREF(outputs);
}

static void callback_compute(void *kernel, TF_OpKernelContext *context) {
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *token = token_of(kernel, context);
    if (token) callback_call(kernel, token, context);
    Py_XDECREF(token);
    PyGILState_Release(gil);
}

int callback_register(void) {
    static const struct {
        const char *op;
        void *(*create)(TF_OpKernelConstruction *);
    } kernels[] = {{"PyFunc", create_numpy}, {"PyFuncStateless", create_numpy}, {"EagerPyFunc", create_eager}};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        TF_Status *s = status_here();
        TF_RegisterKernelBuilder(kernels[k].op,
                                 TF_NewKernelBuilder(kernels[k].op, "CPU", kernels[k].create, callback_compute,
                                                     callback_delete),
                                 s);
        if (raise_status(s, NULL)) return -1;
    }
    return 0;
}
