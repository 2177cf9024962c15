"""Ragged tensors of Python's lists: tf.ragged.constant and its kin."""

from __future__ import annotations

import numpy as np

from ..core import dtypes, scopes, tensor, tensor_shape
from . import array_ops, ragged_tensor
from .ragged_values import RaggedTensorValue
from .row_partition import RowPartition


def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=dtypes.int64):
    """A ragged tensor of nested lists, or a tensor where they are a number or a flat list.

    ragged_rank: how many dimensions are ragged; inner_shape: the shape of those after. By default all are ragged but what
    inner_shape says. ValueError where lists at one depth are mixed with values, or do not fit.
    """
    splits_dtype = dtypes.as_dtype(row_splits_dtype)

    def values_of(value, dtype, shape):
        made = array_ops.convert_to_tensor(np.asarray(value) if _is_array(value) else value, dtype)
        return array_ops.reshape(made, shape) if shape is not None else made

    def ragged(values, splits):
        splits = array_ops.constant(splits, dtype=splits_dtype)
        partition = RowPartition.from_row_splits(splits, validate=False)
        return ragged_tensor.RaggedTensor(values, partition, internal=True)

    with scopes.name_scope(name or "RaggedConstant"):
        return _build(values_of, ragged, pylist, dtype, ragged_rank, inner_shape)


def constant_value(pylist, dtype=None, ragged_rank=None, inner_shape=None, row_splits_dtype="int64"):
    """The same as a RaggedTensorValue, or a numpy array."""
    splits_dtype = dtypes.as_dtype(row_splits_dtype).as_numpy_dtype
    if dtype is not None and isinstance(dtype, dtypes.DType):
        dtype = dtype.as_numpy_dtype

    def values_of(value, dtype, shape):
        if dtype is object and shape is None:
            made = np.empty(len(value), object)
            made[:] = value
            return made
        try:
            made = np.array(value, dtype=dtype)
        except OverflowError:  # a negative number as an unsigned one
            made = np.array(value).astype(dtype)
        return np.reshape(made, shape) if shape is not None else made

    def ragged(values, splits):
        return RaggedTensorValue(values, np.array(splits, dtype=splits_dtype))

    return _build(values_of, ragged, pylist, dtype, ragged_rank, inner_shape)


def placeholder(dtype, ragged_rank, value_shape=None, name=None):
    """A placeholder for a ragged tensor, in a graph of TensorFlow 1: the values and each row_splits are fed."""
    from . import state_ops

    shape = tensor_shape.TensorShape([None]).concatenate(value_shape) if ragged_rank else value_shape
    made = state_ops.placeholder(dtype, shape, "flat_values" if ragged_rank else name)
    for i in reversed(range(ragged_rank)):
        splits = state_ops.placeholder(dtypes.int64, [None], f"row_splits_{i}")
        made = ragged_tensor.RaggedTensor.from_row_splits(made, splits, validate=False)
    return made


def _is_array(x) -> bool:
    return isinstance(x, (np.ndarray, np.generic))


def _is_list(x) -> bool:
    return isinstance(x, (list, tuple)) or isinstance(x, np.ndarray) and x.ndim > 0


def _build(values_of, ragged, pylist, dtype, ragged_rank, inner_shape):
    if tensor_is_given(pylist):
        raise TypeError("Argument `pylist` may not be a RaggedTensor or Tensor.")
    _check_depths(pylist)
    depth, most = _depth(pylist), _most_depth(pylist)
    if inner_shape is not None:
        if ragged_rank is None:
            ragged_rank = max(0, most - 1 - len(_shape_tuple(inner_shape))) if most else max(0, depth - 1)
        inner_shape = _shape_tuple(inner_shape)
        if depth > ragged_rank + 1 + len(inner_shape) or (
            most is not None and most > ragged_rank + 1 + len(inner_shape)
        ):
            raise ValueError(
                f"Invalid pylist={pylist}: incompatible with ragged_rank={ragged_rank} and "
                f"dim(inner_shape)={len(inner_shape)}"
            )
    if not _is_list(pylist):
        if ragged_rank:
            raise ValueError(f"Invalid pylist={pylist}: incompatible with ragged_rank={ragged_rank}")
        if inner_shape:
            raise ValueError(f"Invalid pylist={pylist}: incompatible with dim(inner_shape)={len(inner_shape)}")
        return values_of(pylist, dtype, ())
    if ragged_rank is None:
        ragged_rank = max(1, depth - 1) if depth > 1 else 0
        if depth == 1 and inner_shape is None:
            ragged_rank = 0
    if ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank}: must be nonnegative")
    if most is not None and ragged_rank >= most:
        raise ValueError(
            f"pylist has scalar values depth {most}, but ragged_rank={ragged_rank} requires scalar value depth greater "
            f"than {ragged_rank}"
        )
    if inner_shape is None:
        inner_shape = _inner_shape(pylist, ragged_rank)
    _check_inner(pylist, ragged_rank, inner_shape)
    nested_splits = []
    values = pylist
    for _ in range(ragged_rank):
        splits = [0]
        for row in values:
            splits.append(splits[-1] + len(row))
        values = [item for row in values for item in row]
        nested_splits.append(splits)
    made = values_of(_flat_values(values), dtype, (len(values), *inner_shape) if inner_shape else None)
    for splits in reversed(nested_splits):
        made = ragged(made, splits)
    return made


def _flat_values(values):
    return [v.tolist() if isinstance(v, np.ndarray) and v.dtype == object else v for v in values]


def tensor_is_given(value) -> bool:
    return isinstance(value, tensor.Tensor) or ragged_tensor.is_ragged(value)


def _shape_tuple(shape) -> tuple:
    return tuple(shape) if isinstance(shape, (list, tuple, tensor_shape.TensorShape)) else (shape,)


def _depth(value) -> int:
    """The depth of lists, of lists that are empty one."""
    if not _is_list(value):
        return 0
    return 1 + max((_depth(v) for v in value), default=0)


def _most_depth(value):
    """The depth at which values are; None where there are none."""
    if not _is_list(value):
        return 0
    return next((d + 1 for v in value if (d := _most_depth(v)) is not None), None)


def _check_depths(value) -> None:
    """ValueError where a list has both lists and values, at any depth."""
    _scalar_depths(value, value)


def _scalar_depths(value, whole):
    if not _is_list(value):
        return 0
    depths = {d for d in (_scalar_depths(v, whole) for v in value) if d is not None}
    if len(depths) > 1:
        raise ValueError("all scalar values must have the same nesting depth")
    found = depths.pop() + 1 if depths else None
    if found is not None and _depth(value) > found:
        raise ValueError(f"Invalid pylist={whole}: empty list nesting is greater than scalar value nesting")
    return found


def _inner_shape(pylist, ragged_rank) -> tuple:
    """The shape of what lies below the ragged dimensions, of its first elements."""
    values = pylist
    for _ in range(ragged_rank):
        if not all(_is_list(v) for v in values):
            raise ValueError(
                f"pylist has scalar values depth {_depth(pylist)}, but ragged_rank={ragged_rank} requires "
                f"scalar value depth greater than {ragged_rank}"
            )
        values = [item for row in values for item in row]
    shape = []
    level = values
    while level and _is_list(level[0]):
        shape.append(len(level[0]))
        if not all(_is_list(v) for v in level):
            break
        level = [item for row in level for item in row]
    return tuple(shape)


def _check_inner(pylist, ragged_rank, inner_shape) -> None:
    values = pylist
    for _ in range(ragged_rank):
        if not all(_is_list(v) for v in values):
            raise ValueError(
                f"pylist has scalar values depth {_depth(pylist)}, but ragged_rank={ragged_rank} requires scalar value "
                f"depth greater than {ragged_rank}"
            )
        values = [item for row in values for item in row]
    for size in inner_shape:
        for v in values:
            if not _is_list(v) or len(v) != size:
                raise ValueError("inner values have inconsistent shape")
        values = [item for row in values for item in row]
    if any(_is_list(v) for v in values):
        raise ValueError("inner values have inconsistent shape")
