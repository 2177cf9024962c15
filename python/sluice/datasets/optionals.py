"""tf.experimental.Optional: a value, or none."""

from __future__ import annotations

import abc


from ..core.composite_tensor import CompositeTensor
from ..core.dtypes import variant
from ..core.op_defs import op
from ..core.type_spec import TensorSpec, TypeSpec
from . import elements


class Optional(CompositeTensor, metaclass=abc.ABCMeta):
    """A value of some spec, or nothing; as a tensor a scalar variant."""

    @abc.abstractmethod
    def has_value(self, name=None):
        """Whether there is a value; a scalar bool."""

    @abc.abstractmethod
    def get_value(self, name=None):
        """The value; InvalidArgumentError when there is none."""

    @property
    @abc.abstractmethod
    def element_spec(self):
        """The spec of the value."""

    @staticmethod
    def empty(element_spec):
        """An optional without a value."""
        return _Optional(op("OptionalNone")(), element_spec)

    @staticmethod
    def from_value(value):
        """An optional with a value, of tensors and composite tensors."""
        value = elements.normalize(value)
        spec = elements.spec_of(value)
        return _Optional(op("OptionalFromValue")(elements.to_tensors(spec, value)), spec)


class _Optional(Optional):
    def __init__(self, variant_tensor, element_spec):
        self._variant_tensor, self._element_spec = variant_tensor, element_spec

    element_spec = property(lambda self: self._element_spec)
    value_structure = element_spec
    _type_spec = property(lambda self: OptionalSpec(self._element_spec))

    def _shape_invariant_to_type_spec(self, shape):
        return self._type_spec

    def has_value(self, name=None):
        return op("OptionalHasValue")(self._variant_tensor, name=name)

    def get_value(self, name=None):
        flat = op("OptionalGetValue")(self._variant_tensor, name=name, **elements.attrs(self._element_spec))
        return elements.from_tensors(self._element_spec, flat)


class OptionalSpec(TypeSpec):
    """What an Optional has to be: the spec of its value."""

    __slots__ = ("_element_spec",)

    def __init__(self, element_spec):
        self._element_spec = element_spec

    value_type = property(lambda self: _Optional)
    element_spec = property(lambda self: self._element_spec)
    _component_specs = property(lambda self: [TensorSpec([], variant)])

    @staticmethod
    def from_value(value):
        """The spec of an Optional."""
        return OptionalSpec(value.element_spec)

    def _serialize(self):
        return (self._element_spec,)

    def _to_components(self, value):
        return [value._variant_tensor]

    def _from_components(self, components):
        return _Optional(components[0], self._element_spec)

    def _to_legacy_output_types(self):
        return self

    _to_legacy_output_shapes = _to_legacy_output_classes = _to_legacy_output_types


def get_next_as_optional(iterator):
    """The iterator's next element as an Optional, an empty one at the end."""
    return iterator.get_next_as_optional()
