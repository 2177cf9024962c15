/* sl_register_gradient: rules of the caller's, and how the engine runs them. The list only grows. While a rule runs,
 * the graph is not locked, so that it may add operations as anybody else. */
#include "capi/gradient_registry.h"

#include "base/alloc.h"
#include "sluice/gradient.h"

struct registered {
    struct sl_gradient_rule rule; /* `arg` is the entry */
    void (*run)(const struct sl_gradient_node *node, void *arg, TF_Status *status);
    void *arg;
    struct sl_str name;
    struct registered *next;
};

static struct {
    struct sl_mutex mutex; /* of those that add */
    _Atomic(struct registered *) first;
} rules = {.mutex = SL_MUTEX_INIT};

static const TF_Output *outputs_of(const struct sl_port *ports) { return (const TF_Output *)(const void *)ports; }

static sl_code run_on(TF_Graph *graph, struct registered *r, const struct sl_gradient_call *call,
                      struct sl_error *err) {
    TF_Status *status = TF_NewStatus();
    if (!status) return sl_fail_memory(err, sizeof *status);
    const struct sl_gradient_node node = {.graph = graph,
                                          .operation = sl_as_operation(call->node),
                                          .xs = outputs_of(call->xs),
                                          .ys = outputs_of(call->ys),
                                          .dys = outputs_of(call->dys),
                                          .dxs = (TF_Output *)(void *)call->dxs};
    r->run(&node, r->arg, status);
    sl_code code = sl_status_give(status, err);
    TF_DeleteStatus(status);
    return code;
}

/* The graph of a function's body has no handle of its own; nor has that of an op that a tape has recorded (no owner). */
static sl_code run_rule(void *arg, void *owner, const struct sl_gradient_call *call, struct sl_error *err) {
    TF_Graph *graph = owner;
    if (graph && graph->graph == call->graph) {
        sl_graph_unlock(graph);
        sl_code code = run_on(graph, arg, call, err);
        sl_graph_lock(graph);
        return code;
    }
    TF_Graph body = {.holds = 1, .graph = call->graph};
    sl_mutex_init(&body.mutex);
    sl_code code = run_on(&body, arg, call, err);
    sl_mutex_clear(&body.mutex);
    return code;
}

const struct sl_gradient_rule *sl_gradient_registry_find(struct sl_str name) {
    struct registered *r = atomic_load_explicit(&rules.first, memory_order_acquire);
    while (r && !sl_str_eq(r->name, name)) r = r->next;
    return r ? &r->rule : NULL;
}

static sl_code add(const char *name, void (*run)(const struct sl_gradient_node *node, void *arg, TF_Status *status),
                   void *arg, struct sl_error *err) {
    if (!name || !*name || !run)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A gradient rule needs a name and a function");
    if (sl_gradient_registry_find(sl_str_of(name)))
        return sl_fail(err, SL_ALREADY_EXISTS, "A gradient rule of the name '%s' is registered already", name);
    struct registered *r = sl_calloc(1, sizeof *r + strlen(name) + 1);
    if (!r) return sl_fail_memory(err, sizeof *r);
    char *text = (char *)(r + 1);
    memcpy(text, name, strlen(name) + 1);
    *r = (struct registered){.rule = {run_rule, r}, .run = run, .arg = arg, .name = sl_str_of(text)};
    sl_mutex_lock(&rules.mutex);
    r->next = atomic_load_explicit(&rules.first, memory_order_relaxed);
    atomic_store_explicit(&rules.first, r, memory_order_release);
    sl_mutex_unlock(&rules.mutex);
    return SL_OK;
}

SL_API void sl_register_gradient(const char *name,
                                 void (*rule)(const struct sl_gradient_node *node, void *arg, TF_Status *status),
                                 void *arg, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, add(name, rule, arg, &err), &err);
}
