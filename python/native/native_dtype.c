/* What the class of types of elements derives from: the number, where C reads it. */
#include "native.h"

PyTypeObject *numbered_type;

static PyMemberDef members[] = {
    {"_number", T_INT, offsetof(NumberedType, number), 0, "The number in protocol buffers."},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_members, members},
    {Py_tp_doc, "A type with a number."},
    {0, NULL},
};
static PyType_Spec spec = {"sluice.NumberedType", sizeof(NumberedType), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           slots};

int dtype_add_types(PyObject *module) {
    numbered_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return numbered_type ? PyModule_AddObjectRef(module, "NumberedType", (PyObject *)numbered_type) : -1;
}
