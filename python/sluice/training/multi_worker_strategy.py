"""tf.distribute.MultiWorkerMirroredStrategy: the same step in several processes, which add up gradients by collectives.

Each worker runs the program by itself; its replicas are those of a MirroredStrategy over its devices. What replicas of all
workers make together goes first over the devices of each process, in their order, then over the workers, in the order of
their ranks: every worker has the same bits. With one worker it is a MirroredStrategy.
"""

from __future__ import annotations

from ..core import nest, scopes, tensor
from ..core.indexed_slices import IndexedSlices
from ..ops import array_ops, math_ops
from . import distributed_datasets, mirrored_variables, strategies
from .cluster_resolvers import CommunicationImplementation, CommunicationOptions, TFConfigClusterResolver
from .collective_group import CollectiveGroup
from .cross_device_ops import CrossDeviceOps, ReduceOp, plain_reduced, reduce_op_of, reduce_values
from .mirrored_strategy import MirroredExtended, MirroredStrategy
from .replica_values import DistributedValues, Mirrored, PerReplica


class _WorkersExtended(MirroredExtended):
    """What library code asks such a strategy of several workers."""

    def __init__(self, strategy, devices, group):
        super().__init__(strategy, devices, CrossDeviceOps())
        self._group = group

    _num_replicas_in_sync = property(lambda self: len(self._devices) * self._group.n)
    _is_chief = property(lambda self: self._group.rank == 0)
    should_checkpoint = should_save_summary = experimental_should_init = _is_chief
    experimental_between_graph = True

    def _in_multi_worker_mode(self):
        return True

    def replica_number(self, i):
        return self._group.rank * len(self._devices) + i

    # ---- variables begin with the first worker's value

    def make_variable(self, next_creator, kwargs):
        def create(**given):
            return next_creator(**{**given, "initial_value": self._of_first(given)})

        return mirrored_variables.make(self._strategy, self._devices, create, kwargs)

    def _of_first(self, given):
        """A function for the value that the first worker's variable begins with."""
        initial, dtype = given.get("initial_value"), given.get("dtype")

        def value():
            own = initial() if callable(initial) else initial
            own = tensor.convert(own) if dtype is None else array_ops.convert_to_tensor(own, dtype)
            sent = self._group.of_first(own, own.shape, own.dtype)
            return own if sent is None else sent

        return value

    # ---- values

    def reduced(self, values, kind):
        return self._over_workers([reduce_values(ReduceOp.SUM, values)], kind)[0]

    def _over_workers(self, sums, kind):
        """The sums or means of all replicas, of what each worker's replicas add up to."""
        made = self._group.sums(sums)
        return [_divided(v, self._num_replicas_in_sync) for v in made] if kind is ReduceOp.MEAN else made

    def _local_sum(self, value):
        if isinstance(value, DistributedValues):
            return reduce_values(ReduceOp.SUM, value.values)
        if len(self._devices) > 1:
            return plain_reduced(ReduceOp.SUM, value)
        return value if isinstance(value, IndexedSlices) else reduce_values(ReduceOp.SUM, [value])

    def _together(self, kind, values):
        """Values of replicas, reduced over all of all workers: here, on the first device."""
        made = list(values)
        places = [i for i, v in enumerate(values) if not (kind is ReduceOp.MEAN and isinstance(v, Mirrored))]
        with scopes.device(self._devices[0]):
            sums = self._over_workers([self._local_sum(values[i]) for i in places], kind)
        for i, v in zip(places, sums):
            made[i] = v
        return made

    def reduce_to(self, reduce_op, value, destinations, options=None):
        return self.batch_reduce_to(reduce_op, [(value, destinations)])[0]

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None):
        pairs = list(value_destination_pairs)
        made = self._together(reduce_op_of(reduce_op), [v for v, _ in pairs])
        if len(self._devices) == 1:
            return made
        return [
            v if isinstance(v, Mirrored) else self._cross_device_ops.broadcast(v, destinations)
            for v, (_, destinations) in zip(made, pairs)
        ]

    def all_reduced(self, kind, whole):
        leaves = nest.flatten(whole)
        return nest.pack_sequence_as(whole, self.batch_reduce_to(kind, [(v, list(self._devices)) for v in leaves]))

    def gathered(self, value, axis):
        here = super().gathered(value, axis)
        with scopes.device(self._devices[0]):
            return self._group.concat(array_ops.convert_to_tensor(here), axis)


def _divided(value, n):
    if isinstance(value, IndexedSlices):
        return IndexedSlices(value.values / n, value.indices, value.dense_shape)
    return value / n


class MultiWorkerMirroredStrategy(MirroredStrategy):
    """The same step on the devices of several processes, the workers, in step with each other.

    cluster_resolver: says which tasks there are and which this one is, by default TF_CONFIG: all tasks of the jobs `chief` and
    `worker`. The devices are the worker's GPUs, or its first CPU. communication_options: `timeout_seconds` ends what waits for
    a worker with DeadlineExceededError. Making the strategy waits for all workers. A worker that dies ends what the others
    wait for with UnavailableError.

    least_workers: the strategy is elastic: when not all workers have come wait_seconds after the first of them, it is made with
    those that have, if they are so many; where others are silent, not known to have ended, only with a majority. Replicas,
    their numbers, means and parts of datasets are then those of the workers that are there. When one of these goes, the others hear UnavailableError or
    AbortedError, make the strategy anew and restore a checkpoint. A worker that comes back waits in making its strategy until the
    others have called `check_members`. A program has one elastic strategy at a time.
    """

    def __init__(self, cluster_resolver=None, communication_options=None, *, least_workers=None, wait_seconds=30.0):
        from ..platform import config

        self._cluster_resolver = cluster_resolver or TFConfigClusterResolver()
        devices = [d.name.rpartition("/")[2] for d in config.list_logical_devices("GPU")] or ["device:CPU:0"]
        spec, task_type, task_id = _place(self._cluster_resolver)
        self._group = None
        if sum(spec.num_tasks(job) for job in ("chief", "worker") if job in spec.jobs) > 1:
            timeout = (communication_options or CommunicationOptions()).timeout_seconds
            self._group = CollectiveGroup(spec, task_type, task_id, timeout, least_workers, wait_seconds)
            devices = [f"job:{task_type}/replica:0/task:{task_id}/{d}" for d in devices]
        super().__init__(["/" + d for d in devices])
        if self._group is not None:
            self._extended = _WorkersExtended(self, self._extended.worker_devices, self._group)

    cluster_resolver = property(lambda self: self._cluster_resolver)
    num_replicas_in_sync = property(lambda self: self._extended._num_replicas_in_sync)

    def check_members(self):
        """To be called by all workers of an elastic strategy when a checkpoint has been saved: raises AbortedError, at all of
        them, when another worker waits to take part. Then all make the strategy anew, and restore that checkpoint."""
        if self._group is not None:
            self._group.check()

    def _reduced_along(self, kind, value, axis):
        if self._group is None:
            return super()._reduced_along(kind, value, axis)
        parts = value.values if isinstance(value, DistributedValues) else (value,)
        parts = [array_ops.convert_to_tensor(p) for p in parts]
        if all(p.shape.rank == 0 for p in parts):  # as Keras asks of losses: a scalar is one element
            return self._extended._together(kind, [PerReplica(parts)])[0]
        sums = PerReplica([math_ops.reduce_sum(p, axis) for p in parts])
        total = self._extended._together(ReduceOp.SUM, [sums])[0]
        if kind is ReduceOp.SUM:
            return total
        counts = PerReplica([math_ops.reduce_prod(array_ops.gather(array_ops.shape(p), axis)) for p in parts])
        return total / math_ops.cast(self._extended._together(ReduceOp.SUM, [counts])[0], total.dtype)

    def experimental_distribute_dataset(self, dataset, options=None):
        """A dataset of batches of all replicas as one of this worker's parts of them: the files, or the batches, are divided
        among the workers as the dataset's `auto_shard_policy` says."""
        if self._group is None or isinstance(dataset, distributed_datasets.DistributedDataset):
            return super().experimental_distribute_dataset(dataset)
        return distributed_datasets.of_workers(dataset, self._group, len(self._extended.worker_devices))

    def distribute_datasets_from_function(self, dataset_fn, options=None):
        """dataset_fn(InputContext) gives this worker's dataset of batches of one replica."""
        if self._group is None:
            return super().distribute_datasets_from_function(dataset_fn)
        context = strategies.InputContext(self._group.n, self._group.rank, self.num_replicas_in_sync)
        n = len(self._extended.worker_devices)
        return distributed_datasets.of_worker_turns(dataset_fn(context), self._group, n)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function


def _place(resolver):
    """(the cluster, the job of this task, its number): ("worker", 0) where nobody says."""
    spec = resolver.cluster_spec()
    known = [job for job in ("chief", "worker") if job in spec.jobs]
    if spec and not known:
        raise ValueError(f"A MultiWorkerMirroredStrategy needs a job `worker` or `chief`; the cluster has {spec.jobs}")
    task_type = resolver.task_type or (known[0] if known else "worker")
    if known and task_type not in known:
        raise ValueError(f"This task is of job {task_type!r}, which is neither `chief` nor `worker`")
    return spec, task_type, int(resolver.task_id or 0)


class MultiWorkerMirroredStrategyWithCommunication(MultiWorkerMirroredStrategy):
    """The same, as it was when the way of communicating was its first argument."""

    def __init__(self, communication=CommunicationImplementation.AUTO, cluster_resolver=None):
        super().__init__(cluster_resolver, CommunicationOptions(implementation=communication))
