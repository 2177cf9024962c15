"""Structures, specs and IndexedSlices. Expected texts are TensorFlow's."""

import collections
import copy
import gc
import weakref

import pytest

import sluice as tf

Pair = collections.namedtuple("Pair", "a b")
Twin = collections.namedtuple("Pair", "a b")
Other = collections.namedtuple("Other", "a b")


@pytest.mark.parametrize(
    "structure, leaves",
    [
        (3, [3]),
        ([1, (2, [3])], [1, 2, 3]),
        ({"b": 1, "a": [2, 3]}, [2, 3, 1]),
        (Pair(1, {"x": 2}), [1, 2]),
        ({"a": 1, "b": 2}.values(), [1, 2]),
        (None, [None]),
        ("abc", ["abc"]),
    ],
)
def test_flatten(structure, leaves):
    assert tf.nest.flatten(structure) == leaves


@pytest.mark.parametrize("structure", [[1, (2,)], {"b": 1, "a": 2}, Pair(1, [2]), collections.OrderedDict(b=1, a=2)])
def test_map_keeps_types_and_order(structure):
    made = tf.nest.map_structure(lambda x: x * 10, structure)
    assert type(made) is type(structure)
    assert tf.nest.flatten(made) == [x * 10 for x in tf.nest.flatten(structure)]
    if isinstance(structure, dict):
        assert list(made) == list(structure)


def test_map_keeps_default_factory():
    made = tf.nest.map_structure(str, collections.defaultdict(list, a=1))
    assert made.default_factory is list and made["a"] == "1"


@pytest.mark.parametrize(
    "a, b, error, text",
    [
        (
            [1],
            2,
            ValueError,
            'Substructure "type=list str=.1." is a sequence, while substructure "type=int str=2" is not',
        ),
        ([1], [1, 2], ValueError, "don't have the same number of elements"),
        ([1], (1,), TypeError, "don't have the same sequence type"),
        ({"a": 1}, {"b": 1}, ValueError, "don't have the same set of keys"),
        (Pair(1, 2), Other(1, 2), TypeError, "has type Pair, while second structure"),
    ],
)
def test_structures_differ(a, b, error, text):
    with pytest.raises(error, match=text):
        tf.nest.assert_same_structure(a, b)


def test_structures_are_the_same():
    tf.nest.assert_same_structure(Pair(1, 2), Twin(3, 4))
    tf.nest.assert_same_structure({"a": 1}, collections.OrderedDict(a=2))
    tf.nest.assert_same_structure([1], (1,), check_types=False)


def test_pack_counts():
    with pytest.raises(ValueError, match="Structure had 2 atoms, but flat_sequence had 1 items"):
        tf.nest.pack_sequence_as([1, [2]], [1])
    with pytest.raises(ValueError, match="safe to map one to the other"):
        tf.nest.pack_sequence_as(1, [1, 2])


def slices():
    return tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([2, 2]), tf.constant([3, 2]))


def test_indexed_slices_become_a_tensor():
    assert tf.convert_to_tensor(slices()).numpy().tolist() == [[0, 0], [0, 0], [4, 6]]
    assert (slices() + 1.0).numpy().tolist() == [[1, 1], [1, 1], [5, 7]]
    assert (-slices()).values.numpy().tolist() == [[-1, -2], [-3, -4]]
    with pytest.raises(ValueError, match="without `dense_shape`"):
        tf.convert_to_tensor(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])))


def test_indexed_slices_are_copied_with_their_parts():
    made = copy.copy(tf.IndexedSlices("values", indices="indices"))
    assert (made.values, made.indices, made.dense_shape) == ("values", "indices", None)
    for wrong in ((), ("v",), ("v", "i", "s", "more")):
        with pytest.raises(TypeError):
            tf.IndexedSlices(*wrong)
    loop = [None]
    loop[0], seen = tf.IndexedSlices(loop, None), weakref.ref(made)
    del loop, made
    gc.collect()
    assert seen() is None


def test_structures_that_cannot_be_flattened():
    endless = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        tf.nest.flatten(endless)
    with pytest.raises(TypeError, match="sortable keys"):
        tf.nest.flatten({1: 0, "a": 0})


def test_composites_are_leaves_or_structures():
    s = slices()
    assert tf.nest.flatten([s]) == [s]
    assert len(tf.nest.flatten([s], expand_composites=True)) == 3
    assert [t.shape for t in tf.nest.flatten(s._type_spec, expand_composites=True)] == [[2, 2], [2], [2]]
    doubled = tf.nest.map_structure(lambda t: t * 2, s, expand_composites=True)
    assert isinstance(doubled, tf.IndexedSlices) and doubled.indices.numpy().tolist() == [4, 4]


def test_functions_take_and_give_composites():
    @tf.function
    def f(s, k):
        return {"s": s, "v": s.values * k}

    made = f(slices(), tf.constant(2.0))
    f(slices(), tf.constant(3.0))
    assert f.experimental_get_tracing_count() == 1
    assert made["s"].indices.numpy().tolist() == [2, 2]
    assert made["v"].numpy().tolist() == [[2, 4], [6, 8]]


def test_signature_of_a_composite():
    spec = tf.IndexedSlicesSpec([None, 2], tf.float32, tf.int32, tf.int32)
    f = tf.function(lambda s: s.values, input_signature=[spec])
    assert f(slices()).numpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(TypeError):
        f(tf.IndexedSlices(tf.constant([[1, 2]]), tf.constant([0]), tf.constant([3, 2])))


@pytest.mark.parametrize(
    "a, b, common",
    [
        (tf.TensorSpec([1]), tf.TensorSpec([2]), tf.TensorSpec([None])),
        (tf.TensorSpec([1, 2]), tf.TensorSpec([1]), tf.TensorSpec(None)),
        (tf.TensorSpec([1], tf.int32), tf.TensorSpec([1]), None),
        (tf.TensorSpec([1], name="a"), tf.TensorSpec([1], name="b"), tf.TensorSpec([1])),
    ],
)
def test_common_supertype(a, b, common):
    assert a.most_specific_common_supertype([b]) == common


def test_spec_of_values():
    assert tf.type_spec_from_value([1, 2]) == tf.TensorSpec([2], tf.int32)
    assert tf.type_spec_from_value(slices()) == tf.IndexedSlicesSpec([3, 2], tf.float32, tf.int32, tf.int32, [2])
    with pytest.raises(TypeError, match="Could not build a TypeSpec"):
        tf.type_spec_from_value(object())
