"""tf.gradients, tf.hessians and forward mode."""

from __future__ import annotations

import warnings

from . import jacobian_ops
from ..core import errors, gradient_tape, graph, graph_gradients, nest, tensor, variables
from ..core.graph_gradients import UnconnectedGradients
from ..core.indexed_slices import IndexedSlices
from ..core.op_defs import op
from .. import _native


class AggregationMethod:
    """How gradients that meet are added up: all at once, or in pairs, which takes less memory."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def gradients(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
):
    """Nodes for the gradients of the sum of the ys with respect to each of xs: a list of tensors, IndexedSlices and Nones.

    grad_ys: what each y is multiplied by. stop_gradients: tensors that are taken for constants. Only in graphs.
    """
    return gradients_v1(
        ys, xs, grad_ys, name, True, gate_gradients, aggregation_method, stop_gradients, unconnected_gradients
    )


def gradients_v1(
    ys,
    xs,
    grad_ys=None,
    name="gradients",
    colocate_gradients_with_ops=False,
    gate_gradients=False,
    aggregation_method=None,
    stop_gradients=None,
    unconnected_gradients=UnconnectedGradients.NONE,
):
    """The same. gate_gradients: all are there before any is used."""
    g = graph.current()
    if g is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    zeros = graph_gradients.wants_zeros(unconnected_gradients)
    if aggregation_method not in (None, 0, 1, 2):
        raise ValueError(f"Invalid `aggregation_method` specified {aggregation_method}.")
    ys, xs = _listed(ys), _listed(xs)
    around = _graph_around(g, [*ys, *xs])
    if around is not None:
        with around.building():
            return gradients_v1(
                ys,
                xs,
                grad_ys,
                name,
                colocate_gradients_with_ops,
                gate_gradients,
                aggregation_method,
                stop_gradients,
                unconnected_gradients,
            )
    stops = [] if stop_gradients is None else _listed(stop_gradients)
    if grad_ys is None:
        grad_ys = [None] * len(ys)
    elif not isinstance(grad_ys, (list, tuple)) or len(grad_ys) != len(ys):  # else an item may be a list of numbers
        grad_ys = _listed(grad_ys)
    if len(grad_ys) != len(ys):
        raise ValueError(f"Length mismatch. Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    grad_ys = [part for y, d in zip(ys, grad_ys) for part in (_parts(d) if d is not None else [None] * len(_parts(y)))]
    ys = [part for y in ys for part in _parts(y)]
    leaves, xs = xs, [part for x in xs for part in _parts(x)]
    outer = [i for i, x in enumerate(xs) if isinstance(x, graph.SymbolicTensor) and x.graph is not g]
    inside = [None if i in outer else _source(g, x) for i, x in enumerate(xs)]
    targets = [_target(g, y) for y in ys]
    with g.name_scope(name or "gradients") as scope:
        dys = [_seed(g, y, d, f"grad_ys_{i}") for i, (y, d) in enumerate(zip(targets, grad_ys))]
    pairs = [(y, d) for y, d in zip(targets, dys) if graph_gradients.is_differentiable(y.dtype)]
    for y in targets:
        if not graph_gradients.is_differentiable(y.dtype):
            warnings.warn(
                f"The dtype of the target tensor must be floating (e.g. tf.float32), got {y.dtype}", stacklevel=2
            )
    if not pairs:
        made = [None] * len(xs)
    else:
        ends, seeds = [y for y, _ in pairs], [d for _, d in pairs]
        stops = [_source(g, s) for s in stops]
        known = [x for x in inside if x is not None]
        here = graph_gradients.add(
            g,
            ends,
            known,
            seeds,
            stops,
            scope,
            colocate_gradients_with_ops,
            aggregation_method in (1, 2),
            graph_gradients.Names.BY_NODE,
        )
        here = iter(here if stops else graph_gradients.with_zeros(g, ends, known, here))
        around = iter(graph_gradients.through_captures(g, ends, [xs[i] for i in outer], seeds, stops))
        made = [next(around) if x is None else next(here) for x in inside]
    for d, x in zip(made, xs):
        if isinstance(d, graph.SymbolicTensor):
            d.set_shape(x.shape)
    if zeros:
        made = [graph_gradients.zeros_of(x) if d is None else d for d, x in zip(made, xs)]
    if gate_gradients:
        with g.name_scope(scope):
            made = _gated(g, made)
    rest = iter(made)
    return [_whole(x, [next(rest) for _ in _parts(x)]) for x in leaves]


def _parts(x):
    """The tensors of a composite value; IndexedSlices stay."""
    return [x] if isinstance(x, IndexedSlices) else gradient_tape.parts_of(x)


def _whole(x, found):
    return found[0] if isinstance(x, IndexedSlices) else gradient_tape.whole_of(x, found)


def _graph_around(g, values):
    """The one graph around this one that all these tensors are of; None when they are not."""
    graphs = {id(v.graph): v.graph for v in values if isinstance(v, graph.SymbolicTensor)}
    if len(graphs) != 1 or not all(isinstance(v, graph.SymbolicTensor) for v in values):
        return None
    (found,) = graphs.values()
    return None if found is g else found


def _listed(values):
    if isinstance(values, (list, tuple)):
        return [leaf for v in values for leaf in nest.flatten(v)]
    return nest.flatten(values)


def _source(g, x):
    if isinstance(x, variables.Variable):
        return graph_gradients.source_of(g, x)
    if isinstance(x, IndexedSlices):
        x = x.values
    return graph.into(g, x)


def _target(g, y):
    if isinstance(y, IndexedSlices):
        return graph.into(g, y.values)
    return graph.into(g, y.read_value() if isinstance(y, variables.Variable) else y)


def _seed(g, y, d, name):
    if d is None:
        if y.dtype.is_complex:
            raise TypeError(f"Gradients of complex tensors {y} must set grad_ys (y.dtype = {y.dtype.name})")
        if not y.dtype.is_floating:
            return None
        # Ones of a shape that is known need no y: what it is made of need not be fed.
        known = y.shape.is_fully_defined()
        shape = graph.into(g, y.shape.as_list(), 3, name="Shape") if known else op("Shape")(y, name="Shape")
        with g.name_scope(name) as scope:
            return op("Fill")(shape, graph.into(g, 1, y._dtype_number), name=scope)
    made = graph.into(g, d) if hasattr(d, "dtype") else graph.into(g, d, y._dtype_number, name=name)
    if (y.dtype.is_floating or y.dtype.is_integer) and not (made.dtype.is_floating or made.dtype.is_integer):
        raise TypeError(
            f"Gradient type {made.dtype} generated for real or integer-valued tensor {y} with type {y.dtype} must be real "
            "or integer"
        )
    if y.dtype.is_complex and not made.dtype.is_complex:
        raise TypeError(
            f"Gradient type {made.dtype} generated for complex-valued tensor {y} with type {y.dtype} must be complex"
        )
    return made


def _gated(g, made):
    from . import control_flow_ops

    there = [d for d in made if d is not None]
    if not there:
        return made
    gated = iter(control_flow_ops.tuple_(there))
    return [None if d is None else next(gated) for d in made]


def hessians(ys, xs, gate_gradients=False, aggregation_method=None, name="hessians"):
    """For each x the second derivatives of the sum of the ys, of x's shape twice. Only in graphs."""
    return hessians_v1(ys, xs, name, True, gate_gradients, aggregation_method)


def hessians_v1(
    ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None
):
    g = graph.current()
    if g is None:
        raise RuntimeError("tf.hessians is not supported when eager execution is enabled. Use tf.GradientTape instead.")
    ys, xs = [_target(g, y) for y in _listed(ys)], _listed(xs)
    y = ys[0] if len(ys) == 1 else op("AddN")([op("Sum")(t, op("Range")(0, op("Rank")(t), 1)) for t in ys])
    with g.name_scope(name or "hessians"):
        return [jacobian_ops.hessian(g, y, _source(g, x)) for x in xs]


class ForwardAccumulator:
    """Forward mode: how what is computed within its `with` changes when the primals change by the tangents.

        with tf.autodiff.ForwardAccumulator(x, tangent) as acc:
            y = f(x)
        acc.jvp(y)

    It is computed by two gradients, so ops on the way need second ones.
    """

    def __init__(self, primals, tangents):
        nest.assert_same_structure(primals, tangents)
        self._primals, self._tangents = nest.flatten(primals), nest.flatten(tangents)
        for x in self._primals:
            if (
                x is not None
                and not isinstance(x, variables.Variable)
                and not graph_gradients.is_differentiable(x.dtype)
            ):
                raise ValueError(f"The dtype of the watched primal must be floating (e.g. tf.float32), got {x.dtype}")
        self._tape = self._graph = None
        self._recording = False

    def __enter__(self):
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        self._graph = graph.current()
        self._recording = True
        if self._graph is None:
            if self._tape is None:
                self._tape = _native.Tape(True)
                for x in self._primals:
                    self._tape.watch(_handle(x))
            else:
                self._tape.resume()
        return self

    def __exit__(self, *exception):
        self._recording = False
        if self._tape is not None:
            self._tape.pause()

    def _watch(self, primals, tangents):
        self._primals.append(primals)
        self._tangents.append(tangents)
        self._tape.watch(_handle(primals))

    def jvp(self, primals, unconnected_gradients=UnconnectedGradients.NONE):
        """How the values change, in their structure; None, or zeros when asked for, for what does not."""
        zeros = graph_gradients.wants_zeros(unconnected_gradients)
        if self._tape is None and self._graph is None:
            raise ValueError("Called jvp() without first tracing anything.")
        flat = nest.flatten(primals)
        ys = [y.read_value() if isinstance(y, variables.Variable) else y for y in flat]
        tangents = [tensor.convert(t, x.dtype.as_datatype_enum) for x, t in zip(self._primals, self._tangents)]
        made = self._jvp_eager(ys, tangents) if self._tape is not None else self._jvp_in_graph(ys, tangents)
        for i, x in enumerate(self._primals):
            made = [tangents[i] if y is x else d for y, d in zip(flat, made)]
        if zeros:
            made = [op("ZerosLike")(y) if d is None else d for d, y in zip(made, ys)]
        return nest.pack_sequence_as(primals, made)

    def _jvp_eager(self, ys, tangents):
        if not ys:
            return []
        try:
            return self._tape.jvp(ys, [_handle(x) for x in self._primals], tangents)
        except errors.NotFoundError as error:
            raise graph_gradients.lookup_error(error) from error.__cause__

    def _jvp_in_graph(self, ys, tangents):
        g = graph.current()
        xs = [_source(g, x) for x in self._primals]
        made = []
        for y in ys:
            y = g.enter(y)
            seed = op("ZerosLike")(y)
            back = graph_gradients.add(g, [y], xs, [seed])
            pairs = [
                (graph_gradients.tensor_of(g, d), graph.into(g, t)) for d, t in zip(back, tangents) if d is not None
            ]
            (d,) = graph_gradients.add(g, [p for p, _ in pairs], [seed], [t for _, t in pairs]) if pairs else (None,)
            made.append(None if d is None else graph_gradients.tensor_of(g, d))
        return made

    @classmethod
    def _batch_accumulator(cls, primals, tangents):
        raise NotImplementedError("batches of tangents")


def _handle(x):
    return x.handle if isinstance(x, variables.Variable) else x
