"""tf.quantization: numbers as whole numbers of few bits, and back."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from . import array_ops


def _axis(input, axis):
    """An axis that may count from the end as the ops have it: -1 for none. ValueError when the rank must be known for it."""
    if axis is None:
        return -1
    if axis >= 0:
        return axis
    rank = array_ops.convert_to_tensor(input).shape.rank
    if rank is None:
        raise ValueError("input should have known rank to use negative axis.")
    return axis + rank


def quantize(
    input,
    min_range,
    max_range,
    T,
    mode="MIN_COMBINED",
    round_mode="HALF_AWAY_FROM_ZERO",
    name=None,
    narrow_range=False,
    axis=None,
    ensure_minimum_range=0.01,
):
    """(output, output_min, output_max): the numbers in the quantised type T, and the range that T's limits stand for."""
    return op("QuantizeV2")(
        input,
        min_range,
        max_range,
        T=T,
        mode=mode,
        round_mode=round_mode,
        narrow_range=narrow_range,
        axis=_axis(input, axis),
        ensure_minimum_range=ensure_minimum_range,
        name=name,
    )


def quantize_v2(
    input,
    min_range,
    max_range,
    T,
    mode="MIN_COMBINED",
    name=None,
    round_mode="HALF_AWAY_FROM_ZERO",
    narrow_range=False,
    axis=None,
    ensure_minimum_range=0.01,
):
    """The same as quantize."""
    return quantize(input, min_range, max_range, T, mode, round_mode, name, narrow_range, axis, ensure_minimum_range)


def dequantize(
    input, min_range, max_range, mode="MIN_COMBINED", name=None, axis=None, narrow_range=False, dtype=dtypes.float32
):
    """The numbers that quantised ones stand for, when T's limits stand for min_range and max_range."""
    return op("Dequantize")(
        input,
        min_range,
        max_range,
        mode=mode,
        narrow_range=narrow_range,
        axis=_axis(input, axis),
        dtype=dtypes.as_dtype(dtype),
        name=name,
    )


def quantize_and_dequantize(
    input,
    input_min,
    input_max,
    signed_input=True,
    num_bits=8,
    range_given=False,
    round_mode="HALF_TO_EVEN",
    name=None,
    narrow_range=False,
    axis=None,
):
    """The numbers as quantisation would change them. axis: one range for each slice along it.

    The gradient is that of the identity everywhere.
    """
    return op("QuantizeAndDequantizeV2")(
        input,
        input_min,
        input_max,
        signed_input=signed_input,
        num_bits=num_bits,
        range_given=range_given,
        round_mode=round_mode,
        narrow_range=narrow_range,
        axis=-1 if axis is None else axis,
        name=name,
    )


def quantize_and_dequantize_v2(
    input,
    input_min,
    input_max,
    signed_input=True,
    num_bits=8,
    range_given=False,
    round_mode="HALF_TO_EVEN",
    name=None,
    narrow_range=False,
    axis=None,
):
    """The same, with a gradient that is zero for numbers out of the range."""
    return op("QuantizeAndDequantizeV4")(
        input,
        input_min,
        input_max,
        signed_input=signed_input,
        num_bits=num_bits,
        range_given=range_given,
        round_mode=round_mode,
        narrow_range=narrow_range,
        axis=-1 if axis is None else axis,
        name=name,
    )


def quantized_concat(concat_dim, values, input_mins, input_maxes, name=None):
    """(output, output_min, output_max): quantised tensors one after the other, with one range for all."""
    return op("QuantizedConcat")(concat_dim, values, input_mins, input_maxes, name=name)


def fake_quant_with_min_max_args(inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None):
    """float32 numbers as quantisation to num_bits over [min, max] would change them."""
    return op("FakeQuantWithMinMaxArgs")(
        inputs, min=min, max=max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


def fake_quant_with_min_max_args_gradient(gradients, inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None):
    """The gradient of fake_quant_with_min_max_args for its inputs."""
    return op("FakeQuantWithMinMaxArgsGradient")(
        gradients, inputs, min=min, max=max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


def _fake_quant(op_name, words):
    def apply(inputs, min, max, num_bits=8, narrow_range=False, name=None):
        return op(op_name)(inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name)

    def gradient(gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None):
        return op(op_name + "Gradient")(
            gradients, inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name
        )

    apply.__doc__ = (
        f"float32 numbers as quantisation to num_bits over [min, max] would change them; min and max are {words}."
    )
    gradient.__doc__ = "The gradients of the function before it for inputs, min and max."
    return apply, gradient


fake_quant_with_min_max_vars, fake_quant_with_min_max_vars_gradient = _fake_quant("FakeQuantWithMinMaxVars", "scalars")
fake_quant_with_min_max_vars_per_channel, fake_quant_with_min_max_vars_per_channel_gradient = _fake_quant(
    "FakeQuantWithMinMaxVarsPerChannel", "vectors with a number for each index of the last axis"
)
