/* Kernels of TensorLists. A kernel that changes a list takes its input over when nobody else needs it and works on a
 * copy otherwise, so that loops which push and pop do so in place. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>

#include "backends/any/tensor_list.h"
#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/slices.h"

/* ---- inputs */

static sl_code as_list(struct sl_tensor_list **out, struct sl_kernel_context *k, struct sl_object *o) {
    if (!o || o->type != &sl_tensor_list_type)
        return sl_invalid(k, "Input handle is not a list. Saw: 'Variant<type: %s>'", o ? o->type->name : "");
    *out = (struct sl_tensor_list *)o;
    return SL_OK;
}

/* Input i as a list; borrowed. */
static sl_code list_at(struct sl_tensor_list **out, struct sl_kernel_context *k, int i) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0) return sl_invalid(k, "Input list must be a scalar saw: %s", sl_shape_text(text, sl_view_shape(v)));
    return as_list(out, k, *(struct sl_object **)v.data);
}

/* Input i as a list that may be changed, with a reference of its own and room for `more` elements. */
static sl_code own_list_at(struct sl_tensor_list **out, struct sl_kernel_context *k, int i, int64_t more) {
    struct sl_tensor_list *l = NULL;
    SL_TRY(list_at(&l, k, i));
    struct sl_value *v = sl_in_value(k, i);
    if (!(k->may_take >> i & 1) || v->kind != SL_VALUE_OBJECT || !sl_object_is_sole(&l->object))
        return sl_list_copy(out, l, more, k->err);
    sl_value_move(v);
    *out = l;
    return SL_OK;
}

static void give_list(struct sl_kernel_context *k, int o, struct sl_tensor_list *l) { sl_out_object(k, o, &l->object); }

/* Gives the list when `code` is OK, or drops it. */
static sl_code finish_list(struct sl_kernel_context *k, int o, struct sl_tensor_list *l, sl_code code) {
    if (code == SL_OK) give_list(k, o, l);
    else sl_object_unref(&l->object);
    return code;
}

static struct sl_value take_input(struct sl_kernel_context *k, int i) {
    struct sl_value *v = sl_in_value(k, i);
    return k->may_take >> i & 1 ? sl_value_move(v) : sl_value_share(v);
}

/* Input i as a partly known shape: a vector of dims, -1 where not known, or the scalar -1. */
static sl_code shape_at(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k, int i) {
    struct sl_view v = sl_in(k, i);
    if (v.rank > 1) return sl_invalid(k, "Shape must be at most rank 1 but is rank %d", v.rank);
    if (v.count > SL_MAX_RANK) return sl_invalid(k, "Shape must be at most rank %d", SL_MAX_RANK);
    for (int64_t d = 0; d < v.count; d++)
        dims[d] = v.dtype == SL_INT64 ? ((const int64_t *)v.data)[d] : ((const int32_t *)v.data)[d];
    *out = v.rank == 0 ? SL_SHAPE_UNKNOWN : (struct sl_shape){(int)v.count, dims};
    if (v.rank == 0 && dims[0] != -1)
        return sl_invalid(k, "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
    for (int d = 0; d < out->rank; d++)
        if (dims[d] < -1) return sl_invalid(k, "Dimension %" PRId64 " must be >= -1", dims[d]);
    return SL_OK;
}

static sl_code int_at(int32_t *out, struct sl_kernel_context *k, int i, const char *what) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0)
        return sl_invalid(k, "%s expected to be a scalar but got shape: %s", what,
                          sl_shape_text(text, sl_view_shape(v)));
    *out = *(const int32_t *)v.data;
    return SL_OK;
}

static sl_code check_type(struct sl_kernel_context *k, const struct sl_tensor_list *l, int dtype) {
    if (l->dtype == dtype) return SL_OK;
    return sl_invalid(k, "Invalid data types; op elements %s but list elements %s", sl_dtype_name(dtype),
                      sl_dtype_name(l->dtype));
}

/* About what it takes to look at an element, and to move so many. */
enum { ELEMENT_NS = 10, ELEMENTS_PER_NS = 2 };

/* ---- the shape of elements that are not there */

static sl_code join_shapes(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k,
                           struct sl_shape a, struct sl_shape b) {
    char a_text[SL_SHAPE_TEXT], b_text[SL_SHAPE_TEXT];
    if (sl_shape_join(out, dims, a, b)) return SL_OK;
    return sl_invalid(k, "PartialTensorShape: Incompatible shapes during merge: %s vs. %s", sl_shape_text(a_text, a),
                      sl_shape_text(b_text, b));
}

/* What list and input i say together. */
static sl_code wanted_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k, int i,
                            const struct sl_tensor_list *l) {
    int64_t given[SL_MAX_RANK];
    struct sl_shape shape;
    SL_TRY(shape_at(&shape, given, k, i));
    return join_shapes(out, dims, k, shape, sl_list_shape(l));
}

/* And what the set ones of these values say besides. */
static sl_code join_values(struct sl_shape *shape, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k,
                           const struct sl_tensor_list *l, const int32_t *indices, int64_t n) {
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < n; i++) {
        const struct sl_value *v = &l->values[indices ? indices[i] : i];
        if (sl_pace_ends(&pace, ELEMENT_NS)) return SL_CANCELLED;
        if (v->kind == SL_VALUE_NONE) continue;
        struct sl_shape element = sl_view_shape(sl_value_view(v));
        if (!sl_shape_equal(*shape, element)) SL_TRY(join_shapes(shape, dims, k, *shape, element));
    }
    return SL_OK;
}

/* ---- making */

static sl_code empty_run(struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    int32_t max = -1;
    int dtype = (int)(intptr_t)k->state;
    struct sl_tensor_list *l = NULL;
    SL_TRY(shape_at(&shape, dims, k, 0));
    SL_TRY(int_at(&max, k, 1, "max_num_elements"));
    SL_TRY(sl_list_new(&l, dtype, shape, max, 0, k->err));
    give_list(k, 0, l);
    return SL_OK;
}

/* The state is the element type itself. */
static sl_code element_type_create(void **state, struct sl_kernel_setup *setup) {
    int dtype;
    SL_TRY(sl_attr_type(&dtype, setup->attrs, "element_dtype", setup->err));
    *state = (void *)(intptr_t)dtype; /* NOLINT: a number, never followed */
    return SL_OK;
}

static sl_code reserve_run(struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    struct sl_view n = sl_in(k, 1);
    char text[SL_SHAPE_TEXT];
    struct sl_tensor_list *l = NULL;
    SL_TRY(shape_at(&shape, dims, k, 0));
    if (n.rank != 0)
        return sl_invalid(k, "The num_elements to reserve must be a tensor size 1, but got %s",
                          sl_shape_text(text, sl_view_shape(n)));
    int32_t count = *(const int32_t *)n.data;
    if (count < 0)
        return sl_invalid(k, "The num_elements to reserve must be a non negative number, but got %" PRId32, count);
    SL_TRY(sl_list_new(&l, (int)(intptr_t)k->state, shape, -1, count, k->err));
    give_list(k, 0, l);
    return SL_OK;
}

/* ---- one element */

static sl_code push_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    struct sl_view element = sl_in(k, 1);
    char element_text[SL_SHAPE_TEXT], list_text[SL_SHAPE_TEXT];
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, element.dtype));
    if (!sl_shape_is_compatible(sl_list_shape(l), sl_view_shape(element)))
        return sl_invalid(k,
                          "Tried to append a tensor with incompatible shape to a list. Op element shape: %s list "
                          "shape: %s",
                          sl_shape_text(element_text, sl_view_shape(element)),
                          sl_shape_text(list_text, sl_list_shape(l)));
    SL_TRY(own_list_at(&l, k, 0, 1));
    struct sl_value value = take_input(k, 1);
    sl_code code = sl_list_push(l, value, k->err);
    if (code != SL_OK) sl_value_clear(&value);
    return finish_list(k, 0, l, code);
}

/* Element i of an unset value: zeros of what shape is known. */
static sl_code give_zeros(struct sl_kernel_context *k, int o, int dtype, struct sl_shape shape, const char *format) {
    char text[SL_SHAPE_TEXT];
    if (!sl_shape_is_known(shape)) return sl_invalid(k, format, sl_shape_text(text, shape));
    return sl_value_zero(sl_out_value(k, o), dtype, shape, k->err);
}

static sl_code pop_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, sl_out_type(k, 1)));
    if (l->n == 0) return sl_invalid(k, "Trying to pop from an empty list.");
    if (l->values[l->n - 1].kind == SL_VALUE_NONE) {
        int64_t dims[SL_MAX_RANK];
        struct sl_shape shape;
        SL_TRY(wanted_shape(&shape, dims, k, 1, l));
        SL_TRY(give_zeros(k, 1, l->dtype, shape,
                          "Trying to read an uninitialized tensor but element_shape is not fully defined.%s"));
    }
    sl_code code = own_list_at(&l, k, 0, 0);
    if (code != SL_OK) {
        sl_value_clear(sl_out_value(k, 1));
        return code;
    }
    struct sl_value last = sl_value_move(&l->values[--l->n]);
    if (l->touched > l->n) l->touched = l->n;
    if (last.kind != SL_VALUE_NONE) *sl_out_value(k, 1) = last;
    give_list(k, 0, l);
    return sl_out_settle(k, 1);
}

static sl_code get_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    int32_t index;
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, sl_out_type(k, 0)));
    SL_TRY(int_at(&index, k, 1, "index"));
    if (index < 0 || index >= l->n)
        return sl_invalid(k, "Trying to access element %" PRId32 " in a list with %" PRId64 " elements.", index, l->n);
    if (l->values[index].kind != SL_VALUE_NONE) {
        *sl_out_value(k, 0) = sl_value_share(&l->values[index]);
        return sl_out_settle(k, 0);
    }
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    SL_TRY(wanted_shape(&shape, dims, k, 2, l));
    if (!sl_shape_is_known(shape)) SL_TRY(join_values(&shape, dims, k, l, NULL, l->touched));
    SL_TRY(give_zeros(k, 0, l->dtype, shape,
                      "Trying to read an uninitialized tensor but element_shape is not fully defined: %s and no list "
                      "element is set."));
    return sl_out_settle(k, 0);
}

static sl_code set_create(void **state, struct sl_kernel_setup *setup) {
    bool resizes;
    SL_TRY(sl_attr_bool(&resizes, setup->attrs, "resize_if_index_out_of_bounds", setup->err));
    *state = (void *)(intptr_t)resizes;
    return SL_OK;
}

static sl_code set_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    int32_t index;
    struct sl_view item = sl_in(k, 2);
    bool resizes = (intptr_t)k->state;
    char item_text[SL_SHAPE_TEXT], list_text[SL_SHAPE_TEXT];
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, item.dtype));
    SL_TRY(int_at(&index, k, 1, "index"));
    if (index < 0 || (index >= l->n && !resizes))
        return sl_invalid(k, "Trying to modify element %" PRId32 " in a list with %" PRId64 " elements.", index, l->n);
    if (!sl_shape_is_compatible(sl_list_shape(l), sl_view_shape(item)))
        return sl_invalid(k,
                          "Tried to set a tensor with incompatible shape at a list index. Item element shape: %s list "
                          "shape: %s",
                          sl_shape_text(item_text, sl_view_shape(item)), sl_shape_text(list_text, sl_list_shape(l)));
    SL_TRY(own_list_at(&l, k, 0, 0));
    sl_code code = index >= l->n ? sl_list_resize(l, (int64_t)index + 1, k->err) : SL_OK;
    if (code == SL_OK) {
        struct sl_value value = take_input(k, 2);
        code = sl_list_put(l, index, value, k->err);
        if (code != SL_OK) sl_value_clear(&value);
    }
    return finish_list(k, 0, l, code);
}

/* ---- about the list */

static sl_code length_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    SL_TRY(list_at(&l, k, 0));
    return sl_out_int(k, 0, l->n);
}

static sl_code element_shape_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    SL_TRY(list_at(&l, k, 0));
    if (l->rank < 0) return sl_out_int(k, 0, -1);
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, (const int64_t[]){l->rank}}));
    for (int d = 0; d < l->rank; d++) {
        if (out.dtype == SL_INT64) ((int64_t *)out.data)[d] = l->dims[d];
        else ((int32_t *)out.data)[d] = (int32_t)l->dims[d];
    }
    return SL_OK;
}

static sl_code resize_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    struct sl_view size = sl_in(k, 1);
    SL_TRY(list_at(&l, k, 0));
    if (size.rank != 0) return sl_invalid(k, "size must be a scalar");
    int32_t n = *(const int32_t *)size.data;
    if (n < 0) return sl_invalid(k, "TensorListSlice expects size to be non-negative. Got: %" PRId32, n);
    SL_TRY(own_list_at(&l, k, 0, n > l->n ? n - l->n : 0));
    return finish_list(k, 0, l, sl_list_resize(l, n, k->err));
}

/* ---- many elements into one tensor */

/* [n] + element */
static sl_code rows_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k, int64_t n,
                          struct sl_shape element) {
    if (element.rank + 1 > SL_MAX_RANK) return sl_invalid(k, "Shape must be at most rank %d", SL_MAX_RANK);
    dims[0] = n;
    for (int d = 0; d < element.rank; d++) dims[d + 1] = element.dims[d];
    *out = (struct sl_shape){element.rank + 1, dims};
    return SL_OK;
}

/* Zeros, "", empty for `count` elements from `first` on. */
static void put_zeros(struct sl_view out, int64_t first, int64_t count) {
    size_t size = sl_dtype_size(out.dtype);
    if (sl_dtype_is_plain(out.dtype)) memset((char *)out.data + (size_t)first * size, 0, (size_t)count * size);
}

/* Puts an element, which may lie anywhere, into `out` from element `at` on. */
static sl_code put_element(struct sl_view out, int64_t at, const struct sl_value *element,
                           struct sl_kernel_context *k) {
    struct sl_value v = sl_value_share(element);
    sl_code code = sl_value_settle(&v, NULL, k->env->step_id, k->err);
    if (code == SL_OK) code = sl_slice_put(out, at, sl_value_on_host(&v), k->err);
    sl_value_clear(&v);
    return code;
}

/* Output 0: these elements (all when `indices` is NULL), one after the other. */
static sl_code stack_elements(struct sl_kernel_context *k, const struct sl_tensor_list *l, const int32_t *indices,
                              int64_t n, struct sl_shape element) {
    int64_t dims[SL_MAX_RANK], each = 1;
    struct sl_shape rows;
    struct sl_view out;
    SL_TRY(rows_shape(&rows, dims, k, n, element));
    SL_TRY(sl_out_new(&out, k, 0, rows));
    for (int d = 0; d < element.rank; d++) each *= element.dims[d];
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < n; i++) {
        const struct sl_value *v = &l->values[indices ? indices[i] : i];
        if (sl_pace_ends(&pace, ELEMENT_NS + each / ELEMENTS_PER_NS)) return SL_CANCELLED;
        if (v->kind == SL_VALUE_NONE) put_zeros(out, i * each, each);
        else SL_TRY(put_element(out, i * each, v, k));
    }
    return SL_OK;
}

static sl_code stack_create(void **state, struct sl_kernel_setup *setup) {
    int64_t n;
    SL_TRY(sl_attr_int(&n, setup->attrs, "num_elements", setup->err));
    *state = (void *)(intptr_t)n;
    return SL_OK;
}

static sl_code stack_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    int64_t wanted = (intptr_t)k->state, dims[SL_MAX_RANK];
    struct sl_shape shape;
    char text[SL_SHAPE_TEXT];
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, sl_out_type(k, 0)));
    if (wanted != -1 && l->n != wanted)
        return sl_invalid(k,
                          "Operation expected a list with %" PRId64 " elements but got a list with %" PRId64
                          " elements.",
                          wanted, l->n);
    SL_TRY(wanted_shape(&shape, dims, k, 1, l));
    if (l->n == 0 && !sl_shape_is_known(shape))
        return sl_invalid(k, "Tried to stack elements of an empty list with non-fully-defined element_shape: %s",
                          sl_shape_text(text, shape));
    SL_TRY(join_values(&shape, dims, k, l, NULL, l->touched));
    if (!sl_shape_is_known(shape))
        return sl_invalid(k,
                          "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined "
                          "element_shape: %s",
                          sl_shape_text(text, shape));
    return stack_elements(k, l, NULL, l->n, shape);
}

static sl_code gather_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    struct sl_view indices = sl_in(k, 1);
    const int32_t *at = indices.data;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    char text[SL_SHAPE_TEXT];
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, sl_out_type(k, 0)));
    SL_TRY(wanted_shape(&shape, dims, k, 2, l));
    if (indices.count == 0 && !sl_shape_is_known(shape))
        return sl_invalid(k, "Tried to gather 0-elements from a list with non-fully-defined shape: %s",
                          sl_shape_text(text, shape));
    for (int64_t i = 0; i < indices.count; i++)
        if (at[i] < 0 || at[i] >= l->n)
            return sl_invalid(k, "Trying to gather element %" PRId32 " in a list with %" PRId64 " elements.", at[i],
                              l->n);
    SL_TRY(join_values(&shape, dims, k, l, at, indices.count));
    if (!sl_shape_is_known(shape))
        return sl_invalid(k,
                          "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: %s",
                          sl_shape_text(text, shape));
    return stack_elements(k, l, at, indices.count, shape);
}

/* ---- concatenation */

static struct sl_shape without_first(struct sl_shape s) {
    return s.rank < 1 ? s : (struct sl_shape){s.rank - 1, s.dims + 1};
}

/* Rows that all set elements have; -1: none is set, or they differ. */
static int64_t common_rows(const struct sl_tensor_list *l) {
    int64_t rows = -1;
    for (int64_t i = 0; i < l->touched; i++) {
        if (l->values[i].kind == SL_VALUE_NONE) continue;
        const int64_t n = sl_value_view(&l->values[i]).dims[0];
        if (rows >= 0 && rows != n) return -1;
        rows = n;
    }
    return rows;
}

/* Rows that an unset element stands for: those of the element shape, the `given` ones, or the `common` ones. */
static sl_code unset_rows(int64_t *rows, struct sl_kernel_context *k, int64_t i, int64_t first_dim, int64_t common,
                          struct sl_view given) {
    *rows = first_dim;
    if (first_dim < 0 && i < given.count) *rows = ((const int64_t *)given.data)[i];
    else if (first_dim < 0) {
        *rows = common;
        if (*rows < 0)
            return sl_invalid(k,
                              "List contains uninitialized tensor at index %" PRId64
                              " but leading_dims has only %" PRId64 " elements.",
                              i, given.count);
    }
    if (*rows < 0) return sl_invalid(k, "leading_dims must not be negative, but element %" PRId64 " is", i);
    return SL_OK;
}

/* Checks all elements, and says how many rows each has and what a row is. */
static sl_code measure_parts(int64_t *lengths, int64_t *total, struct sl_shape *row, int64_t dims[SL_MAX_RANK],
                             struct sl_kernel_context *k, const struct sl_tensor_list *l, int64_t first_dim,
                             struct sl_view given) {
    char text[SL_SHAPE_TEXT];
    struct sl_pace pace = sl_pace_of(k);
    *total = 0;
    for (int64_t i = 0; i < l->touched; i++) {
        if (sl_pace_ends(&pace, ELEMENT_NS)) return SL_CANCELLED;
        if (l->values[i].kind == SL_VALUE_NONE) continue;
        struct sl_shape s = sl_view_shape(sl_value_view(&l->values[i]));
        if (s.rank < 1)
            return sl_invalid(k, "Concat saw a scalar shape at index %" PRId64 " but requires at least vectors.", i);
        if (first_dim >= 0 && s.dims[0] != first_dim)
            return sl_invalid(k,
                              "First entry of element_shape input does not match the first dim of list element at "
                              "index: %" PRId64 " Expected: %" PRId64 " Actual: %" PRId64,
                              i, first_dim, s.dims[0]);
        SL_TRY(join_shapes(row, dims, k, *row, without_first(s)));
    }
    if (!sl_shape_is_known(*row))
        return sl_invalid(k,
                          l->n ? "Trying to concat list with only uninitialized tensors but "
                                 "element_shape_except_first_dim is not fully defined: %s"
                               : "All except the first dimension must be fully defined when concating an empty tensor "
                                 "list. element_shape: %s",
                          sl_shape_text(text, *row));
    const int64_t common = common_rows(l);
    for (int64_t i = 0; i < l->n; i++) {
        if (sl_pace_ends(&pace, ELEMENT_NS)) return SL_CANCELLED;
        if (l->values[i].kind == SL_VALUE_NONE) SL_TRY(unset_rows(&lengths[i], k, i, first_dim, common, given));
        else lengths[i] = sl_value_view(&l->values[i]).dims[0];
        if (__builtin_add_overflow(*total, lengths[i], total)) return sl_invalid(k, "Too many rows to concatenate");
    }
    return SL_OK;
}

/* Outputs: the rows of all elements, and how many each has. `shape` is what is known of an element. */
static sl_code concat(struct sl_kernel_context *k, const struct sl_tensor_list *l, struct sl_shape shape,
                      struct sl_view given) {
    int64_t total, each = 1, at = 0, row_dims[SL_MAX_RANK], dims[SL_MAX_RANK];
    struct sl_shape row = without_first(shape), rows;
    struct sl_view out, lengths;
    if (shape.rank == 0)
        return sl_invalid(k, "Concat requires elements to be at least vectors, found scalars instead.");
    SL_TRY(sl_out_new(&lengths, k, 1, (struct sl_shape){1, &l->n}));
    SL_TRY(measure_parts(lengths.data, &total, &row, row_dims, k, l, shape.rank > 0 ? shape.dims[0] : -1, given));
    SL_TRY(rows_shape(&rows, dims, k, total, row));
    SL_TRY(sl_out_new(&out, k, 0, rows));
    for (int d = 0; d < row.rank; d++) each *= row.dims[d];
    struct sl_pace pace = sl_pace_of(k);
    for (int64_t i = 0; i < l->n; i++) {
        int64_t n = ((const int64_t *)lengths.data)[i] * each;
        if (sl_pace_ends(&pace, ELEMENT_NS + n / ELEMENTS_PER_NS)) return SL_CANCELLED;
        if (l->values[i].kind == SL_VALUE_NONE) put_zeros(out, at, n);
        else SL_TRY(put_element(out, at, &l->values[i], k));
        at += n;
    }
    return SL_OK;
}

static sl_code concat_create(void **state, struct sl_kernel_setup *setup) {
    return sl_shape_state_create(state, setup, "element_shape");
}

static sl_code concat_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, sl_out_type(k, 0)));
    SL_TRY(join_shapes(&shape, dims, k, *(const struct sl_shape *)k->state, sl_list_shape(l)));
    return concat(k, l, shape, (struct sl_view){0});
}

static sl_code concat_v2_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, sl_out_type(k, 0)));
    SL_TRY(wanted_shape(&shape, dims, k, 1, l));
    return concat(k, l, shape, sl_in(k, 2));
}

/* ---- one tensor into many elements */

/* Puts rows of input i into the list: row r, without its first dimension, at indices[r] (NULL: r). */
static sl_code put_rows(struct sl_kernel_context *k, struct sl_tensor_list *l, int i, const int32_t *indices) {
    struct sl_tensor *whole;
    SL_TRY(sl_in_tensor(&whole, k, i));
    struct sl_shape part = without_first(sl_tensor_shape(whole));
    int64_t n = whole->dims[0], each = 1;
    for (int d = 0; d < part.rank; d++) each *= part.dims[d];
    sl_code code = SL_OK;
    for (int64_t r = 0; r < n && code == SL_OK; r++) {
        struct sl_value value = {0};
        code = sl_slice_take(&value, whole, r * each, part, k->err);
        if (code == SL_OK) code = sl_list_put(l, indices ? indices[r] : r, value, k->err);
        if (code != SL_OK) sl_value_clear(&value);
    }
    sl_tensor_unref(whole);
    return code;
}

/* Checks that input `i` has rows, and that they fit the element shape. */
static sl_code check_rows(struct sl_kernel_context *k, int i, struct sl_shape element) {
    struct sl_shape s = sl_view_shape(sl_in(k, i));
    char wanted[SL_SHAPE_TEXT], is[SL_SHAPE_TEXT];
    if (s.rank < 1) return sl_invalid(k, "Tensor must be at least a vector, but saw shape: %s", sl_shape_text(is, s));
    if (!sl_shape_is_compatible(element, without_first(s)))
        return sl_invalid(k, "Specified a list with shape %s from a tensor with shape %s",
                          sl_shape_text(wanted, element), sl_shape_text(is, without_first(s)));
    return SL_OK;
}

static sl_code from_tensor_run(struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    struct sl_tensor_list *l = NULL;
    SL_TRY(shape_at(&shape, dims, k, 1));
    SL_TRY(check_rows(k, 0, shape));
    SL_TRY(sl_list_new(&l, sl_in_value(k, 0)->dtype, shape, -1, sl_in(k, 0).dims[0], k->err));
    return finish_list(k, 0, l, put_rows(k, l, 0, NULL));
}

static int32_t largest(struct sl_view indices) {
    int32_t most = -1;
    for (int64_t i = 0; i < indices.count; i++)
        if (((const int32_t *)indices.data)[i] > most) most = ((const int32_t *)indices.data)[i];
    return most;
}

static sl_code check_indices(struct sl_kernel_context *k, struct sl_view indices) {
    for (int64_t i = 0; i < indices.count; i++)
        if (((const int32_t *)indices.data)[i] < 0)
            return sl_invalid(k, "Indices in TensorListScatter must all be non-negative.");
    return SL_OK;
}

/* TensorListScatter and, with a fourth input for the size, V2. */
static sl_code scatter_run(struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    struct sl_view indices = sl_in(k, 1);
    int32_t n = -1, most = largest(indices);
    struct sl_tensor_list *l = NULL;
    SL_TRY(shape_at(&shape, dims, k, 2));
    if (sl_in_count(k) > 3) SL_TRY(int_at(&n, k, 3, "num_elements"));
    if (n < -1) return sl_invalid(k, "TensorListScatter expects num_elements >= -1, found: %" PRId32, n);
    SL_TRY(check_rows(k, 0, shape));
    if (sl_in(k, 0).dims[0] != indices.count)
        return sl_invalid(k, "Invalid number of rows in input tensor. Expected: %" PRId64 " Actual: %" PRId64,
                          indices.count, sl_in(k, 0).dims[0]);
    SL_TRY(check_indices(k, indices));
    if (n >= 0 && most >= n)
        return sl_invalid(k, "TensorListScatter: Trying to scatter at index %" PRId32 " in list with size %" PRId32,
                          most, n);
    SL_TRY(sl_list_new(&l, sl_in_value(k, 0)->dtype, shape, -1, n >= 0 ? n : (int64_t)most + 1, k->err));
    return finish_list(k, 0, l, put_rows(k, l, 0, indices.data));
}

static sl_code scatter_into_run(struct sl_kernel_context *k) {
    struct sl_tensor_list *l = NULL;
    struct sl_view tensor = sl_in(k, 1), indices = sl_in(k, 2);
    char text[SL_SHAPE_TEXT];
    SL_TRY(list_at(&l, k, 0));
    SL_TRY(check_type(k, l, tensor.dtype));
    if (tensor.rank < 1)
        return sl_invalid(k, "Tensor must be at least a vector, but saw shape: %s",
                          sl_shape_text(text, sl_view_shape(tensor)));
    if (tensor.dims[0] != indices.count)
        return sl_invalid(k, "Expected len(indices) == tensor.shape[0], but saw: %" PRId64 " vs. %" PRId64,
                          indices.count, tensor.dims[0]);
    SL_TRY(check_indices(k, indices));
    int64_t n = (int64_t)largest(indices) + 1;
    SL_TRY(own_list_at(&l, k, 0, 0));
    sl_code code = n > l->n ? sl_list_resize(l, n, k->err) : SL_OK;
    if (code == SL_OK) code = put_rows(k, l, 1, indices.data);
    return finish_list(k, 0, l, code);
}

static sl_code check_lengths(struct sl_kernel_context *k, struct sl_view lengths, int64_t rows) {
    const int64_t *n = lengths.data;
    int64_t at = 0;
    for (int64_t i = 0; i < lengths.count; i++) {
        if (n[i] < 0 || n[i] > rows - at)
            return sl_invalid(k, "Attempting to slice [%" PRId64 ", %" PRId64 "] from tensor with length %" PRId64, at,
                              n[i], rows);
        at += n[i];
    }
    if (at == rows) return SL_OK;
    return sl_invalid(k, "Unused values in tensor. Length of tensor: %" PRId64 " Values used: %" PRId64, rows, at);
}

static sl_code split_run(struct sl_kernel_context *k) {
    int64_t shape_dims[SL_MAX_RANK], dims[SL_MAX_RANK], each = 1, at = 0;
    struct sl_shape shape, part;
    struct sl_view whole = sl_in(k, 0), lengths = sl_in(k, 2);
    char text[SL_SHAPE_TEXT], other[SL_SHAPE_TEXT];
    SL_TRY(shape_at(&shape, shape_dims, k, 1));
    if (lengths.rank != 1)
        return sl_invalid(k, "Expected lengths to be a vector, received shape: %s",
                          sl_shape_text(text, sl_view_shape(lengths)));
    if (whole.rank < 1)
        return sl_invalid(k, "Tensor must be at least a vector, but saw shape: %s",
                          sl_shape_text(text, sl_view_shape(whole)));
    if (shape.rank >= 0 && (shape.rank != whole.rank ||
                            !sl_shape_is_compatible(without_first(shape), without_first(sl_view_shape(whole)))))
        return sl_invalid(k, "tensor shape %s is not compatible with element_shape %s",
                          sl_shape_text(text, sl_view_shape(whole)), sl_shape_text(other, shape));
    SL_TRY(check_lengths(k, lengths, whole.dims[0]));
    SL_TRY(rows_shape(&part, dims, k, 0, without_first(sl_view_shape(whole))));
    for (int d = 1; d < whole.rank; d++) each *= whole.dims[d];
    struct sl_tensor *tensor;
    struct sl_tensor_list *l = NULL;
    SL_TRY(sl_in_tensor(&tensor, k, 0));
    sl_code code = sl_list_new(&l, whole.dtype, shape, -1, lengths.count, k->err);
    for (int64_t i = 0; i < lengths.count && code == SL_OK; i++) {
        dims[0] = ((const int64_t *)lengths.data)[i];
        struct sl_value value = {0};
        code = sl_slice_take(&value, tensor, at * each, part, k->err);
        if (code == SL_OK && (code = sl_list_put(l, i, value, k->err)) != SL_OK) sl_value_clear(&value);
        if (code != SL_OK) sl_object_unref(&l->object);
        at += dims[0];
    }
    sl_tensor_unref(tensor);
    if (code == SL_OK) give_list(k, 0, l);
    return code;
}

/* ---- several lists at once */

static sl_code concat_pair(struct sl_object **out, struct sl_kernel_context *k, struct sl_object *first,
                           struct sl_object *second, int64_t i) {
    struct sl_tensor_list *a = NULL, *b = NULL, *both;
    char a_text[SL_SHAPE_TEXT], b_text[SL_SHAPE_TEXT];
    int dtype = (int)(intptr_t)k->state;
    SL_TRY(as_list(&a, k, first));
    SL_TRY(as_list(&b, k, second));
    if (a->dtype != dtype || b->dtype != dtype)
        return sl_invalid(k, "input_%c.type != element_dtype: %s vs. %s", a->dtype != dtype ? 'a' : 'b',
                          sl_dtype_name(a->dtype != dtype ? a->dtype : b->dtype), sl_dtype_name(dtype));
    if (!sl_shape_equal(sl_list_shape(a), sl_list_shape(b)))
        return sl_invalid(k,
                          "input_a and input_b TensorList element shapes are not identical at index %" PRId64
                          ".  Saw %s vs. %s",
                          i, sl_shape_text(a_text, sl_list_shape(a)), sl_shape_text(b_text, sl_list_shape(b)));
    SL_TRY(sl_list_copy(&both, a, b->n, k->err));
    sl_code code = sl_list_append(both, b, k->err);
    if (code == SL_OK) *out = &both->object;
    else sl_object_unref(&both->object);
    return code;
}

static sl_code concat_lists_run(struct sl_kernel_context *k) {
    struct sl_view a = sl_in(k, 0), b = sl_in(k, 1), out;
    char a_text[SL_SHAPE_TEXT], b_text[SL_SHAPE_TEXT];
    if (!sl_shape_equal(sl_view_shape(a), sl_view_shape(b)))
        return sl_invalid(k, "input_a and input_b must have the same shape, but saw: %s vs. %s",
                          sl_shape_text(a_text, sl_view_shape(a)), sl_shape_text(b_text, sl_view_shape(b)));
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(a)));
    struct sl_object **result = out.data, *const *x = a.data, *const *y = b.data;
    for (int64_t i = 0; i < out.count; i++) SL_TRY(concat_pair(&result[i], k, x[i], y[i], i));
    return SL_OK;
}

static sl_code push_row(struct sl_object **out, struct sl_kernel_context *k, struct sl_object *list,
                        struct sl_tensor *rows, int64_t i) {
    struct sl_tensor_list *l = NULL, *longer;
    struct sl_shape part = without_first(sl_tensor_shape(rows));
    char part_text[SL_SHAPE_TEXT], list_text[SL_SHAPE_TEXT];
    SL_TRY(as_list(&l, k, list));
    SL_TRY(check_type(k, l, rows->dtype));
    if (!sl_shape_is_compatible(sl_list_shape(l), part))
        return sl_invalid(k,
                          "Tried to append a tensor with incompatible shape to a list at index %" PRId64
                          ". Op element shape: %s list shape: %s",
                          i, sl_shape_text(part_text, part), sl_shape_text(list_text, sl_list_shape(l)));
    int64_t each = 1;
    for (int d = 0; d < part.rank; d++) each *= part.dims[d];
    SL_TRY(sl_list_copy(&longer, l, 1, k->err));
    struct sl_value value = {0};
    sl_code code = sl_slice_take(&value, rows, i * each, part, k->err);
    if (code == SL_OK && (code = sl_list_push(longer, value, k->err)) != SL_OK) sl_value_clear(&value);
    if (code == SL_OK) *out = &longer->object;
    else sl_object_unref(&longer->object);
    return code;
}

static sl_code push_batch_run(struct sl_kernel_context *k) {
    struct sl_view lists = sl_in(k, 0), tensor = sl_in(k, 1), out;
    char text[SL_SHAPE_TEXT];
    if (tensor.rank < 1)
        return sl_invalid(k, "Expected tensor to be at least a vector, but saw shape: %s",
                          sl_shape_text(text, sl_view_shape(tensor)));
    if (tensor.dims[0] != lists.count)
        return sl_invalid(k, "Expected tensor.shape[0] == input_handles.size, but saw %" PRId64 " vs. %" PRId64,
                          tensor.dims[0], lists.count);
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(lists)));
    struct sl_object **result = out.data, *const *list = lists.data;
    struct sl_tensor *rows;
    SL_TRY(sl_in_tensor(&rows, k, 1));
    sl_code code = SL_OK;
    for (int64_t i = 0; i < out.count && code == SL_OK; i++) code = push_row(&result[i], k, list[i], rows, i);
    sl_tensor_unref(rows);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_any_list_rows[] = {
    KERNEL("EmptyTensorList", NO_RULE, .run = empty_run, .create = element_type_create, .flags = SL_KERNEL_CHEAP)
    KERNEL("TensorListReserve", NO_RULE, .run = reserve_run, .create = element_type_create)
    KERNEL("TensorListPushBack", NO_RULE, .run = push_run, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES)
    KERNEL("TensorListPopBack", NO_RULE, .run = pop_run, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES)
    KERNEL("TensorListGetItem", NO_RULE, .run = get_run, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES, .host = "element_shape")
    KERNEL("TensorListSetItem", NO_RULE, .run = set_run, .create = set_create, .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES)
    KERNEL("TensorListLength", NO_RULE, .run = length_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("TensorListElementShape", NO_RULE, .run = element_shape_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("TensorListResize", NO_RULE, .run = resize_run)
    KERNEL("TensorListStack", NO_RULE, .run = stack_run, .create = stack_create, .cost_element = 1)
    KERNEL("TensorListGather", NO_RULE, .run = gather_run, .cost_element = 1)
    KERNEL("TensorListConcat", NO_RULE, .run = concat_run, .create = concat_create, .destroy = sl_free,
           .cost_element = 1)
    KERNEL("TensorListConcatV2", NO_RULE, .run = concat_v2_run, .cost_element = 1)
    KERNEL("TensorListFromTensor", NO_RULE, .run = from_tensor_run)
    KERNEL("TensorListScatter", NO_RULE, .run = scatter_run)
    KERNEL("TensorListScatterV2", NO_RULE, .run = scatter_run)
    KERNEL("TensorListScatterIntoExistingList", NO_RULE, .run = scatter_into_run)
    KERNEL("TensorListSplit", NO_RULE, .run = split_run)
    KERNEL("TensorListConcatLists", NO_RULE, .run = concat_lists_run, .create = element_type_create)
    KERNEL("TensorListPushBackBatch", NO_RULE, .run = push_batch_run)
    SL_ROWS_END
};
/* clang-format on */
