"""Examples, CSV lines and bytes as tensors. Values are TensorFlow's."""

import pytest

import sluice as tf

train = tf.train


def _example(**features):
    kinds = {int: "int64_list", float: "float_list", bytes: "bytes_list"}
    made = {k: train.Feature(**{kinds[type(v[0])]: {"value": v}}) for k, v in features.items()}
    return train.Example(features=train.Features(feature=made)).SerializeToString()


EXAMPLE = _example(a=[1, 2], s=[b"x"], f=[0.5, 1.5], i=[0, 3])


def test_dense():
    found = tf.io.parse_example(
        [EXAMPLE, EXAMPLE],
        {
            "a": tf.io.FixedLenFeature([2], tf.int64),
            "s": tf.io.FixedLenFeature([], tf.string),
            "missing": tf.io.FixedLenFeature([2], tf.float32, default_value=[3.0, 4.0]),
            "f": tf.io.FixedLenSequenceFeature([], tf.float32, allow_missing=True),
        },
    )
    assert {k: v.numpy().tolist() for k, v in found.items()} == {
        "a": [[1, 2], [1, 2]],
        "f": [[0.5, 1.5], [0.5, 1.5]],
        "missing": [[3, 4], [3, 4]],
        "s": [b"x", b"x"],
    }
    one = tf.io.parse_single_example(EXAMPLE, {"a": tf.io.FixedLenFeature([2], tf.int64)})
    assert one["a"].numpy().tolist() == [1, 2]


def test_in_a_function():
    @tf.function
    def parse(data):
        return tf.io.parse_example(data, {"a": tf.io.FixedLenFeature([2], tf.int64)})["a"]

    assert parse(tf.constant([EXAMPLE])).numpy().tolist() == [[1, 2]]


@pytest.mark.parametrize(
    "feature, message",
    [
        (3, "Unsupported int 3 for key 'a'"),
        (tf.io.FixedLenFeature(None, tf.int64), "Missing shape for feature a"),
        (tf.io.FixedLenFeature([2], None), "Missing type for feature a"),
        (tf.io.VarLenFeature(None), "Missing type for feature a"),
        (tf.io.FixedLenFeature([None], tf.int64), "First dimension of shape for feature a unknown"),
        (tf.io.FixedLenSequenceFeature([], tf.int64), "requires allow_missing to be True"),
    ],
)
def test_features_that_are_refused(feature, message):
    with pytest.raises(ValueError, match=message):
        tf.io.parse_example([EXAMPLE], {"a": feature})


def test_sequences():
    steps = [train.Feature(int64_list={"value": [n]}) for n in (1, 2, 3)]
    data = train.SequenceExample(
        context={"feature": {"c": train.Feature(float_list={"value": [0.5]})}},
        feature_lists={"feature_list": {"l": train.FeatureList(feature=steps)}},
    ).SerializeToString()
    wanted = {"c": tf.io.FixedLenFeature([], tf.float32)}, {"l": tf.io.FixedLenSequenceFeature([], tf.int64)}
    context, sequences = tf.io.parse_single_sequence_example(data, *wanted)
    assert context["c"].numpy() == 0.5 and sequences["l"].numpy().tolist() == [1, 2, 3]
    _, sequences, lengths = tf.io.parse_sequence_example([data, data], *wanted)
    assert sequences["l"].numpy().tolist() == [[1, 2, 3]] * 2 and lengths["l"].numpy().tolist() == [3, 3]
    with pytest.raises(ValueError, match="at least one should have values"):
        tf.io.parse_single_sequence_example(data)


def test_csv():
    a, b = tf.io.decode_csv(["1,2.5", ","], [[7], [1.5]])
    assert a.numpy().tolist() == [1, 7] and b.numpy().tolist() == [2.5, 1.5]
    (c,) = tf.io.decode_csv(["1,a b", "2,"], [tf.constant("q")], select_cols=[1])
    assert c.numpy().tolist() == [b"a b", b"q"]
    with pytest.raises(ValueError, match="not strictly increasing"):
        tf.io.decode_csv(["1"], [[1], [1]], select_cols=[1, 0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expect 1 fields but have 2 in record 0"):
        tf.io.decode_csv(["1,2"], [1])


def test_bytes():
    assert tf.io.decode_raw([b"abcd"], tf.uint8).numpy().tolist() == [[97, 98, 99, 100]]
    assert tf.io.decode_raw([b"abcd"], tf.uint16, fixed_length=2).numpy().tolist() == [[25185]]
    assert tf.io.decode_base64(tf.io.encode_base64(b"ab?")).numpy() == b"ab?"
    packed = tf.io.serialize_tensor([1.0, 2.0])
    assert packed.numpy().hex() == "080112041202080222080000803f00000040"
    assert tf.io.parse_tensor(packed, tf.float32).numpy().tolist() == [1, 2]


R = tf.io.RaggedFeature


def _ragged(a, i, f):
    kinds = {"a": ("int64_list", a), "i": ("int64_list", i), "f": ("float_list", f)}
    features = {k: train.Feature(**{kind: {"value": v}}) for k, (kind, v) in kinds.items()}
    return train.Example(features={"feature": features}).SerializeToString()


@pytest.mark.parametrize(
    "partition, rows, expected",
    [
        (R.RowSplits("i"), ([0, 2, 3], [0, 1], [0]), [[[1, 2], [3]], [[4]], []]),
        (R.RowLengths("i"), ([1, 2], [1], []), [[[1], [2, 3]], [[4]], []]),
        (R.RowStarts("i"), ([0, 1], [0, 0], []), [[[1], [2, 3]], [[], [4]], []]),
        (R.RowLimits("i"), ([1, 3], [0, 1], []), [[[1], [2, 3]], [[], [4]], []]),
        (R.ValueRowIds("i"), ([0, 0, 2], [1], []), [[[1, 2], [], [3]], [[], [4]], []]),
        (R.UniformRowLength(1), ([], [], []), [[[1], [2], [3]], [[4]], []]),
    ],
)
def test_ragged(partition, rows, expected):
    data = [_ragged([], i, f) for i, f in zip(rows, ([1.0, 2.0, 3.0], [4.0], []))]
    feature = R(tf.float32, value_key="f", partitions=[partition])
    assert tf.io.parse_example(data, {"r": feature})["r"].to_list() == expected
    assert tf.io.parse_single_example(data[0], {"r": feature})["r"].to_list() == expected[0]


def test_sparse():
    data = [_ragged([], [0, 3], [0.5, 1.5]), _ragged([], [1], [2.5])]
    found = tf.io.parse_example(
        data, {"s": tf.io.SparseFeature("i", "f", tf.float32, 5), "i": tf.io.VarLenFeature(tf.int64)}
    )
    assert found["s"].indices.numpy().tolist() == [[0, 0], [0, 3], [1, 1]]
    assert found["s"].values.numpy().tolist() == [0.5, 1.5, 2.5] and found["s"].dense_shape.numpy().tolist() == [2, 5]
    assert found["i"].values.numpy().tolist() == [0, 3, 1] and sorted(found) == ["i", "s"]


def test_protocol_buffers():
    node = tf.compat.v1.NodeDef(name="n", input=["a", "b"])
    sizes, (names, inputs) = tf.io.decode_proto(
        [node.SerializeToString()], "tensorflow.NodeDef", ["name", "input"], [tf.string, tf.string]
    )
    assert sizes.numpy().tolist() == [[1, 2]] and inputs.numpy().tolist() == [[b"a", b"b"]]
    made = tf.io.encode_proto(sizes, [names, inputs], ["name", "input"], "tensorflow.NodeDef")
    assert tf.compat.v1.NodeDef.FromString(made.numpy()[0]) == node


def test_raw_attrs_take_shapes_as_tuples():
    made = tf.raw_ops.ParseExampleV2(
        serialized=tf.constant([""]),
        names=[],
        sparse_keys=[],
        dense_keys=["a"],
        ragged_keys=[],
        dense_defaults=[tf.constant([""])],
        num_sparse=0,
        sparse_types=[],
        ragged_value_types=[],
        ragged_split_types=[],
        dense_shapes=[(None, 3)],
    )
    assert made.dense_values[0].shape == (1, 0, 3)


@pytest.mark.parametrize(
    "partitions, text", [("x", "must be a list or tuple"), ([1], "cannot be cast to any of the partition")]
)
def test_partitions_of_a_ragged_feature(partitions, text):
    with pytest.raises(TypeError, match=text):
        tf.io.RaggedFeature(tf.int64, "a", partitions)
