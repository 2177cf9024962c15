/* Crosses of features: for each row all combinations of one value from every column, joined as text or hashed.
 * Columns are sparse, dense or ragged; a row of a column is a run of places in its values. The last column changes
 * fastest. */
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/sparse/coo.h"
#include "backends/cpu/sparse/ragged.h"
#include "base/arena.h"
#include "base/checked.h"
#include "formats/string_hash.h"
#include "formats/text.h"

struct column {
    struct sl_view values;
    int64_t width;         /* dense: values of a row */
    const int64_t *starts; /* sparse and ragged: where each row begins; rows + 1 of them */
    const int64_t *order;  /* sparse: entries by row; NULL: as they stand */
};

enum hash { NO_HASH, CHAINED, PLAIN, KEYED }; /* CHAINED begins with the key, PLAIN and KEYED with the first value */

struct crossing {
    struct sl_kernel_context *k;
    struct sl_arena arena;
    struct column *columns;
    int n;
    int64_t rows; /* -1: not known yet */
    enum hash hash;
    int type; /* SL_STRING: all values must be strings */
    uint64_t key[2];
    int64_t buckets; /* below 1: as many as an int64 has */
    struct sl_str separator;
};

/* ---- columns */

static sl_code add_column(struct column **out, struct crossing *c, struct sl_view values, int64_t rows) {
    if (c->rows >= 0 && c->rows != rows)
        return sl_invalid(c->k, "Expected batch size %" PRId64 " got %" PRId64 " at position %d", c->rows, rows, c->n);
    if (values.dtype != SL_INT64 && values.dtype != SL_STRING)
        return sl_invalid(c->k, "Input values should be a string or int64");
    if (c->type == SL_STRING && values.count && values.dtype != c->type)
        return sl_invalid(c->k, "Input values should be of internal type %d but received %d", c->type, values.dtype);
    c->rows = rows;
    *out = &c->columns[c->n++];
    (*out)->values = values;
    return SL_OK;
}

/* Column number c->n, which comes as a sparse tensor. */
static sl_code check_sparse(const struct crossing *c, struct sl_view indices, struct sl_view values,
                            struct sl_view shape) {
    struct sl_kernel_context *k = c->k;
    if (indices.rank != 2)
        return sl_invalid(k, "Input indices should be a matrix but received shape %s at position %d", SHAPE_OF(indices),
                          c->n);
    if (indices.dims[1] != 2)
        return sl_invalid(k, "Expected D2 of index to be 2 got %" PRId64 " at position %d", indices.dims[1], c->n);
    if (values.rank != 1)
        return sl_invalid(k, "Input values should be a vector but received shape %s at position %d", SHAPE_OF(values),
                          c->n);
    if (values.count != indices.dims[0])
        return sl_invalid(k, "Expected size of values to be %" PRId64 " got %" PRId64 " at position %d",
                          indices.dims[0], values.count, c->n);
    if (shape.rank != 1)
        return sl_invalid(k, "Input shapes should be a vector but received shape %s at position %d", SHAPE_OF(shape),
                          c->n);
    if (shape.count != 2)
        return sl_invalid(k, "shape should imply a 2D tensor, but got %s at position %d", SHAPE_OF(shape), c->n);
    return SL_OK;
}

static sl_code add_sparse(struct crossing *c, struct sl_view indices, struct sl_view values, struct sl_view shape) {
    struct sl_coo t;
    struct column *column = NULL;
    SL_TRY(check_sparse(c, indices, values, shape));
    SL_TRY(sl_coo_of(&t, c->k, indices, values, shape));
    if (t.dims[0] < 0 || t.dims[0] > INT64_MAX / 64)
        return sl_invalid(c->k, "batch size %" PRId64 " is out of range", t.dims[0]);
    SL_TRY(add_column(&column, c, values, t.dims[0]));
    int64_t *starts = SL_ARENA_ARRAY(&c->arena, int64_t, (size_t)t.dims[0] + 2);
    int64_t *order = SL_ARENA_ARRAY(&c->arena, int64_t, (size_t)t.n + 1);
    if (!starts || !order) return sl_fail_memory(c->k->err, (size_t)t.dims[0] * sizeof(int64_t));
    for (int64_t e = 0; e < t.n; e++) {
        int64_t row = sl_coo_at(&t, e)[0];
        if (row < 0 || row >= t.dims[0])
            return sl_invalid(c->k, "Input indices[%" PRId64 "] has row %" PRId64 " which is not in [0, %" PRId64 ")",
                              e, row, t.dims[0]);
        starts[row + 2]++;
    }
    for (int64_t r = 0; r < t.dims[0]; r++) starts[r + 2] += starts[r + 1];
    for (int64_t e = 0; e < t.n; e++)
        order[starts[sl_coo_at(&t, e)[0] + 1]++] = e; /* now starts[r + 1] is the end of row r */
    column->starts = starts;
    column->order = order;
    return SL_OK;
}

static sl_code add_dense(struct crossing *c, struct sl_view values) {
    struct column *column = NULL;
    if (values.rank != 2)
        return strcmp(c->k->node->def->op, "RaggedCross") == 0
                   ? sl_invalid(c->k, "tf.ragged.cross only supports inputs with rank=2.")
                   : sl_invalid(c->k, "Dense inputs should be a matrix but received shape %s at position %d",
                                SHAPE_OF(values), c->n);
    SL_TRY(add_column(&column, c, values, values.dims[0]));
    column->width = values.dims[1];
    return SL_OK;
}

static sl_code add_ragged(struct crossing *c, struct sl_view values, struct sl_view splits) {
    struct column *column = NULL;
    if (values.rank != 1 || splits.rank != 1)
        return sl_invalid(c->k, "tf.ragged.cross only supports inputs with rank=2.");
    SL_TRY(sl_ragged_check(c->k, splits, values.count));
    int64_t *starts = SL_ARENA_ARRAY(&c->arena, int64_t, (size_t)splits.count);
    if (!starts) return sl_fail_memory(c->k->err, (size_t)splits.count * sizeof *starts);
    sl_indices_load(starts, splits, 0, splits.count);
    SL_TRY(add_column(&column, c, values, splits.count - 1));
    column->starts = starts;
    return SL_OK;
}

static int64_t count_of(const struct column *column, int64_t row) {
    return column->starts ? column->starts[row + 1] - column->starts[row] : column->width;
}
static int64_t place_of(const struct column *column, int64_t row, int64_t i) {
    int64_t at = (column->starts ? column->starts[row] : row * column->width) + i;
    return column->order ? column->order[at] : at;
}

/* ---- one combination */

static struct sl_str string_at(struct sl_view v, int64_t i) { return sl_string_get((const TF_TString *)v.data + i); }

static void add_text(struct sl_text *to, struct sl_view values, int64_t at) {
    if (values.dtype == SL_STRING) sl_text_add(to, string_at(values, at));
    else sl_text_format(to, "%" PRId64, ((const int64_t *)values.data)[at]);
}

/* Two hashes made one; the steps of MurmurHash64A (Austin Appleby, public domain). */
static uint64_t concatenate(uint64_t a, uint64_t b) {
    const uint64_t multiplier = UINT64_C(0xc6a4a7935bd1e995);
    uint64_t word = b * multiplier, hash = a ^ multiplier;
    hash ^= (word ^ word >> 47) * multiplier;
    hash *= multiplier;
    hash = (hash ^ hash >> 47) * multiplier;
    return hash ^ hash >> 47;
}

static uint64_t hash_value(const struct crossing *c, const struct column *column, int64_t at) {
    struct sl_view values = column->values;
    if (values.dtype == SL_STRING)
        return c->hash == KEYED ? sl_siphash(c->key, string_at(values, at)) : sl_fingerprint64(string_at(values, at));
    const int64_t *number = (const int64_t *)values.data + at;
    bool is_dense = !column->starts;
    if (c->hash == CHAINED || (c->hash == PLAIN && is_dense)) return (uint64_t)*number;
    struct sl_str low = {(const char *)number, 4}; /* TensorFlow hashes no more than that */
    return c->hash == KEYED ? sl_siphash(c->key, low) : sl_fingerprint64(low);
}

static sl_code give_one(struct sl_view out, int64_t at, const struct crossing *c, int64_t row, const int64_t *picked,
                        struct sl_text *text) {
    if (c->hash == NO_HASH) {
        sl_text_clear(text);
        for (int i = 0; i < c->n; i++) {
            if (i) sl_text_add(text, c->separator);
            add_text(text, c->columns[i].values, place_of(&c->columns[i], row, picked[i]));
        }
        return sl_text_store((TF_TString *)out.data + at, text, c->k->err);
    }
    uint64_t hash = c->key[0];
    for (int i = 0; i < c->n; i++) {
        uint64_t value = hash_value(c, &c->columns[i], place_of(&c->columns[i], row, picked[i]));
        hash = i == 0 && c->hash != CHAINED ? value : concatenate(hash, value);
    }
    ((int64_t *)out.data)[at] = (int64_t)(hash % (uint64_t)(c->buckets > 0 ? c->buckets : INT64_MAX));
    return SL_OK;
}

/* ---- all of them */

/* Combinations of each row, and in all. */
static sl_code count_all(int64_t *counts, int64_t *total, int64_t *longest, const struct crossing *c) {
    *total = *longest = 0;
    for (int64_t row = 0; row < c->rows; row++) {
        counts[row] = 1;
        for (int i = 0; i < c->n; i++)
            if (!sl_mul_i64(&counts[row], counts[row], count_of(&c->columns[i], row)))
                return sl_fail(c->k->err, SL_RESOURCE_EXHAUSTED, "row %" PRId64 " has too many combinations", row);
        if (!sl_add_i64(total, *total, counts[row]))
            return sl_fail(c->k->err, SL_RESOURCE_EXHAUSTED, "there are too many combinations");
        if (counts[row] > *longest) *longest = counts[row];
    }
    return SL_OK;
}

static sl_code give_values(struct sl_view out, const struct crossing *c, const int64_t *counts, int64_t *picked,
                           struct sl_text *text) {
    int64_t at = 0;
    struct sl_pace pace = sl_pace_of(c->k);
    for (int64_t row = 0; row < c->rows; row++) {
        for (int i = 0; i < c->n; i++) picked[i] = 0;
        for (int64_t n = 0; n < counts[row]; n++) {
            if (sl_pace_ends(&pace, 30 * (1 + c->n))) return SL_CANCELLED;
            SL_TRY(give_one(out, at++, c, row, picked, text));
            for (int i = c->n - 1; i >= 0 && ++picked[i] == count_of(&c->columns[i], row); i--) picked[i] = 0;
        }
    }
    return SL_OK;
}

static sl_code give_sparse(struct crossing *c, const int64_t *counts, int64_t total, int64_t longest,
                           struct sl_view *values) {
    struct sl_coo_out out;
    SL_TRY(sl_coo_out(&out, c->k, 0, total, 2, (const int64_t[]){c->rows, longest}));
    int64_t *at = out.indices;
    struct sl_pace pace = sl_pace_of(c->k);
    for (int64_t row = 0; row < c->rows; row++)
        for (int64_t i = 0; i < counts[row] && !sl_pace_ends(&pace, 2); i++) *at++ = row, *at++ = i;
    *values = out.values;
    return SL_OK;
}

static sl_code give_ragged(struct crossing *c, const int64_t *counts, int64_t total, struct sl_view *values) {
    struct sl_view splits;
    int64_t ends = c->rows + 1, at = 0;
    SL_TRY(sl_out_new(values, c->k, 0, (struct sl_shape){1, &total}));
    SL_TRY(sl_out_new(&splits, c->k, 1, (struct sl_shape){1, &ends}));
    if (splits.dtype == SL_INT32 && total > INT32_MAX) return sl_invalid(c->k, "the row splits do not fit an int32");
    sl_indices_store(splits, 0, &at, 1);
    for (int64_t row = 0; row < c->rows; row++) {
        at += counts[row];
        sl_indices_store(splits, row + 1, &at, 1);
    }
    return SL_OK;
}

static sl_code cross(struct crossing *c, bool is_ragged) {
    struct sl_view values;
    struct sl_text text = {0};
    int64_t total, longest;
    if (c->rows < 0) c->rows = 0;
    int64_t *counts = SL_ARENA_ARRAY(&c->arena, int64_t, (size_t)c->rows + 1);
    int64_t *picked = SL_ARENA_ARRAY(&c->arena, int64_t, (size_t)c->n + 1);
    if (!counts || !picked) return sl_fail_memory(c->k->err, (size_t)c->rows * sizeof *counts);
    SL_TRY(count_all(counts, &total, &longest, c));
    SL_TRY(is_ragged ? give_ragged(c, counts, total, &values) : give_sparse(c, counts, total, longest, &values));
    sl_code code = give_values(values, c, counts, picked, &text);
    sl_text_free(&text);
    return code;
}

/* ---- the ops */

struct cross_state {
    int n_sparse, n_dense, n_ragged;
    bool is_hashed;
    int type;
    int64_t buckets, key;
    char order[]; /* RaggedCross: R, S and D, as the columns are to be crossed; NUL at the end */
};

static sl_code start(struct crossing *c, struct sl_kernel_context *k, int columns) {
    *c = (struct crossing){.k = k, .rows = -1, .separator = SL_STR("_X_")};
    sl_arena_init(&c->arena);
    c->columns = SL_ARENA_ARRAY(&c->arena, struct column, (size_t)columns + 1);
    return c->columns ? SL_OK : sl_fail_memory(k->err, (size_t)columns * sizeof *c->columns);
}

static sl_code new_state(struct cross_state **out, struct sl_kernel_setup *setup, struct sl_str order) {
    struct cross_state *s = sl_calloc(1, sizeof *s + order.n + 1);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    if (order.n) memcpy(s->order, order.p, order.n);
    *out = s;
    return SL_OK;
}

/* Columns of the three ops on sparse and dense inputs: indices, values and shapes of `n` sparse ones, then dense
 * ones. */
static sl_code add_columns(struct crossing *c, int sparse, int dense) {
    for (int i = 0; i < sparse; i++)
        SL_TRY(add_sparse(c, sl_in(c->k, i), sl_in(c->k, sparse + i), sl_in(c->k, 2 * sparse + i)));
    for (int i = 0; i < dense; i++) SL_TRY(add_dense(c, sl_in(c->k, 3 * sparse + i)));
    return SL_OK;
}

static sl_code read_counts(struct cross_state *s, struct sl_kernel_setup *setup, int others) {
    int64_t n;
    SL_TRY(sl_attr_int(&n, setup->attrs, "N", setup->err));
    if (n < 0 || 3 * n + others > setup->n_in) return sl_fail(setup->err, SL_INVALID_ARGUMENT, "N is %" PRId64, n);
    s->n_sparse = (int)n;
    s->n_dense = setup->n_in - 3 * (int)n - others;
    return SL_OK;
}

static sl_code read_hash(struct cross_state *s, struct sl_kernel_setup *setup) {
    SL_TRY(sl_attr_int(&s->buckets, setup->attrs, "num_buckets", setup->err));
    return sl_attr_int(&s->key, setup->attrs, "hash_key", setup->err);
}

static sl_code keep(void **state, struct cross_state *s, sl_code code) {
    if (code == SL_OK) *state = s;
    else sl_free(s);
    return code;
}

static sl_code cross_create(void **state, struct sl_kernel_setup *setup) {
    struct cross_state *s = NULL;
    int type = 0;
    SL_TRY(new_state(&s, setup, (struct sl_str){NULL, 0}));
    sl_code code = read_counts(s, setup, 0);
    if (code == SL_OK) code = read_hash(s, setup);
    if (code == SL_OK) code = sl_attr_type(&type, setup->attrs, "internal_type", setup->err);
    s->type = type;
    s->is_hashed = setup->out_types[1] == SL_INT64; /* whatever hashed_output says */
    return keep(state, s, code);
}
static sl_code cross_run(struct sl_kernel_context *k) {
    const struct cross_state *s = k->state;
    struct crossing c;
    sl_code code = start(&c, k, s->n_sparse + s->n_dense);
    c.hash = s->is_hashed ? CHAINED : NO_HASH;
    c.type = s->type;
    c.key[0] = (uint64_t)s->key;
    c.buckets = s->buckets;
    if (code == SL_OK) code = add_columns(&c, s->n_sparse, s->n_dense);
    if (code == SL_OK) code = cross(&c, false);
    sl_arena_clear(&c.arena);
    return code;
}

static sl_code cross_v2_create(void **state, struct sl_kernel_setup *setup) {
    struct cross_state *s = NULL;
    SL_TRY(new_state(&s, setup, (struct sl_str){NULL, 0}));
    return keep(state, s, read_counts(s, setup, 1));
}
static sl_code cross_v2_run(struct sl_kernel_context *k) {
    const struct cross_state *s = k->state;
    struct crossing c;
    struct sl_view separator = sl_in(k, sl_in_count(k) - 1);
    if (separator.rank) return sl_invalid(k, "Input separator should be a scalar.");
    sl_code code = start(&c, k, s->n_sparse + s->n_dense);
    c.separator = string_at(separator, 0);
    if (code == SL_OK) code = add_columns(&c, s->n_sparse, s->n_dense);
    if (code == SL_OK) code = cross(&c, false);
    sl_arena_clear(&c.arena);
    return code;
}

static sl_code cross_hashed_create(void **state, struct sl_kernel_setup *setup) {
    struct cross_state *s = NULL;
    SL_TRY(new_state(&s, setup, (struct sl_str){NULL, 0}));
    return keep(state, s, read_counts(s, setup, 3));
}
static sl_code cross_hashed_run(struct sl_kernel_context *k) {
    const struct cross_state *s = k->state;
    struct crossing c;
    int at = sl_in_count(k) - 3;
    struct sl_view buckets = sl_in(k, at), strong = sl_in(k, at + 1), salt = sl_in(k, at + 2);
    if (buckets.count != 1 || strong.count != 1)
        return sl_invalid(k, "Input num_buckets and strong_hash should be scalars.");
    if (salt.count != 2) return sl_invalid(k, "Input \"salt\" must have length 2 but has length %" PRId64, salt.count);
    sl_code code = start(&c, k, s->n_sparse + s->n_dense);
    c.hash = *(const bool *)strong.data ? KEYED : PLAIN;
    c.buckets = ((const int64_t *)buckets.data)[0];
    memcpy(c.key, salt.data, sizeof c.key);
    if (code == SL_OK) code = add_columns(&c, s->n_sparse, s->n_dense);
    if (code == SL_OK) code = cross(&c, false);
    sl_arena_clear(&c.arena);
    return code;
}

static sl_code check_lists(struct sl_kernel_setup *setup) {
    const int32_t *types;
    int values = 0, splits = 0;
    int64_t sparse = 0;
    SL_TRY(sl_attr_type_list(&types, &values, setup->attrs, "ragged_values_types", setup->err));
    SL_TRY(sl_attr_type_list(&types, &splits, setup->attrs, "ragged_splits_types", setup->err));
    if (values != splits)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "ragged values and splits must have the same length");
    SL_TRY(sl_attr_type_list(&types, &values, setup->attrs, "sparse_values_types", setup->err));
    SL_TRY(sl_attr_int(&sparse, setup->attrs, "Nsparse", setup->err));
    if (values != sparse)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "sparse indices and values must have the same length");
    return SL_OK;
}

/* Inputs: values of the ragged columns, their splits, indices, values and shapes of the sparse ones, the dense ones. */
static sl_code ragged_cross_create(void **state, struct sl_kernel_setup *setup) {
    struct cross_state *s = NULL;
    struct sl_str order;
    SL_TRY(check_lists(setup));
    SL_TRY(sl_attr_string(&order, setup->attrs, "input_order", setup->err));
    SL_TRY(new_state(&s, setup, order));
    sl_code code = read_hash(s, setup);
    for (size_t i = 0; i < order.n && code == SL_OK; i++) {
        if (order.p[i] == 'R') s->n_ragged++;
        else if (order.p[i] == 'S') s->n_sparse++;
        else if (order.p[i] == 'D') s->n_dense++;
        else code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "Unexpected input_order %.*s", SL_STR_ARG(order));
    }
    if (code == SL_OK && 2 * s->n_ragged + 3 * s->n_sparse + s->n_dense != setup->n_in)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "input_order does not match the inputs");
    const int32_t *types;
    int n = 0;
    if (code == SL_OK) code = sl_attr_type_list(&types, &n, setup->attrs, "ragged_values_types", setup->err);
    if (code == SL_OK && n != s->n_ragged)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "input_order does not match the inputs");
    if (code == SL_OK) code = sl_attr_type_list(&types, &n, setup->attrs, "dense_types", setup->err);
    if (code == SL_OK && n != s->n_dense)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT, "input_order does not match the inputs");
    s->is_hashed = setup->out_types[0] == SL_INT64;
    return keep(state, s, code);
}

static sl_code add_ordered(struct crossing *c, const struct cross_state *s) {
    int ragged = 0, sparse = 0, dense = 0, first_sparse = 2 * s->n_ragged, first_dense = first_sparse + 3 * s->n_sparse;
    for (const char *o = s->order; *o; o++) {
        if (*o == 'R') {
            SL_TRY(add_ragged(c, sl_in(c->k, ragged), sl_in(c->k, s->n_ragged + ragged)));
            ragged++;
        } else if (*o == 'D') {
            SL_TRY(add_dense(c, sl_in(c->k, first_dense + dense++)));
        } else {
            int at = first_sparse + sparse++;
            SL_TRY(add_sparse(c, sl_in(c->k, at), sl_in(c->k, at + s->n_sparse), sl_in(c->k, at + 2 * s->n_sparse)));
        }
    }
    return SL_OK;
}
static sl_code ragged_cross_run(struct sl_kernel_context *k) {
    const struct cross_state *s = k->state;
    struct crossing c;
    sl_code code = start(&c, k, s->n_ragged + s->n_sparse + s->n_dense);
    c.hash = s->is_hashed ? CHAINED : NO_HASH;
    c.key[0] = (uint64_t)s->key;
    c.buckets = s->buckets;
    if (code == SL_OK) code = add_ordered(&c, s);
    if (code == SL_OK) code = cross(&c, true);
    sl_arena_clear(&c.arena);
    return code;
}

#define CROSS(name) .run = name##_run, .create = name##_create, .destroy = sl_free, .cost_ns = 500, .cost_element = 100
/* clang-format off */
const struct sl_kernel_def sl_cpu_cross_rows[] = {
    KERNEL("SparseCross", NO_RULE, CROSS(cross))
    KERNEL("SparseCrossV2", NO_RULE, CROSS(cross_v2))
    KERNEL("SparseCrossHashed", NO_RULE, CROSS(cross_hashed))
    KERNEL("RaggedCross", NO_RULE, CROSS(ragged_cross))
    SL_ROWS_END
};
/* clang-format on */
