"""tf.nn: connectionist temporal classification: losses and decoders of sequences without alignment.

Logits are [time, batch, classes] unless time is not major. The class that stands for no label is blank.
"""

from __future__ import annotations

from ..core import dtypes, scopes
from ..core.op_defs import op
from ..core.static_values import known_int
from . import array_ops
from .array_ops import _one_of, cast, convert_to_tensor
from .sparse_tensor import SparseTensor

_int64 = dtypes.as_dtype("int64")


# ---- losses


def ctc_loss_v1(
    labels,
    inputs=None,
    sequence_length=None,
    preprocess_collapse_repeated=False,
    ctc_merge_repeated=True,
    ignore_longer_outputs_than_inputs=False,
    time_major=True,
    logits=None,
):
    """The negative log probabilities [batch] of sparse labels; blank is the last class."""
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected argument `labels` to be a SparseTensor.")
    inputs = convert_to_tensor(_one_of("logits", logits, "inputs", inputs))
    narrow = inputs.dtype in (dtypes.as_dtype("float16"), dtypes.as_dtype("bfloat16"))
    x = cast(inputs, dtypes.float32) if narrow else inputs
    if not time_major:
        x = op("Transpose")(x, [1, 0, 2])
    loss, _ = op("CTCLoss")(
        x,
        cast(labels.indices, _int64),
        cast(labels.values, dtypes.int32),
        cast(sequence_length, dtypes.int32),
        preprocess_collapse_repeated=preprocess_collapse_repeated,
        ctc_merge_repeated=ctc_merge_repeated,
        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )
    return cast(loss, inputs.dtype) if narrow else loss


def ctc_loss(
    labels, logits, label_length, logit_length, logits_time_major=True, unique=None, blank_index=None, name=None
):
    """The negative log probabilities [batch] of labels, dense [batch, length] with their lengths, or sparse.

    blank_index: the class that is blank, which may count from the end: 0 for dense labels unless given; sparse ones
    need it. unique is not needed, and not used.
    """
    with scopes.name_scope(name or "ctc_loss"):
        logits = convert_to_tensor(logits)
        sparse = isinstance(labels, SparseTensor)
        if blank_index is None:
            if sparse:
                raise ValueError("Argument `blank_index` must be provided when labels is a SparseTensor.")
            blank_index = 0
        classes = logits.shape[2] if logits.shape.rank is not None else None
        classes = array_ops.shape(logits)[2] if classes is None else classes
        blank = blank_index + classes if blank_index < 0 else blank_index
        if not logits_time_major:
            logits = op("Transpose")(logits, [1, 0, 2])
        if logit_length is None:
            shape = array_ops.shape(logits)
            logit_length = op("Fill")(shape[1:2], shape[0])
        if not sparse:
            return _loss_of_dense(
                convert_to_tensor(labels), logits, convert_to_tensor(label_length), logit_length, blank
            )
        values = labels.values
        values = array_ops.where(values > cast(blank, values.dtype), values - 1, values)
        moved = array_ops.concat([logits[:, :, :blank], logits[:, :, blank + 1 :], logits[:, :, blank : blank + 1]], 2)
        return ctc_loss_v1(SparseTensor(labels.indices, values, labels.dense_shape), moved, logit_length)


_IMPOSSIBLE = 708.3964185322641  # the loss where the steps are too few: that of the smallest float64, as in TensorFlow


def _loss_of_dense(labels, logits, lengths, steps, blank):
    """The same of labels [batch, length], among which blank may be, and with rows of no labels or more than fit.

    The op's blank is a class of its own behind the others, with the probability p of blank: a label that is blank is another
    class then. The op divides all probabilities by 1 + p, which is taken out again.
    """
    dtype, logits = logits.dtype, cast(logits, dtypes.float32) if logits.dtype.size < 4 else logits
    labels, lengths, steps = (cast(convert_to_tensor(x), dtypes.int32) for x in (labels, lengths, steps))
    # TensorFlow puts the blank first, and does not move a label that is blank.
    labels = array_ops.where(op("Equal")(labels, blank), op("Maximum")(blank - 1, 0), labels)
    all_logs = op("LogSoftmax")(logits)
    logs = all_logs[:, :, blank]
    runs = op("Range")(0, array_ops.shape(logits)[0], 1)[:, None] < steps[None, :]
    wider = array_ops.concat([all_logs, logs[:, :, None]], 2)
    sparse = _of_dense(labels, op("Maximum")(lengths, 1))
    loss = ctc_loss_v1(sparse, wider, steps, ignore_longer_outputs_than_inputs=True)
    loss -= _sum_over(runs, op("Log1p")(op("Exp")(logs)))
    loss = array_ops.where(lengths > 0, loss, -_sum_over(runs, logs))
    within = op("Range")(1, array_ops.shape(labels)[1], 1) < lengths[:, None]
    repeats = op("Sum")(cast(op("Equal")(labels[:, 1:], labels[:, :-1]) & within, dtypes.int32), 1)
    fits = lengths + repeats <= steps
    return cast(array_ops.where(fits, loss, op("Fill")(array_ops.shape(loss), cast(_IMPOSSIBLE, loss.dtype))), dtype)


def _sum_over(runs, x):
    """The sum over the steps that run."""
    return op("Sum")(array_ops.where(runs, x, op("ZerosLike")(x)), 0)


def _of_dense(labels, lengths):
    """The first elements of rows as a sparse matrix."""
    width = array_ops.shape(labels)[1]
    there = op("Range")(0, width, 1) < array_ops.expand_dims(cast(lengths, dtypes.int32), 1)
    indices = op("Where")(there)
    return SparseTensor(indices, op("GatherNd")(labels, indices), array_ops.shape(labels, out_type=_int64))


# ---- labels


def collapse_repeated(labels, seq_length, name=None):
    """(labels with runs of one as one, their lengths), filled up with 0, of labels [batch, length]."""
    with scopes.name_scope(name or "collapse_repeated"):
        labels = convert_to_tensor(labels)
        lengths = cast(seq_length, dtypes.int32)
        width = array_ops.shape(labels)[1]
        first = array_ops.ones_like(labels[:, :1], dtype=dtypes.bool_)
        changes = array_ops.concat([first, op("NotEqual")(labels[:, 1:], labels[:, :-1])], 1)
        within = op("Range")(0, width, 1) < array_ops.expand_dims(lengths, 1)
        kept = op("LogicalAnd")(changes, within)
        counts = op("Sum")(cast(kept, dtypes.int32), [1])
        longest = op("Max")(counts, [0])
        at = op("Where")(kept)
        column = op("Cumsum")(cast(kept, dtypes.int32), 1) - 1
        places = array_ops.stack([at[:, 0], cast(op("GatherNd")(column, at), _int64)], 1)
        shape = array_ops.stack([cast(array_ops.shape(labels)[0], _int64), cast(longest, _int64)])
        made = op("ScatterNd")(places, op("GatherNd")(labels, at), shape)
        made.set_shape([labels.shape[0] if labels.shape.rank is not None else None, None])
        return made, cast(counts, convert_to_tensor(seq_length).dtype)


def ctc_unique_labels(labels, name=None):
    """(unique labels of each row, filled up with 0; for each label its place among them)."""
    with scopes.name_scope(name or "ctc_unique_labels"):
        labels = convert_to_tensor(labels)
        rows = known_int(array_ops.shape(labels)[0]) if labels.shape.rank is None else labels.shape[0]
        if rows is None:
            raise NotImplementedError("ctc_unique_labels of a batch whose size is not known")
        found = [op("Unique")(row) for row in array_ops.unstack(labels, rows)]
        width = array_ops.shape(labels)[1]
        filled = [
            op("Pad")(u.y, array_ops.reshape(array_ops.stack([0, width - array_ops.size(u.y)]), [1, 2])) for u in found
        ]
        return [cast(array_ops.stack(filled), _int64), array_ops.stack([u.idx for u in found])]


# ---- decoders


def _decoded(indices, values, shapes):
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes)]


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True, blank_index=None):
    """([the labels of the most likely class at each time], their negative log sums [batch, 1]), blank being the last one."""
    made = op("CTCGreedyDecoder")(
        inputs,
        sequence_length,
        merge_repeated=merge_repeated,
        blank_index=-1 if blank_index is None else blank_index,
    )
    return [SparseTensor(made[0], made[1], made[2])], made[3]


def ctc_beam_search_decoder(inputs, sequence_length, beam_width=100, top_paths=1):
    """([the labels of the top_paths most likely sequences], their log probabilities [batch, top_paths])."""
    return ctc_beam_search_decoder_v1(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)


def ctc_beam_search_decoder_v1(inputs, sequence_length, beam_width=100, top_paths=1, merge_repeated=True):
    """ctc_beam_search_decoder, which also may merge repeated labels of a result."""
    *parts, log_probabilities = op("CTCBeamSearchDecoder")(
        inputs, sequence_length, beam_width=beam_width, top_paths=top_paths, merge_repeated=merge_repeated
    )
    return _decoded(*parts), log_probabilities
