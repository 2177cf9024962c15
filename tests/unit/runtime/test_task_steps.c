/* One step over several tasks (task_cluster.h): values, loops, errors and random programs end as on one device.
 *
 * SL_RANDOM_PROGRAMS=n and SL_RANDOM_SEED=n run more, and others. A failing program is told by its seed. */
#include <stdlib.h>

#include "session/local_session.h"
#include "unit/runtime/task_cluster.h"

enum { DEVICES = 2 };

static void hosts_init(struct cluster *all, struct graph_fixture *f) {
    const struct sl_device_request hosts = {&sl_host_device_type, DEVICES};
    cluster_init(all, f, &hosts, &hosts, 1);
}

/* ---- graphs by hand */

#define CONST(v) "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: " #v " }\n"

GRAPH_TEST(values_go_from_task_to_task) {
    struct cluster all;
    hosts_init(&all, f);
    assert_int_equal(cluster_compile_fetch(&all, f,
                                           "a = Const()@/task:1/cpu:0 " CONST(
                                               3) "b = Neg(a)@/task:1/cpu:1 " OF_FLOAT
                                                  "c = Square(b)@/task:2/cpu:0 " OF_FLOAT
                                                  "d = Add(c, a)@/task:2/cpu:1 " OF_FLOAT
                                                  "e = Neg(b, ^d)@/task:0/cpu:1 " OF_FLOAT
                                                  "g = Add(d, e)@/task:1/cpu:0 " OF_FLOAT,
                                           "g"),
                     3);
    for (int i = 0; i < 3; i++) {
        assert_ok(all.err, cluster_run(&all));
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
    hosts_init(&all, f);
    assert_int_equal(cluster_compile_fetch(&all, f, LOOP, "after"), 3);
    assert_int_equal(all.workers[1].program->n_parts, 2);
    for (int i = 0; i < 3; i++) {
        assert_ok(all.err, cluster_run(&all)); /* 1, 3, 11, 123, 15131 */
        assert_true(float_of(&all.rets[0]) == -15131);
    }
    cluster_clear(&all);
}

GRAPH_TEST(an_error_ends_the_parts_of_all_tasks) {
    struct cluster all;
    hosts_init(&all, f);
    cluster_compile_fetch(
        &all, f,
        "a = Const()@/task:1/cpu:0 dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} "
        "float_val: nan }\n"
        "b = CheckNumerics(a)@/task:1/cpu:1 T type: DT_FLOAT; message s: 'bad'\n c = Neg(b)@/task:2/cpu:0 " OF_FLOAT
        "d = Neg(c)@/task:0/cpu:0 " OF_FLOAT,
        "d");
    for (int i = 0; i < 10; i++)
        assert_fails(all.err, SL_INVALID_ARGUMENT, "bad : Tensor had NaN values\n\t [[{{node b}}]]", cluster_run(&all));
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
        n_parts = cluster_compile(all, f, p.fetches, p.n, p.graph->nodes.n);
        sl_code got = cluster_run(all);
        if (got != code)
            fail_msg("seed %ld: tasks end with %s: %s, a session with %s", seed, sl_code_name(got), all->err.message,
                     sl_code_name(code));
        for (int i = 0; i < p.n && code == SL_OK; i++)
            if ((uint32_t)all->rets[i].i32 != wanted[i])
                fail_msg("seed %ld: fetch %d is %x on tasks, %x in a session", seed, i, (unsigned)all->rets[i].i32,
                         wanted[i]);
        cluster_drop_programs(all);
    }
    random_program_clear(&p);
    return n_parts;
}

GRAPH_TEST(random_programs_give_the_same) {
    const char *many = getenv("SL_RANDOM_PROGRAMS"), *first = getenv("SL_RANDOM_SEED");
    long n = many ? atol(many) : 400, start = first ? atol(first) : 1, n_cut = 0;
    struct cluster all;
    hosts_init(&all, f);
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
