"""Values made of several tensors that count as one: the base of SparseTensor, RaggedTensor, IndexedSlices and extension types."""

from __future__ import annotations

from . import graph, nest, tensor


class CompositeTensor:
    """A value made of tensors. Its `_type_spec` takes it apart and puts it together."""

    __array_priority__ = 100

    @property
    def _type_spec(self):
        raise NotImplementedError(f"{type(self).__name__}._type_spec")

    def _shape_invariant_to_type_spec(self, shape):
        """The spec of what a loop variable may be that starts as this value and keeps within a shape."""
        raise NotImplementedError(f"{type(self).__name__}._shape_invariant_to_type_spec")

    def _consumers(self):
        parts = nest.flatten(self, expand_composites=True)
        return list({id(o): o for t in parts if isinstance(t, graph.SymbolicTensor) for o in t.consumers()}.values())

    def _convert_variables_to_tensors(self):
        return self

    def __tf_tracing_type__(self, context):
        return self._type_spec

    # ---- in sessions

    def _session_parts(self):
        """The tensors that a session fetches for it, and a function of their values that gives what stands for it."""
        return nest.flatten(self, expand_composites=True), self._session_value

    def _session_value(self, values):
        return tuple(values)

    def _session_feed(self, value):
        """What a session feeds for it, of such a value: pairs (tensor, value). The last parts may stay as they are."""
        return list(zip(self._session_parts()[0], value, strict=len(value) > len(self._session_parts()[0])))

    # `t + composite` asks the composite.
    __tf_operator__ = True


def is_eager(value) -> bool:
    """Whether all tensors of a composite have their elements."""
    return all(isinstance(t, tensor.EagerTensor) for t in nest.flatten(value, expand_composites=True))


def map_tensors(change, structure):
    """The structure with each tensor changed, also those within composites. Variables and others stay."""
    return nest.map_structure(
        lambda leaf: change(leaf) if isinstance(leaf, tensor.Tensor) else leaf, structure, expand_composites=True
    )
