/* struct sl_scope: names, devices, control inputs, errors that stick, and the one place where the front end adds
 * operations. What an operation reads is first made visible where the operation is: sl_scope_see. */
#include <string.h>

#include "capi/description.h"
#include "front/front.h"
#include "front/front_attrs.h"
#include "front/front_eager.h"

/* ---- life and errors */
SL_API struct sl_scope *sl_scope_new(TF_Graph *graph) {
    struct sl_scope *s = graph ? sl_calloc(1, sizeof *s) : NULL;
    if (!s) return NULL;
    sl_arena_init(&s->arena);
    s->graph = s->root.graph = graph;
    s->device = "";
    s->flow = s->root.base = &s->root;
    s->status = TF_NewStatus();
    if (s->status) return s;
    sl_free(s);
    return NULL;
}

static void free_flows(struct sl_scope *s) {
    for (struct sl_flow *flow = s->flows; flow; flow = flow->next) {
        sl_vec_free(&flow->captured);
        sl_vec_free(&flow->flow_of);
        if (flow->graph) TF_DeleteGraph(flow->graph);
    }
    sl_vec_free(&s->root.flow_of);
    sl_vec_free(&s->root.captured);
}

SL_API void sl_scope_delete(struct sl_scope *scope) {
    if (!scope) return;
    sl_scope_end_eager(scope);
    free_flows(scope);
    sl_vec_free(&scope->prefix);
    sl_vec_free(&scope->controls);
    sl_vec_free(&scope->pushed);
    sl_vec_free(&scope->names);
    sl_vec_free(&scope->variables);
    sl_vec_free(&scope->initialisers);
    sl_vec_free(&scope->trainable);
    sl_vec_free(&scope->run_with);
    sl_arena_clear(&scope->arena);
    TF_DeleteStatus(scope->status);
    sl_free(scope);
}

SL_API TF_Graph *sl_scope_graph(const struct sl_scope *scope) { return scope ? scope->graph : NULL; }
SL_API TF_Code sl_scope_code(const struct sl_scope *scope) {
    return scope ? TF_GetCode(scope->status) : TF_RESOURCE_EXHAUSTED;
}
SL_API bool sl_scope_ok(const struct sl_scope *scope) { return sl_scope_code(scope) == TF_OK; }
SL_API const char *sl_scope_message(const struct sl_scope *scope) {
    return scope ? TF_Message(scope->status) : "out of memory";
}

SL_API void sl_scope_fail(struct sl_scope *scope, TF_Code code, const char *message) {
    if (sl_scope_ok(scope) && code != TF_OK) TF_SetStatus(scope->status, code, message ? message : "");
}

void sl_scope_fail_memory(struct sl_scope *scope) { sl_scope_fail(scope, TF_RESOURCE_EXHAUSTED, "out of memory"); }

TF_Output *sl_scope_copy(struct sl_scope *scope, const TF_Output *values, int n) {
    if (!sl_scope_ok(scope) || n < 1) return NULL;
    TF_Output *copy = SL_ARENA_ARRAY(&scope->arena, TF_Output, (size_t)n);
    if (copy) memcpy(copy, values, (size_t)n * sizeof *copy);
    else sl_scope_fail_memory(scope);
    return copy;
}

/* ---- what the next operations get */
static bool push(struct sl_scope *s) {
    if (!s) return false;
    const struct sl_pushed now = {s->prefix.n, s->device, s->controls.n, s->hidden, s->is_functional};
    if (!sl_vec_push(&s->pushed, now)) return true;
    sl_scope_fail_memory(s);
    return false;
}

/* `wanted`, or the first of wanted_1 ... that no name scope has had; in the arena. */
static struct sl_str unused_name(struct sl_scope *s, struct sl_str wanted) {
    struct sl_str name = sl_arena_str(&s->arena, wanted);
    for (int tries = 1; name.p; tries++) {
        bool is_used = false;
        for (size_t i = 0; i < s->names.n && !is_used; i++) is_used = sl_str_eq(s->names.items[i], name);
        if (!is_used) break;
        name = sl_str_of(sl_arena_format(&s->arena, "%.*s_%d", SL_STR_ARG(wanted), tries));
    }
    return name;
}

SL_API void sl_push_name(struct sl_scope *scope, const char *name) {
    if (!push(scope)) return;
    const char *wanted = sl_arena_format(&scope->arena, "%.*s%s", (int)scope->prefix.n,
                                         scope->prefix.items ? scope->prefix.items : "", name ? name : "");
    struct sl_str whole = wanted ? sl_str_of(wanted) : (struct sl_str){NULL, 0};
    /* Where ops run at once, names are those of variables: the same name again is the same variable again. */
    if (whole.p && !sl_is_eager(scope) && !scope->around) whole = unused_name(scope, whole);
    if (!whole.p || (!sl_is_eager(scope) && sl_vec_push(&scope->names, whole)) ||
        sl_vec_reserve(&scope->prefix, whole.n + 1)) {
        sl_scope_fail_memory(scope);
        return;
    }
    memcpy(scope->prefix.items, whole.p, whole.n);
    scope->prefix.items[whole.n] = '/';
    scope->prefix.n = whole.n + 1;
}

SL_API void sl_push_device(struct sl_scope *scope, const char *device) {
    if (!push(scope)) return;
    const char *copy = sl_arena_format(&scope->arena, "%s", device ? device : "");
    if (copy) scope->device = copy;
    else sl_scope_fail_memory(scope);
}

SL_API void sl_push_control(struct sl_scope *scope, TF_Operation *const *operations, int num_operations) {
    if (!push(scope)) return;
    for (int i = 0; i < num_operations; i++)
        if (operations[i] && sl_vec_push(&scope->controls, operations[i])) sl_scope_fail_memory(scope);
}

SL_API void sl_push_no_control(struct sl_scope *scope) {
    if (push(scope)) scope->hidden = scope->controls.n;
}

SL_API void sl_push_functional(struct sl_scope *scope, bool functional) {
    if (push(scope)) scope->is_functional = functional;
}

SL_API void sl_pop(struct sl_scope *scope) {
    if (!scope) return;
    if (scope->pushed.n == 0) {
        sl_scope_fail(scope, TF_FAILED_PRECONDITION, "sl_pop: nothing is pushed");
        return;
    }
    struct sl_pushed before = scope->pushed.items[--scope->pushed.n];
    scope->prefix.n = before.prefix; /* the name before is a beginning of the present one */
    scope->device = before.device;
    scope->controls.n = before.n_controls;
    scope->hidden = before.hidden;
    scope->is_functional = before.is_functional;
}

SL_API struct sl_scope *sl_name(struct sl_scope *scope, const char *name) {
    if (!scope || !name) return scope;
    scope->next_name = sl_arena_format(&scope->arena, "%s", name);
    if (!scope->next_name) sl_scope_fail_memory(scope);
    return scope;
}

SL_API void sl_seed(struct sl_scope *scope, int64_t seed) {
    if (scope) scope->seed = seed;
}

SL_API void sl_seed_by_step(struct sl_scope *scope, TF_Output step) {
    if (scope) scope->seed_step = step;
}

/* ---- flows */
static bool is_in(const TF_Operation *operation, const struct sl_flow *base) {
    return base->graph && sl_as_node(operation)->graph == base->graph->graph;
}

/* Of the scope's, also of functions that are finished; NULL: it is of another graph. */
static struct sl_flow *flow_of(struct sl_scope *s, const TF_Operation *operation) {
    size_t id = sl_as_node(operation)->id;
    struct sl_flow *base = s->flow->base;
    if (!is_in(operation, base)) base = &s->root;
    if (!is_in(operation, base)) base = s->flows;
    while (base && !is_in(operation, base)) base = base->next;
    if (!base) return NULL;
    struct sl_flow *flow = id < base->flow_of.n ? base->flow_of.items[id] : NULL;
    return flow ? flow : base;
}

TF_Graph *sl_scope_graph_of(struct sl_scope *scope, const TF_Operation *operation) {
    const struct sl_flow *flow = flow_of(scope, operation);
    return flow ? flow->base->graph : scope->graph;
}

static void set_flow(struct sl_scope *s, const TF_Operation *operation, struct sl_flow *flow) {
    size_t id = sl_as_node(operation)->id;
    struct sl_flow *base = flow->base;
    if (flow == base) return;
    if (id >= base->flow_of.n && sl_vec_reserve(&base->flow_of, id + 1 - base->flow_of.n)) {
        sl_scope_fail_memory(s);
        return;
    }
    while (base->flow_of.n <= id) base->flow_of.items[base->flow_of.n++] = NULL;
    base->flow_of.items[id] = flow;
}

struct sl_flow *sl_scope_flow_new(struct sl_scope *scope) {
    struct sl_flow *flow = sl_scope_ok(scope) ? SL_ARENA_NEW(&scope->arena, struct sl_flow) : NULL;
    if (!flow) {
        sl_scope_fail_memory(scope);
        return NULL;
    }
    flow->outer = scope->flow;
    flow->base = scope->flow->base;
    flow->depth = scope->flow->depth + 1;
    flow->next = scope->flows;
    scope->flows = flow;
    return flow;
}

struct sl_flow *sl_scope_enter(struct sl_scope *scope, struct sl_flow *flow) {
    struct sl_flow *before = scope->flow;
    scope->flow = flow;
    scope->graph = flow->base->graph;
    return before;
}

static TF_Operation *pivot_of(struct sl_scope *s, struct sl_flow *flow) {
    if (!flow->pivot && flow->lives.oper) {
        const struct sl_op_input input = {&flow->lives, -1};
        const char *name = s->next_name;
        s->next_name = NULL;
        flow->pivot = sl_scope_add(s, flow, "Identity", &input, 1, NULL, 0);
        s->next_name = name;
    }
    return flow->pivot;
}

/* What stands for a value of flow->outer in `flow`, if it came in before. */
static TF_Output find_captured(const struct sl_flow *flow, TF_Output value) {
    for (size_t i = 0; i < flow->captured.n; i++)
        if (flow->captured.items[i].from.oper == value.oper && flow->captured.items[i].from.index == value.index)
            return flow->captured.items[i].to;
    return (TF_Output){NULL, 0};
}

/* A value of flow->outer in `flow`. */
static TF_Output enter(struct sl_scope *s, struct sl_flow *flow, TF_Output value) {
    struct sl_flow_captured captured = {value, find_captured(flow, value)};
    const char *name = s->next_name;
    if (captured.to.oper) return captured.to;
    s->next_name = NULL;
    if (flow->base == flow) {
        captured.to = sl_scope_argument(s, flow, value, true);
    } else if (flow->is_loop) {
        const bool is_constant = true;
        const struct sl_attr_given attrs[] = {{"frame_name", SL_GIVEN_STRING, &flow->frame},
                                              {"is_constant", SL_GIVEN_BOOL, &is_constant},
                                              {"parallel_iterations", SL_GIVEN_INT, &flow->parallel_iterations}};
        const struct sl_op_input input = {&value, -1};
        captured.to = sl_op_first(sl_scope_add(s, flow, "Enter", &input, 1, attrs, 3));
    } else {
        const struct sl_op_input inputs[] = {{&value, -1}, {&flow->predicate, -1}};
        captured.to = (TF_Output){sl_scope_add(s, flow, "Switch", inputs, 2, NULL, 0), flow->side};
    }
    s->next_name = name;
    if (captured.to.oper && sl_vec_push(&flow->captured, captured)) sl_scope_fail_memory(s);
    return captured.to;
}

/* A value of the eager scope around that this one captures for: an argument of the graph. */
static TF_Output see_eager(struct sl_scope *scope, struct sl_flow *flow, TF_Output value) {
    const TF_Output variable = sl_eager_variable_of(value);
    struct sl_flow_captured captured = {value, find_captured(&scope->root, value)};
    if (variable.oper) { /* is read where it is used, not when it is captured */
        const TF_DataType type = TF_OperationOutputType(value);
        const struct sl_attr_given attr = {"dtype", SL_GIVEN_TYPE, &type};
        const struct sl_op_input input = {&variable, -1};
        return sl_op_first(sl_op(scope, "ReadVariableOp", &input, 1, &attr, 1));
    }
    if (!captured.to.oper) {
        if (!sl_eager_tell_shape(scope->around, value)) return (TF_Output){NULL, 0};
        struct sl_flow *before = sl_scope_enter(scope, &scope->root);
        const char *name = scope->next_name;
        scope->next_name = NULL;
        sl_push_no_control(scope);
        captured.to = sl_scope_argument(scope, &scope->root, value, true);
        sl_pop(scope);
        scope->next_name = name;
        sl_scope_enter(scope, before);
        if (captured.to.oper && sl_vec_push(&scope->root.captured, captured)) sl_scope_fail_memory(scope);
    }
    return sl_scope_ok(scope) ? sl_scope_see(scope, flow, captured.to) : (TF_Output){NULL, 0};
}

TF_Output sl_scope_see(struct sl_scope *scope, struct sl_flow *flow, TF_Output value) {
    if (sl_is_eager_value(scope->around, value)) return see_eager(scope, flow, value);
    struct sl_flow *home = value.oper && sl_scope_ok(scope) ? flow_of(scope, value.oper) : NULL;
    if (!home || home == flow) return value;
    if (home->depth >= flow->depth) {
        sl_status_fail(
            scope->status, SL_INVALID_ARGUMENT,
            "'%.*s' belongs to a loop or conditional that this operation is not in: make it a result of that",
            SL_STR_ARG(sl_as_node(value.oper)->name));
        return (TF_Output){NULL, 0};
    }
    TF_Output outside = sl_scope_see(scope, flow->outer, value);
    return sl_scope_ok(scope) ? enter(scope, flow, outside) : outside;
}

TF_Output sl_scope_seen(struct sl_scope *scope, const struct sl_flow *flow, TF_Output value) {
    if (sl_is_eager_value(scope->around, value)) {
        value = find_captured(&scope->root, value);
        if (!value.oper) return value;
    }
    const struct sl_flow *home = value.oper ? flow_of(scope, value.oper) : NULL;
    if (!home || home == flow) return value;
    if (home->depth >= flow->depth) return (TF_Output){NULL, 0};
    TF_Output outside = sl_scope_seen(scope, flow->outer, value);
    return outside.oper ? find_captured(flow, outside) : outside;
}

void sl_scope_adopt(struct sl_scope *scope, size_t first) {
    struct sl_graph *graph = scope->graph->graph;
    size_t end = graph->nodes.n;
    if (scope->flow == scope->flow->base || !sl_scope_ok(scope)) return;
    TF_Operation *pivot = pivot_of(scope, scope->flow);
    for (size_t i = first; i < end; i++) {
        struct sl_node *node = graph->nodes.items[i];
        if (!node || node->is_removed) continue;
        set_flow(scope, sl_as_operation(node), scope->flow);
        if (!pivot || node->n_inputs || node->n_controls) continue;
        struct sl_error err;
        sl_graph_lock(scope->graph);
        sl_code code = sl_graph_add_control(graph, sl_as_node(pivot), node, &err);
        sl_graph_unlock(scope->graph);
        sl_status_take(scope->status, code, &err);
    }
}

/* ---- adding */
static const char *name_in(struct sl_scope *scope, TF_Graph *graph, const char *name) {
    const char *wanted = sl_arena_format(&scope->arena, "%.*s%s", (int)scope->prefix.n,
                                         scope->prefix.items ? scope->prefix.items : "", name);
    struct sl_str unused = {NULL, 0};
    sl_graph_lock(graph);
    if (wanted) unused = sl_graph_unique_name(graph->graph, sl_str_of(wanted));
    sl_graph_unlock(graph);
    if (!unused.p) sl_scope_fail_memory(scope);
    return unused.p;
}

const char *sl_scope_unused_name(struct sl_scope *scope, const char *name) {
    return name_in(scope, scope->graph, name);
}

/* Of the next operation. */
static const char *name_for(struct sl_scope *s, TF_Graph *graph, const char *op) {
    const char *name = name_in(s, graph, s->next_name ? s->next_name : op);
    s->next_name = NULL;
    return name;
}

static void set_attr(struct sl_scope *s, TF_OperationDescription *d, const struct sl_attr_given *attr) {
    int n;
    bool is_list;
    TF_Tensor *const *tensors = sl_given_tensors(&n, &is_list, attr);
    if (tensors && is_list) TF_SetAttrTensorList(d, attr->name, tensors, n, s->status);
    else if (tensors) TF_SetAttrTensor(d, attr->name, *tensors, s->status);
    else sl_description_set(d, attr->name, sl_given_value(s, &d->arena, attr));
}

static TF_Operation *finish(struct sl_scope *s, struct sl_flow *flow, TF_OperationDescription *d) {
    TF_Status *status = sl_scope_ok(s) ? s->status : NULL;
    TF_Operation *operation = TF_FinishOperation(d, status);
    if (!status) return NULL;
    if (operation) set_flow(s, operation, flow);
    return operation;
}

/* How many of the inputs are there in every iteration of a loop, the one that the condition ends among them: what reads
 * nothing else must be told when to run. */
static int waits_for_nothing(const struct sl_flow *flow, const struct sl_op_input *inputs, int n_inputs) {
    int n = 0;
    for (int i = 0; i < n_inputs && flow->is_loop; i++)
        for (int k = 0; k < (inputs[i].n < 0 ? 1 : inputs[i].n); k++)
            for (size_t c = 0; c < flow->captured.n; c++)
                n += flow->captured.items[c].to.oper == inputs[i].items[k].oper;
    return n;
}

static TF_Operation *add(struct sl_scope *s, struct sl_flow *flow, const char *op, const struct sl_op_input *inputs,
                         int n_inputs, const struct sl_attr_given *attrs, int n_attrs, bool is_controlled) {
    TF_Graph *graph = flow->base->graph;
    const char *name = sl_scope_ok(s) ? name_for(s, graph, op) : NULL;
    TF_OperationDescription *d = name ? TF_NewOperation(graph, op, name) : NULL;
    if (!d) {
        sl_scope_fail_memory(s);
        return NULL;
    }
    int reads = 0;
    for (int i = 0; i < n_inputs; i++) {
        if (inputs[i].n < 0) TF_AddInput(d, *inputs[i].items);
        else TF_AddInputList(d, inputs[i].items, inputs[i].n);
        reads += inputs[i].n < 0 ? 1 : inputs[i].n;
    }
    for (int i = 0; i < n_attrs; i++) set_attr(s, d, &attrs[i]);
    if (*s->device) TF_SetDevice(d, s->device);
    for (size_t i = s->hidden; is_controlled && i < s->controls.n; i++) {
        if (flow_of(s, s->controls.items[i]) != flow) continue;
        TF_AddControlInput(d, s->controls.items[i]);
        reads++;
    }
    if (reads == waits_for_nothing(flow, inputs, n_inputs) && flow != flow->base) {
        TF_Operation *pivot = pivot_of(s, flow);
        if (pivot) TF_AddControlInput(d, pivot);
    }
    return finish(s, flow, d);
}

TF_Operation *sl_scope_add(struct sl_scope *scope, struct sl_flow *flow, const char *op,
                           const struct sl_op_input *inputs, int n_inputs, const struct sl_attr_given *attrs,
                           int n_attrs) {
    return add(scope, flow, op, inputs, n_inputs, attrs, n_attrs, false);
}

SL_API TF_Operation *sl_op(struct sl_scope *scope, const char *op, const struct sl_op_input *inputs, int num_inputs,
                           const struct sl_attr_given *attrs, int num_attrs) {
    if (!sl_scope_ok(scope)) return NULL;
    if (sl_is_eager(scope)) return sl_eager_op_run(scope, op, inputs, num_inputs, attrs, num_attrs);
    size_t n = 0;
    for (int i = 0; i < num_inputs; i++) n += inputs[i].n < 0 ? 1 : (size_t)inputs[i].n;
    struct sl_op_input *seen =
        SL_ARENA_ARRAY(&scope->arena, struct sl_op_input, num_inputs > 0 ? (size_t)num_inputs : 0);
    TF_Output *items = SL_ARENA_ARRAY(&scope->arena, TF_Output, n);
    if (!seen || !items) {
        sl_scope_fail_memory(scope);
        return NULL;
    }
    for (int i = 0; i < num_inputs; i++) {
        seen[i] = (struct sl_op_input){items, inputs[i].n};
        for (int k = 0; k < (inputs[i].n < 0 ? 1 : inputs[i].n); k++)
            *items++ = sl_scope_see(scope, scope->flow, inputs[i].items[k]);
    }
    if (!sl_scope_ok(scope)) return NULL;
    return add(scope, scope->flow, op, seen, num_inputs, attrs, num_attrs, true);
}

SL_API TF_Operation *sl_group(struct sl_scope *scope, TF_Operation *const *operations, int num_operations) {
    if (!sl_scope_ok(scope)) return NULL;
    sl_push_control(scope, operations, num_operations);
    TF_Operation *group = sl_op(scope, "NoOp", NULL, 0, NULL, 0);
    sl_pop(scope);
    return group;
}
