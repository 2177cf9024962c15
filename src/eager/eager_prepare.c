/* Preparing kernels: attrs are bound, a device is chosen, a row of the kernel table is set up, or a function is found.
 * Done once for the same op, attrs and device; the context keeps what came of it (eager_kernels.h).
 *
 * A kernel may keep state. So what is kept under names of their own (queues, tables without shared_name, generators
 * of random numbers) lasts as long as the context remembers the kernel, and another context has its own. */
#include "eager/eager_prepare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/op_effects.h"
#include "ops/op_signature.h"
#include "ops/op_summary.h"
#include "proto/wire.h"
#include "runtime/instances.h"

/* ---- where */

/* A handle of a resource leads to where the resource is: the first one decides, whatever device was asked for. */
static struct sl_str name_of(const struct sl_device_set *devices, int device) {
    return device == 0 && devices->is_host_alone ? SL_STR("") : sl_str_of(devices->items[device].name);
}

static struct sl_str device_asked(const struct sl_eager_op *op) {
    const struct sl_device_set *devices = &op->context->runtime->devices;
    if (devices->n > 1 && !op->function)
        for (int i = 0; i < op->n_inputs; i++) {
            const struct sl_eager_handle *h = op->inputs[i];
            if (h->dtype == SL_RESOURCE) return name_of(devices, h->home < 0 ? 0 : h->home);
        }
    /* With the host's devices alone, where an op goes that asks for none is known. */
    if (devices->is_host_alone && !strcmp(op->device, devices->items[0].name)) return SL_STR("");
    return sl_str_of(op->device);
}

static bool has_kernel(const struct sl_runtime *r, const struct sl_device *d, const struct sl_op *op,
                       const struct sl_attrs *bound) {
    return sl_kernel_row(r->registries->kernels, op->name, d->type->name, bound) != NULL;
}

/* Of the devices that the spec matches and that have a kernel, the first of those with the highest priority; -1. */
static int choose(const struct sl_runtime *r, const struct sl_device_name *spec, const struct sl_op *op,
                  const struct sl_attrs *bound) {
    int best = -1;
    for (int i = 0; i < r->devices.n; i++) {
        const struct sl_device *d = &r->devices.items[i];
        if (!sl_device_matches(spec, &d->parsed)) continue;
        if (best >= 0 && d->type->priority <= r->devices.items[best].type->priority) continue;
        if (!op || has_kernel(r, d, op, bound)) best = i;
    }
    return best;
}

static sl_code fail_device(const struct sl_eager_key *key, const struct sl_runtime *r, struct sl_error *err) {
    sl_fail(err, SL_INVALID_ARGUMENT,
            "Could not satisfy device specification '%.*s'. enable_soft_placement=%d. Supported device types [",
            SL_STR_ARG(key->device), key->is_soft);
    const char *comma = "";
    for (int i = 0; err && i < r->devices.n; i++) {
        const struct sl_device_type *type = r->devices.items[i].type;
        if (i && type == r->devices.items[i - 1].type) continue;
        sl_error_append(err, "%s%s", comma, type->name);
        comma = ", ";
    }
    sl_error_append(err, "]. All available devices [");
    for (int i = 0; err && i < r->devices.n; i++) sl_error_append(err, "%s%s", i ? ", " : "", r->devices.items[i].name);
    return sl_error_append(err, "].");
}

static sl_code fail_kernel(const struct sl_runtime *r, const struct sl_op *op, const struct sl_attrs *bound,
                           struct sl_error *err) {
    const struct sl_kernel_def *def;
    struct sl_error rows;
    char text[SL_SUMMARY_MAX];
    sl_code code =
        sl_kernel_find(&def, r->registries->kernels, op->name, op->name, r->devices.items[0].type->name, bound, &rows);
    const char *list = code == SL_OK ? NULL : strstr(rows.message, "Registered kernels:\n");
    return sl_fail(err, SL_NOT_FOUND,
                   "Could not find device for node: {{node %.*s}} = %s\nAll kernels registered for op %.*s:\n%s",
                   SL_STR_ARG(op->name), sl_op_summary(text, op), SL_STR_ARG(op->name),
                   list ? list + strlen("Registered kernels:\n") : "  <no registered kernels>\n");
}

/* `op` NULL: a function, which runs where it is asked to. */
static sl_code find_device(int *out, const struct sl_runtime *r, const struct sl_eager_key *key, const struct sl_op *op,
                           const struct sl_attrs *bound, struct sl_error *err) {
    struct sl_device_name spec = SL_DEVICE_ANY;
    if (key->device.n) SL_TRY(sl_device_parse(&spec, key->device, err));
    *out = choose(r, &spec, op, bound);
    if (*out < 0 && key->is_soft) {
        spec.type[0] = 0;
        spec.id = -1;
        *out = choose(r, &spec, op, bound);
    }
    if (*out >= 0) return SL_OK;
    if (op && choose(r, &SL_DEVICE_ANY, op, bound) < 0) return fail_kernel(r, op, bound, err);
    return fail_device(key, r, err);
}

/* ---- ops */

static sl_code make_instance(struct sl_eager_kernel *k, struct sl_eager_context *c, const struct sl_attrs *bound,
                             struct sl_error *err) {
    char name[96] = "";
    struct sl_runtime *r = c->runtime;
    struct sl_device *device = &r->devices.items[k->device];
    if (sl_op_is_stateful(k->op))
        snprintf(name, sizeof name, "_%llu_%.*s", (unsigned long long)sl_eager_number(),
                 (int)(k->op->name.n < 64 ? k->op->name.n : 64), k->op->name.p);
    const struct sl_kernel_request request = {.op = k->op,
                                              .attrs = bound,
                                              .device = device->name,
                                              .device_type = device->type->name,
                                              .memory_device = device->memory ? device : NULL,
                                              .resource_name = sl_str_of(name),
                                              .graph_version = SL_GRAPH_DEF_VERSION,
                                              .functions = sl_runtime_calls(r, false)};
    SL_TRY(sl_kernel_prepare(&k->instance, r->registries->instances, &request, err));
    if (!k->instance->request.attrs) SL_TRY(sl_kernel_instance_remember(k->instance, &request, err)); /* for tapes */
    const struct sl_kernel_node *node = &k->instance->node;
    k->in_types = node->in_types;
    k->out_types = node->out_types;
    k->n_in = (int)node->n_in;
    k->n_out = (int)node->n_out;
    return SL_OK;
}

/* What a graph would be refused for before anything ran. */
static sl_code check_inputs(const struct sl_eager_op *op, const struct sl_attrs *bound, struct sl_arena *scratch,
                            struct sl_error *err) {
    struct sl_signature signature;
    SL_TRY(sl_op_signature(&signature, scratch, op->op, bound, err));
    return sl_signature_check(&signature, op->op, op->n_inputs, op->op->name, err);
}

/* Whether kernels of the op are told apart by the attr. */
static bool has_rule(struct sl_kernel_table *kernels, struct sl_str op, struct sl_str attr) {
    size_t at = 0;
    for (const struct sl_kernel_def *def; (def = sl_kernel_table_next(kernels, op, &at));)
        for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++)
            if (sl_str_is(attr, def->types[r].attr)) return true;
    return false;
}

static bool is_type_of_argument(const struct sl_op *op, int attr) {
    for (int i = 0; i < op->n_inputs; i++)
        if (op->inputs[i].type_attr == attr) return true;
    for (int o = 0; o < op->n_outputs; o++)
        if (op->outputs[o].type_attr == attr) return true;
    return false;
}

/* A type that kernels are told apart by, or that an argument has, must be there before a device can be chosen. Others
 * are missed when attrs are bound. */
static sl_code check_types(const struct sl_eager_op *op, struct sl_error *err) {
    const struct sl_op *o = op->op;
    struct sl_kernel_table *kernels = op->context->runtime->registries->kernels;
    for (int a = 0; a < o->n_attrs; a++) {
        if (o->attrs[a].kind != SL_ATTR_TYPE || o->attrs[a].is_list || o->attrs[a].default_value ||
            op->attrs.items[a].which)
            continue;
        if (has_rule(kernels, o->name, o->attrs[a].name))
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "OpKernel '%.*s' has constraint on attr '%.*s' not in NodeDef '{{node %.*s}}'",
                           SL_STR_ARG(o->name), SL_STR_ARG(o->attrs[a].name), SL_STR_ARG(o->name));
        if (is_type_of_argument(o, a))
            return sl_fail(err, SL_NOT_FOUND, "No attr named '%.*s' in NodeDef:", SL_STR_ARG(o->attrs[a].name));
    }
    return SL_OK;
}

/* What wraps an op has the attrs of its OpDef, and no others. */
static sl_code check_wrapped(const struct sl_eager_op *op, struct sl_error *err) {
    if (!op->attrs.others.n) return SL_OK;
    return sl_fail(err, SL_UNIMPLEMENTED, "EagerOperation: %.*s has a private attr '%.*s'.", SL_STR_ARG(op->op->name),
                   SL_STR_ARG(op->attrs.others.items[0].name));
}

/* What wraps an op does not know the defaults of its results' types (in TensorFlow too, whose Python sets them all). */
static sl_code check_wrapped_results(const struct sl_eager_op *op, struct sl_error *err) {
    const struct sl_op *o = op->op;
    for (int i = 0; i < o->n_outputs; i++) {
        const int a = o->outputs[i].type_attr;
        if (a >= 0 && !op->attrs.items[a].which)
            return sl_fail(err, SL_NOT_FOUND, "No attr named '%.*s' in NodeDef:", SL_STR_ARG(o->attrs[a].name));
    }
    return SL_OK;
}

/* ---- calls by an op: results that the function has not got are empty tensors, when the op is run by itself */

/* How many results the function that is called has; -1 when that is not known before it is instantiated. */
static int count_results(struct sl_eager_context *c, const struct sl_attrs *bound) {
    const struct sl_pb_NameAttrList *called;
    if (sl_attr_func(&called, bound, "f", NULL) != SL_OK) return -1;
    struct sl_function_def *f = sl_eager_find_function(c, called->name);
    int n = f ? f->op.n_outputs : -1;
    for (int o = 0; f && o < f->op.n_outputs; o++)
        if (f->op.outputs[o].number_attr >= 0 || f->op.outputs[o].type_list_attr >= 0) n = -1;
    if (f) sl_function_unref(f);
    return n;
}

static bool is_call(const struct sl_op *op) {
    return sl_str_is(op->name, "PartitionedCall") || sl_str_is(op->name, "StatefulPartitionedCall");
}

static sl_code check_config(const struct sl_attrs *bound, struct sl_arena *scratch, struct sl_error *err) {
    struct sl_pb_ConfigProto config;
    struct sl_str bytes = {NULL, 0};
    if (sl_attr_string(&bytes, bound, "config_proto", NULL) != SL_OK || !bytes.n) return SL_OK;
    if (sl_pb_decode(&config, SL_PB_TYPE(ConfigProto), bytes, scratch, NULL) == SL_OK) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "Unable to parse config_proto string as tensorflow::ConfigProto proto.");
}

/* With a `Tout` of those that there are; `*n_more` gets how many are missing. */
static sl_code shorten_results(struct sl_attrs *bound, int *n_more, struct sl_arena *scratch,
                               struct sl_eager_context *c, const struct sl_op *op, struct sl_error *err) {
    const int32_t *types;
    int n_types;
    *n_more = 0;
    if (!is_call(op)) return SL_OK;
    SL_TRY(check_config(bound, scratch, err));
    SL_TRY(sl_attr_type_list(&types, &n_types, bound, "Tout", err));
    const int n = count_results(c, bound), at = sl_op_attr_index(op, SL_STR("Tout"));
    if (n < 0 || n >= n_types) return SL_OK;
    struct sl_attr *items = SL_ARENA_ARRAY(scratch, struct sl_attr, (size_t)bound->n);
    struct sl_pb_AttrValue_ListValue list = *bound->items[at].value->list;
    if (!items) return sl_fail_memory(err, (size_t)bound->n * sizeof *items);
    memcpy(items, bound->items, (size_t)bound->n * sizeof *items);
    list.type.n = (size_t)n;
    items[at] = sl_attr_new_list(scratch, bound->items[at].name, &list);
    if (!items[at].value) return sl_fail_memory(err, sizeof list);
    bound->items = items;
    *n_more = n_types - n;
    return SL_OK;
}

/* Those that are missing, behind what the instance gives: `types` are of all. */
static sl_code add_results(struct sl_eager_kernel *k, const struct sl_attrs *asked, int n_more, struct sl_error *err) {
    const int32_t *types;
    int n;
    if (!n_more) return SL_OK;
    SL_TRY(sl_attr_type_list(&types, &n, asked, "Tout", err));
    k->own_types = sl_malloc((size_t)n);
    if (!k->own_types) return sl_fail_memory(err, (size_t)n);
    for (int o = 0; o < n; o++) k->own_types[o] = (uint8_t)types[o];
    k->out_types = k->own_types;
    k->n_out = n;
    return SL_OK;
}

static sl_code prepare_op(struct sl_eager_kernel *k, const struct sl_eager_op *op, const struct sl_eager_key *key,
                          struct sl_arena *scratch, struct sl_error *err) {
    struct sl_attrs bound;
    if (op->op->deprecated) SL_TRY(sl_op_check_version(op->op, SL_GRAPH_DEF_VERSION, err));
    SL_TRY(key->is_wrapped ? check_wrapped(op, err) : check_types(op, err));
    SL_TRY(sl_eager_op_bind(&bound, scratch, op, err));
    if (key->is_wrapped) SL_TRY(check_wrapped_results(op, err));
    SL_TRY(find_device(&k->device, op->context->runtime, key, op->op, &bound, err));
    SL_TRY(check_inputs(op, &bound, scratch, err));
    const struct sl_attrs asked = bound;
    int n_more;
    SL_TRY(shorten_results(&bound, &n_more, scratch, op->context, op->op, err));
    SL_TRY(make_instance(k, op->context, &bound, err));
    return add_results(k, &asked, n_more, err);
}

/* ---- functions */

static bool is_instance_option(struct sl_str name) {
    return sl_str_is(name, "executor_type") || sl_str_is(name, "config_proto") ||
           (name.n && name.p[0] == '_' && !sl_str_is(name, "_Tout"));
}

/* "", "DEFAULT" and "SINGLE_THREADED_EXECUTOR" are known, and mean the same here: a program decides for itself. */
static sl_code check_executor_type(const struct sl_attrs *given, struct sl_error *err) {
    const struct sl_pb_AttrValue *v = sl_attr_find(given, SL_STR("executor_type"));
    if (!v || v->which != SL_PB_AttrValue_s || !v->s.n || sl_str_is(v->s, "DEFAULT") ||
        sl_str_is(v->s, "SINGLE_THREADED_EXECUTOR"))
        return SL_OK;
    return sl_fail(err, SL_NOT_FOUND, "No executor factory registered for the given executor type: %.*s",
                   SL_STR_ARG(v->s));
}

/* A call's ConfigProto: what counts of it here is soft placement. */
static sl_code read_config(bool *is_soft, const struct sl_attrs *given, struct sl_arena *scratch,
                           struct sl_error *err) {
    struct sl_pb_ConfigProto config;
    const struct sl_pb_AttrValue *v = sl_attr_find(given, SL_STR("config_proto"));
    *is_soft = false;
    if (!v || v->which != SL_PB_AttrValue_s) return SL_OK;
    if (sl_pb_decode(&config, SL_PB_TYPE(ConfigProto), v->s, scratch, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "Failed to parse config_proto attribute as tensorflow::ConfigProto "
                       "proto.");
    *is_soft = config.allow_soft_placement;
    return SL_OK;
}

static sl_code prepare_function(struct sl_eager_kernel *k, const struct sl_eager_op *op, const struct sl_eager_key *key,
                                struct sl_arena *scratch, struct sl_error *err) {
    struct sl_runtime *r = op->context->runtime;
    struct sl_attrs given, bound;
    SL_TRY(sl_eager_attrs_given(&given, scratch, &op->attrs, err));
    bool is_soft;
    SL_TRY(check_executor_type(&given, err));
    SL_TRY(read_config(&is_soft, &given, scratch, err));
    struct sl_attr *items = SL_ARENA_ARRAY(scratch, struct sl_attr, (size_t)given.n + 1);
    if (!items) return sl_fail_memory(err, sizeof *items);
    int n = 0;
    for (int i = 0; i < given.n; i++)
        if (!is_instance_option(given.items[i].name)) items[n++] = given.items[i];
    bound = (struct sl_attrs){items, n};
    for (int a = 0; a < op->op->n_attrs; a++)
        if (!sl_attr_find(&bound, op->op->attrs[a].name) && !op->op->attrs[a].default_value)
            return sl_fail(err, SL_NOT_FOUND, "No attr named '%.*s' in NodeDef:", SL_STR_ARG(op->op->attrs[a].name));
    SL_TRY(find_device(&k->device, r, key, NULL, NULL, err));
    SL_TRY(sl_instance_find_placed(&k->function, r, op->op->name, &bound, sl_str_of(r->devices.items[k->device].name),
                                   is_soft, err));
    sl_instance_signature(k->function, &k->n_in, &k->in_types, &k->n_out, &k->out_types);
    k->def = op->function;
    atomic_fetch_add_explicit(&k->def->refs, 1, memory_order_relaxed);
    return SL_OK;
}

/* ---- */

static sl_code keep_key(struct sl_eager_kernel *k, const struct sl_eager_key *key, struct sl_error *err) {
    k->op = key->op;
    k->is_soft = key->is_soft;
    k->is_wrapped = key->is_wrapped;
    k->hash = key->hash;
    for (int a = 0; a < k->op->n_attrs; a++) k->has_functions |= k->op->attrs[a].kind == SL_ATTR_FUNC;
    SL_TRY(sl_eager_attrs_copy(&k->attrs, key->attrs, err));
    k->device_asked = sl_arena_str(&k->attrs.arena, key->device);
    return k->device_asked.p ? SL_OK : sl_fail_memory(err, key->device.n);
}

static sl_code make(struct sl_eager_kernel **out, struct sl_eager_op *op, const struct sl_eager_key *key,
                    struct sl_error *err) {
    struct sl_eager_kernel *k = sl_calloc(1, sizeof *k);
    struct sl_arena scratch;
    if (!k) return sl_fail_memory(err, sizeof *k);
    atomic_init(&k->refs, 1);
    sl_arena_init(&k->attrs.arena);
    sl_arena_init(&scratch);
    sl_code code = keep_key(k, key, err);
    if (code == SL_OK)
        code = op->function ? prepare_function(k, op, key, &scratch, err) : prepare_op(k, op, key, &scratch, err);
    sl_arena_clear(&scratch);
    if (code == SL_OK) *out = sl_eager_kernels_add(&op->context->kernels, k);
    sl_eager_kernel_unref(k);
    return code;
}

sl_code sl_eager_prepare(struct sl_eager_kernel **out, struct sl_eager_op *op, struct sl_error *err) {
    struct sl_eager_key key = {.op = op->op,
                               .attrs = &op->attrs,
                               .device = device_asked(op),
                               .is_soft = atomic_load_explicit(&op->context->is_soft_placement, memory_order_relaxed),
                               .is_wrapped = !op->function &&
                                             atomic_load_explicit(&op->context->wraps_ops, memory_order_relaxed)};
    key.hash = sl_eager_key_hash(&key);
    *out = sl_eager_kernels_find(&op->context->kernels, &key);
    return *out ? SL_OK : make(out, op, &key, err);
}
