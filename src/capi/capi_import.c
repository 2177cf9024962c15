/* Importing a GraphDef: options, the import itself, its results. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "tensorflow/c/c_api_experimental.h"

/* ---- options */
struct TF_ImportGraphDefOptions {
    struct sl_arena arena; /* of the strings */
    struct sl_str prefix, default_device;
    bool uniquify_names, uniquify_prefix, allow_unknown_colocation;
    bool is_out_of_memory; /* told by the import */
    SL_VEC(struct sl_import_mapping) mappings;
    SL_VEC(struct sl_node *) control_dependencies;
    SL_VEC(struct sl_import_return) outputs;
    SL_VEC(struct sl_import_return) operations;
};

TF_ImportGraphDefOptions *TF_NewImportGraphDefOptions(void) {
    TF_ImportGraphDefOptions *options = sl_calloc(1, sizeof *options);
    if (options) sl_arena_init(&options->arena);
    return options;
}

void TF_DeleteImportGraphDefOptions(TF_ImportGraphDefOptions *options) {
    if (!options) return;
    sl_vec_free(&options->mappings);
    sl_vec_free(&options->control_dependencies);
    sl_vec_free(&options->outputs);
    sl_vec_free(&options->operations);
    sl_arena_clear(&options->arena);
    sl_free(options);
}

static struct sl_str copy_text(TF_ImportGraphDefOptions *options, const char *text) {
    struct sl_str copy = sl_arena_str(&options->arena, sl_str_of(text ? text : ""));
    if (!copy.p) options->is_out_of_memory = true;
    return copy;
}

void TF_ImportGraphDefOptionsSetPrefix(TF_ImportGraphDefOptions *options, const char *prefix) {
    options->prefix = copy_text(options, prefix);
}

void TF_ImportGraphDefOptionsSetDefaultDevice(TF_ImportGraphDefOptions *options, const char *device) {
    options->default_device = copy_text(options, device);
}

void TF_ImportGraphDefOptionsSetUniquifyNames(TF_ImportGraphDefOptions *options, unsigned char uniquify_names) {
    options->uniquify_names = uniquify_names != 0;
}

void TF_ImportGraphDefOptionsSetUniquifyPrefix(TF_ImportGraphDefOptions *options, unsigned char uniquify_prefix) {
    options->uniquify_prefix = uniquify_prefix != 0;
}

void TF_ImportGraphDefOptionsSetValidateColocationConstraints(TF_ImportGraphDefOptions *options, unsigned char enable) {
    options->allow_unknown_colocation = enable == 0;
}

/* A later mapping of the same tensor takes the place of the earlier. */
static void add_mapping(TF_ImportGraphDefOptions *options, const char *name, int index, struct sl_port to) {
    for (size_t i = 0; i < options->mappings.n; i++) {
        struct sl_import_mapping *old = &options->mappings.items[i];
        if (old->index == index && sl_str_is(old->name, name)) {
            old->to = to;
            return;
        }
    }
    struct sl_import_mapping mapping = {copy_text(options, name), index, to};
    if (sl_vec_push(&options->mappings, mapping)) options->is_out_of_memory = true;
}

void TF_ImportGraphDefOptionsAddInputMapping(TF_ImportGraphDefOptions *options, const char *src_name, int src_index,
                                             TF_Output dst) {
    add_mapping(options, src_name, src_index, sl_as_port(dst));
}

void TF_ImportGraphDefOptionsRemapControlDependency(TF_ImportGraphDefOptions *options, const char *src_name,
                                                    TF_Operation *dst) {
    add_mapping(options, src_name, -1, (struct sl_port){sl_as_node(dst), -1});
}

void TF_ImportGraphDefOptionsAddControlDependency(TF_ImportGraphDefOptions *options, TF_Operation *operation) {
    if (sl_vec_push(&options->control_dependencies, sl_as_node(operation))) options->is_out_of_memory = true;
}

void TF_ImportGraphDefOptionsAddReturnOutput(TF_ImportGraphDefOptions *options, const char *operation_name, int index) {
    struct sl_import_return wanted = {copy_text(options, operation_name), index};
    if (sl_vec_push(&options->outputs, wanted)) options->is_out_of_memory = true;
}

int TF_ImportGraphDefOptionsNumReturnOutputs(const TF_ImportGraphDefOptions *options) {
    return (int)options->outputs.n;
}

void TF_ImportGraphDefOptionsAddReturnOperation(TF_ImportGraphDefOptions *options, const char *operation_name) {
    struct sl_import_return wanted = {copy_text(options, operation_name), -1};
    if (sl_vec_push(&options->operations, wanted)) options->is_out_of_memory = true;
}

int TF_ImportGraphDefOptionsNumReturnOperations(const TF_ImportGraphDefOptions *options) {
    return (int)options->operations.n;
}

/* ---- results */
struct TF_ImportGraphDefResults {
    struct sl_arena arena; /* of all below */
    TF_Output *outputs;
    TF_Operation **operations;
    const char **missing_names;
    int *missing_indexes;
    int n_outputs, n_operations, n_missing;
};

void TF_DeleteImportGraphDefResults(TF_ImportGraphDefResults *results) {
    if (!results) return;
    sl_arena_clear(&results->arena);
    sl_free(results);
}

void TF_ImportGraphDefResultsReturnOutputs(TF_ImportGraphDefResults *results, int *num_outputs, TF_Output **outputs) {
    *num_outputs = results->n_outputs;
    *outputs = results->outputs;
}

void TF_ImportGraphDefResultsReturnOperations(TF_ImportGraphDefResults *results, int *num_operations,
                                              TF_Operation ***operations) {
    *num_operations = results->n_operations;
    *operations = results->operations;
}

void TF_ImportGraphDefResultsMissingUnusedInputMappings(TF_ImportGraphDefResults *results,
                                                        int *num_missing_unused_input_mappings, const char ***src_names,
                                                        int **src_indexes) {
    *num_missing_unused_input_mappings = results->n_missing;
    *src_names = results->missing_names;
    *src_indexes = results->missing_indexes;
}

/* ---- the import */
struct import {
    TF_Graph *graph;
    const TF_ImportGraphDefOptions *options;
    struct sl_str bytes;
    struct sl_arena arena;            /* of what is below */
    struct sl_import_return *returns; /* outputs, then operations */
    struct sl_import_results results;
};

static sl_code fill_missing(TF_ImportGraphDefResults *results, const struct import *in, struct sl_error *err) {
    size_t n = in->options->mappings.n;
    results->missing_names = SL_ARENA_ARRAY(&results->arena, const char *, n);
    results->missing_indexes = SL_ARENA_ARRAY(&results->arena, int, n);
    if (!results->missing_names || !results->missing_indexes) return sl_fail_memory(err, n * sizeof(char *));
    for (size_t i = 0; i < n; i++) {
        const struct sl_import_mapping *mapping = &in->options->mappings.items[i];
        if (!in->results.mapping_missing[i]) continue;
        struct sl_str name = sl_arena_str(&results->arena, mapping->name);
        if (!name.p) return sl_fail_memory(err, mapping->name.n);
        results->missing_names[results->n_missing] = name.p;
        results->missing_indexes[results->n_missing++] = mapping->index;
    }
    return SL_OK;
}

static sl_code fill_results(TF_ImportGraphDefResults *results, const struct import *in, struct sl_error *err) {
    const TF_ImportGraphDefOptions *options = in->options;
    size_t n_outputs = options->outputs.n, n_operations = options->operations.n;
    results->outputs = SL_ARENA_ARRAY(&results->arena, TF_Output, n_outputs);
    results->operations = SL_ARENA_ARRAY(&results->arena, TF_Operation *, n_operations);
    if (!results->outputs || !results->operations) return sl_fail_memory(err, n_outputs * sizeof(TF_Output));
    for (size_t i = 0; i < n_outputs; i++) results->outputs[i] = sl_as_output(in->results.returns[i]);
    for (size_t i = 0; i < n_operations; i++)
        results->operations[i] = sl_as_operation(in->results.returns[n_outputs + i].node);
    results->n_outputs = (int)n_outputs;
    results->n_operations = (int)n_operations;
    return fill_missing(results, in, err);
}

static sl_code list_returns(struct import *in, struct sl_error *err) {
    const TF_ImportGraphDefOptions *options = in->options;
    size_t n = options->outputs.n + options->operations.n;
    in->returns = SL_ARENA_ARRAY(&in->arena, struct sl_import_return, n);
    if (!in->returns) return sl_fail_memory(err, n * sizeof *in->returns);
    if (options->outputs.n) memcpy(in->returns, options->outputs.items, options->outputs.n * sizeof *in->returns);
    if (options->operations.n)
        memcpy(in->returns + options->outputs.n, options->operations.items,
               options->operations.n * sizeof *in->returns);
    return SL_OK;
}

static sl_code check_targets(const struct import *in, struct sl_error *err) {
    const TF_ImportGraphDefOptions *options = in->options;
    for (size_t i = 0; i < options->mappings.n; i++) {
        const struct sl_import_mapping *m = &options->mappings.items[i];
        if (!sl_graph_owns(in->graph, m->to.node) || m->to.index < -1 || m->to.index >= m->to.node->n_outputs)
            return sl_fail(err, SL_INVALID_ARGUMENT, "The input mapping of '%.*s:%d' leads to nothing in the graph",
                           SL_STR_ARG(m->name), m->index);
    }
    for (size_t i = 0; i < options->control_dependencies.n; i++)
        if (!sl_graph_owns(in->graph, options->control_dependencies.items[i]))
            return sl_fail(err, SL_INVALID_ARGUMENT, "A control dependency of the import is not in the graph");
    return SL_OK;
}

static sl_code import_locked(struct import *in, struct sl_error *err) {
    const TF_ImportGraphDefOptions *options = in->options;
    SL_TRY(check_targets(in, err));
    SL_TRY(list_returns(in, err));
    struct sl_import_options how = {
        .prefix = options->prefix,
        .default_device = options->default_device,
        .uniquify_names = options->uniquify_names,
        .uniquify_prefix = options->uniquify_prefix,
        .mappings = options->mappings.items,
        .n_mappings = (int)options->mappings.n,
        .control_dependencies = options->control_dependencies.items,
        .n_control_dependencies = (int)options->control_dependencies.n,
        .returns = in->returns,
        .n_returns = (int)(options->outputs.n + options->operations.n),
        .allow_unknown_colocation = options->allow_unknown_colocation,
    };
    SL_TRY(sl_graph_import_bytes(&in->results, in->graph->graph, in->bytes, &how, err));
    sl_graph_touch(in->graph);
    return SL_OK;
}

/* `results` may be NULL. */
static sl_code import_bytes(TF_ImportGraphDefResults *results, struct import *in, const TF_Buffer *bytes,
                            struct sl_error *err) {
    if (!bytes) return sl_fail(err, SL_INVALID_ARGUMENT, "Invalid GraphDef");
    if (in->options->is_out_of_memory) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "out of memory");
    in->bytes = sl_bytes_of(bytes->data, bytes->length);
    sl_graph_lock(in->graph);
    sl_code code = import_locked(in, err);
    if (code == SL_OK && results) code = fill_results(results, in, err);
    sl_graph_unlock(in->graph);
    return code;
}

static sl_code import(TF_ImportGraphDefResults *results, TF_Graph *graph, const TF_Buffer *graph_def,
                      const TF_ImportGraphDefOptions *options, struct sl_error *err) {
    static const TF_ImportGraphDefOptions defaults;
    struct import in = {.graph = graph, .options = options ? options : &defaults};
    sl_arena_init(&in.arena);
    sl_code code = import_bytes(results, &in, graph_def, err);
    sl_arena_clear(&in.arena);
    return code;
}

TF_ImportGraphDefResults *TF_GraphImportGraphDefWithResults(TF_Graph *graph, const TF_Buffer *graph_def,
                                                            const TF_ImportGraphDefOptions *options,
                                                            TF_Status *status) {
    struct sl_error err;
    TF_ImportGraphDefResults *results = sl_calloc(1, sizeof *results);
    if (!results) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    sl_arena_init(&results->arena);
    if (sl_status_take(status, import(results, graph, graph_def, options, &err), &err)) return results;
    TF_DeleteImportGraphDefResults(results);
    return NULL;
}

TF_ImportGraphDefResults *TF_GraphImportGraphDefWithResultsNoSerialization(TF_Graph *graph, const TF_Buffer *graph_def,
                                                                           const TF_ImportGraphDefOptions *options,
                                                                           TF_Status *status) {
    (void)graph, (void)graph_def, (void)options;
    sl_status_set(
        status, SL_UNIMPLEMENTED,
        "TF_GraphImportGraphDefWithResultsNoSerialization takes a C++ object, which this library has not got");
    return NULL;
}

void TF_GraphImportGraphDefWithReturnOutputs(TF_Graph *graph, const TF_Buffer *graph_def,
                                             const TF_ImportGraphDefOptions *options, TF_Output *return_outputs,
                                             int num_return_outputs, TF_Status *status) {
    int asked = options ? TF_ImportGraphDefOptionsNumReturnOutputs(options) : 0;
    if (asked != num_return_outputs) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "Expected 'num_return_outputs' to be %d, got %d", asked,
                       num_return_outputs);
        return;
    }
    if (num_return_outputs > 0 && !return_outputs) {
        sl_status_set(status, SL_INVALID_ARGUMENT,
                      "'return_outputs' must be preallocated to length 'num_return_outputs'");
        return;
    }
    TF_ImportGraphDefResults *results = TF_GraphImportGraphDefWithResults(graph, graph_def, options, status);
    if (!results) return;
    for (int i = 0; i < num_return_outputs; i++) return_outputs[i] = results->outputs[i];
    TF_DeleteImportGraphDefResults(results);
}

void TF_GraphImportGraphDef(TF_Graph *graph, const TF_Buffer *graph_def, const TF_ImportGraphDefOptions *options,
                            TF_Status *status) {
    struct sl_error err;
    if (options && options->outputs.n > 0) {
        sl_status_set(status, SL_INVALID_ARGUMENT,
                      "TF_GraphImportGraphDef takes no return outputs; use TF_GraphImportGraphDefWithReturnOutputs");
        return;
    }
    sl_status_take(status, import(NULL, graph, graph_def, options, &err), &err);
}
