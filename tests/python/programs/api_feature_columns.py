"""Feature columns: what they are, make of features, and what models of graphs read of them."""

import tempfile

from . import shows, tf

fc, v1 = tf.feature_column, tf.compat.v1
PRICE = fc.numeric_column("price")
BUCKETS = fc.bucketized_column(PRICE, [0.0, 10.0])
PAIRS = fc.bucketized_column(fc.numeric_column("pair", shape=(2,)), [1.0, 2.0])
IDS = fc.categorical_column_with_identity("id", 4)
LIMITED = fc.categorical_column_with_identity("id", 3, default_value=0)
WORDS = fc.categorical_column_with_vocabulary_list("word", ["a", "b", "c"])
OTHERS = fc.categorical_column_with_vocabulary_list("word", ["a", "b"], num_oov_buckets=2)
NUMBERS = fc.categorical_column_with_vocabulary_list("id", [3, 0, 7], default_value=1)
HASHES = fc.categorical_column_with_hash_bucket("word", 10)
CODES = fc.categorical_column_with_hash_bucket("code", 10, tf.int32)
CROSSED = fc.crossed_column(["word", BUCKETS, IDS], 20)
WEIGHTED = fc.weighted_categorical_column(IDS, "weight")
ALL = [PRICE, BUCKETS, PAIRS, IDS, WORDS, CODES, CROSSED, WEIGHTED]


def features():
    return {
        "price": tf.constant([[1.0], [5.0], [20.0]]),
        "pair": tf.constant([[0.0, 1.5], [3.0, 3.0], [1.0, 0.0]]),
        "id": tf.constant([[0, 3], [3, -1], [2, 2]]),
        "code": tf.constant([[1, 2], [3, -1], [1, 1]]),
        "word": tf.constant([["a", ""], ["c", "b"], ["zz", "b"]]),
        "weight": tf.constant([[1.0, 0.5], [2.0, 0.0], [3.0, 4.0]]),
    }


def run(make, fill=None):
    """What make gives in a graph, after its variables were filled with numbers of their shapes."""
    with tf.Graph().as_default():
        made = make()
        with v1.Session() as session:
            session.run([v1.global_variables_initializer(), v1.tables_initializer()])
            for v in v1.global_variables() if fill else []:
                session.run(v.assign(tf.reshape(tf.range(tf.size(v), dtype=tf.float32) * fill, v.shape)))
            return session.run(made)


def layer(*columns):
    return lambda: v1.feature_column.input_layer(features(), list(columns))


@shows
def columns_are_named_tuples():
    for column in [*ALL, LIMITED, OTHERS, NUMBERS, HASHES, fc.indicator_column(WORDS)]:
        print(column.name, column._fields)
    print(WORDS, CROSSED, sep="\n")
    print(fc.numeric_column("a", shape=[2, 1], default_value=3.0), fc.numeric_column("b", 2, default_value=[1, 2]))


@shows
def columns_say_what_they_parse():
    print(sorted(fc.make_parse_example_spec([*ALL, fc.embedding_column(WORDS, 2)]).items()))


@shows
def numbers_and_buckets():
    return run(layer(PRICE, BUCKETS, PAIRS))


@shows
def numbers_are_normalized():
    return run(layer(fc.numeric_column("price", normalizer_fn=lambda x: x / 2.0)))


@shows
def indicators():
    return [run(layer(fc.indicator_column(c))) for c in (IDS, LIMITED, WORDS, OTHERS, NUMBERS, HASHES, CODES)]


@shows
def indicators_of_crosses_and_weights():
    return [run(layer(fc.indicator_column(c))) for c in (CROSSED, WEIGHTED)]


@shows
def embeddings():
    columns = [
        fc.embedding_column(c, 2, combiner=how) for c, how in ((WORDS, "mean"), (IDS, "sum"), (WEIGHTED, "sqrtn"))
    ]
    return run(layer(*columns), fill=0.5)


@shows
def embeddings_are_clipped():
    return run(layer(fc.embedding_column(IDS, 2, max_norm=1.0)), fill=0.5)


@shows
def linear_models():
    return [
        run(lambda: v1.feature_column.linear_model(features(), ALL, units=units, sparse_combiner=how), fill=0.25)
        for units, how in ((1, "sum"), (2, "mean"))
    ]


@shows
def variables_of_models():
    with tf.Graph().as_default():
        by_column, outputs = {}, {}
        v1.feature_column.linear_model(features(), ALL, cols_to_vars=by_column)
        v1.feature_column.input_layer(
            features(), [PRICE, fc.embedding_column(WORDS, 3)], cols_to_output_tensors=outputs
        )
        print(sorted((k if isinstance(k, str) else k.name, [v.name for v in vs]) for k, vs in by_column.items()))
        print(sorted((c.name, t.shape.as_list()) for c, t in outputs.items()))
        print([(v.name, v.shape.as_list()) for v in v1.global_variables()])
        print(len(v1.get_collection("model_variables")), len(v1.trainable_variables()))


@shows
def words_of_a_file():
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("a\nb\nzz\n")
        file.flush()
        columns = [
            fc.categorical_column_with_vocabulary_file("word", file.name, 2, default_value=0),
            fc.categorical_column_with_vocabulary_file("word", file.name, num_oov_buckets=1),
            v1.feature_column.categorical_column_with_vocabulary_file("word", file.name, None, 2),
        ]
        print([(c.num_buckets, c._fields, c.default_value) for c in columns])
        return [run(layer(fc.indicator_column(c))) for c in columns]


@shows
def variables_in_parts():
    with tf.Graph().as_default():
        by_column = {}
        with v1.variable_scope("parts", partitioner=v1.fixed_size_partitioner(2)):
            v1.feature_column.linear_model(features(), [IDS, fc.embedding_column(WORDS, 2)], cols_to_vars=by_column)
            v1.feature_column.input_layer(features(), [fc.embedding_column(IDS, 2)], cols_to_vars=by_column)
        print([[v.name for v in vs] for vs in by_column.values()])


@shows
def sparse_features():
    return run(
        lambda: v1.feature_column.input_layer(
            {"id": tf.SparseTensor([[0, 0], [2, 1]], tf.constant([1, 3], tf.int64), [3, 2])}, [fc.indicator_column(IDS)]
        )
    )


def refused(make):
    try:
        print(make())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error).split(" Given")[0])


@shows
def columns_refuse():
    for make in (
        lambda: fc.numeric_column(3),
        lambda: fc.numeric_column("a", shape=(0,)),
        lambda: fc.numeric_column("a", dtype=tf.string),
        lambda: fc.numeric_column("a", shape=(2,), default_value=[1]),
        lambda: fc.numeric_column("a", normalizer_fn=3),
        lambda: fc.bucketized_column(IDS, [1]),
        lambda: fc.bucketized_column(PRICE, []),
        lambda: fc.bucketized_column(PRICE, [2, 1]),
        lambda: fc.categorical_column_with_identity("a", 0),
        lambda: fc.categorical_column_with_identity("a", 2, default_value=3),
        lambda: fc.categorical_column_with_vocabulary_list("a", []),
        lambda: fc.categorical_column_with_vocabulary_list("a", ["x", "x"]),
        lambda: fc.categorical_column_with_vocabulary_list("a", ["x"], num_oov_buckets=-1),
        lambda: fc.categorical_column_with_vocabulary_list("a", ["x"], num_oov_buckets=1, default_value=0),
        lambda: fc.categorical_column_with_hash_bucket("a", 0),
        lambda: fc.categorical_column_with_hash_bucket("a", 3, tf.float32),
        lambda: fc.crossed_column(["a"], 3),
        lambda: fc.crossed_column(["a", HASHES], 5),
        lambda: fc.embedding_column(IDS, 0),
        lambda: fc.embedding_column(IDS, 2, ckpt_to_load_from="x"),
        lambda: fc.indicator_column(PRICE),
        lambda: fc.weighted_categorical_column(IDS, "a", tf.string),
        lambda: fc.make_parse_example_spec([3]),
        lambda: fc.categorical_column_with_vocabulary_file("a", "/nowhere/words"),
        lambda: v1.feature_column.input_layer({}, []),
        lambda: v1.feature_column.input_layer({"id": 1}, [IDS]),
    ):
        refused(make)
