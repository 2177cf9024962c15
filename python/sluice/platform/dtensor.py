"""tf.experimental.dtensor: its names are there, since packages import them; what would make a mesh says that there are none."""

from __future__ import annotations

MATCH, UNSHARDED = "match", "unsharded"

_CLASSES = "DTensorCheckpoint DTensorDataset DVariable Layout Mesh"
_FUNCTIONS = (
    "barrier call_with_layout check_layout client_id copy_to_mesh create_distributed_mesh create_mesh create_tpu_mesh "
    "default_mesh device_name fetch_layout full_job_name heartbeat_enabled initialize_accelerator_system is_dtensor job_name jobs "
    "local_devices name_based_restore name_based_save num_clients num_global_devices num_local_devices pack preferred_device_type "
    "relayout relayout_like run_on sharded_save shutdown_accelerator_system unpack"
)


_DOC = "NotImplementedError: tensors are not laid out over meshes of devices."


def _refuse(name):
    raise NotImplementedError(f"tf.experimental.dtensor.{name}: tensors are not laid out over meshes of devices")


def _class(name):
    def init(self, *args, **kwargs):
        _refuse(name)

    return type(name, (), {"__init__": init, "__module__": __name__, "__doc__": _DOC})


def _function(name):
    def call(*args, **kwargs):
        _refuse(name)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = _DOC
    return call


globals().update({name: _class(name) for name in _CLASSES.split()})
globals().update({name: _function(name) for name in _FUNCTIONS.split()})


def is_dtensor(tensor) -> bool:
    """False: no tensor is laid out over a mesh."""
    return False
