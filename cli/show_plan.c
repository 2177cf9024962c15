/* sluice show --place and --partition: makes a session with several devices, asks for the plan of a run, and shows
 * it. What is not said is guessed as for `sluice run`: every placeholder is fed, every result is fetched. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner_nodes.h"
#include "model.h"
#include "plan.h"
#include "sluice/devices.h"

enum { MOST_DEVICES = 1024 };

struct ends {
    TF_Output *feeds, *fetches;
    const TF_Operation **targets;
    int n_feeds, n_fetches, n_targets;
};

static void add_output(TF_Output **list, int *n, TF_Output output) {
    for (int i = 0; i < *n; i++)
        if ((*list)[i].oper == output.oper && (*list)[i].index == output.index) return;
    *list = must_allocate(*list, ((size_t)*n + 1) * sizeof **list);
    (*list)[(*n)++] = output;
}

static bool add_target(struct ends *ends, TF_Graph *graph, const char *name) {
    TF_Operation *op = find_node(graph, NULL, name);
    if (!op) return false;
    ends->targets = must_allocate(ends->targets, ((size_t)ends->n_targets + 1) * sizeof *ends->targets);
    ends->targets[ends->n_targets++] = op;
    return true;
}

/* What the arguments name. A feed may be given as for `sluice run`, NAME=VALUE. */
static bool read_ends(struct ends *ends, const struct plan_request *r, TF_Graph *graph, const struct loaded_model *m) {
    struct arguments a = {.command = find_command("show"), .argc = r->argc, .argv = r->argv};
    const struct option *option;
    char *value;
    TF_Output output;
    if (!reach_inner_nodes(graph, m, a.command, r->argc, r->argv)) return false;
    while (next_argument(&a, &option, &value)) {
        bool is_feed = option && !strcmp(option->name, "feed"), is_fetch = option && !strcmp(option->name, "fetch");
        if (is_feed || is_fetch) {
            char *equals = strchr(value, '=');
            if (equals) *equals = 0;
            const struct sl_model_port *port = is_feed ? model_input(m, value) : NULL;
            if (!find_output(&output, graph, &m->signature, port ? port->tensor : model_output(m, value))) return false;
            if (is_feed) add_output(&ends->feeds, &ends->n_feeds, output);
            else add_output(&ends->fetches, &ends->n_fetches, output);
        } else if (option && !strcmp(option->name, "target") && !add_target(ends, graph, value)) {
            return false;
        }
    }
    return true;
}

/* A signature may hand on an input, which no session fetches. */
static void drop_fed(struct ends *ends) {
    int n = 0;
    for (int i = 0; i < ends->n_fetches; i++) {
        TF_Output f = ends->fetches[i];
        bool is_fed = false;
        for (int k = 0; k < ends->n_feeds; k++)
            is_fed |= ends->feeds[k].oper == f.oper && ends->feeds[k].index == f.index;
        if (!is_fed) ends->fetches[n++] = f;
    }
    ends->n_fetches = n;
}

static bool guess_ends(struct ends *ends, TF_Graph *graph, const struct loaded_model *m) {
    const struct sl_model_signature *s = &m->signature;
    bool wants_all = !ends->n_fetches && !ends->n_targets;
    bool has_nodes = false;
    size_t at = 0;
    TF_Output output;
    for (int i = 0; s->name && i < s->num_outputs && wants_all; i++)
        if (find_output(&output, graph, NULL, s->outputs[i].tensor))
            add_output(&ends->fetches, &ends->n_fetches, output);
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at)); has_nodes = true) {
        if (is_placeholder(op)) add_output(&ends->feeds, &ends->n_feeds, (TF_Output){op, 0});
        for (int i = 0; !s->name && wants_all && is_result(op) && i < TF_OperationNumOutputs(op); i++)
            add_output(&ends->fetches, &ends->n_fetches, (TF_Output){op, i});
    }
    drop_fed(ends);
    if (ends->n_fetches || ends->n_targets) return true;
    complain(has_nodes ? "the graph has no result to fetch; name one with --fetch or --target"
                       : "the graph has no nodes");
    return false;
}

/* One more than the highest number in requests such as "/cpu:1" and "/job:localhost/device:CPU:1". */
static int devices_asked_for(TF_Graph *graph) {
    int most = 1;
    size_t at = 0;
    for (TF_Operation *op; (op = TF_GraphNextOperation(graph, &at));)
        for (const char *c = TF_OperationDevice(op); *c; c++)
            if (tolower((unsigned char)c[0]) == 'c' && tolower((unsigned char)c[1]) == 'p' &&
                tolower((unsigned char)c[2]) == 'u' && c[3] == ':' && isdigit((unsigned char)c[4])) {
                long number = strtol(c + 4, NULL, 10);
                if (number >= most && number < MOST_DEVICES) most = (int)number + 1;
            }
    return most;
}

/* ---- sessions */

/* A ConfigProto with device_count {"CPU": n} and, if so, allow_soft_placement (field 7) are what sl_options_set_cpus
 * and this make. */
static TF_SessionOptions *plan_options(int devices, bool is_soft, bool by_cost) {
    static const char soft[] = {7 << 3, 1};
    TF_SessionOptions *options = must_have(TF_NewSessionOptions());
    TF_Status *status = must_have(TF_NewStatus());
    if (is_soft) TF_SetConfig(options, soft, sizeof soft, status);
    sl_options_set_cpus(options, devices, status);
    sl_options_place_by_cost(options, by_cost);
    TF_DeleteStatus(status);
    return options;
}

/* A session of the graph with so many devices. NULL after an error. */
static TF_Session *open_session(const struct plan_request *r, TF_Graph *graph) {
    int devices = r->devices ? (int)r->devices : devices_asked_for(graph);
    TF_SessionOptions *options = plan_options(devices, r->is_soft, r->by_cost);
    TF_Status *status = must_have(TF_NewStatus());
    TF_Session *session = TF_NewSession(graph, options, status);
    if (complain_status(status)) session = NULL;
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
    return session;
}

static bool show_stage(const struct plan_request *r, TF_Session *session, const struct ends *ends,
                       enum sl_plan_stage stage) {
    TF_Status *status = must_have(TF_NewStatus());
    struct sl_step_plan *handle =
        sl_step_plan_new(session, ends->feeds, ends->n_feeds, ends->fetches, ends->n_fetches,
                         (const TF_Operation *const *)ends->targets, ends->n_targets, stage, status);
    bool failed = complain_status(status);
    hint_devices(status);
    TF_DeleteStatus(status);
    if (failed) return false;
    struct plan *plan = plan_read(handle, session, stage);
    if (!strcmp(r->form, "dot")) print_plan_dot(plan);
    else if (!strcmp(r->form, "svg")) print_plan_svg(plan);
    else print_plan_table(plan, !strcmp(r->form, "nodes"));
    plan_free(plan);
    return true;
}

static bool show_stages(const struct plan_request *r, TF_Graph *graph, const struct ends *ends) {
    TF_Session *session = open_session(r, graph);
    if (!session) return false;
    bool ok = !r->place || show_stage(r, session, ends, SL_PLAN_PLACED);
    if (ok && r->place && r->partition) printf("\n");
    ok = ok && (!r->partition || show_stage(r, session, ends, SL_PLAN_CUT));
    TF_Status *status = must_have(TF_NewStatus());
    TF_DeleteSession(session, status);
    TF_DeleteStatus(status);
    return ok;
}

int show_plan(const struct plan_request *r) {
    struct loaded_model model = {.model = NULL};
    struct ends ends = {.n_feeds = 0};
    TF_Graph *graph;
    if (is_directory(r->path)) {
        if (!load_model_graph(&model, r->path, r->tags, r->signature)) return EXIT_FAILED;
        graph = model.graph;
    } else if (!(graph = open_graph(r->path))) {
        return EXIT_FAILED;
    }
    bool ok = read_ends(&ends, r, graph, &model) && guess_ends(&ends, graph, &model) && show_stages(r, graph, &ends);
    free(ends.feeds);
    free(ends.fetches);
    free(ends.targets);
    if (model.model) unload_model(&model);
    else TF_DeleteGraph(graph);
    return ok ? EXIT_OK : EXIT_FAILED;
}
