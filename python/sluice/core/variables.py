"""tf.Variable: a value that changes, held by the library under a handle."""

from __future__ import annotations

from . import dtypes, graph, tensor, tensor_shape
from .op_defs import op
from .trackable import Trackable

_ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"  # a name that means: a variable that ends with its last handle
_watchers: list = []  # tapes and function graphs that want to know of variables that are read


class Variable(Trackable):
    """A tensor that can be assigned to.

    initial_value: a value, or a function that gives it. trainable: whether tapes watch it. Assignments give the variable.
    """

    __array_priority__ = 100

    def __init__(
        self, initial_value=None, trainable=None, validate_shape=True, name=None, dtype=None, shape=None, **unsupported
    ):
        for word, value in unsupported.items():
            if value not in (None, "auto", 0, ()) and not isinstance(value, bool):
                raise NotImplementedError(f"tf.Variable({word}={value!r})")
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a "
                "`variable_def`. You provided neither."
            )
        if isinstance(initial_value, graph.SymbolicTensor):
            raise ValueError(
                "tf.function only supports singleton tf.Variables created on the first call. Make sure the "
                "tf.Variable is only created once or created outside tf.function."
            )
        with graph.outside():
            value = initial_value() if callable(initial_value) else initial_value
            value = tensor.convert(value, dtypes.as_dtype(dtype).as_datatype_enum if dtype is not None else 0)
            self._name = name or "Variable"
            self._trainable = True if trainable is None else bool(trainable)
            self._dtype, self._shape = value.dtype, tensor_shape.as_shape(shape) if shape is not None else value.shape
            self._handle = op("VarHandleOp")(dtype=self._dtype, shape=self._shape, shared_name=_ANONYMOUS)
            op("AssignVariableOp")(self._handle, value)

    # ---- what it is

    name = property(lambda self: self._name + ":0")
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    trainable = property(lambda self: self._trainable)
    handle = property(lambda self: self._handle)
    device = property(lambda self: self._handle.device)
    _dtype_number = property(lambda self: self._dtype.as_datatype_enum)
    ndim = property(lambda self: self._shape.rank)

    def get_shape(self):
        return self._shape

    def ref(self):
        return tensor.Reference(self)

    # ---- reading and writing

    def _here(self):
        g = graph.current()
        if self._trainable:
            for watcher in _watchers:
                watcher.variable_read(self)
        if g is None:
            return self._handle
        if isinstance(g, graph.FuncGraph) and all(v is not self for v in g.variables):
            g.variables.append(self)
        return g.enter(self._handle)

    def read_value(self):
        """The value now, as a tensor."""
        made = op("ReadVariableOp")(self._here(), dtype=self._dtype)
        if isinstance(made, graph.SymbolicTensor) and made.shape.rank is None:
            made.set_shape(self._shape)
        return made

    value = read_value

    def numpy(self):
        return self.read_value().numpy()

    def _assign(self, name, value, read_value):
        value = value.read_value() if isinstance(value, Variable) else value
        g = graph.current()
        value = tensor.convert(value, self._dtype_number) if g is None else graph.into(g, value, self._dtype_number)
        if not self._shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch.The variable shape {self._shape}, "
                f"and the assigned value shape {value.shape} are incompatible."
            )
        done = op(name)(self._here(), value)
        return self if g is None else done

    def assign(self, value, use_locking=False, name=None, read_value=True):
        return self._assign("AssignVariableOp", value, read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self._assign("AssignAddVariableOp", delta, read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self._assign("AssignSubVariableOp", delta, read_value)

    # ---- in checkpoints

    def _serialize_to_tensors(self):
        return {"VARIABLE_VALUE": self.read_value()}

    def _restore_from_tensors(self, restored_tensors):
        return self.assign(restored_tensors["VARIABLE_VALUE"])

    # ---- as a tensor

    def __tf_tensor__(self, dtype=None, name=None):
        return self.read_value()

    def __array__(self, dtype=None, copy=None):
        return self.read_value().__array__(dtype)

    def __repr__(self):
        return f"<tf.Variable {self.name!r} shape={self._shape} dtype={self._dtype.name}, numpy={_value_text(self)}>"

    def __getitem__(self, key):
        return self.read_value()[key]

    def __len__(self):
        return len(self.read_value())

    def __iter__(self):
        return iter(self.read_value())

    def __bool__(self):
        return bool(self.read_value())

    def __int__(self):
        return int(self.read_value())

    def __float__(self):
        return float(self.read_value())

    def __hash__(self):
        raise TypeError("Variable is unhashable. Instead, use variable.ref() as the key.")


def _value_text(variable):
    value = variable.numpy()
    text = repr(value) if getattr(value, "ndim", 0) else str(value)
    return "\n" + text if "\n" in text else text


def _forward(name):
    word = f"__{name.strip('_')}__"
    reflected = f"__r{name.strip('_')}__"
    if name in ("lt", "le", "gt", "ge", "eq", "ne"):

        def compare(self, other):
            return tensor.operators[name](self.read_value(), other)

        setattr(Variable, word, compare)
        return

    def forward(self, other):
        return tensor.operators[name](self.read_value(), other)

    def backward(self, other):
        return tensor.operators[name](other, self.read_value())

    setattr(Variable, word, forward)
    setattr(Variable, reflected, backward)


for _name in (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and_",
    "or_",
    "xor_",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
):
    _forward(_name)
Variable.__neg__ = lambda self: -self.read_value()
Variable.__abs__ = lambda self: abs(self.read_value())
Variable.__invert__ = lambda self: ~self.read_value()
