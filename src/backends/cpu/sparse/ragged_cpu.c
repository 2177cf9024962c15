/* Ragged tensors: values, and for each ragged dim the splits that say where its rows begin: row r has the values (or
 * rows of the next dim) [splits[r], splits[r + 1]). */
#include <inttypes.h>
#include <math.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/scatter/rows.h"
#include "backends/cpu/sparse/coo.h"
#include "backends/cpu/sparse/ragged.h"
#include "backends/cpu/types.inc"
#include "base/alloc.h"
#include "base/checked.h"
#include "base/vec.h"

#define TYPES (FOR_FLOAT | FOR_DOUBLE | FOR_INT32 | FOR_INT64 | FOR_BFLOAT16)
#define BODY  "backends/cpu/sparse/ragged.inc"
#include "backends/cpu/for_types.inc"

sl_code sl_ragged_check(struct sl_kernel_context *k, struct sl_view splits, int64_t values) {
    if (splits.rank != 1)
        return sl_invalid(k, "Invalid ragged splits: ragged splits must be rank 1 but is rank %d", splits.rank);
    if (splits.count == 0)
        return sl_invalid(k, "Invalid ragged splits: ragged splits must have at least one splits, but is empty");
    int64_t last = sl_index_at(splits, 0);
    if (last)
        return sl_invalid(k, "Invalid ragged splits: first element of ragged splits  must be 0 but is %" PRId64, last);
    for (int64_t i = 1; i < splits.count; i++) {
        int64_t next = sl_index_at(splits, i);
        if (next < last)
            return sl_invalid(k,
                              "Invalid ragged splits: ragged splits must be monotonically increasing, but "
                              "ragged_splits[%" PRId64 "]=%" PRId64 " is smaller than row_splits[%" PRId64 "]=%" PRId64,
                              i, next, i - 1, last);
        last = next;
    }
    if (last == values) return SL_OK;
    return sl_invalid(
        k,
        "Invalid ragged splits: last element of ragged splits must be the number of ragged values(%" PRId64
        ") but is %" PRId64,
        values, last);
}

/* ---- RaggedRange */

#define RANGES(M, ...)                                                                                                 \
    M(FLOAT, __VA_ARGS__) M(DOUBLE, __VA_ARGS__) M(INT32, __VA_ARGS__) M(INT64, __VA_ARGS__) M(BFLOAT16, __VA_ARGS__)
typedef int64_t (*range_count_fn)(const void *start, const void *limit, const void *delta, int64_t most);
typedef void (*range_fill_fn)(void *to, void *next, const void *delta, int64_t n);
static const range_count_fn range_counts[SL_DTYPE_COUNT] = {RANGES(SL_TYPE_ENTRY, range_count)};
static const range_fill_fn range_fills[SL_DTYPE_COUNT] = {RANGES(SL_TYPE_ENTRY, range_fill)};

static bool is_zero(struct sl_view v, int64_t i) {
    switch (v.dtype) {
    case SL_FLOAT: return ((const float *)v.data)[i] == 0;
    case SL_DOUBLE: return ((const double *)v.data)[i] == 0;
    case SL_BFLOAT16: return (((const uint16_t *)v.data)[i] & 0x7fff) == 0;
    default: return sl_index_at(v, i) == 0;
    }
}

/* Scalars stand for all rows; gives the number of rows. */
static sl_code range_rows(int64_t *rows, struct sl_kernel_context *k) {
    static const char *const names[] = {"starts", "limits", "deltas"};
    *rows = -1;
    for (int i = 0; i < 3; i++) {
        struct sl_view v = sl_in(k, i);
        if (v.rank > 1) return sl_invalid(k, "%s must be a scalar or vector", names[i]);
        if (v.rank == 0) continue;
        if (*rows >= 0 && *rows != v.count) return sl_invalid(k, "starts, limits, and deltas must have the same shape");
        *rows = v.count;
    }
    if (*rows < 0) *rows = 1;
    return SL_OK;
}

static const void *row_of(struct sl_view v, int64_t r) { return sl_element(v.data, v.dtype, v.rank ? r : 0); }

static sl_code range_run(struct sl_kernel_context *k) {
    enum { PIECE = 4096 };
    struct sl_view start = sl_in(k, 0), limit = sl_in(k, 1), delta = sl_in(k, 2), splits, out;
    int64_t rows, at = 0;
    SL_TRY(range_rows(&rows, k));
    int64_t ends = rows + 1;
    SL_TRY(sl_out_new(&splits, k, 0, (struct sl_shape){1, &ends}));
    int64_t most = splits.dtype == SL_INT32 ? INT32_MAX : INT64_MAX;
    sl_indices_store(splits, 0, &at, 1);
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t r = 0; r < rows; r++) {
        if (sl_pace_ends(&pace, 10)) return SL_CANCELLED;
        if (is_zero(delta, delta.rank ? r : 0)) return sl_invalid(k, "Requires delta != 0");
        int64_t n = range_counts[start.dtype](row_of(start, r), row_of(limit, r), row_of(delta, r), most);
        if (n < 0) return sl_invalid(k, "Requires ((limit - start) / delta) <= %" PRId64, most);
        if (n > most - at)
            return sl_invalid(k, "The total range size overflowed. Consider using int64 instead of int32 for "
                                 "row_splits_dtype.");
        at += n;
        sl_indices_store(splits, r + 1, &at, 1);
    }
    SL_TRY(sl_out_new(&out, k, 1, (struct sl_shape){1, &at}));
    for (int64_t r = 0; r < rows; r++) {
        const int64_t begin = sl_index_at(splits, r), end = sl_index_at(splits, r + 1);
        if (sl_pace_ends(&pace, 10)) return SL_CANCELLED;
        uint64_t next = 0; /* of any type */
        memcpy(&next, row_of(start, r), sl_dtype_size(start.dtype));
        for (int64_t i = begin; i < end; i += PIECE) {
            const int64_t n = end - i < PIECE ? end - i : PIECE;
            if (sl_pace_ends(&pace, n)) return SL_CANCELLED;
            range_fills[start.dtype](sl_element(out.data, out.dtype, i), &next, row_of(delta, r), n);
        }
    }
    return SL_OK;
}

/* ---- RaggedGather */

struct span {
    int64_t begin, end;
};
struct gathering {
    SL_VEC(struct span) spans; /* of values, in the order of the result */
    SL_VEC(int64_t) splits;    /* of the dim just made */
    struct span *rows;         /* of the dim before: its rows in the order of the result */
    int64_t n_rows;
};

static sl_code check_splits(struct sl_kernel_context *k, struct sl_view splits, int64_t values) {
    if (splits.rank != 1 || splits.count == 0) return sl_invalid(k, "Splits may not be empty");
    int64_t last = sl_index_at(splits, 0);
    if (last < 0) return sl_invalid(k, "Ragged splits must be non-negative");
    for (int64_t i = 1; i < splits.count; i++) {
        int64_t end = sl_index_at(splits, i);
        if (end < last) return sl_invalid(k, "Ragged splits must be sorted");
        last = end;
    }
    return last > values ? sl_invalid(k, "Ragged splits must not point past values") : SL_OK;
}

static sl_code put_splits(struct sl_kernel_context *k, int o, const int64_t *splits, int64_t n) {
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){1, &n}));
    sl_indices_store(out, 0, splits, n);
    return SL_OK;
}

/* Each element of the rows (spans of rows of this dim) becomes a row of the result; the spans that it has in the
 * next dim are kept. */
static sl_code gather_dim(struct gathering *g, struct sl_kernel_context *k, struct sl_view splits) {
    int64_t at = 0;
    g->splits.n = 0;
    g->spans.n = 0;
    int failed = sl_vec_push(&g->splits, 0);
    for (int64_t r = 0; r < g->n_rows && !failed; r++)
        for (int64_t i = g->rows[r].begin; i < g->rows[r].end && !failed; i++) {
            struct span s = {sl_index_at(splits, i), sl_index_at(splits, i + 1)};
            at += s.end - s.begin;
            failed = sl_vec_push(&g->splits, at) || sl_vec_push(&g->spans, s);
        }
    return failed ? sl_fail_memory(k->err, g->splits.n * sizeof(int64_t)) : SL_OK;
}

/* The values of all spans, one behind the other. */
static sl_code gather_values(struct gathering *g, struct sl_kernel_context *k, int o) {
    struct sl_view values = sl_in(k, sl_in_count(k) - 2), out;
    int64_t dims[SL_MAX_RANK], rows = 0, inner = sl_dims_product(values.dims, 1, values.rank), place = 0;
    for (int64_t r = 0; r < g->n_rows; r++) rows += g->rows[r].end - g->rows[r].begin;
    memcpy(dims, values.dims, (size_t)values.rank * sizeof *dims);
    dims[0] = rows;
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){values.rank, dims}));
    for (int64_t r = 0; r < g->n_rows; r++) {
        int64_t n = (g->rows[r].end - g->rows[r].begin) * inner;
        SL_TRY(sl_elements_copy(out.dtype, sl_element(out.data, out.dtype, place),
                                sl_element(values.data, out.dtype, g->rows[r].begin * inner), n, k->err));
        place += n;
    }
    return SL_OK;
}

static sl_code gather_dims(struct gathering *g, struct sl_kernel_context *k) {
    struct sl_view indices = sl_in(k, sl_in_count(k) - 1);
    int params = sl_in_count(k) - 2, o = 0;
    for (int d = 1; d < indices.rank;
         d++, o++) { /* the dims of the indices but the last become ragged ones, all rows alike */
        struct sl_view out;
        int64_t rows, last = 0, at = 0;
        SL_TRY(sl_shape_count(&rows, (struct sl_shape){d, indices.dims}, k->err));
        if (!sl_mul_i64(&last, rows, indices.dims[d]) || rows == INT64_MAX)
            return sl_invalid(k, "indices have too many rows: %s", SHAPE_OF(indices));
        rows++;
        SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){1, &rows}));
        for (int64_t r = 0; r < rows; r++, at += indices.dims[d]) sl_indices_store(out, r, &at, 1);
    }
    for (int p = 0; p < params; p++) {
        SL_TRY(gather_dim(g, k, sl_in(k, p)));
        if (p > 0 || indices.rank > 0) SL_TRY(put_splits(k, o++, g->splits.items, (int64_t)g->splits.n));
        sl_free(g->rows);
        g->rows = g->spans.items;
        g->n_rows = (int64_t)g->spans.n;
        g->spans.items = NULL;
        g->spans.n = g->spans.cap = 0;
    }
    return gather_values(g, k, o);
}

static sl_code gather_check(struct sl_kernel_context *k) {
    int params = sl_in_count(k) - 2;
    struct sl_view values = sl_in(k, params), indices = sl_in(k, params + 1);
    if (values.rank < 1) return sl_invalid(k, "params.rank must be nonzero");
    for (int p = 0; p < params; p++)
        SL_TRY(check_splits(k, sl_in(k, p), p + 1 < params ? sl_in(k, p + 1).count - 1 : values.dims[0]));
    if (sl_out_count(k) - 1 != params + indices.rank - 1)
        return sl_invalid(k, "OUTPUT_RAGGED_RANK must be %d, got %d", params + indices.rank - 1, sl_out_count(k) - 1);
    int64_t rows = sl_in(k, 0).count - 1;
    for (int64_t i = 0; i < indices.count; i++) {
        int64_t row = sl_index_at(indices, i);
        if (row < 0 || row >= rows)
            return sl_invalid(k, "indices[%" PRId64 "] = %" PRId64 " is not in [0, %" PRId64 ")", i, row, rows);
    }
    return SL_OK;
}

static sl_code gather_run(struct sl_kernel_context *k) {
    struct gathering g = {0};
    struct sl_view indices = sl_in(k, sl_in_count(k) - 1);
    SL_TRY(gather_check(k));
    g.n_rows = indices.count;
    g.rows = sl_malloc((size_t)(g.n_rows ? g.n_rows : 1) * sizeof *g.rows);
    if (!g.rows) return sl_fail_memory(k->err, (size_t)g.n_rows * sizeof *g.rows);
    for (int64_t i = 0; i < g.n_rows; i++) {
        int64_t row = sl_index_at(indices, i);
        g.rows[i] = (struct span){row, row + 1};
    }
    sl_code code = gather_dims(&g, k);
    sl_free(g.rows);
    sl_vec_free(&g.spans);
    sl_vec_free(&g.splits);
    return code;
}

/* ---- RaggedTensorToSparse */

static sl_code check_nested(struct sl_kernel_context *k, int ragged) {
    struct sl_view values = sl_in(k, ragged);
    if (values.rank < 1) return sl_invalid(k, "rt_dense_values must have rank at least 1");
    for (int p = 0; p < ragged; p++) {
        struct sl_view splits = sl_in(k, p);
        if (splits.rank != 1 || splits.count == 0) return sl_invalid(k, "ragged splits may not be empty.");
        if (sl_index_at(splits, 0)) return sl_invalid(k, "First value of ragged splits must be 0.");
        for (int64_t i = 1; i < splits.count; i++)
            if (sl_index_at(splits, i) < sl_index_at(splits, i - 1))
                return sl_invalid(k,
                                  "Ragged splits should be non decreasing, but we got %" PRId64 " followed by %" PRId64,
                                  sl_index_at(splits, i - 1), sl_index_at(splits, i));
        int64_t next = p + 1 < ragged ? sl_in(k, p + 1).count - 1 : values.dims[0];
        if (sl_index_at(splits, splits.count - 1) != next)
            return sl_invalid(k, "Final value of ragged splits must match the length the corresponding ragged values.");
    }
    if (ragged + values.rank > SL_MAX_RANK) return sl_invalid(k, "rank of the result is more than %d", SL_MAX_RANK);
    return SL_OK;
}

static void sparse_dims(int64_t *dims, struct sl_kernel_context *k, int ragged) {
    struct sl_view values = sl_in(k, ragged);
    dims[0] = sl_in(k, 0).count - 1;
    for (int p = 0; p < ragged; p++) {
        struct sl_view splits = sl_in(k, p);
        dims[p + 1] = 0;
        for (int64_t i = 1; i < splits.count; i++) {
            int64_t n = sl_index_at(splits, i) - sl_index_at(splits, i - 1);
            if (n > dims[p + 1]) dims[p + 1] = n;
        }
    }
    for (int d = 1; d < values.rank; d++) dims[ragged + d] = values.dims[d];
}

static sl_code to_sparse_run(struct sl_kernel_context *k) {
    int ragged = sl_in_count(k) - 1;
    int64_t dims[SL_MAX_RANK], row[SL_MAX_RANK] = {0};
    SL_TRY(check_nested(k, ragged));
    struct sl_view values = sl_in(k, ragged);
    struct sl_coo_out out;
    int rank = ragged + values.rank;
    sparse_dims(dims, k, ragged);
    SL_TRY(sl_coo_out(&out, k, 0, values.count, rank, dims));
    int64_t inner = sl_dims_product(values.dims, 1, values.rank), *at = out.indices;
    for (int64_t v = 0; v < values.dims[0] && inner; v++) {
        int64_t i = v;
        for (int p = ragged - 1; p >= 0;
             p--) { /* the row that holds i: rows only go forward, so the last one is a good guess */
            struct sl_view splits = sl_in(k, p);
            while (sl_index_at(splits, row[p] + 1) <= i) row[p]++;
            at[p + 1] = i - sl_index_at(splits, row[p]);
            i = row[p];
        }
        at[0] = i;
        for (int64_t e = 0; e < inner; e++, at += rank) {
            if (e) memcpy(at, at - rank * e, (size_t)(ragged + 1) * sizeof *at);
            int64_t rest = e;
            for (int d = values.rank - 1; d > 0; d--) {
                at[ragged + d] = rest % values.dims[d];
                rest /= values.dims[d];
            }
        }
    }
    return sl_elements_copy(values.dtype, out.values.data, values.data, values.count, k->err);
}

/* ---- RaggedTensorToTensor: every partition becomes the place of its rows in the result */

enum partition { FIRST_DIM_SIZE, VALUE_ROWIDS, ROW_SPLITS };
struct to_tensor_state {
    int n;
    uint8_t types[];
};

static sl_code to_tensor_create(void **state, struct sl_kernel_setup *setup) {
    static const char *const names[] = {"FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"};
    const struct sl_str *types;
    int n;
    SL_TRY(sl_attr_string_list(&types, &n, setup->attrs, "row_partition_types", setup->err));
    if (n != setup->n_in - 3)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "row_partition_types has %d elements for %d tensors", n,
                       setup->n_in - 3);
    struct to_tensor_state *s = sl_malloc(sizeof *s + (size_t)n);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    s->n = n;
    for (int i = 0; i < n; i++) {
        s->types[i] = 0;
        while (s->types[i] < 3 && !sl_str_is(types[i], names[s->types[i]])) s->types[i]++;
        if (s->types[i] < 3 && (s->types[i] != FIRST_DIM_SIZE || (i == 0 && n > 1))) continue;
        sl_free(s);
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Unknown string for partition info type: %.*s",
                       SL_STR_ARG(types[i]));
    }
    if (s->types[0] != VALUE_ROWIDS) {
        *state = s;
        return SL_OK;
    }
    sl_free(s);
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Cannot handle VALUE_ROWIDS in first dimension");
}

struct to_tensor {
    const struct to_tensor_state *s;
    int first, ragged;         /* input of the first partition; ragged dims */
    int64_t dims[SL_MAX_RANK]; /* of the result */
    int rank;
    struct sl_view values;
};

/* Rows that the partitions of dim `d` (0: the first) split into; -1 when it says nothing. */
static sl_code first_rows(int64_t *rows, const struct to_tensor *t, struct sl_kernel_context *k) {
    struct sl_view v = sl_in(k, 3);
    if (v.count == 0) return sl_invalid(k, "Invalid first partition input. Tensor requires at least one element.");
    *rows = t->s->types[0] == FIRST_DIM_SIZE ? sl_index_at(v, 0) : v.count - 1;
    return *rows < 0 ? sl_invalid(k, "first dimension size must be non-negative, got %" PRId64, *rows) : SL_OK;
}

/* Checks partition `p` of `rows` rows, of which the next dim has `*next`. `*widest`: its longest row. */
static sl_code check_partition(int64_t *next, int64_t *widest, struct sl_kernel_context *k, enum partition type,
                               struct sl_view v, int64_t rows) {
    int64_t run = 0;
    *widest = 0;
    if (v.rank != 1) return sl_invalid(k, "row partitions must be vectors, got shape %s", SHAPE_OF(v));
    if (type == ROW_SPLITS) {
        if (v.count != rows + 1 || sl_index_at(v, 0)) return sl_invalid(k, "Invalid row split size.");
        for (int64_t r = 0; r < rows; r++) {
            int64_t n = sl_index_at(v, r + 1) - sl_index_at(v, r);
            if (n < 0) return sl_invalid(k, "Invalid row split size.");
            if (n > *widest) *widest = n;
        }
        *next = sl_index_at(v, rows);
        return SL_OK;
    }
    for (int64_t i = 0; i < v.count; i++) {
        int64_t row = sl_index_at(v, i);
        if (row < 0 || row >= rows)
            return sl_invalid(k, "Got next_value_rowid=%" PRId64 " which is not less than %" PRId64, row, rows);
        if (i && row < sl_index_at(v, i - 1)) return sl_invalid(k, "value_rowids must be sorted");
        run = i && row == sl_index_at(v, i - 1) ? run + 1 : 1;
        if (run > *widest) *widest = run;
    }
    *next = v.count;
    return SL_OK;
}

/* "[1,?,4]": the shape that is asked for. */
static const char *wanted_text(char text[SL_SHAPE_TEXT], struct sl_view shape) {
    int64_t dims[SL_MAX_RANK];
    int n = shape.count < SL_MAX_RANK ? (int)shape.count : SL_MAX_RANK;
    sl_indices_load(dims, shape, 0, n);
    return sl_shape_text(text, (struct sl_shape){n, dims});
}

/* Asked for dims: -1, or a scalar -1 for all, means as large as it must be. */
static sl_code asked_dims(struct to_tensor *t, struct sl_kernel_context *k) {
    struct sl_view shape = sl_in(k, 0);
    char text[SL_SHAPE_TEXT];
    t->rank = t->ragged + t->values.rank;
    if (t->rank > SL_MAX_RANK) return sl_invalid(k, "rank of the result is more than %d", SL_MAX_RANK);
    for (int d = 0; d < t->rank; d++) t->dims[d] = -1;
    if (shape.rank == 0) {
        if (sl_index_at(shape, 0) != -1)
            return sl_invalid(k, "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
    } else {
        if (shape.rank != 1) return sl_invalid(k, "Shape must be at most rank 1 but is rank %d", shape.rank);
        if (shape.count != t->rank)
            return sl_invalid(
                k, "rt_input.shape and shape=%s are incompatible: rt_input.rank = %d but shape.rank = %" PRId64,
                wanted_text(text, shape), t->rank, shape.count);
        for (int d = 0; d < t->rank; d++) {
            t->dims[d] = sl_index_at(shape, d);
            if (t->dims[d] < -1) return sl_invalid(k, "Dimension %" PRId64 " must be >= 0", t->dims[d]);
        }
    }
    for (int d = 1; d < t->values.rank; d++) {
        int64_t *dim = &t->dims[t->ragged + d], n = t->values.dims[d];
        if (*dim >= 0 && *dim != n)
            return sl_invalid(k,
                              "rt_input.shape and shape=%s are incompatible: rt_input.shape[%d] = %" PRId64
                              " but shape[%d] = %" PRId64,
                              wanted_text(text, shape), t->ragged + d, n, t->ragged + d, *dim);
        *dim = n;
    }
    return SL_OK;
}

static sl_code measure(struct to_tensor *t, struct sl_kernel_context *k) {
    int64_t rows, widest;
    SL_TRY(first_rows(&rows, t, k));
    if (t->dims[0] < 0) t->dims[0] = rows;
    for (int p = 0; p < t->ragged; p++) {
        int64_t next = 0;
        SL_TRY(check_partition(&next, &widest, k, t->s->types[t->first + p], sl_in(k, 3 + t->first + p), rows));
        if (t->dims[p + 1] < 0) t->dims[p + 1] = widest;
        rows = next;
    }
    if (rows > t->values.dims[0])
        return sl_invalid(k, "row partitions have %" PRId64 " values, but there are %" PRId64, rows, t->values.dims[0]);
    return SL_OK;
}

/* places[i] of the values, in rows of the result; -1 for what is cut off. The room is for as many as any dim has
 * rows, twice. */
static int64_t find_places(int64_t **places, const struct to_tensor *t, struct sl_kernel_context *k, int64_t *room,
                           int64_t most) {
    int64_t *from = room, *to = room + most, rows;
    struct sl_pace pace = sl_pace_of(k);
    *places = room;
    (void)first_rows(&rows, t, k);
    for (int64_t r = 0; r < rows && !sl_pace_ends(&pace, 1); r++) from[r] = r < t->dims[0] ? r : -1;
    for (int p = 0; p < t->ragged; p++) {
        struct sl_view v = sl_in(k, 3 + t->first + p);
        bool is_splits = t->s->types[t->first + p] == ROW_SPLITS;
        int64_t n = is_splits ? sl_index_at(v, rows) : v.count, row = 0, at = 0, width = t->dims[p + 1];
        for (int64_t i = 0; i < n; i++, at++) {
            int64_t mine = row;
            if (sl_pace_ends(&pace, 4)) return 0;
            if (is_splits)
                while (i >= sl_index_at(v, mine + 1)) mine++;
            else mine = sl_index_at(v, i);
            if (mine != row || i == 0) at = 0;
            row = mine;
            to[i] = from[row] >= 0 && at < width ? from[row] * width + at : -1;
        }
        int64_t *swapped = from;
        from = to;
        to = swapped;
        rows = n;
    }
    *places = from;
    return rows;
}

/* Fills the result with the default, repeated along the dims it does not have. */
static sl_code fill_default(struct sl_kernel_context *k, struct sl_view out, const struct to_tensor *t) {
    struct sl_view v = sl_in(k, 2);
    int64_t strides[SL_MAX_RANK];
    int lead = out.rank - v.rank;
    if (v.rank > t->values.rank - 1 && v.rank > 0)
        return sl_invalid(k,
                          "default_value.shape=%s and rt_input.flat_values.shape=%s are incompatible: "
                          "default_value.rank = %d  must be less than rt_input.flat_values.rank = %d",
                          SHAPE_OF(v), SHAPE_OF(t->values), v.rank, t->values.rank);
    for (int d = 0; d < v.rank; d++)
        if (v.dims[d] != 1 && v.dims[d] != out.dims[lead + d])
            return sl_invalid(k,
                              "default_value.shape=%s and rt_input.flat_values.shape=%s are incompatible: "
                              "default_value.shape[%d] = %" PRId64 " but rt_input.flat_values.shape[%d] = %" PRId64,
                              SHAPE_OF(v), SHAPE_OF(t->values), d - v.rank, v.dims[d], d - v.rank, out.dims[lead + d]);
    struct sl_move m = sl_move_start();
    sl_strides_of(strides, v.rank, v.dims);
    int64_t to = out.count;
    for (int d = 0; d < out.rank && out.count; d++) {
        to /= out.dims[d];
        if (out.dims[d] != 1)
            sl_move_dim(&m, out.dims[d], to, d < lead || v.dims[d - lead] == 1 ? 0 : strides[d - lead]);
    }
    return out.count ? sl_move_run(k, &m, out.dtype, out.data, v.data) : SL_OK;
}

static sl_code to_tensor_run(struct sl_kernel_context *k) {
    struct to_tensor t = {.s = k->state, .values = sl_in(k, 1)};
    struct sl_view out;
    t.first = t.s->types[0] == FIRST_DIM_SIZE;
    t.ragged = t.s->n - t.first;
    if (t.values.rank < 1) return sl_invalid(k, "values must have rank at least 1");
    SL_TRY(asked_dims(&t, k));
    SL_TRY(measure(&t, k));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){t.rank, t.dims}));
    SL_TRY(fill_default(k, out, &t));
    int64_t most = 0, inner = sl_dims_product(t.values.dims, 1, t.values.rank), *places;
    (void)first_rows(&most, &t, k);
    for (int p = 0; p < t.ragged; p++) {
        struct sl_view v = sl_in(k, 3 + t.first + p);
        int64_t n = t.s->types[t.first + p] == ROW_SPLITS ? sl_index_at(v, v.count - 1) : v.count;
        if (n > most) most = n;
    }
    if (out.count == 0) return SL_OK;
    if (most > INT64_MAX / 32) return sl_fail_memory(k->err, SIZE_MAX);
    int64_t *room = sl_coo_scratch(2 * most);
    if (!room) return sl_fail_memory(k->err, sl_coo_bytes(2 * most));
    int64_t n = find_places(&places, &t, k, room, most);
    sl_code code = sl_rows_put(out.dtype, out.data, t.values.data, places, n, inner, inner, inner, k->err);
    sl_scratch_free(room, sl_coo_bytes(2 * most));
    return code;
}

#define INDEX        (SL_SET(INT32) | SL_SET(INT64))
#define RANGE_TYPES  (SL_SET(BFLOAT16) | SL_SET(FLOAT) | SL_SET(DOUBLE) | INDEX)
#define COST(op_run) .run = op_run, .cost_ns = 200, .cost_element = 4
/* clang-format off */
const struct sl_kernel_def sl_cpu_ragged_rows[] = {
    KERNEL("RaggedRange", RULE("T", RANGE_TYPES) RULE("Tsplits", INDEX), COST(range_run))
    KERNEL("RaggedGather", RULE("Tvalues", SL_SET_ALL) RULE("Tindices", INDEX) RULE("Tsplits", INDEX), COST(gather_run))
    KERNEL("RaggedTensorToSparse", RULE("T", SL_SET_ALL) RULE("Tsplits", INDEX), COST(to_sparse_run))
    KERNEL("RaggedTensorToTensor", RULE("T", SL_SET_ALL) RULE("Tindex", INDEX), COST(to_tensor_run), .create = to_tensor_create, .destroy = sl_free)
    SL_ROWS_END
};
/* clang-format on */
