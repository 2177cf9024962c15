"""tf.sets: the rows of the last axis as sets of values."""

from __future__ import annotations

from ..core import tensor
from ..core.op_defs import op
from .array_ops import convert_to_tensor

Tensor = tensor.Tensor
_TYPES = {"int8", "int16", "int32", "int64", "uint8", "uint16", "string"}


def _is_sparse(x):
    return hasattr(x, "dense_shape") and not isinstance(x, Tensor)


def _operand(x):
    x = x if _is_sparse(x) else convert_to_tensor(x)
    if x.dtype.base_dtype.name not in _TYPES:
        raise TypeError(f"Invalid dtype `{x.dtype}` not in supported dtypes: `{sorted(_TYPES)}`.")
    return x


def size(a, validate_indices=True):
    """The number of different values in each row of a SparseTensor, int32. validate_indices: check their order."""
    if not _is_sparse(a):
        raise TypeError(f"Expected `SparseTensor`, got {a!r}.")
    a = _operand(a)
    return op("SetSize")(a.indices, a.values, a.dense_shape, validate_indices=validate_indices)


def _operation(a, b, operation, validate_indices):
    from .. import SparseTensor

    a, b = _operand(a), _operand(b)
    if a.dtype.base_dtype != b.dtype.base_dtype:
        raise TypeError(f"Types don't match, a.dtype = {a.dtype}, b.dtype = {b.dtype}.")
    flags = {"set_operation": operation, "validate_indices": validate_indices}
    if _is_sparse(a) and _is_sparse(b):
        parts = (part for x in (a, b) for part in (x.indices, x.values, x.dense_shape))
        return SparseTensor(*op("SparseToSparseSetOperation")(*parts, **flags))
    if _is_sparse(b):
        return SparseTensor(*op("DenseToSparseSetOperation")(a, b.indices, b.values, b.dense_shape, **flags))
    if _is_sparse(a):
        raise TypeError("a is a SparseTensor and b is not: exchange them")
    return SparseTensor(*op("DenseToDenseSetOperation")(a, b, **flags))


def _swapped(a, b):
    """The operands in an order that there is an op for, and whether they were exchanged."""
    return (b, a, True) if _is_sparse(a) and not _is_sparse(b) else (a, b, False)


def intersection(a, b, validate_indices=True):
    """By row the values that both have, as a SparseTensor. The axes before the last are the same of both."""
    a, b, _ = _swapped(a, b)
    return _operation(a, b, "intersection", validate_indices)


def difference(a, b, aminusb=True, validate_indices=True):
    """By row the values of a that b has not (those of b that a has not, unless aminusb), as a SparseTensor."""
    a, b, swapped = _swapped(a, b)
    return _operation(a, b, "a-b" if bool(aminusb) != swapped else "b-a", validate_indices)


def union(a, b, validate_indices=True):
    """By row the values that one of both has, as a SparseTensor."""
    a, b, _ = _swapped(a, b)
    return _operation(a, b, "union", validate_indices)
