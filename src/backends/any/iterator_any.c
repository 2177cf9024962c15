/* Iterators as resources: named ones that live as long as the session, and anonymous ones. The resource holds what the
 * elements are to be like and the state of one walk (data/iterator.h), which MakeIterator replaces. Elements are made
 * on the thread that asks for one, within its step; one at a time. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/any/callees.h"
#include "backends/any/optional.h"
#include "backends/any/session_object.h"
#include "base/alloc.h"
#include "data/element.h"
#include "data/iterator.h"
#include "kernel/resources.h"
#include "proto/gen/messages.h"
#include "proto/wire.h"

/* What elements are declared to be. */
struct declared {
    struct sl_arena arena;
    int n; /* 0: anything */
    const int32_t *types;
    const struct sl_shape *shapes;
};

struct resource {
    struct sl_session_object base;
    struct declared declared;
    struct sl_mutex mutex;  /* guards what follows */
    struct sl_iterator *it; /* NULL: not initialised */
};

static void resource_free(struct sl_object *object) {
    struct resource *r = (struct resource *)object;
    sl_iterator_free(r->it);
    sl_arena_clear(&r->declared.arena);
    sl_mutex_clear(&r->mutex);
    sl_session_object_clear(&r->base);
    sl_free(r);
}

static const struct sl_object_type resource_type = {.name = "tensorflow::data::IteratorResource",
                                                    .free = resource_free};

/* ---- what elements are declared to be */

static sl_code declared_copy(struct declared *to, const struct declared *from, struct sl_error *err) {
    int32_t *types = SL_ARENA_ARRAY(&to->arena, int32_t, (size_t)from->n + 1);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&to->arena, struct sl_shape, (size_t)from->n + 1);
    if (!types || !shapes) return sl_fail_memory(err, (size_t)from->n * sizeof *shapes);
    for (int i = 0; i < from->n; i++) {
        types[i] = from->types[i];
        shapes[i] = sl_shape_copy(&to->arena, from->shapes[i]);
        if (shapes[i].rank == -2) return sl_fail_memory(err, 0);
    }
    to->n = from->n;
    to->types = types;
    to->shapes = shapes;
    return SL_OK;
}

/* Reads the attrs output_types and output_shapes into an initialised `d`. */
static sl_code declared_read(struct declared *d, struct sl_kernel_setup *setup) {
    struct declared read = {.n = 0};
    int n_shapes;
    SL_TRY(sl_attr_type_list(&read.types, &read.n, setup->attrs, "output_types", setup->err));
    SL_TRY(sl_attr_shape_list(&read.shapes, &n_shapes, &d->arena, setup->attrs, "output_shapes", setup->err));
    if (read.n != n_shapes)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "output_types and output_shapes must be same length, got: %d vs %d", read.n, n_shapes);
    return declared_copy(d, &read, setup->err);
}

static sl_code fail_count(int expected, int n, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "Number of components does not match: expected %d types but got %d.",
                   expected, n);
}

static sl_code check_component(const struct declared *d, int i, int dtype, struct sl_shape shape,
                               struct sl_error *err) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (d->types[i] != dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Data type mismatch at component %d: expected %s but got %s.", i,
                       sl_dtype_name(d->types[i]), sl_dtype_name(dtype));
    if (!sl_shape_is_compatible(d->shapes[i], shape))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Incompatible shapes at component %d: expected %s but got %s.", i,
                       sl_shape_text(a, d->shapes[i]), sl_shape_text(b, shape));
    return SL_OK;
}

static sl_code check_declared(const struct declared *d, const struct declared *other, struct sl_error *err) {
    if (d->n == 0 || other->n == 0) return SL_OK;
    if (d->n != other->n) return fail_count(d->n, other->n, err);
    for (int i = 0; i < d->n; i++) SL_TRY(check_component(d, i, other->types[i], other->shapes[i], err));
    return SL_OK;
}

static sl_code check_dataset(const struct declared *d, const struct sl_dataset *dataset, struct sl_error *err) {
    if (d->n == 0) return SL_OK;
    if (d->n != dataset->n) return fail_count(d->n, dataset->n, err);
    for (int i = 0; i < d->n; i++) SL_TRY(check_component(d, i, dataset->types[i], dataset->shapes[i], err));
    return SL_OK;
}

static sl_code check_element(const struct declared *d, const struct sl_value *element, int n, struct sl_error *err) {
    if (d->n != n) return fail_count(d->n, n, err);
    for (int i = 0; i < n; i++)
        SL_TRY(check_component(d, i, element[i].dtype, sl_view_shape(sl_value_view(&element[i])), err));
    return SL_OK;
}

/* ---- Iterator, IteratorV2, OneShotIterator, anonymous ones */

static sl_code resource_new(struct resource **out, const struct declared *declared, struct sl_error *err) {
    struct resource *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_object_init(&r->base.object, &resource_type);
    sl_mutex_init(&r->mutex);
    sl_arena_init(&r->declared.arena);
    sl_code code = declared_copy(&r->declared, declared, err);
    if (code == SL_OK) *out = r;
    else resource_free(&r->base.object);
    return code;
}

/* The state of a kernel that makes iterators. */
struct maker {
    struct declared declared;
    struct sl_session_maker named; /* of ops that name theirs */
    struct sl_callees *factory;    /* OneShotIterator */
    bool is_named;
};

static void maker_free(void *state) {
    struct maker *m = state;
    if (m->is_named) sl_session_maker_clear(&m->named);
    sl_callees_free(m->factory);
    sl_arena_clear(&m->declared.arena);
    sl_free(m);
}

static sl_code maker_new(struct maker **out, struct sl_kernel_setup *setup, bool is_named) {
    struct maker *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(setup->err, sizeof *m);
    sl_arena_init(&m->declared.arena);
    sl_code code = declared_read(&m->declared, setup);
    if (code == SL_OK && is_named) {
        code = sl_session_maker_init(&m->named, setup, SL_NAMED_PRIVATELY);
        m->is_named = code == SL_OK;
    }
    if (code == SL_OK) *out = m;
    else maker_free(m);
    return code;
}

static sl_code named_create(void **state, struct sl_kernel_setup *setup) {
    return maker_new((struct maker **)state, setup, true);
}
static sl_code anonymous_create(void **state, struct sl_kernel_setup *setup) {
    return maker_new((struct maker **)state, setup, false);
}

static sl_code make(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    return resource_new((struct resource **)out, arg, err);
}

static sl_code check_found(struct sl_session_object *o, const void *arg, struct sl_error *err) {
    return check_declared(&((const struct resource *)o)->declared, arg, err);
}

static sl_code named_run(struct sl_kernel_context *k) {
    struct maker *m = k->state;
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, &m->named, &resource_type, make, check_found, &m->declared));
    return sl_session_object_give(k, &m->named);
}

/* Points the resource at the dataset. What it was before stays after a failure. */
static sl_code initialise(struct resource *r, struct sl_dataset *d, struct sl_kernel_context *k) {
    struct sl_iterator *it, *old;
    SL_TRY(check_dataset(&r->declared, d, k->err));
    SL_TRY(sl_iterator_new(&it, d, k->env, k->err));
    sl_mutex_lock(&r->mutex);
    old = r->it;
    r->it = it;
    sl_mutex_unlock(&r->mutex);
    sl_iterator_free(old);
    return SL_OK;
}

static sl_code one_shot_create(void **state, struct sl_kernel_setup *setup) {
    struct maker *m;
    SL_TRY(maker_new(&m, setup, true));
    const struct sl_callee_types types = {NULL, (const uint8_t[]){SL_VARIANT}, 0, 1};
    m->factory = sl_callees_new(1, setup->err);
    sl_code code = m->factory ? SL_OK : SL_RESOURCE_EXHAUSTED;
    if (code == SL_OK)
        code = sl_callees_keep_error(m->factory, setup, sl_callee_bind(m->factory, 0, setup, "dataset_factory", types));
    if (code == SL_OK) *state = m;
    else maker_free(m);
    return code;
}

/* The factory's dataset, at the first use. */
static sl_code make_once(struct resource *r, struct maker *m, struct sl_kernel_context *k) {
    struct sl_value made = {0};
    struct sl_dataset *d;
    SL_TRY(sl_callees_status(m->factory, k->err));
    SL_TRY(k->env->functions->call(m->factory->functions[0], k->env, NULL, &made, k->err));
    sl_code code = sl_dataset_of_value(&d, &made, k->err);
    if (code == SL_OK) code = initialise(r, d, k);
    sl_value_clear(&made);
    return code;
}

static sl_code one_shot_run(struct sl_kernel_context *k) {
    struct maker *m = k->state;
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, &m->named, &resource_type, make, check_found, &m->declared));
    struct resource *r = (struct resource *)o;
    sl_mutex_lock(&r->mutex);
    const bool is_made = r->it != NULL;
    sl_mutex_unlock(&r->mutex);
    if (!is_made) SL_TRY(make_once(r, m, k));
    return sl_session_object_give(k, &m->named);
}

/* A name of its own, by which a string handle finds it; kept until it is deleted or the session ends. */
static sl_code keep_anonymous(struct sl_kernel_context *k, struct resource *r) {
    enum { ROOM = 48 };
    char name[ROOM];
    struct sl_resources *all = k->env->session_resources;
    snprintf(name, sizeof name, "AnonymousIterator%" PRIu64, sl_resources_number(all));
    return sl_resources_add(all, SL_STR("localhost"), sl_str_of(name), sl_object_ref(&r->base.object), k->err);
}

static sl_code anonymous_run(struct sl_kernel_context *k) {
    const struct maker *m = k->state;
    struct resource *r;
    SL_TRY(resource_new(&r, &m->declared, k->err));
    const bool is_counted = k->node->def->data != NULL; /* by its handles alone */
    sl_code code = is_counted ? SL_OK : keep_anonymous(k, r);
    if (code != SL_OK) {
        sl_object_unref(&r->base.object);
        return code;
    }
    sl_out_object(k, 0, &r->base.object);
    if (sl_out_count(k) > 1) sl_out_object(k, 1, NULL); /* the deleter */
    return SL_OK;
}

/* ---- uses */

/* The iterator that input i is a handle of, borrowed. */
static sl_code iterator_in(struct resource **out, struct sl_kernel_context *k, int i) {
    const struct sl_view v = sl_in(k, i);
    struct sl_object *o = v.dtype == SL_RESOURCE && v.count == 1 ? *(struct sl_object **)v.data : NULL;
    if (!o || o->type != &resource_type)
        return sl_invalid(k,
                          "Trying to access a handle's resource using the wrong type. The handle points to a resource "
                          "of type '%s' but you are trying to access the resource as type '%s'",
                          o ? o->type->name : "", resource_type.name);
    *out = (struct resource *)o;
    return SL_OK;
}

static sl_code make_iterator_run(struct sl_kernel_context *k) {
    struct resource *r;
    struct sl_dataset *d;
    SL_TRY(sl_dataset_of_value(&d, sl_in_value(k, 0), k->err));
    SL_TRY(iterator_in(&r, k, 1));
    return initialise(r, d, k);
}

static sl_code delete_run(struct sl_kernel_context *k) {
    struct resource *r;
    SL_TRY(iterator_in(&r, k, 0));
    sl_resources_remove_object(k->env->session_resources, &r->base.object, NULL); /* what nobody named is not there */
    return SL_OK;
}

/* The next element, in room of its own (sl_free) of `*n` components; NULL at the end. */
static sl_code next_element(struct sl_value **out, int *n, struct sl_kernel_context *k, const struct declared *wanted) {
    struct resource *r;
    bool is_end = true;
    SL_TRY(iterator_in(&r, k, 0));
    sl_code code = SL_OK;
    struct sl_value *element = NULL;
    sl_mutex_lock(&r->mutex);
    if (!r->it)
        code = sl_fail(k->err, SL_FAILED_PRECONDITION,
                       "GetNext() failed because the iterator has not been initialized. Ensure that you have run the "
                       "initializer operation for this iterator before getting the next element.");
    *n = r->it ? r->it->dataset->n : 0;
    if (code == SL_OK) code = sl_element_new(&element, *n, k->err);
    if (code == SL_OK) code = sl_iterator_next(r->it, element, &is_end, k->env, k->err);
    sl_mutex_unlock(&r->mutex);
    if (code == SL_OK && !is_end) code = check_element(wanted, element, *n, k->err);
    if (code == SL_OK && !is_end) {
        *out = element;
        return SL_OK;
    }
    if (element) sl_element_clear(element, *n);
    sl_free(element);
    *out = NULL;
    return code;
}

static void declared_free(void *state) {
    struct declared *d = state;
    sl_arena_clear(&d->arena);
    sl_free(d);
}

static sl_code declared_create(void **state, struct sl_kernel_setup *setup) {
    struct declared *d = sl_calloc(1, sizeof *d);
    if (!d) return sl_fail_memory(setup->err, sizeof *d);
    sl_arena_init(&d->arena);
    sl_code code = declared_read(d, setup);
    if (code == SL_OK) *state = d;
    else declared_free(d);
    return code;
}

static sl_code get_next_run(struct sl_kernel_context *k) {
    struct sl_value *element;
    int n;
    SL_TRY(next_element(&element, &n, k, k->state));
    if (!element) return sl_fail(k->err, SL_OUT_OF_RANGE, "End of sequence");
    for (int i = 0; i < n; i++) *sl_out_value(k, i) = sl_value_move(&element[i]);
    sl_free(element);
    return SL_OK;
}

static sl_code get_optional_run(struct sl_kernel_context *k) {
    struct sl_value *element;
    struct sl_object *optional;
    int n;
    SL_TRY(next_element(&element, &n, k, k->state));
    sl_code code = sl_optional_new(&optional, element, element ? n : 0, element != NULL, k->err);
    if (element) sl_element_clear(element, n);
    sl_free(element);
    if (code == SL_OK) sl_out_object(k, 0, optional);
    return code;
}

/* ---- handles as strings */

static sl_code write_handle(struct sl_kernel_context *k, struct sl_object *o, struct sl_arena *arena) {
    struct sl_str bytes;
    struct sl_view out;
    struct sl_pb_ResourceHandleProto handle = {.device = sl_str_of(k->env->device ? k->env->device : ""),
                                               .maybe_type_name = sl_str_of(o->type->name)};
    SL_TRY(sl_resources_name_of(&handle.container, &handle.name, k->env->session_resources, o, arena, k->err));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE(ResourceHandleProto), &handle, 0, arena, k->err));
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    return sl_string_set(out.data, bytes, k->err);
}

static sl_code to_string_run(struct sl_kernel_context *k) {
    struct resource *r;
    SL_TRY(iterator_in(&r, k, 0));
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = write_handle(k, &r->base.object, &arena);
    sl_arena_clear(&arena);
    return code;
}

static sl_code find_handle(struct sl_object **out, struct sl_kernel_context *k, struct sl_str text,
                           struct sl_arena *arena) {
    struct sl_pb_ResourceHandleProto handle = {.hash_code = 0};
    if (sl_pb_decode(&handle, SL_PB_TYPE(ResourceHandleProto), text, arena, NULL) != SL_OK || !handle.name.n)
        return sl_invalid(k, "Could not parse string_handle into a valid ResourceHandle");
    return sl_resources_find(out, k->env->session_resources, handle.container, &resource_type, handle.name, k->err);
}

static sl_code from_string_run(struct sl_kernel_context *k) {
    const struct sl_view v = sl_in(k, 0);
    if (v.rank != 0) return sl_invalid(k, "string_handle must be a scalar");
    struct sl_arena arena;
    struct sl_object *found;
    sl_arena_init(&arena);
    sl_code code = find_handle(&found, k, sl_string_get(v.data), &arena);
    sl_arena_clear(&arena);
    SL_TRY(code);
    code = check_declared(k->state, &((struct resource *)found)->declared, k->err);
    if (code == SL_OK) sl_out_object(k, 0, found);
    else sl_object_unref(found);
    return code;
}

#define NAMED     .create = named_create, .destroy = maker_free, .run = named_run
#define ANONYMOUS .create = anonymous_create, .destroy = maker_free, .run = anonymous_run
#define DECLARED  .create = declared_create, .destroy = declared_free
/* clang-format off */
const struct sl_kernel_def sl_any_iterator_rows[] = {
    KERNEL("Iterator", NO_RULE, NAMED)
    KERNEL("IteratorV2", NO_RULE, NAMED)
    KERNEL("OneShotIterator", NO_RULE, .create = one_shot_create, .destroy = maker_free, .run = one_shot_run)
    KERNEL("AnonymousIterator", NO_RULE, ANONYMOUS)
    KERNEL("AnonymousIteratorV2", NO_RULE, ANONYMOUS)
    KERNEL("AnonymousIteratorV3", NO_RULE, ANONYMOUS, .data = "counted")
    KERNEL("MakeIterator", NO_RULE, .run = make_iterator_run)
    KERNEL("DeleteIterator", NO_RULE, .run = delete_run)
    KERNEL("IteratorGetNext", NO_RULE, .run = get_next_run, DECLARED)
    KERNEL("IteratorGetNextSync", NO_RULE, .run = get_next_run, DECLARED)
    KERNEL("IteratorGetNextAsOptional", NO_RULE, .run = get_optional_run, DECLARED)
    KERNEL("IteratorToStringHandle", NO_RULE, .run = to_string_run)
    KERNEL("IteratorFromStringHandle", NO_RULE, .run = from_string_run, DECLARED)
    KERNEL("IteratorFromStringHandleV2", NO_RULE, .run = from_string_run, DECLARED)
    SL_ROWS_END
};
/* clang-format on */
