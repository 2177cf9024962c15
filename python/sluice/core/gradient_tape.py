"""tf.GradientTape, in eager code and in functions."""

from __future__ import annotations

from .. import _native
from . import graph, nest, tensor, variables
from .indexed_slices import IndexedSlices
from .op_defs import op


class UnconnectedGradients:
    NONE, ZERO = "none", "zero"


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
        self._recording = self._paused = False
        self._variables: dict[int, object] = {}
        self._watched: list = []
        self._used = False

    def __enter__(self):
        self._graph = graph.current()
        if self._graph is None:
            self._tape = _native.Tape(self._persistent)
        self._start()
        return self

    def __exit__(self, *exception):
        if self._recording:
            self._stop()

    def _start(self):
        if self._recording:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        self._recording = True
        if self._paused:
            self._paused = False
            if self._tape is not None:
                self._tape.resume()
        if self._watches_variables:
            variables._watchers.append(self)

    def _stop(self):
        self._recording = False
        self._paused = True
        if self._tape is not None:
            self._tape.pause()
        if self._watches_variables:
            variables._watchers.remove(self)

    def variable_read(self, variable):
        """Watches it. What a function reads while it is traced is watched when the function is called."""
        if id(variable) in self._variables or self._graph is None and graph.current() is not None:
            return
        self._variables[id(variable)] = variable
        if self._tape is not None:
            self._tape.watch(variable.handle)

    def watched_variables(self):
        """The variables that were read, in the order in which they were."""
        return tuple(self._variables.values())

    def watch(self, value):
        """Follows a tensor, or a structure of them."""
        for t in nest.flatten(value, expand_composites=True):
            if isinstance(t, variables.Variable):
                self.variable_read(t)
                continue
            if not isinstance(t, tensor.Tensor):
                raise ValueError(
                    f"Passed in object {t} of type {type(t).__name__!r}, not tf.Tensor or tf.Variable or ExtensionType."
                )
            if not (t.dtype.is_floating or t.dtype.is_complex or t._dtype_number in (20, 21)):
                import logging

                logging.getLogger("sluice").warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", t.dtype
                )
                continue
            if self._tape is not None and isinstance(t, tensor.EagerTensor):
                self._tape.watch(t)
            self._watched.append(t)

    def stop_recording(self):
        """Within this `with` nothing is recorded."""
        return _Stopped(self)

    def reset(self):
        """Forgets all that was recorded."""
        self._stop()
        self._paused = False
        self._tape = _native.Tape(self._persistent) if self._graph is None else None
        self._variables.clear()
        self._start()

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=UnconnectedGradients.NONE):
        """Gradients of the sum of the targets with respect to the sources, in the structure of `sources`.

        A source that no target depends on has None, or zeros when asked for. RuntimeError when a tape that is not persistent
        is asked again.
        """
        if self._used and not self._persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
            )
        if self._recording and not self._persistent:
            self._stop()
        ys = [_as_target(t) for t in nest.flatten(target)]
        xs = nest.flatten(sources)
        dys = None if output_gradients is None else nest.flatten(output_gradients)
        zeros = getattr(unconnected_gradients, "value", unconnected_gradients) == UnconnectedGradients.ZERO
        self._used = not self._persistent
        if self._graph is None and graph.current() is None:
            made = self._gradient_eager(ys, xs, dys, zeros)
        else:
            made = _gradient_in_graph(graph.current(), ys, xs, dys, zeros)
        return nest.pack_sequence_as(sources, made)

    def _gradient_eager(self, ys, xs, dys, zeros):
        handles = [x.handle if isinstance(x, variables.Variable) else x for x in xs]
        if dys is not None:
            dys = [None if d is None else tensor.convert(d, y._dtype_number) for d, y in zip(dys, ys)]
        ys = [
            (y, d)
            for y, d in zip(ys, dys or [None] * len(ys))
            if y.dtype.is_floating or y.dtype.is_complex or y._dtype_number > 19
        ]
        if not ys:
            return [_zeros_like(x) if zeros else None for x in xs]
        made = self._tape.gradient([y for y, _ in ys], handles, [d for _, d in ys], zeros)
        return [IndexedSlices(*d) if isinstance(d, tuple) else d for d in made]


class _Stopped:
    def __init__(self, tape):
        self._tape = tape

    def __enter__(self):
        self._tape._stop()

    def __exit__(self, *exception):
        self._tape._start()


def _as_target(t):
    return (
        t.read_value()
        if isinstance(t, variables.Variable)
        else t
        if isinstance(t, tensor.Tensor)
        else tensor.convert(t)
    )


def _zeros_like(x):
    return op("ZerosLike")(x.read_value() if isinstance(x, variables.Variable) else x)


def _gradient_in_graph(g, ys, xs, dys, zeros):
    inside = [g.enter(x.handle) if isinstance(x, variables.Variable) else g.enter(x) for x in xs]
    ys = [g.enter(y) for y in ys]
    seeds = None
    if dys is not None:
        seeds = [
            (graph.into(g, d, y._dtype_number) if d is not None else op("OnesLike")(y))._pair for d, y in zip(dys, ys)
        ]
    pairs = g.native.gradients([y._pair for y in ys], [x._pair for x in inside], seeds, g.unique_name("gradients"))
    return [(_zeros_like(x) if zeros else None) if p is None else g.tensor_of(p) for p, x in zip(pairs, xs)]
