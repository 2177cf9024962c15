"""All ops as they are: tf.raw_ops.MatMul(a=..., b=..., transpose_a=False, transpose_b=False, name=None)."""

from . import op_defs


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

    call.__name__ = call.__qualname__ = made.__name__
    call.__doc__ = _describe(made.info)
    return call


def _describe(info) -> str:
    inputs = [
        f"{a.name}: {'a list of tensors' if a.number_attr or a.type_list_attr else 'a tensor'}" for a in info.inputs
    ]
    attrs = [f"{a.name}{' = ' + repr(a.default) if a.has_default else ''}" for a in info.attrs if not a.is_inferred]
    return (
        f"The op {info.name}.\n\nInputs: {'; '.join(inputs) or 'none'}.\nAttrs: {', '.join(attrs) or 'none'}.\n"
        f"Gives: {', '.join(o.name for o in info.outputs) or 'nothing'}.\n"
    )


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    made = globals()[name] = _public(op_defs.op(name))
    return made


def __dir__():
    return op_defs.names()
