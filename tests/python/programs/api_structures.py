"""Strings, ragged and sparse tensors, tables, queues, parsing, texts that tensors print, specs, nests, saved things."""

import os
import tempfile

import numpy as np
from programs import shows, tf


def kind(f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except Exception as error:
        return type(error).__name__
    return "no error"


@shows
def texts_of_strings():
    s = tf.constant(["Hello World", "a,b,,c", "  pad "])
    return (
        tf.strings.length(s),
        tf.strings.lower(s),
        tf.strings.upper(s),
        tf.strings.strip(s),
        tf.strings.split(s),
        tf.strings.split(s, ","),
        tf.strings.split(s, maxsplit=1),
        tf.strings.substr(s, 1, 3),
        tf.strings.substr(s, -2, 2),
        tf.strings.regex_replace(s, "[aeiou]", "*"),
        tf.strings.regex_full_match(s, "[A-Z].*"),
        tf.strings.join([s, s], "-"),
        tf.strings.reduce_join(s, separator="|"),
        tf.strings.bytes_split("abc"),
        tf.strings.ngrams([["a", "b", "c"]], 2),
        tf.strings.to_number(["1.5", "-2e3"]),
        tf.strings.to_hash_bucket_fast(s, 1000),
        tf.strings.to_hash_bucket_strong(s, 1000, [1, 2]),
        tf.strings.to_hash_bucket(s, 17),
    )


@shows
def numbers_as_strings():
    return (
        tf.strings.as_string([1.5, -2.25], precision=3),
        tf.strings.as_string([1.5, 1e10], scientific=True),
        tf.strings.as_string([3, -4], width=5, fill="0"),
        tf.strings.as_string([True, False]),
        tf.strings.as_string([1.0, 0.1], shortest=True),
        tf.strings.as_string(tf.constant([1 + 2j], tf.complex64)),
        tf.strings.format("a {} b {}", (tf.constant([1, 2]), "x")),
        tf.strings.format("{}", tf.reshape(tf.range(20), [10, 2]), summarize=2),
    )


@shows
def unicode():
    s = tf.constant(["héllo", "日本", ""])
    return (
        tf.strings.length(s, "UTF8_CHAR"),
        tf.strings.unicode_decode(s, "UTF-8"),
        tf.strings.unicode_split(s, "UTF-8"),
        tf.strings.unicode_decode_with_offsets(s, "UTF-8"),
        tf.strings.unicode_encode([104, 233], "UTF-8"),
        tf.strings.unicode_transcode(s, "UTF-8", "UTF-16-BE"),
        tf.strings.unicode_script([104, 26085]),
        tf.strings.lower("ÀÉ", encoding="utf-8"),
        tf.strings.substr(s, 0, 1, "UTF8_CHAR"),
    )


@shows
def ragged_tensors():
    r = tf.ragged.constant([[1, 2, 3], [], [4]])
    return (
        r,
        r + 1,
        r * r,
        r[0],
        r[:, :1],
        r[2, 0],
        r.to_tensor(),
        r.to_tensor(-1, shape=[3, 2]),
        r.row_lengths(),
        r.value_rowids(),
        r.bounding_shape(),
        tf.reduce_sum(r, 1),
        tf.reduce_mean(tf.cast(r, tf.float32), 0),
        tf.concat([r, r], 1),
        tf.concat([r, r], 0),
        tf.stack([r, r]),
        tf.ragged.boolean_mask(r, tf.ragged.constant([[True, False, True], [], [False]])),
        tf.gather(r, [2, 0]),
        tf.map_fn(lambda v: tf.reduce_sum(v), r, fn_output_signature=tf.int32),
        r.to_list(),
        r.shape,
        tf.size(r),
        tf.tile(r, [1, 2]),
        tf.reverse(r, [1]),
        tf.where(r > 1),
        tf.ragged.range([2, 0, 3]),
        tf.ragged.stack([[1, 2], [3]]),
        r.to_sparse(),
        tf.RaggedTensor.from_sparse(r.to_sparse()),
        tf.expand_dims(r, 1),
        r.with_values([9, 8, 7, 6]),
    )


@shows
def ragged_of_more_dimensions():
    r = tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
    return (
        r.ragged_rank,
        r.shape,
        r.flat_values,
        r.nested_row_lengths(),
        r.merge_dims(0, 1),
        r[0, 1],
        r[2:],
        tf.reduce_max(r, 2),
        r.to_tensor(),
        tf.RaggedTensor.from_tensor([[1, 0, 0], [2, 3, 0]], padding=0),
        tf.RaggedTensor.from_row_splits([3, 1, 4], [0, 2, 3]),
        tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2),
        tf.RaggedTensor.from_value_rowids([1, 2], [0, 2], 4),
        tf.RaggedTensor.from_row_lengths([1, 2], [0, 2]),
    )


@shows
def texts_of_ragged():
    r = tf.ragged.constant([["a", "bc"], []])
    print(r)
    print(repr(r))
    print(tf.ragged.constant([[1.5], [2.0, 3.0]]))
    print(r.row_splits)
    print(tf.RaggedTensorSpec([None, None], tf.int32), tf.type_spec_from_value(r))
    print(tf.ragged.constant([list(range(30))] * 3))


@shows
def sparse_tensors():
    s = tf.sparse.SparseTensor([[0, 1], [1, 0], [1, 2]], [1.0, 2.0, 3.0], [2, 3])
    return (
        s,
        tf.sparse.to_dense(s),
        tf.sparse.reorder(tf.sparse.transpose(s)),
        tf.sparse.add(s, s),
        tf.sparse.reduce_sum(s, 1),
        tf.sparse.reduce_max(s, 0),
        tf.sparse.sparse_dense_matmul(s, tf.ones([3, 2])),
        tf.sparse.slice(s, [0, 1], [2, 2]),
        tf.sparse.concat(1, [s, s]),
        tf.sparse.split(sp_input=s, num_split=3, axis=1),
        tf.sparse.softmax(s),
        tf.sparse.reshape(s, [3, 2]),
        tf.sparse.retain(s, [True, False, True]),
        tf.sparse.fill_empty_rows(tf.sparse.SparseTensor([[1, 0]], [5], [3, 2]), -1),
        tf.sparse.mask(tf.IndexedSlices([[1.0], [2.0]], [0, 1]), [1]),
        tf.sparse.maximum(s, s * 2.0),
        tf.sparse.to_indicator(tf.sparse.SparseTensor([[0, 0]], tf.constant([2], tf.int64), [1, 1]), 4),
        tf.sparse.eye(2),
        s * tf.constant([[2.0], [3.0]]),
        tf.sparse.cross([tf.constant([["a"], ["c"]]), tf.constant([["b"], ["d"]])]),
        tf.sparse.bincount([1, 1, 2]),
        tf.sparse.map_values(tf.square, s),
        tf.sparse.expand_dims(s, 0),
        tf.sparse.reset_shape(s, [3, 4]),
        tf.sparse.from_dense([[0, 7]]),
        s.shape,
        s.with_values([4.0, 5.0, 6.0]),
    )


@shows
def texts_of_sparse():
    s = tf.sparse.from_dense([[0, 1], [2, 0]])
    print(s)
    print(tf.SparseTensorSpec([2, None], tf.float32))
    print(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([4, 1])))
    print(s.indices, s.dense_shape.numpy())


@shows
def texts_of_tensors():
    print(tf.constant(3), tf.constant([1.5, 2.0]), tf.constant("a"), tf.constant([["x"], ["yz"]]))
    print(repr(tf.constant([[1, 2], [3, 4]])), repr(tf.constant(True)), repr(tf.constant([], tf.float64)))
    print(tf.zeros([100]), tf.constant(1e-8), tf.constant([1e10, 1.0]), tf.constant(1 + 2j))
    print(tf.Variable(1e-8), repr(tf.constant(0.1)), tf.constant(0.1), tf.Variable([[1], [2]]), tf.constant(2.0**24))
    print(tf.Variable([1, 2], name="v"), tf.Variable("s"), repr(tf.Variable(1.0, trainable=False)))
    print(
        tf.TensorShape([1, None]),
        tf.TensorShape(None),
        tf.float32,
        repr(tf.int8),
        tf.TensorSpec([None, 2], tf.int32, "x"),
    )
    print(tf.range(2000), tf.reshape(tf.range(27), [3, 3, 3]))
    print(f"{tf.constant(2.5):.2f} {tf.constant(7):5d} {tf.constant('s')}", str(tf.constant(b"\xff")))
    print(tf.constant([float("nan"), float("inf")]), tf.cast([1, 2], tf.bfloat16), tf.constant([0.1], tf.float16))


@shows
def texts_of_graphs():
    with tf.Graph().as_default() as g:
        a = tf.compat.v1.placeholder(tf.float32, [None, 2], name="a")
        with tf.name_scope("s"):
            b = tf.add(a, 1.0, name="b")
        print(a, b, b.op.name, b.op.type, [i.name for i in b.op.inputs], b.shape, g.get_operations()[1].name)
        print(repr(b), b.op)
        print(tf.TensorShape(b.shape).as_list(), b.consumers(), a.consumers()[0].name)


@shows
def printed_by_tf(directory=None):
    path = os.path.join(tempfile.mkdtemp(), "out")
    target = "file://" + path
    tf.print("a", tf.constant([1, 2]), [tf.constant(1.5), {"k": tf.constant("s")}], output_stream=target)
    tf.print(tf.range(10), summarize=2, sep="|", end="<\n", output_stream=target)
    tf.print(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.ragged.constant([[1], [2, 3]]), output_stream=target)
    tf.print(tf.sparse.from_dense([[0, 3]]), tf.Variable(2), None, True, output_stream=target)

    @tf.function
    def f(x):
        tf.print("in", x, x * 2, output_stream=target)

    f(tf.constant(4))
    with open(path) as made:
        print(made.read())


@shows
def tables():
    keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
    t = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)
    v = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(keys, values), 3)
    m = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 0.5)
    m.insert(tf.constant(["x", "y"]), tf.constant([1.0, 2.0]))
    m.remove(tf.constant(["x"]))
    d = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int64, tf.constant(-1, tf.int64), tf.constant(0, tf.int64), tf.constant(-2, tf.int64)
    )
    d.insert(tf.constant([4], tf.int64), tf.constant([40], tf.int64))
    return (
        t.lookup(tf.constant(["b", "z"])),
        t.size(),
        v.lookup(tf.constant(["a", "q"])),
        v.size(),
        m.lookup(tf.constant(["x", "y"])),
        m.export(),
        d.lookup(tf.constant([4, 5], tf.int64)),
        t[tf.constant(["a"])],
    )


@shows
def table_of_a_file():
    path = os.path.join(tempfile.mkdtemp(), "words")
    with open(path, "w") as f:
        f.write("one\ntwo\nthree\n")
    i = tf.lookup.TextFileInitializer(
        path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER
    )
    return (
        tf.lookup.StaticHashTable(i, -1).lookup(tf.constant(["two", "four"])),
        tf.io.read_file(path),
        tf.io.matching_files(path + "*").shape,
    )


@shows
def queues():
    q = tf.queue.FIFOQueue(5, [tf.int32, tf.string], [[], []])
    q.enqueue([1, "a"])
    q.enqueue_many([[2, 3], ["b", "c"]])
    first, size = q.dequeue(), q.size()
    rest = q.dequeue_many(2)
    p = tf.queue.PriorityQueue(5, [tf.string], [[]])
    p.enqueue_many([tf.constant([3, 1], tf.int64), ["low", "high"]])
    s = tf.queue.PaddingFIFOQueue(3, [tf.int32], [[None]])
    s.enqueue([[1]])
    s.enqueue([[1, 2]])
    q.close()
    return first, size, rest, p.dequeue(), s.dequeue_many(2), q.is_closed(), kind(q.dequeue)


@shows
def examples_parsed():
    e = tf.train.Example(
        features=tf.train.Features(
            feature={
                "n": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2])),
                "x": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5])),
                "s": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"t"])),
            }
        )
    )
    wire = e.SerializeToString()
    spec = {
        "n": tf.io.VarLenFeature(tf.int64),
        "x": tf.io.FixedLenFeature([], tf.float32),
        "y": tf.io.FixedLenFeature([1], tf.float32, default_value=[9.0]),
        "s": tf.io.RaggedFeature(tf.string),
    }
    return (
        tf.io.parse_single_example(wire, spec),
        tf.io.parse_example([wire, wire], spec),
        tf.train.Example.FromString(wire).features.feature["n"].int64_list.value[:],
    )


@shows
def records():
    path = os.path.join(tempfile.mkdtemp(), "r")
    with tf.io.TFRecordWriter(path) as w:
        w.write(b"one")
        w.write(b"")
    return (
        [bytes(r) for r in tf.compat.v1.io.tf_record_iterator(path)],
        tf.io.gfile.exists(path),
        tf.io.gfile.stat(path).length,
    )


@shows
def decoded():
    return (
        tf.io.decode_raw(["abcd"], tf.uint8),
        tf.io.decode_raw("\x01\x00\x02\x00", tf.int16),
        tf.io.decode_csv(["1,2.5,x", ",,"], [[7], [0.5], ["d"]]),
        tf.io.encode_base64("hello"),
        tf.io.decode_base64("aGVsbG8"),
        tf.io.parse_tensor(tf.io.serialize_tensor([1.5, 2.0]), tf.float32),
        tf.io.decode_json_example('{"features":{}}'),
        tf.strings.unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, ":"),
    )


@shows
def nests():
    s = {"b": [1, (2, 3)], "a": None}
    return (
        tf.nest.flatten(s),
        tf.nest.map_structure(lambda v: v and v * 2, s),
        tf.nest.pack_sequence_as(s, [9, 8, 7, 6]),
        tf.nest.is_nested(s),
        kind(tf.nest.assert_same_structure, [1], [1, 2]),
        kind(tf.nest.assert_same_structure, [1], (1,)),
        tf.nest.flatten({"y": 1, "x": 2}),
        tf.nest.flatten(tf.ragged.constant([[1]]), expand_composites=True),
    )


@shows
def shapes():
    s = tf.TensorShape([2, None, 4])
    return (
        s.rank,
        s.as_list(),
        s[1:],
        s.concatenate([5]),
        s.is_compatible_with([2, 3, 4]),
        s.merge_with([None, 3, 4]),
        s.is_fully_defined(),
        s.num_elements(),
        s == [2, None, 4],
        kind(s.merge_with, [3, 3, 4]),
        s.with_rank(3),
        kind(s.with_rank_at_least, 5),
        tf.TensorShape([3]).most_specific_compatible_shape([4]),
        [d for d in s],
        str(tf.compat.v1.Dimension(3) + 1),
        tf.TensorSpec([2]).is_compatible_with(tf.constant([1.0, 2.0])),
        str(tf.TensorSpec.from_tensor(tf.constant([1]))),
        tf.constant([[1]]).get_shape().as_list(),
    )


@shows
def types():
    return (
        [t.name for t in (tf.float32, tf.qint8, tf.bool, tf.string, tf.resource, tf.bfloat16)],
        tf.int32.size,
        tf.uint8.max,
        tf.int8.min,
        tf.float16.max,
        tf.float32.is_floating,
        tf.as_dtype("int64"),
        tf.as_dtype(np.float32) == tf.float32,
        tf.float32.as_numpy_dtype.__name__,
        tf.complex64.real_dtype,
        tf.dtypes.as_dtype(tf.float32).as_datatype_enum,
        tf.int32.is_compatible_with(tf.int64),
        tf.constant(1.0, tf.float64).dtype,
        tf.constant([2**40], tf.int64).dtype,
        kind(tf.constant, 2**40),
        kind(tf.as_dtype, "int33"),
        tf.constant(np.float64(1)).dtype,
        tf.convert_to_tensor([1, 2.5]).dtype,
        tf.constant([True]).dtype,
        tf.zeros_like([1]).dtype,
        str(tf.bfloat16),
    )


@shows
def variables():
    v = tf.Variable([1.0, 2.0], name="w")
    made = [v.assign([3.0, 4.0]).numpy(), v.assign_add([1.0, 1.0]).numpy(), v.assign_sub([0.5, 0.5]).numpy()]
    v.scatter_update(tf.IndexedSlices([9.0], [1]))
    made += [v.numpy(), v.sparse_read([1]).numpy(), v.gather_nd([[0]]).numpy()]
    v[0].assign(5.0)
    v.scatter_nd_add([[1]], [1.0])
    made += [v.numpy(), (v + 1).numpy(), v.shape, v.dtype, v.name, v.trainable]
    made += [kind(v.assign, [1.0]), kind(v.assign, ["a", "b"])]
    v.scatter_max(tf.IndexedSlices([100.0], [0]))
    v.scatter_mul(tf.IndexedSlices([2.0], [1]))
    u = tf.Variable(1, shape=tf.TensorShape(None))
    u.assign([1, 2, 3])
    return made, v, u, tf.Variable(lambda: 3.0), v == v, tf.math.reduce_sum(v)


@shows
def tensor_arrays():
    a = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    a = a.write(0, [1.0]).write(1, [2.0]).write(2, [3.0])
    b = tf.TensorArray(tf.int32, 0, dynamic_size=True).unstack([[1, 2], [3, 4]])
    c = tf.TensorArray(tf.int32, 2, infer_shape=False).split([1, 2, 3], [1, 2])
    d = tf.TensorArray(tf.float32, 3).scatter([2, 0, 1], [[3.0], [1.0], [2.0]])
    return (
        a.read(1),
        a.stack(),
        a.gather([2, 0]),
        a.size(),
        b.stack(),
        b.size(),
        c.read(1),
        d.stack(),
        a.concat(),
        a.identity().size(),
        kind(a.read, 7),
        a.dtype,
        a.element_shape,
    )


@shows
def random_numbers():
    g = tf.random.Generator.from_seed(7)
    tf.random.set_seed(5)
    return (
        g.normal([3]),
        g.uniform([2], 0, 10, tf.int32),
        g.truncated_normal([2]),
        g.split(2)[0].normal([1]),
        g.state,
        tf.random.stateless_uniform([3], [1, 2]),
        tf.random.stateless_normal([2], [3, 4], 1.0, 2.0),
        tf.random.stateless_uniform([4], [1, 2], 0, 9, tf.int32),
        tf.random.stateless_truncated_normal([2], [1, 2]),
        tf.random.stateless_categorical([[0.1, 0.2, 0.7]], 5, [1, 2]),
        tf.random.stateless_gamma([2], [1, 2], 2.0),
        tf.random.stateless_poisson([3], [1, 2], 2.0),
        tf.random.stateless_binomial([3], [1, 2], 10.0, 0.4),
        tf.random.experimental.stateless_shuffle([1, 2, 3, 4], [1, 2]),
        tf.random.experimental.stateless_split([1, 2], 2),
        tf.random.experimental.stateless_fold_in([1, 2], 3),
        tf.random.uniform([2]),
        tf.random.normal([2]),
        tf.random.uniform([2], seed=3),
        tf.random.shuffle([1, 2, 3]),
        tf.random.categorical([[0.0, 1.0]], 4),
        tf.random.gamma([2], 2.0, seed=1),
        tf.random.poisson([2], 3.0, seed=1),
        tf.random.truncated_normal([2], seed=9),
        tf.random.Generator.from_key_counter(1, [2, 3], "philox").uniform([2]),
        tf.random.create_rng_state(1, "threefry"),
    )


@shows
def saved_and_loaded():
    class M(tf.Module):
        def __init__(self):
            super().__init__(name="m")
            self.w = tf.Variable([1.0, 2.0])
            self.parts = [tf.Variable(3.0), {"k": tf.Variable(4.0, trainable=False)}]

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def f(self, x):
            return {"y": tf.reduce_sum(x) * self.w, "n": tf.size(x)}

    m = M()
    directory = tempfile.mkdtemp()
    tf.saved_model.save(m, directory + "/m", signatures={"f": m.f})
    back = tf.saved_model.load(directory + "/m")
    c = tf.train.Checkpoint(m=m)
    path = c.save(directory + "/c")
    m.w.assign([9.0, 9.0])
    status = c.restore(path)
    return (
        back.f([1.0, 2.0]),
        back.w,
        back.parts[1]["k"],
        back.signatures["f"](tf.constant([3.0])),
        m.w,
        [v.name for v in m.variables],
        len(m.trainable_variables),
        sorted(n for n, _ in tf.train.list_variables(path)),
        type(status).__name__,
        kind(back.f, [[1.0]]),
        m.name,
        [s.name for s in m.submodules],
        tf.saved_model.contains_saved_model(directory + "/m"),
    )


@shows
def checks():
    d = tf.debugging
    return (
        kind(d.assert_equal, 1, 2),
        kind(d.assert_less, [1], [2]),
        kind(d.assert_rank, [1], 2),
        kind(d.assert_shapes, [([1, 2], ("N",)), ([[1]], ("N", 1))]),
        kind(d.check_numerics, [float("nan")], "m"),
        kind(d.assert_all_finite, [1.0], "m"),
        kind(d.assert_type, 1, tf.float32),
        kind(d.assert_non_negative, [-1]),
        kind(d.assert_near, [1.0], [1.1]),
        kind(d.assert_scalar, [1]),
        kind(d.assert_integer, [1.0]),
        kind(d.assert_proper_iterable, 1),
        kind(tf.ensure_shape, [1, 2], [3]),
        d.is_numeric_tensor(tf.constant("a")),
        kind(tf.Assert, False, ["what"]),
        kind(lambda: tf.debugging.assert_equal([1, 2], [1, 3], message="unequal", summarize=1)),
    )


@shows
def texts_of_errors():
    made = []
    for f in (
        lambda: tf.constant([1, 2]) + tf.constant([1, 2, 3]),
        lambda: tf.matmul([[1.0]], [[1.0], [2.0]]),
        lambda: tf.reshape([1, 2, 3], [2, 2]),
        lambda: tf.gather([1, 2], [5]),
        lambda: tf.concat([[[1]], [[1, 2]]], 0),
        lambda: tf.constant([1])[3],
        lambda: tf.strings.to_number("abc"),
        lambda: tf.io.decode_raw("abc", tf.int16),
        lambda: tf.split([1, 2, 3], 2),
        lambda: tf.debugging.assert_positive([-1], message="no"),
        lambda: tf.squeeze([[1, 2]], 1),
        lambda: tf.one_hot([1], -2),
        lambda: tf.io.read_file("/no/such/file"),
    ):
        try:
            f()
            made.append("nothing")
        except Exception as error:
            made.append((type(error).__name__, str(error).split(" [Op:")[0].split("}} ")[-1][:150]))
    return made


@shows
def lists_of_several_types():
    i, v = tf.constant(5, tf.int64), tf.constant([0, 0])
    return (
        tf.concat((v, [i]), 0),
        tf.convert_to_tensor([[i], [1]], dtype=tf.float32),
        v + [i, 1],
        tf.matmul(tf.constant([[1.0]]), [[tf.constant(2.0, tf.float64)]]),
        tf.function(lambda: tf.stack([v, [i, i]]))(),
        kind(lambda: tf.concat((v, i[None]), 0)),
        kind(lambda: tf.stack([v[0], i])),
    )
