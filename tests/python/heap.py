"""How much memory C has."""

import ctypes


class _Heap(ctypes.Structure):  # struct mallinfo2
    _fields_ = [
        (n, ctypes.c_size_t) for n in "arena ordblks smblks hblks hblkhd usmblks fsmblks used free keep".split()
    ]


def _find():
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return None
    ask.restype = _Heap
    return ask


_ask = _find()


def heap_bytes() -> int:
    """Bytes that malloc has given away; 0 where the C library does not tell (glibc does from 2.33 on)."""
    if _ask is None:
        return 0
    heap = _ask()
    return heap.used + heap.hblkhd
