/* Ragged tensors as variants: one for all, or one for each row of the outermost dim; and joined again. Objects never
 * change. */
#include <inttypes.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/cpu_kernels.h"
#include "backends/cpu/indices.h"
#include "backends/cpu/sparse/ragged.h"
#include "base/alloc.h"
#include "base/checked.h"
#include "kernel/variant.h"
#include "tensor/variant_data.h"

struct ragged {
    struct sl_object object;
    int n;                       /* splits */
    struct sl_tensor *tensors[]; /* splits, then values */
};

static void ragged_free(struct sl_object *object) {
    struct ragged *r = (struct ragged *)object;
    for (int i = 0; i <= r->n; i++) sl_tensor_unref(r->tensors[i]);
    sl_free(r);
}

static sl_code ragged_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                            struct sl_error *err);
static sl_code ragged_add(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                          const struct sl_variant_maths *maths, struct sl_error *err);

static size_t ragged_tensors(struct sl_tensor *const **out, const struct sl_object *object) {
    const struct ragged *r = (const struct ragged *)object;
    *out = r->tensors;
    return (size_t)r->n + 1;
}
static const struct sl_variant_methods ragged_methods = {.zeros = ragged_zeros, .add = ragged_add};
static const struct sl_object_type ragged_type = {.name = "RaggedTensorVariant",
                                                  .free = ragged_free,
                                                  .variant = &ragged_methods,
                                                  .tensors = ragged_tensors};

static sl_code ragged_new(struct ragged **out, int splits, struct sl_error *err) {
    size_t bytes = sizeof(struct ragged) + ((size_t)splits + 1) * sizeof(struct sl_tensor *);
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

/* ---- zeros and sums: of the values, under the splits of the first */

/* Takes the values over. */
static sl_code ragged_like(struct sl_object **out, const struct ragged *like, struct sl_value *values,
                           struct sl_error *err) {
    struct ragged *r = NULL;
    sl_code code = ragged_new(&r, like->n, err);
    for (int i = 0; code == SL_OK && i < like->n; i++) {
        r->tensors[i] = like->tensors[i];
        sl_tensor_ref(r->tensors[i]);
    }
    if (code == SL_OK) code = sl_value_to_tensor(&r->tensors[r->n], values, err);
    sl_value_clear(values);
    if (code == SL_OK) *out = &r->object;
    else if (r) ragged_free(&r->object);
    return code;
}

static sl_code ragged_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                            struct sl_error *err) {
    const struct ragged *r = (const struct ragged *)like;
    sl_tensor_ref(r->tensors[r->n]);
    struct sl_value from = sl_value_of_tensor(r->tensors[r->n]), zeros = {0};
    sl_code code = sl_value_zeros(&zeros, &from, maths, err);
    sl_value_clear(&from);
    return code == SL_OK ? ragged_like(out, r, &zeros, err) : code;
}

static bool same_splits(const struct ragged *a, const struct ragged *b) {
    bool same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same = a->tensors[i]->dtype == b->tensors[i]->dtype && a->tensors[i]->count == b->tensors[i]->count &&
               memcmp(a->tensors[i]->data, b->tensors[i]->data,
                      (size_t)a->tensors[i]->count * sl_dtype_size(a->tensors[i]->dtype)) == 0;
    return same;
}

static sl_code ragged_add(struct sl_object **out, struct sl_object *first, struct sl_object *second,
                          const struct sl_variant_maths *maths, struct sl_error *err) {
    const struct ragged *a = (const struct ragged *)first, *b = (const struct ragged *)second;
    if (!same_splits(a, b))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Can't add RaggedTensorVariants with different row splits");
    sl_tensor_ref(a->tensors[a->n]);
    sl_tensor_ref(b->tensors[b->n]);
    struct sl_value x = sl_value_of_tensor(a->tensors[a->n]), y = sl_value_of_tensor(b->tensors[b->n]), sum = {0};
    sl_code code = sl_value_add(&sum, &x, &y, maths, err);
    sl_value_clear(&x);
    sl_value_clear(&y);
    return code == SL_OK ? ragged_like(out, a, &sum, err) : code;
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
        SL_TRY(sl_ragged_check(k, v, most));
    }
    return SL_OK;
}

static sl_code make_row(struct ragged **out, struct sl_kernel_context *k, int ragged, int64_t row) {
    struct sl_view values = sl_in(k, ragged);
    SL_TRY(ragged_new(out, ragged ? ragged - 1 : 0, k->err));
    if (ragged == 0) return slice_values(&(*out)->tensors[(*out)->n], values, row, row + 1, true, k->err);
    int64_t begin = sl_index_at(sl_in(k, 0), row), end = sl_index_at(sl_in(k, 0), row + 1);
    for (int p = 1; p < ragged; p++) SL_TRY(slice_splits(&(*out)->tensors[p - 1], sl_in(k, p), &begin, &end, k->err));
    return slice_values(&(*out)->tensors[(*out)->n], values, begin, end, false, k->err);
}

static sl_code make_whole(struct ragged **out, struct sl_kernel_context *k, int ragged) {
    SL_TRY(ragged_new(out, ragged, k->err));
    for (int p = 0; p < ragged; p++) SL_TRY(sl_in_tensor(&(*out)->tensors[p], k, p));
    return sl_in_tensor(&(*out)->tensors[(*out)->n], k, ragged);
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

/* A ragged tensor as it is read: made here, or come from a file. */
struct ragged_parts {
    int n;                           /* splits; -1: it is none */
    struct sl_tensor *const *splits; /* and behind them the values */
};

static struct ragged_parts parts_of(const struct sl_object *object) {
    struct ragged_parts made = {-1, NULL};
    const struct sl_variant_data *v = sl_variant_data_of(object, SL_VARIANT_RAGGED_TENSOR);
    if (v) made = (struct ragged_parts){(int)v->n - 1, v->tensors};
    else if (object && object->type == &ragged_type) made.n = (int)ragged_tensors(&made.splits, object) - 1;
    return made;
}

static struct ragged_parts part_at(const struct parts *p, int64_t i) {
    return parts_of(((const struct sl_object *const *)p->in.data)[i]);
}

static const struct sl_tensor *values_of(struct ragged_parts r) { return r.splits[r.n]; }

static sl_code check_parts(const struct parts *p) {
    for (int64_t i = 0; i < p->in.count; i++) {
        const struct ragged_parts r = part_at(p, i);
        if (r.n < 0)
            return sl_invalid(p->k, "Input Variant element at index %" PRId64 " doesn't hold a RaggedTensorVariant", i);
        if (r.n != p->splits)
            return sl_invalid(p->k, "Encoded input RaggedTensorVariant has ragged_rank=%d.  Expected ragged_rank=%d.",
                              r.n, p->splits);
        if (values_of(r)->dtype != sl_out_type(p->k, sl_out_count(p->k) - 1))
            return sl_invalid(p->k, "Expected values Tensor dtype: %s, found: %s",
                              sl_dtype_name(sl_out_type(p->k, sl_out_count(p->k) - 1)),
                              sl_dtype_name(values_of(r)->dtype));
        for (int s = 0; s < r.n; s++)
            if (r.splits[s]->dtype != sl_out_type(p->k, s))
                return sl_invalid(p->k, "Expected row_splits Tensor dtype: %s, found: %s",
                                  sl_dtype_name(sl_out_type(p->k, s)), sl_dtype_name(r.splits[s]->dtype));
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
static int64_t rows_of(struct ragged_parts r) { return r.n ? r.splits[0]->count - 1 : values_of(r)->dims[0]; }

static sl_code part_rows(const struct parts *p, int o) {
    struct sl_view out;
    int64_t at = 0;
    SL_TRY(sl_out_new(&out, p->k, o, (struct sl_shape){1, (const int64_t[]){p->in.count + 1}}));
    sl_indices_store(out, 0, &at, 1);
    for (int64_t i = 0; i < p->in.count; i++) {
        if (part_at(p, i).n == 0 && values_of(part_at(p, i))->rank == 0)
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
    for (int64_t i = 0; i < p->in.count; i++) n += part_at(p, i).splits[s]->count - 1;
    SL_TRY(sl_out_new(&out, p->k, o, (struct sl_shape){1, &n}));
    sl_indices_store(out, 0, &offset, 1);
    for (int64_t i = 0; i < p->in.count; i++) {
        struct sl_view from = view_of(part_at(p, i).splits[s]);
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
        const struct sl_tensor *first = values_of(part_at(p, 0)), *t = values_of(part_at(p, i));
        bool fits = t->rank == first->rank && (stacks || t->rank > 0);
        for (int d = stacks ? 0 : 1; fits && d < t->rank; d++) fits = t->dims[d] == first->dims[d];
        if (!fits)
            return sl_invalid(k, "All flat_values must have compatible shapes; those of part %" PRId64 " differ", i);
        rows += stacks ? 0 : t->dims[0];
        rank = t->rank;
    }
    if (p->in.count) memcpy(dims, values_of(part_at(p, 0))->dims, (size_t)rank * sizeof *dims);
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
        const struct sl_tensor *t = values_of(part_at(p, i));
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

/* ---- RaggedTensorToVariantGradient: the values of all rows, one behind the other; of a row that is no variant as many
 * zeros as its splits say. Rows that are missing at the end are zero. */

static sl_code put_row(int64_t *place, struct sl_kernel_context *k, struct sl_view out, int64_t i, int64_t inner) {
    struct sl_view splits = sl_in(k, 1);
    const struct sl_object *object = ((struct sl_object *const *)sl_in(k, 0).data)[i];
    if (!object) {
        if (i + 1 < splits.count) *place += (sl_index_at(splits, i + 1) - sl_index_at(splits, i)) * inner;
        return SL_OK;
    }
    if (parts_of(object).n < 0)
        return sl_invalid(k, "Input Variant element at index %" PRId64 " doesn't hold a RaggedTensorVariant", i);
    const struct sl_tensor *values = values_of(parts_of(object));
    if (values->dtype != out.dtype)
        return sl_invalid(k, "Expected values Tensor dtype: %s, found: %s", sl_dtype_name(out.dtype),
                          sl_dtype_name(values->dtype));
    if (*place < 0 || *place > out.count || values->count > out.count - *place)
        return sl_invalid(k, "The rows have more values than dense_values_shape");
    SL_TRY(sl_elements_copy(out.dtype, sl_element(out.data, out.dtype, *place), values->data, values->count, k->err));
    *place += values->count;
    return SL_OK;
}

static sl_code gradient_run(struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK], place = 0;
    struct sl_shape shape;
    struct sl_view out;
    const bool is_whole = sl_in(k, 1).rank == 0 && sl_in(k, 0).rank == 0; /* one tensor without splits */
    if (sl_in(k, 1).rank != 1 && !is_whole)
        return sl_invalid(k, "Invalid ragged splits: ragged splits must be rank 1 but is rank %d", sl_in(k, 1).rank);
    SL_TRY(sl_in_shape(&shape, dims, k, 2, "dense_values_shape"));
    SL_TRY(sl_out_new(&out, k, 0, shape));
    if (sl_dtype_is_plain(out.dtype)) sl_move_zero(k, out);
    int64_t inner = shape.rank ? sl_dims_product(dims, 1, shape.rank) : 1;
    for (int64_t i = 0; i < sl_in(k, 0).count; i++) SL_TRY(put_row(&place, k, out, i, inner));
    return SL_OK;
}

#define SPLITS       RULE("Tsplits", SL_SET(INT32) | SL_SET(INT64))
#define VALUES       RULE("Tvalues", SL_SET_ALL & ~(SL_SET(RESOURCE) | SL_SET(VARIANT)))
#define COST(op_run) .run = op_run, .cost_ns = 300, .cost_element = 2
/* clang-format off */
const struct sl_kernel_def sl_cpu_ragged_variant_rows[] = {
    KERNEL("RaggedTensorToVariant", VALUES SPLITS, COST(to_variant_run), .create = batched_create)
    KERNEL("RaggedTensorFromVariant", VALUES SPLITS, COST(from_variant_run), .create = rank_create)
    KERNEL("RaggedTensorToVariantGradient", VALUES SPLITS, COST(gradient_run))
    SL_ROWS_END
};
/* clang-format on */
