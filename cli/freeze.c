/* sluice freeze: a signature of a SavedModel as a GraphDef with constants for variables. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "model.h"

const struct option freeze_options[] = {
    {"signature", "NAME", "the signature to keep; default: serving_default"},
    {"tags", "TAG,TAG", "the graph with these tags; default: serve, or the only one"},
    {NULL, NULL, NULL},
};

static bool find_ports(TF_Output *out, TF_Graph *graph, const struct sl_model_port *ports, int n) {
    for (int i = 0; i < n; i++)
        if (!find_output(&out[i], graph, NULL, ports[i].tensor)) return false;
    return true;
}

static int write_file(const char *path, const TF_Buffer *bytes) {
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(bytes->data, 1, bytes->length, out) == bytes->length;
    if (out && fclose(out)) ok = false;
    return ok ? EXIT_OK : complain("%s: %s", path, strerror(errno));
}

static int freeze_to(struct loaded_model *m, const char *path) {
    const struct sl_model_signature *s = &m->signature;
    TF_Output *inputs = must_allocate(NULL, (size_t)(s->num_inputs + 1) * sizeof *inputs);
    TF_Output *outputs = must_allocate(NULL, (size_t)(s->num_outputs + 1) * sizeof *outputs);
    TF_Buffer *graph = must_have(TF_NewBuffer());
    TF_Status *status = must_have(TF_NewStatus());
    int result = EXIT_FAILED;
    if (find_ports(inputs, m->graph, s->inputs, s->num_inputs) &&
        find_ports(outputs, m->graph, s->outputs, s->num_outputs)) {
        sl_freeze_session(graph, m->session, inputs, s->num_inputs, outputs, s->num_outputs, status);
        if (!complain_status(status)) result = write_file(path, graph);
    }
    for (int i = 0; result == EXIT_OK && i < s->num_inputs; i++)
        printf("input   %s = %s\n", s->inputs[i].name, s->inputs[i].tensor);
    for (int i = 0; result == EXIT_OK && i < s->num_outputs; i++)
        printf("output  %s = %s\n", s->outputs[i].name, s->outputs[i].tensor);
    TF_DeleteStatus(status);
    TF_DeleteBuffer(graph);
    free(inputs);
    free(outputs);
    return result;
}

int freeze_command(int argc, char **argv) {
    const struct command *self = find_command("freeze");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    const char *dir = NULL, *path = NULL, *tags = NULL, *signature = NULL;
    char *value;
    while (next_argument(&a, &option, &value)) {
        if (option && !strcmp(option->name, "tags")) tags = value;
        else if (option) signature = value;
        else if (!dir) dir = value;
        else if (!path) path = value;
        else return complain_usage(self, "what is '%s' for?", value);
    }
    if (a.failed) return EXIT_USAGE;
    if (!path) return complain_usage(self, "which SavedModel, and which file shall hold the graph?");
    struct loaded_model m;
    TF_SessionOptions *options = must_have(TF_NewSessionOptions());
    bool ok = load_model(&m, dir, tags, signature, options);
    TF_DeleteSessionOptions(options);
    if (!ok) return EXIT_FAILED;
    int result = m.signature.name ? freeze_to(&m, path)
                                  : complain("the model has no signature serving_default; choose one by --signature");
    unload_model(&m);
    return result;
}
