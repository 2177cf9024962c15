/* A step's rendezvous and its peers: keys as text, messages that come before the step, names that nobody knows,
 * limits, ends of all kinds. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "kernel/step_rendezvous.h"
#include "unit/unit.h"

#define HERE  "/job:worker/replica:0/task:0/device:CPU:0"
#define THERE "/job:ps/replica:0/task:0/device:CPU:0"
#define IN    THERE ";000000000000000a;" HERE ";edge_0_x;"
#define OUT   HERE ";000000000000000b;" THERE ";edge_1_y;"

/* ---- a step with one value that comes in (pair 0), one that goes out (1), one of its own (2) */

static const struct sl_rendezvous_pair in = {0, false, 10, SL_STR(THERE), SL_STR(HERE), SL_STR("edge_0_x")};
static const struct sl_rendezvous_pair out = {1, false, 11, SL_STR(HERE), SL_STR(THERE), SL_STR("edge_1_y")};
static const struct sl_rendezvous_pair within = {2, false, 11, SL_STR(HERE), SL_STR(HERE), SL_STR("edge_2_z")};

static struct sl_remote_pairs *pairs_of_step(void) {
    const struct sl_rendezvous_end ends[] = {{&in, false}, {&out, true}, {&within, true}, {&within, false}};
    struct sl_remote_pairs *pairs;
    struct sl_error err;
    assert_ok(err, sl_remote_pairs_new(&pairs, ends, 4, 3, &err));
    return pairs;
}

struct scene {
    struct sl_rendezvous_table *table;
    struct sl_step_rendezvous *step;
    struct sl_rendezvous *nodes; /* NULL: not opened */
    int n_wanted;
    char wanted[256];
    struct sl_error err;
};

static void begin(struct scene *s, const struct sl_rendezvous_limits *limits) {
    *s = (struct scene){.n_wanted = 0};
    assert_ok(s->err, sl_rendezvous_table_new(&s->table, limits, &s->err));
    assert_ok(s->err, sl_rendezvous_table_find(&s->step, s->table, 7, true, &s->err));
}

static void note_wanted(void *arg, const struct sl_rendezvous_key *key) {
    struct scene *s = arg;
    s->n_wanted++;
    sl_rendezvous_key_print(s->wanted, sizeof s->wanted, key);
}

static sl_code try_to_open(struct scene *s, struct sl_cancellation *cancellation) {
    struct sl_rendezvous_opening opening = {3, pairs_of_step(), cancellation, note_wanted, s};
    sl_code code = sl_step_rendezvous_open(&s->nodes, s->step, &opening, &s->err);
    sl_remote_pairs_unref(opening.pairs);
    return code;
}

static void end(struct scene *s) {
    sl_step_rendezvous_unref(s->step);
    sl_rendezvous_table_free(s->table);
}

static struct sl_value number(float f) {
    return (struct sl_value){.kind = SL_VALUE_SCALAR, .dtype = SL_FLOAT, .f32 = f};
}

struct taking {
    struct sl_waiter waiter;
    int n_done;
    sl_code code;
    struct sl_error err;
};

static void taken(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    struct taking *t = (struct taking *)waiter;
    t->n_done++;
    t->code = code;
    if (err) t->err = *err;
}

static struct taking taking(void) { return (struct taking){.waiter = {.done = taken}}; }

/* A peer puts, a peer takes, a node puts, a node takes. */
static sl_code peer_puts(struct scene *s, const char *name, struct sl_value value) {
    return sl_step_rendezvous_put(s->step, sl_str_of(name), &value, &s->err);
}
static void peer_takes(struct taking *t, struct scene *s, const char *name) {
    *t = taking();
    sl_step_rendezvous_take(s->step, sl_str_of(name), &t->waiter);
}
static void node_puts(struct scene *s, const struct sl_rendezvous_pair *pair, uint64_t iteration, float f) {
    const struct sl_rendezvous_key key = {pair, 0, iteration};
    struct sl_value value = number(f);
    assert_ok(s->err, s->nodes->put(s->nodes, &key, &value, &s->err));
}
static void node_takes(struct taking *t, struct scene *s, const struct sl_rendezvous_pair *pair, uint64_t iteration) {
    *t = taking();
    t->waiter.key = (struct sl_rendezvous_key){pair, 0, iteration};
    s->nodes->take(s->nodes, &t->waiter);
}

#define assert_has(t, f)                                                                                               \
    do {                                                                                                               \
        assert_int_equal((t).n_done, 1);                                                                               \
        assert_int_equal((t).code, SL_OK);                                                                             \
        assert_true((t).waiter.value.f32 == (f));                                                                      \
    } while (0)
#define assert_ended(t, wanted, text)                                                                                  \
    do {                                                                                                               \
        assert_int_equal((t).n_done, 1);                                                                               \
        assert_int_equal((t).code, wanted);                                                                            \
        if (!strstr((t).err.message, text)) fail_msg("got '%s', wanted '%s'", (t).err.message, text);                  \
    } while (0)

/* ---- keys */

static void keys_are_read_as_they_are_written(void **state) {
    (void)state;
    struct sl_error err;
    struct sl_rendezvous_pair pair;
    uint64_t frame, iteration;
    char text[256];
    const char *const good[] = {IN "0:0", OUT "18186195969791715286:18446744073709551615",
                                "/cpu:0;ffffffffffffffff;/cpu:1;a;1:2"};
    for (int i = 0; i < 3; i++) {
        assert_ok(err, sl_rendezvous_key_parse(&pair, &frame, &iteration, sl_str_of(good[i]), &err));
        sl_rendezvous_key_print(text, sizeof text, &(struct sl_rendezvous_key){&pair, frame, iteration});
        assert_string_equal(text, good[i]);
    }
    const char *const bad[] = {"",
                               "x",
                               ";;;;",
                               ";;;;:",
                               THERE ";a;" HERE ";e",
                               THERE ";a;" HERE ";e;0",
                               THERE ";a;" HERE ";e;0:",
                               THERE ";a;" HERE ";e;:0",
                               THERE ";a;" HERE ";;0:0",
                               THERE ";;" HERE ";e;0:0",
                               THERE ";a;;e;0:0",
                               ";a;" HERE ";e;0:0",
                               THERE ";g;" HERE ";e;0:0",
                               THERE ";-1;" HERE ";e;0:0",
                               THERE ";10000000000000000;" HERE ";e;0:0",
                               THERE ";a;" HERE ";e;0:18446744073709551616",
                               THERE ";a;" HERE ";e;0:a",
                               THERE ";a;" HERE ";e;0:0;",
                               THERE ";a;" HERE ";e;x;0:0",
                               "no where;a;" HERE ";e;0:0",
                               THERE ";a;/jo:x;e;0:0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(err, SL_INVALID_ARGUMENT, "Invalid rendezvous key: ",
                     sl_rendezvous_key_parse(&pair, &frame, &iteration, sl_str_of(bad[i]), &err));
}

/* One end alone, and the other belongs to another task or to the client. */
static void pairs_with_an_end_elsewhere_are_remote(void **state) {
    (void)state;
    const struct sl_rendezvous_pair client = {3, true, 11, SL_STR(HERE), SL_STR(HERE), SL_STR("x:0")},
                                    lost = {4, false, 11, SL_STR(HERE), SL_STR(HERE), SL_STR("lost")},
                                    both = {5, false, 10, SL_STR(THERE), SL_STR(HERE), SL_STR("both")},
                                    odd = {6, false, 10, SL_STR("way"), SL_STR("out"), SL_STR("odd")};
    const struct sl_rendezvous_end ends[] = {{&within, true}, {&both, true},   {&out, true}, {&client, true},
                                             {&lost, true},   {&odd, false},   {&in, false}, {&in, false},
                                             {&both, false},  {&within, false}};
    struct sl_error err;
    struct sl_remote_pairs *pairs;
    uint32_t n;
    assert_ok(err, sl_remote_pairs_new(&pairs, ends, 10, 7, &err));
    const struct sl_remote_pair *items = sl_remote_pairs_items(pairs, &n);
    assert_int_equal(n, 3);
    assert_true(items[0].pair.number == 0 && items[0].side == SL_PAIR_COMES_IN);
    assert_true(items[1].pair.number == 1 && items[1].side == SL_PAIR_GOES_OUT);
    assert_true(items[2].pair.number == 3 && items[2].side == SL_PAIR_GOES_OUT);
    const uint8_t wanted[] = {SL_PAIR_COMES_IN, SL_PAIR_GOES_OUT, SL_PAIR_WITHIN, SL_PAIR_GOES_OUT,
                              SL_PAIR_WITHIN,   SL_PAIR_WITHIN,   SL_PAIR_WITHIN};
    assert_memory_equal(sl_remote_pairs_sides(pairs), wanted, 7);
    const struct sl_remote_pair *found;
    struct sl_rendezvous_key key;
    assert_ok(err, sl_remote_pairs_find(&found, &key, pairs, SL_STR(OUT "9:3"), &err));
    assert_true(found == &items[1] && key.pair->number == 1 && key.frame == 9 && key.iteration == 3);
    sl_remote_pairs_unref(pairs);
    assert_ok(err, sl_remote_pairs_new(&pairs, ends, 2, 7, &err)); /* of which one is remote */
    sl_remote_pairs_unref(pairs);
    assert_ok(err, sl_remote_pairs_new(&pairs, ends, 1, 7, &err));
    assert_null(pairs);
}

/* ---- messages */

static void messages_before_the_step_wait_for_it(void **state) {
    (void)state;
    struct scene s;
    struct taking t, other, node;
    begin(&s, NULL);
    assert_ok(s.err, peer_puts(&s, IN "0:0", number(1)));
    assert_ok(s.err, peer_puts(&s, IN "0:0", number(2)));
    assert_ok(s.err, peer_puts(&s, IN "0:1", (struct sl_value){.kind = SL_VALUE_DEAD}));
    peer_takes(&t, &s, OUT "0:0");
    peer_takes(&other, &s, OUT "0:1");
    assert_int_equal(t.n_done + other.n_done, 0);
    assert_ok(s.err, try_to_open(&s, NULL));
    for (int i = 1; i <= 2; i++) { /* in the order in which they came */
        node_takes(&node, &s, &in, 0);
        assert_has(node, i);
    }
    node_takes(&node, &s, &in, 1);
    assert_true(node.n_done == 1 && node.waiter.value.kind == SL_VALUE_DEAD);
    node_puts(&s, &out, 1, 3);
    assert_has(other, 3);
    assert_int_equal(t.n_done, 0);
    node_puts(&s, &out, 0, 4);
    assert_has(t, 4);
    assert_int_equal(s.n_wanted, 0);
    end(&s);
}

static void messages_during_the_step_meet_its_nodes(void **state) {
    (void)state;
    struct scene s;
    struct taking t, node;
    begin(&s, NULL);
    assert_ok(s.err, try_to_open(&s, NULL));
    node_takes(&node, &s, &in, 5);
    assert_int_equal(s.n_wanted, 1);
    assert_string_equal(s.wanted, IN "0:5");
    assert_ok(s.err, peer_puts(&s, IN "0:5", number(1)));
    assert_has(node, 1);
    assert_ok(s.err, peer_puts(&s, IN "0:6", number(2)));
    node_takes(&node, &s, &in, 6);
    assert_has(node, 2);
    node_puts(&s, &out, 0, 3);
    peer_takes(&t, &s, OUT "0:0");
    assert_has(t, 3);
    node_takes(&node, &s, &within, 0);
    node_puts(&s, &within, 0, 4);
    assert_has(node, 4);
    assert_int_equal(s.n_wanted, 1); /* what was there, or is the step's own, nobody asks for */
    end(&s);
}

/* The same edge and iteration in two frames, of which either may come or be asked for first. */
static void frames_are_kept_apart(void **state) {
    (void)state;
    struct scene s;
    struct taking peers[2], nodes[2];
    begin(&s, NULL);
    assert_ok(s.err, try_to_open(&s, NULL));
    assert_ok(s.err, peer_puts(&s, IN "1:4", number(1)));
    assert_ok(s.err, peer_puts(&s, IN "2:4", number(2)));
    for (uint64_t frame = 2; frame >= 1; frame--) {
        const struct sl_rendezvous_key key = {&in, frame, 4};
        nodes[0] = taking();
        nodes[0].waiter.key = key;
        s.nodes->take(s.nodes, &nodes[0].waiter);
        assert_has(nodes[0], (float)frame);
    }
    for (int i = 0; i < 2; i++) {
        nodes[i] = taking();
        nodes[i].waiter.key = (struct sl_rendezvous_key){&in, (uint64_t)i + 1, 5};
        s.nodes->take(s.nodes, &nodes[i].waiter);
    }
    assert_ok(s.err, peer_puts(&s, IN "2:5", number(4)));
    assert_int_equal(nodes[0].n_done, 0);
    assert_has(nodes[1], 4);
    assert_ok(s.err, peer_puts(&s, IN "1:5", number(3)));
    assert_has(nodes[0], 3);
    peer_takes(&peers[0], &s, OUT "1:4");
    peer_takes(&peers[1], &s, OUT "2:4");
    for (uint64_t frame = 2; frame >= 1; frame--) {
        const struct sl_rendezvous_key key = {&out, frame, 4};
        struct sl_value value = number((float)frame);
        assert_ok(s.err, s.nodes->put(s.nodes, &key, &value, &s.err));
        assert_has(peers[frame - 1], (float)frame);
    }
    end(&s);
}

static void names_that_nobody_knows_are_refused(void **state) {
    (void)state;
    struct scene s;
    struct taking t;
    const char *unknown = THERE ";000000000000000c;" HERE ";edge_0_x;0:0"; /* an incarnation before */
    begin(&s, NULL);
    assert_fails(s.err, SL_INVALID_ARGUMENT, "Invalid rendezvous key: abc", peer_puts(&s, "abc", number(1)));
    peer_takes(&t, &s, "abc");
    assert_ended(t, SL_INVALID_ARGUMENT, "Invalid rendezvous key: abc");
    assert_ok(s.err, peer_puts(&s, unknown, number(1))); /* may become known */
    peer_takes(&t, &s, unknown);
    assert_int_equal(t.n_done, 0);
    assert_ok(s.err, try_to_open(&s, NULL));
    assert_ended(t, SL_NOT_FOUND, "No node of step 7 sends that.");
    assert_fails(s.err, SL_NOT_FOUND, unknown, peer_puts(&s, unknown, number(1)));
    peer_takes(&t, &s, unknown);
    assert_ended(t, SL_NOT_FOUND, unknown);
    /* Not by name: what is the step's own, and what it does itself. */
    assert_fails(s.err, SL_NOT_FOUND, "edge_2_z",
                 peer_puts(&s, HERE ";000000000000000b;" HERE ";edge_2_z;0:0", number(1)));
    assert_fails(s.err, SL_INVALID_ARGUMENT, "This step sends '", peer_puts(&s, OUT "0:0", number(1)));
    peer_takes(&t, &s, IN "0:0");
    assert_ended(t, SL_INVALID_ARGUMENT, "This step takes '");
    end(&s);
}

/* ---- limits */

static void peers_may_leave_so_much_and_no_more(void **state) {
    (void)state;
    const struct sl_rendezvous_limits limits = {.steps = 2, .names = 3, .early_bytes = 2000};
    struct scene s;
    struct taking t[4];
    struct sl_step_rendezvous *second, *third;
    begin(&s, &limits);
    peer_takes(&t[0], &s, OUT "0:0");
    for (int i = 0; i < 2; i++) assert_ok(s.err, peer_puts(&s, IN "0:0", number(1)));
    assert_fails(s.err, SL_RESOURCE_EXHAUSTED, "too much in step 7", peer_puts(&s, IN "0:1", number(1)));
    peer_takes(&t[1], &s, OUT "0:1");
    assert_ended(t[1], SL_RESOURCE_EXHAUSTED, "too much in step 7");
    /* Bytes are those of all steps that have not begun, and steps have a limit, but not for those who run them. */
    assert_ok(s.err, sl_rendezvous_table_find(&second, s.table, 8, true, &s.err));
    assert_fails(s.err, SL_RESOURCE_EXHAUSTED, "2 steps that have not begun",
                 sl_rendezvous_table_find(&third, s.table, 9, true, &s.err));
    assert_ok(s.err, sl_rendezvous_table_find(&third, s.table, 9, false, &s.err));
    struct sl_tensor *big;
    const int64_t dims[] = {400};
    assert_ok(s.err, sl_tensor_new(&big, SL_FLOAT, (struct sl_shape){1, dims}, &s.err));
    struct sl_value value = sl_value_of_tensor(big);
    assert_fails(s.err, SL_RESOURCE_EXHAUSTED, "too much in step 8",
                 sl_step_rendezvous_put(second, SL_STR(IN "0:0"), &value, &s.err));
    assert_int_equal(value.kind, SL_VALUE_NONE);
    /* A step that has begun gives its share back, and counts what its nodes have not taken. */
    assert_ok(s.err, try_to_open(&s, NULL));
    assert_ok(s.err, sl_tensor_new(&big, SL_FLOAT, (struct sl_shape){1, dims}, &s.err));
    value = sl_value_of_tensor(big);
    assert_ok(s.err, sl_step_rendezvous_put(second, SL_STR(IN "0:0"), &value, &s.err));
    for (int i = 0; i < 1000; i++)
        assert_fails(s.err, SL_RESOURCE_EXHAUSTED, "too much in step 7", peer_puts(&s, IN "0:2", number(1)));
    node_takes(&t[2], &s, &in, 0);
    assert_has(t[2], 1);
    assert_ok(s.err, peer_puts(&s, IN "0:2", number(1)));
    sl_step_rendezvous_unref(second);
    sl_step_rendezvous_unref(third);
    sl_rendezvous_table_drop(s.table, 7);
    assert_ended(t[0], SL_ABORTED, "Step 7 is over.");
    end(&s);
}

/* ---- ends */

static void an_abort_ends_all_waits(void **state) {
    (void)state;
    struct scene s;
    struct taking t, node;
    for (int is_open = 0; is_open < 2; is_open++) {
        begin(&s, NULL);
        if (is_open) assert_ok(s.err, try_to_open(&s, NULL));
        peer_takes(&t, &s, OUT "0:0");
        assert_ok(s.err, peer_puts(&s, IN "0:1", number(1)));
        if (is_open) node_takes(&node, &s, &in, 0);
        sl_step_rendezvous_abort(s.step, SL_UNAVAILABLE, "the peer is gone");
        sl_step_rendezvous_abort(s.step, SL_INTERNAL, "later");
        assert_ended(t, SL_UNAVAILABLE, "the peer is gone");
        if (is_open) assert_ended(node, SL_UNAVAILABLE, "the peer is gone");
        peer_takes(&t, &s, OUT "0:0");
        assert_ended(t, SL_UNAVAILABLE, "the peer is gone");
        assert_fails(s.err, SL_UNAVAILABLE, "the peer is gone", peer_puts(&s, IN "0:1", number(1)));
        if (is_open) node_takes(&node, &s, &in, 1);
        if (is_open) assert_ended(node, SL_UNAVAILABLE, "the peer is gone");
        assert_fails(s.err, SL_UNAVAILABLE, "the peer is gone", try_to_open(&s, NULL));
        sl_step_rendezvous_leave(s.step);
        end(&s);
    }
}

static void a_cancelled_step_ends_all_waits(void **state) {
    (void)state;
    struct scene s;
    struct taking t, node;
    struct sl_cancellation *cancellation;
    begin(&s, NULL);
    assert_ok(s.err, sl_cancellation_new(&cancellation, NULL, &s.err));
    assert_ok(s.err, try_to_open(&s, cancellation));
    assert_fails(s.err, SL_FAILED_PRECONDITION, "Step 7 runs already", try_to_open(&s, NULL));
    peer_takes(&t, &s, OUT "0:0");
    node_takes(&node, &s, &in, 0);
    sl_cancellation_start(cancellation, SL_CANCELLED, "enough");
    assert_ended(t, SL_CANCELLED, "enough");
    assert_ended(node, SL_CANCELLED, "enough");
    assert_fails(s.err, SL_CANCELLED, "enough", peer_puts(&s, IN "0:1", number(1)));
    sl_step_rendezvous_leave(s.step);
    sl_cancellation_free(cancellation);
    end(&s);
}

/* What was sent may be asked for after the step. */
static void values_outlive_the_step(void **state) {
    (void)state;
    struct scene s;
    struct taking t, late;
    struct sl_cancellation *cancellation;
    struct sl_step_rendezvous *again;
    begin(&s, NULL);
    assert_ok(s.err, sl_cancellation_new(&cancellation, NULL, &s.err));
    assert_ok(s.err, try_to_open(&s, cancellation));
    node_puts(&s, &out, 0, 3);
    sl_step_rendezvous_leave(s.step);
    sl_cancellation_free(cancellation);
    peer_takes(&t, &s, OUT "0:0");
    assert_has(t, 3);
    peer_takes(&late, &s, OUT "0:1");
    sl_rendezvous_table_drop(s.table, 7);
    assert_ended(late, SL_ABORTED, "Step 7 is over.");
    assert_fails(s.err, SL_ABORTED, "Step 7 is over.", sl_rendezvous_table_find(&again, s.table, 7, true, &s.err));
    for (uint64_t id = 100; id < 356; id++) sl_rendezvous_table_drop(s.table, id);
    assert_ok(s.err, sl_rendezvous_table_find(&again, s.table, 7, true, &s.err)); /* forgotten */
    sl_step_rendezvous_unref(again);
    end(&s);
}

static void a_waiter_can_be_taken_back(void **state) {
    (void)state;
    struct scene s;
    struct taking early, kept, t;
    begin(&s, NULL);
    peer_takes(&early, &s, OUT "0:0");
    peer_takes(&kept, &s, OUT "0:0");
    assert_true(sl_step_rendezvous_withdraw(s.step, &early.waiter));
    assert_false(sl_step_rendezvous_withdraw(s.step, &early.waiter));
    peer_takes(&early, &s, "abc");
    assert_false(sl_step_rendezvous_withdraw(s.step, &early.waiter));
    assert_ok(s.err, try_to_open(&s, NULL));
    peer_takes(&t, &s, OUT "0:1");
    assert_true(sl_step_rendezvous_withdraw(s.step, &t.waiter));
    assert_false(sl_step_rendezvous_withdraw(s.step, &t.waiter));
    node_puts(&s, &out, 0, 3);
    assert_has(kept, 3);
    assert_false(sl_step_rendezvous_withdraw(s.step, &kept.waiter));
    node_puts(&s, &out, 1, 4); /* nobody waits for it */
    peer_takes(&t, &s, OUT "0:1");
    assert_has(t, 4);
    end(&s);
}

/* ---- many threads */

enum { STEPS = 200, PEERS = 3 };

struct shared {
    struct sl_rendezvous_table *table;
    struct taking takings[PEERS][STEPS];
};
struct peer {
    struct shared *shared;
    int number;
};

static void name_of(char name[256], const char *start, int number) { snprintf(name, 256, "%s%d:0", start, number); }

/* In each step it gives its value, and takes that of its number; it does not wait for the step. */
static void *be_peer(void *arg) {
    struct peer *peer = arg;
    struct sl_error err;
    char name[256];
    for (int i = 0; i < STEPS; i++) {
        struct sl_step_rendezvous *r;
        struct sl_value value = number((float)i);
        struct taking *t = &peer->shared->takings[peer->number][i];
        *t = taking();
        assert_ok(err, sl_rendezvous_table_find(&r, peer->shared->table, (uint64_t)i + 1, true, &err));
        name_of(name, IN, peer->number);
        assert_ok(err, sl_step_rendezvous_put(r, sl_str_of(name), &value, &err));
        name_of(name, OUT, peer->number);
        sl_step_rendezvous_take(r, sl_str_of(name), &t->waiter);
        sl_step_rendezvous_unref(r);
    }
    return NULL;
}

/* What a node takes, as the test has no executor: whoever brings the value writes into the waiter until `is_done`. */
struct node_taking {
    struct sl_waiter waiter;
    atomic_bool is_done;
};

static void send_back(struct sl_waiter *waiter, sl_code code, const struct sl_error *err) {
    (void)err;
    assert_int_equal(code, SL_OK);
    atomic_store(&((struct node_taking *)waiter)->is_done, true);
}

static void *run_steps(void *arg) {
    struct shared *shared = arg;
    struct node_taking taken_by_nodes[PEERS];
    struct sl_rendezvous_load load;
    struct sl_error err;
    struct sl_rendezvous_opening opening = {.n_pairs = 3, .pairs = pairs_of_step()};
    for (int i = 0; i < STEPS; i++) {
        struct sl_step_rendezvous *r;
        struct sl_rendezvous *nodes;
        assert_ok(err, sl_rendezvous_table_find(&r, shared->table, (uint64_t)i + 1, false, &err));
        assert_ok(err, sl_step_rendezvous_open(&nodes, r, &opening, &err));
        for (uint64_t p = 0; p < PEERS; p++) {
            struct sl_value value = number((float)(i * 10) + (float)p);
            taken_by_nodes[p].waiter = (struct sl_waiter){.key = {&in, p, 0}, .done = send_back};
            atomic_init(&taken_by_nodes[p].is_done, false);
            assert_ok(err, nodes->put(nodes, &(struct sl_rendezvous_key){&out, p, 0}, &value, &err));
            nodes->take(nodes, &taken_by_nodes[p].waiter);
        }
        for (int p = 0; p < PEERS; p++) {
            while (!atomic_load(&taken_by_nodes[p].is_done)) sched_yield();
            assert_true(taken_by_nodes[p].waiter.value.f32 == (float)i);
        }
        nodes->load(nodes, &load);
        assert_int_equal(load.waiters[SL_PAIR_COMES_IN], 0);
        sl_step_rendezvous_leave(r);
        sl_step_rendezvous_unref(r);
    }
    sl_remote_pairs_unref(opening.pairs);
    return NULL;
}

static void peers_and_steps_come_in_any_order(void **state) {
    (void)state;
    static struct shared shared;
    struct peer peers[PEERS];
    pthread_t threads[PEERS + 1];
    struct sl_error err;
    assert_ok(err, sl_rendezvous_table_new(&shared.table, NULL, &err));
    for (int p = 0; p < PEERS; p++) {
        peers[p] = (struct peer){&shared, p};
        pthread_create(&threads[p], NULL, be_peer, &peers[p]);
    }
    pthread_create(&threads[PEERS], NULL, run_steps, &shared);
    for (int t = 0; t <= PEERS; t++) pthread_join(threads[t], NULL);
    for (int p = 0; p < PEERS; p++)
        for (int i = 0; i < STEPS; i++) assert_has(shared.takings[p][i], (float)(i * 10 + p));
    sl_rendezvous_table_free(shared.table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_read_as_they_are_written),
        cmocka_unit_test(pairs_with_an_end_elsewhere_are_remote),
        cmocka_unit_test(messages_before_the_step_wait_for_it),
        cmocka_unit_test(messages_during_the_step_meet_its_nodes),
        cmocka_unit_test(frames_are_kept_apart),
        cmocka_unit_test(names_that_nobody_knows_are_refused),
        cmocka_unit_test(peers_may_leave_so_much_and_no_more),
        cmocka_unit_test(an_abort_ends_all_waits),
        cmocka_unit_test(a_cancelled_step_ends_all_waits),
        cmocka_unit_test(values_outlive_the_step),
        cmocka_unit_test(a_waiter_can_be_taken_back),
        cmocka_unit_test(peers_and_steps_come_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
