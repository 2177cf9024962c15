/* Shape functions of image coding, resizing, colour and boxes. Images are [height, width, channels], batches of them
 * [batch, height, width, channels], boxes have 4 corners. */
#include <inttypes.h>

#include "base/checked.h"
#include "ops/shape_functions.h"

/* ---- colour */
sl_code sl_shape_adjust_image(struct sl_shape_ctx *c) {
    struct sl_shape s;
    SL_TRY(sl_infer_with_rank_at_least(&s, c, sl_infer_in(c, 0), 3));
    return sl_infer_set(c, 0, s);
}

sl_code sl_shape_adjust_contrast(struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_check_scalars(c, 1, 1));
    return sl_shape_adjust_image(c);
}

SL_SHAPE_RULE(colours, "[s...,3] -> [s...,3]")

/* ---- coding */
static sl_code read_channels(int64_t *out, struct sl_shape_ctx *c) {
    SL_TRY(sl_infer_int(out, c, "channels"));
    if (*out < 0) return sl_infer_fail(c, "channels must be non-negative, got %" PRId64, *out);
    if (*out == 0) *out = -1; /* as in the file */
    return SL_OK;
}

sl_code sl_shape_decode_image(struct sl_shape_ctx *c) {
    int64_t channels;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(read_channels(&channels, c));
    return sl_infer_set_dims(c, 0, 3, (int64_t[]){-1, -1, channels});
}

/* Always with frames. */
sl_code sl_shape_decode_webp(struct sl_shape_ctx *c) {
    int64_t channels;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(read_channels(&channels, c));
    return sl_infer_set_dims(c, 0, 4, (int64_t[]){-1, -1, -1, channels});
}

/* An animation has frames in front. */
sl_code sl_shape_decode_image_any(struct sl_shape_ctx *c) {
    bool may_be_animation;
    int64_t channels;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(read_channels(&channels, c));
    SL_TRY(sl_infer_bool(&may_be_animation, c, "expand_animations"));
    return may_be_animation ? SL_OK : sl_infer_set_dims(c, 0, 3, (int64_t[]){-1, -1, channels});
}

sl_code sl_shape_decode_crop(struct sl_shape_ctx *c) {
    struct sl_shape window;
    int64_t channels, n, height = -1, width = -1;
    const int64_t *values;
    SL_TRY(sl_infer_check_scalars(c, 0, 1));
    SL_TRY(read_channels(&channels, c));
    SL_TRY(sl_infer_with_rank(&window, c, sl_infer_in(c, 1), 1));
    SL_TRY(sl_infer_with_value(&n, c, window.dims[0], 4));
    if (sl_infer_constant_ints(&values, &n, c, 1) && n == 4) {
        height = values[2] < 0 ? -1 : values[2];
        width = values[3] < 0 ? -1 : values[3];
    }
    return sl_infer_set_dims(c, 0, 3, (int64_t[]){height, width, channels});
}

SL_SHAPE_RULE(decode_gif, "[] -> [?,?,?,3]")
SL_SHAPE_RULE(encode_jpeg, "[h,w,c] -> []")
SL_SHAPE_RULE(encode_jpeg_quality, "[h,w,c] * -> []")
SL_SHAPE_RULE(encode_png, "[s...,h,w,c] -> [s...]")
SL_SHAPE_RULE(jpeg_shape, "[] -> [3]")

/* ---- resizing: batches of images, the new size in input `size_at` */
static sl_code sized_image(struct sl_shape_ctx *c, int64_t batch, int size_at, int64_t channels) {
    int64_t size[2];
    SL_TRY(sl_infer_size_input(size, c, size_at));
    return sl_infer_set_dims(c, 0, 4, (int64_t[]){batch, size[0], size[1], channels});
}

static sl_code resize(struct sl_shape_ctx *c, int size_at) {
    struct sl_shape in;
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 4));
    return sized_image(c, in.dims[0], size_at, in.dims[3]);
}

sl_code sl_shape_resize(struct sl_shape_ctx *c) { return resize(c, 1); }

sl_code sl_shape_quantized_resize(struct sl_shape_ctx *c) {
    SL_TRY(resize(c, 1));
    SL_TRY(sl_infer_check_scalars(c, 2, 2));
    SL_TRY(sl_infer_set(c, 1, SL_SHAPE_SCALAR));
    return sl_infer_set(c, 2, SL_SHAPE_SCALAR);
}

sl_code sl_shape_projective_transform(struct sl_shape_ctx *c) { return resize(c, 2); }

/* A gradient is like the image that was resized. */
sl_code sl_shape_as_input_1(struct sl_shape_ctx *c) { return sl_infer_set(c, 0, sl_infer_in(c, 1)); }
sl_code sl_shape_as_input_2(struct sl_shape_ctx *c) { return sl_infer_set(c, 0, sl_infer_in(c, 2)); }

sl_code sl_shape_crop_and_resize(struct sl_shape_ctx *c) {
    struct sl_shape in, boxes, index;
    int64_t n, four;
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 4));
    SL_TRY(sl_infer_with_rank(&boxes, c, sl_infer_in(c, 1), 2));
    SL_TRY(sl_infer_with_rank(&index, c, sl_infer_in(c, 2), 1));
    SL_TRY(sl_infer_merge_dim(&n, c, boxes.dims[0], index.dims[0]));
    SL_TRY(sl_infer_with_value(&four, c, boxes.dims[1], 4));
    return sized_image(c, n, 3, in.dims[3]);
}

sl_code sl_shape_crop_and_resize_grad(struct sl_shape_ctx *c) {
    struct sl_shape out;
    SL_TRY(sl_infer_shape_of_vector(&out, c, 3));
    SL_TRY(sl_infer_with_rank(&out, c, out, 4));
    return sl_infer_set(c, 0, out);
}

sl_code sl_shape_glimpse(struct sl_shape_ctx *c) {
    struct sl_shape in, offsets;
    int64_t batch, two;
    SL_TRY(sl_infer_with_rank(&in, c, sl_infer_in(c, 0), 4));
    SL_TRY(sl_infer_with_rank(&offsets, c, sl_infer_in(c, 2), 2));
    SL_TRY(sl_infer_merge_dim(&batch, c, in.dims[0], offsets.dims[0]));
    SL_TRY(sl_infer_with_value(&two, c, offsets.dims[1], 2));
    struct sl_str noise;
    bool is_uniform;
    SL_TRY(sl_infer_string(&noise, c, "noise"));
    SL_TRY(sl_infer_bool(&is_uniform, c, "uniform_noise"));
    if (is_uniform && noise.n && !sl_str_is(noise, "uniform"))
        return sl_infer_fail(c, "The uniform_noise should not be True when noise is not uniform");
    return sized_image(c, batch, 1, in.dims[3]);
}

sl_code sl_shape_random_crop(struct sl_shape_ctx *c) {
    struct sl_shape image;
    int64_t size[2];
    SL_TRY(sl_infer_with_rank(&image, c, sl_infer_in(c, 0), 3));
    SL_TRY(sl_infer_size_input(size, c, 1));
    return sl_infer_set_dims(c, 0, 3, (int64_t[]){size[0], size[1], image.dims[2]});
}

/* ---- boxes */
sl_code sl_shape_draw_boxes(struct sl_shape_ctx *c) {
    struct sl_shape images = sl_infer_in(c, 0);
    if (images.rank == 4 && images.dims[3] >= 0 && images.dims[3] != 1 && images.dims[3] != 3 && images.dims[3] != 4)
        return sl_infer_fail(c, "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)");
    return sl_infer_pattern(c, "[b,h,w,c] [m,n,4] -> $0");
}

SL_SHAPE_RULE(sample_box, "[3] [b,n,4] -> [3] [3] [1,1,4]")
SL_SHAPE_RULE(sample_box_v2, "[3] [b,n,4] [] -> [3] [3] [1,1,4]")
SL_SHAPE_RULE(sample_box_stateless, "[3] [b,n,4] [] [2] -> [3] [3] [1,1,4]")
SL_SHAPE_RULE(suppression, "[n,4] [n] [] -> [?]")
SL_SHAPE_RULE(suppression_v2, "[n,4] [n] [] [] -> [?]")
SL_SHAPE_RULE(suppression_v3, "[n,4] [n] [] [] [] -> [?]")

/* Overlaps are a square, with a score for each row. */
sl_code sl_shape_suppression_with_overlaps(struct sl_shape_ctx *c) {
    int64_t n;
    SL_TRY(sl_infer_pattern(c, "[n,m] [n] [] [] [] -> [?]"));
    struct sl_shape overlaps = sl_infer_in(c, 0);
    return overlaps.rank < 0 ? SL_OK : sl_infer_merge_dim(&n, c, overlaps.dims[0], overlaps.dims[1]);
}

/* Padded to what input 2 says when attr pad_to_max_output_size is set. */
sl_code sl_shape_suppression_v4(struct sl_shape_ctx *c) {
    bool is_padded;
    SL_TRY(sl_infer_bool(&is_padded, c, "pad_to_max_output_size"));
    return sl_infer_pattern(c, is_padded ? "[n,4] [n] [] [] [] -> [#2] []" : "[n,4] [n] [] [] [] -> [?] []");
}

sl_code sl_shape_suppression_v5(struct sl_shape_ctx *c) {
    bool is_padded;
    SL_TRY(sl_infer_bool(&is_padded, c, "pad_to_max_output_size"));
    return sl_infer_pattern(c, is_padded ? "[n,4] [n] [] [] [] [] -> [#2] [#2] []"
                                         : "[n,4] [n] [] [] [] [] -> [?] [?] []");
}

sl_code sl_shape_combined_suppression(struct sl_shape_ctx *c) {
    struct sl_shape boxes, scores;
    int64_t batch, n, total = -1, per_class = -1, limit;
    bool is_padded;
    SL_TRY(sl_infer_with_rank(&boxes, c, sl_infer_in(c, 0), 4));
    SL_TRY(sl_infer_with_rank(&scores, c, sl_infer_in(c, 1), 3));
    SL_TRY(sl_infer_check_scalars(c, 2, 4));
    SL_TRY(sl_infer_merge_dim(&batch, c, boxes.dims[0], scores.dims[0]));
    SL_TRY(sl_infer_merge_dim(&n, c, boxes.dims[1], scores.dims[1]));
    SL_TRY(sl_infer_with_value(&n, c, boxes.dims[3], 4));
    int64_t classes = scores.dims[2], box_classes = boxes.dims[2];
    if (classes >= 0 && box_classes >= 0 && box_classes != 1 && box_classes != classes)
        return sl_infer_fail(c, "third dimension of boxes must be either 1 or equal to the third dimension of scores");
    SL_TRY(sl_infer_bool(&is_padded, c, "pad_per_class"));
    if (sl_infer_constant_int(&total, c, 3) && total <= 0) return sl_infer_fail(c, "max_total_size should be > 0 ");
    if (sl_infer_constant_int(&per_class, c, 2) && is_padded && per_class <= 0)
        return sl_infer_fail(c, "max_output_size_per_class should be > 0 ");
    if (is_padded) {
        if (per_class < 0 || classes < 0) total = -1;
        else if (total >= 0 && sl_mul_i64(&limit, per_class, classes) && limit < total) total = limit;
    }
    SL_TRY(sl_infer_set_dims(c, 0, 3, (int64_t[]){batch, total, 4}));
    SL_TRY(sl_infer_set_dims(c, 1, 2, (int64_t[]){batch, total}));
    SL_TRY(sl_infer_set_dims(c, 2, 2, (int64_t[]){batch, total}));
    return sl_infer_set_dims(c, 3, 1, &batch);
}
