"""Signatures of saved models: functions that take tensors by name and give a dictionary of tensors."""

from __future__ import annotations

import logging
import re
from collections import abc

from ..core import nest, tensor
from ..core.concrete_function import ConcreteFunction
from ..core.function import Function
from ..core.trackable import Trackable
from ..core.type_spec import TensorSpec, TypeSpec
from .saved_model_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY

ATTRIBUTE = "signatures"


class SignatureMap(abc.Mapping, Trackable):
    """A model's signatures by their keys; they cannot be changed."""

    def __init__(self):
        self._signatures = {}

    _object_identifier = property(lambda self: "signature_map")

    def _add_signature(self, name, function):
        self._signatures[name] = function

    _add_trackable_child = _add_signature

    def __getitem__(self, key):
        return self._signatures[key]

    def __iter__(self):
        return iter(self._signatures)

    def __len__(self):
        return len(self._signatures)

    def __repr__(self):
        return f"_SignatureMap({self._signatures})"

    __hash__ = object.__hash__

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        return dict(self._signatures) if save_type == "savedmodel" else {}


class SignatureFunction(ConcreteFunction):
    """A signature as it is called: tensors by name, or the only one by position."""

    def _bind(self, args, kwargs):
        return self._bind_flat(args, kwargs, TypeError(f"{self.name} takes the tensors {self._arg_keywords} by name"))

    def _bind_flat(self, args, kwargs, error):
        if len(args) > self._num_positional_args:
            raise error
        return super()._bind_flat(args, kwargs, error)

    def _flat_spec(self, t):
        return TensorSpec(None, t.dtype)  # shapes only say what is usual


_DEFAULT = "_default_save_signature"  # models of Keras 2 have a function under this name


def canonical(signatures, children) -> dict[str, Function | ConcreteFunction]:
    """What the caller gave as signatures, or among the root's children, as functions by key. ValueError or TypeError otherwise."""
    if signatures is None:
        found = _default_of(children)
        return {} if found is None else {DEFAULT_SERVING_SIGNATURE_DEF_KEY: found}
    if not isinstance(signatures, abc.Mapping):
        signatures = {DEFAULT_SERVING_SIGNATURE_DEF_KEY: signatures}
    return dict(signatures)


def _default_of(children):
    """What the root calls its default, or the only function of the root that has a signature of its own and results."""
    own = children.get(_DEFAULT)
    if isinstance(own, (Function, ConcreteFunction)):
        return own
    candidates = [f for f in children.values() if isinstance(f, Function) and f.input_signature is not None]
    candidates = [f for f in candidates if _is_valid(f)]
    return candidates[0] if len(candidates) == 1 else None


def _is_valid(function) -> bool:
    try:
        concrete = function.get_concrete_function()
        _normal_inputs(concrete, quiet=True)
        return bool(_normal_outputs(concrete, "", ""))
    except (ValueError, TypeError):
        return False


def wrap(key, function):
    """A concrete function that serves as a signature: arguments by name, results in a dictionary."""
    if isinstance(function, Function):
        if function.input_signature is not None:
            concrete = function.get_concrete_function()
        elif len(traces := list_traces(function)) == 1:
            concrete = traces[0]
        else:
            raise ValueError(
                f"Got non-flat/non-unique argument names or no single trace for the signature '{key}': give it an "
                "`input_signature`, or call `.get_concrete_function` on the function."
            )
    elif isinstance(function, ConcreteFunction):
        concrete = function
    else:
        raise ValueError(
            f"Expected a TensorFlow function for which to generate a signature, but got {function}. Only `tf.functions` with "
            "an input signature or concrete functions can be used as a signature."
        )
    specs = _normal_inputs(concrete)
    name = getattr(function, "_name", concrete.name)

    def signature_wrapper(**kwargs):
        values = [kwargs[n] for n in specs]
        return _normal_outputs_of(concrete.call_flat(values), concrete, name, key)

    made = Function(signature_wrapper, f"signature_wrapper_{key}", autograph=False).get_concrete_function(**specs)
    made._arg_keywords, made._num_positional_args = sorted(specs), 1 if len(specs) == 1 else 0
    return made


def list_traces(function) -> list:
    """All traces of a tf.function that are to be saved; one with a signature is traced if it was not."""
    return function._list_all_concrete_functions_for_serialization()


def _normal_inputs(concrete, quiet=False):
    """TensorSpecs by argument name, in the order of the inputs. ValueError when names do not tell them apart."""
    specs, renamed = {}, []
    names = list(concrete._arg_keywords)
    told = [s for leaf in nest.flatten(concrete._given_signature) if isinstance(leaf, TypeSpec) for s in leaf.flatten()]
    given_names = [s.name or n for s, n in zip(told, names)] if len(told) == len(names) else names
    if len(set(given_names)) < len(given_names):  # two specs have one name: the graph's inputs tell them apart
        given_names = names
    for given, t in zip(given_names, concrete._own_inputs):
        name = given if isinstance(concrete, SignatureFunction) else re.sub(r"[^A-Za-z0-9_.]", "_", given)
        if name != given:
            name = name.lower()
            renamed.append((given, name))
        if name in specs:
            raise ValueError(f"Got non-unique argument names for SavedModel signature: {names}. Name: {name}")
        if t.dtype.name == "resource":
            raise ValueError(f"the argument {given} of a signature cannot be a resource")
        specs[name] = TensorSpec(t.shape, t.dtype, name)
    if renamed and not quiet:
        logging.getLogger("absl").info(
            "Function `%s` contains input name(s) %s with unsupported characters which will be renamed to %s in the SavedModel.",
            concrete.graph.name,
            ", ".join(a for a, _ in renamed),
            ", ".join(b for _, b in renamed),
        )
    return specs


def _normal_outputs(concrete, name, key):
    return _normal_outputs_of(concrete._packed_outputs(), concrete, name, key)


def _normal_outputs_of(outputs, concrete, name, key):
    """A dictionary of tensors of what a function gave. ValueError when it is none."""
    if isinstance(outputs, abc.Mapping):
        for k, v in outputs.items():
            if not isinstance(k, str):
                raise ValueError(
                    f"Got a dictionary with a non-string key {k!r} in the output of the function {name} used to generate the "
                    f"SavedModel signature {key!r}."
                )
            _check(v, k, name, key)
        return dict(outputs)
    if outputs is None or isinstance(outputs, (list, tuple)) and not outputs:
        return {}
    parts = (
        [outputs]
        if isinstance(outputs, tensor.Tensor)
        else list(outputs)
        if isinstance(outputs, (list, tuple))
        else None
    )
    if parts is None:
        _check(outputs, "output_0", name, key)
    for i, v in enumerate(parts):
        _check(v, f"output_{i}", name, key)
    return {f"output_{i}": v for i, v in enumerate(parts)}


def _check(value, where, name, key):
    if not isinstance(value, tensor.Tensor) and nest.spec_of(value) is None:
        raise ValueError(
            f"Got a non-Tensor value {value!r} for key {where!r} in the output of the function {name} used to generate the "
            f"SavedModel signature {key!r}. Outputs for functions used as signatures must be a single Tensor, a sequence of "
            "Tensors, or a dictionary from string to Tensor."
        )


def attach(root, children, functions):
    """A map of wrapped signatures; the root must not have other ones."""
    made = SignatureMap()
    for key, f in functions.items():
        made._add_signature(key, f)
    known = children.get(ATTRIBUTE)
    if known is not None and not isinstance(known, SignatureMap):
        raise ValueError(
            f"Exporting an object {root} which has an attribute named '{ATTRIBUTE}'. This is a reserved attribute used to "
            "store SavedModel signatures in objects which come from `tf.saved_model.load`. Delete this attribute (e.g. `del "
            f"obj.{ATTRIBUTE}`) before saving if this shadowing is acceptable."
        )
    return made
