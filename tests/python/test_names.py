"""Public names: those of data/names.tsv are there with TensorFlow's parameters, but for those of data/names_absent.tsv.

`python tests/python/test_names.py [NAMESPACE]` prints what differs, `... --write` makes data/names_absent.tsv anew.
"""

import inspect
import os
import sys

import sluice as tf

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


if __name__ == "__main__":
    space = next((a for a in sys.argv[1:] if not a.startswith("-")), "")
    lines = [f"{n}\t{why}\n" for n, why in sorted(differences(space).items())]
    if "--write" in sys.argv:
        with open(os.path.join(DATA, "names_absent.tsv"), "w") as out:
            out.writelines(lines)
    else:
        sys.stdout.writelines(lines)
