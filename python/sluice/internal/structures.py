"""Nested structures beside tf.nest: parts by path, and structures whose leaves are structures themselves."""

from __future__ import annotations

from collections import abc

from ..core import nest
from ..core.nest import (  # noqa: F401 (names of this module)
    assert_same_structure,
    flatten,
    flatten_up_to,
    is_namedtuple,
    is_nested,
    map_structure,
    map_structure_up_to,
    pack_sequence_as,
    same_namedtuples,
)


def _is_attrs(x):
    return nest._is_attrs(x)


def is_attrs(obj):
    return nest._is_attrs(obj)


def is_mapping(obj):
    return isinstance(obj, abc.Mapping)


_is_mapping = is_mapping


def _is_namedtuple(instance, strict=False):
    return is_namedtuple(instance)


def is_nested_or_composite(seq):
    return is_nested(seq) or nest.spec_of(seq) is not None


def _sequence_like(instance, args):
    """A structure like instance with other children."""
    return nest._with_children(instance, list(args))


def _yield_sorted_items(iterable):
    """(key, child) of each child; of named tuples by field, of mappings by sorted key."""
    yield from nest.items(iterable) or ()


def _yield_value(iterable):
    for _, child in _yield_sorted_items(iterable):
        yield child


def list_to_tuple(structure):
    """The structure with tuples for its lists."""
    if isinstance(structure, list):
        return tuple(list_to_tuple(s) for s in structure)
    below = nest.items(structure)
    return structure if below is None else nest._with_children(structure, [list_to_tuple(c) for _, c in below])


def assert_shallow_structure(shallow_tree, input_tree, check_types=True, expand_composites=False):
    """TypeError or ValueError unless input_tree has the structure of shallow_tree down to its leaves."""
    flatten_up_to(shallow_tree, input_tree, check_types, expand_composites)


def yield_flat_paths(nest, expand_composites=False):
    """The path of each leaf, a tuple of keys."""
    for path, _ in flatten_with_tuple_paths(nest, expand_composites):
        yield path


def flatten_with_tuple_paths(structure, expand_composites=False):
    """(path, leaf) of each leaf."""
    return _paths_up_to(structure, structure, False, expand_composites)


def flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types=True, expand_composites=False):
    """(path, part) where the shallow structure has leaves."""
    return _paths_up_to(shallow_tree, input_tree, check_types, expand_composites)


def _paths_up_to(shallow, structure, check_types, expand, path=()):
    below = nest.items(shallow, expand)
    if below is None:
        return [(path, structure)]
    children = nest._matching(shallow, below, structure, check_types, expand)
    return [
        found for (key, s), c in zip(below, children) for found in _paths_up_to(s, c, check_types, expand, (*path, key))
    ]


def flatten_with_joined_string_paths(structure, separator="/", expand_composites=False):
    """(keys joined by the separator, leaf) of each leaf."""
    return [
        (separator.join(str(key) for key in path), leaf)
        for path, leaf in flatten_with_tuple_paths(structure, expand_composites)
    ]


def map_structure_with_tuple_paths_up_to(shallow_tree, func, *inputs, expand_composites=False, **kwargs):
    """func(path, part of each input ...) where the shallow structure has leaves."""
    check = kwargs.pop("check_types", True)
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    paths = [p for p, _ in _paths_up_to(shallow_tree, inputs[0], check, expand_composites)]
    flat = [flatten_up_to(shallow_tree, i, check, expand_composites) for i in inputs]
    made = [func(*parts, **kwargs) for parts in zip(paths, *flat)]
    return pack_sequence_as(shallow_tree, made, expand_composites)


def map_structure_with_tuple_paths(func, *structure, **kwargs):
    """Like map_structure, with func(path, leaf ...)."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func, *structure, **kwargs):
    """The same with paths as texts."""

    def joined(path, *leaves, **more):
        return func("/".join(str(key) for key in path), *leaves, **more)

    return map_structure_with_tuple_paths(joined, *structure, **kwargs)


def get_traverse_shallow_structure(traverse_fn, structure, expand_composites=False):
    """True where the structure is to be gone into, False where it is not: of each part traverse_fn says so.

    It may say so for all children at once, by a structure of bools.
    """
    said = traverse_fn(structure)
    below = nest.items(structure, expand_composites)
    if below is None:
        if not isinstance(said, bool):
            raise TypeError(f"traverse_fn returned structure: {said} for non-structure: {structure}")
        return said
    if isinstance(said, bool):
        if not said:
            return False
        return nest._with_children(
            structure, [get_traverse_shallow_structure(traverse_fn, c, expand_composites) for _, c in below]
        )
    flags = [flag for _, flag in nest.items(said)]
    if not all(isinstance(flag, bool) for flag in flags):
        raise TypeError(f"traverse_fn returned an invalid shallow structure: {said}")
    return nest._with_children(
        structure,
        [
            get_traverse_shallow_structure(traverse_fn, c, expand_composites) if flag else False
            for flag, (_, c) in zip(flags, below)
        ],
    )


def flatten_dict_items(dictionary):
    """A dict whose keys and values are structures, as one of leaves."""
    if not isinstance(dictionary, abc.Mapping):
        raise TypeError(f"Input must be a dictionary, got {dictionary!r}")
    flat = {}
    for key, value in dictionary.items():
        if not is_nested(key):
            pairs = [(key, value)]
        else:
            keys, values = flatten(key), flatten(value)
            if len(keys) != len(values):
                raise ValueError(
                    f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements."
                )
            pairs = zip(keys, values)
        for k, v in pairs:
            if k in flat:
                raise ValueError(f"Could not flatten dictionary: key {k} is not unique.")
            flat[k] = v
    return type(dictionary)(flat) if type(dictionary) is not dict else flat
