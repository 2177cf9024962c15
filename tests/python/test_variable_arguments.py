"""Variables as arguments of functions: a trace serves all that are alike."""

import gc
import weakref

import sluice as tf


def test_one_trace_for_variables_that_are_alike():
    @tf.function
    def moved(v, by):
        v.assign_add(by)
        return v.read_value()

    kept = [tf.Variable([float(i), 0.0]) for i in range(8)]
    for i, v in enumerate(kept):
        assert moved(v, [1.0, 2.0]).numpy().tolist() == [i + 1.0, 2.0] == v.numpy().tolist()
    assert moved.experimental_get_tracing_count() == 1
    moved(tf.Variable([1.0, 2.0], trainable=False), [1.0, 2.0])
    moved(tf.Variable([1, 2]), [1, 2])
    moved(tf.Variable([1.0]), [1.0])
    assert moved.experimental_get_tracing_count() == 4
    assert "a variable float32(2,), not trainable after a variable float32(2,)" in moved.explain()


def test_the_same_variable_twice_is_another_kind():
    @tf.function
    def mix(a, b):
        a.assign_add(b)
        b.assign(a * 2.0)
        return a + b

    x, y = tf.Variable(1.0), tf.Variable(2.0)
    assert [float(v) for v in (mix(x, y), mix(y, x), mix(x, x), mix(y, y))] == [9, 27, 144, 72]
    assert mix.experimental_get_tracing_count() == 2


def test_a_variable_from_outside_is_the_argument():
    """As in TensorFlow: what the trace knows both ways is one."""
    w, a = tf.Variable(1.0), tf.Variable(2.0)

    @tf.function
    def f(v):
        return v + 10.0 * w

    assert [float(f(v)) for v in (w, a, w)] == [11, 22, 11] and f.experimental_get_tracing_count() == 1


def test_functions_and_loops_within():
    @tf.function
    def inner(v, x):
        v.assign_add(x)
        return v * 2.0

    @tf.function
    def outer(v, u, n):
        total = 0.0
        for _ in tf.range(n):
            total += inner(v, 1.0)
            if total > 5.0:
                u.assign(total)
        return total, inner(u, 0.5)

    p, q, r, s = (tf.Variable(x) for x in (0.0, 0.0, 10.0, 20.0))
    assert [float(x) for x in outer(p, q, tf.constant(3))] == [12, 25] and (float(p), float(q)) == (3, 12.5)
    assert [float(x) for x in outer(r, s, tf.constant(2))] == [46, 93] and (float(r), float(s)) == (12, 46.5)
    assert (float(p), float(q)) == (3, 12.5) and outer.experimental_get_tracing_count() == 1


def test_gradients_are_of_the_variable_that_was_given():
    @tf.function
    def loss(v, x):
        return tf.reduce_sum((v * x) ** 2)

    @tf.function
    def step(v):
        with tf.GradientTape() as tape:
            y = v * v
        v.assign_sub(0.25 * tape.gradient(y, v))

    p, r = tf.Variable(3.0), tf.Variable(10.0)
    for v, wanted in ((p, 30), (r, 100), (p, 30)):
        with tf.GradientTape() as tape:
            y = loss(v, tf.constant([1.0, 2.0]))
        assert tape.watched_variables() == (v,) and float(tape.gradient(y, v)) == wanted
    step(p), step(r), step(r)
    assert (float(p), float(r)) == (1.5, 2.5) and step.experimental_get_tracing_count() == 1


def test_they_are_let_go():
    @tf.function
    def double(v):
        return v * 2.0

    first, second = tf.Variable(1.0), tf.Variable(2.0)
    assert float(double(first)) + float(double(second)) == 6
    gone = weakref.ref(second)
    del second
    gc.collect()
    assert gone() is None


def test_saved_with_the_variables_of_the_first_trace(tmp_path):
    class Model(tf.Module):
        def __init__(self):
            self.v, self.u = tf.Variable(1.0), tf.Variable(5.0)

        @tf.function(input_signature=[tf.TensorSpec([])])
        def run(self, x):
            return self.times(self.v, x) + 10.0 * self.times(self.u, x)

        @tf.function
        def times(self, v, x):
            return v * x

    model = Model()
    assert float(model.run(2.0)) == 102 and model.times.experimental_get_tracing_count() == 1
    tf.saved_model.save(model, str(tmp_path))
    assert float(tf.saved_model.load(str(tmp_path)).run(2.0)) == 102
