"""RaggedTensors of what parsing ops give for a tf.io.RaggedFeature: values, parted by partitions that are values too.

In a batch an op gives the values of all examples one after another, with where each example begins. Partitions are of each
example, and become lengths of rows, which can follow each other.
"""

from __future__ import annotations

from ..core.op_defs import op
from .parsing_features import RaggedFeature, value_key


def build(key, feature, ragged, batched):
    """The tensor of a feature. `ragged`: by key (values, row splits of the batch)."""
    values, splits = ragged[value_key(key, feature)]
    if not batched:
        return _single(feature, values, ragged)
    parts = [(p, _partition(p, ragged)) for p in feature.partitions]
    return _batched(feature, values, splits, parts)


def build_sequence(key, feature, ragged, batched):
    """The same of a feature list: its steps are a dimension before the values."""
    from .. import RaggedTensor

    values, outer, inner = ragged[value_key(key, feature)]
    if feature.partitions:
        parts = [(p, _sequence_partition(p, ragged)) for p in feature.partitions]
        steps = _batched(feature, values, inner, parts)
    else:
        steps = RaggedTensor.from_row_splits(values, inner, validate=False)
    return RaggedTensor.from_row_splits(steps, outer, validate=False) if batched else steps


def _partition(p, ragged):
    return None if isinstance(p, RaggedFeature.UniformRowLength) else ragged[p.key]


def _sequence_partition(p, ragged):
    if isinstance(p, RaggedFeature.UniformRowLength):
        return None
    values, _, inner = ragged[p.key]
    return values, inner


def _single(feature, values, ragged):
    from .. import RaggedTensor

    make = {
        RaggedFeature.RowSplits: RaggedTensor.from_row_splits,
        RaggedFeature.RowLengths: RaggedTensor.from_row_lengths,
        RaggedFeature.RowStarts: RaggedTensor.from_row_starts,
        RaggedFeature.RowLimits: RaggedTensor.from_row_limits,
        RaggedFeature.ValueRowIds: RaggedTensor.from_value_rowids,
    }
    for p in reversed(feature.partitions):
        if isinstance(p, RaggedFeature.UniformRowLength):
            values = RaggedTensor.from_uniform_row_length(values, p.length, validate=feature.validate)
        else:
            rows = op("Cast")(ragged[p.key][0], DstT=feature.row_splits_dtype)
            values = make[type(p)](values, rows, validate=feature.validate)
    return values


def _batched(feature, values, splits, parts):
    """From the innermost partition outwards; `counts` are each example's rows so far."""
    from .. import RaggedTensor

    dtype, check = feature.row_splits_dtype, feature.validate
    counts = _differences(op("Cast")(splits, DstT=dtype))
    for p, found in reversed(parts):
        if found is None:
            values = RaggedTensor.from_uniform_row_length(values, op("Cast")(p.length, DstT=dtype), validate=check)
            counts = op("FloorDiv")(counts, op("Cast")(p.length, DstT=dtype))
            continue
        rows, row_splits = (op("Cast")(t, DstT=dtype) for t in found)
        lengths, counts = _ROWS[type(p)](rows, row_splits, counts)
        values = RaggedTensor.from_row_lengths(values, lengths, validate=check)
    return RaggedTensor.from_row_lengths(values, counts, validate=check)


def _slice(t, begin, size):
    return op("Slice")(t, begin, size)


def _differences(splits):
    return op("Sub")(_slice(splits, [1], [-1]), _slice(splits, [0], op("Sub")(op("Shape")(splits), 1)))


def _rows_of(rows, row_splits):
    """(example of each element, whether it is its example's first, its last)."""
    n = op("Size")(rows, out_type=rows.dtype)
    at = op("Range")(op("Cast")(0, DstT=rows.dtype), n, op("Cast")(1, DstT=rows.dtype))
    example = op("Sub")(
        op("UpperBound")(op("ExpandDims")(row_splits, 0), op("ExpandDims")(at, 0), out_type=rows.dtype), 1
    )
    example = op("Squeeze")(example, squeeze_dims=[0])
    first = op("Equal")(at, _gather(row_splits, example))
    last = op("Equal")(op("AddV2")(at, 1), _gather(row_splits, op("AddV2")(example, 1)))
    return example, first, last


def _gather(t, at):
    return op("GatherV2")(t, at, 0)


def _masked(t, keep):
    return _gather(t, op("Squeeze")(op("Where")(keep), squeeze_dims=[1]))


def _shifted(t, by):
    """The elements one place on: those at the ends do not count."""
    edge = op("ZerosLike")(_slice(t, [0], op("Minimum")(op("Shape")(t), 1)))
    kept = op("Maximum")(op("Sub")(op("Shape")(t), 1), 0)
    return (
        op("ConcatV2")([_slice(t, op("Minimum")(op("Shape")(t), 1), [-1]), edge], 0)
        if by < 0
        else op("ConcatV2")([edge, _slice(t, [0], kept)], 0)
    )


def _from_lengths(rows, row_splits, counts):
    return rows, _differences(row_splits)


def _from_splits(rows, row_splits, counts):
    example, first, _ = _rows_of(rows, row_splits)
    lengths = _masked(op("Sub")(rows, _shifted(rows, 1)), op("LogicalNot")(first))
    return lengths, op("Maximum")(op("Sub")(_differences(row_splits), 1), 0)


def _from_limits(rows, row_splits, counts):
    example, first, _ = _rows_of(rows, row_splits)
    before = op("SelectV2")(first, op("ZerosLike")(rows), _shifted(rows, 1))
    return op("Sub")(rows, before), _differences(row_splits)


def _from_starts(rows, row_splits, counts):
    example, _, last = _rows_of(rows, row_splits)
    after = op("SelectV2")(last, _gather(counts, example), _shifted(rows, -1))
    return op("Sub")(after, rows), _differences(row_splits)


def _from_row_ids(rows, row_splits, counts):
    example, _, last = _rows_of(rows, row_splits)
    found = op("SelectV2")(last, op("AddV2")(rows, 1), op("ZerosLike")(rows))
    number = op("Shape")(counts)
    n_rows = op("UnsortedSegmentMax")(found, example, op("Squeeze")(number))
    n_rows = op("Maximum")(n_rows, op("ZerosLike")(n_rows))
    begins = op("Cumsum")(n_rows, 0, exclusive=True)
    ids = op("AddV2")(rows, _gather(begins, example))
    total = op("Sum")(n_rows, [0])
    lengths = op("UnsortedSegmentSum")(op("OnesLike")(ids), ids, total)
    return lengths, n_rows


_ROWS = {
    RaggedFeature.RowLengths: _from_lengths,
    RaggedFeature.RowSplits: _from_splits,
    RaggedFeature.RowLimits: _from_limits,
    RaggedFeature.RowStarts: _from_starts,
    RaggedFeature.ValueRowIds: _from_row_ids,
}
