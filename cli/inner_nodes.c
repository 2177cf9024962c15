/* The arguments are read once more, for the names in them. */
#include "inner_nodes.h"

#include <stdio.h>
#include <string.h>

#include "sluice/function_graph.h"

static bool has_node(TF_Graph *graph, const char *name, size_t n) {
    char copy[1024];
    if (n >= sizeof copy) return true;
    snprintf(copy, sizeof copy, "%.*s", (int)n, name);
    return TF_GraphOperationByName(graph, copy) != NULL;
}

/* "NAME", "NAME:0", "NAME=..." of an option that takes a name. */
static bool is_known(TF_Graph *graph, const struct loaded_model *m, const char *text) {
    char name[1024];
    size_t n = strcspn(text, "=");
    if (n >= sizeof name) return true;
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (model_output(m, name) != name || has_node(graph, name, n)) return true;
    const char *colon = strrchr(name, ':');
    return colon && has_node(graph, name, (size_t)(colon - name));
}

static bool takes_name(const char *option) {
    static const char *const options[] = {"feed", "fetch", "target", "init", "step"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!strcmp(options[i], option)) return true;
    return false;
}

bool reach_inner_nodes(TF_Graph *graph, const struct loaded_model *m, const struct command *self, int argc,
                       char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    bool is_inner = false;
    while (next_argument(&a, &option, &value))
        if (option && value && takes_name(option->name)) is_inner = is_inner || !is_known(graph, m, value);
    if (!is_inner) return true;
    TF_Status *status = must_have(TF_NewStatus());
    sl_graph_inline(graph, true, status);
    bool failed = complain_status(status);
    TF_DeleteStatus(status);
    return !failed;
}
