/* Iterators as resources: named ones that live as long as the session, and anonymous ones. The resource holds what the
 * elements are to be like and one walk (data/data_walk.h), which MakeIterator replaces. */
#include "backends/any/any_kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "backends/any/callees.h"
#include "backends/any/iterator_resource.h"
#include "backends/any/optional.h"
#include "backends/any/session_object.h"
#include "base/alloc.h"
#include "base/vec.h"
#include "data/data_walk.h"
#include "data/element.h"
#include "kernel/cancellation.h"
#include "kernel/resources.h"
#include "os/mutex.h"
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
    struct sl_mutex mutex;     /* guards what follows */
    struct sl_data_walk *walk; /* a reference; NULL: not initialised */
};

static void resource_free(struct sl_object *object) {
    struct resource *r = (struct resource *)object;
    sl_data_walk_unref(r->walk);
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
    int64_t n_devices;             /* MultiDeviceIterator */
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
    struct sl_data_walk *walk, *old;
    SL_TRY(check_dataset(&r->declared, d, k->err));
    SL_TRY(sl_data_walk_new(&walk, d, k->env, k->err));
    sl_mutex_lock(&r->mutex);
    old = r->walk;
    r->walk = walk;
    sl_mutex_unlock(&r->mutex);
    sl_data_walk_unref(old);
    return SL_OK;
}

static sl_code one_shot_create(void **state, struct sl_kernel_setup *setup) {
    struct maker *m;
    SL_TRY(maker_new(&m, setup, true));
    const struct sl_callee_types types = {NULL, (const uint8_t[]){SL_VARIANT}, 0, 1};
    m->factory = sl_callees_new(1, setup->functions, setup->err);
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
    const bool is_made = r->walk != NULL;
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

/* The walk as it is now, with a reference; NULL: there is none. */
static struct sl_data_walk *walk_of(struct resource *r) {
    sl_mutex_lock(&r->mutex);
    struct sl_data_walk *walk = r->walk ? sl_data_walk_ref(r->walk) : NULL;
    sl_mutex_unlock(&r->mutex);
    return walk;
}

/* The next element, in room of its own (sl_free) of `*n` components; NULL at the end. */
static sl_code next_element(struct sl_value **out, int *n, struct sl_kernel_context *k, const struct declared *wanted) {
    struct resource *r;
    bool is_end = true;
    SL_TRY(iterator_in(&r, k, 0));
    struct sl_value *element = NULL;
    struct sl_data_walk *walk = walk_of(r);
    if (!walk)
        return sl_fail(k->err, SL_FAILED_PRECONDITION,
                       "GetNext() failed because the iterator has not been initialized. Ensure that you have run the "
                       "initializer operation for this iterator before getting the next element.");
    *n = sl_data_walk_dataset(walk)->n;
    sl_code code = sl_element_new(&element, *n, k->err);
    if (code == SL_OK) code = sl_data_walk_next(walk, element, &is_end, k->env, k->err);
    sl_data_walk_unref(walk);
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

sl_code sl_iterator_resource_walk(struct sl_data_walk **out, struct sl_kernel_context *k, int i) {
    struct resource *r;
    SL_TRY(iterator_in(&r, k, i));
    *out = walk_of(r);
    return SL_OK;
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

/* ---- MultiDeviceIterator: one walk whose element i goes to shard i mod n. Whoever asks for a shard takes elements for
 * all, as far as the others' buffers have room, and waits for them to be emptied then. */

struct shard_element {
    struct sl_value *values; /* NULL: `failure` in their place */
    struct sl_error *failure;
};
struct shard {
    SL_VEC(struct shard_element) elements; /* from `first` on */
    size_t first;
};
struct multi_resource {
    struct sl_session_object base;
    struct declared declared;
    struct sl_mutex mutex;     /* guards what follows */
    struct sl_data_walk *walk; /* a reference; NULL: not initialised */
    struct sl_condition changed;
    struct shard *shards;
    int64_t n_shards, limit, incarnation, next; /* next: number of the element that comes next */
    int width;
    bool is_pulling, is_over;
};

static void shard_element_clear(struct shard_element *e, int width) {
    if (e->values) sl_element_clear(e->values, width);
    sl_free(e->values);
    sl_free(e->failure);
}

static void clear_shards(struct multi_resource *r) {
    for (int64_t i = 0; i < r->n_shards; i++) {
        struct shard *s = &r->shards[i];
        for (; s->first < s->elements.n; s->first++) shard_element_clear(&s->elements.items[s->first], r->width);
        s->first = s->elements.n = 0;
    }
}

static void multi_free(struct sl_object *object) {
    struct multi_resource *r = (struct multi_resource *)object;
    sl_data_walk_unref(r->walk);
    if (r->shards) clear_shards(r);
    for (int64_t i = 0; i < r->n_shards && r->shards; i++) sl_vec_free(&r->shards[i].elements);
    sl_free(r->shards);
    sl_arena_clear(&r->declared.arena);
    sl_condition_clear(&r->changed);
    sl_mutex_clear(&r->mutex);
    sl_session_object_clear(&r->base);
    sl_free(r);
}

static const struct sl_object_type multi_type = {.name = "tensorflow::data::MultiDeviceIterator", .free = multi_free};

static sl_code multi_new(struct multi_resource **out, const struct maker *m, struct sl_error *err) {
    struct multi_resource *r = sl_calloc(1, sizeof *r);
    if (!r) return sl_fail_memory(err, sizeof *r);
    sl_object_init(&r->base.object, &multi_type);
    sl_mutex_init(&r->mutex);
    sl_condition_init(&r->changed);
    sl_arena_init(&r->declared.arena);
    r->n_shards = m->n_devices;
    r->shards = sl_calloc((size_t)r->n_shards + 1, sizeof *r->shards);
    sl_code code = r->shards ? declared_copy(&r->declared, &m->declared, err) : sl_fail_memory(err, sizeof *r->shards);
    if (code == SL_OK) *out = r;
    else multi_free(&r->base.object);
    return code;
}

static sl_code read_devices(struct maker *m, struct sl_kernel_setup *setup) {
    const struct sl_str *names;
    int n;
    SL_TRY(sl_attr_string_list(&names, &n, setup->attrs, "devices", setup->err));
    m->n_devices = n;
    return SL_OK;
}

static sl_code multi_create(void **state, struct sl_kernel_setup *setup) {
    SL_TRY(maker_new((struct maker **)state, setup, setup->def->data == NULL));
    sl_code code = read_devices(*state, setup);
    if (code != SL_OK) maker_free(*state);
    return code;
}

static sl_code make_multi(struct sl_session_object **out, const void *arg, struct sl_error *err) {
    return multi_new((struct multi_resource **)out, arg, err);
}

static sl_code check_multi(struct sl_session_object *o, const void *arg, struct sl_error *err) {
    const struct maker *m = arg;
    const struct multi_resource *r = (const struct multi_resource *)o;
    if (r->n_shards != m->n_devices)
        return sl_fail(err, SL_INVALID_ARGUMENT, "The iterator is of %" PRId64 " devices, not of %" PRId64, r->n_shards,
                       m->n_devices);
    return check_declared(&r->declared, &m->declared, err);
}

static sl_code multi_run(struct sl_kernel_context *k) {
    struct maker *m = k->state;
    struct sl_session_object *o;
    SL_TRY(sl_session_object_get(&o, k, &m->named, &multi_type, make_multi, check_multi, m));
    return sl_session_object_give(k, &m->named);
}

static sl_code anonymous_multi_run(struct sl_kernel_context *k) {
    struct multi_resource *r;
    SL_TRY(multi_new(&r, k->state, k->err));
    sl_out_object(k, 0, &r->base.object);
    if (sl_out_count(k) > 1) sl_out_object(k, 1, NULL); /* the deleter */
    return SL_OK;
}

static sl_code multi_in(struct multi_resource **out, struct sl_kernel_context *k, int i) {
    const struct sl_view v = sl_in(k, i);
    struct sl_object *o = v.dtype == SL_RESOURCE && v.count == 1 ? *(struct sl_object **)v.data : NULL;
    if (!o || o->type != &multi_type) return sl_invalid(k, "The handle is none of a multi-device iterator");
    *out = (struct multi_resource *)o;
    return SL_OK;
}

static sl_code multi_init_run(struct sl_kernel_context *k) {
    struct sl_dataset *d;
    struct multi_resource *r;
    struct sl_data_walk *walk, *old;
    int64_t limit;
    SL_TRY(sl_dataset_of_value(&d, sl_in_value(k, 0), k->err));
    SL_TRY(multi_in(&r, k, 1));
    SL_TRY(sl_in_int(&limit, k, 2, "max_buffer_size"));
    SL_TRY(check_dataset(&r->declared, d, k->err));
    SL_TRY(sl_data_walk_new(&walk, d, k->env, k->err));
    sl_mutex_lock(&r->mutex);
    while (r->is_pulling) sl_condition_wait(&r->changed, &r->mutex);
    clear_shards(r);
    old = r->walk;
    r->walk = walk;
    r->width = d->n;
    r->limit = limit > 1 ? limit : 1;
    r->next = 0;
    r->is_over = false;
    const int64_t incarnation = ++r->incarnation;
    sl_condition_broadcast(&r->changed);
    sl_mutex_unlock(&r->mutex);
    sl_data_walk_unref(old);
    return sl_out_int(k, 0, incarnation);
}

/* Takes the next element into the buffer of its shard. With the lock, which is let go meanwhile. */
static sl_code pull_shard(struct multi_resource *r, struct sl_kernel_context *k) {
    struct shard *to = &r->shards[r->next % r->n_shards];
    struct shard_element e = {NULL, NULL};
    struct sl_error why = {0};
    bool is_end = false;
    if (to->first == to->elements.n) to->first = to->elements.n = 0;
    if (sl_vec_reserve(&to->elements, 1)) return sl_fail_memory(k->err, sizeof e);
    SL_TRY(sl_element_new(&e.values, r->width, k->err));
    r->is_pulling = true;
    sl_mutex_unlock(&r->mutex);
    sl_code code = sl_data_walk_next(r->walk, e.values, &is_end, k->env, &why);
    if (code != SL_OK) {
        sl_free(e.values);
        e.values = NULL;
        e.failure = sl_malloc(sizeof why);
        if (e.failure) *e.failure = why;
    }
    sl_mutex_lock(&r->mutex);
    r->is_pulling = false;
    r->is_over = code == SL_OK && is_end;
    if (r->is_over) {
        sl_free(e.values);
    } else if (e.values || e.failure) {
        to->elements.items[to->elements.n++] = e;
        r->next++;
    }
    sl_condition_broadcast(&r->changed);
    return e.values || e.failure || r->is_over ? SL_OK : sl_fail_memory(k->err, sizeof why);
}

static void wake_multi(void *arg) {
    struct multi_resource *r = arg;
    sl_mutex_lock(&r->mutex);
    sl_condition_broadcast(&r->changed);
    sl_mutex_unlock(&r->mutex);
}

/* With the lock: until something changes, or the step is cancelled or out of time. */
static sl_code wait_multi(struct multi_resource *r, struct sl_kernel_context *k) {
    struct sl_cancellation *c = k->env->cancellation;
    const int64_t deadline = c ? sl_cancellation_deadline(c) : 0;
    if (c && sl_cancellation_is_due(c)) {
        sl_mutex_unlock(&r->mutex); /* which callbacks take */
        sl_code code = sl_cancellation_status(c, k->err);
        sl_mutex_lock(&r->mutex);
        return code;
    }
    if (deadline) sl_condition_wait_until(&r->changed, &r->mutex, deadline);
    else sl_condition_wait(&r->changed, &r->mutex);
    return SL_OK;
}

/* The next element of a shard; `out` without values and failure: there is none. With the lock. */
static sl_code take_shard(struct shard_element *out, struct multi_resource *r, struct sl_kernel_context *k,
                          int64_t shard, int64_t incarnation) {
    for (;;) {
        if (incarnation != r->incarnation)
            return sl_invalid(k, "Invalid incarnation id. Provided: %" PRId64 "; Expected: %" PRId64, incarnation,
                              r->incarnation);
        struct shard *s = &r->shards[shard];
        if (s->first < s->elements.n) {
            *out = s->elements.items[s->first++];
            sl_condition_broadcast(&r->changed);
            return SL_OK;
        }
        const struct shard *next = &r->shards[r->next % r->n_shards];
        if (r->is_over) return SL_OK;
        if (r->is_pulling || (int64_t)(next->elements.n - next->first) >= r->limit) SL_TRY(wait_multi(r, k));
        else SL_TRY(pull_shard(r, k));
    }
}

static sl_code next_of_shard_run(struct sl_kernel_context *k) {
    struct multi_resource *r;
    struct shard_element e = {NULL, NULL};
    int64_t shard, incarnation;
    SL_TRY(multi_in(&r, k, 0));
    SL_TRY(sl_in_int(&shard, k, 1, "shard_num"));
    SL_TRY(sl_in_int(&incarnation, k, 2, "incarnation_id"));
    if (shard < 0 || shard >= r->n_shards)
        return sl_invalid(k, "Shard %" PRId64 " is not one of %" PRId64, shard, r->n_shards);
    struct sl_cancellation *c = k->env->cancellation;
    struct sl_cancellation_callback callback = {.fn = wake_multi, .arg = r};
    const bool listens = c && sl_cancellation_register(c, &callback);
    sl_mutex_lock(&r->mutex);
    sl_code code = r->walk ? take_shard(&e, r, k, shard, incarnation)
                           : sl_fail(k->err, SL_FAILED_PRECONDITION, "The iterator has not been initialized.");
    const int width = r->width;
    sl_mutex_unlock(&r->mutex);
    if (listens) sl_cancellation_unregister(c, &callback);
    if (code == SL_OK && e.failure) {
        if (k->err) *k->err = *e.failure;
        code = e.failure->code;
    } else if (code == SL_OK && !e.values) {
        code = sl_fail(k->err, SL_OUT_OF_RANGE, "End of sequence");
    }
    if (code == SL_OK) code = check_element(k->state, e.values, width, k->err);
    for (int i = 0; code == SL_OK && i < width; i++) *sl_out_value(k, i) = sl_value_move(&e.values[i]);
    shard_element_clear(&e, width);
    return code;
}

static sl_code delete_multi_run(struct sl_kernel_context *k) {
    struct multi_resource *r;
    SL_TRY(multi_in(&r, k, 0));
    sl_resources_remove_object(k->env->session_resources, &r->base.object, NULL); /* what nobody named is not there */
    return SL_OK;
}

/* ---- handles as strings */

static sl_code write_handle(struct sl_kernel_context *k, struct sl_object *o, struct sl_arena *arena) {
    struct sl_str bytes;
    struct sl_view out;
    struct sl_pb_ResourceHandleProto handle = {.device = sl_str_of(k->env->device ? k->env->device : ""),
                                               .maybe_type_name = sl_str_of(o->type->name)};
    SL_TRY(sl_resources_name_of(&handle.container, &handle.name, k->env->session_resources, o, arena, k->err));
    SL_TRY(sl_pb_encode(&bytes, SL_PB_TYPE_OF(ResourceHandleProto), &handle, 0, arena, k->err));
    SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
    return sl_string_set(out.data, bytes, k->err);
}

static sl_code to_string_run(struct sl_kernel_context *k) {
    struct sl_object *o;
    if (k->node->def->data) {
        struct multi_resource *r;
        SL_TRY(multi_in(&r, k, 0));
        o = &r->base.object;
    } else {
        struct resource *r;
        SL_TRY(iterator_in(&r, k, 0));
        o = &r->base.object;
    }
    struct sl_arena arena;
    sl_arena_init(&arena);
    sl_code code = write_handle(k, o, &arena);
    sl_arena_clear(&arena);
    return code;
}

static sl_code find_handle(struct sl_object **out, struct sl_kernel_context *k, struct sl_str text,
                           struct sl_arena *arena) {
    struct sl_pb_ResourceHandleProto handle = {.hash_code = 0};
    if (sl_pb_decode(&handle, SL_PB_TYPE_OF(ResourceHandleProto), text, arena, NULL) != SL_OK || !handle.name.n)
        return sl_invalid(k, "Could not parse string_handle into a valid ResourceHandle");
    return sl_resources_find(out, k->env->session_resources, handle.container,
                             k->node->def->data ? &multi_type : &resource_type, handle.name, k->err);
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
    code = check_declared(k->state,
                          k->node->def->data ? &((struct multi_resource *)found)->declared
                                             : &((struct resource *)found)->declared,
                          k->err);
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
    KERNEL("MultiDeviceIterator", NO_RULE, .create = multi_create, .destroy = maker_free, .run = multi_run)
    KERNEL("AnonymousMultiDeviceIterator", NO_RULE,
           .create = multi_create, .destroy = maker_free, .run = anonymous_multi_run, .data = "anonymous")
    KERNEL("AnonymousMultiDeviceIteratorV3", NO_RULE,
           .create = multi_create, .destroy = maker_free, .run = anonymous_multi_run, .data = "anonymous")
    KERNEL("MultiDeviceIteratorInit", NO_RULE, .run = multi_init_run)
    KERNEL("MultiDeviceIteratorGetNextFromShard", NO_RULE, .run = next_of_shard_run, DECLARED)
    KERNEL("MultiDeviceIteratorToStringHandle", NO_RULE, .run = to_string_run, .data = "multi")
    KERNEL("MultiDeviceIteratorFromStringHandle", NO_RULE, .run = from_string_run, DECLARED, .data = "multi")
    KERNEL("DeleteMultiDeviceIterator", NO_RULE, .run = delete_multi_run)
    SL_ROWS_END
};
/* clang-format on */
