"""Batch normalization: statistics of the batch while training, moving averages of them otherwise."""

from __future__ import annotations

from ..compat import v1
from ..core import dtypes
from .dense_layers import ZEROS, either
from .layer import InputSpec, Layer

ONES = v1.ones_initializer()


class BatchNormalization(Layer):
    """gamma * (inputs - mean) / sqrt(variance + epsilon) + beta, by the axis of channels.

    Updates of the moving averages are in the collection UPDATE_OPS; where ops run at once, they run.
    """

    def __init__(
        self, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, beta_initializer=ZEROS, gamma_initializer=ONES,
        moving_mean_initializer=ZEROS, moving_variance_initializer=ONES, beta_regularizer=None, gamma_regularizer=None,
        beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None, renorm_momentum=0.99, fused=None,
        trainable=True, virtual_batch_size=None, adjustment=None, name=None, **kwargs,
    ):  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        for given, what in ((renorm, "renorm"), (virtual_batch_size, "virtual_batch_size"), (adjustment, "adjustment")):
            if given:
                raise NotImplementedError(f"tf.compat.v1.layers.BatchNormalization: {what}")
        self.axis, self.momentum, self.epsilon, self.center, self.scale = axis, momentum, epsilon, center, scale
        self.fused = fused
        self._kinds = {
            "gamma": (scale, gamma_initializer, gamma_regularizer, gamma_constraint),
            "beta": (center, beta_initializer, beta_regularizer, beta_constraint),
        }
        self._moving = {"moving_mean": moving_mean_initializer, "moving_variance": moving_variance_initializer}

    def build(self, input_shape):
        rank = input_shape.rank
        axis = self.axis[0] if isinstance(self.axis, (list, tuple)) else self.axis
        self._axis = axis % rank
        size = input_shape.as_list()[self._axis]
        self.input_spec = InputSpec(ndim=rank, axes={self._axis: size})
        if self.fused is None:
            self.fused = rank == 4 and self._axis in (1, 3)
        self._type = (
            dtypes.float32 if dtypes.as_dtype(self._dtype) in (dtypes.float16, dtypes.bfloat16) else self._dtype
        )
        self.gamma = self.beta = None
        for name, (wanted, initializer, regularizer, constraint) in self._kinds.items():
            if wanted:
                made = self.add_weight(
                    name, [size], self._type, initializer, regularizer, trainable=True, constraint=constraint
                )
                setattr(self, name, made)
        for name, initializer in self._moving.items():
            setattr(self, name, self.add_weight(name, [size], self._type, initializer, trainable=False))

    def call(self, inputs, training=False):
        return self._fused(inputs, training) if self.fused else self._by_parts(inputs, training)

    def _fused(self, inputs, training):
        size = inputs.shape.as_list()[self._axis]
        gamma = self.gamma if self.scale else v1.ones([size], self._type)
        beta = self.beta if self.center else v1.zeros([size], self._type)
        layout = "NHWC" if self._axis == 3 else "NCHW"

        def trained():
            return v1.nn.fused_batch_norm(inputs, gamma, beta, epsilon=self.epsilon, data_format=layout)

        def inferred():
            return v1.nn.fused_batch_norm(
                inputs, gamma, beta, self.moving_mean, self.moving_variance, epsilon=self.epsilon, data_format=layout,
                is_training=False,
            )  # fmt: skip

        made, mean, variance = either(training, trained, inferred)
        self._move(training, mean, variance)
        return made

    def _by_parts(self, inputs, training):
        axes = [i for i in range(inputs.shape.rank) if i != self._axis]
        shape = [-1 if i == self._axis else 1 for i in range(inputs.shape.rank)]
        means, variances = v1.nn.moments(inputs, axes)
        mean = either(training, lambda: means, lambda: v1.convert_to_tensor(self.moving_mean))
        variance = either(training, lambda: variances, lambda: v1.convert_to_tensor(self.moving_variance))
        self._move(training, mean, variance)

        def spread(v):
            return None if v is None else v1.cast(v1.reshape(v, shape), inputs.dtype)

        return v1.nn.batch_normalization(
            inputs, spread(mean), spread(variance), spread(self.beta), spread(self.gamma), self.epsilon
        )

    def _move(self, training, mean, variance):
        if training is False or training is None or (isinstance(training, int) and not training):
            return

        def moved(average, value):
            rate = either(training, lambda: v1.constant(1.0 - self.momentum, average.dtype.base_dtype),
                          lambda: v1.constant(0.0, average.dtype.base_dtype))  # fmt: skip
            with v1.name_scope("AssignMovingAvg"):
                return v1.assign_sub(average, (v1.convert_to_tensor(average) - v1.cast(value, rate.dtype)) * rate)

        self.add_update(moved(self.moving_mean, mean))
        self.add_update(moved(self.moving_variance, variance))


def batch_normalization(
    inputs, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, beta_initializer=ZEROS, gamma_initializer=ONES,
    moving_mean_initializer=ZEROS, moving_variance_initializer=ONES, beta_regularizer=None, gamma_regularizer=None,
    beta_constraint=None, gamma_constraint=None, training=False, trainable=True, name=None, reuse=None, renorm=False,
    renorm_clipping=None, renorm_momentum=0.99, fused=None, virtual_batch_size=None, adjustment=None,
):  # fmt: skip
    """Batch normalization with variables of the scope `name`. A step of training has to run the collection UPDATE_OPS, too."""
    given = {k: v for k, v in locals().items() if k not in ("inputs", "training", "reuse")}
    return BatchNormalization(**given, _scope=name, _reuse=reuse)(inputs, training=training)
