"""tf.train: checkpoints."""

from .checkpoint import Checkpoint, latest_checkpoint

__all__ = ["Checkpoint", "latest_checkpoint"]


def __getattr__(name: str):
    raise AttributeError(f"sluice.train has no {name!r}: it is not one of the names of TensorFlow that are there yet")
