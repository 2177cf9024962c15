/* Gamma, Poisson and binomial numbers, and draws from weighted classes. Number e of the first three starts
 * SL_RANDOM_BLOCKS_EACH * e blocks into the sequence, where e counts the numbers of one parameter before those of
 * the next; in the output the parameters are innermost.
 *
 * Gamma: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000). Poisson: Knuth's
 * product for small rates, else PTRS of Hoermann, "The transformed rejection method for generating Poisson random
 * variables" (1993). Binomial: geometric sums for small means, else BTRS of Hoermann, "The generation of binomial
 * random variates" (1993). */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/math/special_functions.h"
#include "backends/cpu/random/random_parameters.h"
#include "backends/cpu/random/random_source.h"

/* ---- the three laws: one number, drawn from where `p` stands */

/* A good draw takes a few tries; parameters beyond sense would take for ever. */
enum { MOST_TRIES = 100000 };

/* The largest number of a type, and the largest whole one that counts. */
static double largest(int dtype) {
    switch (dtype) {
    case SL_DOUBLE: return 0x1.fffffffffffffp1023;
    case SL_FLOAT: return 0x1.fffffep127;
    case SL_HALF: return 65504;
    case SL_INT32: return INT32_MAX;
    default: return 0x1p63;
    }
}

struct law {
    struct sl_philox from;
    struct sl_parameters parameters;
    struct sl_view out;
    int64_t each; /* numbers of each set of parameters */
    double most;  /* of the output's type */
    double (*draw)(const struct law *l, double first, double second, struct sl_philox *p);
    uint64_t (*blocks)(double first, double second); /* from number to number; NULL: SL_RANDOM_BLOCKS_EACH */
    bool (*is_proper)(double first, double second);  /* NULL: always; otherwise NaN */
};

static double draw_gamma(const struct law *l, double alpha, double unused, struct sl_philox *p) {
    struct sl_double_pairs uniform = {.left = 0}, normal = {.left = 0};
    (void)l;
    (void)unused;
    if (alpha == 1.0) return -log1p(-sl_next_uniform(&uniform, p));
    const double d = alpha + (alpha < 1.0 ? 2.0 / 3 : -1.0 / 3), c = 1.0 / 3 / sqrt(d);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        double x = sl_next_normal(&normal, p), v = 1.0 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        double u = sl_next_uniform(&uniform, p);
        /* The first test alone nearly always decides, without a logarithm. */
        if (u < 1.0 - 0.0331 * (x * x) * (x * x) || log(u) < 0.5 * x * x + d * (1.0 - v + log(v))) {
            double y = d * v;
            return alpha < 1.0 ? y * pow(sl_next_uniform(&uniform, p), 1.0 / alpha) : y;
        }
    }
    return NAN;
}

static bool is_proper_rate(double rate, double unused) { return (void)unused, rate == rate; }

static double draw_poisson(const struct law *l, double rate, double unused, struct sl_philox *p) {
    struct sl_double_pairs uniform = {.left = 0};
    (void)unused;
    if (rate <= 0) return 0;
    if (isinf(rate)) return rate;
    if (rate < 10) {
        const double enough = exp(-rate);
        double product = 1, count = 0;
        for (;; count += 1) {
            product *= sl_next_uniform(&uniform, p);
            if (product <= enough) return count;
        }
    }
    const double log_rate = log(rate), b = 0.931 + 2.53 * sqrt(rate), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        double u = sl_next_uniform(&uniform, p) - 0.5, v = sl_next_uniform(&uniform, p);
        double edge = 0.5 - fabs(u), count = floor((2 * a / edge + b) * u + rate + 0.43);
        if (count > l->most) continue;
        if (edge >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return count;
        if (count < 0 || (edge < 0.013 && v > edge)) continue;
        const double log_density = -rate + count * log_rate - sl_special_log_gamma(count + 1);
        if (log(v * inverse_alpha / (a / (edge * edge) + b)) <= log_density) return count;
    }
    return NAN;
}

/* What Stirling's formula lacks of log(k!). */
static double stirling_rest(double k) {
    static const double of[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                                0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                0.00925546218271273, 0.00833056343336287};
    if (k <= 9) return of[(int)k];
    double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

/* Blocks from one binomial number to the next, where they are found by waits. */
enum { WAITS_BLOCKS_EACH = 42 };

/* Successes of `count` tries by adding up how many tries each takes. */
static double binomial_by_waits(double count, double chance, struct sl_philox *p) {
    struct sl_double_pairs uniform = {.left = 0};
    double sum = 0, successes = 0;
    for (;; successes += 1) {
        sum += ceil(log(sl_next_uniform(&uniform, p)) / log1p(-chance));
        if (!(sum <= count)) return successes;
    }
}

static double binomial_by_rejection(double count, double chance, struct sl_philox *p) {
    struct sl_double_pairs uniform = {.left = 0};
    const double deviation = sqrt(count * chance * (1 - chance)), b = 1.15 + 2.53 * deviation;
    const double a = -0.0873 + 0.0248 * b + 0.01 * chance, c = count * chance + 0.5, sure = 0.92 - 4.2 / b;
    const double odds = chance / (1 - chance), alpha = (2.83 + 5.1 / b) * deviation, mode = floor((count + 1) * chance);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        double u = sl_next_uniform(&uniform, p), v = sl_next_uniform(&uniform, p);
        u -= 0.5;
        double edge = 0.5 - fabs(u), n = floor((2 * a / edge + b) * u + c);
        if (edge >= 0.07 && v <= sure) return n;
        if (n < 0 || n > count) continue;
        v = log(v * alpha / (a / (edge * edge) + b));
        double bound = (mode + 0.5) * log((mode + 1) / (odds * (count - mode + 1))) +
                       (count + 1) * log((count - mode + 1) / (count - n + 1)) +
                       (n + 0.5) * log(odds * (count - n + 1) / (n + 1)) + stirling_rest(mode) +
                       stirling_rest(count - mode) - stirling_rest(n) - stirling_rest(count - n);
        if (v <= bound) return n;
    }
    return NAN;
}

static bool is_proper_binomial(double count, double chance) {
    return count >= 0 && count < INFINITY && chance == chance;
}

static double rare_of(double chance) { return chance > 0.5 ? 1 - chance : chance; }
static bool is_by_rejection(double count, double chance) { return count * rare_of(chance) >= 10; }
static uint64_t binomial_blocks(double count, double chance) {
    return is_by_rejection(count, chance) ? SL_RANDOM_BLOCKS_EACH : WAITS_BLOCKS_EACH;
}

static double draw_binomial(const struct law *l, double count, double chance, struct sl_philox *p) {
    (void)l;
    double rare = rare_of(chance);
    if (count * rare <= 0) return chance > 0.5 ? count : 0;
    double n =
        is_by_rejection(count, chance) ? binomial_by_rejection(count, rare, p) : binomial_by_waits(count, rare, p);
    return chance > 0.5 ? count - n : n;
}

static void draw_numbers(void *arg, int64_t begin, int64_t end) {
    const struct law *l = arg;
    for (int64_t e = begin; e < end; e++) {
        int64_t set = e / l->each, sample = e % l->each;
        double first = sl_parameter(&l->parameters, 0, set);
        double second = l->parameters.n > 1 ? sl_parameter(&l->parameters, 1, set) : 0;
        struct sl_philox p = l->from;
        sl_philox_skip(&p, (l->blocks ? l->blocks(first, second) : SL_RANDOM_BLOCKS_EACH) * (uint64_t)e);
        bool is_proper = !l->is_proper || l->is_proper(first, second);
        sl_number_set(l->out, sample * l->parameters.count + set, is_proper ? l->draw(l, first, second, &p) : NAN);
    }
}

static void draw_all(struct sl_kernel_context *k, struct law *l) {
    if (l->out.count == 0) return;
    l->each = l->out.count / l->parameters.count;
    l->most = largest(l->out.dtype);
    sl_kernel_split(k, l->out.count, 150, draw_numbers, l);
}

/* ---- their kernels */

/* Stateful: every parameter gets numbers of shape `shape` (input 0), so the parameters' shape comes behind it. */
static sl_code stateful_law(struct sl_kernel_context *k, struct law *l) {
    int64_t dims[2 * SL_MAX_RANK];
    struct sl_shape shape;
    SL_TRY(sl_in_shape(&shape, dims, k, 0, "shape"));
    SL_TRY(sl_parameters_read(&l->parameters, k, 1, 1));
    struct sl_shape behind = l->parameters.shape;
    int rank = shape.rank + behind.rank;
    if (rank > SL_MAX_RANK) return sl_invalid(k, "the output would have %d dimensions", rank);
    for (int d = 0; d < behind.rank; d++) dims[shape.rank + d] = behind.dims[d];
    SL_TRY(sl_out_new(&l->out, k, 0, (struct sl_shape){rank, dims}));
    l->from = sl_random_reserve(k->state, (uint64_t)l->out.count * SL_RANDOM_BLOCKS_EACH);
    draw_all(k, l);
    return SL_OK;
}
static sl_code stateful_gamma_run(struct sl_kernel_context *k) {
    return stateful_law(k, &(struct law){.draw = draw_gamma});
}
static sl_code stateful_poisson_run(struct sl_kernel_context *k) {
    return stateful_law(k, &(struct law){.draw = draw_poisson, .is_proper = is_proper_rate});
}

/* Stateless: `n` parameters from input `first` on. */
static sl_code stateless_law(struct sl_kernel_context *k, struct law *l, int first, int n) {
    SL_TRY(sl_parameters_read(&l->parameters, k, first, n));
    SL_TRY(sl_parameters_output(&l->out, k, &l->parameters, 0));
    draw_all(k, l);
    return SL_OK;
}
static sl_code seeded_gamma_run(struct sl_kernel_context *k) {
    struct law l = {.draw = draw_gamma};
    SL_TRY(sl_random_of_seed(&l.from, k, 1));
    return stateless_law(k, &l, 2, 1);
}
static sl_code keyed_gamma_run(struct sl_kernel_context *k) {
    struct law l = {.draw = draw_gamma};
    SL_TRY(sl_random_of_key(&l.from, k, 1));
    return stateless_law(k, &l, 4, 1);
}
static sl_code seeded_poisson_run(struct sl_kernel_context *k) {
    struct law l = {.draw = draw_poisson, .is_proper = is_proper_rate};
    SL_TRY(sl_random_of_seed(&l.from, k, 1));
    return stateless_law(k, &l, 2, 1);
}
static sl_code seeded_binomial_run(struct sl_kernel_context *k) {
    struct law l = {.draw = draw_binomial, .is_proper = is_proper_binomial, .blocks = binomial_blocks};
    SL_TRY(sl_random_of_seed(&l.from, k, 1));
    return stateless_law(k, &l, 2, 2);
}

/* Of a generator that a variable holds: input 1 says how, input 2 has the shape. It goes on by 50 blocks of blocks for
 * each set of parameters and sample, and three samples more, halves left out. */
static sl_code generator_binomial_run(struct sl_kernel_context *k) {
    struct law l = {.draw = draw_binomial, .is_proper = is_proper_binomial, .blocks = binomial_blocks};
    int64_t algorithm;
    SL_TRY(sl_generator_algorithm(&algorithm, k));
    if (algorithm != SL_GENERATOR_PHILOX) return sl_invalid(k, "Unsupported algorithm id: %" PRId64, algorithm);
    SL_TRY(sl_parameters_read(&l.parameters, k, 3, 2));
    SL_TRY(sl_parameters_output(&l.out, k, &l.parameters, 2));
    uint64_t sets = (uint64_t)l.parameters.count, samples = sets ? (uint64_t)l.out.count / sets : 0;
    SL_TRY(sl_generator_take(&l.from, k, sets * 2 * 100 * (samples + 3) / 4 * SL_RANDOM_BLOCKS_EACH));
    draw_all(k, &l);
    return SL_OK;
}

/* ---- classes: every row of `logits` (input 0) has the logarithms of the classes' weights; input 1 says how many
 * draws */

/* The sums of the weights up to each class; the largest weight is 1. What is not finite weighs nothing. */
static double sum_weights(double *sums, struct sl_view logits, int64_t row, int64_t classes) {
    double most = -INFINITY, sum = 0;
    const float *floats = logits.dtype == SL_FLOAT ? (const float *)logits.data + row * classes : NULL;
    for (int64_t c = 0; c < classes; c++) {
        const double x = sums[c] = floats ? (double)floats[c] : sl_number_get(logits, row * classes + c);
        if (isfinite(x) && x > most) most = x;
    }
    for (int64_t c = 0; c < classes; c++) {
        if (isfinite(sums[c])) sum += exp(sums[c] - most);
        sums[c] = sum;
    }
    return sum;
}

/* The first class whose sum is above `at`; `classes` when there is none. */
static int64_t class_at(const double *sums, int64_t classes, double at) {
    int64_t low = 0, high = classes;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (at < sums[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

static sl_code class_shape(int64_t dims[2], struct sl_kernel_context *k, int64_t *classes) {
    struct sl_view logits = sl_in(k, 0), samples = sl_in(k, 1);
    char text[SL_SHAPE_TEXT];
    if (logits.rank != 2)
        return sl_invalid(k, "logits should be a matrix, got shape %s", sl_shape_text(text, sl_view_shape(logits)));
    if (samples.rank != 0)
        return sl_invalid(k, "num_samples should be a scalar, got shape %s",
                          sl_shape_text(text, sl_view_shape(samples)));
    dims[0] = logits.dims[0];
    dims[1] = *(const int32_t *)samples.data;
    *classes = logits.dims[1];
    if (dims[1] < 0) return sl_invalid(k, "num_samples should be non-negative, got %" PRId64, dims[1]);
    if (*classes <= 0) return sl_invalid(k, "num_classes should be positive, got %" PRId64, *classes);
    return SL_OK;
}

enum { SOME_CLASSES = 16 }; /* whose sums are on the stack */
struct drawing {
    struct sl_view logits, out;
    int64_t classes;
    struct sl_philox from;
    atomic_bool is_out_of_memory;
};
/* Rows begin ... of the result: each goes on with the words behind the last one's, of which a draw takes two. */
static void draw_rows(void *arg, int64_t begin, int64_t end) {
    struct drawing *d = arg;
    const int64_t draws = d->out.dims[1];
    const uint64_t before = (uint64_t)begin * (uint64_t)draws;
    struct sl_philox from = d->from;
    sl_philox_skip(&from, before / 2);
    struct sl_philox_words words = sl_philox_words_at(from);
    if (before % 2) (void)sl_philox_double(&words);
    const size_t bytes = (size_t)d->classes * sizeof(double);
    double some[SOME_CLASSES], *sums = d->classes <= SOME_CLASSES ? some : sl_scratch_new(bytes);
    if (!sums) {
        atomic_store(&d->is_out_of_memory, true);
        return;
    }
    for (int64_t row = begin; row < end; row++) {
        const double sum = sum_weights(sums, d->logits, row, d->classes);
        for (int64_t s = 0; s < draws; s++) {
            int64_t class = class_at(sums, d->classes, sl_philox_double(&words) * sum);
            if (d->out.dtype == SL_INT32) ((int32_t *)d->out.data)[row * draws + s] = (int32_t) class;
            else ((int64_t *)d->out.data)[row * draws + s] = class;
        }
    }
    if (sums != some) sl_scratch_free(sums, bytes);
}
static sl_code draw_classes(struct sl_kernel_context *k, struct sl_view out, int64_t classes, struct sl_philox from) {
    struct drawing d = {.logits = sl_in(k, 0), .out = out, .classes = classes, .from = from};
    if (out.count == 0) return SL_OK;
    sl_kernel_split(k, out.dims[0], 8 * (double)classes + 30 * (double)out.dims[1], draw_rows, &d);
    return atomic_load(&d.is_out_of_memory) ? sl_fail_memory(k->err, (size_t)classes * sizeof(double)) : SL_OK;
}

static sl_code stateful_classes_run(struct sl_kernel_context *k) {
    int64_t dims[2], classes = 0;
    struct sl_view out;
    SL_TRY(class_shape(dims, k, &classes));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, dims}));
    /* The next run begins behind the words of this one: rows of whole blocks, two words a draw. */
    uint64_t words = ((uint64_t)dims[1] + 3) / 4 * 4 * 2 * (uint64_t)dims[0];
    return draw_classes(k, out, classes, sl_random_reserve(k->state, words * SL_RANDOM_BLOCKS_EACH));
}
static sl_code seeded_classes_run(struct sl_kernel_context *k) {
    int64_t dims[2], classes = 0;
    struct sl_philox from;
    struct sl_view out;
    SL_TRY(sl_random_of_seed(&from, k, 2));
    SL_TRY(class_shape(dims, k, &classes));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){2, dims}));
    return draw_classes(k, out, classes, from);
}

#define FLOATS   SL_SET(HALF) | SL_SET(FLOAT) | SL_SET(DOUBLE)
#define COUNTS   FLOATS | SL_SET(INT32) | SL_SET(INT64)
#define STATEFUL .create = sl_random_create, .destroy = sl_random_destroy, .cost_element = 150

/* clang-format off */
const struct sl_kernel_def sl_cpu_random_law_rows[] = {
    KERNEL("RandomGamma", RULE("T", SL_SET_FLOATS), .run = stateful_gamma_run, STATEFUL)
    KERNEL("RandomPoisson", RULE("dtype", FLOATS), .run = stateful_poisson_run, STATEFUL)
    KERNEL("RandomPoissonV2", RULE("R", COUNTS) RULE("dtype", COUNTS), .run = stateful_poisson_run, STATEFUL)
    KERNEL("Multinomial", RULE("T", SL_SET_FLOATS), .run = stateful_classes_run, STATEFUL)
    KERNEL("StatelessRandomGammaV2", RULE("dtype", SL_SET_FLOATS), .run = seeded_gamma_run, .cost_element = 150)
    KERNEL("StatelessRandomGammaV3", RULE("dtype", SL_SET_FLOATS), .run = keyed_gamma_run, .cost_element = 150)
    KERNEL("StatelessRandomPoisson", RULE("Rtype", COUNTS) RULE("dtype", COUNTS), .run = seeded_poisson_run, .cost_element = 150)
    KERNEL("StatelessRandomBinomial", RULE("T", FLOATS) RULE("dtype", COUNTS), .run = seeded_binomial_run, .cost_element = 150)
    KERNEL("StatefulRandomBinomial", RULE("T", COUNTS) RULE("dtype", COUNTS), .run = generator_binomial_run, .cost_element = 150)
    KERNEL("StatelessMultinomial", RULE("T", SL_SET_FLOATS), .run = seeded_classes_run, .cost_element = 30)
    SL_ROWS_END
};
/* clang-format on */
