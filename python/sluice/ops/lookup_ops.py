"""tf.lookup: tables from keys to values. Eagerly a table is the library's under an anonymous handle, and ends with it."""

from __future__ import annotations

import collections
import itertools
import uuid
from contextlib import nullcontext

from ..core import dtypes, graph, nest, scopes, tensor, tensor_shape, variables
from ..core.op_defs import op
from ..core.capturable_resource import Asset, TrackableResource, resource_functions
from ..core.trackable import Trackable
from ..core.type_spec import TensorSpec

_numbers = itertools.count()
_string, _int64 = dtypes.as_dtype("string"), dtypes.as_dtype("int64")


def _tensor(value, dtype=None):
    g, number = graph.current(), 0 if dtype is None else dtypes.as_dtype(dtype).as_datatype_enum
    if isinstance(value, variables.Variable):
        value = value.read_value()
    return tensor.convert(value, number) if g is None else graph.into(g, value, number)


def _outside():
    """Where tables are made: of a function not its body."""
    return scopes.init_scope() if graph.current() is not None and graph.current().building_function else nullcontext()


# ---- initializers


class TextFileIndex:
    """What of a line is a key or value: a column by its number, or one of these."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TableInitializerBase(Trackable):
    """Puts keys and values into a new table."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    _shared_name = property(lambda self: f"table_{id(self)}")

    def initialize(self, table):
        raise NotImplementedError(f"{type(self).__name__}.initialize")

    def _check(self, table):
        if table.key_dtype.base_dtype != self._key_dtype.base_dtype:
            raise TypeError(f"Invalid key dtype for table, expected {self._key_dtype} but got {table.key_dtype}.")
        if table.value_dtype.base_dtype != self._value_dtype.base_dtype:
            raise TypeError(f"Invalid value dtype for table, expected {self._value_dtype} but got {table.value_dtype}.")


class KeyValueTensorInitializer(TableInitializerBase):
    """Of a tensor of keys and one of values, of one shape."""

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        with _outside():
            self._keys, self._values = _tensor(keys, key_dtype), _tensor(values, value_dtype)
        if value_dtype is not None:
            self._values = (
                self._values if self._values.dtype == value_dtype else op("Cast")(self._values, DstT=value_dtype)
            )
        self._name = name if name is not None else "key_value_init"
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table):
        """Fills the table; gives the operation, eagerly None. TypeError when the types are others than the table's."""
        self._check(table)
        return op("LookupTableImportV2")(table.resource_handle, self._keys, self._values, name=self._name + "_import")


class TextFileInitializer(TableInitializerBase):
    """Of the lines of a file: key_index and value_index say which column, or TextFileIndex."""

    def __init__(
        self,
        filename,
        key_dtype,
        key_index,
        value_dtype,
        value_index,
        vocab_size=None,
        delimiter="\t",
        name=None,
        value_index_offset=0,
    ):
        if not isinstance(filename, tensor.Tensor) and not filename:
            raise ValueError("`filename` argument required for tf.lookup.TextFileInitializer")
        key_dtype, value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        for word, index, dtype in (("key", key_index, key_dtype), ("value", value_index, value_dtype)):
            if index < -2:
                raise ValueError(f"`{word}_index` should be >= -2, received: {index}.")
            if index == TextFileIndex.LINE_NUMBER and dtype != _int64:
                raise ValueError(f"`{word}_dtype` must be int64 if `{word}_index` is {index}, received: {dtype}")
            if index == TextFileIndex.WHOLE_LINE and not (dtype.is_integer or dtype == _string):
                raise ValueError(
                    f"`{word}_dtype` should be either integer or string for `{word}_index` {index}, received: {dtype}"
                )
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"`vocab_size` should be > 0, received: {vocab_size}")
        self._asset = None
        if not isinstance(filename, tensor.Tensor):
            given = filename if isinstance(filename, Asset) else Asset(filename)
            self._asset, filename = self._track_trackable(given, "_filename"), given._path
        self._filename_arg, self._key_index, self._value_index = filename, key_index, value_index
        self._vocab_size = -1 if vocab_size is None else vocab_size
        self._delimiter, self._name, self._offset = delimiter, name, value_index_offset
        super().__init__(key_dtype, value_dtype)

    @property
    def _shared_name(self):
        size = f"_{self._vocab_size}" if self._vocab_size > 0 else ""
        offset = f"_{self._offset}" if self._offset else ""
        return f"hash_table_{self._filename_arg}{size}_{self._key_index}_{self._value_index}{offset}"

    def initialize(self, table):
        """Fills the table; gives the operation, eagerly None."""
        self._check(table)
        filename = _tensor(self._filename_arg, _string) if self._asset is None else self._asset.asset_path
        if self._asset is None and isinstance(filename, graph.SymbolicTensor):
            if hasattr(graph.current(), "add_to_collection"):
                graph.current().add_to_collection("asset_filepaths", filename)
        return op("InitializeTableFromTextFileV2")(
            table.resource_handle,
            filename,
            key_index=self._key_index,
            value_index=self._value_index,
            vocab_size=self._vocab_size,
            delimiter=self._delimiter,
            offset=self._offset,
        )


_PAIRS = (
    "Datasets used to initialize lookup tables must produce elements in the form (key, value), where the keys and values are "
    "scalar tensors. However, the given dataset"
)


class DatasetInitializer(TableInitializerBase):
    """Of a tf.data.Dataset whose elements are pairs of a key and a value."""

    def __init__(self, dataset):
        self.dataset, spec = dataset, dataset.element_spec
        if not isinstance(spec, tuple) or len(spec) != 2:
            count = len(spec) if isinstance(spec, (tuple, dict)) else 1
            raise ValueError(
                f"{_PAIRS} produces {count} components instead of two (key, value) components. Full dataset element spec: {spec}."
            )
        for what, leaf in zip(("key", "value"), spec):
            if not isinstance(leaf, TensorSpec):
                raise ValueError(
                    f"{_PAIRS} produces non-Tensor {what}s of type {getattr(leaf, 'value_type', type(leaf))}."
                )
            if leaf.shape.rank not in (None, 0):
                raise ValueError(f"{_PAIRS} produces non-scalar {what} Tensors of rank {leaf.shape.rank}.")
        super().__init__(spec[0].dtype, spec[1].dtype)

    def initialize(self, table):
        self._check(table)
        return op("InitializeTableFromDataset")(table.resource_handle, self.dataset._variant_tensor)


# ---- tables


class LookupInterface(TrackableResource):
    """What all tables have."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    name = property(lambda self: self._name)
    resource_handle = property(lambda self: self._handle)
    _resource_handle = property(lambda self: self._handle)

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        children = Trackable._trackable_children(self, save_type, **kwargs)
        if save_type == "savedmodel" and self._made_of is not None:
            children.update(resource_functions(self))
        return children

    _made_of = None  # the op that makes it, its inputs and attrs

    def _create_resource(self):
        """The handle of a table like it, which has a name of its own wherever it is made."""
        kind, inputs, attrs = self._made_of
        return op(kind)(*inputs, shared_name=f"saved_{uuid.uuid4().hex}", **attrs)

    def _initialize(self):
        """Fills a table that a saved model has made."""

    def __getitem__(self, keys):
        return self.lookup(keys)

    def _keys(self, keys):
        """The keys as a tensor, and what makes a value of their structure of one of the values."""
        spec = nest.spec_of(keys)
        if spec is None:
            keys = _tensor(keys) if hasattr(keys, "dtype") else _tensor(keys, self._key_dtype)
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError(f"Dtype of argument `keys` must be {self._key_dtype}, received: {keys.dtype}")
        if spec is None:
            return keys, lambda values: values
        if hasattr(keys, "flat_values"):
            return keys.flat_values, keys.with_flat_values
        return keys.values, lambda values: type(keys)(keys.indices, values, keys.dense_shape)

    def size(self, name=None):
        """How many keys there are."""
        return op("LookupTableSizeV2")(self._handle, name=name)

    def _check_table_dtypes(self, key_dtype, value_dtype):
        if key_dtype.base_dtype != self.key_dtype:
            raise TypeError(f"Invalid key dtype for table, expected {self.key_dtype} but got {key_dtype}.")
        if value_dtype.base_dtype != self.value_dtype:
            raise TypeError(f"Invalid value dtype for table, expected {self.value_dtype} but got {value_dtype}.")

    def _make(self, kinds, name, shared_name, anonymous, *inputs, **attrs):
        """The handle: of an anonymous table eagerly, or when asked for; else of one with a shared name."""
        self._made_of = kinds[1], inputs, attrs
        with _outside():
            if graph.current() is None or anonymous:
                return op(kinds[0])(*inputs, **attrs)
            return op(kinds[1])(*inputs, shared_name=shared_name, name=name, **attrs)

    def _export(self, name):
        keys, values = op("LookupTableExportV2")(
            self._handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=name
        )
        if isinstance(values, graph.SymbolicTensor):
            rows = tensor_shape.TensorShape([None])
            keys.set_shape(rows.concatenate(self._key_shape))
            values.set_shape(rows.concatenate(self._value_shape))
        return keys, values

    _key_shape = _value_shape = tensor_shape.TensorShape([])


def _add_initializer(made):
    g = graph.current()
    if made is not None and hasattr(g, "add_to_collection") and not g.building_function:
        g.add_to_collection("table_initializer", made)


class StaticHashTable(LookupInterface):
    """A table that its initializer fills, once. default_value: of keys that are not there."""

    def __init__(self, initializer, default_value, name=None, experimental_is_anonymous=False):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._initializer = initializer
        if isinstance(initializer, Trackable):
            self._track_trackable(initializer, "_initializer")
        label = name or "hash_table"
        shared = initializer._shared_name if isinstance(initializer, TextFileInitializer) else f"table_{next(_numbers)}"
        with _outside():
            self._default_value = _tensor(default_value, self._value_dtype)
            if self._default_value.shape.rank not in (0, None):
                raise ValueError(f"Argument `default_value` must be a scalar, received: {default_value}")
            self._handle = self._make(
                ("AnonymousHashTable", "HashTableV2"),
                label,
                shared,
                experimental_is_anonymous,
                key_dtype=self._key_dtype,
                value_dtype=self._value_dtype,
            )
            self._name = self._handle.op.name if isinstance(self._handle, graph.SymbolicTensor) else label
            self._init_op = initializer.initialize(self)
            _add_initializer(self._init_op)

    default_value = property(lambda self: self._default_value)
    initializer = property(lambda self: self._init_op)

    def _initialize(self):
        self._initializer.initialize(self)

    def lookup(self, keys, name=None):
        """The values of keys, in the keys' shape; of sparse or ragged keys in their structure."""
        flat, like = self._keys(keys)
        made = op("LookupTableFindV2")(self._handle, flat, self._default_value, name=name)
        if isinstance(made, graph.SymbolicTensor):
            made.set_shape(flat.shape)
        return like(made)

    def export(self, name=None):
        """(keys, values) of the whole table, in any order."""
        return self._export(name)


class StaticVocabularyTable(LookupInterface):
    """Ids of words: those of the initializer, and for others one of num_oov_buckets ids behind them, by hash."""

    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None, experimental_is_anonymous=False):
        if num_oov_buckets <= 0:
            raise ValueError(f"`num_oov_buckets` must be > 0; use StaticHashTable. Received: {num_oov_buckets}")
        if lookup_key_dtype is not None:
            lookup_key_dtype = dtypes.as_dtype(lookup_key_dtype)
        self._num_oov_buckets, self._table = num_oov_buckets, None
        if initializer is not None:
            if initializer.value_dtype != _int64:
                raise TypeError(f"Invalid `value_dtype`, expected {_int64} but got {initializer.value_dtype}.")
            self._name = name or ""
            self._table = StaticHashTable(initializer, -1, name, experimental_is_anonymous)
            self._track_trackable(self._table, "_table")
            key_dtype = lookup_key_dtype or initializer.key_dtype
            if key_dtype.is_integer != initializer.key_dtype.is_integer:
                raise TypeError(f"Invalid `key_dtype`, expected {initializer.key_dtype} but got {key_dtype}.")
        else:
            key_dtype = lookup_key_dtype or _string
            self._name = name or "vocabulary_table"
        if not (key_dtype.is_integer or key_dtype == _string):
            raise TypeError(f"Invalid `key_dtype`, expected integer or string, received {key_dtype}.")
        super().__init__(key_dtype, _int64)

    initializer = property(lambda self: self._table.initializer if self._table else op("NoOp")())

    @property
    def resource_handle(self):
        return None if self._table is None else self._table.resource_handle

    def size(self, name=None):
        """How many ids there are, buckets included."""
        known = 0 if self._table is None else self._table.size()
        return known + _tensor(self._num_oov_buckets, _int64)

    def lookup(self, keys, name=None):
        """The ids of keys, as int64 in their shape."""
        flat, like = self._keys(keys)
        buckets = self._buckets(flat if flat.dtype == _string else op("AsString")(flat))
        if self._table is None:
            return like(buckets)
        inner = flat
        if flat.dtype != self._table.key_dtype:
            inner = op("Cast")(flat, DstT=self._table.key_dtype)
        ids = self._table.lookup(inner)
        return like(op("SelectV2")(op("NotEqual")(ids, _tensor(-1, _int64)), ids, buckets + self._table.size()))

    def _buckets(self, words):
        return op("StringToHashBucketFast")(words, num_buckets=self._num_oov_buckets)


HasherSpec = collections.namedtuple("HasherSpec", ["hasher", "key"])
FastHashSpec = HasherSpec("fasthash", None)


class IdTableWithHashBuckets(StaticVocabularyTable):
    """The same with the hash that hasher_spec says: "fasthash", or "stronghash" with a key of two numbers."""

    def __init__(self, initializer, num_oov_buckets, hasher_spec=FastHashSpec, name=None, key_dtype=None):
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"`hasher_spec` must be of type HasherSpec, got {type(hasher_spec)}.")
        if hasher_spec.hasher not in ("fasthash", "stronghash"):
            raise ValueError(f"Found unknown hasher {hasher_spec.hasher} in `hasher_spec`")
        super().__init__(initializer, num_oov_buckets, key_dtype, name)
        self._hasher_spec = hasher_spec

    def _buckets(self, words):
        if self._hasher_spec.hasher == "fasthash":
            return super()._buckets(words)
        key = list(self._hasher_spec.key)
        return op("StringToHashBucketStrong")(words, num_buckets=self._num_oov_buckets, key=key)


class MutableHashTable(LookupInterface):
    """A table that can be changed. The shape of default_value is that of all values."""

    def __init__(
        self,
        key_dtype,
        value_dtype,
        default_value,
        name="MutableHashTable",
        checkpoint=True,
        experimental_is_anonymous=False,
    ):
        super().__init__(key_dtype, value_dtype)
        self._name, self._checkpoint = name, checkpoint
        with _outside():
            self._default_value = _tensor(default_value, self._value_dtype)
        self._value_shape = self._default_value.shape
        of_tensors, attrs = "", {}
        if self._value_shape.rank:
            of_tensors, attrs = "OfTensors", {"value_shape": self._value_shape}
        self._handle = self._make(
            ("AnonymousMutableHashTable" + of_tensors, f"MutableHashTable{of_tensors}V2"),
            name,
            f"table_{next(_numbers)}",
            experimental_is_anonymous,
            key_dtype=self._key_dtype,
            value_dtype=self._value_dtype,
            **attrs,
        )

    def remove(self, keys, name=None):
        """Takes keys out; those that are not there are ignored."""
        return op("LookupTableRemoveV2")(self._handle, self._keys(keys)[0], name=name)

    def lookup(self, keys, dynamic_default_values=None, name=None):
        """The values of keys. dynamic_default_values: of the keys that are not there, one for all or one each."""
        flat, like = self._keys(keys)
        default = self._default_value if dynamic_default_values is None else dynamic_default_values
        made = op("LookupTableFindV2")(self._handle, flat, _tensor(default, self._value_dtype), name=name)
        return like(self._told(made, flat))

    def _told(self, made, keys):
        if isinstance(made, graph.SymbolicTensor):
            lead = keys.shape
            if self._key_shape.rank and lead.rank is not None:
                lead = lead[: lead.rank - self._key_shape.rank]
            made.set_shape(lead.concatenate(self._value_shape))
        return made

    def __getitem__(self, keys):
        return self.lookup(keys)

    def insert(self, keys, values, name=None):
        """Sets the values of keys."""
        keys = _tensor(keys, self._key_dtype) if not isinstance(keys, tensor.Tensor) else keys
        values = _tensor(values, self._value_dtype) if not isinstance(values, tensor.Tensor) else values
        self._check_table_dtypes(keys.dtype, values.dtype)
        return op("LookupTableInsertV2")(self._handle, keys, values, name=name)

    def export(self, name=None):
        """(keys, values) of the whole table, in any order."""
        return self._export(name)

    def _serialize_to_tensors(self):
        if not self._checkpoint:
            return {}
        keys, values = self.export()
        return {"table-keys": keys, "table-values": values}

    _values_name = "table"  # under which a checkpoint tells of both

    def _has_values(self):
        return self._checkpoint

    def _restore_from_tensors(self, restored_tensors):
        return op("LookupTableImportV2")(self._handle, restored_tensors["table-keys"], restored_tensors["table-values"])


class DenseHashTable(MutableHashTable):
    """The same, faster, for keys among which empty_key and deleted_key are never."""

    def __init__(
        self,
        key_dtype,
        value_dtype,
        default_value,
        empty_key,
        deleted_key,
        initial_num_buckets=None,
        name="MutableDenseHashTable",
        checkpoint=True,
        experimental_is_anonymous=False,
    ):
        LookupInterface.__init__(self, key_dtype, value_dtype)
        self._name, self._checkpoint = name, checkpoint
        with _outside():
            self._default_value = _tensor(default_value, self._value_dtype)
            empty, deleted = _tensor(empty_key, self._key_dtype), _tensor(deleted_key, self._key_dtype)
        self._value_shape, self._key_shape = self._default_value.shape, empty.shape
        self._handle = self._make(
            ("AnonymousMutableDenseHashTable", "MutableDenseHashTableV2"),
            name,
            f"table_{next(_numbers)}",
            experimental_is_anonymous,
            empty,
            deleted,
            value_dtype=self._value_dtype,
            value_shape=self._value_shape,
            initial_num_buckets=131072 if initial_num_buckets is None else initial_num_buckets,
        )

    def lookup(self, keys, name=None):
        """The values of keys; of those that are not there default_value."""
        return super().lookup(keys, None, name)

    def insert_or_assign(self, keys, values, name=None):
        return self.insert(keys, values, name)

    def erase(self, keys, name=None):
        return self.remove(keys, name)


# ---- TensorFlow 1


class StaticHashTableV1(StaticHashTable):
    """The same; `initializer` is the operation that fills it."""


class StaticVocabularyTableV1(StaticVocabularyTable):
    """The same."""


def tables_initializer(name="init_all_tables"):
    """An operation that fills all tables of the graph."""
    from . import control_flow_ops

    g = graph.current()
    made = g.get_collection("table_initializer") if g is not None else []
    return control_flow_ops.group(*made, name=name) if made else control_flow_ops.no_op(name)
