"""Models with a signature that trains: steps of every optimiser and many losses, then what the model answers."""

import keras
import numpy as np
import tensorflow as tf

from models.kinds import Run, Training, archive, made_up, module, spread_weights

L, Input, Model, losses = keras.layers, keras.Input, keras.Model, keras.losses


def trained(model, optimizer, loss, target, steps=6, batch=4, metrics=(), **fields):
    """An archive of the model with the signatures serving_default and train."""
    spread_weights(model)
    optimizer.build(model.trainable_variables)
    inputs = [tf.TensorSpec([None, *i.shape[1:]], i.dtype, name=i.name) for i in model.inputs]

    @tf.function(input_signature=[inputs[0], tf.TensorSpec([None, *target.shape[1:]], target.dtype, name="target")])
    def train(x, target):
        with tf.GradientTape() as tape:
            value = tf.reduce_mean(loss(target, model(x, training=True))) + sum(model.losses)
            scaled = optimizer.scale_loss(value)
        optimizer.apply(tape.gradient(scaled, model.trainable_variables), model.trainable_variables)
        for metric in metrics:
            metric.update_state(target, model(x))
        return {
            "loss": value,
            "iterations": tf.identity(keras.ops.convert_to_tensor(optimizer.iterations)),
            **{m.name: m.result() for m in metrics},
        }

    made = keras.export.ExportArchive()
    made.track(model)
    made.track(optimizer)
    for metric in metrics:
        made.add_variable_collection(metric.name, metric.variables)
    made.add_endpoint("serving_default", model.__call__, inputs)
    made.add_endpoint("train", train)
    x = made_up((12, *model.inputs[0].shape[1:]), model.inputs[0].dtype, 5)
    name = model.inputs[0].name
    return (
        made,
        [Run({name: x[:3]}, "serving_default")],
        {"training": Training({name: x, "target": target}, batch, steps), "tolerance": 10, **fields},
    )


def classifier(classes=3, **kwargs):
    x = Input((5,), name="x")
    return Model(x, L.Dense(classes, **kwargs)(L.Dense(6, activation="tanh")(x)))


def labels(classes=3):
    return (np.arange(12) % classes).astype(np.int32)


def regression(width=3):
    return made_up((12, width), "float32", 9)


def of_optimizer(optimizer):
    return trained(classifier(), optimizer, losses.MeanSquaredError(), regression())


@archive
def sgd_with_momentum():
    return of_optimizer(
        keras.optimizers.SGD(
            keras.optimizers.schedules.CosineDecay(0.1, 20, warmup_steps=3, warmup_target=0.2), 0.9, nesterov=True
        )
    )


@archive
def adam_on_labels():
    accuracy = keras.metrics.SparseCategoricalAccuracy(name="accuracy")
    return trained(
        classifier(activation="softmax"),
        keras.optimizers.Adam(0.01, amsgrad=True),
        losses.SparseCategoricalCrossentropy(),
        labels(),
        metrics=[accuracy],
    )


@archive
def adam_w_clipped():
    return of_optimizer(keras.optimizers.AdamW(0.02, weight_decay=0.01, clipnorm=0.5))


@archive
def rms_prop_centred():
    return of_optimizer(keras.optimizers.RMSprop(0.01, momentum=0.5, centered=True, global_clipnorm=1.0))


@archive
def adagrad():
    return of_optimizer(
        keras.optimizers.Adagrad(keras.optimizers.schedules.ExponentialDecay(0.1, 3, 0.5, staircase=True))
    )


@archive
def adadelta():
    return of_optimizer(keras.optimizers.Adadelta(0.5))


@archive
def adamax():
    return of_optimizer(keras.optimizers.Adamax(0.02))


@archive
def nadam():
    return of_optimizer(keras.optimizers.Nadam(0.02))


@archive
def ftrl():
    return of_optimizer(keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02))


@archive
def lion():
    return of_optimizer(
        keras.optimizers.Lion(keras.optimizers.schedules.PiecewiseConstantDecay([2, 4], [0.1, 0.05, 0.01]))
    )


@archive
def lamb():
    return of_optimizer(keras.optimizers.Lamb(0.02))


@archive
def adafactor():
    return of_optimizer(keras.optimizers.Adafactor(0.05))


@archive
def muon():
    return of_optimizer(keras.optimizers.Muon(0.02))


@archive
def averaged_weights():
    return of_optimizer(
        keras.optimizers.Adam(
            0.02, use_ema=True, ema_momentum=0.9, ema_overwrite_frequency=3, gradient_accumulation_steps=2
        )
    )


@archive
def scaled_loss():
    keras.config.set_dtype_policy("mixed_float16")
    try:
        model = Model(x := Input((5,), name="x"), L.Dense(3, dtype="float32")(L.Dense(6, activation="relu")(x)))
    finally:
        keras.config.set_dtype_policy("float32")
    return trained(
        model,
        keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.1), dynamic_growth_steps=2),
        losses.MeanAbsoluteError(),
        regression(),
        tolerance=50,
    )


@archive
def convolutional_classifier():
    x = Input((8, 8, 1), name="image")
    y = L.MaxPooling2D()(L.BatchNormalization()(L.Conv2D(4, 3, activation="relu", kernel_regularizer="l2")(x)))
    model = Model(x, L.Dense(3)(L.Dropout(0.2, seed=1)(L.Flatten()(y))))
    return trained(model, keras.optimizers.Adam(0.01), losses.SparseCategoricalCrossentropy(from_logits=True), labels())


@archive
def recurrent_classifier():
    x = Input((6,), dtype="int32", name="tokens")
    y = L.Bidirectional(L.LSTM(4))(L.Embedding(10, 5, mask_zero=True)(x))
    model = Model(x, L.Dense(1, activation="sigmoid")(y))
    return trained(
        model,
        keras.optimizers.Adam(0.02),
        losses.BinaryCrossentropy(label_smoothing=0.1),
        labels(2).astype(np.float32)[:, None],
    )


@archive
def gated_forecaster():
    x = Input((7, 2), name="series")
    model = Model(
        x,
        L.TimeDistributed(L.Dense(1))(
            L.GRU(4, return_sequences=True, reset_after=False)(L.SimpleRNN(3, return_sequences=True)(x))
        ),
    )
    return trained(model, keras.optimizers.RMSprop(0.01), losses.Huber(), made_up((12, 7, 1), "float32"))


@archive
def attention_classifier():
    x = Input((6, 4), name="x")
    y = L.LayerNormalization()(x + L.MultiHeadAttention(2, 3)(x, x))
    model = Model(x, L.Dense(3)(L.GlobalAveragePooling1D()(y)))
    return trained(
        model,
        keras.optimizers.AdamW(0.01),
        losses.CategoricalFocalCrossentropy(from_logits=True),
        np.eye(3, dtype=np.float32)[labels()],
    )


@archive
def by_channel_regression():
    x = Input((7, 7, 2), name="image")
    y = L.DepthwiseConv2D(3, activation="swish")(L.SeparableConv2D(4, 2)(x))
    y = L.UpSampling2D(2, interpolation="bilinear")(L.Conv2DTranspose(3, 2, strides=2)(y))
    model = Model(x, L.Dense(3)(L.GlobalMaxPooling2D()(L.GroupNormalization(1)(y))))
    return trained(model, keras.optimizers.SGD(0.01), losses.LogCosh(), regression())


@archive
def measured():
    """Metrics that keep their state in variables."""
    m = keras.metrics
    kept = [
        m.MeanSquaredError(name="mse"),
        m.AUC(name="auc", num_thresholds=20),
        m.Precision(name="precision"),
        m.Recall(name="recall", thresholds=[0.3, 0.6]),
        m.F1Score(name="f1", threshold=0.5),
        m.BinaryAccuracy(name="binary"),
        m.CosineSimilarity(name="cosine"),
        m.TopKCategoricalAccuracy(2, name="top"),
        m.R2Score(name="r2"),
        m.KLDivergence(name="kl"),
        m.BinaryIoU(name="iou"),
    ]
    return trained(
        classifier(activation="sigmoid"),
        keras.optimizers.SGD(0.1),
        losses.CategoricalHinge(),
        np.eye(3, dtype=np.float32)[labels()],
        metrics=kept,
    )


@module
def written_by_hand():
    """Gradients, slots and schedules of tf.Variables, with no optimiser of Keras."""
    made = tf.Module()
    made.w, made.b = tf.Variable(made_up((4, 2), "float32", 1)), tf.Variable(tf.zeros([2]))
    made.m, made.step = [tf.Variable(tf.zeros_like(v)) for v in (made.w, made.b)], tf.Variable(0, dtype=tf.int64)
    made.table = tf.Variable(made_up((5, 4), "float32", 2))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32, name="ids"), tf.TensorSpec([None, 2], name="target")])
    def train(ids, target):
        with tf.GradientTape() as tape:
            rows = tf.gather(made.table, ids)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, rows @ made.w + made.b))
        dw, db, rows = tape.gradient(loss, [made.w, made.b, made.table])
        (dw, db), norm = tf.clip_by_global_norm([dw, db], 0.5)
        rate = tf.where(made.step > 2, 0.05, 0.1)
        for v, m, d in ((made.w, made.m[0], dw), (made.b, made.m[1], db)):
            m.assign(0.9 * m + d)
            v.assign_sub(rate * m)
        made.table.scatter_sub(tf.IndexedSlices(0.1 * rows.values, rows.indices))
        return {"loss": loss, "norm": norm, "step": made.step.assign_add(1)}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32, name="ids")])
    def answer(ids):
        return {"y": tf.gather(made.table, ids) @ made.w + made.b, "step": made.step.read_value()}

    ids = (np.arange(12) * 7 % 5).astype(np.int32)
    return (
        made,
        {"serving_default": answer, "train": train},
        [Run({"ids": ids[:5]}, "serving_default")],
        {"training": Training({"ids": ids, "target": np.eye(2, dtype=np.float32)[labels(2)]}, 4, 7)},
    )
