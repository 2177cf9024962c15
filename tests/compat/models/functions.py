"""tf.Modules: types, signatures, shapes, control flow, tables, random numbers, strings, parsing, devices."""

import os
import tempfile

import numpy as np
import tensorflow as tf

from models.kinds import Run, function, made_up, module

T, raw = tf.TensorSpec, tf.raw_ops
REALS = ("float16", "bfloat16", "float32", "float64")
WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def holding(signatures, runs=None, fields=None, **parts):
    """What `module` wants: a tf.Module that keeps `parts` alive."""
    made = tf.Module()
    for name, part in parts.items():
        setattr(made, name, part)
    return made, signatures, runs, fields or {}


# ---- types and shapes
@module
def every_type():
    names = (*REALS, *WHOLE, "complex64", "complex128", "bool")

    @tf.function(input_signature=[T([2, 3], name, name="in_" + name) for name in names])
    def run(*values):
        result = {"out_" + n: tf.logical_not(v) if n == "bool" else v + v for n, v in zip(names, values)}
        return {
            **result,
            "sum": tf.add_n(
                [tf.reduce_sum(tf.cast(v, tf.float64)) for n, v in zip(names, values) if n not in ("bool",)]
            ),
        }

    return holding({"serving_default": run})


@module
def variables_of_every_type():
    names = (*REALS, *WHOLE, "complex64", "complex128", "bool", "string")
    held = {n: tf.Variable(made_up((2, 2), n, i), name="v_" + n) for i, n in enumerate(names)}
    none = tf.Variable(np.zeros((0, 3), np.float32))
    grown = tf.Variable([1.0], shape=tf.TensorShape(None), validate_shape=False)

    @tf.function(input_signature=[T([], tf.int32, name="i")])
    def run(i):
        return {**{n: v[i] for n, v in held.items()}, "none": tf.shape(none), "grown": grown.read_value()}

    @tf.function(input_signature=[T([], tf.int32, name="n")])
    def change(n):
        grown.assign(tf.ones([n, 2]))
        held["int64"].assign_add([[1, 2], [3, 4]])
        held["string"].assign([["a", "b"], ["c", "\u00e9"]])
        held["bool"].assign(~held["bool"])
        held["float64"].scatter_nd_update([[0, 1]], [9.5])
        return {"n": n}

    runs = [
        Run({"i": np.int32(1)}, "serving_default"),
        Run({"n": np.int32(3)}, "change"),
        Run({"i": np.int32(1)}, "serving_default", after=True),
    ]
    return holding(
        {"serving_default": run, "change": change}, runs, {"not_frozen": "change"}, held=held, none=none, grown=grown
    )


@function(
    T(None, name="x"),
    T(None, tf.int32, name="i"),
    feeds=lambda: [
        Run({"x": made_up(shape, "float32"), "i": np.int32(rank)}, "serving_default")
        for rank, shape in enumerate(((), (3,), (2, 3), (1, 0, 2)))
    ],
)
def unknown_rank(x, i):
    return {
        "rank": tf.rank(x),
        "size": tf.size(x),
        "sum": tf.reduce_sum(x),
        "flat": tf.reshape(x, [-1]),
        "doubled": x * 2,
        "i": tf.expand_dims(i, 0),
    }


@function(
    T([None, None, 2], name="x"),
    feeds=lambda: [
        Run({"x": made_up(shape, "float32")}, "serving_default") for shape in ((1, 1, 2), (0, 4, 2), (3, 2, 2))
    ],
)
def unknown_batch(x):
    return {
        "mean": tf.reduce_mean(x, 1),
        "max": tf.reduce_max(x, 0),
        "shape": tf.shape(x),
        "flat": tf.reshape(x, [tf.shape(x)[0], -1]),
        "padded": tf.pad(x, [[1, 0], [0, 1], [0, 0]]),
    }


@module
def several_signatures():
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])

    @tf.function(input_signature=[T([None, 2], name="x")])
    def forward(x):
        return {"y": x @ w}

    @tf.function(input_signature=[T([None, 2], name="y")])
    def back(y):
        return {"x": y @ tf.linalg.inv(w)}

    @tf.function(input_signature=[])
    def weights():
        return {
            "w": w.read_value(),
            "words": tf.constant([b"a", "\u00fc".encode(), b"\xff\x00"]),
            "count": tf.constant(7, tf.int64),
        }

    @tf.function(input_signature=[T([2, 2], name="w")])
    def replace(new):
        return {"before": tf.identity(w), "after": w.assign(new)}

    numbers = np.float32([[1, 0.5], [-2, 3]])
    runs = [
        Run({"x": numbers}, "forward"),
        Run({"y": numbers}, "back"),
        Run({}, "weights"),
        Run({"w": numbers}, "replace"),
        Run({}, "weights", after=True),
    ]
    return holding(
        {"forward": forward, "back": back, "weights": weights, "replace": replace}, runs, {"not_frozen": "replace"}, w=w
    )


@module
def nested_outputs():
    """Signatures take flat dictionaries; names with odd characters are kept."""

    @tf.function(input_signature=[T([None], name="x"), T([], tf.bool, name="flag"), T([], tf.string, name="name")])
    def run(x, flag, name):
        return {
            "a/b": x,
            "a.b": tf.logical_not(flag),
            "with space": tf.strings.join([name, "!"]),
            "\u00fcber": x * 2,
            "A": x + 1,
            "a:0": x + 2,
        }

    return holding(
        {"serving_default": run},
        {"x": np.float32([1, 2]), "flag": np.bool_(True), "name": np.array("caf\u00e9".encode(), object)},
    )


@function(
    T([None, None], tf.string, name="s"),
    T([], tf.bool, name="b"),
    T([3], tf.complex64, name="c"),
    T([2], tf.bfloat16, name="h"),
)
def odd_inputs(s, b, c, h):
    return {
        "s": tf.strings.length(s),
        "s2": tf.strings.upper(s),
        "b": b,
        "c": tf.math.conj(c) * c,
        "angle": tf.math.angle(c),
        "h": h * h,
        "wide": tf.cast(h, tf.float32),
    }


# ---- control flow of AutoGraph
@function(
    T([], tf.int32, name="n"),
    T([4], name="x"),
    feeds=lambda: [Run({"n": np.int32(n), "x": np.float32([1, -2, 3, 0.5])}, "serving_default") for n in (0, 3, 9)],
)
def loops(n, x):
    total, count, i = tf.zeros([4]), 0, 0
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        if tf.reduce_sum(total) > 12:
            break
        total += x * tf.cast(i, tf.float32)
        for j in tf.range(3):
            count += j * i
    squares = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)
    for k in tf.range(n):
        squares = squares.write(k, tf.cast(k * k, tf.float32))
    for value in x:
        if value < 0:
            total -= value
        else:
            total = total * 2
    return {"total": total, "count": count, "i": i, "squares": squares.stack()}


def sign_of(x):
    if tf.size(x) == 0:
        return tf.constant("none")
    if tf.reduce_sum(x) > 10:
        if x[0] > 15:
            return tf.constant("large at once")
        return tf.constant("large")
    if tf.reduce_min(x) >= 0:
        word = tf.constant("positive")
    else:
        word = tf.strings.join(["negative ", tf.strings.as_string(tf.reduce_min(x))])
    return word


@function(
    T([None], name="x"),
    feeds=lambda: [Run({"x": np.float32(v)}, "serving_default") for v in ([20, 1], [9, 8], [1, -2.5, -3], [1, 2], [])],
)
def early_return(x):
    return {"word": tf.autograph.to_graph(sign_of)(x)}


@function(
    T([], tf.int32, name="case"),
    T([3], name="x"),
    feeds=lambda: [Run({"case": np.int32(c), "x": np.float32([1, 2, 3])}, "serving_default") for c in (0, 1, 2, 7, -1)],
)
def cases(case, x):
    first = tf.switch_case(case, [lambda: x + 1, lambda: x * 10, lambda: tf.reverse(x, [0])], default=lambda: -x)
    second = tf.case(
        [(case > 5, lambda: tf.constant(5.0)), (case > 0, lambda: tf.reduce_sum(x))], default=lambda: tf.constant(0.0)
    )
    third = tf.cond(case < 1, lambda: tf.cond(x[0] > 0, lambda: 1, lambda: 2), lambda: 3)
    return {"first": first, "second": second, "third": third}


@function(T([None, 3], name="x"))
def maps_and_scans(x):
    return {
        "map": tf.map_fn(lambda row: row / (1 + tf.norm(row)), x),
        "scan": tf.scan(lambda a, row: a * 0.5 + row, x),
        "fold": tf.foldl(lambda a, row: a + row, x),
        "right": tf.foldr(lambda a, row: a - row, x),
        "vector": tf.vectorized_map(lambda row: tf.tensordot(row, row, 1), x),
        "pairs": tf.map_fn(
            lambda row: (row[0], tf.cast(row[1], tf.int32)), x, fn_output_signature=(tf.float32, tf.int32)
        )[1],
        "bounded": tf.while_loop(
            lambda i, v: v[0, 0] > -100,
            lambda i, v: (i + 1, v - 1),
            (0, x),
            maximum_iterations=5,
            parallel_iterations=2,
        )[1],
    }


@function(T([5], name="x"), T([], tf.int32, name="n"), feeds=lambda: {"x": made_up((5,), "float32"), "n": np.int32(1)})
def arrays_and_lists(x, n):
    array = tf.TensorArray(tf.float32, 5).unstack(x)
    pieces = tf.TensorArray(tf.float32, 3, infer_shape=False).write(0, x[:2]).write(1, x[2:3]).write(2, x[3:])
    stack = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    i = 0
    while i < n + 3:
        stack = stack.write(i, array.read(i) + 1)
        i += 1
    listed = raw.TensorListPushBack(
        input_handle=raw.EmptyTensorList(element_shape=[5], max_num_elements=-1, element_dtype=tf.float32), tensor=x
    )
    return {
        "joined": pieces.concat(),
        "split": tf.TensorArray(tf.float32, 2).split(x, [2, 3]).read(1),
        "stacked": stack.gather([2, 0]),
        "n": tf.TensorArray(tf.int32, 4).size(),
        "listed": raw.TensorListStack(input_handle=listed, element_shape=[5], element_dtype=tf.float32, num_elements=1),
    }


@module
def functions_in_functions():
    """Calls, a recursion that ends, captured values, polymorphic functions, defaults and control dependencies."""
    counter = tf.Variable(0)

    @tf.function
    def add(a, b):
        return a + b

    @tf.function(jit_compile=True)
    def compiled(a):
        return tf.nn.relu(a) * 2 - tf.reduce_mean(a)

    @tf.function(input_signature=[T([None], name="x")])
    def run(x):
        with tf.control_dependencies([counter.assign_add(1)]):
            y = add(x, 1.0) + tf.cast(add(tf.constant(1), counter), tf.float32)
        tf.debugging.assert_greater(tf.size(x), 0)
        tf.print("seen", tf.size(x), output_stream="file:///dev/null")
        return {"y": compiled(y), "count": counter.read_value()}

    runs = [
        Run({"x": np.float32([1, 2, 3])}, "serving_default"),
        Run({"x": np.float32([4])}, "serving_default", again=2),
    ]
    return holding({"serving_default": run}, runs, {"not_frozen": "*"}, counter=counter)


@module
def gradients_within():
    w = tf.Variable([[0.5, -1.0], [2.0, 0.25]])

    @tf.custom_gradient
    def clipped(x):
        return tf.sin(x), lambda dy: tf.clip_by_value(dy, -0.1, 0.1)

    @tf.function(input_signature=[T([2], name="x")])
    def run(x):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(tf.tanh(tf.linalg.matvec(w, x)) ** 2 + clipped(x))
            g = inner.gradient(y, x)
        i, v = tf.constant(0), x
        with tf.GradientTape() as tape:
            tape.watch(x)
            while i < 3:
                v = tf.sin(v) * x
                i += 1
            end = tf.reduce_sum(v)
        return {
            "y": y,
            "g": g,
            "hessian": outer.jacobian(g, x),
            "dw": outer.gradient(y, w),
            "loop": tape.gradient(end, x),
        }

    return holding(
        {"serving_default": run},
        None,
        {"save_options": tf.saved_model.SaveOptions(experimental_custom_gradients=True)},
        w=w,
    )


# ---- tables and assets
@module
def tables():
    init = tf.lookup.KeyValueTensorInitializer
    static = tf.lookup.StaticHashTable(init(["a", "b"], tf.constant([1, 2], tf.int64)), -1)
    back = tf.lookup.StaticHashTable(init(tf.constant([1, 2], tf.int64), ["one", "two"]), "?")
    buckets = tf.lookup.StaticVocabularyTable(init(["x", "y", "z"], tf.constant([0, 1, 2], tf.int64)), 4)
    real = tf.lookup.StaticHashTable(init(["pi"], [3.14159]), 0.0)

    @tf.function(input_signature=[T([None], tf.string, name="words")])
    def run(words):
        return {
            "ids": static.lookup(words),
            "names": back.lookup(static.lookup(words)),
            "buckets": buckets.lookup(words),
            "size": buckets.size(),
            "real": real[words],
            "keys": tf.size(static.export()[0]),
        }

    return holding(
        {"serving_default": run},
        {"words": np.array(["a", "z", "y", "pi", "b", ""], object)},
        {"not_frozen": "*"},
        tables=[static, back, buckets, real],
    )


def file_of(text, name):
    path = os.path.join(tempfile.mkdtemp(), name)
    with open(path, "wb") as file:
        file.write(text.encode())
    return path


@module
def tables_of_files():
    path = file_of("red\tr\ngreen\tg\nblue\tb\n", "colours.tsv")
    column, whole = tf.lookup.TextFileIndex, tf.lookup.TextFileInitializer
    lines = tf.lookup.StaticHashTable(whole(path, tf.string, 0, tf.int64, column.LINE_NUMBER, delimiter="\t"), -1)
    short = tf.lookup.StaticHashTable(whole(path, tf.string, 0, tf.string, 1, delimiter="\t"), "-")
    words = tf.lookup.StaticVocabularyTable(
        whole(file_of("alpha\nbeta\n", "words.txt"), tf.string, column.WHOLE_LINE, tf.int64, column.LINE_NUMBER), 2
    )
    asset = tf.saved_model.Asset(file_of("What stands in the file.", "note.txt"))

    @tf.function(input_signature=[T([None], tf.string, name="words")])
    def run(given):
        return {
            "line": lines.lookup(given),
            "short": short.lookup(given),
            "word": words.lookup(given),
            "note": tf.io.read_file(asset.asset_path),
        }

    return holding(
        {"serving_default": run},
        {"words": np.array(["green", "beta", "pink"], object)},
        {"not_frozen": "*"},
        tables=[lines, short, words],
        asset=asset,
    )


@module
def tables_that_change():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
    dense = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, -7, -8)
    table.insert(["first"], [[1.0, 2.0]])
    dense.insert(tf.constant([5], tf.int64), tf.constant([50], tf.int64))

    @tf.function(input_signature=[T([None], tf.string, name="keys"), T([None, 2], name="values")])
    def put(keys, values):
        table.insert(keys, values)
        dense.insert(tf.range(2, dtype=tf.int64), tf.constant([10, 11], tf.int64))
        return {"size": table.size(), "dense": dense.size()}

    @tf.function(input_signature=[T([None], tf.string, name="keys")])
    def get(keys):
        return {
            "values": table.lookup(keys),
            "dense": dense.lookup(tf.constant([0, 1, 5, 6], tf.int64)),
            "size": table.size(),
        }

    keys = np.array(["first", "b", "c"], object)
    runs = [
        Run({"keys": keys}, "serving_default"),
        Run({"keys": keys[1:], "values": np.float32([[3, 4], [5, 6]])}, "put"),
        Run({"keys": keys}, "serving_default", after=True),
    ]
    return holding({"serving_default": get, "put": put}, runs, {"not_frozen": "*"}, table=table, dense=dense)


# ---- random numbers
@module
def random_with_seeds():
    made = tf.random.Generator.from_seed(3, alg="philox")
    other = tf.random.Generator.from_state([3, 4, 5], alg="philox")

    @tf.function(input_signature=[T([2], tf.int32, name="seed")])
    def run(seed):
        r = tf.random
        return {
            "made": made.normal([3]),
            "again": made.uniform([2], 0, 10, tf.int32),
            "other": other.uniform([3]),
            "wins": other.binomial([2, 3], [10.0, 50.0, 0.0], [0.3, 0.5, 0.9]),
            "stateless": r.stateless_uniform([3], seed),
            "normal": r.stateless_normal([2, 2], seed),
            "whole": r.stateless_uniform([4], seed, 0, 100, tf.int32),
            "truncated": r.stateless_truncated_normal([3], seed),
            "categorical": r.stateless_categorical(tf.math.log([[0.1, 0.9], [0.6, 0.4]]), 5, seed),
            "gamma": r.stateless_gamma([3], seed, 2.0),
            "poisson": r.stateless_poisson([3], seed, 4.0),
            "binomial": r.stateless_binomial([3], seed, 10.0, 0.3),
            "shuffle": r.experimental.stateless_shuffle(tf.range(6), seed),
            "folded": r.experimental.stateless_fold_in(seed, 7),
            "split": r.experimental.stateless_split(seed, 2),
        }

    feeds = {"seed": np.int32([1, 2])}
    return holding(
        {"serving_default": run},
        [Run(feeds, "serving_default"), Run(feeds, "serving_default", again=2)],
        {"not_frozen": "*"},
        made=made,
        other=other,
    )


@module
def random_with_states():
    """Ops that keep their state in the kernel: the seeds of graph and op decide."""
    tf.random.set_seed(11)

    @tf.function(input_signature=[T([], tf.int32, name="n")])
    def run(n):
        r = tf.random
        return {
            "uniform": r.uniform([n], seed=1),
            "normal": r.normal([n], seed=2),
            "whole": r.uniform([n], 0, 50, tf.int32, seed=3),
            "truncated": r.truncated_normal([n], seed=4),
            "shuffled": r.shuffle(tf.range(n), seed=5),
            "gamma": r.gamma([n], 1.5, seed=6),
            "poisson": r.poisson([n], 3.0, seed=7),
            "categorical": r.categorical([[0.0, 1.0]], n, seed=8),
            "dropped": tf.nn.dropout(tf.ones([n]), 0.4, seed=9),
        }

    feeds = {"n": np.int32(5)}
    return holding({"serving_default": run}, [Run(feeds, "serving_default"), Run(feeds, "serving_default", again=2)])


# ---- strings and parsing
@function(
    T([None], tf.string, name="s"),
    feeds=lambda: {"s": np.array(["Hello, World", "a b  c", "\u00fcber 12", "", "x=3.5;y=4"], object)},
)
def strings(s):
    t = tf.strings
    return {
        "lower": t.lower(s, "utf-8"),
        "parts": t.split(s).to_tensor("-"),
        "regex": t.regex_replace(s, "[aeiou]", "<\\0>"),
        "match": t.regex_full_match(s, ".*[0-9]+"),
        "sub": t.substr(s, 0, 3, "UTF8_CHAR"),
        "length": t.length(s, "UTF8_CHAR"),
        "joined": t.reduce_join(s, separator="|"),
        "hash": t.to_hash_bucket_fast(s, 1000),
        "strong": t.to_hash_bucket_strong(s, 1000, [1, 2]),
        "codes": t.unicode_decode(s, "UTF-8").to_tensor(-1),
        "grams": t.ngrams(t.split(s), 2).to_tensor(),
        "base64": tf.io.decode_base64(tf.io.encode_base64(s)),
        "formatted": t.format("{} and {}", [tf.range(3), s[0]]),
        "number": t.to_number(t.as_string(tf.range(4)) + ".5"),
        "wide": t.as_string(tf.constant([1.23456, -1e10]), precision=3, scientific=True),
        "strip": t.strip(t.join([" ", s, "\n"])),
        "bytes": t.bytes_split(s[0]),
        "unicode": t.unicode_transcode(s, "UTF-8", "UTF-16-BE"),
    }


def examples():
    f, b = tf.train.Feature, tf.train.Features
    rows = [
        {
            "x": f(float_list=tf.train.FloatList(value=[1.5, -2])),
            "name": f(bytes_list=tf.train.BytesList(value=[b"one"])),
            "ids": f(int64_list=tf.train.Int64List(value=[3, 1, 4])),
            "more": f(int64_list=tf.train.Int64List(value=[7, 8])),
        },
        {"x": f(float_list=tf.train.FloatList(value=[0, 7])), "ids": f(int64_list=tf.train.Int64List(value=[]))},
    ]
    return {
        "examples": np.array([tf.train.Example(features=b(feature=row)).SerializeToString() for row in rows], object)
    }


@function(T([None], tf.string, name="examples"), feeds=examples)
def parsed_examples(serialized):
    io = tf.io
    got = io.parse_example(
        serialized,
        {
            "x": io.FixedLenFeature([2], tf.float32),
            "name": io.FixedLenFeature([], tf.string, "none"),
            "ids": io.VarLenFeature(tf.int64),
            "rows": io.RaggedFeature(tf.int64, "more"),
        },
    )
    return {
        "x": got["x"],
        "name": got["name"],
        "ids": tf.sparse.to_dense(got["ids"], -1),
        "where": got["ids"].indices,
        "lengths": got["rows"].row_lengths(),
    }


def sequences():
    f = tf.train.Feature
    lists = {
        "words": tf.train.FeatureList(feature=[f(bytes_list=tf.train.BytesList(value=[w])) for w in (b"a", b"bc")])
    }
    made = tf.train.SequenceExample(
        context=tf.train.Features(feature={"id": f(int64_list=tf.train.Int64List(value=[9]))}),
        feature_lists=tf.train.FeatureLists(feature_list=lists),
    )
    return {"sequence": np.array(made.SerializeToString(), object)}


@function(T([], tf.string, name="sequence"), feeds=sequences)
def parsed_sequences(serialized):
    context, lists = tf.io.parse_single_sequence_example(
        serialized, {"id": tf.io.FixedLenFeature([], tf.int64)}, {"words": tf.io.FixedLenSequenceFeature([], tf.string)}
    )
    return {"id": context["id"], "words": lists["words"]}


@function(
    T([None], tf.string, name="lines"), feeds=lambda: {"lines": np.array(["1,2.5,abc", '7,,"d,e"', "-3,1e3,"], object)}
)
def decoded_lines(lines):
    a, b, c = tf.io.decode_csv(lines, [0, 0.5, "none"])
    return {
        "a": a,
        "b": b,
        "c": c,
        "raw": tf.io.decode_raw(tf.strings.substr(lines, 0, 2), tf.uint8),
        "padded": tf.io.decode_raw(lines, tf.uint8, fixed_length=4),
        "json": tf.io.decode_compressed(lines, ""),
    }


# ---- devices
@module
def asked_for_devices():
    """Placed on an accelerator that is not there: soft placement takes another."""
    with tf.device("/CPU:0"):
        w = tf.Variable([2.0, 3.0])

    @tf.function(input_signature=[T([2], name="x")])
    def run(x):
        with tf.device("/GPU:0"):
            y = x * w
        with tf.device("/device:CPU:0"):
            return {"y": y + 1}

    return holding(
        {"serving_default": run},
        None,
        {
            "own_devices": True,
            "save_options": tf.saved_model.SaveOptions(
                experimental_variable_policy=tf.saved_model.experimental.VariablePolicy.SAVE_VARIABLE_DEVICES
            ),
        },
        w=w,
    )
