"""Event files of compat.v1: FileWriter, the writers that a process has by directory, and what reads the files."""

from __future__ import annotations

import os
import threading
import time
import warnings
import weakref

from ..compat import v1
from ..core import graph, scopes
from ..core.op_defs import op
from ..files import gfile, records
from .summary_ops_v2 import _anonymous


class _EventsFile:
    """An event file of the library, written whatever graph is being built."""

    def __init__(self, logdir, max_queue, flush_secs, filename_suffix):
        with graph.outside(), scopes.device("cpu:0"):
            self._resource = op("SummaryWriter")(shared_name=_anonymous())
            op("CreateSummaryFileWriter")(self._resource, logdir, max_queue, int(flush_secs * 1000), filename_suffix)

    def add(self, event):
        with graph.outside(), scopes.device("cpu:0"):
            op("ImportEvent")(self._resource, event.SerializeToString())

    def flush(self):
        with graph.outside(), scopes.device("cpu:0"):
            op("FlushSummaryWriter")(self._resource)

    def close(self):
        self.flush()
        with graph.outside(), scopes.device("cpu:0"):
            op("CloseSummaryWriter")(self._resource)


_of_sessions = weakref.WeakKeyDictionary()  # session -> {(directory, suffix): its file}


def _file_of_session(session, logdir, settings):
    """The session's file in this directory: writers of one session share it."""
    files = _of_sessions.setdefault(session, {})
    key = logdir, settings[-1]
    if key not in files:
        files[key] = _EventsFile(logdir, *settings)
    return files[key]


class FileWriter:
    """Writes events into a new file of a directory, which TensorBoard reads.

    graph: written at once. max_queue: how many events wait; flush_secs: for how long. session: writers of one session and
    directory share a file. RuntimeError eagerly.
    """

    def __init__(
        self,
        logdir,
        graph=None,
        max_queue=10,
        flush_secs=120,
        graph_def=None,
        filename_suffix=None,
        session=None,
    ):
        if scopes.executing_eagerly():
            raise RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. Use tf.summary.create_file_writer instead."
            )
        self._logdir = os.fspath(logdir)
        self._settings = max_queue, flush_secs, filename_suffix or ""
        self._seen_tags: set[str] = set()
        self._session_run_tags: dict[str, bool] = {}
        self._closed = False
        os.makedirs(self._logdir, exist_ok=True)
        if session is not None:
            self._file = _file_of_session(session, self._logdir, self._settings)
        else:
            self._file = _EventsFile(self._logdir, *self._settings)
        if graph is not None or graph_def is not None:
            self.add_graph(graph=graph, graph_def=graph_def)
            from .meta_graphs import create_meta_graph_def

            message = graph_def if graph_def is not None else _graph_def_of(graph)
            self.add_meta_graph(create_meta_graph_def(graph_def=message))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def get_logdir(self):
        return self._logdir

    # ---- what is written

    def add_event(self, event):
        """Writes an Event; warns when the writer is closed."""
        if self._closed:
            warnings.warn(
                "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened."
            )
            return
        self._file.add(event)

    def _add(self, event, global_step):
        event.wall_time = time.time()
        if global_step is not None:
            event.step = int(global_step)
        self.add_event(event)

    def add_summary(self, summary, global_step=None):
        """Writes a Summary, or its bytes; what a tag's metadata says is written once."""
        if isinstance(summary, bytes):
            summary = v1.Summary.FromString(summary)
        elif hasattr(summary, "tobytes"):
            summary = v1.Summary.FromString(bytes(summary))
        for value in summary.value:
            if not value.HasField("metadata"):
                continue
            if value.tag in self._seen_tags:
                value.ClearField("metadata")
            else:
                self._seen_tags.add(value.tag)
        self._add(v1.Event(summary=summary), global_step)

    def add_session_log(self, session_log, global_step=None):
        self._add(v1.Event(session_log=session_log), global_step)

    def add_graph(self, graph, global_step=None, graph_def=None):
        """Writes a Graph. A GraphDef may stand for it. ValueError when both are given, TypeError for anything else."""
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        message = _graph_def_of(graph if graph is not None else graph_def)
        self._add(v1.Event(graph_def=message.SerializeToString()), global_step)

    def add_meta_graph(self, meta_graph_def, global_step=None):
        """Writes a MetaGraphDef."""
        if not isinstance(meta_graph_def, v1.MetaGraphDef):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        self._add(v1.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """Writes a RunMetadata. ValueError when the tag was there before."""
        if tag in self._session_run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._session_run_tags[tag] = True
        tagged = v1.summary.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(v1.Event(tagged_run_metadata=tagged), global_step)

    # ---- the file

    def flush(self):
        """Writes what waits."""
        if self._closed:
            warnings.warn(
                "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened."
            )
            return
        self._file.flush()

    def close(self):
        if not self._closed:
            self._file.close()
            self._closed = True

    def reopen(self):
        """Goes on in another file, when it was closed."""
        if self._closed:
            self._file = _EventsFile(self._logdir, *self._settings)
            self._closed = False


def _graph_def_of(value):
    if isinstance(value, v1.Graph):
        return value.as_graph_def(add_shapes=True)
    if isinstance(value, v1.GraphDef):
        return value
    raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")


class FileWriterCache:
    """One FileWriter a directory."""

    _cache: dict[str, FileWriter] = {}
    _lock = threading.RLock()

    @staticmethod
    def clear():
        """Closes all, and forgets them."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache = {}

    @staticmethod
    def get(logdir):
        """The directory's writer, made for the current graph when there is none."""
        with FileWriterCache._lock:
            logdir = os.fspath(logdir)
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter(logdir, graph=v1.get_default_graph())
            return FileWriterCache._cache[logdir]


class _Events:
    """The Events of a file in order. At its end it stops; what is written later it gives when it is asked again."""

    def __init__(self, path):
        self._file, self._at = open(gfile.local_path(path), "rb"), 0

    def __iter__(self):
        return self

    def __next__(self):
        self._file.seek(self._at)
        record = records.read_record(self._file, self._at)
        if record is None:
            raise StopIteration
        self._at += len(record) + 16
        return v1.Event.FromString(record)

    def __del__(self):
        if hasattr(self, "_file"):
            self._file.close()


def summary_iterator(path):
    """The Events of a file, in order."""
    return _Events(path)
