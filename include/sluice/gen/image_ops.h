/* Wrappers of the image ops, made by tools/gen_ops.py from src/ops/image.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_IMAGE_OPS_H
#define SLUICE_GEN_IMAGE_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

/* AdjustContrast: images: T, contrast_factor: float, min_value: float, max_value: float -> output: float */
static inline TF_Output sl_adjust_contrast(struct sl_scope *scope, TF_Output images, TF_Output contrast_factor, TF_Output min_value, TF_Output max_value) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&contrast_factor, -1}, {&min_value, -1}, {&max_value, -1}};
    return sl_op_first(sl_op(scope, "AdjustContrast", inputs_, 4, NULL, 0));
}

/* AdjustContrastv2: images: T, contrast_factor: float -> output: T */
static inline TF_Output sl_adjust_contrastv2(struct sl_scope *scope, TF_Output images, TF_Output contrast_factor) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&contrast_factor, -1}};
    return sl_op_first(sl_op(scope, "AdjustContrastv2", inputs_, 2, NULL, 0));
}

/* AdjustHue: images: T, delta: float -> output: T */
static inline TF_Output sl_adjust_hue(struct sl_scope *scope, TF_Output images, TF_Output delta) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&delta, -1}};
    return sl_op_first(sl_op(scope, "AdjustHue", inputs_, 2, NULL, 0));
}

/* AdjustSaturation: images: T, scale: float -> output: T */
static inline TF_Output sl_adjust_saturation(struct sl_scope *scope, TF_Output images, TF_Output scale) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&scale, -1}};
    return sl_op_first(sl_op(scope, "AdjustSaturation", inputs_, 2, NULL, 0));
}

struct sl_combined_non_max_suppression_outputs {
    TF_Output nmsed_boxes, nmsed_scores, nmsed_classes, valid_detections;
};
struct sl_combined_non_max_suppression_attrs {
    bool pad_per_class; /* false */
    enum sl_choice clip_boxes; /* true */
};
/* CombinedNonMaxSuppression: boxes: float, scores: float, max_output_size_per_class: int32, max_total_size: int32, iou_threshold: float, score_threshold: float -> nmsed_boxes: float, nmsed_scores: float, nmsed_classes: float, valid_detections: int32 */
static inline struct sl_combined_non_max_suppression_outputs sl_combined_non_max_suppression_with(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size_per_class, TF_Output max_total_size, TF_Output iou_threshold, TF_Output score_threshold, struct sl_combined_non_max_suppression_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&boxes, -1}, {&scores, -1}, {&max_output_size_per_class, -1}, {&max_total_size, -1}, {&iou_threshold, -1}, {&score_threshold, -1}};
    const struct sl_attr_given attrs_[] = {{"pad_per_class", SL_GIVEN_BOOL, &attrs.pad_per_class}, {"clip_boxes", SL_GIVEN_CHOICE, &attrs.clip_boxes}};
    TF_Operation *const op_ = sl_op(scope, "CombinedNonMaxSuppression", inputs_, 6, attrs_, 2);
    const struct sl_combined_non_max_suppression_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}, {op_, 3}};
    return outputs_;
}
static inline struct sl_combined_non_max_suppression_outputs sl_combined_non_max_suppression(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size_per_class, TF_Output max_total_size, TF_Output iou_threshold, TF_Output score_threshold) {
    const struct sl_combined_non_max_suppression_attrs attrs = SL_DEFAULTS;
    return sl_combined_non_max_suppression_with(scope, boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, attrs);
}

struct sl_crop_and_resize_attrs {
    const char *method; /* 'bilinear' */
    float extrapolation_value; /* 0 */
};
/* CropAndResize: image: T, boxes: float, box_ind: int32, crop_size: int32 -> crops: float */
static inline TF_Output sl_crop_and_resize_with(struct sl_scope *scope, TF_Output image, TF_Output boxes, TF_Output box_ind, TF_Output crop_size, struct sl_crop_and_resize_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&image, -1}, {&boxes, -1}, {&box_ind, -1}, {&crop_size, -1}};
    const struct sl_attr_given attrs_[] = {{"method", SL_GIVEN_STRING, &attrs.method}, {"extrapolation_value", SL_GIVEN_FLOAT, &attrs.extrapolation_value}};
    return sl_op_first(sl_op(scope, "CropAndResize", inputs_, 4, attrs_, 2));
}
static inline TF_Output sl_crop_and_resize(struct sl_scope *scope, TF_Output image, TF_Output boxes, TF_Output box_ind, TF_Output crop_size) {
    const struct sl_crop_and_resize_attrs attrs = SL_DEFAULTS;
    return sl_crop_and_resize_with(scope, image, boxes, box_ind, crop_size, attrs);
}

struct sl_crop_and_resize_grad_boxes_attrs {
    const char *method; /* 'bilinear' */
};
/* CropAndResizeGradBoxes: grads: float, image: T, boxes: float, box_ind: int32 -> output: float */
static inline TF_Output sl_crop_and_resize_grad_boxes_with(struct sl_scope *scope, TF_Output grads, TF_Output image, TF_Output boxes, TF_Output box_ind, struct sl_crop_and_resize_grad_boxes_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&grads, -1}, {&image, -1}, {&boxes, -1}, {&box_ind, -1}};
    const struct sl_attr_given attrs_[] = {{"method", SL_GIVEN_STRING, &attrs.method}};
    return sl_op_first(sl_op(scope, "CropAndResizeGradBoxes", inputs_, 4, attrs_, 1));
}
static inline TF_Output sl_crop_and_resize_grad_boxes(struct sl_scope *scope, TF_Output grads, TF_Output image, TF_Output boxes, TF_Output box_ind) {
    const struct sl_crop_and_resize_grad_boxes_attrs attrs = SL_DEFAULTS;
    return sl_crop_and_resize_grad_boxes_with(scope, grads, image, boxes, box_ind, attrs);
}

struct sl_crop_and_resize_grad_image_attrs {
    TF_DataType T; /* must be given */
    const char *method; /* 'bilinear' */
};
/* CropAndResizeGradImage: grads: float, boxes: float, box_ind: int32, image_size: int32 -> output: T */
static inline TF_Output sl_crop_and_resize_grad_image(struct sl_scope *scope, TF_Output grads, TF_Output boxes, TF_Output box_ind, TF_Output image_size, struct sl_crop_and_resize_grad_image_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&grads, -1}, {&boxes, -1}, {&box_ind, -1}, {&image_size, -1}};
    const struct sl_attr_given attrs_[] = {{"T", SL_GIVEN_TYPE, &attrs.T}, {"method", SL_GIVEN_STRING, &attrs.method}};
    return sl_op_first(sl_op(scope, "CropAndResizeGradImage", inputs_, 4, attrs_, 2));
}

struct sl_decode_and_crop_jpeg_attrs {
    int64_t channels; /* 0 */
    int64_t ratio; /* 1 */
    enum sl_choice fancy_upscaling; /* true */
    bool try_recover_truncated; /* false */
    float acceptable_fraction; /* 1 */
    const char *dct_method; /* '' */
};
/* DecodeAndCropJpeg: contents: string, crop_window: int32 -> image: uint8 */
static inline TF_Output sl_decode_and_crop_jpeg_with(struct sl_scope *scope, TF_Output contents, TF_Output crop_window, struct sl_decode_and_crop_jpeg_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}, {&crop_window, -1}};
    const struct sl_attr_given attrs_[] = {{"channels", SL_GIVEN_INT, &attrs.channels}, {"ratio", SL_GIVEN_INT, &attrs.ratio}, {"fancy_upscaling", SL_GIVEN_CHOICE, &attrs.fancy_upscaling}, {"try_recover_truncated", SL_GIVEN_BOOL, &attrs.try_recover_truncated}, {"acceptable_fraction", SL_GIVEN_FLOAT, &attrs.acceptable_fraction}, {"dct_method", SL_GIVEN_STRING, &attrs.dct_method}};
    return sl_op_first(sl_op(scope, "DecodeAndCropJpeg", inputs_, 2, attrs_, 6));
}
static inline TF_Output sl_decode_and_crop_jpeg(struct sl_scope *scope, TF_Output contents, TF_Output crop_window) {
    const struct sl_decode_and_crop_jpeg_attrs attrs = SL_DEFAULTS;
    return sl_decode_and_crop_jpeg_with(scope, contents, crop_window, attrs);
}

struct sl_decode_bmp_attrs {
    int64_t channels; /* 0 */
};
/* DecodeBmp: contents: string -> image: uint8 */
static inline TF_Output sl_decode_bmp_with(struct sl_scope *scope, TF_Output contents, struct sl_decode_bmp_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"channels", SL_GIVEN_INT, &attrs.channels}};
    return sl_op_first(sl_op(scope, "DecodeBmp", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_decode_bmp(struct sl_scope *scope, TF_Output contents) {
    const struct sl_decode_bmp_attrs attrs = SL_DEFAULTS;
    return sl_decode_bmp_with(scope, contents, attrs);
}

/* DecodeGif: contents: string -> image: uint8 */
static inline TF_Output sl_decode_gif(struct sl_scope *scope, TF_Output contents) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    return sl_op_first(sl_op(scope, "DecodeGif", inputs_, 1, NULL, 0));
}

struct sl_decode_image_attrs {
    int64_t channels; /* 0 */
    TF_DataType dtype; /* DT_UINT8 */
    enum sl_choice expand_animations; /* true */
};
/* DecodeImage: contents: string -> image: dtype */
static inline TF_Output sl_decode_image_with(struct sl_scope *scope, TF_Output contents, struct sl_decode_image_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"channels", SL_GIVEN_INT, &attrs.channels}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}, {"expand_animations", SL_GIVEN_CHOICE, &attrs.expand_animations}};
    return sl_op_first(sl_op(scope, "DecodeImage", inputs_, 1, attrs_, 3));
}
static inline TF_Output sl_decode_image(struct sl_scope *scope, TF_Output contents) {
    const struct sl_decode_image_attrs attrs = SL_DEFAULTS;
    return sl_decode_image_with(scope, contents, attrs);
}

struct sl_decode_jpeg_attrs {
    int64_t channels; /* 0 */
    int64_t ratio; /* 1 */
    enum sl_choice fancy_upscaling; /* true */
    bool try_recover_truncated; /* false */
    float acceptable_fraction; /* 1 */
    const char *dct_method; /* '' */
};
/* DecodeJpeg: contents: string -> image: uint8 */
static inline TF_Output sl_decode_jpeg_with(struct sl_scope *scope, TF_Output contents, struct sl_decode_jpeg_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"channels", SL_GIVEN_INT, &attrs.channels}, {"ratio", SL_GIVEN_INT, &attrs.ratio}, {"fancy_upscaling", SL_GIVEN_CHOICE, &attrs.fancy_upscaling}, {"try_recover_truncated", SL_GIVEN_BOOL, &attrs.try_recover_truncated}, {"acceptable_fraction", SL_GIVEN_FLOAT, &attrs.acceptable_fraction}, {"dct_method", SL_GIVEN_STRING, &attrs.dct_method}};
    return sl_op_first(sl_op(scope, "DecodeJpeg", inputs_, 1, attrs_, 6));
}
static inline TF_Output sl_decode_jpeg(struct sl_scope *scope, TF_Output contents) {
    const struct sl_decode_jpeg_attrs attrs = SL_DEFAULTS;
    return sl_decode_jpeg_with(scope, contents, attrs);
}

struct sl_decode_jxl_attrs {
    int64_t channels; /* 0 */
    TF_DataType dtype; /* DT_UINT8 */
};
/* DecodeJxl: contents: string -> image: dtype */
static inline TF_Output sl_decode_jxl_with(struct sl_scope *scope, TF_Output contents, struct sl_decode_jxl_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"channels", SL_GIVEN_INT, &attrs.channels}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "DecodeJxl", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_decode_jxl(struct sl_scope *scope, TF_Output contents) {
    const struct sl_decode_jxl_attrs attrs = SL_DEFAULTS;
    return sl_decode_jxl_with(scope, contents, attrs);
}

struct sl_decode_png_attrs {
    int64_t channels; /* 0 */
    TF_DataType dtype; /* DT_UINT8 */
};
/* DecodePng: contents: string -> image: dtype */
static inline TF_Output sl_decode_png_with(struct sl_scope *scope, TF_Output contents, struct sl_decode_png_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"channels", SL_GIVEN_INT, &attrs.channels}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "DecodePng", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_decode_png(struct sl_scope *scope, TF_Output contents) {
    const struct sl_decode_png_attrs attrs = SL_DEFAULTS;
    return sl_decode_png_with(scope, contents, attrs);
}

struct sl_decode_web_p_attrs {
    int64_t channels; /* 0 */
    TF_DataType dtype; /* DT_UINT8 */
};
/* DecodeWebP: contents: string -> image: dtype */
static inline TF_Output sl_decode_web_p_with(struct sl_scope *scope, TF_Output contents, struct sl_decode_web_p_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"channels", SL_GIVEN_INT, &attrs.channels}, {"dtype", SL_GIVEN_TYPE, &attrs.dtype}};
    return sl_op_first(sl_op(scope, "DecodeWebP", inputs_, 1, attrs_, 2));
}
static inline TF_Output sl_decode_web_p(struct sl_scope *scope, TF_Output contents) {
    const struct sl_decode_web_p_attrs attrs = SL_DEFAULTS;
    return sl_decode_web_p_with(scope, contents, attrs);
}

/* DrawBoundingBoxes: images: T, boxes: float -> output: T */
static inline TF_Output sl_draw_bounding_boxes(struct sl_scope *scope, TF_Output images, TF_Output boxes) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&boxes, -1}};
    return sl_op_first(sl_op(scope, "DrawBoundingBoxes", inputs_, 2, NULL, 0));
}

/* DrawBoundingBoxesV2: images: T, boxes: float, colors: float -> output: T */
static inline TF_Output sl_draw_bounding_boxes_v2(struct sl_scope *scope, TF_Output images, TF_Output boxes, TF_Output colors) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&boxes, -1}, {&colors, -1}};
    return sl_op_first(sl_op(scope, "DrawBoundingBoxesV2", inputs_, 3, NULL, 0));
}

struct sl_encode_jpeg_attrs {
    const char *format; /* '' */
    int64_t quality; /* 95 */
    bool progressive; /* false */
    bool optimize_size; /* false */
    enum sl_choice chroma_downsampling; /* true */
    const char *density_unit; /* 'in' */
    int64_t x_density; /* 300 */
    int64_t y_density; /* 300 */
    const char *xmp_metadata; /* '' */
};
/* EncodeJpeg: image: uint8 -> contents: string */
static inline TF_Output sl_encode_jpeg_with(struct sl_scope *scope, TF_Output image, struct sl_encode_jpeg_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&image, -1}};
    const struct sl_attr_given attrs_[] = {{"format", SL_GIVEN_STRING, &attrs.format}, {"quality", SL_GIVEN_INT, &attrs.quality}, {"progressive", SL_GIVEN_BOOL, &attrs.progressive}, {"optimize_size", SL_GIVEN_BOOL, &attrs.optimize_size}, {"chroma_downsampling", SL_GIVEN_CHOICE, &attrs.chroma_downsampling}, {"density_unit", SL_GIVEN_STRING, &attrs.density_unit}, {"x_density", SL_GIVEN_INT, &attrs.x_density}, {"y_density", SL_GIVEN_INT, &attrs.y_density}, {"xmp_metadata", SL_GIVEN_STRING, &attrs.xmp_metadata}};
    return sl_op_first(sl_op(scope, "EncodeJpeg", inputs_, 1, attrs_, 9));
}
static inline TF_Output sl_encode_jpeg(struct sl_scope *scope, TF_Output image) {
    const struct sl_encode_jpeg_attrs attrs = SL_DEFAULTS;
    return sl_encode_jpeg_with(scope, image, attrs);
}

/* EncodeJpegVariableQuality: images: uint8, quality: int32 -> contents: string */
static inline TF_Output sl_encode_jpeg_variable_quality(struct sl_scope *scope, TF_Output images, TF_Output quality) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&quality, -1}};
    return sl_op_first(sl_op(scope, "EncodeJpegVariableQuality", inputs_, 2, NULL, 0));
}

struct sl_encode_png_attrs {
    int64_t compression; /* -1 */
};
/* EncodePng: image: T -> contents: string */
static inline TF_Output sl_encode_png_with(struct sl_scope *scope, TF_Output image, struct sl_encode_png_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&image, -1}};
    const struct sl_attr_given attrs_[] = {{"compression", SL_GIVEN_INT, &attrs.compression}};
    return sl_op_first(sl_op(scope, "EncodePng", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_encode_png(struct sl_scope *scope, TF_Output image) {
    const struct sl_encode_png_attrs attrs = SL_DEFAULTS;
    return sl_encode_png_with(scope, image, attrs);
}

struct sl_extract_glimpse_attrs {
    enum sl_choice centered; /* true */
    enum sl_choice normalized; /* true */
    enum sl_choice uniform_noise; /* true */
    const char *noise; /* 'uniform' */
};
/* ExtractGlimpse: input: float, size: int32, offsets: float -> glimpse: float */
static inline TF_Output sl_extract_glimpse_with(struct sl_scope *scope, TF_Output input, TF_Output size, TF_Output offsets, struct sl_extract_glimpse_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&size, -1}, {&offsets, -1}};
    const struct sl_attr_given attrs_[] = {{"centered", SL_GIVEN_CHOICE, &attrs.centered}, {"normalized", SL_GIVEN_CHOICE, &attrs.normalized}, {"uniform_noise", SL_GIVEN_CHOICE, &attrs.uniform_noise}, {"noise", SL_GIVEN_STRING, &attrs.noise}};
    return sl_op_first(sl_op(scope, "ExtractGlimpse", inputs_, 3, attrs_, 4));
}
static inline TF_Output sl_extract_glimpse(struct sl_scope *scope, TF_Output input, TF_Output size, TF_Output offsets) {
    const struct sl_extract_glimpse_attrs attrs = SL_DEFAULTS;
    return sl_extract_glimpse_with(scope, input, size, offsets, attrs);
}

struct sl_extract_glimpse_v2_attrs {
    enum sl_choice centered; /* true */
    enum sl_choice normalized; /* true */
    enum sl_choice uniform_noise; /* true */
    const char *noise; /* 'uniform' */
};
/* ExtractGlimpseV2: input: float, size: int32, offsets: float -> glimpse: float */
static inline TF_Output sl_extract_glimpse_v2_with(struct sl_scope *scope, TF_Output input, TF_Output size, TF_Output offsets, struct sl_extract_glimpse_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&input, -1}, {&size, -1}, {&offsets, -1}};
    const struct sl_attr_given attrs_[] = {{"centered", SL_GIVEN_CHOICE, &attrs.centered}, {"normalized", SL_GIVEN_CHOICE, &attrs.normalized}, {"uniform_noise", SL_GIVEN_CHOICE, &attrs.uniform_noise}, {"noise", SL_GIVEN_STRING, &attrs.noise}};
    return sl_op_first(sl_op(scope, "ExtractGlimpseV2", inputs_, 3, attrs_, 4));
}
static inline TF_Output sl_extract_glimpse_v2(struct sl_scope *scope, TF_Output input, TF_Output size, TF_Output offsets) {
    const struct sl_extract_glimpse_v2_attrs attrs = SL_DEFAULTS;
    return sl_extract_glimpse_v2_with(scope, input, size, offsets, attrs);
}

struct sl_extract_jpeg_shape_attrs {
    TF_DataType output_type; /* DT_INT32 */
};
/* ExtractJpegShape: contents: string -> image_shape: output_type */
static inline TF_Output sl_extract_jpeg_shape_with(struct sl_scope *scope, TF_Output contents, struct sl_extract_jpeg_shape_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&contents, -1}};
    const struct sl_attr_given attrs_[] = {{"output_type", SL_GIVEN_TYPE, &attrs.output_type}};
    return sl_op_first(sl_op(scope, "ExtractJpegShape", inputs_, 1, attrs_, 1));
}
static inline TF_Output sl_extract_jpeg_shape(struct sl_scope *scope, TF_Output contents) {
    const struct sl_extract_jpeg_shape_attrs attrs = SL_DEFAULTS;
    return sl_extract_jpeg_shape_with(scope, contents, attrs);
}

struct sl_generate_bounding_box_proposals_outputs {
    TF_Output rois, roi_probabilities;
};
struct sl_generate_bounding_box_proposals_attrs {
    int64_t post_nms_topn; /* 300 */
};
/* GenerateBoundingBoxProposals: scores: float, bbox_deltas: float, image_info: float, anchors: float, nms_threshold: float, pre_nms_topn: int32, min_size: float -> rois: float, roi_probabilities: float */
static inline struct sl_generate_bounding_box_proposals_outputs sl_generate_bounding_box_proposals_with(struct sl_scope *scope, TF_Output scores, TF_Output bbox_deltas, TF_Output image_info, TF_Output anchors, TF_Output nms_threshold, TF_Output pre_nms_topn, TF_Output min_size, struct sl_generate_bounding_box_proposals_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&scores, -1}, {&bbox_deltas, -1}, {&image_info, -1}, {&anchors, -1}, {&nms_threshold, -1}, {&pre_nms_topn, -1}, {&min_size, -1}};
    const struct sl_attr_given attrs_[] = {{"post_nms_topn", SL_GIVEN_INT, &attrs.post_nms_topn}};
    TF_Operation *const op_ = sl_op(scope, "GenerateBoundingBoxProposals", inputs_, 7, attrs_, 1);
    const struct sl_generate_bounding_box_proposals_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_generate_bounding_box_proposals_outputs sl_generate_bounding_box_proposals(struct sl_scope *scope, TF_Output scores, TF_Output bbox_deltas, TF_Output image_info, TF_Output anchors, TF_Output nms_threshold, TF_Output pre_nms_topn, TF_Output min_size) {
    const struct sl_generate_bounding_box_proposals_attrs attrs = SL_DEFAULTS;
    return sl_generate_bounding_box_proposals_with(scope, scores, bbox_deltas, image_info, anchors, nms_threshold, pre_nms_topn, min_size, attrs);
}

/* HSVToRGB: images: T -> output: T */
static inline TF_Output sl_hsv_to_rgb(struct sl_scope *scope, TF_Output images) {
    const struct sl_op_input inputs_[] = {{&images, -1}};
    return sl_op_first(sl_op(scope, "HSVToRGB", inputs_, 1, NULL, 0));
}

struct sl_image_projective_transform_v2_attrs {
    const char *interpolation; /* must be given */
    const char *fill_mode; /* 'CONSTANT' */
};
/* ImageProjectiveTransformV2: images: dtype, transforms: float, output_shape: int32 -> transformed_images: dtype */
static inline TF_Output sl_image_projective_transform_v2(struct sl_scope *scope, TF_Output images, TF_Output transforms, TF_Output output_shape, struct sl_image_projective_transform_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&transforms, -1}, {&output_shape, -1}};
    const struct sl_attr_given attrs_[] = {{"interpolation", SL_GIVEN_STRING, &attrs.interpolation}, {"fill_mode", SL_GIVEN_STRING, &attrs.fill_mode}};
    return sl_op_first(sl_op(scope, "ImageProjectiveTransformV2", inputs_, 3, attrs_, 2));
}

struct sl_image_projective_transform_v3_attrs {
    const char *interpolation; /* must be given */
    const char *fill_mode; /* 'CONSTANT' */
};
/* ImageProjectiveTransformV3: images: dtype, transforms: float, output_shape: int32, fill_value: float -> transformed_images: dtype */
static inline TF_Output sl_image_projective_transform_v3(struct sl_scope *scope, TF_Output images, TF_Output transforms, TF_Output output_shape, TF_Output fill_value, struct sl_image_projective_transform_v3_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&transforms, -1}, {&output_shape, -1}, {&fill_value, -1}};
    const struct sl_attr_given attrs_[] = {{"interpolation", SL_GIVEN_STRING, &attrs.interpolation}, {"fill_mode", SL_GIVEN_STRING, &attrs.fill_mode}};
    return sl_op_first(sl_op(scope, "ImageProjectiveTransformV3", inputs_, 4, attrs_, 2));
}

struct sl_non_max_suppression_attrs {
    float iou_threshold; /* 0.5 */
};
/* NonMaxSuppression: boxes: float, scores: float, max_output_size: int32 -> selected_indices: int32 */
static inline TF_Output sl_non_max_suppression_with(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size, struct sl_non_max_suppression_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&boxes, -1}, {&scores, -1}, {&max_output_size, -1}};
    const struct sl_attr_given attrs_[] = {{"iou_threshold", SL_GIVEN_FLOAT, &attrs.iou_threshold}};
    return sl_op_first(sl_op(scope, "NonMaxSuppression", inputs_, 3, attrs_, 1));
}
static inline TF_Output sl_non_max_suppression(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size) {
    const struct sl_non_max_suppression_attrs attrs = SL_DEFAULTS;
    return sl_non_max_suppression_with(scope, boxes, scores, max_output_size, attrs);
}

/* NonMaxSuppressionV2: boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold -> selected_indices: int32 */
static inline TF_Output sl_non_max_suppression_v2(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold) {
    const struct sl_op_input inputs_[] = {{&boxes, -1}, {&scores, -1}, {&max_output_size, -1}, {&iou_threshold, -1}};
    return sl_op_first(sl_op(scope, "NonMaxSuppressionV2", inputs_, 4, NULL, 0));
}

/* NonMaxSuppressionV3: boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, score_threshold: T_threshold -> selected_indices: int32 */
static inline TF_Output sl_non_max_suppression_v3(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold, TF_Output score_threshold) {
    const struct sl_op_input inputs_[] = {{&boxes, -1}, {&scores, -1}, {&max_output_size, -1}, {&iou_threshold, -1}, {&score_threshold, -1}};
    return sl_op_first(sl_op(scope, "NonMaxSuppressionV3", inputs_, 5, NULL, 0));
}

struct sl_non_max_suppression_v4_outputs {
    TF_Output selected_indices, valid_outputs;
};
struct sl_non_max_suppression_v4_attrs {
    bool pad_to_max_output_size; /* false */
};
/* NonMaxSuppressionV4: boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, score_threshold: T_threshold -> selected_indices: int32, valid_outputs: int32 */
static inline struct sl_non_max_suppression_v4_outputs sl_non_max_suppression_v4_with(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold, TF_Output score_threshold, struct sl_non_max_suppression_v4_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&boxes, -1}, {&scores, -1}, {&max_output_size, -1}, {&iou_threshold, -1}, {&score_threshold, -1}};
    const struct sl_attr_given attrs_[] = {{"pad_to_max_output_size", SL_GIVEN_BOOL, &attrs.pad_to_max_output_size}};
    TF_Operation *const op_ = sl_op(scope, "NonMaxSuppressionV4", inputs_, 5, attrs_, 1);
    const struct sl_non_max_suppression_v4_outputs outputs_ = {{op_, 0}, {op_, 1}};
    return outputs_;
}
static inline struct sl_non_max_suppression_v4_outputs sl_non_max_suppression_v4(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold, TF_Output score_threshold) {
    const struct sl_non_max_suppression_v4_attrs attrs = SL_DEFAULTS;
    return sl_non_max_suppression_v4_with(scope, boxes, scores, max_output_size, iou_threshold, score_threshold, attrs);
}

struct sl_non_max_suppression_v5_outputs {
    TF_Output selected_indices, selected_scores, valid_outputs;
};
struct sl_non_max_suppression_v5_attrs {
    bool pad_to_max_output_size; /* false */
};
/* NonMaxSuppressionV5: boxes: T, scores: T, max_output_size: int32, iou_threshold: T, score_threshold: T, soft_nms_sigma: T -> selected_indices: int32, selected_scores: T, valid_outputs: int32 */
static inline struct sl_non_max_suppression_v5_outputs sl_non_max_suppression_v5_with(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold, TF_Output score_threshold, TF_Output soft_nms_sigma, struct sl_non_max_suppression_v5_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&boxes, -1}, {&scores, -1}, {&max_output_size, -1}, {&iou_threshold, -1}, {&score_threshold, -1}, {&soft_nms_sigma, -1}};
    const struct sl_attr_given attrs_[] = {{"pad_to_max_output_size", SL_GIVEN_BOOL, &attrs.pad_to_max_output_size}};
    TF_Operation *const op_ = sl_op(scope, "NonMaxSuppressionV5", inputs_, 6, attrs_, 1);
    const struct sl_non_max_suppression_v5_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_non_max_suppression_v5_outputs sl_non_max_suppression_v5(struct sl_scope *scope, TF_Output boxes, TF_Output scores, TF_Output max_output_size, TF_Output iou_threshold, TF_Output score_threshold, TF_Output soft_nms_sigma) {
    const struct sl_non_max_suppression_v5_attrs attrs = SL_DEFAULTS;
    return sl_non_max_suppression_v5_with(scope, boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, attrs);
}

/* NonMaxSuppressionWithOverlaps: overlaps: float, scores: float, max_output_size: int32, overlap_threshold: float, score_threshold: float -> selected_indices: int32 */
static inline TF_Output sl_non_max_suppression_with_overlaps(struct sl_scope *scope, TF_Output overlaps, TF_Output scores, TF_Output max_output_size, TF_Output overlap_threshold, TF_Output score_threshold) {
    const struct sl_op_input inputs_[] = {{&overlaps, -1}, {&scores, -1}, {&max_output_size, -1}, {&overlap_threshold, -1}, {&score_threshold, -1}};
    return sl_op_first(sl_op(scope, "NonMaxSuppressionWithOverlaps", inputs_, 5, NULL, 0));
}

/* RGBToHSV: images: T -> output: T */
static inline TF_Output sl_rgb_to_hsv(struct sl_scope *scope, TF_Output images) {
    const struct sl_op_input inputs_[] = {{&images, -1}};
    return sl_op_first(sl_op(scope, "RGBToHSV", inputs_, 1, NULL, 0));
}

struct sl_random_crop_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
};
/* RandomCrop: image: T, size: int64 -> output: T */
static inline TF_Output sl_random_crop_with(struct sl_scope *scope, TF_Output image, TF_Output size, struct sl_random_crop_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&image, -1}, {&size, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}};
    return sl_op_first(sl_op(scope, "RandomCrop", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_random_crop(struct sl_scope *scope, TF_Output image, TF_Output size) {
    const struct sl_random_crop_attrs attrs = SL_DEFAULTS;
    return sl_random_crop_with(scope, image, size, attrs);
}

struct sl_resize_area_attrs {
    bool align_corners; /* false */
};
/* ResizeArea: images: T, size: int32 -> resized_images: float */
static inline TF_Output sl_resize_area_with(struct sl_scope *scope, TF_Output images, TF_Output size, struct sl_resize_area_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&size, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}};
    return sl_op_first(sl_op(scope, "ResizeArea", inputs_, 2, attrs_, 1));
}
static inline TF_Output sl_resize_area(struct sl_scope *scope, TF_Output images, TF_Output size) {
    const struct sl_resize_area_attrs attrs = SL_DEFAULTS;
    return sl_resize_area_with(scope, images, size, attrs);
}

struct sl_resize_bicubic_attrs {
    bool align_corners; /* false */
    bool half_pixel_centers; /* false */
};
/* ResizeBicubic: images: T, size: int32 -> resized_images: float */
static inline TF_Output sl_resize_bicubic_with(struct sl_scope *scope, TF_Output images, TF_Output size, struct sl_resize_bicubic_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&size, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}, {"half_pixel_centers", SL_GIVEN_BOOL, &attrs.half_pixel_centers}};
    return sl_op_first(sl_op(scope, "ResizeBicubic", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_resize_bicubic(struct sl_scope *scope, TF_Output images, TF_Output size) {
    const struct sl_resize_bicubic_attrs attrs = SL_DEFAULTS;
    return sl_resize_bicubic_with(scope, images, size, attrs);
}

struct sl_resize_bicubic_grad_attrs {
    bool align_corners; /* false */
    bool half_pixel_centers; /* false */
};
/* ResizeBicubicGrad: grads: float, original_image: T -> output: T */
static inline TF_Output sl_resize_bicubic_grad_with(struct sl_scope *scope, TF_Output grads, TF_Output original_image, struct sl_resize_bicubic_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&grads, -1}, {&original_image, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}, {"half_pixel_centers", SL_GIVEN_BOOL, &attrs.half_pixel_centers}};
    return sl_op_first(sl_op(scope, "ResizeBicubicGrad", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_resize_bicubic_grad(struct sl_scope *scope, TF_Output grads, TF_Output original_image) {
    const struct sl_resize_bicubic_grad_attrs attrs = SL_DEFAULTS;
    return sl_resize_bicubic_grad_with(scope, grads, original_image, attrs);
}

struct sl_resize_bilinear_attrs {
    bool align_corners; /* false */
    bool half_pixel_centers; /* false */
};
/* ResizeBilinear: images: T, size: int32 -> resized_images: float */
static inline TF_Output sl_resize_bilinear_with(struct sl_scope *scope, TF_Output images, TF_Output size, struct sl_resize_bilinear_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&size, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}, {"half_pixel_centers", SL_GIVEN_BOOL, &attrs.half_pixel_centers}};
    return sl_op_first(sl_op(scope, "ResizeBilinear", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_resize_bilinear(struct sl_scope *scope, TF_Output images, TF_Output size) {
    const struct sl_resize_bilinear_attrs attrs = SL_DEFAULTS;
    return sl_resize_bilinear_with(scope, images, size, attrs);
}

struct sl_resize_bilinear_grad_attrs {
    bool align_corners; /* false */
    bool half_pixel_centers; /* false */
};
/* ResizeBilinearGrad: grads: float, original_image: T -> output: T */
static inline TF_Output sl_resize_bilinear_grad_with(struct sl_scope *scope, TF_Output grads, TF_Output original_image, struct sl_resize_bilinear_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&grads, -1}, {&original_image, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}, {"half_pixel_centers", SL_GIVEN_BOOL, &attrs.half_pixel_centers}};
    return sl_op_first(sl_op(scope, "ResizeBilinearGrad", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_resize_bilinear_grad(struct sl_scope *scope, TF_Output grads, TF_Output original_image) {
    const struct sl_resize_bilinear_grad_attrs attrs = SL_DEFAULTS;
    return sl_resize_bilinear_grad_with(scope, grads, original_image, attrs);
}

struct sl_resize_nearest_neighbor_attrs {
    bool align_corners; /* false */
    bool half_pixel_centers; /* false */
};
/* ResizeNearestNeighbor: images: T, size: int32 -> resized_images: T */
static inline TF_Output sl_resize_nearest_neighbor_with(struct sl_scope *scope, TF_Output images, TF_Output size, struct sl_resize_nearest_neighbor_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&size, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}, {"half_pixel_centers", SL_GIVEN_BOOL, &attrs.half_pixel_centers}};
    return sl_op_first(sl_op(scope, "ResizeNearestNeighbor", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_resize_nearest_neighbor(struct sl_scope *scope, TF_Output images, TF_Output size) {
    const struct sl_resize_nearest_neighbor_attrs attrs = SL_DEFAULTS;
    return sl_resize_nearest_neighbor_with(scope, images, size, attrs);
}

struct sl_resize_nearest_neighbor_grad_attrs {
    bool align_corners; /* false */
    bool half_pixel_centers; /* false */
};
/* ResizeNearestNeighborGrad: grads: T, size: int32 -> output: T */
static inline TF_Output sl_resize_nearest_neighbor_grad_with(struct sl_scope *scope, TF_Output grads, TF_Output size, struct sl_resize_nearest_neighbor_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&grads, -1}, {&size, -1}};
    const struct sl_attr_given attrs_[] = {{"align_corners", SL_GIVEN_BOOL, &attrs.align_corners}, {"half_pixel_centers", SL_GIVEN_BOOL, &attrs.half_pixel_centers}};
    return sl_op_first(sl_op(scope, "ResizeNearestNeighborGrad", inputs_, 2, attrs_, 2));
}
static inline TF_Output sl_resize_nearest_neighbor_grad(struct sl_scope *scope, TF_Output grads, TF_Output size) {
    const struct sl_resize_nearest_neighbor_grad_attrs attrs = SL_DEFAULTS;
    return sl_resize_nearest_neighbor_grad_with(scope, grads, size, attrs);
}

struct sl_sample_distorted_bounding_box_outputs {
    TF_Output begin, size, bboxes;
};
struct sl_sample_distorted_bounding_box_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    float min_object_covered; /* 0.1 */
    struct sl_floats aspect_ratio_range; /* [0.75, 1.33] */
    struct sl_floats area_range; /* [0.05, 1] */
    int64_t max_attempts; /* 100 */
    bool use_image_if_no_bounding_boxes; /* false */
};
/* SampleDistortedBoundingBox: image_size: T, bounding_boxes: float -> begin: T, size: T, bboxes: float */
static inline struct sl_sample_distorted_bounding_box_outputs sl_sample_distorted_bounding_box_with(struct sl_scope *scope, TF_Output image_size, TF_Output bounding_boxes, struct sl_sample_distorted_bounding_box_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&image_size, -1}, {&bounding_boxes, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"min_object_covered", SL_GIVEN_FLOAT, &attrs.min_object_covered}, {"aspect_ratio_range", SL_GIVEN_FLOATS, &attrs.aspect_ratio_range}, {"area_range", SL_GIVEN_FLOATS, &attrs.area_range}, {"max_attempts", SL_GIVEN_INT, &attrs.max_attempts}, {"use_image_if_no_bounding_boxes", SL_GIVEN_BOOL, &attrs.use_image_if_no_bounding_boxes}};
    TF_Operation *const op_ = sl_op(scope, "SampleDistortedBoundingBox", inputs_, 2, attrs_, 7);
    const struct sl_sample_distorted_bounding_box_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_sample_distorted_bounding_box_outputs sl_sample_distorted_bounding_box(struct sl_scope *scope, TF_Output image_size, TF_Output bounding_boxes) {
    const struct sl_sample_distorted_bounding_box_attrs attrs = SL_DEFAULTS;
    return sl_sample_distorted_bounding_box_with(scope, image_size, bounding_boxes, attrs);
}

struct sl_sample_distorted_bounding_box_v2_outputs {
    TF_Output begin, size, bboxes;
};
struct sl_sample_distorted_bounding_box_v2_attrs {
    int64_t seed; /* 0 */
    int64_t seed2; /* 0 */
    struct sl_floats aspect_ratio_range; /* [0.75, 1.33] */
    struct sl_floats area_range; /* [0.05, 1] */
    int64_t max_attempts; /* 100 */
    bool use_image_if_no_bounding_boxes; /* false */
};
/* SampleDistortedBoundingBoxV2: image_size: T, bounding_boxes: float, min_object_covered: float -> begin: T, size: T, bboxes: float */
static inline struct sl_sample_distorted_bounding_box_v2_outputs sl_sample_distorted_bounding_box_v2_with(struct sl_scope *scope, TF_Output image_size, TF_Output bounding_boxes, TF_Output min_object_covered, struct sl_sample_distorted_bounding_box_v2_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&image_size, -1}, {&bounding_boxes, -1}, {&min_object_covered, -1}};
    const struct sl_attr_given attrs_[] = {{"seed", SL_GIVEN_INT, &attrs.seed}, {"seed2", SL_GIVEN_INT, &attrs.seed2}, {"aspect_ratio_range", SL_GIVEN_FLOATS, &attrs.aspect_ratio_range}, {"area_range", SL_GIVEN_FLOATS, &attrs.area_range}, {"max_attempts", SL_GIVEN_INT, &attrs.max_attempts}, {"use_image_if_no_bounding_boxes", SL_GIVEN_BOOL, &attrs.use_image_if_no_bounding_boxes}};
    TF_Operation *const op_ = sl_op(scope, "SampleDistortedBoundingBoxV2", inputs_, 3, attrs_, 6);
    const struct sl_sample_distorted_bounding_box_v2_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_sample_distorted_bounding_box_v2_outputs sl_sample_distorted_bounding_box_v2(struct sl_scope *scope, TF_Output image_size, TF_Output bounding_boxes, TF_Output min_object_covered) {
    const struct sl_sample_distorted_bounding_box_v2_attrs attrs = SL_DEFAULTS;
    return sl_sample_distorted_bounding_box_v2_with(scope, image_size, bounding_boxes, min_object_covered, attrs);
}

struct sl_scale_and_translate_attrs {
    const char *kernel_type; /* 'lanczos3' */
    enum sl_choice antialias; /* true */
};
/* ScaleAndTranslate: images: T, size: int32, scale: float, translation: float -> resized_images: float */
static inline TF_Output sl_scale_and_translate_with(struct sl_scope *scope, TF_Output images, TF_Output size, TF_Output scale, TF_Output translation, struct sl_scale_and_translate_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&images, -1}, {&size, -1}, {&scale, -1}, {&translation, -1}};
    const struct sl_attr_given attrs_[] = {{"kernel_type", SL_GIVEN_STRING, &attrs.kernel_type}, {"antialias", SL_GIVEN_CHOICE, &attrs.antialias}};
    return sl_op_first(sl_op(scope, "ScaleAndTranslate", inputs_, 4, attrs_, 2));
}
static inline TF_Output sl_scale_and_translate(struct sl_scope *scope, TF_Output images, TF_Output size, TF_Output scale, TF_Output translation) {
    const struct sl_scale_and_translate_attrs attrs = SL_DEFAULTS;
    return sl_scale_and_translate_with(scope, images, size, scale, translation, attrs);
}

struct sl_scale_and_translate_grad_attrs {
    const char *kernel_type; /* 'lanczos3' */
    enum sl_choice antialias; /* true */
};
/* ScaleAndTranslateGrad: grads: T, original_image: T, scale: float, translation: float -> output: T */
static inline TF_Output sl_scale_and_translate_grad_with(struct sl_scope *scope, TF_Output grads, TF_Output original_image, TF_Output scale, TF_Output translation, struct sl_scale_and_translate_grad_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&grads, -1}, {&original_image, -1}, {&scale, -1}, {&translation, -1}};
    const struct sl_attr_given attrs_[] = {{"kernel_type", SL_GIVEN_STRING, &attrs.kernel_type}, {"antialias", SL_GIVEN_CHOICE, &attrs.antialias}};
    return sl_op_first(sl_op(scope, "ScaleAndTranslateGrad", inputs_, 4, attrs_, 2));
}
static inline TF_Output sl_scale_and_translate_grad(struct sl_scope *scope, TF_Output grads, TF_Output original_image, TF_Output scale, TF_Output translation) {
    const struct sl_scale_and_translate_grad_attrs attrs = SL_DEFAULTS;
    return sl_scale_and_translate_grad_with(scope, grads, original_image, scale, translation, attrs);
}

struct sl_stateless_sample_distorted_bounding_box_outputs {
    TF_Output begin, size, bboxes;
};
struct sl_stateless_sample_distorted_bounding_box_attrs {
    struct sl_floats aspect_ratio_range; /* [0.75, 1.33] */
    struct sl_floats area_range; /* [0.05, 1] */
    int64_t max_attempts; /* 100 */
    bool use_image_if_no_bounding_boxes; /* false */
};
/* StatelessSampleDistortedBoundingBox: image_size: T, bounding_boxes: float, min_object_covered: float, seed: Tseed -> begin: T, size: T, bboxes: float */
static inline struct sl_stateless_sample_distorted_bounding_box_outputs sl_stateless_sample_distorted_bounding_box_with(struct sl_scope *scope, TF_Output image_size, TF_Output bounding_boxes, TF_Output min_object_covered, TF_Output seed, struct sl_stateless_sample_distorted_bounding_box_attrs attrs) {
    const struct sl_op_input inputs_[] = {{&image_size, -1}, {&bounding_boxes, -1}, {&min_object_covered, -1}, {&seed, -1}};
    const struct sl_attr_given attrs_[] = {{"aspect_ratio_range", SL_GIVEN_FLOATS, &attrs.aspect_ratio_range}, {"area_range", SL_GIVEN_FLOATS, &attrs.area_range}, {"max_attempts", SL_GIVEN_INT, &attrs.max_attempts}, {"use_image_if_no_bounding_boxes", SL_GIVEN_BOOL, &attrs.use_image_if_no_bounding_boxes}};
    TF_Operation *const op_ = sl_op(scope, "StatelessSampleDistortedBoundingBox", inputs_, 4, attrs_, 4);
    const struct sl_stateless_sample_distorted_bounding_box_outputs outputs_ = {{op_, 0}, {op_, 1}, {op_, 2}};
    return outputs_;
}
static inline struct sl_stateless_sample_distorted_bounding_box_outputs sl_stateless_sample_distorted_bounding_box(struct sl_scope *scope, TF_Output image_size, TF_Output bounding_boxes, TF_Output min_object_covered, TF_Output seed) {
    const struct sl_stateless_sample_distorted_bounding_box_attrs attrs = SL_DEFAULTS;
    return sl_stateless_sample_distorted_bounding_box_with(scope, image_size, bounding_boxes, min_object_covered, seed, attrs);
}

#ifdef __cplusplus
}
#endif

#endif
