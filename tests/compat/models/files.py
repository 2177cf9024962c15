"""Files of other kinds: SavedModels of TensorFlow 1, GraphDefs in bytes and text, frozen and not, MetaGraphs and checkpoints."""

import os
import tempfile

import keras
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
from tensorflow.python.saved_model import loader_impl
from tensorflow.python.tools import optimize_for_inference_lib

from models.functions import examples
from models.kinds import Model, Run, graph, made_up, saved, spread_weights, tf1

saving = tf1.saved_model


# ---- SavedModels of TensorFlow 1
def of_builder(folder, build, as_text=False, **fields):
    """build() makes the graph in a session, and gives signatures, runs, and arguments of the builder."""
    path = os.path.join(folder, "model")
    with tf.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(5)
        signatures, runs, more = build(session)
        builder = saving.Builder(path)
        builder.add_meta_graph_and_variables(session, ["serve"], signature_def_map=signatures, **more)
        builder.save(as_text=as_text)
    return saved(path, runs, **fields)


def predict(inputs, outputs):
    return saving.signature_def_utils.predict_signature_def(inputs, outputs)


def variable(name, shape, resource=True, **kwargs):
    return tf1.get_variable(
        name, shape, initializer=tf1.random_normal_initializer(seed=len(name)), use_resource=resource, **kwargs
    )


@graph
def simple_save():
    def build(session):
        x = tf1.placeholder(tf.float32, [None, 4], "x")
        y = tf.nn.relu(x @ variable("w", [4, 3]) + variable("b", [3]), "y")
        session.run(tf1.global_variables_initializer())
        return {"serving_default": predict({"x": x}, {"y": y})}, None, {}

    return lambda folder: of_builder(folder, build)


@graph
def reference_variables_in_parts():
    """Variables of the first kind, some in parts, which a checkpoint holds as slices; as text."""

    def build(session):
        ids = tf1.placeholder(tf.int64, [None], "ids")
        table = variable("table", [10, 4], False, partitioner=tf1.fixed_size_partitioner(3))
        w = variable("w", [4, 6], False, partitioner=tf1.fixed_size_partitioner(2, axis=1))
        scale = tf1.get_variable("scale", initializer=2.0, use_resource=False, trainable=False)
        y = tf.multiply(tf1.nn.embedding_lookup(table, ids, "div") @ tf.convert_to_tensor(w), scale, "y")
        session.run(tf1.global_variables_initializer())
        return {"serving_default": predict({"ids": ids}, {"y": y})}, {"ids": np.int64([0, 3, 4, 7, 9])}, {}

    return lambda folder: of_builder(folder, build, as_text=True)


@graph
def served_estimator():
    """Serialised examples in; classes, scores and a regression out, by the three kinds of method."""

    def build(session):
        given = tf1.placeholder(tf.string, [None], "input_example_tensor")
        x = tf1.parse_example(given, {"x": tf1.FixedLenFeature([2], tf.float32)})["x"]
        hidden = tf.nn.relu(x @ variable("hidden", [2, 5]) + variable("bias", [5]))
        scores = tf.nn.softmax(hidden @ variable("w", [5, 3]))
        classes = tf.tile(tf.constant([["a", "b", "c"]]), [tf.shape(x)[0], 1])
        session.run(tf1.global_variables_initializer())
        utils = saving.signature_def_utils
        return (
            {
                "serving_default": utils.classification_signature_def(given, classes, scores),
                "regression": utils.regression_signature_def(given, tf.reduce_sum(hidden, 1)),
                "predict": predict({"examples": given}, {"class": tf.argmax(scores, 1), "x": x}),
            },
            [
                Run({name: examples()["examples"]}, key)
                for key, name in (("serving_default", "inputs"), ("regression", "inputs"), ("predict", "examples"))
            ],
            {"strip_default_attrs": True},
        )

    return lambda folder: of_builder(folder, build)


@graph
def sparse_signature():
    """A sparse input and a sparse output: three tensors each, which no name of a signature stands for alone."""

    def build(session):
        sparse = tf1.sparse_placeholder(tf.float32, [None, 5], "sparse")
        dense = tf.add(tf.sparse.to_dense(sparse), variable("w", [5]), "dense")
        session.run(tf1.global_variables_initializer())
        return (
            {
                "serving_default": predict(
                    {"sparse": sparse}, {"dense": dense, "doubled": tf.sparse.map_values(tf.multiply, sparse, 2.0)}
                )
            },
            [
                Run(
                    {
                        "sparse/indices:0": np.int64([[0, 1], [1, 4]]),
                        "sparse/values:0": np.float32([3, 4]),
                        "sparse/shape:0": np.int64([2, 5]),
                    },
                    "",
                    ("dense:0",),
                )
            ],
            {},
        )

    return lambda folder: of_builder(folder, build)


@graph
def initialised_tables():
    """A vocabulary in an asset, which the initialisation reads, and local variables."""

    def build(session):
        path = os.path.join(tempfile.mkdtemp(), "words.txt")
        with open(path, "w") as file:
            file.write("zero\none\ntwo\n")
        tf1.add_to_collection(tf1.GraphKeys.ASSET_FILEPATHS, tf.constant(path))
        words = tf1.placeholder(tf.string, [None], "words")
        table = (
            tf.lookup.index_table_from_file(path, num_oov_buckets=2)
            if hasattr(tf.lookup, "index_table_from_file")
            else tf.lookup.StaticVocabularyTable(
                tf.lookup.TextFileInitializer(
                    path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER
                ),
                2,
            )
        )
        rows = tf.nn.embedding_lookup(variable("rows", [5, 3]), table.lookup(words))
        local = tf1.get_variable(
            "local", initializer=[1.0, 2.0, 3.0], collections=[tf1.GraphKeys.LOCAL_VARIABLES], use_resource=True
        )
        y = tf.multiply(rows, local, "y")
        session.run([tf1.global_variables_initializer(), tf1.local_variables_initializer(), tf1.tables_initializer()])
        init = tf.group(tf1.tables_initializer(), tf1.local_variables_initializer(), name="start")
        return (
            {"serving_default": predict({"words": words}, {"y": y})},
            {"words": np.array(["one", "?", "two"], object)},
            {"main_op": init, "assets_collection": tf1.get_collection(tf1.GraphKeys.ASSET_FILEPATHS)},
        )

    return lambda folder: of_builder(folder, build, not_frozen="*")


@graph
def no_signature():
    def build(session):
        x = tf1.placeholder_with_default(tf.constant([1.0, 2.0]), [None], "x")
        tf.add(x * 3.0, variable("offset", []), name="y")
        session.run(tf1.global_variables_initializer())
        return {}, [Run({}, "", ("y:0",)), Run({"x:0": np.float32([4, 5, 6])}, "", ("y:0",))], {}

    return lambda folder: of_builder(folder, build)


@graph
def two_sets_of_tags():
    def write(folder):
        path = os.path.join(folder, "model")
        builder = saving.Builder(path)
        for tags, training in ((["serve"], False), (["train", "cpu"], True)):
            with tf.Graph().as_default(), tf1.Session() as session:
                x = tf1.placeholder(tf.float32, [None, 3], "x")
                mean, variance = (
                    tf.nn.moments(x, [0]) if training else (variable("mean", [3]), tf.abs(variable("variance", [3])))
                )
                y = tf.nn.batch_normalization(x, mean, variance, variable("beta", [3]), variable("gamma", [3]), 1e-3)
                session.run(tf1.global_variables_initializer())
                signatures = {"serving_default": predict({"x": x}, {"y": tf.identity(y, "y")})}
                if training:
                    builder.add_meta_graph(tags, signatures)
                else:
                    session.run(
                        [
                            v.assign(tf.random.stateless_uniform(v.shape, [1, 2], 0.5, 2.0))
                            for v in tf1.global_variables()
                        ]
                    )
                    builder.add_meta_graph_and_variables(session, tags, signatures)
        builder.save()
        return saved(path, {"x": made_up((4, 3), "float32")}, tags=("train", "cpu"))

    return write


@graph
def loops_of_frames():
    """Control flow as TensorFlow 1 wrote it, Enter, Switch and Merge: loops in loops, conditionals, TensorArrays, gradients."""

    def build(session):
        tf1.disable_control_flow_v2()
        x = tf1.placeholder(tf.float32, [None, 5], "x")
        w = variable("w", [5, 5])

        def body(i, v):
            return i + 1, tf1.cond(
                tf.equal(i % 2, 0),
                lambda: v * 2.0,
                lambda: tf1.while_loop(lambda k, _: k < i, lambda k, u: (k + 1, tf.tanh(u @ w)), [0, v])[1],
            )

        looped = tf1.while_loop(
            lambda i, v: tf.logical_and(i < 6, tf.reduce_sum(v) < 1000.0), body, [0, x], name="looped"
        )[1]
        array = tf.TensorArray(tf.float32, 4, clear_after_read=False)
        rows = tf1.while_loop(
            lambda i, a: i < 4,
            lambda i, a: (i + 1, a.write(i, tf.reduce_sum(looped, 1) * tf.cast(i, tf.float32))),
            [0, array],
            parallel_iterations=3,
        )[1].stack()
        chosen = tf1.case(
            [(tf.reduce_sum(x) > 100.0, lambda: rows), (tf.reduce_sum(x) > -100.0, lambda: -rows)],
            default=lambda: rows * 0.0,
        )
        slope = tf1.gradients(tf.reduce_sum(looped) + tf.reduce_sum(chosen), [x, w])
        scanned = tf.scan(lambda a, row: a * 0.5 + row, x)
        session.run(tf1.global_variables_initializer())
        tf1.enable_control_flow_v2()
        return (
            {
                "serving_default": predict(
                    {"x": x},
                    {
                        "looped": looped,
                        "rows": rows,
                        "chosen": chosen,
                        "dx": slope[0],
                        "dw": slope[1],
                        "scanned": scanned,
                    },
                )
            },
            {"x": made_up((3, 5), "float32")},
            {},
        )

    return lambda folder: of_builder(folder, build)


@graph
def blocks_of_recurrent_cells():
    """The fused cells of TensorFlow 1."""

    def build(session):
        op = tf.raw_ops
        x = tf1.placeholder(tf.float32, [6, None, 3], "x")
        n = tf.shape(x)[1]
        zeros, w = tf.zeros([n, 4]), variable("w", [7, 16])
        peephole = variable("peephole", [3, 4])
        block = op.BlockLSTM(
            seq_len_max=tf.constant(5, tf.int64),
            x=x,
            cs_prev=zeros,
            h_prev=zeros,
            w=w,
            wci=peephole[0],
            wcf=peephole[1],
            wco=peephole[2],
            b=variable("b", [16]),
            forget_bias=1.0,
            cell_clip=3.0,
            use_peephole=True,
        )
        second = op.BlockLSTMV2(
            seq_len_max=tf.constant(6, tf.int64),
            x=x,
            cs_prev=zeros,
            h_prev=zeros,
            w=w,
            wci=peephole[0],
            wcf=peephole[1],
            wco=peephole[2],
            b=variable("b2", [16]),
            cell_clip=0.0,
            use_peephole=False,
        )
        gru = op.GRUBlockCell(
            x=x[0],
            h_prev=zeros,
            w_ru=variable("ru", [7, 8]),
            w_c=variable("c", [7, 4]),
            b_ru=variable("bru", [8]),
            b_c=variable("bc", [4]),
        )
        session.run(tf1.global_variables_initializer())
        return (
            {"serving_default": predict({"x": x}, {"h": block.h, "cs": block.cs, "second": second.h, "gru": gru.h})},
            {"x": made_up((6, 2, 3), "float32")},
            {},
        )

    return lambda folder: of_builder(folder, build)


@graph
def queues():
    """A queue of the session's, filled and emptied in one run."""

    def build(session):
        x, words = tf1.placeholder(tf.float32, [None, 2], "x"), tf1.placeholder(tf.string, [None], "words")
        queue = tf1.FIFOQueue(10, [tf.float32, tf.string], [[2], []], shared_name="kept")
        with tf.control_dependencies([queue.enqueue_many([x, words])]):
            first, word = queue.dequeue()
        with tf.control_dependencies([word]):
            rest, others = queue.dequeue_many(tf.shape(x)[0] - 1)
        signature = predict({"x": x, "words": words}, {"first": first, "word": word, "rest": rest, "others": others})
        return (
            {"serving_default": signature},
            {"x": made_up((3, 2), "float32"), "words": np.array(["a", "b", "c"], object)},
            {},
        )

    return lambda folder: of_builder(folder, build, not_frozen="*")


# ---- GraphDefs
def write_graph(definition, folder, name):
    text = name.endswith("txt")
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(text_format.MessageToString(definition).encode() if text else definition.SerializeToString())
    return path


def small_net(x, resource=True):
    y = tf.nn.conv2d(x, variable("k", [3, 3, 2, 4], resource), 1, "SAME")
    y = tf.nn.max_pool2d(tf.nn.relu6(tf.nn.bias_add(y, variable("b", [4], resource))), 2, 2, "VALID")
    return tf.nn.softmax(tf.reshape(y, [-1, 36]) @ variable("w", [36, 5], resource), name="probabilities")


def frozen(folder, name, change=lambda d: d):
    with tf.Graph().as_default() as made, tf1.Session() as session:
        small_net(tf1.placeholder(tf.float32, [None, 6, 6, 2], "image"))
        session.run(tf1.global_variables_initializer())
        definition = tf1.graph_util.convert_variables_to_constants(session, made.as_graph_def(), ["probabilities"])
    return Model(
        write_graph(change(definition), folder, name),
        [Run({"image:0": made_up((2, 6, 6, 2), "float32")}, "", ("probabilities:0",))],
    )


@graph
def frozen_graph():
    return lambda folder: frozen(folder, "frozen.pb")


@graph
def frozen_graph_as_text():
    return lambda folder: frozen(folder, "frozen.pbtxt")


@graph
def frozen_for_inference():
    """Norms folded into filters, as the tool for inference does it."""

    def write(folder):
        with tf.Graph().as_default() as made, tf1.Session() as session:
            x = tf1.placeholder(tf.float32, [None, 6, 6, 2], "image")
            y = tf.nn.conv2d(x, variable("k", [3, 3, 2, 4]), 1, "VALID")
            y = tf1.nn.fused_batch_norm(
                y,
                variable("gamma", [4]),
                variable("beta", [4]),
                variable("mean", [4]),
                tf.abs(variable("variance", [4])),
                is_training=False,
            )[0]
            tf.nn.relu(y, name="y")
            session.run(tf1.global_variables_initializer())
            definition = tf1.graph_util.convert_variables_to_constants(session, made.as_graph_def(), ["y"])
        definition = optimize_for_inference_lib.optimize_for_inference(
            definition, ["image"], ["y"], tf.float32.as_datatype_enum
        )
        return Model(
            write_graph(definition, folder, "inference.pb"),
            [Run({"image:0": made_up((2, 6, 6, 2), "float32")}, "", ("y:0",))],
        )

    return write


@graph
def frozen_long_ago():
    """An old producer, ops that later versions replaced, no attributes that were added since."""

    def change(definition):
        definition.versions.producer, definition.versions.min_consumer = 8, 0
        for node in definition.node:
            for name in ("dilations", "explicit_paddings", "grad_a", "grad_b", "use_cudnn_on_gpu"):
                node.attr.pop(name, None)
        return definition

    def write(folder):
        model = frozen(folder, "old.pb", change)
        definition = tf1.GraphDef.FromString(open(model.path, "rb").read())
        node = definition.node.add(name="old", op="BatchNormWithGlobalNormalization", input=["image"] + ["two"] * 4)
        for key, value in (("scale_after_normalization", True), ("variance_epsilon", 0.001)):
            node.attr[key].CopyFrom(tf1.AttrValue(b=value) if value is True else tf1.AttrValue(f=value))
        node.attr["T"].type = tf.float32.as_datatype_enum
        two = definition.node.add(name="two", op="Const")
        two.attr["dtype"].type = tf.float32.as_datatype_enum
        two.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(np.float32([2, 0.5])))
        feeds = model.runs[0].feeds
        return Model(write_graph(definition, folder, "older.pb"), [Run(feeds, "", ("probabilities:0", "old:0"))])

    return write


def keras_frozen(folder, name, lower):
    x = keras.Input((5, 3), name="x")
    y = keras.layers.GRU(4)(keras.layers.Bidirectional(keras.layers.LSTM(3, return_sequences=True))(x))
    model = keras.Model(x, keras.layers.Dense(2)(y))
    spread_weights(model)
    concrete = tf.function(lambda v: model(v)).get_concrete_function(tf.TensorSpec([None, 5, 3], name="x"))
    made = convert_variables_to_constants_v2(concrete, lower_control_flow=lower)
    return Model(
        write_graph(made.graph.as_graph_def(), folder, name),
        [Run({"x:0": made_up((2, 5, 3), "float32")}, "", (made.outputs[0].name,))],
    )


@graph
def keras_frozen_with_loops():
    return lambda folder: keras_frozen(folder, "loops.pb", False)


@graph
def keras_frozen_with_frames():
    return lambda folder: keras_frozen(folder, "frames.pbtxt", True)


@graph
def graph_with_functions():
    """Functions by name, with attributes for types, called as ops and by PartitionedCall."""

    def write(folder):
        @tf.function
        def inner(a, b):
            return tf.cond(tf.reduce_sum(a) > 0, lambda: a * b, lambda: a - b), tf.shape(a)

        with tf.Graph().as_default() as made:
            a, b = tf1.placeholder(tf.float32, [None], "a"), tf1.placeholder(tf.float32, [None], "b")
            y, shape = inner(a, b)
            tf.identity(y, "y"), tf.identity(shape, "shape"), tf.identity(inner(-a, b)[0], "z")
        feeds = {"a:0": np.float32([1, 2]), "b:0": np.float32([3, -4])}
        return Model(
            write_graph(made.as_graph_def(), folder, "functions.pb"), [Run(feeds, "", ("y:0", "shape:0", "z:0"))]
        )

    return write


@graph
def quantised_graph():
    """Arithmetic on bytes, as graphs for small devices have it."""

    def write(folder):
        with tf.Graph().as_default() as made:
            op = tf.raw_ops
            x = tf1.placeholder(tf.float32, [2, 6, 6, 2], "image")
            w = tf.constant(made_up((3, 3, 2, 4), "float32", 3))
            q, low, high = op.QuantizeV2(input=x, min_range=-4.0, max_range=4.0, T=tf.quint8)
            k, k_low, k_high = op.QuantizeV2(input=w, min_range=-3.0, max_range=3.0, T=tf.quint8)
            y, y_low, y_high = op.QuantizedConv2D(
                input=q,
                filter=k,
                min_input=low,
                max_input=high,
                min_filter=k_low,
                max_filter=k_high,
                strides=[1, 1, 1, 1],
                padding="SAME",
            )
            r_low, r_high = op.RequantizationRange(input=y, input_min=y_low, input_max=y_high)
            r, low, high = op.Requantize(
                input=y,
                input_min=y_low,
                input_max=y_high,
                requested_output_min=r_low,
                requested_output_max=r_high,
                out_type=tf.quint8,
            )
            r, low, high = op.QuantizedRelu(features=r, min_features=low, max_features=high)
            p, low, high = op.QuantizedMaxPool(
                input=r, min_input=low, max_input=high, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"
            )
            flat, low, high = op.QuantizedReshape(tensor=p, shape=[2, 36], input_min=low, input_max=high)
            v, v_low, v_high = op.QuantizeV2(
                input=tf.constant(made_up((36, 3), "float32", 4)), min_range=-3.0, max_range=3.0, T=tf.quint8
            )
            m, m_low, m_high = op.QuantizedMatMul(a=flat, b=v, min_a=low, max_a=high, min_b=v_low, max_b=v_high)
            tf.identity(op.Dequantize(input=m, min_range=m_low, max_range=m_high), "y")
            tf.bitcast(r, tf.uint8, "bytes")
        feeds = {"image:0": made_up((2, 6, 6, 2), "float32")}
        return Model(
            write_graph(made.as_graph_def(), folder, "quantised.pb"),
            [Run(feeds, "", ("bytes:0",)), Run(feeds, "", ("y:0",))],
            tolerance=200,
        )

    return write


@graph
def draws_again_and_again():
    """Ops that draw, each with seeds of its own: every run goes on where the last one ended."""

    def write(folder):
        with tf.Graph().as_default() as made:
            op, seeds = tf.raw_ops, {"seed": 7, "seed2": 9}
            n, labels, x = (
                tf1.placeholder(tf.int32, [], "n"),
                tf.constant([[1], [3]], tf.int64),
                tf.constant(made_up((1, 9, 9, 2), "float32")),
            )
            mean = tf.constant([0.5, 3.0])
            sampler = {"true_classes": labels, "num_true": 1, "num_sampled": 3, "range_max": 9, **seeds}
            drawn = [
                op.RandomUniform(shape=[n], dtype=tf.float32, **seeds),
                op.RandomUniform(shape=[n], dtype=tf.float64, **seeds),
                op.RandomUniformInt(shape=[n], minval=0, maxval=99, **seeds),
                op.RandomStandardNormal(shape=[n], dtype=tf.float16, **seeds),
                op.RandomStandardNormal(shape=[n, 3], dtype=tf.float32, **seeds),
                op.TruncatedNormal(shape=[n], dtype=tf.float32, **seeds),
                op.RandomGamma(shape=[n], alpha=mean, **seeds),
                op.RandomPoissonV2(shape=[n], rate=mean, **seeds),
                op.RandomPoissonV2(shape=[n], rate=[20.0], **seeds),
                op.RandomShuffle(value=tf.range(9), **seeds),
                op.Multinomial(logits=[[0.0, 1.0, 0.5]] * 3, num_samples=n, **seeds),
                op.ParameterizedTruncatedNormal(
                    shape=[2, 3], means=mean, stdevs=[1.0, 2.0], minvals=[-1.0, 0.0], maxvals=[1.0, 4.0], **seeds
                ),
                op.UniformCandidateSampler(unique=True, **sampler)[0],
                op.UniformCandidateSampler(unique=False, **sampler)[0],
                op.LogUniformCandidateSampler(unique=True, **sampler)[0],
                op.LearnedUnigramCandidateSampler(unique=False, **sampler)[0],
                op.ThreadUnsafeUnigramCandidateSampler(unique=True, **sampler)[0],
                op.FixedUnigramCandidateSampler(unique=True, unigrams=[1.0, 2, 3, 4, 5, 6, 7, 8, 9], **sampler)[0],
                op.ComputeAccidentalHits(
                    true_classes=labels, sampled_candidates=tf.constant([3, 1], tf.int64), num_true=1
                )[0],
                op.FractionalMaxPool(
                    value=x, pooling_ratio=[1.0, 1.4, 1.7, 1.0], pseudo_random=True, deterministic=True, **seeds
                )[0],
                op.FractionalAvgPool(value=x, pooling_ratio=[1.0, 1.4, 1.7, 1.0], deterministic=True, **seeds)[1],
                op.SampleDistortedBoundingBoxV2(
                    image_size=[20, 30, 3], bounding_boxes=[[[0.1, 0.2, 0.8, 0.9]]], min_object_covered=0.3, **seeds
                )[2],
                op.StatelessRandomUniform(shape=[n], seed=[1, 2]),
            ]
            names = ["drawn%02d" % i for i in range(len(drawn))]
            for name, value in zip(names, drawn):
                tf.identity(value, name)
        fetches = tuple(name + ":0" for name in names)
        runs = [Run({"n:0": np.int32(k)}, "", fetches, again=again) for k, again in ((5, 1), (3, 2), (6, 2))]
        return Model(write_graph(made.as_graph_def(), folder, "draws.pb"), runs)

    return write


@graph
def graph_with_initialisers():
    """Variables that no checkpoint gives values to, one of which starts as another's value."""

    def write(folder):
        with tf.Graph().as_default() as made, tf1.Session():
            x = tf1.placeholder(tf.float32, [None, 2], "x")
            first = tf.constant([[1.0, 2.0], [3.0, 4.0]])
            w = tf1.get_variable("w", initializer=first, use_resource=True)
            old = tf1.get_variable("old", initializer=[0.5, 0.25], use_resource=False)
            twice = tf1.Variable(first * 2, name="twice")
            tf.add(x @ w @ twice, old, "y")
            tf1.global_variables_initializer()
        return Model(
            write_graph(made.as_graph_def(), folder, "init.pb"),
            [Run({"x:0": made_up((3, 2), "float32")}, "", ("y:0",))],
            before=[(["init"], {})],
            options=("--init",),
        )

    return write


# ---- MetaGraphs with checkpoints
def with_checkpoint(folder, version, resource, as_text=False, sharded=False, **parts):
    prefix = os.path.join(folder, "run", "net")
    os.makedirs(os.path.dirname(prefix))
    with tf.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, [None, 6, 6, 2], "image")
        y = small_net(x, resource)
        step = tf1.train.get_or_create_global_step()
        if parts:
            table = variable("table", [7, 5], resource, partitioner=tf1.fixed_size_partitioner(parts["parts"]))
            y = tf.identity(y + tf1.nn.embedding_lookup(table, [0, 6], "div"), "with_table")
        label = tf1.placeholder(tf.int32, [None], "label")
        loss = tf1.losses.sparse_softmax_cross_entropy(label, y)
        train = tf1.train.AdamOptimizer(0.05).minimize(loss, step, name="train")
        tf.identity(step, "step")
        saver = tf1.train.Saver(write_version=version, sharded=sharded)
        session.run(tf1.global_variables_initializer())
        feeds = {"image:0": made_up((2, 6, 6, 2), "float32"), "label:0": np.int32([1, 3])}
        for _ in range(3):
            session.run(train, feeds)
        path = saver.save(session, prefix, step, write_meta_graph=False)
        names = saver.saver_def
        meta = prefix + (".meta.pbtxt" if as_text else ".meta")
        saver.export_meta_graph(meta, as_text=as_text)
        image = {"image:0": feeds["image:0"]}
        runs = [Run(image, "", (y.name,)), Run(feeds, "", (loss.name, "step:0"))]
        return Model(
            meta,
            runs,
            before=[([names.restore_op_name], {names.filename_tensor_name: np.array(path.encode(), object)})],
            options=("--checkpoint", path),
        )


V1, V2 = tf1.train.SaverDef.V1, tf1.train.SaverDef.V2


@graph
def meta_graph_with_v2():
    return lambda folder: with_checkpoint(folder, V2, True)


@graph
def meta_graph_with_v1():
    return lambda folder: with_checkpoint(folder, V1, False)


@graph
def meta_graph_as_text():
    return lambda folder: with_checkpoint(folder, V2, False, as_text=True)


@graph
def meta_graph_in_parts():
    return lambda folder: with_checkpoint(folder, V2, True, sharded=True, parts=3)


@graph
def meta_graph_in_parts_v1():
    return lambda folder: with_checkpoint(folder, V1, False, parts=2)


# ---- object-based checkpoints
def with_objects(folder, within):
    """A SavedModel whose variables are zeros, and a checkpoint of the objects: the same root, or the model within another."""
    path, prefix = os.path.join(folder, "model"), os.path.join(folder, "later")
    made = tf.Module()
    made.layers = [tf.Variable(tf.zeros([3, 4])), tf.Variable(tf.zeros([4]))]
    made.names = tf.Variable(["", ""])
    made.counts = {"seen": tf.Variable(tf.zeros([], tf.int64))}
    made.run = tf.function(
        lambda x: {
            "y": x @ made.layers[0] + made.layers[1],
            "names": made.names.read_value(),
            "seen": made.counts["seen"].read_value(),
        },
        input_signature=[tf.TensorSpec([None, 3], name="x")],
    )
    tf.saved_model.save(made, path, signatures=made.run)
    for v in (*made.layers, made.counts["seen"]):
        v.assign(tf.cast(made_up(v.shape, v.dtype, len(v.shape)), v.dtype))
    made.counts["seen"].assign(41)
    made.names.assign(["ann", "b\u00e9a"])
    tf.train.Checkpoint(root=made).write(prefix)
    tf.train.Checkpoint(epoch=tf.Variable(3), model=made, other=tf.Variable([1.0])).write(prefix + "_within")
    names = loader_impl.parse_saved_model(path).meta_graphs[0].saver_def
    restore = [([names.restore_op_name], {names.filename_tensor_name: np.array(prefix.encode(), object)})]
    return saved(
        path,
        {"x": made_up((2, 3), "float32", 9)},
        before=restore,
        options=("--checkpoint", prefix + ("_within" if within else "")),
    )


@graph
def objects_at_the_root():
    return lambda folder: with_objects(folder, False)


@graph
def objects_within_others():
    return lambda folder: with_objects(folder, True)
