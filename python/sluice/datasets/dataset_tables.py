"""Lookup tables that datasets fill: of keys and values, and of words and their places."""

from __future__ import annotations

from ..core import dtypes
from ..ops import lookup_ops


def table_from_dataset(
    dataset=None, num_oov_buckets=0, vocab_size=None, default_value=None, hasher_spec=lookup_ops.FastHashSpec,
    key_dtype=dtypes.string, name=None,
):  # fmt: skip
    """A table of the pairs (key, value) of a dataset; of the first vocab_size, if given.

    default_value: of keys that are not there, -1 if None, which only numbers may leave. num_oov_buckets: keys that are not
    there get one of as many ids behind those of the table, by the hash of hasher_spec. ValueError for other elements.

    >>> words = tf.data.Dataset.from_tensor_slices((["a", "b"], tf.range(2, dtype=tf.int64)))
    >>> tf.data.experimental.table_from_dataset(words).lookup(tf.constant(["b", "z"])).numpy().tolist()
    [1, -1]
    """
    values = dataset.element_spec[1]
    if num_oov_buckets < 0:
        raise ValueError(f"`num_oov_buckets` must be greater than or equal to 0, got {num_oov_buckets}.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size}.")
    if default_value is None:
        if not (values.dtype.is_integer or values.dtype.is_floating):
            raise ValueError(
                "`default_value` must be specified when creating a table from a dataset that produces values of type "
                f"{values.dtype}."
            )
        default_value = -1
    if vocab_size is not None:
        dataset = dataset.take(vocab_size)
    initializer = lookup_ops.DatasetInitializer(dataset)
    if num_oov_buckets:
        return lookup_ops.IdTableWithHashBuckets(initializer, num_oov_buckets, hasher_spec, name)
    return lookup_ops.StaticHashTableV1(initializer, default_value, name)


def index_table_from_dataset(
    dataset=None, num_oov_buckets=0, vocab_size=None, default_value=-1, hasher_spec=lookup_ops.FastHashSpec,
    key_dtype=dtypes.string, name=None,
):  # fmt: skip
    """A table of the elements of a dataset, whose ids are their places; the rest as in table_from_dataset.

    >>> words = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> tf.data.experimental.index_table_from_dataset(words).lookup(tf.constant(["b", "z"])).numpy().tolist()
    [1, -1]
    """
    pairs = dataset.enumerate().map(lambda place, word: (word, place))
    return table_from_dataset(pairs, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype, name)
