"""tf.nondifferentiable_batch_function: calls of one function from several threads, made as one."""

from __future__ import annotations

import functools

from ..core import function, graph, nest, scopes, tensor
from ..core.op_defs import op
from ..core.type_spec import TensorSpec


def nondifferentiable_batch_function(
    num_batch_threads,
    max_batch_size,
    batch_timeout_micros,
    allowed_batch_sizes=None,
    max_enqueued_batches=10,
    autograph=True,
    enable_large_batch_splitting=True,
):
    """A decorator: calls that come within a time are joined along their first axis, and the function runs once for all.

    A batch has at most max_batch_size rows, and is padded to the next of allowed_batch_sizes. The function takes and gives tensors;
    there is no gradient. ValueError when an argument is no tensor.
    """

    def decorate(f):
        @functools.wraps(f)
        def batched(*args):
            for a in args:
                if not isinstance(a, tensor.Tensor):
                    raise ValueError(
                        "All arguments to functions decorated with `batch_function`  are supposed to be Tensors; found "
                        f"{a!r} in arguments."
                    )
            specs = [TensorSpec(a.shape, a.dtype, f"batch_{i}") for i, a in enumerate(args)]
            computation = function.Function(f, autograph=autograph).get_concrete_function(*specs)
            if (g := graph.current()) is not None:
                computation.add_to_graph(g)
            with scopes.name_scope("batch") as name:
                flat = op("BatchFunction")(
                    list(args),
                    computation.captured_inputs,
                    Tout=[t.dtype for t in computation.outputs],
                    f=computation.name,
                    num_batch_threads=num_batch_threads,
                    max_batch_size=max_batch_size,
                    batch_timeout_micros=batch_timeout_micros,
                    allowed_batch_sizes=allowed_batch_sizes or [],
                    max_enqueued_batches=max_enqueued_batches,
                    enable_large_batch_splitting=enable_large_batch_splitting,
                    shared_name=name or "",
                )
            return nest.pack_sequence_as(computation.structured_outputs, flat)

        return batched

    return decorate
