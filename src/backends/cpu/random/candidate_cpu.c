/* Candidate samplers: classes drawn for a sampled loss, and how often each class was to be expected among them; and
 * where drawn classes are true ones after all. A sampler differs from the others in how it draws a class and how
 * likely that is: see `laws`. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/random/candidate_weights.h"
#include "backends/cpu/random/random_source.h"
#include "base/alloc.h"
#include "os/file.h"
#include "os/mutex.h"

struct sampler;
struct law {
    bool is_all;                                                       /* no drawing: every class once */
    bool learns;                                                       /* true classes become more likely afterwards */
    sl_code (*init)(struct sampler *s, struct sl_kernel_setup *setup); /* NULL: nothing to do */
    int64_t (*draw)(const struct sampler *s, struct sl_philox_words *words);
    float (*chance)(const struct sampler *s, int64_t class);
};

struct sampler {
    const struct law *law;
    void *random;
    int64_t n_true, n_sampled, range;
    bool is_unique;
    double log_range;
    struct sl_mutex mutex; /* of the tree */
    struct sl_weight_tree tree;
    struct sl_weight_table table;
    float *weights;
    int64_t n_weights, n_likely; /* likely: more than 0 */
    float total;
};

/* ---- uniform, and log-uniform (Zipf's law) */

static int64_t uniform_draw(const struct sampler *s, struct sl_philox_words *words) {
    return (int64_t)sl_philox_below64(words, (uint64_t)s->range);
}
static float uniform_chance(const struct sampler *s, int64_t class) { return (void)class, 1.0f / (float)s->range; }

static sl_code log_uniform_init(struct sampler *s, struct sl_kernel_setup *setup) {
    (void)setup;
    s->log_range = log((double)s->range + 1);
    return SL_OK;
}
/* Rounding may give `range` itself; that is class 0. */
static int64_t log_uniform_draw(const struct sampler *s, struct sl_philox_words *words) {
    return ((int64_t)exp(sl_philox_double(words) * s->log_range) - 1) % s->range;
}
static float log_uniform_chance(const struct sampler *s, int64_t class) {
    return (float)(log(((double)class + 2) / ((double)class + 1)) / s->log_range);
}

/* ---- as frequent as it has been true so far */

static sl_code tree_init(struct sampler *s, struct sl_kernel_setup *setup) {
    if (s->range > INT32_MAX) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "range_max must fit 32 bits");
    return sl_weight_tree_init(&s->tree, s->range, setup->err);
}
static int64_t tree_draw(const struct sampler *s, struct sl_philox_words *words) {
    return sl_weight_tree_pick(&s->tree, words);
}
static float tree_chance(const struct sampler *s, int64_t class) {
    return (float)sl_weight_tree_get(&s->tree, class) / (float)s->tree.total;
}

/* ---- as frequent as attrs or a file say */

enum { VOCABULARY_BYTES = 1 << 30 };

/* Appends the weight of word `word` if it is this shard's. */
static sl_code add_weight(struct sampler *s, size_t *room, int64_t word, float weight, const int64_t shard[2],
                          float distortion, struct sl_error *err) {
    if (word % shard[1] != shard[0]) return SL_OK;
    if (sl_grow((void **)&s->weights, room, (size_t)s->n_weights + 1, sizeof *s->weights))
        return sl_fail_memory(err, *room * sizeof *s->weights);
    weight = powf(weight, distortion);
    s->weights[s->n_weights++] = weight;
    s->n_likely += weight > 0;
    s->total += weight;
    return SL_OK;
}

/* One word a line; its weight is behind the last comma. */
static sl_code read_vocabulary(struct sampler *s, size_t *room, int64_t word, char *text, const int64_t shard[2],
                               float distortion, struct sl_error *err) {
    for (char *line = text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        size_t n = strlen(line);
        if (n && line[n - 1] == '\r') line[--n] = 0;
        if (n == 0 || word++ % shard[1] != shard[0]) continue;
        char *comma = strrchr(line, ','), *number = comma ? comma + 1 : line, *end;
        float weight = strtof(number, &end);
        if (end == number || *end)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Wrong vocabulary format at line: %s", line);
        SL_TRY(add_weight(s, room, word - 1, weight, shard, distortion, err));
    }
    return SL_OK;
}

/* How many of the words 0 to n - 1 are this shard's. */
static int64_t words_of_shard(int64_t n, const int64_t shard[2]) {
    return n > shard[0] ? (n - shard[0] - 1) / shard[1] + 1 : 0;
}

static sl_code check_size(const struct sampler *s, int64_t weights, struct sl_error *err) {
    if (weights == s->range && s->range <= INT32_MAX) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "range is %" PRId64 " must be equal to weights size  %" PRId64, s->range,
                   weights);
}

static sl_code table_init(struct sampler *s, struct sl_kernel_setup *setup) {
    const struct sl_attrs *attrs = setup->attrs;
    struct sl_error *err = setup->err;
    struct sl_str file;
    const float *unigrams;
    float distortion;
    int n;
    int64_t reserved, shard[2];
    SL_TRY(sl_attr_string(&file, attrs, "vocab_file", err));
    SL_TRY(sl_attr_float_list(&unigrams, &n, attrs, "unigrams", err));
    SL_TRY(sl_attr_float(&distortion, attrs, "distortion", err));
    SL_TRY(sl_attr_int(&reserved, attrs, "num_reserved_ids", err));
    SL_TRY(sl_attr_int(&shard[0], attrs, "shard", err));
    SL_TRY(sl_attr_int(&shard[1], attrs, "num_shards", err));
    if (!file.n && !n) return sl_fail(err, SL_INVALID_ARGUMENT, "Must provide either vocab_file or unigrams.");
    if (file.n && n) return sl_fail(err, SL_INVALID_ARGUMENT, "Must only provide one of vocab_file and unigrams.");
    if (reserved < 0 || reserved > s->range)
        return sl_fail(err, SL_INVALID_ARGUMENT, "num_reserved_ids must be in [0, range_max], got %" PRId64, reserved);
    if (!file.n) SL_TRY(check_size(s, words_of_shard(reserved + n, shard), err)); /* before they have memory */
    size_t room = 0;
    for (int64_t i = 0; i < reserved; i++) SL_TRY(add_weight(s, &room, i, 0, shard, 1, err));
    for (int i = 0; i < n; i++) SL_TRY(add_weight(s, &room, reserved + i, unigrams[i], shard, distortion, err));
    if (file.n) {
        char path[4096], *text;
        size_t size;
        if (file.n >= sizeof path || memchr(file.p, 0, file.n))
            return sl_fail(err, SL_INVALID_ARGUMENT, "vocab_file is no path: %.*s", SL_STR_ARG(file));
        memcpy(path, file.p, file.n);
        path[file.n] = 0;
        SL_TRY(sl_file_read(&text, &size, path, VOCABULARY_BYTES, err));
        sl_code code = read_vocabulary(s, &room, reserved, text, shard, distortion, err);
        sl_free(text);
        SL_TRY(code);
    }
    SL_TRY(check_size(s, s->n_weights, err));
    if (s->is_unique && s->n_likely < s->n_sampled)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Only %" PRId64 " classes have a weight, too few to draw %" PRId64 " different ones",
                       s->n_likely, s->n_sampled);
    return sl_weight_table_init(&s->table, s->weights, (int32_t)s->n_weights, err);
}
static int64_t table_draw(const struct sampler *s, struct sl_philox_words *words) {
    return sl_weight_table_pick(&s->table, words);
}
static float table_chance(const struct sampler *s, int64_t class) { return s->weights[class] / s->total; }

static const struct law all_law = {.is_all = true}, uniform_law = {.draw = uniform_draw, .chance = uniform_chance},
                        log_uniform_law = {.init = log_uniform_init,
                                           .draw = log_uniform_draw,
                                           .chance = log_uniform_chance},
                        learned_law = {.learns = true, .init = tree_init, .draw = tree_draw, .chance = tree_chance},
                        fixed_law = {.init = table_init, .draw = table_draw, .chance = table_chance};

/* ---- the kernel of all */

static void sampler_destroy(void *state) {
    struct sampler *s = state;
    if (s->random) sl_random_destroy(s->random);
    sl_mutex_clear(&s->mutex);
    sl_weight_tree_clear(&s->tree);
    sl_weight_table_clear(&s->table);
    sl_free(s->weights);
    sl_free(s);
}

static sl_code sampler_init(struct sampler *s, struct sl_kernel_setup *setup) {
    SL_TRY(sl_random_create(&s->random, setup));
    SL_TRY(sl_attr_int(&s->n_true, setup->attrs, "num_true", setup->err));
    SL_TRY(sl_attr_int(&s->n_sampled, setup->attrs, "num_sampled", setup->err));
    SL_TRY(sl_attr_bool(&s->is_unique, setup->attrs, "unique", setup->err));
    if (s->law->is_all) s->range = s->n_sampled;
    else SL_TRY(sl_attr_int(&s->range, setup->attrs, "range_max", setup->err));
    return s->law->init ? s->law->init(s, setup) : SL_OK;
}

static sl_code sampler_create(void **state, struct sl_kernel_setup *setup) {
    struct sampler *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    s->law = setup->def->data;
    sl_mutex_init(&s->mutex);
    sl_code code = sampler_init(s, setup);
    if (code == SL_OK) *state = s;
    else sampler_destroy(s);
    return code;
}

enum { DRAW_NS = 40 }; /* a draw, or what was to be expected of a class */

/* A set of numbers >= 0: open addressing, at most half full. */
struct number_set {
    int64_t *slots; /* number + 1, 0: free */
    size_t bytes;
    uint64_t mask;
};

static bool is_new(struct number_set *set, int64_t number) {
    uint64_t at = (uint64_t)number * UINT64_C(0x9E3779B97F4A7C15);
    for (at ^= at >> 32;; at++) {
        int64_t *slot = &set->slots[at & set->mask];
        if (*slot == number + 1) return false;
        if (*slot == 0) return *slot = number + 1, true;
    }
}

/* Draws until there are n_sampled different classes; `*tries` is how often. */
static sl_code draw_different(int64_t *to, int64_t *tries, struct sl_kernel_context *k, const struct sampler *s,
                              struct sl_philox_words *words) {
    struct number_set set = {.mask = 1};
    while (set.mask < (uint64_t)s->n_sampled * 2) set.mask *= 2;
    set.bytes = set.mask * sizeof *set.slots;
    set.slots = sl_scratch_new(set.bytes);
    if (!set.slots) return sl_fail_memory(k->err, set.bytes);
    memset(set.slots, 0, set.bytes);
    set.mask--;
    sl_code code = SL_OK;
    struct sl_pace pace = sl_pace_of(k);
    *tries = 0;
    for (int64_t n = 0; n < s->n_sampled && code == SL_OK;) {
        int64_t class = s->law->draw(s, words);
        if (++*tries == INT32_MAX)
            code = sl_fail(k->err, SL_INTERNAL, "classes are too unlikely to draw %" PRId64 " different ones",
                           s->n_sampled);
        if (sl_pace_ends(&pace, DRAW_NS)) code = SL_CANCELLED;
        if (is_new(&set, class)) to[n++] = class;
    }
    sl_scratch_free(set.slots, set.bytes);
    return code;
}

/* How often a class is to be expected when it took `tries` draws to get n_sampled. */
static float expected(const struct sampler *s, int64_t class, int64_t tries) {
    if (s->law->is_all) return 1;
    float chance = s->law->chance(s, class);
    if (tries == s->n_sampled) return chance * (float)s->n_sampled;
    return -expm1f((float)tries * log1pf(-chance));
}

static sl_code draw(struct sl_kernel_context *k, struct sampler *s, struct sl_view sampled, int64_t *tries) {
    int64_t *to = sampled.data;
    *tries = s->n_sampled;
    if (s->law->is_all) {
        struct sl_pace pace = sl_pace_of(k);
        for (int64_t i = 0; i < s->n_sampled && !sl_pace_ends(&pace, 1); i++) to[i] = i;
        return SL_OK;
    }
    struct sl_philox_words words =
        sl_philox_words_at(sl_random_reserve(s->random, (2048 * (uint64_t)s->n_sampled + 3) / 4));
    if (s->is_unique) return draw_different(to, tries, k, s, &words);
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < s->n_sampled; i++) {
        if (sl_pace_ends(&pace, DRAW_NS)) return SL_CANCELLED;
        to[i] = s->law->draw(s, &words);
    }
    return SL_OK;
}

static sl_code sample(struct sl_kernel_context *k, struct sampler *s) {
    struct sl_view truth = sl_in(k, 0), sampled, true_expected, sampled_expected;
    const int64_t *classes = truth.data;
    int64_t tries;
    SL_TRY(sl_out_new(&sampled, k, 0, (struct sl_shape){1, &s->n_sampled}));
    SL_TRY(sl_out_new(&true_expected, k, 1, sl_view_shape(truth)));
    SL_TRY(sl_out_new(&sampled_expected, k, 2, (struct sl_shape){1, &s->n_sampled}));
    SL_TRY(draw(k, s, sampled, &tries));
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < truth.count; i++) {
        if (sl_pace_ends(&pace, DRAW_NS)) return SL_CANCELLED;
        ((float *)true_expected.data)[i] = expected(s, classes[i], tries);
    }
    for (int64_t i = 0; i < sampled.count; i++) {
        if (sl_pace_ends(&pace, DRAW_NS)) return SL_CANCELLED;
        ((float *)sampled_expected.data)[i] = expected(s, ((const int64_t *)sampled.data)[i], tries);
    }
    if (s->law->learns)
        for (int64_t i = 0; i < truth.count; i++) sl_weight_tree_add(&s->tree, classes[i]);
    return SL_OK;
}

static sl_code sampler_run(struct sl_kernel_context *k) {
    struct sampler *s = k->state;
    struct sl_view truth = sl_in(k, 0);
    const int64_t *classes = truth.data;
    if (truth.rank != 2) return sl_invalid(k, "true_classes must be a matrix");
    if (truth.dims[1] != s->n_true)
        return sl_invalid(k, "true_classes must have num_true columns, expected: %" PRId64 " was: %" PRId64,
                          truth.dims[1], s->n_true);
    if (s->is_unique && s->n_sampled > s->range) return sl_invalid(k, "Sampler's range is too small.");
    for (int64_t i = 0; i < truth.count; i++)
        if (classes[i] < 0 || classes[i] >= s->range)
            return sl_invalid(k, "`true_candidate` out of range [0, %" PRId64 "), received %" PRId64, s->range,
                              classes[i]);
    if (!s->law->learns) return sample(k, s);
    sl_mutex_lock(&s->mutex);
    sl_code code = sample(k, s);
    sl_mutex_unlock(&s->mutex);
    return code;
}

/* ---- accidental hits: drawn classes that are true ones */

struct drawn {
    int64_t class, at;
};
static int by_class(const void *a, const void *b) {
    const struct drawn *x = a, *y = b;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}
/* Where `class` was drawn (the last time); -1: it was not. */
static int64_t place_of(const struct drawn *d, int64_t n, int64_t class) {
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (d[middle].class <= class) low = middle + 1;
        else high = middle;
    }
    return low && d[low - 1].class == class ? d[low - 1].at : -1;
}

static sl_code put_hits(struct sl_kernel_context *k, const struct drawn *d, int64_t n, struct sl_view truth) {
    const int64_t *classes = truth.data;
    int64_t hits = 0;
    for (int64_t i = 0; i < truth.count; i++) hits += place_of(d, n, classes[i]) >= 0;
    struct sl_shape shape = {1, &hits};
    struct sl_view rows, places, weights;
    SL_TRY(sl_out_new(&rows, k, 0, shape));
    SL_TRY(sl_out_new(&places, k, 1, shape));
    SL_TRY(sl_out_new(&weights, k, 2, shape));
    int64_t at = 0;
    for (int64_t i = 0; i < truth.count; i++) {
        int64_t place = place_of(d, n, classes[i]);
        if (place < 0) continue;
        ((int32_t *)rows.data)[at] = (int32_t)(i / truth.dims[1]);
        ((int64_t *)places.data)[at] = place;
        ((float *)weights.data)[at++] = -0x1.fffffep127f;
    }
    return SL_OK;
}

static sl_code hits_run(struct sl_kernel_context *k) {
    struct sl_view truth = sl_in(k, 0), sampled = sl_in(k, 1);
    if (truth.rank != 2 || truth.dims[1] != *(const int64_t *)k->state)
        return sl_invalid(k, "true_candidates must be a batch_size * num_true matrix");
    if (sampled.rank != 1)
        return sl_invalid(k, "sampled_candidates must be a vector, which is typically an output from CandidateSampler");
    size_t bytes = (size_t)sampled.count * sizeof(struct drawn);
    struct drawn *d = sl_scratch_new(bytes + 1);
    if (!d) return sl_fail_memory(k->err, bytes);
    for (int64_t i = 0; i < sampled.count; i++) d[i] = (struct drawn){((const int64_t *)sampled.data)[i], i};
    qsort(d, (size_t)sampled.count, sizeof *d, by_class);
    sl_code code = put_hits(k, d, sampled.count, truth);
    sl_scratch_free(d, bytes + 1);
    return code;
}

static sl_code hits_create(void **state, struct sl_kernel_setup *setup) {
    int64_t *n_true = sl_malloc(sizeof *n_true);
    if (!n_true) return sl_fail_memory(setup->err, sizeof *n_true);
    *state = n_true;
    sl_code code = sl_attr_int(n_true, setup->attrs, "num_true", setup->err);
    if (code != SL_OK) sl_free(n_true);
    return code;
}

#define SAMPLER .create = sampler_create, .destroy = sampler_destroy, .run = sampler_run, .cost_ns = 1000, .data =

/* clang-format off */
const struct sl_kernel_def sl_cpu_candidate_rows[] = {
    KERNEL("AllCandidateSampler", NO_RULE, SAMPLER &all_law)
    KERNEL("UniformCandidateSampler", NO_RULE, SAMPLER &uniform_law)
    KERNEL("LogUniformCandidateSampler", NO_RULE, SAMPLER &log_uniform_law)
    KERNEL("LearnedUnigramCandidateSampler", NO_RULE, SAMPLER &learned_law)
    KERNEL("ThreadUnsafeUnigramCandidateSampler", NO_RULE, SAMPLER &learned_law)
    KERNEL("FixedUnigramCandidateSampler", NO_RULE, SAMPLER &fixed_law)
    KERNEL("ComputeAccidentalHits", NO_RULE, .create = hits_create, .destroy = sl_free, .run = hits_run, .cost_ns = 500)
    SL_ROWS_END
};
/* clang-format on */
