/* The way back. A record's turn comes when all records that read what it gave have had theirs, so that its gradients
 * are complete; what was ready first is first. That is the order of the walk over a graph (grad/graph/walk.c), and
 * gradients that meet are added in that order. A rule runs through an executing emitter of the walk's own; what it made
 * goes when it is done, but for the gradients that it gave. */
#include "base/alloc.h"
#include "grad/rules.h"
#include "grad/sums.h"
#include "os/float_mode.h"
#include "tape/execute_call.h"
#include "tape/recorded.h"
#include "tape/recording.h"

struct backward;

/* A rule as it is applied to a record. */
struct tape_rule {
    struct sl_rule base; /* first */
    struct backward *b;
};

struct backward {
    struct sl_recording *tape;
    struct sl_execute_emitter e; /* of one rule at a time */
    struct tape_rule rule;       /* the one: what all records have in common is there from the start */
    const struct sl_recording_spec *spec;
    struct sl_emitter_room room; /* its arena is `arena` */
    struct sl_arena *arena;
    char scope_text[32];
    struct sl_str scope;
    int32_t n_records, n_slots;   /* when it began: it may be recorded itself */
    bool *leads, *is_x;           /* by slot: an x leads to it; it is one */
    bool *is_needed;              /* by slot: it leads to a y */
    struct sl_gradient_sum *sums; /* by slot; terms are kept (sl_term_keep) */
    int32_t *maker;               /* by slot: the record that it is an output of; -1: none */
    /* By record: how often records whose turn has not come read its outputs, of those between ys and xs; -1: it is not
     * between them itself. */
    int32_t *pending;
    int32_t *ready; /* records whose turn it is, one after the other */
    int32_t n_ready;
    struct sl_error *err;
};

/* ---- what the tape answers to rules */
static struct sl_emitter *emitter_of(struct sl_rule *g, struct sl_term t) {
    (void)g;
    (void)t;
    return NULL;
}

static void name(const struct sl_rule *g, struct sl_error *err) {
    sl_error_append(err, "op %.*s", SL_STR_ARG(g->op->name));
}

/* A tape of what the rule has emitted so far. */
static sl_code record_emitted(struct sl_recording *inner, struct tape_rule *rule) {
    const struct sl_execute_emitter *e = &rule->b->e;
    for (size_t k = 0; k < e->room.made.n; k++) {
        const struct sl_outcome *o = e->room.made.items[k];
        if (!o->instance) continue;
        const int n = (int)o->instance->node.n_in;
        const struct sl_traced **inputs = SL_ARENA_ARRAY(rule->b->arena, const struct sl_traced *, (size_t)n + 1);
        if (!inputs) return sl_fail_memory(rule->base.err, (size_t)n * sizeof *inputs);
        for (int i = 0; i < n; i++) inputs[i] = sl_term_value(o->inputs[i]);
        const struct sl_ran ran = {.op = o->instance->node.op,
                                   .instance = o->instance,
                                   .attrs = o->attrs,
                                   .inputs = inputs,
                                   .outputs = o->outputs,
                                   .n_inputs = n,
                                   .n_outputs = o->n};
        SL_TRY(sl_recording_add(inner, &ran, rule->base.err));
    }
    return SL_OK;
}

static sl_code derive(struct sl_rule *g, struct sl_term *dxs, const struct sl_term *xs, int n_xs,
                      const struct sl_term *ys, const struct sl_term *dys, int n_ys) {
    struct tape_rule *rule = (struct tape_rule *)g;
    const struct sl_recording_spec spec = {.ys = ys, .dys = dys, .xs = xs, .n_ys = n_ys, .n_xs = n_xs};
    struct sl_term_gradient *gradients = SL_ARENA_ARRAY(g->arena, struct sl_term_gradient, (size_t)n_xs + 1);
    struct sl_recording *inner;
    if (!gradients) return sl_fail_memory(g->err, (size_t)n_xs * sizeof *gradients);
    SL_TRY(sl_recording_new(&inner, rule->b->tape->env, false, g->err));
    sl_code code = SL_OK;
    for (int i = 0; i < n_xs && code == SL_OK; i++) code = sl_recording_watch(inner, sl_term_value(xs[i]), g->err);
    if (code == SL_OK) code = record_emitted(inner, rule);
    if (code == SL_OK) code = sl_recording_gradient(gradients, inner, &rule->b->e, &spec, g->err);
    for (int i = 0; i < n_xs && code == SL_OK; i++) dxs[i] = gradients[i].values;
    sl_recording_free(inner);
    return code;
}

static void begin_rule(struct backward *b) {
    static const struct sl_rule_home home = {emitter_of, derive, name};
    b->rule.b = b;
    b->rule.base = (struct sl_rule){.emitter = &b->e.base,
                                    .home = &home,
                                    .comes_from_far = true,
                                    .scope = b->scope,
                                    .arena = b->arena,
                                    .err = b->err};
}

/* ---- sums */
static void drop_gradient(const struct sl_term_gradient *gradient) {
    sl_term_drop(gradient->values);
    sl_term_drop(gradient->indices);
    sl_term_drop(gradient->dense_shape);
}

static void keep_gradient(const struct sl_term_gradient *gradient) {
    sl_term_keep(gradient->values);
    sl_term_keep(gradient->indices);
    sl_term_keep(gradient->dense_shape);
}

static void drop_sum(struct sl_gradient_sum *sum) {
    for (int i = 0; i < sum->n; i++) drop_gradient(&sum->items[i]);
    sum->n = 0;
}

static sl_code give(struct backward *b, int32_t slot, const struct sl_term_gradient *gradient) {
    SL_TRY(sl_sum_add(&b->sums[slot], b->arena, gradient, b->err));
    keep_gradient(gradient);
    return SL_OK;
}

/* The sum is kept in the place of what it is made of. */
static struct sl_term_gradient total(struct backward *b, struct sl_rule *g, int32_t slot) {
    struct sl_gradient_sum *sum = &b->sums[slot];
    if (sum->n < 2) return sum->n ? sum->items[0] : (struct sl_term_gradient){0};
    const int n = sum->n;
    const struct sl_term_gradient first = sum->items[0];
    struct sl_term_gradient all = sl_sum_total(sum, g, b->spec->sums_in_pairs);
    keep_gradient(&all);
    drop_gradient(&first);
    for (int i = 1; i < n; i++) drop_gradient(&sum->items[i]);
    return all;
}

/* ---- one record */
static sl_code fail_missing(const struct sl_rule *g) {
    return sl_fail(g->err, SL_NOT_FOUND,
                   "No gradient defined for op: %.*s. Nobody has registered one; what the op gives can be taken as a "
                   "constant, outside of the tape",
                   SL_STR_ARG(g->op->name));
}

static struct sl_term_gradient gradient_of(const struct sl_term *terms, const struct sl_gradient *dx) {
    return (struct sl_term_gradient){sl_port_term(terms, dx->values), sl_port_term(terms, dx->indices),
                                     sl_port_term(terms, dx->dense_shape)};
}

/* The nodes of a call's gradient, given the call's terms. */
static sl_code run_gradient(struct sl_rule *g, struct backward *b, const struct sl_call_gradient *c,
                            const struct sl_term *inputs, struct sl_term call) {
    struct sl_term *terms = SL_ARENA_ARRAY(b->arena, struct sl_term, c->graph->nodes.n + 1);
    if (!terms) return sl_fail_memory(g->err, c->graph->nodes.n * sizeof *terms);
    for (int i = 0; i < c->n_x; i++) terms[c->x[i]->id] = inputs[i];
    terms[c->call->id] = call;
    for (int i = 0; i < c->n_y; i++)
        if (c->dy[i]) terms[c->dy[i]->id] = sl_rule_dy(g, i);
    SL_TRY(g->code);
    SL_TRY(sl_execute_nodes(terms, &b->e, c->after, c->n_after, g->err));
    for (int i = 0; i < g->n_x; i++)
        if (g->wanted[i]) g->dx[i] = gradient_of(terms, &c->dx[i]);
    return SL_OK;
}

/* The gradient of a call: nodes that were made when it ran. One tape that takes the gradient of its own gradient asks by
 * values that were kept for the first one: the call, which gives them, runs once more. */
static sl_code run_call(struct sl_rule *g, struct backward *b, struct sl_call_gradient *c) {
    struct sl_called_again again;
    bool asks_kept = false;
    for (int i = c->n_y; i < g->n_y; i++) asks_kept |= sl_term_is(g->dy[i].values);
    if (!asks_kept) return run_gradient(g, b, c, g->x, g->y[0]);
    sl_code code = sl_execute_call_again(&again, &b->e, g->op, c, g->x, g->err);
    if (code == SL_OK) code = run_gradient(g, b, again.gradient, again.inputs, again.call);
    sl_call_gradient_unref(again.gradient);
    return code;
}

static sl_code run_rule(struct sl_rule *g, struct backward *b, const struct sl_recorded_op *r) {
    if (r->refusal) return sl_fail(g->err, r->refusal->code, "%s", r->refusal->message);
    if (r->call) return run_call(g, b, r->call);
    if (r->custom) {
        r->custom->rule(g, r->custom->arg);
        return g->code;
    }
    const struct sl_rule_row *row = g->op->index < SL_ROW_COUNT ? b->tape->env->own_rules[g->op->index] : NULL;
    if (sl_rule_kind(row) == SL_GRADIENT_MISSING) return fail_missing(g);
    row->rule(g);
    return g->code;
}

static sl_code fill_rule(struct backward *b, const struct sl_recorded_op *r) {
    const int n = r->n_inputs + r->n_outputs;
    const size_t each = sizeof(struct sl_term) + sizeof(struct sl_term_gradient);
    struct sl_term_gradient *gradients = sl_arena_alloc(b->arena, (size_t)n * each + (size_t)r->n_inputs);
    if (!gradients) return sl_fail_memory(b->err, (size_t)n * each);
    struct sl_term *terms = (struct sl_term *)(gradients + n), all;
    bool *wanted = (bool *)(terms + n);
    memset(gradients, 0, (size_t)n * sizeof *gradients);
    struct sl_rule *g = &b->rule.base;
    SL_TRY(sl_execute_bring(&all, &b->e, r->items, r->shapes, n, b->err));
    for (int i = 0; i < n; i++) terms[i] = (struct sl_term){all.of, i};
    for (int i = 0; i < r->n_inputs; i++) wanted[i] = r->slots[i] >= 0 && b->leads[r->slots[i]];
    g->op = r->op;
    g->attrs = r->attrs;
    g->n_x = r->n_inputs;
    g->n_y = r->n_outputs;
    g->x = terms;
    g->y = terms + r->n_inputs;
    g->dx = gradients;
    g->dy = gradients + r->n_inputs;
    g->wanted = wanted;
    return SL_OK;
}

static sl_code apply(struct backward *b, const struct sl_recorded_op *r) {
    struct sl_rule *g = &b->rule.base;
    SL_TRY(fill_rule(b, r));
    for (int i = 0; i < r->n_outputs; i++)
        if (r->slots[r->n_inputs + i] >= 0) g->dy[i] = total(b, g, r->slots[r->n_inputs + i]);
    SL_TRY(g->code);
    SL_TRY(run_rule(g, b, r));
    for (int i = 0; i < r->n_inputs; i++) {
        if (!g->wanted[i]) continue;
        SL_TRY(sl_rule_check_gradient(g, i));
        SL_TRY(give(b, r->slots[i], &g->dx[i]));
    }
    return SL_OK;
}

static bool has_dy(const struct backward *b, const struct sl_recorded_op *r) {
    for (int i = r->n_inputs; i < r->n_inputs + r->n_outputs; i++)
        if (r->slots[i] >= 0 && b->sums[r->slots[i]].n) return true;
    return false;
}

static sl_code visit(struct backward *b, struct sl_recorded_op *r) {
    sl_code code = has_dy(b, r) ? apply(b, r) : SL_OK;
    for (int i = r->n_inputs; i < r->n_inputs + r->n_outputs; i++)
        if (r->slots[i] >= 0 && !b->is_x[r->slots[i]]) drop_sum(&b->sums[r->slots[i]]);
    sl_execute_emitter_release(&b->e);
    if (!b->tape->is_persistent) sl_record_let_go(r);
    return code;
}

/* ---- which, and when */
static int32_t slot_of(const struct backward *b, struct sl_term t) {
    const struct sl_traced *value = sl_term_value(t);
    return sl_is_trainable(value->value.dtype) ? sl_recording_slot(b->tape, value->id) : -1;
}

static sl_code make_room(struct backward *b) {
    const size_t n = (size_t)b->n_slots + 1;
    b->leads = SL_ARENA_ARRAY(b->arena, bool, n);
    b->is_x = SL_ARENA_ARRAY(b->arena, bool, n);
    b->is_needed = SL_ARENA_ARRAY(b->arena, bool, n);
    b->sums = SL_ARENA_ARRAY(b->arena, struct sl_gradient_sum, n);
    b->maker = SL_ARENA_ARRAY(b->arena, int32_t, n);
    b->pending = SL_ARENA_ARRAY(b->arena, int32_t, 2 * (size_t)b->n_records + 1);
    if (!b->leads || !b->is_x || !b->is_needed || !b->sums || !b->maker || !b->pending)
        return sl_fail_memory(b->err, n * sizeof *b->sums);
    b->ready = b->pending + b->n_records;
    for (int32_t slot = 0; slot < b->n_slots; slot++) b->maker[slot] = -1;
    return SL_OK;
}

static bool any(const bool *marks, const int32_t *slots, int n) {
    for (int i = 0; i < n; i++)
        if (slots[i] >= 0 && marks[slots[i]]) return true;
    return false;
}

static void mark_all(bool *marks, const int32_t *slots, int n) {
    for (int i = 0; i < n; i++)
        if (slots[i] >= 0) marks[slots[i]] = true;
}

/* What the xs lead to, and what leads to the ys: an op stands behind those that made its inputs. */
static void find_between(struct backward *b) {
    struct sl_recorded_op *const *records = b->tape->records.items;
    for (int32_t k = 0; k < b->n_records; k++) {
        const struct sl_recorded_op *r = records[k];
        const int32_t *outputs = r->slots + r->n_inputs;
        if (any(b->leads, r->slots, r->n_inputs)) mark_all(b->leads, outputs, r->n_outputs);
        for (int i = 0; i < r->n_outputs; i++)
            if (outputs[i] >= 0) b->maker[outputs[i]] = k;
    }
    for (int32_t k = b->n_records; k-- > 0;) {
        const struct sl_recorded_op *r = records[k];
        bool is_needed = any(b->is_needed, r->slots + r->n_inputs, r->n_outputs);
        if (is_needed) mark_all(b->is_needed, r->slots, r->n_inputs);
        b->pending[k] = is_needed && any(b->leads, r->slots, r->n_inputs) ? 0 : -1;
    }
}

/* The record between that made input `i` of a record; -1: none. */
static int32_t maker_of(const struct backward *b, const struct sl_recorded_op *r, int i) {
    int32_t maker = r->slots[i] >= 0 ? b->maker[r->slots[i]] : -1;
    return maker >= 0 && b->pending[maker] >= 0 ? maker : -1;
}

static void count_reads(struct backward *b) {
    for (int32_t k = 0; k < b->n_records; k++) {
        const struct sl_recorded_op *r = b->tape->records.items[k];
        for (int i = 0; i < r->n_inputs && b->pending[k] >= 0; i++) {
            int32_t maker = maker_of(b, r, i);
            if (maker >= 0) b->pending[maker]++;
        }
    }
    for (int32_t k = 0; k < b->n_records; k++)
        if (b->pending[k] == 0) b->ready[b->n_ready++] = k;
}

static void settle_reads(struct backward *b, const struct sl_recorded_op *r) {
    for (int i = 0; i < r->n_inputs; i++) {
        int32_t maker = maker_of(b, r, i);
        if (maker >= 0 && --b->pending[maker] == 0) b->ready[b->n_ready++] = maker;
    }
}

/* "gradients_N". */
static void name_scope(struct backward *b, uint64_t n) {
    char *end = b->scope_text + sizeof b->scope_text, *at = end;
    do *--at = (char)('0' + n % 10);
    while (n /= 10);
    at -= sizeof "gradients_" - 1;
    memcpy(at, "gradients_", sizeof "gradients_" - 1);
    b->scope = (struct sl_str){at, (size_t)(end - at)};
}

static sl_code prepare(struct backward *b) {
    struct sl_recording *tape = b->tape;
    if (tape->records.n > INT32_MAX) return sl_fail(b->err, SL_RESOURCE_EXHAUSTED, "A tape has too many records");
    b->n_records = (int32_t)tape->records.n;
    b->n_slots = tape->n_slots;
    SL_TRY(make_room(b));
    name_scope(b, tape->env->own_gradients++);
    begin_rule(b);
    for (int i = 0; i < b->spec->n_xs; i++) {
        int32_t slot = slot_of(b, b->spec->xs[i]);
        if (slot >= 0) b->leads[slot] = b->is_x[slot] = true;
    }
    for (int i = 0; i < b->spec->n_ys; i++) {
        int32_t slot = slot_of(b, b->spec->ys[i]);
        if (slot >= 0) b->is_needed[slot] = true;
    }
    find_between(b);
    count_reads(b);
    return SL_OK;
}

/* ---- all of them */
static sl_code give_first(struct backward *b, int i) {
    const struct sl_recording_spec *spec = b->spec;
    int32_t slot = slot_of(b, spec->ys[i]);
    struct sl_rule *g = &b->rule.base;
    if (slot < 0 || !b->leads[slot]) return SL_OK;
    struct sl_term_gradient dy = {.values = spec->dys ? spec->dys[i] : SL_NO_TERM};
    if (!sl_term_is(dy.values)) dy.values = sl_rule_emit(g, "OnesLike", &spec->ys[i], 1, NULL, 0);
    SL_TRY(g->code);
    return give(b, slot, &dy);
}

static sl_code take_last(struct sl_term_gradient *out, struct backward *b, int i) {
    struct sl_rule *g = &b->rule.base;
    struct sl_term_gradient dx = {0};
    int32_t slot = slot_of(b, b->spec->xs[i]);
    if (slot >= 0) dx = total(b, g, slot);
    if (!sl_term_is(dx.values) && b->spec->gives_zeros) dx.values = sl_rule_zeros(g, b->spec->xs[i]);
    if (sl_term_is(dx.indices) && !b->spec->keeps_slices)
        dx = (struct sl_term_gradient){.values = sl_rule_dense(g, &dx)};
    SL_TRY(g->code);
    keep_gradient(&dx);
    *out = dx;
    return SL_OK;
}

static sl_code go_back(struct sl_term_gradient *dxs, struct backward *b) {
    SL_TRY(prepare(b));
    for (int i = 0; i < b->spec->n_ys; i++) SL_TRY(give_first(b, i));
    for (int32_t k = 0; k < b->n_records && !b->tape->is_persistent; k++)
        if (b->pending[k] < 0) sl_record_let_go(b->tape->records.items[k]);
    for (int32_t at = 0; at < b->n_ready; at++) {
        struct sl_recorded_op *r = b->tape->records.items[b->ready[at]];
        SL_TRY(visit(b, r));
        settle_reads(b, r);
    }
    for (int i = 0; i < b->spec->n_xs; i++) SL_TRY(take_last(&dxs[i], b, i));
    return SL_OK;
}

sl_code sl_recording_gradient(struct sl_term_gradient *dxs, struct sl_recording *tape, struct sl_execute_emitter *e,
                              const struct sl_recording_spec *spec, struct sl_error *err) {
    struct backward b = {.tape = tape, .spec = spec, .err = err};
    SL_TRY(sl_recording_check(tape, err));
    tape->is_used = !tape->is_persistent;
    for (int i = 0; i < spec->n_xs; i++) dxs[i] = (struct sl_term_gradient){0};
    b.room = sl_execute_take_room(e->env);
    b.arena = &b.room.scratch;
    sl_execute_emitter_init(&b.e, e->env);
    b.e.tapes = e->tapes;
    b.e.n_tapes = e->n_tapes;
    b.e.batch = e->batch;
    const uint64_t mode = sl_float_mode_enter(); /* once, and not by each kernel */
    sl_code code = go_back(dxs, &b);
    sl_float_mode_leave(mode);
    for (int i = 0; i < spec->n_xs; i++) {
        struct sl_term terms[] = {dxs[i].values, dxs[i].indices, dxs[i].dense_shape};
        for (int k = 0; k < 3; k++) {
            if (code == SL_OK) code = sl_term_hand_over(e, terms[k], err);
            else sl_term_drop(terms[k]);
        }
    }
    for (int32_t slot = 0; slot < b.n_slots && b.sums; slot++) drop_sum(&b.sums[slot]);
    sl_execute_emitter_clear(&b.e);
    sl_execute_give_room(e->env, &b.room);
    return code;
}
