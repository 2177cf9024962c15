"""Programs of several processes, a function each: python worker_cases.py NAME runs one task of one, the task of TF_CONFIG.

The last line that a task prints is its outcome as JSON. `python worker_cases.py --record`, by a Python that has TensorFlow, runs all
with it and writes data/worker_cases.json; test_workers.py compares. A server without a program of its own (`ps`) runs until its
standard input ends.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WITH_TENSORFLOW = bool(os.environ.get("WORKER_CASES_WITH_TENSORFLOW"))
if WITH_TENSORFLOW:
    import tensorflow as tf
else:
    import sluice as tf

v1 = tf.compat.v1
SUM, MEAN, FIRST = (getattr(tf.VariableAggregation, n) for n in ("SUM", "MEAN", "ONLY_FIRST_REPLICA"))
ON_READ = tf.VariableSynchronization.ON_READ


def config():
    return json.loads(os.environ["TF_CONFIG"])


def rank():
    return config()["task"]["index"]


def plain(x):
    return x.numpy().tolist() if hasattr(x, "numpy") else x


# ---- tf.distribute.MultiWorkerMirroredStrategy


def elements(strategy, dataset):
    return [[plain(v) for v in strategy.experimental_local_results(x)] for x in dataset]


def datasets_are_divided():
    s, out = tf.distribute.MultiWorkerMirroredStrategy(), {}
    sources = {
        "of 12": tf.data.Dataset.range(12).batch(4),
        "of 10": tf.data.Dataset.range(10).batch(4),
        "whole batches": tf.data.Dataset.range(10).batch(4, drop_remainder=True),
        "of 7": tf.data.Dataset.range(7).batch(3),
    }
    for policy in ("AUTO", "DATA", "OFF"):
        options = tf.data.Options()
        options.experimental_distribute.auto_shard_policy = getattr(tf.data.experimental.AutoShardPolicy, policy)
        for name, source in sources.items():
            out[f"{name} {policy}"] = elements(s, s.experimental_distribute_dataset(source.with_options(options)))

    def of_worker(context):
        out["context"] = [context.num_input_pipelines, context.input_pipeline_id, context.num_replicas_in_sync]
        return tf.data.Dataset.range(6).batch(2).shard(context.num_input_pipelines, context.input_pipeline_id)

    out["from a function"] = elements(s, s.distribute_datasets_from_function(of_worker))
    return out


def workers_go_on_until_nobody_has_more():
    s = tf.distribute.MultiWorkerMirroredStrategy()
    source = tf.data.Dataset.range(11).filter(lambda x: x % 3 != 1)
    dataset = s.experimental_distribute_dataset(source.map(lambda x: (tf.cast(x, tf.float32), x * 2)).batch(3))

    @tf.function
    def total():
        sum_, steps = 0.0, 0
        for x, _ in dataset:
            sum_ += s.reduce("SUM", s.run(tf.reduce_sum, args=(x,)), axis=None)
            steps += 1
        return sum_, steps

    first = [plain(s.experimental_local_results(x)[0]) for x, _ in dataset]
    return first, [plain(v) for v in total()]


def values_of_all_workers():
    s, out = tf.distribute.MultiWorkerMirroredStrategy(), {}
    me = float(rank())
    with s.scope():
        v = tf.Variable(me + 1.0)
        made = {
            "sum on read": tf.Variable(0.0, synchronization=ON_READ, aggregation=SUM),
            "mean on read": tf.Variable(0.0, synchronization=ON_READ, aggregation=MEAN),
            "sum": tf.Variable(0.0, aggregation=SUM),
            "mean": tf.Variable(0.0, aggregation=MEAN),
            "first": tf.Variable(0.0, aggregation=FIRST),
        }

    @tf.function
    def step():
        def replica():
            here = tf.distribute.get_replica_context()
            r = tf.cast(here.replica_id_in_sync_group, tf.float32)
            for name in ("sum on read", "mean on read", "sum"):
                made[name].assign_add(r + 1.0)
            made["mean"].assign(r)
            made["first"].assign(r + 5.0)
            rows = tf.IndexedSlices(tf.ones([1, 2]) * (r + 1.0), tf.constant([0]), tf.constant([3, 2]))
            with tf.GradientTape() as tape:
                tape.watch(r)
                squares = here.all_reduce("SUM", r * r)
            return (
                here.all_reduce("SUM", r + 1.0),
                here.all_reduce("MEAN", [r, r * 2]),
                here.all_gather(tf.reshape(r, [1]), 0),
                tf.convert_to_tensor(here.all_reduce("SUM", rows)),
                tape.gradient(squares, r),
            )

        return s.run(replica)

    step()
    out["step"] = tf.nest.map_structure(plain, step())
    out.update({name: plain(w.read_value()) for name, w in made.items()})
    made["sum on read"].assign(6.0)
    out["assigned"] = plain(made["sum on read"].read_value())
    out["begins as the first worker's"] = plain(v.read_value())
    out["reduce"] = [plain(s.reduce(kind, tf.constant(2.0 + me), axis=None)) for kind in ("SUM", "MEAN")]
    out["along an axis"] = plain(s.reduce("MEAN", tf.constant([1.0] * (rank() + 1) + [4.0]), axis=0))
    out["gather"] = plain(s.gather(tf.constant([[rank()]] * (rank() + 1)), 0))
    values = s.experimental_distribute_values_from_function(
        lambda c: tf.constant(c.replica_id_in_sync_group * 10 + c.num_replicas_in_sync)
    )
    out["values"] = [plain(x) for x in s.experimental_local_results(values)]
    out["extended"] = [s.extended.should_checkpoint, list(s.extended.worker_devices), s.num_replicas_in_sync]
    out["place"] = [s.cluster_resolver.task_type, s.cluster_resolver.task_id]
    return out


def training_in_step():
    s = tf.distribute.MultiWorkerMirroredStrategy()
    with s.scope():
        w, b = tf.Variable([[0.5], [0.25]]), tf.Variable([0.0])
    x = tf.reshape(tf.range(24, dtype=tf.float32), [12, 2]) / 10.0
    y = tf.reduce_sum(x * [[1.0, -2.0]], 1, keepdims=True) + 0.5
    data = s.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((x, y)).batch(4).repeat(5))

    @tf.function
    def train(x, y):
        def replica(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((tf.matmul(x, w) + b - y) ** 2) / 4.0
            gradients = tape.gradient(loss, [w, b])
            for v, g in zip((w, b), tf.distribute.get_replica_context().all_reduce("SUM", gradients)):
                v.assign_sub(0.05 * g)
            return loss

        return s.reduce("SUM", s.run(replica, args=(x, y)), axis=None)

    return [plain(train(x, y)) for x, y in data], plain(w.read_value()), plain(b.read_value())


def a_worker_dies():
    """What the others hear when one goes in the middle of training. Not recorded."""
    s = tf.distribute.MultiWorkerMirroredStrategy()
    gone = json.loads(os.environ["WORKER_THAT_DIES"])
    step = tf.function(lambda: s.reduce("SUM", s.run(lambda: tf.constant(1.0)), axis=None))
    try:
        for i in range(1000):
            if i == 3 and rank() == gone:
                os._exit(0)
            step()
    except tf.errors.OpError as error:
        sys.last_value = error  # as after a traceback: the end does not wait for the others
        return type(error).__name__, error.message
    return "no error"


def a_worker_begins_anew():
    """What happens to one that is at its end when another one is killed, and started again: standard input says when. Not
    recorded."""
    s = tf.distribute.MultiWorkerMirroredStrategy()
    made = plain(s.reduce("SUM", tf.constant(1.0), axis=None))
    if os.environ.get("WORKER_WAITS"):
        print("waits", flush=True)
        sys.stdin.read()
    return made


def two_strategies():
    """Of one cluster: each adds up by itself. Not recorded."""
    one, other = tf.distribute.MultiWorkerMirroredStrategy(), tf.distribute.MultiWorkerMirroredStrategy()
    made = [s.reduce("SUM", tf.constant(x + rank()), axis=None) for s, x in ((one, 1.0), (other, 10.0), (one, 2.0))]
    return [plain(x) for x in made]


def a_worker_does_not_come():
    options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=1)
    try:
        tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)
    except tf.errors.OpError as error:
        return type(error).__name__, error.message
    return "no error"


def an_elastic_worker():
    """Adds its rank + 1 to those of the workers that are there, again and again; what ends that has it begin anew. Ends when it has
    seen the numbers of workers that WORKERS_SEEN names. Not recorded."""
    seen, wanted = [], json.loads(os.environ["WORKERS_SEEN"])
    options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=30)
    try:
        tf.distribute.MultiWorkerMirroredStrategy(least_workers=4)
    except ValueError as error:
        assert "4, of 3 workers" in str(error)
    while seen[-len(wanted) :] != wanted:
        try:
            s = tf.distribute.MultiWorkerMirroredStrategy(None, options, least_workers=2, wait_seconds=2)
            seen.append(s.num_replicas_in_sync)
            print(seen[-1], flush=True)
            dataset = s.experimental_distribute_dataset(tf.data.Dataset.range(6).batch(6))
            mean, total = (s.reduce(kind, tf.constant(rank() + 1.0), axis=None) for kind in ("MEAN", "SUM"))
            assert plain(mean) == plain(total) / seen[-1], (plain(mean), plain(total))
            assert [len(x) for batch in elements(s, dataset) for x in batch] == [6 // seen[-1]]
            while seen[-len(wanted) :] != wanted:
                s.reduce("SUM", tf.constant(1.0), axis=None)
                s.check_members()
        except (tf.errors.UnavailableError, tf.errors.AbortedError) as error:
            print(type(error).__name__, flush=True)
    return seen


def a_coordinator_that_is_killed():
    """Adds the numbers below 40 to a variable, ten at a time, and is killed once it has done so for the n-th time, or (odd n) before
    it has recorded that: COORDINATOR_DIES is n. Started again, it goes on. Not recorded."""
    folder, dies = os.environ["COORDINATOR_FOLDER"], int(os.environ.get("COORDINATOR_DIES", "-1"))
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy, state_file=folder + "/state")
    with strategy.scope():
        total = tf.Variable(0.0)
    checkpoint, step, restored = tf.train.Checkpoint(total=total), 0, coordinator.restored
    if restored and restored.checkpoint:
        checkpoint.restore(restored.checkpoint)
        step = restored.step
    add = tf.function(lambda x: total.assign_add(x))
    began = step
    while step < 40:
        for i in range(step, step + 10):
            coordinator.schedule(add, args=(tf.constant(float(i)),))
        coordinator.join()
        step += 10
        if dies == 2 * (step // 10) - 1:
            os._exit(1)
        coordinator.record(step, checkpoint.save(folder + "/model"))
        if dies == 2 * (step // 10):
            os._exit(1)
    return [began, plain(total), restored and restored.generation, sorted(restored.tasks) if restored else None]


UNRECORDED = [
    a_coordinator_that_is_killed,
    two_strategies,
    a_worker_dies,
    a_worker_begins_anew,
    a_worker_does_not_come,
    an_elastic_worker,
]


# ---- parameter servers: each worker has a graph of its own, and variables of the servers by name


def server():
    c = config()
    return tf.distribute.Server(c["cluster"], job_name=c["task"]["type"], task_index=c["task"]["index"])


def regression(partitioner=None):
    """(loss, global step) of this worker's numbers, with variables on the servers."""
    setter = v1.train.replica_device_setter(
        cluster=tf.train.ClusterSpec(config()["cluster"]), worker_device=f"/job:worker/task:{rank()}"
    )
    with v1.device(setter):
        step = v1.train.get_or_create_global_step()
        with v1.variable_scope("model", partitioner=partitioner):
            w = v1.get_variable("w", [4, 1], initializer=v1.constant_initializer(0.5))
            b = v1.get_variable("b", [1], initializer=v1.zeros_initializer(), partitioner=None)
        x = tf.constant([[1.0, 2.0, -1.0, 0.5], [0.25, -1.5, 3.0, 1.0]]) * (rank() + 1.0)
        y = tf.constant([[1.0], [2.0]])
        loss = tf.reduce_sum((tf.matmul(x, tf.convert_to_tensor(w)) + b - y) ** 2)
    return loss, step, setter


def graph(function):
    with tf.Graph().as_default():
        return function()


def in_turn(session, step, first):
    """Waits until the workers before this one are through."""
    while session.run(step) < first:
        pass


def asynchronous(partitioner=None):
    own = server()

    def program():
        loss, step, setter = regression(partitioner)
        with v1.device(setter):
            train = v1.train.MomentumOptimizer(0.01, 0.9).minimize(loss, global_step=step)
        devices = {v.name: v.device for v in v1.global_variables()}
        creator = dict(master=own.target, is_chief=rank() == 0, config=filtered(), max_wait_secs=60)
        with waiting_briefly(), v1.train.MonitoredTrainingSession(**creator) as session:
            in_turn(session, step, 5 * rank())
            losses = [float(session.run([loss, train])[0]) for _ in range(5)]
            in_turn(session, step, 5 * len(config()["cluster"]["worker"]))
            return devices, losses, session.run({v.name: v for v in v1.global_variables()})

    devices, losses, values = graph(program)
    return devices, losses, {name: value.tolist() for name, value in values.items()}


def filtered():
    """Sessions that do not wait for the other workers."""
    return v1.ConfigProto(device_filters=["/job:ps", f"/job:worker/task:{rank()}"])


class waiting_briefly:
    """Workers look every 0.1 s whether the chief is through with the variables, rather than every 30 s."""

    def __enter__(self):
        self.init = v1.train.SessionManager.__init__

        def short(manager, *args, **kwargs):
            self.init(manager, *args, **{**kwargs, "recovery_wait_secs": 0.1})

        v1.train.SessionManager.__init__ = short

    def __exit__(self, *exception):
        v1.train.SessionManager.__init__ = self.init


def asynchronous_workers():
    return asynchronous()


def partitioned_variables():
    return asynchronous(v1.fixed_size_partitioner(2))


def embeddings_on_servers():
    own = server()

    def program():
        setter = v1.train.replica_device_setter(
            cluster=tf.train.ClusterSpec(config()["cluster"]), worker_device=f"/job:worker/task:{rank()}"
        )
        with v1.device(setter):
            step = v1.train.get_or_create_global_step()
            table = v1.get_variable(
                "table", [6, 2], initializer=v1.ones_initializer(), partitioner=v1.fixed_size_partitioner(2)
            )
            whole = tf.convert_to_tensor(table)
            rows = tf.nn.embedding_lookup(table, tf.constant([0, 4, 4, rank()]))
            loss = tf.reduce_sum(rows**2)
            train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        creator = dict(master=own.target, is_chief=rank() == 0, config=filtered(), max_wait_secs=60)
        with waiting_briefly(), v1.train.MonitoredTrainingSession(**creator) as session:
            in_turn(session, step, 2 * rank())
            losses = [float(session.run([loss, train])[0]) for _ in range(2)]
            in_turn(session, step, 2 * len(config()["cluster"]["worker"]))
            return losses, session.run(whole).tolist()

    return graph(program)


def gradients_in_step():
    """SyncReplicasOptimizer: every step takes two gradients, here of one worker. It begins with one token, so that each
    second run waits for the step."""
    own = server()

    def program():
        loss, step, _ = regression()
        with v1.device("/job:worker/task:0"):  # each worker counts its steps
            optimizer = v1.train.SyncReplicasOptimizer(
                v1.train.MomentumOptimizer(0.01, 0.9), replicas_to_aggregate=2, total_num_replicas=1
            )
            train = optimizer.minimize(loss, global_step=step)
        devices = {v.name: v.device for v in v1.global_variables()}
        creator = dict(master=own.target, hooks=[optimizer.make_session_run_hook(True, num_tokens=1)])
        creator["stop_grace_period_secs"] = 1  # the chief's thread waits for gradients that do not come
        with v1.train.MonitoredTrainingSession(**creator) as session:
            losses = [float(session.run([loss, train])[0]) for _ in range(6)]
            values = session.run({v.name: v for v in v1.global_variables()})
        return devices, losses, {name: value.tolist() for name, value in values.items()}

    return graph(program)


# ---- running

# ---- tf.distribute.ParameterServerStrategy: the task `chief` has a program, workers and servers have none


def coordinated(partitioner=None):
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    strategy = tf.distribute.ParameterServerStrategy(resolver, variable_partitioner=partitioner)
    return strategy, tf.distribute.coordinator.ClusterCoordinator(strategy)


def functions_run_at_workers():
    strategy, coordinator = coordinated()
    with strategy.scope():
        total, count = tf.Variable(1.5), tf.Variable(0, dtype=tf.int64)

    @tf.function
    def add(x, more=None):
        total.assign_add(x if more is None else x + more["y"])
        count.assign_add(1)
        return {"twice": x * 2.0, "pair": (x, tf.constant("text"))}

    values = [coordinator.schedule(add, args=(tf.constant(float(i)),)) for i in range(20)]
    values += [coordinator.schedule(add, (tf.constant(1.0),), {"more": {"y": tf.constant(0.25)}})]
    coordinator.join()
    plainly = coordinator.schedule(tf.function(lambda: total + 1.0))
    fetched = coordinator.fetch({"all": values[:3], "plainly": plainly, "other": 7})
    return {
        "total": plain(total),
        "count": plain(count),
        "fetched": json.loads(
            json.dumps(fetched, default=lambda x: x.decode() if isinstance(x, bytes) else x.tolist())
        ),
        "got": plain(values[4].get()["twice"]),
        "done": coordinator.done(),
        "same": tf.distribute.coordinator.ClusterCoordinator(strategy) is coordinator,
        "replicas": strategy.num_replicas_in_sync,
    }


def variables_at_servers():
    strategy, coordinator = coordinated(tf.distribute.experimental.partitioners.FixedShardsPartitioner(2))
    with strategy.scope():
        whole = [tf.Variable(1.0, name="a"), tf.Variable(2.0), tf.Variable([3, 4], name="ints")]
        table = tf.Variable(tf.reshape(tf.range(10.0), [5, 2]), name="table")
        made = tf.Variable(initial_value=lambda: tf.ones([3]), name="made")
    parts = [[plain(v) for v in x.variables] for x in (table, made, whole[2])]
    devices = [v.device for x in (whole[0], whole[1], *table.variables, *made.variables) for v in [x]]

    @tf.function
    def step(ids):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.embedding_lookup(table.variables, ids) ** 2)
        for v, g in zip(table.variables, tape.gradient(loss, table.variables)):
            v.assign_sub(0.25 * tf.convert_to_tensor(g))
        return loss

    losses = [plain(tf.constant(coordinator.schedule(step, args=(tf.constant([4, 0, 4]),)).fetch())) for _ in range(2)]
    folder = tempfile.mkdtemp()
    path = tf.train.Checkpoint(table=table, a=whole[0]).save(folder + "/c")
    saved = tf.train.load_checkpoint(path).get_tensor("table/.ATTRIBUTES/VARIABLE_VALUE").tolist()
    table.assign(tf.zeros([5, 2]))
    tf.train.Checkpoint(table=table).restore(path).expect_partial()
    shutil.rmtree(folder)
    return {
        "parts": parts,
        "devices": devices,
        "losses": losses,
        "saved": saved,
        "now": plain(tf.convert_to_tensor(table)),
    }


def datasets_of_workers():
    strategy, coordinator = coordinated()
    with strategy.scope():
        seen = tf.Variable(0, dtype=tf.int64)

    def make():
        return tf.data.Dataset.from_tensors(tf.constant(3, tf.int64)).repeat().batch(2)

    iterator = iter(coordinator.create_per_worker_dataset(make))
    other = iter(
        coordinator.create_per_worker_dataset(lambda: strategy.distribute_datasets_from_function(lambda _: make()))
    )

    @tf.function
    def step(first, second):
        def replica(x):
            seen.assign_add(tf.reduce_sum(x))
            return tf.reduce_sum(x)

        return strategy.run(replica, args=(next(first) + next(second),))

    values = [coordinator.schedule(step, args=(iterator, other)) for _ in range(10)]
    coordinator.join()
    return plain(seen), [int(x) for x in coordinator.fetch(values)]


def errors_of_functions():
    strategy, coordinator = coordinated()
    with strategy.scope():
        v = tf.Variable(1.0)

    @tf.function
    def fails(x):
        tf.debugging.assert_less(x, 0.0)
        return x

    out = []
    value = coordinator.schedule(fails, args=(tf.constant(1.0),))
    for call in (coordinator.join, value.fetch):
        try:
            call()
            out.append("no error")
        except Exception as error:
            out.append(type(error).__name__)
    coordinator.join()
    again = coordinator.schedule(tf.function(lambda: v.assign_add(2.0)))
    out.append(float(again.fetch()))

    try:
        coordinator.schedule(lambda: 1.0)
        out.append("no error")
    except TypeError as error:
        out.append(type(error).__name__)
    return out


def training_by_one_worker():
    strategy, coordinator = coordinated()
    with strategy.scope():
        w, b = tf.Variable(tf.zeros([3, 1])), tf.Variable(0.0)

    def make():
        x = tf.reshape(tf.range(24.0), [8, 3]) / 24.0
        return tf.data.Dataset.from_tensor_slices((x, x @ [[1.0], [-2.0], [0.5]] + 0.25)).repeat().batch(4)

    @tf.function
    def step(iterator):
        def replica(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w + b - y) ** 2)
            for v, g in zip((w, b), tape.gradient(loss, [w, b])):
                v.assign_sub(0.3 * g)
            return loss

        return strategy.run(replica, args=next(iterator))

    iterator = iter(coordinator.create_per_worker_dataset(make))
    losses = [coordinator.schedule(step, args=(iterator,)) for _ in range(40)]
    coordinator.join()
    return plain(w), plain(b), [float(x) for x in coordinator.fetch(losses)[::8]]


def workers_come_and_go():
    """A worker is killed, or stopped, while functions run: others run them. The lines that the test waits for say how far it is;
    standard input says when it goes on. Not recorded."""
    strategy, coordinator = coordinated()
    with strategy.scope():
        total = tf.Variable(0.0)
    iterator = iter(coordinator.create_per_worker_dataset(lambda: tf.data.Dataset.range(1000).map(lambda x: x * 0 + 3)))

    @tf.function
    def step(iterator):
        return next(iterator), tf.identity(total)

    out = []
    for _ in range(3):
        values = [coordinator.schedule(step, args=(iterator,)) for _ in range(60)]
        coordinator.join()
        out.append(sum(int(v.fetch()[0]) for v in values))
        print("ran", flush=True)
        sys.stdin.readline()
    print("server", flush=True)
    sys.stdin.readline()
    coordinator.schedule(step, args=(iterator,))
    try:
        coordinator.join()
        return out, "no error", ""
    except tf.errors.OpError as error:
        return out, type(error).__name__, error.message


COORDINATED = [functions_run_at_workers, variables_at_servers, datasets_of_workers, errors_of_functions]
IN_STEP = [
    datasets_are_divided,
    workers_go_on_until_nobody_has_more,
    values_of_all_workers,
    training_in_step,
]
WITH_SERVERS = [asynchronous_workers, partitioned_variables, embeddings_on_servers]
# (function, tasks by job)
CASES = [(f, {"worker": n}) for f in IN_STEP for n in (2, 3)]
CASES += [(f, {"worker": 2, "ps": 2}) for f in WITH_SERVERS] + [(gradients_in_step, {"worker": 1, "ps": 2})]
CASES += [(f, {"chief": 1, "worker": 2, "ps": 2}) for f in COORDINATED]
CASES += [(training_by_one_worker, {"chief": 1, "worker": 1, "ps": 2})]


def name_of(case):
    function, jobs = case
    return f"{function.__name__} {jobs['worker']}"


def addresses(jobs, folder=None):
    """Free ports, or Unix sockets in a folder."""
    held = []

    def one(job, i):
        if folder is not None:
            return f"unix:{folder}/{job}{i}"
        held.append(socket.socket())
        held[-1].bind(("127.0.0.1", 0))
        return f"127.0.0.1:{held[-1].getsockname()[1]}"

    made = {job: [one(job, i) for i in range(n)] for job, n in jobs.items()}
    for s in held:
        s.close()
    return made


def start(name, cluster, job, index, **environment):
    task = {"cluster": cluster, "task": {"type": job, "index": index}}
    return subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), name],
        env={**os.environ, "TF_CONFIG": json.dumps(task), **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcomes(case, cluster, seconds=120, **environment):
    """What each worker gives, by rank. AssertionError with what a task says that fails."""
    function, jobs = case
    tasks = {
        (job, i): start(function.__name__, cluster, job, i, **environment) for job, n in jobs.items() for i in range(n)
    }
    made = []
    try:
        programs = "chief" if "chief" in jobs else "worker"
        for i in range(jobs[programs]):
            out, err = tasks[programs, i].communicate(timeout=seconds)
            assert tasks[programs, i].returncode == 0, f"{programs} {i}: {err[-3000:]}"
            made.append(json.loads(out.splitlines()[-1]))
    finally:
        for t in tasks.values():
            t.kill()
            t.wait()
            for pipe in (t.stdin, t.stdout, t.stderr):
                pipe.close()
    return made


def record():
    found = {}
    for case in CASES:
        found[name_of(case)] = outcomes(
            case, addresses(case[1]), 600, WORKER_CASES_WITH_TENSORFLOW="1", TF_CPP_MIN_LOG_LEVEL="3"
        )
        print(name_of(case), flush=True)
    with open(os.path.join(HERE, "data", "worker_cases.json"), "w") as file:
        json.dump(found, file, indent=1, sort_keys=True)
        file.write("\n")


def run_task(name):
    if config()["task"]["type"] == "ps" or ("chief" in config()["cluster"] and config()["task"]["type"] == "worker"):
        kept = server()
        sys.stdin.read()
        del kept
        return
    known = {f.__name__: f for f in [*(f for f, _ in CASES), *UNRECORDED, workers_come_and_go]}
    print(json.dumps(known[name]()), flush=True)


if __name__ == "__main__":
    record() if sys.argv[1] == "--record" else run_task(sys.argv[1])
