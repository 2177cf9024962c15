"""tf.distribute.cluster_resolver: who says which tasks a cluster has; and what strategies of several tasks are called."""

from __future__ import annotations

import collections
import enum
import json
import os
import re

from .cluster import ClusterSpec


class ClusterResolver:
    """Says the tasks of a cluster, and which of them this one is."""

    task_type = task_id = None
    rpc_layer = "grpc"

    def cluster_spec(self):
        raise NotImplementedError()

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        raise NotImplementedError()

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        """How many accelerators of each type the task has."""
        from ..platform import config

        found = collections.Counter(d.device_type for d in config.list_logical_devices() if d.device_type != "CPU")
        return dict(found)

    @property
    def environment(self):
        return ""


def _address(address, rpc_layer):
    return f"{rpc_layer}://{address}" if rpc_layer and address else address or ""


class SimpleClusterResolver(ClusterResolver):
    """The cluster that is given. TypeError when it is no ClusterSpec."""

    def __init__(
        self,
        cluster_spec,
        master="",
        task_type=None,
        task_id=None,
        environment="",
        num_accelerators=None,
        rpc_layer=None,
    ):
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a `tf.train.ClusterSpec`.")
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer
        self._cluster_spec, self._master, self._environment = cluster_spec, master, environment
        self._num_accelerators = num_accelerators

    environment = property(lambda self: self._environment)

    def cluster_spec(self):
        return self._cluster_spec

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """The address of a task, or the one that was given."""
        if task_type is not None and task_id is not None:
            return _address(self._cluster_spec.task_address(task_type, task_id), rpc_layer or self.rpc_layer)
        return self._master

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        return {} if self._num_accelerators is None else self._num_accelerators


class TFConfigClusterResolver(ClusterResolver):
    """The cluster of the environment variable TF_CONFIG, which is JSON."""

    def __init__(self, task_type=None, task_id=None, rpc_layer=None, environment=None):
        self._task_type, self._task_id, self._rpc_layer, self._environment = task_type, task_id, rpc_layer, environment

    @staticmethod
    def _config():
        return json.loads(os.environ.get("TF_CONFIG", "{}"))

    def _task(self, name):
        return self._config().get("task", {}).get(name)

    task_type = property(lambda self: self._task("type") if self._task_type is None else str(self._task_type))
    rpc_layer = property(lambda self: self._config().get("rpc_layer") if self._rpc_layer is None else self._rpc_layer)
    environment = property(lambda self: self._environment or self._config().get("environment") or "")

    @property
    def task_id(self):
        found = self._task("index") if self._task_id is None else self._task_id
        return None if found is None else int(found)

    def cluster_spec(self):
        return ClusterSpec(self._config().get("cluster", {}))

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """The address of a task, by default of this one; empty when there is at most one."""
        session_master = self._config().get("session_master")
        if session_master is not None:
            return session_master
        spec = self.cluster_spec()
        if not spec or len(spec.jobs) == 1 and len(spec.job_tasks(spec.jobs[0])) == 1:
            return ""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        return _address(spec.task_address(task_type, task_id or 0), rpc_layer or self.rpc_layer)


class UnionResolver(ClusterResolver):
    """Several resolvers as one: the tasks of all. ValueError without any, TypeError for what is none."""

    def __init__(self, *args, **kwargs):
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        for resolver in args:
            if not isinstance(resolver, ClusterResolver):
                raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args
        self.rpc_layer = kwargs.pop("rpc_layer", None)
        self.task_type, self.task_id = kwargs.pop("task_type", None), kwargs.pop("task_id", None)
        if kwargs:
            raise TypeError(f"Unexpected kwargs provided {kwargs!r}")

    def cluster_spec(self):
        jobs: dict[str, dict[int, str]] = {}
        for resolver in self._resolvers:
            spec = resolver.cluster_spec()
            for job in spec.jobs:
                known = jobs.setdefault(job, {})
                for i in spec.task_indices(job):
                    at = len(known) if i in known and known[i] != spec.task_address(job, i) else i
                    known[at] = spec.task_address(job, i)
        return ClusterSpec(jobs)

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        if task_type is not None and task_id is not None:
            return _address(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)


def _slurm(name):
    """A variable that Slurm gives to each process of a step."""
    value = os.environ.get(name)
    if value is None:
        raise RuntimeError(f"{name} not found in environment. Not running inside a SLURM step?")
    return value


def _hosts(text):
    """The hosts of a list as Slurm writes it: "n[01-03,7],m2"."""
    hosts = []
    for part in re.findall(r"(?:\[[^\]]*\]|[^,\[])+", text):
        made = [""]
        for plain, ranges in re.findall(r"([^\[\]]+)|\[([^\[\]]*)\]", part):
            ends = [plain] if plain else [n for r in ranges.split(",") for n in _numbers(r, text)]
            made = [m + end for m in made for end in ends]
        if part.count("[") != part.count("]") or not made[0]:
            raise ValueError(f'Invalid hostlist format "{text}": Invalid part: {part}')
        hosts += made
    if not hosts or text.count("[") != text.count("]"):
        raise ValueError(f'Invalid hostlist format "{text}"')
    return hosts


def _numbers(text, whole):
    first, _, last = text.partition("-")
    if not first.isdigit() or last and not last.isdigit():
        raise ValueError(f'Invalid hostlist format "{whole}": Invalid part: {text}')
    return [str(n).zfill(len(first)) for n in range(int(first), int(last or first) + 1)]


def _tasks_per_node(text):
    """[2, 2, 1] of "2(x2),1"."""
    counts = []
    for part in text.split(","):
        found = re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", part)
        if found is None:
            raise ValueError(f'Invalid tasks-per-node format "{text}": Invalid part: {part}')
        counts += [int(found[1])] * int(found[2] or 1)
    return counts


class SlurmClusterResolver(ClusterResolver):
    """The tasks of a Slurm step, which its environment tells: the first processes are the first job's, and so on.

    jobs: how many tasks each has, all of the step's as "worker" by default; port_base: the port of the first process of a node, the
    next ones have the next. tasks_per_node: in place of what Slurm says. What is said of GPUs has no effect. RuntimeError outside of a
    step, or for another number of tasks than it has.
    """

    def __init__(
        self,
        jobs=None,
        port_base=8888,
        gpus_per_node=None,
        gpus_per_task=None,
        tasks_per_node=None,
        auto_set_gpu=True,
        rpc_layer="grpc",
    ):
        self._rank = int(_slurm("SLURM_PROCID"))
        self._jobs = {"worker": int(_slurm("SLURM_STEP_NUM_TASKS"))} if jobs is None else dict(jobs)
        hosts = _hosts(_slurm("SLURM_STEP_NODELIST"))
        if tasks_per_node is None:
            counts = _tasks_per_node(_slurm("SLURM_STEP_TASKS_PER_NODE"))
        else:
            counts = [int(tasks_per_node)] * len(hosts)
        self._addresses = [f"{h}:{port_base + i}" for h, n in zip(hosts, counts) for i in range(n)]
        wanted, there = sum(self._jobs.values()), len(self._addresses)
        if wanted != there:
            raise RuntimeError(f"Requested {wanted} tasks but only {there} were assigned.")
        self.rpc_layer = rpc_layer
        self.task_type, self.task_id = self._task(self._rank)

    def _task(self, rank):
        for job, n in self._jobs.items():
            if rank < n:
                return job, rank
            rank -= n
        return None, None

    def cluster_spec(self):
        addresses = iter(self._addresses)
        return ClusterSpec({job: [next(addresses) for _ in range(n)] for job, n in self._jobs.items()})

    def get_task_info(self):
        """(job, number) of this process."""
        return self.task_type, self.task_id

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """The address of a task, by default of this one."""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        if task_type is None or task_id is None:
            return ""
        return _address(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)


def _absent(name, base=ClusterResolver):
    """A class whose objects cannot be made."""

    def init(self, *args, **kwargs):
        raise NotImplementedError(f"{name}: the library runs on the devices of one process")

    return type(name.rpartition(".")[2], (base,), {"__init__": init, "__doc__": f"{name}; NotImplementedError."})


GCEClusterResolver = _absent("tf.distribute.cluster_resolver.GCEClusterResolver")
KubernetesClusterResolver = _absent("tf.distribute.cluster_resolver.KubernetesClusterResolver")


# ---- how workers communicate


class CommunicationImplementation(enum.Enum):
    """What workers communicate by."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class CommunicationOptions:
    """How they do: bytes of a pack, seconds until it fails, and by what."""

    def __init__(self, bytes_per_pack=0, timeout_seconds=None, implementation=CommunicationImplementation.AUTO):
        if bytes_per_pack < 0:
            raise ValueError(f"Argument `bytes_per_pack` must be >=0, Received {bytes_per_pack}.")
        self.bytes_per_pack, self.timeout_seconds = bytes_per_pack, timeout_seconds
        self.implementation = CommunicationImplementation(getattr(implementation, "value", str(implementation).upper()))


class InputReplicationMode(enum.Enum):
    """Whether an input function is called for each worker or each replica."""

    PER_WORKER = "PER_WORKER"
    PER_REPLICA = "PER_REPLICA"


InputOptions = collections.namedtuple(
    "InputOptions",
    "experimental_fetch_to_device experimental_replication_mode experimental_place_dataset_on_device "
    "experimental_per_replica_buffer_size",
    defaults=(None, InputReplicationMode.PER_WORKER, False, 1),
)
InputOptions.__doc__ = "How a dataset is distributed."

RunOptions = collections.namedtuple(
    "RunOptions",
    "experimental_enable_dynamic_batch_size experimental_bucketizing_dynamic_shape experimental_xla_options",
    defaults=(True, False, None),
)
RunOptions.__doc__ = "How Strategy.run runs a function."


# ---- partitioners


class Partitioner:
    """Says into how many parts a variable is divided along each axis: called with its shape and type."""

    def __call__(self, shape, dtype, axis=0):
        raise NotImplementedError


def _parts(shape, axis, count):
    made = [1] * len(shape)
    made[axis] = min(count, int(shape[axis]))
    return made


class FixedShardsPartitioner(Partitioner):
    """Always num_shards parts, or as many as there are rows."""

    def __init__(self, num_shards):
        self._num_shards = num_shards

    def __call__(self, shape, dtype, axis=0):
        return _parts(shape, axis, self._num_shards)


class _BySize(Partitioner):
    def _bytes(self, shape, dtype):
        size = self._bytes_per_string if dtype.name == "string" else dtype.size
        total = size
        for d in shape:
            total *= int(d)
        return total


class MinSizePartitioner(_BySize):
    """At most max_shards parts, each of min_shard_bytes or more."""

    def __init__(self, min_shard_bytes=256 << 10, max_shards=1, bytes_per_string=16):
        for value, name in (
            (min_shard_bytes, "min_shard_bytes"),
            (max_shards, "max_shards"),
            (bytes_per_string, "bytes_per_string"),
        ):
            if value < 1:
                raise ValueError(f"Argument `{name}` must be positive. Received: {value}")
        self._min_shard_bytes, self._max_shards, self._bytes_per_string = min_shard_bytes, max_shards, bytes_per_string

    def __call__(self, shape, dtype, axis=0):
        count = max(1, -(-self._bytes(shape, dtype) // self._min_shard_bytes))
        return _parts(shape, axis, min(self._max_shards, count))


class MaxSizePartitioner(_BySize):
    """Parts of at most max_shard_bytes, and at most max_shards of them."""

    def __init__(self, max_shard_bytes, max_shards=None, bytes_per_string=16):
        if max_shard_bytes < 1:
            raise ValueError(f"Argument `max_shard_bytes` must be positive. Received {max_shard_bytes}")
        if max_shards and max_shards < 1:
            raise ValueError(f"Argument `max_shards` must be positive. Received {max_shards}")
        self._max_shard_bytes, self._max_shards, self._bytes_per_string = max_shard_bytes, max_shards, bytes_per_string

    def __call__(self, shape, dtype, axis=0):
        row = self._bytes(shape, dtype) / max(1, int(shape[axis]))
        rows = max(1, int(self._max_shard_bytes // row)) if row else 1
        count = -(-int(shape[axis]) // rows)
        return _parts(shape, axis, min(count, self._max_shards) if self._max_shards else count)
