"""What tensors can do beside what the extension does: numpy, texts, slices, operators on mixed operands."""

from __future__ import annotations

import sys
import warnings

from .. import _native
from . import dtypes, errors, nest, tensor_shape
from .op_defs import op

Tensor, EagerTensor = _native.Tensor, _native.EagerTensor


class Reference:
    """A tensor or variable as a key: equal to another one of the same object."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped):
        self._wrapped = wrapped

    def deref(self):
        return self._wrapped

    def __eq__(self, other):
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __lt__(self, other):
        return id(self._wrapped) < id(other._wrapped) if isinstance(other, Reference) else NotImplemented

    def __hash__(self):
        return id(self._wrapped)

    def __repr__(self):
        return f"<Reference wrapping {self._wrapped!r}>"


# ---- conversion


class NotATensor(TypeError, ValueError):
    """A composite tensor was given where an op takes a tensor. Public functions then look for one that takes it."""

    def __init__(self, value):
        super().__init__(value)
        self.value = value

    def __str__(self):  # made only when somebody reads it: most are caught by public functions
        return f"Attempt to convert a value ({self.value!r}) with an unsupported type ({type(self.value)}) to a Tensor."


NotATensor.__name__, NotATensor.__qualname__, NotATensor.__module__ = (
    "ValueError",
    "ValueError",
    "builtins",
)  # as it is shown

_converters: list = []  # (classes, function(value, dtype, name, as_ref) -> tensor, priority), in the order in which they are asked


def register_tensor_conversion_function(base_type, conversion_func, priority=100):
    """Lets conversion_func(value, dtype, name, as_ref) make tensors of objects of a type, or of types in a tuple. Lower priorities
    are asked first; one that gives NotImplemented leaves it to the next."""
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    if not kinds or not all(isinstance(t, type) for t in kinds):
        raise TypeError("Argument `base_type` must be a type or a tuple of types.")
    if any(t in (bool, int, float, str, bytes) for t in kinds):
        raise TypeError("Cannot register conversions for Python numeric types and NumPy scalars and arrays.")
    if not callable(conversion_func):
        raise TypeError("Argument `conversion_func` must be callable.")
    at = next((i for i, c in enumerate(_converters) if c[2] > priority), len(_converters))
    _converters.insert(at, (kinds, conversion_func, priority))


def _converted(value, dtype: int):
    """What a registered function makes of the value; NotImplemented when none does."""
    wanted = dtypes.by_number[dtype] if dtype else None
    for kinds, function, _ in _converters:
        if isinstance(value, kinds):
            made = function(value, dtype=wanted, name=None, as_ref=False)
            if made is not NotImplemented:
                if wanted is not None and not wanted.is_compatible_with(made.dtype):
                    raise RuntimeError(
                        f"Conversion function {function!r} for type {kinds} returned incompatible dtype: requested = "
                        f"{wanted.name}, actual = {made.dtype.name}"
                    )
                return made
    return NotImplemented


def _mismatch(value, dtype: int):
    wanted, have = dtypes.by_number[dtype], value.dtype
    raise ValueError(f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {have.name}: {value!r}")


def _contains_tensors(value) -> bool:
    return any(
        isinstance(v, Tensor)
        or hasattr(v, "__tf_tensor__")
        or isinstance(v, (list, tuple))
        and _contains_tensors(v)
        or hasattr(type(v), "_type_spec")
        or hasattr(v, "_is_no_tensor")
        for v in value
    )


def _pack(value, dtype: int, preferred: int, name=None):
    """A list with tensors in it: stacked; Python values take the type that the tensors have. Tensors of other types than one
    that is asked for, or of numbers where one is preferred, are cast."""
    if (g := _current_graph()) is not None:
        return _packed(g, *_of_one_type(value, dtype, preferred), name or "packed")
    if dtype:
        return op("Pack")([_element(v, dtype, preferred) for v in value])
    found = [v for v in flat(value) if isinstance(v, Tensor) or hasattr(v, "__tf_tensor__")]
    dtype = convert(found[0], 0, 0)._dtype_number if found else 0
    if preferred and dtype in _PLAIN_NUMBERS and preferred in _PLAIN_NUMBERS:
        return op("Pack")([_element(v, preferred, 0) for v in value])
    for v in found:
        convert(v, dtype, 0)  # all are of one type
    return op("Pack")([convert(v, dtype, preferred) for v in value])


def _of_one_type(value, dtype: int, preferred: int):
    """A list for a graph, whose tensors are all of one type, and the type."""
    if not dtype:
        found = [v for v in flat(value) if isinstance(v, Tensor) or hasattr(v, "__tf_tensor__")]
        dtype = convert(found[0], 0, 0)._dtype_number % 100 if found else 0
        if preferred not in (0, dtype) and dtype in _PLAIN_NUMBERS and preferred in _PLAIN_NUMBERS:
            dtype = preferred
        else:
            return value, dtype
    return _cast_tensors(value, dtype), dtype


def _cast_tensors(value, dtype: int):
    if isinstance(value, (list, tuple)):
        return [_cast_tensors(v, dtype) for v in value]
    if isinstance(value, Tensor) and value._dtype_number % 100 != dtype:
        return op("Cast")(value, DstT=dtype)
    return value


def _packed(g, value, dtype: int, name):
    """The node of a list, below which the lists in it, and what is no tensor, have their places for names."""
    with g.name_scope(name) as scope:
        parts = list(value)
        for i, v in enumerate(value):
            if isinstance(v, (list, tuple)):
                if _contains_tensors(v):
                    parts[i] = _packed(g, v, dtype, str(i))
                else:
                    g.unique_name(str(i))
        return op("Pack")([_into(g, v, dtype, 0, str(i)) for i, v in enumerate(parts)], name=scope)


def _element(value, dtype: int, preferred: int):
    if isinstance(value, Tensor) and value._dtype_number % 100 != dtype % 100:
        return op("Cast")(value, DstT=dtype)
    return convert(value, dtype, preferred)


def flat(value):
    """The leaves of lists and tuples within each other, in order."""
    for v in value:
        if isinstance(v, (list, tuple)):
            yield from flat(v)
        else:
            yield v


def _from_numpy(array, dtype: int):
    """numpy's arrays, and what it makes arrays of. A type that is asked for they are cast to, whatever is lost."""
    import numpy

    try:
        made = numpy.asarray(array)
    except ValueError:
        raise ValueError(
            "Can't convert non-rectangular Python sequence to Tensor: setting an array element with a sequence."
        ) from None
    if made.dtype.kind in "SU" and dtype and dtypes.by_number[dtype].name != "string":
        made = made.astype(dtypes.by_number[dtype].as_numpy_dtype)  # texts that are numbers
    if made.dtype.kind in "SUO" and made.dtype.name not in dtypes._BY_NAME:
        return _from_objects(made, dtype)
    if not made.dtype.isnative:
        made = made.astype(made.dtype.newbyteorder("="))
    own = dtypes.as_dtype(made.dtype)
    wanted = dtypes.by_number[dtype] if dtype else own
    if wanted is not own:
        if wanted.name == "string":
            kind = type(made.reshape(-1)[0].item()).__name__ if made.size else made.dtype.name
            raise ValueError(f"Failed to convert a NumPy array to a Tensor (Unsupported object type {kind}).")
        with numpy.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of complex numbers the real part stays
            made = made.astype(dtypes.as_dtype(dtypes.QUANTIZED.get(wanted.name, wanted.name)).as_numpy_dtype)
    return _native.tensor_of_bytes(wanted.as_datatype_enum, made.shape, numpy.ascontiguousarray(made).tobytes())


def _wrapped(value, dtype: int):
    """Whole numbers beyond the limits of a type, as what their lowest bits are. ValueError for others."""
    import numpy

    if dtypes.by_number[dtype].is_integer:
        try:
            made = numpy.array(value)
        except (ValueError, OverflowError):
            made = None
        if made is not None and made.dtype.kind == "i":
            return _from_numpy(made, dtype)
    return _native.convert(value, dtype, 0)  # which raises


def _unsupported(value):
    return ValueError(f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a Tensor.")


def _quantised(value, dtype: int, preferred: int):
    """Whole numbers as a tensor of a quantised type."""
    wanted = dtypes.by_number[dtype]
    plain = convert_here(value, dtypes.as_dtype(dtypes.QUANTIZED[wanted.name]).as_datatype_enum, preferred)
    return op("Bitcast")(plain, type=wanted)


def _from_objects(array, dtype: int):
    """Of texts and other objects of Python, in their array's shape."""
    made = _native.convert(array.tolist(), dtype, 0)
    if made is NotImplemented:
        known = (str, bytes, int, float, complex)
        raise _unsupported(next((v for v in array.reshape(-1) if not isinstance(v, known)), array))
    if array.size:
        return made
    made = _native.convert([], dtype or 7, 0)
    return op("Reshape")(made, _native.convert(list(array.shape), 3, 0))


def is_converted_by_method(value) -> bool:
    """Whether it becomes a tensor by what it says itself, or its class has registered, not as Python's own values do."""
    return (
        hasattr(value, "__tf_tensor__")
        or isinstance(value, (list, tuple))
        and _contains_tensors(value)
        or any(isinstance(value, kinds) for kinds, _, _ in _converters)
    )


into_graph = (
    None  # (value, dtype, preferred) -> tensor of the graph that this thread builds, or None when it builds none
)
_current_graph = _into = None  # graph.current and graph.into


_at_once = _native.convert_at_once


def convert(value, dtype: int = 0, preferred: int = 0):
    """Any value as a tensor: what the extension asks when it does not know the value's kind. In a graph that is being built
    Python's own values become constants."""
    made = _at_once(value, dtype, preferred)
    if made is not None:
        return made
    if not isinstance(value, Tensor):
        made = into_graph(value, dtype, preferred)
        if made is not None:
            return made
    return convert_here(value, dtype, preferred)


def _shape_text(dims) -> str:
    return f"TensorShape {tensor_shape.TensorShape(dims)}" if isinstance(dims, list) else f"Dimension {dims}"


_OF_FEW_BITS = (29, 30, 31, 32)  # int4, uint4, int2, uint2: numpy's through ml_dtypes


def convert_here(value, dtype: int = 0, preferred: int = 0, for_graph=False, name=None):
    """The same, without a look at graphs. `for_graph`: lists with numpy's values have the types that they have in graphs. name: of
    the node of a list with tensors."""
    if isinstance(value, Tensor):
        if dtype and value._dtype_number != dtype:
            _mismatch(value, dtype)
        return value
    method = getattr(value, "__tf_tensor__", None)
    if method is not None:
        made = method(dtypes.by_number[dtype] if dtype else None, None)
        if dtype and made._dtype_number != dtype:
            _mismatch(made, dtype)
        return made
    if _converters and (made := _converted(value, dtype)) is not NotImplemented:
        return made
    if isinstance(value, (list, tuple)) and _contains_tensors(value):
        return _pack(value, dtype, preferred, name)
    if isinstance(value, (tensor_shape.TensorShape, tensor_shape.Dimension)):
        if isinstance(value, tensor_shape.TensorShape) and not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        value = value.as_list() if isinstance(value, tensor_shape.TensorShape) else value.value
        if dtype != 9 and any(d is not None and d > 2**31 - 1 for d in (value if isinstance(value, list) else [value])):
            if dtype:
                raise ValueError(
                    f"Cannot convert {_shape_text(value)} to dtype int32; a dimension is too large. Consider using tf.int64."
                )
            preferred = 9
        return _native.convert(value, dtype, preferred or 3) if value != [] else _native.convert([], dtype or 3, 0)
    if isinstance(value, dtypes.DType):
        return _native.convert(value.as_datatype_enum, dtype, preferred)
    if dtype and dtypes.by_number[dtype].is_quantized:
        return _quantised(value, dtype, preferred)
    if dtype in _OF_FEW_BITS and isinstance(value, (int, list, tuple)):
        import numpy

        return _from_numpy(numpy.asarray(value), dtype)
    try:
        made = _native.convert(list(value) if isinstance(value, range) else value, dtype, preferred)
    except ValueError:  # a number that is too large: for what is preferred, or for the type, whose lowest bits it keeps
        if dtype:
            return _wrapped(value, dtype)
        if not preferred:
            raise
        made = _native.convert(value, 0, 0)
    if made is not NotImplemented:
        return made
    if hasattr(type(value), "_type_spec") or hasattr(value, "_is_no_tensor"):
        raise NotATensor(value)
    if isinstance(value, (list, tuple)):
        from . import list_conversion

        numbers = list_conversion.without_dimensions(value)
        if numbers is not value:
            return convert_here(numbers, dtype, preferred, for_graph)
        made = list_conversion.from_list(value, dtype, preferred, for_graph)
        return _from_numpy(value, dtype) if made is None else _from_numpy(*made)
    if hasattr(value, "__array__") or hasattr(value, "dtype") or isinstance(value, memoryview):
        return _from_numpy(value, dtype)
    raise _unsupported(value)


def convert_for_graph(value, dtype: int = 0, preferred: int = 0):
    """The value of a constant of a graph, whose errors are others than those of eager code."""
    try:
        return convert_here(value, dtype, preferred, for_graph=True)
    except NotATensor:
        raise
    except (TypeError, ValueError) as error:
        if is_converted_by_method(value) or isinstance(value, (Tensor, tensor_shape.TensorShape)):
            raise
        from . import list_conversion

        if isinstance(value, (list, tuple)):
            made = list_conversion.from_list(value, dtype, preferred, for_graph=True)
            if made is not None:
                return _from_numpy(*made)
        raise list_conversion.graph_error(value, dtypes.by_number[dtype] if dtype else None, error) from None


# ---- numpy and texts


_PLAIN_NUMBERS = frozenset((1, 2, 3, 4, 5, 6, 8, 9, 10, 17, 18, 19, 22, 23))  # types that numpy has


def to_numpy(t):
    """A numpy array of the caller's own; of a scalar a numpy scalar, or bytes."""
    return t.numpy() if type(t) is EagerTensor else _to_numpy(t)


def _to_numpy(t):
    """The same, of types that the extension was not told of."""
    import numpy

    d = t.dtype
    if d._number in _PLAIN_NUMBERS and type(t) is EagerTensor:
        _native.numpy_know_type(d._number, d.as_numpy_dtype, numpy.dtype(d.as_numpy_dtype), numpy.empty)
        return t.numpy()
    if d is dtypes.by_number[20] or d is dtypes.by_number[21]:
        return _objects(t)
    if d is dtypes._BY_NAME["string"]:
        values = t._tolist()
        if t.shape.rank == 0:
            return values
        array = numpy.empty(t.shape.as_list(), object)
        cells = array.reshape(-1)
        for i, v in enumerate(flat([values])):
            cells[i] = v
        return array
    if d.name in dtypes.QUANTIZED:
        return numpy.frombuffer(_native.tensor_bytes(t), dtypes.QUANTIZED[d.name]).reshape(t.shape.as_list()).copy()[()]
    try:
        array = numpy.array(memoryview(t))
        if array.dtype.type is not d.as_numpy_dtype:
            array = array.view(d.as_numpy_dtype)  # int64 as numpy calls it, not "long long"
    except (BufferError, TypeError):
        array = numpy.frombuffer(_native.tensor_bytes(t), d.as_numpy_dtype).reshape(t.shape.as_list()).copy()
    return array[()] if array.ndim == 0 else array


def _objects(t):
    """Handles and variants stay with the library: texts, in an array of objects."""
    import numpy

    text = "<ResourceHandle>" if t.dtype is dtypes.by_number[20] else "<unprintable>"
    array = numpy.full(t.shape.as_list(), text, object)
    return array if t.shape.rank else text


def _array(self, dtype=None, copy=None):
    import numpy

    value = to_numpy(self)
    array = numpy.array(value, object) if isinstance(value, bytes) else numpy.asarray(value)
    return array.astype(dtype) if dtype is not None else array


def eager_repr(t) -> str:
    if isinstance(t, EagerTensor):
        import numpy

        if not t.dtype.is_numpy_compatible:
            kind = "value=" if t.dtype.name == "resource" else "numpy="
            return f"<tf.Tensor: shape={t.shape}, dtype={t.dtype.name}, {kind}{to_numpy(t)}>"
        value = to_numpy(t)
        text = repr(value) if t.shape.rank else _scalar_text(value)
        if isinstance(value, numpy.ndarray) and "\n" in text:
            text = "\n" + text
        return f"<tf.Tensor: shape={t.shape}, dtype={t.dtype.name}, numpy={text}>"
    return f"<tf.Tensor {t.name!r} shape={t.shape} dtype={t.dtype.name}>"


def _scalar_text(value) -> str:
    """A numpy scalar without its type's name, as Python's number."""
    return repr(value if isinstance(value, bytes) else value.item())


def eager_str(t) -> str:
    if isinstance(t, EagerTensor):
        value = str(to_numpy(t))
        value = "\n" + value if "\n" in value else value
        return f"tf.Tensor({value}, shape={t.shape}, dtype={t.dtype.name})"
    shape = "" if t.shape.rank is None else f", shape={t.shape}"
    return f'Tensor("{t.name}"{shape}, dtype={t.dtype.name})'


# ---- operators on what the extension leaves


_promotion = None  # (a, b) -> two tensors of one type, where operands may have several


def use_promotion(function) -> None:
    """From here on operators take operands of several types, which the function makes one."""
    global _promotion
    _promotion = function


_NAMES_IN_MESSAGES = {"float32": "float", "float64": "double", "float16": "half"}


def wrong_type(op_name, i, wanted, have, end=""):
    """The InvalidArgumentError of the i-th input of an op or a function, which has another type."""
    wanted, have = (_NAMES_IN_MESSAGES.get(t.name, t.name) for t in (wanted, have))
    return errors.InvalidArgumentError(
        None,
        None,
        f"cannot compute {op_name} as input #{i}(zero-based) was expected to be a {wanted} tensor but is a {have} tensor "
        f"[Op:{op_name}]{end}",
    )


def check_types(op_name, a, b):
    """InvalidArgumentError when two eager operands of an op differ in type. In graphs the node's maker tells."""
    if op_name == "RealDiv" and a._dtype_number % 100 != b._dtype_number % 100:
        raise TypeError(f"`x` and `y` must have the same dtype, got {a.dtype!r} != {b.dtype!r}.")
    if isinstance(a, EagerTensor) and isinstance(b, EagerTensor) and a._dtype_number != b._dtype_number:
        raise wrong_type(op_name, 1, a.dtype, b.dtype, " name: ")


def both(a, b, op_name="", lenient=False):
    """Two operands of an op as tensors: what is none takes the other's type; where it cannot, and `lenient`, its own."""
    if isinstance(b, Tensor) and not isinstance(a, Tensor):
        return _like(a, b, "x", op_name, False), b
    a = a if isinstance(a, Tensor) else convert(a, 0, 0)
    return a, b if isinstance(b, Tensor) else _like(b, a, "y", op_name, lenient)


def _like(value, other, parameter, op_name, lenient):
    if hasattr(value, "__tf_tensor__"):
        return convert(value, 0, 0)
    try:
        return convert(value, other._dtype_number, 0)
    except NotATensor:
        raise
    except (TypeError, ValueError) as e:
        if not lenient:
            raise e if isinstance(other, EagerTensor) else not_of_type(value, other.dtype, parameter, op_name) from None
    return convert(value, 0, 0)


def not_of_type(value, dtype, parameter, op_name):
    """The error that a Python value is no input of a node of this type."""
    what = f"{value} of type '{type(value).__name__}'"
    return TypeError(
        f"Expected {dtype.base_dtype.name} passed to parameter '{parameter}' of op '{op_name}', got {what} instead. "
        f"Error: Expected {dtype.base_dtype.name}, but got {what}."
    )


def told(error, name, *values):
    """The error of an eager op with the name as TensorFlow tells it: not at all where it has to convert one of the values
    that its function was given, "" where that function does not hand its name on."""
    return error.with_name((name or "") if all(map(_is_taken, values)) else None)


def _is_taken(value) -> bool:
    return (
        isinstance(value, Tensor)
        or type(value) in (int, float, bool, type(None))
        or type(value).__name__ == "ndarray"
        or hasattr(value, "handle")
    )


def _operands(op_name, a, b):
    a, b = _promotion(a, b) if _promotion is not None else both(a, b, op_name, op_name in ("AddV2", "RealDiv"))
    check_types(op_name, a, b)
    return a, b


def names_constants(a, b) -> bool:
    """Whether the node's maker converts an operand that is a Python value: it names the constant below the node."""
    if _promotion is not None:
        return False
    if isinstance(a, Tensor):
        t, value = a, b
    else:
        t, value = b, a
    if not isinstance(t, Tensor) or isinstance(t, EagerTensor):
        return False
    return type(value) in (int, float, bool, complex, list) or type(value).__name__ == "ndarray"


def _operator(op_name, change=None, node=None, reflected=None, logical=None):
    """An operator that is an op, or what `change` makes of its operands; `node`: how its nodes are called. Where the right
    operand cannot be a tensor, its own operator, `reflected`, is asked. `logical`: the op of bools."""

    def apply(a, b):
        try:
            return of_two(a, b)
        except errors.OpError as error:
            converts = change in (_add, _true_divide, _matmul) or not isinstance(a, Tensor)
            raise told(error, "", *(() if converts else (a, b)))

    def of_two(a, b):
        if not isinstance(a, Tensor) and hasattr(type(a), "__tf_operator__"):
            return NotImplemented
        if not isinstance(b, Tensor) and hasattr(type(b), "__tf_operator__"):
            return NotImplemented
        if change in (None, _add, _multiply, _true_divide) and names_constants(a, b):
            return change(a, b) if change else op(op_name)(a, b, name=node)
        try:
            is_logical = logical and (a if isinstance(a, Tensor) else b).dtype.is_bool
            tensors = _operands(logical if is_logical else op_name, a, b)
        except (TypeError, ValueError):
            own = (
                getattr(b, reflected, None)
                if reflected and isinstance(a, Tensor) and not isinstance(b, Tensor)
                else None
            )
            if own is None or (made := own(a)) is NotImplemented:
                raise
            return made
        return change(*tensors) if change else op(op_name)(*tensors, name=node)

    return apply


def _add(a, b):
    t = a if isinstance(a, Tensor) else b
    return op("Add" if t.dtype.name == "string" else "AddV2")(a, b, name="add")


# The types that have quotients.
QUOTIENTS = (
    "uint8 int8 uint16 int16 uint32 int32 uint64 int64 bfloat16 float16 float32 float64 complex64 complex128".split()
)


def _multiply(a, b):
    t = a if isinstance(a, Tensor) else b
    return op("LogicalAnd" if t.dtype.is_bool else "Mul")(a, b, name="mul")


def _true_divide(a, b):
    t = a if isinstance(a, Tensor) else b
    if t.dtype.is_integer:
        wide = 1 if t.dtype.size <= 2 else 2
        a, b = both(a, b, "RealDiv", lenient=True)
        a, b = (op("Cast")(x, DstT=wide) for x in (a, b))
    elif t.dtype.is_bool:
        raise TypeError(
            f"Invalid dtype {t.dtype!r} in __truediv__. Expected one of {{{', '.join('tf.' + n for n in QUOTIENTS)}}}."
        )
    return op("RealDiv")(a, b, name="truediv")


def _bits(logical, bitwise, name):
    def apply(a, b):
        return op(logical if a.dtype.is_bool else bitwise)(a, b, name=name)

    return apply


def _exclusive_or(a, b):
    return op("NotEqual")(a, b) if a.dtype.is_bool else op("BitwiseXor")(a, b)


def _equality(op_name, otherwise):
    def apply(a, b):
        if a is None or b is None:
            return otherwise
        a, b = _operands(op_name, a, b)
        return op(op_name)(a, b, incompatible_shape_error=False)

    return apply


def _matmul(a, b):
    if a.shape.rank == 2 and b.shape.rank == 2:
        return op("MatMul")(a, b, name="matmul")
    return op("BatchMatMulV2")(a, b, name="matmul")


def _absolute(a):
    if a.dtype.is_complex:
        return op("ComplexAbs")(a, Tout=a.dtype.real_dtype.as_datatype_enum)
    return op("Abs")(a)


def _invert(a):
    return op("LogicalNot" if a.dtype.is_bool else "Invert")(a)


unconverted: dict = {}  # code of a function that AutoGraph left as it is -> why


def _hint() -> str:
    """What to do for a tensor of a graph where Python decides, by the function that does."""
    code = sys._getframe(2).f_code
    if code in unconverted:
        return f"AutoGraph left {code.co_name} as it is: {unconverted[code]}. Use `tf.cond` or `tf.while_loop`."
    return "Use `tf.cond` or AutoGraph."


def _not_a_scalar(word):
    def refuse(t):
        if not isinstance(t, EagerTensor):
            if word == "bool":
                raise errors.OperatorNotAllowedInGraphError(
                    f"Using a symbolic `tf.Tensor` as a Python `bool` is not allowed. {_hint()}"
                )
            raise TypeError(f"{word}() of a symbolic tensor: its value is not known while a graph is built")
        value = to_numpy(t)
        return {"int": int, "float": float, "bool": bool, "index": lambda v: v.__index__()}[word](value)

    return refuse


def _length(t):
    if t.shape.rank == 0:
        raise TypeError("Scalar tensor has no `len()`")
    n = t.shape[0] if t.shape.rank else None
    if n is None:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({t.name}). Please call `x.shape` rather than "
            "`len(x)` for shape information."
        )
    return n


def _iterate(t):
    if not isinstance(t, EagerTensor) and (t.shape.rank is None or t.shape.rank and t.shape[0] is None):
        raise errors.OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` whose first dimension is not known is not allowed: use tf.map_fn, tf.while_loop, or a "
            "for statement in a function that AutoGraph converts."
        )
    if t.shape.rank == 0:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return iter(op("Unpack")(t, num=t.shape[0]))


operators = {
    "add": _operator("AddV2", _add, reflected="__radd__"),
    "sub": _operator("Sub", node="sub", reflected="__rsub__"),
    "mul": _operator("Mul", _multiply, reflected="__rmul__"),
    "truediv": _operator("RealDiv", _true_divide, reflected="__rtruediv__"),
    "floordiv": _operator("FloorDiv", node="floordiv", reflected="__rfloordiv__"),
    "mod": _operator("FloorMod", node="mod", reflected="__rmod__"),
    "pow": _operator("Pow", node="pow", reflected="__rpow__"),
    "matmul": _operator("MatMul", _matmul, reflected="__rmatmul__"),
    "and_": _operator("BitwiseAnd", _bits("LogicalAnd", "BitwiseAnd", "and"), None, "__rand__", "LogicalAnd"),
    "or_": _operator("BitwiseOr", _bits("LogicalOr", "BitwiseOr", "or"), None, "__ror__", "LogicalOr"),
    "xor_": _operator("BitwiseXor", _exclusive_or, None, "__rxor__", "LogicalOr"),
    "lt": _operator("Less"),
    "le": _operator("LessEqual"),
    "gt": _operator("Greater"),
    "ge": _operator("GreaterEqual"),
    "eq": _equality("Equal", False),
    "ne": _equality("NotEqual", True),
    "neg": lambda a: op("Neg")(a),
    "abs": _absolute,
    "invert": _invert,
    "int": _not_a_scalar("int"),
    "float": _not_a_scalar("float"),
    "bool": _not_a_scalar("bool"),
    "index": _not_a_scalar("index"),
    "len": _length,
    "iter": _iterate,
}


# ---- slices


def getitem(t, key):
    """t[key]: numbers, slices, ..., None, tensors for numbers; a boolean tensor selects."""
    if isinstance(key, Tensor) and key.dtype.is_bool or _is_mask(key):
        from ..ops.array_ops import boolean_mask

        return boolean_mask(t, key)
    if type(t) is EagerTensor:
        *ends, masks = slice_arguments(key)
        return op("StridedSlice")(t, *ends, **masks)
    from .scopes import name_scope_v1

    ends, masks = _slice_parts(key)
    with name_scope_v1(None, "strided_slice") as scope:
        return op("StridedSlice")(t, *_index_vectors(ends), name=scope or "strided_slice", **masks)


def slice_arguments(key):
    """begin, end, strides and the masks of StridedSlice (a dictionary) for what stands between brackets."""
    ends, masks = _slice_parts(key)
    return *_index_vectors(ends), masks


def _slice_parts(key):
    """The same as lists of begins, ends and strides, and the masks."""
    keys = list(key) if isinstance(key, (tuple, list)) else [key]
    begin, end, strides = [], [], []
    begin_mask = end_mask = ellipsis_mask = new_axis_mask = shrink_mask = 0
    for i, k in enumerate(keys):
        if k is Ellipsis:
            ellipsis_mask |= 1 << i
            values = 0, 0, 1
        elif k is None:
            new_axis_mask |= 1 << i
            values = 0, 0, 1
        elif isinstance(k, slice):
            begin_mask |= (k.start is None) << i
            end_mask |= (k.stop is None) << i
            values = _filled_slice(k)
        else:
            if isinstance(k, (float, str, bool)) or not isinstance(k, Tensor) and not hasattr(k, "__index__"):
                raise TypeError(
                    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
                    f"tf.int32/tf.int64 tensors are valid indices, got {k!r}"
                )
            shrink_mask |= 1 << i
            values = k, k + 1, 1
        for to, v in zip((begin, end, strides), values):
            to.append(v)
    masks = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_mask,
    }
    return (begin, end, strides), masks


def _filled_slice(k):
    """(start, stop, step) of a slice. What it does not say is a constant of the graph where it has a tensor of one."""
    given, otherwise = (k.start, k.stop, k.step), (0, 0, 1)
    found = next((v for v in given if isinstance(v, Tensor) and type(v) is not EagerTensor), None)
    if found is None:
        return tuple(d if v is None else v for v, d in zip(given, otherwise))
    kind = found._dtype_number % 100
    return tuple(_into(found.graph, d, kind) if v is None else v for v, d in zip(given, otherwise))


def _index_vectors(ends):
    made = [_index_vector(v) for v in ends]
    if max(v._dtype_number for v in made) == 9:
        return [v if v._dtype_number == 9 else op("Cast")(v, DstT=9) for v in made]
    return made


def use_getitem(function) -> None:
    """From here on t[key] is function(t, key)."""
    Tensor.__getitem__ = function


def _is_mask(key) -> bool:
    return getattr(getattr(key, "dtype", None), "kind", "") == "b" and getattr(key, "ndim", 0) > 0


def _index_vector(values):
    if not values:
        return convert([], 3)
    if any(isinstance(v, Tensor) or hasattr(v, "__tf_tensor__") for v in values):
        return _pack(values, 0, 0, "stack")
    values = [int(v) for v in values]
    g = _current_graph()
    return convert(values) if g is None else _into(g, values, name="stack")


# ---- methods


def _ref(self):
    return Reference(self)


def _get_shape(self):
    return self.shape


def _set_shape(self, shape):
    if not self.shape.is_compatible_with(shape):
        raise ValueError(
            f"Tensor's shape {self.shape} is not compatible with supplied shape {tensor_shape.as_shape(shape)}."
        )


_OF_GRAPHS = ("op", "graph", "name", "value_index", "consumers")


def _unavailable(what):
    def get(self):
        raise AttributeError(f"Tensor.{what} is undefined when eager execution is enabled.")

    return property(get)


def _missing(self, name):
    if name in {"T", "astype", "ravel", "transpose", "reshape", "clip", "size", "tolist", "data"}:
        raise AttributeError(
            f"{type(self).__name__} object has no attribute {name!r}. If you are looking for numpy-related methods, please run "
            "the following: tf.experimental.numpy.experimental_enable_numpy_behavior()"
        )
    if name in _OF_GRAPHS and isinstance(self, EagerTensor):
        raise AttributeError(f"Tensor.{name} is undefined when eager execution is enabled.")
    raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)


Tensor.__getattr__ = _missing
Tensor.__getitem__ = getitem  # said here, with the length, as numpy takes tensors for sequences only then
Tensor.__len__ = _length
# The names of the operators that tensors have.
_REFLECTED = "add sub mul truediv floordiv mod pow matmul and or xor".split()
Tensor.OVERLOADABLE_OPERATORS = {
    f"__{name}__"
    for name in (*_REFLECTED, *("r" + n for n in _REFLECTED), *"lt le gt ge eq ne getitem neg abs invert".split())
}
Tensor.ref = _ref
Tensor.get_shape = _get_shape
Tensor.__array_priority__ = 100
Tensor.__nonzero__ = lambda self: bool(self)  # what classes copy that behave as tensors
EagerTensor.set_shape = _set_shape
EagerTensor.__array__ = _array
EagerTensor.__copy__ = lambda self: self
EagerTensor.__deepcopy__ = lambda self, memo: op("Identity")(self)
EagerTensor.__format__ = lambda self, spec: format(to_numpy(self), spec)
EagerTensor.__reduce__ = lambda self: (convert, (to_numpy(self), self._dtype_number))
EagerTensor.cpu = lambda self: self
EagerTensor.is_tensor_like = True
nest.leaf_types.add(EagerTensor)
for _what in _OF_GRAPHS:
    setattr(EagerTensor, _what, _unavailable(_what))


def install(build, into):
    """Hands the extension what it asks Python for; `build` makes nodes of graphs, `into` constants of them."""
    global into_graph, _current_graph, _into
    from . import graph

    into_graph, _current_graph, _into = into, graph.current, graph.into
    _native.setup(
        errors=errors.classes,
        dtypes=dtypes.by_number,
        shape_of=tensor_shape.known,
        convert=convert,
        build=build,
        numpy=_to_numpy,
        repr=eager_repr,
        str=eager_str,
        operators=operators,
        getitem=getitem,
    )
