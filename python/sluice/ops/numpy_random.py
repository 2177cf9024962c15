"""tf.experimental.numpy.random: random arrays from TensorFlow's global generator of seeds."""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from . import numpy_types, random_ops, random_seeds
from .numpy_arrays import _shape, asarray


def seed(s):
    """Sets the global seed; ValueError when it is no whole number."""
    try:
        s = int(s)
    except TypeError:
        raise ValueError(f"Argument `s` got an invalid value {s}. Only integers are supported.") from None
    random_seeds.set_seed(s)


def _size(size):
    if size is None:
        return ()
    return (size,) if np.ndim(size) == 0 and not hasattr(size, "shape") else _shape(size)


def standard_normal(size=None):
    """Numbers of the normal distribution of mean 0 and deviation 1."""
    return random_ops.normal(_size(size), dtype=dtypes.as_dtype(numpy_types.default_float()))


def randn(*args):
    """Numbers of the standard normal distribution, of the shape that the arguments are."""
    return standard_normal(args)


def uniform(low=0.0, high=1.0, size=None):
    """Numbers between low and high, which broadcast."""
    d = dtypes.as_dtype(numpy_types.default_float())
    low, high = asarray(low, d), asarray(high, d)
    if size is None:
        size = (low + high).shape.as_list()
    return random_ops.uniform(_size(size), low, high, d)


def random(size=None):
    """Numbers between 0 and 1."""
    return uniform(0.0, 1.0, () if size is None else size)


def rand(*size):
    """Numbers between 0 and 1, of the shape that the arguments are."""
    return uniform(0.0, 1.0, size)


def randint(low, high=None, size=None, dtype=np.int64):
    """Whole numbers from low on, below high; from 0, below low, when there is no high."""
    low, high = (0, low) if high is None else (low, high)
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_integer:
        raise ValueError(f"Argument `dtype` got an invalid value {dtype}. Only integer types are supported.")
    made = random_ops.uniform(_size(size), low, high, wanted if wanted.name in ("int32", "int64") else "int64")
    return asarray(made, wanted)


def poisson(lam=1.0, size=None):
    """Whole numbers, int64, of the Poisson distribution with these means."""
    lam = asarray(lam, numpy_types.default_float())
    if size is None:
        return asarray(random_ops.poisson([], lam), np.int64)
    return asarray(random_ops.poisson(_size(size), lam), np.int64)
