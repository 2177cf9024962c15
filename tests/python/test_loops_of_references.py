"""Loops of TensorFlow 1 that assign reference variables: what TensorFlow 2.21 gave for the same programs."""

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


def variable(value):
    return v1.Variable(value, use_resource=False)


def run(loop, *later):
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        found = [*session.run([loop] if not isinstance(loop, (list, tuple)) else list(loop))]
        found += [session.run(v) for v in later]
    return [x.tolist() for x in found]


def after(op, value):
    with tf.control_dependencies([op]):
        return tf.identity(value)


def test_assigned_beside_the_loop_variables():
    v = variable(0)
    assert run(v1.while_loop(lambda i: i < 5, lambda i: after(v1.assign_add(v, i), i + 1), [0]), v) == [5, 10]


def test_a_loop_variable_takes_what_was_assigned():
    v = variable(1.0)
    loop = v1.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, v1.assign(v, a * 2.0)), [0, 1.0])
    assert run(loop, v) == [5, 32.0, 32.0]


def test_the_first_value_is_the_variable():
    v = variable([1.0, 2.0])
    loop = v1.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, v1.assign_sub(v, x * 0.5)), [0, v])
    assert run(loop, v) == [3, [0.125, 0.25], [0.125, 0.25]]


def test_a_reference_as_loop_variable():
    v = variable(0)
    assert run(v1.while_loop(lambda x: x < 5, lambda x: [v1.assign_add(x, 1)], [v._ref()]), v) == [5, 5]


def test_scattered_updates():
    v = variable([0, 0, 0, 0])
    body = lambda i: after(v1.scatter_update(v, [i], [i * 10]), i + 1)  # noqa: E731
    assert run(v1.while_loop(lambda i: i < 4, body, [0]), v) == [4, [0, 10, 20, 30]]


def test_elements():
    v = variable([1.0, 2.0])
    body = lambda i: after(v[0].assign(tf.cast(i, tf.float32)), i + 1)  # noqa: E731
    assert run(v1.while_loop(lambda i: i < 4, body, [0]), v) == [4, [3.0, 2.0]]


def test_loops_in_loops():
    v = variable(0)

    def body(i):
        inner = v1.while_loop(lambda j: j < 3, lambda j: after(v.assign_add(j), j + 1), [0])
        return after(inner, i + 1)

    assert run(v1.while_loop(lambda i: i < 2, body, [0]), v) == [2, 6]


def test_branches_in_loops():
    v = variable(0)

    def body(i):
        made = v1.cond(tf.equal(i % 2, 0), lambda: v1.assign_add(v, 10), lambda: v1.assign_add(v, 1))
        return after(made, i + 1)

    assert run(v1.while_loop(lambda i: i < 4, body, [0]), v) == [4, 22]


def test_the_condition_reads_what_the_body_assigns():
    v = variable(0)
    assert run(v1.while_loop(lambda i: v < 6, lambda i: after(v1.assign_add(v, 2), i + 1), [0]), v) == [3, 6]


def test_the_condition_assigns():
    v = variable(0)
    assert run(v1.while_loop(lambda i: v1.assign_add(v, 1) < 6, lambda i: i + 1, [0]), v) == [5, 6]


@pytest.mark.parametrize(
    "optimizer, want",
    [(v1.train.GradientDescentOptimizer, 0.512), (v1.train.AdamOptimizer, 0.7015873)],
)
def test_training_in_a_loop(optimizer, want):
    """Each step reads what the one before has assigned."""
    v, trainer = variable(1.0), optimizer(0.1)

    def body(i):
        return after(trainer.minimize(tf.square(v), var_list=[v]), i + 1)

    count, last = run(v1.while_loop(lambda i: i < 3, body, [0]), v)
    assert count == 3 and last == pytest.approx(want, rel=1e-6)


def test_gradients_by_a_reference_in_a_loop():
    v = variable(3.0)

    def body(i, a):
        read, anew = tf.square(v), v.read_value()
        return i + 1, a + v1.gradients(read * anew, v)[0]

    assert run(v1.while_loop(lambda i, a: i < 2, body, [0, 0.0])) == [2, 54.0]


def test_gradients_of_a_loop_that_reads():
    v = variable(2.0)
    y = v1.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * v), [0, 1.0])[1]
    assert run([y, v1.gradients(y, v)[0]]) == [8.0, 12.0]


def test_loops_that_only_read_have_no_further_nodes():
    v = variable(2)
    v1.while_loop(lambda i: i < 9, lambda i: i + v, [0])
    reads = [o.name for o in v1.get_default_graph().get_operations() if o.type == "Identity"]
    assert reads == ["Variable/read", "while/Identity"]
