"""The variables that a branch or loop changes, as its parts have them in their closures."""

from __future__ import annotations

from .undefined import Undefined


def of(parts, names, get_rest, set_rest):
    """get_state and set_state: all values in the order of the names, of which the last are what get_rest gives."""
    found = {}
    for part in parts:
        if part is not None and part.__closure__:
            found.update(zip(part.__code__.co_freevars, part.__closure__))
    if get_rest is None:
        cells = [found[n] for n in names]
        return (lambda: _values(cells, names)), (lambda values: _set(cells, values))
    n = len(names) - len(get_rest())
    cells = [found[name] for name in names[:n]]

    def put(values):
        _set(cells, values)
        set_rest(tuple(values[n:]))

    return (lambda: (*_values(cells, names), *get_rest())), put


def _values(cells, names):
    return tuple(_value(cell, name) for cell, name in zip(cells, names))


def _value(cell, name):
    try:
        return cell.cell_contents
    except ValueError:  # a variable of a function around this one, which has none yet
        return Undefined(name)


def _set(cells, values):
    for cell, value in zip(cells, values):
        cell.cell_contents = value
