"""The fields of messages, as message_schema.py has them, read when a message is first used; and what may be put in one."""

from __future__ import annotations

import functools
import operator
import struct

from .message_schema import ENUMS, MESSAGES

# kind: default, number of the type and of the C++ type in descriptors, wire type
SCALARS = {
    "double": (0.0, 1, 5, 1),
    "float": (0.0, 2, 6, 5),
    "int64": (0, 3, 2, 0),
    "uint64": (0, 4, 4, 0),
    "int32": (0, 5, 1, 0),
    "fixed64": (0, 6, 4, 1),
    "fixed32": (0, 7, 3, 5),
    "bool": (False, 8, 7, 0),
    "string": ("", 9, 9, 2),
    "bytes": (b"", 12, 9, 2),
    "uint32": (0, 13, 3, 0),
    "enum": (0, 14, 8, 0),
    "sint64": (0, 18, 2, 0),
}
MESSAGE = (None, 11, 10, 2)

_RANGES = {
    "int32": (-(1 << 31), 1 << 31),
    "enum": (-(1 << 31), 1 << 31),
    "uint32": (0, 1 << 32),
    "fixed32": (0, 1 << 32),
    "int64": (-(1 << 63), 1 << 63),
    "sint64": (-(1 << 63), 1 << 63),
    "uint64": (0, 1 << 64),
    "fixed64": (0, 1 << 64),
}


class Field:
    """One field of a message. `kind` is a scalar's name, "enum" or "message"; `type_name` the enum's or message's name."""

    def __init__(self, text: str):
        head, kind = text.split(" ", 1)
        names, number = head.split("=")
        self.oneof, _, self.name = names.rpartition("|")
        self.number = int(number)
        self.repeated = kind.startswith("*")
        self.key: Field | None = None  # of a map: the fields of its entries
        self.value: Field | None = None
        if kind.startswith("{"):
            key, value = kind[1:-1].split(": ")
            self.key, self.value = Field(f"key=1 {key}"), Field(f"value=2 {value}")
        kind = kind.lstrip("*")
        self.type_name = "" if kind in SCALARS or self.key else kind.lstrip("#")
        self.kind = kind if kind in SCALARS else "enum" if kind.startswith("#") else "message"
        self.default, self.type, self.cpp_type, self.wire = SCALARS.get(self.kind, MESSAGE)

    @property
    def is_scalar(self) -> bool:
        return self.kind != "message" and not self.repeated

    @property
    def has_presence(self) -> bool:
        return bool(self.oneof) or self.kind == "message" and not self.repeated and self.key is None


@functools.cache
def fields_of(message: str) -> dict[str, Field]:
    """By name, in the order of their declaration."""
    text = MESSAGES[message]
    fields = map(Field, text.split("; ")) if text else ()
    return {f.name: f for f in fields}


@functools.cache
def values_of(enum: str) -> dict[str, int]:
    return {name: int(number) for name, number in (pair.split("=") for pair in ENUMS[enum].split())}


@functools.cache
def _nested() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in (*MESSAGES, *ENUMS):
        found.setdefault(name.rpartition(".")[0], []).append(name)
    return found


def nested_in(message: str) -> list[str]:
    """The messages and enums that are declared in a message."""
    return _nested().get(message, [])


def full_name(name: str) -> str:
    return name[1:] if name.startswith(".") else "tensorflow." + name


def _integer(field: Field, value):
    if isinstance(value, str) and field.kind == "enum":
        try:
            return values_of(field.type_name)[value]
        except KeyError:
            raise ValueError(f"unknown enum label {value!r} for field {field.name}") from None
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"bad argument type for built-in operation: field {field.name} takes an int, got {value!r} "
            f"of type {type(value).__name__}"
        ) from None
    low, high = _RANGES[field.kind]
    if not low <= number < high:
        raise ValueError(f"Value out of range: {number} for field {field.name}")
    return number


def to_float32(value: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else -float("inf")


def check(field: Field, value):
    """A scalar as the field keeps it; TypeError or ValueError when it does not fit."""
    kind = field.kind
    if kind == "string":
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, str):
            return str(value)
    elif kind == "bytes":
        if isinstance(value, (bytes, bytearray, memoryview)):
            return bytes(value)
    elif kind in ("float", "double"):
        if not isinstance(value, (str, bytes)) and hasattr(value, "__float__") or hasattr(value, "__index__"):
            return to_float32(float(value)) if kind == "float" else float(value)
    elif kind == "bool":
        if type(value).__name__ in ("bool_", "bool") or hasattr(value, "__index__"):
            return bool(value)
    else:
        return _integer(field, value)
    raise TypeError(
        f"bad argument type for built-in operation: field {field.name} takes {kind}, got {value!r} "
        f"of type {type(value).__name__}"
    )
