/* Asks the kernel table about every node and device type. A group is served where all its nodes are. */
#include "passes/serving.h"

#include "kernel/ports.h"
#include "ops/op_row.h"

/* Numbers the types in the order of the set. */
static sl_code number_types(struct sl_serving *s, const struct sl_device_set *set, struct sl_arena *scratch,
                            struct sl_error *err) {
    s->type_of_device = SL_ARENA_ARRAY(scratch, int, (size_t)set->n);
    if (!s->type_of_device) return sl_fail_memory(err, (size_t)set->n);
    for (int d = 0; d < set->n; d++) {
        bool is_new = d == 0 || set->items[d].type != set->items[d - 1].type;
        s->n_types += is_new;
        s->type_of_device[d] = s->n_types - 1;
    }
    return SL_OK;
}

static bool any_outside(sl_dtype_set set, const uint8_t *types, int n) {
    for (int i = 0; i < n; i++)
        if (!sl_set_has(set, sl_dtype_base(types[i]))) return true;
    return false;
}

/* Borders go where they have to; a constant, where it is read. */
static bool goes_anywhere(const struct sl_node *n) { return sl_node_is_arg_or_ret(n) || n->op->index == SL_ROW_Const; }

static enum sl_serves ask(const struct sl_node *n, const struct sl_place_options *options,
                          const struct sl_device_type *type) {
    static const sl_dtype_set handles = SL_SET(STRING) | SL_SET(RESOURCE) | SL_SET(VARIANT);
    const struct sl_kernel_site site = {n->name,      n->op,       &n->attrs,   n->in_types,
                                        n->out_types, n->n_inputs, n->n_outputs};
    const struct sl_kernel_def *def;
    if (goes_anywhere(n)) return SL_SERVES;
    if (sl_kernel_find_on(&def, options->kernels, &site, type, NULL) != SL_OK) {
        if (n->op->index != SL_OP_NO_ROW || !options->call_by_name) return SL_SERVES_NOT;
        def = options->call_by_name;
    }
    if (type->priority <= 0) return SL_SERVES;
    if (def->device) return SL_SERVES_BEST;
    if (!(def->flags & SL_KERNEL_MOVES)) return SL_SERVES;
    bool passes_elements =
        any_outside(handles, n->in_types, n->n_inputs) || any_outside(handles, n->out_types, n->n_outputs);
    return passes_elements ? SL_SERVES_BEST : SL_SERVES;
}

/* A group that is served so far, and one more node. */
static void take_together(uint8_t *group, enum sl_serves node) {
    if (node != SL_SERVES) *group = (uint8_t)node;
}

sl_code sl_serving_make(struct sl_serving *out, struct sl_groups *groups, const struct sl_place_options *options,
                        struct sl_arena *scratch, struct sl_error *err) {
    struct sl_serving s = {.n_types = 0};
    SL_TRY(number_types(&s, options->devices, scratch, err));
    size_t n = groups->graph->nodes.n * (size_t)s.n_types;
    s.serves = SL_ARENA_ARRAY(scratch, uint8_t, n);
    if (!s.serves) return sl_fail_memory(err, n);
    memset(s.serves, SL_SERVES, n);
    SL_GRAPH_EACH(node, groups->graph) {
        uint8_t *group = s.serves + (size_t)sl_group_of(groups, node->id) * (size_t)s.n_types;
        for (int d = 0, t = -1; d < options->devices->n; d++) {
            if (s.type_of_device[d] == t) continue;
            t = s.type_of_device[d];
            if (group[t] != SL_SERVES_NOT)
                take_together(&group[t], ask(node, options, options->devices->items[d].type));
        }
    }
    *out = s;
    return SL_OK;
}

enum sl_serves sl_serves(const struct sl_serving *serving, uint32_t group, int device) {
    if (!serving->type_of_device) return SL_SERVES;
    return (enum sl_serves)
        serving->serves[(size_t)group * (size_t)serving->n_types + (size_t)serving->type_of_device[device]];
}
