"""Lists with numpy's values in them: which type a tensor of them has; and what a graph says of values that are no constants.

Eagerly the first element decides, as if numpy's whole numbers were Python's: float16, float32 and float64 stay, int8 to uint64 become
int32, or int64 when one is too large. In a graph it is numpy's type of the whole, but for int64 and float64, which become int32 and
float32.
"""

from __future__ import annotations

import numbers

import numpy

from . import dtypes, tensor_shape

_KINDS = "biufc"
_ALLOWED = {  # by kind of type, the kinds of elements that eager code takes
    "i": "iu",
    "u": "iu",
    "f": "iuf",
    "c": "iufc",
    "b": "b",
}
_FITS_32 = -(2**31), 2**31 - 1


def _kind(leaf) -> str:
    """Of an element or array, the kind as numpy has it; "" for what is no number."""
    if isinstance(leaf, (numpy.ndarray, numpy.generic)):
        return leaf.dtype.kind if leaf.dtype.kind in _KINDS else ""
    if isinstance(leaf, bool):
        return "b"
    return (
        "i" if isinstance(leaf, int) else "f" if isinstance(leaf, float) else "c" if isinstance(leaf, complex) else ""
    )


def _flat(value):
    for v in value:
        if isinstance(v, (list, tuple)):
            yield from _flat(v)
        else:
            yield v


def without_dimensions(value):
    """A list with numbers in place of Dimensions; itself when it has none."""
    if isinstance(value, tensor_shape.Dimension):
        return value.value
    if isinstance(value, (list, tuple)):
        made = [without_dimensions(v) for v in value]
        return made if any(a is not b for a, b in zip(made, value)) else value
    return value


def _smaller(array):
    """An array of whole numbers as int32 where they fit, else as int64."""
    fits = not array.size or (int(array.min()) >= _FITS_32[0] and int(array.max()) <= _FITS_32[1])
    return array.astype(numpy.int32 if fits else numpy.int64)


def from_list(value, dtype: int, preferred: int, for_graph: bool):
    """(array, number of its type or 0) of a list with numpy's numbers; None for others. ValueError, TypeError as eager code has them."""
    leaves = list(_flat(value))
    kinds = [_kind(v) for v in leaves]
    if not leaves or "" in kinds:
        return None
    if for_graph and dtype and (bad := _misfit(leaves, dtypes.by_number[dtype])) is not None:
        raise _expected(dtypes.by_number[dtype], bad)
    try:
        array = numpy.array(value)
    except ValueError as error:
        raise ValueError(
            str(error) if for_graph else "Can't convert non-rectangular Python sequence to Tensor."
        ) from None
    if for_graph:
        return _for_graph(array, dtype, preferred)
    if dtype:
        return array, _checked(value, set(kinds), dtype)
    if preferred and set(kinds) <= set(_ALLOWED.get(_numpy_kind(dtypes.by_number[preferred]), "")):
        return array, preferred
    return _by_first(array, leaves[0], kinds), 0


def _for_graph(array, dtype, preferred):
    if dtype or preferred and array.dtype.kind in "iu":
        return array, dtype or preferred
    if array.dtype == numpy.float64:
        return array.astype(numpy.float32), 0
    return (_smaller(array) if array.dtype == numpy.int64 else array), 0


def _numpy_kind(wanted) -> str:
    return numpy.dtype(wanted.as_numpy_dtype).kind if wanted.is_numpy_compatible else ""


def _mixed():
    return ValueError("Can't convert Python sequence with mixed types to Tensor.")


def _checked(value, kinds, dtype):
    """The type that is asked for, which takes elements of these kinds."""
    wanted = dtypes.by_number[dtype]
    allowed = _ALLOWED.get(_numpy_kind(wanted))
    if allowed is None or kinds <= set(allowed) or wanted.name == "bfloat16" and "b" not in kinds:
        return dtype
    if "b" in kinds and len(kinds) > 1:
        raise _mixed()
    name = {"float32": "float", "float64": "double", "float16": "half"}.get(wanted.name, wanted.name)
    raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {name}")


def _by_first(array, first, kinds):
    kind, whole = kinds[0], set(kinds)
    if kind == "b" or "b" in whole:
        if whole != {"b"}:
            raise _mixed()
        return array
    if "c" in whole:
        if kind != "c":
            raise _mixed()
        return array.astype(numpy.complex128)
    if kind in "iu":
        return array.astype(numpy.float32) if "f" in whole else _smaller(array)
    return array.astype(first.dtype if isinstance(first, (numpy.ndarray, numpy.generic)) else numpy.float32)


# ---- what a graph says


def _fits(leaf, wanted) -> bool:
    kind = _kind(leaf)
    if wanted.is_bool:
        return kind == "b"
    if wanted.name == "string":
        return isinstance(leaf, (str, bytes))
    if wanted.is_integer and not wanted.is_quantized:
        return kind in ("i", "u", "b") or isinstance(leaf, (numbers.Integral, tensor_shape.Dimension))
    if wanted.is_floating:
        return kind in ("i", "u", "f", "b") or isinstance(leaf, numbers.Real)
    return not wanted.is_complex or kind != "" or isinstance(leaf, numbers.Complex)


def _misfit(leaves, wanted):
    """The first element that is none of the type, or None. Of None itself a text stands for it."""
    for leaf in leaves:
        if not _fits(leaf, wanted):
            return _NONE if leaf is None else leaf
    return None


class _None:
    def __repr__(self):
        return "None"


_NONE = _None()


def _expected(wanted, leaf):
    kind = "NoneType" if leaf is _NONE else type(leaf).__name__
    return TypeError(f"Expected {wanted.name}, but got {leaf} of type '{kind}'.")


def graph_error(value, wanted, error):
    """What a graph says of a value that eager code refuses with this error, where a type is wanted or none is."""
    if value is None:
        return ValueError("None values not supported.")
    if isinstance(value, (numpy.ndarray, numpy.generic)) or hasattr(value, "__array__"):
        return error
    is_list = isinstance(value, (list, tuple))
    leaves = list(_flat(value)) if is_list else [value]
    if wanted is not None:
        bad = _misfit(leaves, wanted)
        if bad is not None:
            return _expected(wanted, bad)
    elif not _is_uniform(leaves):
        return TypeError(
            f"Failed to convert elements of {value} to Tensor. Consider casting elements to a supported type. "
            "See https://www.tensorflow.org/api_docs/python/tf/dtypes for supported TF dtypes."
        )
    if is_list:
        try:
            numpy.array(value)
        except ValueError as of_numpy:
            return of_numpy
    return error


def _is_uniform(leaves) -> bool:
    return all(_kind(v) for v in leaves) or all(isinstance(v, (str, bytes)) for v in leaves)
