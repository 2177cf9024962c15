"""tf.distribute.ParameterServerStrategy: variables at tasks of the job `ps`, steps at tasks of the job `worker`.

The program is the coordinator, a task of its own (`chief`). It makes the variables, each at one of the servers in turn or cut into
rows over several, and has workers run functions (cluster_coordinator.py). Workers and servers only run tf.distribute.Server.
"""

from __future__ import annotations

import contextlib
import threading

from ..core import errors, messages, scopes, sharded_variable, tensor
from ..ops import array_ops
from . import strategies
from .cluster_resolvers import TFConfigClusterResolver


class _ServersExtended(strategies.StrategyExtended):
    """What library code asks such a strategy: where variables are."""

    def __init__(self, strategy, n_servers, partitioner):
        super().__init__(strategy, None)
        self._servers = tuple(f"/job:ps/replica:0/task:{i}/device:CPU:0" for i in range(n_servers))
        self._partitioner, self._made, self._lock = partitioner, 0, threading.Lock()
        self._colocated = threading.local()

    parameter_devices = property(lambda self: self._servers)

    def _next_server(self):
        with self._lock:
            self._made += 1
            return self._servers[(self._made - 1) % len(self._servers)]

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable):
        """Variables made within are at the server of another one."""
        before = getattr(self._colocated, "device", None)
        self._colocated.device = colocate_with_variable.device
        try:
            yield
        finally:
            self._colocated.device = before

    # ---- variables

    def create_variable(self, next_creator, **kwargs):
        """What makes the variables in the strategy's scope."""
        if self._partitioner is None or getattr(self._colocated, "device", None) is not None:
            return self._at_server(next_creator, kwargs)
        return self._in_parts(next_creator, kwargs)

    def _at_server(self, next_creator, kwargs):
        with scopes.device(getattr(self._colocated, "device", None) or self._next_server()):
            return next_creator(**kwargs)

    def _in_parts(self, next_creator, kwargs):
        """A variable whose rows lie at several servers, in as many parts as the partitioner says. ValueError where that cuts
        another axis than the first."""
        initial, dtype = kwargs.get("initial_value"), kwargs.get("dtype")
        value = initial() if callable(initial) else initial
        value = tensor.convert(value) if dtype is None else array_ops.convert_to_tensor(value, dtype)
        kwargs = {**kwargs, "initial_value": value}
        if not value.shape.rank:
            return self._at_server(next_creator, kwargs)
        counts = list(self._partitioner(shape=value.shape, dtype=value.dtype))
        if len(counts) != value.shape.rank or any(n != 1 for n in counts[1:]):
            raise ValueError(f"variable_partitioner must cut variables along their first axis alone: {counts}")
        n, rows = int(counts[0]), int(value.shape[0])
        if n <= 1:
            return self._at_server(next_creator, kwargs)
        sizes = [rows // n + (i < rows % n) for i in range(n)]
        name = kwargs.get("name") or "Variable"
        parts = [
            self._at_server(next_creator, {**kwargs, "initial_value": part, "name": f"{name}/part_{i}", "shape": None})
            for i, part in enumerate(array_ops.split(value, sizes))
        ]
        return sharded_variable.ShardedVariable(parts, name=name)


class ParameterServerStrategy(strategies.Strategy):
    """Variables at parameter servers, and steps at workers that do not wait for each other.

    cluster_resolver: says which tasks there are, by default TF_CONFIG; jobs `worker` and `ps`, and `chief` for this program.
    variable_partitioner: says into how many parts a variable is cut, each at another server; None: into one. Making the strategy
    waits for all tasks. A tf.distribute.coordinator.ClusterCoordinator has functions run by the workers.
    """

    _should_use_with_coordinator = True

    def __init__(self, cluster_resolver=None, variable_partitioner=None):
        from ..platform import config

        self._cluster_resolver = cluster_resolver or TFConfigClusterResolver()
        spec = self._cluster_resolver.cluster_spec()
        for job in ("worker", "ps"):
            if job not in spec.jobs:
                raise ValueError(
                    f"A ParameterServerStrategy needs tasks of the job {job!r}; the cluster has {spec.jobs}"
                )
        task_type, task_id = self._cluster_resolver.task_type or "chief", self._cluster_resolver.task_id or 0
        if task_type in ("worker", "ps"):
            raise ValueError(
                f"A ParameterServerStrategy is made by the coordinator (job 'chief'), not by a task of job {task_type!r}: that runs a "
                "tf.distribute.Server"
            )
        self._n_workers, self._spec, self._task = spec.num_tasks("worker"), spec, (task_type, int(task_id))
        self._coordinator = None
        if variable_partitioner is not None and not callable(variable_partitioner):
            raise ValueError("variable_partitioner must be a function")
        super().__init__(_ServersExtended(self, spec.num_tasks("ps"), variable_partitioner))
        self._connect = lambda: config.experimental_connect_to_cluster(
            spec, job_name=task_type, task_index=int(task_id), protocol=self._cluster_resolver.rpc_layer or "grpc"
        )
        self._connect()

    def _incarnations(self):
        """{task: its process}, 0 of one that does not answer."""
        from ..core.session import Session

        made = {}
        for job in ("ps", "worker"):
            for i in self._spec.task_indices(job):
                name = f"/job:{job}/task:{i}"
                config = messages.ConfigProto(operation_timeout_in_ms=2000, device_filters=[name])
                try:
                    with Session(f"grpc://{self._spec.task_address(job, i)}", config=config) as session:
                        made[name] = session.list_devices()[0].incarnation
                except errors.OpError:
                    made[name] = 0
        return made

    cluster_resolver = property(lambda self: self._cluster_resolver)
