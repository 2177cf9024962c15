"""Images and sounds in their file formats, and other bytes that are decoded to tensors: tf.io, tf.image, tf.audio."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from . import array_ops
from .array_ops import convert_to_tensor

_uint8 = dtypes.as_dtype("uint8")


# ---- images


def decode_image(contents, channels=None, dtype=_uint8, name=None, expand_animations=True):
    """A BMP, GIF, JPEG or PNG file: [height, width, channels], of an animation [frames, ...] if that is expanded."""
    return op("DecodeImage")(
        contents,
        channels=channels or 0,
        dtype=dtypes.as_dtype(dtype),
        expand_animations=expand_animations,
        name=name,
    )


def decode_jpeg(
    contents,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
):
    """A JPEG file: uint8 [height, width, channels], with 0 channels for those of the file."""
    return op("DecodeJpeg")(
        contents,
        channels=channels,
        ratio=ratio,
        fancy_upscaling=fancy_upscaling,
        try_recover_truncated=try_recover_truncated,
        acceptable_fraction=float(acceptable_fraction),
        dct_method=dct_method,
        name=name,
    )


def decode_and_crop_jpeg(
    contents,
    crop_window,
    channels=0,
    ratio=1,
    fancy_upscaling=True,
    try_recover_truncated=False,
    acceptable_fraction=1,
    dct_method="",
    name=None,
):
    """The window [y, x, height, width] of a JPEG file."""
    return op("DecodeAndCropJpeg")(
        contents,
        crop_window,
        channels=channels,
        ratio=ratio,
        fancy_upscaling=fancy_upscaling,
        try_recover_truncated=try_recover_truncated,
        acceptable_fraction=float(acceptable_fraction),
        dct_method=dct_method,
        name=name,
    )


def decode_png(contents, channels=0, dtype=_uint8, name=None):
    """A PNG file: [height, width, channels] of uint8 or uint16."""
    return op("DecodePng")(contents, channels=channels, dtype=dtypes.as_dtype(dtype), name=name)


def decode_bmp(contents, channels=0, name=None):
    """A BMP file: uint8 [height, width, channels]."""
    return op("DecodeBmp")(contents, channels=channels, name=name)


def decode_gif(contents, name=None):
    """A GIF file: uint8 [frames, height, width, 3]."""
    return op("DecodeGif")(contents, name=name)


def decode_webp(contents, channels=0, dtype=_uint8, name=None):
    """A WebP file: uint8 [frames, height, width, channels]."""
    return op("DecodeWebP")(contents, channels=channels, dtype=dtypes.as_dtype(dtype), name=name)


def decode_jxl(contents, channels=0, dtype=_uint8, name=None):
    """A JPEG XL file: [frames, height, width, channels] of uint8 or uint16."""
    return op("DecodeJxl")(contents, channels=channels, dtype=dtypes.as_dtype(dtype), name=name)


def encode_jpeg(
    image,
    format="",
    quality=95,
    progressive=False,
    optimize_size=False,
    chroma_downsampling=True,
    density_unit="in",
    x_density=300,
    y_density=300,
    xmp_metadata="",
    name=None,
):
    """uint8 [height, width, 1 or 3] as a JPEG file."""
    return op("EncodeJpeg")(
        image,
        format=format,
        quality=quality,
        progressive=progressive,
        optimize_size=optimize_size,
        chroma_downsampling=chroma_downsampling,
        density_unit=density_unit,
        x_density=x_density,
        y_density=y_density,
        xmp_metadata=xmp_metadata,
        name=name,
    )


def encode_png(image, compression=-1, name=None):
    """uint8 or uint16 [..., height, width, 1 to 4] as PNG files."""
    return op("EncodePng")(image, compression=compression, name=name)


def extract_jpeg_shape(contents, output_type=dtypes.int32, name=None):
    """[height, width, channels] of a JPEG file."""
    return op("ExtractJpegShape")(contents, output_type=dtypes.as_dtype(output_type), name=name)


def is_jpeg(contents, name=None):
    """Whether a file is JPEG, by its first bytes."""
    return op("Equal")(op("Substr")(contents, 0, 3), b"\xff\xd8\xff", name=name)


# ---- sounds


def decode_wav(contents, desired_channels=-1, desired_samples=-1, name=None):
    """A WAV file: audio float32 [samples, channels] from -1 to 1, and the sample rate."""
    return op("DecodeWav")(contents, desired_channels=desired_channels, desired_samples=desired_samples, name=name)


def encode_wav(audio, sample_rate, name=None):
    """float32 [samples, channels] from -1 to 1 as a WAV file."""
    return op("EncodeWav")(audio, sample_rate, name=name)


# ---- other bytes


def decode_raw(input_bytes, out_type, little_endian=True, fixed_length=None, name=None):
    """[..., elements]: the bytes of strings as numbers; with a fixed_length, in bytes, cut or padded with zeros to it."""
    attrs = {"out_type": dtypes.as_dtype(out_type), "little_endian": little_endian, "name": name}
    if fixed_length is not None:
        return op("DecodePaddedRaw")(input_bytes, fixed_length, **attrs)
    return op("DecodeRaw")(input_bytes, **attrs)


def decode_raw_v1(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    """The bytes of strings as numbers."""
    value = bytes if input_bytes is None else input_bytes
    if value is None or out_type is None:
        raise ValueError("decode_raw() needs input_bytes and out_type")
    return decode_raw(value, out_type, little_endian, name=name)


def decode_csv(
    records, record_defaults, field_delim=",", use_quote_delim=True, na_value="", select_cols=None, name=None
):
    """A list of tensors, one a column of the CSV records, of the types of record_defaults.

    A default is a tensor of one element, or an empty one or a type where a column must have a value.
    """
    defaults = [_csv_default(d) for d in record_defaults]
    if select_cols is not None:
        if any(a >= b for a, b in zip(select_cols, select_cols[1:])):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols and select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    return list(
        op("DecodeCSV")(
            records,
            defaults,
            field_delim=field_delim,
            use_quote_delim=use_quote_delim,
            na_value=na_value,
            select_cols=list(select_cols or []),
            name=name,
        )
    )


def _csv_default(default):
    if isinstance(default, (dtypes.DType, type)):
        return convert_to_tensor([], dtypes.as_dtype(default))
    made = convert_to_tensor(default)
    return array_ops.expand_dims(made, 0) if made.shape.rank == 0 else made


def decode_csv_v1(
    records, record_defaults, field_delim=",", use_quote_delim=True, name=None, na_value="", select_cols=None
):
    """decode_csv with the order of compat.v1's parameters."""
    return decode_csv(records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name)


def decode_json_example(json_examples, name=None):
    """Example messages of their JSON form, serialized."""
    return op("DecodeJSONExample")(json_examples, name=name)


def decode_compressed(bytes, compression_type="", name=None):
    """Strings uncompressed; the type is "", ZLIB or GZIP."""
    return op("DecodeCompressed")(bytes, compression_type=compression_type, name=name)


def decode_base64(input, name=None):
    """Strings of their web-safe base64 form, with padding or without."""
    return op("DecodeBase64")(input, name=name)


def encode_base64(input, pad=False, name=None):
    """Strings in web-safe base64; pad: filled with = to a multiple of four."""
    return op("EncodeBase64")(input, pad=pad, name=name)
