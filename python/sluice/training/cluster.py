"""Clusters: which tasks there are, where variables go, and servers of one task in the process."""

from __future__ import annotations

import threading

from .. import _native
from ..compat import v1
from ..core import messages
from ..core.device_spec import DeviceSpec


class ClusterSpec:
    """Tasks by job: {"worker": ["host:port", ...]}, {"worker": {3: "host:port"}}, a ClusterDef or another ClusterSpec."""

    def __init__(self, cluster):
        if isinstance(cluster, ClusterSpec):
            jobs = cluster._jobs
        elif isinstance(cluster, dict):
            jobs = {name: self._tasks_of(tasks) for name, tasks in cluster.items()}
        elif hasattr(cluster, "job"):
            jobs = {job.name: dict(job.tasks.items()) for job in cluster.job}
        else:
            raise TypeError(
                f"`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a "
                f"`ClusterDef` protocol buffer, got {cluster!r}"
            )
        self._jobs: dict[str, dict[int, str]] = {name: dict(sorted(tasks.items())) for name, tasks in jobs.items()}
        for name, tasks in self._jobs.items():
            if not isinstance(name, str):
                raise TypeError(f"job name {name!r} must be bytes or unicode")
            for i, address in tasks.items():
                if not isinstance(address, (str, bytes)):
                    raise TypeError(f"Task address {address!r} must be bytes or unicode")

    @staticmethod
    def _tasks_of(tasks):
        if isinstance(tasks, (list, tuple)):
            return dict(enumerate(tasks))
        if isinstance(tasks, dict):
            if not all(isinstance(i, int) for i in tasks):
                raise ValueError(f"Task index must be an integer, got {list(tasks)}")
            return dict(tasks)
        raise TypeError(f"The tasks of a job must be a list or a dictionary from integers to strings, got {tasks!r}")

    def __bool__(self):
        return bool(self._jobs)

    def __eq__(self, other):
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __repr__(self):
        parts = ", ".join(f"{name!r}: {self.as_dict()[name]!r}" for name in sorted(self._jobs))
        return f"ClusterSpec({{{parts}}})"

    def as_dict(self):
        """Lists of addresses by job; of jobs without some tasks dictionaries."""
        return {
            name: list(tasks.values()) if list(tasks) == list(range(len(tasks))) else dict(tasks)
            for name, tasks in self._jobs.items()
        }

    def as_cluster_def(self):
        """The ClusterDef."""
        made = messages.ClusterDef()
        for name, tasks in sorted(self._jobs.items()):
            job = made.job.add()
            job.name = name
            for i, address in tasks.items():
                job.tasks[i] = address
        return made

    jobs = property(lambda self: list(self._jobs))

    def _tasks(self, job_name):
        if job_name not in self._jobs:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]

    def num_tasks(self, job_name):
        return len(self._tasks(job_name))

    def task_indices(self, job_name):
        return list(self._tasks(job_name))

    def task_address(self, job_name, task_index):
        tasks = self._tasks(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name):
        """The addresses by index; None where there is no task."""
        tasks = self._tasks(job_name)
        return [tasks.get(i) for i in range(max(tasks) + 1)] if tasks else []


class Server:
    """A task of a cluster in this process: sessions of any process are opened on its `target`, and share its variables.

    The first argument is a cluster, or a ServerDef. ValueError when it is not clear which task it is; UnavailableError when its
    port is taken.
    """

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None, config=None, start=True):
        self._server_def = server_def_of(server_or_cluster_def, job_name, task_index, protocol)
        if config is not None:
            self._server_def.default_session_config.MergeFrom(config)
        self._native = _native.Server(self._server_def.SerializeToString())
        if start:
            self.start()

    server_def = property(lambda self: self._server_def)
    target = property(lambda self: self._native.target())

    def start(self):
        """Begins to answer, if it has not."""
        self._native.start()

    def join(self):
        """Waits until it has been stopped; Ctrl-C ends that."""
        ended = threading.Event()

        def wait():
            self._native.join()
            ended.set()

        threading.Thread(target=wait, daemon=True).start()
        ended.wait()

    @staticmethod
    def create_local_server(config=None, start=True):
        """A server of one task, at a port that is free."""
        return Server({"localhost": ["localhost:0"]}, protocol="grpc", config=config, start=start)


def server_def_of(given, job_name, task_index, protocol):
    """A ServerDef of a task of a cluster. ValueError when it is not clear which one."""
    made = messages.ServerDef()
    if isinstance(given, messages.ServerDef):
        made.CopyFrom(given)
    else:
        made.cluster.CopyFrom(ClusterSpec(given).as_cluster_def())
    if job_name is not None:
        made.job_name = job_name
    if task_index is not None:
        made.task_index = task_index
    if protocol is not None:
        made.protocol = protocol
    jobs = {job.name: job.tasks for job in made.cluster.job}
    if not made.job_name:
        if len(jobs) != 1:
            raise ValueError("Must specify an explicit `job_name`.")
        made.job_name = next(iter(jobs))
    if task_index is None and not made.task_index:
        tasks = jobs.get(made.job_name, {})
        if len(tasks) != 1:
            raise ValueError("Must specify an explicit `task_index`.")
        made.task_index = next(iter(tasks))
    if made.job_name not in jobs:
        raise ValueError(f"The job {made.job_name!r} is not in the cluster: {sorted(jobs)}")
    made.protocol = made.protocol or "grpc"
    return made


_VARIABLE_OPS = (
    "Variable",
    "VariableV2",
    "AutoReloadVariable",
    "MutableHashTable",
    "MutableHashTableV2",
    "MutableHashTableOfTensors",
    "MutableHashTableOfTensorsV2",
    "MutableDenseHashTable",
    "MutableDenseHashTableV2",
    "VarHandleOp",
    "BoostedTreesEnsembleResourceHandleOp",
)


class _RoundRobin:
    def __init__(self, tasks):
        self._tasks, self._next = tasks, 0

    def __call__(self, op):
        task, self._next = self._next, (self._next + 1) % self._tasks
        return task


def replica_device_setter(
    ps_tasks=0,
    ps_device="/job:ps",
    worker_device="/job:worker",
    merge_devices=True,
    cluster=None,
    ps_ops=None,
    ps_strategy=None,
):
    """A function for tf.device that puts variables on the tasks of ps_device in turn, all else on worker_device.

    None when there are no such tasks. TypeError when ps_strategy is no function.
    """
    if cluster is not None:
        spec = cluster.as_dict() if isinstance(cluster, ClusterSpec) else ClusterSpec(cluster).as_dict()
        job = DeviceSpec.from_string(ps_device).job or ps_device
        if job not in spec or spec[job] is None:
            return None
        ps_tasks = len(spec[job])
    if ps_tasks == 0:
        return None
    ps_ops = _VARIABLE_OPS if ps_ops is None else ps_ops
    choose = _RoundRobin(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(choose):
        raise TypeError("ps_strategy must be callable")

    def device_of(op):
        current = DeviceSpec.from_string(op.device or "")
        node = op if isinstance(op, v1.NodeDef) else op.node_def
        if ps_tasks and ps_device and node.op in ps_ops:
            wanted = DeviceSpec.from_string(ps_device)
            if wanted.job and wanted.task is None:
                wanted = wanted.replace(task=choose(op))
        else:
            wanted = DeviceSpec.from_string(worker_device or "")
        return wanted.make_merged_spec(current).to_string() if merge_devices else (op.device or wanted.to_string())

    return device_of
