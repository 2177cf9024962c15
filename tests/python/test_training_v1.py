"""Optimizers, savers, hooks and sessions of compat.v1.train. Expected values are TensorFlow's."""

import os
import threading

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1
train = v1.train

# Of w = [1, 2] after two steps of learning rate 0.1 down w * w, as TensorFlow's kernels give it.
STEPS = {
    "GradientDescentOptimizer": [0.64, 1.28],
    "AdamOptimizer": [0.8004126, 1.8001668],
    "AdagradOptimizer": [0.8347373, 1.831543],
    "AdadeltaOptimizer": [0.99991, 1.99991],
    "FtrlOptimizer": [0.68578196, 1.6771111],
    "RMSPropOptimizer": [0.6872513, 1.5594707],
    "ProximalAdagradOptimizer": [0.8347373, 1.831543],
    "ProximalGradientDescentOptimizer": [0.64, 1.28],
}


@pytest.mark.parametrize("name", STEPS)
def test_two_steps_eagerly(name):
    w = tf.Variable([1.0, 2.0])
    optimizer = getattr(train, name)(0.1)
    for _ in range(2):
        optimizer.minimize(lambda: tf.reduce_sum(w * w))
    np.testing.assert_allclose(w.numpy(), STEPS[name], rtol=1e-5)


@pytest.mark.parametrize("use_resource", [True, False])
@pytest.mark.parametrize("name", STEPS)
def test_two_steps_in_a_graph(name, use_resource):
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.Variable([1.0, 2.0], use_resource=use_resource)
        optimizer = getattr(train, name)(0.1)
        step = train.get_or_create_global_step()
        update = optimizer.apply_gradients([(2.0 * w, w)], global_step=step)
        session.run(v1.global_variables_initializer())
        for _ in range(2):
            session.run(update)
        np.testing.assert_allclose(session.run(w), STEPS[name], rtol=1e-5)
        assert session.run(step) == 2
        assert update in v1.get_collection("train_op")


@pytest.mark.parametrize("name", ["GradientDescentOptimizer", "AdagradOptimizer", "AdamOptimizer", "RMSPropOptimizer"])
def test_rows_that_are_there_twice_are_added(name):
    both, once = tf.Variable([[1.0], [2.0]]), tf.Variable([[1.0], [2.0]])
    twice = tf.IndexedSlices(tf.constant([[0.1], [0.1]]), tf.constant([1, 1]), tf.constant([2, 1]))
    added = tf.IndexedSlices(tf.constant([[0.2]]), tf.constant([1]), tf.constant([2, 1]))
    getattr(train, name)(0.5).apply_gradients([(twice, both)])
    getattr(train, name)(0.5).apply_gradients([(added, once)])
    np.testing.assert_allclose(both.numpy(), once.numpy(), rtol=1e-6)
    assert both.numpy()[0] == 1.0 and both.numpy()[1] < 2.0


def test_slots_are_variables_beside_the_variable():
    with tf.Graph().as_default():
        w = v1.Variable([1.0, 2.0], name="w")
        optimizer = train.MomentumOptimizer(0.1, 0.9)
        optimizer.apply_gradients([(tf.constant([1.0, 1.0]), w)])
        slot = optimizer.get_slot(w, "momentum")
        assert slot.name == "w/Momentum:0" and optimizer.get_slot_names() == ["momentum"]
        assert slot not in v1.trainable_variables() and slot in v1.global_variables()
        assert [v.name for v in optimizer.variables()] == ["w/Momentum:0"]


def test_no_gradient_at_all():
    w = tf.Variable(1.0)
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        train.GradientDescentOptimizer(1.0).apply_gradients([(None, w)])
    with pytest.raises(ValueError, match="No variables provided"):
        train.GradientDescentOptimizer(1.0).apply_gradients([])
    with pytest.raises(RuntimeError, match="should be a function"):
        train.GradientDescentOptimizer(1.0).minimize(tf.constant(1.0))


RATES = [
    (lambda s: train.exponential_decay(0.1, s, 10, 0.5), 0.08122524),
    (lambda s: train.exponential_decay(0.1, s, 2, 0.5, staircase=True), 0.05),
    (lambda s: train.natural_exp_decay(0.1, s, 10, 0.5), 0.08607080),
    (lambda s: train.inverse_time_decay(0.1, s, 10, 0.5), 0.08695652),
    (lambda s: train.polynomial_decay(0.1, s, 10, 0.01), 0.073),
    (lambda s: train.polynomial_decay(0.1, s, 2, 0.01, cycle=True), 0.0325),
    (lambda s: train.cosine_decay(0.1, s, 10), 0.07938926),
    (lambda s: train.cosine_decay_restarts(0.1, s, 2), 0.08535533),
    (lambda s: train.linear_cosine_decay(0.1, s, 10), 0.05567248),
    (lambda s: train.piecewise_constant(s, [1, 5], [0.1, 0.2, 0.3]), 0.2),
]


@pytest.mark.parametrize("at", range(len(RATES)))
def test_learning_rates_at_step_3(at):
    make, wanted = RATES[at]
    assert make(tf.constant(3))().numpy() == pytest.approx(wanted, rel=1e-5)
    with tf.Graph().as_default(), v1.Session() as session:
        assert session.run(make(tf.constant(3))) == pytest.approx(wanted, rel=1e-5)


def test_saver_saves_and_keeps_the_latest(tmp_path):
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.Variable([1.0, 2.0], name="w")
        saver = train.Saver(max_to_keep=2)
        session.run(w.initializer)
        paths = [saver.save(session, str(tmp_path / "model"), global_step=i) for i in range(3)]
        session.run(w.assign([5.0, 5.0]))
        saver.restore(session, paths[-1])
        assert session.run(w).tolist() == [1.0, 2.0]
        assert saver.last_checkpoints == paths[1:]
        assert not train.checkpoint_exists(paths[0]) and train.checkpoint_exists(paths[1])
        assert tf.train.latest_checkpoint(str(tmp_path)) == paths[-1]
        state = train.get_checkpoint_state(str(tmp_path))
        assert list(state.all_model_checkpoint_paths) == paths[1:]
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            saver.restore(session, str(tmp_path / "other"))


def test_saver_eagerly(tmp_path):
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    path = train.Saver([a, b]).save(None, str(tmp_path / "ck"))
    c = tf.Variable(0.0)
    train.Saver({"b": c}).restore(None, path)
    assert c.numpy() == 2.0
    with pytest.raises(tf.errors.NotFoundError, match="Restoring from checkpoint failed"):
        train.Saver({"x": c}).restore(None, path)
    with pytest.raises(RuntimeError, match="must specify a list or dict"):
        train.Saver()


def test_a_meta_graph_brings_variables_and_saver_back(tmp_path):
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.Variable([1.0, 2.0], name="w")
        v1.add_to_collection("twice", w * 2.0)
        session.run(w.initializer)
        path = train.Saver().save(session, str(tmp_path / "model"))
    for scope in (None, "there"):
        with tf.Graph().as_default(), v1.Session() as session:
            saver = train.import_meta_graph(path + ".meta", import_scope=scope)
            saver.restore(session, path)
            assert session.run(v1.get_collection("twice")[0]).tolist() == [2.0, 4.0]
            assert [v.op.name for v in v1.trainable_variables()] == ["there/w" if scope else "w"]


def test_a_monitored_session_stops_and_goes_on(tmp_path):
    with tf.Graph().as_default():
        step = train.get_or_create_global_step()
        add = v1.assign_add(step, 1)
        for first in (0, 3):
            hooks = [train.StopAtStepHook(num_steps=3)]
            with train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=hooks) as session:
                assert session.run(step) == first
                while not session.should_stop():
                    session.run(add)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("-6")
    assert any(name.startswith("events.out.tfevents") for name in os.listdir(tmp_path))


def test_lost_work_is_done_again():
    class Lose(train.SessionRunHook):
        times = 0

        def before_run(self, run_context):
            Lose.times += 1
            if Lose.times == 1:
                raise tf.errors.AbortedError(None, None, "lost")

    with tf.Graph().as_default():
        c = tf.constant(7)
        with train.MonitoredSession(hooks=[Lose()]) as session:
            assert session.run(c) == 7
    assert Lose.times == 2


def test_queue_runners_fill_until_the_end():
    with tf.Graph().as_default(), v1.Session() as session:
        queue = v1.FIFOQueue(10, tf.float32)
        left = v1.Variable(0, name="n")
        with tf.control_dependencies([left.count_up_to(3)]):
            put = queue.enqueue(1.0)
        session.run(left.initializer)
        runner = train.QueueRunner(queue, [put])
        threads = runner.create_threads(session, start=True)
        for t in threads:
            t.join()
        assert session.run(queue.size()) == 3 and runner.exceptions_raised == []


def test_a_coordinator_raises_what_a_thread_reported():
    coord = tf.train.Coordinator()

    def work():
        with coord.stop_on_exception():
            raise ValueError("broken")

    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(ValueError, match="broken"):
        coord.join([thread])
    assert coord.should_stop()


def test_averages_follow_their_variables():
    w = tf.Variable([10.0], name="w")
    average = tf.train.ExponentialMovingAverage(0.25)
    average.apply([w])
    w.assign([2.0])
    average.apply([w])
    np.testing.assert_allclose(average.average(w).numpy(), [0.25 * 10 + 0.75 * 2])
    assert average.average_name(w) == "w/ExponentialMovingAverage"


def test_a_loss_scale_shrinks_when_gradients_overflow():
    w = tf.Variable([1.0, 2.0])
    scale = v1.mixed_precision.DynamicLossScale(initial_loss_scale=2, increment_period=1, multiplier=2)
    optimizer = v1.mixed_precision.MixedPrecisionLossScaleOptimizer(train.GradientDescentOptimizer(1.0), scale)
    optimizer.minimize(lambda: w * 2.0, var_list=[w])
    assert w.numpy().tolist() == [-1.0, 0.0] and scale().numpy() == 4.0
    optimizer.minimize(lambda: w * float("nan"), var_list=[w])
    assert w.numpy().tolist() == [-1.0, 0.0] and scale().numpy() == 2.0


def test_slots_come_from_a_checkpoint_also_when_they_are_made_later(tmp_path):
    w, optimizer = tf.Variable(1.0), train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(lambda: w * w)
    path = tf.train.Checkpoint(w=w, optimizer=optimizer).save(str(tmp_path / "ck"))
    w, optimizer = tf.Variable(5.0), train.MomentumOptimizer(0.1, 0.9)
    tf.train.Checkpoint(w=w, optimizer=optimizer).restore(path)
    assert w.numpy() == pytest.approx(0.8)
    optimizer._create_slots([w])
    assert optimizer.get_slot(w, "momentum").numpy() == pytest.approx(2.0)


def test_variables_begin_with_values_of_a_checkpoint(tmp_path):
    with tf.Graph().as_default(), v1.Session() as session:
        v1.get_variable("old/a", initializer=[1.0, 2.0])
        v1.get_variable("old/b", initializer=[3.0])
        session.run(v1.global_variables_initializer())
        path = train.Saver().save(session, str(tmp_path / "ck"))
    with tf.Graph().as_default(), v1.Session() as session:
        a = v1.get_variable("new/a", shape=[2], initializer=v1.zeros_initializer())
        b = v1.get_variable("b", shape=[1], initializer=v1.zeros_initializer())
        train.init_from_checkpoint(path, {"old/a": a, "old/b": "b"})
        session.run(v1.global_variables_initializer())
        assert session.run([a, b])[0].tolist() == [1.0, 2.0] and session.run(b).tolist() == [3.0]
        with pytest.raises(ValueError, match="doesn't match with shape"):
            train.init_from_checkpoint(path, {"old/b": a})


def test_a_cluster_names_its_tasks():
    cluster = tf.train.ClusterSpec({"ps": ["a:1", "b:1"], "worker": {3: "c:1"}})
    assert cluster.as_dict() == {"ps": ["a:1", "b:1"], "worker": {3: "c:1"}}
    assert tf.train.ClusterSpec(cluster.as_cluster_def()) == cluster
    assert cluster.task_indices("worker") == [3] and cluster.job_tasks("worker") == [None, None, None, "c:1"]
    with tf.Graph().as_default(), tf.device(train.replica_device_setter(cluster=cluster)):
        devices = [v1.Variable(1.0).device for _ in range(3)]
        assert tf.constant(1).device == "/job:worker"
    assert devices == ["/job:ps/task:0", "/job:ps/task:1", "/job:ps/task:0"]


def test_queues_give_batches_until_the_epochs_end():
    with tf.Graph().as_default(), v1.Session() as session:
        number = train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
        batch = train.batch({"n": number, "twice": 2 * number}, 3, allow_smaller_final_batch=True)
        session.run(v1.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = train.start_queue_runners(session, coord)
        found = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(session.run(batch)["twice"].tolist())
        coord.request_stop()
        coord.join(threads)
    assert found == [[0, 2, 4], [6]]


def test_a_supervisor_goes_on_from_its_checkpoint(tmp_path):
    for first in (0, 2):
        with tf.Graph().as_default():
            step = train.get_or_create_global_step()
            add = v1.assign_add(step, 1)
            supervisor = train.Supervisor(logdir=str(tmp_path), save_model_secs=0)
            with supervisor.managed_session() as session:
                assert session.run(step) == first
                session.run(add)
                session.run(add)
                supervisor.saver.save(session, supervisor.save_path, global_step=step)


def test_replicas_wait_for_each_others_gradients():
    with tf.Graph().as_default():
        step, w = train.get_or_create_global_step(), v1.Variable(1.0)
        optimizer = train.SyncReplicasOptimizer(train.GradientDescentOptimizer(0.1), replicas_to_aggregate=1)
        update = optimizer.apply_gradients([(tf.constant(1.0), w)], global_step=step)
        hook = optimizer.make_session_run_hook(is_chief=True)
        with train.MonitoredSession(hooks=[hook], stop_grace_period_secs=0.1) as session:
            session.run(update)
            session.run(update)
            assert session.run(step) >= 1 and session.run(w) < 1.0


def test_what_is_fed_is_given_back():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [2])
        assert session.run([x, x * 2.0], {x: [1.0, 2.0]})[0].tolist() == [1.0, 2.0]
        assert session.make_callable(x, [x])([3.0, 4.0]).tolist() == [3.0, 4.0]


def test_resolvers_and_partitioners(monkeypatch):
    config = '{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}'
    monkeypatch.setenv("TF_CONFIG", config)
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver(rpc_layer="grpc")
    assert (resolver.task_type, resolver.task_id, resolver.master()) == ("worker", 1, "grpc://b:1")
    partitioners = tf.distribute.experimental.partitioners
    assert partitioners.FixedShardsPartitioner(2)(tf.TensorShape([10, 3]), tf.float32) == [2, 1]
    assert partitioners.MinSizePartitioner(20, max_shards=9)(tf.TensorShape([9, 2]), tf.float32) == [4, 1]
    assert partitioners.MaxSizePartitioner(4)(tf.TensorShape([6, 1]), tf.float32) == [6, 1]


def test_a_strategy_of_one_device_runs_a_step():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    with strategy.scope():
        w = tf.Variable(1.0)
    assert strategy.num_replicas_in_sync == 1 and tf.distribute.get_replica_context() is not None

    @tf.function
    def step(x):
        return strategy.run(lambda v: w * v + float(tf.distribute.get_replica_context().num_replicas_in_sync), (x,))

    assert strategy.reduce("SUM", step(tf.constant([2.0, 3.0])), axis=0).numpy() == 7.0


def test_reference_variables_are_read_after_what_is_waited_for():
    with tf.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("w", [2], initializer=v1.ones_initializer(), use_resource=False)
        other = v1.get_variable("other", [2], initializer=v1.ones_initializer(), use_resource=False)
        steps = v1.get_variable("steps", [], tf.int32, initializer=v1.zeros_initializer(), use_resource=False)
        before = w + 1.0
        train = tf.group(v1.train.MomentumOptimizer(1.0, 0.9).minimize(-tf.reduce_sum(w), steps))
        averages = v1.train.ExponentialMovingAverage(0.9, steps)
        with tf.control_dependencies([train]):
            after, same, average = w + 1.0, other + 1.0, averages.apply([w])
            gradient = v1.gradients(after * after, w)[0]
            with tf.control_dependencies(None):
                free = w + 1.0
        assert before.op.inputs[0].name == free.op.inputs[0].name == "w/read:0"
        assert after.op.inputs[0].name == "w/read_1:0" and same.op.inputs[0].name == "other/read:0"
        session.run(v1.global_variables_initializer())
        assert session.run(after).tolist() == [3.0, 3.0]
        np.testing.assert_allclose(session.run(gradient), [9.8, 9.8], rtol=1e-6)
        session.run(v1.global_variables_initializer())
        told = []
        for _ in range(3):
            session.run(average)
            told.append(session.run(averages.average(w))[0])
        np.testing.assert_allclose(told, [1.8181818, 3.3795455, 5.6160145], rtol=1e-6)
