"""What a concrete function takes and gives, as types: ConcreteFunction.function_type, and its texts."""

from __future__ import annotations

import inspect
from collections import OrderedDict, abc

from . import nest, variables
from .type_spec import TensorSpec, TypeSpec

_BY_POSITION = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
POSITIONAL, KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
BEFORE_REST = inspect.Parameter.POSITIONAL_ONLY  # of all arguments by position when *args takes some


class FunctionSpec:
    """The parameters of a tf.function, and its input signature."""

    def __init__(self, signature, input_signature):
        self.signature, self.input_signature = signature, input_signature

    @property
    def arg_names(self):
        """The names of the parameters that may be given by position."""
        return tuple(p.name for p in self.signature.parameters.values() if p.kind in _BY_POSITION)

    @property
    def fullargspec(self):
        def of_them(*args, **kwargs):
            pass

        of_them.__signature__ = self.signature
        return inspect.getfullargspec(of_them)

    def __repr__(self):
        return f"FunctionSpec{self.signature}"


class Literal:
    """A Python value that a trace was made for."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Literal) and self.value == other.value

    def __hash__(self):
        return hash(repr(self.value))

    def __repr__(self):
        return f"Literal[{self.value!r}]"


class List:
    """The types of a list's or tuple's items."""

    word = "List"

    def __init__(self, *components):
        self.components = components

    def __eq__(self, other):
        return type(self) is type(other) and self.components == other.components

    def __hash__(self):
        return hash(self.components)

    def __repr__(self):
        return f"{self.word}[{', '.join(map(repr, self.components))}]"


class Tuple(List):
    """The same of a tuple."""

    word = "Tuple"


class Dict:
    """The types of a dictionary's values by key."""

    def __init__(self, mapping, word="Dict"):
        self.mapping, self.word = mapping, word

    def __eq__(self, other):
        return isinstance(other, Dict) and (self.word, self.mapping) == (other.word, other.mapping)

    def __hash__(self):
        return hash(tuple(self.mapping))

    def __repr__(self):
        return f"{self.word}[{', '.join(f'[{k!r}, {v!r}]' for k, v in self.mapping.items())}]"


def type_of(value):
    """The type of a structure of specs and Python values."""
    if isinstance(value, TypeSpec):
        return value
    if isinstance(value, variables.Variable):
        return nest.spec_of(value) or Literal(value)
    if nest.is_namedtuple(value):
        return Dict({k: type_of(getattr(value, k)) for k in value._fields}, type(value).__name__)
    if isinstance(value, abc.Mapping):
        return Dict({k: type_of(v) for k, v in value.items()})
    if isinstance(value, (list, tuple)):
        return (List if isinstance(value, list) else Tuple)(*map(type_of, value))
    return Literal(value)


class Parameter:
    """One parameter: its name, inspect's kind, its type, whether it may be left out."""

    def __init__(self, name, kind, type_constraint, optional=False):
        self.name, self.kind, self.type_constraint, self.optional = name, kind, type_constraint, optional

    def __repr__(self):
        return (
            f"Parameter(name={self.name}, kind={self.kind.name}, optional={self.optional}, "
            f"type_constraint={self.type_constraint!r})"
        )

    def __str__(self):
        return f"{self.name}: {self.type_constraint!r}"


class FunctionType:
    """The parameters by name, the captures by key, and the output."""

    def __init__(self, parameters, captures, output):
        self.parameters = OrderedDict((p.name, p) for p in parameters)
        self.captures, self.output = captures, output

    def __str__(self):
        parts, starred = [], False
        parameters = list(self.parameters.values())
        for i, p in enumerate(parameters):
            if p.kind is KEYWORD and not starred:
                parts.append("*")
                starred = True
            parts.append(str(p))
            if p.kind is BEFORE_REST and all(q.kind is not BEFORE_REST for q in parameters[i + 1 :]):
                parts.append("/")
        return f"({', '.join(parts)}) -> {self.output!r}"

    def __repr__(self):
        lines = ["Input Parameters:"]
        lines += [f"  {p.name} ({p.kind.name}): {p.type_constraint!r}" for p in self.parameters.values()]
        lines += ["Output Type:", f"  {self.output!r}", "Captures:"]
        lines += [f"  {key}: {spec!r}" for key, spec in self.captures.items()] or ["  None"]
        return "\n".join(lines)


def of_concrete(function):
    """The FunctionType of a concrete function."""
    args, kwargs = function._given_signature or function.structured_input_signature
    names = list(function._parameters)
    names = names[: len(args)] + [f"{names[-1] if names else 'arg'}_{i}" for i in range(len(args) - len(names))]
    kind = POSITIONAL if len(args) <= function._by_name_count else BEFORE_REST
    made = [Parameter(n, kind, _own(function, type_of(v), n)) for n, v in zip(names, args)]
    made += [Parameter(n, function._keyword_kind, _own(function, type_of(v), n)) for n, v in kwargs.items()]
    captures = OrderedDict((id(v), TensorSpec(t.shape, t.dtype)) for v, t in function._captures)
    return FunctionType(made, captures, type_of(function._output_specs()))


def _own(function, spec, name):
    """A spec as the caller gave it: names that only repeat the parameter's are left out."""
    if (
        function._given_signature is not None
        or function._tells_names
        or type(spec) is not TensorSpec
        or spec.name != name
    ):
        return spec
    return TensorSpec(spec.shape, spec.dtype)
