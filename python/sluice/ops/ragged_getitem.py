"""Indexing of ragged tensors: rt[key]."""

from __future__ import annotations

from ..core import errors, tensor
from ..core.op_defs import op
from . import array_ops
from .ragged_tensor import RaggedTensor, RaggedTensorValue, convert_to_tensor_or_ragged_tensor
from .row_partition import after, require, scalar, static_int


def getitem(rt, key):
    """rt[key]: numbers, slices, ..., None and tensors of integers. A ragged dimension cannot be indexed with a number after
    a slice, since rows differ; ValueError then, and for slices of partially ragged dimensions that TensorFlow refuses."""
    if isinstance(rt, RaggedTensorValue):
        rt = convert_to_tensor_or_ragged_tensor(rt)
    keys = list(key) if isinstance(key, (list, tuple)) else [key]
    for i, k in enumerate(keys):
        _check_key(k, i == 0)
    if any(isinstance(k, tensor.Tensor) and k.dtype.is_bool for k in keys):
        raise NotImplementedError("a boolean mask as an index of a RaggedTensor: use tf.ragged.boolean_mask")
    return _get(rt, keys)


_BAD_KEY = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices"


def _is_number(k) -> bool:
    return (
        isinstance(k, tensor.Tensor)
        or hasattr(k, "__tf_tensor__")
        or hasattr(k, "__index__")
        and not isinstance(k, bool)
    )


def _check_key(k, is_first) -> None:
    if k is Ellipsis or k is None or _is_number(k):
        return
    if not isinstance(k, slice):
        raise TypeError(f"{_BAD_KEY}, got {k!r}")
    for part, what in ((k.start, "offsets"), (k.stop, "offsets"), (k.step, "strides")):
        if part is not None and not _is_number(part):
            raise TypeError(
                f"{_BAD_KEY}, got {k!r}" if is_first else f"slice {what} must be integers or None, got {part!r}"
            )


def _get(rt, keys):
    if not keys:
        return rt
    first, rest = keys[0], keys[1:]
    if first is Ellipsis:
        return _get(rt, _without_ellipsis(rt, keys))
    if first is None:
        inner = _get(rt, rest)
        return _new_row(inner)
    if isinstance(first, slice):
        return _get_inside(_slice_rows(rt, first), rest)
    return _get_row(rt, first, rest)


def _without_ellipsis(rt, keys):
    rest = keys[1:]
    if any(k is Ellipsis for k in rest):
        raise ValueError("Only one ellipsis is allowed in a slice")
    used = sum(k is not None for k in rest)
    rank = rt.shape.rank
    if rank is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    if used > rank:
        raise IndexError(f"Too many indices for RaggedTensor of rank {rank}")
    return [slice(None)] * (rank - used) + rest


def _new_row(value):
    from . import ragged_array_ops

    return ragged_array_ops.expand_dims(value, 0)


def _get_row(rt, index, rest):
    splits = rt.row_splits
    starts, limits = rt.row_starts(), rt.row_limits()
    if isinstance(index, tensor.Tensor) or hasattr(index, "__tf_tensor__"):
        index = array_ops.cast(index, splits.dtype)
    elif rt._row_partition.static_nrows is not None and not -rt._row_partition.static_nrows <= index < (
        rt._row_partition.static_nrows
    ):
        raise IndexError(f"Row key {index} out of bounds")
    row = rt.values[starts[index] : limits[index]]
    return _get(row, rest) if isinstance(row, RaggedTensor) else row[tuple(rest)] if rest else row


def _is_all(s) -> bool:
    return isinstance(s, slice) and s.start is None and s.stop is None and s.step is None


def _slice_rows(rt, s):
    """The rows of a slice."""
    if _is_all(s):
        return rt
    starts, limits = rt.row_starts()[s], rt.row_limits()[s]
    step = s.step
    splits_dtype = rt.row_splits.dtype
    if step is None or not isinstance(step, tensor.Tensor) and step == 1:
        # Rows that follow each other: their values do, too.
        splits = op("ConcatV2")([starts[:1], limits], 0)
        length = op("Size")(limits)
        zero = op("Fill")([1], scalar(0, splits))
        splits = splits[:] if limits.shape[0] else _or(length > 0, splits, zero)
        values = rt.values[splits[0] : splits[-1]]
        made = RaggedTensor.from_row_splits(values, splits - splits[0], validate=False)
        length = rt._row_partition.static_uniform_row_length
        if length is not None:
            made._set_row_length(length)
        return made
    rows = op("Range")(scalar(0, rt.row_splits), rt.nrows(), scalar(1, rt.row_splits))[s]
    from . import ragged_gather_ops

    if rows.shape.rank is None:
        rows.set_shape([None])
    made = ragged_gather_ops.gather(rt, array_ops.cast(rows, splits_dtype))
    return ragged_gather_ops.with_row_lengths_of(made, rt)


def _or(condition, splits, zero):
    """The splits, or [0] where no row is left."""
    n = op("SelectV2")(condition, op("Size")(splits), 1)
    padded = op("ConcatV2")([splits, zero], 0)
    return op("Slice")(padded, [0], op("Reshape")(n, [1])) * array_ops.cast(condition, splits.dtype)


def _get_inside(rt, keys):
    """The keys within each row."""
    if not keys:
        return rt
    first, rest = keys[0], keys[1:]
    if first is Ellipsis:
        used = sum(k is not None for k in rest)
        if any(k is Ellipsis for k in rest):
            raise ValueError("Only one ellipsis is allowed in a slice")
        return _get_inside(rt, [slice(None)] * (rt.shape.rank - 1 - used) + rest)
    if first is None:
        splits = op("Range")(scalar(0, rt.row_splits), rt.row_splits[-1] + 1, scalar(1, rt.row_splits))
        return _new_inner(rt, rest, splits)
    if isinstance(first, slice):
        if not _is_all(first):
            rt = _slice_inside(rt, first)
        return rt.with_values(_values_inside(rt.values, rest)) if rest else rt
    return _column(rt, first, rest)


def _values_inside(values, keys):
    if isinstance(values, RaggedTensor):
        return _get_inside(values, keys)
    return values[(slice(None), *keys)]


def _new_inner(rt, rest, splits):
    """A dimension of size 1 as the first of each row."""
    inner = _get_inside(rt, rest)
    nrows = inner.nrows() if isinstance(inner, RaggedTensor) else op("Shape")(inner, out_type=splits.dtype)[0]
    return (
        RaggedTensor.from_uniform_row_length(inner, 1, nrows, validate=False)
        if isinstance(inner, RaggedTensor)
        else op("ExpandDims")(inner, 1)
    )


def _column(rt, index, rest):
    """The element at a place of every row: only of rows of one length."""
    if rt.uniform_row_length is None:
        raise ValueError("Cannot index into an inner ragged dimension.")
    length = rt.uniform_row_length
    nrows = rt.nrows()
    index = array_ops.cast(array_ops.convert_to_tensor(index), length.dtype)
    at, size = static_int(index), static_int(length)
    message = f"Index {at} out of bounds for rows of length {size}"
    if at is not None and size is not None:
        if not -size <= at < size:
            raise errors.InvalidArgumentError(None, None, message)
    else:
        index = after(require(op("LogicalAnd")(index >= -length, index < length), message), index)
    index = op("SelectV2")(index < 0, index + length, index)
    rows = op("Range")(scalar(0, length), nrows, scalar(1, length)) * length + index
    from . import ragged_gather_ops

    picked = ragged_gather_ops.gather(rt.values, rows)
    return _get_inside(picked, rest) if isinstance(picked, RaggedTensor) else picked[(slice(None), *rest)]


def _slice_inside(rt, s):
    """The slice of every row."""
    starts, limits = rt.row_starts(), rt.row_limits()
    step = 1 if s.step is None else s.step
    if not isinstance(step, tensor.Tensor) and step == 0:
        raise ValueError("slice step cannot be zero")
    step = array_ops.cast(array_ops.convert_to_tensor(step), starts.dtype)
    forward = step > 0
    lengths = limits - starts
    first = _bound(s.start, lengths, starts, step, forward, True)
    last = _bound(s.stop, lengths, starts, step, forward, False)
    from . import ragged_gather_ops, ragged_math_ops

    indices = ragged_math_ops.range(first, last, step, row_splits_dtype=starts.dtype)
    values = ragged_gather_ops.gather(rt.values, indices.values)
    made = RaggedTensor._from_row_partition(values, indices._row_partition, validate=False)
    return _keep_uniform(made, rt, s)


def _keep_uniform(made, rt, s):
    """Slices of rows of one length have one length."""
    length = rt._row_partition.static_uniform_row_length
    parts = (s.start, s.stop, s.step)
    if length is None or any(isinstance(p, tensor.Tensor) for p in parts):
        return made
    made._set_row_length(len(range(*s.indices(length))))
    return made


def _bound(value, lengths, starts, step, forward, is_start):
    """Where the slice begins or ends in the values, for each row."""
    zero = scalar(0, lengths)
    if value is None:
        front = op("Fill")(op("Shape")(lengths), zero)
        if is_start:
            within = op("SelectV2")(forward, front, lengths - 1)
        else:
            within = op("SelectV2")(forward, lengths, front - 1)
        return within + starts
    value = array_ops.cast(array_ops.convert_to_tensor(value), lengths.dtype)
    value = op("SelectV2")(value < 0, value + lengths, value + zero * lengths)
    low = op("SelectV2")(forward, zero, scalar(-1, lengths))
    high = op("SelectV2")(forward, lengths, lengths - 1)
    return op("Minimum")(op("Maximum")(value, low), high) + starts
