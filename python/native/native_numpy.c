/* The elements of tensors as numpy's arrays and scalars, for the types that Python has told of. numpy's own interface is not
 * needed: an array is made by numpy.empty, and filled through its buffer. */
#include "native.h"

#include <string.h>

enum { MOST_TYPES = 32 };
static PyObject *numpy_empty; /* numpy.empty */
static struct { PyObject *scalar, *dtype; /* numpy's class, and its dtype */ } types_of_numpy[MOST_TYPES];

/* numpy_know_type(number, class, dtype, numpy.empty): elements of the type lie as numpy's do, and are no objects. */
PyObject *numpy_know_type(PyObject *self, PyObject *args) {
    int number;
    PyObject *scalar, *dtype, *empty;
    (void)self;
    if (!PyArg_ParseTuple(args, "iOOO", &number, &scalar, &dtype, &empty)) return NULL;
    if (number < 0 || number >= MOST_TYPES) return PyErr_Format(PyExc_ValueError, "no type has number %d", number);
    put_object(&numpy_empty, Py_NewRef(empty));
    put_object(&types_of_numpy[number].dtype, Py_NewRef(dtype));
    put_object(&types_of_numpy[number].scalar, Py_NewRef(scalar));
    Py_RETURN_NONE;
}

static PyObject *empty_array(const TF_Tensor *elements, PyObject *dtype) {
    const int rank = TF_NumDims(elements);
    PyObject *dims = PyTuple_New(rank);
    for (int i = 0; dims && i < rank; i++) {
        PyObject *dim = PyLong_FromLongLong(TF_Dim(elements, i));
        if (dim) PyTuple_SetItem(dims, i, dim);
        else Py_CLEAR(dims);
    }
    PyObject *made = dims ? PyObject_CallFunctionObjArgs(numpy_empty, dims, dtype, NULL) : NULL;
    Py_XDECREF(dims);
    return made;
}

PyObject *numpy_at_once(Tensor *t) {
    const int number = t->dtype;
    if (number < 0 || number >= MOST_TYPES || !types_of_numpy[number].scalar) Py_RETURN_NONE;
    TF_Tensor *elements = tensor_elements(t);
    if (!elements) return NULL;
    if (!TF_NumDims(elements)) {
        PyObject *value = element_to_python(TF_TensorData(elements), number);
        PyObject *made = value ? call_one(types_of_numpy[number].scalar, value) : NULL;
        Py_XDECREF(value);
        return made;
    }
    PyObject *made = empty_array(elements, types_of_numpy[number].dtype);
    Py_buffer view;
    if (made && PyObject_GetBuffer(made, &view, PyBUF_WRITABLE)) Py_CLEAR(made);
    if (!made) return NULL;
    const size_t n = TF_TensorByteSize(elements);
    if ((size_t)view.len == n) memcpy(view.buf, TF_TensorData(elements), n);
    PyBuffer_Release(&view);
    return made;
}
