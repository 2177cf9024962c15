"""Variables with a copy on each device of a strategy, which programs see as one.

Where a replica runs, or `update` runs a function for one device, the copy there is meant; elsewhere all are: reading gives the
first, or what the copies add up to, and an assignment goes to each. Checkpoints have one value.
"""

from __future__ import annotations

import weakref

from ..core import graph, operation, variables
from ..core.op_defs import op
from . import strategies
from .cross_device_ops import ReduceOp, copy_here
from .replica_values import DistributedValues, Mirrored, select_parts

_AGGREGATION = variables.VariableAggregation


class DistributedVariable(DistributedValues, variables.ResourceVariable):
    """What MirroredVariable and SyncOnReadVariable have in common. Made by variables under a strategy's scope."""

    def __init__(self, strategy, values, synchronization, aggregation):
        first = values[0]
        DistributedValues.__init__(self, values)
        self._settle(first.trainable, first.name, first.constraint, synchronization, aggregation)
        self._distribute_strategy = strategy
        for word in ("_name", "_dtype", "_shape", "_graph", "_unique_id", "_update_uid", "_initial_value", "_caching"):
            setattr(self, word, getattr(first, word, None))
        for v in values:
            v._distributed_container = weakref.ref(self)

    distribute_strategy = property(lambda self: self._distribute_strategy)
    name = property(lambda self: self._values[0].name)
    _handle = property(lambda self: self._here_only()._handle)
    _read = property(lambda self: self._here_only()._read)
    _is_initialized = property(lambda self: self._here_only()._is_initialized)

    @property
    def _initializer(self):
        from ..ops import control_flow_ops

        return None if self._graph is None else control_flow_ops.group([v.initializer for v in self._values])

    def is_distributed_variable(self):
        return True

    def _replica(self):
        """The replica whose copy is meant here, or None."""
        return strategies.replica_of(self._distribute_strategy)

    def _here_only(self):
        return self._values[self._replica() or 0]

    def _here(self):
        return self._here_only()._here()

    def _dense(self):
        return self.read_value()

    def read_value(self):
        """The value: of the copy that is meant, or of all."""
        return self._read_all() if self._replica() is None else self._here_only().read_value()

    def _read_all(self):
        return self._values[0].read_value()

    def is_initialized(self, name=None):
        """Whether all copies have a value: a scalar tensor."""
        made = self._values[0].is_initialized()
        for v in self._values[1:]:
            made = op("LogicalAnd")(made, v.is_initialized())
        return made

    # ---- writing

    def _each(self, change, given):
        """change(copy, its part of what is given) for each copy, on its device."""
        made = []
        for i, v in enumerate(self._values):
            with strategies.on_device(v.device):
                made.append(change(v, *select_parts(i, given)))
        if all(m is None for m in made):
            return None
        if graph.current() is None:
            return self
        if graph.current().building_function and not all(isinstance(m, operation.Operation) for m in made):
            return Mirrored(made)
        from ..ops import control_flow_ops

        return control_flow_ops.group([m if hasattr(m, "inputs") else m.op for m in made])

    def _in_replica(self, change, given):
        """The change where one replica asks for it: of all replicas' values, as the aggregation says."""
        if self._aggregation == _AGGREGATION.NONE:
            return change(self._here_only(), *given)

        def merged(strategy, values):
            return self._each(change, (self._aggregated(strategy, values[0]), *values[1:]))

        return strategies.get_replica_context().merge_call(merged, args=(given,))

    def _aggregated(self, strategy, value):
        if self._aggregation == _AGGREGATION.ONLY_FIRST_REPLICA:
            return select_parts(0, value)
        kind = ReduceOp.SUM if self._aggregation == _AGGREGATION.SUM else ReduceOp.MEAN
        return strategy.extended.reduce_to(kind, value, self)

    def _change(self, name, change, given):
        """One of the methods that write, `change(copy, *given)`. The first of what is given is the value."""
        if self._replica() is None:
            return self._each(change, given)
        if strategies.is_updating():
            return change(self._here_only(), *select_parts(self._replica(), given))
        return self._in_replica(change, given)

    def _assign(self, name, value, read_value, node_name=None):
        return self._change(name, lambda v, x: v._assign(name, x, read_value, node_name), (value,))

    def _scatter(self, name, slices):
        return self._change(name, lambda v, x: v._scatter(name, x), (slices,))

    def _scatter_nd(self, name, indices, updates):
        return self._change(name, lambda v, u, i: v._scatter_nd(name, i, u), (updates, indices))

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        """The same by batch: indices of the last axis of `indices`, within the batch that the others name."""
        return self._change("batch_scatter_update", lambda v, x: v.batch_scatter_update(x), (sparse_delta,))

    def _assign_slice(self, key, value):
        return self._change("assign", lambda v, x: v._assign_slice(key, x), (value,))

    # ---- copies

    def __deepcopy__(self, memo):
        made = type(self)(
            self._distribute_strategy,
            [v.__deepcopy__({}) for v in self._values],
            self._synchronization,
            self._aggregation,
        )
        memo[id(self)] = made
        return made

    def __repr__(self):
        return self._text(repr)

    __str__ = __repr__


class MirroredVariable(DistributedVariable, Mirrored):
    """Copies that are equal: what a replica assigns is put together, and assigned to all."""


class SyncOnReadVariable(DistributedVariable):
    """Copies that replicas change by themselves; who reads it outside gets their sum, mean, or the first."""

    def _read_all(self):
        if self._aggregation not in (_AGGREGATION.SUM, _AGGREGATION.MEAN):
            return self._values[0].read_value()
        kind = ReduceOp.SUM if self._aggregation == _AGGREGATION.SUM else ReduceOp.MEAN
        with strategies.on_device(self._values[0].device):
            return self._distribute_strategy.extended.reduced([v.read_value() for v in self._values], kind)

    def _in_replica(self, change, given):
        return change(self._here_only(), *given)

    def _change(self, name, change, given):
        if self._replica() is None and self._aggregation == _AGGREGATION.SUM:
            if name != "AssignVariableOp":
                called = {"AssignAddVariableOp": "assign_add", "AssignSubVariableOp": "assign_sub"}.get(name, name)
                raise ValueError(
                    f"SyncOnReadVariable does not support `{called}` in cross-replica context when aggregation is set to "
                    "`tf.VariableAggregation.SUM`."
                )
            n, value = self._distribute_strategy.num_replicas_in_sync, self._to_write(given[0])
            given = (op("RealDiv" if self._dtype.is_floating else "FloorDiv")(value, n),)
        return super()._change(name, change, given)


def make(strategy, devices, next_creator, kwargs):
    """A variable of a strategy. `next_creator(**kwargs)` makes a copy; those behind the first begin with its value."""
    synchronization = kwargs.get("synchronization") or variables.VariableSynchronization.AUTO
    aggregation = kwargs.get("aggregation") or _AGGREGATION.NONE
    copies = []
    for i, device in enumerate(devices):
        given = dict(kwargs)
        if i:
            first = copies[0]
            given["initial_value"] = (
                (lambda: first.read_value()) if first._graph is None else (lambda: copy_here(first.initial_value))
            )
            given["name"] = f"{kwargs.get('name') or 'Variable'}/replica_{i}"
            given["dtype"] = first.dtype
        with graph.init_scope(), strategies.on_device(device):
            copies.append(next_creator(**given))
    if synchronization is variables.VariableSynchronization.ON_READ:
        return SyncOnReadVariable(strategy, copies, synchronization, aggregation)
    return MirroredVariable(strategy, copies, variables.VariableSynchronization.ON_WRITE, aggregation)
