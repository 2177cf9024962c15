"""VariableSpec: what a variable is, of those that concrete functions take as arguments."""

from __future__ import annotations

from . import dtypes, tensor_shape, variables
from .type_spec import TensorSpec, TypeSpec, register


@register("tf.VariableSpec")
class VariableSpec(TypeSpec):
    """Shape, type, and whether it is trained; variables of one alias_id are one."""

    __slots__ = ("_shape", "_dtype", "_trainable", "_alias_id")

    def __init__(self, shape, dtype=dtypes.float32, trainable=True, alias_id=None):
        self._shape, self._dtype = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)
        self._trainable, self._alias_id = trainable, alias_id

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    trainable = property(lambda self: self._trainable)
    alias_id = property(lambda self: self._alias_id)
    value_type = property(lambda self: variables.Variable)
    _component_specs = property(lambda self: TensorSpec([], dtypes.resource))

    @classmethod
    def from_value(cls, value, alias_id=None):
        return cls(value.shape, value.dtype, value.trainable, alias_id)

    def _serialize(self):
        return self._shape, self._dtype, self._trainable, self._alias_id

    def _to_components(self, value):
        return value._here()  # tapes hear that it is read

    def _from_components(self, components):
        return variables.ResourceVariable.of_handle(components, self._dtype, self._shape, "Variable", self._trainable)

    def is_compatible_with(self, spec_or_value):
        """Whether a variable, or the spec of one, is of this type and of a shape that fits."""
        other = spec_or_value
        if not isinstance(other, (variables.Variable, VariableSpec)):
            return False
        return self._dtype == other.dtype and self._shape.is_compatible_with(other.shape)

    def __repr__(self):
        return f"VariableSpec(shape={self._shape}, dtype={self._dtype!r}, trainable={self._trainable}, alias_id={self._alias_id})"
