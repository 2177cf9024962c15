"""tf.nn: convolutions, their transposes, depthwise and dilated ones.

Arguments for axes are a number, a list of one or one for each spatial axis, or one for each axis of the input.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext

from ..core import dtypes, graph, tensor_shape
from ..core.op_defs import op
from ..core.scopes import in_scope, name_scope
from ..core.static_values import known_ints
from . import array_ops, space_batch_ops
from .array_ops import _one_of, convert_to_tensor

# By the number of spatial axes: the layouts with the channels last and first, and the op.
_LAYOUTS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


# ---- arguments


def channels_first(data_format) -> bool:
    return data_format is not None and data_format.startswith("NC")


def per_axis(value, n, data_format, what):
    """An argument as a list of one number for each axis of the input, batch and channels included."""
    if value is None:
        value = [1]
    value = list(value) if isinstance(value, (list, tuple)) or hasattr(value, "__len__") else [value]
    if len(value) == n + 2:
        return [int(v) for v in value]
    if len(value) not in (1, n):
        raise ValueError(
            f"{what} should be of length 1, {n} or {n + 2}. Received: {what}={value} of length {len(value)}"
        )
    value = [int(v) for v in (value * n if len(value) == 1 else value)]
    return [1, 1, *value] if channels_first(data_format) else [1, *value, 1]


def explicit_padding(padding):
    """(padding, explicit_paddings) attrs of an op, of "SAME", "VALID" or a list of pairs for each axis."""
    if isinstance(padding, (str, bytes)):
        return padding, []
    pairs = [tuple(p) for p in padding]
    if any(len(p) != 2 for p in pairs):
        raise ValueError(f"Explicit padding must be a pair for each axis. Received: padding={padding}")
    return "EXPLICIT", [n for p in pairs for n in p]


def _layout(data_format, n):
    return data_format or _LAYOUTS[n][0]


def with_one_batch_dim(x, inner, apply):
    """apply(x) with the dims before the inner ones as one, which the result has again."""
    rank = x.shape.rank
    if rank is None or rank == inner + 1:
        return apply(x)
    shape = array_ops.shape(x)
    made = apply(array_ops.reshape(x, array_ops.concat([[-1], shape[-inner:]], 0)))
    outer, kept = x.shape[:-inner], made.shape[1:]
    made = array_ops.reshape(made, array_ops.concat([shape[:-inner], array_ops.shape(made)[1:]], 0))
    made.set_shape(outer.concatenate(kept))
    return made


# ---- convolutions


@in_scope("conv1d")
def conv1d(input, filters, stride, padding, data_format="NWC", dilations=None, name=None):
    """[..., width, channels] with filters [width, in, out]."""
    data_format = _layout(data_format, 1)
    if data_format not in ("NWC", "NCW", "NHWC", "NCHW"):
        raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    first = channels_first(data_format)
    axis = -2 if first else -3
    strides, dilations = (_widened(per_axis(v, 1, data_format, "stride"), first) for v in (stride, dilations))
    made = conv2d(
        array_ops.expand_dims(input, axis),
        array_ops.expand_dims(filters, 0),
        strides,
        padding,
        "NCHW" if first else "NHWC",
        dilations,
        name,
    )
    return array_ops.squeeze(made, [axis])


def _widened(values, first):
    """Three numbers as four, with 1 for a height."""
    return [*values[:2], 1, values[2]] if first else [values[0], 1, *values[1:]]


def conv2d(input, filters, strides, padding, data_format="NHWC", dilations=None, name=None):
    """[..., height, width, channels] with filters [height, width, in, out]. padding: also a list of pairs."""
    data_format = _layout(data_format, 2)
    padding, explicit = explicit_padding(padding)
    input = convert_to_tensor(input)

    def apply(x):
        return op("Conv2D")(
            x,
            filters,
            strides=per_axis(strides, 2, data_format, "strides"),
            padding=padding,
            explicit_paddings=explicit,
            data_format=data_format,
            dilations=per_axis(dilations, 2, data_format, "dilations"),
            name=name,
        )

    return with_one_batch_dim(input, 3, apply)


def conv3d(input, filters, strides, padding, data_format="NDHWC", dilations=None, name=None):
    """[..., depth, height, width, channels] with filters [depth, height, width, in, out]."""
    data_format = _layout(data_format, 3)

    def apply(x):
        return op("Conv3D")(
            x,
            filters,
            strides=per_axis(strides, 3, data_format, "strides"),
            padding=padding,
            data_format=data_format,
            dilations=per_axis(dilations, 3, data_format, "dilations"),
            name=name,
        )

    return with_one_batch_dim(convert_to_tensor(input), 4, apply)


_CONVOLUTIONS = {1: conv1d, 2: conv2d, 3: conv3d}


def convolution(input, filters, strides=None, padding="VALID", data_format=None, dilations=None, name=None):
    """One, two or three spatial axes, as the filters [*spatial, in, out] have them."""
    input, filters = convert_to_tensor(input), convert_to_tensor(filters)
    n = _spatial_rank(input, filters)
    if n not in _CONVOLUTIONS:
        raise ValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={n}.")
    strides = per_axis(strides, n, data_format, "strides")
    dilations = per_axis(dilations, n, data_format, "dilations")
    if max(strides) > 1 and max(dilations) > 1:
        raise ValueError("`strides > 1` not supported in conjunction with `dilations > 1`.")
    data_format = _layout(data_format, n)
    with dilated(name, "convolution", dilations if max(dilations) > 1 else None) as name:
        return _CONVOLUTIONS[n](input, filters, strides, padding, data_format, dilations, name)


def dilated(name, default, rates, filters=None, last="BatchToSpaceND"):
    """In graphs the scope of a function with a dilation, which gives the name of its op: `last` where it dilates, which for
    ops that dilate by themselves is the name of the last node of TensorFlow's, that goes by way of batches."""
    return _dilated(name, default, rates, filters, last) if graph.current() is not None else nullcontext(name)


@contextmanager
def _dilated(name, default, rates, filters, last):
    with name_scope(name or default) as scope:
        if filters is not None:
            array_ops.shape(filters)
        if rates is not None:
            convert_to_tensor(rates, dtypes.int32, name="dilation_rate")
        yield scope if rates is None or max(rates) == 1 or last is None else last


def _spatial_rank(input, filters):
    if filters.shape.rank is not None:
        return filters.shape.rank - 2
    if input.shape.rank is not None:
        return input.shape.rank - 2
    raise ValueError("The rank of the input or of the filters must be known.")


def convolution_v1(
    input,
    filter,
    padding,
    strides=None,
    dilation_rate=None,
    name=None,
    data_format=None,
    filters=None,
    dilations=None,
):
    """convolution with compat.v1's parameters."""
    return convolution(
        input,
        _one_of("filters", filters, "filter", filter),
        strides,
        padding,
        data_format,
        _one_of("dilations", dilations, "dilation_rate", dilation_rate),
        name,
    )


def conv1d_v1(
    value=None,
    filters=None,
    stride=None,
    padding=None,
    use_cudnn_on_gpu=None,
    data_format=None,
    name=None,
    input=None,
    dilations=None,
):
    """conv1d with compat.v1's parameters."""
    return conv1d(_one_of("input", input, "value", value), filters, stride, padding, data_format, dilations, name)


def conv2d_v1(
    input,
    filter=None,
    strides=None,
    padding=None,
    use_cudnn_on_gpu=True,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],
    name=None,
    filters=None,
):
    """conv2d with compat.v1's parameters."""
    if padding is None:
        raise ValueError("Expected padding to be specified.")
    return conv2d(input, _one_of("filters", filters, "filter", filter), strides, padding, data_format, dilations, name)


def conv3d_v1(
    input,
    filter=None,
    strides=None,
    padding=None,
    data_format="NDHWC",
    dilations=[1, 1, 1, 1, 1],
    name=None,
    filters=None,
):
    """conv3d with compat.v1's parameters."""
    return conv3d(input, _one_of("filters", filters, "filter", filter), strides, padding, data_format, dilations, name)


# ---- their gradients, which are functions of compat.v1


def conv2d_backprop_filter(
    input,
    filter_sizes,
    out_backprop,
    strides,
    padding,
    use_cudnn_on_gpu=True,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],
    name=None,
):
    """The gradient of conv2d with respect to its filters, of this shape."""
    padding, explicit = explicit_padding(padding)
    return op("Conv2DBackpropFilter")(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        explicit_paddings=explicit,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


def conv2d_backprop_input(
    input_sizes,
    filter=None,
    out_backprop=None,
    strides=None,
    padding=None,
    use_cudnn_on_gpu=True,
    data_format="NHWC",
    dilations=[1, 1, 1, 1],
    name=None,
    filters=None,
):
    """The gradient of conv2d with respect to its input, of this shape."""
    padding, explicit = explicit_padding(padding)
    return op("Conv2DBackpropInput")(
        input_sizes,
        _one_of("filters", filters, "filter", filter),
        out_backprop,
        strides=strides,
        padding=padding,
        explicit_paddings=explicit,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


def conv3d_backprop_filter(
    input,
    filter_sizes,
    out_backprop,
    strides,
    padding,
    data_format="NDHWC",
    dilations=[1, 1, 1, 1, 1],
    name=None,
):
    """The gradient of conv3d with respect to its filters, of this shape."""
    return op("Conv3DBackpropFilterV2")(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


# ---- transposes


@in_scope("conv1d_transpose")
def conv1d_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format="NWC", dilations=None, name=None
):
    """The transpose of conv1d: filters [width, out, in], and the shape of the output."""
    data_format = _layout(data_format, 1)
    if data_format not in ("NWC", "NCW"):
        raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    first = channels_first(data_format)
    axis = 2 if first else 1
    if not isinstance(output_shape, (list, tuple)):
        output_shape = convert_to_tensor(output_shape)
    strides, dilations = (_widened(per_axis(v, 1, data_format, "strides"), first) for v in (strides, dilations))
    input, filters = array_ops.expand_dims(input, axis), array_ops.expand_dims(filters, 0)
    sizes = op("ConcatV2")([output_shape[:axis], [1], output_shape[axis:]], 0, name="concat")
    made = conv2d_transpose(
        input,
        filters,
        sizes,
        strides,
        padding,
        "NCHW" if first else "NHWC",
        dilations,
        name,
    )
    return array_ops.squeeze(made, [axis])


@in_scope("conv2d_transpose")
def conv2d_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format="NHWC", dilations=None, name=None
):
    """The transpose of conv2d: filters [height, width, out, in], and the shape of the output."""
    data_format = _layout(data_format, 2)
    padding, explicit = explicit_padding(padding)
    return op("Conv2DBackpropInput")(
        convert_to_tensor(output_shape, dtype_hint=dtypes.int32, name="input_sizes"),
        filters,
        input,
        strides=per_axis(strides, 2, data_format, "strides"),
        padding=padding,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=per_axis(dilations, 2, data_format, "dilations"),
        name=name,
    )


@in_scope("conv3d_transpose")
def conv3d_transpose(
    input, filters, output_shape, strides, padding="SAME", data_format="NDHWC", dilations=None, name=None
):
    """The transpose of conv3d: filters [depth, height, width, out, in], and the shape of the output."""
    data_format = _layout(data_format, 3)
    return op("Conv3DBackpropInputV2")(
        convert_to_tensor(output_shape, dtype_hint=dtypes.int32, name="input_sizes"),
        filters,
        input,
        strides=per_axis(strides, 3, data_format, "strides"),
        padding=padding,
        data_format=data_format,
        dilations=per_axis(dilations, 3, data_format, "dilations"),
        name=name,
    )


@in_scope("conv_transpose")
def conv_transpose(input, filters, output_shape, strides, padding="SAME", data_format=None, dilations=None, name=None):
    """The transpose of a convolution of one, two or three spatial axes, as the output's shape has them."""
    shape = output_shape if isinstance(output_shape, (list, tuple)) else convert_to_tensor(output_shape)
    shape = tensor_shape.as_shape([len(shape)]) if isinstance(shape, (list, tuple)) else shape.shape
    n = None if shape.rank is None or shape[0] is None else shape[0] - 2
    made = {1: conv1d_transpose, 2: conv2d_transpose, 3: conv3d_transpose}.get(n)
    if made is None:
        raise ValueError(f"`output_shape` must have length 3, 4 or 5. Received: output_shape={output_shape}")
    return made(input, filters, output_shape, strides, padding, data_format, dilations, name)


def conv2d_transpose_v1(
    value=None,
    filter=None,
    output_shape=None,
    strides=None,
    padding="SAME",
    data_format="NHWC",
    name=None,
    input=None,
    filters=None,
    dilations=None,
):
    """conv2d_transpose with compat.v1's parameters."""
    return conv2d_transpose(
        _one_of("input", input, "value", value),
        _one_of("filters", filters, "filter", filter),
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
        name,
    )


def conv3d_transpose_v1(
    value,
    filter=None,
    output_shape=None,
    strides=None,
    padding="SAME",
    data_format="NDHWC",
    name=None,
    input=None,
    filters=None,
    dilations=None,
):
    """conv3d_transpose with compat.v1's parameters."""
    return conv3d_transpose(
        _one_of("input", input, "value", value),
        _one_of("filters", filters, "filter", filter),
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
        name,
    )


# ---- by way of batches: an op on every rate-th element


def with_space_to_batch(input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None, data_format=None):
    """op(input, spatial axes, padding) on every dilation_rate-th element of each spatial axis.

    filter_shape: [*spatial, ...] of the op's window, which "SAME" needs. spatial_dims: where they are not the first
    axes after the batch, or after the channels.
    """
    input = convert_to_tensor(input)
    rates = known_ints(dilation_rate)
    if rates is None:
        raise NotImplementedError("a dilation_rate that is not known while the graph is built")
    if any(r < 1 for r in rates):
        raise ValueError(f"dilation_rate must be positive. Received: {rates}")
    n = len(rates)
    first = 2 if channels_first(data_format) else 1
    dims = list(range(first, first + n)) if spatial_dims is None else [int(d) for d in spatial_dims]
    if dims != sorted(set(dims)) or any(d < 1 for d in dims):
        raise ValueError(f"`spatial_dims` must be a monotonically increasing sequence of positive integers: {dims}")
    if all(r == 1 for r in rates):
        return op(input, n, padding)
    base = _base_paddings(padding, rates, filter_shape)
    sizes = _dims_of(input, dims)
    paddings, crops = space_batch_ops.required_space_to_batch_paddings(sizes, rates, base)
    block, before, after = _for_all_axes(dims, rates, paddings, crops)
    made = op(space_batch_ops.space_to_batch_nd(input, block, before), n, "VALID")
    return space_batch_ops.batch_to_space_nd(made, block, after)


def _base_paddings(padding, rates, filter_shape):
    if not isinstance(padding, str):
        return [list(p) for p in padding]
    if padding.upper() == "VALID":
        return [[0, 0]] * len(rates)
    if padding.upper() != "SAME":
        raise ValueError(f"Invalid padding method {padding!r}")
    window = None if filter_shape is None else known_ints(filter_shape)
    if window is None:
        raise ValueError("`filter_shape` must be known for padding 'SAME'")
    more = [(w - 1) * r for w, r in zip(window, rates)]
    return [[m // 2, m - m // 2] for m in more]


def _dims_of(x, dims):
    known = None if x.shape.rank is None else [x.shape[d] for d in dims]
    return array_ops.gather(array_ops.shape(x), dims) if known is None or None in known else known


def _for_all_axes(dims, rates, paddings, crops):
    """(block shape, paddings, crops) of all axes from 1 to the last one of dims."""
    if dims == list(range(1, len(dims) + 1)):
        return rates, paddings, crops
    where = {d: i for i, d in enumerate(dims)}
    axes = range(1, dims[-1] + 1)
    none = array_ops.zeros([2], dtypes.int32)
    block = [rates[where[a]] if a in where else 1 for a in axes]
    full = [array_ops.stack([p[where[a]] if a in where else none for a in axes]) for p in (paddings, crops)]
    return block, *full


# ---- dilated, depthwise, separable


def atrous_conv2d(value, filters, rate, padding, name=None):
    """conv2d with rate - 1 zeros between the filters' elements."""
    return convolution(value, filters, padding=padding, dilations=[rate, rate], name=name)


def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """The transpose of atrous_conv2d: filters [height, width, out, in]."""
    if rate < 1:
        raise ValueError(f"`rate` must be at least 1. Received: rate={rate}")
    with dilated(name, "atrous_conv2d_transpose", None) as name:
        name = "BatchToSpaceND" if name and rate > 1 else name
        return conv2d_transpose.__wrapped__(value, filters, output_shape, 1, padding, "NHWC", [rate, rate], name)


def depthwise_conv2d(input, filter, strides, padding, data_format=None, dilations=None, name=None):
    """Each channel by itself with filters [height, width, in, multiplier]: [..., in * multiplier] channels."""
    data_format = _layout(data_format, 2)
    padding, explicit = explicit_padding(padding)
    dilations = per_axis(dilations, 2, data_format, "dilations")
    if graph.current() is None:
        return _depthwise(input, filter, strides, padding, explicit, data_format, dilations, name)
    with dilated(name, "depthwise", _spatial(dilations, data_format), filter) as name:
        return _depthwise(input, filter, strides, padding, explicit, data_format, dilations, name)


def _spatial(values, data_format):
    return values[2:] if channels_first(data_format) else values[1:-1]


def _depthwise(input, filter, strides, padding, explicit, data_format, dilations, name):
    return op("DepthwiseConv2dNative")(
        input,
        filter,
        strides=per_axis(strides, 2, data_format, "strides"),
        padding=padding,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


def depthwise_conv2d_v1(input, filter, strides, padding, rate=None, name=None, data_format=None, dilations=None):
    """depthwise_conv2d with compat.v1's parameters."""
    rate = _one_of("dilations", dilations, "rate", rate)
    return depthwise_conv2d(input, filter, strides, padding, data_format, rate, name)


def depthwise_conv2d_native(input, filter, strides, padding, data_format="NHWC", dilations=[1, 1, 1, 1], name=None):
    """The op of depthwise_conv2d."""
    padding, explicit = explicit_padding(padding)
    return _depthwise(input, filter, strides, padding, explicit, data_format, dilations, name)


def depthwise_conv2d_backprop_filter(
    input, filter_sizes, out_backprop, strides, padding, data_format="NHWC", dilations=[1, 1, 1, 1], name=None
):
    """The gradient of depthwise_conv2d with respect to its filters, of this shape."""
    padding, explicit = explicit_padding(padding)
    return op("DepthwiseConv2dNativeBackpropFilter")(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


def depthwise_conv2d_backprop_input(
    input_sizes, filter, out_backprop, strides, padding, data_format="NHWC", dilations=[1, 1, 1, 1], name=None
):
    """The gradient of depthwise_conv2d with respect to its input, of this shape."""
    padding, explicit = explicit_padding(padding)
    return op("DepthwiseConv2dNativeBackpropInput")(
        input_sizes,
        filter,
        out_backprop,
        strides=strides,
        padding=padding,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


def separable_conv2d(
    input, depthwise_filter, pointwise_filter, strides, padding, data_format=None, dilations=None, name=None
):
    """depthwise_conv2d, and conv2d with filters [1, 1, in * multiplier, out]."""
    data_format = _layout(data_format, 2)
    pointwise_filter = convert_to_tensor(pointwise_filter, name="pointwise_filter")
    if pointwise_filter.shape.rank is not None:
        pointwise_filter.shape[:2].assert_is_compatible_with([1, 1])
    dilations = per_axis(dilations, 2, data_format, "dilations")
    padding, explicit = explicit_padding(padding)
    with dilated(name, "separable_conv2d", _spatial(dilations, data_format), depthwise_filter) as inner:
        name = graph.current()._scope if inner else name
        deep = _depthwise(input, depthwise_filter, strides, padding, explicit, data_format, dilations, "depthwise")
        return conv2d(deep, pointwise_filter, 1, "VALID", data_format, name=name)


def separable_conv2d_v1(
    input,
    depthwise_filter,
    pointwise_filter,
    strides,
    padding,
    rate=None,
    name=None,
    data_format=None,
    dilations=None,
):
    """separable_conv2d with compat.v1's parameters."""
    rate = _one_of("dilations", dilations, "rate", rate)
    return separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, data_format, rate, name)


def conv(
    input,
    filter,
    strides,
    padding,
    explicit_paddings=[],
    data_format="CHANNELS_LAST",
    dilations=[],
    batch_dims=1,
    groups=1,
    name=None,
):
    """The op of convolutions with any number of batch dims: `data_format` is CHANNELS_LAST or CHANNELS_FIRST."""
    return op("Conv")(
        input,
        filter,
        strides=strides,
        padding=padding,
        explicit_paddings=explicit_paddings,
        data_format=data_format,
        dilations=dilations,
        batch_dims=batch_dims,
        groups=groups,
        name=name,
    )
