"""Graphs with input pipelines, for make_graphs.py: what an element costs, stage by stage.

A step of most cases points the iterator at the pipeline's start and takes one element, which lies behind ELEMENTS others that
are skipped. So nearly all of the time is spent between the stages, and little in the session. Steps of "a get" take one
element of a pipeline without end."""
import pathlib

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
ELEMENTS = 10000
RECORDS = 4096


def as_written(dataset):
    """The pipeline as it stands: nothing fused, no threads injected or tuned."""
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.autotune.enabled = False
    return dataset.with_options(options)


def pull(dataset, skip=ELEMENTS):
    iterator = v1.data.make_initializable_iterator(as_written(dataset.skip(skip)))
    with tf.control_dependencies([iterator.initializer]):
        return tf.nest.flatten(iterator.get_next(), expand_composites=True)


def get(dataset):
    """The factory of a one-shot iterator may capture nothing."""
    return tf.nest.flatten(v1.data.make_one_shot_iterator(as_written(dataset)).get_next())


def numbers():
    return tf.data.Dataset.range(1 << 40)


def write_records(folder):
    """RECORDS records of 1 KiB, the same of examples, and lines of 29 bytes."""
    random = np.random.default_rng(0)
    plain, examples, lines = (str(folder / name) for name in ("plain.records", "examples.records", "lines.txt"))
    if not all(pathlib.Path(p).exists() for p in (plain, examples, lines)):
        folder.mkdir(parents=True, exist_ok=True)
        with tf.io.TFRecordWriter(plain) as file:
            for _ in range(RECORDS):
                file.write(random.bytes(1024))
        with tf.io.TFRecordWriter(examples) as file:
            for i in range(RECORDS):
                feature = {"image": tf.train.Feature(float_list=tf.train.FloatList(value=random.random(196))),
                           "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 10]))}
                file.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())
        pathlib.Path(lines).write_text("a line of twenty-nine bytes.\n" * ELEMENTS)
    return plain, examples, lines


def parse(batch):
    return tf.io.parse_example(batch, {"image": tf.io.FixedLenFeature([196], tf.float32),
                                       "label": tf.io.FixedLenFeature([], tf.int64)})


def filled():
    """Elements with something in them: rows of 256 floats."""
    return tf.data.Dataset.from_tensor_slices(tf.random.stateless_uniform([1000, 256], [1, 2])).repeat()


def heavy(row):
    matrix = tf.reshape(row, [16, 16])
    for _ in range(20):
        matrix = tf.linalg.matmul(matrix, matrix) / 16
    return tf.reduce_sum(matrix)


def digits():
    """Batches of images and labels as a training loop takes them: shuffled, normalised, made ahead."""
    random = np.random.default_rng(0)
    images, labels = random.integers(0, 256, [1000, 784]).astype(np.uint8), random.integers(0, 10, 1000).astype(np.int32)
    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(1000, seed=1).repeat()
    dataset = dataset.map(lambda x, label: (tf.cast(x, tf.float32) / 255., label)).batch(64, drop_remainder=True).prefetch(2)
    return v1.data.make_one_shot_iterator(dataset).get_next()


def pipelines(folder):
    """(name, make) of each case."""
    plain, examples, lines = write_records(folder / "pipelines")
    stages = {
        "range": numbers,
        "slices": lambda: tf.data.Dataset.from_tensor_slices(np.arange(1000.0, dtype=np.float32)).repeat(),
        "map x + 1": lambda: numbers().map(lambda x: x + 1),
        "map x + 1, 2 calls": lambda: numbers().map(lambda x: x + 1, num_parallel_calls=2),
        "map of 20 products 16x16, 2 calls": lambda: filled().map(heavy, num_parallel_calls=2),
        "filter": lambda: numbers().filter(lambda x: tf.equal(x % 2, 0)),
        "scan": lambda: numbers().scan(np.int64(0), lambda s, x: (s + x, s + x)),
        "take_while": lambda: numbers().take_while(lambda x: x >= 0),
        "flat_map, 4 each": lambda: numbers().flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(4)),
        "interleave, cycle 4": lambda: numbers().interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(16), 4),
        "shuffle 1,000": lambda: numbers().shuffle(1000, seed=1),
        "cache": lambda: tf.data.Dataset.range(1000).cache().repeat(),
        "prefetch": lambda: numbers().prefetch(10),
        "zip": lambda: tf.data.Dataset.zip((numbers(), numbers())),
        "enumerate": lambda: numbers().enumerate(),
        "unbatch": lambda: numbers().batch(32).repeat().unbatch(),
        "window 4": lambda: numbers().window(4),
        "group_by_window 8": lambda: numbers().group_by_window(lambda x: x % 4, lambda _, window: window.batch(8), 8),
        "sample from 2": lambda: tf.data.Dataset.sample_from_datasets([numbers(), numbers()], seed=1),
        "random": lambda: tf.data.Dataset.random(seed=1),
        "lines": lambda: tf.data.TextLineDataset(lines).repeat(),
        "records of 1 KiB": lambda: tf.data.TFRecordDataset(plain).repeat(),
    }
    batches = {
        "range, map, batch 32": lambda: numbers().map(lambda x: x + 1).batch(32),
        "batch 32 of 256 floats": lambda: filled().batch(32),
        "padded_batch 32": lambda: numbers().map(lambda x: tf.fill([x % 8], x)).padded_batch(32),
        "records, batch 32, parse": lambda: tf.data.TFRecordDataset(examples).repeat().batch(32).map(parse),
    }
    for name, make in stages.items():
        yield f"{name}; 10,000 elements", lambda make=make: pull(make())
    for name, make in batches.items():
        yield f"{name}; 300 batches", lambda make=make: pull(make(), 300)
    yield "a get: range", lambda: get(numbers())
    yield "a get: range, map, batch 32", lambda: get(numbers().map(lambda x: x + 1).batch(32))
