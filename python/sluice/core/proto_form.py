"""experimental_as_proto and its kin: shapes, types and specs as protocol buffers."""

from __future__ import annotations


class ProtoForm:
    """The base of what has a protocol buffer: `_proto_kind` is its field in a StructuredValue, `_proto_message` its name."""

    __slots__ = ()
    _proto_kind = "type_spec_value"
    _proto_message = "TypeSpecProto"

    def experimental_as_proto(self):
        """The protocol buffer."""
        from . import structured_values

        return getattr(structured_values.encode(self), self._proto_kind)

    @classmethod
    def experimental_from_proto(cls, proto):
        """What a protocol buffer says."""
        from . import messages, structured_values

        made = messages.StructuredValue()
        getattr(made, cls._proto_kind).CopyFrom(proto)
        return structured_values.decode(made)

    @classmethod
    def experimental_type_proto(cls):
        """The class of the protocol buffers."""
        from . import messages

        return getattr(messages, cls._proto_message)
