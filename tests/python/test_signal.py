"""tf.signal: windows, frames, transforms; expected values are TensorFlow's."""

import numpy as np
import pytest

import sluice as tf

X = np.array([1.0, -2.0, 3.0, 0.5, 4.0, -1.0], "f")


def _fourier_or_skip():
    """Kernels of Fourier transforms are in a companion library, which a build may be without."""
    try:
        tf.signal.fft(np.ones(2, "complex64"))
    except tf.errors.NotFoundError as e:
        pytest.skip(str(e).splitlines()[0][:80])


@pytest.mark.parametrize(
    "name, n, expected",
    [
        ("hann_window", 1, [1.0]),
        ("hann_window", 4, [0.0, 0.5, 1.0, 0.5]),
        ("hamming_window", 5, [0.08, 0.54, 1.0, 0.54, 0.08]),
        ("vorbis_window", 4, [0.228014, 0.973658, 0.973658, 0.228014]),
        ("kaiser_window", 3, [5.277e-05, 1.0, 5.277e-05]),
        ("kaiser_bessel_derived_window", 4, [0.007264, 0.999974, 0.999974, 0.007264]),
    ],
)
def test_windows(name, n, expected):
    np.testing.assert_allclose(getattr(tf.signal, name)(n), expected, atol=2e-6)


def test_windows_of_float64_are_exact():
    assert tf.signal.hann_window(4, dtype=tf.float64).numpy() == pytest.approx([0.0, 0.5, 1.0, 0.5], abs=1e-15)


def test_frames():
    assert tf.signal.frame([0, 1, 2, 3, 4, 5], 3, 2).numpy().tolist() == [[0, 1, 2], [2, 3, 4]]
    padded = tf.signal.frame([[0, 1, 2, 3, 4, 5]], 3, 2, pad_end=True, pad_value=9)
    assert padded.numpy().tolist() == [[[0, 1, 2], [2, 3, 4], [4, 5, 9]]]
    assert tf.signal.frame([1.0], 3, 1).shape == [0, 3]
    with pytest.raises(ValueError):
        tf.signal.frame(1, 1, 1)


def test_frames_of_unknown_length():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def framed(x):
        return tf.signal.frame(x, 2, 2)

    assert framed(tf.constant([[1, 2, 3, 4, 5]])).numpy().tolist() == [[[1, 2], [3, 4]]]


@pytest.mark.parametrize("hop, expected", [(1, [1, 7, 18, 21, 19, 12]), (3, [1, 2, 3, 9, 6, 7, 17, 10, 11, 12])])
def test_overlap_and_add(hop, expected):
    frames = np.arange(1, 13).reshape(3, 4)
    assert tf.signal.overlap_and_add(frames, hop).numpy().tolist() == expected


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_cosine_transforms_undo_each_other(kind):
    _fourier_or_skip()
    scale = 2 * (len(X) - (kind == 1))
    np.testing.assert_allclose(tf.signal.idct(tf.signal.dct(X, type=kind), type=kind) / scale, X, rtol=1e-5)
    if kind > 1:
        there = tf.signal.dct(X, type=kind, norm="ortho")
        np.testing.assert_allclose(tf.reduce_sum(there**2), (X**2).sum(), rtol=1e-5)


def test_real_transforms_are_cut_and_padded():
    _fourier_or_skip()
    np.testing.assert_allclose(tf.signal.rfft(X, [4]), np.fft.rfft(X, 4), atol=1e-5)
    np.testing.assert_allclose(tf.signal.rfft(X, [9]), np.fft.rfft(X, 9), atol=1e-5)
    np.testing.assert_allclose(tf.signal.irfft(tf.signal.rfft(X)), X, atol=1e-5)


def test_short_time_transforms():
    _fourier_or_skip()
    x = np.sin(np.arange(64, dtype="f"))
    spectra = tf.signal.stft(x, 16, 4)
    assert spectra.shape == [13, 9]
    back = tf.signal.inverse_stft(spectra, 16, 4, window_fn=tf.signal.inverse_stft_window_fn(4))
    np.testing.assert_allclose(back[16:-16], x[16:-16], atol=1e-5)


def test_shifts():
    assert tf.signal.fftshift([0, 1, 2, -2, -1]).numpy().tolist() == [-2, -1, 0, 1, 2]
    assert tf.signal.ifftshift([[-2, -1, 0, 1, 2]], axes=1).numpy().tolist() == [[0, 1, 2, -2, -1]]


def test_mel_weights():
    weights = tf.signal.linear_to_mel_weight_matrix(3, 5, 8000, 100.0, 4000.0).numpy()
    np.testing.assert_allclose(weights[1:3], [[0.29724, 0.70276, 0.0], [0.0, 0.25218, 0.74782]], atol=1e-5)
    assert not weights[0].any()
    with pytest.raises(ValueError):
        tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=10.0, upper_edge_hertz=5.0)


def test_double_precision_is_kept():
    _fourier_or_skip()
    assert tf.signal.dct(X.astype("float64")).dtype == tf.float64


def test_gradient_of_frames_is_dense():
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.signal.frame(x, 3, 2)
    assert tape.gradient(y, x).numpy().tolist() == [1, 1, 2, 1, 1, 0]
