"""tf.distribute: which strategy is in scope, which replica runs, and the strategies of one device.

Strategies of several devices are in mirrored_strategy.py.
"""

from __future__ import annotations

import contextlib
import threading

from ..core import graph, nest, scopes, variables
from .cross_device_ops import CrossDeviceOps, ReduceOp, reduce_op_of


class _Scopes(threading.local):
    def __init__(self):
        self.strategies: list[Strategy] = []
        self.replicas: list[ReplicaContext] = []
        self.held = None  # the scope that experimental_set_strategy has entered
        self.updating = None  # (strategy, the number of the device) while `update` runs a function


_scopes = _Scopes()


class ReplicaContext:
    """What a function that a strategy runs can ask: which replica it is. In strategies of one device it is replica 0 of 1."""

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
        reduce_op_of(reduce_op)
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


@contextlib.contextmanager
def entered(strategy, context):
    """A replica of a strategy of several, in a thread of its own."""
    _scopes.strategies, _scopes.replicas = [strategy], [context]
    variables.replica.key, variables.replica.reduced = (strategy, context._id), []
    try:
        yield
    finally:
        _scopes.strategies, _scopes.replicas = [], []
        variables.replica.key, variables.replica.reduced = None, ()


@contextlib.contextmanager
def updating(strategy, number):
    """A function that `update` runs for one device."""
    before, key = _scopes.updating, variables.replica.key
    _scopes.updating, variables.replica.key = (strategy, number), (strategy, number)
    try:
        yield
    finally:
        _scopes.updating, variables.replica.key = before, key


def is_updating() -> bool:
    """Whether `update` runs a function for one device."""
    return _scopes.updating is not None


def replica_of(strategy):
    """The number of the replica of a strategy that runs here, or of the device that is updated; None: neither."""
    if _scopes.updating is not None:
        return _scopes.updating[1] if _scopes.updating[0] is strategy else None
    context = _scopes.replicas[-1] if _scopes.replicas else None
    return context._id if context is not None and context._strategy is strategy else None


def on_device(device):
    """Ops within run there; empty: where they like."""
    return scopes.device(device) if device else contextlib.nullcontext()


def converted(fn):
    """The function as AutoGraph has it, where a tf.function with AutoGraph is traced."""
    g = graph.current()
    while g is not None and getattr(g, "owner", None) is None:
        g = getattr(g, "outer", None)
    if g is None or not g.owner._autograph or getattr(g.owner._python_function, "_autograph_left_alone", False):
        return fn
    from ..conversion import calls

    return calls.convert_top(fn)


class StrategyExtended:
    """What library code asks a strategy: the devices, and where variables are."""

    def __init__(self, strategy, device):
        self._strategy, self._device = strategy, device

    create_variable = None  # how variables are made in the strategy's scope, where it makes them itself
    experimental_should_init = should_checkpoint = should_save_summary = _global_batch_size = True
    experimental_between_graph = experimental_require_static_shapes = False

    worker_devices = property(lambda self: (self._device or "/job:localhost/replica:0/task:0/device:CPU:0",))
    parameter_devices = worker_devices
    _num_replicas_in_sync = property(lambda self: 1)
    experimental_require_static_shapes = experimental_between_graph = False
    should_checkpoint = should_save_summary = experimental_should_init = True

    def variable_created_in_scope(self, v):
        return True

    def _in_multi_worker_mode(self):
        return False

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable):
        with scopes.colocate_with(colocate_with_variable):
            yield

    def update(self, var, fn, args=(), kwargs=None, group=True):
        """fn(var, ...), which changes it; without `group` what it gives as lists of the replicas' results."""
        return self._results(fn(var, *args, **(kwargs or {})), group)

    def update_non_slot(self, colocate_with, fn, args=(), kwargs=None, group=True):
        """The same for what changes variables that belong to no other one."""
        return self._results(fn(*args, **(kwargs or {})), group)

    def _results(self, made, group):
        return made if group else nest.map_structure(self._strategy.experimental_local_results, made)

    def reduce_to(self, reduce_op, value, destinations, options=None):
        return value

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None):
        return [self.reduce_to(reduce_op, value, destinations) for value, destinations in value_destination_pairs]

    def broadcast_to(self, tensor, destinations):
        return CrossDeviceOps().broadcast(tensor, destinations)

    def read_var(self, v):
        return v.read_value()

    def non_slot_devices(self, var_list):
        return self.worker_devices

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        return self._strategy.run(fn, args, kwargs)


class Strategy:
    """Runs a program on one device. `with strategy.scope()`: variables and functions are the strategy's."""

    def __init__(self, extended=None):
        self._device = None
        self._extended = extended or StrategyExtended(self, None)

    _should_use_with_coordinator = False  # steps run here, not by tf.distribute.coordinator

    extended = property(lambda self: self._extended)
    num_replicas_in_sync = property(lambda self: 1)
    cluster_resolver = property(lambda self: None)

    @contextlib.contextmanager
    def scope(self):
        """Within it variables are the strategy's, and no replica runs. RuntimeError within another strategy's."""
        if _scopes.strategies and _scopes.strategies[-1] is not self:
            raise RuntimeError(
                f"Mixing different tf.distribute.Strategy objects: {_scopes.strategies[-1]!r} is not {self!r}"
            )
        create = None if self in _scopes.strategies else self._extended.create_variable
        creators = variables.variable_creator_scope(create) if create else contextlib.nullcontext()
        _scopes.strategies.append(self)
        try:
            with _in_replica(None), scopes.device(self._device) if self._device else contextlib.nullcontext(), creators:
                yield self
        finally:
            _scopes.strategies.pop()

    def run(self, fn, args=(), kwargs=None, options=None):
        """fn(*args, **kwargs), in the one replica."""
        _scopes.strategies.append(self)
        try:
            with ReplicaContext(self), scopes.device(self._device) if self._device else contextlib.nullcontext():
                return converted(fn)(*args, **(kwargs or {}))
        finally:
            _scopes.strategies.pop()

    experimental_run_v2 = run

    def experimental_run(self, fn, input_iterator=None):
        """fn(), or fn of what the iterator gives next."""
        return self.run(fn, args=() if input_iterator is None else (input_iterator.get_next(),))

    def reduce(self, reduce_op, value, axis):
        """The value; along an axis its sum or mean."""
        kind = reduce_op_of(reduce_op)
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

    def __str__(self):
        return (
            f"tf.distribute.InputContext(input pipeline id {self.input_pipeline_id}, total: {self.num_input_pipelines})"
        )

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


class CentralStorageStrategy(_OneDevice):
    """Variables on one device and replicas on several; here on the same one alone. NotImplementedError for more."""

    def __init__(self, compute_devices=None, parameter_device=None):
        devices = ["/device:CPU:0"] if compute_devices is None else list(compute_devices)
        if len(devices) != 1 or parameter_device not in (None, devices[0]):
            raise NotImplementedError(
                "tf.distribute.experimental.CentralStorageStrategy computes on the device that has the variables, and on no other"
            )
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
    """Puts a strategy in scope to stay; None ends that. RuntimeError within a scope that a `with` has entered."""
    held, _scopes.held = _scopes.held, None
    if held is not None:
        held.__exit__(None, None, None)
    if _scopes.strategies:
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    if strategy is not None:
        _scopes.held = strategy.scope()
        _scopes.held.__enter__()


def strategy_supports_no_merge_call() -> bool:
    """Whether a replica may do what a step does across replicas where it is: while no strategy is in scope."""
    return not _scopes.strategies


def maybe_merge_call(fn, strategy, *args, **kwargs):
    """fn(strategy, ...) once for all replicas."""
    context = get_replica_context()
    if strategy_supports_no_merge_call() or context is None:
        return fn(strategy, *args, **kwargs)
    return context.merge_call(fn, args=args, kwargs=kwargs)
