/* Elements, and how batches are made of them. Called by iterators. */
#include "data/element.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "kernel/slices.h"

sl_code sl_element_new(struct sl_value **out, int n, struct sl_error *err) {
    *out = sl_calloc((size_t)n, sizeof **out);
    return *out ? SL_OK : sl_fail_memory(err, (size_t)n * sizeof **out);
}

int64_t sl_element_bytes(const struct sl_value *element, int n) {
    int64_t bytes = 0;
    for (int i = 0; i < n; i++)
        if (element[i].kind == SL_VALUE_TENSOR) bytes += (int64_t)element[i].tensor->bytes;
    return bytes;
}

sl_code sl_element_list_room(struct sl_value **out, struct sl_element_list *list, struct sl_error *err) {
    const size_t used = (size_t)list->n * (size_t)list->width, width = (size_t)list->width;
    if (used + width > list->cap && sl_grow((void **)&list->values, &list->cap, used + width, sizeof *list->values))
        return sl_fail_memory(err, (used + width) * sizeof *list->values);
    *out = list->values + used;
    for (size_t i = 0; i < width; i++) (*out)[i].kind = SL_VALUE_NONE;
    return SL_OK;
}

void sl_element_list_clear(struct sl_element_list *list) {
    for (int64_t i = 0; i < list->n; i++) sl_element_clear(sl_element_at(list, i), list->width);
    sl_free(list->values);
    *list = (struct sl_element_list){.width = list->width};
}

/* A value of `rows` elements of this shape. */
static sl_code new_batch(struct sl_value *out, int dtype, int64_t rows, struct sl_shape shape, struct sl_error *err) {
    int64_t dims[SL_MAX_RANK + 1];
    if (shape.rank >= SL_MAX_RANK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Elements of rank %d cannot be batched", shape.rank);
    dims[0] = rows;
    if (shape.rank > 0) memcpy(dims + 1, shape.dims, (size_t)shape.rank * sizeof *dims);
    return sl_value_new(out, dtype, (struct sl_shape){shape.rank + 1, dims}, err);
}

static sl_code check_same(struct sl_view first, struct sl_view v, int c, int64_t i, struct sl_error *err) {
    if (v.dtype != first.dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot batch tensors with different types in component %d", c);
    if (sl_shape_equal(sl_view_shape(first), sl_view_shape(v))) return SL_OK;
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Cannot batch tensors with different shapes in component %d. First element had shape %s and "
                   "element %lld had shape %s.",
                   c, sl_shape_text(a, sl_view_shape(first)), (long long)i, sl_shape_text(b, sl_view_shape(v)));
}

sl_code sl_element_stack(struct sl_value *out, const struct sl_element_list *list, int c, struct sl_error *err) {
    struct sl_view first = sl_value_view(&sl_element_at(list, 0)[c]);
    struct sl_value made = {0};
    for (int64_t i = 1; i < list->n; i++)
        SL_TRY(check_same(first, sl_value_view(&sl_element_at(list, i)[c]), c, i, err));
    SL_TRY(new_batch(&made, first.dtype, list->n, sl_view_shape(first), err));
    struct sl_view whole = sl_value_view(&made);
    sl_code code = SL_OK;
    for (int64_t i = 0; i < list->n && code == SL_OK; i++)
        code = sl_slice_put(whole, i * first.count, sl_value_view(&sl_element_at(list, i)[c]), err);
    if (code == SL_OK) *out = made;
    else sl_value_clear(&made);
    return code;
}

sl_code sl_element_join(struct sl_value *out, const struct sl_element_list *list, int c, struct sl_error *err) {
    const struct sl_view first = sl_value_view(&sl_element_at(list, 0)[c]);
    const struct sl_shape row = {first.rank - 1, first.dims + 1};
    struct sl_value made = {0};
    int64_t rows = 0;
    for (int64_t i = 0; i < list->n; i++) {
        const struct sl_view v = sl_value_view(&sl_element_at(list, i)[c]);
        const struct sl_shape other = {v.rank - 1, v.dims ? v.dims + 1 : NULL};
        if (v.dtype != first.dtype || v.rank < 1 || !sl_shape_equal(row, other))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "Cannot join batches of rows of different shapes or types in component %d", c);
        rows += v.dims[0];
    }
    SL_TRY(new_batch(&made, first.dtype, rows, row, err));
    const struct sl_view whole = sl_value_view(&made);
    sl_code code = SL_OK;
    for (int64_t i = 0, at = 0; i < list->n && code == SL_OK; i++) {
        const struct sl_view v = sl_value_view(&sl_element_at(list, i)[c]);
        code = sl_slice_put(whole, at, v, err);
        at += v.count;
    }
    if (code == SL_OK) *out = made;
    else sl_value_clear(&made);
    return code;
}

/* ---- padding */

static sl_code fill_with(struct sl_view whole, const struct sl_value *padding, struct sl_error *err) {
    const size_t size = sl_dtype_size(whole.dtype);
    if (!padding) {
        if (sl_dtype_is_plain(whole.dtype)) memset(whole.data, 0, (size_t)whole.count * size);
        return SL_OK;
    }
    const struct sl_view p = sl_value_view(padding);
    for (int64_t i = 0; i < whole.count; i++)
        SL_TRY(sl_elements_copy(whole.dtype, (char *)whole.data + (size_t)i * size, p.data, 1, err));
    return SL_OK;
}

/* Copies `part` to the corner of the region of `shape` that begins at element `first` of `whole`: line by line. */
static sl_code put_corner(struct sl_view whole, int64_t first, struct sl_shape shape, struct sl_view part,
                          struct sl_error *err) {
    if (part.count == 0) return SL_OK;
    if (part.rank == 0) return sl_slice_put(whole, first, part, err);
    const int last = part.rank - 1;
    const size_t size = sl_dtype_size(whole.dtype);
    int64_t at[SL_MAX_RANK] = {0};
    for (int64_t line = 0; line < part.count / part.dims[last]; line++) {
        int64_t to = 0;
        for (int d = 0; d <= last; d++) to = to * shape.dims[d] + at[d];
        SL_TRY(sl_elements_copy(whole.dtype, (char *)whole.data + (size_t)(first + to) * size,
                                (const char *)part.data + (size_t)(line * part.dims[last]) * size, part.dims[last],
                                err));
        for (int d = last - 1; d >= 0 && ++at[d] == part.dims[d]; d--) at[d] = 0;
    }
    return SL_OK;
}

sl_code sl_element_stack_padded(struct sl_value *out, const struct sl_element_list *list, int c, struct sl_shape shape,
                                const struct sl_value *padding, struct sl_error *err) {
    const int dtype = sl_element_at(list, 0)[c].dtype;
    struct sl_value made = {0};
    SL_TRY(new_batch(&made, dtype, list->n, shape, err));
    struct sl_view whole = sl_value_view(&made);
    const int64_t each = whole.count / list->n;
    sl_code code = fill_with(whole, padding, err);
    for (int64_t i = 0; i < list->n && code == SL_OK; i++)
        code = put_corner(whole, i * each, shape, sl_value_view(&sl_element_at(list, i)[c]), err);
    if (code == SL_OK) *out = made;
    else sl_value_clear(&made);
    return code;
}

sl_code sl_element_rows(struct sl_value *out, const struct sl_value *whole, int64_t i, int64_t n,
                        struct sl_error *err) {
    struct sl_tensor *t = whole->tensor;
    int64_t dims[SL_MAX_RANK];
    dims[0] = n;
    for (int d = 1; d < t->rank; d++) dims[d] = t->dims[d];
    return sl_slice_take(out, t, i * (t->dims[0] ? t->count / t->dims[0] : 0), (struct sl_shape){t->rank, dims}, err);
}

sl_code sl_element_row(struct sl_value *out, const struct sl_value *whole, int64_t i, struct sl_error *err) {
    struct sl_tensor *t = whole->tensor; /* rank 1 or more: no other form */
    const struct sl_shape row = {t->rank - 1, t->dims + 1};
    const int64_t each = t->dims[0] ? t->count / t->dims[0] : 0;
    return sl_slice_take(out, t, i * each, row, err);
}
