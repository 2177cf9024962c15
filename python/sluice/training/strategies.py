"""tf.distribute where there is one device: strategies that run a program as it is, with the calls that programs make.

There is no strategy of several devices yet: asking for one is a NotImplementedError.
"""

from __future__ import annotations

import contextlib
import enum
import threading

from ..core import nest, scopes


class ReduceOp(enum.Enum):
    """How values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


class _Scopes(threading.local):
    def __init__(self):
        self.strategies: list[Strategy] = []
        self.replicas: list[ReplicaContext] = []


_scopes = _Scopes()


class ReplicaContext:
    """What a function that a strategy runs can ask: it is replica 0 of 1."""

    def __init__(self, strategy, replica_id_in_sync_group=0):
        self._strategy, self._id = strategy, replica_id_in_sync_group

    strategy = property(lambda self: self._strategy)
    replica_id_in_sync_group = property(lambda self: self._id)
    num_replicas_in_sync = property(lambda self: 1)
    devices = property(lambda self: self._strategy.extended.worker_devices)

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """Calls merge_fn(strategy, ...) for all replicas."""
        with _in_replica(None):
            return merge_fn(self._strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op, value, options=None):
        """The value, which is all there is."""
        _reduce_op(reduce_op)
        return value

    def all_gather(self, value, axis, options=None):
        return value

    def __enter__(self):
        _scopes.replicas.append(self)
        return self

    def __exit__(self, *exception):
        _scopes.replicas.pop()


@contextlib.contextmanager
def _in_replica(context):
    _scopes.replicas.append(context)
    try:
        yield context
    finally:
        _scopes.replicas.pop()


def _reduce_op(value):
    return value if isinstance(value, ReduceOp) else ReduceOp(str(value).upper().removeprefix("REDUCEOP."))


class StrategyExtended:
    """What library code asks a strategy: the devices, and where variables are."""

    def __init__(self, strategy, device):
        self._strategy, self._device = strategy, device

    worker_devices = property(lambda self: (self._device or "/job:localhost/replica:0/task:0/device:CPU:0",))
    parameter_devices = worker_devices
    _num_replicas_in_sync = property(lambda self: 1)

    def variable_created_in_scope(self, v):
        return True

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable):
        with scopes.colocate_with(colocate_with_variable):
            yield

    def update(self, var, fn, args=(), kwargs=None, group=True):
        """fn(var, ...), which changes it."""
        return fn(var, *args, **(kwargs or {}))

    def reduce_to(self, reduce_op, value, destinations, options=None):
        return value

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None):
        return [value for value, _ in value_destination_pairs]

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        return self._strategy.run(fn, args, kwargs)


class Strategy:
    """Runs a program on one device. `with strategy.scope()`: variables and functions are the strategy's."""

    def __init__(self, extended=None):
        self._device = None
        self._extended = extended or StrategyExtended(self, None)

    extended = property(lambda self: self._extended)
    num_replicas_in_sync = property(lambda self: 1)
    cluster_resolver = property(lambda self: None)

    @contextlib.contextmanager
    def scope(self):
        _scopes.strategies.append(self)
        try:
            with _in_replica(None), scopes.device(self._device) if self._device else contextlib.nullcontext():
                yield self
        finally:
            _scopes.strategies.pop()

    def run(self, fn, args=(), kwargs=None, options=None):
        """fn(*args, **kwargs), in the one replica."""
        _scopes.strategies.append(self)
        try:
            with ReplicaContext(self), scopes.device(self._device) if self._device else contextlib.nullcontext():
                return fn(*args, **(kwargs or {}))
        finally:
            _scopes.strategies.pop()

    experimental_run_v2 = run

    def experimental_run(self, fn, input_iterator=None):
        """fn(), or fn of what the iterator gives next."""
        return self.run(fn, args=() if input_iterator is None else (input_iterator.get_next(),))

    def reduce(self, reduce_op, value, axis=None):
        """The value; along an axis its sum or mean."""
        kind = _reduce_op(reduce_op)
        if axis is None:
            return value
        from ..ops import math_ops

        reduce = math_ops.reduce_sum if kind is ReduceOp.SUM else math_ops.reduce_mean
        return nest.map_structure(lambda v: reduce(v, axis), value)

    def gather(self, value, axis):
        return value

    def unwrap(self, value):
        return [value]

    def experimental_local_results(self, value):
        """The values of the replicas: a tuple of one."""
        return (value,)

    def experimental_distribute_dataset(self, dataset, options=None):
        return dataset

    def distribute_datasets_from_function(self, dataset_fn, options=None):
        return dataset_fn(InputContext())

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn):
        return value_fn(ValueContext())

    def make_dataset_iterator(self, dataset):
        return dataset.make_initializable_iterator() if not scopes.executing_eagerly() else iter(dataset)

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        """One device needs no configuration."""

    def update_config_proto(self, config_proto):
        return config_proto

    def __deepcopy__(self, memo):
        return self


class InputContext:
    """Which part of the input a function is to make: all of it."""

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1):
        self.num_input_pipelines, self.input_pipeline_id = num_input_pipelines, input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size):
        """ValueError when the replicas cannot share it."""
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by `num_replicas_in_sync` "
                f"{self.num_replicas_in_sync!r}"
            )
        return global_batch_size // self.num_replicas_in_sync


class ValueContext:
    """Which replica a value is for."""

    def __init__(self, replica_id_in_sync_group=0, num_replicas_in_sync=1):
        self.replica_id_in_sync_group, self.num_replicas_in_sync = replica_id_in_sync_group, num_replicas_in_sync


class _OneDevice(Strategy):
    def __init__(self, device):
        super().__init__()
        self._device = device
        self._extended = StrategyExtended(self, device)


class OneDeviceStrategy(_OneDevice):
    """All on one device."""

    def __init__(self, device):
        super().__init__(device)


class MirroredStrategy(_OneDevice):
    """All on one device, which is given, or the first GPU, or the CPU. NotImplementedError for several."""

    def __init__(self, devices=None, cross_device_ops=None):
        from ..platform import config

        if devices is None:
            devices = [d.name for d in config.list_logical_devices("GPU")] or ["/device:CPU:0"]
        if len(devices) > 1:
            raise NotImplementedError(f"tf.distribute.MirroredStrategy of several devices: {list(devices)}")
        super().__init__(devices[0])


_default = Strategy()


def get_strategy():
    """The strategy in scope, or the default one."""
    return _scopes.strategies[-1] if _scopes.strategies else _default


def has_strategy() -> bool:
    """Whether a strategy is in scope."""
    return bool(_scopes.strategies)


def get_replica_context():
    """The replica that runs here; None within `scope()`, where all are meant."""
    return _scopes.replicas[-1] if _scopes.replicas else ReplicaContext(_default)


def in_cross_replica_context() -> bool:
    """Whether no replica runs here, but what coordinates them."""
    return get_replica_context() is None


def experimental_set_strategy(strategy):
    """Puts a strategy in scope to stay; None ends that."""
    if _scopes.strategies:
        _scopes.strategies.pop()
        _scopes.replicas.pop()
    if strategy is not None:
        _scopes.strategies.append(strategy)
        _scopes.replicas.append(None)


def strategy_supports_no_merge_call() -> bool:
    """Whether a replica may do what a step does across replicas: there is one replica."""
    return True


def maybe_merge_call(fn, strategy, *args, **kwargs):
    """fn(strategy, ...) where it is called."""
    return fn(strategy, *args, **kwargs)
