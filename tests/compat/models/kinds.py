"""What a model of models_agree is: files that TensorFlow wrote, and runs of them. And the ways of writing them.

A maker is a function that is named after its model. It is decorated with the kind of model that it returns, writes nothing
itself, and is called when the model is wanted. Feeds that a maker does not give are made up from the signature.
"""

import dataclasses
import os
import zlib

import keras
import numpy as np
import tensorflow as tf
from tensorflow.python.saved_model import loader_impl

tf1 = tf.compat.v1
tf.get_logger().setLevel("ERROR")
MAKERS = {}


@dataclasses.dataclass
class Run:
    """One run: of a SavedModel by a signature, of a graph by names of tensors."""

    feeds: dict
    signature: str = ""
    fetches: tuple = ()  # of a graph
    again: int = 1  # how often; what it gives the last time counts
    after: bool = False  # it sees what the runs before it changed, so it makes no sense by itself


@dataclasses.dataclass
class Training:
    """Steps on batches of examples by the signature "train", before the runs."""

    examples: dict
    batch: int
    steps: int


@dataclasses.dataclass
class Model:
    path: str  # a SavedModel's folder, or a file with a GraphDef or MetaGraphDef
    runs: list
    tags: tuple = ("serve",)
    training: Training = None
    before: list = ()  # of a graph: [(targets, feeds)] that give variables their values ...
    options: tuple = ()  # ... and what does so in the command
    not_frozen: str = ""  # the signature that changes variables or uses tables; "*": all
    own_devices: bool = False  # it asks for devices that are not there
    tolerance: float = 1.0  # times the usual


def maker(write):
    """The decorator of a kind of model; write(folder, what the maker returned) gives a Model."""

    def decorate(make):
        def whole(folder):
            seed = zlib.crc32(make.__name__.encode()) % 2**31
            keras.backend.clear_session()
            keras.utils.set_random_seed(seed)
            return write(folder, make())

        MAKERS[make.__name__] = whole
        return make

    return decorate


# ---- values
def made_up(shape, dtype, seed=0):
    """Numbers of a kind that most models take: about normal, or small and not negative."""
    random = np.random.RandomState(seed)
    dtype = tf.as_dtype(dtype)
    if dtype == tf.string:
        words = ["the", "quick", "brown fox", "jumps", "over", "", "the lazy dog", "12"]
        return np.array([words[i] for i in random.randint(0, len(words), shape).reshape(-1)], object).reshape(shape)
    if dtype == tf.bool:
        return np.asarray(random.randint(0, 2, shape)).astype(bool)
    if dtype.is_integer:
        return np.asarray(random.randint(0, 5, shape)).astype(dtype.as_numpy_dtype)
    value = random.normal(size=shape)
    if dtype.is_complex:
        value = value + 1j * random.normal(size=shape)
    return np.asarray(value).astype(dtype.as_numpy_dtype)


def feeds_of(signature, batch=2):
    """Made-up feeds for a SignatureDef; unknown dimensions are 2, the first is `batch`."""
    feeds = {}
    for i, (name, info) in enumerate(sorted(signature.inputs.items())):
        dims = [d.size for d in info.tensor_shape.dim]
        shape = [(batch if k == 0 else 2) if d < 0 else d for k, d in enumerate(dims)]
        feeds[name] = made_up(shape, info.dtype, i + 1)
    return feeds


def spread_weights(model, seed=1):
    """Gives every weight of real numbers a value of its own, so that none is neutral."""
    random = np.random.RandomState(seed)
    for weight in model.weights:
        if "float" not in weight.dtype or 0 in weight.shape:
            continue
        spread = 1 / np.sqrt(np.prod(weight.shape[:-1])) if len(weight.shape) > 1 else 0.3
        value = random.normal(scale=spread, size=weight.shape)
        if any(word in weight.path for word in ("variance", "gamma", "scale", "std")):
            value = 0.5 + np.abs(value)
        weight.assign(value)


# ---- kinds
@maker
def keras_model(folder, made):
    """A keras.Model or (model, feeds or a list of Runs, further fields of Model), exported."""
    model, runs, fields = (*(made if isinstance(made, tuple) else (made,)), None, {})[:3]
    path = os.path.join(folder, "model")
    spread_weights(model)
    model.export(path, format="tf_saved_model", verbose=False)
    return saved(path, runs, **(fields or {}))


@maker
def archive(folder, made):
    """(keras.export.ExportArchive, feeds or Runs, fields)."""
    made[0].write_out(os.path.join(folder, "model"), verbose=False)
    return saved(os.path.join(folder, "model"), *made[1:2], **(made[2] if len(made) > 2 else {}))


@maker
def module(folder, made):
    """(tf.Module, signatures, feeds or Runs, fields), saved by tf.saved_model.save."""
    fields = dict(made[3]) if len(made) > 3 else {}
    path = os.path.join(folder, "model")
    tf.saved_model.save(made[0], path, signatures=made[1], options=fields.pop("save_options", None))
    return saved(path, made[2] if len(made) > 2 else None, **fields)


def function(*specs, **fields):
    """A tf.function by itself: the maker is its body."""

    def decorate(body):
        feeds = fields.pop("feeds", None)

        def make():
            holder = tf.Module()
            holder.run = tf.function(body, input_signature=specs)
            runs = feeds() if callable(feeds) else feeds
            return holder, {"serving_default": holder.run}, runs, fields

        make.__name__ = body.__name__
        module(make)
        return body

    return decorate


@maker
def graph(folder, made):
    """A function that writes files into the folder by itself and returns a Model."""
    os.makedirs(folder, exist_ok=True)
    return made(folder)


def saved(path, runs=None, **fields):
    """The Model of a SavedModel; `runs`: Runs, the feeds of serving_default, or None for one run of each signature."""
    signatures = loader_impl.parse_saved_model(path).meta_graphs[0].signature_def
    if isinstance(runs, dict):
        runs = [Run(runs, "serving_default")]
    if not runs:
        runs = [
            Run(feeds_of(s), key)
            for key, s in sorted(signatures.items())
            if not key.startswith("__") and not (key == "serve" and "serving_default" in signatures)
        ]
    return Model(path, runs, **fields)
