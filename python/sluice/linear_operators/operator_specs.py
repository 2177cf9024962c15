"""What linear operators are made of: the specs by which functions, loops and saved models carry them."""

from __future__ import annotations

from ..core import nest, static_values, tensor, tensor_shape, type_spec, variables
from ..core.dtypes import DType


class LinearOperatorSpec(type_spec.BatchableTypeSpec):
    """The tensors that an operator is made of, and the other arguments of its constructor. A class of it for each class of
    operators (`spec_class`)."""

    __slots__ = ("_param_specs", "_non_tensor_params", "_prefer_static_fields")
    _operator_class = None

    def __init__(self, param_specs, non_tensor_params, prefer_static_fields):
        self._param_specs, self._non_tensor_params = param_specs, non_tensor_params
        self._prefer_static_fields = tuple(prefer_static_fields)

    value_type = property(lambda self: self._operator_class)
    _component_specs = property(lambda self: self._param_specs)

    @classmethod
    def from_operator(cls, operator):
        """The spec of an operator."""
        prefer_static = operator._composite_tensor_prefer_static_fields
        params, others = {}, {}
        for name in operator._composite_tensor_fields:
            value = operator._field_value(name)
            if value is None:
                others[name] = None
                continue
            static = _static(value) if name in prefer_static else None
            if static is not None:
                others[name] = static
            else:
                params[name] = nest.map_structure(_spec_of_leaf, value)
        for name, value in operator.parameters.items():
            if name not in params and name not in others and name not in ("name", "graph_parents"):
                own = getattr(operator, name, value)
                others[name] = value if callable(own) and not isinstance(own, DType) else own
        return cls(params, others, prefer_static)

    def _serialize(self):
        return self._param_specs, self._non_tensor_params, self._prefer_static_fields

    def _to_components(self, value):
        return {name: _components(value._field_value(name)) for name in self._param_specs}

    def _from_components(self, components):
        return self._operator_class(**components, **self._non_tensor_params)

    def _batch(self, batch_size):
        return type(self)(
            _map_batch(self._param_specs, batch_size), self._non_tensor_params, self._prefer_static_fields
        )

    def _unbatch(self):
        specs = nest.map_structure(lambda s: s._unbatch(), self._param_specs)
        return type(self)(specs, self._non_tensor_params, self._prefer_static_fields)

    def __eq__(self, other):
        return type(self) is type(other) and self._serialize() == other._serialize()

    def __hash__(self):
        return hash((type(self), tuple(self._param_specs), tuple(self._non_tensor_params)))

    def __repr__(self):
        return f"{type(self).__name__}{self._serialize()}"


def _map_batch(specs, batch_size):
    return nest.map_structure(lambda s: s._batch(batch_size), specs)


def _spec_of_leaf(value):
    if isinstance(value, variables.Variable):
        return type_spec.TensorSpec(value.shape, value.dtype)
    return type_spec.type_spec_from_value(value)


def _components(value):
    """A structure of tensors and operators: lists of operators as they are, whatever keeps them."""
    if isinstance(value, (list, tuple)):
        return [_components(v) for v in value]
    return value


def _static(value):
    """The value of a field that is one while a graph is built: a number, or a shape; else None."""
    if isinstance(value, tensor_shape.TensorShape):
        return value
    found = static_values.known_value(value) if isinstance(value, tensor.Tensor) else value
    if found is None:
        return None
    if getattr(found, "ndim", 0):
        return [int(v) for v in found]
    return found.item() if hasattr(found, "item") else found


_PREFIX = "tf.linalg."


def spec_class(operator_class):
    """The class of the specs of a class of operators. Those of this package have names, for what is saved."""
    made = operator_class.__dict__.get("_spec_class")  # kept there: both end together
    if made is None:
        attributes = {"__slots__": (), "_operator_class": operator_class}
        made = operator_class._spec_class = type(operator_class.__name__ + "Spec", (LinearOperatorSpec,), attributes)
        if operator_class.__module__.startswith(__package__):
            type_spec.register(_PREFIX + made.__name__)(made)
    return made


def spec_class_named(name: str):
    """The class of specs that was saved under a name; None when no public operator has it."""
    from ..namespaces import find, get

    operator = name[len(_PREFIX) : -len("Spec")]
    if not name.startswith(_PREFIX + "LinearOperator") or find("linalg", operator) is None:
        return None
    return spec_class(get({}, "linalg", operator))
