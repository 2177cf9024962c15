"""Dictionaries and sets that tell objects apart by identity."""

from __future__ import annotations

from collections import abc

from ..core.tensor import Reference


class ObjectIdentityDictionary(abc.MutableMapping):
    """A dictionary whose keys may be unhashable, such as tensors."""

    def __init__(self, *args, **kwargs):
        self._items: dict = {}
        self.update(dict(*args, **kwargs))

    def __getitem__(self, key):
        return self._items[id(key)][1]

    def __setitem__(self, key, value):
        self._items[id(key)] = (key, value)

    def __delitem__(self, key):
        del self._items[id(key)]

    def __iter__(self):
        return iter([key for key, _ in self._items.values()])

    def __len__(self):
        return len(self._items)


class ObjectIdentitySet(abc.MutableSet):
    """A set of such objects."""

    def __init__(self, *args):
        self._items = {id(x): x for x in (args[0] if args else ())}

    def __contains__(self, value):
        return id(value) in self._items

    def __iter__(self):
        return iter(list(self._items.values()))

    def __len__(self):
        return len(self._items)

    def add(self, value):
        self._items[id(value)] = value

    def discard(self, value):
        self._items.pop(id(value), None)

    def update(self, items):
        for item in items:
            self.add(item)


__all__ = ["ObjectIdentityDictionary", "ObjectIdentitySet", "Reference"]
