"""tf.keras: Keras 3, as TensorFlow has it; with TF_USE_LEGACY_KERAS=1 the package tf_keras, which is Keras 2."""

from __future__ import annotations

import importlib
import os


def _is_legacy() -> bool:
    return os.environ.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true")


def _root(space: str) -> str:
    if _is_legacy():
        return "tf_keras.api._v1.keras" if space == "compat.v1" else "tf_keras.api._v2.keras"
    return "keras._tf_keras.keras"


def module(path: str):
    """The module of Keras for tensorflow.keras.X; None when it has none. ModuleNotFoundError without Keras."""
    name = _root("") + path[len("keras") :]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name) or "." not in error.name:
            raise _absent(error) from error
        return None


def private_module(path: str):
    """The module for tensorflow.python.keras.X, which was Keras 2: that of the package tf_keras; None when it has none.
    ModuleNotFoundError without that package."""
    below = path[len("python.keras") :]
    for name in (f"tf_keras.src{below}" if below else "tf_keras.api._v2.keras", f"tf_keras.api._v2.keras{below}"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name) or "." not in error.name:
                raise _absent(error, "tensorflow.python.keras") from error
    return None


def attribute(space: str, name: str):
    """Keras, or one of its modules, for tf and tf.compat.v1. AttributeError without Keras."""
    try:
        return importlib.import_module(_root(space) + ("." + name if name else ""))
    except ModuleNotFoundError as error:
        raise AttributeError(str(_absent(error))) from error


def _absent(error, what="tf.keras"):
    if error.name not in ("keras", "tf_keras"):
        return error
    return ModuleNotFoundError(f"{error}: {what} is the package {error.name!r}, which pip installs", name=error.name)
