/* Places as emitters: what is added has its inputs brought to the place and is marked as being of it. */
#include "base/alloc.h"
#include "grad/graph/loop_gradient.h"
#include "grad/graph/walk.h"

static sl_code add(struct sl_term *out, struct sl_emitter *self, const struct sl_emission *what, struct sl_error *err) {
    struct sl_place *place = (struct sl_place *)self;
    struct sl_walk *w = place->walk;
    struct sl_emission brought = *what;
    struct sl_term *here = SL_ARENA_ARRAY(&w->arena, struct sl_term, (size_t)what->n_inputs + 1);
    if (!here) return sl_fail_memory(err, (size_t)what->n_inputs * sizeof *here);
    for (int i = 0; i < what->n_inputs; i++) SL_TRY(sl_walk_bring(&here[i], w, place, what->inputs[i]));
    brought.inputs = here;
    SL_TRY(sl_graph_emit(out, &place->emitter, &brought, err));
    sl_port_of(*out).node->mark = place;
    return SL_OK;
}

void sl_place_init(struct sl_place *place, struct sl_walk *w, struct sl_graph *graph, struct sl_str scope) {
    *place = (struct sl_place){.walk = w};
    sl_graph_emitter_init(&place->emitter, graph, scope, &w->arena);
    place->emitter.base.add = add;
}

sl_code sl_walk_emit(struct sl_term *out, struct sl_walk *w, struct sl_place *place, const char *op,
                     const struct sl_term *inputs, int n, const struct sl_attr *attrs, int n_attrs) {
    const struct sl_emission what = {sl_str_of(op), inputs, n, attrs, n_attrs};
    return add(out, &place->emitter.base, &what, w->err);
}

sl_code sl_walk_bring(struct sl_term *out, struct sl_walk *w, struct sl_place *place, struct sl_term term) {
    *out = term;
    if (!sl_term_is(term)) return sl_fail(w->err, SL_INTERNAL, "A gradient used a value that is not there");
    if (!w->has_loops && !w->capture) return SL_OK;
    return sl_loop_bring(out, w, place, sl_port_of(term));
}

/* ---- the words of rules, for the walk itself */
sl_code sl_walk_dense(struct sl_term *out, struct sl_walk *w, struct sl_place *place,
                      const struct sl_term_gradient *gradient) {
    (void)w;
    struct sl_node_rule g = sl_words_in(place);
    *out = sl_rule_dense(&g.base, gradient);
    return g.base.code;
}

sl_code sl_walk_zeros(struct sl_term *out, struct sl_walk *w, struct sl_place *place, struct sl_term like) {
    (void)w;
    struct sl_node_rule g = sl_words_in(place);
    *out = sl_rule_zeros(&g.base, like);
    return g.base.code;
}

sl_code sl_walk_number(struct sl_term *out, struct sl_place *place, int type, double value) {
    struct sl_node_rule g = sl_words_in(place);
    *out = sl_rule_number(&g.base, type, value);
    return g.base.code;
}
