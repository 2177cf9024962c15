/* os/event_loop, poller and timer_heap: echo over many connections, halves that close, timers in order, posting from
 * threads, what callbacks end, by epoll and by poll. Meant for the thread sanitizer as well. */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/event_loop.h"
#include "os/fault.h"
#include "os/socket.h"
#include "os/thread.h"
#include "unit/unit.h"

static struct sl_error err;

static struct sl_event_loop *make_loop(bool is_portable) {
    struct sl_event_loop *loop;
    assert_ok(err, sl_event_loop_new(&loop, is_portable, &err));
    return loop;
}

/* Each test by both ways to wait. */
#define BOTH_WAYS(name)                                                                                                \
    static void name##_by(bool is_portable);                                                                           \
    static void name(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        for (int way = 0; way < 2; way++) name##_by(way);                                                              \
    }                                                                                                                  \
    static void name##_by(bool is_portable)

/* ---- timers */

enum { TIMERS = 500 };

static void heaps_keep_their_order(void **state) {
    (void)state;
    static struct sl_timer timers[TIMERS];
    struct sl_timer_heap heap = {.n_set = 0};
    uint64_t random = 1;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < TIMERS; i++) { /* set, moved, cancelled */
            random = random * 6364136223846793005u + 1442695040888963407u;
            struct sl_timer *t = &timers[random >> 33 & 255];
            if ((random >> 50 & 3) == 0) sl_timer_heap_cancel(&heap, t);
            else assert_int_equal(sl_timer_heap_set(&heap, t, (int64_t)(random >> 40 & 63)), 0);
        }
        size_t n = 0;
        for (int i = 0; i < TIMERS; i++) n += sl_timer_is_set(&timers[i]);
        assert_int_equal(heap.timers.n, n);
        const struct sl_timer *last = NULL;
        for (struct sl_timer *t; (t = sl_timer_heap_first(&heap)); last = t, n--) {
            assert_true(!last || last->at_ns < t->at_ns || (last->at_ns == t->at_ns && last->order < t->order));
            sl_timer_heap_cancel(&heap, t);
            assert_false(sl_timer_is_set(t));
        }
        assert_int_equal(n, 0);
    }
    sl_vec_free(&heap.timers);
}

struct clockwork {
    struct sl_event_loop *loop;
    struct sl_timer timers[6];
    int order[16], n;
    int64_t begin;
};
struct hand {
    struct clockwork *of;
    int number;
};

static void strike(void *arg) {
    struct hand *h = arg;
    struct clockwork *c = h->of;
    c->order[c->n++] = h->number;
    if (h->number == 1) sl_event_loop_cancel_timer(c->loop, &c->timers[2]); /* due at the same time */
    if (h->number == 3 && c->n < 3) /* again, and due already: in another round */
        assert_ok(err, sl_event_loop_set_timer(c->loop, &c->timers[3], c->begin, &err));
    if (h->number == 5) sl_event_loop_stop(c->loop);
}

BOTH_WAYS(timers_fire_in_order_and_not_too_early) {
    struct clockwork c = {.loop = make_loop(is_portable), .begin = sl_clock_ns()};
    struct hand hands[6];
    const int64_t after_ms[] = {20, 10, 10, 5, 15, 30};
    for (int i = 0; i < 6; i++) {
        hands[i] = (struct hand){&c, i};
        c.timers[i] = (struct sl_timer){.fire = strike, .arg = &hands[i]};
        assert_ok(err, sl_event_loop_set_timer(c.loop, &c.timers[i], c.begin + after_ms[i] * 1000000, &err));
    }
    assert_ok(err, sl_event_loop_set_timer(c.loop, &c.timers[4], c.begin + 25000000, &err)); /* moved */
    assert_ok(err, sl_event_loop_run(c.loop, &err));
    assert_true(sl_clock_ns() - c.begin >= 30000000);
    const int wanted[] = {3, 3, 3, 1, 0, 4, 5};
    assert_int_equal(c.n, 7);
    assert_memory_equal(c.order, wanted, sizeof wanted);
    sl_event_loop_free(c.loop);
}

/* ---- echo: a server and many clients in one loop */

enum { CLIENTS = 200, MESSAGE = 30000 };

struct echo;
/* A connection: what it still has to write lies between `sent` and `got`. */
struct end {
    struct echo *of;
    struct sl_loop_watch watch;
    char *data;
    size_t sent, got;
    bool has_finished;
};
struct echo {
    struct sl_event_loop *loop;
    struct sl_loop_watch listener;
    struct sl_address at;
    struct end clients[CLIENTS], servers[CLIENTS];
    int n_servers, n_open;
};

static void end_close(struct end *e) {
    sl_event_loop_unwatch(e->of->loop, &e->watch);
    sl_socket_close(e->watch.fd);
    free(e->data);
    e->data = NULL;
    if (--e->of->n_open == 0) sl_event_loop_stop(e->of->loop);
}

/* Writes what there is; then a client has said all, a server when its client has. */
static void end_write(struct end *e, size_t upto, bool is_all) {
    ptrdiff_t n = 1;
    while (e->sent < upto && n > 0) {
        const struct sl_socket_piece piece = {e->data + e->sent, upto - e->sent};
        assert_ok(err, sl_socket_write(&n, e->watch.fd, &piece, 1, &err));
        if (n > 0) e->sent += (size_t)n;
    }
    if (e->sent == upto && is_all && !e->has_finished) {
        assert_ok(err, sl_socket_finish(e->watch.fd, &err));
        e->has_finished = true;
    }
    unsigned what = SL_POLL_READ | (e->sent < upto ? SL_POLL_WRITE : 0);
    assert_ok(err, sl_event_loop_watch(e->of->loop, &e->watch, what, &err));
}

static void server_ready(void *arg, unsigned what) {
    struct end *e = arg;
    ptrdiff_t n = 1;
    bool is_all = false;
    while (what & SL_POLL_READ && n > 0) {
        assert_ok(err, sl_socket_read(&n, e->watch.fd, e->data + e->got, MESSAGE + 1 - e->got, &err));
        if (n > 0) e->got += (size_t)n;
        is_all = n == SL_SOCKET_END;
    }
    end_write(e, e->got, is_all);
    if (e->has_finished) end_close(e);
}

static void client_ready(void *arg, unsigned what) {
    struct end *e = arg;
    char block[4096];
    ptrdiff_t n = 1;
    if (e->sent == 0) assert_ok(err, sl_socket_connected(e->watch.fd, &e->of->at, &err));
    while (what & SL_POLL_READ && n > 0) {
        assert_ok(err, sl_socket_read(&n, e->watch.fd, block, sizeof block, &err));
        if (n > 0) assert_memory_equal(block, e->data + e->got, (size_t)n);
        if (n > 0) e->got += (size_t)n;
    }
    if (n == SL_SOCKET_END) {
        assert_int_equal(e->got, MESSAGE);
        end_close(e);
    } else if (!e->has_finished) {
        end_write(e, MESSAGE, true);
    }
}

static void listener_ready(void *arg, unsigned what) {
    struct echo *echo = arg;
    assert_true(what & SL_POLL_READ);
    for (;;) {
        int fd;
        assert_ok(err, sl_socket_accept(&fd, NULL, echo->listener.fd, &err));
        if (fd < 0) return;
        struct end *e = &echo->servers[echo->n_servers++];
        *e =
            (struct end){.of = echo, .watch = {.fd = fd, .ready = server_ready, .arg = e}, .data = malloc(MESSAGE + 1)};
        assert_ok(err, sl_event_loop_watch(echo->loop, &e->watch, SL_POLL_READ, &err));
    }
}

BOTH_WAYS(many_connections_are_served_side_by_side) {
    struct echo *echo = calloc(1, sizeof *echo);
    struct sl_address at;
    int n;
    echo->loop = make_loop(is_portable);
    echo->listener = (struct sl_loop_watch){.ready = listener_ready, .arg = echo};
    assert_ok(err, sl_address_resolve(&at, &n, 1, "127.0.0.1:0", &err));
    assert_ok(err, sl_socket_listen(&echo->listener.fd, &at, &err));
    assert_ok(err, sl_socket_local(&echo->at, echo->listener.fd, &err));
    assert_ok(err, sl_event_loop_watch(echo->loop, &echo->listener, SL_POLL_READ, &err));
    for (int i = 0; i < CLIENTS; i++) {
        struct end *e = &echo->clients[i];
        bool is_done;
        *e = (struct end){.of = echo, .watch = {.ready = client_ready, .arg = e}, .data = malloc(MESSAGE)};
        for (int b = 0; b < MESSAGE; b++) e->data[b] = (char)(b * 7 + i);
        assert_ok(err, sl_socket_connect(&e->watch.fd, &is_done, &echo->at, &err));
        assert_ok(err, sl_event_loop_watch(echo->loop, &e->watch, SL_POLL_WRITE, &err));
    }
    echo->n_open = 2 * CLIENTS;
    assert_ok(err, sl_event_loop_run(echo->loop, &err));
    assert_int_equal(echo->n_servers, CLIENTS);
    sl_event_loop_unwatch(echo->loop, &echo->listener);
    sl_socket_close(echo->listener.fd);
    sl_event_loop_free(echo->loop);
    free(echo);
}

/* ---- ports that refuse, peers that go */

struct outcome {
    struct sl_event_loop *loop;
    struct sl_loop_watch watch;
    unsigned what;
    int times;
};

static void note_and_stop(void *arg, unsigned what) {
    struct outcome *o = arg;
    o->what = what;
    o->times++;
    sl_event_loop_unwatch(o->loop, &o->watch);
    sl_event_loop_stop(o->loop);
}

BOTH_WAYS(a_refused_connection_is_told) {
    struct outcome o = {.loop = make_loop(is_portable)};
    struct sl_address at;
    int n, listener;
    bool is_done;
    assert_ok(err, sl_address_resolve(&at, &n, 1, "127.0.0.1:0", &err));
    assert_ok(err, sl_socket_listen(&listener, &at, &err));
    assert_ok(err, sl_socket_local(&at, listener, &err));
    sl_socket_close(listener);
    o.watch = (struct sl_loop_watch){.ready = note_and_stop, .arg = &o};
    if (sl_socket_connect(&o.watch.fd, &is_done, &at, &err) == SL_OK) {
        assert_ok(err, sl_event_loop_watch(o.loop, &o.watch, SL_POLL_WRITE, &err));
        assert_ok(err, sl_event_loop_run(o.loop, &err));
        assert_true(o.what & (SL_POLL_WRITE | SL_POLL_GONE));
        assert_fails(err, SL_UNAVAILABLE, "; Connection refused", sl_socket_connected(o.watch.fd, &at, &err));
        sl_socket_close(o.watch.fd);
    }
    sl_event_loop_free(o.loop);
}

/* One half: what the peer has written is told as READ, and its end; both: GONE, even when nothing is asked for. */
BOTH_WAYS(halves_that_close_are_told) {
    for (int both = 0; both < 2; both++) {
        struct outcome o = {.loop = make_loop(is_portable)};
        int pair[2];
        ptrdiff_t n;
        char byte;
        assert_ok(err, sl_socket_pair(pair, &err));
        o.watch = (struct sl_loop_watch){.fd = pair[0], .ready = note_and_stop, .arg = &o};
        assert_ok(err, sl_event_loop_watch(o.loop, &o.watch, both ? 0 : SL_POLL_READ, &err));
        if (both) sl_socket_close(pair[1]);
        else assert_ok(err, sl_socket_finish(pair[1], &err));
        assert_ok(err, sl_event_loop_run(o.loop, &err));
        assert_true(both ? o.what & SL_POLL_GONE : o.what & SL_POLL_READ);
        assert_ok(err, sl_socket_read(&n, pair[0], &byte, 1, &err));
        assert_int_equal(n, SL_SOCKET_END);
        sl_socket_close(pair[0]);
        if (!both) sl_socket_close(pair[1]);
        sl_event_loop_free(o.loop);
    }
}

/* ---- what a callback ends is not told any more, though it is ready in the same round */

struct pair_of_watches {
    struct sl_event_loop *loop;
    struct sl_loop_watch watches[2];
    int told;
};

static void end_both(void *arg, unsigned what) {
    struct pair_of_watches *p = arg;
    (void)what;
    p->told++;
    for (int i = 0; i < 2; i++) {
        sl_event_loop_unwatch(p->loop, &p->watches[i]);
        sl_socket_close(p->watches[i].fd);
        memset(&p->watches[i], 0, sizeof p->watches[i]);
    }
    sl_event_loop_stop(p->loop);
}

BOTH_WAYS(what_is_ended_is_not_told) {
    struct pair_of_watches p = {.loop = make_loop(is_portable)};
    int fds[2];
    ptrdiff_t n;
    const struct sl_socket_piece piece = {"x", 1};
    assert_ok(err, sl_socket_pair(fds, &err));
    for (int i = 0; i < 2; i++) {
        assert_ok(err, sl_socket_write(&n, fds[i], &piece, 1, &err));
        p.watches[i] = (struct sl_loop_watch){.fd = fds[i], .ready = end_both, .arg = &p};
        assert_ok(err, sl_event_loop_watch(p.loop, &p.watches[i], SL_POLL_READ, &err));
    }
    assert_ok(err, sl_event_loop_run(p.loop, &err));
    assert_int_equal(p.told, 1);
    sl_event_loop_free(p.loop);
}

/* ---- posting */

enum { POSTERS = 4, POSTS = 5000 };

struct posted {
    struct sl_loop_task task;
    struct office *office;
    int poster, number;
};
struct office {
    struct sl_event_loop *loop;
    struct posted tasks[POSTERS][POSTS];
    int next[POSTERS], n; /* the loop's thread alone */
};
struct poster {
    struct office *office;
    int number;
    struct sl_thread thread;
};

static void receive(struct sl_loop_task *task) {
    struct posted *p = (struct posted *)task;
    struct office *o = p->office;
    assert_int_equal(o->next[p->poster]++, p->number); /* each thread's in its order */
    if (++o->n == POSTERS * POSTS) sl_event_loop_stop(o->loop);
}

static void post_all(void *arg) {
    struct poster *p = arg;
    for (int i = 0; i < POSTS; i++) {
        struct posted *task = &p->office->tasks[p->number][i];
        *task = (struct posted){{receive, NULL}, p->office, p->number, i};
        sl_event_loop_post(p->office->loop, &task->task);
        if (i % 100 == 0) sl_sleep_ns(50000); /* so that the loop falls asleep between */
    }
}

BOTH_WAYS(tasks_come_from_any_thread_in_order) {
    struct office *o = calloc(1, sizeof *o);
    struct poster posters[POSTERS];
    o->loop = make_loop(is_portable);
    for (int i = 0; i < POSTERS; i++) {
        posters[i] = (struct poster){.office = o, .number = i};
        assert_ok(err, sl_thread_start(&posters[i].thread, "poster", 0, post_all, &posters[i], &err));
    }
    assert_ok(err, sl_event_loop_run(o->loop, &err));
    for (int i = 0; i < POSTERS; i++) sl_thread_join(&posters[i].thread);
    assert_int_equal(o->n, POSTERS * POSTS);
    sl_event_loop_free(o->loop);
    free(o);
}

/* One wakes the other, and waits for the answer, often: a lost wake would last for ever. */
struct tennis {
    struct sl_loop_task task; /* first */
    struct sl_event_loop *here, *there;
    int left;
    struct tennis *other;
};

static void hit(struct sl_loop_task *task) {
    struct tennis *t = (struct tennis *)task, *other = t->other;
    if (t->left-- > 0) sl_event_loop_post(t->there, &other->task);
    if (t->left <= 0) sl_event_loop_stop(t->here);
}

static void play(void *arg) {
    struct tennis *t = arg;
    struct sl_error own;
    assert_ok(own, sl_event_loop_run(t->here, &own));
}

BOTH_WAYS(loops_wake_each_other) {
    struct tennis a, b;
    struct sl_thread thread;
    struct sl_event_loop *first = make_loop(is_portable), *second = make_loop(is_portable);
    a = (struct tennis){{hit, NULL}, first, second, 5000, &b};
    b = (struct tennis){{hit, NULL}, second, first, 5000, &a};
    sl_event_loop_post(first, &a.task);
    assert_ok(err, sl_thread_start(&thread, "player", 0, play, &b, &err));
    play(&a);
    sl_thread_join(&thread);
    sl_event_loop_free(first);
    sl_event_loop_free(second);
}

/* A task that posts itself is not run twice in a round: others have their turn. What is left runs when the loop is
 * freed. */
struct repeater {
    struct sl_loop_task task;
    struct sl_event_loop *loop;
    struct sl_timer timer;
    int n;
    bool has_fired;
};

static void repeat(struct sl_loop_task *task) {
    struct repeater *r = (struct repeater *)task;
    r->n++;
    if (!r->has_fired) sl_event_loop_post(r->loop, &r->task);
}

static void end_repeating(void *arg) {
    struct repeater *r = arg;
    r->has_fired = true;
    sl_event_loop_stop(r->loop);
}

BOTH_WAYS(nobody_is_starved) {
    struct repeater r = {.task = {repeat, NULL}, .loop = make_loop(is_portable), .timer = {.fire = end_repeating}};
    r.timer.arg = &r;
    sl_event_loop_post(r.loop, &r.task);
    assert_ok(err, sl_event_loop_set_timer(r.loop, &r.timer, sl_clock_ns() + 2000000, &err));
    assert_ok(err, sl_event_loop_run(r.loop, &err));
    assert_true(r.n > 1);
    int before = r.n;
    sl_event_loop_post(r.loop, &r.task);
    sl_event_loop_free(r.loop);
    assert_int_equal(r.n, before + 1);
}

BOTH_WAYS(a_loop_can_be_stopped_before_it_runs_and_run_again) {
    struct sl_event_loop *loop = make_loop(is_portable);
    for (int i = 0; i < 3; i++) {
        sl_event_loop_stop(loop);
        assert_ok(err, sl_event_loop_run(loop, &err));
    }
    sl_event_loop_free(loop);
}

/* ---- processes and failures */

BOTH_WAYS(a_forked_child_does_not_run_it) {
    struct sl_event_loop *loop = make_loop(is_portable);
    pid_t child = fork();
    if (child == 0) _exit(sl_event_loop_run(loop, NULL) == SL_FAILED_PRECONDITION ? 0 : 1);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    sl_event_loop_free(loop);
}

BOTH_WAYS(failures_leave_nothing_behind) {
    struct sl_event_loop *loop;
    sl_fault_arm(0, 0, 0);
    sl_event_loop_free(make_loop(is_portable));
    int64_t calls = sl_fault_disarm();
    int next = dup(0);
    close(next);
    for (int64_t n = 1; n <= calls; n++) {
        sl_fault_arm(n, EMFILE, 0);
        assert_int_equal(sl_event_loop_new(&loop, is_portable, &err), SL_RESOURCE_EXHAUSTED);
        sl_fault_disarm();
        int again = dup(0);
        close(again);
        assert_int_equal(again, next);
    }
    loop = make_loop(is_portable);
    struct sl_loop_watch watch = {.fd = -1};
    int pair[2];
    if (!is_portable) assert_int_equal(sl_event_loop_watch(loop, &watch, SL_POLL_READ, &err), SL_FAILED_PRECONDITION);
    assert_ok(err, sl_socket_pair(pair, &err));
    struct sl_loop_watch first = {.fd = pair[0]}, second = {.fd = pair[0]};
    assert_ok(err, sl_event_loop_watch(loop, &first, SL_POLL_READ, &err));
    assert_int_equal(sl_event_loop_watch(loop, &second, SL_POLL_READ, &err), SL_ALREADY_EXISTS); /* once */
    sl_event_loop_unwatch(loop, &second);
    sl_event_loop_unwatch(loop, &first);
    sl_socket_close(pair[0]);
    sl_socket_close(pair[1]);
    sl_event_loop_free(loop);
    sl_event_loop_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_keep_their_order),
        cmocka_unit_test(timers_fire_in_order_and_not_too_early),
        cmocka_unit_test(many_connections_are_served_side_by_side),
        cmocka_unit_test(a_refused_connection_is_told),
        cmocka_unit_test(halves_that_close_are_told),
        cmocka_unit_test(what_is_ended_is_not_told),
        cmocka_unit_test(tasks_come_from_any_thread_in_order),
        cmocka_unit_test(loops_wake_each_other),
        cmocka_unit_test(nobody_is_starved),
        cmocka_unit_test(a_loop_can_be_stopped_before_it_runs_and_run_again),
        cmocka_unit_test(a_forked_child_does_not_run_it),
        cmocka_unit_test(failures_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
