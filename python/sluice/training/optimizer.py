"""Optimizer, the base of compat.v1.train's: gradients of a loss, slots beside variables, and updates by gradients.

A subclass says which slots its variables have (`_create_slots`), makes tensors of its numbers (`_prepare`), and updates one
variable: `_apply_dense` and `_apply_sparse` a reference variable, `_resource_apply_dense` and `_resource_apply_sparse` one
with a handle.
"""

from __future__ import annotations

from ..compat import v1
from ..core import dtypes, graph, nest, scopes, tensor, trackable, variables
from ..core.gradient_tape import GradientTape, IndexedSlices
from ..core.op_defs import op
from . import training_variables

_FLOATS = ("float32", "float64", "float16", "bfloat16")


def cast(value, dtype):
    """The value as a tensor of the type."""
    t = tensor.convert(value, 0, dtypes.as_dtype(dtype).as_datatype_enum)
    return t if t.dtype.base_dtype == dtype else op("Cast")(t, DstT=dtype)


def is_resource(variable) -> bool:
    """Whether the library holds the variable under a handle, rather than as a reference."""
    return getattr(variable, "handle", None) is not None


def reference(variable):
    """What an update op takes of a reference variable."""
    return variable._ref() if hasattr(variable, "_ref") else variable


def sum_duplicates(values, indices):
    """Values and indices such that each index is there once: values of equal indices are added."""
    unique, position = op("Unique")(indices)
    count = op("StridedSlice")(op("Shape")(unique), [0], [1], [1], shrink_axis_mask=1)
    return op("UnsortedSegmentSum")(values, position, count), unique


def _key(variable):
    """A variable as a key that is the same for all objects of one variable."""
    if isinstance(getattr(variable, "handle", None), tensor.EagerTensor):
        return id(variable)
    return getattr(variable, "graph", None), variable.name.partition(":")[0]


class Optimizer(trackable.Trackable):
    """The base of optimizers. use_locking: whether updates of reference variables exclude each other; name: of slots and nodes.

    Eagerly a loss is a function without arguments; in a graph it is a tensor, or such a function.
    """

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    def __init__(self, use_locking, name):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking, self._name = use_locking, name
        self._slots: dict[str, dict] = {}
        self._slot_owners: dict = {}  # (slot name, key of the variable) -> the variable
        self._non_slot_dict: dict = {}  # (name, graph or None) -> variable
        self._slots_wanted: list = []  # restorations of checkpoints that have values for slots that are not there yet

    def get_name(self):
        return self._name

    # ---- gradients

    def minimize(
        self,
        loss,
        global_step=None,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        name=None,
        grad_loss=None,
    ):
        """Computes gradients of the loss and applies them; gives the operation that does it, and adds 1 to global_step."""
        grads_and_vars = self.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        if all(g is None for g, _ in grads_and_vars):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, between "
                f"variables {[str(v) for _, v in grads_and_vars]} and loss {loss}."
            )
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss,
        var_list=None,
        gate_gradients=GATE_OP,
        aggregation_method=None,
        colocate_gradients_with_ops=False,
        grad_loss=None,
    ):
        """A list of (gradient, variable); gradients of variables that the loss does not depend on are None.

        var_list: by default the trainable variables of the graph, or, of a loss that is a function, those it reads.
        """
        if callable(loss):
            with GradientTape() as tape:
                if var_list is not None:
                    tape.watch(var_list)
                value = loss()
                value = self._scale_loss(value)
            var_list = tape.watched_variables() if var_list is None else var_list
            var_list = _flat(var_list)
            with scopes.control_dependencies([value] if graph.current() is not None else None):
                gradients = tape.gradient(value, var_list, grad_loss)
            return list(zip(gradients, var_list))
        if scopes.executing_eagerly():
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            )
        loss = self._scale_loss(loss)
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not "
                f"{gate_gradients}"
            )
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        if var_list is None:
            var_list = v1.trainable_variables() + v1.get_collection(v1.GraphKeys.TRAINABLE_RESOURCE_VARIABLES)
        var_list = _flat(var_list)
        if not var_list:
            raise ValueError("No variables to optimize.")
        gradients = v1.gradients(
            loss,
            var_list,
            grad_ys=grad_loss,
            gate_gradients=gate_gradients == Optimizer.GATE_OP,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gate_gradients == Optimizer.GATE_GRAPH:
            gradients = _together(gradients)
        self._assert_valid_dtypes(
            [v for g, v in zip(gradients, var_list) if g is not None and v.dtype != dtypes.resource]
        )
        return list(zip(gradients, var_list))

    @staticmethod
    def _scale_loss(loss_value):
        """Where a strategy has several replicas, each has its part of the loss."""
        replicas = training_variables.replicas()
        return loss_value * (1.0 / replicas) if replicas > 1 else loss_value

    def _assert_valid_dtypes(self, tensors):
        valid = list(self._valid_dtypes())
        for t in tensors:
            dtype = t.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(f"Invalid type {dtype!r} for {t.name}, expected: {valid}.")

    def _valid_dtypes(self):
        return [dtypes.as_dtype(name) for name in _FLOATS]

    # ---- updates

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, skip_gradients_aggregation=False):
        """Updates variables by (gradient, variable) pairs; gives the operation that does it.

        ValueError when there is no gradient at all, TypeError when one is neither a tensor nor IndexedSlices.
        """
        pairs = [(_as_gradient(g), v) for g, v in grads_and_vars]
        if not pairs:
            raise ValueError("No variables provided.")
        var_list = [v for g, v in pairs if g is not None]
        if not var_list:
            raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.")
        with scopes.init_scope():
            self._create_slots(var_list)
        with training_variables.named(name, self._name) as scope:
            self._prepare()
            updates = []
            for g, v in pairs:
                if g is None:
                    continue
                name_here = training_variables.named("update_" + v.name.partition(":")[0].replace("/", "_"))
                with name_here, scopes.colocate_with(v):
                    updates.append(self._update(g, v))
            return self._finish_with_step(updates, global_step, scope)

    def _finish_with_step(self, updates, global_step, name):
        in_graph = graph.current() is not None
        if global_step is None:
            done = self._finish(updates, name)
        else:
            finished = self._finish(updates, "update")
            with scopes.control_dependencies([finished] if in_graph else None):
                done = training_variables.add_to(global_step, 1, name)
        if in_graph:
            done = done.op if isinstance(done, tensor.Tensor) else done
            training_variables.add_to_collection_once("train_op", done)
        return done

    def _update(self, gradient, variable):
        if isinstance(variable, tensor.Tensor):
            raise NotImplementedError("Trying to update a Tensor ", variable)
        constraint = getattr(variable, "constraint", None)
        if isinstance(gradient, IndexedSlices):
            if constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            if is_resource(variable):
                return self._resource_apply_sparse_duplicate_indices(gradient.values, variable, gradient.indices)
            return self._apply_sparse_duplicate_indices(gradient, variable)
        done = (self._resource_apply_dense if is_resource(variable) else self._apply_dense)(gradient, variable)
        if constraint is None:
            return done
        with scopes.control_dependencies([done] if done is not None else None):
            return variable.assign(constraint(variable))

    # ---- slots

    def variables(self):
        """Slots, and other variables that belong to no variable; of a graph, those of the current one."""
        here = graph.outermost()
        if here is None:
            found = [v for _, v in sorted(self._non_slot_dict.items(), key=lambda item: item[0][0])]
            found += [v for slots in self._slots.values() for v in slots.values()]
        else:
            found = [v for v in self._non_slot_variables() if _in_graph(v, here)]
            found += [v for slots in self._slots.values() for v in slots.values() if _in_graph(v, here)]
        return sorted(found, key=lambda v: v.name)

    def _non_slot_variables(self):
        return list(self._non_slot_dict.values())

    def get_slot(self, var, name):
        """The slot of that name of the variable, or None."""
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self):
        return sorted(self._slots)

    def _slot_dict(self, slot_name):
        return self._slots.setdefault(slot_name, {})

    def _add_slot(self, var, slot_name, make):
        named = self._slot_dict(slot_name)
        key = _key(var)
        if key not in named:
            named[key] = make()
            self._slot_owners[slot_name, key] = var
            self._restore_slot_variable(slot_name, var, named[key])
        return named[key]

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        """The slot, made with this value when there is none."""
        return self._add_slot(var, slot_name, lambda: training_variables.slot(var, op_name, val))

    def _get_or_make_slot_with_initializer(self, var, initializer, shape, dtype, slot_name, op_name):
        """The same with an initializer(shape, dtype) that gives the value."""
        return self._add_slot(
            var, slot_name, lambda: training_variables.slot(var, op_name, initializer, shape=shape, dtype=dtype)
        )

    def _zeros_slot(self, var, slot_name, op_name):
        """The same with zeros."""
        return self._add_slot(var, slot_name, lambda: training_variables.zeros_slot(var, op_name))

    def _create_non_slot_variable(self, initial_value, name, colocate_with):
        """A variable of the optimizer itself, of the kind of `colocate_with`."""
        key = name, getattr(colocate_with, "graph", None) if graph.outermost() is not None else None
        found = self._non_slot_dict.get(key)
        if found is None:
            with scopes.colocate_with(colocate_with):
                found = self._non_slot_dict[key] = training_variables.variable_here(
                    initial_value, name, is_resource(colocate_with)
                )
            self._track_trackable(found, name, overwrite=True)
        return found

    def _get_non_slot_variable(self, name, graph=None):
        return self._non_slot_dict.get((name, graph))

    def _restore_slot_variable(self, slot_name, variable, slot_variable):
        """A checkpoint that was read before the slot was made gives it its value."""
        for restoration in self._slots_wanted:
            restoration.slot_made()

    # ---- what a subclass says

    def _create_slots(self, var_list):
        """Makes the slots of these variables."""

    def _prepare(self):
        """Makes tensors of the optimizer's numbers, once for all variables."""

    def _apply_dense(self, grad, var):
        raise NotImplementedError()

    def _resource_apply_dense(self, grad, handle):
        raise NotImplementedError()

    def _apply_sparse(self, grad, var):
        raise NotImplementedError()

    def _resource_apply_sparse(self, grad, handle, indices):
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad, var):
        """Adds rows of equal indices, then `_apply_sparse`."""
        values, indices = sum_duplicates(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        """Adds rows of equal indices, then `_resource_apply_sparse`."""
        values, unique = sum_duplicates(grad, indices)
        return self._resource_apply_sparse(values, handle, unique)

    def _finish(self, update_ops, name_scope):
        """What is done after the updates; gives the operation that stands for all."""
        return training_variables.group(update_ops, name_scope)

    def _call_if_callable(self, param):
        return param() if callable(param) else param


def _flat(var_list):
    return nest.flatten(list(var_list) if not isinstance(var_list, dict) else var_list)


def _in_graph(variable, here):
    return getattr(variable, "graph", here) is here


def _as_gradient(g):
    if g is None or isinstance(g, (tensor.Tensor, IndexedSlices)):
        return g
    if isinstance(g, variables.Variable) or hasattr(g, "__array__") or isinstance(g, (int, float, list, tuple)):
        return tensor.convert(g)
    raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {g}")


def _together(gradients):
    """The same gradients, none of which is there before all are."""
    flat = [
        t for g in gradients if g is not None for t in ((g.values, g.indices) if isinstance(g, IndexedSlices) else (g,))
    ]
    with scopes.control_dependencies(flat):
        waited = iter([op("Identity")(t) for t in flat])
    return [
        None
        if g is None
        else IndexedSlices(next(waited), next(waited), g.dense_shape)
        if isinstance(g, IndexedSlices)
        else next(waited)
        for g in gradients
    ]
