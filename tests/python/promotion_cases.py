"""What expressions give under tf.experimental.numpy.experimental_enable_numpy_behavior's ways to promote types.

data/promotion/MODE.tsv has a row for each expression: the expression, a tab, what it gives as text. An expression with {} is
tried with each of TYPES in that place, and gives as many texts, each behind a tab.

promotion_cases.py MODULE MODE     prints the file again, with what MODULE gives
"""

import importlib
import os
import pathlib
import sys

DATA = pathlib.Path(__file__).parent / "data" / "promotion"
MODES = {"all": ("all", False), "safe": ("safe", False), "all_float32": ("all", True)}
STRONG = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128"
WEAK = "int32* float32* float64* complex128*"
TYPES = [*STRONG.split(), *WEAK.split()]


def read(mode):
    """[(expression, [text, ...])]"""
    lines = (DATA / f"{mode}.tsv").read_text(encoding="utf-8").splitlines()
    return [(expression, wanted) for expression, *wanted in (line.split("\t") for line in lines if line)]


def _number(value):
    if isinstance(value, bool) or isinstance(value, int):
        return str(value)
    if isinstance(value, complex):
        return f"{_number(value.real)}{'+' if value.imag >= 0 else ''}{_number(value.imag)}j"
    if isinstance(value, float):
        return f"{value:.5g}"
    return repr(value)


def _elements(value):
    return f"[{' '.join(map(_elements, value))}]" if isinstance(value, list) else _number(value)


def _leaf(tf, value):
    if isinstance(value, tf.Tensor) or "Weak" in type(value).__name__ or isinstance(value, tf.Variable):
        star = "*" if "Weak" in type(value).__name__ else ""
        kind = "Variable " if isinstance(value, tf.Variable) else ""
        elements = value.numpy()
        elements = elements.tolist() if hasattr(elements, "tolist") else elements
        return f"{kind}{value.dtype.name}{star} {_elements(elements)}"
    return " ".join(repr(value).split())


def _brief(said):
    """What differs between messages about types."""
    return said.partition(" is disallowed")[0].partition(" requires")[0].rpartition(" promotion between ")[2]


def text(tf, make):
    """What a call gives, as text: of tensors the type, * for a weak one, and the elements; of an error its class, and what it says
    where types are to blame."""
    try:
        value = make()
        return " | ".join(_leaf(tf, leaf) for leaf in tf.nest.flatten(value))
    except Exception as error:
        said = " ".join(str(error).split())
        return type(error).__name__ + (": " + _brief(said) if "promotion" in said else "")


def names(tf):
    """What expressions may name. T(type, value): a tensor of a type, * for a weak one."""
    import numpy as np

    def of_type(name, value=2):
        if name == "float64*":
            return of_type("int32", 0) + float(value)
        if name.endswith("*"):
            return tf.constant(tf.nest.map_structure({"i": int, "f": float, "c": complex}[name[0]], value))
        return tf.cast(tf.convert_to_tensor(np.array(value)), name)

    def gradients(function, *sources):
        with tf.GradientTape() as tape:
            tape.watch(sources)
            made = function(*sources)
        return made, tape.gradient(made, sources)

    return {"tf": tf, "np": np, "tnp": tf.experimental.numpy, "T": of_type, "gradients": gradients}


def outcomes(tf, rows):
    """The rows with what the module gives."""
    known = names(tf)
    made = []
    for expression, _ in rows:
        if "{}" in expression:
            texts = [text(tf, lambda: eval(expression.replace("{}", repr(t)), dict(known))) for t in TYPES]
        else:
            texts = [text(tf, lambda: eval(expression, dict(known)))]
        made.append((expression, texts))
    return made


def main(module, mode):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tf = importlib.import_module(module)
    conversion, prefer_float32 = MODES[mode]
    tf.experimental.numpy.experimental_enable_numpy_behavior(
        prefer_float32=prefer_float32, dtype_conversion_mode=conversion
    )
    for expression, texts in outcomes(tf, read(mode)):
        sys.stdout.write("\t".join([expression, *texts]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
