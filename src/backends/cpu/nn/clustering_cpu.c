/* What clustering by k-means starts from, and nearest neighbours. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "kernel/philox.h"

static sl_code read_scalar(int64_t *to, struct sl_kernel_context *k, int i, const char *name) {
    struct sl_view v = sl_in(k, i);
    if (v.rank) return sl_invalid(k, "Input %s should be a scalar, got shape %s", name, SHAPE_OF(v));
    *to = sl_index_at(v, 0);
    return SL_OK;
}
/* A step of a Markov chain whose samples are in proportion to distances (Bachem and others 2016): it moves to the
 * next element as often as that is farther. */
static sl_code chain_run(struct sl_kernel_context *k) {
    struct sl_view distances = sl_in(k, 0), y;
    int64_t seed, at = 0;
    if (distances.rank != 1) return sl_invalid(k, "Input distances should be a vector.");
    if (distances.count == 0) return sl_invalid(k, "Input distances should not be empty.");
    SL_TRY(read_scalar(&seed, k, 1, "seed"));
    const float *d = distances.data;
    struct sl_philox_words words = sl_philox_words_at(sl_philox_at((uint64_t)seed, 0, 0));
    for (int64_t i = 1; i < distances.count; i++)
        if (d[i] > sl_uniform_float(sl_philox_word(&words)) * d[at]) at = i;
    SL_TRY(sl_out_new(&y, k, 0, SL_SHAPE_SCALAR));
    *(int64_t *)y.data = at;
    return SL_OK;
}

/* k-means++ (Arthur and Vassilvitskii 2007), greedy: of several points drawn in proportion to their squared
 * distances from those chosen, the one that leaves the least of them. */
struct seeding {
    const float *points;
    int64_t n, dim;
    double *nearest, *sums, *trial; /* squared distance from the chosen; running sums; the same with one more point */
    struct sl_philox_words words;
};
enum { MOST_RETRIES = 1 << 20 };

/* trial = the distances with point `p` chosen too; gives their sum. */
static double try_point(struct seeding *s, int64_t p) {
    double sum = 0;
    for (int64_t i = 0; i < s->n; i++) {
        float length = 0;
        for (int64_t d = 0; d < s->dim; d++) {
            float step = s->points[i * s->dim + d] - s->points[p * s->dim + d];
            length += step * step;
        }
        s->trial[i] = (double)length < s->nearest[i] ? (double)length : s->nearest[i];
        sum += s->trial[i];
    }
    return sum;
}

/* The best of some points: any of all for the first, and from then on those far away more often. */
static int64_t draw_point(struct seeding *s, struct sl_kernel_context *k, int64_t tries, bool is_first) {
    int64_t best = 0;
    double least = INFINITY, sum = 0;
    for (int64_t i = 0; i < s->n; i++) s->sums[i] = sum += s->nearest[i];
    for (int64_t t = 0; t < tries && !sl_kernel_is_cancelled(k); t++) {
        int64_t p = 0;
        if (is_first) {
            p = (int64_t)sl_philox_below64(&s->words, (uint64_t)s->n);
        } else {
            double target = (double)sl_uniform_float(sl_philox_word(&s->words)) * sum;
            while (p + 1 < s->n && !(s->sums[p] >= target)) p++;
        }
        double left = try_point(s, p);
        if (left < least) {
            least = left;
            best = p;
        }
    }
    return best;
}

static sl_code seeding_run(struct sl_kernel_context *k) {
    struct sl_view points = sl_in(k, 0), y;
    int64_t wanted, seed, retries;
    if (points.rank != 2) return sl_invalid(k, "Input points should be a matrix.");
    SL_TRY(read_scalar(&wanted, k, 1, "num_to_sample"));
    SL_TRY(read_scalar(&seed, k, 2, "seed"));
    SL_TRY(read_scalar(&retries, k, 3, "num_retries_per_sample"));
    struct seeding s = {.points = points.data, .n = points.dims[0], .dim = points.dims[1]};
    if (wanted <= 0) return sl_invalid(k, "Expected num_to_sample > 0, got %" PRId64, wanted);
    if (s.n <= 0) return sl_invalid(k, "Expected points.rows() > 0.");
    if (wanted > s.n)
        return sl_invalid(k, "Expected num_to_sample <= points.rows(). %" PRId64 " vs %" PRId64 ".", wanted, s.n);
    if (retries < 0) retries = 2 + (int64_t)log((double)wanted);
    if (retries > MOST_RETRIES)
        return sl_invalid(k, "num_retries_per_sample is %" PRId64 ", more than %d", retries, MOST_RETRIES);
    size_t bytes = 3 * (size_t)s.n * sizeof(double);
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){2, (int64_t[]){wanted, s.dim}}));
    s.nearest = sl_scratch_new(bytes);
    if (!s.nearest) return sl_fail_memory(k->err, bytes);
    s.sums = s.nearest + s.n;
    s.trial = s.sums + s.n;
    s.words = sl_philox_words_at(sl_philox_at((uint64_t)seed, 0, 0));
    for (int64_t i = 0; i < s.n; i++) s.nearest[i] = INFINITY;
    for (int64_t i = 0; i < wanted && !sl_kernel_is_cancelled(k); i++) {
        int64_t p = draw_point(&s, k, retries + 1, i == 0);
        try_point(&s, p);
        memcpy(s.nearest, s.trial, (size_t)s.n * sizeof *s.nearest);
        if (s.dim) memcpy((float *)y.data + i * s.dim, s.points + p * s.dim, (size_t)s.dim * sizeof(float));
    }
    sl_scratch_free(s.nearest, bytes);
    return SL_OK;
}

struct neighbours {
    struct sl_view points, centers, indices, distances;
    int64_t k;
};

/* Rows [begin, end): the k nearest centers, nearest first, the first of those alike. */
static void find_nearest(void *arg, int64_t begin, int64_t end) {
    const struct neighbours *n = arg;
    int64_t dim = n->points.dims[1];
    for (int64_t p = begin; p < end; p++) {
        const float *x = (const float *)n->points.data + p * dim, *c = n->centers.data;
        int64_t *to = (int64_t *)n->indices.data + p * n->k, used = 0;
        float *lengths = (float *)n->distances.data + p * n->k;
        for (int64_t i = 0; i < n->centers.dims[0]; i++, c += dim) {
            float length = 0;
            for (int64_t d = 0; d < dim; d++) length += (x[d] - c[d]) * (x[d] - c[d]);
            if (used == n->k && !(length < lengths[used - 1])) continue;
            int64_t at = used < n->k ? used++ : used - 1;
            for (; at > 0 && length < lengths[at - 1]; at--) {
                to[at] = to[at - 1];
                lengths[at] = lengths[at - 1];
            }
            to[at] = i;
            lengths[at] = length;
        }
    }
}

static sl_code nearest_run(struct sl_kernel_context *k) {
    struct neighbours n = {.points = sl_in(k, 0), .centers = sl_in(k, 1)};
    if (n.points.rank != 2) return sl_invalid(k, "Input points should be a matrix.");
    if (n.centers.rank != 2) return sl_invalid(k, "Input centers should be a matrix.");
    if (n.points.dims[1] != n.centers.dims[1])
        return sl_invalid(k, "Expected point_dimensions == center_dimensions: %" PRId64 " vs %" PRId64 ".",
                          n.points.dims[1], n.centers.dims[1]);
    if (n.points.dims[0] <= 0) return sl_invalid(k, "Expected points.rows() > 0.");
    SL_TRY(read_scalar(&n.k, k, 2, "k"));
    if (n.k < 0) return sl_invalid(k, "k must be at least 0, got %" PRId64, n.k);
    if (n.k > n.centers.dims[0]) n.k = n.centers.dims[0];
    const struct sl_shape shape = {2, (int64_t[]){n.points.dims[0], n.k}};
    SL_TRY(sl_out_new(&n.indices, k, 0, shape));
    SL_TRY(sl_out_new(&n.distances, k, 1, shape));
    if (n.k) sl_kernel_split(k, n.points.dims[0], 2 * (double)n.centers.count + 10, find_nearest, &n);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_clustering_rows[] = {
    KERNEL("KMC2ChainInitialization", NO_RULE, .run = chain_run, .cost_element = 3)
    KERNEL("KmeansPlusPlusInitialization", NO_RULE, .run = seeding_run, .cost_element = 100)
    KERNEL("NearestNeighbors", NO_RULE, .run = nearest_run, .cost_element = 100)
    SL_ROWS_END
};
/* clang-format on */
