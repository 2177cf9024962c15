#!/usr/bin/env python3
"""Trains a network on handwritten digits, saves it, and reads them with what was saved.

python examples/digits.py [DATA [FOLDER]]       data: train_digits/data beside this file; the model goes into FOLDER
"""

import gzip
import os
import struct
import sys
import tempfile

import numpy as np

import sluice as tf

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "train_digits", "data")
FOLDER = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()
BATCH, STEPS = 64, 400


def read(name):
    """An array in MNIST's format: a magic number whose last byte is the rank, the dimensions, the bytes."""
    with gzip.open(os.path.join(DATA, name)) as file:
        data = file.read()
    rank = data[3]
    dims = struct.unpack(f">{rank}I", data[4 : 4 + 4 * rank])
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(dims)


class Digits(tf.Module):
    """A convolution, pooling, two dense layers."""

    def __init__(self):
        super().__init__()
        tf.random.set_seed(1)
        init = tf.initializers.GlorotUniform()
        self.filters = tf.Variable(init([5, 5, 1, 8]))
        self.w1, self.b1 = tf.Variable(init([14 * 14 * 8, 64])), tf.Variable(tf.zeros([64]))
        self.w2, self.b2 = tf.Variable(init([64, 10])), tf.Variable(tf.zeros([10]))

    @tf.function(input_signature=[tf.TensorSpec([None, 28, 28], tf.float32)])
    def __call__(self, pictures):
        x = tf.nn.relu(tf.nn.conv2d(pictures[..., tf.newaxis], self.filters, 1, "SAME"))
        x = tf.nn.max_pool2d(x, 2, 2, "SAME")
        x = tf.nn.relu(tf.reshape(x, [-1, 14 * 14 * 8]) @ self.w1 + self.b1)
        return x @ self.w2 + self.b2


model = Digits()
optimizer = tf.compat.v1.train.AdamOptimizer(2e-3)


@tf.function
def train(pictures, labels):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(pictures))
        loss = tf.reduce_mean(losses)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


def accuracy(classifier, pictures, labels):
    return float(tf.reduce_mean(tf.cast(tf.argmax(classifier(pictures), -1) == labels, tf.float32)))


pictures, labels = read("pictures.gz").astype(np.float32) / 255, read("labels.gz").astype(np.int64)
held_out = len(labels) // 10
test_pictures, test_labels = tf.constant(pictures[:held_out]), tf.constant(labels[:held_out])
pictures, labels = pictures[held_out:], labels[held_out:]
order = np.random.default_rng(1)
for step in range(STEPS + 1):
    chosen = order.integers(0, len(labels), BATCH)
    loss = train(tf.constant(pictures[chosen]), tf.constant(labels[chosen]))
    if step % 100 == 0:
        print(f"step {step:3d}  loss {loss.numpy():.3f}  accuracy {accuracy(model, test_pictures, test_labels):.3f}")

tf.saved_model.save(model, FOLDER)
again = tf.saved_model.load(FOLDER)
print(f"saved to {FOLDER}; read again, accuracy {accuracy(again, test_pictures, test_labels):.3f}")
assert accuracy(again, test_pictures, test_labels) > 0.9
