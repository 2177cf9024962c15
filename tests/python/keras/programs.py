"""Whole training programs, small ones of each kind: a function gives its losses and what the trained model answers."""

import os
import tempfile

import keras
import numpy as np
import tensorflow as tf

L, ops = keras.layers, keras.ops


def random(seed=0):
    return np.random.RandomState(seed)


def history_of(model, x, y=None, epochs=3, **kwargs):
    """The losses and metrics of the epochs, sorted by name."""
    history = model.fit(x, y, epochs=epochs, verbose=0, **kwargs).history
    return [float(v) for key in sorted(history) for v in history[key]]


def some(values, count=12):
    return [float(v) for v in np.ravel(np.asarray(values, "float64"))[:count]]


def image():
    """Stripes across or along, flipped and shifted; a convolutional net with normalisation and dropout."""
    r = random()
    y = r.randint(0, 2, 64)
    x = r.uniform(0, 0.3, (64, 12, 12, 1)).astype("float32")
    for i, across in enumerate(y):
        at = slice(r.randint(0, 3), None, 3)
        x[(i, at) if across else (i, slice(None), at)] += 0.7
    model = keras.Sequential(
        [
            keras.Input((12, 12, 1)),
            L.RandomFlip(seed=1),
            L.RandomTranslation(0.1, 0.1, seed=2),
            L.Conv2D(8, 3, activation="relu"),
            L.BatchNormalization(),
            L.MaxPooling2D(),
            L.SeparableConv2D(12, 3, activation="relu"),
            L.GlobalAveragePooling2D(),
            L.Dropout(0.2, seed=3),
            L.Dense(2, activation="softmax"),
        ]
    )
    model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy", metrics=["accuracy"])
    losses = history_of(model, x, y, batch_size=16, validation_split=0.25)
    return {"losses": losses, "predictions": some(model.predict(x[:6], verbose=0))}


def text():
    """Whether a sentence is friendly: words become numbers within the model."""
    good, bad, other = "good fine great".split(), "bad poor awful".split(), "the a film book was it".split()
    r = random(1)
    sentences, marks = [], []
    for _ in range(48):
        mark = r.randint(0, 2)
        said = [other[r.randint(6)] for _ in range(4)] + [(good if mark else bad)[r.randint(3)]]
        sentences.append(" ".join(said[i] for i in r.permutation(5)).capitalize() + "!")
        marks.append(mark)
    x, y = tf.constant([[s] for s in sentences]), np.array(marks)
    words = L.TextVectorization(max_tokens=20, output_sequence_length=6)
    words.adapt(x)
    inputs = keras.Input((1,), dtype="string")
    h = L.Embedding(20, 8, mask_zero=True)(words(inputs))
    h = L.Bidirectional(L.LSTM(6))(h)
    model = keras.Model(inputs, L.Dense(1, activation="sigmoid")(h))
    model.compile(keras.optimizers.RMSprop(0.02), "binary_crossentropy", metrics=["accuracy", keras.metrics.AUC()])
    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(48, seed=2).batch(12).prefetch(1)
    losses = history_of(model, data, epochs=4)
    return {"losses": losses, "predictions": some(model.predict(x[:8], verbose=0))}


def sequence():
    """Numbers are said backwards: an encoder gives its states to a decoder."""
    r = random(2)
    x = r.randint(1, 8, (60, 5))
    y = x[:, ::-1]
    before = np.concatenate([np.zeros((60, 1), int), y[:, :-1]], 1)
    told, said = keras.Input((5,), dtype="int32"), keras.Input((5,), dtype="int32")
    table = L.Embedding(8, 10)
    _, h, c = L.LSTM(16, return_state=True)(table(told))
    out = L.LSTM(16, return_sequences=True)(table(said), initial_state=[h, c])
    model = keras.Model([told, said], L.TimeDistributed(L.Dense(8))(out))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.02), loss, metrics=["sparse_categorical_accuracy"])
    losses = history_of(model, [x, before], y, batch_size=20, shuffle=False)
    return {"losses": losses, "predictions": some(model.predict([x[:3], before[:3]], verbose=0))}


@keras.saving.register_keras_serializable("programs")
class Sampling(L.Layer):
    """Draws from normal distributions, and asks them to be near the standard one."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seeds = keras.random.SeedGenerator(5)

    def call(self, parts):
        mean, logarithm = parts
        self.add_loss(-0.05 * ops.mean(1 + logarithm - ops.square(mean) - ops.exp(logarithm)))
        return mean + ops.exp(0.5 * logarithm) * keras.random.normal(ops.shape(mean), seed=self.seeds)


def autoencoder():
    """Variational, convolutional."""
    r = random(3)
    x = np.zeros((40, 8, 8, 1), "float32")
    for i in range(40):
        a, b = r.randint(0, 5, 2)
        x[i, a : a + 3, b : b + 3] = 1
    inputs = keras.Input((8, 8, 1))
    h = L.Flatten()(L.Conv2D(6, 3, strides=2, padding="same", activation="relu")(inputs))
    z = Sampling()([L.Dense(3)(h), L.Dense(3)(h)])
    h = L.Reshape((4, 4, 4))(L.Dense(64, activation="relu")(z))
    outputs = L.Conv2DTranspose(1, 3, strides=2, padding="same", activation="sigmoid")(h)
    model = keras.Model(inputs, outputs)
    model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy")
    losses = history_of(model, x, x, batch_size=10, epochs=4)
    return {"losses": losses, "predictions": some(model.evaluate(x, x, verbose=0))}


class Adversaries(keras.Model):
    """Two nets with an optimizer each, which train against each other in one step."""

    def __init__(self):
        super().__init__()
        self.maker = keras.Sequential([keras.Input((2,)), L.Dense(8, activation="relu"), L.Dense(2)])
        self.judge = keras.Sequential([keras.Input((2,)), L.Dense(8), L.LeakyReLU(0.2), L.Dense(1)])
        self.seeds = keras.random.SeedGenerator(7)
        self.made, self.judged = keras.metrics.Mean(name="made"), keras.metrics.Mean(name="judged")

    def compile(self, maker, judge):
        super().compile()
        self.maker_optimizer, self.judge_optimizer = maker, judge
        self.entropy = keras.losses.BinaryCrossentropy(from_logits=True)

    def train_step(self, real):
        count = tf.shape(real)[0]
        noise = keras.random.normal((count, 2), seed=self.seeds)
        with tf.GradientTape(persistent=True) as tape:
            fake = self.maker(noise, training=True)
            true_marks, false_marks = self.judge(real, training=True), self.judge(fake, training=True)
            judged = self.entropy(tf.ones_like(true_marks), true_marks)
            judged += self.entropy(tf.zeros_like(false_marks), false_marks)
            made = self.entropy(tf.ones_like(false_marks), false_marks)
        for optimizer, net, loss in (
            (self.judge_optimizer, self.judge, judged),
            (self.maker_optimizer, self.maker, made),
        ):
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))
        self.made.update_state(made)
        self.judged.update_state(judged)
        return {"made": self.made.result(), "judged": self.judged.result()}


def adversaries():
    real = random(4).normal((1.0, -1.0), 0.3, (64, 2)).astype("float32")
    model = Adversaries()
    model.compile(keras.optimizers.Adam(0.01, beta_1=0.5), keras.optimizers.Adam(0.01, beta_1=0.5))
    losses = history_of(model, tf.data.Dataset.from_tensor_slices(real).batch(16), epochs=4)
    return {"losses": losses, "predictions": some(model.maker(np.ones((2, 2), "float32")))}


class Block(L.Layer):
    """Attention to what came before, and a small net for each position."""

    def __init__(self, heads, size, **kwargs):
        super().__init__(**kwargs)
        self.attend = L.MultiHeadAttention(heads, size // heads, dropout=0.1, seed=8)
        self.dense = keras.Sequential([L.Dense(2 * size, activation="gelu"), L.Dense(size)])
        self.norms = [L.LayerNormalization(epsilon=1e-6) for _ in range(2)]

    def call(self, x, training=None):
        x = self.norms[0](x + self.attend(x, x, use_causal_mask=True, training=training))
        return self.norms[1](x + self.dense(x))


class Positions(L.Layer):
    def __init__(self, length, size, **kwargs):
        super().__init__(**kwargs)
        self.places, self.length = L.Embedding(length, size), length

    def call(self, x):
        return x + self.places(ops.arange(self.length))


def transformer():
    """The next of a row of numbers that repeats."""
    r = random(5)
    rows = np.stack([np.tile(r.randint(0, 6, 3), 4) for _ in range(48)])
    inputs = keras.Input((11,), dtype="int32")
    h = Positions(11, 16)(L.Embedding(6, 16)(inputs))
    for _ in range(2):
        h = Block(2, 16)(h)
    model = keras.Model(inputs, L.Dense(6)(h))
    rate = keras.optimizers.schedules.CosineDecay(0.005, 40, warmup_target=0.01, warmup_steps=4)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.AdamW(rate, weight_decay=0.01, clipnorm=1.0), loss, metrics=["accuracy"])
    losses = history_of(model, rows[:, :-1], rows[:, 1:], batch_size=12)
    return {"losses": losses, "predictions": some(model.predict(rows[:2, :-1], verbose=0))}


def recommender():
    """Who likes what: factors of readers and books, and what all think of a book."""
    r = random(6)
    who, what = r.randint(0, 12, 120), r.randint(0, 9, 120)
    mark = (r.normal(size=(12, 2))[who] * r.normal(size=(9, 2))[what]).sum(1).astype("float32")
    reader, book = keras.Input((), dtype="int32", name="reader"), keras.Input((), dtype="int32", name="book")
    likes = L.Dot(1)([L.Embedding(12, 4, embeddings_regularizer="l2")(reader), L.Embedding(9, 4)(book)])
    model = keras.Model({"reader": reader, "book": book}, likes + L.Embedding(9, 1)(book))
    model.compile(keras.optimizers.Adagrad(0.2), "mse", metrics=[keras.metrics.RootMeanSquaredError()])
    losses = history_of(model, {"reader": who, "book": what}, mark, batch_size=24, validation_split=0.2)
    return {"losses": losses, "predictions": some(model.predict({"reader": who[:8], "book": what[:8]}, verbose=0))}


def table():
    """Columns of numbers, words and kinds; preprocessing layers learn from the data and are part of the model."""
    r = random(7)
    data = {
        "age": r.uniform(18, 80, (60, 1)).astype("float32"),
        "income": r.gamma(2.0, 20.0, (60, 1)).astype("float32"),
        "town": np.array(["Ulm", "Bonn", "Jena"])[r.randint(0, 3, (60, 1))],
        "kind": r.randint(3, 7, (60, 1)),
    }
    y = ((data["age"] > 45) & (data["kind"] != 4)).astype("float32")
    age, income, town, kind = (L.Discretization(num_bins=4), L.Normalization(), L.StringLookup(), L.IntegerLookup())
    age.adapt(data["age"])
    income.adapt(data["income"])
    town.adapt(data["town"])
    kind.adapt(data["kind"])
    types = {"age": "float32", "income": "float32", "town": "string", "kind": "int64"}
    inputs = {name: keras.Input((1,), dtype=dtype, name=name) for name, dtype in types.items()}
    parts = [
        L.CategoryEncoding(4, "one_hot")(age(inputs["age"])),
        income(inputs["income"]),
        L.Flatten()(L.Embedding(4, 2)(town(inputs["town"]))),
        L.CategoryEncoding(5, "one_hot")(kind(inputs["kind"])),
        L.HashedCrossing(6, output_mode="one_hot")((inputs["town"], inputs["kind"])),
    ]
    h = L.Dense(8, activation="relu")(L.Concatenate()(parts))
    model = keras.Model(inputs, L.Dense(1, activation="sigmoid")(h))
    model.compile(keras.optimizers.Nadam(0.02), "binary_crossentropy", metrics=["accuracy", "precision"])
    rows = tf.data.Dataset.from_tensor_slices((data, y)).batch(15).cache()
    losses = history_of(model, rows, epochs=4, class_weight={0: 1.0, 1: 2.0})
    return {"losses": losses, "predictions": some(model.predict(rows, verbose=0))}


def time_series():
    """What comes three steps after the last eight."""
    t = np.arange(150, dtype="float32")
    values = np.stack([np.sin(t / 5), np.cos(t / 9) * 0.5 + 0.01 * t], 1).astype("float32")
    windows = keras.utils.timeseries_dataset_from_array(
        values[:-11], values[10:, 0], sequence_length=8, batch_size=16, shuffle=True, seed=3
    )
    model = keras.Sequential(
        [
            keras.Input((8, 2)),
            L.Conv1D(8, 3, padding="causal", activation="relu"),
            L.GRU(8, dropout=0.1, seed=4),
            L.Dense(1),
        ]
    )
    model.compile(keras.optimizers.Adamax(0.02), keras.losses.Huber(), metrics=["mae"])
    losses = history_of(model, windows.take(6), validation_data=windows.skip(6))
    return {"losses": losses, "predictions": some(model.predict(values[None, :8], verbose=0))}


@keras.saving.register_keras_serializable("programs")
def contrastive(same, distance):
    return ops.mean(same * ops.square(distance) + (1 - same) * ops.square(ops.maximum(1 - distance, 0)))


def siamese():
    """One encoder for both of a pair, and how far apart they are."""
    r = random(8)
    centres = r.normal(size=(3, 6))
    kinds = r.randint(0, 3, (2, 60))
    a, b = ((centres[k] + 0.2 * r.normal(size=(60, 6))).astype("float32") for k in kinds)
    same = (kinds[0] == kinds[1]).astype("float32")[:, None]
    encoder = keras.Sequential([keras.Input((6,)), L.Dense(8, activation="tanh"), L.Dense(3), L.UnitNormalization()])
    left, right = keras.Input((6,)), keras.Input((6,))
    far = L.Lambda(lambda p: ops.sqrt(ops.sum(ops.square(p[0] - p[1]), 1, keepdims=True) + 1e-6))
    model = keras.Model([left, right], far([encoder(left), encoder(right)]))
    model.compile(keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True), contrastive)
    losses = history_of(model, [a, b], same, batch_size=20)
    return {"losses": losses, "predictions": some(model.predict([a[:8], b[:8]], verbose=0))}


def several_tasks():
    """A kind and a number from one body, with weights for losses and examples."""
    r = random(9)
    x = r.normal(size=(50, 5)).astype("float32")
    kinds, sizes = (x[:, 0] > 0).astype("int32") + (x[:, 1] > 0.5), x[:, 2:3] * 2
    inputs = keras.Input((5,))
    h = L.Dense(10, activation="relu", kernel_regularizer=keras.regularizers.L2(0.001))(inputs)
    outputs = {"kind": L.Dense(3, name="kind")(h), "size": L.Dense(1, name="size")(h)}
    model = keras.Model(inputs, outputs)
    model.compile(
        keras.optimizers.Adam(0.02),
        loss={"kind": keras.losses.SparseCategoricalCrossentropy(from_logits=True), "size": "mae"},
        loss_weights={"kind": 1.0, "size": 0.5},
        metrics={"kind": "accuracy", "size": ["mse", "mape"]},
    )
    weights = {"kind": np.linspace(0.5, 1.5, 50, dtype="float32"), "size": np.ones(50, "float32")}
    losses = history_of(model, x, {"kind": kinds, "size": sizes}, batch_size=10, sample_weight=weights)
    answers = model.predict(x[:3], verbose=0)
    return {"losses": losses, "predictions": some(answers["kind"]) + some(answers["size"])}


def own_loop():
    """No fit: a function for the step, a tape, metrics, clipped gradients, and an average of the weights."""
    r = random(10)
    x = r.normal(size=(48, 4)).astype("float32")
    y = (x @ np.array([[1.0], [-2.0], [0.5], [0.0]])).astype("float32")
    model = keras.Sequential([keras.Input((4,)), L.Dense(8, activation="elu"), L.Dropout(0.1, seed=2), L.Dense(1)])
    optimizer = keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.05, 5, 0.9), use_ema=True)
    mean = keras.metrics.Mean()

    @tf.function
    def step(some_x, some_y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(some_x, training=True) - some_y)) + tf.add_n([0.0, *model.losses])
        found, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
        optimizer.apply_gradients(zip(found, model.trainable_variables))
        mean.update_state(loss)
        return loss

    losses = []
    for _ in range(3):
        for batch in tf.data.Dataset.from_tensor_slices((x, y)).shuffle(48, seed=1).batch(12):
            losses.append(float(step(*batch)))
        losses.append(float(mean.result()))
        mean.reset_state()
    optimizer.finalize_variable_values(model.trainable_variables)
    return {"losses": losses, "predictions": some(model(x[:8]))}


def transfer():
    """A net that has learned one thing is saved, loaded, frozen, given a new head, and tuned as a whole at last."""
    r = random(11)
    x = r.uniform(0, 1, (48, 8, 8, 3)).astype("float32")
    body = keras.Sequential(
        [keras.Input((8, 8, 3)), L.Conv2D(6, 3, activation="relu"), L.BatchNormalization(), L.Flatten()]
    )
    first = keras.Sequential([body, L.Dense(1)])
    first.compile(keras.optimizers.Adam(0.01), "mse")
    losses = history_of(first, x, x.mean((1, 2, 3))[:, None], epochs=2, batch_size=16)
    with tempfile.TemporaryDirectory() as folder:
        body.save(os.path.join(folder, "body.keras"))
        body = keras.saving.load_model(os.path.join(folder, "body.keras"))
    body.trainable = False
    inputs = keras.Input((8, 8, 3))
    model = keras.Model(inputs, L.Dense(2, activation="softmax")(body(inputs, training=False)))
    y = (x[..., 0].mean((1, 2)) > 0.5).astype("int32")
    for trainable, rate in ((False, 0.02), (True, 0.001)):
        body.trainable = trainable
        model.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
        losses += history_of(model, x, y, epochs=2, batch_size=16)
    return {"losses": losses, "predictions": some(model.predict(x[:6], verbose=0))}


def mixed_precision():
    """Half precision within, scaled losses; results differ by roundings of half, 1e-3."""
    r = random(12)
    x = r.normal(size=(48, 10)).astype("float32")
    y = (x[:, :1] + 0.5 * x[:, 1:2]).astype("float32")
    keras.mixed_precision.set_dtype_policy("mixed_float16")
    try:
        model = keras.Sequential(
            [
                keras.Input((10,)),
                L.Dense(16, activation="relu"),
                L.Dense(8, activation="tanh"),
                L.Dense(1, dtype="float32"),
            ]
        )
        model.compile(keras.optimizers.LossScaleOptimizer(keras.optimizers.Adam(0.01), initial_scale=128.0), "mse")
        losses = history_of(model, x, y, batch_size=12)
        return {"losses": losses, "predictions": some(model.predict(x[:8], verbose=0)), "within": 2e-3}
    finally:
        keras.mixed_precision.set_dtype_policy("float32")


def reinforcement():
    """A walker in a corridor learns to go right; moves are drawn from what the net says."""
    r = random(13)
    policy = keras.Sequential([keras.Input((6,)), L.Dense(8, activation="tanh"), L.Dense(2)])
    optimizer = keras.optimizers.Adam(0.05)

    @tf.function(reduce_retracing=True)
    def learn(states, moves, returns):
        with tf.GradientTape() as tape:
            chosen = tf.nn.sparse_softmax_cross_entropy_with_logits(moves, policy(states))
            loss = tf.reduce_mean(chosen * returns)
        optimizer.apply_gradients(zip(tape.gradient(loss, policy.trainable_variables), policy.trainable_variables))
        return loss

    losses, lengths = [], []
    for _ in range(8):
        place, states, moves = 2, [], []
        while 0 < place < 5 and len(moves) < 20:
            state = np.eye(6, dtype="float32")[place]
            right = float(tf.nn.softmax(policy(state[None]))[0, 1])
            moves.append(int(r.uniform() < right))
            states.append(state)
            place += 1 if moves[-1] else -1
        reward = 1.0 if place == 5 else -0.2
        returns = np.array([reward * 0.9**i for i in range(len(moves))][::-1], "float32")
        losses.append(float(learn(np.stack(states), np.array(moves), returns)))
        lengths.append(len(moves))
    return {"losses": losses, "lengths": lengths, "predictions": some(policy(np.eye(6, dtype="float32")))}


def rows():
    made = (
        image, text, sequence, autoencoder, adversaries, transformer, recommender, table, time_series, siamese,
        several_tasks, own_loop, transfer, mixed_precision, reinforcement,
    )  # fmt: skip
    return {f.__name__: f for f in made}
