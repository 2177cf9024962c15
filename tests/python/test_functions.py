"""tf.*, tf.math, tf.sets, tf.debugging, tf.quantization, tf.experimental.numpy ...: what calls give, as recorded from TensorFlow."""

import functools

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
