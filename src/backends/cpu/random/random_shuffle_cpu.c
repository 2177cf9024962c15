/* Shuffles: the rows of a tensor in random order, and one place of a random order that is never written down. */
#include <inttypes.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/random/random_source.h"
#include "base/alloc.h"
#include "kernel/index_shuffle.h"

/* ---- all rows */

/* Swaps `order`'s elements so that every order is as likely: element i with one of those from i on. */
static void shuffle(int64_t *order, int64_t n, struct sl_philox from) {
    struct sl_philox_words words = sl_philox_words_at(from);
    for (int64_t i = 0; i + 1 < n; i++) {
        int64_t j = i + (int64_t)(sl_philox_word(&words) % (uint64_t)(n - i)), other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
}

static sl_code shuffle_rows(struct sl_kernel_context *k, struct sl_philox from) {
    struct sl_view in = sl_in(k, 0), out;
    int64_t n = in.dims[0], row = in.count / n;
    size_t bytes = (size_t)n * sizeof(int64_t), row_bytes = (size_t)row * sl_dtype_size(in.dtype);
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(in)));
    int64_t *order = sl_scratch_new(bytes);
    if (!order) return sl_fail_memory(k->err, bytes);
    for (int64_t i = 0; i < n; i++) order[i] = i;
    shuffle(order, n, from);
    sl_code code = SL_OK;
    for (int64_t i = 0; i < n && code == SL_OK; i++)
        code = sl_elements_copy(in.dtype, (char *)out.data + (size_t)i * row_bytes,
                                (const char *)in.data + (size_t)order[i] * row_bytes, row, k->err);
    sl_scratch_free(order, bytes);
    return code;
}

/* Nothing to shuffle? Then no words are drawn either. */
static bool is_settled(struct sl_view v) { return v.rank == 0 || v.count == 0 || v.dims[0] <= 1; }

static sl_code shuffle_run(struct sl_kernel_context *k) {
    struct sl_view in = sl_in(k, 0);
    if (is_settled(in)) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    return shuffle_rows(k, sl_random_reserve(k->state, ((uint64_t)in.dims[0] - 1 + 3) / 4));
}

static sl_code keyed_shuffle_run(struct sl_kernel_context *k) {
    struct sl_philox from;
    SL_TRY(sl_random_of_key(&from, k, 1));
    if (is_settled(sl_in(k, 0))) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    return shuffle_rows(k, from);
}

/* ---- one place: kernel/index_shuffle.h */

static uint64_t element(struct sl_view v, int64_t i) {
    switch (v.dtype) {
    case SL_INT32: return (uint64_t)(int64_t)((const int32_t *)v.data)[i];
    case SL_UINT32: return ((const uint32_t *)v.data)[i];
    default: return ((const uint64_t *)v.data)[i];
    }
}

/* index, seed, max_index: each alone or once for every number of the output. */
struct places {
    struct sl_view index, seed, most, out;
    int64_t count;
    int rounds;
};

static sl_code read_places(struct places *p, struct sl_kernel_context *k) {
    struct sl_view index = sl_in(k, 0), seed = sl_in(k, 1), most = sl_in(k, 2);
    char text[SL_SHAPE_TEXT];
    p->index = index;
    p->seed = seed;
    p->most = most;
    p->rounds = *(const int *)k->state;
    if (seed.rank < 1 || seed.rank > 2 || seed.dims[seed.rank - 1] != 3)
        return sl_invalid(k, "Seed must be a vector of size [3] or a matrix of size [n, 3] but got %s.",
                          sl_shape_text(text, sl_view_shape(seed)));
    if (index.rank > 1) return sl_invalid(k, "Index must be a scalar or vector.");
    if (most.rank > 1) return sl_invalid(k, "max_index must be a scalar or vector.");
    p->count = -1;
    for (int i = 0; i < 3; i++) {
        bool is_one = i == 0 ? index.rank == 0 : i == 1 ? seed.rank == 1 : most.rank == 0;
        int64_t n = i == 0 ? index.count : i == 1 ? seed.dims[0] : most.count;
        if (is_one) continue;
        if (p->count >= 0 && n != p->count)
            return sl_invalid(k, "Index, seed and max_index have different numbers of elements.");
        p->count = n;
    }
    bool is_scalar = p->count < 0;
    if (is_scalar) p->count = 1;
    return sl_out_new(&p->out, k, 0, (struct sl_shape){is_scalar ? 0 : 1, &p->count});
}

static sl_code find_place(struct sl_kernel_context *k, const struct places *p, int64_t i) {
    uint64_t index = element(p->index, p->index.count == 1 ? 0 : i),
             most = element(p->most, p->most.count == 1 ? 0 : i);
    bool is_signed = p->index.dtype == SL_INT32 || p->index.dtype == SL_INT64;
    if (is_signed && (int64_t)index < 0) return sl_invalid(k, "index must be >= 0 but was %" PRId64, (int64_t)index);
    if (is_signed && (int64_t)most < 0) return sl_invalid(k, "max_index must be >= 0 but was %" PRId64, (int64_t)most);
    if (most < index) return sl_invalid(k, "max_index must be >= index, but %" PRIu64 " < %" PRIu64, most, index);
    uint32_t seed[3];
    for (int s = 0; s < 3; s++) seed[s] = (uint32_t)element(p->seed, (p->seed.rank == 1 ? 0 : i * 3) + s);
    index = sl_index_shuffle(index, seed, most, p->rounds);
    switch (p->out.dtype) {
    case SL_INT32:
    case SL_UINT32: ((uint32_t *)p->out.data)[i] = (uint32_t)index; break;
    default: ((uint64_t *)p->out.data)[i] = index; break;
    }
    return SL_OK;
}

static sl_code place_run(struct sl_kernel_context *k) {
    struct places p;
    SL_TRY(read_places(&p, k));
    for (int64_t i = 0; i < p.count; i++) SL_TRY(find_place(k, &p, i));
    return SL_OK;
}

static sl_code place_create(void **state, struct sl_kernel_setup *setup) {
    int64_t rounds;
    SL_TRY(sl_attr_int(&rounds, setup->attrs, "rounds", setup->err));
    if (rounds < 0 || rounds > SL_INDEX_SHUFFLE_ROUNDS)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "rounds must be in [0, %d] but was %" PRId64,
                       SL_INDEX_SHUFFLE_ROUNDS, rounds);
    int *kept = sl_malloc(sizeof *kept);
    if (!kept) return sl_fail_memory(setup->err, sizeof *kept);
    *kept = (int)rounds;
    *state = kept;
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_random_shuffle_rows[] = {
    KERNEL("RandomShuffle", NO_RULE, .create = sl_random_create, .destroy = sl_random_destroy, .run = shuffle_run, .cost_element = 5)
    KERNEL("StatelessShuffle", NO_RULE, .run = keyed_shuffle_run, .cost_element = 5)
    KERNEL("RandomIndexShuffle", NO_RULE, .create = place_create, .destroy = sl_free, .run = place_run, .cost_ns = 1000)
    SL_ROWS_END
};
/* clang-format on */
