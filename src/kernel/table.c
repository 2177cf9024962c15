/* The kernel table: rows by op name, indexed at the first look-up. The rows of a source are added when an op that
 * has rows there is looked up and no other row serves it. Rows that plug-ins add come after all others of their
 * op; priorities count for them as for others. */
#include "kernel/table.h"

#include <stdatomic.h>
#include <string.h>

#include "base/str_map.h"
#include "base/vec.h"
#include "os/mutex.h"

struct entry { /* the rows of one op: the library's, then those of plug-ins */
    SL_VEC(const struct sl_kernel_def *) rows;
    size_t n_own;
};

struct sl_kernel_table {
    struct sl_mutex mutex;
    const struct sl_kernel_family *families;
    size_t n_families;
    const struct sl_kernel_sources *sources; /* NULL: none */
    struct sl_str_map by_op;                 /* of struct entry */
    uint64_t sources_indexed;                /* bit s: source s */
    bool is_indexed;
    atomic_uint version;
};

sl_code sl_kernel_table_new(struct sl_kernel_table **out, const struct sl_kernel_family *families, size_t n,
                            const struct sl_kernel_sources *sources, struct sl_error *err) {
    struct sl_kernel_table *t = sl_calloc(1, sizeof *t + n * sizeof *families);
    if (!t) return sl_fail_memory(err, sizeof *t);
    struct sl_kernel_family *copy = (struct sl_kernel_family *)(t + 1);
    if (n) memcpy(copy, families, n * sizeof *families);
    sl_mutex_init(&t->mutex);
    t->families = copy;
    t->n_families = n;
    t->sources = sources;
    *out = t;
    return SL_OK;
}

void sl_kernel_table_free(struct sl_kernel_table *t) {
    if (!t) return;
    for (struct sl_str_map_entry *e = sl_str_map_first(&t->by_op); e; e = sl_str_map_next(&t->by_op, e)) {
        struct entry *entry = e->value;
        sl_vec_free(&entry->rows);
        sl_free(entry);
    }
    sl_str_map_free(&t->by_op);
    sl_mutex_clear(&t->mutex);
    sl_free(t);
}

/* The entry of an op, made if there is none; NULL when memory is out. */
static struct entry *entry_of(struct sl_kernel_table *t, struct sl_str op) {
    struct entry *entry = sl_str_map_get(&t->by_op, op);
    if (entry) return entry;
    entry = sl_calloc(1, sizeof *entry);
    if (!entry || sl_str_map_put(&t->by_op, op, entry) == 0) return entry;
    sl_free(entry);
    return NULL;
}

/* A row of the library: before those of plug-ins. */
static int add_own_row(struct sl_kernel_table *t, const struct sl_kernel_def *def) {
    struct entry *entry = entry_of(t, sl_str_of(def->op));
    if (!entry || sl_vec_reserve(&entry->rows, 1)) return -1;
    const struct sl_kernel_def **at = entry->rows.items + entry->n_own;
    size_t n_behind = entry->rows.n - entry->n_own;
    if (n_behind) atomic_fetch_add(&t->version, 1); /* of a plug-in that came first */
    memmove(at + 1, at, n_behind * sizeof *at);
    *at = def;
    entry->rows.n++;
    entry->n_own++;
    return 0;
}

static int index_families(struct sl_kernel_table *t, const struct sl_kernel_family *families, size_t n) {
    for (size_t f = 0; f < n; f++)
        for (const struct sl_kernel_def *row = families[f].rows; row->op; row++)
            if (add_own_row(t, row)) return -1;
    return 0;
}

static int index_rows(struct sl_kernel_table *t) {
    if (!t->is_indexed && index_families(t, t->families, t->n_families)) return -1;
    t->is_indexed = true;
    return 0;
}

sl_code sl_kernel_table_add(struct sl_kernel_table *t, const struct sl_kernel_def *def, struct sl_error *err) {
    sl_mutex_lock(&t->mutex);
    struct entry *entry = index_rows(t) ? NULL : entry_of(t, sl_str_of(def->op));
    int failed = !entry || sl_vec_push(&entry->rows, def);
    if (!failed) atomic_fetch_add(&t->version, 1);
    sl_mutex_unlock(&t->mutex);
    return failed ? sl_fail_memory(err, sizeof *def) : SL_OK;
}

/* Loads the source that has rows of `op`, if there is one, and indexes it. Called with the table unlocked: who loads
 * a library holds the loader's own lock, and what another library does while it is loaded may be to add rows here. */
static sl_code join_source(struct sl_kernel_table *t, struct sl_str op, struct sl_error *err) {
    const struct sl_kernel_family *families;
    size_t n;
    int source = t->sources ? t->sources->source_of(op) : -1;
    if (source < 0) return SL_OK;
    SL_TRY(t->sources->load(&families, &n, source, err));
    uint64_t bit = UINT64_C(1) << source;
    sl_mutex_lock(&t->mutex);
    int failed = t->sources_indexed & bit ? 0 : index_families(t, families, n);
    if (!failed) t->sources_indexed |= bit;
    sl_mutex_unlock(&t->mutex);
    return failed ? sl_fail_memory(err, sizeof(struct entry)) : SL_OK;
}

static const struct sl_kernel_def *row_at(struct sl_kernel_table *t, struct sl_str op, size_t at) {
    const struct sl_kernel_def *def = NULL;
    sl_mutex_lock(&t->mutex);
    if (!index_rows(t)) {
        const struct entry *entry = sl_str_map_get(&t->by_op, op);
        if (entry && at < entry->rows.n) def = entry->rows.items[at];
    }
    sl_mutex_unlock(&t->mutex);
    return def;
}

sl_code sl_kernel_table_index(struct sl_kernel_table *t, struct sl_str op, struct sl_error *err) {
    sl_mutex_lock(&t->mutex);
    int failed = index_rows(t);
    sl_mutex_unlock(&t->mutex);
    if (failed) return sl_fail_memory(err, sizeof(struct entry));
    sl_code code = join_source(t, op, err);
    return code == SL_RESOURCE_EXHAUSTED ? code : SL_OK;
}

const struct sl_kernel_def *sl_kernel_table_next(struct sl_kernel_table *t, struct sl_str op, size_t *at) {
    if (*at == 0) join_source(t, op, NULL);
    const struct sl_kernel_def *def = row_at(t, op, *at);
    if (def) ++*at;
    return def;
}

bool sl_kernel_table_has(struct sl_kernel_table *t, struct sl_str op) {
    size_t at = 0;
    return row_at(t, op, 0) || sl_kernel_table_next(t, op, &at);
}

unsigned sl_kernel_table_version(const struct sl_kernel_table *t) { return atomic_load(&t->version); }

/* ---- choosing */

static bool rule_holds(const struct sl_type_rule *rule, const struct sl_attrs *attrs) {
    const struct sl_pb_AttrValue *v = sl_attr_find(attrs, sl_str_of(rule->attr));
    if (!v) return false;
    if (v->which == SL_PB_AttrValue_type) return sl_set_has(rule->allowed, v->type);
    if (v->which != SL_PB_AttrValue_list) return false;
    for (size_t i = 0; v->list && i < v->list->type.n; i++)
        if (!sl_set_has(rule->allowed, v->list->type.items[i])) return false;
    return true;
}

static bool serves(const struct sl_kernel_def *def, const char *device_type, struct sl_str label,
                   const struct sl_attrs *attrs) {
    if (def->device && device_type && strcmp(def->device, device_type) != 0) return false;
    if (!sl_str_is(label, def->label ? def->label : "")) return false;
    if (def->available && !def->available()) return false;
    for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++)
        if (!rule_holds(&def->types[r], attrs)) return false;
    return true;
}

/* "  device='CPU'; T in [DT_FLOAT, DT_INT32]": one line of the list of what there is. */
static void describe(struct sl_error *err, const struct sl_kernel_def *def) {
    sl_error_append(err, "  device='%s'", def->device ? def->device : "DEFAULT");
    if (def->label && *def->label) sl_error_append(err, "; label='%s'", def->label);
    for (int r = 0; r < SL_KERNEL_RULES && def->types[r].attr; r++) {
        sl_error_append(err, "; %s in [", def->types[r].attr);
        const char *comma = "";
        for (int d = 1; d < SL_DTYPE_COUNT; d++)
            if (sl_set_has(def->types[r].allowed, d)) {
                sl_error_append(err, "%s%s", comma, sl_dtype_name(d));
                comma = ", ";
            }
        sl_error_append(err, "]");
    }
    sl_error_append(err, "\n");
}

static void describe_types(struct sl_error *err, const struct sl_attrs *attrs) {
    const char *comma = "";
    for (int i = 0; i < attrs->n; i++) {
        const struct sl_pb_AttrValue *v = attrs->items[i].value;
        if (v->which != SL_PB_AttrValue_type || (attrs->items[i].name.n && attrs->items[i].name.p[0] == '_')) continue;
        sl_error_append(err, "%s%.*s=%s", comma, SL_STR_ARG(attrs->items[i].name), sl_dtype_name(v->type));
        comma = ", ";
    }
}

/* `why`: what kept rows from being looked at; OK when nothing did. */
static sl_code none_found(struct sl_kernel_table *t, struct sl_str op, struct sl_str node_name, const char *device_type,
                          const struct sl_attrs *attrs, const struct sl_error *why, struct sl_error *err) {
    sl_fail(err, SL_INVALID_ARGUMENT,
            "No OpKernel was registered to support Op '%.*s' used by {{node %.*s}} with these attrs: [", SL_STR_ARG(op),
            SL_STR_ARG(node_name));
    if (!err) return SL_INVALID_ARGUMENT;
    describe_types(err, attrs);
    sl_error_append(err, "]\nRegistered devices: [%s]\nRegistered kernels:\n",
                    device_type ? device_type : SL_HOST_DEVICE);
    size_t at = 0;
    const struct sl_kernel_def *def = sl_kernel_table_next(t, op, &at);
    if (!def) sl_error_append(err, "  <no registered kernels>\n");
    for (; def; def = sl_kernel_table_next(t, op, &at)) describe(err, def);
    if (why->code != SL_OK) sl_error_append(err, "%s", why->message);
    return SL_INVALID_ARGUMENT;
}

/* What is looked for. */
struct wanted {
    struct sl_str op, label;
    const char *device_type;
    const struct sl_attrs *attrs;
};

/* `*best`: the best of the rows that are indexed, NULL when there is none; `*is_own`: it is not a plug-in's. */
static sl_code choose(const struct sl_kernel_def **best, bool *is_own, struct sl_kernel_table *t,
                      const struct wanted *w, struct sl_error *err) {
    *best = NULL;
    *is_own = false;
    sl_mutex_lock(&t->mutex);
    int failed = index_rows(t);
    const struct entry *entry = failed ? NULL : sl_str_map_get(&t->by_op, w->op);
    for (size_t i = 0; entry && i < entry->rows.n; i++) {
        const struct sl_kernel_def *def = entry->rows.items[i];
        if ((*best && def->priority <= (*best)->priority) || !serves(def, w->device_type, w->label, w->attrs)) continue;
        *best = def;
        *is_own = i < entry->n_own;
    }
    sl_mutex_unlock(&t->mutex);
    return failed ? sl_fail_memory(err, sizeof *entry) : SL_OK;
}

/* `*best` NULL: none, and `*why` says what kept rows from being looked at, or that nothing did. */
static sl_code find_row(const struct sl_kernel_def **best, struct sl_kernel_table *t, struct sl_str op,
                        const char *device_type, const struct sl_attrs *attrs, struct sl_error *why,
                        struct sl_error *err) {
    struct wanted w = {.op = op, .device_type = device_type, .attrs = attrs};
    const struct sl_pb_AttrValue *label = sl_attr_find(attrs, SL_STR("_kernel"));
    if (label && label->which == SL_PB_AttrValue_s) w.label = label->s;
    bool is_own;
    sl_error_clear(why);
    SL_TRY(choose(best, &is_own, t, &w, err));
    return !is_own && join_source(t, op, why) == SL_OK ? choose(best, &is_own, t, &w, err) : SL_OK;
}

const struct sl_kernel_def *sl_kernel_row(struct sl_kernel_table *t, struct sl_str op, const char *device_type,
                                          const struct sl_attrs *attrs) {
    const struct sl_kernel_def *best;
    return find_row(&best, t, op, device_type, attrs, NULL, NULL) == SL_OK ? best : NULL;
}

sl_code sl_kernel_find(const struct sl_kernel_def **out, struct sl_kernel_table *t, struct sl_str op,
                       struct sl_str node_name, const char *device_type, const struct sl_attrs *attrs,
                       struct sl_error *err) {
    struct sl_error why;
    SL_TRY(find_row(out, t, op, device_type, attrs, &why, err));
    return *out ? SL_OK : none_found(t, op, node_name, device_type, attrs, &why, err);
}
