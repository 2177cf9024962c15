"""Messages as bytes, in protobuf's wire format. What a message does not know it keeps, and writes again."""

from __future__ import annotations

import struct

_FIXED = {"double": "<d", "float": "<f", "fixed64": "<Q", "fixed32": "<I"}


class DecodeError(ValueError):
    """Bytes that are no message."""


# ---- reading


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7
        if shift > 63:
            raise DecodeError("Error parsing message: a number is too long")


def _from_varint(kind, value):
    if kind in ("int64", "int32", "enum"):
        value = value - (1 << 64) if value >> 63 else value
        if kind != "int64":
            value = (value + (1 << 31) & 0xFFFFFFFF) - (1 << 31)
        return value
    if kind == "bool":
        return bool(value)
    if kind == "uint32":
        return value & 0xFFFFFFFF
    if kind == "sint64":
        return value >> 1 ^ -(value & 1)
    return value


def _from_block(kind, block):
    return block.decode() if kind == "string" else bytes(block)


def _packed(field, data, at, end):
    kind = field.kind
    if kind in _FIXED:
        code = _FIXED[kind]
        n, rest = divmod(end - at, struct.calcsize(code))
        if rest:
            raise DecodeError("Error parsing message: a packed field ends within a number")
        return struct.unpack_from(f"<{n}{code[1]}", data, at)
    out = []
    while at < end:
        byte = data[at]
        if byte < 128:
            at += 1
            out.append(_from_varint(kind, byte) if kind != "int64" else byte)
        else:
            value, at = _varint(data, at)
            out.append(_from_varint(kind, value))
    return out


def _skip(data, at, wire, number):
    """The end of an unknown field whose key has been read."""
    if wire == 0:
        return _varint(data, at)[1]
    if wire == 2:
        n, at = _varint(data, at)
        return at + n
    if wire in (1, 5):
        return at + (8 if wire == 1 else 4)
    if wire == 3:
        while True:
            key, at = _varint(data, at)
            if key & 7 == 4:
                if key >> 3 != number:
                    raise DecodeError("Error parsing message: a group ends that did not begin")
                return at
            at = _skip(data, at, key & 7, key >> 3)
    raise DecodeError(f"Error parsing message: wire type {wire}")


def merge(message, data: bytes) -> None:
    """Reads bytes into a message. DecodeError when they are none."""
    try:
        _merge(message, data, 0, len(data))
    except (IndexError, struct.error, UnicodeDecodeError, RecursionError) as error:
        raise DecodeError(f"Error parsing message: {error}") from None


def _merge(message, data, at, end):
    by_number = message._by_number
    while at < end:
        start = at
        key, at = _varint(data, at)
        wire, number = key & 7, key >> 3
        if number == 0:
            raise DecodeError("Error parsing message: field number 0")
        field = by_number.get(number)
        if field is None or wire != field.wire and not (wire == 2 and field.repeated):
            at = _skip(data, at, wire, number)
            message._unknown += data[start:at]
        elif wire == 2:
            n, at = _varint(data, at)
            stop = at + n
            if stop > end:
                raise DecodeError("Error parsing message: truncated")
            _merge_block(message, field, data, at, stop)
            at = stop
        elif wire == 0:
            value, at = _varint(data, at)
            message._put(field, _from_varint(field.kind, value))
        else:
            (value,) = struct.unpack_from(_FIXED[field.kind], data, at)
            at += 8 if wire == 1 else 4
            message._put(field, value)
        if at > end:
            raise DecodeError("Error parsing message: truncated")


def _merge_block(message, field, data, at, end):
    if field.key is not None:
        _merge_entry(message, field, data, at, end)
    elif field.kind == "message":
        _merge(message._get(field).add() if field.repeated else message._present_child(field), data, at, end)
    elif field.wire != 2:
        message._get(field)._extend(_packed(field, data, at, end))
    else:
        message._put(field, _from_block(field.kind, data[at:end]))


def _merge_entry(message, field, data, at, end):
    key, spans = field.key.default, []
    value = field.value.default
    while at < end:
        tag, at = _varint(data, at)
        part = field.key if tag >> 3 == 1 else field.value if tag >> 3 == 2 else None
        if part is None or tag & 7 != part.wire:
            at = _skip(data, at, tag & 7, tag >> 3)
            continue
        if part.wire == 2:
            n, at = _varint(data, at)
            if part.kind == "message":
                spans.append((at, at + n))
                got = None
            else:
                got = _from_block(part.kind, data[at : at + n])
            at += n
        elif part.wire == 0:
            number, at = _varint(data, at)
            got = _from_varint(part.kind, number)
        else:
            (got,) = struct.unpack_from(_FIXED[part.kind], data, at)
            at += 8 if part.wire == 1 else 4
        if part is field.key:
            key = got
        else:
            value = got
    held = message._get(field)
    if field.value.kind != "message":
        held._items[key] = value
        message._changed()
        return
    held._items.pop(key, None)
    made = held[key]
    for first, last in spans:
        _merge(made, data, first, last)


# ---- writing


def varint(n: int) -> bytes:
    n &= 0xFFFFFFFFFFFFFFFF
    if n < 128:
        return bytes((n,))
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def _scalar(kind, value) -> bytes:
    if kind in _FIXED:
        return struct.pack(_FIXED[kind], value)
    if kind == "sint64":
        value = value << 1 ^ value >> 63
    return varint(value)


def _block(field, data: bytes) -> bytes:
    return varint(field.number << 3 | 2) + varint(len(data)) + data


def _one(field, value, deterministic) -> bytes:
    if field.kind == "message":
        return _block(field, encode(value, deterministic))
    if field.wire == 2:
        return _block(field, value.encode() if field.kind == "string" else value)
    return varint(field.number << 3 | field.wire) + _scalar(field.kind, value)


def encode(message, deterministic=False) -> bytes:
    """A message's bytes. deterministic: maps by their keys' order."""
    out = []
    for field, value in message._listed():
        if field.key is not None:
            items = sorted(value._items.items()) if deterministic else value._items.items()
            for k, v in items:
                out.append(_block(field, _one(field.key, k, deterministic) + _one(field.value, v, deterministic)))
        elif not field.repeated:
            out.append(_one(field, value, deterministic))
        elif field.wire == 2:
            out.extend(_one(field, v, deterministic) for v in value._items)
        else:
            out.append(_block(field, b"".join(_scalar(field.kind, v) for v in value._items)))
    return b"".join(out) + message._unknown
