"""TensorFlow 1's initializers: they have a type of their own, and their random numbers are those of stateful ops."""

from __future__ import annotations

from ..core import dtypes
from . import array_ops, random_ops
from .initializers import Initializer, check_matrix_shape, float_type, orthogonal_rows, variance_scaled


class InitializerV1(Initializer):
    """Called with a shape, gives a tensor of the initializer's type, or of another one that is given."""

    _needs_float = False

    def __init__(self, dtype=dtypes.float32):
        self.dtype = float_type(dtype) if self._needs_float else dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return self._make(shape, self.dtype if dtype is None else dtypes.as_dtype(dtype), partition_info)

    def _make(self, shape, dtype, partition_info):
        raise NotImplementedError

    def get_config(self):
        return {**super().get_config(), "dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class Zeros(InitializerV1):
    """Zeros."""

    def _make(self, shape, dtype, partition_info):
        return array_ops.zeros(shape, dtype)


class Ones(InitializerV1):
    """Ones."""

    def _make(self, shape, dtype, partition_info):
        return array_ops.ones(shape, dtype)


class Constant(InitializerV1):
    """A number, or a list or array with as many elements as the shape.

    verify_shape: whether the value has to have the shape, not only as many elements (TypeError).
    """

    _config = ("value",)

    def __init__(self, value=0, dtype=dtypes.float32, verify_shape=False):
        import numpy

        if not (numpy.isscalar(value) or isinstance(value, (list, tuple, numpy.ndarray))):
            raise TypeError(
                f"Invalid type for initial value={value} of type: {type(value).__name__}. Expected Python scalar, list "
                "or tuple of values, or numpy.ndarray."
            )
        super().__init__(dtype)
        self.value, self._verify_shape = value, verify_shape

    def __call__(self, shape, dtype=None, partition_info=None, verify_shape=None):
        verify_shape = self._verify_shape if verify_shape is None else verify_shape
        dtype = self.dtype if dtype is None else dtypes.as_dtype(dtype)
        made = array_ops.constant_v1(self.value, dtype, None if verify_shape else shape)
        if verify_shape and made.shape != shape:
            raise TypeError(
                f"Expected Tensor {made} (converted from {self.value}) with shape {tuple(shape)}, but got shape "
                f"{made.shape}."
            )
        return made


class RandomUniform(InitializerV1):
    """Numbers of [minval, maxval); for floats maxval is 1 when it is not given."""

    _config = ("minval", "maxval", "seed")

    def __init__(self, minval=0.0, maxval=None, seed=None, dtype=dtypes.float32):
        super().__init__(dtype)
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def _make(self, shape, dtype, partition_info):
        return random_ops.uniform(shape, self.minval, self.maxval, dtype, seed=self.seed)


class RandomNormal(InitializerV1):
    """Normally distributed numbers."""

    _needs_float = True
    _config = ("mean", "stddev", "seed")

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
        super().__init__(dtype)
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def _make(self, shape, dtype, partition_info):
        return random_ops.normal(shape, self.mean, self.stddev, dtype, seed=self.seed)


class TruncatedNormal(RandomNormal):
    """Normally distributed numbers, none further than two stddevs from the mean."""

    def _make(self, shape, dtype, partition_info):
        return random_ops.truncated_normal(shape, self.mean, self.stddev, dtype, seed=self.seed)


class UniformUnitScaling(InitializerV1):
    """Uniform numbers that keep the scale of what a matrix product of them gives."""

    _needs_float = True
    _config = ("factor", "seed")

    def __init__(self, factor=1.0, seed=None, dtype=dtypes.float32):
        super().__init__(dtype)
        self.factor, self.seed = factor, seed

    def _make(self, shape, dtype, partition_info):
        whole = shape if partition_info is None else partition_info.full_shape
        size = 1.0
        for dim in whole[:-1]:
            size *= float(dim)
        limit = (3 / max(size, 1.0)) ** 0.5 * self.factor
        return random_ops.uniform(shape, -limit, limit, dtype, seed=self.seed)


class VarianceScaling(InitializerV1):
    """Numbers whose variance is scale / fan. mode: "fan_in", "fan_out", "fan_avg"; distribution: "truncated_normal" (also
    called "normal"), "untruncated_normal", "uniform"."""

    _needs_float = True
    _config = ("scale", "mode", "distribution", "seed")

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None, dtype=dtypes.float32):
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). Received: {mode}")
        distribution = distribution.lower()
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                "Argument `distribution` should be one of ('normal', uniform', 'truncated_normal', "
                f"'untruncated_normal'). Received: {distribution}"
            )
        super().__init__(dtype)
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed

    def _make(self, shape, dtype, partition_info):
        def draw(distribution, parameters):
            return getattr(random_ops, distribution)(shape, *parameters, dtype, seed=self.seed)

        whole = shape if partition_info is None else partition_info.full_shape
        return variance_scaled(self.scale, self.mode, self.distribution, whole, draw)


class GlorotUniform(VarianceScaling):
    """Uniform numbers of variance 2 / (fan in + fan out)."""

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)

    def get_config(self):
        return {"seed": self.seed, "dtype": self.dtype.name}


class GlorotNormal(VarianceScaling):
    """Truncated normal numbers of variance 2 / (fan in + fan out)."""

    def __init__(self, seed=None, dtype=dtypes.float32):
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)

    get_config = GlorotUniform.get_config


def lecun_normal(seed=None):
    """Truncated normal numbers of variance 1 / fan in."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed=None):
    """Uniform numbers of variance 1 / fan in."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


def he_normal(seed=None):
    """Truncated normal numbers of variance 2 / fan in."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed=None):
    """Uniform numbers of variance 2 / fan in."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


class Orthogonal(InitializerV1):
    """Orthonormal rows or columns, times gain; of more than two dimensions all but the last are those of the rows."""

    _needs_float = True
    _config = ("gain", "seed")

    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        super().__init__(dtype)
        self.gain, self.seed = gain, seed

    def _make(self, shape, dtype, partition_info):
        check_matrix_shape(shape)
        return orthogonal_rows(shape, self.gain, lambda s: random_ops.normal(s, dtype=dtype, seed=self.seed))


class Identity(InitializerV1):
    """The identity matrix times gain: also of matrices that are not square, and of their parts."""

    _needs_float = True
    _config = ("gain",)

    def __init__(self, gain=1.0, dtype=dtypes.float32):
        super().__init__(dtype)
        self.gain = gain

    def _make(self, shape, dtype, partition_info):
        whole = shape if partition_info is None else partition_info.full_shape
        if len(whole) != 2:
            raise ValueError(
                "The tensor to initialize, specified by argument `shape` must be at least two-dimensional. Received "
                f"shape={shape}"
            )
        made = array_ops.eye(*whole, dtype=dtype)
        if partition_info is not None:
            made = array_ops.slice(made, partition_info.var_offset, shape)
        return self.gain * made
