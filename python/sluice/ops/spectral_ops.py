"""tf.signal: frames of signals and what is computed of them: short-time transforms, cosine transforms, mel scales."""

from __future__ import annotations

import math

from ..core import dtypes, scopes, tensor
from ..core.op_defs import op
from ..core.static_values import known_value, known_int
from . import array_ops, fourier_ops, window_ops
from .array_ops import cast, convert_to_tensor

Tensor = tensor.Tensor


def _scalar(value, what):
    """A scalar argument: an int where it is known, else a tensor."""
    t = convert_to_tensor(value, dtype_hint=dtypes.int32)
    if t.shape.rank not in (None, 0):
        raise ValueError(f"{what} must be a scalar, not of shape {t.shape}")
    known = known_int(t)
    return t if known is None else known


def _at_least_0(n):
    return max(n, 0) if isinstance(n, int) else op("Maximum")(n, 0)


def _dim(x, axis):
    known = None if x.shape.rank is None else x.shape[axis]
    return array_ops.shape(x)[axis] if known is None else known


def _range(n):
    return op("Range")(0, n, 1)


# ---- frames


def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """Windows of frame_length elements along an axis, one each frame_step: the axis becomes [frames, frame_length].

    pad_end: frames that begin within the signal and end behind it are kept, filled with pad_value. ValueError when a
    length is no scalar, or the signal is one.
    """
    with scopes.name_scope(name or "frame"):
        signal = convert_to_tensor(signal)
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        axis = _checked_axis(signal, axis)
        rank = signal.shape.rank
        dims = None if rank is None else signal.shape.as_list()
        n = _dim(signal, axis)
        if pad_end:
            count = _at_least_0(-(-n // step))
            signal = _padded_at(signal, axis, _at_least_0(length + step * (count - 1) - n), pad_value)
        else:
            count = _at_least_0(1 + (n - length) // step)
        indices = op("ExpandDims")(_range(count) * step, 1) + _range(length)
        # Along the second axis of one signal, so that its gradient is dense, too.
        batch = op("ExpandDims")(signal, 0)
        made = array_ops.gather(batch, indices, axis=axis if axis < 0 else axis + 1)
        made = op("Squeeze")(made, squeeze_dims=[0], name="Reshape_3")
        if rank is not None:
            known = [n if isinstance(n, int) else None for n in (count, length)]
            made.set_shape([*dims[:axis], *known, *dims[axis + 1 :]])
        return made


def _checked_axis(x, axis):
    rank = x.shape.rank
    if rank is None:
        return axis
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of range for a signal of rank {rank}")
    return axis % rank


def _padded_at(x, axis, n, value):
    value = convert_to_tensor(value, x.dtype)
    if value.shape.rank not in (None, 0):
        raise ValueError(f"pad_value must be a scalar, not of shape {value.shape}")
    rank = x.shape.rank
    if rank is not None:
        return op("PadV2")(x, [[0, n if i == axis else 0] for i in range(rank)], value)
    at = op("OneHot")(axis % array_ops.rank(x), array_ops.rank(x), n, 0)
    return op("PadV2")(x, array_ops.stack([array_ops.zeros_like(at), at], 1), value)


def overlap_and_add(signal, frame_step, name=None):
    """The sums of overlapping frames [..., frames, frame_length], one each frame_step: a signal [..., samples]."""
    with scopes.name_scope(name or "overlap_and_add"):
        signal = convert_to_tensor(signal)
        if signal.shape.rank is not None and signal.shape.rank < 2:
            raise ValueError(f"Shape {signal.shape} must have rank at least 2")
        frame_step = convert_to_tensor(frame_step)
        if not frame_step.dtype.is_integer:
            raise ValueError(f"frame_step must be an integer, not {frame_step.dtype.name}")
        step = _scalar(frame_step, "frame_step")
        frames, length = _dim(signal, -2), _dim(signal, -1)
        outer = _outer_dims(signal)
        if isinstance(step, int) and step == length:
            return array_ops.reshape(signal, _joined(outer, [frames * length]), name="fast_path")
        samples = length + step * (frames - 1)
        at = op("ExpandDims")(_range(frames) * step, 1) + _range(length)
        flat = array_ops.reshape(signal, [-1, frames * length])
        sums = op("UnsortedSegmentSum")(array_ops.transpose(flat, [1, 0]), array_ops.reshape(at, [-1]), samples)
        made = array_ops.reshape(array_ops.transpose(sums, [1, 0]), _joined(outer, [samples]))
        if signal.shape.rank is not None and isinstance(made, Tensor):
            made.set_shape(signal.shape[:-2].concatenate([samples if isinstance(samples, int) else None]))
        return made


def _outer_dims(x):
    known = None if x.shape.rank is None else x.shape.as_list()[:-2]
    return array_ops.shape(x)[:-2] if known is None or None in known else known


def _joined(outer, last):
    if isinstance(outer, list):
        return outer + last
    return array_ops.concat([outer, last], 0)


# ---- short-time Fourier transforms


def _enclosing_power_of_2(n):
    if isinstance(n, int):
        return 2 ** max(n - 1, 0).bit_length()
    bits = op("Ceil")(op("Log")(cast(n, dtypes.float64)) / math.log(2.0))
    return cast(2.0**bits, dtypes.int32)


@scopes.in_scope("stft", names_last=False)
def stft(
    signals, frame_length, frame_step, fft_length=None, window_fn=window_ops.hann_window, pad_end=False, name=None
):
    """The spectra of windowed frames of real signals: [..., frames, fft_length // 2 + 1], complex."""
    signals = convert_to_tensor(signals)
    length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
    n = _enclosing_power_of_2(length) if fft_length is None else _scalar(fft_length, "fft_length")
    framed = frame(signals, length, step, pad_end=pad_end)
    if window_fn is not None:
        framed = framed * window_fn(length, dtype=framed.dtype)
    return fourier_ops.rfft(framed, [n])


def inverse_stft_window_fn(frame_step, forward_window_fn=window_ops.hann_window, name=None):
    """The window for inverse_stft after a stft with the other window: a function of frame_length and dtype."""

    def inverse_window(frame_length, dtype):
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        forward = forward_window_fn(length, dtype=dtype)
        overlaps = -(-length // step)
        squares = op("Pad")(forward * forward, [[0, overlaps * step - length]])
        sums = op("Sum")(array_ops.reshape(squares, [overlaps, step]), 0)
        return forward / op("Tile")(sums, [overlaps])[:length]

    return inverse_window


def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=window_ops.hann_window, name=None):
    """Real signals of their short-time spectra: the windowed frames of the inverse transforms, added where they overlap."""
    with scopes.name_scope(name or "inverse_stft"):
        stfts = convert_to_tensor(stfts)
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        n = _enclosing_power_of_2(length) if fft_length is None else _scalar(fft_length, "fft_length")
        frames = fourier_ops.irfft(stfts, [n])[..., :length]
        missing = _at_least_0(length - n)
        if not isinstance(missing, int) or missing:
            frames = _padded_at(frames, -1 if frames.shape.rank is None else frames.shape.rank - 1, missing, 0)
        if window_fn is not None:
            frames = frames * window_fn(length, dtype=frames.dtype)
        return overlap_and_add(frames, step)


# ---- cosine transforms


def _reversed(x):
    return op("ReverseV2")(x, [-1])


def mdct(signals, frame_length, window_fn=window_ops.vorbis_window, pad_end=False, norm=None, name=None):
    """The modified cosine transforms of frames that overlap by half: [..., frames, frame_length // 2]."""
    with scopes.name_scope(name or "mdct"):
        length = _scalar(frame_length, "frame_length")
        if isinstance(length, int) and length % 4:
            raise ValueError(f"The frame length must be a multiple of 4, not {length}.")
        half = length // 2
        frames = frame(convert_to_tensor(signals), length, half, pad_end=pad_end)
        if window_fn is not None:
            frames = frames * window_fn(length, dtype=frames.dtype)
        else:
            frames = frames * cast(1.0 / math.sqrt(2.0), frames.dtype)
        a, b, c, d = op("Split")(-1, frames, num_split=4)
        return dct(array_ops.concat([-_reversed(c) - d, a - _reversed(b)], -1), type=4, norm=norm)


def inverse_mdct(mdcts, window_fn=window_ops.vorbis_window, norm=None, name=None):
    """Real signals of the modified cosine transforms of their frames, [..., frames, frame_length // 2]."""
    with scopes.name_scope(name or "inverse_mdct"):
        mdcts = convert_to_tensor(mdcts)
        half = _dim(mdcts, -1)
        folded = idct(mdcts, type=4, norm=norm)
        if norm is None:
            folded = folded * (cast(0.5, folded.dtype) / cast(half, folded.dtype))
        first, second = op("Split")(-1, folded, num_split=2)
        frames = array_ops.concat([second, -_reversed(second), -_reversed(first), -first], -1)
        if window_fn is not None:
            frames = frames * window_fn(2 * half, dtype=frames.dtype)
        else:
            frames = frames * cast(1.0 / math.sqrt(2.0), frames.dtype)
        return overlap_and_add(frames, half)


def _check_dct(x, type, n, axis, norm):
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be an integer greater than 1 or None")
    if type not in (1, 2, 3, 4):
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if type == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        dim = n if n is not None else None if x.shape.rank is None else x.shape[-1]
        if dim is not None and dim < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")


def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """The cosine transform of the last axis, of type 1 to 4, cut or padded with zeros to n elements.

    norm: "ortho" scales to an orthogonal transform. Transforms have the factor 2 that is usual without it.
    """
    with scopes.name_scope(name or "dct"):
        x = convert_to_tensor(input)
        _check_dct(x, type, n, axis, norm)
        if n is not None:
            x = _cut_or_padded(x, n)
        return (_dct1, _dct2, _dct3, _dct4)[type - 1](x, norm)


def idct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """What undoes dct, but for a factor 2n (2(n - 1) for type 1) without a norm."""
    with scopes.name_scope(name or "idct"):
        x = convert_to_tensor(input)
        _check_dct(x, type, n, axis, norm)
        return dct(x, {1: 1, 2: 3, 3: 2, 4: 4}[type], n, axis, norm)


def _cut_or_padded(x, n):
    x = x[..., :n]
    missing = _at_least_0(n - _dim(x, -1))
    if isinstance(missing, int) and not missing:
        return x
    made = _padded_at(x, -1 if x.shape.rank is None else x.shape.rank - 1, missing, 0)
    if x.shape.rank is not None:
        made.set_shape(x.shape[:-1].concatenate([known_int(n)]))
    return made


def _real(z):
    return op("Real")(z, Tout=z.dtype.real_dtype)


def _turns(x, n, sign):
    """2 exp(sign i pi k / 2n) for k below n."""
    angle = cast(_range(n), x.dtype) * (sign * math.pi / 2.0 / cast(n, x.dtype))
    return 2.0 * op("Complex")(op("Cos")(angle), op("Sin")(angle), Tout=_complex_type(x))


def _complex_type(x):
    return dtypes.as_dtype("complex64" if x.dtype == dtypes.float32 else "complex128")


def _ortho_factors(x, n, first):
    """sqrt(1 / 2n), but for the first element `first` times as much."""
    scale = op("Sqrt")(0.5 / cast(n, x.dtype))
    return array_ops.where(_range(n) > 0, scale, scale * first)


def _dct1(x, norm):
    return _real(fourier_ops.rfft(array_ops.concat([x, _reversed(x)[..., 1:-1]], -1)))


def _dct2(x, norm):
    n = _dim(x, -1)
    made = _real(fourier_ops.rfft(x, [2 * n])[..., :n] * _turns(x, n, -1))
    return made * _ortho_factors(x, n, math.sqrt(0.5)) if norm else made


def _dct3(x, norm):
    n = _dim(x, -1)
    if norm:
        x = x * _ortho_factors(x, n, math.sqrt(2.0))
    turned = _turns(x, n, 1) * cast(x, _complex_type(x))
    return fourier_ops.irfft(turned, [2 * n])[..., :n] * cast(n, x.dtype)


def _dct4(x, norm):
    n = _dim(x, -1)
    made = _dct2(_cut_or_padded(x, 2 * n), None)[..., 1::2]
    return made * op("Sqrt")(0.5 / cast(n, x.dtype)) if norm else made


# ---- mel scales


def _mel(hertz):
    return op("Log1p")(hertz / 700.0) * 1127.0


def linear_to_mel_weight_matrix(
    num_mel_bins=20,
    num_spectrogram_bins=129,
    sample_rate=8000,
    lower_edge_hertz=125.0,
    upper_edge_hertz=3800.0,
    dtype=dtypes.float32,
    name=None,
):
    """The matrix [num_spectrogram_bins, num_mel_bins] by which spectra become mel spectra: a triangle a band."""
    dtype = dtypes.as_dtype(dtype)
    rate = known_value(sample_rate)
    _check_mel(num_mel_bins, rate, lower_edge_hertz, upper_edge_hertz, dtype)
    nyquist = cast(sample_rate, dtype) / 2.0
    lowest, highest = (convert_to_tensor(v, dtype) for v in (lower_edge_hertz, upper_edge_hertz))
    linear = op("LinSpace")(cast(0.0, dtype), nyquist, num_spectrogram_bins)[1:]  # the first bin, at 0, has no weight
    bins = op("ExpandDims")(_mel(linear), 1)
    edges = op("LinSpace")(_mel(lowest), _mel(highest), num_mel_bins + 2)
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (bins - left) / (centre - left), (right - bins) / (right - centre)
    weights = op("Maximum")(cast(0.0, dtype), op("Minimum")(rising, falling))
    return op("Pad")(weights, [[1, 0], [0, 0]], name=name)


def _check_mel(num_mel_bins, rate, lower, upper, dtype):
    if num_mel_bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {num_mel_bins}")
    if lower < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower}")
    if lower >= upper:
        raise ValueError(f"lower_edge_hertz {lower:.1f} >= upper_edge_hertz {upper:.1f}")
    if rate is not None:
        if rate <= 0.0:
            raise ValueError(f"sample_rate must be positive. Got: {rate}")
        if upper > rate / 2:
            raise ValueError(
                f"upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got {upper} for "
                f"sample_rate: {rate}"
            )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype.name}")


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    """The mel-frequency cepstral coefficients [..., num_mel_bins] of log mel spectra: orthogonal cosine transforms."""
    with scopes.name_scope(name or "mfccs_from_log_mel_spectrograms"):
        x = convert_to_tensor(log_mel_spectrograms)
        n = _dim(x, -1)
        if isinstance(n, int) and n <= 0:
            raise ValueError(f"num_mel_bins must be positive. Got: {n}")
        return dct(x) * op("Rsqrt")(2.0 * cast(n, x.dtype))
