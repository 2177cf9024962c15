"""Sources of datasets that are more than one node: generators, files by pattern; and the seeds of random ones."""

from __future__ import annotations

import itertools

from ..core import callbacks, dtypes, graph, nest, tensor
from ..core.function import Function
from ..core.op_defs import op
from ..core.type_spec import TensorSpec, TypeSpec
from ..ops import array_ops, random_seeds
from . import elements


def seeds(seed):
    """(seed, seed2) of a random dataset as int64 tensors; (0, 0), which the library fills, without seeds."""
    if isinstance(seed, tensor.Tensor):
        of_graph = random_seeds.global_seed(graph.current())
        first = random_seeds._DEFAULT if of_graph is None else of_graph
        one, two = array_ops.convert_to_tensor(first, dtypes.int64), array_ops.cast(seed, dtypes.int64)
        empty = op("LogicalAnd")(
            op("Equal")(one, array_ops.zeros_like(one)), op("Equal")(two, array_ops.zeros_like(two))
        )
        return one, op("SelectV2")(empty, array_ops.convert_to_tensor(2**31 - 1, dtypes.int64), two)
    pair = random_seeds.get_seed(seed)
    return tuple(array_ops.convert_to_tensor(s or 0, dtypes.int64) for s in pair)


def from_list(cls, values, name):
    """A dataset of the elements of a list."""
    if not isinstance(values, list):
        raise TypeError("`elements` must be a list.")
    if not values:
        raise ValueError("Empty list of elements is not supported.")
    made = [elements.normalize(e) for e in values]
    spec = elements.spec_of(made[0])
    for e in made[1:]:
        spec = elements.common(spec, elements.spec_of(e))
    flat = [t for e in made for t in elements.to_tensors(spec, e)]
    return cls._made("ListDataset", op("ListDataset")(flat, name=name, **elements.attrs(spec)), spec)


# ---- generators


class _Generators:
    """The generators that iterators have begun, by number."""

    def __init__(self, generator):
        self._generator, self._numbers, self._begun = generator, itertools.count(), {}

    def begin(self, *args):
        import numpy

        number = next(self._numbers)
        self._begun[number] = iter(self._generator(*args))
        return numpy.array(number, numpy.int64)

    def following(self, number):
        return next(self._begun[int(number)])

    def end(self, number):
        import numpy

        self._begun.pop(int(number), None)
        return numpy.array(0, numpy.int64)


def _signature(output_types, output_shapes, output_signature):
    if output_signature is not None:
        if output_types is not None or output_shapes is not None:
            raise TypeError("The `output_types` and `output_shapes` arguments cannot be used with `output_signature`.")
        for leaf in elements.leaves(output_signature):
            if not isinstance(leaf, TypeSpec):
                raise TypeError(
                    f"`output_signature` must contain objects that are subclass of `tf.TypeSpec` but found {type(leaf)} which is not."
                )
        return output_signature
    if output_types is None:
        raise TypeError(
            "To specify the output signature you need to provide either the `output_signature` argument or the `output_types` argument."
        )
    return elements.of_types(output_types, output_shapes)


def from_generator(cls, generator, output_types, output_shapes, args, output_signature, name):
    """A dataset of what a Python generator yields; `args` are tensors, which it gets as numpy's values."""
    if not callable(generator):
        raise TypeError("`generator` must be a Python callable.")
    spec = _signature(output_types, output_shapes, output_signature)
    begun, plain = _Generators(generator), all(type(leaf) is TensorSpec for leaf in nest.flatten(spec))
    args = tuple(array_ops.convert_to_tensor(a) for a in args or ())
    flat = elements.flat_specs(spec)

    def begin(*inputs):
        return callbacks.numpy_function(begun.begin, list(inputs), dtypes.int64)

    def following(number):
        types = [t.dtype for t in flat]
        if plain:
            made = callbacks.numpy_function(lambda n: _values(begun.following(n), spec), [number], types)
        else:
            made = callbacks.py_function(lambda n: _tensors(begun.following(n), spec), [number], types)
        for t, said in zip(made, flat):
            t.set_shape(said.shape)
        return made

    def end(number):
        return callbacks.numpy_function(begun.end, [number], dtypes.int64)

    def traced(function, *specs):
        made = Function(function, "Generator_" + function.__name__, autograph=False)._trace(specs, {})
        if graph.current() is not None:
            made.add_to_graph()
        return made

    number = TensorSpec([], dtypes.int64)
    functions = (
        traced(begin, *(TensorSpec(a.shape, a.dtype) for a in args)),
        traced(following, number),
        traced(end, number),
    )
    for f in functions[:2]:
        for t in f.outputs:
            if f is functions[0]:
                t.set_shape([])
    made = op("GeneratorDataset")(
        list(args), [], [], init_func=functions[0].name, next_func=functions[1].name, finalize_func=functions[2].name, name=name,
        **elements.attrs(spec),
    )  # fmt: skip
    return cls._made("FlatMapDataset", made, spec, (), functions)


def _parts(given, spec):
    try:
        return elements.flatten_up_to(spec, given)
    except (TypeError, ValueError) as error:
        raise TypeError(
            "`generator` yielded an element that did not match the expected structure. The expected structure was "
            f"{elements.legacy_types(spec)}, but the yielded element was {given}."
        ) from error


def _values(given, spec):
    """What a generator yields, as arrays of the types that were said. TypeError where they do not fit."""
    import numpy

    made = []
    for value, leaf in zip(_parts(given, spec), nest.flatten(spec)):
        try:
            array = value.numpy() if isinstance(value, tensor.EagerTensor) else value
            wanted = object if leaf.dtype == dtypes.string else leaf.dtype.as_numpy_dtype
            if leaf.dtype != dtypes.string and numpy.asarray(array).dtype.kind in "OSU":
                raise ValueError(f"{array!r} is no number")
            array = numpy.asarray(array, dtype=wanted)
        except (TypeError, ValueError) as error:
            raise TypeError(
                "`generator` yielded an element that could not be converted to the expected type. The expected type was "
                f"{leaf.dtype.name}, but the yielded element was {value}."
            ) from error
        if not leaf.shape.is_compatible_with(array.shape):
            raise TypeError(
                f"`generator` yielded an element of shape {array.shape} where an element of shape {leaf.shape} was expected."
            )
        made.append(array)
    return made


def _tensors(given, spec):
    """The same with composite tensors."""
    packed = nest.pack_sequence_as(spec, _parts(given, spec))
    try:
        return elements.to_tensors(spec, elements.normalize(packed, spec))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"`generator` yielded an element of {packed} where an element of {spec} was expected. {error}"
        ) from error


# ---- files


def list_files(cls, file_pattern, shuffle, seed, name):
    """The files that match, in an order by the seed unless shuffle is False, then by name."""
    pattern = array_ops.convert_to_tensor(file_pattern, dtypes.string)
    matching = op("MatchingFiles")(pattern)
    from ..ops import string_ops

    found = op("Greater")(op("Size")(matching), array_ops.constant(0))
    message = array_ops.convert_to_tensor("No files matched pattern: ")
    told = op("Add")(message, string_ops.reduce_join(op("Reshape")(pattern, [-1]), separator=", "))
    check = op("Assert")(found, [told])
    if check is not None and graph.current() is not None:
        with graph.current().control_dependencies([check]):
            matching = op("Identity")(matching)
    made = cls.from_tensor_slices(matching, name=name)
    if shuffle is None or shuffle:
        size = op("Maximum")(op("Size")(matching, out_type=dtypes.int64), array_ops.constant(1, dtypes.int64))
        made = made.shuffle(size, seed=seed, name=name)
    return made
