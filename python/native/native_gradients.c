/* Gradients of graphs (sluice/gradient.h): with all their options, and by rules that are Python functions. */
#include "native.h"

#include <string.h>

#include "sluice/gradient.h"

/* Like outputs_of, where None stands for no output. */
static TF_Output *some_outputs_of(PyObject *list) {
    const Py_ssize_t n = PyList_Size(list);
    TF_Output *outputs = PyMem_Calloc((size_t)n + 1, sizeof *outputs);
    if (!outputs) PyErr_NoMemory();
    for (Py_ssize_t i = 0; outputs && i < n; i++) {
        PyObject *pair = PyList_GetItem(list, i);
        if (pair != Py_None && output_of(pair, &outputs[i])) {
            PyMem_Free(outputs);
            return NULL;
        }
    }
    return outputs;
}

/* None, an output, or (values, indices, dense shape) */
static PyObject *gradient_of(const struct sl_slices *d) {
    if (!d->values.oper) Py_RETURN_NONE;
    if (!d->indices.oper) return pair_of(d->values);
    return Py_BuildValue("(NNN)", pair_of(d->values), pair_of(d->indices),
                         d->dense_shape.oper ? pair_of(d->dense_shape) : Py_NewRef(Py_None));
}

/* gradients(graph, ys, dys or None, xs, stops, prefix, no_gradient, keep_slices, colocate, in pairs,
 * names) -> by x a gradient */
PyObject *gradients_add(PyObject *self, PyObject *args) {
    PyObject *graph, *ys, *dys, *xs, *stops, *made = NULL;
    const char *prefix;
    int none, slices, colocate, pairs, names;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO!OO!O!sipppi", &graph, &PyList_Type, &ys, &dys, &PyList_Type, &xs, &PyList_Type,
                          &stops, &prefix, &none, &slices, &colocate, &pairs, &names))
        return NULL;
    TF_Graph *g = graph_of(graph);
    const int nx = (int)PyList_Size(xs);
    TF_Output *y = g ? outputs_of(ys) : NULL, *x = y ? outputs_of(xs) : NULL, *stop = x ? outputs_of(stops) : NULL,
              *dy = stop && dys != Py_None ? some_outputs_of(dys) : NULL;
    struct sl_slices *dx = stop ? PyMem_Calloc((size_t)nx + 1, sizeof *dx) : NULL;
    if (dx && !PyErr_Occurred()) {
        const struct sl_gradient_options options = {.size = sizeof options,
                                                    .prefix = prefix,
                                                    .stop_gradients = stop,
                                                    .num_stop_gradients = (int)PyList_Size(stops),
                                                    .no_gradient = (enum sl_no_gradient)none,
                                                    .keep_slices = (unsigned char)slices,
                                                    .colocate = (unsigned char)colocate,
                                                    .aggregation = pairs ? SL_ADD_PAIRS : SL_ADD_ALL,
                                                    .names = (enum sl_gradient_names)names};
        TF_Status *s = TF_NewStatus(); /* rules use the thread's */
        sl_add_gradients(g, y, dy, (int)PyList_Size(ys), x, nx, &options, dx, s);
        made = raise_status(s, NULL) ? NULL : PyList_New(nx);
        TF_DeleteStatus(s);
        for (int i = 0; made && i < nx; i++) put_item(&made, i, gradient_of(&dx[i]));
    }
    PyMem_Free(y);
    PyMem_Free(x);
    PyMem_Free(stop);
    PyMem_Free(dy);
    PyMem_Free(dx);
    return made;
}

/* ---- rules */

static PyObject *list_of(const TF_Output *outputs, int n) {
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) put_item(&list, i, outputs[i].oper ? pair_of(outputs[i]) : Py_NewRef(Py_None));
    return list;
}

static int take_gradients(TF_Output *dxs, int n, PyObject *result) {
    if (!PyList_Check(result) || PyList_Size(result) != n) {
        PyErr_Format(PyExc_ValueError, "a gradient function must give %d gradients, one for each input", n);
        return -1;
    }
    for (int i = 0; i < n; i++) {
        PyObject *pair = PyList_GetItem(result, i);
        if (pair != Py_None && output_of(pair, &dxs[i])) return -1;
    }
    return 0;
}

static void call_rule(const struct sl_gradient_node *node, void *arg, TF_Status *status) {
    PyGILState_STATE gil = PyGILState_Ensure();
    const int nx = TF_OperationNumInputs(node->operation), ny = TF_OperationNumOutputs(node->operation);
    PyObject *graph = graph_borrowed(node->graph), *xs = list_of(node->xs, nx), *ys = list_of(node->ys, ny),
             *dys = list_of(node->dys, ny), *number = PyLong_FromVoidPtr(node->operation), *result = NULL;
    if (graph && xs && ys && dys && number)
        result = PyObject_CallFunctionObjArgs(arg, graph, number, xs, ys, dys, NULL);
    if (!result || take_gradients(node->dxs, nx, result)) keep_exception(status);
    Py_XDECREF(graph);
    Py_XDECREF(xs);
    Py_XDECREF(ys);
    Py_XDECREF(dys);
    Py_XDECREF(number);
    Py_XDECREF(result);
    PyGILState_Release(gil);
}

/* register_gradient(name, function): for ever. The function is called with (graph, node, inputs, outputs, gradients of the
 * outputs) and gives a list of the gradients of the inputs; all are outputs, or None. */
PyObject *gradients_register(PyObject *self, PyObject *args) {
    const char *name;
    PyObject *function;
    (void)self;
    if (!PyArg_ParseTuple(args, "sO", &name, &function)) return NULL;
    TF_Status *s = status_here();
    sl_register_gradient(name, call_rule, function, s);
    if (raise_status(s, NULL)) return NULL;
    Py_INCREF(function);
    Py_RETURN_NONE;
}
