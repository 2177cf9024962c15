/* Non-maximum suppression: boxes are taken from the highest score down, and one that covers a box already taken too
 * much is left out; with sigma > 0 its score is lowered instead (Bodla et al., "Soft-NMS", 2017). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/wide.h"
#include "base/alloc.h"
#include "tensor/float16.h"

/* ---- the heart */
struct candidate {
    float score;
    int32_t box;
    int32_t compared; /* this many of those taken have had their effect on the score */
};

struct suppression {
    const float *boxes;    /* (y, x, y, x) of two opposite corners; or ... */
    const float *overlaps; /* ... how much two overlap, [n, n] */
    const float *scores;
    int64_t box_stride, score_stride; /* floats from one to the next */
    int32_t n, most;                  /* candidates; boxes to take at most */
    float overlap_limit, score_limit, sigma;
    bool is_half; /* numbers are rounded to half at each step */
    struct candidate *heap, *taken;
    struct sl_pace *pace;
};

static float rounded(const struct suppression *s, float x) {
    return s->is_half ? sl_float_of_half(sl_half_of_float(x)) : x;
}

static float area(const float box[4]) { return (box[2] - box[0]) * (box[3] - box[1]); }
static void corners(float to[4], const float *box) {
    for (int d = 0; d < 2; d++) {
        to[d] = fminf(box[d], box[d + 2]);
        to[d + 2] = fmaxf(box[d], box[d + 2]);
    }
}
/* Intersection over union. */
static float overlap(const struct suppression *s, int32_t i, int32_t j) {
    if (s->overlaps) return s->overlaps[(int64_t)i * s->n + j];
    float a[4], b[4], both[4];
    corners(a, s->boxes + i * s->box_stride);
    corners(b, s->boxes + j * s->box_stride);
    const float area_a = area(a), area_b = area(b);
    if (area_a <= 0 || area_b <= 0) return 0;
    for (int d = 0; d < 2; d++) {
        both[d] = fmaxf(a[d], b[d]);
        both[d + 2] = fminf(a[d + 2], b[d + 2]);
    }
    const float common = fmaxf(both[2] - both[0], 0) * fmaxf(both[3] - both[1], 0);
    return rounded(s, common / (area_a + area_b - common));
}

/* A heap with the highest score on top, of equal ones the lowest box. */
static bool is_before(struct candidate a, struct candidate b) {
    return a.score > b.score || (a.score == b.score && a.box < b.box);
}
static void heap_sink(struct candidate *heap, int32_t n, int32_t at) {
    struct candidate c = heap[at];
    for (int32_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_before(heap[child + 1], heap[child])) child++;
        if (!is_before(heap[child], c)) break;
        heap[at] = heap[child];
    }
    heap[at] = c;
}

/* What is left of a candidate's score beside those taken; false when it is left out. */
static bool weigh(const struct suppression *s, struct candidate *c, int32_t n_taken) {
    const bool is_soft = s->sigma > 0;
    for (int32_t j = n_taken - 1; j >= c->compared; j--) {
        const float o = overlap(s, c->box, s->taken[j].box);
        if (!is_soft && o > s->overlap_limit) return false;
        if (is_soft) {
            const float steep = rounded(s, -0.5f / s->sigma);
            c->score = rounded(s, c->score * rounded(s, expf(rounded(s, rounded(s, steep * o) * o))));
        }
        if (c->score <= s->score_limit) break;
    }
    c->compared = n_taken;
    return true;
}

/* Fills `taken`; how many. `heap` and `taken` have room for n and for the lesser of n and `most`. */
static int32_t suppress(struct suppression *s) {
    int32_t n = 0, n_taken = 0;
    for (int32_t i = 0; i < s->n; i++) {
        float score = s->scores[i * s->score_stride];
        if (score > s->score_limit) s->heap[n++] = (struct candidate){score, i, 0};
    }
    for (int32_t i = n / 2 - 1; i >= 0; i--) heap_sink(s->heap, n, i);
    while (n > 0 && n_taken < s->most) {
        struct candidate *top = &s->heap[0], before = *top;
        if (sl_pace_ends(s->pace, 50 + 10 * (int64_t)(n_taken - top->compared))) break;
        bool stays = weigh(s, top, n_taken);
        if (stays && top->score == before.score) s->taken[n_taken++] = *top;
        else if (stays && top->score > s->score_limit) {
            heap_sink(s->heap, n, 0); /* it has another turn */
            continue;
        }
        s->heap[0] = s->heap[--n];
        if (n) heap_sink(s->heap, n, 0);
    }
    return n_taken;
}

/* ---- NonMaxSuppression ... V5, WithOverlaps */
struct row {
    int8_t limit_at, score_limit_at, sigma_at; /* inputs; 0: there is none */
    bool has_overlaps;
};
struct state {
    float overlap_limit; /* attr of the first version */
    bool is_padded;
};

static sl_code check_limit(struct sl_error *err, float limit) {
    if (limit >= 0 && limit <= 1) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "iou_threshold must be in [0, 1]");
}
static sl_code suppression_create(void **state, struct sl_kernel_setup *setup) {
    struct state s = {0};
    if (sl_attr_find(setup->attrs, SL_STR("iou_threshold"))) {
        SL_TRY(sl_attr_float(&s.overlap_limit, setup->attrs, "iou_threshold", setup->err));
        SL_TRY(check_limit(setup->err, s.overlap_limit));
    }
    if (sl_attr_find(setup->attrs, SL_STR("pad_to_max_output_size")))
        SL_TRY(sl_attr_bool(&s.is_padded, setup->attrs, "pad_to_max_output_size", setup->err));
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

static sl_code read_number(float *out, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    if (v.rank != 0) return sl_invalid(k, "%s must be 0-D, got shape %s", what, SHAPE_OF(v));
    *out = v.dtype == SL_HALF ? sl_float_of_half(*(const sl_half *)v.data) : *(const float *)v.data;
    return SL_OK;
}
static sl_code read_count(int64_t *out, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    if (v.rank != 0) return sl_invalid(k, "%s must be 0-D, got shape %s", what, SHAPE_OF(v));
    *out = sl_index_at(v, 0);
    return SL_OK;
}

/* Everything but boxes, overlaps, scores and room. */
static sl_code read_limits(struct suppression *s, int64_t *asked, struct sl_kernel_context *k) {
    const struct row *row = k->node->def->data;
    const struct state *state = k->state;
    struct sl_view boxes = sl_in(k, 0), scores = sl_in(k, 1);
    *s = (struct suppression){.overlap_limit = state->overlap_limit,
                              .score_limit = -FLT_MAX,
                              .box_stride = 4,
                              .score_stride = 1,
                              .is_half = boxes.dtype == SL_HALF};
    if (s->is_half) s->score_limit = -65504;
    SL_TRY(read_count(asked, k, 2, "max_output_size"));
    if (*asked < 0) return sl_invalid(k, "max_output_size must be non-negative, got %lld", (long long)*asked);
    if (row->limit_at) SL_TRY(read_number(&s->overlap_limit, k, row->limit_at, "iou_threshold"));
    if (row->limit_at && !row->has_overlaps) SL_TRY(check_limit(k->err, s->overlap_limit));
    if (row->score_limit_at) SL_TRY(read_number(&s->score_limit, k, row->score_limit_at, "score_threshold"));
    if (row->sigma_at) SL_TRY(read_number(&s->sigma, k, row->sigma_at, "soft_nms_sigma"));
    if (s->sigma < 0) return sl_invalid(k, "soft_nms_sigma_val must be >= 0.0, got %g", (double)s->sigma);
    const char *what = row->has_overlaps ? "overlaps" : "boxes";
    if (boxes.rank != 2) return sl_invalid(k, "%s must be 2-D, got shape %s", what, SHAPE_OF(boxes));
    if (row->has_overlaps && boxes.dims[0] != boxes.dims[1])
        return sl_invalid(k, "overlaps must be square, got shape %s", SHAPE_OF(boxes));
    if (!row->has_overlaps && boxes.dims[1] != 4) return sl_invalid(k, "boxes must have 4 columns");
    if (scores.rank != 1) return sl_invalid(k, "scores must be 1-D, got shape %s", SHAPE_OF(scores));
    if (scores.count != boxes.dims[0]) return sl_invalid(k, "scores has incompatible shape");
    if (scores.count > INT32_MAX) return sl_invalid(k, "more than 2^31 boxes");
    s->n = (int32_t)scores.count;
    s->most = (int32_t)(*asked < s->n ? *asked : s->n);
    return SL_OK;
}

/* The indices, the scores if the op gives them, and how many are not padding, if it says so. */
static sl_code give(struct sl_kernel_context *k, const struct suppression *s, int32_t n, int64_t length) {
    const struct row *row = k->node->def->data;
    struct sl_view index, scores;
    SL_TRY(sl_out_new(&index, k, 0, (struct sl_shape){1, &length}));
    memset(index.data, 0, (size_t)length * sizeof(int32_t));
    for (int32_t i = 0; i < n; i++) ((int32_t *)index.data)[i] = s->taken[i].box;
    if (sl_out_count(k) > 1) SL_TRY(sl_out_int(k, sl_out_count(k) - 1, n));
    if (!row->sigma_at) return SL_OK;
    SL_TRY(sl_out_new(&scores, k, 1, (struct sl_shape){1, &length}));
    memset(scores.data, 0, (size_t)length * sl_dtype_size(scores.dtype));
    for (int32_t i = 0; i < n; i++) {
        if (s->is_half) ((sl_half *)scores.data)[i] = sl_half_of_float(s->taken[i].score);
        else ((float *)scores.data)[i] = s->taken[i].score;
    }
    return SL_OK;
}

static sl_code suppression_run(struct sl_kernel_context *k) {
    const struct row *row = k->node->def->data;
    const struct state *state = k->state;
    struct suppression s;
    int64_t asked;
    SL_TRY(read_limits(&s, &asked, k));
    struct sl_wide boxes = {0}, scores = {0};
    size_t bytes = ((size_t)s.n + (size_t)s.most + 1) * sizeof *s.heap;
    s.heap = sl_scratch_new(bytes);
    sl_code code = s.heap ? sl_wide_in(&boxes, k, sl_in(k, 0)) : sl_fail_memory(k->err, bytes);
    if (code == SL_OK) code = sl_wide_in(&scores, k, sl_in(k, 1));
    if (code == SL_OK) {
        s.taken = s.heap + s.n;
        s.scores = scores.data;
        if (row->has_overlaps) s.overlaps = boxes.data;
        else s.boxes = boxes.data;
        struct sl_pace pace = sl_pace_of(k);
        s.pace = &pace;
        int32_t n = suppress(&s);
        code = give(k, &s, n, state->is_padded ? asked : n);
    }
    sl_wide_free(&boxes);
    sl_wide_free(&scores);
    if (s.heap) sl_scratch_free(s.heap, bytes);
    return code;
}

/* ---- CombinedNonMaxSuppression: every class of every image for itself, the best of an image's classes together */
struct combined_state {
    bool is_padded, is_clipped;
};
static sl_code combined_create(void **state, struct sl_kernel_setup *setup) {
    struct combined_state s;
    SL_TRY(sl_attr_bool(&s.is_padded, setup->attrs, "pad_per_class", setup->err));
    SL_TRY(sl_attr_bool(&s.is_clipped, setup->attrs, "clip_boxes", setup->err));
    struct combined_state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

struct found {
    float score;
    int32_t box, class;
};
struct combined {
    struct suppression one; /* limits, strides, room for one class */
    struct found *found;    /* of an image: room for classes * one.most */
    int64_t classes, box_classes, length;
    bool is_clipped;
    float *boxes, *scores, *kinds; /* of the results */
    int32_t *valid;
};

static int compare_found(const void *a, const void *b) {
    const struct found *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    return (x->box > y->box) - (x->box < y->box);
}

static void combine_image(struct combined *c, int64_t image, const float *boxes, const float *scores) {
    int64_t n = 0;
    for (int64_t class = 0; class < c->classes; class ++) {
        c->one.boxes = boxes + (c->box_classes > 1 ? 4 * class : 0);
        c->one.scores = scores + class;
        int32_t taken = suppress(&c->one);
        for (int32_t i = 0; i < taken; i++)
            c->found[n++] = (struct found){c->one.taken[i].score, c->one.taken[i].box, (int32_t) class};
    }
    qsort(c->found, (size_t)n, sizeof *c->found, compare_found);
    c->valid[image] = (int32_t)(n < c->length ? n : c->length);
    for (int64_t i = 0; i < c->valid[image]; i++) {
        struct found f = c->found[i];
        int64_t at = image * c->length + i;
        const float *box = boxes + f.box * c->one.box_stride + (c->box_classes > 1 ? 4 * f.class : 0);
        for (int d = 0; d < 4; d++) c->boxes[4 * at + d] = c->is_clipped ? fmaxf(fminf(box[d], 1), 0) : box[d];
        c->scores[at] = f.score;
        c->kinds[at] = (float)f.class;
    }
}

static sl_code read_combined(struct combined *c, struct sl_kernel_context *k, struct sl_view boxes,
                             struct sl_view scores) {
    const struct combined_state *state = k->state;
    int64_t per_class, total;
    *c = (struct combined){.is_clipped = state->is_clipped};
    if (boxes.rank != 4) return sl_invalid(k, "boxes must be 4-D%s", SHAPE_OF(boxes));
    if (scores.rank != 3) return sl_invalid(k, "scores must be 3-D%s", SHAPE_OF(scores));
    if (boxes.dims[0] != scores.dims[0]) return sl_invalid(k, "boxes and scores must have same batch size");
    SL_TRY(read_count(&per_class, k, 2, "max_size_per_class"));
    if (per_class <= 0) return sl_invalid(k, "max_size_per_class must be positive");
    SL_TRY(read_count(&total, k, 3, "max_total_size"));
    if (total <= 0) return sl_invalid(k, "max_total_size must be > 0");
    SL_TRY(read_number(&c->one.overlap_limit, k, 4, "iou_threshold"));
    SL_TRY(read_number(&c->one.score_limit, k, 5, "score_threshold"));
    SL_TRY(check_limit(k->err, c->one.overlap_limit));
    c->classes = scores.dims[2];
    c->box_classes = boxes.dims[2];
    if (boxes.dims[3] != 4) return sl_invalid(k, "boxes must have 4 columns");
    if (boxes.dims[1] != scores.dims[1]) return sl_invalid(k, "boxes and scores must have the same number of boxes");
    if (c->box_classes != 1 && c->box_classes != c->classes)
        return sl_invalid(k, "third dimension of boxes must be either 1 or num classes");
    if (scores.dims[1] > INT32_MAX || c->classes > INT32_MAX) return sl_invalid(k, "too many boxes");
    c->one.n = (int32_t)boxes.dims[1];
    c->one.most = (int32_t)(per_class < c->one.n ? per_class : c->one.n);
    c->one.box_stride = c->box_classes * 4;
    c->one.score_stride = c->classes;
    c->length = total;
    if (state->is_padded && per_class * c->classes < total) c->length = per_class * c->classes;
    return SL_OK;
}

static sl_code combined_out(struct combined *c, struct sl_kernel_context *k, int64_t batch) {
    struct sl_view out[4];
    const int64_t dims[3] = {batch, c->length, 4};
    SL_TRY(sl_out_new(&out[0], k, 0, (struct sl_shape){3, dims}));
    SL_TRY(sl_out_new(&out[1], k, 1, (struct sl_shape){2, dims}));
    SL_TRY(sl_out_new(&out[2], k, 2, (struct sl_shape){2, dims}));
    SL_TRY(sl_out_new(&out[3], k, 3, (struct sl_shape){1, dims}));
    for (int o = 0; o < 4; o++) memset(out[o].data, 0, (size_t)out[o].count * sl_dtype_size(out[o].dtype));
    c->boxes = out[0].data;
    c->scores = out[1].data;
    c->kinds = out[2].data;
    c->valid = out[3].data;
    return SL_OK;
}

static sl_code combined_run(struct sl_kernel_context *k) {
    struct sl_view boxes = sl_in(k, 0), scores = sl_in(k, 1);
    struct combined c;
    SL_TRY(read_combined(&c, k, boxes, scores));
    SL_TRY(combined_out(&c, k, boxes.dims[0]));
    if (scores.count == 0) return SL_OK;
    size_t heap = ((size_t)c.one.n + (size_t)c.one.most) * sizeof *c.one.heap;
    size_t bytes = heap + (size_t)c.classes * (size_t)c.one.most * sizeof *c.found;
    c.one.heap = sl_scratch_new(bytes);
    if (!c.one.heap) return sl_fail_memory(k->err, bytes);
    c.one.taken = c.one.heap + c.one.n;
    c.found = (struct found *)(c.one.taken + c.one.most);
    struct sl_pace pace = sl_pace_of(k);
    c.one.pace = &pace;
    for (int64_t image = 0; image < boxes.dims[0] && !sl_pace_ends(&pace, 10 * c.classes * c.one.n); image++)
        combine_image(&c, image, (const float *)boxes.data + image * c.one.n * c.one.box_stride,
                      (const float *)scores.data + image * c.one.n * c.classes);
    sl_scratch_free(c.one.heap, bytes);
    return SL_OK;
}

#define TYPES (SL_SET(HALF) | SL_SET(FLOAT))
/* In one step, as KERNEL is. */
#define SUPPRESSION(op_, rules, ...)                                                                                   \
    {.op = op_,                                                                                                        \
     .device = SL_HOST_DEVICE,                                                                                         \
     .types = {rules},                                                                                                 \
     .create = suppression_create,                                                                                     \
     .destroy = sl_free,                                                                                               \
     .run = suppression_run,                                                                                           \
     .cost_element = 20,                                                                                               \
     .data = &(const struct row){__VA_ARGS__}},
#define TWO_TYPES RULE("T", TYPES) RULE("T_threshold", TYPES)

/* clang-format off */
const struct sl_kernel_def sl_cpu_suppression_rows[] = {
    SUPPRESSION("NonMaxSuppression", NO_RULE, .limit_at = 0)
    SUPPRESSION("NonMaxSuppressionV2", TWO_TYPES, .limit_at = 3)
    SUPPRESSION("NonMaxSuppressionV3", TWO_TYPES, .limit_at = 3, .score_limit_at = 4)
    SUPPRESSION("NonMaxSuppressionV4", TWO_TYPES, .limit_at = 3, .score_limit_at = 4)
    SUPPRESSION("NonMaxSuppressionV5", RULE("T", TYPES), .limit_at = 3, .score_limit_at = 4, .sigma_at = 5)
    SUPPRESSION("NonMaxSuppressionWithOverlaps", NO_RULE, .limit_at = 3, .score_limit_at = 4, .has_overlaps = true)
    KERNEL("CombinedNonMaxSuppression", NO_RULE, .run = combined_run, .create = combined_create, .destroy = sl_free, .cost_element = 30)
    SL_ROWS_END
};
/* clang-format on */
