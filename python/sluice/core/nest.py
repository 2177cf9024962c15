"""Structures of lists, tuples, dictionaries and named tuples, with values at their leaves."""

from __future__ import annotations

from collections import abc


def is_nested(x) -> bool:
    return isinstance(x, (list, tuple)) or isinstance(x, abc.Mapping)


def _keys(d):
    try:
        return sorted(d)
    except TypeError:
        raise TypeError(f"nest only supports dicts with sortable keys, got {list(d)!r}") from None


def flatten(x, expand_composites=False) -> list:
    """The leaves, in order; of dictionaries by sorted key."""
    if isinstance(x, abc.Mapping):
        return [leaf for k in _keys(x) for leaf in flatten(x[k])]
    if isinstance(x, (list, tuple)):
        return [leaf for v in x for leaf in flatten(v)]
    return [x]


def pack_sequence_as(structure, flat, expand_composites=False):
    """The structure with other leaves."""
    flat = list(flat)
    rest = iter(flat)
    try:
        made = _pack(structure, rest)
    except StopIteration:
        raise ValueError(
            f"Structure had {len(flatten(structure))} elements, but flat_sequence had {len(flat)} elements."
        ) from None
    if next(rest, rest) is not rest:
        raise ValueError(
            f"Structure had {len(flatten(structure))} elements, but flat_sequence had {len(flat)} elements."
        )
    return made


def _pack(structure, rest):
    if isinstance(structure, abc.Mapping):
        made = {k: _pack(structure[k], rest) for k in _keys(structure)}
        return type(structure)((k, made[k]) for k in structure)
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*(_pack(v, rest) for v in structure))
    if isinstance(structure, (list, tuple)):
        return type(structure)(_pack(v, rest) for v in structure)
    return next(rest)


def map_structure(function, *structures, **kwargs):
    """The structure of what function gives for the leaves at the same place of each."""
    for other in structures[1:]:
        assert_same_structure(structures[0], other, kwargs.get("check_types", True))
    return pack_sequence_as(structures[0], [function(*leaves) for leaves in zip(*map(flatten, structures))])


def assert_same_structure(a, b, check_types=True, expand_composites=False):
    """ValueError or TypeError when the two have another structure."""
    if is_nested(a) != is_nested(b):
        raise ValueError(
            f"The two structures don't have the same nested structure.\n\nFirst structure: {a!r}\n\nSecond structure: {b!r}"
        )
    if not is_nested(a):
        return
    if check_types and type(a) is not type(b) and not (isinstance(a, abc.Mapping) and isinstance(b, abc.Mapping)):
        raise TypeError(f"The two structures don't have the same sequence type. First: {type(a)}, second: {type(b)}.")
    if isinstance(a, abc.Mapping):
        if set(a) != set(b):
            raise ValueError(f"The two dictionaries don't have the same set of keys: {_keys(a)} and {_keys(b)}.")
        pairs = [(a[k], b[k]) for k in a]
    else:
        if len(a) != len(b):
            raise ValueError(f"The two structures don't have the same number of elements: {len(a)} and {len(b)}.")
        pairs = zip(a, b)
    for x, y in pairs:
        assert_same_structure(x, y, check_types)
