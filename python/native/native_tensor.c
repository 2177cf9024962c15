/* tf.Tensor and its eager kind. Python adds methods to both types (tensor.py); here are operators, the buffer protocol
 * and what else is called for every op.
 *
 * An operator on two eager tensors of one type, or on one and a Python number, is executed at once. All other operands
 * are Python's (natives.operators). */
#include "native.h"

#include <string.h>

PyTypeObject *tensor_type, *eager_type;

/* ---- life */

PyObject *tensor_of_handle(TFE_TensorHandle *handle) {
    Tensor *t = PyObject_GC_New(Tensor, eager_type);
    if (!t) {
        TFE_DeleteTensorHandle(handle);
        return NULL;
    }
    t->dict = t->weak = t->shape = NULL;
    t->handle = handle;
    t->tensor = NULL;
    t->dtype = TFE_TensorHandleDataType(handle);
    PyObject_GC_Track((PyObject *)t);
    return (PyObject *)t;
}

/* What a resource or a variant holds may end with it: a dataset's iterator waits for its thread then, which may be in a function
 * of Python's. */
static void delete_handle(TFE_TensorHandle *handle, int dtype) {
    if (dtype != TF_RESOURCE && dtype != TF_VARIANT) {
        TFE_DeleteTensorHandle(handle);
        return;
    }
    PyThreadState *thread = PyEval_SaveThread();
    TFE_DeleteTensorHandle(handle);
    PyEval_RestoreThread(thread);
}

static void tensor_dealloc(PyObject *self) {
    Tensor *t = (Tensor *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (t->weak) PyObject_ClearWeakRefs(self);
    Py_XDECREF(t->dict);
    Py_XDECREF(t->shape);
    if (t->tensor) TF_DeleteTensor(t->tensor);
    if (t->handle) delete_handle(t->handle, t->dtype);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(self);
    Py_DECREF(type);
}

static int tensor_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Tensor *)self)->dict);
    return 0;
}

static int tensor_clear(PyObject *self) {
    Py_CLEAR(((Tensor *)self)->dict);
    return 0;
}

/* Tensors that are not eager are made by Python classes that derive from Tensor: Tensor(dtype number). */
static PyObject *tensor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    int dtype = 0;
    (void)kwargs;
    if (PyTuple_Size(args) > 0 && !PyArg_ParseTuple(args, "i", &dtype)) return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Tensor *t = (Tensor *)alloc(type, 0);
    if (t) t->dtype = dtype;
    return (PyObject *)t;
}

TF_Tensor *tensor_elements(Tensor *t) {
    if (t->tensor) return t->tensor;
    if (!t->handle) {
        PyErr_SetString(PyExc_NotImplementedError, "numpy() is only available when eager execution is enabled.");
        return NULL;
    }
    TF_Status *s = status_here();
    PyThreadState *thread = PyEval_SaveThread();
    TF_Tensor *made = TFE_TensorHandleResolve(t->handle, s);
    PyEval_RestoreThread(thread);
    if (raise_status(s, NULL)) return NULL;
    if (t->tensor) TF_DeleteTensor(made); /* another thread was faster */
    else t->tensor = made;
    return t->tensor;
}

/* ---- what is known of it */

static PyObject *get_dtype(PyObject *self, void *unused) {
    (void)unused;
    PyObject *d = PyTuple_GetItem(natives.dtypes, ((Tensor *)self)->dtype); /* borrowed */
    Py_XINCREF(d);
    return d;
}

static PyObject *get_shape(PyObject *self, void *unused) {
    Tensor *t = (Tensor *)self;
    (void)unused;
    if (t->shape) {
        Py_INCREF(t->shape);
        return t->shape;
    }
    TF_Status *s = status_here();
    const int rank = t->handle ? TFE_TensorHandleNumDims(t->handle, s) : 0;
    if (raise_status(s, NULL)) return NULL;
    PyObject *dims = PyTuple_New(rank);
    for (int i = 0; dims && i < rank; i++) {
        const int64_t dim = TFE_TensorHandleDim(t->handle, i, s);
        PyObject *number = raise_status(s, NULL) ? NULL : PyLong_FromLongLong(dim);
        if (!number) Py_CLEAR(dims);
        else PyTuple_SetItem(dims, i, number);
    }
    PyObject *shape = dims ? call_one(natives.shape_of, dims) : NULL;
    Py_XDECREF(dims);
    if (!shape) return NULL;
    Py_INCREF(shape);
    put_object(&t->shape, shape);
    return shape;
}

static PyObject *get_rank(PyObject *self, void *unused) {
    (void)unused;
    TF_Status *s = status_here();
    const int rank = TFE_TensorHandleNumDims(((Tensor *)self)->handle, s);
    return raise_status(s, NULL) ? NULL : PyLong_FromLong(rank);
}

static PyObject *get_text(PyObject *self, const char *(*ask)(TFE_TensorHandle *, TF_Status *)) {
    Tensor *t = (Tensor *)self;
    if (!t->handle) Py_RETURN_NONE;
    TF_Status *s = status_here();
    const char *text = ask(t->handle, s);
    return raise_status(s, NULL) ? NULL : PyUnicode_FromString(text);
}
static PyObject *get_device(PyObject *self, void *unused) {
    (void)unused;
    return get_text(self, TFE_TensorHandleDeviceName);
}
static PyObject *get_backing_device(PyObject *self, void *unused) {
    (void)unused;
    return get_text(self, TFE_TensorHandleBackingDeviceName);
}
static PyObject *get_dtype_number(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(((Tensor *)self)->dtype);
}

/* The handle's address, for calls that go around this module; it lives as long as the tensor. */
static PyObject *get_handle(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((Tensor *)self)->handle);
}

static PyGetSetDef tensor_getset[] = {
    {"dtype", get_dtype, NULL, "The type of the elements, a DType.", NULL},
    {"_dtype_number", get_dtype_number, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyGetSetDef eager_getset[] = {
    {"shape", get_shape, NULL, "The shape, a TensorShape that is fully known.", NULL},
    {"ndim", get_rank, NULL, "How many dimensions the tensor has.", NULL},
    {"device", get_device, NULL, "The full name of the device that made the tensor.", NULL},
    {"backing_device", get_backing_device, NULL, "The full name of the device whose memory has the elements.", NULL},
    {"_handle", get_handle, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyMemberDef tensor_members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(Tensor, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Tensor, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* ---- operators */

static PyObject *by_python(const char *name, PyObject *a, PyObject *b) {
    PyObject *f = natives.operators ? PyDict_GetItemString(natives.operators, name) : NULL; /* borrowed */
    if (!f) return PyErr_Format(PyExc_SystemError, "operator %s is not set up", name);
    return b ? PyObject_CallFunctionObjArgs(f, a, b, NULL) : call_one(f, a);
}

static bool is_number(PyObject *o) { return PyFloat_CheckExact(o) || PyLong_CheckExact(o); }
static bool is_floating(int dtype) {
    return dtype == TF_FLOAT || dtype == TF_DOUBLE || dtype == TF_HALF || dtype == TF_BFLOAT16;
}

/* A Python number beside an eager tensor, in its type; NULL without an exception: Python has to see to it. */
static PyObject *number_like(PyObject *number, PyObject *tensor) {
    const int dtype = ((Tensor *)tensor)->dtype;
    if (!is_number(number) || (PyFloat_CheckExact(number) && !is_floating(dtype))) return NULL;
    if (!is_floating(dtype) && dtype != TF_INT32 && dtype != TF_INT64) return NULL;
    PyObject *made = convert_value(number, dtype, 0);
    if (!made) PyErr_Clear();
    return made;
}

PyObject *operate_at_once(const char *op, PyObject *a, PyObject *b) {
    if (is_building()) Py_RETURN_NONE;
    if (is_eager(a) && is_eager(b) && ((Tensor *)a)->dtype == ((Tensor *)b)->dtype)
        return execute_binary(op, (Tensor *)a, (Tensor *)b);
    PyObject *other = is_eager(a) == is_eager(b) ? NULL : is_eager(a) ? number_like(b, a) : number_like(a, b);
    if (!other) Py_RETURN_NONE;
    PyObject *made = is_eager(a) ? execute_binary(op, (Tensor *)a, (Tensor *)other)
                                 : execute_binary(op, (Tensor *)other, (Tensor *)b);
    Py_DECREF(other);
    return made;
}

/* `op` NULL: always Python's. */
static PyObject *binary(const char *name, const char *op, PyObject *a, PyObject *b) {
    PyObject *made = op ? operate_at_once(op, a, b) : Py_NewRef(Py_None);
    if (made != Py_None) return made;
    Py_DECREF(made);
    return by_python(name, a, b);
}

int type_of_either(PyObject *a, PyObject *b) {
    return is_eager(a) ? ((Tensor *)a)->dtype : is_eager(b) ? ((Tensor *)b)->dtype : 0;
}

#define BINARY(word, op)                                                                                               \
    static PyObject *word##_slot(PyObject *a, PyObject *b) { return binary(#word, op, a, b); }
BINARY(add, type_of_either(a, b) == TF_STRING ? "Add" : "AddV2")
BINARY(sub, "Sub")
BINARY(mul, type_of_either(a, b) == TF_BOOL ? "LogicalAnd" : "Mul")
BINARY(truediv, is_floating(type_of_either(a, b)) ? "RealDiv" : NULL)
BINARY(floordiv, "FloorDiv")
BINARY(mod, "FloorMod")
BINARY(and_, type_of_either(a, b) == TF_BOOL ? "LogicalAnd" : NULL)
BINARY(or_, type_of_either(a, b) == TF_BOOL ? "LogicalOr" : NULL)
BINARY(xor_, NULL)

static PyObject *pow_slot(PyObject *a, PyObject *b, PyObject *modulo) {
    if (modulo != Py_None) Py_RETURN_NOTIMPLEMENTED;
    return binary("pow", "Pow", a, b);
}

static int rank_of(PyObject *o) {
    TF_Status *s = status_here();
    return is_eager(o) ? TFE_TensorHandleNumDims(((Tensor *)o)->handle, s) : -1;
}

static PyObject *matmul_slot(PyObject *a, PyObject *b) {
    return binary("matmul", rank_of(a) == 2 && rank_of(b) == 2 ? "MatMul" : NULL, a, b);
}

static PyObject *unary(const char *name, const char *op, PyObject *a) {
    return op && is_eager(a) && !is_building() ? execute_unary(op, (Tensor *)a) : by_python(name, a, NULL);
}
static PyObject *neg_slot(PyObject *a) { return unary("neg", "Neg", a); }
static PyObject *pos_slot(PyObject *a) {
    Py_INCREF(a);
    return a;
}
static PyObject *abs_slot(PyObject *a) {
    const int dtype = ((Tensor *)a)->dtype;
    return unary("abs", dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128 ? NULL : "Abs", a);
}
static PyObject *invert_slot(PyObject *a) {
    return unary("invert", ((Tensor *)a)->dtype == TF_BOOL ? "LogicalNot" : NULL, a);
}

/* Tensors of other shapes are unequal, not an error: so equality is asked at once of equal shapes alone. */
static bool have_equal_shapes(PyObject *a, PyObject *b) {
    TF_Status *s = status_here();
    const int rank = rank_of(a);
    if (rank < 0 || rank != rank_of(b)) return false;
    for (int i = 0; i < rank; i++)
        if (TFE_TensorHandleDim(((Tensor *)a)->handle, i, s) != TFE_TensorHandleDim(((Tensor *)b)->handle, i, s))
            return false;
    return true;
}

static PyObject *compare(PyObject *a, PyObject *b, int how) {
    static const char *const ops[] = {"Less", "LessEqual", "Equal", "NotEqual", "Greater", "GreaterEqual"};
    static const char *const names[] = {"lt", "le", "eq", "ne", "gt", "ge"};
    const bool is_equality = how == Py_EQ || how == Py_NE;
    if (is_equality && !compares_values()) return PyBool_FromLong((a == b) == (how == Py_EQ));
    const bool at_once = !is_equality || (is_eager(a) && is_eager(b) && have_equal_shapes(a, b));
    return binary(names[how], at_once ? ops[how] : NULL, a, b);
}

static Py_hash_t hash(PyObject *self) {
    if (!compares_values()) return (Py_hash_t)((uintptr_t)self >> 4);
    PyErr_SetString(PyExc_TypeError, "Tensor is unhashable. Instead, use tensor.ref() as the key.");
    return -1;
}

/* ---- as Python's numbers and sequences; of tensors that are not eager Python says what is wrong */

static PyObject *scalar_of(PyObject *self, const char *word) {
    if (!is_eager(self)) return by_python(word, self, NULL);
    Tensor *t = (Tensor *)self;
    TF_Tensor *elements = tensor_elements(t);
    if (!elements) return NULL;
    if (TF_TensorElementCount(elements) == 1 && t->dtype != TF_STRING) {
        PyObject *value = tensor_to_python(t);
        while (value && PyList_Check(value)) {
            PyObject *inner = PyList_GetItem(value, 0);
            Py_XINCREF(inner);
            Py_DECREF(value);
            value = inner;
        }
        return value;
    }
    return by_python(word, self, NULL);
}

static PyObject *as_number(PyObject *self, const char *word, PyObject *(*convert)(PyObject *)) {
    PyObject *value = scalar_of(self, word), *made = value ? convert(value) : NULL;
    Py_XDECREF(value);
    return made;
}
static PyObject *int_slot(PyObject *self) { return as_number(self, "int", PyNumber_Long); }
static PyObject *float_slot(PyObject *self) { return as_number(self, "float", PyNumber_Float); }
static PyObject *index_slot(PyObject *self) { return as_number(self, "index", PyNumber_Index); }
static int bool_slot(PyObject *self) {
    PyObject *value = scalar_of(self, "bool");
    const int truth = value ? PyObject_IsTrue(value) : -1;
    Py_XDECREF(value);
    return truth;
}

static Py_ssize_t length_slot(PyObject *self) {
    if (!is_eager(self)) {
        PyObject *n = by_python("len", self, NULL);
        const Py_ssize_t length = n ? PyLong_AsSsize_t(n) : -1;
        Py_XDECREF(n);
        return length;
    }
    TF_Status *s = status_here();
    const int rank = TFE_TensorHandleNumDims(((Tensor *)self)->handle, s);
    if (raise_status(s, NULL)) return -1;
    if (!rank) {
        PyErr_SetString(PyExc_TypeError, "Scalar tensor has no `len()`");
        return -1;
    }
    return (Py_ssize_t)TFE_TensorHandleDim(((Tensor *)self)->handle, 0, s);
}

static PyObject *subscript_slot(PyObject *self, PyObject *key) {
    return PyObject_CallFunctionObjArgs(natives.getitem, self, key, NULL);
}
/* One of the keys between brackets: a number, a slice of numbers, ... or None. False, maybe with an exception: of
 * another kind, or wrong. */
static bool add_key(struct slice *to, PyObject *key) {
    Py_ssize_t start = 0, stop = 0, step = 1;
    if (to->n == MOST_SLICED) return false;
    const int bit = 1 << to->n;
    if (PyLong_CheckExact(key)) {
        start = PyLong_AsSsize_t(key);
        if (start < INT32_MIN || start >= INT32_MAX) return false;
        stop = start + 1;
        to->shrink_mask |= bit;
    } else if (PySlice_Check(key)) {
        if (PySlice_Unpack(key, &start, &stop, &step)) return false;
        if ((start == 0 && step > 0) || start == PY_SSIZE_T_MAX) start = 0, to->begin_mask |= bit;
        if (stop == PY_SSIZE_T_MAX || stop == PY_SSIZE_T_MIN) stop = 0, to->end_mask |= bit;
        if (start < INT32_MIN || start > INT32_MAX || stop < INT32_MIN || stop > INT32_MAX || step < INT32_MIN ||
            step > INT32_MAX)
            return false;
    } else if (key == Py_Ellipsis) to->ellipsis_mask |= bit;
    else if (key == Py_None) to->new_axis_mask |= bit;
    else return false;
    to->begin[to->n] = (int32_t)start;
    to->end[to->n] = (int32_t)stop;
    to->strides[to->n++] = (int32_t)step;
    return true;
}

/* Of eager tensors. Python sees to other keys, and says what is wrong with one. */
static PyObject *eager_subscript_slot(PyObject *self, PyObject *key) {
    struct slice slice = {.n = 0};
    bool plain = !is_building();
    if (plain && PyTuple_CheckExact(key))
        for (Py_ssize_t i = 0; plain && i < PyTuple_Size(key); i++) plain = add_key(&slice, PyTuple_GetItem(key, i));
    else if (plain) plain = add_key(&slice, key);
    PyObject *made = plain ? execute_slice((Tensor *)self, &slice) : NULL;
    if (made) return made;
    PyErr_Clear();
    PyObject *by_python = PyObject_GetAttrString((PyObject *)tensor_type, "__getitem__");
    if (by_python) made = PyObject_CallFunctionObjArgs(by_python, self, key, NULL);
    Py_XDECREF(by_python);
    return made;
}

static PyObject *eager_item_slot(PyObject *self, Py_ssize_t i) {
    PyObject *key = PyLong_FromSsize_t(i), *made = key ? eager_subscript_slot(self, key) : NULL;
    Py_XDECREF(key);
    return made;
}

static PyObject *iter_slot(PyObject *self) { return by_python("iter", self, NULL); }
static PyObject *repr_slot(PyObject *self) { return call_one(natives.repr, self); }
static PyObject *str_slot(PyObject *self) { return call_one(natives.str, self); }

/* ---- the buffer protocol: the elements, read-only, without a copy */

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
    Tensor *t = (Tensor *)self;
    const char *format = format_of(t->dtype);
    view->obj = NULL;
    if (!format) {
        PyErr_SetString(PyExc_BufferError, "elements of this type have no format in Python's buffers");
        return -1;
    }
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "tensors cannot be written to");
        return -1;
    }
    TF_Tensor *elements = tensor_elements(t);
    if (!elements) return -1;
    const int rank = TF_NumDims(elements);
    const Py_ssize_t size = (Py_ssize_t)TF_DataTypeSize((TF_DataType)t->dtype);
    Py_ssize_t *dims = PyMem_Malloc((2 * (size_t)rank + 1) * sizeof *dims), *strides = dims + rank;
    if (!dims) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t stride = size;
    for (int i = rank - 1; i >= 0; i--) {
        dims[i] = (Py_ssize_t)TF_Dim(elements, i);
        strides[i] = stride;
        stride *= dims[i];
    }
    view->buf = TF_TensorData(elements);
    view->len = (Py_ssize_t)TF_TensorByteSize(elements);
    view->readonly = 1;
    view->itemsize = size;
    view->format = flags & PyBUF_FORMAT ? (char *)format : NULL;
    view->ndim = rank;
    view->shape = flags & PyBUF_ND ? dims : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? strides : NULL;
    view->suboffsets = NULL;
    view->internal = dims;
    Py_INCREF(self);
    view->obj = self;
    return 0;
}

static void release_buffer(PyObject *self, Py_buffer *view) {
    (void)self;
    PyMem_Free(view->internal);
}

static PyObject *numpy_method(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *made = numpy_at_once((Tensor *)self);
    if (made != Py_None) return made;
    Py_DECREF(made);
    return call_one(natives.numpy, self);
}
static PyObject *tolist_method(PyObject *self, PyObject *unused) {
    (void)unused;
    return tensor_to_python((Tensor *)self);
}

static PyMethodDef eager_methods[] = {
    {"numpy", numpy_method, METH_NOARGS,
     "The elements as a numpy array of the caller's own; of a scalar tensor as a numpy scalar."},
    {"_tolist", tolist_method, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

#define NUMBER_SLOTS                                                                                                   \
    {Py_nb_add, add_slot}, {Py_nb_subtract, sub_slot}, {Py_nb_multiply, mul_slot}, {Py_nb_true_divide, truediv_slot},  \
        {Py_nb_floor_divide, floordiv_slot}, {Py_nb_remainder, mod_slot}, {Py_nb_power, pow_slot},                     \
        {Py_nb_matrix_multiply, matmul_slot}, {Py_nb_and, and__slot}, {Py_nb_or, or__slot}, {Py_nb_xor, xor__slot},    \
        {Py_nb_negative, neg_slot}, {Py_nb_positive, pos_slot}, {Py_nb_absolute, abs_slot},                            \
        {Py_nb_invert, invert_slot}, {Py_nb_bool, bool_slot}, {Py_nb_int, int_slot}, {Py_nb_float, float_slot}, {      \
        Py_nb_index, index_slot                                                                                        \
    }

static PyType_Slot tensor_slots[] = {
    NUMBER_SLOTS,
    {Py_tp_new, tensor_new},
    {Py_tp_dealloc, tensor_dealloc},
    {Py_tp_traverse, tensor_traverse},
    {Py_tp_clear, tensor_clear},
    {Py_tp_getset, tensor_getset},
    {Py_tp_members, tensor_members},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, hash},
    {Py_tp_iter, iter_slot},
    {Py_tp_repr, repr_slot},
    {Py_tp_str, str_slot},
    {Py_mp_length, length_slot},
    {Py_mp_subscript, subscript_slot},
    {Py_tp_doc, "A value of a program: elements of one type in a shape."},
    {0, NULL},
};
static PyType_Spec tensor_spec = {"sluice.Tensor", sizeof(Tensor), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, tensor_slots};

/* Its operators are its own: Python may give those of tf.Tensor other names (operator_functions.py) without a cost for it. */
static PyType_Slot eager_slots[] = {
    NUMBER_SLOTS,
    {Py_tp_richcompare, compare},
    {Py_tp_hash, hash},
    {Py_tp_getset, eager_getset},
    {Py_tp_methods, eager_methods},
    {Py_bf_getbuffer, get_buffer},
    {Py_bf_releasebuffer, release_buffer},
    {Py_tp_dealloc, tensor_dealloc},
    {Py_tp_traverse, tensor_traverse},
    {Py_tp_clear, tensor_clear},
    {Py_mp_length, length_slot},
    {Py_mp_subscript, eager_subscript_slot},
    {Py_sq_length, length_slot},
    {Py_sq_item, eager_item_slot},
    {Py_tp_doc, "A tensor whose elements are there."},
    {0, NULL},
};
static PyType_Spec eager_spec = {"sluice.EagerTensor", sizeof(Tensor), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 eager_slots};

int tensor_add_types(PyObject *module) {
    tensor_type = (PyTypeObject *)PyType_FromSpec(&tensor_spec);
    if (!tensor_type || PyModule_AddObjectRef(module, "Tensor", (PyObject *)tensor_type)) return -1;
    PyObject *bases = PyTuple_Pack(1, tensor_type);
    if (!bases) return -1;
    eager_type = (PyTypeObject *)PyType_FromSpecWithBases(&eager_spec, bases);
    Py_DECREF(bases);
    return eager_type ? PyModule_AddObjectRef(module, "EagerTensor", (PyObject *)eager_type) : -1;
}
