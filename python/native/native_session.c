/* Sessions: what tf.compat.v1.Session runs graphs with. Values that are fed and fetched are eager tensors, which share
 * their elements with the session. */
#include "native.h"

#include <string.h>

typedef struct {
    PyObject_HEAD TF_Session *session;
    PyObject *graph; /* kept as long as the session */
} Session;
static PyTypeObject *session_type;

/* Session(graph, target, bytes of a ConfigProto) */
static PyObject *session_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *graph;
    const char *target, *config;
    Py_ssize_t n;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "Osy#", &graph, &target, &config, &n)) return NULL;
    TF_Graph *g = graph_of(graph);
    Session *made = g ? (Session *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0) : NULL;
    if (!made) return NULL;
    TF_Status *s = status_here();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_SetTarget(options, target);
    TF_SetConfig(options, config, (size_t)n, s);
    if (TF_GetCode(s) == TF_OK) made->session = TF_NewSession(g, options, s);
    TF_DeleteSessionOptions(options);
    if (raise_status(s, NULL)) {
        Py_DECREF(made);
        return NULL;
    }
    made->graph = Py_NewRef(graph);
    return (PyObject *)made;
}

static void session_dealloc(PyObject *self) {
    Session *session = (Session *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (session->session) {
        TF_Status *s = TF_NewStatus();
        PyThreadState *thread = PyEval_SaveThread(); /* a step that still runs may call Python */
        TF_DeleteSession(session->session, s);
        PyEval_RestoreThread(thread);
        TF_DeleteStatus(s);
    }
    Py_XDECREF(session->graph);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *session_close(PyObject *self, PyObject *unused) {
    (void)unused;
    TF_Status *s = TF_NewStatus();
    PyThreadState *thread = PyEval_SaveThread();
    TF_CloseSession(((Session *)self)->session, s);
    PyEval_RestoreThread(thread);
    const int failed = raise_status(s, NULL);
    TF_DeleteStatus(s);
    if (failed) return NULL;
    Py_RETURN_NONE;
}

/* ---- a step */

/* What a step is called with. Freed by step_clear. */
struct step {
    TF_Output *inputs, *outputs;
    TF_Tensor **values, **results;
    TF_Operation **targets;
    int n_in, n_out, n_targets;
};

static void step_clear(struct step *step) {
    for (int i = 0; step->results && i < step->n_out; i++)
        if (step->results[i]) TF_DeleteTensor(step->results[i]);
    PyMem_Free(step->inputs);
    PyMem_Free(step->outputs);
    PyMem_Free(step->values);
    PyMem_Free(step->results);
    PyMem_Free(step->targets);
}

static int step_init(struct step *step, PyObject *feeds, PyObject *values, PyObject *fetches, PyObject *targets) {
    *step = (struct step){.n_in = (int)PyList_Size(feeds), .n_out = (int)PyList_Size(fetches)};
    step->n_targets = (int)PyList_Size(targets);
    step->inputs = outputs_of(feeds);
    step->outputs = step->inputs ? outputs_of(fetches) : NULL;
    step->values = PyMem_Calloc((size_t)step->n_in + 1, sizeof(TF_Tensor *));
    step->results = PyMem_Calloc((size_t)step->n_out + 1, sizeof(TF_Tensor *));
    step->targets = PyMem_Calloc((size_t)step->n_targets + 1, sizeof(TF_Operation *));
    if (!step->values || !step->results || !step->targets) return PyErr_NoMemory(), -1;
    for (int i = 0; i < step->n_targets && !PyErr_Occurred(); i++)
        step->targets[i] = (TF_Operation *)(uintptr_t)PyLong_AsUnsignedLongLong(PyList_GetItem(targets, i));
    for (int i = 0; values && i < step->n_in && !PyErr_Occurred(); i++) {
        PyObject *value = PyList_GetItem(values, i);
        if (is_eager(value)) step->values[i] = tensor_elements((Tensor *)value);
        else PyErr_SetString(PyExc_TypeError, "a value that is fed is not an eager tensor");
    }
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *results_of(struct step *step) {
    PyObject *list = PyList_New(step->n_out);
    for (int i = 0; list && i < step->n_out; i++) {
        TF_Status *s = status_here();
        TFE_TensorHandle *h = TFE_NewTensorHandle(step->results[i], s);
        put_item(&list, i, raise_status(s, NULL) ? NULL : tensor_of_handle(h));
    }
    return list;
}

/* run(options or None, feeds, values, fetches, targets, whether metadata is wanted) -> (results, metadata or None) */
static PyObject *session_run(PyObject *self, PyObject *args) {
    PyObject *options, *feeds, *values, *fetches, *targets, *made = NULL;
    int wants_metadata;
    struct step step;
    if (!PyArg_ParseTuple(args, "OO!O!O!O!p", &options, &PyList_Type, &feeds, &PyList_Type, &values, &PyList_Type,
                          &fetches, &PyList_Type, &targets, &wants_metadata))
        return NULL;
    char *bytes;
    Py_ssize_t n;
    if (options != Py_None && PyBytes_AsStringAndSize(options, &bytes, &n)) return NULL;
    if (step_init(&step, feeds, values, fetches, targets)) {
        step_clear(&step);
        return NULL;
    }
    TF_Buffer *config = options != Py_None ? TF_NewBufferFromString(bytes, (size_t)n) : NULL;
    TF_Buffer *metadata = wants_metadata ? TF_NewBuffer() : NULL;
    TF_Status *s = TF_NewStatus();
    bool is_watched;
    PyThreadState *thread = interruptible_begin(&is_watched);
    TF_SessionRun(((Session *)self)->session, config, step.inputs, step.values, step.n_in, step.outputs, step.results,
                  step.n_out, (const TF_Operation *const *)step.targets, step.n_targets, metadata, s);
    if (!interruptible_end(thread, is_watched, s) && !raise_status(s, NULL)) {
        PyObject *results = results_of(&step);
        if (results && metadata)
            made =
                Py_BuildValue("(Ny#)", results, metadata->length ? metadata->data : "", (Py_ssize_t)metadata->length);
        else if (results) made = Py_BuildValue("(NO)", results, Py_None);
    }
    TF_DeleteStatus(s);
    if (config) TF_DeleteBuffer(config);
    if (metadata) TF_DeleteBuffer(metadata);
    step_clear(&step);
    return made;
}

/* ---- steps in parts */

/* partial_setup(feeds, fetches, targets) -> handle */
static PyObject *session_partial_setup(PyObject *self, PyObject *args) {
    PyObject *feeds, *fetches, *targets, *made = NULL;
    struct step step;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyList_Type, &feeds, &PyList_Type, &fetches, &PyList_Type, &targets))
        return NULL;
    if (!step_init(&step, feeds, NULL, fetches, targets)) {
        const char *handle = NULL;
        TF_Status *s = status_here();
        TF_SessionPRunSetup(((Session *)self)->session, step.inputs, step.n_in, step.outputs, step.n_out,
                            (const TF_Operation *const *)step.targets, step.n_targets, &handle, s);
        if (!raise_status(s, NULL)) made = PyUnicode_FromString(handle);
        if (handle) TF_DeletePRunHandle(handle);
    }
    step_clear(&step);
    return made;
}

/* partial_run(handle, feeds, values, fetches) -> results */
static PyObject *session_partial_run(PyObject *self, PyObject *args) {
    const char *handle;
    PyObject *feeds, *values, *fetches, *made = NULL;
    struct step step;
    if (!PyArg_ParseTuple(args, "sO!O!O!", &handle, &PyList_Type, &feeds, &PyList_Type, &values, &PyList_Type,
                          &fetches))
        return NULL;
    PyObject *none = PyList_New(0);
    if (!none) return NULL;
    if (!step_init(&step, feeds, values, fetches, none)) {
        TF_Status *s = TF_NewStatus();
        bool is_watched;
        PyThreadState *thread = interruptible_begin(&is_watched);
        TF_SessionPRun(((Session *)self)->session, handle, step.inputs, step.values, step.n_in, step.outputs,
                       step.results, step.n_out, NULL, 0, s);
        if (!interruptible_end(thread, is_watched, s) && !raise_status(s, NULL)) made = results_of(&step);
        TF_DeleteStatus(s);
    }
    step_clear(&step);
    Py_DECREF(none);
    return made;
}

/* devices() -> [(name, type, bytes of memory, incarnation)] */
static PyObject *session_devices(PyObject *self, PyObject *unused) {
    (void)unused;
    TF_Status *s = status_here();
    TF_DeviceList *devices = TF_SessionListDevices(((Session *)self)->session, s);
    if (raise_status(s, NULL)) return NULL;
    const int n = TF_DeviceListCount(devices);
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++)
        put_item(&list, i,
                 Py_BuildValue("(ssLK)", TF_DeviceListName(devices, i, s), TF_DeviceListType(devices, i, s),
                               (long long)TF_DeviceListMemoryBytes(devices, i, s),
                               (unsigned long long)TF_DeviceListIncarnation(devices, i, s)));
    TF_DeleteDeviceList(devices);
    return list;
}

static PyMethodDef session_methods[] = {
    {"run", session_run, METH_VARARGS,
     "run(options, feeds, values, fetches, targets, metadata) -> (results, metadata)"},
    {"partial_setup", session_partial_setup, METH_VARARGS, "partial_setup(feeds, fetches, targets) -> handle"},
    {"partial_run", session_partial_run, METH_VARARGS, "partial_run(handle, feeds, values, fetches) -> results"},
    {"close", session_close, METH_NOARGS, NULL},
    {"devices", session_devices, METH_NOARGS, "devices() -> [(name, type, memory, incarnation)]"},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot session_slots[] = {
    {Py_tp_new, session_new},
    {Py_tp_dealloc, session_dealloc},
    {Py_tp_methods, session_methods},
    {Py_tp_doc, "Runs a graph."},
    {0, NULL},
};
static PyType_Spec session_spec = {"sluice.NativeSession", sizeof(Session), 0, Py_TPFLAGS_DEFAULT, session_slots};

int session_add_types(PyObject *module) {
    session_type = (PyTypeObject *)PyType_FromSpec(&session_spec);
    return session_type ? PyModule_AddObjectRef(module, "Session", (PyObject *)session_type) : -1;
}
