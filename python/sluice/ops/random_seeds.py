"""Seeds of random ops: what an op's attrs `seed` and `seed2` become, of the global seed and its own.

An op that is executed at once has the context's global seed; without a seed of its own it takes the next number of a
sequence that begins with the global one. A graph has a seed of its own (a function's that of where it is traced), and
numbers its ops without one.
"""

from __future__ import annotations

import hashlib
import random
import weakref

from .. import _native
from ..core import func_graph, graph

_DEFAULT = 87654321  # the global seed of an op that has only its own
_LIMIT = 2**31 - 1

_eager_seed: int | None = None
_eager_sequence = random.Random()
_counts: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # graph -> how many of its ops took a number


def set_seed(seed):
    """Sets the global seed, of the context or of the graph that is being built; None takes it away."""
    global _eager_seed, _eager_sequence
    g = graph.current()
    if g is not None:
        g.seed = seed
        return
    _eager_seed, _eager_sequence = seed, random.Random(seed)
    if _native.context_exists():  # else no random op has begun
        _native.context_call("clear_caches", "")  # they begin anew


def global_seed(g=None):
    """The seed of a graph, or of the context; None where there is none."""
    while g is not None:
        own = getattr(g, "seed", None)
        if own is not None:
            return own
        if not isinstance(g, func_graph.FuncGraph):
            return None
        g = g.outer
    return _eager_seed


def next_eager_seed():
    """A seed for an op executed at once that has none; None without a global seed."""
    return None if _eager_seed is None else _eager_sequence.randint(0, _LIMIT)


def get_seed(op_seed):
    """(seed, seed2) of an op, each None when it shall be unpredictable."""
    g = graph.current()
    of_graph = global_seed(g)
    if of_graph is None and op_seed is None:
        return None, None
    if of_graph is None:
        of_graph = _DEFAULT
    elif op_seed is None:
        if g is None:
            op_seed = next_eager_seed()
        else:
            op_seed = _counts.get(g, 0)
            _counts[g] = op_seed + 1
    seeds = int(of_graph) % _LIMIT, int(op_seed) % _LIMIT
    return (0, _LIMIT) if seeds == (0, 0) else seeds


def attrs(op_seed) -> dict:
    """The attrs of a random op."""
    seed, seed2 = get_seed(op_seed)
    return {"seed": seed or 0, "seed2": seed2 or 0}


def derived_seed(seed, word: str):
    """Another seed, which follows from a seed and a word; None of None."""
    if seed is None:
        return None
    return int(hashlib.md5((str(seed) + word).encode("utf-8")).hexdigest()[:8], 16) & _LIMIT
