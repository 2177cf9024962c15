"""A TensorSpec with limits of the elements, as packages for reinforcement learning describe actions and observations."""

from __future__ import annotations

import numpy

from . import attr_value, dtypes, tensor, tensor_shape
from .type_spec import TensorSpec


class BoundedTensorSpec(TensorSpec):
    """What a tensor has to be, with the least and the greatest values that its elements may have.

    minimum, maximum: numbers, or arrays that fit the shape by broadcasting. ValueError when they do not. Nothing checks elements.
    """

    __slots__ = ("_minimum", "_maximum")

    def __init__(self, shape, dtype, minimum, maximum, name=None):
        super().__init__(shape, dtype, name)
        if minimum is None:
            raise ValueError("`minimum` can not be None.")
        if maximum is None:
            raise ValueError("`maximum` can not be None.")
        self._minimum, self._maximum = self._limit(minimum, "minimum"), self._limit(maximum, "maximum")

    def _limit(self, value, what):
        made = numpy.array(value, dtype=self.dtype.as_numpy_dtype)
        try:
            fits = tensor_shape.TensorShape(made.shape)
            if self.shape.is_fully_defined():
                numpy.broadcast_to(made, self.shape.as_list())
            elif self.shape.rank is not None and fits.rank > self.shape.rank:
                raise ValueError(f"it has rank {fits.rank}")
        except ValueError as error:
            raise ValueError(f"{what} is not compatible with shape {self.shape}: {error}") from None
        made.setflags(write=False)
        return made

    minimum = property(lambda self: self._minimum)
    maximum = property(lambda self: self._maximum)

    @classmethod
    def from_spec(cls, spec):
        """The same as another; of one without limits with those of its type."""
        dtype = dtypes.as_dtype(spec.dtype)
        limits = (getattr(spec, "minimum", dtype.min), getattr(spec, "maximum", dtype.max))
        return cls(spec.shape, dtype, *limits, spec.name)

    def _serialize(self):
        return self._shape, self._dtype, self._minimum, self._maximum, self._name

    def __eq__(self, other):
        return (
            super().__eq__(other)
            and isinstance(other, BoundedTensorSpec)
            and numpy.allclose(self._minimum, other._minimum)
            and numpy.allclose(self._maximum, other._maximum)
        )

    __hash__ = TensorSpec.__hash__

    def __reduce__(self):
        return BoundedTensorSpec, self._serialize()

    def __repr__(self):
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, minimum={self._minimum!r}, "
            f"maximum={self._maximum!r})"
        )


def limits_to(message, spec):
    """Writes the limits into a BoundedTensorSpecProto."""
    message.minimum.ParseFromString(attr_value.tensor_proto(tensor.convert(spec.minimum)))
    message.maximum.ParseFromString(attr_value.tensor_proto(tensor.convert(spec.maximum)))


def from_message(message, tensor_of, shape_of):
    """The spec of a BoundedTensorSpecProto."""
    minimum, maximum = tensor_of(message.minimum).numpy(), tensor_of(message.maximum).numpy()
    return BoundedTensorSpec(
        shape_of(message.shape), dtypes.as_dtype(message.dtype), minimum, maximum, message.name or None
    )
