/* Ops as callables: Op(spec).function makes one, which executes the op at once or, in a graph, has Python make a node.
 *
 * An op's inputs come first, then those of its attrs that do not follow from the inputs, then `name`; each by position
 * or by keyword. A Python value among the inputs becomes a tensor of the type that a tensor beside it has, for
 * arguments that share a type; else of the attr's default, or of its own. */
#include "native.h"

#include <string.h>

/* ---- what an op is */

struct arg {
    char *name;
    int type;                              /* fixed; 0 */
    int type_attr, number_attr, list_attr; /* positions in attrs; -1 */
};

enum kind { STRING = 's', INT = 'i', FLOAT = 'f', BOOL = 'b', TYPE = 't', SHAPE = 'h', TENSOR = 'e', FUNC = 'u' };

struct attr {
    char *name;
    char kind;
    bool is_list, is_inferred, has_default;
    int default_type; /* of types */
};

struct Op {
    PyObject_HEAD char *name;
    struct arg *in, *out;
    struct attr *attrs;
    int n_in, n_out, n_attrs, n_params;
    int *param_attr;                 /* by parameter after the inputs: an attr; -1: the name */
    PyObject **param_names;          /* interned */
    PyObject *result;                /* namedtuple class, of ops with several results; NULL */
    PyObject *info;                  /* the spec, for Python */
    PyMethodDef method, pair_method; /* of the functions that call it */
};
static PyTypeObject *op_type;

static void op_dealloc(PyObject *self) {
    struct Op *op = (struct Op *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int i = 0; op->in && i < op->n_in; i++) PyMem_Free(op->in[i].name);
    for (int i = 0; op->out && i < op->n_out; i++) PyMem_Free(op->out[i].name);
    for (int i = 0; op->attrs && i < op->n_attrs; i++) PyMem_Free(op->attrs[i].name);
    for (int i = 0; op->param_names && i < op->n_params; i++) Py_XDECREF(op->param_names[i]);
    PyMem_Free(op->in);
    PyMem_Free(op->out);
    PyMem_Free(op->attrs);
    PyMem_Free(op->param_attr);
    PyMem_Free(op->param_names);
    PyMem_Free(op->name);
    Py_XDECREF(op->result);
    Py_XDECREF(op->info);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static char *copy_text(PyObject *text) {
    Py_ssize_t n;
    const char *p = PyUnicode_AsUTF8AndSize(text, &n);
    char *copy = p ? PyMem_Malloc((size_t)n + 1) : NULL;
    if (copy) memcpy(copy, p, (size_t)n + 1);
    else if (p) PyErr_NoMemory();
    return copy;
}

/* (name, type, type attr, number attr, list attr) each. */
static int read_args(struct arg **out, int *n, PyObject *specs) {
    const Py_ssize_t count = PyTuple_Size(specs);
    *out = PyMem_Calloc((size_t)count + 1, sizeof **out);
    if (!*out) return PyErr_NoMemory(), -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name;
        struct arg *a = &(*out)[i];
        if (!PyArg_ParseTuple(PyTuple_GetItem(specs, i), "Uiiii", &name, &a->type, &a->type_attr, &a->number_attr,
                              &a->list_attr) ||
            !(a->name = copy_text(name)))
            return -1;
        *n = (int)i + 1;
    }
    return 0;
}

/* (name, kind, is_list, is_inferred, has_default, default type) each. */
static int read_attrs(struct Op *op, PyObject *specs) {
    const Py_ssize_t count = PyTuple_Size(specs);
    op->attrs = PyMem_Calloc((size_t)count + 1, sizeof *op->attrs);
    if (!op->attrs) return PyErr_NoMemory(), -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name;
        int kind, is_list, is_inferred, has_default;
        struct attr *a = &op->attrs[i];
        if (!PyArg_ParseTuple(PyTuple_GetItem(specs, i), "UCpppi", &name, &kind, &is_list, &is_inferred, &has_default,
                              &a->default_type) ||
            !(a->name = copy_text(name)))
            return -1;
        a->kind = (char)kind;
        a->is_list = is_list;
        a->is_inferred = is_inferred;
        a->has_default = has_default;
        op->n_attrs = (int)i + 1;
    }
    return 0;
}

/* Inputs, then attrs without default, then attrs with one, then the name. */
static int make_params(struct Op *op) {
    op->param_attr = PyMem_Calloc((size_t)(op->n_in + op->n_attrs + 1), sizeof *op->param_attr);
    op->param_names = PyMem_Calloc((size_t)(op->n_in + op->n_attrs + 1), sizeof *op->param_names);
    if (!op->param_attr || !op->param_names) return PyErr_NoMemory(), -1;
    for (int i = 0; i < op->n_in; i++)
        if (!(op->param_names[op->n_params++] = PyUnicode_InternFromString(op->in[i].name))) return -1;
    for (int with_default = 0; with_default < 2; with_default++)
        for (int a = 0; a < op->n_attrs; a++) {
            if (op->attrs[a].is_inferred || op->attrs[a].has_default != with_default) continue;
            op->param_attr[op->n_params] = a;
            if (!(op->param_names[op->n_params++] = PyUnicode_InternFromString(op->attrs[a].name))) return -1;
        }
    op->param_attr[op->n_params] = -1;
    return (op->param_names[op->n_params++] = PyUnicode_InternFromString("name")) ? 0 : -1;
}

static PyObject *op_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *name, *in, *out, *attrs, *result, *info;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "UO!O!O!OO", &name, &PyTuple_Type, &in, &PyTuple_Type, &out, &PyTuple_Type, &attrs,
                          &result, &info))
        return NULL;
    struct Op *op = (struct Op *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!op) return NULL;
    if (!(op->name = copy_text(name)) || read_args(&op->in, &op->n_in, in) || read_args(&op->out, &op->n_out, out) ||
        read_attrs(op, attrs) || make_params(op)) {
        Py_DECREF(op);
        return NULL;
    }
    if (result != Py_None) {
        Py_INCREF(result);
        op->result = result;
    }
    Py_INCREF(info);
    op->info = info;
    return (PyObject *)op;
}

/* ---- running */

enum { FEW = 16 };

static void free_handles(TFE_TensorHandle **handles, int n) {
    for (int i = 0; i < n; i++) TFE_DeleteTensorHandle(handles[i]);
}

/* Values of a call by parameter; borrowed. NULL: not given. */
typedef PyObject *const *values;

struct building {
    const struct Op *op;
    values given;
    TFE_Op *call;
    int *types;   /* by attr: the type that inputs share, 0 */
    int n_inputs; /* that have been converted */
};

static bool is_sequence(PyObject *o) { return PyList_Check(o) || PyTuple_Check(o); }
static Py_ssize_t length_of(PyObject *o) { return PyList_Check(o) ? PyList_Size(o) : PyTuple_Size(o); }
static PyObject *item_of(PyObject *o, Py_ssize_t i) {
    return PyList_Check(o) ? PyList_GetItem(o, i) : PyTuple_GetItem(o, i);
}

/* Whether an input is what TensorFlow takes as it is: a tensor, a variable, an array, a number. */
static bool is_taken(PyObject *value) {
    return is_tensor(value) || PyLong_CheckExact(value) || PyBool_Check(value) || PyFloat_CheckExact(value) ||
           (PyObject *)Py_TYPE(value) == natives.ndarray || PyObject_HasAttrString(value, "handle");
}

static bool are_taken(const struct Op *op, values given) {
    for (int i = 0; i < op->n_in; i++) {
        const bool is_list = op->in[i].number_attr >= 0 || op->in[i].list_attr >= 0;
        if (!given[i]) continue;
        if (!is_list || !is_sequence(given[i])) {
            if (!is_taken(given[i])) return false;
            continue;
        }
        for (Py_ssize_t k = 0; k < length_of(given[i]); k++)
            if (!is_taken(item_of(given[i], k))) return false;
    }
    return true;
}

/* Raises what the status says of the call, if it says something. */
static int raise_call(const TF_Status *s, const struct building *b) {
    if (TF_GetCode(s) == TF_OK) return 0;
    PyObject *name = b->given[b->op->n_params - 1];
    return raise_op_status(s, b->op->name, name == Py_None ? NULL : name, are_taken(b->op, b->given));
}

/* Runs an op of the C API that is ready, which is deleted; the outputs are handles in `out`, -1 with an exception, which tells
 * of the op `name`, or of the call `b`. */
static int run(TFE_TensorHandle **out, int room, TFE_Op *op, const char *name, const struct building *b,
               bool may_wait) {
    TF_Status *s = status_here();
    int n = room, is_interrupted = 0;
    const char *device = device_here();
    if (device) TFE_OpSetDevice(op, device, s);
    if (TF_GetCode(s) != TF_OK) {
    } else if (may_wait) {
        bool is_watched;
        PyThreadState *thread = interruptible_begin(&is_watched);
        TFE_Execute(op, out, &n, s);
        is_interrupted = interruptible_end(thread, is_watched, s);
    } else TFE_Execute(op, out, &n, s);
    TFE_DeleteOp(op);
    return is_interrupted || (b ? raise_call(s, b) : raise_status(s, name)) ? -1 : n;
}

static PyObject *run_one(TFE_Op *op, const char *name, bool may_wait) {
    TFE_TensorHandle *out;
    return run(&out, 1, op, name, NULL, may_wait) < 0 ? NULL : tensor_of_handle(out);
}

/* Large tensors take a while: others may run. */
static bool is_large(Tensor *t) { return t->tensor ? TF_TensorElementCount(t->tensor) > 4096 : true; }

PyObject *execute_binary(const char *name, Tensor *a, Tensor *b) {
    TFE_Context *c = context_here();
    if (!c) return NULL;
    TF_Status *s = status_here();
    TFE_Op *op = TFE_NewOp(c, name, s);
    if (op) {
        TFE_OpAddInput(op, a->handle, s);
        TFE_OpAddInput(op, b->handle, s);
    }
    if (raise_status(s, name)) return NULL;
    return run_one(op, name, is_large(a) || is_large(b));
}

PyObject *execute_unary(const char *name, Tensor *a) {
    TFE_Context *c = context_here();
    if (!c) return NULL;
    TF_Status *s = status_here();
    TFE_Op *op = TFE_NewOp(c, name, s);
    if (op) TFE_OpAddInput(op, a->handle, s);
    if (raise_status(s, name)) return NULL;
    return run_one(op, name, is_large(a));
}

static void add_index_vector(TFE_Op *op, const int32_t *items, int n, TF_Status *s) {
    const int64_t dim = n;
    TF_Tensor *t = TF_AllocateTensor(TF_INT32, &dim, 1, (size_t)n * sizeof *items);
    memcpy(TF_TensorData(t), items, (size_t)n * sizeof *items);
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    if (h) TFE_OpAddInput(op, h, s);
    TFE_DeleteTensorHandle(h);
    TF_DeleteTensor(t);
}

PyObject *execute_slice(Tensor *t, const struct slice *slice) {
    static const char name[] = "StridedSlice";
    TFE_Context *c = context_here();
    if (!c) return NULL;
    TF_Status *s = status_here();
    TFE_Op *op = TFE_NewOp(c, name, s);
    if (!op) return raise_status(s, name), NULL;
    TFE_OpAddInput(op, t->handle, s);
    if (TF_GetCode(s) == TF_OK) add_index_vector(op, slice->begin, slice->n, s);
    if (TF_GetCode(s) == TF_OK) add_index_vector(op, slice->end, slice->n, s);
    if (TF_GetCode(s) == TF_OK) add_index_vector(op, slice->strides, slice->n, s);
    if (raise_status(s, name)) {
        TFE_DeleteOp(op);
        return NULL;
    }
    TFE_OpSetAttrInt(op, "begin_mask", slice->begin_mask);
    TFE_OpSetAttrInt(op, "end_mask", slice->end_mask);
    TFE_OpSetAttrInt(op, "ellipsis_mask", slice->ellipsis_mask);
    TFE_OpSetAttrInt(op, "new_axis_mask", slice->new_axis_mask);
    TFE_OpSetAttrInt(op, "shrink_axis_mask", slice->shrink_mask);
    return run_one(op, name, is_large(t));
}

/* ---- inputs */

static int note_type(struct building *b, const struct arg *arg, PyObject *value) {
    if (arg->type_attr >= 0 && !b->types[arg->type_attr] && is_eager(value))
        b->types[arg->type_attr] = ((Tensor *)value)->dtype;
    return is_tensor(value) && !is_eager(value);
}

/* Types that tensors among the inputs have. True when one of them belongs to a graph. */
static bool note_types(struct building *b, values given) {
    bool in_graph = false;
    for (int i = 0; i < b->op->n_in; i++) {
        const struct arg *arg = &b->op->in[i];
        PyObject *value = given[i];
        if (!value) continue;
        if (arg->number_attr < 0 && arg->list_attr < 0) in_graph = note_type(b, arg, value) || in_graph;
        else if (is_sequence(value))
            for (Py_ssize_t k = 0; k < length_of(value); k++)
                in_graph = note_type(b, arg, item_of(value, k)) || in_graph;
    }
    return in_graph;
}

/* The name that a type has in the messages of the C API. */
static PyObject *type_name(int dtype) {
    if (dtype == TF_FLOAT) return PyUnicode_FromString("float");
    if (dtype == TF_DOUBLE) return PyUnicode_FromString("double");
    if (dtype == TF_HALF) return PyUnicode_FromString("half");
    PyObject *d = PyTuple_GetItem(natives.dtypes, dtype); /* borrowed */
    return d ? PyObject_GetAttrString(d, "name") : NULL;
}

/* An InvalidArgumentError: a tensor of another type than the op takes. NULL. */
static PyObject *refuse_type(const struct building *b, int wanted, int have) {
    PyObject *w = type_name(wanted), *h = w ? type_name(have) : NULL;
    PyObject *text = h ? PyUnicode_FromFormat("cannot compute %s as input #%d(zero-based) was expected to be a %U "
                                              "tensor but is a %U tensor",
                                              b->op->name, b->n_inputs - 1, w, h)
                       : NULL;
    const char *message = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (message) {
        TF_Status *s = status_here();
        TF_SetStatus(s, TF_INVALID_ARGUMENT, message);
        raise_call(s, b);
    }
    Py_XDECREF(w);
    Py_XDECREF(h);
    Py_XDECREF(text);
    return NULL;
}

/* Whether a Python number was taken as a float where the op's default is a type of whole numbers: then it is refused. */
static bool is_float_for_whole(PyObject *value, PyObject *made, int preferred) {
    const bool is_whole = preferred == TF_INT32 || preferred == TF_INT64;
    return is_whole && ((Tensor *)made)->dtype == TF_FLOAT && PyFloat_CheckExact(value);
}

/* One input as an eager tensor: a new reference. */
static PyObject *convert_input(struct building *b, const struct arg *arg, PyObject *value) {
    int wanted = arg->type, preferred = 0;
    b->n_inputs++;
    if (arg->type_attr >= 0) {
        wanted = b->types[arg->type_attr];
        preferred = b->op->attrs[arg->type_attr].default_type;
    }
    if (is_eager(value) && (!wanted || wanted == ((Tensor *)value)->dtype || wanted > 100)) {
        Py_INCREF(value);
        return value;
    }
    if (is_eager(value)) return refuse_type(b, wanted, ((Tensor *)value)->dtype);
    PyObject *made = convert_any(value, wanted > 100 ? wanted - 100 : wanted, preferred);
    if (made && !is_eager(made)) {
        PyErr_Format(PyExc_TypeError, "%s: argument %s is %R, which is not an eager tensor", b->op->name, arg->name,
                     made);
        Py_CLEAR(made);
    }
    if (made && preferred && !wanted && is_float_for_whole(value, made, preferred)) {
        PyErr_Format(PyExc_TypeError, "Cannot convert %R to EagerTensor of dtype %s", value,
                     preferred == TF_INT32 ? "int32" : "int64");
        Py_CLEAR(made);
    }
    if (made && arg->type_attr >= 0 && !b->types[arg->type_attr]) b->types[arg->type_attr] = ((Tensor *)made)->dtype;
    return made;
}

static int add_one(struct building *b, const struct arg *arg, PyObject *value) {
    PyObject *t = convert_input(b, arg, value);
    if (!t) return -1;
    TF_Status *s = status_here();
    TFE_OpAddInput(b->call, ((Tensor *)t)->handle, s);
    Py_DECREF(t);
    return raise_call(s, b);
}

static int add_list(struct building *b, const struct arg *arg, PyObject *value) {
    if (!is_sequence(value)) {
        PyErr_Format(PyExc_TypeError, "Expected list for '%s' argument to '%s' Op, not %R.", arg->name, b->op->name,
                     value);
        return -1;
    }
    const Py_ssize_t n = length_of(value);
    PyObject **tensors = PyMem_Calloc((size_t)n + 1, sizeof *tensors);
    TFE_TensorHandle **handles = PyMem_Calloc((size_t)n + 1, sizeof *handles);
    int failed = !tensors || !handles;
    if (failed) PyErr_NoMemory();
    for (Py_ssize_t i = 0; !failed && i < n; i++) {
        tensors[i] = convert_input(b, arg, item_of(value, i));
        failed = !tensors[i];
        if (!failed) handles[i] = ((Tensor *)tensors[i])->handle;
    }
    if (!failed) {
        TF_Status *s = status_here();
        TFE_OpAddInputList(b->call, handles, (int)n, s);
        failed = raise_call(s, b);
    }
    for (Py_ssize_t i = 0; tensors && i < n; i++) Py_XDECREF(tensors[i]);
    PyMem_Free(tensors);
    PyMem_Free(handles);
    return failed ? -1 : 0;
}

/* ---- attrs */

static int fail_attr(const struct Op *op, const struct attr *a, PyObject *value, const char *wanted) {
    PyErr_Format(PyExc_TypeError, "Expected %s for argument '%s' of op %s, not %R.", wanted, a->name, op->name, value);
    return -1;
}

static int type_number(PyObject *value, int *out) {
    if (is_dtype(value)) return *out = number_of_dtype(value), 0;
    if (PyLong_Check(value)) return *out = (int)PyLong_AsLong(value), 0;
    PyObject *made = PyObject_CallMethod(PyTuple_GetItem(natives.dtypes, 1), "_number_of", "(O)", value);
    if (!made) return -1;
    *out = (int)PyLong_AsLong(made);
    Py_DECREF(made);
    return 0;
}

/* Texts and bytes; borrowed from the value. */
static int text_of(PyObject *value, const char **p, Py_ssize_t *n) {
    if (PyUnicode_Check(value)) return (*p = PyUnicode_AsUTF8AndSize(value, n)) ? 0 : -1;
    char *bytes;
    if (!PyBytes_Check(value)) return -1;
    PyBytes_AsStringAndSize(value, &bytes, n);
    *p = bytes;
    return 0;
}

enum { MOST_DIMS = 254 };
/* A shape: a list of dims (None and -1: unknown), None, or an object with as_list (which may raise: unknown rank). */
static int dims_of(PyObject *value, int64_t *dims, int *rank) {
    PyObject *list =
        value == Py_None ? NULL : PyObject_CallMethod(PyTuple_GetItem(natives.dtypes, 1), "_dims_of", "(O)", value);
    *rank = -1;
    if (value == Py_None) return 0;
    if (!list) return -1;
    if (list != Py_None) {
        *rank = (int)PyList_Size(list);
        if (*rank > MOST_DIMS) *rank = MOST_DIMS;
        for (int i = 0; i < *rank; i++) dims[i] = PyLong_AsLongLong(PyList_GetItem(list, i));
    }
    Py_DECREF(list);
    return PyErr_Occurred() ? -1 : 0;
}

static int set_scalar(TFE_Op *call, const struct Op *op, const struct attr *a, PyObject *value) {
    const char *p;
    Py_ssize_t n;
    int type, rank;
    int64_t dims[MOST_DIMS];
    TF_Status *s = status_here();
    switch ((enum kind)a->kind) {
    case STRING:
        if (text_of(value, &p, &n)) return fail_attr(op, a, value, "a string");
        TFE_OpSetAttrString(call, a->name, p, (size_t)n);
        return 0;
    case INT: {
        PyObject *whole = PyNumber_Index(value);
        if (!whole) {
            PyErr_Clear();
            return fail_attr(op, a, value, "int");
        }
        TFE_OpSetAttrInt(call, a->name, PyLong_AsLongLong(whole));
        Py_DECREF(whole);
        return PyErr_Occurred() ? -1 : 0;
    }
    case FLOAT: {
        const double d = PyFloat_AsDouble(value);
        if (d == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            return fail_attr(op, a, value, "float");
        }
        TFE_OpSetAttrFloat(call, a->name, (float)d);
        return 0;
    }
    case BOOL:
        if (!PyBool_Check(value) && !PyLong_Check(value)) return fail_attr(op, a, value, "bool");
        TFE_OpSetAttrBool(call, a->name, PyObject_IsTrue(value) == 1);
        return 0;
    case TYPE:
        if (type_number(value, &type)) return -1;
        TFE_OpSetAttrType(call, a->name, (TF_DataType)type);
        return 0;
    case SHAPE:
        if (dims_of(value, dims, &rank)) return -1;
        TFE_OpSetAttrShape(call, a->name, dims, rank, s);
        return raise_status(s, op->name);
    case TENSOR: {
        PyObject *t = convert_any(value, 0, 0);
        TF_Tensor *elements = t && is_eager(t) ? tensor_elements((Tensor *)t) : NULL;
        if (elements) TFE_OpSetAttrTensor(call, a->name, elements, s);
        Py_XDECREF(t);
        return elements ? raise_status(s, op->name) : PyErr_Occurred() ? -1 : fail_attr(op, a, value, "a tensor");
    }
    case FUNC: {
        PyObject *name = PyUnicode_Check(value) ? Py_NewRef(value) : PyObject_GetAttrString(value, "name");
        const char *text = name ? PyUnicode_AsUTF8AndSize(name, &n) : NULL;
        if (text) TFE_OpSetAttrFunctionName(call, a->name, text, (size_t)n);
        Py_XDECREF(name);
        return text ? 0 : -1;
    }
    }
    return fail_attr(op, a, value, "another value");
}

/* Functions by name, or by what has a name: each as a call without inputs. */
static int set_functions(TFE_Op *call, const struct Op *op, const struct attr *a, PyObject *value) {
    const Py_ssize_t n = length_of(value);
    TFE_Op **calls = PyMem_Calloc((size_t)n + 1, sizeof *calls);
    int failed = calls ? 0 : (PyErr_NoMemory(), -1);
    TF_Status *s = status_here();
    for (Py_ssize_t i = 0; i < n && !failed; i++) {
        PyObject *item = item_of(value, i);
        PyObject *name = PyUnicode_Check(item) ? Py_NewRef(item) : PyObject_GetAttrString(item, "name");
        const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        if (text) calls[i] = TFE_NewOp(context_here(), text, s);
        failed = text ? raise_status(s, op->name) : -1;
        Py_XDECREF(name);
    }
    if (!failed) TFE_OpSetAttrFunctionList(call, a->name, (const TFE_Op **)calls, (int)n);
    for (Py_ssize_t i = 0; calls && i < n; i++) TFE_DeleteOp(calls[i]);
    PyMem_Free(calls);
    return failed;
}

/* Lists: of texts, numbers, truth values, types, shapes. */
static int set_list(TFE_Op *call, const struct Op *op, const struct attr *a, PyObject *value) {
    if (!is_sequence(value)) return fail_attr(op, a, value, "a list");
    if (a->kind == FUNC) return set_functions(call, op, a, value);
    const Py_ssize_t n = length_of(value);
    int failed = 0;
    const size_t room = (size_t)n + 1;
    union {
        const void **texts;
        int64_t *ints;
        float *floats;
        unsigned char *bools;
        TF_DataType *types;
        void *any;
    } to = {.any = PyMem_Calloc(room, sizeof(int64_t))};
    size_t *lengths = PyMem_Calloc(room, sizeof *lengths);
    const int64_t **dims = PyMem_Calloc(room, sizeof *dims);
    int *ranks = PyMem_Calloc(room, sizeof *ranks);
    int64_t *all = a->kind == SHAPE ? PyMem_Calloc(room * MOST_DIMS, sizeof *all) : NULL;
    if (!to.any || !lengths || !dims || !ranks || (a->kind == SHAPE && !all)) failed = (PyErr_NoMemory(), 1);
    for (Py_ssize_t i = 0; i < n && !failed; i++) {
        PyObject *item = item_of(value, i);
        Py_ssize_t length;
        const char *p;
        int type;
        switch ((enum kind)a->kind) {
        case STRING:
            failed = text_of(item, &p, &length) ? fail_attr(op, a, value, "a list of strings") : 0;
            if (!failed) to.texts[i] = p, lengths[i] = (size_t)length;
            break;
        case INT: to.ints[i] = PyLong_AsLongLong(item); break;
        case FLOAT: to.floats[i] = (float)PyFloat_AsDouble(item); break;
        case BOOL: to.bools[i] = PyObject_IsTrue(item) == 1; break;
        case TYPE:
            failed = type_number(item, &type);
            to.types[i] = (TF_DataType)type;
            break;
        case SHAPE:
            failed = dims_of(item, all + i * MOST_DIMS, &ranks[i]);
            dims[i] = all + i * MOST_DIMS;
            break;
        default: failed = fail_attr(op, a, value, "another list");
        }
        failed = failed || PyErr_Occurred();
    }
    TF_Status *s = status_here();
    if (!failed) switch ((enum kind)a->kind) {
        case STRING: TFE_OpSetAttrStringList(call, a->name, to.texts, lengths, (int)n); break;
        case INT: TFE_OpSetAttrIntList(call, a->name, to.ints, (int)n); break;
        case FLOAT: TFE_OpSetAttrFloatList(call, a->name, to.floats, (int)n); break;
        case BOOL: TFE_OpSetAttrBoolList(call, a->name, to.bools, (int)n); break;
        case TYPE: TFE_OpSetAttrTypeList(call, a->name, to.types, (int)n); break;
        case SHAPE: TFE_OpSetAttrShapeList(call, a->name, dims, ranks, (int)n, s); break;
        default: break;
        }
    if (!failed) failed = raise_status(s, op->name);
    PyMem_Free(to.any);
    PyMem_Free(lengths);
    PyMem_Free(dims);
    PyMem_Free(ranks);
    PyMem_Free(all);
    return failed ? -1 : 0;
}

/* ---- results */

static int count_outputs(const struct building *b, int *counts) {
    int total = 0;
    TF_Status *s = status_here();
    for (int o = 0; o < b->op->n_out; o++) {
        const struct arg *arg = &b->op->out[o];
        counts[o] = 1;
        if (arg->number_attr >= 0 || arg->list_attr >= 0) {
            counts[o] = TFE_OpGetOutputLength(b->call, arg->name, s);
            if (raise_call(s, b)) return -1;
        }
        total += counts[o];
    }
    return total;
}

static PyObject *wrap_list(TFE_TensorHandle **handles, int n) {
    PyObject *list = PyList_New(n);
    for (int i = 0; i < n; i++) {
        PyObject *t = list ? tensor_of_handle(handles[i]) : (TFE_DeleteTensorHandle(handles[i]), NULL);
        if (t) PyList_SetItem(list, i, t);
        else Py_CLEAR(list);
    }
    return list;
}

static PyObject *wrap_outputs(const struct Op *op, TFE_TensorHandle **handles, const int *counts) {
    PyObject *results = op->n_out > 1 ? PyTuple_New(op->n_out) : NULL, *one = NULL;
    bool failed = op->n_out > 1 && !results;
    for (int o = 0; o < op->n_out; handles += counts[o++]) {
        if (failed) {
            free_handles(handles, counts[o]);
            continue;
        }
        const bool is_list = op->out[o].number_attr >= 0 || op->out[o].list_attr >= 0;
        one = is_list ? wrap_list(handles, counts[o]) : tensor_of_handle(handles[0]);
        failed = !one;
        if (one && results) PyTuple_SetItem(results, o, one);
    }
    if (failed) {
        Py_XDECREF(results);
        return NULL;
    }
    if (op->n_out == 0) Py_RETURN_NONE;
    if (op->n_out == 1) return one;
    PyObject *named = op->result ? PyObject_CallObject(op->result, results) : Py_NewRef(results);
    Py_DECREF(results);
    return named;
}

/* ---- calls */

static PyObject *build_in_python(struct Op *op, values given) {
    PyObject *inputs = PyList_New(op->n_in), *attrs = PyDict_New(), *made = NULL;
    bool failed = !inputs || !attrs;
    for (int i = 0; !failed && i < op->n_in; i++) {
        PyObject *value = given[i] ? given[i] : Py_None;
        Py_INCREF(value);
        PyList_SetItem(inputs, i, value);
    }
    for (int p = op->n_in; !failed && p < op->n_params - 1; p++)
        if (given[p] && (given[p] != Py_None || op->attrs[op->param_attr[p]].kind == SHAPE))
            failed = PyDict_SetItem(attrs, op->param_names[p], given[p]) < 0;
    PyObject *name = given[op->n_params - 1];
    if (!failed) made = PyObject_CallFunctionObjArgs(natives.build, op, inputs, attrs, name ? name : Py_None, NULL);
    Py_XDECREF(inputs);
    Py_XDECREF(attrs);
    return made;
}

static int fill_call(struct building *b, values given) {
    const struct Op *op = b->op;
    for (int i = 0; i < op->n_in; i++) {
        const struct arg *arg = &op->in[i];
        if (!given[i]) {
            PyErr_Format(PyExc_TypeError, "%s missing required argument '%s'", op->name, arg->name);
            return -1;
        }
        const bool is_list = arg->number_attr >= 0 || arg->list_attr >= 0;
        if (is_list ? add_list(b, arg, given[i]) : add_one(b, arg, given[i])) return -1;
    }
    for (int p = op->n_in; p < op->n_params - 1; p++) {
        const struct attr *a = &op->attrs[op->param_attr[p]];
        if (!given[p] || (given[p] == Py_None && a->has_default && a->kind != SHAPE)) {
            if (a->has_default) continue;
            PyErr_Format(PyExc_TypeError, "%s missing required argument '%s'", op->name, a->name);
            return -1;
        }
        if (a->is_list ? set_list(b->call, op, a, given[p]) : set_scalar(b->call, op, a, given[p])) return -1;
    }
    return 0;
}

static PyObject *run_call(struct building *b, values given) {
    int few_counts[FEW], *counts = few_counts;
    TFE_TensorHandle *few[FEW], **handles = few;
    if (fill_call(b, given)) return NULL;
    if (b->op->n_out > FEW && !(counts = PyMem_Calloc((size_t)b->op->n_out, sizeof *counts))) return PyErr_NoMemory();
    PyObject *made = NULL;
    const int total = count_outputs(b, counts);
    if (total > FEW && !(handles = PyMem_Calloc((size_t)total, sizeof *handles))) PyErr_NoMemory();
    else if (total >= 0) {
        TFE_Op *call = b->call;
        b->call = NULL;
        if (run(handles, total, call, NULL, b, true) >= 0) made = wrap_outputs(b->op, handles, counts);
    }
    if (handles != few) PyMem_Free(handles);
    if (counts != few_counts) PyMem_Free(counts);
    return made;
}

static PyObject *call_values(struct Op *op, values given) {
    int few[FEW] = {0};
    struct building b = {op, given, NULL, few, 0};
    if (is_building()) return build_in_python(op, given);
    if (op->n_attrs > FEW && !(b.types = PyMem_Calloc((size_t)op->n_attrs, sizeof *b.types))) return PyErr_NoMemory();
    PyObject *made = NULL;
    if (note_types(&b, given)) made = build_in_python(op, given);
    else {
        TFE_Context *c = context_here();
        TF_Status *s = status_here();
        if (c) b.call = TFE_NewOp(c, op->name, s);
        if (c && !raise_status(s, NULL)) made = run_call(&b, given);
        TFE_DeleteOp(b.call);
    }
    if (b.types != few) PyMem_Free(b.types);
    return made;
}

/* The parameter of this name; n_params: there is none. Names at call sites are interned, as those of parameters are. */
static int param_of(const struct Op *op, PyObject *name) {
    int p = 0;
    while (p < op->n_params && op->param_names[p] != name) p++;
    for (int q = 0; p == op->n_params && q < op->n_params; q++)
        if (!PyUnicode_Compare(op->param_names[q], name)) return q;
    return p;
}

static int take_keywords(PyObject **given, const struct Op *op, PyObject *const *values_by_name, PyObject *names) {
    for (Py_ssize_t k = 0; k < PyTuple_Size(names); k++) {
        PyObject *name = PyTuple_GetItem(names, k);
        const int p = param_of(op, name);
        if (p == op->n_params || given[p]) {
            PyErr_Format(PyExc_TypeError,
                         p == op->n_params ? "%s got an unexpected keyword argument '%U'"
                                           : "%s got multiple values for argument '%U'",
                         op->name, name);
            return -1;
        }
        given[p] = values_by_name[k];
    }
    return 0;
}

/* op(*inputs, **attrs), as the interpreter calls functions: `names` are those of the last arguments, or NULL. */
static PyObject *op_call(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names) {
    struct Op *op = (struct Op *)self;
    PyObject *few[2 * FEW], **given = few;
    if (n > op->n_params)
        return PyErr_Format(PyExc_TypeError, "%s takes %d arguments but %zd were given", op->name, op->n_params, n);
    if (op->n_params > 2 * FEW && !(given = PyMem_Calloc((size_t)op->n_params, sizeof *given))) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < op->n_params; i++) given[i] = i < n ? args[i] : NULL;
    PyObject *made = names && take_keywords(given, op, args + n, names) ? NULL : call_values(op, given);
    if (given != few) PyMem_Free(given);
    return made;
}

/* execute_function(name, inputs, number of results, config) -> list of tensors */
PyObject *execute_function(PyObject *self, PyObject *args) {
    const char *name, *config;
    PyObject *inputs;
    int n_out;
    Py_ssize_t config_n;
    (void)self;
    if (!PyArg_ParseTuple(args, "sO!iy#", &name, &PyList_Type, &inputs, &n_out, &config, &config_n)) return NULL;
    TFE_Context *c = context_here();
    TF_Status *s = status_here();
    TFE_Op *op = c ? TFE_NewOp(c, name, s) : NULL;
    if (!op) return raise_status(s, NULL), NULL;
    for (Py_ssize_t i = 0; i < PyList_Size(inputs) && TF_GetCode(s) == TF_OK; i++) {
        PyObject *t = PyList_GetItem(inputs, i);
        if (is_eager(t)) TFE_OpAddInput(op, ((Tensor *)t)->handle, s);
        else TF_SetStatus(s, TF_INVALID_ARGUMENT, "an input of a function is not an eager tensor");
    }
    if (raise_status(s, name)) {
        TFE_DeleteOp(op);
        return NULL;
    }
    if (config_n) TFE_OpSetAttrString(op, "config_proto", config, (size_t)config_n);
    TFE_TensorHandle *few[FEW], **handles = few;
    if (n_out > FEW && !(handles = PyMem_Calloc((size_t)n_out, sizeof *handles))) {
        TFE_DeleteOp(op);
        return PyErr_NoMemory();
    }
    const int n = run(handles, n_out, op, NULL, NULL, true);
    PyObject *made = n < 0 ? NULL : wrap_list(handles, n);
    if (handles != few) PyMem_Free(handles);
    return made;
}

static PyObject *get_name(PyObject *self, void *unused) {
    (void)unused;
    return PyUnicode_FromString(((struct Op *)self)->name);
}
static PyObject *get_info(PyObject *self, void *unused) {
    (void)unused;
    return Py_NewRef(((struct Op *)self)->info);
}
static PyObject *get_result(PyObject *self, void *unused) {
    PyObject *result = ((struct Op *)self)->result;
    (void)unused;
    return Py_NewRef(result ? result : Py_None);
}
/* A function of the interpreter's own kind, which it calls without making tuples and dictionaries. */
static PyObject *get_function(PyObject *self, void *unused) {
    struct Op *op = (struct Op *)self;
    (void)unused;
    op->method = (PyMethodDef){op->name, (PyCFunction)(void (*)(void))op_call, METH_FASTCALL | METH_KEYWORDS,
                               "An op, to be called with its inputs and attrs."};
    return PyCFunction_NewEx(&op->method, self, NULL);
}
/* (a, b) -> what operators give; None: Python has to see to the operands. */
static PyObject *op_of_two(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    const struct Op *op = (struct Op *)self;
    if (n != 2) return PyErr_Format(PyExc_TypeError, "%s takes 2 operands but %zd were given", op->name, n);
    const int fixed = op->in[0].type, have = type_of_either(args[0], args[1]);
    if ((fixed && fixed != have) || have == TF_STRING) Py_RETURN_NONE; /* texts often have an op of their own */
    return operate_at_once(op->name, args[0], args[1]);
}
static PyObject *get_pair(PyObject *self, void *unused) {
    struct Op *op = (struct Op *)self;
    (void)unused;
    if (op->n_in != 2) return PyErr_Format(PyExc_AttributeError, "%s has %d inputs", op->name, op->n_in);
    op->pair_method = (PyMethodDef){op->name, (PyCFunction)(void (*)(void))op_of_two, METH_FASTCALL,
                                    "An op, to be called with its two operands."};
    return PyCFunction_NewEx(&op->pair_method, self, NULL);
}
static PyGetSetDef op_getset[] = {
    {"pair", get_pair, NULL, "Of an op of two inputs of one type: (a, b) -> a tensor, or None.", NULL},
    {"function", get_function, NULL, "What calls the op: its __self__ is this.", NULL},
    {"__name__", get_name, NULL, NULL, NULL},
    {"info", get_info, NULL, "What the op was made of.", NULL},
    {"result", get_result, NULL, "The class of its results, of an op that has several; else None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot op_slots[] = {
    {Py_tp_new, op_new}, {Py_tp_dealloc, op_dealloc}, {Py_tp_getset, op_getset}, {Py_tp_doc, "What an op is."},
    {0, NULL},
};
static PyType_Spec op_spec = {"sluice.Op", sizeof(struct Op), 0, Py_TPFLAGS_DEFAULT, op_slots};

int ops_add_types(PyObject *module) {
    op_type = (PyTypeObject *)PyType_FromSpec(&op_spec);
    return op_type ? PyModule_AddObjectRef(module, "Op", (PyObject *)op_type) : -1;
}
