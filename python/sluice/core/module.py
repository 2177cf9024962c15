"""tf.Module: a thing with variables, some of them in the things that it has."""

from __future__ import annotations

import functools
import re

from . import nest, scopes, variables
from .trackable import AutoTrackable

_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"(?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z])")


def camel_to_snake(value: str) -> str:
    return _WORD.sub(lambda m: "_" + m.group(), value).lower()


class Module(AutoTrackable):
    """Finds the variables and modules among its attributes, and in the structures that are its attributes.

    name: an identifier; without one it is made of the class's name. ValueError when it is none.
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset(("_self_tracked", "_self_deferred"))

    def __init__(self, name=None):
        name = camel_to_snake(type(self).__name__) if name is None else name
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid class name)."
            )
        self._name = name
        with scopes.name_scope(name) as scope:
            self._name_scope = scopes.name_scope(scope)

    @property
    def name(self):
        """Its name, without the scopes around it."""
        return self._name

    @property
    def name_scope(self):
        """The scope that names of its variables and ops begin with."""
        return self._name_scope

    @property
    def variables(self):
        """Its variables and those of its submodules, those of an attribute together, by the attributes' names."""
        return tuple(self._flatten(predicate=_is_variable, expand_composites=True))

    @property
    def trainable_variables(self):
        return tuple(self._flatten(predicate=_is_trainable_variable, expand_composites=True))

    @property
    def non_trainable_variables(self):
        return tuple(self._flatten(predicate=_is_non_trainable_variable, expand_composites=True))

    @property
    def submodules(self):
        """All modules that are attributes, or attributes of those."""
        return tuple(self._flatten(predicate=_is_module))

    def _flatten(
        self, recursive=True, predicate=None, attribute_traversal_key=None, with_path=False, expand_composites=False
    ):
        """What is in the attributes and fulfils predicate, each once; with_path, each by every path: (path, value)."""
        walk = _Walk(recursive, predicate or (lambda _: True), attribute_traversal_key, with_path, expand_composites)
        return walk.values(self, ())

    @classmethod
    def with_name_scope(cls, method):
        """A method whose ops and variables have the module's name scope."""

        @functools.wraps(method)
        def method_with_name_scope(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)

        return method_with_name_scope


def _is_variable(obj) -> bool:
    return isinstance(obj, variables.Variable)


def _is_trainable_variable(obj) -> bool:
    return _is_variable(obj) and bool(getattr(obj, "trainable", False))


def _is_non_trainable_variable(obj) -> bool:
    return _is_variable(obj) and not getattr(obj, "trainable", False)


def _is_module(obj) -> bool:
    return isinstance(obj, Module)


class _Walk:
    """One walk over a module: what it has itself first, then each submodule. Without paths each value comes once."""

    def __init__(self, recursive, predicate, key, with_path, expand_composites):
        self.recursive, self.predicate, self.key = recursive, predicate, key
        self.with_path, self.expand_composites = with_path, expand_composites
        self.seen: set[int] = set()
        self.within: list = []  # the submodules that lead here

    def _leaves(self, value):
        found = []
        for path, leaf in nest.flatten_with_path(value):
            if self.expand_composites and not _is_variable(leaf) and nest.spec_of(leaf) is not None:
                found.extend((path, part) for part in nest.flatten(leaf, expand_composites=True))
            else:
                found.append((path, leaf))
        return found

    def values(self, module, path):
        submodules = []
        for name in sorted(vars(module), key=self.key):
            if name in module._TF_MODULE_IGNORED_PROPERTIES:
                continue
            try:
                leaves = self._leaves(vars(module)[name])
            except Exception as cause:
                raise ValueError(f"Error processing property {name!r} of {type(module).__name__}") from cause
            for leaf_path, leaf in leaves:
                if not self.with_path:
                    if id(leaf) in self.seen:
                        continue
                    self.seen.add(id(leaf))
                full = (*path, name, *leaf_path)
                if self.predicate(leaf):
                    yield (full, leaf) if self.with_path else leaf
                if self.recursive and _is_module(leaf):
                    submodules.append((full, leaf))
        for full, inner in submodules:
            if any(inner is m for m in self.within):
                continue
            self.within.append(inner)
            yield from self.values(inner, full)
            self.within.pop()
