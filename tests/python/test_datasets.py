"""Datasets: specs, checks of arguments, and the nodes that graphs have. Elements are tested where they are made."""

import pytest

import sluice as tf
from sluice import _native

D = tf.data.Dataset
INT = tf.TensorSpec([], tf.int64)


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


SPECS = [
    (lambda: D.range(3), INT),
    (lambda: D.range(3, output_type=tf.float32), tf.TensorSpec([], tf.float32)),
    (lambda: D.from_tensors([1, 2]), tf.TensorSpec([2], tf.int32)),
    (lambda: D.from_tensor_slices(([1.0], {"a": [[b"x"]]})), (tf.TensorSpec([]), {"a": tf.TensorSpec([1], tf.string)})),
    (lambda: D.range(3).map(lambda x: (x, [x, x])), (INT, tf.TensorSpec([2], tf.int64))),
    (lambda: D.range(3).map(lambda x: [x, x]), (INT, INT)),
    (lambda: D.range(3).batch(2), tf.TensorSpec([None], tf.int64)),
    (lambda: D.range(3).batch(2, drop_remainder=True), tf.TensorSpec([2], tf.int64)),
    (lambda: D.range(3).batch(2).unbatch(), INT),
    (lambda: D.range(3).window(2), tf.data.DatasetSpec(INT)),
    (lambda: D.range(3).window(2).flat_map(lambda w: w.batch(2)), tf.TensorSpec([None], tf.int64)),
    (lambda: D.zip((D.range(1), {"b": D.range(2)})), (INT, {"b": INT})),
    (lambda: D.range(3).enumerate(), (INT, INT)),
    (lambda: D.from_tensors([1]).concatenate(D.from_tensors([1, 2])), tf.TensorSpec([None], tf.int32)),
    (lambda: D.from_tensors([[1, 2]]).padded_batch(2, [None, 5]), tf.TensorSpec([None, None, 5], tf.int32)),
    (lambda: D.range(3).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, (s, x))), (INT, INT)),
    (lambda: D.from_tensors(tf.compat.v1.SparseTensorValue([[0]], [5], [3])), tf.SparseTensorSpec([3], tf.int32)),
    (lambda: D.from_tensors(tf.sparse.from_dense([[1, 2]])).batch(2), tf.SparseTensorSpec([None, 1, 2], tf.int32)),
    (lambda: D.from_tensor_slices(tf.ragged.constant([[1], []])), tf.RaggedTensorSpec([None], tf.int32, 0)),
]


@pytest.mark.parametrize("make, spec", SPECS)
def test_element_specs(graph, make, spec):
    assert make().element_spec == spec


BAD = [
    (lambda: D.range(), ValueError, "between 1 and 3"),
    (lambda: D.from_tensor_slices(1), ValueError, "rank >= 1"),
    (lambda: D.from_tensor_slices(([1, 2], [1])), ValueError, "Dimensions 2 and 1 are not compatible"),
    (lambda: D.from_tensors({}), ValueError, "should not be empty"),
    (lambda: D.range(3).filter(lambda x: x), ValueError, "Invalid `predicate`"),
    (lambda: D.range(3).flat_map(lambda x: x), TypeError, "must return a `Dataset`"),
    (lambda: D.range(3).map(lambda x: object()), TypeError, "Unsupported return value"),
    (lambda: D.range(3).padded_batch(2, [1]), ValueError, "not compatible"),
    (lambda: D.range(3).padded_batch(2, padding_values=1.0), TypeError, "Invalid `padding_values`"),
    (lambda: D.range(3).group_by_window(lambda x: x, lambda k, d: d), ValueError, "Either"),
    (lambda: D.zip([D.range(1)]), TypeError, "Python `list` is not supported"),
    (lambda: D.zip(1), TypeError, "Invalid input to `zip`"),
    (lambda: D.range(3).concatenate(D.from_tensors("a")), TypeError, "Incompatible dataset elements"),
    (lambda: D.range(3).reduce(0, lambda s, x: x), TypeError, "must match the initial state"),
    (lambda: D.range(3).scan(0, lambda s, x: x), TypeError, "should return a pair"),
    (lambda: D.from_generator(3), TypeError, "must be a Python callable"),
    (lambda: D.from_generator(lambda: [1]), TypeError, "output signature"),
    (lambda: D.from_generator(lambda: [1], [tf.int64]), TypeError, r"`type_value`: \[tf.int64\] to a TensorFlow DType"),
    (lambda: D.from_generator(lambda: [1], output_signature=(INT, [INT])), TypeError, "but found <class 'list'>"),
    (lambda: tf.compat.v1.data.Iterator.from_structure([tf.int64]), TypeError, "`type_value`"),
    (lambda: D.range(3).apply(lambda d: 3), TypeError, "must return a `tf.data.Dataset`"),
    (lambda: D.range(3).unbatch(), ValueError, "scalar components"),
    (lambda: D.from_tensors(1.0).unique(), TypeError, "does not support type"),
    (lambda: D.sample_from_datasets([D.range(1)], [1]), TypeError, "Invalid `weights`"),
    (lambda: D.choose_from_datasets([D.range(1)], D.from_tensors(1)), TypeError, "Invalid `choice_dataset`"),
    (lambda: iter(D.range(1)), RuntimeError, "eager mode or within tf.function"),
    (lambda: tf.data.TextLineDataset([1]), TypeError, "tf.string"),
]


@pytest.mark.parametrize("make, kind, text", BAD)
def test_bad_arguments(graph, make, kind, text):
    with pytest.raises(kind, match=text):
        make()


def test_options_check_and_merge():
    one, two = tf.data.Options(), tf.data.Options()
    with pytest.raises(TypeError, match="must be of type <class 'bool'>"):
        one.deterministic = 3
    with pytest.raises(AttributeError, match="Cannot set the property nope"):
        one.nope = 1
    one.deterministic, one.threading.private_threadpool_size = True, 3
    two.threading.max_intra_op_parallelism = 2
    both = one.merge(two)
    assert (both.deterministic, both.threading.private_threadpool_size) == (True, 3)
    assert both.threading.max_intra_op_parallelism == 2
    assert both.merge(tf.data.Options()) == both


def test_iterators_of_graphs(graph):
    dataset = tf.compat.v1.data.Dataset.range(3).map(lambda x: {"a": x})
    iterator = tf.compat.v1.data.make_initializable_iterator(dataset)
    assert iterator.initializer.type == "MakeIterator"
    assert iterator.get_next()["a"].shape == []
    assert tf.compat.v1.data.get_output_types(dataset) == {"a": tf.int64}
    fed = tf.compat.v1.data.Iterator.from_structure({"a": tf.int64}, {"a": []})
    assert fed.make_initializer(dataset).type == "MakeIterator"
    with pytest.raises(TypeError, match="Expected output types"):
        fed.make_initializer(dataset.map(lambda x: {"a": tf.constant(1.0)}))
    with pytest.raises(ValueError, match="initializer"):
        fed.initializer


def test_one_shot_iterators_have_no_state(graph):
    v = tf.compat.v1.get_variable("v", initializer=tf.constant(1, tf.int64), use_resource=True)
    dataset = tf.compat.v1.data.Dataset.range(3).map(lambda x: x + v)
    with pytest.raises(
        ValueError, match=r"stateful node \(name:v, type:VarHandleOp\)(.|\n)*make_initializable_iterator"
    ):
        dataset.make_one_shot_iterator()
    of_graph = tf.compat.v1.data.Dataset.from_tensors
    with pytest.raises(ValueError, match=r"stateful node \(name:random_uniform/RandomUniform, type:RandomUniform\)"):
        of_graph(tf.random.uniform([])).make_one_shot_iterator()
    with pytest.raises(ValueError, match=r"Cannot capture a placeholder \(name:Placeholder"):
        of_graph(tf.compat.v1.placeholder(tf.int32, [])).make_one_shot_iterator()
    assert of_graph([1]).shuffle(2).cache().make_one_shot_iterator().get_next().shape == [1]


def test_handles_of_iterators_are_made_with_them(graph):
    dataset = tf.compat.v1.data.Dataset.from_tensor_slices([1, 2])
    one_shot = tf.compat.v1.data.make_one_shot_iterator(dataset)
    made = [o.type for o in graph.get_operations()]
    assert made == ["Const", "TensorSliceDataset", "OneShotIterator", "IteratorToStringHandle"]
    factory = graph.get_operations()[2].get_attr("dataset_factory").name  # which no eager op calls
    assert not _native.context_call("has_function", factory)
    assert one_shot.string_handle() is one_shot.string_handle()
    assert [o.type for o in graph.get_operations()] == made
    assert [one_shot.string_handle("a").op.name for _ in range(2)] == ["a", "a_1"]


def test_many_calls_for_elements_are_warned_of(graph):
    iterator = tf.compat.v1.data.make_one_shot_iterator(tf.compat.v1.data.Dataset.range(3))
    for _ in range(32):
        iterator.get_next()
    with pytest.warns(UserWarning, match="unusually high number"):
        iterator.get_next()


@pytest.mark.parametrize("policy, number", [(None, 2), ("warn", 0), ("ignore", 1), ("fail", 2)])
def test_saveables_of_iterators(graph, policy, number):
    iterator = tf.compat.v1.data.make_initializable_iterator(D.range(3))
    made = tf.data.experimental.make_saveable_from_iterator(iterator, external_state_policy=policy)
    assert graph.get_operations()[-1].get_attr("external_state_policy") == number
    assert (made.name, [s.name for s in made.specs]) == ("IteratorV2:0", ["IteratorV2:0_STATE"])


def test_loops_over_datasets_are_staged():
    @tf.function
    def total(dataset):
        found = tf.constant(0, tf.int64)
        for x in dataset:
            if x > 5:
                break
            found += x
        return found

    made = total.get_concrete_function(tf.data.DatasetSpec(INT))
    types = [o.type for o in made.graph.get_operations()]
    assert "While" in types and "AnonymousIteratorV3" in types
    assert made.structured_outputs.dtype == tf.int64


def test_older_names_of_specs():
    named = tf.compat.v1.data.experimental
    assert named.TensorStructure(tf.int32, [2]) == tf.TensorSpec([2], tf.int32)
    assert named.SparseTensorStructure(tf.int32, [2]) == tf.SparseTensorSpec([2], tf.int32)
    assert named.RaggedTensorStructure(tf.int32, [2, None], 1) == tf.RaggedTensorSpec([2, None], tf.int32, 1)
    assert named.TensorArrayStructure(tf.int32, [2], True, False) == tf.TensorArraySpec([2], tf.int32, True, False)
    assert (named.Structure, named.DatasetStructure) == (tf.TypeSpec, tf.data.DatasetSpec)


def test_specs_of_datasets_relate():
    wide = tf.data.DatasetSpec(tf.TensorSpec([None]))
    assert tf.data.DatasetSpec(tf.TensorSpec([2])).is_subtype_of(wide)
    assert tf.OptionalSpec(INT) == tf.OptionalSpec(INT) != tf.OptionalSpec(tf.TensorSpec([]))


def test_options_of_a_dataset_are_read_only(graph):
    with pytest.raises(ValueError, match="has no effect"):
        D.range(1).options().deterministic = True


def _values(dataset):
    try:
        found = list(dataset.as_numpy_iterator())
    except tf.errors.NotFoundError as error:
        if "Could not find device" in str(error):
            pytest.skip("this library has no kernel for one of the ops")
        raise
    return tf.nest.map_structure(lambda v: v.tolist() if hasattr(v, "tolist") else v, found)


# Recorded from TensorFlow 2.21.
ELEMENTS = [
    (lambda: D.range(5).map(lambda x: x + 1).batch(2), [[1, 2], [3, 4], [5]]),
    (lambda: D.range(4).filter(lambda x: x > 1).repeat(2), [2, 3, 2, 3]),
    (
        lambda: tf.compat.v1.data.Dataset.range(2).map_with_legacy_function(
            lambda x: -x, use_unbounded_threadpool=True
        ),
        [0, -1],
    ),
    (
        lambda: D.range(3).apply(tf.compat.v1.data.experimental.map_and_batch_with_legacy_function(lambda x: -x, 2)),
        [[0, -1], [-2]],
    ),
    (lambda: tf.data.experimental.RandomDataset(1, rerandomize_each_iteration=True, name="a").take(1), [1080790120]),
    (lambda: D.zip((D.range(2), {"a": D.range(3)})), [(0, {"a": 0}), (1, {"a": 1})]),
    (lambda: D.range(3).flat_map(lambda x: D.range(x)), [0, 0, 1]),
    (lambda: D.range(4).window(2).flat_map(lambda w: w.batch(2)), [[0, 1], [2, 3]]),
    (lambda: D.range(4).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s)), [0, 0, 1, 3]),
    (lambda: D.range(5).take_while(lambda x: x < 2).enumerate(3), [(3, 0), (4, 1)]),
    (lambda: D.range(5).batch(3).unbatch().skip(1).take(3).shard(2, 0), [1, 3]),
    (lambda: D.from_tensor_slices([[1], [2]]).padded_batch(2, [3], padding_values=9), [[[1, 9, 9], [2, 9, 9]]]),
    (lambda: D.range(4).apply(tf.data.experimental.parallel_interleave(lambda x: D.range(x), 2)), [0, 0, 1, 0, 1, 2]),
    (lambda: D.choose_from_datasets([D.range(2), D.range(5, 7)], D.range(2).repeat()), [0, 5, 1, 6]),
]


@pytest.mark.parametrize("make, values", ELEMENTS)
def test_elements(make, values):
    assert _values(make()) == values


def test_position_of_an_iterator_in_a_checkpoint(tmp_path):
    """It goes on where it was saved, under the name that TensorFlow gives it."""
    prefix = str(tmp_path / "at")
    dataset = tf.data.Dataset.range(19).shuffle(4, seed=3).batch(2)
    saved = iter(dataset)
    for _ in range(4):
        next(saved)
    tf.train.Checkpoint(iterator=saved).write(prefix)
    assert "iterator/.ATTRIBUTES/ITERATOR_STATE" in dict(tf.train.list_variables(prefix))
    restored = iter(dataset)
    tf.train.Checkpoint(iterator=restored).read(prefix)
    assert [e.numpy().tolist() for e in restored] == [e.numpy().tolist() for e in saved]


def test_position_whose_graph_of_objects_leaves_out_a_part_of_its_name(tmp_path):
    """TensorFlow calls the value ITERATOR_STATE, but ITERATOR in the graph of objects."""
    prefix, key = str(tmp_path / "state"), "iterator/.ATTRIBUTES/ITERATOR"
    tf.raw_ops.SaveV2(prefix=prefix, tensor_names=[key + "_STATE"], shape_and_slices=[""], tensors=[tf.constant(1)])
    assert tf.train.load_checkpoint(prefix).named("ITERATOR", key) == {"ITERATOR_STATE": key + "_STATE"}


def test_as_many_calls_as_there_are_slots():
    """Without a cycle_length the number of processors says how many slots there are, and calls may be more."""
    counts = D.range(5)
    assert sorted(_values(counts.interleave(D.range, num_parallel_calls=8))) == sorted(
        _values(counts.flat_map(D.range))
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="`num_parallel_calls` is 8 and `cycle_length` is 3"):
        counts.interleave(D.range, cycle_length=3, num_parallel_calls=8)


def test_one_shot_iterators_wait_for_assertions(graph):
    value = tf.constant([1, 2])
    with tf.control_dependencies([tf.debugging.Assert(tf.constant(True), ["no"])]):
        value = tf.identity(value)
    ragged = tf.RaggedTensor.from_row_lengths(value, [1, 1])
    element = tf.compat.v1.data.make_one_shot_iterator(D.from_tensors(ragged)).get_next()
    with tf.compat.v1.Session() as session:
        assert session.run(element).to_list() == [[1], [2]]


def test_one_shot_iterators_refuse_effects(graph):
    with pytest.raises(ValueError, match="Cannot capture a stateful node .* by value"):
        tf.compat.v1.data.make_one_shot_iterator(D.from_tensors(tf.random.normal([])))


def test_batched_features_want_datasets():
    with pytest.raises(TypeError, match="`reader` argument must return a `Dataset`"):
        tf.data.experimental.make_batched_features_dataset(
            "nothing", 2, {"a": tf.io.VarLenFeature(tf.int64)}, reader=tf.compat.v1.TFRecordReader
        )


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: D.range(2), "produces 1 components instead of two"),
        (lambda: D.zip((D.range(4).batch(2), D.range(2))), "produces non-scalar key Tensors of rank 1"),
        (lambda: D.zip((D.range(2), D.from_tensors(tf.sparse.from_dense([1])))), "produces non-Tensor values"),
    ],
)
def test_table_initializers_want_pairs_of_scalars(make, message):
    with pytest.raises(ValueError, match=message):
        tf.data.experimental.DatasetInitializer(make())


PAIRS = D.from_tensor_slices((["a", "b", "c"], tf.range(3, dtype=tf.int64)))


@pytest.mark.parametrize(
    "options, message",
    [
        ({"num_oov_buckets": -1}, "`num_oov_buckets` must be greater than or equal to 0"),
        ({"vocab_size": 0}, "`vocab_size` must be greater than 0"),
    ],
)
def test_tables_of_datasets_check_their_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        tf.data.experimental.table_from_dataset(PAIRS, **options)
    with pytest.raises(ValueError, match="`default_value` must be specified"):
        tf.data.experimental.table_from_dataset(PAIRS.map(lambda k, v: (v, k)), key_dtype=tf.int64)


@pytest.mark.parametrize(
    "make, name",
    [
        (lambda d: d.batch(2), "_BatchDataset"),
        (lambda d: d.map(abs, num_parallel_calls=2), "_ParallelMapDataset"),
        (lambda d: d.shuffle(2), "_ShuffleDataset"),
        (lambda d: d.interleave(lambda x: d, num_parallel_calls=2), "_ParallelInterleaveDataset"),
        (lambda d: tf.data.Dataset.from_generator(lambda: iter([1]), output_types=tf.int64), "_FlatMapDataset"),
    ],
)
def test_names_of_datasets(make, name):
    made = make(tf.data.Dataset.range(4))
    assert repr(made) == f"<{name} element_spec={made.element_spec}>"


def _counted(n):
    """A dataset of n numbers, and a list of those that were made."""
    made = []

    def note(i):
        made.append(int(i))
        return i

    numbers = tf.data.Dataset.range(n).map(lambda i: tf.ensure_shape(tf.numpy_function(note, [i], tf.int64), []))
    return numbers, made


def _taken(dataset, n):
    iterator = iter(dataset)
    return [int(next(iterator)) for _ in range(n)]


@pytest.mark.parametrize("in_file", [False, True])
def test_a_cache_is_full_once_all_are_taken(in_file, tmp_path):
    """Keras' fit takes as many batches as there are, and does not ask for the end."""
    numbers, made = _counted(6)
    cached = numbers.cache(str(tmp_path / "cache") if in_file else "")
    for _ in range(3):
        assert _taken(cached, 6) == list(range(6))
    assert [int(i) for i in cached] == made == list(range(6))
    some, made = _counted(6)
    some = some.cache(str(tmp_path / "some") if in_file else "")
    assert [_taken(some, 5) for _ in range(2)] == [list(range(5))] * 2 and len(made) == 10
    assert [int(i) for i in some.take(6)] == list(range(6)) == [int(i) for i in some] and len(made) == 16


@pytest.mark.parametrize("in_file", [False, True])
def test_a_cache_of_an_input_that_has_more_than_it_says(in_file, tmp_path):
    numbers, made = _counted(6)
    said = numbers.filter(lambda i: i >= 0).apply(tf.data.experimental.assert_cardinality(4))
    cached = said.cache(str(tmp_path / "cache") if in_file else "")
    for _ in range(2):
        iterator = iter(cached)
        assert [int(next(iterator)) for _ in range(4)] == list(range(4))
        with pytest.raises(tf.errors.FailedPreconditionError, match="more elements than expected|expected"):
            next(iterator)
        del iterator
    assert len(made) > 4


def test_resampling_gives_tensorflows_elements():
    def resampled(initial, seed):
        tf.random.set_seed(11)
        numbers = tf.data.Dataset.range(60)
        made = numbers.rejection_resample(lambda i: tf.cast(i % 2, tf.int32), [0.2, 0.8], initial, seed)
        pairs = [(int(c), int(i)) for c, i in made]
        assert all(c == i % 2 for c, i in pairs)
        return [i for _, i in pairs]

    for initial in (None, [0.5, 0.5]):
        got = resampled(initial, 3)
        assert got[:14] == [0, 1, 3, 5, 7, 1, 9, 11, 2, 13, 15, 3, 17, 4] and len(got) == 44
    assert resampled([0.9, 0.1], None)[:12] == [1, 0, 3, 5, 1, 2, 7, 9, 11, 13, 15, 17]
    assert resampled([0.2, 0.8], 3) == list(range(60))


def test_datasets_of_files_are_shown_as_tensorflow_shows_them():
    made = tf.data.TFRecordDataset("x"), tf.data.TextLineDataset("x"), tf.data.FixedLengthRecordDataset("x", 3)
    kinds = "TFRecordDatasetV2", "TextLineDatasetV2", "FixedLengthRecordDatasetV2"
    for ds, kind in zip(made, kinds):
        assert repr(ds) == f"<{kind} element_spec=TensorSpec(shape=(), dtype=tf.string, name=None)>"
