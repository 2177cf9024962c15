"""ExponentialMovingAverage: shadows of variables that follow them slowly."""

from __future__ import annotations

from ..compat import v1
from ..core import dtypes, graph, scopes, tensor
from . import training_variables


def _follow(average, value, decay, zero_debias):
    """average -= (1 - decay) * (average - value); zero_debias: as if it had not begun at zero."""
    dtype = average.dtype.base_dtype
    rate = 1.0 - v1.cast(decay, dtype)
    value = tensor.convert(value)
    if not zero_debias:
        return average.assign_sub((tensor.convert(average) - value) * rate)
    with v1.variable_scope(average.op.name if graph.current() is not None else average.name.partition(":")[0]):
        biased = v1.get_variable("biased", average.get_shape(), dtype, v1.zeros_initializer(), trainable=False)
        steps = v1.get_variable("local_step", [], dtype, v1.zeros_initializer(), trainable=False)
    followed = biased.assign_sub((tensor.convert(biased) - value) * rate)
    counted = steps.assign_add(1.0)
    with scopes.control_dependencies([followed, counted] if graph.current() is not None else None):
        weight = 1.0 - v1.pow(1.0 - rate, steps.read_value())
        return average.assign(biased.read_value() / weight)


class ExponentialMovingAverage:
    """shadow = decay * shadow + (1 - decay) * value, for each `apply`.

    num_updates: decay is at most (1 + num_updates) / (10 + num_updates), so that averages move faster at first. zero_debias:
    averages of tensors are as if they had not begun at zero.
    """

    def __init__(self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"):
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        self._averages: dict = {}  # reference of the value -> its shadow

    name = property(lambda self: self._name)

    def apply(self, var_list=None):
        """Makes shadows of variables or tensors, by default of all trainable variables, and moves them.

        Gives the operation that does. TypeError for values that are no floats.
        """
        if var_list is None:
            var_list = v1.trainable_variables()
        for var in var_list:
            if var.dtype.base_dtype not in (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64):
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            if var.ref() not in self._averages:
                with graph.init_scope():
                    self._averages[var.ref()] = self._shadow(var)
        with v1.name_scope(self._name) as scope:
            decay = v1.convert_to_tensor(
                self._decay, name="decay", dtype=None if hasattr(self._decay, "dtype") else dtypes.float32
            )
            if self._num_updates is not None:
                steps = v1.cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = v1.minimum(decay, (1.0 + steps) / (10.0 + steps))
            updates = [assign_moving_average(self._averages[v.ref()], v, decay, self._debiases(v)) for v in var_list]
            return training_variables.group(updates, scope)

    def _debiases(self, value):
        return self._zero_debias and not training_variables.is_variable(value)

    def _shadow(self, var):
        if training_variables.is_variable(var):
            value = var.initialized_value() if graph.current() is not None else var.read_value()
            made = training_variables.slot(var, self._name, value)
            if graph.current() is not None:
                v1.add_to_collection(v1.GraphKeys.MOVING_AVERAGE_VARIABLES, var)
            return made
        name = f"{var.op.name}/{self._name}" if graph.current() is not None else self._name
        made = training_variables.variable(
            v1.zeros(var.shape, var.dtype.base_dtype), name, use_resource=v1.resource_variables_enabled()
        )
        return made

    def average(self, var):
        """The shadow; None when there is none."""
        return self._averages.get(var.ref())

    def average_name(self, var):
        """The name that the shadow has, or would have."""
        if var.ref() in self._averages:
            return self._averages[var.ref()].name.partition(":")[0]
        return f"{var.name.partition(':')[0]}/{self._name}"

    def variables_to_restore(self, moving_avg_variables=None):
        """name -> variable for a Saver that reads shadows into variables, and other variables as they are."""
        if moving_avg_variables is None:
            moving_avg_variables = v1.trainable_variables() + v1.moving_average_variables()
        averaged = {v.ref(): v for v in moving_avg_variables}
        named = {self.average_name(v): v for v in averaged.values()}
        names = {v.op.name for v in averaged.values()}
        for v in v1.global_variables():
            if v.ref() not in averaged and v.op.name not in names and v.op.name not in named:
                named[v.op.name] = v
        return named


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """Moves a variable that is an average: variable -= (1 - decay) * (variable - value). Gives what assigns it."""
    with v1.name_scope(name, "AssignMovingAvg", [variable, value, decay]):
        return _follow(variable, value, decay, zero_debias)
