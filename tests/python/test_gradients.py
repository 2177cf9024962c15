"""Gradients: custom ones, registered ones, jacobians, forward mode; eagerly and in functions."""

import gc

import pytest

import sluice as tf

BOTH = pytest.mark.parametrize("made", [lambda f: f, tf.function], ids=["eager", "function"])
KEPT = []  # functions that live as long as the module


def value(x):
    return tf.nest.map_structure(lambda t: None if t is None else t._tolist(), x)


def kept(made, f):
    KEPT.append(made(f))
    return KEPT[-1]


@tf.custom_gradient
def times_seven(x):
    return x * x, lambda dy: dy * 7.0 * x


CUSTOM = [
    (times_seven, 9.0, 21.0, 7.0),
    (lambda x: tf.cond(x > 0.0, lambda: times_seven(x), lambda: x), 9.0, 21.0, 7.0),
    (
        lambda x: tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, times_seven(a)), [0, x])[1],
        81.0,
        7.0 * 9.0 * 21.0,
        49.0 * 72.0,
    ),
]


@BOTH
@pytest.mark.parametrize("f, y, d, dd", CUSTOM)
def test_custom_gradient_to_second_order(made, f, y, d, dd):
    f, x = kept(made, f), tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            got = f(x)
        first = inner.gradient(got, x)
    assert (value(got), value(first), value(outer.gradient(first, x))) == (y, d, pytest.approx(dd))


@BOTH
def test_custom_gradient_of_variables(made):
    v, x = tf.Variable(3.0), tf.constant(2.0)

    @tf.custom_gradient
    def f(x):
        return x * v, lambda dy, variables: (dy * 7.0, [dy * 9.0])

    f = kept(made, f)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert value(tape.gradient(y, [x, v])) == [7.0, 9.0]


@BOTH
def test_recompute_and_pass_through(made):
    v, x = tf.Variable(3.0), tf.constant(2.0)
    for f, want in (
        (tf.recompute_grad(lambda x: x * x * v), [12.0, 4.0]),
        (tf.grad_pass_through(tf.round), [1.0, None]),
    ):
        f = kept(made, f)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert value(tape.gradient(y, [x, v])) == want


def test_errors_of_a_gradient_function_are_raised_when_it_is_asked_for():
    @tf.custom_gradient
    def f(x):
        def grad(dy):
            raise KeyError("mine")

        return x * 2.0, grad

    x, f = tf.constant(1.0), kept(tf.function, f)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert value(y) == 2.0
    with pytest.raises(KeyError, match="mine"):
        tape.gradient(y, x)


def test_registered_gradient_overrides():
    @tf.RegisterGradient("TestTimes42")
    def _(op, dy):
        return dy * 42.0 * op.inputs[0]

    def f(x):
        with tf.compat.v1.get_default_graph().gradient_override_map({"Square": "TestTimes42"}):
            return tf.square(x)

    x, f = tf.constant(2.0), kept(tf.function, f)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert value(tape.gradient(y, x)) == 84.0
    with pytest.raises(KeyError):
        tf.RegisterGradient("TestTimes42")(None)


@BOTH
def test_jacobians(made):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            first = y[0]
        return tape.jacobian(first, x), tape.batch_jacobian(y, x)

    f = kept(made, f)
    jacobian, by_row = f(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    assert value(jacobian) == [[[2, 0], [0, 0]], [[0, 4], [0, 0]]]
    assert value(by_row) == [[[2, 0], [0, 4]], [[6, 0], [0, 8]]]


@BOTH
def test_forward_mode(made):
    def f(x):
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
            y = x * x * x
        return acc.jvp(y)

    assert value(kept(made, f)(tf.constant([2.0, 3.0]))) == [12.0, 0.0]


def test_gradients_of_graphs():
    def f(x, rows):
        picked = tf.gather(x, rows)
        y = tf.reduce_sum(picked * picked)
        (sliced,) = tf.gradients(y, x)
        stopped = tf.gradients(x * x * tf.stop_gradient(x), x, stop_gradients=[x])
        assert isinstance(sliced, tf.IndexedSlices)
        return (
            sliced,
            tf.hessians(tf.reduce_sum(x * x * x), x),
            stopped,
            tf.gradients(x, [y], unconnected_gradients="zero"),
        )

    sliced, hessians, stopped, zeros = kept(tf.function, f)(tf.constant([1.0, 2.0]), tf.constant([1, 1]))
    assert value(tf.convert_to_tensor(sliced)) == [0.0, 8.0]
    assert value(hessians) == [[[6, 0], [0, 12]]]
    assert value(stopped) == [[2, 8]]
    assert value(zeros) == [0.0]


@BOTH
def test_tape_follows_what_it_recorded_and_watched(made):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            before = x * 2.0
            tape.watch(x)
            y = x * 3.0
            with tape.stop_recording():
                z = y * 5.0
        return [0.0 if d is None else d for d in (tape.gradient(t, x) for t in (before, y, z, z * x))]

    assert value(tf.nest.map_structure(tf.convert_to_tensor, kept(made, f)(tf.constant(1.0)))) == [0, 3, 0, 0]


def test_functions_may_go_between_tapes():
    x = tf.constant(3.0)
    for _ in range(4):
        f = tf.function(lambda x: x * x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert value(tape.gradient(y, x)) == 6.0
        del f, tape
        gc.collect()
