"""How the values of a ragged tensor are divided into rows: tf.experimental.RowPartition.

A partition keeps row_splits, [nrows + 1]: row i has the values row_splits[i] to row_splits[i + 1]. Other encodings of the same
(row_lengths, value_rowids, nrows, nvals, uniform_row_length) are kept when the partition was made of them.
"""

from __future__ import annotations

import functools

from ..core import composite_tensor, dtypes, errors, graph, scopes, tensor, tensor_shape, type_spec
from ..core.op_defs import op
from ..core.static_values import known_value

_INDEX_TYPES = (dtypes.int32, dtypes.int64)


def static_int(t):
    """The value of a scalar as an int, or None where it is not known."""
    if t is None:
        return None
    value = known_value(t)
    return None if value is None or value.ndim else int(value)


def scoped(prefix: str):
    """A decorator for factories: in a graph they name their nodes, from_row_splits by <prefix>FromRowSplits."""

    def decorate(function):
        scope = prefix + "".join(
            word.capitalize() for word in function.__name__.replace("rowids", "row_ids").split("_")
        )

        @functools.wraps(function)
        def named(*args, **kwargs):
            if graph.current() is None:
                return function(*args, **kwargs)
            with scopes.name_scope(kwargs.get("name") or scope):
                return function(*args, **kwargs)

        return named

    return decorate


def convert_index(value, dtype=None, dtype_hint=None, name=None):
    """Row splits, lengths and the like as a tensor of int32 or int64, of Python's numbers int64."""
    hint = dtypes.as_dtype(dtype_hint or dtypes.int64)
    if dtype is None and type(value).__module__ == "numpy" and value.dtype.name in ("int32", "int64"):
        dtype = dtypes.as_dtype(value.dtype)
    number = 0 if dtype is None else dtypes.as_dtype(dtype).as_datatype_enum
    if isinstance(value, tensor.Tensor) and number and value._dtype_number != number:
        made = op("Cast")(value, DstT=number)
    else:
        g = graph.current()
        made = (
            tensor.convert(value, number, hint.as_datatype_enum)
            if g is None
            else graph.into(g, value, number, hint.as_datatype_enum, name)
        )
    if made.dtype not in _INDEX_TYPES:
        raise ValueError(f"row_partition must have dtype int32 or int64; got {made.dtype.name}")
    return made


def scalar(value: int, like):
    """A number as a tensor of the type of another."""
    return tensor.convert(value, like._dtype_number)


def require(condition, message: str) -> list:
    """Checks now that a tensor of truth values is true, or gives the ops that check it when the graph runs."""
    if isinstance(condition, tensor.EagerTensor):
        if not condition._tolist():
            raise errors.InvalidArgumentError(None, None, message)
        return []
    return [op("Assert")(condition, [message])]


def after(checks: list, *tensors):
    """The tensors, known to be used only when the checks have passed."""
    if not checks:
        return tensors if len(tensors) > 1 else tensors[0]
    with graph.current().control_dependencies(checks):
        made = tuple(t if t is None else op("Identity")(t) for t in tensors)
    return made if len(made) > 1 else made[0]


def _all(condition):
    rank = condition.shape.rank
    return op("All")(condition, list(range(rank)) if rank is not None else op("Range")(0, op("Rank")(condition), 1))


def _require_increasing(t, message) -> list:
    return require(_all(t[1:] >= t[:-1]), message)


def _splits_of_lengths(lengths):
    sums = op("Cumsum")(lengths, 0)
    return op("ConcatV2")([op("Fill")([1], scalar(0, lengths)), sums], 0, name="concat")


def row_splits_to_segment_ids(splits, name=None, out_type=None):
    """The row of each value: of splits [0, 2, 2, 3] the ids [0, 0, 2]."""
    splits = convert_index(splits)
    if splits.dtype not in _INDEX_TYPES:
        raise ValueError(f"splits must have dtype int32 or int64, received {splits.dtype}")
    splits.shape.assert_has_rank(1)
    if splits.shape[0] == 0:
        raise ValueError("Invalid row_splits: []")
    made = segment_ids(splits)
    return made if out_type is None else _cast(made, dtypes.as_dtype(out_type))


def segment_ids(splits):
    values = op("Range")(scalar(0, splits), splits[-1], scalar(1, splits))
    passed = op("UpperBound")(splits[None], values[None], out_type=splits.dtype)
    return op("Reshape")(passed, [-1]) - 1


def segment_ids_to_row_splits(segment_ids, num_segments=None, out_type=None, name=None):
    """The splits of rows, of which segment_ids, which do not decrease, are the row of each value."""
    ids = convert_index(segment_ids)
    ids.shape.assert_has_rank(1)
    if out_type is not None:
        ids = _cast(ids, dtypes.as_dtype(out_type))
    if num_segments is not None:
        num_segments = convert_index(num_segments, ids.dtype)
        num_segments.shape.assert_has_rank(0)
    else:
        num_segments = _one_more_than_last(ids)
    return _splits_of_lengths(_lengths_of_rowids(ids, num_segments))


def _one_more_than_last(ids):
    return op("Max")(op("ConcatV2")([ids, op("Fill")([1], scalar(-1, ids))], 0), 0) + 1


def _lengths_of_rowids(ids, nrows):
    return op("UnsortedSegmentSum")(op("OnesLike")(ids), ids, nrows)


def _cast(t, dtype):
    return t if t.dtype == dtype else op("Cast")(t, DstT=dtype)


def _check_rank(t, rank):
    t.shape.assert_has_rank(rank)


class RowPartition(composite_tensor.CompositeTensor):
    """A division of nvals values into nrows rows. Made by the factories from_row_splits, from_row_lengths and so on."""

    def __init__(
        self,
        row_splits,
        row_lengths=None,
        value_rowids=None,
        nrows=None,
        uniform_row_length=None,
        nvals=None,
        internal=False,
    ):
        if not internal:
            raise ValueError(
                "RowPartition constructor is private; please use one of the factory methods instead (e.g., "
                "RowPartition.from_row_lengths())"
            )
        if not isinstance(row_splits, tensor.Tensor):
            raise TypeError(f"Row-partitioning argument must be a Tensor, got {row_splits!r}")
        if row_splits.dtype not in _INDEX_TYPES:
            raise ValueError("Row-partitioning argument must be int32 or int64")
        row_splits.shape.assert_has_rank(1)
        for cached in (row_lengths, value_rowids, nrows, uniform_row_length, nvals):
            if cached is not None and not isinstance(cached, tensor.Tensor):
                raise TypeError("Cached value must be a Tensor or None.")
            if cached is not None and cached.dtype != row_splits.dtype:
                raise ValueError(f"Inconsistent dtype for encoding tensors: {cached} vs {row_splits}")
        self._row_splits, self._row_lengths, self._value_rowids = row_splits, row_lengths, value_rowids
        self._nrows, self._uniform_row_length, self._nvals = nrows, uniform_row_length, nvals

    # ---- factories

    @classmethod
    @scoped("RowPartition")
    def from_value_rowids(cls, value_rowids, nrows=None, validate=True, dtype=None, dtype_hint=None):
        """Of the row of each value, which do not decrease; nrows is by default one more than the last."""
        _check_validate(validate)
        ids = convert_index(value_rowids, dtype, dtype_hint, "value_rowids")
        _check_rank(ids, 1)
        checks = []
        known = known_value(ids)
        last = int(known[-1]) if known is not None and len(known) else -1 if known is not None else None
        if nrows is None:
            if last is not None:
                nrows = scalar(last + 1, ids)
            else:
                nrows = _one_more_than_last(ids)
        else:
            nrows = convert_index(nrows, ids.dtype)
            _check_rank(nrows, 0)
            given = static_int(nrows)
            if given is not None and given < 0:
                raise ValueError(f"Expected nrows >= 0; got {given}")
            if given is not None and last is not None and given < last + 1:
                raise ValueError(f"Expected nrows >= value_rowids[-1] + 1; got nrows={given}, value_rowids[-1]={last}")
        if validate:
            message = "Arguments to from_value_rowids do not form a valid RowPartition"
            checks = require(_all(ids[:1] >= 0), message) + _require_increasing(ids, message)
            checks += require(_all(ids[-1:] < nrows), message)
        ids, nrows = after(checks, ids, nrows)
        lengths = _lengths_of_rowids(ids, nrows)
        made = _splits_of_lengths(lengths)
        count = static_int(nrows)
        if count is not None and made.shape.rank == 1 and made.shape[0] is None:
            made.set_shape([count + 1])
        return cls(made, row_lengths=lengths, value_rowids=ids, nrows=nrows, internal=True)

    @classmethod
    @scoped("RowPartition")
    def from_row_splits(cls, row_splits, validate=True, dtype=None, dtype_hint=None):
        """Of the places at which rows begin, and the end of the last: [0, ..., nvals]."""
        _check_validate(validate)
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        if isinstance(row_splits, type_spec.TensorSpec):
            raise TypeError("row_splits must be a tensor")
        splits = convert_index(row_splits, dtype, dtype_hint, "row_splits")
        _check_rank(splits, 1)
        checks = []
        if validate:
            message = "Arguments to from_row_splits do not form a valid RaggedTensor:"
            checks = require(op("Equal")(splits[0], scalar(0, splits)), f"{message} first split must be zero")
            checks += _require_increasing(splits, f"{message} splits must be monotonic increasing")
        return cls(after(checks, splits), internal=True)

    @classmethod
    @scoped("RowPartition")
    def from_row_lengths(cls, row_lengths, validate=True, dtype=None, dtype_hint=None):
        """Of the number of values in each row."""
        _check_validate(validate)
        lengths = convert_index(row_lengths, dtype, dtype_hint, "row_lengths")
        _check_rank(lengths, 1)
        message = "Arguments to from_row_lengths do not form a valid RowPartition"
        checks = require(_all(lengths >= 0), message) if validate else []
        lengths = after(checks, lengths)
        return cls(_splits_of_lengths(lengths), row_lengths=lengths, internal=True)

    @classmethod
    @scoped("RowPartition")
    def from_row_starts(cls, row_starts, nvals, validate=True, dtype=None, dtype_hint=None):
        """Of the places at which rows begin, and the number of values."""
        _check_validate(validate)
        starts = convert_index(row_starts, dtype, dtype_hint, "row_starts")
        _check_rank(starts, 1)
        nvals = convert_index(nvals, starts.dtype)
        _check_rank(nvals, 0)
        checks = []
        if validate:
            message = "Arguments to from_row_starts do not form a valid RaggedTensor"
            checks = require(_all(op("Equal")(starts[:1], scalar(0, starts))), message)
            checks += _require_increasing(starts, message) + require(_all(starts[-1:] <= nvals), message)
        starts, nvals = after(checks, starts, nvals)
        return cls(op("ConcatV2")([starts, nvals[None]], 0, name="concat"), nvals=nvals, internal=True)

    @classmethod
    @scoped("RowPartition")
    def from_row_limits(cls, row_limits, validate=True, dtype=None, dtype_hint=None):
        """Of the places at which rows end."""
        _check_validate(validate)
        limits = convert_index(row_limits, dtype, dtype_hint, "row_limits")
        _check_rank(limits, 1)
        checks = []
        if validate:
            message = "Arguments to from_row_limits do not form a valid RaggedTensor"
            checks = require(_all(limits[:1] >= 0), message) + _require_increasing(limits, message)
        limits = after(checks, limits)
        return cls(op("ConcatV2")([op("Fill")([1], scalar(0, limits)), limits], 0, name="concat"), internal=True)

    @classmethod
    @scoped("RowPartition")
    def from_uniform_row_length(
        cls, uniform_row_length, nvals=None, nrows=None, validate=True, dtype=None, dtype_hint=None
    ):
        """Of rows of one length. nvals or nrows is given, and nrows where the length may be zero."""
        _check_validate(validate)
        if nvals is None and nrows is None:
            raise ValueError("Either (or both) of `nvals` and `nrows` must be specified")
        dtype = dtype or next(
            (x.dtype for x in (uniform_row_length, nvals, nrows) if isinstance(x, tensor.Tensor)), None
        )
        if dtype is not None and any(
            isinstance(x, tensor.Tensor) and x.dtype == dtypes.int64 for x in (uniform_row_length, nvals, nrows)
        ):
            dtype = dtypes.int64
        length = convert_index(uniform_row_length, dtype, dtype_hint, "uniform_row_length")
        dtype = length.dtype
        _check_rank(length, 0)
        known = static_int(length)
        if known is not None and known < 0:
            raise ValueError(f"uniform_row_length must be >= 0; got {known}.")
        nvals = None if nvals is None else convert_index(nvals, dtype, name="nvals")
        if nrows is None:
            nrows = op("FloorDiv")(nvals, op("Maximum")(length, scalar(1, length)))
        nrows = convert_index(nrows, dtype, name="nrows")
        _check_rank(nrows, 0)
        derived = nvals is None
        nvals = nrows * length if derived else nvals
        _check_rank(nvals, 0)
        checks = [] if derived or not validate else _check_uniform(length, nrows, nvals)
        length, nrows, nvals = after(checks, length, nrows, nvals)
        splits = op("Range")(scalar(0, length), nrows + 1, scalar(1, length)) * length
        count = static_int(nrows)
        if count is not None and splits.shape.rank == 1 and splits.shape[0] is None:
            splits.set_shape([count + 1])
        return cls(splits, nrows=nrows, uniform_row_length=length, nvals=nvals, internal=True)

    # ---- encodings

    dtype = property(lambda self: self._row_splits.dtype)

    def row_splits(self):
        """Where rows begin, and the last ends, [nrows + 1]."""
        return self._row_splits

    def value_rowids(self):
        """The row of each value, [nvals]."""
        return self._value_rowids if self._value_rowids is not None else segment_ids(self._row_splits)

    def nrows(self):
        """The number of rows, a scalar."""
        if self._nrows is not None:
            return self._nrows
        count = self._row_splits.shape[0]
        if count is not None:
            return scalar(count - 1, self._row_splits)
        return op("Size")(self._row_splits, out_type=self.dtype) - 1

    def nvals(self):
        """The number of values, a scalar."""
        return self._nvals if self._nvals is not None else self._row_splits[-1]

    def uniform_row_length(self):
        """The length of all rows, a scalar; None when they were not said to be of one length."""
        return self._uniform_row_length

    def row_starts(self):
        return self._row_splits[:-1]

    def row_limits(self):
        return self._row_splits[1:]

    def row_lengths(self):
        if self._row_lengths is not None:
            return self._row_lengths
        if self._uniform_row_length is not None:
            return op("Fill")(self.nrows()[None], self._uniform_row_length)
        return self._row_splits[1:] - self._row_splits[:-1]

    def offsets_in_rows(self):
        """The place of each value in its row, [nvals]."""
        starts = op("GatherV2")(self._row_splits, self.value_rowids(), 0)
        return op("Range")(scalar(0, starts), self.nvals(), scalar(1, starts)) - starts

    def is_uniform(self) -> bool:
        """Whether all rows are known to have one length."""
        if self._uniform_row_length is not None:
            return True
        lengths = known_value(self._row_lengths) if self._row_lengths is not None else None
        if lengths is None:
            splits = known_value(self._row_splits)
            lengths = None if splits is None else splits[1:] - splits[:-1]
        return lengths is not None and (len(lengths) == 0 or bool((lengths == lengths[0]).all()))

    # ---- what is known while a graph is built

    @property
    def static_nrows(self):
        """The number of rows, or None."""
        count = self._row_splits.shape[0] if self._row_splits.shape.rank else None
        return count - 1 if count is not None else static_int(self._nrows)

    @property
    def static_nvals(self):
        """The number of values, or None."""
        found = static_int(self._nvals)
        if found is None and self._value_rowids is not None and self._value_rowids.shape.rank == 1:
            found = self._value_rowids.shape[0]
        if found is None:
            splits = known_value(self._row_splits)
            found = None if splits is None else int(splits[-1])
        return found

    @property
    def static_uniform_row_length(self):
        """The length of all rows, or None."""
        return static_int(self._uniform_row_length)

    # ---- others

    def with_dtype(self, dtype):
        """The partition with tensors of another integer type."""
        dtype = dtypes.as_dtype(dtype)
        if dtype not in _INDEX_TYPES:
            raise ValueError(f"Argument `row_splits` dtype must be int32 or int64. Received {dtype}.")
        if dtype == self.dtype:
            return self
        parts = self._row_splits, self._row_lengths, self._value_rowids, self._nrows
        parts += self._uniform_row_length, self._nvals
        return RowPartition(*(None if p is None else _cast(p, dtype) for p in parts), internal=True)

    def _with_dependencies(self, checks):
        parts = self._row_splits, self._row_lengths, self._value_rowids, self._nrows
        parts += self._uniform_row_length, self._nvals
        return RowPartition(*after(checks, *parts), internal=True) if checks else self

    def _changed(self, **parts):
        kept = {
            "row_splits": self._row_splits,
            "row_lengths": self._row_lengths,
            "value_rowids": self._value_rowids,
            "nrows": self._nrows,
            "uniform_row_length": self._uniform_row_length,
            "nvals": self._nvals,
        }
        return RowPartition(**{**kept, **parts}, internal=True)

    def _with_precomputed_row_splits(self):
        return self

    def _with_precomputed_row_lengths(self):
        return self._changed(row_lengths=self.row_lengths())

    def _with_precomputed_value_rowids(self):
        return self._changed(value_rowids=self.value_rowids())

    def _with_precomputed_nrows(self):
        return self._changed(nrows=self.nrows())

    def _with_precomputed_nvals(self):
        return self._changed(nvals=self.nvals())

    def _has_precomputed_row_splits(self):
        return True

    def _has_precomputed_row_lengths(self):
        return self._row_lengths is not None

    def _has_precomputed_value_rowids(self):
        return self._value_rowids is not None

    def _has_precomputed_nrows(self):
        return self._nrows is not None

    def _has_precomputed_nvals(self):
        return self._nvals is not None

    def _merge_precomputed_encodings(self, other, validate=True):
        """This partition with what the other, which is the same partition, keeps beside."""
        if self is other or self._row_splits is other._row_splits and not other._extras():
            return self
        if self.static_nrows is not None and other.static_nrows is not None and self.static_nrows != other.static_nrows:
            raise ValueError("partitions have incompatible number of rows")
        mine, theirs = self.static_uniform_row_length, other.static_uniform_row_length
        if mine is not None and theirs is not None and mine != theirs:
            raise ValueError("partitions have incompatible row lengths")
        parts = {k: v for k, v in other._extras().items() if k not in self._extras()}
        return self._changed(**parts) if parts else self

    def _extras(self) -> dict:
        found = {
            "row_lengths": self._row_lengths,
            "value_rowids": self._value_rowids,
            "nrows": self._nrows,
            "uniform_row_length": self._uniform_row_length,
            "nvals": self._nvals,
        }
        return {k: v for k, v in found.items() if v is not None}

    @property
    def _type_spec(self):
        return RowPartitionSpec(self.static_nrows, self.static_nvals, self.static_uniform_row_length, self.dtype)

    def __repr__(self):
        def text(t):
            return str(tensor.to_numpy(t)) if isinstance(t, tensor.EagerTensor) else str(t)

        if self._uniform_row_length is not None:
            return f"tf.RowPartition(nrows={text(self._nrows)}, uniform_row_length={text(self._uniform_row_length)})"
        return f"tf.RowPartition(row_splits={text(self._row_splits)})"


def _check_validate(validate):
    if not isinstance(validate, bool):
        raise TypeError("validate must have type bool")


def _check_uniform(length, nrows, nvals) -> list:
    known = [static_int(t) for t in (length, nrows, nvals)]
    if None not in known:
        if known[0] * known[1] != known[2]:
            raise ValueError(f"uniform_row_length={known[0]} times nrows={known[1]} must be nvals, which is {known[2]}")
        return []
    message = "uniform_row_length times nrows must be nvals"
    return require(op("Equal")(nrows * length, nvals), message)


class RowPartitionSpec(type_spec.TypeSpec):
    """What is known of a partition: nrows, nvals, uniform_row_length, each an int or None, and dtype."""

    __slots__ = ("_nrows", "_nvals", "_uniform_row_length", "_dtype")

    def __init__(self, nrows=None, nvals=None, uniform_row_length=None, dtype=dtypes.int64):
        if nvals is None and nrows is not None and uniform_row_length is not None:
            nvals = nrows * uniform_row_length
        if nrows is None and nvals is not None and uniform_row_length:
            nrows = nvals // uniform_row_length
        if None not in (nrows, nvals, uniform_row_length) and nrows * uniform_row_length != nvals:
            raise ValueError(f"nvals={nvals} is not nrows={nrows} times uniform_row_length={uniform_row_length}")
        self._nrows, self._nvals, self._uniform_row_length = (
            tensor_shape.TensorShape([x]) for x in (nrows, nvals, uniform_row_length)
        )
        self._dtype = dtypes.as_dtype(dtype)
        if self._dtype not in _INDEX_TYPES:
            raise ValueError("dtype must be tf.int32 or tf.int64")

    value_type = property(lambda self: RowPartition)
    nrows = property(lambda self: self._nrows[0])
    nvals = property(lambda self: self._nvals[0])
    uniform_row_length = property(lambda self: self._uniform_row_length[0])
    dtype = property(lambda self: self._dtype)

    def _serialize(self):
        return self._nrows, self._nvals, self._uniform_row_length, self._dtype

    @classmethod
    def _deserialize(cls, serialization):
        nrows, nvals, length, dtype = serialization
        return cls(nrows[0], nvals[0], length[0], dtype)

    @property
    def _component_specs(self):
        count = None if self.nrows is None else self.nrows + 1
        return type_spec.TensorSpec([count], self._dtype)

    def _to_components(self, value):
        return value.row_splits()

    def _from_components(self, components):
        return RowPartition.from_row_splits(components, validate=False)

    @classmethod
    @scoped("RowPartition")
    def from_value(cls, value):
        return value._type_spec

    def __repr__(self):
        return (
            f"RowPartitionSpec(nrows={self.nrows}, nvals={self.nvals}, "
            f"uniform_row_length={self.uniform_row_length}, dtype={self._dtype!r})"
        )
