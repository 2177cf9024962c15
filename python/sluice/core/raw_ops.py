"""All ops as they are: tf.raw_ops.MatMul(a=..., b=..., transpose_a=False, transpose_b=False, name=None)."""

import inspect

from . import dtypes, op_defs


# Where Python's name of an argument is not the definition's.
_AXIS = {"axis": "reduction_indices"}
_NAMES = {
    "All": _AXIS,
    "Any": _AXIS,
    "EuclideanNorm": _AXIS,
    "Max": _AXIS,
    "Mean": _AXIS,
    "Min": _AXIS,
    "Prod": _AXIS,
    "Sum": _AXIS,
    "ExpandDims": {"axis": "dim"},
    "Select": {"x": "t", "y": "e"},
    "Split": {"axis": "split_dim"},
    "SplitV": {"axis": "split_dim"},
    "Squeeze": {"axis": "squeeze_dims"},
    "Where": {"condition": "input"},
}


def _public(made):
    names = _NAMES.get(made.__name__, {})

    def call(**kwargs):
        return made(**{names.get(k, k): v for k, v in kwargs.items()})

    renamed = {old: new for new, old in names.items()}
    return described(call, made, inspect.Parameter.KEYWORD_ONLY, renamed)


def described(call, made, kind, renamed=()):
    """The function as what help() shows of an op: its parameters, their types, what it gives and raises."""
    info = made.__self__.info
    renamed = dict(renamed)
    attrs = [a for a in info.attrs if not a.is_inferred]
    names = [(renamed.get(a.name, a.name), inspect.Parameter.empty) for a in info.inputs]
    names += [(a.name, inspect.Parameter.empty) for a in attrs if not a.has_default]
    names += [(a.name, _shown(a)) for a in attrs if a.has_default]
    call.__signature__ = inspect.Signature(
        [inspect.Parameter(n, kind, default=default) for n, default in names + [("name", None)]]
    )
    call.__name__ = call.__qualname__ = made.__name__
    call.__doc__ = _describe(info, renamed)
    return call


def _shown(attr):
    """A default as programs write it."""
    if attr.kind == "s" and not attr.is_list:
        return attr.default.decode(errors="replace")
    return dtypes.by_number[attr.default] if attr.kind == "t" and not attr.is_list else attr.default


_KINDS = dict(
    s="a string", i="a number", f="a number", b="a bool", t="a type", h="a shape", e="a tensor", u="a function"
)


def _type_of(arg, allowed) -> str:
    if arg.type:
        return dtypes.by_number[arg.type].name
    if arg.type_list_attr:
        return f"the types {arg.type_list_attr}"
    types = allowed.get(arg.type_attr)
    return f"type {arg.type_attr}" + (f" ({', '.join(dtypes.by_number[t].name for t in types)})" if types else "")


def _describe(info, renamed) -> str:
    allowed, told = op_defs.allowed_types(info.name), set()

    def lines(args):
        for a in args:
            many = "tensors" if a.number_attr or a.type_list_attr else "a tensor"
            yield f"    {renamed.get(a.name, a.name)}: {many} of {_type_of(a, {} if a.type_attr in told else allowed)}"
            told.add(a.type_attr)

    attrs = [
        f"    {a.name}: {'a list: ' if a.is_list else ''}{_KINDS[a.kind]}" for a in info.attrs if not a.is_inferred
    ]
    parts = [f"The op {info.name}.\n", *lines(info.inputs), *attrs, "Gives"]
    parts += list(lines(info.outputs)) or ["    nothing"]
    parts.append("InvalidArgumentError for types and shapes that the op does not take.")
    return "\n".join(parts) + "\n"


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    made = globals()[name] = _public(op_defs.op(name))
    return made


def __dir__():
    return op_defs.names()
