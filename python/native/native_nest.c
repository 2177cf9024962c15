/* The leaves of structures. Lists, tuples and dicts are taken apart here; what else has parts, Python knows
 * (natives.children). */
#include "native.h"

static int collect(PyObject *leaves, PyObject *x, PyObject *expand);

/* The keys of a dict in order. */
static PyObject *sorted_keys(PyObject *dict) {
    PyObject *keys = PyDict_Keys(dict);
    if (keys && PyList_Sort(keys)) {
        Py_CLEAR(keys);
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            PyErr_SetString(PyExc_TypeError, "nest only supports dicts with sortable keys.");
        }
    }
    return keys;
}

static int collect_dict(PyObject *leaves, PyObject *dict, PyObject *expand) {
    PyObject *keys = sorted_keys(dict);
    int failed = keys ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(keys); i++) {
        PyObject *key = PyList_GetItem(keys, i), *value = PyDict_GetItemWithError(dict, key);
        if (!value && !PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
        Py_XINCREF(value); /* what compares keys may change the dict */
        failed = value ? collect(leaves, value, expand) : -1;
        Py_XDECREF(value);
    }
    Py_XDECREF(keys);
    return failed;
}

static int collect_items(PyObject *leaves, PyObject *items, PyObject *expand) {
    const bool is_list = PyList_Check(items);
    int failed = 0;
    for (Py_ssize_t i = 0; !failed && i < (is_list ? PyList_Size(items) : PyTuple_Size(items)); i++) {
        PyObject *item = Py_NewRef(is_list ? PyList_GetItem(items, i) : PyTuple_GetItem(items, i));
        failed = collect(leaves, item, expand);
        Py_DECREF(item);
    }
    return failed;
}

/* Of a leaf Python gives None, of others a list. */
static int collect_other(PyObject *leaves, PyObject *x, PyObject *expand) {
    PyObject *children = PyObject_CallFunctionObjArgs(natives.children, x, expand, NULL);
    if (!children) return -1;
    const int failed = children == Py_None ? PyList_Append(leaves, x) : collect_items(leaves, children, expand);
    Py_DECREF(children);
    return failed;
}

static int collect(PyObject *leaves, PyObject *x, PyObject *expand) {
    const int is_leaf = PySet_Contains(natives.leaf_types, (PyObject *)Py_TYPE(x));
    if (is_leaf) return is_leaf < 0 ? -1 : PyList_Append(leaves, x);
    if (Py_EnterRecursiveCall(" while a structure is flattened")) return -1;
    const int failed = PyList_CheckExact(x) || PyTuple_CheckExact(x) ? collect_items(leaves, x, expand)
                       : PyDict_CheckExact(x)                        ? collect_dict(leaves, x, expand)
                                                                     : collect_other(leaves, x, expand);
    Py_LeaveRecursiveCall();
    return failed;
}

/* flatten(structure, expand composites) -> the leaves, in order; of mappings by sorted key */
PyObject *nest_flatten(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    (void)self;
    if (n != 2) return PyErr_Format(PyExc_TypeError, "flatten takes 2 arguments");
    PyObject *leaves = PyList_New(0);
    if (leaves && collect(leaves, args[0], args[1])) Py_CLEAR(leaves);
    return leaves;
}
