"""`--leaks`: every test runs again and again, and fails when memory grows each time.

Counted after a garbage collection: blocks that Python has allocated, references to all objects that it knows (a
reference that is lost to a type, to None or to a function takes no memory), and bytes that C has. What grows every time is a
leak; caches fill up and stop, tables of dictionaries come and go. So a test passes as soon as each of the three was once no
larger than some turns before. Two caches are dropped before each count, which would fill for long: the context's prepared
kernels (ops that have a new name in each run), and Python's own of attributes of types, whose 4,096 entries keep names (those
of `isinstance` with an abstract class are new texts each time). glibc's caches of freed memory, which each thread has and which
count as taken, are switched off by the commands that ask for this: GLIBC_TUNABLES=glibc.malloc.tcache_count=0.

`sys.gettotalrefcount` of a debug build of Python is of no use beside numpy as it is installed, whose own references it
does not see.
"""

import array
import contextlib
import gc
import inspect
import logging
import sys
import time

import pytest
from heap import heap_bytes

WARM, TURNS, RUNS = 3, 14, 8
LONG = 0.5  # seconds of the first runs, from which on there are fewer
MOST_BYTES = 64  # of C's in a run, which may be a table that grows for a while


@pytest.fixture(autouse=True)
def no_global_seed():
    """No test leaves a seed to the next ones, in the context or in a default graph."""
    yield
    import sluice

    sluice.random.set_seed(None)


_SINGLE = [None, True, False, ..., NotImplemented, "", b"", (), *range(-5, 257)]  # the collector does not know them


class _References:
    """References to objects that are there already, and to those that come."""

    def __init__(self):
        self._known = gc.get_objects() + _SINGLE

    def count(self) -> int:
        return sum(map(sys.getrefcount, self._known)) + sum(map(sys.getrefcount, gc.get_objects()))


def pytest_addoption(parser):
    parser.addoption("--leaks", action="store_true", help="run each test several times, and fail when memory grows")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    done = yield
    if pyfuncitem.config.getoption("--leaks") and not pyfuncitem.get_closest_marker("once"):
        _look_for_leaks(pyfuncitem)
    return done


def _look_for_leaks(item):
    # Made before, so that they do not count, and of numbers that are no objects.
    from sluice import _native

    objects, references, heap = seen = [array.array("q", bytes(8 * TURNS)) for _ in range(3)]
    stayed = [False] * len(seen)
    gc.collect()
    known = _References()
    gc.freeze()  # what is there already need not be looked at again
    try:
        begin = time.perf_counter()
        for _ in range(WARM):
            _run_again(item)
        runs = RUNS if time.perf_counter() - begin < LONG else 2
        for turn in range(TURNS):
            for _ in range(runs):
                _run_again(item)
            for handler in logging.root.handlers:
                getattr(handler, "reset", bool)()  # what pytest has of the logs
            gc.collect()
            gc.collect()
            _native.context_call("clear_caches", "")
            sys._clear_type_cache()
            references[turn] = known.count()
            objects[turn] = sys.getallocatedblocks()
            heap[turn] = heap_bytes()
            for i, (counts, most) in enumerate(zip(seen, (runs - 1, runs - 1, MOST_BYTES * runs))):
                stayed[i] |= turn > 0 and counts[turn] - max(counts[:turn]) <= most
            if all(stayed):
                return
    except (Exception, pytest.fail.Exception):
        return  # it has passed, and is one that cannot run again: files and counters are not as they were
    finally:
        gc.unfreeze()
    objects, references, heap = ([b - a for a, b in zip(counts, counts[1:])] for counts in seen)
    pytest.fail(
        f"memory grows in {runs} runs by {objects} objects of Python, {references} references, {heap} bytes of C",
        pytrace=False,
    )


def _run_again(item):
    """The test once more, with new values of its module's fixtures: a graph, say, would grow with each run. What pytest's own
    patching would keep for the end is undone after the run."""
    with contextlib.ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        given = {**item.funcargs, "monkeypatch": patch}
        made = {
            name: _made_again(item, name, stack, given)
            for name in item._fixtureinfo.names_closure
            if _is_of_module(item, name)
        }
        item.obj(**{name: made.get(name, given[name]) for name in item._fixtureinfo.argnames})


def _is_of_module(item, name) -> bool:
    known = item._fixtureinfo.name2fixturedefs.get(name)
    return bool(known) and known[-1].scope == "function" and known[-1].func.__module__ == item.module.__name__


def _made_again(item, name, stack, given):
    if not _is_of_module(item, name):
        return given[name]
    known = item._fixtureinfo.name2fixturedefs[name]
    made = known[-1].func(**{n: _made_again(item, n, stack, given) for n in known[-1].argnames})
    if not inspect.isgenerator(made):
        return made
    value = next(made)
    stack.callback(next, made, None)
    return value


def pytest_configure(config):
    config.addinivalue_line("markers", "once: not a test that can run again in one process")
