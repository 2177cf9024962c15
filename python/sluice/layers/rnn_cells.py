"""Recurrent cells of TensorFlow 1 (tf.compat.v1.nn.rnn_cell): one step, (output, next state) = cell(input, state).

A cell is a layer, so its variables have the names that checkpoints of TensorFlow 1 have: rnn/basic_lstm_cell/kernel. Inputs are
[batch, size]; `state_size` and `output_size` tell what goes beside them, as numbers, shapes, or structures of those."""

from __future__ import annotations

import collections

from ..compat import v1
from ..core import dtypes, nest, static_values, tensor_shape
from ..core.tensor import Tensor
from .layer import Layer, size_of


class LSTMStateTuple(collections.namedtuple("LSTMStateTuple", ("c", "h"))):
    """What an LSTM keeps: the sum of its gated inputs, and its last output."""

    __slots__ = ()

    @property
    def dtype(self):
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError(f"Inconsistent internal state: {c.dtype} vs {h.dtype}")
        return c.dtype


def with_batch(size, batch_size):
    """The static shape [batch, *size], and the same as v1.zeros takes it."""
    own = tensor_shape.as_shape([size] if isinstance(size, int) else size)
    known = static_values.known_value(batch_size) if isinstance(batch_size, Tensor) else batch_size
    static = tensor_shape.as_shape([None if known is None else int(known)]).concatenate(own)
    if static.is_fully_defined():
        return static, static.as_list()
    return static, v1.concat([v1.reshape(batch_size, [1]), own.as_list()], 0)


def zeros(state_size, batch_size, dtype):
    """Zeros for a structure of sizes; dtype is one, or a structure like it."""

    def of_one(size, kind):
        static, shape = with_batch(size, batch_size)
        made = v1.zeros(shape, kind)
        made.set_shape(static)
        return made

    sizes = nest.flatten(state_size)
    kinds = nest.flatten(dtype) if nest.is_nested(dtype) else [dtype] * len(sizes)
    return nest.pack_sequence_as(state_size, [of_one(s, k) for s, k in zip(sizes, kinds, strict=True)])


class RNNCell(Layer):
    """The base of cells. Subclasses have `state_size`, `output_size` and `call(inputs, state)`."""

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)

    def __call__(self, inputs, state, scope=None, **kwargs):
        """(output, next state) of one step. Its scope is below the one in which it is called first."""
        with v1.variable_scope(v1.get_variable_scope() if scope is None else scope) as current:
            return super().__call__(inputs, state, scope=None if scope is None else current, **kwargs)

    @property
    def state_size(self):
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        raise NotImplementedError("Abstract method")

    def zero_state(self, batch_size, dtype):
        """State of zeros: tensors [batch, size], structured like `state_size`."""
        with v1.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return zeros(self.state_size, batch_size, dtype)

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """State of zeros, for the batch of the inputs (a tensor [batch, ...]) if they are given."""
        if inputs is not None:
            inputs = v1.convert_to_tensor(inputs)
            batch_size = inputs.shape.as_list()[0] if inputs.shape.rank else None
            batch_size = v1.shape(inputs)[0] if batch_size is None else batch_size
            dtype = dtype or inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                f"batch_size and dtype cannot be None while constructing initial state: batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)


class LayerRNNCell(RNNCell):
    """A cell whose scope is that of a layer."""

    def __call__(self, inputs, state, scope=None, **kwargs):
        return Layer.__call__(self, inputs, state, scope=scope, **kwargs)


def with_inputs(inputs, state, kernel, bias):
    """[inputs, state] @ kernel + bias"""
    return v1.nn.bias_add(v1.matmul(v1.concat([inputs, state], 1), kernel), bias)


def activation_of(given):
    if isinstance(given, str):
        return getattr(v1.nn, given, None) or getattr(v1, given)
    return given or v1.tanh


class _UnitCell(LayerRNNCell):
    """A cell of some units, of vectors."""

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self._num_units, self._activation = num_units, activation_of(activation)

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def call(self, inputs, state):
        raise NotImplementedError("Abstract method")


class BasicRNNCell(_UnitCell):
    """output = state = activation([inputs, state] @ kernel + bias)"""

    def build(self, input_shape):
        size = size_of(input_shape, -1, type(self).__name__)
        self._kernel = self.add_weight("kernel", [size + self._num_units, self._num_units])
        self._bias = self.add_weight("bias", [self._num_units], initializer=v1.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        output = self._activation(with_inputs(inputs, state, self._kernel, self._bias))
        return output, output


class GRUCell(_UnitCell):
    """Gated units: r and u of [inputs, state], then what may take the state's place from [inputs, r * state], by shares u and 1 - u
    (Cho and others, 2014)."""

    def __init__(
        self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None, dtype=None,
        **kwargs,
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def build(self, input_shape):
        size, units = size_of(input_shape, -1, type(self).__name__), self._num_units
        ones, nothing = v1.constant_initializer(1.0, dtype=self.dtype), v1.zeros_initializer(dtype=self.dtype)
        kernel, bias = self._kernel_initializer, self._bias_initializer
        self._gate_kernel = self.add_weight("gates/kernel", [size + units, 2 * units], initializer=kernel)
        self._gate_bias = self.add_weight("gates/bias", [2 * units], initializer=ones if bias is None else bias)
        self._candidate_kernel = self.add_weight("candidate/kernel", [size + units, units], initializer=kernel)
        self._candidate_bias = self.add_weight("candidate/bias", [units], initializer=nothing if bias is None else bias)
        self.built = True

    def call(self, inputs, state):
        gates = v1.sigmoid(with_inputs(inputs, state, self._gate_kernel, self._gate_bias))
        r, u = v1.split(value=gates, num_or_size_splits=2, axis=1)
        c = self._activation(with_inputs(inputs, r * state, self._candidate_kernel, self._candidate_bias))
        state = u * state + (1 - u) * c
        return state, state


class BasicLSTMCell(_UnitCell):
    """Gates i, f, o and an input j of [inputs, h]: c = c * sigmoid(f + forget_bias) + sigmoid(i) * activation(j), and
    h = activation(c) * sigmoid(o) (Hochreiter and Schmidhuber, 1997; Zaremba and others, 2014)."""

    def __init__(
        self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None, dtype=None, **kwargs
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._num_units) if self._state_is_tuple else 2 * self._num_units

    def build(self, input_shape):
        size, units = size_of(input_shape, -1, type(self).__name__), self._num_units
        self._kernel = self.add_weight("kernel", [size + units, 4 * units])
        self._bias = self.add_weight("bias", [4 * units], initializer=v1.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        c, h = state if self._state_is_tuple else v1.split(value=state, num_or_size_splits=2, axis=1)
        gates = with_inputs(inputs, h, self._kernel, self._bias)
        i, j, f, o = v1.split(value=gates, num_or_size_splits=4, axis=1)
        kept = v1.multiply(c, v1.sigmoid(v1.add(f, v1.constant(self._forget_bias, f.dtype))))
        c = v1.add(kept, v1.multiply(v1.sigmoid(i), self._activation(j)))
        h = v1.multiply(self._activation(c), v1.sigmoid(o))
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else v1.concat([c, h], 1)


class LSTMCell(_UnitCell):
    """BasicLSTMCell, with what may be added: gates that see c (`use_peepholes`), c that is clipped, an output that is projected to
    num_proj numbers, and clipped (Sak and others, 2014)."""

    def __init__(
        self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None,
        num_unit_shards=None, num_proj_shards=None, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None,
        name=None, dtype=None, **kwargs,
    ):  # fmt: skip
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        self._use_peepholes, self._cell_clip, self._initializer = use_peepholes, cell_clip, initializer
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    output_size = property(lambda self: self._num_proj or self._num_units)

    @property
    def state_size(self):
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    def build(self, input_shape):
        size, units = size_of(input_shape, -1, type(self).__name__), self._num_units
        initial = self._initializer

        def shards(n):
            return v1.fixed_size_partitioner(n) if n is not None else None

        self._kernel = self.add_weight(
            "kernel",
            [size + self.output_size, 4 * units],
            initializer=initial,
            partitioner=shards(self._num_unit_shards),
        )
        bias = v1.zeros_initializer(dtype=self.dtype) if initial is None else v1.zeros_initializer()
        self._bias = self.add_weight("bias", [4 * units], initializer=bias)
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_weight(f"w_{gate}_diag", [units], initializer=initial) for gate in "fio"
            )
        if self._num_proj is not None:
            self._proj_kernel = self.add_weight(
                "projection/kernel",
                [units, self._num_proj],
                initializer=initial,
                partitioner=shards(self._num_proj_shards),
            )
        self.built = True

    def call(self, inputs, state):
        units = self._num_units
        if self._state_is_tuple:
            c_before, h = state
        else:
            c_before, h = v1.slice(state, [0, 0], [-1, units]), v1.slice(state, [0, units], [-1, self.output_size])
        gates = with_inputs(inputs, h, self._kernel, self._bias)
        i, j, f, o = v1.split(value=gates, num_or_size_splits=4, axis=1)
        f = f + self._forget_bias
        if self._use_peepholes:
            f, i = f + self._w_f_diag * c_before, i + self._w_i_diag * c_before
        c = v1.sigmoid(f) * c_before + v1.sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            c = v1.clip_by_value(c, -self._cell_clip, self._cell_clip)
        if self._use_peepholes:
            o = o + self._w_o_diag * c
        h = v1.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            h = v1.matmul(h, self._proj_kernel)
            if self._proj_clip is not None:
                h = v1.clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else v1.concat([c, h], 1)


class MultiRNNCell(RNNCell):
    """Cells one above another: the output of each is the input of the next."""

    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not isinstance(cells, (list, tuple)):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            v1.logging.log_first_n(
                v1.logging.WARN,
                "At least two cells provided to MultiRNNCell are the same object and will share weights.",
                1,
            )
        self._cells, self._state_is_tuple = list(cells), state_is_tuple
        if not state_is_tuple and any(nest.is_nested(c.state_size) for c in cells):
            raise ValueError(
                f"Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: {[c.state_size for c in cells]}"
            )

    cells = property(lambda self: self._cells)
    output_size = property(lambda self: self._cells[-1].output_size)

    @property
    def state_size(self):
        sizes = [cell.state_size for cell in self._cells]
        return tuple(sizes) if self._state_is_tuple else sum(sizes)

    def zero_state(self, batch_size, dtype):
        with v1.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return zeros(self.state_size, batch_size, dtype)

    def call(self, inputs, state):
        if self._state_is_tuple and (not nest.is_nested(state) or len(state) != len(self._cells)):
            raise ValueError(f"Expected state to be a tuple of length {len(self._cells)}, but received: {state}")
        made, at = [], 0
        for i, cell in enumerate(self._cells):
            with v1.variable_scope(f"cell_{i}"):
                if self._state_is_tuple:
                    own = state[i]
                else:
                    own = v1.slice(state, [0, at], [-1, cell.state_size])
                    at += cell.state_size
                inputs, next_state = cell(inputs, own)
                made.append(next_state)
        return inputs, tuple(made) if self._state_is_tuple else v1.concat(made, 1)


def check_cell(name, cell):
    """TypeError for what is no cell."""
    missing = [word for word in ("output_size", "state_size") if not hasattr(cell, word)]
    missing += [] if hasattr(cell, "zero_state") or hasattr(cell, "get_initial_state") else ["zero_state"]
    if missing or not callable(cell):
        why = f"'{missing[0]}' property is missing" if missing else "is not callable"
        raise TypeError(f"The argument {name!r} ({cell}) is not an RNNCell: {why}.")


def initial_state(cell, batch_size, dtype):
    """The state of zeros that a cell begins with."""
    if hasattr(cell, "zero_state"):
        return cell.zero_state(batch_size, dtype)
    return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)


def as_dtype(dtype):
    return None if dtype is None else dtypes.as_dtype(dtype)
