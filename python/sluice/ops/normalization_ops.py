"""tf.nn: moments, and normalization by them."""

from __future__ import annotations

from ..core import dtypes, scopes
from ..core.op_defs import op
from ..core.scopes import in_scope
from . import array_ops, math_ops
from .array_ops import _one_of, cast, convert_to_tensor

_float16, _bfloat16 = dtypes.as_dtype("float16"), dtypes.as_dtype("bfloat16")


def _axes(axes):
    return list(axes) if isinstance(axes, (list, tuple)) else axes


def _squeezed(x, axes):
    return op("Squeeze")(x, squeeze_dims=axes if isinstance(axes, list) else [int(axes)])


# ---- moments


def moments(x, axes, shift=None, keepdims=False, name=None):
    """(mean, variance) over the axes; of float16 computed in float32. The shift is not needed, and not used."""
    with scopes.name_scope(name or "moments"):
        x, axes = convert_to_tensor(x), _axes(axes)
        y = cast(x, dtypes.float32) if x.dtype == _float16 else x
        mean = op("Mean")(y, axes, keep_dims=True, name="mean")
        squares = op("SquaredDifference")(y, array_ops.stop_gradient(mean))
        variance = op("Mean")(squares, axes, keep_dims=True, name="variance")
        if not keepdims:
            mean, variance = _without(mean, y, axes), _without(variance, y, axes)
        return (cast(mean, _float16), cast(variance, _float16)) if x.dtype == _float16 else (mean, variance)


def _without(made, x, axes):
    """A reduction that kept its axes, without them."""
    if isinstance(axes, (list, int)):
        return _squeezed(made, axes)
    return op("Sum")(made, axes)


def moments_v1(x, axes, shift=None, name=None, keep_dims=None, keepdims=None):
    """moments with compat.v1's parameters."""
    return moments(x, axes, shift, bool(_one_of("keepdims", keepdims, "keep_dims", keep_dims)), name)


def sufficient_statistics(x, axes, shift=None, keepdims=False, name=None):
    """(count, sum, sum of squares, shift), from which normalize_moments computes mean and variance.

    shift: what is taken from x first, for sums that do not cancel; None for nothing.
    """
    with scopes.name_scope(name or "sufficient_statistics"):
        x, axes = convert_to_tensor(x), sorted({int(a) for a in axes})
        dims = None if x.shape.rank is None else [x.shape[a] for a in axes]
        if dims is not None and None not in dims:
            count = 1
            for n in dims:
                count *= n
            counts = convert_to_tensor(count, x.dtype)
        else:
            counts = op("Prod")(array_ops.gather(cast(array_ops.shape(x), x.dtype), axes), [0], name="count")
        if shift is not None:
            shift = convert_to_tensor(shift, name="shift")
            sums, squares = op("Sub")(x, shift), op("SquaredDifference")(x, shift)
        else:
            sums, squares = x, op("Square")(x)
        sums = op("Sum")(sums, axes, keep_dims=keepdims, name="mean_ss")
        squares = op("Sum")(squares, axes, keep_dims=keepdims, name="var_ss")
        return counts, sums, squares, shift


def sufficient_statistics_v1(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    """sufficient_statistics with compat.v1's parameters."""
    keep = bool(_one_of("keepdims", keepdims, "keep_dims", keep_dims))
    return sufficient_statistics(x, axes, shift, keep, name)


@in_scope("normalize", names_last=False)
def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """(mean, variance) of what sufficient_statistics gives."""
    divisor = op("Reciprocal")(counts, name="divisor")
    if shift is None:
        mean = shifted = op("Mul")(mean_ss, divisor, name="mean")
    else:
        shifted = op("Mul")(mean_ss, divisor, name="shifted_mean")
        mean = op("AddV2")(shifted, shift, name="mean")
    return mean, op("Sub")(op("Mul")(variance_ss, divisor), op("Square")(shifted), name="variance")


def weighted_moments(x, axes, frequency_weights, keepdims=False, name=None):
    """(mean, variance) over the axes, with weights that broadcast to x."""
    with scopes.name_scope(name or "weighted_moments"):
        x = convert_to_tensor(x)
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        axes = list(axes) if isinstance(axes, (list, tuple)) else [axes]
        narrow = x.dtype in (_float16, _bfloat16)
        y = cast(x, dtypes.float32) if x.dtype == _float16 else x
        weights = cast(weights, y.dtype)
        weighted = op("Sum")(weights * y, axes, keep_dims=True, name="weighted_input_sum")
        total = op("Sum")(array_ops.zeros_like(y) + weights, axes, keep_dims=True, name="sum_of_weights")
        mean = op("DivNoNan")(weighted, total, name="div_no_nan")
        spread = weights * op("SquaredDifference")(y, mean)
        spread = op("Sum")(spread, axes, keep_dims=True, name="weighted_distsq")
        variance = op("DivNoNan")(spread, total, name="div_no_nan")
        if not keepdims:
            mean, variance = _squeezed(mean, axes), _squeezed(variance, axes)
        return (cast(mean, x.dtype), cast(variance, x.dtype)) if narrow else (mean, variance)


def weighted_moments_v1(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    """weighted_moments with compat.v1's parameters."""
    keep = bool(_one_of("keepdims", keepdims, "keep_dims", keep_dims))
    return weighted_moments(x, axes, frequency_weights, keep, name)


# ---- normalization


@in_scope("batchnorm", names_last=False)
def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """(x - mean) / sqrt(variance + variance_epsilon) * scale + offset, where the last two may be None."""
    x = convert_to_tensor(x)
    variance = variance if isinstance(variance, float) else convert_to_tensor(variance)
    inverse = op("Rsqrt")(variance + variance_epsilon)
    if scale is not None:
        inverse = inverse * scale
    scaled = x * cast(inverse, x.dtype)
    shift = -mean * inverse if offset is None else offset - mean * inverse
    return scaled + cast(shift, x.dtype)


def batch_norm_with_global_normalization(
    input, mean, variance, beta, gamma, variance_epsilon, scale_after_normalization, name=None
):
    """batch_normalization by vectors, with gamma as the scale if that is asked for."""
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)


def batch_norm_with_global_normalization_v1(
    t=None,
    m=None,
    v=None,
    beta=None,
    gamma=None,
    variance_epsilon=None,
    scale_after_normalization=None,
    name=None,
    input=None,
    mean=None,
    variance=None,
):
    """batch_norm_with_global_normalization with compat.v1's parameters."""
    return batch_norm_with_global_normalization(
        _one_of("input", input, "t", t),
        _one_of("mean", mean, "m", m),
        _one_of("variance", variance, "v", v),
        beta,
        gamma,
        variance_epsilon,
        scale_after_normalization,
        name,
    )


_LEAST_EPSILON = 1.001e-5  # what cuDNN needs; TensorFlow takes it everywhere


def fused_batch_norm(
    x,
    scale,
    offset,
    mean=None,
    variance=None,
    epsilon=0.001,
    data_format="NHWC",
    is_training=True,
    name=None,
    exponential_avg_factor=1.0,
):
    """(y, mean, variance): x normalized by each channel, by the batch's moments when training, else by the given ones.

    When training the moments are new running ones: (1 - factor) of the given and the factor of the batch's.
    """
    if (not is_training or exponential_avg_factor != 1.0) and (mean is None or variance is None):
        raise ValueError(
            "Both `mean` and `variance` must be a 1D tensor when `is_training` is False or `exponential_avg_factor` != 1.0. "
            f"Received: `mean` {mean!r} and `variance` {variance!r}"
        )
    x = convert_to_tensor(x)
    scale = convert_to_tensor(scale, dtype_hint=dtypes.float32, name="scale")
    offset = convert_to_tensor(offset, scale.dtype, name="offset")
    made = op("FusedBatchNormV3")(
        x,
        scale,
        offset,
        convert_to_tensor([], scale.dtype) if mean is None else mean,
        convert_to_tensor([], scale.dtype) if variance is None else variance,
        epsilon=max(float(epsilon), _LEAST_EPSILON),
        exponential_avg_factor=float(exponential_avg_factor),
        data_format=data_format,
        is_training=is_training,
        name=name,
    )
    return made[0], made[1], made[2]


def local_response_normalization(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    """x / (bias + alpha * the sum of squares of depth_radius channels to both sides) ** beta."""
    return op("LRN")(
        input, depth_radius=depth_radius, bias=float(bias), alpha=float(alpha), beta=float(beta), name=name
    )


@in_scope("l2_normalize")
def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """x over the root of its sum of squares along the axis, which counts as at least epsilon."""
    axis = _one_of("axis", axis, "dim", dim)
    x = convert_to_tensor(x, name="x")
    parts = []
    if x.dtype.is_complex:
        parts = [op(part)(x, Tout=x.dtype.real_dtype) for part in ("Real", "Imag")]
        squares = op("Square")(parts[0]) + op("Square")(parts[1])
    else:
        squares = op("Square")(x)
    inverse = op("Rsqrt")(op("Maximum")(math_ops.reduce_sum(squares, axis, keepdims=True), epsilon))
    if parts:
        return op("Complex")(*(op("Mul")(part, inverse) for part in parts), Tout=x.dtype, name=name)
    return op("Mul")(x, inverse, name=name)
