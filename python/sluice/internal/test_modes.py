"""Decorators of tests: in which mode a test runs."""

from __future__ import annotations

import functools

from ..core import graph
from ..platform import testing

TensorFlowTestCase = testing.TestCase


def run_in_graph_and_eager_modes(func=None, config=None, use_gpu=True, assert_no_eager_garbage=False):
    """A test that runs twice: in a graph with a session, and eagerly. setUp runs again in between."""

    def decorate(test):
        if isinstance(test, type):
            raise ValueError("`run_in_graph_and_eager_modes` only supports test methods.")

        @functools.wraps(test)
        def both(self, *args, **kwargs):
            with graph.entered(graph.Graph()), self.test_session(config=config):
                test(self, *args, **kwargs)
            self.tearDown()
            self._tempdir = None
            with graph.outside():
                self.setUp()
                test(self, *args, **kwargs)

        return both

    return decorate if func is None else decorate(func)


def _each_test(decorator):
    def decorate(cls):
        for name in dir(cls):
            if name.startswith("test") and name != "test_session" and callable(getattr(cls, name)):
                setattr(cls, name, decorator(getattr(cls, name)))
        return cls

    return decorate


run_all_in_graph_and_eager_modes = _each_test(run_in_graph_and_eager_modes)


def deprecated_graph_mode_only(func=None):
    """A test, or all of a class, that runs in a graph."""
    if isinstance(func, type):
        return _each_test(deprecated_graph_mode_only)(func)

    @functools.wraps(func)
    def in_graph(self, *args, **kwargs):
        with graph.entered(graph.Graph()):
            return func(self, *args, **kwargs)

    return in_graph


run_deprecated_v1 = deprecated_graph_mode_only


def run_v1_only(reason=None, func=None):
    """A test that is skipped, as TensorFlow 2's behaviour is on."""
    if callable(reason):
        return run_v1_only()(reason)

    def decorate(test):
        if isinstance(test, type):
            return _each_test(decorate)(test)

        @functools.wraps(test)
        def call(self, *args, **kwargs):
            from .contexts import enabled

            if enabled():
                self.skipTest(reason or "Test is only compatible with v1")
            return test(self, *args, **kwargs)

        return call

    return decorate if func is None else decorate(func)


def run_v2_only(func=None, reason=None):
    """A test that is skipped where TensorFlow 1's behaviour is on."""

    def decorate(test):
        if isinstance(test, type):
            return _each_test(decorate)(test)

        @functools.wraps(test)
        def call(self, *args, **kwargs):
            from .contexts import enabled

            if not enabled():
                self.skipTest(reason or "Test is only compatible with v2")
            return test(self, *args, **kwargs)

        return call

    return decorate if func is None else decorate(func)


def _as_it_is(*args):
    """A decorator of a test, with or without a reason: there is nothing to turn off."""
    return args[0] if args and callable(args[0]) else _as_it_is


disable_cudnn_autotune = disable_xla = run_all_without_tensor_float_32 = run_without_tensor_float_32 = _as_it_is


def is_xla_enabled():
    return False


def IsMklEnabled():
    return False


def InstallStackTraceHandler():
    """Python writes its own trace of a crash."""
