#!/usr/bin/env python3
"""Writes the graphs that bench/compare/run times, and a table of them. Needs TensorFlow.

    bench/compare/make_graphs.py FOLDER [REGEX on group/name] [--for-others]

FOLDER/cases.tsv has a row for each case: group, name, what bench_graph.c reads of a case. With --for-others each graph also comes as
nodes in JSON and constants as arrays, which others.py reads.
"""
import json
import os
import pathlib
import re
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import make_nets
import make_pipelines
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
F32 = tf.float32
CASES = []


def case(group, name, make, v2=False, callers=1, milliseconds=400, devices=1):
    """make() builds the graph and gives what is run: tensors to fetch, or operations as targets."""
    CASES.append((group, name, make, v2, callers, milliseconds, devices))


def feed(name, shape, dtype=F32, below=2, width=0):
    """Floats in [0.1, 1.1), or in [-width, width); integers in [0, below)."""
    tensor = v1.placeholder(dtype, shape, name)
    FEEDS.append(f"{name}:{tensor.dtype.as_datatype_enum}:{','.join(map(str, shape))}:{below}:{width}")
    return tensor


FEEDS = []


# ---- overhead and loops

def null_step():
    return [tf.identity(feed("x", []))]


def chain(n, dtype=F32):
    def make():
        x = y = feed("x", [], dtype)
        for _ in range(n):
            x = x + y  # two that are fed: nothing to be folded
        return [x]
    return make


def fan():
    x = feed("x", [])
    return [tf.add_n([x * float(i) for i in range(1000)])]


def conds():
    x = feed("x", [])
    for i in range(200):
        x = tf.cond(x > float(i), lambda: x + 1.0, lambda: x - 1.0)
    return [x]


def counter():
    return [tf.while_loop(lambda i: i < 10000, lambda i: (i + 1,), [feed("x", [], tf.int32, 1)])]


def three_variables():
    loop = tf.while_loop(lambda i, a, b: i < 10000, lambda i, a, b: (i + 1, a - b, a), [0, feed("x", []), 2.0])
    return list(loop)


def nested():
    def outer(i, s):
        return i + 1, tf.while_loop(lambda j, t: j < 100, lambda j, t: (j + 1, t + i), [0, s])[1]
    return [tf.while_loop(lambda i, s: i < 100, outer, [0, feed("x", [], tf.int32, 1)])[1]]


def cond_in_loop():
    def body(i, s):
        return i + 1, tf.cond(i < 2500, lambda: s + i, lambda: s + 1)
    return [tf.while_loop(lambda i, s: i < 5000, body, [0, feed("x", [], tf.int32, 1)])[1]]


def tanh_loop(rows, n):
    """A recurrence that forgets where it began, but neither fades nor saturates: so both libraries' results can be compared."""
    h, w = feed("h", [rows, n], width=1), feed("w", [n, n], width=1 / n ** .5)
    return w, tf.while_loop(lambda i, a: i < 1000, lambda i, a: (i + 1, tf.tanh(a @ w + h)), [0, h])[1]


def matmul_loop():
    return [tanh_loop(8, 64)[1]]


def loop_gradient():
    w, out = tanh_loop(32, 32)
    return v1.gradients(tf.reduce_sum(out), w)


# ---- several CPU devices: 1,000 iterations, each of which goes once round all devices

def round_devices(devices, parallel, shape):
    y = feed("y", shape)

    def body(i, a):
        for d in range(devices):
            with tf.device(f"/cpu:{d}"):
                a = y - a  # nothing that an optimiser makes one of
        return i + 1, a
    with tf.device("/cpu:0"):
        return tf.while_loop(lambda i, a: i < 1000, body, [0, feed("x", shape)], parallel_iterations=parallel)[1]


def side_by_side(devices, parallel):
    """A value on each device goes round by itself; only the condition crosses."""
    def body(i, *values):
        out = []
        for d, value in enumerate(values):
            with tf.device(f"/cpu:{d}"):
                out.append(tf.tanh(value))
        return [i + 1] + out
    with tf.device("/cpu:0"):
        values = [feed(f"x{d}", []) for d in range(devices)]
        return tf.while_loop(lambda i, *_: i < 1000, body, [0] + values, parallel_iterations=parallel)[1:]


def round_devices_gradient(devices, parallel):
    out = round_devices(devices, parallel, [8, 8])
    x = out.graph.get_tensor_by_name("x:0")
    return v1.gradients(tf.reduce_sum(out * out), x, colocate_gradients_with_ops=True)


def add_devices():
    for devices in (2, 4, 8):
        for parallel in (1, 4, 10, 32):
            case("devices", f"{devices} in turn, {parallel} parallel",
                 lambda n=devices, p=parallel: [round_devices(n, p, [])], devices=devices)
        case("devices", f"{devices} side by side, 10 parallel", lambda n=devices: side_by_side(n, 10), devices=devices)
        case("devices", f"{devices} in turn, gradient", lambda n=devices: round_devices_gradient(n, 10), devices=devices)


# ---- one op on large tensors

def op(make, *shapes, dtype=F32, below=2, first_alone=False):
    """With first_alone output 0 is run for and compared: what others hold for a gradient is the library's own affair."""
    def build():
        made = make(*[feed(f"x{i}", s, dtype, below) for i, s in enumerate(shapes)])
        return [made if first_alone else made.op]
    return build


def add_ops():
    million = [1000, 1000]
    unary = ["Abs", "Neg", "Exp", "Expm1", "Log", "Log1p", "Sqrt", "Rsqrt", "Square", "Sin", "Cos", "Tan", "Tanh", "Sigmoid",
             "Erf", "Erfc", "Floor", "Ceil", "Rint", "Round", "Sign", "Reciprocal", "Sinh", "Cosh", "Asin", "Acos", "Atan",
             "Asinh", "Lgamma", "Digamma", "IsNan"]
    for name in unary:
        case("ops", name, op(lambda x, name=name: getattr(tf.raw_ops, name)(x=x), million))
    case("ops", "Mish", op(lambda x: x * tf.tanh(tf.nn.softplus(x)), million))
    for name in ["Relu", "Relu6", "Elu", "Selu", "Softplus", "Softsign", "LeakyRelu"]:
        case("ops", name, op(lambda x, name=name: getattr(tf.raw_ops, name)(features=x), million))
    for name in ["AddV2", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Pow", "SquaredDifference", "FloorMod", "FloorDiv",
                 "Atan2", "Less", "Equal", "DivNoNan", "Xlogy"]:
        case("ops", name, op(lambda x, y, name=name: getattr(tf.raw_ops, name)(x=x, y=y), million, million))
    case("ops", "AddV2 row", op(lambda x, y: x + y, million, [1000]))
    case("ops", "AddV2 column", op(lambda x, y: x + y, million, [1000, 1]))
    case("ops", "Select", op(lambda x, y: tf.where(x > y, x, y), million, million))
    case("ops", "AddN 4", op(lambda *x: tf.add_n(x), *[million] * 4))
    case("ops", "Cast to half", op(lambda x: tf.cast(x, tf.half), million))
    case("ops", "Cast to int32", op(lambda x: tf.cast(x, tf.int32), million))
    case("ops", "ClipByValue", op(lambda x: tf.clip_by_value(x, .2, .8), million))
    for name in ["Sum", "Mean", "Max", "Prod"]:
        for axis in ([0], [1], [0, 1]):
            case("ops", f"{name} {axis}", op(lambda x, name=name, axis=axis: getattr(tf.raw_ops, name)(input=x, axis=axis),
                                             million))
    case("ops", "ArgMax 1", op(lambda x: tf.argmax(x, 1), million))
    case("ops", "ArgMax 0", op(lambda x: tf.argmax(x, 0), million))
    case("ops", "Any", op(lambda x: tf.reduce_any(x), million, dtype=tf.bool))
    case("ops", "Cumsum 0", op(lambda x: tf.cumsum(x, 0), million))
    case("ops", "Cumsum 1", op(lambda x: tf.cumsum(x, 1), million))
    case("ops", "Transpose", op(lambda x: tf.transpose(x), million))
    case("ops", "Transpose 0213", op(lambda x: tf.transpose(x, [0, 2, 1, 3]), [10, 100, 10, 100]))
    case("ops", "ConcatV2 0", op(lambda x, y: tf.concat([x, y], 0), million, million))
    case("ops", "ConcatV2 1", op(lambda x, y: tf.concat([x, y], 1), million, million))
    case("ops", "Pack", op(lambda x, y: tf.stack([x, y], 1), million, million))
    case("ops", "Split", op(lambda x: tf.split(x, 4, 1)[0], million))
    case("ops", "Slice", op(lambda x: tf.slice(x, [10, 10], [900, 900]), million))
    case("ops", "StridedSlice", op(lambda x: x[::2, ::-1], million))
    case("ops", "Pad", op(lambda x: tf.pad(x, [[8, 8], [8, 8]]), million))
    case("ops", "MirrorPad", op(lambda x: tf.pad(x, [[8, 8], [8, 8]], "REFLECT"), million))
    case("ops", "Tile", op(lambda x: tf.tile(x, [2, 2]), [500, 500]))
    case("ops", "Reverse", op(lambda x: tf.reverse(x, [1]), million))
    case("ops", "BroadcastTo", op(lambda x: tf.broadcast_to(x, [1000, 1000]), [1000, 1]))
    case("ops", "Fill", lambda: [tf.raw_ops.Fill(dims=feed("d", [2], tf.int32, 1) + 1000, value=1.0).op])
    case("ops", "OneHot", lambda: [tf.one_hot(feed("i", [1000], tf.int32, 1000), 1000).op])
    case("ops", "Range", lambda: [tf.range(feed("n", [], tf.int32, 1) + 1000000).op])
    case("ops", "GatherV2", lambda: [tf.gather(feed("x", [10000, 100]), feed("i", [10000], tf.int32, 10000)).op])
    case("ops", "GatherNd", lambda: [tf.gather_nd(feed("x", [10000, 100]), feed("i", [10000, 1], tf.int32, 10000)).op])
    case("ops", "ScatterNd", lambda: [tf.scatter_nd(feed("i", [10000, 1], tf.int32, 10000), feed("x", [10000, 100]),
                                                    [10000, 100]).op])
    case("ops", "UnsortedSegmentSum", lambda: [tf.math.unsorted_segment_sum(feed("x", [10000, 100]),
                                                                            feed("i", [10000], tf.int32, 100), 100).op])
    case("ops", "Where", op(lambda x: tf.where(x > .6), million))
    case("ops", "TopKV2 10", op(lambda x: tf.math.top_k(x, 10)[0], million))
    case("ops", "Sort", op(lambda x: tf.sort(x), million))
    case("ops", "Unique", op(lambda x: tf.unique(x)[0], [1000000], dtype=tf.int32, below=1000))
    case("ops", "Softmax", op(tf.nn.softmax, million))
    case("ops", "LogSoftmax", op(tf.nn.log_softmax, million))
    case("ops", "SoftmaxCrossEntropy", op(lambda x, y: tf.nn.softmax_cross_entropy_with_logits(y, x), million, million))
    case("ops", "SparseSoftmaxCrossEntropy", lambda: [tf.nn.sparse_softmax_cross_entropy_with_logits(
        feed("y", [1000], tf.int32, 1000), feed("x", million)).op])
    case("ops", "L2Loss", op(tf.nn.l2_loss, million))
    case("ops", "BiasAdd", op(tf.nn.bias_add, million, [1000]))
    image = [8, 56, 56, 40]
    case("ops", "BiasAddGrad", op(lambda x: tf.raw_ops.BiasAddGrad(out_backprop=x), image))
    case("ops", "MaxPool", op(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), image))
    case("ops", "MaxPool 3", op(lambda x: tf.nn.max_pool2d(x, 3, 1, "SAME"), image))
    case("ops", "AvgPool", op(lambda x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), image))
    case("ops", "LRN", op(lambda x: tf.nn.local_response_normalization(x), image))
    case("ops", "FusedBatchNormV3", lambda: [v1.nn.fused_batch_norm(feed("x", image), feed("s", [40]), feed("o", [40]),
                                                                    is_training=True)[0]])
    case("ops", "ResizeBilinear", op(lambda x: v1.image.resize_bilinear(x, [112, 112]), [2, 56, 56, 40]))
    case("ops", "ResizeNearest", op(lambda x: v1.image.resize_nearest_neighbor(x, [112, 112]), [2, 56, 56, 40]))
    case("ops", "SpaceToDepth", op(lambda x: tf.nn.space_to_depth(x, 2), image))
    case("ops", "ExtractImagePatches", op(lambda x: tf.image.extract_patches(x, [1, 3, 3, 1], [1, 2, 2, 1], [1] * 4, "SAME"),
                                          image))
    case("ops", "RandomUniform", lambda: [tf.random.uniform(feed("n", [1], tf.int32, 1) + 1000000, seed=1).op])
    case("ops", "RandomNormal", lambda: [tf.random.normal(feed("n", [1], tf.int32, 1) + 1000000, seed=1).op])
    case("ops", "Bincount", lambda: [tf.math.bincount(feed("x", [1000000], tf.int32, 1000), minlength=1000,
                                                      maxlength=1000).op])


def conv_op(x, w, stride=1):
    return op(lambda x, w: tf.nn.conv2d(x, w, stride, "SAME"), x, w)


def add_convs():
    convs = {"3x3 64-64 8x56": ([8, 56, 56, 64], [3, 3, 64, 64], 1), "1x1 256-64 8x56": ([8, 56, 56, 256], [1, 1, 256, 64], 1),
             "3x3 128-128 8x28": ([8, 28, 28, 128], [3, 3, 128, 128], 1), "3x3 512-512 8x7": ([8, 7, 7, 512], [3, 3, 512, 512], 1),
             "7x7 3-64 1x224": ([1, 224, 224, 3], [7, 7, 3, 64], 2), "1x1 32-192 1x56": ([1, 56, 56, 32], [1, 1, 32, 192], 1)}
    for name, (x, w, stride) in convs.items():
        case("dense", f"conv {name}", conv_op(x, w, stride), milliseconds=800)
        case("dense", f"conv input gradient {name}", op(lambda w, d, x=x, s=stride: tf.nn.conv2d_transpose(
            d, w, x, s, "SAME"), w, [x[0], x[1] // stride, x[2] // stride, w[3]]), milliseconds=800)
        case("dense", f"conv filter gradient {name}", op(lambda x, d, w=w, s=stride: tf.raw_ops.Conv2DBackpropFilter(
            input=x, filter_sizes=w, out_backprop=d, strides=[1, s, s, 1], padding="SAME"), x,
            [x[0], x[1] // stride, x[2] // stride, w[3]]), milliseconds=800)
    # More of ResNet-50 (batch 8) and of MobileNetV2 (batch 1): batch, height and width, channels, filter, filters, stride.
    for batch, size, channels, kernel, filters, stride in [
            (8, 56, 64, 1, 256, 1), (8, 28, 512, 1, 128, 1), (8, 14, 256, 3, 256, 1), (8, 14, 1024, 1, 256, 1),
            (8, 7, 512, 1, 2048, 1), (8, 56, 256, 1, 512, 2), (8, 56, 128, 3, 128, 2), (1, 224, 3, 3, 32, 2), (1, 112, 16, 1, 96, 1),
            (1, 56, 144, 1, 24, 1), (1, 14, 384, 1, 96, 1), (1, 14, 96, 1, 576, 1), (1, 7, 960, 1, 320, 1)]:
        name = f"conv {kernel}x{kernel} {channels}-{filters} {batch}x{size}" + (f" by {stride}" if stride > 1 else "")
        case("dense", name, conv_op([batch, size, size, channels], [kernel, kernel, channels, filters], stride))
    for batch, size, channels, stride in [(8, 56, 144, 1), (1, 112, 32, 1), (1, 56, 144, 2), (1, 14, 576, 1), (1, 7, 960, 1)]:
        name = f"depthwise 3x3 {batch}x{size}x{size}x{channels}" + (f" by {stride}" if stride > 1 else "")
        case("dense", name, op(lambda x, w, s=stride: tf.nn.depthwise_conv2d(x, w, [1, s, s, 1], "SAME"),
                               [batch, size, size, channels], [3, 3, channels, 1]))
    for size in (5, 7):
        case("dense", f"depthwise {size}x{size} 8x28x28x96", op(lambda x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"),
                                                                [8, 28, 28, 96], [size, size, 96, 1]))


def add_half():
    """Numbers of 16 bits: element-wise, folded, multiplied."""
    for dtype, word in ((tf.half, "half"), (tf.bfloat16, "bf16")):
        million = [1000, 1000]
        for name in ("Tanh", "Exp", "Sigmoid", "Log", "Rsqrt", "Erf", "Neg"):
            case("half", f"{name} of {word}", op(lambda x, name=name: getattr(tf.raw_ops, name)(x=x), million, dtype=dtype))
        for name in ("AddV2", "Mul", "RealDiv", "Maximum", "Pow"):
            case("half", f"{name} of {word}", op(lambda x, y, name=name: getattr(tf.raw_ops, name)(x=x, y=y), million, million,
                                                 dtype=dtype))
        case("half", f"Relu of {word}", op(tf.nn.relu, million, dtype=dtype))
        case("half", f"Softmax of {word}", op(tf.nn.softmax, million, dtype=dtype))
        case("half", f"BiasAdd of {word}", op(tf.nn.bias_add, million, [1000], dtype=dtype))
        case("half", f"chain of {word}", op(lambda x, y: tf.tanh(x * y + x) * y - x, million, million, dtype=dtype))
        for axis in (0, 1) if dtype == tf.half else (0, 1, None):  # a million of them are more than a half can be
            case("half", f"Sum of {word}, axis {axis}", op(lambda x, axis=axis: tf.reduce_sum(x, axis), million, dtype=dtype))
        case("half", f"Max of {word}, axis 1", op(lambda x: tf.reduce_max(x, 1), million, dtype=dtype))
        if dtype == tf.half:
            case("half", "matmul 512 half", op(tf.matmul, [512, 512], [512, 512], dtype=dtype))
        for name, x, w, stride in (("1x1 256-64 8x56", [8, 56, 56, 256], [1, 1, 256, 64], 1),
                                   ("3x3 64-64 8x56", [8, 56, 56, 64], [3, 3, 64, 64], 1),
                                   ("3x3 128-128 8x28", [8, 28, 28, 128], [3, 3, 128, 128], 1),
                                   ("7x7 3-64 1x224", [1, 224, 224, 3], [7, 7, 3, 64], 2)):
            case("half", f"conv {name} {word}", op(lambda x, w, s=stride: tf.nn.conv2d(x, w, s, "SAME"), x, w, dtype=dtype))


def add_images():
    case("dense", "max pool 3x3 8x112x112x64 by 2", op(lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), [8, 112, 112, 64]))
    case("dense", "max pool 2x2 8x56x56x128 by 2", op(lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME"), [8, 56, 56, 128]))
    case("dense", "average pool 3x3 8x35x35x192", op(lambda x: tf.nn.avg_pool2d(x, 3, 1, "SAME"), [8, 35, 35, 192]))
    case("dense", "mean over images 8x7x7x2048", op(lambda x: tf.reduce_mean(x, [1, 2]), [8, 7, 7, 2048]))
    image, channels = [8, 56, 56, 64], [64]
    case("dense", "batch norm 8x56x56x64", op(lambda x, s, o, m, v: v1.nn.fused_batch_norm(
        x, s, o, m, v, is_training=False)[0], image, channels, channels, channels, channels, first_alone=True))
    case("dense", "batch norm 8x56x56x64, training", op(lambda x, s, o: v1.nn.fused_batch_norm(x, s, o, is_training=True)[0],
                                                       image, channels, channels, first_alone=True))


def add_dense():
    for dtype, word in ((F32, "f32"), (tf.float64, "f64"), (tf.bfloat16, "bf16")):
        for n in (64, 128, 256, 512, 1024, 2048):
            case("dense", f"matmul {n} {word}", op(tf.matmul, [n, n], [n, n], dtype=dtype), milliseconds=800)
    case("dense", "matmul 512 a^T", op(lambda a, b: tf.matmul(a, b, transpose_a=True), [512, 512], [512, 512]))
    case("dense", "matmul 512 b^T", op(lambda a, b: tf.matmul(a, b, transpose_b=True), [512, 512], [512, 512]))
    case("dense", "matvec 2048", op(tf.matmul, [1, 2048], [2048, 2048]))
    case("dense", "batch matmul 64x64x64x64", op(tf.matmul, [64, 64, 64], [64, 64, 64]))
    add_convs()
    add_images()
    four_million = [2000, 2000]
    for name, make in {"tanh": tf.tanh, "exp": tf.exp, "log": tf.math.log, "sigmoid": tf.sigmoid, "erf": tf.math.erf, "sin": tf.sin,
                       "sqrt": tf.sqrt, "rsqrt": tf.math.rsqrt, "relu": tf.nn.relu,
                       "gelu": lambda x: 0.5 * x * (1 + tf.math.erf(x * 0.70710678))}.items():
        case("dense", f"{name} 4M", op(make, four_million))
    for name, make in {"add": tf.add, "multiply": tf.multiply, "divide": tf.divide, "power": tf.pow, "maximum": tf.maximum}.items():
        case("dense", f"{name} 4M", op(make, four_million, four_million))
    case("dense", "softmax 4096x1000", op(tf.nn.softmax, [4096, 1000]))
    case("dense", "softmax 64x50000", op(tf.nn.softmax, [64, 50000]))
    case("dense", "sum 2000x2000 axis 0", op(lambda x: tf.reduce_sum(x, 0), four_million))
    case("dense", "sum 2000x2000 axis 1", op(lambda x: tf.reduce_sum(x, 1), four_million))
    cube = [100, 200, 200]
    for word, axes in {"axis 0": [0], "axis 1": [1], "axis 2": [2], "axes 0, 2": [0, 2], "all axes": [0, 1, 2]}.items():
        case("dense", f"sum 100x200x200 {word}", op(lambda x, axes=axes: tf.reduce_sum(x, axes), cube))
        case("dense", f"max 100x200x200 {word}", op(lambda x, axes=axes: tf.reduce_max(x, axes), cube))
    case("dense", "transpose 2000x2000", op(tf.transpose, four_million))
    case("dense", "transpose 0312 8x56x56x64", op(lambda x: tf.transpose(x, [0, 3, 1, 2]), [8, 56, 56, 64]))
    case("dense", "transpose 0213 16x128x16x64", op(lambda x: tf.transpose(x, [0, 2, 1, 3]), [16, 128, 16, 64]))
    case("dense", "gather 10000 of 50000x64", lambda: [tf.gather(feed("x", [50000, 64]), feed("i", [10000], tf.int32, 50000)).op])

    def layer_norm(x, g, b):
        mean, variance = tf.nn.moments(x, [1], keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + 1e-3) * g + b  # TensorFlow fuses this with an epsilon of 1e-3, whatever it says
    case("dense", "layer norm 1024x1024", op(layer_norm, [1024, 1024], [1024], [1024]))


# ---- nets

def random_weights(shape, fan=0, seed=[0]):
    """Normal, of a size that keeps a sum over `fan` of them (all but the last dim) as large as one term."""
    seed[0] += 1
    fan = fan or float(np.prod(shape[:-1]))
    return (np.random.RandomState(seed[0]).standard_normal(shape) / np.sqrt(fan)).astype(np.float32)


def batch_norm(x):
    n = x.shape[-1]
    return v1.nn.fused_batch_norm(x, np.ones(n, np.float32), np.zeros(n, np.float32), np.zeros(n, np.float32),
                                  np.ones(n, np.float32), is_training=False)[0]


def conv(x, out, size, stride):
    inputs = size * size * int(x.shape[-1])
    return tf.nn.conv2d(x, random_weights([size, size, int(x.shape[-1]), out], inputs / 2), stride, "SAME")  # a ReLU takes half


def mobile_net_v2(batch):
    def make():
        x = tf.nn.relu6(batch_norm(conv(feed("x", [batch, 224, 224, 3]), 32, 3, 2)))
        for expand, out, repeat, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                            (6, 160, 3, 2), (6, 320, 1, 1)]:
            for i in range(repeat):
                y, s = x, stride if i == 0 else 1
                if expand > 1:
                    y = tf.nn.relu6(batch_norm(conv(y, expand * int(x.shape[-1]), 1, 1)))
                y = tf.nn.depthwise_conv2d(y, random_weights([3, 3, int(y.shape[-1]), 1], 9 / 2), [1, s, s, 1], "SAME")
                y = batch_norm(conv(tf.nn.relu6(batch_norm(y)), out, 1, 1))
                x = x + y if s == 1 and int(x.shape[-1]) == out else y
        x = tf.reduce_mean(tf.nn.relu6(batch_norm(conv(x, 1280, 1, 1))), [1, 2])
        return [tf.nn.softmax(x @ random_weights([1280, 1000]))]
    return make


def res_net(batch):
    def make():
        x = tf.nn.relu(batch_norm(conv(feed("x", [batch, 224, 224, 3]), 64, 7, 2)))
        x = tf.nn.max_pool2d(x, 3, 2, "SAME")
        for out, stride in [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)]:
            y = batch_norm(conv(tf.nn.relu(batch_norm(conv(x, out, 3, stride))), out, 3, 1))
            x = tf.nn.relu(y + (x if int(x.shape[-1]) == out else batch_norm(conv(x, out, 1, stride))))
        return [tf.nn.softmax(tf.reduce_mean(x, [1, 2]) @ random_weights([512, 1000]))]
    return make


def variable(shape):
    return tf.Variable(random_weights(shape), shape=shape)


def dense(x, out, activation=lambda y: y):
    return activation(x @ variable([int(x.shape[-1]), out]) + tf.Variable(np.zeros(out, np.float32)))


def train(logits, optimizer, labels=None):
    if labels is None:
        labels = feed("labels", [int(logits.shape[0])], tf.int32, int(logits.shape[1]))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    return [loss, optimizer.minimize(loss)]


def mlp(optimizer, x=None, labels=None):
    if x is None:
        x = feed("x", [64, 784])
    return train(dense(dense(dense(x, 256, tf.nn.relu), 128, tf.nn.relu), 10), optimizer, labels)


def cnn():
    x = feed("x", [32, 28, 28, 1])
    for out in (32, 64):
        y = tf.nn.conv2d(x, variable([3, 3, int(x.shape[-1]), out]), 1, "SAME") + tf.Variable(np.zeros(out, np.float32))
        x = tf.nn.max_pool2d(tf.nn.relu(y), 2, 2, "SAME")
    return train(dense(dense(tf.reshape(x, [32, 7 * 7 * 64]), 128, tf.nn.relu), 10), v1.train.AdamOptimizer())


def lstm():
    steps, batch, width, units = 32, 32, 64, 128
    x, w, b = feed("x", [steps, batch, width]), variable([width + units, 4 * units]), tf.Variable(np.zeros(4 * units, np.float32))

    def step(t, h, c):
        i, f, o, g = tf.split(tf.concat([x[t], h], 1) @ w + b, 4, 1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return t + 1, tf.sigmoid(o) * tf.tanh(c), c
    zeros = tf.zeros([batch, units])
    _, h, _ = tf.while_loop(lambda t, h, c: t < steps, step, [0, zeros, zeros])
    return train(dense(h, 10), v1.train.GradientDescentOptimizer(.1))


def gru():
    steps, batch, width, units = 32, 32, 64, 128
    x = feed("x", [steps, batch, width])
    w, u = variable([width + units, 2 * units]), variable([width + units, units])
    b, c = tf.Variable(np.zeros(2 * units, np.float32)), tf.Variable(np.zeros(units, np.float32))

    def step(t, h):
        r, z = tf.split(tf.sigmoid(tf.concat([x[t], h], 1) @ w + b), 2, 1)
        return t + 1, z * h + (1 - z) * tf.tanh(tf.concat([x[t], r * h], 1) @ u + c)
    _, h = tf.while_loop(lambda t, h: t < steps, step, [0, tf.zeros([batch, units])])
    return train(dense(h, 10), v1.train.GradientDescentOptimizer(.1))


def transformer(batch, weights, drop=lambda x: x, layers=4, length=128, width=256, heads=4):
    """An encoder as BERT's graphs have it, whose weights `weights` makes; the last layer's first position, for ten classes."""
    def project(x, out, activation=lambda y: y):
        return activation(tf.nn.bias_add(x @ weights([int(x.shape[-1]), out]), weights([out])))

    def norm(x):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return tf.nn.batch_normalization(x, mean, variance, weights([width]), weights([width]), 1e-12)

    def split(x):
        return tf.transpose(tf.reshape(x, [batch, length, heads, width // heads]), [0, 2, 1, 3])

    def gelu(x):
        return .5 * x * (1 + tf.math.erf(x / np.sqrt(2).astype(np.float32)))
    ids, mask = feed("ids", [batch, length], tf.int32, 5000), feed("mask", [batch, length], tf.int32, 2)
    masked = (1 - tf.cast(mask[:, None, None, :], F32)) * -10000.
    x = drop(norm(tf.reshape(tf.gather(weights([5000, width]), ids) + weights([length, width]), [-1, width])))
    for _ in range(layers):
        q, k, v = [split(project(x, width)) for _ in range(3)]
        p = drop(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * (heads / width) ** .5 + masked))
        y = tf.reshape(tf.transpose(tf.matmul(p, v), [0, 2, 1, 3]), [-1, width])
        x = norm(x + drop(project(y, width)))
        x = norm(x + drop(project(project(x, 4 * width, gelu), width)))
    return project(tf.reshape(x, [batch, length, width])[:, 0], 10)


def transformer_step():
    logits = transformer(4, variable, lambda x: tf.nn.dropout(x, .1, seed=1))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=feed("labels", [4], tf.int32, 10), logits=logits))
    optimizer = v1.train.AdamOptimizer()
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    gradients, _ = tf.clip_by_global_norm(gradients, 1.)
    return [loss, optimizer.apply_gradients(zip(gradients, variables))]


def autoencoder():
    x = y = feed("x", [16, 32, 32, 3])
    for out in (16, 32, 64):
        y = tf.nn.relu(tf.nn.conv2d(y, variable([3, 3, int(y.shape[-1]), out]), 2, "SAME") + tf.Variable(np.zeros(out, np.float32)))
    for out, size in ((32, 8), (16, 16), (3, 32)):
        y = tf.nn.conv2d_transpose(y, variable([3, 3, out, int(y.shape[-1])]), [16, size, size, out], 2, "SAME")
        y = y + tf.Variable(np.zeros(out, np.float32))
        y = tf.nn.relu(y) if out > 3 else tf.sigmoid(y)
    loss = tf.reduce_mean(tf.math.squared_difference(x, y))
    return [loss, v1.train.AdamOptimizer().minimize(loss)]


def add_nets():
    case("nets", "MLP batch 64, SGD step", lambda: mlp(v1.train.GradientDescentOptimizer(.1)))
    case("nets", "MLP batch 64, Adam step", lambda: mlp(v1.train.AdamOptimizer()))
    case("nets", "CNN batch 32, Adam step", cnn, milliseconds=1500)
    case("nets", "LSTM batch 32, SGD step, v1", lstm, milliseconds=800)
    case("nets", "LSTM batch 32, SGD step, v2", lstm, v2=True, milliseconds=800)
    for batch in (1, 8):
        case("nets", f"MobileNetV2 batch {batch}", mobile_net_v2(batch), milliseconds=1500)
        case("nets", f"ResNet-18 batch {batch}", res_net(batch), milliseconds=1500)
        case("nets", f"transformer batch {batch}", lambda batch=batch: transformer(batch, random_weights), milliseconds=1000)
    case("nets", "transformer batch 4, Adam step", transformer_step, milliseconds=1500)
    case("nets", "GRU batch 32, SGD step", gru, v2=True, milliseconds=800)
    case("nets", "autoencoder batch 16, Adam step", autoencoder, milliseconds=800)


# ---- heavy nodes that wait for nothing of each other and are each too small for several threads

def matmul_chains(chains, length, size):
    def make():
        w, out = feed("w", [size, size], width=1.7 / size ** .5), []
        for i in range(chains):
            x = feed(f"x{i}", [size, size], width=1)
            for _ in range(length):
                x = x @ w
            out.append(x)
        return [tf.add_n(out)]
    return make


def chains_with_conditionals(chains, length, size):
    def make():
        p, w, out = feed("p", [], tf.bool), feed("w", [size, size], width=1.7 / size ** .5), []
        for i in range(chains):
            x = feed(f"x{i}", [size, size], width=1)
            for j in range(length):
                x = x @ w
                if j % 7 == 3:
                    x = tf.cond(p, lambda: tf.nn.relu(x) * 1.5, lambda: tf.tanh(x))
            out.append(x)
        return [tf.add_n(out)]
    return make


def many_convs():
    x = feed("x", [1, 14, 14, 32])
    return [tf.add_n([tf.nn.relu(tf.nn.conv2d(x, random_weights([3, 3, 32, 32]), 1, "SAME")) for _ in range(48)])]


def towers():
    x, towers = feed("x", [1, 28, 28, 32]), []
    for kernel in (1, 3, 5, 3):
        y = x
        for _ in range(6):
            y = tf.nn.relu(tf.nn.conv2d(y, random_weights([kernel, kernel, int(y.shape[-1]), 16]), 1, "SAME"))
        towers.append(y)
    return [tf.concat(towers, 3)]


def two_directions():
    steps, batch, units = 24, 16, 128
    x = feed("x", [steps, batch, 64])
    w = [v1.placeholder_with_default(random_weights([64 + units, 4 * units]), [64 + units, 4 * units]) for _ in range(2)]

    def direction(w, at):
        def step(t, h, c):
            i, f, o, g = tf.split(tf.concat([x[at(t)], h], 1) @ w, 4, 1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            return t + 1, tf.sigmoid(o) * tf.tanh(c), c
        zeros = tf.zeros([batch, units])
        return tf.while_loop(lambda t, h, c: t < steps, step, [0, zeros, zeros])[1]
    return [tf.concat([direction(w[0], lambda t: t), direction(w[1], lambda t: steps - 1 - t)], 1)]


def beside_queue(outputs):
    """With a kernel that may wait in the graph: the form of a program for such."""
    queue = v1.FIFOQueue(1000, [F32], [[]], shared_name="queue")
    with tf.control_dependencies([queue.enqueue(1.0)]):
        return outputs + [queue.dequeue()]


def queued_matmuls(chains, length, size):
    return lambda: beside_queue(matmul_chains(chains, length, size)())


def queued_sum(terms):
    x = feed("x", [])
    return beside_queue([tf.add_n([x * float(i) for i in range(terms)])])


def queued_nested():
    def outer(i, s):
        return i + 1, s + tf.while_loop(lambda j, t: j < 30, lambda j, t: (j + 1, t + i), [0, i], parallel_iterations=32)[1]
    return beside_queue([tf.while_loop(lambda i, s: i < 100, outer, [0, feed("x", [], tf.int32, 1)], parallel_iterations=32)[1]])


def queue_pairs():
    queue, x = v1.FIFOQueue(10000, [F32], [[16]], shared_name="pairs"), feed("x", [16])
    with tf.control_dependencies([queue.enqueue(x * float(i)) for i in range(32)]):
        return [tf.add_n([-queue.dequeue() for _ in range(32)])]


def add_wide():
    case("wide", "LSTM in two directions", two_directions)
    case("wide", "8 chains of 20 matmuls 64", matmul_chains(8, 20, 64))
    case("wide", "2 chains of 20 matmuls 64", matmul_chains(2, 20, 64))
    case("wide", "8 chains of 20 matmuls 64, conditionals", chains_with_conditionals(8, 20, 64))
    case("wide", "48 convs 3x3 32-32 1x14", many_convs)
    case("wide", "4 towers of 6 convs 1x28", towers)
    case("wide", "a queue beside 8 chains of 20 matmuls 64", queued_matmuls(8, 20, 64))
    case("wide", "a queue beside AddN of 10,000", lambda: queued_sum(10000))
    case("wide", "a queue beside nested loops, 32 parallel", queued_nested)
    case("wide", "a queue, 32 in and out", queue_pairs)
    case("wide", "a queue, 32 in and out, 8 callers", queue_pairs, callers=8)


# ---- the same ops on the shapes that people have: few channels, short rows, other types

def strings(n):
    return tf.Variable([f"word{i}, and the next one" for i in range(n)], trainable=False).read_value()


def pool_and_gradient(gradient, size, stride):
    def make(x):
        y = (tf.nn.max_pool2d if gradient == "max" else tf.nn.avg_pool2d)(x, size, stride, "SAME")
        window = {"ksize": [1, size, size, 1], "strides": [1, stride, stride, 1], "padding": "SAME"}
        if gradient == "max":
            return tf.raw_ops.MaxPoolGrad(orig_input=x, orig_output=y, grad=y, **window)
        return tf.raw_ops.AvgPoolGrad(orig_input_shape=x.shape, grad=y, **window)
    return make


def add_linear_algebra():
    """Random matrices: singular values and eigenvalues are compared alone, vectors may have other signs."""
    def rising(x):
        return tf.matmul(x, x, transpose_b=True) + 8 * tf.eye(int(x.shape[-1]))
    for n in (64, 256, 512):
        case("shapes", f"MatrixInverse {n}", op(lambda x: tf.linalg.inv(rising(x)), [n, n]))
        case("shapes", f"MatrixSolve {n}", op(lambda x, y: tf.linalg.solve(rising(x), y), [n, n], [n, n]))
        case("shapes", f"Cholesky {n}", op(lambda x: tf.linalg.cholesky(rising(x)), [n, n]))
        case("shapes", f"MatrixTriangularSolve {n}", op(lambda x, y: tf.linalg.triangular_solve(x + 64 * tf.eye(int(x.shape[0])), y),
                                                        [n, n], [n, n]))
    for n in (64, 256):
        case("shapes", f"Qr {n}", op(lambda x: tf.abs(tf.linalg.diag_part(tf.linalg.qr(x)[1])), [n, n]))
        case("shapes", f"Svd {n}", op(lambda x: tf.linalg.svd(x)[0], [n, n], first_alone=True))
        case("shapes", f"Svd {n}, values alone", op(lambda x: tf.linalg.svd(x, compute_uv=False), [n, n], first_alone=True))
        case("shapes", f"SelfAdjointEig {n}", op(lambda x: tf.linalg.eigh(rising(x))[0], [n, n], first_alone=True))
        case("shapes", f"Eig {n}", op(lambda x: tf.sort(tf.abs(tf.linalg.eig(x)[0])), [n, n], first_alone=True))
    case("shapes", "MatrixInverse 1000 of 16", op(lambda x: tf.linalg.inv(rising(x)), [1000, 16, 16]))
    case("shapes", "Svd 1000 of 3", op(lambda x: tf.linalg.svd(x)[0], [1000, 3, 3], first_alone=True))
    case("shapes", "SelfAdjointEig 1000 of 3", op(lambda x: tf.linalg.eigh(rising(x))[0], [1000, 3, 3], first_alone=True))


def add_quantised():
    """Numbers of 8 bits, whose products are sums of 32."""
    def bytes_of(x):
        return tf.raw_ops.QuantizeV2(input=x, min_range=0., max_range=1.1, T=tf.quint8)

    def product(x, y):
        (a, *a_range), (b, *b_range) = bytes_of(x), bytes_of(y)
        return tf.cast(tf.raw_ops.QuantizedMatMul(a=a, b=b, min_a=a_range[0], max_a=a_range[1], min_b=b_range[0], max_b=b_range[1])[0],
                       tf.int32)

    def convolution(x, w):
        (a, *a_range), (b, *b_range) = bytes_of(x), bytes_of(w)
        return tf.cast(tf.raw_ops.QuantizedConv2D(input=a, filter=b, min_input=a_range[0], max_input=a_range[1], min_filter=b_range[0],
                                                  max_filter=b_range[1], strides=[1] * 4, padding="SAME")[0], tf.int32)
    case("shapes", "QuantizedMatMul 512", op(product, [512, 512], [512, 512]))
    case("shapes", "QuantizedConv2D 3x3 64-64 1x56", op(convolution, [1, 56, 56, 64], [3, 3, 64, 64]))


def add_shapes():
    image, photo = [8, 224, 224, 3], [1, 480, 640, 3]
    case("shapes", "Max of rows of 768", op(lambda x: tf.reduce_max(x, 2), [8, 128, 768]))
    case("shapes", "Sum of middle dims", op(lambda x: tf.reduce_sum(x, [1, 2]), [32, 56, 56, 10]))
    case("shapes", "Mean of half, rows", op(lambda x: tf.reduce_mean(x, 1), [1000, 1000], dtype=tf.half))
    case("shapes", "Softmax of rows of 10", op(tf.nn.softmax, [10000, 10]))
    case("shapes", "ArgMax of rows of 10", op(lambda x: tf.argmax(x, 1), [100000, 10]))
    case("shapes", "Cumsum of int64", op(lambda x: tf.cumsum(x, 1), [1000, 1000], dtype=tf.int64))
    case("shapes", "Transpose NHWC to NCHW, rgb", op(lambda x: tf.transpose(x, [0, 3, 1, 2]), image))
    case("shapes", "Transpose of uint8", op(lambda x: tf.transpose(x, [0, 3, 1, 2]), image, dtype=tf.uint8))
    case("shapes", "Split of rgb", op(lambda x: tf.split(x, 3, 3)[0], image))
    case("shapes", "Pack of rgb", op(lambda *x: tf.stack(x, 3), *[image[:3]] * 3))
    case("shapes", "Crop and mirror", op(lambda x: x[:, 10:-10, -10:10:-1], image))
    case("shapes", "Gather of batches", lambda: [tf.gather(feed("x", [1000, 100]), feed("i", [1000, 10], tf.int32, 100),
                                                           batch_dims=1).op])
    case("shapes", "SegmentSum of 20,000", lambda: [tf.math.segment_sum(
        feed("x", [20000, 64]), tf.Variable(np.arange(20000, dtype=np.int32) // 20).read_value()).op])
    case("shapes", "Bincount of rows", op(lambda x: tf.raw_ops.DenseBincount(
        input=x, size=100, weights=tf.constant([], tf.float32)), [1000, 1000], dtype=tf.int32, below=100))
    case("shapes", "MaxPool of rgb", op(lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME"), image))
    case("shapes", "MaxPool 3 stride 2 and gradient", op(pool_and_gradient("max", 3, 2), [8, 56, 56, 64]))
    case("shapes", "MaxPool 2 of rgb and gradient", op(pool_and_gradient("max", 2, 2), image))
    case("shapes", "AvgPool 3 and gradient", op(pool_and_gradient("avg", 3, 1), [8, 28, 28, 192]))
    case("shapes", "FusedBatchNorm of rgb", lambda: [v1.nn.fused_batch_norm(feed("x", image), feed("s", [3]), feed("o", [3]),
                                                                           is_training=True)[0]])
    case("shapes", "ResizeBilinear of a photo", op(lambda x: tf.image.resize(x, [224, 224]), photo, dtype=tf.uint8))
    case("shapes", "HSVToRGB", op(tf.image.hsv_to_rgb, photo))
    case("shapes", "AdjustHue", op(lambda x: tf.image.adjust_hue(x, .1), photo))
    case("shapes", "AdjustContrast", op(lambda x: tf.image.adjust_contrast(x, .5), photo))
    case("shapes", "uint8 to normalised floats", op(lambda x: (tf.cast(x, F32) - [123., 116., 103.]) / 58., image,
                                                    dtype=tf.uint8))
    case("shapes", "FFT 256", op(tf.signal.fft, [1000, 256], dtype=tf.complex64))
    case("shapes", "RFFT 512", op(lambda x: tf.signal.rfft(x, [512]), [1000, 512]))
    case("shapes", "FFT2D 256", op(tf.signal.fft2d, [8, 256, 256], dtype=tf.complex64))
    case("shapes", "FFT3D 32", op(tf.signal.fft3d, [4, 32, 32, 32], dtype=tf.complex64))
    for n in (1000, 997, 4096):
        case("shapes", f"FFT {n}", op(tf.signal.fft, [200, n], dtype=tf.complex64))
    case("shapes", "FFT 65536, one", op(tf.signal.fft, [65536], dtype=tf.complex64))
    case("shapes", "FFT 256 of complex128", op(tf.signal.fft, [1000, 256], dtype=tf.complex128))
    case("shapes", "IRFFT 512", op(lambda x: tf.signal.irfft(x, [512]), [1000, 257], dtype=tf.complex64))
    case("shapes", "QuantizeV2", op(lambda x: tf.raw_ops.QuantizeV2(input=x, min_range=0., max_range=1., T=tf.quint8)[0],
                                    [1000, 1000]))
    add_quantised()
    add_linear_algebra()
    case("shapes", "ApplyFtrl", lambda: [tf.raw_ops.ResourceApplyFtrl(
        **{name: tf.Variable(tf.ones([1000, 1000])).handle for name in ("var", "accum", "linear")},
        grad=feed("g", [1000, 1000]), lr=.1, l1=.01, l2=.01, lr_power=-.5)])
    case("shapes", "AsString", op(tf.strings.as_string, [100000]))
    case("shapes", "StringToNumber", lambda: [tf.strings.to_number(
        tf.Variable([f"{i / 8}" for i in range(100000)], trainable=False).read_value()).op])
    case("shapes", "RegexFullMatch", lambda: [tf.strings.regex_full_match(strings(100000), ".*7.*").op])
    case("shapes", "Substr", lambda: [tf.strings.substr(strings(100000), 2, 5).op])


# ---- checkpoints: 1 GiB in 16 variables

TENSORS = [f"layer_{i}/kernel" for i in range(16)]


def save():
    prefix = str(FOLDER / "saved")
    return [tf.raw_ops.SaveV2(prefix=prefix, tensor_names=TENSORS, shape_and_slices=[""] * len(TENSORS),
                              tensors=[feed(f"x{i}", [16, 1024, 1024]) for i in range(len(TENSORS))])]


def restore():
    prefix = str(FOLDER / "kept")
    with tf.Graph().as_default(), v1.Session() as session:  # something to read
        session.run(tf.raw_ops.SaveV2(prefix=prefix, tensor_names=TENSORS, shape_and_slices=[""] * len(TENSORS),
                                      tensors=[tf.random.uniform([16, 1024, 1024]) for _ in TENSORS]))
    return tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=TENSORS, shape_and_slices=[""] * len(TENSORS),
                                dtypes=[F32] * len(TENSORS))


def add_files():
    case("files", "save 1 GiB", save, milliseconds=0)
    case("files", "restore 1 GiB", restore, milliseconds=0)


def add_one_core():
    """Cases that stand elsewhere too; compare/run gives these one core."""
    case("one core", "null step", null_step)
    case("one core", "chain of 1,000 adds", chain(1000))
    case("one core", "matmul loop", matmul_loop, v2=True)
    case("one core", "matmul 512 f32", op(tf.matmul, [512, 512], [512, 512]))
    case("one core", "conv 3x3 64-64 8x56", conv_op([8, 56, 56, 64], [3, 3, 64, 64]), milliseconds=800)
    case("one core", "tanh 4M", op(tf.tanh, [2000, 2000]))
    case("one core", "add 4M", op(tf.add, [2000, 2000], [2000, 2000]))
    case("one core", "MLP batch 64, SGD step", lambda: mlp(v1.train.GradientDescentOptimizer(.1)))
    case("one core", "MobileNetV2 batch 1", mobile_net_v2(1), milliseconds=1500)
    case("one core", "ResNet-18 batch 1", res_net(1), milliseconds=1500)


def add_busy():
    """Cases that stand elsewhere too; compare/run lets other processes compute beside them, or the system give them less."""
    for group in "half busy", "busy", "quota":
        case(group, "chain of 1,000 adds", chain(1000))
        case(group, "8 callers, matmul 256", op(tf.matmul, [256, 256], [256, 256]), callers=8, milliseconds=1500)
        case(group, "tanh 4M", op(tf.tanh, [2000, 2000]), milliseconds=1500)
        case(group, "MLP batch 64, SGD step", lambda: mlp(v1.train.GradientDescentOptimizer(.1)), milliseconds=1500)
        case(group, "CNN batch 32, Adam step", cnn, milliseconds=3000)
        case(group, "MobileNetV2 batch 1", mobile_net_v2(1), milliseconds=3000)
        case(group, "ResNet-18 batch 1", res_net(1), milliseconds=3000)


def add_all():
    case("overhead", "null step", null_step)
    case("overhead", "chain of 1,000 adds, fused", chain(1000))
    case("overhead", "chain of 1,000 adds, one by one", chain(1000, tf.int32))  # no pass fuses integers
    case("overhead", "fan of 1,000 into AddN", fan)
    case("overhead", "200 conds", conds)
    case("overhead", "200 conds, functions", conds, v2=True)
    for name, make in {"counter": counter, "three variables": three_variables, "nested 100x100": nested,
                       "cond in loop": cond_in_loop, "matmul loop": matmul_loop, "gradient of a loop": loop_gradient}.items():
        case("loops", f"{name}, v1", make)
        case("loops", f"{name}, v2", make, v2=True)
    case("start", "25,000 nodes", chain(24999))
    case("threads", "8 callers, null step", null_step, callers=8)
    case("threads", "8 callers, chain of 1,000 adds", chain(1000), callers=8)
    case("threads", "8 callers, matmul 256", op(tf.matmul, [256, 256], [256, 256]), callers=8)
    add_devices()
    add_dense()
    add_half()
    add_nets()
    for name, make in make_nets.nets(sys.modules[__name__]):
        case("inference", name, make, milliseconds=1000)
        case("inference, one core", name, make, milliseconds=1000)
    add_wide()
    add_one_core()
    add_busy()
    add_ops()
    add_shapes()
    add_files()
    for name, make in make_pipelines.pipelines(FOLDER):
        case("data", name, make)
    for name, source in {"fed from memory": tuple, "fed by a pipeline": make_pipelines.digits}.items():
        case("data", "MLP batch 64, SGD step, " + name,
             lambda source=source: mlp(v1.train.GradientDescentOptimizer(1e-4), *source()), milliseconds=1000)


# ---- for others

def plain(value):
    """An attr as JSON has it; None: of no use to others."""
    kind = value.WhichOneof("value")
    if kind in ("i", "f", "b", "type"):
        return getattr(value, kind)
    if kind == "s":
        return value.s.decode("utf-8", "replace")
    return list(value.list.i) if kind == "list" and value.list.i else None


def write_for_others(graph, graph_def, file):
    nodes = [{"name": n.name, "op": n.op, "inputs": [i for i in n.input if i[0] != "^"],
              "ranks": [i.shape.rank for i in graph.get_operation_by_name(n.name).inputs],
              "attrs": {k: plain(v) for k, v in n.attr.items() if plain(v) is not None}} for n in graph_def.node]
    arrays = {"constant " + n.name: tf.make_ndarray(n.attr["value"].tensor) for n in graph_def.node if n.op == "Const"}
    np.savez(file, nodes=json.dumps(nodes), **arrays)


FOR_OTHERS = "--for-others" in sys.argv
ARGUMENTS = [a for a in sys.argv[1:] if a != "--for-others"]
FOLDER = pathlib.Path(ARGUMENTS[0]).resolve()
WANTED = re.compile(ARGUMENTS[1] if len(ARGUMENTS) > 1 else "")


def main():
    folder, wanted = FOLDER, WANTED
    folder.mkdir(parents=True, exist_ok=True)
    v1.disable_eager_execution()
    add_all()
    rows = []
    for group, name, make, v2, callers, milliseconds, devices in CASES:
        if not wanted.search(f"{group}/{name}"):
            continue
        v1.enable_control_flow_v2() if v2 else v1.disable_control_flow_v2()
        FEEDS.clear()
        with tf.Graph().as_default() as graph:
            out = make()
            out = tf.nest.flatten(out)
            tensors = [t.name for t in out if isinstance(t, tf.Tensor)]
            targets = [o.name for o in out if isinstance(o, tf.Operation)]
            init = v1.global_variables_initializer().name if v1.global_variables() else ""
        file = folder / (re.sub(r"[^A-Za-z0-9]+", "_", f"{group}_{name}") + ".pb")
        graph_def = graph.as_graph_def()
        file.write_bytes(graph_def.SerializeToString())
        file.with_suffix(".npz").unlink(missing_ok=True)
        if FOR_OTHERS and not init and not graph_def.library.function:
            write_for_others(graph, graph_def, file.with_suffix(".npz"))
        config = v1.ConfigProto(device_count={"CPU": devices}).SerializeToString() if devices > 1 else b""
        rows.append("\t".join([group, name, str(file), " ".join(FEEDS), " ".join(tensors), " ".join(targets),
                               str(milliseconds), str(callers), init, config.hex()]))
    (folder / "cases.tsv").write_text("\n".join(rows) + "\n")
    print(f"{len(rows)} cases in {folder}")


main()
