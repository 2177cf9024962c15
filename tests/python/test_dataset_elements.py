"""What datasets give, element by element. The expected elements are TensorFlow 2.21's (data/dataset_elements.json, by
data/record_dataset_elements.py); files are written by the cases themselves."""

import json
import pathlib

import numpy
import pytest

from data import dataset_cases

import sluice as tf

D = tf.data.Dataset
EXPECTED = json.loads((pathlib.Path(__file__).parent / "data" / "dataset_elements.json").read_text())
CASES = dataset_cases.cases(tf)


@pytest.mark.parametrize("name", CASES)
def test_elements(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert dataset_cases.elements(tf, CASES[name]) == EXPECTED[name]


def test_all_cases_are_recorded():
    assert set(CASES) == set(EXPECTED)


# ---- maps before a batch, which run over all of its elements at once

MAPS_OF_ELEMENTS = {
    "a chain of floats": lambda x, u, i: (tf.tanh(tf.exp(x) * 1.7 - 0.3) / 3.0, tf.cast(u, tf.float32) / 255.0, i * i - 3),
    "transcendental": lambda x, u, i: (tf.sigmoid(x) + tf.sin(x) * tf.cos(x), u + u, tf.cast(i, tf.float64) / 7.0),
    "nothing": lambda x, u, i: (x, u, i),
    "choices": lambda x, u, i: (tf.where(x > 0.1, x, 0.5), u < 100, tf.maximum(i, 0)),
    "another order": lambda x, u, i: (i, x, i - i),
    "shapes that meet": lambda x, u, i: (x + tf.cast(i, tf.float32), u, i),
    "along an axis": lambda x, u, i: (tf.reduce_sum(x, 0), tf.transpose(u), i),
}


@pytest.mark.parametrize("name", MAPS_OF_ELEMENTS)
@pytest.mark.parametrize("calls", [None, 2])
def test_a_map_before_a_batch_gives_the_bits_of_single_calls(name, calls):
    random = numpy.random.default_rng(0)
    x = (random.normal(size=(53, 5)) * 2).astype(numpy.float32)
    u = random.integers(0, 255, (53, 4, 3)).astype(numpy.uint8)
    i = random.integers(-9, 9, 53)
    mapped = D.from_tensor_slices((x, u, i)).map(MAPS_OF_ELEMENTS[name], num_parallel_calls=calls)
    single = list(mapped.as_numpy_iterator()) * 2
    for size in (1, 7, 32, 53, 200):
        batches = list(mapped.repeat(2).batch(size).as_numpy_iterator())
        assert len(batches) == -(-len(single) // size)
        for k, batch in enumerate(batches):
            for got, rows in zip(batch, zip(*single[k * size : (k + 1) * size])):
                wanted = numpy.stack(rows)
                assert (got.dtype, got.shape, got.tobytes()) == (wanted.dtype, wanted.shape, wanted.tobytes())


def test_an_error_in_a_batch_is_that_of_its_element():
    batches = iter(D.range(8).map(lambda x: 12 // (x - 2)).batch(2))
    assert next(batches).numpy().tolist() == [-6, -12]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Iterator::Root::BatchV2::Map: element 2: .*[Dd]ivision by zero"):
        next(batches)
    assert next(batches).numpy().tolist() == [12, 6]
