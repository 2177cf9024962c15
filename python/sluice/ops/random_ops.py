"""Random tensors of ops that keep their own state: other numbers with each run, the same sequence for the same seeds."""

from __future__ import annotations

from ..core import dtypes, graph
from ..core.op_defs import op
from ..core.scopes import control_dependencies, name_scope
from . import array_ops, random_seeds
from .array_ops import convert_to_tensor

_UNIFORM = [dtypes.as_dtype(n) for n in ("float16", "bfloat16", "float32", "float64", "int32", "int64")]


def shape_tensor(shape):
    """A shape argument as a vector of int32 or int64."""
    return convert_to_tensor(array_ops._shape_argument(shape), name="shape")


def scaled(sample, factor, offset, name):
    """sample * factor + offset: the last node has the name of the function's scope."""
    return op("AddV2")(op("Mul")(sample, factor, name="mul"), offset, name=name)


def normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Normally distributed numbers; mean and stddev have shapes that broadcast with `shape`."""
    return _around_mean("RandomStandardNormal", "random_normal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Normally distributed numbers; those further than two stddevs from the mean are drawn again."""
    return _around_mean("TruncatedNormal", "truncated_normal", shape, mean, stddev, dtype, seed, name)


def parameterized_truncated_normal(
    shape, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, dtype=dtypes.float32, seed=None, name=None
):
    """Normally distributed numbers of [minvals, maxvals], with parameters for each batch: the first size of the shape."""
    with name_scope(name or "parameterized_truncated_normal"):
        values = [convert_to_tensor(v, dtype) for v in (means, stddevs, minvals, maxvals)]
        return op("ParameterizedTruncatedNormal")(shape_tensor(shape), *values, **random_seeds.attrs(seed))


def _around_mean(op_name, default_name, shape, mean, stddev, dtype, seed, name):
    with name_scope(name or default_name) as scope:
        shape = shape_tensor(shape)
        mean, stddev = convert_to_tensor(mean, dtype, name="mean"), convert_to_tensor(stddev, dtype, name="stddev")
        made = op(op_name)(shape, dtype=dtypes.as_dtype(dtype), **random_seeds.attrs(seed))
        return scaled(made, stddev, mean, scope)


def uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of [minval, maxval), which for integers has to be given, for others is 1 when it is not.

    ValueError for types other than float16, bfloat16, float32, float64, int32 and int64.
    """
    dtype = dtypes.as_dtype(dtype)
    if dtype not in _UNIFORM:
        accepted = ", ".join(f"tf.{d.name}" for d in _UNIFORM)
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are ({accepted}).")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    with name_scope(name or "random_uniform") as scope:
        shape = shape_tensor(shape)
        if not dtype.is_integer and is_number(minval, 0) and is_number(maxval, 1):
            return op("RandomUniform")(shape, dtype=dtype, **random_seeds.attrs(seed))
        low, high = convert_to_tensor(minval, dtype, name="min"), convert_to_tensor(maxval, dtype, name="max")
        if dtype.is_integer:
            return op("RandomUniformInt")(shape, low, high, name=scope, **random_seeds.attrs(seed))
        made = op("RandomUniform")(shape, dtype=dtype, **random_seeds.attrs(seed))
        return scaled(made, op("Sub")(high, low, name="sub"), low, scope)


def is_number(value, number) -> bool:
    return type(value) in (int, float) and value == number


def shuffle(value, seed=None, name=None):
    """The same rows (along the first axis) in another order."""
    return op("RandomShuffle")(value, name=name, **random_seeds.attrs(seed))


def gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of gamma distributions: of shape `shape` + broadcast of alpha and beta. dtype float16, float32 or float64."""
    with name_scope(name or "random_gamma"):
        shape = shape_tensor(shape)
        return of_gamma(lambda alphas: op("RandomGamma")(shape, alphas, **random_seeds.attrs(seed)), alpha, beta, dtype)


def of_gamma(draw, alpha, beta, dtype):
    """`draw` of the broadcast alphas, over beta. Never 0, which a type that is not exact might give."""
    import numpy

    alpha = convert_to_tensor(alpha, dtype, name="alpha")
    beta = convert_to_tensor(1 if beta is None else beta, dtype, name="beta")
    alphas = op("BroadcastTo")(alpha, op("BroadcastArgs")(array_ops.shape(alpha), array_ops.shape(beta)))
    tiny = numpy.finfo(alpha.dtype.as_numpy_dtype).tiny
    drawn = op("RealDiv")(draw(alphas), beta, name="truediv")
    return op("Maximum")(tiny if graph.current() is not None else convert_to_tensor(tiny, alpha.dtype), drawn)


def poisson(shape, lam, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of Poisson distributions of the rates `lam`: of shape `shape` + shape of lam."""
    with name_scope(name or "random_poisson"):
        return op("RandomPoissonV2")(shape_tensor(shape), lam, dtype=dtypes.as_dtype(dtype), **random_seeds.attrs(seed))


def poisson_v1(lam, shape, dtype=dtypes.float32, seed=None, name=None):
    """`poisson` with its arguments in another order."""
    return poisson(shape, lam, dtype, seed, name)


def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    """Class numbers, [batch, num_samples], each drawn by the unnormalised log probabilities of its row of [batch, classes]."""
    with name_scope(name or "categorical"):
        return _multinomial(logits, num_samples, dtype, seed, None)


def multinomial_v1(logits, num_samples, seed=None, name=None, output_dtype=None):
    """`categorical` under its older name."""
    with name_scope(name or "multinomial"):
        return _multinomial(logits, num_samples, output_dtype, seed, None)


def _multinomial(logits, num_samples, dtype, seed, name):
    dtype = dtypes.as_dtype(dtype or dtypes.int64)
    logits = convert_to_tensor(logits)
    return op("Multinomial")(logits, num_samples, output_dtype=dtype, name=name, **random_seeds.attrs(seed))


def random_crop(value, size, seed=None, name=None):
    """A slice of shape `size` from a random place of `value`; InvalidArgumentError when value is smaller."""
    with name_scope(name or "random_crop") as scope:
        return crop(value, size, scope, lambda shape, dtype: uniform(shape, maxval=dtype.max, dtype=dtype, seed=seed))


def crop(value, size, name, draw):
    """A slice from where `draw(shape, dtype)`, numbers of the whole range of the type, says."""
    value, size = convert_to_tensor(value, name="value"), convert_to_tensor(size, dtypes.int32, name="size")
    shape = array_ops.shape(value)
    from .assert_ops import Assert
    from .math_ops import reduce_all

    fits = reduce_all(op("GreaterEqual")(shape, size))
    checked = Assert(fits, ["Need value.shape >= size, got ", shape, size], summarize=1000)
    with control_dependencies([] if checked is None else [checked]):
        shape = array_ops.identity(shape, name="control_dependency")
    limit = op("AddV2")(op("Sub")(shape, size, name="sub"), 1, name="add")
    offset = op("FloorMod")(draw(array_ops.shape(limit), size.dtype), limit, name="mod")
    return op("Slice")(value, offset, size, name=name)
