/* Steps in parts that somebody else begins, watches and ends, and steps with peers: parts in any order by any
 * thread, one that fails, one that is cancelled, some that never begin; values by name before and after; a loop
 * across two programs that only know each other's names. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "exec/step.h"
#include "kernel/cancellation.h"
#include "kernel/step_rendezvous.h"
#include "os/clock.h"
#include "unit/session/cut_graph.h"

#define OF_FLOAT "T type: DT_FLOAT"
#define OF_INT   "T type: DT_INT32"
#define CONST(v) "dtype type: DT_FLOAT; value tensor { dtype: DT_FLOAT tensor_shape {} float_val: " #v " }"
#define INT(v)   "dtype type: DT_INT32; value tensor { dtype: DT_INT32 tensor_shape {} int_val: " #v " }"
#define BOOL(v)  "dtype type: DT_BOOL; value tensor { dtype: DT_BOOL tensor_shape {} bool_val: " #v " }"
#define CHAIN                                                                                                          \
    "a = Const()@/cpu:0 " CONST(3) "\n b = Neg(a)@/cpu:1 " OF_FLOAT "\n c = Square(b)@/cpu:2 " OF_FLOAT                \
                                   "\n d = Neg(c)@/cpu:3 " OF_FLOAT "\n e = Add(d, a)@/cpu:0 " OF_FLOAT

/* ---- a step of one program */

struct told { /* by the listener */
    atomic_int times[8];
    atomic_int n, n_failed;
};

struct scene {
    struct cut_graph cut;
    struct sl_program *program;
    struct sl_cancellation *cancellation;
    struct sl_step_env env;
    struct sl_step_parts *step;
    struct sl_value ret;
    struct told told;
    struct sl_error step_err, err;
};

static void part_done(void *arg, int part, sl_code code, const struct sl_error *err) {
    struct told *told = arg;
    assert_true(code == SL_OK || code == err->code);
    atomic_fetch_add(&told->times[part], 1);
    atomic_fetch_add(&told->n, 1);
    atomic_fetch_add(&told->n_failed, code != SL_OK);
}

/* All parts as one program, with `fetch` as its result; NULL: nodes "t1" and "t2" are run, and there is no result. */
static void compile(struct scene *s, struct graph_fixture *f, const char *graph, const char *fetch, int devices) {
    *s = (struct scene){.program = NULL};
    start_again(f);
    import_text(f, graph, NULL);
    struct sl_port port = fetch ? port_of(f, fetch, 0) : (struct sl_port){NULL, 0};
    struct sl_node *targets[] = {fetch ? NULL : node_called(f, "t1"), fetch ? NULL : node_called(f, "t2")};
    const struct sl_prune_request request = {.fetches = &port,
                                             .targets = targets,
                                             .n_fetches = fetch != NULL,
                                             .n_targets = fetch ? 0 : 2,
                                             .n_nodes = f->graph->nodes.n};
    cut_graph_init(&s->cut, &request, devices);
    struct sl_program *parts[8];
    int of_ret = 0;
    for (int p = 0; p < s->cut.parts.n; p++) {
        parts[p] = cut_graph_compile(&s->cut, p);
        if (parts[p]->n_rets) of_ret = p;
    }
    assert_ok(s->err, sl_program_join(&s->program, parts, s->cut.parts.n, of_ret, s->cut.parts.n_pairs, &s->err));
}

static void prepare(struct scene *s, struct sl_rendezvous *rendezvous) {
    const struct sl_part_listener listener = {part_done, &s->told};
    memset(&s->told, 0, sizeof s->told);
    sl_error_clear(&s->step_err);
    assert_ok(s->err, sl_cancellation_new(&s->cancellation, NULL, &s->err));
    s->env = (struct sl_step_env){.cancellation = s->cancellation, .rendezvous = rendezvous};
    assert_ok(s->err, sl_step_parts_new(&s->step, s->program, &s->env, NULL, &s->ret, &listener, &s->step_err));
}

static sl_code join(struct scene *s) {
    sl_code code = sl_step_parts_join(s->step);
    sl_cancellation_free(s->cancellation);
    s->err = s->step_err;
    return code;
}

static void clear(struct scene *s) {
    sl_program_free(s->program);
    cut_graph_clear(&s->cut);
}

/* ---- parts */

struct beginner {
    struct scene *scene;
    int part;
    pthread_t thread;
};

static void *begin_one(void *arg) {
    struct beginner *b = arg;
    sl_step_parts_begin(b->scene->step, b->part, 1);
    return NULL;
}

/* Threads that begin the parts in the `number`-th order; they still work on the step when this returns. */
static void begin_shuffled(struct beginner *beginners, struct scene *s, int number) {
    int n = s->program->n_parts, order[8];
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n; i > 1; number /= i--) {
        int other = number % i, last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
    for (int i = 0; i < n; i++) {
        beginners[i] = (struct beginner){.scene = s, .part = order[i]};
        pthread_create(&beginners[i].thread, NULL, begin_one, &beginners[i]);
    }
}

static void join_beginners(struct beginner *beginners, const struct scene *s) {
    for (int i = 0; i < s->program->n_parts; i++) pthread_join(beginners[i].thread, NULL);
}

GRAPH_TEST(parts_begin_in_any_order_by_any_thread) {
    struct scene s;
    struct sl_wait waits[4];
    struct beginner beginners[8];
    compile(&s, f, CHAIN, "e", 4);
    assert_int_equal(s.program->n_parts, 4);
    for (int order = 0; order < 24 * 4; order++) {
        prepare(&s, NULL);
        begin_shuffled(beginners, &s, order);
        sl_step_parts_waits(waits, 4, s.step);
        join_beginners(beginners, &s);
        assert_ok(s.err, join(&s));
        assert_true(s.ret.f32 == -6);
        for (int p = 0; p < 4; p++) assert_int_equal(s.told.times[p], 1);
        assert_int_equal(s.told.n_failed, 0);
    }
    for (int first = 0; first < 4; first++) { /* one after the other by this thread */
        prepare(&s, NULL);
        for (int p = 3; p >= 0; p--)
            if (p != first) sl_step_parts_begin(s.step, p, 1);
        assert_int_equal(s.told.n + s.told.n_failed < 4, 1);
        sl_step_parts_begin(s.step, first, 1);
        assert_ok(s.err, join(&s));
        assert_true(s.ret.f32 == -6);
    }
    clear(&s);
}

GRAPH_TEST(a_part_that_fails_ends_the_others) {
    struct scene s;
    struct beginner beginners[8];
    compile(&s, f,
            "a = Const()@/cpu:1 " CONST(nan) "\n b = CheckNumerics(a)@/cpu:1 " OF_FLOAT
                                             "; message s: 'bad'\n c = Neg(b)@/cpu:2 " OF_FLOAT
                                             "\n d = Neg(c)@/cpu:0 " OF_FLOAT "\n e = Neg(d)@/cpu:2 " OF_FLOAT,
            "e", 3);
    for (int order = 0; order < 6 * 8; order++) {
        prepare(&s, NULL);
        begin_shuffled(beginners, &s, order);
        join_beginners(beginners, &s);
        assert_fails(s.err, SL_INVALID_ARGUMENT, "bad : Tensor had NaN values\n\t [[{{node b}}]]", join(&s));
        assert_int_equal(s.ret.kind, SL_VALUE_NONE);
        for (int p = 0; p < s.program->n_parts; p++) assert_int_equal(s.told.times[p], 1);
        assert_int_equal(s.told.n_failed, s.program->n_parts);
    }
    clear(&s);
}

/* A loop across two devices, endless unless `limit` is small. */
#define LOOP(limit)                                                                                                    \
    "zero = Const()@/cpu:0 " INT(0) "\n limit = Const()@/cpu:0 " INT(limit) "\n one = Const()@/cpu:1 " INT(            \
        1) "\n enter = Enter(zero)@/cpu:0 " OF_INT "; frame_name s: 'while/while_context'\n"                           \
           "to = Enter(limit)@/cpu:0 " OF_INT "; frame_name s: 'while/while_context'; is_constant b: true\n"           \
           "by = Enter(one)@/cpu:1 " OF_INT "; frame_name s: 'while/while_context'; is_constant b: true\n"             \
           "merge = Merge(enter, next)@/cpu:0 " OF_INT "; N i: 2\n less = Less(merge, to)@/cpu:0 " OF_INT              \
           "\n cond = LoopCond(less)@/cpu:0\n switch = Switch(merge, cond)@/cpu:0 " OF_INT                             \
           "\n body = Add(switch:1, by)@/cpu:1 " OF_INT "\n next = NextIteration(body)@/cpu:0 " OF_INT                 \
           "\n exit = Exit(switch)@/cpu:0 " OF_INT "\n after = Neg(exit)@/cpu:1 " OF_INT

GRAPH_TEST(a_step_is_cancelled_by_another_thread) {
    struct scene s;
    struct sl_wait waits[4];
    struct beginner beginners[8];
    compile(&s, f, LOOP(2000000000), "after", 2);
    for (int order = 0; order < 4; order++) {
        prepare(&s, NULL);
        begin_shuffled(beginners, &s, order);
        for (int64_t end = sl_clock_ns() + 5000000; sl_clock_ns() < end;) { /* somebody looks on */
            size_t n = sl_step_parts_waits(waits, 4, s.step);
            for (size_t w = 0; w < n && w < 4; w++) assert_true(waits[w].node.n && waits[w].pair);
        }
        sl_step_parts_cancel(s.step, SL_CANCELLED, "enough");
        sl_step_parts_cancel(s.step, SL_INTERNAL, "later");
        join_beginners(beginners, &s);
        assert_fails(s.err, SL_CANCELLED, "enough", join(&s));
        assert_int_equal(s.told.n, 2);
    }
    clear(&s);
}

static void step_done(void *arg, sl_code code) { atomic_store((atomic_int *)arg, (int)code + 100); }

GRAPH_TEST(a_step_that_is_closed_tells_when_it_is_over) {
    struct scene s;
    atomic_int code = 0;
    compile(&s, f, CHAIN, "e", 4);
    prepare(&s, NULL);
    sl_step_parts_begin(s.step, 0, 4);
    assert_int_equal(s.told.n, 4);
    assert_int_equal(code, 0); /* somebody may still begin parts, as far as it knows */
    sl_step_parts_close(s.step, step_done, &code);
    assert_int_equal(code, 100 + SL_OK);
    assert_true(s.ret.f32 == -6);
    sl_cancellation_free(s.cancellation);
    prepare(&s, NULL); /* the same, and the last part begins first to wait, then is all that is left */
    sl_step_parts_begin(s.step, 1, 3);
    sl_step_parts_close(s.step, step_done, &code);
    assert_int_equal(code, 100 + SL_FAILED_PRECONDITION);
    sl_cancellation_free(s.cancellation);
    clear(&s);
}

/* Who waits for a part that never begins, or for what no part sends, waits in vain: whichever part is the last to do
 * anything. */
#define WAY                                                                                                            \
    "; tensor_name s: 'way'; send_device s: '/cpu:0'; recv_device s: '/cpu:1'; send_device_incarnation i: 1; _pair "   \
    "i: 77"
GRAPH_TEST(waiting_in_vain_is_an_error) {
    struct scene s;
    compile(&s, f, CHAIN, "e", 4);
    for (int first = 1; first < 4; first++) {
        prepare(&s, NULL);
        sl_step_parts_begin(s.step, first, 1);
        assert_int_equal(s.told.n, 0); /* part 0 may begin yet */
        assert_fails(s.err, SL_FAILED_PRECONDITION, "sends any more", join(&s));
        assert_int_equal(s.told.n, 1);
    }
    prepare(&s, NULL);
    assert_ok(s.err, join(&s)); /* nothing has begun */
    clear(&s);
    /* The other part ends, without a word to the one that waits. */
    compile(&s, f,
            "r = _Recv()@/cpu:1 tensor_type type: DT_FLOAT" WAY "\n t1 = Neg(r)@/cpu:1 " OF_FLOAT
            "\n a = Const()@/cpu:0 " CONST(3) "\n t2 = Neg(a)@/cpu:0 " OF_FLOAT,
            NULL, 2);
    for (int last = 0; last < 2; last++) {
        prepare(&s, NULL);
        sl_step_parts_begin(s.step, !last, 1);
        sl_step_parts_begin(s.step, last, 1);
        assert_fails(s.err, SL_FAILED_PRECONDITION, "waits for 'way' in iteration 0", join(&s));
    }
    clear(&s);
}

/* ---- a step with a peer, which is the test */

#define HERE      "/job:localhost/replica:0/task:0/device:CPU:0"
#define PEER      "/job:ps/replica:0/task:3/device:CPU:0"
#define FROM_PEER "send_device s: '" PEER "'; recv_device s: '" HERE "'; send_device_incarnation i: -1"
#define TO_PEER   "send_device s: '" HERE "'; recv_device s: '" PEER "'; send_device_incarnation i: 1"
#define IN(name)  PEER ";ffffffffffffffff;" HERE ";" name ";"
#define OUT(name) HERE ";0000000000000001;" PEER ";" name ";"

struct peer {
    struct sl_rendezvous_table *table;
    struct sl_step_rendezvous *step;
    char wanted[8][300];
    atomic_int n_wanted;
};

static void note_wanted(void *arg, const struct sl_rendezvous_key *key) {
    struct peer *peer = arg;
    int n = atomic_fetch_add(&peer->n_wanted, 1);
    if (n < 8) sl_rendezvous_key_print(peer->wanted[n], sizeof peer->wanted[n], key);
}

static void meet(struct peer *p, struct scene *s) {
    *p = (struct peer){.table = NULL};
    assert_ok(s->err, sl_rendezvous_table_new(&p->table, NULL, &s->err));
    assert_ok(s->err, sl_rendezvous_table_find(&p->step, p->table, 1, true, &s->err));
}

/* The step begins: its parts are still to come. */
static void open(struct peer *p, struct scene *s) {
    struct sl_rendezvous *rendezvous;
    prepare(s, NULL);
    sl_step_parts_join(s->step);
    struct sl_rendezvous_opening opening = {s->program->n_pairs, s->program->remote_pairs, s->cancellation, note_wanted,
                                            p};
    assert_ok(s->err, sl_step_rendezvous_open(&rendezvous, p->step, &opening, &s->err));
    const struct sl_part_listener listener = {part_done, &s->told};
    s->env.rendezvous = rendezvous;
    assert_ok(s->err, sl_step_parts_new(&s->step, s->program, &s->env, NULL, &s->ret, &listener, &s->step_err));
}

static sl_code end(struct peer *p, struct scene *s) {
    sl_code code = sl_step_parts_join(s->step);
    sl_step_rendezvous_leave(p->step);
    sl_cancellation_free(s->cancellation);
    sl_step_rendezvous_unref(p->step);
    sl_rendezvous_table_free(p->table);
    s->err = s->step_err;
    return code;
}

static void put(struct peer *p, const char *name, struct sl_value value) {
    struct sl_error err;
    assert_ok(err, sl_step_rendezvous_put(p->step, sl_str_of(name), &value, &err));
}

static struct sl_value number(float v) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT, .f32 = v};
}

struct taking {
    struct sl_waiter waiter;
    atomic_int n_done;
    sl_code code;
};
static void taken(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    (void)err;
    struct taking *t = (struct taking *)waiter;
    t->code = code;
    atomic_fetch_add(&t->n_done, 1);
}
static void take(struct taking *t, struct peer *p, const char *name) {
    *t = (struct taking){.waiter = {.done = taken}};
    sl_step_rendezvous_take(p->step, sl_str_of(name), &t->waiter);
}

GRAPH_TEST(values_come_from_peers_and_go_to_them_by_name) {
    struct scene s;
    struct peer p;
    struct taking t, dead;
    struct sl_wait waits[4];
    compile(&s, f,
            "x = _Recv()@/cpu:0 tensor_type type: DT_FLOAT; tensor_name s: 'edge_1_x'; " FROM_PEER
            "\n y = Neg(x)@/cpu:1 " OF_FLOAT "\n z = Square(y)@/cpu:0 " OF_FLOAT "\n s = _Send(z)@/cpu:0 " OF_FLOAT
            "; tensor_name s: 'edge_2_z'; " TO_PEER "\n w = Square(y, ^s)@/cpu:0 " OF_FLOAT,
            "w", 2);
    for (int way = 0; way < 4;
         way++) { /* the value comes before the step is known, before it begins, after; the last one is dead */
        struct sl_value value = way < 3 ? number(-3) : (struct sl_value){.kind = SL_VALUE_DEAD};
        meet(&p, &s);
        if (way == 0) put(&p, IN("edge_1_x") "0:0", value);
        if (way == 0) take(&t, &p, OUT("edge_2_z") "0:0");
        open(&p, &s);
        if (way == 1) put(&p, IN("edge_1_x") "0:0", value);
        sl_step_parts_begin(s.step, 1, 1);
        sl_step_parts_begin(s.step, 0, 1);
        if (way >= 2) { /* it waits, and says for what; that is no stall */
            assert_int_equal(s.told.n, 0);
            assert_int_equal(p.n_wanted, 1);
            assert_string_equal(p.wanted[0], IN("edge_1_x") "0:0");
            char text[400];
            int n_remote = 0;
            assert_int_equal(sl_step_parts_waits(waits, 1, s.step), 3);
            assert_int_equal(sl_step_parts_waits(waits, 4, s.step), 3); /* the parts for each other too */
            for (int i = 0; i < 3; i++) {
                if (!waits[i].is_remote) continue;
                n_remote++;
                sl_wait_print(text, sizeof text, &waits[i]);
                assert_string_equal(text, "node 'x' (_Recv) on " HERE " waits for a peer's " IN("edge_1_x") "0:0");
            }
            assert_int_equal(n_remote, 1);
            put(&p, IN("edge_1_x") "0:0", value);
        } else {
            assert_int_equal(p.n_wanted, 0);
        }
        if (way != 0) take(&t, &p, OUT("edge_2_z") "0:0");
        assert_int_equal(s.told.n, 2);
        assert_int_equal(t.n_done, 1);
        assert_int_equal(t.code, SL_OK);
        if (way < 3) assert_true(t.waiter.value.f32 == 9);
        else assert_int_equal(t.waiter.value.kind, SL_VALUE_DEAD);
        take(&dead, &p, OUT("edge_2_z") "0:1"); /* never sent: waits until the step is forgotten */
        assert_int_equal(dead.n_done, 0);
        assert_ok(s.err, end(&p, &s));
        assert_int_equal(dead.code, SL_ABORTED);
        if (way < 3) assert_true(s.ret.f32 == 9);
    }
    clear(&s);
}

GRAPH_TEST(a_peer_that_fails_ends_the_step) {
    struct scene s;
    struct peer p;
    compile(&s, f,
            "x = _Recv()@/cpu:0 tensor_type type: DT_FLOAT; tensor_name s: 'edge_1_x'; " FROM_PEER
            "\n y = Neg(x)@/cpu:1 " OF_FLOAT,
            "y", 2);
    for (int is_cancelled = 0; is_cancelled < 2; is_cancelled++) {
        meet(&p, &s);
        open(&p, &s);
        sl_step_parts_begin(s.step, 0, 2);
        assert_int_equal(s.told.n, 0);
        if (is_cancelled) sl_step_parts_cancel(s.step, SL_CANCELLED, "the peer is gone");
        else sl_step_rendezvous_abort(p.step, SL_UNAVAILABLE, "the peer is gone");
        assert_int_equal(s.told.n, 2);
        assert_fails(s.err, is_cancelled ? SL_CANCELLED : SL_UNAVAILABLE, "the peer is gone", end(&p, &s));
    }
    clear(&s);
}

/* A value for each iteration, under the id that TensorFlow gives to a frame of this name outside of any other. */
#define FRAME "18186195969791715286:"
GRAPH_TEST(peers_take_part_in_loops) {
    struct scene s;
    struct peer p;
    struct taking t[4];
    char name[300];
    compile(&s, f,
            "zero = Const()@/cpu:0 " CONST(0) "\n limit = Const()@/cpu:0 " CONST(
                10) "\n enter = Enter(zero)@/cpu:0 " OF_FLOAT "; frame_name s: 'while/while_context'\n"
                    "to = Enter(limit)@/cpu:0 " OF_FLOAT "; frame_name s: 'while/while_context'; is_constant b: true\n"
                    "merge = Merge(enter, next)@/cpu:0 " OF_FLOAT "; N i: 2\n less = Less(merge, to)@/cpu:0 " OF_FLOAT
                    "\n cond = LoopCond(less)@/cpu:0\n switch = Switch(merge, cond)@/cpu:0 " OF_FLOAT
                    "\n x = _Recv(^merge)@/cpu:0 tensor_type type: DT_FLOAT; tensor_name s: 'edge_1_x'; " FROM_PEER
                    "\n body = Add(switch:1, x)@/cpu:0 " OF_FLOAT "\n s = _Send(body)@/cpu:0 " OF_FLOAT
                    "; tensor_name s: 'edge_2_s'; " TO_PEER "\n next = NextIteration(body, ^s)@/cpu:0 " OF_FLOAT
                    "\n exit = Exit(switch)@/cpu:0 " OF_FLOAT,
            "exit", 1);
    meet(&p, &s);
    put(&p, IN("edge_1_x") FRAME "1", number(4)); /* of the second iteration, first of all */
    open(&p, &s);
    sl_step_parts_begin(s.step, 0, 1);
    assert_string_equal(p.wanted[0], IN("edge_1_x") FRAME "0");
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, OUT("edge_2_s") FRAME "%d", i);
        take(&t[i], &p, name);
    }
    put(&p, IN("edge_1_x") FRAME "0", number(3)); /* 3, 7, 12 and the end */
    assert_int_equal(s.told.n, 0);
    put(&p, IN("edge_1_x") FRAME "2", number(5));
    put(&p, IN("edge_1_x") FRAME "3", number(6)); /* comes in the last iteration, where nobody adds it */
    assert_int_equal(s.told.n, 1);
    assert_true(t[0].waiter.value.f32 == 3 && t[1].waiter.value.f32 == 7 && t[2].waiter.value.f32 == 12);
    assert_int_equal(t[3].n_done, 1);
    assert_int_equal(t[3].waiter.value.kind, SL_VALUE_DEAD);
    assert_ok(s.err, end(&p, &s));
    assert_true(s.ret.f32 == 12);
    assert_int_equal(p.n_wanted, 3);
    clear(&s);
}

/* ---- two programs, as two processes would have them */

struct task {
    struct task *other;
    struct sl_program *program;
    struct sl_rendezvous_table *table; /* of its process */
    struct sl_step_rendezvous *step;
    struct sl_cancellation *cancellation;
    struct sl_step_env env;
    struct sl_value ret;
    struct sl_error err;
    sl_code code;
    atomic_int n_sent;
};

struct carried { /* a value on the wire, from `to`'s other */
    struct sl_waiter waiter;
    struct task *to;
    char name[300];
};

static void arrived(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct carried *c = (struct carried *)waiter;
    atomic_fetch_add(&c->to->n_sent, 1);
    if (code == SL_OK) sl_step_rendezvous_put(c->to->step, sl_str_of(c->name), &waiter->value, NULL);
    else sl_step_rendezvous_abort(c->to->step, code, err->message);
    free(c);
}

static void ask_other(void *arg, const struct sl_rendezvous_key *key) {
    struct task *task = arg;
    struct carried *c = calloc(1, sizeof *c);
    *c = (struct carried){.waiter = {.done = arrived}, .to = task};
    sl_rendezvous_key_print(c->name, sizeof c->name, key);
    sl_step_rendezvous_take(task->other->step, sl_str_of(c->name), &c->waiter);
}

static void *run_task(void *arg) {
    struct task *t = arg;
    const struct sl_rendezvous_opening opening = {t->program->n_pairs, t->program->remote_pairs, t->cancellation,
                                                  ask_other, t};
    t->code = sl_step_rendezvous_open(&t->env.rendezvous, t->step, &opening, &t->err);
    if (t->code == SL_OK) t->code = sl_step_run(t->program, &t->env, NULL, &t->ret, &t->err);
    sl_step_rendezvous_leave(t->step);
    return NULL;
}

/* Cut for two tasks, one program each; runs step `id` of both side by side. */
static void run_two(struct task tasks[2], struct cut_graph *cut, uint64_t id) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        struct task *t = &tasks[i];
        struct sl_program *part = cut_graph_compile(cut, i);
        *t = (struct task){.other = &tasks[!i]};
        assert_ok(t->err, sl_program_join(&t->program, &part, 1, 0, cut->parts.n_pairs, &t->err));
        assert_ok(t->err, sl_rendezvous_table_new(&t->table, NULL, &t->err));
        assert_ok(t->err, sl_rendezvous_table_find(&t->step, t->table, id, false, &t->err));
        assert_ok(t->err, sl_cancellation_new(&t->cancellation, NULL, &t->err));
        t->env = (struct sl_step_env){.step_id = id, .cancellation = t->cancellation};
    }
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run_task, &tasks[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) { /* the processes' clean-up of the step */
        struct task *t = &tasks[i];
        sl_step_rendezvous_unref(t->step);
        sl_rendezvous_table_free(t->table);
        sl_cancellation_free(t->cancellation);
        sl_program_free(t->program);
    }
}

static void cut_for_two(struct cut_graph *cut, struct graph_fixture *f, const char *graph, const char *fetch) {
    struct sl_device_set devices;
    struct sl_device *second;
    assert_ok(f->err, sl_device_set_new(&devices, SL_STR("/job:a/replica:0/task:0"), 2, 1, &f->err));
    second = &devices.items[1];
    assert_ok(f->err, sl_device_parse(&second->parsed, SL_STR("/job:b/replica:0/task:0/device:CPU:1"), &f->err));
    sl_device_print(second->name, &second->parsed);
    start_again(f);
    import_text(f, graph, NULL);
    struct sl_port port = port_of(f, fetch, 0);
    const struct sl_prune_request request = {.fetches = &port, .n_fetches = 1, .n_nodes = f->graph->nodes.n};
    cut_graph_init_on(cut, &request, devices);
    assert_int_equal(cut->parts.n, 2);
}

GRAPH_TEST(a_loop_crosses_two_programs_by_names) {
    struct cut_graph cut;
    struct task tasks[2];
    cut_for_two(&cut, f, LOOP(300), "after");
    for (uint64_t id = 1; id < 6; id++) {
        run_two(tasks, &cut, id);
        for (int i = 0; i < 2; i++) assert_int_equal(tasks[i].code, SL_OK);
        assert_true(tasks[0].ret.i32 == -300);
        assert_true(tasks[0].n_sent >= 300 && tasks[1].n_sent >= 300);
    }
    cut_graph_clear(&cut);
}

GRAPH_TEST(an_error_in_one_program_ends_the_other) {
    struct cut_graph cut;
    struct task tasks[2];
    cut_for_two(&cut, f,
                "a = Const()@/cpu:0 " CONST(nan) "\n b = CheckNumerics(a)@/cpu:0 " OF_FLOAT
                                                 "; message s: 'bad'\n c = Neg(b)@/cpu:1 " OF_FLOAT
                                                 "\n d = Neg(c)@/cpu:0 " OF_FLOAT "\n e = Neg(d)@/cpu:1 " OF_FLOAT,
                "e");
    for (uint64_t id = 1; id < 20; id++) {
        run_two(tasks, &cut, id);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(tasks[i].code, SL_INVALID_ARGUMENT);
            assert_non_null(strstr(tasks[i].err.message, "bad : Tensor had NaN values"));
        }
    }
    cut_graph_clear(&cut);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        graph_unit_test(parts_begin_in_any_order_by_any_thread),
        graph_unit_test(a_part_that_fails_ends_the_others),
        graph_unit_test(a_step_is_cancelled_by_another_thread),
        graph_unit_test(a_step_that_is_closed_tells_when_it_is_over),
        graph_unit_test(waiting_in_vain_is_an_error),
        graph_unit_test(values_come_from_peers_and_go_to_them_by_name),
        graph_unit_test(a_peer_that_fails_ends_the_step),
        graph_unit_test(peers_take_part_in_loops),
        graph_unit_test(a_loop_crosses_two_programs_by_names),
        graph_unit_test(an_error_in_one_program_ends_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
