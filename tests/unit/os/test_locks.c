/* os/mutex, park, once, thread, clock: who waits, who wakes, by which clock. */
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "os/clock.h"
#include "os/mutex.h"
#include "os/once.h"
#include "os/park.h"
#include "os/thread.h"
#include "unit/unit.h"

static struct sl_error err;

static const int64_t MS = 1000000;

static void clocks_go_forward(void **state) {
    (void)state;
    int64_t start = sl_clock_ns();
    sl_sleep_ns(2 * MS);
    sl_sleep_ns(0);
    sl_sleep_ns(-1);
    assert_true(sl_clock_ns() - start >= 2 * MS);
    assert_true(sl_wall_us() > 1600000000000000); /* after 2020 */
}

struct body {
    struct sl_thread thread;
    char name[16];
    bool signals_blocked;
};

static void look_around(void *arg) {
    struct body *body = arg;
    pthread_getname_np(pthread_self(), body->name, sizeof body->name);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    body->signals_blocked = sigismember(&blocked, SIGINT) == 1;
}

static void a_thread_has_its_name_and_no_signals(void **state) {
    (void)state;
    struct body body = {.signals_blocked = false};
    assert_ok(err, sl_thread_start(&body.thread, "a name that is too long", 100000, look_around, &body, &err));
    sl_thread_join(&body.thread);
    assert_string_equal(body.name, "a name that is ");
    assert_true(body.signals_blocked);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    assert_false(sigismember(&blocked, SIGINT));
}

static void a_thread_that_cannot_be_is_an_error(void **state) {
    (void)state;
    struct body body;
    assert_fails(err, SL_RESOURCE_EXHAUSTED, "'huge'",
                 sl_thread_start(&body.thread, "huge", SIZE_MAX / 4, look_around, &body, &err));
}

static struct sl_mutex static_mutex = SL_MUTEX_INIT;
static struct sl_condition static_cond = SL_CONDITION_INIT;
static int turns;

static void take_odd_turns(void *arg) {
    (void)arg;
    sl_mutex_lock(&static_mutex);
    while (turns < 100) {
        if (turns % 2) {
            turns++;
            sl_condition_broadcast(&static_cond);
        } else {
            sl_condition_wait(&static_cond, &static_mutex);
        }
    }
    sl_mutex_unlock(&static_mutex);
}

static void two_threads_take_turns(void **state) {
    (void)state;
    struct sl_thread thread;
    assert_ok(err, sl_thread_start(&thread, "odd", 0, take_odd_turns, NULL, &err));
    sl_mutex_lock(&static_mutex);
    while (turns < 100) {
        if (turns % 2 == 0) {
            turns++;
            sl_condition_signal(&static_cond);
        } else {
            sl_condition_wait(&static_cond, &static_mutex);
        }
    }
    sl_mutex_unlock(&static_mutex);
    sl_thread_join(&thread);
    assert_int_equal(turns, 100);
}

static void a_timed_wait_ends(void **state) {
    (void)state;
    struct sl_mutex mutex;
    struct sl_condition cond;
    sl_mutex_init(&mutex);
    sl_condition_init(&cond);
    assert_true(sl_mutex_try(&mutex));
    int64_t deadline = sl_clock_ns() + 5 * MS;
    while (sl_condition_wait_until(&cond, &mutex, deadline)) {}
    assert_true(sl_clock_ns() >= deadline);
    assert_false(sl_condition_wait_until(&cond, &mutex, sl_clock_ns() - 1)); /* past */
    sl_mutex_unlock(&mutex);
    sl_condition_clear(&cond);
    sl_mutex_clear(&mutex);
}

static struct sl_rwlock rwlock = SL_RWLOCK_INIT;
static int written;

static void write_often(void *arg) {
    (void)arg;
    for (int i = 0; i < 1000; i++) {
        sl_rwlock_write(&rwlock);
        written++;
        sl_rwlock_unlock(&rwlock);
    }
}

static void readers_see_whole_writes(void **state) {
    (void)state;
    struct sl_thread threads[2];
    for (int i = 0; i < 2; i++) assert_ok(err, sl_thread_start(&threads[i], "writer", 0, write_often, NULL, &err));
    for (int last = 0, now = 0; now < 2000; last = now) {
        sl_rwlock_read(&rwlock);
        now = written;
        sl_rwlock_unlock(&rwlock);
        assert_true(now >= last);
    }
    for (int i = 0; i < 2; i++) sl_thread_join(&threads[i]);
}

static void parking_looks_at_the_word_and_the_clock(void **state) {
    (void)state;
    sl_park_word word = 1;
    assert_true(sl_park(&word, 0, 0)); /* differs: returns */
    int64_t deadline = sl_clock_ns() + 3 * MS;
    while (sl_park(&word, 1, deadline)) {}
    assert_true(sl_clock_ns() >= deadline);
    sl_unpark(&word, 1); /* nobody there */
}

struct ball {
    sl_park_word side;
    int plain; /* handed over with the word */
};

static void play(struct ball *ball, uint32_t mine) {
    for (int i = 0; i < 500; i++) {
        while (atomic_load(&ball->side) != mine) sl_park(&ball->side, 1 - mine, 0);
        ball->plain++;
        atomic_store(&ball->side, 1 - mine);
        sl_unpark(&ball->side, 1);
    }
}

static void play_one(void *arg) { play(arg, 1); }

static void parked_threads_hand_a_word_to_each_other(void **state) {
    (void)state;
    struct ball ball = {0, 0};
    struct sl_thread thread;
    assert_ok(err, sl_thread_start(&thread, "other", 0, play_one, &ball, &err));
    play(&ball, 0);
    sl_thread_join(&thread);
    assert_int_equal(ball.plain, 1000);
}

struct making {
    struct sl_once once;
    int tries, value;
};

static sl_code make_at_third_try(void *arg, struct sl_error *e) {
    struct making *making = arg;
    if (++making->tries < 3) return sl_fail(e, SL_UNAVAILABLE, "try %d", making->tries);
    making->value = 42;
    return SL_OK;
}

static void once_means_until_it_succeeds(void **state) {
    (void)state;
    struct making making = {SL_ONCE_INIT, 0, 0};
    assert_fails(err, SL_UNAVAILABLE, "try 1", sl_once_run(&making.once, make_at_third_try, &making, &err));
    assert_fails(err, SL_UNAVAILABLE, "try 2", sl_once_run(&making.once, make_at_third_try, &making, &err));
    for (int i = 0; i < 3; i++) assert_ok(err, sl_once_run(&making.once, make_at_third_try, &making, &err));
    assert_int_equal(making.tries, 3);
}

static void read_after_once(void *arg) {
    struct making *making = arg;
    while (sl_once_run(&making->once, make_at_third_try, making, NULL) != SL_OK) {}
    if (making->value != 42) abort();
}

static void everybody_sees_what_once_made(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct making making = {SL_ONCE_INIT, 0, 0};
        struct sl_thread threads[4];
        for (int i = 0; i < 4; i++)
            assert_ok(err, sl_thread_start(&threads[i], "reader", 0, read_after_once, &making, &err));
        for (int i = 0; i < 4; i++) sl_thread_join(&threads[i]);
        assert_int_equal(making.tries, 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_go_forward),
        cmocka_unit_test(a_thread_has_its_name_and_no_signals),
        cmocka_unit_test(a_thread_that_cannot_be_is_an_error),
        cmocka_unit_test(two_threads_take_turns),
        cmocka_unit_test(a_timed_wait_ends),
        cmocka_unit_test(readers_see_whole_writes),
        cmocka_unit_test(parking_looks_at_the_word_and_the_clock),
        cmocka_unit_test(parked_threads_hand_a_word_to_each_other),
        cmocka_unit_test(once_means_until_it_succeeds),
        cmocka_unit_test(everybody_sees_what_once_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
