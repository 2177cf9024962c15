"""tensorflow.python.ops.list_ops: tensor lists as handles, for packages that keep them in variables and loops."""

from __future__ import annotations

from ..core import dtypes, tensor_shape
from ..core.op_defs import op
from ..ops import array_ops


def _shape(element_shape):
    """A shape as the ops take it: -1 for what is not known, alone for an unknown rank."""
    if hasattr(element_shape, "dtype"):
        return element_shape
    shape = tensor_shape.as_shape(element_shape)
    made = -1 if shape.rank is None else [-1 if n is None else n for n in shape.as_list()]
    return array_ops.constant(made, dtypes.int32)


def empty_tensor_list(element_shape, element_dtype, max_num_elements=None, name=None):
    """A list without elements."""
    most = -1 if max_num_elements is None else max_num_elements
    return op("EmptyTensorList")(_shape(element_shape), most, element_dtype=element_dtype, name=name)


def tensor_list_reserve(element_shape, num_elements, element_dtype, name=None):
    """A list of so many elements that have no value."""
    return op("TensorListReserve")(_shape(element_shape), num_elements, element_dtype=element_dtype, name=name)


def tensor_list_from_tensor(tensor, element_shape, name=None):
    """A list of the rows of a tensor."""
    return op("TensorListFromTensor")(tensor, _shape(element_shape), name=name)


def tensor_list_length(input_handle, name=None):
    return op("TensorListLength")(input_handle, name=name)


def tensor_list_push_back(input_handle, tensor, name=None):
    return op("TensorListPushBack")(input_handle, tensor, name=name)


def tensor_list_pop_back(input_handle, element_dtype, element_shape=None, name=None):
    """(the list without its last element, the element)."""
    return op("TensorListPopBack")(input_handle, _shape(element_shape), element_dtype=element_dtype, name=name)


def tensor_list_get_item(input_handle, index, element_dtype, element_shape=None, name=None):
    return op("TensorListGetItem")(input_handle, index, _shape(element_shape), element_dtype=element_dtype, name=name)


def tensor_list_set_item(input_handle, index, item, resize_if_index_out_of_bounds=False, name=None):
    return op("TensorListSetItem")(
        input_handle, index, item, resize_if_index_out_of_bounds=resize_if_index_out_of_bounds, name=name
    )


def tensor_list_stack(input_handle, element_dtype, num_elements=-1, element_shape=None, name=None):
    """The elements as rows of a tensor."""
    return op("TensorListStack")(
        input_handle, _shape(element_shape), element_dtype=element_dtype, num_elements=num_elements, name=name
    )


def tensor_list_gather(input_handle, indices, element_dtype, element_shape=None, name=None):
    return op("TensorListGather")(input_handle, indices, _shape(element_shape), element_dtype=element_dtype, name=name)


def tensor_list_scatter(tensor, indices, element_shape=None, input_handle=None, name=None):
    """A list with rows of a tensor at the indices; into an existing list where one is given."""
    if input_handle is not None:
        return op("TensorListScatterIntoExistingList")(input_handle, tensor, indices, name=name)
    return op("TensorListScatterV2")(tensor, indices, _shape(element_shape), -1, name=name)


def tensor_list_concat(input_handle, element_dtype, element_shape=None, name=None):
    """The elements one after the other along their first axis."""
    no_rows = array_ops.constant([], dtypes.int64)
    return op("TensorListConcatV2")(
        input_handle, _shape(element_shape), no_rows, element_dtype=element_dtype, name=name
    )[0]


def tensor_list_resize(input_handle, size, name=None):
    return op("TensorListResize")(input_handle, size, name=name)
