"""Being TensorFlow for programs and packages that say so: after install_as_tensorflow() `import tensorflow` means Sluice."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys

_NAME = "tensorflow"
_OWN = __name__.rpartition(".")[0]


class _Loader(importlib.abc.Loader):
    """Gives the module of this package that stands for one of TensorFlow's."""

    def create_module(self, spec):
        own = _OWN + spec.name[len(_NAME) :]
        try:
            made = importlib.import_module(own)
        except ModuleNotFoundError as error:
            if error.name != own:
                raise
            raise ModuleNotFoundError(
                f"No module named {spec.name!r}: {_OWN} stands for {_NAME}, and has no {own!r}", name=spec.name
            ) from None
        self.spec = made.__spec__
        return made

    def exec_module(self, module):
        """It has run already, and keeps the spec that it was imported by."""
        module.__spec__ = self.spec


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != _NAME and not name.startswith(_NAME + "."):
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


_finder = _Finder()


def install_as_tensorflow() -> None:
    """From here on `import tensorflow` gives this package, in this process. RuntimeError when TensorFlow is imported already."""
    there = sys.modules.get(_NAME)
    if there is not None and there is not sys.modules[_OWN]:
        raise RuntimeError(f"{_NAME} is imported already, from {getattr(there, '__file__', 'somewhere')}")
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    sys.modules[_NAME] = sys.modules[_OWN]
