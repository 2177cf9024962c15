"""Branches, loops and folds give the same eagerly and in functions; so do their gradients."""

import numpy as np
import pytest

import sluice as tf

BOTH = pytest.mark.parametrize("made", [lambda f: f, tf.function], ids=["eager", "function"])


def value(x):
    return tf.nest.map_structure(lambda t: t.numpy().tolist(), x)


@BOTH
@pytest.mark.parametrize("pred, want", [(True, [6.0, 1]), (False, [103.0, 2])])
def test_cond(made, pred, want):
    f = made(lambda p, x: tf.cond(p, lambda: [x * 2, tf.constant(1)], lambda: [x + 100, tf.constant(2)]))
    assert value(f(tf.constant(pred), tf.constant(3.0))) == want


def test_branches_of_different_types_are_refused():
    f = tf.function(lambda p: tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(1.0)))
    with pytest.raises(TypeError, match="same number, type, and overall structure"):
        f(tf.constant(True))


@BOTH
@pytest.mark.parametrize("i, want", [(0, 10), (1, 5), (2, 2), (7, 7), (-1, -1)])
def test_switch_case_takes_the_last_for_other_numbers(made, i, want):
    f = made(lambda i: tf.switch_case(i, [lambda: i + 10, lambda: i * 5, lambda: i + 0]))
    assert value(f(tf.constant(i))) == want


@BOTH
def test_case_takes_the_first_that_is_true(made):
    f = made(lambda x: tf.case([(x > 3, lambda: x * 2), (x > 1, lambda: x * 10)], default=lambda: -x))
    assert [value(f(tf.constant(i))) for i in (4, 2, 0)] == [8, 20, 0]


@BOTH
@pytest.mark.parametrize("limit, want", [(None, [5, 32.0]), (2, [2, 4.0])])
def test_while_loop(made, limit, want):
    def run(n):
        return tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x * 2), [0, 1.0], maximum_iterations=limit)

    assert list(value(made(run)(tf.constant(5)))) == want


def test_a_loop_variable_that_changes_shape_needs_an_invariant():
    def grow(invariants):
        def run():
            return tf.while_loop(
                lambda x: tf.size(x) < 3, lambda x: (tf.concat([x, x[:1]], 0),), [tf.constant([7])], invariants
            )

        return tf.function(run)()

    assert value(grow([tf.TensorShape([None])])) == [[7, 7, 7]]
    with pytest.raises(ValueError, match="shape_invariants"):
        grow(None)


def test_a_loop_changes_variables_in_order():
    v = tf.Variable(1.0)

    @tf.function
    def run(n):
        def once(i, x):
            v.assign_add(1.0)
            return i + 1, x * 2.0 + v.read_value()

        return tf.while_loop(lambda i, x: i < n, once, [0, 1.0])[1]

    assert (value(run(tf.constant(5))), v.numpy()) == (120.0, 6.0)


def test_gradient_of_gradient_through_loop_and_branch():
    def run(x):
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1]
        return tf.cond(y > 0.0, lambda: y * y, lambda: y)

    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = run(x)
        d = inner.gradient(y, x)
    assert (value(y), value(d), value(outer.gradient(d, x))) == (256.0, 1024.0, 3584.0)


FOLDS = [
    (lambda x: tf.scan(lambda a, r: a + r, x), [1, 3, 6, 10]),
    (lambda x: tf.scan(lambda a, r: a + r, x, reverse=True), [10, 9, 7, 4]),
    (lambda x: tf.foldl(lambda a, r: a - r, x), -8),
    (lambda x: tf.foldr(lambda a, r: a - r, x, 0.0), -10),
    (
        lambda x: tf.map_fn(lambda r: (r * 2, r + 1), x, fn_output_signature=(tf.float32,) * 2),
        ([2, 4, 6, 8], [2, 3, 4, 5]),
    ),
    (lambda x: tf.vectorized_map(lambda r: r * r, x), [1, 4, 9, 16]),
]


@BOTH
@pytest.mark.parametrize("fold, want", FOLDS)
def test_folds(made, fold, want):
    assert value(made(fold)(tf.constant([1.0, 2, 3, 4]))) == want


@BOTH
def test_tensor_array(made):
    def run():
        a = tf.TensorArray(tf.float32, 3, dynamic_size=True, clear_after_read=False)
        a = a.write(0, 1.0).write(1, 2.0).write(3, 5.0)
        return a.stack(), a.size(), a.read(3), a.gather([0, 1])

    assert value(made(run)()) == ([1, 2, 0, 5], 4, 5, [1, 2])


@BOTH
def test_tensor_array_splits_and_joins(made):
    def run():
        a = tf.TensorArray(tf.int32, 3, infer_shape=False).split(tf.constant([1, 2, 3, 4, 5, 6]), [1, 2, 3])
        return a.concat()

    assert value(made(run)()) == [1, 2, 3, 4, 5, 6]


def test_tensor_array_eager_errors():
    a = tf.TensorArray(tf.float32, 2)
    a = a.write(0, 1.0)
    with pytest.raises(tf.errors.OutOfRangeError):
        a.write(2, 1.0)
    with pytest.raises(ValueError, match="Incompatible shape"):
        a.write(1, np.zeros(2, np.float32))
    a.read(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="twice"):
        a.read(0)


@BOTH
def test_vectorized_map_of_ragged_rows_and_single_rows(made):
    ragged = tf.ragged.constant([[1.0, 2.0], [3.0]])
    assert value(made(lambda r: tf.vectorized_map(tf.reduce_sum, r))(ragged)) == [3.0, 3.0]

    def add(a, b):
        return tf.vectorized_map(lambda x: x[0] + x[1], (a, b))

    assert value(made(add)(tf.constant([[1.0], [2.0]]), tf.constant([[10.0]]))) == [[11.0], [12.0]]


@BOTH
def test_critical_section(made):
    section, v = tf.CriticalSection(), tf.Variable(0.0)
    f = made(lambda: section.execute(lambda: v.assign_add(1.0)))
    assert [float(f()) for _ in range(3)] == [1.0, 2.0, 3.0]


def test_a_tensor_of_one_branch_is_refused_in_another():
    inner = []

    def f(x):
        return tf.cond(x > 0.0, lambda: inner.append(x + 1.0) or inner[0], lambda: inner[0] + 1.0)

    with pytest.raises(ValueError, match="in true_fn is accessed from false_fn"):
        tf.function(f)(tf.constant(1.0))


def test_shapes_of_constants_are_known_in_loops():
    @tf.function
    def f():
        shape = tf.constant([2, 3])

        def once(i, x):
            made = tf.zeros(tf.concat([[4], shape], 0))
            assert made.shape == [4, 2, 3]
            return i + 1, made

        return tf.while_loop(lambda i, _: i < 2, once, [0, tf.zeros([4, 2, 3])])[1]

    assert f().shape == [4, 2, 3]
