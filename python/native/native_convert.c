/* Values of Python as tensors, and back. What has a buffer (numpy arrays and scalars, memoryviews) is copied in one
 * piece; lists are walked twice, for the shape and type, then for the elements. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "tensorflow/c/tf_tstring.h"

/* ---- formats */

static const char *const formats[] = {
    [TF_FLOAT] = "f",       [TF_DOUBLE] = "d",     [TF_INT32] = "i",  [TF_UINT8] = "B", [TF_INT16] = "h",
    [TF_INT8] = "b",        [TF_COMPLEX64] = "Zf", [TF_INT64] = "q",  [TF_BOOL] = "?",  [TF_UINT16] = "H",
    [TF_COMPLEX128] = "Zd", [TF_HALF] = "e",       [TF_UINT32] = "I", [TF_UINT64] = "Q"};

const char *format_of(int dtype) {
    return dtype > 0 && (size_t)dtype < sizeof formats / sizeof *formats ? formats[dtype] : NULL;
}

/* The type of a buffer's elements; 0: none that is known here. 'l' is as wide as the platform's long. */
static int dtype_of_format(const char *format, Py_ssize_t size) {
    if (!format) return TF_UINT8;
    if (*format == '=' || *format == '@' || *format == '<') format++;
    if (!strcmp(format, "l")) return size == 8 ? TF_INT64 : TF_INT32;
    if (!strcmp(format, "L")) return size == 8 ? TF_UINT64 : TF_UINT32;
    for (int d = 1; (size_t)d < sizeof formats / sizeof *formats; d++)
        if (formats[d] && !strcmp(formats[d], format)) return d;
    return 0;
}

/* Bytes of an element in memory. */
static size_t size_of(int dtype) {
    return dtype == TF_STRING ? sizeof(TF_TString) : TF_DataTypeSize((TF_DataType)dtype);
}

/* ---- making tensors */

/* Whether the thread's ops run on a device of another task than this one, where h is. */
static bool is_elsewhere(TFE_TensorHandle *h, TF_Status *s) {
    const char *device = device_here();
    if (!device || is_building() || strncmp(device, "/job:", 5) != 0 || !context_here()) return false;
    const char *own = TFE_TensorHandleDeviceName(h, s), *task = strstr(device, "/task:"),
               *own_task = strstr(own, "/task:");
    const size_t job = strcspn(device + 5, "/") + 5;
    return strncmp(device, own, job) != 0 || own[job] != '/' ||
           (task && own_task && atoi(task + 6) != atoi(own_task + 6));
}

/* Constants are where the ops of their scope run. */
static PyObject *tensor_here(TFE_TensorHandle *h, TF_Status *s) {
    if (raise_status(s, NULL)) return NULL;
    if (!is_elsewhere(h, s)) return tensor_of_handle(h);
    TFE_TensorHandle *there = TFE_TensorHandleCopyToDevice(h, context_here(), device_here(), s);
    TFE_DeleteTensorHandle(h);
    return raise_status(s, NULL) ? NULL : tensor_of_handle(there);
}

static PyObject *handle_of(TF_Tensor *t) {
    TF_Status *s = status_here();
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    TF_DeleteTensor(t);
    return tensor_here(h, s);
}

static TF_Tensor *allocate(int dtype, const int64_t *dims, int rank) {
    int64_t count = 1;
    for (int i = 0; i < rank; i++)
        if (__builtin_mul_overflow(count, dims[i], &count)) count = INT64_MAX;
    size_t bytes;
    TF_Tensor *t = NULL;
    if (!__builtin_mul_overflow((size_t)count, size_of(dtype), &bytes))
        t = TF_AllocateTensor((TF_DataType)dtype, dims, rank, bytes);
    if (!t) PyErr_NoMemory();
    return t;
}

static PyObject *from_scalar_bits(int dtype, void *bits, size_t size) {
    TF_Status *s = status_here();
    TFE_TensorHandle *h = TFE_NewTensorHandleFromScalar((TF_DataType)dtype, bits, size, s);
    return tensor_here(h, s);
}

/* ---- single elements */

static int refuse(PyObject *value, int dtype, PyObject *class) {
    PyObject *d = PyTuple_GetItem(natives.dtypes, dtype), *name = d ? PyObject_GetAttrString(d, "name") : NULL;
    const char *known = dtype == TF_FLOAT ? "float" : dtype == TF_DOUBLE ? "double" : dtype == TF_HALF ? "half" : NULL;
    if (name && known) PyErr_Format(class, "Cannot convert %R to EagerTensor of dtype %s", value, known);
    else if (name) PyErr_Format(class, "Cannot convert %R to EagerTensor of dtype %S", value, name);
    Py_XDECREF(name);
    return -1;
}

/* half and bfloat16 from double, ties to even: by way of float, whose rounding is exact enough, for float has more
 * than twice their bits and two more. */
static uint16_t half_of(float f) {
    uint32_t x;
    memcpy(&x, &f, 4);
    const uint32_t sign = x >> 16 & 0x8000, magnitude = x & 0x7fffffff;
    if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 0x47800000) return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) { /* not normal as a half: a multiple of 2^-24 */
        float scaled;
        memcpy(&scaled, &magnitude, 4);
        scaled += 0.5f; /* 2^-24 is the last bit of numbers in [0.5, 1) */
        uint32_t y;
        memcpy(&y, &scaled, 4);
        return (uint16_t)(sign | (y - 0x3f000000));
    }
    const uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return rounded >= 0x47800000 ? (uint16_t)(sign | 0x7c00) : (uint16_t)(sign | ((rounded - 0x38000000) >> 13));
}

static uint16_t bfloat_of(float f) {
    uint32_t x;
    memcpy(&x, &f, 4);
    if ((x & 0x7fffffff) > 0x7f800000) return (uint16_t)(x >> 16 | 0x40);
    return (uint16_t)((x + 0x7fff + (x >> 16 & 1)) >> 16);
}

static int put_string(TF_TString *to, PyObject *value) {
    const char *p;
    Py_ssize_t n;
    if (PyUnicode_Check(value)) {
        p = PyUnicode_AsUTF8AndSize(value, &n);
        if (!p) return -1;
    } else if (PyBytes_AsStringAndSize(value, (char **)&p, &n)) return -1;
    TF_StringInit(to);
    TF_StringCopy(to, p, (size_t)n);
    return 0;
}

static int put_integer(void *to, int dtype, PyObject *value) {
    if (PyFloat_Check(value) || PyComplex_Check(value) || PyUnicode_Check(value) || PyBytes_Check(value))
        return refuse(value, dtype, PyExc_TypeError);
    PyObject *whole = PyNumber_Index(value);
    if (!whole) return -1;
    int over;
    const long long v = PyLong_AsLongLongAndOverflow(whole, &over);
    if (over && dtype != TF_UINT64) {
        Py_DECREF(whole);
        PyErr_SetString(PyExc_ValueError, "Can't convert Python sequence with out-of-range integer to Tensor.");
        return -1;
    }
    const unsigned long long u =
        dtype == TF_UINT64 && over > 0 ? PyLong_AsUnsignedLongLong(whole) : (unsigned long long)v;
    Py_DECREF(whole);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        over = 1;
    } else if (dtype == TF_UINT64 && (over > 0 || v >= 0)) over = 0;
#define CASE(TYPE, type, least, most)                                                                                  \
    case TYPE:                                                                                                         \
        if (over || v < (least) || v > (most)) return refuse(value, dtype, PyExc_ValueError);                          \
        *(type *)to = (type)v;                                                                                         \
        return 0;
    switch (dtype) {
        CASE(TF_INT32, int32_t, INT32_MIN, INT32_MAX)
        CASE(TF_INT16, int16_t, INT16_MIN, INT16_MAX)
        CASE(TF_INT8, int8_t, INT8_MIN, INT8_MAX)
        CASE(TF_UINT8, uint8_t, 0, UINT8_MAX)
        CASE(TF_UINT16, uint16_t, 0, UINT16_MAX)
        CASE(TF_UINT32, uint32_t, 0, (long long)UINT32_MAX)
        CASE(TF_INT64, int64_t, INT64_MIN, INT64_MAX)
    case TF_UINT64:
        if (over) return refuse(value, dtype, PyExc_ValueError);
        *(uint64_t *)to = u;
        return 0;
    default: return refuse(value, dtype, PyExc_TypeError);
    }
#undef CASE
}

/* These two are made of truths only behind other numbers. */
static bool refuses_truths(int dtype) { return dtype == TF_BFLOAT16 || dtype == TF_COMPLEX64; }

/* Writes one element of Python's into memory of the type. */
static int put(void *to, int dtype, PyObject *value) {
    double d;
    float f;
    switch (dtype) {
    case TF_STRING:
        if (!PyUnicode_Check(value) && !PyBytes_Check(value)) return refuse(value, dtype, PyExc_TypeError);
        return put_string(to, value);
    case TF_BOOL:
        if (!PyBool_Check(value)) return refuse(value, dtype, PyExc_TypeError);
        *(bool *)to = value == Py_True;
        return 0;
    case TF_FLOAT:
    case TF_DOUBLE:
    case TF_HALF:
    case TF_BFLOAT16:
        if (PyComplex_Check(value) || PyUnicode_Check(value) || PyBytes_Check(value))
            return refuse(value, dtype, PyExc_TypeError);
        d = PyFloat_AsDouble(value);
        if (d == -1 && PyErr_Occurred()) return -1;
        f = (float)d;
        if (dtype == TF_FLOAT) *(float *)to = f;
        else if (dtype == TF_DOUBLE) *(double *)to = d;
        else *(uint16_t *)to = dtype == TF_HALF ? half_of(f) : bfloat_of(f);
        return 0;
    case TF_COMPLEX64:
    case TF_COMPLEX128:
        if (PyUnicode_Check(value) || PyBytes_Check(value)) return refuse(value, dtype, PyExc_TypeError);
        d = PyComplex_RealAsDouble(value);
        if (d == -1 && PyErr_Occurred()) return -1;
        if (dtype == TF_COMPLEX64) ((float *)to)[0] = (float)d, ((float *)to)[1] = (float)PyComplex_ImagAsDouble(value);
        else ((double *)to)[0] = d, ((double *)to)[1] = PyComplex_ImagAsDouble(value);
        return 0;
    default: return put_integer(to, dtype, value);
    }
}

/* What type a Python scalar has by itself; 0: it is none. */
static int natural(PyObject *value) {
    if (PyBool_Check(value)) return TF_BOOL;
    if (PyLong_Check(value)) {
        int over;
        const long long v = PyLong_AsLongLongAndOverflow(value, &over);
        return !over && v >= INT32_MIN && v <= INT32_MAX ? TF_INT32 : TF_INT64;
    }
    if (PyFloat_CheckExact(value) || (PyFloat_Check(value) && !PyObject_CheckBuffer(value))) return TF_FLOAT;
    if (PyUnicode_Check(value) || PyBytes_Check(value)) return TF_STRING;
    if (PyComplex_Check(value)) return TF_COMPLEX128;
    return 0;
}

static bool is_float_type(int d) { return d == TF_FLOAT || d == TF_DOUBLE || d == TF_HALF || d == TF_BFLOAT16; }
static bool is_int_type(int d) {
    return d == TF_INT32 || d == TF_INT64 || d == TF_INT8 || d == TF_INT16 || d == TF_UINT8 || d == TF_UINT16 ||
           d == TF_UINT32 || d == TF_UINT64;
}
static bool is_complex_type(int d) { return d == TF_COMPLEX64 || d == TF_COMPLEX128; }

/* `preferred` where a value of its own type fits in. */
static int prefer(int own, int preferred) {
    if (!preferred) return own;
    if (own == TF_INT64 && is_int_type(preferred) && TF_DataTypeSize((TF_DataType)preferred) < 4) return own;
    if (own == TF_INT64 && preferred == TF_INT32) return own; /* for which it is too large */
    if (own == TF_INT32 || own == TF_INT64)
        return is_int_type(preferred) || is_float_type(preferred) || is_complex_type(preferred) ? preferred : own;
    if (own == TF_FLOAT) return is_float_type(preferred) || is_complex_type(preferred) ? preferred : own;
    if (own == TF_COMPLEX128) return is_complex_type(preferred) ? preferred : own;
    return own;
}

/* ---- lists */

enum { MOST_RANK = 32 };

struct walk {
    int64_t dims[MOST_RANK];
    int rank;   /* -1: not known yet */
    int dtype;  /* of the elements that were seen; 0: none yet */
    bool other; /* something that is not Python's own: tensors, arrays */
    char *to;   /* second time */
    size_t size;
    int wanted;
};

static bool is_list(PyObject *o) { return PyList_Check(o) || PyTuple_Check(o); }
static Py_ssize_t list_length(PyObject *o) { return PyList_Check(o) ? PyList_Size(o) : PyTuple_Size(o); }
static PyObject *list_item(PyObject *o, Py_ssize_t i) {
    return PyList_Check(o) ? PyList_GetItem(o, i) : PyTuple_GetItem(o, i);
}

static int refuse_shape(void) {
    PyErr_SetString(PyExc_ValueError, "Can't convert non-rectangular Python sequence to Tensor.");
    return -1;
}

/* The type of a list with elements of type `a`, after which one of `b` comes; -1: there is none. */
static int join(int a, int b) {
    if (!a || a == b) return b;
    if (a == TF_STRING || b == TF_STRING || a == TF_BOOL) return -1;
    if (a == TF_COMPLEX128 || b == TF_BOOL) return a;
    if (b == TF_COMPLEX128) return -1;
    return a == TF_FLOAT || b == TF_FLOAT ? TF_FLOAT : TF_INT64;
}

/* Whether a list of numbers is taken for the type that is wanted, although it has none by itself: one that begins with truths,
 * and for complex numbers any. */
static bool takes_mixed(int wanted, int dtype, int own) {
    if (dtype == TF_STRING || own == TF_STRING) return false;
    if (is_complex_type(wanted)) return true;
    if (dtype != TF_BOOL || own == TF_COMPLEX128) return false;
    return is_int_type(wanted) ? own != TF_FLOAT : is_float_type(wanted) && wanted != TF_BFLOAT16;
}

/* First time: shape and type. */
static int look(struct walk *w, PyObject *value, int depth) {
    if (!is_list(value)) {
        const int own = natural(value);
        if (!own) {
            w->other = true;
            return 0;
        }
        if (w->rank >= 0 && w->rank != depth) return refuse_shape();
        w->rank = depth;
        int both = join(w->dtype, own);
        if (both < 0 && takes_mixed(w->wanted, w->dtype, own)) both = own;
        if (both < 0) {
            PyErr_SetString(PyExc_ValueError, "Can't convert Python sequence with mixed types to Tensor.");
            return -1;
        }
        w->dtype = both;
        return 0;
    }
    const Py_ssize_t n = list_length(value);
    if (depth == MOST_RANK) return refuse_shape();
    if (w->rank >= 0 && depth >= w->rank) return refuse_shape();
    if (w->dims[depth] >= 0 && w->dims[depth] != n) return refuse_shape();
    w->dims[depth] = n;
    if (!n) {
        if (w->rank >= 0 && w->rank != depth + 1) return refuse_shape();
        w->rank = depth + 1;
    }
    for (Py_ssize_t i = 0; i < n && !w->other; i++)
        if (look(w, list_item(value, i), depth + 1)) return -1;
    return 0;
}

static int fill(struct walk *w, PyObject *value) {
    if (!is_list(value)) {
        if (put(w->to, w->wanted, value)) return -1;
        w->to += w->size;
        return 0;
    }
    const Py_ssize_t n = list_length(value);
    for (Py_ssize_t i = 0; i < n; i++)
        if (fill(w, list_item(value, i))) return -1;
    return 0;
}

static PyObject *from_list(PyObject *value, int dtype, int preferred) {
    struct walk w = {.rank = -1, .wanted = dtype};
    for (int i = 0; i < MOST_RANK; i++) w.dims[i] = -1;
    if (look(&w, value, 0)) return NULL;
    if (w.other) Py_RETURN_NOTIMPLEMENTED;
    if (w.dtype == TF_BOOL && refuses_truths(dtype)) {
        refuse(value, dtype, PyExc_TypeError);
        return NULL;
    }
    if (!w.wanted) w.wanted = w.dtype ? prefer(w.dtype, preferred) : preferred ? preferred : TF_FLOAT;
    TF_Tensor *t = allocate(w.wanted, w.dims, w.rank);
    if (!t) return NULL;
    w.to = TF_TensorData(t);
    w.size = size_of(w.wanted);
    if (fill(&w, value)) {
        TF_DeleteTensor(t);
        if (PyErr_ExceptionMatches(PyExc_TypeError)) { /* told of the whole list */
            PyErr_Clear();
            refuse(value, w.wanted, PyExc_TypeError);
        }
        return NULL;
    }
    return handle_of(t);
}

/* ---- buffers */

static PyObject *from_buffer(PyObject *value, int dtype, int preferred) {
    Py_buffer view;
    (void)preferred;
    if (PyObject_GetBuffer(value, &view, PyBUF_FORMAT | PyBUF_STRIDES)) {
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    const int own = dtype_of_format(view.format, view.itemsize);
    PyObject *made = NULL;
    if (!own || (dtype && own != dtype) || view.ndim > MOST_RANK) {
        PyBuffer_Release(&view);
        Py_RETURN_NOTIMPLEMENTED; /* Python knows more types, and which may become which */
    }
    int64_t dims[MOST_RANK];
    for (int i = 0; i < view.ndim; i++) dims[i] = view.shape[i];
    TF_Tensor *t = allocate(own, dims, view.ndim);
    if (t && !PyBuffer_ToContiguous(TF_TensorData(t), &view, view.len, 'C')) made = handle_of(t);
    else if (t) TF_DeleteTensor(t);
    PyBuffer_Release(&view);
    return made;
}

/* ---- all of it */

static PyObject *from_scalar(PyObject *value, int dtype) {
    uint64_t bits[2] = {0, 0};
    if (dtype == TF_STRING) {
        TF_Tensor *t = allocate(dtype, NULL, 0);
        if (!t) return NULL;
        if (put(TF_TensorData(t), dtype, value)) {
            TF_DeleteTensor(t);
            return NULL;
        }
        return handle_of(t);
    }
    return put(bits, dtype, value) ? NULL : from_scalar_bits(dtype, bits, TF_DataTypeSize((TF_DataType)dtype));
}

PyObject *convert_value(PyObject *value, int dtype, int preferred) {
    const int own = natural(value);
    if (own == TF_BOOL && refuses_truths(dtype)) {
        refuse(value, dtype, PyExc_TypeError);
        return NULL;
    }
    if (own) return from_scalar(value, dtype ? dtype : prefer(own, preferred));
    if (is_list(value)) return from_list(value, dtype, preferred);
    return from_buffer(value, dtype, preferred);
}

PyObject *convert_any(PyObject *value, int dtype, int preferred) {
    if (is_tensor(value)) {
        const int own = ((Tensor *)value)->dtype;
        if (dtype && own != dtype)
            return PyObject_CallFunction(natives.convert, "Oii", value, dtype, preferred); /* says what is wrong */
        Py_INCREF(value);
        return value;
    }
    if (!is_building()) {
        PyObject *made = convert_value(value, dtype, preferred);
        if (made != Py_NotImplemented) return made;
        Py_DECREF(made);
    }
    return PyObject_CallFunction(natives.convert, "Oii", value, dtype, preferred);
}

/* The number of a type that an argument names; -1: Python has to see what it means. */
static int wanted_type(PyObject *value) {
    if (value == Py_None) return 0;
    if (is_dtype(value)) return number_of_dtype(value);
    return PyLong_CheckExact(value) ? (int)PyLong_AsLong(value) : -1;
}

/* Whether Python's values become it without more ado; 0, which leaves the choice, among them. */
static bool is_plain_type(int d) {
    return !d || d == TF_STRING || d == TF_BOOL || is_float_type(d) || is_int_type(d) || is_complex_type(d);
}

/* Python's own numbers and texts, and lists of them. Others may have methods, or functions registered for them. */
static bool is_pythons_own(PyObject *o) {
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || PyList_CheckExact(o) ||
           PyTuple_CheckExact(o) || PyUnicode_CheckExact(o) || PyBytes_CheckExact(o);
}

PyObject *convert_at_once(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    (void)self;
    if (n < 1 || n > 3) return PyErr_Format(PyExc_TypeError, "convert_at_once takes 1 to 3 arguments");
    PyObject *value = args[0];
    const int dtype = n > 1 ? wanted_type(args[1]) : 0, preferred = n > 2 ? wanted_type(args[2]) : 0;
    if (dtype < 0 || preferred < 0 || is_building()) Py_RETURN_NONE;
    if (is_eager(value)) return Py_NewRef(!dtype || ((Tensor *)value)->dtype == dtype ? value : Py_None);
    const bool is_array = natives.ndarray && (PyObject *)Py_TYPE(value) == natives.ndarray;
    if (is_array ? preferred : !is_pythons_own(value)) Py_RETURN_NONE; /* a preferred type is what arrays are cast to */
    if (!is_plain_type(dtype) || !is_plain_type(preferred)) Py_RETURN_NONE;
    PyObject *made = convert_value(value, dtype, preferred);
    if (made && made != Py_NotImplemented) return made;
    Py_XDECREF(made);
    PyErr_Clear(); /* Python knows more of it, or raises */
    Py_RETURN_NONE;
}

/* ---- back */

static double double_of_half(uint16_t h) {
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    const double sign = h & 0x8000 ? -1 : 1;
    if (exponent == 31) return fraction ? (double)__builtin_nanf("") : sign * __builtin_inf();
    double scale = 1;
    for (int e = exponent ? exponent - 25 : -24; e < 0; e++) scale /= 2;
    for (int e = exponent ? exponent - 25 : -24; e > 0; e--) scale *= 2;
    return sign * (exponent ? 1024 + fraction : fraction) * scale;
}

PyObject *element_to_python(const void *p, int dtype) {
    uint32_t wide;
    float f;
    switch (dtype) {
    case TF_FLOAT: return PyFloat_FromDouble((double)*(const float *)p);
    case TF_DOUBLE: return PyFloat_FromDouble(*(const double *)p);
    case TF_HALF: return PyFloat_FromDouble(double_of_half(*(const uint16_t *)p));
    case TF_BFLOAT16:
        wide = (uint32_t) * (const uint16_t *)p << 16;
        memcpy(&f, &wide, 4);
        return PyFloat_FromDouble((double)f);
    case TF_INT8: return PyLong_FromLong(*(const int8_t *)p);
    case TF_UINT8: return PyLong_FromLong(*(const uint8_t *)p);
    case TF_INT16: return PyLong_FromLong(*(const int16_t *)p);
    case TF_UINT16: return PyLong_FromLong(*(const uint16_t *)p);
    case TF_INT32: return PyLong_FromLong(*(const int32_t *)p);
    case TF_UINT32: return PyLong_FromUnsignedLong(*(const uint32_t *)p);
    case TF_INT64: return PyLong_FromLongLong(*(const int64_t *)p);
    case TF_UINT64: return PyLong_FromUnsignedLongLong(*(const uint64_t *)p);
    case TF_BOOL: return PyBool_FromLong(*(const bool *)p);
    case TF_COMPLEX64: return PyComplex_FromDoubles((double)((const float *)p)[0], (double)((const float *)p)[1]);
    case TF_COMPLEX128: return PyComplex_FromDoubles(((const double *)p)[0], ((const double *)p)[1]);
    case TF_STRING: return PyBytes_FromStringAndSize(TF_StringGetDataPointer(p), (Py_ssize_t)TF_StringGetSize(p));
    default: return PyErr_Format(PyExc_TypeError, "elements of type number %d have no value in Python", dtype);
    }
}

static PyObject *nested(const char **p, int dtype, size_t size, const TF_Tensor *t, int axis) {
    if (axis == TF_NumDims(t)) {
        PyObject *made = element_to_python(*p, dtype);
        *p += size;
        return made;
    }
    const Py_ssize_t n = (Py_ssize_t)TF_Dim(t, axis);
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *item = nested(p, dtype, size, t, axis + 1);
        if (!item) Py_CLEAR(list);
        else PyList_SetItem(list, i, item);
    }
    return list;
}

PyObject *tensor_to_python(Tensor *t) {
    TF_Tensor *elements = tensor_elements(t);
    if (!elements) return NULL;
    const char *p = TF_TensorData(elements);
    return nested(&p, t->dtype, size_of(t->dtype), elements, 0);
}
