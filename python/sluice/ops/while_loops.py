"""tf.while_loop: eagerly a loop of Python; in a graph one While over the functions of its condition and body, or without control
flow v2 nodes of the graph itself (frame_loops.py).

a counter of iterations, their limit (-1: none), loop variables (flat), what both functions capture: inputs and outputs of the op
"""

from __future__ import annotations

from . import flow_bodies
from ..core import errors, graph, nest, scopes, tensor, tensor_shape, type_spec, variables
from ..core.op_defs import op


def while_loop(
    cond,
    body,
    loop_vars,
    shape_invariants=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    maximum_iterations=None,
    name=None,
):
    """Calls body with the loop variables while cond of them is true; gives their last values in the same structure.

    A loop variable keeps its type, and its shape, or what shape_invariants says of that. At most maximum_iterations times.
    """
    return while_loop_v1(
        cond,
        body,
        loop_vars,
        shape_invariants,
        parallel_iterations,
        back_prop,
        swap_memory,
        name,
        maximum_iterations,
        True,
    )


def while_loop_v1(
    cond,
    body,
    loop_vars,
    shape_invariants=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    name=None,
    maximum_iterations=None,
    return_same_structure=False,
):
    """The same; unless return_same_structure, a single loop variable is given by itself."""
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if (
        parallel_iterations is not None
        and not isinstance(parallel_iterations, tensor.Tensor)
        and parallel_iterations < 1
    ):
        raise TypeError("'parallel_iterations' must be a positive integer.")
    shape = tensor_shape.TensorShape(getattr(maximum_iterations, "shape", []))
    if maximum_iterations is not None and shape.rank not in (0, None):
        raise ValueError(f"'maximum_iterations' must be a scalar. Received shape: {maximum_iterations.shape}")
    same = return_same_structure
    if graph.current() is None and not any(isinstance(v, graph.SymbolicTensor) for v in nest.flatten(loop_vars)):
        if not loop_vars:
            raise ValueError("'loop_vars' must be provided.")
        return _run(cond, body, loop_vars, maximum_iterations, same)
    if graph.wants_switches():
        from . import frame_loops

        options = parallel_iterations or 10, back_prop, swap_memory, maximum_iterations
        return frame_loops.while_loop(cond, body, loop_vars, shape_invariants, options, name, same)
    loop = Loop(cond, body, loop_vars, shape_invariants)
    with scopes.name_scope(name or "while") as scope:
        loop.name(scope)
        loop.count(maximum_iterations)
    made = loop.build(parallel_iterations or 10, scope)
    if not back_prop:
        made = nest.map_structure(lambda t: op("StopGradient")(t), made, expand_composites=True)
    return made[0] if not same and len(nest.flatten(made)) == 1 and len(made) == 1 else made


def _run(cond, body, loop_vars, maximum_iterations, same):
    def convert(v):
        return (
            v
            if isinstance(v, (tensor.Tensor, variables.Variable)) or nest.spec_of(v) is not None
            else tensor.convert(v)
        )

    single = len(loop_vars) == 1 and not same
    limit = None if maximum_iterations is None else int(maximum_iterations)
    structure, alone, count = list(loop_vars), False, 0
    try:
        while cond(*loop_vars):
            if limit is not None and count >= limit:
                break
            loop_vars = body(*loop_vars)
            if single and not isinstance(loop_vars, (list, tuple)):
                alone, loop_vars = True, (loop_vars,)
            elif not isinstance(loop_vars, (list, tuple)):
                loop_vars = [loop_vars]
            nest.assert_same_structure(structure, list(loop_vars))
            count += 1
    except errors.OpError as error:
        error.add_note(f"it ran in iteration {count} of tf.while_loop")
        raise
    loop_vars = nest.map_structure(convert, loop_vars)
    return loop_vars[0] if alone else loop_vars


def _shape_of(invariant, value):
    if isinstance(invariant, tensor_shape.TensorShape):
        return invariant
    return invariant.shape if hasattr(invariant, "shape") else tensor_shape.as_shape(invariant)


class Loop:
    """One loop of a graph: its variables, and the two bodies."""

    is_limited, counted = False, ()

    def __init__(self, cond, body, loop_vars, invariants):
        g = graph.current()
        self.cond, self.body = cond, body
        self.structure = nest.map_structure(lambda v: self._variable(g, v), loop_vars)
        self.single = not isinstance(loop_vars, (list, tuple))
        if self.single:
            self.structure = [self.structure]
        self.flat = nest.flatten(self.structure, True)
        self._lay_out(invariants, loop_vars)

    def name(self, scope):
        self.scope, self.label = scope, scope.rstrip("/").replace("/", "_")

    def count(self, maximum_iterations):
        """At most so many iterations: they are counted by a variable before the others, and their limit follows it. None: any number."""
        g, self.is_limited = graph.current(), maximum_iterations is not None
        limit = graph.into(g, maximum_iterations if self.is_limited else -1, name="maximum_iterations")
        if not limit.dtype.is_integer:
            limit = op("Cast")(limit, DstT=3)
        self.counted = [graph.into(g, 0, limit._dtype_number, name="loop_counter"), limit]

    @staticmethod
    def _variable(g, value):
        if nest.spec_of(value) is not None:
            return value
        return graph.into(g, value.read_value() if isinstance(value, variables.Variable) else value)

    def _lay_out(self, invariants, loop_vars):
        """Sets `layout`, the structure with specs for its composites, and the shapes of the flat variables."""
        if (
            invariants is not None
            and not isinstance(loop_vars, (list, tuple))
            and not isinstance(invariants, (list, tuple))
        ):
            invariants = [invariants]
        given = [None] * len(self.structure) if invariants is None else _aligned(self.structure, invariants)
        specs = [spec for v, i in zip(self.structure, given) for spec in _specs_of(v, i)]
        self.layout = nest.pack_sequence_as(self.structure, specs)
        self.shapes = [s.shape for s in nest.flatten(self.layout, True)]
        for t, shape in zip(self.flat, self.shapes):
            if not _is_less_specific(shape, t.shape):
                raise ValueError(
                    f"The shape invariant specified for {t.name} is not compatible with the initial shape of the loop "
                    f"variable. It enters the loop with shape {t.shape}, but the specified shape invariant is {shape}."
                )

    # ---- the bodies

    def _begin(self, word):
        body = flow_bodies.Body(f"{self.label}_{word}", scope=self.scope)
        names = "loop_counter", "maximum_iterations"
        counter = [body.argument(t.dtype, t.shape, n) for t, n in zip(self.counted, names)]
        arguments = [body.argument(t.dtype, shape, "placeholder") for t, shape in zip(self.flat, self.shapes)]
        with body.graph.building():
            return body, counter, self._pack(arguments)

    def _pack(self, flat):
        made = nest.pack_sequence_as(self.layout, flat, True)
        for array, first in zip(nest.flatten(made), nest.flatten(self.structure)):
            if hasattr(array, "take_size"):
                array.take_size(first)
        return made

    def _trace_condition(self):
        body, counter, arguments = self._begin("cond")

        def condition():
            made = self.cond(*arguments)
            made = graph.into(body.graph, made.read_value() if isinstance(made, variables.Variable) else made)
            if made.shape.rank != 0:
                made = op("Squeeze")(made)
            return op("LogicalAnd")(op("Less")(*counter), made) if self.is_limited else made

        body.trace(condition)
        return body

    def _trace_body(self):
        body, counter, arguments = self._begin("body")

        def once():
            made = self.body(*arguments)
            if not isinstance(made, (list, tuple)):
                made = [made]
            if isinstance(self.structure, list) != isinstance(made, list) and not hasattr(made, "_fields"):
                made = type(self.structure)(made) if not hasattr(self.structure, "_fields") else made
            return [op("AddV2")(counter[0], 1), counter[1]], made

        body.trace(once)
        counter, made = body.structure
        # A body may have told an Optional what it holds, so the specs are those that the variables have now.
        specs = nest.map_structure(flow_bodies.spec_or_self, self.structure)
        nest.assert_same_structure(list(specs), list(body.specs[1]), expand_composites=True)
        results = nest.flatten(made, True)
        for t, shape, result in zip(self.flat, self.shapes, results):
            check_variable(t, shape, result)
        body.results = list(counter) + results
        self.made = made
        return body

    def build(self, parallel_iterations, scope):
        condition, body = self._trace_condition(), self._trace_body()
        captures = flow_bodies.share_captures([condition, body])
        n = len(self.counted) + len(self.flat)
        condition_name = condition.finish()
        body_name = body.finish(body.results + body.graph.inputs[n:])
        stateful = condition.is_stateful or body.is_stateful
        inputs = self.counted + self.flat + captures
        shapes = [t.shape for t in self.counted] + self.shapes
        with flow_bodies.awaited([condition, body]):
            made = op("While" if stateful else "StatelessWhile")(
                inputs,
                cond=condition_name,
                body=body_name,
                output_shapes=shapes + [getattr(c, "shape", None) for c in captures],
                parallel_iterations=parallel_iterations,
                name=scope,
            )
        shapes += [getattr(c, "shape", None) for c in captures]
        made = flow_bodies.outputs_with_shapes(made, shapes, scope)[len(self.counted) : n]
        made = self._pack(made)
        self.learn_element_shapes(made, self.made)
        return made

    @staticmethod
    def learn_element_shapes(made, after):
        """TensorArrays have the element shapes that the body has learned."""
        for array, known in zip(nest.flatten(made), nest.flatten(after)):
            if hasattr(array, "learn_element_shape"):
                array.learn_element_shape(known.element_shape)


def _aligned(structure, invariants):
    try:
        nest.assert_same_structure([0] * len(structure), [0] * len(invariants), check_types=False)
    except TypeError:
        invariants = [invariants]
    return invariants


def _specs_of(value, invariant) -> list:
    """By leaf of a loop variable the spec that it keeps: as an invariant says, a shape or spec or a structure of them; None:
    what it has at first."""
    if nest.is_nested(value):
        if isinstance(value, dict):
            return [s for k in sorted(value) for s in _specs_of(value[k], None if invariant is None else invariant[k])]
        inner = [None] * len(value) if invariant is None else invariant
        if len(value) != len(inner):
            raise ValueError("The two structures don't have the same nested structure.")
        return [s for v, i in zip(value, inner) for s in _specs_of(v, i)]
    spec = nest.spec_of(value)
    is_spec = isinstance(invariant, type_spec.TypeSpec)
    if spec is None:
        if is_spec and (not isinstance(invariant, type_spec.TensorSpec) or invariant.dtype != value.dtype):
            raise TypeError(f"The shape invariant {invariant} is not of the type of the loop variable {value}")
        return [type_spec.TensorSpec(value.shape if invariant is None else _shape_of(invariant, value), value.dtype)]
    if not is_spec:
        shape = getattr(value, "shape", None) if invariant is None else tensor_shape.as_shape(invariant)
        invariant = value._shape_invariant_to_type_spec(shape)
    elif type(invariant) is not type(spec):
        raise TypeError(f"The shape invariant {invariant} is not of the type of the loop variable {value}")
    if not invariant.is_compatible_with(spec):
        raise ValueError(f"The shape invariant {invariant} is not compatible with the loop variable {spec}")
    return [invariant]


def _is_less_specific(shape, than) -> bool:
    if shape.rank is None:
        return True
    if than.rank != shape.rank:
        return False
    return all(a is None or a == b for a, b in zip(shape.as_list(), than.as_list()))


def check_variable(t, shape, result):
    name = t.name
    if t.dtype != result.dtype and t.dtype != result.dtype.base_dtype:
        raise TypeError(
            f"Loop var {name} enters the loop with type {t.dtype} but has type {result.dtype} after 1 iteration. "
            f"{name} type should remain constant."
        )
    if not _is_less_specific(shape, result.shape):
        raise ValueError(
            f"Input tensor '{name}' enters the loop with shape {shape}, but has shape {result.shape} after one iteration. "
            "To allow the shape to vary across iterations, use the `shape_invariants` argument of tf.while_loop to specify a "
            "less-specific shape."
        )
