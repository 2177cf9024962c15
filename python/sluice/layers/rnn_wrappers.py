"""Cells around a cell of TensorFlow 1: with dropout, with what goes past it, on a device. They have no variables of their own."""

from __future__ import annotations

import hashlib
import numbers

from ..compat import v1
from ..core import nest
from ..core.tensor import Tensor
from .rnn_cells import LSTMStateTuple, RNNCell, as_dtype, check_cell, initial_state


class _Wrapper(RNNCell):
    """A call of it is one of `call`, without a scope of its own."""

    def __init__(self, cell, **kwargs):
        super().__init__(**kwargs)
        check_cell("cell", cell)
        self._cell = self.cell = cell

    wrapped_cell = property(lambda self: self._cell)
    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def __call__(self, inputs, state, scope=None, **kwargs):
        def step(x, s):
            return self._cell(x, s, **({"scope": scope} if scope is not None else {}), **kwargs)

        return self.wrap(inputs, state, step)

    def zero_state(self, batch_size, dtype):
        with v1.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return initial_state(self._cell, batch_size, dtype)


def _state_may_drop(state):
    """Which parts of a state dropout is for: not the sums of LSTMs, nor TensorArrays."""
    if isinstance(state, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not hasattr(state, "flow")


def _flags(may, structure):
    """For each part, as flatten has them, whether dropout is for it. `may` is a function that tells it of a structure, or of each of
    its parts by a structure like it; or what such a function told."""
    told = may(structure) if callable(may) else may
    if not isinstance(told, bool):
        pairs = zip(nest.items(told), nest.items(structure), strict=True)
        return [flag for (_, of_part), (_, part) in pairs for flag in _flags(of_part, part)]
    if not told or not nest.is_nested(structure):
        return [told] * len(nest.flatten(structure))
    return [flag for _, part in nest.items(structure) for flag in _flags(may, part)]


class DropoutWrapper(_Wrapper):
    """Shares of a cell's inputs, outputs and next state are zero, the others larger by as much.

    Probabilities are those of keeping: numbers, or tensors. With `variational_recurrent` it is the same numbers at every step (Gal and
    Ghahramani, 2016), for which dtype has to be known, and input_size where inputs are dropped."""

    def __init__(
        self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0, variational_recurrent=False,
        input_size=None, dtype=None, seed=None, dropout_state_filter_visitor=None, **kwargs,
    ):  # fmt: skip
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError(f"dropout_state_filter_visitor must be callable. Received: {dropout_state_filter_visitor}")
        self._visitor = dropout_state_filter_visitor or _state_may_drop
        self._seed, self._variational_recurrent = seed, variational_recurrent
        for name, given in (("input", input_keep_prob), ("state", state_keep_prob), ("output", output_keep_prob)):
            setattr(self, f"_{name}_keep_prob", _probability(f"{name}_keep_prob", given))
        self._noise = {}
        if not variational_recurrent:
            return
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")
        sizes = {"state": cell.state_size, "output": cell.output_size}
        if _drops(self._input_keep_prob):
            if input_size is None:
                raise ValueError(
                    "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be provided"
                )
            sizes["input"] = input_size
        for name in ("input", "state", "output"):
            if name in sizes:
                self._noise[name] = [
                    v1.random_uniform([1, *_dims(size)], seed=self._seed_of(name, i), dtype=as_dtype(dtype))
                    for i, size in enumerate(nest.flatten(sizes[name]))
                ]

    def _seed_of(self, name, i):
        if self._seed is None:
            return None
        digest = hashlib.md5(f"{self._seed}{name}_{i}".encode()).hexdigest()
        return int(digest[:8], 16) & 0x7FFFFFFF

    def _drop(self, values, name, may=True):
        keep = getattr(self, f"_{name}_keep_prob")
        if not _drops(keep):
            return values

        def drop(i, value):
            if not self._variational_recurrent:
                return v1.nn.dropout(value, rate=1.0 - keep, seed=self._seed_of(name, i))
            mask = v1.floor(keep + self._noise[name][i])
            dropped = v1.div(value, keep) * mask
            dropped.set_shape(value.shape)
            return dropped

        flags = _flags(may, values)
        made = [drop(i, v) if flag else v for i, (v, flag) in enumerate(zip(nest.flatten(values), flags, strict=True))]
        return nest.pack_sequence_as(values, made)

    def wrap(self, inputs, state, step):
        output, next_state = step(self._drop(inputs, "input"), state)
        next_state = self._drop(next_state, "state", self._visitor)
        return self._drop(output, "output"), next_state


def _dims(size):
    return [size] if isinstance(size, int) else list(v1.TensorShape(size).as_list())


def _probability(name, given):
    if isinstance(given, Tensor):
        return given
    if not isinstance(given, numbers.Real):
        return v1.convert_to_tensor(given)
    if not 0 <= given <= 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {given}")
    return float(given)


def _drops(keep):
    return not isinstance(keep, float) or keep < 1


class ResidualWrapper(_Wrapper):
    """The cell's outputs plus its inputs, or residual_fn(inputs, outputs)."""

    def __init__(self, cell, residual_fn=None, **kwargs):
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def wrap(self, inputs, state, step):
        def add(x, y):
            x.shape.assert_is_compatible_with(y.shape)
            return x + y

        outputs, next_state = step(inputs, state)
        nest.assert_same_structure(inputs, outputs)
        if self._residual_fn is not None:
            return self._residual_fn(inputs, outputs), next_state
        return nest.map_structure(add, inputs, outputs), next_state


class DeviceWrapper(_Wrapper):
    """The cell on a device."""

    def __init__(self, cell, device, **kwargs):
        super().__init__(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size, dtype):
        with v1.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]), v1.device(self._device):
            return initial_state(self._cell, batch_size, dtype)

    def wrap(self, inputs, state, step):
        with v1.device(self._device):
            return step(inputs, state)
