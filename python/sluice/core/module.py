"""tf.Module: a thing with variables, some of them in the things that it has."""

from __future__ import annotations

from . import nest, variables


class Module:
    """Finds the variables and modules among its attributes, and in lists, tuples and dictionaries of them."""

    def __init__(self, name=None):
        self._name = name or type(self).__name__.lower()

    name = property(lambda self: self._name)

    def _values(self, seen):
        if id(self) in seen:
            return
        seen.add(id(self))
        for key in sorted(vars(self)):
            for leaf in nest.flatten(vars(self)[key]):
                if isinstance(leaf, (variables.Variable, Module)) and id(leaf) not in seen:
                    if isinstance(leaf, variables.Variable):
                        seen.add(id(leaf))
                    yield leaf
                if isinstance(leaf, Module):
                    yield from leaf._values(seen)

    @property
    def variables(self):
        return tuple(v for v in self._values(set()) if isinstance(v, variables.Variable))

    @property
    def trainable_variables(self):
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self):
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self):
        return tuple(v for v in self._values(set()) if isinstance(v, Module))
