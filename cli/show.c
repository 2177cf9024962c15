/* sluice show: inputs, outputs, op counts and missing kernels of a graph (or SavedModel) as a table, with what a
 * MetaGraph says of it; --dot and --svg as a picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "graph_map.h"
#include "graph_walk.h"
#include "model.h"
#include "picture.h"
#include "plan.h"
#include "show_pipeline.h"
#include "sluice/function_graph.h"
#include "sluice/meta_graph_file.h"

const struct option show_options[] = {
    {"nodes", NULL, "list every node"},
    {"dot", NULL, "print the graph for Graphviz"},
    {"svg", NULL, "print the graph as an SVG picture"},
    {"html", "FILE", "write the graph as a page in which scopes and functions open and close, with search and paths"},
    {"tree", "DEPTH", "print scopes, so many levels deep, with how many nodes and which ops they have"},
    {"find", "TEXT", "print the nodes whose name or op has the text, those of functions too"},
    {"path", "FROM,TO", "print the shortest way from one node to another"},
    {"pipeline", NULL, "show the stages of input pipelines: what they take, call and give"},
    {"place", NULL, "show on which device each node of a run goes, and why"},
    {"partition", NULL, "show what each device runs, and what goes between them"},
    {"devices", "N", "CPU devices to place on; default: as many as nodes ask for"},
    {"cost", NULL, "place by a simulation of the run"},
    {"soft", NULL, "take another device for one that is not there"},
    {"feed", "NAME", "what a run feeds besides the placeholders"},
    {"fetch", "NAME", "what a run fetches; default: every result"},
    {"target", "OP", "a node to run without fetching anything from it"},
    {"signature", "NAME", "of a SavedModel: a run of this signature; default: serving_default"},
    {"tags", "TAG,TAG", "of a SavedModel: the graph with these tags; default: serve, or the only one"},
    {NULL, NULL, NULL},
};

struct op_count {
    const char *type;
    char *missing_at; /* the first node of a type without a kernel; NULL: there is one */
    int n;
};
/* What is counted in a walk. */
struct counts {
    struct op_count *types;
    int n_types, n_nodes, n_inner;
};

static int by_count(const void *a, const void *b) {
    const struct op_count *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp(x->type, y->type);
}

/* Whether any kernel serves the op: an empty KernelList means none. */
static bool has_kernel(const char *type) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *list = TF_GetRegisteredKernelsForOp(type, status);
    must_have_memory(status);
    bool found = list && list->length > 0;
    if (list) TF_DeleteBuffer(list);
    TF_DeleteStatus(status);
    return found;
}

/* Functions are ops of the graph, not of the library. */
static bool is_function(TF_Graph *graph, const char *type) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Graph *body = sl_function_graph(graph, type, status);
    bool found = TF_GetCode(status) != TF_NOT_FOUND;
    must_have_memory(status);
    if (body) TF_DeleteGraph(body);
    TF_DeleteStatus(status);
    return found;
}

static void count_node(const struct walked *node, void *arg) {
    struct counts *c = arg;
    const char *type = TF_OperationOpType(node->op);
    int i = 0;
    c->n_nodes++;
    c->n_inner += node->depth > 0;
    while (i < c->n_types && strcmp(c->types[i].type, type) != 0) i++;
    if (i == c->n_types) {
        bool is_missing = !has_kernel(type) && !is_function(node->graph, type);
        c->types = must_allocate(c->types, (size_t)(i + 1) * sizeof *c->types);
        c->types[c->n_types++] = (struct op_count){type, is_missing ? must_have(strdup(node->name)) : NULL, 0};
    }
    c->types[i].n++;
}

static void list_operations(TF_Graph *graph, const char *title, bool (*wanted)(TF_Operation *op)) {
    size_t at = 0;
    bool any = false;
    char text[SHAPE_TEXT];
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        if (!wanted(op)) continue;
        for (int i = 0; i < TF_OperationNumOutputs(op); i++) {
            char name[512];
            snprintf(name, sizeof name, i ? "%s:%d" : "%s", TF_OperationName(op), i);
            printf("%-8s  %-36s %-28s %s\n", any ? "" : title, name, output_text(text, graph, (TF_Output){op, i}),
                   TF_OperationOpType(op));
            any = true;
        }
    }
    if (!any) printf("%-8s  none\n", title);
}

static void list_node(const struct walked *node, void *arg) {
    char text[SHAPE_TEXT];
    (void)arg;
    bool has_output = TF_OperationNumOutputs(node->op) > 0;
    printf("%-44s %-24s %s\n", node->name, TF_OperationOpType(node->op),
           has_output ? output_text(text, node->graph, (TF_Output){node->op, 0}) : "");
}

/* The types of all nodes, and which have no kernel. */
static void print_types(struct walk *w) {
    struct counts c = {NULL, 0, 0, 0};
    int missing = 0;
    walk_each(w, count_node, &c);
    if (c.n_types) qsort(c.types, (size_t)c.n_types, sizeof *c.types, by_count);
    printf("nodes     %d of %d types", c.n_nodes, c.n_types);
    if (walk_functions(w)) printf(", %d of them in %d functions", c.n_inner, walk_functions(w));
    printf("\n");
    for (int i = 0; i < c.n_types; i++) {
        missing += c.types[i].missing_at != NULL;
        printf("%8d  %s%s\n", c.types[i].n, c.types[i].type, c.types[i].missing_at ? "   (no kernel)" : "");
    }
    if (missing) printf("missing   %d of the types have no kernel: what needs them cannot run\n", missing);
    for (int i = 0; i < c.n_types; i++) {
        if (c.types[i].missing_at) printf("          %-24s %s\n", c.types[i].type, c.types[i].missing_at);
        free(c.types[i].missing_at);
    }
    free(c.types);
}

/* What stands beside the graph in a MetaGraph's file; nothing for other files. */
static void print_beside(const char *path) {
    static const char *const kinds[] = {"", "nodes", "bytes", "ints", "floats", "messages"};
    struct sl_collection c;
    struct sl_saver_names saver;
    TF_Status *status = must_have(TF_NewStatus());
    struct sl_meta_graph *meta = sl_meta_graph_read(path, status);
    TF_DeleteStatus(status);
    if (!meta) return;
    if (sl_meta_graph_saver(&saver, meta))
        printf("saver     %s, %s, %s\n", saver.filename_tensor, saver.save_tensor, saver.restore_op);
    for (int i = 0; sl_meta_graph_collection(&c, meta, i); i++)
        printf("%-11s %-36s %d %s\n", i ? "" : "collections", c.name, c.count, kinds[c.kind]);
    sl_meta_graph_delete(meta);
}

/* --html, --tree, --find and --path: `value` is the option's. */
static bool show_map(TF_Graph *graph, const struct plan_request *r) {
    struct graph_map m;
    bool ok = graph_map_make(&m, graph);
    char *comma = !strcmp(r->form, "path") ? strchr(r->value, ',') : NULL;
    int64_t depth = 1;
    if (!ok) return false;
    if (!strcmp(r->form, "html")) ok = graph_map_write_page(r->value, &m, r->path);
    else if (!strcmp(r->form, "find")) ok = graph_map_print_found(&m, r->value);
    else if (!strcmp(r->form, "tree") && parse_number(&depth, r->value, 1, 1000)) graph_map_print_tree(&m, (int)depth);
    else if (comma) {
        *comma = 0;
        ok = graph_map_print_path(&m, r->value, comma + 1);
    } else {
        ok = false;
        complain_usage(find_command("show"), "--%s wants %s, not '%s'", r->form,
                       !strcmp(r->form, "tree") ? "a number from 1 to 1000" : "FROM,TO", r->value);
    }
    graph_map_clear(&m);
    return ok;
}

static bool is_map(const char *form) {
    return !strcmp(form, "html") || !strcmp(form, "tree") || !strcmp(form, "find") || !strcmp(form, "path");
}

/* What is said about runs goes to `plan`; the form is the last one named. False after an error, which has been
 * printed. */
static bool read_option(struct plan_request *plan, const char *name, char *value) {
    if (!strcmp(name, "place")) plan->place = true;
    else if (!strcmp(name, "partition")) plan->partition = true;
    else if (!strcmp(name, "pipeline")) plan->pipeline = true;
    else if (!strcmp(name, "cost")) plan->by_cost = true;
    else if (!strcmp(name, "soft")) plan->is_soft = true;
    else if (!strcmp(name, "signature")) plan->signature = value;
    else if (!strcmp(name, "tags")) plan->tags = value;
    else if (!strcmp(name, "devices")) {
        if (parse_number(&plan->devices, value, 1, 1024)) return true;
        complain_usage(find_command("show"), "--devices wants a number from 1 to 1024, not '%s'", value);
        return false;
    } else if (strcmp(name, "feed") != 0 && strcmp(name, "fetch") != 0 && strcmp(name, "target") != 0) {
        plan->form = name;
        plan->value = value;
    }
    return true;
}

static void show_nodes(TF_Graph *graph) {
    struct walk *w = walk_new(graph);
    walk_each(w, list_node, NULL);
    walk_free(w);
}

static void show_types(TF_Graph *graph) {
    struct walk *w = walk_new(graph);
    print_types(w);
    walk_free(w);
}

static int show_graph(const struct plan_request *r) {
    const char *form = r->form;
    TF_Graph *graph = open_graph(r->path);
    bool ok = true;
    if (!graph) return EXIT_FAILED;
    if (r->pipeline) ok = show_pipeline(graph, form);
    else if (is_map(form)) ok = show_map(graph, r);
    else if (!strcmp(form, "nodes")) show_nodes(graph);
    else if (strcmp(form, "table") != 0) show_picture(graph, NULL, form);
    else {
        list_operations(graph, "inputs", is_placeholder);
        list_operations(graph, "outputs", is_result);
        show_types(graph);
        print_beside(r->path);
    }
    TF_DeleteGraph(graph);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* All graphs of the model, or the one with these tags. */
static int show_model_table(const struct plan_request *r) {
    struct sl_model *model = model_read(r->path);
    int wanted = model && r->tags ? model_choose(model, r->tags) : 0;
    bool ok = model && wanted >= 0;
    for (int i = 0; ok && i < sl_model_graph_count(model); i++) {
        if (r->tags && i != wanted) continue;
        TF_Graph *graph = model_graph(model, i);
        if (!graph) return EXIT_FAILED;
        print_signatures(model, i);
        show_types(graph);
        TF_DeleteGraph(graph);
    }
    sl_model_delete(model);
    return ok && print_variables(r->path) ? EXIT_OK : EXIT_FAILED;
}

static int show_model(const struct plan_request *r) {
    struct loaded_model m;
    bool ok = true;
    if (!r->pipeline && !strcmp(r->form, "table")) return show_model_table(r);
    if (!load_model_graph(&m, r->path, r->tags, r->signature)) return EXIT_FAILED;
    if (r->pipeline) ok = show_pipeline(m.graph, r->form);
    else if (is_map(r->form)) ok = show_map(m.graph, r);
    else if (!strcmp(r->form, "nodes")) show_nodes(m.graph);
    else show_picture(m.graph, &m.signature, r->form);
    unload_model(&m);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* Whether an option says something about runs alone; a picture is of what a signature runs. */
static bool is_of_runs(const char *name, bool is_picture) {
    static const char *const others[] = {"nodes", "dot", "svg", "tags", "pipeline", "html", "tree", "find", "path"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i], name)) return false;
    return !is_picture || strcmp(name, "signature") != 0;
}

int show_command(int argc, char **argv) {
    const struct command *self = find_command("show");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    struct plan_request plan = {.form = "table", .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    bool is_said[sizeof show_options / sizeof *show_options] = {false};
    while (next_argument(&a, &option, &value)) {
        if (option && !read_option(&plan, option->name, value)) return EXIT_USAGE;
        if (option) is_said[option - show_options] = true;
        else if (plan.path) return complain_usage(self, "one graph at a time, please: '%s' and '%s'", plan.path, value);
        else plan.path = value;
    }
    if (a.failed) return EXIT_USAGE;
    if (!plan.path) return complain_usage(self, "which graph?");
    bool is_picture = !strcmp(plan.form, "dot") || !strcmp(plan.form, "svg");
    if (is_picture && plan.place && plan.partition)
        return complain_usage(self, "a picture is of --place or of --partition");
    if (is_map(plan.form) && (plan.place || plan.partition || plan.pipeline))
        return complain_usage(self, "--%s does not go with --place, --partition or --pipeline", plan.form);
    if (plan.pipeline && (plan.place || plan.partition || !strcmp(plan.form, "nodes")))
        return complain_usage(self, "--pipeline goes with --dot or --svg, or alone");
    if ((plan.tags || plan.signature) && !is_directory(plan.path))
        return complain_usage(self, "--tags and --signature are for SavedModels, and '%s' is none", plan.path);
    if (plan.place || plan.partition) return show_plan(&plan);
    for (size_t i = 0; show_options[i].name; i++)
        if (is_said[i] && is_of_runs(show_options[i].name, is_picture))
            return complain_usage(self, "--%s is for --place and --partition%s", show_options[i].name,
                                  !strcmp(show_options[i].name, "signature") ? ", or for a picture" : "");
    return is_directory(plan.path) ? show_model(&plan) : show_graph(&plan);
}
