"""What Keras 2 writes, which most SavedModels that lie about come from: whole models with their training, by the package tf_keras;
and the layers and cells of TensorFlow 1, which went there."""

import os

import numpy as np
import tensorflow as tf
import tf_keras
from tf_keras.src.layers.rnn import legacy_cells
from tf_keras.src.legacy_tf_layers import convolutional, core, normalization, pooling

from models.files import of_builder, predict
from models.kinds import graph, made_up, maker, saved, tf1

L, Model = tf_keras.layers, tf_keras.Model


@maker
def keras_2_model(folder, made):
    """(model, feeds, fields): saved whole, with its functions and the state of its optimiser."""
    model, feeds, fields = (*(made if isinstance(made, tuple) else (made,)), None, {})[:3]
    path = os.path.join(folder, "model")
    model.save(path, save_format="tf")
    return saved(path, feeds, **(fields or {}))


def spread(model):
    random = np.random.RandomState(1)
    model.set_weights(
        [random.normal(0.1, 0.3, w.shape).astype(w.dtype) if w.dtype.kind == "f" else w for w in model.get_weights()]
    )
    return model


@keras_2_model
def keras_2_classifier():
    """Compiled, trained, and saved with the state of Adam."""
    model = tf_keras.Sequential(
        [
            L.Input((8, 8, 1), name="image"),
            L.Conv2D(4, 3, activation="relu"),
            L.BatchNormalization(),
            L.MaxPooling2D(),
            L.Flatten(),
            L.Dropout(0.3),
            L.Dense(3, activation="softmax", name="classes"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(made_up((12, 8, 8, 1), "float32"), np.arange(12) % 3, verbose=0)
    return model


@keras_2_model
def keras_2_recurrent():
    x = tf_keras.Input((None,), dtype="int32", name="tokens")
    y = L.Bidirectional(L.LSTM(4, return_sequences=True))(L.Embedding(9, 5, mask_zero=True)(x))
    y = L.Dense(2)(L.GRU(3)(y))
    return spread(Model(x, [y, L.SimpleRNN(3)(L.Embedding(9, 2)(x))])), {
        "tokens": np.int32([[1, 2, 3, 0], [4, 0, 0, 0]])
    }


@keras_2_model
def keras_2_features():
    words, x = tf_keras.Input((1,), dtype="string", name="words"), tf_keras.Input((2,), name="x")
    text = L.TextVectorization(vocabulary=["good", "bad"], output_sequence_length=4)(words)
    ids = L.StringLookup(vocabulary=["a", "b"], output_mode="one_hot")(words)
    joined = L.Concatenate()(
        [L.Flatten()(L.Embedding(4, 2)(text)), ids, L.Normalization(mean=[0.1, 0.2], variance=[1.0, 2.0])(x)]
    )
    return (
        spread(Model([words, x], L.Dense(3)(joined))),
        {"words": np.array([["good, bad"], ["b"]], object), "x": made_up((2, 2), "float32")},
        {"not_frozen": "*"},
    )


class OfOnesOwn(Model):
    def __init__(self):
        super().__init__()
        self.dense, self.seen = L.Dense(3), tf.Variable(0, trainable=False)

    @tf.function(input_signature=[tf.TensorSpec([None, 4], name="x")])
    def call(self, x):
        self.seen.assign_add(1)
        return {"y": self.dense(x), "seen": tf.identity(self.seen)}


@keras_2_model
def keras_2_subclassed():
    model = OfOnesOwn()
    model(np.zeros((1, 4), np.float32))
    return spread(model), None, {"not_frozen": "*"}


@keras_2_model
def keras_2_mobile_net():
    model = tf_keras.applications.MobileNetV2((32, 32, 3), 0.35, weights=None, classes=5)
    return model, None, {"tolerance": 20}


@graph
def dynamic_recurrent_cells():
    """Recurrent cells of TensorFlow 1 in loops of frames, with lengths, and their gradients."""

    def build(session):
        tf1.disable_control_flow_v2()
        x = tf1.placeholder(tf.float32, [None, 5, 3], "x")
        lengths = tf1.placeholder(tf.int32, [None], "lengths")
        start = tf1.glorot_uniform_initializer(seed=3)
        cells = legacy_cells.MultiRNNCell(
            [
                legacy_cells.LSTMCell(4, use_peepholes=True, num_proj=3, initializer=start),
                legacy_cells.GRUCell(3, kernel_initializer=start),
            ]
        )
        outputs, state = tf1.nn.dynamic_rnn(cells, x, lengths, dtype=tf.float32)
        with tf1.variable_scope("both", initializer=start):
            both, _ = tf1.nn.bidirectional_dynamic_rnn(
                legacy_cells.BasicLSTMCell(2), legacy_cells.BasicRNNCell(2), x, lengths, dtype=tf.float32
            )
            straight, _ = tf1.nn.static_rnn(legacy_cells.BasicLSTMCell(3), tf.unstack(x, axis=1), dtype=tf.float32)
        slope = tf1.gradients(tf.reduce_sum(outputs) + tf.reduce_sum(straight[-1]), x)[0]
        session.run(tf1.global_variables_initializer())
        tf1.enable_control_flow_v2()
        signature = predict(
            {"x": x, "lengths": lengths},
            {
                "outputs": outputs,
                "h": state[0].h,
                "forward": both[0],
                "backward": both[1],
                "straight": straight[-1],
                "slope": slope,
            },
        )
        return {"serving_default": signature}, {"x": made_up((3, 5, 3), "float32"), "lengths": np.int32([5, 0, 3])}, {}

    return lambda folder: of_builder(folder, build)


@graph
def layers_of_tensorflow_1():
    """Norms that a placeholder switches to training, and scopes that share variables."""

    def build(session):
        x = tf1.placeholder(tf.float32, [None, 12, 12, 2], "image")
        training = tf1.placeholder_with_default(False, [], "training")
        start = tf1.glorot_uniform_initializer(seed=2)
        y = x
        for i, filters in enumerate((4, 6)):
            y = convolutional.conv2d(y, filters, 3, padding="same", kernel_initializer=start, name="conv%d" % i)
            y = normalization.batch_normalization(y, training=training, fused=True, name="norm%d" % i)
            y = pooling.max_pooling2d(tf.nn.leaky_relu(y), 2, 2)
        y = convolutional.separable_conv2d(y, 5, 2, depthwise_initializer=start, pointwise_initializer=start)
        y = core.dropout(core.flatten(y), 0.5, training=training)
        with tf1.variable_scope("head", reuse=tf1.AUTO_REUSE):
            first, second = (core.dense(y * scale, 4, name="dense", kernel_initializer=start) for scale in (1.0, 0.5))
        session.run(tf1.global_variables_initializer())
        return {"serving_default": predict({"image": x}, {"first": first, "second": second})}, None, {}

    return lambda folder: of_builder(folder, build)
