"""Random tensors that follow from a seed of two integers alone: the same seed and shape, the same numbers."""

from __future__ import annotations

import enum

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import name_scope
from ..core.tensor import Tensor
from . import array_ops
from .array_ops import cast, convert_to_tensor
from .random_ops import crop, of_gamma, scaled, shape_tensor

_FIRST_WORD = 498247692  # before the two of a seed for index shuffles
_FLOATS = ["float16", "bfloat16", "float32", "float64"]
_UNIFORM = [dtypes.as_dtype(n) for n in _FLOATS + ["int32", "int64", "uint32", "uint64"]]


class Algorithm(enum.Enum):
    """How the numbers are made."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


_ALGORITHMS = {a.name.lower(): a for a in Algorithm}


def algorithm_number(alg):
    """An algorithm, its name or its number, as a number (or the tensor of one that was given)."""
    if isinstance(alg, Algorithm):
        return alg.value
    if isinstance(alg, str):
        if alg not in _ALGORITHMS:
            raise ValueError(
                f"Argument `alg` got unsupported value {alg}. Supported values are philox for the Philox algorithm, "
                "threefry for the ThreeFry algorithm, and auto_select for auto-selection."
            )
        return _ALGORITHMS[alg].value
    if isinstance(alg, Tensor):
        return alg
    if not isinstance(alg, int):
        raise TypeError(f"Can't convert argument `alg` (of value {alg} and type {type(alg)}) to int.")
    if alg not in (1, 2, 3):
        raise ValueError(
            f"Argument `alg` got unsupported value {alg}. Supported values are 1 for the Philox algorithm, 2 for the "
            "ThreeFry algorithm, and 3 for auto-selection."
        )
    return alg


def key_counter(seed, alg):
    """(key, counter, number of the algorithm) of a seed: uint64 [1] and [2], and an integer."""
    alg = algorithm_number(alg)
    if alg == Algorithm.THREEFRY.value:
        words = cast(convert_to_tensor(seed), dtypes.uint32)
        low, high = cast(words[0], dtypes.uint64), cast(words[1], dtypes.uint64)
        key = op("BitwiseOr")(low, op("LeftShift")(high, convert_to_tensor(32, dtypes.uint64)))
        return array_ops.reshape(key, [1]), array_ops.zeros([1], dtypes.uint64), alg
    key, counter = op("StatelessRandomGetKeyCounter")(seed)
    return key, counter, alg


def _around_mean(op_name, default_name, shape, seed, mean, stddev, dtype, name, alg):
    with name_scope(name or default_name) as scope:
        shape = shape_tensor(shape)
        mean, stddev = convert_to_tensor(mean, dtype, name="mean"), convert_to_tensor(stddev, dtype, name="stddev")
        made = op(op_name)(shape, *key_counter(seed, alg), dtype=dtypes.as_dtype(dtype))
        return scaled(made, stddev, mean, scope)


def stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None, alg="auto_select"):
    """Normally distributed numbers of a seed, an integer tensor [2]."""
    names = "StatelessRandomNormalV2", "stateless_random_normal"
    return _around_mean(*names, shape, seed, mean, stddev, dtype, name, alg)


def stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None, alg="auto_select"):
    """Normally distributed numbers of a seed, none further than two stddevs from the mean."""
    names = "StatelessTruncatedNormalV2", "stateless_truncated_normal"
    return _around_mean(*names, shape, seed, mean, stddev, dtype, name, alg)


def stateless_uniform(shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None, alg="auto_select"):
    """Numbers of [minval, maxval). Integers of the whole range of their type when both are None.

    ValueError when only one bound of integers is given, or for a type that has no such numbers.
    """
    dtype = dtypes.as_dtype(dtype)
    _check_uniform(dtype, minval, maxval)
    with name_scope(name or "stateless_random_uniform") as scope:
        shape = shape_tensor(shape)
        if dtype.is_integer and minval is None:
            return op("StatelessRandomUniformFullIntV2")(shape, *key_counter(seed, alg), dtype=dtype, name=scope)
        low = convert_to_tensor(minval, dtype, name="min")
        high = convert_to_tensor(1 if maxval is None else maxval, dtype, name="max")
        if dtype.is_integer:
            return op("StatelessRandomUniformIntV2")(shape, *key_counter(seed, alg), low, high, name=scope)
        made = op("StatelessRandomUniformV2")(shape, *key_counter(seed, alg), dtype=dtype)
        return scaled(made, op("Sub")(high, low, name="sub"), low, scope)


def _check_uniform(dtype, minval, maxval):
    if dtype not in _UNIFORM:
        accepted = ", ".join(f"tf.{d.name}" for d in _UNIFORM)
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are ({accepted}).")
    if not dtype.is_integer:
        return
    if (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer `dtype` argument {dtype}, argument `minval` and `maxval` must be both None or not None. "
            f"Got `minval`={minval} and `maxval`={maxval}."
        )
    if minval is not None and dtype.is_unsigned:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype} when argument `minval` is not None. Please don't use unsigned "
            "integers in this case."
        )


def stateless_gamma(shape, seed, alpha, beta=None, dtype=dtypes.float32, name=None):
    """Numbers of gamma distributions, of shape `shape`, with which alpha and beta broadcast."""
    with name_scope(name or "stateless_random_gamma"):
        shape = shape_tensor(shape)
        return of_gamma(lambda alphas: _gamma(shape, seed, alphas), alpha, beta, dtype)


def _gamma(shape, seed, alphas):
    key, counter, alg = key_counter(seed, "auto_select")
    return op("StatelessRandomGammaV3")(shape, key, counter, alg, alphas)


def stateless_poisson(shape, seed, lam, dtype=dtypes.int32, name=None):
    """Numbers of Poisson distributions of the rates `lam`, which broadcast with `shape`."""
    with name_scope(name or "stateless_random_poisson"):
        return op("StatelessRandomPoisson")(shape_tensor(shape), seed, lam, dtype=dtypes.as_dtype(dtype))


def stateless_binomial(shape, seed, counts, probs, output_dtype=dtypes.int32, name=None):
    """How many of `counts` trials succeed, each with its probability; both broadcast with `shape`."""
    with name_scope(name or "stateless_random_binomial"):
        shape = shape_tensor(shape)
        probs = convert_to_tensor(probs, name="probs")
        counts = convert_to_tensor(counts, probs.dtype, name="counts")
        return op("StatelessRandomBinomial")(shape, seed, counts, probs, dtype=dtypes.as_dtype(output_dtype))


def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    """Class numbers, [batch, num_samples], by the unnormalised log probabilities [batch, classes]."""
    with name_scope(name or "stateless_categorical"):
        return _multinomial(logits, num_samples, seed, dtype)


def stateless_multinomial_v1(logits, num_samples, seed, output_dtype=dtypes.int64, name=None):
    """`stateless_categorical` under its older name."""
    with name_scope(name or "stateless_multinomial"):
        return _multinomial(logits, num_samples, seed, output_dtype)


def _multinomial(logits, num_samples, seed, dtype):
    logits = convert_to_tensor(logits)
    return op("StatelessMultinomial")(logits, num_samples, seed, output_dtype=dtypes.as_dtype(dtype or dtypes.int64))


def stateless_parameterized_truncated_normal(shape, seed, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, name=None):
    """Normally distributed numbers between bounds: all parameters broadcast with `shape`, and say the type."""
    with name_scope(name or "stateless_parameterized_truncated_normal"):
        shape = shape_tensor(shape)
        means = convert_to_tensor(means)
        others = [convert_to_tensor(v, means.dtype) for v in (stddevs, minvals, maxvals)]
        return op("StatelessParameterizedTruncatedNormal")(shape, seed, means, *others)


def stateless_shuffle(value, seed, alg="auto_select", name=None):
    """The rows of `value` in an order that follows from the seed."""
    with name_scope(name or "stateless_shuffle"):
        key, counter, alg = key_counter(seed, alg)
        return op("StatelessShuffle")(value, key, counter, alg)


def split(seed, num=2, alg="auto_select"):
    """`num` seeds, [num, 2], that follow from one."""
    seed = convert_to_tensor(seed)
    return stateless_uniform([num, 2], seed, minval=None, maxval=None, dtype=seed.dtype, alg=alg)


def fold_in(seed, data, alg="auto_select"):
    """Another seed, which follows from a seed and an integer."""
    data = convert_to_tensor(data)
    first = stateless_uniform([], seed, minval=None, maxval=None, dtype=data.dtype, alg=alg)
    return array_ops.stack([first, data])


def index_shuffle(index, seed, max_index):
    """Where an index (a scalar, or [n]) comes to be in a shuffle of 0 ... max_index. The seed: [2] or [n, 2]."""
    seed = convert_to_tensor(seed)
    others = [[0, 0]] * (seed.shape.rank - 1)
    words = op("PadV2")(seed, [[1, 0], *others], convert_to_tensor(_FIRST_WORD, seed.dtype))
    return op("RandomIndexShuffle")(index, words, max_index, rounds=4)


def random_index_shuffle(index, seed, max_index, rounds=4, name=None):
    """The same with a seed of three integers, and a number of rounds."""
    return op("RandomIndexShuffle")(index, seed, max_index, rounds=rounds, name=name)


def stateless_random_crop(value, size, seed, name=None):
    """A slice of shape `size` from a place of `value` that follows from the seed."""
    with name_scope(name or "stateless_random_crop") as scope:

        def draw(shape, dtype):
            return stateless_uniform(shape, seed, minval=0, maxval=dtype.max, dtype=dtype)

        return crop(value, size, scope, draw)
