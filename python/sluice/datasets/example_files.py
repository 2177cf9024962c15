"""tf.data.experimental.make_batched_features_dataset: files of serialized Examples as batches of their features."""

from __future__ import annotations

from ..ops import parsing_ops
from ..ops.readers import ReaderBase
from .dataset import AUTOTUNE, Dataset


def make_batched_features_dataset(
    file_pattern, batch_size, features, reader=None, label_key=None, reader_args=None, num_epochs=None, shuffle=True,
    shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None, reader_num_threads=None, parser_num_threads=None,
    sloppy_ordering=False, drop_final_batch=False,
):  # fmt: skip
    """Batches of dictionaries of features, of the files that match; pairs of them and the feature label_key, if given.

    reader: makes a dataset of a file's name and reader_args, TFRecordDataset unless told otherwise. ValueError when label_key is
    no feature.
    """
    from .dataset_readers import TFRecordDataset

    if label_key is not None and label_key not in features:
        raise ValueError(
            f"The `label_key` provided ({label_key!r}) must be one of the `features` keys: {list(features)}."
        )
    reader, threads = reader or TFRecordDataset, reader_num_threads or 1
    if isinstance(reader, type) and issubclass(reader, ReaderBase):
        raise TypeError(
            "The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are not supported. For example, pass "
            "`tf.data.TFRecordDataset` instead of `tf.TFRecordReader`."
        )
    files = Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    records = files.interleave(
        lambda file: reader(file, *(reader_args or [])), cycle_length=threads,
        num_parallel_calls=threads, deterministic=not sloppy_ordering,
    )  # fmt: skip
    if isinstance(records.element_spec, tuple):
        records = records.map(lambda _, value: value)
    if shuffle:
        records = records.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        records = records.repeat(num_epochs)
    batches = records.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    parsed = batches.map(
        lambda texts: parsing_ops.parse_example(texts, features), num_parallel_calls=parser_num_threads or 2
    )
    if label_key is not None:
        parsed = parsed.map(lambda found: ({k: v for k, v in found.items() if k != label_key}, found[label_key]))
    return parsed.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)
