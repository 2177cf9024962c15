"""A dictionary that does not change: what mappings in extension types become."""

from __future__ import annotations

from collections import abc


class ImmutableDict(abc.Mapping):
    """A mapping without ways to change it; it hashes if its values do."""

    def __init__(self, *args, **kwargs):
        self._items = dict(*args, **kwargs)

    def __getitem__(self, key):
        return self._items[key]

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __hash__(self):
        return hash(frozenset(self._items.items()))

    def __repr__(self):
        return f"ImmutableDict({self._items})"
