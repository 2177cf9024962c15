/* How little goes between devices. For random programs placed at random, counted in the parts that they are cut into
 * and again while these run, by a rendezvous that counts:
 *   - one pair of _Send and _Recv for each output (or control output) and device where somebody reads it, and no other;
 *   - a loop costs one boolean more for each device that takes part, and sends it once an iteration;
 *   - each pair of a loop carries one message for each iteration, dead or alive. */
#include <stdatomic.h>
#include <stdlib.h>

#include "exec/part.h"
#include "kernel/cancellation.h"
#include "kernel/rendezvous.h"
#include "ops/op_row.h"
#include "unit/session/cut_graph.h"
#include "unit/session/random_program.h"

/* ---- a rendezvous that counts */

struct message {
    uint32_t pair;
    uint64_t frame, iteration;
};

struct counter {
    struct sl_rendezvous base, *inner;
    struct message *sent; /* one thread runs all parts */
    size_t n_sent, cap, n_taken;
};

static sl_code put(struct sl_rendezvous *self, const struct sl_rendezvous_key *key, struct sl_value *value,
                   struct sl_error *err) {
    struct counter *c = (struct counter *)self;
    if (c->n_sent == c->cap) {
        c->cap = c->cap * 2 + 16;
        c->sent = realloc(c->sent, c->cap * sizeof *c->sent);
    }
    c->sent[c->n_sent++] = (struct message){key->pair->number, key->frame, key->iteration};
    return c->inner->put(c->inner, key, value, err);
}

static void take(struct sl_rendezvous *self, struct sl_waiter *waiter) {
    struct counter *c = (struct counter *)self;
    c->n_taken++;
    c->inner->take(c->inner, waiter);
}

static int by_pair(const void *left, const void *right) {
    const struct message *a = left, *b = right;
    if (a->pair != b->pair) return a->pair < b->pair ? -1 : 1;
    if (a->frame != b->frame) return a->frame < b->frame ? -1 : 1;
    return a->iteration < b->iteration ? -1 : a->iteration > b->iteration;
}

/* ---- running the parts */

struct ending {
    atomic_int unfinished;
    struct sl_run_queue *queue;
};

static void part_done(void *arg, sl_code code) {
    struct ending *e = arg;
    assert_int_equal(code, SL_OK);
    if (atomic_fetch_sub(&e->unfinished, 1) == 1) sl_run_queue_end(e->queue);
}

/* Sorted messages in `c`, whose memory is the caller's. */
static void run(struct counter *c, struct cut_graph *s, int n_results) {
    struct sl_program *programs[RANDOM_DEVICES];
    struct sl_step_env envs[RANDOM_DEVICES];
    struct sl_error errs[RANDOM_DEVICES] = {0};
    struct sl_value *results = calloc((size_t)n_results, sizeof *results);
    struct sl_cancellation *cancellation;
    struct ending ending = {.unfinished = s->parts.n, .queue = sl_run_queue_new(NULL)};
    const struct sl_part_owner owner = {.queue = ending.queue, .done = part_done, .arg = &ending};
    struct sl_token_step *steps[RANDOM_DEVICES];
    *c = (struct counter){.base = {.put = put, .take = take}};
    sl_run_queue_enter(ending.queue);
    assert_ok(s->err, sl_cancellation_new(&cancellation, NULL, &s->err));
    assert_ok(s->err, sl_rendezvous_new(&c->inner, s->parts.n_pairs, cancellation, &s->err));
    for (int p = 0; p < s->parts.n; p++) {
        programs[p] = cut_graph_compile(s, p);
        envs[p] =
            (struct sl_step_env){.cancellation = cancellation, .rendezvous = &c->base, .device = programs[p]->device};
        struct sl_value *rets = programs[p]->n_rets ? results : NULL;
        assert_ok(s->err, sl_part_start(&steps[p], programs[p], &envs[p], NULL, rets, &owner, &errs[p]));
    }
    sl_run_queue_wait(ending.queue, cancellation);
    for (int p = 0; p < s->parts.n; p++) sl_part_release(steps[p]);
    for (int i = 0; i < n_results; i++) sl_value_clear(&results[i]);
    free(results);
    for (int p = 0; p < s->parts.n; p++) sl_program_free(programs[p]);
    sl_run_queue_unref(ending.queue);
    sl_rendezvous_free(c->inner);
    sl_cancellation_free(cancellation);
    if (c->n_sent) qsort(c->sent, c->n_sent, sizeof *c->sent, by_pair);
}

/* ---- what should be sent */

static bool is_transfer(const struct sl_node *n) {
    return sl_str_is(n->op->name, "_Send") || sl_str_is(n->op->name, "_Recv");
}

/* The part that has this node of the graph that was cut. */
static int part_of(const struct cut_graph *s, const struct sl_node *n) {
    for (int p = 0; p < s->parts.n; p++) {
        const struct sl_node *found = sl_graph_find(s->parts.items[p].graph, n->name);
        if (found && found->op == n->op && !is_transfer(found)) return p;
    }
    fail_msg("%.*s is in no part", SL_STR_ARG(n->name));
    return -1;
}

/* Every (node, output, device) once; output -1 is control. */
struct wanted {
    const struct sl_node *from;
    int index, part;
    bool is_for_loop; /* only a loop of the device's own reads it */
};

struct wishes {
    struct wanted *items;
    int n, cap;
};

static void want(struct wishes *w, const struct sl_node *from, int index, int part, bool is_for_loop) {
    for (int i = 0; i < w->n; i++)
        if (w->items[i].from == from && w->items[i].index == index && w->items[i].part == part) {
            w->items[i].is_for_loop = w->items[i].is_for_loop && is_for_loop;
            return;
        }
    if (w->n == w->cap) w->items = realloc(w->items, (size_t)(w->cap = w->cap * 2 + 16) * sizeof *w->items);
    w->items[w->n++] = (struct wanted){from, index, part, is_for_loop};
}

static struct wishes wishes_of(const struct cut_graph *s, const int *parts) {
    struct wishes w = {NULL, 0, 0};
    SL_GRAPH_EACH(n, s->graph) {
        bool is_for_loop = n->name.n > 6 && !memcmp(n->name.p, "_cloop", 6);
        int here = parts[n->id];
        for (int i = 0; i < n->n_inputs; i++)
            if (parts[n->inputs[i].node->id] != here)
                want(&w, n->inputs[i].node, n->inputs[i].index, here, is_for_loop);
        for (int i = 0; i < n->n_controls; i++)
            if (parts[n->controls[i]->id] != here) want(&w, n->controls[i], -1, here, is_for_loop);
    }
    return w;
}

static int64_t pair_number(const struct sl_node *transfer) {
    int64_t number = -1;
    struct sl_error err = {0};
    assert_ok(err, sl_attr_int(&number, &transfer->attrs, "_pair", &err));
    return number;
}

static const struct sl_node *send_of(const struct cut_graph *s, int64_t pair) {
    for (int p = 0; p < s->parts.n; p++) SL_GRAPH_EACH(n, s->parts.items[p].graph) {
            if (sl_str_is(n->op->name, "_Send") && pair_number(n) == pair) return n;
        }
    fail_msg("nobody sends pair %d", (int)pair);
    return NULL;
}

/* The pair that does what is wanted: its _Recv is on that device, and its _Send has the value. */
static uint32_t pair_of(const struct cut_graph *s, const struct wanted *wish) {
    uint32_t pair = UINT32_MAX;
    SL_GRAPH_EACH(n, s->parts.items[wish->part].graph) {
        struct sl_str name;
        struct sl_error err = {0};
        char text[300];
        if (!sl_str_is(n->op->name, "_Recv")) continue;
        int64_t number = pair_number(n);
        assert_ok(err, sl_attr_string(&name, &n->attrs, "tensor_name", &err));
        snprintf(text, sizeof text, "edge_%d_%.*s", (int)number, SL_STR_ARG(wish->from->name));
        if (!sl_str_is(name, text)) continue;
        struct sl_port sent = send_of(s, number)->inputs[0];
        int index = sl_str_eq(sent.node->name, wish->from->name) ? sent.index : -1;
        if (index != wish->index) continue;
        assert_int_equal(pair, UINT32_MAX); /* no second one */
        pair = (uint32_t)number;
    }
    if (pair == UINT32_MAX)
        fail_msg("%.*s:%d is not sent to part %d", SL_STR_ARG(wish->from->name), wish->index, wish->part);
    return pair;
}

/* The messages of a pair. */
static struct message *messages_of(const struct counter *c, uint32_t pair, size_t *n) {
    size_t first = 0, end;
    while (first < c->n_sent && c->sent[first].pair < pair) first++;
    for (end = first; end < c->n_sent && c->sent[end].pair == pair;) end++;
    *n = end - first;
    return c->sent + first;
}

static void check_messages(const struct cut_graph *s, const struct counter *c, const struct wishes *w,
                           const struct sl_frames *frames, long seed) {
    const struct message **of_frame = calloc((size_t)frames->n, sizeof *of_frame);
    size_t *n_of_frame = calloc((size_t)frames->n, sizeof *n_of_frame);
    for (int i = 0; i < w->n; i++) {
        int frame = frames->of_node[w->items[i].from->id];
        if (sl_flow_kind_of(w->items[i].from->op) == SL_FLOW_EXIT) frame = frames->frames[frame].parent;
        size_t n;
        const struct message *m = messages_of(c, pair_of(s, &w->items[i]), &n);
        if (frame == 0 && n != 1) fail_msg("seed %ld: %zu messages of one node", seed, n);
        if (n == 0) fail_msg("seed %ld: nothing was sent from a loop", seed);
        for (size_t k = 1; k < n; k++)
            if (!by_pair(&m[k - 1], &m[k])) fail_msg("seed %ld: the same message twice", seed);
        if (of_frame[frame] && n_of_frame[frame] != n)
            fail_msg("seed %ld: %zu and %zu messages in one frame", seed, n, n_of_frame[frame]);
        for (size_t k = 0; k < n && of_frame[frame]; k++)
            assert_true(m[k].frame == of_frame[frame][k].frame && m[k].iteration == of_frame[frame][k].iteration);
        of_frame[frame] = m;
        n_of_frame[frame] = n;
    }
    free(of_frame);
    free(n_of_frame);
}

/* Transfers of a cut graph. How many of them there are for loops alone. */
static int check_transfers(struct cut_graph *s, int n_results, long seed) {
    int *parts = calloc(s->graph->nodes.n, sizeof *parts), n_recvs = 0, n_for_loops = 0;
    struct sl_frames frames;
    struct counter c;
    SL_GRAPH_EACH(n, s->graph) parts[n->id] = part_of(s, n);
    struct wishes w = wishes_of(s, parts);
    for (int p = 0; p < s->parts.n; p++) SL_GRAPH_EACH(n, s->parts.items[p].graph) {
            if (!sl_str_is(n->op->name, "_Recv")) continue;
            n_recvs++;
            assert_true(n->uses.n > 0);
        }
    if (n_recvs != w.n || s->parts.n_pairs != (uint32_t)w.n)
        fail_msg("seed %ld: %d _Recv where %d are needed", seed, n_recvs, w.n);
    for (int i = 0; i < w.n; i++) {
        if (w.items[i].is_for_loop && !sl_str_is(w.items[i].from->op->name, "LoopCond"))
            fail_msg("seed %ld: a loop of a device's own reads %.*s", seed, SL_STR_ARG(w.items[i].from->name));
        n_for_loops += w.items[i].is_for_loop;
    }
    assert_ok(s->err, sl_graph_frames(&frames, s->graph, &s->arena, &s->err));
    run(&c, s, n_results);
    assert_int_equal(c.n_sent, c.n_taken);
    check_messages(s, &c, &w, &frames, seed);
    free(c.sent);
    free(w.items);
    free(parts);
    return n_for_loops;
}

static void random_programs_send_no_more_than_is_read(void **state) {
    (void)state;
    int n_loops = 0, n_cut = 0;
    const char *many = getenv("SL_RANDOM_PROGRAMS"), *first = getenv("SL_RANDOM_SEED");
    long n = many ? atol(many) : 2000, start = first ? atol(first) : 1;
    for (long seed = start; seed < start + n; seed++) {
        struct random_program p;
        struct cut_graph s;
        const struct sl_registries *registries;
        struct sl_error err = {0};
        assert_ok(err, sl_root_registries(&registries, &err));
        random_program_make(&p, registries->ops, seed, SL_INT32);
        if (p.n) {
            const struct sl_prune_request request = {.fetches = p.fetches,
                                                     .n_fetches = p.n,
                                                     .n_nodes = p.graph->nodes.n};
            cut_graph_init(&s, &request, 2 + (int)(seed % (RANDOM_DEVICES - 1)));
            if (s.parts.n > 1) n_loops += check_transfers(&s, p.n, seed), n_cut++;
            cut_graph_clear(&s);
        }
        random_program_clear(&p);
    }
    print_message("%d programs cut, %d loops of devices' own\n", n_cut, n_loops);
    assert_true(n < 100 || (n_cut * 2 > n && n_loops * 4 > n));
}

#define INT(v) "dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: " #v " }\n"
#define OF_INT "T type: DT_INT32"
#define COUNTER                                                                                                        \
    "zero = Const()@/cpu:0 " INT(0) "limit = Const()@/cpu:0 " INT(7) "one = Const()@/cpu:0 " INT(                      \
        1) "enter = Enter(zero)@/cpu:0 " OF_INT "; frame_name s: 'f'\n"                                                \
           "to = Enter(limit)@/cpu:0 " OF_INT "; frame_name s: 'f'; is_constant b: true\n"                             \
           "by = Enter(one)@/cpu:0 " OF_INT "; frame_name s: 'f'; is_constant b: true\n"                               \
           "merge = Merge(enter, next)@/cpu:0 " OF_INT "; N i: 2\n less = Less(merge, to)@/cpu:0 " OF_INT              \
           "\n cond = LoopCond(less)@/cpu:0\n switch = Switch(merge, cond)@/cpu:0 " OF_INT                             \
           "\n exit = Exit(switch)@/cpu:0 " OF_INT "\n step_0 = Add(switch:1, by)@/cpu:0 " OF_INT "\n"

/* Counts from 0 to 7 on CPU:0, by steps that go round all devices. */
GRAPH_TEST(a_loop_costs_a_boolean_a_device) {
    for (int devices = 2; devices <= 5; devices++) {
        struct cut_graph s;
        struct counter c;
        const char *text = COUNTER;
        for (int d = 1; d < devices; d++)
            text = sl_arena_format(&f->arena, "%sstep_%d = Neg(step_%d)@/cpu:%d " OF_INT "\n", text, d, d - 1, d);
        text = sl_arena_format(&f->arena,
                               "%snext = NextIteration(back)@/cpu:0 " OF_INT "\nback = Abs(step_%d)@/cpu:0 " OF_INT,
                               text, devices - 1);
        start_again(f);
        import_text(f, text, NULL);
        struct sl_port fetch = port_of(f, "exit", 0);
        const struct sl_prune_request request = {.fetches = &fetch, .n_fetches = 1, .n_nodes = f->graph->nodes.n};
        cut_graph_init(&s, &request, devices);
        assert_int_equal(check_transfers(&s, 1, devices), devices - 1);
        run(&c, &s, 1);
        /* In each iteration and the last test: a boolean to each other device, and the value from each device to the
         * next. */
        assert_int_equal(c.n_sent, 8 * (devices - 1 + devices));
        free(c.sent);
        cut_graph_clear(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs_send_no_more_than_is_read),
                                       graph_unit_test(a_loop_costs_a_boolean_a_device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
