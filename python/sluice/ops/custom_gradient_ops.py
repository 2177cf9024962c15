"""tf.custom_gradient: a function with a gradient of its own; and what stands on it.

Eagerly the gradient function is recorded on the tapes. In a graph it is traced at once into a function of the library, from
the gradients of the results and whatever it uses; an IdentityN around the results names that function in its attrs, and
its rule calls it. So the gradient is there wherever the graph goes: in calls, loops, copies.

    IdentityN(results..., arguments..., variables..., captures...) -> results..., ignored
"""

from __future__ import annotations

import functools
import inspect
import itertools
import weakref

from . import flow_bodies
from ..core import attr_value, graph, graph_gradients, nest, tensor, variables
from ..core.gradient_tape import GradientTape, parts_of, whole_of
from ..core.op_defs import op
from .. import _native

_RULE = "SluiceCustomGradient"


class _Failure:
    """What tracing a gradient function has raised. The graph, and graphs that call it, keep it."""

    def __init__(self, error):
        self.name, self.error = f"failed_{next(_numbers)}", error
        _failures[self.name] = self


_failures: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # by name
_numbers = itertools.count()


class _Watcher:
    """Knows the trainable variables that are read within its `with`."""

    def __enter__(self):
        self.variables: list = []
        variables.watching.tapes.append(self)
        return self

    def __exit__(self, *exception):
        variables.watching.tapes.remove(self)

    def function_called(self, function):
        pass

    def variable_read(self, variable):
        if all(v is not variable for v in self.variables):
            self.variables.append(variable)


def custom_gradient(f=None):
    """A decorator. f gives (results, grad); grad takes a gradient for each result and gives one for each argument.

    When f reads trainable variables, grad also takes `variables`, and gives a pair: that, and a list of their gradients.
    """
    return custom_gradient if f is None else _Custom(f)


class _Custom:
    """A function, or method, with a gradient of its own."""

    def __init__(self, f):
        functools.update_wrapper(self, f)
        self._f = f

    # Its class has __get__, for which inspect takes it for a builtin without a signature.
    __signature__ = property(lambda self: inspect.signature(self.__wrapped__))

    def __get__(self, instance, owner):
        return self if instance is None else _Custom(self._f.__get__(instance, owner))

    def __call__(self, *args, **kwargs):
        call = _eagerly if graph.current() is None else _in_graph
        return call(self._f, args, kwargs)


def _flat(structure) -> list:
    """The tensors that have gradients, of ragged and sparse tensors their values."""
    return [t for leaf in nest.flatten(structure) if leaf is not None for t in parts_of(leaf)]


def _like(structure, flat):
    """The structure with other such tensors; a gradient that is None stays."""
    flat = iter(flat)
    made = [
        None if leaf is None else whole_of(leaf, [next(flat) for _ in parts_of(leaf)])
        for leaf in nest.flatten(structure)
    ]
    return nest.pack_sequence_as(structure, made)


def _as_tensor(x):
    if isinstance(x, variables.Variable):
        return x.read_value()
    if x is None or isinstance(x, tensor.Tensor) or nest.spec_of(x) is not None:
        return x
    g = graph.current()
    return tensor.convert(x) if g is None else graph.into(g, x)


def _check_grad(grad, used):
    spec = inspect.getfullargspec(grad)
    if used and "variables" not in spec.args + spec.kwonlyargs and not spec.varkw:
        raise TypeError(
            f"@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses variables: {used}"
        )


def _call_grad(grad, dys, used, count):
    """What grad gives: by argument and by variable a gradient or None."""
    if used:
        made, of_variables = grad(*dys, variables=used)
        if len(of_variables) != len(used):
            raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
    else:
        made, of_variables = grad(*dys), []
    flat = [t for d in nest.flatten(made) for t in ([None] if d is None else parts_of(d))]
    if len(flat) != count:
        raise ValueError(
            f"custom_gradient function expected to return {count} gradients, but returned {len(flat)} instead."
        )
    return flat + list(of_variables)


def _eagerly(f, args, kwargs):
    args = nest.map_structure(lambda x: x if isinstance(x, variables.Variable) else _as_tensor(x), args)
    with _Watcher() as watcher:
        results, grad = f(*args, **kwargs)
    given = [*nest.flatten(args), *nest.flatten(list(kwargs.values()))]
    used = [v for v in watcher.variables if all(v is not x and variables.whole_variable(v) is not x for x in given)]
    _check_grad(grad, used)
    flat = [x.handle if isinstance(x, variables.Variable) else x for x in _flat(args)]
    count = len(flat)
    results = nest.map_structure(_as_tensor, results)
    ys = [op("Identity")(y) for y in _flat(results)]
    results = _like(results, ys)
    xs = flat + [v.handle for v in used]
    followed = [i for i, x in enumerate(xs) if graph_gradients.is_differentiable(x.dtype)]

    def gradients(dys):
        dys = [op("ZerosLike")(y) if d is None else d for d, y in zip(dys, ys)]
        made = _call_grad(grad, nest.flatten(_like(results, dys)), used, count)
        return [None if made[i] is None else tensor.convert(made[i]) for i in followed]

    if followed and ys:
        _native.Tape.record(ys, [xs[i] for i in followed], gradients)
    return results


def _in_graph(f, args, kwargs):
    if kwargs and any(isinstance(v, tensor.Tensor) for v in kwargs.values()):
        raise ValueError(
            "The custom_gradient decorator currently supports keyword arguments only when eager execution is enabled."
        )
    g = graph.current()
    args = nest.map_structure(_as_tensor, args)
    args = _like(args, [op("Identity")(x) for x in _flat(args)])
    with _Watcher() as watcher:
        results, grad = f(*args, **kwargs)
    used = watcher.variables
    _check_grad(grad, used)
    flat = _flat(args)
    results = nest.map_structure(_as_tensor, results)
    ys = [graph.into(g, y) for y in _flat(results)]
    body, places = _trace_grad(g, grad, results, ys, flat, used)
    inputs = ys + flat + [g.enter(v.handle) for v in used] + [graph.into(g, c) for c in body.graph.external_captures]
    first = len(inputs) - len(body.graph.external_captures)
    attrs = {
        "_gradient_op_type": attr_value.encode("s", False, _RULE),
        "_custom_gradient": attr_value.encode("u" if body.native else "s", False, body.name),
        "_custom_gradient_types": attr_value.encode("t", True, [t.dtype for t in body.results]),
        "_custom_gradient_places": attr_value.encode("i", True, [len(ys), first, *places]),
    }
    node = g.add(
        "IdentityN", [inputs], [("T", attr_value.encode("t", True, [t.dtype for t in inputs])), *attrs.items()]
    )
    made = node.outputs[: len(ys)]
    for t, y in zip(made, ys):
        t.set_shape(y.shape)
    return _like(results, made)


def _trace_grad(g, grad, results, ys, flat, used):
    """The gradient function's body, and for each argument and variable which of its results is its gradient, or -1."""
    body = flow_bodies.Body("custom_gradient")
    dys = [body.argument(y.dtype, y.shape, "dy") for y in ys]
    places: list = []

    def trace():
        inside = nest.map_structure(
            lambda r: r if nest.spec_of(r) is None else nest.map_structure(body.graph.enter, r, expand_composites=True),
            results,
        )
        made = _call_grad(grad, nest.flatten(_like(inside, dys)), used, len(flat))
        there = [d for d in made if d is not None]
        at = iter(range(len(there)))
        places.extend(-1 if d is None else next(at) for d in made)
        return [graph.into(body.graph, d) for d in there]

    try:
        body.trace(trace)
        body.finish()
    except Exception as error:  # told when somebody asks for the gradient
        failure = _Failure(error)
        body.native, body.name = None, failure.name
        g.callbacks.append(failure)
    return body, places


def _rule(asked, *dys):
    count, first, *places = asked.get_attr("_custom_gradient_places")
    function = asked.get_attr("_custom_gradient")
    if isinstance(function, bytes):
        raise _failures[function.decode()].error
    dys = [op("ZerosLike")(y) if d is None else d for d, y in zip(dys[:count], asked.outputs)]
    types = asked.get_attr("_custom_gradient_types")
    made = op("StatefulPartitionedCall")([*dys, *asked.inputs[first:]], Tout=types, f=function.name) if types else []
    of_inputs = [None if at < 0 else made[at] for at in places]
    return [None] * count + of_inputs + [None] * (len(asked.inputs) - first)


# ---- what stands on it


def grad_pass_through(f):
    """f, whose gradient is that of the identity: what arrives at the results goes on to the arguments."""

    @custom_gradient
    def passed(*args, **kwargs):
        def grad(*dys, **given):
            used = given.get("variables")
            return (dys, [None] * len(used)) if used is not None else dys

        return f(*args, **kwargs), grad

    return functools.wraps(f)(passed)


def recompute_grad(f):
    """f, of which nothing is kept for the gradient: it is computed once more when the gradient is asked for."""

    @custom_gradient
    def inner(*args, **kwargs):
        results = f(*args, **kwargs)

        def grad(*dys, variables=None):
            used = list(variables or ())
            with GradientTape() as tape:
                again = nest.map_structure(op("Identity"), args, expand_composites=True)
                tape.watch([x for x in nest.flatten(again, True) if graph_gradients.is_differentiable(x.dtype)])
                for v in used:
                    tape.watch(v)
                ys = f(*again, **kwargs)
            xs = nest.flatten(again, True)
            made = tape.gradient(ys, xs + used, list(dys), "zero")
            of_args = made[: len(xs)]
            return (of_args, made[len(xs) :]) if variables is not None else of_args

        return results, grad

    return functools.wraps(f)(inner)


graph_gradients.register(_RULE, _rule)
