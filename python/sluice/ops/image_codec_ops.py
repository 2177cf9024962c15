"""Images and sounds in their file formats: tf.io, tf.image, tf.audio."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import in_scope

_uint8 = dtypes.as_dtype("uint8")


# ---- images


@in_scope("decode_image", names_last=False)
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


@in_scope("is_jpeg", names_last=False)
def is_jpeg(contents, name=None):
    """Whether a file is JPEG, by its first bytes."""
    return op("Equal")(op("Substr")(contents, 0, 3), b"\xff\xd8\xff")


# ---- sounds


def decode_wav(contents, desired_channels=-1, desired_samples=-1, name=None):
    """A WAV file: audio float32 [samples, channels] from -1 to 1, and the sample rate."""
    return op("DecodeWav")(contents, desired_channels=desired_channels, desired_samples=desired_samples, name=name)


def encode_wav(audio, sample_rate, name=None):
    """float32 [samples, channels] from -1 to 1 as a WAV file."""
    return op("EncodeWav")(audio, sample_rate, name=name)
