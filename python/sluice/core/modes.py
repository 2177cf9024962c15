"""How the package behaves: as TensorFlow 2, or in part or whole as TensorFlow 1. Set by tf.compat.v1.enable_* and disable_*."""

from __future__ import annotations

from .. import _native

eager = True
resource_variables = True
control_flow_v2 = True
tensor_shape_v2 = True
tensor_equality = True


def set_eager(flag: bool) -> None:
    """False: ops outside of every other graph make nodes of the default graph."""
    global eager
    eager = flag
    _native.set_graph_mode(not flag)


def enable_eager_execution(config=None, device_policy=None, execution_mode=None):
    """Ops outside of graphs run at once, as they do from the start. ValueError once a graph has been begun without."""
    if not eager:
        from . import graph

        if graph.default_is_used():
            raise ValueError("tf.enable_eager_execution must be called at program startup.")
    set_eager(True)


def disable_eager_execution():
    """Ops outside of all graphs make nodes of the default graph, as in TensorFlow 1."""
    set_eager(False)


def enable_v2_behavior():
    set_eager(True)
    enable_resource_variables()
    enable_v2_tensorshape()
    enable_tensor_equality()
    enable_control_flow_v2()


def disable_v2_behavior():
    """As TensorFlow 1 behaves: graphs, reference variables, Dimensions in shapes, tensors equal only to themselves."""
    set_eager(False)
    disable_resource_variables()
    disable_v2_tensorshape()
    disable_tensor_equality()
    disable_control_flow_v2()


def enable_resource_variables():
    global resource_variables
    resource_variables = True


def disable_resource_variables():
    """compat.v1.Variable and get_variable make reference variables, unless asked otherwise."""
    global resource_variables
    resource_variables = False


def resource_variables_enabled() -> bool:
    return resource_variables


def enable_v2_tensorshape():
    _set_tensor_shape(True)


def disable_v2_tensorshape():
    """Items of a TensorShape are Dimensions."""
    _set_tensor_shape(False)


def _set_tensor_shape(flag):
    global tensor_shape_v2
    tensor_shape_v2 = flag


def enable_tensor_equality():
    _set_equality(True)


def disable_tensor_equality():
    """`==` asks whether two tensors are the same object; tensors may be keys."""
    _set_equality(False)


def _set_equality(flag):
    global tensor_equality
    tensor_equality = flag
    _native.set_tensor_equality(flag)


def enable_control_flow_v2():
    global control_flow_v2
    control_flow_v2 = True


def disable_control_flow_v2():
    global control_flow_v2
    control_flow_v2 = False


def control_flow_v2_enabled() -> bool:
    return control_flow_v2
