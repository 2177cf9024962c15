"""tf.test: a TestCase that compares tensors and arrays, and what tests ask of the machine."""

from __future__ import annotations

import contextlib
import functools
import math
import os
import random
import re
import tempfile
import threading
import unittest
from unittest import mock  # noqa: F401 (tf.compat.v1.test.mock)

import numpy

from ..compat import v1
from ..core import composite_tensor, errors, nest, scopes, tensor

try:
    from absl.testing import absltest as _base
except ImportError:
    _base = unittest

_SEED = 87654321


def main(argv=None):
    """Runs the tests of the program."""
    _base.main(argv=argv)


def get_temp_dir():
    """A directory that tests may write to."""
    return _temp_dir()


@functools.cache
def _temp_dir():
    return tempfile.mkdtemp(prefix="sluice_test")


def test_src_dir_path(relative_path):
    """The path beside the package."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), relative_path)


def gpu_device_name():
    """The name of the first GPU, or an empty text."""
    from . import config

    return next((d.name for d in config.list_logical_devices("GPU")), "")


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    """Whether there is a GPU."""
    return bool(gpu_device_name())


def is_built_with_cuda():
    """False: the library has no kernels for GPUs."""
    return False


def is_built_with_rocm():
    """False: the library has no kernels for GPUs."""
    return False


def is_built_with_gpu_support():
    """False: the library has no kernels for GPUs."""
    return False


def is_built_with_xla():
    """False: jit_compile has no effect."""
    return False


def is_cpu_target_available(target):
    """Whether kernels for this processor can be compiled: none are."""
    return False


def disable_with_predicate(pred, skip_message):
    """A decorator that skips a test when pred() holds."""

    def decorate(function):
        @functools.wraps(function)
        def call(self, *args, **kwargs):
            if pred():
                self.skipTest(skip_message)
            return function(self, *args, **kwargs)

        return call

    return decorate


def with_eager_op_as_function(cls=None, only_as_function=False):
    """Ops run in one way only: the class as it is."""
    return (lambda c: c) if cls is None else cls


def create_local_cluster(num_workers, num_ps, protocol="grpc", worker_config=None, ps_config=None):
    """NotImplementedError: there are no servers."""
    raise NotImplementedError("tf.test.create_local_cluster: there are no servers")


def sync_devices():
    """Waits for what runs on devices; ops have run when their calls return."""


def assert_equal_graph_def(expected, actual):
    """AssertionError unless the nodes of two GraphDefs are the same, in any order."""
    for graph in (expected, actual):
        if not hasattr(graph, "node"):
            raise TypeError(f"Expected a GraphDef, got {type(graph).__name__}")
    wanted, found = ({n.name: n for n in g.node} for g in (expected, actual))
    if wanted.keys() != found.keys():
        raise AssertionError(f"Nodes differ: {sorted(wanted.keys() ^ found.keys())}")
    for name, node in wanted.items():
        if node != found[name]:
            raise AssertionError(f"The node {name} differs:\n{node}\nand\n{found[name]}")


def assert_equal_graph_def_v1(actual, expected, checkpoint_v2=False, hash_table_shared_name=False):
    """The same."""
    assert_equal_graph_def(expected, actual)


def benchmark_config():
    """A ConfigProto for benchmarks: graphs run as they are written."""
    made = v1.ConfigProto()
    made.graph_options.optimizer_options.opt_level = -1
    return made


class Benchmark:
    """Kept for programs that derive from it: there is no runner for benchmarks."""

    def run_op_benchmark(self, *args, **kwargs):
        raise NotImplementedError("tf.test.Benchmark")


class StubOutForTesting:
    """Replaces attributes of objects, and puts them back."""

    def __init__(self):
        self._before: list = []

    def Set(self, parent, child_name, new_child):
        self._before.append((parent, child_name, getattr(parent, child_name)))
        setattr(parent, child_name, new_child)

    SmartSet = Set

    def UnsetAll(self):
        for parent, name, value in reversed(self._before):
            setattr(parent, name, value)
        self._before.clear()

    SmartUnsetAll = CleanUp = UnsetAll


class _Written:
    def __init__(self, path):
        self._path = path

    def contents(self):
        with open(self._path) as f:
            return f.read()


class _Thread:
    """A thread whose exception fails the test."""

    def __init__(self, case, target, args, kwargs):
        self._case, self._call = case, functools.partial(target, *(args or ()), **(kwargs or {}))
        self._thread = threading.Thread(target=self._run)
        self._exception, self._joined = None, False

    def _run(self):
        try:
            self._call()
        except Exception as error:
            self._exception = error

    def start(self):
        self._thread.start()

    def is_alive(self):
        return self._thread.is_alive()

    def join(self):
        self._joined = True
        self._thread.join()
        if self._exception is not None:
            self._case.fail(f"Error in checkedThread: {self._exception}")

    def check_termination(self):
        if not self._joined:
            self._case.fail("A checked thread was not joined.")
        if self.is_alive():
            self._case.fail("A checked thread is still running.")


def _value(t):
    """A tensor's value, whatever kind it is of; anything else as it is."""
    if isinstance(t, composite_tensor.CompositeTensor) and not hasattr(t, "numpy"):
        return nest.map_structure(_value, t, expand_composites=True)
    if callable(getattr(t, "numpy", None)):
        return t.numpy()
    return t() if callable(t) else t


class TestCase(_base.TestCase):
    """A test of tensors: `evaluate` gives values, eagerly and in graphs; comparisons take arrays, tensors, structures."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._threads: list[_Thread] = []
        self._session = self._tempdir = None

    def setUp(self):
        super().setUp()
        random.seed(_SEED)
        numpy.random.seed(_SEED)
        v1.reset_default_graph()
        v1.set_random_seed(_SEED)

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        self._threads = []
        if self._session is not None:
            self._session.close()
            self._session = None
        super().tearDown()

    # ---- what tests use

    def get_temp_dir(self):
        if self._tempdir is None:
            self._tempdir = tempfile.mkdtemp(dir=get_temp_dir())
        return self._tempdir

    def checkedThread(self, target, args=None, kwargs=None):
        """A thread that the test joins; its exception fails the test."""
        made = _Thread(self, target, args, kwargs)
        self._threads.append(made)
        return made

    @contextlib.contextmanager
    def captureWritesToStream(self, stream):
        """What is written to the stream within, also by the library: `contents()`."""
        stream.flush()
        number = stream.fileno()
        file, path = tempfile.mkstemp(dir=self.get_temp_dir())
        before = os.dup(number)
        os.dup2(file, number)
        try:
            yield _Written(path)
        finally:
            stream.flush()
            os.dup2(before, number)
            os.close(file)
            os.close(before)

    def evaluate(self, tensors):
        """The values of a structure of tensors."""
        if scopes.executing_eagerly():
            return nest.map_structure(_value, tensors)
        session = v1.get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as session:
            return session.run(tensors)

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=True, force_gpu=False):
        """A session of its own; eagerly None."""
        if scopes.executing_eagerly():
            yield None
            return
        with v1.Session(graph=graph, config=config) as session, self._on_device(session, use_gpu, force_gpu):
            yield session

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=True, force_gpu=False):
        """The test's one session; eagerly something that has `run`."""
        if scopes.executing_eagerly():
            yield _EagerSession(self)
            return
        if self._session is None:
            self._session = v1.Session(graph=graph, config=config)
        with self._session.graph.as_default(), self._session.as_default():
            with self._on_device(self._session, use_gpu, force_gpu):
                yield self._session

    @contextlib.contextmanager
    def test_session(self, graph=None, config=None, use_gpu=True, force_gpu=False):
        if scopes.executing_eagerly():
            yield None
            return
        one = self.cached_session if graph is None else self.session
        with one(graph, config, use_gpu, force_gpu) as session:
            yield session

    @staticmethod
    def _on_device(session, use_gpu, force_gpu):
        return session.graph.device("/device:GPU:0" if force_gpu else None if use_gpu else "/device:CPU:0")

    def _GetNdArray(self, a):
        """An array of an array, a tensor, or a list of numbers."""
        if isinstance(a, tensor.Tensor) or hasattr(a, "__tf_tensor__"):
            a = self.evaluate(a)
        return a if isinstance(a, numpy.ndarray) else numpy.array(a)

    # ---- numbers and arrays

    def assertNear(self, f1, f2, err, msg=None):
        f1, f2 = float(self._GetNdArray(f1)), float(self._GetNdArray(f2))
        if not (f1 == f2 or math.fabs(f1 - f2) <= err):
            self.fail(f"{f1:f} != {f2:f} +/- {err:f}{f' ({msg})' if msg else ''}")

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertNear(f1, f2, err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        difference = numpy.linalg.norm(self._GetNdArray(ndarray1) - self._GetNdArray(ndarray2))
        self.assertLess(difference, err, msg)

    def _same_shape(self, a, b, msg):
        if a.shape != b.shape:
            self.fail(f"Shapes differ: {a.shape} and {b.shape}. {msg or ''}")

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Structures of arrays that are equal but for |a - b| <= atol + rtol * |b|."""
        self._close(a, b, rtol, atol, msg)

    def _close(self, a, b, rtol, atol, msg):
        if isinstance(a, dict) or isinstance(b, dict):
            self.assertEqual(set(a), set(b), msg)
            for key in a:
                self._close(a[key], b[key], rtol, atol, f"at {key!r}. {msg or ''}")
            return
        if isinstance(a, (list, tuple)) and any(isinstance(v, (list, tuple, dict)) or hasattr(v, "shape") for v in a):
            try:
                arrays = self._GetNdArray(a), self._GetNdArray(b)
            except ValueError:
                arrays = None
            if arrays is None or arrays[0].dtype == object:
                self.assertEqual(len(a), len(b), msg)
                for x, y in zip(a, b):
                    self._close(x, y, rtol, atol, msg)
                return
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self._same_shape(a, b, msg)
        numpy.testing.assert_allclose(_wide(a), _wide(b), rtol=rtol, atol=atol, err_msg=msg or "", equal_nan=True)

    def assertAllCloseAccordingToType(
        self,
        a,
        b,
        rtol=1e-6,
        atol=1e-6,
        float_rtol=1e-6,
        float_atol=1e-6,
        half_rtol=1e-3,
        half_atol=1e-3,
        bfloat16_rtol=1e-2,
        bfloat16_atol=1e-2,
        msg=None,
    ):
        """The same, less exactly for types with fewer bits."""
        kinds = {self._GetNdArray(a).dtype.name, self._GetNdArray(b).dtype.name}
        for names, r, t in (
            ({"float32", "complex64"}, float_rtol, float_atol),
            ({"float16"}, half_rtol, half_atol),
            ({"bfloat16"}, bfloat16_rtol, bfloat16_atol),
        ):
            if kinds & names:
                rtol, atol = max(rtol, r), max(atol, t)
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        try:
            self.assertAllClose(a, b, rtol=rtol, atol=atol)
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements. {msg or ''}")

    def assertAllEqual(self, a, b, msg=None):
        """Arrays that are equal; NaNs are equal to each other."""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        if b.ndim <= 3 or b.size < 500:
            self._same_shape(a, b, msg)
        same = _equal(a, b)
        if not numpy.all(same):
            self.fail(f"Arrays differ at {numpy.argwhere(~same).tolist()[:5]}: {a} and {b}. {msg or ''}")

    def assertNotAllEqual(self, a, b, msg=None):
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements. {msg or ''}")

    def _all(self, a, holds, what):
        a = self._GetNdArray(a)
        if not numpy.all(holds(a)):
            self.fail(f"Not all elements are {what}: {a}")

    def assertAllGreater(self, a, comparison_target):
        self._all(a, lambda v: v > comparison_target, f"> {comparison_target}")

    def assertAllLess(self, a, comparison_target):
        self._all(a, lambda v: v < comparison_target, f"< {comparison_target}")

    def assertAllGreaterEqual(self, a, comparison_target):
        self._all(a, lambda v: v >= comparison_target, f">= {comparison_target}")

    def assertAllLessEqual(self, a, comparison_target):
        self._all(a, lambda v: v <= comparison_target, f"<= {comparison_target}")

    def assertAllInRange(self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False):
        def holds(v):
            above = v > lower_bound if open_lower_bound else v >= lower_bound
            return above & (v < upper_bound if open_upper_bound else v <= upper_bound)

        self._all(target, holds, f"between {lower_bound} and {upper_bound}")

    def assertAllInSet(self, target, expected_set):
        found = set(self._GetNdArray(target).reshape(-1).tolist())
        self.assertEqual(found - set(expected_set), set())

    def assertDTypeEqual(self, target, expected_dtype):
        self.assertEqual(
            self._GetNdArray(target).dtype, numpy.dtype(getattr(expected_dtype, "as_numpy_dtype", expected_dtype))
        )

    def assertShapeEqual(self, input_a, input_b, msg=None):
        self.assertEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertDictAlmostEqual(self, a, b, places=None, msg=None, delta=None):
        self.assertEqual(set(a), set(b), msg)
        for key in a:
            self.assertAlmostEqual(a[key], b[key], places=places, msg=msg, delta=delta)

    # ---- texts, errors, messages

    def assertStartsWith(self, actual, expected_start, msg=None):
        if not actual.startswith(expected_start):
            self.fail(f"{actual!r} does not start with {expected_start!r}. {msg or ''}")

    def assertDeviceEqual(self, device1, device2, msg=None):
        from ..core.device_spec import DeviceSpec

        one, other = (DeviceSpec.from_string(d).to_string() if isinstance(d, str) else d for d in (device1, device2))
        self.assertEqual(one, other, msg)

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        """An exception whose text the regular expression matches, or which the function accepts."""
        try:
            yield
        except exception_type as error:
            if callable(expected_err_re_or_predicate):
                found = expected_err_re_or_predicate(error)
            else:
                text = error.message if isinstance(error, errors.OpError) else str(error)
                found = re.search(expected_err_re_or_predicate, text)
            if not found:
                raise AssertionError(f"Exception of type {type(error).__name__}: {error}") from error
        else:
            self.fail(f"{getattr(exception_type, '__name__', exception_type)} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    def assertProtoEquals(self, expected_message_maybe_ascii, validate_message, msg=None, relative_tolerance=None):
        """Messages that are equal; the first may be text."""
        wanted = expected_message_maybe_ascii
        if isinstance(wanted, str):
            from ..core.message_text import merge_text

            wanted = merge_text(wanted, type(validate_message)())
        if wanted != validate_message:
            self.fail(f"Messages differ:\n{wanted}\nand\n{validate_message}\n{msg or ''}")


class _EagerSession:
    """What `cached_session` gives eagerly."""

    def __init__(self, case):
        self._case = case

    def run(self, fetches, *args, **kwargs):
        return self._case.evaluate(fetches)


def _wide(a):
    """Types that numpy's comparisons do not know, as ones that they do."""
    return (
        a.astype(numpy.float32) if a.dtype.name in ("bfloat16", "float16") or a.dtype.name.startswith("float8") else a
    )


def _equal(a, b):
    same = numpy.asarray(a == b)
    if a.dtype.kind in "fc" or a.dtype.name == "bfloat16":
        same = same | (numpy.isnan(_wide(a)) & numpy.isnan(_wide(b)))
    return same
