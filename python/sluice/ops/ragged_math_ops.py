"""Ranges, reductions, products and sums along rows of ragged tensors."""

from __future__ import annotations

import builtins

from ..core import dtypes, tensor
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops, math_ops
from .ragged_tensor import (
    RaggedTensor,
    array_axis,
    convert_to_tensor_or_ragged_tensor,
    match_row_splits_dtypes,
)
from .ragged_elementwise import broadcast
from .row_partition import scalar

_convert = convert_to_tensor_or_ragged_tensor


def range(starts, limits=None, deltas=1, dtype=None, name=None, row_splits_dtype=dtypes.int64):  # noqa: A001
    """Rows of numbers: from starts to limits in steps of deltas, each a scalar or a vector with one for each row."""
    if limits is None:
        starts, limits = 0, starts
    values = [array_ops.convert_to_tensor(v, dtype) if dtype is not None else v for v in (starts, limits, deltas)]
    if dtype is None:
        values = _one_type(values)
    splits, flat = op("RaggedRange")(*values, Tsplits=dtypes.as_dtype(row_splits_dtype), name=name)
    splits = splits[0] if isinstance(splits, list) else splits
    return RaggedTensor.from_row_splits(flat, splits, validate=False)


def _one_type(values):
    order = ["int32", "int64", "float32", "float64"]
    values = [array_ops.convert_to_tensor(v) for v in values]
    if any(v.dtype.name not in order for v in values):
        raise TypeError("tf.ragged.range takes int32, int64, float32 and float64")
    dtype = builtins.max((v.dtype for v in values), key=lambda d: order.index(d.name))
    return [array_ops.cast(v, dtype) for v in values]


# ---- sums of segments


def _segment_op(name, **attrs):
    def aggregate(data, ids, count):
        return op(name)(data, ids, count, **attrs)

    return aggregate


_SUM, _PROD = _segment_op("UnsortedSegmentSum"), _segment_op("UnsortedSegmentProd")
_MAX, _MIN = _segment_op("UnsortedSegmentMax"), _segment_op("UnsortedSegmentMin")


def segment_aggregate(aggregate, data, segment_ids, num_segments):
    """What lies in the same place of the rows of each segment, aggregated. Rows may differ in length."""
    data, segment_ids = _convert(data), _convert(segment_ids)
    if isinstance(segment_ids, RaggedTensor):
        if not isinstance(data, RaggedTensor):
            raise ValueError("when segment_ids is ragged, data must be ragged, too")
        data, segment_ids = match_row_splits_dtypes(data, segment_ids)
        return segment_aggregate(aggregate, data.values, segment_ids.values, num_segments)
    if not isinstance(data, RaggedTensor):
        return aggregate(data, segment_ids, num_segments)
    dtype = data.row_splits.dtype
    segment_ids = array_ops.cast(segment_ids, dtype)
    count = array_ops.cast(array_ops.convert_to_tensor(num_segments), dtype)
    lengths = data.row_lengths()
    longest = op("Maximum")(op("UnsortedSegmentMax")(lengths, segment_ids, count), scalar(0, lengths))
    splits = op("ConcatV2")([op("Fill")([1], scalar(0, lengths)), op("Cumsum")(longest, 0)], 0)
    starts = op("GatherV2")(splits, segment_ids, 0)
    places = op("GatherV2")(starts, data.value_rowids(), 0) + data._row_partition.offsets_in_rows()
    values = segment_aggregate(aggregate, data.values, places, splits[-1])
    return RaggedTensor.from_row_splits(values, splits, validate=False)


def unsorted_segment_sum(data, segment_ids, num_segments, name=None):
    return segment_aggregate(_SUM, data, segment_ids, num_segments)


def unsorted_segment_prod(data, segment_ids, num_segments, name=None):
    return segment_aggregate(_PROD, data, segment_ids, num_segments)


def unsorted_segment_min(data, segment_ids, num_segments, name=None):
    return segment_aggregate(_MIN, data, segment_ids, num_segments)


def unsorted_segment_max(data, segment_ids, num_segments, name=None):
    return segment_aggregate(_MAX, data, segment_ids, num_segments)


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    return _mean_of_segments(data, segment_ids, num_segments, lambda n: n)


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    return _mean_of_segments(data, segment_ids, num_segments, lambda n: op("Sqrt")(n))


def _mean_of_segments(data, segment_ids, num_segments, divisor):
    data = _convert(data)
    total = segment_aggregate(_SUM, data, segment_ids, num_segments)
    ones = _ones_like(data)
    count = segment_aggregate(_SUM, ones, segment_ids, num_segments)
    if isinstance(total, RaggedTensor):
        return total.with_flat_values(total.flat_values / divisor(count.flat_values))
    return total / divisor(op("Maximum")(count, scalar(1, count)))


def _ones_like(data):
    if isinstance(data, RaggedTensor):
        return data.with_flat_values(op("OnesLike")(data.flat_values))
    return op("OnesLike")(data)


# ---- reductions


def reduce_aggregate(dense, aggregate, value, axis, keepdims):
    """A reduction: of flat values, or of segments where the axis is ragged. axis: None, a number or several."""
    value = _convert(value)
    if not isinstance(value, RaggedTensor):
        return dense(value, axis, keepdims)
    axis = _static_axes(axis)
    rank = value.shape.rank
    if axis is None:
        made = dense(value.flat_values, None, False)
        return op("Reshape")(made, [1] * rank) if keepdims else made
    if isinstance(axis, (list, tuple)):
        return _reduce_several(dense, aggregate, value, [array_axis(a, rank, "axis") for a in axis], keepdims)
    axis = array_axis(axis, rank, "axis")
    return _reduce_one(dense, aggregate, value, axis, keepdims)


def _static_axes(axis):
    if isinstance(axis, tensor.Tensor) or type(axis).__module__ == "numpy":
        known = known_value(axis)
        if known is None:
            raise ValueError("axis must be known at graph construction time.")
        axis = known.tolist()
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        return axis[0]
    return axis


def _reduce_several(dense, aggregate, value, axes, keepdims):
    if not axes:
        return value
    if len(set(axes)) != len(axes):
        raise ValueError(f"duplicate axes in {axes}")
    made = value
    for axis in sorted(axes, reverse=True):
        made = (
            _reduce_one(dense, aggregate, made, axis, keepdims)
            if isinstance(made, RaggedTensor)
            else dense(made, axis, keepdims)
        )
    return made


def _reduce_one(dense, aggregate, value, axis, keepdims):
    if axis == 0:
        longest = value.row_lengths()
        longest = op("Maximum")(op("Max")(longest, [0]), scalar(0, longest))
        made = segment_aggregate(aggregate, value.values, value._row_partition.offsets_in_rows(), longest)
        return _expand(made, 0) if keepdims else made
    if axis == 1:
        made = segment_aggregate(aggregate, value.values, value.value_rowids(), value.nrows())
        known = value._row_partition.static_nrows
        if known is not None and not isinstance(made, RaggedTensor) and made.shape.rank and made.shape[0] is None:
            made.set_shape([known, *made.shape[1:]])
        return _expand(made, 1) if keepdims else made
    inner = value.values
    if isinstance(inner, RaggedTensor):
        return value.with_values(_reduce_one(dense, aggregate, inner, axis - 1, keepdims))
    return value.with_values(dense(inner, axis - 1, keepdims))


def _expand(value, axis):
    from . import ragged_array_ops

    return ragged_array_ops.expand_dims(value, axis)


def all_axes(x):
    rank = x.shape.rank
    return list(builtins.range(rank)) if rank is not None else op("Range")(0, op("Rank")(x), 1)


def _dense_reduction(name):
    def reduce(x, axis, keepdims):
        return op(name)(x, all_axes(x) if axis is None else axis, keep_dims=keepdims)

    return reduce


def reduce_sum(input_tensor, axis=None, keepdims=None, name=None):
    return reduce_aggregate(_dense_reduction("Sum"), _SUM, input_tensor, axis, bool(keepdims))


def reduce_prod(input_tensor, axis=None, keepdims=None, name=None):
    return reduce_aggregate(_dense_reduction("Prod"), _PROD, input_tensor, axis, bool(keepdims))


def reduce_min(input_tensor, axis=None, keepdims=None, name=None):
    return reduce_aggregate(_dense_reduction("Min"), _MIN, input_tensor, axis, bool(keepdims))


def reduce_max(input_tensor, axis=None, keepdims=None, name=None):
    return reduce_aggregate(_dense_reduction("Max"), _MAX, input_tensor, axis, bool(keepdims))


def reduce_mean(input_tensor, axis=None, keepdims=None, name=None):
    value = _convert(input_tensor)
    total = reduce_sum(value, axis, keepdims)
    count = reduce_sum(_ones_like(value), axis, keepdims)
    return _divided(total, count)


def _divided(total, count):
    if isinstance(total, RaggedTensor):
        return total.with_flat_values(math_ops.divide(total.flat_values, count.flat_values))
    return math_ops.divide(total, count)


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    value = _convert(input_tensor)
    squares = value.with_flat_values(op("Square")(value.flat_values))
    return _difference(reduce_mean(squares, axis, keepdims), reduce_mean(value, axis, keepdims))


def _difference(mean_of_squares, mean):
    """The difference of the squares, which rounding may make negative: then 0."""
    if isinstance(mean, RaggedTensor):
        return mean.with_flat_values(_difference(mean_of_squares.flat_values, mean.flat_values))
    made = mean_of_squares - op("Square")(mean)
    return op("Maximum")(made, scalar(0, made))


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    variance = reduce_variance(input_tensor, axis, keepdims)
    if isinstance(variance, RaggedTensor):
        return variance.with_flat_values(op("Sqrt")(variance.flat_values))
    return op("Sqrt")(variance)


def reduce_logsumexp(input_tensor, axis=None, keepdims=False, name=None):
    """log(sum(exp(x))): the largest element is taken out before, so that it does not overflow."""
    value = _convert(input_tensor)
    largest = op("StopGradient")(reduce_max(value))
    total = reduce_sum(value.with_flat_values(op("Exp")(value.flat_values - largest)), axis, keepdims)
    if isinstance(total, RaggedTensor):
        return total.with_flat_values(op("Log")(total.flat_values) + largest)
    return op("Log")(total) + largest


def _as_int(value):
    return value.with_flat_values(op("Cast")(value.flat_values, DstT=3))


def _as_bool(value):
    if isinstance(value, RaggedTensor):
        return value.with_flat_values(op("Cast")(value.flat_values, DstT=10))
    return op("Cast")(value, DstT=10)


def reduce_all(input_tensor, axis=None, keepdims=None, name=None):
    return _as_bool(reduce_prod(_as_int(_convert(input_tensor)), axis, keepdims))


def reduce_any(input_tensor, axis=None, keepdims=None, name=None):
    total = reduce_sum(_as_int(_convert(input_tensor)), axis, keepdims)
    return _as_bool(total)


# ---- along rows


def through_dense(value, function):
    """What the function of a tensor gives for the rows, filled up with zeros, of which the added places are dropped again."""
    mask = op("OnesLike")(op("Cast")(value.flat_values, DstT=3) if not value.dtype.is_numeric else value.flat_values)
    inner = value.flat_values.shape.rank - 1
    if inner:
        mask = mask[(slice(None), *[0] * inner)]
    mask = value.with_flat_values(op("Cast")(mask, DstT=10)).to_tensor(False)
    made = function(value.to_tensor())
    return value.with_flat_values(array_ops.boolean_mask(made, mask))


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    """Sums of the elements so far, along an axis."""
    x = _convert(x)
    axis = array_axis(axis, x.shape.rank, "axis")
    return through_dense(x, lambda t: op("Cumsum")(t, axis, exclusive=exclusive, reverse=reverse))


def softmax(logits, axis=None, name=None):
    """The softmax along an axis, the last by default."""
    logits = _convert(logits)
    axis = -1 if axis is None else axis
    axis = array_axis(axis, logits.shape.rank, "axis")

    def apply(function, a, b):
        flats, partitions = broadcast([a, b])
        return RaggedTensor._from_nested_row_partitions(function(*flats), partitions, validate=False)

    largest = reduce_max(logits, axis, True)
    powers = apply(lambda a, b: op("Exp")(a - b), logits, largest)
    return apply(lambda a, b: a / b, powers, reduce_sum(powers, axis, True))


def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    output_type=None,
    grad_a=False,
    grad_b=False,
    name=None,
):
    """Products of the matrices in the last two axes; matrices may differ in size."""
    if transpose_a and adjoint_a or transpose_b and adjoint_b:
        raise ValueError("Only one of transpose and adjoint can be True.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("a_is_sparse and b_is_sparse are not supported for RaggedTensors")
    a, b = _convert(a), _convert(b)
    if a.shape.rank is None or b.shape.rank is None:
        raise ValueError("matmul of ragged tensors needs a known rank")
    if a.shape.rank < 2 or b.shape.rank < 2:
        raise ValueError("a.shape.rank and b.shape.rank must be at least 2")
    turn_a, turn_b = transpose_a or adjoint_a, transpose_b or adjoint_b
    rows = _matrix_sizes(a, -1 if turn_a else -2)
    columns = _matrix_sizes(b, -2 if turn_b else -1)
    inner = _matrix_sizes(a, -2 if turn_a else -1), _matrix_sizes(b, -1 if turn_b else -2)
    _check_inner(*inner)
    dense_a, dense_b = (v.to_tensor() if isinstance(v, RaggedTensor) else v for v in (a, b))
    made = math_ops.matmul(dense_a, dense_b, transpose_a, transpose_b, adjoint_a, adjoint_b, output_type=output_type)
    return _cut(made, rows, columns)


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    """Products of matrices with the vectors in the last axis of b."""
    from . import ragged_array_ops

    b = _convert(b)
    made = matmul(a, ragged_array_ops.expand_dims(b, b.shape.rank), transpose_a, False, adjoint_a)
    if isinstance(made, RaggedTensor):
        return ragged_array_ops.squeeze(made, made.shape.rank - 1)
    return op("Squeeze")(made, squeeze_dims=[-1])


def _matrix_sizes(value, axis):
    """The size of each matrix along an axis, or None where all have one size."""
    axis = axis + value.shape.rank
    if not isinstance(value, RaggedTensor) or axis > value.ragged_rank or value.shape.rank == 2:
        return None
    lengths = value.row_lengths(axis)
    if axis == value.shape.rank - 1 and value.ragged_rank == axis:  # of each row; all rows of a matrix have one length
        return reduce_max(lengths, axis - 1) if isinstance(lengths, RaggedTensor) else lengths
    return lengths


def _check_inner(left, right):
    if left is None or right is None or isinstance(left, RaggedTensor) or isinstance(right, RaggedTensor):
        return
    if isinstance(left, tensor.EagerTensor) and isinstance(right, tensor.EagerTensor):
        if left._tolist() != right._tolist():
            from ..core import errors

            raise errors.InvalidArgumentError(None, None, "Matrix size-incompatible")


def _cut(made, rows, columns):
    """The products without what filling up has added."""
    rank = made.shape.rank
    if rows is None and columns is None:
        return made
    if rank != 3:
        raise NotImplementedError(f"matmul of ragged tensors that gives a ragged tensor of rank {rank}")
    if rows is None:
        nested = RaggedTensor.from_tensor(made)
    else:
        nested = RaggedTensor.from_tensor(made, lengths=array_ops.cast(rows, dtypes.int64))
    if columns is None:
        return nested
    inner = op("GatherV2")(array_ops.cast(columns, dtypes.int64), nested.value_rowids(), 0)
    return nested.with_values(RaggedTensor.from_tensor(nested.values, lengths=inner))
