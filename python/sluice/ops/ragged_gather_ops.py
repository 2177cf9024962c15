"""Gathers from and with ragged tensors."""

from __future__ import annotations

import builtins

from ..core import tensor
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops, ragged_tensor
from .ragged_tensor import RaggedTensor, array_axis, match_row_splits_dtypes
from .row_partition import scalar

_convert = ragged_tensor.convert_to_tensor_or_ragged_tensor


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """Like tf.gather, of and with ragged tensors."""
    params, indices = _convert(params), _index(indices)
    params, indices = match_row_splits_dtypes(params, indices)
    if batch_dims < 0:
        batch_dims = array_axis(batch_dims, indices.shape.rank, "batch_dims")
    if axis is None:
        axis = batch_dims
    axis = array_axis(int(known_value(axis)) if not isinstance(axis, int) else axis, params.shape.rank)
    if not isinstance(params, RaggedTensor) and not isinstance(indices, RaggedTensor):
        return op("GatherV2")(params, indices, axis, batch_dims=batch_dims)
    if axis < batch_dims:
        raise ValueError(f"axis={axis} must be at least batch_dims={batch_dims}")
    if batch_dims > 0:
        known = indices.shape[:batch_dims]
        if not params.shape[:batch_dims].is_compatible_with(known):
            raise ValueError(
                f"batch shape from indices {known} does not match params shape {params.shape[:batch_dims]}"
            )
        return batch_gather_with_axis(params, indices, axis, batch_dims)
    if axis > 0:
        return _gather_along(params, indices, axis)
    if isinstance(indices, RaggedTensor):
        return indices.with_values(gather(params, indices.values))
    if indices.shape.rank is None:
        raise ValueError("rank(indices) must be known statically")
    if isinstance(params, RaggedTensor):
        return _gather_rows(params, indices)
    return op("GatherV2")(params, indices, 0)


def gather_v1(params, indices, validate_indices=None, name=None, axis=0, batch_dims=0):
    """Like compat.v1.gather, of and with ragged tensors."""
    return gather(params, indices, validate_indices, axis or None, batch_dims, name)


def _index(indices):
    from ..core import dtypes

    made = _convert(indices, preferred_dtype=dtypes.int64)
    return made


def _gather_rows(params, indices):
    """Rows of a ragged tensor, for indices of any rank."""
    if indices.shape.rank == 0:
        return params[indices]
    shape = indices.shape
    flat = op("Reshape")(indices, [-1])
    made = op("RaggedGather")(
        list(params.nested_row_splits), params.flat_values, flat, OUTPUT_RAGGED_RANK=params.ragged_rank
    )
    splits, values = made
    if hasattr(values, "set_shape") and params.flat_values.shape.rank is not None and values.shape.rank is None:
        values.set_shape([None, *params.flat_values.shape[1:]])
    rows = RaggedTensor.from_nested_row_splits(values, splits, validate=False)
    sizes = op("Shape")(indices, out_type=rows.row_splits.dtype)
    for axis in reversed(builtins.range(1, shape.rank)):
        count = op("Prod")(sizes[:axis], [0])
        splits = op("Range")(scalar(0, count), count + 1, scalar(1, count)) * sizes[axis]
        rows = RaggedTensor.from_row_splits(rows, splits, validate=False)
    return rows


def with_row_lengths_of(made, like):
    """Rows gathered from rows of one length have that length."""
    length = like._row_partition.static_uniform_row_length
    if isinstance(made.values, RaggedTensor):
        made = made.with_values(with_row_lengths_of(made.values, like.values))
    if length is not None:
        made._set_row_length(length)
    return made


def _gather_along(params, indices, axis):
    """Gather along an inner axis: from every row what the indices say."""
    if isinstance(params, RaggedTensor):
        if axis == 1:
            rows = params.nrows()
            index = _repeat_for_rows(indices, rows)
            return batch_gather_with_axis(params, index, 1, 1)
        return params.with_values(gather(params.values, indices, axis=axis - 1))
    # indices are ragged: gather of a tensor along an inner axis
    flat = op("GatherV2")(params, indices.flat_values, axis)
    perm = [axis, *builtins.range(axis), *builtins.range(axis + 1, params.shape.rank)]
    moved = op("Transpose")(flat, perm)
    raise_inner = indices.with_flat_values(moved)
    if axis == 0:
        return raise_inner
    shape = op("Shape")(params, out_type=indices.row_splits.dtype)
    index = _repeat_for_rows(indices, op("Prod")(shape[:axis], [0]))
    merged = op("Reshape")(params, op("ConcatV2")([[-1], shape[axis:]], 0))
    made = batch_gather_with_axis(merged, index, 1, 1)
    for i in reversed(builtins.range(1, axis)):
        made = RaggedTensor.from_uniform_row_length(made, shape[i], op("Prod")(shape[:i], [0]), validate=False)
    return made


def _repeat_for_rows(indices, count):
    """The indices once for each of count rows."""
    if isinstance(indices, RaggedTensor):
        rows = indices.nrows()
        ids = op("FloorMod")(
            op("Range")(scalar(0, rows), rows * array_ops.cast(count, rows.dtype), scalar(1, rows)), rows
        )
        repeated = gather(indices, ids)
        return RaggedTensor.from_uniform_row_length(repeated, rows, count, validate=False)
    shape = op("Shape")(indices)
    return op("BroadcastTo")(
        op("ExpandDims")(indices, 0), op("ConcatV2")([op("Reshape")(array_ops.cast(count, shape.dtype), [1]), shape], 0)
    )


def batch_gather(params, indices, name=None):
    """Like compat.v1.batch_gather, with ragged tensors: the last axis of indices gathers, those before are batches."""
    params, indices = _convert(params), _index(indices)
    if indices.shape.rank is None:
        raise ValueError("batch_gather does not allow indices with unknown shape.")
    if indices.shape.rank == 0:
        raise ValueError("indices.rank must be at least 1.")
    return gather(params, indices, batch_dims=indices.shape.rank - 1)


def _rows_of(value, like):
    """A tensor as a ragged one with its first two axes as rows."""
    if isinstance(value, RaggedTensor):
        return value
    return RaggedTensor.from_tensor(value, ragged_rank=1, row_splits_dtype=like)


def batch_gather_with_axis(params, indices, axis, batch_dims):
    """The gather of each batch: rows of params and indices belong together."""
    if not isinstance(params, RaggedTensor) and not isinstance(indices, RaggedTensor):
        return op("GatherV2")(params, indices, axis, batch_dims=batch_dims)
    if batch_dims > 1:
        dtype = next(v.row_splits.dtype for v in (params, indices) if isinstance(v, RaggedTensor))
        params, indices = _rows_of(params, dtype), _rows_of(indices, dtype)
        inner = batch_gather_with_axis(params.values, indices.values, axis - 1, batch_dims - 1)
        return params.with_values(inner)
    if axis > 1:
        return _batch_gather_inner(params, indices, axis)
    dtype = next(v.row_splits.dtype for v in (params, indices) if isinstance(v, RaggedTensor))
    if indices.shape.rank == 1:
        return _batch_pick(_rows_of(params, dtype), indices)
    params, dense = _rows_of(params, dtype), None if isinstance(indices, RaggedTensor) else indices
    indices = _rows_of(indices, dtype)
    starts = params.row_starts()
    own = gather(starts, indices.value_rowids())
    flat_index = indices.values
    size = gather(params.row_lengths(), indices.value_rowids())
    flat_index = _add_to_rows(flat_index, own, size)
    made = gather(params.values, flat_index)
    if dense is None or isinstance(made, RaggedTensor):
        return indices.with_values(made)
    return _in_rows(made, dense)


def _in_rows(flat, like):
    """A tensor whose first axis goes through the first two of another, with these as axes of their own."""
    shape = op("ConcatV2")([op("Shape")(like)[:2], op("Shape")(flat)[1:]], 0)
    made = op("Reshape")(flat, shape)
    if flat.shape.rank is not None and not isinstance(made, tensor.EagerTensor):
        made.set_shape(like.shape[:2].concatenate(flat.shape[1:]))
    return made


def _batch_pick(params, indices):
    starts = params.row_starts()
    index = array_ops.cast(indices, starts.dtype)
    return gather(params.values, index + starts)


def _add_to_rows(index, offsets, sizes):
    """The index, whose first axis is that of the offsets, moved by them."""
    if isinstance(index, RaggedTensor):
        rowids = index.value_rowids()
        return index.with_values(
            _add_to_rows(index.values, op("GatherV2")(offsets, rowids, 0), op("GatherV2")(sizes, rowids, 0))
        )
    for _ in builtins.range(index.shape.rank - 1):
        offsets, sizes = op("ExpandDims")(offsets, -1), op("ExpandDims")(sizes, -1)
    index = array_ops.cast(index, offsets.dtype)
    return index + offsets


def _batch_gather_inner(params, indices, axis):
    dtype = next(v.row_splits.dtype for v in (params, indices) if isinstance(v, RaggedTensor))
    params = _rows_of(params, dtype)
    rowids = params.value_rowids()
    index = gather(indices, rowids)
    return params.with_values(batch_gather_with_axis(params.values, index, axis - 1, 1))


def gather_nd(params, indices, batch_dims=0, name=None):
    """Like tf.gather_nd, of and with ragged tensors."""
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    params, indices = _convert(params), _index(indices)
    params, indices = match_row_splits_dtypes(params, indices)
    rank, size = indices.shape.rank, indices.shape[-1] if indices.shape.rank else None
    if rank is None:
        raise ValueError("indices.rank be statically known.")
    if rank == 0:
        raise ValueError("indices.rank must be at least 1.")
    if isinstance(indices, RaggedTensor) and rank == indices.ragged_rank + 1:
        raise ValueError("The innermost dimension of indices may not be ragged")
    if size is None:
        raise ValueError("indices.shape[-1] must be statically known.")
    if rank > 2:
        if isinstance(indices, RaggedTensor):
            return indices.with_values(gather_nd(params, indices.values))
        dtype = params.row_splits.dtype
        rows = RaggedTensor.from_tensor(indices, ragged_rank=rank - 2, row_splits_dtype=dtype)
        return rows.with_flat_values(gather_nd(params, rows.flat_values))
    if not isinstance(params, RaggedTensor) and not isinstance(indices, RaggedTensor):
        return op("GatherNd")(params, indices)
    if rank == 1:
        return params[tuple(op("Unpack")(indices, num=size))]
    if size == 0:
        n = op("Shape")(indices)[0]
        from . import ragged_array_ops

        multiples = op("ConcatV2")([[n], [1] * params.shape.rank], 0)
        return ragged_array_ops.tile(ragged_array_ops.expand_dims(params, 0), multiples)
    return _gather_points(params, indices, size)


def _gather_points(params, indices, size):
    """Of indices [n, size] what lies at each."""
    if not isinstance(params, RaggedTensor):
        return op("GatherNd")(params, indices)
    indices = array_ops.cast(indices, params.row_splits.dtype)
    if size == 1:
        return gather(params, indices[:, 0])
    at = params.row_splits
    index = op("GatherV2")(at, indices[:, 0], 0) + indices[:, 1]
    rest = op("ConcatV2")([op("ExpandDims")(index, 1), indices[:, 2:]], 1)
    return _gather_points(params.values, rest, size - 1)


def gather_nd_v1(params, indices, name=None, batch_dims=0):
    return gather_nd(params, indices, batch_dims, name)
