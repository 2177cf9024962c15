"""What variables begin with, as objects that are called with a shape: tf.*_initializer.

Numbers of a seed follow from it alone, so an initializer with a seed gives the same each time.
"""

from __future__ import annotations

import math

from ..core import dtypes, tensor_shape
from . import array_ops, random_ops, stateless_random_ops
from .array_ops import convert_to_tensor

_STDDEV_OF_TRUNCATED = 0.87962566103423978  # of a normal distribution of stddev 1 without what is beyond 2
_PARTITION = ["partition_shape", "partition_offset"]


class Initializer:
    """The base of all: called with a shape and a type, gives a tensor. `get_config` has the constructor's arguments."""

    _config: tuple = ()

    def __call__(self, shape, dtype=None, **kwargs):
        raise NotImplementedError

    def get_config(self):
        return {name: getattr(self, name) for name in self._config}

    @classmethod
    def from_config(cls, config):
        config = dict(config)
        config.pop("dtype", None)
        return cls(**config)


# ---- what all families of initializers share


def fans(shape):
    """(fan in, fan out) of the shape of a kernel: the last two dimensions, times the size of its window."""
    dims = [int(d) for d in tensor_shape.as_shape(shape).as_list()]
    if len(dims) < 2:
        return (dims[0], dims[0]) if dims else (1, 1)
    window = math.prod(dims[:-2])
    return dims[-2] * window, dims[-1] * window


def variance_scaled(scale, mode, distribution, shape, draw):
    """A tensor whose variance is scale over the fan of the mode; `draw(distribution, parameters)` makes it."""
    fan_in, fan_out = fans(shape)
    scale /= max(1.0, {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[mode])
    if distribution in ("normal", "truncated_normal"):
        return draw("truncated_normal", (0.0, math.sqrt(scale) / _STDDEV_OF_TRUNCATED))
    if distribution == "untruncated_normal":
        return draw("normal", (0.0, math.sqrt(scale)))
    limit = math.sqrt(3.0 * scale)
    return draw("uniform", (-limit, limit))


def orthogonal_rows(shape, gain, draw):
    """A matrix of orthonormal columns, or rows when it has fewer, in the shape; `draw(shape)` gives normal numbers."""
    from ..core.op_defs import op

    dims = [int(d) for d in tensor_shape.as_shape(shape).as_list()]
    rows, columns = math.prod(dims[:-1]), dims[-1]
    q, r = op("Qr")(draw([max(rows, columns), min(rows, columns)]), full_matrices=False)
    q = op("Mul")(q, op("Sign")(op("DiagPart")(r)))
    if rows < columns:
        q = op("Transpose")(q, [1, 0])
    return op("Mul")(convert_to_tensor(gain, q.dtype), array_ops.reshape(q, dims))


def check_matrix_shape(shape):
    """ValueError when there are fewer than two dimensions."""
    if len(shape) < 2:
        raise ValueError(
            "The tensor to initialize, specified by argument `shape` must be at least two-dimensional. Received "
            f"shape={shape}"
        )


def float_type(dtype):
    """The type; ValueError when it is not floating."""
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {dtype}.")
    return dtype


def draw(distribution, shape, seed, first, second, dtype):
    """Numbers of "normal", "truncated_normal" or "uniform": of a seed by itself, or unseeded ones."""
    if seed is not None and seed != 0:
        made = getattr(stateless_random_ops, "stateless_" + distribution)
        return made(shape, [seed, 0], first, second, dtype)
    return getattr(random_ops, distribution)(shape, first, second, dtype)


# ---- tf.*_initializer


def _number_type(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_numpy_compatible or dtype == dtypes.string:
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {dtype}.")
    return dtype


def _part(shape, kwargs):
    """The shape of the part that is wanted of a variable in parts."""
    for name in kwargs:
        if name not in _PARTITION:
            raise TypeError(f"Keyword argument should be one of {_PARTITION}. Received: {name}")
    return kwargs.get("partition_shape", shape)


class Zeros(Initializer):
    """Zeros of any number type, or False."""

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        return array_ops.zeros(_part(shape, kwargs), _number_type(dtype))


class Ones(Initializer):
    """Ones of any number type, or True."""

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        return array_ops.ones(_part(shape, kwargs), _number_type(dtype))


class Constant(Initializer):
    """A value: a number, or as many of them as the shape has elements.

    support_partition: whether it may give parts of variables, which then all are the whole value.
    """

    _config = ("value",)

    def __init__(self, value=0, support_partition=False):
        import numpy

        if not (numpy.isscalar(value) or isinstance(value, (list, tuple, numpy.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}. Expected Python scalar, list or tuple of "
                "values, or numpy.ndarray."
            )
        self.value, self.support_partition = value, support_partition

    def __call__(self, shape, dtype=None, **kwargs):
        part = _part(shape, kwargs)
        if not self.support_partition and any(name in kwargs for name in _PARTITION):
            raise ValueError("Constant initializer doesn't support partition-related arguments")
        if dtype is not None:
            dtype = dtypes.as_dtype(dtype)
        return array_ops.constant(self.value, dtype=dtype, shape=part)


class RandomUniform(Initializer):
    """Numbers of [minval, maxval)."""

    _config = ("minval", "maxval", "seed")

    def __init__(self, minval=-0.05, maxval=0.05, seed=None):
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        dtype = _number_type(dtype)
        return draw("uniform", _part(shape, kwargs), self.seed, self.minval, self.maxval, dtype)


class RandomNormal(Initializer):
    """Normally distributed numbers."""

    _config = ("mean", "stddev", "seed")

    def __init__(self, mean=0.0, stddev=0.05, seed=None):
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape, dtype=dtypes.float32, **kwargs):
        dtype = float_type(dtype)
        return draw("normal", _part(shape, kwargs), self.seed, self.mean, self.stddev, dtype)
