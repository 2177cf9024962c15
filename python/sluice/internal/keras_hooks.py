"""What Keras 2 tells TensorFlow and asks of it: functions of its own that it registers, modes, branches by device."""

from __future__ import annotations

import contextlib

from ..compat import v1
from ..core import nest
from ..core.dtypes import int64
from ..core.op_defs import op
from ..ops.array_ops import constant
from ..ops.functional_ops import map_fn as _map_fn

_registered: dict[str, object] = {}  # what for -> function
_uses_mixed_precision = False


class KerasModeKeys:
    """What a model is made to do."""

    TRAIN, TEST, PREDICT = "train", "test", "predict"


class ControlStatus:
    """Whether functions are converted: they are where a function is traced."""

    status = "UNSPECIFIED"


def control_status_ctx():
    return ControlStatus()


def _registration(what):
    def register(function):
        _registered[what] = function

    return register


register_call_context_function = _registration("call_context")
register_clear_session_function = _registration("clear_session")
register_get_session_function = _registration("get_session")
register_load_model_function = _registration("load_model")
register_session_provider = _registration("session_provider")


def register_loss_scale_wrapper(optimizer_cls, wrapper_fn, wrapper_cls=None):
    """Tells by what optimizers of a class are wrapped that scale their loss."""
    _registered["loss_scale", optimizer_cls] = wrapper_fn


def set_using_mixed_precision_policy(is_using):
    global _uses_mixed_precision
    _uses_mixed_precision = is_using


def is_mixed_precision_graph_rewrite_enabled():
    """False: graphs keep the types that they were made with."""
    return False


def execute_fn_for_device(device_branch_fns, default_branch, name="execute_fn"):
    """The branch of the devices that there are, which is the CPU's."""
    return device_branch_fns.get("CPU", default_branch)()


@contextlib.contextmanager
def variable_sync_on_read_context():
    """Within it variables of several replicas are read as one. There is one replica."""
    yield


def TF_ListPluggablePhysicalDevices():
    return []


def get_enclosing_xla_context():
    """None: nothing is compiled by XLA."""
    return None


def cache_variable_reads():
    """A scope in which variables of several replicas are read once."""
    return contextlib.nullcontext()


def auto_shard_dataset(dataset, num_shards, index, num_replicas_in_sync=None):
    """The part of a dataset that one of the workers reads."""
    return dataset if num_shards == 1 else dataset.shard(num_shards, index)


def compute_batch_size(dataset):
    """The rows of a batch, as an int64 tensor: by the shapes of the elements, or by the steps that make them; -1 when unknown."""
    shapes = [leaf.shape for leaf in nest.flatten(dataset.element_spec)]
    found = {shape[0] if shape.rank else None for shape in shapes}
    if None not in found and len(found) == 1:
        return constant(found.pop(), int64)
    return op("ComputeBatchSize")(dataset._variant_tensor)


def ragged_map_fn(
    fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True, name=None
):
    """map_fn, whose results may be ragged."""
    return _map_fn(
        fn,
        elems,
        fn_output_signature=dtype,
        parallel_iterations=parallel_iterations,
        infer_shape=infer_shape,
        name=name,
    )


def assert_splits_match(nested_splits_lists):
    """Assertions that row splits are the same in all lists. ValueError when they differ in number."""
    first = nested_splits_lists[0]
    for other in nested_splits_lists:
        if len(other) != len(first):
            raise ValueError("Inputs must have identical ragged splits")
    return [
        v1.assert_equal(a, b, message="Inputs must have identical ragged splits")
        for other in nested_splits_lists[1:]
        for a, b in zip(first, other)
    ]


class DatasetOfKind:
    """Kinds of datasets that are told apart by class elsewhere: those here are of one class, and none of these."""


def serialize_feature_column(column):
    """NotImplementedError: feature columns are not written down."""
    raise NotImplementedError("tf.feature_column: configurations of columns")


def deserialize_feature_column(config, custom_objects=None, columns_by_name=None):
    """NotImplementedError: feature columns are not read from their configurations."""
    raise NotImplementedError("tf.feature_column: configurations of columns")
