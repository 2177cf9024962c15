/* Boxes of images: DrawBoundingBoxes, and SampleDistortedBoundingBox, which picks a part of an image at random.
 * Boxes are (y1, x1, y2, x2) in parts of height and width. */
#include <math.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/random/random_source.h"
#include "base/alloc.h"
#include "tensor/float16.h"

/* ---- DrawBoundingBoxes */
struct canvas {
    struct sl_view images;
    const float *boxes; /* [batch, n, 4] */
    int64_t n;
    const float *colours; /* rows of `colour_size`, taken in turn */
    int64_t colours_n, colour_size;
    bool is_white; /* of one channel: all 1 */
};

static void paint(const struct canvas *c, int64_t image, const float *colour, int64_t y, int64_t x) {
    const int64_t *dims = c->images.dims, depth = dims[3];
    int64_t at = ((image * dims[1] + y) * dims[2] + x) * depth;
    for (int64_t i = 0; i < depth; i++) {
        float value = c->is_white ? 1 : i < c->colour_size ? colour[i] : 0;
        if (c->images.dtype == SL_HALF) ((sl_half *)c->images.data)[at + i] = sl_half_of_float(value);
        else ((float *)c->images.data)[at + i] = value;
    }
}

/* Whole pixels toward 0; what is no number or far outside becomes a place outside. */
static int64_t pixel_of(float part, int64_t length) {
    float place = part * (float)(length - 1);
    return place > -0x1p40f && place < 0x1p40f ? (int64_t)place : -(INT64_C(1) << 40);
}
static void draw(const struct canvas *c, int64_t image, int64_t box) {
    const float *b = c->boxes + 4 * (image * c->n + box);
    const float *colour = c->colours + box % c->colours_n * c->colour_size;
    const int64_t height = c->images.dims[1], width = c->images.dims[2];
    const int64_t top = pixel_of(b[0], height), left = pixel_of(b[1], width);
    const int64_t bottom = pixel_of(b[2], height), right = pixel_of(b[3], width);
    if (top > bottom || left > right || top >= height || bottom < 0 || left >= width || right < 0) return;
    const int64_t first_y = top > 0 ? top : 0, last_y = bottom < height ? bottom : height - 1;
    const int64_t first_x = left > 0 ? left : 0, last_x = right < width ? right : width - 1;
    for (int64_t x = first_x; x <= last_x; x++) {
        if (top >= 0) paint(c, image, colour, top, x);
        if (bottom < height) paint(c, image, colour, bottom, x);
    }
    for (int64_t y = first_y; y <= last_y; y++) {
        if (left >= 0) paint(c, image, colour, y, left);
        if (right < width) paint(c, image, colour, y, right);
    }
}
static void draw_images(void *arg, int64_t begin, int64_t end) {
    const struct canvas *c = arg;
    for (int64_t image = begin; image < end; image++)
        for (int64_t box = 0; box < c->n; box++) draw(c, image, box);
}

static sl_code draw_run(struct sl_kernel_context *k) {
    static const float standard[10][4] = {{1, 1, 0, 1},     {0, 0, 1, 1},     {1, 0, 0, 1},   {0, 1, 0, 1},
                                          {.5f, 0, .5f, 1}, {.5f, .5f, 0, 1}, {.5f, 0, 0, 1}, {0, 0, .5f, 1},
                                          {0, 1, 1, 1},     {1, 0, 1, 1}};
    struct sl_view images = sl_in(k, 0), boxes = sl_in(k, 1);
    struct canvas c = {.colours = standard[0], .colours_n = 10, .colour_size = 4, .is_white = true};
    if (images.rank != 4) return sl_invalid(k, "The rank of the images should be 4%s", SHAPE_OF(images));
    if (boxes.rank != 3) return sl_invalid(k, "The rank of the boxes tensor should be 3%s", SHAPE_OF(boxes));
    if (images.dims[0] != boxes.dims[0]) return sl_invalid(k, "The batch sizes should be the same");
    int64_t depth = images.dims[3];
    if (depth != 1 && depth != 3 && depth != 4)
        return sl_invalid(k, "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)");
    if (boxes.dims[2] != 4) return sl_invalid(k, "boxes must have 4 columns%s", SHAPE_OF(boxes));
    if (depth > 1) c.is_white = false;
    if (sl_in_count(k) > 2) {
        struct sl_view colours = sl_in(k, 2);
        if (colours.rank != 2) return sl_invalid(k, "colors must be a 2-D matrix%s", SHAPE_OF(colours));
        if (colours.dims[1] < depth) return sl_invalid(k, "colors must have equal or more channels than the image");
        if (colours.dims[0] > 0) {
            c.colours = colours.data;
            c.colours_n = colours.dims[0];
            c.colour_size = colours.dims[1];
            c.is_white = false;
        }
    }
    SL_TRY(sl_out_reuse(&c.images, k, 0, sl_view_shape(images), 0, 1));
    if (c.images.data != images.data)
        memcpy(c.images.data, images.data, (size_t)images.count * sl_dtype_size(images.dtype));
    if (images.count == 0) return SL_OK;
    c.boxes = boxes.data;
    c.n = boxes.dims[1];
    sl_kernel_split(k, images.dims[0], (double)c.n * (double)(images.dims[1] + images.dims[2]) * 4, draw_images, &c);
    return SL_OK;
}

/* ---- SampleDistortedBoundingBox */
struct sampling {
    struct sl_random_state *random; /* NULL: stateless */
    float covered, aspect[2], area[2];
    int64_t attempts;
    bool may_use_image;
};

static sl_code read_range(float to[2], struct sl_kernel_setup *setup, const char *name, float most) {
    const float *list;
    int n;
    SL_TRY(sl_attr_float_list(&list, &n, setup->attrs, name, setup->err));
    if (n != 2) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s field must specify 2 dimensions", name);
    if (!(list[0] > 0 && list[1] > 0))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s must be non-negative: [%g, %g]", name, (double)list[0],
                       (double)list[1]);
    if (list[0] > most || list[1] > most)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s must be less then or equal to 1.0: [%g, %g]", name,
                       (double)list[0], (double)list[1]);
    to[0] = list[0];
    to[1] = list[1];
    return SL_OK;
}
static sl_code check_covered(struct sl_error *err, float covered) {
    if (covered < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Min object covered must be non-negative: %g", (double)covered);
    if (covered > 1) return sl_fail(err, SL_INVALID_ARGUMENT, "Min object covered must be <= 1.0: %g", (double)covered);
    return SL_OK;
}

static sl_code sampling_create(void **state, struct sl_kernel_setup *setup) {
    struct sampling s = {0};
    bool is_random = sl_attr_find(setup->attrs, SL_STR("seed")) != NULL;
    if (sl_attr_find(setup->attrs, SL_STR("min_object_covered"))) {
        SL_TRY(sl_attr_float(&s.covered, setup->attrs, "min_object_covered", setup->err));
        SL_TRY(check_covered(setup->err, s.covered));
    }
    SL_TRY(read_range(s.aspect, setup, "aspect_ratio_range", INFINITY));
    SL_TRY(read_range(s.area, setup, "area_range", 1));
    SL_TRY(sl_attr_int(&s.attempts, setup->attrs, "max_attempts", setup->err));
    if (s.attempts <= 0)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Max attempts must be non-negative: %lld",
                       (long long)s.attempts);
    SL_TRY(sl_attr_bool(&s.may_use_image, setup->attrs, "use_image_if_no_bounding_boxes", setup->err));
    struct sampling *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    sl_code code = is_random ? sl_random_new(&made->random, setup) : SL_OK;
    if (code != SL_OK) {
        sl_free(made);
        return code;
    }
    *state = made;
    return SL_OK;
}
static void sampling_destroy(void *state) {
    struct sampling *s = state;
    sl_random_destroy(s->random);
    sl_free(s);
}

/* In pixels; the far sides are not in it. */
struct rectangle {
    int top, left, bottom, right;
};
static float area_of(struct rectangle r) {
    if (r.bottom <= r.top || r.right <= r.left) return 0;
    return (float)(r.bottom - r.top) * (float)(r.right - r.left);
}
static float common_area(struct rectangle a, struct rectangle b) {
    struct rectangle both = {a.top > b.top ? a.top : b.top, a.left > b.left ? a.left : b.left,
                             a.bottom < b.bottom ? a.bottom : b.bottom, a.right < b.right ? a.right : b.right};
    return area_of(both);
}

/* A part of the image with this ratio of width to height and an area in the range, anywhere; false when none came
 * out. */
static bool try_part(struct rectangle *to, const struct sampling *s, int height, int width, float aspect,
                     struct sl_philox_words *random) {
    const float image = (float)height * (float)width, least = s->area[0] * image, most = s->area[1] * image;
    if (s->area[0] > s->area[1]) return false;
    int h = (int)lrintf(sqrtf(least / aspect)), top_h = (int)lrintf(sqrtf(most / aspect));
    if ((int)lrintf((float)top_h * aspect) > width) top_h = (int)(((float)width + 0.5f - 1e-7f) / aspect);
    if (top_h > height) top_h = height;
    if (h >= top_h) h = top_h;
    if (h < top_h) h += (int)sl_philox_below(random, (uint32_t)(top_h - h + 1));
    int w = (int)lrintf((float)h * aspect);
    if ((float)(w * h) < least) w = (int)lrintf((float)++h * aspect); /* rounding may have left the range */
    if ((float)(w * h) > most) w = (int)lrintf((float)--h * aspect);
    const float area = (float)(w * h);
    if (area < least || area > most || w > width || h > height || w <= 0 || h <= 0) return false;
    int y = h < height ? (int)sl_philox_below(random, (uint32_t)(height - h)) : 0;
    int x = w < width ? (int)sl_philox_below(random, (uint32_t)(width - w)) : 0;
    *to = (struct rectangle){y, x, y + h, x + w};
    return true;
}

static struct rectangle rectangle_of(const float *box, int height, int width) {
    return (struct rectangle){(int)(box[0] * (float)height), (int)(box[1] * (float)width),
                              (int)(box[2] * (float)height), (int)(box[3] * (float)width)};
}
/* Whether enough of some box is in the part. Without boxes the image is the box. */
static bool covers(struct rectangle part, struct sl_view boxes, int height, int width, float covered) {
    static const float whole[4] = {0, 0, 1, 1};
    const int64_t n = boxes.count / 4;
    if (area_of(part) < 1) return false;
    for (int64_t i = 0; i < (n ? n : 1); i++) {
        struct rectangle box = rectangle_of(n ? (const float *)boxes.data + 4 * i : whole, height, width);
        if (area_of(box) >= 1 && common_area(part, box) / area_of(box) >= covered) return true;
    }
    return false;
}

static sl_code check_boxes(struct sl_kernel_context *k, struct sl_view boxes) {
    const struct sampling *s = k->state;
    if (boxes.rank != 3)
        return sl_invalid(k, "input boxes must be 3-dimensional [batch, num_boxes, coords]: %s", SHAPE_OF(boxes));
    if (boxes.dims[2] != 4)
        return sl_invalid(k, "bounding boxes must have shape [4] or [*, 4], got %s", SHAPE_OF(boxes));
    if (boxes.count == 0 && !s->may_use_image)
        return sl_invalid(k, "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes if "
                             "you wish to not provide any bounding boxes.");
    for (int64_t i = 0; i < boxes.count; i++) {
        float side = ((const float *)boxes.data)[i];
        if (!(side >= 0 && side <= 1))
            return sl_invalid(k, "All bounding box coordinates must be in [0.0, 1.0]: %g", (double)side);
    }
    return SL_OK;
}

static sl_code give_part(struct sl_kernel_context *k, struct rectangle part, int height, int width) {
    struct sl_view begin, size, box;
    const int64_t three = 3;
    SL_TRY(sl_out_new(&begin, k, 0, (struct sl_shape){1, &three}));
    SL_TRY(sl_out_new(&size, k, 1, (struct sl_shape){1, &three}));
    SL_TRY(sl_out_new(&box, k, 2, (struct sl_shape){3, (int64_t[]){1, 1, 4}}));
    sl_indices_store(begin, 0, (int64_t[]){part.top, part.left, 0}, 3);
    sl_indices_store(size, 0, (int64_t[]){part.bottom - part.top, part.right - part.left, -1}, 3);
    float *to = box.data;
    to[0] = (float)part.top / (float)height;
    to[1] = (float)part.left / (float)width;
    to[2] = (float)part.bottom / (float)height;
    to[3] = (float)part.right / (float)width;
    return SL_OK;
}

static sl_code sample_run(struct sl_kernel_context *k) {
    const struct sampling *s = k->state;
    struct sl_view size = sl_in(k, 0), boxes = sl_in(k, 1);
    struct sl_philox source;
    float covered = s->covered;
    if (size.rank != 1) return sl_invalid(k, "image_size must be 1-dimensional: %s", SHAPE_OF(size));
    if (size.count != 3) return sl_invalid(k, "image_size must contain 3 elements: %s", SHAPE_OF(size));
    int64_t height = sl_index_at(size, 0), width = sl_index_at(size, 1);
    if (height < 0 || width < 0 || height > INT32_MAX || width > INT32_MAX)
        return sl_invalid(k, "image height and width must be non-negative and fit in 32 bits");
    if (sl_in_count(k) > 2) {
        struct sl_view v = sl_in(k, 2);
        if (v.rank != 0) return sl_invalid(k, "min_object_covered must be 0-D, got shape %s", SHAPE_OF(v));
        covered = *(const float *)v.data;
        if (covered < 0) return sl_invalid(k, "Min object covered must be non-negative: %g", (double)covered);
    }
    SL_TRY(check_boxes(k, boxes));
    if (s->random) source = sl_random_reserve(s->random, (uint64_t)s->attempts); /* four words for each */
    else SL_TRY(sl_random_of_seed(&source, k, 3));
    struct sl_philox_words random = sl_philox_words_at(source);
    struct rectangle part = {0, 0, (int)height, (int)width};
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < s->attempts; i++) {
        struct rectangle tried;
        if (sl_pace_ends(&pace, 50 + 10 * boxes.count)) break;
        float aspect = sl_uniform_float(sl_philox_word(&random)) * (s->aspect[1] - s->aspect[0]) + s->aspect[0];
        if (!try_part(&tried, s, (int)height, (int)width, aspect, &random)) continue;
        if (!covers(tried, boxes, (int)height, (int)width, covered)) continue;
        part = tried;
        break;
    }
    return give_part(k, part, (int)height, (int)width);
}

/* ---- RandomCrop: a part of an image [height, width, channels] of a given size, anywhere */
static sl_code random_crop_run(struct sl_kernel_context *k) {
    struct sl_view image = sl_in(k, 0), size = sl_in(k, 1), out;
    if (image.rank != 3) return sl_invalid(k, "input must be 3-dimensional%s", SHAPE_OF(image));
    if (size.rank != 1) return sl_invalid(k, "shape_t must be 1-dimensional%s", SHAPE_OF(size));
    if (size.count != 2) return sl_invalid(k, "shape_t must have two elements%s", SHAPE_OF(size));
    int64_t to[3] = {sl_index_at(size, 0), sl_index_at(size, 1), image.dims[2]}, at[2] = {0};
    for (int d = 0; d < 2; d++) {
        const char *side = d ? "width" : "height";
        if (to[d] > image.dims[d])
            return sl_fail(k->err, SL_FAILED_PRECONDITION, "%s must be >= target_%s: %s = %lld, target_%s = %lld", side,
                           side, side, (long long)image.dims[d], side, (long long)to[d]);
        if (to[d] < 0) return sl_invalid(k, "target_%s must not be negative: %lld", side, (long long)to[d]);
    }
    struct sl_philox_words random = sl_philox_words_at(sl_random_reserve(k->state, 1));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){3, to}));
    for (int d = 1; d >= 0; d--) /* the column first, as TensorFlow draws */
        if (to[d] < image.dims[d]) at[d] = (int64_t)(sl_philox_word(&random) % (uint64_t)(image.dims[d] - to[d] + 1));
    size_t pixel = (size_t)image.dims[2] * sl_dtype_size(image.dtype), row = (size_t)to[1] * pixel;
    for (int64_t y = 0; y < to[0]; y++)
        memcpy((char *)out.data + (size_t)y * row,
               (const char *)image.data + (size_t)((at[0] + y) * image.dims[1] + at[1]) * pixel, row);
    return SL_OK;
}

#define SAMPLE .run = sample_run, .create = sampling_create, .destroy = sampling_destroy, .cost_ns = 1000
/* clang-format off */
const struct sl_kernel_def sl_cpu_box_rows[] = {
    KERNEL("DrawBoundingBoxes", RULE("T", SL_SET(FLOAT) | SL_SET(HALF)), .run = draw_run, .cost_element = 0.5)
    KERNEL("DrawBoundingBoxesV2", RULE("T", SL_SET(FLOAT) | SL_SET(HALF)), .run = draw_run, .cost_element = 0.5)
    KERNEL("RandomCrop", RULE("T", SL_SET_REAL), .run = random_crop_run, .create = sl_random_create, .destroy = sl_random_destroy, .cost_element = 1)
    KERNEL("SampleDistortedBoundingBox", RULE("T", SL_SET_INTEGERS), SAMPLE)
    KERNEL("SampleDistortedBoundingBoxV2", RULE("T", SL_SET_INTEGERS), SAMPLE)
    KERNEL("StatelessSampleDistortedBoundingBox", RULE("T", SL_SET_INTEGERS), SAMPLE)
    SL_ROWS_END
};
/* clang-format on */
