"""Random pipelines for pipelines_agree: what a seed makes of the module `tf`, and how it is walked."""
import gzip
import os
import random
import shutil
import zlib

import numpy as np

MOST_STEPS, STRING = 40, 7


class Pipeline:
    """`dataset` after some stages, whose names are in `stages`. Every choice is the seed's and the element spec's, so both packages make
    the same; files are written to the current folder."""

    def __init__(self, tf, seed, eager):
        self.tf, self.v1, self.D, self.random, self.eager = tf, tf.compat.v1, tf.data.Dataset, random.Random(seed), eager
        self.stages, self.made_files, self.is_endless, self.is_stateful, self.fails = [], 0, False, False, False
        self.is_foreign_too = True  # TensorFlow's positions are read; docs/data.md has the stages whose are not
        self.dataset = self.source()
        for _ in range(self.random.randint(1, 7)):
            self.stage()
        self.options()

    # ---- choices
    def chance(self, p):
        return self.random.random() < p

    def upto(self, low, high):
        return self.random.randint(low, high)

    def pick(self, *choices):
        return self.random.choice(choices)

    def calls(self):
        return self.pick(None, None, 1, 2, 4, self.tf.data.AUTOTUNE)

    def note(self, text):
        self.stages.append(text)

    def file(self, data, compression="", cuts=True):
        name = "made.%d" % self.made_files
        self.made_files += 1
        packed = {"": lambda b: b, "GZIP": gzip.compress, "ZLIB": zlib.compress}[compression](data)
        if cuts and not compression and self.chance(.1):  # TensorFlow takes a compressed file that is cut for one that ends there
            packed = packed[:-self.upto(1, 5)]
            self.note("cut file")
        with open(name, "wb") as out:
            out.write(packed)
        return name

    # ---- sources
    def source(self):
        names = ["numbers", "numbers", "numbers", "rows", "rows", "texts", "tensors", "mixed", "lines", "records", "fixed", "csv", "drawn",
                 "sparse_rows", "ragged_rows", "examples", "file_names"]
        if self.eager:
            names.append("generator")
        name = self.random.choice(names)
        self.note(name)
        return getattr(self, name)()

    def numbers(self):
        low, n, step = self.upto(-5, 5), self.upto(0, 24), self.pick(1, 1, 2, 3, -1)
        kind = self.pick(self.tf.int64, self.tf.int64, self.tf.int32, self.tf.float32, self.tf.uint8)
        return self.D.range(low, low + n * step, step, output_type=kind)

    def rows(self):
        n, kind = self.upto(1, 14), self.pick(np.int64, np.float32, np.int32)
        return self.D.from_tensor_slices(np.arange(n * 3).reshape(n, 3).astype(kind) - 4)

    def texts(self):
        return self.D.from_tensor_slices(np.array([b"%d" % (i * 7 % 11) if i % 5 else b"x" for i in range(self.upto(1, 12))]))

    def tensors(self):
        return self.D.from_tensors((np.arange(6).reshape(2, 3), np.float32(2.5))).repeat(self.upto(1, 5))

    def mixed(self):
        n = self.upto(1, 12)
        return self.D.from_tensor_slices({"a": np.arange(n), "b": (np.arange(n * 2.).reshape(n, 2), np.array([b"t%d" % i for i in range(n)]))})

    def lines(self):
        names, compression = [], self.pick("", "", "GZIP", "ZLIB")
        for _ in range(self.upto(1, 3)):
            text = b"".join(b"%d,%s%s" % (i, b"y" * self.upto(0, 3), self.pick(b"\n", b"\r\n")) for i in range(self.upto(0, 6)))
            names.append(self.file(text + self.pick(b"", b"tail"), compression))
        if self.chance(.1):
            names.insert(self.upto(0, len(names)), "missing")
        self.is_foreign_too = False
        return self.tf.data.TextLineDataset(names, compression, buffer_size=self.pick(None, 8, 1000), num_parallel_reads=self.pick(None, None, 2))

    def records(self):
        names, compression = [], self.pick("", "", "GZIP", "ZLIB")
        for k in range(self.upto(1, 3)):
            with self.tf.io.TFRecordWriter("written", compression) as writer:
                for i in range(self.upto(0, 6)):
                    writer.write(b"%d.%d" % (k, i) * self.upto(1, 4))
            with open("written", "rb") as made:
                data = made.read()
            os.unlink("written")
            if data and not compression and self.chance(.1):
                data = data[:len(data) // 2] + b"?" + data[len(data) // 2 + 1:]
                self.note("damaged file")
            names.append(self.file(data, cuts=not compression))
        self.is_foreign_too = False
        return self.tf.data.TFRecordDataset(names, compression, buffer_size=self.pick(None, 10, 1000), num_parallel_reads=self.pick(None, None, 2))

    def fixed(self):
        size, header, footer = self.upto(1, 4), self.upto(0, 2), self.upto(0, 2)
        compression = self.pick("", "", "GZIP", "ZLIB")
        names = [self.file(bytes(range(65, 65 + header + footer + size * self.upto(0, 5) + self.pick(0, 0, 0, 1))), compression)
                 for _ in range(self.upto(1, 3))]
        return self.tf.data.FixedLengthRecordDataset(names, size, header, footer, self.pick(None, 3, 100), compression)

    def csv(self):
        rows = [b"%d,%s,%s" % (i, self.pick(b"0.5", b"", b"2"), self.pick(b"word", b'"a,b"', b'"q""q"', b"")) for i in range(self.upto(1, 8))]
        if self.chance(.2):
            rows.insert(self.upto(0, len(rows)), self.pick(b"1,x,bad", b"too,few", b""))
        header = self.chance(.3)
        name = self.file((b"p,q,r\n" if header else b"") + self.pick(b"\n", b"\r\n").join(rows) + self.pick(b"", b"\n"))
        defaults = [self.tf.int64 if self.chance(.5) else np.array([7], np.int64), np.array([1.5], np.float32), np.array([b"none"])]
        columns = self.pick(None, None, [0, 2], [1])
        self.is_stateful = True  # behind errors TensorFlow's positions lose rows
        if columns:
            defaults = [defaults[i] for i in columns]
        return self.tf.data.experimental.CsvDataset(name, defaults, header=header, select_cols=columns)

    def drawn(self):
        self.is_endless = True
        return self.D.random(seed=self.upto(0, 9), rerandomize_each_iteration=self.pick(None, True, False))

    def sparse_rows(self):
        n = self.upto(1, 6)
        at = sorted({(self.upto(0, n - 1), self.upto(0, 3)) for _ in range(self.upto(0, 8))})
        at = np.array(at, np.int64).reshape(-1, 2)
        return self.D.from_tensor_slices(self.tf.SparseTensor(at, np.arange(len(at)), [n, 4]))

    def ragged_rows(self):
        lengths = [self.upto(0, 3) for _ in range(self.upto(1, 7))]
        return self.D.from_tensor_slices(self.tf.RaggedTensor.from_row_lengths(np.arange(sum(lengths)), lengths))

    def examples(self):
        tf, texts = self.tf, []
        for i in range(self.upto(1, 8)):
            values = tf.train.Feature(int64_list=tf.train.Int64List(value=range(self.upto(0, 3))))
            one = {"n": tf.train.Feature(float_list=tf.train.FloatList(value=[i])), "v": values}
            if self.chance(.1):
                del one["n"]
            texts.append(tf.train.Example(features=tf.train.Features(feature=one)).SerializeToString())
        features = {"n": tf.io.FixedLenFeature([], tf.float32), "v": self.pick(tf.io.VarLenFeature(tf.int64), tf.io.RaggedFeature(tf.int64))}
        self.fails, self.is_foreign_too = True, False
        return self.D.from_tensor_slices(np.array(texts, object)).batch(self.upto(1, 3)).apply(
            tf.data.experimental.parse_example_dataset(features, num_parallel_calls=self.pick(1, 2)))

    def file_names(self):
        for i in range(self.upto(1, 5)):
            self.file(b"%d" % i)
        return self.D.list_files("made.*", shuffle=self.pick(False, True), seed=self.upto(1, 9))

    def generator(self):
        n, fails = self.upto(0, 9), self.chance(.1)

        def generate():
            for i in range(n):
                if fails and i == 4:
                    raise ValueError("no more")
                yield i, [i] * (i % 3)

        self.is_stateful = True
        spec = self.tf.TensorSpec
        return self.D.from_generator(generate, output_signature=(spec([], self.tf.int64), spec([None], self.tf.int32)))

    # ---- what functions do with an element
    def leaves(self, dataset=None):
        return self.tf.nest.flatten((dataset or self.dataset).element_spec)

    def all_tensors(self):
        return all(isinstance(s, self.tf.TensorSpec) for s in self.leaves())

    def changed(self, x):
        tf = self.tf
        if isinstance(x, tf.SparseTensor):
            return tf.SparseTensor(x.indices, x.values, x.dense_shape)
        if isinstance(x, tf.RaggedTensor):
            return x.with_flat_values(self.changed(x.flat_values)) if x.flat_values.dtype != tf.string else x
        if x.dtype == tf.string:
            return tf.strings.join([x, "!"])
        return tf.logical_not(x) if x.dtype == tf.bool else x * tf.cast(2, x.dtype) + tf.cast(1, x.dtype)

    def number(self, *element):
        """An int64 that the element tells."""
        tf, x = self.tf, self.tf.nest.flatten(element)[0]
        if isinstance(x, tf.SparseTensor):
            x = x.values
        if isinstance(x, tf.RaggedTensor):
            x = x.flat_values
        if x.dtype == tf.string:
            x = tf.strings.length(x)
        x = tf.reduce_sum(tf.cast(x, tf.int64))
        return tf.math.floormod(x, tf.constant(97, tf.int64))

    # ---- stages
    def stage(self):
        names = ["map", "map", "map", "map_to_number", "map_number_beside", "map_lengths", "map_random", "map_failing", "filter", "flat_map",
                 "interleave", "interleave", "scan", "take_while", "batch", "batch", "padded_batch", "ragged_batch", "unbatch", "rebatch", "window",
                 "shuffle", "shuffle", "repeat", "shuffle_repeat", "skip", "take", "shard", "enumerate", "cache", "prefetch", "group_by_window",
                 "bucket", "unique", "ignore_errors", "concatenate", "zip", "choose", "sample", "map_and_batch", "dense_to_sparse", "snapshot",
                 "assert_cardinality", "group_by_reducer", "parse_numbers", "flat_batches"]
        for _ in range(20):
            name = self.random.choice(names)
            made = getattr(self, "on_" + name)(self.dataset)
            if made is not None:
                self.note(name)
                self.dataset = made
                return

    def on_map(self, d):
        tf = self.tf
        return d.map(lambda *x: tf.nest.map_structure(self.changed, x if len(x) > 1 else x[0]), num_parallel_calls=self.calls(),
                     deterministic=self.pick(None, True))

    def on_map_to_number(self, d):
        k = self.upto(1, 5)
        return d.map(lambda *x: self.number(*x) * k - 3, self.calls())

    def on_map_number_beside(self, d):
        return d.map(lambda *x: (x[0], {"k": self.number(*x), "half": self.tf.cast(self.number(*x), self.tf.float32) / 2.}), self.calls())

    def on_map_lengths(self, d):
        m = self.upto(2, 4)
        return d.map(lambda *x: self.tf.range(self.number(*x) % m), self.calls())

    def on_map_random(self, d):
        tf = self.tf
        if self.chance(.5):
            return d.map(lambda *x: tf.random.stateless_uniform([2], tf.stack([self.number(*x), 7])), self.calls())
        self.is_stateful = True
        seed = self.upto(1, 5)
        return d.map(lambda *x: (self.number(*x), tf.random.uniform([], maxval=100, dtype=tf.int32, seed=seed)))

    def on_map_failing(self, d):
        tf, k, r, how = self.tf, self.upto(2, 5), self.upto(0, 1), self.upto(0, 2)
        self.fails = True

        def fails(*x):
            n = self.number(*x)
            if how == 0:
                with tf.control_dependencies([tf.debugging.assert_none_equal(n % k, tf.constant(r, tf.int64))]):
                    return tf.identity(n)
            if how == 1:
                return 60 // (n % k - r)
            return tf.gather(tf.range(k), tf.cast(n % (k + 1), tf.int32))

        return d.map(fails, self.calls(), deterministic=self.pick(None, True))

    def on_parse_numbers(self, d):
        tf, leaves = self.tf, self.leaves()
        if len(leaves) != 1 or not self.all_tensors() or leaves[0].dtype != tf.string:
            return None
        self.fails = True
        return d.map(lambda x: tf.strings.to_number(x, tf.int64), self.calls())

    def on_filter(self, d):
        k, r = self.upto(2, 4), self.upto(0, 1)
        if self.is_endless:
            return None
        return d.filter(lambda *x: self.tf.not_equal(self.number(*x) % k, r))

    def nested(self, *x):
        tf, n = self.tf, self.number(*x)
        how = self.inner
        if how == 0:
            return self.D.from_tensors(x if len(x) > 1 else x[0]).repeat(n % 3 + 1)
        if how == 1:
            return self.D.range(n % 4 + (1 if self.is_endless else 0))
        if how == 2:
            return self.D.range(n, n + 6).filter(lambda y: tf.not_equal(y % 3, 0)).map(lambda y: y * 2)
        return self.D.from_tensor_slices(tf.stack([n, n + 1, n + 2])).shuffle(3, seed=4).batch(2)

    def on_flat_map(self, d):
        self.inner = self.upto(0, 3)
        inner = self.inner

        def nested(*x):
            self.inner = inner
            return self.nested(*x)

        return d.flat_map(nested)

    def on_interleave(self, d):
        inner, calls, cycle = self.upto(0, 3), self.calls(), self.upto(1, 5)
        if calls and calls > cycle:
            calls = cycle

        def nested(*x):
            self.inner = inner
            return self.nested(*x)

        return d.interleave(nested, cycle, self.upto(1, 4), calls, deterministic=self.pick(None, True))

    def on_scan(self, d):
        return d.scan(np.int64(1), lambda s, *x: (s * 3 + self.number(*x), (s, self.number(*x))))

    def on_take_while(self, d):
        k = self.upto(20, 97)
        return d.take_while(lambda *x: self.number(*x) < k)

    def on_batch(self, d):
        if not all(isinstance(s, (self.tf.TensorSpec, self.tf.SparseTensorSpec, self.tf.RaggedTensorSpec)) for s in self.leaves()):
            return None
        return d.batch(self.upto(1, 5), self.chance(.4), self.pick(None, None, 2))

    def on_padded_batch(self, d):
        if not self.all_tensors() or any(s.shape.rank is None for s in self.leaves()):
            return None
        return d.padded_batch(self.upto(1, 4), drop_remainder=self.chance(.3))

    def on_ragged_batch(self, d):
        if not self.all_tensors() or any(s.shape.rank is None for s in self.leaves()):
            return None
        return d.ragged_batch(self.upto(1, 4), drop_remainder=self.chance(.3))

    def on_unbatch(self, d):
        tf = self.tf
        if any(s.shape.rank is None or s.shape.rank < 1 for s in self.leaves()) or self.is_endless:
            return None
        return d.unbatch()

    def on_rebatch(self, d):
        if not self.all_tensors() or any(not s.shape.rank for s in self.leaves()) or self.is_endless:
            return None
        return d.rebatch(self.pick(2, 3, [2, 1], [3, 1, 2]), self.chance(.3))

    def on_window(self, d):
        if len(self.leaves()) != 1 or not self.all_tensors():
            return None
        size, k = self.upto(1, 4), self.upto(1, 3)
        self.is_foreign_too = False
        windows = d.window(size, self.pick(None, 1, 2, 5), self.upto(1, 2), self.chance(.4))
        return windows.flat_map(lambda w: w.batch(k))

    def on_shuffle(self, d):
        return d.shuffle(self.upto(1, 12), seed=self.upto(0, 99), reshuffle_each_iteration=self.pick(None, True, False))

    def on_repeat(self, d):
        n = self.pick(0, 1, 2, 3, None)
        self.is_endless = self.is_endless or n is None
        return d.repeat(n)

    def on_shuffle_repeat(self, d):
        return self.on_repeat(self.on_shuffle(d))

    def on_skip(self, d):
        if self.is_endless:
            return d.skip(self.upto(0, 4))
        return d.skip(self.pick(0, 1, 3, 3, 50, -1))

    def on_take(self, d):
        n = self.pick(0, 1, 5, 5, 9, 9, -1)
        self.is_endless = self.is_endless and n < 0
        return d.take(n)

    def on_shard(self, d):
        n = self.upto(1, 4)
        return d.shard(n, self.upto(0, n - 1))

    def on_enumerate(self, d):
        return d.enumerate(self.upto(0, 3))

    def on_cache(self, d):
        if self.is_endless:
            return None
        return d.cache() if self.chance(.6) else d.cache("cache.%d" % len(self.stages))

    def on_prefetch(self, d):
        return d.prefetch(self.pick(0, 1, 3, 10, self.tf.data.AUTOTUNE))

    def on_group_by_window(self, d):
        k, size = self.upto(1, 4), self.upto(1, 4)
        if self.is_endless or not self.all_tensors():
            return None
        if any(s.shape.rank is None or any(n is None for n in s.shape) for s in self.leaves()):
            return d.group_by_window(lambda *x: self.number(*x) % k, lambda key, w: w.take(2), window_size=size)
        return d.group_by_window(lambda *x: self.number(*x) % k, lambda key, w: w.batch(3), window_size=size)

    def on_bucket(self, d):
        leaves = self.leaves()
        if self.is_endless or len(leaves) != 1 or not self.all_tensors() or leaves[0].shape.rank != 1:
            return None
        return d.bucket_by_sequence_length(lambda x: self.tf.shape(x)[0], [1, 3], [2, 3, 1], drop_remainder=self.chance(.3),
                                           pad_to_bucket_boundary=False)

    def on_unique(self, d):
        leaves = self.leaves()
        if self.is_endless or len(leaves) != 1 or not self.all_tensors() or leaves[0].shape.rank != 0:
            return None
        return d.unique() if leaves[0].dtype in (self.tf.int32, self.tf.int64, self.tf.string) else None

    def on_ignore_errors(self, d):
        return d.ignore_errors() if self.fails and not self.is_endless else None

    def on_concatenate(self, d):
        return d.concatenate(self.pick(d.take(3), d.skip(2), d))

    def on_zip(self, d):
        return self.D.zip((d, self.pick(self.D.range(9), self.D.range(5).shuffle(3, seed=2), d)))

    def on_choose(self, d):
        choices = self.D.from_tensor_slices(np.array([self.upto(0, 1) for _ in range(8)], np.int64)).repeat(2)
        self.is_endless = False
        return self.D.choose_from_datasets([d, d.skip(1)], choices, stop_on_empty_dataset=self.chance(.5))

    def on_sample(self, d):
        return self.D.sample_from_datasets([d, d.take(4)], self.pick(None, [.3, .7]), seed=self.upto(1, 50), stop_on_empty_dataset=self.chance(.5))

    def on_map_and_batch(self, d):
        k = self.upto(1, 4)
        return d.apply(self.tf.data.experimental.map_and_batch(lambda *x: (self.number(*x), self.number(*x) * k), self.upto(1, 5),
                                                               drop_remainder=self.chance(.4), num_parallel_calls=self.pick(None, 2)))

    def on_dense_to_sparse(self, d):
        leaves = self.leaves()
        if len(leaves) != 1 or not self.all_tensors() or leaves[0].shape.rank != 1:
            return None
        return d.apply(self.tf.data.experimental.dense_to_sparse_batch(self.upto(1, 4), [self.pick(2, 5, 9)]))

    def on_snapshot(self, d):
        if self.is_endless or not self.eager:
            return None
        return d.snapshot("snapshot.%d" % len(self.stages), compression=self.pick(None, "AUTO", "GZIP"))

    def on_assert_cardinality(self, d):
        if self.is_endless:
            return None
        return d.apply(self.tf.data.experimental.assert_cardinality(self.upto(0, 12)))

    def on_group_by_reducer(self, d):
        if self.is_endless:
            return None
        k, tf = self.upto(1, 4), self.tf
        reducer = tf.data.experimental.Reducer(lambda key: (key, np.int64(0)), lambda s, *x: (s[0] * 2, s[1] + self.number(*x)), lambda a, b: a + b)
        return d.apply(tf.data.experimental.group_by_reducer(lambda *x: self.number(*x) % k, reducer))

    def on_flat_batches(self, d):
        if not self.all_tensors() or any(s.shape.rank is None or any(n is None for n in s.shape) for s in self.leaves()) or self.is_endless:
            return None
        return d.batch(self.upto(2, 4)).prefetch(1).unbatch()

    # ---- options: nothing fused or tuned, which changes where errors are
    def options(self):
        options = self.tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.autotune.enabled = False
        options.experimental_warm_start = False
        if self.chance(.5):
            options.deterministic = True
        options.experimental_symbolic_checkpoint = False
        options.experimental_external_state_policy = self.tf.data.experimental.ExternalStatePolicy.IGNORE
        if self.chance(.2):
            options.threading.max_intra_op_parallelism = 1
            options.threading.private_threadpool_size = self.upto(1, 3)
        self.dataset = self.dataset.with_options(options)


# ---- walks
def plan(seed):
    """How many elements are taken before the position is saved, and how many behind that."""
    chosen = random.Random(-seed)
    return chosen.choice([0, 1, 2, 3, 5, 8]), chosen.choice([0, 1, 4])


def run(tf, seed, mode):
    return run_graph(tf, seed) if mode == "graph" else run_eagerly(tf, seed)


def files():
    found = {}
    for name in os.listdir("."):
        if os.path.isfile(name):
            with open(name, "rb") as file:
                found[name] = file.read()
    return found


def run_graph(tf, seed):
    v1, raw = tf.compat.v1, tf.raw_ops
    before, between = plan(seed)
    with tf.Graph().as_default() as graph:
        v1.set_random_seed(seed % 5)
        made = Pipeline(tf, seed, False)
        iterator = v1.data.make_initializable_iterator(made.dataset)
        handle, path = iterator._iterator_resource, v1.placeholder(tf.string, [], "path")
        fetches = [tf.identity(t).name for t in tf.nest.flatten(iterator.get_next(), expand_composites=True)]
        state = raw.SerializeIterator(resource_handle=handle, external_state_policy=1)
        save = raw.SaveV2(prefix=path, tensor_names=["at"], shape_and_slices=[""], tensors=[state])
        saved = raw.RestoreV2(prefix=path, tensor_names=["at"], shape_and_slices=[""], dtypes=[tf.variant])
        restore = raw.DeserializeIterator(resource_handle=handle, serialized=saved[0])
    init, get, rest = ([], [], [iterator.initializer.name]), ([], fetches, []), [([], fetches, [])] * MOST_STEPS

    def at(name, op):
        return [("path:0", STRING, name)], [], [op.name]

    def restoring(name):
        return [] if made.is_stateful else [init, at(name, restore), *rest]

    runs = [init] + [get] * before + [at(b"ours", save)] + [get] * between + restoring(b"ours") + [init, *rest[:10]]
    runs += restoring(b"theirs") if made.is_foreign_too else []
    question = {"graph": graph.as_graph_def().SerializeToString(), "runs": runs, "files": files(), "stages": made.stages, "steps": []}
    config = v1.ConfigProto()
    with v1.Session(graph=graph, config=config) as session:
        for feeds, names, targets in runs:
            if feeds and feeds[0][2] == b"theirs":
                question["files"].update(copy_position())
            try:
                got = session.run([names, targets], {n: v for n, _, v in feeds})[0]
                question["steps"].append(("element", [np.asarray(v) for v in got]))
            except tf.errors.OpError as error:
                question["steps"].append(("error", error.error_code, error.message))
    return question


def copy_position():
    made = {}
    for name in ("index", "data-00000-of-00001"):
        if os.path.exists("ours." + name):
            shutil.copy("ours." + name, "theirs." + name)
            with open("ours." + name, "rb") as file:
                made["theirs." + name] = file.read()
    return made


def arrays(tf, element):
    return [np.asarray(t.numpy()) for t in tf.nest.flatten(element, expand_composites=True)]


def take(tf, iterator):
    try:
        return "element", arrays(tf, next(iterator))
    except StopIteration:
        return ("end",)
    except tf.errors.OpError as error:
        return "error", error.error_code, error.message


def run_eagerly(tf, seed):
    before, between = plan(seed)
    tf.random.set_seed(seed % 5)
    made = Pipeline(tf, seed, True)
    steps = [("value", str(made.dataset.element_spec)), ("value", int(made.dataset.cardinality()))]
    iterator = iter(made.dataset)
    steps += [take(tf, iterator) for _ in range(before)]
    if not made.is_stateful:
        path = tf.train.Checkpoint(at=iterator).write("position")
        steps += [take(tf, iterator) for _ in range(between)]
        tf.train.Checkpoint(at=iterator).read(path)
    steps += [take(tf, iterator) for _ in range(MOST_STEPS)]
    again = iter(made.dataset)
    steps += [take(tf, again) for _ in range(MOST_STEPS)]
    if not made.is_endless:
        steps += at_numbers(tf, made.dataset)
    return {"stages": made.stages, "steps": steps}


def at_numbers(tf, dataset):
    """Elements by their number, and the number of elements by a fold."""
    steps = []
    for i in (0, 3):
        try:
            steps.append(("element", arrays(tf, tf.data.experimental.at(dataset, i))))
        except tf.errors.OpError as error:
            steps.append(("error", error.error_code, error.message))
    try:
        steps.append(("value", int(dataset.reduce(np.int64(0), lambda n, *x: n + 1))))
    except tf.errors.OpError as error:
        steps.append(("error", error.error_code, error.message))
    return steps
