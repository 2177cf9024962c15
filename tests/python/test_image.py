"""tf.image and the codecs of tf.io and tf.audio; expected values are TensorFlow's."""

import numpy as np
import pytest

import sluice as tf


@pytest.fixture(scope="module", autouse=True)
def images():
    """Kernels of images are in a companion library, which a build may be without."""
    try:
        tf.image.resize(np.ones([1, 1, 1], "f"), [1, 1])
    except tf.errors.NotFoundError as e:
        pytest.skip(str(e).splitlines()[0][:80])


A = np.arange(12, dtype="f").reshape(2, 3, 2)


def test_flips_and_turns():
    assert tf.image.flip_left_right(A)[0, :, 0].numpy().tolist() == [4, 2, 0]
    assert tf.image.flip_up_down(A)[:, 0, 0].numpy().tolist() == [6, 0]
    np.testing.assert_array_equal(tf.image.rot90(A, 3), np.rot90(A, 3))
    np.testing.assert_array_equal(tf.image.transpose(A[None]), A.transpose(1, 0, 2)[None])


def test_crops_and_padding():
    assert tf.image.crop_to_bounding_box(A, 0, 1, 2, 2)[..., 0].numpy().tolist() == [[2, 4], [8, 10]]
    padded = tf.image.pad_to_bounding_box(A, 1, 0, 3, 4)
    assert padded[..., 1].numpy().tolist() == [[0, 0, 0, 0], [1, 3, 5, 0], [7, 9, 11, 0]]
    assert tf.image.resize_with_crop_or_pad(A, 4, 1)[..., 0].numpy().tolist() == [[0], [2], [8], [0]]
    assert tf.image.central_crop(tf.ones([9, 6, 1]), 0.5).shape == [5, 4, 1]
    with pytest.raises(ValueError, match="height must be >= target"):
        tf.image.crop_to_bounding_box(A, 1, 0, 2, 2)
    with pytest.raises(ValueError, match="inner 3 dims"):
        tf.image.flip_left_right(tf.ones([2, 0, 1]))


def test_crop_of_unknown_size():
    @tf.function(input_signature=[tf.TensorSpec([None, None, 2])])
    def middle(image):
        return tf.image.central_crop(image, 0.5)

    assert middle(tf.ones([8, 4, 2])).shape == [4, 2, 2]


@pytest.mark.parametrize(
    "method, expected",
    [
        ("bilinear", [[0.0, 0.5, 1.5, 2.0], [4.0, 4.5, 5.5, 6.0]]),
        ("nearest", [[0, 0, 2, 2], [4, 4, 6, 6]]),
        ("area", [[0.0, 0.0, 2.0, 2.0], [4.0, 4.0, 6.0, 6.0]]),
        ("bicubic", [[-0.176471, 0.414286, 1.585714, 2.176471], [3.823529, 4.414286, 5.585714, 6.176471]]),
        ("lanczos3", [[-0.350956, 0.465741, 1.534258, 2.350955], [3.649044, 4.465741, 5.534258, 6.350955]]),
    ],
)
def test_resize(method, expected):
    made = tf.image.resize(np.array([[[0], [2]], [[4], [6]]], "uint8"), [2, 4], method)
    assert made.dtype == ("uint8" if method == "nearest" else "float32")
    np.testing.assert_allclose(made[..., 0], expected, rtol=1e-4)


def test_resize_keeps_ratio():
    assert tf.image.resize(tf.ones([1, 6, 4, 1]), [9, 9], preserve_aspect_ratio=True).shape == [1, 9, 6, 1]
    assert tf.image.resize_with_pad(tf.ones([6, 4, 1]), 9, 9)[0, :, 0].numpy().tolist() == [0, 1, 1, 1, 1, 1, 1, 0, 0]
    same = tf.compat.v1.image.resize(tf.constant([[[7]]], tf.uint8), [1, 1])
    assert same.dtype == tf.uint8


@pytest.mark.parametrize(
    "value, of, to, expected",
    [
        ([0, 255], "uint8", "float32", [0.0, 1.0]),
        ([0, 255], "uint8", "int16", [0, 32640]),
        ([0.0, 0.5, 1.0], "float32", "uint8", [0, 127, 255]),
        ([0, 65280], "uint16", "uint8", [0, 255]),
    ],
)
def test_convert_image_dtype(value, of, to, expected):
    assert tf.image.convert_image_dtype(np.array(value, of), to).numpy().tolist() == expected


def test_saturation_of_types():
    assert tf.image.convert_image_dtype([-1.0, 2.0], tf.uint8, saturate=True).numpy().tolist() == [0, 255]
    half = tf.saturate_cast(tf.constant([float("inf"), -float("inf")], tf.float16), tf.int32)
    assert half.numpy().tolist() == [65504, -65504]
    assert tf.image.adjust_brightness(np.array([[[250]]], "uint8"), 0.1).numpy().tolist() == [[[255]]]


def test_colours():
    rgb = tf.constant([[[0.2, 0.4, 0.6]]])
    np.testing.assert_allclose(tf.image.rgb_to_grayscale(rgb), [[[0.36298]]], rtol=1e-5)
    np.testing.assert_allclose(tf.image.rgb_to_hsv(rgb), [[[7 / 12, 2 / 3, 0.6]]], rtol=1e-5)
    np.testing.assert_allclose(tf.image.yuv_to_rgb(tf.image.rgb_to_yuv(rgb)), rgb, atol=1e-5)
    with pytest.raises(ValueError, match="should be size 1"):
        tf.image.grayscale_to_rgb(rgb)
    with pytest.raises(ValueError, match="non-negative"):
        tf.image.adjust_gamma(rgb, -1)


def test_standardization():
    made = tf.image.per_image_standardization(A)
    np.testing.assert_allclose([tf.reduce_mean(made), tf.reduce_mean(made * made)], [0, 1], atol=1e-5)


def test_random_adjustments_follow_the_seed():
    draws = [tf.image.stateless_random_brightness(A, 0.5, [1, k]).numpy() for k in (2, 2, 3)]
    assert (draws[0] == draws[1]).all() and (draws[0] != draws[2]).any()
    flips = {tuple(tf.image.stateless_random_flip_left_right(A, [k, 0])[0, :, 0].numpy()) for k in range(9)}
    assert flips == {(0, 2, 4), (4, 2, 0)}


def test_quality():
    x, y = tf.ones([8, 8, 1]), tf.fill([8, 8, 1], 0.9)
    np.testing.assert_allclose(tf.image.psnr(x, y, 1.0), 20.0, rtol=1e-4)
    np.testing.assert_allclose(tf.image.ssim(x, x, 1.0, filter_size=3), 1.0)
    np.testing.assert_allclose(tf.image.ssim(x, y, 1.0, filter_size=3), 0.994476, atol=1e-3)
    assert tf.image.total_variation(tf.constant(A)).numpy() == 52.0


def test_boxes():
    boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 10.0, 1.0, 11.0]]
    assert tf.image.non_max_suppression(boxes, [0.9, 0.75, 0.95], 3).numpy().tolist() == [2, 0]
    indices, count = tf.image.non_max_suppression_padded(boxes, [0.9, 0.75, 0.95], 3, pad_to_max_output_size=True)
    assert (indices.numpy().tolist(), int(count)) == ([2, 0, 0], 2)


def test_codecs():
    pixels = np.arange(48, dtype="uint8").reshape(4, 4, 3)
    png = tf.io.encode_png(pixels)
    np.testing.assert_array_equal(tf.io.decode_image(png), pixels)
    assert not tf.io.is_jpeg(png) and tf.io.is_jpeg(tf.io.encode_jpeg(pixels))


def test_bytes():
    assert tf.io.decode_raw([b"abcd"], tf.uint16).numpy().tolist() == [[25185, 25699]]
    assert tf.io.decode_raw([b"ab"], tf.uint8, fixed_length=3).numpy().tolist() == [[97, 98, 0]]
    assert [c.numpy().tolist() for c in tf.io.decode_csv(["1,x", ",y"], [[7], ["z"]])] == [[1, 7], [b"x", b"y"]]
    assert tf.io.decode_base64(tf.io.encode_base64(b"hi?>", pad=True)).numpy() == b"hi?>"
    audio, rate = tf.audio.decode_wav(tf.audio.encode_wav([[0.0], [0.5]], 8000))
    assert int(rate) == 8000
    np.testing.assert_allclose(audio, [[0.0], [0.5]], atol=1e-4)


def test_padding_of_unknown_size_is_checked_when_it_runs():
    @tf.function(input_signature=[tf.TensorSpec([None, None, 1]), tf.TensorSpec([], tf.int32)])
    def padded(image, top):
        return tf.image.pad_to_bounding_box(image, top, 0, 3, 3)

    assert padded(tf.ones([2, 2, 1]), 1)[..., 0].numpy().tolist() == [[0, 0, 0], [1, 1, 0], [1, 1, 0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="offset_height must be >= 0"):
        padded(tf.ones([2, 2, 1]), -1)
