"""What messages say of themselves: DESCRIPTOR, with as much of protobuf's reflection as its text format asks for."""

from __future__ import annotations

import functools

from . import message_fields, messages


class FileDescriptor:
    """Stands for the files of all messages."""

    name, package, syntax = "tensorflow", "tensorflow", "proto3"
    pool = None


class _Options:
    def __init__(self, **options):
        self.map_entry = options.get("map_entry", False)
        self.message_set_wire_format = False
        self.deprecated = False
        self.packed = options.get("packed", False)


class EnumValueDescriptor:
    def __init__(self, name, number, index, enum):
        self.name, self.number, self.index, self.type = name, number, index, enum


class EnumDescriptor:
    def __init__(self, name):
        self.full_name, self.name = message_fields.full_name(name), name.rpartition(".")[2]
        values = message_fields.values_of(name).items()
        self.values = [EnumValueDescriptor(n, v, i, self) for i, (n, v) in enumerate(values)]
        self.values_by_name = {v.name: v for v in self.values}
        self.values_by_number = {v.number: v for v in self.values}
        self.file, self.is_closed = FileDescriptor, False


class OneofDescriptor:
    def __init__(self, name, containing_type):
        self.name, self.containing_type = name, containing_type
        self.full_name = f"{containing_type.full_name}.{name}"
        self.fields = []


class FieldDescriptor:
    """One field; the numbers are protobuf's."""

    TYPE_DOUBLE, TYPE_FLOAT, TYPE_INT64, TYPE_UINT64, TYPE_INT32, TYPE_FIXED64, TYPE_FIXED32, TYPE_BOOL = range(1, 9)
    TYPE_STRING, TYPE_GROUP, TYPE_MESSAGE, TYPE_BYTES, TYPE_UINT32, TYPE_ENUM = range(9, 15)
    CPPTYPE_INT32, CPPTYPE_INT64, CPPTYPE_UINT32, CPPTYPE_UINT64, CPPTYPE_DOUBLE = range(1, 6)
    CPPTYPE_FLOAT, CPPTYPE_BOOL, CPPTYPE_ENUM, CPPTYPE_STRING, CPPTYPE_MESSAGE = range(6, 11)
    LABEL_OPTIONAL, LABEL_REQUIRED, LABEL_REPEATED = 1, 2, 3

    is_extension = is_required = False
    extension_scope = None
    file = FileDescriptor

    def __init__(self, owner, field, index):
        self._field, self.containing_type, self.index = field, owner, index
        self.name, self.number, self.type, self.cpp_type = field.name, field.number, field.type, field.cpp_type
        self.full_name = f"{owner.full_name}.{field.name}"
        self.is_repeated = field.repeated or field.key is not None
        self.label = self.LABEL_REPEATED if self.is_repeated else self.LABEL_OPTIONAL
        self.has_presence = field.has_presence
        self.is_packed = field.repeated and field.wire != 2
        self.has_default_value = False
        self.default_value = [] if self.is_repeated else field.default
        self.containing_oneof = owner.oneofs_by_name.get(field.oneof)
        if self.containing_oneof is not None:
            self.containing_oneof.fields.append(self)
        first, *rest = field.name.split("_")
        self.json_name = self.camelcase_name = first + "".join(w.capitalize() for w in rest)

    @property
    def message_type(self):
        if self._field.key is not None:
            return of_message(messages.entry_class(self.containing_type._concrete_class._name, self._field))
        return of_message(messages.message_class(self._field.type_name)) if self._field.kind == "message" else None

    @property
    def enum_type(self):
        return of_enum(self._field.type_name) if self._field.kind == "enum" else None

    def GetOptions(self):
        return _Options(packed=self.is_packed)


class Descriptor:
    """One message."""

    file = FileDescriptor
    is_extendable = False
    extensions: list = []
    containing_type = None

    def __init__(self, cls):
        self._concrete_class = cls
        self.name, self.full_name = cls.__name__, message_fields.full_name(cls._name)
        self.oneofs = [OneofDescriptor(name, self) for name in cls._oneofs]
        self.oneofs_by_name = {o.name: o for o in self.oneofs}
        self.fields = [FieldDescriptor(self, f, i) for i, f in enumerate(cls._fields.values())]
        self.fields_by_name = {f.name: f for f in self.fields}
        self.fields_by_number = {f.number: f for f in self.fields}
        self.fields_by_camelcase_name = {f.camelcase_name: f for f in self.fields}
        self._is_entry = cls._name not in message_fields.MESSAGES
        inner = [] if self._is_entry else message_fields.nested_in(cls._name)
        self.enum_types = [of_enum(n) for n in inner if n in message_fields.ENUMS]
        self.enum_types_by_name = {e.name: e for e in self.enum_types}
        self.enum_values_by_name = {n: v for e in self.enum_types for n, v in e.values_by_name.items()}
        self._inner = [n for n in inner if n in message_fields.MESSAGES]

    @property
    def nested_types(self):
        maps = [f.message_type for f in self.fields if f._field.key is not None]
        return [of_message(messages.message_class(n)) for n in self._inner] + maps

    @property
    def nested_types_by_name(self):
        return {d.name: d for d in self.nested_types}

    @property
    def has_options(self):
        return self._is_entry

    def GetOptions(self):
        return _Options(map_entry=self._is_entry)


@functools.cache
def of_enum(name: str) -> EnumDescriptor:
    return EnumDescriptor(name)


@functools.cache
def of_message(cls) -> Descriptor:
    return Descriptor(cls)
