"""tf.data.Options: what a pipeline is asked for beyond its elements. Most change only speed, and have no effect here."""

from __future__ import annotations

import enum

from ..core import attr_value

AUTOTUNE = -1


class AutoShardPolicy(enum.IntEnum):
    """How a pipeline is split among workers."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class ExternalStatePolicy(enum.Enum):
    """What is done about state outside a pipeline when its position is saved."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class AutotuneAlgorithm(enum.Enum):
    """How buffers and threads would be tuned."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class OptionsBase:
    """Named options with types, unset until they are set. `_options`: name -> (type, default, number in the message)."""

    _options: dict[str, tuple] = {}

    def __init__(self):
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_is_read_only", False)

    def as_read_only(self):
        """These options, which refuse changes from here on."""
        object.__setattr__(self, "_is_read_only", True)
        return self

    def __getattr__(self, name):
        found = type(self)._options.get(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name not in self._values:
            kind, default, _ = found
            if not issubclass(kind, OptionsBase):
                return default
            self._values[name] = kind()
        return self._values[name]

    def __setattr__(self, name, value):
        if self._is_read_only:
            raise ValueError(
                "Mutating `tf.data.Options()` returned by `tf.data.Dataset.options()` has no effect. Use "
                "`tf.data.Dataset.with_options(options)` to set or update dataset options."
            )
        found = type(self)._options.get(name)
        if found is None:
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        if value is not None and not isinstance(value, found[0]) or isinstance(value, bool) and found[0] is int:
            raise TypeError(f'Property "{name}" must be of type {found[0]!r}, got: {value!r} (type: {type(value)!r})')
        self._values[name] = value

    def __dir__(self):
        return [*super().__dir__(), *type(self)._options]

    def __eq__(self, other):
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in type(self)._options)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def _set(self):
        """(name, value) of what was set."""
        return [(n, v) for n, v in self._values.items() if v is not None]

    def _merged(self, other):
        """These options with those that the other sets."""
        made = type(self)()
        for source in (self, other):
            for name, value in source._set():
                before = made._values.get(name)
                made._values[name] = before._merged(value) if isinstance(value, OptionsBase) and before else value
        return made

    def _message(self) -> bytes:
        parts = []
        for name, (kind, default, field) in sorted(type(self)._options.items(), key=lambda item: item[1][2] or 0):
            value = getattr(self, name)
            if field is None or value is None:
                continue
            if isinstance(value, OptionsBase):
                parts.append(attr_value.block(field, value._message()))
            elif isinstance(value, str):
                parts.append(attr_value.block(field, value.encode()))
            elif value is not default or value:
                parts.append(attr_value.number(field, value.value if isinstance(value, enum.Enum) else int(value)))
        return b"".join(parts)


class AutotuneOptions(OptionsBase):
    """Asks for tuning of buffers and threads, which is not done here: results are the same."""

    _options = {
        "enabled": (bool, None, 1),
        "cpu_budget": (int, None, 2),
        "ram_budget": (int, None, 3),
        "autotune_algorithm": (AutotuneAlgorithm, None, 4),
        "initial_parallelism": (int, None, 5),
        "min_parallelism": (int, None, 6),
    }


class DistributeOptions(OptionsBase):
    """How a pipeline is split among workers."""

    _options = {"auto_shard_policy": (AutoShardPolicy, AutoShardPolicy.AUTO, 1), "num_devices": (int, None, 2)}


class OptimizationOptions(OptionsBase):
    """Which rewrites of the pipeline are asked for; none changes results."""

    _options = {
        "apply_default_optimizations": (bool, None, 1),
        "filter_fusion": (bool, None, 6),
        "filter_parallelization": (bool, None, 18),
        "inject_prefetch": (bool, None, 19),
        "map_and_batch_fusion": (bool, None, 9),
        "map_and_filter_fusion": (bool, None, 10),
        "map_fusion": (bool, None, 11),
        "map_parallelization": (bool, None, 12),
        "noop_elimination": (bool, None, 14),
        "parallel_batch": (bool, None, 15),
        "seq_interleave_prefetch": (bool, None, 21),
        "shuffle_and_repeat_fusion": (bool, None, 17),
    }


class ServiceOptions(OptionsBase):
    """Options of the data service."""

    _options = {"pinned": (bool, None, 1)}


class ThreadingOptions(OptionsBase):
    """How many threads a pipeline may use."""

    _options = {"max_intra_op_parallelism": (int, None, 1), "private_threadpool_size": (int, None, 2)}


_OTHER_NAMES = {"experimental_deterministic": "deterministic", "experimental_threading": "threading"}


class Options(OptionsBase):
    """Options of a dataset: set attributes, and give it to `Dataset.with_options`."""

    _options = {
        "deterministic": (bool, None, 1),
        "autotune": (AutotuneOptions, None, 7),
        "experimental_distribute": (DistributeOptions, None, 2),
        "experimental_optimization": (OptimizationOptions, None, 3),
        "experimental_slack": (bool, None, 4),
        "threading": (ThreadingOptions, None, 5),
        "experimental_external_state_policy": (ExternalStatePolicy, None, 6),
        "experimental_symbolic_checkpoint": (bool, None, 8),
        "experimental_warm_start": (bool, None, 9),
        "dataset_name": (str, None, 10),
        "framework_type": (list, None, None),
        "experimental_service": (ServiceOptions, None, 12),
    }

    def __getattr__(self, name):
        return super().__getattr__(_OTHER_NAMES.get(name, name))

    def __setattr__(self, name, value):
        super().__setattr__(_OTHER_NAMES.get(name, name), value)

    def merge(self, options):
        """These options, with those that `options` sets in their place."""
        return self._merged(options)

    def _message(self) -> bytes:
        names = b"".join(attr_value.block(11, n.encode()) for n in self.framework_type or ())
        return super()._message() + names
