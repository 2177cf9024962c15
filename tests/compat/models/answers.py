"""What TensorFlow answers for a model, as a plain record that needs no TensorFlow to be read."""

import os

import numpy as np
import tensorflow as tf
from google.protobuf import text_format

from models.kinds import Run, tf1


def opened(session, model):
    """Loads the model into the session; its signatures."""
    if os.path.isdir(model.path):
        return tf1.saved_model.load(session, list(model.tags), model.path).signature_def
    data = open(model.path, "rb").read()
    if ".meta" in model.path:
        tf1.train.import_meta_graph(model.path)
        return {}
    graph = (
        text_format.Parse(data.decode(), tf1.GraphDef())
        if model.path.endswith("txt")
        else tf1.GraphDef.FromString(data)
    )
    tf.import_graph_def(graph, name="")
    return {}


def steps_of(model):
    """The runs, those of the training before them: (Run, whether it is one of the training's)."""
    t = model.training
    for step in range(t.steps if t else 0):
        feeds = {}
        for name, values in t.examples.items():
            feeds[name] = values[(np.arange(t.batch) + step * t.batch) % len(values)]
        yield Run(feeds, "train"), True
    for run in model.runs:
        yield run, False


def as_bytes(value):
    """Strings as an array of bytes objects."""
    value = np.asarray(value, object)
    flat = [v if isinstance(v, bytes) else v.encode() for v in value.reshape(-1)]
    result = np.empty(len(flat), object)
    result[:] = flat
    return result.reshape(value.shape)


def fed(session, feeds):
    """(tensor, type, value) as the C API wants them: bfloat16 as its bits."""
    result = []
    for name, value in feeds.items():
        tensor = session.graph.get_tensor_by_name(name)
        value = as_bytes(value) if tensor.dtype == tf.string else np.asarray(value, tensor.dtype.as_numpy_dtype)
        result.append((name, tensor.dtype.base_dtype.as_datatype_enum, value))
    return result


def record(name, model):
    """Runs everything through a session of TensorFlow."""
    config = tf1.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    result = {
        "name": name,
        "path": model.path,
        "tags": list(model.tags),
        "options": list(model.options),
        "before": [],
        "steps": [],
        "training": None,
        "own_devices": model.own_devices,
        "tolerance": model.tolerance,
        "saved": os.path.isdir(model.path),
    }
    if model.training:
        result["training"] = {
            "examples": dict(model.training.examples),
            "batch": model.training.batch,
            "steps": model.training.steps,
        }
    with tf.Graph().as_default(), tf1.Session(config=config) as session:
        signatures = opened(session, model)
        for targets, feeds in model.before:
            session.run(targets, feeds)
            result["before"].append((targets, fed(session, feeds)))
        for run, trains in steps_of(model):
            inputs, outputs, keys = run.feeds, list(run.fetches), list(run.fetches)
            if run.signature:
                signature = signatures[run.signature]
                inputs = {signature.inputs[key].name: value for key, value in run.feeds.items()}
                keys = sorted(signature.outputs)
                outputs = [signature.outputs[key].name for key in keys]
            step = {
                "signature": run.signature,
                "feeds": dict(run.feeds),
                "inputs": fed(session, inputs),
                "outputs": outputs,
                "keys": keys,
                "again": run.again,
                "after": run.after,
                "trains": trains,
                "freezes": model.not_frozen not in ("*", run.signature or None),
            }
            for _ in range(run.again):
                step["wanted"] = [
                    as_bytes(v) if np.asarray(v).dtype.kind in "OS" else np.asarray(v)
                    for v in session.run(outputs, inputs)
                ]
            result["steps"].append(step)
    return result
