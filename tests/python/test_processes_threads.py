"""Forks, spawned processes, and many threads at once."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1
square = tf.function(lambda x: x * x)


def _work(n):
    """Something of each kind; the pool's threads among them, as the product is large."""
    x = tf.constant(np.arange(300 * 300, dtype=np.float32).reshape(300, 300) * 1e-3)
    variable = tf.Variable(float(n))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(square(variable) * 3.0)
    gradient = tape.gradient(y, variable)
    with tf.Graph().as_default():
        fed = v1.placeholder(tf.float32, [])
        with v1.Session() as session:
            ran = session.run(fed * 2.0 + 1.0, {fed: n})
    elements = [int(e) for e in tf.data.Dataset.range(4).map(lambda v: v * n)]
    return float(tf.reduce_mean(tf.matmul(x, x))), float(gradient), float(ran), elements


def _expected(n):
    x = np.arange(300 * 300, dtype=np.float32).reshape(300, 300) * 1e-3
    return pytest.approx(float((x @ x).mean()), rel=1e-4), 6.0 * n, 2.0 * n + 1, [v * n for v in range(4)]


def test_many_threads_at_once():
    results, errors = {}, []

    def run(n):
        try:
            for _ in range(5):
                results[n] = _work(n)
        except Exception as error:  # shown by the assertion
            errors.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(10)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors
    assert all(results[n] == _expected(n) for n in range(10))


def test_one_function_and_one_session_of_many_threads():
    f = tf.function(lambda x, n: x * float(n))  # a trace for each n, made while others run
    graph = tf.Graph()
    with graph.as_default():
        fed = v1.placeholder(tf.int32, [])
        made = fed * 2
    with v1.Session(graph=graph) as session:
        wrong = []

        def run(k):
            for i in range(60):
                if float(f(tf.constant(2.0), i % 7)) != 2.0 * (i % 7) or session.run(made, {fed: i + k}) != 2 * (i + k):
                    wrong.append((k, i))

        threads = [threading.Thread(target=run, args=(k,)) for k in range(10)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert not wrong


def test_tapes_belong_to_their_threads():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        other = []
        thread = threading.Thread(target=lambda: other.append(x * 5.0))
        thread.start()
        thread.join()
        y = x * 2.0
    assert tape.gradient([y, other[0]], x).numpy() == 2.0


def _run(code):
    process = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


START = """
    import multiprocessing, os, sys
    sys.path.insert(0, {here!r})
    import test_processes_threads as t
    import sluice as tf
"""


@pytest.mark.parametrize("before", ["t._work(2)", "pass"])
def test_a_forked_child_works(before):
    """After use, when threads of the pool are gone in the child, and before."""
    said = _run(
        START.format(here=os.path.dirname(__file__))
        + f"""
    {before}
    child = os.fork()
    if child == 0:
        ok = t._work(3) == t._expected(3)
        os._exit(0 if ok else 3)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), t._work(4) == t._expected(4))
    """
    )
    assert said == "0 True"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert all(got == _expected(n) for n, got in enumerate(pool.map(_work, range(4))))
