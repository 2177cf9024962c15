"""Losses, metrics, optimizers, initializers, activations, regularizers, constraints and schedules, each in a small model."""

import keras
import numpy as np
import tensorflow as tf
from ten_steps import L, Training, integers, numbers, one_hot

VECTOR = numbers(6)


def _dense(units=3, activation=None, inputs=6, **kwargs):
    x = keras.Input((inputs,))
    return keras.Model(x, L.Dense(units, activation=activation, **kwargs)(L.Dense(5, activation="tanh")(x)))


def _trained(model, y, loss="mse", optimizer=None, weights=None, x=VECTOR, **kwargs):
    model.compile(optimizer or keras.optimizers.SGD(0.02, momentum=0.9), loss, **kwargs)
    return Training(model, x, y, weights)


# ---- losses: name -> (loss, activation of the output, targets)

PROBABLE, SIGNED, REAL = numbers(3, low=0.01, high=0.99), np.sign(numbers(3, seed=4)), numbers(3, seed=4)
BITS = (numbers(3, seed=4) > 0).astype("float32")


def losses():
    k = keras.losses
    given = {
        "BinaryCrossentropy": (k.BinaryCrossentropy(label_smoothing=0.1), "sigmoid", BITS),
        "BinaryCrossentropy logits": (k.BinaryCrossentropy(from_logits=True), None, BITS),
        "BinaryFocalCrossentropy": (k.BinaryFocalCrossentropy(apply_class_balancing=True), "sigmoid", BITS),
        "CTC": (k.CTC(), None, None),
        "CategoricalCrossentropy": (k.CategoricalCrossentropy(), "softmax", one_hot(3)),
        "CategoricalCrossentropy logits": (k.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1), None, one_hot(3)),
        "CategoricalFocalCrossentropy": (k.CategoricalFocalCrossentropy(), "softmax", one_hot(3)),
        "CategoricalGeneralizedCrossEntropy": (
            k.CategoricalGeneralizedCrossEntropy(), "softmax", integers(1, high=3),
        ),
        "CategoricalHinge": (k.CategoricalHinge(), None, one_hot(3)),
        "Circle": (k.Circle(gamma=8.0), None, integers(high=3)),
        "CosineSimilarity": (k.CosineSimilarity(), None, REAL),
        "Dice": (k.Dice(), "sigmoid", BITS),
        "Hinge": (k.Hinge(), "tanh", SIGNED),
        "Huber": (k.Huber(0.3), None, REAL),
        "KLDivergence": (k.KLDivergence(), "softmax", PROBABLE / PROBABLE.sum(1, keepdims=True)),
        "LogCosh": (k.LogCosh(), None, REAL),
        "MeanAbsoluteError": (k.MeanAbsoluteError(), None, REAL),
        "MeanAbsolutePercentageError": (k.MeanAbsolutePercentageError(), None, PROBABLE),
        "MeanSquaredError": (k.MeanSquaredError(reduction="sum"), None, REAL),
        "MeanSquaredLogarithmicError": (k.MeanSquaredLogarithmicError(), "relu", PROBABLE),
        "Poisson": (k.Poisson(), "softplus", PROBABLE),
        "SparseCategoricalCrossentropy": (k.SparseCategoricalCrossentropy(), "softmax", integers(high=3)),
        "SparseCategoricalCrossentropy logits": (
            k.SparseCategoricalCrossentropy(from_logits=True, ignore_class=2), None, integers(high=3),
        ),
        "SquaredHinge": (k.SquaredHinge(), "tanh", SIGNED),
        "Tversky": (k.Tversky(0.3, 0.7), "sigmoid", BITS),
    }  # fmt: skip
    rows = {}
    for name, (loss, activation, y) in given.items():
        if name == "CTC":
            rows[name] = connectionist
        elif name == "Circle":
            rows[name] = lambda loss=loss, y=y: _trained(_dense(), y, loss, keras.optimizers.SGD(1e-4))
        else:
            rows[name] = lambda loss=loss, activation=activation, y=y: _trained(_dense(3, activation), y, loss)
    rows["Loss"] = lambda: _trained(_dense(), REAL, own_loss)
    return rows


@keras.saving.register_keras_serializable("rows")
def own_loss(y, predicted):
    return keras.ops.mean(keras.ops.abs(y - predicted) ** 1.5, axis=-1)


def connectionist():
    x = keras.Input((8, 4))
    model = keras.Model(x, L.Dense(5)(L.Conv1D(4, 3, padding="same")(x)))
    return _trained(model, integers(3, high=4) + 1, keras.losses.CTC(), x=numbers(8, 4))


# ---- metrics: what a model says of itself at the end of each epoch


def metrics():
    k = keras.metrics
    binary = {
        "AUC": lambda: k.AUC(num_thresholds=50),
        "AUC PR": lambda: k.AUC(curve="PR"),
        "BinaryAccuracy": lambda: k.BinaryAccuracy(threshold=0.4),
        "BinaryCrossentropy": lambda: k.BinaryCrossentropy(),
        "BinaryIoU": lambda: k.BinaryIoU(target_class_ids=[0, 1]),
        "F1Score": lambda: k.F1Score(threshold=0.5),
        "FBetaScore": lambda: k.FBetaScore(average="micro", beta=2.0, threshold=0.5),
        "FalseNegatives": lambda: k.FalseNegatives(),
        "FalsePositives": lambda: k.FalsePositives(thresholds=[0.3, 0.6]),
        "Precision": lambda: k.Precision(),
        "Precision top": lambda: k.Precision(top_k=2),
        "PrecisionAtRecall": lambda: k.PrecisionAtRecall(0.5),
        "Recall": lambda: k.Recall(class_id=1),
        "RecallAtPrecision": lambda: k.RecallAtPrecision(0.5),
        "SensitivityAtSpecificity": lambda: k.SensitivityAtSpecificity(0.5),
        "SpecificityAtSensitivity": lambda: k.SpecificityAtSensitivity(0.5),
        "TrueNegatives": lambda: k.TrueNegatives(),
        "TruePositives": lambda: k.TruePositives(),
    }
    classes = {
        "CategoricalAccuracy": lambda: k.CategoricalAccuracy(),
        "CategoricalCrossentropy": lambda: k.CategoricalCrossentropy(),
        "OneHotIoU": lambda: k.OneHotIoU(num_classes=3, target_class_ids=[0, 2]),
        "OneHotMeanIoU": lambda: k.OneHotMeanIoU(num_classes=3),
        "TopKCategoricalAccuracy": lambda: k.TopKCategoricalAccuracy(k=2),
        "CategoricalHinge": lambda: k.CategoricalHinge(),
    }
    ids = {
        "SparseCategoricalAccuracy": lambda: k.SparseCategoricalAccuracy(),
        "SparseCategoricalCrossentropy": lambda: k.SparseCategoricalCrossentropy(),
        "SparseTopKCategoricalAccuracy": lambda: k.SparseTopKCategoricalAccuracy(k=2),
        "IoU": lambda: k.IoU(num_classes=3, target_class_ids=[0, 1], sparse_y_pred=False),
        "MeanIoU": lambda: k.MeanIoU(num_classes=3, sparse_y_pred=False),
    }
    real = {
        "Accuracy": lambda: k.Accuracy(),
        "ConcordanceCorrelation": lambda: k.ConcordanceCorrelation(axis=0),
        "CosineSimilarity": lambda: k.CosineSimilarity(),
        "Hinge": lambda: k.Hinge(),
        "KLDivergence": lambda: k.KLDivergence(),
        "LogCoshError": lambda: k.LogCoshError(),
        "MeanAbsoluteError": lambda: k.MeanAbsoluteError(),
        "MeanAbsolutePercentageError": lambda: k.MeanAbsolutePercentageError(),
        "MeanSquaredError": lambda: k.MeanSquaredError(),
        "MeanSquaredLogarithmicError": lambda: k.MeanSquaredLogarithmicError(),
        "MeanMetricWrapper": lambda: k.MeanMetricWrapper(own_loss),
        "PearsonCorrelation": lambda: k.PearsonCorrelation(),
        "Poisson": lambda: k.Poisson(),
        "R2Score": lambda: k.R2Score(class_aggregation="variance_weighted_average"),
        "RootMeanSquaredError": lambda: k.RootMeanSquaredError(),
        "SquaredHinge": lambda: k.SquaredHinge(),
        "Metric": lambda: Largest(),
    }
    rows = {}
    for group, activation, y in (
        (binary, "sigmoid", BITS), (classes, "softmax", one_hot(3)), (ids, "softmax", integers(high=3)), (real, None, REAL),
    ):  # fmt: skip
        loss = "sparse_categorical_crossentropy" if group is ids else "mse"
        for name, make in group.items():
            rows[name] = lambda make=make, activation=activation, y=y, loss=loss: _trained(
                _dense(3, activation), y, loss, metrics=[make()]
            )
    rows["Mean"] = lambda: _trained(Watched(), REAL)
    rows["Sum"] = lambda: _trained(Watched(keras.metrics.Sum), REAL)
    weights = numbers(seed=7, low=0.2, high=2.0)
    rows["weighted MeanSquaredError"] = lambda: _trained(
        _dense(), REAL, weights=weights, weighted_metrics=[k.MeanSquaredError()]
    )
    return rows


@keras.saving.register_keras_serializable("rows")
class Largest(keras.metrics.Metric):
    """The largest error so far."""

    def __init__(self, name="largest", **kwargs):
        super().__init__(name=name, **kwargs)
        self.largest = self.add_variable((), "zeros", name="largest")

    def update_state(self, y, predicted, sample_weight=None):
        self.largest.assign(keras.ops.maximum(self.largest, keras.ops.max(keras.ops.abs(y - predicted))))

    def result(self):
        return self.largest


@keras.saving.register_keras_serializable("rows")
class Watched(keras.Model):
    """A model with a training step and a metric of its own."""

    def __init__(self, kind=keras.metrics.Mean, **kwargs):
        super().__init__(**kwargs)
        self.inner, self.watched, self.kind = L.Dense(3), kind(name="watched"), kind

    def call(self, x):
        return self.inner(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        self.watched.update_state(loss * 2.0)
        return {"loss": loss, "watched": self.watched.result()}

    @property
    def metrics(self):
        return [*super().metrics, self.watched]

    def get_config(self):
        return {"kind": self.kind.__name__}

    @classmethod
    def from_config(cls, config):
        return cls(getattr(keras.metrics, config["kind"]))


# ---- optimizers: an embedding, whose gradients are IndexedSlices, and a dense layer


def optimizers():
    o, s = keras.optimizers, keras.optimizers.schedules
    given = {
        "Adadelta": lambda: o.Adadelta(0.5),
        "Adafactor": lambda: o.Adafactor(0.05),
        "Adagrad": lambda: o.Adagrad(0.05),
        "Adam": lambda: o.Adam(0.02),
        "Adam amsgrad": lambda: o.Adam(0.02, amsgrad=True, clipnorm=0.5),
        "AdamW": lambda: o.AdamW(0.02, weight_decay=0.05),
        "Adamax": lambda: o.Adamax(0.02),
        "Ftrl": lambda: o.Ftrl(0.1, l1_regularization_strength=0.001, l2_regularization_strength=0.01),
        "Lamb": lambda: o.Lamb(0.02),
        "Lion": lambda: o.Lion(0.01),
        "LossScaleOptimizer": lambda: o.LossScaleOptimizer(o.SGD(0.02), initial_scale=64.0, dynamic_growth_steps=4),
        "MultiOptimizer": several_optimizers,
        "Muon": lambda: o.Muon(0.02),
        "Nadam": lambda: o.Nadam(0.02),
        "Optimizer": lambda: Signs(0.01),
        "RMSprop": lambda: o.RMSprop(0.02, momentum=0.5, centered=True),
        "SGD": lambda: o.SGD(0.05),
        "SGD nesterov": lambda: o.SGD(0.05, momentum=0.9, nesterov=True, clipvalue=0.3, weight_decay=0.01),
        "SGD averaged": lambda: o.SGD(0.05, use_ema=True, ema_momentum=0.8, ema_overwrite_frequency=4),
        "SGD accumulated": lambda: o.SGD(0.05, gradient_accumulation_steps=3, global_clipnorm=0.8),
        "ScheduleFreeAdamW": lambda: o.ScheduleFreeAdamW(0.02),
        "CosineDecay": lambda: o.SGD(s.CosineDecay(0.1, 8, alpha=0.1, warmup_target=0.2, warmup_steps=3)),
        "CosineDecayRestarts": lambda: o.SGD(s.CosineDecayRestarts(0.1, 4)),
        "ExponentialDecay": lambda: o.SGD(s.ExponentialDecay(0.1, 3, 0.5, staircase=True)),
        "InverseTimeDecay": lambda: o.SGD(s.InverseTimeDecay(0.1, 3, 0.5)),
        "LearningRateSchedule": lambda: o.SGD(Steps()),
        "PiecewiseConstantDecay": lambda: o.SGD(s.PiecewiseConstantDecay([3, 6], [0.1, 0.05, 0.01])),
        "PolynomialDecay": lambda: o.SGD(s.PolynomialDecay(0.1, 8, power=2.0, cycle=True)),
    }
    return {name: lambda make=make: embedding_row(make) for name, make in given.items()}


def embedding_row(make):
    x = keras.Input((4,), dtype="int32")
    model = keras.Model(x, L.Dense(3)(L.Flatten()(L.Embedding(9, 5)(x))))
    return _trained(model, REAL, optimizer=make(), x=integers(4, high=9))


def several_optimizers():
    o = keras.optimizers
    return o.MultiOptimizer(o.OptimizerMap(o.SGD(0.05), {".*embedding.*": o.Adam(0.02)}))


@keras.saving.register_keras_serializable("rows")
class Signs(keras.optimizers.Optimizer):
    """Moves each weight by the sign of its gradient."""

    def update_step(self, gradient, variable, learning_rate):
        if not keras.ops.is_tensor(gradient):
            gradient = tf.convert_to_tensor(gradient)
        self.assign_sub(variable, keras.ops.sign(gradient) * keras.ops.cast(learning_rate, variable.dtype))


@keras.saving.register_keras_serializable("rows")
class Steps(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 0.1 / (1.0 + keras.ops.cast(step, "float32"))

    def get_config(self):
        return {}


# ---- what is given by name to a layer


def initializers():
    i = keras.initializers
    given = {
        "Constant": i.Constant(0.1),
        "Identity": i.Identity(0.5),
        "Ones": i.Ones(),
        "Orthogonal": i.Orthogonal(0.9, seed=3),
        "RandomNormal": i.RandomNormal(stddev=0.3, seed=3),
        "RandomUniform": i.RandomUniform(-0.2, 0.3, seed=3),
        "TruncatedNormal": i.TruncatedNormal(stddev=0.3, seed=3),
        "VarianceScaling": i.VarianceScaling(0.7, "fan_avg", "uniform", seed=3),
        "Zeros": i.Zeros(),
        "Initializer": Ramp(),
    }
    given |= {
        name: getattr(i, name)(seed=3) for name in "GlorotNormal GlorotUniform HeNormal HeUniform LecunNormal".split()
    }
    given["LecunUniform"] = i.LecunUniform(seed=4)
    rows = {
        name: lambda chosen=chosen: _trained(_dense(4, kernel_initializer=chosen), numbers(4, seed=4))
        for name, chosen in given.items()
    }
    return {**rows, "STFT": transformed}


def transformed():
    x = keras.Input((32, 1))
    kernel = L.Conv1D(8, 16, kernel_initializer=keras.initializers.STFT(side="real", window="hann"), use_bias=False)
    model = keras.Model(x, L.Dense(3)(L.Flatten()(kernel(x))))
    return _trained(model, REAL, x=numbers(32, 1))


@keras.saving.register_keras_serializable("rows")
class Ramp(keras.initializers.Initializer):
    def __call__(self, shape, dtype=None):
        return keras.ops.reshape(keras.ops.arange(int(np.prod(shape)), dtype="float32") / 30.0, shape)

    def get_config(self):
        return {}


def activations():
    names = (
        "celu elu exponential gelu hard_shrink hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu linear "
        "log_sigmoid log_softmax mish relu relu6 selu sigmoid silu soft_shrink softmax softplus softsign sparse_plus "
        "sparse_sigmoid sparsemax squareplus swish tanh tanh_shrink"
    )
    rows = {name: lambda name=name: _trained(_dense(3, name), REAL) for name in names.split()}
    rows["glu"] = lambda: _trained(_dense(6, "glu"), REAL)
    rows["threshold"] = lambda: _trained(_dense(3, above), REAL)
    return rows


@keras.saving.register_keras_serializable("rows")
def above(x):
    return keras.activations.threshold(x, 0.1, -1.0)


def regularizers():
    r = keras.regularizers
    given = {
        "L1": r.L1(0.02), "L2": r.L2(0.03), "L1L2": r.L1L2(0.01, 0.02), "Regularizer": Cubes(),
        "OrthogonalRegularizer": r.OrthogonalRegularizer(0.1),
    }  # fmt: skip
    return {
        n: lambda r=r: _trained(_dense(kernel_regularizer=r, bias_regularizer="l2"), REAL) for n, r in given.items()
    }


@keras.saving.register_keras_serializable("rows")
class Cubes(keras.regularizers.Regularizer):
    def __call__(self, x):
        return 0.01 * keras.ops.sum(keras.ops.abs(x) ** 3)

    def get_config(self):
        return {}


def constraints():
    c = keras.constraints
    given = {
        "MaxNorm": c.MaxNorm(0.7), "MinMaxNorm": c.MinMaxNorm(0.3, 0.6, rate=0.5), "NonNeg": c.NonNeg(),
        "UnitNorm": c.UnitNorm(), "Constraint": Halves(),
    }  # fmt: skip
    return {n: lambda c=c: _trained(_dense(kernel_constraint=c), REAL) for n, c in given.items()}


@keras.saving.register_keras_serializable("rows")
class Halves(keras.constraints.Constraint):
    def __call__(self, w):
        return keras.ops.clip(w, -0.5, 0.5)
