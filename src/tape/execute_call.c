/* Calls under tapes.
 *
 *   tapes that follow an input:
 *     none   the op runs as it is
 *     one    its gradient is made, and the op that is extended for it runs; the tape has the gradient
 *     two    the gradient of the extended op is made, too, and the op that is extended twice runs; the outer tape has
 *            the second gradient
 *
 * If a gradient cannot be made, the call runs all the same. The tape keeps the error and returns it when the gradient
 * is asked for. */
#include "tape/execute_call.h"

#include "base/alloc.h"
#include "ops/op_effects.h"
#include "tape/call_cache.h"
#include "tape/recording.h"

/* One way to run the call: with what a number of tapes want beside its outputs. */
struct level {
    struct sl_call_gradient *gradient; /* of the call of this level; NULL: there is none */
    struct sl_error refusal;           /* then */
    const struct sl_attrs *attrs;
    const struct sl_term *inputs;
    int n_inputs;
};

/* ---- functions that a gradient needs: its own, those of gradients that it is the gradient of, and what a program has
 * written. The runtime knows which of them were made; it gives no other function their names meanwhile. */
struct needs {
    const struct sl_graph *graph;
    SL_VEC(struct sl_function_def *) found;
    struct sl_str_map by_name;
    bool is_out_of_memory;
};

static void need(struct needs *w, struct sl_str name) {
    struct sl_function_def *f = sl_graph_function(w->graph, name);
    if (!f || sl_str_map_get(&w->by_name, name)) return;
    if (sl_str_map_put(&w->by_name, f->name, f) || sl_vec_push(&w->found, f)) w->is_out_of_memory = true;
}

static void need_attr(struct needs *w, const struct sl_pb_AttrValue *value) {
    if (value->which == SL_PB_AttrValue_func) need(w, value->func->name);
    if (value->which != SL_PB_AttrValue_list || !value->list) return;
    for (size_t i = 0; i < value->list->func.n; i++) need(w, value->list->func.items[i].name);
}

static void need_callees(struct needs *w, const struct sl_function_def *f) {
    for (size_t i = 0; i < f->def->node_def.n; i++) {
        const struct sl_pb_NodeDef *node = &f->def->node_def.items[i];
        need(w, node->op);
        for (size_t k = 0; k < node->attr.n; k++) need_attr(w, &node->attr.items[k].value);
    }
}

/* Finds them all; first of all `own`, which the gradient itself has made. */
static sl_code list_needed(struct sl_call_gradient *c, const struct sl_call_spec *spec, size_t n_own,
                           struct sl_function_def *const *own, struct sl_error *err) {
    struct needs w = {.graph = c->graph};
    for (size_t i = 0; i < n_own; i++) need(&w, own[i]->name);
    need(&w, spec->op->name);
    for (int i = 0; i < spec->attrs->n; i++) need_attr(&w, spec->attrs->items[i].value);
    for (size_t i = 0; i < w.found.n && !w.is_out_of_memory; i++) need_callees(&w, w.found.items[i]);
    c->needed = SL_ARENA_ARRAY(&c->graph->arena, struct sl_function_def *, w.found.n + 1);
    const bool is_listed = c->needed && !w.is_out_of_memory;
    if (is_listed && w.found.n) memcpy(c->needed, w.found.items, w.found.n * sizeof *c->needed);
    if (is_listed) c->n_needed = (int)w.found.n;
    sl_vec_free(&w.found);
    sl_str_map_free(&w.by_name);
    return is_listed ? SL_OK : sl_fail_memory(err, sizeof *c->needed);
}

static void take_back(void *arg, struct sl_call_gradient *c) {
    struct sl_execute_env *env = arg;
    env->take_back(env->publish_arg, c->needed, c->n_needed);
}

static sl_code publish(struct sl_execute_env *env, struct sl_call_gradient *c, const struct sl_call_spec *spec,
                       struct sl_error *err) {
    const size_t first = env->library->functions.n;
    for (size_t i = 0; i < c->graph->functions.n; i++) {
        struct sl_function_def *f = c->graph->functions.items[i];
        if (!sl_graph_function(env->library, f->name)) SL_TRY(sl_graph_add_function(env->library, f, err));
    }
    if (!env->publish) return SL_OK;
    const size_t n_own = env->library->functions.n - first;
    SL_TRY(list_needed(c, spec, n_own, &env->library->functions.items[first], err));
    SL_TRY(env->publish(env->publish_arg, c->needed, (int)n_own, c->n_needed, err));
    c->ends = take_back;
    c->ends_arg = env;
    return SL_OK;
}

static sl_code make_gradient(struct level *l, struct sl_execute_emitter *e, const struct sl_op *op,
                             struct sl_error *err) {
    uint8_t *types = SL_ARENA_ARRAY(&e->room.scratch, uint8_t, (size_t)l->n_inputs + 1);
    struct sl_shape *shapes = SL_ARENA_ARRAY(&e->room.scratch, struct sl_shape, (size_t)l->n_inputs + 1);
    if (!types || !shapes) return sl_fail_memory(err, (size_t)l->n_inputs * sizeof *shapes);
    for (int i = 0; i < l->n_inputs; i++) {
        types[i] = (uint8_t)e->base.dtype(&e->base, l->inputs[i]);
        shapes[i] = e->base.shape(&e->base, l->inputs[i]);
    }
    const struct sl_call_spec spec = {.library = e->env->library,
                                      .op = op,
                                      .attrs = l->attrs,
                                      .types = types,
                                      .shapes = shapes,
                                      .n_inputs = l->n_inputs,
                                      .find_rule = e->env->find_rule,
                                      .mark = e->env->mark};
    l->gradient = sl_call_cache_find(e->env, &spec);
    if (l->gradient) return SL_OK;
    sl_code code = sl_call_gradient_new(&l->gradient, &spec, &l->refusal);
    if (code == SL_RESOURCE_EXHAUSTED) return sl_fail(err, code, "%s", l->refusal.message);
    if (code != SL_OK) return SL_OK;
    code = publish(e->env, l->gradient, &spec, err);
    if (code != SL_OK) {
        sl_call_gradient_unref(l->gradient);
        l->gradient = NULL;
        return code;
    }
    sl_call_cache_add(e->env, &spec, l->gradient);
    return SL_OK;
}

/* The next level: the call as the gradient of this one wants it. */
static sl_code extend(struct level *next, struct sl_execute_emitter *e, const struct level *l, struct sl_error *err) {
    const struct sl_call_gradient *c = l->gradient;
    const struct sl_node *call = c->call;
    struct sl_term *terms = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term, c->graph->nodes.n + 1);
    struct sl_term *inputs = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term, (size_t)call->n_inputs + 1);
    if (!terms || !inputs) return sl_fail_memory(err, c->graph->nodes.n * sizeof *terms);
    for (int i = 0; i < c->n_x; i++) terms[c->x[i]->id] = l->inputs[i];
    SL_TRY(sl_execute_nodes(terms, e, c->before, c->n_before, err));
    for (int i = 0; i < call->n_inputs; i++) inputs[i] = sl_port_term(terms, call->inputs[i]);
    *next = (struct level){.attrs = &call->attrs, .inputs = inputs, .n_inputs = call->n_inputs};
    return SL_OK;
}

/* Runs the widest call, and gives each of the tapes its level, the innermost the first. */
static sl_code run_levels(struct sl_outcome **out, struct sl_execute_emitter *e, const struct sl_op *op,
                          struct level *levels, struct sl_recording **tapes, int n, struct sl_error *err) {
    int last = 0;
    for (; last < n; last++) {
        SL_TRY(make_gradient(&levels[last], e, op, err));
        if (!levels[last].gradient) break; /* further out there is none either */
        SL_TRY(extend(&levels[last + 1], e, &levels[last], err));
    }
    const struct level *widest = &levels[last];
    SL_TRY(sl_execute_silently(out, e, op, widest->attrs, widest->inputs, widest->n_inputs, err));
    const struct sl_traced **values =
        SL_ARENA_ARRAY(&e->room.scratch, const struct sl_traced *, (size_t)widest->n_inputs + 1);
    if (!values) return sl_fail_memory(err, (size_t)widest->n_inputs * sizeof *values);
    for (int i = 0; i < widest->n_inputs; i++) values[i] = sl_term_value(widest->inputs[i]);
    for (int i = 0; i < n; i++) {
        const struct level *l = &levels[i < last ? i : last];
        const struct sl_ran ran = {.op = op,
                                   .instance = (*out)->instance,
                                   .attrs = l->attrs,
                                   .inputs = values,
                                   .outputs = (*out)->outputs,
                                   .n_inputs = l->n_inputs,
                                   .n_outputs = (*out)->n,
                                   .call = l->gradient,
                                   .refusal = l->gradient ? NULL : &l->refusal};
        SL_TRY(sl_recording_add(tapes[i], &ran, err));
    }
    return SL_OK;
}

static bool follows_any(const struct sl_recording *tape, const struct sl_term *inputs, int n) {
    for (int i = 0; i < n; i++)
        if (sl_recording_follows(tape, sl_term_value(inputs[i]))) return true;
    return false;
}

sl_code sl_execute_call(struct sl_term *out, struct sl_execute_emitter *e, const struct sl_op *op,
                        const struct sl_attrs *bound, const struct sl_term *inputs, int n, struct sl_error *err) {
    struct sl_outcome *o;
    struct sl_recording **tapes = SL_ARENA_ARRAY(&e->room.scratch, struct sl_recording *, (size_t)e->n_tapes);
    struct level *levels = SL_ARENA_ARRAY(&e->room.scratch, struct level, (size_t)e->n_tapes + 1);
    int n_tapes = 0;
    if (!tapes || !levels) return sl_fail_memory(err, (size_t)e->n_tapes * sizeof *levels);
    for (int i = e->n_tapes; i-- > 0;)
        if (follows_any(e->tapes[i], inputs, n)) tapes[n_tapes++] = e->tapes[i];
    levels[0] = (struct level){.attrs = bound, .inputs = inputs, .n_inputs = n};
    sl_code code = run_levels(&o, e, op, levels, tapes, n_tapes, err);
    for (int i = 0; i < n_tapes; i++) sl_call_gradient_unref(levels[i].gradient);
    if (code == SL_OK) *out = (struct sl_term){o, 0};
    return code;
}

sl_code sl_execute_nodes(struct sl_term *terms, struct sl_execute_emitter *e, struct sl_node *const *nodes, int n,
                         struct sl_error *err) {
    for (int k = 0; k < n; k++) {
        const struct sl_node *node = nodes[k];
        struct sl_term *inputs = SL_ARENA_ARRAY(&e->room.scratch, struct sl_term, (size_t)node->n_inputs + 1);
        if (!inputs) return sl_fail_memory(err, (size_t)node->n_inputs * sizeof *inputs);
        for (int i = 0; i < node->n_inputs; i++) inputs[i] = sl_port_term(terms, node->inputs[i]);
        SL_TRY(sl_execute(&terms[node->id], e, node->op, &node->attrs, inputs, node->n_inputs, err));
    }
    return SL_OK;
}

/* ---- once more */
static bool repeats(const struct sl_graph *library, const struct sl_pb_AttrValue *value, int depth);

static bool function_repeats(const struct sl_graph *library, struct sl_str name, int depth) {
    enum { MOST_NESTED = 64 };
    const struct sl_function_def *f = sl_graph_function(library, name);
    const uint32_t effects = SL_OP_HIDDEN | SL_OP_DRAWS | SL_OP_WRITES_OUTSIDE | SL_OP_WAITS;
    if (!f || depth > MOST_NESTED) return false;
    for (size_t i = 0; i < f->def->node_def.n; i++) {
        const struct sl_pb_NodeDef *node = &f->def->node_def.items[i];
        const struct sl_op *op;
        if (sl_op_find(&op, library->registry, node->op, NULL) != SL_OK) {
            if (!function_repeats(library, node->op, depth + 1)) return false;
            continue;
        }
        if (op->writes || (op->facts & effects)) return false;
        for (size_t k = 0; k < node->attr.n; k++)
            if (!repeats(library, &node->attr.items[k].value, depth + 1)) return false;
    }
    return true;
}

/* Whether the functions that an attr names can run twice, and give the same. */
static bool repeats(const struct sl_graph *library, const struct sl_pb_AttrValue *value, int depth) {
    if (value->which == SL_PB_AttrValue_func) return function_repeats(library, value->func->name, depth);
    if (value->which != SL_PB_AttrValue_list || !value->list) return true;
    for (size_t i = 0; i < value->list->func.n; i++)
        if (!function_repeats(library, value->list->func.items[i].name, depth)) return false;
    return true;
}

sl_code sl_execute_call_again(struct sl_called_again *out, struct sl_execute_emitter *e, const struct sl_op *op,
                              struct sl_call_gradient *of, const struct sl_term *inputs, struct sl_error *err) {
    const struct level first = {.gradient = of, .inputs = inputs, .n_inputs = of->n_x};
    struct level extended, twice;
    *out = (struct sl_called_again){0};
    for (int i = 0; i < of->call->attrs.n; i++)
        if (!repeats(of->graph, of->call->attrs.items[i].value, 0))
            return sl_fail(
                err, SL_UNIMPLEMENTED,
                "The gradient by one tape of a gradient of op %.*s, which has effects or draws random numbers: "
                "use a tape for each",
                SL_STR_ARG(op->name));
    SL_TRY(extend(&extended, e, &first, err));
    SL_TRY(make_gradient(&extended, e, op, err));
    if (!extended.gradient) return sl_fail(err, extended.refusal.code, "%s", extended.refusal.message);
    out->gradient = extended.gradient;
    out->inputs = (struct sl_term *)extended.inputs;
    SL_TRY(extend(&twice, e, &extended, err));
    return sl_execute(&out->call, e, op, twice.attrs, twice.inputs, twice.n_inputs, err);
}
