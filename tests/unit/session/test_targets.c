/* Targets: who runs a session. One row more is another who does, and what nobody takes is one error. */
#include "root/root.h"
#include "session/session.h"
#include "unit/unit.h"

static int n_closed, n_freed;

static sl_code remote_close(struct sl_session *s, struct sl_error *err) {
    (void)s, (void)err;
    n_closed++;
    return SL_OK;
}
static void remote_free(struct sl_session *s) {
    (void)s;
    n_freed++;
}
static sl_code remote_run(struct sl_session *s, const struct sl_run *run, struct sl_error *err) {
    (void)s, (void)run;
    return sl_fail(err, SL_UNAVAILABLE, "nobody listens");
}
static const struct sl_session_methods remote_methods = {.free = remote_free, .close = remote_close, .run = remote_run};
static struct sl_session remote = {&remote_methods};

static bool is_far(struct sl_str target) { return target.n >= 6 && !memcmp(target.p, "far://", 6); }
static sl_code open_far(struct sl_session **out, const struct sl_registries *registries,
                        const struct sl_session_options *options, struct sl_error *err) {
    (void)registries, (void)err;
    assert_true(sl_str_is(options->target, "far://host:1"));
    *out = &remote;
    return SL_OK;
}

static sl_code open_target(struct sl_session **out, const struct sl_target *targets, const char *target,
                           struct sl_error *err) {
    const struct sl_registries *registries;
    const struct sl_session_options options = {.target = sl_str_of(target)};
    SL_TRY(sl_root_registries(&registries, err));
    return sl_session_new(out, targets, registries, &options, err);
}

static void this_process_is_a_target(void **state) {
    struct sl_error err;
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct sl_session *s;
        const char *name, *type;
        int64_t memory;
        uint64_t incarnation;
        assert_ok(err, open_target(&s, sl_root_targets(), i ? "local" : "", &err));
        assert_true(sl_session_device(&name, &type, &memory, &incarnation, s, 0));
        assert_string_equal(name, "/job:localhost/replica:0/task:0/device:CPU:0");
        sl_session_free(s);
    }
}

static void nobody_takes_it(void **state) {
    static const struct sl_target none[] = {{NULL, NULL, NULL}};
    struct sl_error err;
    struct sl_session *s;
    (void)state;
    assert_fails(err, SL_NOT_FOUND,
                 "No session factory registered for the given session options: {target: \"far://a:1\"} Registered "
                 "factories are {DIRECT_SESSION, GRPC_SESSION}.",
                 open_target(&s, sl_root_targets(), "far://a:1", &err));
    assert_fails(err, SL_NOT_FOUND, "{target: \"localhost\"}", open_target(&s, sl_root_targets(), "localhost", &err));
    assert_fails(err, SL_NOT_FOUND, "Registered factories are {}.", open_target(&s, none, "", &err));
}

static void one_row_more(void **state) {
    const struct sl_target both[] = {sl_root_targets()[0], {"FAR_SESSION", is_far, open_far}, {NULL, NULL, NULL}};
    struct sl_error err;
    struct sl_session *s;
    (void)state;
    assert_ok(err, open_target(&s, both, "far://host:1", &err));
    assert_fails(err, SL_UNAVAILABLE, "nobody listens", sl_session_run(s, &(struct sl_run){.n_fetches = 0}, &err));
    assert_ok(err, sl_session_close(s, &err));
    sl_session_free(s);
    assert_int_equal(n_closed, 1);
    assert_int_equal(n_freed, 1);
    assert_fails(err, SL_NOT_FOUND, "Registered factories are {DIRECT_SESSION, FAR_SESSION}.",
                 open_target(&s, both, "near", &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(this_process_is_a_target), cmocka_unit_test(nobody_takes_it),
                                       cmocka_unit_test(one_row_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
