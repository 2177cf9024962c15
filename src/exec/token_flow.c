/* Tokens on their way: what arrives where, frames and iterations that begin and end, dead tokens. The rules are those of TensorFlow's executor:
 *   - an ordinary node is dead when any input, data or control, is dead; it does not run and all its outputs are dead;
 *   - Merge runs on its first live input (once its control inputs have come), and is dead when all inputs are dead, or a dead one comes from
 *     an Enter; ControlTrigger is never dead;
 *   - a dead NextIteration goes nowhere; a dead Exit is passed on only when its frame ends, if it is of the newest iteration;
 *   - at most `parallel_iterations` iterations of a frame are alive; further NextIterations wait;
 *   - a constant Enter gives its value to every iteration.
 *
 * A node is ready when everything it waits for has arrived in its iteration. Called by run_tokens.c, with the step's lock held. */
#include "exec/token_step.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

void sl_token_step_fail(struct sl_token_step *s, const struct sl_error *err) {
    if (s->code != SL_OK) return;
    s->code = err->code;
    if (s->err) *s->err = *err;
    s->must_cancel = s->env->cancellation != NULL;
}

void sl_token_step_fail_memory(struct sl_token_step *s) {
    struct sl_error err = {0};
    sl_fail_memory(&err, sizeof(struct sl_iteration));
    sl_token_step_fail(s, &err);
}

/* ---- iterations and frames; all with the lock held */

static struct sl_iteration *new_iteration(struct sl_token_step *s, struct sl_live_frame *f, uint64_t index) {
    const struct sl_token_frame *info = &s->program->token_frames[f->number];
    struct sl_iteration *it = s->idle[f->number];
    if (it) {
        s->idle[f->number] = it->next;
        memset(it->counts, 0, info->n_counts * sizeof *it->counts);
    } else {
        size_t slots = sizeof *it + info->n_slots * sizeof(struct sl_value);
        it = sl_calloc(1, slots + info->n_counts * sizeof(struct sl_arrivals));
        if (!it) {
            sl_token_step_fail_memory(s);
            return NULL;
        }
        it->counts = (struct sl_arrivals *)((char *)it + slots);
    }
    it->index = index;
    it->running = it->n_children = 0;
    it->children = NULL;
    it->next = NULL;
    f->ring[index % f->ring_size] = it;
    f->alive++;
    if (index > f->newest) f->newest = index;
    return it;
}

struct sl_live_frame *sl_live_frame_new(struct sl_token_step *s, uint32_t number, struct sl_live_frame *parent,
                                        struct sl_iteration *in) {
    const struct sl_token_frame *info = &s->program->token_frames[number];
    struct sl_live_frame *f = sl_calloc(1, sizeof *f);
    if (f) f->ring = sl_calloc(info->parallel_iterations + 1, sizeof *f->ring);
    if (!f || !f->ring) {
        sl_free(f);
        sl_token_step_fail_memory(s);
        return NULL;
    }
    f->number = number;
    f->parent = parent;
    f->parent_iteration = in;
    if (in) f->id = sl_hash_mix(sl_hash_mix(parent->id, in->index), info->name_hash);
    f->ring_size = info->parallel_iterations + 1;
    f->missing_enters = info->n_enters;
    if (!new_iteration(s, f, 0)) {
        sl_free(f->ring);
        sl_free(f);
        return NULL;
    }
    if (in) {
        f->next_sibling = in->children;
        in->children = f;
        in->n_children++;
    }
    return f;
}

static void clear_slots(const struct sl_program *p, uint32_t frame, struct sl_iteration *it) {
    for (uint32_t i = 0; i < p->token_frames[frame].n_slots; i++) sl_value_clear(&it->slots[i]);
}

void sl_live_frame_free(struct sl_token_step *s, struct sl_live_frame *f) {
    for (uint32_t i = 0; i < f->ring_size; i++) {
        struct sl_iteration *it = f->ring[i];
        if (!it) continue;
        while (it->children) {
            struct sl_live_frame *child = it->children;
            it->children = child->next_sibling;
            sl_live_frame_free(s, child);
        }
        clear_slots(s->program, f->number, it);
        sl_free(it);
    }
    for (size_t i = 0; i < f->nexts.n; i++) sl_value_clear(&f->nexts.items[i].value);
    for (size_t i = 0; i < f->invariants.n; i++) sl_value_clear(&f->invariants.items[i].value);
    sl_vec_free(&f->nexts);
    sl_vec_free(&f->invariants);
    sl_vec_free(&f->dead_exits);
    sl_free(f->ring);
    sl_free(f);
}

static struct sl_live_frame *find_child(struct sl_token_step *s, struct sl_live_frame *f, struct sl_iteration *it,
                                        uint32_t number) {
    for (struct sl_live_frame *c = it->children; c; c = c->next_sibling)
        if (c->number == number) return c;
    return sl_live_frame_new(s, number, f, it);
}

/* ---- tokens arriving; all with the lock held */

void sl_node_make_ready(struct sl_token_step *s, const struct sl_token_node *node, struct sl_live_frame *f,
                        struct sl_iteration *it, bool is_dead) {
    if (s->queue.n == s->queue.cap) {
        size_t cap = s->queue.cap ? s->queue.cap * 2 : 64;
        struct sl_ready_node *items = sl_malloc(cap * sizeof *items);
        if (!items) {
            sl_token_step_fail_memory(s);
            return;
        }
        for (size_t i = 0; i < s->queue.n; i++) items[i] = s->queue.items[(s->queue.first + i) % s->queue.cap];
        sl_free(s->queue.items);
        s->queue.items = items;
        s->queue.first = 0;
        s->queue.cap = cap;
    }
    s->queue.items[(s->queue.first + s->queue.n++) % s->queue.cap] = (struct sl_ready_node){node, f, it, is_dead};
    s->outstanding++;
    it->running++;
}

static struct sl_arrivals *count_of(const struct sl_token_node *node, struct sl_iteration *it) {
    struct sl_arrivals *c = &it->counts[node->count];
    return c;
}

/* Counts start as zero in a fresh iteration: what is stored is how much has arrived, so nothing has to be initialised. */
static void arrive(struct sl_token_step *s, const struct sl_token_node *node, struct sl_live_frame *f,
                   struct sl_iteration *it, bool is_dead) {
    struct sl_arrivals *c = count_of(node, it);
    c->pending++;
    c->dead += is_dead;
    if (c->pending == node->pending) sl_node_make_ready(s, node, f, it, c->dead > 0 && node->flow != SL_TOKEN_TRIGGER);
}

/* Merge: bit 0 of `pending` is set once a live input has come; controls count by two. */
static void arrive_merge(struct sl_token_step *s, const struct sl_token_node *node, struct sl_live_frame *f,
                         struct sl_iteration *it, bool is_control, bool is_dead, bool from_enter) {
    struct sl_arrivals *c = count_of(node, it);
    uint32_t controls = node->pending - 1, arrived = c->pending & ~1u;
    bool has_live = c->pending & 1;
    bool was_dead_from_enter = c->dead >> 31;
    uint32_t dead = c->dead & ~(1u << 31);
    if (is_control) {
        c->pending += 2;
        if (arrived + 2 == controls && (has_live || dead == node->kernel->n_in || was_dead_from_enter))
            sl_node_make_ready(s, node, f, it, !has_live);
    } else if (!is_dead) {
        if (has_live) return;
        c->pending |= 1;
        if (arrived == controls) sl_node_make_ready(s, node, f, it, false);
    } else {
        dead++;
        c->dead = dead | (was_dead_from_enter || from_enter ? 1u << 31 : 0);
        if (!has_live && arrived == controls && (dead == node->kernel->n_in || from_enter))
            sl_node_make_ready(s, node, f, it, true);
    }
}

/* Gives the outputs of `from` to its readers in iteration `it`. `values` are moved away by the last reader. */
static void deliver(struct sl_token_step *s, const struct sl_token_node *from, struct sl_value *values, bool is_dead,
                    struct sl_live_frame *f, struct sl_iteration *it) {
    const struct sl_token_edge *e = s->program->token_edges + from->edges.first, *end = e + from->edges.n;
    for (; e < end; e++) {
        const struct sl_token_node *to = &s->program->token_nodes[e->to];
        bool is_control = e->input < 0, dead = is_dead;
        if (!is_control && !is_dead) {
            struct sl_value *v = &values[e->output];
            dead = v->kind == SL_VALUE_DEAD || v->kind == SL_VALUE_NONE;
            if (!dead) {
                struct sl_value *slot = &it->slots[to->in + (uint32_t)e->input];
                if (slot->kind > SL_VALUE_DEAD) sl_value_clear(slot); /* a second live input of a Merge */
                *slot = e->is_last ? sl_value_move(v) : sl_value_share(v);
            }
        }
        if (to->flow == SL_TOKEN_MERGE) arrive_merge(s, to, f, it, is_control, dead, from->flow == SL_TOKEN_ENTER);
        else arrive(s, to, f, it, dead);
    }
}

static void deliver_copy(struct sl_token_step *s, const struct sl_waiting_value *w, bool is_dead,
                         struct sl_live_frame *f, struct sl_iteration *it) {
    struct sl_value copy = sl_value_share(&w->value);
    deliver(s, w->node, &copy, is_dead, f, it);
    sl_value_clear(&copy);
}

static struct sl_iteration *start_iteration(struct sl_token_step *s, struct sl_live_frame *f) {
    struct sl_iteration *it = new_iteration(s, f, f->newest + 1);
    if (!it) return NULL;
    f->dead_exits.n = 0;
    for (size_t i = 0; i < f->invariants.n; i++)
        deliver_copy(s, &f->invariants.items[i], f->invariants.items[i].value.kind == SL_VALUE_DEAD, f, it);
    return it;
}

static void keep_waiting(struct sl_token_step *s, struct sl_live_frame *f, const struct sl_token_node *node,
                         struct sl_value *value, bool invariant) {
    struct sl_waiting_value w = {node, sl_value_move(value)};
    int failed = invariant ? sl_vec_push(&f->invariants, w) : sl_vec_push(&f->nexts, w);
    if (failed) {
        sl_value_clear(&w.value);
        sl_token_step_fail_memory(s);
    }
}

static void propagate_enter(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_value *values,
                            bool is_dead) {
    if (!r->node->child_frame) return;
    struct sl_live_frame *child = find_child(s, r->frame, r->iteration, r->node->child_frame);
    if (!child) return;
    if (r->node->is_constant_enter) {
        struct sl_value dead = {.kind = SL_VALUE_DEAD};
        keep_waiting(s, child, r->node, is_dead ? &dead : values, true);
        if (s->code != SL_OK) return;
        const struct sl_waiting_value w = child->invariants.items[child->invariants.n - 1];
        for (uint64_t i = 0; i < child->ring_size; i++)
            if (child->ring[i]) deliver_copy(s, &w, is_dead, child, child->ring[i]);
    } else {
        deliver(s, r->node, values, is_dead, child, child->ring[0]);
    }
    child->missing_enters--;
}

static void propagate_next(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_value *values,
                           bool is_dead) {
    struct sl_live_frame *f = r->frame;
    if (is_dead) return;
    struct sl_iteration *to;
    if (r->iteration->index == f->newest) {
        if (f->alive >= s->program->token_frames[f->number].parallel_iterations) {
            keep_waiting(s, f, r->node, values, false);
            return;
        }
        to = start_iteration(s, f);
    } else {
        to = f->ring[(r->iteration->index + 1) % f->ring_size];
    }
    if (to) deliver(s, r->node, values, false, f, to);
}

void sl_tokens_propagate(struct sl_token_step *s, const struct sl_ready_node *r, struct sl_value *values,
                         bool is_dead) {
    switch ((enum sl_token_flow)r->node->flow) {
    case SL_TOKEN_ENTER: propagate_enter(s, r, values, is_dead); break;
    case SL_TOKEN_NEXT: propagate_next(s, r, values, is_dead); break;
    case SL_TOKEN_EXIT:
        if (!is_dead) deliver(s, r->node, values, false, r->frame->parent, r->frame->parent_iteration);
        else if (r->iteration->index == r->frame->newest && sl_vec_push(&r->frame->dead_exits, r->node))
            sl_token_step_fail_memory(s);
        break;
    default: deliver(s, r->node, values, is_dead, r->frame, r->iteration);
    }
}

static void finish_frame(struct sl_token_step *s, struct sl_live_frame *f) {
    struct sl_live_frame *parent = f->parent;
    struct sl_iteration *in = f->parent_iteration;
    for (size_t i = 0; i < f->dead_exits.n; i++) deliver(s, f->dead_exits.items[i], NULL, true, parent, in);
    for (struct sl_live_frame **at = &in->children; *at; at = &(*at)->next_sibling)
        if (*at == f) {
            *at = f->next_sibling;
            break;
        }
    in->n_children--;
    sl_live_frame_free(s, f);
    sl_iterations_finish(s, parent, in);
}

void sl_iterations_finish(struct sl_token_step *s, struct sl_live_frame *f, struct sl_iteration *it) {
    while (it && !it->running && !it->n_children && s->code == SL_OK) {
        if (!f->parent) return; /* the root's only iteration ends with the step */
        uint64_t index = it->index;
        if (index == 0 ? f->missing_enters > 0 : f->ring[(index - 1) % f->ring_size] != NULL) return;
        f->ring[index % f->ring_size] = NULL;
        clear_slots(s->program, f->number, it);
        it->next = s->idle[f->number];
        s->idle[f->number] = it;
        f->alive--;
        if (f->nexts.n) {
            struct sl_iteration *fresh = start_iteration(s, f);
            for (size_t i = 0; i < f->nexts.n; i++) {
                if (fresh) deliver(s, f->nexts.items[i].node, &f->nexts.items[i].value, false, f, fresh);
                sl_value_clear(&f->nexts.items[i].value);
            }
            f->nexts.n = 0;
        }
        if (f->alive == 0) {
            if (!f->missing_enters) finish_frame(s, f);
            return;
        }
        it = f->ring[(index + 1) % f->ring_size];
        if (it && it->index != index + 1) it = NULL;
    }
}
