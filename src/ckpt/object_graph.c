/* Reading the objects of a checkpoint, and walking those of two at once. */
#include "ckpt/object_graph.h"

#include <string.h>

#include "base/vec.h"
#include "os/pool.h"
#include "proto/wire.h"

typedef struct sl_pb_TrackableObjectGraph_TrackableObject object;

const struct sl_str sl_object_graph_key = {"_CHECKPOINTABLE_OBJECT_GRAPH", sizeof "_CHECKPOINTABLE_OBJECT_GRAPH" - 1};
static const struct sl_bundle_entry several; /* has no key */

/* ---- reading */

static sl_code check_graph(const struct sl_pb_TrackableObjectGraph *g, const char *prefix, struct sl_error *err) {
    bool ok = true;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const object *o = &g->nodes.items[i];
        for (size_t k = 0; k < o->children.n; k++) ok = ok && (uint32_t)o->children.items[k].node_id < g->nodes.n;
        for (size_t k = 0; k < o->slot_variables.n; k++)
            ok = ok && (uint32_t)o->slot_variables.items[k].original_variable_node_id < g->nodes.n &&
                 (uint32_t)o->slot_variables.items[k].slot_variable_node_id < g->nodes.n;
    }
    return ok ? SL_OK : sl_fail(err, SL_DATA_LOSS, "%s; the object graph names objects that it does not have", prefix);
}

static sl_code read_graph(struct sl_object_checkpoint *c, const char *prefix, struct sl_error *err) {
    SL_TRY(sl_checkpoint_read(&c->bytes, c->checkpoint, sl_object_graph_key, NULL, err));
    if (c->bytes->dtype != SL_STRING || c->bytes->count != 1)
        return sl_fail(err, SL_DATA_LOSS, "%s; the object graph is not a string", prefix);
    SL_TRY(sl_pb_decode(&c->graph, SL_PB_TYPE(TrackableObjectGraph), sl_string_get(c->bytes->data), &c->arena, err));
    c->has_objects = c->graph.nodes.n > 0;
    return check_graph(&c->graph, prefix, err);
}

/* Entries by their full names, of those whose keys begin so; `several` where more have a name. */
static sl_code name_group(struct sl_str_map *names, const struct sl_object_checkpoint *c, struct sl_str begin,
                          struct sl_error *err) {
    for (size_t i = 0; i < c->graph.nodes.n; i++)
        for (size_t k = 0; k < c->graph.nodes.items[i].attributes.n; k++) {
            const struct sl_pb_TrackableObjectGraph_TrackableObject_SerializedTensor *a =
                &c->graph.nodes.items[i].attributes.items[k];
            void *entry = sl_str_map_get(&c->by_key, a->checkpoint_key), *other;
            if (!entry || !a->full_name.n || !sl_str_starts(a->checkpoint_key, begin)) continue;
            other = sl_str_map_get(names, a->full_name);
            if (other && other != entry) entry = (void *)(uintptr_t)&several;
            if (sl_str_map_put(names, a->full_name, entry)) return sl_fail_memory(err, a->full_name.n);
        }
    return SL_OK;
}

static sl_code read_all(struct sl_object_checkpoint *c, const char *prefix, struct sl_error *err) {
    struct sl_bundle_entry *entries;
    size_t n;
    bool has_graph = false;
    SL_TRY(sl_checkpoint_open(&c->checkpoint, prefix, sl_pool_shared(), err));
    SL_TRY(sl_checkpoint_list(&entries, &n, c->checkpoint, &c->arena, err));
    for (size_t i = 0; i < n; i++) {
        if (sl_str_eq(entries[i].key, sl_object_graph_key)) has_graph = true;
        else entries[c->n++] = entries[i];
    }
    c->entries = entries;
    for (size_t i = 0; i < c->n; i++)
        if (sl_str_map_put(&c->by_key, entries[i].key, &entries[i])) return sl_fail_memory(err, n);
    if (!has_graph) return SL_OK;
    SL_TRY(read_graph(c, prefix, err));
    return name_group(&c->by_name, c, SL_STR(""), err);
}

sl_code sl_object_checkpoint_open(struct sl_object_checkpoint *out, const char *prefix, struct sl_error *err) {
    *out = (struct sl_object_checkpoint){0};
    sl_arena_init(&out->arena);
    sl_code code = read_all(out, prefix, err);
    if (code != SL_OK) sl_object_checkpoint_close(out);
    return code;
}

void sl_object_checkpoint_close(struct sl_object_checkpoint *c) {
    sl_str_map_free(&c->by_key);
    sl_str_map_free(&c->by_name);
    if (c->bytes) sl_tensor_unref(c->bytes);
    sl_checkpoint_close(c->checkpoint);
    sl_arena_clear(&c->arena);
}

const struct sl_bundle_entry *sl_object_checkpoint_find(const struct sl_object_checkpoint *c, struct sl_str name) {
    const struct sl_bundle_entry *e = sl_str_map_get(&c->by_key, name);
    if (!e) e = sl_str_map_get(&c->by_name, name);
    return e == &several ? NULL : e;
}

/* ---- variables that are there twice */

static bool is_same_value(const struct sl_bundle_entry *a, const struct sl_bundle_entry *b) {
    return a->dtype == b->dtype && sl_shape_equal(a->shape, b->shape) && a->size == b->size && a->crc == b->crc &&
           !a->n_slices && !b->n_slices;
}

static sl_code pair_twins(const struct sl_bundle_entry **twins, const struct sl_object_checkpoint *c,
                          struct sl_str_map *firsts, struct sl_str_map *seconds, struct sl_error *err) {
    SL_TRY(name_group(firsts, c, SL_STR("variables/"), err));
    SL_TRY(name_group(seconds, c, SL_STR("_all_variables/"), err));
    for (size_t i = 0; i < c->graph.nodes.n; i++)
        for (size_t k = 0; k < c->graph.nodes.items[i].attributes.n; k++) {
            struct sl_str name = c->graph.nodes.items[i].attributes.items[k].full_name;
            const struct sl_bundle_entry *first = sl_str_map_get(firsts, name), *second = sl_str_map_get(seconds, name);
            if (first && second && first != &several && second != &several && is_same_value(first, second))
                twins[second - c->entries] = first;
        }
    return SL_OK;
}

sl_code sl_object_checkpoint_twins(const struct sl_bundle_entry ***out, const struct sl_object_checkpoint *c,
                                   struct sl_arena *arena, struct sl_error *err) {
    struct sl_str_map firsts = {.n = 0}, seconds = {.n = 0};
    const struct sl_bundle_entry **twins = SL_ARENA_ARRAY(arena, const struct sl_bundle_entry *, c->n + 1);
    if (!twins) return sl_fail_memory(err, c->n * sizeof *twins);
    memset(twins, 0, (c->n + 1) * sizeof *twins);
    sl_code code = pair_twins(twins, c, &firsts, &seconds, err);
    sl_str_map_free(&firsts);
    sl_str_map_free(&seconds);
    *out = twins;
    return code;
}

/* ---- comparing */

struct start {
    int32_t model, other; /* objects */
};
struct walk {
    struct sl_object_checkpoint *from, *model;
    int32_t *met;                  /* by object of the model: the other one's; -1 */
    struct sl_object_match *found; /* by entry of the model */
    size_t n_fit;
    SL_VEC(int32_t) pairs; /* model, other */
};

static bool same_kind(const struct sl_bundle_entry *a, const struct sl_bundle_entry *b) {
    return a->dtype == b->dtype && a->shape.rank == b->shape.rank &&
           !memcmp(a->shape.dims, b->shape.dims,
                   (size_t)(a->shape.rank > 0 ? a->shape.rank : 0) * sizeof *a->shape.dims);
}

static void note(struct walk *w, const struct sl_bundle_entry *entry, const struct sl_bundle_entry *from) {
    struct sl_object_match *match = &w->found[entry - w->model->entries];
    if (match->from) return;
    bool fits = same_kind(entry, from);
    if (fits) match->from = from;
    match->is_misfit = !fits;
    w->n_fit += fits;
}

static int push_pair(struct walk *w, int32_t model, int32_t other) {
    if (w->met[model] >= 0) return 0;
    w->met[model] = other;
    return sl_vec_push(&w->pairs, model) || sl_vec_push(&w->pairs, other) ? -1 : 0;
}

static int compare_objects(struct walk *w, const object *a, const object *b) {
    for (size_t i = 0; i < a->attributes.n; i++)
        for (size_t k = 0; k < b->attributes.n; k++) {
            if (!sl_str_eq(a->attributes.items[i].name, b->attributes.items[k].name)) continue;
            const void *entry = sl_str_map_get(&w->model->by_key, a->attributes.items[i].checkpoint_key);
            const void *from = sl_str_map_get(&w->from->by_key, b->attributes.items[k].checkpoint_key);
            if (entry && from) note(w, entry, from);
        }
    for (size_t i = 0; i < a->children.n; i++)
        for (size_t k = 0; k < b->children.n; k++)
            if (sl_str_eq(a->children.items[i].local_name, b->children.items[k].local_name)) {
                if (push_pair(w, a->children.items[i].node_id, b->children.items[k].node_id)) return -1;
                break;
            }
    return 0;
}

/* What an optimizer keeps beside a variable is found by that variable. */
static int compare_slots(struct walk *w, const object *a, const object *b) {
    for (size_t i = 0; i < a->slot_variables.n; i++)
        for (size_t k = 0; k < b->slot_variables.n; k++) {
            const struct sl_pb_TrackableObjectGraph_TrackableObject_SlotVariableReference
                *x = &a->slot_variables.items[i],
                *y = &b->slot_variables.items[k];
            if (w->met[x->original_variable_node_id] == y->original_variable_node_id &&
                sl_str_eq(x->slot_name, y->slot_name) &&
                push_pair(w, x->slot_variable_node_id, y->slot_variable_node_id))
                return -1;
        }
    return 0;
}

static void forget(struct walk *w) {
    for (size_t i = 0; i < w->model->n; i++) w->found[i] = (struct sl_object_match){0};
    w->pairs.n = w->n_fit = 0;
}

/* Compares from these two objects on. -1: memory is out. */
static int walk_from(struct walk *w, struct start start) {
    const object *model = w->model->graph.nodes.items, *other = w->from->graph.nodes.items;
    for (size_t i = 0; i < w->model->graph.nodes.n; i++) w->met[i] = -1;
    forget(w);
    if (push_pair(w, start.model, start.other)) return -1;
    size_t at = 0, slots_at = 0;
    while (at < w->pairs.n || slots_at < w->pairs.n) {
        bool is_slots = at == w->pairs.n; /* when all else is compared */
        size_t p = is_slots ? slots_at : at;
        const object *a = &model[w->pairs.items[p]], *b = &other[w->pairs.items[p + 1]];
        if (is_slots ? compare_slots(w, a, b) : compare_objects(w, a, b)) return -1;
        if (is_slots) slots_at += 2;
        else at += 2;
    }
    return 0;
}

/* Where to start so that most of the model is found: at its root and somewhere in the other graph, or at the other
 * one's root and somewhere in the model. `n_found` gets how much. */
static int find_start(struct start *best, size_t *n_found, struct walk *w) {
    size_t n_other = w->from->graph.nodes.n, n = n_other + w->model->graph.nodes.n;
    *n_found = 0;
    for (size_t i = 0; i < n && *n_found < w->model->n; i++) {
        const struct start start = {i < n_other ? 0 : (int32_t)(i - n_other), i < n_other ? (int32_t)i : 0};
        if (walk_from(w, start)) return -1;
        if (w->n_fit <= *n_found) continue;
        *best = start;
        *n_found = w->n_fit;
    }
    return 0;
}

static void match_name(struct walk *w, struct sl_str key, struct sl_str name) {
    const struct sl_bundle_entry *entry = sl_str_map_get(&w->model->by_key, key);
    const struct sl_bundle_entry *from = entry ? sl_object_checkpoint_find(w->from, name) : NULL;
    if (from) note(w, entry, from);
}

/* What no object tells. Keys are names where one of the two knows no objects. */
static void match_names(struct walk *w) {
    for (size_t i = 0; i < w->model->graph.nodes.n; i++) {
        const object *o = &w->model->graph.nodes.items[i];
        for (size_t k = 0; k < o->attributes.n; k++)
            if (o->attributes.items[k].full_name.n)
                match_name(w, o->attributes.items[k].checkpoint_key, o->attributes.items[k].full_name);
    }
    if (w->model->has_objects && w->from->has_objects) return;
    for (size_t i = 0; i < w->model->n; i++) match_name(w, w->model->entries[i].key, w->model->entries[i].key);
}

static sl_code match(struct walk *w, struct sl_error *err) {
    struct start start = {0, 0};
    size_t n_found = 0;
    int failed = 0;
    if (w->model->has_objects && w->from->has_objects) failed = find_start(&start, &n_found, w);
    forget(w);
    if (!failed && n_found) failed = walk_from(w, start);
    if (failed) return sl_fail_memory(err, w->pairs.n);
    match_names(w);
    return SL_OK;
}

sl_code sl_object_checkpoint_match(struct sl_object_match **out, struct sl_object_checkpoint *from,
                                   struct sl_object_checkpoint *model, struct sl_arena *arena, struct sl_error *err) {
    struct walk w = {.from = from, .model = model};
    w.met = SL_ARENA_ARRAY(arena, int32_t, model->graph.nodes.n + 1);
    w.found = *out = SL_ARENA_ARRAY(arena, struct sl_object_match, model->n + 1);
    sl_code code = w.met && w.found ? match(&w, err) : sl_fail_memory(err, model->n * sizeof **out);
    sl_vec_free(&w.pairs);
    return code;
}
