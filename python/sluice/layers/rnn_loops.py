"""Cells over sequences, as in TensorFlow 1 (tf.compat.v1.nn): by a loop in the graph, or step by step.

Sequences are [batch, time, ...], or [time, batch, ...] where `time_major` says so, or structures of such; `sequence_length`, [batch],
ends them earlier: from there on outputs are zero, and states stay."""

from __future__ import annotations

import contextlib

from ..compat import v1
from ..core import dtypes, nest, scopes, tensor_shape
from .rnn_cells import as_dtype, check_cell, initial_state, with_batch


@contextlib.contextmanager
def _scope_of_loop(scope):
    """The variable scope of a loop. Variables are read where the op is that reads them."""
    with v1.variable_scope(scope or "rnn") as current:
        if not scopes.executing_eagerly() and current.caching_device is None:
            current.set_caching_device(lambda op: op.device)
        yield current


def _swapped(x):
    """[batch, time, ...] for [time, batch, ...], and the other way."""
    x = v1.convert_to_tensor(x)
    rank = x.shape.rank
    if rank is not None and rank < 2:
        return x
    axes = [1, 0, *range(2, rank)] if rank is not None else v1.concat([[1, 0], v1.range(2, v1.rank(x))], 0)
    made = v1.transpose(x, axes)
    if rank is not None:
        dims = x.shape.as_list()
        made.set_shape([dims[1], dims[0], *dims[2:]])
    return made


def _batch_of(inputs, axis=1):
    """The batch size that the inputs agree about: a number if it is known."""
    size = tensor_shape.Dimension(None)
    for x in inputs:
        if x.shape.rank is not None:
            size = size.merge_with(x.shape.with_rank_at_least(axis + 1).dims[axis])
    return size.value if size.value is not None else v1.shape(inputs[0])[axis]


def _state_of(cell, given, batch_size, dtype):
    if given is not None:
        return given
    if dtype is None:
        raise ValueError("If there is no initial_state, you must give a dtype.")
    return initial_state(cell, batch_size, dtype)


def _through(ended, before, after):
    """The rows of `before` that have ended, the others of `after`."""

    def one(old, new):
        if hasattr(new, "flow") or new.shape.rank == 0:
            return new
        return _shaped(v1.where(ended, old, new), new.shape)

    return nest.map_structure(one, before, after)


def _nothing(output_size, batch_size, dtype):
    """Zeros as the cell's outputs are."""

    def one(size):
        static, shape = with_batch(size, batch_size)
        return _shaped(v1.zeros(shape, dtype), static)

    return nest.map_structure(one, output_size)


def _shaped(x, shape):
    x.set_shape(shape)
    return x


def _lengths(sequence_length):
    lengths = v1.cast(sequence_length, dtypes.int32)
    if lengths.shape.rank not in (None, 1):
        raise ValueError(f"sequence_length must be a vector of length batch_size, but saw shape: {lengths.shape}")
    return v1.identity(lengths, name="sequence_length")


def _assert_lengths(lengths, batch_size):
    """The lengths, once it is known at run time that there is one for each sequence."""
    found, wanted = v1.shape(lengths), v1.stack([batch_size])
    check = v1.Assert(
        v1.reduce_all(v1.equal(found, wanted)),
        [
            f"Expected shape for Tensor {lengths.name} is ",
            wanted,
            " but saw shape: ",
            found,
        ],
    )
    with v1.control_dependencies([check] if check is not None else []):
        return v1.identity(lengths, name="CheckSeqLen")


def dynamic_rnn(
    cell, inputs, sequence_length=None, initial_state=None, dtype=None, parallel_iterations=None, swap_memory=False,
    time_major=False, scope=None,
):  # fmt: skip
    """(outputs, last state) of a cell over sequences, by a loop: outputs are as long as the inputs.

    dtype is that of the state, if no initial_state is given, and of outputs. The loop may work on `parallel_iterations` steps at
    once; swap_memory has no effect."""
    check_cell("cell", cell)
    with _scope_of_loop(scope):
        flat = [v1.convert_to_tensor(x) for x in nest.flatten(inputs)]
        if not time_major:
            flat = [_swapped(x) for x in flat]
        lengths = None if sequence_length is None else _lengths(sequence_length)
        batch_size = _batch_of(flat)
        state = _state_of(cell, initial_state, batch_size, dtype)
        if lengths is not None and not scopes.executing_eagerly():
            lengths = _assert_lengths(lengths, batch_size)
        outputs, state = _loop(
            cell, nest.pack_sequence_as(inputs, flat), flat, state, lengths, batch_size, as_dtype(dtype),
            parallel_iterations or 32, swap_memory,
        )  # fmt: skip
        if not time_major:
            outputs = nest.map_structure(_swapped, outputs)
        return outputs, state


def _loop(cell, inputs, flat, state, lengths, batch_size, dtype, parallel_iterations, swap_memory):
    """dynamic_rnn of [time, batch, ...]."""
    steps = {x.shape.as_list()[0] for x in flat if x.shape.rank} - {None}
    if len(steps) > 1:
        raise ValueError(f"Time steps is not the same for all the elements in the input in a batch: {sorted(steps)}")
    known_steps = steps.pop() if steps else None
    for x in flat:
        if x.shape.rank is not None and None in x.shape.as_list()[2:]:
            raise ValueError("Input size (depth of inputs) must be accessible via shape inference, but saw value None.")
    time_steps = known_steps if known_steps is not None else v1.shape(flat[0])[0]
    output_size = cell.output_size
    sizes = nest.flatten(output_size)
    state = nest.map_structure(lambda s: s if hasattr(s, "flow") else v1.convert_to_tensor(s), state)
    out_dtype = dtype or _dtype_of(state)
    nothing = None if lengths is None else _nothing(output_size, batch_size, out_dtype)
    time = v1.constant(0, dtype=dtypes.int32, name="time")
    with v1.name_scope("dynamic_rnn") as base:
        pass  # its name is that of the arrays

    def array(name, kind, shape):
        return v1.TensorArray(dtype=kind, size=time_steps, element_shape=shape, tensor_array_name=base + name)

    out_arrays = tuple(array(f"output_{i}", out_dtype, with_batch(size, batch_size)[0]) for i, size in enumerate(sizes))
    in_arrays = tuple(
        array(f"input_{i}", x.dtype, x.shape[1:] if x.shape.rank else None).unstack(x) for i, x in enumerate(flat)
    )
    bound = time_steps
    if lengths is not None and not scopes.executing_eagerly():
        bound = v1.minimum(time_steps, v1.maximum(1, v1.reduce_max(lengths)))

    def step(time, arrays, state):
        x = nest.pack_sequence_as(inputs, [_shaped(a.read(time), f.shape[1:]) for a, f in zip(in_arrays, flat)])
        output, next_state = cell(x, state)
        nest.assert_same_structure(state, next_state)
        if lengths is not None:
            ended = time >= lengths
            output, next_state = _through(ended, nothing, output), _through(ended, state, next_state)
        arrays = tuple(a.write(time, y) for a, y in zip(arrays, nest.flatten(output), strict=True))
        return time + 1, arrays, next_state

    _, out_arrays, last = v1.while_loop(
        lambda time, *_: time < bound, step, (time, out_arrays, state), parallel_iterations=parallel_iterations,
        maximum_iterations=time_steps, swap_memory=swap_memory,
    )  # fmt: skip
    outputs = []
    for a, size in zip(out_arrays, sizes):
        static = tensor_shape.as_shape([known_steps]).concatenate(with_batch(size, batch_size)[0])
        outputs.append(_shaped(a.stack(), static))
    return nest.pack_sequence_as(output_size, outputs), last


def _dtype_of(state):
    kinds = {s.dtype.base_dtype for s in nest.flatten(state)}
    if len(kinds) > 1:
        raise ValueError(
            f"State has tensors of different inferred_dtypes. Unable to infer a single representative dtype: {kinds}"
        )
    return kinds.pop()


def _reversed(x, lengths, time_axis, batch_axis):
    def one(x):
        if lengths is None:
            return v1.reverse(x, axis=[time_axis])
        return v1.reverse_sequence(input=x, seq_lengths=lengths, seq_axis=time_axis, batch_axis=batch_axis)

    return nest.map_structure(one, x)


def bidirectional_dynamic_rnn(
    cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None, initial_state_bw=None, dtype=None,
    parallel_iterations=None, swap_memory=False, time_major=False, scope=None,
):  # fmt: skip
    """((outputs, outputs), (state, state)) of a cell that goes over the sequences, and of one that comes back from their ends."""
    check_cell("cell_fw", cell_fw)
    check_cell("cell_bw", cell_bw)
    options = {
        "sequence_length": sequence_length, "dtype": dtype, "parallel_iterations": parallel_iterations,
        "swap_memory": swap_memory, "time_major": time_major,
    }  # fmt: skip
    axes = (0, 1) if time_major else (1, 0)
    with v1.variable_scope(scope or "bidirectional_rnn"):
        with v1.variable_scope("fw") as forward:
            out_fw, state_fw = dynamic_rnn(cell_fw, inputs, initial_state=initial_state_fw, scope=forward, **options)
        with v1.variable_scope("bw") as backward:
            turned = _reversed(inputs, sequence_length, *axes)
            out_bw, state_bw = dynamic_rnn(cell_bw, turned, initial_state=initial_state_bw, scope=backward, **options)
    return (out_fw, _reversed(out_bw, sequence_length, *axes)), (state_fw, state_bw)


def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    """A cell in a loop whose inputs, states and outputs loop_fn decides.

    loop_fn(time, output, state, loop_state) gives (finished [batch], next input, next state, what to emit, loop state); at first it is
    called with time 0 and None else, and what it then gives to emit says the structure, by shapes without the batch. Gives
    (TensorArrays of what was emitted, last state, last loop state)."""
    check_cell("cell", cell)
    if not callable(loop_fn):
        raise TypeError(f"Argument `loop_fn` must be a callable. Received: {loop_fn}.")
    with _scope_of_loop(scope):
        time = v1.constant(0, dtype=dtypes.int32)
        finished, next_input, state, emitted, loop_state = loop_fn(time, None, None, None)
        has_loop_state = loop_state is not None
        loop_state = loop_state if has_loop_state else v1.constant(0, dtype=dtypes.int32)
        flat_input = [v1.convert_to_tensor(x) for x in nest.flatten(next_input)]
        next_input = nest.pack_sequence_as(next_input, flat_input)
        batch_size = _batch_of(flat_input, 0)
        if emitted is not None:
            parts = [v1.convert_to_tensor(e) for e in nest.flatten(emitted)]
            kinds = [p.dtype for p in parts]
            sizes = [p.shape if p.shape.is_fully_defined() else v1.shape(p) for p in parts]
            structure = emitted
        else:
            sizes = nest.flatten(cell.output_size)
            kinds = [flat_input[0].dtype] * len(sizes)
            structure = cell.output_size
        arrays = tuple(
            v1.TensorArray(
                dtype=kind, dynamic_size=True, size=0, element_shape=_element(size, batch_size), name=f"rnn_output_{i}"
            )
            for i, (kind, size) in enumerate(zip(kinds, sizes))
        )
        nothing = [
            v1.zeros(v1.concat([v1.reshape(batch_size, [1]), size if hasattr(size, "dtype") else _dims(size)], 0), kind)
            for kind, size in zip(kinds, sizes)
        ]

        def step(time, finished, x, arrays, state, loop_state):
            output, cell_state = cell(x, state)
            nest.assert_same_structure(state, cell_state)
            after = time + 1
            now, next_x, next_state, emit, next_loop = loop_fn(
                after, output, cell_state, loop_state if has_loop_state else None
            )
            nest.assert_same_structure(state, next_state)
            nest.assert_same_structure(x, next_x)
            next_loop = loop_state if next_loop is None else next_loop
            kept = [
                _through(finished, old, v1.convert_to_tensor(new))
                for old, new in zip(nothing, nest.flatten(emit), strict=True)
            ]
            next_state = _through(finished, state, nest.map_structure(_tensor, next_state))
            arrays = tuple(a.write(time, e) for a, e in zip(arrays, kept, strict=True))
            return after, v1.logical_or(finished, now), next_x, arrays, next_state, next_loop

        state = nest.map_structure(_tensor, state)
        made = v1.while_loop(
            lambda _, finished, *__: v1.logical_not(v1.reduce_all(finished)), step,
            [time, finished, next_input, arrays, state, loop_state],
            parallel_iterations=parallel_iterations or 32, swap_memory=swap_memory,
        )  # fmt: skip
        emitted = nest.pack_sequence_as(structure, list(made[3]))
        return emitted, made[4], made[5] if has_loop_state else None


def _tensor(x):
    return x if hasattr(x, "flow") else v1.convert_to_tensor(x)


def _dims(size):
    return tensor_shape.as_shape([size] if isinstance(size, int) else size).as_list()


def _element(size, batch_size):
    return None if hasattr(size, "dtype") else with_batch(size, batch_size)[0]


def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    """(outputs, last state) of a cell over a list of inputs, [batch, ...] each: the graph has nodes for every step."""
    check_cell("cell", cell)
    if not nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with _scope_of_loop(scope) as current:
        batch_size = _batch_of([v1.convert_to_tensor(x) for x in nest.flatten(inputs)], 0)
        state = _state_of(cell, initial_state, batch_size, dtype)
        lengths = None
        if sequence_length is not None:
            lengths = _lengths(sequence_length)
            nothing = _nothing(cell.output_size, batch_size, _dtype_of(state))
            shortest, longest = v1.reduce_min(lengths), v1.reduce_max(lengths)
        outputs = []
        for time, x in enumerate(inputs):
            if time > 0:
                current.reuse_variables()
            output, state = (
                cell(x, state)
                if lengths is None
                else _step_of(cell, x, state, time, lengths, nothing, longest, shortest)
            )
            outputs.append(output)
        return outputs, state


def _step_of(cell, x, state, time, lengths, nothing, longest, shortest):
    """One step, if a sequence goes on until then, and only for those that do."""

    def calculate():
        output, after = cell(x, state)
        nest.assert_same_structure(state, after)

        def some():
            ended = time >= lengths
            return _through(ended, nothing, output), _through(ended, state, after)

        return v1.cond(time < shortest, lambda: (output, after), some)

    output, after = v1.cond(time >= longest, lambda: (nothing, state), calculate)
    nest.map_structure(lambda new, old: new.set_shape(old.shape), (output, after), (nothing, state))
    return output, after


def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None, scope=None):
    """static_rnn, whose state comes from state_saver.state(name) and goes to state_saver.save_state(name, state). state_name is one
    name for each part of the state, structured like it."""
    sizes = cell.state_size
    if nest.is_nested(sizes) != nest.is_nested(state_name):
        raise ValueError("state_name should be the same type as cell.state_size")
    names = nest.flatten(state_name)
    if len(names) != len(nest.flatten(sizes)):
        raise ValueError(f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(nest.flatten(sizes))}")
    initial = nest.pack_sequence_as(sizes, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, initial_state=initial, sequence_length=sequence_length, scope=scope)
    parts = nest.flatten(state)
    saves = [state_saver.save_state(name, part) for name, part in zip(names, parts, strict=True)]
    with v1.control_dependencies(saves):
        last = nest.map_structure(v1.identity, outputs[-1])
        outputs = [*outputs[:-1], last]
        state = nest.pack_sequence_as(state, [v1.identity(part) for part in parts])
    return outputs, state


def static_bidirectional_rnn(
    cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None, sequence_length=None, scope=None
):
    """(outputs, state, state) of a cell that goes over a list of inputs, and of one that comes back; outputs are those of both beside
    each other."""
    check_cell("cell_fw", cell_fw)
    check_cell("cell_bw", cell_bw)
    if not nest.is_nested(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with v1.variable_scope(scope or "bidirectional_rnn"):
        with v1.variable_scope("fw") as forward:
            out_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=forward)
        with v1.variable_scope("bw") as backward:
            turned = _turned(inputs, sequence_length)
            out_bw, state_bw = static_rnn(cell_bw, turned, initial_state_bw, dtype, sequence_length, scope=backward)
    back = _turned(out_bw, sequence_length)
    both = [
        nest.pack_sequence_as(f, [v1.concat([a, b], 1) for a, b in zip(nest.flatten(f), nest.flatten(b_))])
        for f, b_ in zip(out_fw, back, strict=True)
    ]
    return both, state_fw, state_bw


def _turned(sequence, lengths):
    """The list from its end; with lengths each row from its own."""
    if lengths is None:
        return list(reversed(sequence))
    flat = [nest.flatten(x) for x in sequence]
    turned = []
    for column in zip(*flat):
        whole = v1.reverse_sequence(v1.stack(column), lengths, seq_axis=0, batch_axis=1)
        turned.append([_shaped(x, column[0].shape) for x in v1.unstack(whole)])
    return [nest.pack_sequence_as(s, list(parts)) for s, parts in zip(sequence, zip(*turned), strict=True)]
