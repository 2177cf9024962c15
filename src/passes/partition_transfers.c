/* The _Sends and _Recvs that the client wrote. Those with the same devices, incarnation and name are a pair, and get a
 * number like the pairs that the cut makes. If there are several of each, they share the pair: the value that is sent
 * first is received first. A number in the client's graph is ignored. */
#include "base/str_map.h"
#include "ops/op_row.h"
#include "passes/partition_cut.h"

static bool is_transfer(const struct sl_node *n) {
    return n->op->index == SL_ROW__Send || n->op->index == SL_ROW__Recv || n->op->index == SL_ROW__HostSend ||
           n->op->index == SL_ROW__HostRecv;
}

bool sl_graph_has_transfers(const struct sl_graph *graph) {
    SL_GRAPH_EACH(n, graph) {
        if (is_transfer(n)) return true;
    }
    return false;
}

/* What both ends say, each word with its length. */
static sl_code key_of(struct sl_str *key, struct sl_cut *cut, const struct sl_node *n) {
    struct sl_str send, recv, name;
    int64_t incarnation;
    SL_TRY(sl_attr_string(&send, &n->attrs, "send_device", cut->err));
    SL_TRY(sl_attr_string(&recv, &n->attrs, "recv_device", cut->err));
    SL_TRY(sl_attr_string(&name, &n->attrs, "tensor_name", cut->err));
    SL_TRY(sl_attr_int(&incarnation, &n->attrs, "send_device_incarnation", cut->err));
    char *text = sl_arena_format(&cut->scratch, "%zu %zu %lld ", send.n, recv.n, (long long)incarnation);
    size_t head = text ? strlen(text) : 0, size = head + send.n + recv.n + name.n;
    char *whole = text ? sl_arena_alloc(&cut->scratch, size) : NULL;
    if (!whole) return sl_fail_memory(cut->err, size);
    memcpy(whole, text, head);
    const struct sl_str words[] = {send, recv, name};
    for (int w = 0; w < 3; head += words[w++].n)
        if (words[w].n) memcpy(whole + head, words[w].p, words[w].n);
    *key = (struct sl_str){whole, size};
    return SL_OK;
}

static sl_code number(struct sl_cut *cut, struct sl_str_map *pairs, struct sl_node *n) {
    struct sl_str key;
    SL_TRY(key_of(&key, cut, n));
    const struct sl_pb_AttrValue *pair = sl_str_map_get(pairs, key);
    if (!pair) {
        pair = sl_attr_new(&cut->graph->arena, SL_STR("_pair"), SL_ATTR_VALUE(i, cut->n_pairs++)).value;
        if (!pair || sl_str_map_put(pairs, key, (void *)(uintptr_t)pair)) return sl_fail_memory(cut->err, sizeof *pair);
    }
    return sl_attrs_with(&n->attrs, &cut->graph->arena, &n->attrs, SL_STR("_pair"), pair, cut->err);
}

sl_code sl_cut_number_transfers(struct sl_cut *cut) {
    struct sl_str_map pairs = {NULL, 0, 0};
    sl_code code = SL_OK;
    for (size_t i = 0; i < cut->graph->nodes.n && code == SL_OK; i++) {
        struct sl_node *n = cut->graph->nodes.items[i];
        if (!n->is_removed && is_transfer(n)) code = number(cut, &pairs, n);
    }
    sl_str_map_free(&pairs);
    return code;
}
