"""TensorArrays of TensorFlow 1's graphs: resources and flows, with their gradients, in loops that are nodes.

data/tensor_arrays_v1.tsv has expressions and what TensorFlow gives for them, values or the error's class; the names of the nodes are
in data/node_names/v1_tensor_arrays.tsv."""

import pathlib

import numpy as np
import pytest
import sluice as tf

v1 = tf.compat.v1
DATA = pathlib.Path(__file__).parent / "data" / "tensor_arrays_v1.tsv"
ROWS = [line.split("\t") for line in DATA.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(autouse=True)
def control_flow_of_version_1():
    v1.disable_control_flow_v2()
    yield
    v1.enable_control_flow_v2()


def outcome(expression):
    """The values in a session, as text; or the class of what is raised."""
    with tf.Graph().as_default() as graph:
        known = {
            "tf": tf,
            "v1": v1,
            "W": v1.while_loop,
            "g": v1.gradients,
            "x": v1.placeholder(tf.float32, [2, 3], "x"),
            "k": v1.placeholder(tf.float32, [], "k"),
        }
        try:
            made = eval(expression, known)
            made = made.flow if isinstance(made, tf.TensorArray) else made
            with v1.Session() as session:
                values = session.run(tf.nest.flatten(made), {"x:0": [[1, 2, 3], [4, 5, 6]], "k:0": 2.0})
        except (ValueError, TypeError, tf.errors.OpError) as error:
            return type(error).__name__, graph
        return str([np.asarray(v).tolist() for v in values]), graph


@pytest.mark.parametrize("expression, wanted", ROWS, ids=[row[0] for row in ROWS])
def test_outcome(expression, wanted):
    made, graph = outcome(expression)
    assert made == wanted
    assert all(o.type != "TensorListReserve" for o in graph.get_operations())


def test_second_order():
    """TensorFlow refuses gradients of gradients of these loops."""
    made, _ = outcome("g(g(tf.scan(lambda a,c:a*c,x),x)[0],x)")
    assert made == "[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]"


def test_writes_are_beside_the_first_value():
    with tf.Graph().as_default() as graph:
        x, y = (v1.placeholder(tf.float32, [], name) for name in "xy")
        with tf.device("/cpu:0"):
            v1.TensorArray(tf.float32, 2).write(0, x).write(1, y)
            v1.TensorArray(tf.float32, 2, colocate_with_first_write_call=False, name="own").write(0, x)
        classes = {
            o.name: o.get_attr("_class")
            for o in graph.get_operations()
            if o.type == "TensorArrayWriteV3" and o.colocation_groups()[0] == b"loc:@x"
        }
        assert set(classes) == {"TensorArrayWrite/TensorArrayWriteV3", "TensorArrayWrite_1/TensorArrayWriteV3"}
        assert graph.get_operation_by_name("TensorArray").device == ""
        assert graph.get_operation_by_name("own").device != ""


def test_functions_have_lists():
    """A function's loops are While, whatever its graph's are."""
    f = tf.function(lambda x: tf.map_fn(lambda a: a * 2, x))
    types = {o.type for o in f.get_concrete_function(tf.TensorSpec([2], tf.float32)).graph.get_operations()}
    assert "TensorListStack" in types and "TensorArrayV3" not in types
