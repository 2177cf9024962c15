"""tf.nn: moments, and normalization by them."""

from __future__ import annotations

from ..core import dtypes, scopes
from ..core.op_defs import op
from . import array_ops
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
        mean = op("Mean")(y, axes, keep_dims=True)
        variance = op("Mean")(op("SquaredDifference")(y, array_ops.stop_gradient(mean)), axes, keep_dims=True)
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
            counts = op("Prod")(cast(array_ops.gather(array_ops.shape(x), axes), x.dtype), 0)
        if shift is not None:
            shift = convert_to_tensor(shift)
            sums, squares = x - shift, op("SquaredDifference")(x, shift)
        else:
            sums, squares = x, op("Square")(x)
        sums, squares = (op("Sum")(v, axes, keep_dims=keepdims) for v in (sums, squares))
        return counts, sums, squares, shift


def sufficient_statistics_v1(x, axes, shift=None, keep_dims=None, name=None, keepdims=None):
    """sufficient_statistics with compat.v1's parameters."""
    keep = bool(_one_of("keepdims", keepdims, "keep_dims", keep_dims))
    return sufficient_statistics(x, axes, shift, keep, name)


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """(mean, variance) of what sufficient_statistics gives."""
    divisor = op("Reciprocal")(counts)
    shifted = mean_ss * divisor
    mean = shifted if shift is None else shifted + shift
    return mean, op("Sub")(variance_ss * divisor, op("Square")(shifted), name=name)


def weighted_moments(x, axes, frequency_weights, keepdims=False, name=None):
    """(mean, variance) over the axes, with weights that broadcast to x."""
    with scopes.name_scope(name or "weighted_moments"):
        x = convert_to_tensor(x)
        weights = convert_to_tensor(frequency_weights)
        axes = list(axes) if isinstance(axes, (list, tuple)) else [axes]
        narrow = x.dtype in (_float16, _bfloat16)
        y = cast(x, dtypes.float32) if x.dtype == _float16 else x
        weights = cast(weights, y.dtype)
        weighted = op("Sum")(weights * y, axes, keep_dims=True)
        total = op("Sum")(array_ops.zeros_like(y) + weights, axes, keep_dims=True)
        mean = op("DivNoNan")(weighted, total)
        spread = op("Sum")(weights * op("SquaredDifference")(y, mean), axes, keep_dims=True)
        variance = op("DivNoNan")(spread, total)
        if not keepdims:
            mean, variance = _squeezed(mean, axes), _squeezed(variance, axes)
        return (cast(mean, x.dtype), cast(variance, x.dtype)) if narrow else (mean, variance)


def weighted_moments_v1(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None):
    """weighted_moments with compat.v1's parameters."""
    keep = bool(_one_of("keepdims", keepdims, "keep_dims", keep_dims))
    return weighted_moments(x, axes, frequency_weights, keep, name)


# ---- normalization


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """(x - mean) / sqrt(variance + variance_epsilon) * scale + offset, where the last two may be None."""
    x = convert_to_tensor(x)
    inverse = op("Rsqrt")(convert_to_tensor(variance) + variance_epsilon)
    if scale is not None:
        inverse = inverse * scale
    shift = -mean * inverse if offset is None else offset - mean * inverse
    return op("AddV2")(x * cast(inverse, x.dtype), cast(shift, x.dtype), name=name)


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
    scale = convert_to_tensor(scale, dtype_hint=dtypes.float32)
    offset = convert_to_tensor(offset, scale.dtype)
    none = convert_to_tensor([], scale.dtype)
    made = op("FusedBatchNormV3")(
        x,
        scale,
        offset,
        none if mean is None else mean,
        none if variance is None else variance,
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


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """x over the root of its sum of squares along the axis, which counts as at least epsilon."""
    axis = _one_of("axis", axis, "dim", dim)
    x = convert_to_tensor(x)
    axes = list(range(x.shape.rank)) if axis is None and x.shape.rank is not None else axis
    if axes is None:
        axes = op("Range")(0, array_ops.rank(x), 1)
    if x.dtype.is_complex:
        squares = op("Square")(op("Real")(x, Tout=x.dtype.real_dtype)) + op("Square")(
            op("Imag")(x, Tout=x.dtype.real_dtype)
        )
    else:
        squares = op("Square")(x)
    total = op("Sum")(squares, axes, keep_dims=True)
    inverse = op("Rsqrt")(op("Maximum")(total, convert_to_tensor(epsilon, total.dtype)))
    return op("Mul")(x, cast(inverse, x.dtype), name=name)
