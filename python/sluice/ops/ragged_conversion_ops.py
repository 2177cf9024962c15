"""Between ragged tensors, tensors and sparse tensors."""

from __future__ import annotations

import builtins

from ..core import dtypes, tensor, tensor_shape
from ..core.op_defs import op
from . import array_ops
from .ragged_tensor import RaggedTensor, values_after
from .row_partition import RowPartition, require, scalar, static_int

# How RaggedTensorToTensor calls partitions.
_FIRST_DIM_SIZE, _ROW_SPLITS, _VALUE_ROWIDS = "FIRST_DIM_SIZE", "ROW_SPLITS", "VALUE_ROWIDS"


def from_tensor(t, lengths=None, padding=None, ragged_rank=1, name=None, row_splits_dtype=dtypes.int64):
    """A ragged tensor of a tensor; rows lose what is after `lengths`, or a trailing run of `padding`.

    lengths: of each row; or a list of those of several dimensions, the outermost first. TypeError, ValueError for a
    ragged_rank that is no positive int, and for lengths together with padding.
    """
    splits_dtype = dtypes.as_dtype(row_splits_dtype)
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
    if ragged_rank <= 0:
        raise ValueError(f"Argument `ragged_rank` must be greater than 0. Received {ragged_rank}.")
    t = array_ops.convert_to_tensor(t)
    rank = t.shape.rank
    if rank is not None and rank < 2:
        raise ValueError(
            f"The rank of a RaggedTensor must be greater than 1, i.e., a list of scalars won't have ragged "
            f"dimensions. Received argument `tensor` with rank {rank}."
        )
    t.shape.with_rank_at_least(ragged_rank + 1)
    if (
        isinstance(lengths, (list, tuple))
        and lengths
        and (any(isinstance(v, (list, tuple, tensor.Tensor)) and _rank_of(v) for v in lengths))
    ):
        return _from_nested_lengths(t, lengths, splits_dtype)
    if lengths is not None:
        lengths = array_ops.convert_to_tensor(lengths, dtype_hint=splits_dtype)
        lengths.shape.assert_has_rank(1)
        lengths = array_ops.cast(lengths, splits_dtype)
        t.shape[:1].assert_is_compatible_with(lengths.shape)
    elif padding is not None:
        lengths = _unpadded_lengths(t, padding, ragged_rank, splits_dtype)
    if ragged_rank > 1:
        return _from_tensor_deep(t, lengths, ragged_rank, splits_dtype)
    if lengths is not None:
        return _of_lengths(t, lengths, splits_dtype)
    shape = op("Shape")(t, out_type=splits_dtype)
    flat = op("Reshape")(t, op("ConcatV2")([shape[:1] * shape[1:2], shape[2:]], 0))
    if t.shape.rank is not None and flat.shape.rank is None:
        flat.set_shape([None, *t.shape[2:]])
    nrows = shape[0] if t.shape[0] is None else scalar(t.shape[0], shape)
    length = shape[1] if t.shape[1] is None else scalar(t.shape[1], shape)
    made = RowPartition.from_uniform_row_length(length, shape[0] * shape[1], nrows, validate=False)
    return RaggedTensor(flat, made, internal=True)


def _rank_of(v):
    return v.shape.rank if isinstance(v, tensor.Tensor) else 1


def _of_lengths(t, lengths, splits_dtype):
    longest = op("Shape")(t, out_type=splits_dtype)[1]
    lengths = op("Minimum")(op("Maximum")(lengths, scalar(0, lengths)), longest)
    places = op("Range")(scalar(0, longest), longest, scalar(1, longest))
    mask = op("ExpandDims")(places, 0) < op("ExpandDims")(lengths, 1)
    values = array_ops.boolean_mask(t, mask)
    return RaggedTensor.from_row_lengths(values, lengths, validate=False)


def _unpadded_lengths(t, padding, ragged_rank, splits_dtype):
    """How long each row is without a trailing run of padding."""
    padding = array_ops.convert_to_tensor(padding, t.dtype)
    rank = t.shape.rank
    inner = rank - ragged_rank - 1 if rank is not None else None
    if inner is not None and padding.shape.rank is not None and padding.shape.rank != inner:
        raise ValueError(f"Shape of padding {padding.shape} must be that of the tensor after axis {ragged_rank}")
    is_padding = op("Equal")(t, padding)
    if inner:
        is_padding = op("All")(is_padding, list(builtins.range(ragged_rank + 1, rank)))
    shape = op("Shape")(is_padding, out_type=splits_dtype)
    places = op("Range")(scalar(1, shape), shape[-1] + 1, scalar(1, shape))
    ends = op("SelectV2")(is_padding, scalar(0, shape), op("BroadcastTo")(places, shape))
    longest = op("Maximum")(op("Max")(ends, [-1]), scalar(0, ends))
    return op("Reshape")(longest, [-1]) if ragged_rank > 1 else longest


def _from_tensor_deep(t, lengths, ragged_rank, splits_dtype):
    """More than one ragged dimension: those but the last are uniform."""
    shape = op("Shape")(t, out_type=splits_dtype)
    outer = op("Prod")(shape[:ragged_rank], [0])
    flat = op("Reshape")(t, op("ConcatV2")([outer[None], shape[ragged_rank:]], 0))
    if t.shape.rank is not None:
        known = tensor_shape.TensorShape(t.shape[:ragged_rank]).num_elements()
        flat.set_shape([known, *t.shape[ragged_rank:]])
    made = (
        _of_lengths(flat, lengths, splits_dtype)
        if lengths is not None
        else from_tensor(flat, row_splits_dtype=splits_dtype)
    )
    for axis in reversed(builtins.range(1, ragged_rank)):
        count = op("Prod")(shape[:axis], [0])
        length = shape[axis] if t.shape[axis] is None else scalar(t.shape[axis], shape)
        known = tensor_shape.TensorShape(t.shape[:axis]).num_elements()
        count = count if known is None else scalar(known, shape)
        made = RaggedTensor.from_uniform_row_length(made, length, count, validate=False)
    return made


def _from_nested_lengths(t, lengths, splits_dtype):
    """Lengths of several dimensions, the outermost first: each of as many rows as those before leave."""
    flat = [array_ops.cast(array_ops.convert_to_tensor(v, dtype_hint=splits_dtype), splits_dtype) for v in lengths]
    made = from_tensor(t, lengths=flat[0], row_splits_dtype=splits_dtype)
    if len(flat) == 1:
        return made
    return made.with_values(_from_nested_lengths(made.values, flat[1:], splits_dtype))


def to_tensor(rt, default_value=None, name=None, shape=None):
    """A tensor that holds all rows, with default_value (0 by default) where rows end early."""
    if default_value is not None:
        default_value = array_ops.convert_to_tensor(default_value, rt.dtype)
    else:
        default_value = array_ops.zeros([], rt.dtype)
    known = rt.shape
    if shape is None:
        static = known
    elif isinstance(shape, tensor.Tensor):
        static = tensor_shape.TensorShape(
            None if shape.shape.rank == 0 or shape.shape[0] is None else [None] * shape.shape[0]
        )
    elif isinstance(shape, (list, tuple)):
        static = tensor_shape.TensorShape([static_int(d) for d in shape])
    else:
        static = tensor_shape.as_shape(shape)
    wanted = _shape_tensor(rt, shape)
    partitions = rt._nested_row_partitions
    types, tensors = _partition_tensors(rt, partitions)
    made = op("RaggedTensorToTensor")(
        wanted, rt.flat_values, default_value, tensors, row_partition_types=types, name=name
    )
    if static.rank is not None and static.rank == known.rank and _is_plain(shape):
        static = tensor_shape.TensorShape([k if s is None else s for s, k in zip(static, known)])
    if static.rank is not None and hasattr(made, "set_shape"):
        made.set_shape(static)
    return made


def _is_plain(shape) -> bool:
    """Whether a shape is of numbers: then None means as much as is needed."""
    return not isinstance(shape, tensor.Tensor) and not (
        isinstance(shape, (list, tuple)) and any(isinstance(d, tensor.Tensor) for d in shape)
    )


def _shape_tensor(rt, shape):
    if isinstance(shape, tensor.Tensor):
        return shape if shape.shape.rank is not None else op("BroadcastTo")(shape, _rank_vector(rt))
    if not _is_plain(shape):
        return op("Pack")(
            [array_ops.cast(array_ops.convert_to_tensor(-1 if d is None else d), dtypes.int64) for d in shape]
        )
    shape = tensor_shape.TensorShape(None) if shape is None else tensor_shape.as_shape(shape)
    if shape.rank is None and rt.shape.rank is not None:
        return array_ops.constant([-1] * rt.shape.rank, dtypes.int32)
    if shape.rank is None:
        return op("Fill")(_rank_vector(rt), array_ops.constant(-1, dtypes.int32))
    return array_ops.constant([-1 if d is None else d for d in shape.as_list()], dtypes.int32)


def _rank_vector(rt):
    """The rank as a vector of one."""
    rank = rt.shape.rank
    return [rank] if rank is not None else op("Reshape")(op("Rank")(rt.flat_values) + rt.ragged_rank, [1])


def _partition_tensors(rt, partitions):
    first = partitions[0]
    if first._has_precomputed_value_rowids() and all(p._has_precomputed_value_rowids() for p in partitions):
        return [_FIRST_DIM_SIZE] + [_VALUE_ROWIDS] * len(partitions), [first.nrows()] + [
            p.value_rowids() for p in partitions
        ]
    return [_ROW_SPLITS] * len(partitions), [p.row_splits() for p in partitions]


def to_sparse(rt, name=None):
    """A SparseTensor with the values of a ragged tensor."""
    from . import sparse_tensor

    indices, values, dense_shape = op("RaggedTensorToSparse")(list(rt.nested_row_splits), rt.flat_values, name=name)
    return sparse_tensor.SparseTensor(indices, values, dense_shape)


def from_sparse(st_input, name=None, row_splits_dtype=dtypes.int64):
    """A ragged tensor of a SparseTensor [nrows, any] whose rows have their values at the beginning."""
    from . import sparse_tensor

    if not sparse_tensor.is_sparse(st_input):
        raise TypeError(f"Argument `st_input` must be of type SparseTensor, but is of type {type(st_input).__name__}.")
    st_input = sparse_tensor.convert(st_input)
    rank = st_input.shape.rank if st_input.shape.rank is not None else st_input.indices.shape[1]
    if rank is None:
        raise ValueError("rank(st_input) must be 2, and statically known")
    if rank != 2:
        raise ValueError(f"rank(st_input) must be 2. Received {rank}.")
    indices = st_input.indices
    at_start, follows = _row_starts(indices)
    message = "SparseTensor is not right-ragged"
    checks = require(_all(op("LogicalOr")(at_start, follows)), message)
    values = values_after(checks, st_input.values)
    rowids = array_ops.cast(indices[:, 0], row_splits_dtype)
    nrows = array_ops.cast(st_input.dense_shape[0], row_splits_dtype)
    return RaggedTensor.from_value_rowids(values, rowids, nrows, validate=False)


def _all(condition):
    return op("All")(condition, [0])


def _row_starts(indices):
    """Of each index whether it begins a row, and whether it is one right of the one before in the same row."""
    rows, columns = indices[:, 0], indices[:, 1]
    before = op("ConcatV2")([op("Fill")([1], scalar(-1, rows)), rows[:-1]], 0)[: op("Size")(rows)]
    left = op("ConcatV2")([op("Fill")([1], scalar(0, rows)), columns[:-1] + 1], 0)[: op("Size")(rows)]
    new_row = op("NotEqual")(rows, before)
    starts = op("LogicalAnd")(new_row, op("Equal")(columns, scalar(0, columns)))
    return starts, op("LogicalAnd")(op("LogicalNot")(new_row), op("Equal")(columns, left))


def merge_dims(value, outer, inner):
    """The dimensions from outer to inner of a tensor or ragged tensor as one."""
    if outer == inner:
        return value
    if not isinstance(value, RaggedTensor):
        return _flatten_dims(value, outer, inner)
    if outer > 1:
        return value.with_values(merge_dims(value.values, outer - 1, inner - 1))
    if outer == 1:
        return _merge_rows(value, inner)
    return value.values if inner == 1 else merge_dims(value.values, 0, inner - 1)


def _merge_rows(value, inner):
    """The dimensions from 1 to inner as one."""
    splits, values = value.row_splits, value.values
    for _ in builtins.range(1, inner):
        if isinstance(values, RaggedTensor):
            splits, values = op("GatherV2")(values.row_splits, splits, 0), values.values
        else:
            splits = splits * op("Shape")(values, out_type=splits.dtype)[1]
            values = _flatten_dims(values, 0, 1)
    return RaggedTensor.from_row_splits(values, splits, validate=False)


def _flatten_dims(t, outer, inner):
    shape = op("Shape")(t)
    merged = op("Prod")(shape[outer : inner + 1], [0])
    made = op("Reshape")(t, op("ConcatV2")([shape[:outer], merged[None], shape[inner + 1 :]], 0))
    if t.shape.rank is not None:
        size = tensor_shape.TensorShape(t.shape[outer : inner + 1]).num_elements()
        made.set_shape([*t.shape[:outer], size, *t.shape[inner + 1 :]])
    return made
