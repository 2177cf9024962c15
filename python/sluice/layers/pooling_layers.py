"""Layers of pools over one, two and three axes."""

from __future__ import annotations

from ..compat import v1
from .convolutional_layers import layout, sizes
from .layer import InputSpec, Layer


class _Pool(Layer):
    rank, kind = 2, "MAX"

    def __init__(self, pool_size, strides, padding="valid", data_format="channels_last", name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.pool_size = sizes(pool_size, self.rank, "pool_size")
        self.strides = sizes(pool_size if strides is None else strides, self.rank, "strides")
        self.padding, self.data_format = padding.lower(), data_format
        self._layout = layout(data_format, self.rank)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs):
        return v1.nn.pool(
            inputs, self.pool_size, self.kind, self.padding.upper(), strides=self.strides, data_format=self._layout
        )


class MaxPooling1D(_Pool):
    """The largest value of each window."""

    rank = 1


class MaxPooling2D(_Pool):
    """The largest value of each window."""


class MaxPooling3D(_Pool):
    """The largest value of each window."""

    rank = 3


class AveragePooling1D(MaxPooling1D):
    """The mean of each window."""

    kind = "AVG"


class AveragePooling2D(MaxPooling2D):
    """The mean of each window."""

    kind = "AVG"


class AveragePooling3D(MaxPooling3D):
    """The mean of each window."""

    kind = "AVG"


def max_pooling1d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The largest value of each window, over one axis."""
    return MaxPooling1D(pool_size, strides, padding, data_format, name)(inputs)


def max_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The largest value of each window, over two axes."""
    return MaxPooling2D(pool_size, strides, padding, data_format, name)(inputs)


def max_pooling3d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The largest value of each window, over three axes."""
    return MaxPooling3D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling1d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The mean of each window, over one axis."""
    return AveragePooling1D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling2d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The mean of each window, over two axes."""
    return AveragePooling2D(pool_size, strides, padding, data_format, name)(inputs)


def average_pooling3d(inputs, pool_size, strides, padding="valid", data_format="channels_last", name=None):
    """The mean of each window, over three axes."""
    return AveragePooling3D(pool_size, strides, padding, data_format, name)(inputs)
