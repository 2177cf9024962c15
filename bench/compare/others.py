#!/usr/bin/env python3
"""The cases of bench/compare/run through another library: what it is when each is left to do it its own way.

    bench/compare/others.py onnxruntime | jax | tflite

Reads a case a line, "FILE<tab>FEEDS<tab>FETCHES<tab>MILLISECONDS": FILE.npz is the graph as bench/compare/make_graphs.py writes it
for others (nodes as JSON, constants as arrays), FILE.pb the GraphDef; FEEDS and FETCHES are as bench_graph.c has them. Answers
"ok MEDIAN_NS LEAST_NS RUNS CPU_NS", or "no WHY" when the library cannot do all of it. What is fed is the library's own already, results stay
with it: copies are not counted. onnxruntime and jax get the graph node by node, tflite by TensorFlow's converter.
"""
import json
import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np

DTYPES = {1: "float32", 2: "float64", 3: "int32", 9: "int64", 10: "bool", 14: "bfloat16", 19: "float16"}


class CannotDo(Exception):
    pass


# ---- a case

def fed(spec):
    """name, dtype and numbers of "name:dtype:dims:below:width"."""
    name, dtype, dims, below, width = spec.split(":")
    shape = [int(d) for d in dims.split(",") if d]
    if int(dtype) not in DTYPES:
        raise CannotDo("a feed of this type")
    random = np.random.RandomState(1)
    real = DTYPES[int(dtype)] in ("float32", "float64", "bfloat16", "float16")
    low, high = (-float(width), float(width)) if float(width) else (.1, 1.1)
    numbers = random.uniform(low, high, shape) if real else random.randint(0, int(below), shape)
    return name, DTYPES[int(dtype)], np.asarray(numbers, DTYPES[int(dtype)] if DTYPES[int(dtype)] != "bfloat16" else "float32")


def port(name):
    node, _, index = name.partition(":")
    return node, int(index or 0)


class Graph:
    def __init__(self, file):
        data = np.load(file + ".npz")
        self.nodes = {n["name"]: n for n in json.loads(str(data["nodes"]))}
        self.constants = {name: data["constant " + name] for name, n in self.nodes.items() if n["op"] == "Const"}

    def evaluate(self, fetches, feeds, constant, ops):
        """The values of `fetches`: what `ops` makes of a node's attrs and inputs, producers first."""
        known, stack = {(n, 0): v for n, v in feeds.items()}, [port(f)[0] for f in fetches]
        while stack:
            node = self.nodes[stack[-1]]
            missing = [port(i)[0] for i in node["inputs"] if port(i) not in known and (port(i)[0], 0) not in known]
            if (node["name"], 0) in known or not missing:
                stack.pop()
            stack += [] if (node["name"], 0) in known else missing
            if missing or (node["name"], 0) in known:
                continue
            if node["op"] == "Const":
                known[node["name"], 0] = constant(self.constants[node["name"]])
            elif node["op"] not in ops:
                raise CannotDo(node["op"])
            else:
                made = ops[node["op"]](dict(node["attrs"], ranks=node["ranks"]), *[known[port(i)] for i in node["inputs"]])
                known.update({(node["name"], i): y for i, y in enumerate(made if isinstance(made, tuple) else (made,))})
        return [known[port(f)] for f in fetches]

    def number(self, name):
        """The constant that an input names."""
        if port(name)[0] not in self.constants:
            raise CannotDo("what should be constant")
        return self.constants[port(name)[0]]


def measure(run, milliseconds):
    run()
    run()
    taken, start, cpu = [], time.perf_counter_ns(), time.process_time_ns()
    while len(taken) < 5 or time.perf_counter_ns() - start < milliseconds * 1e6:
        begin = time.perf_counter_ns()
        run()
        taken.append(time.perf_counter_ns() - begin)
    cpu = (time.process_time_ns() - cpu) / len(taken)
    taken.sort()
    return f"ok {taken[len(taken) // 2]} {taken[0]} {len(taken)} {cpu:.0f}"


# ---- jax

def jax_case(file, feeds, fetches, milliseconds):
    import jax
    import jax.numpy as jnp
    from jax import lax
    jax.config.update("jax_enable_x64", True)
    layout = ("NHWC", "HWIO", "NHWC")

    def conv(a, x, w, groups=1):
        return lax.conv_general_dilated(x, w, a["strides"][1:3], a["padding"], dimension_numbers=layout,
                                        feature_group_count=groups, rhs_dilation=a.get("dilations", [1] * 4)[1:3])

    def depthwise(a, x, w):
        return conv(a, x, w.reshape(w.shape[0], w.shape[1], 1, -1), x.shape[3])

    def input_gradient(a, sizes, w, d):
        shape = tuple(int(s) for s in sizes)
        return jax.vjp(lambda x: conv(a, x, w), jnp.zeros(shape, d.dtype))[1](d)[0]

    def filter_gradient(a, x, sizes, d):
        shape = tuple(int(s) for s in sizes)
        return jax.vjp(lambda w: conv(a, x, w), jnp.zeros(shape, d.dtype))[1](d)[0]

    def pool(start, combine, finish):
        def run(a, x):
            size, step = tuple(a["ksize"]), tuple(a["strides"])
            y = lax.reduce_window(x, start, combine, size, step, a["padding"])
            return finish(y, lambda: lax.reduce_window(jnp.ones_like(x), 0., lax.add, size, step, a["padding"]))
        return run

    def batch_norm(a, x, scale, offset, mean, variance):
        if a["is_training"]:
            mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * (lax.rsqrt(variance + a["epsilon"]) * scale) + offset

    def product(a, x, y):
        x = x.swapaxes(-1, -2) if a.get("transpose_a") or a.get("adj_x") else x
        return x @ (y.swapaxes(-1, -2) if a.get("transpose_b") or a.get("adj_y") else y)

    def over(reduce):
        return lambda a, x, axes: reduce(x, axis=tuple(np.ravel(axes).tolist()), keepdims=a["keep_dims"])

    ops = {name: (lambda a, *x, f=f: f(*x)) for name, f in dict(
        Identity=lambda x: x, StopGradient=lambda x: x, Relu=jax.nn.relu, Relu6=jax.nn.relu6, Elu=jax.nn.elu,
        Softplus=jax.nn.softplus, Tanh=jnp.tanh, Sigmoid=jax.nn.sigmoid, Exp=jnp.exp, Log=jnp.log, Log1p=jnp.log1p,
        Expm1=jnp.expm1, Erf=lax.erf, Erfc=lax.erfc, Sqrt=jnp.sqrt, Rsqrt=lax.rsqrt, Square=jnp.square, Neg=jnp.negative,
        Abs=jnp.abs, Sin=jnp.sin, Cos=jnp.cos, Add=jnp.add, AddV2=jnp.add, Sub=jnp.subtract, Mul=jnp.multiply,
        RealDiv=jnp.divide, Maximum=jnp.maximum, Minimum=jnp.minimum, Pow=jnp.power, BiasAdd=jnp.add,
        SquaredDifference=lambda x, y: jnp.square(x - y), AddN=lambda *x: sum(x[1:], x[0]),
        Softmax=jax.nn.softmax, LogSoftmax=jax.nn.log_softmax, Reshape=lambda x, s: x.reshape(tuple(int(d) for d in s)),
        Transpose=lambda x, p: x.transpose(tuple(int(d) for d in p))).items()}
    ops.update(MatMul=product, BatchMatMulV2=product, Conv2D=conv, DepthwiseConv2dNative=depthwise,
               Conv2DBackpropInput=input_gradient, Conv2DBackpropFilter=filter_gradient, FusedBatchNormV3=batch_norm,
               Sum=over(jnp.sum), Mean=over(jnp.mean), Max=over(jnp.max), Prod=over(jnp.prod),
               MaxPool=pool(-np.inf, lax.max, lambda y, n: y), AvgPool=pool(0., lax.add, lambda y, n: y / n()),
               GatherV2=lambda a, x, i, axis: jnp.take(x, i, int(axis), mode="clip"))
    graph = Graph(file)
    values = [jax.device_put(jnp.asarray(v, dtype)) for _, dtype, v in feeds]
    # Constants stay numpy where shapes, axes and orders are read of them.
    step = jax.jit(lambda *x: graph.evaluate(fetches, dict(zip([f[0] for f in feeds], x)), lambda c: c, ops))
    return measure(lambda: [y.block_until_ready() for y in step(*values)], milliseconds)


# ---- onnxruntime

class Onnx:
    """Makes a model node by node. Images are NHWC: each op that wants NCHW stands between two transposes, most of which the library
    takes out again."""

    def __init__(self):
        from onnx import helper, numpy_helper
        self.helper, self.numpy_helper, self.nodes, self.constants, self.values = helper, numpy_helper, [], [], {}
        self.quantised = {}  # by the name of what is computed of them

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(self.numpy_helper.from_array(np.ascontiguousarray(array), name))
        self.values[name] = array
        return name

    def add(self, op, *inputs, **attrs):
        name = f"n{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(op, list(inputs), [name], **attrs))
        return name

    def integers(self, numbers):
        return self.constant(np.asarray(np.ravel(numbers), np.int64))

    def value(self, name):
        if name not in self.values:
            raise CannotDo("what should be constant")
        return self.values[name]

    def permuted(self, x, order):
        return self.constant(self.values[x].transpose(order)) if x in self.values else self.add("Transpose", x, perm=order)

    def image(self, op, x, *others, **attrs):
        y = self.add(op, self.permuted(x, [0, 3, 1, 2]), *others, **attrs)
        return self.permuted(y, [0, 2, 3, 1])

    def outputs(self, op, n, *inputs, **attrs):
        names = tuple(f"n{len(self.nodes)}_{i}" for i in range(n))
        self.nodes.append(self.helper.make_node(op, list(inputs), list(names), **attrs))
        return names

    def unpack(self, a, x):
        axis = self.integers([a["axis"]])
        return tuple(self.add("Squeeze", y, axis) for y in self.outputs("Split", a["num"], x, axis=a["axis"], num_outputs=a["num"]))

    def strided_slice(self, a, x, *limits):
        """Without an ellipsis and steps other than 1."""
        begin, end, steps = [np.ravel(self.value(v)).tolist() for v in limits]
        if a.get("ellipsis_mask") or any(s != 1 for s in steps):
            raise CannotDo("StridedSlice")

        def is_in(mask, i):
            return a.get(mask, 0) >> i & 1
        dims = [i for i in range(len(steps)) if not is_in("new_axis_mask", i)]
        cut = [(dim, 0 if is_in("begin_mask", i) else begin[i],
                begin[i] + 1 if is_in("shrink_axis_mask", i) else 2 ** 31 if is_in("end_mask", i) else end[i]) for dim, i in enumerate(dims)]
        x = self.add("Slice", x, self.integers([c[1] for c in cut]), self.integers([c[2] or 2 ** 31 for c in cut]),
                     self.integers([c[0] for c in cut]))
        gone = [dim for dim, i in enumerate(dims) if is_in("shrink_axis_mask", i)]
        x = self.add("Squeeze", x, self.integers(gone)) if gone else x
        new = [at for at, i in enumerate(i for i in range(len(steps)) if not is_in("shrink_axis_mask", i)) if is_in("new_axis_mask", i)]
        return self.add("Unsqueeze", x, self.integers(new)) if new else x

    def resize(self, a, x, size):
        if a.get("align_corners") or a.get("half_pixel_centers"):
            raise CannotDo("a way to resize")
        y = self.add("Resize", self.permuted(x, [0, 3, 1, 2]), "", "", self.integers(np.ravel(self.value(size))), axes=[2, 3],
                     mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        return self.permuted(y, [0, 2, 3, 1])

    def fake_quant(self, a, x):
        """8 bits: of weights with a sign, else without; the range is moved so that zero is one of the steps."""
        lowest, low, high = int(a["narrow_range"]), a["min"], a["max"]
        step = (high - low) / (255 - lowest)
        zero = int(np.clip(np.floor(lowest - low / step + .5), lowest, 255))
        zero = np.int8(zero - 128) if lowest else np.uint8(zero)
        if x in self.values:  # as files of quantised nets have them
            numbers = np.clip(np.round(self.values[x] / step) + zero, -127, 127).astype(np.int8)
            name = self.constant(numbers)
            del self.values[name]
            y = self.add("DequantizeLinear", name, self.constant(np.float32(step)), self.constant(zero))
            self.quantised[y] = (numbers, step, zero)
            return y
        scales = self.constant(np.float32(step)), self.constant(zero)
        return self.add("DequantizeLinear", self.add("QuantizeLinear", x, *scales), *scales)

    def turned(self, w, order):
        """A filter in another order of dims; numbers of 8 bits stay such."""
        if w not in self.quantised:
            return self.permuted(w, order)
        numbers, step, zero = self.quantised[w]
        name = self.constant(numbers.transpose(order))
        del self.values[name]
        return self.add("DequantizeLinear", name, self.constant(np.float32(step)), self.constant(zero))

    @staticmethod
    def window(a):
        return dict(strides=a["strides"][1:3], auto_pad="SAME_UPPER" if a["padding"] == "SAME" else "VALID")

    def conv(self, a, x, w):
        return self.image("Conv", x, self.turned(w, [3, 2, 0, 1]), **self.window(a))

    def depthwise(self, a, x, w):
        if w in self.values or w in self.quantised:
            array = self.values[w] if w in self.values else self.quantised[w][0]
            if array.shape[3] != 1:
                raise CannotDo("several filters a channel")
            channels = array.shape[2]
        else:
            channels = self.shapes[w][2]
        return self.image("Conv", x, self.turned(w, [2, 3, 0, 1]), group=channels, **self.window(a))

    def pool(self, op):
        return lambda a, x: self.image(op, x, kernel_shape=a["ksize"][1:3], **self.window(a))

    def batch_norm(self, a, x, *statistics):
        if a["is_training"]:
            raise CannotDo("training")
        return self.image("BatchNormalization", x, *statistics, epsilon=a["epsilon"])

    def product(self, a, x, y):
        if a.get("transpose_a") or a.get("adj_x"):
            x = self.swapped(x, a["ranks"][0])
        return self.add("MatMul", x, self.swapped(y, a["ranks"][1]) if a.get("transpose_b") or a.get("adj_y") else y)

    def swapped(self, x, rank):
        return self.permuted(x, [*range(rank - 2), rank - 1, rank - 2])

    def over(self, op):
        return lambda a, x, axes: self.add(op, x, self.integers(self.value(axes)), keepdims=int(a["keep_dims"]))

    def ops(self):
        same = dict(Identity="Identity", StopGradient="Identity", Relu="Relu", Tanh="Tanh", Sigmoid="Sigmoid", Exp="Exp", Log="Log",
                    Erf="Erf", Sqrt="Sqrt", Neg="Neg", Abs="Abs", Sin="Sin", Cos="Cos", Add="Add", AddV2="Add", Sub="Sub", Mul="Mul",
                    RealDiv="Div", Maximum="Max", Minimum="Min", Pow="Pow", BiasAdd="Add", AddN="Sum", Elu="Elu", Softplus="Softplus")
        ops = {name: (lambda a, *x, op=op: self.add(op, *x)) for name, op in same.items()}
        ops.update(
            Relu6=lambda a, x: self.add("Clip", x, self.constant(np.float32(0)), self.constant(np.float32(6))),
            Rsqrt=lambda a, x: self.add("Reciprocal", self.add("Sqrt", x)), Square=lambda a, x: self.add("Mul", x, x),
            SquaredDifference=lambda a, x, y: (lambda d: self.add("Mul", d, d))(self.add("Sub", x, y)),
            Softmax=lambda a, x: self.add("Softmax", x, axis=-1), LogSoftmax=lambda a, x: self.add("LogSoftmax", x, axis=-1),
            Reshape=lambda a, x, s: self.add("Reshape", x, self.integers(self.value(s))),
            Transpose=lambda a, x, p: self.permuted(x, np.ravel(self.value(p)).tolist()),
            LeakyRelu=lambda a, x: self.add("LeakyRelu", x, alpha=a["alpha"]),
            Cast=lambda a, x: self.add("Cast", x, to={1: 1, 2: 11, 3: 6, 9: 7}[a["DstT"]]),
            ExpandDims=lambda a, x, axis: self.add("Unsqueeze", x, self.integers(self.value(axis))),
            Split=lambda a, axis, x: self.outputs("Split", a["num_split"], x, axis=int(self.value(axis)), num_outputs=a["num_split"]),
            ConcatV2=lambda a, *x: self.add("Concat", *x[:-1], axis=int(self.value(x[-1]))),
            Unpack=self.unpack, StridedSlice=self.strided_slice, ResizeNearestNeighbor=self.resize,
            FakeQuantWithMinMaxArgs=self.fake_quant,
            GatherV2=lambda a, x, i, axis: self.add("Gather", x, i, axis=int(self.value(axis))),
            MatMul=self.product, BatchMatMulV2=self.product, Conv2D=self.conv, DepthwiseConv2dNative=self.depthwise,
            FusedBatchNormV3=self.batch_norm, MaxPool=self.pool("MaxPool"), AvgPool=self.pool("AveragePool"),
            Sum=self.over("ReduceSum"), Mean=self.over("ReduceMean"), Max=self.over("ReduceMax"), Prod=self.over("ReduceProd"))
        return ops


def onnxruntime_case(file, feeds, fetches, milliseconds):
    import onnxruntime
    from onnx import TensorProto
    onnx = Onnx()
    types = {"float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE, "int32": TensorProto.INT32, "int64": TensorProto.INT64,
             "float16": TensorProto.FLOAT16, "bool": TensorProto.BOOL}
    for name, dtype, _ in feeds:
        if dtype not in types:
            raise CannotDo(dtype)
    onnx.shapes = {name: v.shape for name, _, v in feeds}
    outputs = Graph(file).evaluate(fetches, {f[0]: f[0] for f in feeds}, onnx.constant, onnx.ops())
    helper = onnx.helper
    model = helper.make_model(helper.make_graph(
        onnx.nodes, "case", [helper.make_tensor_value_info(name, types[dtype], v.shape) for name, dtype, v in feeds],
        [helper.make_empty_tensor_value_info(o) for o in outputs], onnx.constants),
        opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = len(os.sched_getaffinity(0))
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, _, value in feeds:
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(value))
    for output in outputs:
        binding.bind_output(output)
    return measure(lambda: session.run_with_iobinding(binding), milliseconds)


# ---- tflite

def tflite_case(file, feeds, fetches, milliseconds):
    import tensorflow as tf
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph, v1.Session() as session:
        graph_def = v1.GraphDef()
        with open(file + ".pb", "rb") as f:
            graph_def.ParseFromString(f.read())
        v1.import_graph_def(graph_def, name="")
        converter = v1.lite.TFLiteConverter.from_session(session, [graph.get_tensor_by_name(f[0] + ":0") for f in feeds],
                                                         [graph.get_tensor_by_name(f) for f in fetches])
        if any(node.op.startswith("FakeQuant") for node in graph_def.node):
            converter.optimizations = [tf.lite.Optimize.DEFAULT]  # takes the ranges that it finds
        model = converter.convert()
    interpreter = tf.lite.Interpreter(model_content=model, num_threads=len(os.sched_getaffinity(0)))
    interpreter.allocate_tensors()
    for about, value in zip(interpreter.get_input_details(), [f[2] for f in feeds]):
        interpreter.set_tensor(about["index"], value.astype(about["dtype"]))
    return measure(interpreter.invoke, milliseconds)


def main():
    run = {"jax": jax_case, "onnxruntime": onnxruntime_case, "tflite": tflite_case}[sys.argv[1]]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    for line in sys.stdin:
        file, feeds, fetches, milliseconds = line.rstrip("\n").split("\t")
        try:
            answer = run(file, [fed(f) for f in feeds.split()], fetches.split(), float(milliseconds))
        except Exception as why:  # of whatever kind the library's own are
            answer = "no " + f"{type(why).__name__} {why}".replace("\n", " ")[:200]
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
