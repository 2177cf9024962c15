#!/usr/bin/env python3
"""Writes the graphs that fuzz_run starts from into fuzz/corpus/run. Needs TensorFlow; what it wrote is committed.

    fuzz/make_run_corpus.py [FOLDER]
"""
import pathlib
import sys

import tensorflow as tf

v1 = tf.compat.v1
FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "corpus" / "run")


def loop_v1():
    v1.disable_control_flow_v2()
    x = v1.placeholder(tf.float32, [2, 2], "x")
    out = v1.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, tf.tanh(tf.matmul(a, x))), [0, x], parallel_iterations=3)
    tf.identity(out[1], "out")


def nested_v1():
    v1.disable_control_flow_v2()
    inner = lambda i, a: (i + 1, v1.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, b * 2 + j), [0, a])[1])
    tf.identity(v1.while_loop(lambda i, a: i < 4, inner, [0, 1])[1], "out")


def cond_v1():
    v1.disable_control_flow_v2()
    p = v1.placeholder(tf.bool, [], "p")
    x = v1.placeholder(tf.float32, [3], "x")
    y = v1.cond(p, lambda: tf.cond(x[0] > 0, lambda: x * 2, lambda: -x), lambda: tf.reverse(x, [0]))
    v1.while_loop(lambda i: i < 3, lambda i: v1.cond(i > 1, lambda: i + 2, lambda: i + 1), [0])
    tf.identity(y, "out")


def loop_v2():
    v1.enable_control_flow_v2()
    x = v1.placeholder(tf.float32, [3], "x")
    tf.identity(tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + x), [0, x])[1], "out")
    tf.identity(tf.cond(tf.reduce_sum(x) > 1, lambda: x, lambda: x * x), "c")


def arrays():
    v1.disable_control_flow_v2()
    ta = tf.TensorArray(tf.float32, 4, clear_after_read=False, element_shape=[2])
    ta = v1.while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t.write(i, tf.fill([2], tf.cast(i, tf.float32)))), [0, ta])[1]
    tf.identity(ta.stack() + ta.read(2), "out")
    handle = tf.raw_ops.TensorListReserve(element_shape=[2], num_elements=3, element_dtype=tf.float32)
    handle = tf.raw_ops.TensorListSetItem(input_handle=handle, index=1, item=[1.0, 2.0])
    tf.raw_ops.TensorListStack(input_handle=handle, element_shape=[2], element_dtype=tf.float32, name="list")


def functions():
    @tf.function
    def inner(a, n):
        return a * 2 if n == 0 else tf.nn.relu(a)

    @tf.function
    def outer(a):
        return inner(a, 0) + inner(a, 1)
    tf.identity(outer(v1.placeholder(tf.float32, [None], "x")), "out")


def shapes():
    x = v1.placeholder(tf.float32, [2, 3, 4], "x")
    y = tf.transpose(tf.reshape(x, [4, -1]), [1, 0])[1:, ::2]
    z = tf.concat([y, tf.tile(y[:, :1], [1, 2])], 1)
    tf.identity(tf.gather(z, [0, 1, 1], axis=0), "gathered")
    tf.raw_ops.Split(axis=1, value=z, num_split=2, name="parts")
    tf.math.segment_sum(z, [0, 0, 1, 1, 3], name="segments")
    tf.pad(z, [[1, 0], [0, 2]], name="padded")
    tf.raw_ops.TopKV2(input=z, k=2, name="top")
    tf.einsum("bij,bkj->bik", x, x, name="product")
    tf.raw_ops.Unique(x=[1, 2, 1, 5], name="unique")
    tf.scatter_nd([[0], [2]], [1.0, 2.0], [4], name="scattered")


def network():
    x = v1.placeholder(tf.float32, [1, 6, 6, 2], "x")
    y = tf.nn.conv2d(x, tf.ones([3, 3, 2, 4]), 1, "SAME")
    y = tf.nn.max_pool2d(tf.nn.relu(tf.nn.bias_add(y, tf.zeros([4]))), 2, 2, "VALID")
    y = tf.nn.depthwise_conv2d(y, tf.ones([2, 2, 4, 1]), [1, 1, 1, 1], "SAME")
    y = v1.nn.fused_batch_norm(y, tf.ones([4]), tf.zeros([4]), tf.zeros([4]), tf.ones([4]), is_training=False)[0]
    tf.nn.softmax(tf.matmul(tf.reshape(y, [1, -1]), tf.ones([36, 3])), name="out")


def text():
    s = tf.constant(["a b", "c", "longer words here"])
    tf.raw_ops.StringSplitV2(input=s, sep=" ", name="split")
    tf.strings.regex_replace(s, "[a-c]+", "<\\0>", name="replaced")
    tf.strings.substr(s, 0, 1, name="first")
    tf.strings.as_string(tf.strings.length(s), name="lengths")
    tf.io.decode_base64(tf.io.encode_base64(s), name="again")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for make in (loop_v1, nested_v1, cond_v1, loop_v2, arrays, functions, shapes, network, text):
        with tf.Graph().as_default() as graph:
            make()
        (FOLDER / (make.__name__ + ".pb")).write_bytes(graph.as_graph_def().SerializeToString(deterministic=True))


main()
