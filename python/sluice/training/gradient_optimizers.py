"""The optimizers of compat.v1.train. Each is an op of the library that updates a variable and its slots.

A class of `_OpOptimizer` says the op's name, its slots and its numbers, all by the names that the op's inputs have; the op's
variants for reference variables, handles and rows (`Sparse`) take the same.
"""

from __future__ import annotations

import math

from ..core import dtypes, scopes, tensor
from ..core.op_defs import op
from ..ops import array_ops, initializers_v1
from .optimizer import Optimizer, cast, is_resource, reference


# Inputs of the ops -> names of the constants.
_NUMBERS = {
    "alpha": "learning_rate",
    "lr": "learning_rate",
    "l1": "l1_regularization_strength",
    "l2": "l2_regularization_strength",
    "l2_shrinkage": "l2_shrinkage_regularization_strength",
    "lr_power": "learning_rate_power",
}


class _OpOptimizer(Optimizer):
    """An optimizer of an op Apply<_kernel>, with its variants ResourceApply..., SparseApply... and ResourceSparseApply...

    _slot_inputs: input of the op -> name of the slot. `_numbers` gives input -> value; `_attrs` the op's other attrs.
    """

    _kernel = ""
    _slot_inputs: dict[str, str] = {}
    _number_names: dict[str, str] = {}  # of constants in graphs, where they are not those of _NUMBERS

    def _numbers(self):
        return {}

    def _attrs(self):
        return {}

    def _prepare(self):
        """Tensors of the numbers, by the ops' inputs: they are made once, and cast to the type of each variable."""
        names = _NUMBERS | self._number_names
        self._tensors = {
            key: array_ops.convert_to_tensor(self._call_if_callable(value), name=names.get(key, key))
            for key, value in self._numbers().items()
        }

    def _run(self, prefix, var, grad, indices=None):
        made = op(prefix + self._kernel)
        owner = (lambda v: v.handle) if prefix.startswith("Resource") else reference
        values = {"var": owner(var), "grad": grad, "delta": grad, "indices": indices}
        values |= {i: owner(self.get_slot(var, slot)) for i, slot in self._slot_inputs.items()}
        dtype = grad.dtype.base_dtype
        values |= {
            name: _of_type(t, dtype if name != "global_step" else dtypes.int64)
            for name, t in self._tensors_for(var).items()
        }
        return made(
            *[values[a.name] for a in made.__self__.info.inputs], use_locking=self._use_locking, **self._attrs()
        )

    def _tensors_for(self, var):
        return self._tensors

    def _apply_dense(self, grad, var):
        return _op_of(self._run("Apply", var, grad))

    def _resource_apply_dense(self, grad, handle):
        return self._run("ResourceApply", handle, grad)

    def _apply_sparse(self, grad, var):
        return _op_of(self._run("SparseApply", var, grad.values, grad.indices))

    def _resource_apply_sparse(self, grad, handle, indices):
        return self._run("ResourceSparseApply", handle, grad, indices)


def _op_of(made):
    return made.op if hasattr(made, "op") and not isinstance(made, tensor.EagerTensor) else made


class GradientDescentOptimizer(_OpOptimizer):
    """var -= learning_rate * gradient."""

    _kernel = "GradientDescent"

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _numbers(self):
        return {"alpha": self._learning_rate}

    def _rate(self, grad):
        return cast(self._tensors["alpha"], grad.dtype.base_dtype)

    def _apply_sparse_duplicate_indices(self, grad, var):
        delta = grad.values * self._rate(grad)
        return _op_of(op("ScatterSub")(reference(var), grad.indices, delta, use_locking=self._use_locking))

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        return op("ResourceScatterAdd")(handle.handle, indices, -grad * self._rate(grad))


class ProximalGradientDescentOptimizer(_OpOptimizer):
    """Gradient descent, with steps that shrink towards 0 by the regularization strengths (Duchi and Singer 2009, FOBOS)."""

    _kernel = "ProximalGradientDescent"

    def __init__(
        self,
        learning_rate,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalGradientDescent",
    ):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )

    def _numbers(self):
        return {
            "alpha": self._learning_rate,
            "l1": self._l1_regularization_strength,
            "l2": self._l2_regularization_strength,
        }


class MomentumOptimizer(_OpOptimizer):
    """accumulation = momentum * accumulation + gradient; var -= learning_rate * accumulation (Sutskever et al. 2013)."""

    _kernel = "Momentum"
    _slot_inputs = {"accum": "momentum"}

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False):
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _numbers(self):
        return {"lr": self._learning_rate, "momentum": self._momentum}

    def _attrs(self):
        return {"use_nesterov": self._use_nesterov}


def _of_type(value, dtype):
    """A variable that has the type already is read by the node's maker, below the node's name."""
    if is_resource(value) and value.dtype == dtype and not scopes.executing_eagerly():
        return value
    return cast(value, dtype)


def _constant(value):
    """An initializer of a slot: its shape filled with the value."""

    def make(shape, dtype=None, partition_info=None):
        dims = shape.as_list() if hasattr(shape, "as_list") else shape
        if math.prod(dims) < array_ops._FEW:
            return initializers_v1.Ones()(dims, dtype) if value == 1 else initializers_v1.Constant(value)(dims, dtype)
        return op("Fill")(tensor.convert(dims, dtypes.int32.as_datatype_enum), cast(value, dtype))

    return make


def _filled_slot(optimizer, var, value, slot_name, op_name):
    dtype = var.dtype.base_dtype
    if var.get_shape().is_fully_defined():
        return optimizer._get_or_make_slot_with_initializer(
            var, _constant(value), var.get_shape(), dtype, slot_name, op_name
        )
    filled = op("Fill")(op("Shape")(tensor.convert(var)), cast(value, dtype))
    return optimizer._get_or_make_slot(var, filled, slot_name, op_name)


class AdagradOptimizer(_OpOptimizer):
    """Steps shrink with the sum of squared gradients (Duchi, Hazan and Singer 2011)."""

    _kernel = "Adagrad"
    _slot_inputs = {"accum": "accumulator"}

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"):
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value

    def _create_slots(self, var_list):
        for v in var_list:
            _filled_slot(self, v, self._initial_accumulator_value, "accumulator", self._name)

    def _numbers(self):
        return {"lr": self._learning_rate}


class ProximalAdagradOptimizer(AdagradOptimizer):
    """Adagrad, with steps that shrink towards 0 by the regularization strengths."""

    _kernel = "ProximalAdagrad"

    def __init__(
        self,
        learning_rate,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalAdagrad",
    ):
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )

    def _numbers(self):
        return {
            "lr": self._learning_rate,
            "l1": self._l1_regularization_strength,
            "l2": self._l2_regularization_strength,
        }


class AdagradDAOptimizer(_OpOptimizer):
    """Adagrad with dual averaging: weights that no gradient has reached for long are regularized all the same."""

    _kernel = "AdagradDA"
    _slot_inputs = {
        "gradient_accumulator": "gradient_accumulator",
        "gradient_squared_accumulator": "gradient_squared_accumulator",
    }

    def __init__(
        self,
        learning_rate,
        global_step,
        initial_gradient_squared_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="AdagradDA",
    ):
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate, self._global_step = learning_rate, global_step
        self._initial_gradient_squared_accumulator_value = initial_gradient_squared_accumulator_value
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "gradient_accumulator", self._name)
            value, name = self._initial_gradient_squared_accumulator_value, "gradient_squared_accumulator"
            _filled_slot(self, v, value, name, self._name)

    def _numbers(self):
        return {
            "lr": self._learning_rate,
            "l1": self._l1_regularization_strength,
            "l2": self._l2_regularization_strength,
            "global_step": self._global_step,
        }

    def _tensors_for(self, var):
        return self._tensors | {"global_step": op("AddV2")(cast(self._tensors["global_step"], dtypes.int64), 1)}


class AdadeltaOptimizer(_OpOptimizer):
    """Steps by the ratio of running averages of squared updates and squared gradients (Zeiler 2012)."""

    _kernel = "Adadelta"
    _number_names = {"lr": "lr"}
    _slot_inputs = {"accum": "accum", "accum_update": "accum_update"}

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"):
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "accum", self._name)
            self._zeros_slot(v, "accum_update", self._name)

    def _numbers(self):
        return {"lr": self._lr, "rho": self._rho, "epsilon": self._epsilon}


class RMSPropOptimizer(_OpOptimizer):
    """Gradients divided by a running average of their size (Tieleman and Hinton 2012); centered: by their variance."""

    _number_names = {"rho": "decay"}

    def __init__(
        self,
        learning_rate,
        decay=0.9,
        momentum=0.0,
        epsilon=1e-10,
        use_locking=False,
        centered=False,
        name="RMSProp",
    ):
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum = learning_rate, decay, momentum
        self._epsilon, self._centered = epsilon, centered
        self._kernel = "CenteredRMSProp" if centered else "RMSProp"
        self._slot_inputs = {"ms": "rms", "mom": "momentum"} | ({"mg": "mg"} if centered else {})

    def _create_slots(self, var_list):
        for v in var_list:
            _filled_slot(self, v, 1.0, "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _numbers(self):
        return {
            "lr": self._learning_rate,
            "rho": self._decay,
            "momentum": self._momentum,
            "epsilon": self._epsilon,
        }


class FtrlOptimizer(_OpOptimizer):
    """Follow the regularized leader, proximal (McMahan et al. 2013), for sparse models."""

    _slot_inputs = {"accum": "accum", "linear": "linear"}

    def __init__(
        self,
        learning_rate,
        learning_rate_power=-0.5,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="Ftrl",
        accum_name=None,
        linear_name=None,
        l2_shrinkage_regularization_strength=0.0,
        beta=None,
    ):
        super().__init__(use_locking, name)
        for value, what, is_bad, wanted in (
            (
                initial_accumulator_value,
                "initial_accumulator_value",
                initial_accumulator_value < 0.0,
                "be positive or zero",
            ),
            (learning_rate_power, "learning_rate_power", learning_rate_power > 0.0, "be negative or zero"),
            (
                l1_regularization_strength,
                "l1_regularization_strength",
                l1_regularization_strength < 0.0,
                "be positive or zero",
            ),
            (
                l2_regularization_strength,
                "l2_regularization_strength",
                l2_regularization_strength < 0.0,
                "be positive or zero",
            ),
            (
                l2_shrinkage_regularization_strength,
                "l2_shrinkage_regularization_strength",
                l2_shrinkage_regularization_strength < 0.0,
                "be positive or zero",
            ),
        ):
            if is_bad:
                raise ValueError(f"{what} {value:f} needs to {wanted}")
        self._learning_rate, self._learning_rate_power = learning_rate, learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._beta = 0.0 if beta is None else beta
        self._accum_name, self._linear_name = accum_name, linear_name
        self._kernel = "FtrlV2" if l2_shrinkage_regularization_strength > 0.0 else "Ftrl"

    def _create_slots(self, var_list):
        for v in var_list:
            _filled_slot(self, v, self._initial_accumulator_value, "accum", self._accum_name or self._name)
            self._zeros_slot(v, "linear", self._linear_name or self._name)

    def _numbers(self):
        # The op has no beta: it stands beside l2, as a strength in proportion to 1 / (2 * learning rate).
        l2, rate = self._l2_regularization_strength, self._learning_rate
        return {
            "lr": rate,
            "l1": self._l1_regularization_strength,
            "l2": (lambda: l2 + self._beta / (2.0 * self._call_if_callable(rate))) if self._beta else l2,
            "l2_shrinkage": self._l2_shrinkage_regularization_strength,
            "lr_power": self._learning_rate_power,
        }


class AdamOptimizer(_OpOptimizer):
    """Steps by running averages of gradients and of their squares (Kingma and Ba 2015).

    Gradients that are IndexedSlices decay both averages of all rows, and move only the rows that the averages say.
    """

    _kernel = "Adam"
    _slot_inputs = {"m": "m", "v": "v"}

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        use_locking=False,
        name="Adam",
        use_own_namescope_for_non_slot_vars=False,
    ):
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._use_own_namescope_for_non_slot_vars = use_own_namescope_for_non_slot_vars

    def _power_name(self, which):
        return f"{self._name}/{which}_power" if self._use_own_namescope_for_non_slot_vars else f"{which}_power"

    def _get_beta_accumulators(self):
        """The variables of beta1 and beta2 to the power of the step."""
        from ..core import graph

        here = graph.outermost()
        return tuple(self._get_non_slot_variable(self._power_name(which), graph=here) for which in ("beta1", "beta2"))

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)  # the same for each order of the variables
        for which, beta in (("beta1", self._beta1), ("beta2", self._beta2)):
            self._create_non_slot_variable(self._call_if_callable(beta), self._power_name(which), first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _numbers(self):
        return {"lr": self._lr, "beta1": self._beta1, "beta2": self._beta2, "epsilon": self._epsilon}

    def _tensors_for(self, var):
        powers = [v if is_resource(v) else reference(v) for v in self._get_beta_accumulators()]
        return self._tensors | dict(zip(("beta1_power", "beta2_power"), powers))

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        values = {name: cast(t, var.dtype.base_dtype) for name, t in self._tensors_for(var).items()}
        one = cast(1.0, var.dtype.base_dtype)
        rate = values["lr"] * op("Sqrt")(one - values["beta2_power"]) / (one - values["beta1_power"])
        averages = []
        for slot, beta, new in (("m", values["beta1"], grad), ("v", values["beta2"], grad * grad)):
            average = self.get_slot(var, slot)
            decayed = average.assign(tensor.convert(average) * beta, use_locking=self._use_locking)
            with scopes.control_dependencies([decayed]):
                averages.append(scatter_add(average, indices, new * (one - beta)))
        m, v = averages
        return var.assign_sub(rate * m / (op("Sqrt")(v) + values["epsilon"]), use_locking=self._use_locking)

    def _apply_sparse(self, grad, var):
        def add(average, indices, rows):
            return op("ScatterAdd")(reference(average), indices, rows, use_locking=self._use_locking)

        return self._apply_sparse_shared(grad.values, var, grad.indices, add)

    def _resource_apply_sparse(self, grad, handle, indices):
        def add(average, indices, rows):
            done = op("ResourceScatterAdd")(average.handle, indices, rows)
            with scopes.control_dependencies([done]):
                return average.read_value()

        return self._apply_sparse_shared(grad, handle, indices, add)

    def _finish(self, update_ops, name_scope):
        from . import training_variables

        updates = [u for u in update_ops if u is not None]
        with scopes.control_dependencies(updates):
            for v, beta in zip(self._get_beta_accumulators(), ("beta1", "beta2")):
                power = tensor.convert(v) * cast(self._tensors[beta], v.dtype.base_dtype)
                updates.append(v.assign(power, use_locking=self._use_locking))
        return training_variables.group(updates, name_scope)
