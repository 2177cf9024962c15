"""Nested Python structures and type specs as StructuredValue messages, and back: what signatures of saved functions are."""

from __future__ import annotations

import collections
from collections import abc

from . import attr_value, bounded_spec, dtypes, messages, nest, tensor, tensor_shape
from .type_spec import TensorSpec, TypeSpec

# ---- writing


def encode(value):
    """A StructuredValue. NotImplementedError for what has no such form."""
    made = messages.StructuredValue()
    _encode(value, made)
    return made


def _encode(value, made):
    if value is None:
        made.none_value.SetInParent()
    elif isinstance(value, bool):
        made.bool_value = value
    elif isinstance(value, int):
        made.int64_value = value
    elif isinstance(value, float):
        made.float64_value = value
    elif isinstance(value, str):
        made.string_value = value
    elif isinstance(value, dtypes.DType):
        made.tensor_dtype_value = value.as_datatype_enum
    elif isinstance(value, tensor_shape.TensorShape):
        made.tensor_shape_value.CopyFrom(shape_message(value))
    elif type(value) is TensorSpec:
        _encode_tensor_spec(value, made.tensor_spec_value)
    elif isinstance(value, bounded_spec.BoundedTensorSpec):
        _encode_tensor_spec(value, made.bounded_tensor_spec_value)
        bounded_spec.limits_to(made.bounded_tensor_spec_value, value)
    elif isinstance(value, TypeSpec):
        _encode_type_spec(value, made.type_spec_value)
    elif nest.is_namedtuple(value):
        made.named_tuple_value.name = type(getattr(value, "__wrapped__", value)).__name__
        for name in value._fields:
            pair = made.named_tuple_value.values.add(key=name)
            _encode(getattr(value, name), pair.value)
        made.named_tuple_value.SetInParent()
    elif isinstance(value, abc.Mapping):
        made.dict_value.SetInParent()
        for k, v in value.items():
            if not isinstance(k, str):
                raise NotImplementedError(f"a dictionary with the key {k!r} cannot be saved")
            _encode(v, made.dict_value.fields[k])
    elif isinstance(value, (list, tuple)):
        held = made.list_value if isinstance(value, list) else made.tuple_value
        held.SetInParent()
        for v in value:
            _encode(v, held.values.add())
    elif isinstance(value, tensor.EagerTensor):
        made.tensor_value.ParseFromString(attr_value.tensor_proto(value))
    elif type(value).__module__ == "numpy" and hasattr(value, "dtype"):
        made.numpy_value.ParseFromString(attr_value.tensor_proto(tensor.convert(value)))
    elif (spec := nest.spec_of(value)) is not None:
        _encode(spec, made)
    else:
        raise NotImplementedError(f"No encoder for Python object [{value!r}] of type [{type(value)}].")


def shape_message(shape):
    return messages.TensorShapeProto.FromString(attr_value.shape_proto(shape))


def _encode_tensor_spec(spec, made):
    made.name = spec.name or ""
    made.shape.CopyFrom(shape_message(spec.shape))
    made.dtype = spec.dtype.as_datatype_enum


# class of spec: the message's number of it, the names of what `_serialize` gives as TensorFlow calls them
_KINDS = {
    "SparseTensorSpec": (1, ("shape", "dtype")),
    "IndexedSlicesSpec": (2, ("shape", "dtype", "indices_dtype", "dense_shape_dtype", "indices_shape")),
    "RaggedTensorSpec": (3, ("shape", "dtype", "ragged_rank", "row_splits_dtype")),
    "TensorArraySpec": (4, ("element_shape", "dtype", "dynamic_size", "infer_shape")),
    "DatasetSpec": (5, ("element_spec", "dataset_shape")),
    "IteratorSpec": (6, ("element_spec",)),
    "OptionalSpec": (7, ("value_spec",)),
    "VariableSpec": (9, ("shape", "dtype", "trainable", "alias_id")),
    "RowPartitionSpec": (10, ("nrows", "nvals", "uniform_row_length", "dtype")),
}
_REGISTERED, _EXTENSION = 12, 13


def _encode_type_spec(spec, made):
    name = type(spec).__name__
    if name in _KINDS:
        number = _KINDS[name][0]
    elif hasattr(spec, "_tf_extension_type_fields") or any(
        c.__name__ == "ExtensionTypeSpec" for c in type(spec).__mro__
    ):
        number, name = _EXTENSION, registered_name(type(spec))
    else:
        number, name = _REGISTERED, registered_name(type(spec))
    made.type_spec_class, made.type_spec_class_name = number, name
    made.num_flat_components = len(spec.flatten())
    _encode(_serialized(spec), made.type_state)


def _serialized(spec):
    parts = spec._serialize()
    if type(spec).__name__ == "VariableSpec" and len(parts) < 4:
        parts = (*parts, None)
    return parts


def registered_name(spec_class) -> str:
    """The name under which a class of specs was registered. ValueError when it was not."""
    name = _registered().get(spec_class)
    if name is None:
        raise ValueError(f"TypeSpec {spec_class.__module__}.{spec_class.__name__} has not been registered.")
    return name


def _registered() -> dict:
    from . import type_spec

    return getattr(type_spec, "registered_names", {})


# ---- reading


def decode(made):
    """The structure that a StructuredValue has."""
    kind = made.WhichOneof("kind")
    value = getattr(made, kind) if kind else None
    if kind in ("bool_value", "int64_value", "float64_value", "string_value"):
        return value
    if kind in ("none_value", None):
        return None
    if kind == "tensor_dtype_value":
        return dtypes.as_dtype(value)
    if kind == "tensor_shape_value":
        return shape_of(value)
    if kind == "tensor_spec_value":
        return TensorSpec(shape_of(value.shape), dtypes.as_dtype(value.dtype), value.name or None)
    if kind == "bounded_tensor_spec_value":
        return bounded_spec.from_message(value, tensor_of, shape_of)
    if kind == "type_spec_value":
        return _decode_type_spec(value)
    if kind == "list_value":
        return [decode(v) for v in value.values]
    if kind == "tuple_value":
        return tuple(decode(v) for v in value.values)
    if kind == "dict_value":
        return {k: decode(v) for k, v in value.fields.items()}
    if kind == "named_tuple_value":
        names = [pair.key for pair in value.values]
        return collections.namedtuple(value.name, names)(*(decode(pair.value) for pair in value.values))
    if kind in ("tensor_value", "numpy_value"):
        found = tensor_of(value)
        return found if kind == "tensor_value" else found.numpy()
    raise NotImplementedError(f"a saved {kind}")


def shape_of(made):
    if made.unknown_rank:
        return tensor_shape.TensorShape(None)
    return tensor_shape.TensorShape([None if d.size < 0 else d.size for d in made.dim])


def tensor_of(made):
    """The eager tensor of a TensorProto."""
    from . import graph
    from .op_defs import op

    with graph.outside():
        return op("ParseTensor")(made.SerializeToString(), out_type=dtypes.as_dtype(made.dtype))


def _decode_type_spec(made):
    cls = _class_of(made.type_spec_class, made.type_spec_class_name)
    parts = decode(made.type_state)
    return cls._deserialize(tuple(parts) if isinstance(parts, (list, tuple)) else parts)


def _class_of(number, name):
    for known, (n, _) in _KINDS.items():
        if n == number:
            return _spec_class(known)
    for cls, registered in _registered().items():
        if registered == name:
            return cls
    if name in ("tf.EagerWeakTensor.Spec", "tf.GraphWeakTensor.Spec"):
        from .weak_tensor import WeakTensor

        return WeakTensor.Spec
    from ..linear_operators.operator_specs import spec_class_named

    found = spec_class_named(name)  # classes of specs that are made when they are first used
    if found is None:
        raise ValueError(f"The type spec {name!r} has not been registered.")
    return found


def _spec_class(name):
    import importlib

    if name == "VariableSpec":
        from .variable_spec import VariableSpec

        return VariableSpec

    package = __package__.partition(".")[0]
    for space in ("", ".data", ".experimental", ".__internal__"):
        try:
            return getattr(importlib.import_module(package + space), name)
        except (AttributeError, ImportError):
            continue
    raise NotImplementedError(f"a saved {name}")
