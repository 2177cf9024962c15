"""tf.__operators__: operators of tensors as functions, for those that handle calls of them with values of their own."""

from __future__ import annotations

from ..core import tensor as tensors
from . import array_ops, math_ops, ragged_getitem


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
    return self == other


def ne(self, other):
    """self != other, element by element."""
    return self != other
