"""Ragged and sparse tensors: stories with values that TensorFlow gives."""

import pytest

import sluice as tf
from sluice.core import errors


def _has_kernels():
    """Kernels of sparse and ragged tensors lie in a companion of the library, which may be absent."""
    try:
        tf.ragged.range([1])
    except errors.NotFoundError:
        return False
    return True


pytestmark = pytest.mark.skipif(not _has_kernels(), reason="the library has no kernels of sparse and ragged tensors")
R = tf.RaggedTensor


@pytest.mark.parametrize(
    "make, expected",
    [
        (lambda: R.from_row_splits([3, 1, 4, 1], [0, 3, 3, 4]), [[3, 1, 4], [], [1]]),
        (lambda: R.from_row_lengths([3, 1, 4, 1], [3, 0, 1]), [[3, 1, 4], [], [1]]),
        (lambda: R.from_value_rowids([3, 1, 4, 1], [0, 0, 0, 2], nrows=3), [[3, 1, 4], [], [1]]),
        (lambda: R.from_row_starts([3, 1, 4, 1], [0, 3, 3]), [[3, 1, 4], [], [1]]),
        (lambda: R.from_row_limits([3, 1, 4, 1], [3, 3, 4]), [[3, 1, 4], [], [1]]),
        (lambda: R.from_uniform_row_length([3, 1, 4, 1], 2), [[3, 1], [4, 1]]),
        (lambda: R.from_tensor([[1, 0], [2, 3]], padding=0), [[1], [2, 3]]),
        (lambda: R.from_tensor([[1, 0], [2, 3]], lengths=[0, 1]), [[], [2]]),
        (lambda: tf.ragged.constant([[[1], [2, 3]], []]), [[[1], [2, 3]], []]),
        (lambda: tf.ragged.range([0, 5], [2, 9], 2), [[0], [5, 7]]),
        (lambda: tf.ragged.stack([[1, 2], [3]]), [[1, 2], [3]]),
        (lambda: R.from_sparse(tf.sparse.from_dense([[1, 2], [3, 0]])), [[1, 2], [3]]),
    ],
)
def test_made(make, expected):
    assert make().to_list() == expected


def test_bad_partitions():
    with pytest.raises((ValueError, errors.InvalidArgumentError)):
        R.from_row_splits([1, 2], [0, 3])
    with pytest.raises(errors.InvalidArgumentError):
        R.from_row_lengths([1, 2], [3, -1])
    with pytest.raises(ValueError, match="same nesting depth"):
        tf.ragged.constant([1, [2]])


ROWS = [[1, 2, 3], [], [4], [5, 6]]


@pytest.mark.parametrize(
    "key, expected",
    [
        (0, [1, 2, 3]),
        (-1, [5, 6]),
        ((0, 2), 3),
        (slice(1, 3), [[], [4]]),
        (slice(None, None, -1), [[5, 6], [4], [], [1, 2, 3]]),
        ((slice(None), slice(1, None)), [[2, 3], [], [], [6]]),
        ((slice(None), slice(None, None, -1)), [[3, 2, 1], [], [4], [6, 5]]),
        ((slice(None), slice(-1, None)), [[3], [], [4], [6]]),
        ((Ellipsis, tf.newaxis), [[[1], [2], [3]], [], [[4]], [[5], [6]]]),
        (tf.newaxis, [ROWS]),
    ],
)
def test_index(key, expected):
    made = tf.ragged.constant(ROWS)[key]
    assert (made.to_list() if hasattr(made, "to_list") else made.numpy().tolist()) == expected


def test_rows_differ():
    with pytest.raises(ValueError, match="Cannot index into an inner ragged dimension"):
        tf.ragged.constant(ROWS)[:, 0]


def lists(value):
    return value.to_list() if hasattr(value, "to_list") else value.numpy().tolist()


@pytest.mark.parametrize(
    "compute, expected",
    [
        (lambda r: r + 1, [[2, 3, 4], [], [5], [6, 7]]),
        (lambda r: 1 - r, [[0, -1, -2], [], [-3], [-4, -5]]),
        (lambda r: r * [[1], [2], [3], [4]], [[1, 2, 3], [], [12], [20, 24]]),
        (lambda r: tf.maximum(r, 3), [[3, 3, 3], [], [4], [5, 6]]),
        (lambda r: tf.square(r), [[1, 4, 9], [], [16], [25, 36]]),
        (lambda r: tf.reduce_sum(r, axis=1), [6, 0, 4, 11]),
        (lambda r: tf.reduce_sum(r, axis=0), [10, 8, 3]),
        (lambda r: tf.reduce_sum(r), 21),
        (lambda r: tf.concat([r, r], axis=1)[2:], [[4, 4], [5, 6, 5, 6]]),
        (lambda r: tf.concat([r, [[7], [8]]], axis=0)[3:], [[5, 6], [7], [8]]),
        (lambda r: tf.gather(r, [2, 0]), [[4], [1, 2, 3]]),
        (lambda r: tf.gather_nd(r, [[0, 1], [3, 0]]), [2, 5]),
        (lambda r: tf.where(r > 3, r, 0), [[0, 0, 0], [], [4], [5, 6]]),
        (lambda r: tf.tile(r, [1, 2])[2:], [[4, 4], [5, 6, 5, 6]]),
        (lambda r: tf.expand_dims(r, 1), [[[1, 2, 3]], [[]], [[4]], [[5, 6]]]),
        (lambda r: tf.ragged.boolean_mask(r, r > 1), [[2, 3], [], [4], [5, 6]]),
        (lambda r: tf.reverse(r, [0]), [[5, 6], [4], [], [1, 2, 3]]),
        (lambda r: r.to_tensor(), [[1, 2, 3], [0, 0, 0], [4, 0, 0], [5, 6, 0]]),
        (lambda r: tf.sparse.to_dense(r.to_sparse(), 9), [[1, 2, 3], [9, 9, 9], [4, 9, 9], [5, 6, 9]]),
        (lambda r: tf.cumsum(r, axis=1), [[1, 3, 6], [], [4], [5, 11]]),
        (lambda r: r.merge_dims(0, 1), [1, 2, 3, 4, 5, 6]),
    ],
)
@pytest.mark.parametrize("traced", [False, True])
def test_functions(compute, expected, traced):
    compute = tf.function(compute) if traced else compute
    assert lists(compute(tf.ragged.constant(ROWS))) == expected


def test_texts():
    assert repr(tf.ragged.constant([[1, 2], [3]])) == "<tf.RaggedTensor [[1, 2], [3]]>"
    assert repr(tf.ragged.constant([["a"], []])) == "<tf.RaggedTensor [[b'a'], []]>"


def test_formatted():
    text = tf.strings.format("{} of {}", [tf.ragged.constant([[1, 2], [3]]), tf.constant(4)])
    assert text.numpy() == b"[[1, 2], [3]] of 4"
    long = tf.ragged.constant([list(range(9)), [1], [], [2]])
    assert tf.strings.format("{}", long, summarize=1).numpy() == b"[[0, ..., 8], ..., [2]]"


def test_sparse():
    s = tf.sparse.from_dense([[0, 2], [3, 0]])
    assert s.indices.numpy().tolist() == [[0, 1], [1, 0]] and s.shape == [2, 2]
    assert tf.sparse.to_dense(tf.sparse.add(s, s)).numpy().tolist() == [[0, 4], [6, 0]]
    assert tf.sparse.reduce_sum(s, axis=1).numpy().tolist() == [2, 3]
    assert tf.sparse.to_dense(tf.sparse.transpose(s)).numpy().tolist() == [[0, 3], [2, 0]]
    assert tf.sparse.sparse_dense_matmul(s, [[1], [2]]).numpy().tolist() == [[4], [3]]
    assert tf.sparse.to_dense(tf.square(s)).numpy().tolist() == [[0, 4], [9, 0]]
    with pytest.raises(ValueError, match="unsupported type"):
        tf.linalg.det(s)


def test_own_types_of_arguments():
    class Box:
        def __init__(self, value):
            self.value = value

    @tf.experimental.dispatch_for_api(tf.add, {"x": Box})
    def add(x, y, name=None):
        return Box(tf.add(x.value, y))

    assert tf.add(Box(1), 2).value.numpy() == 3
    tf.experimental.unregister_dispatch_for(add)
    with pytest.raises((TypeError, ValueError)):
        tf.add(Box(1), 2)


def test_rows_in_loops():
    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    def longest(x):
        most = 0
        for row in x:
            most = tf.maximum(most, tf.size(row))
        return most

    assert longest(tf.ragged.constant(ROWS)).numpy() == 3
    assert [row.numpy().tolist() for row in tf.ragged.constant(ROWS)] == ROWS


def test_gradients():
    x = tf.ragged.constant([[1.0, 2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x * [[2.0], [3.0]])
    assert tape.gradient(y, x).to_list() == [[4.0, 8.0], [18.0]]


def test_products_of_matrices_of_different_sizes():
    a = tf.ragged.constant([[[1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]], ragged_rank=1)
    b = tf.constant([[[1.0], [1.0]], [[1.0], [2.0]]])
    assert tf.matmul(a, b).to_list() == [[[3.0]], [[11.0], [17.0]]]


def test_crosses_have_one_batch_size():
    rows = tf.ragged.constant([["a"], ["b", "c"]])
    assert tf.ragged.cross([rows, [["x"], ["y"]]]).to_list() == [[b"a_X_x"], [b"b_X_y", b"c_X_y"]]
    with pytest.raises(ValueError, match="same batch dimension size"):
        tf.ragged.cross([rows, [["x"]]])


def test_gradients_go_through_maps_over_rows():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        rows = tf.RaggedTensor.from_row_splits(x, [0, 2, 2, 3])
        squares = tf.map_fn(lambda row: row * row, rows)
        sums = tf.map_fn(lambda row: tf.reduce_sum(row * row), rows, fn_output_signature=tf.float32)
    assert tape.gradient(squares.flat_values, x).numpy().tolist() == [2, 4, 6]
    assert tape.gradient(sums, x).numpy().tolist() == [2, 4, 6]


@pytest.mark.parametrize("batched", [False, True])
def test_gradients_go_through_variants(batched):
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        encoded = tf.raw_ops.RaggedTensorToVariant(
            rt_nested_splits=[tf.constant([0, 2, 2, 3], tf.int64)], rt_dense_values=x, batched_input=batched
        )
        decoded = tf.raw_ops.RaggedTensorFromVariant(
            encoded_ragged=encoded,
            input_ragged_rank=0 if batched else 1,
            output_ragged_rank=1,
            Tvalues=tf.float32,
            Tsplits=tf.int64,
        )
        y = tf.reduce_sum(decoded.output_dense_values**2 * [1.0, 10.0, 100.0])
    assert tape.gradient(y, x).numpy().tolist() == [2, 40, 600]


def test_elements_of_datasets_have_static_shapes():
    seen = []

    def note(x):
        seen.append((x.shape, tf.gather(x, [0]).shape))
        return x

    for value in (tf.ragged.constant([[1], [2, 3]]), tf.ragged.constant([[[1], [2]], [[3]]])):
        tf.data.Dataset.from_tensors(value).map(note)
    assert [[s.as_list() for s in shapes] for shapes in seen] == [
        [[2, None], [None, None]],
        [[2, None, None], [None, None, None]],
    ]
