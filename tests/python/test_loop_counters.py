"""Frozen functions have loops as TensorFlow makes them: a counter, its bound, then the loop's own variables."""

import numpy as np
import pytest

import sluice as tf
from sluice.platform.frozen_functions import convert_variables_to_constants_v2 as freeze

X = tf.TensorSpec([2], tf.float32, name="x")
N = tf.TensorSpec([], tf.int32, name="n")


def _halves(i, x):
    return i + 1, x * 0.5


def plain(x, n):
    return tf.while_loop(lambda i, y: tf.reduce_sum(y) > 1.0, _halves, [n, x])


def bound(x, n):
    return tf.while_loop(lambda i, y: tf.reduce_sum(y) > 1.0, _halves, [n, x], maximum_iterations=3)


def bound_by_a_tensor(x, n):
    return tf.while_loop(lambda i, y: tf.reduce_sum(y) > 1.0, _halves, [n, x], maximum_iterations=n)


def converted(x, n):
    i = 0
    while i < n:
        x = x * 2.0
        i += 1
    return i, x


def nested(x, n):
    i = 0
    while i < n:
        for j in tf.range(i):
            x += tf.cast(j, tf.float32)
        i += 1
    return i, x


def array(x, n):
    made = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for k in tf.range(n):
        made = made.write(k, x * tf.cast(k, tf.float32))
    return made.stack()


def mapped(x, n):
    return tf.map_fn(lambda v: v + tf.cast(n, tf.float32), x)


def in_a_branch(x, n):
    if n > 2:
        while tf.reduce_sum(x) < 100.0:
            x = x * 2.0
    return x


def _bodies(graph_def):
    return [graph_def.node, *(f.node_def for f in graph_def.library.function)]


def _loops(graph_def):
    return [node for nodes in _bodies(graph_def) for node in nodes if node.op in ("While", "StatelessWhile")]


def _source(function, text):
    """Where a value comes from, through nodes that hand it on."""
    nodes = {n.name: n for n in function.node_def}
    while (node := nodes.get(text.partition(":")[0])) is not None and node.op == "Identity":
        text = node.input[0]
    return text


@pytest.mark.parametrize("f", [plain, bound, bound_by_a_tensor, converted, nested, array, mapped, in_a_branch])
@pytest.mark.parametrize("times", [1, 2])
def test_loops_have_a_counter_and_its_bound_first(f, times):
    concrete = frozen = tf.function(f, input_signature=[X, N]).get_concrete_function()
    for _ in range(times):
        frozen = freeze(frozen)
    for n in (4, 0, 2):
        arguments = tf.constant([3.0, 5.0]), tf.constant(n)
        expected = tf.nest.flatten(concrete(*arguments))
        for made, wanted in zip(tf.nest.flatten(frozen(*arguments)), expected, strict=True):
            assert np.array_equal(made, wanted)
    graph_def = frozen.graph.as_graph_def()
    functions = {g.signature.name: g for g in graph_def.library.function}
    loops = _loops(graph_def)
    assert len(loops) == (2 if f is nested else 1)
    for node in loops:
        cond, body = (functions[node.attr[k].func.name] for k in ("cond", "body"))
        count = len(node.attr["T"].list.type)
        assert len(node.input) == count == len(body.signature.input_arg) == len(body.signature.output_arg)
        assert count == len(cond.signature.input_arg)
        for of in (cond, body):
            counter, most = of.signature.input_arg[:2]
            assert "loop_counter" in counter.name and "maximum_iterations" in most.name
            assert counter.type == most.type == tf.int32.as_datatype_enum
        first, second = (_source(body, body.ret[a.name]) for a in body.signature.output_arg[:2])
        assert second == body.signature.input_arg[1].name and first != body.signature.input_arg[0].name
        shapes = node.attr["output_shapes"].list.shape
        assert not shapes or len(shapes) == count and not shapes[0].dim


def test_the_bound_is_the_second_input():
    for f, wanted in ((plain, -1), (bound, 3)):
        graph_def = freeze(tf.function(f, input_signature=[X, N]).get_concrete_function()).graph.as_graph_def()
        (node,) = _loops(graph_def)
        (most,) = [n for n in graph_def.node if n.name == node.input[1]]
        assert tf.make_ndarray(most.attr["value"].tensor) == wanted
    (node,) = _loops(
        freeze(tf.function(bound_by_a_tensor, input_signature=[X, N]).get_concrete_function()).graph.as_graph_def()
    )
    assert node.input[1] == "n"


def test_a_variable_in_a_loop_is_a_constant():
    v = tf.Variable(2.0)

    @tf.function(input_signature=[X, N])
    def f(x, n):
        for _ in tf.range(n):
            x = x * v
        return x

    frozen = freeze(f.get_concrete_function())
    v.assign(7.0)
    assert frozen(tf.constant([1.0, 3.0]), tf.constant(3))[0].numpy().tolist() == [8, 24]


def test_names_within_loops_are_of_one_place_only():
    graph_def = freeze(tf.function(nested, input_signature=[X, N]).get_concrete_function()).graph.as_graph_def()
    names = [node.name for nodes in _bodies(graph_def) for node in nodes]
    assert len(names) == len(set(names))
