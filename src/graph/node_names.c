/* Linear probing at a load of at most 2/3; removal shifts the following run back, so there are no tombstones. */
#include "graph/node_names.h"

#include "base/alloc.h"

uint32_t *sl_node_names_slot(const struct sl_graph *graph, struct sl_str name, uint32_t hash) {
    const struct sl_node_names *names = &graph->names;
    size_t mask = names->cap - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &names->slots[i];
        if (!*slot) return slot;
        const struct sl_node *node = graph->nodes.items[*slot - 1];
        if (node->name_hash == hash && sl_str_eq(node->name, name)) return slot;
    }
}

static void put(uint32_t *slots, size_t cap, const struct sl_node *node) {
    size_t at = node->name_hash & (cap - 1);
    while (slots[at]) at = (at + 1) & (cap - 1);
    slots[at] = node->id + 1;
}

static int resize(struct sl_graph *graph, size_t cap) {
    struct sl_node_names *names = &graph->names;
    uint32_t *slots = sl_calloc(cap, sizeof *slots);
    if (!slots) return -1;
    for (size_t i = 0; i < names->cap; i++)
        if (names->slots[i]) put(slots, cap, graph->nodes.items[names->slots[i] - 1]);
    sl_free(names->slots);
    names->slots = slots;
    names->cap = cap;
    return 0;
}

int sl_node_names_reserve(struct sl_graph *graph, size_t more) {
    size_t cap = graph->names.cap ? graph->names.cap : 16;
    if (more > SIZE_MAX / 4 - graph->names.n) return -1;
    while ((graph->names.n + more) * 3 > cap * 2) cap *= 2;
    return cap > graph->names.cap ? resize(graph, cap) : 0;
}

int sl_node_names_add(struct sl_graph *graph, const struct sl_node *node) {
    if ((graph->names.n + 1) * 3 > graph->names.cap * 2 && sl_node_names_reserve(graph, 1)) return -1;
    put(graph->names.slots, graph->names.cap, node);
    graph->names.n++;
    return 0;
}

void sl_node_names_take(struct sl_graph *graph, uint32_t *slots, size_t cap, size_t n) {
    sl_free(graph->names.slots);
    graph->names = (struct sl_node_names){slots, n, cap};
}

struct sl_node *sl_node_names_find(const struct sl_graph *graph, struct sl_str name, uint32_t hash) {
    if (!graph->names.n) return NULL;
    uint32_t id = *sl_node_names_slot(graph, name, hash);
    return id ? graph->nodes.items[id - 1] : NULL;
}

void sl_node_names_remove(struct sl_graph *graph, const struct sl_node *node) {
    struct sl_node_names *names = &graph->names;
    if (!names->n) return;
    size_t mask = names->cap - 1,
           hole = (size_t)(sl_node_names_slot(graph, node->name, node->name_hash) - names->slots);
    if (!names->slots[hole]) return;
    for (size_t i = (hole + 1) & mask; names->slots[i]; i = (i + 1) & mask) {
        size_t home = graph->nodes.items[names->slots[i] - 1]->name_hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            names->slots[hole] = names->slots[i];
            hole = i;
        }
    }
    names->slots[hole] = 0;
    names->n--;
}

void sl_graph_swap_names(struct sl_graph *graph, struct sl_node *a, struct sl_node *b) {
    uint32_t *of_a = sl_node_names_slot(graph, a->name, a->name_hash),
             *of_b = sl_node_names_slot(graph, b->name, b->name_hash);
    struct sl_str name = a->name;
    uint32_t hash = a->name_hash;
    *of_a = b->id + 1;
    *of_b = a->id + 1;
    a->name = b->name;
    a->name_hash = b->name_hash;
    b->name = name;
    b->name_hash = hash;
}
