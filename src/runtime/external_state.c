/* A walk over the functions as they stand in the library: all that one reaches are met once, depth first, without recursion. Which
 * ops count was found by asking TensorFlow to save positions of datasets that call them. */
#include "runtime/external_state.h"

#include <string.h>

#include "base/str_map.h"
#include "base/vec.h"

struct place_in_body {
    const struct sl_function_def *f;
    size_t node;
    bool is_entered; /* what the node calls comes first */
};
struct reach {
    const struct sl_graph *library;
    struct sl_str_map met;
    SL_VEC(struct place_in_body) path;
};

static bool ends_with(struct sl_str text, const char *end) {
    const size_t n = strlen(end);
    return text.n > n && memcmp(text.p + text.n - n, end, n) == 0;
}

/* Datasets describe; the third versions of their ops hold something. */
static bool makes_dataset(const struct sl_op *op) {
    return op->n_outputs == 1 && op->outputs[0].type == SL_VARIANT &&
           (ends_with(op->name, "Dataset") || ends_with(op->name, "DatasetV2"));
}

/* Stateful for form's sake: they print, check, tell the time, read tables; calls are what their functions are. */
static bool is_harmless(const struct sl_op *op) {
    static const char *const names[] = {"Assert",
                                        "Print",
                                        "PrintV2",
                                        "Timestamp",
                                        "If",
                                        "Case",
                                        "While",
                                        "StatefulPartitionedCall",
                                        "LookupTableFindV2",
                                        "LookupTableSizeV2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sl_str_is(op->name, names[i])) return true;
    return makes_dataset(op);
}

static void meet_function(struct reach *x, struct sl_str name) {
    const struct sl_function_def *f = sl_graph_function(x->library, name);
    if (!f || sl_str_map_get(&x->met, name)) return;
    if (sl_str_map_put(&x->met, f->name, (void *)f) == 0) (void)sl_vec_push(&x->path, (struct place_in_body){.f = f});
}

static void meet_functions_of(struct reach *x, const struct sl_pb_AttrValue *v) {
    if (v->which == SL_PB_AttrValue_func && v->func) meet_function(x, v->func->name);
    if (v->which != SL_PB_AttrValue_list || !v->list) return;
    for (size_t i = 0; i < v->list->func.n; i++) meet_function(x, v->list->func.items[i].name);
}

static void enter_calls(struct reach *x, const struct sl_pb_NodeDef *n) {
    for (size_t i = 0; i < n->attr.n; i++) meet_functions_of(x, &n->attr.items[i].value);
    meet_function(x, n->op); /* which may be one */
}

static const char *state_of_op(const struct reach *x, struct sl_str name) {
    const struct sl_op *op;
    if (sl_op_find(&op, x->library->registry, name, NULL) != SL_OK) return NULL;
    return sl_op_is_stateful(op) && !is_harmless(op) ? op->name.p : NULL;
}

static const char *first_state(struct reach *x) {
    const char *found = NULL;
    while (x->path.n && !found) {
        struct place_in_body *at = &x->path.items[x->path.n - 1];
        const struct sl_pb_array_NodeDef *nodes = &at->f->def->node_def;
        if (at->node >= nodes->n) {
            x->path.n--;
        } else if (!at->is_entered) {
            at->is_entered = true;
            enter_calls(x, &nodes->items[at->node]);
        } else {
            found = state_of_op(x, nodes->items[at->node++].op);
            at->is_entered = false;
        }
    }
    return found;
}

const char *sl_external_state(struct sl_runtime *r, struct sl_str function) {
    sl_mutex_lock(&r->library_mutex);
    struct reach x = {.library = r->library};
    meet_function(&x, function);
    const char *found = first_state(&x);
    sl_mutex_unlock(&r->library_mutex);
    sl_str_map_free(&x.met);
    sl_vec_free(&x.path);
    return found;
}
