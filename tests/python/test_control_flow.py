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


def test_lists_of_tensors_are_cast_to_the_type_that_is_asked_for():
    wide, i = tf.constant([[0], [3]], tf.int64), tf.constant(1)
    assert tf.concat([wide, [[i], [i]]], 1).numpy().tolist() == [[0, 1], [3, 1]]
    assert tf.function(lambda x, j: tf.concat([x, [[j], [j]]], 1))(wide, i).dtype == tf.int64
    assert tf.convert_to_tensor([i, 2], tf.float32).numpy().tolist() == [1.0, 2.0]
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        tf.stack([i, wide[0, 0]])


def test_branches_of_other_lengths():
    with pytest.raises(ValueError, match="Lengths of branch outputs of cond must match"):
        tf.function(lambda x: tf.cond(x > 1.0, lambda: x, lambda: None))(tf.constant(1.0))


def test_sums_of_gradients_are_where_their_tensors_are():
    with tf.Graph().as_default():
        x = tf.constant([[1.0]])
        y = tf.matmul(x, x, name="product")
        (d,) = tf.compat.v1.gradients(y * y + y, [y], colocate_gradients_with_ops=True)
        assert d.op.type == "AddN" and d.op.colocation_groups() == [b"loc:@product"]


def test_shapes_of_vectorized_map_and_of_tensors_as_values():
    rows = tf.constant([[1.0], [1.0]])
    made = tf.function(lambda: tf.vectorized_map(lambda x: tf.where(x > 0, x, [1.0]), rows).shape)()
    assert made.numpy().tolist() == [2, 1]
    with pytest.raises(ValueError, match="Cannot convert a partially known TensorShape"):
        tf.convert_to_tensor(tf.TensorShape([None, 2]))


def test_references_are_inputs_of_raw_ops():
    with tf.Graph().as_default():
        v = [tf.compat.v1.Variable([[1, 2]], use_resource=False) for _ in range(2)]
        made = tf.raw_ops.RefSelect(index=tf.compat.v1.placeholder(tf.int32), inputs=v)
        assert made.op.inputs[1] is v[0]._ref() and made.shape.as_list() == [1, 2]


def test_tokens_of_python_functions_are_texts():
    with pytest.raises(tf.errors.InternalError, match="is not UTF-8"):
        tf.raw_ops.PyFunc(input=[tf.constant(1)], token=b"\xb0", Tout=[tf.int32])


@pytest.mark.parametrize("dynamic", [False, True])
def test_how_many_elements_a_stack_has(dynamic):
    """As far as it is known while a graph is built; Keras's recurrent layers tell their steps by it."""
    many = None if dynamic else 5

    def array():
        return tf.TensorArray(tf.float32, size=5, dynamic_size=dynamic)

    @tf.function
    def f(x):
        assert array().unstack(x).stack().shape.as_list() == [many, 2]
        assert array().write(0, x[0]).stack().shape.as_list() == [many, 2]
        made = array()
        for i in tf.range(5):
            made = made.write(i, x[i])
        assert made.stack().shape.as_list() == [many, 2]
        assert made.gather([0, 1]).shape.as_list() == [2, 2]
        assert array().split(tf.ones((10, 3)), [2] * 5).stack().shape.as_list() == [many, 2, 3]
        assert tf.TensorArray(tf.float32, tf.shape(x)[0] + 1).unstack(x).stack().shape.as_list()[1:] == [2]
        return made.stack()

    x = tf.reshape(tf.range(10.0), (5, 2))
    assert f(x).numpy().tolist() == x.numpy().tolist()


def test_loops_over_optionals():
    """Several steps in one call, as Keras takes them: what the first Optional holds is known once the body is traced."""
    Optional = tf.experimental.Optional

    @tf.function
    def f(iterator):
        nothing = Optional.empty(None)

        def body(i, last, following):
            def has_next():
                made = Optional.from_value({"sum": following.get_value() + 1})
                nothing._element_spec = made.element_spec
                return made

            def has_none():
                last._element_spec = nothing._element_spec
                return last

            made = tf.cond(following.has_value(), has_next, has_none)
            return i + 1, made, iterator.get_next_as_optional()

        start = (tf.constant(0), nothing, iterator.get_next_as_optional())
        _, last, _ = tf.while_loop(lambda i, last, following: tf.logical_and(i < 3, following.has_value()), body, start)
        last._element_spec = nothing.element_spec
        return last

    iterator = iter(tf.data.Dataset.range(5))
    assert f(iterator).get_value()["sum"].numpy() == 3
    assert f(iterator).get_value()["sum"].numpy() == 5
    assert not f(iterator).has_value()
