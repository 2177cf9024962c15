/* Normal numbers between limits (Robert, "Simulation of truncated normal variables", 1995): by rejection from a
 * normal law when the limits leave room on one side of the mean, from a uniform one when they are close together,
 * else from an exponential one.
 *
 * Numbers are drawn set of parameters by set, each beginning with a fresh block of words. Every operation rounds to
 * the type of the output, as its arithmetic would. */
#include <math.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/random/random_fill.h"
#include "backends/cpu/random/random_parameters.h"
#include "backends/cpu/random/random_source.h"

/* So many rejections one after the other mean that something is wrong. */
enum { MOST_TRIES = 1000 };
/* Room on one side, in deviations, that makes a normal law good enough. */
#define ROOM 1.3

/* What is drawn for one set of parameters. */
struct truncated {
    struct sl_view out;
    int64_t first, step, count; /* elements of `out`: `count` of them from `first` on, `step` apart */
    double mean, deviation, low, high;
    struct sl_philox *p;
    struct sl_pace *pace;
};

enum { GROUP_NS = 200 }; /* a group of numbers that are drawn and put, or thrown away */

static double rounded(const struct truncated *t, double x) {
    uint64_t bits;
    struct sl_view one = {.data = &bits, .dtype = t->out.dtype};
    if (one.dtype == SL_DOUBLE) return x;
    if (one.dtype == SL_FLOAT) return (double)(float)x;
    sl_number_set(one, 0, x);
    return sl_number_get(one, 0);
}
#define R(x) rounded(t, x)

static void put(const struct truncated *t, int64_t n, double z) {
    sl_number_set(t->out, t->first + n * t->step, R(R(z * t->deviation) + t->mean));
}

static sl_code by_normal(struct sl_kernel_context *k, const struct truncated *t, double low, double high) {
    double z[4];
    int tries = 0;
    for (int64_t n = 0; n < t->count && !sl_pace_ends(t->pace, GROUP_NS);) {
        int size = sl_random_group(z, SL_RANDOM_NORMAL, t->out.dtype, t->p);
        for (int i = 0; i < size && n < t->count; i++) {
            if (z[i] >= low && z[i] <= high) {
                put(t, n++, z[i]);
                tries = 0;
            } else if (++tries > MOST_TRIES) {
                return sl_fail(k->err, SL_INTERNAL,
                               "TruncatedNormal randn rejection sampler failed to accept a sample.");
            }
        }
    }
    return SL_OK;
}

/* Takes a number that should be rejected when there were too many. */
static void by_uniform(const struct truncated *t, double low, double difference) {
    double z[4], u[4], more = low < 0 ? 0 : R(low * low);
    int tries = 0;
    for (int64_t n = 0; n < t->count && !sl_pace_ends(t->pace, GROUP_NS);) {
        int size = sl_random_group(z, SL_RANDOM_UNIFORM, t->out.dtype, t->p);
        sl_random_group(u, SL_RANDOM_UNIFORM, t->out.dtype, t->p);
        for (int i = 0; i < size && n < t->count; i++) {
            double x = R(R(z[i] * difference) + low), g = R(R(more - R(x * x)) / 2);
            if (u[i] <= R(exp(g)) || tries + 1 >= MOST_TRIES) {
                put(t, n++, x);
                tries = 0;
            } else {
                tries++;
            }
        }
    }
}

static void by_exponential(const struct truncated *t, double low, double high) {
    const double rate = R(R(low + R(sqrt(R(R(low * low) + 4)))) / 2);
    double u[4];
    int tries = 0;
    for (int64_t n = 0; n < t->count && !sl_pace_ends(t->pace, GROUP_NS);) {
        int size = sl_random_group(u, SL_RANDOM_UNIFORM, t->out.dtype, t->p);
        for (int i = 0; i < size && n < t->count; i += 2) {
            double z = R(R(-R(log(u[i])) / rate) + low), x = low < rate ? R(rate - z) : R(low - rate);
            double g = R(exp(R(R(-x * x) / 2)));
            if ((u[i + 1] <= g && z < high) || tries + 1 >= MOST_TRIES) {
                put(t, n++, z);
                tries = 0;
            } else {
                tries++;
            }
        }
    }
}

static sl_code draw_set(struct sl_kernel_context *k, struct truncated *t) {
    if (!(t->deviation > 0) || !(t->low < t->high) || !(isfinite(t->low) || isfinite(t->high)))
        return sl_invalid(k, "Invalid parameters");
    if ((isinf(t->low) && t->low < 0) ||
        t->high < t->mean) { /* the mirror image has its finite limit, or both, above the mean */
        double high = t->low;
        t->low = t->high;
        t->high = high;
        t->deviation = -t->deviation;
    }
    double low = R(R(t->low - t->mean) / t->deviation), high = R(R(t->high - t->mean) / t->deviation);
    double root = R(sqrt(R(R(low * low) + 4))), difference = R(high - low);
    double cutoff = R(R(2 * R(exp(R(0.5 + R(R(low * R(low - root)) / 4))))) / R(low + root));
    if ((low < -ROOM && high >= 0) || (high > ROOM && low <= 0)) return by_normal(k, t, low, high);
    if (difference < cutoff) by_uniform(t, low, difference);
    else by_exponential(t, low, high);
    return SL_OK;
}

/* Stateless: parameters broadcast, and are innermost in the output. */
static sl_code seeded_run(struct sl_kernel_context *k) {
    struct sl_philox from;
    struct sl_parameters p;
    struct sl_view out;
    SL_TRY(sl_random_of_seed(&from, k, 1));
    SL_TRY(sl_parameters_read(&p, k, 2, 4));
    SL_TRY(sl_parameters_output(&out, k, &p, 0));
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t set = 0; set < p.count && out.count; set++) {
        struct truncated t = {
            .out = out, .first = set, .step = p.count, .count = out.count / p.count, .p = &from, .pace = &pace};
        t.mean = sl_parameter(&p, 0, set);
        t.deviation = sl_parameter(&p, 1, set);
        t.low = sl_parameter(&p, 2, set);
        t.high = sl_parameter(&p, 3, set);
        SL_TRY(draw_set(k, &t));
    }
    return SL_OK;
}

/* ---- stateful: a set of parameters for each row of the output, or one for all */

/* With scalars for all (mean and deviation may be vectors of one), the output is cut into batches of this size. */
enum { BATCH = 100 };

static sl_code read_vectors(struct sl_view in[4], bool *is_one, struct sl_kernel_context *k, int64_t rows) {
    static const char *const names[] = {"means", "stdevs", "minvals", "maxvals"};
    char text[SL_SHAPE_TEXT];
    *is_one = true;
    for (int i = 0; i < 4; i++) {
        in[i] = sl_in(k, 1 + i);
        if (in[i].rank > 1)
            return sl_invalid(k, "Input %s should be a scalar or vector, got shape: %s", names[i],
                              sl_shape_text(text, sl_view_shape(in[i])));
        if (in[i].rank != 0 && (i > 1 || in[i].count != 1)) *is_one = false;
    }
    for (int i = 0; i < 4; i++)
        if (!*is_one && in[i].count != 1 && in[i].count != rows)
            return sl_invalid(k, "Input %s should have length 1 or shape[0], got shape: %s", names[i],
                              sl_shape_text(text, sl_view_shape(in[i])));
    return SL_OK;
}

static sl_code stateful_run(struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    struct sl_view out, in[4];
    bool is_one;
    SL_TRY(sl_in_shape(&shape, dims, k, 0, "shape"));
    if (shape.rank == 0) return sl_invalid(k, "Shape tensor must not be empty, got []");
    SL_TRY(read_vectors(in, &is_one, k, dims[0]));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (out.count == 0) return SL_OK;
    int64_t each = is_one ? BATCH : out.count / dims[0], sets = (out.count + each - 1) / each;
    uint64_t reserved = (uint64_t)sets * 2 * MOST_TRIES * ((uint64_t)each + 3) / 4;
    struct sl_philox from = sl_random_reserve(k->state, reserved);
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t set = 0; set < sets; set++) {
        int64_t left = out.count - set * each;
        struct truncated t = {
            .out = out, .first = set * each, .step = 1, .count = left < each ? left : each, .p = &from, .pace = &pace};
        t.mean = sl_number_get(in[0], in[0].count == 1 ? 0 : set);
        t.deviation = sl_number_get(in[1], in[1].count == 1 ? 0 : set);
        t.low = sl_number_get(in[2], in[2].count == 1 ? 0 : set);
        t.high = sl_number_get(in[3], in[3].count == 1 ? 0 : set);
        SL_TRY(draw_set(k, &t));
    }
    return SL_OK;
}

#define FLOATS SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE)

/* clang-format off */
const struct sl_kernel_def sl_cpu_random_truncated_rows[] = {
    KERNEL("ParameterizedTruncatedNormal", RULE("dtype", FLOATS), .create = sl_random_create, .destroy = sl_random_destroy, .run = stateful_run, .cost_element = 100)
    KERNEL("StatelessParameterizedTruncatedNormal", RULE("dtype", FLOATS), .run = seeded_run, .cost_element = 100)
    SL_ROWS_END
};
/* clang-format on */
