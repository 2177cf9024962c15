/* Servers: a task of a cluster in this process, which sessions of any process are opened on. */
#include "native.h"
#include "sluice/server.h"

typedef struct {
    PyObject_HEAD TF_Server *server;
} Server;
static PyTypeObject *server_type;

/* Server(bytes of a ServerDef): it listens from here on. */
static PyObject *server_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    const char *def;
    Py_ssize_t n;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "y#", &def, &n)) return NULL;
    Server *made = (Server *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!made) return NULL;
    TF_Status *s = status_here();
    made->server = TF_NewServer(def, (size_t)n, s);
    if (!raise_status(s, NULL)) return (PyObject *)made;
    Py_DECREF(made);
    return NULL;
}

static void server_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyThreadState *thread = PyEval_SaveThread(); /* its steps may call Python */
    TF_DeleteServer(((Server *)self)->server);
    PyEval_RestoreThread(thread);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *call_server(PyObject *self, void (*call)(TF_Server *, TF_Status *)) {
    TF_Status *s = TF_NewStatus();
    PyThreadState *thread = PyEval_SaveThread();
    call(((Server *)self)->server, s);
    PyEval_RestoreThread(thread);
    const int failed = raise_status(s, NULL);
    TF_DeleteStatus(s);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static PyObject *server_start(PyObject *self, PyObject *unused) {
    (void)unused;
    return call_server(self, TF_ServerStart);
}
static PyObject *server_stop(PyObject *self, PyObject *unused) {
    (void)unused;
    return call_server(self, TF_ServerStop);
}
static PyObject *server_join(PyObject *self, PyObject *unused) {
    (void)unused;
    return call_server(self, TF_ServerJoin);
}
static PyObject *server_target(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyUnicode_FromString(TF_ServerTarget(((Server *)self)->server));
}

/* server_reset(target, [container], bytes of a ConfigProto): ends all sessions of a server, and clears containers: all, if
 * none are named. */
PyObject *server_reset(PyObject *self, PyObject *args) {
    const char *target, *config;
    PyObject *names;
    Py_ssize_t n_config;
    (void)self;
    if (!PyArg_ParseTuple(args, "sO!y#", &target, &PyList_Type, &names, &config, &n_config)) return NULL;
    const Py_ssize_t n = PyList_Size(names);
    const char **containers = PyMem_Malloc(sizeof(char *) * (size_t)(n + 1));
    if (!containers) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++)
        if (!(containers[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(names, i), NULL))) {
            PyMem_Free(containers);
            return NULL;
        }
    TF_Status *s = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetTarget(options, target);
    TF_SetConfig(options, config, (size_t)n_config, s);
    PyThreadState *thread = PyEval_SaveThread();
    if (TF_GetCode(s) == TF_OK) TF_Reset(options, containers, (int)n, s);
    PyEval_RestoreThread(thread);
    TF_DeleteSessionOptions(options);
    PyMem_Free(containers);
    const int failed = raise_status(s, NULL);
    TF_DeleteStatus(s);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

/* enable_collectives(bytes of a ServerDef): from here on this process is a task of that cluster, and what its collectives
 * do goes over a server of its own; of a cluster of one task it is without. */
PyObject *enable_collectives(PyObject *self, PyObject *args) {
    const char *def;
    Py_ssize_t n;
    (void)self;
    if (!PyArg_ParseTuple(args, "y#", &def, &n)) return NULL;
    TFE_Context *context = context_here();
    if (!context) return NULL;
    TF_Status *s = TF_NewStatus();
    PyThreadState *thread = PyEval_SaveThread();
    TFE_EnableCollectiveOps(context, def, (size_t)n, s);
    PyEval_RestoreThread(thread);
    const int failed = raise_status(s, NULL);
    TF_DeleteStatus(s);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

/* Whether nobody has interrupted the program. */
static bool goes_on(void *arg) {
    (void)arg;
    const PyGILState_STATE state = PyGILState_Ensure();
    const bool is_interrupted = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return !is_interrupted;
}

/* group_join(device, key, most, least, wait_seconds, timeout_seconds, regroups) -> the devices of the members, by rank */
PyObject *group_join(PyObject *self, PyObject *args) {
    const char *device;
    struct sl_group_options o = {.size = sizeof o, .goes_on = goes_on};
    int regroups;
    (void)self;
    if (!PyArg_ParseTuple(args, "siiiddp", &device, &o.key, &o.most, &o.least, &o.wait_seconds, &o.timeout_seconds,
                          &regroups))
        return NULL;
    o.regroups = regroups != 0;
    TFE_Context *context = context_here();
    if (!context) return NULL;
    TF_Status *s = TF_NewStatus();
    PyThreadState *thread = PyEval_SaveThread();
    TF_Buffer *names = sl_group_join(context, device, &o, s);
    PyEval_RestoreThread(thread);
    PyObject *made = NULL;
    if (!PyErr_Occurred() && !raise_status(s, NULL)) {
        PyObject *text = PyUnicode_DecodeUTF8(names->data, (Py_ssize_t)names->length, NULL);
        made = text ? PyUnicode_Splitlines(text, 0) : NULL;
        Py_XDECREF(text);
    }
    TF_DeleteBuffer(names);
    TF_DeleteStatus(s);
    return made;
}

/* group_newcomers(key): how many wait to become members of a group, where this is the task that all ask; else 0. */
PyObject *group_newcomers(PyObject *self, PyObject *args) {
    int key;
    (void)self;
    TFE_Context *context = context_here();
    if (!context || !PyArg_ParseTuple(args, "i", &key)) return NULL;
    return PyLong_FromLongLong(sl_group_newcomers(context, key));
}

static PyMethodDef server_methods[] = {
    {"start", server_start, METH_NOARGS, NULL},
    {"stop", server_stop, METH_NOARGS, "stop(): ends its sessions and steps"},
    {"join", server_join, METH_NOARGS, "join(): until it is stopped"},
    {"target", server_target, METH_NOARGS, "target() -> \"grpc://HOST:PORT\""},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot server_slots[] = {
    {Py_tp_new, server_new},
    {Py_tp_dealloc, server_dealloc},
    {Py_tp_methods, server_methods},
    {Py_tp_doc, "A task of a cluster."},
    {0, NULL},
};
static PyType_Spec server_spec = {"sluice.NativeServer", sizeof(Server), 0, Py_TPFLAGS_DEFAULT, server_slots};

int server_add_types(PyObject *module) {
    server_type = (PyTypeObject *)PyType_FromSpec(&server_spec);
    return server_type ? PyModule_AddObjectRef(module, "Server", (PyObject *)server_type) : -1;
}
