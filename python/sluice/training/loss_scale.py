"""compat.v1.mixed_precision: losses that are scaled up, so that small gradients of half precision do not become zero."""

from __future__ import annotations

import abc

from ..compat import v1
from ..core import dtypes, graph, nest, tensor, trackable
from ..core.indexed_slices import IndexedSlices
from . import training_variables
from .optimizer import Optimizer, cast


class LossScale(trackable.Trackable, metaclass=abc.ABCMeta):
    """A number that losses are multiplied by, which may follow the gradients. Calling it gives the number."""

    def __init__(self):
        self._weights: dict[str, object] = {}

    @abc.abstractmethod
    def __call__(self):
        """The scale now, as a float32 tensor."""

    @abc.abstractmethod
    def update(self, grads):
        """Looks at gradients; gives (an operation that changes the scale, whether the gradients are to be applied)."""

    def _add_weight(self, name, initial_value, dtype=None):
        """A variable that belongs to the scale, and to its checkpoints."""
        made = training_variables.variable(initial_value, name, use_resource=True, dtype=dtype)
        self._weights[name] = made
        return self._track_trackable(made, name=name)

    @abc.abstractmethod
    def get_config(self):
        """What makes an equal one, by argument."""

    @classmethod
    def from_config(cls, config):
        return cls(**config)


class FixedLossScale(LossScale):
    """Always the same. ValueError when it is less than 1."""

    def __init__(self, loss_scale_value):
        super().__init__()
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self):
        return v1.convert_to_tensor(self._loss_scale_value)

    def update(self, grads):
        return v1.no_op() if graph.current() is not None else None, True

    def __repr__(self):
        return f"FixedLossScale({self._loss_scale_value})"

    def get_config(self):
        return {"loss_scale_value": self._loss_scale_value}


def _all_finite(grads):
    flat = [g.values if isinstance(g, IndexedSlices) else g for g in nest.flatten(grads) if g is not None]
    return v1.reduce_all(v1.stack([v1.reduce_all(v1.is_finite(g)) for g in flat])) if flat else v1.constant(True)


class DynamicLossScale(LossScale):
    """Grows by `multiplier` after increment_period steps of finite gradients, shrinks by it when one is not, down to 1."""

    def __init__(self, initial_loss_scale=2**15, increment_period=2000, multiplier=2.0):
        super().__init__()
        self._initial_loss_scale, self._increment_period = float(initial_loss_scale), int(increment_period)
        self._multiplier = float(multiplier)
        self._current_loss_scale = self._add_weight("current_loss_scale", self._initial_loss_scale, dtypes.float32)
        self._num_good_steps = self._add_weight("good_steps", 0, dtypes.int64)

    initial_loss_scale = property(lambda self: self._initial_loss_scale)
    increment_period = property(lambda self: self._increment_period)
    multiplier = property(lambda self: self._multiplier)

    def __call__(self):
        return v1.convert_to_tensor(self._current_loss_scale)

    def update(self, grads):
        finite = _all_finite(grads)
        scale, steps = self._current_loss_scale.read_value(), self._num_good_steps.read_value()
        grows = v1.logical_and(finite, steps + 1 >= self._increment_period)
        grown = scale * self._multiplier
        larger = v1.where(v1.is_finite(grown), grown, scale)
        smaller = v1.maximum(scale / self._multiplier, 1.0)
        new_scale = v1.where(finite, v1.where(grows, larger, scale), smaller)
        zero = v1.zeros_like(steps)
        new_steps = v1.where(v1.logical_and(finite, v1.logical_not(grows)), steps + 1, zero)
        updates = [self._current_loss_scale.assign(new_scale), self._num_good_steps.assign(new_steps)]
        return training_variables.group(updates), finite

    def __repr__(self):
        now = ""
        if v1.executing_eagerly():
            now = f"current_loss_scale={self._current_loss_scale.numpy()}, num_good_steps={self._num_good_steps.numpy()}, "
        return (
            f"DynamicLossScale({now}initial_loss_scale={self._initial_loss_scale}, "
            f"increment_period={self._increment_period}, multiplier={self._multiplier})"
        )

    def get_config(self):
        return {
            "initial_loss_scale": self._initial_loss_scale,
            "increment_period": self._increment_period,
            "multiplier": self._multiplier,
        }


def get(identifier):
    """A LossScale of a number, "dynamic", or a LossScale."""
    if isinstance(identifier, (int, float)):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    if isinstance(identifier, LossScale) or identifier is None:
        return identifier
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")


def _scaled(grad, factor):
    if grad is None:
        return None
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * cast(factor, grad.dtype), grad.indices, grad.dense_shape)
    return grad * cast(factor, grad.dtype)


class MixedPrecisionLossScaleOptimizer(Optimizer):
    """Scales the loss for another optimizer, and its gradients back; a step whose gradients are not finite is left out."""

    def __init__(self, opt, loss_scale):
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        self._optimizer = opt
        super().__init__(getattr(opt, "_use_locking", False), getattr(opt, "_name", "loss_scale"))
        self._loss_scale = get(loss_scale)
        if self._loss_scale is None:
            raise ValueError("loss_scale cannot be None")
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    def compute_gradients(
        self,
        loss,
        var_list=None,
        gate_gradients=Optimizer.GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        grad_loss=None,
    ):
        """Gradients of the loss itself, computed by way of the scaled one."""
        scale = self._loss_scale()
        if callable(loss):

            def scaled_loss():
                value = loss()
                return value * cast(scale, value.dtype)
        else:
            scaled_loss = loss * cast(scale, loss.dtype)
        pairs = self._optimizer.compute_gradients(
            loss=scaled_loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        back = 1.0 / self._loss_scale()
        return [(_scaled(g, back), v) for g, v in pairs]

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Applies gradients when they are finite, and follows them with the scale."""
        pairs = [(g, v) for g, v in grads_and_vars]
        changed, applies = self._loss_scale.update([g for g, _ in pairs])
        if not any(g is not None for g, _ in pairs):
            raise ValueError("No gradients provided for any variable.")

        def apply():
            return self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)

        if isinstance(applies, tensor.EagerTensor):
            applies = bool(applies)
        if isinstance(applies, tensor.Tensor):
            with graph.init_scope():  # slots are made outside of the branch
                self._optimizer._create_slots([v for g, v in pairs if g is not None])

            def branch():
                done = apply()
                with v1.control_dependencies([done]):
                    return v1.constant(True)

            done = v1.cond(applies, branch, lambda: v1.constant(False)).op
        else:
            done = apply() if applies else None
        return training_variables.group([changed, done])

    def get_slot(self, var, name):
        return self._optimizer.get_slot(var, name)

    def get_slot_names(self):
        return self._optimizer.get_slot_names()

    def variables(self):
        return self._optimizer.variables() + list(self._loss_scale._weights.values())


class _Rewrite:
    """Whether graphs are rewritten to half precision."""

    enabled = False
    session_made = False


def enable_mixed_precision_graph_rewrite(opt, loss_scale="dynamic"):
    """Graphs may compute in half precision from here on; gives the optimizer with its loss scaled.

    The library's kernels of the CPU are not faster in half precision, so that its optimizer leaves types as they are.
    """
    if not isinstance(opt, Optimizer):
        raise ValueError(
            f'"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, but got: {opt}'
        )
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        raise ValueError(f'"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer. Got: {opt}')
    from ..platform import config

    made = MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    config.set_experimental_options({"auto_mixed_precision": True})
    _Rewrite.enabled = True
    return made


def disable_mixed_precision_graph_rewrite():
    """Takes that back. ValueError when it was not asked for."""
    from ..platform import config

    if not _Rewrite.enabled:
        from ..platform import logs

        logs.warning("disable_mixed_precision_graph_rewrite() called when mixed precision is already disabled.")
    config.set_experimental_options({"auto_mixed_precision": False})
    _Rewrite.enabled = False
