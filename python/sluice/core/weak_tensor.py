"""Weak tensors: those whose type is but a suggestion, as that of Python's numbers is. Beside a strong tensor they take its type.

There are some once experimental_enable_numpy_behavior has asked for them (type_promotion.py); nothing of this is loaded before. A weak
tensor is a composite of one tensor: functions, loops and data sets carry it by its spec, and ops that do not know of it take
the tensor.
"""

from __future__ import annotations

from . import dtypes, errors, extension_type, tensor, type_spec

Tensor = tensor.Tensor
ALLOWED = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.complex128)


class WeakTensor(extension_type.BatchableExtensionType):
    """A tensor of a weak type: int32, int64, float32, float64 or complex128. What is there is an EagerWeakTensor or, in graphs, a
    GraphWeakTensor."""

    tensor: Tensor

    is_tensor_like = True

    def __validate__(self):
        if self.tensor.dtype not in ALLOWED:
            raise TypeError(f"{self.tensor.dtype!r} not allowed as a weak type. The allowed types are {ALLOWED}.")

    @classmethod
    def from_tensor(cls, tensor):
        """The tensor as a weak one. InvalidArgumentError for what is none, TypeError where its type cannot be weak."""
        if isinstance(tensor, WeakTensor):
            return tensor
        if not isinstance(tensor, Tensor):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"WeakTensor can only be constructed from tf.Tensor or tf.WeakTensor, but {type(tensor)} was given.",
            )
        made = _with(tensor)
        made.__validate__()
        return made

    def to_tensor(self):
        """The same tensor, strong."""
        return self.tensor

    def __tf_tensor__(self, dtype=None, name=None):
        return tensor.convert(self.tensor, 0 if dtype is None else dtypes.as_dtype(dtype).as_datatype_enum)

    dtype = property(lambda self: self.tensor.dtype, doc="The type of the elements.")
    shape = property(lambda self: self.tensor.shape, doc="The shape.")
    ndim = property(lambda self: self.tensor.shape.rank, doc="How many dimensions it has.")

    def __getattr__(self, name):
        if name.startswith("__") or "tensor" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.tensor, name)

    def __repr__(self):
        return f"{repr(self.tensor)[:-1]}, weak=True>"

    def __str__(self):
        return f"{str(self.tensor)[:-1]}, weak=True)"

    def __format__(self, spec):
        return f"{format(self.tensor, spec)} weakly typed"

    def __getitem__(self, key):
        return self.tensor[key]

    def __iter__(self):
        return map(of_tensor, iter(self.tensor))

    def __array__(self, dtype=None, copy=None):
        made = self.tensor.__array__()
        return made if dtype is None else made.astype(dtype)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return of_tensor(self.tensor.__deepcopy__(memo))

    def __reduce__(self):
        return of_tensor, (self.tensor,)


class EagerWeakTensor(WeakTensor):
    """A weak tensor whose elements are there."""

    _tf_extension_type_do_not_transform_this_class = True

    def __init__(self, tensor):
        self.__dict__["tensor"] = WeakTensor.from_tensor(
            tensor if isinstance(tensor, Tensor) else _converted(tensor)
        ).tensor

    def numpy(self):
        """The elements as a numpy array of the caller's own."""
        return self.tensor.numpy()


class GraphWeakTensor(WeakTensor):
    """A weak tensor of a graph."""

    _tf_extension_type_do_not_transform_this_class = True
    __init__ = EagerWeakTensor.__init__


def _converted(value):
    return value.tensor if isinstance(value, WeakTensor) else tensor.convert(value)


def _with(t):
    kind = EagerWeakTensor if isinstance(t, tensor.EagerTensor) else GraphWeakTensor
    made = kind.__new__(kind)
    made.__dict__["tensor"] = t
    return made


def of_tensor(t):
    """A tensor as a weak one, where its type can be weak."""
    return _with(t) if t.dtype in ALLOWED else t


def _from_components(self, components):
    """In a nest of specs a spec stands for the tensor."""
    (made,) = components
    return _with(made) if isinstance(made, Tensor) else WeakTensor.Spec(made)


WeakTensor.Spec._from_components = _from_components
WeakTensor.Spec.__qualname__ = "EagerWeakTensor.Spec"
type_spec.register("tf.EagerWeakTensor.Spec")(WeakTensor.Spec)  # TensorFlow's, which has one for graphs, too


def _forwarded(name):
    def method(self, *args):
        return getattr(self.tensor, name)(*args)

    method.__name__ = method.__qualname__ = name
    return method


is_in_force = False  # whether operators know of weak tensors; else they take the tensor (promotion.py)


def _operand(x):
    return x if is_in_force else x.tensor


def _operator(name):
    def method(self, other):
        return tensor.operators[name](_operand(self), other)

    return method


def _reflected(name):
    def method(self, other):
        return tensor.operators[name](other, _operand(self))

    return method


for _name in "__len__ __bool__ __int__ __float__ __index__ __hash__".split():
    setattr(WeakTensor, _name, _forwarded(_name))
WeakTensor.__complex__ = lambda self: complex(self.tensor.numpy())
for _name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor_".split():
    setattr(WeakTensor, f"__{_name.strip('_')}__", _operator(_name))
    setattr(WeakTensor, f"__r{_name.strip('_')}__", _reflected(_name))
for _name in "lt le gt ge eq ne".split():
    setattr(WeakTensor, f"__{_name}__", _operator(_name))
for _name in "neg abs invert".split():
    setattr(WeakTensor, f"__{_name}__", lambda self, _name=_name: tensor.operators[_name](_operand(self)))
WeakTensor.__pos__ = lambda self: self
