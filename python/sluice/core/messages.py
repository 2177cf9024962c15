"""TensorFlow's protocol buffers as Python objects, which behave as protobuf's own do: `messages.GraphDef()`.

Classes are made of message_schema.py when they are first asked for. A message of a field that was never set is there to be
read and filled: it becomes part of its owner when something in it is set. Messages of the protobuf package, where somebody
has it, are taken wherever a message is, by their bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, MutableSequence

from . import message_fields, message_wire
from .message_fields import check
from .message_wire import DecodeError  # noqa: F401

_MISSING = object()


class _Repeated(MutableSequence):
    """The values of a repeated field."""

    __slots__ = ("_items", "_owner", "_field")

    def __init__(self, owner, field):
        self._items, self._owner, self._field = [], owner, field

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __getitem__(self, at):
        return self._items[at]

    def __delitem__(self, at):
        del self._items[at]

    def __eq__(self, other):
        return self._items == (other._items if isinstance(other, _Repeated) else other)

    def __repr__(self):
        return repr(self._items)

    def __deepcopy__(self, memo):
        made = type(self)(None, self._field)
        made.extend(self)
        return made

    def _extend(self, values):
        self._items.extend(values)
        if self._owner is not None:
            self._owner._changed()

    def append(self, value):
        self._extend([self._made(value)])

    def extend(self, values):
        self._extend([self._made(v) for v in values or ()])

    MergeFrom = extend

    def insert(self, at, value):
        self._items.insert(at, self._made(value))
        self._owner._changed()

    def sort(self, *args, **kwargs):
        self._items.sort(*args, **kwargs)

    def reverse(self):
        self._items.reverse()


class RepeatedScalar(_Repeated):
    """Numbers, texts or bytes."""

    __slots__ = ()
    __hash__ = None

    def _made(self, value):
        return check(self._field, value)

    def __setitem__(self, at, value):
        self._items[at] = [self._made(v) for v in value] if isinstance(at, slice) else self._made(value)


class RepeatedMessage(_Repeated):
    """Messages, which are copied when they are put in."""

    __slots__ = ()
    __hash__ = None

    def _made(self, value):
        made = message_class(self._field.type_name)()
        made.CopyFrom(value)
        return made

    def add(self, **fields):
        """A new message at the end."""
        made = message_class(self._field.type_name)(**fields)
        self._extend([made])
        return made

    def __setitem__(self, at, value):
        raise TypeError("'RepeatedCompositeContainer' object does not support item assignment")


class _Map(MutableMapping):
    __slots__ = ("_items", "_owner", "_field")
    __hash__ = None

    def __init__(self, owner, field):
        self._items, self._owner, self._field = {}, owner, field

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, key):
        return check(self._field.key, key) in self._items

    def get(self, key, default=None):
        return self._items.get(check(self._field.key, key), default)

    def __delitem__(self, key):
        del self._items[key]

    def __eq__(self, other):
        return isinstance(other, Mapping) and self._items == dict(other.items())

    def __repr__(self):
        return repr(self._items)

    def GetEntryClass(self):
        """The message of one entry, with `key` and `value`."""
        return entry_class(self._owner._name, self._field)


class ScalarMap(_Map):
    """Keys and scalars. What is not there is the default, and is there from then on."""

    __slots__ = ()

    def __getitem__(self, key):
        key = check(self._field.key, key)
        if key not in self._items:
            self[key] = self._field.value.default
        return self._items[key]

    def __setitem__(self, key, value):
        self._items[check(self._field.key, key)] = check(self._field.value, value)
        self._owner._changed()

    def MergeFrom(self, other):
        for key, value in other.items():
            self[key] = value

    update = MergeFrom


class MessageMap(_Map):
    """Keys and messages. What is not there is an empty message, and is there from then on."""

    __slots__ = ()

    def __getitem__(self, key):
        key = check(self._field.key, key)
        found = self._items.get(key)
        if found is None:
            found = self._items[key] = message_class(self._field.value.type_name)()
            self._owner._changed()
        return found

    get_or_create = __getitem__

    def __setitem__(self, key, value):
        raise ValueError("Message objects may not be assigned")

    def MergeFrom(self, other):
        for key, value in other.items():
            self[key].CopyFrom(value)


def _container(owner, field):
    if field.key is not None:
        return (MessageMap if field.value.kind == "message" else ScalarMap)(owner, field)
    return (RepeatedMessage if field.kind == "message" else RepeatedScalar)(owner, field)


class _FieldAttribute:
    """A field as an attribute of its messages."""

    __slots__ = ("_field",)

    def __init__(self, field):
        self._field = field

    def __get__(self, message, owner=None):
        return self if message is None else message._get(self._field)

    def __set__(self, message, value):
        field = self._field
        if not field.is_scalar or field.key is not None:
            what = "message, map, or repeated field" if field.has_presence else "map, or repeated field"
            raise AttributeError(f'Assignment not allowed to {what} "{field.name}" in protocol message object.')
        message._put(field, check(field, value))

    def __delete__(self, message):
        raise AttributeError(f"field {self._field.name} cannot be deleted")


class Message:
    """A protocol buffer. Fields are attributes, and may be given by name when it is made."""

    __slots__ = ("_values", "_owner", "_present", "_unknown", "__weakref__")
    __hash__ = None
    _name = ""
    _fields: dict = {}
    _by_number: dict = {}
    _oneofs: dict = {}

    def __init__(self, **fields):
        self._values, self._owner, self._present, self._unknown = {}, None, True, b""
        for name, value in fields.items():
            if value is not None:
                self._set(self._field(name), value)

    # ---- what this module's parts use

    @classmethod
    def _field(cls, name):
        try:
            return cls._fields[name]
        except KeyError:
            raise ValueError(f'Protocol message {cls.__name__} has no "{name}" field.') from None

    def _changed(self):
        """Something in it was set: it becomes part of its owner."""
        if not self._present:
            self._present = True
            owner, field = self._owner
            owner._take(field)

    def _take(self, field):
        if field.oneof:
            for name in self._oneofs[field.oneof]:
                if name != field.name:
                    self._drop(name)
        self._changed()

    def _drop(self, name):
        held = self._values.pop(name, None)
        if isinstance(held, Message):
            held._owner, held._present = None, True

    def _get(self, field):
        """The field's value, or what it is while it is not set."""
        value = self._values.get(field.name, _MISSING)
        if value is not _MISSING:
            return value
        if field.key is not None or field.repeated:
            value = self._values[field.name] = _container(self, field)
        elif field.kind == "message":
            value = message_class(field.type_name)()
            value._owner, value._present = (self, field), False
            self._values[field.name] = value
        else:
            value = field.default
        return value

    def _present_child(self, field):
        child = self._get(field)
        child._changed()
        return child

    def _put(self, field, value):
        """A checked scalar; at the end of a repeated field."""
        if field.repeated:
            self._get(field)._extend([value])
            return
        if value or field.oneof or value != field.default or str(value) == "-0.0":
            self._values[field.name] = value
        else:
            self._values.pop(field.name, None)
        self._take(field)

    def _set(self, field, value):
        """Any value that the constructor takes."""
        if field.key is not None:
            held = self._get(field)
            for k, v in value.items():
                if field.value.kind == "message":
                    held[k].MergeFrom(as_message(type(held[k]), v))
                else:
                    held[k] = v
        elif field.repeated:
            held = self._get(field)
            for v in value:
                if isinstance(v, dict):
                    held.add(**v)
                else:
                    held.append(v)
        elif field.kind == "message":
            child = self._present_child(field)
            child.MergeFrom(as_message(type(child), value))
        else:
            self._put(field, check(field, value))

    def _listed(self):
        """(field, value) of the fields that are set, by number."""
        return sorted(
            ((self._fields[name], value) for name, value in self._values.items() if _is_set(value)),
            key=lambda pair: pair[0].number,
        )

    # ---- presence

    def HasField(self, field_name):
        """Whether a message, or a field of a oneof, is set; whether anything of a oneof is."""
        if field_name in self._oneofs:
            return self.WhichOneof(field_name) is not None
        field = self._field(field_name)
        if not field.has_presence:
            raise ValueError(f"Field {message_fields.full_name(self._name)}.{field_name} does not have presence.")
        return field_name in self._values and _is_set(self._values[field_name])

    def WhichOneof(self, oneof_group):
        """The name of the field of a oneof that is set, or None."""
        if oneof_group not in self._oneofs:
            raise ValueError(f'Protocol message {type(self).__name__} has no "{oneof_group}" field.')
        for name in self._oneofs[oneof_group]:
            if name in self._values and _is_set(self._values[name]):
                return name
        return None

    def ClearField(self, field_name):
        if field_name in self._oneofs:
            field_name = self.WhichOneof(field_name)
        if field_name is not None:
            self._drop(self._field(field_name).name)
            self._changed()

    def Clear(self):
        for name in list(self._values):
            self._drop(name)
        self._unknown = b""
        self._changed()

    def ListFields(self):
        """[(descriptor, value)] of what is set, by the fields' numbers."""
        by_name = self.DESCRIPTOR.fields_by_name
        return [(by_name[field.name], value) for field, value in self._listed()]

    def SetInParent(self):
        self._changed()

    def IsInitialized(self, errors=None):
        return True

    def FindInitializationErrors(self):
        return []

    def HasExtension(self, field_descriptor):
        return False

    def ClearExtension(self, field_descriptor):
        raise KeyError(f"{type(self).__name__} has no extensions")

    def UnknownFields(self):
        return self._unknown

    def DiscardUnknownFields(self):
        self._unknown = b""

    # ---- whole messages

    def MergeFrom(self, msg):
        """Puts what another message has over what this one has; repeated fields are put together."""
        msg = as_message(type(self), msg, "MergeFrom")
        if msg is self:
            raise TypeError("a message cannot be merged into itself")
        self._changed()
        for field, value in msg._listed():
            if field.key is not None or field.repeated:
                self._get(field).MergeFrom(value)
            elif field.kind == "message":
                self._present_child(field).MergeFrom(value)
            else:
                self._put(field, value)
        self._unknown += msg._unknown

    def CopyFrom(self, msg):
        if msg is self:
            return
        msg = as_message(type(self), msg, "CopyFrom")
        self.Clear()
        self.MergeFrom(msg)

    def MergeFromString(self, serialized):
        """Reads bytes over what is there; gives their number. DecodeError when they are no message."""
        self._changed()
        try:
            message_wire.merge(self, bytes(serialized))
        except DecodeError as error:
            raise DecodeError(f"{error} (of type '{message_fields.full_name(self._name)}')") from None
        return len(serialized)

    def ParseFromString(self, serialized):
        self.Clear()
        return self.MergeFromString(serialized)

    @classmethod
    def FromString(cls, s):
        made = cls()
        made.MergeFromString(s)
        return made

    def SerializeToString(self, *, deterministic=False):
        """The bytes; with deterministic, maps are by their keys' order."""
        return message_wire.encode(self, deterministic)

    SerializePartialToString = SerializeToString

    def ByteSize(self):
        return len(message_wire.encode(self))

    def __eq__(self, other):
        if not isinstance(other, Message):
            if not hasattr(other, "SerializeToString"):
                return NotImplemented
            try:
                other = as_message(type(self), other)
            except TypeError:
                return False
        if type(self) is not type(other):
            return False
        return self._listed() == other._listed() and self._unknown == other._unknown

    def __str__(self):
        from . import message_text

        return message_text.print_message(self)

    __repr__ = __str__

    def __bool__(self):
        return True

    def __deepcopy__(self, memo):
        made = type(self)()
        made.MergeFrom(self)
        return made

    __copy__ = lambda self: self.__deepcopy__(None)

    def __reduce__(self):
        return _unpickle, (self._name, self.SerializeToString())

    def __setattr__(self, name, value):
        if name not in self._fields and name not in Message.__slots__:
            raise AttributeError(f'Protocol message {type(self).__name__} has no "{name}" field.')
        object.__setattr__(self, name, value)


class _Any(Message):
    """What google.protobuf.Any can do beside."""

    __slots__ = ()

    def Pack(self, msg, type_url_prefix="type.googleapis.com/", deterministic=None):
        self.type_url = f"{type_url_prefix.rstrip('/')}/{msg.DESCRIPTOR.full_name}"
        self.value = msg.SerializeToString(deterministic=bool(deterministic))

    def Unpack(self, msg):
        if not self.Is(msg.DESCRIPTOR):
            return False
        msg.ParseFromString(self.value)
        return True

    def TypeName(self):
        return self.type_url.rpartition("/")[2]

    def Is(self, descriptor):
        return "/" in self.type_url and self.TypeName() == descriptor.full_name


def _is_set(value) -> bool:
    if isinstance(value, Message):
        return value._present
    if isinstance(value, (_Repeated, _Map)):
        return bool(value._items)
    return True


def _unpickle(name, data):
    return message_class(name).FromString(data)


class _Descriptor:
    """A message class's DESCRIPTOR, made when it is first asked for."""

    def __get__(self, message, owner):
        from . import message_descriptors

        return message_descriptors.of_message(owner)


Message.DESCRIPTOR = _Descriptor()


class EnumType:
    """The values of an enum by name, and their names by value."""

    def __init__(self, name):
        self._name, self._values = name, message_fields.values_of(name)

    def __getattr__(self, name):
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"Enum {self._name} has no value {name!r}") from None

    @property
    def DESCRIPTOR(self):
        from . import message_descriptors

        return message_descriptors.of_enum(self._name)

    def Name(self, number):
        for name, value in self._values.items():
            if value == number:
                return name
        raise ValueError(f"Enum {self._name} has no name defined for value {number!r}")

    def Value(self, name):
        try:
            return self._values[name]
        except KeyError:
            raise ValueError(f"Enum {self._name} has no value defined for name {name!r}") from None

    def keys(self):
        return list(self._values)

    def values(self):
        return list(self._values.values())

    def items(self):
        return list(self._values.items())


# ---- classes by name

_classes: dict[str, type] = {}


def _make_class(name, fields, base=Message):
    oneofs: dict[str, list[str]] = {}
    for field in fields.values():
        if field.oneof:
            oneofs.setdefault(field.oneof, []).append(field.name)
    body = {
        "__slots__": (),
        "__hash__": None,
        "__module__": __name__,
        "__qualname__": name.removeprefix(".google.protobuf."),
        "_name": name,
        "_fields": fields,
        "_by_number": {f.number: f for f in fields.values()},
        "_oneofs": oneofs,
    }
    for field in fields.values():
        body[field.name] = _FieldAttribute(field)
        body[field.name.upper() + "_FIELD_NUMBER"] = field.number
    return type(name.rpartition(".")[2], (base,), body)


def message_class(name: str) -> type:
    """The class of a message by its name in message_schema.py. KeyError when there is none."""
    found = _classes.get(name)
    if found is None:
        base = _Any if name == ".google.protobuf.Any" else Message
        found = _classes[name] = _make_class(name, message_fields.fields_of(name), base)
        for inner in message_fields.nested_in(name):
            made = EnumType(inner) if inner in message_fields.ENUMS else message_class(inner)
            setattr(found, inner.rpartition(".")[2], made)
            if isinstance(made, EnumType):
                for word, value in made.items():
                    setattr(found, word, value)
        for field in found._fields.values():
            if field.key is not None:
                entry = entry_class(name, field)
                setattr(found, entry.__name__, entry)
    return found


def entry_class(owner: str, field) -> type:
    """The message of a map field's entries."""
    name = f"{owner}.{''.join(w.capitalize() for w in field.name.split('_'))}Entry"
    if name not in _classes:
        _classes[name] = _make_class(name, {"key": field.key, "value": field.value})
    return _classes[name]


def as_message(cls, value, caller="MergeFrom"):
    """A value as a message of this class: one, a dictionary of its fields, or protobuf's own message of the same name."""
    if type(value) is cls:
        return value
    if isinstance(value, dict):
        return cls(**value)
    descriptor = getattr(value, "DESCRIPTOR", None)
    if getattr(descriptor, "full_name", None) == message_fields.full_name(cls._name) and not isinstance(value, type):
        return cls.FromString(value.SerializeToString())
    raise TypeError(f"Parameter to {caller}() must be instance of same class: expected {cls} got {type(value)}.")


def to_bytes(value) -> bytes:
    """The bytes of a message, of this package or protobuf's, or the bytes themselves."""
    return bytes(value) if isinstance(value, (bytes, bytearray, memoryview)) else value.SerializeToString()


def __getattr__(name: str):
    if name in message_fields.MESSAGES:
        made = message_class(name)
    elif name in message_fields.ENUMS:
        made = EnumType(name)
    else:
        for enum in ("DataType", "VariableSynchronization", "VariableAggregation"):
            if name in message_fields.values_of(enum):
                return message_fields.values_of(enum)[name]
        raise AttributeError(f"no message {name!r}")
    globals()[name] = made
    return made
