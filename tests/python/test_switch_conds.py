"""Conditionals of TensorFlow 1: of Switch and Merge in the one graph, where reference variables can be assigned to."""

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


@pytest.mark.parametrize("taken, want", [(True, [9.0, 6.0]), (False, [3.0, 1.0])])
def test_value_and_gradient(taken, want):
    p, x = v1.placeholder(tf.bool, []), tf.constant(3.0)
    y = v1.cond(p, lambda: x * x, lambda: x)
    assert y.op.type == "Merge"
    assert run([y, v1.gradients(y, x)[0]], {p: taken}) == want


@pytest.mark.parametrize("taken, want", [(True, [3.0, 3.0]), (False, [20.0, 20.0])])
def test_reference_variables_are_assigned_in_the_branch_that_is_taken(taken, want):
    p, v = v1.placeholder(tf.bool, []), v1.get_variable("v", initializer=2.0, use_resource=False)
    y = v1.cond(p, lambda: v1.assign_add(v, 1.0), lambda: v1.assign(v, v * 10.0))
    with tf.control_dependencies([y]):
        after = v.read_value()
    assert run([y, after], {p: taken}) == want


def test_only_what_is_asked_for_runs():
    v, w = (v1.get_variable(n, initializer=7, use_resource=True) for n in "vw")
    pair = v1.cond(
        tf.constant(True), lambda: [v1.assign(v, 1).op, v1.assign(w, 2).op], lambda: [v1.no_op(), v1.no_op()]
    )
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        session.run(pair[1])
        assert session.run([v, w]) == [7, 2]


@pytest.mark.parametrize("a, b, want", [(True, True, 4.0), (True, False, 6.0), (False, True, 2.0)])
def test_nested_with_a_loop(a, b, want):
    p, q, x = v1.placeholder(tf.bool, []), v1.placeholder(tf.bool, []), tf.constant(2.0)

    def inner():
        loop = v1.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + x), [0, x])[1]
        return v1.cond(q, lambda: x * 2.0, lambda: loop)

    assert run([v1.cond(p, inner, lambda: x)], {p: a, q: b}) == [want]


def test_what_is_in_a_branch_is_not_fetched():
    inside = []
    p = v1.placeholder(tf.bool, [])
    v1.cond(p, lambda: inside.append(tf.constant(1.0) + 1.0) or inside[0], lambda: tf.constant(0.0))
    with pytest.raises(ValueError, match="not fetchable|be fetched"):
        run(inside, {p: True})
