"""data/functions.tsv: calls of functions, and what they give as texts. record_functions.py writes it, test_functions.py reads it."""

import os

import numpy as np

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "functions.tsv")


def read():
    with open(FILE) as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def _rounded(value):
    if isinstance(value, (list, tuple)):
        return [_rounded(v) for v in value]
    if isinstance(value, complex):
        return complex(_rounded(value.real), _rounded(value.imag))
    return float(f"{value:.4g}") + 0.0 if isinstance(value, float) else value


def described(value):
    """Type, shape and elements of a tensor, four digits of each; of several those of each."""
    if isinstance(value, (list, tuple)):
        return [described(v) for v in value]
    if hasattr(value, "dense_shape"):
        return ["sparse", *map(described, (value.indices, value.values, value.dense_shape))]
    if hasattr(value, "numpy"):
        return [value.dtype.name, list(value.shape), _rounded(np.asarray(value.numpy()).tolist())]
    return repr(value)


def result(tf, call):
    """What a call gives, or the name of the error that it raises. `tnp` is tf.experimental.numpy."""
    try:
        return str(described(eval(call, {"tf": tf, "np": np, "tnp": tf.experimental.numpy})))
    except Exception as e:
        return type(e).__name__
