"""Scopes: devices, names, what waits for what; and whether ops run at once."""

from __future__ import annotations

import functools
import inspect
from contextlib import contextmanager, nullcontext

from .. import _native
from . import device_spec, graph, tensor


@contextmanager
def device(device_name):
    """Ops within run there: a name, whole or in part, or a function of the node (in graphs). None: where they like.

    ValueError when it is no device's name; RuntimeError for a function when ops run at once.
    """
    g = graph.current()
    if g is not None:
        with g.device(device_name):
            yield
        return
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions when eager execution is enabled.")
    before = _native.set_device("")
    try:
        if device_name is not None:
            outer = device_spec.DeviceSpec.from_string(before)
            _native.set_device(outer.make_merged_spec(device_spec.as_spec(device_name)).to_string())
        yield
    finally:
        _native.set_device(before)


class name_scope:
    """Names of nodes within begin with it. `with` gives the whole prefix, which ends with "/"."""

    def __init__(self, name):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._entered = []

    name = property(lambda self: self._name)

    def __enter__(self):
        if graph.current() is None:  # then there are no nodes, and only variables have names
            self._entered.append(graph.eager.names)
            graph.eager.names = _below(graph.eager.names, self._name)
            return graph.eager.names
        self._entered.append(_scope(self._name))
        return self._entered[-1].__enter__()

    def __exit__(self, *exception):
        entered = self._entered.pop()
        if not isinstance(entered, str):
            return entered.__exit__(*exception)
        graph.eager.names = entered


def _below(names, name):
    return name if name.endswith("/") else names + name + "/" if name else ""


@contextmanager
def _scope(name):
    g = graph.current()
    if g is not None:
        with g.name_scope(name) as made:
            yield made
        return
    before = graph.eager.names
    graph.eager.names = _below(before, name)
    try:
        yield graph.eager.names
    finally:
        graph.eager.names = before


def root_names():
    """Within it names are as they are given, whatever scope is around."""
    return _scope("")


def current_name_scope() -> str:
    """The scope of names here, with "/" at its end, or empty."""
    g = graph.current()
    return g._scope if g is not None else graph.eager.names


def get_current_name_scope() -> str:
    """The scope of names here, without "/" at its end."""
    return current_name_scope().rstrip("/")


class name_scope_v1:
    """The same with a default for a name of None. `values`: tensors of the graph that is meant."""

    def __init__(self, name, default_name=None, values=None):
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError(f"`default_name` type ({type(default_name)}) is not a string type.")
        self._name = default_name if name is None else name
        self._values = values
        self._missing = name is None and values is not None and default_name is None

    name = property(lambda self: self._name)

    def __enter__(self):
        if self._missing:
            raise ValueError("At least one of name (None) and default_name (None) must be provided.")
        owner = None
        if graph.current() is None:
            owner = next((v.graph for v in self._values or () if isinstance(v, graph.SymbolicTensor)), None)
        self._graph = graph.entered(owner) if owner is not None else nullcontext()
        self._graph.__enter__()
        self._scope = _scope(self._name or "")
        return self._scope.__enter__()

    def __exit__(self, *exception):
        self._scope.__exit__(*exception)
        self._graph.__exit__(*exception)


_NO_SCOPE = nullcontext()


def scope_in_graphs(name, default):
    """In graphs a scope of that name, or this default, which it gives with "/" at its end; else nothing."""
    return name_scope_v1(name, default) if graph.current() is not None else _NO_SCOPE


def in_scope(default, names_last=True):
    """Decorates a function with a parameter `name`: in graphs its nodes are named below that name, or this default. names_last:
    the function gives its last node the name itself."""

    stack, modes = graph._stack, graph.modes

    def decorate(function):
        parameters = list(inspect.signature(function).parameters.values())
        at = next(i for i, p in enumerate(parameters) if p.name == "name")
        if parameters[at].kind is inspect.Parameter.KEYWORD_ONLY:
            at = len(parameters) + 1  # never among the arguments by position

        @functools.wraps(function)
        def scoped(*args, **kwargs):
            if modes.eager and not stack.items:  # graph.current() is None
                return function(*args, **kwargs)
            if any(hasattr(type(a), "_type_spec") for a in args):  # others dispatch on those
                return function(*args, **kwargs)
            by_position = at < len(args)
            with name_scope_v1(args[at] if by_position else kwargs.get("name"), default) as scope:
                inner = scope if names_last else None
                if by_position:
                    return function(*args[:at], inner, *args[at + 1 :], **kwargs)
                kwargs["name"] = inner
                return function(*args, **kwargs)

        return scoped

    return decorate


def control_dependencies(control_inputs):
    """What is made within runs after these; in eager code everything does."""
    g = graph.current()
    if g is None:
        if callable(control_inputs):
            control_inputs()
        return nullcontext()
    return g.control_dependencies(control_inputs)


def colocate_with(op, ignore_existing=False):
    g = graph.current()
    return nullcontext() if g is None else g.colocate_with(op, ignore_existing)


def container(container_name):
    """Variables, queues and the like within keep their state in this container."""
    return graph.default_graph().container(container_name)


def init_scope():
    """What is within is lifted out of functions: it runs at once, or goes into the graph around them."""
    return graph.init_scope()


def executing_eagerly() -> bool:
    """Whether ops of this thread run at once."""
    return graph.current() is None


def executing_eagerly_outside_functions() -> bool:
    """Whether ops would run at once, were it not for the functions that are being traced."""
    return graph.outermost() is None


def inside_function() -> bool:
    """Whether a function is being traced here."""
    g = graph.current()
    return g is not None and g.building_function


def is_tensor(x) -> bool:
    """Whether it is a tensor, a variable, or another value that stands for tensors."""
    return isinstance(x, tensor.Tensor) or hasattr(x, "__tf_tensor__") or getattr(x, "is_tensor_like", False)
