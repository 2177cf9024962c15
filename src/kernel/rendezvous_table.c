/* The steps of a process that peers may send to: found or made by id, dropped when no process needs the step any
 * more. The ids of the last few that were dropped are kept, so that a late message does not make a step that
 * nobody would ever drop. */
#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "kernel/step_rendezvous_state.h"

const struct sl_rendezvous_limits sl_rendezvous_default_limits = {.steps = 1024,
                                                                  .names = 65536,
                                                                  .early_bytes = (size_t)64 << 20};

sl_code sl_rendezvous_table_new(struct sl_rendezvous_table **out, const struct sl_rendezvous_limits *limits,
                                struct sl_error *err) {
    struct sl_rendezvous_table *table = sl_calloc(1, sizeof *table);
    if (!table) return sl_fail_memory(err, sizeof *table);
    table->limits = limits ? *limits : sl_rendezvous_default_limits;
    sl_mutex_init(&table->mutex);
    *out = table;
    return SL_OK;
}

static struct sl_str key_of(const uint64_t *step_id) { return (struct sl_str){(const char *)step_id, sizeof *step_id}; }

static bool was_dropped(const struct sl_rendezvous_table *table, uint64_t step_id) {
    for (uint64_t i = 0; i < table->n_dropped && i < SL_STEPS_REMEMBERED; i++)
        if (table->dropped[i] == step_id) return true;
    return false;
}

/* With the lock held. */
static sl_code make(struct sl_step_rendezvous **out, struct sl_rendezvous_table *table, uint64_t step_id, bool is_peer,
                    struct sl_error *err) {
    if (was_dropped(table, step_id)) return sl_fail(err, SL_ABORTED, "Step %" PRIu64 " is over.", step_id);
    if (is_peer && atomic_load(&table->n_early) >= table->limits.steps)
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "Peers wait for %zu steps that have not begun; no more may.",
                       table->limits.steps);
    struct sl_step_rendezvous *r = sl_step_rendezvous_make(table, step_id);
    if (r && !sl_str_map_put(&table->by_id, key_of(&r->step_id), r)) {
        *out = r;
        return SL_OK;
    }
    sl_step_rendezvous_unref(r);
    return sl_fail_memory(err, sizeof *r);
}

sl_code sl_rendezvous_table_find(struct sl_step_rendezvous **out, struct sl_rendezvous_table *table, uint64_t step_id,
                                 bool is_peer, struct sl_error *err) {
    sl_mutex_lock(&table->mutex);
    struct sl_step_rendezvous *r = sl_str_map_get(&table->by_id, key_of(&step_id));
    sl_code code = r ? SL_OK : make(&r, table, step_id, is_peer, err);
    if (code == SL_OK) {
        atomic_fetch_add(&r->references, 1);
        *out = r;
    }
    sl_mutex_unlock(&table->mutex);
    return code;
}

static void end(struct sl_step_rendezvous *r) {
    char text[64];
    snprintf(text, sizeof text, "Step %" PRIu64 " is over.", r->step_id);
    sl_step_rendezvous_abort(r, SL_ABORTED, text);
    sl_step_rendezvous_unref(r);
}

void sl_rendezvous_table_drop(struct sl_rendezvous_table *table, uint64_t step_id) {
    sl_mutex_lock(&table->mutex);
    struct sl_step_rendezvous *r = sl_str_map_remove(&table->by_id, key_of(&step_id));
    if (!was_dropped(table, step_id)) table->dropped[table->n_dropped++ % SL_STEPS_REMEMBERED] = step_id;
    sl_mutex_unlock(&table->mutex);
    if (r) end(r);
}

void sl_rendezvous_table_free(struct sl_rendezvous_table *table) {
    if (!table) return;
    for (struct sl_str_map_entry *e = sl_str_map_first(&table->by_id); e; e = sl_str_map_next(&table->by_id, e))
        end(e->value);
    sl_str_map_free(&table->by_id);
    sl_mutex_clear(&table->mutex);
    sl_free(table);
}
