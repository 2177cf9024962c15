"""tf.compat.v1.layers: names of variables, numbers and collections are those of TensorFlow with Keras 2 (recorded)."""

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1
L = v1.layers

NAMES = """
net/conv2d/kernel net/conv2d/bias net/batch_normalization/gamma net/batch_normalization/beta
net/batch_normalization/moving_mean net/batch_normalization/moving_variance net/separable_conv2d/depthwise_kernel
net/separable_conv2d/pointwise_kernel net/separable_conv2d/bias net/up/kernel net/up/bias net/fc/kernel net/fc/bias
net/dense/kernel net/dense/bias net/dense_1/kernel net/dense_1/bias net/bn2/gamma net/bn2/beta net/bn2/moving_mean
net/bn2/moving_variance
"""


def test_a_net_of_layers():
    with tf.Graph().as_default():
        v1.set_random_seed(1)
        x, training = v1.placeholder(tf.float32, [None, 8, 8, 3]), v1.placeholder(tf.bool, [])
        init = v1.random_normal_initializer(seed=3)
        with v1.variable_scope("net", initializer=init, regularizer=lambda w: tf.reduce_sum(w * w) * 1e-3):
            y = L.conv2d(x, 4, 3, activation=tf.nn.relu, padding="same")
            y = L.batch_normalization(y, training=training)
            y = L.separable_conv2d(L.max_pooling2d(y, 2, 2), 6, 3)
            y = L.conv2d_transpose(y, 5, 3, strides=2, activation=tf.nn.tanh, name="up")
            y = L.dropout(L.flatten(L.average_pooling2d(y, 2, 1)), 0.3, training=False)
            z = L.dense(y, 7, name="fc", activation=tf.nn.elu)
            L.dense(y, 7, name="fc", reuse=True)
            z = L.dense(L.dense(z, 2), 2)
            w = L.batch_normalization(z, training=True, fused=False, name="bn2")
        variables = v1.global_variables()
        assert [v.name for v in variables] == [n + ":0" for n in NAMES.split()]
        assert [v.name for v in variables if not v.trainable] == [n + ":0" for n in NAMES.split() if "moving" in n]
        assert len(v1.get_collection("update_ops")) == 4 and len(v1.get_collection("regularization_losses")) == 21
        assert (z.name, y.shape.as_list()) == ("net/dense_1/BiasAdd:0", [None, 80])
        loss = tf.reduce_mean(tf.square(w - 1.0)) + v1.losses.get_regularization_loss()
        with tf.control_dependencies(v1.get_collection("update_ops")):
            step = v1.train.GradientDescentOptimizer(0.05).minimize(loss)
        xs = np.random.RandomState(0).rand(4, 8, 8, 3).astype("f")
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            losses = [session.run([loss, step], {x: xs, training: True})[0] for _ in range(3)]
            np.testing.assert_allclose(losses, [3.0625434, 2.870135, 2.6988358], rtol=1e-5)
            expected = [[2.6966596, -1.4441205], [7.2275696, -1.7324997], [15.88805, -3.371237], [9.849807, -3.0414097]]
            np.testing.assert_allclose(session.run(z, {x: xs, training: False}), expected, rtol=1e-4)
            moved = session.run([v for v in variables if "moving" in v.name][:2])
            np.testing.assert_allclose(moved[0], [0.00061891, 0.00485959, 0.09931248, 0.04989398], rtol=1e-4)
            np.testing.assert_allclose(moved[1], [0.9707288, 0.97772133, 1.0420778, 1.0182376], rtol=1e-5)


def test_layers_as_objects():
    with tf.Graph().as_default():
        layer = L.Conv1D(3, 2, strides=2, padding="causal", dilation_rate=1, name="c")
        made = layer(tf.zeros([2, 9, 4]))
        again = layer(tf.ones([2, 5, 4]))
        assert made.shape == [2, 5, 3] and again.shape == [2, 3, 3]
        assert [v.name for v in layer.variables] == ["c/kernel:0", "c/bias:0"] and layer.count_params() == 27
        assert L.Dense(2).name == "dense" and L.Dense(2).name == "dense_1"
        assert L.conv3d(tf.zeros([1, 4, 4, 4, 1]), 2, 2).shape == [1, 3, 3, 3, 2]
        assert L.conv3d_transpose(tf.zeros([1, 2, 2, 2, 1]), 3, 2, strides=2).shape == [1, 4, 4, 4, 3]
        assert L.separable_conv1d(tf.zeros([1, 6, 2]), 5, 3).shape == [1, 4, 5]
        assert L.max_pooling1d(tf.zeros([1, 6, 2]), 2, 2).shape == [1, 3, 2]
        assert L.average_pooling3d(tf.zeros([1, 4, 4, 4, 1]), 2, 2).shape == [1, 2, 2, 2, 1]


def test_activities_are_regularized():
    with tf.Graph().as_default():
        L.dense(tf.ones([1, 2]), 3, activity_regularizer=tf.reduce_sum)
        (loss,) = v1.get_collection("regularization_losses")
        assert loss.shape == []


def test_layers_of_layers():
    class Two(L.Layer):
        def build(self, input_shape):
            self.scale = self.add_weight("scale", [], initializer=v1.ones_initializer())
            self.inner = L.Dense(2, use_bias=False)
            super().build(input_shape)

        def call(self, inputs):
            return self.inner(inputs) * self.scale

    with tf.Graph().as_default():
        layer = Two(name="two")
        layer(tf.zeros([1, 3]))
        assert [v.name for v in layer.trainable_weights] == ["two/scale:0", "two/dense/kernel:0"]


def test_what_does_not_fit():
    with tf.Graph().as_default():
        with pytest.raises(
            ValueError, match="Input 0 of layer 'd' is incompatible with the layer: expected min_ndim=2"
        ):
            L.dense(tf.zeros([3]), 2, name="d")
        layer = L.Dense(2)
        layer(tf.zeros([1, 3]))
        with pytest.raises(ValueError, match="expected axis -1 of input shape to have value 3"):
            layer(tf.zeros([1, 4]))
        with pytest.raises(ValueError, match="must be a tuple of 2 integers"):
            L.conv2d(tf.zeros([1, 4, 4, 1]), 2, (1, 2, 3))
        with pytest.raises(NotImplementedError, match="renorm"):
            L.batch_normalization(tf.zeros([1, 4]), renorm=True)
