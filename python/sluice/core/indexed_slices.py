"""IndexedSlices: rows of a tensor, as gradients of a gather are."""

from __future__ import annotations

import warnings
from collections import namedtuple

from .. import _native
from . import composite_tensor, dtypes, static_values, tensor, tensor_shape, type_spec
from .op_defs import op

IndexedSlicesValue = namedtuple("IndexedSlicesValue", "values indices dense_shape")


class IndexedSlices(_native.SliceParts, composite_tensor.CompositeTensor):
    """Rows of a tensor: `values[i]` belongs at row `indices[i]` of something of shape `dense_shape` (None: unknown).

    Rows that occur twice add up. Where an op takes a tensor, IndexedSlices become one if their dense_shape is known.
    """

    is_tensor_like = True
    dtype = property(lambda self: self._values.dtype)
    name = property(lambda self: self._values.name)
    device = property(lambda self: self._values.device)
    op = property(lambda self: self._values.op)
    graph = property(lambda self: self._values.graph)

    @property
    def shape(self):
        """The shape of the whole tensor, as far as it is known."""
        if self._dense_shape is None:
            return tensor_shape.TensorShape(None)
        known = static_values.known_value(self._dense_shape, partial=True)
        if known is not None:
            return tensor_shape.TensorShape([None if d is None else int(d) for d in known])
        rank = tensor.convert(self._dense_shape).shape[0]
        return tensor_shape.TensorShape(None if rank is None else [None] * rank)

    def __reduce__(self):
        return type(self), (self._values, self._indices, self._dense_shape)

    def get_shape(self):
        return self.shape

    def _map_parts(self, f):
        """IndexedSlices of what f makes of each tensor that they consist of."""
        return IndexedSlices(
            f(self._values), f(self._indices), None if self._dense_shape is None else f(self._dense_shape)
        )

    def consumers(self):
        return self._consumers()

    def _session_parts(self):
        parts = [self._values, self._indices]
        if self._dense_shape is None:
            return parts, lambda values: IndexedSlicesValue(*values, None)
        return parts + [self._dense_shape], lambda values: IndexedSlicesValue(*values)

    def _session_feed(self, value):
        return list(zip(self._session_parts()[0], value))

    @property
    def _type_spec(self):
        indices = tensor.convert(self._indices)
        dense_shape = None if self._dense_shape is None else tensor.convert(self._dense_shape)
        shape = self.shape.merge_with(tensor_shape.TensorShape([None]).concatenate(self._values.shape[1:]))
        dense_shape_dtype = None if dense_shape is None else dense_shape.dtype
        return IndexedSlicesSpec(shape, self.dtype, indices.dtype, dense_shape_dtype, indices.shape)

    def _shape_invariant_to_type_spec(self, shape):
        spec = self._type_spec
        return IndexedSlicesSpec(
            shape, spec._values_dtype, spec._indices_dtype, spec._dense_shape_dtype, spec._indices_shape
        )

    def __tf_tensor__(self, dtype=None, name=None):
        if dtype is not None and not dtype.is_compatible_with(self.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype {self.dtype.name}"
            )
        if self._dense_shape is None:
            raise ValueError(
                f"Tensor conversion requested for IndexedSlices for argument without `dense_shape`: {self!s}"
            )
        rows = tensor.convert(self._dense_shape)[0]
        size = self.shape.num_elements()
        if size is not None and size >= 100_000_000:
            warnings.warn(
                f"Converting sparse IndexedSlices to a dense Tensor with {size} elements. This may consume a large "
                "amount of memory.",
                stacklevel=2,
            )
        return op("UnsortedSegmentSum")(self._values, self._indices, rows, name=name)

    def _session_value(self, values):
        return self._type_spec._from_components(values)

    def __neg__(self):
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self):
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{shape})"


def _dense(operator):
    def apply(self, other):
        return operator(tensor.convert(self), other)

    return apply


def _dense_reflected(operator):
    def apply(self, other):
        return operator(other, tensor.convert(self))

    return apply


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(IndexedSlices, f"__{_name}__", _dense(tensor.operators[_name]))
    setattr(IndexedSlices, f"__r{_name}__", _dense_reflected(tensor.operators[_name]))


@type_spec.register("tf.IndexedSlicesSpec")
class IndexedSlicesSpec(type_spec.TypeSpec):
    """What IndexedSlices have to be."""

    __slots__ = ("_shape", "_values_dtype", "_indices_dtype", "_dense_shape_dtype", "_indices_shape")

    def __init__(
        self, shape=None, dtype=dtypes.float32, indices_dtype=dtypes.int64, dense_shape_dtype=None, indices_shape=None
    ):
        self._shape = tensor_shape.as_shape(shape)
        self._values_dtype, self._indices_dtype = dtypes.as_dtype(dtype), dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = tensor_shape.as_shape(indices_shape).with_rank(1)

    value_type = property(lambda self: IndexedSlices)

    def _serialize(self):
        return self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape

    @property
    def _component_specs(self):
        values = self._indices_shape.concatenate(self._shape[1:])
        specs = [
            type_spec.TensorSpec(values, self._values_dtype),
            type_spec.TensorSpec(self._indices_shape, self._indices_dtype),
        ]
        if self._dense_shape_dtype is not None:
            specs.append(type_spec.TensorSpec([self._shape.rank], self._dense_shape_dtype))
        return tuple(specs)

    def _to_components(self, value):
        parts = value.values, value.indices
        return parts if value.dense_shape is None else (*parts, value.dense_shape)

    def _from_components(self, components):
        if all(type(c).__module__ == "numpy" for c in components):
            return IndexedSlicesValue(*components, *([None] * (3 - len(components))))
        return IndexedSlices(*components)
