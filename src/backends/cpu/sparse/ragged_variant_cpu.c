/* Ragged tensors as variants: one for all, or one for each row of the outermost dim; and joined again. Objects never
 * change. */
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "base/alloc.h"
#include "base/checked.h"

struct ragged {
    struct sl_object object;
    int n; /* splits */
    struct sl_tensor *values;
    struct sl_tensor *splits[];
};

static void ragged_free(struct sl_object *object) {
    struct ragged *r = (struct ragged *)object;
    for (int i = 0; i < r->n; i++) sl_tensor_unref(r->splits[i]);
    sl_tensor_unref(r->values);
    sl_free(r);
}
static const struct sl_object_type ragged_type = {.name = "RaggedTensorVariant", .free = ragged_free};

static sl_code ragged_new(struct ragged **out, int splits, struct sl_error *err) {
    size_t bytes = sizeof(struct ragged) + (size_t)splits * sizeof(struct sl_tensor *);
    struct ragged *r = sl_calloc(1, bytes);
    if (!r) return sl_fail_memory(err, bytes);
    sl_object_init(&r->object, &ragged_type);
    r->n = splits;
    *out = r;
    return SL_OK;
}

static struct sl_view view_of(const struct sl_tensor *t) {
    return (struct sl_view){t->data, t->dims, t->count, t->rank, t->dtype};
}

/* ---- RaggedTensorToVariant */

/* Elements [begin, end) of dim 0 of `v`; with `drops` that dim is left out (end is begin + 1). */
static sl_code slice_values(struct sl_tensor **out, struct sl_view v, int64_t begin, int64_t end, bool drops,
                            struct sl_error *err) {
    int64_t dims[SL_MAX_RANK], inner = sl_dims_product(v.dims, 1, v.rank);
    memcpy(dims, v.dims, (size_t)v.rank * sizeof *dims);
    dims[0] = end - begin;
    SL_TRY(sl_tensor_new(out, v.dtype,
                         drops ? (struct sl_shape){v.rank - 1, dims + 1} : (struct sl_shape){v.rank, dims}, err));
    return sl_elements_copy(v.dtype, (*out)->data, sl_element(v.data, v.dtype, begin * inner), (end - begin) * inner,
                            err);
}

/* Rows [begin, end) of splits, beginning at 0; those bounds become the bounds in the next dim. */
static sl_code slice_splits(struct sl_tensor **out, struct sl_view v, int64_t *begin, int64_t *end,
                            struct sl_error *err) {
    int64_t n = *end - *begin + 1, first = sl_index_at(v, *begin);
    SL_TRY(sl_tensor_new(out, v.dtype, (struct sl_shape){1, &n}, err));
    struct sl_view to = view_of(*out);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = sl_index_at(v, *begin + i) - first;
        sl_indices_store(to, i, &at, 1);
    }
    *end = sl_index_at(v, *end);
    *begin = first;
    return SL_OK;
}

static sl_code check_nested(struct sl_kernel_context *k, int ragged) {
    struct sl_view values = sl_in(k, ragged);
    if (ragged && values.rank < 1) return sl_invalid(k, "rt_dense_values must have rank at least 1");
    for (int p = 0; p < ragged; p++) {
        struct sl_view v = sl_in(k, p);
        int64_t most = p + 1 < ragged ? sl_in(k, p + 1).count - 1 : values.dims[0];
        if (v.rank != 1 || v.count == 0)
            return sl_invalid(k, "Invalid ragged tensor: splits %d must be a vector with elements", p);
        if (sl_index_at(v, 0)) return sl_invalid(k, "Invalid ragged tensor: the first split must be 0");
        for (int64_t i = 1; i < v.count; i++)
            if (sl_index_at(v, i) < sl_index_at(v, i - 1))
                return sl_invalid(k, "Invalid ragged tensor: splits must be sorted");
        if (sl_index_at(v, v.count - 1) > most)
            return sl_invalid(k, "Invalid ragged tensor: splits point past the values");
    }
    return SL_OK;
}

static sl_code make_row(struct ragged **out, struct sl_kernel_context *k, int ragged, int64_t row) {
    struct sl_view values = sl_in(k, ragged);
    SL_TRY(ragged_new(out, ragged ? ragged - 1 : 0, k->err));
    if (ragged == 0) return slice_values(&(*out)->values, values, row, row + 1, true, k->err);
    int64_t begin = sl_index_at(sl_in(k, 0), row), end = sl_index_at(sl_in(k, 0), row + 1);
    for (int p = 1; p < ragged; p++) SL_TRY(slice_splits(&(*out)->splits[p - 1], sl_in(k, p), &begin, &end, k->err));
    return slice_values(&(*out)->values, values, begin, end, false, k->err);
}

static sl_code make_whole(struct ragged **out, struct sl_kernel_context *k, int ragged) {
    SL_TRY(ragged_new(out, ragged, k->err));
    for (int p = 0; p < ragged; p++) SL_TRY(sl_in_tensor(&(*out)->splits[p], k, p));
    return sl_in_tensor(&(*out)->values, k, ragged);
}

static sl_code batched_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_bool(state, setup, "batched_input");
}

static sl_code to_variant_run(struct sl_kernel_context *k) {
    int ragged = sl_in_count(k) - 1;
    struct sl_view values = sl_in(k, ragged), out;
    struct ragged *r = NULL;
    SL_TRY(check_nested(k, ragged));
    if (!sl_state_number(k)) {
        sl_code code = make_whole(&r, k, ragged);
        if (code == SL_OK) sl_out_object(k, 0, &r->object);
        else if (r) ragged_free(&r->object);
        return code;
    }
    if (ragged == 0 && values.rank < 1) return sl_invalid(k, "a batched input must have rank at least 1");
    int64_t rows = ragged ? sl_in(k, 0).count - 1 : values.dims[0];
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, &rows}));
    for (int64_t row = 0; row < rows; row++) {
        r = NULL;
        sl_code code = make_row(&r, k, ragged, row);
        if (code != SL_OK) {
            if (r) ragged_free(&r->object);
            return code;
        }
        ((struct sl_object **)out.data)[row] = &r->object;
    }
    return SL_OK;
}

/* ---- RaggedTensorFromVariant */

struct parts {
    struct sl_kernel_context *k;
    struct sl_view in; /* variants */
    int splits;        /* of each part */
};

static const struct ragged *part_at(const struct parts *p, int64_t i) {
    return ((const struct ragged *const *)p->in.data)[i];
}

static sl_code check_parts(const struct parts *p) {
    for (int64_t i = 0; i < p->in.count; i++) {
        const struct ragged *r = part_at(p, i);
        if (!r || r->object.type != &ragged_type)
            return sl_invalid(p->k, "Input Variant element at index %" PRId64 " doesn't hold a RaggedTensorVariant", i);
        if (r->n != p->splits)
            return sl_invalid(p->k, "Encoded input RaggedTensorVariant has ragged_rank=%d.  Expected ragged_rank=%d.",
                              r->n, p->splits);
        if (r->values->dtype != sl_out_type(p->k, sl_out_count(p->k) - 1))
            return sl_invalid(p->k, "Expected values Tensor dtype: %s, found: %s",
                              sl_dtype_name(sl_out_type(p->k, sl_out_count(p->k) - 1)),
                              sl_dtype_name(r->values->dtype));
        for (int s = 0; s < r->n; s++)
            if (r->splits[s]->dtype != sl_out_type(p->k, s))
                return sl_invalid(p->k, "Expected row_splits Tensor dtype: %s, found: %s",
                                  sl_dtype_name(sl_out_type(p->k, s)), sl_dtype_name(r->splits[s]->dtype));
    }
    return SL_OK;
}

/* Splits of a dim of the variants' tensor, all rows alike. */
static sl_code even_splits(struct sl_kernel_context *k, int o, int64_t rows, int64_t width) {
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){1, (const int64_t[]){rows + 1}}));
    for (int64_t r = 0, at = 0; r <= rows; r++, at += width) sl_indices_store(out, r, &at, 1);
    return SL_OK;
}

/* Rows of the outermost dim of a part. */
static int64_t rows_of(const struct ragged *r) { return r->n ? r->splits[0]->count - 1 : r->values->dims[0]; }

static sl_code part_rows(const struct parts *p, int o) {
    struct sl_view out;
    int64_t at = 0;
    SL_TRY(sl_out_new(&out, p->k, o, (struct sl_shape){1, (const int64_t[]){p->in.count + 1}}));
    sl_indices_store(out, 0, &at, 1);
    for (int64_t i = 0; i < p->in.count; i++) {
        if (part_at(p, i)->n == 0 && part_at(p, i)->values->rank == 0)
            return sl_invalid(p->k, "values of part %" PRId64 " must have rank at least 1", i);
        at += rows_of(part_at(p, i));
        sl_indices_store(out, i + 1, &at, 1);
    }
    return SL_OK;
}

/* Splits `s` of all parts, one behind the other. */
static sl_code join_splits(const struct parts *p, int o, int s) {
    struct sl_view out;
    int64_t n = 1, place = 1, offset = 0;
    for (int64_t i = 0; i < p->in.count; i++) n += part_at(p, i)->splits[s]->count - 1;
    SL_TRY(sl_out_new(&out, p->k, o, (struct sl_shape){1, &n}));
    sl_indices_store(out, 0, &offset, 1);
    for (int64_t i = 0; i < p->in.count; i++) {
        struct sl_view from = view_of(part_at(p, i)->splits[s]);
        int64_t at = offset;
        for (int64_t r = 1; r < from.count; r++) {
            at = offset + sl_index_at(from, r);
            sl_indices_store(out, place++, &at, 1);
        }
        offset = at;
    }
    return SL_OK;
}

/* Values of all parts joined along dim 0, or side by side along the dims of the variants' tensor (`stacks`). */
static sl_code join_values(const struct parts *p, int o, bool stacks) {
    struct sl_kernel_context *k = p->k;
    int64_t dims[SL_MAX_RANK] = {0}, rows = 0, place = 0;
    int rank = 1;
    for (int64_t i = 0; i < p->in.count; i++) {
        const struct sl_tensor *first = part_at(p, 0)->values, *t = part_at(p, i)->values;
        bool fits = t->rank == first->rank && (stacks || t->rank > 0);
        for (int d = stacks ? 0 : 1; fits && d < t->rank; d++) fits = t->dims[d] == first->dims[d];
        if (!fits)
            return sl_invalid(k, "All flat_values must have compatible shapes; those of part %" PRId64 " differ", i);
        rows += stacks ? 0 : t->dims[0];
        rank = t->rank;
    }
    if (p->in.count) memcpy(dims, part_at(p, 0)->values->dims, (size_t)rank * sizeof *dims);
    if (stacks) {
        if (p->in.count == 0) rank = 0;
        if (rank + p->in.rank > SL_MAX_RANK) return sl_invalid(k, "rank of the result is more than %d", SL_MAX_RANK);
        memmove(dims + p->in.rank, dims, (size_t)rank * sizeof *dims);
        if (p->in.rank) memcpy(dims, p->in.dims, (size_t)p->in.rank * sizeof *dims);
        rank += p->in.rank;
    } else {
        dims[0] = rows;
    }
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){rank, dims}));
    for (int64_t i = 0; i < p->in.count; i++) {
        const struct sl_tensor *t = part_at(p, i)->values;
        SL_TRY(sl_elements_copy(out.dtype, sl_element(out.data, out.dtype, place), t->data, t->count, k->err));
        place += t->count;
    }
    return SL_OK;
}

static sl_code rank_create(void **state, struct sl_kernel_setup *setup) {
    return sl_state_of_int(state, setup, "input_ragged_rank");
}

static sl_code from_variant_run(struct sl_kernel_context *k) {
    struct parts p = {.k = k, .in = sl_in(k, 0)};
    int64_t given = sl_state_number(k);
    int ragged = sl_out_count(k) - 1, inferred = ragged - p.in.rank, o = 0;
    if (given < 0 && ragged == 0 && inferred < 0) inferred = 0;
    if (given < 0 && inferred < 0)
        return sl_invalid(k,
                          "Inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must be >= 0, "
                          "found output_ragged_rank: %d, "
                          "encoded_variant.dims(): %d",
                          ragged, p.in.rank);
    if (given > ragged)
        return sl_invalid(k, "input_ragged_rank %" PRId64 " is more than output_ragged_rank %d", given, ragged);
    p.splits = given < 0 ? inferred : (int)given;
    bool stacks = ragged == 0;
    if (!stacks && p.in.rank != ragged - p.splits)
        return sl_invalid(k,
                          "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); "
                          "output_ragged_rank: %d, input_ragged_rank: %d, "
                          "encoded_variant.dims(): %d.",
                          ragged, p.splits, p.in.rank);
    SL_TRY(check_parts(&p));
    for (int d = 1; d < p.in.rank && !stacks; d++)
        SL_TRY(even_splits(k, o++, sl_dims_product(p.in.dims, 0, d), p.in.dims[d]));
    if (p.in.rank && !stacks) SL_TRY(part_rows(&p, o++));
    for (int s = 0; s < p.splits; s++) SL_TRY(join_splits(&p, o++, s));
    return join_values(&p, o, stacks || p.in.rank == 0);
}

#define SPLITS       RULE("Tsplits", SL_SET(INT32) | SL_SET(INT64))
#define VALUES       RULE("Tvalues", SL_SET_ALL & ~(SL_SET(RESOURCE) | SL_SET(VARIANT)))
#define COST(op_run) .run = op_run, .cost_ns = 300, .cost_element = 2
/* clang-format off */
const struct sl_kernel_def sl_cpu_ragged_variant_rows[] = {
    KERNEL("RaggedTensorToVariant", VALUES SPLITS, COST(to_variant_run), .create = batched_create)
    KERNEL("RaggedTensorFromVariant", VALUES SPLITS, COST(from_variant_run), .create = rank_create)
    SL_ROWS_END
};
/* clang-format on */
