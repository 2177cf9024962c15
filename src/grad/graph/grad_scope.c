/* Scopes as emitters: what is added has its inputs brought to the scope and is marked as being of it. */
#include "base/alloc.h"
#include "grad/graph/loop_gradient.h"
#include "grad/graph/walk.h"

static sl_code add(struct sl_term *out, struct sl_emitter *self, const struct sl_emission *what, struct sl_error *err) {
    struct sl_grad_scope *scope = (struct sl_grad_scope *)self;
    struct sl_walk *w = scope->walk;
    struct sl_emission brought = *what;
    struct sl_term *here = SL_ARENA_ARRAY(&w->arena, struct sl_term, (size_t)what->n_inputs + 1);
    if (!here) return sl_fail_memory(err, (size_t)what->n_inputs * sizeof *here);
    for (int i = 0; i < what->n_inputs; i++) SL_TRY(sl_walk_bring(&here[i], w, scope, what->inputs[i]));
    brought.inputs = here;
    SL_TRY(sl_graph_emit(out, &scope->emitter, &brought, err));
    sl_port_of(*out).node->mark = scope;
    return SL_OK;
}

void sl_grad_scope_init(struct sl_grad_scope *scope, struct sl_walk *w, struct sl_graph *graph, struct sl_str prefix) {
    *scope = (struct sl_grad_scope){.walk = w};
    sl_graph_emitter_init(&scope->emitter, graph, prefix, &w->arena);
    scope->emitter.base.add = add;
}

sl_code sl_walk_emit(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, const char *op,
                     const struct sl_term *inputs, int n, const struct sl_attr *attrs, int n_attrs) {
    const struct sl_emission what = {sl_str_of(op), inputs, n, attrs, n_attrs};
    return add(out, &scope->emitter.base, &what, w->err);
}

sl_code sl_walk_bring(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_term term) {
    *out = term;
    if (!sl_term_is(term)) return sl_fail(w->err, SL_INTERNAL, "A gradient used a value that is not there");
    if (!w->has_loops && !w->capture) return SL_OK;
    return sl_loop_bring(out, w, scope, sl_port_of(term));
}

/* ---- the words of rules, for the walk itself */
sl_code sl_walk_dense(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope,
                      const struct sl_term_gradient *gradient) {
    (void)w;
    struct sl_node_rule g = sl_words_in(scope);
    *out = sl_rule_dense(&g.base, gradient);
    return g.base.code;
}

sl_code sl_walk_zeros(struct sl_term *out, struct sl_walk *w, struct sl_grad_scope *scope, struct sl_term like) {
    (void)w;
    struct sl_node_rule g = sl_words_in(scope);
    *out = sl_rule_zeros(&g.base, like);
    return g.base.code;
}

sl_code sl_walk_number(struct sl_term *out, struct sl_grad_scope *scope, int type, double value) {
    struct sl_node_rule g = sl_words_in(scope);
    *out = sl_rule_number(&g.base, type, value);
    return g.base.code;
}
