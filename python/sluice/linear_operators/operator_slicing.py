"""operator[slices]: some matrices of a batch. The parameters are sliced, each as far as its own batch reaches."""

from __future__ import annotations

from ..ops import array_ops


def sliced(operator, slices):
    """An operator of the same class, of the parameters' slices."""
    from .linear_operator import LinearOperator

    slices = list(slices) if isinstance(slices, (tuple, list)) else [slices]
    batch = array_ops.shape(operator.shape_tensor())[0] if operator.tensor_rank is None else operator.tensor_rank
    if not isinstance(batch, int):
        raise NotImplementedError("Slicing an operator of unknown rank")
    batch_shape = operator.batch_shape.as_list()
    changed = dict(operator.parameters)
    for name, ndims in operator._experimental_parameter_ndims_to_matrix_ndims.items():
        value = getattr(operator, name, changed.get(name))
        if value is None:
            continue

        def one(leaf, n):
            if isinstance(leaf, LinearOperator):
                own = leaf.batch_shape.as_list()
                return sliced(leaf, _for_parameter(slices, own, batch_shape))
            own = leaf.shape.as_list()
            own = own[: len(own) - n] if n else own
            key = (*_for_parameter(slices, own, batch_shape), *[slice(None)] * n)
            return leaf[key] if key else leaf

        changed[name] = _map(one, value, ndims)
    return type(operator)(**changed)


def _map(change, value, ndims):
    if isinstance(value, (list, tuple)):
        each = ndims if isinstance(ndims, (list, tuple)) else [ndims] * len(value)
        return [_map(change, v, n) for v, n in zip(value, each)]
    return change(value, ndims)


def _expanded(slices, rank):
    """The slices with one entry for each of `rank` axes, and those that add axes."""
    used = sum(s is not None and s is not Ellipsis for s in slices)
    if used > rank:
        raise ValueError(f"Too many indices: {used} for a batch of rank {rank}")
    at = next((i for i, s in enumerate(slices) if s is Ellipsis), len(slices))
    before, after = slices[:at], slices[at + 1 :]
    return [*before, *[slice(None)] * (rank - used), *after]


def _for_parameter(slices, own, batch):
    """What the slices of the operator's batch become for a parameter whose batch is `own`."""
    expanded = _expanded(slices, len(batch))
    missing = len(batch) - len(own)
    made, axis = [], 0
    for s in expanded:
        if s is None:
            if axis >= missing:
                made.append(None)
            continue
        if axis >= missing:
            stays = own[axis - missing] == 1 and batch[axis] != 1
            made.append((slice(None) if isinstance(s, slice) else 0) if stays else s)
        axis += 1
    return made


def sliced_shape(batch_shape, slices):
    """The shape, a tensor, of what is left of a batch of this shape."""
    slices = tuple(slices) if isinstance(slices, (tuple, list)) else (slices,)
    return array_ops.shape(array_ops.zeros(batch_shape)[slices])
