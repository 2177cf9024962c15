/* Statuses of the C API as exceptions. */
#include "native.h"

static _Thread_local TF_Status *status;

TF_Status *status_here(void) {
    if (!status) status = TF_NewStatus();
    else TF_SetStatus(status, TF_OK, "");
    return status;
}

int raise_status(const TF_Status *s, const char *op) {
    const TF_Code code = TF_GetCode(s);
    if (code == TF_OK) return 0;
    PyObject *number = PyLong_FromLong(code);
    PyObject *class = number && natives.errors ? PyDict_GetItem(natives.errors, number) : NULL; /* borrowed */
    Py_XDECREF(number);
    PyObject *message = op ? PyUnicode_FromFormat("%s [Op:%s] name: ", TF_Message(s), op)
                           : PyUnicode_DecodeUTF8(TF_Message(s), (Py_ssize_t)strlen(TF_Message(s)), "replace");
    if (!message) return -1;
    if (class) {
        PyObject *error = PyObject_CallFunction(class, "OOO", Py_None, Py_None, message);
        if (error) PyErr_SetObject(class, error);
        Py_XDECREF(error);
    } else PyErr_SetObject(PyExc_RuntimeError, message);
    Py_DECREF(message);
    return -1;
}

PyObject *bytes_of_buffer(TF_Buffer *b, const TF_Status *s) {
    PyObject *made = raise_status(s, NULL) ? NULL : PyBytes_FromStringAndSize(b->data, (Py_ssize_t)b->length);
    TF_DeleteBuffer(b);
    return made;
}
