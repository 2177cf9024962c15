"""Pipelines for test_dataset_elements.py: functions of the module `tf` that make a dataset, and what it gives as plain
values."""

import gzip

MOST = 12


def text_files():
    for name, data in ("one", b"a\nbb\r\nccc"), ("two", b"d\n\ne\n"):
        with open(name, "wb") as file:
            file.write(data)
    with gzip.open("packed", "wb") as file:
        file.write(b"x\ny\n")


def record_files(tf):
    for name, options in ("r1", None), ("r2", None), ("rz", "GZIP"):
        with tf.io.TFRecordWriter(name, options) as writer:
            for i in range(3):
                writer.write(f"{name}{i}".encode())


def cases(tf):
    d = tf.data.Dataset
    experimental = tf.data.experimental
    one = tf.TensorSpec([], tf.int64)

    def lines(*names, compression=None):
        text_files()
        return tf.data.TextLineDataset(list(names), compression)

    def records(*names, compression=None):
        record_files(tf)
        return tf.data.TFRecordDataset(list(names), compression)

    def fixed(data, names, **options):
        for name, bytes_ in data.items():
            with open(name, "wb") as file:
                file.write(bytes_)
        return tf.data.FixedLengthRecordDataset(names, 4, 1, 2, **options)

    def counted(n):
        def generate():
            for i in range(n):
                yield i, [i] * i

        return d.from_generator(generate, output_signature=(one, tf.TensorSpec([None], tf.int64)))

    def failing():
        yield 1
        raise ValueError("no more")

    def ending(x):
        if x == 1:
            raise StopIteration
        return x

    def sums():
        return experimental.Reducer(
            lambda key: (key, tf.constant(0, tf.int64)), lambda s, x: (s[0], s[1] + x), lambda key, total: (key, total)
        )

    def files():
        text_files()
        return d.list_files(["t*", "o*"], shuffle=False)

    def queued(lengths, cycle, block, ahead):
        numbers = d.from_tensor_slices((tf.range(0, 10 * len(lengths), 10, tf.int64), tf.constant(lengths, tf.int64)))
        made = experimental.parallel_interleave(
            lambda first, n: d.range(first, first + n), cycle, block, False, 1, ahead
        )
        return numbers.apply(made)

    def fields(data, defaults, **options):
        with open("table", "wb") as file:
            file.write(data)
        return experimental.CsvDataset("table", defaults, **options)

    def replicas(batches, n):
        cut = tf.raw_ops.RebatchDataset(
            input_dataset=batches._variant_tensor, num_replicas=n, output_types=[tf.int64], output_shapes=[[None]]
        )
        return tf.data.experimental.from_variant(cut, tf.TensorSpec([None], tf.int64))

    return {
        "lines": lambda: lines("one", "two"),
        "lines of a packed file": lambda: lines("packed", compression="GZIP"),
        "lines of a missing file": lambda: lines("one", "nowhere").take(5),
        "lines of a file that is not packed": lambda: lines("one", compression="ZLIB").take(2),
        "records": lambda: records("r1", "r2"),
        "packed records": lambda: records("rz", compression="GZIP"),
        "records read in parallel": lambda: tf.data.TFRecordDataset(
            records("r1") and ["r1", "r2"], num_parallel_reads=2
        ),
        "fixed": lambda: fixed({"f1": b"H11112222FF", "f2": b"H3333FF"}, ["f1", "f2"]),
        "fixed, of a wrong length": lambda: fixed({"f1": b"H11112222F"}, ["f1"]).take(2),
        "fixed, packed": lambda: fixed({"f1": gzip.compress(b"H11112222FF")}, ["f1"], compression_type="GZIP"),
        "files": files,
        "list": lambda: experimental.from_list([(1, "a"), (2, "b")]),
        "generator": lambda: counted(3),
        "generator, twice": lambda: counted(2).repeat(2),
        "generator that fails": lambda: d.from_generator(failing, output_signature=one),
        "groups by window": lambda: d.range(10).group_by_window(
            lambda x: x % 3, lambda k, w: w.batch(2), window_size=4
        ),
        "groups by a window of the key's": lambda: d.range(9).group_by_window(
            lambda x: x % 2, lambda k, w: w.batch(9), window_size_func=lambda k: k + 1
        ),
        "groups whose window is 0": lambda: d.range(3).group_by_window(
            lambda x: x, lambda k, w: w, window_size_func=lambda k: k - 1
        ),
        "groups, reduced": lambda: d.range(10).apply(experimental.group_by_reducer(lambda x: x % 3 - 1, sums())),
        "buckets": lambda: d.range(6).map(lambda x: tf.fill([x], x)).bucket_by_sequence_length(tf.size, [3], [2, 2]),
        "interleaved by a long queue": lambda: queued([1, 0, 3, 2], 2, 1, 3),
        "interleaved without a queue": lambda: queued([2, 0, 1, 3], 2, 2, 0),
        "batches cut anew": lambda: d.range(10).batch(4).rebatch([2, 1]),
        "batches cut anew, whole ones only": lambda: d.range(7).batch(3).rebatch(2, drop_remainder=True),
        "batches cut anew, some empty": lambda: d.range(3).batch(4).rebatch([2, 0]),
        "batches cut anew, empty behind the last row": lambda: d.range(2).batch(4).rebatch([1, 0, 0]),
        "batches cut anew, empty before any row": lambda: d.range(0).batch(4).rebatch([0, 3]),
        "batches cut anew, none behind a short one": lambda: d.range(5).batch(4).rebatch([0, 0, 3]),
        "batches cut anew, of no rows": lambda: d.range(2).map(lambda x: tf.zeros([2, x])).rebatch(0),
        "batches of ragged tensors cut anew": lambda: (
            d.from_tensors(tf.ragged.constant([[1], [2, 3], []])).map(lambda x: x).rebatch(2)
        ),
        "batches of sparse tensors cut anew": lambda: (
            d.from_tensors(tf.sparse.from_dense([[1], [0], [2]])).map(lambda x: x).rebatch([2, 1])
        ),
        "batches cut for replicas": lambda: replicas(d.range(10).batch(4), 2),
        "batches cut for more replicas than rows": lambda: replicas(d.range(3).batch(2), 3),
        "rows of a sparse tensor": lambda: d.from_tensor_slices(
            tf.SparseTensor([[0, 0], [2, 1], [2, 2]], [5, 6, 7], [4, 3])
        ),
        "sparse batches": lambda: (
            d.range(5).map(lambda x: tf.fill([x], x)).apply(experimental.dense_to_sparse_batch(2, [6]))
        ),
        "sparse batches of no given length": lambda: (
            d.range(4).map(lambda x: tf.fill([x], x)).apply(experimental.dense_to_sparse_batch(3, [None]))
        ),
        "sparse batches that are too long": lambda: (
            d.range(4).map(lambda x: tf.fill([x], x)).apply(experimental.dense_to_sparse_batch(2, [2]))
        ),
        "fields": lambda: fields(b"1,a\n2,b\r\n3,c", [0, ""]),
        "fields with quotes": lambda: fields(b'1,"a,""x"\n\ny"\n2,""\n', [0, "none"]),
        "fields behind a header": lambda: fields(b"x,y\n1,a\n", [0, ""], header=True),
        "fields behind a header that is missing": lambda: fields(b"", [0], header=True),
        "fields behind a header without an end": lambda: fields(b'"x\n1\n', [0], header=True),
        "fields behind a header with a stray quote": lambda: fields(b'x"y\n1\n', [0], header=True),
        "fields by column": lambda: fields(b"1,a,7\n2,b,8\n", [0, 0.5], select_cols=[0, 2]),
        "fields that are missing": lambda: fields(
            b",a\n,NA\n1,\n", [tf.constant(9), tf.constant([], tf.string)], na_value="NA"
        ),
        "fields that are wrong": lambda: fields(b'x,a\n1\n1,a,b\n1,a"b"\n1,"a"b\n5,c\n', [0, ""]),
        "fields with another delimiter": lambda: fields(
            b"1;'a'\n2;\"b\n", [0, ""], field_delim=";", use_quote_delim=False
        ),
        "fields of a packed file": lambda: fields(gzip.compress(b"1,a\n"), [0, ""], compression_type="GZIP"),
        "map and batch, whose function ends": lambda: d.range(6).apply(
            experimental.map_and_batch(lambda x: tf.numpy_function(ending, [x], tf.int64), 2)
        ),
        "map whose function ends": lambda: d.range(3).map(lambda x: tf.numpy_function(ending, [x], tf.int64)).take(2),
        "padded to a number": lambda: d.from_tensor_slices({"a": [1, 2], "b": (["x", "y"],)}).apply(
            experimental.pad_to_cardinality(4)
        ),
        "padded by nothing, with a name": lambda: d.from_tensor_slices({"a": [1, 2]}).apply(
            experimental.pad_to_cardinality(2, "is_there")
        ),
        "sampled by weights of 0": lambda: d.sample_from_datasets([d.range(3), d.range(2)], [0.0, 0.0]),
        "sampled from one by weight": lambda: d.sample_from_datasets([d.range(3), d.range(2)], [0.0, 0.5]),
        "slices of a list of datasets": lambda: d.from_tensor_slices([d.range(2), d.range(1)]).flat_map(lambda x: x),
        "slices of lists of datasets": lambda: (
            d.from_tensor_slices([[d.range(2), d.range(1)]]).unbatch().flat_map(lambda x: x)
        ),
        "interleaved as before": lambda: d.range(1, 4).apply(
            experimental.parallel_interleave(lambda x: d.range(x), 2, 1)
        ),
        "random numbers": lambda: d.random(seed=3).take(3),
        "random numbers, anew each time": lambda: d.random(seed=3, rerandomize_each_iteration=True).take(2).repeat(3),
        "random numbers, the same each time": lambda: (
            d.random(seed=3, rerandomize_each_iteration=False).take(2).repeat(2)
        ),
        "unique": lambda: d.from_tensor_slices([3, 1, 3, 2, 1]).unique(),
        "unique strings": lambda: d.from_tensor_slices(["b", "a", "b"]).unique(),
    }


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(x) for key, x in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(x) for x in value]
    if hasattr(value, "dense_shape"):
        return {"sparse": [_plain(value.indices), _plain(value.values), _plain(value.dense_shape)]}
    if hasattr(value, "to_list"):
        value = value.to_list()
    value = value.numpy() if hasattr(value, "numpy") else value
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list):
        return [_plain(x) for x in value]
    return value.decode() if isinstance(value, bytes) else value


def elements(tf, make):
    """At most MOST elements, an error's class in its place, and whether that was the end."""
    try:
        iterator = iter(make())
    except tf.errors.OpError as error:
        return [type(error).__name__]
    got = []
    while len(got) < MOST:
        try:
            got.append(_plain(next(iterator)))
        except StopIteration:
            return [*got, "end"]
        except tf.errors.OpError as error:
            got.append(type(error).__name__)
    return got
