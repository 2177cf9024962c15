"""What packages for accelerators and several devices ask for: processors that are parts of this machine's, and TPUs, which are not."""

from __future__ import annotations

from ..platform import config


def set_virtual_cpus_to_at_least(num_virtual_cpus):
    """Makes the first CPU so many devices, unless it is as many already. RuntimeError once devices are in use."""
    if num_virtual_cpus < 1:
        raise ValueError(f"`num_virtual_cpus` must be at least 1 not {num_virtual_cpus!r}")
    first = config.list_physical_devices("CPU")[0]
    parts = config.get_logical_device_configuration(first)
    if parts is None or len(parts) < num_virtual_cpus:
        config.set_logical_device_configuration(
            first, [config.LogicalDeviceConfiguration() for _ in range(num_virtual_cpus)]
        )


class _NoTPU:
    """What functions for TPUs ask of the one that they run on."""

    number_of_shards = None


def get_tpu_context():
    return _NoTPU()


def _absent(name):
    class Absent:
        def __init__(self, *args, **kwargs):
            raise NotImplementedError(f"{name}: there are no TPUs here")

    Absent.__name__ = Absent.__qualname__ = name
    return Absent


Topology, DeviceAssignment, TPUEstimator, RunConfig = map(
    _absent, ("Topology", "DeviceAssignment", "TPUEstimator", "RunConfig")
)
