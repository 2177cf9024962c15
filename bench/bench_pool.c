/* The thread pool's dispatch. Items: one sl_pool_parallel of as many empty parts as threads; one sl_pool_submit
 * until its task has run ("round_trip"); one empty task of many ("tasks"). "spinning": workers look for work all the
 * time; "sleeping": after a pause in which they went to sleep. */
#include <stdatomic.h>

#include "measure.h"
#include "os/clock.h"
#include "os/cpu.h"
#include "os/pool.h"
#include "os/thread.h"

enum { TASKS = 20000, SLEEPING_ROUNDS = 100 };

static void empty_part(void *arg, int64_t part) {
    (void)arg;
    (void)part;
}

static void count_task(void *arg) { atomic_fetch_add_explicit((atomic_long *)arg, 1, memory_order_release); }

static void wait_for(atomic_long *counter, long value) {
    while (atomic_load_explicit(counter, memory_order_acquire) < value) sl_thread_pause();
}

static void parallel(void *pool) { sl_pool_parallel(pool, sl_pool_threads(pool), empty_part, NULL); }

static void parallel_often(void *pool) {
    for (int i = 0; i < 1000; i++) parallel(pool);
}

static void round_trip(void *pool) {
    atomic_long ran = 0;
    sl_pool_submit(pool, count_task, &ran);
    wait_for(&ran, 1);
}

static void round_trip_often(void *pool) {
    for (int i = 0; i < 1000; i++) round_trip(pool);
}

static void tasks_from_outside(void *pool) {
    atomic_long ran = 0;
    for (int i = 0; i < TASKS; i++) sl_pool_submit(pool, count_task, &ran);
    wait_for(&ran, TASKS);
}

struct burst {
    struct sl_pool *pool;
    int left;
    atomic_long ran;
};

/* As a step would: some tasks at a time, then itself again. */
static void burst_task(void *arg) {
    struct burst *burst = arg;
    for (int i = 0; i < 50; i++) sl_pool_submit(burst->pool, count_task, &burst->ran);
    if ((burst->left -= 50) > 0) sl_pool_submit(burst->pool, burst_task, burst);
}

static void tasks_from_a_worker(void *pool) {
    struct burst burst = {pool, TASKS, 0};
    sl_pool_submit(pool, burst_task, &burst);
    wait_for(&burst.ran, TASKS);
}

/* As `measure`, with a pause before each run that does not count. */
static void measure_sleeping(const char *name, void (*body)(void *), void *state) {
    double taken[SLEEPING_ROUNDS];
    for (int i = 0; i < SLEEPING_ROUNDS; i++) {
        sl_sleep_ns(1000000);
        double from = measure_now();
        body(state);
        taken[i] = measure_now() - from;
    }
    qsort(taken, SLEEPING_ROUNDS, sizeof *taken, measure_compare);
    printf("%s,%.2f,%.2f,%.2f,1,%d\n", name, taken[SLEEPING_ROUNDS / 2], taken[0], taken[SLEEPING_ROUNDS * 9 / 10],
           SLEEPING_ROUNDS);
}

static const char *row(const char *what, int threads) {
    static char name[64];
    snprintf(name, sizeof name, "pool/%s/%d_threads", what, threads);
    return name;
}

static void bench(int threads) {
    struct sl_pool *pool;
    if (sl_pool_create(&pool, threads, NULL) != SL_OK) abort();
    measure(row("parallel_spinning", threads), 1000, parallel_often, pool);
    measure_sleeping(row("parallel_sleeping", threads), parallel, pool);
    measure(row("round_trip_spinning", threads), 1000, round_trip_often, pool);
    measure_sleeping(row("round_trip_sleeping", threads), round_trip, pool);
    measure(row("tasks_from_outside", threads), TASKS, tasks_from_outside, pool);
    measure(row("tasks_from_a_worker", threads), TASKS, tasks_from_a_worker, pool);
    sl_pool_unref(pool);
}

int main(void) {
    bench(1);
    bench(2);
    if (sl_cpu_count() > 2) bench(sl_cpu_count());
    return 0;
}
