"""Whole nets as people build them with Keras: functional, sequential, subclassed, of other precision, of keras.ops, and
some of keras.applications."""

import keras
import numpy as np
import tensorflow as tf

from models.kinds import Run, archive, keras_model, made_up

K, L, Input, Model = keras.ops, keras.layers, keras.Input, keras.Model


# ---- layers and models of one's own
class Gate(L.Layer):
    """A layer with weights of several kinds and control flow by values."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")
        self.limit = self.add_weight(shape=(), initializer="ones", trainable=False, name="limit")
        self.rounds = self.add_weight(
            shape=(), dtype="int32", initializer=keras.initializers.Constant(3), trainable=False, name="rounds"
        )

    def call(self, x, training=False):
        y = x @ self.kernel
        y = K.while_loop(lambda i, _: i < self.rounds, lambda i, v: (i + 1, K.tanh(v) * self.limit), (0, y))[1]
        return K.cond(K.sum(y) > 0, lambda: y, lambda: -y)


@keras_model
def layer_of_ones_own():
    return keras.Sequential([Input((5,), name="x"), Gate(4), L.Dense(2)])


class Pair(Model):
    """Takes and gives dictionaries."""

    def __init__(self):
        super().__init__()
        self.left, self.right, self.norm = L.Dense(4, activation="relu"), L.Embedding(10, 4), L.BatchNormalization()

    def call(self, inputs, training=False):
        left = self.norm(self.left(inputs["x"]), training=training)
        right = self.right(inputs["ids"])
        return {"sum": left + K.mean(right, 1), "parts": {"left": left, "right": right}}


@archive
def subclassed_with_dictionaries():
    model = Pair()
    model({"x": np.zeros((1, 3), np.float32), "ids": np.zeros((1, 2), np.int32)})
    made = keras.export.ExportArchive()
    made.track(model)
    made.add_endpoint(
        "serving_default",
        lambda inputs: {k: v for k, v in flat(model(inputs))},
        [{"x": tf.TensorSpec([None, 3], name="x"), "ids": tf.TensorSpec([None, None], tf.int32, name="ids")}],
    )
    return made, {"x": made_up((2, 3), "float32"), "ids": np.array([[1, 2, 3], [4, 5, 6]], np.int32)}


def flat(structure, name=""):
    for key, value in structure.items():
        yield from flat(value, name + key + "_") if isinstance(value, dict) else [(name + key, value)]


@keras_model
def nested_inputs():
    a, b, c = Input((2,), name="a"), Input((3,), name="b"), Input((2,), name="c")
    return Model({"first": a, "rest": {"b": b, "c": c}}, {"joined": L.Concatenate()([a, b, c]), "product": a * c})


@keras_model
def shared_layers():
    x, y = Input((6, 6, 1), name="left"), Input((6, 6, 1), name="right")
    tower = keras.Sequential([L.Conv2D(3, 3, activation="relu"), L.Flatten(), L.Dense(4)])
    distance = K.sqrt(K.sum(K.square(tower(x) - tower(y)), -1, keepdims=True))
    return Model([x, y], L.Dense(1, activation="sigmoid", name="same")(distance))


# ---- architectures
@keras_model
def residual_net():
    x = y = Input((16, 16, 3), name="image")
    for filters in (8, 16):
        short = L.Conv2D(filters, 1, strides=2)(y)
        y = L.Conv2D(filters, 3, padding="same", use_bias=False)(y)
        y = L.ReLU()(L.BatchNormalization()(y))
        y = L.Conv2D(filters, 3, strides=2, padding="same", use_bias=False)(y)
        y = L.ReLU()(L.Add()([L.BatchNormalization()(y), short]))
    return Model(x, L.Dense(5, activation="softmax")(L.GlobalAveragePooling2D()(y)))


@keras_model
def u_net():
    x = y = Input((None, None, 1), name="image")
    ways = []
    for filters in (4, 8):
        y = L.Conv2D(filters, 3, padding="same", activation="relu")(y)
        ways.append(y)
        y = L.MaxPooling2D()(y)
    y = L.Conv2D(16, 3, padding="same", activation="relu")(y)
    for filters in (8, 4):
        y = L.Concatenate()([L.Conv2DTranspose(filters, 2, strides=2)(y), ways.pop()])
        y = L.Conv2D(filters, 3, padding="same", activation="relu")(y)
    return Model(x, L.Conv2D(2, 1, activation="softmax")(y)), {"image": made_up((1, 12, 16, 1), "float32")}


def transformer_block(x, heads=2, mask=None):
    y = L.LayerNormalization()(x)
    x = x + L.MultiHeadAttention(heads, 4)(y, y, use_causal_mask=mask is not None)
    y = L.LayerNormalization()(x)
    return x + L.Dense(x.shape[-1])(L.Dense(16, activation="gelu")(y))


class Positions(L.Layer):
    """Adds a learned row for each position."""

    def __init__(self, most, width):
        super().__init__()
        self.table = L.Embedding(most, width)

    def call(self, x):
        return x + self.table(K.arange(K.shape(x)[1]))


@keras_model
def transformer():
    x = Input((None,), dtype="int32", name="tokens")
    table = L.ReversibleEmbedding(30, 8)
    y = Positions(16, 8)(table(x))
    for _ in range(2):
        y = transformer_block(y, mask="causal")
    return Model(x, table(y, reverse=True)), {"tokens": np.array([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]], np.int32)}


@keras_model
def vision_transformer():
    x = Input((16, 16, 3), name="image")
    y = L.Reshape((16, 12))(L.Conv2D(12, 4, strides=4)(x))
    y = y + L.Embedding(16, 12)(np.arange(16))
    y = L.GlobalAveragePooling1D()(transformer_block(transformer_block(y, 3), 3))
    return Model(x, L.Dense(4)(y))


@keras_model
def encoder_decoder():
    source, target = Input((None,), dtype="int32", name="source"), Input((None,), dtype="int32", name="target")
    _, h, c = L.LSTM(6, return_state=True)(L.Embedding(12, 5, mask_zero=True)(source))
    y = L.LSTM(6, return_sequences=True)(L.Embedding(12, 5)(target), initial_state=[h, c])
    return Model([source, target], L.TimeDistributed(L.Dense(12, activation="softmax"))(y)), {
        "source": np.array([[1, 2, 3, 0], [4, 5, 0, 0]], np.int32),
        "target": np.array([[1, 7, 8], [1, 9, 2]], np.int32),
    }


@keras_model
def variational_autoencoder():
    x = Input((10,), name="x")
    mean, spread = L.Dense(3)(x), L.Dense(3)(x)
    generator = keras.random.SeedGenerator(7)
    z = L.Lambda(lambda v: v[0] + K.exp(v[1] / 2) * keras.random.normal(K.shape(v[0]), seed=3))([mean, spread])
    del generator
    return Model(x, [L.Dense(10, activation="sigmoid")(z), mean, spread])


@keras_model
def wide_and_deep():
    wide, deep, word = Input((4,), name="wide"), Input((5,), name="deep"), Input((1,), dtype="string", name="word")
    row = L.Flatten()(L.Embedding(6, 3)(L.Hashing(6)(word)))
    hidden = L.Dense(8, activation="relu")(L.Concatenate()([deep, row]))
    return Model([wide, deep, word], L.Dense(1)(L.Concatenate()([wide, hidden])))


@keras_model
def mixer():
    x = y = Input((6, 8), name="patches")
    for _ in range(2):
        z = L.Permute((2, 1))(L.LayerNormalization()(y))
        y = y + L.Permute((2, 1))(L.Dense(6)(L.Dense(10, activation="gelu")(z)))
        y = y + L.Dense(8)(L.Dense(12, activation="silu")(L.RMSNormalization()(y)))
    return Model(x, y)


@keras_model
def temporal_convolutions():
    x = y = Input((20, 3), name="series")
    for dilation in (1, 2, 4):
        z = L.Conv1D(6, 3, padding="causal", dilation_rate=dilation)(y)
        z = L.Multiply()([L.Activation("tanh")(z), L.Activation("sigmoid")(z)])
        y = L.Add()([L.Conv1D(6, 1)(z), L.Conv1D(6, 1)(y)])
    return Model(x, L.Dense(1)(y))


@keras_model
def detector():
    """Boxes and scores, suppressed where they overlap."""
    x = Input((16, 16, 3), name="image")
    y = L.Conv2D(8, 3, strides=2, padding="same", activation="relu")(x)
    y = L.Conv2D(6, 3, strides=2, padding="same")(y)
    corner, size = L.Reshape((16, 2))(y[..., :2]), L.Reshape((16, 2))(y[..., 2:4])
    scores = L.Reshape((16, 2))(K.sigmoid(y[..., 4:]))

    class Suppress(L.Layer):
        def call(self, corner, size, scores):
            boxes = tf.concat([corner, corner + tf.nn.softplus(size)], -1)
            return tuple(tf.image.combined_non_max_suppression(boxes[:, :, None], scores, 3, 5, 0.4, 0.3))

    return Model(x, Suppress()(corner, size, scores))


# ---- precision
def of_precision(policy):
    x = Input((8, 8, 3), name="image", dtype="float32")
    y = L.Conv2D(4, 3, activation="relu", dtype=policy)(x)
    y = L.BatchNormalization(dtype=policy)(y)
    y = L.MaxPooling2D(dtype=policy)(y)
    y = L.Dense(6, activation="gelu", dtype=policy)(L.Flatten(dtype=policy)(y))
    y = L.LayerNormalization(dtype=policy)(y)
    return Model(x, [y, L.Activation("softmax", dtype="float32")(L.Dense(3, dtype=policy)(y))]), None, {}


@keras_model
def mixed_float16():
    return of_precision("mixed_float16")


@keras_model
def mixed_bfloat16():
    return of_precision("mixed_bfloat16")


@keras_model
def float64():
    x = Input((4, 3), name="x", dtype="float64")
    return Model(x, L.Dense(2, dtype="float64")(L.LSTM(3, dtype="float64")(x)))


@keras_model
def bfloat16_throughout():
    x = Input((5,), name="x", dtype="bfloat16")
    return Model(x, L.Dense(2, activation="tanh", dtype="bfloat16")(x))


def quantised(mode):
    model = keras.Sequential([Input((8,), name="x"), L.Dense(6, activation="relu"), L.Dense(4)])
    for weight in model.weights:
        weight.assign(made_up(weight.shape, "float32", len(weight.shape)))
    model.quantize(mode)
    return model


@archive
def quantised_to_int8():
    return exported(quantised("int8"))


@archive
def quantised_to_int4():
    return exported(quantised("int4"))


@archive
def quantised_to_float8():
    return exported(quantised("float8"))


def exported(model, feeds=None, **fields):
    """A model as it is, without spread weights."""
    made = keras.export.ExportArchive()
    made.track(model)
    made.add_endpoint(
        "serving_default", model.__call__, [tf.TensorSpec(i.shape, i.dtype, name=i.name) for i in model.inputs]
    )
    return made, feeds, fields


@archive
def low_rank_adapters():
    model = keras.Sequential([Input((6,), name="x"), L.Dense(8), L.Dense(3)])
    model.layers[0].enable_lora(2)
    model.layers[0].lora_kernel_b.assign(made_up((2, 8), "float32"))
    return exported(model)


# ---- keras.ops
def operations(*functions, size=(2, 4, 6)):
    """One output for each function of numbers."""
    made = keras.export.ExportArchive()

    def call(x):
        return {"y%02d" % i: K.convert_to_tensor(f(x)) for i, f in enumerate(functions)}

    made.add_endpoint("serving_default", call, [tf.TensorSpec(size, name="x")])
    return made, None


@archive
def operations_of_numpy():
    return operations(
        lambda v: K.sort(v, -1),
        lambda v: K.argsort(v, 1),
        lambda v: K.cumsum(v, 1),
        lambda v: K.cumprod(v, -1),
        lambda v: K.roll(v, 2, 1),
        lambda v: K.median(v, -1),
        lambda v: K.quantile(v, 0.3, 1),
        lambda v: K.diff(v),
        lambda v: K.std(v, 0),
        lambda v: K.einsum("bij,bkj->bik", v, v),
        lambda v: K.tensordot(v, v, [[1], [1]])[0],
        lambda v: K.take(v, [0, 2, -1], 1),
        lambda v: K.take_along_axis(v, K.argsort(v, -1), -1),
        lambda v: K.digitize(v, [-1.0, 0.0, 1.0]),
        lambda v: K.searchsorted(K.arange(6.0), K.abs(v[0, 0])),
        lambda v: K.tril(v, -1),
        lambda v: K.rot90(v, axes=(1, 2)),
        lambda v: K.nan_to_num(K.log(v)),
        lambda v: K.logaddexp(v, 0.5),
        lambda v: K.where(v > 0, v, K.zeros_like(v)),
        lambda v: K.clip(v, -0.5, 0.5),
        lambda v: K.percentile(v, 75, axis=-1),
        lambda v: K.bincount(K.cast(K.abs(v[0, 0] * 3), "int32"), minlength=12),
        lambda v: K.moveaxis(v, 1, 2),
        lambda v: K.cross(v[..., :3], v[..., 3:]),
        lambda v: K.linspace(0.0, v[0, 0, 0], 5),
        lambda v: K.nanmax(K.log(v)),
        lambda v: K.sinc(v),
        lambda v: K.trapezoid(v),
        lambda v: K.histogram(K.ravel(v), bins=4, range=(-2, 2))[0],
    )


@archive
def operations_of_mathematics():
    return operations(
        lambda v: K.erfinv(K.tanh(v)),
        lambda v: K.logsumexp(v, -1),
        lambda v: K.top_k(v, 3)[1],
        lambda v: K.in_top_k(K.ones((4,), "int32"), v[0], 2),
        lambda v: K.segment_sum(v[0], K.convert_to_tensor([0, 2, 0, 1]), 4),
        lambda v: K.segment_max(v[0], K.convert_to_tensor([0, 0, 1, 1]), 2),
        lambda v: K.extract_sequences(v, 4, 2),
        lambda v: K.rfft(v)[0],
        lambda v: K.irfft(K.rfft(v)),
        lambda v: K.fft2((v, v))[1],
        lambda v: K.stft(v, 4, 2, 4, window=None)[0],
        lambda v: K.rsqrt(K.abs(v) + 1),
        lambda v: K.qr(v[:, :, :4])[1] ** 2,
        lambda v: K.cholesky(K.matmul(v, K.transpose(v, (0, 2, 1))) + 4 * K.eye(4)),
        lambda v: K.det(v[:, :, :4]),
        lambda v: K.inv(v[:, :, :4] + 4 * K.eye(4)),
        lambda v: K.solve(v[:, :, :4] + 4 * K.eye(4), v),
        lambda v: K.norm(v, axis=(1, 2)),
        lambda v: K.svd(v, compute_uv=False),
        lambda v: K.eigh(v[:, :, :4] + K.transpose(v[:, :, :4], (0, 2, 1)))[0],
        lambda v: K.slogdet(v[:, :, :4])[1],
        lambda v: K.linalg.pinv(v),
        lambda v: K.cdist(v, v),
        lambda v: K.erf(v),
        lambda v: K.i0(v),
    )


@archive
def operations_of_control():
    return operations(
        lambda v: K.scan(lambda c, x: (c + x, c * x), v[:, 0, 0], K.transpose(v[:, 0]))[1],
        lambda v: K.associative_scan(lambda a, b: a + b, v, axis=1),
        lambda v: K.map(lambda row: K.sum(row) * row, v),
        lambda v: K.vectorized_map(lambda row: K.max(row) - row, v),
        lambda v: K.fori_loop(0, 4, lambda i, c: c * 0.5 + K.cast(i, "float32"), v),
        lambda v: K.switch(K.cast(v[0, 0, 0] > 0, "int32"), [lambda a: a + 1, lambda a: a * 2], v),
        lambda v: K.cond(K.mean(v) > 5, lambda: v, lambda: -v),
        lambda v: K.scatter(K.convert_to_tensor([[1], [3]]), v[:2, 0], (5, 6)),
        lambda v: K.slice_update(v, (0, 1, 2), K.zeros((1, 2, 2))),
        lambda v: K.while_loop(lambda s: K.sum(K.abs(s)) > 1, lambda s: (s / 2,), (v,))[0],
        lambda v: K.stop_gradient(v),
        lambda v: K.unstack(v, axis=1)[2],
        lambda v: K.scatter_update(v[0], [[1, 2], [0, 3]], [9.0, 8.0]),
    )


@archive
def operations_of_nets():
    labels = np.array([1, 0], np.int32)
    return operations(
        lambda v: K.one_hot(K.cast(K.abs(v[:, 0]) * 2, "int32"), 5),
        lambda v: K.multi_hot(K.cast(K.abs(v[:, 0]) * 2, "int32"), 5),
        lambda v: K.sparse_categorical_crossentropy(labels, K.softmax(v[:, 0])),
        lambda v: K.binary_crossentropy(K.sigmoid(v), K.sigmoid(v * 2)),
        lambda v: K.ctc_loss(
            K.convert_to_tensor([[1, 2], [3, 0]]), v, K.convert_to_tensor([2, 1]), K.convert_to_tensor([4, 4])
        ),
        lambda v: K.ctc_decode(v, K.convert_to_tensor([4, 3]), strategy="greedy")[0],
        lambda v: K.ctc_decode(v, K.convert_to_tensor([4, 4]), strategy="beam_search", beam_width=5)[1],
        lambda v: K.normalize(v, order=2),
        lambda v: K.moments(v, [1, 2])[1],
        lambda v: K.dot_product_attention(v[:, :, None], v[:, :, None], v[:, :, None]),
        lambda v: K.average_pool(v, 2, 2),
        lambda v: K.depth_to_space(K.reshape(v, (-1, 2, 2, 6))[..., :4], 2),
        lambda v: K.unfold(K.reshape(v, (-1, 1, 4, 6)), 2),
        lambda v: K.psnr(v, v + 0.1, 1.0),
        lambda v: K.rms_normalization(v),
        lambda v: K.polar(K.abs(v), v),
    )


@archive
def operations_of_images():
    image = keras.ops.image
    made, _ = operations(
        lambda v: image.affine_transform(v, K.array([0.9, 0.1, 1.0, -0.2, 1.1, 0.5, 0.0, 0.0])),
        lambda v: image.affine_transform(v, K.array([1.0, 0.2, 0, 0, 1.0, 0, 0, 0]), "nearest", "reflect"),
        lambda v: image.extract_patches(v, 3, 2),
        lambda v: image.gaussian_blur(v),
        lambda v: image.rgb_to_hsv(v),
        lambda v: image.hsv_to_rgb(v),
        lambda v: image.rgb_to_grayscale(v),
        lambda v: image.crop_images(v, 1, 2, None, None, 5, 6),
        lambda v: image.pad_images(v, 1, 2, None, None, 12, 13),
        lambda v: image.perspective_transform(v, [[0, 0], [8, 0], [0, 7], [8, 7]], [[1, 1], [7, 0], [0, 7], [8, 6]]),
        lambda v: image.map_coordinates(v[0, :, :, 0], [[0.5, 2.2], [1.5, 7.9]], 1, "mirror"),
        lambda v: image.scale_and_translate(v, (2, 12, 12, 3), [1.4, 1.2], [0.5, -0.5], (1, 2), "linear"),
        lambda v: image.sobel_edges(v),
        lambda v: image.ssim(v, v * 0.9, 1.0, filter_size=5),
        size=(2, 8, 9, 3),
    )
    return made, {"x": np.random.RandomState(5).uniform(0, 1, (2, 8, 9, 3)).astype(np.float32)}


@archive
def random_numbers():
    """All kinds of keras.random, from one generator."""
    generator = keras.random.SeedGenerator(42)
    r = keras.random

    def draw(n):
        return {
            "normal": r.normal((3, 2), seed=generator) * n,
            "uniform": r.uniform((4,), -1, 2, seed=generator),
            "whole": r.randint((5,), 0, 100, seed=generator),
            "truncated": r.truncated_normal((4,), seed=generator),
            "categorical": r.categorical(K.log(K.array([[0.2, 0.3, 0.5]])), 6, seed=generator),
            "gamma": r.gamma((3,), 2.0, seed=generator),
            "binomial": r.binomial((4,), 10.0, 0.4, seed=generator),
            "beta": r.beta((3,), 2.0, 3.0, seed=generator),
            "shuffled": r.shuffle(K.arange(6), seed=generator),
            "dropped": r.dropout(K.ones((8,)), 0.5, seed=generator),
            "fixed": r.uniform((2,), seed=5),
        }

    made = keras.export.ExportArchive()
    made.add_endpoint("serving_default", draw, [tf.TensorSpec([], name="n")])
    one = {"n": np.float32(1)}
    return made, [Run(one, "serving_default"), Run(one, "serving_default", again=2)], {"not_frozen": "*"}


# ---- keras.applications
def application(make, size=32, **fields):
    model = make(weights=None, input_shape=(size, size, 3), classes=10, **fields)
    model.inputs[0].name = "image"
    return model, None, {"tolerance": 20}


@keras_model
def mobile_net():
    return application(keras.applications.MobileNet, alpha=0.25)


@keras_model
def mobile_net_v2():
    return application(keras.applications.MobileNetV2, alpha=0.35)


@keras_model
def mobile_net_v3():
    return application(keras.applications.MobileNetV3Small, alpha=0.75)


@keras_model
def efficient_net():
    return application(keras.applications.EfficientNetB0)


@keras_model
def efficient_net_v2():
    return application(keras.applications.EfficientNetV2B0)


@keras_model
def dense_net():
    return application(keras.applications.DenseNet121)


@keras_model
def nas_net():
    return application(keras.applications.NASNetMobile)


@keras_model
def res_net_v2():
    return application(keras.applications.ResNet50V2)


@keras_model
def conv_next():
    return application(keras.applications.ConvNeXtTiny)
