"""Functions of images, sound, matrices, sparse and ragged tensors, quantised numbers, and nets without layers."""

import numpy as np
import tensorflow as tf

from models.kinds import function, made_up

T, raw = tf.TensorSpec, tf.raw_ops


def picture():
    image = np.random.RandomState(1).randint(0, 255, (9, 7, 3)).astype(np.uint8)
    return {
        "png": np.array(tf.io.encode_png(image).numpy(), object),
        "jpeg": np.array(tf.io.encode_jpeg(image, quality=90).numpy(), object),
    }


@function(T([], tf.string, name="png"), T([], tf.string, name="jpeg"), feeds=picture)
def pictures(png, jpeg):
    i = tf.image
    image = tf.cast(tf.io.decode_png(png, 3), tf.float32) / 255
    image.set_shape([None, None, 3])
    boxes = tf.constant([[0.1, 0.1, 0.9, 0.8], [0.0, 0.2, 0.5, 1.0]])
    return {
        "jpeg": tf.io.decode_jpeg(jpeg, dct_method="INTEGER_ACCURATE"),
        "any": tf.shape(tf.io.decode_image(png)),
        "resized": i.resize(image, [4, 5]),
        "cubic": i.resize(image, [12, 5], "bicubic", antialias=True),
        "cropped": i.crop_and_resize(image[None], boxes, [0, 0], [3, 3]),
        "grey": i.rgb_to_grayscale(image),
        "hue": i.adjust_hue(image, 0.2),
        "saturation": i.adjust_saturation(image, 1.7),
        "contrast": i.adjust_contrast(image, 0.4),
        "flipped": i.flip_left_right(image),
        "turned": i.rot90(image),
        "hsv": i.rgb_to_hsv(image),
        "padded": i.resize_with_pad(image, 6, 6),
        "standard": i.per_image_standardization(image),
        "kept": i.non_max_suppression(boxes, [0.6, 0.7], 2, 0.5),
        "drawn": i.draw_bounding_boxes(image[None], boxes[None], [[1.0, 0, 0]]),
        "gradients": i.image_gradients(image[None])[0],
        "variation": i.total_variation(image),
        "ssim": i.ssim(image, image * 0.9, 1.0, filter_size=5),
        "glimpse": i.extract_patches(image[None], [1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
        "gamma": i.adjust_gamma(image, 2.2),
    }


@function(
    T([256], name="sound"),
    T([], tf.string, name="wave"),
    feeds=lambda: {
        "sound": np.sin(np.arange(256) / 5).astype(np.float32),
        "wave": np.array(
            tf.audio.encode_wav(np.sin(np.arange(64.0)[:, None] / 3).astype(np.float32), 8000).numpy(), object
        ),
    },
    tolerance=20,
)
def sound(x, wave):
    s = tf.signal
    spectrum = s.stft(x, 64, 32, 64)
    mel = tf.tensordot(tf.abs(spectrum), s.linear_to_mel_weight_matrix(10, 33, 8000, 100.0, 3800.0), 1)
    decoded = tf.audio.decode_wav(wave)
    return {
        "spectrum": spectrum,
        "mel": mel,
        "mfcc": s.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-3)),
        "inverse": s.inverse_stft(spectrum, 64, 32, 64),
        "dct": s.dct(x[:16]),
        "frames": s.frame(x, 32, 16),
        "wave": decoded.audio,
        "rate": decoded.sample_rate,
        "fft": s.fft(tf.complex(x[:15], x[15:30])),
        "rfft2": s.rfft2d(tf.reshape(x, [16, 16])),
        "back": s.irfft3d(s.rfft3d(tf.reshape(x, [4, 8, 8]))),
        "window": s.hamming_window(9),
    }


@function(T([3, 4, 4], name="x"), tolerance=20)
def linear_algebra(x):
    linalg = tf.linalg
    s = x @ tf.transpose(x, [0, 2, 1]) + 4 * tf.eye(4)
    q, r = linalg.qr(x)
    return {
        "inverse": linalg.inv(s),
        "det": linalg.det(x),
        "solve": linalg.solve(s, x),
        "cholesky": linalg.cholesky(s),
        "product": q @ r,
        "values": linalg.eigvalsh(s),
        "singular": linalg.svd(x, compute_uv=False),
        "lower": linalg.band_part(x, -1, 0),
        "triangular": linalg.triangular_solve(linalg.cholesky(s), x),
        "trace": linalg.trace(x),
        "logm": linalg.logdet(s),
        "expm": linalg.expm(x / 4),
        "sqrt": linalg.sqrtm(s),
        "lu": linalg.lu(s)[0],
        "diagonal": linalg.diag(linalg.diag_part(x)),
        "rank": linalg.matrix_rank(s),
        "least": linalg.lstsq(x, x[:, :, :2], 0.1),
        "norm": linalg.norm(x, 2),
        "tridiagonal": linalg.tridiagonal_solve(
            tf.constant([[1.0, 1, 0], [4, 4, 4], [0, 1, 1]]), tf.constant([1.0, 2, 3])
        ),
    }


@function(
    T([2, 5], tf.int32, name="ids"),
    T([4], tf.int64, name="rows"),
    T([3], name="values"),
    feeds=lambda: {
        "ids": np.int32([[1, 2, 0, 4, 0], [0, 0, 3, 3, 1]]),
        "rows": np.int64([0, 2, 2, 3]),
        "values": np.float32([1, 2, 3]),
    },
)
def sparse_and_ragged(ids, rows, values):
    """Ragged and sparse inputs come as their parts, as the clients of servers send them."""
    ragged = tf.RaggedTensor.from_row_splits(values, rows, validate=False)
    sparse = tf.sparse.from_dense(ids)
    lengths = tf.RaggedTensor.from_tensor(ids, padding=0)
    return {
        "dense": ragged.to_tensor(-1),
        "sum": tf.reduce_sum(ragged, 1),
        "mean": tf.reduce_mean(tf.cast(lengths, tf.float32), 1),
        "flat": (ragged * 2).flat_values,
        "joined": tf.concat([ragged, ragged], 1).row_splits,
        "bounds": ragged.bounding_shape(),
        "mapped": tf.ragged.map_flat_values(tf.square, ragged).to_tensor(),
        "where": sparse.indices,
        "kept": sparse.values,
        "product": tf.sparse.sparse_dense_matmul(tf.cast(sparse, tf.float32), tf.ones([5, 2])),
        "row_sum": tf.sparse.reduce_sum(sparse, 1),
        "back": tf.sparse.to_dense(tf.sparse.add(sparse, sparse)),
        "slice": tf.sparse.slice(sparse, [0, 1], [2, 2]).values,
        "union": tf.sets.union(sparse, sparse).values,
        "ragged_gather": tf.gather(ragged, [1, 0]).to_tensor(),
        "embedded": tf.nn.embedding_lookup_sparse(tf.reshape(tf.range(10.0), [5, 2]), sparse, None, combiner="mean"),
        "sorted": tf.sparse.reorder(tf.sparse.transpose(sparse)).indices,
        "strings": tf.strings.reduce_join(tf.strings.as_string(lengths), 1),
    }


@function(T([2, 6, 6, 3], name="x"), tolerance=5)
def quantisation(x):
    """What training for quantised numbers, and quantised graphs, leave in a model."""
    q = tf.quantization
    w = tf.constant(made_up((3, 3, 3, 4), "float32", 8))
    whole, low, high = q.quantize(x, -3.0, 3.0, tf.quint8)
    wide = q.quantize(x, -3.0, 3.0, tf.qint8, mode="SCALED")
    return {
        "fake": q.fake_quant_with_min_max_args(x, -2, 2),
        "fake_variables": q.fake_quant_with_min_max_vars(x, -1.5, 2.5, num_bits=4, narrow_range=True),
        "by_channel": q.fake_quant_with_min_max_vars_per_channel(x, [-1.0, -2, -3], [1.0, 2, 3]),
        "both": q.quantize_and_dequantize_v2(x, -2.0, 2.0, range_given=True),
        "conv": tf.nn.relu6(
            tf.nn.conv2d(
                q.fake_quant_with_min_max_args(x, -3, 3),
                q.fake_quant_with_min_max_vars_per_channel(w, [-1.0] * 4, [1.0] * 4, narrow_range=True),
                1,
                "SAME",
            )
        ),
        "bytes": tf.bitcast(whole, tf.uint8),
        "back": q.dequantize(whole, low, high),
        "scaled": q.dequantize(wide.output, wide.output_min, wide.output_max, mode="SCALED"),
        "third": raw.QuantizeAndDequantizeV3(input=x, input_min=-1.0, input_max=1.0, num_bits=5),
    }


@function(T([3, 8], name="x"), T([3], tf.int64, name="labels"))
def nets_by_hand(x, labels):
    """tf.nn without layers."""
    n = tf.nn
    image = tf.reshape(tf.tile(x, [1, 8]), [3, 8, 8, 1])
    k = tf.constant(made_up((3, 3, 1, 2), "float32", 4))
    mean, variance = n.moments(x, [0])
    return {
        "conv": n.conv2d(image, k, [1, 2, 2, 1], [[0, 0], [1, 0], [0, 1], [0, 0]]),
        "dilated": n.atrous_conv2d(image, k, 2, "SAME"),
        "local": n.local_response_normalization(image, 2),
        "erosion": n.erosion2d(image, k[..., 0], [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
        "dilation": n.dilation2d(image, k[..., 0], [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1]),
        "normal": n.batch_normalization(x, mean, variance, 0.1, 2.0, 1e-3),
        "loss": n.sparse_softmax_cross_entropy_with_logits(labels, x),
        "weighted": n.weighted_cross_entropy_with_logits(tf.nn.sigmoid(x), x, 2.0),
        "top": n.top_k(x, 3).indices,
        "in_top": n.in_top_k(labels, x, 2),
        "sampled": tf.random.fixed_unigram_candidate_sampler(
            labels[:, None], 1, 2, True, 8, unigrams=[1.0] * 8, seed=4
        )[0],
        "greedy": n.ctc_greedy_decoder(tf.reshape(x, [4, 2, 3]), [4, 3])[0][0].values,
        "beams": n.ctc_beam_search_decoder(tf.reshape(x, [4, 2, 3]), [4, 4], 4)[1],
        "ctc": n.ctc_loss(tf.constant([[1], [2]]), tf.reshape(x, [4, 2, 3]), [1, 1], [4, 4]),
        "pool": n.max_pool_with_argmax(image, 2, 2, "VALID")[1],
        "fraction": n.fractional_max_pool(image, [1, 1.5, 1.3, 1], True, seed=3)[0],
        "depth": n.space_to_depth(image, 2),
        "loss2": n.l2_loss(x),
        "pooled": n.pool(image, [2, 2], "AVG", strides=[2, 2]),
    }
