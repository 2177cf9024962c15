/* Custom devices, packs, and what ops do with their values. */
#include "eager/eager_opaque.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

sl_code sl_eager_opaque_handle(struct sl_eager_handle **out, struct sl_eager_context *context,
                               struct sl_eager_opaque *value, int dtype, struct sl_error *err) {
    struct sl_eager_handle *h =
        sl_eager_handle_new(context, (struct sl_value){.kind = SL_VALUE_NONE, .dtype = (uint8_t)dtype}, -1);
    if (!h) {
        value->methods->free(value);
        return sl_fail_memory(err, sizeof *h);
    }
    h->opaque = value;
    atomic_store(&context->has_opaque, true);
    *out = h;
    return SL_OK;
}

/* ---- custom devices */

static bool is_full(const struct sl_device_name *name) {
    return name->job[0] && name->type[0] && name->replica >= 0 && name->task >= 0 && name->id >= 0;
}

/* With the context's mutex held. */
static sl_code check_name(const struct sl_eager_context *c, const struct sl_eager_custom_device *d,
                          struct sl_error *err) {
    bool is_taken = sl_device_find(&c->runtime->devices, sl_str_of(d->name)) >= 0;
    for (const struct sl_eager_custom_device *o = atomic_load(&c->customs); o; o = o->next)
        is_taken = is_taken || !strcmp(o->name, d->name);
    return is_taken ? sl_fail(err, SL_ALREADY_EXISTS, "%s already registered.", d->name) : SL_OK;
}

sl_code sl_eager_add_custom(struct sl_eager_context *c, struct sl_eager_custom_device *d, struct sl_str name,
                            struct sl_error *err) {
    if (sl_device_parse(&d->parsed, name, NULL) != SL_OK || !is_full(&d->parsed))
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "%.*s could not be parsed as a device name. Use the full /job:<name>/replica:<replica>/"
                       "task:<task>/device:<type>:<device_num> format.",
                       SL_STR_ARG(name));
    sl_device_print(d->name, &d->parsed);
    sl_mutex_lock(&c->mutex);
    sl_code code = check_name(c, d, err);
    if (code == SL_OK) {
        d->next = atomic_load(&c->customs);
        atomic_store(&c->customs, d);
        atomic_store(&c->has_opaque, true);
    }
    sl_mutex_unlock(&c->mutex);
    return code;
}

/* What may be a device of this task is none of another one; of those, the first that was added counts. */
struct sl_eager_custom_device *sl_eager_find_custom(struct sl_eager_context *c, struct sl_str name) {
    struct sl_device_name spec;
    struct sl_eager_custom_device *d = atomic_load_explicit(&c->customs, memory_order_acquire), *far = NULL;
    if (!d || sl_device_parse(&spec, name, NULL) != SL_OK) return NULL;
    for (; d; d = d->next) {
        if (!sl_device_matches(&spec, &d->parsed)) continue;
        if (d->is_far) far = d;
        else if (spec.type[0]) return d;
    }
    return far && sl_device_first(&c->runtime->devices, &spec) < 0 ? far : NULL;
}

void sl_eager_free_customs(struct sl_eager_context *c) {
    for (struct sl_eager_custom_device *d = atomic_load(&c->customs), *next; d; d = next) {
        next = d->next;
        d->methods->free(d);
    }
}

/* A value is on the custom device whose name it borrowed. */
struct sl_eager_custom_device *sl_eager_custom_of(const struct sl_eager_handle *h) {
    struct sl_eager_custom_device *d =
        h->opaque ? atomic_load_explicit(&h->context->customs, memory_order_acquire) : NULL;
    while (d && &d->parsed != h->opaque->place) d = d->next;
    return d;
}

/* ---- packs */

struct pack {
    struct sl_eager_opaque base;
    struct sl_device_name parsed;
    char name[SL_DEVICE_TEXT];
    int n;
    struct sl_eager_handle *parts[];
};

static void pack_free(struct sl_eager_opaque *v) {
    struct pack *p = (struct pack *)v;
    for (int i = 0; i < p->n; i++) sl_eager_handle_unref(p->parts[i]);
    sl_free(p);
}

static sl_code pack_rank(int *out, struct sl_eager_opaque *v, struct sl_error *err) {
    return sl_eager_handle_rank(out, ((struct pack *)v)->parts[0], err);
}

static sl_code pack_dim(int64_t *out, struct sl_eager_opaque *v, int i, struct sl_error *err) {
    return sl_eager_handle_dim(out, ((struct pack *)v)->parts[0], i, err);
}

static sl_code pack_copy_out(struct sl_eager_handle **out, struct sl_eager_handle *h, const char *device,
                             struct sl_error *err) {
    (void)out, (void)device;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Resolve() is not supported on packed tensor handles: %s stands for tensors on several devices",
                   h->opaque->device);
}

static sl_code pack_pointer(void **out, struct sl_eager_opaque *v, struct sl_error *err) {
    (void)out;
    return sl_fail(err, SL_INVALID_ARGUMENT, "TFE_TensorHandleDevicePointer may not be called on a packed handle: %s",
                   v->device);
}

static const struct sl_eager_opaque_methods pack_methods = {pack_rank, pack_dim, pack_copy_out, pack_pointer,
                                                            pack_free};

static bool is_pack(const struct sl_eager_handle *h) { return h->opaque && h->opaque->methods == &pack_methods; }

static const char *device_name_of(const struct sl_eager_context *c, const struct sl_eager_handle *h) {
    if (h->opaque) return h->opaque->device;
    const struct sl_device *devices = c->runtime->devices.items;
    return devices[h->device < 0 ? 0 : h->device].name;
}

/* COMPOSITE:k: the same devices in the same order have the same number. */
static sl_code number_of(int *k, struct sl_eager_context *c, struct sl_eager_handle *const *parts, int n,
                         struct sl_error *err) {
    char *names = sl_malloc((size_t)n * SL_DEVICE_TEXT);
    size_t length = 0;
    sl_code code = SL_OK;
    if (!names) return sl_fail_memory(err, (size_t)n * SL_DEVICE_TEXT);
    for (int i = 0; i < n; i++) {
        const char *name = device_name_of(c, parts[i]);
        length += (size_t)snprintf(names + length, SL_DEVICE_TEXT, "%s,", name);
    }
    sl_mutex_lock(&c->mutex);
    for (*k = 0; (size_t)*k < c->composites.n && strcmp(c->composites.items[*k], names) != 0;) ++*k;
    if ((size_t)*k == c->composites.n) {
        if (sl_vec_push(&c->composites, names)) code = sl_fail_memory(err, length);
        else names = NULL;
    }
    sl_mutex_unlock(&c->mutex);
    sl_free(names);
    return code;
}

static sl_code make_pack(struct sl_eager_handle **out, struct sl_eager_context *c, struct sl_eager_handle *const *parts,
                         int n, struct sl_error *err) {
    int k = 0;
    SL_TRY(number_of(&k, c, parts, n, err));
    struct pack *p = sl_malloc(sizeof *p + (size_t)n * sizeof *p->parts);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->parsed = c->runtime->devices.items[0].parsed;
    memcpy(p->parsed.type, "COMPOSITE", sizeof "COMPOSITE");
    p->parsed.id = k;
    p->base = (struct sl_eager_opaque){&pack_methods, &p->parsed, sl_device_print(p->name, &p->parsed)};
    p->n = n;
    for (int i = 0; i < n; i++) p->parts[i] = sl_eager_handle_ref(parts[i]);
    return sl_eager_opaque_handle(out, c, &p->base, parts[0]->dtype, err);
}

sl_code sl_eager_pack(struct sl_eager_handle **out, struct sl_eager_context *c, struct sl_eager_handle *const *parts,
                      int n, struct sl_error *err) {
    if (n <= 0) return sl_fail(err, SL_INVALID_ARGUMENT, "Handles should not be empty.");
    struct sl_eager_custom_device *custom = sl_eager_custom_of(parts[0]);
    if (custom) return custom->methods->pack(out, custom, c, parts, n, err);
    for (int i = 0; i < n; i++) {
        if (parts[i]->opaque)
            return sl_fail(err, SL_INVALID_ARGUMENT, "handle %d of those to be packed lies on %s, which cannot be", i,
                           parts[i]->opaque->device);
        if (parts[i]->dtype != parts[0]->dtype)
            return sl_fail(err, SL_INVALID_ARGUMENT, "handles to be packed are of types %s and %s",
                           sl_dtype_name(parts[0]->dtype), sl_dtype_name(parts[i]->dtype));
    }
    return make_pack(out, c, parts, n, err);
}

/* ---- whose an op is */

/* The custom device of the inputs, of which there may be one. */
static sl_code device_of_inputs(struct sl_eager_custom_device **out, const struct sl_eager_op *op,
                                struct sl_error *err) {
    *out = NULL;
    for (int i = 0; i < op->n_inputs; i++) {
        struct sl_eager_custom_device *d = op->inputs[i]->opaque ? sl_eager_custom_of(op->inputs[i]) : NULL;
        if (d && d->is_far) continue;
        if (*out && d && d != *out)
            return sl_fail(
                err, SL_INVALID_ARGUMENT,
                "If an operation has one of its inputs in a custom device, then all inputs should be on that "
                "same custom device or another physical device. Operation %.*s has an input on custom "
                "device %s and one on custom device %s",
                SL_STR_ARG(op->op->name), (*out)->name, d->name);
        if (d) *out = d;
    }
    return SL_OK;
}

static const struct sl_eager_handle *first_resource(const struct sl_eager_op *op) {
    for (int i = 0; i < op->n_inputs; i++)
        if (op->inputs[i]->dtype == SL_RESOURCE) return op->inputs[i];
    return NULL;
}

/* Who runs it; NULL: a device of the context. A device with inputs there may decide; then a resource does, then who
 * asked, then the inputs. */
static sl_code find_runner(struct sl_eager_custom_device **out, struct sl_eager_op *op, struct sl_error *err) {
    struct sl_eager_custom_device *of_inputs, *asked = NULL;
    SL_TRY(device_of_inputs(&of_inputs, op, err));
    if (*op->device) asked = sl_eager_find_custom(op->context, sl_str_of(op->device));
    *out = NULL;
    if (!of_inputs && !asked && !op->context->cluster) return SL_OK;
    if (of_inputs && of_inputs->can_pin) {
        bool pins = false;
        SL_TRY(of_inputs->methods->pins(&pins, of_inputs, op, err));
        *out = pins ? of_inputs : NULL;
        return SL_OK;
    }
    const struct sl_eager_handle *resource = op->context->cluster && op->function ? NULL : first_resource(op);
    if (resource) *out = sl_eager_custom_of(resource);
    else *out = *op->device ? asked : of_inputs;
    return SL_OK;
}

/* ---- inputs of ops that a device of the context runs */

static sl_code stack_parts(struct sl_eager_handle **out, const struct sl_eager_op *op, const struct pack *p,
                           struct sl_error *err) {
    struct sl_eager_op *stack;
    int n = 1;
    SL_TRY(sl_eager_op_new(&stack, op->context, SL_STR("Pack"), err));
    sl_code code = sl_eager_op_set_device(stack, sl_str_of(op->device), err);
    if (code == SL_OK) code = sl_eager_op_add_list(stack, p->parts, p->n, err);
    if (code == SL_OK) code = sl_eager_execute(out, &n, stack, err);
    sl_eager_op_free(stack);
    return code;
}

static sl_code make_plain(struct sl_eager_handle **input, const struct sl_eager_op *op, struct sl_error *err) {
    struct sl_eager_handle *plain, *h = *input;
    if (!is_pack(h)) {
        const char *to = *op->device ? op->device : op->context->runtime->devices.items[0].name;
        SL_TRY(h->opaque->methods->copy_out(&plain, h, to, err));
        sl_eager_handle_set_same(plain, h);
    } else if (op->function)
        return sl_fail(err, SL_UNIMPLEMENTED, "calling %.*s with a packed handle: functions do not take them apart",
                       SL_STR_ARG(op->op->name));
    else SL_TRY(stack_parts(&plain, op, (const struct pack *)h->opaque, err));
    *input = plain;
    sl_eager_handle_unref(h);
    return SL_OK;
}

sl_code sl_eager_execute_opaque(bool *is_done, struct sl_eager_handle **outputs, int *n, struct sl_eager_op *op,
                                struct sl_error *err) {
    struct sl_eager_custom_device *runner;
    *is_done = false;
    SL_TRY(find_runner(&runner, op, err));
    if (runner) {
        *is_done = true;
        sl_code code = runner->methods->execute(outputs, n, runner, op, err);
        sl_eager_op_drop_inputs(op);
        return code;
    }
    if (op->function && op->context->cluster) {
        sl_code code = op->context->cluster->methods->call(is_done, outputs, n, op->context->cluster, op, err);
        if (*is_done) sl_eager_op_drop_inputs(op);
        if (*is_done || code != SL_OK) return code;
    }
    for (int i = 0; i < op->n_inputs; i++)
        if (op->inputs[i]->opaque) SL_TRY(make_plain(&op->inputs[i], op, err));
    return SL_OK;
}
