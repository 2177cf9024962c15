"""Ragged tensors put together, taken apart, and given other dimensions."""

from __future__ import annotations

import builtins

from ..core import dtypes, tensor, tensor_shape
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops, ragged_gather_ops, ragged_math_ops
from .ragged_elementwise import broadcast, map_flat_values
from .ragged_tensor import (
    RaggedTensor,
    array_axis,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
    values_after,
)
from .row_partition import after, require, scalar

_convert = convert_to_tensor_or_ragged_tensor

# ---- concat and stack


def concat(values, axis, name=None):
    """Like tf.concat, of ragged tensors and tensors of one rank."""
    if not isinstance(values, (list, tuple)):
        values = [values]
    return _join(list(values), axis, stacked=False)


def stack(values, axis=0, name=None):
    """A ragged tensor with the values along a new axis. They are of one rank, and may differ in shape."""
    if not isinstance(values, (list, tuple)):
        values = [values]
    return _join(list(values), axis, stacked=True)


def _join(values, axis, stacked):
    if not values:
        raise ValueError("values may not be an empty list")
    values = _convert_all(values)
    if len(values) == 1 and not stacked:
        return values[0]
    if isinstance(axis, tensor.Tensor):
        axis = int(known_value(axis))
    rank = next((v.shape.rank for v in values if v.shape.rank is not None), None)
    if any(v.shape.rank not in (None, rank) for v in values):
        raise ValueError(f"all inputs must have the same rank, got {[v.shape.rank for v in values]}")
    axis = array_axis(axis, None if rank is None else rank + (1 if stacked else 0), "axis")
    if stacked and rank == 0 and not any(isinstance(v, RaggedTensor) for v in values):
        return op("Pack")(values, axis=axis)
    if not any(isinstance(v, RaggedTensor) for v in values) and (not stacked or axis > 0):
        return op("ConcatV2")(values, axis) if not stacked else op("Pack")(values, axis=axis)
    if stacked and axis == 0:
        return _stack_rows(values)
    if stacked:
        values = [expand_dims(v, axis) for v in values]
        rank = None if rank is None else rank + 1
    most = builtins.max(max(v.ragged_rank if isinstance(v, RaggedTensor) else 0 for v in values), 1)
    return _concat(_same_ragged_rank(values, most), axis)


def _stack_rows(values):
    """Every value as a row."""
    if values[0].shape.rank is None or values[0].shape.rank > 1:
        most = builtins.max(max(v.ragged_rank if isinstance(v, RaggedTensor) else 0 for v in values), 1)
        values = _same_ragged_rank(values, most)
        lengths = [v.nrows() for v in values]
    else:
        lengths = [op("Shape")(v)[0] for v in values]  # int32, as TensorFlow takes them
    return RaggedTensor.from_row_lengths(_concat(values, 0), op("Pack")(lengths), validate=False)


def _convert_all(values):
    dtype = next((v.dtype for v in values if is_ragged(v) or isinstance(v, tensor.Tensor)), None)
    made = [_convert(v, None if is_ragged(v) or isinstance(v, tensor.Tensor) else dtype) for v in values]
    return match_row_splits_dtypes(*made)


def _same_ragged_rank(values, ragged_rank):
    dtype = next((v.row_splits.dtype for v in values if isinstance(v, RaggedTensor)), dtypes.int64)
    return [_with_ragged_rank(v, ragged_rank, dtype) for v in values]


def _with_ragged_rank(value, ragged_rank, dtype):
    """The value with at least so many partitions; those added are of one row length."""
    if ragged_rank == 0:
        return value
    if not isinstance(value, RaggedTensor):
        return RaggedTensor.from_tensor(value, ragged_rank=ragged_rank, row_splits_dtype=dtype)
    if value.ragged_rank >= ragged_rank:
        return value
    return value.with_values(_with_ragged_rank(value.values, ragged_rank - 1, dtype))


def _concat(values, axis):
    if len(values) == 1:
        return values[0]
    if not isinstance(values[0], RaggedTensor):
        return op("ConcatV2")(values, axis)
    if axis == 0:
        return _concat_rows(values)
    if axis == 1:
        return _concat_within_rows(values)
    first = values[0]
    checks = []
    for v in values[1:]:
        if v.row_splits is not first.row_splits:
            checks += require(_same(v.row_splits, first.row_splits), "Input tensors have incompatible shapes")
    inner = [v.values for v in values]
    most = builtins.max(v.ragged_rank if isinstance(v, RaggedTensor) else 0 for v in inner)
    made = _concat(_same_ragged_rank(inner, most) if most else inner, axis - 1)
    return first.with_values(values_after(checks, made))


def _same(x, y):
    same = op("Equal")(op("Shape")(x), op("Shape")(y))
    if isinstance(same, tensor.EagerTensor) and not same._tolist()[0]:
        return same[0]
    return op("All")(op("Equal")(x, y, incompatible_shape_error=False), [0])


def _concat_rows(values):
    inner = [v.values for v in values]
    splits, offset = [values[0].row_splits], values[0].row_splits[-1]
    for v in values[1:]:
        splits.append(v.row_splits[1:] + offset)
        offset = offset + v.row_splits[-1]
    most = builtins.max(v.ragged_rank if isinstance(v, RaggedTensor) else 0 for v in inner)
    inner = _concat(_same_ragged_rank(inner, most), 0) if most else op("ConcatV2")(inner, 0)
    return RaggedTensor.from_row_splits(inner, op("ConcatV2")(splits, 0), validate=False)


def _concat_within_rows(values):
    """Row i is the rows i of all values, one after the other."""
    count, checks = len(values), []
    nrows = values[0].nrows()
    known = [v._row_partition.static_nrows for v in values]
    for v, n in zip(values[1:], known[1:]):
        if n is None or known[0] is None or n != known[0]:
            checks += require(op("Equal")(v.nrows(), nrows), "Input tensors have incompatible shapes")
    every = _concat_rows(values)
    order = op("Reshape")(
        op("Transpose")(
            op("Reshape")(
                op("Range")(scalar(0, nrows), nrows * count, scalar(1, nrows)),
                op("Pack")([scalar(count, nrows), nrows]),
            ),
            [1, 0],
        ),
        [-1],
    )
    rows = ragged_gather_ops.gather(every, order)
    splits = op("StridedSlice")(
        rows.row_splits,
        [0],
        [0],
        [count],
        begin_mask=1,
        end_mask=1,
        ellipsis_mask=0,
        new_axis_mask=0,
        shrink_axis_mask=0,
    )
    if known[0] is not None and splits.shape.rank and splits.shape[0] is None:
        splits.set_shape([known[0] + 1])
    return RaggedTensor.from_row_splits(values_after(checks, rows.values), splits, validate=False)


# ---- other dimensions


def expand_dims(input, axis, name=None):
    """A dimension of size 1 before the axis."""
    value = _convert(input)
    if not isinstance(value, RaggedTensor):
        return op("ExpandDims")(value, axis)
    if isinstance(axis, tensor.Tensor):
        axis = int(known_value(axis))
    rank = value.shape.rank
    axis = array_axis(axis, None if rank is None else rank + 1, "axis")
    nrows = value.nrows()
    if axis == 0:
        return RaggedTensor.from_uniform_row_length(value, nrows, scalar(1, nrows), validate=False)
    if axis == 1:
        return RaggedTensor.from_uniform_row_length(value, scalar(1, nrows), nrows, validate=False)
    return value.with_values(expand_dims(value.values, axis - 1))


def expand_dims_v1(input, axis=None, name=None, dim=None):
    return expand_dims(input, axis if dim is None else dim, name)


def squeeze(input, axis=None, name=None):
    """The ragged tensor without axes of size 1, which have to be named."""
    value = _convert(input)
    if not isinstance(value, RaggedTensor):
        return array_ops.squeeze(value, axis)
    rank = value.shape.rank
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument.")
    axes = [axis] if isinstance(axis, int) else list(axis)
    axes = sorted({array_axis(a, rank, f"axis[{i}]") for i, a in enumerate(axes)}, reverse=True)
    made, checks = value, []
    for a in axes:
        made = _squeeze_one(made, a, checks)
    return values_after(checks, made)


def squeeze_v1(input, axis=None, name=None, squeeze_dims=None):
    return squeeze(input, axis if squeeze_dims is None else squeeze_dims, name)


def _squeeze_one(value, axis, checks):
    message = "the given axis must be of size 1"
    if not isinstance(value, RaggedTensor):
        return op("Squeeze")(value, squeeze_dims=[axis])
    if axis == 0:
        nrows = value.nrows()
        checks += require(op("Equal")(nrows, scalar(1, nrows)), message)
        return value.values
    if axis == 1:
        lengths = value.row_lengths()
        checks += require(op("All")(op("Equal")(lengths, scalar(1, lengths)), [0]), message)
        return value.values
    return RaggedTensor(_squeeze_one(value.values, axis - 1, checks), value._row_partition, internal=True)


def tile(input, multiples, name=None):
    """The ragged tensor repeated along each axis as often as multiples, a vector, says."""
    value = _convert(input)
    if not isinstance(value, RaggedTensor):
        return op("Tile")(value, multiples)
    multiples = array_ops.convert_to_tensor(multiples, dtype_hint=value.row_splits.dtype)
    multiples.shape.assert_has_rank(1)
    multiples = array_ops.cast(multiples, value.row_splits.dtype)
    known = known_value(multiples)
    return _tile(value, multiples, None if known is None else known.tolist())


def _tile(value, multiples, known):
    if not isinstance(value, RaggedTensor):
        return op("Tile")(value, multiples)
    one = scalar(1, multiples)
    inner = value.values
    if known is None or any(m != 1 for m in known[2:]):
        rest = op("ConcatV2")([one[None], multiples[2:]], 0)
        inner = _tile(inner, rest, None if known is None else [1, *known[2:]])
    made = value.with_values(inner)
    if known is None or known[1] != 1:
        made = _repeat_within_rows(made, multiples[1])
        length = value._row_partition.static_uniform_row_length
        if length is not None and known is not None:
            made._set_row_length(length * known[1])
    if known is None or known[0] != 1:
        nrows = made.nrows()
        places = op("Range")(scalar(0, nrows), nrows * multiples[0], scalar(1, nrows))
        made = ragged_gather_ops.gather(made, op("FloorMod")(places, op("Maximum")(nrows, scalar(1, nrows))))
    return made


def _repeat_within_rows(value, times):
    lengths = value.row_lengths() * times
    splits = op("ConcatV2")([op("Fill")([1], scalar(0, lengths)), op("Cumsum")(lengths, 0)], 0)
    made = RaggedTensor.from_row_splits(
        op("Range")(scalar(0, lengths), splits[-1], scalar(1, lengths)), splits, validate=False
    )
    rows = made.value_rowids()
    own = op("Maximum")(op("GatherV2")(value.row_lengths(), rows, 0), scalar(1, lengths))
    places = op("GatherV2")(value.row_starts(), rows, 0) + op("FloorMod")(made._row_partition.offsets_in_rows(), own)
    return made.with_values(ragged_gather_ops.gather(value.values, places))


def reverse(tensor, axis, name=None):
    """The elements along the axes in reverse order."""
    value = _convert(tensor)
    axes = axis if isinstance(axis, (list, tuple)) else known_value(axis).reshape([-1]).tolist()
    axes = {array_axis(int(a), value.shape.rank, f"axis[{i}]") for i, a in enumerate(axes)}
    if not axes:
        return value
    keys = [slice(None, None, -1) if a in axes else slice(None) for a in builtins.range(max(axes) + 1)]
    return value[tuple(keys)]


def reshape(tensor, shape, name=None):
    """The values in another shape, which may be a DynamicRaggedShape."""
    from . import dynamic_ragged_shape

    if not isinstance(shape, dynamic_ragged_shape.DynamicRaggedShape):
        return array_ops.reshape(_flat(tensor), shape)
    return dynamic_ragged_shape.ragged_reshape(_convert(tensor), shape)


def broadcast_to(input, shape, name=None):
    from . import dynamic_ragged_shape

    return dynamic_ragged_shape.broadcast_to(input, shape)


def zeros(shape, dtype=dtypes.float32, name=None):
    from . import dynamic_ragged_shape

    return dynamic_ragged_shape.filled(array_ops.zeros([], dtype), shape)


def ones(shape, dtype=dtypes.float32, name=None):
    from . import dynamic_ragged_shape

    return dynamic_ragged_shape.filled(array_ops.ones([], dtype), shape)


def ragged_shape(input, out_type=None, name=None):
    """The shape as a DynamicRaggedShape."""
    from . import dynamic_ragged_shape

    return dynamic_ragged_shape.DynamicRaggedShape.from_tensor(_convert(input), dtype=out_type or dtypes.int32)


def ragged_shape_v1(input, name=None, out_type=None):
    return ragged_shape(input, out_type, name)


def size(input, out_type=dtypes.int32, name=None):
    """The number of values."""
    return op("Size")(_flat(input), out_type=out_type or dtypes.int32)


def size_v1(input, name=None, out_type=dtypes.int32):
    return size(input, out_type, name)


def _flat(value):
    value = _convert(value)
    return value.flat_values if isinstance(value, RaggedTensor) else value


def rank(input, name=None):
    value = _convert(input)
    if value.shape.rank is not None:
        return array_ops.constant(value.shape.rank, dtypes.int32)
    return op("Rank")(value.flat_values) + value.ragged_rank


def bitcast(input, type, name=None):
    """The elements' bits as elements of another type."""
    value, dtype = _convert(input), dtypes.as_dtype(type)
    if isinstance(value, RaggedTensor) and value.flat_values.shape.rank == 1 and dtype.size > value.dtype.size:
        raise ValueError("`input.flat_values` is required to have rank >= 2 when input.dtype.size < type.size.")
    return value.with_flat_values(op("Bitcast")(value.flat_values, type=dtype))


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    value = _convert(indices)
    if isinstance(axis, int) and axis >= 0:
        if axis <= value.ragged_rank:
            raise ValueError(f"axis ({axis}) must be greater than indices.ragged_rank ({value.ragged_rank}).")
        axis -= value.ragged_rank
    return value.with_flat_values(array_ops.one_hot(value.flat_values, depth, on_value, off_value, axis, dtype))


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """The ragged tensor in parts along an axis: of equal size, or of the sizes of a vector."""
    value = _convert(value)
    axis = array_axis(int(known_value(axis)) if not isinstance(axis, int) else axis, value.shape.rank, "axis")
    if isinstance(num_or_size_splits, int):
        size = value.shape[axis]
        if size is None:
            raise ValueError(f"Cannot split the ragged dimension {axis} into {num_or_size_splits} parts")
        if size % num_or_size_splits:
            raise ValueError(
                f"Cannot exactly split the dimension {axis} of size {size} into {num_or_size_splits} parts"
            )
        sizes = [size // num_or_size_splits] * num_or_size_splits
    else:
        sizes = _known_sizes(num_or_size_splits, num)
    parts, at = [], 0
    for n in sizes:
        parts.append(value[tuple([slice(None)] * axis + [slice(at, at + n)])])
        at = at + n
    return parts


def _known_sizes(sizes, num):
    if isinstance(sizes, tensor.Tensor):
        if sizes.shape.rank == 0:
            raise ValueError("Rank-0 tensors are not supported as the num_or_size_splits argument to split.")
        if num is None and sizes.shape[0] is None:
            raise ValueError("`num` must be specified statically")
        return op("Unpack")(sizes, num=num or sizes.shape[0])
    return list(sizes)


# ---- selections


def where(condition, x=None, y=None, name=None):
    """Elements of x where the condition is true, and of y elsewhere; without them the places where it is true."""
    if (x is None) != (y is None):
        raise ValueError("x and y must be either both None or both non-None")
    condition = _convert(condition, preferred_dtype=dtypes.as_dtype("bool"))
    if x is None:
        return _coordinates(condition)
    x, y = _convert_all([x, y])
    flats, partitions = broadcast([condition, x, y])
    return RaggedTensor._from_nested_row_partitions(op("SelectV2")(*flats), partitions, validate=False)


def where_v1(condition, x=None, y=None, name=None):
    """The same without broadcasting; a condition that is a vector selects whole rows."""
    if (x is None) != (y is None):
        raise ValueError("x and y must be either both None or both non-None")
    condition = _convert(condition, preferred_dtype=dtypes.as_dtype("bool"))
    if x is None:
        return _coordinates(condition)
    x, y = _convert_all([x, y])
    if isinstance(condition, RaggedTensor):
        if not condition.shape.is_compatible_with(x.shape) or not x.shape.is_compatible_with(y.shape):
            raise ValueError(f"Input shapes do not match. {condition.shape}, {x.shape}, {y.shape}")
        return map_flat_values(lambda c, a, b: op("Select")(c, a, b), condition, x, y)
    if condition.shape.rank != 1:
        raise ValueError("Condition must be RaggedTensor, or a Tensor of rank 1")
    nrows = x.nrows() if isinstance(x, RaggedTensor) else op("Shape")(x, out_type=y.row_splits.dtype)[0]
    both = concat([x, y], 0)
    places = op("Range")(scalar(0, nrows), nrows, scalar(1, nrows))
    return ragged_gather_ops.gather(both, op("SelectV2")(condition, places, places + nrows))


def _coordinates(condition):
    if not isinstance(condition, RaggedTensor):
        return op("Where")(condition)
    found = condition.to_sparse()
    return array_ops.boolean_mask(found.indices, found.values)


def boolean_mask(data, mask, name=None):
    """The elements of data where the mask, of the same outer dimensions, is true: rows keep what is left of them."""
    data, mask = _convert(data), _convert(mask, dtypes.as_dtype("bool"))
    data, mask = match_row_splits_dtypes(data, mask)
    if mask.shape.rank is None:
        raise ValueError("mask.shape.ndims must be known statically.")
    if mask.shape.rank == 0:
        raise ValueError("mask cannot be scalar.")
    return _masked(data, mask)


def _masked(data, mask):
    if isinstance(mask, RaggedTensor):
        data = _with_ragged_rank(data, mask.ragged_rank, mask.row_splits.dtype)
        checks = require(_same(data.row_splits, mask.row_splits), "mask and data have other rows")
        inner = values_after(checks, mask.values)
        if mask.shape.rank > 2:
            return data.with_values(_masked(data.values, inner))
        kept = op("Cast")(inner, DstT=data.row_splits.dtype)
        lengths = op("UnsortedSegmentSum")(kept, mask.value_rowids(), mask.nrows())
        return RaggedTensor.from_row_lengths(_masked(data.values, inner), lengths, validate=False)
    if mask.shape.rank == 1:
        if isinstance(data, RaggedTensor):
            rows = op("Reshape")(op("Where")(mask), [-1])
            return ragged_gather_ops.gather(data, rows)
        return array_ops.boolean_mask(data, mask)
    dtype = data.row_splits.dtype if isinstance(data, RaggedTensor) else dtypes.int64
    return _masked(data, RaggedTensor.from_tensor(mask, ragged_rank=mask.shape.rank - 1, row_splits_dtype=dtype))


# ---- partitions


def stack_dynamic_partitions(data, partitions, num_partitions, name=None):
    """Row i has the elements of data whose partition is i: [num_partitions, (any), ...]."""
    data = _convert(data)
    partitions = _convert(partitions, preferred_dtype=dtypes.int64)
    num_partitions = array_ops.convert_to_tensor(num_partitions, dtype_hint=partitions.dtype)
    data, partitions = match_row_splits_dtypes(data, partitions)
    if isinstance(partitions, RaggedTensor):
        if not isinstance(data, RaggedTensor):
            data = _with_ragged_rank(data, partitions.ragged_rank, partitions.row_splits.dtype)
        checks = require(
            _same(data.row_splits, partitions.row_splits), "data and partitions have incompatible ragged shapes"
        )
        return stack_dynamic_partitions(data.values, values_after(checks, partitions.values), num_partitions)
    known = partitions.shape.rank
    if known is None:
        raise ValueError("partitions must have known rank")
    num_partitions.shape.assert_has_rank(0)
    partitions.shape.assert_is_compatible_with(data.shape[:known])
    num_partitions = array_ops.cast(num_partitions, partitions.dtype)
    if known == 0:
        data, partitions = expand_dims(data, 0), op("ExpandDims")(partitions, 0)
    elif known > 1:
        from .ragged_conversion_ops import merge_dims

        data, partitions = merge_dims(data, 0, known - 1), op("Reshape")(partitions, [-1])
    checks = require(_all(partitions >= 0), "partitions must be non-negative")
    checks += require(_all(partitions < num_partitions), "partitions must be less than num_partitions")
    partitions = after(checks, partitions)
    order = _stable_order(partitions)
    rows = ragged_gather_ops.gather(data, order)
    own = op("GatherV2")(partitions, order, 0)
    own = own if own.dtype in (dtypes.int32, dtypes.int64) else array_ops.cast(own, dtypes.int64)
    if isinstance(rows, RaggedTensor):
        own = array_ops.cast(own, rows.row_splits.dtype)
    return RaggedTensor.from_value_rowids(rows, own, array_ops.cast(num_partitions, own.dtype), validate=False)


def _all(condition):
    return op("All")(condition, [0])


def _stable_order(ids):
    """The places of ids in the order of their values, those of one value as they were."""
    order = op("TopKV2")(-ids, op("Size")(ids), sorted=True)
    return order[1]


def dynamic_partition(data, partitions, num_partitions, name=None):
    """A list with the elements of data of each partition."""
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError("num_partitions must be a non-negative integer")
    made = stack_dynamic_partitions(data, partitions, num_partitions)
    return [made[i] for i in builtins.range(num_partitions)]


# ---- crosses of features


def cross(inputs, name=None):
    """Row i has every combination of one value of the row i of each input, as texts joined by "_X_"."""
    return _cross(inputs, False, 0, None)


def cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    """The same as hashes, below num_buckets if it is not 0."""
    return _cross(inputs, True, num_buckets, hash_key)


def _cross(inputs, hashed, num_buckets, hash_key):
    from . import sparse_tensor

    if not isinstance(inputs, (list, tuple)):
        raise TypeError("Inputs must be a list")
    if hash_key is None:
        hash_key = 0xDECAFCAFFE
    ragged, sparse, dense, order = [], [], [], ""
    batch = tensor_shape.TensorShape([None])
    for i, value in enumerate(inputs):
        if is_ragged(value):
            kind, value = ragged, _convert(value)
            if value.ragged_rank != 1:
                raise ValueError("tf.ragged.cross only supports inputs with rank=2")
        elif sparse_tensor.is_sparse(value):
            kind, value = sparse, sparse_tensor.convert(value)
        else:
            kind, value = dense, array_ops.convert_to_tensor(value)
        if value.shape.rank not in (None, 2):
            raise ValueError("tf.ragged.cross only supports inputs with rank=2")
        if not value.dtype.is_integer and value.dtype.name != "string":
            raise ValueError(f"Unexpected dtype for inputs[{i}]: {value.dtype}")
        if value.shape.rank and not value.shape[:1].is_compatible_with(batch):
            raise ValueError("inputs must all have the same batch dimension size.")
        batch = batch.merge_with(value.shape[:1]) if value.shape.rank else batch
        kind.append(value)
        order += "R" if kind is ragged else "S" if kind is sparse else "D"
    out = dtypes.int64 if hashed else dtypes.as_dtype("string")
    ragged = match_row_splits_dtypes(*ragged)
    splits_dtype = ragged[0].row_splits.dtype if ragged else dtypes.int64
    values, splits = op("RaggedCross")(
        [_hashable(v.values) for v in ragged],
        [v.row_splits for v in ragged],
        [v.indices for v in sparse],
        [_hashable(v.values) for v in sparse],
        [v.dense_shape for v in sparse],
        [_hashable(v) for v in dense],
        input_order=order,
        hashed_output=hashed,
        num_buckets=num_buckets,
        hash_key=hash_key,
        out_values_type=out,
        out_row_splits_type=splits_dtype,
    )
    return RaggedTensor.from_row_splits(values, splits, validate=False)


def _hashable(t):
    if t.dtype.name == "string" or t.dtype == dtypes.int64:
        return t
    return op("Cast")(t, DstT=dtypes.int64)


# ---- lists of ragged tensors


def add_n(inputs, name=None):
    if len(inputs) < 1:
        raise ValueError("Input list must not be empty")
    return map_flat_values(lambda *values: op("AddN")(list(values)), *inputs)


def string_join(inputs, separator="", name=None):
    if len(inputs) < 1:
        raise ValueError("tf.strings.join: expected at least one input.")
    return map_flat_values(lambda *values: op("StringJoin")(list(values), separator=separator), *inputs)


def assert_type(tensor, tf_type, message=None, name=None):
    value = _convert(tensor)
    if value.dtype != dtypes.as_dtype(tf_type):
        raise TypeError(f"{message or ''} tensor must be of type {dtypes.as_dtype(tf_type)!r}; got {value.dtype!r}")
    return value


def reduce_join(inputs, axis=None, keepdims=None, separator="", name=None):
    """Texts joined along an axis."""

    def join_segments(data, ids, count):
        return op("UnsortedSegmentJoin")(data, ids, count, separator=separator)

    def join(x, axis, keepdims):
        axes = ragged_math_ops.all_axes(x) if axis is None else axis
        return op("ReduceJoin")(x, axes, keep_dims=keepdims, separator=separator)

    return ragged_math_ops.reduce_aggregate(join, join_segments, inputs, axis, bool(keepdims))
