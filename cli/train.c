/* sluice train: the loop around a graph's training step. What a run does depends on graph, feeds and step numbers
 * alone, so one that was killed and resumed ends with the same bits as one that was not. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "examples.h"
#include "initial_values.h"
#include "inner_nodes.h"
#include "model.h"
#include "sluice/effects.h"
#include "sluice/event_file.h"
#include "small_float.h"

const struct option train_options[] = {
    {"init", "OP", "run this node first; default: 'init', where a graph has one"},
    {"step", "OP", "run this node in each step; default: the signature's, or 'train'"},
    {"feed", "NAME=VALUE", "feed an input in each step: a value, FILE.npy, a picture, @FILE for bytes"},
    {"pixels", "RANGE", "feed pictures as 0..1, -1..1 or 0..255; default: 0..1, whole numbers 0..255"},
    {"cast", NULL, "round the numbers of .npy files to the input's type"},
    {"batch", "N", "feed N examples a step: rows of the .npy files, from the first again after the last"},
    {"shuffle", "SEED", "take the examples in another order each round, which this number decides"},
    {"fetch", "NAME", "a number to read in each step; default: the signature's, or 'loss'"},
    {"steps", "N", "stop after step N; default: 100"},
    {"report", "N", "print what is fetched every N steps; default: ten times"},
    {"save", "DIR", "write checkpoints and event files into this directory"},
    {"every", "N", "save every N steps, not only at the end"},
    {"keep", "N", "keep the latest N checkpoints, 0: all; default: 5"},
    {"resume", NULL, "go on from the latest checkpoint in the directory"},
    {"signature", "NAME", "of a SavedModel: what a step is fed, runs and gives; default: train, where there is one"},
    {"tags", "TAG,TAG", "of a SavedModel: the graph with these tags; default: serve, or the only one"},
    {"threads", "N", "threads that work on one step; default: all processors"},
    {NULL, NULL, NULL},
};

enum { PATH_BYTES = 4096, BAR = 24 };
static const char CHECKPOINT_NAME[] = "model.ckpt";

struct number {
    const char *name;
    TF_Output output;
    double value;
    int digits; /* that tell its type's values apart */
};

struct targets {
    const TF_Operation **ops;
    int n;
};

struct training {
    struct loaded_model model; /* its `session` NULL: the graph is from a file */
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;
    struct targets inits, steps;
    struct examples examples;
    struct number *numbers;
    int n_numbers;
    int64_t done, wanted, every, keep, report, threads; /* `done` and `wanted`: steps, those of earlier runs included */
    const char *path;                                   /* of the graph or the SavedModel */
    const char *tags, *signature;                       /* of a SavedModel; NULL: the usual ones */
    const char *dir;                                    /* NULL: nothing is saved */
    bool feeds_arrays;                                  /* a --feed names an .npy file */
    bool resumes;
    bool trains_signature; /* that of the model is a training step */
    char prefix[PATH_BYTES];
    struct sl_saver *saver;
    struct sl_event_writer *events;
    int64_t saved;  /* the step of the last checkpoint; -1: there is none */
    double began;   /* seconds */
    int64_t before; /* steps done by then */
    double shown;   /* when the bar was drawn */
    bool has_terminal;
};

/* ---- the end that somebody asks for */

static volatile sig_atomic_t must_stop;

static void ask_to_stop(int number) { must_stop = number; }

/* The first signal ends the training after its step; a second one ends the process. */
static void watch_signals(void) {
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    action.sa_handler = ask_to_stop;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* ---- what is shown */

static void clear_bar(const struct training *t) {
    if (t->has_terminal) fprintf(stderr, "\r\033[K");
}

/* [=====>      ] 1200 of 10000  loss 0.1234  3100 steps/s, 3 s left */
static void draw_bar(struct training *t) {
    double at = seconds_now(), rate = (double)(t->done - t->before) / (at - t->began);
    if (!t->has_terminal || at - t->shown < 0.1) return;
    t->shown = at;
    int filled = (int)(t->done * BAR / t->wanted);
    fprintf(stderr, "\r[%.*s%s%*s] %" PRId64 " of %" PRId64, filled,
            "========================", filled < BAR ? ">" : "", filled < BAR ? BAR - filled - 1 : 0, "", t->done,
            t->wanted);
    for (int i = 0; i < t->n_numbers; i++) fprintf(stderr, "  %s %.4g", t->numbers[i].name, t->numbers[i].value);
    fprintf(stderr, "  %.0f steps/s, %.0f s left\033[K", rate, (double)(t->wanted - t->done) / rate);
}

static void print_numbers(const struct training *t) {
    clear_bar(t);
    printf("step %" PRId64, t->done);
    for (int i = 0; i < t->n_numbers; i++)
        printf("  %s %.*g", t->numbers[i].name, t->numbers[i].digits, t->numbers[i].value);
    putchar('\n');
    if (t->has_terminal) fflush(stdout);
}

static void print_end(const struct training *t) {
    double seconds = seconds_now() - t->began;
    int64_t steps = t->done - t->before;
    clear_bar(t);
    fflush(stdout);
    fprintf(stderr, "%" PRId64 " steps in %.2f s, %.0f a second", steps, seconds,
            seconds > 0 ? (double)steps / seconds : 0.0);
    if (t->saved >= 0) fprintf(stderr, "; saved %s-%" PRId64, t->prefix, t->saved);
    fputc('\n', stderr);
}

/* ---- one step */

static bool take_number(struct number *out, const TF_Tensor *tensor) {
    const void *data = TF_TensorData(tensor);
    TF_DataType type = TF_TensorType(tensor);
    if (TF_TensorElementCount(tensor) != 1) {
        complain("fetch %s: a step has to give one number, not %" PRId64, out->name, TF_TensorElementCount(tensor));
        return false;
    }
    out->digits = type == TF_FLOAT ? 9 : type == TF_HALF || type == TF_BFLOAT16 ? 5 : 17;
    if (type == TF_FLOAT) out->value = (double)*(const float *)data;
    else if (type == TF_DOUBLE) out->value = *(const double *)data;
    else if (type == TF_HALF) out->value = (double)half_value(*(const uint16_t *)data);
    else if (type == TF_BFLOAT16) out->value = (double)bfloat16_value(*(const uint16_t *)data);
    else if (type == TF_INT32) out->value = *(const int32_t *)data;
    else out->value = (double)*(const int64_t *)data;
    return true;
}

static bool is_number_type(TF_DataType type) {
    return type == TF_FLOAT || type == TF_DOUBLE || type == TF_HALF || type == TF_BFLOAT16 || type == TF_INT32 ||
           type == TF_INT64;
}

/* Takes what a step gave, which is deleted. Numbers that are none end the training: weights that are lost must not
 * replace saved ones. */
static bool take_numbers(struct training *t, TF_Tensor **results) {
    bool ok = true;
    for (int i = 0; i < t->n_numbers; i++) {
        struct number *n = &t->numbers[i];
        ok = ok && take_number(n, results[i]);
        TF_DeleteTensor(results[i]);
        if (ok && isnan(n->value)) {
            clear_bar(t);
            complain("%s is not a number after step %" PRId64 ": stopped, and nothing saved", n->name, t->done);
            ok = false;
        }
    }
    return ok;
}

static bool note_numbers(struct training *t) {
    for (int i = 0; t->events && i < t->n_numbers; i++) {
        sl_event_writer_scalar(t->events, t->numbers[i].name, t->done, (float)t->numbers[i].value, t->status);
        if (complain_status(t->status)) return false;
    }
    return true;
}

static bool run_step(struct training *t, const TF_Output *outputs, TF_Tensor **results) {
    struct examples *e = &t->examples;
    examples_take(e, t->done);
    TF_SessionRun(t->session, NULL, e->outputs, e->values, e->n, outputs, results, t->n_numbers, t->steps.ops,
                  t->steps.n, NULL, t->status);
    if (TF_GetCode(t->status) != TF_OK) {
        clear_bar(t);
        complain_status(t->status);
        hint_missing_feeds(t->status, t->graph, &t->model, e->outputs, e->n);
        return false;
    }
    t->done++;
    return take_numbers(t, results) && note_numbers(t);
}

/* ---- saving */

static bool save(struct training *t) {
    if (!t->saver || t->saved == t->done) return true;
    sl_event_writer_flush(t->events, t->status);
    if (TF_GetCode(t->status) == TF_OK) sl_saver_save(t->saver, t->session, t->prefix, t->done, t->status);
    if (TF_GetCode(t->status) != TF_OK) clear_bar(t);
    if (complain_status(t->status)) return false;
    t->saved = t->done;
    return true;
}

static bool loop(struct training *t) {
    TF_Output *outputs = must_allocate(NULL, (size_t)t->n_numbers * sizeof *outputs);
    TF_Tensor **results = must_allocate(NULL, (size_t)t->n_numbers * sizeof *results);
    bool ok = true;
    for (int i = 0; i < t->n_numbers; i++) outputs[i] = t->numbers[i].output;
    t->began = seconds_now();
    t->before = t->done;
    while (ok && t->done < t->wanted && !must_stop) {
        ok = run_step(t, outputs, results);
        if (ok && t->n_numbers && (t->done % t->report == 0 || t->done == t->wanted)) print_numbers(t);
        if (ok && t->every && t->done % t->every == 0) ok = save(t);
        draw_bar(t);
    }
    free(outputs);
    free(results);
    ok = ok && save(t);
    if (ok) print_end(t);
    return ok;
}

/* ---- before the first step */

static bool run_inits(struct training *t) {
    if (!t->inits.n) return true;
    TF_SessionRun(t->session, NULL, NULL, NULL, 0, NULL, NULL, 0, t->inits.ops, t->inits.n, NULL, t->status);
    return !complain_status(t->status);
}

/* Says where the training begins: at a checkpoint when there is one and it is to be resumed. */
static bool find_start(struct training *t) {
    char latest[PATH_BYTES];
    bool found = sl_saver_latest(latest, sizeof latest, &t->saved, t->dir, t->status);
    if (complain_status(t->status)) return false;
    if (!found) {
        t->saved = -1;
        return true;
    }
    if (!t->resumes) {
        complain("%s has checkpoints already, the latest is %s: go on with --resume, or take another directory", t->dir,
                 latest);
        return false;
    }
    if (t->saved < 0) {
        complain("%s: the name does not end with a step's number", latest);
        return false;
    }
    sl_saver_restore(t->saver, t->session, latest, t->status);
    t->done = t->saved;
    return !complain_status(t->status);
}

static bool open_directory(struct training *t) {
    if (snprintf(t->prefix, sizeof t->prefix, "%s/%s", t->dir, CHECKPOINT_NAME) >= PATH_BYTES - 32) {
        complain("the name of the directory is too long");
        return false;
    }
    t->saver =
        make_saver(t->graph, &t->model, t->path, SL_OPTIONS(sl_saver_options, .max_to_keep = (int)t->keep), t->status);
    if (complain_status(t->status) || !find_start(t)) return false;
    t->events = sl_event_writer_new(t->dir, t->status);
    if (t->events && t->done) sl_event_writer_start(t->events, t->done + 1, t->status);
    return !complain_status(t->status);
}

static bool start_session(struct training *t) {
    if (t->session) return true;
    TF_SessionOptions *options = threads_options(t->threads, false);
    t->session = TF_NewSession(t->graph, options, t->status);
    TF_DeleteSessionOptions(options);
    return !complain_status(t->status);
}

static int run_training(struct training *t) {
    if (!start_session(t) || !run_inits(t) || (t->dir && !open_directory(t))) return EXIT_FAILED;
    if (!t->report) t->report = t->wanted > 10 ? t->wanted / 10 : 1;
    if (t->done >= t->wanted) {
        printf("nothing to do: %s-%" PRId64 " is there\n", t->prefix, t->done);
        return EXIT_OK;
    }
    t->has_terminal = isatty(STDERR_FILENO);
    watch_signals();
    if (!loop(t)) return EXIT_FAILED;
    return t->done < t->wanted ? complain("stopped after step %" PRId64 " of %" PRId64, t->done, t->wanted) : EXIT_OK;
}

/* ---- arguments */

static bool add_target(struct targets *targets, TF_Graph *graph, const char *name) {
    TF_Operation *op = find_node(graph, NULL, name);
    if (!op) return false;
    if (is_placeholder(op)) {
        complain("node '%s' is a placeholder: it takes a value and does nothing", name);
        return false;
    }
    targets->ops = must_allocate(targets->ops, (size_t)(targets->n + 1) * sizeof *targets->ops);
    targets->ops[targets->n++] = op;
    return true;
}

static bool add_number(struct training *t, const char *name) {
    struct number number = {.name = name};
    if (!find_output(&number.output, t->graph, &t->model.signature, model_output(&t->model, name))) return false;
    TF_DataType type = (TF_DataType)(TF_OperationOutputType(number.output) % 100); /* of a reference, too */
    if (!is_number_type(type)) {
        complain("fetch %s: float, double, int32 and int64 can be shown, not %s", name, type_name(type));
        return false;
    }
    t->numbers = must_allocate(t->numbers, (size_t)(t->n_numbers + 1) * sizeof *t->numbers);
    t->numbers[t->n_numbers++] = number;
    return true;
}

/* Counts and names that need no graph. False after an error, which has been printed. */
static bool read_option(struct training *t, const struct command *self, const char *name, char *value) {
    const struct {
        const char *name;
        int64_t *number, least, most;
    } counts[] = {{"batch", &t->examples.batch, 1, 1 << 24}, {"shuffle", &t->examples.seed, INT64_MIN, INT64_MAX},
                  {"steps", &t->wanted, 1, 1000000000},      {"report", &t->report, 1, 1000000000},
                  {"every", &t->every, 1, 1000000000},       {"keep", &t->keep, 0, 1000000},
                  {"threads", &t->threads, 1, 1024}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(counts[i].name, name) && !parse_number(counts[i].number, value, counts[i].least, counts[i].most)) {
            complain_usage(self, "--%s wants a number from %" PRId64 " to %" PRId64 ", not '%s'", name, counts[i].least,
                           counts[i].most, value);
            return false;
        }
    if (!strcmp(name, "pixels") && !pixel_range_parse(&t->examples.rules.pixels, value)) {
        complain_usage(self, "--pixels wants 0..1, -1..1 or 0..255, not '%s'", value);
        return false;
    }
    if (!strcmp(name, "feed") && !strchr(value, '=')) {
        complain_usage(self, "--feed wants NAME=VALUE, not '%s'", value);
        return false;
    }
    if (!strcmp(name, "feed") && ends_with(value, ".npy")) t->feeds_arrays = true;
    if (!strcmp(name, "shuffle")) t->examples.shuffles = true;
    else if (!strcmp(name, "cast")) t->examples.rules.casts = true;
    else if (!strcmp(name, "save")) t->dir = value;
    else if (!strcmp(name, "tags")) t->tags = value;
    else if (!strcmp(name, "signature")) t->signature = value;
    else if (!strcmp(name, "resume")) t->resumes = true;
    return true;
}

static bool read_options(struct training *t, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    while (next_argument(&a, &option, &value)) {
        if (option && !read_option(t, self, option->name, value)) return false;
        if (!option && t->path) {
            complain_usage(self, "one graph at a time, please: '%s' and '%s'", t->path, value);
            return false;
        }
        if (!option) t->path = value;
    }
    if (a.failed) return false;
    const char *wrong = !t->path ? "which graph?"
                        : (t->tags || t->signature) && !is_directory(t->path)
                            ? "--tags and --signature are for SavedModels"
                        : !t->dir && (t->resumes || t->every)        ? "where to? --save names a directory"
                        : t->examples.shuffles && !t->examples.batch ? "--shuffle is for batches: --batch N"
                        : t->examples.batch && !t->feeds_arrays      ? "--batch cuts .npy files, and none is fed"
                                                                     : NULL;
    if (wrong) complain_usage(self, "%s", wrong);
    return !wrong;
}

/* A step runs what gives the signature's outputs; what of them is one number is shown. */
static bool take_signature(struct training *t) {
    const struct sl_model_signature *s = &t->model.signature;
    bool ok = true, has_steps = t->steps.n, has_numbers = t->n_numbers;
    for (int i = 0; ok && i < s->num_outputs; i++) {
        const struct sl_model_port *port = &s->outputs[i];
        if (!*port->tensor) continue;
        TF_Output output;
        ok = find_output(&output, t->graph, NULL, port->tensor);
        if (ok && !has_steps) ok = add_target(&t->steps, t->graph, TF_OperationName(output.oper));
        if (ok && !has_numbers && port->num_dims == 0 && is_number_type(port->type)) ok = add_number(t, port->name);
    }
    return ok;
}

/* What names a part of the graph, and what is meant when nothing is said. */
static bool read_names(struct training *t, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    bool ok = reach_inner_nodes(t->graph, &t->model, self, argc, argv);
    while (ok && next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        if (!strcmp(name, "init")) ok = add_target(&t->inits, t->graph, value);
        else if (!strcmp(name, "step")) ok = add_target(&t->steps, t->graph, value);
        else if (!strcmp(name, "fetch")) ok = add_number(t, value);
        else if (!strcmp(name, "feed")) ok = examples_add(&t->examples, t->graph, &t->model, value);
    }
    bool has_values = t->model.session != NULL; /* which an initialisation would overwrite */
    if (ok && !t->inits.n && !has_values && TF_GraphOperationByName(t->graph, "init"))
        ok = add_target(&t->inits, t->graph, "init");
    if (ok && t->trains_signature) ok = take_signature(t);
    if (ok && !t->steps.n && !TF_GraphOperationByName(t->graph, "train")) {
        complain(has_values ? "the model has no signature 'train'; --signature names another, --step a node"
                            : "which node is the training step? There is none called train; --step names another");
        ok = false;
    }
    if (ok && !t->steps.n) ok = add_target(&t->steps, t->graph, "train");
    if (ok && !t->n_numbers && TF_GraphOperationByName(t->graph, "loss")) ok = add_number(t, "loss");
    return ok;
}

/* A step that changes nothing trains nothing: an inference signature, most likely. */
static bool check_steps(struct training *t) {
    TF_Operation **changes = must_allocate(NULL, ((size_t)t->steps.n + 1) * sizeof *changes);
    bool changes_something = false;
    sl_find_changes(changes, t->graph, t->examples.outputs, t->examples.n, (const TF_Operation *const *)t->steps.ops,
                    t->steps.n, t->status);
    for (int i = 0; i < t->steps.n; i++) changes_something |= changes[i] != NULL;
    free(changes);
    if (complain_status(t->status)) return false;
    if (!changes_something && t->trains_signature)
        complain("the signature '%s' changes no variable, so it trains nothing", t->model.signature.name);
    else if (!changes_something) complain("the step changes no variable, so it trains nothing");
    return changes_something;
}

static void clear(struct training *t) {
    examples_clear(&t->examples);
    sl_saver_delete(t->saver);
    sl_event_writer_delete(t->events, t->status);
    if (t->model.session) {
        unload_model(&t->model);
    } else {
        if (t->session) TF_DeleteSession(t->session, t->status);
        if (t->graph) TF_DeleteGraph(t->graph);
    }
    TF_DeleteStatus(t->status);
    free(t->inits.ops);
    free(t->steps.ops);
    free(t->numbers);
}

/* The signature that trains: the one asked for, or that is called so. */
static void choose_signature(struct training *t) {
    struct sl_model_signature s;
    for (int i = 0; !t->signature && sl_model_signature_at(&s, t->model.model, t->model.number, i); i++)
        if (!strcmp(s.name, "train")) {
            t->model.signature = s;
            t->trains_signature = true;
        }
    if (t->signature) t->trains_signature = true;
}

/* A SavedModel comes with its session. */
static bool open_training(struct training *t) {
    if (!is_directory(t->path)) {
        t->graph = open_graph(t->path);
        return t->graph != NULL;
    }
    TF_SessionOptions *options = threads_options(t->threads, false);
    bool ok = load_model(&t->model, t->path, t->tags, t->signature, options);
    TF_DeleteSessionOptions(options);
    t->graph = t->model.graph;
    t->session = t->model.session;
    if (ok) choose_signature(t);
    return ok;
}

int train_command(int argc, char **argv) {
    const struct command *self = find_command("train");
    struct training t = {.wanted = 100, .keep = 5, .saved = -1};
    if (!read_options(&t, self, argc, argv)) return EXIT_USAGE;
    t.status = must_have(TF_NewStatus());
    int result = EXIT_FAILED;
    if (open_training(&t) && read_names(&t, self, argc, argv) && check_steps(&t)) result = run_training(&t);
    clear(&t);
    return result;
}
