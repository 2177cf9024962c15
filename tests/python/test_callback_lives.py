"""How long Python functions live that nodes call: as long as what may still call them, and no longer."""

import gc
import weakref

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1
x = tf.constant([1.0, 2.0])


class Adds:
    """A function whose life can be watched."""

    def __init__(self):
        self.by = 1.0

    def __call__(self, v):
        return np.asarray(v, np.float32) + np.float32(self.by)

    def node(self, t):
        made = tf.numpy_function(self, [t], tf.float32)
        made.set_shape(t.shape)
        return made


def in_a_function(f):
    return tf.function(lambda t: tf.py_function(f, [t], tf.float32))


def in_branches_and_loops(f):
    @tf.function
    def g(t):
        if tf.reduce_sum(t) > 0.0:
            t = f.node(t)
        for _ in tf.range(2):
            t = f.node(t)
        return t

    return g


def in_an_inner_function(f):
    inner = tf.function(f.node)
    return tf.function(lambda t: inner(t) * 2.0)


def in_a_concrete_function(f):
    return tf.function(f.node).get_concrete_function(tf.TensorSpec([2]))


def in_a_part(f):
    whole = v1.wrap_function(f.node, [tf.TensorSpec([2])])
    part = whole.prune(whole.inputs[0], whole.outputs[0])
    return lambda t: part(t)


def in_a_frozen_function(f):
    from sluice.platform.frozen_functions import convert_variables_to_constants_v2

    frozen = convert_variables_to_constants_v2(in_a_concrete_function(f))
    return lambda t: frozen(t)[0]


def in_a_graph_that_calls_a_function(f):
    with tf.Graph().as_default() as g:
        a = v1.placeholder(tf.float32, [2])
        b = tf.function(f.node)(a)

    def run(t):
        with v1.Session(graph=g) as session:
            return session.run(b, {a: t.numpy()})

    return run


def in_a_dataset(f):
    dataset = tf.data.Dataset.from_tensors(x).map(f.node).repeat(2)
    return lambda t: list(iter(dataset))


def in_a_generator(f):
    def numbers():
        yield f(1.0)

    dataset = tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.float32)).map(
        lambda v: v + 1.0
    )
    return lambda t: list(iter(dataset))


@pytest.mark.parametrize(
    "make",
    [in_a_function, in_branches_and_loops, in_an_inner_function, in_a_concrete_function, in_a_part, in_a_frozen_function,
     in_a_graph_that_calls_a_function, in_a_dataset, in_a_generator],
)  # fmt: skip
def test_functions_live_as_long_as_their_graphs(make):
    function = Adds()
    there = weakref.ref(function)
    made = make(function)
    del function
    for _ in range(2):  # the first call traces
        made(x)
        gc.collect()
    assert there() is not None
    del made
    gc.collect()
    gc.collect()
    assert there() is None


def test_a_tape_keeps_what_gradients_call():
    @tf.custom_gradient
    def squared(t):
        return t * t, lambda d: d * tf.numpy_function(lambda v: 2 * v, [t], tf.float32)

    def outer():
        inner = tf.function(lambda t: tf.ensure_shape(squared(t), [2]))
        return tf.function(lambda t: inner(t) * 3.0)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer()(x)
        gc.collect()
    gc.collect()
    assert tape.gradient(y, x).numpy().tolist() == [6.0, 12.0]


def test_many_functions_leave_nothing():
    from sluice.core import callbacks

    def count():
        gc.collect()
        return len(callbacks._callbacks)

    before = count()
    for _ in range(5):
        in_a_function(Adds())(x)
    assert count() <= before


def test_a_function_that_holds_the_graph_goes_with_it():
    graph = tf.Graph()
    with graph.as_default():
        a = tf.compat.v1.placeholder(tf.float32, [])

        def of_the_graph(value, held=graph):
            return value + len(held.get_operations())

        y = tf.py_function(of_the_graph, [a], tf.float32)
        with tf.compat.v1.Session() as session:
            assert session.run(y, {a: 1.0}) == 3.0
    left = weakref.ref(graph)
    del graph, a, of_the_graph, y, session
    gc.collect()
    assert left() is None
