"""Datasets of which elements are chosen: sampled at random, directed by another dataset, resampled by class."""

from __future__ import annotations

from ..core import dtypes, static_values
from ..core.op_defs import op
from ..core.type_spec import TensorSpec
from ..ops import array_ops, math_ops
from . import elements


def _directed(cls, selector, datasets, stop_on_empty_dataset):
    spec = datasets[0].element_spec
    for i, d in enumerate(datasets[1:], 1):
        try:
            spec = elements.common(spec, d.element_spec)
        except TypeError as error:
            raise TypeError(
                "Invalid `datasets`. `datasets` must have compatible element specs.\n Dataset 0 "
                f"element_spec={datasets[0].element_spec}.\nDataset {i} element_spec={d.element_spec}."
            ) from error
    made = op("DirectedInterleaveDataset")(
        selector._variant_tensor, [d._variant_tensor for d in datasets], stop_on_empty_dataset=bool(stop_on_empty_dataset),
        **elements.attrs(spec),
    )  # fmt: skip
    return cls._made("DirectedInterleaveDataset", made, spec, (selector, *datasets))


def choose_from_datasets(cls, datasets, choice_dataset, stop_on_empty_dataset):
    """Elements of the datasets that choice_dataset names."""
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    if not isinstance(choice_dataset.element_spec, TensorSpec) or not elements.are_compatible(
        choice_dataset.element_spec, TensorSpec([], dtypes.int64)
    ):
        raise TypeError(
            "Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` tensors but are "
            f"{choice_dataset.element_spec}."
        )
    return _directed(cls, choice_dataset, list(datasets), stop_on_empty_dataset)


def sample_from_datasets(cls, datasets, weights, seed, stop_on_empty_dataset, rerandomize_each_iteration):
    """Elements of datasets chosen by draws from a categorical distribution, whose seeds are pairs of a random dataset."""
    datasets = list(datasets)
    if not datasets:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    plain = weights is not None and not _is_dataset(weights)
    if plain:
        weights = array_ops.convert_to_tensor(weights)
        _check(weights, datasets)
        known = static_values.known_value(weights)
        if known is not None:
            kept = [i for i, w in enumerate(known) if w > 0]
            if not kept:
                return datasets[0].take(0)
            datasets, weights = [datasets[i] for i in kept], array_ops.convert_to_tensor(known[kept])
        if len(datasets) == 1:
            return datasets[0]
    elif weights is None:
        if len(datasets) == 1:
            return datasets[0]
        weights = array_ops.constant([1.0] * len(datasets), dtypes.float32)
        plain = True
    pairs = cls.random(seed=seed, rerandomize_each_iteration=rerandomize_each_iteration).batch(2)
    if plain:
        logits = math_ops.log(weights)
        selector = pairs.map(lambda pair: _draw(logits, pair))
    else:
        selector = cls.zip((weights, pairs)).map(lambda w, pair: _draw(math_ops.log(w), pair))
    return _directed(cls, selector, datasets, stop_on_empty_dataset)


def _is_dataset(value) -> bool:
    from .dataset import Dataset

    return isinstance(value, Dataset)


def _check(weights, datasets):
    if weights.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(
            f"Invalid `weights`. `weights` type must be either `tf.float32` or `tf.float64` but is {weights.dtype}."
        )
    if weights.shape.rank not in (None, 1):
        raise ValueError(
            "Invalid `weights`. The shape of `weights` should be compatible with `[len(datasets)]` but is "
            f"{weights.shape}."
        )
    n = weights.shape[0] if weights.shape.rank else None
    if n is not None and n != len(datasets):
        raise ValueError(
            "Invalid `weights`. `weights` should have the same length as `datasets` but got "
            f"`len(weights)={n}` vs. `len(datasets)={len(datasets)}`."
        )


def _draw(logits, pair):
    drawn = op("StatelessMultinomial")(op("ExpandDims")(logits, 0), 1, pair, output_dtype=dtypes.int64)
    return op("Squeeze")(drawn, squeeze_dims=[0, 1])


# ---- resampling by class


def rejection_resample(dataset, class_func, target_dist, initial_dist, seed, name):
    """Pairs (class, element) in which the classes' shares are near those of target_dist.

    With ratios target / initial, as many elements as the smallest ratio says come as they are; the others are kept with the chances
    that make up the difference. The two are drawn from side by side, so that elements may come twice.
    """
    target = array_ops.convert_to_tensor(target_dist, dtypes.float32)
    classes = dataset.map(class_func, name=name)
    if initial_dist is None:
        initial, share = _estimated(classes, target), None
    else:
        fixed = array_ops.convert_to_tensor(initial_dist, dtypes.float32)
        initial, share = (
            dataset.from_tensors(fixed).repeat(),
            static_values.get_static_value(_chances(fixed, target)[1]),
        )
    plan = initial.map(lambda dist: _chances(dist, target))
    pairs = dataset.zip((classes, dataset), name=name)
    if share == 1:
        return pairs
    kept = _kept(pairs, plan.map(lambda chances, _: chances), seed, name)
    if share == 0:
        return kept
    weights = plan.map(lambda _, plain: op("Pack")([plain, 1.0 - plain]))
    return dataset.sample_from_datasets([pairs, kept], weights=weights, seed=seed, stop_on_empty_dataset=True)


def _chances(initial, target):
    """(the chance of each class to be kept, the share of elements that come as they are)."""
    ratio = target / math_ops.maximum(initial, _tiny(initial))
    least, most = math_ops.reduce_min(ratio), math_ops.reduce_max(ratio)
    return (ratio - least) / (most - least), least


def _kept(pairs, chances, seed, name):
    """The pairs of class and element that a draw by the class' chance keeps."""
    from ..ops import random_ops

    def with_chance(chances_of_all, pair):
        return op("GatherV2")(chances_of_all, pair[0], 0), pair

    drawn = pairs.zip((chances, pairs)).map(with_chance)
    drawn = drawn.filter(lambda chance, pair: op("Less")(random_ops.uniform([], seed=seed), chance), name=name)
    return drawn.map(lambda chance, pair: pair, name=name)


def _tiny(like):
    import numpy

    return numpy.finfo(like.dtype.as_numpy_dtype).tiny


def _estimated(classes, target):
    """The shares of the classes so far, each class counted a little from the start: anew after every 32 elements, for these."""
    import numpy

    count, rows = int(target.shape[0]), 32
    start = numpy.ones([count], numpy.int64) * 10

    def update(counts, c):
        one, zero = (array_ops.constant(x, dtypes.int64) for x in (1, 0))
        new = counts + op("Sum")(op("OneHot")(op("Cast")(c, DstT=dtypes.int64), count, one, zero), 0)
        new = op("EnsureShape")(new, shape=[count])
        shares = op("Cast")(
            op("Cast")(new, DstT=dtypes.float64) / op("Cast")(op("Sum")(new, 0), DstT=dtypes.float64),
            DstT=dtypes.float32,
        )
        return new, array_ops.tile(op("ExpandDims")(shares, 0), [rows, 1])

    return classes.batch(rows).scan(start, update).unbatch()
