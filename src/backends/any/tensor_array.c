/* TensorArrays: what an element may go through (nothing, written, read, cleared) and the messages when it may not.
 * Called by tensorarray_any.c. * The shape of an element outlives its value, as gradients of elements that were
 * cleared are asked for by shape. Shapes are kept in the array's arena, one record for neighbours of equal shape.
 *
 * Elements are kept in stretches, which have memory from the first touch on: an array costs what was written to it, not
 * what it was made for. */
#include "backends/any/tensor_array.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/slices.h"
#include "kernel/variant.h"
#include "os/mutex.h"

struct element {
    struct sl_value value;
    const struct sl_shape *shape; /* NULL: never written */
    bool is_written, is_read, is_cleared;
};

/* STRETCH elements that are neighbours, of which the first `n` have memory. */
enum { STRETCH = 256 };
struct stretch {
    struct element *elements;
    int64_t n;
};

struct gradient {
    struct gradient *next;
    struct sl_array_resource *array; /* a reference */
    struct sl_str source;
};

struct sl_array_resource {
    struct sl_object object;
    uint8_t dtype;
    bool is_gradient, clear_after_read, identical_shapes;
    char *name;
    struct sl_mutex mutex; /* guards what follows */
    bool is_dynamic, is_closed;
    int64_t size;
    size_t n_stretches;
    struct stretch *stretches;
    struct sl_shape element_shape;
    const struct sl_shape *last_shape; /* the record that was made last */
    struct sl_arena arena;             /* shapes, names, gradients' list */
    struct gradient *gradients;
};

static void drop_values(struct sl_array_resource *a) {
    for (size_t s = 0; s < a->n_stretches; s++)
        for (int64_t i = 0; i < a->stretches[s].n; i++) sl_value_clear(&a->stretches[s].elements[i].value);
}

static void array_free(struct sl_object *object) {
    struct sl_array_resource *a = (struct sl_array_resource *)object;
    drop_values(a);
    for (struct gradient *g = a->gradients; g; g = g->next) sl_object_unref(&g->array->object);
    for (size_t s = 0; s < a->n_stretches; s++) sl_free(a->stretches[s].elements);
    sl_free(a->stretches);
    sl_arena_clear(&a->arena);
    sl_mutex_clear(&a->mutex);
    sl_free(a);
}

const struct sl_object_type sl_array_resource_type = {.name = "tensorflow::TensorArray",
                                                      .free = array_free,
                                                      .is_per_step = true};

const char *sl_array_resource_name(const struct sl_array_resource *a) { return a->name; }
int sl_array_resource_dtype(const struct sl_array_resource *a) { return a->dtype; }

/* ---- making */

static sl_code resize(struct sl_array_resource *a, int64_t size, struct sl_error *err) {
    if (size <= a->size) return SL_OK;
    const size_t need = ((size_t)size - 1) / STRETCH + 1;
    if (need > a->n_stretches) {
        const size_t n = a->n_stretches * 2 > need ? a->n_stretches * 2 : need;
        struct stretch *more = sl_calloc(n, sizeof *more);
        if (!more) return sl_fail_memory(err, n * sizeof *more);
        if (a->n_stretches) memcpy(more, a->stretches, a->n_stretches * sizeof *more);
        sl_free(a->stretches);
        a->stretches = more;
        a->n_stretches = n;
    }
    a->size = size;
    return SL_OK;
}

/* Element `i`, below the size; NULL: nobody has touched it. */
static struct element *find_element(const struct sl_array_resource *a, int64_t i) {
    const struct stretch *s = &a->stretches[i / STRETCH];
    return i % STRETCH < s->n ? &s->elements[i % STRETCH] : NULL;
}

/* The same with memory, valid until another one is touched. */
static sl_code touch_element(struct element **out, struct sl_array_resource *a, int64_t i, struct sl_error *err) {
    struct stretch *s = &a->stretches[i / STRETCH];
    if (i % STRETCH >= s->n) {
        const int64_t left = a->size - i / STRETCH * STRETCH;
        int64_t n = left < STRETCH ? left : STRETCH;
        if (n < 2 * s->n) n = 2 * s->n < STRETCH ? 2 * s->n : STRETCH;
        struct element *elements = sl_calloc((size_t)n, sizeof *elements);
        if (!elements) return sl_fail_memory(err, (size_t)n * sizeof *elements);
        if (s->n) memcpy(elements, s->elements, (size_t)s->n * sizeof *elements);
        sl_free(s->elements);
        *s = (struct stretch){elements, n};
    }
    *out = &s->elements[i % STRETCH];
    return SL_OK;
}

sl_code sl_array_resource_new(struct sl_array_resource **out, const struct sl_array_resource_options *options,
                              struct sl_error *err) {
    struct sl_array_resource *a = sl_calloc(1, sizeof *a);
    if (!a) return sl_fail_memory(err, sizeof *a);
    sl_object_init(&a->object, &sl_array_resource_type);
    sl_mutex_init(&a->mutex);
    sl_arena_init(&a->arena);
    a->dtype = (uint8_t)options->dtype;
    a->is_dynamic = options->is_dynamic;
    a->clear_after_read = options->clear_after_read;
    a->identical_shapes = options->identical_shapes;
    a->name = (char *)sl_arena_str(&a->arena, options->name).p;
    a->element_shape = sl_shape_copy(&a->arena, options->element_shape);
    sl_code code =
        a->name && a->element_shape.rank >= -1 ? resize(a, options->size, err) : sl_fail_memory(err, options->name.n);
    if (code == SL_OK) *out = a;
    else sl_object_unref(&a->object);
    return code;
}

/* ---- shapes */

static sl_code keep_shape(const struct sl_shape **out, struct sl_array_resource *a, struct sl_shape shape,
                          struct sl_error *err) {
    if (!a->last_shape || !sl_shape_equal(*a->last_shape, shape)) {
        struct sl_shape *kept = SL_ARENA_NEW(&a->arena, struct sl_shape);
        if (kept) *kept = sl_shape_copy(&a->arena, shape);
        if (!kept || kept->rank < -1) return sl_fail_memory(err, sizeof *kept);
        a->last_shape = kept;
    }
    *out = a->last_shape;
    return SL_OK;
}

static struct sl_shape join(int64_t dims[2 * SL_MAX_RANK], struct sl_shape a, struct sl_shape b) {
    if (a.rank < 0 || b.rank < 0) return SL_SHAPE_UNKNOWN;
    for (int d = 0; d < a.rank; d++) dims[d] = a.dims[d];
    for (int d = 0; d < b.rank; d++) dims[a.rank + d] = b.dims[d];
    return (struct sl_shape){a.rank + b.rank, dims};
}

/* ---- gradients */

/* Elements of `g` get the shapes that those of `a` have, with `prepend` before them. With the lock of `a` held. */
static sl_code copy_shapes(struct sl_array_resource *g, const struct sl_array_resource *a, struct sl_shape prepend,
                           struct sl_error *err) {
    int64_t dims[2 * SL_MAX_RANK];
    struct element *copy;
    for (int64_t i = 0; i < a->size; i++) {
        const struct element *e = find_element(a, i);
        if (!e && i % STRETCH == 0 && !a->stretches[i / STRETCH].n) i += STRETCH - 1; /* none of the stretch */
        if (!e || !e->shape) continue;
        struct sl_shape shape = join(dims, prepend, *e->shape);
        if (shape.rank > SL_MAX_RANK) return sl_fail(err, SL_INVALID_ARGUMENT, "Shape has too many dimensions");
        SL_TRY(touch_element(&copy, g, i, err));
        SL_TRY(keep_shape(&copy->shape, g, shape, err));
    }
    return SL_OK;
}

static sl_code make_gradient(struct gradient *entry, struct sl_array_resource *a, struct sl_str source,
                             struct sl_shape prepend, struct sl_error *err) {
    int64_t dims[2 * SL_MAX_RANK];
    char *name = sl_arena_format(&a->arena, "%s@%.*s", a->name, SL_STR_ARG(source));
    entry->source = sl_arena_str(&a->arena, source);
    if (!name || !entry->source.p) return sl_fail_memory(err, source.n);
    struct sl_array_resource_options options = {.name = sl_str_of(name),
                                                .dtype = a->dtype,
                                                .element_shape = join(dims, prepend, a->element_shape),
                                                .size = a->size,
                                                .clear_after_read = !a->is_gradient, /* one read for each write */
                                                .identical_shapes = a->identical_shapes};
    if (options.element_shape.rank > SL_MAX_RANK) options.element_shape = SL_SHAPE_UNKNOWN;
    struct sl_array_resource *g;
    SL_TRY(sl_array_resource_new(&g, &options, err));
    g->is_gradient = true;
    sl_code code = copy_shapes(g, a, prepend, err);
    if (code == SL_OK) entry->array = g;
    else sl_object_unref(&g->object);
    return code;
}

static sl_code check_open(const struct sl_array_resource *a, struct sl_error *err) {
    return a->is_closed ? sl_fail(err, SL_INVALID_ARGUMENT, "TensorArray %s has already been closed.", a->name) : SL_OK;
}

sl_code sl_array_resource_gradient(struct sl_array_resource **out, struct sl_array_resource *a, struct sl_str source,
                                   struct sl_shape prepend, struct sl_error *err) {
    sl_mutex_lock(&a->mutex);
    sl_code code = check_open(a, err);
    struct gradient *g = a->gradients;
    while (g && !sl_str_eq(g->source, source)) g = g->next;
    if (code == SL_OK && !g) {
        g = SL_ARENA_NEW(&a->arena, struct gradient);
        code = g ? make_gradient(g, a, source, prepend, err) : sl_fail_memory(err, sizeof *g);
        if (code == SL_OK) {
            g->next = a->gradients;
            a->gradients = g;
        }
    }
    if (code == SL_OK) {
        a->is_dynamic = false;
        sl_object_ref(&g->array->object);
        *out = g->array;
    }
    sl_mutex_unlock(&a->mutex);
    return code;
}

/* ---- size */

sl_code sl_array_resource_size(int64_t *size, struct sl_array_resource *a, struct sl_error *err) {
    sl_mutex_lock(&a->mutex);
    sl_code code = check_open(a, err);
    *size = a->size;
    sl_mutex_unlock(&a->mutex);
    return code;
}

sl_code sl_array_resource_grow(int64_t *now, bool *is_dynamic, struct sl_array_resource *a, int64_t size,
                               struct sl_error *err) {
    sl_mutex_lock(&a->mutex);
    sl_code code = check_open(a, err);
    if (code == SL_OK && a->is_dynamic) code = resize(a, size, err);
    *now = a->size;
    *is_dynamic = a->is_dynamic;
    sl_mutex_unlock(&a->mutex);
    return code;
}

void sl_array_resource_close(struct sl_array_resource *a) {
    sl_mutex_lock(&a->mutex);
    a->is_closed = true;
    drop_values(a);
    sl_mutex_unlock(&a->mutex);
}

/* ---- writing */

static sl_code refuse_write(const struct sl_array_resource *a, int32_t index, const char *why, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "TensorArray %s: Could not write to TensorArray index %" PRId32 " because it has already been %s.",
                   a->name, index, why);
}

static sl_code check_shape(struct sl_array_resource *a, const struct element *e, int32_t index, struct sl_shape shape,
                           struct sl_error *err) {
    char is[SL_SHAPE_TEXT], should_be[SL_SHAPE_TEXT];
    if (!sl_shape_is_compatible(a->element_shape, shape))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "TensorArray %s: Could not write to TensorArray index %" PRId32
                       " because the value shape is %s which is incompatible with the TensorArray's inferred element "
                       "shape: %s (consider setting infer_shape=False).",
                       a->name, index, sl_shape_text(is, shape), sl_shape_text(should_be, a->element_shape));
    if (a->is_gradient && e->shape && !sl_shape_equal(*e->shape, shape))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "TensorArray %s: Could not aggregate to TensorArray index %" PRId32
                       " because the existing shape is %s but the new input shape is %s.",
                       a->name, index, sl_shape_text(should_be, *e->shape), sl_shape_text(is, shape));
    return SL_OK;
}

static sl_code write_locked(struct sl_array_resource *a, int32_t index, struct sl_value *value, struct sl_error *err) {
    struct sl_shape shape = sl_view_shape(sl_value_view(value));
    if (index < 0 || (index >= a->size && !a->is_dynamic))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "TensorArray %s: Tried to write to index %" PRId32
                       " but array is not resizeable and size is: %" PRId64,
                       a->name, index, a->size);
    if (index >= a->size) SL_TRY(resize(a, (int64_t)index + 1, err));
    struct element *e;
    SL_TRY(touch_element(&e, a, index, err));
    SL_TRY(check_shape(a, e, index, shape, err));
    if (e->is_read) return refuse_write(a, index, "read", err);
    if (e->is_written) {
        if (!a->is_gradient) return refuse_write(a, index, "written to", err);
        return sl_value_add_to(&e->value, value, err);
    }
    SL_TRY(keep_shape(&e->shape, a, shape, err));
    if (a->identical_shapes && !sl_shape_is_known(a->element_shape)) a->element_shape = *e->shape;
    e->value = sl_value_move(value);
    e->is_written = true;
    return SL_OK;
}

sl_code sl_array_resource_write(struct sl_array_resource *a, const int32_t *indices, struct sl_value *values, int64_t n,
                                struct sl_error *err) {
    sl_mutex_lock(&a->mutex);
    sl_code code = check_open(a, err);
    for (int64_t i = 0; i < n && code == SL_OK; i++)
        code = write_locked(a, indices ? indices[i] : (int32_t)i, &values[i], err);
    sl_mutex_unlock(&a->mutex);
    for (int64_t i = 0; i < n; i++) sl_value_clear(&values[i]);
    return code;
}

/* ---- reading */

/* What was never written reads as zeros when its shape is known. */
static sl_code fill_with_zeros(struct sl_array_resource *a, struct element *e, int32_t index, struct sl_error *err) {
    struct sl_shape shape = e->shape ? *e->shape : a->element_shape;
    if (!sl_shape_is_known(shape)) {
        char text[SL_SHAPE_TEXT];
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "TensorArray %s: Could not read from TensorArray index %" PRId32
                       ".  Furthermore, the element shape is not fully defined: %s.  It is possible you are working "
                       "with a resizeable TensorArray and stop_gradients is not allowing the gradients to be written. "
                       " If you set the full element_shape property on the forward TensorArray, the proper all-zeros "
                       "tensor will be returned instead of incurring this error.",
                       a->name, index, sl_shape_text(text, shape));
    }
    SL_TRY(keep_shape(&e->shape, a, shape, err));
    return sl_value_zero(&e->value, a->dtype, shape, err);
}

static sl_code read_locked(struct sl_value *out, struct sl_array_resource *a, int32_t index, struct sl_error *err) {
    if (index < 0 || index >= a->size)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Tried to read from index %" PRId32 " but array size is: %" PRId64,
                       index, a->size);
    struct element *e;
    SL_TRY(touch_element(&e, a, index, err));
    if (e->is_cleared)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "TensorArray %s: Could not read index %" PRId32
                       " twice because it was cleared after a previous read (perhaps try setting clear_after_read = "
                       "false?).",
                       a->name, index);
    if (e->value.kind == SL_VALUE_NONE) SL_TRY(fill_with_zeros(a, e, index, err));
    e->is_read = true;
    e->is_cleared = a->clear_after_read;
    *out = e->is_cleared ? sl_value_move(&e->value) : sl_value_share(&e->value);
    return SL_OK;
}

sl_code sl_array_resource_read(struct sl_value *values, struct sl_array_resource *a, const int32_t *indices,
                               int64_t first, int64_t n, struct sl_error *err) {
    sl_mutex_lock(&a->mutex);
    sl_code code = check_open(a, err);
    int64_t i = 0;
    for (; i < n && code == SL_OK; i++)
        code = read_locked(&values[i], a, indices ? indices[i] : (int32_t)(first + i), err);
    sl_mutex_unlock(&a->mutex);
    if (code != SL_OK)
        for (i--; i > 0; i--) sl_value_clear(&values[i - 1]);
    return code;
}
