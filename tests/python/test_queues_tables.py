"""Queues, accumulators and tables."""

import pytest

import sluice as tf


def value(x):
    return tf.nest.map_structure(lambda t: t._tolist(), x)


def test_fifo_queue():
    q = tf.queue.FIFOQueue(3, [tf.float32, tf.int32], shapes=[[], [2]])
    q.enqueue((1.0, [1, 2]))
    q.enqueue_many(([2.0, 3.0], [[3, 4], [5, 6]]))
    assert value(q.size()) == 3
    assert value(q.dequeue()) == [1.0, [1, 2]]
    q.close()
    assert value(q.is_closed())
    assert value(q.dequeue_up_to(5)) == [[2.0, 3.0], [[3, 4], [5, 6]]]
    with pytest.raises(tf.errors.OutOfRangeError, match="is closed and has insufficient"):
        q.dequeue()


def test_queue_of_names_takes_dictionaries():
    q = tf.queue.FIFOQueue(3, [tf.float32, tf.string], names=["f", "s"])
    q.enqueue({"f": 1.0, "s": "a"})
    assert value(q.dequeue()) == {"f": 1.0, "s": b"a"}
    with pytest.raises(ValueError, match="match names of Queue"):
        q.enqueue({"x": 1})


def test_priority_padding_and_shuffle_queues():
    p = tf.queue.PriorityQueue(5, tf.string, [[]])
    for number, word in ((3, "c"), (1, "a"), (2, "b")):
        p.enqueue((number, word))
    assert [value(p.dequeue())[1] for _ in range(3)] == [b"a", b"b", b"c"]
    padded = tf.queue.PaddingFIFOQueue(5, [tf.float32], [[None]])
    padded.enqueue([[1.0, 2.0]])
    padded.enqueue([[3.0]])
    assert value(padded.dequeue_many(2)) == [[1, 2], [3, 0]]
    r = tf.queue.RandomShuffleQueue(5, 0, tf.float32, [[]])
    r.enqueue_many([[1.0, 2.0, 3.0]])
    assert sorted(value(r.dequeue_many(3))) == [1, 2, 3]


@pytest.mark.parametrize("made", [lambda f: f, tf.function], ids=["eager", "function"])
def test_static_tables(made):
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    assert value(made(table.lookup)(tf.constant(["b", "x"]))) == [2, -1]
    ids = tf.constant([0, 1], tf.int64)
    words = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], ids), 3)
    assert value(made(words.lookup)(tf.constant(["a", "zz", "b"]))) == [0, 3, 1]
    assert value(words.size()) == 5


def test_table_of_a_file(tmp_path):
    path = tmp_path / "words"
    path.write_text("x\ny\n")
    whole, number = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    lines = tf.lookup.TextFileInitializer(str(path), tf.string, whole, tf.int64, number)
    assert value(tf.lookup.StaticHashTable(lines, -1).lookup(tf.constant(["y", "z"]))) == [1, -1]


def test_tables_that_change():
    m = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
    m.insert(["x", "y"], [[5, 6], [7, 8]])
    m.remove(["y"])
    assert value(m.lookup(tf.constant(["x", "y"]))) == [[5, 6], [0, 0]]
    d = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-1)
    d.insert([1, 2], [3, 4])
    assert (value(d[tf.constant([1, 5], tf.int64)]), value(d.size())) == ([3, -1], 2)


def test_tables_refuse_other_types():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
    with pytest.raises(TypeError, match="must be"):
        table.lookup(tf.constant([1]))
    with pytest.raises(ValueError, match="num_oov_buckets"):
        tf.lookup.StaticVocabularyTable(None, 0)


def test_a_queue_of_a_list():
    queues = [tf.queue.FIFOQueue(2, tf.int32, shapes=[[]]) for _ in range(2)]
    queues[1].enqueue(7)
    assert value(tf.queue.QueueBase.from_list(1, queues).dequeue()) == 7


def test_tables_are_resources_that_are_tracked():
    """Keras looks for them so when it exports a model."""
    words = tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([1], tf.int64))
    for table in (
        tf.lookup.StaticHashTable(words, -1),
        tf.lookup.StaticVocabularyTable(words, 2),
        tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1),
        tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "x"),
    ):
        assert isinstance(table, tf.saved_model.experimental.TrackableResource)
        assert table.resource_handle.dtype == tf.resource
