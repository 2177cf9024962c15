#!/usr/bin/env python3
"""Trains a network on handwritten digits in several processes, which add up their gradients in every step.

sluice launch --n 4 python examples/workers/digits_together.py FOLDER [DATA]

Each process takes its quarter of every batch. The first one saves a checkpoint into FOLDER every 40 steps; all begin with
the newest one that is there. So when a process dies, and `sluice launch --restarts 8` starts it again with those that waited for
it, training goes on, and ends with the same weights to the bit.
"""

import gzip
import os
import struct
import sys
import zlib

import numpy as np

import sluice as tf

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = sys.argv[1]
DATA = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "..", "train_digits", "data")
BATCH, STEPS, SAVES, RATE, MOMENTUM = 64, int(os.environ.get("STEPS", 200)), 40, 0.05, 0.9


def read(name):
    """An array in MNIST's format: a magic number whose last byte is the rank, the dimensions, the bytes."""
    with gzip.open(os.path.join(DATA, name)) as file:
        data = file.read()
    rank = data[3]
    dims = struct.unpack(f">{rank}I", data[4 : 4 + 4 * rank])
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(dims)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
workers, rank = strategy.num_replicas_in_sync, strategy.cluster_resolver.task_id or 0
with strategy.scope():
    init = tf.initializers.GlorotUniform(seed=1)
    weights = [tf.Variable(init([784, 64])), tf.Variable(tf.zeros([64]))]
    weights += [tf.Variable(init([64, 10])), tf.Variable(tf.zeros([10]))]
    speeds = [tf.Variable(tf.zeros(w.shape)) for w in weights]
    step = tf.Variable(0, dtype=tf.int64)


def scores(pictures):
    w1, b1, w2, b2 = weights
    return tf.nn.relu(pictures @ w1 + b1) @ w2 + b2


@tf.function
def train(pictures, labels):
    def replica(pictures, labels):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scores(pictures))
            loss = tf.reduce_sum(losses) / BATCH
        here = tf.distribute.get_replica_context()
        for w, v, g in zip(weights, speeds, here.all_reduce("SUM", tape.gradient(loss, weights))):
            v.assign(MOMENTUM * v + g)
            w.assign_sub(RATE * v)
        step.assign_add(1)
        return loss

    return strategy.reduce("SUM", strategy.run(replica, args=(pictures, labels)), axis=None)


pictures, labels = read("pictures.gz").reshape(-1, 784).astype(np.float32) / 255, read("labels.gz").astype(np.int64)
held_out = len(labels) // 10
checkpoint = tf.train.Checkpoint(weights=weights, speeds=speeds, step=step)
manager = tf.train.CheckpointManager(checkpoint, FOLDER, max_to_keep=3)
if manager.latest_checkpoint:
    checkpoint.restore(manager.latest_checkpoint)
    print(f"goes on from step {int(step.read_value())}", flush=True)
for at in range(int(step.read_value()), STEPS):
    chosen = np.random.default_rng(at).integers(held_out, len(labels), BATCH)[rank::workers]
    loss = train(tf.constant(pictures[chosen]), tf.constant(labels[chosen]))
    if (at + 1) % SAVES == 0 and rank == 0:
        print(f"step {at + 1:3d}  loss {float(loss):.3f}", flush=True)
        manager.save(checkpoint_number=at + 1)

right = tf.argmax(scores(tf.constant(pictures[:held_out])), -1) == labels[:held_out]
accuracy = float(tf.reduce_mean(tf.cast(right, tf.float32)))
mark = zlib.crc32(b"".join(w.numpy().tobytes() for w in weights))
marks = strategy.gather(tf.constant([mark], tf.int64), axis=0).numpy().tolist()
assert marks == [mark] * workers, "the workers have different weights"
assert accuracy > 0.85 or STEPS < 200
if rank == 0:
    print(f"{workers} workers, accuracy {accuracy:.3f}, weights {mark:08x}", flush=True)
