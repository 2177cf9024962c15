/* What an import has to know before it makes the first node. The checks stand in TensorFlow's order, so that a
 * GraphDef with several faults is refused for the same one. */
#include "graph/import_index.h"

#include "base/hash.h"
#include "graph/node_store.h"
#include "os/page.h"
#include "proto/wire.h"

static void *scratch(struct sl_import *im, size_t count, size_t size) {
    void *p = sl_arena_array(&im->scratch, count, size);
    if (!p) sl_fail_memory(im->err, count * size);
    return p;
}

/* ---- names */

/* Adds "a/b" and "a" for "a/b/c". Keys are parts of `name`. */
static int add_scopes(struct sl_str_map *scopes, struct sl_str name) {
    for (size_t at = name.n; at-- > 0;) {
        if (name.p[at] != '/') continue;
        struct sl_str scope = {name.p, at};
        if (sl_str_map_get(scopes, scope)) return 0; /* and so are the scopes around it */
        if (sl_str_map_put(scopes, scope, scopes)) return -1;
    }
    return 0;
}

/* The scopes of the nodes there were before this import. */
static sl_code scan_scopes(struct sl_import *im) {
    struct sl_graph *graph = im->graph;
    for (; graph->n_scoped < im->first_node; graph->n_scoped++) {
        const struct sl_node *node = graph->nodes.items[graph->n_scoped];
        if (!node->is_removed && add_scopes(&graph->scopes, node->name))
            return sl_fail_memory(im->err, sizeof(struct sl_str_map_entry));
    }
    return SL_OK;
}

static bool is_taken(const struct sl_import *im, struct sl_str name) {
    return sl_graph_find(im->graph, name) || sl_str_map_get(&im->graph->scopes, name);
}

/* Whether a node or scope of the GraphDef will want this name. */
static bool is_wanted(const struct sl_import *im, struct sl_str name) {
    if (!sl_str_starts(name, im->prefix)) return false;
    struct sl_str own = {name.p + im->prefix.n, name.n - im->prefix.n};
    return sl_import_find(im, own) || sl_str_map_get(&im->scopes, own);
}

/* `wanted` with the first number that makes it free. */
static sl_code free_name(struct sl_str *out, struct sl_import *im, struct sl_str wanted) {
    int *tried = sl_str_map_get(&im->graph->unique_prefixes, wanted);
    if (!tried) {
        struct sl_str key = sl_arena_str(&im->graph->arena, wanted);
        tried = SL_ARENA_NEW(&im->graph->arena, int);
        if (!key.p || !tried || sl_str_map_put(&im->graph->unique_prefixes, key, tried))
            return sl_fail_memory(im->err, sizeof(struct sl_str_map_entry));
    }
    for (int number = *tried + 1;; number++) {
        char *name = sl_arena_format(&im->graph->arena, "%.*s_%d", SL_STR_ARG(wanted), number);
        if (!name) return sl_fail_memory(im->err, wanted.n);
        *out = sl_str_of(name);
        if (!is_taken(im, *out) && !is_wanted(im, *out)) return SL_OK;
        if (sl_graph_find(im->graph, *out) && number == *tried + 1) *tried = number;
    }
}

/* `name` is taken: a free one instead, when that is allowed. */
static sl_code other_name(struct sl_str *out, struct sl_import *im) {
    if (im->options->uniquify_names) {
        if (!im->has_renamed)
            for (size_t i = 0; i < im->n; i++)
                if (add_scopes(&im->scopes, im->entries[i].name))
                    return sl_fail_memory(im->err, sizeof(struct sl_str_map_entry));
        im->has_renamed = true;
        return free_name(out, im, *out);
    }
    if (im->prefix.n && !sl_graph_find(im->graph, *out)) return SL_OK; /* a scope alone: only nodes matter here */
    return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node name '%.*s' already exists in the Graph", SL_STR_ARG(*out));
}

sl_code sl_import_new_name(struct sl_str *out, struct sl_import *im, const struct sl_import_entry *entry) {
    *out = entry->name;
    if (im->prefix.n) {
        im->name.n = 0;
        if (sl_vec_reserve(&im->name, im->prefix.n + entry->name.n)) return sl_fail_memory(im->err, entry->name.n);
        memcpy(im->name.items, im->prefix.p, im->prefix.n);
        memcpy(im->name.items + im->prefix.n, entry->name.p, entry->name.n);
        *out = (struct sl_str){im->name.items, im->prefix.n + entry->name.n};
    }
    return im->names_are_free || !is_taken(im, *out) ? SL_OK : other_name(out, im);
}

/* "x" or "x/" as asked for, or "x_1/" when that is wanted and needed. */
static sl_code decide_prefix(struct sl_import *im) {
    struct sl_str wanted = im->options->prefix;
    while (wanted.n && wanted.p[wanted.n - 1] == '/') wanted.n--;
    if (!wanted.n) {
        im->names_are_free = im->graph->live == 0;
        return SL_OK;
    }
    if (!sl_node_name_is_valid(wanted))
        return sl_fail(im->err, SL_INVALID_ARGUMENT,
                       "Imported node name prefix '%.*s/' would lead to invalid node names", SL_STR_ARG(wanted));
    if (im->options->uniquify_prefix && is_taken(im, wanted)) SL_TRY(free_name(&wanted, im, wanted));
    im->names_are_free = !sl_str_map_get(&im->graph->scopes, wanted);
    char *p = sl_arena_format(&im->graph->arena, "%.*s/", SL_STR_ARG(wanted));
    if (!p) return sl_fail_memory(im->err, wanted.n);
    im->prefix = sl_str_of(p);
    return SL_OK;
}

/* Without prefix and renaming, names and scopes of the graph are both out of bounds. */
static sl_code check_collisions(struct sl_import *im) {
    if (im->names_are_free || im->prefix.n || im->options->uniquify_names) return SL_OK;
    for (size_t i = 0; i < im->n; i++) {
        struct sl_str name = im->entries[i].name;
        if (is_taken(im, name))
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node name '%.*s' already exists in the Graph",
                           SL_STR_ARG(name));
    }
    return SL_OK;
}

/* ---- entries by name */
static inline uint32_t *slot_of(const struct sl_import *im, struct sl_str name, uint32_t hash) {
    size_t mask = im->n_slots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &im->slots[i];
        if (!*slot) return slot;
        const struct sl_import_entry *entry = &im->entries[*slot - 1];
        if (entry->hash == hash && sl_str_eq(entry->name, name)) return slot;
    }
}

struct sl_import_entry *sl_import_find(const struct sl_import *im, struct sl_str name) {
    uint32_t number = *slot_of(im, name, sl_hash_name(name.p, name.n));
    return number ? &im->entries[number - 1] : NULL;
}

static bool is_control_name(struct sl_str input) { return input.n && input.p[0] == '^'; }

static sl_code index_nodes(struct sl_import *im) {
    uint32_t n_sources = 0;
    for (size_t i = 0; i < im->n; i++) {
        struct sl_import_entry *entry = &im->entries[i];
        struct sl_str name = entry->name;
        if (!sl_node_name_is_valid(name) && !(im->options->allow_internal_names && sl_node_name_is_internal(name)))
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node '%.*s': Node name contains invalid characters",
                           SL_STR_ARG(name));
        entry->hash = sl_hash_name(name.p, name.n);
        uint32_t *slot = slot_of(im, name, entry->hash);
        if (*slot) return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node '%.*s' is not unique", SL_STR_ARG(name));
        *slot = (uint32_t)(i + 1);
        if (!entry->kind->op_name.n)
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node '%.*s' does not specify an operation", SL_STR_ARG(name));
        if (entry->is_mixed)
            return sl_fail(im->err, SL_INVALID_ARGUMENT,
                           "Node '%.*s': Control dependencies must come after regular dependencies", SL_STR_ARG(name));
        entry->first_source = n_sources;
        if (entry->n_inputs > INT32_MAX - n_sources)
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "The GraphDef has more than %d inputs", INT32_MAX);
        n_sources += entry->n_inputs;
    }
    im->sources = sl_arena_alloc(&im->scratch, n_sources * sizeof *im->sources);
    if (!im->sources) return sl_fail_memory(im->err, n_sources * sizeof *im->sources);
    sl_pages_prepare(im->sources, n_sources * sizeof *im->sources);
    return SL_OK;
}

/* ---- mappings */
static sl_code index_mappings(struct sl_import *im) {
    const struct sl_import_options *options = im->options;
    size_t n = (size_t)options->n_mappings;
    im->next_mapping = scratch(im, n, sizeof *im->next_mapping);
    im->mapping_used = scratch(im, n, sizeof *im->mapping_used);
    if (!im->next_mapping || !im->mapping_used) return SL_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < n; i++) {
        const struct sl_import_mapping *m = &options->mappings[i];
        if (!m->to.node || m->to.node->graph != im->graph || m->to.node->is_removed)
            return sl_fail(im->err, SL_INVALID_ARGUMENT,
                           "node '%.*s' in input_map does not exist in graph (input_map entry: %.*s:%d)",
                           m->to.node ? (int)m->to.node->name.n : 0, m->to.node ? m->to.node->name.p : "",
                           SL_STR_ARG(m->name), m->index);
        if ((m->index < 0) != (m->to.index < 0))
            return sl_fail(im->err, SL_INVALID_ARGUMENT,
                           "input_map entry %.*s:%d->%.*s:%d between control edge and non-control edge",
                           SL_STR_ARG(m->name), m->index, SL_STR_ARG(m->to.node->name), m->to.index);
        im->next_mapping[i] = (int)(uintptr_t)sl_str_map_get(&im->mapped, m->name) - 1; /* a later one counts */
        if (sl_str_map_put(&im->mapped, m->name, (void *)(i + 1)))
            return sl_fail_memory(im->err, sizeof(struct sl_str_map_entry));
    }
    for (int i = 0; i < options->n_control_dependencies; i++)
        if (options->control_dependencies[i]->graph != im->graph)
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "node '%.*s' in control_dependencies does not exist in graph",
                           SL_STR_ARG(options->control_dependencies[i]->name));
    return SL_OK;
}

int sl_import_mapping_of(const struct sl_import *im, struct sl_tensor_name name) {
    if (!im->mapped.n) return -1;
    int i = (int)(uintptr_t)sl_str_map_get(&im->mapped, name.node) - 1;
    while (i >= 0 && im->options->mappings[i].index != name.index) i = im->next_mapping[i];
    return i;
}

/* ---- inputs */
/* What an input's text names: most name a node alone, and no node's name looks like another form. */
static struct sl_import_entry *find_source(struct sl_tensor_name *name, const struct sl_import *im,
                                           struct sl_str input) {
    *name = (struct sl_tensor_name){input, 0};
    struct sl_import_entry *from = is_control_name(input) ? NULL : sl_import_find(im, input);
    if (from) return from;
    *name = sl_tensor_name_of(input);
    return sl_import_find(im, name->node);
}

static sl_code find_sources(struct sl_import *im, struct sl_import_entry *entry) {
    uint32_t n_controls = 0, n_mapped = 0, n = entry->n_inputs;
    bool closes_loop = false, may_close = entry->kind->is_merge;
    const void *at = entry->inputs;
    for (uint32_t i = 0; i < n; i++) {
        struct sl_str input = sl_import_input(im, &at);
        struct sl_tensor_name name;
        struct sl_import_entry *from = find_source(&name, im, input);
        struct sl_import_source *source = &im->sources[entry->first_source + i];
        source->index = name.index;
        n_controls += is_control_name(input);
        if (from && may_close && name.index >= 0) closes_loop |= from->kind->is_next;
        int mapping = im->mapped.n ? sl_import_mapping_of(im, name) : -1;
        if (mapping >= 0 && sl_utf8_valid(name.node)) {
            source->entry = ~mapping;
            im->mapping_used[mapping] = true;
            n_mapped++;
            continue;
        }
        if (!from)
            return sl_fail(im->err, SL_INVALID_ARGUMENT, "Node '%.*s': Unknown input node '%.*s'",
                           SL_STR_ARG(entry->name), SL_STR_ARG(input));
        source->entry = (int)(from - im->entries);
        im->is_ordered &= from < entry;
        from->n_consumers++;
    }
    uint32_t waits = closes_loop ? n_controls + 1 : n;
    entry->pending = waits > n_mapped ? waits - n_mapped : 0;
    return SL_OK;
}

static sl_code link_consumers(struct sl_import *im) {
    uint32_t at = 0;
    for (size_t i = 0; i < im->n; i++) {
        im->entries[i].first_consumer = at;
        at += im->entries[i].n_consumers;
        im->entries[i].n_consumers = 0;
    }
    im->consumers = scratch(im, at, sizeof *im->consumers);
    im->ready = scratch(im, im->n / 64 + 1, sizeof *im->ready);
    if (!im->consumers || !im->ready) return SL_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < im->n; i++) {
        struct sl_import_entry *entry = &im->entries[i];
        for (uint32_t k = 0; k < entry->n_inputs; k++) {
            int from = im->sources[entry->first_source + k].entry;
            if (from < 0) continue;
            struct sl_import_entry *producer = &im->entries[from];
            im->consumers[producer->first_consumer + producer->n_consumers++] = (uint32_t)i;
        }
        if (!entry->pending) im->ready[i / 64] |= UINT64_C(1) << i % 64;
    }
    return SL_OK;
}

static sl_code link_inputs(struct sl_import *im) {
    im->is_ordered = true;
    for (size_t i = 0; i < im->n; i++) SL_TRY(find_sources(im, &im->entries[i]));
    return im->is_ordered ? SL_OK : link_consumers(im);
}

/* ---- order of making */
long sl_import_next_ready(struct sl_import *im) {
    for (; im->first_ready < (im->n + 63) / 64; im->first_ready++) {
        uint64_t word = im->ready[im->first_ready];
        if (!word) continue;
        im->ready[im->first_ready] = word & (word - 1);
        return (long)(im->first_ready * 64) + __builtin_ctzll(word);
    }
    return -1;
}

void sl_import_notify(struct sl_import *im, const struct sl_import_entry *entry) {
    for (uint32_t k = 0; k < entry->n_consumers; k++) {
        size_t i = im->consumers[entry->first_consumer + k];
        struct sl_import_entry *consumer = &im->entries[i];
        if (!consumer->pending || --consumer->pending) continue; /* a Merge may have been made before */
        im->ready[i / 64] |= UINT64_C(1) << i % 64;
        if (i / 64 < im->first_ready) im->first_ready = i / 64;
    }
}

sl_code sl_import_index(struct sl_import *im) {
    if (im->n > INT32_MAX)
        return sl_fail(im->err, SL_INVALID_ARGUMENT, "The GraphDef has more than %d nodes", INT32_MAX);
    for (im->n_slots = 16; im->n_slots * 2 < im->n * 3;) im->n_slots *= 2;
    im->slots = sl_calloc(im->n_slots, sizeof *im->slots);
    if (!im->slots) return sl_fail_memory(im->err, im->n_slots * sizeof *im->slots);
    SL_TRY(scan_scopes(im));
    SL_TRY(decide_prefix(im));
    SL_TRY(check_collisions(im));
    SL_TRY(index_mappings(im));
    SL_TRY(index_nodes(im));
    SL_TRY(link_inputs(im));
    im->is_whole = im->is_ordered && im->names_are_free && !im->prefix.n && !im->first_node;
    return sl_graph_reserve(im->graph, im->is_whole ? 0 : im->n, im->n, im->err);
}

void sl_import_release(struct sl_import *im) {
    sl_free(im->slots);
    sl_str_map_free(&im->mapped);
    sl_str_map_free(&im->scopes);
    sl_vec_free(&im->functions);
    sl_vec_free(&im->given);
    sl_vec_free(&im->name);
    sl_arena_clear(&im->scratch);
}
