"""Tensors of records: tf.experimental.StructuredTensor."""

from __future__ import annotations

import typing

from ..core import dtypes, extension_type, tensor, tensor_shape, type_spec
from ..core.op_defs import op
from . import array_ops, ragged_conversion_ops, ragged_factory_ops
from .dynamic_ragged_shape import DynamicRaggedShape
from .ragged_tensor import RaggedTensor, array_axis, convert_to_tensor_or_ragged_tensor, is_ragged
from .row_partition import RowPartition, convert_index, static_int


class StructuredTensor(extension_type.BatchableExtensionType):
    """Named fields whose outer dimensions are the same: each element of the tensor has one value of every field.

    Made by from_fields, from_pyval, from_shape. Fields are tensors, ragged tensors and StructuredTensors.
    """

    _fields: typing.Mapping[
        str, typing.Union[tensor.Tensor, RaggedTensor, "StructuredTensor", extension_type.ExtensionType]
    ]
    _ragged_shape: DynamicRaggedShape

    __name__ = "tf.StructuredTensor"
    FieldName = typing.Union[str, typing.Sequence[str]]

    def __init__(self, fields, ragged_shape):
        self._fields, self._ragged_shape = fields, ragged_shape

    # ---- factories

    @classmethod
    def from_shape(cls, ragged_shape):
        """Without fields, of a DynamicRaggedShape."""
        return cls({}, ragged_shape)

    @classmethod
    def from_fields(cls, fields, shape=(), nrows=None, row_partitions=None, validate=False):
        """Of fields by name. shape: the outer dimensions that all fields have, None where they say the size.

        nrows, row_partitions: the shape where there are no fields to say it. ValueError when fields do not fit the shape.
        """
        shape = tensor_shape.as_shape(shape)
        rank = shape.rank
        if rank is None:
            raise ValueError("StructuredTensor's shape must have known rank.")
        if not isinstance(fields, dict):
            raise TypeError(f"fields must be a dictionary, got {type(fields).__name__}")
        if rank < 2 and row_partitions:
            raise ValueError("row_partitions must be None or [] if shape.rank<2")
        if rank == 0 and nrows is not None:
            raise ValueError("nrows must be None if shape.rank==0")
        if row_partitions is not None and len(row_partitions) != max(0, rank - 1):
            raise ValueError("len(row_partitions) must be shape.rank-1")
        converted = {_name(k): _value(v, k) for k, v in fields.items()}
        own = _own_shape(shape, nrows, row_partitions)
        return cls(*_fitted(converted, rank, own, shape))

    @classmethod
    def from_fields_and_rank(cls, fields, rank, validate=False, dtype=None):
        """Of fields that say the shape themselves: their first `rank` dimensions. ValueError without a field."""
        if not fields:
            raise ValueError("Must provide at least one field")
        if not isinstance(rank, int):
            raise ValueError("rank must be an integer")
        if rank < 0:
            raise ValueError("rank must be nonnegative")
        converted = {_name(k): _value(v, k) for k, v in fields.items()}
        made = cls(*_fitted(converted, rank, None, tensor_shape.TensorShape([None] * rank)))
        return made if dtype is None else made.with_shape_dtype(dtype)

    @classmethod
    def from_pyval(cls, pyval, typespec=None):
        """Of nested lists of dictionaries with the same keys; of others a tensor or ragged tensor.

        typespec: what is to be made; by default lists deeper than one are ragged. KeyError, ValueError where they do not fit.
        """
        return _conformed(_of_python(pyval), typespec)

    # ---- what it is

    rank = property(lambda self: self._ragged_shape.rank)
    shape = property(lambda self: self._ragged_shape._to_tensor_shape())
    row_partitions = property(lambda self: self._ragged_shape._as_row_partitions())

    def nrows(self):
        """The size of the first dimension, a scalar; None of rank 0."""
        return None if self.rank == 0 else self._ragged_shape[0]

    def field_names(self):
        return tuple(self._fields)

    def field_value(self, field_name):
        """The field of a name, or of a path of names. KeyError when there is none."""
        if isinstance(field_name, (list, tuple)):
            value = self
            for name in field_name:
                if not isinstance(value, StructuredTensor) or name not in value._fields:
                    raise KeyError(f"Field path {tuple(field_name)} not found in {self}")
                value = value._fields[name]
            return value
        return self._fields[field_name]

    def with_shape_dtype(self, dtype):
        """The same with row partitions of another integer type."""
        dtype = dtypes.as_dtype(dtype)
        if self._ragged_shape.dtype == dtype:
            return self
        fields = {k: _with_splits_dtype(v, dtype) for k, v in self._fields.items()}
        return StructuredTensor(fields, self._ragged_shape.with_dtype(dtype))

    # ---- dimensions

    def partition_outer_dimension(self, row_partition):
        """The first dimension divided into rows. ValueError of rank 0, TypeError when it is no RowPartition."""
        if not isinstance(row_partition, RowPartition):
            raise TypeError("row_partition must be a RowPartition.")
        if self.shape.rank == 0:
            raise ValueError("Shape () must have rank at least 1")
        partition = row_partition.with_dtype(self._ragged_shape.dtype)
        fields = {k: _partitioned(v, partition) for k, v in self._fields.items()}
        shape = _shape_of_partitions([partition, *self.row_partitions], partition.nrows())
        return StructuredTensor(fields, shape)

    def merge_dims(self, outer_axis, inner_axis):
        """The dimensions from outer_axis to inner_axis as one."""
        outer, inner = array_axis(outer_axis, self.rank, "outer_axis"), array_axis(inner_axis, self.rank, "inner_axis")
        if outer > inner:
            raise ValueError(
                f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis ({inner_axis})"
            )
        return _merged(self, outer, inner)

    # ---- other fields

    def promote(self, source_path, new_name):
        """The field at a path also as `new_name` of its grandparent: the dimensions between them become one."""
        if not isinstance(new_name, str):
            raise ValueError("new_name is not a string")
        if len(source_path) < 2:
            raise ValueError("source_path must have a length of at least two")
        above = self.field_value(source_path[:-2]) if len(source_path) > 2 else self
        parent = self.field_value(source_path[:-1])
        value = self.field_value(source_path)
        inner = min(parent.rank, _rank(value) - 1)
        promoted = value if above.rank == 0 or inner <= above.rank else _merged(value, above.rank, inner)
        return self.with_updates({(*source_path[:-2], new_name): promoted})

    def with_updates(self, updates, validate=False):
        """Other fields by name or path: a value, a function of the present value, or None to leave the field out."""
        if not updates:
            return self
        paths = {_path(name): value for name, value in updates.items()}
        for path in paths:
            if not path or "" in path:
                raise ValueError("StructuredTensor.with_updates does not allow empty names")
            for other in paths:
                if len(other) < len(path) and path[: len(other)] == other:
                    raise ValueError(
                        "StructuredTensor.with_updates does not allow both parent and child nodes to be updated: "
                        f"parent={other}, child={path}"
                    )
        return _updated(self, paths, ())

    # ---- Python's own

    def __getitem__(self, key):
        keys = list(key) if isinstance(key, tuple) else [key]
        if not keys:
            return self
        at = next((i for i, k in enumerate(keys) if isinstance(k, str)), None)
        if at == self.rank:
            value, rest = self.field_value(keys[at]), [*keys[:at], *keys[at + 1 :]]
            return value[tuple(rest)] if rest else value
        if at is not None or self.rank == 0:
            bad = keys[at] if at is not None else keys[0]
            raise TypeError(
                "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors "
                f"are valid indices, got {bad!r}"
            )
        if len(keys) > self.rank:
            raise ValueError(
                f"{len(keys)} indices for a StructuredTensor of rank {self.rank}: name a field after {self.rank}"
            )
        fields = {k: v[tuple(keys)] for k, v in self._fields.items()}
        rank = self.rank - sum(not isinstance(k, slice) for k in keys)
        if not fields:
            raise NotImplementedError("slices of a StructuredTensor without fields")
        return StructuredTensor.from_fields_and_rank(fields, rank)

    def __repr__(self):
        texts = []
        for name in sorted(self._fields):
            value = self._fields[name]
            text = repr(value) if isinstance(value, StructuredTensor) else str(value)
            texts.append(
                f'\n        "{name}": ' + text.replace("\n", "\n            " if "StructuredTensor" in text else "\n")
            )
        return f"<StructuredTensor(\n    fields={{{','.join(texts) or _NO_FIELDS}}},\n    shape={self.shape})>"

    def to_pyval(self):
        """Nested lists of dictionaries. ValueError while a graph is built."""
        if any(not isinstance(t, tensor.EagerTensor) for t in self._type_spec.to_tensors(self)):
            raise ValueError("StructuredTensor.to_pyval() is only supported in eager mode.")
        return _to_python(self)

    class Spec:
        """The specs of the fields and of the shape."""

        @property
        def _shape(self):
            return self._ragged_shape._to_tensor_shape()

        shape = property(lambda self: self._shape)
        rank = property(lambda self: self._ragged_shape.rank)
        _field_specs = property(lambda self: self._fields)

        @classmethod
        def _from_shape(cls, shape):
            return StructuredTensor.Spec(_fields={}, _ragged_shape=shape)

        @classmethod
        def _from_fields_and_rank(cls, fields, rank):
            if not fields:
                raise ValueError("Must provide at least one field")
            shape = tensor_shape.TensorShape(None)
            for s in fields.values():
                shape = shape.merge_with(s.shape[:rank]) if s.shape.rank is not None else shape
            made = DynamicRaggedShape.Spec._from_tensor_shape(shape.with_rank(rank), max(rank - 1, 0), dtypes.int64)
            return StructuredTensor.Spec(_fields=dict(fields), _ragged_shape=made)


_NO_FIELDS = "\n        "


# ---- fields


def _name(name):
    if not isinstance(name, str):
        raise TypeError(f"Unexpected type for key in `fields`: {name!r}")
    if not name or name == "_":
        raise ValueError(f"Field name {name!r} is not currently allowed.")
    return name


def _value(value, name):
    if isinstance(value, (StructuredTensor, extension_type.ExtensionType)):
        return value
    try:
        return convert_to_tensor_or_ragged_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Unexpected type for value in `fields`: {value!r} ({name})") from error


def _rank(value):
    return value.rank if isinstance(value, StructuredTensor) else value.shape.rank


def _shape_of(value):
    if isinstance(value, StructuredTensor):
        return value._ragged_shape
    if isinstance(value, (tensor.Tensor, RaggedTensor)):
        return DynamicRaggedShape.from_tensor(value)
    raise ValueError(f"{value!r} has no shape")


def _with_splits_dtype(value, dtype):
    if isinstance(value, RaggedTensor):
        return value.with_row_splits_dtype(dtype)
    return value.with_shape_dtype(dtype) if isinstance(value, StructuredTensor) else value


# ---- the shape that fields have in common


def _outer(value, rank):
    """(nrows, partitions) of the first dimensions of a field."""
    shape = _shape_of(value)
    if shape.rank is not None and shape.rank < rank:
        raise ValueError(f"its shape {shape._to_tensor_shape()} has less than {rank} dimensions")
    return (shape[0] if rank else None), list(shape._as_row_partitions()[: max(rank - 1, 0)])


def _shape_of_partitions(partitions, nrows):
    if partitions:
        return DynamicRaggedShape(partitions, partitions[-1].nvals()[None])
    known = static_int(nrows)
    return DynamicRaggedShape([], nrows[None], static_inner_shape=None if known is None else [known])


def _own_shape(shape, nrows, row_partitions):
    """(nrows, partitions) of what the caller says of the shape; None when that is not all of it."""
    rank = shape.rank
    if rank == 0:
        return None, []
    if row_partitions:
        kind = _one_dtype([p.dtype for p in row_partitions])
        partitions = [p.with_dtype(kind) for p in row_partitions]
        return partitions[0].nrows(), partitions
    if shape.is_fully_defined():
        made = DynamicRaggedShape.from_lengths(shape.as_list())
        return made[0], list(made._as_row_partitions())
    if nrows is not None and rank == 1:
        return convert_index(nrows), []
    return None


def _one_dtype(found):
    return found[0] if len({d.name for d in found}) == 1 else dtypes.int64


def _fitted(fields, rank, own, shape):
    """The fields, of one integer type, and the shape that they have in common."""
    if rank == 0:
        return fields, DynamicRaggedShape([], array_ops.zeros([0], dtypes.int64), dtype=dtypes.int64)
    found = [] if own is None else [own]
    for name, value in fields.items():
        try:
            found.append(_outer(value, rank))
        except (ValueError, TypeError, IndexError) as error:
            raise ValueError(f"Error in shape of {name}: {error}") from error
    if not found:
        what = "row_partitions, a fully specified shape," if rank > 1 else "`nrows`, a fully specified `shape`,"
        more = "have fields if rank > 1" if rank > 1 else "have `fields` if `rank=1`"
        raise ValueError(f"Must specify {what} or {more}")
    kind = _one_dtype([_dtype_of(nrows, partitions) for nrows, partitions in found])
    found = [(array_ops.cast(n, kind), [p.with_dtype(kind) for p in partitions]) for n, partitions in found]
    names = ([] if own is None else ["the shape"]) + list(fields)
    nrows, partitions = found[0]
    for name, (other_nrows, others) in zip(names[1:], found[1:]):
        _check_rows(name, nrows, other_nrows)
        partitions = [_one_partition(name, p, q) for p, q in zip(partitions, others)]
        nrows = nrows if static_int(nrows) is not None else other_nrows
    if shape[0] is not None and static_int(nrows) not in (None, shape[0]):
        raise ValueError(f"Shapes {shape} and ({static_int(nrows)},) are incompatible")
    return {k: _with_splits_dtype(v, kind) for k, v in fields.items()}, _shape_of_partitions(partitions, nrows)


def _dtype_of(nrows, partitions):
    return partitions[0].dtype if partitions else nrows.dtype


def _check_rows(name, a, b):
    known = static_int(a), static_int(b)
    if None not in known and known[0] != known[1]:
        raise ValueError(f"Error in shape of {name}: {known[1]} rows, others have {known[0]}")


def _one_partition(name, p, q):
    try:
        return p._merge_precomputed_encodings(q)
    except ValueError as error:
        raise ValueError(f"Error in shape of {name}: {error}") from error


# ---- other dimensions


def _partitioned(value, partition):
    if isinstance(value, StructuredTensor):
        return value.partition_outer_dimension(partition)
    if isinstance(value, RaggedTensor):
        value = value.with_row_splits_dtype(partition.dtype)
    elif partition.uniform_row_length() is not None:
        inner = op("Shape")(value, out_type=partition.dtype)[1:]
        made = op("Reshape")(
            value, op("ConcatV2")([op("Pack")([partition.nrows(), partition.uniform_row_length()]), inner], 0)
        )
        if value.shape.rank is not None:
            outer = [partition.static_nrows, partition.static_uniform_row_length]
            made.set_shape([*outer, *value.shape[1:]])
        return made
    return RaggedTensor._from_row_partition(value, partition, validate=False)


def _merged(value, outer, inner):
    if outer == inner:
        return value
    if not isinstance(value, StructuredTensor):
        return ragged_conversion_ops.merge_dims(value, outer, inner)
    fields = {k: _merged(v, outer, inner) for k, v in value._fields.items()}
    partitions = list(value.row_partitions)
    if outer == 0:
        rest = partitions[inner:]
        nrows = partitions[inner - 1].nvals()
        return StructuredTensor(fields, _shape_of_partitions(rest, nrows))
    splits = partitions[outer - 1].row_splits()
    for p in partitions[outer:inner]:
        splits = op("GatherV2")(p.row_splits(), splits, 0)
    merged = [*partitions[: outer - 1], RowPartition.from_row_splits(splits, validate=False), *partitions[inner:]]
    return StructuredTensor(fields, _shape_of_partitions(merged, value.nrows()))


# ---- updates


def _path(name):
    return (name,) if isinstance(name, str) else tuple(name)


def _updated(value, paths, prefix):
    fields, below = dict(value._fields), {}
    for path, update in paths.items():
        if len(path) > 1:
            below.setdefault(path[0], {})[path[1:]] = update
            continue
        name, full = path[0], (*prefix, path[0])
        if update is None:
            if name not in fields:
                raise ValueError(f"`StructuredTensor.with_updates` cannot delete {full}: it is not present")
            del fields[name]
        elif callable(update):
            if name not in fields:
                raise ValueError(f"`StructuredTensor.with_updates` cannot update {full}: it does not already exist")
            fields[name] = update(fields[name])
        else:
            fields[name] = update
    for name, inner in below.items():
        full = (*prefix, name)
        if name not in fields:
            raise ValueError(f"`StructuredTensor.with_updates` cannot create new sub-field: {full} is not set")
        if not isinstance(fields[name], StructuredTensor):
            raise ValueError(
                f"`StructuredTensor.with_updates` cannot create new sub-field: {full} is not a `StructuredTensor`"
            )
        fields[name] = _updated(fields[name], inner, full)
    shape = value._ragged_shape
    converted = {_name(k): _value(v, k) for k, v in fields.items()}
    own = (value.nrows(), list(value.row_partitions)) if value.rank else (None, [])
    try:
        fields, shape = _fitted(converted, value.rank, own, tensor_shape.TensorShape([None] * value.rank))
    except ValueError as error:
        raise ValueError(
            f"`StructuredTensor.with_updates` failed for field {prefix or tuple(fields)}: {error}"
        ) from error
    return StructuredTensor(fields, shape)


# ---- Python's values


def _of_python(pyval):
    if isinstance(pyval, dict):
        return StructuredTensor.from_fields({k: _of_python(v) for k, v in pyval.items()}, shape=())
    if isinstance(pyval, (list, tuple)) and _has_dictionaries(pyval):
        return _of_list(pyval)
    if isinstance(pyval, (list, tuple)):
        return ragged_factory_ops.constant(pyval)
    return array_ops.convert_to_tensor(pyval)


def _has_dictionaries(pyval) -> bool:
    return any(isinstance(v, dict) or isinstance(v, (list, tuple)) and _has_dictionaries(v) for v in pyval)


def _of_list(pyval):
    """Nested lists of dictionaries: fields of the flat list, in its rows."""
    nested, values = [], pyval
    while not any(isinstance(v, dict) for v in values):
        if any(not isinstance(v, (list, tuple)) for v in values):
            raise ValueError("Expected dict or nested list/tuple of dict")
        nested.append([len(v) for v in values])
        values = [item for row in values for item in row]
    if any(isinstance(v, (list, tuple)) for v in values):
        raise ValueError("Inconsistent depth of dictionaries")
    if any(not isinstance(v, dict) for v in values):
        raise ValueError("Expected dict or nested list/tuple of dict")
    names = list(values[0])
    for v in values:
        extra = [k for k in v if k not in names]
        if extra:
            raise KeyError(extra[0])
    fields = {name: _of_python([v[name] for v in values]) for name in names}
    made = StructuredTensor.from_fields(fields, shape=(len(values),))
    for lengths in reversed(nested):
        made = made.partition_outer_dimension(RowPartition.from_row_lengths(array_ops.constant(lengths, dtypes.int64)))
    return made


def _conformed(value, spec):
    """The value as a spec has it: dense where it is a TensorSpec."""
    if spec is None:
        return value
    if isinstance(spec, type_spec.TensorSpec):
        value = value.to_tensor() if is_ragged(value) else value
        if isinstance(value, StructuredTensor) or not spec.shape.is_compatible_with(value.shape):
            raise ValueError(f"Value at () does not match typespec {spec}")
        return array_ops.cast(value, spec.dtype)
    if not isinstance(spec, StructuredTensor.Spec):
        return value
    if not isinstance(value, StructuredTensor):
        if spec.rank and not spec._fields:
            return StructuredTensor.from_fields({}, shape=spec.shape)
        raise ValueError(f"Value at () does not match typespec {spec}")
    if spec.rank is not None and value.rank != spec.rank:
        raise ValueError("Value at () does not match typespec (rank mismatch)")
    if set(value.field_names()) != set(spec._fields):
        raise ValueError("Value at () does not match typespec: other fields")
    fields = {k: _conformed(value.field_value(k), s) for k, s in spec._fields.items()}
    if not fields:
        return value
    return StructuredTensor.from_fields(fields, shape=spec.shape)


def _to_python(value):
    if not isinstance(value, StructuredTensor):
        if isinstance(value, RaggedTensor):
            return value.to_list()
        made = tensor.to_numpy(value)
        return made.tolist() if hasattr(made, "tolist") else made
    if value.rank == 0:
        return {k: _to_python(v) for k, v in value._fields.items()}
    flat = _merged(value, 0, value.rank - 1)
    columns = {k: _to_python(v) for k, v in flat._fields.items()}
    rows = [{k: c[i] for k, c in columns.items()} for i in range(static_int(flat.nrows()))]
    for p in reversed(value.row_partitions):
        splits = p.row_splits()._tolist()
        rows = [rows[a:b] for a, b in zip(splits[:-1], splits[1:])]
    return rows
