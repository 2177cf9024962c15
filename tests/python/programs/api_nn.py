"""tf.nn, tf.losses-like functions, tf.image."""

from programs import close, shows, tf


def picture(height=6, width=6, channels=1, count=1):
    n = count * height * width * channels
    return tf.reshape(tf.sin(tf.range(n, dtype=tf.float32)), [count, height, width, channels])


@shows
def convolutions():
    x, w = picture(), tf.reshape(tf.cos(tf.range(18.0)), [3, 3, 1, 2])
    return (
        tf.nn.conv2d(x, w, 1, "SAME"),
        tf.nn.conv2d(x, w, 2, "VALID"),
        tf.nn.conv2d(x, w, 1, [[0, 0], [1, 0], [0, 2], [0, 0]]),
        tf.nn.conv2d(x, w, 1, "VALID", dilations=2),
        tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID"),
        tf.nn.atrous_conv2d(x, w, 2, "SAME"),
    )


@shows
def other_convolutions():
    x = picture(4, 4, 2)
    return (
        tf.nn.conv1d(x[0], tf.ones([2, 2, 3]) * 0.5, 1, "SAME"),
        tf.nn.conv3d(x[:, None], tf.ones([1, 2, 2, 2, 1]), [1, 1, 1, 1, 1], "VALID"),
        tf.nn.conv2d_transpose(x, tf.ones([2, 2, 1, 2]), [1, 8, 8, 1], 2),
        tf.nn.separable_conv2d(x, tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 3]), [1, 1, 1, 1], "VALID"),
        tf.nn.conv1d_transpose(x[0], tf.ones([2, 3, 2]), [4, 8, 3], 2),
        tf.nn.erosion2d(x, tf.zeros([2, 2, 2]), [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1]),
        tf.nn.dilation2d(x, tf.zeros([2, 2, 2]), [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1]),
    )


@shows
def pools():
    x = picture(5, 5, 2)
    return (
        tf.nn.max_pool2d(x, 2, 2, "SAME"),
        tf.nn.avg_pool2d(x, 3, 1, "VALID"),
        tf.nn.max_pool_with_argmax(x, 2, 2, "VALID"),
        tf.nn.pool(x, [2, 2], "AVG", [1, 1], "SAME"),
        tf.nn.avg_pool1d(x[0], 2, 2, "VALID"),
        tf.nn.max_pool3d(x[:, None], [1, 2, 2], [1, 2, 2], "VALID"),
        tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
    )


@shows
def fractional_pools():
    x = picture(6, 6)
    a = tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.5, 1.0], seed=3)
    return [tf.shape(v) for v in a]


@shows
def normalisations():
    x = picture(2, 2, 3, 2)
    mean, variance = tf.nn.moments(x, [0, 1, 2])
    return (
        mean,
        variance,
        tf.nn.batch_normalization(x, mean, variance, 1.0, 2.0, 1e-3),
        tf.nn.local_response_normalization(x),
        tf.nn.weighted_moments(x, [0], [[[[1.0]]], [[[3.0]]]]),
        tf.nn.sufficient_statistics(x, [0, 1]),
        tf.nn.normalize_moments(4.0, [2.0], [5.0], None),
        tf.compat.v1.nn.fused_batch_norm(x, [1.0] * 3, [0.0] * 3, epsilon=1e-3)[:3],
    )


@shows
def cross_entropies():
    logits = tf.constant([[2.0, -1.0, 0.5], [0.0, 0.0, 3.0]])
    return (
        tf.nn.softmax_cross_entropy_with_logits([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]], logits),
        tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2], logits),
        tf.nn.sigmoid_cross_entropy_with_logits(tf.ones([2, 3]), logits),
        tf.nn.weighted_cross_entropy_with_logits(tf.ones([2, 3]), logits, 2.0),
        tf.nn.log_poisson_loss([1.0, 2.0], [0.5, 0.1], compute_full_loss=True),
        tf.nn.l2_loss(logits),
    )


@shows
def losses_of_version_one():
    a, b = tf.constant([[1.0, 2.0], [3.0, 5.0]]), tf.constant([[1.5, 1.0], [3.0, 2.0]])
    v1 = tf.compat.v1.losses
    return (
        v1.mean_squared_error(a, b),
        v1.absolute_difference(a, b, weights=[[1.0], [0.5]]),
        v1.huber_loss(a, b),
        v1.hinge_loss([[1.0, 0.0]], [[0.3, -2.0]]),
        v1.log_loss([[1.0, 0.0]], [[0.9, 0.2]]),
        v1.cosine_distance(a, b, axis=1),
        v1.softmax_cross_entropy([[1.0, 0.0]], [[2.0, 1.0]], label_smoothing=0.1),
        v1.mean_squared_error(a, b, reduction=v1.Reduction.NONE),
        v1.mean_pairwise_squared_error(a, b),
    )


@shows
def activations():
    x = tf.linspace(-2.0, 2.0, 5)
    names = "relu relu6 crelu elu selu gelu silu swish leaky_relu softplus softsign tanh sigmoid softmax log_softmax"
    return {n: getattr(tf.nn, n)(x) for n in names.split()}


@shows
def connectionist_classification():
    logits = tf.math.log_softmax(tf.reshape(tf.sin(tf.range(24.0)), [4, 2, 3]))
    decoded, p = tf.nn.ctc_greedy_decoder(logits, [4, 4])
    beams, q = tf.nn.ctc_beam_search_decoder(logits, [4, 4], beam_width=3)
    return decoded[0], p, beams[0], q, tf.compat.v1.nn.ctc_loss(tf.sparse.from_dense([[1, 0], [1, 1]]), logits, [4, 4])


@shows
@close(1e-4)
def ctc_loss_of_dense_labels():
    logits = tf.reshape(tf.sin(tf.range(24.0)), [4, 2, 3])
    return tf.nn.ctc_loss([[1, 2], [1, 0]], logits, [2, 1], [4, 3], blank_index=0), tf.nn.ctc_unique_labels(
        [[1, 2, 1], [0, 1, 2]]
    )


@shows
def lookups():
    table = tf.reshape(tf.range(12.0), [4, 3])
    ids = tf.sparse.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 3, 0], [3, 2])
    return (
        tf.nn.embedding_lookup(table, [[1, 2], [0, 0]]),
        tf.nn.embedding_lookup(table, [3], max_norm=1.0),
        tf.nn.embedding_lookup_sparse(table, ids, None, combiner="mean"),
        tf.nn.safe_embedding_lookup_sparse(table, ids, combiner="sum"),
        tf.nn.collapse_repeated([[1, 1, 2, 2]], [4]),
        tf.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]),
        tf.nn.scale_regularization_loss(4.0),
    )


@shows
def gradients_of_layers():
    x, w = picture(4, 4, 1), tf.reshape(tf.cos(tf.range(8.0)), [2, 2, 1, 2])
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME"))
        y = tf.nn.max_pool2d(y, 2, 2, "VALID")
        loss = tf.reduce_sum(tf.nn.softmax(tf.reshape(y, [1, -1])) * tf.range(8.0))
    return tape.gradient(loss, [x, w])


@shows
def dropouts():
    a = tf.nn.dropout(tf.ones([10]), 0.0)
    b = tf.nn.experimental.stateless_dropout(tf.ones([10]), 0.5, seed=[1, 2])
    return (
        a,
        b,
        tf.nn.experimental.general_dropout(tf.ones([4]), 0.5, lambda shape, dtype: tf.constant([0.1, 0.6, 0.4, 0.9])),
    )


@shows
def resized():
    x = picture(4, 4, 1)
    methods = ("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic")
    return (
        {m: tf.image.resize(x, [3, 5], method=m) for m in methods},
        tf.image.resize(x, [8, 2], preserve_aspect_ratio=True),
        tf.image.resize(x, [2, 2], antialias=True),
    )


@shows
def turned_and_cut():
    x = tf.reshape(tf.range(24), [4, 3, 2])
    return (
        tf.image.flip_left_right(x),
        tf.image.flip_up_down(x),
        tf.image.rot90(x, 3),
        tf.image.transpose(x),
        tf.image.central_crop(x, 0.5),
        tf.image.crop_to_bounding_box(x, 1, 0, 2, 2),
        tf.image.pad_to_bounding_box(x, 1, 1, 6, 5),
        tf.image.resize_with_crop_or_pad(x, 2, 5),
        tf.image.extract_glimpse(tf.cast(x[None], tf.float32), [2, 2], [[0.0, 0.0]], noise="zero"),
    )


@shows
def colours():
    x = tf.constant([[[0.2, 0.4, 0.6], [1.0, 0.0, 0.5]]])
    return (
        tf.image.rgb_to_grayscale(x),
        tf.image.rgb_to_hsv(x),
        tf.image.hsv_to_rgb(x),
        tf.image.rgb_to_yiq(x),
        tf.image.rgb_to_yuv(x),
        tf.image.yuv_to_rgb(x),
        tf.image.adjust_brightness(x, 0.1),
        tf.image.adjust_contrast(x, 2.0),
        tf.image.adjust_gamma(x, 2.0, 0.5),
        tf.image.adjust_hue(x, 0.2),
        tf.image.adjust_saturation(x, 0.5),
        tf.image.per_image_standardization(x),
        tf.image.convert_image_dtype(x, tf.uint8),
        tf.image.grayscale_to_rgb(x[..., :1]),
    )


@shows
def measures_of_images():
    a, b = picture(16, 16) * 0.5 + 0.5, picture(16, 16) * 0.4 + 0.5
    return (
        tf.image.psnr(a, b, 1.0),
        tf.image.ssim(a, b, 1.0),
        tf.image.total_variation(a),
        tf.image.sobel_edges(a)[0, 3, 3],
        tf.image.image_gradients(a)[0][0, 0],
    )


@shows
def boxes():
    b = tf.constant([[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 2.0, 1.0, 3.0]])
    s = tf.constant([0.9, 0.75, 0.6])
    return (
        tf.image.non_max_suppression(b, s, 3),
        tf.image.non_max_suppression_with_scores(b, s, 3, soft_nms_sigma=0.5),
        tf.image.combined_non_max_suppression(b[None, :, None], s[None, :, None], 2, 2),
        tf.image.crop_and_resize(picture(4, 4), [[0.0, 0.0, 0.5, 1.0]], [0], [2, 2]),
        tf.image.draw_bounding_boxes(tf.zeros([1, 4, 4, 1]), [[[0.0, 0.0, 0.6, 0.6]]], [[1.0]]),
    )


@shows
def coded_images():
    x = tf.cast(tf.reshape(tf.range(48) * 5, [4, 4, 3]), tf.uint8)
    png = tf.io.encode_png(x)
    return (
        tf.reduce_all(tf.io.decode_png(png) == x),
        tf.io.decode_image(png).shape,
        tf.io.is_jpeg(png),
        tf.io.extract_jpeg_shape(tf.io.encode_jpeg(x)),
        tf.strings.substr(png, 1, 3),
        tf.io.decode_bmp(
            tf.io.decode_base64("Qk06AAAAAAAAADYAAAAoAAAAAQAAAAEAAAABABgAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAQIDAA")
        ),
    )


@shows
def random_images_without_state():
    x = tf.reshape(tf.range(24.0), [4, 3, 2])
    return (
        tf.image.stateless_random_flip_left_right(x, [1, 2]),
        tf.image.stateless_random_brightness(x, 0.2, [3, 4]),
        tf.image.stateless_random_contrast(x, 0.5, 1.5, [1, 1]),
        tf.image.stateless_random_crop(x, [2, 2, 2], [5, 6]),
    )


@shows
def refused_images():
    made = []
    for f in (
        lambda: tf.image.resize([1.0], [2, 2]),
        lambda: tf.image.central_crop(tf.zeros([2, 2, 1]), 2.0),
        lambda: tf.image.adjust_hue(tf.zeros([2, 2, 3]), 2.0),
        lambda: tf.image.crop_to_bounding_box(tf.zeros([2, 2, 1]), 1, 1, 3, 3),
        lambda: tf.nn.conv2d(tf.zeros([1, 3, 3, 2]), tf.zeros([2, 2, 3, 1]), 1, "SAME"),
        lambda: tf.nn.softmax_cross_entropy_with_logits([1.0], [[1.0]]),
    ):
        try:
            f()
            made.append("nothing")
        except Exception as error:
            made.append(type(error).__name__)
    return made


@shows
def losses_keep_their_type():
    return tf.nn.scale_regularization_loss(tf.constant([1.0, 2.0], tf.float64)), tf.nn.scale_regularization_loss([1, 2])


@shows
def names_of_nodes_of_images():
    """A program may fetch what it has named."""
    with tf.Graph().as_default():
        floats, bytes_ = tf.ones([1, 4, 4, 3]), tf.zeros([4, 4, 3], tf.uint8)
        made = [
            tf.image.convert_image_dtype(bytes_, tf.float32, name="a"),
            tf.image.convert_image_dtype(floats, tf.uint8, name="b"),
            tf.image.convert_image_dtype(bytes_, tf.uint16, name="c"),
            tf.image.convert_image_dtype(floats, tf.float32, name="d"),
            tf.image.rgb_to_grayscale(floats, name="e"),
            tf.image.grayscale_to_rgb(floats[..., :1], name="f"),
            tf.image.adjust_contrast(bytes_, 2.0),
            tf.image.adjust_brightness(floats, 0.1),
        ]
        return [t.name for t in made]
