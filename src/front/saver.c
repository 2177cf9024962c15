/* The functions of sluice/saver.h, but for restoring. A saver either drives the Saver that a graph has in it, or reads
 * and assigns every variable by operations of its own; files and the list of what is kept are ckpt's. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "ckpt/checkpoint.h"
#include "ckpt/object_graph.h"
#include "front/front_options.h"
#include "front/saver_state.h"
#include "ops/op_effects.h"
#include "os/clock.h"
#include "os/file.h"
#include "sluice/meta_graph_file.h"

static bool is_of_type(TF_Operation *op, const char *type) { return strcmp(TF_OperationOpType(op), type) == 0; }

/* ---- a Saver of TensorFlow */

static TF_Output string_output(TF_Graph *graph, const char *name) {
    TF_Output output = {TF_GraphOperationByName(graph, name), 0};
    if (output.oper && (!TF_OperationNumOutputs(output.oper) || TF_OperationOutputType(output) != TF_STRING))
        output.oper = NULL;
    return output;
}

static void find_saver_nodes(struct sl_saver *s) {
    s->path = string_output(s->graph, "save/Const");
    s->saved = string_output(s->graph, "save/control_dependency");
    if (!s->saved.oper) s->saved = string_output(s->graph, "save/Identity"); /* of a sharded one */
    s->restorer = TF_GraphOperationByName(s->graph, "save/restore_all");
    if (!s->saved.oper || !s->restorer) s->path.oper = NULL;
}

/* The node of "node:0" or "node". */
static TF_Operation *find_named(TF_Graph *graph, const char *name) {
    char node[1024];
    const char *colon = strrchr(name, ':');
    size_t n = colon ? (size_t)(colon - name) : strlen(name);
    if (n >= sizeof node) return NULL;
    memcpy(node, name, n);
    node[n] = 0;
    return TF_GraphOperationByName(graph, node);
}

/* The Saver that the caller names. */
static void take_saver_nodes(struct sl_saver *s, const struct sl_saver_names *names, TF_Status *status) {
    TF_Operation *path = find_named(s->graph, names->filename_tensor),
                 *saved = find_named(s->graph, names->save_tensor);
    s->restorer = find_named(s->graph, names->restore_op);
    if (path) s->path = string_output(s->graph, TF_OperationName(path));
    if (saved) s->saved = string_output(s->graph, TF_OperationName(saved));
    if (!s->path.oper || !s->saved.oper || !s->restorer)
        sl_status_fail(status, SL_INVALID_ARGUMENT, "The graph has no Saver with the nodes %s, %s, %s",
                       names->filename_tensor, names->save_tensor, names->restore_op);
}

/* ---- variables one by one */

/* "sluice_saver/NAME/PART", in the arena. */
static char *part_name(struct sl_arena *arena, const char *variable, const char *part) {
    return sl_arena_format(arena, "sluice_saver/%s/%s", variable, part);
}

/* The operation that an earlier saver added, or a new one with up to two inputs. */
static TF_Operation *add_operation(TF_Graph *graph, const char *type, const char *name, const TF_Output *inputs, int n,
                                   const char *type_attr, TF_DataType dtype, TF_Status *status) {
    TF_Operation *there = name ? TF_GraphOperationByName(graph, name) : NULL;
    if (there && is_of_type(there, type) && TF_OperationNumInputs(there) == n) return there;
    TF_OperationDescription *d = name ? TF_NewOperation(graph, type, name) : NULL;
    if (!d) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    for (int i = 0; i < n; i++) TF_AddInput(d, inputs[i]);
    TF_SetAttrType(d, type_attr, dtype);
    return TF_FinishOperation(d, status);
}

static void add_variable(struct sl_saver *s, TF_Operation *op, struct sl_arena *arena, TF_Status *status) {
    bool is_resource = is_of_type(op, "VarHandleOp");
    const char *name = TF_OperationName(op);
    struct saved_variable v = {.name = name, .variable = op, .value = {op, 0}};
    TF_Output inputs[2] = {{op, 0}, {NULL, 0}};
    TF_DataType dtype;
    TF_OperationGetAttrType(op, "dtype", &dtype, status);
    if (sl_is_ok(status) && is_resource)
        v.value.oper = add_operation(s->graph, "ReadVariableOp", part_name(arena, name, "read"), inputs, 1, "dtype",
                                     dtype, status);
    if (sl_is_ok(status))
        v.new_value.oper = inputs[1].oper =
            add_operation(s->graph, "Placeholder", part_name(arena, name, "value"), NULL, 0, "dtype", dtype, status);
    if (sl_is_ok(status))
        v.assigner =
            add_operation(s->graph, is_resource ? "AssignVariableOp" : "Assign", part_name(arena, name, "assign"),
                          inputs, 2, is_resource ? "dtype" : "T", dtype, status);
    if (sl_is_ok(status) && sl_vec_push(&s->variables, v))
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
}

static bool is_variable(const TF_Operation *op) { return sl_op_has(sl_as_node(op)->op, SL_OP_VARIABLE); }

void sl_saver_add_variables(struct sl_saver *s, TF_Status *status) {
    struct sl_arena arena;
    size_t at = 0;
    if (s->variables.n) return;
    sl_arena_init(&arena);
    for (TF_Operation *op; sl_is_ok(status) && (op = TF_GraphNextOperation(s->graph, &at));)
        if (is_variable(op)) add_variable(s, op, &arena, status);
    if (sl_is_ok(status) && !s->variables.n) sl_status_set(status, SL_NOT_FOUND, "The graph has no variables to save");
    if (sl_is_ok(status) && s->variables.n > INT32_MAX / 2)
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "too many variables");
    sl_arena_clear(&arena);
}

/* ---- making one */

struct sl_saver *sl_saver_new(TF_Graph *graph, const struct sl_saver_options *options, TF_Status *status) {
    struct sl_saver_options o;
    if (!SL_OPTIONS_TAKE(&o, sl_saver_options, keep_every_seconds, options, status)) return NULL;
    struct sl_saver *s = sl_calloc(1, sizeof *s);
    sl_status_set(status, s ? SL_OK : SL_RESOURCE_EXHAUSTED, s ? "" : "out of memory");
    if (!s) return NULL;
    s->graph = graph;
    s->retention = (struct sl_retention){o.max_to_keep, o.keep_every_seconds};
    if (o.like) {
        size_t n = strlen(o.like) + 1;
        if ((s->like = sl_malloc(n))) memcpy(s->like, o.like, n);
        else sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    }
    if (o.names) take_saver_nodes(s, o.names, status);
    else find_saver_nodes(s);
    if (sl_is_ok(status) && !s->path.oper) sl_saver_add_variables(s, status);
    if (sl_is_ok(status)) return s;
    sl_saver_delete(s);
    return NULL;
}

void sl_saver_delete(struct sl_saver *saver) {
    if (!saver) return;
    sl_vec_free(&saver->variables);
    sl_free(saver->like);
    sl_free(saver);
}

/* ---- saving */

void sl_saver_run(struct sl_saver *s, TF_Session *session, const char *prefix, bool saves, TF_Status *status) {
    struct sl_error err;
    struct sl_tensor *text;
    TF_Tensor *path = NULL, *saved = NULL;
    sl_code code = sl_tensor_of_room(&text, SL_STRING, NULL, 0, sizeof(TF_TString), &err);
    if (code == SL_OK) code = sl_tensor_handle_try(&path, text, &err);
    if (!sl_status_take(status, code, &err)) return;
    TF_StringInit(TF_TensorData(path));
    TF_StringCopy(TF_TensorData(path), prefix, strlen(prefix));
    const TF_Operation *restorer = s->restorer;
    TF_SessionRun(session, NULL, &s->path, &path, 1, &s->saved, &saved, saves ? 1 : 0, &restorer, saves ? 0 : 1, NULL,
                  status);
    TF_DeleteTensor(path);
    TF_DeleteTensor(saved);
}

static sl_code write_bundle(const struct sl_saver *s, TF_Tensor **values, const char *prefix, struct sl_error *err) {
    struct sl_bundle_writer *w;
    struct sl_bundle_writer_options options = {.pool = sl_pool_shared()};
    SL_TRY(sl_bundle_writer_open(&w, prefix, &options, err));
    for (size_t i = 0; i < s->variables.n; i++) {
        sl_code code = sl_bundle_writer_add(w, sl_str_of(s->variables.items[i].name), values[i]->tensor, err);
        if (code != SL_OK) {
            sl_bundle_writer_abandon(w);
            return code;
        }
    }
    return sl_bundle_writer_finish(w, err);
}

/* Fetches all at once, between two steps, and writes them. */
static void save_variables(struct sl_saver *s, TF_Session *session, const char *prefix, TF_Status *status) {
    struct sl_error err;
    size_t n = s->variables.n;
    TF_Output *outputs = sl_calloc(n, sizeof *outputs);
    TF_Tensor **values = sl_calloc(n, sizeof *values);
    if (outputs && values) {
        for (size_t i = 0; i < n; i++) outputs[i] = s->variables.items[i].value;
        TF_SessionRun(session, NULL, NULL, NULL, 0, outputs, values, (int)n, NULL, 0, NULL, status);
        if (sl_is_ok(status)) sl_status_take(status, write_bundle(s, values, prefix, &err), &err);
        for (size_t i = 0; i < n; i++) TF_DeleteTensor(values[i]);
    } else {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    }
    sl_free(outputs);
    sl_free(values);
}

/* Writes down what is the latest, then removes what is no longer kept. */
static sl_code note_latest(struct sl_checkpoint_state *state, const struct sl_retention *retention, const char *prefix,
                           struct sl_arena *arena, struct sl_error *err) {
    size_t n_gone;
    const char **gone = SL_ARENA_ARRAY(arena, const char *, state->kept.n + 1);
    if (!gone) return sl_fail_memory(err, state->kept.n * sizeof *gone);
    SL_TRY(sl_checkpoint_state_add(gone, &n_gone, state, prefix, (double)sl_wall_us() / 1e6, retention, err));
    SL_TRY(sl_checkpoint_state_write(state, true, err));
    for (size_t i = 0; i < n_gone; i++) SL_TRY(sl_checkpoint_remove(gone[i], err));
    return SL_OK;
}

static sl_code update_state(const struct sl_saver *s, const char *dir, const char *prefix, struct sl_arena *arena,
                            struct sl_error *err) {
    struct sl_checkpoint_state state;
    sl_code code = sl_checkpoint_state_read(&state, dir, err);
    if (code == SL_NOT_FOUND) code = sl_checkpoint_state_init(&state, dir, err);
    if (code != SL_OK) return code;
    code = note_latest(&state, &s->retention, prefix, arena, err);
    sl_checkpoint_state_clear(&state);
    return code;
}

static sl_code make_names(char **full, char **dir, const char *prefix, int64_t step, struct sl_arena *arena,
                          struct sl_error *err) {
    *full = sl_arena_format(arena, "%s-%" PRId64, prefix, step);
    *dir = sl_path_dir(arena, prefix);
    if (!*full || !*dir) return sl_fail_memory(err, strlen(prefix));
    return **dir ? sl_dir_create_all(*dir, err) : SL_OK;
}

/* ---- a Saver whose model has variables twice: the graph changes the second of two twins, and both are saved as that */

struct twin_files {
    struct sl_object_checkpoint like, saved;
    bool is_like_open, is_saved_open;
    const char *dir, *prefix; /* what the Saver writes, to be removed; NULL: there are no twins */
};

static sl_code find_twins(struct twin_files *f, const struct sl_saver *s, struct sl_arena *arena,
                          struct sl_error *err) {
    const struct sl_bundle_entry **twins;
    bool has_twins = false;
    SL_TRY(sl_object_checkpoint_open(&f->like, s->like, err));
    f->is_like_open = true;
    SL_TRY(sl_object_checkpoint_twins(&twins, &f->like, arena, err));
    for (size_t i = 0; i < f->like.n; i++) has_twins |= twins[i] != NULL;
    if (!has_twins) return SL_OK;
    char *base = sl_path_join(arena, sl_path_temporary_dir(), "sluice-save");
    f->dir = base ? sl_path_temporary(arena, base) : NULL;
    f->prefix = f->dir ? sl_path_join(arena, f->dir, "checkpoint") : NULL;
    return f->prefix ? SL_OK : sl_fail_memory(err, strlen(s->like));
}

static sl_code write_twins(struct twin_files *f, const char *prefix, struct sl_arena *arena, struct sl_error *err) {
    struct sl_object_match *matches;
    const struct sl_bundle_entry **twins;
    SL_TRY(sl_object_checkpoint_open(&f->saved, f->prefix, err));
    f->is_saved_open = true;
    SL_TRY(sl_object_checkpoint_match(&matches, &f->saved, &f->like, arena, err));
    SL_TRY(sl_object_checkpoint_twins(&twins, &f->like, arena, err));
    for (size_t i = 0; i < f->like.n; i++)
        if (twins[i] && matches[i].from) matches[twins[i] - f->like.entries] = matches[i];
    return sl_saver_write_translated(prefix, &f->saved, &f->like, matches, err);
}

static void save_by_graph(struct sl_saver *s, TF_Session *session, const char *prefix, struct sl_arena *arena,
                          TF_Status *status) {
    struct sl_error err;
    struct twin_files f = {.prefix = NULL};
    bool ok = !s->like || sl_status_take(status, find_twins(&f, s, arena, &err), &err);
    if (ok) sl_saver_run(s, session, f.prefix ? f.prefix : prefix, true, status);
    if (ok && f.prefix && sl_is_ok(status)) sl_status_take(status, write_twins(&f, prefix, arena, &err), &err);
    if (f.is_saved_open) sl_object_checkpoint_close(&f.saved);
    if (f.is_like_open) sl_object_checkpoint_close(&f.like);
    if (f.dir) sl_dir_remove_all(f.dir, NULL);
}

void sl_saver_save(struct sl_saver *saver, TF_Session *session, const char *prefix, int64_t step, TF_Status *status) {
    struct sl_error err;
    struct sl_arena arena;
    char *full, *dir;
    sl_arena_init(&arena);
    if (sl_status_take(status, make_names(&full, &dir, prefix, step, &arena, &err), &err)) {
        if (saver->path.oper) save_by_graph(saver, session, full, &arena, status);
        else save_variables(saver, session, full, status);
    }
    if (sl_is_ok(status)) sl_status_take(status, update_state(saver, dir, full, &arena, &err), &err);
    sl_arena_clear(&arena);
}

/* The number after the last '-' of a name; -1 when there is none. */
static int64_t step_of(const char *prefix) {
    const char *dash = strrchr(prefix, '-');
    char *end = NULL;
    if (!dash || dash[1] < '0' || dash[1] > '9') return -1;
    long long step = strtoll(dash + 1, &end, 10);
    return *end ? -1 : step;
}

unsigned char sl_saver_latest(char *prefix, size_t size, int64_t *step, const char *dir, TF_Status *status) {
    struct sl_error err;
    struct sl_checkpoint_state state;
    sl_code code = sl_checkpoint_state_read(&state, dir, &err);
    if (code == SL_NOT_FOUND) {
        sl_status_set(status, SL_OK, "");
        return false;
    }
    if (!sl_status_take(status, code, &err)) return false;
    const char *latest = state.kept.items[state.kept.n - 1].prefix;
    size_t n = strlen(latest) + 1;
    code = n <= size ? sl_checkpoint_exists(latest, &err)
                     : sl_fail(&err, SL_OUT_OF_RANGE, "The name of the checkpoint has %zu bytes", n);
    if (code == SL_OK) memcpy(prefix, latest, n);
    if (code == SL_OK && step) *step = step_of(latest);
    sl_checkpoint_state_clear(&state);
    return sl_status_take(status, code, &err);
}
