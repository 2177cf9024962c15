"""Initializers: shapes, types and numbers of tf.*_initializer, compat.v1's and tf.initializers. Expected values were taken
from TensorFlow 2.21."""

import numpy as np
import pytest

import sluice as tf

V1 = tf.compat.v1


@pytest.mark.parametrize(
    "initializer, shape, values",
    [
        (tf.zeros_initializer(), [2], [0.0, 0.0]),
        (tf.constant_initializer([1, 2, 3, 4]), [2, 2], [[1, 2], [3, 4]]),
        (tf.random_normal_initializer(seed=3), [1, 2], [[-0.033579, 0.083803]]),
        (tf.initializers.RandomUniform(seed=3), [3], [-0.030409, 0.043935, 0.003228]),
        (
            tf.initializers.GlorotUniform(seed=3),
            [3, 2],
            [[-0.666222, 0.962557], [0.070711, 0.747184], [-0.694925, -0.834917]],
        ),
        (tf.initializers.he_normal(seed=3), [3], [-0.623386, 1.555763, -0.876479]),
        (V1.constant_initializer(3), [2], [3.0, 3.0]),
        (V1.ones_initializer(dtype=tf.int32), [2], [1, 1]),
    ],
)
def test_values(initializer, shape, values):
    made = initializer(shape)
    np.testing.assert_allclose(made, values, atol=1e-6)


def test_variance_scaling_of_version_1():
    made = V1.glorot_uniform_initializer(seed=1)([300, 200]).numpy()
    assert abs(made).max() <= (6 / 500) ** 0.5 and abs(made).max() > 0.99 * (6 / 500) ** 0.5
    made = V1.variance_scaling_initializer(2.0, "fan_out", "untruncated_normal", seed=1)([30, 10, 200]).numpy()
    assert abs(made.std() - (2 / (30 * 200)) ** 0.5) < 1e-4


def test_unseeded_objects_of_keras_repeat_themselves():
    initializer = tf.initializers.RandomNormal()
    np.testing.assert_array_equal(initializer([3]), initializer([3]))
    assert not np.array_equal(tf.initializers.RandomNormal()([3]), initializer([3]))


def test_configurations():
    config = tf.initializers.serialize(tf.initializers.RandomNormal(seed=1))
    assert config["config"] == {"seed": 1, "mean": 0.0, "stddev": 0.05}
    again = tf.initializers.deserialize(config)
    np.testing.assert_array_equal(again([3]), tf.initializers.get(config)([3]))
    v1 = V1.truncated_normal_initializer(stddev=2.0, dtype=tf.float64)
    assert v1.get_config() == {"mean": 0.0, "stddev": 2.0, "seed": None, "dtype": "float64"}
    assert type(v1).from_config(v1.get_config())([2]).dtype == tf.float64


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: tf.constant_initializer({}), TypeError),
        (lambda: tf.zeros_initializer()([2], dtype=tf.string), ValueError),
        (lambda: tf.zeros_initializer()([2], foo=1), TypeError),
        (lambda: V1.truncated_normal_initializer(dtype=tf.int32), ValueError),
        (lambda: V1.variance_scaling_initializer(mode="x"), ValueError),
        (lambda: tf.initializers.get("nope"), ValueError),
        (lambda: V1.orthogonal_initializer()([3]), ValueError),
    ],
)
def test_refused(call, error):
    with pytest.raises(error):
        call()
