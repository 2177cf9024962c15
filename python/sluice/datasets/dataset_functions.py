"""Functions given to datasets: traced once, over the flat tensors of elements."""

from __future__ import annotations

from ..core import graph, nest
from ..core.function import Function
from ..core.type_spec import TensorSpec
from . import elements


class ElementFunction:
    """A Python function of elements as a function of the library.

    `specs`: one of each argument. An argument of one spec that is a tuple is spread. `spec`: of the result; `captured`:
    further inputs of the op that calls it.
    """

    def __init__(self, python_function, specs, what, autograph=True):
        self.spec = None
        self._python_function, self._what, self._autograph = python_function, what, autograph
        flat = [TensorSpec(t.shape, t.dtype) for spec in specs for t in elements.flat_specs(spec)]
        counts = [len(elements.flat_specs(spec)) for spec in specs]

        def traced(*tensors):
            at, arguments = 0, []
            for spec, count in zip(specs, counts):
                arguments.append(elements.from_tensors(spec, tensors[at : at + count]))
                at += count
            return self._flat_result(self._call(arguments))

        name = getattr(python_function, "__name__", type(python_function).__name__).strip("<>")
        name = f"Dataset_{what.removeprefix('Dataset.').removesuffix('()')}_{name}"
        self.concrete = Function(traced, name, autograph=False)._trace(tuple(flat), {})
        self.concrete_types = [t.dtype for t in self.concrete.outputs]
        g = graph.current()
        if g is not None:
            self.concrete.add_to_graph(g)

    name = property(lambda self: self.concrete.name)
    captured = property(lambda self: self.concrete.captured_inputs)

    def _call(self, arguments):
        if len(arguments) == 1 and type(arguments[0]) is tuple:
            arguments = arguments[0]
        if not self._autograph:
            return self._python_function(*arguments)
        from ..conversion import calls

        return calls.convert_top(self._python_function)(*arguments)

    def _flat_result(self, result):
        if isinstance(result, list):
            result = tuple(result)
        try:
            result = elements.normalize(result)
            self.spec = elements.spec_of(result)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Unsupported return value from function passed to {self._what}: {result!r}. {error}"
            ) from error
        return elements.to_tensors(self.spec, result)


def with_state(python_function, state_spec, element_spec, what, split, message, joint=" but got "):
    """A function of (state, element), traced anew until the state's shapes are those of what it gives.

    split(result): the new state. Gives the function and the state's spec, relaxed. TypeError when types change; a state of
    another number of parts is left to the op that calls the function.
    """
    old = nest.flatten(state_spec)
    while True:
        f = ElementFunction(python_function, [state_spec, element_spec], what)
        new = nest.flatten(split(f.spec))
        relaxed = [_relaxed(before, after, message, joint) for before, after in zip(old, new)]
        if len(new) != len(old) or relaxed == old:
            return f, state_spec
        old, state_spec = relaxed, nest.pack_sequence_as(state_spec, relaxed)


def _relaxed(before, after, message, joint):
    """The narrowest spec of both."""
    if type(before) is not type(after):
        raise TypeError(
            f"{message}The element classes for the new state must match the initial state. Expected {before.value_type}{joint}"
            f"{after.value_type}."
        )
    joined = before.most_specific_common_supertype([after])
    if joined is None:
        raise TypeError(
            f"{message}The element types for the new state must match the initial state. Expected "
            f"{before._to_legacy_output_types()}{joint}{after._to_legacy_output_types()}."
        )
    return joined
