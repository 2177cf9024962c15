/* TensorLists as objects: making, copying, growing, sums and zeros. Called by list_any.c. */
#include "backends/any/tensor_list.h"

#include <inttypes.h>

#include "backends/any/list_message.h"
#include "base/alloc.h"
#include "kernel/slices.h"
#include "kernel/variant.h"

static void list_free(struct sl_object *object) {
    struct sl_tensor_list *l = (struct sl_tensor_list *)object;
    for (int64_t i = 0; i < l->touched; i++) sl_value_clear(&l->values[i]);
    sl_free(l->values);
    sl_free(l);
}

static sl_code list_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                          struct sl_error *err);
static sl_code list_add(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                        const struct sl_variant_maths *maths, struct sl_error *err);

static int64_t list_room(struct sl_value **end, struct sl_object *list, int dtype);
static int64_t list_scalars(struct sl_value **end, const struct sl_object *list, int dtype, int64_t most);
static void list_end_at(struct sl_object *list, const struct sl_value *end);

static const struct sl_variant_methods list_methods = {.zeros = list_zeros, .add = list_add};
static const struct sl_stack_methods stack_methods = {list_room, list_scalars, list_end_at};
const struct sl_object_type sl_tensor_list_type = {.name = "tensorflow::TensorList",
                                                   .free = list_free,
                                                   .variant = &list_methods,
                                                   .stack = &stack_methods,
                                                   .write = sl_list_write};

/* Room for `need` elements, those beyond n unset. */
static sl_code reserve(struct sl_tensor_list *l, int64_t need, struct sl_error *err) {
    if ((size_t)need <= l->cap) return SL_OK;
    size_t cap = l->cap * 2 > (size_t)need ? l->cap * 2 : (size_t)need;
    struct sl_value *values = sl_calloc(cap, sizeof *values); /* SL_VALUE_NONE is 0 */
    if (!values) return sl_fail_memory(err, cap * sizeof *values);
    if (l->touched) memcpy(values, l->values, (size_t)l->touched * sizeof *values);
    sl_free(l->values);
    l->values = values;
    l->cap = cap;
    return SL_OK;
}

sl_code sl_list_new(struct sl_tensor_list **out, int dtype, struct sl_shape element_shape, int64_t max, int64_t n,
                    struct sl_error *err) {
    size_t dims = element_shape.rank > 0 ? (size_t)element_shape.rank * sizeof(int64_t) : 0;
    struct sl_tensor_list *l = sl_calloc(1, sizeof *l + dims);
    if (!l) return sl_fail_memory(err, sizeof *l + dims);
    sl_object_init(&l->object, &sl_tensor_list_type);
    l->dtype = (uint8_t)dtype;
    l->max = max;
    l->rank = element_shape.rank;
    if (dims) memcpy(l->dims, element_shape.dims, dims);
    sl_code code = reserve(l, n, err);
    if (code != SL_OK) {
        list_free(&l->object);
        return code;
    }
    l->n = n;
    *out = l;
    return SL_OK;
}

sl_code sl_list_copy(struct sl_tensor_list **out, const struct sl_tensor_list *l, int64_t more, struct sl_error *err) {
    struct sl_tensor_list *copy;
    SL_TRY(sl_list_new(&copy, l->dtype, sl_list_shape(l), l->max, 0, err));
    sl_code code = reserve(copy, l->n + more, err);
    if (code != SL_OK) {
        list_free(&copy->object);
        return code;
    }
    copy->object.depth = l->object.depth;
    for (int64_t i = 0; i < l->touched; i++) copy->values[i] = sl_value_share(&l->values[i]);
    copy->n = l->n;
    copy->touched = l->touched;
    *out = copy;
    return SL_OK;
}

sl_code sl_list_resize(struct sl_tensor_list *l, int64_t n, struct sl_error *err) {
    SL_TRY(reserve(l, n, err));
    for (int64_t i = n; i < l->touched; i++) sl_value_clear(&l->values[i]);
    l->n = n;
    if (l->touched > n) l->touched = n;
    return SL_OK;
}

sl_code sl_list_put(struct sl_tensor_list *l, int64_t i, struct sl_value value, struct sl_error *err) {
    SL_TRY(sl_variant_hold(&l->object, &value, err));
    sl_value_clear(&l->values[i]);
    l->values[i] = value;
    if (l->touched <= i) l->touched = i + 1;
    return SL_OK;
}

sl_code sl_list_push(struct sl_tensor_list *l, struct sl_value value, struct sl_error *err) {
    if (l->max >= 0 && l->n >= l->max)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Tried to push item into a full list list size: %" PRId64 " max_num_elements: %" PRId64, l->n,
                       l->max);
    SL_TRY(sl_variant_hold(&l->object, &value, err));
    SL_TRY(reserve(l, l->n + 1, err));
    l->values[l->n++] = value;
    l->touched = l->n;
    return SL_OK;
}

sl_code sl_list_append(struct sl_tensor_list *l, const struct sl_tensor_list *from, struct sl_error *err) {
    SL_TRY(reserve(l, l->n + from->n, err));
    const int64_t n = from->n, touched = from->touched, begin = l->n; /* `from` may be `l` */
    for (int64_t i = 0; i < touched; i++) l->values[begin + i] = sl_value_share(&from->values[i]);
    l->n = begin + n;
    if (touched) l->touched = begin + touched;
    if (from->object.depth > l->object.depth) l->object.depth = from->object.depth;
    return SL_OK;
}

/* ---- what machine code does */

static int64_t list_room(struct sl_value **end, struct sl_object *list, int dtype) {
    enum { LEAST = 32 };
    struct sl_tensor_list *l = (struct sl_tensor_list *)list;
    const bool fits = l->dtype == dtype && l->rank <= 0 && reserve(l, l->n + LEAST, NULL) == SL_OK;
    const int64_t most = l->max < 0 || l->max > (int64_t)l->cap ? (int64_t)l->cap : l->max;
    *end = l->n ? l->values + l->n : l->values;
    return fits && most > l->n ? most - l->n : 0;
}

static int64_t list_scalars(struct sl_value **end, const struct sl_object *list, int dtype, int64_t most) {
    const struct sl_tensor_list *l = (const struct sl_tensor_list *)list;
    int64_t n = 0;
    while (n < most && n < l->n && l->values[l->n - 1 - n].kind == SL_VALUE_SCALAR &&
           l->values[l->n - 1 - n].dtype == dtype)
        n++;
    *end = l->n ? l->values + l->n : l->values;
    return n;
}

static void list_end_at(struct sl_object *list, const struct sl_value *end) {
    struct sl_tensor_list *l = (struct sl_tensor_list *)list;
    const int64_t n = l->values ? end - l->values : 0;
    for (int64_t i = n; i < l->n; i++) l->values[i].kind = SL_VALUE_NONE;
    for (int64_t i = l->n; i < n; i++) {
        l->values[i].kind = SL_VALUE_SCALAR;
        l->values[i].dtype = l->dtype;
    }
    if (l->touched > n || n > l->n) l->touched = n;
    l->n = n;
}

/* ---- what variants can do */

static sl_code list_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                          struct sl_error *err) {
    const struct sl_tensor_list *l = (const struct sl_tensor_list *)like;
    struct sl_tensor_list *zeros;
    SL_TRY(sl_list_new(&zeros, l->dtype, sl_list_shape(l), l->max, l->n, err));
    zeros->object.depth = l->object.depth;
    sl_code code = SL_OK;
    zeros->touched = l->touched;
    for (int64_t i = 0; i < l->touched && code == SL_OK; i++)
        if (l->values[i].kind != SL_VALUE_NONE) code = sl_value_zeros(&zeros->values[i], &l->values[i], maths, err);
    if (code == SL_OK) *out = &zeros->object;
    else sl_object_unref(&zeros->object);
    return code;
}

/* Unset counts as zeros. */
static sl_code add_element(struct sl_value *out, const struct sl_value *a, const struct sl_value *b,
                           const struct sl_variant_maths *maths, struct sl_error *err) {
    if (a->kind != SL_VALUE_NONE && b->kind != SL_VALUE_NONE) return sl_value_add(out, a, b, maths, err);
    *out = sl_value_share(a->kind == SL_VALUE_NONE ? b : a);
    return SL_OK;
}

static sl_code list_add(struct sl_object **out, struct sl_object *first, struct sl_object *second,
                        const struct sl_variant_maths *maths, struct sl_error *err) {
    const struct sl_tensor_list *a = (const struct sl_tensor_list *)first, *b = (const struct sl_tensor_list *)second;
    char a_text[SL_SHAPE_TEXT], b_text[SL_SHAPE_TEXT];
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    struct sl_tensor_list *sum;
    if (a->dtype != b->dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Trying to add two lists of tensors of different dtypes. One is %s and the other is %s",
                       sl_dtype_name(a->dtype), sl_dtype_name(b->dtype));
    if (a->n != b->n)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Trying to add two lists of tensors with different lengths. One is %" PRId64
                       " and the other is %" PRId64,
                       a->n, b->n);
    if (!sl_shape_join(&shape, dims, sl_list_shape(a), sl_list_shape(b)))
        return sl_fail(
            err, SL_INVALID_ARGUMENT,
            "Trying to add two lists of tensors with incompatible element shapes. One is %s and the other is %s",
            sl_shape_text(a_text, sl_list_shape(a)), sl_shape_text(b_text, sl_list_shape(b)));
    SL_TRY(sl_list_new(&sum, a->dtype, shape, a->max, a->n, err));
    sum->object.depth = a->object.depth > b->object.depth ? a->object.depth : b->object.depth;
    sl_code code = SL_OK;
    sum->touched = a->touched > b->touched ? a->touched : b->touched;
    for (int64_t i = 0; i < sum->touched && code == SL_OK; i++)
        code = add_element(&sum->values[i], &a->values[i], &b->values[i], maths, err);
    if (code == SL_OK) *out = &sum->object;
    else sl_object_unref(&sum->object);
    return code;
}
