/* The process's eager context, and what a thread does with it: its device scope, and which kind of graph it builds. */
#include "native.h"

#include <string.h>

static TFE_Context *context;
static PyObject *configuration; /* bytes of the ConfigProto with which it is to be made; NULL: soft placement alone */
static _Thread_local char device[256];
/* What a thread's ops do: run, or make nodes of a function's graph or of another one. A thread that has said nothing does
 * what the process does. */
enum building { UNSAID = -1, EAGER, FUNCTION, GRAPH };
static _Thread_local signed char building = UNSAID;
static bool graph_mode, tensor_equality = true;

/* Without the GIL somebody else could make it meanwhile; it is kept for the life of the process, as threads of others
 * may still use it when that ends. */
TFE_Context *context_here(void) {
    if (context) return context;
    TF_Status *s = status_here();
    TFE_ContextOptions *options = TFE_NewContextOptions();
    static const char soft[] = {0x38, 0x01}; /* ConfigProto.allow_soft_placement */
    char *bytes = (char *)soft;
    Py_ssize_t n = sizeof soft;
    if (configuration) PyBytes_AsStringAndSize(configuration, &bytes, &n);
    TFE_ContextOptionsSetConfig(options, bytes, (size_t)n, s);
    if (TF_GetCode(s) == TF_OK) context = TFE_NewContext(options, s);
    TFE_DeleteContextOptions(options);
    raise_status(s, NULL);
    return context;
}

const char *device_here(void) { return *device ? device : NULL; }
bool is_building(void) { return building == UNSAID ? graph_mode : building != EAGER; }
bool compares_values(void) { return tensor_equality && !(building == UNSAID ? graph_mode : building == GRAPH); }

PyObject *context_set_device(PyObject *self, PyObject *name) {
    (void)self;
    Py_ssize_t n;
    const char *text = PyUnicode_AsUTF8AndSize(name, &n);
    if (!text) return NULL;
    if ((size_t)n >= sizeof device) {
        PyErr_SetString(PyExc_ValueError, "the device's name is too long");
        return NULL;
    }
    PyObject *before = PyUnicode_FromString(device);
    if (before) memcpy(device, text, (size_t)n + 1);
    return before;
}

PyObject *context_set_building(PyObject *self, PyObject *kind) {
    (void)self;
    const long wanted = PyLong_AsLong(kind);
    if (wanted == -1 && PyErr_Occurred()) return NULL;
    PyObject *before = PyLong_FromLong(building);
    building = (signed char)wanted;
    return before;
}

static PyObject *set_flag(bool *flag, PyObject *value) {
    const int truth = PyObject_IsTrue(value);
    if (truth < 0) return NULL;
    *flag = truth;
    Py_RETURN_NONE;
}
PyObject *context_set_graph_mode(PyObject *self, PyObject *flag) {
    (void)self;
    return set_flag(&graph_mode, flag);
}
PyObject *context_set_tensor_equality(PyObject *self, PyObject *flag) {
    (void)self;
    return set_flag(&tensor_equality, flag);
}
PyObject *context_compares_values(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    return PyBool_FromLong(compares_values());
}

PyObject *context_pointer(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    TFE_Context *c = context_here();
    return c ? PyLong_FromVoidPtr(c) : NULL;
}

PyObject *context_exists(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    return PyBool_FromLong(context != NULL);
}

PyObject *context_configure(PyObject *self, PyObject *config) {
    (void)self;
    if (context || !PyBytes_Check(config)) {
        PyErr_SetString(PyExc_RuntimeError, "the context takes the bytes of a ConfigProto before it is made");
        return NULL;
    }
    Py_INCREF(config);
    put_object(&configuration, config);
    Py_RETURN_NONE;
}

PyObject *context_leave(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    context = NULL;
    Py_RETURN_NONE;
}

PyObject *context_devices(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    TFE_Context *c = context_here();
    if (!c) return NULL;
    TF_Status *s = status_here();
    TF_DeviceList *devices = TFE_ContextListDevices(c, s);
    if (raise_status(s, NULL)) return NULL;
    const int n = TF_DeviceListCount(devices);
    PyObject *list = PyList_New(0);
    for (int i = 0; i < n && list; i++) {
        PyObject *pair = Py_BuildValue("(ss)", TF_DeviceListName(devices, i, s), TF_DeviceListType(devices, i, s));
        if (!pair || PyList_Append(list, pair)) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    TF_DeleteDeviceList(devices);
    return list;
}

PyObject *context_place(PyObject *self, PyObject *args) {
    (void)self;
    int soft, log;
    TFE_Context *c = context_here();
    if (!c || !PyArg_ParseTuple(args, "pp", &soft, &log)) return NULL;
    TF_Status *s = status_here();
    TFE_ContextSetSoftDevicePlacement(c, (unsigned char)soft, s);
    if (TF_GetCode(s) == TF_OK) TFE_ContextSetLogDevicePlacement(c, (unsigned char)log, s);
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}

/* The other tasks of a ServerDef's cluster become devices; of a context that has some already, the cluster changes. */
static void connect(TFE_Context *c, const char *bytes, Py_ssize_t n, TF_Status *s) {
    enum { KEEP_ALIVE_SECS = 600 };
    Py_BEGIN_ALLOW_THREADS;
    if (TFE_GetContextId(c)) TFE_ContextUpdateServerDef(c, KEEP_ALIVE_SECS, bytes, (size_t)n, s);
    else TFE_ContextSetServerDef(c, KEEP_ALIVE_SECS, bytes, (size_t)n, s);
    Py_END_ALLOW_THREADS;
}

/* Whether a task, by its name, knows this context. */
static PyObject *check_alive(TFE_Context *c, const char *task, TF_Status *s) {
    bool is_alive;
    Py_BEGIN_ALLOW_THREADS;
    is_alive = TFE_ContextCheckAlive(c, task, s);
    Py_END_ALLOW_THREADS;
    return raise_status(s, NULL) ? NULL : PyBool_FromLong(is_alive);
}

/* connect(bytes), add_function(bytes), remove_function(name), has_function(name), function_def(name), clear_caches(""),
 * check_alive(task): by the first argument. */
PyObject *context_call(PyObject *self, PyObject *args) {
    (void)self;
    const char *what;
    PyObject *value;
    TFE_Context *c = context_here();
    if (!c || !PyArg_ParseTuple(args, "sO", &what, &value)) return NULL;
    TF_Status *s = status_here();
    if (!strcmp(what, "add_function") || !strcmp(what, "connect")) {
        char *bytes;
        Py_ssize_t n;
        if (PyBytes_AsStringAndSize(value, &bytes, &n)) return NULL;
        if (*what == 'c') connect(c, bytes, n, s);
        else TFE_ContextAddFunctionDef(c, bytes, (size_t)n, s);
    } else {
        const char *name = PyUnicode_AsUTF8AndSize(value, NULL);
        if (!name) return NULL;
        if (!strcmp(what, "has_function")) return PyBool_FromLong(TFE_ContextHasFunction(c, name));
        if (!strcmp(what, "clear_caches")) TFE_ContextClearCaches(c);
        else if (!strcmp(what, "remove_function")) TFE_ContextRemoveFunction(c, name, s);
        else if (!strcmp(what, "check_alive")) return check_alive(c, name, s);
        else if (!strcmp(what, "function_def")) {
            TF_Buffer *b = TF_NewBuffer();
            TFE_ContextGetFunctionDef(c, name, b, s);
            return bytes_of_buffer(b, s);
        } else return PyErr_Format(PyExc_ValueError, "the context has no call %s", what);
    }
    if (raise_status(s, NULL)) return NULL;
    Py_RETURN_NONE;
}
