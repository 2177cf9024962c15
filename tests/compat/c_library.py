"""The few calls of the C API that scripts here need, through ctypes: any library that has that API."""
import ctypes as C
import os
import pickle
import select
import struct
import subprocess
import sys

import numpy as np

DTYPES = {1: "f4", 2: "f8", 3: "i4", 4: "u1", 5: "i2", 6: "i1", 8: "c8", 9: "i8", 10: "?", 11: "i1", 12: "u1", 13: "i4",
          14: "u2", 15: "i2", 16: "u2", 17: "u2", 18: "c16", 19: "f2", 22: "u4", 23: "u8"}
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


# ---- a library in a process of its own, so that no crash ends the script
def serve(path, answer):
    """What a script does when it is started with --child PATH: answer(library, question) for each question."""
    replies = os.dup(1)
    os.dup2(2, 1)  # what the library prints
    lib = Library(path)
    while True:
        size = sys.stdin.buffer.read(8)
        if not size:
            return
        data = pickle.dumps(answer(lib, pickle.loads(sys.stdin.buffer.read(struct.unpack("<q", size)[0]))))
        data = struct.pack("<q", len(data)) + data
        while data:
            data = data[os.write(replies, data):]


class Apart:
    """The running script's child for the library; started anew after it died."""

    def __init__(self, path, seconds=None, quiet=False):
        self.path, self.seconds, self.errors, self.process = path, seconds, subprocess.DEVNULL if quiet else None, None

    def ask(self, question):
        """What answer() gives; a string when there is none."""
        if not self.process:
            self.process = subprocess.Popen([sys.executable, sys.argv[0], "--child", self.path], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=self.errors)
        data, in_time = pickle.dumps(question), True
        try:
            self.process.stdin.write(struct.pack("<q", len(data)) + data)
            self.process.stdin.flush()
            in_time = bool(select.select([self.process.stdout], [], [], self.seconds)[0])
            size = self.process.stdout.read(8) if in_time else b""
            if len(size) == 8:
                return pickle.loads(self.process.stdout.read(struct.unpack("<q", size)[0]))
        except BrokenPipeError:
            pass
        self.process.kill()
        code, self.process = self.process.wait(), None
        return "the process ended with %d" % code if in_time else "no answer in %d s" % self.seconds
