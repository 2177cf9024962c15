"""tf.SparseTensor: the elements of a tensor that are not zero, and where they are."""

from __future__ import annotations

from collections import namedtuple

from ..core import composite_tensor, dtypes, tensor, tensor_shape, type_spec
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops

SparseTensorValue = namedtuple("SparseTensorValue", "indices values dense_shape")


def is_sparse(value) -> bool:
    """Whether a value is a SparseTensor or a SparseTensorValue."""
    return isinstance(value, (SparseTensor, SparseTensorValue))


def convert(value, dtype=None, name=None) -> "SparseTensor":
    """A SparseTensor of one, or of a SparseTensorValue. TypeError for others, ValueError for another type of elements."""
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError(f"Input must be a SparseTensor, got {value!r}")
    return value


def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    """The value if it is a SparseTensor, what a SparseTensorValue says as one, and others as a tensor."""
    if is_sparse(value):
        value = convert(value)
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise RuntimeError(
                f"Sparse dtype mismatch. Requested: {dtypes.as_dtype(dtype).name}, Actual: {value.dtype.name}"
            )
        return value
    return array_ops.convert_to_tensor(value, dtype, name=name)


class SparseTensor(composite_tensor.CompositeTensor):
    """values[i] lies at indices[i] of a tensor of shape dense_shape, and zeros elsewhere.

    indices: [n, rank] int64, most functions want them in row-major order (tf.sparse.reorder); values: [n]; dense_shape: [rank]
    int64.
    """

    is_tensor_like = True

    def __init__(self, indices, values, dense_shape):
        int64 = dtypes.int64
        self._indices = array_ops.convert_to_tensor(indices, int64)
        self._values = values if _is_composite(values) else array_ops.convert_to_tensor(values)
        self._dense_shape = array_ops.convert_to_tensor(dense_shape, int64)
        self._said = tensor_shape.TensorShape(None)
        indices_shape = self._indices.shape.with_rank(2)
        values_shape = self._values.shape.with_rank(1)
        rank_shape = self._dense_shape.shape.with_rank(1)
        if not indices_shape[:1].is_compatible_with(values_shape):
            raise ValueError(f"Dimensions {indices_shape[0]} and {values_shape[0]} are not compatible")
        if not indices_shape[1:].is_compatible_with(rank_shape):
            raise ValueError(f"Dimensions {indices_shape[1]} and {rank_shape[0]} are not compatible")

    @classmethod
    def from_value(cls, sparse_tensor_value):
        """Of a SparseTensor or SparseTensorValue."""
        if not is_sparse(sparse_tensor_value):
            raise TypeError(
                f"Argument sparse_tensor_value={sparse_tensor_value} is neither a SparseTensor nor SparseTensorValue."
            )
        return cls(sparse_tensor_value.indices, sparse_tensor_value.values, sparse_tensor_value.dense_shape)

    indices = property(lambda self: self._indices)
    values = property(lambda self: self._values)
    dense_shape = property(lambda self: self._dense_shape)
    dtype = property(lambda self: self._values.dtype)
    op = property(lambda self: self._values.op)
    graph = property(lambda self: self._indices.graph)
    name = property(lambda self: self._values.name)

    @property
    def shape(self):
        """The shape as far as it is known."""
        known = known_value(self._dense_shape, partial=True)
        if known is None:
            count = self._dense_shape.shape[0]
            made = tensor_shape.TensorShape(None if count is None else [None] * count)
        else:
            made = tensor_shape.TensorShape([None if d is None or d < 0 else int(d) for d in known])
        return made.merge_with(self._said)

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        """Says more of the shape than was known; ValueError when it contradicts that."""
        self._said = self.shape.merge_with(shape)

    def with_values(self, new_values):
        """Other values at the same places."""
        return SparseTensor(self._indices, new_values, self._dense_shape)

    def eval(self, feed_dict=None, session=None):
        """The value in a session, the default one by default, as a SparseTensorValue."""
        from ..core.session import get_default_session

        return (session or get_default_session()).run(self, feed_dict)

    def consumers(self):
        return self._consumers()

    def _numpy(self):
        return SparseTensorValue(*(tensor.to_numpy(t) for t in (self._indices, self._values, self._dense_shape)))

    def _is_eager(self):
        return composite_tensor.is_eager(self)

    @property
    def _type_spec(self):
        return SparseTensorSpec(self.shape, self.dtype)

    def _shape_invariant_to_type_spec(self, shape):
        return SparseTensorSpec(shape, self.dtype)

    def __repr__(self):
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"

    __str__ = __repr__

    def _session_value(self, values):
        return SparseTensorValue(*values)

    # ---- operators: with a tensor, on the values

    def __mul__(self, other):
        return _dense_op("SparseDenseCwiseMul", self, other)

    def __truediv__(self, other):
        return _dense_op("SparseDenseCwiseDiv", self, other)

    __div__ = __truediv__

    def __rmul__(self, other):
        return _dense_op("SparseDenseCwiseMul", self, other)


def _is_composite(value) -> bool:
    return isinstance(value, composite_tensor.CompositeTensor)


def _dense_op(name, sp, other):
    other = array_ops.convert_to_tensor(other, sp.dtype)
    if sp.dtype.is_integer and name == "SparseDenseCwiseDiv":
        sp, other = sp.with_values(array_ops.cast(sp.values, dtypes.float64)), array_ops.cast(other, dtypes.float64)
    return sp.with_values(op(name)(sp.indices, sp.values, sp.dense_shape, other))


@type_spec.register("tf.SparseTensorSpec")
class SparseTensorSpec(type_spec.BatchableTypeSpec):
    """What a SparseTensor has to be."""

    __slots__ = ("_shape", "_dtype")

    def __init__(self, shape=None, dtype=dtypes.float32):
        self._shape, self._dtype = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    value_type = property(lambda self: SparseTensor)

    @classmethod
    def from_value(cls, value):
        return cls(value.shape if isinstance(value, SparseTensor) else tuple(value.dense_shape), value.values.dtype)

    def _serialize(self):
        return self._shape, self._dtype

    @property
    def _component_specs(self):
        rank = self._shape.rank
        return [
            type_spec.TensorSpec([None, rank], dtypes.int64),
            type_spec.TensorSpec([None], self._dtype),
            type_spec.TensorSpec([rank], dtypes.int64),
        ]

    def _to_components(self, value):
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components):
        if all(type(c).__module__ == "numpy" for c in components):
            return SparseTensorValue(*components)
        made = SparseTensor(*components)
        made._said = made._said.merge_with(self._shape)
        return made

    # ---- in data sets a sparse tensor is a variant of three

    @property
    def _flat_tensor_specs(self):
        return [type_spec.TensorSpec(None, dtypes.as_dtype("variant"))]

    def _to_tensor_list(self, value):
        value = convert(value)
        return [
            op("SerializeSparse")(value.indices, value.values, value.dense_shape, out_type=dtypes.as_dtype("variant"))
        ]

    def _to_batched_tensor_list(self, value):
        if self._shape.rank == 0:
            raise ValueError("Unbatching a sparse tensor is only supported for rank >= 1")
        value = convert(value)
        return [
            op("SerializeManySparse")(
                value.indices, value.values, value.dense_shape, out_type=dtypes.as_dtype("variant")
            )
        ]

    def _from_compatible_tensor_list(self, tensors):
        made = SparseTensor(*op("DeserializeSparse")(tensors[0], dtype=self._dtype))
        rank = self._shape.rank
        if rank is not None and hasattr(made.indices, "set_shape"):
            made.indices.set_shape([None, rank])
            made.dense_shape.set_shape([rank])
        made._said = made._said.merge_with(self._shape)
        return made

    def _from_tensor_list(self, tensors):
        return self._from_compatible_tensor_list(tensors)

    def _batch(self, batch_size):
        return SparseTensorSpec(tensor_shape.TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self):
        if self._shape.rank == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return SparseTensorSpec(self._shape[1:] if self._shape.rank is not None else None, self._dtype)

    def _to_legacy_output_classes(self):
        return SparseTensor


type_spec.register_type_spec_from_value_converter(SparseTensorValue, SparseTensorSpec.from_value)
