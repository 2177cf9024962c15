"""Names of tf.experimental, tf.debugging, tf.mlir and compat.v1.resource_loader that concern the process."""

from __future__ import annotations

import contextlib
import os
import sys

from ..core import tensor, tracebacks


@contextlib.contextmanager
def async_scope():
    """Ops within may run later; here they have run when their calls return, and errors come at once."""
    yield


def async_clear_error():
    """Forgets errors of ops that ran later: there are none."""


@contextlib.contextmanager
def function_executor_type(executor_type):
    """Which executor runs functions: there is one. ValueError for a name that is no text."""
    if executor_type is not None and not isinstance(executor_type, str):
        raise ValueError(f"executor_type must be a string, got {executor_type!r}")
    yield


def enable_strict_mode():
    """Deprecated behaviour raises errors."""
    raise NotImplementedError("tf.experimental.enable_strict_mode")


def register_filesystem_plugin(plugin_location):
    """NotImplementedError: file systems are not loaded from files."""
    raise NotImplementedError("tf.experimental.register_filesystem_plugin: files are those of the operating system")


class _Capsule:
    """What numpy takes a DLPack capsule of."""

    def __init__(self, capsule):
        self._capsule = capsule

    def __dlpack__(self, **kwargs):
        return self._capsule

    def __dlpack_device__(self):
        return 1, 0  # kDLCPU


def to_dlpack(tf_tensor):
    """A DLPack capsule of a tensor's elements."""
    return tf_tensor.numpy().__dlpack__()


def from_dlpack(dlcapsule):
    """A tensor of what a DLPack capsule has."""
    import numpy

    return tensor.convert(numpy.from_dlpack(_Capsule(dlcapsule)))


# ---- debugging


def enable_traceback_filtering():
    """Errors of tracing show the program's lines alone, without the package's own frames. It is so from the start."""
    tracebacks.filters = True


def disable_traceback_filtering():
    """Tracebacks show the package's own frames, too."""
    tracebacks.filters = False


def is_traceback_filtering_enabled():
    """Whether tracebacks leave out the package's own frames."""
    return tracebacks.filters


def enable_dump_debug_info(
    dump_root, tensor_debug_mode="NO_TENSOR", circular_buffer_size=1000, op_regex=None, tensor_dtypes=None
):
    """NotImplementedError: tensors are not dumped."""
    raise NotImplementedError("tf.debugging.experimental.enable_dump_debug_info")


def disable_dump_debug_info():
    """Nothing is dumped."""


# ---- mlir


def _no_mlir(name, parameters):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"tf.mlir.experimental.{name}: there is no MLIR")

    refuse.__name__, refuse.__doc__ = name, f"Takes {parameters}; NotImplementedError."
    return refuse


convert_function = _no_mlir("convert_function", "a concrete function")
convert_graph_def = _no_mlir("convert_graph_def", "a GraphDef")
convert_saved_model = _no_mlir("convert_saved_model", "a SavedModel's path")
convert_saved_model_v1 = _no_mlir("convert_saved_model_v1", "a SavedModel's path")
run_pass_pipeline = _no_mlir("run_pass_pipeline", "a module's text")
write_bytecode = _no_mlir("write_bytecode", "a file's name and a module's text")
tflite_to_tosa_bytecode = _no_mlir("tflite_to_tosa_bytecode", "two files' names")


# ---- resources beside a program


def _callers_folder():
    return os.path.dirname(os.path.abspath(sys._getframe(2).f_globals.get("__file__", "")))


def get_data_files_path():
    """The directory of the calling file."""
    return _callers_folder()


def get_root_dir_with_all_resources():
    return _callers_folder()


def get_path_to_datafile(path):
    """The path of a file beside the calling one."""
    return os.path.join(_callers_folder(), path)


def load_resource(path):
    """The bytes of a file beside the package."""
    with open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), path), "rb") as f:
        return f.read()


def readahead_file_path(path, readahead="128M"):
    return path
