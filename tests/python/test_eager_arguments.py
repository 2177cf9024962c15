"""Eager arguments: what stands between brackets, and tensors of a type that an op does not take."""

import numpy
import pytest
import sluice as tf

ARRAY = numpy.arange(24, dtype=numpy.float32).reshape(2, 3, 4)
_ = slice(None)


@pytest.mark.parametrize(
    "key",
    [
        0, -1, (), (1, 2, 3), (0, -3), slice(1, None), slice(None, -1), slice(None, None, -1), slice(2, 0, -1),
        slice(0, 0), slice(-1, None), (Ellipsis, None), (None, 1), (Ellipsis, 0), (_, _, slice(3, None, -2)),
        (_, 1), (_, slice(0, 2), None), slice(-1, None, -1), (0, Ellipsis, slice(5, 100)),
    ],
)  # fmt: skip
def test_brackets_are_numpys(key):
    got = tf.constant(ARRAY)[key]
    assert got.shape == ARRAY[key].shape
    assert numpy.array_equal(got.numpy(), ARRAY[key])


def test_brackets_with_tensors_and_masks():
    x = tf.constant(ARRAY)
    assert numpy.array_equal(x[tf.constant(1)].numpy(), ARRAY[1])
    assert numpy.array_equal(x[:, tf.constant(1) : 3].numpy(), ARRAY[:, 1:3])
    assert numpy.array_equal(x[x > 5].numpy(), ARRAY[ARRAY > 5])


def test_wrong_keys():
    x = tf.constant(ARRAY)
    with pytest.raises(tf.errors.InvalidArgumentError, match="slice index 5 of dimension 0 out of bounds"):
        x[5]
    for key in (1.5, "a", True):
        with pytest.raises(TypeError, match="Only integers, slices"):
            x[key]


def test_gradient_of_brackets():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[1] * x[1] + x[-1]
    assert tape.gradient(y, x).numpy().tolist() == [0, 4, 1]


def test_length():
    assert len(tf.zeros([3, 2])) == 3
    with pytest.raises(TypeError, match="Scalar tensor has no"):
        len(tf.constant(1))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tf.matmul(tf.ones([1, 1]), tf.constant([[1]])), "MatMul as input #1.* a float tensor but is a int32"),
        (
            lambda: tf.raw_ops.Concat(concat_dim=0, values=[tf.constant([1]), tf.constant([1.0])]),
            "Concat as input #2.* a int32 tensor but is a float",
        ),
        (
            lambda: tf.raw_ops.LogicalNot(x=tf.constant(1, tf.float64)),
            "LogicalNot as input #0.* a bool tensor but is a double",
        ),
        (
            lambda: tf.constant(1) & tf.constant(1.0),
            r"BitwiseAnd as .* a int32 .* is a float tensor \[Op:BitwiseAnd\] name: $",
        ),
        (
            lambda: tf.constant(1) | tf.constant(1, tf.int8),
            r"BitwiseOr as .* is a int8 tensor \[Op:BitwiseOr\] name: $",
        ),
        (lambda: tf.constant(1) ^ tf.constant(True), r"BitwiseXor as .* is a bool tensor \[Op:BitwiseXor\] name: $"),
        (
            lambda: tf.constant(True) & tf.constant(1),
            r"LogicalAnd as .* a bool .* int32 tensor \[Op:LogicalAnd\] name: $",
        ),
        (
            lambda: tf.constant(True) | tf.constant(1),
            r"LogicalOr as .* a bool .* int32 tensor \[Op:LogicalOr\] name: $",
        ),
    ],
)
def test_tensors_of_another_type(call, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"cannot compute " + message):
        call()


def test_value_of_another_type():
    with pytest.raises(TypeError, match="Cannot convert 1.5 to EagerTensor of dtype int32$"):
        tf.constant(1.5, tf.int32)


def test_lengths_of_floats_in_lists():
    """TensorFlow takes them, too."""
    x = tf.zeros([9])
    for dtype in (tf.float32, tf.bfloat16):
        n = tf.constant(3, dtype)
        assert tf.reshape(x, (n, 3)).shape == [3, 3]
        assert tf.fill([n, 2], 1).shape == tf.zeros((n, 2)).shape == [3, 2]
        assert tf.tile(x, [n]).shape == [27]


def test_texts_beside_bits_in_graphs():
    with tf.Graph().as_default():
        for value, op, name in ((1, "BitwiseAnd", "int32"), (True, "LogicalAnd", "bool")):
            with pytest.raises(TypeError, match=f"Expected {name} passed to parameter 'y' of op '{op}', got "):
                tf.constant(value) & "a"


def test_limits_of_types():
    """Of intensities in images, so none is negative."""
    assert tf.float32.limits == tf.float64.limits == (0, 1)
    assert tf.uint8.limits == (0, 255) and tf.int16.limits == (0, 32767) and tf.bool.limits == (0, True)
    assert tf.int16.min == -32768 and tf.float32.min < -1e38
    for dtype in (tf.float16, tf.bfloat16, tf.complex64, tf.string, tf.qint8):
        with pytest.raises(ValueError, match=f"^<dtype: '{dtype.name}'> does not have defined limits.$"):
            dtype.limits
