"""Input by queues: producers of names, numbers and slices, and batches, which queue runners' threads keep full.

All of them need graphs: eagerly they raise RuntimeError. tf.data does the same, and more.
"""

from __future__ import annotations

from ..compat import v1
from ..core import composite_tensor, dtypes, nest, scopes, tensor, tensor_shape
from . import queue_runner


def _refuse_eager(what):
    if scopes.executing_eagerly():
        raise RuntimeError(f"{what} are not compatible with eager execution. Use tf.data.")


# ---- producers


def limit_epochs(tensor, num_epochs=None, name=None):
    """The tensor, num_epochs times; then OutOfRangeError. It counts in a local variable."""
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with v1.name_scope(name, "limit_epochs", [tensor]) as name:
        epochs = v1.Variable(
            v1.constant(0, dtypes.int64),
            name="epochs",
            trainable=False,
            collections=[v1.GraphKeys.LOCAL_VARIABLES],
            use_resource=False,
        )
        with scopes.control_dependencies([epochs.count_up_to(num_epochs)]):
            return v1.identity(tensor, name=name)


def input_producer(
    input_tensor,
    element_shape=None,
    num_epochs=None,
    shuffle=True,
    seed=None,
    capacity=32,
    shared_name=None,
    summary_name=None,
    name=None,
    cancel_op=None,
):
    """A queue with the rows of a tensor, over and over, or num_epochs times. ValueError when the shape of rows is unknown."""
    _refuse_eager("Input pipelines based on Queues")
    with v1.name_scope(name, "input_producer", [input_tensor]):
        rows = v1.convert_to_tensor(input_tensor, name="input_tensor")
        shape = (
            rows.shape[1:].merge_with(element_shape)
            if rows.shape.rank is not None
            else tensor_shape.as_shape(element_shape)
        )
        if not shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
            )
        if shuffle:
            rows = v1.random_shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = v1.FIFOQueue(
            capacity=capacity, dtypes=[rows.dtype.base_dtype], shapes=[shape], shared_name=shared_name, name=name
        )
        enqueue = queue.enqueue_many([rows])
        queue_runner.add_queue_runner(queue_runner.QueueRunner(queue, [enqueue], cancel_op=cancel_op))
        if summary_name is not None:
            v1.summary.scalar(summary_name, v1.cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        return queue


def string_input_producer(
    string_tensor, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None, cancel_op=None
):
    """A queue of strings, such as names of files. ValueError when there are none."""
    _refuse_eager("Input pipelines based on Queues")
    message = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, tensor.Tensor) and not string_tensor:
        raise ValueError(message)
    with v1.name_scope(name, "input_producer", [string_tensor]) as name:
        strings = v1.convert_to_tensor(string_tensor, dtype=dtypes.string)
        with scopes.control_dependencies([v1.Assert(v1.greater(v1.size(strings), 0), [message])]):
            strings = v1.identity(strings)
        return input_producer(
            strings,
            [],
            num_epochs,
            shuffle,
            seed,
            capacity,
            shared_name,
            summary_name=f"fraction_of_{capacity}_full",
            name=name,
            cancel_op=cancel_op,
        )


def range_input_producer(limit, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None):
    """A queue of the numbers from 0 to limit - 1."""
    with v1.name_scope(name, "input_producer", [limit]) as name:
        return input_producer(
            v1.range(limit), [], num_epochs, shuffle, seed, capacity, shared_name, f"fraction_of_{capacity}_full", name
        )


def slice_input_producer(
    tensor_list, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None
):
    """A row of each tensor at a time: a list of tensors without the first dimension. ValueError when there are none."""
    with v1.name_scope(name, "input_producer", tensor_list):
        tensors = [v1.convert_to_tensor(t) for t in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        size = v1.shape(tensors[0])[0]
        index = range_input_producer(size, num_epochs, shuffle, seed, capacity, shared_name).dequeue()
        return [v1.gather(t, index) for t in tensors]


# ---- batches


class _Parts:
    """Tensors of a structure: sparse ones are kept as serialized rows while they are in a queue."""

    def __init__(self, structure, enqueue_many):
        self._structure, self._many = structure, enqueue_many
        flat = list(structure.values()) if isinstance(structure, dict) else list(structure)
        if not flat:
            raise ValueError("Must provide at least one tensor to batch")
        self._sparse = [type(t).__name__ == "SparseTensor" for t in flat]
        self._types = [t.dtype if s else None for t, s in zip(flat, self._sparse)]
        self._ranks = [t.shape.rank if s else None for t, s in zip(flat, self._sparse)]
        self.flat = [self._store(t) if s else v1.convert_to_tensor(t) for t, s in zip(flat, self._sparse)]

    def _store(self, t):
        return v1.serialize_many_sparse(t) if self._many else v1.serialize_sparse(t)

    def put_back(self, flat):
        """The structure with what comes out of the queue."""
        flat = list(flat) if isinstance(flat, (list, tuple)) else [flat]
        made = [
            v1.deserialize_many_sparse(t, dtype=d, rank=None if r is None else r - (1 if self._many else 0)) if s else t
            for t, s, d, r in zip(flat, self._sparse, self._types, self._ranks)
        ]
        if isinstance(self._structure, dict):
            return dict(zip(self._structure, made))
        return made[0] if len(made) == 1 else made


def _single(structure):
    return isinstance(structure, (tensor.Tensor, composite_tensor.CompositeTensor)) or not isinstance(
        structure, (list, tuple, dict)
    )


def _as_structure(tensors):
    return [tensors] if _single(tensors) else tensors


def _shapes(many_flat, shapes, enqueue_many):
    """The shapes of what is in the queue: as given, or what all of the tensors have."""
    if shapes is not None:
        return [tensor_shape.as_shape(s) for s in shapes]
    made = []
    for tensors in zip(*many_flat):
        known = [t.shape[1:] if enqueue_many else t.shape for t in tensors]
        shape = known[0]
        for other in known[1:]:
            shape = shape.most_specific_compatible_shape(other)
        made.append(shape)
    return made


def _enqueue(queue, many_flat, num_threads, enqueue_many, keep_input):
    """Queue runners that put each list of tensors into the queue, where keep_input holds."""
    put = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep_input is True:
        ops = [put(flat) for flat in many_flat] * (num_threads if len(many_flat) == 1 else 1)
    elif keep_input.shape.rank:  # rows are chosen
        rows = [[v1.gather(t, v1.where(keep_input)[:, 0]) for t in flat] for flat in many_flat]
        ops = [queue.enqueue_many(flat) for flat in rows] * (num_threads if len(many_flat) == 1 else 1)
    else:
        ops = [v1.cond(keep_input, lambda flat=flat: v1.group(put(flat)), v1.no_op) for flat in many_flat] * (
            num_threads if len(many_flat) == 1 else 1
        )
        ops = [o if not isinstance(o, tensor.Tensor) else o.op for o in ops]
    queue_runner.add_queue_runner(queue_runner.QueueRunner(queue, ops))


def _keep(keep_input, enqueue_many):
    if keep_input is True:
        return True
    keep = v1.convert_to_tensor(keep_input)
    if keep.shape.rank is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and keep.shape.rank == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if keep.shape.rank > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep


def _batched(
    many,
    keep_input,
    batch_size,
    num_threads,
    capacity,
    enqueue_many,
    shapes,
    make_queue,
    allow_smaller_final_batch,
    summary,
    name,
    default_name,
):
    _refuse_eager("Input pipelines based on Queues")
    many = [_as_structure(tensors) for tensors in many]
    if not many:
        raise ValueError("Expected at least one set of tensors")
    with v1.name_scope(name, default_name, nest.flatten(many, expand_composites=False)) as scope:
        parts = [_Parts(structure, enqueue_many) for structure in many]
        flat = [p.flat for p in parts]
        if len({tuple(t.dtype for t in f) for f in flat}) > 1:
            raise TypeError("Expected the tensors of each set to have the same types")
        keep = _keep(keep_input, enqueue_many)
        queue = make_queue([t.dtype.base_dtype for t in flat[0]], _shapes(flat, shapes, enqueue_many))
        _enqueue(queue, flat, num_threads, enqueue_many, keep)
        fraction = v1.cast(queue.size(), dtypes.float32) if summary is None else summary(queue)
        v1.summary.scalar(
            f"fraction_of_{capacity}_full" if summary is None else "fraction_full",
            fraction * (1.0 if summary else 1.0 / capacity),
        )
        take = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
        return parts[0].put_back(take(batch_size, name=scope))


def _plain_queue(dynamic_pad, capacity, shared_name):
    def make(types, shapes):
        if dynamic_pad:
            return v1.PaddingFIFOQueue(capacity=capacity, dtypes=types, shapes=shapes, shared_name=shared_name)
        if not all(s.is_fully_defined() for s in shapes):
            raise ValueError(f"All shapes must be fully defined: {shapes}")
        return v1.FIFOQueue(capacity=capacity, dtypes=types, shapes=shapes, shared_name=shared_name)

    return make


def _shuffled_queue(capacity, min_after_dequeue, seed, shared_name):
    def make(types, shapes):
        if not all(s.is_fully_defined() for s in shapes):
            raise ValueError(f"All shapes must be fully defined: {shapes}")
        return v1.RandomShuffleQueue(
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=seed,
            dtypes=types,
            shapes=shapes,
            shared_name=shared_name,
        )

    def summary(queue):
        over = v1.maximum(0, queue.size() - min_after_dequeue)
        return v1.cast(over, dtypes.float32) * (1.0 / (capacity - min_after_dequeue))

    return make, summary


def maybe_batch(
    tensors,
    keep_input,
    batch_size,
    num_threads=1,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """`batch` of those tensors, or rows of them, where keep_input holds."""
    make = _plain_queue(dynamic_pad, capacity, shared_name)
    return _batched(
        [tensors],
        keep_input,
        batch_size,
        num_threads,
        capacity,
        enqueue_many,
        shapes,
        make,
        allow_smaller_final_batch,
        None,
        name,
        "batch",
    )


def batch(
    tensors,
    batch_size,
    num_threads=1,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches of tensors (a list or a dictionary), in a new first dimension; enqueue_many: they have it already.

    dynamic_pad: dimensions that are unknown are padded with zeros to the largest of the batch.
    """
    return maybe_batch(
        tensors,
        True,
        batch_size,
        num_threads,
        capacity,
        enqueue_many,
        shapes,
        dynamic_pad,
        allow_smaller_final_batch,
        shared_name,
        name,
    )


def maybe_batch_join(
    tensors_list,
    keep_input,
    batch_size,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """`batch_join` of those tensors, or rows of them, where keep_input holds."""
    make = _plain_queue(dynamic_pad, capacity, shared_name)
    return _batched(
        tensors_list,
        keep_input,
        batch_size,
        1,
        capacity,
        enqueue_many,
        shapes,
        make,
        allow_smaller_final_batch,
        None,
        name,
        "batch_join",
    )


def batch_join(
    tensors_list,
    batch_size,
    capacity=32,
    enqueue_many=False,
    shapes=None,
    dynamic_pad=False,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches from several sources, each with a thread."""
    return maybe_batch_join(
        tensors_list,
        True,
        batch_size,
        capacity,
        enqueue_many,
        shapes,
        dynamic_pad,
        allow_smaller_final_batch,
        shared_name,
        name,
    )


def maybe_shuffle_batch(
    tensors,
    batch_size,
    capacity,
    min_after_dequeue,
    keep_input,
    num_threads=1,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """`shuffle_batch` of those tensors, or rows of them, where keep_input holds."""
    make, summary = _shuffled_queue(capacity, min_after_dequeue, seed, shared_name)
    return _batched(
        [tensors],
        keep_input,
        batch_size,
        num_threads,
        capacity,
        enqueue_many,
        shapes,
        make,
        allow_smaller_final_batch,
        summary,
        name,
        "shuffle_batch",
    )


def shuffle_batch(
    tensors,
    batch_size,
    capacity,
    min_after_dequeue,
    num_threads=1,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches of tensors in random order: at least min_after_dequeue stay in the queue to choose from."""
    return maybe_shuffle_batch(
        tensors,
        batch_size,
        capacity,
        min_after_dequeue,
        True,
        num_threads,
        seed,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        shared_name,
        name,
    )


def maybe_shuffle_batch_join(
    tensors_list,
    batch_size,
    capacity,
    min_after_dequeue,
    keep_input,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """`shuffle_batch_join` of those tensors, or rows of them, where keep_input holds."""
    make, summary = _shuffled_queue(capacity, min_after_dequeue, seed, shared_name)
    return _batched(
        tensors_list,
        keep_input,
        batch_size,
        1,
        capacity,
        enqueue_many,
        shapes,
        make,
        allow_smaller_final_batch,
        summary,
        name,
        "shuffle_batch_join",
    )


def shuffle_batch_join(
    tensors_list,
    batch_size,
    capacity,
    min_after_dequeue,
    seed=None,
    enqueue_many=False,
    shapes=None,
    allow_smaller_final_batch=False,
    shared_name=None,
    name=None,
):
    """Batches in random order from several sources, each with a thread."""
    return maybe_shuffle_batch_join(
        tensors_list,
        batch_size,
        capacity,
        min_after_dequeue,
        True,
        seed,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        shared_name,
        name,
    )
