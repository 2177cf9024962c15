"""Tensors and tapes go when nobody holds them: without the garbage collector, and their memory with them."""

import gc
import resource
import weakref

import sluice as tf


def _resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def _step():
    x = tf.ones([1024])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x[1:] * 2.0)
    tape.gradient(y, x)
    try:
        x[2000]
    except tf.errors.InvalidArgumentError:
        pass
    return weakref.ref(x), weakref.ref(tape), weakref.ref(y)


def test_reference_counts_free_tensors_and_tapes():
    gc.collect()
    gc.disable()
    try:
        _step()
        assert [r() for r in _step()] == [None] * 3
    finally:
        gc.enable()


def test_memory_stays():
    for _ in range(200):
        _step()
    before = _resident()
    for _ in range(1000):
        _step()
    assert _resident() - before < 2 << 20  # a tensor is 4 KiB: one in each step would be 4 MiB
