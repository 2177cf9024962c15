"""tf.nn: rows of tables, losses of samples, connectionist temporal classification; expected values are TensorFlow's."""

import numpy as np
import pytest

import sluice as tf


def _has_kernels():
    """Kernels of sparse tensors are in a companion library, which a build may be without."""
    try:
        return (
            tf.raw_ops.SparseFillEmptyRows(indices=[[0, 0]], values=[1], dense_shape=[1, 1], default_value=0)
            is not None
        )
    except tf.errors.NotFoundError:
        return False


pytestmark = pytest.mark.skipif(not _has_kernels(), reason="the library has no kernels of sparse tensors")

TABLE = np.arange(12, dtype="f").reshape(6, 2)


def _sparse(values):
    return tf.SparseTensor([[0, 0], [0, 1], [2, 0]], values, [4, 2])


def test_rows():
    ids = tf.constant([[1, 5], [0, 3]])
    np.testing.assert_array_equal(tf.nn.embedding_lookup(TABLE, ids), TABLE[ids.numpy()])
    parts = [tf.constant(TABLE[:3]), tf.constant(TABLE[3:5]), tf.constant(TABLE[5:])]
    with pytest.raises(tf.errors.InvalidArgumentError):  # parts that do not share the rows evenly
        tf.nn.embedding_lookup(parts, [5]).numpy()
    halves = [tf.constant(TABLE[:3]), tf.constant(TABLE[3:])]
    np.testing.assert_array_equal(tf.nn.embedding_lookup(halves, ids), TABLE[ids.numpy()])
    turns = [tf.constant(TABLE[::2]), tf.constant(TABLE[1::2])]
    np.testing.assert_array_equal(tf.compat.v1.nn.embedding_lookup(turns, ids), TABLE[ids.numpy()])
    np.testing.assert_allclose(tf.nn.embedding_lookup(TABLE, [2], max_norm=1.0), [[0.624695, 0.780869]], rtol=1e-5)


@pytest.mark.parametrize(
    "combiner, first", [("sum", [8.0, 11.0]), ("mean", [8 / 3, 11 / 3]), ("sqrtn", [3.577709, 4.91935])]
)
def test_sums_of_rows(combiner, first):
    ids, weights = _sparse(tf.constant([1, 2, 4], tf.int64)), _sparse([2.0, 1.0, 1.0])
    made = tf.nn.embedding_lookup_sparse(TABLE, ids, weights, combiner=combiner)
    np.testing.assert_allclose(made, [first, [0.0, 0.0], [8.0, 9.0]], rtol=1e-5)


def test_absent_rows():
    ids = _sparse(tf.constant([1, -2, -1], tf.int64))
    safe = tf.nn.safe_embedding_lookup_sparse
    np.testing.assert_array_equal(safe(TABLE, ids), [[2, 3], [0, 0], [0, 0], [0, 0]])
    np.testing.assert_array_equal(safe(TABLE, ids, default_id=5), [[2, 3], [10, 11], [10, 11], [10, 11]])


def test_losses_of_samples():
    biases, labels, inputs = np.zeros(6, "f"), [[1]], np.array([[0.1, 0.2]], "f")
    sampled = (tf.constant([2, 4], tf.int64), tf.constant([[0.5]]), tf.constant([0.25, 0.25]))
    nce = tf.nn.nce_loss(TABLE, biases, labels, inputs, 2, 6, sampled_values=sampled)
    np.testing.assert_allclose(nce, [7.053477], rtol=1e-5)
    softmax = tf.nn.sampled_softmax_loss(TABLE, biases, labels, inputs, 2, 6, sampled_values=sampled)
    np.testing.assert_allclose(softmax, [2.818012], rtol=1e-5)


def test_alignments():
    logits = tf.constant(np.log(np.array([[[0.2, 0.5, 0.3]], [[0.6, 0.1, 0.3]], [[0.3, 0.2, 0.5]]], "f")))
    dense = tf.nn.ctc_loss([[1, 2]], logits, [2], [3])  # 0 is blank: 1_2 + 11 2 + 122 + _12 + 12_
    paths = 0.5 * 0.6 * 0.5 + 0.5 * 0.1 * 0.5 + 0.5 * 0.3 * 0.5 + 0.2 * 0.1 * 0.5 + 0.5 * 0.3 * 0.3
    np.testing.assert_allclose(dense, [-np.log(paths)], rtol=1e-5)
    labels = tf.SparseTensor([[0, 0], [0, 1]], [1, 2], [1, 2])
    np.testing.assert_allclose(tf.nn.ctc_loss(labels, logits, None, [3], blank_index=0), dense, rtol=1e-6)
    with pytest.raises(ValueError, match="blank_index"):
        tf.nn.ctc_loss(labels, logits, None, [3])
    decoded, _ = tf.nn.ctc_greedy_decoder(logits, [3], blank_index=0)
    assert decoded[0].values.numpy().tolist() == [1, 2]


@pytest.mark.parametrize("function", [False, True])
def test_ctc_losses_of_labels_that_are_blank_or_do_not_fit(function):
    logits = (np.arange(24, dtype=np.float32).reshape(2, 4, 3) - 12) / 100
    labels = [[1, 2, 1, 0], [1, 2, 0, 2]]

    def losses(lengths, steps, blank, labels=labels):
        return tf.nn.ctc_loss(labels, logits, lengths, steps, logits_time_major=False, blank_index=blank)

    losses = tf.function(losses) if function else losses
    for lengths, steps, blank, expected in (  # TensorFlow's
        ([4, 4], [4, 4], 0, [4.3945823, 4.384582]),
        ([3, 2], [4, 4], 0, [2.4429312, 1.6844572]),
        ([0, 1], [4, 4], 0, [4.434582, 2.1119466]),
        ([0, 1], [3, 4], 0, [3.3259368, 2.1119466]),
        ([3, 2], [4, 4], 2, [708, 2.7691321]),
        ([4, 4], [3, 4], 0, [708, 4.384582]),
    ):
        found = losses(lengths, steps, blank).numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-3 if 708 in expected else 1e-6)
    with tf.GradientTape() as tape:
        x = tf.constant(logits)
        tape.watch(x)
        made = tf.nn.ctc_loss(labels, x, [4, 3], [3, 4], logits_time_major=False)
    found = tape.gradient(made, x).numpy()
    assert np.isfinite(found).all() and not found[0].any() and found[1].any()
    np.testing.assert_allclose(found[1].sum(), 0, atol=1e-5)


def test_labels():
    labels, lengths = tf.nn.collapse_repeated([[1, 1, 2, 2, 1], [3, 3, 0, 0, 0]], [5, 2])
    assert (labels.numpy().tolist(), lengths.numpy().tolist()) == ([[1, 2, 1], [3, 0, 0]], [3, 1])
    unique, places = tf.nn.ctc_unique_labels([[3, 4, 4, 3]])
    assert (unique.numpy().tolist(), places.numpy().tolist()) == ([[3, 4, 0, 0]], [[0, 1, 1, 0]])
