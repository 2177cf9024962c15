/* Training over several processes while tasks are killed, stopped, and started anew at moments that a seed gives. What
 * fails is an error that a new session gets over: it restores the newest checkpoint and goes on. In the end the weights
 * have the bits that training without faults gives: no step is lost, and none counts twice.
 *
 * SL_CHAOS_RUNS=n and SL_CHAOS_SEED=n do more, and others; SL_CHAOS_SHOW=1 tells what happens. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dist/task_processes.h"
#include "proto/text_format.h"
#include "root/root.h"
#include "unit/unit.h"

enum { TASKS = 3, STEPS = 60, EVERY = 7, WIDTH = 3 };

#define FLOAT   "attr { key: 'dtype' value { type: DT_FLOAT } } "
#define T_FLOAT "attr { key: 'T' value { type: DT_FLOAT } } "

struct training {
    struct task_processes tasks;
    struct sl_graph *graph;
    struct sl_arena arena;
    struct sl_session *session;
    struct sl_error err;
    uint64_t random;
    int newest; /* the step of the newest checkpoint; -1: there is none */
    int failures;
    /* who does harm */
    pthread_t thread;
    pthread_mutex_t mutex; /* guards the processes, and the next */
    bool ends, is_harmed;
    uint64_t harm;
};

static unsigned roll(uint64_t *random, unsigned n) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*random >> 33) % n);
}

static bool shows(void) { return getenv("SL_CHAOS_SHOW") != NULL; }

/* ---- the graph: weights at all tasks but the first, which computes and saves */

static const char *node(struct training *t, const char *name, const char *op, int task, const char *rest) {
    return sl_arena_format(&t->arena, "node { name: '%s' op: '%s' device: '/job:worker/task:%d' %s } ", name, op, task,
                           rest);
}

static const char *strings(struct training *t, const char *name, int n, const char *format) {
    const char *values = "";
    for (int i = 0; i < n; i++)
        values = sl_arena_format(&t->arena, "%s string_val: '%s'", values,
                                 *format ? sl_arena_format(&t->arena, "%s%d", format, i) : "");
    return node(t, name, "Const", 0,
                sl_arena_format(&t->arena,
                                "attr { key: 'dtype' value { type: DT_STRING } } attr { key: 'value' value { tensor { "
                                "dtype: DT_STRING tensor_shape { dim { size: %d } } %s } } }",
                                n, values));
}

static const char *graph_text(struct training *t) {
    struct sl_arena *a = &t->arena;
    const char *all = "", *saved = "", *types = "";
    for (int i = 0; i < TASKS; i++) { /* of task 0: the number of steps */
        int width = i ? WIDTH : 1, place = i ? i : 1;
        const char *shape = sl_arena_format(a, "attr { key: 'shape' value { shape { dim { size: %d } } } }", width);
        const char *fill = "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: %d } } "
                           "float_val: %s } } }";
#define NAME(what) sl_arena_format(a, what "%d", i)
        all = sl_arena_format(a, "%s%s", all,
                              node(t, NAME("w"), "VariableV2", place, sl_arena_format(a, FLOAT "%s", shape)));
        all = sl_arena_format(a, "%s%s", all,
                              node(t, NAME("zero"), "Const", place,
                                   sl_arena_format(a, FLOAT "%s", sl_arena_format(a, fill, width, "0"))));
        all = sl_arena_format(a, "%s%s", all,
                              node(t, NAME("init"), "Assign", place,
                                   sl_arena_format(a, T_FLOAT "input: 'w%d' input: 'zero%d'", i, i)));
        all = sl_arena_format(a, "%s%s", all,
                              node(t, NAME("read"), "Identity", place, sl_arena_format(a, T_FLOAT "input: 'w%d'", i)));
        all = sl_arena_format(a, "%s%s", all,
                              node(t, NAME("goal"), "Const", 0,
                                   sl_arena_format(a, FLOAT "%s", sl_arena_format(a, fill, width, i ? "3.7" : "1"))));
        if (i) {
            all = sl_arena_format(a, "%s%s", all,
                                  node(t, NAME("off"), "Sub", 0,
                                       sl_arena_format(a, T_FLOAT "input: 'goal%d' input: 'read%d'", i, i)));
            all = sl_arena_format(a, "%s%s", all,
                                  node(t, NAME("rate"), "Const", 0,
                                       sl_arena_format(a, FLOAT "%s", sl_arena_format(a, fill, width, "0.13"))));
            all = sl_arena_format(a, "%s%s", all,
                                  node(t, NAME("delta"), "Mul", 0,
                                       sl_arena_format(a, T_FLOAT "input: 'off%d' input: 'rate%d'", i, i)));
        }
        all =
            sl_arena_format(a, "%s%s", all,
                            node(t, NAME("add"), "AssignAdd", place,
                                 sl_arena_format(a, T_FLOAT "input: 'w%d' input: '%s%d'", i, i ? "delta" : "goal", i)));
        all = sl_arena_format(a, "%s%s", all,
                              node(t, NAME("put"), "Assign", place,
                                   sl_arena_format(a, T_FLOAT "input: 'w%d' input: 'restore:%d'", i, i)));
        saved = sl_arena_format(a, "%s input: 'read%d'", saved, i);
        types = sl_arena_format(a, "%s type: DT_FLOAT", types);
    }
    const char *list = sl_arena_format(a, "attr { key: 'dtypes' value { list { %s } } }", types);
    all = sl_arena_format(a, "%s%s%s", all, strings(t, "names", TASKS, "w"), strings(t, "slices", TASKS, ""));
    all = sl_arena_format(
        a, "%s%s", all,
        node(t, "prefix", "Placeholder", 0,
             "attr { key: 'dtype' value { type: DT_STRING } } attr { key: 'shape' value { shape { } } }"));
    all =
        sl_arena_format(a, "%s%s", all,
                        node(t, "save", "SaveV2", 0,
                             sl_arena_format(a, "input: 'prefix' input: 'names' input: 'slices' %s %s", saved, list)));
    return sl_arena_format(a, "%s%s", all,
                           node(t, "restore", "RestoreV2", 0,
                                sl_arena_format(a, "input: 'prefix' input: 'names' input: 'slices' %s", list)));
}

static void make_graph(struct training *t) {
    const struct sl_registries *registries;
    struct sl_pb_GraphDef def;
    const struct sl_import_options options = {.prefix = SL_STR("")};
    assert_ok(t->err, sl_root_registries(&registries, &t->err));
    assert_ok(t->err, sl_graph_new(&t->graph, registries->ops, &t->err));
    assert_ok(t->err, sl_pb_text_parse(&def, SL_PB_TYPE(GraphDef), sl_str_of(graph_text(t)), &t->arena, &t->err));
    assert_ok(t->err, sl_graph_import(NULL, t->graph, &def, &options, &t->err));
}

/* ---- steps */

static struct sl_node *find(struct training *t, const char *name, int i) {
    struct sl_node *n = sl_graph_find(t->graph, sl_str_of(sl_arena_format(&t->arena, "%s%d", name, i)));
    assert_non_null(n);
    return n;
}

/* Runs the nodes NAME0, NAME1 and so on. */
static sl_code run_all(struct training *t, const char *name, const char *prefix) {
    struct sl_node *targets[TASKS];
    struct sl_tensor *path = NULL;
    struct sl_port feed = {sl_graph_find(t->graph, SL_STR("prefix")), 0};
    struct sl_run run = {.targets = targets};
    bool is_save = !strcmp(name, "save");
    for (; run.n_targets < (is_save ? 1 : TASKS); run.n_targets++)
        targets[run.n_targets] = is_save ? sl_graph_find(t->graph, SL_STR("save")) : find(t, name, run.n_targets);
    if (prefix) {
        SL_TRY(sl_tensor_new(&path, SL_STRING, SL_SHAPE_SCALAR, &t->err));
        SL_TRY(sl_string_set(path->data, sl_str_of(prefix), &t->err));
        run.feeds = &feed;
        run.feed_tensors = &path;
        run.n_feeds = 1;
    }
    sl_code code = sl_session_run(t->session, &run, &t->err);
    sl_tensor_unref(path);
    return code;
}

static const char *checkpoint_of(struct training *t, int step) {
    return sl_arena_format(&t->arena, "%s/at-%d", t->tasks.folder, step);
}

static sl_code read_weight(float *out, struct training *t, int i) {
    struct sl_port fetch = {find(t, "read", i), 0};
    struct sl_tensor *got = NULL;
    struct sl_run run = {.fetches = &fetch, .fetch_tensors = &got, .n_fetches = 1};
    SL_TRY(sl_session_run(t->session, &run, &t->err));
    for (int64_t e = 0; e < got->count; e++) {
        assert_true(((float *)got->data)[e] == *(float *)got->data);
        *out = *(float *)got->data;
    }
    sl_tensor_unref(got);
    return SL_OK;
}

/* From the newest checkpoint to the end, or to a failure. */
static sl_code train(struct training *t) {
    int step = t->newest < 0 ? 0 : t->newest;
    SL_TRY(t->newest < 0 ? run_all(t, "init", NULL) : run_all(t, "put", checkpoint_of(t, t->newest)));
    for (;; step++) {
        if (step % EVERY == 0 || step == STEPS) {
            SL_TRY(run_all(t, "save", checkpoint_of(t, step)));
            t->newest = step;
        }
        if (step == STEPS) break;
        SL_TRY(run_all(t, "add", NULL));
    }
    float weight = 0, goal = 0;
    for (int s = 0; s < STEPS; s++) {
        volatile float off = 3.7f - goal, delta = off * .13f;
        goal = goal + delta;
    }
    for (int i = 0; i < TASKS; i++) {
        SL_TRY(read_weight(&weight, t, i));
        if (weight != (i ? goal : (float)STEPS)) fail_msg("w%d is %.9g, not %.9g", i, weight, i ? goal : (float)STEPS);
    }
    return SL_OK;
}

/* ---- harm */

static void harm_one(struct training *t) {
    int task = (int)roll(&t->harm, TASKS);
    if (roll(&t->harm, 2)) {
        task_signal(&t->tasks, task, SIGKILL);
        if (shows()) print_message("  task %d is killed\n", task);
    } else {
        task_signal(&t->tasks, task, SIGSTOP);
        if (shows()) print_message("  task %d is stopped\n", task);
    }
    t->is_harmed = true;
}

/* One harm at a time: when all is well again, the next one comes. */
static void *do_harm(void *arg) {
    struct training *t = arg;
    for (int n = 0; n < 3;) {
        usleep(roll(&t->harm, 40000));
        pthread_mutex_lock(&t->mutex);
        bool ends = t->ends;
        if (!ends && !t->is_harmed) {
            harm_one(t);
            n++;
        }
        pthread_mutex_unlock(&t->mutex);
        if (ends) break;
    }
    return NULL;
}

static void heal(struct training *t) {
    pthread_mutex_lock(&t->mutex);
    for (int i = 0; i < TASKS; i++)
        if (t->tasks.pids[i]) task_signal(&t->tasks, i, SIGCONT);
        else task_start(&t->tasks, i);
    t->is_harmed = false;
    pthread_mutex_unlock(&t->mutex);
}

/* An error that a new session gets over. Making a session waits for tasks that are not there, for as long as the client
 * says. */
static void check_failure(struct training *t, sl_code code) {
    const char *text = t->err.message;
    if (shows()) print_message("  %s: %.300s\n", sl_code_name(code), text);
    if (code != SL_UNAVAILABLE && code != SL_ABORTED && code != SL_DEADLINE_EXCEEDED)
        fail_msg("%s: %s", sl_code_name(code), text);
    t->failures++;
    assert_true(t->failures < 50);
}

static void one_run(long seed) {
    static const char *const options[] = {"--heartbeat", "2", NULL};
    struct training *t = calloc(1, sizeof *t);
    t->newest = -1;
    t->harm = (uint64_t)seed * 7919;
    sl_arena_init(&t->arena);
    pthread_mutex_init(&t->mutex, NULL);
    tasks_start(&t->tasks, TASKS, options);
    make_graph(t);
    if (shows()) print_message("seed %ld\n", seed);
    pthread_create(&t->thread, NULL, do_harm, t);
    for (;;) {
        t->session = tasks_session(&t->tasks, "operation_timeout_in_ms: 5000");
        sl_code code = sl_session_extend(t->session, t->graph, &t->err);
        if (code == SL_OK) code = train(t);
        if (code == SL_OK) break;
        check_failure(t, code);
        heal(t);
        sl_session_free(t->session);
    }
    pthread_mutex_lock(&t->mutex);
    t->ends = true;
    pthread_mutex_unlock(&t->mutex);
    pthread_join(t->thread, NULL);
    heal(t);
    sl_session_free(t->session);
    (void)!system(sl_arena_format(&t->arena, "rm -f %s/at-*", t->tasks.folder));
    tasks_end(&t->tasks);
    sl_graph_free(t->graph);
    sl_arena_clear(&t->arena);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static void training_survives(void **state) {
    (void)state;
    long n = setting("SL_CHAOS_RUNS", 2), start = setting("SL_CHAOS_SEED", 1);
    for (long i = 0; i < n; i++) one_run(start + i);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(training_survives)};
    if (!tasks_may_run()) {
        print_message("no HTTP/2 in this build: no clusters\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
