"""experimental_enable_numpy_behavior: tensors with numpy's methods, indices and types of results."""

from __future__ import annotations

import sys

from ..core import tensor
from . import array_ops, numpy_arrays, numpy_indexing, numpy_math, numpy_types

Tensor = tensor.Tensor


def _astype(x, dtype, name=None):
    return array_ops.cast(x, numpy_arrays._default(dtype), name=name)


def _reshape(a, *newshape, **kwargs):
    order = kwargs.pop("order", "C")
    if kwargs:
        raise TypeError(f"reshape got unexpected arguments {list(kwargs)}")
    return numpy_arrays.reshape(a, newshape[0] if len(newshape) == 1 else newshape, order)


def _tolist(self):
    value = tensor.to_numpy(self)
    return value.tolist() if hasattr(value, "tolist") else value


_METHODS = {
    "T": property(numpy_arrays.transpose, doc="The axes reversed."),
    "data": property(lambda self: self, doc="The tensor itself."),
    "size": property(numpy_arrays.size, doc="The number of elements."),
    "__pos__": lambda self: self,
    "__round__": lambda self, digits=0: numpy_math.around(self, digits),
    "tolist": _tolist,
    "flatten": numpy_arrays.flatten,
    "transpose": numpy_arrays.transpose,
    "reshape": _reshape,
    "ravel": numpy_arrays.ravel,
    "clip": numpy_math.clip,
    "astype": _astype,
    "max": numpy_math.amax,
    "mean": numpy_math.mean,
    "min": numpy_math.amin,
}


def _promoted(a, b):
    """Two operands as tensors of the type that numpy gives both."""
    dtype = numpy_types.result_type(a, b)
    return numpy_arrays.asarray(a, dtype), numpy_arrays.asarray(b, dtype)


def experimental_enable_numpy_behavior(prefer_float32=False, dtype_conversion_mode="legacy"):
    """From here on tensors have numpy's methods and indices, and operators take operands of several types.

    prefer_float32: Python's floating point numbers become float32. dtype_conversion_mode: "legacy", numpy's rules; "off" for
    operators that stay as they are; "all", where tensors of Python's numbers are weak, and take the type of others; "safe",
    the same, but a TypeError where bits may be lost. ValueError for another mode.
    """
    if dtype_conversion_mode not in ("legacy", "off", "all", "safe"):
        raise ValueError(
            f"The provided promotion mode {dtype_conversion_mode} does not exist. Make sure the provided dtype conversion mode is "
            "one of the followings: 'off', 'legacy', 'safe' or 'all'."
        )
    _leave_modes()
    numpy_types.set_prefer_float32(prefer_float32)
    if dtype_conversion_mode == "legacy":
        tensor.use_promotion(_promoted)
        tensor.operators["matmul"] = numpy_math.matmul
    for name, method in _METHODS.items():
        setattr(Tensor, name, method)
    tensor.use_getitem(numpy_indexing.getitem)
    if dtype_conversion_mode in ("all", "safe"):
        from . import promotion

        promotion.enable(dtype_conversion_mode == "safe", _METHODS)


_plain_matmul = tensor.operators["matmul"]


def _leave_modes() -> None:
    """Operators are as they were before any mode."""
    tensor.use_promotion(None)
    promotion = sys.modules.get(__package__ + ".promotion")
    if promotion is not None:
        promotion.disable()
    tensor.operators["matmul"] = _plain_matmul
