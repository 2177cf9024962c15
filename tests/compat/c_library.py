"""The few calls of the C API that scripts here need, through ctypes: any library that has that API."""
import ctypes as C

import numpy as np

DTYPES = {1: "f4", 2: "f8", 3: "i4", 4: "u1", 5: "i2", 6: "i1", 8: "c8", 9: "i8", 10: "?", 14: "u2", 17: "u2", 19: "f2",
          22: "u4", 23: "u8"}
STRING = 7


class Output(C.Structure):
    _fields_ = [("oper", C.c_void_p), ("index", C.c_int)]


class Buffer(C.Structure):
    _fields_ = [("data", C.c_void_p), ("length", C.c_size_t), ("free", C.c_void_p)]


class Library:
    """The few calls of the C API that a run needs."""

    def __init__(self, path):
        self.l = C.CDLL(path)
        self.status = self.call("NewStatus")

    def call(self, name, *args, result=C.c_void_p):
        f = getattr(self.l, name if name.startswith("sl_") else "TF_" + name)
        f.restype = result
        return f(*[C.c_void_p(a) if isinstance(a, int) and a > 2**31 else a for a in args])

    def failure(self):
        code = self.call("GetCode", self.status, result=C.c_int)
        return (code, self.call("Message", self.status, result=C.c_char_p).decode("utf8", "replace")) if code else None

    def tensor(self, dtype, value):
        value = np.array(value, order="C")
        dims = (C.c_int64 * max(1, value.ndim))(*value.shape)
        n = 24 * value.size if dtype == STRING else value.nbytes
        t = self.call("AllocateTensor", dtype, dims, value.ndim, C.c_size_t(n))
        data = self.call("TensorData", t)
        if dtype == STRING:
            for i, s in enumerate(value.reshape(-1)):
                self.call("StringInit", data + 24 * i)
                self.call("StringCopy", data + 24 * i, s, C.c_size_t(len(s)))
        elif n:
            C.memmove(data, value.ctypes.data, n)
        return t

    def value(self, t):
        dtype = self.call("TensorType", t, result=C.c_int)
        shape = [self.call("Dim", t, i, result=C.c_int64) for i in range(self.call("NumDims", t, result=C.c_int))]
        n, data = int(np.prod(shape, dtype=np.int64)), self.call("TensorData", t)
        if dtype == STRING:
            at = [data + 24 * i for i in range(n)]
            size = [self.call("StringGetSize", p, result=C.c_size_t) for p in at]
            return np.array([C.string_at(self.call("StringGetDataPointer", p), k) for p, k in zip(at, size)] or [],
                            object).reshape(shape)
        size = self.call("TensorByteSize", t, result=C.c_size_t)
        return np.frombuffer(C.string_at(data, size) if size else b"", DTYPES[dtype]).reshape(shape)
