"""Ctrl-C: what the main thread runs stops at once, and what it ran in stays usable. Each case is a process of its own."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

START = """
import os, signal, sys, threading, time
import sluice as tf
v1 = tf.compat.v1
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a process in the background has been made without

def interrupt(seconds=0.7):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()

def stopped(run):
    interrupt()
    start = time.monotonic()
    try:
        run()
    except KeyboardInterrupt:
        return time.monotonic() - start < 5
    return "no KeyboardInterrupt"

def endless(x):
    return tf.while_loop(lambda i: i >= 0, lambda i: [i * 0 + 1], [x])[0]

# What is imported at first use is, before anything is interrupted.
with tf.GradientTape() as tape:
    tf.cast(tf.function(endless)(tf.constant(-1)), tf.float32).numpy()
tf.gradients, tf.data.Dataset.range(1).filter(lambda x: x < 0), tf.queue.FIFOQueue(3, [tf.int32]), v1.Session
"""

CASES = {
    "loop of a function": """
        f = tf.function(endless)
        print(stopped(lambda: f(tf.constant(1))), f(tf.constant(-1)).numpy())
    """,
    "loop under a tape": """
        f = tf.function(endless)
        def run(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)
        print(stopped(lambda: run(tf.constant(1.0))), run(tf.constant(-1.0)).numpy())
    """,
    "gradient": """
        @tf.custom_gradient
        def identity(x):
            return x, lambda dy: tf.cast(tf.function(endless)(tf.cast(dy, tf.int32)), tf.float32)
        @tf.function
        def f(x):
            return identity(x)
        def run(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x, -x)
        print(stopped(lambda: run(tf.constant(-1.0))), run(tf.constant(1.0)).numpy())
    """,
    "loop of a session": """
        with tf.Graph().as_default():
            start = v1.placeholder(tf.int32, [])
            last = endless(start)
            with v1.Session() as session:
                print(stopped(lambda: session.run(last, {start: 1})), session.run(last, {start: -1}))
    """,
    "dequeue of a session": """
        with tf.Graph().as_default():
            queue = tf.queue.FIFOQueue(3, [tf.int32])
            put, take = queue.enqueue(7), queue.dequeue()
            with v1.Session() as session:
                print(stopped(lambda: session.run(take)), session.run(put), session.run(take))
    """,
    "dequeue": """
        queue = tf.queue.FIFOQueue(3, [tf.int32])
        stop = stopped(queue.dequeue)
        queue.enqueue(7)
        print(stop, queue.dequeue().numpy())
    """,
    "partial run": """
        with tf.Graph().as_default():
            start = v1.placeholder(tf.int32, [])
            last = endless(start)
            with v1.Session() as session:
                handle = session.partial_run_setup([last], [start])
                print(stopped(lambda: session.partial_run(handle, last, {start: 1})), session.run(last, {start: -1}))
    """,
    "iterator": """
        numbers = iter(tf.data.Dataset.range(10**15).filter(lambda x: x < 0))
        few = tf.data.Dataset.range(3)
        print(stopped(lambda: next(numbers)), [int(x) for x in few])
    """,
    "twice": """
        f = tf.function(endless)
        print([stopped(lambda: f(tf.constant(1))) for _ in range(3)], f(tf.constant(-1)).numpy())
    """,
    "a handler that another one took the place of": """
        tf.constant(1) + 1
        signal.signal(signal.SIGINT, signal.default_int_handler)
        f = tf.function(endless)
        print(stopped(lambda: f(tf.constant(1))))
    """,
    "a callback": """
        def wait(x):
            time.sleep(3)
            return x
        f = tf.function(lambda x: tf.py_function(wait, [x], tf.int32))
        print(stopped(lambda: f(tf.constant(1))), (tf.constant(1) + 1).numpy())
    """,
    "a handler of the program's own": """
        seen = []
        signal.signal(signal.SIGINT, lambda *_: seen.append(1))
        @tf.function
        def f(n):
            return tf.while_loop(lambda i: i < n, lambda i: [i + 1], [0])[0]
        interrupt(0.1)
        n = 1
        while not seen:
            n *= 2
            assert f(tf.constant(n)).numpy() == n
        print(True)
    """,
    "other threads go on": """
        queue = tf.queue.FIFOQueue(3, [tf.int32])
        got = []
        other = threading.Thread(target=lambda: got.append(int(queue.dequeue())))
        other.start()
        f = tf.function(endless)
        stop = stopped(lambda: f(tf.constant(1)))
        queue.enqueue(5)
        other.join()
        print(stop, got)
    """,
    "after a fork": """
        f = tf.function(endless)
        f(tf.constant(-1))
        child = os.fork()
        if child == 0:
            os._exit(0 if stopped(lambda: f(tf.constant(1))) is True else 3)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0)
    """,
}
EXPECTED = {
    "loop of a function": "True -1",
    "loop under a tape": "True 1.0",
    "gradient": "True -1.0",
    "loop of a session": "True -1",
    "dequeue of a session": "True None 7",
    "dequeue": "True 7",
    "partial run": "True -1",
    "iterator": "True [0, 1, 2]",
    "twice": "[True, True, True] -1",
    "a callback": "True 2",
    "other threads go on": "True [5]",
}


@pytest.mark.parametrize("case", CASES)
def test_interrupt(case):
    process = subprocess.run(
        [sys.executable, "-c", START + textwrap.dedent(CASES[case])], capture_output=True, text=True, timeout=60
    )
    assert process.stdout.strip() == EXPECTED.get(case, "True"), process.stderr
    assert process.returncode == 0


def test_uncaught_interrupt_ends_the_process():
    """As Python ends for it: killed by the signal, with a traceback."""
    code = START + "f = tf.function(endless)\nf(tf.constant(-1))\nprint('ready', flush=True)\nf(tf.constant(1))\n"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")
