"""Locks that a forked child may take: threads that held them are not there, and would never give them back."""

from __future__ import annotations

import os
import threading
import weakref

_locks = weakref.WeakSet()


def rlock():
    """A reentrant lock, which is free in a child of os.fork(), whoever has it in the parent."""
    made = threading.RLock()
    _locks.add(made)
    return made


def _in_child():
    for made in list(_locks):
        made._at_fork_reinit()  # as the modules of Python do it: logging, queue


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
