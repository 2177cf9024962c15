"""tf.make_tensor_proto and tf.make_ndarray: arrays as TensorProto messages, and back."""

from __future__ import annotations

import numpy

from ..core import dtypes, graph, messages, tensor, tensor_shape

# Where a TensorProto has values of a type that are not in tensor_content.
_FIELDS = {
    "float32": "float_val",
    "float64": "double_val",
    "int32": "int_val",
    "int16": "int_val",
    "int8": "int_val",
    "uint8": "int_val",
    "uint16": "int_val",
    "qint8": "int_val",
    "quint8": "int_val",
    "qint16": "int_val",
    "quint16": "int_val",
    "qint32": "int_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
    "int64": "int64_val",
    "bool": "bool_val",
    "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
    "float16": "half_val",
    "bfloat16": "half_val",
    "string": "string_val",
}


def _plain(values, dtype):
    """The values as an array of the type, and the type."""
    if isinstance(values, tensor.Tensor) and not isinstance(values, tensor.EagerTensor) or _has_tensors(values):
        raise TypeError("Expected any non-tensor type, but got a tensor instead.")
    if values is None:
        raise ValueError("None values not supported.")
    number = 0 if dtype is None else dtypes.as_dtype(dtype).as_datatype_enum
    with graph.outside():
        made = tensor.convert_here(values, number)
    return numpy.asarray(tensor.to_numpy(made)), made.dtype


def _has_tensors(values):
    return isinstance(values, (list, tuple)) and any(isinstance(v, tensor.Tensor) or _has_tensors(v) for v in values)


def make_tensor_proto(values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False):
    """A TensorProto of a value. Fewer values than `shape` has elements: the last one fills it.

    allow_broadcast: only a single value does. verify_shape: the value has to have the shape. TypeError when it has not, or
    is a tensor of a graph; ValueError when there are too many values.
    """
    array, dtype = _plain(values, dtype)
    wanted = array.shape if shape is None else tuple(int(d) for d in tensor_shape.as_shape(shape).as_list())
    size = int(numpy.prod(wanted, dtype=numpy.int64))
    fills = shape is not None and array.size != size
    if shape is not None and (verify_shape or allow_broadcast and array.size != 1) and array.shape != wanted:
        raise TypeError(f"Expected Tensor's shape: {wanted}, but got {array.shape}.")
    if fills and array.size > size:
        raise ValueError(f"Too many elements provided. Takes at most {size}, but got {array.size}.")
    made = messages.TensorProto(dtype=dtype.as_datatype_enum)
    made.tensor_shape.SetInParent()
    for d in wanted:
        made.tensor_shape.dim.add().size = d
    if dtype == dtypes.string:
        made.string_val.extend(v.encode() if isinstance(v, str) else bytes(v) for v in array.reshape(-1).tolist())
    elif shape is None and array.size > 1 or dtype.name not in _FIELDS:
        made.tensor_content = array.tobytes()
    else:
        getattr(made, _FIELDS[dtype.name]).extend(_numbers(array.reshape(-1), dtype))
    return made


def _numbers(flat, dtype):
    if dtype.name in ("float16", "bfloat16"):
        return flat.view(numpy.uint16).tolist()
    if dtype.is_complex:
        return [part for v in flat.tolist() for part in (v.real, v.imag)]
    return flat.tolist()


def make_ndarray(tensor):
    """The array of a TensorProto; of strings one of bytes. TypeError when the type is not one of arrays."""
    shape = [d.size for d in tensor.tensor_shape.dim]
    dtype = dtypes.as_dtype(tensor.dtype)
    if dtype == dtypes.string:
        return _filled(numpy.array(list(tensor.string_val), dtype=object), shape, b"", object)
    kind = dtype.as_numpy_dtype
    if tensor.tensor_content:
        return numpy.frombuffer(tensor.tensor_content, dtype=kind).copy().reshape(shape)
    field = _FIELDS.get(dtype.name)
    if field is None:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}")
    values = list(getattr(tensor, field))
    if dtype.name in ("float16", "bfloat16"):
        flat = numpy.array(values, dtype=numpy.uint16).view(kind)
    elif dtype.is_complex:
        flat = numpy.array([complex(a, b) for a, b in zip(values[::2], values[1::2])], dtype=kind)
    else:
        flat = numpy.array(values, dtype=kind)
    return _filled(flat, shape, 0, kind)


def _filled(flat, shape, default, kind):
    """The values in the shape; behind the last one its copies."""
    size = int(numpy.prod(shape, dtype=numpy.int64))
    if flat.size < size:
        rest = numpy.full(size - flat.size, flat[-1] if flat.size else default, dtype=kind)
        flat = numpy.concatenate([flat, rest])
    return flat.reshape(shape)
