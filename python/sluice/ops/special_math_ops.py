"""lbeta, Sobol sequences, and products over named or numbered axes: einsum, tensordot."""

from __future__ import annotations

import functools
import math
import re
import string

import numpy as np

from ..core import dtypes, graph
from ..core.op_defs import op
from ..core.scopes import in_scope
from . import array_ops, math_ops
from .array_ops import convert_to_tensor


def lbeta(x, name=None):
    """log(|Beta|) along the last axis: the sum of lgamma of the elements, less lgamma of their sum."""
    x = convert_to_tensor(x)
    logs = math_ops.reduce_sum(op("Lgamma")(x), [-1])
    return op("Sub")(logs, op("Lgamma")(math_ops.reduce_sum(x, [-1])), name=name)


def sobol_sample(dim, num_results, skip=0, dtype=dtypes.float32, name=None):
    """Points `skip` and on of the Sobol sequence in the unit cube: [num_results, dim]."""
    return op("SobolSample")(dim, num_results, skip, dtype=dtypes.as_dtype(dtype), name=name)


# ---- einsum


def einsum(equation, *inputs, **kwargs):
    """Sums of products over named axes, as "ij,jk->ik" says: axes that the right side lacks are summed; `...` stands for all
    other axes, which broadcast. Without a right side it has the names that come once, in order."""
    name = kwargs.pop("name", None)
    optimize = kwargs.pop("optimize", "greedy")
    if kwargs:
        raise TypeError(
            f"Invalid keyword arguments for this function: {', '.join(sorted(kwargs))}. Expected: name and optimize."
        )
    if optimize not in ("greedy", "optimal", "branch-2", "branch-all", "auto"):
        raise ValueError(f"einsum: optimize={optimize!r} is none of greedy, optimal, branch-2, branch-all, auto")
    if graph.current() is None:
        return _einsum(equation, inputs)
    with graph.current().name_scope(name or "einsum"):
        return _einsum(equation, inputs)


def _einsum(equation, inputs):
    tensors = [convert_to_tensor(t) for t in inputs]
    terms, result = _terms(equation, len(tensors))
    _check_ranks(equation, terms, tensors)
    terms, result = _with_names(list(terms), result, tensors)
    while len(tensors) > 2:  # the first two, for what the others and the result still need
        rest = "".join(terms[2:]) + result
        shared = terms[0] + terms[1]
        kept = "..." * ("..." in shared) + "".join(c for c in dict.fromkeys(shared) if c != "." and c in rest)
        tensors[:2] = [op("Einsum")(tensors[:2], equation=f"{terms[0]},{terms[1]}->{kept}")]
        terms[:2] = [kept]
    return op("Einsum")(tensors, equation=",".join(terms) + "->" + result)


@functools.lru_cache(maxsize=256)
def _terms(equation, n):
    """(names of the axes of each of n inputs, names of the result's)."""
    text = equation.replace(" ", "")
    form = re.fullmatch(r"((?:[a-zA-Z]|\.\.\.)*(?:,(?:[a-zA-Z]|\.\.\.)*)*)(->((?:[a-zA-Z]|\.\.\.)*))?", text)
    if form is None:
        raise ValueError(f"Indices have incorrect format. Received: {equation}.")
    terms, result = form[1].split(","), form[3]
    if len(terms) != n:
        raise ValueError(f'Got {n} arguments for equation "{equation}", expecting {len(terms)}.')
    if any(t.count("...") > 1 for t in terms + [result or ""]):
        raise ValueError(f"At most one ellipsis by term is allowed, in equation {equation}")
    if result is None:
        names = "".join(terms).replace(".", "")
        result = "..." * any("..." in t for t in terms) + "".join(sorted(c for c in set(names) if names.count(c) == 1))
    unknown = set(result) - set(form[1]) - {"."}
    if unknown:
        raise ValueError(f"Unknown output label(s) {', '.join(sorted(unknown))} in equation {equation}")
    return tuple(terms), result


def _check_ranks(equation, terms, tensors) -> None:
    for term, tensor in zip(terms, tensors):
        n, named = tensor.shape.rank, len(term.replace("...", ""))
        if n is not None and (n != named if "..." not in term else n < named):
            raise ValueError(f'Einsum of {equation}: "{term}" is given a tensor of rank {n}')


def _with_names(terms, result, tensors):
    """The equation with names for `...` where one of several inputs has it: gradients of the others are products of matrices then,
    where `...` would broadcast them first."""
    having = [i for i, t in enumerate(terms) if "..." in t]
    if len(terms) < 2 or len(having) != 1 or "..." not in result or tensors[having[0]].shape.rank is None:
        return terms, result
    term, used = terms[having[0]], "".join(terms) + result
    free = [c for c in string.ascii_letters if c not in used]
    n = tensors[having[0]].shape.rank - len(term) + 3
    if n > len(free):
        return terms, result
    names = "".join(free[:n])
    terms[having[0]] = term.replace("...", names)
    return terms, result.replace("...", names)


# ---- tensordot


@in_scope("Tensordot")
def tensordot(a, b, axes, name=None):
    """Sums of products over pairs of axes. axes: a number n, for the last n of a and the first n of b, or two lists.

    The result has a's other axes, then b's.
    """
    a = convert_to_tensor(a, name="a")
    b = convert_to_tensor(b, a.dtype, name="b")
    of_a, of_b = _axes_of_tensordot(a, b, axes)
    a, rows, known_rows = _as_matrix(a, of_a, last=True)
    b, columns, known_columns = _as_matrix(b, of_b, last=False)
    made = math_ops.matmul(a, b)
    if isinstance(rows, list) and isinstance(columns, list):
        if len(rows) == len(columns) == 1:
            return made
        sizes = (
            convert_to_tensor(rows + columns, "int32", name="shape") if graph.current() is not None else rows + columns
        )
        return array_ops.reshape(made, sizes, name=name)
    whole = [convert_to_tensor(d, "int32") for d in (rows, columns)]
    made = array_ops.reshape(made, array_ops.concat(whole, 0), name=name)
    if known_rows is not None and known_columns is not None:
        made.set_shape(known_rows + known_columns)
    return made


def _axes_of_tensordot(a, b, axes):
    if isinstance(axes, (int, np.integer)):
        n = int(axes)
        if n < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        for t in (a, b):
            if t.shape.rank is not None and n > t.shape.rank:
                raise ValueError(
                    f"`axes` must not be larger than the number of dimensions of tensor {t}.  Received {axes}, vs tensor dimensions {t.shape.rank}."
                )
        if a.shape.rank is None:
            rank = array_ops.rank(a)
            return op("Range")(rank - n, rank, 1), list(range(n))
        return list(range(a.shape.rank - n, a.shape.rank)), list(range(n))
    if isinstance(axes, (list, tuple)) or isinstance(axes, np.ndarray):
        if len(axes) != 2:
            raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
        of_a, of_b = ([int(i) for i in x] if np.ndim(x) else [int(x)] for x in axes)
        if len(of_a) != len(of_b):
            raise ValueError(f"Different number of contraction axes `a` and `b`, {len(of_a)} != {len(of_b)}.")
        return of_a, of_b
    pair = convert_to_tensor(axes, "int32")
    if hasattr(pair, "_tolist"):
        return _axes_of_tensordot(a, b, pair._tolist())
    return pair[0], pair[1]


def _as_matrix(x, axes, last):
    """(x as a matrix with the summed axes in its last axis, or its first; the sizes of the other axes, a list where they are
    known, else a tensor; a list of what is known of them, if their number is)."""
    n = x.shape.rank
    if n is not None and isinstance(axes, list):
        if any(not -n <= i < n for i in axes):
            raise ValueError(f"`axes` {axes} are out of range for a tensor of rank {n}")
        axes = [i % n for i in axes]
        free = [i for i in range(n) if i not in axes]
        perm = free + axes if last else axes + free
        if x.shape.is_fully_defined():
            kept, summed = [x.shape[i] for i in free], math.prod(x.shape[i] for i in axes)
            wide = [math.prod(kept), summed]
            wide = wide if last else wide[::-1]
            x = x if perm == list(range(n)) else array_ops.transpose(x, perm)
            return x if n == 2 and len(axes) == 1 else array_ops.reshape(x, wide), kept, kept
        static = [x.shape[i] for i in free]
        axes, free = (convert_to_tensor(v, "int32", name=w) for v, w in ((axes, "axes"), (free, "free")))
    else:
        static = None
        axes = convert_to_tensor(axes, "int32")
        axes = op("SelectV2")(op("Less")(axes, 0), axes + array_ops.rank(x), axes)
        free = op("ListDiff")(op("Range")(0, array_ops.rank(x), 1), axes)[0]
    sizes = array_ops.shape(x)
    kept, summed = array_ops.gather(sizes, free), array_ops.gather(sizes, axes)
    wide = [math_ops.reduce_prod(kept), math_ops.reduce_prod(summed)]
    perm = array_ops.concat([free, axes] if last else [axes, free], 0)
    wide = array_ops.stack(wide if last else wide[::-1])
    x = array_ops.reshape(array_ops.transpose(x, perm), wide)
    return x, kept if static is None or None in static else static, static
