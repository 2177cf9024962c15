"""tf.data.experimental: transformations as functions for `Dataset.apply`, and functions of datasets."""

from __future__ import annotations

from collections import abc

from ..core import dtypes, nest, tensor
from ..core.op_defs import op
from ..core.type_spec import TensorSpec
from ..ops import array_ops
from . import elements
from .dataset import Dataset, _known_size, _VariantDataset, int64, order
from .dataset_functions import ElementFunction

SHARD_HINT = -1


def _applied(method, *args, **kwargs):
    return lambda dataset: getattr(dataset, method)(*args, **kwargs)


# ---- what has become a method


def Counter(start=0, step=1, dtype=dtypes.int64):
    """start, start + step, ... without end."""
    return Dataset.counter(start, step, dtype)


def RandomDataset(seed=None, rerandomize_each_iteration=None, name=None):
    """Random int64 numbers without end."""
    return Dataset.random(seed, rerandomize_each_iteration, name)


def bucket_by_sequence_length(
    element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes=None, padding_values=None,
    pad_to_bucket_boundary=False, no_padding=False, drop_remainder=False,
):  # fmt: skip
    """Dataset.bucket_by_sequence_length, for apply."""
    return _applied(
        "bucket_by_sequence_length", element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
        pad_to_bucket_boundary, no_padding, drop_remainder,
    )  # fmt: skip


def choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset=False):
    """Elements of the datasets that choice_dataset names."""
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def sample_from_datasets(datasets, weights=None, seed=None, stop_on_empty_dataset=False):
    """Elements of datasets chosen at random."""
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def dense_to_ragged_batch(batch_size, drop_remainder=False, row_splits_dtype=dtypes.int64):
    """Dataset.ragged_batch, for apply."""
    return _applied("ragged_batch", batch_size, drop_remainder, row_splits_dtype)


def dense_to_sparse_batch(batch_size, row_shape):
    """Dataset.sparse_batch, for apply."""
    return _applied("sparse_batch", batch_size, row_shape)


def enumerate_dataset(start=0):
    """Dataset.enumerate, for apply."""
    return _applied("enumerate", start)


def group_by_window(key_func, reduce_func, window_size=None, window_size_func=None):
    """Dataset.group_by_window, for apply."""
    return _applied("group_by_window", key_func, reduce_func, window_size, window_size_func)


def ignore_errors(log_warning=False):
    """Dataset.ignore_errors, for apply."""
    return _applied("ignore_errors", log_warning)


def load(path, element_spec=None, compression=None, reader_func=None):
    """Dataset.load."""
    return Dataset.load(path, element_spec, compression, reader_func)


def rejection_resample(class_func, target_dist, initial_dist=None, seed=None):
    """Dataset.rejection_resample, for apply."""
    return _applied("rejection_resample", class_func, target_dist, initial_dist, seed)


def save(dataset, path, compression=None, shard_func=None, checkpoint_args=None):
    """Dataset.save."""
    return dataset.save(path, compression, shard_func, checkpoint_args)


def scan(initial_state, scan_func):
    """Dataset.scan, for apply."""
    return _applied("scan", initial_state, scan_func)


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    """shuffle(buffer_size, seed).repeat(count), for apply, as one step."""

    def apply(dataset):
        from .dataset_sources import seeds

        pair = seeds(seed)
        return dataset._then(
            "ShuffleAndRepeatDataset", int64(buffer_size), *pair, int64(-1 if count is None else count)
        )

    return apply


def snapshot(path, compression="AUTO", reader_func=None, shard_func=None):
    """Dataset.snapshot, for apply."""
    return _applied("snapshot", path, compression, reader_func, shard_func)


def take_while(predicate):
    """Dataset.take_while, for apply."""
    return _applied("take_while", predicate)


def unbatch():
    """Dataset.unbatch, for apply."""
    return _applied("unbatch")


def unique():
    """Dataset.unique, for apply."""
    return _applied("unique")


# ---- what has none


def assert_cardinality(expected_cardinality):
    """For apply: the same elements; FailedPreconditionError unless there are as many as expected."""
    return lambda dataset: dataset._then("AssertCardinalityDataset", int64(expected_cardinality))


def map_and_batch(map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None):
    """For apply: map and batch in one step. An error of map_func costs its whole batch."""
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError(
            "`map_and_batch` allows only one of `num_parallel_batches` and `num_parallel_calls` to be set, but both were set."
        )
    calls = num_parallel_calls
    if calls is None:
        calls = batch_size * num_parallel_batches if num_parallel_batches is not None else batch_size

    def apply(dataset):
        f = ElementFunction(map_func, [dataset.element_spec], "map_and_batch()")
        size, drop = int64(batch_size), array_ops.convert_to_tensor(drop_remainder, dtypes.bool_)
        spec = elements.batched(f.spec, _known_size(size, drop))
        return dataset._then(
            "MapAndBatchDataset", size, int64(calls), drop, spec=spec, functions=[("f", f)], preserve_cardinality=True
        )

    return apply


def parallel_interleave(
    map_func, cycle_length, block_length=1, sloppy=False, buffer_output_elements=None, prefetch_input_elements=None
):
    """For apply: Dataset.interleave, with an order of its own: a dataset that ends gives its place to the next one at once.

    Buffers are of two blocks and two cycles unless told otherwise.
    """

    def apply(dataset):
        f = dataset._of_datasets(map_func, "parallel_interleave()")
        buffered = 2 * block_length if buffer_output_elements is None else buffer_output_elements
        ahead = 2 * cycle_length if prefetch_input_elements is None else prefetch_input_elements
        return dataset._then(
            "LegacyParallelInterleaveDatasetV2", *map(int64, (cycle_length, block_length, buffered, ahead)),
            spec=f.spec.element_spec, functions=[("f", f)], deterministic=order(None if sloppy is None else not sloppy),
        )  # fmt: skip

    return apply


class Reducer:
    """What group_by_reducer does for each key: init_func(key), reduce_func(state, element), finalize_func(state)."""

    def __init__(self, init_func, reduce_func, finalize_func):
        self._functions = init_func, reduce_func, finalize_func

    init_func = property(lambda self: self._functions[0])
    reduce_func = property(lambda self: self._functions[1])
    finalize_func = property(lambda self: self._functions[2])


def group_by_reducer(key_func, reducer):
    """For apply: one element for each key, in the order of the keys, that the reducer makes of the elements of that key."""

    def apply(dataset):
        from .dataset_functions import with_state

        scalar, what = TensorSpec([], dtypes.int64), "group_by_reducer()"
        key = ElementFunction(key_func, [dataset.element_spec], what)
        if not elements.are_compatible(key.spec, scalar):
            raise ValueError(
                f"Invalid `key_func`. Expected `key_func` to return a scalar tf.int64 tensor, but `key_func` has output types={key.spec}"
            )
        start = ElementFunction(reducer.init_func, [scalar], what)
        reduced, state = with_state(reducer.reduce_func, start.spec, dataset.element_spec, what, lambda spec: spec, "")
        final = ElementFunction(reducer.finalize_func, [state], what)
        functions = [("key_func", key), ("init_func", start), ("reduce_func", reduced), ("finalize_func", final)]
        return dataset._then("GroupByReducerDataset", spec=final.spec, functions=functions)

    return apply


def parse_example_dataset(features, num_parallel_calls=1, deterministic=None):
    """For apply: batches of serialized Examples as dictionaries of their features."""
    from ..ops import parsing_ops

    def apply(dataset):
        def parsed(serialized):
            return parsing_ops.parse_example(serialized, features)

        spec = dataset.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype != dtypes.string or spec.shape.rank not in (None, 1):
            raise TypeError(f"Input dataset should be a dataset of vectors of strings, got {spec}.")
        return dataset.map(parsed, num_parallel_calls=num_parallel_calls, deterministic=deterministic)

    return apply


def pad_to_cardinality(cardinality, mask_key="valid"):
    """For apply: a dataset of dictionaries with empty elements at its end, `cardinality` in all.

    `mask_key`: a further key, True for the elements of the dataset. ValueError for elements that are no dictionaries, and in
    eager code for a dataset that has more of them or does not know how many.
    """

    def apply(dataset):
        n = dataset.cardinality()
        if isinstance(n, tensor.EagerTensor):
            _check_padding(int(n), int(cardinality))
        if not isinstance(dataset.element_spec, abc.Mapping):
            raise ValueError("`pad_to_cardinality` requires its input dataset to be a dictionary.")

        def marked(element, is_valid):
            return {**element, mask_key: array_ops.constant(is_valid)}

        empty = nest.map_structure(_empty, dataset.element_spec)
        padding = Dataset.from_tensors(empty).repeat(cardinality - n)
        return dataset.map(lambda e: marked(e, True)).concatenate(padding.map(lambda e: marked(e, False)))

    return apply


def _check_padding(n, wanted):
    said = "The dataset passed into `pad_to_cardinality` must have a"
    if n < 0:
        raise ValueError(f"{said} known cardinalty, but has cardinality {n}.")
    if n > wanted:
        raise ValueError(f"{said} cardinalty less than the target cardinality ({wanted}), but has cardinality {n}.")


def _empty(spec):
    return array_ops.zeros(spec.shape, spec.dtype)


def copy_to_device(target_device, source_device="/cpu:0"):
    """For apply: the elements, which are made on the source device. All devices here are of this process."""
    return lambda dataset: dataset


def prefetch_to_device(device, buffer_size=None):
    """For apply: Dataset.prefetch."""
    return _applied("prefetch", buffer_size)


def from_list(elements, name=None):
    """A dataset of the elements of a list, of any structure. TypeError for no list, ValueError for an empty one."""
    from .dataset_sources import from_list

    return from_list(Dataset, elements, name)


def cardinality(dataset):
    """The number of elements; INFINITE_CARDINALITY, UNKNOWN_CARDINALITY."""
    return dataset.cardinality()


def at(dataset, index):
    """The element at an index. OutOfRangeError outside; FailedPreconditionError where the number of elements is unknown."""
    flat = op("GetElementAtIndex")(dataset._variant_tensor, int64(index), **elements.attrs(dataset.element_spec))
    return elements.from_tensors(dataset.element_spec, flat)


def get_single_element(dataset):
    """The only element of a dataset."""
    return dataset.get_single_element()


def get_structure(dataset_or_iterator):
    """The spec of the elements."""
    found = getattr(dataset_or_iterator, "element_spec", None)
    if found is None:
        raise TypeError(
            f"Invalid `dataset_or_iterator`. `dataset_or_iterator` must be a `tf.data.Dataset` or `tf.data.Iterator`. Got {type(dataset_or_iterator)}."
        )
    return found


def to_variant(dataset):
    """The dataset as a scalar variant."""
    return dataset._variant_tensor


def from_variant(variant, structure):
    """The dataset of a variant, whose elements are of the spec `structure`."""
    return _VariantDataset(variant, structure)


def get_model_proto(iterator):
    """The model by which an iterator is tuned: there is none."""
    raise NotImplementedError("tf.data.experimental.get_model_proto: pipelines are not tuned by a model")


class TFRecordWriter:
    """Writes a dataset of string scalars to a TFRecord file."""

    def __init__(self, filename, compression_type=None):
        self._filename = array_ops.convert_to_tensor(filename, dtypes.string)
        self._compression = array_ops.convert_to_tensor(compression_type or "", dtypes.string)

    def write(self, dataset):
        """Writes the records; an operation while a graph is built. TypeError for other datasets."""
        if not isinstance(dataset, Dataset):
            raise TypeError(f"Invalid `dataset.` Expected a `tf.data.Dataset` object but got {type(dataset)}.")
        if not elements.are_compatible(dataset.element_spec, TensorSpec([], dtypes.string)):
            raise TypeError(
                "Invalid `dataset`. Expected a `dataset` that produces scalar `tf.string` elements, but got a dataset which produces "
                f"elements with shapes {elements.legacy_shapes(dataset.element_spec)} and types {elements.legacy_types(dataset.element_spec)}."
            )
        return op("DatasetToTFRecord")(dataset._variant_tensor, self._filename, self._compression)
