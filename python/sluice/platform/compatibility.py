"""tf.compat: texts and bytes, numbers' types, dimensions, and which behaviour of which date holds."""

from __future__ import annotations

import contextlib
import datetime
import numbers
import os

import numpy

bytes_or_text_types = (bytes, str)
integral_types = (numbers.Integral, numpy.integer)
real_types = (numbers.Real, numpy.integer, numpy.floating)
complex_types = (numbers.Complex, numpy.number)


def as_bytes(bytes_or_text, encoding="utf-8"):
    """Bytes of a text, or the bytes themselves. TypeError for anything else."""
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text, encoding="utf-8"):
    """A text of bytes, or the text itself. TypeError for anything else."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_str(bytes_or_text, encoding="utf-8"):
    """The same as as_text."""
    return as_text(bytes_or_text, encoding)


def as_str_any(value, encoding="utf-8"):
    """A text of bytes; of anything else str()."""
    return as_str(value, encoding=encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path):
    """The text of a path object; anything else as it is."""
    return os.fsdecode(os.fspath(path)) if hasattr(path, "__fspath__") else path


def dimension_value(dimension):
    """A number, or None, of a Dimension; anything else as it is."""
    return getattr(dimension, "value", dimension)


def dimension_at_index(shape, index):
    """The Dimension of a shape; an unknown one when the rank is."""
    from ..core.tensor_shape import Dimension

    if shape.rank is None:
        return Dimension(None)
    return Dimension(dimension_value(shape.dims[index]))


_horizon = datetime.date(2026, 1, 1)


def forward_compatible(year, month, day):
    """Whether programs of that date have to be able to read what this one writes."""
    return _horizon > datetime.date(year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year, month, day):
    """Sets that date."""
    global _horizon
    before, _horizon = _horizon, datetime.date(year, month, day)
    try:
        yield
    finally:
        _horizon = before
