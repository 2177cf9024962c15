"""Fields of extension types: which annotations there are, and values that fit them."""

from __future__ import annotations

import collections.abc
import types
import typing

from . import composite_tensor, dtypes, tensor, tensor_shape, type_spec
from .immutable_dict import ImmutableDict

_NO_DEFAULT = object()
_PLAIN = (int, float, str, bytes, bool, type(None))


class ExtensionTypeField(typing.NamedTuple):
    """Name, annotation and default of a field."""

    name: str
    value_type: object
    default: object = _NO_DEFAULT

    NO_DEFAULT = _NO_DEFAULT

    def has_default(self) -> bool:
        return self.default is not _NO_DEFAULT


def is_tensor_type(annotation) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, tensor.Tensor)


def _is_composite_type(annotation) -> bool:
    return isinstance(annotation, type) and (
        issubclass(annotation, (composite_tensor.CompositeTensor, type_spec.TypeSpec))
        or hasattr(annotation, "_type_spec")
    )


def check_annotation(annotation, where: str) -> None:
    """TypeError when a field cannot have this annotation. Names of classes that are not there yet are taken as they are."""
    if isinstance(annotation, (str, typing.ForwardRef)):
        return
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation is None or annotation in _PLAIN or is_tensor_type(annotation) or _is_composite_type(annotation):
        return
    if annotation in (tensor_shape.TensorShape, dtypes.DType):
        return
    if origin is typing.Union or isinstance(annotation, types.UnionType) or origin is tuple:
        for part in arguments:
            if part is not Ellipsis and part != ():
                check_annotation(part, where)
        return
    if origin is collections.abc.Mapping and len(arguments) == 2:
        for part in arguments:
            check_annotation(part, where)
        return
    if origin is typing.Literal and all(isinstance(a, _PLAIN) for a in arguments):
        return
    raise TypeError(f"In {where}: Unsupported type annotation {annotation!r}")


class _Unfit(Exception):
    pass


def convert(value, annotation, where: str, of_spec: bool):
    """The value as the annotation has it: tensors of what can become one, tuples of lists, ImmutableDicts of mappings.

    of_spec: the fields of a spec, where a TensorSpec stands for a tensor. TypeError when the value does not fit.
    """
    if isinstance(annotation, (str, typing.ForwardRef)):
        raise TypeError(f"{where}: the annotation {annotation!r} names no class that is known")
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Union or isinstance(annotation, types.UnionType):
        return _convert_union(value, arguments, where, of_spec)
    if annotation is None or annotation in _PLAIN:
        wanted = type(None) if annotation is None else annotation
        if isinstance(value, wanted) and not (wanted in (int, float) and isinstance(value, bool)):
            return value
        raise _unfit(value, annotation, where)
    if annotation is tensor_shape.TensorShape:
        if isinstance(value, (tensor_shape.TensorShape, list, tuple)) or value is None:
            return tensor_shape.as_shape(value)
        raise _unfit(value, annotation, where)
    if annotation is dtypes.DType:
        try:
            return dtypes.as_dtype(value)
        except TypeError:
            raise _unfit(value, annotation, where) from None
    if is_tensor_type(annotation):
        return _convert_tensor(value, annotation, where, of_spec)
    if origin is tuple:
        return _convert_tuple(value, arguments, where, of_spec)
    if origin is collections.abc.Mapping:
        return _convert_mapping(value, arguments, where, of_spec)
    if origin is typing.Literal:
        if value in arguments:
            return value
        raise _unfit(value, annotation, where)
    return _convert_composite(value, annotation, where, of_spec)


def _unfit(value, annotation, where):
    if annotation in (tensor_shape.TensorShape, dtypes.DType):
        name = repr(f"tf.{annotation.__name__}")
    else:
        name = repr(annotation.__name__) if isinstance(annotation, type) else annotation
    return TypeError(f"{where}: expected {name}, got {type(value).__name__!r}")


def _convert_union(value, arguments, where, of_spec):
    for part in arguments:
        if part is type(None) and value is None:
            return None
        if isinstance(part, type) and not of_spec and isinstance(value, part) and not isinstance(value, bool):
            return value
    for part in arguments:
        try:
            return convert(value, part, where, of_spec)
        except (TypeError, ValueError):
            continue
    raise _unfit(value, typing.Union[arguments], where)


def _convert_tensor(value, annotation, where, of_spec):
    if of_spec:
        if isinstance(value, type_spec.TensorSpec):
            return value
        raise TypeError(f"{where}: expected a TensorSpec, got {type(value).__name__!r}")
    if isinstance(value, tensor.Tensor):
        return value
    try:
        return tensor.convert(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{where}: expected a Tensor, got {type(value).__name__!r}") from error


def _convert_tuple(value, arguments, where, of_spec):
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{where}: expected tuple, got {type(value).__name__!r}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(convert(v, arguments[0], f"{where}[{i}]", of_spec) for i, v in enumerate(value))
    arguments = () if arguments == ((),) else arguments
    if len(arguments) != len(value):
        raise TypeError(f"{where}: expected tuple with length {len(arguments)}, got {len(value)}")
    return tuple(convert(v, a, f"{where}[{i}]", of_spec) for i, (v, a) in enumerate(zip(value, arguments)))


def _convert_mapping(value, arguments, where, of_spec):
    if not isinstance(value, collections.abc.Mapping):
        raise TypeError(f"{where}: expected mapping, got {type(value).__name__!r}")
    keys, values = arguments
    return ImmutableDict(
        (convert(k, keys, f"{where}[<key>]", of_spec), convert(v, values, f"{where}[{k!r}]", of_spec))
        for k, v in value.items()
    )


def _convert_composite(value, annotation, where, of_spec):
    if of_spec:
        if isinstance(value, type_spec.TypeSpec) and not issubclass(annotation, type_spec.TypeSpec):
            made_by = value.value_type
            if isinstance(made_by, type) and issubclass(made_by, annotation):
                return value
        if isinstance(value, annotation):
            return value
        raise TypeError(f"{where}: expected a TypeSpec of {annotation.__name__}, got {type(value).__name__!r}")
    if isinstance(value, annotation):
        return value
    raise _unfit(value, annotation, where)
