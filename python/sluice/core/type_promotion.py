"""Which type operands of several types become, once experimental_enable_numpy_behavior has asked for "all" or "safe".

A type is strong, that of tensors, variables and numpy's arrays, or weak, that of Python's numbers and of what is made of them
alone. The table has what two types become: * behind a weak type; ! where "safe" refuses, since bits may be lost.
"""

from __future__ import annotations

import numpy as np

from . import dtypes, graph, nest, tensor, weak_tensor
from .op_defs import op
from .weak_tensor import WeakTensor

mode = None  # "ALL" or "SAFE"; None: types are not promoted

# b: bool, u8: uint8, i8: int8, bf16: bfloat16, f16: float16, c64: complex64
_TABLE = """
      b      u8     u16    u32    u64    i8     i16    i32    i64    bf16   f16    f32    f64    c64    c128   i32*   i64*   f32*   f64*   c128*
b     b      u8     u16    u32    u64    i8     i16    i32    i64    bf16   f16    f32    f64    c64    c128   i32*   i64*   f32*   f64*   c128*
u8    u8     u8     u16    u32    u64    i16!   i16    i32    i64    bf16   f16    f32    f64    c64    c128   u8     u8     f64*!  f64*   c128*
u16   u16    u16    u16    u32    u64    i32!   i32!   i32    i64    bf16!  f16!   f32    f64    c64    c128   u16    u16    f64*!  f64*   c128*
u32   u32    u32    u32    u32    u64    i64!   i64!   i64!   i64    bf16!  f16!   f32!   f64    c64!   c128   u32    u32    f64*!  f64*   c128*
u64   u64    u64    u64    u64    u64    f64*!  f64*!  f64*!  f64*!  bf16!  f16!   f32!   f64!   c64!   c128!  u64    u64    f64*!  f64*!  c128*!
i8    i8     i16!   i32!   i64!   f64*!  i8     i16    i32    i64    bf16   f16    f32    f64    c64    c128   i8     i8     f64*!  f64*   c128*
i16   i16    i16    i32!   i64!   f64*!  i16    i16    i32    i64    bf16!  f16!   f32    f64    c64    c128   i16    i16    f64*!  f64*   c128*
i32   i32    i32    i32    i64!   f64*!  i32    i32    i32    i64    bf16!  f16!   f32!   f64    c64!   c128   i32    i32    f64*!  f64*   c128*
i64   i64    i64    i64    i64    f64*!  i64    i64    i64    i64    bf16!  f16!   f32!   f64!   c64!   c128!  i64    i64    f64*!  f64*!  c128*!
bf16  bf16   bf16   bf16!  bf16!  bf16!  bf16   bf16!  bf16!  bf16!  bf16   f32!   f32    f64    c64    c128   bf16   bf16   bf16   bf16   c64!
f16   f16    f16    f16!   f16!   f16!   f16    f16!   f16!   f16!   f32!   f16    f32    f64    c64    c128   f16    f16    f16    f16    c64!
f32   f32    f32    f32    f32!   f32!   f32    f32    f32!   f32!   f32    f32    f32    f64    c64    c128   f32    f32    f32    f32    c64!
f64   f64    f64    f64    f64    f64!   f64    f64    f64    f64!   f64    f64    f64    f64    c128!  c128   f64    f64    f64    f64    c128
c64   c64    c64    c64    c64!   c64!   c64    c64    c64!   c64!   c64    c64    c64    c128!  c64    c128   c64    c64    c64    c64    c64
c128  c128   c128   c128   c128   c128!  c128   c128   c128   c128!  c128   c128   c128   c128   c128   c128   c128   c128   c128   c128   c128
i32*  i32*   u8     u16    u32    u64    i8     i16    i32    i64    bf16   f16    f32    f64    c64    c128   i32*   i64*   f32*   f64*   c128*
i64*  i64*   u8     u16    u32    u64    i8     i16    i32    i64    bf16   f16    f32    f64    c64    c128   i64*   i64*   f32*   f64*   c128*
f32*  f32*   f64*!  f64*!  f64*!  f64*!  f64*!  f64*!  f64*!  f64*!  bf16   f16    f32    f64    c64    c128   f32*   f32*   f32*   f64*   c128*
f64*  f64*   f64*   f64*   f64*   f64*!  f64*   f64*   f64*   f64*!  bf16   f16    f32    f64    c64    c128   f64*   f64*   f64*   f64*   c128*
c128* c128*  c128*  c128*  c128*  c128*! c128*  c128*  c128*  c128*! c64!   c64!   c64!   c128   c64    c128   c128*  c128*  c128*  c128*  c128*
"""
_LETTERS = {"b": "bool", "u": "uint", "i": "int", "bf": "bfloat", "f": "float", "c": "complex"}


def _named(word):
    """(type, whether it is weak) of a word of the table."""
    name = word.rstrip("*!")
    letters = name.rstrip("0123456789")
    return dtypes.as_dtype(_LETTERS[letters] + name[len(letters) :]), "*" in word


def _read(table):
    head, *rows = table.strip().splitlines()
    columns = [_named(w) for w in head.split()]
    found = {}
    for row in rows:
        first, *words = row.split()
        for column, word in zip(columns, words):
            found[_named(first), column] = (*_named(word), "!" not in word)
    return found


_JOINED = _read(_TABLE)  # two types -> (type, whether it is weak, whether nothing is lost)


def join(a, b):
    """What two types become, each (type, whether it is weak); None where they are not promoted. TypeError where "safe" refuses."""
    found = _JOINED.get((a, b))
    if found is None:
        return None
    dtype, is_weak, is_safe = found
    if mode == "SAFE" and not is_safe:
        raise TypeError(
            f"In promotion mode PromoMode.SAFE, implicit dtype promotion between {_told(a)} and {_told(b)} is disallowed. You need "
            "to explicitly specify the dtype in your op, or relax your dtype promotion rules (such as from SAFE mode to ALL mode)."
        )
    return dtype, is_weak


def _told(kind):
    return f"(<dtype: {kind[0].name!r}>, weak={kind[1]})"


_PYTHON = {
    bool: (dtypes.bool_, False),
    int: (dtypes.int32, True),
    float: (dtypes.float32, True),
    complex: (dtypes.complex128, True),
    str: (dtypes.string, False),
    bytes: (dtypes.string, False),
}


def kind_of(value):
    """(type, whether it is weak) of an operand; None where types are not promoted. OverflowError for a number that is no int32."""
    found = _PYTHON.get(type(value))
    if found is not None:
        if type(value) is int and not -(2**31) <= value < 2**31:
            raise OverflowError(f"Python int {value} too large to convert to np.int32")
        return found
    if isinstance(value, WeakTensor):
        return value.tensor.dtype, True
    if isinstance(value, (list, tuple)):
        return _kind_of_list(value)
    if isinstance(value, (tensor.Tensor, np.ndarray, np.generic)) or hasattr(value, "__tf_tensor__"):
        dtype = getattr(value, "dtype", None)
        try:
            return None if dtype is None else (dtypes.as_dtype(dtype).base_dtype, False)
        except TypeError:
            return None
    return None


def _kind_of_list(values):
    """Of no elements float32, as it is of Python's own."""
    made = None
    for value in values:
        kind = kind_of(value)
        if kind is None:
            return None
        made = kind if made is None or made == kind else join(made, kind)
        if made is None:
            return None
    return made or (dtypes.float32, True)


def result_type(*operands):
    """(type, whether it is weak) that operands become together; None where they are not promoted."""
    made = None
    for operand in operands:
        kind = kind_of(operand)
        if kind is None:
            return None
        made = kind if made is None else join(made, kind)
        if made is None:
            return None
    return made


def as_type(value, dtype):
    """An operand as a tensor of the type, whatever is lost: of a Python number what the type has for it."""
    if isinstance(value, WeakTensor):
        value = value.tensor
    if not isinstance(value, tensor.Tensor):
        if hasattr(value, "__tf_tensor__"):
            value = tensor.convert(value)
        else:
            g, number = graph.current(), dtype.as_datatype_enum
            return tensor.convert(value, number) if g is None else graph.into(g, value, number)
    if value.dtype.base_dtype is dtype:
        return value
    return op("Cast")(value, DstT=dtype.as_datatype_enum)


def python_kind(value):
    """Of Python's numbers, weak tensors, and lists of them, their weak type; None of anything else."""
    kind = kind_of(value) if _is_python(value) else None
    return kind if kind is not None and kind[1] else None


def _is_python(value) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_python, value))
    return type(value) in (bool, int, float, complex) or isinstance(value, WeakTensor)


class Strong:
    """What stands for an operand of which the type alone is known."""

    def __init__(self, dtype):
        self.dtype = dtype

    __tf_tensor__ = None


def weakened(value):
    """What a function of weak operands gives, weak where it can be: tensors in structures, too."""
    if isinstance(value, tensor.Tensor):
        return weak_tensor.of_tensor(value)
    return nest.map_structure(
        lambda leaf: weak_tensor.of_tensor(leaf) if isinstance(leaf, tensor.Tensor) else leaf, value
    )
