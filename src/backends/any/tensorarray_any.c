/* Kernels of TensorArrays, versions 1 to 3, which differ in the form of the handle (any_handle.h). */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/any/any_handle.h"
#include "backends/any/tensor_array.h"
#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/cancellation.h"
#include "kernel/slices.h"

#define ARRAYS    SL_STR("_tensor_arrays")
#define GRADIENTS SL_STR("_tensor_array_grads")

static sl_code hold(struct sl_held *out, struct sl_kernel_context *k) {
    return sl_handle_hold(out, k, &sl_array_resource_type);
}

static sl_code give_handle(struct sl_kernel_context *k, struct sl_array_resource *a, struct sl_str container) {
    return sl_handle_give(k, sl_array_resource_object(a), container, sl_str_of(sl_array_resource_name(a)));
}

static sl_code give_flow(struct sl_kernel_context *k, int o) {
    *sl_out_value(k, o) = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT, .f32 = 0};
    return sl_out_settle(k, o);
}

/* ---- making arrays */

struct make_state {
    struct sl_arena arena;
    struct sl_array_resource_options options; /* but for name and size */
    struct sl_str name;
    atomic_ullong made; /* arrays so far: the number is part of a name */
};

static void make_free(void *state) {
    struct make_state *s = state;
    sl_arena_clear(&s->arena);
    sl_free(s);
}

static sl_code read_attrs(struct make_state *s, const struct sl_kernel_setup *setup) {
    const struct sl_attrs *attrs = setup->attrs;
    struct sl_str name;
    SL_TRY(sl_attr_type(&s->options.dtype, attrs, "dtype", setup->err));
    SL_TRY(sl_attr_bool(&s->options.is_dynamic, attrs, "dynamic_size", setup->err));
    SL_TRY(sl_attr_bool(&s->options.clear_after_read, attrs, "clear_after_read", setup->err));
    SL_TRY(sl_attr_shape(&s->options.element_shape, &s->arena, attrs, "element_shape", setup->err));
    SL_TRY(sl_attr_string(&name, attrs, "tensor_array_name", setup->err));
    if (sl_attr_find(attrs, SL_STR("identical_element_shapes")))
        SL_TRY(sl_attr_bool(&s->options.identical_shapes, attrs, "identical_element_shapes", setup->err));
    s->name = sl_arena_str(&s->arena, name.n ? name : setup->name);
    return s->name.p ? SL_OK : sl_fail_memory(setup->err, name.n);
}

static sl_code make_create(void **state, struct sl_kernel_setup *setup) {
    struct make_state *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_arena_init(&s->arena);
    sl_code code = read_attrs(s, setup);
    if (code == SL_OK) *state = s;
    else make_free(s);
    return code;
}

static sl_code make_run(struct sl_kernel_context *k) {
    struct make_state *s = k->state;
    struct sl_view size = sl_in(k, 0);
    char text[SL_SHAPE_TEXT], name[256];
    if (size.rank != 0)
        return sl_invalid(k, "TensorArray size must be scalar, but had shape: %s",
                          sl_shape_text(text, sl_view_shape(size)));
    struct sl_array_resource_options options = s->options;
    options.size = *(const int32_t *)size.data;
    if (options.size < 0) return sl_invalid(k, "Size should be >= 0.");
    int n = snprintf(name, sizeof name, "%.*s_%llu", (int)(s->name.n < 200 ? s->name.n : 200), s->name.p,
                     atomic_fetch_add_explicit(&s->made, 1, memory_order_relaxed));
    options.name = (struct sl_str){name, (size_t)n};
    struct sl_array_resource *a;
    if (sl_out_count(k) > 1) SL_TRY(give_flow(k, 1));
    SL_TRY(sl_array_resource_new(&a, &options, k->err));
    return give_handle(k, a, ARRAYS);
}

/* ---- gradients */

static sl_code gradient_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_str source;
    SL_TRY(sl_attr_string(&source, setup->attrs, "source", setup->err));
    struct sl_str *kept = sl_malloc(sizeof *kept + source.n + 1);
    if (!kept) return sl_fail_memory(setup->err, source.n);
    *kept = (struct sl_str){(const char *)(kept + 1), source.n};
    if (source.n) memcpy(kept + 1, source.p, source.n);
    *state = kept;
    return SL_OK;
}

static sl_code make_gradient(struct sl_kernel_context *k, struct sl_shape prepend) {
    const struct sl_str *source = k->state;
    struct sl_held h;
    struct sl_array_resource *gradient;
    SL_TRY(hold(&h, k));
    sl_code code =
        sl_array_resource_gradient(&gradient, (struct sl_array_resource *)h.object, *source, prepend, k->err);
    sl_held_release(h);
    SL_TRY(code);
    if (sl_out_count(k) > 1) sl_out_forward(k, 1, 1);
    return give_handle(k, gradient, GRADIENTS);
}

static sl_code gradient_run(struct sl_kernel_context *k) { return make_gradient(k, SL_SHAPE_SCALAR); }

static sl_code gradient_with_shape_run(struct sl_kernel_context *k) {
    int64_t dims[SL_MAX_RANK];
    struct sl_shape prepend;
    SL_TRY(sl_in_shape(&prepend, dims, k, 2, "shape_to_prepend"));
    return make_gradient(k, prepend);
}

/* ---- one element */

static sl_code index_at(int32_t *out, struct sl_kernel_context *k, int i) {
    struct sl_view v = sl_in(k, i);
    char text[SL_SHAPE_TEXT];
    if (v.rank != 0)
        return sl_invalid(k, "TensorArray index must be scalar, but had shape: %s",
                          sl_shape_text(text, sl_view_shape(v)));
    *out = *(const int32_t *)v.data;
    return SL_OK;
}

static sl_code check_written_type(struct sl_kernel_context *k, const struct sl_array_resource *a, int dtype) {
    if (sl_array_resource_dtype(a) == dtype) return SL_OK;
    return sl_invalid(k, "TensorArray dtype is %s but Op is trying to write dtype %s.",
                      sl_dtype_name(sl_array_resource_dtype(a)), sl_dtype_name(dtype));
}

static sl_code check_read_type(struct sl_kernel_context *k, const struct sl_array_resource *a) {
    if (sl_array_resource_dtype(a) == sl_out_type(k, 0)) return SL_OK;
    return sl_invalid(k, "TensorArray dtype is %s but Op requested dtype %s.",
                      sl_dtype_name(sl_array_resource_dtype(a)), sl_dtype_name(sl_out_type(k, 0)));
}

/* Input i, moved when nobody else needs it. */
static struct sl_value take_input(struct sl_kernel_context *k, int i) {
    struct sl_value *v = sl_in_value(k, i);
    return k->may_take >> i & 1 ? sl_value_move(v) : sl_value_share(v);
}

static sl_code write_run(struct sl_kernel_context *k) {
    int32_t index;
    struct sl_held h;
    SL_TRY(index_at(&index, k, 1));
    SL_TRY(hold(&h, k));
    sl_code code = check_written_type(k, (struct sl_array_resource *)h.object, sl_in_value(k, 2)->dtype);
    if (code == SL_OK) {
        struct sl_value value = take_input(k, 2);
        code = sl_array_resource_write((struct sl_array_resource *)h.object, &index, &value, 1, k->err);
    }
    if (code == SL_OK) sl_out_forward(k, 0, 3);
    sl_held_release(h);
    return code;
}

static sl_code read_run(struct sl_kernel_context *k) {
    int32_t index;
    struct sl_held h;
    SL_TRY(index_at(&index, k, 1));
    SL_TRY(hold(&h, k));
    sl_code code = check_read_type(k, (struct sl_array_resource *)h.object);
    if (code == SL_OK)
        code = sl_array_resource_read(sl_out_value(k, 0), (struct sl_array_resource *)h.object, &index, 0, 1, k->err);
    sl_held_release(h);
    return code == SL_OK ? sl_out_settle(k, 0) : code;
}

static sl_code size_run(struct sl_kernel_context *k) {
    struct sl_held h;
    int64_t size;
    SL_TRY(hold(&h, k));
    sl_code code = sl_array_resource_size(&size, (struct sl_array_resource *)h.object, k->err);
    sl_held_release(h);
    return code == SL_OK ? sl_out_int(k, 0, size) : code;
}

static sl_code close_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(hold(&h, k));
    sl_array_resource_close((struct sl_array_resource *)h.object);
    sl_held_release(h);
    return SL_OK;
}

/* ---- many elements into one tensor */

static sl_code gather_create(void **state, struct sl_kernel_setup *setup) {
    return sl_shape_state_create(state, setup, "element_shape");
}
static sl_code concat_create(void **state, struct sl_kernel_setup *setup) {
    return sl_shape_state_create(state, setup, "element_shape_except0");
}

/* [n] + rest; false when there are too many dimensions. */
static bool shape_of_rows(struct sl_shape *out, int64_t dims[SL_MAX_RANK], int64_t n, struct sl_shape rest) {
    if (rest.rank + 1 > SL_MAX_RANK) return false;
    dims[0] = n;
    for (int d = 0; d < rest.rank; d++) dims[d + 1] = rest.dims[d];
    *out = (struct sl_shape){rest.rank + 1, dims};
    return true;
}

/* Output 0 for no elements at all. */
static sl_code give_no_rows(struct sl_kernel_context *k, const char *attr, const char *verb) {
    const struct sl_shape *element = k->state;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape;
    struct sl_view out;
    char text[SL_SHAPE_TEXT];
    if (!sl_shape_is_known(*element) || !shape_of_rows(&shape, dims, 0, *element))
        return sl_fail(k->err, SL_UNIMPLEMENTED,
                       "TensorArray has size zero, but %s %s is not fully defined. Currently only static shapes are "
                       "supported when %s zero-size TensorArrays.",
                       attr, sl_shape_text(text, *element), verb);
    return sl_out_new(&out, k, 0, shape);
}

/* All values must have one shape; output 0 is them, one after the other. */
static sl_code stack_values(struct sl_kernel_context *k, const struct sl_value *values, int64_t n) {
    const struct sl_shape *wanted = k->state;
    struct sl_shape shape = sl_view_shape(sl_value_view(&values[0])), rows;
    int64_t dims[SL_MAX_RANK];
    char first[SL_SHAPE_TEXT], other[SL_SHAPE_TEXT];
    if (!sl_shape_is_compatible(*wanted, shape))
        return sl_invalid(k, "TensorArray was passed element_shape %s which does not match the Tensor at index 0: %s",
                          sl_shape_text(first, *wanted), sl_shape_text(other, shape));
    for (int64_t i = 1; i < n; i++)
        if (!sl_shape_equal(sl_view_shape(sl_value_view(&values[i])), shape))
            return sl_invalid(k,
                              "TensorArray has inconsistent shapes.  Index 0 has shape: %s but index %" PRId64
                              " has shape: %s",
                              sl_shape_text(first, shape), i,
                              sl_shape_text(other, sl_view_shape(sl_value_view(&values[i]))));
    struct sl_view out;
    if (!shape_of_rows(&rows, dims, n, shape)) return sl_invalid(k, "Shape has too many dimensions");
    SL_TRY(sl_out_new(&out, k, 0, rows));
    for (int64_t i = 0, at = 0; i < n; i++) {
        struct sl_view part = sl_value_view(&values[i]);
        SL_TRY(sl_slice_put(out, at, part, k->err));
        at += part.count;
    }
    return SL_OK;
}

/* Reads `n` elements, unless the step is cancelled meanwhile: an array is gone with its step, so what was read of it may
 * be dropped. */
static sl_code read_all(struct sl_value *values, struct sl_kernel_context *k, struct sl_array_resource *a,
                        const int32_t *indices, int64_t n) {
    enum { PIECE = 1 << 16 };
    sl_code code = SL_OK;
    int64_t at = 0;
    for (int64_t piece; at < n && code == SL_OK; at += piece) {
        piece = n - at < PIECE ? n - at : PIECE;
        if (at && sl_kernel_is_cancelled(k)) code = sl_cancellation_status(k->env->cancellation, k->err);
        else code = sl_array_resource_read(values + at, a, indices ? indices + at : NULL, at, piece, k->err);
        if (code != SL_OK) break;
    }
    for (int64_t i = 0; i < at && code != SL_OK; i++) sl_value_clear(&values[i]);
    return code;
}

/* Reads `n` elements and makes outputs of them, on the host; the elements may have been written on a device. */
static sl_code collect(struct sl_kernel_context *k, struct sl_array_resource *a, const int32_t *indices, int64_t n,
                       sl_code (*finish)(struct sl_kernel_context *k, const struct sl_value *values, int64_t n)) {
    struct sl_value *values = sl_malloc((size_t)n * sizeof *values);
    if (!values) return sl_fail_memory(k->err, (size_t)n * sizeof *values);
    sl_code code = read_all(values, k, a, indices, n);
    if (code == SL_OK) {
        for (int64_t i = 0; i < n && code == SL_OK; i++)
            code = sl_value_settle(&values[i], NULL, k->env->step_id, k->err);
        if (code == SL_OK) code = finish(k, values, n);
        for (int64_t i = 0; i < n; i++) sl_value_clear(&values[i]);
    }
    sl_free(values);
    return code;
}

static sl_code gather(struct sl_kernel_context *k, struct sl_array_resource *a, bool all) {
    int64_t n;
    const int32_t *indices = NULL;
    SL_TRY(sl_array_resource_size(&n, a, k->err));
    if (!all) {
        struct sl_view v = sl_in(k, 1);
        char text[SL_SHAPE_TEXT];
        if (v.rank != 1)
            return sl_invalid(k, "Expected indices to be a vector, but received shape: %s",
                              sl_shape_text(text, sl_view_shape(v)));
        n = v.count;
        indices = v.data;
    }
    SL_TRY(check_read_type(k, a));
    if (n == 0) return give_no_rows(k, "element shape", "packing");
    return collect(k, a, indices, n, stack_values);
}

static sl_code gather_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(hold(&h, k));
    sl_code code = gather(k, (struct sl_array_resource *)h.object, false);
    sl_held_release(h);
    return code;
}

static sl_code pack_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(hold(&h, k));
    sl_code code = gather(k, (struct sl_array_resource *)h.object, true);
    sl_held_release(h);
    return code;
}

/* ---- concatenation */

static struct sl_shape without_first(struct sl_shape s) { return (struct sl_shape){s.rank - 1, s.dims + 1}; }

static sl_code check_parts(int64_t *total, struct sl_kernel_context *k, const struct sl_value *values, int64_t n) {
    const struct sl_shape *wanted = k->state;
    char first[SL_SHAPE_TEXT], other[SL_SHAPE_TEXT];
    *total = 0;
    for (int64_t i = 0; i < n; i++) {
        struct sl_shape s = sl_view_shape(sl_value_view(&values[i]));
        if (s.rank == 0)
            return sl_invalid(k,
                              "Concat saw a scalar shape at index %" PRId64
                              " but requires at least vectors.  Did you mean to call pack?",
                              i);
        struct sl_shape rest = without_first(s), of_first = without_first(sl_view_shape(sl_value_view(&values[0])));
        if (!sl_shape_is_compatible(*wanted, rest))
            return sl_invalid(k,
                              "TensorArray was passed element_shape_except0 %s but index %" PRId64
                              " has (excepting dimension 0) shape: %s which does not match.",
                              sl_shape_text(first, *wanted), i, sl_shape_text(other, rest));
        if (!sl_shape_equal(rest, of_first))
            return sl_invalid(k,
                              "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: %s but "
                              "index %" PRId64 " has (excepting dimension 0) shape: %s",
                              sl_shape_text(first, of_first), i, sl_shape_text(other, rest));
        if (__builtin_add_overflow(*total, s.dims[0], total)) return sl_invalid(k, "Too many rows to concatenate");
    }
    return SL_OK;
}

static sl_code concat_values(struct sl_kernel_context *k, const struct sl_value *values, int64_t n) {
    int64_t total, dims[SL_MAX_RANK];
    struct sl_shape rows;
    struct sl_view out, lengths;
    SL_TRY(check_parts(&total, k, values, n));
    if (!shape_of_rows(&rows, dims, total, without_first(sl_view_shape(sl_value_view(&values[0])))))
        return sl_invalid(k, "Shape has too many dimensions");
    SL_TRY(sl_out_new(&out, k, 0, rows));
    SL_TRY(sl_out_new(&lengths, k, 1, (struct sl_shape){1, &n}));
    for (int64_t i = 0, at = 0; i < n; i++) {
        struct sl_view part = sl_value_view(&values[i]);
        ((int64_t *)lengths.data)[i] = part.dims[0];
        SL_TRY(sl_slice_put(out, at, part, k->err));
        at += part.count;
    }
    return SL_OK;
}

static sl_code concat(struct sl_kernel_context *k, struct sl_array_resource *a) {
    int64_t n;
    struct sl_view lengths;
    SL_TRY(check_read_type(k, a));
    SL_TRY(sl_array_resource_size(&n, a, k->err));
    if (n > 0) return collect(k, a, NULL, n, concat_values);
    SL_TRY(give_no_rows(k, "element_shape_except0", "concatenating"));
    return sl_out_new(&lengths, k, 1, (struct sl_shape){1, &n});
}

static sl_code concat_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(hold(&h, k));
    sl_code code = concat(k, (struct sl_array_resource *)h.object);
    sl_held_release(h);
    return code;
}

/* ---- one tensor into many elements */

/* Writes rows of `whole`: element i gets the next lengths[i] rows, or one row without its first dimension when
 * `lengths` is NULL. */
static sl_code write_rows(struct sl_kernel_context *k, struct sl_array_resource *a, int input, const int32_t *indices,
                          const int64_t *lengths, int64_t n) {
    struct sl_tensor *whole;
    SL_TRY(sl_in_tensor(&whole, k, input));
    int64_t dims[SL_MAX_RANK], row = 1, at = 0, i = 0;
    struct sl_shape rest = without_first(sl_tensor_shape(whole)), part = rest;
    for (int d = 0; d < rest.rank; d++) row *= rest.dims[d];
    if (lengths) shape_of_rows(&part, dims, 0, rest);
    struct sl_value *values = sl_malloc((size_t)n * sizeof *values);
    sl_code code = values || n == 0 ? SL_OK : sl_fail_memory(k->err, (size_t)n * sizeof *values);
    for (; i < n && code == SL_OK; i++) {
        if (lengths) dims[0] = lengths[i];
        code = sl_slice_take(&values[i], whole, at * row, part, k->err);
        at += lengths ? lengths[i] : 1;
    }
    sl_tensor_unref(whole);
    if (code == SL_OK) code = sl_array_resource_write(a, indices, values, n, k->err);
    else
        for (i--; i > 0; i--) sl_value_clear(&values[i - 1]);
    sl_free(values);
    return code;
}

static sl_code scatter(struct sl_kernel_context *k, struct sl_array_resource *a) {
    struct sl_view indices = sl_in(k, 1), value = sl_in(k, 2);
    const int32_t *at = indices.data;
    char text[SL_SHAPE_TEXT];
    SL_TRY(check_written_type(k, a, value.dtype));
    if (indices.rank != 1)
        return sl_invalid(k, "Expected indices to be a vector, but received shape: %s",
                          sl_shape_text(text, sl_view_shape(indices)));
    if (value.rank < 1)
        return sl_invalid(k, "Input value for unpack must be at least a vector but received shape: %s",
                          sl_shape_text(text, sl_view_shape(value)));
    if (value.dims[0] != indices.count)
        return sl_invalid(k, "Expected len(indices) == values.shape[0], but saw: %" PRId64 " vs. %" PRId64,
                          indices.count, value.dims[0]);
    int32_t most = -1;
    for (int64_t i = 0; i < indices.count; i++)
        if (at[i] > most) most = at[i];
    int64_t size;
    bool is_dynamic;
    SL_TRY(sl_array_resource_grow(&size, &is_dynamic, a, (int64_t)most + 1, k->err));
    if (most >= size)
        return sl_invalid(k, "Max scatter index must be < array size (%" PRId32 " vs. %" PRId64 ")", most, size);
    return write_rows(k, a, 2, at, NULL, indices.count);
}

static sl_code scatter_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(hold(&h, k));
    sl_code code = scatter(k, (struct sl_array_resource *)h.object);
    sl_held_release(h);
    if (code == SL_OK) sl_out_forward(k, 0, 3);
    return code;
}

static sl_code unpack(struct sl_kernel_context *k, struct sl_array_resource *a) {
    struct sl_view value = sl_in(k, 1);
    int64_t size;
    bool is_dynamic;
    char text[SL_SHAPE_TEXT];
    SL_TRY(check_written_type(k, a, value.dtype));
    if (value.rank < 1)
        return sl_invalid(k, "Input value for unpack must be at least a vector but received shape: %s",
                          sl_shape_text(text, sl_view_shape(value)));
    int64_t rows = value.dims[0] <= INT32_MAX ? value.dims[0] : INT32_MAX;
    SL_TRY(sl_array_resource_grow(&size, &is_dynamic, a, rows, k->err));
    if (size != value.dims[0])
        return sl_invalid(k,
                          "Input value must have first dimension equal to the array size (%" PRId64 " vs. %" PRId64 ")",
                          value.dims[0], size);
    return write_rows(k, a, 1, NULL, NULL, rows);
}

static sl_code unpack_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(hold(&h, k));
    sl_code code = unpack(k, (struct sl_array_resource *)h.object);
    sl_held_release(h);
    if (code == SL_OK) sl_out_forward(k, 0, 2);
    return code;
}

static sl_code check_lengths(struct sl_kernel_context *k, struct sl_view value, struct sl_view lengths) {
    const int64_t *n = lengths.data;
    int64_t sum = 0;
    char text[SL_SHAPE_TEXT];
    for (int64_t i = 0; i < lengths.count; i++)
        if (n[i] < 0 || __builtin_add_overflow(sum, n[i], &sum))
            return sl_invalid(k, "Lengths must not be negative, but element %" PRId64 " is %" PRId64, i, n[i]);
    if (sum == value.dims[0]) return SL_OK;
    return sl_invalid(k,
                      "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is %" PRId64
                      " and value's shape is: %s",
                      sum, sl_shape_text(text, sl_view_shape(value)));
}

static sl_code split(struct sl_kernel_context *k, struct sl_array_resource *a) {
    struct sl_view value = sl_in(k, 1), lengths = sl_in(k, 2);
    int64_t size;
    bool is_dynamic;
    char text[SL_SHAPE_TEXT];
    SL_TRY(check_written_type(k, a, value.dtype));
    if (lengths.rank != 1)
        return sl_invalid(k, "Expected lengths to be a vector, received shape: %s",
                          sl_shape_text(text, sl_view_shape(lengths)));
    if (value.rank < 1)
        return sl_invalid(k, "Expected value to be at least a vector, but received shape: %s",
                          sl_shape_text(text, sl_view_shape(value)));
    SL_TRY(check_lengths(k, value, lengths));
    SL_TRY(sl_array_resource_grow(&size, &is_dynamic, a, lengths.count, k->err));
    if (size != lengths.count)
        return sl_invalid(k,
                          "TensorArray's size is not equal to the size of lengths (%" PRId64 " vs. %" PRId64
                          "), and the TensorArray is not marked as dynamically resizeable",
                          size, lengths.count);
    return write_rows(k, a, 1, NULL, lengths.data, lengths.count);
}

static sl_code split_run(struct sl_kernel_context *k) {
    struct sl_held h;
    SL_TRY(hold(&h, k));
    sl_code code = split(k, (struct sl_array_resource *)h.object);
    sl_held_release(h);
    if (code == SL_OK) sl_out_forward(k, 0, 3);
    return code;
}

#define VERSIONS(op, ...)                                                                                              \
    KERNEL(op, NO_RULE, __VA_ARGS__)                                                                                   \
    KERNEL(op "V2", NO_RULE, __VA_ARGS__)                                                                              \
    KERNEL(op "V3", NO_RULE, __VA_ARGS__)
/* Elements of one write or read are not looked at; a tensor that is put together or taken apart is the host's. Flows
 * only order the nodes, and stay where they are. */
#define MOVES .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES
#define WHOLE .flags = SL_KERNEL_MOVES, .host = "value, lengths", .cost_element = 1
/* clang-format off */
const struct sl_kernel_def sl_any_tensorarray_rows[] = {
    VERSIONS("TensorArray", .run = make_run, .create = make_create, .destroy = make_free, .flags = SL_KERNEL_MOVES)
    VERSIONS("TensorArrayGrad", .run = gradient_run, .create = gradient_create, .destroy = sl_free, .flags = SL_KERNEL_MOVES)
    KERNEL("TensorArrayGradWithShape", NO_RULE, .run = gradient_with_shape_run, .create = gradient_create,
           .destroy = sl_free, .flags = SL_KERNEL_MOVES)
    VERSIONS("TensorArrayWrite", .run = write_run, MOVES)
    VERSIONS("TensorArrayRead", .run = read_run, MOVES)
    VERSIONS("TensorArraySize", .run = size_run, MOVES)
    VERSIONS("TensorArrayClose", .run = close_run, MOVES)
    VERSIONS("TensorArrayGather", .run = gather_run, .create = gather_create, .destroy = sl_free, WHOLE)
    KERNEL("TensorArrayPack", NO_RULE, .run = pack_run, .create = gather_create, .destroy = sl_free, WHOLE)
    VERSIONS("TensorArrayConcat", .run = concat_run, .create = concat_create, .destroy = sl_free, WHOLE)
    VERSIONS("TensorArrayScatter", .run = scatter_run, WHOLE)
    KERNEL("TensorArrayUnpack", NO_RULE, .run = unpack_run, WHOLE)
    VERSIONS("TensorArraySplit", .run = split_run, WHOLE)
    SL_ROWS_END
};
/* clang-format on */
