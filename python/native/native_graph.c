/* Graphs and functions as Python sees them. A node is its address, a number, for the life of its graph; an output is a
 * pair (node, index). Attrs come as the bytes of AttrValue messages. */
#include "native.h"

#include <string.h>

#include "sluice/explain.h"
#include "sluice/gradient.h"

typedef struct {
    PyObject_HEAD TF_Graph *graph;
    bool is_borrowed;
} Graph;
typedef struct {
    PyObject_HEAD TF_Function *function;
} Function;
static PyTypeObject *graph_type, *function_type;

TF_Graph *graph_of(PyObject *o) {
    if (PyObject_TypeCheck(o, graph_type)) return ((Graph *)o)->graph;
    PyErr_SetString(PyExc_TypeError, "not a graph");
    return NULL;
}

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
PyObject *graph_borrowed(TF_Graph *graph) {
    Graph *g = (Graph *)((allocfunc)PyType_GetSlot(graph_type, Py_tp_alloc))(graph_type, 0);
    if (g) g->graph = graph, g->is_borrowed = true;
    return (PyObject *)g;
}
static void graph_dealloc(PyObject *self) {
    if (!((Graph *)self)->is_borrowed) TF_DeleteGraph(((Graph *)self)->graph);
    free_object(self);
}
static void function_dealloc(PyObject *self) {
    TF_DeleteFunction(((Function *)self)->function);
    free_object(self);
}

/* ---- outputs */

int output_of(PyObject *pair, TF_Output *out) {
    unsigned long long address;
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "Ki", &address, &out->index)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "an output is a pair (node, index)");
        return -1;
    }
    out->oper = (TF_Operation *)(uintptr_t)address;
    return 0;
}

TF_Output *outputs_of(PyObject *list) {
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

PyObject *pair_of(TF_Output o) { return Py_BuildValue("(Ki)", (unsigned long long)(uintptr_t)o.oper, o.index); }

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

static char *put_varint(char *to, uint64_t x) {
    for (; x >= 128; x >>= 7) *to++ = (char)(x | 128);
    *to++ = (char)x;
    return to;
}

/* set_held(output, dtype, dims or None): what the variable holds whose handle the output is; its shape functions ask for that. The
 * message is a CppShapeInferenceResult.HandleData. */
static PyObject *graph_set_held(PyObject *self, PyObject *args) {
    enum { RANK = 254, DIM = 16, VARINT = 10 };
    PyObject *pair, *dims;
    TF_Output o;
    int dtype;
    char shape[RANK * DIM], held[sizeof shape + 64], message[sizeof held + 64], *end = shape;
    if (!PyArg_ParseTuple(args, "OiO", &pair, &dtype, &dims) || output_of(pair, &o)) return NULL;
    const Py_ssize_t rank = dims == Py_None ? 0 : PyTuple_Size(dims);
    if (rank > RANK) return PyErr_Format(PyExc_ValueError, "a shape of %zd dimensions", rank);
    for (Py_ssize_t i = 0; i < rank; i++) {
        char size[VARINT + 1] = {8}; /* TensorShapeProto.dim, a Dim with its size */
        const int64_t n = PyLong_AsLongLong(PyTuple_GetItem(dims, i));
        const size_t bytes = (size_t)(put_varint(size + 1, (uint64_t)n) - size);
        *end++ = 18;
        *end++ = (char)bytes;
        memcpy(end, size, bytes);
        end += bytes;
    }
    if (PyErr_Occurred()) return NULL;
    if (dims == Py_None) *end++ = 24, *end++ = 1; /* unknown_rank */
    const size_t bytes = (size_t)(end - shape);
    held[0] = 10; /* HandleShapeAndType: shape, dtype */
    char *at = put_varint(held + 1, bytes);
    memcpy(at, shape, bytes);
    at[bytes] = 16;
    const size_t n_held = (size_t)(put_varint(at + bytes + 1, (uint64_t)dtype) - held);
    memcpy(message, (char[]){8, 1, 18}, 3); /* is_set, shape_and_type */
    at = put_varint(message + 3, n_held);
    memcpy(at, held, n_held);
    TF_Status *s = status_here();
    TF_SetHandleShapeAndType(((Graph *)self)->graph, o, message, (size_t)(at - message) + n_held, s);
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}

/* update_edge(node, index of an input, output): the input reads the output from now on */
static PyObject *graph_update_edge(PyObject *self, PyObject *args) {
    unsigned long long node;
    int index;
    PyObject *pair;
    TF_Output from;
    if (!PyArg_ParseTuple(args, "KiO", &node, &index, &pair) || output_of(pair, &from)) return NULL;
    TF_Status *s = status_here();
    TF_UpdateEdge(((Graph *)self)->graph, from, (TF_Input){(TF_Operation *)(uintptr_t)node, index}, s);
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}

/* address() -> a number that no other graph has meanwhile */
static PyObject *graph_address(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((Graph *)self)->graph);
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

/* node_def(node) -> the NodeDef's bytes */
static PyObject *graph_node_def(PyObject *self, PyObject *node) {
    (void)self;
    TF_Status *s = status_here();
    TF_Buffer *b = TF_NewBuffer();
    TF_OperationToNodeDef((TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(node), b, s);
    return bytes_of_buffer(b, s);
}

/* node_attr(node, name) -> the AttrValue's bytes, None when the node has no such attr */
static PyObject *graph_node_attr(PyObject *self, PyObject *args) {
    unsigned long long node;
    const char *name;
    (void)self;
    if (!PyArg_ParseTuple(args, "Ks", &node, &name)) return NULL;
    TF_Status *s = status_here();
    TF_Buffer *b = TF_NewBuffer();
    TF_OperationGetAttrValueProto((TF_Operation *)(uintptr_t)node, name, b, s);
    if (TF_GetCode(s) != TF_INVALID_ARGUMENT) return bytes_of_buffer(b, s);
    TF_DeleteBuffer(b);
    Py_RETURN_NONE;
}

/* explain(code, message[, place]) -> what the error of a run is about, a sentence a line (sluice/explain.h) */
static PyObject *graph_explain(PyObject *self, PyObject *args) {
    int code;
    const char *message, *place = "";
    if (!PyArg_ParseTuple(args, "is|s", &code, &message, &place)) return NULL;
    TF_Status *s = status_here(), *error = TF_NewStatus();
    TF_SetStatus(error, (TF_Code)code, message);
    if (*place) TF_SetPayload(error, "sluice.place", place);
    TF_Buffer *b = sl_explain_error(((Graph *)self)->graph, error, NULL, s);
    TF_DeleteStatus(error);
    PyObject *made = raise_status(s, NULL) ? NULL : PyUnicode_DecodeUTF8(b->data, (Py_ssize_t)b->length, "replace");
    if (b) TF_DeleteBuffer(b);
    return made;
}

/* All of a node: (node, op type, name, device, inputs, controls, outputs). */
static PyObject *node_parts(TF_Graph *graph, TF_Operation *node) {
    const int n_in = TF_OperationNumInputs(node), n_control = TF_OperationNumControlInputs(node);
    PyObject *inputs = PyList_New(n_in), *controls = PyList_New(n_control);
    TF_Operation **before = PyMem_Calloc((size_t)n_control + 1, sizeof *before);
    if (!before) {
        PyErr_NoMemory();
        Py_CLEAR(controls);
    }
    for (int i = 0; inputs && i < n_in; i++) put_item(&inputs, i, pair_of(TF_OperationInput((TF_Input){node, i})));
    if (before) TF_OperationGetControlInputs(node, before, n_control);
    for (int i = 0; controls && i < n_control; i++)
        put_item(&controls, i, PyLong_FromUnsignedLongLong((unsigned long long)(uintptr_t)before[i]));
    PyMem_Free(before);
    PyObject *described = inputs && controls ? describe(graph, node) : NULL, *parts = NULL;
    if (described)
        parts = Py_BuildValue("(KsssOOO)", (unsigned long long)(uintptr_t)node, TF_OperationOpType(node),
                              TF_OperationName(node), TF_OperationDevice(node), inputs, controls,
                              PyTuple_GetItem(described, 1));
    Py_XDECREF(described);
    Py_XDECREF(inputs);
    Py_XDECREF(controls);
    return parts;
}

/* nodes(position) -> (next position, the parts of each node from there on): in the order in which they were made */
static PyObject *graph_nodes(PyObject *self, PyObject *from) {
    TF_Graph *graph = ((Graph *)self)->graph;
    size_t at = PyLong_AsSize_t(from), last = at; /* behind the end a position would skip what comes there */
    PyObject *list = PyErr_Occurred() ? NULL : PyList_New(0);
    TF_Operation *node;
    while (list && (node = TF_GraphNextOperation(graph, &at))) {
        PyObject *parts = node_parts(graph, node);
        if (!parts || PyList_Append(list, parts)) Py_CLEAR(list);
        Py_XDECREF(parts);
        last = at;
    }
    return list ? Py_BuildValue("(nN)", (Py_ssize_t)last, list) : NULL;
}

/* import_graph(bytes, prefix, [(name, index, output)], [(name, node)], [node]: controls, uniquify, [(name, index)] wanted,
 * [name] of nodes wanted, device) -> (outputs, nodes, [(name, index)] of mappings that nothing used) */
static PyObject *graph_import(PyObject *self, PyObject *args) {
    const char *bytes, *prefix, *device, *name;
    Py_ssize_t n;
    PyObject *map, *control_map, *controls, *outputs, *nodes, *made = NULL;
    int uniquify, index;
    TF_Output to;
    if (!PyArg_ParseTuple(args, "y#sO!O!O!pO!O!s", &bytes, &n, &prefix, &PyList_Type, &map, &PyList_Type, &control_map,
                          &PyList_Type, &controls, &uniquify, &PyList_Type, &outputs, &PyList_Type, &nodes, &device))
        return NULL;
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_ImportGraphDefOptionsSetPrefix(options, prefix);
    TF_ImportGraphDefOptionsSetUniquifyNames(options, (unsigned char)uniquify);
    if (*device) TF_ImportGraphDefOptionsSetDefaultDevice(options, device);
    for (Py_ssize_t i = 0; i < PyList_Size(map) && !PyErr_Occurred(); i++) {
        PyObject *pair;
        if (PyArg_ParseTuple(PyList_GetItem(map, i), "siO", &name, &index, &pair) && !output_of(pair, &to))
            TF_ImportGraphDefOptionsAddInputMapping(options, name, index, to);
    }
    for (Py_ssize_t i = 0; i < PyList_Size(control_map) && !PyErr_Occurred(); i++) {
        unsigned long long node;
        if (PyArg_ParseTuple(PyList_GetItem(control_map, i), "sK", &name, &node))
            TF_ImportGraphDefOptionsRemapControlDependency(options, name, (TF_Operation *)(uintptr_t)node);
    }
    for (Py_ssize_t i = 0; i < PyList_Size(controls) && !PyErr_Occurred(); i++)
        TF_ImportGraphDefOptionsAddControlDependency(options, (TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(
                                                                  PyList_GetItem(controls, i)));
    for (Py_ssize_t i = 0; i < PyList_Size(outputs) && !PyErr_Occurred(); i++)
        if (PyArg_ParseTuple(PyList_GetItem(outputs, i), "si", &name, &index))
            TF_ImportGraphDefOptionsAddReturnOutput(options, name, index);
    for (Py_ssize_t i = 0; i < PyList_Size(nodes) && !PyErr_Occurred(); i++)
        if ((name = PyUnicode_AsUTF8AndSize(PyList_GetItem(nodes, i), NULL)))
            TF_ImportGraphDefOptionsAddReturnOperation(options, name);
    TF_Buffer *def = TF_NewBufferFromString(bytes, (size_t)n);
    TF_Status *s = status_here();
    TF_ImportGraphDefResults *results =
        PyErr_Occurred() ? NULL : TF_GraphImportGraphDefWithResults(((Graph *)self)->graph, def, options, s);
    if (!PyErr_Occurred() && !raise_status(s, NULL)) {
        int n_out, n_nodes, n_unused, *unused_index;
        TF_Output *out;
        TF_Operation **found;
        const char **unused;
        TF_ImportGraphDefResultsReturnOutputs(results, &n_out, &out);
        TF_ImportGraphDefResultsReturnOperations(results, &n_nodes, &found);
        TF_ImportGraphDefResultsMissingUnusedInputMappings(results, &n_unused, &unused, &unused_index);
        PyObject *o = PyList_New(n_out), *f = PyList_New(n_nodes), *u = PyList_New(n_unused);
        for (int i = 0; o && i < n_out; i++) put_item(&o, i, pair_of(out[i]));
        for (int i = 0; f && i < n_nodes; i++)
            put_item(&f, i, PyLong_FromUnsignedLongLong((unsigned long long)(uintptr_t)found[i]));
        for (int i = 0; u && i < n_unused; i++) put_item(&u, i, Py_BuildValue("(si)", unused[i], unused_index[i]));
        if (o && f && u) made = PyTuple_Pack(3, o, f, u);
        Py_XDECREF(o);
        Py_XDECREF(f);
        Py_XDECREF(u);
    }
    if (results) TF_DeleteImportGraphDefResults(results);
    TF_DeleteBuffer(def);
    TF_DeleteImportGraphDefOptions(options);
    return made;
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

/* function(name, inputs, outputs, output names, controls, hash, nodes: those it is made of, without it all) -> Function */
static PyObject *graph_function(PyObject *self, PyObject *args) {
    const char *name;
    PyObject *inputs, *outputs, *names, *controls, *parts = NULL;
    int hash;
    if (!PyArg_ParseTuple(args, "sO!O!O!O!p|O!", &name, &PyList_Type, &inputs, &PyList_Type, &outputs, &PyList_Type,
                          &names, &PyList_Type, &controls, &hash, &PyList_Type, &parts))
        return NULL;
    TF_Output *in = outputs_of(inputs), *out = in ? outputs_of(outputs) : NULL;
    const size_t n_names = (size_t)PyList_Size(names), n_controls = (size_t)PyList_Size(controls);
    const char **texts = PyMem_Calloc(n_names + 1, sizeof *texts);
    const TF_Operation **nodes = PyMem_Calloc(n_controls + 1, sizeof *nodes);
    const size_t n_parts = parts ? (size_t)PyList_Size(parts) : 0;
    const TF_Operation **body = PyMem_Calloc(n_parts + 1, sizeof *body);
    Function *made = NULL;
    for (size_t i = 0; texts && i < n_names; i++)
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(names, (Py_ssize_t)i), NULL);
    for (size_t i = 0; nodes && i < n_controls; i++)
        nodes[i] = (TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(PyList_GetItem(controls, (Py_ssize_t)i));
    for (size_t i = 0; body && i < n_parts; i++)
        body[i] = (TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(PyList_GetItem(parts, (Py_ssize_t)i));
    if (out && texts && nodes && body && !PyErr_Occurred()) {
        TF_Status *s = status_here();
        TF_Function *f =
            TF_GraphToFunctionWithControlOutputs(((Graph *)self)->graph, name, (unsigned char)hash,
                                                 parts ? (int)n_parts : -1, parts ? body : NULL,
                                                 (int)PyList_Size(inputs), in, (int)PyList_Size(outputs), out,
                                                 n_names ? texts : NULL, (int)n_controls, nodes, NULL, NULL, NULL, s);
        if (!raise_status(s, NULL)) made = (Function *)wrap_function(f);
    }
    PyMem_Free(in);
    PyMem_Free(out);
    PyMem_Free(texts);
    PyMem_Free(nodes);
    PyMem_Free(body);
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
    {"update_edge", graph_update_edge, METH_VARARGS, NULL},
    {"set_shape", graph_set_shape, METH_VARARGS, NULL},
    {"set_held", graph_set_held, METH_VARARGS, NULL},
    {"address", graph_address, METH_NOARGS, NULL},
    {"graph_def", graph_def, METH_NOARGS, NULL},
    {"mark", graph_mark, METH_O, NULL},
    {"node_name", graph_node_name, METH_O, NULL},
    {"node_def", graph_node_def, METH_O, "node_def(node) -> the NodeDef's bytes"},
    {"explain", graph_explain, METH_VARARGS, "explain(code, message) -> what the error is about, a sentence a line"},
    {"node_attr", graph_node_attr, METH_VARARGS, "node_attr(node, name) -> the AttrValue's bytes, or None"},
    {"nodes", graph_nodes, METH_O, "nodes(position) -> (next position, parts of the nodes from there on)"},
    {"import_graph", graph_import, METH_VARARGS, NULL},
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
