"""tf.nn: pooling, and the greyscale morphology that is like it.

Windows and strides are a number, a list of one or one for each spatial axis, or one for each axis of the input.
"""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import in_scope
from . import array_ops, conv_ops, random_seeds
from .array_ops import _one_of, convert_to_tensor
from .conv_ops import channels_first, explicit_padding, per_axis


# ---- maxima and means of windows


def _rank_of(input, data_format):
    n = len(data_format) - 2 if data_format else None if input.shape.rank is None else input.shape.rank - 2
    if n not in (1, 2, 3):
        raise ValueError(f"`input` must have rank 3, 4 or 5. Received: input={input} of rank {input.shape.rank}")
    return n


def _windows(ksize, strides, n, data_format):
    return {
        "ksize": per_axis(ksize, n, data_format, "ksize"),
        "strides": per_axis(strides, n, data_format, "strides"),
    }


def _pool1d(pool2d, input, ksize, strides, padding, data_format, name):
    """By way of images of the height 1."""
    data_format = data_format or "NWC"
    first = channels_first(data_format)
    sizes = [
        conv_ops._widened(per_axis(v, 1, data_format, w), first) for v, w in ((ksize, "ksize"), (strides, "strides"))
    ]
    axis = 2 if first else 1
    made = pool2d(array_ops.expand_dims(input, axis), *sizes, padding, "NCHW" if first else "NHWC", name)
    return array_ops.squeeze(made, [axis])


@in_scope("MaxPool1d")
def max_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    """The maxima of windows of [batch, width, channels]."""
    if not isinstance(padding, str):
        raise ValueError(f"Explicit padding is not supported by max_pool1d. Received: padding={padding}")
    return _pool1d(max_pool2d, input, ksize, strides, padding, data_format, name)


def max_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    """The maxima of windows of [batch, height, width, channels]. padding: also a list of pairs."""
    data_format = data_format or "NHWC"
    padding, explicit = explicit_padding(padding)
    windows = _windows(ksize, strides, 2, data_format)
    name = name or "MaxPool2d"
    return op("MaxPool")(
        input, padding=padding, explicit_paddings=explicit, data_format=data_format, name=name, **windows
    )


def max_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    """The maxima of windows of [batch, depth, height, width, channels]."""
    data_format = data_format or "NDHWC"
    windows = _windows(ksize, strides, 3, data_format)
    return op("MaxPool3D")(input, padding=padding, data_format=data_format, name=name, **windows)


@in_scope("AvgPool1D")
def avg_pool1d(input, ksize, strides, padding, data_format="NWC", name=None):
    """The means of windows of [batch, width, channels]."""
    return _pool1d(avg_pool2d, input, ksize, strides, padding, data_format, name)


def avg_pool2d(input, ksize, strides, padding, data_format="NHWC", name=None):
    """The means of windows of [batch, height, width, channels]."""
    data_format = data_format or "NHWC"
    windows = _windows(ksize, strides, 2, data_format)
    return op("AvgPool")(input, padding=padding, data_format=data_format, name=name or "AvgPool2D", **windows)


def avg_pool3d(input, ksize, strides, padding, data_format="NDHWC", name=None):
    """The means of windows of [batch, depth, height, width, channels]."""
    data_format = data_format or "NDHWC"
    windows = _windows(ksize, strides, 3, data_format)
    return op("AvgPool3D")(input, padding=padding, data_format=data_format, name=name, **windows)


_MAX, _AVG = {1: max_pool1d, 2: max_pool2d, 3: max_pool3d}, {1: avg_pool1d, 2: avg_pool2d, 3: avg_pool3d}


def max_pool(input, ksize, strides, padding, data_format=None, name=None):
    """The maxima of windows of one, two or three spatial axes, as the input or the data_format has them."""
    input = convert_to_tensor(input)
    return _MAX[_rank_of(input, data_format)](input, ksize, strides, padding, data_format, name)


def avg_pool(input, ksize, strides, padding, data_format=None, name=None):
    """The means of windows of one, two or three spatial axes, as the input or the data_format has them."""
    input = convert_to_tensor(input)
    n = _rank_of(input, data_format)
    return _AVG[n](input, ksize, strides, padding, data_format, name or (None, None, "AvgPool", None)[n])


def max_pool_v1(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    """max_pool2d with compat.v1's parameters."""
    input = _one_of("input", input, "value", value)
    return max_pool2d(input, ksize, strides, padding, data_format, name or "MaxPool")


def avg_pool_v1(value, ksize, strides, padding, data_format="NHWC", name=None, input=None):
    """avg_pool2d with compat.v1's parameters."""
    input = _one_of("input", input, "value", value)
    return avg_pool2d(input, ksize, strides, padding, data_format, name or "AvgPool")


def pool(input, window_shape, pooling_type, strides=None, padding="VALID", data_format=None, dilations=None, name=None):
    """Maxima ("MAX") or means ("AVG") of windows [*spatial], which may be dilated when the strides are 1."""
    input = convert_to_tensor(input)
    window = [int(n) for n in window_shape]
    n = len(window)
    if n not in (1, 2, 3):
        raise ValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={n}.")
    if pooling_type not in ("MAX", "AVG"):
        raise ValueError(f"`pooling_type` must be 'MAX' or 'AVG'. Received: pooling_type={pooling_type}")
    strides, dilations = ([int(v) for v in (given or [1] * n)] for given in (strides, dilations))
    if max(strides) > 1 and max(dilations) > 1:
        raise ValueError("`strides > 1` not supported in conjunction with `dilation_rate > 1`.")
    layout = data_format or conv_ops._LAYOUTS[n][0]
    function = (_MAX if pooling_type == "MAX" else _AVG)[n]
    with conv_ops.dilated(name, f"{pooling_type.lower()}_pool", dilations, last=None) as name:
        return _pooled(input, window, function, strides, padding, layout, dilations, name)


def _pooled(input, window, function, strides, padding, layout, dilations, name):
    n = len(window)

    def apply(x, _, padding):
        return function(x, window, strides, padding, layout, name)

    if max(dilations) == 1:
        return apply(input, n, padding)
    if padding == "SAME":
        raise ValueError(
            f"pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. Received: {dilations}"
        )
    return conv_ops.with_space_to_batch(input, dilations, padding, apply, window, data_format=layout)


def pool_v1(
    input,
    window_shape,
    pooling_type,
    padding,
    dilation_rate=None,
    strides=None,
    name=None,
    data_format=None,
    dilations=None,
):
    """pool with compat.v1's parameters."""
    rates = _one_of("dilations", dilations, "dilation_rate", dilation_rate)
    return pool(input, window_shape, pooling_type, strides, padding, data_format, rates, name)


def max_pool_with_argmax(
    input,
    ksize,
    strides,
    padding,
    data_format="NHWC",
    output_dtype=dtypes.as_dtype("int64"),
    include_batch_in_index=False,
    name=None,
):
    """(maxima, where each is in its flat image, or in the flat batch)."""
    if data_format != "NHWC":
        raise ValueError(
            f"`data_format` values other than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    return op("MaxPoolWithArgmax")(
        input,
        padding=padding,
        Targmax=dtypes.as_dtype(output_dtype),
        include_batch_in_index=include_batch_in_index,
        name=name,
        **_windows(ksize, strides, 2, data_format),
    )


def max_pool_with_argmax_v1(
    input,
    ksize,
    strides,
    padding,
    data_format="NHWC",
    Targmax=None,
    name=None,
    output_dtype=None,
    include_batch_in_index=False,
):
    """max_pool_with_argmax with compat.v1's parameters."""
    dtype = _one_of("output_dtype", output_dtype, "Targmax", Targmax) or dtypes.as_dtype("int64")
    return max_pool_with_argmax(input, ksize, strides, padding, data_format, dtype, include_batch_in_index, name)


# ---- windows whose sizes vary


def _fractional(op_name):
    def apply(value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None):
        ratio = per_ratio(pooling_ratio) if op_name == "FractionalMaxPool" else list(pooling_ratio)
        if seed == 0:
            seeds = {"deterministic": False, "seed": 0, "seed2": 0}
        else:
            first, second = random_seeds.get_seed(seed)
            seeds = {"deterministic": True, "seed": first or 0, "seed2": second or 0}
        return op(op_name)(
            value, pooling_ratio=ratio, pseudo_random=pseudo_random, overlapping=overlapping, name=name, **seeds
        )

    return apply


def per_ratio(value):
    """A ratio, or one or two of them, as four; ValueError for one below 1."""
    value = [float(v) for v in value] if isinstance(value, (list, tuple)) else [float(value)]
    if len(value) in (1, 2):
        value = [1.0, *(value if len(value) == 2 else value * 2), 1.0]
    if len(value) != 4 or min(value) < 1.0:
        raise ValueError(f"`pooling_ratio` should be >= 1.0, of length 1, 2 or 4. Received: pooling_ratio={value}")
    return value


fractional_max_pool, fractional_avg_pool = _fractional("FractionalMaxPool"), _fractional("FractionalAvgPool")
for _name, _what in (("fractional_max_pool", "largest elements"), ("fractional_avg_pool", "means")):
    globals()[_name].__name__ = globals()[_name].__qualname__ = _name
    globals()[_name].__doc__ = (
        f"The {_what} of windows of one or two rows and columns, which shrink [batch, height, width, channels] by a ratio that\n"
        "need not be whole. Which windows are the larger ones, the seed says; with pseudo_random they follow a regular pattern.\n\n"
        "Gives (output, first rows of the windows, first columns). InvalidArgumentError for ratios below 1."
    )


def _fractional_v1(op_name):
    def apply(
        value,
        pooling_ratio,
        pseudo_random=False,
        overlapping=False,
        deterministic=False,
        seed=0,
        seed2=0,
        name=None,
    ):
        return op(op_name)(
            value,
            pooling_ratio=list(pooling_ratio),
            pseudo_random=pseudo_random,
            overlapping=overlapping,
            deterministic=deterministic,
            seed=seed,
            seed2=seed2,
            name=name,
        )

    return apply


fractional_max_pool_v1 = _fractional_v1("FractionalMaxPool")
fractional_avg_pool_v1 = _fractional_v1("FractionalAvgPool")


# ---- greyscale morphology


def _only_nhwc(data_format):
    if data_format != "NHWC":
        raise ValueError(
            f"`data_format` values other than 'NHWC' are not supported. Received: data_format={data_format}"
        )


def dilation2d(input, filters, strides, padding, data_format, dilations, name=None):
    """The maxima over windows of input + filters, with filters [height, width, channels]."""
    _only_nhwc(data_format)
    return op("Dilation2D")(input, filters, strides=strides, rates=dilations, padding=padding, name=name)


def dilation2d_v1(input, filter=None, strides=None, rates=None, padding=None, name=None, filters=None, dilations=None):
    """dilation2d with compat.v1's parameters."""
    filters = _one_of("filters", filters, "filter", filter)
    return dilation2d(input, filters, strides, padding, "NHWC", _one_of("dilations", dilations, "rates", rates), name)


@in_scope("erosion2d")
def erosion2d(value, filters, strides, padding, data_format, dilations, name=None):
    """The minima over windows of value - filters, mirrored, with filters [height, width, channels]."""
    _only_nhwc(data_format)
    negative = op("Neg")(value)
    mirrored = op("ReverseV2")(filters, [0, 1])
    made = op("Dilation2D")(negative, mirrored, strides=strides, rates=dilations, padding=padding, name=name)
    return op("Neg")(made)


def erosion2d_v1(value, kernel, strides, rates, padding, name=None):
    """erosion2d with compat.v1's parameters."""
    return erosion2d(value, kernel, strides, padding, "NHWC", rates, name)


# ---- quantized, of compat.v1


def quantized_avg_pool(input, min_input, max_input, ksize, strides, padding, name=None):
    """(output, min, max): means of windows of quantized numbers."""
    return op("QuantizedAvgPool")(input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name)


def quantized_max_pool(input, min_input, max_input, ksize, strides, padding, name=None):
    """(output, min, max): maxima of windows of quantized numbers."""
    return op("QuantizedMaxPool")(input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name)


def quantized_conv2d(
    input,
    filter,
    min_input,
    max_input,
    min_filter,
    max_filter,
    strides,
    padding,
    out_type=dtypes.as_dtype("qint32"),
    dilations=[1, 1, 1, 1],
    name=None,
):
    """(output, min, max): conv2d of quantized numbers."""
    return op("QuantizedConv2D")(
        input,
        filter,
        min_input,
        max_input,
        min_filter,
        max_filter,
        out_type=dtypes.as_dtype(out_type),
        strides=strides,
        padding=padding,
        dilations=dilations,
        name=name,
    )


def quantized_relu_x(features, max_value, min_features, max_features, out_type=dtypes.as_dtype("quint8"), name=None):
    """(activations, min, max): quantized numbers between 0 and max_value."""
    return op("QuantizedReluX")(
        features, max_value, min_features, max_features, out_type=dtypes.as_dtype(out_type), name=name
    )
