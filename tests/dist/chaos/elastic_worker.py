"""One worker of an elastic training that the harness (tests/dist/elastic_survives) does harm to: python elastic_worker.py FOLDER
STEPS

What it adds to the weights in a step is the mean, over the workers that are there, of a number of each. Which ones are there in
which step is a part of the model, so that the harness can say what the weights have to be. What ends a step is no end of the
program: it makes the strategy anew, and restores the newest checkpoint.
"""

import faulthandler
import sys
import time

import sluice as tf

faulthandler.dump_traceback_later(200)  # of a run that hangs, into its log
FOLDER, STEPS, SAVES = sys.argv[1], int(sys.argv[2]), 5
OVER = (tf.errors.UnavailableError, tf.errors.AbortedError, tf.errors.DeadlineExceededError)


def say(weights, there):
    there = "".join("%x" % sum(int(x) << i for i, x in enumerate(row)) for row in there)
    print(f"weights {' '.join(w.hex() for w in weights.tolist())} with {there}", flush=True)


def said_from_last_checkpoint():
    newest = tf.train.latest_checkpoint(FOLDER)
    if not newest or not newest.endswith(f"-{STEPS}"):
        return False
    read = tf.train.load_checkpoint(newest).get_tensor
    say(*(read(f"{name}/.ATTRIBUTES/VARIABLE_VALUE") for name in ("weights", "there")))
    return True


def train():
    if said_from_last_checkpoint():
        return True
    patience = tf.distribute.experimental.CommunicationOptions(
        timeout_seconds=20
    )  # then it looks for that checkpoint again
    strategy = tf.distribute.MultiWorkerMirroredStrategy(
        communication_options=patience, least_workers=1, wait_seconds=1.0
    )
    me, most = strategy.cluster_resolver.task_id, strategy.cluster_resolver.cluster_spec().num_tasks("worker")
    with strategy.scope():
        weights, step = tf.Variable(tf.zeros([2])), tf.Variable(0, dtype=tf.int64)
        there = tf.Variable(tf.zeros([STEPS, most], tf.int32))
    checkpoint = tf.train.Checkpoint(weights=weights, there=there, step=step)
    manager = tf.train.CheckpointManager(checkpoint, FOLDER, max_to_keep=None)
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)
    print(f"from {int(step.read_value())} with {strategy.num_replicas_in_sync}", flush=True)

    @tf.function
    def one_step():
        def replica():
            here = tf.distribute.get_replica_context()
            own = tf.constant([1.0 + me, 0.1 * (me + 1)])
            weights.assign(0.9 * weights + here.all_reduce("MEAN", own))
            row = here.all_reduce("SUM", tf.one_hot(me, most, dtype=tf.int32))
            there.assign(tf.tensor_scatter_nd_update(there, tf.reshape(step, [1, 1]), row[tf.newaxis]))
            step.assign_add(1)

        strategy.run(replica)

    while int(step.read_value()) < STEPS:
        one_step()
        at = int(step.read_value())
        if at % SAVES == 0 or at == STEPS:
            if strategy.extended.should_checkpoint:
                manager.save(checkpoint_number=at)
            if at < STEPS:
                strategy.check_members()
        time.sleep(0.02)
    strategy.reduce("SUM", tf.constant(1.0), axis=None)  # who goes on from here knows that the last checkpoint is there
    say(weights.numpy(), there.numpy())
    return True


while True:
    try:
        train()
        break
    except OVER as error:
        print(f"{type(error).__name__}: {error.message.splitlines()[0]}", flush=True)
        time.sleep(0.1)
