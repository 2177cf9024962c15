"""tf.*, tf.math, tf.sets, tf.debugging, tf.quantization, tf.experimental.numpy ...: what calls give, as recorded from TensorFlow."""

import functools

import numpy as np
import pytest

import sluice as tf
from function_rows import read, result

_IN_COMPANIONS = ("tf.sets.", "tf.quantization.", "tf.sparse.from_dense")


def _has_companions():
    try:
        tf.quantization.fake_quant_with_min_max_args([1.0])
    except tf.errors.NotFoundError:
        return False
    return True


@pytest.mark.parametrize("call, expected", read())
def test_call(call, expected):
    if any(name in call for name in _IN_COMPANIONS) and not _has_companions():
        pytest.skip("the library was built without these kernels")
    assert result(tf, call) == expected


def test_asserts_of_graphs_run():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(x):
        with tf.control_dependencies([tf.debugging.assert_positive(x, "m"), tf.debugging.assert_shapes([(x, [2])])]):
            return tf.identity(x)

    assert f([1, 2]).numpy().tolist() == [1, 2]
    for wrong in ([1, -2], [1, 2, 3]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
            f(wrong)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Condition x > 0 did not hold element-wise:\nx \(Const"):
        tf.function(lambda: tf.debugging.assert_positive(tf.constant([-1])))()


def test_metrics_gather_over_runs():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None])
        value, update = v1.metrics.mean(x)
        area = v1.metrics.auc([0, 1, 1, 0, 1], [0.1, 0.4, 0.8, 0.6, 0.9], curve="PR", num_thresholds=11)
        session.run(v1.local_variables_initializer())
        assert session.run(update, {x: [1.0, 2.0]}) == 1.5 and session.run(update, {x: [6.0]}) == 3.0
        assert session.run(value) == 3.0 and session.run(value) == 3.0
        assert abs(session.run(area)[1] - 0.90278) < 1e-5
        assert [v.name for v in v1.local_variables()][:2] == ["mean/total:0", "mean/count:0"]


def test_templates_share_variables():
    v1 = tf.compat.v1

    def scaled(x):
        return x * v1.get_variable("w", [], initializer=v1.ones_initializer())

    template = v1.make_template("t", scaled)
    assert template(2.0).numpy() == 2.0
    template.variables[0].assign(3.0)
    assert template(2.0).numpy() == 6.0 and len(template.trainable_variables) == 1


def test_tensors_stay_with_a_session():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        c = tf.constant(10.0) * 5.0
        kept = session.run(v1.get_session_handle(c))
        holder, value = v1.get_session_tensor(kept.handle, tf.float32)
        assert session.run(value * 2.0, {holder: kept.handle}) == 100.0
        assert kept.eval() == 50.0 and session.run(c + 1.0, {c: kept}) == 51.0
        kept.delete()
        with pytest.raises(tf.errors.InvalidArgumentError, match="is not in the session store"):
            kept.eval()


def test_a_wrapper_is_converted_by_its_own_source():
    def wrapped(f):
        @functools.wraps(f)
        def call(*args):
            return f(*args)

        return call

    @wrapped
    def magnitude(x):
        if x > 0:
            return x
        return -x

    @tf.function
    def f(x):
        return magnitude(x)

    assert f(tf.constant(-3)).numpy() == 3 and f(tf.constant(2)).numpy() == 2


def test_a_function_may_end_without_its_return_statement():
    def f(x):
        if x is None:
            return 5
        kept.append(x)

    kept = []
    converted = tf.autograph.to_graph(f)
    assert converted(None) == 5 and converted(3) is None and kept == [3]


def test_named_arguments_keep_their_names():
    @tf.function
    def only_named(*, b, a):
        return a - b

    @tf.function
    def any_named(**given):
        return given["a"] - given["b"] + given["c"]["z"] - given["c"]["y"]

    assert only_named(b=tf.constant(1.0), a=tf.constant(5.0)).numpy() == 4.0
    assert only_named(a=tf.constant(1.0), b=tf.constant(5.0)).numpy() == -4.0
    made = any_named(b=tf.constant(1.0), a=tf.constant(5.0), c={"z": tf.constant(2.0), "y": tf.constant(7.0)})
    assert made.numpy() == -1.0
    concrete = any_named.get_concrete_function(
        b=tf.TensorSpec([]), a=tf.TensorSpec([]), c={"z": tf.TensorSpec([]), "y": 1.0}
    )
    assert concrete(a=tf.constant(3.0), b=tf.constant(1.0), c={"z": tf.constant(2.0), "y": 1.0}).numpy() == 3.0


class _Keeps(tf.Module):
    """Makes a variable of what it is called with first."""

    v = None

    @tf.function
    def __call__(self, x):
        if self.v is None:
            self.v = tf.Variable(x * 2.0, name="kept")
        self.v.assign_add(x)
        return self.v.read_value()


def test_variables_of_the_first_calls_arguments():
    m, x = _Keeps(), tf.constant([1.0, 2.0])
    assert m(x).numpy().tolist() == [3.0, 6.0] and m(x).numpy().tolist() == [4.0, 8.0]
    assert m.v.name == "kept:0" and m.v.numpy().tolist() == [4.0, 8.0]
    inner = _Keeps()
    outer = tf.function(lambda x: inner(x) + 1.0)
    assert [outer(tf.constant(1.0)).numpy() for _ in range(3)] == [4.0, 5.0, 6.0]


def test_generators_run_as_they_are():
    def numbers(n):
        for i in range(n):
            yield i

    @tf.function
    def f(x):
        for i in numbers(3):
            x = x + i
        return x + sum(2 * y for y in numbers(3))

    assert f(tf.constant(1)).numpy() == 10


def test_outputs_that_are_nothing():
    f = tf.function(lambda x: (x, None)).get_concrete_function(tf.TensorSpec([2]))
    assert f.output_shapes == (tf.TensorShape([2]), None) and f.output_dtypes == (tf.float32, None)


def test_tensors_of_a_function_stay_in_it():
    kept = []
    tf.function(lambda x: kept.append(x + 1))(tf.constant(1))
    for use in (lambda: kept[0] + 1, lambda: tf.add(1, kept[0]), lambda: tf.function(lambda: kept[0] * 2)()):
        with pytest.raises(TypeError, match="is out of scope and cannot be used here"):
            use()


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "bfloat16"])
def test_quotients_by_one_are_rounded(dtype):
    x = tf.constant([1.75, -0.5, 2], "float32")
    x = tf.cast(x, dtype)
    assert np.array_equal(tf.function(lambda x: x // 1)(x).numpy(), (x // 1).numpy())


def test_input_signatures_have_a_spec_for_each_parameter():
    spec = tf.TensorSpec([])
    cases = [
        (lambda a: a, 2, "input_signature contains 1 extra type constraints"),
        (lambda a, b: a, 1, "input_signature missing type constraint for b"),
        (lambda a, *, b: a, 1, "keyword-only parameter `b` must have a default value"),
    ]
    for f, n, message in cases:
        with pytest.raises(TypeError, match=message):
            tf.function(f, input_signature=[spec] * n)
    for f, n in ((lambda a, *b: a, 3), (lambda a, b=3: a, 1), (lambda self, a: a, 1)):
        tf.function(f, input_signature=[spec] * n)


def test_traces_as_children():
    f = tf.function(lambda x: x)
    f(tf.constant(1.0)), f(tf.constant(1))
    assert list(f._trackable_children("savedmodel")) == ["trace_0", "trace_1"] and f._trackable_children() == {}


def _all(*args, **kwargs):
    return tf.nest.flatten((args, kwargs))[0]


def _first(x, *args, **kwargs):
    return x


_VECTOR, _NUMBER = tf.TensorSpec([2], tf.float32), tf.TensorSpec([], tf.float32)


@pytest.mark.parametrize(
    "function, args, kwargs, inputs, names",
    [
        (_all, [_VECTOR], {}, "args_0", ["args_0"]),
        (_all, [_VECTOR, _NUMBER], {}, "args_0 args_1", ["args_0", "args_1"]),
        (_all, [[_VECTOR, _NUMBER]], {}, "args_0 args_0_1", ["args_0_0", "args_0_1"]),
        (_all, [_NUMBER, [_VECTOR, _NUMBER]], {}, "args_0 args_1 args_1_1", ["args_0", "args_1_0", "args_1_1"]),
        (_all, [{"x": _VECTOR, "y": [_NUMBER]}], {}, "args_0 args_0_1", ["args_0_x", "args_0_y_0"]),
        (_all, [(tf.TensorSpec([], name="a"), _NUMBER)], {}, "a args_0", ["a", "args_0_1"]),
        (_first, [_VECTOR, _NUMBER, _NUMBER], {"z": _NUMBER}, "x args_0 args_1 z", ["x", "args_0", "args_1", "z"]),
        (_first, [[_VECTOR]], {"z": {"k": _NUMBER}}, "x z", ["x_0", "z_k"]),
    ],
)
def test_names_of_arguments(function, args, kwargs, inputs, names):
    """Of placeholders and of specs in the signature: TensorFlow's, by which packages that export functions go."""
    traced = tf.function(function).get_concrete_function(*args, **kwargs)
    assert " ".join(t.op.name for t in traced.inputs) == inputs
    assert [s.name for s in tf.nest.flatten(traced.structured_input_signature)] == names


def test_signature_of_rest_arguments_as_text():
    traced = tf.function(_first).get_concrete_function(_VECTOR, [_NUMBER], z=_NUMBER)
    number = "TensorSpec(shape=(), dtype=tf.float32, name=None)"
    vector = number.replace("()", "(2,)")
    assert traced.pretty_printed_signature(verbose=False) == (
        f"(x: {vector}, args_0: List[{number}], /, *, z: {number}) -> {vector}"
    )
    assert f"  args_0 (POSITIONAL_ONLY): List[{number}]" in traced.pretty_printed_signature()


def test_handles_within_functions_tell_what_they_hold():
    v = tf.Variable(tf.zeros([4, 3]))
    shapes = []

    @tf.function
    def write(i, row):
        def twice():
            v.scatter_nd_update([[i]], [2 * row])
            shapes.append(tf.raw_ops.ResourceGatherNd(resource=v.handle, indices=[[i]], dtype=tf.float32).shape)
            return 2

        v.scatter_nd_add([[0]], [row])
        shapes.append(tf.raw_ops.ResourceGather(resource=v.handle, indices=[1, 2], dtype=tf.float32).shape)
        return tf.cond(i > 1, twice, lambda: 1)

    assert write(tf.constant(3), tf.ones([3])).numpy() == 2
    assert [s.as_list() for s in shapes] == [[2, 3], [1, 3]]
    assert v.numpy()[:, 0].tolist() == [1, 0, 0, 2]
    with pytest.raises(ValueError, match="must match dimensions"):
        write(tf.constant(3), tf.ones([2]))


def test_ranks_from_outside_are_known_while_tracing():
    rank = tf.rank(tf.ones([2, 1, 1]))

    @tf.function
    def f(x):
        tf.debugging.assert_rank_at_least(x, rank)
        return x

    assert f(tf.ones([1, 2, 3])).shape == [1, 2, 3]
    with pytest.raises(ValueError, match="must have rank at least 3.  Received rank 2"):
        f(tf.ones([2, 1]))


def test_tensors_of_another_type_for_a_concrete_function():
    f = tf.function(lambda a, b: a * b).get_concrete_function(tf.TensorSpec([]), tf.TensorSpec([], tf.float32))
    text = f"cannot compute {f.name} as input #1(zero-based) was expected to be a float tensor but is a int32 tensor [Op:{f.name}]"
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        f(tf.constant(1.0), tf.constant(1))
    assert text in str(error.value)
    with pytest.raises(TypeError):
        f(tf.constant(1.0), "text")
