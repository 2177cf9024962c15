"""tf.initializers: those of Keras. Without a seed each object draws one for itself, so it gives the same each time."""

from __future__ import annotations

import random

from ..core import dtypes
from . import array_ops, stateless_random_ops
from .initializers import Initializer as _Base
from .initializers import orthogonal_rows, variance_scaled


class Initializer(_Base):
    """Called with a shape and a type (float32 when it is not given), gives a tensor."""

    def __call__(self, shape, dtype=None):
        raise NotImplementedError("Initializer subclasses must implement the `__call__()` method.")

    def clone(self):
        """Another one of the same configuration."""
        return self.__class__.from_config(self.get_config())

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _type(dtype):
    return dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)


class Zeros(Initializer):
    """Zeros."""

    def __call__(self, shape, dtype=None):
        return array_ops.zeros(shape, _type(dtype))


class Ones(Initializer):
    """Ones."""

    def __call__(self, shape, dtype=None):
        return array_ops.ones(shape, _type(dtype))


class Constant(Initializer):
    """A value, which broadcasts to the shape."""

    _config = ("value",)

    def __init__(self, value=0.0):
        self.value = value

    def __call__(self, shape, dtype=None):
        return array_ops.cast(self.value, _type(dtype)) * array_ops.ones(shape, _type(dtype))


class Identity(Initializer):
    """The identity matrix times gain; also of matrices that are not square."""

    _config = ("gain",)

    def __init__(self, gain=1.0):
        self.gain = gain

    def __call__(self, shape, dtype=None):
        if len(shape) != 2:
            raise ValueError(
                f"Identity matrix initializer can only be used for 2D matrices. Received: shape={shape} of rank "
                f"{len(shape)}."
            )
        return self.gain * array_ops.eye(*shape, dtype=_type(dtype))


class _Random(Initializer):
    def __init__(self, seed=None):
        self.seed = seed
        self._seed = random.randint(1, 10**9) if seed is None else seed

    def _draw(self, distribution, shape, first, second, dtype):
        function = getattr(stateless_random_ops, "stateless_" + distribution)
        return function(shape, [self._seed, 0], first, second, _type(dtype))


class RandomNormal(_Random):
    """Normally distributed numbers."""

    _config = ("seed", "mean", "stddev")

    def __init__(self, mean=0.0, stddev=0.05, seed=None):
        super().__init__(seed)
        self.mean, self.stddev = mean, stddev

    def __call__(self, shape, dtype=None):
        return self._draw("normal", shape, self.mean, self.stddev, dtype)


class TruncatedNormal(RandomNormal):
    """Normally distributed numbers, none further than two stddevs from the mean."""

    def __call__(self, shape, dtype=None):
        return self._draw("truncated_normal", shape, self.mean, self.stddev, dtype)


class RandomUniform(_Random):
    """Numbers of [minval, maxval)."""

    _config = ("seed", "minval", "maxval")

    def __init__(self, minval=-0.05, maxval=0.05, seed=None):
        super().__init__(seed)
        self.minval, self.maxval = minval, maxval

    def __call__(self, shape, dtype=None):
        return self._draw("uniform", shape, self.minval, self.maxval, dtype)


class VarianceScaling(_Random):
    """Numbers whose variance is scale / fan. mode: "fan_in", "fan_out", "fan_avg"; distribution: "truncated_normal",
    "untruncated_normal", "uniform". input_axes and output_axes: those of the shape that count, where not the last two."""

    _config = ("seed", "scale", "mode", "distribution", "input_axes", "output_axes")
    _modes = ("fan_avg", "fan_in", "fan_out")
    _distributions = ("uniform", "untruncated_normal", "truncated_normal")

    def __init__(
        self,
        scale=1.0,
        mode="fan_in",
        distribution="truncated_normal",
        seed=None,
        input_axes=None,
        output_axes=None,
    ):
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}")
        if mode not in self._modes:
            raise ValueError(f"Invalid `mode` argument: {mode}. Please use one of {set(self._modes)}")
        distribution = distribution.lower()
        if distribution == "normal":
            distribution = "truncated_normal"
        if distribution not in self._distributions:
            raise ValueError(
                f"Invalid `distribution` argument: {distribution}.Please use one of {set(self._distributions)}"
            )
        if input_axes is not None or output_axes is not None:
            raise NotImplementedError("VarianceScaling(input_axes, output_axes)")
        super().__init__(seed)
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.input_axes, self.output_axes = input_axes, output_axes

    def __call__(self, shape, dtype=None):
        def draw(distribution, parameters):
            return self._draw(distribution, shape, *parameters, dtype)

        return variance_scaled(self.scale, self.mode, self.distribution, shape, draw)


def _scaled(name, doc, scale, mode, distribution):
    """A class of numbers of one variance and distribution."""

    def __init__(self, seed=None, input_axes=None, output_axes=None):
        VarianceScaling.__init__(self, scale, mode, distribution, seed, input_axes, output_axes)

    config = ("seed", "input_axes", "output_axes")
    return type(name, (VarianceScaling,), {"__init__": __init__, "__doc__": doc, "_config": config})


GlorotUniform = _scaled("GlorotUniform", "Uniform, of variance 2 / (fan in + fan out).", 1.0, "fan_avg", "uniform")
GlorotNormal = _scaled(
    "GlorotNormal", "Truncated normal, of variance 2 / (fan in + fan out).", 1.0, "fan_avg", "truncated_normal"
)
LecunUniform = _scaled("LecunUniform", "Uniform, of variance 1 / fan in.", 1.0, "fan_in", "uniform")
LecunNormal = _scaled("LecunNormal", "Truncated normal, of variance 1 / fan in.", 1.0, "fan_in", "truncated_normal")
HeUniform = _scaled("HeUniform", "Uniform, of variance 2 / fan in.", 2.0, "fan_in", "uniform")
HeNormal = _scaled("HeNormal", "Truncated normal, of variance 2 / fan in.", 2.0, "fan_in", "truncated_normal")


class Orthogonal(_Random):
    """Orthonormal rows or columns, times gain; of more than two dimensions all but the last are those of the rows."""

    _config = ("seed", "gain")

    def __init__(self, gain=1.0, seed=None):
        super().__init__(seed)
        self.gain = gain

    def __call__(self, shape, dtype=None):
        if len(shape) < 2:
            raise ValueError(
                f"The tensor to initialize must be at least two-dimensional. Received: shape={shape} of rank {len(shape)}."
            )
        return orthogonal_rows(shape, self.gain, lambda s: self._draw("normal", s, 0.0, 1.0, dtype))


# ---- by name

_CLASSES = (
    [Zeros, Ones, Constant, Identity, RandomNormal, TruncatedNormal, RandomUniform, VarianceScaling, Orthogonal]
    + [GlorotUniform, GlorotNormal, LecunUniform, LecunNormal, HeUniform, HeNormal]
)  # fmt: skip


def _snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


_BY_NAME = {name: c for c in _CLASSES for name in (c.__name__, _snake(c.__name__))}


def serialize(initializer):
    """A dictionary from which `deserialize` makes the initializer again."""
    return {
        "module": "keras.initializers",
        "class_name": type(initializer).__name__,
        "config": initializer.get_config(),
        "registered_name": None,
    }


def deserialize(config, custom_objects=None):
    """An initializer of what `serialize` gave. custom_objects: classes by name, beside those of this module."""
    known = {**_BY_NAME, **(custom_objects or {})}
    name = config["class_name"]
    if name not in known:
        raise ValueError(f"Could not interpret initializer identifier: {config}")
    return known[name].from_config(config.get("config", {}))


def get(identifier):
    """An initializer of a name ("zeros", "GlorotUniform"), a dictionary, a class, or anything that can be called."""
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        if identifier not in _BY_NAME:
            raise ValueError(f"Could not interpret initializer identifier: {identifier}")
        return _BY_NAME[identifier]()
    if callable(identifier):
        return identifier() if isinstance(identifier, type) else identifier
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")
