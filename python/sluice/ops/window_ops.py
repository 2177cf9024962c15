"""tf.signal: windows, each a vector of window_length elements of a floating type."""

from __future__ import annotations

import math

from ..core import dtypes, scopes
from ..core.op_defs import op
from . import array_ops
from .array_ops import cast, convert_to_tensor


def _length(window_length):
    n = convert_to_tensor(window_length, dtype_hint=dtypes.int32)
    if n.shape.rank not in (None, 0):
        raise ValueError(f"window_length must be a scalar, not of shape {n.shape}")
    return n


def _floating(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"A window must have a floating type, not {dtype.name}")
    return dtype


def _positions(n, dtype):
    """0 ... n - 1"""
    return cast(op("Range")(cast(0, n.dtype), n, cast(1, n.dtype)), dtype)


def _raised_cosine(window_length, periodic, dtype, a, b):
    """a - b cos(2 pi k / d). d is the length of a periodic window when that is even, else one less."""
    n, dtype = _length(window_length), _floating(dtype)
    more = cast(1 - n % 2, n.dtype) if periodic else cast(0, n.dtype)
    last = cast(op("Maximum")(n + more - 1, 1), dtype)
    a, b, whole = (array_ops.constant(value, dtype) for value in (a, b, 2 * math.pi))
    made = a - b * op("Cos")(whole * _positions(n, dtype) / last)
    return array_ops.where(n == 1, array_ops.ones_like(made), made)


def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """A Hann window: a raised cosine from 0."""
    with scopes.name_scope(name or "hann_window"):
        return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """A Hamming window: a raised cosine from 0.08."""
    with scopes.name_scope(name or "hamming_window"):
        return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


def kaiser_window(window_length, beta=12.0, dtype=dtypes.float32, name=None):
    """A Kaiser window: I0(beta sqrt(1 - x^2)) / I0(beta) for x from -1 to 1."""
    with scopes.name_scope(name or "kaiser_window"):
        n, dtype = _length(window_length), _floating(dtype)
        beta = cast(beta, dtype)
        x = 2 * _positions(n, dtype) / cast(op("Maximum")(n - 1, 1), dtype) - 1
        root = op("Sqrt")(op("Maximum")(1 - x * x, cast(0, dtype)))
        made = op("Exp")(beta * root - beta) * op("BesselI0e")(beta * root) / op("BesselI0e")(beta)
        return array_ops.where(n == 1, array_ops.ones_like(made), made)


def kaiser_bessel_derived_window(window_length, beta=12.0, dtype=dtypes.float32, name=None):
    """The root of the running sum of a Kaiser window of half the length and one more, and its mirror image."""
    with scopes.name_scope(name or "kaiser_bessel_derived_window"):
        half = _length(window_length) // 2
        kaiser = kaiser_window(half + 1, beta, dtype)
        sums = op("Cumsum")(kaiser, 0)
        left = op("Sqrt")(sums[:-1] / sums[-1])
        return array_ops.concat([left, op("ReverseV2")(left, [0])], 0)


def vorbis_window(window_length, dtype=dtypes.float32, name=None):
    """sin(pi / 2 sin^2(pi (k + 1/2) / n))"""
    with scopes.name_scope(name or "vorbis_window"):
        n, dtype = _length(window_length), _floating(dtype)
        inner = op("Sin")(cast(math.pi, dtype) * (_positions(n, dtype) + 0.5) / cast(n, dtype))
        return op("Sin")(cast(math.pi / 2, dtype) * inner * inner)
