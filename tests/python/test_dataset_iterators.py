"""Iterators over datasets: their values in numpy, positions as texts, and what they keep. Expected values and errors are
TensorFlow 2.21's."""

import dataclasses
import threading
import time

import numpy
import pytest

import sluice as tf

D = tf.data.Dataset


def test_numpy_values_of_sparse_tensors_are_dense():
    sparse = tf.SparseTensor([[0, 0], [1, 1]], [1, 2], [2, 2])
    rows = list(D.from_tensor_slices(sparse).as_numpy_iterator())
    assert [row.tolist() for row in rows] == [[1, 0], [0, 2]]
    whole, none, one = next(D.from_tensors((sparse, None, 1)).as_numpy_iterator())
    assert (whole.tolist(), none, one) == ([[1, 0], [0, 2]], None, 1)


def test_numpy_values_of_ragged_tensors_are_arrays_of_rows():
    ragged = tf.ragged.constant([[[1, 2], [3]], [[4], [5]]])
    first, second = D.from_tensor_slices(ragged).as_numpy_iterator()
    assert first.dtype == object and [row.tolist() for row in first] == [[1, 2], [3]]
    assert second.dtype == numpy.int32 and second.tolist() == [[4], [5]]


def test_numpy_iterators_save_and_restore():
    dataset = D.range(10).shuffle(5, seed=42, reshuffle_each_iteration=False)
    iterator = dataset.as_numpy_iterator()
    assert [next(iterator), next(iterator)] == [2, 5]
    state = iterator.save()
    assert state.dtype == tf.string and state.shape == []
    assert [next(iterator), next(iterator)] == [1, 7]
    iterator.restore(state)
    assert [next(iterator), next(iterator)] == [1, 7]
    other = dataset.as_numpy_iterator()
    other.restore(state.numpy())
    assert next(other) == 1


def test_positions_that_TensorFlow_wrote():
    """What `save` gave there after two elements of range(5), without optimizations."""
    state = (
        b"CBUSACKsAaoBChR0ZW5zb3JmbG93OjpJdGVyYXRvchI_SXRlcmF0b3I6OlJvb3Q6OlJhbmdlQEBuZXh0QEBnbG9iYWxfc2h1ZmZsZV9pdGVyYXRvcl9uZXh"
        b"0X2luZGV4GlEIFRIAeksKIXRlbnNvcmZsb3cuZGF0YS5Db21wcmVzc2VkRWxlbWVudBImChIQPAIAAAAAAAAAAAAAAAAAAAASBwgJEgAiAQgSBwgJEgAiAQg"
    )
    iterator = D.range(5).as_numpy_iterator()
    iterator.restore(state)
    assert list(iterator) == [2, 3, 4]


# ---- what a position does not hold


def drawn(like=None):
    return tf.random.uniform([], 0, 9, tf.int64)


@tf.function
def plus_one(x):
    return x + 1


@tf.function
def plus_drawn(x):
    return x + drawn()


def chosen(x):
    return D.from_tensor_slices([0, 1]) if x > 0 else D.from_tensor_slices([4, 5])


def checked(x):
    tf.debugging.assert_less(x, tf.constant(100, tf.int64))
    tf.print(x, output_stream="file:///dev/null")
    return tf.timestamp()


def looked_up():
    one = tf.constant([1], tf.int64)
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(one, one), 0)
    return D.range(5).map(table.lookup)


def with_variable():
    v = tf.Variable(1, dtype=tf.int64)
    return D.range(5).map(lambda x: x + v)


def with_iterator():
    iterator = iter(D.range(9))
    return D.range(5).map(lambda x: next(iterator))


# A dataset and the op that TensorFlow 2.21 names when its position is saved with the policy to fail; None: it is saved.
STATES = [
    (lambda: D.range(5).map(lambda x: x + drawn()), "RandomUniformInt"),
    (lambda: D.range(5).map(plus_one), None),
    (lambda: D.range(5).map(plus_drawn), "RandomUniformInt"),
    (lambda: D.range(5).flat_map(chosen), None),
    (lambda: D.range(5).map(lambda x: drawn() if x > 0 else x), "RandomUniformInt"),
    (lambda: D.range(5).map(lambda x: tf.while_loop(lambda i: i < 5, lambda i: [i + 1], [x])[0]), None),
    (
        lambda: D.range(5).map(lambda x: tf.while_loop(lambda i: i < 5, lambda i: [i + drawn()], [x])[0]),
        "RandomUniformInt",
    ),
    (lambda: D.range(5).flat_map(lambda x: D.range(2).map(lambda y: x + y)), None),
    (lambda: D.range(5).flat_map(lambda x: D.range(2).map(drawn)), "RandomUniformInt"),
    (lambda: D.range(5).flat_map(lambda x: D.range(2).shuffle(2)), "DummySeedGenerator"),
    (lambda: D.range(5).flat_map(lambda x, d=D.range(5).map(drawn): d), "RandomUniformInt"),
    (lambda: D.from_tensors(D.range(5).map(drawn)).flat_map(lambda d: d), "RandomUniformInt"),
    (lambda: D.range(5).shuffle(2), None),
    (lambda: D.range(5).map(lambda x: D.range(x).reduce(x, lambda a, b: a + b)), "ReduceDataset"),
    (lambda: D.range(5).map(lambda x: tf.numpy_function(lambda y: y, [x], tf.int64)), "PyFunc"),
    (lambda: D.range(5).map(checked), None),
    (looked_up, None),
    (with_variable, "ReadVariableOp"),
    (with_iterator, "IteratorGetNext"),
    (lambda: D.range(5).map(lambda x: tf.io.read_file("/dev/null")), None),
]


def failing_policy():
    options = tf.data.Options()
    options.experimental_external_state_policy = tf.data.experimental.ExternalStatePolicy.FAIL
    return options


@pytest.mark.parametrize("make, op", STATES)
def test_state_outside_of_a_dataset(make, op):
    iterator = make().with_options(failing_policy()).as_numpy_iterator()
    next(iterator)
    if op is None:
        assert iterator.save().dtype == tf.string
    else:
        with pytest.raises(tf.errors.FailedPreconditionError, match=f"^{op} is stateful"):
            iterator.save()


def test_state_outside_may_be_left_out():
    assert D.range(5).map(drawn).as_numpy_iterator().save().dtype == tf.string


def test_position_of_another_dataset(tmp_path):
    prefix = tf.train.Checkpoint(at=iter(D.range(3))).write(str(tmp_path / "at"))
    with pytest.raises(tf.errors.NotFoundError, match="Make sure the dataset definition has not changed"):
        tf.train.Checkpoint(at=iter(D.from_tensor_slices([1, 2]))).read(prefix)


@dataclasses.dataclass
class Masked:
    mask: bool
    value: object

    def __tf_flatten__(self):
        return (self.mask,), (self.value,)

    def __tf_unflatten__(self, metadata, components):
        return Masked(metadata[0], components[0])


def test_dataclasses_are_made_by_their_instances():
    (made,) = D.from_tensors(Masked(True, [1, 2]))
    assert type(made) is Masked and made.mask is True and made.value.numpy().tolist() == [1, 2]


# ---- ends


def test_a_generator_goes_when_no_more_is_taken_of_it():
    gone = []

    class Ones:
        def __iter__(self):
            return self

        def __next__(self):
            return 1

        def __del__(self):
            gone.append(True)

    iterator = iter(D.from_generator(Ones, output_types=tf.int64).take(2))
    assert [x.numpy() for x in iterator] == [1, 1]
    assert gone


def past_the_end(*_):
    iterator = iter(D.range(1))
    next(iterator)
    return next(iterator)


# TensorFlow's paths have the stages that its optimizer adds.
PAST_THE_END = [
    (
        lambda d: d.map(past_the_end),
        tf.errors.InvalidArgumentError,
        "Function invocation produced OutOfRangeError: End of",
    ),
    (lambda d: d.filter(lambda x: past_the_end() > 0), tf.errors.InternalError, 'Root::Filter" returned `OutOfRange`'),
    (
        lambda d: d.flat_map(lambda x: D.from_tensors(past_the_end())),
        tf.errors.InternalError,
        "Error in user-defined function passed to FlatMapDataset transformation with iterator: Iterator::Root::FlatMap: "
        "element 0: End",
    ),
    (lambda d: d.take_while(lambda x: past_the_end() > 0), tf.errors.InternalError, "Iterator::Root::TakeWhile"),
    (
        lambda d: d.group_by_window(past_the_end, lambda k, w: w, 2),
        tf.errors.InternalError,
        "Iterator::Root::GroupByWindow",
    ),
    (
        lambda d: d.group_by_window(lambda x: x, lambda k, w: D.from_tensors(past_the_end()), 2),
        tf.errors.InternalError,
        "Got error code OUT_OF_RANGE and message: {\nEnd of sequence(.|\n)*\n} \nfrom running user-defined function "
        r"__inference_Dataset_group_by_window_lambda_\d+: ",
    ),
]


@pytest.mark.parametrize("step, kind, text", PAST_THE_END)
def test_an_end_within_a_function_is_no_end(step, kind, text):
    with pytest.raises(kind, match=text):
        list(step(D.range(4)))


# ---- elements by number


def at(dataset, n):
    return [int(tf.data.experimental.at(dataset, i)) for i in range(n)]


@pytest.mark.parametrize(
    "again, by_number, first", [(True, [3, 0, 2, 5, 1, 6, 7, 4], 2), (False, [5, 2, 4, 7, 1, 0, 3, 6], 0)]
)
def test_shuffled_elements_by_number(again, by_number, first):
    """All elements are shuffled, whatever the buffer's size, and what iterators draw stays the same."""
    dataset = D.range(8).shuffle(3, seed=2, reshuffle_each_iteration=again)
    assert at(dataset, 8) == by_number
    assert next(dataset.as_numpy_iterator()) == first
    assert at(dataset, 8) == by_number
    assert at(D.range(8).shuffle(3, seed=1).shuffle(4, seed=5), 8) == [1, 0, 5, 7, 3, 6, 2, 4]


# ---- datasets in positions


def windows():
    return D.range(11).window(3, shift=2)


NESTED = [
    lambda: windows().flat_map(lambda w: w.batch(3)),
    lambda: windows().shuffle(4, seed=1).flat_map(lambda w: w),
    lambda: windows().interleave(lambda w: w, cycle_length=2),
    lambda: windows().batch(2).unbatch().flat_map(lambda w: w.repeat(2)),
    lambda: D.range(8).group_by_window(lambda x: x % 2, lambda k, w: D.from_tensors(w), 3).flat_map(lambda w: w),
    lambda: D.from_tensors(D.from_tensor_slices([[1, 2], [3, 4]])).repeat(2).flat_map(lambda d: d),
    lambda: D.from_tensors(D.zip(D.range(4).skip(1).shard(2, 1), D.range(5).take(3))).flat_map(lambda d: d),
    lambda: D.from_tensors(D.range(3).batch(2).unbatch().concatenate(D.range(2).prefetch(1))).flat_map(lambda d: d),
]


@pytest.mark.parametrize("make", NESTED)
def test_positions_within_datasets_of_datasets(make):
    """From each place on the rest is the same, also for an iterator that another pass was made with."""
    whole = [tf.nest.map_structure(lambda v: v.tolist(), x) for x in make().as_numpy_iterator()]
    for begun in range(len(whole) + 1):
        iterator, other = make().as_numpy_iterator(), make().as_numpy_iterator()
        for _ in range(begun):
            next(iterator)
        other.restore(iterator.save())
        assert [tf.nest.map_structure(lambda v: v.tolist(), x) for x in other] == whole[begun:]


def test_datasets_that_no_position_holds():
    iterator = D.from_tensors(D.range(3).map(plus_one)).flat_map(lambda d: d).as_numpy_iterator()
    next(iterator)
    with pytest.raises(tf.errors.UnimplementedError, match="A MapDataset as part of a saved position"):
        iterator.save()


# ---- fingerprints

DIFFERENT = [
    lambda: D.range(10),
    lambda: D.range(11),
    lambda: D.range(10).map(lambda x: x + 1),
    lambda: D.range(10).map(lambda x: x + 2),
    lambda: D.range(10).flat_map(D.range),
    lambda: D.range(10).flat_map(lambda x: D.range(x + 1)),
    lambda: D.range(10).flat_map(lambda x: D.range(x + 1).map(lambda y: x + y)),
    lambda: D.range(10).flat_map(lambda x: D.range(x + 1).map(lambda y: x - y)),
    lambda: D.range(10).map(lambda x: tf.cond(x > 1, lambda: x, lambda: -x)),
    lambda: D.range(10).map(lambda x: tf.cond(x > 1, lambda: x, lambda: 2 * x)),
    lambda: D.from_tensors(["a", "b"]),
    lambda: D.from_tensors(["ab", ""]),
    lambda: D.from_tensors([1, 2]),
    lambda: D.from_tensors([[1, 2]]),
    lambda: D.from_tensors(D.range(10)),
    lambda: D.from_tensors(D.range(11)),
    lambda: D.zip(D.range(2), D.range(3)),
    lambda: D.zip(D.range(3), D.range(2)),
    lambda: D.range(3).shuffle(2, seed=1),
    lambda: D.range(3).shuffle(2, seed=2),
    lambda: tf.data.TFRecordDataset(["one", "two"]),
    lambda: tf.data.TFRecordDataset(["one", "three"]),
    lambda: tf.data.TextLineDataset(["one", "two"]),
]


def test_fingerprints():
    """They are those of datasets that are made alike, and of no others."""
    first, second = ([int(make().fingerprint()) for make in DIFFERENT] for _ in range(2))
    assert first == second
    assert len(set(first)) == len(DIFFERENT)


def test_iterators_end_while_their_thread_calls_python():
    """The element that is made ahead is within the generator when nobody wants it any more."""
    for _ in range(3):
        asked = threading.Event()

        def numbers():
            for i in range(1000):
                if i > 9:
                    asked.set()
                time.sleep(0.002)
                yield i

        iterator = iter(D.from_generator(numbers, output_signature=tf.TensorSpec((), tf.int64)).prefetch(8))
        assert [int(next(iterator)) for _ in range(8)] == list(range(8))
        assert asked.wait(20)
        del iterator


def test_caches_give_elements_by_number_whatever_they_hold():
    odd = D.range(20).filter(lambda x: x % 2 == 1)
    cache = odd.cache()
    at = tf.data.experimental.at
    assert [int(at(cache, i)) for i in (3, 0, 9, 5)] == [7, 1, 19, 11]
    with pytest.raises(tf.errors.OutOfRangeError, match="Index out of range"):
        at(cache, 10)
    assert [int(at(odd.repeat().cache(), i)) for i in (12, 25)] == [5, 11]


def test_caches_that_datasets_of_other_widths_share():
    narrow = D.range(9).filter(lambda x: x > 2)
    wide = D.zip((narrow, narrow))
    cache = tf.raw_ops.AnonymousMemoryCache()[0]

    def at(dataset, i):
        kinds = [tf.int64] * len(tf.nest.flatten(dataset.element_spec))
        shapes = [[]] * len(kinds)
        kept = tf.raw_ops.CacheDatasetV2(
            input_dataset=dataset._variant_tensor, filename="", cache=cache, output_types=kinds, output_shapes=shapes
        )
        made = tf.raw_ops.GetElementAtIndex(dataset=kept, index=i, output_types=kinds, output_shapes=shapes)
        return [int(value) for value in made]

    assert (at(narrow, 1), at(wide, 0), at(narrow, 2), at(wide, 3)) == ([4], [3, 3], [5], [6, 6])
