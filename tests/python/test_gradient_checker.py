"""tf.test.compute_gradient gives what TensorFlow's gives."""

import numpy as np
import pytest

import sluice as tf

CASES = [
    (lambda x, y: x * y, ([1.0, 2.0], [3.0, 4.0]), [[[3, 0], [0, 4]], [[1, 0], [0, 2]]]),
    (lambda x: x * x, (np.array([1 + 2j], np.complex64),), [[[2, -4], [4, 2]]]),
    (lambda x: tf.reduce_sum(x * x), ([[1.0, 2.0], [3.0, 4.0]],), [[[2, 4, 6, 8]]]),
]


@pytest.mark.parametrize("f, at, want", CASES)
def test_of_functions(f, at, want):
    by_gradient, by_difference = tf.test.compute_gradient(f, [tf.constant(v) for v in at])
    for a, b, c in zip(by_gradient, by_difference, want, strict=True):
        np.testing.assert_allclose(a, c)
        np.testing.assert_allclose(b, c, atol=1e-2)


def test_of_graphs():
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session():
        x = tf.constant([1.0, 2.0])
        y = x * x
        a, b = v1.test.compute_gradient(x, [2], y, [2], x_init_value=np.array([1, 2], np.float32))
        np.testing.assert_allclose(a, [[2, 0], [0, 4]])
        np.testing.assert_allclose(b, a, atol=1e-2)
        assert v1.test.compute_gradient_error(x, [2], y, [2]) < 1e-2


def test_a_wrong_gradient_is_seen():
    @tf.custom_gradient
    def wrong(x):
        return x * x, lambda dy: dy

    (a,), (b,) = tf.test.compute_gradient(wrong, [tf.constant([3.0])])
    assert (a.tolist(), round(float(b[0, 0]))) == ([[1.0]], 6)
