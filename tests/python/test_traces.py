"""tf.function: which calls share a trace, what functions take and give, variables that they make, concrete and wrapped functions."""

import collections
import functools
import gc
import logging
import weakref

import numpy as np
import pytest

import sluice as tf


def traces_of(*calls, **options):
    """How often a function is traced by calls (args, kwargs)."""
    f = tf.function(lambda *args, **kwargs: None, **options)
    for args in calls:
        f(*args)
    return f.experimental_get_tracing_count()


@pytest.mark.parametrize(
    "calls, count",
    [
        ([(tf.constant(1),), (tf.constant(2),)], 1),
        ([(tf.constant(1),), (tf.constant(1.0),)], 2),
        ([(tf.zeros([2]),), (tf.zeros([3]),)], 2),
        ([(1,), (2,), (1,)], 2),
        ([(1,), (1.0,), (True,)], 3),
        ([("a",), (b"a",)], 2),
        ([(None,), (0,)], 2),
        ([([tf.constant(1)],), ((tf.constant(1),),)], 2),
        ([({"a": tf.constant(1), "b": 2},), ({"b": 2, "a": tf.constant(5)},)], 1),
        ([(np.zeros(2, np.float32),), (tf.zeros([2]),)], 1),
        ([(len,), (max,), (len,)], 2),
        ([(tf.SparseTensor([[0]], [1.0], [2]),), (tf.SparseTensor([[1]], [2.0], [2]),)], 1),
    ],
)
def test_which_calls_share_a_trace(calls, count):
    assert traces_of(*calls) == count


def test_shapes_are_relaxed():
    f = tf.function(lambda x: tf.reduce_sum(x), reduce_retracing=True)
    assert [f(tf.ones([n])).numpy() for n in range(1, 6)] == [1, 2, 3, 4, 5]
    assert f.experimental_get_tracing_count() == 2


def test_a_wide_trace_serves_narrow_calls():
    f = tf.function(lambda x: x + 1)
    f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    f(tf.ones([3]))
    assert f.experimental_get_tracing_count() == 1


def test_input_signature():
    f = tf.function(
        lambda x, y: x * y, input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)]
    )
    assert f([1, 2], 3).numpy().tolist() == [3, 6] and f(np.ones(5, np.float32), 2.0).shape == [5]
    assert f.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match="failed due to `Can not cast TensorSpec.* to TensorSpec"):
        f(tf.ones([2, 2]), 1.0)
    with pytest.raises(TypeError, match="missing a required argument"):
        f(tf.ones([2]))


def test_retracing_is_warned_of(caplog):
    f = tf.function(lambda x, order: x * order)
    with caplog.at_level(logging.WARNING, logger="sluice"):
        for i in range(8):
            f(tf.constant(1), i)
    assert "triggered tf.function retracing" in caplog.text and "What differed last is order" in caplog.text


def test_arguments_of_all_kinds():
    Point = collections.namedtuple("Point", "x y")

    @tf.function
    def f(a, b=2, *rest, c, d=4, **more):
        return {"sum": a + b + sum(rest) + c + d + more.get("e", 0), "point": Point(a, None)}

    made = f(tf.constant(1), 3, tf.constant(5), c=tf.constant(7), e=100)
    assert made["sum"].numpy() == 1 + 3 + 5 + 7 + 4 + 100 and made["point"].y is None
    with pytest.raises(TypeError, match="Binding inputs to tf.function failed"):
        f(tf.constant(1))


def test_results_that_are_no_tensors():
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.function(lambda: len)()
    assert tf.function(lambda: (1, [2.5], None))()[0].numpy() == 1


def test_partial_functions_methods_and_objects():
    class Scale:
        def __init__(self, by):
            self.by = by

        def __call__(self, x):
            return x * self.by

        @tf.function
        def method(self, x):
            return x * self.by

    assert tf.function(functools.partial(lambda a, b: a - b, b=2))(tf.constant(5)).numpy() == 3
    assert tf.function(Scale(3))(tf.constant(2)).numpy() == 6
    scale = Scale(4)
    assert scale.method(tf.constant(2)).numpy() == 8
    weak = weakref.ref(scale)
    del scale
    gc.collect()
    assert weak() is None


def test_variables_are_made_once():
    class Counter:
        count = None

        @tf.function
        def __call__(self):
            if self.count is None:
                self.count = tf.Variable(tf.zeros([], tf.int32))
            return self.count.assign_add(1)

    counter = Counter()
    assert [counter().numpy() for _ in range(3)] == [1, 2, 3]
    with pytest.raises(ValueError, match="only supports singleton tf.Variables"):
        tf.function(lambda: tf.Variable(1.0))()
    with pytest.raises(ValueError, match="only supports singleton tf.Variables"):
        tf.function(lambda x: tf.Variable(x))(tf.constant(1.0))


def test_effects_keep_their_order():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        v.assign(2.0)
        a = v.read_value()
        v.assign_add(5.0)
        return a, v.read_value()

    assert [t.numpy() for t in f()] == [2, 7]


def test_captures():
    a = tf.constant(2.0)
    v = tf.Variable(3.0)

    @tf.function
    def outer(x):
        @tf.function
        def inner(y):
            return y * x * a * v

        return inner(x) + inner(tf.constant(1.0))

    assert outer(tf.constant(5.0)).numpy() == 25 * 6 + 5 * 6
    concrete = outer.get_concrete_function(tf.TensorSpec([]))
    assert {id(t) for t in concrete.captured_inputs} == {id(a), id(v.handle)} and concrete.variables == (v,)


def test_tensors_do_not_leave_their_function():
    kept = []
    tf.function(lambda x: kept.append(x + 1))(tf.constant(1))
    with pytest.raises(TypeError, match="out of scope"):
        tf.function(lambda: kept[0] + 1)()
    with pytest.raises((TypeError, NotImplementedError, AttributeError)):
        kept[0].numpy()


def test_concrete_functions():
    f = tf.function(lambda x, y=3, *, z: {"s": x * y + z})
    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32), z=tf.TensorSpec([], tf.float32))
    assert concrete(tf.constant([1.0]), z=tf.constant(1.0))["s"].numpy().tolist() == [4]
    assert concrete(x=tf.constant([1.0]), z=tf.constant(1.0))["s"].numpy().tolist() == [4]
    assert concrete.structured_outputs["s"].shape.as_list() == [None]
    assert [t.op.name for t in concrete.inputs] == ["x", "z"]
    with pytest.raises(TypeError, match="takes|missing"):
        concrete(tf.constant([1.0]))
    with pytest.raises(TypeError, match="was traced, and cannot be 4"):
        concrete(tf.constant([1.0]), 4, z=tf.constant(1.0))


def test_wrapped_functions_are_cut():
    def program(x):
        v = tf.compat.v1.get_variable("v", initializer=tf.constant([1.0, 2.0]))
        return tf.add(tf.multiply(x, v, name="product"), 1.0)

    f = tf.compat.v1.wrap_function(program, [tf.TensorSpec([2], tf.float32)])
    assert f(tf.constant([3.0, 4.0])).numpy().tolist() == [4, 9]
    product = f.prune(f.inputs[0], "product:0")
    assert product(tf.constant([3.0, 4.0])).numpy().tolist() == [3, 8]
    rest = f.prune("product:0", f.outputs[0])
    assert rest(tf.constant([10.0, 20.0])).numpy().tolist() == [11, 21]
    with pytest.raises(ValueError, match="depend on the placeholder"):
        f.prune([], "product:0")


def test_functions_run_as_python():
    seen = []
    f = tf.function(lambda x: seen.append(type(x).__name__) or x)
    tf.config.run_functions_eagerly(True)
    try:
        f(tf.constant(1))
    finally:
        tf.config.run_functions_eagerly(False)
    f(tf.constant(1))
    assert seen == ["EagerTensor", "SymbolicTensor"]


def test_functions_in_graphs_of_version_1():
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [])
        y = tf.function(lambda t: t * x)(tf.constant(3.0))
        with tf.compat.v1.Session() as session:
            assert session.run(y, {x: 2}) == 6


def test_functions_end_with_their_objects():
    from sluice import _native

    f = tf.function(lambda x: x + 1)
    name = f.get_concrete_function(tf.TensorSpec([])).name
    assert _native.context_call("has_function", name)
    del f
    gc.collect()
    assert not _native.context_call("has_function", name)


def test_functions_that_lifted_a_value_end():
    from sluice import _native
    from sluice.core import func_graph

    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(tf.constant(3.0) * 2.0))
        return made[0] + x

    first = next(func_graph._numbers)
    assert f(1.0).numpy() == 7
    names = [f"__lifted_{n}" for n in range(first, next(func_graph._numbers))]
    assert not any(_native.context_call("has_function", name) for name in names)


def test_traces_are_explained():
    f = tf.function(lambda x, n: x * n)
    for x, n in ((1, 2), (1, 3), ([1], 3), (5, 3)):
        f(tf.constant(x), n)
    lines = f.explain().splitlines()
    assert lines[0].endswith("ms  the first call")
    assert lines[1].endswith("ms  n: 3 after 2")
    assert lines[2].endswith("ms  x: a tensor int32(1,) after a tensor int32()")
    assert len(lines) == 3


def test_a_trace_is_told_against_the_nearest_earlier_one():
    f = tf.function(lambda x, n: x * n)
    f(tf.constant([1, 2]), 2)
    f(tf.constant([1, 2]), 3)
    f(tf.constant([[1, 2]]), 5)
    f(tf.constant([1, 2, 3]), 2)
    lines = f.explain().splitlines()
    assert lines[3].endswith("ms  x: a tensor int32(3,) after a tensor int32(2,)")


@pytest.mark.parametrize(
    "first, second, told",
    [
        ((1.0,), (2.0,), "a Python number is part of the trace: a tensor, tf.constant(...), in its place serves all"),
        (([1.0],), ([1.0, 2.0],), "another one, 2 values after 1; stack what is of varying number into one tensor"),
        ((True,), (False,), "such a value decides what is traced, once for each"),
        ((object(),), (object(),), "objects are told apart by identity: make it once, outside of the calls"),
        (
            (np.zeros([2, 3]),),
            (np.zeros([4, 3]),),
            "an input_signature with tf.TensorSpec([None, 3]), or reduce_retracing=True",
        ),
        ((np.zeros([2]),), (np.zeros([2, 2]),), "an input_signature without a shape, tf.TensorSpec(None), serves all"),
        ((np.zeros([2]),), (np.zeros([2], np.float32),), "cast it to one type before the call, say float64"),
    ],
)
def test_why_it_is_traced_again(monkeypatch, caplog, first, second, told):
    monkeypatch.setenv("SLUICE_TRACE_WHY", "1")

    @tf.function
    def f(x):
        return 1

    with caplog.at_level("WARNING"):
        f(*first)
        f(*first)
        f(*second)
    texts = [r.getMessage() for r in caplog.records]
    assert len(texts) == 2
    assert texts[0].startswith(f"f is traced, called at {__file__}:") and texts[0].endswith(": the first call")
    assert told in texts[1]


def test_nothing_is_told_unasked(monkeypatch, caplog):
    monkeypatch.delenv("SLUICE_TRACE_WHY", raising=False)
    f = tf.function(lambda x: x)
    f(1)
    f(2)
    assert not caplog.records
