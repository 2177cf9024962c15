/* sluice show: inputs, outputs, op counts and missing kernels of a graph (or SavedModel) as a table, with what a
 * MetaGraph says of it; --dot and --svg as a picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "model.h"
#include "picture.h"
#include "plan.h"
#include "sluice/meta_graph_file.h"

const struct option show_options[] = {
    {"nodes", NULL, "list every node"},
    {"dot", NULL, "print the graph for Graphviz"},
    {"svg", NULL, "print the graph as an SVG picture"},
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
    int n;
    bool is_missing;
};

static int by_count(const void *a, const void *b) {
    const struct op_count *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp(x->type, y->type);
}

/* Whether any kernel serves the op: an empty KernelList means none. Functions of the graph are no ops of the
 * library. */
static bool has_kernel(TF_Graph *graph, const char *type) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *list = TF_GetRegisteredKernelsForOp(type, status);
    bool found = TF_GetCode(status) == TF_OK && list && list->length > 0;
    if (list) TF_DeleteBuffer(list);
    int n = TF_GraphNumFunctions(graph);
    TF_Function **functions = must_allocate(NULL, (size_t)(n + 1) * sizeof *functions);
    n = TF_GraphGetFunctions(graph, functions, n, status);
    for (int i = 0; i < n; i++) {
        found = found || !strcmp(TF_FunctionName(functions[i]), type);
        TF_DeleteFunction(functions[i]);
    }
    free(functions);
    TF_DeleteStatus(status);
    return found;
}

static struct op_count *count_ops(TF_Graph *graph, int *n_types, int *n_nodes) {
    struct op_count *counts = NULL;
    size_t at = 0;
    *n_types = *n_nodes = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at)); ++*n_nodes) {
        const char *type = TF_OperationOpType(op);
        int i = 0;
        while (i < *n_types && strcmp(counts[i].type, type) != 0) i++;
        if (i == *n_types) {
            counts = must_allocate(counts, (size_t)(*n_types + 1) * sizeof *counts);
            counts[(*n_types)++] = (struct op_count){type, 0, !has_kernel(graph, type)};
        }
        counts[i].n++;
    }
    if (*n_types) qsort(counts, (size_t)*n_types, sizeof *counts, by_count);
    return counts;
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

static void list_nodes(TF_Graph *graph) {
    size_t at = 0;
    char text[SHAPE_TEXT];
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));) {
        bool has_output = TF_OperationNumOutputs(op) > 0;
        printf("%-44s %-24s %s\n", TF_OperationName(op), TF_OperationOpType(op),
               has_output ? output_text(text, graph, (TF_Output){op, 0}) : "");
    }
}

static void print_table(TF_Graph *graph) {
    int n_types, n_nodes, missing = 0;
    struct op_count *counts = count_ops(graph, &n_types, &n_nodes);
    list_operations(graph, "inputs", is_placeholder);
    list_operations(graph, "outputs", is_result);
    printf("nodes     %d of %d types", n_nodes, n_types);
    int functions = TF_GraphNumFunctions(graph);
    if (functions) printf(", %d functions", functions);
    printf("\n");
    for (int i = 0; i < n_types; i++) {
        missing += counts[i].is_missing;
        printf("%8d  %s%s\n", counts[i].n, counts[i].type, counts[i].is_missing ? "   (no kernel)" : "");
    }
    if (missing) printf("missing   %d of the types have no kernel: what needs them cannot run\n", missing);
    free(counts);
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

/* What is said about runs goes to `plan`; the form is the last one named. False after an error, which has been
 * printed. */
static bool read_option(struct plan_request *plan, const char *name, char *value) {
    if (!strcmp(name, "place")) plan->place = true;
    else if (!strcmp(name, "partition")) plan->partition = true;
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
    }
    return true;
}

static int show_graph(const char *path, const char *form) {
    TF_Graph *graph = open_graph(path);
    if (!graph) return EXIT_FAILED;
    if (!strcmp(form, "nodes")) list_nodes(graph);
    else if (!strcmp(form, "dot")) print_dot(graph);
    else if (!strcmp(form, "svg")) print_svg(graph);
    else {
        print_table(graph);
        print_beside(path);
    }
    TF_DeleteGraph(graph);
    return EXIT_OK;
}

int show_command(int argc, char **argv) {
    const struct command *self = find_command("show");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    struct plan_request plan = {.form = "table", .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    const char *of_runs = NULL; /* an option that says something about runs */
    while (next_argument(&a, &option, &value)) {
        if (option && !read_option(&plan, option->name, value)) return EXIT_USAGE;
        if (option) of_runs = option->name != plan.form ? option->name : of_runs;
        else if (plan.path) return complain_usage(self, "one graph at a time, please: '%s' and '%s'", plan.path, value);
        else plan.path = value;
    }
    if (a.failed) return EXIT_USAGE;
    if (!plan.path) return complain_usage(self, "which graph?");
    bool is_picture = !strcmp(plan.form, "dot") || !strcmp(plan.form, "svg");
    if (is_picture && plan.place && plan.partition)
        return complain_usage(self, "a picture is of --place or of --partition");
    if ((plan.tags || plan.signature) && !is_directory(plan.path))
        return complain_usage(self, "--tags and --signature are for SavedModels, and '%s' is none", plan.path);
    if (plan.place || plan.partition) return show_plan(&plan);
    if (of_runs) return complain_usage(self, "--%s is for --place and --partition", of_runs);
    if (!is_directory(plan.path)) return show_graph(plan.path, plan.form);
    if (strcmp(plan.form, "table") != 0) return complain_usage(self, "a SavedModel is shown as a table");
    return show_model(plan.path);
}
