"""`--leaks`: every test runs again and again, and fails when memory grows each time.

Counted after a garbage collection: blocks that Python has allocated (all references, in a debug build of Python), and bytes
that C has. What grows every time is a leak; caches fill up and stop. A test passes as soon as memory stays. The
context's table of prepared kernels forgets from 1,024 on: tests whose ops have a new name in each run fill it up to there.
"""

import array
import gc
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


_references = getattr(sys, "gettotalrefcount", sys.getallocatedblocks)


def pytest_addoption(parser):
    parser.addoption("--leaks", action="store_true", help="run each test several times, and fail when memory grows")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    done = yield
    if pyfuncitem.config.getoption("--leaks") and not pyfuncitem.get_closest_marker("once"):
        _look_for_leaks(pyfuncitem)
    return done


def _look_for_leaks(item):
    arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames}
    # Made before, so that they do not count, and of numbers that are no objects.
    objects, heap = array.array("q", bytes(8 * TURNS)), array.array("q", bytes(8 * TURNS))
    gc.collect()
    gc.freeze()  # what is there already need not be looked at again
    try:
        begin = time.perf_counter()
        for _ in range(WARM):
            item.obj(**arguments)
        runs = RUNS if time.perf_counter() - begin < LONG else 2
        for turn in range(TURNS):
            for _ in range(runs):
                item.obj(**arguments)
            gc.collect()
            gc.collect()
            objects[turn] = _references()
            heap[turn] = heap_bytes()
            grown = objects[turn] - objects[turn - 1], heap[turn] - heap[turn - 1]
            if turn and grown[0] < runs and grown[1] <= MOST_BYTES * runs:
                return
    except (Exception, pytest.fail.Exception):
        return  # it has passed, and is one that cannot run again: files and counters are not as they were
    finally:
        gc.unfreeze()
    objects, heap = ([b - a for a, b in zip(counts, counts[1:])] for counts in (objects, heap))
    pytest.fail(f"memory grows in {runs} runs by {objects} objects of Python, {heap} bytes of C", pytrace=False)


def pytest_configure(config):
    config.addinivalue_line("markers", "once: not a test that can run again in one process")
