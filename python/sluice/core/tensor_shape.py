"""Shapes that may be known in part."""

from __future__ import annotations

import operator
import sys

from .proto_form import ProtoForm

_PACKAGE = __name__.partition(".")[0] + "."


def dimension_value(d):
    """None, or the number that a dimension means."""
    if d is None:
        return None
    if isinstance(d, Dimension):
        return d.value
    if isinstance(d, bool) or isinstance(d, (str, bytes)):
        raise TypeError(
            f"Dimension value must be integer or None or have an __index__ method, got value '{d!r}' with type '{type(d)!r}'"
        )
    try:
        n = d.__index__()
    except AttributeError:
        raise TypeError(
            f"Dimension value must be integer or None or have an __index__ method, got value '{d!r}' with "
            f"type '{type(d)!r}'"
        ) from None
    if n < -1:
        raise ValueError(f"Dimension {n} must be >= 0")
    return None if n == -1 else n


class Dimension:
    """A dimension as TensorFlow 1 gives it; version 2 gives numbers and None."""

    __slots__ = ("_value",)

    def __init__(self, value):
        self._value = dimension_value(value)

    value = property(lambda self: self._value)

    def __repr__(self):
        return f"Dimension({self._value!r})"

    def __str__(self):
        return "?" if self._value is None else str(self._value)

    def __eq__(self, other):
        other = dimension_value(other)
        return None if self._value is None or other is None else self._value == other

    def __hash__(self):
        return hash(self._value)

    def __ne__(self, other):
        equal = self == other
        return None if equal is None else not equal

    def __int__(self):
        return self._value

    def __index__(self):
        return self._value

    # ---- of two dimensions; what is unknown stays unknown

    def is_compatible_with(self, other) -> bool:
        """Whether both may be the same."""
        other = dimension_value(other)
        return self._value is None or other is None or self._value == other

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {Dimension(other)} are not compatible")

    def merge_with(self, other):
        """The one that is known. ValueError when both are, and differ."""
        self.assert_is_compatible_with(other)
        return Dimension(self._value if self._value is not None else other)

    def __bool__(self):
        return self._value is not None and bool(self._value)


def _arithmetic(name, function):
    def apply(self, other):
        try:
            other = dimension_value(other)
        except (TypeError, ValueError):
            return NotImplemented
        return Dimension(None if self._value is None or other is None else function(self._value, other))

    def apply_reflected(self, other):
        try:
            other = dimension_value(other)
        except (TypeError, ValueError):
            return NotImplemented
        return Dimension(None if self._value is None or other is None else function(other, self._value))

    setattr(Dimension, f"__{name}__", apply)
    setattr(Dimension, f"__r{name}__", apply_reflected)


def _comparison(name, function):
    def apply(self, other):
        other = dimension_value(other)
        return None if self._value is None or other is None else function(self._value, other)

    setattr(Dimension, f"__{name}__", apply)


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    _arithmetic(_name, getattr(operator, _name))
for _name in ("lt", "le", "gt", "ge"):
    _comparison(_name, getattr(operator, _name))


def _gives_dimensions() -> bool:
    """Whether items of shapes are Dimensions: in TensorFlow 1's way, for callers outside of this package."""
    from . import modes

    return not modes.tensor_shape_v2 and not sys._getframe(2).f_globals.get("__name__", "").startswith(_PACKAGE)


class TensorShape(ProtoForm):
    """The shape of a tensor: a rank, which may be unknown, and dimensions, each of which may be.

    TensorShape(None) has an unknown rank; TensorShape([None, 3]) has two dimensions, the first unknown.
    """

    _proto_kind, _proto_message = "tensor_shape_value", "TensorShapeProto"

    __slots__ = ("_dims",)

    def __init__(self, dims):
        if isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif dims is None:
            self._dims = None
        elif isinstance(dims, (list, tuple)):
            self._dims = tuple([d if d is None or type(d) is int and d >= 0 else dimension_value(d) for d in dims])
        elif hasattr(dims, "unknown_rank") and hasattr(dims, "dim"):  # a TensorShapeProto
            self._dims = None if dims.unknown_rank else tuple(None if d.size == -1 else d.size for d in dims.dim)
        else:
            try:
                self._dims = tuple(dimension_value(d) for d in dims)
            except TypeError:
                self._dims = (dimension_value(dims),)

    @property
    def rank(self):
        """The number of dimensions, or None."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self):
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self):
        """The dimensions as numbers and None; ValueError when the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def num_elements(self):
        if not self.is_fully_defined():
            return None
        n = 1
        for d in self._dims:
            n *= d
        return n

    def is_fully_defined(self) -> bool:
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self):
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other) -> bool:
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims)
        )

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {as_shape(other)} are incompatible")

    def assert_has_rank(self, rank):
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def as_proto(self):
        """The TensorShapeProto."""
        return self.experimental_as_proto()

    def merge_with(self, other) -> "TensorShape":
        """What both say together; ValueError when they contradict each other."""
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        return TensorShape([b if a is None else a for a, b in zip(self._dims, other._dims)])

    def most_specific_compatible_shape(self, other) -> "TensorShape":
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self._dims) != len(other._dims):
            return TensorShape(None)
        return TensorShape([a if a == b else None for a, b in zip(self._dims, other._dims)])

    def most_specific_common_supertype(self, others):
        """What this shape and all others have in common; None when one of them is no shape."""
        made = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            made = made.most_specific_compatible_shape(other)
        return made

    def is_subtype_of(self, other) -> bool:
        if other._dims is None:
            return True
        return (
            self._dims is not None
            and len(self._dims) == len(other._dims)
            and all(b is None or a == b for a, b in zip(self._dims, other._dims))
        )

    def concatenate(self, other) -> "TensorShape":
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return TensorShape(None)
        return TensorShape(self._dims + other._dims)

    def with_rank(self, rank) -> "TensorShape":
        if self._dims is None:
            return TensorShape([None] * rank)
        self.assert_has_rank(rank)
        return self

    def with_rank_at_least(self, rank) -> "TensorShape":
        if self.rank is not None and self.rank < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank) -> "TensorShape":
        if self.rank is not None and self.rank > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def assert_same_rank(self, other):
        """ValueError when both ranks are known, and differ."""
        other = as_shape(other)
        if None not in (self.rank, other.rank) and self.rank != other.rank:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    # ---- as a part of a function's signature: it is made of no tensors

    def placeholder_value(self, placeholder_context):
        return None

    def to_tensors(self, value) -> list:
        return []

    def from_tensors(self, tensors):
        return self

    def flatten(self) -> list:
        return []

    def cast(self, value, cast_context):
        if value is not self and value != self:
            raise AssertionError(f"Can not cast {value!r} to type {self!r}")
        return value

    def __len__(self):
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self):
        return self._dims is not None

    def __iter__(self):
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return map(Dimension, self._dims) if _gives_dimensions() else iter(self._dims)

    def __getitem__(self, key):
        if self._dims is not None:
            if isinstance(key, slice):
                return TensorShape(self._dims[key])
            return Dimension(self._dims[key]) if _gives_dimensions() else self._dims[key]
        if not isinstance(key, slice):
            return Dimension(None) if _gives_dimensions() else None
        if key.step not in (None, 1) or key.stop is None or key.stop < 0 or (key.start or 0) < 0:
            return TensorShape(None)
        return TensorShape([None] * max(0, key.stop - (key.start or 0)))

    def __eq__(self, other):
        try:
            other = as_shape(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._dims == other._dims

    def __hash__(self):
        return hash(self._dims)

    def __add__(self, other):
        return self.concatenate(other)

    def __radd__(self, other):
        return as_shape(other).concatenate(self)

    def __repr__(self):
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __str__(self):
        if self._dims is None:
            return "<unknown>"
        return f"({self._dims[0]},)" if len(self._dims) == 1 else "(" + ", ".join(map(str, self._dims)) + ")"

    def __reduce__(self):
        return TensorShape, (self._dims,)


def as_shape(shape) -> TensorShape:
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def known(dims: tuple) -> TensorShape:
    """A shape of a tuple of numbers, unchecked."""
    made = TensorShape.__new__(TensorShape)
    made._dims = dims
    return made
