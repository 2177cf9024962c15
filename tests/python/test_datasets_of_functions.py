"""Datasets that a tf.function gives call functions of it, and so keep it."""

import gc
import weakref

import pytest

import sluice as tf


def _noisy(n):
    return tf.data.Dataset.range(n).map(lambda x: x + tf.random.uniform([], 0, 1, tf.int64))


def _interleaved(n):
    return tf.data.Dataset.range(n).interleave(lambda x: tf.data.Dataset.range(x).map(lambda y: y * 10 + x))


def _flat(n):
    def twice(x):
        return tf.data.Dataset.from_tensor_slices([x, x]).map(lambda y: tf.cond(y > 1, lambda: y * 2, lambda: -y))

    return tf.data.Dataset.range(n).flat_map(twice)


def _callback(n):
    return tf.data.Dataset.range(n).map(lambda x: tf.py_function(lambda z: z * 2, [x], tf.int64))


def _windows(n):
    return tf.data.Dataset.range(n).window(2).flat_map(lambda w: w.map(lambda x: x * 3))


def _groups(n):
    groups = tf.data.Dataset.range(n).group_by_window(
        lambda x: x % 2, lambda key, d: d.map(lambda y: y + key), window_size=2
    )
    return groups


def _generated(n):
    return tf.data.Dataset.from_generator(lambda: iter([1, 2, 3]), output_signature=tf.TensorSpec([], tf.int64))


def _loop(n):
    def add(x):
        return tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a + x), [0, x])[1]

    return tf.data.Dataset.range(n).map(add, num_parallel_calls=2).prefetch(1)


def _traced(make):
    made = tf.function(make)(tf.constant(4, tf.int64))
    gc.collect()
    return made


def _numbers(dataset):
    return [int(x) for x in dataset]


@pytest.mark.parametrize("make", [_noisy, _interleaved, _flat, _callback, _windows, _groups, _generated, _loop])
def test_datasets_outlive_the_function_object(make):
    dataset = _traced(make)
    want = _numbers(make(tf.constant(4, tf.int64)))
    assert _numbers(dataset) == want and _numbers(dataset) == want
    later = dataset.map(lambda x: x + 1)
    del dataset
    gc.collect()
    assert _numbers(later) == [x + 1 for x in want]


def test_structures_and_iterators():
    made = _traced(lambda n: {"all": _noisy(n), "n": n, "iterator": iter(_noisy(n))})
    assert _numbers(made["all"]) == [0, 1, 2, 3]
    assert int(next(made["iterator"])) == 0 and int(next(made["iterator"])) == 1


def test_a_dataset_that_went_through_a_second_function():
    def through():
        dataset = _traced(_interleaved)
        return tf.function(lambda d: d.map(lambda x: x + tf.random.uniform([], 0, 1, tf.int64)))(dataset)

    dataset = through()
    gc.collect()
    assert _numbers(dataset) == [1, 2, 12, 3, 13, 23]


def test_elements_that_are_datasets():
    elements = list(_traced(lambda n: tf.data.Dataset.range(n).map(_noisy)))
    gc.collect()
    assert [_numbers(e) for e in elements] == [[], [0], [0, 1], [0, 1, 2]]


def test_the_function_goes_with_the_dataset():
    f = tf.function(_interleaved)
    n = tf.constant(3, tf.int64)
    dataset, trace = f(n), weakref.ref(f.get_concrete_function(n))
    del f
    gc.collect()
    assert trace() is not None
    del dataset
    gc.collect()
    assert trace() is None


def _from_generator():
    return tf.data.Dataset.from_generator(lambda: [(1, 3)] * 3, (tf.int32, tf.int32))


def test_loops_over_datasets_relax_shapes():
    @tf.function
    def total(ds):
        found = tf.constant(0)
        for x, y in ds:
            found += y - x
        return found

    ds = _from_generator()
    assert total(ds).numpy() == 6 and total.get_concrete_function(ds).outputs[0].shape.rank is None

    @tf.function
    def doubled(ds):
        held = tf.zeros([1, 2]), tf.constant(0)
        for _ in ds:
            held = tf.concat([held[0], held[0]], 0), held[1] + 1
            if held[1] == 2:
                break
        return held

    assert doubled(ds)[0].shape == [4, 2] and doubled(ds)[1].numpy() == 2
    assert doubled.get_concrete_function(ds).outputs[0].shape.as_list() == [None, 2]


def test_loops_over_datasets_keep_types_and_those_over_iterators_shapes():
    @tf.function
    def other_type(ds):
        found = tf.constant(0)
        for _ in ds:
            found = tf.constant(0.5)
        return found

    @tf.function
    def by_iterator(ds):
        held = tf.zeros([1])
        for _ in iter(ds):
            held = tf.concat([held, held], 0)
        return held

    with pytest.raises(
        TypeError, match="'found' has dtype int32 before the loop, but dtype float32 after one iteration"
    ):
        other_type(tf.data.Dataset.range(3))
    with pytest.raises(
        ValueError, match=r"'held' has shape \(1,\) before the loop, but shape \(2,\) after one iteration"
    ):
        by_iterator(tf.data.Dataset.range(3))
