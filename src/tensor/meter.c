/* The list of what is charged, the limit, and what a step that met it is told. A meter lives until the last tensor
 * that it counted is gone, as tensors outlive steps. */
#include "tensor/meter.h"

#include <stdint.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/str_map.h"
#include "os/mutex.h"

enum { NAMED = 5, REPORT = 1200 }; /* holders in a report; its bytes */

struct sl_charge {
    struct sl_meter *meter;
    struct sl_charge *next, **at; /* in the meter's list */
    struct sl_str node, op;
    size_t bytes, strings;
};

struct sl_meter {
    struct sl_mutex mutex;
    size_t limit, used; /* used: of what is charged */
    size_t references;  /* the step's, and one for each charge */
    struct sl_charge *charges;
    struct sl_str asker; /* the node that met the limit last; empty: none did */
    char report[REPORT];
    atomic_size_t unsettled; /* strings of open scopes */
};

atomic_uint sl_meters_open;
static _Thread_local struct sl_meter_scope *innermost;

struct sl_meter_scope *sl_meter_of_thread(void) {
    return innermost;
}

struct sl_meter_scope *sl_meter_enter(struct sl_meter_scope *scope) {
    struct sl_meter_scope *outer = innermost;
    innermost = scope;
    return outer;
}

void sl_meter_leave(struct sl_meter_scope *scope, struct sl_meter_scope *outer) {
    const size_t strings = scope ? atomic_exchange(&scope->strings, 0) : 0;
    if (strings) atomic_fetch_sub(&scope->meter->unsettled, strings);
    innermost = outer;
}

/* ---- life */

sl_code sl_meter_new(struct sl_meter **out, size_t limit, struct sl_error *err) {
    struct sl_meter *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(err, sizeof *m);
    sl_mutex_init(&m->mutex);
    m->limit = limit;
    m->references = 1;
    atomic_fetch_add(&sl_meters_open, 1);
    *out = m;
    return SL_OK;
}

/* Unlocks, and frees with the last reference. */
static void drop_reference(struct sl_meter *m) {
    const bool is_last = --m->references == 0;
    sl_mutex_unlock(&m->mutex);
    if (!is_last) return;
    sl_mutex_clear(&m->mutex);
    sl_free(m);
}

void sl_meter_close(struct sl_meter *m) {
    if (!m) return;
    atomic_fetch_sub(&sl_meters_open, 1);
    sl_mutex_lock(&m->mutex);
    drop_reference(m);
}

size_t sl_meter_used(struct sl_meter *m) {
    sl_mutex_lock(&m->mutex);
    const size_t used = m->used;
    sl_mutex_unlock(&m->mutex);
    return used;
}

/* ---- the report; with the lock held */

struct holder {
    struct sl_str node, op;
    size_t bytes, n;
    struct holder *next;
};

/* "1.50 GiB". */
static const char *size_text(char text[32], size_t bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double number = (double)bytes;
    int unit = 0;
    for (; number >= 1024 && unit < 4; unit++) number /= 1024;
    if (unit) snprintf(text, 32, "%.2f %s", number, units[unit]);
    else snprintf(text, 32, "%zu bytes", bytes);
    return text;
}

/* By node, in no order; as many as there is memory for. */
static struct holder *sum_by_node(const struct sl_meter *m) {
    struct sl_str_map by_node = {0};
    struct holder *all = NULL;
    for (const struct sl_charge *c = m->charges; c; c = c->next) {
        struct holder *h = sl_str_map_get(&by_node, c->node);
        if (!h) {
            if (!(h = sl_calloc(1, sizeof *h))) break;
            if (sl_str_map_put(&by_node, c->node, h)) {
                sl_free(h);
                break;
            }
            h->node = c->node;
            h->op = c->op;
            h->next = all;
            all = h;
        }
        h->bytes += c->bytes + c->strings;
        h->n++;
    }
    sl_str_map_free(&by_node);
    return all;
}

static struct holder *take_largest(struct holder **all) {
    struct holder **largest = all;
    for (struct holder **at = all; *at; at = &(*at)->next)
        if ((*at)->bytes > (*largest)->bytes) largest = at;
    struct holder *h = *largest;
    if (h) *largest = h->next;
    return h;
}

/* The end of a report of which `at` bytes were there. */
static size_t end_after(size_t at, int printed) {
    return printed < 0 || (size_t)printed >= REPORT - at ? REPORT - 1 : at + (size_t)printed;
}

static void write_report(struct sl_meter *m, const struct sl_meter_scope *scope, size_t bytes) {
    char limit[32], asked[32], held[32];
    struct holder *all = sum_by_node(m), *h;
    size_t at =
        end_after(0, snprintf(m->report, REPORT,
                              "The step may hold %s of memory (SLUICE_STEP_MEMORY, or an option of the session), holds "
                              "%s, and node '%.*s' (%.*s) asked for %s.",
                              size_text(limit, m->limit), size_text(held, m->used + atomic_load(&m->unsettled)),
                              SL_STR_ARG(scope->node), SL_STR_ARG(scope->op), size_text(asked, bytes)));
    for (int i = 0; i < NAMED && (h = take_largest(&all)); i++) {
        at = end_after(at, snprintf(m->report + at, REPORT - at, "%s '%.*s' (%.*s) %s in %zu block%s",
                                    i ? "," : " It holds:", SL_STR_ARG(h->node), SL_STR_ARG(h->op),
                                    size_text(held, h->bytes), h->n, h->n == 1 ? "" : "s"));
        sl_free(h);
    }
    size_t others = 0, bytes_of_others = 0;
    while ((h = take_largest(&all))) {
        others++;
        bytes_of_others += h->bytes;
        sl_free(h);
    }
    if (others)
        snprintf(m->report + at, REPORT - at, ", %zu other%s %s", others, others == 1 ? "" : "s",
                 size_text(held, bytes_of_others));
}

/* One report for each node that asks: one that goes on without the memory may ask again and again. */
static void note_asker(struct sl_meter *m, const struct sl_meter_scope *scope, size_t bytes) {
    if (m->asker.n && sl_str_eq(m->asker, scope->node)) return;
    m->asker = scope->node;
    write_report(m, scope, bytes);
}

void sl_meter_explain(struct sl_meter *m, struct sl_str node, struct sl_error *err) {
    if (!err || err->code != SL_RESOURCE_EXHAUSTED) return;
    sl_mutex_lock(&m->mutex);
    if (m->asker.n && sl_str_eq(m->asker, node)) sl_fail(err, SL_RESOURCE_EXHAUSTED, "%s", m->report);
    sl_mutex_unlock(&m->mutex);
}

/* ---- charges */

static bool fits(const struct sl_meter *m, size_t bytes) {
    const size_t held = m->used + atomic_load(&m->unsettled);
    return held <= m->limit && bytes <= m->limit - held;
}

sl_code sl_meter_charge(struct sl_charge **out, size_t bytes, struct sl_error *err) {
    const struct sl_meter_scope *scope = innermost;
    *out = NULL;
    if (!scope) return SL_OK;
    struct sl_meter *m = scope->meter;
    struct sl_charge *c = sl_malloc(sizeof *c);
    if (!c) return sl_fail_memory(err, sizeof *c);
    *c = (struct sl_charge){.meter = m, .node = scope->node, .op = scope->op, .bytes = bytes};
    sl_mutex_lock(&m->mutex);
    if (!fits(m, bytes)) {
        note_asker(m, scope, bytes);
        sl_mutex_unlock(&m->mutex);
        sl_free(c);
        return sl_fail(err, SL_RESOURCE_EXHAUSTED, "%zu bytes are beyond the memory of the step", bytes);
    }
    m->used += bytes;
    m->references++;
    c->next = m->charges;
    c->at = &m->charges;
    if (c->next) c->next->at = &c->next;
    m->charges = c;
    sl_mutex_unlock(&m->mutex);
    *out = c;
    return SL_OK;
}

void sl_charge_drop(struct sl_charge *c) {
    if (!c) return;
    struct sl_meter *m = c->meter;
    sl_mutex_lock(&m->mutex);
    m->used -= c->bytes + c->strings;
    *c->at = c->next;
    if (c->next) c->next->at = c->at;
    drop_reference(m);
    sl_free(c);
}

void sl_charge_set_strings(struct sl_charge *c, size_t bytes) {
    struct sl_meter *m = c->meter;
    sl_mutex_lock(&m->mutex);
    m->used += bytes - c->strings;
    c->strings = bytes;
    sl_mutex_unlock(&m->mutex);
}

bool sl_meter_note_string(struct sl_meter_scope *scope, size_t bytes) {
    struct sl_meter *m = scope->meter;
    sl_mutex_lock(&m->mutex);
    const bool has_room = fits(m, bytes);
    if (has_room) {
        atomic_fetch_add(&m->unsettled, bytes);
        atomic_fetch_add(&scope->strings, bytes);
    } else {
        note_asker(m, scope, bytes);
    }
    sl_mutex_unlock(&m->mutex);
    return has_room;
}
