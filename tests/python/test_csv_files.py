"""make_csv_dataset: names, types and defaults of columns. Values and messages are TensorFlow's."""

import gzip

import pytest

import sluice as tf

MIXED = "i,f,s,l,d,e\n1,2.5,x,99999999999,1e50,\n2,3,y,5,1,\n3,4,z,6,2,7\n"


@pytest.fixture
def make(tmp_path):
    def made(*texts, batch_size=2, **options):
        paths = []
        for i, text in enumerate(texts):
            paths.append(str(tmp_path / f"{i}.csv"))
            with open(paths[-1], "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
        options = {"shuffle": False, "num_epochs": 1, **options}
        return tf.data.experimental.make_csv_dataset(paths, batch_size, **options)

    return made


def rows(dataset):
    """The columns of each batch; the label last."""
    made = []
    for element in dataset:
        features, label = element if isinstance(element, tuple) else (element, None)
        found = {k: v.numpy().tolist() for k, v in features.items()}
        made.append(found if label is None else (found, label.numpy().tolist()))
    return made


def types(dataset):
    return {k: v.dtype.name for k, v in dataset.element_spec.items()}


def test_types_and_defaults_are_those_of_the_rows(make):
    dataset = make(MIXED)
    expected = {"i": "int32", "f": "float32", "s": "string", "l": "int64", "d": "float64", "e": "int32"}
    assert types(dataset) == expected and list(dataset.element_spec) == list("ifslde")
    assert dataset.element_spec["i"] == tf.TensorSpec([None], tf.int32)
    assert rows(dataset)[1] == {"i": [3], "f": [4.0], "s": [b"z"], "l": [6], "d": [2.0], "e": [7]}
    assert rows(dataset)[0]["e"] == [0, 0]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1.5", "float32"), ("-inf", "float32"), ("inf", "string"), ("nan", "string"), ("3.5e38", "float64"), ("1e400", "string"),
        ("True", "string"), (" 1", "int32"), ("1e3", "float32"), ("", "string"), ("99999999999\n1.5", "float32"),
        ("999999999999999999999", "float32"), ("1\nx\n2", "string"),
    ],
)  # fmt: skip
def test_narrowest_type(make, text, expected):
    assert types(make(f"c,other\n{text.replace(chr(10), ',0' + chr(10))},0\n"))["c"] == expected


def test_columns(make):
    assert rows(make(MIXED, select_columns=["f", "i"])) == [{"i": [1, 2], "f": [2.5, 3]}, {"i": [3], "f": [4]}]
    assert rows(make(MIXED, select_columns=[0, 2], label_name="s"))[1] == ({"i": [3]}, [b"z"])
    assert types(make(MIXED, column_names=list("abcdef"), select_columns=["f"])) == {"f": "int32"}
    assert types(make(MIXED, select_columns=["i"], column_defaults=[0.0])) == {"i": "float32"}
    assert rows(make("1;NA\nNA;2\n", header=False, column_names=["a", "b"], field_delim=";", na_value="NA")) == [
        {"a": [1, 0], "b": [0, 2]}
    ]
    assert rows(make('a,b\n"x,y",1\n"p""q",2\n'))[0]["a"] == [b"x,y", b'p"q']


def test_files(make):
    assert [b["i"] for b in rows(make("i\n1\n2\n3\n", "i\n7\n"))] == [[1, 2], [3, 7]]
    assert [b["i"] for b in rows(make("i\n1\n", num_epochs=3))] == [[1, 1], [1]]
    endless = make("i\n1\n", num_epochs=None)
    assert endless.element_spec["i"].shape == [2] and len(rows(endless.take(5))) == 5
    assert rows(make(gzip.compress(b"a\n1\n"), compression_type="GZIP")) == [{"a": [1]}]
    shuffled = make("i\n1\n2\n3\n", "i\n7\n", shuffle=True, shuffle_seed=3, num_parallel_reads=2, sloppy=True)
    assert sorted(x for b in rows(shuffled) for x in b["i"]) == [1, 2, 3, 7]
    ignored = make("i\n1\nq\n2\n", num_rows_for_inference=1, column_defaults=[0], ignore_errors=True)
    assert rows(ignored) == [{"i": [1, 2]}]


def test_arguments_stay_as_they_are(make):
    select = ["i"]
    make(MIXED, select_columns=select)
    assert select == ["i"]


BAD = [
    (("a\n1\n",), {"header": False}, "Expected `column_names` or `header` arguments. Neither is provided."),
    (("a\n1\n", "b\n1\n"), {}, "same column names in the header row. File .*1.csv has different"),
    (("",), {}, "Failed when reading the header line of .*0.csv. Is it an empty file?"),
    (("a,a\n1,1\n",), {}, "contains duplicate column names: {'a'}"),
    (("a,b\n1,2,3\n",), {}, "CSV row 2 has 3 number of fields. Expected: 2."),
    (("a,b\n1,2\n",), {"label_name": "q"}, r"must be one of the columns: \['a', 'b'\]. Received: q."),
    (("a,b\n1,2\n",), {"select_columns": [2]}, "Column index 2 specified in `select_columns` should be > 0  and <= 2"),
    (("a,b\n1,2\n",), {"select_columns": ["q"]}, "Column q specified in `select_columns`"),
    (("a,b\n1,2\n",), {"select_columns": [1, "b"]}, "contains duplicate columns"),
    (("a\n1\n",), {"compression_type": "ZLIB"}, "ZLIB is not supported for probing columns"),
    ((), {}, "`file_pattern` should not be empty"),
]


@pytest.mark.parametrize("texts, options, message", BAD)
def test_wrong_arguments(make, texts, options, message):
    with pytest.raises(ValueError, match=message):
        make(*texts, **options)


def test_no_file_matches(tmp_path):
    with pytest.raises(ValueError, match="No files match `file_pattern`"):
        tf.data.experimental.make_csv_dataset(str(tmp_path / "*.csv"), 2)


@pytest.mark.parametrize("default, want", [(1, tf.float32), (2.0, tf.float64), (3, tf.int32), (9, tf.int64), (4, None)])
def test_numbers_of_types_are_types(tmp_path, default, want):
    """As in TensorFlow: a default that is the number of a type is that type, and the column has to be there."""
    path = tmp_path / "a.csv"
    path.write_text("5,a\n,b\n")
    rows = iter(tf.data.experimental.CsvDataset(str(path), [default, ""]))
    first = next(rows)[0]
    assert first.dtype == (want or tf.int32) and first.numpy() == 5
    if want:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Field 0 is required but missing"):
            next(rows)
    else:
        assert next(rows)[0].numpy() == 4
