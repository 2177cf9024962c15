"""Extension types, ragged shapes and structured tensors."""

import typing

import pytest

import sluice as tf


class Masked(tf.experimental.BatchableExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
    note: str = "none"

    def filled(self, value):
        return tf.where(self.mask, self.values, value)


class Store(tf.experimental.ExtensionType):
    name: str
    prices: typing.Mapping[str, tf.Tensor]
    sizes: typing.Tuple[int, ...] = ()

    def __validate__(self):
        if not self.name:
            raise ValueError("a store has a name")


def masked():
    return Masked([1, 2, 3], [True, False, True])


def test_fields():
    m = masked()
    assert m.values.numpy().tolist() == [1, 2, 3] and m.note == "none"
    assert m.filled(0).numpy().tolist() == [1, 0, 3]
    assert bool(m == masked()) and not (m == Masked([1, 2], [True, True]))
    assert list(tf.experimental.extension_type.as_dict(m)) == ["values", "mask", "note"]


def test_values_do_not_change():
    with pytest.raises(AttributeError, match="Cannot mutate attribute `values`"):
        masked().values = 1
    with pytest.raises(TypeError, match="prices"):
        Store("a", 5)
    with pytest.raises(ValueError, match="has a name"):
        Store("", {})
    with pytest.raises(TypeError, match="In field 'x': Unsupported type annotation"):

        class Wrong(tf.experimental.ExtensionType):
            x: typing.List[int]


def test_functions_take_them_by_spec():
    traces = []

    @tf.function
    def f(m):
        traces.append(m)
        return Masked(m.values * 2, m.mask, m.note)

    made = f(masked())
    f(Masked([4, 5, 6], [True, True, True]))
    assert isinstance(made, Masked) and made.values.numpy().tolist() == [2, 4, 6] and len(traces) == 1
    f(Masked([4, 5, 6], [True, True, True], "other"))
    assert len(traces) == 2


def test_specs():
    spec = masked()._type_spec
    assert spec == Masked.Spec(tf.TensorSpec([3], tf.int32), tf.TensorSpec([3], tf.bool), "none")
    assert spec._batch(2).values == tf.TensorSpec([2, 3], tf.int32) and spec._batch(2)._unbatch() == spec
    store = Store("s", {"b": 1.0, "a": 2.0}, [1, 2])
    leaves = tf.nest.flatten(store, expand_composites=True)
    assert [t.numpy() for t in leaves] == [2.0, 1.0] and store.sizes == (1, 2)
    assert list(tf.nest.pack_sequence_as(store, leaves, expand_composites=True).prices) == ["b", "a"]


def test_elementwise_functions_of_own_types():
    @tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
    def unary(function, m):
        return Masked(function(m.values), m.mask)

    assert tf.negative(masked()).values.numpy().tolist() == [-1, -2, -3]
    tf.experimental.unregister_dispatch_for(unary)
    with pytest.raises((TypeError, ValueError)):
        tf.negative(masked())


def test_ragged_shapes():
    shape = tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2), 3])
    assert repr(shape) == "<DynamicRaggedShape lengths=[2, (1, 2), 3] num_row_partitions=1>"
    assert shape.rank == 3 and not shape.is_uniform(1)
    with pytest.raises(ValueError, match="not uniform"):
        shape[1]


def test_records():
    records = [{"a": 1, "b": [1, 2]}, {"a": 2, "b": [3]}]
    s = tf.experimental.StructuredTensor.from_pyval(records)
    assert s.shape == [2] and s.field_value("a").numpy().tolist() == [1, 2]
    assert s.to_pyval() == records and s[1].to_pyval() == records[1] and s[0, "b"].numpy().tolist() == [1, 2]
    nested = tf.experimental.StructuredTensor.from_pyval([[{"a": 1}], [{"a": 2}, {"a": 3}]])
    assert nested.shape == [2, None] and nested.merge_dims(0, 1).to_pyval() == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert s.with_updates({"a": lambda a: a + 1, "b": None}).to_pyval() == [{"a": 2}, {"a": 3}]
