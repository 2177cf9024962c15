"""Models of a few Keras layers each: every layer of keras.layers stands in one of them."""

import keras
import numpy as np
import tensorflow as tf

from models.kinds import Run, archive, keras_model, made_up

L, Input, Model = keras.layers, keras.Input, keras.Model


def each(x, *layers):
    """A model with one output for each of the layers."""
    return Model(x, [layer(x) for layer in layers])


@keras_model
def dense_with_activations():
    names = (
        "celu elu exponential gelu glu hard_shrink hard_sigmoid hard_swish hard_tanh leaky_relu linear log_sigmoid "
        "log_softmax mish relu relu6 selu sigmoid silu soft_shrink softmax softplus softsign sparse_plus "
        "sparse_sigmoid sparsemax squareplus tanh tanh_shrink threshold"
    )
    x = Input((6,))
    given = {"threshold": lambda v: keras.activations.threshold(v, 0.1, -1.0)}
    return each(x, *[L.Dense(4, activation=given.get(name, name)) for name in names.split()])


@keras_model
def activation_layers():
    x = Input((4, 5))
    return each(
        x,
        L.ReLU(max_value=1, negative_slope=0.1, threshold=0.2),
        L.LeakyReLU(0.2),
        L.PReLU(shared_axes=[1]),
        L.PReLU(),
        L.ELU(0.5),
        L.Softmax(axis=1),
        L.Activation("swish"),
    )


@keras_model
def masked_softmax():
    x, mask = Input((3, 5), name="x"), Input((3, 5), dtype="bool", name="mask")
    return Model([x, mask], L.Softmax(axis=(1, 2))(x, mask=mask))


@keras_model
def convolutions_1d():
    x = Input((None, 6))
    return each(
        x,
        L.Conv1D(4, 3, padding="causal", dilation_rate=2),
        L.Conv1D(4, 3, strides=2, padding="same"),
        L.Conv1D(6, 2, groups=3, activation="relu"),
        L.SeparableConv1D(5, 3, depth_multiplier=2),
        L.DepthwiseConv1D(3, padding="same"),
        L.Conv1DTranspose(4, 3, strides=2),
        L.Conv1DTranspose(4, 3, strides=2, padding="same", output_padding=1),
    ), {"keras_tensor": made_up((2, 9, 6), "float32")}


@keras_model
def convolutions_2d():
    x = Input((9, 8, 4), name="image")
    return each(
        x,
        L.Conv2D(5, 3),
        L.Conv2D(5, (2, 3), strides=(2, 1), padding="same", use_bias=False),
        L.Conv2D(4, 3, dilation_rate=2, activation="tanh"),
        L.Conv2D(8, 3, groups=2, padding="same"),
        L.Conv2D(3, 1),
        L.Conv2D(2, (9, 8), activation="sigmoid"),
    )


@keras_model
def convolutions_2d_by_channel():
    x = Input((9, 8, 3), name="image")
    return each(
        x,
        L.SeparableConv2D(5, 3, depth_multiplier=2, padding="same"),
        L.SeparableConv2D(4, 2, strides=2),
        L.DepthwiseConv2D(3, depth_multiplier=2),
        L.DepthwiseConv2D(3, strides=2, padding="same"),
        L.DepthwiseConv2D(2, dilation_rate=2),
    )


@keras_model
def convolutions_2d_transposed():
    x = Input((None, None, 3), name="image")
    return each(
        x,
        L.Conv2DTranspose(4, 3),
        L.Conv2DTranspose(4, 3, strides=2, padding="same"),
        L.Conv2DTranspose(2, (2, 4), strides=(2, 3), padding="valid", output_padding=(1, 2)),
    ), {"image": made_up((2, 5, 4, 3), "float32")}


@keras_model
def channels_first():
    """What TensorFlow has on the CPU for this layout: no convolutions and pools."""
    x = Input((3, 8, 9), name="image")
    first = {"data_format": "channels_first"}
    layers = [L.GlobalAveragePooling2D(**first), L.GlobalMaxPooling2D(**first), L.UpSampling2D(2, **first)]
    layers += [L.ZeroPadding2D(1, **first), L.Cropping2D(2, **first), L.Flatten(**first), L.PReLU(shared_axes=[2, 3])]
    return each(x, *layers, L.BatchNormalization(axis=1), L.GroupNormalization(3, axis=1))


def each_of(x, *outputs):
    return Model(x, list(outputs))


@keras_model
def convolutions_3d():
    x = Input((6, 5, 7, 2), name="volume")
    return each(
        x,
        L.Conv3D(3, 3),
        L.Conv3D(3, 2, strides=2, padding="same"),
        L.Conv3D(4, 1, activation="relu"),
        L.Conv3DTranspose(2, 3, strides=2, padding="same"),
        L.Conv3DTranspose(2, 2),
        L.MaxPooling3D(2),
        L.AveragePooling3D((2, 1, 3), padding="same"),
        L.GlobalMaxPooling3D(),
        L.GlobalAveragePooling3D(keepdims=True),
        L.AdaptiveAveragePooling3D(3),
        L.AdaptiveMaxPooling3D((2, 5, 3)),
        L.UpSampling3D((1, 2, 2)),
        L.ZeroPadding3D((1, 0, 2)),
        L.Cropping3D(((1, 0), (2, 1), (0, 3))),
        L.SpatialDropout3D(0.5),
    )


@keras_model
def pools_1d():
    x = Input((12, 3))
    return each(
        x,
        L.MaxPooling1D(3),
        L.AveragePooling1D(2, strides=1, padding="same"),
        L.GlobalMaxPooling1D(),
        L.GlobalAveragePooling1D(),
        L.AdaptiveAveragePooling1D(5),
        L.AdaptiveMaxPooling1D(4),
        L.UpSampling1D(2),
        L.ZeroPadding1D((1, 2)),
        L.Cropping1D((2, 1)),
        L.SpatialDropout1D(0.3),
    )


@keras_model
def pools_2d():
    x = Input((9, 10, 3), name="image")
    return each(
        x,
        L.MaxPooling2D(2),
        L.MaxPooling2D(3, strides=1, padding="same"),
        L.AveragePooling2D((2, 3)),
        L.AveragePooling2D(3, strides=2, padding="same"),
        L.GlobalMaxPooling2D(keepdims=True),
        L.GlobalAveragePooling2D(),
        L.AdaptiveAveragePooling2D((4, 3)),
        L.AdaptiveMaxPooling2D(5),
        L.SpatialDropout2D(0.5),
    )


@keras_model
def resized_2d():
    x = Input((6, 7, 3), name="image")
    return each(
        x,
        *[
            L.UpSampling2D((2, 3), interpolation=name)
            for name in ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5")
        ],
        L.ZeroPadding2D(((1, 2), (0, 3))),
        L.Cropping2D(((1, 1), (2, 0))),
        *[L.Resizing(5, 9, interpolation=name) for name in ("nearest", "bilinear", "bicubic", "area", "lanczos3")],
        L.Resizing(4, 4, crop_to_aspect_ratio=True),
        L.Resizing(8, 4, pad_to_aspect_ratio=True),
        L.Resizing(3, 3, antialias=True),
        L.CenterCrop(4, 4),
        L.CenterCrop(9, 9),
        L.Rescaling(1 / 127.5, -1.0),
    )


@keras_model
def normalisations():
    x = Input((5, 6, 8))
    return each(
        x,
        L.BatchNormalization(),
        L.BatchNormalization(axis=1, center=False),
        L.BatchNormalization(scale=False),
        L.LayerNormalization(),
        L.LayerNormalization(axis=(1, 2)),
        L.GroupNormalization(4),
        L.GroupNormalization(groups=-1),
        L.GroupNormalization(groups=1),
        L.RMSNormalization(),
        L.UnitNormalization(),
        L.UnitNormalization(axis=(1, 2)),
    )


@keras_model
def masked_batch_normalisation():
    x = Input((5, 4))
    return Model(x, L.BatchNormalization()(L.Masking()(x)))


@keras_model
def spectral_normalisation():
    x = Input((6, 6, 2))
    return each(x, L.SpectralNormalization(L.Conv2D(4, 3)), L.SpectralNormalization(L.Dense(3), power_iterations=2))


@keras_model
def recurrent():
    x = Input((7, 3))
    return each(
        x,
        L.LSTM(4),
        L.LSTM(3, return_sequences=True, go_backwards=True),
        L.LSTM(3, use_bias=False, unroll=True),
        L.GRU(4, return_sequences=True),
        L.GRU(4, reset_after=False),
        L.SimpleRNN(5, activation="relu"),
        L.GRU(3, activation="relu", recurrent_activation="hard_sigmoid"),
        L.RNN(L.StackedRNNCells([L.LSTMCell(3), L.GRUCell(2), L.SimpleRNNCell(4)])),
        L.RNN([L.LSTMCell(3), L.LSTMCell(2)], return_sequences=True),
    )


@keras_model
def recurrent_with_states():
    x, h, c = Input((None, 3), name="x"), Input((4,), name="h"), Input((4,), name="c")
    y, last_h, last_c = L.LSTM(4, return_sequences=True, return_state=True)(x, initial_state=[h, c])
    z, state = L.GRU(4, return_state=True)(y, initial_state=last_h)
    return Model([x, h, c], {"y": y, "h": last_h, "c": last_c, "z": z, "state": state})


@keras_model
def bidirectional_masked():
    x = Input((8,), dtype="int32", name="tokens")
    y = L.Embedding(20, 6, mask_zero=True)(x)
    y = L.Bidirectional(L.LSTM(5, return_sequences=True))(y)
    z = L.Bidirectional(L.GRU(4), merge_mode="sum")(y)
    w = L.Bidirectional(
        L.SimpleRNN(3, return_sequences=True), backward_layer=L.GRU(3, go_backwards=True, return_sequences=True)
    )(y)
    tokens = np.array([[3, 1, 4, 1, 5, 0, 0, 0], [2, 7, 0, 8, 2, 8, 1, 8], [0, 0, 0, 0, 0, 0, 0, 0]], np.int32)
    return Model(x, [z, w, L.GlobalAveragePooling1D()(y)]), {"tokens": tokens}


@keras_model
def masked_and_distributed():
    x = Input((5, 4, 4, 2), name="frames")
    y = L.TimeDistributed(L.Conv2D(3, 3, activation="relu"))(x)
    y = L.TimeDistributed(L.Flatten())(y)
    y = L.Masking(0.0)(y)
    return Model(x, [L.LSTM(3)(y), L.GRU(3, return_sequences=True, zero_output_for_mask=True)(y)])


@keras_model
def recurrent_convolutions():
    x = Input((3, 6, 5, 2), name="frames")
    line = L.Reshape((3, 30, 2))(x)
    volume = L.Reshape((3, 6, 5, 2, 1))(x)
    return each_of(
        x,
        L.ConvLSTM2D(2, 3, padding="same", return_sequences=True)(x),
        L.ConvLSTM2D(3, 2, strides=2)(x),
        L.ConvLSTM1D(2, 3, data_format="channels_last")(line),
        L.ConvLSTM3D(2, 2, padding="same")(volume),
    )


@keras_model
def stateful_recurrent():
    x = Input((3, 2), batch_size=2, name="x")
    model = Model(x, [L.LSTM(3, stateful=True)(x), L.GRU(4, stateful=True, return_sequences=True)(x)])
    feeds = {"x": made_up((2, 3, 2), "float32")}
    return model, [Run(feeds, "serving_default"), Run(feeds, "serving_default", again=2)], {"not_frozen": "*"}


@keras_model
def attentions():
    q, v = Input((4, 6), name="q"), Input((5, 6), name="v")
    mask = Input((5,), dtype="bool", name="mask")
    plain, scores = L.Attention(use_scale=True, score_mode="dot")(
        [q, v], mask=[None, mask], return_attention_scores=True
    )
    joined = L.Attention(score_mode="concat", use_scale=True)([q, v])
    causal = L.Attention(dropout=0.1)([q, q], use_causal_mask=True)
    added = L.AdditiveAttention()([q, v], mask=[None, mask])
    return Model([q, v, mask], [plain, scores, joined, causal, added]), {
        "q": made_up((2, 4, 6), "float32", 1),
        "v": made_up((2, 5, 6), "float32", 2),
        "mask": np.array([[1, 1, 0, 1, 0], [1, 1, 1, 1, 1]], bool),
    }


@keras_model
def multi_head_attention():
    x, y = Input((6, 8), name="x"), Input((5, 8), name="y")
    crossed, scores = L.MultiHeadAttention(2, 4, value_dim=3, output_shape=7)(x, y, return_attention_scores=True)
    causal = L.MultiHeadAttention(4, 2, use_bias=False, dropout=0.2)(x, x, use_causal_mask=True)
    several = L.MultiHeadAttention(2, 3, attention_axes=(1, 2))(L.Reshape((3, 2, 8))(x), L.Reshape((3, 2, 8))(x))
    return Model([x, y], [crossed, scores, causal, several])


@keras_model
def grouped_query_attention():
    x, y = Input((6, 8), name="x"), Input((5, 8), name="y")
    crossed, scores = L.GroupQueryAttention(4, 6, 2)(x, y, return_attention_scores=True)
    return Model([x, y], [crossed, scores, L.GroupQueryAttention(2, 4, 1, use_gate=True)(x, x, use_causal_mask=True)])


@keras_model
def embeddings():
    x = Input((None,), dtype="int64", name="ids")
    table = L.ReversibleEmbedding(11, 4, tie_weights=True)
    rows = table(x)
    return Model(
        x,
        [
            L.Embedding(11, 3)(x),
            rows,
            table(L.Dense(4)(rows), reverse=True),
            L.ReversibleEmbedding(11, 4, logit_soft_cap=2.0)(x),
        ],
    )


@keras_model
def text_vectorisation():
    texts = np.array([["The quick brown fox, jumps!"], ["over THE lazy dog"], [""], ["fox fox \u00dcber fox"]])
    x = Input((1,), dtype="string", name="text")
    words = ["the", "fox", "dog", "quick", "lazy"]
    layers = [
        L.TextVectorization(vocabulary=words, output_sequence_length=6),
        L.TextVectorization(vocabulary=words, output_mode="multi_hot"),
        L.TextVectorization(vocabulary=words, output_mode="count"),
        L.TextVectorization(vocabulary=words, output_mode="tf_idf", idf_weights=[0.5, 1.5, 1.0, 2.0, 0.1]),
        L.TextVectorization(vocabulary=["the", "the quick", "lazy dog"], ngrams=2),
        L.TextVectorization(vocabulary=list("abcdefox"), split="character", standardize="lower"),
    ]
    return each(x, *layers), {"text": texts.astype(object)}, {"not_frozen": "*"}


@keras_model
def text_classifier():
    x = Input((), dtype="string", name="text")
    y = L.TextVectorization(vocabulary=["good", "bad", "film", "not"], output_sequence_length=5)(x)
    y = L.Embedding(6, 4, mask_zero=True)(y)
    y = L.Bidirectional(L.GRU(3))(y)
    return (
        Model(x, L.Dense(1, activation="sigmoid", name="score")(y)),
        {"text": np.array([b"a good film", b"Not bad; not bad at all!", b"?"], object)},
        {"not_frozen": "*"},
    )


@keras_model
def lookups():
    words, numbers = Input((3,), dtype="string", name="words"), Input((3,), dtype="int64", name="numbers")
    v, n = ["a", "b", "c"], [12, 36, 1138]
    outputs = [
        L.StringLookup(vocabulary=v)(words),
        L.StringLookup(vocabulary=v, num_oov_indices=3)(words),
        L.StringLookup(vocabulary=v, mask_token="")(words),
        L.StringLookup(vocabulary=v, output_mode="multi_hot")(words),
        L.StringLookup(vocabulary=v, output_mode="one_hot")(words[:, 0]),
        L.StringLookup(vocabulary=v, invert=True)(L.StringLookup(vocabulary=v)(words)),
        L.IntegerLookup(vocabulary=n)(numbers),
        L.IntegerLookup(vocabulary=n, num_oov_indices=2)(numbers),
        L.IntegerLookup(vocabulary=n, output_mode="count")(numbers),
        L.IntegerLookup(vocabulary=n, output_mode="tf_idf", idf_weights=[0.1, 0.2, 0.3])(numbers),
    ]
    return (
        Model([words, numbers], outputs),
        {
            "words": np.array([["a", "z", "b"], ["c", "", "c"]], object),
            "numbers": np.array([[12, 7, 36], [0, 1138, -5]]),
        },
        {"not_frozen": "*"},
    )


@keras_model
def features():
    words, ids, x = (
        Input((2,), dtype="string", name="words"),
        Input((2,), dtype="int64", name="ids"),
        Input((3,), name="x"),
    )
    one_word, one_id = words[:, :1], ids[:, :1]
    outputs = [
        L.Hashing(7)(words),
        L.Hashing(7, salt=133)(words),
        L.Hashing(5, salt=[3, 9])(ids),
        L.Hashing(4, output_mode="multi_hot")(words),
        L.Hashing(9, mask_value="")(words),
        L.HashedCrossing(8)((one_word, one_id)),
        L.HashedCrossing(8, output_mode="one_hot")((one_word, one_id)),
        L.Discretization([-0.5, 0.0, 0.7])(x),
        L.Discretization([0.0, 1.0], output_mode="count")(x),
        L.CategoryEncoding(6, output_mode="one_hot")(one_id),
        L.CategoryEncoding(6)(ids),
        L.CategoryEncoding(6, output_mode="count")(ids),
        L.Normalization(mean=[0.1, -0.2, 0.3], variance=[1.0, 2.0, 0.5])(x),
        L.Normalization(mean=0.5, variance=2.0, invert=True)(x),
    ]
    return Model([words, ids, x], outputs), {
        "words": np.array([["x", "why"], ["", "\u00e9"], ["x", "x"]], object),
        "ids": np.array([[1, 5], [0, 3], [2, 2]]),
        "x": made_up((3, 3), "float32"),
    }


@keras_model
def adapted():
    words, x = Input((2,), dtype="string", name="words"), Input((3,), name="x")
    normal, buckets, ids = L.Normalization(), L.Discretization(num_bins=4), L.StringLookup(max_tokens=5)
    normal.adapt(made_up((20, 3), "float32", 1))
    buckets.adapt(made_up((50, 1), "float32", 2))
    ids.adapt(np.array(["a", "b", "a", "c", "a", "b", "d", "e", "f"]))
    joined = L.Concatenate()([normal(x), L.CategoryEncoding(8, output_mode="count")(ids(words))])
    return (
        Model([words, x], [L.Dense(3)(joined), buckets(x)]),
        {"words": np.array([["a", "f"], ["b", "?"]], object), "x": made_up((2, 3), "float32", 3)},
        {"not_frozen": "*"},
    )


@keras_model
def feature_space():
    space = keras.utils.FeatureSpace(
        {
            "age": "float_discretized",
            "colour": "string_categorical",
            "kind": "integer_hashed",
            "size": "float_normalized",
        },
        crosses=[("colour", "kind")],
        crossing_dim=8,
        output_mode="concat",
    )
    space.adapt(
        tf.data.Dataset.from_tensor_slices(
            {
                "age": made_up(30, "float32", 1),
                "colour": np.array(["red", "green", "blue"] * 10),
                "kind": made_up(30, "int64", 2),
                "size": made_up(30, "float32", 3),
            }
        )
    )
    model = Model(space.get_inputs(), space.get_encoded_features())
    return (
        model,
        {
            "age": made_up((2, 1), "float32", 4),
            "colour": np.array([["red"], ["black"]], object),
            "kind": np.array([[3], [9]]),
            "size": made_up((2, 1), "float32", 5),
        },
        {"not_frozen": "*"},
    )


@keras_model
def regularisers_in_inference():
    x = Input((4, 5))
    return each(
        x,
        L.Dropout(0.5),
        L.Dropout(0.5, noise_shape=(1, 4, 1)),
        L.GaussianNoise(1.0),
        L.GaussianDropout(0.5),
        L.AlphaDropout(0.5),
        L.SpatialDropout1D(0.5),
        L.ActivityRegularization(0.1),
        L.Identity(),
    )


@archive
def regularisers_in_training():
    """Every call draws anew, from seeds in variables."""
    x = Input((4, 5))
    model = each(
        x,
        L.Dropout(0.5, seed=1),
        L.GaussianNoise(1.0, seed=2),
        L.GaussianDropout(0.5, seed=3),
        L.AlphaDropout(0.5, seed=4),
        L.SpatialDropout1D(0.5, seed=5),
        L.LSTM(3, dropout=0.3, recurrent_dropout=0.2, seed=6),
    )
    made = keras.export.ExportArchive()
    made.track(model)
    made.add_endpoint("serving_default", lambda v: model(v, training=True), [tf.TensorSpec([None, 4, 5], name="x")])
    feeds = {"x": made_up((2, 4, 5), "float32")}
    return made, [Run(feeds, "serving_default"), Run(feeds, "serving_default", again=3)], {"not_frozen": "*"}


def augmented(*layers, span=255.0):
    made = keras.export.ExportArchive()
    for layer in layers:
        layer.build((None, 8, 10, 3))
        made.track(layer)
    made.add_endpoint(
        "serving_default",
        lambda image: {"out%02d" % i: layer(image, training=True) for i, layer in enumerate(layers)},
        [tf.TensorSpec([2, 8, 10, 3], name="image")],
    )
    images = np.random.RandomState(3).uniform(0, span, (2, 8, 10, 3)).astype(np.float32)
    return (
        made,
        [Run({"image": images}, "serving_default"), Run({"image": images}, "serving_default", again=2)],
        {"not_frozen": "*"},
    )


@archive
def augmented_positions():
    return augmented(
        L.RandomFlip(seed=1),
        L.RandomRotation(0.2, seed=2),
        L.RandomZoom(0.3, seed=3),
        L.RandomTranslation(0.2, 0.3, seed=4),
        L.RandomCrop(5, 6, seed=5),
        L.RandomShear(0.3, 0.2, seed=6),
        L.RandomPerspective(seed=7),
        L.RandomElasticTransform(seed=8),
        L.RandomErasing(seed=9),
    )


@archive
def augmented_colours():
    return augmented(
        L.RandomBrightness(0.3, seed=1),
        L.RandomContrast(0.4, seed=2),
        L.RandomHue(0.3, seed=3),
        L.RandomSaturation(0.7, seed=4),
        L.RandomColorJitter(brightness_factor=0.2, contrast_factor=0.3, seed=5),
        L.RandomGrayscale(0.7, seed=6),
        L.RandomInvert(0.6, seed=7),
        L.RandomPosterization(4, seed=8),
        L.RandomSharpness(0.6, seed=9),
        L.RandomColorDegeneration(0.6, seed=10),
        L.Solarization(0.2, 0.4, seed=11),
        L.AutoContrast(),
        L.Equalization(),
        L.RandomGaussianBlur(seed=12),
    )


@keras_model
def augmentation_in_inference():
    x = Input((8, 10, 3), name="image")
    return (
        each(
            x,
            L.RandomFlip(),
            L.RandomRotation(0.2),
            L.RandomZoom(0.3),
            L.RandomTranslation(0.2, 0.3),
            L.RandomCrop(5, 6),
            L.RandomBrightness(0.3),
            L.RandomContrast(0.4),
            L.RandomShear(0.3, 0.2),
        ),
        None,
        {"not_frozen": "*"},
    )


@keras_model
def equalised_histograms():
    x = Input((16, 16, 3), name="image")
    return Model(x, L.ContrastLimitedAdaptiveHistogramEqualization(tile_grid_size=(2, 2))(x)), {
        "image": np.random.RandomState(3).uniform(0, 255, (2, 16, 16, 3)).astype(np.float32)
    }


@keras_model
def spectrograms():
    x = Input((320,), name="sound")
    mel = L.MelSpectrogram(fft_length=64, sequence_stride=32, num_mel_bins=8, max_freq=4000, sampling_rate=8000)
    modes = ("log", "magnitude", "psd", "real", "imag", "angle")
    layers = [L.STFTSpectrogram(mode, frame_length=64, frame_step=32, fft_length=64) for mode in modes]
    layers.append(L.STFTSpectrogram("stft", 48, 16, 64, window="hamming", padding="same"))
    channel = L.Reshape((320, 1))(x)
    return Model(x, [mel(x), *[layer(channel) for layer in layers]]), None, {"tolerance": 20}


@keras_model
def einsum_dense():
    x = Input((4, 5, 6))
    return each(
        x,
        L.EinsumDense("abcd,de->abce", output_shape=(None, 5, 3)),
        L.EinsumDense("...cd,cde->...ce", output_shape=(5, 2), bias_axes="e", activation="relu"),
        L.EinsumDense("abcd,cdef->abef", output_shape=(4, 2, 3), bias_axes="ef"),
    )


@keras_model
def merged():
    x, y = Input((3, 4), name="x"), Input((3, 4), name="y")
    layers = [
        L.Add(),
        L.Subtract(),
        L.Multiply(),
        L.Average(),
        L.Maximum(),
        L.Minimum(),
        L.Concatenate(),
        L.Concatenate(axis=1),
        L.Dot(axes=2),
        L.Dot(axes=(1, 1), normalize=True),
    ]
    return Model([x, y], [layer([x, y]) for layer in layers])


@keras_model
def reshaped():
    x = Input((4, 6))
    return (
        each(
            x,
            L.Flatten(),
            L.Permute((2, 1)),
            L.Reshape((-1, 3)),
            L.Masking(0.5),
            L.Lambda(lambda v: keras.ops.flip(v, 1) * 2),
            L.Pipeline([L.Rescaling(2.0), L.Flatten()]),
            L.Cropping1D(1),
        ),
        None,
        {},
    )


@keras_model
def repeated():
    x = Input((4,))
    return Model(x, L.LSTM(3, return_sequences=True)(L.RepeatVector(5)(x)))
