"""tf.summary: writers of event files, and what is written to the one that is in scope.

A writer is a resource of the library. `with writer.as_default(step=...)`: scalar, histogram ... and `write` go to it; without a
writer they do nothing. The formats of what the kinds write are those of TensorBoard's plugins.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import threading
import weakref

from ..compat import v1
from ..core import dtypes, graph, scopes, tensor
from ..core.op_defs import op
from ..platform import profiler as _profiler

_COLLECTION = "_SUMMARY_V2"  # of graphs: the ops that write
_INITS = "_SUMMARY_WRITER_INIT"
_names = itertools.count()


class _State(threading.local):
    """What a thread has in scope."""

    def __init__(self):
        self.writer, self.step, self.is_recording = None, None, True


_state = _State()


# ---- writers


class SummaryWriter:
    """What summaries are written with: see create_file_writer and create_noop_writer."""

    def set_as_default(self, step=None):
        """This thread's summaries go to the writer from here on; step: see `tf.summary.experimental.set_step`."""
        self.as_default(step).__enter__()

    @contextlib.contextmanager
    def as_default(self, step=None):
        """Summaries within go to the writer."""
        raise NotImplementedError
        yield

    def init(self):
        """Makes the file; eagerly that is done already. In a graph an operation."""
        raise NotImplementedError

    def flush(self):
        """Writes what waits."""
        raise NotImplementedError

    def close(self):
        """Writes what waits, and ends the file."""
        raise NotImplementedError


class _Noop(SummaryWriter):
    def set_as_default(self, step=None):
        pass

    @contextlib.contextmanager
    def as_default(self, step=None):
        yield

    def init(self):
        pass

    flush = close = init


def _destroy(resource):
    """Ends a writer's file when nobody has the writer any more."""
    with graph.outside(), scopes.device("cpu:0"):
        op("DestroyResourceOp")(resource, ignore_lookup_error=True)


class _FileWriter(SummaryWriter):
    def __init__(self, make, init):
        self._make, self._init_of = make, init
        self._closed = False
        self._resource = make()
        self._init_op = init(self._resource)
        if scopes.executing_eagerly():
            weakref.finalize(self, _destroy, self._resource).atexit = False
        else:
            v1.add_to_collection(_INITS, self._init_op)

    def _refuse_closed(self):
        if self._closed:
            raise RuntimeError(f"SummaryWriter {self!r} is already closed")

    def init(self):
        self._refuse_closed()
        return self._init_op

    def set_as_default(self, step=None):
        self._refuse_closed()
        _state.writer = self
        if step is not None:
            _state.step = step

    @contextlib.contextmanager
    def as_default(self, step=None):
        self._refuse_closed()
        before = _state.writer, _state.step
        _state.writer = self
        if step is not None:
            _state.step = step
        try:
            yield self
            self.flush()
        finally:
            _state.writer = before[0]
            if step is not None:
                _state.step = before[1]

    def flush(self):
        if self._closed:
            return None
        with scopes.device("cpu:0"):
            return op("FlushSummaryWriter")(self._resource)

    def close(self):
        if self._closed:
            return None
        with (
            scopes.control_dependencies([self.flush()] if graph.current() is not None else None),
            scopes.device("cpu:0"),
        ):
            done = op("CloseSummaryWriter")(self._resource)
        if scopes.executing_eagerly():
            self._closed = True
        return done


def create_file_writer(
    logdir,
    max_queue=None,
    flush_millis=None,
    filename_suffix=None,
    name=None,
    experimental_trackable=False,
    experimental_mesh=None,
):
    """A writer of a new event file in the directory.

    max_queue: how many summaries wait at most (10); flush_millis: how long they do (2 minutes); filename_suffix: ".v2".
    ValueError when an argument is a tensor of a graph that ends before the writer does.
    """
    if experimental_mesh is not None:
        raise NotImplementedError("create_file_writer(experimental_mesh=...)")
    values = {
        "logdir": os.fspath(logdir) if isinstance(logdir, os.PathLike) else logdir,
        "max_queue": 10 if max_queue is None else max_queue,
        "flush_millis": 2 * 60 * 1000 if flush_millis is None else flush_millis,
        "filename_suffix": ".v2" if filename_suffix is None else filename_suffix,
    }
    with graph.init_scope():  # a function's writer is made when it is traced
        eagerly = scopes.executing_eagerly()
        for word, value in values.items():
            if eagerly and isinstance(value, tensor.Tensor) and not isinstance(value, tensor.EagerTensor):
                raise ValueError(
                    f'Invalid graph Tensor argument "{word}={value}" to eager create_file_writer(): a writer may live longer '
                    "than the graph."
                )
        shared_name = _anonymous() if eagerly else f"logdir:{logdir}"

        def make():
            return op("SummaryWriter")(shared_name=shared_name, name=name or "create_file_writer")

        def init(resource):
            return op("CreateSummaryFileWriter")(
                resource, values["logdir"], values["max_queue"], values["flush_millis"], values["filename_suffix"]
            )

        with v1.name_scope(name, "create_file_writer"), scopes.device("cpu:0"):
            return (_TrackableFileWriter if experimental_trackable else _FileWriter)(make, init)


def _anonymous():
    return f"summary_writer_{os.getpid()}_{next(_names)}"


def create_noop_writer():
    """A writer that changes nothing: what is in scope stays so."""
    return _Noop()


def flush(writer=None, name=None):
    """Writes what waits in the writer, or in the one in scope."""
    if writer is None:
        writer = _state.writer
        if writer is None:
            return op("NoOp")() if graph.current() is not None else None
    if isinstance(writer, SummaryWriter):
        return writer.flush()
    raise ValueError(f"Invalid argument to flush(): {writer!r}")


def initialize(graph=None, session=None):
    """Makes the files of the graph's writers, in a session; compat.v1.summary.initialize. Eagerly that is done already."""
    if scopes.executing_eagerly():
        return
    if _state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    if session is None:
        session = v1.get_default_session()
        if session is None:
            raise ValueError("Argument `session must be passed if no default session exists")
    session.run(v1.get_collection(_INITS))
    if graph is not None:
        data = graph.as_graph_def(add_shapes=True).SerializeToString()
        waiting = v1.placeholder(dtypes.string)
        with scopes.device("cpu:0"):
            done = op("WriteGraphSummary")(_state.writer._resource, 0, waiting)
        session.run(done, feed_dict={waiting: data})


def all_v2_summary_ops():
    """The ops of the current graph that write summaries; None eagerly."""
    return None if scopes.executing_eagerly() else v1.get_collection(_COLLECTION)


def summary_writer_initializer_op():
    """The ops that make the files of the graph's writers. RuntimeError eagerly."""
    if scopes.executing_eagerly():
        raise RuntimeError("tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode.")
    return v1.get_collection(_INITS)


# ---- whether and when


def has_default_writer():
    return _state.writer is not None


def get_step():
    """The step that summaries have when they say none."""
    return _state.step


def set_step(step):
    """The step of this thread's summaries that say none: a number, a tensor, a variable that is read each time."""
    _state.step = step


@contextlib.contextmanager
def record_if(condition):
    """Summaries within are written when the condition holds: a truth, a tensor, a variable, or a function that gives one."""
    before, _state.is_recording = _state.is_recording, condition
    try:
        yield
    finally:
        _state.is_recording = before


def should_record_summaries():
    """Whether a summary is written now: there is a writer, and `record_if` says so."""
    if _state.writer is None:
        return False
    condition = _state.is_recording
    condition = condition() if callable(condition) and not hasattr(condition, "read_value") else condition
    return condition.read_value() if hasattr(condition, "read_value") else condition


def _when_recording(record, name):
    """record() when summaries are recorded; whether they were, as a tensor."""
    condition = should_record_summaries()
    if isinstance(condition, tensor.EagerTensor):
        condition = bool(condition)
    if isinstance(condition, tensor.Tensor):
        return v1.cond(condition, record, lambda: v1.constant(False), name="summary_cond")
    return record() if condition else v1.constant(False)


def _write(name, default_name, step, make):
    """make(resource, step, scope) -> an operation that writes, when there is a writer and it is to record."""
    with v1.name_scope(name, default_name) as scope:
        if _state.writer is None:
            return v1.constant(False)
        step = get_step() if step is None else step

        def record():
            if step is None:
                raise ValueError(
                    "No step set. Please specify one either through the `step` argument or through "
                    "tf.summary.experimental.set_step()"
                )
            with scopes.device("cpu:0"):
                at = v1.cast(tensor.convert(step), dtypes.int64)
                done = make(_state.writer._resource, at, scope)
                with scopes.control_dependencies([done] if graph.current() is not None else None):
                    return v1.constant(True)

        with scopes.device("cpu:0"):
            done = _when_recording(record, scope)
        if not scopes.executing_eagerly():
            v1.add_to_collection(_COLLECTION, done)
        return done


def write(tag, tensor, step=None, metadata=None, name=None):
    """Writes a tensor under a tag; gives whether it was written. tensor: or a function that gives one.

    metadata: a SummaryMetadata, or its bytes. ValueError when there is no step.
    """
    if metadata is None:
        metadata = b""
    elif hasattr(metadata, "SerializeToString"):
        metadata = metadata.SerializeToString()

    def make(resource, at, scope):
        value = tensor() if callable(tensor) else v1.identity(tensor)
        return op("WriteSummary")(resource, at, value, tag, metadata, name=scope)

    return _write(name, "write_summary", step, make)


def write_raw_pb(tensor, step=None, name=None):
    """Writes serialized Summary messages; gives whether they were written."""

    def make(resource, at, scope):
        return op("WriteRawProtoSummary")(resource, at, v1.identity(tensor), name=scope)

    return _write(name, "write_raw_pb", step, make)


@contextlib.contextmanager
def summary_scope(name, default_name="summary", values=None):
    """(tag, scope) of a summary: the tag is the name behind the scopes around, the scope what of it may be in names of nodes."""
    name = name or default_name
    around = v1.get_default_graph().get_name_scope() if graph.current() is not None else _eager_scope()
    tag = f"{around}/{name}" if around else name
    legal = re.sub(r"[^A-Za-z0-9_.\-/]", "", name) or default_name
    with v1.name_scope(legal, default_name, values) as scope:
        yield tag, scope


def _eager_scope():
    scope = getattr(scopes, "current_name_scope", lambda: "")()
    return scope.rstrip("/")


# ---- kinds of summaries


_UNKNOWN, _TIME_SERIES, _TENSOR, _BLOBS = 0, 1, 2, 3


def _metadata(plugin, data_class, description, content=b""):
    made = v1.SummaryMetadata(summary_description=description or "", data_class=data_class)
    made.plugin_data.plugin_name = plugin
    made.plugin_data.content = content
    return made


def scalar(name, data, step=None, description=None):
    """Writes a number."""
    with summary_scope(name, "scalar_summary", values=[data, step]) as (tag, _):
        v1.debugging.assert_scalar(data)
        return write(tag, lambda: v1.cast(data, dtypes.float32), step, _metadata("scalars", _TIME_SERIES, description))


def histogram(name, data, step=None, buckets=None, description=None):
    """Writes how often values are in each of `buckets` (30) ranges of equal width: rows (from, to, count), as doubles."""
    with summary_scope(name, "histogram_summary", values=[data, buckets, step]) as (tag, _):
        return write(
            tag,
            lambda: _buckets(data, 30 if buckets is None else buckets),
            step,
            _metadata("histograms", _TENSOR, description),
        )


def _buckets(data, count):
    values = v1.cast(v1.reshape(data, [-1]), dtypes.float64)
    if count == 0:
        return v1.zeros([0, 3], dtypes.float64)
    n = v1.size(values)
    # Without values, and where all are equal, the ranges have no width.
    some = v1.concat([values, v1.zeros([1 - v1.minimum(n, 1)], dtypes.float64)], 0)
    low, high = v1.reduce_min(some), v1.reduce_max(some)
    width = (high - low) / count
    index = v1.cast(v1.floor(v1.div_no_nan(values - low, width)), dtypes.int32)
    last = count - 1
    index = v1.where(v1.fill(v1.shape(values), v1.equal(width, 0)), v1.fill(v1.shape(values), last), index)
    counts = v1.cast(v1.bincount(v1.minimum(index, last), minlength=count, maxlength=count), dtypes.float64)
    edges = low + width * v1.cast(v1.range(count + 1), dtypes.float64)
    edges = v1.concat([edges[:-1], [high]], 0)
    return v1.stack([edges[:-1], edges[1:], counts], 1)


def image(name, data, step=None, max_outputs=3, description=None):
    """Writes images [k, height, width, channels] of 1 to 4 channels: bytes, or floats in [0, 1]; at most max_outputs."""
    with summary_scope(name, "image_summary", values=[data, max_outputs, step]) as (tag, scope):
        v1.debugging.assert_non_negative(max_outputs)

        def encoded():
            images = v1.image.convert_image_dtype(data, dtypes.uint8, saturate=True)
            images = images[:max_outputs]
            pngs = v1.map_fn(lambda one: op("EncodePng")(one), images, dtype=dtypes.string)
            height, width = v1.shape(images)[1], v1.shape(images)[2]
            return v1.concat([v1.stack([v1.as_string(width), v1.as_string(height)]), pngs], 0)

        return write(tag, encoded, step, _metadata("images", _BLOBS, description))


def audio(name, data, sample_rate, step=None, max_outputs=3, encoding=None, description=None):
    """Writes sounds [k, samples, channels] of floats in [-1, 1], as wav files; at most max_outputs. encoding: "wav" or None."""
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}")
    with summary_scope(name, "audio_summary", values=[data, sample_rate, max_outputs, step]) as (tag, _):

        def encoded():
            sounds = v1.cast(data, dtypes.float32)[:max_outputs]
            wavs = v1.map_fn(lambda one: op("EncodeWav")(one, sample_rate), sounds, dtype=dtypes.string)
            return v1.stack([wavs, v1.fill(v1.shape(wavs), "")], 1)

        return write(tag, encoded, step, _metadata("audio", _BLOBS, description, b"\x10\x0b\x18\x01"))


def text(name, data, step=None, description=None):
    """Writes texts: a tensor of strings."""
    with summary_scope(name, "text_summary", values=[data, step]) as (tag, _):
        data = tensor.convert(data)
        if data.dtype != dtypes.string:
            raise ValueError(f"Expected a tensor of strings, got {data.dtype}")
        return write(tag, data, step, _metadata("text", _TENSOR, description))


def graph_summary(graph_data):
    """Writes a graph: a Graph, a GraphDef; tf.summary.graph. InvalidArgumentError in functions and graphs."""
    if not scopes.executing_eagerly():
        raise ValueError("graph() cannot be invoked inside a graph context.")
    writer = _state.writer
    if writer is None or not should_record_summaries():
        return v1.constant(False)
    if isinstance(graph_data, (v1.Graph, v1.GraphDef)):
        message = graph_data.as_graph_def(add_shapes=True) if isinstance(graph_data, v1.Graph) else graph_data
        with scopes.device("cpu:0"):
            op("WriteGraphSummary")(writer._resource, tensor.convert(0, 9), message.SerializeToString())
        return v1.constant(True)
    raise ValueError("'graph_data' is not tf.Graph or tf.compat.v1.GraphDef")


class _TrackableFileWriter(_FileWriter):
    """A writer that a SavedModel may have: it is made anew where the model is loaded."""

    def _create_resource(self):
        return self._make()

    def _initialize(self):
        self._init_op = self._init_of(self._resource)


# ---- traces


class _Trace:
    def __init__(self, graph_wanted, profiler):
        self.graph, self.profiler, self.functions = graph_wanted, profiler, {}


_trace: _Trace | None = None
_trace_lock = threading.Lock()


def _warn(message):
    v1.logging.warn(message)


def trace_on(graph=True, profiler=False, profiler_outdir=None):
    """Begins to note the graphs of functions that are called, and to profile."""
    global _trace
    if _is_building_function():
        _warn("Cannot enable trace inside a tf.function.")
        return
    if not scopes.executing_eagerly():
        _warn("Must enable trace in eager mode.")
        return
    with _trace_lock:
        if _trace is not None:
            _warn("Trace already enabled")
            return
        if profiler:
            if profiler_outdir is None:
                _warn("Profiler requires an output directory: it is not started.")
                profiler = False
            else:
                _profiler.start(profiler_outdir)
        _trace = _Trace(graph, profiler)
        _listen(_trace if graph else None)


def _is_building_function():
    here = graph.current()
    return here is not None and here.building_function


def _listen(trace):
    from ..core import concrete_function

    concrete_function.call_listener = None if trace is None else lambda f: trace.functions.setdefault(f.name, f)


def trace_export(name, step=None, profiler_outdir=None):
    """Writes what was noted since trace_on, and ends that. ValueError when trace_on was not called."""
    if _is_building_function():
        _warn("Cannot export trace inside a tf.function.")
        return
    if not scopes.executing_eagerly():
        _warn("Can only export trace while executing eagerly.")
        return
    with _trace_lock:
        if _trace is None:
            raise ValueError("Must enable trace before export through tf.summary.trace_on.")
        noted = _trace
    metadata = v1.RunMetadata()
    for f in noted.functions.values():
        metadata.function_graphs.add().pre_optimization_graph.ParseFromString(f.graph.as_graph_def_bytes())
        metadata.partition_graphs.add().ParseFromString(f.graph.as_graph_def_bytes())
    if noted.graph:
        run_metadata_graphs(name, metadata, step)
    _end_trace(save=True)


def trace_off():
    """Forgets what was noted."""
    _end_trace(save=False)


def _end_trace(save):
    global _trace
    with _trace_lock:
        if _trace is not None and _trace.profiler:
            _profiler.stop(save)
        _trace = None
        _listen(None)


def run_metadata(name, data, step=None):
    """Writes a whole RunMetadata."""
    return _write_run_metadata(name, data, step, "graph_run_metadata")


def run_metadata_graphs(name, data, step=None):
    """Writes the graphs of a RunMetadata."""
    graphs = v1.RunMetadata(function_graphs=data.function_graphs, partition_graphs=data.partition_graphs)
    return _write_run_metadata(name, graphs, step, "graph_run_metadata_graph")


def _write_run_metadata(name, data, step, plugin):
    metadata = v1.SummaryMetadata()
    metadata.plugin_data.plugin_name, metadata.plugin_data.content = plugin, b"1"
    with summary_scope(name, plugin + "_summary", values=[data, step]) as (tag, _):
        return write(tag, v1.constant(data.SerializeToString(), dtypes.string), step, metadata)
