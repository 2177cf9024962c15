"""tf.config: devices, and how ops and functions run.

What concerns the library's context has to be said before the first op runs: then it is made, with what was said until then.
"""

from __future__ import annotations

import collections
import functools

from .. import _native
from ..core import messages

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
PhysicalDevice.__doc__ = "A device of the machine."
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])
LogicalDevice.__doc__ = "A device as ops see it; one of the machine may be several."
LogicalDeviceConfiguration = collections.namedtuple(
    "LogicalDeviceConfiguration",
    ["memory_limit", "experimental_priority", "experimental_device_ordinal"],
    defaults=(None, None, None),
)
LogicalDeviceConfiguration.__doc__ = "Of a logical device: its memory in MiB, and which it is. CPUs have no limits."


class _Options:
    """What was asked for, until the context is made."""

    def __init__(self):
        self.cpus = None  # LogicalDeviceConfigurations of the CPU
        self.visible = None  # of the physical devices
        self.inter_op = self.intra_op = 0
        self.soft_placement, self.said_placement, self.log_placement = True, False, False
        self.jit = ""
        self.optimizer = {}
        self.device_policy, self.synchronous = "silent", True
        self.tensor_float_32 = self.mlir_bridge = True
        self.deterministic = False
        self.begins_anew = False


_options = _Options()
_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")


def _is_initialized() -> bool:
    return _native.context_exists()


def _refuse_late(what):
    if _is_initialized() and _options.begins_anew:
        _native.leave_context()
    _options.begins_anew = False
    if _is_initialized():
        raise RuntimeError(f"{what} cannot be modified after being initialized")


def begin_anew():
    """What has to be said before the first op may be said once more: then a new context takes the place of this one. Variables
    and functions are those of the context in which they were made."""
    _options.begins_anew = True


def config_proto():
    """The ConfigProto of what was asked for."""
    made = messages.ConfigProto(
        inter_op_parallelism_threads=_options.inter_op,
        intra_op_parallelism_threads=_options.intra_op,
        allow_soft_placement=_options.soft_placement,
        log_device_placement=_options.log_placement,
    )
    if _options.cpus is not None:
        made.device_count["CPU"] = len(_options.cpus)
    return made


def _tell():
    """Hands the configuration to the context that is to be made."""
    _native.configure(config_proto().SerializeToString())
    _tell_sessions()


def _tell_sessions():
    """Hands it to the sessions that are given none: they place ops elsewhere only when that was asked for."""
    from ..core import session

    made = config_proto()
    made.allow_soft_placement = _options.soft_placement and _options.said_placement
    session.default_config = made


# ---- devices


@functools.cache
def _machine():
    """The machine's devices. A session tells them, so that the context can still be configured afterwards."""
    from ..core import graph, session

    with session.Session(graph=graph.Graph()) as one:
        kinds = [d.device_type for d in one.list_devices()]
    others = sorted({k for k in kinds if k != "CPU"})
    return [_CPU] + [PhysicalDevice(f"/physical_device:{k}:{i}", k) for k in others for i in range(kinds.count(k))]


def list_physical_devices(device_type=None):
    """The machine's devices; of one type when it is given."""
    return [d for d in _machine() if device_type in (None, d.device_type)]


def _devices():
    """(name, type) of the context's devices."""
    return [(d[0], d[1]) for d in _native.devices()]


def _short(name, own):
    """/device:CPU:0 of /job:localhost/replica:0/task:0/device:CPU:0, if that is of the own task."""
    task, _, device = name.rpartition("/device:")
    return f"/device:{device}" if task == own else name


def list_logical_devices(device_type=None):
    """The devices that ops can be placed on. The context is made by this."""
    visible = None if _options.visible is None else {d.device_type for d in _options.visible}
    found = _devices()
    own = found[0][0].rpartition("/device:")[0]
    return [
        LogicalDevice(_short(name, own), kind)
        for name, kind in found
        if device_type in (None, kind) and (visible is None or kind == "CPU" or kind in visible)
    ]


def _physical(device):
    found = [d for d in list_physical_devices() if d == device]
    if not found:
        raise ValueError(f"Unrecognized device: {device!r}")
    return found[0]


def get_visible_devices(device_type=None):
    """The physical devices that are used."""
    devices = list_physical_devices() if _options.visible is None else _options.visible
    return [d for d in devices if device_type in (None, d.device_type)]


def set_visible_devices(devices, device_type=None):
    """Which physical devices are used. RuntimeError once ops have run and something would change."""
    devices = devices if isinstance(devices, (list, tuple)) else [devices]
    for d in devices:
        _physical(d)
        if device_type not in (None, d.device_type):
            raise ValueError(f"Unrecognized device: {d!r}")
    wanted = [d for d in get_visible_devices() if device_type is not None and d.device_type != device_type] + list(
        devices
    )
    if set(wanted) == set(get_visible_devices()):
        return
    _refuse_late("Visible devices")
    _options.visible = wanted


def get_logical_device_configuration(device):
    """The configurations of a physical device's logical ones; None when none were set."""
    _physical(device)
    return _options.cpus if device == _CPU else None


def set_logical_device_configuration(device, logical_devices):
    """Makes several logical devices of a physical one. RuntimeError once ops have run; CPUs take no limits of memory."""
    _physical(device)
    logical_devices = list(logical_devices)
    if device.device_type != "CPU":
        raise NotImplementedError(f"Several logical devices of a {device.device_type}")
    for d in logical_devices:
        if d.memory_limit is not None:
            raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
        if d.experimental_priority is not None:
            raise ValueError("Setting experimental_priority on CPU virtual devices is currently not supported")
    if _options.cpus == logical_devices:
        return
    _refuse_late("Virtual devices")
    _options.cpus = logical_devices
    _tell()


def get_device_details(device):
    """What is known of a physical device, by name; of CPUs nothing."""
    _physical(device)
    return {}


def get_memory_growth(device):
    """Whether the device's memory is taken as it is needed. ValueError for CPUs."""
    raise ValueError(f"Cannot get memory growth of {_physical(device)!r}: it is no GPU")


def set_memory_growth(device, enable):
    """Memory is always taken as it is needed. ValueError for CPUs, and for False."""
    if _physical(device).device_type == "CPU":
        raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")
    if not enable:
        raise NotImplementedError("set_memory_growth(False): memory is taken as it is needed")


def _refuse_unknown(device):
    from ..core.device_spec import DeviceSpec

    spec = DeviceSpec.from_string(device if device.startswith("/") else "/device:" + device)
    for name, kind in _devices():
        if kind == spec.device_type and (spec.device_index is None or name.endswith(f":{spec.device_index}")):
            return
    raise ValueError(f"No matching devices found for '{device}'")


def get_memory_info(device):
    """{"current", "peak"}: bytes in use. The library does not count those of CPUs: 0."""
    _refuse_unknown(device)
    return {"current": 0, "peak": 0}


def get_memory_usage(device):
    """The bytes that the tensors of a device have, such as "GPU:0". ValueError for an unknown device."""
    return get_memory_info(device)["current"]


def reset_memory_stats(device):
    """Begins to count the largest use of memory anew. ValueError for an unknown device."""
    _refuse_unknown(device)


# ---- how ops run


def get_inter_op_parallelism_threads():
    """How many ops of a graph run at a time; 0: as many as the library likes."""
    return _options.inter_op


def set_inter_op_parallelism_threads(num_threads):
    """How many ops may run side by side, 0: as many as there are cores. RuntimeError once an op has run."""
    if num_threads == _options.inter_op:
        return
    if _is_initialized():
        raise RuntimeError("Inter op parallelism cannot be modified after initialization.")
    _options.inter_op = num_threads
    _tell()


def get_intra_op_parallelism_threads():
    """How many threads work at one op; 0: as many as the library likes."""
    return _options.intra_op


def set_intra_op_parallelism_threads(num_threads):
    """How many threads an op may use, 0: as many as there are cores. RuntimeError once an op has run."""
    if num_threads == _options.intra_op:
        return
    if _is_initialized():
        raise RuntimeError("Intra op parallelism cannot be modified after initialization.")
    _options.intra_op = num_threads
    _tell()


def get_soft_device_placement():
    """Whether ops run elsewhere when the device that was asked for has no kernel or does not exist."""
    return _options.soft_placement


def set_soft_device_placement(enabled):
    """Whether ops without a kernel for the device that is asked for run on another one."""
    _options.soft_placement, _options.said_placement = bool(enabled), True
    if _is_initialized():
        _native.place(_options.soft_placement, _options.log_placement)
        _tell_sessions()
    else:
        _tell()


def set_log_device_placement(enabled):
    """Whether each op's device is written to stderr."""
    _options.log_placement = bool(enabled)
    if _is_initialized():
        _native.place(_options.soft_placement, _options.log_placement)
        _tell_sessions()
    else:
        _tell()


def get_log_device_placement():
    """Whether the device of each op is logged."""
    return _options.log_placement


def get_device_policy():
    """What happens with tensors of other devices: they are copied, silently."""
    return _options.device_policy


def set_device_policy(device_policy):
    """What happens to inputs on another device than the op: they are copied. NotImplementedError for other policies."""
    if device_policy not in (None, "silent", "silent_for_int32", "warn", "explicit"):
        raise ValueError(f"{device_policy!r} is not a valid device policy")
    if device_policy not in (None, "silent"):
        raise NotImplementedError(f"tf.config.experimental.set_device_policy({device_policy!r})")


def get_synchronous_execution():
    """Whether an op has run when its call returns."""
    return _options.synchronous


def set_synchronous_execution(enable):
    """Ops are done when their call returns. NotImplementedError for False."""
    if not (enable is None or enable):
        raise NotImplementedError("tf.config.experimental.set_synchronous_execution(False)")


# ---- the optimizer of graphs

_OPTIMIZERS = (
    "layout_optimizer constant_folding shape_optimization remapping arithmetic_optimization dependency_optimization "
    "loop_optimization function_optimization debug_stripper disable_model_pruning scoped_allocator_optimization "
    "pin_to_host_optimization implementation_selector auto_mixed_precision disable_meta_optimizer auto_parallel "
    "min_graph_nodes use_plugin_optimizers"
).split()
_BFLOAT16 = "auto_mixed_precision_onednn_bfloat16"


def get_jit():
    """ "autoclustering" or "": the library compiles nothing just in time, whatever was asked for."""
    return _options.jit


def set_jit(enabled):
    """Asks for compilation just in time, True or "autoclustering", which has no effect on results."""
    _options.jit = "autoclustering" if enabled is True else enabled or ""


def get_experimental_options():
    """The options that were set, by name."""
    options = {"disable_model_pruning": False, "disable_meta_optimizer": False} | _options.optimizer
    return options | {_BFLOAT16: True} if _native.bf16_products(None) else options


def set_experimental_options(options):
    """Options of the graph optimizer, by name. Unknown names have no effect.

    One changes results: with `auto_mixed_precision_onednn_bfloat16` products of float matrices and convolutions round their factors to
    bfloat16, where the processor has instructions for it. The others leave results as they are.
    """
    if _BFLOAT16 in options:
        _native.bf16_products(bool(options[_BFLOAT16]))
    _options.optimizer |= {k: v for k, v in options.items() if k in _OPTIMIZERS or k == _BFLOAT16}


def tensor_float_32_execution_enabled():
    """Whether matrix products of GPUs may be less exact."""
    return _options.tensor_float_32


def enable_tensor_float_32_execution(enabled):
    """Whether matrix products of GPUs may be less exact."""
    _options.tensor_float_32 = bool(enabled)


def enable_mlir_bridge():
    """Is kept, and has no effect."""
    _options.mlir_bridge = True


def disable_mlir_bridge():
    """Is kept, and has no effect."""
    _options.mlir_bridge = False


def enable_op_determinism():
    """Ops give the same results each time, as all kernels of the library do."""
    _options.deterministic = True


class ClusterDeviceFilters:
    """Which devices a task of a cluster sees."""

    def __init__(self):
        self._filters: dict = {}

    def set_device_filters(self, job_name, task_index, device_filters):
        """ValueError unless the filters are texts."""
        if not all(isinstance(f, str) for f in device_filters):
            raise ValueError(f"device_filters for {job_name}:{task_index} must be list of strings")
        self._filters.setdefault(job_name, {})[task_index] = list(device_filters)


def experimental_connect_to_cluster(
    cluster_spec_or_resolver,
    job_name="localhost",
    task_index=0,
    protocol=None,
    make_master_device_default=True,
    cluster_device_filters=None,
):
    """The devices of all tasks can be used by ops: `with tf.device("/job:worker/task:0")`. The cluster is a ClusterSpec, or a
    resolver that has one. This process becomes the task `job_name`, `task_index`, which is added if the cluster has none.

    Called again, other tasks and addresses count from then on. NotImplementedError for filters of devices.
    """
    if cluster_device_filters is not None:
        raise NotImplementedError("tf.config.experimental_connect_to_cluster: cluster_device_filters")
    from ..training.cluster import ClusterSpec

    spec = cluster_spec_or_resolver
    if not isinstance(spec, ClusterSpec):
        if not hasattr(spec, "cluster_spec"):
            raise ValueError("`cluster_spec_or_resolver` must be a `ClusterSpec` or a `ClusterResolver`.")
        spec = spec.cluster_spec()
    cluster = spec.as_cluster_def()
    if job_name not in spec.jobs:
        own = cluster.job.add()
        own.name = job_name
        own.tasks[task_index] = f"localhost:{_free_port()}"
    server = messages.ServerDef(
        cluster=cluster,
        job_name=job_name,
        task_index=task_index,
        protocol=protocol or "grpc",
        default_session_config=config_proto(),
    )
    _native.context_call("connect", server.SerializeToString())


def _free_port():
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def experimental_connect_to_host(remote_host=None, job_name="worker"):
    """The same for the tasks of one job, by their addresses: one, or a list. ValueError without any."""
    from ..training.cluster import ClusterSpec

    if not remote_host:
        raise ValueError("Must provide at least one remote_host")
    hosts = remote_host if isinstance(remote_host, (list, tuple)) else [remote_host]
    experimental_connect_to_cluster(ClusterSpec({job_name: [host.removeprefix("grpc://") for host in hosts]}))
