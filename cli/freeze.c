/* sluice freeze: a GraphDef with constants for variables, of a signature of a SavedModel or of parts of a graph. */
#include "freeze.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "initial_values.h"
#include "model.h"
#include "results.h"

const struct option freeze_options[] = {
    {"fetch", "NAME", "an output to keep; default: those of the signature, or every result that only reads"},
    {"feed", "NAME", "what becomes an input; default: those of the signature, or placeholders"},
    {"checkpoint", "PREFIX|DIR", "give variables the values of a checkpoint first"},
    {"init", NULL, "run the initialisers of the variables first"},
    {"signature", "NAME", "of a SavedModel: the signature to keep; default: serving_default"},
    {"tags", "TAG,TAG", "of a SavedModel: the graph with these tags; default: serve, or the only one"},
    {NULL, NULL, NULL},
};

struct port {
    const char *name; /* NULL: as the node is called */
    TF_Output output;
};
struct ports {
    struct port *items;
    int n;
};

struct freeze_job {
    struct variables_request variables;
    struct loaded_model model; /* its `session` NULL: the graph is from a file */
    const char *tags, *signature;
    TF_Graph *graph;
    TF_Session *session;
    struct ports inputs, outputs;
    bool keeps_all; /* nobody named outputs */
    TF_Status *status;
};

/* ---- what is kept */

static bool push(struct ports *ports, const struct freeze_job *job, const char *name, const char *tensor) {
    struct port port = {name, {NULL, 0}};
    if (!find_output(&port.output, job->graph, &job->model.signature, tensor)) return false;
    ports->items = must_allocate(ports->items, (size_t)(ports->n + 1) * sizeof *ports->items);
    ports->items[ports->n++] = port;
    return true;
}

static bool push_all(struct ports *ports, const struct freeze_job *job, const struct sl_model_port *from, int n) {
    for (int i = 0; i < n; i++)
        if (!push(ports, job, from[i].name, from[i].tensor)) return false;
    return true;
}

static bool read_names(struct freeze_job *job, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    bool ok = true;
    while (ok && next_argument(&a, &option, &value)) {
        if (!option) continue;
        const struct sl_model_port *input = model_input(&job->model, value ? value : "");
        if (!strcmp(option->name, "feed")) ok = push(&job->inputs, job, value, input ? input->tensor : value);
        else if (!strcmp(option->name, "fetch")) ok = push(&job->outputs, job, value, model_output(&job->model, value));
    }
    return ok;
}

static bool take_defaults(struct freeze_job *job) {
    const struct sl_model_signature *s = &job->model.signature;
    int n;
    if (s->name && !job->inputs.n && !push_all(&job->inputs, job, s->inputs, s->num_inputs)) return false;
    if (job->outputs.n) return true;
    if (s->name) return push_all(&job->outputs, job, s->outputs, s->num_outputs);
    if (job->model.session) {
        complain("the model has no signature serving_default; choose one by --signature, or outputs by --fetch");
        return false;
    }
    job->keeps_all = true;
    TF_Output *results = harmless_results(&n, job->graph, NULL, 0);
    for (int i = 0; i < n; i++) {
        job->outputs.items = must_allocate(job->outputs.items, (size_t)(i + 1) * sizeof *job->outputs.items);
        job->outputs.items[job->outputs.n++] = (struct port){NULL, results[i]};
    }
    free(results);
    if (!n) complain("the graph has no result that can be kept unasked; name one with --fetch");
    return n > 0;
}

/* ---- writing */

static int write_file(const char *path, const TF_Buffer *bytes) {
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(bytes->data, 1, bytes->length, out) == bytes->length;
    if (out && fclose(out)) ok = false;
    return ok ? EXIT_OK : complain("%s: %s", path, strerror(errno));
}

static TF_Output *outputs_of(const struct ports *ports) {
    TF_Output *outputs = must_allocate(NULL, (size_t)ports->n * sizeof *outputs);
    for (int i = 0; i < ports->n; i++) outputs[i] = ports->items[i].output;
    return outputs;
}

static void print_ports(const char *title, const struct ports *ports) {
    for (int i = 0; i < ports->n; i++) {
        const struct port *p = &ports->items[i];
        char tensor[1024];
        snprintf(tensor, sizeof tensor, "%s:%d", TF_OperationName(p->output.oper), p->output.index);
        printf("%-7s %s = %s\n", title, p->name ? p->name : TF_OperationName(p->output.oper), tensor);
    }
}

/* The placeholders of what was written, when nobody said what the inputs are. */
static void print_placeholders(const TF_Buffer *bytes, TF_Status *status) {
    TF_Graph *graph = must_have(TF_NewGraph());
    TF_ImportGraphDefOptions *options = must_have(TF_NewImportGraphDefOptions());
    size_t at = 0;
    TF_GraphImportGraphDef(graph, bytes, options, status);
    for (TF_Operation *op; !TF_GetCode(status) && (op = TF_GraphNextOperation(graph, &at));)
        if (is_placeholder(op)) printf("input   %s = %s:0\n", TF_OperationName(op), TF_OperationName(op));
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteGraph(graph);
}

static int freeze_to(struct freeze_job *job, const char *path) {
    TF_Output *inputs = outputs_of(&job->inputs), *outputs = outputs_of(&job->outputs);
    TF_Buffer *graph = must_have(TF_NewBuffer());
    int result = EXIT_FAILED;
    sl_freeze_session(graph, job->session, inputs, job->inputs.n, outputs, job->outputs.n, job->status);
    if (!complain_status(job->status)) result = write_file(path, graph);
    else hint_variables(job->status, &job->variables);
    if (result != EXIT_OK && job->keeps_all) complain("--fetch NAME keeps what NAME needs, and no other results");
    if (result == EXIT_OK) {
        if (job->inputs.n || job->model.session) print_ports("input", &job->inputs);
        else print_placeholders(graph, job->status);
        print_ports("output", &job->outputs);
    }
    TF_DeleteBuffer(graph);
    free(inputs);
    free(outputs);
    return result;
}

/* ---- the command */

static bool open_job(struct freeze_job *job) {
    TF_SessionOptions *options = must_have(TF_NewSessionOptions());
    bool ok = true;
    if (is_directory(job->variables.path)) {
        ok = load_model(&job->model, job->variables.path, job->tags, job->signature, options);
        job->graph = job->model.graph;
        job->session = job->model.session;
    } else if ((ok = (job->graph = open_graph(job->variables.path)) != NULL)) {
        job->session = TF_NewSession(job->graph, options, job->status);
        ok = !complain_status(job->status);
    }
    TF_DeleteSessionOptions(options);
    return ok;
}

static void close_job(struct freeze_job *job) {
    if (job->model.session) {
        unload_model(&job->model);
    } else {
        if (job->session) TF_DeleteSession(job->session, job->status);
        if (job->graph) TF_DeleteGraph(job->graph);
    }
    free(job->inputs.items);
    free(job->outputs.items);
    TF_DeleteStatus(job->status);
}

TF_Buffer *freeze_unasked(const struct variables_request *variables, const char *tags, const char *signature) {
    struct freeze_job job = {.variables = *variables,
                             .tags = tags,
                             .signature = signature,
                             .status = must_have(TF_NewStatus())};
    TF_Buffer *graph = NULL;
    if (open_job(&job) && take_defaults(&job) &&
        prepare_variables(job.session, job.graph, &job.model, &job.variables)) {
        TF_Output *inputs = outputs_of(&job.inputs), *outputs = outputs_of(&job.outputs);
        graph = must_have(TF_NewBuffer());
        sl_freeze_session(graph, job.session, inputs, job.inputs.n, outputs, job.outputs.n, job.status);
        if (complain_status(job.status)) {
            hint_variables(job.status, &job.variables);
            TF_DeleteBuffer(graph);
            graph = NULL;
        }
        free(inputs);
        free(outputs);
    }
    close_job(&job);
    return graph;
}

int freeze_command(int argc, char **argv) {
    const struct command *self = find_command("freeze");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    struct freeze_job job = {.graph = NULL};
    const char *path = NULL;
    char *value;
    while (next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        if (!strcmp(name, "tags")) job.tags = value;
        else if (!strcmp(name, "signature")) job.signature = value;
        else if (!strcmp(name, "checkpoint")) job.variables.checkpoint = value;
        else if (!strcmp(name, "init")) job.variables.init = true;
        else if (option) continue; /* read_names */
        else if (!job.variables.path) job.variables.path = value;
        else if (!path) path = value;
        else return complain_usage(self, "what is '%s' for?", value);
    }
    if (a.failed) return EXIT_USAGE;
    if (!path) return complain_usage(self, "which graph or SavedModel, and which file shall hold the graph?");
    if ((job.tags || job.signature) && !is_directory(job.variables.path))
        return complain_usage(self, "--tags and --signature are for SavedModels, and '%s' is none", job.variables.path);
    job.status = must_have(TF_NewStatus());
    int result = EXIT_FAILED;
    if (open_job(&job) && read_names(&job, self, argc, argv) && take_defaults(&job) &&
        prepare_variables(job.session, job.graph, &job.model, &job.variables))
        result = freeze_to(&job, path);
    close_job(&job);
    return result;
}
