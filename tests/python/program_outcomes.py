"""Runs the programs of programs/, and describes what they give as what JSON can hold: record_programs.py stores it, test_programs.py
compares it. Numbers are equal within a tolerance (five digits of the largest), two digits for half and bfloat16; texts to the letter,
but for digits of numbers in them and runs of blanks."""

import contextlib
import io
import json
import os
import re

import numpy as np
from programs import As, tf

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "programs.json")


def read() -> dict:
    if not os.path.exists(FILE):
        return {}
    with open(FILE) as stored:
        return json.load(stored)


def write(outcomes):
    lines = [
        f"{json.dumps(name)}: {json.dumps(made, separators=(',', ':'))}" for name, made in sorted(outcomes.items())
    ]
    with open(FILE, "w") as stored:
        stored.write("{\n" + ",\n".join(lines) + "\n}\n")


def _described_array(a, dtype):
    if a.dtype.kind == "c":
        values = np.stack([a.real, a.imag], -1).tolist()
    elif a.dtype.kind in "OSU":
        values = np.vectorize(lambda s: s.decode("latin-1") if isinstance(s, bytes) else str(s), otypes=[object])(a)
        values = values.tolist()
    else:
        values = a.astype(np.float64).tolist() if a.dtype.kind == "V" or dtype == "bfloat16" else a.tolist()
    return {"tensor": dtype, "shape": list(a.shape), "values": values}


def described(value):
    """Tensors by type, shape and values; composite ones by their parts; Python's numbers and texts as they are."""
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, dict):
        return {"dict": {str(k): described(v) for k, v in value.items()}}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"dict": {k: described(getattr(value, k)) for k in value._fields}}
    if isinstance(value, (list, tuple)):
        return [described(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted((described(v) for v in value), key=str)
    if isinstance(value, tf.RaggedTensor):
        return {"ragged": [described(value.flat_values), *map(described, value.nested_row_splits)]}
    if isinstance(value, tf.SparseTensor):
        return {"sparse": [described(v) for v in (value.indices, value.values, value.dense_shape)]}
    if isinstance(value, tf.IndexedSlices):
        return {"slices": [described(v) for v in (value.indices, value.values)]}
    if isinstance(value, (np.ndarray, np.generic)):
        return _described_array(np.asarray(value), "numpy " + value.dtype.name)
    if isinstance(value, (tf.Tensor, tf.Variable)):
        if value.dtype in (tf.resource, tf.variant):
            return {"tensor": value.dtype.name}
        return _described_array(np.asarray(value.numpy()), value.dtype.name)
    return {"text": re.sub(r"0x[0-9a-f]+|(?<=[_ ])[0-9]{4,}", "", repr(value)).replace("tensorflow", "sluice")}


def plain(made):
    """The values of a description, without their types: what Python's and the graph's results are compared by."""
    if isinstance(made, dict):
        if "tensor" in made:
            return made.get("values")
        if "bytes" in made:
            return made["bytes"]
        return {k: plain(v) for k, v in made.items()}
    return [plain(v) for v in made] if isinstance(made, list) else made


def _argument(value):
    return value.value if isinstance(value, As) else tf.constant(value)


def _outcome(f, arguments):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            made = {"value": described(f(*map(_argument, arguments)))}
    except Exception as error:
        made = {"error": [c.__name__ for c in type(error).__mro__], "message": _PATH.sub("tests/", str(error))[:300]}
    if printed.getvalue():
        made["printed"] = printed.getvalue()
    return made


def outcome(program, way, arguments):
    """What a program gives; way: "python", "function" (as a tf.function), "converted" (by AutoGraph, run at once)."""
    f = program.function
    if way == "function":
        f = tf.function(f)
    elif way == "converted":
        f = tf.autograph.to_graph(f)
    return _outcome(f, arguments)


def outcomes(program):
    """All that is stored of a program: [[python, function] for each case]."""
    if program.cases is None:
        return [[outcome(program, "python", ())]]
    return [[outcome(program, way, case) for way in ("python", "function")] for case in program.cases]


_PATH = re.compile(r"[^\s\"]*/tests/(?=python/)")  # to this folder, which is somewhere else on each machine
_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|[-+]?(?:inf|nan)\b")


def _equal_numbers(a, b, tolerance, scale):
    if isinstance(a, bool) or isinstance(b, bool) or isinstance(a, int) and isinstance(b, int):
        return a == b
    if a == b or a != a and b != b:
        return True
    return abs(a - b) <= tolerance * max(scale, abs(a), 1e-1)


def _largest(made):
    if isinstance(made, list):
        return max((_largest(v) for v in made), default=0.0)
    return abs(made) if isinstance(made, (int, float)) and abs(made) < float("inf") else 0.0


def _equal_texts(a, b, tolerance):
    a, b = (" ".join(text.split()).replace("[ ", "[").replace(" ]", "]") for text in (a, b))
    if a == b:
        return True
    if _NUMBER.sub("#", a) != _NUMBER.sub("#", b):
        return False
    return all(
        x == y or _equal_numbers(float(x), float(y), max(tolerance, 1e-4), 0.0)
        for x, y in zip(_NUMBER.findall(a), _NUMBER.findall(b))
    )


def equal(a, b, tolerance, scale=0.0) -> bool:
    """Whether two descriptions (or values of them) agree."""
    if isinstance(a, dict) and isinstance(b, dict):
        if a.get("tensor") in ("float16", "bfloat16"):
            tolerance = max(tolerance, 1e-2)
        if "values" in a and "values" in b:
            scale = _largest(b["values"])
        return a.keys() == b.keys() and all(equal(a[k], b[k], tolerance, scale) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(equal(x, y, tolerance, scale) for x, y in zip(a, b))
    if isinstance(a, str) and isinstance(b, str):
        return _equal_texts(a, b, tolerance)
    numbers = (int, float)
    return (
        a == b if not isinstance(a, numbers) or not isinstance(b, numbers) else _equal_numbers(a, b, tolerance, scale)
    )
