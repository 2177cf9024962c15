"""Layers of convolutions over one, two and three axes."""

from __future__ import annotations

from ..compat import v1
from .dense_layers import ZEROS
from .layer import InputSpec, Layer

_DEFAULTS = {
    "strides": 1, "padding": "valid", "data_format": "channels_last", "dilation_rate": 1, "activation": None, "use_bias": True,
    "kernel_initializer": None, "bias_initializer": ZEROS, "kernel_regularizer": None, "bias_regularizer": None,
    "activity_regularizer": None, "kernel_constraint": None, "bias_constraint": None,
}  # fmt: skip


def sizes(value, n, name):
    """A number for each axis. ValueError for other counts."""
    if isinstance(value, int):
        return (value,) * n
    value = tuple(value)
    if len(value) != n:
        raise ValueError(f"The `{name}` argument must be a tuple of {n} integers. Received: {value}")
    return value


def layout(data_format, rank):
    """NHWC and its kin. ValueError for other names than channels_last and channels_first."""
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(
            f"The `data_format` argument must be one of 'channels_first', 'channels_last'. Received: {data_format}"
        )
    axes = {1: "W", 2: "HW", 3: "DHW"}[rank]
    return f"N{axes}C" if data_format == "channels_last" else f"NC{axes}"


class _Convolution(Layer):
    """activation(convolution(inputs, kernel) + bias)."""

    rank = 2

    def __init__(self, filters, kernel_size, trainable=True, name=None, **kwargs):
        options = {k: kwargs.pop(k, v) for k, v in _DEFAULTS.items()}
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=options.pop("activity_regularizer"), **kwargs
        )
        vars(self).update(options)
        self.filters = filters
        self.kernel_size = sizes(kernel_size, self.rank, "kernel_size")
        self.strides = sizes(self.strides, self.rank, "strides")
        self.dilation_rate = sizes(self.dilation_rate, self.rank, "dilation_rate")
        self.padding = self.padding.lower()
        self._layout = layout(self.data_format, self.rank)
        self._channels = -1 if self.data_format == "channels_last" else 1
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _depth(self, input_shape):
        size = input_shape.as_list()[self._channels]
        if size is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channels: size})
        return size

    def _weight(self, name, shape, kind=None):
        kind = kind or name
        return self.add_weight(
            name, shape, initializer=getattr(self, f"{kind}_initializer"), regularizer=getattr(self, f"{kind}_regularizer"),
            constraint=getattr(self, f"{kind}_constraint"), trainable=True,
        )  # fmt: skip

    def build(self, input_shape):
        self.kernel = self._weight("kernel", [*self.kernel_size, self._depth(input_shape), self.filters])
        self.bias = self._weight("bias", [self.filters]) if self.use_bias else None

    def _finished(self, made):
        if self.use_bias:
            if self.rank == 1 and self._channels == 1:
                made = made + v1.reshape(self.bias, [1, -1, 1])
            else:
                made = v1.nn.bias_add(made, self.bias, data_format="NHWC" if self._channels == -1 else "NCHW")
        return made if self.activation is None else self.activation(made)

    def call(self, inputs):
        padding = self.padding.upper()
        if padding == "CAUSAL":
            left = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            axis = 1 if self._channels == -1 else 2
            inputs = v1.pad(inputs, [[left, 0] if i == axis else [0, 0] for i in range(3)])
            padding = "VALID"
        made = v1.nn.convolution(
            inputs,
            self.kernel,
            padding,
            strides=self.strides,
            dilation_rate=self.dilation_rate,
            data_format=self._layout,
        )
        return self._finished(made)


class Conv1D(_Convolution):
    """Over one axis: inputs of [batch, length, channels]."""

    rank = 1


class Conv2D(_Convolution):
    """Over two axes: inputs of [batch, height, width, channels]."""


class Conv3D(_Convolution):
    """Over three axes."""

    rank = 3


class _Transposed(_Convolution):
    """What convolutions' gradients are of their inputs: from few positions to many."""

    def build(self, input_shape):
        self.kernel = self._weight("kernel", [*self.kernel_size, self.filters, self._depth(input_shape)])
        self.bias = self._weight("bias", [self.filters]) if self.use_bias else None

    def _lengths(self, inputs):
        known, given = inputs.shape.as_list(), v1.shape(inputs)
        first = 1 if self._channels == -1 else 2
        made, static = [], []
        for i, (size, stride) in enumerate(zip(self.kernel_size, self.strides)):
            more = max(size - stride, 0) if self.padding == "valid" else 0
            n = known[first + i]
            static.append(None if n is None else n * stride + more)
            made.append(given[first + i] * stride + more if n is None else static[-1])
        return made, static

    def call(self, inputs):
        made, static = self._lengths(inputs)
        batch = inputs.shape.as_list()[0]
        shapes = [
            [b, *lengths, self.filters] if self._channels == -1 else [b, self.filters, *lengths]
            for b, lengths in ((v1.shape(inputs)[0] if batch is None else batch, made), (batch, static))
        ]
        transposed = v1.nn.conv2d_transpose if self.rank == 2 else v1.nn.conv3d_transpose
        strides = [1, *self.strides, 1] if self._channels == -1 else [1, 1, *self.strides]
        done = transposed(
            inputs, self.kernel, v1.stack(shapes[0]), strides, padding=self.padding.upper(), data_format=self._layout
        )
        done.set_shape(shapes[1])
        return self._finished(done)


class Conv2DTranspose(_Transposed):
    """Over two axes."""


class Conv3DTranspose(_Transposed):
    """Over three axes."""

    rank = 3


class _Separable(_Convolution):
    """A convolution of each channel by itself, then one of 1 by 1."""

    def __init__(self, filters, kernel_size, depth_multiplier=1, **kwargs):
        kinds = {}
        for kind in ("depthwise", "pointwise"):
            for what in ("initializer", "regularizer", "constraint"):
                kinds[f"{kind}_{what}"] = kwargs.pop(f"{kind}_{what}", None)
        super().__init__(filters, kernel_size, **kwargs)
        vars(self).update(kinds)
        self.depth_multiplier = depth_multiplier

    def build(self, input_shape):
        depth = self._depth(input_shape)
        self.depthwise_kernel = self._weight(
            "depthwise_kernel", [*self.kernel_size, depth, self.depth_multiplier], "depthwise"
        )
        self.pointwise_kernel = self._weight(
            "pointwise_kernel", [*(1,) * self.rank, depth * self.depth_multiplier, self.filters], "pointwise"
        )
        self.bias = self._weight("bias", [self.filters]) if self.use_bias else None

    def call(self, inputs):
        depthwise, pointwise, strides, rates = (
            v1.convert_to_tensor(self.depthwise_kernel), v1.convert_to_tensor(self.pointwise_kernel), self.strides,
            self.dilation_rate,
        )  # fmt: skip
        axis = 1 if self._channels == -1 else 2
        if self.rank == 1:
            inputs = v1.expand_dims(inputs, axis)
            depthwise, pointwise = v1.expand_dims(depthwise, 0), v1.expand_dims(pointwise, 0)
            strides, rates = strides * 2, rates * 2
        made = v1.nn.separable_conv2d(
            inputs, depthwise, pointwise, [1, *strides, 1] if self._channels == -1 else [1, 1, *strides],
            self.padding.upper(), rate=rates, data_format="NHWC" if self._channels == -1 else "NCHW",
        )  # fmt: skip
        return self._finished(v1.squeeze(made, [axis]) if self.rank == 1 else made)


class SeparableConv1D(_Separable):
    """Over one axis."""

    rank = 1


class SeparableConv2D(_Separable):
    """Over two axes."""


def conv1d(
    inputs, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", dilation_rate=1, activation=None,
    use_bias=True, kernel_initializer=None, bias_initializer=ZEROS, kernel_regularizer=None, bias_regularizer=None,
    activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None,
):  # fmt: skip
    """A convolution over one axis, with variables of the scope `name`."""
    return _run(Conv1D, locals())


def conv2d(
    inputs, filters, kernel_size, strides=(1, 1), padding="valid", data_format="channels_last", dilation_rate=(1, 1),
    activation=None, use_bias=True, kernel_initializer=None, bias_initializer=ZEROS, kernel_regularizer=None,
    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
    reuse=None,
):  # fmt: skip
    """A convolution over two axes, with variables of the scope `name`."""
    return _run(Conv2D, locals())


def conv3d(
    inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid", data_format="channels_last", dilation_rate=(1, 1, 1),
    activation=None, use_bias=True, kernel_initializer=None, bias_initializer=ZEROS, kernel_regularizer=None,
    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
    reuse=None,
):  # fmt: skip
    """A convolution over three axes, with variables of the scope `name`."""
    return _run(Conv3D, locals())


def conv2d_transpose(
    inputs, filters, kernel_size, strides=(1, 1), padding="valid", data_format="channels_last", activation=None, use_bias=True,
    kernel_initializer=None, bias_initializer=ZEROS, kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None,
    kernel_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The transpose of a convolution over two axes."""
    return _run(Conv2DTranspose, locals())


def conv3d_transpose(
    inputs, filters, kernel_size, strides=(1, 1, 1), padding="valid", data_format="channels_last", activation=None,
    use_bias=True, kernel_initializer=None, bias_initializer=ZEROS, kernel_regularizer=None, bias_regularizer=None,
    activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None,
):  # fmt: skip
    """The transpose of a convolution over three axes."""
    return _run(Conv3DTranspose, locals())


def separable_conv1d(
    inputs, filters, kernel_size, strides=1, padding="valid", data_format="channels_last", dilation_rate=1, depth_multiplier=1,
    activation=None, use_bias=True, depthwise_initializer=None, pointwise_initializer=None, bias_initializer=ZEROS,
    depthwise_regularizer=None, pointwise_regularizer=None, bias_regularizer=None, activity_regularizer=None,
    depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None, trainable=True, name=None, reuse=None,
):  # fmt: skip
    """A convolution of each channel, then one of 1, over one axis."""
    return _run(SeparableConv1D, locals())


def separable_conv2d(
    inputs, filters, kernel_size, strides=(1, 1), padding="valid", data_format="channels_last", dilation_rate=(1, 1),
    depth_multiplier=1, activation=None, use_bias=True, depthwise_initializer=None, pointwise_initializer=None,
    bias_initializer=ZEROS, depthwise_regularizer=None, pointwise_regularizer=None, bias_regularizer=None,
    activity_regularizer=None, depthwise_constraint=None, pointwise_constraint=None, bias_constraint=None, trainable=True,
    name=None, reuse=None,
):  # fmt: skip
    """A convolution of each channel, then one of 1 by 1, over two axes."""
    return _run(SeparableConv2D, locals())


def _run(kind, given):
    inputs, reuse = given.pop("inputs"), given.pop("reuse")
    return kind(**given, _scope=given["name"], _reuse=reuse)(inputs)
