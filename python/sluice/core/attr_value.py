"""Attrs of nodes as the bytes of AttrValue messages, and other messages that the package writes."""

from __future__ import annotations

import struct

from . import dtypes, tensor_shape


def varint(n: int) -> bytes:
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def key(number: int, wire: int) -> bytes:
    return varint(number << 3 | wire)


def block(number: int, data: bytes) -> bytes:
    """A field that has a length: texts, bytes, messages."""
    return key(number, 2) + varint(len(data)) + data


def number(field: int, value: int) -> bytes:
    return key(field, 0) + varint(value)


def shape_proto(shape) -> bytes:
    shape = tensor_shape.as_shape(shape)
    if shape.rank is None:
        return number(3, 1)
    return b"".join(block(2, number(1, -1 if d is None else d)) for d in shape.as_list())


# Fields of a TensorProto for one element, by the type's number: floats as they lie, whole numbers as such.
_FLOATS = {1: 5, 2: 6, 8: 9, 18: 12}
_WHOLE = {3: 7, 4: 7, 5: 7, 6: 7, 17: 7, 9: 10, 10: 11, 22: 16, 23: 17}


def tensor_proto(t) -> bytes:
    """An eager tensor's value. One element is a number, as TensorFlow writes it; more are bytes."""
    from .. import _native

    dtype = t._dtype_number
    head = number(1, dtype) + block(2, shape_proto(t.shape))
    if dtype != 7:
        data = _native.tensor_bytes(t)
        if t.shape.num_elements() != 1 or dtype not in _FLOATS and dtype not in _WHOLE:
            return head + block(4, data)
        if dtype in _FLOATS:
            return head + block(_FLOATS[dtype], data)
        return head + block(_WHOLE[dtype], varint(int(t.numpy().item())))

    def flat(v):
        return [v] if isinstance(v, bytes) else [x for item in v for x in flat(item)]

    return head + b"".join(block(8, v) for v in flat(t._tolist()))


def _bytes(value) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


def _function(value) -> bytes:
    return block(1, _bytes(value if isinstance(value, (str, bytes)) else value.name))


def _tensor(value) -> bytes:
    from .tensor import convert

    return tensor_proto(convert(value))


_ONE = {
    "s": lambda v: block(2, _bytes(v)),
    "i": lambda v: number(3, int(v)),
    "f": lambda v: key(4, 5) + struct.pack("<f", v),
    "b": lambda v: number(5, int(bool(v))),
    "t": lambda v: number(6, dtypes.as_dtype(v).as_datatype_enum),
    "h": lambda v: block(7, shape_proto(v)),
    "e": lambda v: block(8, _tensor(v)),
    "u": lambda v: block(10, _function(v)),
}
_IN_LIST = dict(_ONE, u=lambda v: block(9, _function(v)))


def encode(kind: str, is_list: bool, value) -> bytes:
    """A value of an attr of this kind (see op_defs), as an AttrValue."""
    if not is_list:
        return _ONE[kind](value)
    return block(1, b"".join(_IN_LIST[kind](v) for v in value))


def decode(data: bytes):
    """An AttrValue's bytes as Operation.get_attr gives it: numbers, bytes, DTypes, messages of shapes, tensors and functions."""
    from . import messages

    value = messages.AttrValue.FromString(data)
    kind = value.WhichOneof("value")
    if kind == "list":
        filled = next((v for field, v in value.list.ListFields()), [])
        is_types = bool(value.list.type)
        return [dtypes.as_dtype(v) for v in filled] if is_types else list(filled)
    made = getattr(value, kind) if kind else None
    return dtypes.as_dtype(made) if kind == "type" else made
