"""The messages of message_schema.py as a FileDescriptorSet, for ops that decode and encode messages by their names."""

from __future__ import annotations

import functools

from . import message_fields
from .attr_value import block, number
from .message_schema import ENUMS, MESSAGES

_FILES = {"tensorflow": "sluice.proto", "google.protobuf": "well_known.proto"}


def _text(field: int, value: str) -> bytes:
    return block(field, value.encode())


def _enum(name: str) -> bytes:
    values = message_fields.values_of(name).items()
    return _text(1, name.rpartition(".")[2]) + b"".join(block(2, _text(1, n) + number(2, v)) for n, v in values)


def _field(field, label: int, type_name: str, oneof: int | None) -> bytes:
    made = _text(1, field.name) + number(3, field.number) + number(4, label) + number(5, field.type)
    if type_name:
        made += _text(6, "." + type_name)
    return made if oneof is None else made + number(9, oneof)


def _type_name(field) -> str:
    return message_fields.full_name(field.type_name) if field.type_name else ""


def _entry(name: str, field) -> bytes:
    """The message of a map's entries."""
    key, value = field.key, field.value
    fields = block(2, _field(key, 1, "", None)) + block(2, _field(value, 1, _type_name(value), None))
    return _text(1, name) + fields + block(7, number(7, 1))


def _message(name: str) -> bytes:
    fields = message_fields.fields_of(name).values()
    oneofs = list(dict.fromkeys(f.oneof for f in fields if f.oneof))
    made = _text(1, name.rpartition(".")[2])
    for f in fields:
        label, type_name = 3 if f.repeated or f.key is not None else 1, _type_name(f)
        if f.key is not None:
            entry = "".join(w.capitalize() for w in f.name.split("_")) + "Entry"
            type_name = f"{message_fields.full_name(name)}.{entry}"
            made += block(3, _entry(entry, f))
        made += block(2, _field(f, label, type_name, oneofs.index(f.oneof) if f.oneof else None))
    for inner in message_fields.nested_in(name):
        made += block(4, _enum(inner)) if inner in ENUMS else block(3, _message(inner))
    return made + b"".join(block(8, _text(1, o)) for o in oneofs)


def _file(package: str, names: list[str], depends: str = "") -> bytes:
    made = _text(1, _FILES[package]) + _text(2, package)
    made += _text(3, depends) if depends else b""
    made += b"".join(block(5, _enum(n)) if n in ENUMS else block(4, _message(n)) for n in names)
    return made + _text(12, "proto3")


@functools.cache
def descriptor_set() -> bytes:
    """All messages, as a serialized FileDescriptorSet."""
    names = [*MESSAGES, *ENUMS]
    known = [n for n in names if n.startswith(".google.protobuf.")]
    own = [n for n in names if "." not in n]
    return block(1, _file("google.protobuf", known)) + block(1, _file("tensorflow", own, _FILES["google.protobuf"]))
