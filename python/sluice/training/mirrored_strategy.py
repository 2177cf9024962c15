"""tf.distribute.MirroredStrategy: the same step on several devices, each with a part of the batch and copies of the variables."""

from __future__ import annotations

import contextlib

from ..core import device_spec, graph, nest, scopes
from ..ops import array_ops, control_flow_ops, math_ops
from . import distributed_datasets, mirrored_run, mirrored_variables, strategies
from .cross_device_ops import CrossDeviceOps, ReduceOp, ReductionToOneDevice, reduce_op_of, reduce_values
from .replica_values import DistributedValues, PerReplica, regroup, select_parts


def _full_names(devices):
    """Canonical names of devices. ValueError for what is none; AssertionError when one comes twice."""
    of_host = device_spec.DeviceSpec(job="localhost", replica=0, task=0)
    made = tuple(of_host.make_merged_spec(device_spec.DeviceSpec.from_string(_as_name(d))).to_string() for d in devices)
    if len(set(made)) != len(made):
        raise AssertionError(f"No duplicates allowed in `devices` argument: {made}")
    return made


def _as_name(device):
    text = str(getattr(device, "name", device))
    if text.startswith("/"):
        return text
    return f"/device:{text}"


class MirroredExtended(strategies.StrategyExtended):
    """What library code asks a MirroredStrategy."""

    def __init__(self, strategy, devices, cross_device_ops):
        super().__init__(strategy, devices[0])
        self._devices, self._cross_device_ops = devices, cross_device_ops

    worker_devices = property(lambda self: self._devices)
    parameter_devices = worker_devices
    _num_replicas_in_sync = property(lambda self: len(self._devices))

    def _in_multi_worker_mode(self):
        """What Keras asks: there is one worker."""
        return False

    # ---- variables

    def create_variable(self, next_creator, **kwargs):
        """What makes the variables in the strategy's scope, and in its replicas."""
        context = strategies.get_replica_context()
        if isinstance(context, mirrored_run.MirroredReplicaContext) and context.strategy is self._strategy:
            return context._replica.variable(next_creator, kwargs)
        return self.make_variable(next_creator, kwargs)

    def make_variable(self, next_creator, kwargs):
        """A variable with a copy on each device."""
        return mirrored_variables.make(self._strategy, self._devices, next_creator, kwargs)

    def variable_created_in_scope(self, v):
        """Whether a variable is this strategy's."""
        return getattr(v, "distribute_strategy", None) is self._strategy

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable):
        """Variables made within have copies where those of another one are: on the same devices."""
        yield

    def update(self, var, fn, args=(), kwargs=None, group=True):
        """fn(copy of var, ...) for each device, with what belongs there of the arguments."""
        if not isinstance(var, DistributedValues):
            return fn(var, *args, **(kwargs or {}))
        made = []
        for i, copy in enumerate(var.values):
            with strategies.updating(self._strategy, i), scopes.device(copy.device or self._devices[i]):
                made.append(fn(copy, *select_parts(i, args), **select_parts(i, kwargs or {})))
        return self._grouped(made) if group else regroup(made)

    def update_non_slot(self, colocate_with, fn, args=(), kwargs=None, group=True):
        """fn(...) on each of these devices."""
        made = []
        for i, device in enumerate(self._devices):
            with strategies.updating(self._strategy, i), scopes.device(device):
                made.append(fn(*select_parts(i, args), **select_parts(i, kwargs or {})))
        return self._grouped(made) if group else regroup(made)

    @staticmethod
    def _grouped(made):
        if graph.current() is None:
            return None
        return control_flow_ops.group([m for m in nest.flatten(made) if m is not None])

    # ---- values

    def reduce_to(self, reduce_op, value, destinations, options=None):
        """The sum or mean of a PerReplica, where the destinations are."""
        if len(self._devices) == 1 and not isinstance(value, DistributedValues):
            return value  # one replica's values stand for themselves
        return self._cross_device_ops.reduce(reduce_op, value, destinations, options)

    def reduced(self, values, kind):
        """The sum or mean of one value of each replica, on the device that is in scope."""
        return reduce_values(kind, values)

    def replica_number(self, i):
        """The number that the replica on device i has among all."""
        return i

    def all_reduced(self, kind, whole):
        """A structure of PerReplica values, reduced, with a copy for each replica. What the replicas share stays as it is."""
        devices = list(self._devices)
        return nest.map_structure(
            lambda v: self.reduce_to(kind, v, devices) if isinstance(v, DistributedValues) else v, whole
        )

    def gather_to_all(self, whole, axis):
        """A structure of PerReplica values, each one behind the other along an axis, with a copy for each replica."""
        cross = CrossDeviceOps()
        return nest.map_structure(lambda v: cross.broadcast(self.gathered(v, axis), list(self._devices)), whole)

    def gathered(self, value, axis):
        """What the replicas have, one behind the other along an axis."""
        if not isinstance(value, DistributedValues):
            return value
        with scopes.device(self._devices[0]):
            return array_ops.concat(list(value.values), axis)

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        """fn in each replica."""
        return mirrored_run.run(self._strategy, fn, args, kwargs or {})


class MirroredStrategy(strategies.Strategy):
    """The same step on several devices of this process, in step with each other.

    Variables that are made in its scope have a copy on each device; `run` runs a function once for each replica; gradients that
    replicas add up by all_reduce, as optimizers do, are added in the order of the replicas. devices: names, by default all GPUs, or
    all logical CPUs. cross_device_ops: how sums are made.

        strategy = tf.distribute.MirroredStrategy()
        with strategy.scope():
            w = tf.Variable(2.0)
        strategy.run(lambda: w + 1.0)
    """

    def __init__(self, devices=None, cross_device_ops=None):
        from ..platform import config

        if not devices:
            found = config.list_logical_devices("GPU") or config.list_logical_devices("CPU")
            devices = [d.name for d in found]
        if isinstance(devices, str):
            devices = [devices]
        super().__init__(MirroredExtended(self, _full_names(devices), cross_device_ops or ReductionToOneDevice()))

    num_replicas_in_sync = property(lambda self: len(self._extended.worker_devices))

    def run(self, fn, args=(), kwargs=None, options=None):
        """fn(*args, **kwargs) in each replica, on its device, with its part of PerReplica arguments.

        Gives fn's results, as PerReplica values where they differ by replica. RuntimeError within a replica.
        """
        if not callable(fn):
            raise TypeError(f"{type(fn).__name__!r} object is not callable")
        self._check_that_no_replica_runs()
        with self.scope():
            return mirrored_run.run(self, strategies.converted(fn), args, kwargs or {})

    experimental_run_v2 = run

    def _check_that_no_replica_runs(self):
        if strategies.replica_of(self) is not None:
            raise RuntimeError("Method requires being in cross-replica context, use get_replica_context().merge_call()")

    def reduce(self, reduce_op, value, axis):
        """The sum or mean of PerReplica values over replicas, and along an axis, unless that is None, of all that they have.

        ValueError: the sum of a value that does not differ by replica. RuntimeError within a replica.
        """
        self._check_that_no_replica_runs()
        kind = reduce_op_of(reduce_op)
        if axis is None:
            return nest.map_structure(
                lambda v: self._extended.reduce_to(kind, v, self._extended.worker_devices[0]), value
            )
        axes = list(axis) if isinstance(axis, (list, tuple)) else axis
        return nest.map_structure(lambda v: self._reduced_along(kind, v, axes), value)

    def _reduced_along(self, kind, value, axis):
        parts = value.values if isinstance(value, DistributedValues) else (value,)
        sums, counts = [], []
        for i, part in enumerate(parts):
            with scopes.device(self._extended.worker_devices[i]):
                part = array_ops.convert_to_tensor(part)
                sums.append(math_ops.reduce_sum(part, axis))
                counts.append(math_ops.reduce_prod(array_ops.gather(array_ops.shape(part), axis)))
        total = self._extended.reduce_to(ReduceOp.SUM, PerReplica(sums), self._extended.worker_devices[0])
        if kind is ReduceOp.SUM:
            return total
        count = self._extended.reduce_to(ReduceOp.SUM, PerReplica(counts), self._extended.worker_devices[0])
        return total / math_ops.cast(count, total.dtype)

    def gather(self, value, axis):
        """What the replicas have, one behind the other along an axis. RuntimeError within a replica."""
        self._check_that_no_replica_runs()
        return nest.map_structure(lambda v: self._extended.gathered(v, axis), value)

    def experimental_local_results(self, value):
        """The values of this process' replicas, a tuple of structures."""
        if any(isinstance(v, DistributedValues) for v in nest.flatten(value)):
            return tuple(select_parts(i, value) for i in range(len(self._extended.worker_devices)))
        return (value,)

    def unwrap(self, value):
        return list(self.experimental_local_results(value))

    def experimental_distribute_dataset(self, dataset, options=None):
        """A dataset of batches as one whose elements give each replica its part: rows in order, the first replicas one more."""
        return distributed_datasets.of_batches(dataset, self.num_replicas_in_sync)

    def distribute_datasets_from_function(self, dataset_fn, options=None):
        """dataset_fn(InputContext) gives a dataset of batches of one replica; the replicas take them in turn."""
        context = strategies.InputContext(1, 0, self.num_replicas_in_sync)
        return distributed_datasets.of_turns(dataset_fn(context), self.num_replicas_in_sync)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn):
        """value_fn(ValueContext) for each replica of this process, as PerReplica values."""
        n, number = self.num_replicas_in_sync, self._extended.replica_number
        return regroup(
            [value_fn(strategies.ValueContext(number(i), n)) for i in range(len(self._extended.worker_devices))]
        )

    def make_dataset_iterator(self, dataset):
        return iter(self.experimental_distribute_dataset(dataset))
