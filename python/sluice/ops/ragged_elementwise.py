"""Functions of elements on ragged tensors: applied to flat values, after the operands have got one row structure."""

from __future__ import annotations

import builtins

from ..core import nest, tensor
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops
from .ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
    values_after,
)
from .row_partition import RowPartition, require, scalar


def map_flat_values(op, *args, **kwargs):
    """What op gives for the flat values of the ragged arguments, which all have the same rows, as a ragged tensor of these.

    ValueError when the result has another outer size than the flat values.
    """
    found: list = []
    args, kwargs = _replace((list(args), kwargs), found)
    if not found:
        return op(*args, **kwargs)
    found = match_row_splits_dtypes(*found)
    sizes = {v.flat_values.shape[0] for v in found if v.flat_values.shape.rank} - {None}
    if len(sizes) > 1:
        raise ValueError(
            f"Input RaggedTensors' flat_values must all have the same outer-dimension size.  Got sizes: {sizes}"
        )
    checks = []
    for other in found[1:]:
        checks += _same_rows(found[0], other)
    made = op(*args, **kwargs)
    flat = found[0].flat_values
    made = array_ops.convert_to_tensor(made) if not isinstance(made, (tensor.Tensor, RaggedTensor)) else made
    if made.shape.rank == 0 or not made.shape[:1].is_compatible_with(flat.shape[:1]):
        raise ValueError(
            "tf.ragged.map_flat_values requires that the output of `op` have the same outer-dimension size as flat_values of "
            f"any ragged inputs. (output shape: {made.shape}; expected outer dimension size: {flat.shape[0]})"
        )
    partitions = list(found[0]._nested_row_partitions)
    for other in found[1:]:
        partitions = [p._merge_precomputed_encodings(q) for p, q in zip(partitions, other._nested_row_partitions)]
    return RaggedTensor._from_nested_row_partitions(values_after(checks, made), partitions, validate=False)


def _replace(structure, found):
    """The structure with flat values in place of ragged tensors, which are put into found."""
    if isinstance(structure, (list, tuple)) and not nest.is_namedtuple(structure):
        return type(structure)([_replace(v, found) for v in structure])
    if isinstance(structure, dict):
        return {k: _replace(v, found) for k, v in structure.items()}
    if is_ragged(structure):
        structure = convert_to_tensor_or_ragged_tensor(structure)
        found.append(structure)
        return structure.flat_values
    return structure


def _same_rows(a, b) -> list:
    """Checks that two ragged tensors have the same rows."""
    if a.ragged_rank != b.ragged_rank:
        raise ValueError("All ragged inputs must have the same ragged_rank.")
    checks = []
    for x, y in zip(a.nested_row_splits, b.nested_row_splits):
        if x is not y:
            if not x.shape.is_compatible_with(y.shape):
                raise ValueError(f"partitions have incompatible row splits: {x.shape[0]} and {y.shape[0]}")
            known = [known_value(t) for t in (x, y)]
            if None not in [None if k is None else 0 for k in known]:
                if known[0].tolist() != known[1].tolist():
                    raise ValueError("partitions have incompatible row splits")
                continue
            checks += require(_all_equal(x, y), "partitions have incompatible row splits")
    return checks


def _all_equal(x, y):
    same = op("Equal")(op("Shape")(x), op("Shape")(y))
    if isinstance(same, tensor.EagerTensor):
        return op("All")(op("Equal")(x, y), [0]) if same._tolist()[0] else same[0]
    return op("All")(op("Equal")(x, y, incompatible_shape_error=False), [0])


# ---- operands of one row structure


class _Operand:
    """A tensor or ragged tensor whose dimensions are gone through from the outermost on.

    rows: which of its rows belong to each row of the result so far; None: the same ones.
    """

    def __init__(self, value):
        self.rest, self.rows = value, None

    def is_uniform(self) -> bool:
        return not isinstance(self.rest, RaggedTensor) or self.rest.uniform_row_length is not None

    def outer_size(self, dtype):
        if isinstance(self.rest, RaggedTensor):
            return self.rest.nrows()
        return op("Shape")(self.rest, out_type=dtype)[0]

    def static_outer(self):
        return self.rest._row_partition.static_nrows if isinstance(self.rest, RaggedTensor) else self.rest.shape[0]

    def partition(self, dtype) -> RowPartition:
        if isinstance(self.rest, RaggedTensor):
            return self.rest._row_partition
        shape, known = op("Shape")(self.rest, out_type=dtype), self.rest.shape
        length = shape[1] if known[1] is None else scalar(known[1], shape)
        nrows = shape[0] if known[0] is None else scalar(known[0], shape)
        return RowPartition.from_uniform_row_length(length, shape[0] * shape[1], nrows, validate=False)

    def inner(self):
        if isinstance(self.rest, RaggedTensor):
            return self.rest.values
        shape = op("Shape")(self.rest)
        made = op("Reshape")(self.rest, op("ConcatV2")([[-1], shape[2:]], 0))
        if self.rest.shape.rank is not None and made.shape.rank is None:
            made.set_shape([None, *self.rest.shape[2:]])
        return made

    def flat(self):
        """The values that belong to each row of the result."""
        return self.rest if self.rows is None else op("GatherV2")(self.rest, self.rows, 0)


def broadcast(values):
    """The flat values of each operand, and the partitions of the result, all operands broadcast to one another.

    A dimension of size 1 that is known to be uniform is repeated; others have to be the same. InvalidArgumentError when they
    are not. The flat values broadcast by themselves in what comes after the ragged dimensions.
    """
    dtype, values = match_row_splits_dtypes(*values, return_dtype=True)
    ranks = [v.shape.rank for v in values]
    if None in ranks:
        raise ValueError("Unable to broadcast: unknown rank")
    rank = max(ranks)
    ragged_rank = max(rank - v.shape.rank + v.ragged_rank if isinstance(v, RaggedTensor) else 0 for v in values)
    kept = [i for i, v in enumerate(values) if v.shape.rank >= rank - ragged_rank]
    flats: list = list(values)  # those of the inner dimensions alone broadcast as they are
    operands = {i: _Operand(_with_rank(values[i], rank, dtype)) for i in kept}
    partitions, checks = _go_through(list(operands.values()), ragged_rank, dtype)
    for i, operand in operands.items():
        flats[i] = operand.flat()
    if checks:
        first = kept[0]
        flats[first] = values_after(checks, flats[first])
    return flats, partitions


def _with_rank(value, rank, dtype):
    while value.shape.rank < rank:
        if isinstance(value, RaggedTensor):
            nrows = value.nrows()
            value = RaggedTensor.from_uniform_row_length(value, nrows, scalar(1, nrows), validate=False)
        else:
            value = op("ExpandDims")(value, 0)
    return value


def _go_through(operands, ragged_rank, dtype):
    """The partitions of the result, one for each ragged dimension; the operands then are at their flat values."""
    checks = _match_outer(operands, dtype)
    partitions = []
    for _ in builtins.range(ragged_rank):
        made, more = _match_rows(operands, dtype)
        partitions.append(made)
        checks += more
    return partitions, checks


def _match_outer(operands, dtype) -> list:
    sizes = [o.static_outer() for o in operands]
    if all(s is not None for s in sizes):
        size = next((s for s in sizes if s != 1), 1)
        if any(s not in (1, size) for s in sizes):
            raise ValueError(f"Unable to broadcast: dimension size mismatch in dimension 0: {sizes}")
        for o, s in zip(operands, sizes):
            if s != size:
                o.rows = op("Fill")([size], scalar(0, op("Fill")([1], array_ops.constant(0, dtype))))
        return []
    counts = [o.outer_size(dtype) for o in operands]
    size = counts[0]
    for c in counts[1:]:
        size = op("SelectV2")(op("Equal")(size, scalar(1, size)), c, size)
    checks = []
    for o, c, s in zip(operands, counts, sizes):
        if s == size or len(operands) == 1:
            continue
        is_one = op("Equal")(c, scalar(1, c))
        checks += require(
            op("LogicalOr")(is_one, op("Equal")(c, size)), "Unable to broadcast: dimension size mismatch in dimension 0"
        )
        if s is None or s == 1:
            places = op("Range")(scalar(0, size), size, scalar(1, size))
            o.rows = op("SelectV2")(is_one, op("ZerosLike")(places), places)
    return checks


def _rows_of(operand, values):
    return values if operand.rows is None else op("GatherV2")(values, operand.rows, 0)


def _match_rows(operands, dtype):
    """The partition of the next dimension."""
    partitions = [o.partition(dtype) for o in operands]
    leader = next((i for i, o in enumerate(operands) if not o.is_uniform()), None)
    repeated = [o.is_uniform() and p.static_uniform_row_length in (1, None) for o, p in zip(operands, partitions)]
    if leader is None:
        leader = next((i for i, p in enumerate(partitions) if p.static_uniform_row_length not in (1, None)), 0)
    lengths = [_rows_of(o, p.row_lengths()) for o, p in zip(operands, partitions)]
    wanted, checks = lengths[leader], []
    if repeated[leader] and partitions[leader].static_uniform_row_length is None:
        for n in lengths:
            wanted = op("SelectV2")(op("Equal")(wanted, scalar(1, wanted)), n, wanted)
    result = (
        partitions[leader]
        if operands[leader].rows is None and wanted is lengths[leader]
        else RowPartition.from_row_lengths(wanted, validate=False)
    )
    message = "Unable to broadcast: dimension size mismatch"
    for i, (o, p, n) in enumerate(zip(operands, partitions, lengths)):
        if i == leader and wanted is n:
            _enter(o, p, result, None)
            continue
        known = p.static_uniform_row_length
        if not repeated[i]:
            if p.row_splits() is not result.row_splits():
                checks += require(_all_equal(n, wanted), message)
            _enter(o, p, result, None)
        elif known == 1:
            _enter(o, p, result, True)
        else:
            is_one = op("All")(op("Equal")(n, scalar(1, n)), [0])
            checks += require(op("LogicalOr")(is_one, _all_equal(n, wanted)), message)
            _enter(o, p, result, is_one)
    return result, checks


def _enter(operand, partition, result, is_repeated) -> None:
    """Goes on to the values of the rows. is_repeated: whether each row has one value for all of the result's row."""
    inner = operand.inner()
    same = operand.rows is None
    operand.rest = inner
    if is_repeated is None:
        if not same:
            starts = op("GatherV2")(partition.row_starts(), operand.rows, 0)
            operand.rows = op("GatherV2")(starts, result.value_rowids(), 0) + result.offsets_in_rows()
        return
    starts = partition.row_starts() if same else op("GatherV2")(partition.row_starts(), operand.rows, 0)
    rows = op("GatherV2")(starts, result.value_rowids(), 0)
    if is_repeated is not True:
        rows = op("SelectV2")(is_repeated, rows, rows + result.offsets_in_rows())
    operand.rows = rows


# ---- what dispatch calls


def _parameters(function, count):
    names = list(_signature(function).parameters)
    return names[:count]


def _signature(function):
    import inspect

    return inspect.signature(function)


def unary(function, args, kwargs):
    """A function of each element of its first argument."""
    return map_flat_values(function, *args, **kwargs)


def _operands(function, args, kwargs):
    """The first two arguments as tensors or ragged tensors, and the arguments without them."""
    args, kwargs = list(args), dict(kwargs)
    values = []
    for name in _parameters(function, 2):
        values.append(args.pop(0) if args else kwargs.pop(name))
    x, y = values
    if not is_ragged(x) and not isinstance(x, tensor.Tensor):
        y = convert_to_tensor_or_ragged_tensor(y)
        x = convert_to_tensor_or_ragged_tensor(x, preferred_dtype=y.dtype)
    else:
        x = convert_to_tensor_or_ragged_tensor(x)
        y = y if is_ragged(y) or isinstance(y, tensor.Tensor) else _like(y, x.dtype)
        y = convert_to_tensor_or_ragged_tensor(y)
    return x, y, args, kwargs


def _like(value, dtype):
    try:
        return array_ops.convert_to_tensor(value, dtype)
    except (TypeError, ValueError):
        return array_ops.convert_to_tensor(value)


def binary(function, args, kwargs):
    """A function of the elements of its first two arguments."""
    x, y, args, kwargs = _operands(function, args, kwargs)
    flats, partitions = _flat_pair(x, y)
    names = _parameters(function, 2)
    made = function(**dict(zip(names, flats)), **dict(zip(list(_signature(function).parameters)[2:], args)), **kwargs)
    return RaggedTensor._from_nested_row_partitions(made, partitions, validate=False)


def _flat_pair(x, y):
    scalars = [v.shape.rank == 0 for v in (x, y)]
    if any(scalars):
        other = y if scalars[0] else x
        flats = [v if is_scalar else v.flat_values for v, is_scalar in zip((x, y), scalars)]
        return flats, list(other._nested_row_partitions)
    return broadcast([x, y])


def binary_assert(function, args, kwargs):
    """A check of the elements of its first two arguments."""
    x, y, args, kwargs = _operands(function, args, kwargs)
    flats, _ = _flat_pair(x, y)
    names = list(_signature(function).parameters)
    return function(**dict(zip(names, [*flats, *args])), **kwargs)
