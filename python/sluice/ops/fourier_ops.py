"""tf.signal: Fourier transforms, and the shifts of their spectra.

A transform of real numbers takes the lengths of what it transforms: a signal is cut or padded with zeros at its end to
them. Signals are in the last axes, all before are of a batch.
"""

from __future__ import annotations

import builtins
import math

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import in_scope
from ..core.static_values import known_int, known_ints
from . import array_ops
from .array_ops import convert_to_tensor


def _complex(op_name):
    """A transform of complex signals, which is an op by itself."""

    def transform(input, name=None):
        return op(op_name)(convert_to_tensor(input, dtype_hint="complex64"), name=name)

    return transform


fft, fft2d, fft3d = _complex("FFT"), _complex("FFT2D"), _complex("FFT3D")
ifft, ifft2d, ifft3d = _complex("IFFT"), _complex("IFFT2D"), _complex("IFFT3D")


# ---- lengths: lists of numbers where all are known, else vectors of int32


def _last_dims(x, rank):
    dims = None if x.shape.rank is None else x.shape.as_list()[-rank:]
    return array_ops.shape(x)[-rank:] if dims is None or None in dims else dims


def _known_or_tensor(lengths):
    known = known_ints(lengths)
    return known if known is not None else convert_to_tensor(lengths, dtypes.int32)


def _real_dims(x, rank):
    """The lengths of the real signal of which x is the spectrum."""
    dims = _last_dims(x, rank)
    if isinstance(dims, list):
        return dims[:-1] + [max(2 * (dims[-1] - 1), 0)]
    return array_ops.concat([dims[:-1], op("Maximum")(2 * (dims[-1:] - 1), 0)], 0)


def _spectrum_dims(lengths):
    """The lengths of the spectrum of a real signal."""
    if isinstance(lengths, list):
        return lengths[:-1] + [n // 2 + 1 if n > 0 else 0 for n in lengths[-1:]]
    last = lengths[-1:]
    return array_ops.concat([lengths[:-1], array_ops.where(last > 0, last // 2 + 1, 0)], 0)


def _padded(x, wanted, rank):
    """Zeros at the end of each of the last axes that is shorter than wanted."""
    have = _last_dims(x, rank)
    if isinstance(have, list) and isinstance(wanted, list):
        after = [max(w - h, 0) for w, h in zip(wanted, have)]
        if not any(after) or len(wanted) != rank:
            return x
        return op("Pad")(x, [[0, 0]] * (x.shape.rank - rank) + [[0, a] for a in after])
    after = op("Maximum")(convert_to_tensor(wanted) - convert_to_tensor(have), 0)
    after = array_ops.concat([array_ops.zeros([array_ops.rank(x) - rank], dtypes.int32), after], 0)
    return op("Pad")(x, array_ops.stack([array_ops.zeros_like(after), after], 1))


# ---- real signals


def _check(x, lengths, rank):
    """What the ops say of ranks, before the lengths are used to pad."""
    if x.shape.rank is not None and x.shape.rank < rank:
        raise ValueError(f"Shape {x.shape} must have rank at least {rank}")
    if lengths is None:
        return
    shape = convert_to_tensor(lengths, dtypes.int32).shape
    if shape.rank not in (None, 1):
        raise ValueError(f"Shape {shape} must have rank 1")
    if shape.rank == 1 and shape[0] not in (None, rank):
        raise ValueError(f"Dimension must be {rank} but is {shape[0]}")


def _real(op_name, rank):
    """The spectrum of real signals: its last axis has n // 2 + 1 elements."""

    @in_scope(op_name.lower())
    def transform(input_tensor, fft_length=None, name=None):
        x = convert_to_tensor(input_tensor, dtype_hint=dtypes.float32)
        _check(x, fft_length, rank)
        if x.dtype not in (dtypes.float32, dtypes.float64):
            raise ValueError(f"{op_name}: the input must be float32 or float64, not {x.dtype.name}")
        lengths = _last_dims(x, rank) if fft_length is None else _known_or_tensor(fft_length)
        if fft_length is not None:
            x = _padded(x, lengths, rank)
        spectrum = dtypes.as_dtype("complex64" if x.dtype == dtypes.float32 else "complex128")
        lengths = convert_to_tensor(lengths, dtypes.int32, name="fft_length")
        return op(op_name)(x, lengths, Tcomplex=spectrum, name=name)

    return transform


def _inverse_real(op_name, rank):
    """Real signals of their spectra. Without lengths the last one is even."""

    @in_scope(op_name.lower())
    def transform(input_tensor, fft_length=None, name=None):
        x = convert_to_tensor(input_tensor, dtype_hint=dtypes.as_dtype("complex64"))
        _check(x, fft_length, rank)
        lengths = _real_dims(x, rank) if fft_length is None else _known_or_tensor(fft_length)
        if fft_length is not None:
            x = _padded(x, _spectrum_dims(lengths), rank)
        lengths = convert_to_tensor(lengths, dtypes.int32, name="fft_length")
        return op(op_name)(x, lengths, Treal=x.dtype.real_dtype, name=name)

    return transform


rfft, rfft2d, rfft3d = _real("RFFT", 1), _real("RFFT2D", 2), _real("RFFT3D", 3)
irfft, irfft2d, irfft3d = _inverse_real("IRFFT", 1), _inverse_real("IRFFT2D", 2), _inverse_real("IRFFT3D", 3)
_AXES = {"": "the last axis", "2d": "the last two axes", "3d": "the last three axes"}
_FITTED = "fft_length: [n] for each axis; what is shorter is filled with zeros, what is longer is cut."
_TRANSFORMS = {
    "fft": "The Fourier transform along {}, of complex64 or complex128.",
    "ifft": "The inverse Fourier transform along {}, of complex64 or complex128, divided by the number of elements.",
    "rfft": "The Fourier transform along {} of float32 or float64, complex: of the last axis the first n // 2 + 1 elements.\n\n"
    + _FITTED,
    "irfft": "What undoes rfft along {}: real, of complex64 or complex128; the last axis has an even length unless told.\n\n"
    + _FITTED,
}
for _kind, _sentence in _TRANSFORMS.items():
    for _end, _which in _AXES.items():
        _made = globals()[_kind + _end]
        _made.__name__ = _made.__qualname__ = _kind + _end
        _made.__doc__ = (
            _sentence.format(_which) + "\n\nValueError or InvalidArgumentError for another type or too small a rank."
        )


# ---- any axes


def _axes_of(x, fft_length, axes):
    rank = x.shape.rank
    if rank is None:
        raise ValueError("The rank of what is transformed along some axes must be known.")
    if axes is None:
        n = rank if fft_length is None else convert_to_tensor(fft_length).shape[0]
        return list(builtins.range(rank - n, rank))
    axes = known_ints(axes)
    if axes is None:
        raise NotImplementedError("axes of a Fourier transform that are not known while the graph is built")
    if len(axes) > rank:
        raise ValueError(f"Shape {x.shape} must have rank at least {len(axes)}")
    return [a % rank for a in axes]


def _dims_at(x, axes):
    dims = x.shape.as_list()
    return [dims[a] if dims[a] is not None else array_ops.shape(x)[a] for a in axes]


def _scaled(x, lengths, norm, inverse):
    """The output of an op, which has 1 / n in the inverse, as the norm has it."""
    norm = norm or "backward"
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if norm == "backward":
        return x
    n = math.prod(lengths) if all(isinstance(v, int) for v in lengths) else op("Prod")(array_ops.stack(lengths), 0)
    real = array_ops.cast(n, x.dtype.real_dtype)
    factor = array_ops.cast(op("Sqrt")(real) if norm == "ortho" else real, x.dtype)
    return x * factor if inverse else x / factor


def _fitted(x, wanted, axes):
    """Cut or padded with zeros to the lengths along the axes."""
    have = _dims_at(x, axes)
    if not all(isinstance(v, int) for v in [*wanted, *have]):
        raise NotImplementedError("lengths of a Fourier transform along some axes that are not known in the graph")
    rank = x.shape.rank
    after, sizes = [0] * rank, [-1] * rank
    for axis, w, h in zip(axes, wanted, have):
        after[axis], sizes[axis] = max(w - h, 0), w if w < h else -1
    if any(s >= 0 for s in sizes):
        x = op("Slice")(x, [0] * rank, sizes)
    return op("Pad")(x, [[0, a] for a in after]) if any(after) else x


def _any_axes(op_name, inverse, real):
    def transform(input_tensor, fft_length=None, axes=None, norm=None, name=None):
        hint = dtypes.float32 if real and not inverse else dtypes.as_dtype("complex64")
        x = convert_to_tensor(input_tensor, dtype_hint=hint)
        axes = _axes_of(x, fft_length, axes)
        if fft_length is not None:
            lengths = _known_or_tensor(fft_length)
        else:
            lengths = _dims_at(x, axes)
            if real and inverse:
                lengths[-1] = 2 * (lengths[-1] - 1)
        if fft_length is not None:
            x = _fitted(x, _spectrum_dims(lengths) if real and inverse else lengths, axes)
        attrs = {}
        if real:
            wide = x.dtype in (dtypes.float64, dtypes.as_dtype("complex128"))
            other = ("float64" if wide else "float32") if inverse else "complex128" if wide else "complex64"
            attrs["Treal" if inverse else "Tcomplex"] = dtypes.as_dtype(other)
        made = op(op_name)(x, convert_to_tensor(lengths, dtypes.int32), axes, name=name, **attrs)
        return _scaled(made, lengths, norm, inverse)

    return transform


fftnd, ifftnd = _any_axes("FFTND", False, False), _any_axes("IFFTND", True, False)
rfftnd, irfftnd = _any_axes("RFFTND", False, True), _any_axes("IRFFTND", True, True)
for _name in "fftnd ifftnd rfftnd irfftnd".split():
    _made = globals()[_name]
    _made.__name__ = _made.__qualname__ = _name
    _made.__doc__ = (
        f"{_name[:-2]} along any axes, by default the last of them. norm: 'backward', 'ortho' or 'forward', which says what is\n"
        f"divided by the number of elements. The rank has to be known (ValueError).\n\n{_FITTED}"
    )


# ---- shifts


def _shift(x, axes, sign, name):
    """Each axis rolled by half of its length: forward by n // 2 for sign 1, back by it for -1."""
    x = convert_to_tensor(x)
    if axes is None:
        rank = x.shape.rank
        axes = op("Range")(0, array_ops.rank(x), 1) if rank is None else list(builtins.range(rank))
    single = known_int(axes) if not isinstance(axes, (list, tuple)) else None
    axes = convert_to_tensor([single] if single is not None else axes, dtypes.int32)
    half = op("FloorDiv")(array_ops.gather(array_ops.shape(x), axes % array_ops.rank(x)), 2)
    return op("Roll")(x, half if sign > 0 else -half, axes, name=name)


def fftshift(x, axes=None, name=None):
    """The zero frequency in the middle, along these axes or all."""
    return _shift(x, axes, 1, name)


def ifftshift(x, axes=None, name=None):
    """What undoes fftshift."""
    return _shift(x, axes, -1, name)
