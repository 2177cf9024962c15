"""Being TensorFlow for programs and packages that say so: after install_as_tensorflow() `import tensorflow` means Sluice."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import operator
import sys

from . import namespaces
from .ops import operator_functions

_NAME = "tensorflow"
_OWN = __name__.rpartition(".")[0]


class _Loader(importlib.abc.Loader):
    """Gives the module of this package, or of Keras, that stands for one of TensorFlow's."""

    def create_module(self, spec):
        path = spec.name[len(_NAME) + 1 :]
        made = _module(path)
        if made is None:
            raise ModuleNotFoundError(
                f"No module named {spec.name!r}: {_OWN} stands for {_NAME}, and has no {path!r}", name=spec.name
            )
        self.spec = made.__spec__ if "__spec__" in vars(made) else None
        return made

    def exec_module(self, module):
        """It has run already, and keeps the spec that it was imported by."""
        if self.spec is not None:
            module.__spec__ = self.spec


def _module(path: str):
    """The module for a path below tensorflow; None when there is none."""
    from .internal import keras, modules

    path = path.removeprefix("compat.v2.")
    if path.partition(".")[0] == "keras":
        return keras.module(path)
    if (path + ".").startswith("python.keras.") and not modules.exists(path):
        return keras.private_module(path)
    if modules.is_private(path):
        return modules.PrivateModule(path) if modules.exists(path) else None
    return sys.modules.get(f"{_OWN}.{path}") if namespaces.is_public(path) else None


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != _NAME and not name.startswith(_NAME + "."):
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)

    def find_distributions(self, context):
        """What importlib.metadata says of a package of that name: packages ask it for TensorFlow's version."""
        return [_distribution()] if context.name == _NAME else []


def _distribution():
    from importlib import metadata

    class Distribution(metadata.Distribution):
        def read_text(self, filename):
            text = f"Metadata-Version: 2.1\nName: {_NAME}\nVersion: {sys.modules[_OWN].__version__}\n"
            return text if filename == "METADATA" else None

        def locate_file(self, path):
            return path

    return Distribution()


_finder = _Finder()

# Classes as packages know them that ask a value for the name and module of its class, to tell what it is without an
# import of TensorFlow: the class here, and the module and name there.
_KNOWN_AS = [
    ("Tensor", "tensorflow.python.framework.tensor", "Tensor"),
    ("__internal__.FuncGraph", "tensorflow.python.framework.func_graph", "FuncGraph"),
    ("data.Dataset", "tensorflow.python.data.ops.dataset_ops", "DatasetV2"),
    ("RaggedTensor", "tensorflow.python.ops.ragged.ragged_tensor", "RaggedTensor"),
    ("SparseTensor", "tensorflow.python.framework.sparse_tensor", "SparseTensor"),
]


def _name_classes():
    for path, module, name in _KNOWN_AS:
        known = operator.attrgetter(path)(sys.modules[_OWN])
        known.__module__, known.__name__, known.__qualname__ = module, name, name


def install_as_tensorflow() -> None:
    """From here on `import tensorflow` gives this package, in this process. RuntimeError when TensorFlow is imported already."""
    there = sys.modules.get(_NAME)
    if there is not None and there is not sys.modules[_OWN]:
        raise RuntimeError(f"{_NAME} is imported already, from {getattr(there, '__file__', 'somewhere')}")
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
        namespaces.use_keras()
        _name_classes()
        operator_functions.name_operators()
    sys.modules[_NAME] = sys.modules[_OWN]
