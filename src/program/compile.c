/* Compiling: prepares the kernel of every node, and picks the form of the program.
 *
 * The linear form is taken when the control flow has block structure and no kernel waits for the world outside of
 * the step; the token form otherwise, or when it is asked for. */
#include <string.h>

#include "device/transfer.h"
#include "kernel/functions.h"
#include "kernel/ports.h"
#include "program/compilation.h"
#include "tensor/tensor_proto.h"

sl_code sl_constant_value(struct sl_value *out, const struct sl_compilation *c, const struct sl_node *node) {
    const struct sl_pb_TensorProto *proto;
    struct sl_error *err = c->err;
    struct sl_tensor *t;
    SL_TRY(sl_attr_tensor(&proto, &node->attrs, "value", err));
    if (proto->dtype != node->out_types[0])
        return sl_fail(err, SL_INVALID_ARGUMENT, "Type mismatch between value (%s) and dtype (%s)",
                       sl_dtype_name(proto->dtype), sl_dtype_name(node->out_types[0]));
    SL_TRY(sl_tensor_from_proto(&t, proto, err));
    *out = sl_value_of_tensor(t);
    if (!sl_attr_find(&node->attrs, SL_STR(SL_CONSTANT_ON_DEVICE))) return SL_OK;
    sl_code code = sl_value_settle(out, c->options->device->memory, 0, err);
    if (code != SL_OK) sl_value_clear(out);
    return code;
}

static sl_code copy_types(const uint8_t **out, struct sl_arena *arena, const uint8_t *from, int n,
                          struct sl_error *err) {
    uint8_t *to = sl_arena_alloc(arena, (size_t)n);
    if (!to) return sl_fail_memory(err, (size_t)n);
    if (n) memcpy(to, from, (size_t)n);
    *out = to;
    return SL_OK;
}

static uint64_t outputs_used(const struct sl_node *n) {
    uint64_t used = 0;
    for (uint32_t u = 0; u < n->uses.n; u++)
        if (n->uses.items[u].slot >= 0)
            used |= UINT64_C(1) << (n->uses.items[u].index < 63 ? n->uses.items[u].index : 63);
    return used;
}

/* Frozen variables are read through an Identity. */
static uint64_t constant_inputs(const struct sl_node *n) {
    uint64_t constant = 0;
    for (int i = 0; i < n->n_inputs && i < 64; i++) {
        const struct sl_node *from = n->inputs[i].node;
        while (from->op->index == SL_ROW_Identity) from = from->inputs[0].node;
        if (sl_node_is_constant(from)) constant |= UINT64_C(1) << i;
    }
    return constant;
}

/* Engines do control flow, arguments, results and constants themselves. */
static bool needs_kernel(const struct sl_compilation *c, const struct sl_node *n) {
    if (sl_node_is_arg(n) || sl_node_is_ret(n) || sl_node_is_constant(n)) return false;
    if (n->op->index == SL_ROW_NoOp) return false;
    return c->flow[n->id] == SL_FLOW_NONE;
}

/* Whether the op is a function of the library: no row, nor registered. */
static bool is_function(const struct sl_node *n) {
    const struct sl_op *registered;
    if (n->op->index != SL_OP_NO_ROW) return false;
    return sl_op_find(&registered, n->graph->registry, n->op->name, NULL) != SL_OK || registered != n->op;
}

/* Its errors name what it reads: an attr that the op does not declare, for the kernel. */
static sl_code add_reader(struct sl_attrs *attrs, struct sl_compilation *c, const struct sl_node *n) {
    struct sl_attr *items = SL_ARENA_ARRAY(&c->scratch, struct sl_attr, (size_t)n->attrs.n + 1);
    struct sl_pb_AttrValue *value = SL_ARENA_NEW(&c->scratch, struct sl_pb_AttrValue);
    if (!items || !value) return sl_fail_memory(c->err, sizeof *items);
    *value = (struct sl_pb_AttrValue){.which = SL_PB_AttrValue_s, .s = n->inputs[0].node->name};
    if (n->attrs.n) memcpy(items, n->attrs.items, (size_t)n->attrs.n * sizeof *items);
    items[n->attrs.n] = (struct sl_attr){SL_STR(SL_INPUT_NAME), value};
    *attrs = (struct sl_attrs){items, n->attrs.n + 1};
    return SL_OK;
}

/* The node's instance; the program holds the reference. */
static sl_code prepare(struct sl_kernel_instance **out, struct sl_compilation *c, const struct sl_node *n) {
    const struct sl_compile_options *o = c->options;
    const bool is_kept = o->states && sl_op_is_stateful(n->op);
    struct sl_attrs attrs = n->attrs;
    if (n->op->index == SL_ROW_EnsureShape) SL_TRY(add_reader(&attrs, c, n));
    const struct sl_kernel_request request = {.op = n->op,
                                              .attrs = &attrs,
                                              .in_types = n->in_types,
                                              .out_types = n->out_types,
                                              .n_in = n->n_inputs,
                                              .n_out = n->n_outputs,
                                              .device = o->device->name,
                                              .device_type = o->device->type->name,
                                              .memory_device = sl_device_is_host(o->device) ? NULL : o->device,
                                              .node = n->name,
                                              .identity = is_kept ? n->name : SL_STR(""),
                                              .constant_in = constant_inputs(n),
                                              .graph_version = c->graph->producer,
                                              .functions = o->functions,
                                              .def = o->call_by_name && is_function(n) ? o->call_by_name : NULL};
    SL_TRY(sl_kernel_prepare(out, is_kept ? o->states : o->kernels, &request, c->err));
    c->program->instances[c->program->n_instances++] = *out;
    return SL_OK;
}

/* Whether what the node calls may wait for the world outside of the step. */
static sl_code ask_callees(bool *waits, struct sl_compilation *c, const struct sl_kernel_def *def,
                           const struct sl_node *n) {
    struct sl_functions *functions = c->options->functions;
    *waits = false;
    if (!def->start || !functions) return SL_OK;
    if (def != c->options->call_by_name) {
        *waits = functions->attrs_wait(functions, &n->attrs);
        return SL_OK;
    }
    struct sl_pb_NameAttrList named = {.name = n->op->name};
    const struct sl_pb_AttrValue value = {.which = SL_PB_AttrValue_func, .func = &named};
    const struct sl_attr attr = {SL_STR("f"), &value};
    named.attr.items = sl_arena_array(&c->scratch, (size_t)n->attrs.n, sizeof *named.attr.items);
    if (!named.attr.items) return sl_fail_memory(c->err, sizeof *named.attr.items);
    for (; named.attr.n < (size_t)n->attrs.n; named.attr.n++) {
        named.attr.items[named.attr.n].key = n->attrs.items[named.attr.n].name;
        named.attr.items[named.attr.n].value = *n->attrs.items[named.attr.n].value;
    }
    *waits = functions->attrs_wait(functions, &(struct sl_attrs){&attr, 1});
    return SL_OK;
}

/* The kernel of a node that has one. */
static sl_code bind_kernel(struct sl_kernel_node *k, struct sl_compilation *c, const struct sl_node *n) {
    struct sl_kernel_instance *instance;
    bool waits;
    SL_TRY(prepare(&instance, c, n));
    *k = instance->node;
    SL_TRY(ask_callees(&waits, c, k->def, n));
    k->is_async |= waits;
    if (k->is_async || (k->def->flags & SL_KERNEL_DEAD)) c->uses_tokens_only = true;
    return SL_OK;
}

static sl_code make_kernel(struct sl_compilation *c, struct sl_node *n) {
    struct sl_arena *arena = &c->program->arena;
    struct sl_kernel_node *k = SL_ARENA_NEW(arena, struct sl_kernel_node);
    uint32_t *in = SL_ARENA_ARRAY(arena, uint32_t, (size_t)n->n_inputs);
    if (!k || !in) return sl_fail_memory(c->err, sizeof *k);
    if (needs_kernel(c, n)) {
        SL_TRY(bind_kernel(k, c, n));
    } else {
        k->n_in = (uint32_t)n->n_inputs;
        k->n_out = (uint32_t)n->n_outputs;
        k->op = n->op;
        SL_TRY(copy_types(&k->in_types, arena, n->in_types, n->n_inputs, c->err));
        SL_TRY(copy_types(&k->out_types, arena, n->out_types, n->n_outputs, c->err));
    }
    k->in = in;
    k->out = SL_NO_SLOT;
    k->outputs_used = outputs_used(n);
    k->name = sl_arena_str(arena, n->name);
    if (!k->name.p) return sl_fail_memory(c->err, n->name.n);
    c->kernels[n->id] = k;
    return SL_OK;
}

/* How many arguments and results there are, and their types. */
static sl_code count_args_and_rets(struct sl_compilation *c) {
    struct sl_program *p = c->program;
    int counts[2] = {0, 0};
    SL_GRAPH_EACH(n, c->graph) {
        bool ret = sl_node_is_ret(n);
        int64_t index;
        if (!ret && !sl_node_is_arg(n)) continue;
        SL_TRY(sl_attr_int(&index, &n->attrs, "index", c->err));
        if (index < 0 || index >= (int64_t)c->graph->nodes.n)
            return sl_fail(c->err, SL_INVALID_ARGUMENT, "index %lld of node %.*s is out of range", (long long)index,
                           SL_STR_ARG(n->name));
        if (index >= counts[ret]) counts[ret] = (int)index + 1;
    }
    uint8_t *args = SL_ARENA_ARRAY(&p->arena, uint8_t, (size_t)counts[0] + 1),
            *rets = SL_ARENA_ARRAY(&p->arena, uint8_t, (size_t)counts[1] + 1);
    if (!args || !rets) return sl_fail_memory(c->err, (size_t)counts[0]);
    SL_GRAPH_EACH(n, c->graph) {
        bool ret = sl_node_is_ret(n);
        int64_t index;
        if (!ret && !sl_node_is_arg(n)) continue;
        SL_TRY(sl_attr_int(&index, &n->attrs, "index", c->err));
        (ret ? rets : args)[index] = (uint8_t)sl_dtype_base(ret ? n->in_types[0] : n->out_types[0]);
    }
    for (int i = 0; i < counts[1]; i++)
        if (!rets[i]) return sl_fail(c->err, SL_INVALID_ARGUMENT, "result %d of the graph has no _Retval node", i);
    p->n_args = counts[0];
    p->n_rets = counts[1];
    p->arg_types = args;
    p->ret_types = rets;
    return SL_OK;
}

static sl_code compile(struct sl_compilation *c) {
    size_t n = c->graph->nodes.n;
    SL_TRY(count_args_and_rets(c));
    c->flow = SL_ARENA_ARRAY(&c->scratch, enum sl_flow_kind, n);
    c->kernels = SL_ARENA_ARRAY(&c->scratch, struct sl_kernel_node *, n);
    c->program->instances = SL_ARENA_ARRAY(&c->program->arena, struct sl_kernel_instance *, n);
    if (!c->flow || !c->kernels || !c->program->instances) return sl_fail_memory(c->err, n);
    SL_GRAPH_EACH(node, c->graph) c->flow[node->id] = sl_flow_kind_of(node->op);
    SL_GRAPH_EACH(node, c->graph) SL_TRY(make_kernel(c, node));
    SL_TRY(sl_graph_frames(&c->frames, c->graph, &c->scratch, c->err));
    bool fits = false;
    if (c->options->engine != SL_ENGINE_TOKENS && !c->uses_tokens_only) SL_TRY(sl_lower_linear(&fits, c));
    return fits ? SL_OK : sl_lower_tokens(c);
}

sl_code sl_program_compile(struct sl_program **out, struct sl_graph *graph, const struct sl_compile_options *options,
                           struct sl_error *err) {
    struct sl_arena arena;
    sl_arena_init(&arena);
    struct sl_program *p = SL_ARENA_NEW(&arena, struct sl_program);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->arena = arena;
    sl_mutex_init(&p->slab_mutex);
    struct sl_str device = sl_arena_str(&p->arena, sl_str_of(options->device->name));
    p->device = device.p;
    struct sl_compilation c = {.graph = graph, .options = options, .program = p, .err = err};
    sl_arena_init(&c.scratch);
    sl_code code = device.p ? compile(&c) : sl_fail_memory(err, 0);
    sl_arena_clear(&c.scratch);
    if (code != SL_OK) {
        sl_program_free(p);
        return code;
    }
    *out = p;
    return SL_OK;
}
