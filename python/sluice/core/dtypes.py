"""Types of elements: `tf.float32` and its kin, and what becomes of a numpy or Python type."""

from __future__ import annotations

import sys

from .. import _native

# number, name, bytes of an element, kind. Kinds: f floating point, c complex, i signed, u unsigned, b truth values, s texts,
# q quantised, o others.
_TABLE = (
    (1, "float32", 4, "f"),
    (2, "float64", 8, "f"),
    (3, "int32", 4, "i"),
    (4, "uint8", 1, "u"),
    (5, "int16", 2, "i"),
    (6, "int8", 1, "i"),
    (7, "string", 0, "s"),
    (8, "complex64", 8, "c"),
    (9, "int64", 8, "i"),
    (10, "bool", 1, "b"),
    (11, "qint8", 1, "q"),
    (12, "quint8", 1, "q"),
    (13, "qint32", 4, "q"),
    (14, "bfloat16", 2, "f"),
    (15, "qint16", 2, "q"),
    (16, "quint16", 2, "q"),
    (17, "uint16", 2, "u"),
    (18, "complex128", 16, "c"),
    (19, "float16", 2, "f"),
    (20, "resource", 0, "o"),
    (21, "variant", 0, "o"),
    (22, "uint32", 4, "u"),
    (23, "uint64", 8, "u"),
    (24, "float8_e5m2", 1, "f"),
    (25, "float8_e4m3fn", 1, "f"),
    (26, "float8_e4m3fnuz", 1, "f"),
    (27, "float8_e4m3b11fnuz", 1, "f"),
    (28, "float8_e5m2fnuz", 1, "f"),
    (29, "int4", 1, "i"),
    (30, "uint4", 1, "u"),
    (31, "int2", 1, "i"),
    (32, "uint2", 1, "u"),
    (33, "float4_e2m1fn", 1, "f"),
)
# Types that numpy has not, and the module that adds them.
_ML_DTYPES = {"bfloat16"} | {row[1] for row in _TABLE if 24 <= row[0] <= 33}
QUANTIZED = {"qint8": "int8", "quint8": "uint8", "qint32": "int32", "qint16": "int16", "quint16": "uint16"}
_BY_NUMBER: dict[int, "DType"] = {}
_BY_NAME: dict[str, "DType"] = {}


class DType(_native.NumberedType):
    """The type of a tensor's elements. There is one object for each type, so `is` compares them."""

    __slots__ = ("_name", "_size", "_kind", "_numpy")

    def __init__(self, number: int, name: str, size: int, kind: str):
        self._number, self._name, self._size, self._kind, self._numpy = number, name, size, kind, None

    def experimental_as_proto(self):
        """A SerializedDType."""
        return self.experimental_type_proto()(datatype=self._number)

    @classmethod
    def experimental_from_proto(cls, proto):
        """The type that a SerializedDType says."""
        return as_dtype(proto.datatype)

    @classmethod
    def experimental_type_proto(cls):
        """The class of the protocol buffers."""
        from . import messages

        return messages.SerializedDType

    name = property(lambda self: self._name, doc="'float32' and so on.")
    size = property(lambda self: self._size or 1, doc="Bytes of an element.")
    as_datatype_enum = _native.NumberedType._number  # without a call of Python's
    is_floating = property(lambda self: self._kind == "f")
    is_complex = property(lambda self: self._kind == "c")
    is_integer = property(lambda self: self._kind in "iu")
    is_unsigned = property(lambda self: self._kind == "u")
    is_bool = property(lambda self: self._kind == "b")
    is_quantized = property(lambda self: self._kind == "q")
    is_numeric = property(lambda self: self._kind in "fciuq")
    is_numpy_compatible = property(lambda self: self._kind != "o")
    _is_ref_dtype = property(lambda self: self._number > 100)

    @property
    def base_dtype(self) -> "DType":
        return _BY_NUMBER[self._number - 100] if self._number > 100 else self

    @property
    def real_dtype(self) -> "DType":
        return {"complex64": float32, "complex128": float64}.get(self._name, self)

    @property
    def as_numpy_dtype(self):
        """The numpy type (of texts: object). Needs numpy, and ml_dtypes for the types that numpy has not."""
        if self._numpy is None:
            import numpy

            if self._name in _ML_DTYPES:
                import ml_dtypes

                self._numpy = getattr(ml_dtypes, self._name)
            elif self._kind == "q":
                self._numpy = numpy.dtype([(self._name, getattr(numpy, QUANTIZED[self._name]))])
            elif self._kind in "so":
                self._numpy = numpy.object_
            else:
                self._numpy = numpy.bool_ if self._name == "bool" else getattr(numpy, self._name)
        return self._numpy

    @property
    def min(self):
        return self._limits()[0]

    @property
    def max(self):
        return self._limits()[1]

    @property
    def limits(self):
        """The range of intensities in images: from 0 to the largest whole number, to 1 for floats. ValueError for other types."""
        if self._kind in "iu":
            return 0, self.max
        if self._kind == "b":
            return 0, True
        if self._name in ("float32", "float64"):
            return 0, 1
        raise ValueError(f"{self!s} does not have defined limits.")

    def _limits(self):
        import numpy

        if self._kind in "iu":
            bits = int(self._name.lstrip("uint"))
            return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if self._kind == "i" else (0, 2**bits - 1)
        if self._kind == "b":
            return False, True
        if self._kind == "f":
            if self._name in _ML_DTYPES:
                import ml_dtypes

                info = ml_dtypes.finfo(self.as_numpy_dtype)
            else:
                info = numpy.finfo(self.as_numpy_dtype)
            return info.min, info.max
        raise TypeError(f"Cannot find minimum value of {self}.")

    def is_compatible_with(self, other) -> bool:
        other = as_dtype(other)
        return self._number in (other._number, other._number + 100)

    def __eq__(self, other):
        if other is self:
            return True
        if other is None or not isinstance(other, (DType, str, type)) and type(other).__module__ != "numpy":
            try:
                return as_dtype(other) is self if other is not None else False
            except TypeError:
                return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return self._number

    def __int__(self):
        return self._number

    def __repr__(self):
        return "tf." + self._name

    def __str__(self):
        return f"<dtype: {self._name!r}>"

    def __reduce__(self):
        return as_dtype, (self._name,)

    # ---- as the type of an argument of a function

    def is_subtype_of(self, other) -> bool:
        return self == other

    def most_specific_common_supertype(self, types):
        return self if all(self == other for other in types) else None

    def placeholder_value(self, placeholder_context=None):
        return self

    def to_tensors(self, value):
        return []

    def from_tensors(self, tensors):
        return self

    def flatten(self):
        return []

    def cast(self, value, casting_context=None):
        return value

    # What the extension asks for.
    @staticmethod
    def _number_of(value) -> int:
        return as_dtype(value)._number

    @staticmethod
    def _dims_of(value):
        from .tensor_shape import TensorShape

        shape = value if isinstance(value, TensorShape) else TensorShape(value)
        return None if shape.rank is None else [-1 if d is None else d for d in shape.as_list()]


for _row in _TABLE:
    _BY_NUMBER[_row[0]] = _BY_NAME[_row[1]] = globals()[_row[1] if _row[1] != "bool" else "bool_"] = DType(*_row)
for _number in tuple(_BY_NUMBER):
    _ref = DType(_number + 100, _BY_NUMBER[_number].name + "_ref", _BY_NUMBER[_number]._size, _BY_NUMBER[_number]._kind)
    _BY_NUMBER[_number + 100] = _BY_NAME[_ref.name] = _ref
half, double = _BY_NAME["float16"], _BY_NAME["float64"]
float32, float64 = _BY_NAME["float32"], _BY_NAME["float64"]
_BY_NAME["half"], _BY_NAME["double"], _BY_NAME["float"] = half, double, float32
_PYTHON = {
    float: float32,
    int: _BY_NAME["int32"],
    bool: _BY_NAME["bool"],
    str: _BY_NAME["string"],
    bytes: _BY_NAME["string"],
    object: _BY_NAME["string"],
    complex: _BY_NAME["complex128"],
}
_BY_NUMPY: dict[str, DType] = {"str": _BY_NAME["string"], "bytes": _BY_NAME["string"], "object": _BY_NAME["string"]}


def as_dtype(type_value) -> DType:
    """The type that a DType, a name, a number, a Python or numpy type means; TypeError when it means none."""
    if isinstance(type_value, DType):
        return type_value
    found = None
    if isinstance(type_value, str):
        found = _BY_NAME.get(type_value)
    elif isinstance(type_value, int) and not isinstance(type_value, bool):
        found = _BY_NUMBER.get(type_value)
    elif isinstance(type_value, type):
        found = _PYTHON.get(type_value)
    if found is None:
        found = _of_numpy(type_value)
    if found is None:
        raise TypeError(f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType.")
    return found


def _of_numpy(value):
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    try:
        d = numpy.dtype(value)
    except (TypeError, ValueError):
        return None
    if d.kind in "SUO":
        return _BY_NAME["string"]
    if d.fields and len(d.fields) == 1:
        return _BY_NAME.get(next(iter(d.fields)))
    return _BY_NAME.get(d.name)


QUANTIZED_DTYPES = frozenset(_BY_NUMBER[n] for n in _BY_NUMBER if _BY_NUMBER[n].is_quantized)
by_number = tuple(_BY_NUMBER.get(i) for i in range(256))
