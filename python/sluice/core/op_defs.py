"""Ops by name, made of their definitions in the library when somebody first asks for them.

`op("MatMul")` is a callable: op(a, b, transpose_b=True). Inputs come first, then the attrs that do not follow from them.
"""

from __future__ import annotations

import struct
from collections import namedtuple

from .. import _native

_KINDS = {"string": "s", "int": "i", "float": "f", "bool": "b", "type": "t", "shape": "h", "tensor": "e", "func": "u"}

Arg = namedtuple("Arg", "name type type_attr number_attr type_list_attr is_ref")
Attr = namedtuple("Attr", "name kind is_list has_default default is_inferred")
OpInfo = namedtuple("OpInfo", "name inputs outputs attrs is_stateful")


def fields(data):
    """(number, wire type, value) of each field of a message: numbers, or memoryviews of what has a length."""
    at, end = 0, len(data)

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while at < end:
        key = varint()
        wire = key & 7
        if wire == 0:
            value = varint()
        elif wire == 2:
            n = varint()
            value = data[at : at + n]
            at += n
        else:
            n = 4 if wire == 5 else 8
            value = data[at : at + n]
            at += n
        yield key >> 3, wire, value


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _text(value) -> str:
    return bytes(value).decode()


def _default(data, kind: str):
    """An AttrValue as Python has it."""
    for number, wire, value in fields(data):
        if number == 1:
            return _default_list(value, kind)
        if number == 2:
            return bytes(value)
        if number == 3:
            return _signed(value)
        if number == 4:
            return struct.unpack("<f", value)[0]
        if number == 5:
            return bool(value)
        if number == 6:
            return value
        if number == 7:
            return _shape(value)
        return None
    return [] if kind == "list" else None


def _shape(data):
    dims = []
    for number, _, value in fields(data):
        if number == 3 and value:
            return None
        if number == 2:
            dims.append(next((_signed(v) for n, _, v in fields(value) if n == 1), 0))
    return dims


def _default_list(data, kind):
    out = []
    for number, wire, value in fields(data):
        if number == 2:
            out.append(bytes(value))
        elif number in (3, 5, 6) and wire == 2:  # packed
            rest = list(_packed(value))
            out.extend(_signed(v) if number == 3 else bool(v) if number == 5 else v for v in rest)
        elif number == 4:
            out.extend(struct.unpack(f"<{len(value) // 4}f", value))
        elif number == 7:
            out.append(_shape(value))
        elif number in (3, 5, 6):
            out.append(_signed(value) if number == 3 else bool(value) if number == 5 else value)
    return out


def _packed(data):
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def _read_arg(data) -> dict:
    arg = {"name": "", "type": 0, "type_attr": "", "number_attr": "", "type_list_attr": "", "is_ref": False}
    names = {1: "name", 4: "type_attr", 5: "number_attr", 6: "type_list_attr"}
    for number, _, value in fields(data):
        if number in names:
            arg[names[number]] = _text(value)
        elif number == 3:
            arg["type"] = value
        elif number == 16:
            arg["is_ref"] = bool(value)
    return arg


def _read_attr(data) -> dict:
    attr = {"name": "", "type": "", "has_default": False, "default": None}
    default = None
    for number, _, value in fields(data):
        if number == 1:
            attr["name"] = _text(value)
        elif number == 2:
            attr["type"] = _text(value)
        elif number == 3:
            default, attr["has_default"] = value, True
    attr["is_list"] = attr["type"].startswith("list(")
    attr["kind"] = _KINDS[attr["type"][5:-1] if attr["is_list"] else attr["type"]]
    if default is not None:
        attr["default"] = _default(default, "list" if attr["is_list"] else attr["kind"])
    return attr


def read_op(data) -> OpInfo:
    """An OpDef's bytes."""
    name, inputs, outputs, attrs, stateful = "", [], [], [], False
    for number, _, value in fields(memoryview(data)):
        if number == 1:
            name = _text(value)
        elif number == 2:
            inputs.append(_read_arg(value))
        elif number == 3:
            outputs.append(_read_arg(value))
        elif number == 4:
            attrs.append(_read_attr(value))
        elif number == 17:
            stateful = bool(value)
    inferred = {arg[key] for arg in inputs for key in ("type_attr", "number_attr", "type_list_attr") if arg[key]}
    made = tuple(
        Attr(a["name"], a["kind"], a["is_list"], a["has_default"], a["default"], a["name"] in inferred) for a in attrs
    )
    return OpInfo(name, tuple(Arg(**a) for a in inputs), tuple(Arg(**a) for a in outputs), made, stateful)


def _make(info: OpInfo):
    at = {a.name: i for i, a in enumerate(info.attrs)}

    def spec(arg: Arg):
        return (
            arg.name,
            arg.type + (100 if arg.is_ref and arg.type else 0),
            at.get(arg.type_attr, -1),
            at.get(arg.number_attr, -1),
            at.get(arg.type_list_attr, -1),
        )

    attrs = tuple(
        (
            a.name,
            a.kind,
            a.is_list,
            a.is_inferred,
            a.has_default,
            a.default if a.kind == "t" and not a.is_list and a.has_default else 0,
        )
        for a in info.attrs
    )
    result = namedtuple(info.name, [o.name for o in info.outputs], rename=True) if len(info.outputs) > 1 else None
    made = _native.Op(info.name, tuple(map(spec, info.inputs)), tuple(map(spec, info.outputs)), attrs, result, info)
    return made.function


class _Ops(dict):
    """The ops that have been asked for, by name."""

    def __missing__(self, name: str):
        data = _native.op_def(name)
        if data is None:
            raise AttributeError(f"sluice has no op {name!r}")
        self[name] = made = _make(read_op(data))
        return made


op = _Ops().__getitem__  # name -> the op, as a callable; AttributeError when the library has none of that name


class _Pairs(dict):
    """Ops of two inputs, by name, as operators call them."""

    def __missing__(self, name: str):
        self[name] = made = op(name).__self__.pair
        return made


pair = (
    _Pairs().__getitem__
)  # name -> (a, b) -> what an op of two inputs of one type gives, or None: convert the operands first


def info(name: str) -> OpInfo:
    """What an op is made of."""
    return op(name).__self__.info


def allowed_types(name: str) -> dict[str, list[int]]:
    """attr -> the types that it may be, of those that may not be any."""
    found = {}
    for number, _, data in fields(memoryview(_native.op_def(name))):
        parts = {n: value for n, _, value in fields(data)} if number == 4 else {}
        if 7 in parts:
            types = next((value for n, _, value in fields(parts[7]) if n == 1), b"")
            found[_text(parts[1])] = [t for n, _, value in fields(types) if n == 6 for t in _packed(value)]
    return found


def names() -> list[str]:
    """The names of all ops."""
    return sorted(
        _text(value)
        for number, _, data in fields(memoryview(_native.op_list()))
        if number == 1
        for n, _, value in fields(data)
        if n == 1
    )
