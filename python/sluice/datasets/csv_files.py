"""tf.data.experimental.make_csv_dataset: files of comma-separated values as batches of their columns.

Names and types that are not given are read from the files themselves, when the dataset is made.
"""

from __future__ import annotations

import collections
import csv
import gzip
import io

import numpy

from ..core import dtypes
from ..files import gfile
from ..ops import array_ops
from .dataset import AUTOTUNE, Dataset
from .dataset_experimental import parallel_interleave
from .dataset_readers import CsvDataset


def make_csv_dataset(
    file_pattern, batch_size, column_names=None, column_defaults=None, label_name=None, select_columns=None, field_delim=",",
    use_quote_delim=True, na_value="", header=True, num_epochs=None, shuffle=True, shuffle_buffer_size=10000, shuffle_seed=None,
    prefetch_buffer_size=None, num_parallel_reads=None, sloppy=False, num_rows_for_inference=100, compression_type=None,
    ignore_errors=False, encoding="utf-8",
):  # fmt: skip
    """Batches of OrderedDicts of columns, of the files that match; pairs of them and the column label_name, if given.

    column_names: those of the header unless given. column_defaults: a default or a type for each column that is selected; the
    types of the first num_rows_for_inference rows (all if None) unless given. select_columns: names, or places from 0.
    ValueError for files, names, columns that are not there, and for rows of another length.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.csv")
    >>> with open(path, "w") as file: n = file.write("x,y\\n1,a\\n2,b\\n")
    >>> [{k: v.tolist() for k, v in e.items()} for e in
    ...  tf.data.experimental.make_csv_dataset(path, 2, num_epochs=1, shuffle=False).as_numpy_iterator()]
    [{'x': [1, 2], 'y': [b'a', b'b']}]
    """
    files = _matching(file_pattern)
    said = _Format(header, field_delim, use_quote_delim, na_value, compression_type, encoding)
    names = _names(files, column_names, said)
    if select_columns is not None:
        select_columns = _places(select_columns, names)
    if column_defaults is None:
        column_defaults = _inferred(files, len(names), said, select_columns, num_rows_for_inference)
    if select_columns is not None:
        names = [names[i] for i in select_columns]
    if label_name is not None and label_name not in names:
        raise ValueError(f"`label_name` provided must be one of the columns: {names}. Received: {label_name}.")

    def records(file):
        return CsvDataset(
            file, column_defaults, compression_type=compression_type, select_cols=select_columns, field_delim=field_delim,
            use_quote_delim=use_quote_delim, na_value=na_value, header=header,
        )  # fmt: skip

    def columns(*values):
        found = collections.OrderedDict(zip(names, values))
        return found if label_name is None else (found, found.pop(label_name))

    made = Dataset.from_tensor_slices(files)
    if shuffle:
        made = made.shuffle(len(files), shuffle_seed)
    made = made.apply(parallel_interleave(records, num_parallel_reads or 1, sloppy=sloppy))
    if ignore_errors:
        made = made.ignore_errors()
    if shuffle:
        made = made.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        made = made.repeat(num_epochs)
    made = made.batch(batch_size, drop_remainder=num_epochs is None).map(columns)
    return made.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _matching(file_pattern) -> list[str]:
    patterns = [file_pattern] if isinstance(file_pattern, (str, bytes)) else list(file_pattern)
    if not patterns:
        raise ValueError("Argument `file_pattern` should not be empty.")
    files = [f for pattern in patterns for f in gfile.glob(pattern)]
    if not files:
        raise ValueError(f"No files match `file_pattern` {file_pattern}.")
    return sorted(files)


class _Format:
    """How the files are written."""

    def __init__(self, header, field_delim, use_quote_delim, na_value, compression_type, encoding):
        self.has_header, self.na_value = header, na_value
        self._compression, self._encoding = compression_type or "", encoding
        self._options = {
            "delimiter": field_delim,
            "quoting": csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE,
        }

    def rows(self, path):
        """The rows of a file, lists of texts."""
        if self._compression not in ("", "GZIP"):
            raise ValueError(f"`compression_type` {self._compression} is not supported for probing columns.")
        opened = gzip.open(path) if self._compression else gfile.GFile(path, "rb")
        with opened as file:
            yield from csv.reader(io.StringIO(file.read().decode(self._encoding), newline=""), **self._options)


def _header(path, said):
    try:
        return next(said.rows(path))
    except StopIteration:
        raise ValueError(f"Failed when reading the header line of {path}. Is it an empty file?") from None


def _names(files, given, said) -> list[str]:
    if given is None:
        if not said.has_header:
            raise ValueError("Expected `column_names` or `header` arguments. Neither is provided.")
        given = _header(files[0], said)
        for path in files[1:]:
            if _header(path, said) != given:
                raise ValueError(
                    "All input CSV files should have the same column names in the header row. File "
                    f"{path} has different column names."
                )
    given = list(given)
    twice = {n for n in given if given.count(n) > 1}
    if twice:
        raise ValueError(f"Either `column_names` argument or CSV header row contains duplicate column names: {twice}.")
    return given


def _places(select, names) -> list[int]:
    """Columns that are selected, by names or places, as places in order."""
    places = []
    for which in select:
        if isinstance(which, int):
            if not 0 <= which < len(names):
                raise ValueError(
                    f"Column index {which} specified in `select_columns` should be > 0  and <= {len(names)}, which is the number "
                    "of columns."
                )
            places.append(which)
        elif which in names:
            places.append(names.index(which))
        else:
            raise ValueError(
                f"Column {which} specified in `select_columns` must be of one of the columns: {list(names)}."
            )
    twice = {p for p in places if places.count(p) > 1}
    if twice:
        raise ValueError(f"The `select_columns` argument contains duplicate columns: {twice}.")
    return sorted(places)


# ---- types of columns

_TYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)


def _holds(dtype, text) -> bool:
    """Whether a text is a number of this type that is less than infinity."""
    try:
        if dtype == dtypes.string:
            return True
        if dtype.is_integer:
            return dtype.min <= int(text) <= dtype.max
        with numpy.errstate(over="ignore"):
            return bool(dtype.as_numpy_dtype(text) < numpy.inf)
    except ValueError:
        return False


def _inferred(files, width, said, places, most):
    """A default of the narrowest type that holds each column: int32, int64, float32, float64, string."""
    places = list(range(width)) if places is None else places
    found = [None] * len(places)
    for row in _rows_of_all(files, width, said, most):
        for i, place in enumerate(places):
            text, least = row[place], found[i] or 0
            if text not in ("", said.na_value):
                found[i] = next(n for n in range(least, len(_TYPES)) if _holds(_TYPES[n], text))
    kinds = [_TYPES[-1 if n is None else n] for n in found]
    return [array_ops.constant([""] if kind == dtypes.string else [0], kind) for kind in kinds]


def _rows_of_all(files, width, said, most):
    count = 0
    for path in files:
        for number, row in enumerate(said.rows(path), 1):
            if number == 1 and said.has_header:
                continue
            if len(row) != width:
                raise ValueError(
                    f"Problem inferring types: CSV row {number} has {len(row)} number of fields. Expected: {width}."
                )
            yield row
            count += 1
            if most and count >= most:
                return
