/* Random numbers of generators that a variable holds (tf.random.Generator), and numbers of the system. The variable
 * is a vector of int64: the counter's low and high half, the key, and what follows them is left alone. Each element
 * made moves the counter on by SL_RANDOM_BLOCKS_EACH blocks; who reads and moves it holds the variable's lock, so
 * that no two runs get the same numbers. */
#include <inttypes.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/random/random_fill.h"
#include "backends/cpu/random/random_source.h"
#include "kernel/variable.h"

enum { PHILOX_STATE = 3 };

sl_code sl_generator_algorithm(int64_t *out, struct sl_kernel_context *k) {
    struct sl_view v = sl_in(k, 1);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0)
        return sl_invalid(k, "input 1 (0-based) must have shape [], not %s", sl_shape_text(text, sl_view_shape(v)));
    *out = sl_index_at(v, 0);
    return SL_OK;
}

static sl_code check_algorithm(struct sl_kernel_context *k) {
    int64_t number;
    SL_TRY(sl_generator_algorithm(&number, k));
    if (number == SL_GENERATOR_THREEFRY)
        return sl_fail(k->err, SL_UNIMPLEMENTED, "Non-XLA devices don't support the ThreeFry algorithm.");
    if (number != SL_GENERATOR_PHILOX && number != SL_GENERATOR_AUTOMATIC)
        return sl_invalid(k, "Unsupported algorithm id: %" PRId64, number);
    return SL_OK;
}

static sl_code check_state(struct sl_kernel_context *k, struct sl_variable *v) {
    struct sl_view state;
    SL_TRY(sl_variable_look(&state, v, k->err));
    if (state.dtype != SL_INT64)
        return sl_invalid(k, "dtype of RNG state variable must be int64, not %s", sl_dtype_name(state.dtype));
    if (state.rank != 1) return sl_invalid(k, "RNG state must have one and only one dimension, not %d", state.rank);
    if (state.count < PHILOX_STATE)
        return sl_invalid(k, "For the Philox algorithm, the size of state must be at least %d; got %" PRId64,
                          PHILOX_STATE, state.count);
    return SL_OK;
}

sl_code sl_generator_take(struct sl_philox *out, struct sl_kernel_context *k, uint64_t blocks) {
    struct sl_variable *v;
    struct sl_view state;
    SL_TRY(sl_in_variable(&v, k, 0));
    sl_mutex_lock(&v->mutex);
    sl_code code = check_state(k, v);
    if (code == SL_OK) code = sl_variable_edit(&state, v, k->err);
    if (code == SL_OK) {
        uint64_t *words = state.data;
        *out = sl_philox_at(words[2], words[0], words[1]);
        struct sl_philox next = *out;
        sl_philox_skip(&next, blocks);
        words[0] = sl_philox_low(&next);
        words[1] = sl_philox_high(&next);
    }
    sl_mutex_unlock(&v->mutex);
    return code;
}

/* ---- moving on */

static sl_code skip_run(struct sl_kernel_context *k) {
    struct sl_philox before;
    struct sl_view delta = sl_in(k, 2);
    char text[SL_SHAPE_TEXT];
    SL_TRY(check_algorithm(k));
    if (delta.rank != 0)
        return sl_invalid(k, "input 2 (0-based) must have shape [], not %s", sl_shape_text(text, sl_view_shape(delta)));
    SL_TRY(sl_generator_take(&before, k, *(const uint64_t *)delta.data * SL_RANDOM_BLOCKS_EACH));
    if (sl_out_count(k) == 0) return SL_OK;
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, (const int64_t[]){PHILOX_STATE}}));
    uint64_t *words = out.data;
    words[0] = sl_philox_low(&before);
    words[1] = sl_philox_high(&before);
    words[2] = sl_philox_key(&before);
    return SL_OK;
}

/* ---- numbers; the shape is input 2 */

static sl_code new_output(struct sl_view *out, struct sl_kernel_context *k, int shape_at) {
    struct sl_shape shape;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(sl_in_shape(&shape, dims, k, shape_at, "shape"));
    return sl_out_new(out, k, 0, shape);
}

static sl_code fill(struct sl_kernel_context *k, struct sl_view out, enum sl_random_kind kind, uint64_t low,
                    uint64_t range) {
    struct sl_philox from;
    SL_TRY(sl_generator_take(&from, k, (uint64_t)out.count * SL_RANDOM_BLOCKS_EACH));
    if (out.count) sl_random_fill(k, out, kind, from, low, range);
    return SL_OK;
}

static sl_code numbers_run(struct sl_kernel_context *k) {
    struct sl_view out;
    SL_TRY(check_algorithm(k));
    SL_TRY(new_output(&out, k, 2));
    return fill(k, out, *(const enum sl_random_kind *)k->node->def->data, 0, 0);
}

static sl_code range_run(struct sl_kernel_context *k) {
    struct sl_view out, low = sl_in(k, 3), high = sl_in(k, 4);
    char text[SL_SHAPE_TEXT];
    SL_TRY(check_algorithm(k));
    if (low.rank != 0)
        return sl_invalid(k, "minval must be 0-D, got shape %s", sl_shape_text(text, sl_view_shape(low)));
    if (high.rank != 0)
        return sl_invalid(k, "maxval must be 0-D, got shape %s", sl_shape_text(text, sl_view_shape(high)));
    const int64_t from = sl_index_at(low, 0), to = sl_index_at(high, 0);
    if (from >= to) return sl_invalid(k, "Need minval < maxval, got %" PRId64 " >= %" PRId64, from, to);
    SL_TRY(new_output(&out, k, 2));
    return fill(k, out, SL_RANDOM_RANGE, (uint64_t)from, (uint64_t)to - (uint64_t)from);
}

/* The system's numbers; the shape is input 0. */
static sl_code system_run(struct sl_kernel_context *k) {
    struct sl_view out;
    struct sl_philox from;
    SL_TRY(new_output(&out, k, 0));
    SL_TRY(sl_random_of_system(&from, k->err));
    if (out.count) sl_random_fill(k, out, SL_RANDOM_BITS, from, 0, 0);
    return SL_OK;
}

static const enum sl_random_kind uniform = SL_RANDOM_UNIFORM, normal = SL_RANDOM_NORMAL,
                                 truncated = SL_RANDOM_TRUNCATED, bits = SL_RANDOM_BITS;
#define FLOATS   RULE("dtype", SL_SET_FLOATS)
#define WORDS    RULE("dtype", SL_SET(INT32) | SL_SET(INT64) | SL_SET(UINT32) | SL_SET(UINT64))
#define INTEGERS RULE("dtype", SL_SET(INT32) | SL_SET(INT64))

/* clang-format off */
const struct sl_kernel_def sl_cpu_random_generator_rows[] = {
    KERNEL("RngSkip", NO_RULE, .run = skip_run)
    KERNEL("RngReadAndSkip", NO_RULE, .run = skip_run)
    KERNEL("StatefulUniform", FLOATS, .run = numbers_run, .data = &uniform, .cost_element = 2)
    KERNEL("StatefulStandardNormalV2", FLOATS, .run = numbers_run, .data = &normal, .cost_element = 12)
    KERNEL("StatefulTruncatedNormal", FLOATS, .run = numbers_run, .data = &truncated, .cost_element = 15)
    KERNEL("StatefulUniformFullInt", WORDS, .run = numbers_run, .data = &bits, .cost_element = 2)
    KERNEL("StatefulUniformInt", INTEGERS, .run = range_run, .cost_element = 3)
    KERNEL("NonDeterministicInts", WORDS, .run = system_run, .cost_element = 2)
    SL_ROWS_END
};
/* clang-format on */
