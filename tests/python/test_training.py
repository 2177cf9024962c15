"""Variables, tapes and functions: from a variable to a training step that is one op."""

import gc
import threading
import weakref

import numpy as np
import pytest

import sluice as tf


def test_variables():
    v = tf.Variable([1.0, 2.0], name="v")
    assert v.name == "v:0" and v.dtype is tf.float32 and v.shape == tf.TensorShape([2]) and v.trainable
    assert repr(v) == "<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    before = v.read_value()
    assert v.assign_add([1, 1]) is v and v.numpy().tolist() == [2.0, 3.0] and before.numpy().tolist() == [1.0, 2.0]
    assert (v + 1).numpy().tolist() == [3.0, 4.0] and (1 - v).numpy().tolist() == [-1.0, -2.0] and v[0].numpy() == 2.0
    assert tf.reduce_sum(v).numpy() == 5.0
    with pytest.raises(ValueError, match="Cannot assign value to variable ' v:0': Shape mismatch"):
        v.assign([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match="unhashable"):
        {v: 1}
    with pytest.raises(ValueError, match="initial_value"):
        tf.Variable()


def test_gradients():
    x, w = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([[1.0], [1.0]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    assert loss.numpy() == 29.0
    assert tape.gradient(loss, {"w": w})["w"].numpy().tolist() == [[24.0], [34.0]]
    assert tape.watched_variables() == (w,)
    with pytest.raises(RuntimeError, match="non-persistent GradientTape can only be used"):
        tape.gradient(loss, w)


def test_nested_and_persistent_tapes():
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = x * x * x
            z = y * 2.0
        first = inner.gradient(y, x)
    assert first.numpy() == 27.0 and outer.gradient(first, x).numpy() == 18.0
    assert inner.gradient(z, x).numpy() == 54.0 and inner.gradient(y, x).numpy() == 27.0


def test_what_is_not_recorded():
    x, y = tf.constant(3.0), tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        with tape.stop_recording():
            a = x * x
        b = a + tf.stop_gradient(x) + x
    assert tape.gradient(b, x).numpy() == 1.0 and tape.gradient(b, y) is None
    assert tape.gradient(b, y, unconnected_gradients="zero").numpy() == 0.0
    assert tape.gradient(b, x, output_gradients=tf.constant(5.0)).numpy() == 5.0


def test_gradients_of_gathers_are_slices():
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [2, 0, 2]))
    d = tape.gradient(y, table)
    assert isinstance(d, tf.IndexedSlices) and d.indices.numpy().tolist() == [2, 0, 2]
    assert tf.convert_to_tensor(d).numpy().tolist() == [[1.0, 1.0], [0.0, 0.0], [2.0, 2.0]]


def test_a_function_is_traced_for_each_kind_of_argument():
    traced = []

    @tf.function
    def f(x, scale=2.0):
        traced.append(x.shape)
        return {"y": x * scale, "none": None}

    assert f(tf.constant(3.0))["y"].numpy() == 6.0 and f(tf.constant(4.0))["y"].numpy() == 8.0 and len(traced) == 1
    assert f(tf.constant(3.0), scale=3.0)["y"].numpy() == 9.0 and f(tf.constant([1.0]))["y"].numpy().tolist() == [2.0]
    assert len(traced) == 3 == f.experimental_get_tracing_count() and f(tf.constant(3.0))["none"] is None
    with pytest.raises(TypeError, match="Binding inputs to tf.function failed"):
        f(1, 2, 3)


def test_input_signatures():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x)

    assert total(tf.constant([1.0, 2.0])).numpy() == 3.0 and total([1.0, 2.0, 3.0]).numpy() == 6.0
    assert total.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        total(tf.constant([[1.0]]))


def test_effects_keep_their_order():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        v.assign_add(1.0)
        a = v * 10.0
        v.assign(v * 3.0)
        return a, v.read_value()

    a, b = f()
    assert a.numpy() == 20.0 and b.numpy() == 6.0 and v.numpy() == 6.0
    a, b = f()
    assert a.numpy() == 70.0 and v.numpy() == 21.0


def test_gradients_through_functions():
    w = tf.Variable(3.0)

    @tf.function
    def square(x):
        return w * x * x

    @tf.function
    def outer(x):
        with tf.GradientTape() as tape:
            y = square(x) + 1.0
        return tape.gradient(y, w)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = square(x)
    d = tape.gradient(y, [x, w])
    assert d[0].numpy() == 12.0 and d[1].numpy() == 4.0 and outer(x).numpy() == 4.0


def test_ops_with_several_results_in_functions():
    @tf.function
    def f(x, labels):
        top = tf.raw_ops.TopKV2(input=x, k=2)
        loss = tf.nn.softmax_cross_entropy_with_logits(labels, x)
        serialized = tf.constant([b""])
        parsed = tf.raw_ops.ParseExample(
            serialized=serialized,
            names=tf.constant([], tf.string),
            sparse_keys=["a"],
            dense_keys=["b", "c"],
            dense_defaults=[tf.constant([1.0]), tf.constant([2, 3], tf.int64)],
            sparse_types=[tf.string],
            dense_shapes=[[1], [2]],
        )
        return top.values, top.indices, loss, len(parsed.sparse_indices), parsed.dense_values

    x = tf.constant([[3.0, 1.0, 2.0]])
    values, indices, loss, n, dense = f(x, tf.constant([[0.0, 1.0, 0.0]]))
    assert values.numpy().tolist() == [[3.0, 2.0]] and indices.numpy().tolist() == [[0, 2]] and n.numpy() == 1
    np.testing.assert_allclose(loss.numpy(), [2.407606], rtol=1e-6)
    assert [d.numpy().tolist() for d in dense] == [[[1.0]], [[2, 3]]]


def test_functions_call_functions_and_methods():
    class Layer(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.0)

        @tf.function
        def __call__(self, x):
            return self.w * x

    a, b = Layer(), Layer()
    b.w.assign(5.0)

    @tf.function
    def both(x):
        return a(x) + b(x)

    assert both(tf.constant(1.0)).numpy() == 7.0 and len(a.variables) == 1 and a.trainable_variables == (a.w,)
    gone = weakref.ref(b)
    both = b = None
    gc.collect()
    assert gone() is None


def test_errors_in_functions():
    @tf.function
    def f(x):
        return tf.reshape(x, [3])

    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        f(tf.constant([1.0, 2.0]))

    @tf.function
    def g(x):
        return bool(x)

    with pytest.raises(TypeError, match="symbolic `tf.Tensor` as a Python `bool`"):
        g(tf.constant(True))
    assert tf.constant(1.0).numpy() == 1.0  # what was being traced is left


def test_training_converges_and_agrees():
    rng = np.random.default_rng(0)
    xs = rng.normal(size=(64, 3)).astype("f4")
    ys = xs @ np.array([[1.0], [-2.0], [0.5]], "f4") + 0.25

    def train(wrap):
        w, b = tf.Variable(tf.zeros([3, 1])), tf.Variable(0.0)

        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * dw)
            b.assign_sub(0.1 * db)
            return loss

        step = wrap(step)
        losses = [float(step(tf.constant(xs), tf.constant(ys))) for _ in range(200)]
        return losses, w.numpy(), b.numpy()

    eager, traced = train(lambda f: f), train(tf.function)
    assert eager[0] == traced[0] and eager[0][-1] < 1e-6
    np.testing.assert_array_equal(eager[1], traced[1])
    np.testing.assert_allclose(eager[1].ravel(), [1.0, -2.0, 0.5], atol=1e-3)


def test_variables_end_with_their_last_use():
    import sluice._native as native

    v = tf.Variable(np.zeros(1000, "f4"))
    handle = v.handle
    del v
    gc.collect()
    assert native.tensor_bytes(tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)) == bytes(4000)


def test_threads():
    results = []

    def work(k):
        with tf.GradientTape() as tape:
            x = tf.constant(float(k))
            tape.watch(x)
            y = x * x
        results.append((k, float(tape.gradient(y, x))))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [(k, 2.0 * k) for k in range(8)]


def test_gradients_of_gradients_as_functions():
    """Functions that gradients make of functions within functions have names of their own."""

    def gradient_of(f):
        def gradient(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return gradient

    f = tf.function(lambda x: tf.cos(x))
    traced, one = tf.function(f), tf.constant(1.0)
    for expected in (0.5403023, -0.8414710, -0.5403023, 0.8414710):
        for g in (f, traced, tf.function(f)):
            assert g(one).numpy() == pytest.approx(expected, abs=1e-6)
        f, traced = gradient_of(f), tf.function(gradient_of(traced))
