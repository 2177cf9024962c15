/* os/pool: every task and part runs once, on any number of threads, from anywhere, through destruction and fork.
 * Stress tests here are meant for the thread sanitizer as well. */
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/pool.h"
#include "os/pool_help.h"
#include "os/thread.h"
#include "unit/unit.h"

/* Under the thread sanitizer a forked child cannot start threads. */
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__ /* a forked child has the locks of its allocator as other threads held them */
enum { CHILD_ALLOCATES = 0 };
#else
enum { CHILD_ALLOCATES = 1 };
#endif
#ifdef THREAD_SANITIZER
enum { WORK = 4, CHILD_THREADS = 0 };
#else
enum { WORK = 10, CHILD_THREADS = 1 }; /* WORK: how much the stress tests do */
#endif

static struct sl_error err;

static struct sl_pool *make_pool(int threads) {
    struct sl_pool *pool;
    assert_ok(err, sl_pool_create(&pool, threads, &err));
    return pool;
}

static void wait_for(atomic_int *counter, int value) {
    while (atomic_load(counter) != value) sl_sleep_ns(20000);
}

static void count_task(void *arg) { atomic_fetch_add((atomic_int *)arg, 1); }

static void mark_part(void *arg, int64_t part) { ((int *)arg)[part]++; }

/* ---- what runs, and where ---- */

static void a_pool_without_workers_uses_the_caller(void **state) {
    (void)state;
    for (int threads = 0; threads <= 1; threads++) {
        struct sl_pool *pool = make_pool(threads);
        atomic_int ran = 0;
        sl_pool_submit(pool, count_task, &ran);
        assert_int_equal(atomic_load(&ran), 1); /* before submit returned */
        int marks[5] = {0};
        sl_pool_parallel(pool, 5, mark_part, marks);
        for (int i = 0; i < 5; i++) assert_int_equal(marks[i], 1);
        assert_int_equal(sl_pool_started(pool), 0);
        assert_int_equal(sl_pool_threads(pool), 1);
        sl_pool_unref(pool);
    }
}

struct chain {
    struct sl_pool *pool;
    int left, *order, ran;
};

static void chain_task(void *arg) {
    struct chain *chain = arg;
    chain->ran++;
    if (chain->left-- > 0) sl_pool_submit(chain->pool, chain_task, chain);
}

static void a_long_chain_on_the_caller_does_not_nest_without_end(void **state) {
    (void)state;
    struct chain chain = {make_pool(0), 1000000, NULL, 0};
    sl_pool_submit(chain.pool, chain_task, &chain);
    assert_int_equal(chain.ran, 1000001);
    sl_pool_unref(chain.pool);
}

struct tree {
    struct sl_pool *pool;
    atomic_int ran;
    int width;
};

struct twig {
    struct tree *tree;
    int depth;
};

static void twig_task(void *arg) {
    struct twig twig = *(struct twig *)arg;
    free(arg);
    for (int i = 0; twig.depth > 0 && i < twig.tree->width; i++) {
        struct twig *next = malloc(sizeof *next);
        *next = (struct twig){twig.tree, twig.depth - 1};
        sl_pool_submit(twig.tree->pool, twig_task, next);
    }
    atomic_fetch_add(&twig.tree->ran, 1);
}

/* 3 levels of 17: 1 + 17 + 289 + 4913 tasks; more than a ring holds at the width of 700. */
static void tasks_submit_tasks(void **state) {
    (void)state;
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        struct tree tree = {make_pool(threads), 0, 17};
        struct twig *root = malloc(sizeof *root);
        *root = (struct twig){&tree, 3};
        sl_pool_submit(tree.pool, twig_task, root);
        wait_for(&tree.ran, 1 + 17 + 289 + 4913);
        tree = (struct tree){tree.pool, 0, 700};
        root = malloc(sizeof *root);
        *root = (struct twig){&tree, 1};
        sl_pool_submit(tree.pool, twig_task, root);
        wait_for(&tree.ran, 701);
        assert_true(sl_pool_started(tree.pool) < threads + (threads == 0));
        sl_pool_unref(tree.pool);
    }
}

static void every_part_runs_once(void **state) {
    (void)state;
    static const int64_t counts[] = {0, 1, 2, 3, 7, 64, 1000};
    for (int threads = 0; threads <= 6; threads++) {
        struct sl_pool *pool = make_pool(threads);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (int round = 0; round < 20 * WORK; round++) {
                int marks[1000] = {0}; /* plain memory: the sanitizer checks that parts happen before the return */
                sl_pool_parallel_as(pool, counts[c], mark_part, marks, (unsigned)round % 4);
                for (int i = 0; i < 1000; i++) assert_int_equal(marks[i], i < counts[c]);
            }
        }
        sl_pool_unref(pool);
    }
}

static void nothing_starts_before_it_is_needed(void **state) {
    (void)state;
    struct sl_pool *pool = make_pool(4);
    int mark = 0;
    sl_pool_parallel(pool, 0, mark_part, &mark);
    sl_pool_parallel(pool, 1, mark_part, &mark);
    assert_int_equal(mark, 1);
    int marks[9] = {0};
    sl_pool_parallel_as(pool, 9, mark_part, marks, SL_POOL_AWAKE);
    for (int i = 0; i < 9; i++) assert_int_equal(marks[i], 1);
    assert_int_equal(sl_pool_started(pool), 0);
    atomic_int ran = 0;
    sl_pool_submit(pool, count_task, &ran);
    wait_for(&ran, 1);
    assert_int_equal(sl_pool_started(pool), 1);
    sl_pool_unref(pool);
}

static void parts_wait_for_each_other(void *arg, int64_t part) {
    (void)part;
    atomic_fetch_add((atomic_int *)arg, 1);
    while (atomic_load((atomic_int *)arg) < 4) sl_thread_yield();
}

/* Parts that all must run at the same time: every thread takes part, sleeping or not. Once for each pool, since parts
 * that wait look as if they had been put aside. */
static void all_threads_take_part(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct sl_pool *pool = make_pool(4);
        atomic_int arrived = 0, ran = 0;
        for (int i = 0; i < 3 * (round % 2); i++) sl_pool_submit(pool, count_task, &ran);
        wait_for(&ran, 3 * (round % 2));
        if (round % 4 == 1) sl_sleep_ns(1000000);
        sl_pool_parallel(pool, 4, parts_wait_for_each_other, &arrived);
        assert_int_equal(sl_pool_started(pool), 3);
        sl_pool_unref(pool);
    }
}

/* ---- helpers that the system puts aside ---- */

enum { ASIDE_NS = 20000000 };

struct aside {
    struct sl_pool *pool;
    atomic_bool helper_is_here;
    atomic_int parts_run[2];
};

/* The helper is put aside in the middle of its part; the caller's takes until the helper has come, unless none may. */
static void be_put_aside(void *arg, int64_t part) {
    struct aside *aside = arg;
    atomic_fetch_add(&aside->parts_run[part], 1);
    if (sl_pool_is_worker(aside->pool)) {
        atomic_store(&aside->helper_is_here, true);
        sl_sleep_ns(ASIDE_NS);
    } else {
        while (!atomic_load(&aside->helper_is_here) && sl_pool_helpers(aside->pool)) sl_thread_yield();
    }
}

/* The first time makes nobody spin; when it happens again before the pause is over, no one is asked. */
static void who_is_put_aside_again_and_again_is_not_asked(void **state) {
    (void)state;
    struct aside aside = {.pool = make_pool(2)};
    assert_int_equal(sl_pool_helpers(aside.pool), 1);
    int rounds = 0;
    while (sl_pool_helpers(aside.pool)) {
        atomic_store(&aside.helper_is_here, false);
        sl_pool_parallel(aside.pool, 2, be_put_aside, &aside);
        rounds++;
        assert_int_equal(atomic_load(&aside.parts_run[0]), rounds);
        assert_int_equal(atomic_load(&aside.parts_run[1]), rounds);
    }
    assert_true(rounds >= 2);
    sl_pool_unref(aside.pool);
}

enum { MS = 1000000 };

static void nobody_spins_and_fewer_help_for_a_while(void **state) {
    struct sl_pool_help help;
    (void)state;
    sl_pool_help_init(&help, 9);
    assert_int_equal(sl_pool_help_most(&help, 9, 0), 9);
    assert_false(sl_pool_help_is_busy(&help));
    sl_pool_help_was_late(&help, 1 * MS, 2 * MS, 3 * MS); /* at first, nobody spins */
    assert_true(sl_pool_help_is_busy(&help));
    assert_int_equal(sl_pool_help_most(&help, 9, 3 * MS), 9);
    sl_pool_help_gave(&help, 3 * MS);
    sl_pool_help_was_late(&help, 1 * MS, 4 * MS, 1 * MS); /* another job, the same moment */
    sl_pool_help_was_late(&help, 3 * MS, 5 * MS, 2 * MS); /* worth what they gave */
    assert_int_equal(sl_pool_help_most(&help, 9, 6 * MS), 9);
    sl_pool_help_gave(&help, 2 * MS);
    sl_pool_help_was_late(&help, 6 * MS, 7 * MS, 3 * MS); /* not worth it: a quarter less, rounded up */
    assert_int_equal(sl_pool_help_most(&help, 9, 70 * MS), 6);
    assert_int_equal(sl_pool_help_most(&help, 9, 71 * MS), 7); /* after 64 ms one more */
    assert_int_equal(sl_pool_help_most(&help, 9, 72 * MS), 7);
    for (int i = 1; i < 20; i++) sl_pool_help_was_late(&help, (72 + i) * MS, (73 + i) * MS, 1 * MS);
    assert_int_equal(sl_pool_help_most(&help, 9, 93 * MS), 0);
    assert_int_equal(sl_pool_help_most(&help, 9, (92 + 511) * MS), 0); /* half a second at most */
    for (int i = 1; i < 10; i++) assert_int_equal(sl_pool_help_most(&help, 9, (92 + INT64_C(512) * i) * MS), i);
    assert_true(sl_pool_help_is_busy(&help));
    sl_pool_help_most(&help, 9, (92 + INT64_C(512) * 10) * MS); /* all help, and the pause is over */
    assert_false(sl_pool_help_is_busy(&help));
    sl_pool_help_was_late(&help, INT64_C(99990) * MS, INT64_C(100000) * MS, 1 * MS); /* long after: as at first */
    sl_pool_help_most(&help, 9, INT64_C(100015) * MS);
    assert_true(sl_pool_help_is_busy(&help));
    sl_pool_help_most(&help, 9, INT64_C(100016) * MS);
    assert_false(sl_pool_help_is_busy(&help));
}

struct gate {
    atomic_int here, ran;
    int wanted;
};

static void gate_task(void *arg) {
    struct gate *gate = arg;
    atomic_fetch_add(&gate->here, 1);
    while (atomic_load(&gate->here) < gate->wanted) sl_thread_yield();
    atomic_fetch_add(&gate->ran, 1);
}

/* Tasks that all must run at the same time: no worker sleeps while a task waits. */
static void no_task_lies_while_a_worker_sleeps(void **state) {
    (void)state;
    struct sl_pool *pool = make_pool(5);
    for (int round = 0; round < 100 * WORK; round++) {
        struct gate gate = {0, 0, 4};
        for (int i = 0; i < 4; i++) sl_pool_submit(pool, gate_task, &gate);
        wait_for(&gate.ran, 4);
    }
    sl_pool_unref(pool);
}

struct spawn {
    struct sl_pool *pool;
    struct gate gate;
};

static void spawning_task(void *arg) {
    struct spawn *spawn = arg;
    for (int i = 0; i < 3; i++) sl_pool_submit(spawn->pool, gate_task, &spawn->gate);
    gate_task(&spawn->gate);
}

/* The same, from a worker's own ring. */
static void tasks_of_a_busy_worker_are_taken_by_others(void **state) {
    (void)state;
    struct sl_pool *pool = make_pool(5);
    for (int round = 0; round < 100 * WORK; round++) {
        struct spawn spawn = {pool, {0, 0, 4}};
        sl_pool_submit(pool, spawning_task, &spawn);
        wait_for(&spawn.gate.ran, 4);
    }
    sl_pool_unref(pool);
}

struct loop {
    struct sl_pool *pool;
    atomic_int stop, stopped;
};

static void looping_task(void *arg) {
    struct loop *loop = arg;
    if (!atomic_load(&loop->stop)) sl_pool_submit(loop->pool, looping_task, loop);
    else atomic_store(&loop->stopped, 1);
}

static void stop_task(void *arg) { atomic_store(&((struct loop *)arg)->stop, 1); }

static void a_task_that_submits_itself_starves_nobody(void **state) {
    (void)state;
    struct loop loop = {make_pool(2), 0, 0};
    sl_pool_submit(loop.pool, looping_task, &loop);
    sl_pool_submit(loop.pool, stop_task, &loop);
    wait_for(&loop.stopped, 1);
    sl_pool_unref(loop.pool);
}

/* ---- nesting ---- */

struct nest {
    struct sl_pool *pool;
    int depth;
    atomic_int *leaves;
};

static void nest_part(void *arg, int64_t part) {
    struct nest *nest = arg;
    (void)part;
    if (nest->depth == 0) {
        atomic_fetch_add(nest->leaves, 1);
        return;
    }
    struct nest below = {nest->pool, nest->depth - 1, nest->leaves};
    sl_pool_parallel(nest->pool, 5, nest_part, &below);
}

static void parallel_nests(void **state) {
    (void)state;
    struct sl_pool *pool = make_pool(4);
    for (int round = 0; round < 10 * WORK; round++) {
        atomic_int leaves = 0;
        struct nest nest = {pool, 3, &leaves};
        sl_pool_parallel(pool, 5, nest_part, &nest);
        assert_int_equal(atomic_load(&leaves), 625);
    }
    sl_pool_unref(pool);
}

enum { MANY_TURNS = 1000000 };

struct long_job {
    struct sl_pool *pool;
    atomic_int arrived, helped; /* at the short parts; those that the waiting caller ran */
};

static void short_part(void *arg, int64_t part) {
    struct long_job *job = arg;
    (void)part;
    atomic_fetch_add(&job->arrived, 1);
    for (int i = 0; i < MANY_TURNS && atomic_load(&job->arrived) < 2; i++) sl_thread_yield();
    if (!sl_pool_is_worker(job->pool)) atomic_fetch_add(&job->helped, 1);
}

static void long_part(void *arg, int64_t part) {
    struct long_job *job = arg;
    (void)part;
    if (sl_pool_is_worker(job->pool)) sl_pool_parallel(job->pool, 2, short_part, job);
    else /* leaves the other part to the worker */
        for (int i = 0; i < MANY_TURNS && !atomic_load(&job->arrived); i++) sl_thread_yield();
}

/* The worker has a long part and shares it out; its first short part waits for the second one, which the caller
 * has to run. */
static void who_waits_for_long_parts_helps(void **state) {
    (void)state;
    struct long_job job = {.pool = make_pool(2)};
    for (int round = 0; round < 10 && !atomic_load(&job.helped); round++) {
        atomic_store(&job.arrived, 0);
        sl_pool_parallel_as(job.pool, 2, long_part, &job, SL_POOL_LONG);
    }
    assert_true(atomic_load(&job.helped) > 0);
    sl_pool_unref(job.pool);
}

static void deep_part(void *arg, int64_t part) {
    struct nest *nest = arg;
    atomic_fetch_add(nest->leaves, 1);
    if (part > 0 || nest->depth == 0) return;
    struct nest below = {nest->pool, nest->depth - 1, nest->leaves};
    sl_pool_parallel(nest->pool, 2, deep_part, &below);
}

/* More jobs at once than there are slots: the innermost run on their callers. */
static void parallel_nests_deeper_than_there_are_slots(void **state) {
    (void)state;
    struct sl_pool *pool = make_pool(3);
    atomic_int ran = 0;
    struct nest nest = {pool, 149, &ran};
    sl_pool_parallel(pool, 2, deep_part, &nest);
    assert_int_equal(atomic_load(&ran), 300);
    sl_pool_unref(pool);
}

/* ---- many threads ---- */

struct client {
    struct sl_pool *pool;
    struct sl_thread thread;
    atomic_int *ran, *parts;
    int rounds;
};

static void part_of_task(void *arg, int64_t part) {
    (void)part;
    atomic_fetch_add(((struct client *)arg)->parts, 1);
}

static void client_task(void *arg) {
    struct client *client = arg;
    sl_pool_parallel(client->pool, 3, part_of_task, client);
    atomic_fetch_add(client->ran, 1);
}

static void client_main(void *arg) {
    struct client *client = arg;
    for (int i = 0; i < client->rounds; i++) {
        sl_pool_submit(client->pool, client_task, client);
        if (i % 4 == 0) sl_pool_parallel(client->pool, 4, part_of_task, client);
        if (i % 64 == 0) sl_sleep_ns(50000); /* let workers sleep now and then */
    }
}

static void run_clients(struct sl_pool *pool, int n, int rounds) {
    atomic_int ran = 0, parts = 0;
    struct client clients[8];
    for (int i = 0; i < n; i++) {
        clients[i] = (struct client){pool, .ran = &ran, .parts = &parts, .rounds = rounds};
        assert_ok(err, sl_thread_start(&clients[i].thread, "client", 0, client_main, &clients[i], &err));
    }
    for (int i = 0; i < n; i++) sl_thread_join(&clients[i].thread);
    wait_for(&ran, n * rounds);
    assert_int_equal(atomic_load(&parts), n * (rounds * 3 + (rounds + 3) / 4 * 4));
}

static void many_threads_share_a_pool(void **state) {
    (void)state;
    for (int threads = 1; threads <= 8; threads *= 2) {
        struct sl_pool *pool = make_pool(threads);
        run_clients(pool, 6, 200 * WORK);
        sl_pool_unref(pool);
    }
}

static void spinning_or_not_is_all_the_same(void **state) {
    (void)state;
    static const char *const times[] = {"0", "500"};
    for (int i = 0; i < 2; i++) {
        setenv("SLUICE_SPIN_US", times[i], 1);
        struct sl_pool *pool = make_pool(4);
        run_clients(pool, 3, 100 * WORK);
        sl_pool_unref(pool);
    }
    unsetenv("SLUICE_SPIN_US");
}

/* ---- ends ---- */

static void pools_come_and_go(void **state) {
    (void)state;
    for (int round = 0; round < 30 * WORK; round++) {
        struct sl_pool *pool = make_pool(1 + round % 5);
        int marks[6] = {0};
        if (round % 3) sl_pool_parallel(pool, 6, mark_part, marks);
        if (round % 7 == 0) sl_sleep_ns(200000); /* workers sleep, or not yet */
        sl_pool_unref(pool);
    }
}

static void the_last_reference_waits_for_queued_tasks(void **state) {
    (void)state;
    for (int round = 0; round < 20 * WORK; round++) {
        struct tree tree = {make_pool(3), 0, 20};
        for (int i = 0; i < 10; i++) {
            struct twig *root = malloc(sizeof *root);
            *root = (struct twig){&tree, 1};
            sl_pool_submit(tree.pool, twig_task, root);
        }
        sl_pool_unref(tree.pool);
        assert_int_equal(atomic_load(&tree.ran), 210);
    }
}

struct last {
    struct sl_pool *pool;
    atomic_int ran;
};

static void drop_task(void *arg) {
    struct last *last = arg;
    sl_pool_unref(last->pool);
    atomic_store(&last->ran, 1);
}

static void a_task_may_drop_the_last_reference(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct last last = {make_pool(4), 0};
        atomic_int others = 0;
        for (int i = 0; i < round; i++) sl_pool_submit(last.pool, count_task, &others);
        sl_pool_ref(last.pool);
        sl_pool_submit(last.pool, drop_task, &last);
        sl_pool_unref(last.pool);
        wait_for(&last.ran, 1);
        wait_for(&others, round);
    }
    sl_sleep_ns(20000000); /* the pools end behind our back; a leak checker looks when we exit */
}

static void bad_and_large_numbers(void **state) {
    (void)state;
    struct sl_pool *pool;
    assert_fails(err, SL_INVALID_ARGUMENT, "-1 threads", sl_pool_create(&pool, -1, &err));
    assert_ok(err, sl_pool_create(&pool, 100000, &err));
    assert_int_equal(sl_pool_threads(pool), SL_POOL_THREADS_MAX);
    sl_pool_unref(pool);
    sl_pool_unref(NULL);
}

/* ---- processes ---- */

static int exit_status(pid_t child) {
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

static void the_environment_sizes_the_shared_pool(void **state) {
    (void)state;
    pid_t child = fork(); /* the shared pool does not exist yet */
    if (child == 0) {
        setenv("SLUICE_THREADS", "3", 1);
        struct sl_pool *pool = sl_pool_shared();
        _exit(sl_pool_threads(pool) == 3 && sl_pool_shared() == pool && sl_pool_started(pool) == 0 ? 0 : 1);
    }
    assert_int_equal(exit_status(child), 0);
    assert_true(sl_pool_threads(sl_pool_shared()) >= 1);
    sl_pool_unref(sl_pool_ref(sl_pool_shared())); /* does nothing */
}

/* What a forked child does: 0 when all is well. */
static int use_in_child(struct sl_pool *pool) {
    alarm(60); /* a child that hangs is a failure */
    int marks[50] = {0};
    if (sl_pool_started(pool) != 0) return 3;
    if (!CHILD_THREADS) {
        sl_pool_unref(pool);
        return 0;
    }
    sl_pool_parallel(pool, 50, mark_part, marks);
    for (int i = 0; i < 50; i++)
        if (marks[i] != 1) return 1;
    atomic_int ran = 0;
    for (int i = 0; i < 100; i++) sl_pool_submit(pool, count_task, &ran);
    wait_for(&ran, 100);
    struct sl_pool *other;
    if (sl_pool_create(&other, 3, NULL) != SL_OK) return 2;
    sl_pool_parallel(other, 50, mark_part, marks);
    sl_pool_unref(other);
    sl_pool_unref(pool);
    return 0;
}

static void a_forked_child_can_use_the_pools(void **state) {
    (void)state;
    struct sl_pool *pool = make_pool(4);
    for (int round = 0; round < 6; round++) {
        int marks[8] = {0};
        if (round) sl_pool_parallel(pool, 8, mark_part, marks);
        if (round % 2) sl_sleep_ns(3000000); /* fork with sleeping workers */
        pid_t child = fork();
        if (child == 0) _exit(use_in_child(pool));
        assert_int_equal(exit_status(child), 0);
    }
    sl_pool_unref(pool);
}

struct busy {
    struct sl_pool *pool;
    struct sl_thread thread;
    atomic_int *stop;
};

static void busy_main(void *arg) {
    struct busy *busy = arg;
    atomic_int ran = 0;
    int wanted = 0, marks[8] = {0};
    while (!atomic_load(busy->stop)) {
        sl_pool_submit(busy->pool, count_task, &ran);
        sl_pool_parallel(busy->pool, 8, mark_part, marks);
        wanted++;
    }
    wait_for(&ran, wanted);
}

static void a_child_forked_in_the_thick_of_it_does_not_hang(void **state) {
    (void)state;
    struct sl_pool *pool = make_pool(4);
    atomic_int stop = 0;
    struct busy busy[2] = {{pool, .stop = &stop}, {pool, .stop = &stop}};
    for (int i = 0; i < 2; i++) assert_ok(err, sl_thread_start(&busy[i].thread, "busy", 0, busy_main, &busy[i], &err));
    int worst = 0;
    for (int round = 0; round < 5 * WORK; round++) {
        pid_t child = fork();
        if (child == 0) _exit(use_in_child(pool));
        int status = exit_status(child);
        if (status > worst) worst = status;
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++) sl_thread_join(&busy[i].thread);
    sl_pool_unref(pool);
    assert_int_equal(worst, 0);
}

struct flood {
    struct sl_pool *pool;
    struct sl_thread thread;
    struct gate gate; /* keeps the only worker busy, so that tasks queue up */
    atomic_int begun, done, ran;
};

enum { MOST_CHILDREN = 64, FLOOD = 300000 };

static void flood_main(void *arg) {
    struct flood *flood = arg;
    atomic_store(&flood->begun, 1);
    for (int i = 0; i < FLOOD; i++) sl_pool_submit(flood->pool, count_task, &flood->ran);
    atomic_store(&flood->done, 1);
}

static int queue_in_child(struct sl_pool *pool) {
    alarm(60);
    if (!CHILD_THREADS || !CHILD_ALLOCATES) return 0;
    atomic_int ran = 0;
    sl_pool_submit(pool, count_task, &ran);
    wait_for(&ran, 1);
    return 0;
}

/* The queue is in order in the child, wherever the parent was in making it longer. */
static void a_child_forked_while_the_queue_grows_has_a_queue(void **state) {
    (void)state;
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 4096); /* what a queue had before goes back to the system, and is not there any more */
#endif
    int worst = 0;
    for (int round = 0; round < 2 * WORK; round++) {
        struct flood flood = {.pool = make_pool(2), .gate = {.wanted = 2}};
        sl_pool_submit(flood.pool, gate_task, &flood.gate);
        assert_ok(err, sl_thread_start(&flood.thread, "flood", 0, flood_main, &flood, &err));
        wait_for(&flood.begun, 1);
        pid_t children[MOST_CHILDREN];
        int n = 0;
        while (n < MOST_CHILDREN && !atomic_load(&flood.done)) {
            children[n] = fork();
            if (children[n++] == 0) _exit(queue_in_child(flood.pool));
        }
        for (int i = 0; i < n; i++) {
            int status = exit_status(children[i]);
            if (status > worst) worst = status;
        }
        atomic_fetch_add(&flood.gate.here, 1);
        sl_thread_join(&flood.thread);
        wait_for(&flood.ran, FLOOD);
        sl_pool_unref(flood.pool);
    }
    assert_int_equal(worst, 0);
}

struct forking {
    struct sl_pool *pool;
    atomic_int done, status;
};

static void forking_task(void *arg) {
    struct forking *forking = arg;
    pid_t child = fork();
    if (child == 0) _exit(sl_pool_is_worker(forking->pool) ? 4 : use_in_child(forking->pool));
    atomic_store(&forking->status, exit_status(child));
    atomic_store(&forking->done, 1);
}

static void a_task_may_fork(void **state) {
    (void)state;
    struct forking forking = {make_pool(3), 0, 99};
    sl_pool_submit(forking.pool, forking_task, &forking);
    wait_for(&forking.done, 1);
    assert_int_equal(atomic_load(&forking.status), 0);
    sl_pool_unref(forking.pool);
}

/* The scenario of the test below, in a process of its own. */
static int short_of_memory(void) {
    struct sl_pool *pool;
    sl_code code = sl_pool_create(&pool, 3, NULL);
    if (code != SL_OK) return code == SL_RESOURCE_EXHAUSTED ? 0 : 1;
    atomic_int ran = 0;
    for (int i = 0; i < 1000; i++) sl_pool_submit(pool, count_task, &ran);
    struct chain chain = {sl_pool_shared(), 1000, NULL, 0};
    sl_pool_submit(chain.pool, chain_task, &chain);
    wait_for(&ran, 1000);
    sl_pool_unref(pool);
    return 0;
}

static void no_memory_means_no_harm(void **state) {
    (void)state;
    for (int n = 1; n <= 12; n++) {
        pid_t child = fork();
        if (child == 0) {
            char text[16];
            snprintf(text, sizeof text, "%d", n);
            setenv("SLUICE_ALLOC_FAIL", text, 1);
            setenv("SLUICE_THREADS", "1", 1);
            execl("/proc/self/exe", "test", "short_of_memory", (char *)NULL);
            _exit(100);
        }
        assert_int_equal(exit_status(child), 0);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "short_of_memory") == 0) return short_of_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_sizes_the_shared_pool),
        cmocka_unit_test(a_pool_without_workers_uses_the_caller),
        cmocka_unit_test(a_long_chain_on_the_caller_does_not_nest_without_end),
        cmocka_unit_test(nothing_starts_before_it_is_needed),
        cmocka_unit_test(every_part_runs_once),
        cmocka_unit_test(all_threads_take_part),
        cmocka_unit_test(who_is_put_aside_again_and_again_is_not_asked),
        cmocka_unit_test(nobody_spins_and_fewer_help_for_a_while),
        cmocka_unit_test(tasks_submit_tasks),
        cmocka_unit_test(no_task_lies_while_a_worker_sleeps),
        cmocka_unit_test(tasks_of_a_busy_worker_are_taken_by_others),
        cmocka_unit_test(a_task_that_submits_itself_starves_nobody),
        cmocka_unit_test(parallel_nests),
        cmocka_unit_test(who_waits_for_long_parts_helps),
        cmocka_unit_test(parallel_nests_deeper_than_there_are_slots),
        cmocka_unit_test(many_threads_share_a_pool),
        cmocka_unit_test(spinning_or_not_is_all_the_same),
        cmocka_unit_test(pools_come_and_go),
        cmocka_unit_test(the_last_reference_waits_for_queued_tasks),
        cmocka_unit_test(a_task_may_drop_the_last_reference),
        cmocka_unit_test(bad_and_large_numbers),
        cmocka_unit_test(a_forked_child_can_use_the_pools),
        cmocka_unit_test(a_child_forked_in_the_thick_of_it_does_not_hang),
        cmocka_unit_test(a_child_forked_while_the_queue_grows_has_a_queue),
        cmocka_unit_test(a_task_may_fork),
        cmocka_unit_test(no_memory_means_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
