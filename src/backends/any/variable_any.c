/* Variables: making, reading and replacing whole values. What changes elements is in backends/cpu; kernel/variable.h
 * has the variable itself.
 *
 * A resource variable is there from the first VarHandleOp on, but counts as not existing until it has a value, and
 * again after DestroyResourceOp. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/resources.h"
#include "kernel/slices.h"
#include "kernel/variable.h"

/* Input i, moved when nobody else needs it. */
static struct sl_value take_input(struct sl_kernel_context *k, int i) {
    struct sl_value *v = sl_in_value(k, i);
    return i < 64 && (k->may_take >> i & 1) ? sl_value_move(v) : sl_value_share(v);
}

/* ---- making */

struct make_state {
    struct sl_variable_spec spec; /* its texts and dims follow the struct */
    bool is_anonymous;            /* every run makes a new one, known to its handle alone */
};

/* A copy of the spec, on the heap. */
static sl_code keep_spec(void **state, const struct sl_variable_spec *spec, bool is_anonymous, struct sl_error *err) {
    size_t dims = spec->shape.rank > 0 ? (size_t)spec->shape.rank * sizeof *spec->shape.dims : 0;
    size_t bytes = sizeof(struct make_state) + dims + spec->container.n + spec->name.n;
    struct make_state *s = sl_calloc(1, bytes);
    if (!s) return sl_fail_memory(err, bytes);
    s->spec = *spec;
    s->is_anonymous = is_anonymous;
    char *at = (char *)(s + 1);
    if (dims) s->spec.shape.dims = memcpy(at, spec->shape.dims, dims);
    at += dims;
    if (spec->container.n) s->spec.container.p = memcpy(at, spec->container.p, spec->container.n);
    at += spec->container.n;
    if (spec->name.n) s->spec.name.p = memcpy(at, spec->name.p, spec->name.n);
    *state = s;
    return SL_OK;
}

/* The attr `shape`; of unknown rank it counts as that of a scalar. Dims are in `arena`. */
static sl_code read_shape(struct sl_shape *out, struct sl_arena *arena, struct sl_kernel_setup *setup) {
    SL_TRY(sl_attr_shape(out, arena, setup->attrs, "shape", setup->err));
    if (out->rank < 0) *out = SL_SHAPE_SCALAR;
    char text[SL_SHAPE_TEXT];
    if (!sl_shape_is_known(*out))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Shape %s is not fully defined", sl_shape_text(text, *out));
    return SL_OK;
}

static sl_code reference_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_resource_name name;
    struct sl_variable_spec spec = {.type = &sl_ref_variable_type};
    struct sl_arena scratch;
    SL_TRY(sl_resource_name_read(&name, setup));
    SL_TRY(sl_attr_type(&spec.dtype, setup->attrs, "dtype", setup->err));
    spec.container = name.container;
    spec.name = name.name;
    sl_arena_init(&scratch);
    sl_code code = read_shape(&spec.shape, &scratch, setup);
    if (code == SL_OK) code = keep_spec(state, &spec, false, setup->err);
    sl_arena_clear(&scratch);
    return code;
}

static sl_code make_variable(struct sl_object **out, void *arg, struct sl_error *err) {
    const struct sl_variable_spec *spec = arg;
    struct sl_variable *v;
    SL_TRY(sl_variable_new(&v, spec, err));
    *out = &v->object;
    return SL_OK;
}

static sl_code find_or_make(struct sl_variable **out, struct sl_kernel_context *k, struct make_state *s) {
    struct sl_object *object;
    if (s->is_anonymous) return sl_variable_new(out, &s->spec, k->err);
    SL_TRY(sl_resources_find_or_make(&object, k->env->session_resources, s->spec.container, s->spec.type, s->spec.name,
                                     make_variable, &s->spec, k->err));
    *out = (struct sl_variable *)object;
    return SL_OK;
}

static sl_code reference_run(struct sl_kernel_context *k) {
    struct make_state *s = k->state;
    struct sl_variable *v;
    SL_TRY(find_or_make(&v, k, s));
    if (v->dtype != s->spec.dtype) {
        sl_code code = sl_fail(k->err, SL_INTERNAL,
                               "Output 0 of type %s_ref does not match declared output type %s_ref for node %.*s",
                               sl_dtype_name(v->dtype), sl_dtype_name(s->spec.dtype), SL_STR_ARG(k->node->name));
        sl_object_unref(&v->object);
        return code;
    }
    sl_out_variable(k, 0, v);
    return SL_OK;
}

static sl_code handle_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_variable_spec spec = {.type = &sl_variable_type};
    SL_TRY(sl_attr_string(&spec.container, setup->attrs, "container", setup->err));
    SL_TRY(sl_attr_string(&spec.name, setup->attrs, "shared_name", setup->err));
    SL_TRY(sl_attr_type(&spec.dtype, setup->attrs, "dtype", setup->err));
    if (!spec.container.n) spec.container = SL_STR("localhost");
    /* the name that TensorFlow gives to variables of eager code */
    bool is_anonymous = sl_str_is(spec.name, "cd2c89b7-88b7-44c8-ad83-06c2a9158347");
    return keep_spec(state, &spec, is_anonymous, setup->err);
}

static sl_code handle_run(struct sl_kernel_context *k) {
    struct sl_variable *v;
    SL_TRY(find_or_make(&v, k, k->state));
    sl_out_object(k, 0, &v->object);
    return SL_OK;
}

/* Several at once. */
struct make_states {
    int n;
    struct make_state *items[];
};

static void handles_destroy(void *state) {
    struct make_states *s = state;
    for (int i = 0; i < s->n; i++) sl_free(s->items[i]);
    sl_free(s);
}
static sl_code handles_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_str *containers, *names;
    const int32_t *types;
    int n, n_names, n_types;
    SL_TRY(sl_attr_string_list(&containers, &n, setup->attrs, "containers", setup->err));
    SL_TRY(sl_attr_string_list(&names, &n_names, setup->attrs, "shared_names", setup->err));
    SL_TRY(sl_attr_type_list(&types, &n_types, setup->attrs, "dtypes", setup->err));
    if (n != setup->n_out || n_names != n || n_types != n)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%d containers, %d shared_names and %d dtypes for %d resources",
                       n, n_names, n_types, setup->n_out);
    struct make_states *s = sl_calloc(1, sizeof *s + (size_t)n * sizeof *s->items);
    if (!s) return sl_fail_memory(setup->err, sizeof *s);
    sl_code code = SL_OK;
    for (; s->n < n && code == SL_OK; s->n++) {
        struct sl_variable_spec spec = {.type = &sl_variable_type, .dtype = types[s->n], .name = names[s->n]};
        spec.container = containers[s->n].n ? containers[s->n] : SL_STR("localhost");
        void *one = NULL;
        code = keep_spec(&one, &spec, false, setup->err);
        s->items[s->n] = one;
    }
    if (code == SL_OK) *state = s;
    else handles_destroy(s);
    return code;
}
static sl_code handles_run(struct sl_kernel_context *k) {
    const struct make_states *s = k->state;
    for (int i = 0; i < s->n; i++) {
        struct sl_variable *v;
        SL_TRY(find_or_make(&v, k, s->items[i]));
        sl_out_object(k, i, &v->object);
    }
    return SL_OK;
}

/* ---- variables of one step */

static sl_code temporary_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_variable_spec spec = {.type = &sl_ref_variable_type};
    struct sl_arena scratch;
    SL_TRY(sl_attr_string(&spec.name, setup->attrs, "var_name", setup->err));
    SL_TRY(sl_attr_type(&spec.dtype, setup->attrs, "dtype", setup->err));
    if (!spec.name.n) spec.name = setup->name;
    sl_arena_init(&scratch);
    sl_code code = read_shape(&spec.shape, &scratch, setup);
    if (code == SL_OK) code = keep_spec(state, &spec, false, setup->err);
    sl_arena_clear(&scratch);
    return code;
}

static sl_code temporary_run(struct sl_kernel_context *k) {
    const struct make_state *s = k->state;
    struct sl_variable *v;
    SL_TRY(sl_variable_new(&v, &s->spec, k->err));
    sl_code code = sl_value_zero(&v->value, s->spec.dtype, s->spec.shape, k->err);
    if (code == SL_OK) return sl_out_temporary(k, 0, v, s->spec.name);
    sl_object_unref(&v->object);
    return code;
}

static sl_code name_create(void **state, struct sl_kernel_setup *setup) {
    struct sl_variable_spec spec = {.type = &sl_ref_variable_type};
    SL_TRY(sl_attr_string(&spec.name, setup->attrs, "var_name", setup->err));
    return keep_spec(state, &spec, false, setup->err);
}

static sl_code destroy_temporary_run(struct sl_kernel_context *k) {
    const struct make_state *s = k->state;
    struct sl_variable *v;
    SL_TRY(sl_in_variable(&v, k, 0));
    SL_TRY(sl_temporary_forget(k, s->spec.name));
    SL_TRY(sl_variable_read(sl_out_value(k, 0), v, k->err));
    return sl_out_settle(k, 0);
}

/* ---- reading */

static sl_code read_one(struct sl_kernel_context *k, int i) {
    struct sl_variable *v;
    struct sl_value got = {0};
    sl_code code = sl_in_variable(&v, k, i);
    struct sl_str name = code == SL_OK ? v->name : SL_STR(""), container = code == SL_OK ? v->container : name;
    if (code == SL_OK) code = sl_variable_read(&got, v, k->err);
    if (code == SL_INVALID_ARGUMENT || code == SL_NOT_FOUND)
        return sl_fail(k->err, SL_FAILED_PRECONDITION,
                       "Could not find variable %.*s. This could mean that the variable has been deleted. In TF1, it "
                       "can also mean the variable is uninitialized. Debug info: container=%.*s, status error "
                       "message=Resource %.*s/%.*s/N10tensorflow3VarE does not exist.",
                       SL_STR_ARG(name), SL_STR_ARG(container), SL_STR_ARG(container), SL_STR_ARG(name));
    SL_TRY(code);
    if (got.dtype != sl_out_type(k, i)) {
        code = sl_invalid(k, "Trying to read variable with wrong dtype. Expected %s got %s",
                          sl_dtype_name(sl_out_type(k, i)), sl_dtype_name(got.dtype));
        sl_value_clear(&got);
        return code;
    }
    *sl_out_value(k, i) = got;
    return sl_out_settle(k, i);
}

static sl_code read_run(struct sl_kernel_context *k) {
    for (int i = 0; i < sl_out_count(k); i++) SL_TRY(read_one(k, i));
    return SL_OK;
}

static sl_code give_bool(struct sl_kernel_context *k, bool value) {
    struct sl_view out;
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    *(bool *)out.data = value;
    return SL_OK;
}

static sl_code is_initialized_run(struct sl_kernel_context *k) {
    struct sl_variable *v;
    if (sl_in_variable(&v, k, 0) != SL_OK) {
        sl_error_clear(k->err);
        return give_bool(k, false);
    }
    sl_mutex_lock(&v->mutex);
    bool is_set = v->value.kind != SL_VALUE_NONE;
    sl_mutex_unlock(&v->mutex);
    return give_bool(k, is_set);
}

/* Writes the dims of the value to `dims`. */
static sl_code shape_of(int *rank, int64_t dims[SL_MAX_RANK], struct sl_variable *v, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&v->mutex);
    if (v->value.kind == SL_VALUE_NONE) {
        code = sl_variable_fail_unset(v, err);
    } else {
        struct sl_view now = sl_value_view(&v->value);
        *rank = now.rank;
        if (now.rank) memcpy(dims, now.dims, (size_t)now.rank * sizeof *dims);
    }
    sl_mutex_unlock(&v->mutex);
    return code;
}

static sl_code shape_run(struct sl_kernel_context *k) {
    struct sl_variable *v;
    struct sl_view out;
    int rank = 0;
    int64_t dims[SL_MAX_RANK];
    SL_TRY(sl_in_variable(&v, k, 0));
    SL_TRY(shape_of(&rank, dims, v, k->err));
    SL_TRY(sl_out_new(&out, k, 0, (struct sl_shape){1, (const int64_t[]){rank}}));
    for (int i = 0; i < rank; i++) {
        if (out.dtype == SL_INT64) ((int64_t *)out.data)[i] = dims[i];
        else if (dims[i] <= INT32_MAX) ((int32_t *)out.data)[i] = (int32_t)dims[i];
        else return sl_invalid(k, "Shape output type is 32-bit but dim %d is %" PRId64, i, dims[i]);
    }
    return SL_OK;
}

/* ---- replacing */

static sl_code validate_create(void **state, struct sl_kernel_setup *setup) {
    bool validates;
    SL_TRY(sl_attr_bool(&validates, setup->attrs, "validate_shape", setup->err));
    *state = (void *)(intptr_t)validates;
    return SL_OK;
}

static sl_code assign_run(struct sl_kernel_context *k) {
    struct sl_variable *v;
    SL_TRY(sl_in_variable(&v, k, 0));
    struct sl_value value = take_input(k, 1);
    sl_mutex_lock(&v->mutex);
    sl_code code = sl_variable_check(v, &value, k->state, k->err);
    if (code == SL_OK) {
        struct sl_value old = v->value;
        v->value = value;
        v->dtype = value.dtype;
        value = old;
    }
    sl_mutex_unlock(&v->mutex);
    sl_value_clear(&value);
    if (code == SL_OK && sl_out_count(k) > 0) sl_out_forward(k, 0, 0);
    return code;
}

/* ---- forgetting */

static sl_code ignore_create(void **state, struct sl_kernel_setup *setup) {
    bool ignores;
    SL_TRY(sl_attr_bool(&ignores, setup->attrs, "ignore_lookup_error", setup->err));
    *state = (void *)(intptr_t)ignores;
    return SL_OK;
}

static sl_code destroy_variable(struct sl_variable *v, struct sl_error *err) {
    sl_code code = SL_OK;
    sl_mutex_lock(&v->mutex);
    struct sl_value old = sl_value_move(&v->value);
    if (old.kind == SL_VALUE_NONE) /* its type is not known any more, as in TensorFlow */
        code = sl_fail(err, SL_NOT_FOUND, "Resource %.*s/%.*s/<unknown> does not exist.", SL_STR_ARG(v->container),
                       SL_STR_ARG(v->name));
    v->copy_on_read = false;
    sl_mutex_unlock(&v->mutex);
    sl_value_clear(&old);
    return code;
}

static sl_code destroy_run(struct sl_kernel_context *k) {
    struct sl_view handle = sl_in(k, 0);
    struct sl_object *object =
        handle.dtype == SL_RESOURCE && handle.count == 1 ? *(struct sl_object **)handle.data : NULL;
    sl_code code;
    if (!object) code = sl_fail(k->err, SL_NOT_FOUND, "Resource does not exist.");
    else if (sl_variable_of(object)) code = destroy_variable(sl_variable_of(object), k->err);
    else code = sl_resources_remove_object(k->env->session_resources, object, k->err);
    if (code != SL_NOT_FOUND || !k->state) return code;
    sl_error_clear(k->err);
    return SL_OK;
}

static sl_code disable_copy_run(struct sl_kernel_context *k) {
    struct sl_variable *v;
    SL_TRY(sl_in_variable(&v, k, 0));
    sl_mutex_lock(&v->mutex);
    sl_code code = v->value.kind == SL_VALUE_NONE ? sl_variable_fail_unset(v, k->err) : SL_OK;
    v->copy_on_read = false;
    sl_mutex_unlock(&v->mutex);
    return code;
}

/* ---- counting */

static sl_code limit_create(void **state, struct sl_kernel_setup *setup) {
    int64_t limit;
    SL_TRY(sl_attr_int(&limit, setup->attrs, "limit", setup->err));
    *state = (void *)(intptr_t)limit;
    return SL_OK;
}

/* The number the variable has, which goes up by one; with the lock held. */
static sl_code count_up(int64_t *count, struct sl_variable *v, int64_t limit, int dtype, struct sl_error *err) {
    struct sl_view now;
    SL_TRY(sl_variable_edit(&now, v, err));
    char text[SL_SHAPE_TEXT];
    if (now.dtype != dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Trying to count up a variable of type %s as %s",
                       sl_dtype_name(now.dtype), sl_dtype_name(dtype));
    if (now.rank != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "input is not a scalar: %s", sl_shape_text(text, sl_view_shape(now)));
    *count = dtype == SL_INT64 ? *(int64_t *)now.data : *(int32_t *)now.data;
    if (*count >= limit) return sl_fail(err, SL_OUT_OF_RANGE, "Reached limit of %" PRId64, limit);
    if (dtype == SL_INT64) ++*(int64_t *)now.data;
    else ++*(int32_t *)now.data;
    return SL_OK;
}

static sl_code count_up_run(struct sl_kernel_context *k) {
    struct sl_variable *v;
    int64_t count;
    SL_TRY(sl_in_variable(&v, k, 0));
    sl_mutex_lock(&v->mutex);
    sl_code code = count_up(&count, v, (int64_t)(intptr_t)k->state, sl_out_type(k, 0), k->err);
    sl_mutex_unlock(&v->mutex);
    SL_TRY(code);
    return sl_out_int(k, 0, count);
}

#define COUNTED    RULE("T", SL_SET(INT32) | SL_SET(INT64))
#define MOVES      .flags = SL_KERNEL_CHEAP | SL_KERNEL_MOVES
#define MADE(make) .create = make##_create, .destroy = sl_free, .run = make##_run, MOVES
/* clang-format off */
const struct sl_kernel_def sl_any_variable_rows[] = {
    KERNEL("VarHandleOp", NO_RULE, MADE(handle))
    KERNEL("_VarHandlesOp", NO_RULE, .create = handles_create, .destroy = handles_destroy, .run = handles_run, MOVES)
    KERNEL("_ReadVariablesOp", NO_RULE, .run = read_run, .flags = SL_KERNEL_MOVES)
    KERNEL("ReadVariableOp", NO_RULE, .run = read_run, MOVES)
    KERNEL("AssignVariableOp", NO_RULE, .create = validate_create, .run = assign_run, MOVES)
    KERNEL("VarIsInitializedOp", NO_RULE, .run = is_initialized_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("VariableShape", RULE("out_type", SL_SET(INT32) | SL_SET(INT64)), .run = shape_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("DestroyResourceOp", NO_RULE, .create = ignore_create, .run = destroy_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("DisableCopyOnRead", NO_RULE, .run = disable_copy_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("ResourceCountUpTo", COUNTED, .create = limit_create, .run = count_up_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("Variable", NO_RULE, MADE(reference))
    KERNEL("VariableV2", NO_RULE, MADE(reference))
    KERNEL("Assign", NO_RULE, .create = validate_create, .run = assign_run, MOVES)
    KERNEL("IsVariableInitialized", NO_RULE, .run = is_initialized_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("CountUpTo", COUNTED, .create = limit_create, .run = count_up_run, .flags = SL_KERNEL_CHEAP)
    KERNEL("TemporaryVariable", NO_RULE, MADE(temporary))
    KERNEL("DestroyTemporaryVariable", NO_RULE, .create = name_create, .destroy = sl_free, .run = destroy_temporary_run, MOVES)
    SL_ROWS_END
};
/* clang-format on */
