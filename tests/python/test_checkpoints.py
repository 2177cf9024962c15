"""Checkpoints of objects: written, listed, restored into equal and other objects; also those that TensorFlow wrote."""

import os
import pathlib
import subprocess
import sys

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
    assert text.splitlines()[0] == 'model_checkpoint_path: "ckpt-2"' and text.count("all_model_checkpoint_paths") == 1


def test_what_does_not_match_is_told(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(tmp_path / "x")
    a, c = tf.Variable(0.0), tf.Variable(5.0)
    status = tf.train.Checkpoint(a=a, c=c).read(path)
    assert a.numpy() == 1.0 and c.numpy() == 5.0 and status.expect_partial() is status
    with pytest.raises(AssertionError, match="1 Python objects that were not bound to checkpointed values"):
        status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\).b"):
        tf.train.Checkpoint(a=a).read(path).assert_consumed()
    with pytest.raises(tf.errors.NotFoundError):
        tf.train.Checkpoint(a=a).read(tmp_path / "nothing")
    with pytest.raises(ValueError, match="expecting n to be a trackable object"):
        tf.train.Checkpoint(n=3)
    assert tf.train.latest_checkpoint(tmp_path / "nowhere") is None


def test_a_shape_that_differs_is_refused_before_anything_is_lost(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable([1.0, 2.0])).write(tmp_path / "x")
    a = tf.Variable([5.0])
    with pytest.raises(ValueError, match=r"Received incompatible tensor with shape \(2,\)"):
        tf.train.Checkpoint(a=a).read(path)
    assert a.numpy().tolist() == [5.0]


def test_tensorflows_own_are_read():
    folder = pathlib.Path(__file__).parent.parent / "data" / "saved_model" / "keras" / "variables"
    view = tf.train.CheckpointView(folder / "variables")
    reader = tf.train.load_checkpoint(folder / "variables")
    shapes = reader.get_variable_to_shape_map()
    assert len(view.descendants()) > 3 and any(name.endswith("/.ATTRIBUTES/VARIABLE_VALUE") for name in shapes)
    name = next(n for n, shape in shapes.items() if len(shape) == 2)
    assert list(reader.get_tensor(name).shape) == shapes[name]
    with pytest.raises(tf.errors.NotFoundError, match="Key nothing not found in checkpoint"):
        reader.get_tensor("nothing")


def test_values_wait_for_objects(tmp_path):
    net = Net()
    net.layers[1].w.assign(tf.ones([3, 1]))
    path = tf.train.Checkpoint(net=net).write(tmp_path / "x")
    late = tf.Module()
    status = tf.train.Checkpoint(net=late).read(path)
    with pytest.raises(AssertionError):
        status.assert_consumed()
    late.layers = [tf.Module()]
    late.layers.append(tf.Module())
    late.layers[1].w = tf.Variable(tf.zeros([3, 1]))
    assert late.layers[1].w.numpy().all()


def test_python_state(tmp_path):
    class Text(tf.train.experimental.PythonState):
        def __init__(self, text):
            self.text = text

        def serialize(self):
            return self.text

        def deserialize(self, string_value):
            self.text = string_value.decode()

    path = tf.train.Checkpoint(t=Text("first")).write(tmp_path / "x")
    other = Text("other")
    tf.train.Checkpoint(t=other).read(path).assert_consumed()
    assert other.text == "first"


def test_the_root_itself(tmp_path):
    dense = Dense(2, 1)
    path = tf.train.Checkpoint(dense, extra=tf.Variable(3)).save(tmp_path / "x")
    names = [name for name, _ in tf.train.list_variables(path)]
    keys = ["b", "extra", "save_counter", "w"]
    assert names == ["_CHECKPOINTABLE_OBJECT_GRAPH"] + [k + "/.ATTRIBUTES/VARIABLE_VALUE" for k in keys]
    assert tf.train.load_variable(path, "w/.ATTRIBUTES/VARIABLE_VALUE").tolist() == [[0], [1]]


def test_manager(tmp_path):
    v = tf.Variable(1.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(tmp_path), max_to_keep=2)
    assert manager.restore_or_initialize() is None
    paths = [manager.save() for _ in range(3)]
    assert manager.checkpoints == paths[1:] and manager.latest_checkpoint == paths[2]
    assert not tf.compat.v1.train.checkpoint_exists(paths[0])
    v.assign(5.0)
    again = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(tmp_path), max_to_keep=2)
    assert again.checkpoints == paths[1:] and again.restore_or_initialize() == paths[2] and v.numpy() == 1
    assert next(tf.train.checkpoints_iterator(str(tmp_path))) == paths[2]


def test_in_a_graph(tmp_path):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        v = tf.compat.v1.Variable(1.0, use_resource=True)
        checkpoint = tf.train.Checkpoint(v=v)
        session.run(v.initializer)
        path = checkpoint.save(tmp_path / "x")
        session.run(v.assign(5.0))
        checkpoint.restore(path).assert_consumed().run_restore_ops()
        assert session.run(v) == 1.0


def _trained(steps):
    model = tf.Module()
    model.w = tf.Variable([1.0, 2.0])
    optimizer = tf.compat.v1.train.MomentumOptimizer(0.1, 0.5)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model.w * model.w)
        optimizer.apply_gradients([(tape.gradient(loss, model.w), model.w)])
        return optimizer.get_slot(model.w, "momentum").numpy().tolist()

    for _ in range(steps):
        step()
    return checkpoint, step


def test_optimizers_slots(tmp_path):
    checkpoint, step = _trained(1)
    path = checkpoint.save(tmp_path / "x")
    assert "model/w/.OPTIMIZER_SLOT/optimizer/momentum/.ATTRIBUTES/VARIABLE_VALUE" in dict(
        tf.train.list_variables(path)
    )
    expected = step()
    again, step_again = _trained(0)
    status = again.restore(path)  # the slot is made later
    assert step_again() == expected
    status.assert_consumed()
    without, step_without = _trained(0)
    options = tf.train.CheckpointOptions(experimental_skip_slot_variables=True)
    status = without.restore(path, options)
    assert step_without() == pytest.approx([1.6, 3.2])
    status.assert_consumed()


@pytest.mark.parametrize("folder", ["./kept", "kept", "./a/../kept", "."])
def test_folders_that_are_relative(tmp_path, monkeypatch, folder):
    """The file names checkpoints as they lie in the folder, so that it may be moved."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    v = tf.Variable(1.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), folder, max_to_keep=2)
    for _ in range(3):
        v.assign_add(1.0)
        manager.save()
    state = (tmp_path / folder / "checkpoint").read_text()
    assert state.startswith('model_checkpoint_path: "ckpt-3"\nall_model_checkpoint_paths: "ckpt-2"\n')
    again = tf.Variable(0.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=again), folder, max_to_keep=2)
    assert manager.latest_checkpoint == tf.train.latest_checkpoint(folder) == os.path.join(folder, "ckpt-3")
    assert manager.checkpoints == [os.path.join(folder, f"ckpt-{n}") for n in (2, 3)]
    assert manager.restore_or_initialize() == manager.latest_checkpoint and again.numpy() == 4.0


TASKS = """
import sys
import sluice as tf
servers = [tf.distribute.Server.create_local_server() for _ in range(2)]
tf.config.experimental_connect_to_cluster(tf.train.ClusterSpec({"worker": [s.target[7:] for s in servers]}))
root = tf.Module()
root.here = tf.Variable(5.0)
for i in range(2):
    with tf.device(f"/job:worker/task:{i}/cpu:0"):
        setattr(root, f"there_{i}", tf.Variable(float(i)))
by_task = tf.train.CheckpointOptions(experimental_sharding_callback=tf.train.experimental.ShardByTaskPolicy())
path = tf.train.Checkpoint(root).save(sys.argv[1], options=by_task)
for v in (root.here, root.there_0, root.there_1):
    v.assign(9.0)
tf.train.Checkpoint(root).restore(path)
print(*[v.numpy() for v in (root.here, root.there_0, root.there_1)])
"""


def test_each_task_writes_its_own(tmp_path):
    try:
        tf.distribute.Server.create_local_server()
    except tf.errors.OpError as error:  # a library without servers
        pytest.skip(str(error).partition("\n")[0])
    command = [sys.executable, "-c", TASKS, str(tmp_path / "all")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["5.0", "0.0", "1.0"], done.stderr[-2000:]
    assert len(list(tmp_path.glob("all-1.data-*-of-00003"))) == 3


def test_variables_are_named_by_the_first_child_in_order_of_names(tmp_path):
    v = tf.Variable(1.0)
    path = tf.train.Checkpoint(step=tf.train.Checkpoint(v=v), net=tf.train.Checkpoint(v=v)).write(tmp_path / "x")
    assert [n for n, _ in tf.train.list_variables(path)] == [
        "_CHECKPOINTABLE_OBJECT_GRAPH", "net/v/.ATTRIBUTES/VARIABLE_VALUE"
    ]  # fmt: skip


def test_items_of_lists_that_do_not_fit_stay_as_they_were_made(tmp_path):
    """As the slots of Keras' optimizers, which stand at other places of their list when a model has one variable more."""
    path = tf.train.Checkpoint(slots=[tf.Variable([1.0, 2.0]), tf.Variable(3.0)]).write(tmp_path / "x")
    later = tf.train.Checkpoint(slots=[])
    later.restore(path)
    for initial in ([[4.0]], 5.0):
        later.slots.append(tf.Variable(initial))
    assert [v.numpy().tolist() for v in later.slots] == [[[4.0]], 3.0]
