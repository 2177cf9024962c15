/* Making instances, and deciding which requests share one. The only caller of the `create` and `destroy` of rows.
 *
 * An instance is one block: the struct, slots of inputs, types as declared, base types. What a cache compares later
 * is a copy in an arena. */
#include "kernel/instance.h"

#include <string.h>

#include "base/alloc.h"
#include "kernel/instance_cache.h"
#include "kernel/ports.h"
#include "ops/op_effects.h"
#include "ops/op_signature.h"

/* ---- making */

struct types {
    const uint8_t *in, *out; /* as declared */
    int n_in, n_out;
};

static struct sl_str name_of(const struct sl_kernel_request *r) { return r->node.n ? r->node : r->op->name; }

static uint8_t *put_types(uint8_t *at, const uint8_t **out, const uint8_t *types, int n) {
    if (n) memcpy(at, types, (size_t)n);
    *out = at;
    return at + n;
}

static uint8_t *put_base_types(uint8_t *at, const uint8_t **out, const uint8_t *types, int n) {
    for (int i = 0; i < n; i++) at[i] = (uint8_t)sl_dtype_base(types[i]);
    *out = at;
    return at + n;
}

/* Attrs that the op does not declare (they stand behind the others) are for rows that nodes do not share. */
static struct sl_attrs attrs_for(const struct sl_kernel_def *def, const struct sl_kernel_request *r) {
    const bool sees_all = r->def || (def->flags & (SL_KERNEL_OWN | SL_KERNEL_DEAD));
    return sees_all ? *r->attrs : (struct sl_attrs){r->attrs->items, r->op->n_attrs};
}

static sl_code create(struct sl_kernel_instance *i, const struct sl_kernel_request *r, const uint8_t *in_base,
                      const uint8_t *out_base, struct sl_error *err) {
    struct sl_kernel_node *node = &i->node;
    const struct sl_attrs attrs = attrs_for(node->def, r);
    struct sl_kernel_setup setup = {.def = node->def,
                                    .op = r->op,
                                    .name = name_of(r),
                                    .resource_name = r->resource_name.n ? r->resource_name : name_of(r),
                                    .device = sl_str_of(r->device),
                                    .attrs = &attrs,
                                    .in_types = in_base,
                                    .out_types = out_base,
                                    .n_in = (int)node->n_in,
                                    .n_out = (int)node->n_out,
                                    .constant_in = node->def->flags & SL_KERNEL_OWN ? r->constant_in : 0,
                                    .graph_version = r->graph_version,
                                    .functions = r->functions,
                                    .err = err};
    if (node->def->create) SL_TRY(node->def->create(&node->state, &setup));
    if (node->def->scalar && node->n_out == 1 && (node->n_in == 1 || node->n_in == 2))
        node->scalar = node->def->scalar(&setup);
    return SL_OK;
}

static struct sl_kernel_site site_of(const struct sl_kernel_request *r, const struct types *t) {
    return (struct sl_kernel_site){name_of(r), r->op, r->attrs, t->in, t->out, t->n_in, t->n_out};
}

static void put_ports(struct sl_kernel_node *node, bool *on_host, const struct sl_kernel_request *r,
                      const struct types *t) {
    const struct sl_kernel_site site = site_of(r, t);
    sl_kernel_ports(on_host, node->def, &site);
    node->device = r->memory_device;
    node->on_host = on_host;
}

static sl_code make_of_types(struct sl_kernel_instance **out, const struct sl_kernel_def *def,
                             const struct sl_kernel_request *r, const struct types *t, struct sl_error *err) {
    const size_t n_in = (size_t)t->n_in, n_out = (size_t)t->n_out;
    const size_t n_ports = r->memory_device ? n_in + n_out : 0;
    const size_t bytes = sizeof(struct sl_kernel_instance) + n_in * sizeof(uint32_t) + 2 * (n_in + n_out) + n_ports;
    struct sl_kernel_instance *i = sl_malloc(bytes);
    if (!i) return sl_fail_memory(err, bytes);
    uint32_t *in = (uint32_t *)(i + 1);
    uint8_t *at = (uint8_t *)(in + n_in);
    const uint8_t *in_base, *out_base;
    for (uint32_t s = 0; s < n_in; s++) in[s] = s;
    *i = (struct sl_kernel_instance){.node = {.def = def,
                                              .in = in,
                                              .out = (uint32_t)n_in,
                                              .n_in = (uint32_t)n_in,
                                              .n_out = (uint32_t)n_out,
                                              .is_async = !def->run || (def->flags & SL_KERNEL_ASYNC),
                                              .outputs_used = ~UINT64_C(0),
                                              .name = r->op->name,
                                              .op = r->op}};
    atomic_init(&i->refs, 1);
    sl_arena_init(&i->arena);
    at = put_types(at, &i->node.in_types, t->in, t->n_in);
    at = put_types(at, &i->node.out_types, t->out, t->n_out);
    at = put_base_types(at, &in_base, t->in, t->n_in);
    at = put_base_types(at, &out_base, t->out, t->n_out);
    if (r->memory_device) put_ports(&i->node, (bool *)at, r, t);
    sl_code code = create(i, r, in_base, out_base, err);
    if (code != SL_OK) {
        if (r->node.n) sl_error_name_node(err, r->node);
        sl_free(i);
        return code;
    }
    *out = i;
    return SL_OK;
}

static sl_code find_and_make(struct sl_kernel_instance **out, struct sl_kernel_table *kernels,
                             const struct sl_kernel_request *r, const struct types *t, struct sl_error *err) {
    const struct sl_kernel_def *def = r->def;
    const struct sl_kernel_site site = site_of(r, t);
    if (!def && r->memory_device) SL_TRY(sl_kernel_find_on(&def, kernels, &site, r->memory_device->type, err));
    if (!def) SL_TRY(sl_kernel_find(&def, kernels, r->op->name, name_of(r), r->device_type, r->attrs, err));
    return make_of_types(out, def, r, t, err);
}

static sl_code make(struct sl_kernel_instance **out, struct sl_kernel_table *kernels, const struct sl_kernel_request *r,
                    struct sl_error *err) {
    if (r->in_types || r->out_types)
        return find_and_make(out, kernels, r, &(struct types){r->in_types, r->out_types, r->n_in, r->n_out}, err);
    struct sl_arena scratch;
    struct sl_signature s;
    sl_arena_init(&scratch);
    sl_code code = sl_op_signature(&s, &scratch, r->op, r->attrs, err);
    if (code == SL_OK)
        code = find_and_make(out, kernels, r, &(struct types){s.inputs, s.outputs, s.n_inputs, s.n_outputs}, err);
    sl_arena_clear(&scratch);
    return code;
}

void sl_kernel_instance_unref(struct sl_kernel_instance *i) {
    if (!i || atomic_fetch_sub_explicit(&i->refs, 1, memory_order_acq_rel) != 1) return;
    if (i->node.def->destroy) i->node.def->destroy(i->node.state);
    sl_arena_clear(&i->arena);
    sl_free(i);
}

/* ---- sharing */

/* What can be said without the row. A call without a cache of its functions has no instance that lasts: what it
 * calls may be another function in the next program of the graph. Unless it names what it makes: each program of a graph is to
 * find the same iterator, which its function has made once. */
static bool may_be_shared(const struct sl_kernel_cache *cache, const struct sl_kernel_request *r) {
    if (r->def || r->resource_name.n || (r->memory_device && !r->identity.n)) return false;
    const bool is_named = r->identity.n && sl_op_has(r->op, SL_OP_NAMES);
    if (sl_op_takes_functions(r->op) && !is_named &&
        (!r->functions || r->functions != sl_kernel_cache_functions(cache)))
        return false;
    return r->identity.n || !r->node.n || !sl_op_is_stateful(r->op);
}

/* What the row says to that. A transfer belongs to one cut of the graph. */
static bool row_may_be_shared(const struct sl_kernel_def *def, const struct sl_kernel_request *r) {
    if (def->flags & SL_KERNEL_DEAD) return false;
    return r->identity.n || !r->node.n || !(def->flags & SL_KERNEL_OWN);
}

sl_code sl_kernel_instance_remember(struct sl_kernel_instance *i, const struct sl_kernel_request *r,
                                    struct sl_error *err) {
    struct sl_attrs *attrs = SL_ARENA_NEW(&i->arena, struct sl_attrs);
    struct sl_str device = sl_arena_str(&i->arena, sl_str_of(r->device)),
                  identity = sl_arena_str(&i->arena, r->identity);
    if (!attrs || !device.p || !identity.p) return sl_fail_memory(err, sizeof *attrs);
    SL_TRY(sl_attrs_copy(attrs, &i->arena, r->attrs, err));
    i->request = (struct sl_kernel_request){
        .op = r->op, .attrs = attrs, .device = device.p, .identity = identity, .graph_version = r->graph_version};
    return SL_OK;
}

sl_code sl_kernel_prepare(struct sl_kernel_instance **out, struct sl_kernel_cache *cache,
                          const struct sl_kernel_request *request, struct sl_error *err) {
    struct sl_kernel_table *kernels = sl_kernel_cache_table(cache);
    if (!may_be_shared(cache, request)) return make(out, kernels, request, err);
    const uint64_t hash = sl_kernel_request_hash(request);
    *out = sl_kernel_cache_find(cache, request, hash);
    if (*out) return SL_OK;
    const unsigned version = sl_kernel_table_version(kernels);
    struct sl_kernel_instance *made;
    SL_TRY(make(&made, kernels, request, err));
    *out = made;
    /* When memory is out it is not shared. */
    if (!row_may_be_shared(made->node.def, request) || sl_kernel_instance_remember(made, request, NULL) != SL_OK)
        return SL_OK;
    made->hash = hash;
    made->table_version = version;
    *out = sl_kernel_cache_add(cache, made);
    sl_kernel_instance_unref(made);
    return SL_OK;
}
