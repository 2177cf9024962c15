"""How checkpoints are written and read."""

from __future__ import annotations


class CheckpointOptions:
    """Options of saving and restoring. Files are written at once, also with enable_async."""

    __slots__ = (
        "experimental_io_device",
        "experimental_enable_async_checkpoint",
        "experimental_write_callbacks",
        "enable_async",
        "experimental_skip_slot_variables",
        "experimental_sharding_callback",
    )

    def __init__(
        self,
        experimental_io_device=None,
        experimental_enable_async_checkpoint=False,
        experimental_write_callbacks=None,
        enable_async=False,
        experimental_skip_slot_variables=False,
        experimental_sharding_callback=None,
    ):
        for callback in experimental_write_callbacks or ():
            if not callable(callback):
                raise TypeError(f"Expected a callable in experimental_write_callbacks, got {callback!r}")
        self.experimental_io_device = experimental_io_device
        self.experimental_enable_async_checkpoint = enable_async or experimental_enable_async_checkpoint
        self.enable_async = self.experimental_enable_async_checkpoint
        self.experimental_write_callbacks = experimental_write_callbacks
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = experimental_sharding_callback
