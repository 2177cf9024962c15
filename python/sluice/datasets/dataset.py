"""tf.data.Dataset: its methods, each one node of the library over the flat tensors of elements.

A method that is more than a node or two is in dataset_steps.py or dataset_sources.py.
"""

from __future__ import annotations

import abc
from collections import abc as collections_abc

from ..core import dtypes, graph, nest, static_values, tensor_shape
from ..core.composite_tensor import CompositeTensor
from ..core.op_defs import op
from ..core.type_spec import BatchableTypeSpec, TensorSpec
from ..ops import array_ops
from . import elements
from .dataset_functions import ElementFunction, with_state
from .dataset_options import AUTOTUNE, Options
from .iterators import NumpyIterator, OwnedIterator

INFINITE_CARDINALITY, UNKNOWN_CARDINALITY = -1, -2


def int64(value, name=None):
    return array_ops.convert_to_tensor(value, dtypes.int64, name=name)


def order(deterministic) -> str:
    """The attr of parallel ops."""
    return "default" if deterministic is None else "true" if deterministic else "false"


def runs_eagerly() -> bool:
    g = graph.current()
    return g is None or g.building_function


class Dataset(collections_abc.Iterable, CompositeTensor, metaclass=abc.ABCMeta):
    """Elements, each a structure of tensors and composite tensors, that iterators give one by one."""

    def __init__(self, variant_tensor):
        self._variant_tensor = variant_tensor
        self._own_options = Options()

    # ---- what it is

    def _inputs(self):
        """The datasets that it is made of."""
        return list(getattr(self, "_made_of", ()))

    @property
    def element_spec(self):
        """The spec of its elements."""
        return self._element_spec

    @property
    def _type_spec(self):
        return DatasetSpec(self.element_spec)

    def options(self):
        """The options of this dataset and of what it is made of."""
        made = Options()
        for dataset in self._inputs():
            made = made.merge(dataset.options())
        return made.merge(self._own_options).as_read_only()

    def __repr__(self):
        return f"<{getattr(self, '_kind', type(self).__name__)} element_spec={self.element_spec}>"

    __str__ = __repr__

    @classmethod
    def _class_of_results(cls):
        return next(c for c in cls.__mro__ if c.__dict__.get("_is_plain"))

    _is_plain = True

    @classmethod
    def _made(cls, name, variant_tensor, spec, inputs=(), keeps=()):
        """A dataset of a node's variant. `keeps`: the functions that it calls."""
        made = object.__new__(cls._class_of_results())
        Dataset.__init__(made, variant_tensor)
        made._element_spec, made._made_of, made._keeps, made._kind = spec, inputs, keeps, f"_{name}"
        return made

    def _then(self, op_name, *inputs, spec=None, functions=(), name=None, **attrs):
        """A dataset of an op over this one. `functions`: (attr, ElementFunction); their captures come after the variant."""
        spec = self.element_spec if spec is None else spec
        captured = [list(f.captured) for _, f in functions]
        attrs.update({attr: f.name for attr, f in functions}, **elements.attrs(spec))
        made = op(op_name)(self._variant_tensor, *captured, *inputs, name=name, **attrs)
        return self._made(_without_version(op_name), made, spec, (self,), [f for _, f in functions])

    # ---- iteration

    def __iter__(self):
        if not runs_eagerly():
            raise RuntimeError(
                "`tf.data.Dataset` only supports Python-style iteration in eager mode or within tf.function."
            )
        return OwnedIterator(self)

    def __bool__(self):
        return True

    __nonzero__ = __bool__

    def __len__(self):
        if graph.current() is not None:
            raise TypeError(
                "`tf.data.Dataset` only supports `len` in eager mode. Use `tf.data.Dataset.cardinality()` instead."
            )
        n = int(self.cardinality())
        if n == INFINITE_CARDINALITY:
            raise TypeError("The dataset is infinite.")
        if n == UNKNOWN_CARDINALITY:
            raise TypeError("The dataset length is unknown.")
        return n

    def _autograph_for(self, extra_test, body, get_state, set_state, names, options):
        from .iterators import loop_over

        if not runs_eagerly():
            raise RuntimeError("a loop over a dataset is staged within tf.function only")
        loop_over(iter(self), extra_test, body, get_state, set_state, names, {**options, "relaxes": True})

    def _autograph_enumerate(self, start=0):
        return self.enumerate(start)

    def as_numpy_iterator(self):
        """An iterator of numpy's values. RuntimeError while a graph is built; TypeError for elements without such values."""
        if graph.current() is not None:
            raise RuntimeError("`tf.data.Dataset.as_numpy_iterator()` is only supported in eager mode.")
        from ..ops.ragged_tensor import RaggedTensorSpec
        from ..ops.sparse_tensor import SparseTensorSpec

        for leaf in nest.flatten(self.element_spec):
            if not isinstance(leaf, (TensorSpec, RaggedTensorSpec, SparseTensorSpec, elements.NoneTensorSpec)):
                raise TypeError(
                    "`tf.data.Dataset.as_numpy_iterator()` is not supported for datasets that produce values of type "
                    f"{leaf.value_type}"
                )
        return NumpyIterator(self)

    # ---- sources

    @classmethod
    def from_tensors(cls, tensors, name=None):
        """A dataset of one element."""
        element = elements.normalize(tensors)
        spec = elements.spec_of(element)
        flat = elements.to_tensors(spec, element)
        if not flat:
            raise ValueError("Invalid `element`. `element` should not be empty.")
        made = op("TensorDataset")(flat, output_shapes=elements.attrs(spec)["output_shapes"], name=name)
        return cls._made("TensorDataset", made, spec, keeps=element)

    @classmethod
    def from_tensor_slices(cls, tensors, name=None):
        """A dataset of the rows of tensors, which all have the same number. ValueError for scalars."""
        element = elements.normalize(tensors)
        whole = elements.spec_of(element)
        flat = elements.to_batched_tensors(whole, element)
        if not flat:
            raise ValueError("Invalid `tensors`. `tensors` should not be empty.")
        spec = elements.unbatched(whole)
        count = tensor_shape.Dimension(None)
        for t in flat:
            if t.shape.rank:
                count = count.merge_with(tensor_shape.Dimension(t.shape[0]))
        made = op("TensorSliceDataset")(flat, output_shapes=elements.attrs(spec)["output_shapes"], name=name)
        return cls._made("TensorSliceDataset", made, spec)

    @classmethod
    def from_generator(
        cls, generator, output_types=None, output_shapes=None, args=None, output_signature=None, name=None
    ):
        """A dataset of what a Python generator yields, of the specs `output_signature` or of output_types and output_shapes."""
        from .dataset_sources import from_generator

        return from_generator(cls, generator, output_types, output_shapes, args, output_signature, name)

    @classmethod
    def range(cls, *args, **kwargs):
        """range(stop), range(start, stop) or range(start, stop, step); keywords output_type (int64) and name."""
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid `args`. The length of `args` should be between 1 and 3 but was {len(args)}.")
        start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
        dtype = dtypes.as_dtype(kwargs.get("output_type", dtypes.int64))
        spec = TensorSpec([], dtype)
        made = op("RangeDataset")(
            int64(start, "start"),
            int64(stop, "stop"),
            int64(step, "step"),
            name=kwargs.get("name"),
            **elements.attrs(spec),
        )
        return cls._made("RangeDataset", made, spec)

    @classmethod
    def counter(cls, start=0, step=1, dtype=dtypes.int64, name=None):
        """start, start + step, ... without end."""
        dtype = dtypes.as_dtype(dtype)
        limit = -(2**63) if static_values.known_value(array_ops.convert_to_tensor(step)) < 0 else 2**63 - 1
        return cls.range(start, limit, step, output_type=dtype, name=name)

    @classmethod
    def random(cls, seed=None, rerandomize_each_iteration=None, name=None):
        """Random int64 numbers of 32 bits without end; each iterator has the same, or others with rerandomize_each_iteration."""
        from .dataset_sources import seeds

        spec, (one, two) = TensorSpec([], dtypes.int64), seeds(seed)
        if rerandomize_each_iteration:
            made = op("RandomDatasetV2")(
                one, two, op("DummySeedGenerator")(), rerandomize_each_iteration=True, name=name, **elements.attrs(spec)
            )
        else:
            made = op("RandomDataset")(one, two, name=name, **elements.attrs(spec))
        return cls._made("RandomDataset", made, spec)

    @classmethod
    def zip(cls, *args, datasets=None, name=None):
        """Elements of several datasets side by side, until the shortest ends. TypeError for what is no structure of datasets."""
        if not args and datasets is None:
            raise TypeError("Must pass at least one dataset to `zip`.")
        if args and datasets is not None:
            raise TypeError("Both `*args` and `datasets` cannot be set.")
        nested = datasets if datasets is not None else args[0] if len(args) == 1 else args
        for leaf in nest.flatten(nested):
            if not isinstance(leaf, Dataset):
                raise TypeError(
                    "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects but "
                    f"encountered object of type {type(leaf)}."
                )
        _refuse_lists(nested)
        inputs = nest.flatten(nested)
        spec = nest.pack_sequence_as(nested, [d.element_spec for d in inputs])
        made = op("ZipDataset")([d._variant_tensor for d in inputs], name=name, **elements.attrs(spec))
        return cls._made("ZipDataset", made, spec, tuple(inputs))

    @classmethod
    def list_files(cls, file_pattern, shuffle=None, seed=None, name=None):
        """The names of the files that match patterns, shuffled unless told otherwise. InvalidArgumentError when none does."""
        from .dataset_sources import list_files

        return list_files(cls, file_pattern, shuffle, seed, name)

    @classmethod
    def sample_from_datasets(
        cls, datasets, weights=None, seed=None, stop_on_empty_dataset=False, rerandomize_each_iteration=None
    ):
        """Elements of datasets that are chosen at random, by weights: numbers, or a dataset of vectors."""
        from .dataset_choices import sample_from_datasets

        return sample_from_datasets(cls, datasets, weights, seed, stop_on_empty_dataset, rerandomize_each_iteration)

    @classmethod
    def choose_from_datasets(cls, datasets, choice_dataset, stop_on_empty_dataset=True):
        """Elements of the datasets that choice_dataset, int64 scalars, names one after the other."""
        from .dataset_choices import choose_from_datasets

        return choose_from_datasets(cls, datasets, choice_dataset, stop_on_empty_dataset)

    @classmethod
    def load(cls, path, element_spec=None, compression=None, reader_func=None, wait=False):
        """What `save` has written."""
        from .dataset_files import load

        return load(cls, path, element_spec, compression, reader_func, wait)

    # ---- element by element

    def map(
        self, map_func, num_parallel_calls=None, deterministic=None, synchronous=None, use_unbounded_threadpool=False, name=None
    ):  # fmt: skip
        """What map_func gives for each element. The order stays unless deterministic is False."""
        f = ElementFunction(map_func, [self.element_spec], "Dataset.map()")
        if synchronous and num_parallel_calls is not None:
            raise ValueError("`synchronous` is only supported when `num_parallel_calls` is None.")
        if num_parallel_calls is None:
            return self._then(
                "MapDataset", spec=f.spec, functions=[("f", f)], name=name, preserve_cardinality=self._keeps_count,
                force_synchronous=bool(synchronous),
            )  # fmt: skip
        return self._then(
            "ParallelMapDatasetV2", int64(num_parallel_calls, "num_parallel_calls"), spec=f.spec, functions=[("f", f)], name=name,
            deterministic=order(deterministic), preserve_cardinality=self._keeps_count,
            use_unbounded_threadpool=bool(use_unbounded_threadpool),
        )  # fmt: skip

    _keeps_count = True  # whether map tells that it has as many elements as its input

    def filter(self, predicate, name=None):
        """The elements for which predicate, a scalar bool, is true."""
        f = ElementFunction(predicate, [self.element_spec], "Dataset.filter()")
        if not elements.are_compatible(f.spec, TensorSpec([], dtypes.bool_)):
            raise ValueError(
                f"Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its return type is {f.spec}."
            )
        return self._then("FilterDataset", functions=[("predicate", f)], name=name)

    def take_while(self, predicate, name=None):
        """The elements before the first for which predicate is false."""
        f = ElementFunction(predicate, [self.element_spec], "Dataset.take_while()")
        if not elements.are_compatible(f.spec, TensorSpec([], dtypes.bool_)):
            raise ValueError(
                f"Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor but its return type is{f.spec}."
            )
        return self._then("TakeWhileDataset", functions=[("predicate", f)], name=name)

    def flat_map(self, map_func, name=None):
        """The elements of the datasets that map_func gives, one dataset after the other."""
        f = self._of_datasets(map_func, "Dataset.flat_map()")
        return self._then("FlatMapDataset", spec=f.spec.element_spec, functions=[("f", f)], name=name)

    def _of_datasets(self, map_func, what):
        f = ElementFunction(map_func, [self.element_spec], what)
        if not isinstance(f.spec, DatasetSpec):
            raise TypeError(f"The `map_func` argument must return a `Dataset` object. Got {_type_of(f.spec)!r}.")
        return f

    def interleave(
        self, map_func, cycle_length=None, block_length=None, num_parallel_calls=None, deterministic=None, name=None
    ):
        """The elements of the datasets that map_func gives: blocks of cycle_length datasets in turn."""
        f = self._of_datasets(map_func, "Dataset.interleave()")
        spec, functions = f.spec.element_spec, [("f", f)]
        cycle = int64(AUTOTUNE if cycle_length is None else cycle_length, "cycle_length")
        block = int64(1 if block_length is None else block_length, "block_length")
        if num_parallel_calls is None:
            return self._then("InterleaveDataset", cycle, block, spec=spec, functions=functions, name=name)
        return self._then(
            "ParallelInterleaveDatasetV4", cycle, block, int64(AUTOTUNE), int64(AUTOTUNE), int64(num_parallel_calls, "num_parallel_calls"),
            spec=spec, functions=functions, name=name, deterministic=order(deterministic),
        )  # fmt: skip

    def scan(self, initial_state, scan_func, name=None):
        """scan_func(state, element) gives the new state and an element of the result."""
        state = elements.normalize(initial_state)
        f, spec = with_state(
            scan_func,
            elements.spec_of(state),
            self.element_spec,
            "Dataset.scan()",
            _first_of_pair,
            "Invalid `scan_func`. ",
            ", got ",
        )
        flat = elements.to_tensors(spec, state)
        attrs = elements.attrs(f.spec[1])
        made = op("ScanDataset")(
            self._variant_tensor, flat, list(f.captured), f=f.name, preserve_cardinality=True, name=name, **attrs
        )
        return self._made("ScanDataset", made, f.spec[1], (self,), [f])

    def reduce(self, initial_state, reduce_func, name=None):
        """The last state of reduce_func(state, element) -> state."""
        state = elements.normalize(initial_state)
        f, spec = with_state(
            reduce_func, elements.spec_of(state), self.element_spec, "Dataset.reduce()", lambda spec: spec, ""
        )
        flat = elements.to_tensors(spec, state)
        made = op("ReduceDataset")(
            self._variant_tensor, flat, list(f.captured), f=f.name, name=name, **elements.attrs(spec)
        )
        return elements.from_tensors(spec, made)

    def enumerate(self, start=0, name=None):
        """Pairs of a count, int64 from start, and the element."""
        counts = self.range(start, 2**63 - 1, name=name)
        return self.zip((counts, self), name=name)

    def unique(self, name=None):
        """Each element at its first occurrence; of int32, int64 or string scalars."""
        for leaf in nest.flatten(self.element_spec):
            dtype = getattr(leaf, "dtype", None)
            if dtype not in (dtypes.int32, dtypes.int64, dtypes.string):
                raise TypeError(
                    f"`tf.data.Dataset.unique` does not support type {dtype} -- only `tf.int32`, `tf.int64`, and `tf.string` are "
                    "supported."
                )
        return self._then("UniqueDataset", name=name)

    # ---- batches

    def batch(self, batch_size, drop_remainder=False, num_parallel_calls=None, deterministic=None, name=None):
        """batch_size elements stacked; the last batch may be smaller unless drop_remainder."""
        size, drop = (
            int64(batch_size, "batch_size"),
            array_ops.convert_to_tensor(drop_remainder, dtypes.bool_, name="drop_remainder"),
        )
        spec = elements.batched(self.element_spec, _known_size(size, drop))
        if num_parallel_calls is None:
            return self._then("BatchDatasetV2", size, drop, spec=spec, name=name)
        return self._then(
            "ParallelBatchDataset",
            size,
            int64(num_parallel_calls, "num_parallel_calls"),
            drop,
            spec=spec,
            deterministic=order(deterministic),
            name=name,
        )

    def padded_batch(self, batch_size, padded_shapes=None, padding_values=None, drop_remainder=False, name=None):
        """batch_size elements padded to one shape and stacked: the longest of the batch where padded_shapes says None or -1."""
        from .dataset_steps import padded_batch

        return padded_batch(self, batch_size, padded_shapes, padding_values, drop_remainder, name)

    def ragged_batch(self, batch_size, drop_remainder=False, row_splits_dtype=dtypes.int64, name=None):
        """batch_size elements, whose shapes may differ, as ragged tensors."""
        from .dataset_steps import ragged_batch

        return ragged_batch(self, batch_size, drop_remainder, row_splits_dtype, name)

    def sparse_batch(self, batch_size, row_shape, name=None):
        """batch_size tensors as one sparse tensor, whose rows have the shape row_shape."""
        from .dataset_steps import sparse_batch

        return sparse_batch(self, batch_size, row_shape, name)

    def unbatch(self, name=None):
        """The rows of each element as elements."""
        spec = self.element_spec
        if any(getattr(getattr(leaf, "shape", None), "rank", None) == 0 for leaf in nest.flatten(spec)):
            raise ValueError("Cannot unbatch an input with scalar components.")
        whole = self.map(elements.batch_function(spec), name=name) if elements.has_composites(spec) else self
        made = elements.unbatched(spec)
        unbatched = op("UnbatchDataset")(whole._variant_tensor, name=name, **elements.attrs(made))
        return self._made("UnbatchDataset", unbatched, made, (self,), (whole,))

    def rebatch(self, batch_size, drop_remainder=False, name=None):
        """Batches cut anew: of batch_size, or of its sizes in turn."""
        from .dataset_steps import rebatch

        return rebatch(self, batch_size, drop_remainder, name)

    def window(self, size, shift=None, stride=1, drop_remainder=False, name=None):
        """Datasets of size elements, each `shift` after the last; its elements are stride apart."""
        shift = size if shift is None else shift
        spec = nest.map_structure(DatasetSpec, self.element_spec)
        drop = array_ops.convert_to_tensor(drop_remainder, dtypes.bool_, name="drop_remainder")
        return self._then(
            "WindowDataset",
            int64(size, "size"),
            int64(shift, "shift"),
            int64(stride, "stride"),
            drop,
            spec=spec,
            name=name,
        )

    def group_by_window(self, key_func, reduce_func, window_size=None, window_size_func=None, name=None):
        """Elements in groups by key_func, each reduced by reduce_func(key, dataset) when it has window_size elements."""
        from .dataset_steps import group_by_window

        return group_by_window(self, key_func, reduce_func, window_size, window_size_func, name)

    def bucket_by_sequence_length(
        self, element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes=None, padding_values=None,
        pad_to_bucket_boundary=False, no_padding=False, drop_remainder=False, name=None,
    ):  # fmt: skip
        """Batches of elements of similar lengths, padded."""
        from .dataset_steps import bucket_by_sequence_length

        return bucket_by_sequence_length(
            self, element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
            pad_to_bucket_boundary, no_padding, drop_remainder, name,
        )  # fmt: skip

    # ---- order and number

    def repeat(self, count=None, name=None):
        """All elements count times; without end if None or -1."""
        return self._then("RepeatDataset", int64(-1 if count is None else count, "count"), name=name)

    def take(self, count, name=None):
        """The first count elements; all if -1."""
        return self._then("TakeDataset", int64(count, "count"), name=name)

    def skip(self, count, name=None):
        """Without the first count elements; none if -1."""
        return self._then("SkipDataset", int64(count, "count"), name=name)

    def shard(self, num_shards, index, name=None):
        """The elements whose position is index modulo num_shards."""
        return self._then("ShardDataset", int64(num_shards, "num_shards"), int64(index, "index"), name=name)

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=True, name=None):
        """Elements in random order, drawn from a buffer; in another order each time unless reshuffle_each_iteration is False."""
        from .dataset_sources import seeds

        one, two = seeds(seed)
        again = True if reshuffle_each_iteration is None else bool(reshuffle_each_iteration)
        size = int64(buffer_size, "buffer_size")
        if not runs_eagerly():
            return self._then("ShuffleDataset", size, one, two, reshuffle_each_iteration=again, name=name)
        generator = op("DummySeedGenerator")()
        return self._then("ShuffleDatasetV3", size, one, two, generator, reshuffle_each_iteration=again, name=name)

    def concatenate(self, dataset, name=None):
        """These elements, then those of another dataset. TypeError when they differ in structure or types."""
        spec = elements.common(self.element_spec, dataset.element_spec)
        made = op("ConcatenateDataset")(
            self._variant_tensor, dataset._variant_tensor, name=name, **elements.attrs(spec)
        )
        return self._made("ConcatenateDataset", made, spec, (self, dataset))

    def cache(self, filename="", name=None):
        """Keeps the elements of the first complete pass, in memory or in files."""
        text = array_ops.convert_to_tensor(filename, dtypes.string)
        if runs_eagerly():
            return self._then("CacheDatasetV2", text, op("DummyMemoryCache")(), name=name)
        return self._then("CacheDataset", text, name=name)

    def prefetch(self, buffer_size, name=None):
        """Gets up to buffer_size elements ahead of the caller."""
        return self._then(
            "PrefetchDataset", int64(AUTOTUNE if buffer_size is None else buffer_size, "buffer_size"), name=name
        )

    def ignore_errors(self, log_warning=False, name=None):
        """Without the elements that fail."""
        return self._then("IgnoreErrorsDataset", log_warning=bool(log_warning), name=name)

    def rejection_resample(self, class_func, target_dist, initial_dist=None, seed=None, name=None):
        """Pairs of class and element, in proportions near target_dist: some are dropped at random."""
        from .dataset_choices import rejection_resample

        return rejection_resample(self, class_func, target_dist, initial_dist, seed, name)

    # ---- whole datasets

    def cardinality(self):
        """The number of elements, int64; INFINITE_CARDINALITY (-1), UNKNOWN_CARDINALITY (-2)."""
        return op("DatasetCardinality")(self._variant_tensor)

    def fingerprint(self):
        """A hash, uint64, of how the dataset is made."""
        return op("DatasetFingerprint")(self._variant_tensor)

    def get_single_element(self, name=None):
        """The only element; InvalidArgumentError unless there is exactly one."""
        flat = op("DatasetToSingleElement")(self._variant_tensor, name=name, **elements.attrs(self.element_spec))
        return elements.from_tensors(self.element_spec, flat)

    def apply(self, transformation_func):
        """transformation_func(self), a dataset."""
        made = transformation_func(self)
        if not isinstance(made, Dataset):
            raise TypeError(f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(made)}.")
        return made

    def with_options(self, options, name=None):
        """The same elements with options, which go before those that were set."""
        serialized = options._message()
        made = self._then("OptionsDataset", serialized_options=serialized, name=name)
        made._own_options = options
        return made

    def snapshot(self, path, compression="AUTO", reader_func=None, shard_func=None, name=None):
        """Writes the elements to a folder in the first pass, and reads them from there later."""
        from .dataset_files import snapshot

        return snapshot(self, path, compression, reader_func, shard_func, name)

    def save(self, path, compression=None, shard_func=None, checkpoint_args=None):
        """Writes the elements to a folder, for `load`."""
        from .dataset_files import save

        return save(self, path, compression, shard_func, checkpoint_args)


def _without_version(op_name) -> str:
    """What a dataset of an op is called."""
    name = op_name.partition("DatasetV")[0]
    return name if name.endswith("Dataset") else name + "Dataset"


def _refuse_lists(nested):
    if isinstance(nested, list):
        raise TypeError(
            "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects. Python `list` is "
            "not supported and you should use `tuple` instead."
        )
    for _, child in nest.items(nested) or ():
        _refuse_lists(child)


def _type_of(spec):
    return spec.value_type if hasattr(spec, "value_type") else type(spec)


def _first_of_pair(spec):
    if not isinstance(spec, tuple) or len(spec) != 2:
        raise TypeError(
            "Invalid `scan_func`. `scan_func` should return a pair consisting of new state and the output value but its return type "
            f"is {spec}."
        )
    return spec[0]


def _known_size(size, drop):
    """The batch size, when every batch has it."""
    if not static_values.known_value(drop):
        return None
    found = static_values.known_value(size)
    return None if found is None else int(found)


class _VariantDataset(Dataset):
    """A dataset of a variant that came from elsewhere: an element, an argument, a result of a function."""

    def __init__(self, variant_tensor, element_spec):
        super().__init__(variant_tensor)
        self._element_spec = element_spec


class _DatasetBatch(_VariantDataset):
    """Datasets of one spec, as an element that can be sliced."""

    _type_spec = property(lambda self: DatasetSpec(self._element_spec, self._variant_tensor.shape))


def batch_of_datasets(values):
    """The datasets of a list, which may be of lists, as one value; None where there are others or their specs differ."""
    flat = _leaves_of_lists(values)
    if not flat or not all(isinstance(d, Dataset) and d.element_spec == flat[0].element_spec for d in flat):
        return None

    def variants(value):
        return op("Pack")([variants(v) for v in value]) if isinstance(value, list) else value._variant_tensor

    return _DatasetBatch(variants(values), flat[0].element_spec)


def _leaves_of_lists(values) -> list:
    return [leaf for v in values for leaf in (_leaves_of_lists(v) if isinstance(v, list) else [v])]


class DatasetSpec(BatchableTypeSpec):
    """What a dataset has to be: the spec of its elements. dataset_shape: of a batch of datasets."""

    __slots__ = ("_element_spec", "_dataset_shape")

    def __init__(self, element_spec, dataset_shape=()):
        self._element_spec, self._dataset_shape = element_spec, tensor_shape.as_shape(dataset_shape)

    value_type = property(lambda self: Dataset)
    element_spec = property(lambda self: self._element_spec)
    _component_specs = property(lambda self: TensorSpec(self._dataset_shape, dtypes.variant))

    @staticmethod
    def from_value(value):
        """The spec of a dataset."""
        return DatasetSpec(value.element_spec)

    def _serialize(self):
        return self._element_spec, self._dataset_shape

    def _to_components(self, value):
        return value._variant_tensor

    def _from_components(self, components):
        made = _DatasetBatch if self._dataset_shape.rank else _VariantDataset
        return made(components, self._element_spec)

    def _to_tensor_list(self, value):
        return [self._to_components(value)]

    def _batch(self, batch_size):
        return DatasetSpec(self._element_spec, tensor_shape.TensorShape([batch_size]).concatenate(self._dataset_shape))

    def _unbatch(self):
        if self._dataset_shape.rank == 0:
            raise ValueError("Slicing dataset elements is not supported for rank 0.")
        return DatasetSpec(self._element_spec, self._dataset_shape[1:])

    def _to_legacy_output_types(self):
        return self

    _to_legacy_output_shapes = _to_legacy_output_classes = _to_legacy_output_types
