"""Every layer of keras.layers, with its important options."""

import tempfile

import keras
import numpy as np
import tensorflow as tf
from ten_steps import L, Training, headed, integers, layer_row, numbers, words

VECTOR, LINE, IMAGE, VOLUME = numbers(6), numbers(8, 4), numbers(8, 9, 3), numbers(6, 6, 6, 2)
FRAMES, IDS = numbers(3, 6, 5, 2), integers(7, high=11)
PIXELS = numbers(8, 10, 3, low=0.0, high=255.0)


def _of(x, **layers):
    return {name: layer_row(make, x) for name, make in layers.items()}


def of_vectors():
    rows = {
        "Activation": lambda: L.Activation("swish"),
        "ActivityRegularization": lambda: L.ActivityRegularization(0.1, 0.2),
        "AlphaDropout": lambda: L.AlphaDropout(0.3, seed=2),
        "BatchNormalization": lambda: L.BatchNormalization(),
        "Dense": lambda: L.Dense(4, activation="relu"),
        "Dense regularised": lambda: L.Dense(
            4, kernel_regularizer="l2", bias_regularizer="l1", activity_regularizer="l2", kernel_constraint="max_norm"
        ),
        "Dense lora": lambda: L.Dense(4, lora_rank=2),
        "Discretization": lambda: L.Discretization([-0.5, 0.0, 0.7], output_mode="one_hot"),
        "Dropout": lambda: L.Dropout(0.4, seed=3),
        "ELU": lambda: L.ELU(0.5),
        "GaussianDropout": lambda: L.GaussianDropout(0.3, seed=4),
        "GaussianNoise": lambda: L.GaussianNoise(0.2, seed=5),
        "Identity": lambda: L.Identity(),
        "Lambda": lambda: L.Lambda(lambda v: v * 2.0 + 1.0),
        "LeakyReLU": lambda: L.LeakyReLU(0.2),
        "Normalization": lambda: L.Normalization(mean=[0.1] * 6, variance=[0.5] * 6),
        "PReLU": lambda: L.PReLU(),
        "ReLU": lambda: L.ReLU(max_value=0.8, negative_slope=0.1, threshold=0.2),
        "RepeatVector": lambda: L.RepeatVector(3),
        "Rescaling": lambda: L.Rescaling(2.0, -1.0),
        "Softmax": lambda: L.Softmax(),
        "UnitNormalization": lambda: L.UnitNormalization(),
        "SpectralNormalization Dense": lambda: L.SpectralNormalization(L.Dense(3), power_iterations=2),
    }
    return _of(VECTOR, **rows)


def of_lines():
    rows = {
        "AdaptiveAveragePooling1D": lambda: L.AdaptiveAveragePooling1D(5),
        "AdaptiveMaxPooling1D": lambda: L.AdaptiveMaxPooling1D(3),
        "AveragePooling1D": lambda: L.AveragePooling1D(2, strides=1, padding="same"),
        "Bidirectional": lambda: L.Bidirectional(L.LSTM(3, return_sequences=True)),
        "Bidirectional sum": lambda: L.Bidirectional(
            L.SimpleRNN(3), backward_layer=L.GRU(3, go_backwards=True), merge_mode="sum"
        ),
        "Conv1D": lambda: L.Conv1D(4, 3, padding="same"),
        "Conv1D causal": lambda: L.Conv1D(4, 3, padding="causal", dilation_rate=2),
        "Conv1D groups": lambda: L.Conv1D(6, 2, groups=2, activation="relu"),
        "Conv1DTranspose": lambda: L.Conv1DTranspose(4, 3, strides=2),
        "Cropping1D": lambda: L.Cropping1D((2, 1)),
        "DepthwiseConv1D": lambda: L.DepthwiseConv1D(3, padding="same", depth_multiplier=2),
        "EinsumDense": lambda: L.EinsumDense("abc,cd->abd", output_shape=(8, 5), bias_axes="d"),
        "Flatten": lambda: L.Flatten(),
        "GlobalAveragePooling1D": lambda: L.GlobalAveragePooling1D(),
        "GlobalMaxPooling1D": lambda: L.GlobalMaxPooling1D(),
        "GRU": lambda: L.GRU(4),
        "GRU sequences": lambda: L.GRU(4, return_sequences=True, reset_after=False, go_backwards=True),
        "GRU dropout": lambda: L.GRU(4, dropout=0.2, recurrent_dropout=0.2, seed=3),
        "GRUCell": lambda: L.RNN(L.GRUCell(3)),
        "LSTM": lambda: L.LSTM(4),
        "LSTM sequences": lambda: L.LSTM(4, return_sequences=True, unit_forget_bias=False),
        "LSTM unrolled": lambda: L.LSTM(3, use_bias=False, unroll=True),
        "LSTM dropout": lambda: L.LSTM(3, dropout=0.3, recurrent_dropout=0.2, seed=6),
        "LSTMCell": lambda: L.RNN(L.LSTMCell(3), return_sequences=True),
        "LayerNormalization": lambda: L.LayerNormalization(),
        "Masking": lambda: L.Masking(0.5),
        "MaxPooling1D": lambda: L.MaxPooling1D(3),
        "Permute": lambda: L.Permute((2, 1)),
        "Pipeline": lambda: L.Pipeline([L.Rescaling(2.0), L.Rescaling(0.5, 1.0)]),
        "Reshape": lambda: L.Reshape((-1, 2)),
        "RMSNormalization": lambda: L.RMSNormalization(),
        "RNN": lambda: L.RNN([L.LSTMCell(3), L.LSTMCell(2)], return_sequences=True),
        "SeparableConv1D": lambda: L.SeparableConv1D(5, 3, depth_multiplier=2),
        "SimpleRNN": lambda: L.SimpleRNN(5, activation="relu"),
        "SimpleRNNCell": lambda: L.RNN(L.SimpleRNNCell(3)),
        "SpatialDropout1D": lambda: L.SpatialDropout1D(0.3, seed=7),
        "StackedRNNCells": lambda: L.RNN(L.StackedRNNCells([L.LSTMCell(3), L.GRUCell(2), L.SimpleRNNCell(4)])),
        "TimeDistributed": lambda: L.TimeDistributed(L.Dense(3)),
        "UpSampling1D": lambda: L.UpSampling1D(2),
        "ZeroPadding1D": lambda: L.ZeroPadding1D((1, 2)),
    }
    return _of(LINE, **rows)


def of_images():
    rows = {
        "AdaptiveAveragePooling2D": lambda: L.AdaptiveAveragePooling2D((4, 3)),
        "AdaptiveMaxPooling2D": lambda: L.AdaptiveMaxPooling2D(5),
        "AveragePooling2D": lambda: L.AveragePooling2D(3, strides=2, padding="same"),
        "BatchNormalization of images": lambda: L.BatchNormalization(momentum=0.9, renorm=False),
        "CenterCrop": lambda: L.CenterCrop(4, 4),
        "Conv2D": lambda: L.Conv2D(5, 3, activation="tanh"),
        "Conv2D strides": lambda: L.Conv2D(5, (2, 3), strides=(2, 1), padding="same", use_bias=False),
        "Conv2D dilated": lambda: L.Conv2D(4, 3, dilation_rate=2),
        "Conv2D groups": lambda: L.Conv2D(6, 3, groups=3, padding="same"),
        "Conv2D 1x1": lambda: L.Conv2D(3, 1),
        "Conv2DTranspose": lambda: L.Conv2DTranspose(4, 3, strides=2, padding="same"),
        "Cropping2D": lambda: L.Cropping2D(((1, 1), (2, 0))),
        "DepthwiseConv2D": lambda: L.DepthwiseConv2D(3, depth_multiplier=2),
        "GlobalAveragePooling2D": lambda: L.GlobalAveragePooling2D(),
        "GlobalMaxPooling2D": lambda: L.GlobalMaxPooling2D(keepdims=True),
        "GroupNormalization": lambda: L.GroupNormalization(3),
        "MaxPooling2D": lambda: L.MaxPooling2D(2),
        "MaxPooling2D same": lambda: L.MaxPooling2D(3, strides=1, padding="same"),
        "SeparableConv2D": lambda: L.SeparableConv2D(5, 3, depth_multiplier=2, padding="same"),
        "SpatialDropout2D": lambda: L.SpatialDropout2D(0.5, seed=8),
        "SpectralNormalization": lambda: L.SpectralNormalization(L.Conv2D(4, 3)),
        "UpSampling2D": lambda: L.UpSampling2D((2, 3)),
        "UpSampling2D bilinear": lambda: L.UpSampling2D(2, interpolation="bilinear"),
        "ZeroPadding2D": lambda: L.ZeroPadding2D(((1, 2), (0, 3))),
    }
    for name in ("nearest", "bilinear", "bicubic", "area", "lanczos3"):
        rows["Resizing " + name] = lambda name=name: L.Resizing(5, 9, interpolation=name)
    rows["Resizing"] = lambda: L.Resizing(4, 4, crop_to_aspect_ratio=True)
    return _of(IMAGE, **rows)


def of_volumes():
    rows = {
        "AdaptiveAveragePooling3D": lambda: L.AdaptiveAveragePooling3D(3),
        "AdaptiveMaxPooling3D": lambda: L.AdaptiveMaxPooling3D((2, 5, 3)),
        "AveragePooling3D": lambda: L.AveragePooling3D((2, 1, 3), padding="same"),
        "Conv3D": lambda: L.Conv3D(3, 3, strides=2, padding="same"),
        "Conv3DTranspose": lambda: L.Conv3DTranspose(2, 3, strides=2, padding="same"),
        "Cropping3D": lambda: L.Cropping3D(((1, 0), (2, 1), (0, 3))),
        "GlobalAveragePooling3D": lambda: L.GlobalAveragePooling3D(keepdims=True),
        "GlobalMaxPooling3D": lambda: L.GlobalMaxPooling3D(),
        "MaxPooling3D": lambda: L.MaxPooling3D(2),
        "SpatialDropout3D": lambda: L.SpatialDropout3D(0.5, seed=9),
        "UpSampling3D": lambda: L.UpSampling3D((1, 2, 2)),
        "ZeroPadding3D": lambda: L.ZeroPadding3D((1, 0, 2)),
        "ConvLSTM2D": lambda: L.ConvLSTM2D(2, 3, padding="same", return_sequences=True),
    }
    conv_lines = {"ConvLSTM1D": lambda: L.ConvLSTM1D(2, 3)}
    frames = {"TimeDistributed Conv2D": lambda: L.TimeDistributed(L.Conv2D(3, 3, activation="relu"))}
    deep = {"ConvLSTM3D": lambda: L.ConvLSTM3D(2, 2, padding="same")}
    return {
        **_of(VOLUME, **rows),
        **_of(numbers(3, 8, 2), **conv_lines),
        **_of(FRAMES, **frames),
        **_of(numbers(2, 4, 4, 4, 1), **deep),
    }


def of_pixels():
    """Augmentation draws from a SeedGenerator, whose state is a variable."""
    rows = {
        "AugMix": lambda: L.AugMix(seed=1),
        "AutoContrast": lambda: L.AutoContrast(),
        "ContrastLimitedAdaptiveHistogramEqualization": lambda: L.ContrastLimitedAdaptiveHistogramEqualization(
            tile_grid_size=(2, 2)
        ),
        "CutMix": lambda: L.CutMix(seed=1),
        "Equalization": lambda: L.Equalization(),
        "MixUp": lambda: L.MixUp(seed=1),
        "RandAugment": lambda: L.RandAugment(seed=1),
        "RandomBrightness": lambda: L.RandomBrightness(0.3, seed=1),
        "RandomColorDegeneration": lambda: L.RandomColorDegeneration(0.6, seed=1),
        "RandomColorJitter": lambda: L.RandomColorJitter(brightness_factor=0.2, contrast_factor=0.3, seed=1),
        "RandomContrast": lambda: L.RandomContrast(0.4, seed=1),
        "RandomElasticTransform": lambda: L.RandomElasticTransform(seed=1),
        "RandomErasing": lambda: L.RandomErasing(seed=1),
        "RandomFlip": lambda: L.RandomFlip(seed=1),
        "RandomGaussianBlur": lambda: L.RandomGaussianBlur(seed=1),
        "RandomGrayscale": lambda: L.RandomGrayscale(0.7, seed=1),
        "RandomHue": lambda: L.RandomHue(0.3, seed=1),
        "RandomInvert": lambda: L.RandomInvert(0.6, seed=1),
        "RandomPerspective": lambda: L.RandomPerspective(seed=1),
        "RandomPosterization": lambda: L.RandomPosterization(4, seed=1),
        "RandomRotation": lambda: L.RandomRotation(0.2, seed=1),
        "RandomSaturation": lambda: L.RandomSaturation(0.7, seed=1),
        "RandomSharpness": lambda: L.RandomSharpness(0.6, seed=1),
        "RandomShear": lambda: L.RandomShear(0.3, 0.2, seed=1),
        "RandomTranslation": lambda: L.RandomTranslation(0.2, 0.3, seed=1),
        "RandomZoom": lambda: L.RandomZoom(0.3, seed=1),
        "Solarization": lambda: L.Solarization(0.2, 0.4, seed=1),
    }

    def pixels_row(make):
        def row():
            x = keras.Input(PIXELS.shape[1:], batch_size=4)
            return Training(headed(x, L.Rescaling(1 / 255)(make()(x))), PIXELS, numbers(2, seed=9))

        return row

    return {**{name: pixels_row(make) for name, make in rows.items()}, "RandomCrop": cropped}


def cropped():
    """Outside of training pictures keep their size."""
    x = keras.Input((8, 10, 3))
    crop = L.RandomCrop(5, 6, seed=1)
    return Training(headed(x, L.GlobalAveragePooling2D()(L.Rescaling(1 / 255)(crop(x)))), PIXELS, numbers(2, seed=9))


def of_sound():
    rows = {"MelSpectrogram": mel}
    for mode in ("log", "magnitude", "psd", "real", "imag"):
        make = lambda mode=mode: L.STFTSpectrogram(mode, frame_length=64, frame_step=32, fft_length=64)
        rows["STFTSpectrogram " + mode] = layer_row(
            lambda make=make: L.Pipeline([make(), L.Rescaling(0.1)]), numbers(320, 1)
        )
    return rows


def mel():
    x = keras.Input((320,))
    layer = L.MelSpectrogram(fft_length=64, sequence_stride=32, num_mel_bins=8, max_freq=4000, sampling_rate=8000)
    return Training(
        headed(x, L.GlobalAveragePooling1D()(L.Rescaling(0.01)(layer(x)))), numbers(320), numbers(2, seed=9)
    )


# ---- several inputs


def _merged(layer, many=2):
    def row():
        shapes = [keras.Input((3, 4)) for _ in range(many)]
        h = [L.Dense(4)(x) for x in shapes]
        return Training(headed(shapes, layer()(h)), [numbers(3, 4, seed=i) for i in range(many)], numbers(2, seed=9))

    return row


def merging():
    names = "Add Average Concatenate Maximum Minimum Multiply".split()
    rows = {name: _merged(getattr(L, name), 3) for name in names}
    rows["Subtract"] = _merged(L.Subtract)
    rows["Dot"] = _merged(lambda: L.Dot(axes=(1, 1), normalize=True))
    return rows


def attention_row(join):
    def row():
        q, v = keras.Input((4, 6)), keras.Input((5, 6))
        return Training(headed([q, v], join(q, v)), [numbers(4, 6, seed=1), numbers(5, 6, seed=2)], numbers(2, seed=9))

    return row


def attentions():
    return {
        "Attention": attention_row(lambda q, v: L.Attention(use_scale=True)([q, v])),
        "Attention concat": attention_row(lambda q, v: L.Attention(score_mode="concat", use_scale=True)([q, v])),
        "Attention causal": attention_row(lambda q, v: L.Attention(dropout=0.1, seed=2)([q, q], use_causal_mask=True)),
        "AdditiveAttention": attention_row(lambda q, v: L.AdditiveAttention()([q, v])),
        "MultiHeadAttention": attention_row(lambda q, v: L.MultiHeadAttention(2, 4, value_dim=3, output_shape=7)(q, v)),
        "MultiHeadAttention causal": attention_row(
            lambda q, v: L.MultiHeadAttention(2, 4, use_bias=False, dropout=0.2, seed=3)(q, q, use_causal_mask=True)
        ),
        "GroupQueryAttention": attention_row(lambda q, v: L.GroupQueryAttention(4, 6, 2)(q, v)),
    }


# ---- features


def ids_row(make):
    def row():
        x = keras.Input((7,), dtype="int32")
        return Training(headed(x, make(x)), IDS, numbers(2, seed=9))

    return row


def tied(x):
    table = L.ReversibleEmbedding(11, 4, tie_weights=True)
    return table(L.Dense(4)(table(x)), reverse=True)


def of_ids():
    return {
        "Embedding": ids_row(lambda x: L.Embedding(11, 3)(x)),
        "Embedding masked": ids_row(lambda x: L.LSTM(4)(L.Embedding(11, 3, mask_zero=True)(x))),
        "Embedding masked bidirectional": ids_row(
            lambda x: L.Bidirectional(L.GRU(3, return_sequences=True))(L.Embedding(11, 3, mask_zero=True)(x))
        ),
        "ReversibleEmbedding": ids_row(tied),
        "CategoryEncoding": ids_row(lambda x: L.CategoryEncoding(11, output_mode="count")(x)),
        "IntegerLookup": ids_row(
            lambda x: L.IntegerLookup(vocabulary=[1, 3, 5], output_mode="multi_hot", num_oov_indices=2)(x)
        ),
        "Hashing": ids_row(lambda x: L.Hashing(5, output_mode="multi_hot")(x)),
    }


def words_row(make, *shape):
    def row():
        x = keras.Input(shape, dtype="string")
        return Training(headed(x, make(x)), words(*shape), numbers(2, seed=9))

    return row


def adapted(x):
    layer = L.StringLookup(max_tokens=5, output_mode="count")
    layer.adapt(words(2, seed=5))
    return layer(x)


def learned_text(x):
    layer = L.TextVectorization(max_tokens=6, output_sequence_length=4)
    layer.adapt(words(seed=3))
    return L.Embedding(6, 3)(layer(x))


def crossed():
    a, b = keras.Input((1,), dtype="string"), keras.Input((1,), dtype="string")
    model = headed([a, b], L.HashedCrossing(8, output_mode="one_hot")((a, b)))
    return Training(model, [words(1, seed=1), words(1, seed=2)], numbers(2, seed=9))


def normalised():
    layer = L.Normalization()
    layer.adapt(VECTOR * 3.0)
    x = keras.Input((6,))
    return Training(headed(x, layer(x)), VECTOR, numbers(2, seed=9))


def in_buckets():
    layer = L.Discretization(num_bins=4, output_mode="count")
    layer.adapt(VECTOR)
    x = keras.Input((6,))
    return Training(headed(x, layer(x)), VECTOR, numbers(2, seed=9))


def of_words():
    said = "the fox dog quick lazy".split()
    return {
        "StringLookup": words_row(lambda x: L.StringLookup(vocabulary=said, output_mode="multi_hot")(x), 3),
        "StringLookup adapted": words_row(adapted, 2),
        "TextVectorization": words_row(
            lambda x: L.Embedding(9, 3)(L.TextVectorization(vocabulary=said, output_sequence_length=5)(x))
        ),
        "TextVectorization adapted": words_row(learned_text),
        "TextVectorization tf_idf": words_row(
            lambda x: L.TextVectorization(vocabulary=said, output_mode="tf_idf", idf_weights=[0.5, 1.5, 1.0, 2.0, 0.1])(
                x
            )
        ),
        "Hashing words": words_row(lambda x: L.Hashing(5, output_mode="multi_hot")(x), 2),
        "HashedCrossing": crossed,
        "Normalization adapted": normalised,
        "Discretization adapted": in_buckets,
    }


# ---- layers around others


def stateful():
    x = keras.Input((3, 2), batch_size=4)
    return Training(headed(x, L.LSTM(3, stateful=True)(x)), numbers(3, 2), numbers(2, seed=9))


def with_states():
    x = keras.Input((4, 3))
    y, h, c = L.LSTM(4, return_sequences=True, return_state=True)(x)
    z, last = L.GRU(4, return_state=True)(y, initial_state=h)
    return Training(headed(x, L.Concatenate()([z, last, c])), numbers(4, 3), numbers(2, seed=9))


@keras.saving.register_keras_serializable("rows")
class Scaled(L.Layer):
    def __init__(self, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones", name="scale")
        self.seen = self.add_weight(shape=(), initializer="zeros", trainable=False, name="seen")

    def call(self, x, training=False):
        if training:
            self.seen.assign_add(1.0)
        self.add_loss(0.01 * keras.ops.sum(keras.ops.square(self.scale)))
        return x * self.scale * self.factor

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


@keras.saving.register_keras_serializable("rows")
class Wrapped(L.Wrapper):
    def call(self, x):
        return self.layer(x) + 1.0


def around():
    return {
        "InputLayer": lambda: Training(sequential(), VECTOR, numbers(2, seed=9)),
        "Layer": layer_row(lambda: Scaled(1.5), VECTOR),
        "Wrapper": layer_row(lambda: Wrapped(L.Dense(3)), VECTOR),
        "LSTM stateful": stateful,
        "LSTM states": with_states,
    }


def sequential():
    model = keras.Sequential([L.InputLayer(shape=(6,)), L.Dense(4, activation="tanh"), L.Dense(2)])
    model.compile(keras.optimizers.SGD(0.01, momentum=0.9), "mse")
    return model


def exported():
    """A SavedModel as a layer; it has no variables of its own that are trained."""
    folder = tempfile.mkdtemp()
    inner = keras.Sequential([keras.Input((6,)), L.Dense(3)])
    inner.export(folder, verbose=False)
    layer = L.TFSMLayer(folder, call_endpoint="serve")
    x = keras.Input((6,))
    model = headed(x, layer(x))
    model.compile(keras.optimizers.SGD(0.01), "mse")  # without slots: their names would have a colon
    return Training(model, VECTOR, numbers(2, seed=9))


def boxes():
    """Boxes are cut and padded to one number for each image; what is learned reads them."""
    limit = L.MaxNumBoundingBoxes(max_number=2, bounding_box_format="xyxy")
    given = {"boxes": np.abs(numbers(3, 4)), "labels": integers(3, high=4).astype("float32")}
    cut = limit({"images": tf.constant(PIXELS), "bounding_boxes": {k: tf.constant(v) for k, v in given.items()}})
    x = keras.Input((2, 4))
    return Training(headed(x, x), np.asarray(cut["bounding_boxes"]["boxes"]), numbers(2, seed=9))


def rows():
    parts = (
        of_vectors, of_lines, of_images, of_volumes, of_pixels, of_sound, merging, attentions, of_ids, of_words, around,
    )  # fmt: skip
    found = {name: row for part in parts for name, row in part().items()}
    return {**found, "TFSMLayer": exported, "MaxNumBoundingBoxes": boxes}


# Without a row, and why.
WITHOUT = {
    "FlaxLayer": "of JAX",
    "JaxLayer": "of JAX",
    "TorchModuleWrapper": "of PyTorch",
    "InputSpec": "no layer: what a layer expects",
}
