/* Who holds memory: a tensor is there from when its node begins until the last node that reads it is through, or until the
 * end of the step when it is fetched. What lay there before the step (feeds, variables, constants) is counted apart. */
#include <stdlib.h>
#include <string.h>

#include "profile.h"

/* What an output of an event holds. */
struct life {
    int event, output;
    int64_t bytes;
    int64_t from_ns, to_ns;
    int reader; /* the event that read it last; -1: none */
    bool is_fetched;
};
struct lives {
    struct life *items;
    int n;
    int **of; /* by event and output: its life, -1: none */
};

static bool is_result_node(const struct stats_node *n) { return !strcmp(n->op, "_Retval"); }

/* The life of what `from` was at that time; NULL: it is not of this step. */
static struct life *life_of(const struct lives *l, const struct step_stats *s, struct stats_input from,
                            int64_t before_ns) {
    int slot = 0;
    const int e = step_stats_maker(&slot, s, from, before_ns);
    if (e < 0) return NULL;
    for (int o = 0; o < s->events[e].n_outputs; o++)
        if (s->events[e].outputs[o].slot == slot && l->of[e][o] >= 0) return &l->items[l->of[e][o]];
    return NULL;
}

/* Output `o` lies where an input lies: it lives on. */
static int life_taken_over(const struct lives *l, const struct step_stats *s, const struct stats_event *e, int o) {
    const struct stats_node *n = &s->nodes[e->node];
    for (int i = 0; i < n->n_inputs; i++) {
        const struct life *x = life_of(l, s, n->inputs[i], e->start_ns);
        if (x && s->events[x->event].outputs[x->output].address == e->outputs[o].address) return (int)(x - l->items);
    }
    return -1;
}

static void live_event(struct lives *l, const struct step_stats *s, int number) {
    const struct stats_event *e = &s->events[number];
    l->of[number] = must_allocate(NULL, ((size_t)e->n_outputs + 1) * sizeof *l->of[number]);
    for (int o = 0; o < e->n_outputs; o++) {
        const int64_t bytes = e->outputs[o].shape.bytes;
        int life = bytes && e->node >= 0 ? life_taken_over(l, s, e, o) : -1;
        if (life < 0 && e->made > 0 && bytes) {
            if (!(l->n & (l->n - 1)))
                l->items = must_allocate(l->items, (size_t)(l->n ? 2 * l->n : 1) * sizeof *l->items);
            l->items[l->n] = (struct life){number, o, bytes, e->start_ns, e->end_ns, -1, false};
            life = l->n++;
        }
        l->of[number][o] = life;
    }
    if (e->node < 0) return;
    for (int i = 0; i < s->nodes[e->node].n_inputs; i++) {
        struct life *x = life_of(l, s, s->nodes[e->node].inputs[i], e->start_ns);
        if (!x || e->end_ns < x->to_ns) continue;
        x->to_ns = e->end_ns;
        x->reader = number;
    }
}

struct change {
    int64_t ns, bytes;
};
static int by_time(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    if (x->ns != y->ns) return x->ns < y->ns ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* How much there is over time, and the most. Returns when that is. */
static int64_t add_up(struct profile_memory *m, const struct lives *l, int64_t begin_ns) {
    struct change *changes = must_allocate(NULL, (2 * (size_t)l->n + 1) * sizeof *changes);
    int64_t now = 0, peak_ns = begin_ns;
    for (int i = 0; i < l->n; i++) {
        changes[2 * i] = (struct change){l->items[i].from_ns, l->items[i].bytes};
        changes[2 * i + 1] = (struct change){l->items[i].to_ns, -l->items[i].bytes};
    }
    if (l->n) qsort(changes, 2 * (size_t)l->n, sizeof *changes, by_time);
    m->points = must_allocate(NULL, (2 * (size_t)l->n + 1) * sizeof *m->points);
    for (int i = 0; i < 2 * l->n; i++) {
        now += changes[i].bytes;
        m->points[m->n_points++] = (struct memory_point){(double)(changes[i].ns - begin_ns) / 1e3, now};
        if (now <= m->peak) continue;
        m->peak = now;
        peak_ns = changes[i].ns;
    }
    free(changes);
    return peak_ns;
}

static int by_bytes(const void *a, const void *b) {
    const struct profile_holder *x = a, *y = b;
    return (x->shape.bytes < y->shape.bytes) - (x->shape.bytes > y->shape.bytes);
}

static const char *name_of(const struct step_stats *s, const struct stats_event *e) {
    return e->node >= 0 ? s->nodes[e->node].name : e->name;
}

static void add_holders(struct profile_memory *m, const struct step_stats *s, const struct lives *l, int64_t at_ns,
                        int64_t begin_ns) {
    m->holders = must_allocate(NULL, ((size_t)l->n + 1) * sizeof *m->holders);
    for (int i = 0; i < l->n; i++) {
        const struct life *x = &l->items[i];
        const struct stats_event *e = &s->events[x->event];
        if (x->from_ns > at_ns || x->to_ns <= at_ns) continue;
        m->holders[m->n_holders++] =
            (struct profile_holder){.maker = name_of(s, e),
                                    .op = e->node >= 0 ? s->nodes[e->node].op : "",
                                    .reader = x->is_fetched || x->reader < 0 ? NULL : name_of(s, &s->events[x->reader]),
                                    .shape = e->outputs[x->output].shape,
                                    .from_us = (double)(x->from_ns - begin_ns) / 1e3,
                                    .to_us = (double)(x->to_ns - begin_ns) / 1e3,
                                    .idle_us = x->is_fetched || x->reader < 0
                                                   ? 0
                                                   : (double)(s->events[x->reader].start_ns - e->end_ns) / 1e3};
    }
    if (m->n_holders) qsort(m->holders, (size_t)m->n_holders, sizeof *m->holders, by_bytes);
}

static void keep_results(struct lives *l, const struct step_stats *s, int64_t end_ns) {
    for (int i = 0; i < s->n_nodes; i++) {
        if (!is_result_node(&s->nodes[i]) || !s->nodes[i].n_inputs) continue;
        struct life *x = life_of(l, s, s->nodes[i].inputs[0], end_ns);
        if (!x) continue;
        x->to_ns = end_ns;
        x->is_fetched = true;
    }
}

/* Constants of the graph that ran; variables by what was read of them. */
static void add_lasting(struct profile_memory *m, const struct step_stats *s) {
    struct stats_shape shape;
    for (int i = 0; i < s->n_nodes; i++) {
        const struct stats_node *n = &s->nodes[i];
        if (!strcmp(n->op, "Const")) {
            if (step_stats_shape(&shape, s, (struct stats_input){i, 0}, INT64_MIN)) m->constants += shape.bytes;
        } else if (!strcmp(n->op, "ReadVariableOp") && n->first_event >= 0) {
            const struct stats_event *e = &s->events[n->first_event];
            if (e->n_outputs) m->variables += e->outputs[0].shape.bytes;
        }
    }
}

void profile_find_memory(struct profile *p) {
    const struct step_stats *s = &p->stats;
    struct profile_memory *m = &p->memory;
    struct lives l = {0};
    if (!s->n_events) return;
    int64_t begin_ns = s->events[0].start_ns, end_ns = begin_ns;
    l.of = must_allocate(NULL, (size_t)s->n_events * sizeof *l.of);
    for (int i = 0; i < s->n_events; i++) {
        live_event(&l, s, i);
        if (s->events[i].end_ns > end_ns) end_ns = s->events[i].end_ns;
    }
    keep_results(&l, s, end_ns + 1);
    m->is_known = true;
    m->step_us = (double)(end_ns - begin_ns) / 1e3;
    const int64_t at_ns = add_up(m, &l, begin_ns);
    m->peak_us = (double)(at_ns - begin_ns) / 1e3;
    add_holders(m, s, &l, at_ns, begin_ns);
    add_lasting(m, s);
    for (int i = 0; i < s->n_events; i++) free(l.of[i]);
    free(l.of);
    free(l.items);
}
