"""Variables that have no value yet."""

from __future__ import annotations


class Undefined:
    """Stands for the value of a variable that is not set. What is done with it says so."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def _fail(self, *unused, **unused_too):
        raise UnboundLocalError(f"{self.name!r} is used before assignment")

    def __repr__(self):
        return f"Undefined({self.name!r})"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self._fail()

    __call__ = __getitem__ = __setitem__ = __iter__ = __len__ = __bool__ = __add__ = __radd__ = __sub__ = __mul__ = (
        _fail
    )


def read(value):
    """The value of a variable; UnboundLocalError when it has none."""
    if type(value) is Undefined:
        value._fail()
    return value


def peek(function, name):
    """The value of an expression, or Undefined when it has none."""
    try:
        return function()
    except (AttributeError, KeyError, IndexError, NameError, TypeError):
        return Undefined(name)


def is_set(value) -> bool:
    return type(value) is not Undefined


def returned(flag, value):
    """A function's result. `flag`: whether a return statement ran."""
    if flag is True:
        return value
    if flag is False:
        return None
    if type(value) is Undefined:
        return None
    raise ValueError(
        "a return statement ran only where a tensor's value says so, and there is none for the other case: add a return statement "
        "at the function's end"
    )
