/* SavedModels: choosing tags and signature, loading, listing. */
#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "foreign_file.h"
#include "nearest.h"
#include "sluice/checkpoint_file.h"

enum { MOST_TAGS = 16 };

bool is_directory(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- choosing */

/* Splits at commas, in place. -1 for too many. */
static int split_tags(const char *tags[MOST_TAGS], char *text) {
    int n = 0;
    for (char *at = text; at && *at; n++) {
        if (n == MOST_TAGS) return -1;
        tags[n] = at;
        at = strchr(at, ',');
        if (at) *at++ = 0;
    }
    return n;
}

static bool has_tag(const struct sl_model *model, int graph, const char *tag) {
    const char *const *tags = NULL;
    int n = sl_model_graph_tags(&tags, model, graph);
    for (int i = 0; i < n; i++)
        if (!strcmp(tags[i], tag)) return true;
    return false;
}

static bool has_tags(const struct sl_model *model, int graph, const char *const *tags, int n) {
    for (int i = 0; i < n; i++)
        if (!has_tag(model, graph, tags[i])) return false;
    return sl_model_graph_tags(NULL, model, graph) == n;
}

/* The graph to take when nobody says: the only one, or the first for serving. -1 after an error. */
static int default_graph(const struct sl_model *model) {
    int n = sl_model_graph_count(model);
    for (int i = 0; i < n; i++)
        if (n == 1 || has_tag(model, i, "serve")) return i;
    complain("the model has %d graphs: choose one by --tags; 'sluice show' lists them", n);
    return -1;
}

int model_choose(const struct sl_model *model, const char *wanted) {
    const char *tags[MOST_TAGS];
    char copy[512];
    if (!wanted) return default_graph(model);
    snprintf(copy, sizeof copy, "%s", wanted);
    int n = split_tags(tags, copy);
    for (int i = 0; n >= 0 && i < sl_model_graph_count(model); i++)
        if (has_tags(model, i, tags, n)) return i;
    complain("the model has no graph with the tags '%s'; 'sluice show' lists them", wanted);
    return -1;
}

static bool choose_signature(struct loaded_model *m, int graph, const char *wanted) {
    struct sl_model_signature s;
    int n = 0;
    for (; sl_model_signature_at(&s, m->model, graph, n); n++)
        if (!strcmp(s.name, wanted ? wanted : "serving_default")) {
            m->signature = s;
            return true;
        }
    if (!wanted && n == 1) return sl_model_signature_at(&m->signature, m->model, graph, 0);
    if (!wanted) return true; /* by the names of the graph, then */
    complain("the graph has no signature '%s'; 'sluice show' lists them", wanted);
    struct nearest nearest = {.wanted = wanted};
    for (n = 0; sl_model_signature_at(&s, m->model, graph, n); n++) nearest_offer(&nearest, s.name);
    nearest_say(&nearest);
    return false;
}

/* ---- loading */

static bool start(struct loaded_model *m, const char *dir, int graph, TF_SessionOptions *options) {
    const char *const *tags = NULL;
    int n = sl_model_graph_tags(&tags, m->model, graph);
    TF_Status *status = must_have(TF_NewStatus());
    m->graph = must_have(TF_NewGraph());
    m->session = TF_LoadSessionFromSavedModel(options, NULL, dir, tags, n, m->graph, NULL, status);
    bool failed = complain_status(status);
    hint_devices(status);
    TF_DeleteStatus(status);
    return !failed;
}

struct sl_model *model_read(const char *dir) {
    char path[4096];
    struct stat st;
    snprintf(path, sizeof path, "%s/saved_model.pb", dir);
    bool is_foreign = !is_directory(dir) ? complain_foreign(dir) : stat(path, &st) == 0 && !st.st_size;
    if (is_foreign && is_directory(dir)) complain("%s: this is an empty file", path);
    if (is_foreign) return NULL;
    TF_Status *status = must_have(TF_NewStatus());
    struct sl_model *model = sl_model_read(dir, status);
    complain_status(status);
    snprintf(path, sizeof path, "%s/checkpoint", dir);
    if (!model && stat(path, &st) == 0) complain("there are checkpoints: 'sluice ckpt ls %s'", dir);
    TF_DeleteStatus(status);
    return model;
}

TF_Graph *model_graph(const struct sl_model *model, int number) {
    TF_Graph *graph = must_have(TF_NewGraph());
    TF_Status *status = must_have(TF_NewStatus());
    sl_model_graph(graph, model, number, status);
    if (complain_status(status)) {
        TF_DeleteGraph(graph);
        graph = NULL;
    }
    TF_DeleteStatus(status);
    return graph;
}

bool load_model_graph(struct loaded_model *m, const char *dir, const char *tags, const char *signature) {
    *m = (struct loaded_model){.model = model_read(dir)};
    m->number = m->model ? model_choose(m->model, tags) : -1;
    bool ok = m->number >= 0 && choose_signature(m, m->number, signature);
    if (ok) m->graph = model_graph(m->model, m->number);
    if (!m->graph) unload_model(m);
    return m->model != NULL;
}

bool load_model(struct loaded_model *m, const char *dir, const char *tags, const char *signature,
                TF_SessionOptions *options) {
    *m = (struct loaded_model){.model = model_read(dir)};
    int graph = m->number = m->model ? model_choose(m->model, tags) : -1;
    bool ok = graph >= 0 && choose_signature(m, graph, signature) && start(m, dir, graph, options);
    if (!ok) unload_model(m);
    return ok;
}

void unload_model(struct loaded_model *m) {
    TF_Status *status = must_have(TF_NewStatus());
    if (m->session) TF_DeleteSession(m->session, status);
    if (m->graph) TF_DeleteGraph(m->graph);
    sl_model_delete(m->model);
    TF_DeleteStatus(status);
    *m = (struct loaded_model){.model = NULL};
}

static const struct sl_model_port *find_port(const struct sl_model_port *ports, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (!strcmp(ports[i].name, name) && *ports[i].tensor) return &ports[i];
    return NULL;
}

const struct sl_model_port *model_input(const struct loaded_model *m, const char *name) {
    const struct sl_model_signature *s = &m->signature;
    return s->name ? find_port(s->inputs, s->num_inputs, name) : NULL;
}

const char *model_output(const struct loaded_model *m, const char *name) {
    const struct sl_model_signature *s = &m->signature;
    const struct sl_model_port *port = s->name ? find_port(s->outputs, s->num_outputs, name) : NULL;
    if (!port) port = model_input(m, name);
    return port ? port->tensor : name;
}

/* ---- listing */

static void print_ports(const char *title, const struct sl_model_port *ports, int n) {
    for (int i = 0; i < n; i++) {
        const struct sl_model_port *p = &ports[i];
        char text[SHAPE_TEXT];
        int at = snprintf(text, sizeof text, "%s %s", type_name(p->type), p->num_dims < 0 ? "<unknown>" : "[");
        for (int d = 0; d < p->num_dims && at < SHAPE_TEXT - 32; d++)
            at += p->dims[d] < 0
                      ? snprintf(text + at, sizeof text - (size_t)at, "%s?", d ? "," : "")
                      : snprintf(text + at, sizeof text - (size_t)at, "%s%" PRId64, d ? "," : "", p->dims[d]);
        printf("  %-8s  %-24s %s%-*s %s\n", i ? "" : title, p->name, text, 28 - (int)strlen(text),
               p->num_dims < 0 ? "" : "]", p->tensor);
    }
}

void print_signatures(const struct sl_model *model, int graph) {
    const char *const *tags = NULL;
    struct sl_model_signature s;
    int n = sl_model_graph_tags(&tags, model, graph);
    printf("tags      ");
    for (int i = 0; i < n; i++) printf("%s%s", i ? "," : "", tags[i]);
    printf("%s\n", n ? "" : "none");
    for (int i = 0; sl_model_signature_at(&s, model, graph, i); i++) {
        printf("signature %s%s%s\n", s.name, *s.method ? "  " : "", s.method);
        print_ports("inputs", s.inputs, s.num_inputs);
        print_ports("outputs", s.outputs, s.num_outputs);
    }
}

bool print_variables(const char *dir) {
    struct sl_checkpoint_tensor t;
    char prefix[4096];
    snprintf(prefix, sizeof prefix, "%s/variables/variables", dir);
    TF_Status *status = must_have(TF_NewStatus());
    struct sl_checkpoint_reader *r = sl_checkpoint_reader_new(prefix, status);
    bool ok = r || TF_GetCode(status) == TF_NOT_FOUND || !complain_status(status);
    TF_DeleteStatus(status);
    if (!r) return ok;
    for (int i = 0; sl_checkpoint_reader_tensor(&t, r, i); i++) {
        printf("%-9s %-56s %s [", i ? "" : "variables", t.name, type_name(t.type));
        for (int d = 0; d < t.num_dims; d++) printf("%s%" PRId64, d ? "," : "", t.dims[d]);
        printf("]\n");
    }
    sl_checkpoint_reader_delete(r);
    return true;
}
