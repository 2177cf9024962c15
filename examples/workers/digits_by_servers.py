#!/usr/bin/env python3
"""Trains a network on handwritten digits with parameter servers: two tasks keep the variables, two workers compute steps that do not
wait for each other, and this program tells them what to do.

python examples/workers/digits_by_servers.py [DATA]

The tasks are processes of this machine, which it starts and ends. One of the workers is killed in the middle and started again:
the other one runs its steps meanwhile.
"""

import gzip
import json
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np

import sluice as tf

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "train_digits", "data")
BATCH, ROUNDS, STEPS, RATE = 64, 6, 100, 0.1
SERVER = """
import json, os, sluice as tf
c = json.loads(os.environ["TF_CONFIG"])
tf.distribute.Server(c["cluster"], c["task"]["type"], c["task"]["index"]).join()
"""


def read(name):
    """An array in MNIST's format: a magic number whose last byte is the rank, the dimensions, the bytes."""
    with gzip.open(os.path.join(DATA, name)) as file:
        data = file.read()
    rank = data[3]
    dims = struct.unpack(f">{rank}I", data[4 : 4 + 4 * rank])
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(dims)


def start(cluster, job, index):
    config = json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})
    return subprocess.Popen([sys.executable, "-c", SERVER], env={**os.environ, "TF_CONFIG": config})


def train(cluster, tasks):
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(tf.train.ClusterSpec(cluster), rpc_layer="grpc")
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    with strategy.scope():
        init = tf.initializers.GlorotUniform(seed=1)
        weights = [tf.Variable(init([784, 64])), tf.Variable(tf.zeros([64]))]
        weights += [tf.Variable(init([64, 10])), tf.Variable(tf.zeros([10]))]

    pictures, labels = read("pictures.gz").reshape(-1, 784).astype(np.float32) / 255, read("labels.gz").astype(np.int64)
    held_out = len(labels) // 10

    def dataset():
        made = tf.data.Dataset.from_tensor_slices((pictures[held_out:], labels[held_out:]))
        return made.shuffle(len(labels)).repeat().batch(BATCH)

    def scores(pictures):
        w1, b1, w2, b2 = weights
        return tf.nn.relu(pictures @ w1 + b1) @ w2 + b2

    @tf.function
    def step(iterator):
        def replica(pictures, labels):
            with tf.GradientTape() as tape:
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scores(pictures))
                loss = tf.reduce_mean(losses)
            for w, g in zip(weights, tape.gradient(loss, weights)):
                w.assign_sub(RATE * g)
            return loss

        return strategy.run(replica, args=next(iterator))

    iterator = iter(coordinator.create_per_worker_dataset(dataset))
    for i in range(ROUNDS):
        losses = [coordinator.schedule(step, args=(iterator,)) for _ in range(STEPS)]
        if i == 2:
            tasks["worker", 1].kill()
            tasks["worker", 1].wait()
            os.unlink(cluster["worker"][1].removeprefix("unix:"))
            tasks["worker", 1] = start(cluster, "worker", 1)
        coordinator.join()
        print(f"round {i}  loss {np.mean(coordinator.fetch(losses)):.3f}", flush=True)

    right = tf.argmax(scores(tf.constant(pictures[:held_out])), -1) == labels[:held_out]
    accuracy = float(tf.reduce_mean(tf.cast(right, tf.float32)))
    assert accuracy > 0.85
    print(f"accuracy {accuracy:.3f}, variables at {sorted({w.device for w in weights})}")


def main():
    with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
        cluster = {job: [f"unix:{folder}/{job}{i}" for i in range(2)] for job in ("worker", "ps")}
        tasks = {(job, i): start(cluster, job, i) for job in cluster for i in range(2)}
        try:
            train(cluster, tasks)
        finally:
            for task in tasks.values():
                task.kill()
                task.wait()


if __name__ == "__main__":
    main()
