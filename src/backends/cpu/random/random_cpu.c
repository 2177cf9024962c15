/* Uniform and normal random numbers, from the node's own generator or from seeds. The shape is input 0. */
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/random/random_fill.h"
#include "backends/cpu/random/random_source.h"

/* What the rows' `data` point to. */
static const enum sl_random_kind uniform = SL_RANDOM_UNIFORM, normal = SL_RANDOM_NORMAL,
                                 truncated = SL_RANDOM_TRUNCATED, bits = SL_RANDOM_BITS;

static enum sl_random_kind kind_of(const struct sl_kernel_context *k) {
    return *(const enum sl_random_kind *)k->node->def->data;
}

static sl_code new_output(struct sl_view *out, struct sl_kernel_context *k) {
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(sl_in_shape(&shape, dims, k, 0, "shape"));
    return sl_out_new(out, k, 0, shape);
}

static struct sl_philox reserve(struct sl_kernel_context *k, struct sl_view out) {
    return sl_random_reserve(k->state, (uint64_t)out.count * SL_RANDOM_BLOCKS_EACH);
}

static sl_code stateful_run(struct sl_kernel_context *k) {
    struct sl_view out;
    SL_TRY(new_output(&out, k));
    sl_random_fill(k, out, kind_of(k), reserve(k, out), 0, 0);
    return SL_OK;
}

static sl_code seeded_run(struct sl_kernel_context *k) {
    struct sl_philox from;
    struct sl_view out;
    SL_TRY(sl_random_of_seed(&from, k, 1));
    SL_TRY(new_output(&out, k));
    sl_random_fill(k, out, kind_of(k), from, 0, 0);
    return SL_OK;
}

static sl_code keyed_run(struct sl_kernel_context *k) {
    struct sl_philox from;
    struct sl_view out;
    SL_TRY(sl_random_of_key(&from, k, 1));
    SL_TRY(new_output(&out, k));
    sl_random_fill(k, out, kind_of(k), from, 0, 0);
    return SL_OK;
}

/* ---- integers in [minval, maxval): inputs `i` and `i + 1` */

static sl_code limits(int64_t limit[2], struct sl_kernel_context *k, int i, int64_t count) {
    static const char *const names[] = {"minval", "maxval"};
    char text[SL_SHAPE_TEXT];
    for (int l = 0; l < 2; l++) {
        struct sl_view v = sl_in(k, i + l);
        if (v.rank != 0)
            return sl_invalid(k, "%s must be 0-D, got shape %s", names[l], sl_shape_text(text, sl_view_shape(v)));
        limit[l] = v.dtype == SL_INT32 ? *(const int32_t *)v.data : *(const int64_t *)v.data;
    }
    if (count && limit[0] >= limit[1])
        return sl_invalid(k, "Need minval < maxval, got %lld >= %lld", (long long)limit[0], (long long)limit[1]);
    return SL_OK;
}

static void fill_range(struct sl_kernel_context *k, struct sl_view out, struct sl_philox from, const int64_t limit[2]) {
    if (out.count)
        sl_random_fill(k, out, SL_RANDOM_RANGE, from, (uint64_t)limit[0], (uint64_t)limit[1] - (uint64_t)limit[0]);
}

static sl_code stateful_range_run(struct sl_kernel_context *k) {
    struct sl_view out;
    int64_t limit[2];
    SL_TRY(new_output(&out, k));
    SL_TRY(limits(limit, k, 1, out.count));
    fill_range(k, out, reserve(k, out), limit);
    return SL_OK;
}
static sl_code seeded_range_run(struct sl_kernel_context *k) {
    struct sl_philox from;
    struct sl_view out;
    int64_t limit[2];
    SL_TRY(sl_random_of_seed(&from, k, 1));
    SL_TRY(new_output(&out, k));
    SL_TRY(limits(limit, k, 2, out.count));
    fill_range(k, out, from, limit);
    return SL_OK;
}
static sl_code keyed_range_run(struct sl_kernel_context *k) {
    struct sl_philox from;
    struct sl_view out;
    int64_t limit[2];
    SL_TRY(sl_random_of_key(&from, k, 1));
    SL_TRY(new_output(&out, k));
    SL_TRY(limits(limit, k, 4, out.count));
    fill_range(k, out, from, limit);
    return SL_OK;
}

/* ---- keys of seeds */

enum { PHILOX = 1 };

static sl_code key_run(struct sl_kernel_context *k) {
    struct sl_philox p;
    struct sl_view key, counter;
    static const int64_t one = 1, two = 2;
    SL_TRY(sl_random_of_seed(&p, k, 0));
    SL_TRY(sl_out_new(&key, k, 0, (struct sl_shape){1, &one}));
    SL_TRY(sl_out_new(&counter, k, 1, (struct sl_shape){1, &two}));
    *(uint64_t *)key.data = sl_philox_key(&p);
    ((uint64_t *)counter.data)[0] = sl_philox_low(&p);
    ((uint64_t *)counter.data)[1] = sl_philox_high(&p);
    return sl_out_count(k) > 2 ? sl_out_int(k, 2, PHILOX) : SL_OK;
}

static sl_code algorithm_run(struct sl_kernel_context *k) { return sl_out_int(k, 0, PHILOX); }

#define FLOATS   RULE("dtype", SL_SET_FLOATS)
#define WORDS    SL_SET(INT32) | SL_SET(INT64) | SL_SET(UINT32) | SL_SET(UINT64)
#define STATEFUL .create = sl_random_create, .destroy = sl_random_destroy

/* clang-format off */
const struct sl_kernel_def sl_cpu_random_rows[] = {
    KERNEL("RandomUniform", FLOATS, STATEFUL, .run = stateful_run, .data = &uniform, .cost_element = 2)
    KERNEL("RandomStandardNormal", FLOATS, STATEFUL, .run = stateful_run, .data = &normal, .cost_element = 12)
    KERNEL("TruncatedNormal", FLOATS, STATEFUL, .run = stateful_run, .data = &truncated, .cost_element = 15)
    KERNEL("RandomUniformInt", RULE("Tout", SL_SET(INT32) | SL_SET(INT64)), STATEFUL, .run = stateful_range_run, .cost_element = 3)
    KERNEL("StatelessRandomUniform", FLOATS, .run = seeded_run, .data = &uniform, .cost_element = 2)
    KERNEL("StatelessRandomNormal", FLOATS, .run = seeded_run, .data = &normal, .cost_element = 12)
    KERNEL("StatelessTruncatedNormal", FLOATS, .run = seeded_run, .data = &truncated, .cost_element = 15)
    KERNEL("StatelessRandomUniformFullInt", RULE("dtype", WORDS), .run = seeded_run, .data = &bits, .cost_element = 2)
    KERNEL("StatelessRandomUniformInt", RULE("dtype", SL_SET(INT32) | SL_SET(INT64)), .run = seeded_range_run, .cost_element = 3)
    KERNEL("StatelessRandomUniformV2", FLOATS, .run = keyed_run, .data = &uniform, .cost_element = 2)
    KERNEL("StatelessRandomNormalV2", FLOATS, .run = keyed_run, .data = &normal, .cost_element = 12)
    KERNEL("StatelessTruncatedNormalV2", FLOATS, .run = keyed_run, .data = &truncated, .cost_element = 15)
    KERNEL("StatelessRandomUniformFullIntV2", RULE("dtype", WORDS), .run = keyed_run, .data = &bits, .cost_element = 2)
    KERNEL("StatelessRandomUniformIntV2", RULE("dtype", SL_SET(INT32) | SL_SET(INT64)), .run = keyed_range_run, .cost_element = 3)
    KERNEL("StatelessRandomGetKeyCounter", NO_RULE, .run = key_run)
    KERNEL("StatelessRandomGetKeyCounterAlg", NO_RULE, .run = key_run)
    KERNEL("StatelessRandomGetAlg", NO_RULE, .run = algorithm_run)
    SL_ROWS_END
};
/* clang-format on */
