"""tf.GradientTape, in eager code and in graphs.

Eagerly a tape is the library's. In a graph it remembers what it watches and which nodes were made while it recorded; its
gradients are nodes, along what follows by those from what is watched.
"""

from __future__ import annotations

import logging

import numpy as np

from .. import _native
from . import errors, graph, graph_gradients, nest, tensor, variables
from .graph_gradients import UnconnectedGradients, is_differentiable, wants_zeros, zeros_of
from .indexed_slices import IndexedSlices
from .op_defs import op


_FEW = 1000  # ones that a graph holds as a constant


def _seed(g, y):
    """Ones; None, for the library to make them, where the shape is not known or large."""
    if not y.dtype.is_floating or not y.shape.is_fully_defined() or y.shape.num_elements() >= _FEW:
        return None
    return graph.into(g, np.ones(y.shape.as_list(), y.dtype.as_numpy_dtype), y._dtype_number, name="ones")


def _added(g, ys, xs, dys, stops):
    names = graph_gradients.Names.BY_SCOPE
    return graph_gradients.add(g, ys, xs, dys, stops, "gradient_tape/", names=names)


class GradientTape:
    """Records what is computed within its `with`, to give gradients of it.

    Trainable variables that are read are watched; others, and tensors, by `watch`.

        with tf.GradientTape() as tape:
            loss = f(x)
        gradient = tape.gradient(loss, x)
    """

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent, self._watches_variables = persistent, watch_accessed_variables
        self._tape = None
        self._graph = None
        self._recording = self._paused = self._used = False
        self._begun = False
        self._variables: dict[int, object] = {}
        self._called: list = []  # functions with gradients of their own
        self._watched: list = []  # (tensor, how many nodes there were then)
        self._spans: list[list] = []  # of the graph's nodes: [first, behind the last or None]

    def __enter__(self):
        self._start()
        return self

    def __exit__(self, *exception):
        if self._recording:
            self._stop()

    def _begin(self):
        self._begun = True
        self._graph = graph.current()
        if self._graph is None:
            self._tape = _native.Tape(self._persistent)

    def _start(self):
        if self._recording:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        if not self._begun:
            self._begin()
        self._recording = True
        if self._graph is not None:
            self._spans.append([self._position(), None])
        elif self._paused:
            self._tape.resume()
        self._paused = False
        variables.watching.tapes.append(self)

    def _stop(self):
        if not self._recording:
            raise ValueError("Tape is not recording.")
        self._recording, self._paused = False, True
        if self._graph is not None:
            self._spans[-1][1] = self._position()
        else:
            self._tape.pause()
        variables.watching.tapes.remove(self)

    # ---- what it watches

    def variable_read(self, variable):
        """Watches it, unless only what it is told to. What a function reads while it is traced is watched when it is called."""
        if self._watches_variables:
            self._watch_variable(variable)

    def _watch_variable(self, variable):
        if id(variable) in self._variables or self._graph is None and graph.current() is not None:
            return
        self._variables[id(variable)] = variable
        if self._tape is not None:
            self._tape.watch(variable.handle)
        else:
            self._watched.append((_handle(variable), 0))

    def _position(self):
        """How many nodes there are before what comes now."""
        if self._graph is None:
            return 0
        self._graph.take_in()
        return self._graph.version

    def function_called(self, function):
        """Keeps a function that is called until the tape ends."""
        self._called.append(function)

    def watched_variables(self):
        """The variables that were read, in the order in which they were."""
        whole = [variables.whole_variable(v) for v in self._variables.values()]
        return tuple({id(v): v for v in whole}.values())

    def watch(self, tensor):
        """Follows a tensor, variable or composite, or a structure of them."""
        if not self._begun:
            self._begin()
        for t in nest.flatten(tensor, expand_composites=True):
            self._watch(t)

    def _watch(self, t):
        if isinstance(t, variables.Variable):
            self._watch_variable(t)
            return
        if not isinstance(t, tensor.Tensor):
            raise ValueError(
                f"Passed in object {t} of type {type(t).__name__!r}, not tf.Tensor or tf.Variable or ExtensionType."
            )
        if not is_differentiable(t.dtype):
            logging.getLogger("sluice").warning(
                "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", t.dtype
            )
            return
        if self._tape is not None and isinstance(t, tensor.EagerTensor):
            self._tape.watch(t)
        self._watched.append((t, self._position()))

    def stop_recording(self):
        """Within this `with` nothing is recorded."""
        return _Stopped(self)

    def reset(self):
        """Forgets all that was recorded."""
        recording = self._recording
        if recording:
            self._stop()
        self._begun = self._paused = self._used = False
        self._variables.clear()
        self._called.clear()
        self._watched.clear()
        self._spans.clear()
        if recording:
            self._start()

    # ---- gradients

    def _may_give(self):
        if self._used and not self._persistent or not self._begun:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
            )
        if self._recording and not self._persistent:
            self._stop()
        elif self._recording:
            logging.getLogger("sluice").debug("gradients of a persistent tape that still records are recorded")
        self._used = not self._persistent

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=UnconnectedGradients.NONE):
        """Gradients of the sum of the targets with respect to the sources, in the structure of `sources`.

        A source that no target depends on has None, or zeros when asked for. RuntimeError when a tape that is not persistent
        is asked again.
        """
        zeros = wants_zeros(unconnected_gradients)
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or CompositeTensors to be "
                f"differentiated, but received {target!r}."
            )
        ys = [t for leaf in nest.flatten(target) for t in parts_of(leaf)]
        if any(isinstance(y, variables.Variable) for y in ys):
            ys = self._read(ys)
        self._may_give()
        ys = [_as_target(y) for y in ys]
        leaves = nest.flatten(sources)
        xs = [t for x in leaves for t in parts_of(_as_source(x))]
        dys = None
        if output_gradients is not None:
            dys = [
                t for leaf in nest.flatten(output_gradients) for t in (parts_of(leaf) if leaf is not None else [None])
            ]
        made = iter(self._flat_gradient(ys, xs, dys, zeros))
        return nest.pack_sequence_as(sources, [whole_of(x, [next(made) for _ in parts_of(x)]) for x in leaves])

    def _read(self, targets):
        """The targets with variables read, which is recorded also behind the `with`."""
        if self._recording or self._used or not self._begun:
            return [_as_target(y) for y in targets]
        self._start()
        try:
            return [_as_target(y) for y in targets]
        finally:
            self._stop()

    def _flat_gradient(self, ys, xs, dys, zeros):
        is_eager = self._tape is not None and not any(isinstance(y, graph.SymbolicTensor) for y in ys)
        if not is_eager:
            return self._gradient_in_graph(ys, xs, dys, zeros)
        if graph.current() is None:
            return self._gradient_eager(ys, xs, dys, zeros)
        with graph.outside():
            return self._gradient_eager(ys, xs, dys, zeros)

    def _gradient_eager(self, ys, xs, dys, zeros):
        handles = [x.handle if isinstance(x, variables.Variable) else x for x in xs]
        if dys is not None:
            dys = [None if d is None else tensor.convert(d, y._dtype_number) for d, y in zip(dys, ys)]
        pairs = [(y, d) for y, d in zip(ys, dys or [None] * len(ys)) if is_differentiable(y.dtype)]
        known = [i for i, h in enumerate(handles) if isinstance(h, tensor.EagerTensor)]
        made = [None] * len(xs)
        if pairs and known:
            try:
                found = self._tape.gradient(
                    [y for y, _ in pairs], [handles[i] for i in known], [d for _, d in pairs], False
                )
            except errors.NotFoundError as error:
                raise graph_gradients.lookup_error(error) from error.__cause__
            for i, d in zip(known, found):
                made[i] = IndexedSlices(*d) if isinstance(d, tuple) else d
        return [zeros_of(x) if d is None and zeros else d for d, x in zip(made, xs)]

    def _gradient_in_graph(self, ys, xs, dys, zeros):
        g = next((y.graph for y in ys if isinstance(y, graph.SymbolicTensor)), graph.current())
        dys = dys or [None] * len(ys)
        pairs = [(y, d) for y, d in zip(ys, dys) if is_differentiable(y.dtype) and y._dtype_number < 100]
        with g.building():
            inside = [graph_gradients.source_of(g, x) for x in xs]
            ys = [g.enter(y) for y, _ in pairs]
            dys = [_seed(g, y) if d is None else graph.into(g, d, y._dtype_number) for y, (_, d) in zip(ys, pairs)]
            followed, stops = self._follow(g)
            pairs = [(y, d) for y, d in zip(ys, dys) if id(y) in followed]
            known = [i for i, x in enumerate(inside) if id(x) in followed]
            made = [None] * len(xs)
            if pairs and known:
                sources = [inside[i] for i in known]
                stops = [s for s in stops if all(s is not x for x in sources)]
                found = self._found(g, pairs, sources, stops, followed)
                if not stops:
                    found = graph_gradients.with_zeros(g, [y for y, _ in pairs], sources, found)
                for i, d in zip(known, found):
                    made[i] = d
                    if isinstance(d, graph.SymbolicTensor) and d.shape.is_compatible_with(xs[i].shape):
                        d.set_shape(xs[i].shape)
            return [zeros_of(x) if d is None and zeros else d for d, x in zip(made, xs)]

    @staticmethod
    def _found(g, pairs, sources, stops, followed):
        """Gradients with respect to the sources. What replicas have reduced on the way, they reduce again, from the last to the
        first: each needs the others' gradients of it."""
        met = [m for m in variables.replica.reduced if m[1].graph is g and id(m[1]) in followed]
        wanted = [*sources, *(y for _, y, _ in met)]
        made = _added(g, [y for y, _ in pairs], wanted, [d for _, d in pairs], stops)
        while met:
            x, y, reduce = met.pop()
            dy = made.pop()
            wanted.pop()
            dx = reduce(op("ZerosLike")(y) if dy is None else tensor.convert(dy))
            made = [_sum(a, b) for a, b in zip(made, _added(g, [x], wanted, [dx], stops))]
        return made

    def _follow(self, g):
        """Ids of the tensors of the graph that follow from what is watched by what was recorded, and those where it ends."""
        g.take_in()
        captured = getattr(g, "_captures", {})
        starts: list = []  # (from which node on, tensor)
        for t, at in self._watched:
            inside = t if getattr(t, "graph", None) is g else captured.get(id(t), (None, None))[1]
            if inside is not None:
                starts.append((at if g is self._graph else 0, inside))
        starts.sort(key=lambda pair: pair[0], reverse=True)
        followed: dict[int, object] = {}
        ever = {id(t) for _, t in starts}
        stops: list = []
        for at, node in enumerate(g.get_operations()):
            while starts and starts[-1][0] <= at:
                t = starts.pop()[1]
                followed[id(t)] = t
            if not any(id(t) in followed or id(t) in ever for t in node.inputs):
                continue
            outputs = [t for t in node.outputs if id(t) not in followed]
            recorded = g is not self._graph or any(a <= at and (b is None or at < b) for a, b in self._spans)
            if recorded and any(id(t) in followed for t in node.inputs):
                followed.update((id(t), t) for t in outputs)
            else:
                stops.extend(outputs)
        followed.update((id(t), t) for _, t in starts)
        return followed, stops

    # ---- jacobians

    def jacobian(
        self,
        target,
        sources,
        unconnected_gradients=UnconnectedGradients.NONE,
        parallel_iterations=None,
        experimental_use_pfor=True,
    ):
        """The gradient of each element of the target with respect to each source: of the target's and the source's shape."""
        zeros = wants_zeros(unconnected_gradients)
        self._may_give()
        y, leaves = _as_target(target), nest.flatten(sources)
        xs = [t for x in leaves for t in parts_of(x)]
        made = self._jacobian(y, xs, False)
        shapes = [_as_source(x) for x in xs]
        made = iter([_zero_jacobian(y, x) if d is None and zeros else d for d, x in zip(made, shapes)])
        return nest.pack_sequence_as(sources, [whole_of(x, [next(made) for _ in parts_of(x)]) for x in leaves])

    def batch_jacobian(
        self,
        target,
        source,
        unconnected_gradients=UnconnectedGradients.NONE,
        parallel_iterations=None,
        experimental_use_pfor=True,
    ):
        """By row the jacobian of the target's row with respect to the source's row; rows do not depend on each other."""
        zeros = wants_zeros(unconnected_gradients)
        y = _as_target(target)
        rows = source.shape[0] if source.shape.rank else None
        if source.shape.rank is None or y.shape.rank is None or source.shape.rank < 1:
            raise ValueError(f"Target shape {y.shape} and source shape {source.shape} must have rows")
        if y.shape[0] is not None and rows is not None and y.shape[0] != rows:
            raise ValueError(
                "Need first dimension of target shape (%s) and source shape (%s) to match." % (y.shape, source.shape)
            )
        self._may_give()
        (made,) = self._jacobian(y, [source], True)
        if made is None and zeros:
            shape = op("Shape")(source)
            n, rest = op("Shape")(y), shape[1:]
            made = op("Fill")(op("ConcatV2")([n, rest], 0), op("Cast")(0, DstT=source.dtype))
        return made

    def _jacobian(self, y, xs, by_example):
        if self._tape is not None and not isinstance(y, graph.SymbolicTensor):
            with graph.outside():
                xs = [_as_source(x) for x in xs]
                return self._tape.jacobian(
                    y, [x.handle if isinstance(x, variables.Variable) else x for x in xs], by_example
                )
        from ..ops import jacobian_ops

        g = y.graph
        with g.building():
            inside = [graph_gradients.source_of(g, x) for x in xs]
            followed, stops = self._follow(g)
            known = [i for i, x in enumerate(inside) if id(x) in followed]
            found = jacobian_ops.jacobians(g, y, [inside[i] for i in known], [xs[i] for i in known], stops, by_example)
            made = [None] * len(xs)
            for i, d in zip(known, found):
                made[i] = d
            return made


class _Stopped:
    def __init__(self, tape):
        self._tape = tape

    def __enter__(self):
        self._tape._stop()

    def __exit__(self, *exception):
        self._tape._start()


def _sum(a, b):
    if a is None or b is None:
        return b if a is None else a
    return tensor.convert(a) + tensor.convert(b)


def _handle(variable):
    return variable.handle if hasattr(variable, "handle") else variable._ref()


def _as_target(t):
    if isinstance(t, variables.Variable):
        return t.read_value()
    return t if isinstance(t, tensor.Tensor) else tensor.convert(t)


def _as_source(x):
    if isinstance(x, (tensor.Tensor, variables.Variable)) or nest.spec_of(x) is not None:
        return x
    if getattr(x, "_should_act_as_resource_variable", False) and isinstance(x.value, variables.Variable):
        return x.value  # an object that stands for its variable
    raise ValueError(
        f"Passed in object {x} of type {type(x).__name__!r}, not tf.Tensor or tf.Variable or ExtensionType."
    )


def parts_of(x):
    """The tensors of a value that gradients are of: of ragged and sparse tensors their values."""
    if isinstance(x, (tensor.Tensor, variables.Variable)) or nest.spec_of(x) is None:
        return [x]
    if hasattr(x, "flat_values"):
        return [x.flat_values]
    if hasattr(x, "indices") and hasattr(x, "values"):
        return [x.values]
    return nest.flatten(x, expand_composites=True)


def whole_of(x, gradients):
    """The gradient of a value of those of its parts."""
    if isinstance(x, (tensor.Tensor, variables.Variable)):
        return gradients[0]
    if all(d is None for d in gradients):
        return None
    if hasattr(x, "flat_values"):
        return x.with_flat_values(gradients[0])
    if hasattr(x, "indices") and hasattr(x, "values"):
        return type(x)(values=gradients[0], indices=x.indices, dense_shape=x.dense_shape)
    made = [_gradient_of_part(t, d) for t, d in zip(nest.flatten(x, expand_composites=True), gradients)]
    return nest.pack_sequence_as(x, made, expand_composites=True)


def _gradient_of_part(t, gradient):
    """What stands for a part in the gradient of the whole: zeros where it has none, the part itself where it can have none."""
    if gradient is not None:
        return gradient
    return zeros_of(t) if is_differentiable(t.dtype) else t


def _zero_jacobian(y, x):
    shape = op("ConcatV2")([op("Shape")(y), op("Shape")(x.read_value() if isinstance(x, variables.Variable) else x)], 0)
    return op("Fill")(shape, op("Cast")(0, DstT=x.dtype))
