/* Statuses of the C API as exceptions. */
#include "native.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/explain.h"

static _Thread_local TF_Status *status; /* goes with its thread */
static pthread_key_t ends;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end(void *of_thread) {
    TF_DeleteStatus(of_thread);
    status = NULL;
}

static void make_key(void) { pthread_key_create(&ends, end); }

static TF_Status *first(void) {
    pthread_once(&once, make_key);
    status = TF_NewStatus();
    pthread_setspecific(ends, status);
    return status;
}

TF_Status *status_here(void) {
    if (!status) return first();
    TF_SetStatus(status, TF_OK, "");
    return status;
}

/* The last exception that was kept. */
static struct {
    PyObject *type, *value, *traceback;
    unsigned long number;
} kept;
static const char kept_mark[] = "a Python function failed, exception ";

void keep_exception(TF_Status *to) {
    Py_CLEAR(kept.type);
    Py_CLEAR(kept.value);
    Py_CLEAR(kept.traceback);
    PyErr_Fetch(&kept.type, &kept.value, &kept.traceback);
    char text[sizeof kept_mark + 24];
    snprintf(text, sizeof text, "%s%lu.", kept_mark, ++kept.number);
    TF_SetStatus(to, TF_UNKNOWN, text);
}

static bool raise_kept(const char *message) {
    const char *at = strstr(message, kept_mark);
    if (!at || !kept.type || strtoul(at + sizeof kept_mark - 1, NULL, 10) != kept.number) return false;
    PyErr_Restore(kept.type, kept.value, kept.traceback);
    kept.type = kept.value = kept.traceback = NULL;
    return true;
}

/* What would be right, of an op that ran eagerly: each sentence is a note of the exception. */
static void add_notes(PyObject *error, const TF_Status *s) {
    TF_Status *own = TF_NewStatus();
    TF_Buffer *b = sl_explain_error(NULL, s, NULL, own);
    const char *at = b ? b->data : NULL, *end = b ? at + b->length : NULL;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) line_end = end;
        PyObject *done = PyObject_CallMethod(error, "add_note", "s#", at, (Py_ssize_t)(line_end - at));
        if (!done) PyErr_Clear();
        Py_XDECREF(done);
        at = line_end + 1;
    }
    if (b) TF_DeleteBuffer(b);
    TF_DeleteStatus(own);
}

static void find_place(const char *key, const char *value, void *found) {
    if (!strcmp(key, "sluice.place")) *(const char **)found = value;
}

/* In which iterations of loops it failed, for who explains it (core/error_places.py). */
static void keep_place(PyObject *error, const TF_Status *s) {
    const char *place = NULL;
    TF_ForEachPayload(s, find_place, &place);
    PyObject *text = place ? PyUnicode_DecodeUTF8(place, (Py_ssize_t)strlen(place), "replace") : NULL;
    if (place && (!text || PyObject_SetAttrString(error, "_place", text))) PyErr_Clear();
    Py_XDECREF(text);
}

int raise_status(const TF_Status *s, const char *op) { return raise_op_status(s, op, NULL, true); }

int raise_op_status(const TF_Status *s, const char *op, PyObject *name, bool tells_name) {
    const TF_Code code = TF_GetCode(s);
    if (code == TF_OK) return 0;
    if (code == TF_UNKNOWN && raise_kept(TF_Message(s))) return -1;
    PyObject *number = PyLong_FromLong(code);
    PyObject *class = number && natives.errors ? PyDict_GetItem(natives.errors, number) : NULL; /* borrowed */
    Py_XDECREF(number);
    const char *text = TF_Message(s);
    PyObject *message = !op           ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace")
                        : !tells_name ? PyUnicode_FromFormat("%s [Op:%s]", text, op)
                        : name        ? PyUnicode_FromFormat("%s [Op:%s] name: %S", text, op, name)
                                      : PyUnicode_FromFormat("%s [Op:%s] name: ", text, op);
    if (!message) return -1;
    if (class) {
        PyObject *error = PyObject_CallFunction(class, "OOO", Py_None, Py_None, message);
        if (error && op) add_notes(error, s);
        if (error) keep_place(error, s);
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
