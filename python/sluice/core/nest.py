"""Structures with values at their leaves: tf.nest.

Lists, tuples, named tuples, attrs classes, mappings and their views are structures, and classes with `__tf_flatten__` and
`__tf_unflatten__`. With `expand_composites` composite tensors and their specs are, too: their children are their components.
"""

from __future__ import annotations

import dataclasses
from collections import abc, defaultdict

from .. import _native

_LEAF_TYPES = frozenset({int, float, bool, str, bytes, complex, type(None)})


leaf_types = set(_LEAF_TYPES)  # leaves whatever is asked for: eager tensors, too


def _is_attrs(x) -> bool:
    return getattr(type(x), "__attrs_attrs__", None) is not None


def _is_custom(x) -> bool:
    return dataclasses.is_dataclass(x) and not isinstance(x, type) and hasattr(type(x), "__tf_flatten__")


def spec_of(x):
    """The type spec of a composite tensor; of a spec of composite tensors itself; None of anything else."""
    kind = type(x)
    if hasattr(kind, "_type_spec"):
        return x._type_spec
    return x if getattr(kind, "_is_composite_spec", False) else None


def _components(x, spec):
    return spec._component_specs if spec is x else spec._to_components(x)


def is_namedtuple(x) -> bool:
    return isinstance(x, tuple) and isinstance(getattr(x, "_fields", None), tuple)


def is_nested(seq) -> bool:
    """Whether seq is a structure, not a leaf. Composite tensors are leaves here."""
    if type(seq) in _LEAF_TYPES:
        return False
    return isinstance(seq, (list, tuple, abc.Mapping, abc.MappingView)) or _is_attrs(seq) or _is_custom(seq)


def _keys(d) -> list:
    try:
        return sorted(d)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def items(x, expand_composites=False) -> list | None:
    """(key, child) of each child in order, of mappings by sorted key; None of a leaf."""
    if type(x) in _LEAF_TYPES:
        return None
    if isinstance(x, abc.Mapping):
        return [(k, x[k]) for k in _keys(x)]
    if is_namedtuple(x):
        return [(k, getattr(x, k)) for k in x._fields]
    if isinstance(x, (list, tuple, abc.MappingView)):
        return list(enumerate(x))
    if _is_attrs(x):
        return [(a.name, getattr(x, a.name)) for a in type(x).__attrs_attrs__]
    if _is_custom(x):
        return list(enumerate(x.__tf_flatten__()[1]))
    if expand_composites and (spec := spec_of(x)) is not None:
        return [(type(x).__name__, _components(x, spec))]
    return None


def _children(x, expand_composites) -> list | None:
    found = items(x, expand_composites)
    return None if found is None else [child for _, child in found]


def _with_children(x, children: list):
    """The structure x with other children, in the order of `items`."""
    if isinstance(x, abc.Mapping):
        return _mapping_with(x, dict(zip(_keys(x), children)))
    if is_namedtuple(x):
        return _class_of(x)(*children)
    if isinstance(x, abc.MappingView):
        return list(children)
    if isinstance(x, (list, tuple)):
        return _class_of(x)(children)
    if _is_attrs(x):
        return type(x)(*children)
    if _is_custom(x):
        return x.__tf_unflatten__(x.__tf_flatten__()[0], tuple(children))
    return spec_of(x)._from_components(children[0])


def _class_of(x):
    """The class to build; of a proxy (wrapt) the class of what it wraps."""
    return type(getattr(x, "__wrapped__", x)) if type(x).__module__ != "builtins" else type(x)


def _mapping_with(x, made: dict):
    inner = getattr(x, "__wrapped__", x)
    if isinstance(inner, defaultdict):
        built = defaultdict(inner.default_factory, ((k, made[k]) for k in inner))
    elif type(inner) is dict:
        built = {k: made[k] for k in inner}
    else:
        built = type(inner)((k, made[k]) for k in inner)
    return built if inner is x else type(x)(built)


def flatten(structure, expand_composites=False) -> list:
    """The leaves, in order; of mappings by sorted key. A leaf alone gives a list of one."""
    return _flatten(structure, expand_composites)


_flatten = _native.nest_flatten
_native.setup(leaf_types=leaf_types, children=_children)


def flatten_with_path(structure, expand_composites=False) -> list:
    """(path, leaf) of each leaf; a path is a tuple of keys and places."""
    found = items(structure, expand_composites)
    if found is None:
        return [((), structure)]
    return [((key, *path), leaf) for key, child in found for path, leaf in flatten_with_path(child, expand_composites)]


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """The structure with these leaves. ValueError when it has another number of them."""
    if not (is_nested(flat_sequence) or isinstance(flat_sequence, (abc.Sequence, abc.Set, abc.Iterator))) or isinstance(
        flat_sequence, (str, bytes)
    ):
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found incompatible type "
            f"`{type(flat_sequence)}` instead."
        )
    flat = list(flat_sequence)
    if items(structure, expand_composites) is None:
        if len(flat) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {structure}\nHowever the input is a sequence "
                f"({type(flat_sequence)}) of length {len(flat)}.\n  {flat_sequence}\nnest cannot guarantee that it is "
                "safe to map one to the other."
            )
        return flat[0]
    rest = iter(flat)
    try:
        made = _pack(structure, rest, expand_composites)
        complete = next(rest, rest) is rest
    except StopIteration:
        complete = False
    if not complete:
        n = len(flatten(structure, expand_composites))
        raise ValueError(
            f"Could not pack sequence. Structure had {n} atoms, but flat_sequence had {len(flat)} items.  "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return made


def _pack(structure, rest, expand):
    children = _children(structure, expand)
    if children is None:
        value = next(rest, rest)
        if value is rest:
            raise StopIteration
        return value
    return _with_children(structure, [_pack(child, rest, expand) for child in children])


def map_structure(func, *structure, **kwargs):
    """The structure of what func gives for the leaves at the same place of each.

    Keywords: check_types (True) also compares the types of the structures, expand_composites (False).
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    if len(structure) == 1 and not kwargs:
        return _mapped(func, structure[0], False)
    check_types, expand = kwargs.pop("check_types", True), kwargs.pop("expand_composites", False)
    if kwargs:
        names = "`, `".join(kwargs)
        raise ValueError(f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{names}`")
    if len(structure) == 1:
        return _mapped(func, structure[0], expand)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types, expand_composites=expand)
    made = [func(*leaves) for leaves in zip(*(flatten(s, expand) for s in structure))]
    return pack_sequence_as(structure[0], made, expand)


def _mapped(func, x, expand):
    """The structure x of what func gives for its leaves, in their order."""
    kind = type(x)
    if kind in leaf_types:
        return func(x)
    if kind is list:
        return [_mapped(func, child, expand) for child in x]
    if kind is dict:
        made = {key: _mapped(func, x[key], expand) for key in _keys(x)}
        return {key: made[key] for key in x}
    children = _children(x, expand)
    if children is None:
        return func(x)
    return _with_children(x, [_mapped(func, child, expand) for child in children])


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    """ValueError when the two differ in structure, TypeError when in the types of it (with check_types)."""
    try:
        _compare(nest1, nest2, check_types, expand_composites)
    except (ValueError, TypeError) as error:
        dots1, dots2 = (_dots(n) for n in (nest1, nest2))
        raise type(error)(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_about(nest1)}\n\nSecond structure: {_about(nest2)}\n\nMore specifically: {error}\n"
            f"Entire first structure:\n{dots1}\nEntire second structure:\n{dots2}"
        ) from None


def _about(x) -> str:
    return f"type={type(x).__name__} str={x}"


def _dots(structure) -> str:
    try:
        return str(map_structure(lambda _: _DOT, structure))
    except Exception:  # a structure that cannot be built again is shown as one leaf
        return "."


class _Dot:
    def __repr__(self):
        return "."


_DOT = _Dot()


def _compare_specs(a, b) -> None:
    specs = [spec_of(x) for x in (a, b)]
    fits = None not in specs and specs[0]._without_tensor_names().most_specific_common_supertype(
        [specs[1]._without_tensor_names()]
    )
    if not fits:
        a, b = (x if s is None else s for x, s in zip((a, b), specs))
        raise ValueError(f"Incompatible CompositeTensor TypeSpecs: {_about(a)} vs. {_about(b)}")


def _compare(a, b, check_types, expand) -> None:
    below_a, below_b = items(a, expand), items(b, expand)
    if (below_a is None) != (below_b is None):
        one, other = (a, b) if below_b is None else (b, a)
        raise ValueError(f'Substructure "{_about(one)}" is a sequence, while substructure "{_about(other)}" is not')
    if below_a is None:
        return
    if not is_nested(a) or not is_nested(b):
        _compare_specs(a, b)
        return
    mappings = isinstance(a, abc.Mapping), isinstance(b, abc.Mapping)
    if check_types and not all(mappings):
        _compare_types(a, b)
    if len(below_a) != len(below_b) and not all(mappings):
        raise ValueError(
            f"The two structures don't have the same number of elements. First structure: {_about(a)}. "
            f"Second structure: {_about(b)}"
        )
    if all(mappings) and set(a) != set(b):
        raise ValueError(
            "The two dictionaries don't have the same set of keys. First structure has keys "
            f"{_about(list(a))}, while second structure has keys {_about(list(b))}"
        )
    for (_, x), (_, y) in zip(below_a, below_b):
        _compare(x, y, check_types, expand)


def same_namedtuples(a, b) -> bool:
    """Whether the classes of two named tuples have one name and the same fields."""
    return type(a).__name__ == type(b).__name__ and a._fields == b._fields


def _compare_types(a, b) -> None:
    kinds = [_class_of(x) for x in (a, b)]
    if kinds[0] is kinds[1] or is_namedtuple(a) and is_namedtuple(b) and same_namedtuples(a, b):
        return
    views = [next((v for v in _VIEWS if isinstance(x, v)), None) for x in (a, b)]
    if views[0] is not None and views[0] is views[1]:
        return
    if not any(map(is_namedtuple, (a, b))) and any(issubclass(k, j) for k, j in (kinds, kinds[::-1])):
        return  # a list and a kind of list, as of tracked attributes
    raise TypeError(
        f"The two namedtuples don't have the same sequence type. First structure {_about(a)} has type "
        f"{kinds[0].__name__}, while second structure {_about(b)} has type {kinds[1].__name__}"
    )


_VIEWS = (abc.KeysView, abc.ItemsView, abc.ValuesView)


# ---- structures whose leaves may be structures themselves


def flatten_up_to(shallow, structure, check_types=True, expand_composites=False) -> list:
    """The parts of a structure that lie where the shallow one has leaves."""
    below = items(shallow, expand_composites)
    if below is None:
        return [structure]
    children = _matching(shallow, below, structure, check_types, expand_composites)
    return [leaf for (_, s), c in zip(below, children) for leaf in flatten_up_to(s, c, check_types, expand_composites)]


def _matching(shallow, below, structure, check_types, expand) -> list:
    children = items(structure, expand)
    if children is None:
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(structure)}."
        )
    mappings = isinstance(shallow, abc.Mapping) and isinstance(structure, abc.Mapping)
    if check_types and not mappings and is_nested(shallow):
        try:
            _compare_types(shallow, structure)
        except TypeError:
            raise TypeError(
                "The two structures don't have the same sequence type. Input structure has type "
                f"{type(structure)}, while shallow structure has type {type(shallow)}."
            ) from None
    if len(children) != len(below):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(children)}, while shallow structure has length {len(below)}."
        )
    if not mappings:
        return [child for _, child in children]
    absent = [k for k, _ in below if k not in structure]
    if absent:
        raise ValueError(f"The two structures don't have the same keys. Input structure lacks {absent}.")
    return [structure[k] for k, _ in below]


def map_structure_up_to(shallow, func, *structures, **kwargs):
    """Like map_structure, for the parts that lie where the shallow structure has leaves."""
    flat = [flatten_up_to(shallow, s, **kwargs) for s in structures]
    made = [func(*parts) for parts in zip(*flat)]
    return pack_sequence_as(shallow, made, kwargs.get("expand_composites", False))
