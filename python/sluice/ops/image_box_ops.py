"""tf.image: bounding boxes. A box is [y1, x1, y2, x2], for an image in parts of its height and width."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.scopes import in_scope
from ..core.type_spec import TensorSpec
from . import array_ops, functional_ops, random_seeds
from .array_ops import convert_to_tensor

_float32 = dtypes.float32


def draw_bounding_boxes(images, boxes, colors, name=None):
    """Images [batch, height, width, channels] with the boxes [batch, n, 4] drawn, in the colours [m, channels] in turn."""
    if colors is None:
        return op("DrawBoundingBoxes")(images, boxes, name=name)
    return op("DrawBoundingBoxesV2")(images, boxes, colors, name=name)


def draw_bounding_boxes_v1(images, boxes, name=None, colors=None):
    """draw_bounding_boxes with the order of compat.v1's parameters."""
    return draw_bounding_boxes(images, boxes, colors, name)


# ---- boxes that are not of one thing: the best by score, without those that overlap a better one


def _threshold(value, like, name=None):
    return convert_to_tensor(value, like.dtype, name=name)


def _boxes_and_scores(boxes, scores):
    boxes = convert_to_tensor(boxes, dtype_hint=_float32)
    return boxes, convert_to_tensor(scores, boxes.dtype)


@in_scope("non_max_suppression", names_last=False)
def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"), name=None):
    """The indices of the boxes [n, 4] that are kept, by falling score: at most max_output_size."""
    boxes, scores = _boxes_and_scores(boxes, scores)
    return op("NonMaxSuppressionV3")(
        boxes,
        scores,
        max_output_size,
        _threshold(iou_threshold, boxes, "iou_threshold"),
        _threshold(score_threshold, boxes, "score_threshold"),
        name=name,
    )


@in_scope("non_max_suppression_with_scores", names_last=False)
def non_max_suppression_with_scores(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    soft_nms_sigma=0.0,
    name=None,
):
    """(indices, scores) of the boxes that are kept; with a sigma above 0 an overlap lowers a score, rather than drops."""
    boxes, scores = _boxes_and_scores(boxes, scores)
    limits = (_threshold(v, boxes) for v in (iou_threshold, score_threshold, soft_nms_sigma))
    made = op("NonMaxSuppressionV5")(boxes, scores, max_output_size, *limits, pad_to_max_output_size=False, name=name)
    return made.selected_indices, made.selected_scores


@in_scope("non_max_suppression_overlaps", names_last=False)
def non_max_suppression_overlaps(
    overlaps, scores, max_output_size, overlap_threshold=0.5, score_threshold=float("-inf"), name=None
):
    """The indices of what is kept, by how much each overlaps each other: overlaps [n, n]."""
    return op("NonMaxSuppressionWithOverlaps")(
        overlaps,
        scores,
        max_output_size,
        convert_to_tensor(overlap_threshold, _float32, name="overlap_threshold"),
        convert_to_tensor(score_threshold, _float32, name="score_threshold"),
        name=name,
    )


def non_max_suppression_padded(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    pad_to_max_output_size=False,
    name=None,
    sorted_input=False,
    canonicalized_coordinates=False,
    tile_size=512,
):
    """(indices, how many are valid), padded with 0 to max_output_size if asked for.

    With sorted_input or canonicalized_coordinates boxes may be a batch [..., n, 4], and are always padded.
    """
    boxes, scores = _boxes_and_scores(boxes, scores)
    max_output_size = convert_to_tensor(max_output_size)
    if max_output_size.dtype != dtypes.int32:
        raise TypeError(
            f"Input 'max_output_size' has type {max_output_size.dtype.name} that does not match type int32 of the op"
        )
    rank = boxes.shape.rank
    limits = _threshold(iou_threshold, boxes), _threshold(score_threshold, boxes)

    def of_one(boxes, scores, pad):
        made = op("NonMaxSuppressionV4")(boxes, scores, max_output_size, *limits, pad_to_max_output_size=pad, name=name)
        return made.selected_indices, made.valid_outputs

    if not sorted_input and not canonicalized_coordinates:
        return of_one(boxes, scores, pad_to_max_output_size)
    if not pad_to_max_output_size:
        raise ValueError("'pad_to_max_output_size' (value False) must be True for batched input")
    if rank == 2:
        return of_one(boxes, scores, True)
    return _of_batch(boxes, scores, lambda b, s: of_one(b, s, True))


def _of_batch(boxes, scores, of_one):
    """(indices, how many are valid) of boxes [..., n, 4], one after the other."""
    shape = array_ops.shape(boxes)
    flat = [
        array_ops.reshape(boxes, array_ops.concat([[-1], shape[-2:]], 0)),
        array_ops.reshape(scores, array_ops.stack([-1, shape[-2]])),
    ]
    signature = (TensorSpec([None], dtypes.int32), TensorSpec([], dtypes.int32))
    indices, counts = functional_ops.map_fn(lambda one: of_one(*one), tuple(flat), fn_output_signature=signature)
    outer = shape[:-2]
    return (
        array_ops.reshape(indices, array_ops.concat([outer, array_ops.shape(indices)[1:]], 0)),
        array_ops.reshape(counts, outer),
    )


@in_scope("combined_non_max_suppression", names_last=False)
def combined_non_max_suppression(
    boxes,
    scores,
    max_output_size_per_class,
    max_total_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    pad_per_class=False,
    clip_boxes=True,
    name=None,
):
    """(boxes, scores, classes, how many are valid) of each image, of boxes [batch, n, 1 or classes, 4]."""
    sizes = (convert_to_tensor(convert_to_tensor(n), dtypes.int32) for n in (max_output_size_per_class, max_total_size))
    limits = (convert_to_tensor(v, _float32) for v in (iou_threshold, score_threshold))
    return op("CombinedNonMaxSuppression")(
        boxes, scores, *sizes, *limits, pad_per_class=pad_per_class, clip_boxes=clip_boxes, name=name
    )


def generate_bounding_box_proposals(
    scores,
    bbox_deltas,
    image_info,
    anchors,
    nms_threshold=0.7,
    pre_nms_topn=6000,
    min_size=16,
    post_nms_topn=300,
    name=None,
):
    """(regions, probabilities) of anchors moved by bbox_deltas, the best by score that do not overlap."""
    return op("GenerateBoundingBoxProposals")(
        scores,
        bbox_deltas,
        image_info,
        anchors,
        nms_threshold,
        pre_nms_topn,
        min_size,
        post_nms_topn=post_nms_topn,
        name=name,
    )


# ---- random boxes


def _distortion(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes):
    return {
        "aspect_ratio_range": list(aspect_ratio_range or (0.75, 1.33)),
        "area_range": list(area_range or (0.05, 1.0)),
        "max_attempts": max_attempts or 100,
        "use_image_if_no_bounding_boxes": bool(use_image_if_no_bounding_boxes),
    }


def sample_distorted_bounding_box(
    image_size,
    bounding_boxes,
    seed=0,
    min_object_covered=0.1,
    aspect_ratio_range=None,
    area_range=None,
    max_attempts=None,
    use_image_if_no_bounding_boxes=None,
    name=None,
):
    """(begin, size, box): a random part of an image that has at least min_object_covered of a bounding box.

    begin [offset_height, offset_width, 0] and size [height, width, -1] are for tf.slice, the box [1, 1, 4] is to draw.
    """
    seeds = random_seeds.get_seed(seed) if seed else (0, 0)
    return sample_distorted_bounding_box_v1(
        image_size,
        bounding_boxes,
        *seeds,
        min_object_covered,
        aspect_ratio_range,
        area_range,
        max_attempts,
        use_image_if_no_bounding_boxes,
        name,
    )


@in_scope("sample_distorted_bounding_box", names_last=False)
def sample_distorted_bounding_box_v1(
    image_size,
    bounding_boxes,
    seed=None,
    seed2=None,
    min_object_covered=0.1,
    aspect_ratio_range=None,
    area_range=None,
    max_attempts=None,
    use_image_if_no_bounding_boxes=None,
    name=None,
):
    """The same, of both seeds of the op."""
    return op("SampleDistortedBoundingBoxV2")(
        image_size,
        bounding_boxes,
        convert_to_tensor(min_object_covered, _float32),
        seed=seed or 0,
        seed2=seed2 or 0,
        name=name,
        **_distortion(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes),
    )


@in_scope("stateless_sample_distorted_bounding_box", names_last=False)
def stateless_sample_distorted_bounding_box(
    image_size,
    bounding_boxes,
    seed,
    min_object_covered=0.1,
    aspect_ratio_range=None,
    area_range=None,
    max_attempts=None,
    use_image_if_no_bounding_boxes=None,
    name=None,
):
    """The same, of a seed [2]."""
    return op("StatelessSampleDistortedBoundingBox")(
        image_size,
        bounding_boxes,
        convert_to_tensor(min_object_covered, _float32),
        seed,
        name=name,
        **_distortion(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes),
    )
