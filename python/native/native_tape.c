/* Tapes: what tf.GradientTape stands on. */
#include "native.h"

#include <string.h>

typedef struct {
    PyObject_HEAD struct sl_tape *tape;
} Tape;
static PyTypeObject *tape_type;

static PyObject *tape_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    int persistent = 0;
    (void)kwargs;
    TFE_Context *c = context_here();
    if (!c || !PyArg_ParseTuple(args, "|p", &persistent)) return NULL;
    Tape *t = (Tape *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!t) return NULL;
    TF_Status *s = status_here();
    t->tape = sl_tape_start(c, persistent, s);
    if (!raise_status(s, NULL)) return (PyObject *)t;
    Py_DECREF(t);
    return NULL;
}

static void tape_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    sl_tape_delete(((Tape *)self)->tape);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *done(TF_Status *s) {
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}
static PyObject *tape_pause(PyObject *self, PyObject *unused) {
    (void)unused;
    TF_Status *s = status_here();
    sl_tape_pause(((Tape *)self)->tape, s);
    return done(s);
}
static PyObject *tape_resume(PyObject *self, PyObject *unused) {
    (void)unused;
    TF_Status *s = status_here();
    sl_tape_resume(((Tape *)self)->tape, s);
    return done(s);
}

static TFE_TensorHandle *handle_in(PyObject *o) {
    if (is_eager(o)) return ((Tensor *)o)->handle;
    PyErr_Format(PyExc_TypeError, "%R is not an eager tensor", o);
    return NULL;
}

static PyObject *tape_watch(PyObject *self, PyObject *tensor) {
    TFE_TensorHandle *h = handle_in(tensor);
    if (!h) return NULL;
    TF_Status *s = status_here();
    sl_tape_watch(((Tape *)self)->tape, h, s);
    return done(s);
}

static PyObject *tape_follows(PyObject *self, PyObject *tensor) {
    TFE_TensorHandle *h = handle_in(tensor);
    return h ? PyBool_FromLong(sl_tape_follows(((Tape *)self)->tape, h)) : NULL;
}

/* Handles of a list of tensors, where None is NULL; from PyMem. */
static TFE_TensorHandle **handles_of(PyObject *list) {
    const Py_ssize_t n = PyList_Size(list);
    TFE_TensorHandle **handles = PyMem_Calloc((size_t)n + 1, sizeof *handles);
    if (!handles) PyErr_NoMemory();
    for (Py_ssize_t i = 0; handles && i < n; i++) {
        PyObject *t = PyList_GetItem(list, i);
        if (t != Py_None && !(handles[i] = handle_in(t))) {
            PyMem_Free(handles);
            return NULL;
        }
    }
    return handles;
}

/* A tensor, None, or (values, indices, dense shape); takes the handles. */
static PyObject *wrap(struct sl_handle_slices *d) {
    if (!d->values) Py_RETURN_NONE;
    PyObject *values = tensor_of_handle(d->values);
    if (!d->indices) return values;
    PyObject *indices = tensor_of_handle(d->indices);
    PyObject *shape = d->dense_shape ? tensor_of_handle(d->dense_shape) : Py_NewRef(Py_None);
    PyObject *made = values && indices && shape ? PyTuple_Pack(3, values, indices, shape) : NULL;
    Py_XDECREF(values);
    Py_XDECREF(indices);
    Py_XDECREF(shape);
    return made;
}

/* Tensors, None for NULL; takes the handles over and frees the status, which may tell of a failure. */
static PyObject *list_of_handles(TFE_TensorHandle **handles, Py_ssize_t n, TF_Status *s) {
    PyObject *list = PyErr_Occurred() || raise_status(s, NULL) ? NULL : PyList_New(n);
    TF_DeleteStatus(s);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = handles[i] ? tensor_of_handle(handles[i]) : Py_NewRef(Py_None);
        if (list) put_item(&list, i, item);
        else Py_XDECREF(item);
    }
    return list;
}

/* gradient(ys, xs, dys or None, whether zeros stand for none) -> list, by x */
static PyObject *tape_gradient(PyObject *self, PyObject *args) {
    PyObject *ys, *xs, *dys;
    int zeros;
    if (!PyArg_ParseTuple(args, "O!O!Op", &PyList_Type, &ys, &PyList_Type, &xs, &dys, &zeros)) return NULL;
    const Py_ssize_t ny = PyList_Size(ys), nx = PyList_Size(xs);
    TFE_TensorHandle **y = handles_of(ys), **x = y ? handles_of(xs) : NULL,
                     **dy = x && dys != Py_None ? handles_of(dys) : NULL;
    struct sl_handle_slices *dx = x ? PyMem_Calloc((size_t)nx + 1, sizeof *dx) : NULL;
    PyObject *made = NULL;
    if (dx && !PyErr_Occurred()) {
        struct sl_tape_options options = {.size = sizeof options,
                                          .dys = dy,
                                          .no_gradient = zeros ? SL_NO_GRADIENT_ZEROS : SL_NO_GRADIENT_NONE};
        TF_Status *s = TF_NewStatus(); /* callbacks use the thread's */
        bool is_watched;
        PyThreadState *thread = interruptible_begin(&is_watched);
        sl_tape_gradient_slices(dx, ((Tape *)self)->tape, y, (int)ny, x, (int)nx, &options, s);
        if (!interruptible_end(thread, is_watched, s) && !PyErr_Occurred() && !raise_status(s, NULL))
            made = PyList_New(nx);
        TF_DeleteStatus(s);
        for (Py_ssize_t i = 0; i < nx; i++) { /* of a failure too: the handles go */
            PyObject *item = wrap(&dx[i]);
            if (made) put_item(&made, i, item);
            else Py_XDECREF(item);
        }
    }
    PyMem_Free(y);
    PyMem_Free(x);
    PyMem_Free(dy);
    PyMem_Free(dx);
    return made;
}

/* jvp(ys, xs, how each x changes, or None) -> by y how it changes, or None */
static PyObject *tape_jvp(PyObject *self, PyObject *args) {
    PyObject *ys, *xs, *txs, *made = NULL;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyList_Type, &ys, &PyList_Type, &xs, &PyList_Type, &txs)) return NULL;
    const Py_ssize_t ny = PyList_Size(ys), nx = PyList_Size(xs);
    TFE_TensorHandle **y = handles_of(ys), **x = y ? handles_of(xs) : NULL, **tx = x ? handles_of(txs) : NULL,
                     **ty = tx ? PyMem_Calloc((size_t)ny + 1, sizeof *ty) : NULL;
    if (ty) {
        TF_Status *s = TF_NewStatus();
        bool is_watched;
        PyThreadState *thread = interruptible_begin(&is_watched);
        sl_tape_jvp(ty, ((Tape *)self)->tape, y, (int)ny, x, tx, (int)nx, s);
        interruptible_end(thread, is_watched, s);
        made = list_of_handles(ty, ny, s);
    }
    PyMem_Free(y);
    PyMem_Free(x);
    PyMem_Free(tx);
    PyMem_Free(ty);
    return made;
}

/* jacobian(y, xs, by example) -> by x the jacobian, or None */
static PyObject *tape_jacobian(PyObject *self, PyObject *args) {
    PyObject *y, *xs, *made = NULL;
    int by_example;
    if (!PyArg_ParseTuple(args, "OO!p", &y, &PyList_Type, &xs, &by_example)) return NULL;
    const Py_ssize_t nx = PyList_Size(xs);
    TFE_TensorHandle *h = handle_in(y), **x = h ? handles_of(xs) : NULL,
                     **dx = x ? PyMem_Calloc((size_t)nx + 1, sizeof *dx) : NULL;
    if (dx) {
        TF_Status *s = TF_NewStatus();
        bool is_watched;
        PyThreadState *thread = interruptible_begin(&is_watched);
        (by_example ? sl_tape_jacobian_by_example : sl_tape_jacobian)(dx, ((Tape *)self)->tape, h, x, (int)nx, s);
        interruptible_end(thread, is_watched, s);
        made = list_of_handles(dx, nx, s);
    }
    PyMem_Free(x);
    PyMem_Free(dx);
    return made;
}

/* ---- custom gradients: a Python function (list of dys, None where there is none) -> list of dxs */

static void call_python(TFE_TensorHandle **dxs, TFE_TensorHandle *const *dys, void *arg, TF_Status *status) {
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *pair = arg, *function = PyTuple_GetItem(pair, 0);
    const Py_ssize_t ny = PyLong_AsSsize_t(PyTuple_GetItem(pair, 1)), nx = PyLong_AsSsize_t(PyTuple_GetItem(pair, 2));
    TF_Status *s = status_here();
    PyObject *list = PyList_New(ny), *result = NULL;
    for (Py_ssize_t i = 0; list && i < ny; i++) {
        PyObject *item = dys[i] ? tensor_of_handle(TFE_TensorHandleCopySharingTensor(dys[i], s)) : Py_NewRef(Py_None);
        PyList_SetItem(list, i, item);
    }
    if (list) result = call_one(function, list);
    if (result && (!PyList_Check(result) || PyList_Size(result) != nx))
        PyErr_SetString(PyExc_ValueError, "a custom gradient must give one gradient for each input");
    for (Py_ssize_t i = 0; result && !PyErr_Occurred() && i < nx; i++) {
        PyObject *item = PyList_GetItem(result, i);
        TFE_TensorHandle *h = item == Py_None ? NULL : handle_in(item);
        if (h) dxs[i] = TFE_TensorHandleCopySharingTensor(h, s);
    }
    Py_XDECREF(list);
    Py_XDECREF(result);
    if (PyErr_Occurred()) keep_exception(status);
    PyGILState_Release(gil);
}

static void free_python(void *arg) {
    PyGILState_STATE gil = PyGILState_Ensure();
    Py_DECREF((PyObject *)arg);
    PyGILState_Release(gil);
}

/* record(ys, xs, function): on all tapes of the thread that follow some x */
static PyObject *tape_record(PyObject *class, PyObject *args) {
    PyObject *ys, *xs, *function;
    (void)class;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyList_Type, &ys, &PyList_Type, &xs, &function)) return NULL;
    const Py_ssize_t ny = PyList_Size(ys), nx = PyList_Size(xs);
    TFE_TensorHandle **y = handles_of(ys), **x = y ? handles_of(xs) : NULL;
    PyObject *keep = x ? Py_BuildValue("(Onn)", function, ny, nx) : NULL;
    TF_Status *s = status_here();
    if (keep)
        sl_tape_record(context_here(), y, (int)ny, x, (int)nx,
                       (struct sl_custom_gradient){call_python, keep, free_python}, s);
    PyMem_Free(y);
    PyMem_Free(x);
    return keep ? done(s) : NULL;
}

static PyMethodDef tape_methods[] = {
    {"pause", tape_pause, METH_NOARGS, "Records nothing from here on."},
    {"resume", tape_resume, METH_NOARGS, "Records again."},
    {"watch", tape_watch, METH_O, "Follows a tensor, or a variable by its handle."},
    {"follows", tape_follows, METH_O, "Whether the tape follows a tensor."},
    {"gradient", tape_gradient, METH_VARARGS, "gradient(ys, xs, dys, zeros): by x a tensor, None, or three of slices."},
    {"jvp", tape_jvp, METH_VARARGS, "jvp(ys, xs, txs): by y how it changes when the xs change so."},
    {"jacobian", tape_jacobian, METH_VARARGS, "jacobian(y, xs, by example): by x."},
    {"record", tape_record, METH_VARARGS | METH_STATIC, "record(ys, xs, function): a gradient of the caller's own."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot tape_slots[] = {
    {Py_tp_new, tape_new},
    {Py_tp_dealloc, tape_dealloc},
    {Py_tp_methods, tape_methods},
    {Py_tp_doc, "Tape(persistent): records what this thread executes, until it is dropped."},
    {0, NULL},
};
static PyType_Spec tape_spec = {"sluice.Tape", sizeof(Tape), 0, Py_TPFLAGS_DEFAULT, tape_slots};

int tape_add_types(PyObject *module) {
    tape_type = (PyTypeObject *)PyType_FromSpec(&tape_spec);
    return tape_type ? PyModule_AddObjectRef(module, "Tape", (PyObject *)tape_type) : -1;
}
