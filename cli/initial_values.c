/* Initialisers are what TensorFlow's tools call that: the collection init_op, the node init, and an assignment
 * NAME/Assign for each variable NAME. Tables are filled after that, and after a checkpoint has been read. */
#include "initial_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/checkpoint_file.h"
#include "sluice/meta_graph_file.h"

enum { MOST_NAMED = 5 };

/* ---- initialisers */

struct targets {
    const TF_Operation **ops;
    int n;
};

static void add_target(struct targets *t, TF_Operation *op) {
    for (int i = 0; i < t->n; i++)
        if (t->ops[i] == op) return;
    if (!op) return;
    t->ops = must_allocate(t->ops, (size_t)(t->n + 1) * sizeof *t->ops);
    t->ops[t->n++] = op;
}

/* The nodes that a collection of the graph's file lists. */
static void add_collection(struct targets *t, TF_Graph *graph, const struct sl_meta_graph *meta, const char *name) {
    struct sl_collection c;
    struct sl_collection_item item;
    for (int i = 0; meta && sl_meta_graph_collection(&c, meta, i); i++) {
        if (strcmp(c.name, name) != 0 || c.kind != SL_COLLECTION_NODES) continue;
        for (int k = 0; sl_meta_graph_item(&item, meta, i, k); k++) {
            char node[1024];
            snprintf(node, sizeof node, "%.*s", (int)strcspn(item.bytes, ":"), item.bytes);
            add_target(t, TF_GraphOperationByName(graph, node));
        }
    }
}

/* Whether it gives the variable NAME its first value: the assignment NAME/Assign. */
static bool is_initialiser(TF_Operation *op) {
    const char *type = TF_OperationOpType(op), *name = TF_OperationName(op);
    if (strcmp(type, "Assign") != 0 && strcmp(type, "AssignVariableOp") != 0) return false;
    const char *variable = TF_OperationName(TF_OperationInput((TF_Input){op, 0}).oper);
    size_t n = strlen(variable);
    return !strncmp(name, variable, n) && !strcmp(name + n, "/Assign");
}

static struct targets find_initialisers(TF_Graph *graph, const struct sl_meta_graph *meta) {
    struct targets t = {NULL, 0};
    size_t at = 0;
    add_collection(&t, graph, meta, "init_op");
    if (!t.n) add_target(&t, TF_GraphOperationByName(graph, "init"));
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));)
        if (is_initialiser(op)) add_target(&t, op);
    return t;
}

static struct targets find_table_initialisers(TF_Graph *graph, const struct sl_meta_graph *meta) {
    struct targets t = {NULL, 0};
    add_collection(&t, graph, meta, "table_initializer");
    add_collection(&t, graph, meta, "local_init_op");
    if (!t.n) add_target(&t, TF_GraphOperationByName(graph, "init_all_tables"));
    return t;
}

/* Runs and frees them. */
static bool run_targets(struct targets t, TF_Session *session, TF_Status *status) {
    if (t.n) TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, t.ops, t.n, NULL, status);
    free(t.ops);
    return !t.n || !complain_status(status);
}

/* ---- checkpoints */

/* The nodes of the Saver; false: the file does not say. */
static bool find_saver(struct sl_saver_names *names, const struct loaded_model *model, struct sl_meta_graph *meta) {
    if (model->session) return sl_model_saver(names, model->model, model->number);
    return meta && sl_meta_graph_saver(names, meta) && *names->restore_op;
}

/* NULL for a file that is no MetaGraph. */
static struct sl_meta_graph *read_meta(const struct loaded_model *model, const char *path) {
    TF_Status *status = must_have(TF_NewStatus());
    struct sl_meta_graph *meta = model->session ? NULL : sl_meta_graph_read(path, status);
    TF_DeleteStatus(status);
    return meta;
}

static struct sl_saver *saver_of(TF_Graph *graph, const struct loaded_model *model, struct sl_meta_graph *meta,
                                 const char *path, struct sl_saver_options options, TF_Status *status) {
    struct sl_saver_names names;
    char like[4096];
    snprintf(like, sizeof like, "%s/variables/variables", path);
    if (find_saver(&names, model, meta)) options.names = &names;
    if (options.names && model->session) options.like = like;
    return sl_saver_new(graph, &options, status);
}

struct sl_saver *make_saver(TF_Graph *graph, const struct loaded_model *model, const char *path,
                            struct sl_saver_options options, TF_Status *status) {
    struct sl_meta_graph *meta = read_meta(model, path);
    struct sl_saver *saver = saver_of(graph, model, meta, path, options, status);
    sl_meta_graph_delete(meta);
    return saver;
}

static void name_missing(void *arg, const char *name) {
    int *n = arg;
    if (*n < MOST_NAMED) fprintf(stderr, *n ? ", %s" : "sluice: not in the checkpoint: %s", name);
    ++*n;
}

static bool restore(TF_Session *session, TF_Graph *graph, const struct loaded_model *model, struct sl_meta_graph *meta,
                    const struct variables_request *request, TF_Status *status) {
    struct sl_checkpoint_reader *reader = sl_checkpoint_reader_new(request->checkpoint, status);
    if (complain_status(status)) return false;
    int missing = 0;
    struct sl_saver *saver =
        saver_of(graph, model, meta, request->path, SL_OPTIONS(sl_saver_options, .max_to_keep = 0), status);
    if (saver)
        sl_saver_restore_found(saver, session, sl_checkpoint_reader_prefix(reader), name_missing, &missing, status);
    if (missing > MOST_NAMED) fprintf(stderr, ", and %d more", missing - MOST_NAMED);
    if (missing) fputs("; these stay as they are\n", stderr);
    sl_saver_delete(saver);
    sl_checkpoint_reader_delete(reader);
    return !complain_status(status);
}

/* ---- both */

static bool prepare(TF_Session *session, TF_Graph *graph, const struct loaded_model *model, struct sl_meta_graph *meta,
                    const struct variables_request *request, TF_Status *status) {
    if (request->init) {
        struct targets inits = find_initialisers(graph, meta);
        if (!inits.n) {
            complain("--init: the graph has neither a node 'init', nor a collection init_op, nor NAME/Assign for a "
                     "variable NAME");
            return false;
        }
        if (!run_targets(inits, session, status)) return false;
    }
    if (request->checkpoint && !restore(session, graph, model, meta, request, status)) return false;
    return !request->init || run_targets(find_table_initialisers(graph, meta), session, status);
}

bool prepare_variables(TF_Session *session, TF_Graph *graph, const struct loaded_model *model,
                       const struct variables_request *request) {
    if (!request->init && !request->checkpoint) return true;
    TF_Status *status = must_have(TF_NewStatus());
    struct sl_meta_graph *meta = read_meta(model, request->path);
    bool ok = prepare(session, graph, model, meta, request, status);
    sl_meta_graph_delete(meta);
    TF_DeleteStatus(status);
    return ok;
}

void hint_variables(TF_Status *status, const struct variables_request *request) {
    const char *text = TF_Message(status);
    bool has_none = strstr(text, "ninitialized") || (strstr(text, "Resource ") && strstr(text, " does not exist"));
    if (TF_GetCode(status) != TF_OK && has_none && !request->init && !request->checkpoint)
        complain("--checkpoint PREFIX gives variables the values of a checkpoint, --init their first ones");
}
