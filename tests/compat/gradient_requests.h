/* What replay_tape.py asks of a program that takes gradients of recorded graphs:
 *
 *   request    u32 length, GraphDef;  u32 n, n times u32 k: the gradient by node in_k of the sum of all float outputs of
 *              node `case`;  u32 m, m times u32 k: that of the sum of those
 *   answer     u32 way (enum way);  u32 0, then n + m times u32 length, TensorProto;  or u32 1, u32 length, text */
#ifndef SL_TESTS_GRADIENT_REQUESTS_H
#define SL_TESTS_GRADIENT_REQUESTS_H

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "grad/graph/call_gradient.h"
#include "graph/graph.h"
#include "proto/wire.h"
#include "tensor/tensor_proto.h"

enum { MOST_XS = 64, MOST_BYTES = 1 << 28 };
/* Ops one by one; some of them call functions; the graph as one function, since its control flow is of Switch, Merge,
 * Enter and Exit. */
enum way { PLAIN, CALLS, REGION };

struct request {
    struct sl_str graph;
    uint32_t n[2], xs[2][MOST_XS];
};

/* ---- the pipe */
static inline void read_all(void *to, size_t n) {
    if (fread(to, 1, n, stdin) != n) exit(0);
}

static inline uint32_t read_number(void) {
    uint32_t v;
    read_all(&v, sizeof v);
    return v;
}

static inline void write_number(uint32_t v) { fwrite(&v, sizeof v, 1, stdout); }

static inline void write_bytes(struct sl_str s) {
    write_number((uint32_t)s.n);
    fwrite(s.p, 1, s.n, stdout);
}

static inline void read_request(struct request *r, struct sl_arena *arena) {
    uint32_t n = read_number();
    char *bytes = n < MOST_BYTES ? sl_arena_alloc(arena, n + 1) : NULL;
    if (!bytes) exit(2);
    read_all(bytes, n);
    r->graph = (struct sl_str){bytes, n};
    for (int order = 0; order < 2; order++) {
        r->n[order] = read_number();
        if (r->n[order] > MOST_XS) exit(2);
        for (uint32_t i = 0; i < r->n[order]; i++) r->xs[order][i] = read_number();
    }
}

static inline void write_answer(enum way way, sl_code code, const struct sl_error *err, const struct sl_str *results,
                                uint32_t n) {
    write_number(way);
    write_number(code != SL_OK);
    if (code != SL_OK) write_bytes(sl_str_of(err->message));
    for (uint32_t i = 0; i < n && code == SL_OK; i++) write_bytes(results[i]);
    fflush(stdout);
}

static inline sl_code encode_tensor(struct sl_str *out, const struct sl_tensor *tensor, struct sl_arena *arena,
                                    struct sl_error *err) {
    struct sl_pb_TensorProto proto;
    SL_TRY(sl_tensor_to_proto(&proto, tensor, arena, err));
    return sl_pb_encode(out, SL_PB_TYPE(TensorProto), &proto, 0, arena, err);
}

/* ---- graphs */
/* Node in_k, or NULL. */
static inline struct sl_node *find_input(struct sl_graph *graph, struct sl_arena *arena, uint32_t k) {
    const char *name = sl_arena_format(arena, "in_%u", (unsigned)k);
    return sl_graph_find(graph, sl_str_of(name));
}

static inline bool is_input(const struct sl_node *n) {
    return sl_node_is(n, "Const") && sl_str_starts(n->name, SL_STR("in_"));
}

static inline enum way way_of(struct sl_node *const *nodes, size_t n) {
    enum way way = PLAIN;
    for (size_t i = 0; i < n; i++)
        if (sl_flow_kind_of(nodes[i]->op) != SL_FLOW_NONE) return REGION;
        else if (sl_op_calls_functions(nodes[i]->op)) way = CALLS;
    return way;
}

/* All nodes but the inputs as a function "region" of the graph, of the inputs in their order, which gives what `last`
 * gives. `inputs` has room for all nodes. */
static inline sl_code make_region(struct sl_function_def **out, struct sl_port *inputs, int *n_inputs,
                                  struct sl_graph *graph, struct sl_node *const *order, size_t n, struct sl_node *last,
                                  struct sl_arena *arena, struct sl_error *err) {
    struct sl_to_function spec = {.name = SL_STR("region"), .description = SL_STR(""), .inputs = inputs};
    struct sl_node **body = SL_ARENA_ARRAY(arena, struct sl_node *, n + 1);
    struct sl_port *outputs = SL_ARENA_ARRAY(arena, struct sl_port, (size_t)last->n_outputs + 1);
    for (size_t i = 0; i < n; i++) {
        if (is_input(order[i])) inputs[spec.n_inputs++] = (struct sl_port){order[i], 0};
        else body[spec.n_body++] = order[i];
    }
    for (int i = 0; i < last->n_outputs; i++) outputs[i] = (struct sl_port){last, i};
    spec.body = body;
    spec.outputs = outputs;
    spec.n_outputs = last->n_outputs;
    *n_inputs = spec.n_inputs;
    return sl_graph_to_function(out, graph, &spec, err);
}

#endif
