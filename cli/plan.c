/* Reads a plan: nodes in an order of producers first, the loops they are in, which of their values may be dead,
 * which transfers belong together. */
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_type(const struct plan_node *n, const char *type) { return !strcmp(n->type, type); }
static bool is_either(const struct plan_node *n, const char *a, const char *b) {
    return is_type(n, a) || is_type(n, b);
}
static bool is_enter(const struct plan_node *n) { return is_either(n, "Enter", "RefEnter"); }
static bool is_exit(const struct plan_node *n) { return is_either(n, "Exit", "RefExit"); }
static bool is_next(const struct plan_node *n) { return is_either(n, "NextIteration", "RefNextIteration"); }
static bool is_merge(const struct plan_node *n) { return is_either(n, "Merge", "RefMerge"); }
static bool is_switch(const struct plan_node *n) {
    return is_either(n, "Switch", "RefSwitch") || is_type(n, "_SwitchN");
}

static enum plan_role role_of(const struct plan_node *n) {
    if (is_type(n, "_Arg") || is_type(n, "Placeholder")) return ROLE_FED;
    if (is_type(n, "_Retval")) return ROLE_FETCHED;
    if (is_type(n, "Const")) return ROLE_CONSTANT;
    if (is_type(n, "_Send") || is_type(n, "_HostSend")) return ROLE_SEND;
    if (is_type(n, "_Recv") || is_type(n, "_HostRecv")) return ROLE_RECV;
    bool is_flow = is_enter(n) || is_exit(n) || is_next(n) || is_merge(n) || is_switch(n) || is_type(n, "LoopCond");
    return is_flow ? ROLE_FLOW : ROLE_PLAIN;
}

/* ---- nodes and edges */

struct op_index {
    TF_Operation *op;
    int node;
};

static int by_op(const void *a, const void *b) {
    const struct op_index *x = a, *y = b;
    return ((uintptr_t)x->op > (uintptr_t)y->op) - ((uintptr_t)x->op < (uintptr_t)y->op);
}

static int node_of(const struct op_index *index, int n, TF_Operation *op) {
    struct op_index key = {op, 0}, *found = bsearch(&key, index, (size_t)n, sizeof key, by_op);
    return found ? found->node : -1;
}

/* Arguments and results are called "_arg_NODE_OUTPUT_NUMBER": the node's name, with its output unless that is the
 * first. */
static char *plain_name(const char *text) {
    char *name = must_have(strdup(text)), *end = name + strlen(name);
    size_t head = !strncmp(text, "_arg_", 5) ? 5 : !strncmp(text, "_retval_", 8) ? 8 : 0;
    char *number = head ? strrchr(name, '_') : NULL;
    if (!number || number < name + head) return name;
    *number = 0;
    char *output = strrchr(name, '_');
    if (!output || output < name + head || output + 1 == number) {
        *number = '_';
        return name;
    }
    end = number;
    if (!strcmp(output + 1, "0")) *(end = output) = 0;
    else *output = ':';
    memmove(name, name + head, (size_t)(end - name) - head + 1);
    return name;
}

static struct plan_node *add_node(struct plan *p, TF_Graph *graph, TF_Operation *op) {
    if (p->n_nodes % 256 == 0) p->nodes = must_allocate(p->nodes, ((size_t)p->n_nodes + 256) * sizeof *p->nodes);
    struct plan_node *n = &p->nodes[p->n_nodes++];
    *n = (struct plan_node){.op = op,
                            .graph = graph,
                            .name = plain_name(TF_OperationName(op)),
                            .type = TF_OperationOpType(op),
                            .peer = -1,
                            .bytes = -1};
    n->role = role_of(n);
    return n;
}

static void read_nodes(struct plan *p) {
    for (int g = 0; g < sl_step_plan_num_graphs(p->handle); g++) {
        TF_Graph *graph = sl_step_plan_graph(p->handle, g);
        size_t at = 0;
        for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
            struct plan_node *n = add_node(p, graph, op);
            n->is_added = p->stage == SL_PLAN_CUT && !strncmp(n->name, "_cloop/", 7);
            sl_step_plan_node(&n->plan, p->handle, op);
            n->device = n->plan.device;
        }
    }
}

static void add_edge(struct plan *p, int from, int to, int output, enum edge_kind kind) {
    if (from < 0 || to < 0) return;
    if (p->n_edges % 512 == 0) p->edges = must_allocate(p->edges, ((size_t)p->n_edges + 512) * sizeof *p->edges);
    p->edges[p->n_edges++] = (struct plan_edge){from, to, output, kind};
}

static void read_edges(struct plan *p) {
    struct op_index *index = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *index);
    for (int i = 0; i < p->n_nodes; i++) index[i] = (struct op_index){p->nodes[i].op, i};
    if (p->n_nodes) qsort(index, (size_t)p->n_nodes, sizeof *index, by_op);
    for (int i = 0; i < p->n_nodes; i++) {
        TF_Operation *op = p->nodes[i].op;
        int controls = TF_OperationNumControlInputs(op);
        for (int k = 0; k < TF_OperationNumInputs(op); k++) {
            TF_Output from = TF_OperationInput((TF_Input){op, k});
            int source = node_of(index, p->n_nodes, from.oper);
            bool is_back = source >= 0 && is_next(&p->nodes[source]);
            add_edge(p, source, i, from.index, is_back ? EDGE_BACK : EDGE_DATA);
        }
        TF_Operation **from = must_allocate(NULL, ((size_t)controls + 1) * sizeof *from);
        controls = TF_OperationGetControlInputs(op, from, controls);
        for (int k = 0; k < controls; k++) add_edge(p, node_of(index, p->n_nodes, from[k]), i, -1, EDGE_CONTROL);
        free(from);
    }
    free(index);
}

/* By node: its edges into it or out of it, as positions in p->edges. */
struct incident {
    int *items, *begin; /* begin[node] .. begin[node + 1] */
};

static struct incident incident_edges(const struct plan *p, bool into) {
    struct incident in = {must_allocate(NULL, ((size_t)p->n_edges + 1) * sizeof(int)),
                          must_allocate(NULL, ((size_t)p->n_nodes + 2) * sizeof(int))};
    memset(in.begin, 0, ((size_t)p->n_nodes + 2) * sizeof(int));
    for (int e = 0; e < p->n_edges; e++) in.begin[(into ? p->edges[e].to : p->edges[e].from) + 2]++;
    for (int i = 1; i <= p->n_nodes + 1; i++) in.begin[i] += in.begin[i - 1];
    for (int e = 0; e < p->n_edges; e++) in.items[in.begin[(into ? p->edges[e].to : p->edges[e].from) + 1]++] = e;
    return in;
}

static void incident_free(struct incident in) {
    free(in.items);
    free(in.begin);
}

/* ---- transfers */

struct end {
    int64_t pair;
    int node, number; /* number: several of a pair are taken in their order */
    bool is_send;
};

static int by_pair(const void *a, const void *b) {
    const struct end *x = a, *y = b;
    if (x->pair != y->pair) return x->pair < y->pair ? -1 : 1;
    if (x->is_send != y->is_send) return x->is_send ? -1 : 1;
    return x->node - y->node;
}

static void join_ends(struct plan *p, struct end *ends, int n) {
    for (int i = 0, first = 0; i <= n; i++) {
        if (i < n && ends[i].pair == ends[first].pair) continue;
        int sends = first;
        while (sends < i && ends[sends].is_send) sends++;
        for (int s = first, r = sends; s < sends && r < i; s++, r++) {
            p->nodes[ends[s].node].peer = ends[r].node;
            p->nodes[ends[r].node].peer = ends[s].node;
            add_edge(p, ends[s].node, ends[r].node, 0, EDGE_PAIR);
        }
        first = i;
    }
}

static char *attr_text(TF_Operation *op, const char *attr) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_AttrMetadata about = TF_OperationGetAttrMetadata(op, attr, status);
    size_t size = TF_GetCode(status) == TF_OK && about.total_size > 0 ? (size_t)about.total_size : 0;
    char *text = must_allocate(NULL, size + 1);
    if (size) TF_OperationGetAttrString(op, attr, text, size, status);
    text[size] = 0;
    TF_DeleteStatus(status);
    return text;
}

/* The cut calls what it sends "edge_NUMBER_NODE". */
static char *tensor_of(TF_Operation *op) {
    char *name = attr_text(op, "tensor_name");
    size_t digits = !strncmp(name, "edge_", 5) ? strspn(name + 5, "0123456789") : 0;
    if (digits && name[5 + digits] == '_') memmove(name, name + 6 + digits, strlen(name + 6 + digits) + 1);
    char *plain = plain_name(name);
    free(name);
    return plain;
}

static void read_pairs(struct plan *p) {
    struct end *ends = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *ends);
    TF_Status *status = must_have(TF_NewStatus());
    int n = 0;
    for (int i = 0; i < p->n_nodes; i++) {
        enum plan_role role = p->nodes[i].role;
        if (role != ROLE_SEND && role != ROLE_RECV) continue;
        p->nodes[i].tensor = tensor_of(p->nodes[i].op);
        TF_OperationGetAttrInt(p->nodes[i].op, "_pair", &ends[n].pair, status);
        if (TF_GetCode(status) != TF_OK) continue;
        ends[n].node = i;
        ends[n++].is_send = role == ROLE_SEND;
    }
    if (n) qsort(ends, (size_t)n, sizeof *ends, by_pair);
    join_ends(p, ends, n);
    TF_DeleteStatus(status);
    free(ends);
}

int64_t output_bytes(TF_Graph *graph, TF_Output from) {
    TF_Status *status = must_have(TF_NewStatus());
    int64_t bytes = (int64_t)TF_DataTypeSize(TF_OperationOutputType(from));
    int rank = TF_GraphGetTensorNumDims(graph, from, status);
    int64_t *dims = must_allocate(NULL, (size_t)(rank < 0 ? 1 : rank + 1) * sizeof *dims);
    if (rank < 0 || !bytes || TF_GetCode(status) != TF_OK) bytes = -1;
    else TF_GraphGetTensorShape(graph, from, dims, rank, status);
    for (int d = 0; d < rank && bytes >= 0; d++)
        bytes = dims[d] < 0 || bytes > INT64_MAX / (dims[d] + 1) ? -1 : bytes * dims[d];
    free(dims);
    TF_DeleteStatus(status);
    return bytes;
}

/* Whether this is what the cut sends for a control edge: a constant without elements that waits for a node. */
static bool is_signal(const struct plan_node *n) {
    if (n->role != ROLE_CONSTANT || !TF_OperationNumControlInputs(n->op)) return false;
    TF_Status *status = must_have(TF_NewStatus());
    TF_Tensor *value = NULL;
    TF_OperationGetAttrTensor(n->op, "value", &value, status);
    bool is_empty = value && TF_TensorType(value) == TF_FLOAT && TF_NumDims(value) == 1 && TF_Dim(value, 0) == 0;
    if (value) TF_DeleteTensor(value);
    TF_DeleteStatus(status);
    return is_empty;
}

/* A signal is not shown: what it waits for stands in its place. */
static void hide_signals(struct plan *p) {
    struct incident in = incident_edges(p, true);
    int n = p->n_edges;
    for (int e = 0; e < n; e++) {
        const struct plan_edge edge = p->edges[e];
        struct plan_node *send = &p->nodes[edge.to], *from = &p->nodes[edge.from];
        if (send->role != ROLE_SEND || edge.kind != EDGE_DATA) continue;
        if (!is_signal(from)) {
            send->bytes = output_bytes(from->graph, (TF_Output){from->op, edge.output});
            continue;
        }
        from->is_hidden = true;
        send->travel = TRANSFER_CONTROL;
        send->bytes = 0;
        for (int k = in.begin[edge.from]; k < in.begin[edge.from + 1]; k++)
            add_edge(p, p->edges[in.items[k]].from, edge.to, -1, EDGE_CONTROL);
    }
    incident_free(in);
    for (int i = 0; i < p->n_nodes; i++)
        if (p->nodes[i].role == ROLE_RECV && p->nodes[i].peer >= 0) {
            p->nodes[i].bytes = p->nodes[p->nodes[i].peer].bytes;
            p->nodes[i].travel = p->nodes[p->nodes[i].peer].travel;
        }
}

/* ---- order */

/* Producers first. What is on a cycle that no NextIteration closes comes last. */
static int *find_order(const struct plan *p) {
    int *order = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *order), n = 0;
    int *missing = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *missing);
    struct incident out = incident_edges(p, false);
    memset(missing, 0, ((size_t)p->n_nodes + 1) * sizeof *missing);
    for (int e = 0; e < p->n_edges; e++) missing[p->edges[e].to] += p->edges[e].kind != EDGE_BACK;
    for (int i = 0; i < p->n_nodes; i++)
        if (!missing[i]) order[n++] = i;
    for (int i = 0; i < n; i++)
        for (int k = out.begin[order[i]]; k < out.begin[order[i] + 1]; k++) {
            const struct plan_edge *e = &p->edges[out.items[k]];
            if (e->kind != EDGE_BACK && --missing[e->to] == 0) order[n++] = e->to;
        }
    for (int i = 0; i < p->n_nodes; i++)
        if (missing[i] > 0) order[n++] = i;
    free(missing);
    incident_free(out);
    return order;
}

static void put_in_order(struct plan *p) {
    int *order = find_order(p), *place = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *place);
    struct plan_node *nodes = must_allocate(NULL, ((size_t)p->n_nodes + 1) * sizeof *nodes);
    for (int i = 0; i < p->n_nodes; i++) {
        nodes[i] = p->nodes[order[i]];
        place[order[i]] = i;
    }
    for (int i = 0; i < p->n_nodes; i++)
        if (nodes[i].peer >= 0) nodes[i].peer = place[nodes[i].peer];
    for (int e = 0; e < p->n_edges; e++) {
        p->edges[e].from = place[p->edges[e].from];
        p->edges[e].to = place[p->edges[e].to];
    }
    free(p->nodes);
    free(order);
    free(place);
    p->nodes = nodes;
}

/* ---- loops, and what may be dead */

/* Loops beyond a depth that no program has count as part of the one around them. */
static int find_frame(struct plan *p, int parent, TF_Operation *enter) {
    enum { MOST_DEPTH = 64 };
    if (p->frames[parent].depth == MOST_DEPTH) return parent;
    char *name = attr_text(enter, "frame_name");
    for (int f = 1; f < p->n_frames; f++)
        if (p->frames[f].parent == parent && !strcmp(p->frames[f].name, name)) {
            free(name);
            return f;
        }
    p->frames = must_allocate(p->frames, ((size_t)p->n_frames + 1) * sizeof *p->frames);
    p->frames[p->n_frames] = (struct plan_frame){name, parent, p->frames[parent].depth + 1};
    return p->n_frames++;
}

int frame_behind(const struct plan *p, const struct plan_node *n) {
    return is_exit(n) ? p->frames[n->frame].parent : n->frame;
}

static void visit(struct plan *p, struct plan_node *n, const struct incident *in, int i) {
    bool is_loop_merge = false;
    int depth = 0, frame = 0;
    for (int k = in->begin[i]; k < in->begin[i + 1]; k++) {
        const struct plan_edge *e = &p->edges[in->items[k]];
        const struct plan_node *from = &p->nodes[e->from];
        if (e->kind == EDGE_BACK) {
            is_loop_merge = true;
            continue;
        }
        if (from->dead_depth > depth) depth = from->dead_depth;
        int behind = frame_behind(p, from);
        if (p->frames[behind].depth > p->frames[frame].depth) frame = behind;
    }
    if (is_switch(n)) depth++;
    else if (((is_merge(n) && !is_loop_merge) || is_exit(n)) && depth > 0) depth--;
    n->dead_depth = depth;
    n->frame = is_enter(n) ? find_frame(p, frame, n->op) : frame;
    if (n->role == ROLE_SEND && n->travel == TRANSFER_DATA && depth > 0) n->travel = TRANSFER_DEAD;
    if (n->role == ROLE_RECV && n->peer >= 0) n->travel = p->nodes[n->peer].travel;
}

/* Constants that control edges bring into no loop, and what only readers tell: into the loop of all who read them
 * would be guessing. */
static void find_loops(struct plan *p) {
    struct incident in = incident_edges(p, true);
    p->frames = must_allocate(NULL, sizeof *p->frames);
    p->frames[0] = (struct plan_frame){must_allocate(NULL, 1), 0, 0};
    p->frames[0].name[0] = 0;
    p->n_frames = 1;
    for (int i = 0; i < p->n_nodes; i++) visit(p, &p->nodes[i], &in, i);
    incident_free(in);
}

/* ---- as a whole */

/* "CPU:0" of "/job:localhost/replica:0/task:0/device:CPU:0". */
static void read_devices(struct plan *p, TF_Session *session) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_DeviceList *list = must_have(TF_SessionListDevices(session, status));
    p->n_devices = TF_DeviceListCount(list);
    p->devices = must_allocate(NULL, ((size_t)p->n_devices + 1) * sizeof *p->devices);
    for (int d = 0; d < p->n_devices; d++) {
        const char *name = TF_DeviceListName(list, d, status), *mark = name ? strstr(name, "device:") : NULL;
        p->devices[d] = must_have(strdup(mark ? mark + 7 : "?"));
    }
    TF_DeleteDeviceList(list);
    TF_DeleteStatus(status);
}

struct plan *plan_read(struct sl_step_plan *handle, TF_Session *session, enum sl_plan_stage stage) {
    struct plan *p = must_allocate(NULL, sizeof *p);
    *p = (struct plan){.handle = handle, .stage = stage};
    read_devices(p, session);
    read_nodes(p);
    read_edges(p);
    read_pairs(p);
    hide_signals(p);
    put_in_order(p);
    find_loops(p);
    return p;
}

struct plan *plan_of_graph(TF_Graph *graph, TF_Operation *const *ops, int n) {
    struct plan *p = must_allocate(NULL, sizeof *p);
    *p = (struct plan){.stage = SL_PLAN_PLACED, .n_devices = 1, .is_mere_graph = true};
    p->devices = must_allocate(NULL, sizeof *p->devices);
    p->devices[0] = must_have(strdup(""));
    for (int i = 0; i < n; i++) {
        struct plan_node *node = add_node(p, graph, ops[i]);
        if (is_result(ops[i])) node->role = ROLE_FETCHED;
    }
    read_edges(p);
    put_in_order(p);
    find_loops(p);
    return p;
}

void plan_free(struct plan *p) {
    for (int f = 0; f < p->n_frames; f++) free(p->frames[f].name);
    for (int d = 0; d < p->n_devices; d++) free(p->devices[d]);
    for (int i = 0; i < p->n_nodes; i++) {
        free(p->nodes[i].name);
        free(p->nodes[i].tensor);
    }
    free(p->frames);
    free(p->devices);
    free(p->nodes);
    free(p->edges);
    sl_step_plan_delete(p->handle);
    free(p);
}

/* ---- words */

double plan_step_ns(const struct plan *p, const struct plan_node *n) {
    bool takes_none = n->role == ROLE_FED || n->role == ROLE_FETCHED || n->role == ROLE_CONSTANT;
    return takes_none ? 0 : n->plan.ns * (p->frames[n->frame].depth > 0 ? 10 : 1);
}

const char *transfer_text(enum transfer_kind kind) {
    static const char *const texts[] = {"data", "control", "may be dead"};
    return texts[kind];
}

const char *reason_text(enum sl_plan_reason reason) {
    static const char *const texts[] = {"by default",
                                        "fed or fetched",
                                        "asked for it",
                                        "what it asked for is not there",
                                        "its group is there",
                                        "its input is there",
                                        "its readers are there",
                                        "its loop is there",
                                        "near its input: takes less than a transfer",
                                        "finished first there"};
    return reason <= SL_PLAN_FIRST ? texts[reason] : "?";
}
