/* The module sluice._native: what it offers, and what Python hands in. */
#include "native.h"

#include <string.h>

#include "sluice/precision.h"

struct natives natives;

/* setup(name=object ...): once, by the package. */
static PyObject *setup(PyObject *self, PyObject *args, PyObject *kwargs) {
    const struct {
        const char *name;
        PyObject **to;
    } members[] = {{"errors", &natives.errors},
                   {"dtypes", &natives.dtypes},
                   {"shape_of", &natives.shape_of},
                   {"convert", &natives.convert},
                   {"build", &natives.build},
                   {"numpy", &natives.numpy},
                   {"repr", &natives.repr},
                   {"str", &natives.str},
                   {"operators", &natives.operators},
                   {"getitem", &natives.getitem},
                   {"callback", &natives.callback},
                   {"ndarray", &natives.ndarray},
                   {"leaf_types", &natives.leaf_types},
                   {"children", &natives.children}};
    (void)self, (void)args;
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (kwargs && PyDict_Next(kwargs, &at, &key, &value)) {
        size_t m = 0;
        while (m < sizeof members / sizeof *members && PyUnicode_CompareWithASCIIString(key, members[m].name)) m++;
        if (m == sizeof members / sizeof *members) return PyErr_Format(PyExc_TypeError, "setup has no %U", key);
        Py_INCREF(value);
        put_object(members[m].to, value);
    }
    Py_RETURN_NONE;
}

/* op_def(name) -> the OpDef's bytes, None when there is no such op */
static PyObject *op_def(PyObject *self, PyObject *name) {
    static TF_Graph *graph;
    (void)self;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    if (!text) return NULL;
    if (!graph) graph = TF_NewGraph();
    TF_Status *s = status_here();
    TF_Buffer *b = TF_NewBuffer();
    TF_GraphGetOpDef(graph, text, b, s);
    if (TF_GetCode(s) != TF_NOT_FOUND) return bytes_of_buffer(b, s);
    TF_DeleteBuffer(b);
    Py_RETURN_NONE;
}

static PyObject *op_list(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    return bytes_of_buffer(TF_GetAllOpList(), status_here());
}

/* convert(value, dtype number or 0, preferred) -> tensor, or NotImplemented */
static PyObject *convert(PyObject *self, PyObject *args) {
    PyObject *value;
    int dtype, preferred;
    (void)self;
    return PyArg_ParseTuple(args, "Oii", &value, &dtype, &preferred) ? convert_value(value, dtype, preferred) : NULL;
}

/* tensor_of_bytes(dtype number, dims, bytes): elements as they lie in memory; not of strings */
static PyObject *tensor_of_bytes(PyObject *self, PyObject *args) {
    int dtype;
    PyObject *dims;
    Py_buffer bytes;
    int64_t sizes[64];
    (void)self;
    if (!PyArg_ParseTuple(args, "iO!y*", &dtype, &PyTuple_Type, &dims, &bytes)) return NULL;
    const int rank = (int)PyTuple_Size(dims);
    PyObject *made = NULL;
    if (rank > 64) PyErr_SetString(PyExc_ValueError, "the tensor has too many dimensions");
    for (int i = 0; i < rank && rank <= 64; i++) sizes[i] = PyLong_AsLongLong(PyTuple_GetItem(dims, i));
    TF_Tensor *t = PyErr_Occurred() ? NULL : TF_AllocateTensor((TF_DataType)dtype, sizes, rank, (size_t)bytes.len);
    if (t && TF_TensorByteSize(t) == (size_t)bytes.len && dtype != TF_STRING) {
        memcpy(TF_TensorData(t), bytes.buf, (size_t)bytes.len);
        TF_Status *s = status_here();
        TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
        if (!raise_status(s, NULL)) made = tensor_of_handle(h);
    } else if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the bytes are not those of such a tensor");
    if (t) TF_DeleteTensor(t);
    PyBuffer_Release(&bytes);
    return made;
}

/* tensor_bytes(tensor) -> its elements as bytes; not of strings */
static PyObject *tensor_bytes(PyObject *self, PyObject *tensor) {
    (void)self;
    if (!is_eager(tensor) || ((Tensor *)tensor)->dtype == TF_STRING)
        return PyErr_Format(PyExc_TypeError, "%R has no plain elements", tensor);
    TF_Tensor *t = tensor_elements((Tensor *)tensor);
    return t ? PyBytes_FromStringAndSize(TF_TensorData(t), (Py_ssize_t)TF_TensorByteSize(t)) : NULL;
}

/* bf16_products(None or whether they are allowed from now on) -> whether they are */
static PyObject *bf16_products(PyObject *self, PyObject *allowed) {
    (void)self;
    if (allowed != Py_None) {
        const int truth = PyObject_IsTrue(allowed);
        if (truth < 0) return NULL;
        sl_set_bf16_products(truth);
    }
    return PyBool_FromLong(sl_bf16_products_allowed());
}

static PyObject *version(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    return PyUnicode_FromString(TF_Version());
}

static PyMethodDef methods[] = {
    {"setup", (PyCFunction)(void (*)(void))setup, METH_VARARGS | METH_KEYWORDS, NULL},
    {"op_def", op_def, METH_O, NULL},
    {"op_list", op_list, METH_NOARGS, NULL},
    {"convert", convert, METH_VARARGS, NULL},
    {"convert_at_once", (PyCFunction)(void (*)(void))convert_at_once, METH_FASTCALL, NULL},
    {"tensor_of_bytes", tensor_of_bytes, METH_VARARGS, NULL},
    {"tensor_bytes", tensor_bytes, METH_O, NULL},
    {"nest_flatten", (PyCFunction)(void (*)(void))nest_flatten, METH_FASTCALL, NULL},
    {"numpy_know_type", numpy_know_type, METH_VARARGS, NULL},
    {"set_device", context_set_device, METH_O, NULL},
    {"set_building", context_set_building, METH_O, NULL},
    {"set_graph_mode", context_set_graph_mode, METH_O, NULL},
    {"set_tensor_equality", context_set_tensor_equality, METH_O, NULL},
    {"compares_values", context_compares_values, METH_NOARGS, NULL},
    {"context", context_pointer, METH_NOARGS, NULL},
    {"context_exists", context_exists, METH_NOARGS, NULL},
    {"configure", context_configure, METH_O, NULL},
    {"leave_context", context_leave, METH_NOARGS, NULL},
    {"devices", context_devices, METH_NOARGS, NULL},
    {"place", context_place, METH_VARARGS, NULL},
    {"context_call", context_call, METH_VARARGS, NULL},
    {"execute_function", execute_function, METH_VARARGS, NULL},
    {"gradients", gradients_add, METH_VARARGS, NULL},
    {"register_gradient", gradients_register, METH_VARARGS, NULL},
    {"server_reset", server_reset, METH_VARARGS, NULL},
    {"enable_collectives", enable_collectives, METH_VARARGS, NULL},
    {"group_join", group_join, METH_VARARGS, NULL},
    {"group_newcomers", group_newcomers, METH_VARARGS, NULL},
    {"bf16_products", bf16_products, METH_O, NULL},
    {"version", version, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "sluice._native", "The C side of sluice.", -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && (tensor_add_types(module) || ops_add_types(module) || dtype_add_types(module) ||
                   slices_add_types(module) || graph_add_types(module) || session_add_types(module) ||
                   server_add_types(module) || tape_add_types(module) || callback_register()))
        Py_CLEAR(module);
    return module;
}
