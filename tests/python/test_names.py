"""Public names: those of data/names.tsv are there with TensorFlow's parameters, but for those of data/names_absent.tsv.

`python tests/python/test_names.py [NAMESPACE]` prints what differs, `... --write` makes data/names_absent.tsv anew.
"""

import inspect
import os
import re
import sys

import pytest

import sluice as tf
from sluice import namespaces
from sluice.core import op_defs
from sluice.ops import elementwise_ops

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def _find(name):
    value = tf
    for part in name.split("."):
        value = getattr(value, part)
    return value


def _parameters(value):
    """name -> whether it has a default; None when Python cannot tell."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    return [p for p in signature.parameters.values() if p.name != "self"]


def _difference(name, kind, wanted):
    """What keeps a caller from using the name as TensorFlow's; None when nothing does."""
    try:
        value = _find(name)
    except AttributeError:
        return "absent"
    if kind in ("value", "module") or wanted == "?":
        return None
    have = _parameters(getattr(value, "__func__", value) if kind != "class" else value.__init__)
    if have is None:
        return None
    kinds = {p.kind for p in have}
    names = [p.name for p in have if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    wanted = re.sub(r"\([^()]*\)", "", wanted)  # calls in defaults
    want = [w.partition("=")[0] for w in wanted.split(", ") if w and "=" in w or w.isidentifier()]
    if inspect.Parameter.VAR_KEYWORD in kinds:
        return None
    lacks = [w for w in want if w not in names]
    return "lacks " + " ".join(lacks) if lacks else None


def _read(file):
    with open(os.path.join(DATA, file)) as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def differences(space=""):
    rows = [r for r in _read("names.tsv") if r[0].startswith(space)]
    told = [(r[0], _difference(*r)) for r in rows]
    gone = {n for n, why in told if why == "absent"}
    return {n: why for n, why in told if why and n.rpartition(".")[0] not in gone}


def test_names_are_there():
    known = dict(_read("names_absent.tsv"))
    found = differences()
    assert {n: why for n, why in found.items() if known.get(n) != why} == {}


def test_public_functions_and_classes_say_what_they_do():
    silent = []
    for space in {"", *namespaces._spaces} - {"compat.v2", "raw_ops"}:
        if space.startswith(("compat.v1", "__internal__")):
            continue
        module = _find(space) if space else tf
        for name in namespaces.names_of(space):
            value = getattr(module, name, None)  # Keras is not there unless it is asked for
            if (inspect.isroutine(value) or inspect.isclass(value)) and not (inspect.getdoc(value) or "").strip():
                silent.append(f"{space}.{name}")
    assert silent == []


def test_ops_tell_their_parameters():
    assert str(inspect.signature(tf.raw_ops.ArgMax)) == "(*, input, dimension, output_type=tf.int64, name=None)"
    text = tf.raw_ops.StringJoin.__doc__
    assert (
        "inputs: tensors of string" in text and "separator: a string" in text and "output: a tensor of string" in text
    )
    assert "x: a tensor of type T (bfloat16, float16, float32, float64)" in tf.raw_ops.Floor.__doc__


@pytest.mark.parametrize("table", ["_UNARY", "_BINARY", "_SPECIAL"])
def test_functions_of_elements_name_the_ops_types(table):
    """The types that their documentation names are those that the ops take."""
    words = {
        "bfloat16, float16, float32 or float64": {14, 19, 1, 2},
        "int8 to int64 or uint8 to uint64": {6, 5, 3, 9, 4, 17, 22, 23},
        "int8 to int64": {6, 5, 3, 9},
        "complex64 or complex128": {8, 18},
        "int32 or int64": {3, 9},
        "int32, int64": {3, 9},
        "bool": set(),
    }
    for name, (op, kind, *_) in getattr(elementwise_ops, table).items():
        rest, said = elementwise_ops.KINDS[kind], set()
        for word in sorted(words, key=len, reverse=True):
            if word in rest:
                rest, said = rest.replace(word, ""), said | words[word]
        assert not rest.strip(", "), rest
        assert said == set(op_defs.allowed_types(op).get("T", ())), name


if __name__ == "__main__":
    space = next((a for a in sys.argv[1:] if not a.startswith("-")), "")
    lines = [f"{n}\t{why}\n" for n, why in sorted(differences(space).items())]
    if "--write" in sys.argv:
        with open(os.path.join(DATA, "names_absent.tsv"), "w") as out:
            out.writelines(lines)
    else:
        sys.stdout.writelines(lines)
