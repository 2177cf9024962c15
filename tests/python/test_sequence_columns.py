"""tf.feature_column.sequence_*: numbers and lengths as TensorFlow's columns give them."""

import numpy as np
import pytest
import sluice as tf

columns = tf.feature_column
Cache = tf.__internal__.feature_column.FeatureTransformationCache
IDS = tf.sparse.SparseTensor([[0, 0], [0, 1], [2, 0], [2, 1], [2, 3]], np.array([1, 0, 2, 2, 1]), [4, 4])
IDS_OF_STEPS = tf.sparse.SparseTensor([[0, 0, 0], [0, 1, 1], [2, 0, 0], [2, 1, 0]], np.array([1, 0, 2, 2]), [3, 2, 2])
TEXTS = tf.sparse.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "z", "b"], [2, 2])
NUMBERS = tf.sparse.SparseTensor([[0, 0], [0, 1], [1, 0], [1, 1], [1, 2], [1, 3]], np.arange(1, 7, dtype="f4"), [2, 4])


class States:
    """Embeddings whose row i is 0.1 * [2 i, 2 i + 1]."""

    def create_variable(self, column, name, shape, **_):
        self.table = tf.Variable(np.arange(np.prod(shape), dtype="f4").reshape(shape) * 0.1)

    def get_variable(self, column, name):
        return self.table


def read(column, value, of_sequences=True):
    states = States()
    column.create_state(states)
    cache = Cache({column.name.partition("_")[0]: value})
    if not of_sequences:
        return column.get_dense_tensor(cache, states)
    numbers, lengths = column.get_sequence_dense_tensor(cache, states)
    assert lengths.dtype == tf.int64
    return np.round(numbers.numpy().astype("f8"), 4).tolist(), lengths.numpy().tolist()


def test_ids():
    ids = columns.sequence_categorical_column_with_identity("i", 3)
    rows = [[0.0, 0.1], [0.2, 0.3], [0.4, 0.5]]
    nothing = [0.0, 0.0]
    assert read(columns.embedding_column(ids, 2), IDS) == (
        [
            [rows[1], rows[0], nothing, nothing],
            [nothing] * 4,
            [rows[2], rows[2], nothing, rows[1]],
            [nothing] * 4,
        ],
        [2, 0, 4, 0],
    )
    assert read(columns.embedding_column(ids, 2, combiner="sum"), IDS_OF_STEPS) == (
        [[rows[1], rows[0]], [nothing] * 2, [rows[2], rows[2]]],
        [2, 0, 2],
    )
    one, none = np.eye(3).tolist(), [0.0] * 3
    assert read(columns.indicator_column(ids), IDS_OF_STEPS) == (
        [[one[1], one[0]], [none] * 2, [one[2], one[2]]],
        [2, 0, 2],
    )


def test_texts(tmp_path):
    (tmp_path / "words").write_text("a\nb\n")
    one, none = np.eye(3).tolist(), [0.0] * 3
    for words in (
        columns.sequence_categorical_column_with_vocabulary_list("t", ["a", "b"], num_oov_buckets=1),
        columns.sequence_categorical_column_with_vocabulary_file("t", str(tmp_path / "words"), num_oov_buckets=1),
    ):
        assert read(columns.indicator_column(words), TEXTS) == ([[one[0], one[2]], [one[1], none]], [2, 1])
    hashed = columns.sequence_categorical_column_with_hash_bucket("t", 5)
    assert np.argmax(read(columns.indicator_column(hashed), TEXTS)[0], -1).tolist() == [[4, 2], [2, 0]]


def test_numbers():
    assert read(columns.sequence_numeric_column("n"), NUMBERS) == (
        [[[1.0], [2.0], [0.0], [0.0]], [[3.0], [4.0], [5.0], [6.0]]],
        [2, 4],
    )
    assert read(columns.sequence_numeric_column("n", shape=2, default_value=-1.0), NUMBERS) == (
        [[[1.0, 2.0], [-1.0, -1.0]], [[3.0, 4.0], [5.0, 6.0]]],
        [1, 2],
    )
    doubled = columns.sequence_numeric_column(
        "n", normalizer_fn=lambda sparse: tf.sparse.map_values(tf.multiply, sparse, 2.0)
    )
    assert read(doubled, NUMBERS)[0][0] == [[2.0], [4.0], [0.0], [0.0]]


def test_how_they_are_parsed():
    ids = columns.indicator_column(columns.sequence_categorical_column_with_identity("i", 3))
    assert columns.make_parse_example_spec([ids, columns.sequence_numeric_column("n")]) == {
        "i": tf.io.VarLenFeature(tf.int64),
        "n": tf.io.VarLenFeature(tf.float32),
    }


def test_what_is_wrong():
    for error, options in (
        (ValueError, {"shape": 0}),
        (ValueError, {"dtype": tf.string}),
        (TypeError, {"normalizer_fn": 3}),
    ):
        with pytest.raises(error):
            columns.sequence_numeric_column("n", **options)
    with pytest.raises(TypeError, match="SparseTensor"):
        read(columns.sequence_numeric_column("n"), np.ones([2, 3], "f4"))
    ids = columns.sequence_categorical_column_with_identity("i", 3)
    for column in (columns.embedding_column(ids, 2), columns.indicator_column(ids)):
        with pytest.raises(ValueError, match="must not be of type SequenceCategoricalColumn"):
            read(column, IDS, of_sequences=False)
    with pytest.raises(ValueError, match="must be of type SequenceCategoricalColumn"):
        read(columns.embedding_column(columns.categorical_column_with_identity("i", 3), 2), IDS)
