"""Layers of vectors: dense, dropout, flatten."""

from __future__ import annotations

from ..compat import v1
from ..core import dtypes, static_values
from ..core.tensor import Tensor
from .layer import InputSpec, Layer, size_of

ZEROS = v1.zeros_initializer()


class Dense(Layer):
    """activation(inputs @ kernel + bias), over the last axis."""

    def __init__(
        self, units, activation=None, use_bias=True, kernel_initializer=None, bias_initializer=ZEROS, kernel_regularizer=None,
        bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True,
        name=None, **kwargs,
    ):  # fmt: skip
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.units, self.activation, self.use_bias = int(units), activation, use_bias
        self.kernel_initializer, self.bias_initializer = kernel_initializer, bias_initializer
        self.kernel_regularizer, self.bias_regularizer = kernel_regularizer, bias_regularizer
        self.kernel_constraint, self.bias_constraint = kernel_constraint, bias_constraint
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape):
        size = size_of(input_shape, -1, "Dense")
        self.input_spec = InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = self.add_weight(
            "kernel", [size, self.units], initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint, trainable=True,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", [self.units], initializer=self.bias_initializer, regularizer=self.bias_regularizer,
                constraint=self.bias_constraint, trainable=True,
            )  # fmt: skip

    def call(self, inputs):
        rank = inputs.shape.rank
        made = (
            v1.matmul(inputs, self.kernel)
            if rank in (2, None)
            else v1.tensordot(inputs, self.kernel, [[rank - 1], [0]])
        )
        if self.use_bias:
            made = v1.nn.bias_add(made, self.bias)
        return made if self.activation is None else self.activation(made)


class Dropout(Layer):
    """While training a share of the inputs is zero, and the others are so much larger."""

    def __init__(self, rate=0.5, noise_shape=None, seed=None, name=None, **kwargs):
        super().__init__(name=name, **kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs, training=False):
        def dropped():
            return v1.nn.dropout(inputs, noise_shape=self.noise_shape, seed=self.seed, rate=self.rate)

        return either(training, dropped, lambda: v1.identity(inputs))


class Flatten(Layer):
    """All axes but the first become one."""

    def __init__(self, data_format="channels_last", **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs):
        if self.data_format == "channels_first" and (inputs.shape.rank or 0) > 2:
            inputs = v1.transpose(inputs, [0, *range(2, inputs.shape.rank), 1])
        sizes = inputs.shape.as_list()[1:]
        if None not in sizes:
            size = 1
            for s in sizes:
                size *= s
            return v1.reshape(
                inputs, [inputs.shape[0] if inputs.shape.as_list()[0] is not None and not size else -1, size]
            )
        return v1.reshape(inputs, [v1.shape(inputs)[0], -1])


def either(condition, true_fn, false_fn):
    """One of both, now if the condition is known."""
    if isinstance(condition, Tensor) or hasattr(condition, "handle"):
        known = static_values.known_value(v1.convert_to_tensor(condition, dtypes.bool_))
        if known is None:
            return v1.cond(condition, true_fn, false_fn)
        condition = bool(known)
    return true_fn() if condition else false_fn()


def dense(
    inputs, units, activation=None, use_bias=True, kernel_initializer=None, bias_initializer=ZEROS, kernel_regularizer=None,
    bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None, trainable=True, name=None,
    reuse=None,
):  # fmt: skip
    """activation(inputs @ kernel + bias), with variables of the scope `name`."""
    options = {k: v for k, v in locals().items() if k not in ("inputs", "reuse")}
    return Dense(**options, _scope=name, _reuse=reuse)(inputs)


def dropout(inputs, rate=0.5, noise_shape=None, seed=None, training=False, name=None):
    """The inputs, of which a share is zero while training (a bool, or a tensor)."""
    return Dropout(rate, noise_shape, seed, name)(inputs, training=training)


def flatten(inputs, name=None, data_format="channels_last"):
    """The inputs with one axis for all but the first."""
    return Flatten(name=name, data_format=data_format)(inputs)
