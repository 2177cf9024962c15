/* Columns of features, copied into tensors; see feature.h. */
#include "backends/cpu/parse/feature.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/cpu/array/move.h"
#include "backends/cpu/indices.h"
#include "base/checked.h"

static const char *const kind_types[] = {"none", "string", "float", "int64"};

static int kind_of(int dtype) {
    return dtype == SL_STRING  ? SL_PB_Feature_bytes_list
           : dtype == SL_FLOAT ? SL_PB_Feature_float_list
                               : SL_PB_Feature_int64_list;
}

static struct sl_str name_of(const struct sl_features *f, int64_t i) {
    return f->names.count ? sl_string_get((const TF_TString *)f->names.data + i) : SL_STR("<unknown>");
}

static void note_fault(const struct sl_features *f, int64_t i) {
    if (f->fault) *f->fault = (struct sl_feature_fault){i, f->at[i]};
}

/* INVALID_ARGUMENT: "Name: n, Key: k, Index: 3.  `what`"; of a single example "Key: k.  `what`". */
static sl_code fail_feature(const struct sl_features *f, int64_t i, const char *what, struct sl_error *err) {
    note_fault(f, i);
    if (f->is_single && !f->steps) return sl_fail(err, SL_INVALID_ARGUMENT, "Key: %.*s.  %s", SL_STR_ARG(f->key), what);
    return sl_fail(err, SL_INVALID_ARGUMENT, "Name: %.*s, Key: %.*s, Index: %" PRId64 ".  %s",
                   SL_STR_ARG(f->steps ? SL_STR("<unknown>") : name_of(f, i)), SL_STR_ARG(f->key), i, what);
}

sl_code sl_feature_count(int64_t *n, const struct sl_features *f, int64_t i, struct sl_error *err) {
    const struct sl_pb_Feature *feature = f->at[i];
    *n = 0;
    if (sl_feature_is_missing(feature)) return SL_OK;
    if (feature->which != kind_of(f->dtype)) {
        char text[SL_SHAPE_TEXT];
        const char *is = kind_types[feature->which], *wanted = sl_dtype_name(f->dtype);
        if (f->is_example && !f->is_dense)
            (void)snprintf(text, sizeof text, "Data types don't match. Expected type: %s, Actual type: %s", wanted, is);
        else
            (void)snprintf(text, sizeof text, "Data types don't match. Data type: %s but expected type: %s", is,
                           wanted);
        return fail_feature(f, i, text, err);
    }
    if (f->dtype == SL_STRING) *n = feature->bytes_list ? (int64_t)feature->bytes_list->value.n : 0;
    else if (f->dtype == SL_FLOAT) *n = feature->float_list ? (int64_t)feature->float_list->value.n : 0;
    else *n = feature->int64_list ? (int64_t)feature->int64_list->value.n : 0;
    return SL_OK;
}

/* Copies all values of feature i, which has `n` > 0 of the right type, to elements `place` ... of `to`. */
static sl_code copy_values(struct sl_view to, int64_t place, const struct sl_features *f, int64_t i, int64_t n,
                           struct sl_error *err) {
    const struct sl_pb_Feature *feature = f->at[i];
    if (n == 0) return SL_OK;
    if (f->dtype == SL_FLOAT)
        memcpy((float *)to.data + place, feature->float_list->value.items, (size_t)n * sizeof(float));
    else if (f->dtype == SL_INT64)
        memcpy((int64_t *)to.data + place, feature->int64_list->value.items, (size_t)n * sizeof(int64_t));
    else
        for (int64_t j = 0; j < n; j++)
            SL_TRY(sl_string_set((TF_TString *)to.data + place + j, feature->bytes_list->value.items[j], err));
    return SL_OK;
}

static int64_t steps_of(const struct sl_features *f, int64_t example) { return f->steps ? f->steps[example] : 1; }
static int64_t most_steps(const struct sl_features *f) {
    int64_t most = 0;
    for (int64_t e = 0; f->steps && e < f->examples; e++)
        if (f->steps[e] > most) most = f->steps[e];
    return most;
}

/* All values and those of the longest feature. */
static sl_code measure(int64_t *total, int64_t *longest, const struct sl_features *f, struct sl_error *err) {
    *total = *longest = 0;
    for (int64_t i = 0; i < f->n; i++) {
        int64_t n;
        SL_TRY(sl_feature_count(&n, f, i, err));
        *total += n;
        if (n > *longest) *longest = n;
    }
    return SL_OK;
}

/* ---- sparse */

sl_code sl_features_sparse(struct sl_kernel_context *k, const struct sl_features *f, const int o[3]) {
    int64_t total, longest, dims[3], rank = 0, place = 0;
    struct sl_view indices, values, shape;
    SL_TRY(measure(&total, &longest, f, k->err));
    if (!f->is_single) dims[rank++] = f->examples;
    if (f->steps) dims[rank++] = most_steps(f);
    dims[rank++] = longest;
    SL_TRY(sl_out_new(&indices, k, o[0], (struct sl_shape){2, (const int64_t[]){total, rank}}));
    SL_TRY(sl_out_new(&values, k, o[1], (struct sl_shape){1, &total}));
    SL_TRY(sl_out_new(&shape, k, o[2], (struct sl_shape){1, &rank}));
    memcpy(shape.data, dims, (size_t)rank * sizeof *dims);
    int64_t *at = indices.data;
    for (int64_t e = 0, i = 0; e < f->examples; e++)
        for (int64_t step = 0; step < steps_of(f, e); step++, i++) {
            int64_t n;
            SL_TRY(sl_feature_count(&n, f, i, k->err));
            for (int64_t j = 0; j < n; j++) {
                if (!f->is_single) *at++ = e;
                if (f->steps) *at++ = step;
                *at++ = j;
            }
            SL_TRY(copy_values(values, place, f, i, n, k->err));
            place += n;
        }
    return SL_OK;
}

/* ---- ragged */

/* Splits: 0, then the running sums of `lengths`. A single example has none in its outermost dim. */
static sl_code give_splits(struct sl_kernel_context *k, int o, const struct sl_features *f, bool of_steps) {
    struct sl_view splits;
    int64_t rows = of_steps ? f->examples : f->n, at = 0, n;
    bool is_absent = f->is_single && (of_steps || !f->steps);
    SL_TRY(sl_out_new(&splits, k, o, (struct sl_shape){1, (const int64_t[]){is_absent ? 0 : rows + 1}}));
    if (is_absent) return SL_OK;
    sl_indices_store(splits, 0, &at, 1);
    for (int64_t r = 0; r < rows; r++) {
        if (of_steps) n = steps_of(f, r);
        else SL_TRY(sl_feature_count(&n, f, r, k->err));
        at += n;
        if (splits.dtype == SL_INT32 && at > INT32_MAX)
            return sl_invalid(k, "row_splits of %.*s do not fit an int32", SL_STR_ARG(f->key));
        sl_indices_store(splits, r + 1, &at, 1);
    }
    return SL_OK;
}

sl_code sl_features_ragged(struct sl_kernel_context *k, const struct sl_features *f, const int o[3]) {
    int64_t total, longest, place = 0;
    struct sl_view values;
    SL_TRY(measure(&total, &longest, f, k->err));
    SL_TRY(sl_out_new(&values, k, o[0], (struct sl_shape){1, &total}));
    if (o[1] >= 0) SL_TRY(give_splits(k, o[1], f, true));
    SL_TRY(give_splits(k, o[2], f, false));
    for (int64_t i = 0; i < f->n; i++) {
        int64_t n;
        SL_TRY(sl_feature_count(&n, f, i, k->err));
        SL_TRY(copy_values(values, place, f, i, n, k->err));
        place += n;
    }
    return SL_OK;
}

/* ---- dense */

static sl_code fail_missing(const struct sl_features *f, int64_t i, struct sl_error *err) {
    note_fault(f, i);
    const struct sl_str none = {0}, name = f->is_single ? none : name_of(f, i);
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "%s%.*s%sFeature: %.*s (data type: %s) is required but could not be found.", name.n ? "Name: " : "",
                   SL_STR_ARG(name), name.n ? ", " : "", SL_STR_ARG(f->key), sl_dtype_name(f->dtype));
}

static const char *values_of(const struct sl_features *f) {
    return f->dtype == SL_STRING ? "bytes" : sl_dtype_name(f->dtype);
}

/* A feature of an Example has `n` values; `each`, or a multiple of it, is wanted. */
static sl_code fail_count(const struct sl_features *f, const struct sl_dense_feature *d, int64_t each, int64_t i,
                          int64_t n, struct sl_error *err) {
    const bool is_too_long = f->dtype == SL_STRING && n > each;
    char shape[SL_SHAPE_TEXT], text[2 * SL_SHAPE_TEXT];
    (void)sl_shape_text(shape, d->shape);
    if (d->is_variable && f->is_single) {
        note_fault(f, i);
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Error while parsing feature with key %.*s: number of elements should be divisible by %" PRId64
                       ", found %" PRId64 " instead",
                       SL_STR_ARG(f->key), each, n);
    }
    if (d->is_variable)
        (void)snprintf(text, sizeof text,
                       "Number of %s values is not a multiple of stride length. Saw %" PRId64
                       " values but output shape is: %s",
                       values_of(f), n, shape);
    else if (f->is_single && is_too_long)
        (void)snprintf(text, sizeof text, "Can't parse serialized Example: Parsing bytes_list failed.");
    else if (f->is_single)
        (void)snprintf(text, sizeof text, "Can't parse serialized Example: Some %s_list slice was not parsed.",
                       values_of(f));
    else if (is_too_long) (void)snprintf(text, sizeof text, "Can't parse serialized Example.");
    else
        (void)snprintf(text, sizeof text,
                       "Number of %s values != expected.  Values size: %" PRId64 " but output shape: %s", values_of(f),
                       n, shape);
    return fail_feature(f, i, text, err);
}

/* Elements of feature i, and of what it must have; variable ones are whole rows of `each` elements. */
static sl_code check_dense(const struct sl_features *f, const struct sl_dense_feature *d, int64_t each, int64_t i,
                           struct sl_error *err) {
    int64_t n;
    if (sl_feature_is_missing(f->at[i]))
        return d->is_variable || d->fallback.count || f->steps ? SL_OK : fail_missing(f, i, err);
    SL_TRY(sl_feature_count(&n, f, i, err));
    if (d->is_variable ? each != 0 && n % each == 0 : n == each) return SL_OK;
    if (f->is_example) return fail_count(f, d, each, i, n, err);
    char shape[SL_SHAPE_TEXT], text[2 * SL_SHAPE_TEXT];
    (void)snprintf(text, sizeof text,
                   "%sNumber of %s values != expected.  Values size: %" PRId64 " but output shape: %s",
                   f->is_single && !f->steps ? "Can't parse serialized Example: " : "", sl_dtype_name(f->dtype), n,
                   sl_shape_text(shape, d->shape));
    return fail_feature(f, i, text, err);
}

/* Repeats the only element of the padding, or nothing when there is none (memory is zero, strings are empty). */
static sl_code pad(struct sl_view out, const struct sl_dense_feature *d, int64_t begin, int64_t end,
                   struct sl_error *err) {
    if (d->fallback.count != 1) return SL_OK;
    for (int64_t i = begin; i < end; i++)
        SL_TRY(sl_elements_copy(out.dtype, sl_element(out.data, out.dtype, i), d->fallback.data, 1, err));
    return SL_OK;
}

static sl_code fill_feature(struct sl_view out, const struct sl_features *f, const struct sl_dense_feature *d,
                            int64_t i, int64_t place, int64_t size, struct sl_error *err) {
    int64_t n = 0;
    if (!sl_feature_is_missing(f->at[i])) {
        SL_TRY(sl_feature_count(&n, f, i, err));
        SL_TRY(copy_values(out, place, f, i, n, err));
    } else if (!d->is_variable && d->fallback.count) {
        return sl_elements_copy(out.dtype, sl_element(out.data, out.dtype, place), d->fallback.data, size, err);
    }
    return pad(out, d, place + n, place + size, err);
}

sl_code sl_features_dense(struct sl_kernel_context *k, const struct sl_features *f, const struct sl_dense_feature *d,
                          int o) {
    int64_t dims[SL_MAX_RANK + 2], total, longest, each = 1;
    int rank = 0, first = d->is_variable;
    struct sl_view out;
    if (d->shape.rank + 2 > SL_MAX_RANK)
        return sl_invalid(k, "shape of %.*s has too many dimensions", SL_STR_ARG(f->key));
    for (int i = first; i < d->shape.rank; i++)
        if (!sl_mul_i64(&each, each, d->shape.dims[i]))
            return sl_invalid(k, "shape of %.*s is too large", SL_STR_ARG(f->key));
    for (int64_t i = 0; i < f->n; i++) SL_TRY(check_dense(f, d, each, i, k->err));
    SL_TRY(measure(&total, &longest, f, k->err));
    if (!f->is_single) dims[rank++] = f->examples;
    if (f->steps) dims[rank++] = most_steps(f);
    if (d->is_variable) dims[rank++] = each ? longest / each : 0;
    for (int i = first; i < d->shape.rank; i++) dims[rank++] = d->shape.dims[i];
    SL_TRY(sl_out_new(&out, k, o, (struct sl_shape){rank, dims}));
    sl_move_zero(k, out);
    int64_t size = d->is_variable ? longest : each, place = 0, most = f->steps ? most_steps(f) : 1;
    for (int64_t e = 0, i = 0; e < f->examples; e++) {
        for (int64_t step = 0; step < steps_of(f, e); step++, i++, place += size)
            SL_TRY(fill_feature(out, f, d, i, place, size, k->err));
        int64_t rest = (most - steps_of(f, e)) * size;
        SL_TRY(pad(out, d, place, place + rest, k->err));
        place += rest;
    }
    return SL_OK;
}
