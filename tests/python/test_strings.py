"""tf.strings; expected values are TensorFlow's."""

import pytest

import sluice as tf

S = tf.strings
X = [["Hello", "wörld"], ["  a b ", ""]]


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda: S.as_string([1.5, 2.25], precision=3, width=8, fill="0"), [b"0001.500", b"0002.250"]),
        (lambda: S.as_string([True, False]), [b"true", b"false"]),
        (lambda: S.format("a {} b {}", (tf.range(10), 3.5 * tf.ones([]))), b"a [0 1 2 ... 7 8 9] b 3.5"),
        (lambda: S.to_number(["1.5", "-3e2"]), [1.5, -300.0]),
        (lambda: S.join([["a", "b"], "-", ["c", "d"]]), [b"a-c", b"b-d"]),
        (lambda: S.reduce_join(X, separator="."), "Hello.wörld.  a b .".encode()),
        (lambda: S.reduce_join(X, 0, separator="."), [b"Hello.  a b ", "wörld.".encode()]),
        (lambda: S.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 2, ":"), [b"b", b"a:c"]),
        (lambda: S.length(X, "UTF8_CHAR"), [[5, 5], [6, 0]]),
        (lambda: S.length(X), [[5, 6], [6, 0]]),
        (lambda: S.substr(X[0], [1, -2], [2, 1]), [b"el", b"l"]),
        (lambda: tf.compat.v1.substr(X[0], 1, 1, unit="UTF8_CHAR"), [b"e", "ö".encode()]),
        (lambda: S.upper(["aö"], "utf-8"), ["AÖ".encode()]),
        (lambda: S.strip(X[1]), [b"a b", b""]),
        (lambda: S.unicode_transcode("ö", "UTF-8", "UTF-16-BE"), b"\x00\xf6"),
        (lambda: S.unicode_script([65, 945]), [25, 14]),
        (lambda: S.regex_full_match(X[0], ".*o"), [True, False]),
        (lambda: S.regex_replace(X[0], "(l+)", r"<\1>"), [b"He<ll>o", "wör<l>d".encode()]),
        (lambda: S.to_hash_bucket_fast(["a", "b"], 1000), [939, 822]),
    ],
)
def test_values(call, expected):
    value = call().numpy()
    assert (value.tolist() if hasattr(value, "tolist") else value) == expected


def test_errors():
    with pytest.raises(ValueError, match="expects 2 tensors, but the inputs only has 1"):
        S.format("{} {}", tf.range(3))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
        S.regex_full_match(X[0], "(")
    with pytest.raises(tf.errors.InvalidArgumentError):
        S.substr("abc", 4, 1)
    with pytest.raises(tf.errors.InvalidArgumentError):
        S.to_number(["z"])
