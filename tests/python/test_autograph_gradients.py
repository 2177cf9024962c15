"""Gradients through converted loops and branches, of first and second order: those of the same code run eagerly."""

import numpy as np
import pytest

import sluice as tf


def power_by_for(x):
    y = tf.ones_like(x)
    for _ in tf.range(4):
        y = y * x
    return y


def while_until_large(x):
    y = x
    while tf.reduce_sum(y) < 30.0:
        y = y * x + 1.0
    return y


def branch_in_loop(x):
    y = tf.constant(1.0)
    for i in tf.range(5):
        if i % 2 == 0:
            y = y * tf.reduce_sum(x)
        else:
            y = y + tf.reduce_prod(x)
    return y


def loop_in_branch(x):
    y = tf.reduce_sum(x * x)
    if y > 1.0:
        i = 0
        while i < 3:
            y = y * tf.sin(y) + x[0]
            i += 1
    else:
        y = y * 3.0
    return y


def break_and_continue(x):
    y = tf.reduce_sum(x)
    for i in tf.range(8):
        if i == 1:
            continue
        if y > 50.0:
            break
        y = y * y * 0.5 + x[1]
    return y


def early_return(x):
    y = tf.reduce_sum(x)
    if y > 3.0:
        return y * y * y
    y = y * x[0]
    if y > 0.5:
        return tf.exp(y)
    return y * y


def return_from_loop(x):
    y = tf.reduce_sum(x)
    for i in tf.range(10):
        y = y * 1.5 * x[0]
        if y > 10.0:
            return y * y
    return y


def nested_loops(x):
    y = tf.reduce_sum(x)
    for i in tf.range(3):
        j = 0
        while j < i:
            y = y * x[0] + tf.cast(j, tf.float32)
            j += 1
    return y


def rows(x):
    h = tf.constant(0.5)
    for v in x:
        h = tf.tanh(h * v + v * v)
    return h


def array_of_states(x):
    states = tf.TensorArray(tf.float32, 4)
    s = tf.reduce_sum(x)
    for i in tf.range(4):
        states = states.write(i, s * s)
        s = s * x[0] + 0.1
    return tf.reduce_sum(states.stack() * tf.constant([1.0, 2.0, 3.0, 4.0]))


def structures(x):
    state = {"a": x[0], "b": (x[1], x[0] * x[1])}
    for _ in tf.range(3):
        a, (b, c) = state["a"], state["b"]
        state = {"a": b * c, "b": (a + c, a * b)}
    return state["a"] + state["b"][0]


def gathers(x):
    y = tf.constant(0.0)
    for i in tf.range(2):
        y += tf.gather(x, i) ** 3 * tf.gather(x, 1 - i)
    return y


def conditional_expression(x):
    y = tf.reduce_sum(x)
    return y * y if y > 1.0 else tf.sin(y) if y > -1.0 else -y * x[0]


def nested_function(x):
    def f(v):
        if v > 1.0:
            return v * v * v
        else:
            return v * v

    return f(x[0]) * f(x[1])


def zero_iterations(x):
    y = tf.reduce_prod(x)
    for _ in tf.range(0):
        y = y * 100.0
    return y * y


def inner_gradient(x):
    y = tf.reduce_sum(x)
    for _ in tf.range(3):
        with tf.GradientTape() as tape:
            tape.watch(y)
            z = y * y * 0.5
        y = y + 0.1 * tape.gradient(z, y) * x[0]
    return y


PROGRAMS = [
    power_by_for, while_until_large, branch_in_loop, loop_in_branch, break_and_continue, early_return, return_from_loop, nested_loops,
    rows, array_of_states, structures, gathers, conditional_expression, nested_function, zero_iterations, inner_gradient,
]  # fmt: skip


def derived(f, order):
    if order == 0:
        return f

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(inner(x))
        return tape.gradient(y, x)

    inner = derived(f, order - 1)
    return gradient


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradient(f, order):
    for values in ([1.25, 2.0], [0.5, 0.75], [-1.5, 1.1]):
        if f is while_until_large and values != [1.25, 2.0]:
            continue  # it would not end
        x = tf.constant(values)
        expected = derived(f, order)(x)
        for made in (
            derived(tf.function(f), order)(x),  # tapes around the function
            tf.function(derived(f, order))(x),  # tapes within it
            tf.function(derived(tf.function(f), order))(x),
        ):
            if expected is None:
                assert made is None
            else:
                made, wanted = (tf.convert_to_tensor(v).numpy() for v in (made, expected))  # of slices, too
                np.testing.assert_allclose(made, wanted, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradient_of_differences(f):
    """Eager's gradients are those of differences, so both are right."""
    values = np.array([1.25, 2.0])

    def value(x):
        return float(tf.reduce_sum(f(tf.constant(x, tf.float32))).numpy())

    expected = [(value(values + d) - value(values - d)) / 0.004 for d in np.eye(2) * 0.002]
    made = derived(tf.function(f), 1)(tf.constant(values, tf.float32)).numpy()
    np.testing.assert_allclose(made, expected, rtol=2e-2, atol=2e-1)
