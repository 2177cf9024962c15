"""tf.RaggedTensor: tensors whose rows differ in length.

A ragged tensor is `values`, which is a tensor or a ragged tensor, and a RowPartition of them into rows. `flat_values` are the
values of the innermost; dimensions after ragged_rank are those of flat_values, and uniform.
"""

from __future__ import annotations

from ..core import composite_tensor, dispatch, dtypes, graph, nest, tensor, tensor_shape, type_spec
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops, ragged_gradients
from .ragged_values import RaggedTensorValue
from .row_partition import RowPartition, after, convert_index, require, scalar, scoped


def is_ragged(value) -> bool:
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def convert_to_tensor_or_ragged_tensor(value, dtype=None, preferred_dtype=None, name=None):
    """The value if it is a ragged tensor, what a RaggedTensorValue says as one, and others as a tensor."""
    if isinstance(value, RaggedTensor):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for RaggedTensor with dtype "
                f"{value.dtype.name}: {value!r}"
            )
        return value
    if isinstance(value, RaggedTensorValue):
        with_values = convert_to_tensor_or_ragged_tensor(value.values, dtype, preferred_dtype)
        return RaggedTensor.from_row_splits(with_values, value.row_splits, validate=False)
    return array_ops.convert_to_tensor(value, dtype, preferred_dtype, name)


def match_row_splits_dtypes(*values, return_dtype=False):
    """The values, of which ragged ones get one type of row splits: int64 where they differ."""
    types = {v.row_splits.dtype for v in values if isinstance(v, RaggedTensor)}
    dtype = types.pop() if len(types) == 1 else dtypes.int64
    if types:
        values = tuple(v.with_row_splits_dtype(dtype) if isinstance(v, RaggedTensor) else v for v in values)
    return (dtype, values) if return_dtype else list(values)


def _splits_hint(values):
    return values.row_splits.dtype if isinstance(values, RaggedTensor) else None


class RaggedTensor(composite_tensor.CompositeTensor):
    """A tensor with rows of different lengths. Made by tf.ragged.constant, and the factories from_row_splits and so on."""

    is_tensor_like = True

    def __init__(self, values, row_partition, internal=False):
        if not internal:
            raise ValueError(
                "RaggedTensor constructor is private; please use one of the factory methods instead (e.g., "
                "RaggedTensor.from_row_lengths())"
            )
        if not isinstance(values, (tensor.Tensor, RaggedTensor)):
            raise TypeError(f"type(values) must be one of: Tensor, RaggedTensor, got {type(values)}")
        if not isinstance(row_partition, RowPartition):
            raise TypeError(f"Argument `row_partition` must be a RowPartition. Received {row_partition}.")
        values.shape.with_rank_at_least(1)
        if isinstance(values, RaggedTensor) and values.row_splits.dtype != row_partition.dtype:
            raise ValueError(
                "Argument `values` and `row_partition` must have the same row splits dtype, got "
                f"{values.row_splits.dtype} and {row_partition.dtype}"
            )
        self._values, self._row_partition = values, row_partition

    # ---- factories

    @classmethod
    def _from_row_partition(cls, values, row_partition, validate=True):
        """Of values and a partition of them."""
        values = _convert_values(values)
        _check_splits_dtype(values, row_partition)
        if isinstance(values, graph.SymbolicTensor) and isinstance(row_partition.row_splits(), graph.SymbolicTensor):
            if values.graph is not row_partition.row_splits().graph:
                raise ValueError(f"{values!r} must be from the same graph as {row_partition.row_splits()!r}")
        if validate:
            have = op("Shape")(_outer(values), out_type=row_partition.dtype)[0]
            known, nvals = values.shape[0], row_partition.static_nvals
            if known is None or nvals is None or known != nvals:
                message = "Arguments to _from_row_partition do not form a valid RaggedTensor"
                row_partition = row_partition._with_dependencies(
                    require(op("Equal")(row_partition.nvals(), have), message)
                )
        return cls(values, row_partition, internal=True)

    @classmethod
    @scoped("Ragged")
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True):
        """Of values and the row of each: [nvals, ...] and [nvals]."""
        values = _convert_values(values, "values")
        made = RowPartition.from_value_rowids(value_rowids, nrows, validate, dtype_hint=_splits_hint(values))
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @scoped("Ragged")
    def from_row_splits(cls, values, row_splits, name=None, validate=True):
        """Of values and where rows begin, and the last ends: [nvals, ...] and [nrows + 1]."""
        values = _convert_values(values, "values")
        made = RowPartition.from_row_splits(row_splits, validate, dtype_hint=_splits_hint(values))
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @scoped("Ragged")
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True):
        """Of values and the length of each row: [nvals, ...] and [nrows]."""
        values = _convert_values(values, "values")
        made = RowPartition.from_row_lengths(row_lengths, validate, dtype_hint=_splits_hint(values))
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @scoped("Ragged")
    def from_row_starts(cls, values, row_starts, name=None, validate=True):
        """Of values and where rows begin: [nvals, ...] and [nrows]."""
        values = _convert_values(values, "values")
        starts = convert_index(row_starts, dtype_hint=_splits_hint(values))
        made = RowPartition.from_row_starts(starts, _nvals(values, starts.dtype), validate)
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @scoped("Ragged")
    def from_row_limits(cls, values, row_limits, name=None, validate=True):
        """Of values and where rows end: [nvals, ...] and [nrows]."""
        values = _convert_values(values, "values")
        made = RowPartition.from_row_limits(row_limits, validate, dtype_hint=_splits_hint(values))
        return cls._from_row_partition(values, made, validate)

    @classmethod
    @scoped("Ragged")
    def from_uniform_row_length(cls, values, uniform_row_length, nrows=None, validate=True, name=None):
        """Of values in rows of one length. nrows has to be given where the length may be zero."""
        values = _convert_values(values, "values")
        length = convert_index(uniform_row_length, _splits_hint(values))
        made = RowPartition.from_uniform_row_length(length, _nvals(values, length.dtype), nrows, validate)
        return cls._from_row_partition(values, made, validate)

    @classmethod
    def from_nested_value_rowids(cls, flat_values, nested_value_rowids, nested_nrows=None, name=None, validate=True):
        """Of flat values and value_rowids of each ragged dimension, the outermost first."""
        if isinstance(nested_value_rowids, tensor.Tensor):
            raise TypeError(
                f"Argument `nested_value_rowids` must be a list of Tensors. Received {nested_value_rowids}."
            )
        if nested_nrows is None:
            nested_nrows = [None] * len(nested_value_rowids)
        elif isinstance(nested_nrows, tensor.Tensor):
            raise TypeError(f"Argument `nested_nrows` must be a list of Tensors. Received {nested_nrows}.")
        elif len(nested_nrows) != len(nested_value_rowids):
            raise ValueError(
                "Argument `nested_nrows` must have the same length as argument `nested_value_rowids`. len(nested_nrows) = "
                f"{len(nested_nrows)} vs. len(nested_values_rowids) = {len(nested_value_rowids)}."
            )
        made = flat_values
        for rowids, nrows in reversed(list(zip(nested_value_rowids, nested_nrows))):
            made = cls.from_value_rowids(made, rowids, nrows, validate=validate)
        return made

    @classmethod
    def from_nested_row_splits(cls, flat_values, nested_row_splits, name=None, validate=True):
        """Of flat values and row_splits of each ragged dimension, the outermost first."""
        if isinstance(nested_row_splits, tensor.Tensor):
            raise TypeError(f"Argument `nested_row_splits` must be a list of Tensors. Received {nested_row_splits}.")
        made = flat_values
        for splits in reversed(list(nested_row_splits)):
            made = cls.from_row_splits(made, splits, validate=validate)
        return made

    @classmethod
    def from_nested_row_lengths(cls, flat_values, nested_row_lengths, name=None, validate=True):
        """Of flat values and row_lengths of each ragged dimension, the outermost first."""
        if isinstance(nested_row_lengths, tensor.Tensor):
            raise TypeError(f"Argument `nested_row_lengths` must be a list of Tensors. Received {nested_row_lengths}.")
        made = flat_values
        for lengths in reversed(list(nested_row_lengths)):
            made = cls.from_row_lengths(made, lengths, validate=validate)
        return made

    @classmethod
    def _from_nested_row_partitions(cls, flat_values, nested_row_partitions, name=None, validate=True):
        if not isinstance(nested_row_partitions, (list, tuple)):
            raise TypeError("Argument `nested_row_partitions` must be a list of RowPartitions.")
        made = flat_values
        for partition in reversed(nested_row_partitions):
            made = cls._from_row_partition(made, partition, validate)
        return made

    @classmethod
    def from_tensor(cls, tensor, lengths=None, padding=None, ragged_rank=1, name=None, row_splits_dtype=dtypes.int64):
        """Of a tensor, less the end of rows: what is after `lengths`, or a trailing run of `padding`."""
        from . import ragged_conversion_ops

        return ragged_conversion_ops.from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)

    @classmethod
    def from_sparse(cls, st_input, name=None, row_splits_dtype=dtypes.int64):
        """Of a SparseTensor [nrows, any] whose rows have their values at their beginning."""
        from . import ragged_conversion_ops

        return ragged_conversion_ops.from_sparse(st_input, name, row_splits_dtype)

    # ---- what it is

    values = property(lambda self: self._values)
    dtype = property(lambda self: self._values.dtype)
    row_splits = property(lambda self: self._row_partition.row_splits())
    uniform_row_length = property(lambda self: self._row_partition.uniform_row_length())

    @property
    def shape(self):
        """The shape as far as it is known; None for dimensions whose rows differ."""
        partition = self._row_partition
        outer = tensor_shape.TensorShape([partition.static_nrows, partition.static_uniform_row_length])
        return outer.concatenate(self._values.shape[1:])

    def get_shape(self):
        return self.shape

    @property
    def ragged_rank(self) -> int:
        """The number of partitions."""
        return 1 + (self._values.ragged_rank if isinstance(self._values, RaggedTensor) else 0)

    @property
    def flat_values(self):
        """The innermost values, a tensor."""
        values = self._values
        while isinstance(values, RaggedTensor):
            values = values._values
        return values

    @property
    def _nested_row_partitions(self):
        partitions, at = [], self
        while isinstance(at, RaggedTensor):
            partitions.append(at._row_partition)
            at = at._values
        return tuple(partitions)

    @property
    def nested_row_splits(self):
        """row_splits of each partition, the outermost first."""
        return tuple(p.row_splits() for p in self._nested_row_partitions)

    def nested_value_rowids(self, name=None):
        return tuple(p.value_rowids() for p in self._nested_row_partitions)

    def nested_row_lengths(self, name=None):
        return tuple(p.row_lengths() for p in self._nested_row_partitions)

    def value_rowids(self, name=None):
        """The row of each value."""
        return self._row_partition.value_rowids()

    def nrows(self, out_type=None, name=None):
        """The number of rows, a scalar."""
        made = self._row_partition.nrows()
        return made if out_type is None else array_ops.cast(made, out_type)

    def row_starts(self, name=None):
        return self._row_partition.row_starts()

    def row_limits(self, name=None):
        return self._row_partition.row_limits()

    def row_lengths(self, axis=1, name=None):
        """The lengths of rows along an axis: of shape [nrows] for axis 1, as the dimensions before the axis for others."""
        if axis == 0:
            return self._row_partition.nrows()
        if axis == 1:
            return self._row_partition.row_lengths()
        axis = array_axis(axis, self.shape.rank, "axis")
        if axis == 0:
            return self.nrows()
        if axis == 1:
            return self._row_partition.row_lengths()
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(axis - 1))
        shape = op("Shape")(self._values, out_type=self._row_partition.dtype)
        return self.with_values(op("Fill")(shape[: axis - 1], shape[axis - 1]))

    def bounding_shape(self, axis=None, name=None, out_type=None):
        """The least shape of a tensor that holds all rows; of one axis or several the size there."""
        dtype = dtypes.as_dtype(out_type) if out_type is not None else self.row_splits.dtype
        lengths = self._row_partition.row_lengths()
        longest = op("Maximum")(op("Max")(lengths, [0]), scalar(0, lengths))
        if isinstance(axis, int) and axis in (0, 1):
            return array_ops.cast(self.nrows() if axis == 0 else longest, dtype)
        inner = (
            self._values.bounding_shape()
            if isinstance(self._values, RaggedTensor)
            else op("Shape")(self._values, out_type=self.row_splits.dtype)
        )
        made = op("ConcatV2")([op("Pack")([self.nrows(), longest]), inner[1:]], 0)
        if axis is not None:
            made = op("GatherV2")(made, axis, 0)
        return array_ops.cast(made, dtype)

    # ---- the same with others

    def with_values(self, new_values):
        """The same rows of other values, as many as there are."""
        new_values = _convert_values(new_values)
        new_values.shape.with_rank_at_least(1)
        self._values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        _check_splits_dtype(new_values, self._row_partition)
        return RaggedTensor(new_values, self._row_partition, internal=True)

    def with_flat_values(self, new_values):
        """The same partitions of other flat values, as many as there are."""
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.with_flat_values(new_values))
        new_values = _convert_values(new_values)
        if new_values.shape.rank is not None:
            new_values.shape.with_rank_at_least(1)
            self._values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype):
        """The same with row splits of another integer type."""
        dtype = dtypes.as_dtype(dtype)
        if dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError(f"Argument `row_splits` dtype must be int32 or int64. Received {dtype}.")
        if self._row_partition.dtype == dtype:
            return self
        values = self._values.with_row_splits_dtype(dtype) if isinstance(self._values, RaggedTensor) else self._values
        return RaggedTensor(values, self._row_partition.with_dtype(dtype), internal=True)

    def merge_dims(self, outer_axis, inner_axis):
        """The dimensions from outer_axis to inner_axis as one."""
        from . import ragged_conversion_ops

        rank = self.shape.rank
        outer, inner = array_axis(outer_axis, rank, "outer_axis"), array_axis(inner_axis, rank, "inner_axis")
        if not outer <= inner:
            raise ValueError(
                f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis ({inner_axis})"
            )
        return ragged_conversion_ops.merge_dims(self, outer, inner)

    def _set_shape(self, shape):
        """Says more of the shape than was known; ValueError when it contradicts that."""
        shape = tensor_shape.as_shape(shape)
        if shape.rank is None:
            return
        shape = shape.as_list()
        if shape[0] is not None:
            self._set_nrows(shape[0])
        if shape[1] is not None:
            self._set_row_length(shape[1])
        if len(shape) > 2 or self._values.shape.rank is None:
            inner = tensor_shape.TensorShape([None, *shape[2:]])
            if isinstance(self._values, RaggedTensor):
                self._values._set_shape(inner)
            else:
                self._values.set_shape(inner)

    def _set_nrows(self, count):
        self._row_partition.row_splits().shape.assert_is_compatible_with([count + 1])
        if isinstance(self.row_splits, graph.SymbolicTensor):
            self.row_splits.set_shape([count + 1])

    def _set_row_length(self, length):
        known = self._row_partition.static_uniform_row_length
        if known is not None:
            if known != length:
                raise ValueError(f"Inconsistent size for axis 1: {known} vs {length}")
            return
        lengths = known_value(self._row_partition.row_lengths())
        if lengths is not None and any(n != length for n in lengths):
            raise ValueError(f"Inconsistent size for axis 1: rows differ from {length}")
        nrows = self._row_partition.nrows()
        if self._values.shape.rank and self._values.shape[0] is None and self._row_partition.static_nrows is not None:
            if isinstance(self._values, graph.SymbolicTensor):
                self._values.set_shape(
                    [length * self._row_partition.static_nrows] + [None] * (self._values.shape.rank - 1)
                )
        self._row_partition = self._row_partition._changed(uniform_row_length=scalar(length, nrows), nrows=nrows)

    # ---- conversion

    def to_tensor(self, default_value=None, name=None, shape=None):
        """A tensor that holds all rows, filled up with default_value; of this shape when it is given (None: as needed)."""
        from . import ragged_conversion_ops

        return ragged_conversion_ops.to_tensor(self, default_value, name, shape)

    def to_sparse(self, name=None):
        """A SparseTensor with all values."""
        from . import ragged_conversion_ops

        return ragged_conversion_ops.to_sparse(self, name)

    def _to_variant(self, batched_input=False, name=None):
        """The tensor as a variant; batched: a vector of variants, one for each row."""
        return op("RaggedTensorToVariant")(
            list(self.nested_row_splits), self.flat_values, batched_input=batched_input, name=name
        )

    @classmethod
    def _from_variant(
        cls,
        variant,
        dtype,
        output_ragged_rank,
        input_ragged_rank=None,
        row_splits_dtype=dtypes.int64,
        name=None,
    ):
        """Of what _to_variant gives, of any shape: its dimensions are the outer ones of the result."""
        variant = array_ops.convert_to_tensor(variant, dtypes.as_dtype("variant"))
        if variant.shape.rank is not None and input_ragged_rank is not None:
            if output_ragged_rank != variant.shape.rank + input_ragged_rank:
                raise ValueError(
                    f"Argument `output_ragged_rank` ({output_ragged_rank}) must be equal to `input_ragged_rank` + "
                    f"`variant.shape.ndims` ({variant.shape.rank + input_ragged_rank})."
                )
        made = op("RaggedTensorFromVariant")(
            variant,
            input_ragged_rank=-1 if input_ragged_rank is None else input_ragged_rank,
            output_ragged_rank=max(output_ragged_rank, 0),
            Tvalues=dtype,
            Tsplits=row_splits_dtype,
            name=name,
        )
        splits, values = made
        return cls.from_nested_row_splits(values, splits, validate=False)

    def numpy(self):
        """A numpy array where rows have one length, otherwise one of type object whose elements are the rows."""
        if not self._is_eager():
            raise ValueError("RaggedTensor.numpy() is only supported in eager mode.")
        return self._eager_value().as_array()

    def to_list(self):
        """Nested Python lists."""
        if not self._is_eager():
            raise ValueError("RaggedTensor.to_list() is only supported in eager mode.")
        return self._eager_value().to_list()

    def _is_eager(self):
        return composite_tensor.is_eager(self)

    def _eager_value(self):
        value = tensor.to_numpy(self.flat_values)
        for splits in reversed(self.nested_row_splits):
            value = RaggedTensorValue(value, tensor.to_numpy(splits))
        return value

    def _as_graph_element(self):
        return [self.flat_values, *self.nested_row_splits]

    def consumers(self):
        return self._consumers()

    # ---- as a composite tensor

    @property
    def _type_spec(self):
        return RaggedTensorSpec.from_value(self)

    def _shape_invariant_to_type_spec(self, shape):
        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank, self.row_splits.dtype)

    def _session_value(self, values):
        flat, *splits = values
        for s in reversed(splits):
            flat = RaggedTensorValue(flat, s)
        return flat

    def _session_feed(self, value):
        parts = [value.flat_values, *value.nested_row_splits] if is_ragged(value) else value
        return list(zip(self._session_parts()[0], parts, strict=True))

    # ---- Python's own

    def __getitem__(self, key):
        from . import ragged_getitem

        return ragged_getitem.getitem(self, key)

    def __iter__(self):
        count = self._row_partition.static_nrows
        if count is None:
            raise TypeError(
                "A RaggedTensor whose number of rows is not known while a graph is built cannot be iterated over."
            )
        return (self[i] for i in range(count))

    def _autograph_for(self, extra_test, body, get_state, set_state, names, options):
        """A `for` over the rows in a converted function: a loop of the graph."""
        from ..conversion import loops

        count = array_ops.cast(self.nrows(), dtypes.int32)
        loops.over_rows(lambda: count, lambda i: self[i], extra_test, body, get_state, set_state, names, options)

    def __repr__(self):
        if self._is_eager():
            if self.dtype.is_numpy_compatible:
                from .ragged_values import text_of_rows

                return f"<tf.RaggedTensor {text_of_rows(self._eager_value())}>"
            return f"<tf.RaggedTensor shape={self.shape}, dtype={self.dtype.name}>"
        return f"tf.RaggedTensor(values={self._values!s}, row_splits={self.row_splits!s})"

    def __bool__(self):
        raise TypeError("RaggedTensor may not be used as a boolean.")

    __str__ = __repr__


def _operator(function, reflected=False):
    def apply(self, other):
        from . import math_ops, ragged_elementwise

        operands = (other, self) if reflected else (self, other)
        return ragged_elementwise.binary(getattr(math_ops, function), operands, {})

    return apply


def _unary_operator(function):
    def apply(self):
        from . import math_ops

        return self.with_flat_values(getattr(math_ops, function)(self.flat_values))

    return apply


def _equality(function, otherwise):
    compare = _operator(function)

    def apply(self, other):
        return otherwise if other is None else compare(self, other)

    return apply


def _hash(self):
    if self._is_eager():
        raise TypeError("RaggedTensor is unhashable.")
    return id(self)


_BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "truediv",
    "floordiv": "floordiv",
    "mod": "floormod",
    "pow": "pow",
    "and": "logical_and",
    "or": "logical_or",
    "xor": "logical_xor",
}
for _word, _function in _BINARY.items():
    setattr(RaggedTensor, f"__{_word}__", _operator(_function))
    setattr(RaggedTensor, f"__r{_word}__", _operator(_function, reflected=True))
for _word, _function in {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}.items():
    setattr(RaggedTensor, f"__{_word}__", _operator(_function))
for _word, _function in {"neg": "negative", "abs": "abs", "invert": "logical_not"}.items():
    setattr(RaggedTensor, f"__{_word}__", _unary_operator(_function))
RaggedTensor.__eq__ = _equality("equal", False)
RaggedTensor.__ne__ = _equality("not_equal", True)
RaggedTensor.__hash__ = _hash


def array_axis(axis, rank, name="axis"):
    """An axis as a number from 0; ValueError when there is none."""
    if not isinstance(axis, int):
        raise TypeError(f"{name} must be an int; got {type(axis).__name__}.")
    if rank is None:
        if axis < 0:
            raise ValueError(f"{name}={axis} may only be negative if ndims is statically known.")
        return axis
    if not -rank <= axis < rank:
        raise ValueError(f"{name}={axis} out of bounds: expected {-rank}<={name}<{rank}")
    return axis + rank if axis < 0 else axis


def _check_splits_dtype(values, partition) -> None:
    if isinstance(values, RaggedTensor) and values.row_splits.dtype != partition.dtype:
        raise ValueError(
            f"dtype mismatch: the row splits of values are {values.row_splits.dtype.name}, those of the partition "
            f"{partition.dtype.name}. Use RaggedTensor.with_row_splits_dtype()"
        )


def _convert_values(values, name=None):
    if isinstance(values, (tensor.Tensor, RaggedTensor)):
        return values
    return convert_to_tensor_or_ragged_tensor(values, name=name)


def _outer(values):
    """A tensor with as many elements along axis 0 as the values have."""
    while isinstance(values, RaggedTensor):
        return values.row_splits[1:]
    return values


def _nvals(values, dtype):
    if isinstance(values, RaggedTensor):
        return array_ops.cast(values.nrows(), dtype)
    if values.shape.rank and values.shape[0] is not None:
        return array_ops.constant(values.shape[0], dtype)
    return op("Shape")(values, out_type=dtype)[0]


def values_after(checks, value):
    """A tensor or ragged tensor that is used only when the checks have passed."""
    if not checks:
        return value
    if isinstance(value, RaggedTensor):
        return value.with_flat_values(after(checks, value.flat_values))
    return after(checks, value)


@type_spec.register("tf.RaggedTensorSpec")
class RaggedTensorSpec(type_spec.BatchableTypeSpec):
    """What a ragged tensor has to be."""

    __slots__ = ("_shape", "_dtype", "_ragged_rank", "_row_splits_dtype", "_flat_values_spec")

    def __init__(
        self,
        shape=None,
        dtype=dtypes.float32,
        ragged_rank=None,
        row_splits_dtype=dtypes.int64,
        flat_values_spec=None,
    ):
        self._shape = tensor_shape.as_shape(shape)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        if flat_values_spec is not None:
            dtype = flat_values_spec.dtype if dtype is None else dtype
            if dtypes.as_dtype(dtype) != flat_values_spec.dtype:
                raise ValueError("dtype must be the same as flat_values_spec.dtype")
        elif dtype is None:
            raise ValueError("At least one of dtype or flat_values_spec must be provided")
        self._dtype, self._flat_values_spec = dtypes.as_dtype(dtype), flat_values_spec
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        self._ragged_rank = ragged_rank
        if not isinstance(ragged_rank, int):
            raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
        if rank is not None and ragged_rank >= rank:
            raise ValueError(f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({rank}).")

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    ragged_rank = property(lambda self: self._ragged_rank)
    row_splits_dtype = property(lambda self: self._row_splits_dtype)
    flat_values_spec = property(lambda self: self._flat_values_spec)
    value_type = property(lambda self: RaggedTensor if self._ragged_rank > 0 else tensor.Tensor)

    @classmethod
    def from_value(cls, value):
        if isinstance(value, RaggedTensorValue) or isinstance(value.flat_values, tensor.Tensor):
            return cls(value.shape, value.flat_values.dtype, value.ragged_rank, value.row_splits.dtype)
        flat = value.flat_values._type_spec
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype, flat._unbatch()._batch(None))

    def _serialize(self):
        made = self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype
        return made if self._flat_values_spec is None else (*made, self._flat_values_spec)

    def is_compatible_with(self, spec_or_value) -> bool:
        if self._ragged_rank == 0 and isinstance(spec_or_value, (tensor.Tensor, type_spec.TensorSpec)):
            return type_spec.TensorSpec(self._shape, self._dtype).is_compatible_with(spec_or_value)
        return super().is_compatible_with(spec_or_value)

    @property
    def _component_specs(self):
        if self._ragged_rank <= 0:
            return [self._flat_values_spec or type_spec.TensorSpec(self._shape, self._dtype)]
        flat = self._flat_values_spec
        if flat is None:
            inner = self._shape[self._ragged_rank + 1 :] if self._shape.rank is not None else None
            shape = None if inner is None else tensor_shape.TensorShape([None]).concatenate(inner)
            flat = type_spec.TensorSpec(shape, self._dtype)
        count = self._shape[0] if self._shape.rank else None
        outer = type_spec.TensorSpec([None if count is None else count + 1], self._row_splits_dtype)
        inner_splits = type_spec.TensorSpec([None], self._row_splits_dtype)
        return [flat, outer, *[inner_splits] * (self._ragged_rank - 1)]

    def _to_components(self, value):
        return [value.flat_values, *value.nested_row_splits] if is_ragged(value) else [value]

    def _from_components(self, components):
        flat, splits = components[0], components[1:]
        if all(type(c).__module__ == "numpy" for c in components):
            for s in reversed(splits):
                flat = RaggedTensorValue(flat, s)
            return flat
        if nest.spec_of(flat) is None:
            flat = array_ops.convert_to_tensor(flat)
        made = RaggedTensor.from_nested_row_splits(flat, splits, validate=False)
        if self._shape.rank is not None and isinstance(made, RaggedTensor):
            made._set_shape(self._shape)
        elif self._shape.rank is not None and isinstance(made, tensor.Tensor):
            made.set_shape(self._shape)
        return made

    # ---- in data sets a ragged tensor is a variant

    @property
    def _flat_tensor_specs(self):
        return [type_spec.TensorSpec(None, dtypes.as_dtype("variant"))]

    def _to_tensor_list(self, value):
        rank = value.ragged_rank if isinstance(value, RaggedTensor) else 0
        if rank != self._ragged_rank:
            raise ValueError(f"Ragged rank of value {rank} does not match ragged rank of type {self._ragged_rank}.")
        if rank == 0:
            return [op("RaggedTensorToVariant")([], value, batched_input=False)]
        return [value._to_variant(batched_input=False)]

    def _to_batched_tensor_list(self, value):
        rank = value.ragged_rank if isinstance(value, RaggedTensor) else 0
        if rank != self._ragged_rank:
            raise ValueError(f"Ragged rank of value {rank} does not match ragged rank of type {self._ragged_rank}.")
        if rank == 0:
            raise ValueError(f"Ragged rank of value {rank} must be larger than 0.")
        return [value._to_variant(batched_input=True)]

    def _from_compatible_tensor_list(self, tensors):
        if self._ragged_rank < 0:
            raise ValueError(f"Argument `ragged_rank` must be non-negative. Received {self._ragged_rank}.")
        made = RaggedTensor._from_variant(
            tensors[0], self._dtype, self._ragged_rank, row_splits_dtype=self._row_splits_dtype
        )
        if self._shape.rank is not None:
            if isinstance(made, RaggedTensor):
                made._set_shape(self._shape)
            else:
                made.set_shape(self._shape)
        return made

    def _from_tensor_list(self, tensors):
        return self._from_compatible_tensor_list(tensors)

    def _batch(self, batch_size):
        if self._flat_values_spec is not None:
            raise ValueError("Customized flat_values_spec is not supported.")
        shape = tensor_shape.TensorShape([batch_size]).concatenate(self._shape)
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank + 1, self._row_splits_dtype)

    def _unbatch(self):
        if self._flat_values_spec is not None:
            raise ValueError("Customized flat_values_spec is not supported.")
        shape = self._shape[1:] if self._shape.rank is not None else None
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank - 1, self._row_splits_dtype)

    def _to_legacy_output_types(self):
        return self._dtype

    def _to_legacy_output_shapes(self):
        return self._shape

    def _to_legacy_output_classes(self):
        return self


type_spec.register_type_spec_from_value_converter(RaggedTensorValue, RaggedTensorSpec.from_value)
ragged_gradients.install()

for _made_by in (
    "from_value_rowids from_row_splits from_row_lengths from_row_starts from_row_limits from_uniform_row_length "
    "from_nested_value_rowids from_nested_row_splits from_nested_row_lengths from_tensor from_sparse"
).split():  # dispatchers may handle what they refuse
    setattr(
        RaggedTensor,
        _made_by,
        classmethod(dispatch.public(RaggedTensor.__dict__[_made_by].__func__, f"RaggedTensor.{_made_by}")),
    )
