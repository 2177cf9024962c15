"""tf.nn: activations, losses, normalization, convolutions, pooling; expected values are TensorFlow's, or numpy's."""

import numpy as np
import pytest

import sluice as tf

X = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, -1.0]], "f")
CLOSE = {"rtol": 1e-5, "atol": 1e-6}


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda x: tf.nn.leaky_relu(x), [[1.0, -0.4, 3.0], [0.5, 0.0, -0.2]]),
        (lambda x: tf.nn.crelu(x)[1], [0.5, 0.0, 0.0, 0.0, 0.0, 1.0]),
        (lambda x: tf.nn.gelu(x)[0], [0.841345, -0.0455, 2.99595]),
        (lambda x: tf.nn.gelu(x, True)[0], [0.841192, -0.045402, 2.996363]),
        (lambda x: tf.nn.silu(x)[0], [0.731059, -0.238406, 2.857722]),
        (lambda x: tf.nn.softmax(x, 0)[0], [0.622459, 0.119203, 0.982014]),
        (lambda x: tf.nn.l2_normalize(x, 1)[0], [0.267261, -0.534522, 0.801784]),
        (
            lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=0 * x + 0.5, logits=x)[0],
            [0.813262, 1.126928, 1.548587],
        ),
        (lambda x: tf.nn.weighted_cross_entropy_with_logits(0 * x + 1.0, x, 2.0)[0], [0.626523, 4.253856, 0.097175]),
        (lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0], x), [0.132845, 0.604131]),
        (
            lambda x: tf.nn.softmax_cross_entropy_with_logits([[0.0] * 3, [1.0] * 3], x, axis=0),
            [0.974077, 0.126928, 4.01815],
        ),
        (lambda x: tf.nn.bias_add(x, [1.0, 2.0, 3.0])[1], [1.5, 2.0, 2.0]),
        (lambda x: tf.nn.compute_average_loss([1.0, 3.0], global_batch_size=4), 1.0),
    ],
)
def test_elements_and_losses(call, expected):
    np.testing.assert_allclose(call(tf.constant(X)), expected, rtol=1e-4, atol=1e-6)


def test_derivative_of_cross_entropy_at_0():
    x = tf.constant([0.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.sigmoid_cross_entropy_with_logits(labels=[0.25], logits=x)
    assert tape.gradient(y, x).numpy() == [0.25]


def test_moments_and_normalization():
    mean, variance = tf.nn.moments(tf.constant(X), [0])
    np.testing.assert_allclose([mean, variance], [X.mean(0), X.var(0)], **CLOSE)
    back = tf.nn.normalize_moments(*tf.nn.sufficient_statistics(tf.constant(X), [0], shift=0.5))
    np.testing.assert_allclose(back, [X.mean(0), X.var(0)], **CLOSE)
    weighted = tf.nn.weighted_moments(tf.constant(X), [0], [[1.0], [3.0]])
    np.testing.assert_allclose(weighted, [[0.625, -0.5, 0.0], [0.046875, 0.75, 3.0]], **CLOSE)
    normal = tf.nn.batch_normalization(tf.constant(X), mean, variance, None, None, 0.0)
    np.testing.assert_allclose(normal, (X - X.mean(0)) / X.std(0), **CLOSE)
    y, m, v = tf.compat.v1.nn.fused_batch_norm(X.reshape(1, 1, 2, 3), [1.0] * 3, [0.0] * 3)
    np.testing.assert_allclose([m, v], [X.mean(0), X.var(0) * 2], **CLOSE)
    with pytest.raises(ValueError, match="must be a 1D tensor"):
        tf.compat.v1.nn.fused_batch_norm(X.reshape(1, 1, 2, 3), [1.0] * 3, [0.0] * 3, is_training=False)


def test_dropout():
    x = tf.ones([1000])
    kept = tf.nn.experimental.stateless_dropout(x, 0.25, [1, 2]).numpy()
    assert set(np.round(kept, 5)) == {0.0, np.float32(1.33333)} and 200 < (kept == 0).sum() < 300
    rows = tf.nn.dropout(tf.ones([8, 3]), 0.5, noise_shape=[None, 1]).numpy()
    assert (rows == rows[:, :1]).all()
    with pytest.raises(ValueError, match="rate"):
        tf.nn.dropout(x, 1.5)


IMAGE, KERNEL = (
    np.arange(20, dtype="f").reshape(1, 4, 5, 1),
    np.array([[1.0, 2.0], [3.0, 4.0]], "f").reshape(2, 2, 1, 1),
)


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda: tf.nn.conv2d(IMAGE, KERNEL, 2, "VALID"), [[41, 61], [141, 161]]),
        (lambda: tf.nn.conv2d(IMAGE, KERNEL, 3, [[0, 0], [1, 0], [0, 1], [0, 0]]), [[4, 25], [141, 171]]),
        (lambda: tf.nn.atrous_conv2d(IMAGE, KERNEL, 3, "VALID"), [[123, 133]]),
        (lambda: tf.nn.convolution(IMAGE, KERNEL, [3, 3]), [[41, 71]]),
        (lambda: tf.nn.depthwise_conv2d(IMAGE, KERNEL, [1, 3, 3, 1], "VALID"), [[41, 71]]),
        (lambda: tf.nn.separable_conv2d(IMAGE, KERNEL, [[[[2.0]]]], [1, 3, 3, 1], "VALID"), [[82, 142]]),
        (lambda: tf.nn.conv2d_transpose([[[[1.0], [2.0]]]], KERNEL, [1, 2, 4, 1], 2), [[1, 2, 2, 4], [3, 4, 6, 8]]),
        (lambda: tf.nn.max_pool(IMAGE, 2, 2, "VALID"), [[6, 8], [16, 18]]),
        (lambda: tf.nn.avg_pool(IMAGE, [2, 1], 2, "SAME"), [[2.5, 4.5, 6.5], [12.5, 14.5, 16.5]]),
        (lambda: tf.nn.pool(IMAGE, [2, 2], "MAX", dilations=[2, 3]), [[13, 14], [18, 19]]),
        (lambda: tf.nn.dilation2d(IMAGE, KERNEL[..., 0], [1, 2, 2, 1], "VALID", "NHWC", [1] * 4), [[10, 12], [20, 22]]),
        (lambda: tf.nn.erosion2d(IMAGE, KERNEL[..., 0], [1, 2, 2, 1], "VALID", "NHWC", [1] * 4), [[-4, -2], [6, 8]]),
    ],
)
def test_windows_of_images(call, expected):
    np.testing.assert_allclose(call()[0, ..., 0], expected)


def test_more_batch_dims():
    many = np.broadcast_to(IMAGE, (2, 3, 4, 5, 1))
    assert tf.nn.conv2d(many, KERNEL, 1, "SAME").shape == [2, 3, 4, 5, 1]
    assert tf.nn.conv1d(IMAGE, KERNEL[0], 1, "VALID").shape == [1, 4, 4, 1]


def test_what_cannot_be():
    with pytest.raises(ValueError, match="in conjunction with"):
        tf.nn.convolution(IMAGE, KERNEL, 2, dilations=2)
    with pytest.raises(ValueError, match="strides should be of length"):
        tf.nn.conv2d(IMAGE, KERNEL, [1, 2, 3], "SAME")
    with pytest.raises(ValueError, match="pooling_type"):
        tf.nn.pool(IMAGE, [2, 2], "MIN")


def test_axes_of_unknown_rank():
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec(None)])
    def both(labels, logits):
        return tf.nn.softmax(logits, 0), tf.nn.softmax_cross_entropy_with_logits(labels, logits, axis=0)

    soft, loss = both(X, X)
    np.testing.assert_allclose(soft, tf.nn.softmax(X, 0), **CLOSE)
    np.testing.assert_allclose(loss, tf.nn.softmax_cross_entropy_with_logits(X, X, axis=0), **CLOSE)
