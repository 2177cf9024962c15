"""tf.__operators__: operators of tensors as functions, for those that handle calls of them with values of their own."""

from __future__ import annotations

import importlib

from ..core import tensor as tensors
from . import array_ops, math_ops, ragged_getitem

_PACKAGE = __package__.rpartition(".")[0]


def getitem(tensor, slice_spec, var=None):
    """tensor[slice_spec]; with a variable the slice may be assigned to."""
    if var is not None:
        return var[slice_spec]
    return tensors.getitem(
        tensor if isinstance(tensor, tensors.Tensor) else array_ops.convert_to_tensor(tensor), slice_spec
    )


def getitem_of_ragged(rt_input, key):
    """rt_input[key] of a ragged tensor."""
    return ragged_getitem.getitem(rt_input, key)


def add(x, y, name=None):
    """x + y: also joins strings."""
    return math_ops.add(x, y, name=name)


def eq(self, other):
    """self == other, element by element."""
    return self == other if isinstance(self, tensors.Tensor) else math_ops.equal(self, other)


def ne(self, other):
    """self != other, element by element."""
    return self != other if isinstance(self, tensors.Tensor) else math_ops.not_equal(self, other)


# ---- operators of tf.Tensor as functions, for classes of packages that have the same ones


# By an operator's name: the public function of it, for operands that are no tensors.
_PUBLIC = {
    "add": "__operators__.add",
    "sub": "math.subtract",
    "mul": "math.multiply",
    "truediv": "math.truediv",
    "floordiv": "math.floordiv",
    "mod": "math.floormod",
    "pow": "math.pow",
    "matmul": "linalg.matmul",
    "and": "math.logical_and",
    "or": "math.logical_or",
    "xor": "math.logical_xor",
    "lt": "math.less",
    "le": "math.less_equal",
    "gt": "math.greater",
    "ge": "math.greater_equal",
    "eq": "__operators__.eq",
    "ne": "__operators__.ne",
    "neg": "math.negative",
    "abs": "math.abs",
    "invert": "math.logical_not",
    "getitem": "__operators__.getitem",
}
_OF_BITS = {
    "and": "bitwise.bitwise_and",
    "or": "bitwise.bitwise_or",
    "xor": "bitwise.bitwise_xor",
    "invert": "bitwise.invert",
}
_REFLECTED = "add sub mul truediv floordiv mod pow matmul and or xor".split()


def name_operators():
    """From here on tf.Tensor.__add__ and the others take any object for self: one that is no tensor goes to the public function,
    whose dispatchers may know it. Packages copy them into classes of their own."""
    for name in _PUBLIC:
        setattr(tensors.Tensor, f"__{name}__", _method(name))
    for name in _REFLECTED:
        setattr(tensors.Tensor, f"__r{name}__", _reflected(name))


def _by_dispatch(name, first, *others):
    path = _OF_BITS[name] if name in _OF_BITS and first.dtype != "bool" else _PUBLIC[name]
    module, _, function = path.rpartition(".")
    return getattr(importlib.import_module(f"{_PACKAGE}.{module}"), function)(first, *others)


def _operator(name):
    if name == "getitem":
        return tensors.getitem
    return tensors.operators[name if name in tensors.operators else name + "_"]


def _method(name):
    operator = _operator(name)

    def method(self, *others):
        return operator(self, *others) if isinstance(self, tensors.Tensor) else _by_dispatch(name, self, *others)

    method.__name__ = method.__qualname__ = f"__{name}__"
    return method


def _reflected(name):
    operator = _operator(name)

    def method(self, other):
        return operator(other, self) if isinstance(self, tensors.Tensor) else _by_dispatch(name, other, self)

    method.__name__ = method.__qualname__ = f"__r{name}__"
    return method
