"""Composite tensors that programs define: tf.experimental.ExtensionType.

    class MaskedTensor(tf.experimental.ExtensionType):
        values: tf.Tensor
        mask: tf.Tensor

The annotations are the fields. A class gets a constructor, unless it has one, and a class `Spec` whose fields are the specs
of those fields. Values do not change after construction.
"""

from __future__ import annotations

import functools
import inspect
import typing

from . import composite_tensor, extension_fields, graph, nest, tensor, type_spec
from .extension_fields import ExtensionTypeField
from .immutable_dict import ImmutableDict
from .op_defs import op

_INIT = "_tf_extension_type_in_constructor"


# ---- classes' fields


def _hints(cls) -> dict:
    """The annotations of the class itself; names of classes are resolved where they can be."""
    raw = cls.__dict__.get("__annotations__", {})
    try:
        known = typing.get_type_hints(cls, localns={cls.__name__: cls})
    except Exception:  # a class that is named in an annotation is not there yet
        known = {}
    return {name: known.get(name, annotation) for name, annotation in raw.items()}


def _reserved() -> frozenset:
    names = {*dir(composite_tensor.CompositeTensor), *dir(type_spec.BatchableTypeSpec), "self", "_type_spec"}
    return frozenset(n for n in names if not n.startswith("__"))


def _check_names(cls) -> None:
    reserved = _reserved()
    for name in (*cls.__dict__.get("__annotations__", {}), *cls.__dict__):
        if name in reserved or name.startswith("_tf_extension_type") and name not in _ALLOWED:
            raise ValueError(f"The field annotations for {cls.__name__} are invalid. Field {name!r} is reserved")


_ALLOWED = frozenset(
    ("_tf_extension_type_fields", "_tf_extension_type_has_field", "_tf_extension_type_do_not_transform_this_class")
)


def _collect_fields(cls) -> tuple:
    """The fields of the bases, then those of the class; one that is annotated again keeps its place."""
    fields: dict = {}
    for base in reversed(cls.__mro__[1:]):
        fields.update((f.name, f) for f in base.__dict__.get("_extension_fields", ()))
    for name, annotation in _hints(cls).items():
        if name == "__name__" or typing.get_origin(annotation) is typing.ClassVar:
            continue
        where = f"field {name!r}"
        extension_fields.check_annotation(annotation, where)
        default = cls.__dict__.get(name, ExtensionTypeField.NO_DEFAULT)
        if default is not ExtensionTypeField.NO_DEFAULT and not extension_fields.is_tensor_type(annotation):
            default = _converted_default(default, annotation, f"default value for {cls.__name__}.{name}")
        fields[name] = ExtensionTypeField(name, annotation, default)
        if name in cls.__dict__:
            delattr(cls, name)
    return tuple(fields.values())


def _converted_default(default, annotation, where):
    try:
        return extension_fields.convert(default, annotation, where, False)
    except TypeError:
        if isinstance(annotation, (str, typing.ForwardRef)):
            return default
        raise


def _signature(cls, fields, of_spec) -> inspect.Signature:
    """Fields after one with a default are keyword-only where they have none."""
    kind, made = inspect.Parameter.POSITIONAL_OR_KEYWORD, []
    had_default = False
    for field in fields:
        if of_spec:
            made.append(inspect.Parameter(field.name, kind))
            continue
        if had_default and not field.has_default():
            kind = inspect.Parameter.KEYWORD_ONLY
        had_default = had_default or field.has_default()
        made.append(
            inspect.Parameter(
                field.name,
                kind,
                annotation=field.value_type,
                default=field.default if field.has_default() else inspect.Parameter.empty,
            )
        )
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([own, *made], return_annotation=cls)


def _constructor(cls, fields, of_spec):
    """__init__(self, a field for each): sets them, converts them, and validates."""
    signature = _signature(cls, fields, of_spec)

    def __init__(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        values = dict(bound.arguments)
        values.pop("self")
        for name, value in values.items():
            self.__dict__[name] = value
        _finish(self, of_spec)

    __init__.__signature__ = signature
    return __init__


def _wrapped(init, of_spec):
    """A constructor of the program's: attributes may be set while it runs, fields are converted after it."""

    @functools.wraps(init)
    def __init__(self, *args, **kwargs):
        outer = self.__dict__.get(_INIT, False)
        self.__dict__[_INIT] = True
        try:
            init(self, *args, **kwargs)
        finally:
            if not outer:
                del self.__dict__[_INIT]
        if not outer:
            _finish(self, of_spec)

    return __init__


def _resolve(cls) -> tuple:
    """The fields with names of classes resolved, now that those may be there."""
    fields = cls._tf_extension_type_fields()
    if any(_has_names(f.value_type) for f in fields):
        fields = tuple(f._replace(value_type=_resolved(f.value_type, cls)) for f in fields)
        cls._extension_fields = fields
    return fields


def _has_names(annotation) -> bool:
    return isinstance(annotation, (str, typing.ForwardRef)) or any(map(_has_names, typing.get_args(annotation)))


def _resolved(annotation, cls):
    import sys

    names = dict(vars(sys.modules.get(cls.__module__, typing)))
    names[cls.__name__] = cls

    class Holder:
        __annotations__ = {"x": annotation}

    try:
        return typing.get_type_hints(Holder, globalns=names, localns=names)["x"]
    except NameError:
        return annotation


def _finish(self, of_spec) -> None:
    cls = type(self).value_class if of_spec else type(self)
    fields = _resolve(cls)
    known = {f.name for f in fields}
    missing = [f.name for f in fields if f.name not in self.__dict__]
    for name in missing:
        default = next(f.default for f in fields if f.name == name)
        if default is ExtensionTypeField.NO_DEFAULT or of_spec:
            raise AttributeError(f"The constructor of {cls.__name__} has not set the field {name!r}")
        self.__dict__[name] = default
    extra = [n for n in self.__dict__ if n not in known and not n.startswith("_tf_extension_type")]
    if extra:
        raise AttributeError(f"The constructor of {cls.__name__} has set {extra}, which are no fields")
    for f in fields:
        where = f"{cls.__name__}.{f.name}" if of_spec else f"{f.name}"
        self.__dict__[f.name] = extension_fields.convert(self.__dict__[f.name], f.value_type, where, of_spec)
    self.__validate__()


class _Immutable:
    """Attributes are set in the constructor only."""

    def __setattr__(self, name, value):
        if self.__dict__.get(_INIT, False) or name.startswith("_tf_extension_type"):
            self.__dict__[name] = value
            return
        raise AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of {self._kind_of_value}."
        )

    def __delattr__(self, name):
        raise AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of {self._kind_of_value}."
        )

    def __validate__(self):
        """Checks fields against each other. Subclasses may have it."""


# ---- specs


class ExtensionTypeSpec(_Immutable, type_spec.TypeSpec):
    """The base of the specs of extension types."""

    _kind_of_value = "ExtensionTypeSpec"
    value_class = None

    value_type = property(lambda self: type(self).value_class)

    @classmethod
    def from_value(cls, value):
        """The spec of a value."""
        if not isinstance(value, cls.value_class):
            raise ValueError(f"{cls.__qualname__}.from_value takes {cls.value_class.__name__}, got {value!r}")
        return _of_fields(cls, {f.name: _to_spec(value.__dict__[f.name]) for f in _resolve(cls.value_class)})

    def _field_items(self) -> dict:
        return {f.name: self.__dict__[f.name] for f in type(self).value_class._tf_extension_type_fields()}

    def _serialize(self):
        return tuple((name, _plain(value)) for name, value in self._field_items().items())

    @classmethod
    def _deserialize(cls, serialization):
        return _of_fields(cls, {name: _frozen(value) for name, value in serialization})

    @property
    def _component_specs(self):
        return tuple(leaf for leaf in _leaves(self._field_items()) if isinstance(leaf, type_spec.TypeSpec))

    def _to_components(self, value):
        return tuple(leaf for leaf in _leaves(_field_values(value)) if _is_part(leaf))

    def _from_components(self, components):
        rest = iter(components)
        made = {
            name: _map_leaves(lambda leaf: next(rest) if isinstance(leaf, type_spec.TypeSpec) else leaf, value)
            for name, value in self._field_items().items()
        }
        return _of_fields(type(self).value_class, made)

    def __repr__(self):
        return f"{type(self).__qualname__}({', '.join(f'{k}={v!r}' for k, v in self._field_items().items())})"

    def __reduce__(self):
        return _restore_spec, (type(self).value_class, self._serialize())

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def _to_legacy_output_types(self):
        return self

    def _to_legacy_output_shapes(self):
        return self

    def _to_legacy_output_classes(self):
        return self


def _restore_spec(cls, serialization):
    return cls.Spec._deserialize(serialization)


def _of_fields(cls, fields):
    made = cls.__new__(cls)
    made.__dict__.update(fields)
    return made


def _is_part(leaf) -> bool:
    return (
        isinstance(leaf, tensor.Tensor) or not isinstance(leaf, type_spec.TypeSpec) and nest.spec_of(leaf) is not None
    )


def _leaves(fields: dict) -> list:
    return [leaf for value in fields.values() for leaf in _leaves_of(value)]


def _leaves_of(value):
    if isinstance(value, (ImmutableDict, dict)):
        return [leaf for k in sorted(value) for leaf in _leaves_of(value[k])]
    if isinstance(value, tuple):
        return [leaf for v in value for leaf in _leaves_of(v)]
    return [value]


def _map_leaves(change, value):
    if isinstance(value, (ImmutableDict, dict)):
        made = {k: _map_leaves(change, value[k]) for k in sorted(value)}
        return ImmutableDict((k, made[k]) for k in value)
    if isinstance(value, tuple):
        return tuple([_map_leaves(change, v) for v in value])
    return change(value)


def _to_spec(value):
    return _map_leaves(_spec_of_leaf, value)


def _spec_of_leaf(leaf):
    return type_spec.known_spec(leaf) if _is_part(leaf) else leaf


def _plain(value):
    if isinstance(value, (ImmutableDict, dict)):
        return {k: _plain(v) for k, v in value.items()}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _frozen(value):
    return _map_leaves(lambda leaf: leaf, tuple(value) if isinstance(value, list) else value)


def _field_values(value) -> dict:
    return {f.name: value.__dict__[f.name] for f in value._tf_extension_type_fields()}


class ExtensionTypeBatchEncoder:
    """How a batch of values is made of tensors: by default each part by itself. Subclasses change it."""

    def batch(self, spec, batch_size):
        """The spec of a batch of values."""
        return _changed(spec, lambda s: type_spec.batch(s, batch_size))

    def unbatch(self, spec):
        """The spec of one of the values of which the spec is a batch."""
        return _changed(spec, lambda s: s._unbatch())

    def encode(self, spec, value, minimum_rank=0):
        """The value as tensors or composites that can be stacked, each of at least this rank."""
        del minimum_rank
        return spec._to_components(value)

    def decode(self, spec, encoded_value):
        return spec._from_components(tuple(encoded_value))

    def encoding_specs(self, spec):
        """The specs of what encode gives."""
        return spec._component_specs


def _changed(spec, change):
    return _of_fields(
        type(spec),
        {
            name: _map_leaves(lambda leaf: change(leaf) if isinstance(leaf, type_spec.TypeSpec) else leaf, value)
            for name, value in spec._field_items().items()
        },
    )


class BatchableExtensionTypeSpec(ExtensionTypeSpec, type_spec.BatchableTypeSpec):
    """The base of the specs of extension types that can be batched."""

    __batch_encoder__ = ExtensionTypeBatchEncoder()

    @property
    def _encoder(self):
        return type(self).value_class.__batch_encoder__

    def _batch(self, batch_size):
        return self._encoder.batch(self, batch_size)

    def _unbatch(self):
        return self._encoder.unbatch(self)

    def _encoded_specs(self):
        return nest.flatten(self._encoder.encoding_specs(self))

    @property
    def _flat_tensor_specs(self):
        return [t for s in self._encoded_specs() for t in s._flat_tensor_specs]

    def _to_tensor_list(self, value):
        return self._tensors(value, 0, "_to_tensor_list")

    def _to_batched_tensor_list(self, value):
        return self._tensors(value, 1, "_to_batched_tensor_list")

    def _tensors(self, value, minimum_rank, method):
        parts = nest.flatten(self._encoder.encode(self, value, minimum_rank))
        return [t for s, part in zip(self._encoded_specs(), parts) for t in getattr(s, method)(part)]

    def _from_compatible_tensor_list(self, tensors):
        tensors, parts = iter(tensors), []
        for s in self._encoded_specs():
            parts.append(s._from_compatible_tensor_list([next(tensors) for _ in s._flat_tensor_specs]))
        return self._encoder.decode(self, nest.pack_sequence_as(self._encoder.encoding_specs(self), parts))

    def _from_tensor_list(self, tensors):
        return self._from_compatible_tensor_list(tensors)


# ---- values


class ExtensionType(_Immutable, composite_tensor.CompositeTensor):
    """The base of composite tensors that programs define by annotations of fields.

    Fields are numbers, texts, tensors and composite tensors, tf.TensorShape, tf.DType, and tuples, mappings, unions of them.
    """

    _kind_of_value = "ExtensionType"
    _spec_base = ExtensionTypeSpec
    _tf_extension_type_do_not_transform_this_class = True

    def __init__(self, *args, **kwargs):
        raise AssertionError("ExtensionType is an abstract base class.")

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__dict__.get("_tf_extension_type_do_not_transform_this_class", False):
            return
        _check_names(cls)
        cls._extension_fields = _collect_fields(cls)
        if "__init__" in cls.__dict__:
            cls.__init__ = _wrapped(cls.__init__, False)
        elif not _has_own_constructor(cls):
            cls.__init__ = _constructor(cls, cls._extension_fields, False)
        cls.Spec = _make_spec(cls)
        if "__name__" in cls.__dict__:
            type_spec.register(cls.__dict__["__name__"] + ".Spec")(cls.Spec)

    @classmethod
    def _tf_extension_type_fields(cls):
        """The fields, in order: name, value_type, default."""
        return cls.__dict__.get("_extension_fields", getattr(cls, "_extension_fields", ()))

    @classmethod
    def _tf_extension_type_has_field(cls, field_name) -> bool:
        return any(f.name == field_name for f in cls._tf_extension_type_fields())

    @property
    def _type_spec(self):
        return self.Spec.from_value(self)

    def _shape_invariant_to_type_spec(self, shape):
        del shape
        return self._type_spec

    def __repr__(self):
        parts = (f"{f.name}={self.__dict__[f.name]!r}" for f in self._tf_extension_type_fields())
        return f"{type(self).__qualname__}({', '.join(parts)})"

    def __eq__(self, other):
        """Whether all fields are equal: a truth value, or a tensor of it."""
        if type(self) is not type(other) or not _compatible_plain(self, other):
            return False
        made = [_equal(x, y) for x, y in zip(*(nest.flatten(v, expand_composites=True) for v in (self, other)))]
        if not made:
            return True
        return op("All")(op("Pack")(made), [0])

    def __ne__(self, other):
        made = self == other
        return not made if isinstance(made, bool) else op("LogicalNot")(made)

    def __hash__(self):
        raise TypeError(f"{type(self).__name__} is unhashable: its tensors may be equal elementwise")


def _compatible_plain(a, b) -> bool:
    specs = [v._type_spec._with_tensor_ranks_only() for v in (a, b)]
    return specs[0].is_compatible_with(specs[1])


def _equal(x, y):
    """A scalar: whether two tensors have one shape and equal elements."""
    if isinstance(x, tensor.EagerTensor) and isinstance(y, tensor.EagerTensor) and x.shape != y.shape:
        return tensor.convert(False)
    if not x.shape.is_compatible_with(y.shape):
        return tensor.convert(False) if graph.current() is None else graph.into(graph.current(), False)
    same_shape = op("Equal")(op("Shape")(x), op("Shape")(y), incompatible_shape_error=False)
    elements = op("Reshape")(op("Equal")(x, y, incompatible_shape_error=False), [-1])
    same_shape = op("Reshape")(same_shape, [-1])
    return op("LogicalAnd")(op("All")(same_shape, [0]), op("All")(elements, [0]))


def _has_own_constructor(cls) -> bool:
    """Whether a base, which has the same fields, has a constructor of the program's."""
    for base in cls.__mro__[1:]:
        if base in (ExtensionType, BatchableExtensionType):
            return False
        if "__init__" in base.__dict__:
            return hasattr(base.__init__, "__wrapped__") and base._extension_fields == cls._extension_fields
    return False


def _make_spec(cls):
    own = cls.__dict__.get("Spec")
    base = cls._spec_base
    if own is None:
        attributes: dict = {}
    else:
        if not isinstance(own, type):
            raise ValueError(f"{cls.__name__}.Spec must be a nested class; got {own}.")
        if own.__bases__ not in ((object,), (type_spec.TypeSpec,)):
            raise ValueError(f"{cls.__name__}.Spec must be directly subclassed from tf.TypeSpec.")
        attributes = {k: v for k, v in own.__dict__.items() if k not in ("__dict__", "__weakref__")}
    attributes.setdefault("__module__", cls.__module__)
    attributes["__qualname__"] = f"{cls.__qualname__}.Spec"
    init = attributes.pop("__init__", None)
    made = type("Spec", (base,), attributes)
    made.value_class = cls
    made.__init__ = _constructor(made, cls._extension_fields, True) if init is None else _wrapped(init, True)
    return made


class BatchableExtensionType(ExtensionType):
    """An ExtensionType whose values can be stacked, and taken apart: for tf.map_fn and data sets.

    `__batch_encoder__` says how, an ExtensionTypeBatchEncoder.
    """

    _spec_base = BatchableExtensionTypeSpec
    _tf_extension_type_do_not_transform_this_class = True
    __batch_encoder__ = ExtensionTypeBatchEncoder()


def as_dict(value) -> dict:
    """The fields of an extension type and their values."""
    return _field_values(value)
