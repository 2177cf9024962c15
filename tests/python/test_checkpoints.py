"""Checkpoints of objects: written, listed, restored into equal and other objects; also those that TensorFlow wrote."""

import pathlib

import numpy as np
import pytest

import sluice as tf


class Dense(tf.Module):
    def __init__(self, n, m):
        super().__init__()
        self.w = tf.Variable(np.arange(n * m, dtype="f4").reshape(n, m), name="w")
        self.b = tf.Variable(tf.zeros([m]), name="b")


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(2, 3), Dense(3, 1)]
        self.steps = {"a.b": tf.Variable(7)}


def test_what_is_saved_is_restored(tmp_path):
    net = Net()
    checkpoint = tf.train.Checkpoint(net=net)
    path = checkpoint.save(tmp_path / "ckpt")
    assert path == str(tmp_path / "ckpt-1") and tf.train.latest_checkpoint(tmp_path) == path
    net.layers[0].w.assign(tf.zeros([2, 3]))
    net.steps["a.b"].assign(0)
    assert checkpoint.save(tmp_path / "ckpt") == str(tmp_path / "ckpt-2")
    other = Net()
    tf.train.Checkpoint(net=other).restore(path).assert_consumed()
    assert other.layers[0].w.numpy().tolist() == [[0, 1, 2], [3, 4, 5]] and other.steps["a.b"].numpy() == 7
    restored = tf.train.Checkpoint(net=other)
    restored.restore(tf.train.latest_checkpoint(tmp_path)).assert_consumed()
    assert not other.layers[0].w.numpy().any() and restored.save_counter.numpy() == 2
    text = (tmp_path / "checkpoint").read_text()
    assert text.splitlines()[0] == 'model_checkpoint_path: "ckpt-2"' and text.count("all_model_checkpoint_paths") == 2


def test_what_does_not_match_is_told(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(tmp_path / "x")
    a, c = tf.Variable(0.0), tf.Variable(5.0)
    status = tf.train.Checkpoint(a=a, c=c).read(path)
    assert a.numpy() == 1.0 and c.numpy() == 5.0 and status.expect_partial() is status
    with pytest.raises(AssertionError, match="No checkpointed value for c"):
        status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Unresolved object in checkpoint: b/"):
        tf.train.Checkpoint(a=a).read(path).assert_consumed()
    with pytest.raises(tf.errors.NotFoundError):
        tf.train.Checkpoint(a=a).read(tmp_path / "nothing")
    with pytest.raises(ValueError, match="expecting n to be a trackable object"):
        tf.train.Checkpoint(n=3)
    assert tf.train.latest_checkpoint(tmp_path / "nowhere") is None


def test_a_shape_that_differs_is_refused_before_anything_is_lost(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable([1.0, 2.0])).write(tmp_path / "x")
    a = tf.Variable([5.0])
    with pytest.raises(ValueError, match="Shape mismatch"):
        tf.train.Checkpoint(a=a).read(path)
    assert a.numpy().tolist() == [5.0]


def test_tensorflows_own_are_read():
    folder = pathlib.Path(__file__).parent.parent / "data" / "saved_model" / "keras" / "variables"
    names = [
        t
        for t in tf.raw_ops.RestoreV2(
            prefix=str(folder / "variables"),
            tensor_names=["_CHECKPOINTABLE_OBJECT_GRAPH"],
            shape_and_slices=[""],
            dtypes=[tf.string],
        )
    ]
    from sluice.saving.checkpoint import _decode

    nodes = _decode(names[0].numpy())
    assert len(nodes) > 3 and any("VARIABLE_VALUE" in attributes for _, attributes in nodes)
