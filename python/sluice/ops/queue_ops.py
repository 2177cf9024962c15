"""Queues (tf.queue) and what gathers gradients of workers (ConditionalAccumulator): state in the library under a handle."""

from __future__ import annotations

import itertools
import weakref
from contextlib import nullcontext

from . import random_seeds
from ..core import dtypes, graph, scopes, tensor, tensor_shape
from ..core.indexed_slices import IndexedSlices
from ..core.op_defs import op


def _dtypes(types):
    return [dtypes.as_dtype(d) for d in (types if isinstance(types, (list, tuple)) else [types])]


def _shapes(shapes, types):
    """The shapes of the components; [] when they are not said. A single shape may stand alone."""
    if shapes is None:
        return []
    if isinstance(shapes, (list, tuple)) and shapes and isinstance(shapes[0], tensor_shape.TensorShape):
        made = list(shapes)
    else:
        try:
            made = [tensor_shape.as_shape(shapes)]
        except (TypeError, ValueError):
            made = [tensor_shape.as_shape(s) for s in shapes]
        if isinstance(shapes, (list, tuple)) and len(shapes) == len(types) and len(types) > 1:
            made = [tensor_shape.as_shape(s) for s in shapes]
    if len(made) != len(types):
        raise ValueError(
            f"Queue shapes must have the same length as dtypes, received len(shapes)={len(made)}, len(dtypes)={len(types)}"
        )
    return made


_numbers = itertools.count()


def _shared_name(shared_name):
    """The name of the resource. Eagerly every object has one of its own."""
    return f"queue_{next(_numbers)}" if graph.current() is None else shared_name or ""


def destroy(ref):
    """Ends a resource that an object of eager code has had to itself."""
    with scopes.init_scope():
        op("DestroyResourceOp")(ref, ignore_lookup_error=True)


class QueueBase:
    """What all queues have. Elements are tuples of tensors, or dictionaries of them when the queue has names."""

    def __init__(self, dtypes, shapes, names, queue_ref):
        self._dtypes = dtypes
        if shapes is not None and shapes:
            if len(shapes) != len(dtypes):
                raise ValueError(
                    f"Queue shapes must have the same length as dtypes, received len(shapes)={len(shapes)}, "
                    f"len(dtypes)={len(dtypes)}"
                )
            self._shapes = [tensor_shape.as_shape(s) for s in shapes]
        else:
            self._shapes = [tensor_shape.TensorShape(None) for _ in dtypes]
        if names is not None and names:
            names = [names] if isinstance(names, str) else list(names)
            if len(names) != len(dtypes):
                raise ValueError(
                    f"Queue names must have the same length as dtypes, received len(names)={len(names)}, "
                    f"len (dtypes)={len(dtypes)}"
                )
            if len(set(names)) != len(names):
                raise ValueError(f"Queue names must be unique, received: {names}")
            self._names = names
        else:
            self._names = None
        self._queue_ref = queue_ref

    _name = "queue"
    queue_ref = property(lambda self: self._queue_ref)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)

    @property
    def _short(self):
        """The name without scopes, of the nodes that work at it."""
        return self.name.rpartition("/")[2]

    @property
    def name(self):
        if isinstance(self._queue_ref, graph.SymbolicTensor):
            return self._queue_ref.op.name
        return self._name

    @staticmethod
    def from_list(index, queues):
        """The queue with this number, which may be a tensor, of a list of queues of the same types."""
        if not queues or not isinstance(queues, list) or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        types = queues[0].dtypes
        if not all(q.dtypes == types for q in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        names = queues[0].names
        if not all(q.names == names for q in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        shapes = [_common(shapes) for shapes in zip(*(q.shapes for q in queues))]
        refs = [q.queue_ref for q in queues]
        if graph.current() is None and not isinstance(index, graph.SymbolicTensor):
            made = refs[int(index)]
        else:
            made = op("GatherV2")(op("Pack")(refs), index, 0)
        chosen = QueueBase(types, shapes, names, made)
        chosen._name = queues[0].name
        return chosen

    # ---- elements

    def _check_enqueue_dtypes(self, vals):
        """The components of a value, in order. ValueError when there are others than the queue has."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  Dictionary: "
                    f"{sorted(vals)}, Queue: {sorted(self._names)}"
                )
            return [vals[k] for k in self._names]
        if self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        return list(vals) if isinstance(vals, (list, tuple)) else [vals]

    def _components(self, vals):
        vals = self._check_enqueue_dtypes(vals)
        if len(vals) != len(self._dtypes):
            raise ValueError(f"{len(vals)} values for a queue of {len(self._dtypes)} components")
        g = graph.current()
        numbers = [d.as_datatype_enum for d in self._dtypes]
        if g is None:
            return [tensor.convert(v, n) for v, n in zip(vals, numbers)]
        return [graph.into(g, v, n, name=f"component_{i}") for i, (v, n) in enumerate(zip(vals, numbers))]

    def _dequeue_return_value(self, tensors):
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    def _op(self, plain):
        return op(plain if self._queue_ref.dtype.name != "resource" else plain + "V2")

    def _is_graph(self):
        return isinstance(self._queue_ref, graph.SymbolicTensor)

    def _told(self, made, rows):
        for t, shape in zip(made, self._shapes):
            if isinstance(t, graph.SymbolicTensor):
                t.set_shape(shape if rows is None else tensor_shape.TensorShape([rows or None]).concatenate(shape))
        return self._dequeue_return_value(made)

    def enqueue(self, vals, name=None):
        """Puts one element in; waits while the queue is full."""
        with scopes.name_scope_v1(name, f"{self._short}_enqueue") as scope:
            components = self._components(vals)
            for v, shape in zip(components, self._shapes):
                v.shape.assert_is_compatible_with(shape)
            return self._op("QueueEnqueue")(self._queue_ref, components, name=scope)

    def enqueue_many(self, vals, name=None):
        """Puts the rows of the components in, each as one element."""
        with scopes.name_scope_v1(name, f"{self._short}_EnqueueMany") as scope:
            return self._enqueue_rows(self._components(vals), scope)

    def _enqueue_rows(self, components, name):
        rows = tensor_shape.TensorShape([None])
        for v, shape in zip(components, self._shapes):
            if v.shape.rank == 0:
                raise ValueError("enqueue_many needs components with rows")
            v.shape.assert_is_compatible_with(rows.concatenate(shape))
        counts = {v.shape[0] for v in components if v.shape.rank is not None and v.shape[0] is not None}
        if len(counts) > 1:
            raise ValueError(f"Dimensions {sorted(counts)} are not compatible")
        return self._op("QueueEnqueueMany")(self._queue_ref, components, name=name)

    def dequeue(self, name=None):
        """Takes one element out; waits for it. OutOfRangeError once the queue is closed and empty."""
        made = self._op("QueueDequeue")(
            self._queue_ref, component_types=self._dtypes, name=name or f"{self._short}_Dequeue"
        )
        return self._told(made, None)

    def dequeue_many(self, n, name=None):
        """Takes n elements out, stacked."""
        made = self._op("QueueDequeueMany")(
            self._queue_ref, n, component_types=self._dtypes, name=name or f"{self._short}_DequeueMany"
        )
        return self._told(made, n if isinstance(n, int) else 0)

    def dequeue_up_to(self, n, name=None):
        """The same; of a closed queue what is left, when that is less."""
        made = self._op("QueueDequeueUpTo")(
            self._queue_ref, n, component_types=self._dtypes, name=name or f"{self._short}_DequeueUpTo"
        )
        return self._told(made, 0)

    def close(self, cancel_pending_enqueues=False, name=None):
        """No elements can be put in any more; those that wait to are cancelled if asked for."""
        return self._op("QueueClose")(
            self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name or f"{self._short}_Close"
        )

    def is_closed(self, name=None):
        name = name or f"{self._short}_Is_Closed"
        return op("QueueIsClosedV2" if self._queue_ref.dtype.name == "resource" else "QueueIsClosed")(
            self._queue_ref, name=name
        )

    def size(self, name=None):
        """How many elements there are."""
        return self._op("QueueSize")(self._queue_ref, name=name or f"{self._short}_Size")


def _common(shapes):
    shape = shapes[0]
    for other in shapes[1:]:
        shape = shape.most_specific_compatible_shape(other)
    return shape


class _Made(QueueBase):
    """A queue of an op of its own. Eagerly it ends with the object."""

    def _end_with(self, ref):
        if not isinstance(ref, graph.SymbolicTensor):
            weakref.finalize(self, destroy, ref).atexit = False

    def _make(self, op_name, types, shapes, names, name, shared_name, **attrs):
        self._name = name
        with (
            scopes.init_scope() if graph.current() is not None and graph.current().building_function else nullcontext()
        ):
            with scopes.device("CPU") if graph.current() is not None and op_name == "FIFOQueueV2" else nullcontext():
                ref = op(op_name)(
                    component_types=types, shapes=shapes, shared_name=_shared_name(shared_name), name=name, **attrs
                )
        self._end_with(ref)
        QueueBase.__init__(self, types, shapes, names, ref)


class FIFOQueue(_Made):
    """First in, first out, at most `capacity` elements. dequeue_many needs `shapes`."""

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None, name="fifo_queue"):
        types = _dtypes(dtypes)
        self._make("FIFOQueueV2", types, _shapes(shapes, types), names, name, shared_name, capacity=capacity)


class PaddingFIFOQueue(_Made):
    """The same, where dimensions of shapes may be None: dequeue_many fills elements up to the largest with zeros."""

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None, name="padding_fifo_queue"):
        types = _dtypes(dtypes)
        if shapes is None:
            raise ValueError("When providing partial shapes, a list of shapes must be provided.")
        made = _shapes(shapes, types)
        if any(s.rank is None for s in made):
            raise ValueError(f"Shapes {made} must have a defined rank.")
        self._make("PaddingFIFOQueueV2", types, made, names, name, shared_name, capacity=capacity)


class RandomShuffleQueue(_Made):
    """Gives elements in random order, once more than min_after_dequeue are there, or the queue is closed."""

    def __init__(
        self,
        capacity,
        min_after_dequeue,
        dtypes,
        shapes=None,
        names=None,
        seed=None,
        shared_name=None,
        name="random_shuffle_queue",
    ):
        types = _dtypes(dtypes)
        seed1, seed2 = random_seeds.get_seed(seed)
        if seed1 is None and seed2 is None:
            seed1, seed2 = 0, 0
        elif seed is None and shared_name is not None:
            seed2 = random_seeds.derived_seed(seed1, shared_name)
        self._make(
            "RandomShuffleQueueV2",
            types,
            _shapes(shapes, types),
            names,
            name,
            shared_name,
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=seed1,
            seed2=seed2,
        )


class PriorityQueue(_Made):
    """Gives the element with the smallest int64 first. That is the first component of elements, before those of `types`."""

    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None, name="priority_queue"):
        types = _dtypes(types)
        given = _shapes(shapes, types) or [tensor_shape.TensorShape(None) for _ in types]
        self._name = name
        ref = op("PriorityQueueV2")(
            component_types=types,
            shapes=given,
            capacity=capacity,
            shared_name=_shared_name(shared_name),
            name=name,
        )
        self._end_with(ref)
        number = [dtypes.as_dtype("int64")]
        QueueBase.__init__(self, number + types, [tensor_shape.TensorShape([])] + given, names, ref)


class Barrier:
    """Elements by key, each of several components that come one by one; those that are complete are taken by `take_many`."""

    def __init__(self, types, shapes=None, shared_name=None, name="barrier"):
        self._types = _dtypes(types)
        given = [tensor_shape.as_shape(s) for s in shapes] if shapes is not None else []
        for i, shape in enumerate(given):
            if shape.num_elements() == 0:
                raise ValueError(f"Empty tensors are not supported, but received shape '{shape}' at index {i}")
        self._shapes = given or [tensor_shape.TensorShape(None) for _ in self._types]
        self._barrier_ref = op("Barrier")(component_types=self._types, shapes=given, shared_name=shared_name, name=name)

    barrier_ref = property(lambda self: self._barrier_ref)
    name = property(lambda self: self._barrier_ref.op.name)
    _short = property(lambda self: self.name.rpartition("/")[2])  # of the nodes that work at it

    def insert_many(self, component_index, keys, values, name=None):
        """Sets one component of the elements with these keys."""
        return op("BarrierInsertMany")(
            self._barrier_ref,
            keys,
            values,
            component_index=component_index,
            name=name or f"{self._short}_BarrierInsertMany",
        )

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        """(order, keys, components) of complete elements, in the order of their first components."""
        made = op("BarrierTakeMany")(
            self._barrier_ref,
            num_elements,
            component_types=self._types,
            allow_small_batch=allow_small_batch,
            timeout_ms=-1 if timeout is None else timeout,
            name=name or f"{self._short}_BarrierTakeMany",
        )
        rows = None if allow_small_batch or not isinstance(num_elements, int) else num_elements
        for t, shape in zip(made[2], self._shapes):
            if isinstance(t, graph.SymbolicTensor):
                t.set_shape(tensor_shape.TensorShape([rows]).concatenate(shape))
        return made[0], made[1], made[2]

    def close(self, cancel_pending_enqueues=False, name=None):
        return op("BarrierClose")(
            self._barrier_ref,
            cancel_pending_enqueues=cancel_pending_enqueues,
            name=name or f"{self._short}_BarrierClose",
        )

    def ready_size(self, name=None):
        return op("BarrierReadySize")(self._barrier_ref, name=name or f"{self._short}_BarrierReadySize")

    def incomplete_size(self, name=None):
        return op("BarrierIncompleteSize")(self._barrier_ref, name=name or f"{self._short}_BarrierIncompleteSize")


# ---- accumulators


class ConditionalAccumulatorBase:
    """Gradients that are applied one by one and taken as their mean or sum; old ones are dropped."""

    def __init__(self, dtype, shape, accumulator_ref):
        self._dtype, self._accumulator_ref = dtype, accumulator_ref
        self._shape = tensor_shape.as_shape(shape)

    accumulator_ref = property(lambda self: self._accumulator_ref)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._accumulator_ref.op.name.rpartition("/")[2])

    def num_accumulated(self, name=None):
        return op("AccumulatorNumAccumulated")(self._accumulator_ref, name=name or f"{self.name}_NumAccumulated")

    def set_global_step(self, new_global_step, name=None):
        step = _int64(new_global_step)
        return op("AccumulatorSetGlobalStep")(self._accumulator_ref, step, name=name)


def _int64(value):
    if isinstance(value, tensor.Tensor) or hasattr(value, "read_value"):
        value = value if isinstance(value, tensor.Tensor) else value.read_value()
        return value if value.dtype.name == "int64" else op("Cast")(value, DstT=9)
    g = graph.current()
    return tensor.convert(value, 9) if g is None else graph.into(g, value, 9)


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Of dense gradients."""

    def __init__(self, dtype, shape=None, shared_name=None, name="conditional_accumulator", reduction_type="MEAN"):
        dtype = dtypes.as_dtype(dtype)
        ref = op("ConditionalAccumulator")(
            dtype=dtype, shape=shape, shared_name=shared_name, reduction_type=reduction_type, name=name
        )
        super().__init__(dtype, shape, ref)

    def apply_grad(self, grad, local_step=0, name=None):
        """Adds a gradient, unless it is of an older step than the accumulator's."""
        g = graph.current()
        grad = (
            graph.into(g, grad, self._dtype.as_datatype_enum)
            if g
            else tensor.convert(grad, self._dtype.as_datatype_enum)
        )
        grad.shape.assert_is_compatible_with(self._shape)
        return op("AccumulatorApplyGradient")(self._accumulator_ref, _int64(local_step), grad, name=name)

    def take_grad(self, num_required, name=None):
        """The mean or sum, once num_required gradients are there."""
        made = op("AccumulatorTakeGradient")(self._accumulator_ref, num_required, dtype=self._dtype, name=name)
        if isinstance(made, graph.SymbolicTensor):
            made.set_shape(self._shape)
        return made


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Of IndexedSlices."""

    def __init__(
        self, dtype, shape=None, shared_name=None, name="sparse_conditional_accumulator", reduction_type="MEAN"
    ):
        dtype = dtypes.as_dtype(dtype)
        ref = op("SparseConditionalAccumulator")(
            dtype=dtype, shape=shape, shared_name=shared_name, reduction_type=reduction_type, name=name
        )
        super().__init__(dtype, shape, ref)

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        return self.apply_grad(grad.indices, grad.values, grad.dense_shape, local_step, name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        """Adds rows, unless they are of an older step than the accumulator's."""
        shape = [] if grad_shape is None else _int64(grad_shape)
        return op("SparseAccumulatorApplyGradient")(
            self._accumulator_ref,
            _int64(local_step),
            _int64(grad_indices),
            grad_values,
            shape if grad_shape is not None else _int64([]),
            has_known_shape=grad_shape is not None,
            name=name,
        )

    def take_grad(self, num_required, name=None):
        """(indices, values, shape) of the mean or sum."""
        return op("SparseAccumulatorTakeGradient")(self._accumulator_ref, num_required, dtype=self._dtype, name=name)

    def take_indexed_slices_grad(self, num_required, name=None):
        made = self.take_grad(num_required, name)
        return IndexedSlices(indices=made.indices, values=made.values, dense_shape=made.shape)
