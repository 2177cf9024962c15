"""What MirroredStrategy does on two logical CPUs, a function each: python distribute_cases.py OUT.json runs all.

A process of its own runs them, since devices are settled by the first op. test_distribute.py has a test for each.
"""

import json
import os
import sys
import tempfile
import threading
import traceback

import numpy as np

import sluice as tf

SUM, MEAN = tf.VariableAggregation.SUM, tf.VariableAggregation.MEAN
ON_READ = tf.VariableSynchronization.ON_READ


def strategy():
    return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def here():
    return tf.distribute.get_replica_context()


def number():
    return tf.cast(here().replica_id_in_sync_group, tf.float32)


def values(x):
    return [v.numpy().tolist() for v in x.values]


def raises(kind, part, function):
    try:
        function()
    except kind as error:
        assert part in str(error), str(error)
    else:
        raise AssertionError(f"no {kind.__name__}")


# ---- scopes and values


def scopes():
    s = strategy()
    assert s.num_replicas_in_sync == 2 and s.extended.worker_devices[1].endswith("CPU:1")
    assert tf.distribute.get_replica_context() is not None and not tf.distribute.has_strategy()
    with s.scope():
        assert tf.distribute.get_strategy() is s and tf.distribute.in_cross_replica_context()
        with s.scope():
            assert tf.distribute.has_strategy()
        raises(RuntimeError, "Mixing different", lambda: strategy().scope().__enter__())
    assert not tf.distribute.has_strategy()
    tf.distribute.experimental_set_strategy(s)
    assert len(tf.Variable(1.0).values) == 2 and tf.distribute.in_cross_replica_context()
    tf.distribute.experimental_set_strategy(None)
    assert not tf.distribute.has_strategy() and not hasattr(tf.Variable(1.0), "values")
    with s.scope():
        raises(RuntimeError, "Must not be called", lambda: tf.distribute.experimental_set_strategy(s))


def devices():
    assert tf.distribute.MirroredStrategy().num_replicas_in_sync == 2
    assert tf.distribute.MirroredStrategy(["CPU:1"]).num_replicas_in_sync == 1
    one = tf.distribute.MirroredStrategy(["CPU:1"])
    assert float(one.run(lambda: here().all_reduce("SUM", tf.constant(2.0)))) == 2.0
    with one.scope():
        v = tf.Variable(1.0, aggregation=SUM)
    one.run(lambda: v.assign_add(3.0))
    assert values(v) == [4.0] and float(one.reduce("SUM", v + 1.0, axis=None)) == 5.0
    raises(AssertionError, "No duplicates", lambda: tf.distribute.MirroredStrategy(["CPU:0", "/cpu:0"]))


def results_are_by_replica():
    s = strategy()
    made = s.run(lambda x: {"a": x + number(), "b": [3, x]}, args=(tf.constant(1.0),))
    assert values(made["a"]) == [1.0, 2.0] and made["b"][0] == 3 and float(made["b"][1]) == 1.0
    assert [float(r["a"]) for r in s.experimental_local_results(made)] == [1.0, 2.0]
    assert [v.device[-5:] for v in made["a"].values] == ["CPU:0", "CPU:1"]
    assert isinstance(made["a"], tf.distribute.DistributedValues)
    assert float(s.reduce("SUM", made["a"], axis=None)) == 3.0
    assert float(s.reduce(tf.distribute.ReduceOp.MEAN, made["a"], axis=None)) == 1.5
    raises(ValueError, "cannot be reduced", lambda: s.reduce("SUM", 1.0, axis=None))


def reduce_along_axes():
    s = strategy()
    v = s.experimental_distribute_values_from_function(
        lambda c: tf.constant([1.0, 2.0, 3.0][: 2 + c.replica_id_in_sync_group])
    )
    assert abs(float(s.reduce("MEAN", v, axis=0)) - 1.8) < 1e-6 and float(s.reduce("SUM", v, axis=0)) == 9.0
    assert s.gather(v, 0).numpy().tolist() == [1.0, 2.0, 1.0, 2.0, 3.0]


def arguments_are_by_replica():
    s = strategy()
    v = s.experimental_distribute_values_from_function(lambda c: tf.constant(10.0 * c.replica_id_in_sync_group))
    double = tf.function(lambda x: s.run(lambda y, z: y + z, args=(x,), kwargs={"z": 1.0}))
    assert values(double(v)) == values(double(v)) == [1.0, 11.0]


def sums_of_indexed_slices():
    s = strategy()

    def step():
        made = tf.IndexedSlices(tf.ones([1, 2]) * (number() + 1.0), tf.constant([0]), tf.constant([3, 2]))
        return tf.convert_to_tensor(here().all_reduce("SUM", made))

    assert values(s.run(step))[1] == [[3.0, 3.0], [0.0, 0.0], [0.0, 0.0]]


def what_replicas_share_counts_once():
    s, shared = strategy(), tf.constant([1.0, 2.0])
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([2, 2]))
    for kind in ("SUM", "MEAN"):
        for run in (s.run, tf.function(s.run)):
            assert values(run(lambda: here().all_reduce(kind, shared))) == [[1.0, 2.0]] * 2
            assert values(run(lambda: tf.convert_to_tensor(here().all_reduce(kind, slices))))[0] == [
                [1.0, 1.0],
                [0.0, 0.0],
            ]
    assert values(s.run(lambda: here().all_reduce("SUM", 3.0))) == [6.0, 6.0]


def sums_are_in_the_order_of_replicas():
    s = strategy()
    step = tf.function(
        lambda: s.run(lambda: here().all_reduce("SUM", tf.constant([1e8, 1.0]) * (1.0 - 2.0 * number())))
    )
    assert all(values(step()) == [[0.0, 0.0]] * 2 for _ in range(5))


def gathers_in_replicas():
    s = strategy()
    made = s.run(lambda: here().all_gather(tf.reshape(number(), [1]), 0))
    assert values(made) == [[0.0, 1.0]] * 2


# ---- meeting


def merge_calls():
    s, seen = strategy(), []

    def merged(whose, x, both):
        seen.append((whose is s, tf.distribute.in_cross_replica_context(), values(x), both))
        return x

    assert values(s.run(lambda: here().merge_call(merged, args=(number(), 7)))) == [0.0, 1.0]
    assert seen == [(True, True, [0.0, 1.0], 7)]


def replicas_that_do_not_meet():
    s = strategy()

    def step():
        if here()._id == 0:
            here().merge_call(lambda s: None)

    raises(RuntimeError, "different number", lambda: s.run(step))
    assert values(s.run(tf.function(lambda: here().all_reduce("SUM", number())))) == [1.0, 1.0]
    inner = tf.function(lambda: here().all_reduce("SUM", number()))
    raises(RuntimeError, "a new graph or a tf.function", lambda: s.run(lambda: inner()))


def errors_end_all_replicas():
    s, ended, before = strategy(), [], threading.active_count()

    def step():
        try:
            here().merge_call(lambda s: None)
            if here()._id == 1:
                raise KeyError("replica 1")
            here().merge_call(lambda s: None)
        finally:
            ended.append(here()._id)

    raises(KeyError, "replica 1", lambda: s.run(step))
    assert sorted(ended) == [0, 1] and threading.active_count() == before
    raises(ZeroDivisionError, "division", lambda: s.run(lambda: here().merge_call(lambda s: 1 / 0)))
    raises(TypeError, "not callable", lambda: s.run(1))
    assert threading.active_count() == before and not tf.distribute.has_strategy()


# ---- variables


def variables_are_mirrored():
    s = strategy()
    with s.scope():
        v = tf.Variable([1.0, 2.0], name="v")
    assert [w.name for w in v.values] == ["v:0", "v/replica_1:0"]
    assert [w.device[-5:] for w in v.values] == ["CPU:0", "CPU:1"]
    assert isinstance(v, tf.Variable) and "replica_1" in repr(v)
    assert v.synchronization is tf.VariableSynchronization.ON_WRITE
    assert isinstance(s.run(number), tf.types.experimental.distributed.PerReplica)
    v.assign([3.0, 4.0])
    assert values(v) == [[3.0, 4.0]] * 2
    assert (v + 1.0).numpy().tolist() == [4.0, 5.0] and v.numpy().tolist() == [3.0, 4.0]
    assert values(s.run(lambda: v * (number() + 1.0))) == [[3.0, 4.0], [6.0, 8.0]]


def replicas_assign():
    s = strategy()
    with s.scope():
        mean, total = tf.Variable(1.0, aggregation=MEAN), tf.Variable(1.0, aggregation=SUM)
        first = tf.Variable(0.0, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
        own = tf.Variable(0.0)

    def step():
        mean.assign_add(number())
        total.assign(number() + 1.0)
        first.assign(number() + 5.0)
        own.assign_sub(number())

    tf.function(lambda: s.run(step))()
    assert [values(v) for v in (mean, total, first, own)] == [[1.5] * 2, [3.0] * 2, [5.0] * 2, [0.0, -1.0]]
    s.run(step)
    assert [values(v) for v in (mean, total, first, own)] == [[2.0] * 2, [3.0] * 2, [5.0] * 2, [0.0, -2.0]]


def writes_that_give_nothing():
    with strategy().scope():
        v = tf.Variable(1.0)
    assert v.assign(3.0, read_value=False) is None and v.assign_add(1.0) is not None

    @tf.function
    def written():
        with tf.control_dependencies([v.assign(5.0, read_value=False)]):
            return v.read_value()

    assert float(written()) == 5


def read_as_a_sum():
    s = strategy()
    with s.scope():
        v = tf.Variable(0.0, synchronization=ON_READ, aggregation=SUM)
        m = tf.Variable(0.0, synchronization=ON_READ, aggregation=MEAN)
    assert not v.trainable

    def step():
        v.assign_add(number() + 1.0)
        m.assign_add(number())
        return v + 0.0

    assert values(tf.function(lambda: s.run(step))()) == [1.0, 2.0]
    assert float(v.read_value()) == 3.0 and float(m.read_value()) == 0.5
    v.assign(4.0)
    assert values(v) == [2.0, 2.0]
    raises(ValueError, "does not support `assign_add`", lambda: v.assign_add(1.0))


def made_in_replicas():
    s, made = strategy(), []

    def step():
        if len(made) < 2:
            made.append(tf.Variable(5.0))
        return made[0] + number()

    for f in (lambda: s.run(step), tf.function(lambda: s.run(step))):
        made.clear()
        assert values(f()) == [5.0, 6.0] and made[0] is made[1] and len(made[0].values) == 2


def updates():
    s = strategy()
    with s.scope():
        v, w = tf.Variable(1.0), tf.Variable(10.0)
        x = s.experimental_distribute_values_from_function(lambda c: tf.constant(float(c.replica_id_in_sync_group)))
        s.extended.update(v, lambda copy, d: copy.assign_add(d + w + w.assign_add(d)), args=(x,))
    assert values(v) == [21.0, 23.0] and values(w) == [10.0, 11.0]


def functions_in_replicas():
    s = strategy()
    with s.scope():
        v = tf.Variable(1.0)

    @tf.function
    def twice(x):
        return v * x * 2.0

    s.run(lambda: v.assign_add(number()))
    assert values(s.run(lambda: twice(tf.constant(1.0)))) == [2.0, 4.0]
    assert float(twice(tf.constant(1.0))) == 2.0


def gradients():
    s = strategy()
    with s.scope():
        w, table = tf.Variable([1.0, 2.0]), tf.Variable(tf.ones([4, 2]))

    def step(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w * x * (number() + 1.0)) + tf.reduce_sum(tf.gather(table, [1, 1]) * x)
        assert {id(v) for v in tape.watched_variables()} == {id(w), id(table)}
        found = here().all_reduce("SUM", tape.gradient(y, [w, table]))
        here().merge_call(lambda s, gs: [s.extended.update(v, lambda c, g: c.assign_sub(g), (g,)) for v, g in gs],
                          args=([(w, found[0])],))  # fmt: skip
        return found

    for run in (s.run, tf.function(s.run)):
        w.assign([1.0, 2.0])
        dw, dt = run(step, args=(tf.constant([1.0, 10.0]),))
        assert values(dw) == [[3.0, 30.0]] * 2 and values(w) == [[-2.0, -28.0]] * 2
        assert tf.convert_to_tensor(dt.values[0]).numpy().tolist() == [[0, 0], [4, 40], [0, 0], [0, 0]]


def gradients_of_sums():
    """Of what replicas add up and go on with: each has the others' gradients."""
    s = strategy()

    def step(x):
        x = x * (number() + 1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = here().all_reduce("SUM", x * x)
            mean = here().all_reduce("MEAN", total * x)
            y = mean * (number() + 1.0)
        return tape.gradient(y, x)

    def expected(a, b, d=1e-6):
        def both(a, b):  # the sum over the replicas of what each of them differentiates
            return (a * a + b * b) * (a + b) / 2 * 3

        return [(both(a + d, b) - both(a - d, b)) / (2 * d), (both(a, b + d) - both(a, b - d)) / (2 * d)]

    wanted = expected(3.0, 6.0)
    for run in (s.run, tf.function(s.run)):
        found = values(run(step, args=(tf.constant(3.0),)))
        assert all(abs(f - w) < 1e-3 * w for f, w in zip(found, wanted)), (found, wanted)


def checkpoints_have_one_value():
    s = strategy()
    with s.scope():
        v, m = tf.Variable([1.0, 2.0]), tf.Variable(0.0, synchronization=ON_READ, aggregation=SUM)
    s.run(lambda: m.assign_add(number() + 1.0))
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(v=v, m=m).save(os.path.join(folder, "c"))
        names = [n for n, _ in tf.train.list_variables(path) if n.startswith(("v/", "m/"))]
        assert sorted(names) == ["m/.ATTRIBUTES/VARIABLE_VALUE", "v/.ATTRIBUTES/VARIABLE_VALUE"]
        v.assign([0.0, 0.0])
        m.assign(0.0)
        tf.train.Checkpoint(v=v, m=m).restore(path)
        assert values(v) == [[1.0, 2.0]] * 2 and values(m) == [1.5, 1.5]
        plain = tf.Variable([0.0, 0.0])
        tf.train.Checkpoint(v=plain).restore(path).expect_partial()
        assert plain.numpy().tolist() == [1.0, 2.0]


def saved_models_have_one_variable():
    s, module = strategy(), tf.Module()
    with s.scope():
        module.v = tf.Variable(3.0)
    module.f = tf.function(lambda x: module.v * x, input_signature=[tf.TensorSpec([])])
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder)
        loaded = tf.saved_model.load(folder)
        assert float(loaded.f(2.0)) == 6.0 and float(loaded.v) == 3.0
        loaded.v.assign(4.0)
        assert float(loaded.f(2.0)) == 8.0


# ---- datasets


def batches_are_divided():
    s = strategy()
    d = s.experimental_distribute_dataset(tf.data.Dataset.range(33).batch(8))
    assert isinstance(d, tf.distribute.DistributedDataset)
    found = [values(x) for x in d]
    assert found[0] == [[0, 1, 2, 3], [4, 5, 6, 7]] and found[-1] == [[32], []] and len(found) == 5
    ten = s.experimental_distribute_dataset(tf.data.Dataset.range(10).batch(7))
    assert [values(x) for x in ten] == [[[0, 1, 2, 3], [4, 5, 6]], [[7, 8], [9]]]
    pairs = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": [[1.0], [2.0], [3.0]]}).batch(3)
    (one,) = s.experimental_distribute_dataset(pairs)
    assert values(one["a"]) == [[1, 2], [3]] and values(one["b"]) == [[[1.0], [2.0]], [[3.0]]]
    raises(ValueError, "batches", lambda: s.experimental_distribute_dataset(tf.data.Dataset.range(3)))


def ragged_and_sparse_batches():
    s = strategy()
    ragged = tf.data.Dataset.from_tensors(tf.ragged.constant([[1], [2, 3], [4, 5, 6]]))
    (x,) = s.experimental_distribute_dataset(ragged)
    assert [v.to_list() for v in x.values] == [[[1], [2, 3]], [[4, 5, 6]]]
    sparse = tf.data.Dataset.from_tensors(tf.sparse.from_dense([[1, 0], [0, 2], [3, 0]]))
    (x,) = s.experimental_distribute_dataset(sparse)
    assert [tf.sparse.to_dense(v).numpy().tolist() for v in x.values] == [[[1, 0], [0, 2]], [[3, 0]]]


def batches_in_turns():
    s, contexts = strategy(), []

    def make(context):
        contexts.append((context.num_replicas_in_sync, context.get_per_replica_batch_size(4)))
        return tf.data.Dataset.range(5).batch(2)

    d = s.distribute_datasets_from_function(make)
    assert contexts == [(2, 2)]
    assert [values(x) for x in d] == [[[0, 1], [2, 3]], [[4], []]]


def iterators_in_functions():
    s = strategy()
    d = s.experimental_distribute_dataset(tf.data.Dataset.range(6).batch(4).map(lambda x: tf.cast(x, tf.float32)))

    @tf.function
    def step(iterator):
        return s.reduce("SUM", s.run(lambda x: tf.reduce_sum(x), args=(next(iterator),)), axis=None)

    iterator = iter(d)
    assert isinstance(iterator, tf.distribute.DistributedIterator)
    assert [float(step(iterator)), float(step(iterator))] == [6.0, 9.0]
    raises(tf.errors.OutOfRangeError, "", lambda: step(iterator))
    optional = iter(d).get_next_as_optional()
    assert bool(optional.has_value()) and values(optional.get_value()) == [[0.0, 1.0], [2.0, 3.0]]

    assert float(_over(d, s)) == 15.0


def _over(d, s):
    @tf.function
    def total():
        made = 0.0
        for x in d:
            made += s.reduce("SUM", s.run(tf.reduce_sum, args=(x,)), axis=None)
        return made

    return total()


def conditions_are_converted():
    s = strategy()

    @tf.function
    def f(x):
        def step(y):
            if y > 0.5:
                y = y + 100.0
            return y

        return s.run(step, args=(x,))

    x = s.experimental_distribute_values_from_function(lambda c: tf.constant(float(c.replica_id_in_sync_group)))
    assert values(f(x)) == [0.0, 101.0]


def gradients_of_ones_own():
    s = strategy()
    with s.scope():
        v = tf.Variable([5.0])

    @tf.custom_gradient
    def thrice(x):
        return tf.identity(x), lambda dy: 3.0 * dy

    def step():
        with tf.GradientTape() as tape:
            y = thrice(v) * 2.0
        return tape.gradient(y, v)

    assert values(s.run(step)) == [[6.0], [6.0]]


def losses_count_all_replicas():
    s = strategy()
    assert values(s.run(lambda: tf.nn.compute_average_loss([1.0, 2.0]))) == [0.75, 0.75]
    assert values(s.run(lambda: tf.nn.compute_average_loss([1.0, 2.0], global_batch_size=3))) == [1.0, 1.0]
    assert values(s.run(lambda: tf.nn.scale_regularization_loss(4.0))) == [2.0, 2.0]
    assert tf.nn.scale_regularization_loss(4.0).numpy() == 4 and tf.nn.compute_average_loss([1.0, 2.0]).numpy() == 1.5
    with s.scope():
        raises(RuntimeError, "`compute_average_loss` in cross replica", lambda: tf.nn.compute_average_loss([1.0]))
        raises(RuntimeError, "`scale_regularization_loss` in cross", lambda: tf.nn.scale_regularization_loss(1.0))


def generators_of_replicas_draw_their_own():
    """The numbers are those that TensorFlow draws."""
    s = strategy()
    with s.scope():
        shared = tf.random.Generator.from_seed(1)
        assert [values(s.run(lambda: shared.normal([]))) for _ in range(2)] == [
            [-0.8793044686317444, 0.020661573857069016], [-1.58225679397583, 0.7753923535346985]
        ]  # fmt: skip
        assert (
            shared.normal([]).numpy() == np.float32(1.6307176) and shared.split(2)[0].key.numpy() == 460449732244330851
        )
    assert shared.normal([]).numpy() == np.float32(0.5261956)

    def drawn():
        return tf.random.Generator.from_seed(1).normal([])

    assert values(s.run(drawn)) == values(s.run(tf.function(drawn))) == [-0.8793044686317444, 0.020661573857069016]
    alone = tf.random.Generator.from_seed(1)
    assert np.array_equal(values(s.run(lambda: alone.normal([]))), np.float32([0.43842274, 1.6272374]))


def what_no_replica_may_ask():
    s = strategy()
    for ask in (
        lambda: s.reduce("SUM", 1.0, axis=None),
        lambda: s.run(lambda: 1),
        lambda: s.gather(tf.constant([1.0]), axis=0),
    ):
        raises(RuntimeError, "requires being in cross-replica context", lambda ask=ask: s.run(ask))
    raises(TypeError, "axis", lambda: s.reduce("SUM", 1.0))


CASES = [
    scopes, devices, results_are_by_replica, reduce_along_axes, arguments_are_by_replica, sums_of_indexed_slices,
    what_replicas_share_counts_once,
    sums_are_in_the_order_of_replicas, gathers_in_replicas, merge_calls, replicas_that_do_not_meet, errors_end_all_replicas,
    variables_are_mirrored, replicas_assign, writes_that_give_nothing, read_as_a_sum, made_in_replicas, updates, functions_in_replicas, gradients, gradients_of_sums,
    gradients_of_ones_own, checkpoints_have_one_value, saved_models_have_one_variable, batches_are_divided, ragged_and_sparse_batches,
    batches_in_turns, iterators_in_functions, conditions_are_converted, losses_count_all_replicas,
    generators_of_replicas_draw_their_own, what_no_replica_may_ask,
]  # fmt: skip


def main(out):
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    found = {}
    for case in CASES:
        try:
            case()
            found[case.__name__] = None
        except Exception as error:
            found[case.__name__] = "".join(traceback.format_exception(error))
    with open(out, "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(sys.argv[1])
