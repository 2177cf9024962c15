"""Tensors and tapes go when nobody holds them: without the garbage collector, and their memory with them."""

import gc
import resource
import sys
import weakref

import numpy as np
import pytest
from heap import heap_bytes

import sluice as tf


def _resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def _step():
    x = tf.ones([1024])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x[1:] * 2.0)
    tape.gradient(y, x)
    try:
        x[2000]
    except tf.errors.InvalidArgumentError:
        pass
    return weakref.ref(x), weakref.ref(tape), weakref.ref(y)


def test_reference_counts_free_tensors_and_tapes():
    gc.collect()
    gc.disable()
    try:
        _step()
        assert [r() for r in _step()] == [None] * 3
    finally:
        gc.enable()


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable([1.0, 2.0])
        self.layers = [tf.Variable(3.0), {"a": tf.Variable(4.0)}]

    @tf.function
    def __call__(self, x):
        return self.weights * x


def _model():
    model = Model()
    x = tf.constant(2.0)
    model(x)
    return [weakref.ref(o) for o in (model, model.weights, model.layers, x)]


def _functions():
    variable, captured = tf.Variable(1.0), tf.constant(2.0)

    @tf.function
    def f(x):
        return tf.cond(x > 0, lambda: x * variable, lambda: x + captured)

    with tf.GradientTape() as tape:
        y = f(tf.constant(3.0))
    tape.gradient(y, variable)
    return [weakref.ref(o) for o in (variable, captured, f, y)]


def _containers():
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2]))
    ragged, sparse = tf.ragged.constant([[1], [2, 3]]), tf.sparse.from_dense([0, 1])
    queue = tf.queue.FIFOQueue(1, [tf.int32])
    queue.enqueue(1)
    dataset = tf.data.Dataset.range(3).map(lambda x: x + 1)
    iterator = iter(dataset)
    next(iterator)
    return [weakref.ref(o) for o in (slices, ragged, sparse, queue, dataset, iterator, ragged.values)]


@pytest.mark.parametrize("make", [_model, _functions, _containers])
def test_reference_counts_free(make):
    """Whatever holds tensors ends with its last reference: no cycle keeps it until the collector comes."""
    make()
    gc.collect()
    gc.disable()
    try:
        assert [r() for r in make()] == [None] * len(make())
    finally:
        gc.enable()


ROUNDS = 60  # only a leak takes them all
v1 = tf.compat.v1
y, seeded = tf.constant(1.0), iter(range(10**9))
squared = tf.function(lambda x: x * x)


def _tape():
    with tf.GradientTape() as tape:
        tape.watch(y)
        z = squared(y) * y
    tape.gradient(z, y)


def _gradient_of_a_new_function():
    made = tf.function(lambda x: tf.while_loop(lambda i, _: i < 3, lambda i, z: (i + 1, tf.sin(z) * x), [0, x])[1])
    with tf.GradientTape() as tape:
        tape.watch(y)
        z = made(y)
    tape.gradient(z, y)


def _graph():
    with tf.Graph().as_default():
        a = v1.placeholder(tf.float32, [])
        b = a + 1.0
        with v1.Session() as session:
            session.run(b, {a: 1.0})


def _error():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.reshape(y, [3])


def _raise(x):
    raise KeyError("no")


def _failing_callback():
    with pytest.raises(tf.errors.UnknownError):
        failing(y)


failing = tf.function(lambda x: tf.py_function(_raise, [x], tf.float32))
calling = tf.function(lambda x: tf.py_function(lambda x: x + 1.0, [x], tf.float32))


@pytest.mark.parametrize(
    "run, times",
    [
        (lambda: (y + 1.0) * y, 1000),
        (lambda: squared(y), 1000),
        (lambda: tf.constant([1.0, 2.0]).numpy(), 1000),
        (lambda: tf.constant(["text" * 9]).numpy(), 500),
        (lambda: tf.random.uniform([2], seed=next(seeded)), 4000),  # a kernel for each call
        (lambda: tf.Variable([1.0, 2.0]).assign_add([1.0, 1.0]), 300),
        (_tape, 300),
        (_graph, 20),
        (_error, 300),
        (lambda: calling(y), 150),
        (_failing_callback, 100),
        (lambda: tf.function(lambda x: x + 1.0)(y), 25),
        (lambda: tf.function(lambda x: tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [x]))(y), 30),
        (lambda: tf.function(lambda x: squared(x) + 1.0)(y), 30),
        (_gradient_of_a_new_function, 30),
        (lambda: list(tf.data.Dataset.range(3).map(lambda x: x + 1)), 40),
    ],
)
def test_memory_of_calls_stays(run, times):
    """Neither Python's memory nor C's grows with the number of calls."""

    def used():
        gc.collect()
        return sys.getallocatedblocks(), heap_bytes()

    for _ in range(times):
        run()
    grown = []
    for _ in range(ROUNDS):  # a leak grows each time; tables that fill up, and caches of threads that come late, stop
        before = used()
        for _ in range(times):
            run()
        grown.append([(after - b) / times for after, b in zip(used(), before)])
        objects, bytes_of_c = (min(column) for column in zip(*grown))
        if objects < 0.5 and bytes_of_c < 100:
            return
    pytest.fail(f"memory grows by {grown} objects of Python and bytes of C a call")


@pytest.mark.parametrize(
    "run, times", [(lambda x: (x + 1.0) * x, 20_000), (squared, 5_000), (tf.function(lambda x: tf.exp(x)), 5_000)]
)
def test_live_objects_stay(run, times):
    """Neither tensors nor other objects are left of many calls, and memory stays."""

    def live():
        gc.collect()
        found = gc.get_objects()
        return sum(isinstance(o, tf.Tensor) for o in found), len(found)

    x = tf.constant(0.5)
    for _ in range(times // 10):
        run(x)
    tensors, objects = live()
    memory = _resident()
    for _ in range(times):
        run(x)
    memory = _resident() - memory  # before the list of all objects is made, which may be as large
    grown = live()
    assert grown[0] == tensors and grown[1] <= objects + 20  # of the garbage collector's own
    assert memory < 1 << 20


def test_graphs_that_call_functions_of_their_own_end():
    """A function that was made within another one goes with it."""

    def outer(x):
        @tf.function
        def inner(z):
            return tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, z * x), [0, z])[1]

        with tf.GradientTape() as tape:
            tape.watch(x)
            made = inner(x)
        return tape.gradient(made, x)

    def graphs():
        gc.collect()
        return sum(isinstance(o, tf.Graph) for o in gc.get_objects())

    tf.function(outer)(y)
    before = graphs()
    for _ in range(3):
        tf.function(outer)(y)
    assert graphs() <= before


def test_memory_stays():
    for _ in range(200):
        _step()
    before = _resident()
    for _ in range(1000):
        _step()
    assert _resident() - before < 2 << 20  # a tensor is 4 KiB: one in each step would be 4 MiB


def _anonymous_bytes():
    """What the process holds of memory that is behind no file."""
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon"))


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system for what the process holds")
def test_tables_take_the_memory_of_the_rows_that_are_written(tmp_path, monkeypatch):
    rows, width, size = 1 << 20, 64, 256 << 20
    before = _anonymous_bytes()
    table, slots = tf.Variable(tf.zeros([rows, width])), tf.Variable(tf.zeros([rows, width]))

    def train(n):
        for i in range(n):
            ids = tf.constant([7, 77 * i + 3, rows - 1 - 1111 * i])
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((tf.nn.embedding_lookup(table, ids) - 1) ** 2)
            gradient = tape.gradient(loss, table)
            slots.scatter_add(tf.IndexedSlices(gradient.values**2, gradient.indices))
            table.scatter_sub(tf.IndexedSlices(0.1 * gradient.values, gradient.indices))
        return table.sparse_read([7, 80, 5]).numpy()

    trained = train(10)
    assert trained[0].min() > 0.5 and trained[1].min() > 0 and not trained[2].any()
    assert _anonymous_bytes() - before < size // 4
    monkeypatch.setenv("SLUICE_MAP_CHECKPOINTS", "64M")
    tf.train.Checkpoint(table=table, name=tf.Variable("odd")).write(str(tmp_path / "all"))
    table.assign(tf.zeros([rows, width]))
    del slots
    before = _anonymous_bytes()
    tf.train.Checkpoint(table=table).read(str(tmp_path / "all")).expect_partial()
    assert np.array_equal(table.sparse_read([7, 80, 5]), trained)
    slots = tf.Variable(tf.zeros([rows, width]))
    assert (train(10)[0] > trained[0]).all()
    assert _anonymous_bytes() - before < size // 4
    for _ in range(2):  # the file is as it was
        tf.train.Checkpoint(table=table).read(str(tmp_path / "all")).expect_partial()
        assert np.array_equal(table.sparse_read([7, 80, 5]), trained)
