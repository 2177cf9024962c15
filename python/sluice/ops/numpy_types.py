"""Types as numpy has them: what the names of tf.experimental.numpy are, and which type operands of several become.

Python's numbers alone are int64, float64 and complex128; beside arrays they take the arrays' type where its kind allows.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes, nest, tensor

bool_, object_, inexact, iinfo = np.bool_, np.object_, np.inexact, np.iinfo
int_, int8, int16, int32, int64 = np.int64, np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float_, float16, float32, float64 = np.float64, np.float16, np.float32, np.float64
complex_, complex64, complex128 = np.complex128, np.complex64, np.complex128
string_, unicode_ = np.bytes_, np.str_
issubdtype = np.issubdtype
e, pi, inf, newaxis = np.e, np.pi, np.inf, None

_prefer_float32 = False
_promotes = None  # function of operands, in place of numpy's rules: see use_promotion
_NARROW = {"float64": np.float32, "complex128": np.complex64, "int64": np.int32}


def set_prefer_float32(value: bool) -> None:
    """Whether Python's floating point numbers become float32."""
    global _prefer_float32
    _prefer_float32 = bool(value)


def use_promotion(function) -> None:
    """result_type is what a function of its arguments gives, and Python's numbers are int32 and float32; None: numpy's rules."""
    global _promotes
    _promotes = function


def default_float():
    return np.float32 if _prefer_float32 or _promotes else np.float64


def is_narrow() -> bool:
    """Whether Python's whole numbers are int32."""
    return _promotes is not None


def quotient_float():
    """What quotients of whole numbers are."""
    return np.float32 if _prefer_float32 and not _promotes else np.float64


def _narrowed(dtype):
    """What stands for a type that Python's own numbers have."""
    if _promotes:
        return np.dtype({**_NARROW, "complex128": np.complex128}.get(dtype.name, dtype))
    return np.dtype(_NARROW[dtype.name]) if _prefer_float32 and dtype.name in _NARROW else dtype


def _operand(x):
    """What numpy is asked with: a type, or one of Python's numbers."""
    if isinstance(x, dtypes.DType):
        return np.dtype(x.as_numpy_dtype)
    if isinstance(x, tensor.Tensor) or hasattr(x, "__tf_tensor__") or hasattr(type(x), "_type_spec"):
        return np.dtype(x.dtype.base_dtype.as_numpy_dtype)
    if isinstance(x, (np.ndarray, np.generic)):
        return x.dtype
    if isinstance(x, (str, bytes)) and not isinstance(x, np.generic):
        try:
            return np.dtype(x)
        except TypeError:
            return np.dtype(object)
    return x


def result_type(*arrays_and_dtypes):
    """The type that arrays, types and numbers become together, a tf.DType."""
    return common_type(*arrays_and_dtypes) if _promotes is None else _promotes(*arrays_and_dtypes)


def common_type(*arrays_and_dtypes):
    """The same by numpy's rules."""
    flat = [_operand(x) for x in nest.flatten(arrays_and_dtypes)]
    if not flat:
        return dtypes.as_dtype(default_float())
    made = np.result_type(*flat)
    only_numbers = all(isinstance(x, (bool, int, float, complex)) for x in flat)
    alone = not any(isinstance(x, (list, tuple)) for x in arrays_and_dtypes)
    if only_numbers and _promotes and alone:  # functions of two arrays are numpy's, whatever the others do
        return dtypes.as_dtype(np.float32 if _prefer_float32 and made == np.float64 else made)
    return dtypes.as_dtype(_narrowed(made) if only_numbers else made)


def promote_types(type1, type2):
    """The least type that both fit in."""
    return np.promote_types(_operand(type1), _operand(type2))


def finfo(dtype):
    """What numpy says of a floating point type."""
    return np.finfo(_operand(dtypes.as_dtype(dtype)))


def of_value(value):
    """The type that an array of the value has, a tf.DType."""
    flat = nest.flatten(value)
    if any(isinstance(x, (str, bytes)) for x in flat):
        return dtypes.as_dtype("string")
    return result_type(flat)


def is_inexact(dtype) -> bool:
    return dtypes.as_dtype(dtype).as_numpy_dtype in (np.float16, np.float32, np.float64, np.complex64, np.complex128)
