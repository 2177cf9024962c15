"""tf.functions of saved models: calls find the saved trace that fits, as nothing can be traced anew."""

from __future__ import annotations

import inspect

from ..core import nest, tensor, variables
from ..core.function import Function
from ..core.type_spec import TensorSpec, TypeSpec
from ..core.structured_values import decode

_KIND = inspect.Parameter


def _signature(spec):
    """inspect.Signature of a saved FullArgSpec."""
    fields = decode(spec.fullargspec)
    args = list(fields.args)
    if spec.is_method and args:
        args = args[1:]
    defaults = list(fields.defaults or ())
    made = []
    for i, name in enumerate(args):
        at = i - (len(args) - len(defaults))
        made.append(_KIND(name, _KIND.POSITIONAL_OR_KEYWORD, default=defaults[at] if at >= 0 else _KIND.empty))
    if fields.varargs:
        made.append(_KIND(fields.varargs, _KIND.VAR_POSITIONAL))
    keyword_defaults = fields.kwonlydefaults or {}
    for name in fields.kwonlyargs or ():
        made.append(_KIND(name, _KIND.KEYWORD_ONLY, default=keyword_defaults.get(name, _KIND.empty)))
    if fields.varkw:
        made.append(_KIND(fields.varkw, _KIND.VAR_KEYWORD))
    return inspect.Signature(made)


def _fits(wanted, given, converts) -> bool:
    """Whether an argument may stand for what a trace was made with."""
    if isinstance(wanted, TensorSpec):
        if isinstance(given, variables.Variable):
            given = given.read_value()
        if isinstance(given, (tensor.Tensor, TensorSpec)):
            return wanted.dtype == given.dtype and wanted.shape.is_compatible_with(given.shape)
        if not converts or given is None or isinstance(given, bool) and wanted.dtype.name != "bool":
            return False
        try:
            made = tensor.convert(given, wanted.dtype.as_datatype_enum)
        except (TypeError, ValueError):
            return False
        return wanted.shape.is_compatible_with(made.shape)
    if isinstance(wanted, TypeSpec):
        if isinstance(given, TypeSpec):
            return given.is_subtype_of(wanted)
        return wanted.is_compatible_with(given)
    if isinstance(given, (tensor.Tensor, TypeSpec)):
        return False
    if isinstance(wanted, float) or isinstance(given, float):
        return type(given) in (int, float) and not isinstance(wanted, bool) and wanted == given
    return type(wanted) is type(given) and wanted == given or wanted is given


def _matches(trace, args, kwargs, converts) -> bool:
    wanted_args, wanted_kwargs = trace.structured_input_signature
    wanted, given = (tuple(wanted_args), dict(wanted_kwargs)), (tuple(args), dict(kwargs))
    try:
        values = nest.flatten_up_to(wanted, given, check_types=False)
        leaves = nest.flatten(wanted)
    except (TypeError, ValueError):
        return False
    return len(leaves) == len(values) and all(_fits(w, v, converts) for w, v in zip(leaves, values))


class RestoredFunction(Function):
    """A tf.function of a saved model. `concrete_functions`: its traces."""

    def __init__(self, name, concrete_functions, spec):
        self.concrete_functions = concrete_functions
        signature = decode(spec.input_signature)
        jit = {0: None, 1: True, 2: False}[spec.jit_compile]
        own_signature = _signature(spec)

        def restored_function_body(*args, **kwargs):
            return self._call_saved(args, kwargs)

        restored_function_body.__signature__ = own_signature
        restored_function_body.__name__ = name
        if signature is not None:
            signature = tuple(signature)
        super().__init__(restored_function_body, name, signature, autograph=False, jit_compile=jit)

    def __get__(self, instance, owner=None):
        return self  # it is bound already

    def _list_all_concrete_functions(self):
        return list(self.concrete_functions)

    def _list_all_concrete_functions_for_serialization(self):
        return list(self.concrete_functions)

    def _call_saved(self, args, kwargs):
        if not self.concrete_functions:
            raise ValueError("Found zero restored functions for caller function.")
        for converts in (False, True):
            for trace in self.concrete_functions:
                if _matches(trace, args, kwargs, converts):
                    return self._call_trace(trace, args, kwargs)
        raise ValueError(self._told(args, kwargs))

    @staticmethod
    def _call_trace(trace, args, kwargs):
        return trace.call_flat(trace._bind(args, kwargs))

    def _told(self, args, kwargs):
        def described(args, kwargs):
            text = f"Positional arguments ({len(args)} total):\n    * "
            text += "\n    * ".join(map(repr, args))
            return text + f"\n  Keyword arguments: {kwargs}"

        options = [
            f"Option {i + 1}:\n  {described(*t.structured_input_signature)}"
            for i, t in enumerate(self.concrete_functions)
        ]
        return (
            "Could not find matching concrete function to call loaded from the SavedModel. Got:\n  "
            f"{described(args, kwargs)}\n\n Expected these arguments to match one of the following {len(options)} option(s):\n\n"
            + "\n\n".join(options)
        )
