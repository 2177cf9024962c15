"""Makes the pictures of this folder, by TensorFlow and libwebp.

    python make_pictures.py
"""

import ctypes
import os
import struct

import numpy as np
import tensorflow as tf

FOLDER = os.path.dirname(os.path.abspath(__file__))


def write(name: str, data: bytes) -> None:
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)


def bmp(pixels: np.ndarray) -> bytes:
    """24 bits a pixel, the last row first."""
    height, width, _ = pixels.shape
    rows = b"".join(pixels[y, :, ::-1].tobytes().ljust((width * 3 + 3) // 4 * 4, b"\0") for y in reversed(range(height)))
    head = struct.pack("<IHHIIiiHHIIiiII", 54 + len(rows), 0, 0, 54, 40, width, height, 1, 24, 0, len(rows), 2835, 2835, 0, 0)
    return b"BM" + head + rows


def gif(indices: list, width: int, height: int, palette: bytes) -> bytes:
    """Four colours; a clear code before each pixel, so that codes stay 3 bits wide."""
    bits = count = 0
    for code in [c for i in indices for c in (4, i)] + [5]:
        bits |= code << count
        count += 3
    data = bits.to_bytes((count + 7) // 8, "little")
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x91, 0, 0) + palette
    return head + b"," + struct.pack("<HHHHBB", 0, 0, width, height, 0, 2) + bytes([len(data)]) + data + b"\0;"


def webp(pixels: np.ndarray) -> bytes:
    lib = ctypes.CDLL("libwebp.so.7")
    lib.WebPEncodeLosslessRGB.restype = ctypes.c_size_t
    out = ctypes.POINTER(ctypes.c_uint8)()
    height, width, _ = pixels.shape
    n = lib.WebPEncodeLosslessRGB(pixels.tobytes(), width, height, width * 3, ctypes.byref(out))
    return bytes(out[:n])


def main() -> None:
    flag = np.zeros((2, 4, 3), np.uint8)
    flag[:, :2] = [255, 0, 0]
    flag[:, 2:] = [0, 0, 255]
    write("flag.png", tf.io.encode_png(flag).numpy())
    write("flag.bmp", bmp(flag))
    write("flag.gif", gif([0, 0, 1, 1] * 2, 4, 2, bytes([255, 0, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255])))
    write("flag.webp", webp(flag))
    halves = np.zeros((8, 16, 3), np.uint8)
    halves[:, :8] = 200
    halves[:, 8:] = 40
    write("halves.jpg", tf.io.encode_jpeg(halves, quality=95).numpy())


main()
