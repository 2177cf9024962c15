/* A function's body copied into the graph in place of a call. Nodes are called CALLER/NODE; colocation and the names
 * of frames follow. Arguments and results are no nodes there: their readers read what the caller gave. A node of the
 * body that nothing feeds waits for the call's pivot, so that it lives in the caller's frame and on the caller's
 * branch. */
#include "base/hash.h"
#include "passes/lowering.h"
#include "passes/prune.h"

/* ---- bodies */

/* State that a kernel finds by its node's name: in the function it would have another one than in the graph. */
static bool is_named_by_node(const struct sl_node *n) {
    struct sl_str shared = {NULL, 0};
    if (!sl_op_is_stateful(n->op) || sl_op_attr_index(n->op, SL_STR("shared_name")) < 0) return false;
    return sl_attr_string(&shared, &n->attrs, "shared_name", NULL) != SL_OK || !shared.n;
}

static bool has_references(const struct sl_node *n) {
    if (!sl_node_is_arg_or_ret(n)) return false;
    for (int i = 0; i < n->n_inputs; i++)
        if (n->in_types[i] != sl_dtype_base(n->in_types[i])) return true;
    for (int i = 0; i < n->n_outputs; i++)
        if (n->out_types[i] != sl_dtype_base(n->out_types[i])) return true;
    return false;
}

/* An effect on a branch that is not taken would be a dead control input of what follows the call: such bodies stay
 * whole. */
static void judge(struct sl_lower_part *part, const struct sl_body *body) {
    bool has_effects = body->n_controls > 0, is_fit = true;
    SL_GRAPH_EACH(n, body->graph) {
        if (!part->keep[n->id]) continue;
        part->has_flow = part->has_flow || sl_flow_kind_of(n->op) != SL_FLOW_NONE;
        has_effects = has_effects || (sl_op_is_stateful(n->op) && !sl_node_is_arg_or_ret(n));
        is_fit = is_fit && !is_named_by_node(n) && !has_references(n);
    }
    part->is_inlinable = is_fit && !(part->has_flow && has_effects);
}

static sl_code find_part(struct sl_lower_part *part, struct sl_lowering *l, const struct sl_body *body,
                         bool keeps_effects, const bool *unread) {
    bool *keep = SL_ARENA_ARRAY(l->scratch, bool, body->graph->nodes.n + 1);
    if (!keep) return sl_fail_memory(l->err, body->graph->nodes.n);
    part->keep = keep;
    SL_TRY(sl_pass_needed_in_body(keep, body, keeps_effects, unread, l->err));
    judge(part, body);
    return SL_OK;
}

static sl_code make_body(struct sl_lower_body *out, struct sl_lowering *l, const struct sl_function_def *def,
                         const struct sl_attrs *attrs) {
    if (sl_function_instantiate(&out->body, def, attrs, l->options->library, NULL) != SL_OK) return SL_OK;
    SL_TRY(sl_graph_adopt(l->graph, out->body.graph, l->err));
    SL_TRY(sl_pass_prune_body(&out->body, l->err));
    SL_TRY(find_part(&out->whole, l, &out->body, true, NULL));
    return find_part(&out->needed, l, &out->body, false, NULL);
}

static const struct sl_lower_part *part_of(const struct sl_lower_call *call) {
    return call->caller->op->index == SL_OP_NO_ROW ? &call->body->whole : &call->body->needed;
}

sl_code sl_lower_body(const struct sl_lower_body **out, struct sl_lowering *l,
                      const struct sl_pb_NameAttrList *function) {
    struct sl_function_def *def = sl_graph_function(l->options->library, function->name);
    struct sl_lower_body *body = sl_str_map_get(&l->bodies, function->name);
    struct sl_attrs attrs;
    *out = NULL;
    if (!def) return SL_OK;
    if (!body || function->attr.n) {
        body = SL_ARENA_NEW(l->scratch, struct sl_lower_body);
        if (!body) return sl_fail_memory(l->err, sizeof *body);
        SL_TRY(sl_attrs_of_map(&attrs, &l->graph->arena, &function->attr, l->err));
        SL_TRY(make_body(body, l, def, &attrs));
        if (!function->attr.n && sl_str_map_put(&l->bodies, def->name, body))
            return sl_fail_memory(l->err, sizeof *body);
    }
    if (body->body.graph) *out = body;
    return SL_OK;
}

bool sl_lower_may_inline(const struct sl_lowering *l, const struct sl_lower_call *call) {
    enum { MOST_DEPTH = 256 };
    int depth = 0;
    (void)l;
    if (!part_of(call)->is_inlinable) return false;
    for (const struct sl_call_site *s = call->caller->mark; s; s = s->outer)
        if (++depth > MOST_DEPTH || sl_str_eq(s->function, call->function->name)) return false;
    return true;
}

/* ---- copying */

struct copying {
    struct sl_lowering *l;
    const struct sl_lower_call *call;
    struct sl_call_site *site;
    const struct sl_body *body;
    struct sl_lower_part part;
    struct sl_str scope;
    struct sl_node **copies;  /* by id in the body */
    struct sl_node **anchors; /* by argument: what stands for "the argument is there"; NULL until one is needed */
};

static struct sl_str scoped(const struct copying *c, struct sl_str name) {
    const char *text = sl_arena_format(&c->l->graph->arena, "%.*s/%.*s", SL_STR_ARG(c->scope), SL_STR_ARG(name));
    if (!text) sl_fail_memory(c->l->err, c->scope.n + name.n);
    return sl_str_of(text);
}

static int argument_index(const struct sl_node *arg) {
    int index = 0;
    sl_attr_int32(&index, &arg->attrs, "index", NULL);
    return index;
}

static struct sl_port copied_port(const struct copying *c, struct sl_port from) {
    if (from.node->op->index == SL_ROW__Arg) return c->call->args[argument_index(from.node)];
    return (struct sl_port){c->copies[from.node->id], from.index};
}

static sl_code copied_control(struct sl_node **out, struct copying *c, struct sl_node *from) {
    *out = c->copies[from->id];
    if (from->op->index != SL_ROW__Arg) return SL_OK;
    int i = argument_index(from);
    if (!c->anchors[i])
        SL_TRY(sl_lower_identity(&c->anchors[i], c->l, c->call->caller, "argument", c->call->args[i], NULL, 0));
    *out = c->anchors[i];
    return SL_OK;
}

static sl_code exchange_attr(struct sl_node *n, struct copying *c, struct sl_attr fresh) {
    if (!fresh.value) return sl_fail_memory(c->l->err, sizeof *fresh.value);
    return sl_attrs_with(&n->attrs, &c->l->graph->arena, &n->attrs, fresh.name, fresh.value, c->l->err);
}

/* A loop's frame is one of its own in every place. */
static sl_code rescope_frame(struct sl_node *n, struct copying *c) {
    struct sl_str frame;
    if (sl_flow_kind_of(n->op) != SL_FLOW_ENTER || sl_attr_string(&frame, &n->attrs, "frame_name", NULL) != SL_OK)
        return SL_OK;
    frame = scoped(c, frame);
    if (!frame.p) return SL_RESOURCE_EXHAUSTED;
    return exchange_attr(n, c, sl_attr_new(&c->l->graph->arena, SL_STR("frame_name"), SL_ATTR_VALUE(s, frame)));
}

/* Colocation with nodes of the body: "loc:@x" is "loc:@SCOPE/x" now. */
static sl_code rescope_classes(struct sl_node *node, struct copying *c) {
    struct sl_arena *arena = &c->l->graph->arena;
    const struct sl_str *old;
    int n;
    if (!sl_attr_find(&node->attrs, SL_STR("_class")) ||
        sl_attr_string_list(&old, &n, &node->attrs, "_class", NULL) != SL_OK)
        return SL_OK;
    struct sl_str *items = SL_ARENA_ARRAY(arena, struct sl_str, (size_t)n);
    if (!items) return sl_fail_memory(c->l->err, (size_t)n);
    for (int i = 0; i < n; i++) {
        items[i] = old[i];
        if (!sl_str_starts(old[i], SL_STR("loc:@"))) continue;
        items[i] =
            sl_str_of(sl_arena_format(arena, "loc:@%.*s/%.*s", SL_STR_ARG(c->scope), (int)old[i].n - 5, old[i].p + 5));
        if (!items[i].p) return sl_fail_memory(c->l->err, old[i].n);
    }
    const struct sl_pb_AttrValue_ListValue list = {.s = {items, (size_t)n}};
    return exchange_attr(node, c, sl_attr_new_list(arena, SL_STR("_class"), &list));
}

static sl_code copy_node(struct copying *c, const struct sl_node *n) {
    struct sl_str name = scoped(c, n->name);
    if (!name.p) return SL_RESOURCE_EXHAUSTED;
    struct sl_node *copy;
    SL_TRY(sl_graph_copy_node(&copy, c->l->graph, n, sl_graph_unique_name(c->l->graph, name),
                              n->device.n ? n->device : c->call->caller->device, c->l->err));
    copy->mark = c->site;
    c->copies[n->id] = copy;
    SL_TRY(rescope_frame(copy, c));
    return rescope_classes(copy, c);
}

static sl_code map_edge(struct sl_port *port, void *arg, const struct sl_node *n, int slot) {
    (void)n;
    if (slot < 0) return copied_control(&port->node, arg, port->node);
    *port = copied_port(arg, *port);
    return SL_OK;
}

static sl_code copy_edges(struct copying *c, const struct sl_node *n) {
    struct sl_node *copy = c->copies[n->id];
    SL_TRY(sl_graph_copy_edges(copy, n, map_edge, c, c->l->err));
    if (n->n_inputs || n->n_controls || !c->call->pivot) return SL_OK;
    return sl_graph_add_control(c->l->graph, c->call->pivot, copy, c->l->err);
}

static sl_code copy_results(struct sl_lowered *out, struct copying *c) {
    const struct sl_body *b = c->body;
    out->results = SL_ARENA_ARRAY(c->l->scratch, struct sl_port, (size_t)b->n_rets);
    out->effects = SL_ARENA_ARRAY(c->l->scratch, struct sl_node *, b->graph->nodes.n + (size_t)b->n_controls);
    if (!out->results || !out->effects) return sl_fail_memory(c->l->err, b->graph->nodes.n);
    for (int i = 0; i < b->n_rets; i++)
        out->results[out->n_results++] =
            c->call->unread && c->call->unread[i] ? (struct sl_port){NULL, 0} : copied_port(c, b->rets[i]->inputs[0]);
    for (int i = 0; i < b->n_controls; i++) SL_TRY(copied_control(&out->effects[out->n_effects++], c, b->controls[i]));
    SL_GRAPH_EACH(n, b->graph)
    if (c->copies[n->id] && sl_op_is_stateful(n->op)) out->effects[out->n_effects++] = c->copies[n->id];
    return SL_OK;
}

static sl_code copy_body(struct sl_lowered *out, struct sl_lowering *l, const struct sl_lower_call *call) {
    struct copying c = {
        .l = l, .call = call, .body = &call->body->body, .part = *part_of(call), .scope = call->caller->name};
    size_t n_nodes = c.body->graph->nodes.n;
    if (call->unread) SL_TRY(find_part(&c.part, l, c.body, false, call->unread));
    if (call->suffix) c.scope = scoped(&c, sl_str_of(call->suffix));
    c.copies = SL_ARENA_ARRAY(l->scratch, struct sl_node *, n_nodes);
    c.anchors = SL_ARENA_ARRAY(l->scratch, struct sl_node *, (size_t)c.body->n_args);
    c.site = SL_ARENA_NEW(l->scratch, struct sl_call_site);
    if (!c.copies || !c.anchors || !c.site || !c.scope.p) return sl_fail_memory(l->err, n_nodes);
    *c.site = (struct sl_call_site){call->caller->mark, call->function->name, call->pivot, c.part.has_flow};
    SL_GRAPH_EACH(n, c.body->graph) if (c.part.keep[n->id] && !sl_node_is_arg_or_ret(n)) SL_TRY(copy_node(&c, n));
    SL_GRAPH_EACH(n, c.body->graph) if (c.part.keep[n->id] && !sl_node_is_arg_or_ret(n)) SL_TRY(copy_edges(&c, n));
    return copy_results(out, &c);
}

/* ---- or a call */

static struct sl_attr type_list(struct sl_lowering *l, struct sl_str name, struct sl_node *const *nodes, int n,
                                bool is_arg) {
    int32_t *types = SL_ARENA_ARRAY(&l->graph->arena, int32_t, (size_t)n);
    if (!types) return (struct sl_attr){name, NULL};
    for (int i = 0; i < n; i++) types[i] = sl_dtype_base(is_arg ? nodes[i]->out_types[0] : nodes[i]->in_types[0]);
    return sl_attr_new_list(&l->graph->arena, name, &(struct sl_pb_AttrValue_ListValue){.type = {types, (size_t)n}});
}

static sl_code add_call(struct sl_lowered *out, struct sl_lowering *l, const struct sl_lower_call *call) {
    const struct sl_body *b = &call->body->body;
    struct sl_node *node;
    struct sl_pb_NameAttrList *function = SL_ARENA_NEW(&l->graph->arena, struct sl_pb_NameAttrList);
    if (!function) return sl_fail_memory(l->err, sizeof *function);
    *function = *call->function;
    const struct sl_attr attrs[] = {sl_attr_new(&l->graph->arena, SL_STR("f"), SL_ATTR_VALUE(func, function)),
                                    type_list(l, SL_STR("Tin"), b->args, b->n_args, true),
                                    type_list(l, SL_STR("Tout"), b->rets, b->n_rets, false)};
    struct sl_lower_spec spec = {.op = "StatefulPartitionedCall",
                                 .suffix = call->suffix ? call->suffix : "call",
                                 .more = attrs,
                                 .n_more = 3,
                                 .inputs = call->args,
                                 .n_inputs = b->n_args,
                                 .controls = &call->pivot,
                                 .n_controls = call->pivot != NULL};
    SL_TRY(sl_lower_add(&node, l, call->caller, &spec));
    out->results = SL_ARENA_ARRAY(l->scratch, struct sl_port, (size_t)b->n_rets);
    out->effects = SL_ARENA_ARRAY(l->scratch, struct sl_node *, 1);
    if (!out->results || !out->effects) return sl_fail_memory(l->err, (size_t)b->n_rets);
    for (int i = 0; i < b->n_rets; i++) out->results[out->n_results++] = (struct sl_port){node, i};
    out->effects[out->n_effects++] = node;
    return SL_OK;
}

sl_code sl_lower_call(struct sl_lowered *out, struct sl_lowering *l, const struct sl_lower_call *call) {
    *out = (struct sl_lowered){0};
    return sl_lower_may_inline(l, call) ? copy_body(out, l, call) : add_call(out, l, call);
}
