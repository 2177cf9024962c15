"""Specs, shapes and structures as protocol buffers, as saved models keep them."""

import collections

import pytest

import sluice as tf
from sluice.core import structured_values

Pair = collections.namedtuple("Pair", "b a")


@pytest.mark.parametrize(
    "value, text",
    [
        (
            tf.TensorSpec([2, None], tf.float32, "x"),
            'name: "x" shape { dim { size: 2 } dim { size: -1 } } dtype: DT_FLOAT',
        ),
        (tf.TensorShape(None), "unknown_rank: true"),
        (
            tf.SparseTensorSpec([2]),
            "type_spec_class: SPARSE_TENSOR_SPEC type_state { tuple_value { values { tensor_shape_value { dim { size: 2 } } } "
            'values { tensor_dtype_value: DT_FLOAT } } } type_spec_class_name: "SparseTensorSpec" num_flat_components: 3',
        ),
        (tf.int64, "datatype: DT_INT64"),
    ],
)
def test_protocol_buffers(value, text):
    proto = value.experimental_as_proto()
    assert " ".join(str(proto).split()) == text and isinstance(proto, value.experimental_type_proto())
    again = type(value).experimental_from_proto(proto)
    assert repr(again) == repr(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, -2.5, "text", True],
        (tf.TensorSpec([1]), {"k": tf.float32, "j": tf.TensorShape([3])}),
        Pair(1, (2, [])),
        tf.RaggedTensorSpec([None, None], tf.int32),
        tf.IndexedSlicesSpec([2], tf.float32),
    ],
)
def test_structures(value):
    message = structured_values.encode(value)
    again = structured_values.decode(type(message).FromString(message.SerializeToString()))
    assert repr(again) == repr(value)


def test_values_without_a_form():
    with pytest.raises(NotImplementedError, match="No encoder for Python object"):
        structured_values.encode(object())
