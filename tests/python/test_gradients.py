"""Gradients: custom ones, registered ones, jacobians, forward mode; eagerly and in functions."""

import gc
import inspect

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1

BOTH = pytest.mark.parametrize("made", [lambda f: f, tf.function], ids=["eager", "function"])


def value(x):
    return tf.nest.map_structure(lambda t: None if t is None else t._tolist(), x)


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
    f, x = made(f), tf.constant(3.0)
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

    f = made(f)
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
        f = made(f)
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

    x, f = tf.constant(1.0), tf.function(f)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert value(y) == 2.0
    with pytest.raises(KeyError, match="mine"):
        tape.gradient(y, x)


@pytest.mark.parametrize("watches", [True, False])
@pytest.mark.parametrize(
    "x", [tf.constant([1.0, 2.0]), tf.ragged.constant([[1.0], [2.0, 3.0]])], ids=["tensor", "ragged"]
)
def test_gradients_outlive_the_function_that_has_them(x, watches):
    @tf.custom_gradient
    def square(x):
        return x * x, lambda dy: 3.0 * dy

    with tf.GradientTape(watch_accessed_variables=watches) as tape:
        tape.watch(x)
        y = tf.function(square)(x)
    gc.collect()
    made = tape.gradient(y, x)
    assert type(made) is type(x)
    flat, of_x = (getattr(t, "flat_values", t).numpy() for t in (made, x))
    assert flat.tolist() == [3.0] * len(of_x)


def test_ones_of_a_known_shape_need_no_feed():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2])
        w = tf.constant([3.0, 4.0])
        (of_x,) = tf.gradients(x * w, x)
        (of_loose,) = tf.gradients(tf.compat.v1.placeholder_with_default([3.0, 4.0], None) * w, w)
        with tf.compat.v1.Session() as session:
            assert session.run(of_x).tolist() == session.run(of_loose).tolist() == [3.0, 4.0]


def test_registered_gradient_overrides():
    @tf.RegisterGradient("TestTimes42")
    def _(op, dy):
        return dy * 42.0 * op.inputs[0]

    def f(x):
        with tf.compat.v1.get_default_graph().gradient_override_map({"Square": "TestTimes42"}):
            return tf.square(x)

    x, f = tf.constant(2.0), tf.function(f)
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

    f = made(f)
    jacobian, by_row = f(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    assert value(jacobian) == [[[2, 0], [0, 0]], [[0, 4], [0, 0]]]
    assert value(by_row) == [[[2, 0], [0, 4]], [[6, 0], [0, 8]]]


@BOTH
def test_forward_mode(made):
    def f(x):
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
            y = x * x * x
        return acc.jvp(y)

    assert value(made(f)(tf.constant([2.0, 3.0]))) == [12.0, 0.0]


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

    sliced, hessians, stopped, zeros = tf.function(f)(tf.constant([1.0, 2.0]), tf.constant([1, 1]))
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

    assert value(tf.nest.map_structure(tf.convert_to_tensor, made(f)(tf.constant(1.0)))) == [0, 3, 0, 0]


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


def _gather(p, i):
    return tf.gather(p, i)


SLICED = {
    "call": (lambda p, i: tf.function(_gather)(p, i) * 2.0, [1, 2]),
    "both branches": (
        lambda p, i: tf.cond(i[0] > 0, lambda: _gather(p, i), lambda: p[0] * 0.0 + _gather(p, i)),
        [1, 2],
    ),
    "one branch": (lambda p, i: tf.cond(i[0] > 0, lambda: _gather(p, i), lambda: tf.zeros([2, 2])), [1, 2]),
    "the other branch": (lambda p, i: tf.cond(i[0] < 0, lambda: _gather(p, i), lambda: tf.zeros([2, 2])), []),
    "with a dense branch": (lambda p, i: tf.cond(i[0] < 0, lambda: _gather(p, i), lambda: p[:2]), [0, 1, 2]),
}


@pytest.mark.parametrize("what", SLICED)
def test_gradients_of_rows_are_slices_through_calls_and_branches(what):
    function, rows = SLICED[what]
    p, i = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant([1, 2])
    with tf.GradientTape() as tape:
        y = tf.function(function)(p, i)
    d = tape.gradient(y, p)
    assert isinstance(d, tf.IndexedSlices) and d.indices.numpy().tolist() == rows
    want = tf.convert_to_tensor(d).numpy()
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        (e,) = tf.gradients(tf.function(function)(x, tf.constant([1, 2])), x)
        assert isinstance(e, tf.IndexedSlices)
        np.testing.assert_array_equal(session.run(tf.convert_to_tensor(e)), want)


def test_second_gradients_of_rows_through_calls():
    p = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    rows = tf.function(lambda: tf.gather(p, [1, 1]))
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(rows() ** 3)
        d = tf.convert_to_tensor(inner.gradient(y, p))
    assert d.numpy().tolist() == [[0.0, 0.0], [54.0, 96.0]]
    assert tf.convert_to_tensor(outer.gradient(d, p)).numpy().tolist() == [[0.0, 0.0], [36.0, 48.0]]


HIGH = {
    "call": lambda z: z**4,
    "loop": lambda z: tf.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, a * z), [0, 1.0])[1],
    "branch": lambda z: tf.cond(z > 0.0, lambda: z * z * z * z, lambda: z),
}


@pytest.mark.parametrize("what", HIGH)
def test_one_persistent_tape_gives_high_gradients_of_functions(what):
    x, function = tf.constant(2.0), tf.function(HIGH[what])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        found = [function(x)]
        for _ in range(4):
            found.append(tape.gradient(found[-1], x))
    assert [float(d) for d in found] == [16.0, 32.0, 48.0, 48.0, 24.0]


def test_one_persistent_tape_runs_nothing_twice_that_has_effects():
    x, v = tf.constant(2.0), tf.Variable(0.0)

    @tf.function
    def function(z):
        v.assign_add(1.0)
        s = z * z
        return s * s

    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tape.gradient(function(x), x)
        with pytest.raises(tf.errors.UnimplementedError, match="which has effects or draws random numbers"):
            tape.gradient(first, x)
    assert float(first) == 32.0 and float(v) == 1.0


@pytest.mark.parametrize("kind", ["tensor", "variable"])
def test_gather_nd_of_rows_gives_slices(kind):
    p = tf.Variable([[1.0, 2.0], [3.0, 4.0]]) if kind == "variable" else tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(p)
        y = p.gather_nd([[1], [1]]) if kind == "variable" else tf.gather_nd(p, [[1], [1]])
    d = tape.gradient(y, p)
    assert isinstance(d, tf.IndexedSlices) and d.indices.numpy().tolist() == [1, 1]
    assert tf.convert_to_tensor(d).numpy().tolist() == [[0.0, 0.0], [2.0, 2.0]]


def test_jacobians_of_variables():
    x, w = tf.Variable([1.0, 2.0]), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = x**3
    assert value(tape.jacobian(y, x)) == [[3, 0], [0, 12]]
    with tf.GradientTape() as tape:
        z = w * w
    assert value(tape.batch_jacobian(z, w)) == [[[2, 0], [0, 4]], [[6, 0], [0, 8]]]
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(x**3)
        g = inner.gradient(y, x)
    assert value(outer.jacobian(g, x)) == [[6, 0], [0, 12]] and outer.jacobian(g, w) is None
    with tf.GradientTape() as tape:
        rows = tf.reduce_sum(tf.gather(w, [1, 1, 0]), 0)
    assert value(tape.jacobian(rows, w)) == [[[1, 0], [2, 0]], [[0, 1], [0, 2]]]


def test_shapes_of_gradients_in_graphs():
    """Gradients of loops have the shapes of what they are gradients of, and rows that of the whole."""
    w, table = tf.Variable(tf.ones((3, 3))), tf.Variable(tf.ones((5, 3)))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(ids):
        with tf.GradientTape() as tape:
            x = tf.gather(table.read_value(), ids)
            tape.watch(x)
            y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.matmul(y, w)), (0, x))[1]
        dw, dtable, dx = tape.gradient(y, [w, table, x])
        assert dw.shape == [3, 3] and dx.shape.as_list() == [None, 3]
        assert isinstance(dtable, tf.IndexedSlices) and dtable.shape == [5, 3]
        return dw

    assert f(tf.constant([1, 2])).shape == [3, 3]


def test_values_of_constants_that_python_has_not_made():
    graph = tf.Graph()
    with graph.as_default():
        tf.constant([[1.0, 2.0]], name="c")
    with tf.Graph().as_default():
        (c,) = tf.import_graph_def(graph.as_graph_def(), return_elements=["c:0"])
        assert tf.get_static_value(c).tolist() == [[1, 2]]


def test_ops_without_gradient():
    """LookupError, by each way, as in TensorFlow."""
    image, factor = tf.Variable([[[0.5, 0.0]]]), tf.Variable(0.5)

    def contrast():
        return tf.image.adjust_contrast(image, factor)

    def by_tape(f):
        with tf.GradientTape() as tape:
            y = f()
        return tape.gradient(y, image)

    def forwards():
        with tf.autodiff.ForwardAccumulator(factor, tf.constant(1.0)) as accumulator:
            y = contrast()
        return accumulator.jvp(y)

    inner = tf.function(contrast)
    ways = (
        lambda: by_tape(contrast), lambda: by_tape(inner), tf.function(lambda: by_tape(contrast)), forwards,
    )  # fmt: skip
    for way in ways:
        with pytest.raises(LookupError, match="No gradient defined for op: AdjustContrastv2"):
            way()


def test_functions_with_gradients_of_their_own_tell_their_parameters():
    def f(x, training=False):
        return x

    for made in (tf.recompute_grad(f), tf.custom_gradient(f)):
        assert (
            inspect.getfullargspec(made).args == ["x", "training"]
            and str(inspect.signature(made)) == "(x, training=False)"
        )


@pytest.mark.parametrize(
    "equation, told, a, b",
    [
        ("...bc,bc->...b", "xybc,bc->xyb", (2, 3, 4, 5), (4, 5)),
        ("...b,bc->...c", "xyb,bc->xyc", (2, 3, 4), (4, 5)),
        ("bc,...bc->...", "bc,xybc->xy", (4, 5), (2, 3, 4, 5)),
        ("...b,bcd->...c", "xyb,bcd->xyc", (2, 3, 4), (4, 5, 2)),
        ("b...,bc->c...", "bxy,bc->cxy", (4, 2, 3), (4, 5)),
        ("...b,...bc->...c", "xyb,xybc->xyc", (2, 3, 4), (2, 3, 4, 5)),
    ],
)
@BOTH
def test_ellipsis_that_one_input_has(equation, told, a, b, made):
    rng = np.random.default_rng(0)
    xs = [tf.constant(rng.random(shape), tf.float32) for shape in (a, b)]

    def gradients(equation):
        def take():
            with tf.GradientTape() as tape:
                tape.watch(xs)
                y = tf.reduce_sum(tf.einsum(equation, *xs) ** 2)
            return tape.gradient(y, xs)

        return made(take)()

    for found, expected in zip(gradients(equation), gradients(told)):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_gradients_of_functions_know_what_their_shapes_tell():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float64)])
    def trace_of_square(x):
        return tf.reduce_sum(tf.eye(tf.shape(x)[-1], dtype=tf.float64) * x * x)

    x = tf.constant(np.eye(6))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = trace_of_square(x)
    assert np.array_equal(tape.gradient(y, x), 2 * np.eye(6))


# ---- functions of Python's


def _cubed(t):
    return tf.ensure_shape(tf.py_function(lambda a: a * a * a, [t], tf.float32), t.shape)


@tf.function
def _cubed_twice(t):
    for _ in tf.range(2):
        t = _cubed(t)
    return t


@pytest.mark.parametrize(
    ("f", "first", "second"),
    [
        (tf.function(_cubed), [3.0, 12.0], [6.0, 12.0]),
        (tf.function(lambda t: tf.function(_cubed)(t)), [3.0, 12.0], [6.0, 12.0]),
        (_cubed_twice, [9.0, 9 * 2.0**8], [72.0, 72 * 2.0**7]),
    ],
)
def test_gradients_go_through_python_functions(f, first, second):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        d = tape.gradient(y, x)
    assert d.numpy().tolist() == first and outer.gradient(d, x).numpy().tolist() == second


def test_gradients_of_python_functions_of_several_values():
    def f(x, z):
        return tf.py_function(
            lambda a, b, c: [a * b, tf.cast(c, tf.float32) * b, c], [x, z, 3], [tf.float32] * 2 + [tf.int32]
        )

    with tf.Graph().as_default():
        x, z = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
        product, multiple, _ = f(x, z)
        gradients = [*tf.gradients(product, [x, z]), *tf.gradients([product, multiple], [x, z])]
        assert tf.gradients(multiple, [z])[0].shape == []
        with v1.Session() as session:
            assert session.run(gradients, {x: 2.0, z: 5.0}) == [5.0, 2.0, 5.0, 5.0]
