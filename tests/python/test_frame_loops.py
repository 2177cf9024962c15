"""Loops of TensorFlow 1: of Enter, Merge, Switch, NextIteration and Exit in the one graph."""

import threading

import pytest

import sluice as tf
from sluice.core import modes

v1 = tf.compat.v1


@pytest.fixture(autouse=True)
def old_control_flow():
    before = modes.control_flow_v2
    v1.disable_control_flow_v2()
    with tf.Graph().as_default():
        yield
    modes.control_flow_v2 = before


def run(tensors, feed=None):
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        return [x.tolist() for x in session.run(tensors, feed)]


def nodes(prefix):
    """By name what a node of the loop reads and waits for."""
    found = [o for o in v1.get_default_graph().get_operations() if o.name.startswith(prefix)]
    return {
        o.name[len(prefix) :]: " ".join([i.name for i in o.inputs] + ["^" + c.name for c in o.control_inputs])
        for o in found
    }


def test_nodes_of_a_loop_are_named_and_joined_as_in_tensorflow():
    m = tf.constant(3.0, name="m")
    v1.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * m), [tf.constant(0), tf.constant(1.0)])
    assert nodes("while/") == {
        "Enter": "Const:0",
        "Enter_1": "Const_1:0",
        "Merge": "while/Enter:0 while/NextIteration:0",
        "Merge_1": "while/Enter_1:0 while/NextIteration_1:0",
        "Less/y": "^while/Merge",
        "Less": "while/Merge:0 while/Less/y:0",
        "LoopCond": "while/Less:0",
        "Switch": "while/Merge:0 while/LoopCond:0",
        "Switch_1": "while/Merge_1:0 while/LoopCond:0",
        "Identity": "while/Switch:1",
        "Identity_1": "while/Switch_1:1",
        "add/y": "^while/Identity",
        "add": "while/Identity:0 while/add/y:0",
        "mul/Enter": "m:0",
        "mul": "while/Identity_1:0 while/mul/Enter:0",
        "NextIteration": "while/add:0",
        "NextIteration_1": "while/mul:0",
        "Exit": "while/Switch:0",
        "Exit_1": "while/Switch_1:0",
    }


def test_options_are_in_the_nodes():
    made = v1.while_loop(
        lambda i: i < 10, lambda i: [i + 1], [tf.constant(0)], parallel_iterations=2, maximum_iterations=4, name="lp"
    )
    g = v1.get_default_graph()
    enter = g.get_operation_by_name("lp/Enter_1")
    assert (enter.get_attr("frame_name"), enter.get_attr("parallel_iterations")) == (b"lp/while_context", 2)
    assert g.get_operation_by_name("lp/Less/Enter").get_attr("is_constant")
    assert made.name == "lp/Exit_1:0" and run([made]) == [4]


def test_what_a_body_waits_for_outside_is_read_within():
    x, none = tf.constant(1.0, name="x"), tf.no_op(name="none")
    with tf.control_dependencies([x, none]):
        made = v1.while_loop(lambda i: i < 3, lambda i: i + tf.constant(1), [tf.constant(0)])
    found = nodes("while/")
    assert found["Less/y"] == "^while/Merge ^while/Less/Identity"
    assert found["Less/Identity"] == "while/Less/Identity/Enter:0 ^while/Merge"
    assert found["Const"] == "^while/Identity ^while/Identity_1"
    assert run([made]) == [3]


@pytest.mark.parametrize("resource", [True, False])
def test_variables_are_assigned_to_in_each_iteration(resource):
    v = v1.get_variable("v", initializer=2.0, use_resource=resource)

    def body(i):
        with tf.control_dependencies([v1.assign_add(v, 1.0)]):
            return i + 1

    made = v1.while_loop(lambda i: i < 3, body, [tf.constant(0)])
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        session.run(made)
        assert session.run(v) == 5.0


def test_a_reference_is_a_loop_variable():
    v = v1.get_variable("v", initializer=2.0, use_resource=False)
    made = v1.while_loop(lambda i, r: i < 3, lambda i, r: (i + 1, v1.assign_add(r, 1.0)), [tf.constant(0), v._ref()])
    assert made[1].op.type == "RefExit" and run(made) == [3, 5.0]


@pytest.mark.parametrize("p, want", [(True, [32.0, 80.0]), (False, [4.0, 2.0])])
def test_loops_and_branches_within_each_other_and_their_gradients(p, want):
    pred, x = v1.placeholder(tf.bool, []), tf.constant(2.0)

    def inner(i, y):
        return i + 1, v1.cond(y > 1e6, lambda: y, lambda: v1.while_loop(lambda z: z < 3.0, lambda z: z * x, [y]) * x)

    y = v1.cond(pred, lambda: v1.while_loop(lambda i, y: i < 3, inner, [0, x])[1], lambda: x * 2.0)
    assert run([y, v1.gradients(y, x)[0]], {pred: p}) == want


def test_gradient_through_invariants_and_first_values():
    x = tf.constant(2.0)
    y = v1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1]
    first = v1.gradients(y, x)[0]
    assert run([y, first, v1.gradients(first, x)[0]]) == [16.0, 32.0, 48.0]


def test_loops_without_gradients():
    x = tf.constant(2.0)
    y = v1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x], back_prop=False)[1]
    assert v1.gradients(y, x) == [None]
    assert run(v1.gradients(x * 3.0 + y, x)) == [3.0]


def test_gradients_that_are_asked_for_in_a_body():
    x = tf.constant(2.0, name="x")
    made = v1.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, v1.gradients(y * y * x, [x])[0]), [0, 3.0])
    assert run(made) == [2, 81.0]
    made = v1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, v1.gradients(y * y * x, [y])[0]), [0, 1.0])
    assert run(made) == [3, 64.0]
    with pytest.raises(ValueError, match="Cannot compute gradient inside while loop with respect to op 'x'"):
        v1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, v1.gradients(y * y, [x])[0]), [0, x])


def test_what_is_in_a_loop_is_used_there_alone():
    inside = []

    def body(i):
        inside.append(tf.constant(1, name="a"))
        return i + inside[-1]

    v1.while_loop(lambda i: i < 3, body, [0])
    with pytest.raises(
        ValueError, match="Cannot use 'while/a' as input to 'add' because 'while/a' is in a while loop."
    ):
        inside[0] + 1
    with pytest.raises(ValueError, match="input to 'while_1/add' because they are in different while loops."):
        v1.while_loop(lambda i: i < 3, lambda i: i + inside[0], [0])
    with pytest.raises(ValueError, match="not fetchable|be fetched"):
        run(inside)


def test_shapes():
    x = tf.constant([1.0])

    def double(i, y):
        return i + 1, tf.concat([y, y], 0)

    with pytest.raises(ValueError, match="'Const:0' enters the loop with shape .1,., but has shape .2,. after one"):
        v1.while_loop(lambda i, y: i < 2, double, [0, x])
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    made = v1.while_loop(lambda i, y: i < 2, double, [0, x], shape_invariants=shapes)
    assert made[1].shape.as_list() == [None] and run(made) == [2, [1.0] * 4]


def test_arrays_and_sparse_tensors_are_loop_variables():
    s = tf.sparse.SparseTensor([[0, 0]], [1.0], [2, 2])
    a = tf.TensorArray(tf.float32, 3)
    _, s, a = v1.while_loop(
        lambda i, s, a: i < 3,
        lambda i, s, a: (i + 1, s * 2.0, a.write(i, tf.cast(i, tf.float32))),
        [tf.constant(0), s, a],
    )
    assert run([s.values, a.stack()]) == [[8.0], [0.0, 1.0, 2.0]]


def test_map_and_scan_are_such_loops():
    x = tf.constant(2.0)
    rows = tf.constant([1.0, 2.0])
    made = [
        tf.map_fn(lambda y: y * x, rows),
        tf.scan(lambda a, y: a + y * x, rows),
        tf.foldl(lambda a, y: a + y * x, rows),
    ]
    assert all(o.type != "While" for o in v1.get_default_graph().get_operations())
    assert run([*made, v1.gradients(made, x)[0]]) == [[2.0, 4.0], [1.0, 5.0], 5.0, 7.0]


def test_contexts_are_in_meta_graphs():
    x = tf.constant(2.0, name="x")

    def body(i, y):
        return i + 1, v1.cond(
            y > 3.0, lambda: v1.while_loop(lambda z: z < 100.0, lambda z: z * x, [y]), lambda: y + 1.0
        )

    v1.while_loop(lambda i, y: i < 3, body, (0, x), maximum_iterations=5, name="w")
    meta = v1.train.export_meta_graph()
    with tf.Graph().as_default() as g:
        v1.train.import_meta_graph(meta, import_scope="im")
        (loop,) = v1.get_collection("while_context")
        assert loop.name == "im/w/while_context" and [c.is_loop for c in loop.nested] == [False, False]
        y = g.get_tensor_by_name("im/w/Exit_2:0")
        assert run([y, *v1.gradients(y, g.get_tensor_by_name("im/x:0"))]) == [128.0, 352.0]
        with pytest.raises(ValueError, match="because 'im/w/add' is in a while loop"):
            g.get_tensor_by_name("im/w/add:0") + 1
        assert loop.to_proto("im").context_name == "w/while_context" and loop.to_proto("other") is None


@pytest.mark.parametrize("resource, text", [(True, "`initial_value` passed to"), (False, "Initializer for variable")])
def test_variables_are_not_made_of_values_in_a_loop(resource, text):
    def body(i):
        return i + v1.Variable(tf.zeros([], tf.int32) + i, use_resource=resource)

    with pytest.raises(ValueError, match=text + ".* is from inside a control-flow"):
        v1.while_loop(lambda i: i < 3, body, [0])
    made = v1.while_loop(lambda i: i < 3, lambda i: i + v1.Variable(lambda: 2, use_resource=resource), [0])
    assert run([made]) == [4]


def test_threads_build_loops_in_one_graph():
    g, made, errors = v1.get_default_graph(), [], []

    def build(n):
        try:
            with g.as_default():
                for _ in range(5):
                    made.append(v1.while_loop(lambda i: i < n, lambda i: i + 1, [0]))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=build, args=(n,)) for n in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors and sorted(run(made)) == [n for n in range(6) for _ in range(5)]


def test_imported_loops_have_frames_of_their_own():
    made = v1.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    g = v1.get_default_graph()
    tf.import_graph_def(g.as_graph_def(), name="im")
    assert g.get_operation_by_name("im/while/Enter").get_attr("frame_name") == b"im/while/while_context"
    assert run([made, g.get_tensor_by_name("im/while/Exit:0")]) == [3, 3]
