#!/usr/bin/env python3
"""What calls cost from Python: bench_python.py MODULE prints name, least and median nanoseconds of each case.

MODULE is sluice or tensorflow. The cases end with what an import costs beyond numpy's: ns, and bytes of resident memory.
"""

import importlib
import os
import statistics
import sys
import time

import numpy as np
import python_functions


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


memory, begin = resident(), time.perf_counter_ns()
tf = importlib.import_module(sys.argv[1])
IMPORT_ALONE = time.perf_counter_ns() - begin
tf.constant(1.0)  # both load the most of what they have when the first op runs
IMPORT, MEMORY = time.perf_counter_ns() - begin, resident() - memory


def say(name, least, median):
    print(name, least, median, sep="\t", flush=True)


def measure(name, call, seconds=0.4):
    call()
    begin = time.perf_counter_ns()
    call()
    n = max(1, int(2e6 / max(1, time.perf_counter_ns() - begin)))  # rounds of some 2 ms
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        begin = time.perf_counter_ns()
        for _ in range(n):
            call()
        times.append((time.perf_counter_ns() - begin) / n)
    say(name, min(times), statistics.median(times))


a, b = tf.constant(1.0), tf.constant(2.0)
m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
v = tf.Variable(1.0)
one = tf.constant(1.0)


def ten_ops():
    with tf.GradientTape() as tape:
        tape.watch(a)
        x = a
        for _ in range(5):
            x = x * b
            x = x + b
    tape.gradient(x, a)


@tf.function
def trivial(x):
    return x


@tf.function
def loop(n):
    i = 0
    while i < n:
        i += 1
    return i


rng = np.random.default_rng(1)
pictures = tf.constant(rng.normal(size=(16, 14, 14, 4)).astype(np.float32))
labels = tf.constant(rng.integers(0, 10, 16))
weights = [tf.Variable(rng.normal(size=s).astype(np.float32) * 0.1) for s in ((3, 3, 4, 8), (14 * 14 * 8, 10), (10,))]
adam = tf.compat.v1.train.AdamOptimizer()


def training_step():
    with tf.GradientTape() as tape:
        x = tf.nn.relu(tf.nn.conv2d(pictures, weights[0], 1, "SAME"))
        x = tf.matmul(tf.reshape(x, [16, 14 * 14 * 8]), weights[1]) + weights[2]
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))
    adam.apply_gradients(zip(tape.gradient(loss, weights), weights))


measure("a + b, scalars", lambda: a + b)
measure("matmul 2x2", lambda: tf.matmul(m, m))
measure("variable assign_add", lambda: v.assign_add(one))
measure("tape over ten ops, with the gradient", ten_ops)
measure("call of a trivial function", lambda: trivial(a))
thousand = tf.constant(1000)
measure("loop of a function, 1,000 turns", lambda: loop(thousand))
measure("training step by hand (convolution, dense, Adam)", training_step)
captured = tf.function(training_step)
measure("the same step as a function", captured)
with tf.Graph().as_default():
    x = tf.compat.v1.placeholder(tf.float32, [2])
    y, nothing = x + 1.0, tf.no_op() if hasattr(tf, "no_op") else tf.group()
    with tf.compat.v1.Session() as session:
        fed = np.ones(2, np.float32)
        measure("session.run of nothing", lambda: session.run(nothing))
        measure("session.run with a feed", lambda: session.run(y, {x: fed}))
for name, call in python_functions.cases(tf):
    measure("calls of " + name, call, seconds=0.1)
say("import", IMPORT_ALONE, IMPORT_ALONE)
say("import and first op", IMPORT, IMPORT)
say("import, bytes of memory beyond numpy's", MEMORY, MEMORY)
