"""What a row of Keras's names is: a model that is built, trained for ten steps, saved and loaded; and the numbers of it.

A row is a function without arguments that gives a Training. Rows run in TensorFlow, which gives the numbers that are kept
in expected/, and in Sluice, whose numbers must be the same.
"""

import dataclasses
import os

import keras
import numpy as np
import tensorflow as tf

L = keras.layers
STEPS, BATCH = 10, 4


@dataclasses.dataclass
class Training:
    """A compiled model and its data: arrays or structures of them, of which each step takes BATCH rows."""

    model: keras.Model
    x: object
    y: object
    weights: object = None  # of the examples


# ---- data


def numbers(*shape, seed=0, low=-1.0, high=1.0):
    """STEPS / 2 batches: two epochs are ten steps."""
    return np.random.RandomState(seed).uniform(low, high, (BATCH * STEPS // 2, *shape)).astype("float32")


def integers(*shape, high, seed=0):
    return np.random.RandomState(seed).randint(0, high, (BATCH * STEPS // 2, *shape)).astype("int32")


def one_hot(classes, seed=0):
    return np.eye(classes, dtype="float32")[integers(high=classes, seed=seed)]


def words(*shape, seed=0):
    several = np.array(["the", "quick", "brown fox", "jumps", "over", "", "the lazy dog", "12"])
    return tf.constant(several[integers(*shape, high=len(several), seed=seed)])


# ---- models


def headed(x, h, loss="mse"):
    """h, flattened, and two outputs."""
    model = keras.Model(x, L.Dense(2)(L.Flatten()(h)))
    model.compile(keras.optimizers.SGD(0.01, momentum=0.9), loss)
    return model


def layer_row(make, x, dtype="float32"):
    """The row of a layer with one input: the layer, and a head."""

    def row():
        given = x() if callable(x) else x
        data = keras.Input(given.shape[1:], dtype=dtype)
        return Training(headed(data, make()(data)), given, numbers(2, seed=9))

    return row


# ---- what is measured


class _Steps(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(float(logs["loss"]))


def _flat(values):
    return [np.asarray(v) for v in keras.tree.flatten(values)]


def _first(x, count):
    return keras.tree.map_structure(lambda v: v[:count], x)


def measure(row, folder=None, name="row"):
    """The numbers of a row, and whether what was saved gives the same. With a folder, the files stay there."""
    keras.backend.clear_session()
    keras.utils.set_random_seed(1)
    given = row()
    steps = _Steps()
    history = given.model.fit(
        given.x,
        given.y,
        sample_weight=given.weights,
        batch_size=BATCH,
        epochs=2,
        shuffle=False,
        verbose=0,
        callbacks=[steps],
    )
    some = _first(given.x, BATCH)
    predictions = _flat(given.model.predict(some, batch_size=BATCH, verbose=0))
    evaluated = given.model.evaluate(given.x, given.y, batch_size=BATCH, verbose=0, return_dict=True)
    found = {
        "losses": steps.losses,
        "history": [v for key in sorted(history.history) for v in np.ravel(history.history[key]).tolist()],
        "evaluated": [v for key in sorted(evaluated) for v in np.ravel(evaluated[key]).tolist()],
        "predictions": [v for p in predictions for v in np.ravel(p)[:8].astype("float64").tolist()],
        "weights": [float(np.linalg.norm(w.numpy().astype("float64"))) for w in given.model.trainable_variables],
    }
    return found, save_and_load(given, some, predictions, folder, name)


def run(program):
    """What a program gives that trains by itself."""
    keras.backend.clear_session()
    keras.utils.set_random_seed(1)
    return program()


def save_and_load(given, some, predictions, folder, name):
    """Whether what is saved as a whole, and as weights alone, gives the same predictions and trains on; or the error."""
    path, weights = os.path.join(folder, f"{name}.keras"), os.path.join(folder, f"{name}.weights.h5")
    given.model.save(path)
    given.model.save_weights(weights)
    try:
        loaded = keras.saving.load_model(path, safe_mode=False)
    except Exception as error:  # layers that Keras itself cannot load are compared, too
        return type(error).__name__
    same = equal(loaded.predict(some, batch_size=BATCH, verbose=0), predictions)
    before = [w.numpy() for w in loaded.trainable_variables]
    loaded.fit(given.x, given.y, sample_weight=given.weights, batch_size=BATCH, shuffle=False, verbose=0)
    moved = not before or any(not np.array_equal(w.numpy(), b) for w, b in zip(loaded.trainable_variables, before))
    loaded.load_weights(weights)
    return same and moved and equal(loaded.predict(some, batch_size=BATCH, verbose=0), predictions)


def equal(left, right):
    return all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(_flat(left), _flat(right)))
