/* Tokens on their way: what arrives where, frames and iterations that begin and end, dead tokens. The rules are
 * those of TensorFlow's executor:
 *   - an ordinary node is dead when any input, data or control, is dead; it does not run and all its outputs are dead;
 *   - Merge runs on its first live input (once its control inputs have come), and is dead when all inputs are dead, or
 *     a dead one comes from an Enter; ControlTrigger is never dead;
 *   - a dead NextIteration goes nowhere; a dead Exit is passed on only when its frame ends, if it is of the newest
 *     iteration;
 *   - at most `parallel_iterations` iterations of a frame are alive; further NextIterations wait;
 *   - a constant Enter gives its value to every iteration.
 *
 * A node is ready when everything it waits for has arrived in its iteration. The worker that delivers the last value
 * gets the node. An iteration cannot end while something may still deliver to it: a node that runs in it or in the
 * iteration before, an Enter that is still missing, a child frame. So only beginning and ending an iteration takes the
 * frame's lock; counts and slots need no lock. */
#include "exec/token_step.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

static void frame_lock(const struct sl_token_worker *worker, struct sl_live_frame *f) {
    if (worker->is_shared) sl_mutex_lock(&f->mutex);
}

static void frame_unlock(const struct sl_token_worker *worker, struct sl_live_frame *f) {
    if (worker->is_shared) sl_mutex_unlock(&f->mutex);
}

/* ---- iterations and frames; with the frame's lock held */

static struct sl_iteration *new_iteration(const struct sl_program *p, struct sl_live_frame *f, uint64_t index) {
    const struct sl_token_frame *info = &p->token_frames[f->number];
    struct sl_iteration *it = f->idle;
    if (it) {
        f->idle = it->next;
        memset((void *)it->counts, 0, info->n_counts * sizeof *it->counts);
    } else {
        size_t slots = sizeof *it + info->n_slots * sizeof(struct sl_value);
        it = sl_calloc(1, slots + info->n_counts * sizeof(sl_arrivals));
        if (!it) return NULL;
        it->counts = (sl_arrivals *)((char *)it + slots);
    }
    it->index = index;
    atomic_store_explicit(&it->running, 0, memory_order_relaxed);
    it->n_children = 0;
    it->children = NULL;
    it->next = NULL;
    f->ring[index % f->ring_size] = it;
    f->alive++;
    if (index > f->newest) f->newest = index;
    return it;
}

static struct sl_live_frame *new_frame(const struct sl_program *p, uint32_t number) {
    uint32_t ring_size = p->token_frames[number].parallel_iterations + 1;
    struct sl_live_frame *f = sl_calloc(1, sizeof *f + ring_size * sizeof *f->ring);
    if (!f) return NULL;
    f->number = number;
    f->ring_size = ring_size;
    sl_mutex_init(&f->mutex);
    return f;
}

static void clear_slots(const struct sl_program *p, uint32_t frame, struct sl_iteration *it) {
    for (uint32_t i = 0; i < p->token_frames[frame].n_slots; i++) sl_value_clear(&it->slots[i]);
}

static void frame_clear(struct sl_live_frame *f) {
    for (size_t i = 0; i < f->nexts.n; i++) sl_value_clear(&f->nexts.items[i].value);
    for (size_t i = 0; i < f->invariants.n; i++) sl_value_clear(&f->invariants.items[i].value);
    f->nexts.n = f->invariants.n = f->dead_exits.n = 0;
}

/* With all frames inside of it. */
static void frame_free(const struct sl_program *p, struct sl_live_frame *f) {
    for (uint32_t i = 0; i < f->ring_size; i++) {
        struct sl_iteration *it = f->ring[i];
        if (!it) continue;
        while (it->children) {
            struct sl_live_frame *child = it->children;
            it->children = child->next;
            frame_free(p, child);
        }
        clear_slots(p, f->number, it);
        sl_free(it);
    }
    while (f->idle) {
        struct sl_iteration *it = f->idle;
        f->idle = it->next;
        sl_free(it);
    }
    frame_clear(f);
    sl_vec_free(&f->nexts);
    sl_vec_free(&f->invariants);
    sl_vec_free(&f->dead_exits);
    sl_mutex_clear(&f->mutex);
    sl_free(f);
}

struct sl_live_frame *sl_live_frame_new_root(const struct sl_program *program) {
    struct sl_live_frame *f = new_frame(program, 0);
    if (f && new_iteration(program, f, 0)) return f;
    if (f) frame_free(program, f);
    return NULL;
}

void sl_live_frames_free(struct sl_token_step *s) {
    if (s->root) frame_free(s->program, s->root);
    for (uint32_t i = 0; s->idle && i < s->program->n_token_frames; i++)
        while (s->idle[i]) {
            struct sl_live_frame *f = s->idle[i];
            s->idle[i] = f->next;
            frame_free(s->program, f);
        }
}

/* An idle frame of this number, or a new one. */
static struct sl_live_frame *take_frame(struct sl_token_worker *worker, uint32_t number) {
    struct sl_token_step *s = worker->step;
    if (worker->is_shared) sl_mutex_lock(&s->mutex);
    struct sl_live_frame *f = s->idle[number];
    if (f) s->idle[number] = f->next;
    if (worker->is_shared) sl_mutex_unlock(&s->mutex);
    return f ? f : new_frame(s->program, number);
}

static void give_frame(struct sl_token_worker *worker, struct sl_live_frame *f) {
    struct sl_token_step *s = worker->step;
    frame_clear(f);
    if (worker->is_shared) sl_mutex_lock(&s->mutex);
    f->next = s->idle[f->number];
    s->idle[f->number] = f;
    if (worker->is_shared) sl_mutex_unlock(&s->mutex);
}

/* With the lock of `parent` held. NULL when memory is out; the step has failed then. */
static struct sl_live_frame *begin_frame(struct sl_token_worker *worker, uint32_t number, struct sl_live_frame *parent,
                                         struct sl_iteration *in) {
    const struct sl_token_frame *info = &worker->step->program->token_frames[number];
    struct sl_live_frame *f = take_frame(worker, number);
    if (f) {
        f->parent = parent;
        f->parent_iteration = in;
        f->id = sl_hash64_combine(parent->id, sl_hash64_combine(in->index, info->name_hash)); /* as TensorFlow's */
        f->missing_enters = info->n_enters;
        f->newest = 0;
        f->alive = 0;
        f->next = in->children;
    }
    if (!f || !new_iteration(worker->step->program, f, 0)) {
        if (f) give_frame(worker, f);
        sl_token_step_fail_memory(worker->step);
        return NULL;
    }
    in->children = f;
    in->n_children++;
    return f;
}

static struct sl_live_frame *find_child(struct sl_token_worker *worker, struct sl_live_frame *f,
                                        struct sl_iteration *it, uint32_t number) {
    struct sl_live_frame *child;
    frame_lock(worker, f);
    for (child = it->children; child; child = child->next)
        if (child->number == number) break;
    if (!child) child = begin_frame(worker, number, f, it);
    frame_unlock(worker, f);
    return child;
}

/* ---- tokens arriving */

static void make_ready(struct sl_token_worker *worker, const struct sl_token_node *node, struct sl_live_frame *f,
                       struct sl_iteration *it, bool is_dead) {
    if (sl_ready_push(&worker->ready, (struct sl_ready_node){node, f, it, is_dead})) {
        sl_token_step_fail_memory(worker->step);
        return;
    }
    if (!f->parent) return;
    if (it == worker->credit) {
        worker->credit = NULL;
    } else if (worker->is_shared) {
        atomic_fetch_add_explicit(&it->running, 1, memory_order_relaxed);
    } else {
        uint32_t n = atomic_load_explicit(&it->running, memory_order_relaxed);
        atomic_store_explicit(&it->running, n + 1, memory_order_relaxed);
    }
}

#define ARRIVED      UINT64_C(1)
#define ARRIVED_DEAD (UINT64_C(1) << 32)

/* Adds to what has arrived; returns what had before. (gcc 12 gets the sum wrong when it adds `what` again: it takes
 * one register for both.) */
static uint64_t add_arrival(const struct sl_token_worker *worker, sl_arrivals *count, uint64_t what) {
    if (worker->is_shared) return atomic_fetch_add_explicit(count, what, memory_order_acq_rel);
    uint64_t was = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, was + what, memory_order_relaxed);
    return was;
}

/* Counts start as zero in a fresh iteration: what is stored is how much has arrived, so nothing has to be
 * initialised. */
static void arrive(struct sl_token_worker *worker, const struct sl_token_node *node, struct sl_live_frame *f,
                   struct sl_iteration *it, bool is_dead) {
    uint64_t was = 0;
    if (node->pending > 1)
        was = add_arrival(worker, &it->counts[node->count], is_dead ? ARRIVED | ARRIVED_DEAD : ARRIVED);
    if ((uint32_t)was + 1 == node->pending)
        make_ready(worker, node, f, it, (is_dead || was >= ARRIVED_DEAD) && node->flow != SL_TOKEN_TRIGGER);
}

/* What has arrived at a Merge. A live input first takes the Merge for itself, then puts its value into its slot,
 * then is there. */
#define MERGE_IS_LIVE    UINT64_C(1)
#define MERGE_IS_TAKEN   UINT64_C(2)
#define MERGE_CONTROL    UINT64_C(4) /* one of them */
#define MERGE_DEAD       (UINT64_C(1) << 32)
#define MERGE_DEAD_ENTER (UINT64_C(1) << 63)

static bool has_all_controls(const struct sl_token_node *node, uint64_t arrived) {
    return (uint32_t)arrived / MERGE_CONTROL == (node->pending - 1) / 2;
}

static bool are_all_dead(const struct sl_token_node *node, uint64_t arrived) {
    return (arrived & ~MERGE_DEAD_ENTER) >> 32 == node->kernel->n_in;
}

/* Whether a live value is the first. */
static bool take_merge(const struct sl_token_worker *worker, sl_arrivals *count) {
    uint64_t was = atomic_load_explicit(count, memory_order_relaxed);
    if (was & MERGE_IS_TAKEN) return false;
    if (worker->is_shared)
        return !(atomic_fetch_or_explicit(count, MERGE_IS_TAKEN, memory_order_acq_rel) & MERGE_IS_TAKEN);
    atomic_store_explicit(count, was | MERGE_IS_TAKEN, memory_order_relaxed);
    return true;
}

/* Adds a dead input; returns what has arrived then. */
static uint64_t add_dead(const struct sl_token_worker *worker, sl_arrivals *count, bool is_enter) {
    uint64_t was = atomic_load_explicit(count, memory_order_relaxed), now;
    do {
        now = (was + MERGE_DEAD) | (is_enter ? MERGE_DEAD_ENTER : 0);
        if (!worker->is_shared) {
            atomic_store_explicit(count, now, memory_order_relaxed);
            break;
        }
    } while (!atomic_compare_exchange_weak_explicit(count, &was, now, memory_order_acq_rel, memory_order_relaxed));
    return now;
}

static void arrive_at_merge(struct sl_token_worker *worker, const struct sl_token_node *node, struct sl_live_frame *f,
                            struct sl_iteration *it, bool is_control, bool is_dead, bool is_enter) {
    sl_arrivals *count = &it->counts[node->count];
    if (is_control) {
        uint64_t now = add_arrival(worker, count, MERGE_CONTROL) + MERGE_CONTROL;
        bool is_live = now & MERGE_IS_LIVE;
        if (has_all_controls(node, now) && (is_live || are_all_dead(node, now) || now & MERGE_DEAD_ENTER))
            make_ready(worker, node, f, it, !is_live);
    } else if (!is_dead) {
        uint64_t now = add_arrival(worker, count, MERGE_IS_LIVE) + MERGE_IS_LIVE; /* once: it was taken */
        if (has_all_controls(node, now)) make_ready(worker, node, f, it, false);
    } else {
        uint64_t now = add_dead(worker, count, is_enter);
        if (!(now & MERGE_IS_LIVE) && has_all_controls(node, now) && (are_all_dead(node, now) || is_enter))
            make_ready(worker, node, f, it, true);
    }
}

/* Gives the outputs of `from` to its readers in iteration `it`. `values` are moved away by the last reader. */
static void deliver(struct sl_token_worker *worker, const struct sl_token_node *from, struct sl_value *values,
                    bool is_dead, struct sl_live_frame *f, struct sl_iteration *it) {
    const struct sl_program *p = worker->step->program;
    const struct sl_token_edge *e = p->token_edges + from->edges.first, *end = e + from->edges.n;
    for (; e < end; e++) {
        const struct sl_token_node *to = &p->token_nodes[e->to];
        bool is_control = e->input < 0, dead = is_dead, is_merge = to->flow == SL_TOKEN_MERGE;
        if (!is_control && !is_dead) {
            struct sl_value *v = &values[e->output];
            dead = v->kind == SL_VALUE_DEAD || v->kind == SL_VALUE_NONE;
            if (!dead) {
                if (is_merge && !take_merge(worker, &it->counts[to->count])) continue; /* a second live input */
                it->slots[to->in + (uint32_t)e->input] = e->is_last ? sl_value_move(v) : sl_value_share(v);
            }
        }
        if (is_merge) arrive_at_merge(worker, to, f, it, is_control, dead, from->flow == SL_TOKEN_ENTER);
        else arrive(worker, to, f, it, dead);
    }
}

static void deliver_copy(struct sl_token_worker *worker, const struct sl_waiting_value *w, struct sl_live_frame *f,
                         struct sl_iteration *it) {
    struct sl_value copy = sl_value_share(&w->value);
    deliver(worker, w->node, &copy, copy.kind == SL_VALUE_DEAD, f, it);
    sl_value_clear(&copy);
}

/* With the frame's lock held. */
static struct sl_iteration *start_iteration(struct sl_token_worker *worker, struct sl_live_frame *f) {
    struct sl_iteration *it = new_iteration(worker->step->program, f, f->newest + 1);
    if (!it) {
        sl_token_step_fail_memory(worker->step);
        return NULL;
    }
    f->dead_exits.n = 0;
    for (size_t i = 0; i < f->invariants.n; i++) deliver_copy(worker, &f->invariants.items[i], f, it);
    return it;
}

/* False when memory is out. With the frame's lock held. */
static bool keep_waiting(struct sl_token_worker *worker, struct sl_live_frame *f, const struct sl_token_node *node,
                         struct sl_value *value, bool invariant) {
    struct sl_waiting_value w = {node, sl_value_move(value)};
    int failed = invariant ? sl_vec_push(&f->invariants, w) : sl_vec_push(&f->nexts, w);
    if (!failed) return true;
    sl_value_clear(&w.value);
    sl_token_step_fail_memory(worker->step);
    return false;
}

/* ---- what ends; with the frame's lock held */

/* The frame is through: tells its parent, and is not there any more. Gives up its lock and takes that of the parent. */
static void finish_frame(struct sl_token_worker *worker, struct sl_live_frame *f) {
    struct sl_live_frame *parent = f->parent;
    struct sl_iteration *in = f->parent_iteration;
    for (size_t i = 0; i < f->dead_exits.n; i++) deliver(worker, f->dead_exits.items[i], NULL, true, parent, in);
    frame_unlock(worker, f);
    frame_lock(worker, parent);
    for (struct sl_live_frame **at = &in->children; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    in->n_children--;
    give_frame(worker, f);
}

static bool may_finish(const struct sl_live_frame *f, const struct sl_iteration *it) {
    if (!f->parent) return false; /* the root's only iteration ends with the step */
    if (atomic_load_explicit(&it->running, memory_order_acquire) || it->n_children) return false;
    return it->index == 0 ? f->missing_enters == 0 : f->ring[(it->index - 1) % f->ring_size] == NULL;
}

static void finish_iteration(struct sl_token_worker *worker, struct sl_live_frame *f, struct sl_iteration *it) {
    f->ring[it->index % f->ring_size] = NULL;
    clear_slots(worker->step->program, f->number, it);
    it->next = f->idle;
    f->idle = it;
    f->alive--;
    if (!f->nexts.n) return;
    struct sl_iteration *fresh = start_iteration(worker, f);
    for (size_t i = 0; i < f->nexts.n; i++) {
        if (fresh) deliver(worker, f->nexts.items[i].node, &f->nexts.items[i].value, false, f, fresh);
        sl_value_clear(&f->nexts.items[i].value);
    }
    f->nexts.n = 0;
}

/* Ends iterations in order, from `it` on, as long as nothing of them is left to do; and frames with their last one.
 * Gives up the lock. */
static void finish_iterations(struct sl_token_worker *worker, struct sl_live_frame *f, struct sl_iteration *it) {
    while (it && may_finish(f, it) && !sl_token_step_has_failed(worker->step)) {
        uint64_t next = it->index + 1;
        finish_iteration(worker, f, it);
        if (f->alive == 0) {
            struct sl_live_frame *parent = f->parent;
            it = f->parent_iteration;
            finish_frame(worker, f);
            f = parent;
        } else {
            it = f->ring[next % f->ring_size];
            if (it && it->index != next) it = NULL;
        }
    }
    frame_unlock(worker, f);
}

/* One node less runs in the iteration. The last one looks what ends, and holds the lock from before it is not
 * counted any more. */
static void leave_iteration(struct sl_token_worker *worker, struct sl_live_frame *f, struct sl_iteration *it) {
    uint32_t n = atomic_load_explicit(&it->running, memory_order_relaxed);
    if (!worker->is_shared) {
        atomic_store_explicit(&it->running, n - 1, memory_order_relaxed);
        if (n == 1) finish_iterations(worker, f, it);
        return;
    }
    while (n > 1)
        if (atomic_compare_exchange_weak_explicit(&it->running, &n, n - 1, memory_order_acq_rel, memory_order_relaxed))
            return;
    frame_lock(worker, f);
    if (atomic_fetch_sub_explicit(&it->running, 1, memory_order_acq_rel) == 1) finish_iterations(worker, f, it);
    else frame_unlock(worker, f);
}

/* ---- what a node gives */

static void propagate_enter(struct sl_token_worker *worker, const struct sl_ready_node *r, struct sl_value *values) {
    if (!r->node->child_frame) return;
    struct sl_live_frame *child = find_child(worker, r->frame, r->iteration, r->node->child_frame);
    if (!child) return;
    struct sl_iteration *first = child->ring[0]; /* stays until all enters have come */
    if (!r->node->is_constant_enter) deliver(worker, r->node, values, r->is_dead, child, first);
    frame_lock(worker, child);
    if (r->node->is_constant_enter) {
        struct sl_value dead = {.kind = SL_VALUE_DEAD};
        if (keep_waiting(worker, child, r->node, r->is_dead ? &dead : values, true)) {
            const struct sl_waiting_value w = child->invariants.items[child->invariants.n - 1];
            for (uint64_t i = 0; i < child->ring_size; i++)
                if (child->ring[i]) deliver_copy(worker, &w, child, child->ring[i]);
        }
    }
    child->missing_enters--;
    finish_iterations(worker, child, first);
}

static void propagate_next(struct sl_token_worker *worker, const struct sl_ready_node *r, struct sl_value *values) {
    struct sl_live_frame *f = r->frame;
    struct sl_iteration *to = NULL;
    if (r->is_dead) return;
    frame_lock(worker, f);
    if (r->iteration->index != f->newest) to = f->ring[(r->iteration->index + 1) % f->ring_size];
    else if (f->alive < worker->step->program->token_frames[f->number].parallel_iterations)
        to = start_iteration(worker, f);
    else keep_waiting(worker, f, r->node, values, false);
    frame_unlock(worker, f);
    if (to) deliver(worker, r->node, values, false, f, to);
}

static void propagate_exit(struct sl_token_worker *worker, const struct sl_ready_node *r, struct sl_value *values) {
    struct sl_live_frame *f = r->frame;
    if (!r->is_dead) {
        deliver(worker, r->node, values, false, f->parent, f->parent_iteration);
        return;
    }
    frame_lock(worker, f);
    if (r->iteration->index == f->newest && sl_vec_push(&f->dead_exits, r->node))
        sl_token_step_fail_memory(worker->step);
    frame_unlock(worker, f);
}

void sl_tokens_propagate(struct sl_token_worker *worker, const struct sl_ready_node *r, struct sl_value *values) {
    uint32_t n_out = r->node->kernel->n_out;
    worker->credit = r->frame->parent ? r->iteration : NULL;
    switch ((enum sl_token_flow)r->node->flow) {
    case SL_TOKEN_ENTER: propagate_enter(worker, r, values); break;
    case SL_TOKEN_NEXT: propagate_next(worker, r, values); break;
    case SL_TOKEN_EXIT: propagate_exit(worker, r, values); break;
    default: deliver(worker, r->node, values, r->is_dead, r->frame, r->iteration);
    }
    for (uint32_t o = 0; o < n_out; o++) sl_value_clear(&values[o]);
    if (!worker->credit) return;
    worker->credit = NULL;
    leave_iteration(worker, r->frame, r->iteration);
}
