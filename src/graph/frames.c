/* Which loop frame every node runs in, found by a walk from the nodes without inputs along the edges, as the original
 * does it: a frame is known by its name alone, and all Enters of one name enter the same frame. */
#include "base/alloc.h"
#include "graph/graph.h"
#include "ops/op_row.h"

enum sl_flow_kind sl_flow_kind_of(const struct sl_op *op) {
    switch (op->index) {
    case SL_ROW_Switch:
    case SL_ROW_RefSwitch: return SL_FLOW_SWITCH;
    case SL_ROW_Merge:
    case SL_ROW_RefMerge: return SL_FLOW_MERGE;
    case SL_ROW_Enter:
    case SL_ROW_RefEnter: return SL_FLOW_ENTER;
    case SL_ROW_Exit:
    case SL_ROW_RefExit: return SL_FLOW_EXIT;
    case SL_ROW_NextIteration:
    case SL_ROW_RefNextIteration: return SL_FLOW_NEXT;
    case SL_ROW_LoopCond: return SL_FLOW_COND;
    case SL_ROW_ControlTrigger: return SL_FLOW_TRIGGER;
    case SL_ROW__SwitchN: return SL_FLOW_SWITCH_N;
    default: return SL_FLOW_NONE;
    }
}

bool sl_node_is_arg_or_ret(const struct sl_node *node) {
    return node->op->index == SL_ROW__Arg || node->op->index == SL_ROW__Retval;
}

struct walk {
    struct sl_frames *frames;
    struct sl_arena *arena;
    struct sl_str_map by_name; /* frame name -> its number + 1 as a pointer */
    size_t cap;                /* of frames->frames */
    struct sl_node **queue;    /* each node once, in the order of finding */
    struct sl_node **found_by;
    size_t n_queued;
    struct sl_node *mismatched; /* the first Enter whose frame has another parent */
    int mismatched_parent;
    struct sl_error *err;
};

static void *frame_key(int frame) { return (void *)(uintptr_t)((unsigned)frame + 1); }

static sl_code new_frame(int *out, struct walk *w, struct sl_str name, int parent, int parallel_iterations) {
    struct sl_frames *f = w->frames;
    if ((size_t)f->n == w->cap) {
        struct sl_frame_info *more = SL_ARENA_ARRAY(w->arena, struct sl_frame_info, w->cap * 2);
        if (!more) return sl_fail_memory(w->err, w->cap * 2 * sizeof *more);
        memcpy(more, f->frames, (size_t)f->n * sizeof *more);
        f->frames = more;
        w->cap *= 2;
    }
    f->frames[f->n] = (struct sl_frame_info){.name = name,
                                             .parent = parent,
                                             .depth = parent < 0 ? 0 : f->frames[parent].depth + 1,
                                             .parallel_iterations = parallel_iterations};
    if (parent >= 0 && sl_str_map_put(&w->by_name, name, frame_key(f->n)))
        return sl_fail_memory(w->err, sizeof(struct sl_str_map_entry));
    *out = f->n++;
    return SL_OK;
}

/* The frame that an Enter running in `parent` opens. */
static sl_code entered(int *out, struct walk *w, struct sl_node *enter, int parent) {
    struct sl_str name;
    int64_t parallel_iterations;
    SL_TRY(sl_attr_string(&name, &enter->attrs, "frame_name", w->err));
    SL_TRY(sl_attr_int(&parallel_iterations, &enter->attrs, "parallel_iterations", w->err));
    if (name.n == 0)
        return sl_fail(w->err, SL_INVALID_ARGUMENT, "The Enter {{node %.*s}} must have a frame name.",
                       SL_STR_ARG(enter->name));
    void *known = sl_str_map_get(&w->by_name, name);
    if (!known)
        return new_frame(out, w, name, parent, parallel_iterations > INT32_MAX ? INT32_MAX : (int)parallel_iterations);
    *out = (int)((uintptr_t)known - 1);
    if (w->frames->frames[*out].parent != parent && !w->mismatched) {
        w->mismatched = enter;
        w->mismatched_parent = parent;
    }
    return SL_OK;
}

#define REPORT_IT " This is an internal bug, please file a bug report with instructions on how to reproduce the error."

static sl_code fail_mismatch(struct walk *w) {
    struct sl_frames *f = w->frames;
    struct sl_node *enter = w->mismatched;
    struct sl_str name;
    SL_TRY(sl_attr_string(&name, &enter->attrs, "frame_name", w->err));
    int child = (int)((uintptr_t)sl_str_map_get(&w->by_name, name) - 1);
    return sl_fail(w->err, SL_INTERNAL,
                   "Invalid loop structure: Mismatched parent frames for \"%.*s\": \"%.*s\" vs \"%.*s\". The node "
                   "giving this error: {{node %.*s}}." REPORT_IT,
                   SL_STR_ARG(name), SL_STR_ARG(f->frames[w->mismatched_parent].name),
                   SL_STR_ARG(f->frames[f->frames[child].parent].name), SL_STR_ARG(enter->name));
}

/* The frame in which the consumers of a node run. */
static sl_code frame_after(int *out, struct walk *w, struct sl_node *node) {
    int frame = w->frames->of_node[node->id];
    enum sl_flow_kind kind = sl_flow_kind_of(node->op);
    *out = frame;
    if (kind == SL_FLOW_ENTER) return entered(out, w, node, frame);
    if (kind != SL_FLOW_EXIT) return SL_OK;
    if (frame == 0 && w->mismatched) return fail_mismatch(w); /* which may be why */
    if (frame == 0)
        return sl_fail(w->err, SL_INVALID_ARGUMENT, "Invalid Exit op: Cannot find a corresponding Enter op.");
    *out = w->frames->frames[frame].parent;
    return SL_OK;
}

static void visit(struct walk *w, struct sl_node *node, struct sl_node *found_by, int frame) {
    w->frames->of_node[node->id] = frame;
    w->found_by[node->id] = found_by;
    w->queue[w->n_queued++] = node;
}

static sl_code walk_edges(struct walk *w, struct sl_graph *graph) {
    int *of_node = w->frames->of_node;
    SL_GRAPH_EACH(node, graph)
    if (node->n_inputs + node->n_controls == 0) visit(w, node, NULL, 0);
    for (size_t i = 0; i < w->n_queued; i++) {
        struct sl_node *node = w->queue[i];
        int frame;
        SL_TRY(frame_after(&frame, w, node));
        for (uint32_t u = 0; u < node->uses.n; u++) {
            struct sl_node *user = node->uses.items[u].node;
            if (of_node[user->id] < 0) {
                visit(w, user, node, frame);
            } else if (of_node[user->id] != frame) {
                struct sl_str here = w->frames->frames[frame].name, there = w->frames->frames[of_node[user->id]].name;
                struct sl_node *other = w->found_by[user->id];
                return sl_fail(w->err, SL_INVALID_ARGUMENT,
                               "{{node %.*s}} has inputs from different frames. The input {{node %.*s}} is in frame "
                               "'%.*s'. The input {{node %.*s}} is in frame '%.*s'.",
                               SL_STR_ARG(user->name), SL_STR_ARG(node->name), SL_STR_ARG(here),
                               SL_STR_ARG(other->name), SL_STR_ARG(there));
            }
        }
    }
    return SL_OK;
}

static bool is_loop_counter(const struct sl_node *node) {
    return memmem(node->name.p, node->name.n, "LoopCounter", strlen("LoopCounter")) != NULL;
}

static sl_code find_conditions(struct walk *w, struct sl_graph *graph) {
    struct sl_frames *f = w->frames;
    if (w->mismatched) return fail_mismatch(w);
    SL_GRAPH_EACH(node, graph) {
        if (sl_flow_kind_of(node->op) != SL_FLOW_COND || f->of_node[node->id] < 0) continue;
        struct sl_frame_info *frame = &f->frames[f->of_node[node->id]];
        if (frame->loop_cond && !is_loop_counter(frame->loop_cond) && !is_loop_counter(node))
            return sl_fail(w->err, SL_INVALID_ARGUMENT,
                           "Invalid loop structure: Loop \"%.*s\" has more than one LoopCond node: {{node %.*s}} and "
                           "{{node %.*s}}." REPORT_IT,
                           SL_STR_ARG(frame->name), SL_STR_ARG(node->name), SL_STR_ARG(frame->loop_cond->name));
        frame->loop_cond = node;
    }
    return SL_OK;
}

sl_code sl_graph_frames(struct sl_frames *out, struct sl_graph *graph, struct sl_arena *arena, struct sl_error *err) {
    enum { FIRST_CAP = 8 };
    *out = (struct sl_frames){.frames = SL_ARENA_ARRAY(arena, struct sl_frame_info, FIRST_CAP),
                              .of_node = SL_ARENA_ARRAY(arena, int, graph->nodes.n)};
    if (!out->frames || !out->of_node) return sl_fail_memory(err, graph->nodes.n * sizeof(int));
    for (size_t i = 0; i < graph->nodes.n; i++) out->of_node[i] = -1;
    struct walk w = {.frames = out,
                     .arena = arena,
                     .cap = FIRST_CAP,
                     .queue = sl_calloc(graph->nodes.n + 1, sizeof *w.queue),
                     .found_by = sl_calloc(graph->nodes.n + 1, sizeof *w.found_by),
                     .err = err};
    int root;
    sl_code code = w.queue && w.found_by ? SL_OK : sl_fail_memory(err, graph->nodes.n * sizeof *w.queue);
    if (code == SL_OK) code = new_frame(&root, &w, SL_STR(""), -1, 1);
    if (code == SL_OK) code = walk_edges(&w, graph);
    if (code == SL_OK) code = find_conditions(&w, graph);
    sl_str_map_free(&w.by_name);
    sl_free(w.queue);
    sl_free(w.found_by);
    return code;
}
