"""The public modules, sluice.math and so on. Each has its names from names.py, and loads what is behind one when somebody
first asks for it, so that an import costs only what is used."""

from __future__ import annotations

import functools
import importlib
import sys
import types

from .core import dispatch
from .names import NAMES, WHOLE

_ROOT = __package__
_where: dict[str, dict[str, tuple[str, str]]] = {}  # namespace -> public name -> (module, its own name)
_spaces: dict[str, types.ModuleType] = {}


def _parents(space: str):
    while space:
        yield space
        space = space.rpartition(".")[0]


def _fill() -> None:
    for module, rows in NAMES.items():
        for spaces, names in rows.items():
            pairs = [n.partition("=")[::2] for n in names.split()]
            for space in spaces.split():
                for parent in _parents("" if space == "tf" else space):
                    _where.setdefault(parent, {})
                table = _where.setdefault("" if space == "tf" else space, {})
                table.update((public, (module, own or public)) for public, own in pairs)
    for space in WHOLE:
        _where.setdefault(space, {})
    for space in [s for s in _where if s and not s.startswith("compat.v1")]:  # compat.v1.X is there wherever X is
        _where.setdefault("compat.v1." + space, {})
    for space in ("compat", "compat.v1"):
        _where.setdefault(space, {})


def find(space: str, name: str):
    """(module, its own name) of a public name; None when the namespace has none."""
    found = _where[space].get(name)
    if found is None and space.startswith("compat.v1"):
        found = _where.get(space[len("compat.v1.") :], {}).get(name)
    return found


def _missing(space: str, name: str):
    return AttributeError(f"module {full_name(space)!r} has no attribute {name!r}", name=name)


def full_name(space: str) -> str:
    return f"{_ROOT}.{space}" if space else _ROOT


# ---- what Keras has, which is a package of its own: it is there when this package stands for TensorFlow

_OF_KERAS = {"keras": "", "losses": "losses", "metrics": "metrics", "optimizers": "optimizers"}
_keras_is_used = False


def use_keras() -> None:
    """From here on tf.keras is the package keras, which imports tensorflow."""
    global _keras_is_used
    _keras_is_used = True


def _of_keras(space: str, name: str):
    if not _keras_is_used:
        raise AttributeError(
            f"module {full_name(space)!r} has no attribute {name!r}: Keras is a package of its own, which imports tensorflow. "
            f"{_ROOT}.install_as_tensorflow(), or python -m {_ROOT}, makes that mean {_ROOT}",
            name=name,
        )
    from .internal import keras

    return keras.attribute(space, _OF_KERAS[name])


def is_public(space: str) -> bool:
    """Whether there is a public module of this name."""
    return space in _spaces


def _namespace(space: str) -> types.ModuleType:
    """A public module. What it has is looked up once, and is an attribute from then on."""
    made = types.ModuleType(full_name(space), f"tf.{space}")
    made.__path__, made.__package__ = [], full_name(space)
    made.__getattr__ = functools.partial(get, made.__dict__, space)
    made.__dir__ = functools.partial(names_of, space)
    return made


def get(attributes: dict, space: str, name: str):
    """What a namespace has under a name, which becomes one of its attributes. AttributeError when it has nothing."""
    below = f"{space}.{name}" if space else name
    if below in _spaces:
        made = _spaces[below]
    elif (found := find(space, name)) is not None:
        made = getattr(importlib.import_module(f"{_ROOT}.{found[0]}"), found[1])
        if found[0].startswith("ops."):
            made = dispatch.public(made, below if name in _where[space] else below.removeprefix("compat.v1."))
    elif space in WHOLE and not name.startswith("__"):
        made = getattr(importlib.import_module(f"{_ROOT}.{WHOLE[space]}"), name)
    elif space.startswith("compat.v1.") and space[len("compat.v1.") :] in WHOLE and not name.startswith("__"):
        made = getattr(importlib.import_module(f"{_ROOT}.{WHOLE[space[len('compat.v1.') :]]}"), name)
    elif name in _OF_KERAS and (space == "" or (space == "compat.v1" and name == "keras")):
        made = _of_keras(space, name)
    else:
        raise _missing(space, name)
    attributes[name] = made
    return made


def names_of(space: str) -> list[str]:
    """All public names of a namespace."""
    below = space + "." if space else ""
    inner = {s[len(below) :].partition(".")[0] for s in _spaces if s.startswith(below) and s != space}
    names = set(_where[space])
    if space.startswith("compat.v1"):
        names |= set(_where.get(space[len("compat.v1.") :], {}))
    return sorted(names | inner)


def install(root: types.ModuleType) -> None:
    """Makes the namespaces importable, as modules of the package."""
    _fill()
    for space in _where:
        if space:
            _spaces[space] = sys.modules[full_name(space)] = _namespace(space)
    _spaces["compat.v2"] = sys.modules[full_name("compat.v2")] = root
