/* EditDistance: between sequences that two sparse tensors hold, one for each position of all dims but the last. The
 * distance is Levenshtein's: the fewest insertions, deletions and replacements. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"

struct sequences {
    struct sl_view indices, values, shape;
};

static sl_code read_sequences(struct sequences *s, struct sl_kernel_context *k, int first, const char *name) {
    s->indices = sl_in(k, first);
    s->values = sl_in(k, first + 1);
    s->shape = sl_in(k, first + 2);
    if (s->indices.rank != 2)
        return sl_invalid(k, "%s_indices should be a matrix, but got shape: %s", name, SHAPE_OF(s->indices));
    if (s->values.rank != 1)
        return sl_invalid(k, "%s_values should be a vector, but got shape: %s", name, SHAPE_OF(s->values));
    if (s->shape.rank != 1)
        return sl_invalid(k, "%s_shape should be a vector, but got shape: %s", name, SHAPE_OF(s->shape));
    if (s->values.count != s->indices.dims[0])
        return sl_invalid(k, "Expected %s_values.NumElements == #rows(%s_indices), their shapes are: %s and %s", name,
                          name, SHAPE_OF(s->values), SHAPE_OF(s->indices));
    if (s->shape.count != s->indices.dims[1])
        return sl_invalid(k, "Expected %s_shape.NumElements == #cols(%s_indices), their shapes are: %s and %s", name,
                          name, SHAPE_OF(s->shape), SHAPE_OF(s->indices));
    if (s->shape.count < 2)
        return sl_invalid(k, "Input SparseTensors must have rank at least 2, but got: %" PRId64, s->shape.count);
    for (int64_t d = 0; d < s->shape.count; d++)
        if (sl_index_at(s->shape, d) < 0)
            return sl_invalid(k, "Dimension %" PRId64 " of %s_shape must be >= 0", sl_index_at(s->shape, d), name);
    return SL_OK;
}

static bool is_same(struct sl_view a, int64_t i, struct sl_view b, int64_t j) {
    size_t size = sl_dtype_size(a.dtype);
    switch (a.dtype) {
    case SL_FLOAT: return ((const float *)a.data)[i] == ((const float *)b.data)[j];
    case SL_DOUBLE: return ((const double *)a.data)[i] == ((const double *)b.data)[j];
    case SL_STRING:
        return sl_str_eq(sl_string_get((const TF_TString *)a.data + i), sl_string_get((const TF_TString *)b.data + j));
    default: return memcmp((const char *)a.data + (size_t)i * size, (const char *)b.data + (size_t)j * size, size) == 0;
    }
}

/* Between a[i, i + n) and b[j, j + m); `row` has room for m + 1. */
static int64_t distance(struct sl_view a, int64_t i, int64_t n, struct sl_view b, int64_t j, int64_t m, int64_t *row,
                        struct sl_pace *pace) {
    for (int64_t c = 0; c <= m; c++) row[c] = c;
    for (int64_t r = 0; r < n && !sl_pace_ends(pace, 5 * (m + 1)); r++) {
        int64_t corner = row[0]; /* of the row above, one to the left */
        row[0] = r + 1;
        for (int64_t c = 0; c < m; c++) {
            int64_t replace = corner + !is_same(a, i + r, b, j + c), insert = row[c] + 1, delete = row[c + 1] + 1;
            corner = row[c + 1];
            int64_t best = insert < delete ? insert : delete;
            row[c + 1] = replace < best ? replace : best;
        }
    }
    return row[m];
}

/* Row of the result that entry `at` belongs to, or -1 when there is none. */
static int64_t place_of(const struct sequences *s, int64_t at, struct sl_view y) {
    const int64_t *entry = (const int64_t *)s->indices.data + at * s->indices.dims[1];
    int64_t place = 0;
    for (int d = 0; d < y.rank; d++) {
        if (entry[d] < 0 || entry[d] >= y.dims[d]) return -1;
        place = place * y.dims[d] + entry[d];
    }
    return place;
}

/* The run of entries of each place: starts[place] and starts[place + 1 ...] are not in order, so each run is a pair. */
struct run {
    int64_t first, n;
};

static sl_code find_runs(struct run *runs, struct sl_kernel_context *k, const struct sequences *s, struct sl_view y) {
    for (int64_t at = 0; at < s->values.count;) {
        int64_t place = place_of(s, at, y), end = at + 1;
        if (place < 0)
            return sl_fail(k->err, SL_INTERNAL,
                           "Entry %" PRId64
                           " would require writing to outside of the buffer for the output tensor (max "
                           "elements %" PRId64 ")",
                           at, y.count);
        while (end < s->values.count && place_of(s, end, y) == place) end++;
        runs[place] = (struct run){at, end - at};
        at = end;
    }
    return SL_OK;
}

static sl_code fill_distances(struct sl_kernel_context *k, const struct sequences *guess, const struct sequences *truth,
                              struct sl_view y, struct run *runs, int64_t *row) {
    struct run *of_guess = runs, *of_truth = runs + y.count;
    memset(runs, 0, 2 * (size_t)y.count * sizeof *runs);
    SL_TRY(find_runs(of_guess, k, guess, y));
    SL_TRY(find_runs(of_truth, k, truth, y));
    bool is_normalized = sl_state_number(k);
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t p = 0; p < y.count; p++) {
        struct run g = of_guess[p], t = of_truth[p];
        if (sl_pace_ends(&pace, 10)) return SL_CANCELLED;
        float d = (float)distance(guess->values, g.first, g.n, truth->values, t.first, t.n, row, &pace);
        if (is_normalized) d = t.n ? d / (float)t.n : g.n ? INFINITY : 0;
        ((float *)y.data)[p] = d;
    }
    return SL_OK;
}

static sl_code edit_distance_run(struct sl_kernel_context *k) {
    struct sequences guess, truth;
    struct sl_view y;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(read_sequences(&guess, k, 0, "hypothesis"));
    SL_TRY(read_sequences(&truth, k, 3, "truth"));
    if (guess.shape.count != truth.shape.count)
        return sl_invalid(k, "Expected hypothesis and truth of the same rank, got %" PRId64 " and %" PRId64,
                          guess.shape.count, truth.shape.count);
    if (truth.shape.count > SL_MAX_RANK) return sl_invalid(k, "too many dimensions: %" PRId64, truth.shape.count);
    int rank = (int)truth.shape.count - 1;
    for (int d = 0; d < rank; d++) {
        int64_t a = sl_index_at(guess.shape, d), b = sl_index_at(truth.shape, d);
        dims[d] = a > b ? a : b;
    }
    SL_TRY(sl_out_new(&y, k, 0, (struct sl_shape){rank, dims}));
    size_t rows_bytes = ((size_t)truth.values.count + 1) * sizeof(int64_t);
    size_t bytes = rows_bytes + 2 * (size_t)y.count * sizeof(struct run);
    int64_t *room = sl_scratch_new(bytes);
    if (!room) return sl_fail_memory(k->err, bytes);
    struct run *runs = (struct run *)(void *)(room + truth.values.count + 1);
    sl_code code = fill_distances(k, &guess, &truth, y, runs, room);
    sl_scratch_free(room, bytes);
    return code;
}

static sl_code edit_distance_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "normalize");
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_edit_distance_rows[] = {
    KERNEL("EditDistance", RULE("T", SL_SET_NUMBERS | SL_SET(BOOL) | SL_SET(STRING)), .run = edit_distance_run, .create = edit_distance_create, .cost_element = 50)
    SL_ROWS_END
};
/* clang-format on */
