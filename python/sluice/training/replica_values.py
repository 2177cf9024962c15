"""Values that differ by replica: what a strategy of several replicas gives and takes, and how structures of them are made.

`regroup` makes of a structure for each replica one structure of PerReplica values, `select` gives back what one replica has.
"""

from __future__ import annotations

from ..core import composite_tensor, nest, type_spec, variables


class DistributedValues:
    """A value for each replica, in `values`."""

    def __init__(self, values):
        self._values = tuple(values)

    values = property(lambda self: self._values)

    def _text(self, show) -> str:
        lines = ",\n".join(f"  {i}: {show(v)}" for i, v in enumerate(self.values))
        return f"{type(self).__name__}:{{\n{lines}\n}}"

    def __repr__(self):
        return self._text(repr)

    def __str__(self):
        return self._text(str)


class PerReplica(DistributedValues, composite_tensor.CompositeTensor):
    """Values that replicas have computed or are given."""

    _type_spec = property(lambda self: PerReplicaSpec(*map(_spec_of, self.values)))


def _spec_of(value):
    spec = type_spec.known_spec(value)
    if spec is None:
        raise TypeError(f"{value!r} is a replica's value that functions cannot take or give")
    return spec


class PerReplicaSpec(type_spec.TypeSpec):
    """The specs of the values of a PerReplica."""

    __slots__ = ("_value_specs",)

    def __init__(self, *value_specs):
        self._value_specs = tuple(value_specs)

    value_type = property(lambda self: PerReplica)
    _component_specs = property(lambda self: self._value_specs)

    def _serialize(self):
        return self._value_specs

    def _to_components(self, value):
        return value.values

    def _from_components(self, components):
        return PerReplica(components)


class Mirrored(DistributedValues):
    """Values that are the same in all replicas."""


def regroup(structures, wrap=PerReplica):
    """One structure of those of the replicas, which have to be alike; what is the same object in all stays as it is."""
    first = structures[0]
    if nest.is_nested(first):
        parts = [nest.items(s) if type(s) is type(first) else None for s in structures]
        if any(p is None or [k for k, _ in p] != [k for k, _ in parts[0]] for p in parts):
            raise ValueError(f"The replicas gave values of different structures: {structures}")
        return nest._with_children(first, [regroup([c for _, c in child], wrap) for child in zip(*parts)])
    if all(s is first for s in structures):
        return first
    container = getattr(first, "_distributed_container", None)
    return container() if container is not None else wrap(structures)


def select(replica, structure):
    """The structure as one replica has it. Variables stay whole: they know in which replica they are."""
    return nest.map_structure(lambda leaf: _of_replica(replica, leaf), structure)


def select_parts(replica, structure):
    """The same with the replica's own copies of variables."""
    return nest.map_structure(lambda leaf: _value_of(replica, leaf), structure)


def _of_replica(replica, leaf):
    return leaf if isinstance(leaf, variables.Variable) else _value_of(replica, leaf)


def _value_of(replica, leaf):
    return leaf.values[replica] if isinstance(leaf, DistributedValues) else leaf
