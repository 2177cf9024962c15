/* One step over several tasks, each a runtime of its own in this process, as workers would run it: the front cuts by
 * task, every part is sent as a message, its back cuts by device, and the parts meet by keys as text. Loops, errors
 * and random programs end as on one device.
 *
 * SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more, and others. A failing program is told by its seed. */
#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "kernel/step_rendezvous.h"
#include "runtime/part_message.h"
#include "session/local_session.h"
#include "unit/runtime/runtime_fixture.h"
#include "unit/session/random_program.h"

enum { TASKS = 3, DEVICES = 2 };

/* ---- workers */

struct worker {
    struct cluster *cluster;
    struct sl_runtime *runtime;
    struct sl_program *program; /* NULL: no node is here */
    struct sl_rendezvous_table *table;
    struct sl_step_rendezvous *step;
    struct sl_rendezvous *rendezvous; /* of the nodes */
    struct sl_step_env env;
    pthread_t thread;
    sl_code code;
    struct sl_error err;
};

struct cluster {
    struct sl_runtime *master;
    struct worker workers[TASKS];
    struct sl_value rets[RANDOM_FETCHES]; /* of the worker that has them */
    sl_code code;                         /* of the first that failed */
    struct sl_error err;
    pthread_mutex_t mutex; /* guards both */
};

/* A value on its way from one worker to another. */
struct carried {
    struct sl_waiter waiter;
    struct worker *to;
    char name[512];
};

static void arrive(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct carried *c = (struct carried *)waiter;
    if (code == SL_OK) sl_step_rendezvous_put(c->to->step, sl_str_of(c->name), &waiter->value, NULL);
    else sl_step_rendezvous_abort(c->to->step, code, err->message);
    sl_free(c);
}

/* A node of worker `arg` waits for a value: the sender's task is in the key. */
static void ask_peer(void *arg, const struct sl_rendezvous_key *key) {
    struct worker *w = arg;
    struct sl_device_name sender;
    struct carried *c = sl_calloc(1, sizeof *c);
    sl_device_parse(&sender, key->pair->send_device, NULL);
    sl_rendezvous_key_print(c->name, sizeof c->name, key);
    c->waiter.done = arrive;
    c->to = w;
    sl_step_rendezvous_take(w->cluster->workers[sender.task].step, sl_str_of(c->name), &c->waiter);
}

static void *run_worker(void *arg) {
    struct worker *w = arg;
    struct cluster *all = w->cluster;
    w->code = sl_runtime_run_step(&w->env, w->program, NULL, all->rets, &w->err);
    if (w->code == SL_OK) return NULL;
    pthread_mutex_lock(&all->mutex);
    if (all->code == SL_OK) {
        all->code = w->code;
        all->err = w->err;
    }
    pthread_mutex_unlock(&all->mutex);
    for (int t = 0; t < TASKS; t++) sl_step_rendezvous_abort(all->workers[t].step, w->code, w->err.message);
    return NULL;
}

static void begin_worker(struct worker *w) {
    assert_ok(w->err, sl_runtime_begin_step(&w->env, w->runtime, NULL, 20000, &w->err));
    if (!w->program) return;
    const struct sl_rendezvous_opening opening = {w->program->n_pairs, w->program->remote_pairs, w->env.cancellation,
                                                  ask_peer, w};
    assert_ok(w->err, sl_step_rendezvous_open(&w->env.rendezvous, w->step, &opening, &w->err));
}

/* One step of all workers at once. */
static sl_code run_cluster(struct cluster *all) {
    all->code = SL_OK;
    for (int t = 0; t < TASKS; t++) {
        struct worker *w = &all->workers[t];
        assert_ok(w->err, sl_rendezvous_table_new(&w->table, NULL, &w->err));
        assert_ok(w->err, sl_rendezvous_table_find(&w->step, w->table, 1, false, &w->err));
    }
    for (int t = 0; t < TASKS; t++) begin_worker(&all->workers[t]);
    for (int t = 0; t < TASKS; t++)
        if (all->workers[t].program) pthread_create(&all->workers[t].thread, NULL, run_worker, &all->workers[t]);
    for (int t = 0; t < TASKS; t++) {
        struct worker *w = &all->workers[t];
        if (!w->program) continue;
        pthread_join(w->thread, NULL);
        sl_step_rendezvous_leave(w->step);
    }
    for (int t = 0; t < TASKS; t++) {
        struct worker *w = &all->workers[t];
        sl_rendezvous_table_drop(w->table, 1);
        sl_step_rendezvous_unref(w->step);
        sl_rendezvous_table_free(w->table);
        sl_runtime_end_step(&w->env);
    }
    return all->code;
}

static void cluster_init(struct cluster *all, struct graph_fixture *f) {
    struct sl_device_set devices;
    memset(all, 0, sizeof *all);
    pthread_mutex_init(&all->mutex, NULL);
    devices_of_tasks(&devices, f, TASKS, DEVICES);
    all->master = runtime_on(f, &devices);
    for (int t = 0; t < TASKS; t++) {
        struct sl_device_set own;
        struct sl_str task = sl_str_of(sl_arena_format(&f->arena, "/job:worker/replica:0/task:%d", t));
        assert_ok(f->err, sl_device_set_new(&own, task, DEVICES, (uint64_t)(5 + t), &f->err));
        all->workers[t] = (struct worker){.cluster = all, .runtime = runtime_on(f, &own)};
    }
}

static void drop_programs(struct cluster *all) {
    for (int t = 0; t < TASKS; t++) {
        sl_program_free(all->workers[t].program);
        all->workers[t].program = NULL;
    }
}

static void cluster_clear(struct cluster *all) {
    drop_programs(all);
    for (int t = 0; t < TASKS; t++) sl_runtime_free(all->workers[t].runtime);
    sl_runtime_free(all->master);
    pthread_mutex_destroy(&all->mutex);
}

/* The front here, the back of each part at its worker; returns the number of parts. */
static int compile(struct cluster *all, struct graph_fixture *f, const struct sl_port *fetches, int n, size_t n_nodes) {
    const struct sl_prune_request request = {.fetches = fetches, .n_fetches = n, .n_nodes = n_nodes};
    struct sl_front front;
    assert_ok(f->err, sl_pipeline_front(&front, all->master, &request, false, &f->err));
    int n_parts = front.n_parts;
    for (int i = 0; i < n_parts; i++) {
        struct worker *w = &all->workers[all->master->devices.items[front.parts[i].device].parsed.task];
        struct sl_part part;
        struct sl_pb_GraphDef *def;
        assert_ok(f->err, sl_part_export(&def, &front.parts[i], all->master, &f->arena, &f->err));
        assert_ok(f->err, sl_part_import(&part, w->runtime, def, &f->err));
        w->program = back_of(f, w->runtime, &part);
        sl_part_clear(&part);
    }
    sl_front_clear(&front);
    return n_parts;
}

static int compile_fetch(struct cluster *all, struct graph_fixture *f, const char *graph, const char *fetch) {
    import_client(f, graph);
    struct sl_port port = port_of(f, fetch, 0);
    return compile(all, f, &port, 1, f->graph->nodes.n);
}

/* ---- graphs by hand */

#define CONST(v) "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: " #v " }\n"

GRAPH_TEST(values_go_from_task_to_task) {
    struct cluster all;
    cluster_init(&all, f);
    assert_int_equal(compile_fetch(&all, f,
                                   "a = Const()@/task:1/cpu:0 " CONST(3) "b = Neg(a)@/task:1/cpu:1 " OF_FLOAT
                                                                         "c = Square(b)@/task:2/cpu:0 " OF_FLOAT
                                                                         "d = Add(c, a)@/task:2/cpu:1 " OF_FLOAT
                                                                         "e = Neg(b, ^d)@/task:0/cpu:1 " OF_FLOAT
                                                                         "g = Add(d, e)@/task:1/cpu:0 " OF_FLOAT,
                                   "g"),
                     3);
    for (int i = 0; i < 3; i++) {
        assert_ok(all.err, run_cluster(&all));
        assert_true(float_of(&all.rets[0]) == 15);
    }
    cluster_clear(&all);
}

/* The loop goes round on task 0; its body is on both devices of task 1, which know of each iteration by loops of
 * their own. */
#define LOOP                                                                                                           \
    "zero = Const()@/task:0/cpu:0 " CONST(1) "limit = Const()@/task:0/cpu:0 " CONST(                                   \
        1000) "two = Const()@/task:1/cpu:1 " CONST(2) "enter = Enter(zero)@/task:0/cpu:0 T type: DT_FLOAT; "           \
                                                      "frame_name s: 'f'\n"                                            \
                                                      "to = Enter(limit)@/task:0/cpu:0 T type: DT_FLOAT; frame_name "  \
                                                      "s: 'f'; is_constant b: true\n"                                  \
                                                      "by = Enter(two)@/task:1/cpu:1 T type: DT_FLOAT; frame_name s: " \
                                                      "'f'; is_constant b: true\n"                                     \
                                                      "merge = Merge(enter, next)@/task:0/cpu:0 T type: DT_FLOAT; N "  \
                                                      "i: 2\n"                                                         \
                                                      "less = Less(merge, to)@/task:0/cpu:1 " OF_FLOAT                 \
                                                      "cond = LoopCond(less)@/task:0/cpu:1\n"                          \
                                                      "switch = Switch(merge, cond)@/task:0/cpu:0 " OF_FLOAT           \
                                                      "half = Square(switch:1)@/task:1/cpu:0 " OF_FLOAT                \
                                                      "body = Add(half, by)@/task:1/cpu:1 " OF_FLOAT                   \
                                                      "next = NextIteration(body)@/task:0/cpu:0 " OF_FLOAT             \
                                                      "exit = Exit(switch)@/task:0/cpu:0 " OF_FLOAT                    \
                                                      "after = Neg(exit)@/task:2/cpu:1 " OF_FLOAT

GRAPH_TEST(loops_go_round_in_several_tasks) {
    struct cluster all;
    cluster_init(&all, f);
    assert_int_equal(compile_fetch(&all, f, LOOP, "after"), 3);
    assert_int_equal(all.workers[1].program->n_parts, 2);
    for (int i = 0; i < 3; i++) {
        assert_ok(all.err, run_cluster(&all)); /* 1, 3, 11, 123, 15131 */
        assert_true(float_of(&all.rets[0]) == -15131);
    }
    cluster_clear(&all);
}

GRAPH_TEST(an_error_ends_the_parts_of_all_tasks) {
    struct cluster all;
    cluster_init(&all, f);
    compile_fetch(
        &all, f,
        "a = Const()@/task:1/cpu:0 dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} "
        "float_val: nan }\n"
        "b = CheckNumerics(a)@/task:1/cpu:1 T type: DT_FLOAT; message s: 'bad'\n c = Neg(b)@/task:2/cpu:0 " OF_FLOAT
        "d = Neg(c)@/task:0/cpu:0 " OF_FLOAT,
        "d");
    for (int i = 0; i < 10; i++)
        assert_fails(all.err, SL_INVALID_ARGUMENT, "bad : Tensor had NaN values\n\t [[{{node b}}]]", run_cluster(&all));
    cluster_clear(&all);
}

/* ---- random programs */

/* "/cpu:3" becomes a device of one of the tasks. */
static void spread(struct random_program *p) {
    static const char *const devices[RANDOM_DEVICES] = {"/task:0/cpu:0", "/task:1/cpu:0", "/task:1/cpu:1",
                                                        "/task:2/cpu:0", "/task:2/cpu:1"};
    SL_GRAPH_EACH(n, p->graph) if (n->device.n) n->device = sl_str_of(devices[n->device.p[n->device.n - 1] - '0']);
}

static sl_code run_in_session(uint32_t *values, struct random_program *p, struct sl_error *err) {
    const struct sl_pb_ConfigProto config = {.intra_op_parallelism_threads = 1, .allow_soft_placement = true};
    const struct sl_session_options options = {.config = &config};
    const struct sl_registries *registries;
    struct sl_session *session;
    struct sl_tensor *tensors[RANDOM_FETCHES];
    const struct sl_run run = {.fetches = p->fetches, .fetch_tensors = tensors, .n_fetches = p->n};
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_local_session_new(&session, registries, &options, err));
    SL_TRY(sl_session_extend(session, p->graph, err));
    sl_code code = sl_session_run(session, &run, err);
    for (int i = 0; i < p->n && code == SL_OK; i++) {
        values[i] = *(const uint32_t *)tensors[i]->data;
        sl_tensor_unref(tensors[i]);
    }
    sl_session_free(session);
    return code;
}

/* The number of parts. */
static int one_program(struct cluster *all, struct graph_fixture *f, long seed) {
    struct random_program p;
    uint32_t wanted[RANDOM_FETCHES];
    int n_parts = 0;
    random_program_make(&p, all->master->registries->ops, seed, SL_INT32);
    if (p.n) {
        sl_code code = run_in_session(wanted, &p, &f->err);
        spread(&p);
        n_parts = compile(all, f, p.fetches, p.n, p.graph->nodes.n);
        sl_code got = run_cluster(all);
        if (got != code)
            fail_msg("seed %ld: tasks end with %s: %s, a session with %s", seed, sl_code_name(got), all->err.message,
                     sl_code_name(code));
        for (int i = 0; i < p.n && code == SL_OK; i++)
            if ((uint32_t)all->rets[i].i32 != wanted[i])
                fail_msg("seed %ld: fetch %d is %x on tasks, %x in a session", seed, i, (unsigned)all->rets[i].i32,
                         wanted[i]);
        drop_programs(all);
    }
    random_program_clear(&p);
    return n_parts;
}

GRAPH_TEST(random_programs_give_the_same) {
    const char *many = getenv("SL_RANDOM_PROGRAMS"), *first = getenv("SL_RANDOM_SEED");
    long n = many ? atol(many) : 400, start = first ? atol(first) : 1, n_cut = 0;
    struct cluster all;
    cluster_init(&all, f);
    for (long seed = start; seed < start + n; seed++) n_cut += one_program(&all, f, seed) > 1;
    print_message("%ld of %ld programs on several tasks\n", n_cut, n);
    assert_true(n_cut * 2 > n);
    cluster_clear(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {graph_unit_test(values_go_from_task_to_task),
                                       graph_unit_test(loops_go_round_in_several_tasks),
                                       graph_unit_test(an_error_ends_the_parts_of_all_tasks),
                                       graph_unit_test(random_programs_give_the_same)};
    setenv("SLUICE_CHECK", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
