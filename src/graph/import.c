/* Import of a GraphDef: all of its nodes and functions, or none.
 *
 * First the nodes are read (import_read.c) and indexed (import_index.c: names, inputs, who waits for whom), then
 * nodes are made in the order of the GraphDef as far as their inputs allow. A Merge fed by a NextIteration waits for
 * one data input only; its other inputs are connected at the end. Names, mappings, texts and the order of the checks
 * are those of TensorFlow's ImportGraphDef. */
#include "base/alloc.h"
#include "graph/import_index.h"
#include "graph/infer.h"
#include "graph/node_names.h"
#include "graph/node_store.h"
#include "os/page.h"
#include "proto/wire.h"

#include <stdlib.h>

/* ---- versions */

static sl_code check_versions(const struct sl_pb_VersionDef *v, struct sl_error *err) {
    if (v->producer < SL_GRAPH_DEF_MIN_PRODUCER)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "GraphDef producer version %d below min producer %d supported by TensorFlow " SL_TF_VERSION
                       ".  Please regenerate your graph.",
                       v->producer, SL_GRAPH_DEF_MIN_PRODUCER);
    if (v->min_consumer > SL_GRAPH_DEF_VERSION)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "GraphDef min consumer version %d above current version %d for TensorFlow " SL_TF_VERSION
                       ".  Please upgrade TensorFlow.",
                       v->min_consumer, SL_GRAPH_DEF_VERSION);
    for (size_t i = 0; i < v->bad_consumers.n; i++)
        if (v->bad_consumers.items[i] == SL_GRAPH_DEF_VERSION)
            return sl_fail(err, SL_INVALID_ARGUMENT,
                           "GraphDef disallows consumer version %d.  Please upgrade TensorFlow: this version is likely "
                           "buggy.",
                           SL_GRAPH_DEF_VERSION);
    return SL_OK;
}

static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The consumers of the graph after taking in a GraphDef of versions `v`. */
static sl_code merge_consumers(struct sl_graph *graph, const struct sl_pb_VersionDef *v, struct sl_error *err) {
    size_t n = (size_t)graph->n_bad_consumers + v->bad_consumers.n, kept = 0;
    if (v->bad_consumers.n) {
        int *bad = SL_ARENA_ARRAY(&graph->arena, int, n);
        if (!bad) return sl_fail_memory(err, n * sizeof *bad);
        if (graph->n_bad_consumers) memcpy(bad, graph->bad_consumers, (size_t)graph->n_bad_consumers * sizeof *bad);
        memcpy(bad + graph->n_bad_consumers, v->bad_consumers.items, v->bad_consumers.n * sizeof *bad);
        qsort(bad, n, sizeof *bad, by_number);
        for (size_t i = 0; i < n; i++)
            if (!kept || bad[kept - 1] != bad[i]) bad[kept++] = bad[i];
        graph->bad_consumers = bad;
        graph->n_bad_consumers = (int)kept;
    }
    if (v->min_consumer > graph->min_consumer) graph->min_consumer = v->min_consumer;
    return SL_OK;
}

/* ---- one node */
static inline struct sl_node *node_read(const struct sl_import *im, struct sl_import_source source, int *index) {
    if (source.entry >= 0) {
        *index = source.index;
        return im->entries[source.entry].node;
    }
    struct sl_port to = im->options->mappings[~source.entry].to;
    *index = source.index < 0 ? -1 : to.index;
    return to.node;
}

static inline sl_code check_source(const struct sl_import *im, const struct sl_import_entry *entry,
                                   struct sl_import_source source) {
    int index;
    const struct sl_node *from = node_read(im, source, &index);
    if (from && index >= from->n_outputs) return sl_edge_fail_output(entry->name, index, from, im->err);
    return SL_OK;
}

/* Looks at all inputs before anything is made; `*n_data` are those that are not control inputs. */
static sl_code check_sources(const struct sl_import *im, const struct sl_import_entry *entry, int *n_data) {
    bool has_back_edge = false;
    *n_data = 0;
    for (size_t i = 0; i < entry->n_inputs; i++) {
        struct sl_import_source source = im->sources[entry->first_source + i];
        SL_TRY(check_source(im, entry, source));
        *n_data += source.index >= 0;
        has_back_edge |= source.entry >= 0 && !im->entries[source.entry].node;
    }
    if (has_back_edge && !entry->kind->is_merge)
        return sl_fail(im->err, SL_INVALID_ARGUMENT,
                       "Node '%.*s' had a back edge, but only Merge nodes can have back edges.",
                       SL_STR_ARG(entry->name));
    return SL_OK;
}

#define COLOCATION "loc:@"

static bool colocated_with(struct sl_str *out, struct sl_str entry) {
    if (!sl_str_starts(entry, SL_STR(COLOCATION))) return false;
    *out = (struct sl_str){entry.p + strlen(COLOCATION), entry.n - strlen(COLOCATION)};
    return true;
}

static const struct sl_pb_AttrValue_ListValue *colocation(const struct sl_attrs *attrs) {
    const struct sl_pb_AttrValue *value = sl_attr_find(attrs, SL_STR("_class"));
    return value && value->which == SL_PB_AttrValue_list ? value->list : NULL;
}

sl_code sl_import_check_colocation(const struct sl_import *im, struct sl_str node, const struct sl_attrs *attrs) {
    const struct sl_pb_AttrValue_ListValue *list = im->options->allow_unknown_colocation ? NULL : colocation(attrs);
    struct sl_str other;
    for (size_t i = 0; list && i < list->s.n; i++)
        if (colocated_with(&other, list->s.items[i]) &&
            !(im->is_straight ? (void *)sl_graph_find(im->graph, other) : (void *)sl_import_find(im, other)))
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node '%.*s' expects to be colocated with unknown node '%.*s'",
                           SL_STR_ARG(node), SL_STR_ARG(other));
    return SL_OK;
}

static sl_code copy_message(void *copy, const struct sl_import *im, const struct sl_pb_message *type,
                            const void *message) {
    struct sl_str bytes;
    SL_TRY(sl_pb_encode(&bytes, type, message, 0, &im->graph->arena, im->err));
    return sl_pb_decode(copy, type, bytes, &im->graph->arena, im->err);
}

/* What no check or pass looks at, but an export gives back. */
static sl_code copy_notes(struct sl_import *im, struct sl_import_kind *kind, const struct sl_pb_NodeDef *def) {
    const struct sl_pb_NodeDef_ExperimentalDebugInfo *info = def->experimental_debug_info;
    if (info && !info->original_node_names.n && !info->original_func_names.n) info = NULL;
    if (!info && !def->experimental_type) return SL_OK;
    struct sl_node_notes *notes = SL_ARENA_NEW(&im->graph->arena, struct sl_node_notes);
    if (!notes) return sl_fail_memory(im->err, sizeof *notes);
    kind->notes = notes;
    if (def->experimental_type) {
        notes->full_type = SL_ARENA_NEW(&im->graph->arena, struct sl_pb_FullTypeDef);
        if (!notes->full_type) return sl_fail_memory(im->err, sizeof *notes->full_type);
        SL_TRY(copy_message(notes->full_type, im, SL_PB_TYPE(FullTypeDef), def->experimental_type));
    }
    if (!info) return SL_OK;
    notes->debug_info = SL_ARENA_NEW(&im->graph->arena, struct sl_pb_NodeDef_ExperimentalDebugInfo);
    if (!notes->debug_info) return sl_fail_memory(im->err, sizeof *notes->debug_info);
    struct sl_pb_NodeDef_ExperimentalDebugInfo known = *info;
    known.unknown = NULL;
    return copy_message(notes->debug_info, im, SL_PB_TYPE(NodeDef_ExperimentalDebugInfo), &known);
}

/* The attrs as they stand in the message, in an array that the next kind uses again; but for _output_shapes, which
 * inference takes from the message. */
static sl_code given_attrs(struct sl_attrs *out, struct sl_import *im, struct sl_import_kind *kind,
                           const struct sl_pb_NodeDef *def, struct sl_str node) {
    im->given.n = 0;
    if (def->attr.n > INT16_MAX)
        return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node '%.*s' has %zu attrs", SL_STR_ARG(node), def->attr.n);
    if (sl_vec_reserve(&im->given, def->attr.n)) return sl_fail_memory(im->err, def->attr.n * sizeof *im->given.items);
    bool takes_shapes = !im->options->keep_shape_attr && !im->options->no_inference;
    for (size_t i = 0; i < def->attr.n; i++) {
        const struct sl_pb_entry_string_AttrValue *attr = &def->attr.items[i];
        if (takes_shapes && attr->value.which == SL_PB_AttrValue_list && sl_str_is(attr->key, "_output_shapes"))
            kind->shapes = attr->value.list;
        else im->given.items[im->given.n++] = (struct sl_attr){attr->key, &attr->value};
    }
    *out = (struct sl_attrs){im->given.items, (int)im->given.n};
    return SL_OK;
}

/* The attrs and what follows them, decoded from a copy in the graph's arena, where they stay. */
static sl_code decode_rest(const struct sl_pb_NodeDef **out, struct sl_import *im, struct sl_str rest) {
    struct sl_str copy = sl_arena_str(&im->graph->arena, rest);
    struct sl_pb_NodeDef *def = SL_ARENA_NEW(&im->scratch, struct sl_pb_NodeDef);
    if (!copy.p || !def) return sl_fail_memory(im->err, rest.n);
    *out = def;
    return sl_pb_decode(def, SL_PB_TYPE(NodeDef), copy, &im->graph->arena, im->err);
}

sl_code sl_import_bind(struct sl_import *im, struct sl_import_kind *kind, struct sl_str node, struct sl_str name) {
    struct sl_graph *graph = im->graph;
    const struct sl_pb_NodeDef *def = kind->def;
    struct sl_attrs given;
    SL_TRY(sl_graph_find_op(&kind->op, graph, kind->op_name, im->err));
    if (im->is_bytes) SL_TRY(decode_rest(&def, im, kind->rest));
    SL_TRY(given_attrs(&given, im, kind, def, node));
    if (!im->is_straight) SL_TRY(sl_import_check_colocation(im, node, &given));
    if (im->is_bytes) SL_TRY(sl_attrs_bind(&kind->attrs, &graph->arena, kind->op, &given, name, im->err));
    else SL_TRY(sl_node_attrs_bind(&kind->attrs, graph, kind->op, &given, name, im->err));
    SL_TRY(sl_op_signature(&kind->signature, &graph->arena, kind->op, &kind->attrs, im->err));
    struct sl_str device = kind->wanted_device.n ? kind->wanted_device : im->options->default_device;
    if (!sl_str_eq(device, im->device)) im->device = sl_arena_str(&graph->arena, device);
    if (!im->device.p) return sl_fail_memory(im->err, device.n);
    kind->device = im->device;
    if (colocation(&kind->attrs)) {
        kind->next_colocated = im->colocated;
        im->colocated = kind;
    }
    kind->is_bound = true;
    return copy_notes(im, kind, def);
}

/* The node without edges. */
static sl_code make(struct sl_import *im, struct sl_import_entry *entry, int n_data) {
    struct sl_import_kind *kind = entry->kind;
    struct sl_str name = entry->name;
    if (im->prefix.n || !im->names_are_free) SL_TRY(sl_import_new_name(&name, im, entry));
    if (!kind->is_bound) SL_TRY(sl_import_bind(im, kind, entry->name, name));
    if (n_data != kind->signature.n_inputs)
        return sl_signature_check(&kind->signature, kind->op, n_data, name, im->err);
    if (kind->op->deprecated) SL_TRY(sl_op_check_version(kind->op, im->versions->producer, im->err));
    struct sl_node_parts parts = {.name = name,
                                  .name_hash = name.p == entry->name.p ? entry->hash : 0,
                                  .is_listed = im->is_whole,
                                  .device = kind->device,
                                  .op = kind->op,
                                  .attrs = kind->attrs,
                                  .in_types = kind->signature.inputs,
                                  .out_types = kind->signature.outputs,
                                  .n_inputs = kind->signature.n_inputs,
                                  .n_outputs = kind->signature.n_outputs,
                                  .n_controls = (int)entry->n_inputs - n_data,
                                  .n_uses = (int)entry->n_consumers,
                                  .notes = kind->notes};
    return sl_node_make(&entry->node, im->graph, &parts, im->err);
}

/* ---- edges */
static sl_code postpone(struct sl_import *im, struct sl_node *node, int slot, struct sl_import_source source) {
    struct sl_back_edge *edge = SL_ARENA_NEW(&im->scratch, struct sl_back_edge);
    if (!edge) return sl_fail_memory(im->err, sizeof *edge);
    *edge = (struct sl_back_edge){node, slot, source, NULL};
    *im->last_back_edge = edge;
    im->last_back_edge = &edge->next;
    return SL_OK;
}

static inline sl_code connect_one(struct sl_import *im, struct sl_node *node, int slot,
                                  struct sl_import_source source) {
    int index;
    struct sl_node *from = node_read(im, source, &index);
    if (!from) return postpone(im, node, slot, source);
    if (source.index < 0) return sl_graph_add_control(im->graph, from, node, im->err);
    return sl_edge_add(node, slot, (struct sl_port){from, index}, im->err);
}

/* Control inputs that every imported node has, given to those that do not have them from another imported node. */
static sl_code add_dependencies(struct sl_import *im, const struct sl_import_entry *entry) {
    if (!im->options->n_control_dependencies) return SL_OK;
    for (size_t i = 0; i < entry->n_inputs; i++) {
        int from = im->sources[entry->first_source + i].entry;
        if (from >= 0 && im->entries[from].node) return SL_OK;
    }
    for (int i = 0; i < im->options->n_control_dependencies; i++)
        SL_TRY(sl_graph_add_control(im->graph, im->options->control_dependencies[i], entry->node, im->err));
    return SL_OK;
}

static sl_code convert(struct sl_import *im, struct sl_import_entry *entry) {
    int n_data;
    SL_TRY(check_sources(im, entry, &n_data));
    SL_TRY(make(im, entry, n_data));
    for (size_t i = 0; i < entry->n_inputs; i++)
        SL_TRY(connect_one(im, entry->node, (int)i, im->sources[entry->first_source + i]));
    SL_TRY(add_dependencies(im, entry));
    if (im->options->no_inference) return SL_OK;
    SL_TRY(sl_graph_infer(im->graph, entry->node, im->err));
    const struct sl_pb_AttrValue_ListValue *shapes = entry->kind->shapes;
    return shapes ? sl_node_merge_shapes(im->graph, entry->node, shapes, im->err) : SL_OK;
}

static sl_code convert_in_turn(struct sl_import *im) {
    size_t n_made = 0;
    for (long i; (i = sl_import_next_ready(im)) >= 0; n_made++) {
        SL_TRY(convert(im, &im->entries[i]));
        sl_import_notify(im, &im->entries[i]);
    }
    if (n_made < im->n) return sl_fail(im->err, SL_INVALID_ARGUMENT, "%zu nodes in a cycle", im->n - n_made);
    for (struct sl_back_edge *e = im->back_edges; e; e = e->next) {
        SL_TRY(check_source(im, &(struct sl_import_entry){.name = e->node->name}, e->source));
        SL_TRY(connect_one(im, e->node, e->slot, e->source));
    }
    return SL_OK;
}

static sl_code convert_all(struct sl_import *im) {
    if (!im->is_ordered) return convert_in_turn(im);
    for (size_t i = 0; i < im->n; i++) SL_TRY(convert(im, &im->entries[i]));
    return SL_OK;
}

/* ---- colocation */

/* Entries of _class name nodes of the GraphDef: they get the names those have in the graph. */
static sl_code rename_colocation(struct sl_import *im, const struct sl_import_kind *kind) {
    const struct sl_pb_AttrValue_ListValue *list = colocation(&kind->attrs);
    struct sl_str other;
    for (size_t i = 0; list && i < list->s.n; i++) {
        if (!colocated_with(&other, list->s.items[i])) continue;
        const struct sl_import_entry *entry = sl_import_find(im, other);
        if (!entry || sl_str_eq(entry->node->name, other)) continue;
        char *text = sl_arena_format(&im->graph->arena, COLOCATION "%.*s", SL_STR_ARG(entry->node->name));
        if (!text) return sl_fail_memory(im->err, other.n);
        list->s.items[i] = sl_str_of(text); /* the value is the graph's own copy */
    }
    return SL_OK;
}

/* ---- results */
static sl_code find_return(struct sl_port *out, const struct sl_import *im, const struct sl_import_return *asked) {
    if (asked->index >= 0) {
        int mapping = sl_import_mapping_of(im, (struct sl_tensor_name){asked->name, asked->index});
        if (mapping >= 0) {
            *out = im->options->mappings[mapping].to;
            return SL_OK;
        }
    }
    const struct sl_import_entry *entry = sl_import_find(im, asked->name);
    if (!entry && asked->index < 0)
        return sl_fail(im->err, SL_INVALID_ARGUMENT, "Requested return node '%.*s' not found in graph def",
                       SL_STR_ARG(asked->name));
    if (!entry)
        return sl_fail(im->err, SL_INVALID_ARGUMENT, "Requested return tensor '%.*s:%d' not found in graph def",
                       SL_STR_ARG(asked->name), asked->index);
    if (asked->index >= entry->node->n_outputs)
        return sl_fail(im->err, SL_INVALID_ARGUMENT, "Invalid return output %d of node '%.*s', which has %d output(s)",
                       asked->index, SL_STR_ARG(asked->name), entry->node->n_outputs);
    *out = (struct sl_port){entry->node, asked->index};
    return SL_OK;
}

static sl_code fill_results(struct sl_import_results *results, struct sl_import *im) {
    const struct sl_import_options *options = im->options;
    struct sl_arena *arena = &im->graph->arena;
    results->returns = SL_ARENA_ARRAY(arena, struct sl_port, (size_t)options->n_returns);
    results->mapping_missing = SL_ARENA_ARRAY(arena, bool, (size_t)options->n_mappings);
    if (!results->returns || !results->mapping_missing)
        return sl_fail_memory(im->err, (size_t)options->n_returns * sizeof(struct sl_port));
    for (int i = 0; i < options->n_returns; i++) SL_TRY(find_return(&results->returns[i], im, &options->returns[i]));
    for (int i = 0; i < options->n_mappings; i++) {
        const struct sl_import_entry *entry = sl_import_find(im, options->mappings[i].name);
        results->mapping_missing[i] =
            !im->mapping_used[i] && (!entry || options->mappings[i].index >= entry->node->n_outputs);
    }
    return SL_OK;
}

/* ---- all of it */
static sl_code run(struct sl_import *im, struct sl_import_results *results) {
    static const struct sl_pb_VersionDef no_versions = {0};
    if (!im->versions) im->versions = &no_versions;
    SL_TRY(check_versions(im->versions, im->err));
    if (!im->is_straight) SL_TRY(sl_import_index(im));
    if (im->versions->producer < im->graph->producer)
        im->graph->producer = im->versions->producer; /* inference asks for it */
    SL_TRY(sl_graph_add_functions(im->graph, im->functions.items, im->functions.n, im->err));
    if (im->library) SL_TRY(sl_graph_add_library(im->graph, im->library, im->err));
    SL_TRY(im->is_straight ? sl_import_straight(im) : convert_all(im));
    if (im->prefix.n || im->has_renamed)
        for (struct sl_import_kind *kind = im->colocated; kind; kind = kind->next_colocated)
            SL_TRY(rename_colocation(im, kind));
    SL_TRY(fill_results(results, im));
    return merge_consumers(im->graph, im->versions, im->err);
}

static void begin(struct sl_import *im, struct sl_graph *graph, const struct sl_import_options *options,
                  struct sl_error *err) {
    static const struct sl_import_options no_options = {0};
    *im = (struct sl_import){.graph = graph,
                             .options = options ? options : &no_options,
                             .first_node = graph->nodes.n,
                             .device = SL_STR(""),
                             .err = err};
    im->last_back_edge = &im->back_edges;
    sl_arena_init_large(&im->scratch, sl_pages_prefer_large);
}

/* What was read becomes nodes, or the graph is as it was. */
static sl_code finish(struct sl_import *im, struct sl_import_results *results) {
    struct sl_graph *graph = im->graph;
    struct sl_import_results unasked;
    size_t first_function = graph->functions.n, first_gradient = graph->gradients.n;
    size_t n_outputs = graph->n_outputs;
    int producer = graph->producer, min_consumer = graph->min_consumer;
    sl_code code = run(im, results ? results : &unasked);
    if (code != SL_OK) {
        graph->producer = producer;
        graph->min_consumer = min_consumer;
        graph->n_outputs = n_outputs;
        sl_graph_truncate(graph, im->first_node);
        sl_graph_truncate_functions(graph, first_function, first_gradient);
    } else if (im->is_whole) {
        sl_node_names_take(graph, im->slots, im->n_slots, im->n);
        im->slots = NULL;
    }
    return code;
}

sl_code sl_graph_import(struct sl_import_results *results, struct sl_graph *graph, const struct sl_pb_GraphDef *def,
                        const struct sl_import_options *options, struct sl_error *err) {
    struct sl_import im;
    begin(&im, graph, options, err);
    sl_code code = sl_import_read_message(&im, def);
    if (code == SL_OK) code = finish(&im, results);
    sl_import_release(&im);
    return code;
}

/* When bytes are not imported as they stand, for a `fault` (SL_OK: they are not as usual). Malformed ones are
 * refused as such before anything else is said of them; unusual ones are imported as a message. */
static sl_code import_decoded(struct sl_import_results *results, struct sl_graph *graph, struct sl_str bytes,
                              const struct sl_import_options *options, sl_code fault, const char *message,
                              struct sl_error *err) {
    struct sl_pb_GraphDef def;
    struct sl_arena arena;
    struct sl_error why;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&def, SL_PB_TYPE(GraphDef), bytes, &arena, &why);
    if (code == SL_RESOURCE_EXHAUSTED) sl_fail(err, code, "%s", why.message);
    else if (code != SL_OK) code = sl_fail(err, SL_INVALID_ARGUMENT, "Invalid GraphDef: %s", why.message);
    else if (fault != SL_OK) code = sl_fail(err, fault, "%s", message);
    else code = sl_graph_import(results, graph, &def, options, err);
    sl_arena_clear(&arena);
    return code;
}

/* Makes the graph while the bytes are read, when they allow it; else nothing has happened. */
static bool go_straight(struct sl_import *im, struct sl_import_results *results) {
    if (!sl_import_may_go_straight(im)) return false;
    im->is_straight = true;
    if (finish(im, results) == SL_OK) return true;
    im->is_straight = false;
    im->colocated = NULL;
    sl_error_clear(im->err);
    return false;
}

sl_code sl_graph_import_bytes(struct sl_import_results *results, struct sl_graph *graph, struct sl_str bytes,
                              const struct sl_import_options *options, struct sl_error *err) {
    struct sl_import im;
    struct sl_error fault;
    bool is_usual;
    sl_error_clear(&fault);
    begin(&im, graph, options, &fault);
    sl_code code = sl_import_begin_bytes(&is_usual, &im, bytes);
    if (!(code == SL_OK && is_usual && go_straight(&im, results))) {
        if (code == SL_OK && is_usual) code = sl_import_read_bytes(&is_usual, &im);
        if (code == SL_OK && is_usual) code = finish(&im, results);
    }
    sl_import_release(&im);
    if (code == SL_OK && is_usual) return SL_OK;
    return import_decoded(results, graph, bytes, options, code, fault.message, err);
}
