/* Graphs and functions as Python sees them. A node is its address, a number, for the life of its graph; an output is a
 * pair (node, index). Attrs come as the bytes of AttrValue messages. */
#include "native.h"

#include <string.h>

#include "sluice/gradient.h"

typedef struct {
    PyObject_HEAD TF_Graph *graph;
} Graph;
typedef struct {
    PyObject_HEAD TF_Function *function;
} Function;
static PyTypeObject *graph_type, *function_type;

static PyObject *graph_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    (void)args, (void)kwargs;
    Graph *g = (Graph *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (g) g->graph = TF_NewGraph();
    return (PyObject *)g;
}
static void free_object(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}
static void graph_dealloc(PyObject *self) {
    TF_DeleteGraph(((Graph *)self)->graph);
    free_object(self);
}
static void function_dealloc(PyObject *self) {
    TF_DeleteFunction(((Function *)self)->function);
    free_object(self);
}

/* ---- outputs */

/* (node, index) */
static int output_of(PyObject *pair, TF_Output *out) {
    unsigned long long address;
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "Ki", &address, &out->index)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "an output is a pair (node, index)");
        return -1;
    }
    out->oper = (TF_Operation *)(uintptr_t)address;
    return 0;
}

/* From PyMem; NULL with an exception. */
static TF_Output *outputs_of(PyObject *list) {
    const Py_ssize_t n = PyList_Size(list);
    TF_Output *outputs = PyMem_Calloc((size_t)n + 1, sizeof *outputs);
    if (!outputs) PyErr_NoMemory();
    for (Py_ssize_t i = 0; outputs && i < n; i++)
        if (output_of(PyList_GetItem(list, i), &outputs[i])) {
            PyMem_Free(outputs);
            return NULL;
        }
    return outputs;
}

static PyObject *pair_of(TF_Output o) { return Py_BuildValue("(Ki)", (unsigned long long)(uintptr_t)o.oper, o.index); }

/* The dims as a tuple, -1 where one is unknown; None for an unknown rank. */
static PyObject *shape_of(TF_Graph *graph, TF_Output o) {
    TF_Status *s = status_here();
    const int rank = TF_GraphGetTensorNumDims(graph, o, s);
    if (raise_status(s, NULL)) return NULL;
    if (rank < 0) Py_RETURN_NONE;
    int64_t *dims = PyMem_Calloc((size_t)rank + 1, sizeof *dims);
    if (!dims) return PyErr_NoMemory();
    TF_GraphGetTensorShape(graph, o, dims, rank, s);
    PyObject *made = raise_status(s, NULL) ? NULL : PyTuple_New(rank);
    for (int i = 0; made && i < rank; i++) PyTuple_SetItem(made, i, PyLong_FromLongLong(dims[i]));
    PyMem_Free(dims);
    return made;
}

/* ---- nodes */

static int add_inputs(TF_OperationDescription *d, PyObject *inputs) {
    for (Py_ssize_t i = 0; i < PyList_Size(inputs); i++) {
        PyObject *input = PyList_GetItem(inputs, i);
        TF_Output one;
        if (PyList_Check(input)) {
            TF_Output *many = outputs_of(input);
            if (!many) return -1;
            TF_AddInputList(d, many, (int)PyList_Size(input));
            PyMem_Free(many);
        } else if (output_of(input, &one)) return -1;
        else TF_AddInput(d, one);
    }
    return 0;
}

static int add_attrs(TF_OperationDescription *d, PyObject *attrs) {
    TF_Status *s = status_here();
    for (Py_ssize_t i = 0; i < PyList_Size(attrs); i++) {
        const char *name, *bytes;
        Py_ssize_t n;
        if (!PyArg_ParseTuple(PyList_GetItem(attrs, i), "sy#", &name, &bytes, &n)) return -1;
        TF_SetAttrValueProto(d, name, bytes, (size_t)n, s);
        if (raise_status(s, NULL)) return -1;
    }
    return 0;
}

static PyObject *describe(TF_Graph *graph, TF_Operation *node) {
    const int n = TF_OperationNumOutputs(node);
    PyObject *outputs = PyList_New(n);
    for (int i = 0; outputs && i < n; i++) {
        const TF_Output o = {node, i};
        PyObject *shape = shape_of(graph, o);
        put_item(&outputs, i, shape ? Py_BuildValue("(iN)", (int)TF_OperationOutputType(o), shape) : NULL);
    }
    return outputs ? Py_BuildValue("(KN)", (unsigned long long)(uintptr_t)node, outputs) : NULL;
}

/* add(op, name, inputs, attrs, controls, device) -> (node, [(dtype, dims) by output]) */
static PyObject *graph_add(PyObject *self, PyObject *args) {
    const char *type, *name, *device;
    PyObject *inputs, *attrs, *controls;
    TF_Graph *graph = ((Graph *)self)->graph;
    if (!PyArg_ParseTuple(args, "ssO!O!O!s", &type, &name, &PyList_Type, &inputs, &PyList_Type, &attrs, &PyList_Type,
                          &controls, &device))
        return NULL;
    TF_OperationDescription *d = TF_NewOperation(graph, type, name);
    int failed = add_inputs(d, inputs) || add_attrs(d, attrs);
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(controls); i++)
        TF_AddControlInput(d, (TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(PyList_GetItem(controls, i)));
    if (*device) TF_SetDevice(d, device);
    TF_Status *s = TF_NewStatus();
    TF_Operation *node = TF_FinishOperation(d, s); /* also after a failure: it frees the description */
    if (!failed) failed = raise_status(s, NULL);
    TF_DeleteStatus(s);
    return failed || PyErr_Occurred() ? NULL : describe(graph, node);
}

static PyObject *graph_shape(PyObject *self, PyObject *pair) {
    TF_Output o;
    return output_of(pair, &o) ? NULL : shape_of(((Graph *)self)->graph, o);
}

/* set_shape(output, dims or None) */
static PyObject *graph_set_shape(PyObject *self, PyObject *args) {
    PyObject *pair, *dims;
    TF_Output o;
    int64_t sizes[254];
    if (!PyArg_ParseTuple(args, "OO", &pair, &dims) || output_of(pair, &o)) return NULL;
    const int rank = dims == Py_None ? -1 : (int)PyTuple_Size(dims);
    for (int i = 0; i < rank && i < 254; i++) sizes[i] = PyLong_AsLongLong(PyTuple_GetItem(dims, i));
    if (PyErr_Occurred()) return NULL;
    TF_Status *s = status_here();
    TF_GraphSetTensorShape(((Graph *)self)->graph, o, sizes, rank > 254 ? 254 : rank, s);
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}

/* gradients(ys, xs, dys or None, prefix) -> [output, or None] by x */
static PyObject *graph_gradients(PyObject *self, PyObject *args) {
    PyObject *ys, *xs, *dys;
    const char *prefix;
    if (!PyArg_ParseTuple(args, "O!O!Os", &PyList_Type, &ys, &PyList_Type, &xs, &dys, &prefix)) return NULL;
    TF_Output *y = outputs_of(ys), *x = y ? outputs_of(xs) : NULL, *dy = x && dys != Py_None ? outputs_of(dys) : NULL;
    const int nx = (int)PyList_Size(xs);
    TF_Output *dx = x ? PyMem_Calloc((size_t)nx + 1, sizeof *dx) : NULL;
    PyObject *made = NULL;
    if (dx && !PyErr_Occurred()) {
        TF_Status *s = status_here();
        TF_AddGradientsWithPrefix(((Graph *)self)->graph, prefix, y, (int)PyList_Size(ys), x, nx, dy, s, dx);
        made = raise_status(s, NULL) ? NULL : PyList_New(nx);
        for (int i = 0; made && i < nx; i++) put_item(&made, i, dx[i].oper ? pair_of(dx[i]) : Py_NewRef(Py_None));
    }
    PyMem_Free(y);
    PyMem_Free(x);
    PyMem_Free(dy);
    PyMem_Free(dx);
    return made;
}

static PyObject *graph_def(PyObject *self, PyObject *unused) {
    (void)unused;
    TF_Status *s = status_here();
    TF_Buffer *b = TF_NewBuffer();
    TF_GraphToGraphDef(((Graph *)self)->graph, b, s);
    return bytes_of_buffer(b, s);
}

/* mark(text): in names of functions that gradients make */
static PyObject *graph_mark(PyObject *self, PyObject *mark) {
    const char *text = PyUnicode_AsUTF8AndSize(mark, NULL);
    if (!text) return NULL;
    TF_Status *s = status_here();
    sl_graph_mark_functions(((Graph *)self)->graph, text, s);
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *graph_node_name(PyObject *self, PyObject *node) {
    (void)self;
    return PyUnicode_FromString(TF_OperationName((TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(node)));
}

/* describe(node) -> (op type, [(dtype, dims) by output]) */
static PyObject *graph_describe(PyObject *self, PyObject *node) {
    TF_Operation *n = (TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(node);
    PyObject *what = describe(((Graph *)self)->graph, n);
    PyObject *made = what ? Py_BuildValue("(sO)", TF_OperationOpType(n), PyTuple_GetItem(what, 1)) : NULL;
    Py_XDECREF(what);
    return made;
}

/* output_length(node, result) -> how many outputs the op's result of this name is */
static PyObject *graph_output_length(PyObject *self, PyObject *args) {
    unsigned long long node;
    const char *result;
    (void)self;
    if (!PyArg_ParseTuple(args, "Ks", &node, &result)) return NULL;
    TF_Status *s = status_here();
    const int n = TF_OperationOutputListLength((TF_Operation *)(uintptr_t)node, result, s);
    return raise_status(s, NULL) ? NULL : PyLong_FromLong(n);
}

/* Takes the function over, also on failure. */
static PyObject *wrap_function(TF_Function *f) {
    Function *made = (Function *)((allocfunc)PyType_GetSlot(function_type, Py_tp_alloc))(function_type, 0);
    if (made) made->function = f;
    else TF_DeleteFunction(f);
    return (PyObject *)made;
}

/* functions() -> those that the graph's nodes may call */
static PyObject *graph_functions(PyObject *self, PyObject *unused) {
    (void)unused;
    TF_Graph *graph = ((Graph *)self)->graph;
    const int n = TF_GraphNumFunctions(graph);
    TF_Function **all = PyMem_Calloc((size_t)n + 1, sizeof *all);
    if (!all) return PyErr_NoMemory();
    TF_Status *s = status_here();
    const int got = TF_GraphGetFunctions(graph, all, n, s);
    PyObject *list = raise_status(s, NULL) ? NULL : PyList_New(got);
    for (int i = 0; i < got; i++) {
        PyObject *item = wrap_function(all[i]);
        if (list && item) PyList_SetItem(list, i, item);
        else Py_XDECREF(item);
        if (!item) Py_CLEAR(list);
    }
    PyMem_Free(all);
    return list;
}

/* function(name, inputs, outputs, output names, controls, hash) -> Function */
static PyObject *graph_function(PyObject *self, PyObject *args) {
    const char *name;
    PyObject *inputs, *outputs, *names, *controls;
    int hash;
    if (!PyArg_ParseTuple(args, "sO!O!O!O!p", &name, &PyList_Type, &inputs, &PyList_Type, &outputs, &PyList_Type,
                          &names, &PyList_Type, &controls, &hash))
        return NULL;
    TF_Output *in = outputs_of(inputs), *out = in ? outputs_of(outputs) : NULL;
    const size_t n_names = (size_t)PyList_Size(names), n_controls = (size_t)PyList_Size(controls);
    const char **texts = PyMem_Calloc(n_names + 1, sizeof *texts);
    const TF_Operation **nodes = PyMem_Calloc(n_controls + 1, sizeof *nodes);
    Function *made = NULL;
    for (size_t i = 0; texts && i < n_names; i++)
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(names, (Py_ssize_t)i), NULL);
    for (size_t i = 0; nodes && i < n_controls; i++)
        nodes[i] = (TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(PyList_GetItem(controls, (Py_ssize_t)i));
    if (out && texts && nodes && !PyErr_Occurred()) {
        TF_Status *s = status_here();
        TF_Function *f =
            TF_GraphToFunctionWithControlOutputs(((Graph *)self)->graph, name, (unsigned char)hash, -1, NULL,
                                                 (int)PyList_Size(inputs), in, (int)PyList_Size(outputs), out,
                                                 n_names ? texts : NULL, (int)n_controls, nodes, NULL, NULL, NULL, s);
        if (!raise_status(s, NULL)) made = (Function *)wrap_function(f);
    }
    PyMem_Free(in);
    PyMem_Free(out);
    PyMem_Free(texts);
    PyMem_Free(nodes);
    return (PyObject *)made;
}

/* copy_function(function, gradient or None) */
static PyObject *graph_copy_function(PyObject *self, PyObject *args) {
    PyObject *f, *gradient = Py_None;
    if (!PyArg_ParseTuple(args, "O!|O", function_type, &f, &gradient)) return NULL;
    TF_Status *s = status_here();
    TF_GraphCopyFunction(((Graph *)self)->graph, ((Function *)f)->function,
                         gradient == Py_None ? NULL : ((Function *)gradient)->function, s);
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef graph_methods[] = {
    {"add", graph_add, METH_VARARGS, "add(op, name, inputs, attrs, controls, device) -> (node, outputs)"},
    {"shape", graph_shape, METH_O, NULL},
    {"set_shape", graph_set_shape, METH_VARARGS, NULL},
    {"gradients", graph_gradients, METH_VARARGS, NULL},
    {"graph_def", graph_def, METH_NOARGS, NULL},
    {"mark", graph_mark, METH_O, NULL},
    {"node_name", graph_node_name, METH_O, NULL},
    {"describe", graph_describe, METH_O, NULL},
    {"output_length", graph_output_length, METH_VARARGS, NULL},
    {"function", graph_function, METH_VARARGS, NULL},
    {"functions", graph_functions, METH_NOARGS, NULL},
    {"copy_function", graph_copy_function, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot graph_slots[] = {
    {Py_tp_new, graph_new},
    {Py_tp_dealloc, graph_dealloc},
    {Py_tp_methods, graph_methods},
    {Py_tp_doc, "A graph's nodes."},
    {0, NULL},
};
static PyType_Spec graph_spec = {"sluice.NativeGraph", sizeof(Graph), 0, Py_TPFLAGS_DEFAULT, graph_slots};

/* ---- functions */

static PyObject *function_name(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(TF_FunctionName(((Function *)self)->function));
}

static PyObject *function_def(PyObject *self, PyObject *unused) {
    (void)unused;
    TF_Status *s = status_here();
    TF_Buffer *b = TF_NewBuffer();
    TF_FunctionToFunctionDef(((Function *)self)->function, b, s);
    return bytes_of_buffer(b, s);
}

/* register(): in the eager context */
static PyObject *function_register(PyObject *self, PyObject *unused) {
    (void)unused;
    TFE_Context *c = context_here();
    TF_Status *s = status_here();
    if (!c) return NULL;
    TFE_ContextAddFunction(c, ((Function *)self)->function, s);
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}

static PyGetSetDef function_getset[] = {{"name", function_name, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef function_methods[] = {
    {"definition", function_def, METH_NOARGS, "The FunctionDef's bytes."},
    {"register", function_register, METH_NOARGS, "Makes it an op of the eager context."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot function_slots[] = {
    {Py_tp_dealloc, function_dealloc},
    {Py_tp_getset, function_getset},
    {Py_tp_methods, function_methods},
    {Py_tp_doc, "A function of a graph."},
    {0, NULL},
};
static PyType_Spec function_spec = {"sluice.NativeFunction", sizeof(Function), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, function_slots};

int graph_add_types(PyObject *module) {
    graph_type = (PyTypeObject *)PyType_FromSpec(&graph_spec);
    function_type = (PyTypeObject *)PyType_FromSpec(&function_spec);
    if (!graph_type || !function_type) return -1;
    return PyModule_AddObjectRef(module, "Graph", (PyObject *)graph_type);
}
