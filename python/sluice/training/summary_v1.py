"""compat.v1.summary: ops that give serialized Summary messages, for a FileWriter; they are in the collection SUMMARIES."""

from __future__ import annotations

import contextlib
import re
import warnings

from ..compat import v1
from ..core import dtypes, graph, scopes
from ..core.op_defs import op
from ..platform import logs
from . import summary_ops_v2


def _collect(value, collections, default=("summaries",)):
    if graph.current() is not None:
        for key in default if collections is None else collections:
            v1.add_to_collection(key, value)


def clean_tag(name):
    """The name without what tags cannot have; None stays None."""
    if name is None:
        return None
    cleaned = re.sub(r"[^-/\w\.]", "_", name).lstrip("/")
    if cleaned != name:
        logs.info("Summary name %s is illegal; using %s instead.", name, cleaned)
    return cleaned


@contextlib.contextmanager
def _scope(name, family=None, default_name=None, values=None):
    """(tag, scope): the tag is the scope's name, behind the family where there is one."""
    name, family = clean_tag(name), clean_tag(family)
    base = name if family is None else f"{family}/{name}"
    with v1.name_scope(base, default_name, values) as scope:
        tag = scope.rstrip("/") if family is None else f"{family}/{scope.rstrip('/')}"
        yield tag, scope


def _as_v2(kind, name, family, data, **options):
    """What TensorFlow 2's writer in scope wrote; None when there is none, and the op is to be made."""
    if not v1.executing_eagerly_outside_functions():
        return None
    for lacks, what in (
        (not summary_ops_v2.has_default_writer(), "default summary writer not found."),
        (summary_ops_v2.get_step() is None, "global step not set."),
    ):
        if lacks:
            warnings.warn(
                f"Cannot activate TF2 compatibility support for TF1 summary ops: {what} Use "
                "`with SummaryWriter.as_default(step=...)`."
            )
            return None
    with _v2_scope(name, family) as tag:
        getattr(summary_ops_v2, kind)(name=tag, data=data, step=summary_ops_v2.get_step(), description=None, **options)
    return v1.constant(b"")


@contextlib.contextmanager
def _v2_scope(name, family):
    """The tag that TensorFlow 1 would have, at the top of all scopes."""
    with _scope(name, family) as (tag, _):
        with v1.name_scope(None):
            yield tag


def scalar(name, tensor, collections=None, family=None):
    """A Summary of a number."""
    written = _as_v2("scalar", name, family, tensor)
    if written is not None:
        return written
    with _scope(name, family, values=[tensor]) as (tag, scope):
        made = op("ScalarSummary")(tag, tensor, name=scope)
        _collect(made, collections)
    return made


def image(name, tensor, max_outputs=3, collections=None, family=None):
    """A Summary of at most max_outputs images of [batch, height, width, channels], whose tags end in image/0 ..."""
    written = _as_v2("image", name, family, tensor, max_outputs=max_outputs)
    if written is not None:
        return written
    with _scope(name, family, values=[tensor]) as (tag, scope):
        made = op("ImageSummary")(tag, tensor, max_images=max_outputs, name=scope)
        _collect(made, collections)
    return made


def histogram(name, values, collections=None, family=None):
    """A Summary of a histogram of values of any shape."""
    written = _as_v2("histogram", name, family, values)
    if written is not None:
        return written
    with _scope(name, family, values=[values], default_name="HistogramSummary") as (tag, scope):
        made = op("HistogramSummary")(tag, values, name=scope)
        _collect(made, collections)
    return made


def audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None):
    """A Summary of at most max_outputs sounds of [batch, samples] or [batch, samples, channels]."""
    written = _as_v2("audio", name, family, tensor, sample_rate=sample_rate, max_outputs=max_outputs)
    if written is not None:
        return written
    with _scope(name, family=family, values=[tensor]) as (tag, scope):
        rate = v1.convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate")
        made = op("AudioSummaryV2")(tag, tensor, rate, max_outputs=max_outputs, name=scope)
        _collect(made, collections)
    return made


def text(name, tensor, collections=None):
    """A Summary of texts. ValueError when they are no strings."""
    if tensor.dtype != dtypes.string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    written = _as_v2("text", name, None, tensor)
    if written is not None:
        return written
    metadata = v1.SummaryMetadata()
    metadata.plugin_data.plugin_name = "text"
    return tensor_summary(name, tensor, summary_metadata=metadata, collections=collections)


def tensor_summary(
    name,
    tensor,
    summary_description=None,
    collections=None,
    summary_metadata=None,
    family=None,
    display_name=None,
):
    """A Summary of a tensor as it is."""
    metadata = v1.SummaryMetadata()
    if summary_metadata is not None:
        metadata.CopyFrom(summary_metadata)
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    with _scope(name, family, values=[tensor]) as (tag, scope):
        made = op("TensorSummaryV2")(
            tensor=tensor, tag=tag, serialized_summary_metadata=metadata.SerializeToString(), name=scope
        )
        _collect(made, collections)
    return made


def merge(inputs, collections=None, name=None):
    """One Summary of several. RuntimeError eagerly."""
    if scopes.executing_eagerly():
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
        )
    with v1.name_scope(name, "Merge", inputs):
        made = op("MergeSummary")(list(inputs), name=name)
        _collect(made, collections, default=())
    return made


def merge_all(key="summaries", scope=None, name=None):
    """One Summary of all of the graph's collection; None when there are none."""
    if scopes.executing_eagerly():
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
        )
    found = v1.get_collection(key, scope=scope)
    return merge(found, name=name) if found else None


def get_summary_description(node_def):
    """The SummaryDescription of a TensorSummary node. ValueError for other nodes."""
    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    import json

    given = json.loads(node_def.attr["description"].s.decode() or "{}")
    return v1.summary.SummaryDescription(type_hint=given.get("typeHint", given.get("type_hint", "")))
