/* The extension module: what Python calls for every op. It stands on the public C API alone, and on CPython's limited
 * API of 3.11, so that one binary serves all later versions.
 *
 * Every function needs the GIL unless it says otherwise. Functions that return PyObject * give a new reference, or NULL
 * with an exception set; int ones give 0, or -1 with an exception set. */
#ifndef SLUICE_PYTHON_NATIVE_H
#define SLUICE_PYTHON_NATIVE_H

#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <structmember.h>

#include "sluice/tape.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"

/* f(x) */
static inline PyObject *call_one(PyObject *f, PyObject *x) { return PyObject_CallFunctionObjArgs(f, x, NULL); }
/* Puts a reference, which it takes over, in the place of another one. */
static inline void put_object(PyObject **to, PyObject *value) {
    PyObject *old = *to;
    *to = value;
    Py_XDECREF(old);
}

/* Puts an item, which it takes over, into a new list. Without one there is an exception: the list goes, and is NULL. */
static inline void put_item(PyObject **list, Py_ssize_t i, PyObject *item) {
    if (item) PyList_SetItem(*list, i, item);
    else Py_CLEAR(*list);
}

/* ---- module (native_module.c): objects that Python hands in once, by `setup` */
struct natives {
    PyObject *errors;     /* dict: code -> exception class */
    PyObject *dtypes;     /* tuple by number: DType objects, None where there is none */
    PyObject *shape_of;   /* (tuple) -> TensorShape */
    PyObject *convert;    /* (value, dtype number or 0) -> Tensor: what C does not convert by itself */
    PyObject *build;      /* (op, inputs, attrs, name) -> outputs: makes a node of the current graph */
    PyObject *numpy;      /* (Tensor) -> numpy.ndarray */
    PyObject *repr, *str; /* (Tensor) -> str */
    PyObject *operators;  /* dict: name -> function (a, b), for operands that are not both plain tensors */
    PyObject *getitem;    /* (Tensor, key) -> Tensor */
    PyObject *leaf_types; /* set: classes whose objects are leaves of every structure */
    PyObject *children;   /* (value, whether composites have children) -> list, None of a leaf */
    PyObject *ndarray;    /* numpy.ndarray, once it is known */
    PyObject *callback;   /* (token, inputs, whether as numpy) -> list of EagerTensors: a PyFunc's kernel */
};
extern struct natives natives;

/* ---- status (native_status.c) */
/* The thread's status, cleared. Nobody keeps it over a call that may run Python. */
TF_Status *status_here(void);
/* Raises what a status says, with " [Op:NAME] name: " behind it when `op` is not NULL; 0 when it says OK. */
int raise_status(const TF_Status *status, const char *op);
/* The same of an op with a name (NULL: none). TensorFlow does not tell a name when inputs were values of Python that it has to
 * convert: then only " [Op:NAME]" is behind the message. */
int raise_op_status(const TF_Status *status, const char *op, PyObject *name, bool tells_name);
/* What Python has raised, as a status: raise_status raises it again as it was, unless another one has been kept since. */
void keep_exception(TF_Status *status);
/* What a call has put into a buffer, which goes, unless the status says that it failed. */
PyObject *bytes_of_buffer(TF_Buffer *buffer, const TF_Status *status);

/* ---- Ctrl-C (native_interrupt.c) */
/* Around what may take long or wait: gives the GIL away, and takes it again. In between Ctrl-C stops what the main thread
 * runs. -1 with KeyboardInterrupt when that is why the status is not OK: then the status tells nothing more. */
PyThreadState *interruptible_begin(bool *is_watched);
int interruptible_end(PyThreadState *thread, bool is_watched, const TF_Status *status);

/* ---- context (native_context.c) */
/* The one context of the process, made on first use; NULL with an exception set. */
TFE_Context *context_here(void);
/* The device scope of this thread: a full name in canonical form; NULL: none. */
const char *device_here(void);
/* Whether ops of this thread make nodes of a graph. */
bool is_building(void);
/* Whether == of tensors compares their elements here; else they are equal to themselves alone, and may be keys. */
bool compares_values(void);
PyObject *context_set_device(PyObject *self, PyObject *name); /* -> the one before */
/* -1: what the process does, 0: ops run, 1: they make nodes of a function, 2: of another graph; -> the one before. */
PyObject *context_set_building(PyObject *self, PyObject *kind);
PyObject *context_set_graph_mode(PyObject *self, PyObject *flag); /* of threads that have said nothing */
PyObject *context_set_tensor_equality(PyObject *self, PyObject *flag);
PyObject *context_compares_values(PyObject *self, PyObject *unused);
PyObject *context_pointer(PyObject *self, PyObject *unused);
PyObject *context_exists(PyObject *self, PyObject *unused);    /* whether it was made */
PyObject *context_configure(PyObject *self, PyObject *config); /* the bytes of a ConfigProto, before it is made */
PyObject *context_leave(PyObject *self,
                        PyObject *unused); /* a new one is made when it is next used; what is in this one stays */
PyObject *context_devices(PyObject *self, PyObject *unused); /* -> [(name, type)] */
PyObject *context_place(PyObject *self, PyObject *args);     /* (soft placement, log placement) */
PyObject *context_call(PyObject *self, PyObject *args);      /* functions of the context, by name */

/* ---- tensors (native_tensor.c) */
typedef struct {
    PyObject_HEAD PyObject *dict, *weak;
    TFE_TensorHandle *handle; /* owned; NULL in a tensor that is not eager */
    TF_Tensor *tensor;        /* owned; the elements, once somebody has looked */
    PyObject *shape;          /* TensorShape, once somebody has asked */
    int dtype;
} Tensor;

extern PyTypeObject *tensor_type, *eager_type;
static inline bool is_eager(PyObject *o) { return Py_TYPE(o) == eager_type; }
static inline bool is_tensor(PyObject *o) { return PyObject_TypeCheck(o, tensor_type); }
/* Takes the handle over, also on failure. */
PyObject *tensor_of_handle(TFE_TensorHandle *handle);
/* The elements: borrowed from the tensor. NULL with an exception set. */
TF_Tensor *tensor_elements(Tensor *t);
int tensor_add_types(PyObject *module);
/* The type of an eager operand, 0: there is none. */
int type_of_either(PyObject *a, PyObject *b);
/* What an op of two inputs of one type gives for eager tensors of one type, or one and a Python number, which takes that
 * type. None: Python has to see to the operands. */
PyObject *operate_at_once(const char *op, PyObject *a, PyObject *b);

/* ---- numpy (native_numpy.c) */
/* The elements as an array of the caller's own, or a scalar. None: Python has to make it. */
PyObject *numpy_at_once(Tensor *t);
PyObject *numpy_know_type(PyObject *self, PyObject *args);

/* ---- types of elements (native_dtype.c): what DType derives from */
typedef struct {
    PyObject_HEAD int number;
} NumberedType;
extern PyTypeObject *numbered_type;
static inline bool is_dtype(PyObject *o) { return PyObject_TypeCheck(o, numbered_type); }
static inline int number_of_dtype(PyObject *o) { return ((NumberedType *)o)->number; }
int dtype_add_types(PyObject *module);

/* ---- conversion (native_convert.c) */
/* convert_at_once(value, DType or number or None, preferred likewise) -> an eager tensor, or None: Python has to see to it. */
PyObject *convert_at_once(PyObject *self, PyObject *const *args, Py_ssize_t n);
/* Python's numbers, texts, nested lists of them, and what has a buffer, as a tensor. `dtype`: wanted, or 0: what suits
 * the value, with `preferred` for Python's own numbers when it fits (0: int32 and float32). NotImplemented (a new
 * reference) when the value is of another kind: the caller asks Python (natives.convert). */
PyObject *convert_value(PyObject *value, int dtype, int preferred);
/* The same, asking Python too. A tensor is given as it is. TypeError when it has another type than is wanted. */
PyObject *convert_any(PyObject *value, int dtype, int preferred);
/* What the elements of a tensor are in Python: a scalar, or nested lists. */
PyObject *tensor_to_python(Tensor *t);
/* struct's format of a type's elements; NULL: there is none. */
const char *format_of(int dtype);

/* One element in Python. */
PyObject *element_to_python(const void *element, int dtype);

/* ---- structures (native_nest.c) */
PyObject *nest_flatten(PyObject *self, PyObject *const *args, Py_ssize_t n);

/* ---- IndexedSlices (native_slices.c) */
int slices_add_types(PyObject *module);

/* ---- ops (native_ops.c) */
typedef struct Op Op;
int ops_add_types(PyObject *module);
/* An op of two arguments, executed; NULL with an exception. Both are eager tensors of one type, no graph is built. */
PyObject *execute_binary(const char *op, Tensor *a, Tensor *b);
PyObject *execute_unary(const char *op, Tensor *a);
PyObject *execute_function(PyObject *self, PyObject *args);
/* StridedSlice of an eager tensor, executed. No graph is built. */
enum { MOST_SLICED = 16 };
struct slice {
    int32_t begin[MOST_SLICED], end[MOST_SLICED], strides[MOST_SLICED];
    int n, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_mask;
};
PyObject *execute_slice(Tensor *t, const struct slice *slice);

/* ---- graphs (native_graph.c) */
int graph_add_types(PyObject *module);
/* The graph of a Graph object, borrowed; NULL with an exception when it is none. */
TF_Graph *graph_of(PyObject *o);
/* A pair (node, index), or a list of them, which comes from PyMem; -1 or NULL with an exception. */
int output_of(PyObject *pair, TF_Output *out);
PyObject *pair_of(TF_Output output);
/* A Graph object of a graph that is another's: to be used while that is there. */
PyObject *graph_borrowed(TF_Graph *graph);
TF_Output *outputs_of(PyObject *list);

/* ---- gradients of graphs (native_gradients.c) */
PyObject *gradients_add(PyObject *self, PyObject *args);
PyObject *gradients_register(PyObject *self, PyObject *args);

/* ---- sessions (native_session.c) */
int session_add_types(PyObject *module);

/* ---- servers (native_server.c) */
int server_add_types(PyObject *module);
PyObject *server_reset(PyObject *self, PyObject *args);
PyObject *enable_collectives(PyObject *self, PyObject *args);
PyObject *group_join(PyObject *self, PyObject *args);
PyObject *group_newcomers(PyObject *self, PyObject *args);

/* ---- Python functions as kernels (native_callback.c) */
int callback_register(void);

/* ---- tapes (native_tape.c) */
int tape_add_types(PyObject *module);

#endif
