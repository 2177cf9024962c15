"""What datasets give, element by element. The expected elements are TensorFlow 2.21's (data/dataset_elements.json, by
data/record_dataset_elements.py); files are written by the cases themselves."""

import gzip
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
    "a chain of floats": lambda x, u, i: (
        tf.tanh(tf.exp(x) * 1.7 - 0.3) / 3.0,
        tf.cast(u, tf.float32) / 255.0,
        i * i - 3,
    ),
    "transcendental": lambda x, u, i: (
        tf.sigmoid(x) + tf.sin(x) * tf.cos(x),
        u + u,
        tf.cast(i, tf.float64) / 7.0,
    ),
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
                assert (got.dtype, got.shape, got.tobytes()) == (
                    wanted.dtype,
                    wanted.shape,
                    wanted.tobytes(),
                )


def test_an_error_in_a_batch_is_that_of_its_element():
    batches = iter(D.range(8).map(lambda x: 12 // (x - 2)).batch(2))
    assert next(batches).numpy().tolist() == [-6, -12]
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="Iterator::Root::BatchV2::Map: element 2: .*[Dd]ivision by zero",
    ):
        next(batches)
    assert next(batches).numpy().tolist() == [12, 6]


# ---- damaged files, behind stages that run ahead: one error in its place, then the end. As TensorFlow's, but that a file whose
# compressed data is cut is an error here, where TensorFlow takes it for the end.

RECORDS, RECORD_BYTES = 20, 100 + 16
DAMAGE = {
    "cut": (lambda data: data[:1000], "", 8, "truncated record at 928"),
    "a flipped bit": (
        lambda data: data[:600] + bytes([data[600] ^ 1]) + data[601:],
        "",
        5,
        "corrupted record at 580",
    ),
    "an absurd length": (
        lambda data: b"\0" * 7 + b"\x10" + data[8:],
        "",
        0,
        "corrupted record at 0",
    ),
    "not compressed": (lambda data: data, "GZIP", 0, "inflate.. failed"),
    "cut where it is compressed": (
        lambda data: gzip.compress(data)[:-30],
        "GZIP",
        None,
        "inflate.. failed",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.parametrize("calls", [None, 2])
def test_damaged_files(name, calls, tmp_path):
    damage, compression, whole, message = DAMAGE[name]
    path = str(tmp_path / "records")
    with tf.io.TFRecordWriter(path) as writer:
        for _ in range(RECORDS):
            writer.write(b"x" * (RECORD_BYTES - 16))
    damaged = damage(pathlib.Path(path).read_bytes())
    pathlib.Path(path).write_bytes(damaged)
    read = lambda file: tf.data.TFRecordDataset(file, compression_type=compression)
    records = D.from_tensors(path).interleave(read, num_parallel_calls=calls).map(tf.strings.length, calls).prefetch(3)
    iterator, n = iter(records), 0
    with pytest.raises(tf.errors.DataLossError, match=message):
        while True:
            assert next(iterator) == RECORD_BYTES - 16
            n += 1
    assert whole is None or n == whole
    with pytest.raises(StopIteration):
        next(iterator)


def test_files_that_vanish(tmp_path):
    paths = [str(tmp_path / name) for name in ("a", "b", "c")]
    for path in paths:
        pathlib.Path(path).write_text("one\ntwo\n")
    iterator = iter(tf.data.TextLineDataset(paths).prefetch(1))
    assert next(iterator) == b"one"
    pathlib.Path(paths[2]).unlink()
    assert [next(iterator) for _ in range(3)] == [b"two", b"one", b"two"]
    with pytest.raises(tf.errors.NotFoundError, match="c; No such file or directory"):
        next(iterator)


@pytest.mark.parametrize("size", [1 << 62, (1 << 63) - 1])
def test_buffers_as_large_as_can_be_named(size):
    numbers = D.range(5)
    several = lambda x: D.from_tensors(x).repeat(2)
    same = [
        numbers.shuffle(size),
        numbers.prefetch(size),
        numbers.interleave(D.from_tensors, cycle_length=size),
    ]
    same += [
        numbers.batch(size).unbatch(),
        numbers.map(lambda x: x + 0, num_parallel_calls=1 << 30),
    ]
    for dataset in same:
        assert sorted(int(x) for x in dataset) == [0, 1, 2, 3, 4]
    assert next(iter(numbers.map(lambda x: x + 1).batch(size))).numpy().tolist() == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert next(iter(numbers.padded_batch(size))).numpy().tolist() == [0, 1, 2, 3, 4]
    blocks = numbers.interleave(several, cycle_length=size, block_length=size)
    assert [int(x) for x in blocks] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
