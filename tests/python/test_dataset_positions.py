"""Positions of iterators whose stages hold elements of several tensors: written to checkpoints and taken up again."""

import pytest

import sluice as tf

D = tf.data.Dataset


def ragged(x):
    return tf.RaggedTensor.from_row_lengths(tf.range(x + 2), [x, 2])


def sparse(x):
    return tf.SparseTensor([[0], [x + 1]], [x, x + 1], [9])


STAGES = {
    "shuffle": lambda d: d.shuffle(4, seed=1),
    "interleave": lambda d: d.interleave(lambda x: D.from_tensors(x).repeat(2), cycle_length=2),
    "prefetch": lambda d: d.prefetch(3),
    "group_by_window": lambda d: d.enumerate().group_by_window(
        lambda i, x: i % 2, lambda k, w: w.map(lambda i, x: x), window_size=3
    ),
}


def plain(value):
    return value.to_list() if isinstance(value, tf.RaggedTensor) else tf.sparse.to_dense(value).numpy().tolist()


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("element", [ragged, sparse])
def test_positions(tmp_path, element, stage):
    dataset = STAGES[stage](D.range(6).map(element))
    iterator = iter(dataset)
    for _ in range(2):
        next(iterator)
    path = tf.train.Checkpoint(at=iterator).write(str(tmp_path / "position"))
    rest = [plain(x) for x in iterator]
    again = iter(dataset)
    tf.train.Checkpoint(at=again).read(path)
    assert len(rest) >= 4 and [plain(x) for x in again] == rest


RAGGED = (
    b'\x08\x15\x12\x00"43\n\x13RaggedTensorVariant\x1a\r\x08\t\x12\x04\x12\x02\x08\x03R\x03\x00\x01\x03\x1a\r\x08\x03\x12\x04'
    b"\x12\x02\x08\x03:\x03\x01\x02\x03"
)
SPARSE = (
    b'\x08\x15\x12\x04\x12\x02\x08\x03"o(""\n\x12tensorflow::Tensor\x1a\x12\x08\t\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02R\x04'
    b"\x00\x00\x01\x01\n\x12tensorflow::Tensor\x1a\x0c\x08\x03\x12\x04\x12\x02\x08\x02:\x02\x01\x02\n\x12tensorflow::Tensor\x1a"
    b"\x0c\x08\t\x12\x04\x12\x02\x08\x02R\x02\x02\x02"
)


def test_variants_that_tensorflow_has_written():
    """What tf.io.serialize_tensor of TensorFlow 2.21 gives for [[1], [2, 3]] and for [[1, 0], [0, 2]]."""
    (splits,), values = tf.raw_ops.RaggedTensorFromVariant(
        encoded_ragged=tf.io.parse_tensor(RAGGED, tf.variant),
        input_ragged_rank=1,
        output_ragged_rank=1,
        Tvalues=tf.int32,
    )
    assert tf.RaggedTensor.from_row_splits(values, splits).to_list() == [[1], [2, 3]]
    parts = tf.raw_ops.DeserializeSparse(serialized_sparse=tf.io.parse_tensor(SPARSE, tf.variant), dtype=tf.int32)
    assert tf.sparse.to_dense(tf.SparseTensor(*parts)).numpy().tolist() == [[1, 0], [0, 2]]


def test_saving_between_passes_draws_no_seeds(tmp_path):
    tf.random.set_seed(4)
    iterator = iter(D.range(4).shuffle(2, seed=10).repeat(3))
    tf.train.Checkpoint(at=iterator).write(str(tmp_path / "position"))
    given = [int(x) for x in iterator]
    assert given == [1, 2, 3, 0, 0, 1, 3, 2, 1, 2, 3, 0]  # TensorFlow's


def test_passes_of_nothing_but_errors_end():
    iterator = iter(D.range(2).map(lambda x: 1 // (x * 0)).repeat())
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError):
            next(iterator)
    with pytest.raises(StopIteration):
        next(iterator)


def test_an_end_that_is_an_error_is_told():
    short = D.range(3).apply(tf.data.experimental.assert_cardinality(5))
    iterator = iter(short.enumerate())
    assert [int(next(iterator)[1]) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(tf.errors.FailedPreconditionError):
        next(iterator)
    with pytest.raises(StopIteration):
        next(iterator)
    iterator = iter(short.apply(tf.data.experimental.map_and_batch(lambda x: x, 2)))
    assert next(iterator).numpy().tolist() == [0, 1]
    for _ in range(2):
        with pytest.raises(tf.errors.FailedPreconditionError):
            next(iterator)
