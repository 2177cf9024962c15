/* One run's arguments. Short arrays stay on the caller's stack: a run of a cheap graph takes a microsecond. */
#include "capi/run_arrays.h"

#include "base/alloc.h"

/* Points `run` at room for the arrays. */
static sl_code lay_out(struct sl_run_arrays *a, int n_feeds, int n_fetches, struct sl_error *err) {
    size_t n = (size_t)n_feeds + (size_t)n_fetches;
    struct sl_port *ports = a->ports;
    struct sl_tensor **tensors = a->tensors;
    if (n > 2 * SL_RUN_FEW) {
        a->heap = sl_malloc(n * (sizeof *ports + sizeof *tensors));
        if (!a->heap) return sl_fail_memory(err, n * sizeof *ports);
        ports = a->heap;
        tensors = (struct sl_tensor **)(void *)(ports + n);
    }
    a->run.feeds = ports;
    a->run.fetches = ports + n_feeds;
    a->run.feed_tensors = tensors;
    a->run.fetch_tensors = tensors + n_feeds;
    a->run.n_feeds = n_feeds;
    a->run.n_fetches = n_fetches;
    return SL_OK;
}

static sl_code check_output(const TF_Session *session, TF_Output output, struct sl_error *err) {
    SL_TRY(sl_graph_check_output(session->graph, output, err));
    const struct sl_node *node = sl_as_node(output.oper);
    if (node->id < atomic_load_explicit(&session->seen_nodes, memory_order_relaxed)) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Tensor %.*s:%d, specified in either feed_devices or fetch_devices was not found in the Graph",
                   SL_STR_ARG(node->name), output.index);
}

sl_code sl_run_arrays_fill(struct sl_run_arrays *a, const TF_Session *session, const struct sl_run_request *request,
                           struct sl_error *err) {
    a->heap = NULL;
    a->run = (struct sl_run){0};
    if (request->n_inputs < 0 || request->n_outputs < 0 || request->n_targets < 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "A negative number of feeds, fetches or targets");
    SL_TRY(lay_out(a, request->n_inputs, request->n_outputs, err));
    struct sl_port *feeds = (struct sl_port *)a->run.feeds, *fetches = (struct sl_port *)a->run.fetches;
    struct sl_tensor **values = (struct sl_tensor **)a->run.feed_tensors;
    for (int i = 0; i < request->n_inputs; i++) {
        SL_TRY(check_output(session, request->inputs[i], err));
        feeds[i] = sl_as_port(request->inputs[i]);
        if (!request->input_values) continue;
        if (!request->input_values[i]) return sl_fail(err, SL_INVALID_ARGUMENT, "The value of feed %d is NULL", i);
        values[i] = request->input_values[i]->tensor;
    }
    for (int i = 0; i < request->n_outputs; i++) {
        SL_TRY(check_output(session, request->outputs[i], err));
        fetches[i] = sl_as_port(request->outputs[i]);
        a->run.fetch_tensors[i] = NULL;
    }
    a->run.targets = (struct sl_node *const *)(const void *)request->targets;
    a->run.n_targets = request->n_targets;
    for (int i = 0; i < request->n_targets; i++)
        if (!sl_graph_owns(session->graph, a->run.targets[i]))
            return sl_fail(err, SL_INVALID_ARGUMENT, "Target %d is not in the graph", i);
    return SL_OK;
}

sl_code sl_run_arrays_deliver(TF_Tensor **output_values, struct sl_run_arrays *a, struct sl_error *err) {
    int made = 0;
    while (made < a->run.n_fetches && (output_values[made] = sl_tensor_handle_new(a->run.fetch_tensors[made]))) made++;
    if (made == a->run.n_fetches) return SL_OK;
    for (int i = made + 1; i < a->run.n_fetches; i++) sl_tensor_unref(a->run.fetch_tensors[i]);
    while (made-- > 0) {
        TF_DeleteTensor(output_values[made]);
        output_values[made] = NULL;
    }
    return sl_fail_memory(err, sizeof(TF_Tensor));
}

void sl_run_arrays_clear(struct sl_run_arrays *a) { sl_free(a->heap); }
