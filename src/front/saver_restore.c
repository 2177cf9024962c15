/* Restoring: a graph's variables get the values of a checkpoint, whichever program wrote it.
 *
 *   the graph's Saver        reads the names that it knows. With another checkpoint that shows what those stand for
 *                            (`like`), and names that differ, it reads a copy that has them: see translate
 *   variables one by one     without a Saver, or when names mean other things: by name, full name or shared name */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "ckpt/object_graph.h"
#include "front/saver_state.h"
#include "os/file.h"

/* What the caller wants to know of variables that the checkpoint does not have; NULL: that is an error. */
struct tolerance {
    void (*missing)(void *arg, const char *name);
    void *arg;
};

static sl_code fail_missing(struct sl_str name, const char *prefix, struct sl_error *err) {
    return sl_fail(err, SL_NOT_FOUND, "Key %.*s not found in checkpoint %s", SL_STR_ARG(name), prefix);
}

static sl_code fail_all_missing(const char *prefix, struct sl_error *err) {
    return sl_fail(err, SL_NOT_FOUND, "The checkpoint %s has none of the variables", prefix);
}

static sl_code fail_shape(const char *name, struct sl_error *err) {
    return sl_fail(err, SL_INVALID_ARGUMENT, "The checkpoint has another type or shape for the variable %s", name);
}

/* ---- variables one by one */

/* An assignment by a node of the graph checks too little: of a resource variable any shape may be assigned. */
static sl_code check_value(const struct sl_saver *s, const struct saved_variable *v, const struct sl_tensor *t,
                           struct sl_error *err) {
    TF_Status *ignored = TF_NewStatus();
    int64_t dims[SL_MAX_RANK];
    TF_DataType dtype = TF_OperationOutputType(v->new_value);
    int rank = ignored ? TF_GraphGetTensorNumDims(s->graph, v->value, ignored) : -1;
    bool fits = rank < 0 || rank == t->rank;
    if (fits && rank > 0) TF_GraphGetTensorShape(s->graph, v->value, dims, rank, ignored);
    for (int i = 0; fits && i < rank; i++) fits = dims[i] < 0 || dims[i] == sl_tensor_shape(t).dims[i];
    TF_DeleteStatus(ignored);
    if ((int)dtype != t->dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "tensor_name = %s; expected dtype %s does not equal original dtype %s",
                       v->name, sl_dtype_name((int)dtype), sl_dtype_name(t->dtype));
    return fits ? SL_OK
                : sl_fail(err, SL_INVALID_ARGUMENT, "The checkpoint has another shape for the variable %s", v->name);
}

/* By the name of its node, or of the variable where that is another. */
static const struct sl_bundle_entry *find_entry(const struct sl_object_checkpoint *c, const struct saved_variable *v) {
    const struct sl_bundle_entry *e = sl_object_checkpoint_find(c, sl_str_of(v->name));
    struct sl_str shared;
    const struct sl_node *node = sl_as_node(v->variable);
    if (e || sl_attr_string(&shared, &node->attrs, "shared_name", NULL) != SL_OK || !shared.n) return e;
    return sl_object_checkpoint_find(c, shared);
}

/* values[i] stays NULL for a variable that keeps what it has. */
static sl_code read_values(const struct sl_saver *s, TF_Tensor **values, const char *prefix,
                           const struct tolerance *tolerance, struct sl_error *err) {
    struct sl_object_checkpoint c;
    size_t found = 0;
    SL_TRY(sl_object_checkpoint_open(&c, prefix, err));
    sl_code code = SL_OK;
    for (size_t i = 0; code == SL_OK && i < s->variables.n; i++) {
        const struct saved_variable *v = &s->variables.items[i];
        const struct sl_bundle_entry *e = find_entry(&c, v);
        struct sl_tensor *t;
        if (!e && !tolerance) code = fail_missing(sl_str_of(v->name), prefix, err);
        if (!e) continue;
        found++;
        code = sl_checkpoint_read(&t, c.checkpoint, e->key, NULL, err);
        if (code != SL_OK) break;
        code = sl_tensor_handle_try(&values[i], t, err);
        if (code == SL_OK) code = check_value(s, v, t, err);
    }
    if (code == SL_OK && !found) code = fail_all_missing(prefix, err);
    for (size_t i = 0; code == SL_OK && tolerance && tolerance->missing && i < s->variables.n; i++)
        if (!values[i]) tolerance->missing(tolerance->arg, s->variables.items[i].name);
    sl_object_checkpoint_close(&c);
    return code;
}

static void restore_variables(struct sl_saver *s, TF_Session *session, const char *prefix,
                              const struct tolerance *tolerance, TF_Status *status) {
    struct sl_error err;
    size_t n = s->variables.n;
    int fed = 0;
    TF_Output *inputs = sl_calloc(n + 1, sizeof *inputs);
    TF_Tensor **values = sl_calloc(n + 1, sizeof *values);
    const TF_Operation **assigners = sl_calloc(n + 1, sizeof *assigners);
    if (!inputs || !values || !assigners) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    } else if (sl_status_take(status, read_values(s, values, prefix, tolerance, &err), &err)) {
        for (size_t i = 0; i < n; i++) {
            if (!values[i]) continue;
            inputs[fed] = s->variables.items[i].new_value;
            assigners[fed] = s->variables.items[i].assigner;
            values[fed++] = values[i];
        }
        TF_SessionRun(session, NULL, inputs, values, fed, NULL, NULL, 0, assigners, fed, NULL, status);
        n = (size_t)fed;
    }
    for (size_t i = 0; values && i < n; i++) TF_DeleteTensor(values[i]);
    sl_free(inputs);
    sl_free(values);
    sl_free(assigners);
}

/* ---- a Saver with names of its own */

sl_code sl_saver_write_translated(const char *to, struct sl_object_checkpoint *from, struct sl_object_checkpoint *like,
                                  const struct sl_object_match *matches, struct sl_error *err) {
    struct sl_bundle_writer *w;
    struct sl_bundle_writer_options options = {.pool = sl_pool_shared()};
    sl_code code = sl_bundle_writer_open(&w, to, &options, err);
    if (code != SL_OK) return code;
    if (like->bytes) code = sl_bundle_writer_add(w, sl_object_graph_key, like->bytes, err); /* it is asked for, too */
    for (size_t i = 0; code == SL_OK && i < like->n; i++) {
        struct sl_tensor *t;
        const struct sl_bundle_entry *e = matches[i].from;
        code = sl_checkpoint_read(&t, e ? from->checkpoint : like->checkpoint, e ? e->key : like->entries[i].key, NULL,
                                  err);
        if (code != SL_OK) break;
        code = sl_bundle_writer_add(w, like->entries[i].key, t, err);
        sl_tensor_unref(t);
    }
    if (code == SL_OK) return sl_bundle_writer_finish(w, err);
    sl_bundle_writer_abandon(w);
    return code;
}

/* What Python trained is in the first of two twins; the graph reads the second. */
static sl_code match_twins(struct sl_object_match *matches, const struct sl_object_checkpoint *like,
                           struct sl_arena *arena, struct sl_error *err) {
    const struct sl_bundle_entry **twins;
    SL_TRY(sl_object_checkpoint_twins(&twins, like, arena, err));
    for (size_t i = 0; i < like->n; i++) {
        struct sl_object_match *first = twins[i] ? &matches[twins[i] - like->entries] : NULL;
        if (first && first->from) matches[i] = *first;
        else if (first) *first = matches[i];
    }
    return SL_OK;
}

/* Names the checkpoint that the Saver can read in `to`: `prefix` itself when the names are the same, else a copy, to
 * be removed, with the directory `dir`. */
static sl_code translate(const char **to, const char **dir, const char *prefix, struct sl_object_checkpoint *from,
                         struct sl_object_checkpoint *like, const struct tolerance *tolerance, struct sl_arena *arena,
                         struct sl_error *err) {
    struct sl_object_match *matches;
    size_t found = 0;
    bool same = true;
    SL_TRY(sl_object_checkpoint_match(&matches, from, like, arena, err));
    SL_TRY(match_twins(matches, like, arena, err));
    for (size_t i = 0; i < like->n; i++) {
        const struct sl_bundle_entry *e = matches[i].from;
        const char *key = sl_arena_str(arena, like->entries[i].key).p;
        if (!key) return sl_fail_memory(err, like->entries[i].key.n);
        if (matches[i].is_misfit) return fail_shape(key, err);
        if (!e && !tolerance) return fail_missing(like->entries[i].key, prefix, err);
        if (e) found++;
        same = same && e && sl_str_eq(e->key, like->entries[i].key);
    }
    if (!found) return fail_all_missing(prefix, err);
    for (size_t i = 0; tolerance && tolerance->missing && i < like->n; i++)
        if (!matches[i].from) tolerance->missing(tolerance->arg, sl_arena_str(arena, like->entries[i].key).p);
    *to = prefix;
    if (same) return SL_OK;
    char *base = sl_path_join(arena, sl_path_temporary_dir(), "sluice-restore");
    *dir = base ? sl_path_temporary(arena, base) : NULL;
    *to = *dir ? sl_path_join(arena, *dir, "checkpoint") : NULL;
    if (!*to) return sl_fail_memory(err, strlen(prefix));
    return sl_saver_write_translated(*to, from, like, matches, err);
}

static sl_code prepare(const char **to, const char **dir, const struct sl_saver *s, const char *prefix,
                       const struct tolerance *tolerance, struct sl_arena *arena, struct sl_error *err) {
    struct sl_object_checkpoint from, like;
    SL_TRY(sl_object_checkpoint_open(&from, prefix, err));
    sl_code code = sl_object_checkpoint_open(&like, s->like, err);
    if (code == SL_OK) {
        code = translate(to, dir, prefix, &from, &like, tolerance, arena, err);
        sl_object_checkpoint_close(&like);
    }
    sl_object_checkpoint_close(&from);
    return code;
}

static void restore_like(struct sl_saver *s, TF_Session *session, const char *prefix, const struct tolerance *tolerance,
                         TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    const char *to = NULL, *dir = NULL;
    sl_arena_init(&arena);
    if (sl_status_take(status, prepare(&to, &dir, s, prefix, tolerance, &arena, &err), &err))
        sl_saver_run(s, session, to, false, status);
    if (dir) sl_dir_remove_all(dir, NULL);
    sl_arena_clear(&arena);
}

/* ---- any */

static bool has_objects(const char *prefix) {
    struct sl_object_checkpoint c;
    if (sl_object_checkpoint_open(&c, prefix, NULL) != SL_OK) return false;
    bool has = c.has_objects;
    sl_object_checkpoint_close(&c);
    return has;
}

static void restore(struct sl_saver *s, TF_Session *session, const char *prefix, const struct tolerance *tolerance,
                    TF_Status *status) {
    struct sl_error err;
    if (!sl_status_take(status, sl_checkpoint_exists(prefix, &err), &err)) return;
    if (s->path.oper && s->like) {
        restore_like(s, session, prefix, tolerance, status);
        return;
    }
    if (s->path.oper && !has_objects(prefix)) {
        sl_saver_run(s, session, prefix, false, status);
        if (TF_GetCode(status) != TF_NOT_FOUND || !tolerance) return;
        sl_status_set(status, SL_OK, "");
    }
    sl_saver_add_variables(s, status);
    if (sl_is_ok(status)) restore_variables(s, session, prefix, tolerance, status);
}

void sl_saver_restore(struct sl_saver *saver, TF_Session *session, const char *prefix, TF_Status *status) {
    restore(saver, session, prefix, NULL, status);
}

void sl_saver_restore_found(struct sl_saver *saver, TF_Session *session, const char *prefix,
                            void (*missing)(void *arg, const char *name), void *arg, TF_Status *status) {
    const struct tolerance tolerance = {missing, arg};
    restore(saver, session, prefix, &tolerance, status);
}
