"""AutoGraph: lists that loops and branches of the graph change."""

import numpy as np
import pytest

import sluice as tf


def plain(value):
    return tf.nest.map_structure(lambda v: v.numpy() if isinstance(v, tf.Tensor) else v, value)


def squares_in_a_list(n):
    made = []
    for i in tf.range(n):
        made.append(i * i)
    return made


def list_with_elements_before(n):
    made = [tf.constant(7), tf.constant(8)]
    while n > 0:
        made.append(n)
        n -= 1
    return tf.stack(made), len(made), made[0], made[-1]


def list_as_stack(n):
    made, s = [], 0
    for i in tf.range(n):
        if i % 2 == 0:
            made.append(i)
    while len(made) > 0:
        s = s * 10 + made.pop()
    return s


def list_popped_in_branches(n):
    made = [1.0]
    for i in tf.range(n):
        if i > 1:
            x = made.pop()
            made.append(x * 2.0)
            made.append(x)
        else:
            made.extend([tf.cast(i, tf.float32)])
    made[0] = made[0] + 5.0
    t = 0.0
    for v in made:
        t += v
    return t, made


def list_of_lists(n):
    rows = []
    for i in tf.range(n):
        row = []
        for j in tf.range(3):
            row.append(i * j)
        rows.append(tf.stack(row))
    return tf.stack(rows)


def list_in_branches(n):
    made = [n]
    alias = made
    if n > 2:
        made.append(n * 2)
    else:
        made.append(n * 3)
    if n > 1:
        made[0] = made[0] + 100
        x = made.pop()
    else:
        x = made.pop()
    if n > 0:
        made = [x, n]
    else:
        made = [n, x]
    return made, alias, x


LISTS = [
    squares_in_a_list, list_with_elements_before, list_as_stack, list_popped_in_branches, list_of_lists, list_in_branches,
]  # fmt: skip


@pytest.mark.parametrize("f", LISTS, ids=lambda f: f.__name__)
def test_lists_that_tensors_change(f):
    for n in (1, 2, 5):
        expected, made = plain(f(tf.constant(n))), plain(tf.function(f)(tf.constant(n)))
        tf.nest.map_structure(np.testing.assert_array_equal, made, expected)


def test_gradient_through_a_list():
    def f(x):
        made = []
        for i in tf.range(3):
            made.append(x * tf.cast(i + 1, tf.float32))
        y = x
        while len(made) > 1:
            y = y * made.pop()
        return y

    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.function(f)(x)
    assert y.numpy() == 48.0 and tape.gradient(y, x).numpy() == 72.0  # 6 x^3


def test_notes_of_tracing_stay_lists():
    @tf.function
    def f(n):
        notes = []
        for i in tf.range(n):
            notes.append("body")
            if i > 1:
                notes.append("branch")
        seen.append(notes)
        return n

    seen = []
    f(tf.constant(3))
    assert seen == [["body", "branch"]]


def test_branches_that_leave_lists_of_other_lengths():
    @tf.function
    def f(x):
        made = [x]
        if x > 0:
            made.append(x)
        return made

    with pytest.raises(TypeError, match="'made' must have the same nested structure in the main and else branches"):
        f(tf.constant(1))
