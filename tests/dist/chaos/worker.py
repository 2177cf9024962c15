"""One worker of a training that the harness (tests/dist/workers_survive) does harm to: python worker.py FOLDER STEPS

The last line that it prints is its weights. What it waits for in vain is an error, and status 1: it is started again, and goes
on from the newest checkpoint. Nobody ends before the last checkpoint is there, so that one that is started again after others
have ended needs nobody.
"""

import faulthandler
import sys
import time
import zlib

import sluice as tf

faulthandler.dump_traceback_later(200)  # of a run that hangs, into its log
FOLDER, STEPS, SAVES, WIDTH = sys.argv[1], int(sys.argv[2]), 7, 40000


def say(small, large, step):
    print(f"weights {zlib.crc32(small.tobytes() + large.tobytes()):08x} after {int(step)}", flush=True)


def said_from_last_checkpoint():
    """Whether the training is over, as the newest checkpoint has it."""
    newest = tf.train.latest_checkpoint(FOLDER)
    if not newest or not newest.endswith(f"-{STEPS}"):
        return False
    read = tf.train.load_checkpoint(newest).get_tensor
    say(*(read(f"{name}/.ATTRIBUTES/VARIABLE_VALUE") for name in ("small", "large", "step")))
    return True


def main():
    if said_from_last_checkpoint():
        return
    patience = tf.distribute.experimental.CommunicationOptions(
        timeout_seconds=20
    )  # then it looks for that checkpoint again
    strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=patience)
    rank, n = strategy.cluster_resolver.task_id, strategy.num_replicas_in_sync
    with strategy.scope():
        small, large = tf.Variable(tf.zeros([3])), tf.Variable(tf.zeros([WIDTH]))  # that go in one call, and in several
        step = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(small=small, large=large, step=step)
    manager = tf.train.CheckpointManager(checkpoint, FOLDER, max_to_keep=None)
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)
    print(f"from {int(step.read_value())}", flush=True)

    @tf.function
    def train(scale):
        def replica():
            here = tf.distribute.get_replica_context()
            goals = [tf.fill([3], 3.7), tf.range(WIDTH, dtype=tf.float32) * 1e-3]
            for v, goal in zip((small, large), goals):
                v.assign_add(here.all_reduce("MEAN", (goal * scale - v) * 0.13))
            step.assign_add(1)

        strategy.run(replica)

    while int(step.read_value()) < STEPS:
        at = int(step.read_value())
        train(tf.constant(1.0 + rank / n + at % 5))
        if (at + 1) % SAVES == 0 and rank == 0:
            manager.save(checkpoint_number=at + 1)
        time.sleep(0.01)
    if rank == 0:
        manager.save(checkpoint_number=STEPS)
    strategy.reduce("SUM", tf.constant(1.0), axis=None)  # who goes on from here knows that it is there
    say(small.numpy(), large.numpy(), step.numpy())


try:
    main()
except tf.errors.OpError as error:
    print(f"{type(error).__name__}: {error.message.splitlines()[0]}", flush=True)
    sys.last_value = error  # as after a traceback: the others hear that this one goes
    sys.exit(1)
