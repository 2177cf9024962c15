/* The parts of IndexedSlices: what the Python class derives from. Each gather's gradient makes one. */
#include "native.h"

typedef struct {
    PyObject_HEAD PyObject *values, *indices, *dense_shape;
} SliceParts;

/* (values, indices, dense_shape=None) */
static int slices_init(PyObject *self, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"values", "indices", "dense_shape", NULL};
    SliceParts *s = (SliceParts *)self;
    PyObject *values, *indices, *dense_shape = Py_None;
    if (kwargs
            ? !PyArg_ParseTupleAndKeywords(args, kwargs, "OO|O:IndexedSlices", names, &values, &indices, &dense_shape)
            : !PyArg_UnpackTuple(args, "IndexedSlices", 2, 3, &values, &indices, &dense_shape))
        return -1;
    put_object(&s->values, Py_NewRef(values));
    put_object(&s->indices, Py_NewRef(indices));
    put_object(&s->dense_shape, Py_NewRef(dense_shape));
    return 0;
}

static int slices_traverse(PyObject *self, visitproc visit, void *arg) {
    SliceParts *s = (SliceParts *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->values);
    Py_VISIT(s->indices);
    Py_VISIT(s->dense_shape);
    return 0;
}

static int slices_clear(PyObject *self) {
    SliceParts *s = (SliceParts *)self;
    Py_CLEAR(s->values);
    Py_CLEAR(s->indices);
    Py_CLEAR(s->dense_shape);
    return 0;
}

static void slices_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    slices_clear(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMemberDef slices_members[] = {
    {"_values", T_OBJECT, offsetof(SliceParts, values), READONLY, NULL},
    {"_indices", T_OBJECT, offsetof(SliceParts, indices), READONLY, NULL},
    {"_dense_shape", T_OBJECT, offsetof(SliceParts, dense_shape), READONLY, NULL},
    {"values", T_OBJECT, offsetof(SliceParts, values), READONLY, "The rows that are there."},
    {"indices", T_OBJECT, offsetof(SliceParts, indices), READONLY, "Where each row belongs."},
    {"dense_shape", T_OBJECT, offsetof(SliceParts, dense_shape), READONLY, "The shape of the whole, or None."},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot slices_slots[] = {
    {Py_tp_init, slices_init},         {Py_tp_new, PyType_GenericNew},
    {Py_tp_traverse, slices_traverse}, {Py_tp_clear, slices_clear},
    {Py_tp_dealloc, slices_dealloc},   {Py_tp_members, slices_members},
    {Py_tp_doc, "Rows of a tensor."},  {0, NULL},
};
static PyType_Spec slices_spec = {"sluice.SliceParts", sizeof(SliceParts), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slices_slots};

int slices_add_types(PyObject *module) {
    PyObject *type = PyType_FromSpec(&slices_spec);
    const int failed = type ? PyModule_AddObjectRef(module, "SliceParts", type) : -1;
    Py_XDECREF(type);
    return failed;
}
