/* Groups that have as many members as come: who is in a round, who waits for the next one, and what others hear. */
#include <stdlib.h>
#include <unistd.h>

#include "dist/elastic_group.h"
#include "unit/dist/dist_fixture.h"

enum { KEY = 9, LEADER = 2 }; /* the first task by name: "c:1" */

static const char *const devices[SERVERS] = {"/job:worker/replica:0/task:0/device:CPU:0",
                                             "/job:worker/replica:0/task:1/device:CPU:0",
                                             "/job:ps/replica:0/task:0/device:CPU:0"};

struct own_join {
    struct sl_collective_joining joining;
    struct sl_collective_peers *peers;
    atomic_bool has_ended;
    sl_code code;
    struct sl_error err;
};

static void joined(struct sl_collective_joining *joining, sl_code code, const struct sl_error *err) {
    struct own_join *j = (struct own_join *)joining;
    j->code = code;
    if (code != SL_OK) j->err = *err;
    atomic_store(&j->has_ended, true);
}

static void begin_join(struct own_join *j, struct dist_fixture *f, int i, int least, bool regroups) {
    const unsigned before = fake_net_count(f->net, SL_ELASTIC_JOIN);
    *j = (struct own_join){.peers = sl_dist_server_peers(f->servers[i]),
                           .joining = {.key = KEY,
                                       .size = SERVERS,
                                       .least = least,
                                       .wait_seconds = 20,
                                       .timeout_seconds = 60,
                                       .regroups = regroups,
                                       .device = devices[i],
                                       .done = joined}};
    j->peers->methods->join(j->peers, &j->joining);
    while (fake_net_count(f->net, SL_ELASTIC_JOIN) == before) usleep(1000);
}

/* Lets so many seconds of the net's time pass at most, and then waits, in real time. */
static bool ends_within(struct dist_fixture *f, struct own_join *j, int seconds) {
    for (int k = 0; k < 30000 && !atomic_load(&j->has_ended); k++) {
        if (k % 10 == 9 && k / 10 < seconds) fake_net_advance(f->net, 1000000000);
        usleep(1000);
    }
    return atomic_load(&j->has_ended);
}

static bool waits_for(struct dist_fixture *f, struct own_join *j, int seconds) {
    for (int k = 0; k < seconds; k++) {
        fake_net_advance(f->net, 1000000000);
        usleep(5000);
    }
    return !atomic_load(&j->has_ended);
}

static void assert_members(struct dist_fixture *f, struct own_join *j, int n) {
    if (!ends_within(f, j, 30)) fail_msg("the join does not end");
    if (j->code != SL_OK) fail_msg("%s", j->err.message);
    assert_int_equal(j->joining.group->n, n);
}

static int64_t newcomers(struct dist_fixture *f, int i) {
    struct sl_collective_peers *peers = sl_dist_server_peers(f->servers[i]);
    return peers->methods->newcomers(peers, KEY);
}

static void all_come(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[SERVERS];
    for (int i = 0; i < SERVERS; i++) begin_join(&j[i], f, i, 1, false);
    for (int i = 0; i < SERVERS; i++) {
        assert_true(ends_within(f, &j[i], 5)); /* nobody waits for more */
        assert_members(f, &j[i], SERVERS);
        assert_string_equal(j[i].joining.group->places[0].device, devices[2]);
        assert_string_equal(j[i].joining.group->places[1].device, devices[0]);
    }
}

static void join_two(struct dist_fixture *f, struct own_join j[2], bool regroups) {
    begin_join(&j[0], f, 0, 2, regroups);
    begin_join(&j[1], f, LEADER, 2, regroups);
}

/* Two go on without the third; it comes, waits, and is taken in when they join again. */
static void one_stays_away_and_comes_back(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[2], late;
    join_two(f, j, false);
    assert_true(waits_for(f, &j[0], 15));
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], 2);
    begin_join(&late, f, 1, 2, false);
    assert_true(waits_for(f, &late, 100));
    assert_int_equal(newcomers(f, LEADER), 1);
    assert_int_equal(newcomers(f, 0), 0);
    join_two(f, j, true);
    assert_true(ends_within(f, &late, 5));
    assert_members(f, &late, SERVERS);
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], SERVERS);
    assert_int_equal(newcomers(f, LEADER), 0);
}

/* Members that have agreed to join again do not wait for who has been away all the time. */
static void members_that_agree_are_not_kept_waiting(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[2];
    join_two(f, j, false);
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], 2);
    join_two(f, j, true);
    for (int i = 0; i < 2; i++) assert_true(ends_within(f, &j[i], 5));
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], 2);
}

static void too_few_come(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[2];
    begin_join(&j[0], f, 0, 3, false);
    begin_join(&j[1], f, 1, 3, false);
    assert_true(waits_for(f, &j[0], 50));
    for (int i = 0; i < 2; i++) {
        assert_true(ends_within(f, &j[i], 20));
        assert_int_equal(j[i].code, SL_DEADLINE_EXCEEDED);
        assert_non_null(strstr(j[i].err.message, "2 of 3 members have come, at least 3 are needed: /job:worker"));
    }
}

static void one_goes_while_it_waits(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[2], gone;
    begin_join(&gone, f, 1, 2, false);
    atomic_store(&gone.joining.is_cancelled, true);
    gone.peers->methods->cancel_join(gone.peers, &gone.joining);
    assert_true(ends_within(f, &gone, 5));
    assert_int_equal(gone.code, SL_CANCELLED);
    usleep(50000); /* the leader hears it, too */
    join_two(f, j, false);
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], 2);
}

#define RUN(device)                                                                                                    \
    "type: 0 data_type: DT_FLOAT shape { } group_key: 9 group_size: 2 instance_key: 8 incarnation: %llu part { "       \
    "device: '" device "' content: '1234' }"

/* Its run is refused, and that of members is not spoilt by it; nor does it join as if the group had a fixed size. */
static void who_is_no_member(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[2];
    join_two(f, j, false);
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], 2);
    const char *run = sl_arena_format(&f->arena, RUN("/job:worker/replica:0/task:1/device:CPU:0"), 5ull);
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteInstance, run, NULL), SL_ABORTED);
    assert_non_null(strstr(f->err.message, "task:1/device:CPU:0 of this incarnation is no member of group 9"));
    assert_int_equal(CALL(f, "c:1", "WorkerService", CompleteGroup,
                          "group_key: 9 group_size: 2 device_type: 'CPU' is_own_kind: true device_attributes { name: "
                          "'/job:worker/replica:0/task:0/device:CPU:0' }",
                          NULL),
                     SL_ABORTED);
    assert_non_null(strstr(f->err.message, "the members of group 9 change"));
}

static void begin_with_all(struct dist_fixture *f, struct own_join j[SERVERS]) {
    for (int i = 0; i < SERVERS; i++) begin_join(&j[i], f, i, 1, false);
    for (int i = 0; i < SERVERS; i++) assert_members(f, &j[i], SERVERS);
}

/* The others go on by another leader; the first one, started anew, waits until they take it in. */
static void the_leader_goes(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[SERVERS];
    begin_with_all(f, j);
    stop_server(f, LEADER);
    for (int i = 0; i < 2; i++) begin_join(&j[i], f, i, 1, false);
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], 2);
    start_server(f, LEADER);
    begin_join(&j[LEADER], f, LEADER, 1, false);
    assert_true(waits_for(f, &j[LEADER], 100));
    assert_int_equal(newcomers(f, 0), 1);
    assert_int_equal(newcomers(f, LEADER), 0);
    for (int i = 0; i < 2; i++) begin_join(&j[i], f, i, 1, true);
    for (int i = 0; i < SERVERS; i++) assert_members(f, &j[i], SERVERS);
}

/* One that does not hear from the others may be the one that is cut off: it goes on with them alone. */
static void a_leader_without_the_others(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[SERVERS];
    begin_with_all(f, j);
    fake_net_cut(f->net, "a:1", true);
    fake_net_cut(f->net, "b:1", true);
    begin_join(&j[LEADER], f, LEADER, 1, false);
    assert_true(waits_for(f, &j[LEADER], 40));
    fake_net_cut(f->net, "b:1", false);
    begin_join(&j[1], f, 1, 1, false);
    assert_members(f, &j[1], 2);
    assert_members(f, &j[LEADER], 2);
    fake_net_cut(f->net, "a:1", false);
}

static void leave(struct dist_fixture *f, struct own_join *j) {
    atomic_store(&j->joining.is_cancelled, true);
    j->peers->methods->cancel_join(j->peers, &j->joining);
    assert_true(ends_within(f, j, 5));
    assert_int_equal(j->code, SL_CANCELLED);
    waits_for(f, j, 20); /* a vote that is under way ends */
}

/* Of two the first one may go on, and the other one may not. */
static void one_of_two(void **state) {
    struct dist_fixture *f = *state;
    struct own_join j[SERVERS];
    begin_with_all(f, j);
    stop_server(f, LEADER);
    for (int i = 0; i < 2; i++) begin_join(&j[i], f, i, 1, false);
    for (int i = 0; i < 2; i++) assert_members(f, &j[i], 2);
    fake_net_cut(f->net, "a:1", true);
    begin_join(&j[1], f, 1, 1, false);
    assert_true(waits_for(f, &j[1], 40));
    leave(f, &j[1]); /* what it asks would come through, as soon as the first one is reached */
    fake_net_cut(f->net, "a:1", false);
    fake_net_cut(f->net, "b:1", true);
    begin_join(&j[0], f, 0, 1, false);
    assert_members(f, &j[0], 1);
    fake_net_cut(f->net, "b:1", false);
}

static sl_code join_with(struct dist_fixture *f, const char *bytes, size_t n) {
    struct sl_rpc_message m = {.n = 0};
    assert_ok(f->err, sl_rpc_message_add_bytes(&m, (struct sl_str){bytes, n}, &f->err));
    struct fake_answer a = fake_net_call(f->net, "c:1", SL_ELASTIC_JOIN, &m);
    sl_rpc_body_unref(a.body);
    return a.code;
}

static void requests_that_make_no_sense(void **state) {
    struct dist_fixture *f = *state;
    const char *const bad[] = {"", "\x0a",
                               ("\x0a\x05"
                                "abc"),
                               "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x10\x01"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(join_with(f, bad[i], strlen(bad[i])), SL_INVALID_ARGUMENT);
    struct sl_collective_joining joining = {.key = 1, .size = 2, .least = 3, .device = devices[0]};
    struct sl_rpc_message m = {.n = 0};
    assert_ok(f->err, sl_elastic_write_join(&m, &joining, 1, &f->err));
    struct fake_answer a = fake_net_call(f->net, "c:1", SL_ELASTIC_JOIN, &m);
    assert_int_equal(a.code, SL_INVALID_ARGUMENT);
    assert_non_null(strstr(a.text, "group 1 of 2 members cannot need 3"));
    joining.least = 1;
    joining.device = "/job:no/replica:0/task:0/device:CPU:0";
    assert_ok(f->err, sl_elastic_write_join(&m, &joining, 1, &f->err));
    a = fake_net_call(f->net, "c:1", SL_ELASTIC_JOIN, &m);
    assert_int_equal(a.code, SL_INVALID_ARGUMENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, dist_setup, dist_teardown)
int main(void) {
    setenv("SLUICE_HEARTBEAT_MS", "-1", 1); /* time goes faster than answers here */
    const struct CMUnitTest tests[] = {TEST(all_come),
                                       TEST(one_stays_away_and_comes_back),
                                       TEST(members_that_agree_are_not_kept_waiting),
                                       TEST(too_few_come),
                                       TEST(one_goes_while_it_waits),
                                       TEST(who_is_no_member),
                                       TEST(the_leader_goes),
                                       TEST(a_leader_without_the_others),
                                       TEST(one_of_two),
                                       TEST(requests_that_make_no_sense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
