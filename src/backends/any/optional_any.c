/* Variants that hold a few tensors of any types: optionals, which may hold none, and composite tensors taken apart.
 * Their objects never change once made. */
#include "backends/any/any_kernels.h"

#include "backends/any/list_message.h"
#include "backends/any/optional.h"
#include "base/alloc.h"
#include "kernel/variant.h"
#include "tensor/variant_data.h"

struct bundle {
    struct sl_object object;
    bool has_value;
    int n;
    struct sl_value values[];
};

static void bundle_free(struct sl_object *object) {
    struct bundle *b = (struct bundle *)object;
    for (int i = 0; i < b->n; i++) sl_value_clear(&b->values[i]);
    sl_free(b);
}

static sl_code optional_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                              struct sl_error *err);
static sl_code optional_add(struct sl_object **out, struct sl_object *a, struct sl_object *b,
                            const struct sl_variant_maths *maths, struct sl_error *err);

static sl_code optional_write(struct sl_pb_VariantTensorDataProto *out, const struct sl_object *object,
                              struct sl_arena *arena, struct sl_error *err);

static const struct sl_variant_methods optional_methods = {.zeros = optional_zeros, .add = optional_add};
static const struct sl_object_type optional_type = {.name = SL_VARIANT_OPTIONAL,
                                                    .write = optional_write,
                                                    .free = bundle_free,
                                                    .variant = &optional_methods};
static const struct sl_object_type composite_type = {.name = "CompositeTensorVariant", .free = bundle_free};

/* Room for `n` values, all empty. */
static struct bundle *bundle_new(const struct sl_object_type *type, int n, bool has_value, struct sl_error *err) {
    size_t bytes = sizeof(struct bundle) + (size_t)n * sizeof(struct sl_value);
    struct bundle *b = sl_calloc(1, bytes);
    if (!b) {
        sl_fail_memory(err, bytes);
        return NULL;
    }
    sl_object_init(&b->object, type);
    b->has_value = has_value;
    b->n = n;
    return b;
}

/* ---- what variants can do */

static sl_code optional_write(struct sl_pb_VariantTensorDataProto *out, const struct sl_object *object,
                              struct sl_arena *arena, struct sl_error *err) {
    static const char has_value[] = {0, 1};
    const struct bundle *b = (const struct bundle *)object;
    out->type_name = SL_STR(SL_VARIANT_OPTIONAL);
    out->metadata = (struct sl_str){&has_value[b->has_value], 1};
    out->tensors.items = sl_arena_array(arena, (size_t)b->n + 1, sizeof *out->tensors.items);
    if (!out->tensors.items) return sl_fail_memory(err, (size_t)b->n);
    for (int i = 0; i < b->n; i++)
        SL_TRY(sl_list_write_value(&out->tensors.items[out->tensors.n++], &b->values[i], arena, err));
    return SL_OK;
}

/* The caller's reference of what has been filled, or nothing. */
static sl_code finish(struct sl_object **out, struct bundle *b, sl_code code) {
    if (code == SL_OK) *out = &b->object;
    else bundle_free(&b->object);
    return code;
}

/* The sums of the values of two; without the second, zeros like those of the first. */
static sl_code combine(struct sl_object **out, const struct bundle *a, const struct bundle *b,
                       const struct sl_variant_maths *maths, struct sl_error *err) {
    struct bundle *made = bundle_new(&optional_type, a->n, a->has_value, err);
    if (!made) return SL_RESOURCE_EXHAUSTED;
    made->object.depth = b && b->object.depth > a->object.depth ? b->object.depth : a->object.depth;
    sl_code code = SL_OK;
    for (int i = 0; i < a->n && code == SL_OK; i++)
        code = b ? sl_value_add(&made->values[i], &a->values[i], &b->values[i], maths, err)
                 : sl_value_zeros(&made->values[i], &a->values[i], maths, err);
    return finish(out, made, code);
}

static sl_code optional_zeros(struct sl_object **out, struct sl_object *like, const struct sl_variant_maths *maths,
                              struct sl_error *err) {
    return combine(out, (const struct bundle *)like, NULL, maths, err);
}

static sl_code optional_add(struct sl_object **out, struct sl_object *first, struct sl_object *second,
                            const struct sl_variant_maths *maths, struct sl_error *err) {
    const struct bundle *a = (const struct bundle *)first, *b = (const struct bundle *)second;
    if (a->has_value != b->has_value)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot add optionals because one has a value and the other doesn't.");
    if (a->n != b->n)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Cannot add optionals because they have different numbers of components (%d vs. %d).", a->n,
                       b->n);
    return combine(out, a, b, maths, err);
}

/* ---- kernels */

sl_code sl_optional_new(struct sl_object **out, struct sl_value *values, int n, bool has_value, struct sl_error *err) {
    struct bundle *b = bundle_new(&optional_type, n, has_value, err);
    if (!b) return SL_RESOURCE_EXHAUSTED;
    sl_code code = SL_OK;
    for (int i = 0; i < n && code == SL_OK; i++) {
        code = sl_variant_hold(&b->object, &values[i], err);
        if (code == SL_OK) b->values[i] = sl_value_move(&values[i]);
    }
    return finish(out, b, code);
}

/* Output 0: all inputs in one variant. */
static sl_code give_bundle(struct sl_kernel_context *k, const struct sl_object_type *type) {
    struct bundle *b = bundle_new(type, sl_in_count(k), true, k->err);
    struct sl_object *made;
    if (!b) return SL_RESOURCE_EXHAUSTED;
    sl_code code = SL_OK;
    for (int i = 0; i < b->n && code == SL_OK; i++) {
        code = sl_variant_hold(&b->object, sl_in_value(k, i), k->err);
        if (code == SL_OK) b->values[i] = sl_value_share(sl_in_value(k, i));
    }
    SL_TRY(finish(&made, b, code));
    sl_out_object(k, 0, made);
    return SL_OK;
}

static sl_code from_value_run(struct sl_kernel_context *k) { return give_bundle(k, &optional_type); }
static sl_code composite_run(struct sl_kernel_context *k) { return give_bundle(k, &composite_type); }

static sl_code none_run(struct sl_kernel_context *k) {
    struct bundle *b = bundle_new(&optional_type, 0, false, k->err);
    if (!b) return SL_RESOURCE_EXHAUSTED;
    sl_out_object(k, 0, &b->object);
    return SL_OK;
}

/* The bundle in input 0; NULL when it holds something else. */
static const struct bundle *bundle_at(struct sl_kernel_context *k, const struct sl_object_type *type) {
    struct sl_view v = sl_in(k, 0);
    const struct sl_object *o = v.rank == 0 ? *(struct sl_object **)v.data : NULL;
    return o && o->type == type ? (const struct bundle *)o : NULL;
}

/* All outputs, each where it has to lie: whatever device made the variant. */
static sl_code give_values(struct sl_kernel_context *k, const struct bundle *b) {
    for (int i = 0; i < b->n; i++) {
        *sl_out_value(k, i) = sl_value_share(&b->values[i]);
        SL_TRY(sl_out_settle(k, i));
    }
    return SL_OK;
}

static sl_code has_value_run(struct sl_kernel_context *k) {
    if (sl_in(k, 0).rank != 0)
        return sl_invalid(k, "Input to OptionalHasValue must be a scalar tensor containing an OptionalVariant object.");
    const struct bundle *b = bundle_at(k, &optional_type);
    if (!b) return sl_invalid(k, "Input to OptionalHasValue must be an OptionalVariant object.");
    *sl_out_value(k, 0) = (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_BOOL, .b = b->has_value};
    return SL_OK;
}

struct wanted {
    struct sl_arena arena;
    const struct sl_shape *shapes;
    int n;
};

static void wanted_free(void *state) {
    struct wanted *w = state;
    sl_arena_clear(&w->arena);
    sl_free(w);
}

static sl_code get_value_create(void **state, struct sl_kernel_setup *setup) {
    struct wanted *w = sl_calloc(1, sizeof *w);
    if (!w) return sl_fail_memory(setup->err, sizeof *w);
    sl_arena_init(&w->arena);
    sl_code code = sl_attr_shape_list(&w->shapes, &w->n, &w->arena, setup->attrs, "output_shapes", setup->err);
    if (code == SL_OK && w->n != setup->n_out)
        code = sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "output_types and output_shapes must be same length, got: %d vs %d", setup->n_out, w->n);
    if (code == SL_OK) *state = w;
    else wanted_free(w);
    return code;
}

static sl_code get_value_run(struct sl_kernel_context *k) {
    const struct wanted *wanted = k->state;
    const struct bundle *b = bundle_at(k, &optional_type);
    char expected[SL_SHAPE_TEXT], actual[SL_SHAPE_TEXT];
    if (!b) return sl_invalid(k, "Input to OptionalGetValue must be an OptionalVariant object.");
    if (!b->has_value) return sl_invalid(k, "The given optional does not have a value.");
    if (b->n != sl_out_count(k))
        return sl_invalid(k, "The given optional has %d components, expected %d", b->n, sl_out_count(k));
    for (int i = 0; i < b->n; i++) {
        struct sl_view v = sl_value_view(&b->values[i]);
        if (v.dtype != sl_out_type(k, i))
            return sl_invalid(k,
                              "The given optional does not match the expected type for component %d. Expected: %s. "
                              "Actual: %s.",
                              i, sl_dtype_name(sl_out_type(k, i)), sl_dtype_name(v.dtype));
        if (!sl_shape_is_compatible(wanted->shapes[i], sl_view_shape(v)))
            return sl_invalid(k,
                              "The given optional does not match the expected shape for component %d. Expected: %s. "
                              "Actual: %s.",
                              i, sl_shape_text(expected, wanted->shapes[i]), sl_shape_text(actual, sl_view_shape(v)));
    }
    return give_values(k, b);
}

static sl_code components_run(struct sl_kernel_context *k) {
    const struct bundle *b = bundle_at(k, &composite_type);
    if (!b) return sl_invalid(k, "The input `encoded` is not a valid CompositeTensorVariant tensor");
    if (b->n != sl_out_count(k))
        return sl_invalid(k, "Encoded value has %d tensor components; expected %d components based on type_spec", b->n,
                          sl_out_count(k));
    for (int i = 0; i < b->n; i++)
        if (b->values[i].dtype != sl_out_type(k, i))
            return sl_invalid(k, "Tensor component %d had dtype %s; expected dtype %s", i,
                              sl_dtype_name(b->values[i].dtype), sl_dtype_name(sl_out_type(k, i)));
    return give_values(k, b);
}

#define MOVES .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES
/* clang-format off */
const struct sl_kernel_def sl_any_optional_rows[] = {
    KERNEL("OptionalFromValue", NO_RULE, .run = from_value_run, MOVES)
    KERNEL("OptionalNone", NO_RULE, .run = none_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("OptionalHasValue", NO_RULE, .run = has_value_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("OptionalGetValue", NO_RULE, .run = get_value_run, .create = get_value_create, .destroy = wanted_free, MOVES)
    KERNEL("CompositeTensorVariantFromComponents", NO_RULE, .run = composite_run, MOVES)
    KERNEL("CompositeTensorVariantToComponents", NO_RULE, .run = components_run, MOVES)
    SL_ROWS_END
};
/* clang-format on */
