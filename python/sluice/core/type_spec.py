"""What values are, without their elements: TensorSpec, and the base of the specs of composite tensors.

A spec says of which tensors a value is made (`_component_specs`), takes it apart (`_to_components`) and puts it together again
(`_from_components`). Functions, data sets and loops carry composite tensors as their components by it. Two specs compare
by what `_serialize` gives, which are also the arguments of the constructor.
"""

from __future__ import annotations

from . import dtypes, nest, tensor, tensor_shape
from .proto_form import ProtoForm


class TraceType:
    """What a function sees of an argument: two arguments whose types are equal share a trace."""

    def is_subtype_of(self, other) -> bool:
        raise NotImplementedError(f"{type(self).__name__}.is_subtype_of")

    def most_specific_common_supertype(self, others):
        raise NotImplementedError(f"{type(self).__name__}.most_specific_common_supertype")

    def placeholder_value(self, placeholder_context=None):
        raise NotImplementedError(f"{type(self).__name__}.placeholder_value")

    def to_tensors(self, value):
        """The tensors of which a value consists."""
        del value
        return []

    def from_tensors(self, tensors):
        """The value that `to_tensors` took apart; takes what it uses from the iterator `tensors`."""
        del tensors
        return self.placeholder_value(None)

    def flatten(self):
        """TensorSpecs of what `to_tensors` gives."""
        return []

    def cast(self, value, cast_context=None):
        """The value as one of this type; TypeError when it is none."""
        del cast_context
        return value


class TypeSpec(TraceType, ProtoForm):
    """The base of all specs. Subclasses give value_type, _serialize, _component_specs, _to_components, _from_components."""

    __slots__ = ()
    _is_composite_spec = True

    # ---- what subclasses say

    @property
    def value_type(self):
        """The class of values."""
        raise NotImplementedError(f"{type(self).__name__}.value_type")

    @property
    def _component_specs(self):
        raise NotImplementedError(f"{type(self).__name__}._component_specs")

    def _to_components(self, value):
        raise NotImplementedError(f"{type(self).__name__}._to_components")

    def _from_components(self, components):
        raise NotImplementedError(f"{type(self).__name__}._from_components")

    def _serialize(self) -> tuple:
        raise NotImplementedError(f"{type(self).__name__}._serialize")

    @classmethod
    def _deserialize(cls, serialization):
        return cls(*serialization)

    # ---- relations

    def is_compatible_with(self, spec_or_value) -> bool:
        """Whether a value, or every value of a spec, may be one of this spec as far as both say."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(self) is type(other) and _compatible(self._serialize(), other._serialize())

    def is_subtype_of(self, other) -> bool:
        """Whether all values of this spec are values of the other."""
        return type(self) is type(other) and _is_part_of(self._serialize(), other._serialize())

    def most_specific_common_supertype(self, others):
        """The narrowest spec that holds the values of this one and of all others; None when there is none."""
        serial = self._serialize()
        for other in others:
            if type(self) is not type(other):
                return None
            try:
                serial = _join(serial, other._serialize())
            except ValueError:
                return None
        return self._deserialize(serial)

    def most_specific_compatible_type(self, other):
        """The same of two specs; ValueError when there is none."""
        made = self.most_specific_common_supertype([other])
        if made is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return made

    def _without_tensor_names(self):
        return self._deserialize(_map_specs(lambda s: s._without_tensor_names(), self._serialize()))

    def _with_tensor_ranks_only(self):
        return self._deserialize(_map_specs(lambda s: s._with_tensor_ranks_only(), self._serialize(), _rank_only))

    # ---- tensors of a value

    def flatten(self):
        return nest.flatten(self._component_specs, expand_composites=True)

    @property
    def _flat_tensor_specs(self):
        return self.flatten()

    def to_tensors(self, value):
        parts = self._to_components(value)
        return [tensor.convert(t) for t in nest.flatten(parts, expand_composites=True) if t is not None]

    _to_tensor_list = to_tensors

    def _from_tensor_list(self, tensors):
        return self.from_tensors(iter(tensors))

    def _from_compatible_tensor_list(self, tensors):
        return self._from_tensor_list(tensors)

    def from_tensors(self, tensors):
        tensors = iter(tensors)
        flat = [next(tensors) for _ in self.flatten()]
        return self._from_components(nest.pack_sequence_as(self._component_specs, flat, expand_composites=True))

    def placeholder_value(self, placeholder_context=None):
        specs = nest.flatten(self._component_specs, expand_composites=True)
        made = [s.placeholder_value(placeholder_context) for s in specs]
        return self._from_components(nest.pack_sequence_as(self._component_specs, made, expand_composites=True))

    def cast(self, value, casting_context=None):
        if not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value

    # ---- TensorFlow 1's three structures of types

    def _to_legacy_output_types(self):
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_types")

    def _to_legacy_output_shapes(self):
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_shapes")

    def _to_legacy_output_classes(self):
        return self.value_type

    # ---- Python's own

    def __eq__(self, other):
        return type(self) is type(other) and _key(self._serialize()) == _key(other._serialize())

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((type(self), _key(self._serialize())))

    def __reduce__(self):
        return _rebuild, (type(self), self._serialize())

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self._serialize()))})"

    def __tf_tracing_type__(self, context):
        return self


def _rebuild(cls, serialization):
    return cls._deserialize(serialization)


def _key(x):
    """What a spec says, as something that hashes."""
    if isinstance(x, dict):
        return dict, tuple((k, _key(x[k])) for k in sorted(x))
    if isinstance(x, (list, tuple)):
        return tuple, tuple(map(_key, x))
    if isinstance(x, TypeSpec):
        return type(x), _key(x._serialize())
    if type(x).__module__ == "numpy":
        return x.dtype.str, x.shape, x.tobytes()
    return x


def _pairs(a, b):
    """Pairs of what lies at the same place of two containers; None when they differ, or are none."""
    if isinstance(a, dict) and isinstance(b, dict) and set(a) == set(b):
        return [(a[k], b[k]) for k in a]
    if isinstance(a, (list, tuple)) and type(a) is type(b) and len(a) == len(b):
        return list(zip(a, b))
    return None


def _compatible(a, b) -> bool:
    pairs = _pairs(a, b)
    if pairs is not None:
        return all(_compatible(x, y) for x, y in pairs)
    if isinstance(a, (TypeSpec, tensor_shape.TensorShape)) and type(a) is type(b):
        return a.is_compatible_with(b)
    return type(a) is type(b) and a == b


def _is_part_of(a, b) -> bool:
    pairs = _pairs(a, b)
    if pairs is not None:
        return all(_is_part_of(x, y) for x, y in pairs)
    if hasattr(a, "is_subtype_of") and type(a) is type(b):
        return a.is_subtype_of(b)
    return type(a) is type(b) and _key(a) == _key(b)


def _join(a, b):
    pairs = _pairs(a, b)
    if pairs is not None:
        made = [_join(x, y) for x, y in pairs]
        return dict(zip(a, made)) if isinstance(a, dict) else _like(a, made)
    if isinstance(a, tensor_shape.TensorShape) and isinstance(b, tensor_shape.TensorShape):
        return a.most_specific_compatible_shape(b)
    if isinstance(a, TraceType):
        made = a.most_specific_common_supertype([b])
        if made is None:
            raise ValueError("no common supertype")
        return made
    if type(a) is not type(b) or _key(a) != _key(b):
        raise ValueError("no common supertype")
    return a


def _like(container, made):
    return type(container)(*made) if nest.is_namedtuple(container) else type(container)(made)


def _rank_only(shape):
    return tensor_shape.TensorShape(None if shape.rank is None else [None] * shape.rank)


def _map_specs(change, x, change_shape=None):
    if isinstance(x, TypeSpec):
        return change(x)
    if isinstance(x, tensor_shape.TensorShape) and change_shape:
        return change_shape(x)
    if isinstance(x, dict):
        return {k: _map_specs(change, v, change_shape) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return _like(x, [_map_specs(change, v, change_shape) for v in x])
    return x


class BatchableTypeSpec(TypeSpec):
    """A spec whose values can be stacked into one, and taken apart again: for tf.map_fn and data sets."""

    __slots__ = ()

    def _batch(self, batch_size):
        """The spec of batch_size (None: any number) values as one."""
        raise NotImplementedError(f"{type(self).__name__}._batch")

    def _unbatch(self):
        """The spec of one of the values of which this one is a batch."""
        raise NotImplementedError(f"{type(self).__name__}._unbatch")

    @property
    def _flat_tensor_specs(self):
        return nest.flatten(self._component_specs, expand_composites=True)

    def _to_batched_tensor_list(self, value):
        """Tensors of a batch, each with the batch as the first axis."""
        return self._to_tensor_list(value)

    def _to_legacy_output_types(self):
        return getattr(self, "_dtype", self)

    def _to_legacy_output_shapes(self):
        return getattr(self, "_shape", self)


def batch(spec, batch_size):
    """The spec of a batch; ValueError when the spec has none."""
    if not isinstance(spec, BatchableTypeSpec):
        raise ValueError(f"{type(spec).__name__} does not support batching")
    return spec._batch(batch_size)


class TensorSpec(BatchableTypeSpec):
    """What a tensor has to be: shape (known in part), type, name."""

    __slots__ = ("_shape", "_dtype", "_name")
    _is_composite_spec = False
    _proto_kind, _proto_message = "tensor_spec_value", "TensorSpecProto"

    def __init__(self, shape, dtype=dtypes.float32, name=None):
        self._shape, self._dtype, self._name = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype), name

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)
    value_type = property(lambda self: tensor.Tensor)
    _component_specs = property(lambda self: self)

    @classmethod
    def from_spec(cls, spec, name=None):
        """A spec of the shape and type of another."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor, name=None):
        """What a tensor is. A tensor of a graph also gives its name."""
        own = getattr(tensor, "op", None).name if cls._is_symbolic(tensor) else None
        return cls(tensor.shape, tensor.dtype, name or own)

    @staticmethod
    def _is_symbolic(value) -> bool:
        return isinstance(value, tensor.Tensor) and not isinstance(value, tensor.EagerTensor)

    def _serialize(self):
        return self._shape, self._dtype, self._name

    def is_compatible_with(self, spec_or_tensor) -> bool:
        """Whether the type is the same, and the shapes may be."""
        value = spec_or_tensor
        if not hasattr(value, "dtype") or not hasattr(value, "shape"):
            if nest.spec_of(value) is not None:
                return False
            value = tensor.convert(value)
        if nest.spec_of(value) is not None:
            return False
        return self._dtype.is_compatible_with(value.dtype) and self._shape.is_compatible_with(value.shape)

    def is_subtype_of(self, other) -> bool:
        return (
            isinstance(other, TensorSpec)
            and (self._name is None or self._name == other._name)
            and self._dtype == other._dtype
            and self._shape.is_subtype_of(other._shape)
        )

    def most_specific_common_supertype(self, others):
        shape, name = self._shape, self._name
        for other in others:
            if not isinstance(other, TensorSpec) or other._dtype != self._dtype:
                return None
            shape = shape.most_specific_compatible_shape(other._shape)
            name = name if name == other._name else None
        return TensorSpec(shape, self._dtype, name)

    def placeholder_value(self, placeholder_context=None):
        from . import graph

        g = graph.current()
        if not g.building_function:
            raise ValueError("a placeholder is made while a function is traced")
        return g.placeholder(self._dtype, self._shape, self._name or "args")

    def cast(self, value, casting_context=None):
        made = tensor.convert(value, self._dtype.as_datatype_enum)
        if not self._shape.is_compatible_with(made.shape):
            raise TypeError(f"Can not cast {value!r} of shape {made.shape} to {self!r}")
        return made

    def flatten(self):
        return [self]

    def to_tensors(self, value):
        return [tensor.convert(value, self._dtype.as_datatype_enum)]

    _to_tensor_list = to_tensors

    def from_tensors(self, tensors):
        return next(iter(tensors))

    def _to_components(self, value):
        return tensor.convert(value, self._dtype.as_datatype_enum)

    def _from_components(self, components):
        return components

    def _without_tensor_names(self):
        return self if self._name is None else TensorSpec(self._shape, self._dtype)

    def _with_tensor_ranks_only(self):
        return type(self)(_rank_only(self._shape), self._dtype, self._name)

    def _batch(self, batch_size):
        return TensorSpec(tensor_shape.TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self):
        if self._shape.rank == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return TensorSpec(self._shape[1:], self._dtype)

    def __eq__(self, other):
        return (
            isinstance(other, TensorSpec)
            and type(self) is type(other)
            and (self._shape, self._dtype, self._name) == (other._shape, other._dtype, other._name)
        )

    def __hash__(self):
        return hash((self._shape, self._dtype))

    def __repr__(self):
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


# ---- names of classes, for what is saved

nest.leaf_types.add(TensorSpec)
registered_names: dict = {}  # class -> name
registered_classes: dict = {}  # name -> class


def register(name: str):
    """A decorator that names a class of specs, so that saved values of it can be loaded. The name has a dot."""
    if not isinstance(name, str) or "." not in name:
        raise ValueError(f"name must be a string with at least two parts that a dot separates, got {name!r}")

    def decorate(cls):
        if name in registered_classes:
            registered_names.pop(registered_classes[name], None)  # a class that is defined again
        registered_names[cls], registered_classes[name] = name, cls
        return cls

    return decorate


register("tf.TensorSpec")(TensorSpec)


# ---- specs of values

_converters: list = []  # (class, function(value) -> spec)


def register_type_spec_from_value_converter(cls, converter):
    """Values of a class that has no `_type_spec` have the spec that converter gives."""
    _converters.append((cls, converter))


def type_spec_from_value(value) -> TypeSpec:
    """The spec of a tensor, a composite tensor, or of what can become a tensor; TypeError when there is none."""
    found = known_spec(value)
    if found is not None:
        return found
    if value is not None and not callable(value) and type(value) is not object:
        try:
            made = tensor.convert(value)
        except (TypeError, ValueError):
            pass
        else:
            return TensorSpec(made.shape, made.dtype)
    raise TypeError(f"Could not build a TypeSpec for {value!r} of unsupported type {type(value)}.")


def known_spec(value):
    """The spec of a value that is a tensor, an array or a composite tensor; None of others."""
    if isinstance(value, tensor.Tensor):
        return TensorSpec(value.shape, value.dtype)
    spec = getattr(value, "_type_spec", None)
    if isinstance(spec, TypeSpec):
        return spec
    for cls, converter in _converters:
        if isinstance(value, cls):
            return converter(value)
    if type(value).__module__ == "numpy" and hasattr(value, "dtype") and hasattr(value, "shape"):
        return TensorSpec(value.shape, value.dtype)
    return None
