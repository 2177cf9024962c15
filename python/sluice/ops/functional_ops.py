"""Functions over the rows of tensors: map_fn, scan, foldl, foldr, vectorized_map. Each is a while_loop over TensorArrays."""

from __future__ import annotations

import builtins
import functools

from . import array_ops, tensor_array_ops, while_loops
from ..core import dtypes, func_graph, graph, nest, scopes, tensor, tensor_shape, type_spec
from ..core.op_defs import op

TensorArray = tensor_array_ops.TensorArray


def _tensors(elems):
    return [array_ops.convert_to_tensor(e) for e in nest.flatten(elems)]


def _length(flat, words="elems"):
    """The number of rows, as a number when it is known."""
    for e in flat:
        if e.shape.rank == 0:
            raise ValueError(f"{words} must be a 1+ dimensional Tensor, not a scalar")
    known = [e.shape[0] for e in flat if e.shape.rank is not None and e.shape[0] is not None]
    if any(n != known[0] for n in known):
        raise ValueError(f"{words} must have the same number of rows, got {known}")
    return known[0] if known else array_ops.shape(flat[0])[0]


def _arrays(flat, n, told=False):
    """Arrays of the rows; n: how many of all or by tensor; told: of what shape before they are there."""
    made = []
    for e, n in zip(flat, n if isinstance(n, list) else [n] * len(flat)):  # noqa: PLR1704
        shape = e.shape[1:] if told and e.shape.rank is not None else None
        clears = None if graph.wants_switches() else False
        made.append(
            TensorArray(e.dtype, n, dynamic_size=False, infer_shape=True, element_shape=shape, clear_after_read=clears)
        )
    return [array.unstack(e) for array, e in zip(made, flat)]


def _loop(n, once, first, options):
    """while i < n over (i, *first)."""
    swap, parallel, back = options
    return while_loops.while_loop_v1(
        lambda i, *_: i < n,
        once,
        first,
        parallel_iterations=parallel,
        back_prop=back,
        swap_memory=swap,
        maximum_iterations=n,
        return_same_structure=True,
    )


def _first(number):
    """The number with which a loop begins, in graphs a constant beside the loop."""
    g = graph.current()
    return number if g is None else graph.into(g, number)


def _parallel(parallel_iterations):
    return parallel_iterations or (10 if graph.current() is not None else 1)


# ---- map


def map_fn(
    fn,
    elems,
    dtype=None,
    parallel_iterations=None,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    name=None,
    fn_output_signature=None,
):
    """fn of each row of elems, stacked: of a structure of tensors, fn of the structure of their rows.

    fn_output_signature: the types, or TensorSpecs, of what fn gives, when that differs from elems; RaggedTensorSpecs make
    ragged results.
    """
    if not callable(fn):
        raise TypeError(f"The provided function {getattr(fn, '__name__', fn)} is not callable. fn must be callable.")
    if dtype is not None and fn_output_signature is not None:
        raise TypeError("'dtype' and 'fn_output_signature' may not both be set")
    signature = fn_output_signature if fn_output_signature is not None else dtype
    if not nest.flatten(elems):
        raise ValueError(
            "elems must be a Tensor or (possibly nested) sequence of Tensors. Got {}, which does not contain any Tensors.".format(
                elems
            )
        )
    elems = nest.map_structure(lambda e: e if nest.spec_of(e) is not None else array_ops.convert_to_tensor(e), elems)
    with scopes.name_scope(name or "map"):
        rows = _rows.of(elems)
        n = next((r.length for r in rows if not isinstance(r.length, tensor.Tensor)), rows[0].length)
        if signature is None:
            kinds = [_kind_of(e) for e in nest.flatten(elems)]
            out_structure = elems
        else:
            kinds = [_kind(s) for s in nest.flatten(signature)]
            out_structure = signature
        first = _first(0)
        arrays = [k.arrays(n, infer_shape) for k in kinds]

        def once(i, arrays):
            made = fn(nest.pack_sequence_as(elems, [r.row(i) for r in rows]))
            nest.assert_same_structure(out_structure, made, check_types=False)
            flat = [k.tensors(v) for k, v in zip(kinds, nest.flatten(made))]
            return i + 1, [[a.write(i, v) for a, v in zip(*pair)] for pair in zip(arrays, flat)]

        _, arrays = _loop(n, once, (first, arrays), (swap_memory, _parallel(parallel_iterations), back_prop))
        results = [k.result(a, n) for k, a in zip(kinds, arrays)]
        return nest.pack_sequence_as(out_structure, results)


def map_fn_v1(
    fn,
    elems,
    dtype=None,
    parallel_iterations=None,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    name=None,
    fn_output_signature=None,
):
    return map_fn(fn, elems, dtype, parallel_iterations, back_prop, swap_memory, infer_shape, name, fn_output_signature)


class _rows:
    """One of the elems: how many rows, and each row."""

    def __init__(self, value):
        self.spec = nest.spec_of(value)
        self.parts = [value] if self.spec is None else self.spec._to_batched_tensor_list(value)
        self.length = _length(self.parts)

    @classmethod
    def of(cls, elems):
        """Those of a structure of elems."""
        made = [cls(e) for e in nest.flatten(elems)]
        pairs = [(part, r.length) for r in made for part in r.parts]
        arrays = iter(_arrays([part for part, _ in pairs], [n for _, n in pairs]))
        for r in made:
            r.arrays = [next(arrays) for _ in r.parts]
        return made

    def row(self, i):
        parts = [a.read(i) for a in self.arrays]
        return parts[0] if self.spec is None else self.spec._unbatch()._from_compatible_tensor_list(parts)


class _kind:
    """One of the results: of a type, or as a spec says."""

    def __init__(self, wanted):
        is_spec = isinstance(wanted, type_spec.TypeSpec)
        self.spec = wanted if is_spec and not isinstance(wanted, type_spec.TensorSpec) else None
        if is_spec:
            self.parts = [(s.dtype, s.shape) for s in wanted._flat_tensor_specs]
        else:
            self.parts = [(dtypes.as_dtype(wanted), tensor_shape.TensorShape(None))]

    def arrays(self, n, infer_shape):
        return [
            TensorArray(dtype, n, dynamic_size=False, infer_shape=infer_shape, element_shape=shape)
            for dtype, shape in self.parts
        ]

    def tensors(self, value):
        return [value] if self.spec is None else self.spec._to_tensor_list(value)

    def result(self, arrays, n):
        stacked = [_known_rows(a, n) for a in arrays]
        return stacked[0] if self.spec is None else self.spec._batch(None)._from_compatible_tensor_list(stacked)


def _known_rows(array, n):
    made = array.stack()
    if isinstance(made, graph.SymbolicTensor):
        rows = tensor_shape.TensorShape([None if isinstance(n, tensor.Tensor) else n])
        made.set_shape(rows.concatenate(array.element_shape))
    return made


def _kind_of(elem):
    return _kind(elem.dtype if nest.spec_of(elem) is None else nest.spec_of(elem)._unbatch())


def vectorized_map(fn, elems, fallback_to_while_loop=True, warn=True):
    """fn of each row of elems, stacked: map_fn's results, of functions that give tensors of any type and structure.

    Elems, which may be ragged or sparse, have the same number of rows, or one row, which is used for all.
    """
    elems = nest.map_structure(lambda e: e if nest.spec_of(e) is not None else array_ops.convert_to_tensor(e), elems)
    rows = _rows.of(elems)
    lengths = [r.length for r in rows]
    known = [n for n in lengths if not isinstance(n, tensor.Tensor)]
    n = builtins.max(known, default=0)
    for x in known:
        if x not in (1, n):
            raise ValueError(f"elems have to have the same number of rows or 1, got {lengths}")
    if len(known) < len(lengths):
        n = functools.reduce(op("Maximum"), lengths)

    def once(i):
        return fn(nest.pack_sequence_as(elems, [r.row(_row_of(i, r.length, n)) for r in rows]))

    with scopes.name_scope("vectorized_map"):
        return for_each(once, n)


def _row_of(i, length, n):
    """Row i, or the only one."""
    if isinstance(length, tensor.Tensor):
        return op("Minimum")(i, length - 1)
    return 0 if length == 1 and not (isinstance(n, int) and n == 1) else i


def for_each(once, n, parallel_iterations=None):
    """What once(i) gives for i = 0 to n - 1, stacked by leaf. Its structure and types are found in a trial trace."""
    if graph.current() is None and not isinstance(n, graph.SymbolicTensor):
        made = [nest.map_structure(_row, once(tensor.convert(i, 3))) for i in builtins.range(int(n))]
        if made:
            return nest.map_structure(lambda *values: _stack(values), *made)
    trial = func_graph.FuncGraph("trial", graph.current())
    with trial.building():
        structure = nest.map_structure(
            lambda v: None if v is None or isinstance(v, graph.Operation) else graph.into(trial, v),
            once(graph.into(trial, 0, 3)),
        )
    leaves = [v for v in nest.flatten(structure) if v is not None]
    arrays = [TensorArray(v.dtype, n, element_shape=v.shape if v.shape.is_fully_defined() else None) for v in leaves]

    def write(i, arrays):
        made = [v for v in nest.flatten(once(i)) if v is not None and not isinstance(v, graph.Operation)]
        return i + 1, [a.write(i, v) for a, v in zip(arrays, made)]

    _, arrays = _loop(n, write, (0, arrays), (False, _parallel(parallel_iterations), True))
    stacked = [a.stack() for a in arrays]
    for made in stacked:
        if isinstance(made, graph.SymbolicTensor) and made.shape.rank is not None and isinstance(n, int):
            made.set_shape([n, *made.shape[1:]])
    stacked = iter(stacked)
    return nest.map_structure(lambda v: None if v is None else next(stacked), structure)


def _row(value):
    return None if value is None else array_ops.convert_to_tensor(value)


def _stack(values):
    return None if values[0] is None else array_ops.stack(list(values))


# ---- folds


def _fold(fn, elems, initializer, options, name, back):
    """foldl, or backwards foldr."""
    if not callable(fn):
        raise TypeError(f"{getattr(fn, '__name__', fn)} is not callable. Please provide a callable function.")
    with scopes.name_scope(name):
        flat = _tensors(elems)
        n = _length(flat)
        arrays = _arrays(flat, n)

        def row(i):
            return nest.pack_sequence_as(elems, [a.read(i) for a in arrays])

        start = 0
        if initializer is None:
            if not isinstance(n, tensor.Tensor) and n < 1:
                raise ValueError("elems has no rows: an initializer is needed")
            start, value = 1, row(n - 1 if back else 0)
        else:
            value = nest.map_structure(array_ops.convert_to_tensor, initializer)

        def once(i, value):
            made = fn(value, row(n - 1 - i if back else i))
            return i + 1, made

        return _loop(n, once, (_first(start), value), options)[1]


def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """fn(fn(fn(initializer, row 0), row 1), ...); without an initializer it begins with row 0."""
    return _fold(fn, elems, initializer, (swap_memory, parallel_iterations, back_prop), name or "foldl", False)


def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """The same from the last row to the first."""
    return _fold(fn, elems, initializer, (swap_memory, parallel_iterations, back_prop), name or "foldr", True)


def scan(
    fn,
    elems,
    initializer=None,
    parallel_iterations=10,
    back_prop=True,
    swap_memory=False,
    infer_shape=True,
    reverse=False,
    name=None,
):
    """All that foldl has on its way: row i is fn(row i - 1, row i of elems). reverse: from the last row to the first."""
    if not callable(fn):
        raise TypeError(f"{getattr(fn, '__name__', fn)} is not callable. Please provide a callable function.")
    with scopes.name_scope(name or "scan"):
        flat = _tensors(elems)
        n = _length(flat)
        arrays = _arrays(flat, n, told=True)

        def row(i):
            return nest.pack_sequence_as(elems, [a.read(i) for a in arrays])

        if initializer is None:
            structure, values, start = elems, nest.flatten(row(n - 1 if reverse else 0)), 1
        else:
            structure, start = initializer, 0
            values = [array_ops.convert_to_tensor(v) for v in nest.flatten(initializer)]
        results = [
            TensorArray(
                v.dtype, n, dynamic_size=False, element_shape=v.shape if infer_shape else None, infer_shape=infer_shape
            )
            for v in values
        ]
        if start:
            results = [a.write(n - 1 if reverse else 0, v) for a, v in zip(results, values)]

        def once(i, values, results):
            at = n - 1 - i if reverse else i
            made = fn(nest.pack_sequence_as(structure, values), row(at))
            nest.assert_same_structure(structure if initializer is not None else elems, made)
            made = [array_ops.convert_to_tensor(v) for v in nest.flatten(made)]
            return i + 1, made, [a.write(at, v) for a, v in zip(results, made)]

        first = start if graph.wants_switches() else _first(start)
        _, _, results = _loop(n, once, (first, values, results), (swap_memory, parallel_iterations, back_prop))
        made = [a.stack() for a in results]
        for t in made:
            if isinstance(t, graph.SymbolicTensor) and t.shape.rank is not None and not isinstance(n, tensor.Tensor):
                t.set_shape(tensor_shape.TensorShape([n]).concatenate(t.shape[1:]))
        return nest.pack_sequence_as(structure, made)
