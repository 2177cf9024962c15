#include "simulation.h"

#include <stdlib.h>
#include <string.h>

#include "ops/op_row.h"

static void *must(void *memory) {
    if (!memory) abort();
    return memory;
}
#define ALLOC(n, type) ((type *)must(calloc((size_t)(n) + 1, sizeof(type))))
#define PUSH(vec, value)                                                                                               \
    do                                                                                                                 \
        if (sl_vec_push(vec, value)) abort();                                                                          \
    while (0)

/* What a token carries. */
struct token {
    bool is_dead, value;
};

struct delivery {
    struct sl_node *node;
    int slot; /* -1: a control input */
    struct token token;
};
typedef SL_VEC(struct delivery) delivery_list;

struct loop;
/* One iteration of one loop in one part; the root is an iteration too. */
struct iteration {
    struct loop *loop;
    struct iteration *next; /* of the same loop, in order */
    struct loop *loops;     /* within it */
    int index;
    bool has_begun;
    long under_way; /* nodes that wait for a core, run, or wait for a message; loops within */
    struct node_state {
        uint16_t arrived;
        bool is_dead, has_live, value, has_message;
    } * nodes; /* by node id */
};

struct loop {
    struct loop *next; /* in the same iteration of the loop around */
    struct iteration *around;
    int part, frame;
    int n_enters; /* still to come */
    struct iteration *first, *last;
    int n_begun, n_done;
    delivery_list invariants; /* of constant Enters: for every iteration */
    delivery_list waiting;    /* NextIterations that wait until an iteration ends */
};

struct work {
    struct sl_node *node;
    struct iteration *at;
    struct token token;
};

struct device {
    SL_VEC(struct work) queue;
    size_t head;
    bool is_busy, is_listed;
    double busy, sending;
};
struct host {
    SL_VEC(int) ready; /* devices that have work and no core */
    size_t head;
    int idle;
    double sends_until; /* when its network is free again */
};

enum event_kind { NODE_DONE, MESSAGE };
struct event {
    double time;
    uint64_t order;
    enum event_kind kind;
    struct work work; /* MESSAGE: the _Recv */
    int device;
};

/* A part and what does not change in it. */
struct part {
    struct sl_graph *graph;
    struct sl_frames frames;
    int device;
    int *n_enters; /* by frame */
    struct loop root;
};
struct pair {
    struct sl_node *recv;
    int part;
    bool is_condition;
};

struct simulation {
    const struct simulation_request *request;
    struct simulation_result *result;
    struct part *parts;
    struct pair *pairs;
    struct device *devices;
    struct host *hosts;
    int n_devices, n_hosts;
    SL_VEC(struct event) events; /* a heap: the earliest first */
    uint64_t order;
    double now;
    struct sl_arena arena;
};

/* ---- events */
static bool is_before(const struct event *a, const struct event *b) {
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void add_event(struct simulation *s, struct event e) {
    e.order = s->order++;
    PUSH(&s->events, e);
    size_t i = s->events.n - 1;
    for (; i && is_before(&e, &s->events.items[(i - 1) / 2]); i = (i - 1) / 2)
        s->events.items[i] = s->events.items[(i - 1) / 2];
    s->events.items[i] = e;
}

static struct event next_event(struct simulation *s) {
    struct event *heap = s->events.items, top = heap[0], last = heap[--s->events.n];
    size_t i = 0, n = s->events.n;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(&heap[child + 1], &heap[child])) child++;
        if (!is_before(&heap[child], &last)) break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

/* ---- processors */
static struct host *host_of(struct simulation *s, int device) {
    return &s->hosts[device / s->request->machine->devices_of_host];
}

static double message_end(const struct simulation *s, int from, int to) {
    const struct simulated_machine *m = s->request->machine;
    return from / m->devices_of_host == to / m->devices_of_host ? m->local_end : m->remote_end;
}

static int64_t pair_of(const struct sl_node *n) {
    const struct sl_pb_AttrValue *value = sl_attr_find(&n->attrs, SL_STR("_pair"));
    return value ? value->i : 0;
}

static int other_end(struct simulation *s, const struct sl_node *n) {
    const char *end = n->op->index == SL_ROW__Send ? "recv_device" : "send_device";
    const struct sl_pb_AttrValue *value = sl_attr_find(&n->attrs, sl_str_of(end));
    for (const char *p = value->s.p + value->s.n; p > value->s.p; p--)
        if (p[-1] == ':') return atoi(p) < s->n_devices ? atoi(p) : 0;
    return 0;
}

static double time_of(struct simulation *s, int device, const struct work *w) {
    double time = s->request->machine->node;
    if (w->node->op->index == SL_ROW__Send || w->node->op->index == SL_ROW__Recv) {
        double end = message_end(s, device, other_end(s, w->node));
        s->devices[device].sending += end;
        return time + end;
    }
    return w->token.is_dead ? time : time + s->request->cost(w->node, s->request->arg);
}

static void list_device(struct simulation *s, int d) {
    struct device *device = &s->devices[d];
    if (device->is_busy || device->is_listed || device->head == device->queue.n) return;
    device->is_listed = true;
    PUSH(&host_of(s, d)->ready, d);
}

static void use_cores(struct simulation *s, struct host *host) {
    while (host->idle > 0 && host->head < host->ready.n) {
        int d = host->ready.items[host->head++];
        if (host->head == host->ready.n) host->head = host->ready.n = 0;
        struct device *device = &s->devices[d];
        struct work work = device->queue.items[device->head++];
        if (device->head == device->queue.n) device->head = device->queue.n = 0;
        double time = time_of(s, d, &work);
        device->is_listed = false;
        device->is_busy = true;
        device->busy += time;
        host->idle--;
        add_event(s, (struct event){.time = s->now + time, .kind = NODE_DONE, .work = work, .device = d});
    }
}

static void give_work(struct simulation *s, struct iteration *at, struct sl_node *node, struct token token) {
    int d = s->parts[at->loop->part].device;
    PUSH(&s->devices[d].queue, ((struct work){node, at, token}));
    list_device(s, d);
    use_cores(s, host_of(s, d));
}

/* ---- tokens */
static bool is_merge(const struct sl_node *n) { return sl_flow_kind_of(n->op) == SL_FLOW_MERGE; }

/* How many inputs a Merge has in this iteration: of a loop's, one comes first and the other ever after. */
static int inputs_of_merge(const struct sl_node *n) {
    for (int i = 0; i < n->n_inputs; i++)
        if (sl_flow_kind_of(n->inputs[i].node->op) == SL_FLOW_NEXT) return 1;
    return n->n_inputs;
}

static void start_if_ready(struct simulation *s, struct iteration *at, struct sl_node *n) {
    struct node_state *state = &at->nodes[n->id];
    int wanted = n->n_controls + (is_merge(n) ? inputs_of_merge(n) : n->n_inputs);
    if (state->arrived != wanted || !at->has_begun) return;
    at->under_way++;
    if (n->op->index == SL_ROW__Recv && !state->has_message) return; /* until the message comes, see receive */
    struct token token = {is_merge(n) ? !state->has_live : state->is_dead, state->value};
    give_work(s, at, n, token);
}

static void deliver(struct simulation *s, struct iteration *at, struct delivery d) {
    struct node_state *state = &at->nodes[d.node->id];
    state->arrived++;
    if (d.token.is_dead) state->is_dead = true;
    else if (d.slot >= 0) state->has_live = true;
    enum sl_flow_kind kind = sl_flow_kind_of(d.node->op);
    /* A Switch goes by its predicate, a Merge hands on what is alive, everything else its first input. */
    if (kind == SL_FLOW_MERGE ? !d.token.is_dead : d.slot == (kind == SL_FLOW_SWITCH)) state->value = d.token.value;
    start_if_ready(s, at, d.node);
}

/* A new iteration at the end of a loop's list. */
static struct iteration *append(struct simulation *s, struct loop *loop) {
    struct iteration *i = ALLOC(1, struct iteration);
    i->loop = loop;
    i->index = loop->last ? loop->last->index + 1 : 0;
    i->nodes = ALLOC(s->parts[loop->part].graph->nodes.n, struct node_state);
    if (loop->last) loop->last->next = i;
    else loop->first = i;
    return loop->last = i;
}

/* Messages may come for iterations that have not begun. */
static struct iteration *iteration_at(struct simulation *s, struct loop *loop, int index) {
    while (!loop->last || loop->last->index < index) append(s, loop);
    struct iteration *i = loop->first;
    while (i->index != index) i = i->next;
    return i;
}

static struct loop *loop_within(struct simulation *s, struct iteration *around, int frame) {
    for (struct loop *l = around->loops; l; l = l->next)
        if (l->frame == frame) return l;
    struct loop *l = ALLOC(1, struct loop);
    *l = (struct loop){.next = around->loops, .around = around, .part = around->loop->part, .frame = frame};
    l->n_enters = s->parts[l->part].n_enters[frame];
    around->loops = l;
    return l;
}

static void begin(struct simulation *s, struct loop *loop) {
    struct iteration *i = iteration_at(s, loop, loop->n_begun++);
    i->has_begun = true;
    if (i->index == 0 && loop->around) loop->around->under_way++;
    for (size_t k = 0; k < loop->invariants.n; k++) deliver(s, i, loop->invariants.items[k]);
}

static bool may_begin(struct simulation *s, const struct loop *loop) {
    return loop->n_begun - loop->n_done < s->parts[loop->part].frames.frames[loop->frame].parallel_iterations;
}

/* With the loops within it. */
static void forget(struct iteration *i) {
    for (struct loop *l = i->loops, *next; l; l = next) {
        next = l->next;
        for (struct iteration *inner = l->first, *after; inner; inner = after) {
            after = inner->next;
            forget(inner);
        }
        sl_vec_free(&l->invariants);
        sl_vec_free(&l->waiting);
        free(l);
    }
    free(i->nodes);
    free(i);
}

/* Starts the next iteration with what waits for it, all of which is for the same one. */
static void let_in(struct simulation *s, struct loop *loop) {
    delivery_list waiting = loop->waiting;
    if (!waiting.n || !may_begin(s, loop)) return;
    memset(&loop->waiting, 0, sizeof loop->waiting);
    begin(s, loop);
    struct iteration *i = iteration_at(s, loop, loop->n_begun - 1);
    for (size_t k = 0; k < waiting.n; k++) deliver(s, i, waiting.items[k]);
    sl_vec_free(&waiting);
}

/* Ends the iterations at the front of a loop in which nothing is under way, and the loop when it was the last. */
static void settle(struct simulation *s, struct iteration *at) {
    struct loop *loop = at->loop;
    if (!loop->around) return;
    while (loop->first && loop->first->has_begun && loop->first->under_way == 0 &&
           (loop->n_done > 0 || loop->n_enters == 0)) {
        struct iteration *done = loop->first;
        loop->first = done->next;
        if (!loop->first) loop->first = append(s, loop); /* has not begun; its number follows from that of the last */
        loop->n_done++;
        forget(done);
        let_in(s, loop);
    }
    if (loop->n_begun == loop->n_done && loop->n_begun > 0) {
        if (loop->frame < 0) return;
        loop->frame = ~loop->frame; /* over */
        loop->around->under_way--;
        settle(s, loop->around);
    }
}

static void hand_out(struct simulation *s, struct iteration *at, const struct sl_node *n, int output,
                     struct token token) {
    for (uint32_t u = 0; u < n->uses.n; u++) {
        const struct sl_use *use = &n->uses.items[u];
        if (use->index == output) deliver(s, at, (struct delivery){use->node, use->slot, token});
    }
}

static void enter(struct simulation *s, struct iteration *at, const struct sl_node *n, struct token token) {
    const struct part *part = &s->parts[at->loop->part];
    const struct sl_pb_AttrValue *constant = sl_attr_find(&n->attrs, SL_STR("is_constant"));
    int frame = n->uses.n ? part->frames.of_node[n->uses.items[0].node->id] : -1;
    if (frame < 0) return;
    struct loop *loop = loop_within(s, at, frame);
    loop->n_enters--;
    if (loop->n_begun == 0) begin(s, loop);
    for (uint32_t u = 0; u < n->uses.n; u++) {
        struct delivery d = {n->uses.items[u].node, n->uses.items[u].slot, token};
        if (constant && constant->b) {
            PUSH(&loop->invariants, d);
            for (struct iteration *i = loop->first; i && i->has_begun; i = i->next) deliver(s, i, d);
        } else {
            deliver(s, loop->first, d);
        }
    }
}

static void go_round(struct simulation *s, struct iteration *at, const struct sl_node *n, struct token token) {
    struct loop *loop = at->loop;
    if (token.is_dead) return;
    bool has_begun = at->index + 1 < loop->n_begun;
    if (!has_begun && loop->waiting.n == 0 && may_begin(s, loop)) {
        begin(s, loop);
        has_begun = true;
    }
    struct iteration *next = has_begun ? iteration_at(s, loop, at->index + 1) : NULL;
    for (uint32_t u = 0; u < n->uses.n; u++) {
        struct delivery d = {n->uses.items[u].node, n->uses.items[u].slot, token};
        if (next) deliver(s, next, d);
        else PUSH(&loop->waiting, d);
    }
}

/* The iteration of the receiving part that has the same tag as `at`. */
static struct iteration *same_tag(struct simulation *s, const struct iteration *at, int part, int frame) {
    if (!at->loop->around) return s->parts[part].root.first;
    struct iteration *around = same_tag(s, at->loop->around, part, s->parts[part].frames.frames[frame].parent);
    return iteration_at(s, loop_within(s, around, frame), at->index);
}

static void send(struct simulation *s, struct iteration *at, const struct sl_node *n, struct token token, int device) {
    const struct simulated_machine *m = s->request->machine;
    const struct pair *pair = &s->pairs[pair_of(n)];
    const struct part *to = &s->parts[pair->part];
    struct iteration *there = same_tag(s, at, pair->part, to->frames.of_node[pair->recv->id]);
    double arrives = s->now;
    if (host_of(s, device) != host_of(s, to->device)) {
        struct host *host = host_of(s, device);
        struct sl_shape shape = n->inputs[0].node->shapes[n->inputs[0].index];
        double bytes = (double)sl_dtype_size(sl_dtype_base(n->inputs[0].node->out_types[n->inputs[0].index]));
        for (int d = 0; d < shape.rank; d++) bytes *= shape.dims[d] < 0 ? 1 : (double)shape.dims[d];
        if (host->sends_until < s->now) host->sends_until = s->now;
        host->sends_until += bytes * m->byte;
        arrives = host->sends_until + m->latency;
    }
    s->result->messages++;
    s->result->conditions += pair->is_condition;
    add_event(
        s, (struct event){.time = arrives, .kind = MESSAGE, .work = {pair->recv, there, token}, .device = to->device});
}

static void receive(struct simulation *s, const struct work *w) {
    struct node_state *state = &w->at->nodes[w->node->id];
    state->has_message = true;
    state->value = w->token.value;
    state->is_dead |= w->token.is_dead;
    bool waits = w->at->has_begun && state->arrived == w->node->n_controls;
    if (!waits) return; /* it finds the message when it starts */
    give_work(s, w->at, w->node, (struct token){state->is_dead, state->value});
}

static void run_node(struct simulation *s, const struct work *w, int device) {
    struct sl_node *n = w->node;
    struct token token = w->token, dead = {true, false};
    enum sl_flow_kind kind = sl_flow_kind_of(n->op);
    s->result->nodes++;
    if (n->op->index == SL_ROW__Send) send(s, w->at, n, token, device);
    if (kind == SL_FLOW_COND) token.value = w->at->index < s->request->rounds;
    if (kind == SL_FLOW_ENTER) {
        enter(s, w->at, n, token);
    } else if (kind == SL_FLOW_NEXT) {
        go_round(s, w->at, n, token);
    } else if (kind == SL_FLOW_EXIT) {
        for (int o = -1; o < n->n_outputs && !token.is_dead; o++) hand_out(s, w->at->loop->around, n, o, token);
    } else {
        for (int o = 0; o < n->n_outputs; o++)
            hand_out(s, w->at, n, o, kind == SL_FLOW_SWITCH && token.value != (o == 1) ? dead : token);
        hand_out(s, w->at, n, -1, token);
    }
    w->at->under_way--;
    settle(s, w->at);
}

/* ---- from parts to a simulation */
static sl_code set_part(struct simulation *s, int p, struct sl_error *err) {
    struct part *part = &s->parts[p];
    const struct sl_partition *given = &s->request->parts->items[p];
    part->graph = given->graph;
    part->device = given->device;
    SL_TRY(sl_graph_frames(&part->frames, part->graph, &s->arena, err));
    part->n_enters = ALLOC(part->frames.n, int);
    SL_GRAPH_EACH(n, part->graph) {
        if (sl_flow_kind_of(n->op) == SL_FLOW_ENTER && n->uses.n)
            part->n_enters[part->frames.of_node[n->uses.items[0].node->id]]++;
        if (n->op->index == SL_ROW__Recv) {
            struct pair *pair = &s->pairs[pair_of(n)];
            pair->recv = n;
            pair->part = p;
        }
        if (n->op->index == SL_ROW__Send && sl_flow_kind_of(n->inputs[0].node->op) == SL_FLOW_COND)
            s->pairs[pair_of(n)].is_condition = true;
    }
    part->root = (struct loop){.part = p};
    begin(s, &part->root);
    return SL_OK;
}

static void start_sources(struct simulation *s) {
    for (int p = 0; p < s->request->parts->n; p++) SL_GRAPH_EACH(n, s->parts[p].graph)
    if (n->n_inputs == 0 && n->n_controls == 0) start_if_ready(s, s->parts[p].root.first, n);
}

static sl_code find_waiting(struct simulation *s, struct sl_error *err) {
    for (int p = 0; p < s->request->parts->n; p++)
        if (s->parts[p].root.first->under_way)
            return sl_fail(err, SL_FAILED_PRECONDITION, "part %d of %d waits for ever", p, s->request->parts->n);
    return SL_OK;
}

static void note_busiest(struct simulation *s) {
    s->result->time = s->now;
    for (int d = 0; d < s->n_devices; d++) {
        if (s->devices[d].busy <= s->result->busiest) continue;
        s->result->busiest = s->devices[d].busy;
        s->result->sending = s->devices[d].sending;
        s->result->busiest_device = d;
    }
}

static void clear(struct simulation *s) {
    for (int p = 0; p < s->request->parts->n; p++) {
        if (s->parts[p].root.first) forget(s->parts[p].root.first);
        free(s->parts[p].n_enters);
    }
    for (int d = 0; d < s->n_devices; d++) sl_vec_free(&s->devices[d].queue);
    for (int h = 0; h < s->n_hosts; h++) sl_vec_free(&s->hosts[h].ready);
    free(s->parts);
    free(s->pairs);
    free(s->devices);
    free(s->hosts);
    sl_vec_free(&s->events);
    sl_arena_clear(&s->arena);
}

sl_code simulate(struct simulation_result *out, const struct simulation_request *request, struct sl_error *err) {
    struct simulation s = {.request = request, .result = out};
    const struct sl_partitions *parts = request->parts;
    sl_arena_init(&s.arena);
    *out = (struct simulation_result){0};
    for (int p = 0; p < parts->n; p++)
        if (parts->items[p].device >= s.n_devices) s.n_devices = parts->items[p].device + 1;
    s.n_hosts = s.n_devices / request->machine->devices_of_host + 1;
    s.parts = ALLOC(parts->n, struct part);
    s.pairs = ALLOC(parts->n_pairs, struct pair);
    s.devices = ALLOC(s.n_devices, struct device);
    s.hosts = ALLOC(s.n_hosts, struct host);
    for (int h = 0; h < s.n_hosts; h++) s.hosts[h].idle = request->machine->cores;
    sl_code code = SL_OK;
    for (int p = 0; p < parts->n && code == SL_OK; p++) code = set_part(&s, p, err);
    if (code == SL_OK) start_sources(&s);
    while (code == SL_OK && s.events.n) {
        struct event e = next_event(&s);
        s.now = e.time;
        if (e.kind == MESSAGE) {
            receive(&s, &e.work);
            continue;
        }
        s.devices[e.device].is_busy = false;
        host_of(&s, e.device)->idle++;
        run_node(&s, &e.work, e.device);
        list_device(&s, e.device);
        use_cores(&s, host_of(&s, e.device));
    }
    if (code == SL_OK) code = find_waiting(&s, err);
    if (code == SL_OK) note_busiest(&s);
    clear(&s);
    return code;
}
